"""Hand histories that people can read and a test can play again: ``tests/transcripts/*.hand``.

A file begins with the game and who sits where with what; after an empty line comes the hand. A line that begins with a player is what he
does; one that is set in is what the dealer does; ``!`` marks what is refused, and by which law. Reading plays the players' lines again
and writes the whole anew: file and hand must agree to the letter.
"""

import re

import pytest

from bot.engine import cards as packs
from bot.engine import events as e
from bot.engine.betting.pots import pots
from bot.engine.decide import decide_and_evolve
from bot.engine.errors import LawError
from bot.engine.hand import seats_in
from bot.engine.legal import OfferKind
from bot.engine.showdown.hand_values import evaluators_for
from bot.engine.stakes import Stakes
from bot.history.hand_names import long_name
from bot.text.refusals.wording import law_book_line
from tests.support.told import Told, deal

_SEAT = re.compile(r"(?P<name>\w+) (?P<chips>\d+)(?P<button> on the button)?(?:: (?P<cards>.+))?")
_SETTING = re.compile(r"(?P<what>options|stakes|board|posts|asks): (?P<value>.+)")


def replay_transcript(text: str) -> str:
    """Play a transcript's hand again and write it anew."""
    header, _, body = text.partition("\n\n")
    title, game, *around = header.splitlines()
    hand = _deal_from_header(game, around)
    lines = [title, game, *around, ""]
    lines += _describe_events(hand, hand.events[1:])
    for line in body.splitlines():
        if line.startswith("! "):
            lines.append(_refusal_line(hand, line[2:].partition(" - ")[0]))
        elif line and not line.startswith(" "):
            before = len(hand.events)
            hand.play(line)
            lines.append(line)
            lines += _describe_events(hand, _events_after_own_action(hand, before))
    return "\n".join(lines) + "\n"


def _deal_from_header(game: str, around: list[str]) -> Told:
    stacks: dict[str, int] = {}
    cards: dict[str, str] = {}
    said = {"options": "", "stakes": "", "board": "", "posts": "", "asks": ""}
    button = ""
    for line in around:
        if setting := _SETTING.fullmatch(line):
            said[setting["what"]] = setting["value"]
            continue
        seat = _SEAT.fullmatch(line)
        assert seat is not None, f"a transcript's seat is told as 'Ann 1000 on the button: As Kd', not {line!r}"
        stacks[seat["name"]] = int(seat["chips"])
        button = seat["name"] if seat["button"] else button
        if seat["cards"]:
            cards[seat["name"]] = seat["cards"]
    options = dict(one.split(" ", 1) for one in said["options"].split(", ") if one)
    amounts = dict(one.rsplit(" ", 1) for one in said["stakes"].split(", ") if one)
    stakes = Stakes(**{name.replace(" ", "_"): int(chips) for name, chips in amounts.items()}) if amounts else None
    posts = [one for one in said["posts"].split(", ") if one]
    return deal(
        game, button=button, stacks=stacks, cards=cards, board=said["board"], options=options, posts=posts, stakes=stakes,
        ask_show=said["asks"] == "who shows",
    )  # fmt: skip


def _refusal_line(hand: Told, line: str) -> str:
    seat, command, _ = hand.read(line)
    with pytest.raises(LawError) as caught:
        decide_and_evolve(hand.hand, seat, command)
    return f"! {line} - {law_book_line(caught.value)}"


def _events_after_own_action(hand: Told, before: int) -> tuple[e.HandEvent, ...]:
    """What followed a player's action; the action itself stands in his line, except the cards that he
    showed or drew, and how high a straddle is."""
    events = hand.events[before:]
    return events if isinstance(events[0], e.Shown | e.Drew | e.Straddled) else events[1:]


def _describe_events(hand: Told, events: tuple[e.HandEvent, ...]) -> list[str]:
    return [f"  {line}" for event in events if (line := _describe_event(hand, event))]


def _describe_event(hand: Told, event: e.HandEvent) -> str:
    """What an event looks like at the table; "" for one that nobody sees."""
    deck = hand.hand.deck

    def read(places: tuple[int, ...]) -> str:
        return " ".join(packs.card_text(deck[card_index]) for card_index in places)

    match event:
        case e.Posted(seat, kind, chips):
            return f"{hand.names[seat]} posts {kind} {chips}"
        case e.DealtUp(count, card_index):
            return f"up: {_describe_up_cards(hand, range(card_index, len(hand.hand.deck)), count)}"
        case e.DealtUpToSeat(seat, card_index):
            return f"up: {hand.names[seat]} {read((card_index,))}"
        case e.ExtraCardDealt(seat, cause, card_index):
            return (
                f"for {read((cause,))} {hand.names[seat]} gets {read((card_index,)) if card_index >= 0 else 'nothing'}"
            )
        case e.DecisionRequested(seat, _, offer, about) if about is OfferKind.PRICE:
            return f"{hand.names[seat]} is to pay {offer}, or drops"
        case e.CardsRolledOut():
            rolls = [one for one in hand.events if isinstance(one, e.CardsRolledOut)]
            number = next(at for at, one in enumerate(rolls) if one is event)  # one roll is like another
            return f"up: {_describe_rolled_cards(hand, number)}"
        case e.DrawOpened(street):
            return f"{street}"
        case e.Drew(seat, laid, fresh):
            return (
                f"{hand.names[seat]} lays away {read(laid)} and gets {read(tuple(range(fresh, fresh + len(laid))))}"
                if laid
                else ""
            )
        case e.Straddled(seat, to):
            return f"{hand.names[seat]} has {to} in"
        case e.StraddlesClosed():
            return "cards are dealt"
        case e.BetsLeftUntilDraw():
            return "each has spoken once"
        case e.SecretChoicesApplied():
            return "all have chosen"
        case e.BoardRunTwice(boards):
            return f"the board is run {boards} times"
        case e.PotMatched(seat, chips):
            return f"{hand.names[seat]} matches the pot with {chips} for the next deal"
        case e.HandPassedOut(chips):
            return f"nobody opens; {chips} wait for the next deal"
        case e.OpenersShown(seat, card_indexes):
            return f"{hand.names[seat]} opened on {read(card_indexes)}"
        case e.DealtBoard(count, card_index, board):
            return f"board{f' {board + 1}' if board else ''}: {read(tuple(range(card_index, card_index + count)))}"
        case e.BettingRoundOpened(street, first):
            return f"{street}: {hand.names[first]} speaks first"
        case e.Folded(seat):
            return f"{hand.names[seat]} folds"
        case e.Checked(seat):
            return f"{hand.names[seat]} checks"
        case e.Called(seat, chips):
            return f"{hand.names[seat]} calls {chips}"
        case e.BetTo(seat, to) | e.RaisedTo(seat, to):
            return f"{hand.names[seat]} makes it {to}"
        case e.OutOfTurnChipsForfeited(seat, chips):
            return f"{hand.names[seat]} forfeits {chips}"
        case e.OutOfTurnActionResolved(seat):
            return f"{hand.names[seat]} had spoken"
        case e.BettingRoundClosed(seat, returned):
            return f"{returned} uncalled goes back to {hand.names[seat]}" if returned else ""
        case e.ShowdownOpened():
            return f"showdown: {_describe_pots(hand)}"
        case e.Shown(seat, card_indexes):
            return f"{hand.names[seat]} shows {read(card_indexes)}"
        case e.Mucked(seat):
            return f"{hand.names[seat]} mucks"
        case e.PotsPaid(payments):
            return "\n  ".join(_describe_payment(hand, payment) for payment in payments)
        case e.HandEnded():
            return "stacks: " + ", ".join(f"{name} {hand.stacks[name]}" for name in sorted(hand.names))
        case _:
            return ""


def _describe_pots(hand: Told) -> str:
    layers = pots(hand.hand.put_in, hand.hand.live_seats, hand.hand.dead_chips)
    return ", ".join(
        f"{'side' if number else 'main'} pot {pot.chips} for {' '.join(hand.names[seat] for seat in seats_in(pot.eligible_seats))}"
        for number, pot in enumerate(layers)
    )


def _describe_up_cards(hand: Told, card_indexes: range, count: int) -> str:
    """Who was dealt which cards face up, from the dealer's left."""
    found = []
    for seat, up in enumerate(hand.hand.up_indices):
        fresh = [card_index for card_index in up if card_index in card_indexes][:count]
        if fresh:
            found.append(
                (
                    fresh[0],
                    f"{hand.names[seat]} {' '.join(packs.card_text(hand.hand.deck[card_index]) for card_index in fresh)}",
                )
            )
    return ", ".join(said for _, said in sorted(found))


def _describe_rolled_cards(hand: Told, number: int) -> str:
    """Whose card was turned up at the `number`-th roll."""
    ups = [(hand.names[seat], up[number]) for seat, up in enumerate(hand.hand.up_indices) if len(up) > number]
    return ", ".join(f"{name} {packs.card_text(hand.hand.deck[card_index])}" for name, card_index in ups)


def _describe_payment(hand: Told, payment: e.Payment) -> str:
    pot = f"side pot {payment.pot_index}" if payment.pot_index else "main pot"
    shares = [share.name for share in hand.hand.rules.rule_card.shares]
    judges = evaluators_for(hand.hand, payment.seat)
    made = judges[shares.index(payment.share)].name(payment.value) if payment.value else None
    held = f" with {long_name(made)}" if made else ""
    share = f" ({payment.share})" if len(shares) > 1 and payment.value else ""
    odd = ", the odd chip among them" if payment.odd_chips else ""
    return f"{hand.names[payment.seat]} wins {payment.chips} from the {pot}{share}{held}{odd}"

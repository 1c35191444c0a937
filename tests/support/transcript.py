"""Read hand histories that a test can play again: ``tests/transcripts/*.hand``.

A file begins with the game, the players and their stacks; the hand follows an empty line. A line that begins with a player is that player's
action. An indented line says what the dealer does. A line with ``!`` is refused and names the law. A test plays the players' lines again
and writes the whole file anew: both must be equal.
"""

import re

import pytest

from bot.engine import cards as engine_cards
from bot.engine import events as e
from bot.engine.betting.pots import pots
from bot.engine.decide import decide_and_evolve
from bot.engine.errors import LawError
from bot.engine.hand import seats_in
from bot.engine.legal import OfferKind
from bot.engine.showdown.hand_values import evaluators_for
from bot.engine.stakes import Stakes
from bot.text.hand_names import hand_name
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
    settings = {"options": "", "stakes": "", "board": "", "posts": "", "asks": ""}
    button = ""
    for line in around:
        if setting := _SETTING.fullmatch(line):
            settings[setting["what"]] = setting["value"]
            continue
        seat = _SEAT.fullmatch(line)
        assert seat is not None, f"a transcript's seat is written as 'Ann 1000 on the button: As Kd', not {line!r}"
        stacks[seat["name"]] = int(seat["chips"])
        button = seat["name"] if seat["button"] else button
        if seat["cards"]:
            cards[seat["name"]] = seat["cards"]
    options = dict(one.split(" ", 1) for one in settings["options"].split(", ") if one)
    amounts = dict(one.rsplit(" ", 1) for one in settings["stakes"].split(", ") if one)
    stakes = Stakes(**{name.replace(" ", "_"): int(chips) for name, chips in amounts.items()}) if amounts else None
    posts = [one for one in settings["posts"].split(", ") if one]
    return deal(
        game, button=button, stacks=stacks, cards=cards, board=settings["board"], options=options, posts=posts, stakes=stakes,
        ask_show=settings["asks"] == "who shows",
    )  # fmt: skip


def _refusal_line(hand: Told, line: str) -> str:
    seat, command, _ = hand.read(line)
    with pytest.raises(LawError) as caught:
        decide_and_evolve(hand.hand, seat, command)
    return f"! {line} - {law_book_line(caught.value)}"


def _events_after_own_action(hand: Told, before: int) -> tuple[e.HandEvent, ...]:
    """Return the events after a player's action. The action itself is in the player's line, unless it shows or draws cards or straddles."""
    events = hand.events[before:]
    return events if isinstance(events[0], e.Shown | e.Drew | e.Straddled) else events[1:]


def _describe_events(hand: Told, events: tuple[e.HandEvent, ...]) -> list[str]:
    return [f"  {line}" for event in events if (line := _describe_event(hand, event))]


def _describe_event(hand: Told, event: e.HandEvent) -> str:
    """Describe an event as the table sees it; "" for one that nobody sees."""
    deck = hand.hand.deck

    def cards_at(card_indexes: tuple[int, ...]) -> str:
        return " ".join(engine_cards.card_text(deck[card_index]) for card_index in card_indexes)

    match event:
        case e.Posted(seat, kind, chips):
            return f"{hand.names[seat]} posts {kind} {chips}"
        case e.DealtUp(count, card_index):
            return f"up: {_describe_up_cards(hand, range(card_index, len(hand.hand.deck)), count)}"
        case e.DealtUpToSeat(seat, card_index):
            return f"up: {hand.names[seat]} {cards_at((card_index,))}"
        case e.ExtraCardDealt(seat, cause, card_index):
            return f"for {cards_at((cause,))} {hand.names[seat]} gets {cards_at((card_index,)) if card_index >= 0 else 'nothing'}"
        case e.DecisionRequested(seat, _, offer, about) if about is OfferKind.PRICE:
            return f"{hand.names[seat]} must pay {offer} or fold"
        case e.CardsRolledOut():
            rolls = [one for one in hand.events if isinstance(one, e.CardsRolledOut)]
            number = next(at for at, one in enumerate(rolls) if one is event)  # one roll is like another
            return f"up: {_describe_rolled_cards(hand, number)}"
        case e.DrawOpened(street):
            return f"{street}"
        case e.Drew(seat, discarded, fresh):
            return (
                f"{hand.names[seat]} discards {cards_at(discarded)} and gets {cards_at(tuple(range(fresh, fresh + len(discarded))))}"
                if discarded
                else ""
            )
        case e.Straddled(seat, to):
            return f"{hand.names[seat]} has {to} in"
        case e.StraddlesClosed():
            return "cards are dealt"
        case e.BetsLeftUntilDraw():
            return "each has acted once"
        case e.SecretChoicesApplied():
            return "all have chosen"
        case e.BoardRunTwice(boards):
            return f"the board is run {boards} times"
        case e.PotMatched(seat, chips):
            return f"{hand.names[seat]} matches the pot with {chips} for the next hand"
        case e.HandPassedOut(chips):
            return f"nobody opens; {chips} wait for the next hand"
        case e.OpenersShown(seat, card_indexes):
            return f"{hand.names[seat]} opened on {cards_at(card_indexes)}"
        case e.DealtBoard(count, card_index, board):
            return f"board{f' {board + 1}' if board else ''}: {cards_at(tuple(range(card_index, card_index + count)))}"
        case e.BettingRoundOpened(street, first):
            return f"{street}: {hand.names[first]} acts first"
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
            return f"{hand.names[seat]} had acted"
        case e.BettingRoundClosed(seat, returned):
            return f"{returned} uncalled goes back to {hand.names[seat]}" if returned else ""
        case e.ShowdownOpened():
            return f"showdown: {_describe_pots(hand)}"
        case e.Shown(seat, card_indexes):
            return f"{hand.names[seat]} shows {cards_at(card_indexes)}"
        case e.CardsShown(seat, card_indexes):
            return f"{hand.names[seat]} shows {cards_at(card_indexes)} alone"
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
    """List the cards dealt face up with their players, from the dealer's left."""
    found = []
    for seat, up in enumerate(hand.hand.up_indices):
        fresh = [card_index for card_index in up if card_index in card_indexes][:count]
        if fresh:
            found.append(
                (
                    fresh[0],
                    f"{hand.names[seat]} {' '.join(engine_cards.card_text(hand.hand.deck[card_index]) for card_index in fresh)}",
                )
            )
    return ", ".join(line for _, line in sorted(found))


def _describe_rolled_cards(hand: Told, number: int) -> str:
    """List the cards turned up at the `number`-th roll with their players."""
    ups = [(hand.names[seat], up[number]) for seat, up in enumerate(hand.hand.up_indices) if len(up) > number]
    return ", ".join(f"{name} {engine_cards.card_text(hand.hand.deck[card_index])}" for name, card_index in ups)


def _describe_payment(hand: Told, payment: e.Payment) -> str:
    pot = f"side pot {payment.pot_index}" if payment.pot_index else "main pot"
    shares = [share.name for share in hand.hand.rules.rule_card.shares]
    evaluators = evaluators_for(hand.hand, payment.seat)
    made = evaluators[shares.index(payment.share)].name(payment.value) if payment.value else None
    held = f" with {hand_name(made)}" if made else ""
    share = f" ({payment.share})" if len(shares) > 1 and payment.value else ""
    odd = ", the odd chip among them" if payment.odd_chips else ""
    return f"{hand.names[payment.seat]} wins {payment.chips} from the {pot}{share}{held}{odd}"

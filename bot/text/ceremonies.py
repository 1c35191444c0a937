"""What a table asks for between two hands: cut, first deal, next game, bomb pot, an exchange of seats; and a claimed misdeal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from bot.engine.mixes import Rotation, RotationChange
from bot.table import events as was
from bot.table.state import SeatExchange
from bot.table.view import RotationView, TableView
from bot.text import buttons, escape
from bot.text.adjustments import adjustment_text
from bot.text.cards import Emojis, rank_plural
from bot.text.formatting import join_and, join_list, relative_time_ms
from bot.text.game_names import game_name
from bot.text.language import message, plural, t

MISDEAL = message("Misdeal")
CHOOSE_NEXT_GAME = message("Choose the next game…")
CUT_FOR_DEAL = message("Cut for first deal…")
DRAW_FOR_DEAL = message("Draw for first deal")
CUT = message("Cut…")
SHUFFLE = message("Shuffle")
SHUFFLE_AGAIN = message("Shuffle ({count})")
BOMB_POT_VOTES = message("Bomb pot {votes}/{players}")
EXCHANGE_SEATS = message("Exchange seats")

CUT_THE_DECK = message("Cut the deck")
CARDS_FROM_TOP = message("Cards from the top")
CUT_RANGE = message("{minimum} to {maximum}. Two numbers make three packets: 20 35")
CUT_FOR_FIRST_DEAL = message("Cut for the first deal")
CARD_FROM_TOP = message("Which card, from the top")
CARD_RANGE = message("1 to {maximum}")

_MISDEAL_CLAIMED = plural(
    "**{names}** says that this hand was dealt wrong ({count} of {players}).",
    "**{names}** say that this hand was dealt wrong ({count} of {players}).",
)
_MISDEAL_EFFECT = message("-# The hand won't count if everyone dealt in agrees · Law TL-29")

_CARDS_DRAWN = message("First deal: {cards} · {name} deals")
_DECIDING_CARD = message("First deal: {name} drew {card} and deals")
_SEATS_DRAWN = message("Seats are drawn: {cards}")
_SEATS_DRAWN_UNSEEN = message("Seats are drawn")
_PLAYER_CARD = message("{name} {card}")  # Translators: the card that a player drew: Ann K♣
_CUT_TIED = message("The lowest cards tie: {names} cut again")
_NO_REPLAY = message("Too few players are left to play the hand again. The next one is an ordinary hand")
_STACKS_ADJUSTED = message("Everyone agreed to correct the stacks: {changes} · Law H-3")
_CHIPS_CORRECTED = message("Staff corrected the book: {changes} · {reason} · Law TC-6")
_SEATS_EXCHANGED = message("{first} and {second} have exchanged seats")
_DECK_CUT = message("{name} cut the deck at {points}")
_SEAT = message("seat\u00a0{number}")

_REPLAY = message("-# The hand is played again: same players, same button · Law TL-29")
_REPLAY_WAITING = plural(
    "-# The hand is played again: same players, same button · {names} joins after it · Law TL-29",
    "-# The hand is played again: same players, same button · {names} join after it · Law TL-29",
)
_CHOOSING = message("▶ **{name}** is choosing the next game ({when}, otherwise {default})")
_GAME_NOW = message("-# {mixture} · now **{game}**")
_GAME_NOW_COUNTED = plural(
    "-# {mixture} · now **{game}** ({dealt} of {count} hand)",
    "-# {mixture} · now **{game}** ({dealt} of {count} hands)",
)
_GAME_THEN = message("then {game}")
_OPENERS = message("-# The next hand needs a pair of {ranks} or better to open.")
_LOWEST_CARD_DEALS = message("Cut for the first deal: the lowest card deals.")
_LOWEST_CARD_SO_FAR = message("Cut for the first deal: the lowest card deals. {cards}")
_FIRST_JACK_DEALS = message("The player who is dealt the first jack deals first.")
_CUTS = message("▶ **{name}** cuts the deck {when}")
_HAS_CUT = message("-# {name} has cut the deck at {points}")
_BOMB_POT_NEXT = message("**The next hand is a bomb pot**")
_EXCHANGE_DUE = message("**{first}** and **{second}** exchange seats {when}, unless someone objects")
_EXCHANGE_ASKED = message("**{first}** asks **{second}** to exchange seats")

DRAWN_CARDS_LISTED = 3
"""Up to this many cards drawn for the first deal are listed; of more, only the one that decided, to stay on one line."""


def misdeal_claimed(view: TableView, claims: Sequence[int], players: Sequence[int]) -> str:
    """Who claims a misdeal, of how many people. `claims` and `players` are user ids; those of practice players are below zero."""
    names = names_by_player(view)
    people = sum(player > 0 for player in players)
    claimants = join_and([names.get(player, f"<@{player}>") for player in claims])
    claim = t(_MISDEAL_CLAIMED, count=len(claims), names=claimants, players=people)
    return f"{claim}\n{t(_MISDEAL_EFFECT)}"


CEREMONIES: frozenset[type] = frozenset(
    {
        was.ButtonDrawn,
        was.SeatsDrawn,
        was.FirstDealCutTied,
        was.ReplayCancelled,
        was.StacksAdjusted,
        was.ChipsCorrected,
        was.SeatsExchanged,
        was.HandBegan,
    }
)
"""The events that `ceremony_text` can tell."""


def ceremony_text(events: Iterable[object], names: Mapping[int, str], seats: Mapping[int, str], emojis: Emojis) -> str:
    """What was done before everyone's eyes, in one line; empty where nothing was.

    `names` are by user id, `seats` by seat number; both safe for markdown.
    """
    for event in events:
        if type(event) not in CEREMONIES:
            continue
        match event:
            case was.ButtonDrawn(cards, seat):
                return _button_drawn(cards, seat, seats, emojis)
            case was.SeatsDrawn(cards):
                drawn = [
                    t(_PLAYER_CARD, name=names.get(user, f"<@{user}>"), card=emojis.write_one(card))
                    for user, card in cards
                ]
                return t(_SEATS_DRAWN, cards=join_list(drawn)) if drawn else t(_SEATS_DRAWN_UNSEEN)
            case was.FirstDealCutTied(tied):
                return t(_CUT_TIED, names=join_and([seat_name(seats, number) for number in tied]))
            case was.ReplayCancelled():
                return t(_NO_REPLAY)
            case was.StacksAdjusted(changes):
                return t(_STACKS_ADJUSTED, changes=adjustment_text(changes, names))
            case was.ChipsCorrected(correction):
                reason = escape.text(correction.reason, 200)
                return t(_CHIPS_CORRECTED, changes=adjustment_text(correction.changes, names), reason=reason)
            case was.SeatsExchanged(seat, other):
                return t(_SEATS_EXCHANGED, first=seat_name(seats, seat), second=seat_name(seats, other))
            case was.HandBegan(cut_points=points, cut_by_seat=seat) if seat:
                return t(_DECK_CUT, name=seat_name(seats, seat), points=_points(points))
            case _:
                continue
    return ""


def _button_drawn(cards: Sequence[tuple[int, int]], winner: int, seats: Mapping[int, str], emojis: Emojis) -> str:
    """Who deals first, with the cards drawn where they are few, else with the card that decided."""
    name = seat_name(seats, winner)
    if len(cards) <= DRAWN_CARDS_LISTED:
        return t(_CARDS_DRAWN, cards=_seat_cards(cards, seats, emojis), name=name)
    deciding = next(card for seat, card in reversed(cards) if seat == winner)
    return t(_DECIDING_CARD, name=name, card=emojis.write_one(deciding))


def _seat_cards(cards: Sequence[tuple[int, int]], seats: Mapping[int, str], emojis: Emojis) -> str:
    return join_list(
        [t(_PLAYER_CARD, name=seat_name(seats, seat), card=emojis.write_one(card)) for seat, card in cards]
    )


def _points(points: Sequence[int]) -> str:
    """Where the deck was cut: ``12 and 30``."""
    return join_and([str(point) for point in points])


def replay(view: TableView) -> str:
    """A hand that did not count is played again: with whom, and who waits because of it (TL-29)."""
    names = names_by_seat(view)
    waiting = [f"**{names[seat.number]}**" for seat in view.seats if seat.kept_out_of_replay]
    return t(_REPLAY_WAITING, count=len(waiting), names=join_and(waiting)) if waiting else t(_REPLAY)


def choosing_game(view: TableView, mixture: RotationView, rotation: Rotation) -> str:
    """Who chooses the next game until when, and which game it is if they don't."""
    return t(
        _CHOOSING,
        name=seat_name(names_by_seat(view), mixture.chooser_seat),
        when=relative_time_ms(mixture.choice_due_at),
        default=escape.text(game_name(mixture.games[rotation.default_game_index])),
    )


def rotation_line(mixture: RotationView, rotation: Rotation) -> str:
    """Where a mixed table is in its games: ``H.O.R.S.E. · now **Razz** (2 of 3 hands) · then Stud``."""
    name, game = escape.text(game_name(mixture.name)), escape.text(game_name(mixture.games[mixture.game_index]))
    hands = {RotationChange.HANDS: rotation.hands, RotationChange.LAP: mixture.hands_per_lap}.get(rotation.change, 0)
    if hands:
        line = t(_GAME_NOW_COUNTED, mixture=name, game=game, dealt=mixture.hands_dealt, count=hands)
    else:
        line = t(_GAME_NOW, mixture=name, game=game)
    if rotation.change is RotationChange.DEALERS_CHOICE:
        return line
    following = mixture.games[(mixture.game_index + 1) % len(mixture.games)]
    return f"{line} · {t(_GAME_THEN, game=escape.text(game_name(following)))}"


def openers(rank: int) -> str:
    """The pair that opens the next hand, where earlier hands were passed out."""
    return t(_OPENERS, ranks=rank_plural(rank))


def low_cut(view: TableView, emojis: Emojis) -> str:
    """The cut for the first deal, with the cards so far."""
    cards = _seat_cards(view.deck.first_deal_lots, names_by_seat(view), emojis)
    return t(_LOWEST_CARD_SO_FAR, cards=cards) if cards else t(_LOWEST_CARD_DEALS)


def first_jack() -> str:
    """How the first dealer is found by the first jack."""
    return t(_FIRST_JACK_DEALS)


def has_cut(view: TableView) -> str:
    """Who has cut the deck for the next hand, and where."""
    name = seat_name(names_by_seat(view), view.deck.cut_by_seat)
    return t(_HAS_CUT, name=name, points=_points(view.deck.cut_points))


def cuts(view: TableView) -> str:
    """Who must cut the deck, until when."""
    return t(
        _CUTS, name=seat_name(names_by_seat(view), view.deck.cutter_seat), when=relative_time_ms(view.next_hand_at)
    )


def bomb_pot_next() -> str:
    """The next hand is a bomb pot."""
    return t(_BOMB_POT_NEXT)


def exchange(view: TableView, asked: SeatExchange) -> str:
    """Two players exchange seats, or one asks the other to."""
    names = names_by_player(view)
    first, second = (names.get(user, f"<@{user}>") for user in (asked.player, asked.other_player))
    if asked.due_at:
        return t(_EXCHANGE_DUE, first=first, second=second, when=relative_time_ms(asked.due_at))
    return t(_EXCHANGE_ASKED, first=first, second=second)


def shuffle_label(shuffles: int) -> str:
    """The label of the button that shuffles, with the number of shuffles so far."""
    return t(SHUFFLE_AGAIN, count=shuffles) if shuffles else t(SHUFFLE)


def bomb_pot_label(votes: int, players: int) -> str:
    """The label of the button that asks for a bomb pot, with the votes so far."""
    return t(BOMB_POT_VOTES, votes=votes, players=players) if votes else t(buttons.BOMB_POT)


def names_by_seat(view: TableView) -> Mapping[int, str]:
    """Names, safe for markdown, by seat number."""
    return escape.names_by_seat((seat.number, seat.name) for seat in view.seats)


def names_by_player(view: TableView) -> dict[int, str]:
    """Names, safe for markdown, by user id."""
    names = names_by_seat(view)
    return {seat.player: names[seat.number] for seat in view.seats}


def seat_name(seats: Mapping[int, str], number: int) -> str:
    """The player at a seat, or the seat where nobody is known."""
    return seats.get(number) or t(_SEAT, number=number)

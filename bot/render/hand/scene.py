"""The scene from which the panels of a hand are drawn: the hand as somebody can see it, and the people at its seats."""

from collections.abc import Mapping
from functools import cached_property
from operator import attrgetter
from typing import Protocol

from msgspec import Struct

from bot.engine.errors import BrokenInvariant
from bot.engine.ranking import HandName
from bot.engine.stakes import Stakes
from bot.engine.view.types import HandView, SeatView
from bot.statistics.types import Odds
from bot.table.settings import USUAL_RAISE_SIZES, RaiseSize
from bot.text import escape
from bot.text import hand as words
from bot.text.cards import SIGNS, Emojis, card_name
from bot.text.escape import names_by_seat
from bot.text.formatting import NBSP
from bot.text.game_names import game_name
from bot.text.hand_names import hand_won_with
from bot.text.language import remembered, t
from bot.text.stakes import short_stakes


class Named(Protocol):
    """Anybody with a display name and a Discord id; the id of a practice player is 0 or below."""

    @property
    def name(self) -> str: ...

    @property
    def user(self) -> int: ...


class Person(Struct, frozen=True, gc=False):
    """Somebody at a table: the display name as Discord has it, and the Discord id, 0 for a practice player."""

    name: str
    user: int = 0


class Scene(Struct, frozen=True, dict=True):  # with a __dict__, for `names`
    """A hand with names, clock and the look of its cards.

    Attributes:
        table_id: the number that the ids of buttons carry.
        table_number: what people call the table: ``Table 3``; 0 for a hand from a file, which was at no table here.
        hand_number: the hand's number at this table.
        view: the public view (`viewer` None) for what everybody sees; a seat's own for what one player sees.
        people: who sits where, by seat number. A seat without anybody is written ``Seat 3``.
        deadline: when the turn ends, in Unix seconds; 0 where no clock runs.
        time_bank_seconds: the time bank behind the clock of the player to act (TL-31).
        emojis: how cards are written.
        open_seats: how many seats are free; 0 leaves the button out.
        on_time_bank: the clock has run out, and the time bank runs.
        offers_return: a player at the table sits out, so that the running hand of a full table offers the way back.
        mixture_name: the mixture that the hand belongs to: ``H.O.R.S.E.``; empty for none.
        introduction: what teaches the game, where the table deals it for the first time; else empty.
        raise_sizes: the parts of the pot that have a button at this table.
        picture: the message has a picture of the table, which shows the board.
        acts_in_panel: whoever is to act has their own panel, or needs none: then the table has no buttons for it.
        is_full: no seat is free, so that nothing else leads to what its reader can do at the table.
        has_book: the table plays with table chips, and shows who bought in for what.
        odds: what the open hands of a run-out can expect on this street; None where they are not told.
    """

    table_id: int
    table_number: int
    hand_number: int
    view: HandView
    people: Mapping[int, Named]
    deadline: int = 0
    time_bank_seconds: int = 0
    emojis: Emojis = SIGNS
    open_seats: int = 0
    on_time_bank: bool = False
    offers_return: bool = False
    mixture_name: str = ""
    introduction: str = ""
    raise_sizes: tuple[RaiseSize, ...] = USUAL_RAISE_SIZES
    picture: bool = False
    acts_in_panel: bool = False
    has_book: bool = False
    is_full: bool = False
    odds: Odds | None = None

    def public_view(self) -> HandView:
        """Return the view for a message that everybody reads.

        Raises:
            BrokenInvariant: it is a player's own view, which shows their cards.
        """
        if self.view.viewer is not None:
            raise BrokenInvariant("a player's own view in a public message")
        return self.view

    def name(self, seat_number: int) -> str:
        """Return the player at a seat, safe for markdown."""
        return self.names.get(seat_number) or t(words.SEAT, number=seat_number)

    @cached_property
    def names(self) -> Mapping[int, str]:
        """The players who have a name by seat number, safe for markdown."""
        return names_by_seat([(number, person.name) for number, person in self.people.items()])

    def numbered_name(self, seat_number: int) -> str:
        """Return the player at a seat, after the number of the seat: ``4 Ayşe``."""
        person = self.people.get(seat_number)
        name = escape.name(person.name) if person is not None else self.name(seat_number)
        return f"{seat_number}{NBSP}{name}"

    def mention(self, seat_number: int) -> str:
        """Return the player at a seat as a mention; the name of a practice player in bold."""
        person = self.people.get(seat_number)
        return f"<@{person.user}>" if person is not None and person.user > 0 else f"**{self.name(seat_number)}**"

    def seat_to_act(self) -> SeatView | None:
        """Return the seat to act, or None."""
        return self.view.seats[self.view.to_act] if self.view.to_act >= 0 else None

    def own_seat(self) -> SeatView | None:
        """Return the viewer's own seat, or None in a public view."""
        return self.view.seats[self.view.viewer] if self.view.viewer is not None else None

    def table_name(self) -> str:
        """``Table 3``."""
        return t(words.TABLE, number=self.table_number)

    def game_name(self) -> str:
        """Return the game, behind the mixture that it belongs to, if any: ``H.O.R.S.E. · Razz`` (VC-28)."""
        return _game_name(self.view.game, self.mixture_name)

    def mixture(self) -> str:
        """Return the mixture that the hand belongs to, safe for markdown."""
        return escape.name(game_name(self.mixture_name))

    def stakes(self) -> str:
        """``50/100``."""
        return short_stakes(self.view.stakes, ante=self.view.ante_rule, limit=self.view.limit)

    def small_print(self, *, named: bool = False) -> str:
        """``Table 3 · No-Limit Hold'em 50/100 · Hand #1284``, and whether practice players sit there; without the hand where it is `named`
        above."""
        view = self.view
        text = _hand_line(
            self.table_number,
            0 if named else self.hand_number,
            view.game,
            self.mixture_name,
            view.stakes,
            view.ante_rule,
            view.limit,
        )
        practice = min([person.user for person in self.people.values()], default=0) < 0
        return t(words.PRACTICE, small_print=text) if practice else text


def sort_key(card: int | None) -> tuple[int, int]:
    """The order in which players see their own cards: jokers, then the highest rank first, spades before clubs."""
    return (-(card >> 2), -(card & 3)) if card is not None else (1, 0)


def sorted_cards(row: list[int | None]) -> list[int | None]:
    """Cards in the order in which their owner sees them."""
    return sorted(row, key=sort_key)


SEAT_NUMBER = attrgetter("seat_number")
"""Sorts seats by their numbers at the table."""


@remembered(maximum=1024)
def _hand_line(
    table_number: int,
    hand_number: int,
    game: str,
    mixture_name: str,
    stakes: Stakes,
    ante: str,
    limit: str,
) -> str:
    """Return which hand it is, the same at each of the hand's redraws; without a number only where it is, and what is played."""
    game_and_stakes = {
        "game": _game_name(game, mixture_name),
        "stakes": short_stakes(stakes, ante=ante, limit=limit),
    }
    if not table_number:
        if not hand_number:
            return t(words.FILE_AND_GAME, **game_and_stakes)
        return t(words.SMALL_PRINT_OF_FILE, number=hand_number, **game_and_stakes)
    table = t(words.TABLE, number=table_number)
    if not hand_number:
        return t(words.TABLE_AND_GAME, table=table, **game_and_stakes)
    return t(words.SMALL_PRINT, table=table, number=hand_number, **game_and_stakes)


def _game_name(game: str, mixture_name: str) -> str:
    name = game_name(game)
    if not mixture_name:
        return name
    return t(words.MIXTURE_GAME, mixture=escape.name(game_name(mixture_name)), game=name)


def in_seat_order(view: HandView) -> list[SeatView]:
    """Return the seats dealt in, by their seat numbers."""
    return sorted(view.seats, key=SEAT_NUMBER)


def hands_compared(view: HandView, board: int = 0) -> list[HandName]:
    """Return every hand that the viewer knows after a showdown on a board: what the pots were won with, and what the seats hold."""
    won_with = [payment.made_hand for payment in view.payments if payment.board_index == board]
    held = [made for seat in view.seats for made in _held_on(seat, board)]
    return [made for made in dict.fromkeys([*won_with, *held]) if made is not None] if view.showdown else []


def _held_on(seat: SeatView, board: int) -> list[HandName | None]:
    if seat.made_by_board:
        return [made for _, made in seat.made_by_board[board]]
    return [seat.made_hand, *[made for _, made in seat.made_by_share]]


def hands_won_with(view: HandView, seat: SeatView, board: int | None = None) -> list[str]:
    """Return the hands that a seat was paid for, each once, as somebody wins with them: ``kings full of nines``, ``the low 7-5-4-3-A``.

    `board`: on that one alone.

    Where all others mucked, nothing was compared: then it is the hand that the seat holds, if the viewer knows it.
    """
    several = len(view.shares) > 1
    paid_for = list(
        dict.fromkeys(
            hand_won_with(payment.made_hand, hands_compared(view, payment.board_index), low_half=several)
            for payment in view.payments
            if payment.seat_index == seat.seat_index
            and payment.made_hand is not None
            and board in (None, payment.board_index)
        )
    )
    if not paid_for and seat.made_hand is not None and board is None:
        return [hand_won_with(seat.made_hand, hands_compared(view))]
    return paid_for


def known_cards(scene: Scene, seat: SeatView) -> str:
    """Return the cards of a seat that the viewer knows, with what is wild and what wild cards stand for."""
    return _cards_with_wild_marks(scene, seat, [seen.card for seen in seat.cards if seen.card is not None])


def cards_on_table(scene: Scene, seat: SeatView) -> str:
    """Return the cards of a seat as they lie on the table: those open to the viewer and, where some lie open, the backs of the others."""
    for seen in seat.cards:
        if seen.card is not None:
            break
    else:  # nearly always
        return ""
    known = [seen.card for seen in seat.cards if seen.card is not None]
    written = _cards_with_wild_marks(scene, seat, known)
    down = len(seat.cards) - len(known)
    return f"{scene.emojis.write([None] * down)}{'' if scene.emojis.marks else ' '}{written}" if down else written


def _cards_with_wild_marks(scene: Scene, seat: SeatView, known: list[int]) -> str:
    """Return cards one after another; a wild one is followed by what it is."""
    if not seat.wild_cards and not seat.designations:
        return scene.emojis.write(known)
    meanings = dict(seat.designations)
    parts: list[str] = []
    unmarked: list[int] = []
    for card in known:
        unmarked.append(card)
        if card not in meanings and card not in seat.wild_cards:
            continue
        written = scene.emojis.write(unmarked)
        if card in meanings:
            parts.append(t(words.DESIGNATED_CARD, card=written, meaning=card_name(meanings[card])))
        else:
            parts.append(t(words.WILD_CARD, card=written))
        unmarked = []
    if unmarked:
        parts.append(scene.emojis.write(unmarked))
    return " ".join(parts)

"""What a layout of a running or finished hand is drawn from: the hand as somebody may see it, and who sits where.

Source: design §2 (a view is the only thing that leaves for a screen), ui §5.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from msgspec import Struct

from bot.engine import cards
from bot.engine.view import HandView, SeatState, SeatView
from bot.render import escape
from bot.render.cards import SIGNS, Emojis

NBSP = "\u00a0"


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


class Scene(Struct, frozen=True):
    """A hand with names, clock and cards' looks.

    Attributes:
        table: the number that button ids carry.
        title: ``Table 3``, or the name its host gave it.
        hand: number of the hand at this table.
        view: public for what all see (`viewer` None), a seat's own for DM and Peek.
        people: by table seat number; an unknown one is written ``Seat 3``.
        deadline: when the turn ends, in Unix seconds; 0 for no clock.
        bank: seconds of time bank behind the clock of who is to act (TL-31).
        emojis: how cards are written.
        seats_open: seats that somebody may still take; 0 leaves the button out.
        hurried: the clock has run out and the time bank runs.
        news: one line of our own words about what just happened beside the play: ``Time is up: Mia folds.``
        straddle: what a live straddle at the next deal would be, in chips; 0 where there is none (TL-13).
        sitting_out: somebody seated may come back.
        mixture: the mixture that the hand is of: ``H.O.R.S.E.``; empty for none.
    """

    table: int
    title: str
    hand: int
    view: HandView
    people: Mapping[int, Named]
    deadline: int = 0
    bank: int = 0
    emojis: Emojis = SIGNS
    seats_open: int = 0
    hurried: bool = False
    news: str = ""
    straddle: int = 0
    sitting_out: bool = False
    mixture: str = ""

    def name(self, number: int) -> str:
        """The player at a table seat, safe for markdown."""
        person = self.people.get(number)
        return escape.name(person.name) if person is not None else f"Seat{NBSP}{number}"

    def plain_name(self, number: int) -> str:
        """The player at a table seat, where no markdown is read."""
        person = self.people.get(number)
        return escape.plain_name(person.name) if person is not None else f"Seat {number}"

    def mention(self, number: int) -> str:
        """The player at a table seat as a mention; a practice player's name in bold."""
        person = self.people.get(number)
        return f"<@{person.user}>" if person is not None and person.user > 0 else f"**{self.name(number)}**"

    def acting(self) -> SeatView | None:
        """The seat to act, or None."""
        return self.view.seats[self.view.to_act] if self.view.to_act >= 0 else None

    def own(self) -> SeatView | None:
        """The viewer's own seat, or None in a public view."""
        return self.view.seats[self.view.viewer] if self.view.viewer is not None else None

    def game(self) -> str:
        """The game, behind the mixture that it is of, if any: ``H.O.R.S.E. · Razz`` (VC-28)."""
        return f"{escape.name(self.mixture)} · {self.view.game}" if self.mixture else self.view.game

    def small_print(self) -> str:
        """``Table 3 · No-Limit Hold'em 50/100 · Hand #1284``; where the dealer's practice players sit, that they do."""
        view = self.view
        practice = " · practice" if any(person.user < 0 for person in self.people.values()) else ""
        return f"{escape.name(self.title)} · {self.game()} {view.stakes} · Hand #{self.hand}{practice}"


def in_seat_order(view: HandView) -> list[SeatView]:
    """The seats dealt in, by their numbers at the table."""
    return sorted(view.seats, key=_by_number)


def live(view: HandView) -> list[SeatView]:
    """The seats still in the hand, by their numbers at the table."""
    return [seat for seat in in_seat_order(view) if seat.state is not SeatState.FOLDED]


def known_cards(scene: Scene, seat: SeatView) -> str:
    """The cards of a seat that the viewer may know, with what is wild and what wild cards were said to be (ui §2)."""
    return _marked(scene, seat, [seen.card for seen in seat.cards if seen.card is not None])


def cards_on_show(scene: Scene, seat: SeatView) -> str:
    """The cards of a seat as they lie on the table: those open to the viewer, and, where some lie open, how many lie face down."""
    down = sum(seen.card is None for seen in seat.cards)
    known = known_cards(scene, seat)
    if not known:
        return ""
    return f"{scene.emojis.row([None] * down)}{'' if scene.emojis.marks else ' '}{known}" if down else known


def _marked(scene: Scene, seat: SeatView, known: list[int]) -> str:
    """Cards one after another; behind a wild one what it is."""
    if not seat.wild and not seat.says:
        return scene.emojis.row(known)
    says = dict(seat.says)
    parts: list[str] = []
    run: list[int] = []
    for card in known:
        run.append(card)
        mark = f" as {cards.name(says[card])}" if card in says else " (wild)" if card in seat.wild else ""
        if mark:
            parts.append(scene.emojis.row(run) + mark)
            run = []
    if run:
        parts.append(scene.emojis.row(run))
    return " ".join(parts)


def ago(at: int) -> str:
    """A moment, counted by the reader's own client: ``in 24 seconds``, ``2 minutes ago``."""
    return f"<t:{at}:R>"


def _by_number(seat: SeatView) -> int:
    return seat.number

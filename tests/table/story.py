"""An evening at a table, told by names: every step goes through `decide`, `next_hand` and `finish_hand`, and every event is kept."""

from collections.abc import Mapping
from typing import TypeVar

import pytest
from msgspec.structs import replace

from bot.engine.errors import TableError
from bot.engine.events import PostKind
from bot.engine.options import Options
from bot.engine.stakes import Stakes
from bot.table import commands as c
from bot.table import events as e
from bot.table.deal import Deal, next_hand
from bot.table.decide import decide
from bot.table.evolve import evolve, evolve_all
from bot.table.finish import finish_hand, void_hand
from bot.table.settings import TableSettings
from bot.table.state import Entry, Seat, Table
from bot.variants.holdem import NO_LIMIT_HOLDEM

Refusal = TypeVar("Refusal", bound=TableError)

START = 1_700_000_000_000
SECOND, MINUTE = 1000, 60_000
PACK = tuple(range(51, -1, -1))  # the first player to draw gets the ace of spades


def player(name: str) -> int:
    """A user id for a name."""
    return sum(ord(letter) << 7 * place for place, letter in enumerate(name))


def settings(options: Options | None = None, stakes: Stakes | None = None, **house: object) -> TableSettings:
    """No-limit hold'em 50/100 with a minute in the bank, unless told otherwise."""
    return replace(
        TableSettings(
            card=NO_LIMIT_HOLDEM,
            options=options or Options(),
            stakes=stakes or Stakes(small_blind=50, big_blind=100, bank_seconds=60),
        ),
        **house,
    )


class Evening:
    """A table, the journal it has written, and the time."""

    def __init__(
        self, options: Options | None = None, stakes: Stakes | None = None, host: str = "Ann", **house: object
    ) -> None:
        self.now = START
        self.journal: list[e.Any] = []
        self.state: Table | None = None
        self.wallets: dict[int, int] = {}
        self.deal: Deal | None = None
        self.ask(c.Open(player(host), settings(options, stakes, **house)))

    @property
    def table(self) -> Table:
        assert self.state is not None
        return self.state

    def ask(self, command: c.Any) -> tuple[e.Any, ...]:
        happened = decide(self.state, command, self.now)
        self.happen(*happened)
        return happened

    def refuses(self, command: c.Any, error: type[Refusal]) -> pytest.ExceptionInfo[Refusal]:
        """The command is refused with this error, and nothing has changed."""
        before = self.table
        with pytest.raises(error) as caught:
            decide(self.state, command, self.now)
        assert self.table == before
        return caught

    def happen(self, *happened: e.Any) -> None:
        self.journal += happened
        for event in happened:
            self.state = evolve(self.state, event)

    def later(self, seconds: float) -> None:
        self.now += int(seconds * SECOND)

    # What people say

    def sit(self, name: str, seat: int = 0, chips: int = 10_000) -> tuple[e.Any, ...]:
        return self.ask(c.Sit(player(name), name, chips, seat))

    def seats(self, **seats: int) -> None:
        for name, seat in seats.items():
            self.sit(name, seat)

    def leave(self, name: str) -> tuple[e.Any, ...]:
        return self.ask(c.Leave(player(name)))

    def sit_out(self, name: str) -> tuple[e.Any, ...]:
        return self.ask(c.SitOut(player(name)))

    def back(self, name: str, entry: Entry | None = None) -> tuple[e.Any, ...]:
        return self.ask(c.Back(player(name), entry))

    # Hands

    def begin(self, pack: tuple[int, ...] = PACK) -> Deal:
        """Deal the next hand when it is due."""
        self.now = max(self.now, self.table.next_hand_at)
        deal = next_hand(self.table, self.now, pack)
        assert deal is not None, "no hand can be dealt"
        self.happen(*deal.events)
        self.deal = deal
        return deal

    def end(self, wins: Mapping[str, int] | None = None, **more: object) -> tuple[e.Any, ...]:
        """End the running hand; `wins` are chips won (or lost) by name, nobody's stack changes otherwise."""
        running = self.table.running
        assert running is not None
        self.later(60)
        stacks = {number: self.at(number).stack for number in running.dealt}
        for name, chips in (wins or {}).items():
            stacks[self.seat(name).number] += chips
        happened = finish_hand(self.table, stacks, self.now, self.wallets, **more)  # type: ignore[arg-type]
        self.happen(*happened)
        return happened

    def void(self) -> tuple[e.Any, ...]:
        happened = void_hand(self.table, self.now, self.wallets)
        self.happen(*happened)
        return happened

    def hand(self, wins: Mapping[str, int] | None = None) -> Deal:
        """Play a whole hand."""
        deal = self.begin()
        self.end(wins)
        return deal

    # What one sees

    def seat(self, name: str) -> Seat:
        seat = self.table.seat_of(player(name))
        assert seat is not None, f"{name} is not seated"
        return seat

    def seated(self, name: str) -> bool:
        return self.table.seat_of(player(name)) is not None

    def at(self, number: int) -> Seat:
        seat = self.table.seat(number)
        assert seat is not None
        return seat

    @property
    def places(self) -> tuple[int, int, int]:
        """Button, small blind, big blind of the last deal, as seat numbers."""
        at = self.table.positions
        assert at is not None
        return at.button, at.small, at.big

    @property
    def dealt(self) -> tuple[int, ...]:
        """Seat numbers dealt in, from the button's left."""
        assert self.deal is not None
        return self.deal.started.seats

    @property
    def posted(self) -> dict[int, dict[str, int]]:
        """What each seat owes before the cards, by seat number and kind."""
        assert self.deal is not None
        started = self.deal.started
        found: dict[int, dict[str, int]] = {}
        for post in started.posts:
            found.setdefault(started.seats[post.seat], {})[PostKind(post.kind).value] = post.chips
        return found

    def replays(self) -> None:
        """The journal tells the same table again."""
        assert evolve_all(None, tuple(self.journal)) == self.table

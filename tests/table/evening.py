"""An evening at a table, with players by name. Every step goes through `decide`, `next_hand` and `finish_hand`; every event is kept."""

from collections.abc import Mapping
from typing import TypeVar

import pytest
from msgspec.structs import replace

from bot.engine.errors import TableError
from bot.engine.events import PostKind
from bot.engine.options.types import Options
from bot.engine.stakes import Stakes
from bot.table import commands as c
from bot.table import events as e
from bot.table.decide import decide
from bot.table.evolve import evolve, evolve_all
from bot.table.finish_hand import finish_hand, void_hand
from bot.table.next_hand import NextHand, next_hand
from bot.table.settings import TableSettings
from bot.table.state import EntryMethod, Seat, Table
from bot.variants.holdem import NO_LIMIT_HOLDEM

Refusal = TypeVar("Refusal", bound=TableError)

START_MS = 1_700_000_000_000
SECOND_MS, MINUTE_MS = 1000, 60_000
DECK = tuple(range(51, -1, -1))  # the first player to draw gets the ace of spades


def player_id(name: str) -> int:
    """Return a user id for a name."""
    return sum(ord(letter) << 7 * index for index, letter in enumerate(name))


def settings(options: Options | None = None, stakes: Stakes | None = None, **house: object) -> TableSettings:
    """Return settings: no-limit hold'em 50/100 with a minute in the time bank, unless the arguments say otherwise."""
    return replace(
        TableSettings(
            rule_card=NO_LIMIT_HOLDEM,
            options=options or Options(),
            stakes=stakes or Stakes(small_blind=50, big_blind=100, bank_seconds=60),
        ),
        **house,
    )


class Evening:
    """A table, its journal, and the time."""

    def __init__(
        self, options: Options | None = None, stakes: Stakes | None = None, host: str = "Ann", **house: object
    ) -> None:
        self.now = START_MS
        self.journal: list[e.TableEvent] = []
        self.state: Table | None = None
        self.wallets: dict[int, int] = {}
        self.deal: NextHand | None = None
        self.ask(c.OpenTable(player_id(host), settings(options, stakes, **house)))

    @property
    def table(self) -> Table:
        assert self.state is not None
        return self.state

    def ask(self, command: c.TableCommand) -> tuple[e.TableEvent, ...]:
        events = decide(self.state, command, self.now)
        self.apply(*events)
        return events

    def refuses(self, command: c.TableCommand, error: type[Refusal]) -> pytest.ExceptionInfo[Refusal]:
        """Check that the command is refused with this error and that nothing has changed."""
        before = self.table
        with pytest.raises(error) as caught:
            decide(self.state, command, self.now)
        assert self.table == before
        return caught

    def apply(self, *events: e.TableEvent) -> None:
        self.journal += events
        for event in events:
            self.state = evolve(self.state, event)

    def wait(self, seconds: float) -> None:
        self.now += int(seconds * SECOND_MS)

    # What people ask for

    def sit(self, name: str, seat: int = 0, chips: int = 10_000) -> tuple[e.TableEvent, ...]:
        return self.ask(c.TakeSeat(player_id(name), name, chips, seat))

    def sit_all(self, **seats: int) -> None:
        for name, seat in seats.items():
            self.sit(name, seat)

    def leave(self, name: str) -> tuple[e.TableEvent, ...]:
        return self.ask(c.LeaveTable(player_id(name)))

    def sit_out(self, name: str) -> tuple[e.TableEvent, ...]:
        return self.ask(c.SitOut(player_id(name)))

    def come_back(self, name: str, entry: EntryMethod | None = None) -> tuple[e.TableEvent, ...]:
        return self.ask(c.ComeBack(player_id(name), entry))

    # Hands

    def begin_hand(self, deck: tuple[int, ...] = DECK) -> NextHand:
        """Deal the next hand when it is due."""
        self.now = max(self.now, self.table.next_hand_at)
        deal = next_hand(self.table, self.now, deck)
        assert deal is not None, "no hand can be dealt"
        self.apply(*deal.events)
        self.deal = deal
        return deal

    def end_hand(self, wins: Mapping[str, int] | None = None, **more: object) -> tuple[e.TableEvent, ...]:
        """End the running hand. `wins` are chips won or, if negative, lost, by name; other stacks do not change."""
        running = self.table.running_hand
        assert running is not None
        self.wait(60)
        stacks = {number: self.seat_at(number).stack for number in running.dealt_seats}
        for name, chips in (wins or {}).items():
            stacks[self.seat(name).number] += chips
        events = finish_hand(self.table, stacks, self.now, self.wallets, **more)  # type: ignore[arg-type]
        self.apply(*events)
        return events

    def void_hand(self) -> tuple[e.TableEvent, ...]:
        events = void_hand(self.table, self.now, self.wallets)
        self.apply(*events)
        return events

    def play_hand(self, wins: Mapping[str, int] | None = None, put_in: Mapping[str, int] | None = None) -> NextHand:
        """Play a whole hand. `put_in` are the chips that players put in, by name; without it as many as they lost."""
        deal = self.begin_hand()
        by_seat = None if put_in is None else {self.seat(name).number: chips for name, chips in put_in.items()}
        self.end_hand(wins, put_in=by_seat)
        return deal

    # What can be seen

    def seat(self, name: str) -> Seat:
        seat = self.table.seat_of(player_id(name))
        assert seat is not None, f"{name} is not seated"
        return seat

    def is_seated(self, name: str) -> bool:
        return self.table.seat_of(player_id(name)) is not None

    def seat_at(self, number: int) -> Seat:
        seat = self.table.seat(number)
        assert seat is not None
        return seat

    @property
    def positions(self) -> tuple[int, int, int]:
        """Button, small blind, big blind of the last deal, as seat numbers."""
        at = self.table.positions
        assert at is not None
        return at.button_seat, at.small_blind_seat, at.big_blind_seat

    @property
    def dealt(self) -> tuple[int, ...]:
        """Seat numbers dealt in, from the button's left."""
        assert self.deal is not None
        return self.deal.started.seat_numbers

    @property
    def posted(self) -> dict[int, dict[str, int]]:
        """Return what each seat posts before the cards, by seat number and kind."""
        assert self.deal is not None
        started = self.deal.started
        found: dict[int, dict[str, int]] = {}
        for post in started.posts:
            found.setdefault(started.seat_numbers[post.seat], {})[PostKind(post.kind).value] = post.chips
        return found

    def assert_replays(self) -> None:
        """Check that the journal gives the same table again."""
        assert evolve_all(None, tuple(self.journal)) == self.table

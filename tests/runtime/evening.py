"""An evening at one table with players by name: the real engine, table, ledger and SQLite store, and a clock that is moved by hand."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, MutableSequence
from pathlib import Path
from typing import Any, cast

from msgspec.structs import replace

from bot.engine import commands as c
from bot.engine.stakes import Stakes
from bot.engine.view.types import HandView
from bot.runtime.bank import Bank
from bot.runtime.commands import PlayerCommand
from bot.runtime.journal import JournalEvent
from bot.runtime.practice import PracticePolicies
from bot.runtime.request import Request
from bot.runtime.session import TableSession
from bot.runtime.sessions import Sessions
from bot.runtime.snapshot import RequestOutcome, TableSnapshot, TableUpdate
from bot.runtime.tables import Tables
from bot.runtime.taken import TakenList
from bot.signals import Signals
from bot.store.codec import EventCodec
from bot.store.store import Store
from bot.table.commands import TableCommand, TableCommandBase, TakeSeat
from bot.table.settings import TableSettings
from bot.variants import game
from tests.runtime.every_way import ways_outside_the_flow
from tests.runtime.manual_clock import ManualClock
from tests.support.engines import data_at

GUILD, CHANNEL = 7, 70
MASTER = b"m" * 32
NAMES = ("Ann", "Bo", "Cy", "Dee", "Eve", "Flo", "Gus", "Hal", "Ida")
USERS = {name: 100 + place for place, name in enumerate(NAMES, 1)}
HOST = USERS["Ann"]


def settings(game_name: str = "holdem", blinds: tuple[int, int] = (50, 100), **changes: object) -> TableSettings:
    """Return the settings that `/play` makes: 50/100, 30 s and a time bank of 60 s."""
    card = game(game_name)
    small, big = blinds
    stakes = Stakes(small_blind=small, big_blind=big, turn_seconds=30, bank_seconds=60)
    return replace(TableSettings(rule_card=card, options=card.options, stakes=stakes), **changes)


class FixedShuffle(random.Random):
    """Shuffles the same way every time, so that the first button does not depend on how often the dealer was restarted."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.first = seed

    def shuffle(self, x: MutableSequence[Any]) -> None:
        random.Random(self.first).shuffle(x)


class Evening:
    """A table whose players are named: ``await evening.ask("Ann", c.Call())``.

    At its end each chip that somebody has won must be in the flow (BO-1).
    """

    tells_every_way = True

    def __init__(
        self,
        folder: Path,
        *,
        store: Callable[[Path], Store] | None = None,
        policies: PracticePolicies | None = None,
        seed: int = 1,
        show_run_outs: bool = False,
        taken: TakenList | None = None,
    ) -> None:
        self.show_run_outs, self.taken = show_run_outs, taken
        self.path = folder / "cardroom.sqlite"
        self.clock = ManualClock()
        self.updates: list[TableUpdate] = []
        self.master = MASTER
        self.policies = policies
        self._make_store = store or (lambda path: Store(data_at(path), EventCodec(JournalEvent)))
        self.seed = seed
        self.make_nonce: Callable[[], bytes] = lambda: self.seed.to_bytes(16, "big")
        self._keys = itertools.count(1)
        self.table = 0

    async def begin(self) -> Evening:
        """Start the dealer: open the store and restore the tables."""
        self.store = self._make_store(self.path)
        await self.store.open()
        self.sessions, self.signals = Sessions(), Signals()
        self.tables = Tables(
            self.store, self.master, on_update=self.updates.append, clock=self.clock, policies=self.policies,
            rng=FixedShuffle(self.seed), make_nonce=self.make_nonce,
            show_run_outs=self.show_run_outs, sessions=self.sessions, signals=self.signals,
            follow_deletions=lambda: self.follow_deletions(),  # noqa: PLW0108  # tests replace it
            forget_elsewhere=lambda user: self.forget_elsewhere(user),  # noqa: PLW0108
            taken=self.taken,
        )  # fmt: skip
        self.bank = Bank(self.store, self.tables, self.clock)
        await self.tables.restore()
        return self

    async def follow_deletions(self) -> None:
        """Nothing is kept outside of the store."""

    async def forget_elsewhere(self, user: int) -> None:
        """Nothing is kept of persons outside of the store."""

    async def end(self) -> None:
        """Stop the dealer."""
        await self.tables.drain()
        await self.store.close()
        self.clock.cancel_all()
        if self.tells_every_way:
            assert ways_outside_the_flow(self.path, GUILD) == {}

    async def crash(self, away_ms: int = 0) -> None:
        """Kill the process and restart it after a while. Nothing is saved on the way out."""
        self.clock.cancel_all()
        await self.store.close()
        self.clock.move_to(self.clock.now() + away_ms)
        self.updates.clear()
        await self.begin()

    async def open(self, chosen: TableSettings | None = None, channel: int = CHANNEL) -> int:
        outcome = await self.tables.open(self.request("Ann", channel=channel), chosen or settings())
        self.table = outcome.snapshot.id
        return self.table

    async def seat(self, **stacks: int) -> None:
        """Seat everybody in the order given, from seat 1 on. Their wallets are filled first."""
        for seat, (name, chips) in enumerate(stacks.items(), 1):
            await self.fund(name, chips)
            await self.ask(name, TakeSeat, chips, seat)

    async def fund(self, name: str, chips: int) -> None:
        """Let staff grant enough chips that the wallet holds at least these."""
        held = await self.bank.holdings(GUILD, USERS[name])
        if held.wallet < chips:
            await self.bank.grant(self.request("Ida", staff=True), USERS[name], chips - held.wallet, "for the evening")

    async def deal(self) -> None:
        """Wait until the next hand has been dealt."""
        number = self.snapshot.hand_number
        for _ in range(20):
            if self.snapshot.hand_number > number and self.snapshot.hand_running:
                return
            await self.wait(1)
        raise AssertionError("no hand was dealt")

    async def wait(self, seconds: float) -> None:
        """Let time pass, so that what is due happens."""
        until = self.clock.now() + int(seconds * 1000)
        await self.tables.wait_until_idle()
        while (at := self.clock.next_at()) and at <= until:
            self.clock.move_to(at)
            while self.clock.ring_due():
                await self.tables.wait_until_idle()
        self.clock.move_to(until)
        await self.tables.wait_until_idle()

    def request(
        self,
        name: str,
        *,
        staff: bool = False,
        channel: int = CHANNEL,
        key: str = "",
        button: TableSnapshot | None = None,
        joined_at: int = 1,
    ) -> Request:
        """Return a request by somebody who has always been in the server; with `button`, from a button drawn in that state of the table."""
        drawn = (
            {"table": button.id, "hand_number": button.hand_number, "decision_number": button.decision_number}
            if button
            else {}
        )
        return Request(
            key=key or f"i{next(self._keys)}", guild=GUILD, channel=channel, user=USERS[name], name=name, staff=staff,
            joined_at=joined_at, **drawn
        )  # fmt: skip

    async def ask(
        self, name: str, command: PlayerCommand | type[TableCommandBase], *fields: object, **request: Any
    ) -> RequestOutcome:
        """Make a player's request: ``ask("Ann", c.Call())``, ``ask("Ann", TopUp, 500)``, ``ask("Ida", VoidHand("why"), staff=True)``.

        Args:
            command: a whole command, or the class of a table's command, which gets the player and `fields`.
            request: of `Evening.request`.
        """
        asked = self.request(name, **request)
        if isinstance(command, type):
            command = table_command(asked, command, *fields)
        return await self.tables.ask(asked, command)

    async def acts(self, *lines: str) -> None:
        """Carry out actions in words: ``Ann folds``, ``Bo calls``, ``Cy raises to 600``, ``Dee is all-in``, ``Eve checks``, ``Ann bets
        200``."""
        for words in lines:
            name, verb, *rest = words.split()
            command: c.HandCommand
            match verb:
                case "folds":
                    command = c.Fold()
                case "checks":
                    command = c.Check()
                case "calls":
                    command = c.Call()
                case "bets":
                    command = c.Bet(int(rest[-1]))
                case "raises":
                    command = c.RaiseTo(int(rest[-1]))
                case "is":
                    command = c.AllIn()
                case _:
                    raise AssertionError(words)
            await self.ask(name, command)

    async def next_player_acts(self, *lines: str) -> None:
        """Carry out actions of whoever is to act: ``calls``, ``raises to 300``."""
        for words in lines:
            await self.acts(f"{self.to_act} {words}")

    # what one sees

    @property
    def snapshot(self) -> TableSnapshot:
        return self.tables.snapshot(self.table)

    def playing(self) -> bool:
        """Whether a hand is being played."""
        return self.snapshot.hand_running

    @property
    def hand(self) -> HandView:
        view = self.snapshot.hand
        assert view is not None
        return view

    @property
    def session(self) -> TableSession:
        return self.tables._sessions[self.table]

    @property
    def to_act(self) -> str:
        """The name of the player to act; "" for nobody."""
        due = self.snapshot.current_turn
        return name_of(due.user) if due else ""

    def stacks(self) -> dict[str, int]:
        """Return the chips behind, by name: in the hand while one is played, otherwise at the table."""
        now = self.snapshot
        stacks = {name_of(seat.player): seat.stack for seat in now.table.seats}
        if now.hand_running and now.hand is not None:
            stacks |= {name_of(now.players_by_seat[seat.seat_number].user): seat.stack for seat in now.hand.seats}
        return stacks

    def view(self, name: str) -> HandView:
        """Return the hand as a player who is dealt in sees it."""
        view = self.snapshot.seen_by(USERS[name])
        assert view is not None
        return view

    def cards(self, name: str) -> tuple[int | None, ...]:
        """Return a player's own cards, as they see them."""
        view = self.view(name)
        assert view.viewer is not None
        return tuple(card.card for card in view.seats[view.viewer].cards)

    async def audit(self) -> None:
        """Check the books: every account sums to zero, and the engine agrees with the ledger."""
        audit = await self.bank.audit(self.request("Ida", staff=True))
        assert audit.faults == ()
        assert audit.minted == audit.wallets + audit.stacks + audit.pots + audit.house + audit.escrow


def table_command(request: Request, command: type[TableCommandBase], *fields: object) -> TableCommand:
    """Return a table's command of the player who asks. Id, name and rights come from the request, the rest from `fields`."""
    from_request = {"player": request.user, "name": request.name, "staff": request.staff}
    known = {name: value for name, value in from_request.items() if name in command.__struct_fields__}
    others = [name for name in command.__struct_fields__ if name not in known]
    return cast(TableCommand, command(**known, **dict(zip(others, fields, strict=False))))


def name_of(user: int) -> str:
    return NAMES[user - 101] if user > 0 else f"bot{user}"

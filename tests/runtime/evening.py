"""An evening at one table, told by names: the real engine, table, ledger and SQLite store, and a clock that is moved by hand."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, MutableSequence
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from bot.engine import commands as c
from bot.engine.stakes import Stakes
from bot.engine.view import HandView
from bot.runtime.asked import Asked
from bot.runtime.bank import Bank
from bot.runtime.journal import JournalEvent
from bot.runtime.now import TableNow
from bot.runtime.outcome import Change, Outcome
from bot.runtime.policies import Policies
from bot.runtime.ports import Store
from bot.runtime.session import TableSession
from bot.runtime.tables import Tables
from bot.store.codec import EventCodec
from bot.store.sqlite import SqliteStore
from bot.table.settings import TableSettings
from bot.variants import game
from tests.runtime.hour import MovedClock

GUILD, CHANNEL = 7, 70
MASTER = b"m" * 32
NAMES = ("Ann", "Bo", "Cy", "Dee", "Eve", "Flo", "Gus", "Hal", "Ida")
USERS = {name: 100 + place for place, name in enumerate(NAMES, 1)}
HOST = USERS["Ann"]


def settings(game_name: str = "holdem", blinds: tuple[int, int] = (50, 100), **changes: object) -> TableSettings:
    """A table as `/table open` makes it: 50/100, 30 s and a time bank of 60 s."""
    card = game(game_name)
    small, big = blinds
    stakes = Stakes(small_blind=small, big_blind=big, turn_seconds=30, bank_seconds=60)
    return replace(TableSettings(card=card, options=card.options, stakes=stakes), **changes)


class Dice(random.Random):
    """Shuffles the same way every time: who draws the button does not depend on how often the dealer has been killed."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.first = seed

    def shuffle(self, x: MutableSequence[Any]) -> None:
        random.Random(self.first).shuffle(x)


class Evening:
    """Told in the players' words: ``await evening.act("Ann", c.Call())``."""

    def __init__(
        self,
        folder: Path,
        *,
        store: Callable[[Path], Store] | None = None,
        policies: Policies | None = None,
        seed: int = 1,
    ) -> None:
        self.path = folder / "cardroom.sqlite"
        self.clock = MovedClock()
        self.changes: list[Change] = []
        self.master = MASTER
        self.policies = policies
        self._make_store = store or (lambda path: SqliteStore(path, EventCodec(JournalEvent)))
        self.seed = seed
        self._keys = itertools.count(1)
        self.table = 0

    async def begin(self) -> Evening:
        """The dealer comes to work: opens the store and takes up what was left."""
        self.store = self._make_store(self.path)
        await self.store.open()
        self.tables = Tables(
            self.store, self.master, sink=self.changes.append, clock=self.clock, policies=self.policies,
            dice=Dice(self.seed), nonce=lambda: self.seed.to_bytes(16, "big"),
        )  # fmt: skip
        self.bank = Bank(self.store, self.tables, self.clock)
        await self.tables.restore()
        return self

    async def end(self) -> None:
        """The dealer goes home."""
        await self.tables.drain()
        await self.store.close()
        self.clock.forget()

    async def crash(self, away_ms: int = 0) -> None:
        """The process is killed, and comes back after a while. Nothing is saved on the way out."""
        self.clock.forget()
        await self.store.close()
        self.clock.move_to(self.clock.now() + away_ms)
        self.changes.clear()
        await self.begin()

    async def open(self, chosen: TableSettings | None = None, channel: int = CHANNEL) -> int:
        outcome = await self.tables.open(self.asked("Ann", channel=channel), chosen or settings())
        self.table = outcome.now.id
        return self.table

    async def seat(self, **stacks: int) -> None:
        """Everybody sits down in the order given, from seat 1 on; the wallets are filled first."""
        for seat, (name, chips) in enumerate(stacks.items(), 1):
            await self.fund(name, chips)
            await self.tables.sit(self.asked(name), chips, seat)

    async def fund(self, name: str, chips: int) -> None:
        """Staff grant so many chips that the wallet holds at least these."""
        purse = await self.bank.purse(GUILD, USERS[name])
        if purse.wallet < chips:
            await self.bank.grant(self.asked("Ida", staff=True), USERS[name], chips - purse.wallet, "for the evening")

    async def deal(self) -> None:
        """Wait until the next hand has been dealt."""
        number = self.now.hand_number
        for _ in range(20):
            if self.now.hand_number > number and self.now.running:
                return
            await self.wait(1)
        raise AssertionError("no hand was dealt")

    async def wait(self, seconds: float) -> None:
        """Time passes; what is due happens."""
        until = self.clock.now() + int(seconds * 1000)
        await self.tables.quiet()
        while (at := self.clock.next_at()) and at <= until:
            self.clock.move_to(at)
            while self.clock.ring_due():
                await self.tables.quiet()
        self.clock.move_to(until)
        await self.tables.quiet()

    def asked(
        self, name: str, *, staff: bool = False, channel: int = CHANNEL, key: str = "", button: TableNow | None = None
    ) -> Asked:
        """A request by somebody; with `button` from a button drawn when the table stood so."""
        drawn = {"table": button.id, "hand": button.hand_number, "turn": button.turn} if button else {}
        return Asked(
            key=key or f"i{next(self._keys)}", guild=GUILD, channel=channel, user=USERS[name], name=name, staff=staff, **drawn
        )  # fmt: skip

    async def act(self, name: str, command: c.Command, **asked: object) -> Outcome:
        return await self.tables.act(self.asked(name, **asked), command)  # type: ignore[arg-type]

    async def acts(self, *told: str) -> None:
        """Actions in words: ``Ann folds``, ``Bo calls``, ``Cy raises to 600``, ``Dee is all-in``, ``Eve checks``, ``Ann bets 200``."""
        for words in told:
            name, verb, *rest = words.split()
            command: c.Command
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
            await self.act(name, command)

    async def goes(self, *told: str) -> None:
        """The same of whoever is to act: ``calls``, ``raises to 300``."""
        for words in told:
            await self.acts(f"{self.to_act} {words}")

    # what one sees

    @property
    def now(self) -> TableNow:
        return self.tables.now(self.table)

    def playing(self) -> bool:
        """A hand is being played."""
        return self.now.running

    @property
    def hand(self) -> HandView:
        view = self.now.hand
        assert view is not None
        return view

    @property
    def session(self) -> TableSession:
        return self.tables._sessions[self.table]

    @property
    def to_act(self) -> str:
        """The name of who is to act, or ""."""
        due = self.now.due
        return name_of(due.user) if due else ""

    def stacks(self) -> dict[str, int]:
        """Chips behind, by name: in the hand while one is played, else at the table."""
        now = self.now
        stacks = {name_of(seat.player): seat.stack for seat in now.table.seats}
        if now.running and now.hand is not None:
            stacks |= {name_of(now.people[seat.number].user): seat.stack for seat in now.hand.seats}
        return stacks

    def cards(self, name: str) -> tuple[int | None, ...]:
        """Somebody's own cards, as he sees them."""
        view = self.now.seen_by(USERS[name])
        assert view is not None and view.viewer is not None
        return tuple(card.card for card in view.seats[view.viewer].cards)

    async def audit(self) -> None:
        """The books are right: every account sums to zero, the engine agrees with the ledger."""
        audit = await self.bank.audit(self.asked("Ida", staff=True))
        assert audit.faults == ()
        assert audit.minted == audit.wallets + audit.stacks + audit.pots + audit.house


def name_of(user: int) -> str:
    return NAMES[user - 101] if user > 0 else f"bot{user}"

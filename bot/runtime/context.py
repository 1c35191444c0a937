"""The parts that all sessions share: the store, the clock, the master secret, and the listener for updates."""

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

from msgspec import Struct

from bot.fair.deck_order import new_nonce
from bot.runtime.clock import AlarmClock
from bot.runtime.practice import PracticePolicies, PracticeThread
from bot.runtime.snapshot import TableAddress, TableUpdate
from bot.runtime.staff_log import StaffLog
from bot.runtime.wallets import Wallets
from bot.store.store import Store
from bot.table.state import Table


@dataclass(slots=True)
class RuntimeContext:
    """Shared by all sessions of a process.

    Attributes:
        master_secret: all decks come from it.
        publish: gets every update; returns at once.
        rng: for lots and thinking times; no card of a hand comes from it.
        on_table_closed: is called when a table closes.
        on_table_awake: is called with a table that slept (`bot.runtime.asleep`) once it is awake, before anything happens there.
        make_nonce: makes the nonce of a hand, never the same twice.
        practice_thread: practice players think there.
        master_secret_since: hands that started up to this time, in ms, came from another secret, which is lost.
        shows_run_outs: all-in hands are shown street by street; otherwise their end is shown at once.
        encoded_parts: the longest part of each table's settings, and how it is encoded.
        stopping: nothing new is started.
    """

    store: Store
    master_secret: bytes = field(repr=False)
    clock: AlarmClock
    publish: Callable[[TableUpdate], None]
    wallets: Wallets
    staff_log: StaffLog
    policies: PracticePolicies | None
    rng: Random
    on_table_closed: Callable[[TableAddress, Table], None]
    on_table_awake: Callable[[int], None]
    make_nonce: Callable[[], bytes] = new_nonce
    practice_thread: PracticeThread = field(default_factory=PracticeThread)
    master_secret_since: int = 0
    shows_run_outs: bool = False
    encoded_parts: dict[int, tuple[Struct, bytes]] = field(default_factory=dict)
    stopping: bool = False

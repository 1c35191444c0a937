"""What happens in one channel concerns the tables there: it costs no more where the dealer has many others."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from types import FrameType
from typing import Any

from bot.ledger.accounts import Book
from bot.runtime.snapshot import TableUpdate
from bot.signals import MessagesDeleted, PersonWrote, Signals
from tests.e2e.bot_session import BotSession, bot_session

SOMEWHERE, MESSAGE = 4_000_000_000_000_000_001, 4_000_000_000_000_000_002


def steps_of(work: Callable[[], object]) -> int:
    """Return how many instructions of Python this takes."""
    count = 0

    def step(frame: FrameType, event: str, _: Any) -> Any:
        nonlocal count
        frame.f_trace_opcodes, frame.f_trace_lines = True, False
        count += event == "opcode"
        return step

    before = sys.gettrace()
    sys.settrace(step)
    try:
        work()
    finally:
        sys.settrace(before)
    return count


def at_once(work: Coroutine[Any, Any, object]) -> None:
    """Do what has nothing to wait for."""
    with contextlib.suppress(StopIteration):
        work.send(None)
        raise AssertionError("it waits")


def costs_elsewhere(room: BotSession) -> dict[str, int]:
    """Return what happens in channels and servers without a table, with the steps that each takes."""
    services, signals = room.dealer.services, room.dealer.parts.get(Signals)
    happens: dict[str, Callable[[], object]] = {
        "somebody writes": lambda: signals.send(PersonWrote(SOMEWHERE, MESSAGE)),
        "messages are deleted": lambda: signals.send(MessagesDeleted(SOMEWHERE, frozenset({MESSAGE}))),
        "a button of a page is pressed": lambda: services.display.is_table_message(SOMEWHERE, MESSAGE),
        "a server lists its tables": lambda: services.tables.tables_in_guild(SOMEWHERE),
        "a server reads who is all-in": lambda: at_once(services.tables.saved_run_outs(SOMEWHERE, Book.PEOPLE)),
    }
    for work in happens.values():
        steps_of(work)  # from Python 3.12 on, the steps of a function are counted from its second time on
    return {what: steps_of(work) for what, work in happens.items()}


async def test_tables_elsewhere_cost_a_channel_nothing(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await ann.slash("play", sit=False)
        alone = costs_elsewhere(room)
        for host in (ann, bo, bo):
            await host.slash("play", where="thread", sit=False)
        assert len(room.dealer.tables.all_tables()) == 4
        assert costs_elsewhere(room) == alone
        assert min(alone.values()) > 0, "they are counted"


async def test_an_action_costs_other_tables_messages_nothing(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo, cy, di = await room.people("Ann", "Bo", "Cy", "Di")
        await room.open_and_sit(ann, bo)
        await room.next_hand()
        messages, action = room.dealer.services.direct_messages, TableUpdate(snapshot=room.now)

        def steps() -> int:
            """As in `costs_elsewhere`: the second time counts."""
            return [steps_of(lambda: messages.on_update(action)) for _ in range(2)][-1]

        alone = steps()
        await cy.slash("play", where="thread", sit=False)
        elsewhere = room.dealer.tables.all_tables()[-1]
        messages.send_hole_cards(elsewhere, tuple(int(player.me["id"]) for player in (cy, di)))
        assert steps() == alone > 0

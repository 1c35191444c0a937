"""How many files and calls one press of Fold goes through, from the gateway to the answer: what whoever follows a click has to read, and
what it costs.
"""

from __future__ import annotations

import asyncio
import operator
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from functools import reduce
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from tests.e2e.bot_session import BotSession, bot_session
from tests.support.discord_double import Player

ROOT = Path(__file__).parents[1]
FILES_MAX = 65
ADVICE = """A Fold goes through {count} files; {maximum} is the bound. What is new on the way, and must it be?
- A part that most actions do not concern is not told of them: leave `Part.follows_play` off, or subscribe to a signal (`bot/signals.py`).
- What is the same for the whole hand, or the whole table, is worked out once, not asked at every action.
- A function that only passes a call on goes. One or two functions that are read with a neighbour move to its file.
The files, with what was called in each:
"""

Called = dict[str, Counter[str]]

CALLS = {(3, 11): 535, (3, 12): 502, (3, 13): 490}
"""How many calls of the dealer's functions the second Fold of a hand of six makes, by version of Python: each time a coroutine goes on is
one, and Python 3.11 also counts comprehensions."""
CALLS_ADVICE = """A Fold makes {count} calls of the dealer's functions on Python {version}; {kept} are noted, and 5 % more are the bound.
If they are more: what is the same for the whole hand is worked out once, and what a Fold does not concern is not called for it.
If they are fewer, or each of them is wanted, note {count} in `CALLS`. The functions that are called most:
"""


@contextmanager
def called_functions() -> Iterator[Called]:
    """Count the calls of the dealer's functions inside the ``with`` block, by file, in this thread."""
    found: Called = defaultdict(Counter)
    start = len(str(ROOT)) + 1

    def note(frame: FrameType, event: str, _: Any) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(str(ROOT)):
            file = code.co_filename[start:]
            if file.startswith(("bot/", "cogs/")) and not file.startswith("bot/local/"):
                found[file][code.co_qualname] += 1

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        yield found
    finally:
        sys.setprofile(before)


@contextmanager
def nobody_watching(room: BotSession) -> Iterator[None]:
    """Let the watcher of leaks not look at what happens inside: it draws every player's cards at every action."""
    display = vars(room.dealer.services.display)
    watched = display.pop("on_update")
    try:
        yield
    finally:
        display["on_update"] = watched


async def calls_of_fold(room: BotSession, player: Player) -> Called:
    """Let somebody fold, and return what is called from the press to the redrawn table."""
    with nobody_watching(room), called_functions() as called:
        await player.click("Fold")
        for _ in range(200):  # what follows the answer, and no more than that
            await asyncio.sleep(0)
    return called


async def test_a_fold_goes_through_few_files(tmp_path: Path) -> None:
    """The press, the decision, the save, the redrawn table, while others have still to act.

    Two presses are looked at: what the dealer does on the side, by its clocks, is not part of both.
    """
    async with bot_session(tmp_path) as room:
        people = await room.people("Ann", "Bo", "Cy", "Di")
        await room.open_and_sit(*people)
        await room.next_hand()
        while starting := room.dealer._tasks.pending:
            await asyncio.wait(starting)
        presses: list[Called] = []
        for _ in range(2):
            await room.wait_until_idle()
            player = room.to_act(*people)
            assert player is not None
            presses.append(await calls_of_fold(room, player))
    first, second = presses
    found = {file: first[file] & second[file] for file in first.keys() & second.keys()}
    assert "_fold" in found["bot/engine/decide.py"], "the press was a fold"
    assert {"bot/line/gateway.py", "bot/store/store.py", "bot/surfaces/table/message.py"} <= found.keys(), (
        "all of it is seen"
    )
    told = "\n".join(f"{file}: {', '.join(sorted(names))}" for file, names in sorted(found.items()))
    assert len(found) <= FILES_MAX, ADVICE.format(count=len(found), maximum=FILES_MAX) + told


@pytest.mark.full
async def test_a_fold_makes_few_calls(tmp_path: Path) -> None:
    """Of the second Folds of several hands: what the dealer does on the side, by its clocks, is not part of all."""
    async with bot_session(tmp_path) as room:
        people = await room.people("Ann", "Bo", "Cy", "Di", "Ed", "Flo")
        await room.open_and_sit(*people)
        presses: list[Counter[tuple[str, str]]] = []
        for _ in range(6):
            await room.next_hand()
            while starting := room.dealer._tasks.pending:
                await asyncio.wait(starting)
            for number in range(5):
                await room.wait_until_idle()
                player = room.to_act(*people)
                assert player is not None
                called = await calls_of_fold(room, player)
                if number == 1:
                    presses.append(
                        Counter({(file, name): count for file, of in called.items() for name, count in of.items()})
                    )
    found = reduce(operator.and_, presses)
    assert found["bot/engine/decide.py", "_fold"] == 1, "the press was a fold"
    count, kept = found.total(), CALLS.get(sys.version_info[:2], CALLS[max(CALLS)])
    most = "\n".join(f"{times:4} {file}: {name}" for (file, name), times in found.most_common(40))
    version = ".".join(map(str, sys.version_info[:2]))
    assert 0.95 * kept <= count <= 1.05 * kept, CALLS_ADVICE.format(count=count, version=version, kept=kept) + most

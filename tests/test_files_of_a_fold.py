"""How many files one press of Fold goes through, from the gateway to the answer: what whoever follows a click has to read."""

from __future__ import annotations

import asyncio
import sys
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

from tests.e2e.bot_session import bot_session

ROOT = Path(__file__).parents[1]
FILES_MAX = 65
ADVICE = """A Fold goes through {count} files; {maximum} is the bound. What is new on the way, and must it be?
- A part that most actions do not concern is not told of them: leave `Part.follows_play` off, or subscribe to a signal (`bot/signals.py`).
- What is the same for the whole hand, or the whole table, is worked out once, not asked at every action.
- A function that only passes a call on goes. One or two functions that are read with a neighbour move to its file.
The files, with what was called in each:
"""

Called = dict[str, set[str]]


@contextmanager
def called_functions() -> Iterator[Called]:
    """Collect the functions of the dealer that are called inside the ``with`` block, by file, in this thread."""
    found: Called = defaultdict(set)
    start = len(str(ROOT)) + 1

    def note(frame: FrameType, event: str, _: Any) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(str(ROOT)):
            file = code.co_filename[start:]
            if file.startswith(("bot/", "cogs/")) and not file.startswith("bot/local/"):
                found[file].add(code.co_qualname)

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        yield found
    finally:
        sys.setprofile(before)


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
            with called_functions() as called:
                await player.click("Fold")
                for _ in range(200):  # what follows the answer, and no more than that
                    await asyncio.sleep(0)
            presses.append(called)
    first, second = presses
    found = {file: first[file] & second[file] for file in first.keys() & second.keys()}
    assert "_fold" in found["bot/engine/decide.py"], "the press was a fold"
    assert {"bot/line/gateway.py", "bot/store/store.py", "bot/surfaces/table/message.py"} <= found.keys(), (
        "all of it is seen"
    )
    told = "\n".join(f"{file}: {', '.join(sorted(names))}" for file, names in sorted(found.items()))
    assert len(found) <= FILES_MAX, ADVICE.format(count=len(found), maximum=FILES_MAX) + told

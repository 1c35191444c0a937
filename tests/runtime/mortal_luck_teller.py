"""A dealer that does nothing but tell luck, in a process that can be killed.

    python -m tests.runtime.mortal_luck_teller FOLDER MOMENT

It tells what is due and ends. At MOMENT it kills itself with SIGKILL: `before writing` or `after writing` a hand's luck; `never`; or `when
asked`, with a process that stops in the middle of a hand, so that the test can kill what it wants.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from pathlib import Path
from typing import Any

from bot.runtime.hand_log import DeckSecret
from bot.runtime.journal import JournalEvent
from bot.runtime.luck_teller import LUCK_WORKER, LuckTeller
from bot.runtime.statistics_events import statistics_decoder
from bot.store.codec import EventCodec
from bot.store.statistics.statistics import Statistics
from bot.store.store import Store
from tests.runtime.evening import MASTER
from tests.support.engines import data_at, source_at


async def main(folder: Path, moment: str) -> None:
    store = Store(data_at(folder / "cardroom.sqlite"), EventCodec(JournalEvent))
    await store.open()
    statistics = Statistics(
        folder / "statistics.sqlite3", source_at(folder / "cardroom.sqlite"), statistics_decoder(), now=lambda: 0
    )
    await statistics.open()
    write_luck = statistics.write_luck

    async def write_luck_and_die(*told: Any, **how: Any) -> None:
        if moment == "before writing":
            os.kill(os.getpid(), signal.SIGKILL)
        await write_luck(*told, **how)
        print("told", flush=True)
        if moment == "after writing":
            os.kill(os.getpid(), signal.SIGKILL)

    statistics.write_luck = write_luck_and_die  # type: ignore[method-assign]
    stopping = (sys.executable, "-m", "tests.runtime.strange_luck_worker", "stop in the middle", str(folder / "told"))
    command = stopping if moment == "when asked" else LUCK_WORKER
    teller = LuckTeller(statistics, store, lambda: DeckSecret(MASTER, -1), command, retry_seconds=0.01)
    teller.start()
    while await statistics.hands_without_luck():
        await asyncio.sleep(0.01)
    await teller.close()
    await statistics.close()
    await store.close()


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), sys.argv[2]))

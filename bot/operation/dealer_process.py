"""One dealer of several: the process that `bot.operation.supervisor` starts. Its only argument is its number, from 0."""

from __future__ import annotations

import asyncio
import logging
import os
import sys
from dataclasses import replace
from functools import partial
from typing import Any

from uvloop import run as run_event_loop

from bot.operation.runner import explained, prepare, run_in_discord
from bot.operation.slots import Role
from bot.settings import ListenAddress, Settings
from bot.stopping import StopSignals
from bot.text.language import language_for, reading, terminal_locale


def main(number: int) -> int:
    """Deal until told to stop, or until the ownership of the slot is lost. Returns the exit code."""
    with reading(language_for(terminal_locale())):
        settings = prepare()
        if settings is None:
            return 1
        _name_in_log(number)
        settings = replace(settings, metrics=_own_address(settings.metrics, number))
        return explained(settings, lambda: run_event_loop(_deal(settings, number)))


def _name_in_log(number: int) -> None:
    """Let each line of the log say which of the dealers writes it: they all write to one."""
    make = logging.getLogRecordFactory()

    def named(*args: Any, **more: Any) -> logging.LogRecord:
        record = make(*args, **more)
        vars(record)["dealer"] = number
        return record

    logging.setLogRecordFactory(named)


def _own_address(at: ListenAddress | None, number: int) -> ListenAddress | None:
    """Return where this process answers questions: the ports above the one of the settings, which is the supervisor's."""
    return ListenAddress(at.host, at.port + 1 + number) if at is not None and at.port else at


async def _deal(settings: Settings, number: int) -> int:
    signals = StopSignals()
    signals.listen()
    asyncio.get_running_loop().add_reader(sys.stdin.fileno(), partial(_on_input, signals))
    code = await run_in_discord(settings, Role(number, waits=True, is_supervised=True), signals)
    signals.leave(code)  # as in `bot.operation.runner`
    return code


def _on_input(signals: StopSignals) -> None:
    """The supervisor writes nothing: what comes is the end, of its patience or of itself."""
    if not os.read(sys.stdin.fileno(), 4096):
        asyncio.get_running_loop().remove_reader(sys.stdin.fileno())
        signals.ask("END_OF_INPUT")


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1])))

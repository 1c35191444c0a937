"""The work of `cardroom fleet`: show which dealers serve which slots of a database, and choose how many slots there are."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING

from bot.operation.data_folder import data_settings, fail
from bot.operation.slots import schemas_of
from bot.runtime.store_errors import StoreError
from bot.settings import Settings, house_schema_of, schema_of
from bot.store.database import DATABASE_FAILED
from bot.text import fleet as words
from bot.text.formatting import join_and
from bot.text.language import t

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bot.store.postgres.fleet import Fleet, ProcessState
    from bot.store.postgres.slots import SlotState

CLOCK_OFF_SECONDS = 2.0
GAP = "  "


def show_fleet() -> int:
    """Print a line for each slot, who stands by, and what is wrong. Returns the exit code."""
    settings = _settings()
    if isinstance(settings, int):
        return settings
    from bot.store.postgres.fleet import look_at_fleet  # which needs psycopg

    try:
        found = look_at_fleet(
            settings.database.reveal(),
            house_schema_of(local=settings.local),
            partial(schemas_of, settings),
        )
    except (StoreError, *DATABASE_FAILED) as error:
        return fail("fleet", str(error))
    if found is None:
        return fail("fleet", t(words.NOT_SET_UP))
    _print_table(found.fleet)
    for standby in found.fleet.standbys:
        sentence = words.STANDBY if standby.watches is None else words.WARM_STANDBY
        fields = {"slot": standby.watches, "process": standby.name, "version": standby.version}
        print(t(sentence, **fields, since=_time(standby.since)))
    for line in problems(found.fleet):
        print(line)
    if not found.fleet.standbys:
        print(t(words.NO_STANDBY))
    if not found.has_synchronous_standby:
        print(t(words.NO_SYNCHRONOUS_STANDBY))
    return 1 if found.fleet.unserved else 0


def problems(fleet: Fleet) -> list[str]:
    """Return what is wrong, a sentence each."""
    served = [slot for slot in fleet.slots if slot.is_served]
    versions = sorted({version for version in _versions(fleet) if version})
    off = [process for process in fleet.processes if abs(process.clock) > CLOCK_OFF_SECONDS]
    leaving = [(process, fleet.left_by(process)) for process in fleet.standbys]
    silent = [slot for slot in served if fleet.process_of(slot) is None]
    return [
        *([words.unserved_sentence(fleet.unserved)] if fleet.unserved else []),
        *([t(words.OTHER_VERSION, versions=join_and(versions))] if len(versions) > 1 else []),
        *[_left_sentence(process, slots) for process, slots in leaving if slots],
        *[t(words.CLOCK_OFF, process=process.name, seconds=round(abs(process.clock))) for process in off],
        *[t(words.SILENT, process=slot.holder, slot=slot.number) for slot in silent],
    ]


def _left_sentence(process: ProcessState, slots: Sequence[SlotState]) -> str:
    numbers = join_and([str(slot.number) for slot in slots])
    return t(words.LEFT_TO_NEWER, count=len(slots), process=process.name, slots=numbers, version=process.version)


def _versions(fleet: Fleet) -> list[str]:
    """Return which versions serve and stand by."""
    return [slot.version for slot in fleet.slots if slot.is_served] + [process.version for process in fleet.processes]


def choose_slot_count(count: int) -> int:
    """Deal the servers out to so many slots. Returns the exit code."""
    settings = _settings()
    if isinstance(settings, int):
        return settings
    if settings.local:
        return fail("fleet", t(words.LOCAL_HAS_ONE_SLOT))
    from bot.store.postgres.slots import choose_slots

    house = house_schema_of(local=settings.local)
    try:
        choose_slots(settings.database.reveal(), house, lambda slot: schema_of(local=settings.local, slot=slot), count)
    except StoreError as error:
        return fail("fleet", str(error))
    print(t(words.SLOTS_CHOSEN, count=count))
    return 0


def forget_key() -> int:
    """Let the next dealer that starts say which master secret all deal from. Returns the exit code."""
    settings = _settings()
    if isinstance(settings, int):
        return settings
    from bot.store.postgres.house import forget_secret

    try:
        forget_secret(settings.database.reveal(), house_schema_of(local=settings.local))
    except StoreError as error:
        return fail("fleet", str(error))
    print(t(words.KEY_FORGOTTEN))
    return 0


def _settings() -> Settings | int:
    """Return the settings, if they name a database; else say why not, and return the exit code."""
    settings = data_settings("fleet")
    if isinstance(settings, Settings) and not settings.database.reveal():
        return fail("fleet", t(words.NEEDS_DATABASE))
    return settings


def _print_table(fleet: Fleet) -> None:
    headings = (
        words.SLOT_HEADING, words.OWNER_HEADING, words.VERSION_HEADING, words.FORMAT_HEADING, words.SINCE_HEADING,
        words.TABLES_HEADING, words.HANDS_HEADING, words.EPOCH_HEADING,
    )  # fmt: skip
    rows = [[t(heading) for heading in headings]]
    for slot in fleet.slots:
        said = fleet.process_of(slot)
        counts = [f"{said.tables:,}", f"{said.hands:,}"] if said is not None else ["–", "–"]
        tables = str(slot.format) if slot.format else "–"
        if slot.is_served:
            rows.append(
                [str(slot.number), slot.holder, slot.version, tables, _time(slot.since), *counts, str(slot.epoch)]
            )
        else:
            rows.append([str(slot.number), t(words.NOBODY), "–", tables, "–", "–", "–", str(slot.epoch)])
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        print(GAP.join([cell.ljust(width) for cell, width in zip(row, widths, strict=True)]).rstrip())


def _time(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d %H:%M UTC")

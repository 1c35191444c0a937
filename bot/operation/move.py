"""The work of `cardroom move`: chips, tables and hands from a file into a database, or back."""

import shutil
import time
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from bot.operation.data_folder import data_home, data_of_slots, data_settings, fail, home_at
from bot.operation.personal import personal_values_in, saved_kinds
from bot.operation.slots import schemas_of
from bot.operation.upkeep import print_contents
from bot.runtime.saved_values import SavedKind
from bot.runtime.store_errors import StoreError
from bot.settings import (
    DATA_FILE,
    SECRET_FILE,
    STATISTICS_FILE,
    Secret,
    Settings,
    database_address,
    house_schema_of,
    schema_of,
    slot_folder,
)
from bot.store.copy_rows import ServerSplit
from bot.store.database import DATABASE_FAILED
from bot.store.home import DataHome, FileHome
from bot.store.move import MoveStage, deal_out, join, move_slots
from bot.store.slots import ServerSlot, slot_of
from bot.text import upkeep as words
from bot.text.formatting import join_and
from bot.text.language import t

TELL_SECONDS = 5.0
"""While rows are copied their number is told so often."""
FILE, DATABASE = "file", "database"
"""The words for the data file of this folder, and for the database of the settings."""


class NowhereToMove(Exception):
    """The command does not say from where to where. The text says what to write."""


class _Route(NamedTuple):
    """From where to where: one file or slot to one or several slots, several slots to one file, or to as many others.

    Attributes:
        address: of the database that is moved to; empty for a file.
    """

    sources: tuple[DataHome, ...]
    targets: tuple[DataHome, ...]
    address: str = ""


def move_data(to: str, slots: int | None = None) -> int:
    """Move everything to a database or a file. Prints what is done and what to do next. Returns the exit code.

    Args:
        to: an address as ``postgresql://…``, ``database`` for that of the settings, ``file`` for the data file of their folder, or a path.
        slots: into how many slots of the database the servers are dealt out; None: as many as it has.
    """
    settings = data_settings("move")
    if isinstance(settings, int):
        return settings
    now, progress = time.time_ns() // 1_000_000, _Progress()
    try:
        route = _route(settings, to, slots)
        before, count = len(route.sources), len(route.targets)
        if before > 1 and count > 1:
            share = partial(_bring_personal, settings, route.address)
            moved = move_slots(route.sources, route.targets, now, progress.tell, share)
        elif before > 1:
            moved = join(
                route.sources,
                route.targets[0],
                partial(_split, before),
                now,
                progress.tell,
                partial(_personal_in_house, settings),
            )
        else:
            split = partial(_split, count) if count > 1 else None
            moved = deal_out(route.sources[0], route.targets, split, now, progress.tell)
        if count > before:
            _share_personal(settings, route.address, _personal_in(route.sources[0]))
            _share_statistics(settings, 1, count)
    except (NowhereToMove, StoreError, OSError, *DATABASE_FAILED) as error:
        return fail("move", str(error))
    except KeyboardInterrupt:
        return fail("move", t(words.MOVE_BROKEN_OFF))
    source, target = (join_and([home.name for home in homes]) for homes in (route.sources, route.targets))
    print(t(words.MOVE_ENDED) if moved.was_begun else t(words.MOVED, source=source, target=target))
    print_contents(moved.contents)
    for aside in moved.aside:
        print(t(words.MOVED_ASIDE, file=aside))
    print(t(words.DEAL_FROM_DATABASE if route.address else words.DEAL_FROM_FILE, source=source))
    if not route.address and Path(target).parent != settings.folder:
        print(t(words.KEY_STAYS, key=settings.folder / SECRET_FILE))
    return 0


def deal_out_to_more(count: int) -> int:
    """Deal the servers of the database out to so many slots. Prints what is done. Returns the exit code."""
    settings = data_settings("move")
    if isinstance(settings, int):
        return settings
    address, now = settings.database.reveal(), time.time_ns() // 1_000_000
    if not address:
        return fail("move", t(words.NO_DATABASE_TO_DEAL_OUT))
    from bot.store.postgres.deal_again import Slots, deal_out_again  # which needs psycopg
    from bot.store.postgres.house import slot_count

    house = house_schema_of(local=settings.local)
    try:
        before = slot_count(address, house)
        folders = [slot_folder(settings.folder, number, count) for number in range(count)]
        for folder in folders:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        slots = Slots(address, house, schemas_of(settings, count), folders, before)
        personal = _personal_in(data_home(settings)) if before == 1 else {}
        found = deal_out_again(slots, partial(_split, count), now, _Progress().tell)
        if before == 1:
            _share_personal(settings, address, personal)
        _share_statistics(settings, before, count)
    except (StoreError, OSError, *DATABASE_FAILED) as error:
        return fail("move", str(error))
    except KeyboardInterrupt:
        return fail("move", t(words.MOVE_BROKEN_OFF))
    print(t(words.DEALT_OUT, count=count))
    print_contents(found)
    print(t(words.OLD_SLOTS_ASIDE, now=now))
    return 0


def _route(settings: Settings, to: str, slots: int | None) -> _Route:
    """Return from where to where.

    Raises:
        NowhereToMove.
        StoreError: the database cannot be used, or has slots that are dealt with otherwise.
    """
    now, file = settings.database.reveal(), FileHome(settings.folder / DATA_FILE)
    if to != DATABASE and "://" not in to:
        if not now:
            raise NowhereToMove(t(words.NO_DATABASE_TO_MOVE))
        path = settings.folder / DATA_FILE if to == FILE else Path(to).absolute()
        return _Route(tuple([data_home(settings, one.slot) for one in data_of_slots(settings)]), (FileHome(path),))
    try:
        address = Secret(now) if to == DATABASE and now else database_address(to)
    except ValueError as error:
        raise NowhereToMove(f"--to: {error}") from error
    sources: tuple[DataHome, ...] = (file,)
    if now and now != address.reveal():
        sources = tuple([data_home(settings, one.slot) for one in data_of_slots(settings)])
        if len(sources) > 1:
            if slots not in {None, len(sources)}:
                raise NowhereToMove(t(words.SAME_SLOTS, count=len(sources), wanted=slots))
            slots = len(sources)
    count = _slots_to_fill(settings, address.reveal(), slots)
    targets = [home_at(settings, address, ServerSlot(number, count)) for number in range(count)]
    return _Route(sources, tuple(targets), address.reveal())


def _slots_to_fill(settings: Settings, address: str, slots: int | None) -> int:
    """Return how many slots a database has. It gets as many as are asked for.

    Raises:
        StoreError: people have played there in another number of slots, or it cannot be used.
    """
    from bot.store.postgres.house import slots_there  # which needs psycopg
    from bot.store.postgres.slots import choose_slots

    house = house_schema_of(local=settings.local)
    there = slots_there(address, house)
    if slots is not None and slots != there:
        choose_slots(address, house, lambda number: schema_of(local=settings.local, slot=number), slots)
        return slots
    return there


def _split(slots: int, servers: Mapping[int, int]) -> ServerSplit:
    """Return which slot gets what. What is kept of no server in particular goes to all: each dealer had it until now. What is kept about
    persons in all servers goes to none: several dealers keep it in their house.

    Args:
        servers: of each table.
    """
    kinds, every = saved_kinds(), tuple(range(slots))

    def of_value(key: str) -> Sequence[int]:
        kind = next((kind for kind in kinds if key.startswith(kind.prefix)), None)
        if kind is not None and kind.is_personal:
            return ()
        server = _server_of(kind, key, servers) if kind is not None else None
        return every if server is None else (slot_of(server, slots),)

    return ServerSplit(lambda server: slot_of(server, slots), of_value)


def _personal_in(home: DataHome) -> dict[str, bytes]:
    """Return what is kept about persons in all servers by a dealer who is alone."""
    with home.reading() as db:
        return personal_values_in(db)


def _personal_in_house(settings: Settings) -> dict[str, bytes]:
    """Return the same where several dealers keep it."""
    from bot.store.postgres.house_values import all_values  # which needs psycopg

    return all_values(settings.database.reveal(), house_schema_of(local=settings.local))


def _bring_personal(settings: Settings, address: str) -> None:
    """Keep in the house of another database what that of this one keeps."""
    _share_personal(settings, address, _personal_in_house(settings))


def _share_personal(settings: Settings, address: str, personal: Mapping[str, bytes]) -> None:
    """Keep it where several dealers do."""
    from bot.store.postgres.personal_values import replace_all  # which needs psycopg

    replace_all(address, house_schema_of(local=settings.local), personal)


def _server_of(kind: SavedKind[Any, Any], key: str, servers: Mapping[int, int]) -> int | None:
    """Return the server that a kept value is of; None for none."""
    try:
        found = kind.read_key(key)
    except ValueError:
        return None
    parts = dict(zip(kind.parts, found if isinstance(found, tuple) else (found,), strict=True))
    if "server" in parts:
        return int(parts["server"])
    return servers.get(parts["table"]) if "table" in parts else None


def _share_statistics(settings: Settings, before: int, count: int) -> None:
    """Give the statistics until now to each slot: its dealer counts anew, and takes from them what the hands do not say any more."""
    for number in range(count):
        statistics = slot_folder(settings.folder, number % before, before) / STATISTICS_FILE
        folder = slot_folder(settings.folder, number, count)
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if statistics.is_file() and not (folder / STATISTICS_FILE).exists():
            shutil.copy2(statistics, folder / STATISTICS_FILE)


class _Progress:
    """Prints what a move is doing."""

    def __init__(self) -> None:
        self._stage: MoveStage | None = None
        self._told_at = 0.0

    def tell(self, stage: MoveStage, rows: int) -> None:
        """Print a line for each stage, and now and then how far the copying is."""
        if stage is not self._stage:
            self._stage, self._told_at = stage, time.monotonic()
            print(t(words.MOVE_STAGES[stage.value]), flush=True)
        elif time.monotonic() - self._told_at > TELL_SECONDS:
            self._told_at = time.monotonic()
            print(t(words.ROWS_COPIED, count=rows), flush=True)

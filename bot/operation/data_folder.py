"""The settings by which a subcommand looks into the data, how it does so, and what it prints if it cannot."""

import os
import sys
from pathlib import Path
from typing import NamedTuple

from bot.settings import (
    DATA_FILE,
    DISCORD_FOLDER,
    STATISTICS_FILE,
    Secret,
    Settings,
    SettingsError,
    house_schema_of,
    load,
    schema_of,
    slot_folder,
)
from bot.store.data_source import DataSource, is_made, source_of
from bot.store.home import DataHome, FileHome
from bot.store.slots import ALL_SERVERS, ServerSlot
from bot.text import cli as cli_words
from bot.text import upkeep as words
from bot.text.language import Message, t


def data_settings(command: str, *, with_data: bool = False) -> Settings | int:
    """Return the settings. If they cannot be used, say why, and return the exit code. `with_data`: there must be a data file.

    A token that only the service's own environment holds does not reach whoever types a command beside it. So data of Discord is never
    passed over for the local cardroom's, unless `DISCORD_TOKEN` is set to nothing on purpose.
    """
    try:
        settings = load()
    except SettingsError as error:
        return fail(command, str(error))
    other = settings.data / DISCORD_FOLDER
    if settings.local and "DISCORD_TOKEN" not in os.environ and other.is_dir():
        try:
            is_empty = not any(other.iterdir())
        except PermissionError:  # it is somebody else's, who keeps something there
            is_empty = False
        if not is_empty:
            fail(command, t(words.DATA_OF_DISCORD, folder=other, local=settings.folder))
            return 2
    if with_data and not settings.database.reveal() and not (settings.folder / DATA_FILE).is_file():
        return fail(command, t(words.NO_DATA, folder=settings.folder))
    return settings


class SlotData(NamedTuple):
    """Where a slot keeps what it has: a file is one slot, and a database has as many as were chosen.

    Attributes:
        source: chips and hands.
        statistics: the statistics file of its dealer on this machine.
    """

    slot: ServerSlot
    source: DataSource
    statistics: Path


def data_of_slots(settings: Settings, *, made: bool = False) -> tuple[SlotData, ...]:
    """Return where chips and hands are, by slot.

    Args:
        made: of several slots only those that a dealer has made the tables of.

    Raises:
        StoreFailed, DATABASE_FAILED: the database cannot be reached.
    """
    address, count = settings.database.reveal(), 1
    if address:
        from bot.store.postgres.house import slots_there  # which needs psycopg

        count = slots_there(address, house_schema_of(local=settings.local))
    house = house_schema_of(local=settings.local) if count > 1 else ""
    slots = [
        SlotData(
            ServerSlot(number, count),
            source_of(settings.folder / DATA_FILE, address, schema_of(local=settings.local, slot=number), house),
            slot_folder(settings.folder, number, count) / STATISTICS_FILE,
        )
        for number in range(count)
    ]
    return tuple([one for one in slots if count == 1 or not made or is_made(one.source)])


def shared_data(settings: Settings) -> DataSource | None:
    """Return where the dealers of several slots keep what is a person's in all servers; None where there is one slot, which has it.

    Raises:
        StoreFailed, DATABASE_FAILED: the database cannot be reached.
    """
    if len(data_of_slots(settings)) == 1:
        return None
    return source_of(settings.folder / DATA_FILE, settings.database.reveal(), house_schema_of(local=settings.local))


def data_home(settings: Settings, slot: ServerSlot = ALL_SERVERS) -> DataHome:
    """Return the same as what is moved, or put back into."""
    if settings.database.reveal():
        return home_at(settings, settings.database, slot)
    return FileHome(settings.folder / DATA_FILE)


def home_at(settings: Settings, address: Secret, slot: ServerSlot = ALL_SERVERS) -> DataHome:
    """Return the schema of a slot, by these settings, in a database."""
    from bot.store.postgres.home import SchemaHome  # which needs psycopg

    schema = schema_of(local=settings.local, slot=slot.number)
    return SchemaHome(address.reveal(), schema, slot_folder(settings.folder, slot.number, slot.count))


def needs_file(command: str, settings: Settings, sentence: Message) -> int | None:
    """Say why a subcommand that works on a data file can do nothing here, and return the exit code; None if there is a file."""
    return fail(command, t(sentence)) if settings.database.reveal() else None


def fail(command: str, error: str) -> int:
    """Print why a subcommand could not do its work. Returns the exit code."""
    print(t(cli_words.ERROR, command=command, error=error), file=sys.stderr)
    return 1

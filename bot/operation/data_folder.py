"""The settings by which a subcommand looks into the data, how it does so, and what it prints if it cannot."""

import os
import sys

from bot.settings import DATA_FILE, DISCORD_FOLDER, Secret, Settings, SettingsError, load, schema_of
from bot.store.data_source import DataSource, source_of
from bot.store.home import DataHome, FileHome
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


def data_source(settings: Settings) -> DataSource:
    """Return where chips and hands are: a file, or a database."""
    return source_of(settings.folder / DATA_FILE, settings.database.reveal(), schema_of(local=settings.local))


def data_home(settings: Settings) -> DataHome:
    """Return the same as what is moved, or put back into."""
    return home_at(settings, settings.database) if settings.database.reveal() else FileHome(settings.folder / DATA_FILE)


def home_at(settings: Settings, address: Secret) -> DataHome:
    """Return the schema of these settings in a database."""
    from bot.store.postgres.home import SchemaHome  # which needs psycopg

    return SchemaHome(address.reveal(), schema_of(local=settings.local), settings.folder)


def needs_file(command: str, settings: Settings, sentence: Message) -> int | None:
    """Say why a subcommand that works on a data file can do nothing here, and return the exit code; None if there is a file."""
    return fail(command, t(sentence)) if settings.database.reveal() else None


def fail(command: str, error: str) -> int:
    """Print why a subcommand could not do its work. Returns the exit code."""
    print(t(cli_words.ERROR, command=command, error=error), file=sys.stderr)
    return 1

"""The settings by which a subcommand looks into the data, and what it prints if it cannot."""

import os
import sys

from bot.settings import DATA_FILE, DISCORD_FOLDER, Settings, SettingsError, load
from bot.text import cli as cli_words
from bot.text import upkeep as words
from bot.text.language import t


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
    if with_data and not (settings.folder / DATA_FILE).is_file():
        return fail(command, t(words.NO_DATA, folder=settings.folder))
    return settings


def fail(command: str, error: str) -> int:
    """Print why a subcommand could not do its work. Returns the exit code."""
    print(t(cli_words.ERROR, command=command, error=error), file=sys.stderr)
    return 1

"""The work of `cardroom move`: chips, tables and hands from a file into a database, or back."""

import time
from pathlib import Path

from bot.operation.data_folder import data_settings, fail, home_at, require_one_slot
from bot.operation.upkeep import print_contents
from bot.runtime.store_errors import StoreError
from bot.settings import DATA_FILE, SECRET_FILE, Secret, Settings, database_address
from bot.store.home import DataHome, FileHome
from bot.store.move import MoveStage, move
from bot.text import upkeep as words
from bot.text.language import t

TELL_SECONDS = 5.0
"""While rows are copied their number is told so often."""
FILE, DATABASE = "file", "database"
"""The words for the data file of this folder, and for the database of the settings."""


class NowhereToMove(Exception):
    """The command does not say from where to where. The text says what to write."""


def move_data(to: str) -> int:
    """Move everything to a database or a file. Prints what is done and what to do next. Returns the exit code.

    Args:
        to: an address as ``postgresql://…``, ``database`` for that of the settings, ``file`` for the data file of their folder, or a path.
    """
    settings = data_settings("move")
    if isinstance(settings, int):
        return settings
    progress = _Progress()
    try:
        require_one_slot(settings)
        source, target, is_file = _homes(settings, to)
        moved = move(source, target, time.time_ns() // 1_000_000, progress.tell)
    except (NowhereToMove, StoreError) as error:
        return fail("move", str(error))
    print(t(words.MOVE_ENDED) if moved.was_begun else t(words.MOVED, source=source.name, target=target.name))
    print_contents(moved.contents)
    for aside in moved.aside:
        print(t(words.MOVED_ASIDE, file=aside))
    print(t(words.DEAL_FROM_FILE if is_file else words.DEAL_FROM_DATABASE, source=source.name))
    if is_file and Path(target.name).parent != settings.folder:
        print(t(words.KEY_STAYS, key=settings.folder / SECRET_FILE))
    return 0


def _homes(settings: Settings, to: str) -> tuple[DataHome, DataHome, bool]:
    """Return from where and to where, and whether that is a file.

    Raises:
        NowhereToMove.
    """
    now, file = settings.database.reveal(), FileHome(settings.folder / DATA_FILE)
    if to != DATABASE and "://" not in to:
        if not now:
            raise NowhereToMove(t(words.NO_DATABASE_TO_MOVE))
        path = settings.folder / DATA_FILE if to == FILE else Path(to).absolute()
        return home_at(settings, settings.database), FileHome(path), True
    try:
        address = Secret(now) if to == DATABASE and now else database_address(to)
    except ValueError as error:
        raise NowhereToMove(f"--to: {error}") from error
    source = home_at(settings, settings.database) if now and now != address.reveal() else file
    return source, home_at(settings, address), False


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

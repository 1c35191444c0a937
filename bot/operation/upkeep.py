"""The work of `cardroom backup`, `cardroom restore` and `cardroom doctor` on the data of this machine."""

from __future__ import annotations

import contextlib
import os
import platform
import shutil
import stat
import time
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from PIL import features

from bot.backups import DRILL, FOLDER, backup_name, backup_time, backups_in
from bot.fair.deck_order import MissingSecret, hand_secret, master_secret
from bot.operation.data_folder import (
    SlotData,
    data_home,
    data_of_slots,
    data_settings,
    fail,
    needs_file,
)
from bot.operation.encryption import DiskEncryption, disk_encryption
from bot.operation.personal import saved_kinds
from bot.pictures.coverage import FALLBACKS, Weight
from bot.pictures.coverage import FOLDER as FONT_FOLDER
from bot.pictures.draw import draw
from bot.pictures.types import Look, PictureBoard, PictureCard, PictureSeat, TablePicture
from bot.runtime.statistics_events import statistics_decoder
from bot.runtime.store_errors import StoreError, StoreFailed, StoreInUse
from bot.runtime.tables import MASTER_SECRET
from bot.settings import (
    DATA_FILE,
    SECRET_FILE,
    STAND_IN_FOLDER,
    STATISTICS_FILE,
    Settings,
    house_schema_of,
    schema_of,
    slot_folder,
)
from bot.store.backup import DataCheck, check_contents, check_data, put_back
from bot.store.connection import SOUND_SQLITE, SQLITE_VERSION, create_private_file, is_sound_sqlite
from bot.store.copies import copy_source, house_copy_in, put_back_into, servers_in
from bot.store.data_source import DataSource, kept_value, moved_elsewhere, reading
from bot.store.database import DATABASE_FAILED
from bot.store.house_copy import HouseCopy
from bot.store.migrate import newest_migration
from bot.store.moved import require_here, where_else
from bot.store.newest_cause import NewestCause
from bot.store.old_hands import Retention, count_old_hands
from bot.store.shrink import shrink
from bot.store.slots import ServerSlot, slot_of
from bot.store.statistics.check import StatisticsUnusable, check_statistics
from bot.store.statistics.rebuild import RebuildFailed, count_alone, rebuild_alone
from bot.store.statistics.statistics import rebuild_request
from bot.text import doctor as doctor_words
from bot.text import upkeep as words
from bot.text.formatting import join_and
from bot.text.language import Message, t
from bot.version import VERSION

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bot.store.postgres.examine import ServerCheck

NEEDED_BYTES = 100_000_000
DAY_MS = 86_400_000
GIGABYTE = 1e9
FONTS = (*Weight, *FALLBACKS)
"""The files of letters that every picture can need."""


def make_backup(file: Path | None, key: Path | None) -> int:
    """Copy the data, and the secret to `key` if that is given. Prints what was copied. Returns the exit code."""
    settings = data_settings("backup", with_data=True)
    if isinstance(settings, int):
        return settings
    try:
        slots = data_of_slots(settings, made=True)
        targets = [_backup_file(settings, one.slot, file) for one in slots]
        for taken in (*targets, key):
            if taken is not None and taken.exists():
                return fail("backup", t(words.FILE_EXISTS, file=taken))
        for one, target in zip(slots, targets, strict=True):
            target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with reading(one.source) as db:
                require_here(db, data_home(settings, one.slot).name)
            found = copy_source(one.source, target)
            print(t(words.BACKUP_MADE, file=target))
            print_contents(found)
        if key is not None:
            _copy_secret(settings.folder / SECRET_FILE, key)
            print(t(words.KEY_COPIED, file=key))
        if settings.local:
            print(t(words.PEOPLE_ARE_ELSEWHERE, folder=settings.folder / STAND_IN_FOLDER))
    except (StoreError, MissingSecret, OSError, *DATABASE_FAILED) as error:
        return fail("backup", str(error))
    return 0


def _backup_file(settings: Settings, slot: ServerSlot, file: Path | None) -> Path:
    """Return where the copy of a slot goes: beside those of its dealer, or to a file that somebody has named, with the slot's number."""
    if file is None:
        return slot_folder(settings.folder, slot.number, slot.count) / FOLDER / backup_name(_now())
    return file if slot.count == 1 else file.with_name(f"{file.stem}-slot-{slot.number}{file.suffix}")


def restore_backup(file: Path, key: Path | None, slot: int | None = None) -> int:
    """Put a copy in the place of the data, or of one slot. Prints what it holds. Returns the exit code."""
    settings = data_settings("restore")
    if isinstance(settings, int):
        return settings
    secret = settings.folder / SECRET_FILE
    try:
        if key is not None:
            master_secret(key, create=False)
        found, aside, house = _put_back(settings, file, slot)
        if key is not None and (not secret.exists() or secret.read_bytes() != key.read_bytes()):
            if secret.exists():
                secret.replace(secret.with_name(f"{secret.name}.replaced-{_now()}"))
            _copy_secret(key, secret)
    except MissingSecret:
        return fail("restore", t(words.KEY_UNUSABLE, file=key))
    except (StoreError, OSError) as error:
        return fail("restore", str(error))
    print(t(words.RESTORED, file=file))
    print_contents(found)
    if house:
        print(house)
    if aside:
        print(t(words.MOVED_ASIDE, file=aside))
    if key is not None:
        print(t(words.KEY_RESTORED))
    elif not secret.exists():
        print(t(words.KEY_MISSING))
    return 0


class _PutBack(NamedTuple):
    """What a restore has done.

    Attributes:
        contents: what the copy holds.
        aside: where what was there is now; "" if there was nothing.
        house: what has become of the values of persons in the house, in words; "" where there is none.
    """

    contents: DataCheck
    aside: str
    house: str = ""


def _put_back(settings: Settings, file: Path, number: int | None) -> _PutBack:
    """Put a copy in the place of the data."""
    if settings.database.reveal():
        slots = data_of_slots(settings)
        if number not in range(len(slots)) and (number is not None or len(slots) > 1):
            raise StoreFailed(reason=t(words.WHICH_SLOT, count=len(slots)))
        slot = slots[number or 0].slot
        house = house_copy_in(file, saved_kinds())
        if house is not None and house.mark.slots != slot.count:
            raise StoreFailed(reason=t(words.OTHER_SLOTS, file=file, slots=house.mark.slots, count=slot.count))
        _require_servers_of(slot, file)
        folder = slot_folder(settings.folder, slot.number, slot.count)
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        scratch = folder / f"{schema_of(local=settings.local, slot=slot.number)}.restoring"
        elsewhere = house.values if house is not None else ()
        contents, aside = put_back_into(data_home(settings, slot), file, scratch, _now(), elsewhere)
        return _PutBack(contents, aside, _put_back_house(settings, house) if house is not None else "")
    found, replaced = put_back(file, settings.folder / DATA_FILE, _now())
    return _PutBack(found, str(replaced or ""))


def _put_back_house(settings: Settings, house: HouseCopy) -> str:
    """Put back what people chose for all servers, where it is lost. Returns in words what has become of it."""
    from bot.store.postgres.personal_values import put_back_all  # which needs psycopg

    is_back = put_back_all(settings.database.reveal(), house_schema_of(local=settings.local), house)
    return t(words.HOUSE_PUT_BACK if is_back else words.HOUSE_STAYS)


def _require_servers_of(slot: ServerSlot, file: Path) -> None:
    """Refuse the copy of another slot.

    Raises:
        StoreFailed.
    """
    for server in servers_in(file):
        if not slot.has(server):
            reason = t(words.OTHER_SLOT, file=file, server=server, slot=slot_of(server, slot.count))
            raise StoreFailed(reason=reason)


def shrink_data() -> int:
    """Put away every hand that is over, and free what the data file does not use. Prints its size. Returns the exit code."""
    settings = data_settings("doctor", with_data=True)
    if isinstance(settings, int):
        return settings
    if (refused := needs_file("doctor", settings, words.VACUUM_OF_DATABASE)) is not None:
        return refused
    data, statistics = settings.folder / DATA_FILE, settings.folder / STATISTICS_FILE

    def count_hands() -> frozenset[tuple[int, int]] | None:
        try:
            return count_alone(statistics, data, statistics_decoder())
        except RebuildFailed as error:
            print(t(words.OLD_HANDS_STAY, error=error))
            return None

    try:
        before, after = shrink(data, _retention(settings), count_hands)
    except StoreError as error:
        return fail("doctor", str(error))
    print(t(words.SHRUNK, before=_megabytes(before), after=_megabytes(after)))
    return 0


def rebuild_statistics() -> int:
    """Count every hand again, or ask the running dealer to. Prints how many hands there are. Returns the exit code."""
    settings = data_settings("statistics", with_data=True)
    if isinstance(settings, int):
        return settings
    data, statistics = settings.folder / DATA_FILE, settings.folder / STATISTICS_FILE
    if settings.database.reveal():
        try:
            for one in data_of_slots(settings):
                one.statistics.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                rebuild_request(one.statistics).touch()
        except StoreFailed as error:
            return fail("statistics", str(error))
        print(t(words.STATISTICS_REQUESTED_OF_DEALER))
        return 0
    try:
        hands = rebuild_alone(statistics, data, statistics_decoder())
    except StoreInUse:
        rebuild_request(statistics).touch()
        print(t(words.STATISTICS_REQUESTED))
        return 0
    except (RebuildFailed, OSError) as error:
        return fail("statistics", str(error))
    print(t(words.STATISTICS_REBUILT, count=hands))
    return 0


def examine_installation() -> int:
    """Check settings, folder, disk, data, secret, backups and versions. Prints a line each. Returns 1 if something is wrong."""
    settings = data_settings("doctor")
    if isinstance(settings, int):
        return settings
    report = _Report()
    report.held(words.SETTINGS_CHECK)
    folder = settings.folder
    if folder.is_dir():
        open_to_others = os.name == "posix" and stat.S_IMODE(folder.stat().st_mode) & 0o077
        report.check(words.FOLDER_CHECK, t(words.FOLDER_OPEN) if open_to_others else "", folder=folder)
        free = shutil.disk_usage(folder).free
        little = t(words.LITTLE_SPACE, needed=_gigabytes(NEEDED_BYTES)) if free < NEEDED_BYTES else ""
        report.check(words.SPACE_CHECK, little, free=_gigabytes(free))
        _tell_encryption(report, folder)
    slots = _check_database(report, settings) if settings.database.reveal() else _check_file(report, settings)
    for at, one in enumerate(slots):
        if not at:
            _check_secret(report, folder / SECRET_FILE, one.source)
        report.slot = one.slot.number if one.slot.count > 1 else None
        _check_backups(report, slot_folder(folder, one.slot.number, one.slot.count) / FOLDER, one.source)
        _tell_old_hands(report, settings, one.source)
        _check_statistics(report, one.statistics, one.source)
    report.slot = None
    if settings.pictures:
        _check_pictures(report)
    else:
        report.left(words.PICTURES_ON_CHECK, t(words.PICTURES_OFF))
    versions = {
        "cardroom": VERSION,
        "python": platform.python_version(),
        "sqlite": SQLITE_VERSION,
        "discord": version("discord.py"),
        "aiosqlite": version("aiosqlite"),
    }
    if is_sound_sqlite():
        report.held(words.VERSIONS_CHECK, **versions)
    else:
        report.left(words.VERSIONS_CHECK, t(words.OLD_SQLITE, version=SOUND_SQLITE), **versions)
    report.sum_up()
    return 1 if report.failed_count else 0


class _Report:
    """Prints a line for each check and counts them."""

    def __init__(self) -> None:
        self.held_count = self.failed_count = self.left_count = 0
        self.slot: int | None = None
        """Whose lines these are, where there are several."""

    def _name(self, check: Message, fields: Mapping[str, object]) -> str:
        name = t(check, **fields)
        return name if self.slot is None else t(words.CHECK_OF_SLOT, check=name, slot=self.slot)

    def held(self, check: Message, **fields: object) -> None:
        self.held_count += 1
        print(t(doctor_words.HELD, check=self._name(check, fields)))

    def left(self, check: Message, reason: str, **fields: object) -> None:
        """Print something that was not checked, or that is worth knowing and no fault."""
        self.left_count += 1
        print(t(doctor_words.NOT_CHECKED, check=self._name(check, fields), reason=reason))

    def check(self, check: Message, reason: str, **fields: object) -> None:
        """Print a check that failed for this reason; "" if it held."""
        if not reason:
            self.held(check, **fields)
            return
        self.failed_count += 1
        print(t(doctor_words.FAILED, check=self._name(check, fields), reason=reason))

    def sum_up(self) -> None:
        print(t(doctor_words.SUMMARY, held=self.held_count, failed=self.failed_count, left=self.left_count))


def _check_file(report: _Report, settings: Settings) -> tuple[SlotData, ...]:
    """Check a data file. Returns it, if it can be looked into further."""
    file = settings.folder / DATA_FILE
    if not file.is_file():
        report.left(words.DATA_CHECK, t(words.NOTHING_PLAYED))
        return ()
    if elsewhere := moved_elsewhere(file, str(file)):
        report.check(words.DATA_CHECK, elsewhere)
        return ()
    newest = NewestCause(file).read()  # first: a dealer that runs can add to the data at any moment
    found = check_data(file)
    report.check(words.DATA_CHECK, "; ".join(found.problems))
    if found.problems:
        return ()
    lost = max(0, newest - found.newest_cause)
    report.check(words.WHOLE_CHECK, t(words.NOT_WHOLE, count=lost) if lost else "")
    return data_of_slots(settings)


def _check_database(report: _Report, settings: Settings) -> list[SlotData]:
    """Check a database and what is in it. Returns the slots that can be looked into further."""
    from bot.store.postgres.examine import examine_server  # which needs psycopg

    try:
        slots = data_of_slots(settings)
        schemas = [schema_of(local=settings.local, slot=one.slot.number) for one in slots]
        servers = [examine_server(settings.database.reveal(), schema) for schema in schemas]
    except (StoreFailed, *DATABASE_FAILED) as error:
        report.check(words.DATABASE_CHECK, str(error), version="PostgreSQL")
        return []
    server = servers[0]
    version = f"PostgreSQL {server.version}"
    report.check(words.DATABASE_CHECK, t(words.OLD_DATABASE) if server.is_old else "", version=version)
    apart = f"{abs(server.seconds_apart):.0f}"
    report.check(words.CLOCK_CHECK, t(words.CLOCKS_DIFFER, seconds=apart) if server.seconds_apart else "")
    if server.has_standby:
        report.held(words.STANDBY_CHECK)
    else:
        report.left(words.STANDBY_CHECK, t(words.NO_STANDBY))
    if not any(each.has_data for each in servers):
        report.left(words.BOOKS_CHECK, t(words.NOTHING_PLAYED))
        return []
    is_served = any(each.owner for each in servers)
    return [
        slot
        for slot, each in zip(slots, servers, strict=True)
        if _check_slot(report, settings, slot, each, is_served=is_served)
    ]


def _check_slot(report: _Report, settings: Settings, one: SlotData, server: ServerCheck, *, is_served: bool) -> bool:
    """Check the tables of a slot. Returns whether they can be looked into further.

    Args:
        is_served: some slot has a dealer.
    """
    fields = {"slot": one.slot.number} if one.slot.count > 1 else {}
    books = words.BOOKS_OF_SLOT_CHECK if fields else words.BOOKS_CHECK
    owners = words.NO_OWNER_OF_SLOT_CHECK if fields else words.NO_OWNER_CHECK
    problems: tuple[str, ...] = (server.problem,) if server.problem else ()
    can_be_read = server.has_data and not problems
    if can_be_read:
        try:
            with reading(one.source) as db:
                elsewhere = where_else(db, data_home(settings, one.slot).name)
                problems = (elsewhere,) if elsewhere else check_contents(db).problems
        except DATABASE_FAILED as error:
            problems, can_be_read = (str(error),), False
    if server.has_data:
        report.check(books, "; ".join(problems), **fields)
    else:
        report.left(books, t(words.NOTHING_PLAYED), **fields)
    if can_be_read:
        _tell_format(report, server, fields)
    if server.owner:
        report.held(words.OWNER_OF_SLOT_CHECK if fields else words.OWNER_CHECK, holder=server.owner, **fields)
    elif fields and is_served:
        report.check(owners, t(words.UNSERVED_SLOT), **fields)
    else:
        report.left(owners, t(words.NO_OWNER), **fields)
    return can_be_read


def _tell_format(report: _Report, server: ServerCheck, fields: dict[str, int]) -> None:
    """Say which version's tables these are. That it is another one is no fault while a bot is being upgraded."""
    check = words.FORMAT_OF_SLOT_CHECK if fields else words.FORMAT_CHECK
    known = newest_migration()
    if server.is_newer or server.is_older:
        sentence = words.NEWER_FORMAT if server.is_newer else words.OLDER_FORMAT
        report.left(check, t(sentence, format=server.format), known=known, **fields)
    else:
        report.held(check, known=known, **fields)


def _tell_encryption(report: _Report, folder: Path) -> None:
    """Say whether Linux encrypts the disks of the data and, where it is another one, of the backups. That it does not is no fault."""
    backups = folder / FOLDER
    folders = [folder]
    if backups.is_dir() and backups.stat().st_dev != folder.stat().st_dev:
        folders.append(backups)
    for each in folders:
        match disk_encryption(each):
            case DiskEncryption.ENCRYPTED:
                report.held(words.ENCRYPTED_CHECK, folder=each)
            case DiskEncryption.NOT_BY_LINUX:
                report.left(words.ENCRYPTED_CHECK, t(words.NOT_ENCRYPTED), folder=each)
            case DiskEncryption.UNKNOWN:
                report.left(words.ENCRYPTED_CHECK, t(words.ENCRYPTION_UNKNOWN), folder=each)


def _check_pictures(report: _Report) -> None:
    """Draw a table, and time a second one: the first fills the cache of sprites, as the drawing process does when it starts."""
    missing = [font for font in FONTS if not (FONT_FOLDER / font).is_file()]
    if missing or not features.check("webp"):
        reason = t(words.NO_FONTS, files=join_and(missing)) if missing else t(words.NO_WEBP)
        report.check(words.PICTURES_CHECK, reason, ms="–")
    else:
        seats = (PictureSeat(1, "Ann", "9,450", cards=(PictureCard(None),) * 2), PictureSeat(4, "Bo", "4,100"))
        board = PictureBoard(tuple(PictureCard(card) for card in range(5)))
        picture = TablePicture(Look(), seat_count=6, seats=seats, boards=(board,), pot="POT", pot_chips="300")
        try:
            draw(picture)
            began = time.perf_counter()
            draw(picture)
            report.held(words.PICTURES_CHECK, ms=max(1, round(1000 * (time.perf_counter() - began))))
        except Exception as error:  # whatever goes wrong in drawing, the dealer deals on in text
            report.check(words.PICTURES_CHECK, t(words.NOT_DRAWN, error=repr(error)), ms="–")
    if features.check("raqm"):
        report.held(words.SCRIPTS_CHECK)
    else:
        report.left(words.SCRIPTS_CHECK, t(words.NO_RAQM))


def _check_secret(report: _Report, secret: Path, data: DataSource) -> None:
    kept = kept_value(data, MASTER_SECRET.key(()))
    if kept is None:
        report.left(words.SECRET_CHECK, t(words.NOTHING_PLAYED))
        return
    try:
        fingerprint = hand_secret(master_secret(secret, create=False), 0, 0, b"")
    except MissingSecret:
        report.check(words.SECRET_CHECK, t(words.SECRET_MISSING))
        return
    is_known = MASTER_SECRET.decode(kept).fingerprint == fingerprint
    report.check(words.SECRET_CHECK, "" if is_known else t(words.SECRET_FOREIGN))


def _check_backups(report: _Report, folder: Path, data: DataSource) -> None:
    backups = backups_in(folder)
    if not backups:
        report.left(words.BACKUP_CHECK, t(words.NO_BACKUP))
    else:
        at = backup_time(backups[-1]) or 0
        report.check(words.BACKUP_CHECK, t(words.OLD_BACKUP, date=_date(at)) if _now() - at > DAY_MS else "")
    kept = kept_value(data, DRILL.key(()))
    if kept is None:
        report.left(words.DRILL_CHECK, t(words.NO_DRILL))
    else:
        report.check(words.DRILL_CHECK, "; ".join(DRILL.decode(kept).problems))


def _tell_old_hands(report: _Report, settings: Settings, data: DataSource) -> None:
    """Say how many hands are older than they are kept. That is no fault: they go while the dealer runs."""
    retention = _retention(settings)
    if retention is None:
        return
    with reading(data) as db:
        count = count_old_hands(db, retention)
    if count:
        report.left(words.OLD_HANDS_CHECK, t(words.OLD_HANDS, count=count), days=retention.days)
    else:
        report.held(words.OLD_HANDS_CHECK, days=retention.days)


def _check_statistics(report: _Report, statistics: Path, data: DataSource) -> None:
    try:
        wrong = check_statistics(statistics, data, statistics_decoder())
    except StatisticsUnusable:
        report.left(words.STATISTICS_CHECK, t(words.STATISTICS_MISSING))
    else:
        report.check(words.STATISTICS_CHECK, t(words.STATISTICS_WRONG, count=wrong) if wrong else "")


def _retention(settings: Settings) -> Retention | None:
    return Retention(settings.keep_hands, _now) if settings.keep_hands is not None else None


def print_contents(found: DataCheck) -> None:
    """Print how much some data holds, and when it last changed."""
    print(
        t(
            words.CONTENTS,
            servers=found.servers,
            tables=found.open_tables,
            transfers=found.transfers,
            chips=found.chips,
            format=found.format,
        )
    )
    if found.changed_at:
        print(t(words.LAST_CHANGE, date=_date(found.changed_at)))


def _copy_secret(secret: Path, to: Path) -> None:
    """Copy the secret to a file that only its owner can read.

    Raises:
        MissingSecret: there is none.
    """
    content = master_secret(secret, create=False)
    create_private_file(to)
    with contextlib.closing(to.open("wb", buffering=0)) as file:
        file.write(content)
        os.fsync(file.fileno())


def _date(at: int) -> str:
    return datetime.fromtimestamp(at / 1000, UTC).strftime("%Y-%m-%d %H:%M UTC")


def _megabytes(count: int) -> str:
    return f"{count / 1e6:.1f}"


def _gigabytes(count: int) -> str:
    return f"{count / GIGABYTE:.1f} GB"


def _now() -> int:
    return time.time_ns() // 1_000_000

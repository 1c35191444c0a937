"""A disk that writes down what SQLite asks of it, so that the state after a power cut at any moment can be made.

`record` puts its own file layer (a VFS of SQLite, by ctypes) in front of the usual one: everything goes through, and each write, change of
size, sync and deletion of a file below a folder is noted, in its order. What the program itself writes, syncs and renames there is noted
too.

`after_cut` is a power cut: what had been synced is there. Of what was written since, each sector of 512 bytes is there or not, by lot, and
the last write can be torn at any byte. A new size can be lost. Names (new files, renames, deletions) reach the disk in their order; a file
that was synced has its name, and a synced folder all of its names.

What this cannot show: a disk that lies about a sync, a sector that a cut damages though nobody wrote to it, and files that are written
through shared memory. SQLite's index of its log is such a file; it is made anew after a cut, as a real one does not survive it.
"""

from __future__ import annotations

import _sqlite3
import ctypes
import os
import random
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

SECTOR = 512
OK, FULL = 0, 13
OPEN_CREATE, OPEN_DELETE_ON_CLOSE = 0x4, 0x8


class Write(msgspec.Struct, array_like=True, tag=True):
    file: int
    offset: int
    data: bytes


class Resize(msgspec.Struct, array_like=True, tag=True):
    file: int
    size: int


class Sync(msgspec.Struct, array_like=True, tag=True):
    file: int


class SyncFolder(msgspec.Struct, array_like=True, tag=True):
    """All names are on the disk."""


class Name(msgspec.Struct, array_like=True, tag=True):
    """A file has a name, or `file` is -1: nothing has it any more."""

    name: str
    file: int


class Acknowledged(msgspec.Struct, array_like=True, tag=True):
    line: str


Step = Write | Resize | Sync | SyncFolder | Name | Acknowledged


class Recording:
    """What happened below a folder, step by step. What lies there already is taken as synced."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder.resolve()
        self.names: dict[str, int] = {}
        self.before: dict[str, bytes] = {}
        self.steps: list[Step] = []
        self._files = 0
        for path in sorted(self.folder.rglob("*")):
            if path.is_file() and not is_made_anew(path.name):
                name = str(path.relative_to(self.folder))
                self.before[name] = path.read_bytes()
                self.names[name] = self._new_file()

    def _new_file(self) -> int:
        self._files += 1
        return self._files - 1

    def name_of(self, path: str | os.PathLike[str]) -> str | None:
        """Return the name below the folder; None for a file that is not looked at."""
        try:
            name = str(Path(path).absolute().relative_to(self.folder))
        except ValueError:
            return None
        return None if is_made_anew(name) else name

    def open(self, name: str) -> int:
        """Return the file of that name, which is new if there was none."""
        if name not in self.names:
            self.names[name] = self._new_file()
            self.steps.append(Name(name, self.names[name]))
        return self.names[name]

    def delete(self, name: str) -> None:
        if self.names.pop(name, None) is not None:
            self.steps.append(Name(name, -1))

    def rename(self, old: str, new: str) -> None:
        if old in self.names:
            self.names[new] = self.names.pop(old)
            self.steps.append(Name(new, self.names[new]))
            self.steps.append(Name(old, -1))


def is_made_anew(name: str) -> bool:
    """Return whether a file does not outlive a power cut: the index of the log, and locks."""
    return name.endswith(("-shm", ".lock"))


# the state after a cut


class _File:
    """A file on the disk, and what was written to it since it was synced."""

    def __init__(self, data: bytes = b"") -> None:
        self.data = bytearray(data)
        self.pending: list[Write | Resize] = []

    def sync(self) -> None:
        for step in self.pending:
            _apply(self.data, step)
        self.pending.clear()

    def after_cut(self, rng: random.Random, kept: float, last: Step | None) -> bytes:
        data = bytearray(self.data)
        for step in self.pending:
            if isinstance(step, Resize):
                if rng.random() < kept:
                    _apply(data, step)
                continue
            end = len(step.data)
            if step is last and rng.random() < 0.5:
                end = rng.randrange(end + 1)
            at = 0
            while at < end:
                upto = min(end, at + SECTOR - (step.offset + at) % SECTOR)
                if kept == 1 or rng.random() < kept:
                    _apply(data, Write(step.file, step.offset + at, step.data[at:upto]))
                at = upto
        return bytes(data)


def _apply(data: bytearray, step: Write | Resize) -> None:
    size = step.size if isinstance(step, Resize) else max(len(data), step.offset + len(step.data))
    if size > len(data):
        data.extend(bytes(size - len(data)))
    elif isinstance(step, Resize):
        del data[size:]
    if isinstance(step, Write):
        data[step.offset : step.offset + len(step.data)] = step.data


class Cuts:
    """Walks along a recording once, and makes the state after a cut at each of some moments, the earliest first.

    Args:
        lies: nothing is on the disk because it was synced.
    """

    def __init__(self, before: dict[str, bytes], steps: list[Step], *, lies: bool = False) -> None:
        self.lies = lies
        self.steps = steps
        self.at = 0
        self.acknowledged: list[str] = []
        self.files: dict[int, _File] = {number: _File(data) for number, data in enumerate(before.values())}
        self.named: list[Name] = [Name(name, number) for number, name in enumerate(before)]
        self.names_on_disk = len(self.named)
        self.writes = self.syncs = 0

    def go_to(self, moment: int) -> None:
        """Let everything happen that comes before a step."""
        for step in self.steps[self.at : moment]:
            match step:
                case Write() | Resize():
                    self.files[step.file].pending.append(step)
                    self.writes += 1
                case Sync() if self.lies:
                    self.syncs += 1
                case Sync():
                    self.files[step.file].sync()
                    self.syncs += 1
                    created = [at for at, one in enumerate(self.named, 1) if one.file == step.file]
                    self.names_on_disk = max([self.names_on_disk, *created[:1]])
                case SyncFolder():
                    self.names_on_disk = len(self.named)
                case Name():
                    self.named.append(step)
                    if step.file >= 0:
                        self.files.setdefault(step.file, _File())
                case Acknowledged():
                    self.acknowledged.append(step.line)
        self.at = moment

    def cut(self, rng: random.Random, folder: Path) -> None:
        """Write what is on the disk after a power cut now to an empty folder."""
        kept = rng.choice((0, 0.1, 0.5, 0.9, 1, rng.random()))
        last = self.steps[self.at - 1] if self.at else None
        names: dict[str, int] = {}
        for one in self.named[: rng.randint(self.names_on_disk, len(self.named))]:
            names[one.name] = one.file
        for name, file in names.items():
            if file >= 0:
                path = folder / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(self.files[file].after_cut(rng, kept, last))


# the layer that records

_FILE = ctypes.c_void_p
_XOPEN = ctypes.CFUNCTYPE(
    ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, _FILE, ctypes.c_int, ctypes.POINTER(ctypes.c_int)
)
_XDELETE = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int)
_XCLOSE = ctypes.CFUNCTYPE(ctypes.c_int, _FILE)
_XWRITE = ctypes.CFUNCTYPE(ctypes.c_int, _FILE, ctypes.c_void_p, ctypes.c_int, ctypes.c_int64)
_XTRUNCATE = ctypes.CFUNCTYPE(ctypes.c_int, _FILE, ctypes.c_int64)
_XSYNC = ctypes.CFUNCTYPE(ctypes.c_int, _FILE, ctypes.c_int)


class _Vfs(ctypes.Structure):
    _fields_ = [
        ("version", ctypes.c_int), ("file_size", ctypes.c_int), ("longest_path", ctypes.c_int), ("next", ctypes.c_void_p),
        ("name", ctypes.c_char_p), ("data", ctypes.c_void_p), ("open", ctypes.c_void_p), ("delete", ctypes.c_void_p),
        ("others", ctypes.c_void_p * 14),
    ]  # fmt: skip


class _Methods(ctypes.Structure):
    _fields_ = [
        ("version", ctypes.c_int), ("close", ctypes.c_void_p), ("read", ctypes.c_void_p), ("write", ctypes.c_void_p),
        ("truncate", ctypes.c_void_p), ("sync", ctypes.c_void_p), ("others", ctypes.c_void_p * 14),
    ]  # fmt: skip


class Recorder:
    """Records until the process ends. There is one in a process, and its databases are opened after it began."""

    def __init__(self, folder: Path) -> None:
        self.recording = Recording(folder)
        self.is_full = False
        """Whether the disk refuses what is written, as a full one does."""
        self._open_files: dict[int, tuple[int, str, Any]] = {}
        self._methods: dict[int, _Methods] = {}
        self._kept: list[Any] = []
        self._record_sqlite()
        self._record_program()

    def acknowledge(self, line: str) -> None:
        self.recording.steps.append(Acknowledged(line))

    def _record_sqlite(self) -> None:
        library = ctypes.CDLL(_sqlite3.__file__)
        library.sqlite3_vfs_find.restype = ctypes.POINTER(_Vfs)
        usual = library.sqlite3_vfs_find(None)
        recorder = _Vfs()
        ctypes.memmove(ctypes.byref(recorder), usual, ctypes.sizeof(_Vfs))
        recorder.name = b"recorder"
        usual_open = ctypes.cast(usual.contents.open, _XOPEN)
        usual_delete = ctypes.cast(usual.contents.delete, _XDELETE)

        @_XOPEN
        def open_file(vfs: int, path: int | None, file: int, flags: int, out: Any) -> int:
            code: int = usual_open(vfs, path, file, flags, out)
            if code == OK and path and not flags & OPEN_DELETE_ON_CLOSE:
                name = self.recording.name_of(os.fsdecode(ctypes.string_at(path)))
                if name is not None:
                    self._watch(file, name)
            return code

        @_XDELETE
        def delete_file(vfs: int, path: bytes, is_synced: int) -> int:
            code: int = usual_delete(vfs, path, is_synced)
            name = self.recording.name_of(os.fsdecode(path))
            if code == OK and name is not None:
                self.recording.delete(name)
                if is_synced:
                    self.recording.steps.append(SyncFolder())
            return code

        recorder.open = ctypes.cast(open_file, ctypes.c_void_p)
        recorder.delete = ctypes.cast(delete_file, ctypes.c_void_p)
        self._kept += [recorder, open_file, delete_file]
        code = library.sqlite3_vfs_register(ctypes.byref(recorder), 1)
        assert code == OK, f"SQLite does not take the layer: {code}"

    def _watch(self, file: int, name: str) -> None:
        """Let an open file of SQLite tell what is written to it."""
        methods_at = ctypes.cast(file, ctypes.POINTER(ctypes.c_void_p))
        usual_at = methods_at[0]
        assert usual_at is not None
        if usual_at not in self._methods:
            self._methods[usual_at] = self._recording_methods(ctypes.cast(usual_at, ctypes.POINTER(_Methods)).contents)
        self._open_files[file] = (self.recording.open(name), name, None)
        methods_at[0] = ctypes.addressof(self._methods[usual_at])

    def _recording_methods(self, usual: _Methods) -> _Methods:
        usual_close, usual_write = ctypes.cast(usual.close, _XCLOSE), ctypes.cast(usual.write, _XWRITE)
        usual_truncate, usual_sync = ctypes.cast(usual.truncate, _XTRUNCATE), ctypes.cast(usual.sync, _XSYNC)
        steps = self.recording.steps

        @_XCLOSE
        def close(file: int) -> int:
            self._open_files.pop(file, None)
            return int(usual_close(file))

        @_XWRITE
        def write(file: int, data: int, count: int, offset: int) -> int:
            if self.is_full:
                return FULL
            steps.append(Write(self._open_files[file][0], offset, ctypes.string_at(data, count)))
            return int(usual_write(file, data, count, offset))

        @_XTRUNCATE
        def truncate(file: int, size: int) -> int:
            steps.append(Resize(self._open_files[file][0], size))
            return int(usual_truncate(file, size))

        @_XSYNC
        def sync(file: int, flags: int) -> int:
            number = self._open_files[file][0]
            code = int(usual_sync(file, flags))
            if code == OK:
                steps.append(Sync(number))
            return code

        recorded = _Methods()
        size = (
            ctypes.sizeof(_Methods)
            if usual.version >= 3
            else ctypes.sizeof(_Methods) - 2 * ctypes.sizeof(ctypes.c_void_p)
        )
        ctypes.memmove(ctypes.byref(recorded), ctypes.byref(usual), size)
        for field, function in (("close", close), ("write", write), ("truncate", truncate), ("sync", sync)):
            setattr(recorded, field, ctypes.cast(function, ctypes.c_void_p))
        self._kept += [close, write, truncate, sync]
        return recorded

    def _record_program(self) -> None:
        """Record what the program itself writes, syncs, renames and deletes below the folder."""
        record = self.recording
        usual_write, usual_sync, usual_replace, usual_unlink, usual_link = (
            os.write,
            os.fsync,
            os.replace,
            os.unlink,
            os.link,
        )

        def path_of(descriptor: int) -> str:
            return str(Path(f"/proc/self/fd/{descriptor}").readlink())

        def write(descriptor: int, data: Any) -> int:
            name = record.name_of(path_of(descriptor)) if descriptor > 2 else None
            if name is not None:
                record.steps.append(Write(record.open(name), os.lseek(descriptor, 0, os.SEEK_CUR), bytes(data)))
            return usual_write(descriptor, data)

        def sync(descriptor: int) -> None:
            path = path_of(descriptor)
            usual_sync(descriptor)
            name = record.name_of(path)
            if Path(path).is_dir():
                record.steps.append(SyncFolder())
            elif name is not None:
                record.steps.append(Sync(record.open(name)))

        def replace(old: Any, new: Any, **how: Any) -> None:
            usual_replace(old, new, **how)
            names = record.name_of(old), record.name_of(new)
            if names[0] is not None and names[1] is not None:
                record.rename(names[0], names[1])

        def unlink(path: Any, **how: Any) -> None:
            usual_unlink(path, **how)
            name = record.name_of(path)
            if name is not None:
                record.delete(name)

        def link(old: Any, new: Any, **how: Any) -> None:
            usual_link(old, new, **how)
            names = record.name_of(old), record.name_of(new)
            if names[0] is not None and names[1] is not None:
                record.names[names[1]] = record.open(names[0])
                record.steps.append(Name(names[1], record.names[names[1]]))

        changed: dict[str, Callable[..., Any]] = {
            "write": write, "fsync": sync, "replace": replace, "unlink": unlink, "link": link
        }  # fmt: skip
        for function_name, function in changed.items():
            setattr(os, function_name, function)


def save(recording: Recording, path: Path) -> None:
    path.write_bytes(msgspec.msgpack.encode((recording.before, recording.steps)))


def load(path: Path) -> tuple[dict[str, bytes], list[Step]]:
    before, steps = msgspec.msgpack.decode(path.read_bytes(), type=tuple[dict[str, bytes], list[Step]])
    return before, steps


def can_record() -> bool:
    """Return whether this Python's SQLite is a library of its own, whose file layer can be reached."""
    try:
        return bool(ctypes.CDLL(_sqlite3.__file__).sqlite3_vfs_find) and sqlite3.threadsafety > 0
    except (AttributeError, OSError):
        return False

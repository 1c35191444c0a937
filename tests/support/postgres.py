"""A PostgreSQL server of the tests' own, in a temporary folder, from the programs that the machine has."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

PLACES = ("/usr/lib/postgresql", "/usr/pgsql", "/opt/homebrew/opt/postgresql")
SETTINGS = {
    "listen_addresses": "",
    "fsync": "off",
    "synchronous_commit": "on",
    "max_connections": "60",
    "shared_buffers": "64MB",
    "full_page_writes": "off",
    "wal_level": "minimal",
    "max_wal_senders": "0",
    "autovacuum": "off",
    "jit": "off",
}
"""It is reached through a file, and a power cut of the machine may take it."""


PROGRAMS = ("postgres", "initdb", "pg_ctl", "pg_isready")
_OUTLIVES_NOBODY = '"$0" "$@" & read -r _; kill -QUIT $!; wait'
"""Runs a server until whoever started it closes the pipe, also by being killed."""
OLDEST_VERSION = 15
USER = "postgres"
"""Who runs a server that root starts: its packages bring this user along."""


def server_programs() -> Path | None:
    """Return the folder of the newest server's programs, 15 or newer; None if there is none."""
    found = {path.parent for place in PLACES for path in Path(place).parent.glob(f"{Path(place).name}*/**/bin/initdb")}
    on_path = shutil.which("initdb")
    found |= {Path(on_path).resolve().parent} if on_path else set()
    found = {folder for folder in found if all((folder / program).exists() for program in PROGRAMS)}
    newest = max(found, key=_version, default=None)
    return newest if newest is not None and _version(newest) >= OLDEST_VERSION else None


def _version(programs: Path) -> int:
    said = subprocess.run([programs / "initdb", "--version"], capture_output=True, text=True, check=False).stdout
    number = re.search(r"(\d+)", said)
    return int(number[1]) if number else 0


def what_is_missing() -> str:
    """Return in words why nothing can be tested with PostgreSQL here; "" if it can."""
    if os.name != "posix":
        return "a PostgreSQL server of one's own is started on Linux and macOS only"
    if importlib.util.find_spec("psycopg") is None:
        return "psycopg is not installed: pip install -e '.[postgres]'"
    if server_programs() is None:
        return f"this machine has no PostgreSQL server of version {OLDEST_VERSION} or newer: apt install postgresql"
    if os.getuid() == 0 and not _has_user():
        return "a PostgreSQL server refuses to run as root, and there is no user postgres that it could run as"
    return ""


def _has_user() -> bool:
    import pwd  # which only systems with users have

    return any(user.pw_name == USER for user in pwd.getpwall())


@contextmanager
def postgres_server(**settings: str) -> Iterator[str]:
    """Run a server. Yields its address."""
    programs = server_programs()
    assert programs is not None, "this machine has no PostgreSQL server"
    with tempfile.TemporaryDirectory(prefix="pg") as folder:
        who = _other_user(folder)
        data = Path(folder) / "data"
        _run(who, programs / "initdb", "-D", data, "-A", "trust", "-U", "cardroom", "-N", "--no-locale", "-E", "UTF8")
        options = {"unix_socket_directories": folder} | SETTINGS | settings
        arguments = [part for name, value in options.items() for part in ("-c", f"{name}={value}")]
        watched = subprocess.Popen(
            ["sh", "-c", _OUTLIVES_NOBODY, str(programs / "postgres"), "-D", str(data), *arguments],
            user=who,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd="/",
        )
        try:
            _wait_until_ready(programs, folder)
            yield f"postgresql://cardroom@/postgres?host={folder}"
        finally:
            _run(who, programs / "pg_ctl", "-D", data, "-m", "immediate", "stop")
            watched.communicate()


def _wait_until_ready(programs: Path, folder: str) -> None:
    for _ in range(600):
        asked = subprocess.run([programs / "pg_isready", "-q", "-h", folder], check=False)
        if asked.returncode == 0:
            return
        time.sleep(0.05)
    raise AssertionError("the PostgreSQL server did not start")


def restart(address: str) -> None:
    """Restart a server as its operator does: whoever is connected is cut off."""
    programs, folder = server_programs(), address.partition("host=")[2]
    assert programs is not None
    data = Path(folder) / "data"
    _run(_other_user(folder), programs / "pg_ctl", "-D", data, "-w", "-m", "fast", "-l", data / "log", "restart")


def _other_user(folder: str) -> int | None:
    """A server refuses to run as root: give the folder to another user, and return that one."""
    if os.getuid() != 0:
        return None
    import pwd  # which only systems with users have

    who = pwd.getpwnam(USER)
    os.chown(folder, who.pw_uid, who.pw_gid)
    return who.pw_uid


def _run(who: int | None, *command: object) -> None:
    done = subprocess.run(list(map(str, command)), user=who, capture_output=True, text=True, check=False, cwd="/")
    assert done.returncode == 0, done.stdout + done.stderr

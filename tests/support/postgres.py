"""A PostgreSQL server of the tests' own, in a temporary folder, from the programs that the machine has."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

PLACES = ("/usr/lib/postgresql", "/usr/pgsql", "/opt/homebrew/opt/postgresql")
SETTINGS = {
    "listen_addresses": "",
    "fsync": "off",
    "synchronous_commit": "on",
    "max_connections": "60",
    "shared_buffers": "32MB",
}
"""It is reached through a file, and a power cut of the machine may take it."""


def server_programs() -> Path | None:
    """Return the folder of the newest server's programs; None if there is none."""
    found = [path.parent for place in PLACES for path in Path(place).parent.glob(f"{Path(place).name}*/*/bin/initdb")]
    found += [path.parent for place in PLACES for path in Path(place).glob("*/bin/initdb")]
    on_path = shutil.which("initdb")
    return max(found, key=lambda path: path.parts) if found else Path(on_path).parent if on_path else None


@contextmanager
def postgres_server(**settings: str) -> Iterator[str]:
    """Run a server. Yields its address."""
    programs = server_programs()
    assert programs is not None, "this machine has no PostgreSQL server"
    with tempfile.TemporaryDirectory(prefix="pg") as folder:
        who = _other_user(folder)
        data = Path(folder) / "data"
        _run(who, programs / "initdb", "-D", data, "-A", "trust", "-U", "cardroom", "-N", "--no-locale", "-E", "UTF8")
        options = [
            f"-c {name}={value}" for name, value in ({"unix_socket_directories": folder} | SETTINGS | settings).items()
        ]
        _run(who, programs / "pg_ctl", "-D", data, "-w", "-o", " ".join(options), "-l", data / "log", "start")
        try:
            yield f"postgresql://cardroom@/postgres?host={folder}"
        finally:
            _run(who, programs / "pg_ctl", "-D", data, "-m", "immediate", "stop")


def _other_user(folder: str) -> int | None:
    """A server refuses to run as root: give the folder to another user, and return that one."""
    if os.getuid() != 0:
        return None
    who = pwd.getpwnam("postgres")
    os.chown(folder, who.pw_uid, who.pw_gid)
    return who.pw_uid


def _run(who: int | None, *command: object) -> None:
    done = subprocess.run(list(map(str, command)), user=who, capture_output=True, text=True, check=False, cwd="/")
    assert done.returncode == 0, done.stdout + done.stderr

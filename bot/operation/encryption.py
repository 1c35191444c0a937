"""Says whether Linux encrypts the disk that a folder is on.

What a drive, a hypervisor or a host does by itself cannot be seen from inside: where nothing is found, nothing is proved.
"""

import os
from enum import Enum, auto
from pathlib import Path

_CRYPT = "CRYPT-"
"""How the kernel's id of a device begins that dm-crypt makes: LUKS, plain, or what `cryptsetup` opens otherwise."""


class DiskEncryption(Enum):
    """What is known of the disk of a folder."""

    ENCRYPTED = auto()
    NOT_BY_LINUX = auto()
    """A disk of this machine, without dm-crypt between it and the folder."""
    UNKNOWN = auto()
    """No disk of this machine: a container, memory, the network, or another system."""


def disk_encryption(
    folder: Path, devices: Path = Path("/sys/dev/block"), mounts: Path = Path("/proc/self/mountinfo")
) -> DiskEncryption:
    """Return what is known of the disk of a folder. It asks files of the kernel alone, and needs no rights."""
    try:
        number = folder.stat().st_dev
        device = devices / f"{os.major(number)}:{os.minor(number)}"
        if not device.exists():  # btrfs and others show a number of their own
            device = devices / _number_of_source(number, mounts)
        if not device.is_dir():
            return DiskEncryption.UNKNOWN
        return DiskEncryption.ENCRYPTED if _is_crypt(device) else DiskEncryption.NOT_BY_LINUX
    except (OSError, AttributeError, ValueError):  # Windows knows no major numbers
        return DiskEncryption.UNKNOWN


def _number_of_source(number: int, mounts: Path) -> str:
    """Return the number of the disk that a mounted file system names as its source; a name that no device has if there is none."""
    mounted = f"{os.major(number)}:{os.minor(number)}"
    for line in mounts.read_text(encoding="utf-8", errors="replace").splitlines():
        before, _, after = line.partition(" - ")
        if before.split()[2] == mounted:
            source = Path(after.split()[1])
            if source.is_block_device():
                found = source.stat().st_rdev
                return f"{os.major(found)}:{os.minor(found)}"
    return "none"


def _is_crypt(device: Path) -> bool:
    """Return whether a device, or every device below it, is one of dm-crypt. Volumes and RAIDs lie on several."""
    name = device / "dm" / "uuid"
    if name.is_file() and name.read_text(encoding="ascii", errors="replace").startswith(_CRYPT):
        return True
    slaves = device / "slaves"
    below = list(slaves.iterdir()) if slaves.is_dir() else []
    return bool(below) and all(map(_is_crypt, below))

"""`cardroom doctor` says whether Linux encrypts the disk, and says so where that cannot be known."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from bot.__main__ import main
from bot.operation.encryption import DiskEncryption, disk_encryption


class Kernel:
    """What the kernel shows of the disks below a folder."""

    def __init__(self, root: Path) -> None:
        self.folder, self.devices, self.mounts = root / "data", root / "devices", root / "mountinfo"
        self.folder.mkdir()
        self.devices.mkdir()
        number = self.folder.stat().st_dev
        self.number = f"{os.major(number)}:{os.minor(number)}"

    def device(self, at: Path, dm: str = "") -> Path:
        """Make a device; `dm` is the id of one that device-mapper makes."""
        (at / "slaves").mkdir(parents=True)
        if dm:
            (at / "dm").mkdir()
            (at / "dm" / "uuid").write_text(dm + "\n")
        return at

    @property
    def found(self) -> DiskEncryption:
        return disk_encryption(self.folder, self.devices, self.mounts)


@pytest.fixture
def kernel(tmp_path: Path) -> Kernel:
    return Kernel(tmp_path)


def test_encrypted_disk_is_found_below_volumes(kernel: Kernel) -> None:
    volume = kernel.device(kernel.devices / kernel.number, dm="LVM-abc")
    kernel.device(volume / "slaves" / "dm-0", dm="CRYPT-LUKS2-0123-data")
    assert kernel.found is DiskEncryption.ENCRYPTED


def test_volume_is_as_safe_as_its_weakest_disk(kernel: Kernel) -> None:
    volume = kernel.device(kernel.devices / kernel.number, dm="LVM-abc")
    kernel.device(volume / "slaves" / "dm-0", dm="CRYPT-LUKS2-0123-data")
    kernel.device(volume / "slaves" / "sdb1")
    assert kernel.found is DiskEncryption.NOT_BY_LINUX


def test_plain_disk_is_not_encrypted_by_linux(kernel: Kernel) -> None:
    kernel.device(kernel.devices / kernel.number)
    assert kernel.found is DiskEncryption.NOT_BY_LINUX


def test_nothing_is_known_without_a_disk(kernel: Kernel) -> None:
    assert kernel.found is DiskEncryption.UNKNOWN, "there is no list of mounts"
    kernel.mounts.write_text(f"22 27 {kernel.number} / /data rw,relatime - overlay overlay rw\n")
    assert kernel.found is DiskEncryption.UNKNOWN, "a container"


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (DiskEncryption.ENCRYPTED, "✔ The disk under {folder} is encrypted\n"),
        (DiskEncryption.NOT_BY_LINUX, "– The disk under {folder} is encrypted: Linux does not encrypt it"),
        (DiskEncryption.UNKNOWN, "– The disk under {folder} is encrypted: that cannot be seen from here"),
    ],
)
def test_doctor_tells_of_the_disk_and_fails_nothing(
    found: DiskEncryption,
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr("bot.operation.upkeep.disk_encryption", lambda folder: found)
    monkeypatch.setenv("CARDROOM_DATA", str(tmp_path))
    monkeypatch.setenv("CARDROOM_PICTURES", "no")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "local").mkdir(mode=0o700)
    assert main(["doctor"]) == 0
    assert said.format(folder=tmp_path / "local") in capsys.readouterr().out

"""Image, compose file and unit say the same; `.ci/image.py` follows the Dockerfile in a bare Debian tree."""

import re
import tomllib
from pathlib import Path

import pytest

from bot.settings import load, setting_names
from bot.stopping import STOP_SECONDS

ROOT = Path(__file__).resolve().parents[1]
DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")
COMPOSE = (ROOT / "compose.yaml").read_text(encoding="utf-8")
UNIT = (ROOT / ".github" / "cardroom.service").read_text(encoding="utf-8")


def test_image_and_compose_run_as_the_same_user() -> None:
    (user,) = re.findall(r"^USER (\S+)$", DOCKERFILE, re.M)
    assert f'user: "{user}"' in COMPOSE
    assert f"-o {user.partition(':')[0]} " in DOCKERFILE, "the volume belongs to that user"


def test_image_installs_only_what_is_pinned_by_hash() -> None:
    installs = re.findall(r"pip .*install.*", DOCKERFILE)
    assert installs and all("--require-hashes" in line and "-r requirements.txt" in line for line in installs)
    pinned = (ROOT / "requirements.txt").read_text(encoding="utf-8")
    assert "pytest==" not in pinned, "what only tests need stands in .ci/requirements-test.txt"


@pytest.mark.parametrize("line", ["read_only: true", "- ALL", "- no-new-privileges:true", "restart: unless-stopped"])
def test_compose_takes_away_what_is_not_needed(line: str) -> None:
    assert line in COMPOSE


def test_drawing_process_can_step_behind_the_dealer() -> None:
    """Without this call it would draw all the same, but compete with clicks for the processor."""
    *_, taken, given = re.findall(r"^SystemCallFilter=(.*)$", UNIT, re.M)
    assert taken.startswith("~") and "@resources" in taken and given == "setpriority"


def test_image_has_the_library_that_joins_letters() -> None:
    last_stage = DOCKERFILE.rpartition("\nFROM ")[2]
    assert "--no-install-recommends libfribidi0" in last_stage and "rm -rf /var/lib/apt/lists/*" in last_stage


@pytest.mark.parametrize("database", ["", "postgresql://cardroom:hush@postgres/cardroom"])
def test_containers_start_with_a_file_and_with_a_database(monkeypatch: pytest.MonkeyPatch, database: str) -> None:
    monkeypatch.setattr("bot.settings.find_spec", lambda name: object())
    monkeypatch.setenv("CARDROOM_DATABASE", database)
    (shared,) = re.findall(r"^x-environment:.*\n((?:  .*\n)+)", COMPOSE, re.M)
    for name, value in re.findall(r'^  (CARDROOM_[A-Z_]+): "?([^"\n#]*?)"?(?: *#.*)?$', shared, re.M):
        monkeypatch.setenv(name, value)
    assert load(None).dealers == 1
    if database:
        (standby,) = re.findall(r"<<: \*environment\n((?:      .*\n)+)", COMPOSE)
        for name, value in re.findall(r'(CARDROOM_[A-Z_]+): "(\d)"', standby):
            monkeypatch.setenv(name, value)
        assert (load(None).dealers, load(None).standbys) == (0, 1)


def test_whoever_stops_it_waits_longer_than_it_takes() -> None:
    graces = re.findall(r"stop_grace_period: (\d+)s", COMPOSE)
    (timeout,) = re.findall(r"TimeoutStopSec=(\d+)", UNIT)
    assert min(map(int, [*graces, timeout])) > STOP_SECONDS


def test_every_setting_named_for_operators_is_known() -> None:
    guide = (ROOT / ".github" / "OPERATING.md").read_text(encoding="utf-8")
    example = (ROOT / ".env.example").read_text(encoding="utf-8")
    named = set(re.findall(r"\bCARDROOM_[A-Z_]+\b", DOCKERFILE + COMPOSE + UNIT + guide))
    assert named <= set(setting_names())
    assert all(f"{name}=" in example and name in guide for name in setting_names())


def test_every_dependency_is_pinned() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    always, extras = project["dependencies"], project["optional-dependencies"]
    needed = {
        "requirements.txt": [*always, *extras["postgres"]],  # the image can deal on either engine
        ".ci/requirements-test.txt": [*always, *extras["test"]],
    }
    for file, dependencies in needed.items():
        pinned = set(re.findall(r"^([a-z0-9-]+)==", (ROOT / file).read_text(encoding="utf-8"), re.M))
        names = {re.split(r"[^\w.-]", line)[0].lower().replace(".", "-").replace("_", "-") for line in dependencies}
        assert names <= pinned, f"run the command at the top of {file}"


def test_every_number_of_the_guide_has_its_command() -> None:
    guide = (ROOT / ".github" / "OPERATING.md").read_text(encoding="utf-8")
    named = {name for line in re.findall(r"python -m tests\.benchmarks ([a-z ]+)`", guide) for name in line.split()}
    assert {"farm", "flow", "growth", "hostile", "queries", "starve"} <= named
    assert all((ROOT / "tests" / "benchmarks" / f"bench_{name}.py").is_file() for name in named)

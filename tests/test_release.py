"""What a release needs: one version everywhere, a changelog, links that work elsewhere, and texts that Discord takes."""

from __future__ import annotations

import importlib.util
import re
import tomllib
from pathlib import Path
from types import ModuleType

import pytest

from bot.store.connection import is_sound_sqlite
from bot.version import VERSION

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
README = (ROOT / "README.md").read_text(encoding="utf-8")
OPERATING = (ROOT / ".github" / "OPERATING.md").read_text(encoding="utf-8")
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
ADDRESS = "https://example.org/somebody/cardroom"


def address() -> ModuleType:
    """Return `.ci/address.py`, which is in no package."""
    spec = importlib.util.spec_from_file_location("address", ROOT / ".ci" / "address.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_version_is_the_same_everywhere() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    newest = re.findall(r"^## \[(\d[^]]*)\] - \d{4}-\d\d-\d\d$", changelog, re.M)[0]
    assert PROJECT["version"] == newest == VERSION


def test_distribution_has_a_name_of_its_own() -> None:
    """`cardroom` on PyPI is another project: whoever installs that gets no dealer."""
    assert PROJECT["name"] != "cardroom" and PROJECT["scripts"] == {"cardroom": "bot.__main__:main"}
    documents = [README, OPERATING, (ROOT / ".github" / "ADDING.md").read_text(encoding="utf-8")]
    assert not any(re.search(r"\b(?:pip|pipx) install cardroom(?!-dealer)\b", text) for text in documents)


def test_readme_of_a_release_has_no_relative_link() -> None:
    text = address().absolute_links(README, ADDRESS, "v1.0")
    links = [one or other for one, other in re.findall(r'\]\(([^)\s]+)\)|(?:src|href)="([^"]+)"', text)]
    assert len(links) > 15 and [link for link in links if "://" not in link] == []
    assert f'src="{ADDRESS}/raw/v1.0/.github/table-phone.png"' in text
    assert f"({ADDRESS}/blob/v1.0/.github/OPERATING.md)" in text


def test_metadata_of_a_release_names_the_repository() -> None:
    text = address().with_urls((ROOT / "pyproject.toml").read_text(encoding="utf-8"), ADDRESS)
    project = tomllib.loads(text)["project"]
    assert project["urls"]["Homepage"] == ADDRESS and project["scripts"] == PROJECT["scripts"]


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_workflows_name_actions_by_digest(path: Path) -> None:
    used = re.findall(r"uses: (\S+)(.*)", path.read_text(encoding="utf-8"))
    assert used and all(
        re.fullmatch(r"[\w.-]+/[\w.-]+@[0-9a-f]{40}", action) and re.fullmatch(r" # v[\d.]+", version)
        for action, version in used
    )


def test_image_names_its_base_by_digest() -> None:
    bases = re.findall(r"^FROM (\S+)", (ROOT / "Dockerfile").read_text(encoding="utf-8"), re.M)
    assert len(set(bases)) == 1 and re.fullmatch(r"python:[\w.-]+@sha256:[0-9a-f]{64}", bases[0])


@pytest.mark.parametrize(("name", "most"), [("Summary", 200), ("Description", 400)])
def test_texts_for_discord_are_short_enough(name: str, most: int) -> None:
    (quoted,) = re.findall(rf"^{name} \(at most {most} characters\):\n\n((?:> .*\n)+)", OPERATING, re.M)
    text = " ".join(line.removeprefix("> ") for line in quoted.splitlines())
    assert most // 2 < len(text) <= most


@pytest.mark.parametrize(
    ("version", "is_sound"),
    [
        ((3, 40, 1), False),
        ((3, 44, 6), True),
        ((3, 46, 1), False),
        ((3, 50, 7), True),
        ((3, 51, 2), False),
        ((3, 51, 3), True),
        ((3, 53, 0), True),
    ],
)
def test_mended_versions_of_sqlite_are_known(version: tuple[int, ...], is_sound: bool) -> None:
    assert is_sound_sqlite(version) is is_sound

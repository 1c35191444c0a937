"""Faults that change nothing anybody could see, one by one, with the reason: `equivalents.toml`."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path

from tests.mutation.mutants import Mutant

FILE = Path(__file__).with_name("equivalents.toml")
Known = tuple[str, str, str, str]


def known_by(mutant: Mutant) -> Known:
    """What an entry says of a fault: no line, so that it stays true when lines move."""
    return mutant.file, mutant.function, mutant.before, mutant.after


def equivalents(text: str | None = None) -> Mapping[Known, str]:
    """Return the reason for each of them."""
    entries = tomllib.loads(FILE.read_text(encoding="utf-8") if text is None else text).get("equivalent", [])
    return {
        (one["file"], one.get("function", ""), one["before"].strip(), one["after"].strip()): one["why"]
        for one in entries
    }

"""Everything that a table can set is read: no option, amount or setting is offered that nothing uses.

The program's own source is searched, without the modules that declare, store, list or word what can be set.
"""

import ast
from functools import cache
from pathlib import Path

import pytest

from bot.engine.options import where
from bot.engine.options.register import REGISTER
from bot.engine.options.types import Options
from bot.engine.rule_card import RuleCard
from bot.engine.stakes import Stakes
from bot.house.rules import HouseRules
from bot.table.settings import TableSettings

ROOT = Path(__file__).resolve().parents[2]
ONLY_SHOW = (
    "bot/text",
    "bot/render",
    "bot/store",
    "bot/history",
    "bot/local",
    "bot/cli",
    "bot/engine/options",
    "bot/variants",
    "bot/house",
)
"""Packages that show, store or offer a value. A value that is read only there decides nothing."""
DECIDE_NOTHING = {option.field for option in REGISTER if option.where is where.nowhere}
"""Options of the law book that no table is offered, because a program takes the bets."""

READ_ELSEWHERE = {
    "sheet": "bot.variants changes the rule card by it",
    "aliases": "bot.variants finds games by them",
    "season_start": "HouseRules.season_chips gives it to whoever ends a season",
    "season_carried": "HouseRules.season_chips gives it to whoever ends a season",
    "buyin_min": "bot.house.rules.min_buyin_at gives a new table its minimum buy-in by it",
    "figures": "bot.store.statistics.journal counts home games by it",
    "counted_per_opponent": "HouseRules.counted_cap gives the sums of leaderboards how much counts",
    "offer_seconds": "TableSettings.offer_ms gives it, or the time of an answer where that is longer",
    "notes": "house rules in the players' own words decide nothing (H-2)",
}


@cache
def attributes_read() -> frozenset[tuple[str, str]]:
    """Return all attributes that the deciding rooms read, each with the name it is read from: (``"options"``, ``"limit"``)."""
    found = set()
    for path in sorted((ROOT / "bot").rglob("*.py")) + sorted((ROOT / "cogs").rglob("*.py")):
        if not path.relative_to(ROOT).as_posix().startswith(ONLY_SHOW):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
                    owner = node.value.attr if isinstance(node.value, ast.Attribute) else getattr(node.value, "id", "")
                    found.add((owner, node.attr))
    return frozenset(found)


def is_read(field: str, *owners: str) -> bool:
    return field in READ_ELSEWHERE or any((owner, field) in attributes_read() for owner in owners)


def test_options_that_decide_nothing_are_two() -> None:
    assert {"announce", "chop_blinds"} == DECIDE_NOTHING


@pytest.mark.parametrize("field", Options.__struct_fields__)
def test_every_offered_option_is_read(field: str) -> None:
    if field in DECIDE_NOTHING:
        assert not is_read(field, "options"), (
            f"the option {field} decides something: say where in bot/engine/options/types.py"
        )
    else:
        assert is_read(field, "options"), (
            f"nothing reads the option {field}: write hand.rules.options.{field} where it decides"
        )


@pytest.mark.parametrize("field", Stakes.__struct_fields__)
def test_every_amount_is_read(field: str) -> None:
    assert is_read(field, "stakes", "now")


@pytest.mark.parametrize("field", TableSettings.__struct_fields__)
def test_every_table_setting_is_read(field: str) -> None:
    assert is_read(field, "settings")


@pytest.mark.parametrize("field", HouseRules.__struct_fields__)
def test_every_house_rule_is_read(field: str) -> None:
    assert is_read(field, "rules", "house"), (
        f"nothing reads the house rule {field}: write rules.{field} where it decides"
    )


@pytest.mark.parametrize("field", RuleCard.__struct_fields__)
def test_every_field_of_a_rule_card_is_read(field: str) -> None:
    assert is_read(field, "rule_card", "card")

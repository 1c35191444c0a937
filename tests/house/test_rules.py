"""A house rule is declared once: its bounds, the list staff choose from, the pages that change it and its words belong together."""

from collections.abc import Iterator

import pytest

from bot.house.rules import (
    HOUSE_RULES,
    LISTED,
    HouseRuleOutOfBounds,
    HouseRules,
    changed_house_rules,
    min_buyin_at,
    rules_of_page,
)
from bot.text.commands import COMMANDS
from bot.text.house import RULE_CHOICES, RULE_WORDS, RuleWords
from bot.text.refusals.wording import refusal_text

RULES = HouseRules()
PAGES = {f"{name}.{page}" for name, text in COMMANDS.items() for page in text.choices.get("page", ())}
NUMBERS = [field for field in RULES.__struct_fields__ if isinstance(getattr(RULES, field), int)]


def missing() -> Iterator[str]:
    """Say what the house rules lack, in words."""
    for field in RULES.__struct_fields__:
        if field not in HOUSE_RULES:
            yield f"the house rule {field} has no DeclaredRule(…) in bot/house/rules.py"
        elif HOUSE_RULES[field].page not in ("", *PAGES):
            yield f"the house rule {field} is changed on the page {HOUSE_RULES[field].page}, which is none"
    for field, declared in HOUSE_RULES.items():
        words = RULE_WORDS.get(field)
        if words is None:
            yield f"the house rule {field} has no words in bot/text/house.py"
        elif not words.in_sentence:
            yield f"the house rule {field} has no name for inside a sentence in bot/text/house.py, after its name in a list"
        elif declared.page and not words.meaning:
            yield f"the house rule {field} stands on the page {declared.page}, and bot/text/house.py does not say what it is for"
        elif declared.choices and set(declared.choices) != set(RULE_CHOICES.get(field, ())):
            yield f"the house rule {field} offers other choices than bot/text/house.py has words for"
    for field in set(RULE_WORDS) - set(RULES.__struct_fields__):
        yield f"bot/text/house.py has words for {field}, which is no house rule"


def test_every_house_rule_is_declared_and_has_words() -> None:
    assert "\n".join(missing()) == ""


def test_missing_words_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(RULE_WORDS, "season_months")
    monkeypatch.setitem(RULE_WORDS, "daily", RuleWords(RULE_WORDS["daily"].name))
    told = list(missing())
    assert "the house rule season_months has no words in bot/text/house.py" in told
    assert len(told) == 2 and "the house rule daily has no name for inside a sentence" in told[1] + told[0]


@pytest.mark.parametrize("field", NUMBERS)
def test_refused_number_is_named_in_words(field: str) -> None:
    with pytest.raises(HouseRuleOutOfBounds) as refused:
        changed_house_rules(RULES, **{field: HOUSE_RULES[field].minimum - 1})
    sentence = refusal_text(refused.value)
    assert sentence.startswith("The ") and "_" not in sentence and "`" not in sentence, sentence


def test_refusal_of_a_season_rule_reads_as_a_sentence() -> None:
    with pytest.raises(HouseRuleOutOfBounds) as refused:
        changed_house_rules(RULES, ranking_hands=0)
    assert refusal_text(refused.value) == "The number of hands it takes to be ranked can be 1–10,000."


@pytest.mark.parametrize("field", NUMBERS)
def test_default_is_within_its_bounds_and_nothing_outside(field: str) -> None:
    least, most = HOUSE_RULES[field].minimum, HOUSE_RULES[field].maximum
    assert least <= getattr(RULES, field) <= most
    for value in (least - 1, most + 1):
        with pytest.raises(HouseRuleOutOfBounds) as refused:
            changed_house_rules(RULES, **{field: value})
        assert (refused.value.name, refused.value.minimum, refused.value.maximum) == (field, least, most)


def test_cap_of_the_leaderboards_follows_the_opening_grant() -> None:
    """Half an opening grant, at least 1,000; staff set 1,000 to 10,000,000, or let all chips count."""
    assert RULES.counted_cap == 5_000
    assert changed_house_rules(RULES, opening_grant=100_000).counted_cap == 50_000
    assert changed_house_rules(RULES, opening_grant=500).counted_cap == 1_000
    assert changed_house_rules(RULES, counted_per_opponent=10_000_000).counted_cap == 10_000_000
    assert changed_house_rules(RULES, counted_per_opponent=-1).counted_cap == 0
    with pytest.raises(HouseRuleOutOfBounds) as refused:
        changed_house_rules(RULES, counted_per_opponent=999)
    assert refused.value.minimum == 1_000


def test_names_of_stored_rules_stay() -> None:
    """As 0.1.0 and later versions wrote them. A rule that no longer exists needs a migration."""
    stored = """
        opening_grant daily daily_step daily_max relief relief_hours account_days member_days young_days young_chips staff_role
        idle_close_minutes tables_per_host practice_tables_per_host seats_per_person tables_per_server small_blind big_blind
        buyin_min buyin_max turn_seconds bank_seconds nudge_seconds staff_channel forum_channel theme quiet_hours ranking_hands
        season_months season_start season_carried season_role season_channel achievements counted_per_opponent
    """
    assert set(stored.split()) <= set(RULES.__struct_fields__)


def test_staff_reach_every_rule_in_one_place() -> None:
    """A select of Discord's takes 25; the others stand on pages of their own."""
    fields = [field for page in PAGES for field in rules_of_page(page)]
    assert sorted([*LISTED, *fields]) == sorted(RULES.__struct_fields__)
    assert len(LISTED) <= 25, "the list of /house page:rules is full: give the rule a `page`, which has a select for it"


def test_rules_change_alone_or_with_others() -> None:
    light = changed_house_rules(RULES, theme="light")
    assert (RULES.theme, light.theme) == ("classic", "light")
    assert changed_house_rules(light, daily=5) == changed_house_rules(RULES, theme="light", daily=5)


def test_minimum_cannot_exceed_its_maximum() -> None:
    with pytest.raises(HouseRuleOutOfBounds) as refused:
        changed_house_rules(RULES, small_blind=101)
    assert (refused.value.name, refused.value.maximum) == ("small_blind", 100)
    with pytest.raises(HouseRuleOutOfBounds) as refused:
        changed_house_rules(RULES, buyin_max=19)
    assert (refused.value.name, refused.value.minimum) == ("buyin_max", 20)
    assert changed_house_rules(RULES, small_blind=500, big_blind=1000).big_blind == 1000


@pytest.mark.parametrize(
    ("changes", "big_blind", "minimum"),
    [
        ({}, 100, 2_000),
        ({}, 10, 200),
        ({}, 1_000, 2_000),  # the free chips, and a fifth of the opening grant
        ({"relief": 1_500}, 100, 1_500),
        ({"opening_grant": 5_000}, 100, 1_000),
        ({"opening_grant": 0, "relief": 0}, 1_000, 20_000),
    ],
)
def test_minimum_buy_in_is_within_what_the_house_gives(changes: dict[str, int], big_blind: int, minimum: int) -> None:
    assert min_buyin_at(changed_house_rules(RULES, **changes), big_blind) == minimum

"""The words of a hand: every code word of the games has words."""

from collections.abc import Iterator

from bot.engine import steps
from bot.engine.choices.secret_choices import NO, YES
from bot.engine.rule_card import RuleCard
from bot.engine.showdown.hand_values import AceWord
from bot.text.game_words import (
    DECLARATION_LABELS,
    DECLARATIONS,
    SHARE_HANDS,
    SHARES,
    STREET_HEADINGS,
    STREETS,
    share_hand,
    street_heading,
)
from bot.variants import CATALOGUE
from tests.render.sample_hands import mid_hand


def streets(card: RuleCard) -> Iterator[str]:
    return (step.street for step in card.steps if isinstance(step, steps.BettingRound | steps.Draw))


def test_every_street_of_every_game_has_words() -> None:
    used = {street for card in CATALOGUE for street in streets(card)} | {"", "showdown"}
    assert used == set(STREET_HEADINGS) == set(STREETS) | {"", "showdown"}


def test_every_share_of_every_game_has_words() -> None:
    used = {share.name for card in CATALOGUE for share in card.shares}
    assert used == set(SHARES) == set(SHARE_HANDS)


def test_every_declaration_has_words() -> None:
    secret = [step for card in CATALOGUE for step in card.steps if isinstance(step, steps.DeclareInSecret)]
    offered = {word for step in secret for word in step.words} | {YES, NO, *AceWord}
    assert offered == set(DECLARATIONS) == set(DECLARATION_LABELS)


def test_a_card_from_outside_keeps_its_own_words() -> None:
    from msgspec.structs import replace

    assert street_heading(replace(mid_hand(), street="the moon")) == "the moon"
    assert share_hand("middle", "a pair of nines") == "**middle: a pair of nines**"

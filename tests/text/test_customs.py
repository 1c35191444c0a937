"""Every custom has its words, and a game's special rules are told in the order of the hand."""

import msgspec
import pytest

from bot.engine.cards import JACK
from bot.engine.customs import AceAlsoLow, AnyCustom, DoorCardTiesBySuit, Openers
from bot.engine.rule_card import with_custom
from bot.text.customs import custom_rules
from bot.text.describe_game import special_rules
from bot.variants import game

SAID_WITH_AN_OPTION = (AceAlsoLow, DoorCardTiesBySuit)


@pytest.mark.parametrize("kind", AnyCustom.__args__)
def test_every_custom_has_words(kind: type[AnyCustom]) -> None:
    custom = msgspec.convert({"rank": JACK}, kind)
    try:
        rules = [*custom_rules(custom)]
    except AssertionError:
        pytest.fail(f"{kind.__name__} has no words: give it a case in bot/text/customs.py")
    assert rules or kind in SAID_WITH_AN_OPTION


def test_special_rules_are_told_in_the_order_of_the_hand() -> None:
    card = with_custom(game("baseball"), Openers(JACK))
    assert [rule.partition(" ")[0] + " … " + rule.rpartition(" ")[2] for rule in special_rules(card, card.options)] == [
        "The … bet.",  # the bring-in
        "A … aces.",  # openers
        "Wild: … nines.",
        "A … fold.",  # the price
        "A … up.",  # the extra card
        "What … dealt.",
    ]

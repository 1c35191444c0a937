"""Rule cards that older versions stored are read as the same games."""

import lzma
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from bot.engine.customs import FollowRank
from bot.engine.old_cards import CardDecoder, upgraded_card
from bot.engine.rule_card import RuleCard
from bot.engine.usual_stakes import usual_stakes
from bot.statistics.terms import TermsReader
from bot.store.migrate import migrations
from bot.store.stored_names import read_renaming
from bot.variants import CATALOGUE, game
from tests.variants.seeded_hands import games_dealt

STORED: dict[str, dict[str, Any]] = msgspec.msgpack.decode(
    lzma.decompress((Path(__file__).parents[1] / "data" / "old_cards.msgpack.xz").read_bytes())
)
"""By version and game, the rule card as it stored it."""
GAMES = dict(games_dealt())
CARDS = CardDecoder[RuleCard](RuleCard)


def encoded(value: object) -> bytes:
    return msgspec.msgpack.encode(value)


@pytest.mark.parametrize("name", STORED["73fe2bd"])
def test_card_without_a_version_is_the_same_game(name: str) -> None:
    assert CARDS.decode(encoded(STORED["73fe2bd"][name])) == GAMES[name]


@pytest.mark.parametrize("name", STORED["73fe2bd"])
def test_card_of_a_hand_file_is_the_same_game(name: str) -> None:
    """A hand file names only what a card has beside the usual."""
    written = {
        field: value for field, value in STORED["73fe2bd"][name].items() if value not in (False, None, [], "nothing", 0)
    }
    assert msgspec.convert(upgraded_card(written), RuleCard) == GAMES[name]


@pytest.mark.parametrize("key", STORED["0.1.0"])
def test_card_of_version_0_1_0_is_the_same_game(key: str) -> None:
    card = game(key)
    (text,) = [step.text for step in migrations() if step.name.startswith("0002")]
    stored = read_renaming(text).renamed(STORED["0.1.0"][card.key], {"struct": "RuleCard"})
    found = CARDS.decode(encoded(stored))
    assert msgspec.msgpack.decode(encoded(found.options)).items() >= stored["options"].items(), (
        "it keeps the options of then"
    )
    assert replace(found, options=card.options) == card


@pytest.mark.parametrize("card", CATALOGUE, ids=lambda card: card.key)
def test_card_is_stored_with_its_version_and_its_own_customs(card: RuleCard) -> None:
    stored = msgspec.msgpack.decode(encoded(card))
    assert stored["version"] == 2
    assert [custom["type"] for custom in stored.get("customs", ())] == [type(one).__name__ for one in card.customs]
    assert CARDS.decode(encoded(card)) == card


def test_cards_are_found_wherever_they_are_stored() -> None:
    stored = encoded([{"deep": {"inside": STORED["73fe2bd"]["baseball"]}, "beside": [1, None]}, {"other": b"\x00"}])
    (first, second) = CardDecoder[list[dict[str, Any]]](list[dict[str, Any]]).decode(stored)
    assert (first["beside"], second) == ([1, None], {"other": b"\x00"})
    kind = list[dict[str, dict[str, RuleCard]]]
    (found,) = CardDecoder[kind](kind).decode(encoded([{"deep": {"inside": STORED["73fe2bd"]["baseball"]}}]))
    assert found["deep"]["inside"] == game("baseball")


def test_decoder_that_knows_no_old_cards_refuses_them() -> None:
    """A card whose customs were passed over in silence would be another game."""
    with pytest.raises(msgspec.ValidationError, match="unknown field"):
        msgspec.msgpack.decode(encoded(STORED["73fe2bd"]["holdem"]), type=RuleCard)


def test_card_of_a_later_version_is_refused() -> None:
    later = {**msgspec.to_builtins(game("holdem")), "version": 3}
    with pytest.raises(msgspec.ValidationError, match="3"):
        CARDS.decode(encoded(later))


def test_card_has_no_custom_twice() -> None:
    card = game("follow_the_queen")
    with pytest.raises(ValueError, match="twice"):
        replace(card, customs=(*card.customs, FollowRank(3)))


def test_statistics_read_the_terms_of_old_cards() -> None:
    card = game("baseball")
    rest = msgspec.Raw(encoded(card.options)), msgspec.Raw(encoded(usual_stakes(card)))
    old, new = [
        TermsReader().terms(msgspec.Raw(encoded(form)), *rest) for form in (STORED["73fe2bd"]["baseball"], card)
    ]
    assert (old.game, old.stakes, old.shares, old.rarities) == (new.game, new.stakes, new.shares, new.rarities)

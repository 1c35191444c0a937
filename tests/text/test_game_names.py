"""Names of games are translated, names that people give are not."""

import gettext
import io

from babel.messages.catalog import Catalog

from bot.text.build import compiled
from bot.text.game_names import family_name, game_name, game_texts, modifier_description
from bot.text.language import Language, reading
from bot.variants import CATALOGUE, MIXES, MODIFIERS, game
from bot.variants.game_list import parse_game_list


def shouting() -> Language:
    """Return a language in which every text of the games is written in capitals."""
    catalog = Catalog(locale="de")
    for english in game_texts():
        catalog.add(english, english.upper())
    catalog.add("{game}, {modifier}", "{game} + {modifier}")
    catalog.add("Mixed ({count} games)", "GEMISCHT ({count})")
    return Language("de", gettext.GNUTranslations(io.BytesIO(compiled(catalog))))


def test_every_name_of_the_catalogue_is_translated() -> None:
    with reading(shouting()):
        for name in (*(card.name for card in CATALOGUE), *(mix.name for mix in MIXES)):
            assert game_name(name) == name.upper()


def test_a_modified_game_is_named_by_its_parts() -> None:
    card = game("omaha + joker bug + deuces wild")
    assert game_name(card.name) == card.name == "Pot-Limit Omaha, Joker as Bug, Deuces Wild"
    with reading(shouting()):
        assert game_name(card.name) == "POT-LIMIT OMAHA + JOKER AS BUG + DEUCES WILD"


def test_an_unnamed_mix_is_named_by_its_size() -> None:
    name = parse_game_list("holdem / omaha / razz").name
    assert game_name(name) == name == "Mixed (3 games)"
    with reading(shouting()):
        assert game_name(name) == "GEMISCHT (3)"


def test_names_that_people_give_stay() -> None:
    with reading(shouting()):
        assert game_name("Uncle Bo's, Deuces Mild") == "Uncle Bo's, Deuces Mild"


def test_every_family_and_modifier_has_words() -> None:
    for card in CATALOGUE:
        assert family_name(card.family)[0].isupper()
    for modifier in MODIFIERS:
        assert modifier_description(modifier).endswith(".")

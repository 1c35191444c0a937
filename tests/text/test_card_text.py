"""Cards in text are emojis named in words, or signs inside code, and never a bare suit sign."""

import pytest

from bot.engine import cards
from bot.text.cards import EMOJI_NAMES, SIGNS, Emojis, cards_in_words
from tests.render.sample_hands import EMOJIS


def test_emojis_are_named_in_words() -> None:
    assert len(EMOJI_NAMES) == len(set(EMOJI_NAMES)) == 54
    assert {"ace_of_hearts", "ten_of_clubs", "joker", "card_back"} <= set(EMOJI_NAMES)
    assert all(2 <= len(name) <= 32 and name.replace("_", "").isalnum() for name in EMOJI_NAMES)


def test_a_row_of_emojis() -> None:
    ace, back = (EMOJI_NAMES.index(name) for name in ("ace_of_hearts", "card_back"))
    start = 1_400_000_000_000_000_000
    assert EMOJIS.write([cards.parse_card("Ah"), None]) == f"<:ace_of_hearts:{start + ace}><:card_back:{start + back}>"


def test_without_emojis_cards_stand_in_code() -> None:
    assert SIGNS.write(cards.parse_cards("Ah Kd Tc Jk")) == "`A♥ K♦ 10♣ Joker`"
    assert SIGNS.write([cards.parse_card("Ah"), None]) == "`A♥ ▮`"
    assert SIGNS.write([]) == ""
    assert SIGNS.for_option(5) == ""


@pytest.mark.parametrize("missing", ["ace_of_hearts", "card_back"])
def test_incomplete_emoji_deck_counts_as_missing(missing: str) -> None:
    ids = {name: 5 for name in EMOJI_NAMES if name != missing}
    assert Emojis.of(ids) == SIGNS


def test_two_colour_deck_reuses_identical_cards() -> None:
    ids = dict.fromkeys(EMOJI_NAMES, 5) | {"ten_of_clubs_2c": 6}
    two_colour = Emojis.of(ids, "_2c")
    assert two_colour.write_one(cards.parse_card("Tc")) == "<:ten_of_clubs_2c:6>"
    assert two_colour.write_one(cards.parse_card("Ts")) == "<:ten_of_spades:5>"


def test_cards_in_words() -> None:
    assert cards_in_words(cards.parse_cards("Ac 9h")) == "ace of clubs, nine of hearts"
    assert cards_in_words([]) == ""

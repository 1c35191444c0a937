"""Cards in text: emojis named in words, or signs inside code; never a bare suit sign."""

import pytest

from bot.engine import cards
from bot.render.cards import EMOJI_NAMES, SIGNS, Emojis, signs, words
from tests.render.hands import EMOJIS


def test_emojis_are_named_in_words() -> None:
    assert len(EMOJI_NAMES) == len(set(EMOJI_NAMES)) == 54
    assert {"ace_of_hearts", "ten_of_clubs", "joker", "card_back"} <= set(EMOJI_NAMES)
    assert all(2 <= len(name) <= 32 and name.replace("_", "").isalnum() for name in EMOJI_NAMES)


def test_a_row_of_emojis() -> None:
    ace, back = (EMOJI_NAMES.index(name) for name in ("ace_of_hearts", "card_back"))
    start = 1_400_000_000_000_000_000
    assert EMOJIS.row([cards.parse("Ah"), None]) == f"<:ace_of_hearts:{start + ace}><:card_back:{start + back}>"


def test_without_emojis_cards_stand_in_code() -> None:
    assert SIGNS.row(cards.parse_all("Ah Kd Tc Jk")) == "`A♥ K♦ 10♣ Joker`"
    assert SIGNS.row([cards.parse("Ah"), None]) == "`A♥ ▮`"
    assert SIGNS.row([]) == ""
    assert SIGNS.for_option(5) == ""


@pytest.mark.parametrize("missing", ["ace_of_hearts", "card_back"])
def test_a_pack_with_a_gap_counts_as_missing(missing: str) -> None:
    ids = {name: 5 for name in EMOJI_NAMES if name != missing}
    assert Emojis.of(ids) == SIGNS


def test_the_second_deck_takes_over_what_looks_the_same() -> None:
    ids = dict.fromkeys(EMOJI_NAMES, 5) | {"ten_of_clubs_2c": 6}
    two_colour = Emojis.of(ids, "_2c")
    assert two_colour.one(cards.parse("Tc")) == "<:ten_of_clubs_2c:6>"
    assert two_colour.one(cards.parse("Ts")) == "<:ten_of_spades:5>"


def test_cards_in_words_and_as_signs() -> None:
    assert words(cards.parse_all("Ac 9h")) == "Ace of clubs, nine of hearts"
    assert words([]) == ""
    assert signs(cards.parse_all("Ac 9h")) == "A♣ 9♥"

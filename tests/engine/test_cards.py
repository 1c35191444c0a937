"""Cards have names and short forms."""

import pytest

from bot.engine import cards
from bot.engine.errors import UnknownCard


@pytest.mark.law("K-1", "K-2", "K-6")
def test_the_deck_has_every_card_once() -> None:
    assert len(set(cards.STANDARD_52)) == 52
    assert len({cards.card_text(card) for card in cards.WITH_JOKER_53}) == 53
    assert [cards.rank_of(card) for card in (0, 51)] == [cards.TWO, cards.ACE]
    assert [cards.suit_of(card) for card in (0, 51)] == [cards.CLUBS, cards.SPADES]


@pytest.mark.law("K-3", "K-4", "VC-22")
def test_other_decks() -> None:
    assert len(cards.STRIPPED_36) == 36
    assert len(cards.STRIPPED_32) == 32
    assert len(cards.MEXICAN_41) == 41
    assert cards.JOKER in cards.MEXICAN_41
    assert cards.parse_card("6c") in cards.STRIPPED_36
    assert cards.parse_card("5s") not in cards.STRIPPED_36


@pytest.mark.parametrize("card", cards.WITH_JOKER_53)
def test_what_is_written_can_be_read(card: int) -> None:
    assert cards.parse_card(cards.card_text(card)) == card
    assert cards.parse_card(cards.card_symbol(card)) == card
    assert cards.parse_cards(cards.card_text(card) + " " + cards.card_symbol(card)) == (card, card)


@pytest.mark.parametrize(
    ("line", "read"),
    [
        ("AsKd", "AsKd"),
        ("as kD", "AsKd"),
        ("10h, Jk", "ThJk"),
        ("A♠10♦", "AsTd"),
        ("A♠\ufe0f K♥\ufe0f", "AsKh"),
        ("Joker", "Jk"),
        ("JOKER As", "JkAs"),
        ("*As", "JkAs"),
        ("", ""),
    ],
)
def test_ways_of_writing(line: str, read: str) -> None:
    assert cards.cards_text(cards.parse_cards(line)) == read


@pytest.mark.parametrize("line", ["Xs", "A", "1s", "AsK", "Ax", "As Kdd", "hello"])
def test_what_is_no_card_is_refused(line: str) -> None:
    with pytest.raises(UnknownCard):
        cards.parse_cards(line)


def test_names_in_words() -> None:
    assert cards.card_name(cards.parse_card("As")) == "ace of spades"
    assert cards.card_name(cards.JOKER) == "joker"
    assert cards.card_symbol(cards.parse_card("Th")) == "10♥"
    assert cards.card_symbol(cards.JOKER) == "Joker"

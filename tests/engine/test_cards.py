"""Cards: what they are called and how they are written."""

import pytest

from bot.engine import cards
from bot.engine.errors import UnknownCard


@pytest.mark.law("K-1", "K-2", "K-6")
def test_the_pack_has_every_card_once() -> None:
    assert len(set(cards.STANDARD_52)) == 52
    assert len({cards.text(card) for card in cards.WITH_JOKER_53}) == 53
    assert [cards.rank_of(card) for card in (0, 51)] == [cards.TWO, cards.ACE]
    assert [cards.suit_of(card) for card in (0, 51)] == [cards.CLUBS, cards.SPADES]


@pytest.mark.law("K-3", "K-4", "VC-22")
def test_other_packs() -> None:
    assert len(cards.STRIPPED_36) == 36
    assert len(cards.STRIPPED_32) == 32
    assert len(cards.MEXICAN_41) == 41
    assert cards.JOKER in cards.MEXICAN_41
    assert cards.parse("6c") in cards.STRIPPED_36
    assert cards.parse("5s") not in cards.STRIPPED_36


@pytest.mark.parametrize("card", cards.WITH_JOKER_53)
def test_what_is_written_can_be_read(card: int) -> None:
    assert cards.parse(cards.text(card)) == card
    assert cards.parse(cards.sign(card)) == card
    assert cards.parse_all(cards.text(card) + " " + cards.sign(card)) == (card, card)


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
    assert cards.texts(cards.parse_all(line)) == read


@pytest.mark.parametrize("line", ["Xs", "A", "1s", "AsK", "Ax", "As Kdd", "hello"])
def test_what_is_no_card_is_refused(line: str) -> None:
    with pytest.raises(UnknownCard, match="is not a card"):
        cards.parse_all(line)


def test_names_in_words() -> None:
    assert cards.name(cards.parse("As")) == "ace of spades"
    assert cards.name(cards.JOKER) == "joker"
    assert cards.sign(cards.parse("Th")) == "10♥"
    assert cards.sign(cards.JOKER) == "Joker"

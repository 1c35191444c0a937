"""The master secret and the decks derived from it."""

import os
import stat
from pathlib import Path

import pytest

from bot.fair.deck_order import (
    MissingSecret,
    deck_order,
    hand_secret,
    master_secret,
    new_nonce,
    shuffle_once,
)
from bot.table.next_hand import SHUFFLES_MIN

DECK = tuple(range(52))
MASTER = bytes(range(32))
KNOWN_SECRET = "a7da7ef83a533006ae0d0de3e6661869d3b4c74b1b4112fe8d06a5b669418514"
KNOWN_DECK = (1, 29, 2, 51, 44, 35, 16, 21, 34, 12)


def test_secret_is_created_once_and_readable_by_owner_only(tmp_path: Path) -> None:
    path = tmp_path / "data" / "master.key"
    made = master_secret(path, create=True)
    assert len(made) == 32
    assert master_secret(path, create=True) == made
    assert master_secret(path, create=False) == made
    if os.name == "posix":
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert [file.name for file in path.parent.iterdir()] == ["master.key"]


def test_lost_secret_is_not_replaced_while_hands_are_open(tmp_path: Path) -> None:
    with pytest.raises(MissingSecret):
        master_secret(tmp_path / "master.key", create=False)
    assert not (tmp_path / "master.key").exists()


@pytest.mark.parametrize("held", [b"", b"short", bytes(33)])
def test_damaged_secret_is_refused_and_kept(tmp_path: Path, held: bytes) -> None:
    path = tmp_path / "master.key"
    path.write_bytes(held)
    with pytest.raises(MissingSecret):
        master_secret(path, create=True)
    assert path.read_bytes() == held


def test_secret_half_written_by_a_crash_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "master.key.new").write_bytes(b"half")
    assert len(master_secret(tmp_path / "master.key", create=True)) == 32


def test_same_hand_has_the_same_deck() -> None:
    """This is a known answer: every later version must find the cards of a running hand again."""
    deck = deck_order(MASTER, 7, 1284, b"nonce", DECK, SHUFFLES_MIN)
    assert deck == deck_order(MASTER, 7, 1284, b"nonce", DECK, SHUFFLES_MIN)
    assert sorted(deck) == list(DECK)
    assert hand_secret(MASTER, 7, 1284, b"nonce").hex() == KNOWN_SECRET
    assert deck[:10] == KNOWN_DECK


@pytest.mark.law("D-4")
def test_deck_is_shuffled_three_times_independently() -> None:
    """There are at least three shuffles, and each alone is a new permutation."""
    assert SHUFFLES_MIN >= 3
    secret = hand_secret(MASTER, 7, 1284, b"nonce")
    deck, orders = list(DECK), set[tuple[int, ...]]()
    for number in range(SHUFFLES_MIN):
        alone = list(DECK)
        shuffle_once(alone, secret, number)
        assert sorted(alone) == list(DECK)
        orders.add(tuple(alone))
        shuffle_once(deck, secret, number)
    assert len(orders) == SHUFFLES_MIN
    assert tuple(deck) == deck_order(MASTER, 7, 1284, b"nonce", DECK, SHUFFLES_MIN)


def test_every_part_of_a_hands_key_changes_its_deck() -> None:
    decks = {
        deck_order(MASTER, 7, 1284, b"nonce", DECK, SHUFFLES_MIN),
        deck_order(bytes(32), 7, 1284, b"nonce", DECK, SHUFFLES_MIN),
        deck_order(MASTER, 8, 1284, b"nonce", DECK, SHUFFLES_MIN),
        deck_order(MASTER, 7, 1285, b"nonce", DECK, SHUFFLES_MIN),
        deck_order(MASTER, 71, 284, b"nonce", DECK, SHUFFLES_MIN),  # the parts cannot run into each other
        deck_order(MASTER, 7, 1284, b"ecnon", DECK, SHUFFLES_MIN),
    }
    assert len(decks) == 6
    assert new_nonce() != new_nonce()


@pytest.mark.parametrize("deck", [(), (51,), (3, 1), tuple(range(36)), (*range(52), 52), tuple(range(256))])
def test_shuffling_only_reorders_the_deck(deck: tuple[int, ...]) -> None:
    assert sorted(deck_order(MASTER, 1, 1, b"n", deck, SHUFFLES_MIN)) == sorted(deck)


def test_deck_larger_than_a_byte_is_refused() -> None:
    with pytest.raises(ValueError, match="257"):
        deck_order(MASTER, 1, 1, b"n", range(257), SHUFFLES_MIN)


def test_every_card_is_equally_likely_at_every_index() -> None:
    """Chi-square of card against index over 5,200 fixed decks: 51 × 51 degrees of freedom, mean 2,601, deviation 72."""
    decks = 5_200
    seen = [[0] * 52 for _ in DECK]
    for hand in range(decks):
        for index, card in enumerate(deck_order(MASTER, 1, hand, b"", DECK, SHUFFLES_MIN)):
            seen[index][card] += 1
    expected = decks / 52
    chi_square = sum((count - expected) ** 2 / expected for row in seen for count in row)
    assert 2_601 - 4 * 72 < chi_square < 2_601 + 4 * 72


def test_every_order_of_a_small_deck_is_equally_likely() -> None:
    """Chi-square of all 120 orders of five cards over 12,000 fixed decks: 119 degrees of freedom, deviation 15.4."""
    seen: dict[tuple[int, ...], int] = {}
    for hand in range(12_000):
        order = deck_order(MASTER, 2, hand, b"", range(5), SHUFFLES_MIN)
        seen[order] = seen.get(order, 0) + 1
    assert len(seen) == 120
    assert 119 - 4 * 15.4 < sum((count - 100) ** 2 / 100 for count in seen.values()) < 119 + 4 * 15.4

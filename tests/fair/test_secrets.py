"""The master secret and the decks made from it."""

import os
import stat
from pathlib import Path

import pytest

from bot.fair.secrets import SHUFFLES, MissingSecret, deck_order, hand_secret, master_secret, new_nonce, shuffle

PACK = tuple(range(52))
MASTER = bytes(range(32))
KNOWN_SECRET = "a7da7ef83a533006ae0d0de3e6661869d3b4c74b1b4112fe8d06a5b669418514"
KNOWN_DECK = (1, 29, 2, 51, 44, 35, 16, 21, 34, 12)


def test_the_secret_is_made_once_and_only_its_owner_reads_it(tmp_path: Path) -> None:
    path = tmp_path / "data" / "master.key"
    made = master_secret(path, create=True)
    assert len(made) == 32
    assert master_secret(path, create=True) == made
    assert master_secret(path, create=False) == made
    if os.name == "posix":
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert [file.name for file in path.parent.iterdir()] == ["master.key"]


def test_a_lost_secret_is_not_replaced_behind_the_back_of_open_hands(tmp_path: Path) -> None:
    with pytest.raises(MissingSecret):
        master_secret(tmp_path / "master.key", create=False)
    assert not (tmp_path / "master.key").exists()


@pytest.mark.parametrize("held", [b"", b"short", bytes(33)])
def test_a_damaged_secret_is_refused_and_kept(tmp_path: Path, held: bytes) -> None:
    path = tmp_path / "master.key"
    path.write_bytes(held)
    with pytest.raises(MissingSecret):
        master_secret(path, create=True)
    assert path.read_bytes() == held


def test_a_secret_half_written_by_a_crash_is_made_anew(tmp_path: Path) -> None:
    (tmp_path / "master.key.new").write_bytes(b"half")
    assert len(master_secret(tmp_path / "master.key", create=True)) == 32


def test_the_same_hand_has_the_same_deck() -> None:
    """A known answer: a running hand must find its cards again in every later version."""
    deck = deck_order(MASTER, 7, 1284, b"nonce", PACK)
    assert deck == deck_order(MASTER, 7, 1284, b"nonce", PACK)
    assert sorted(deck) == list(PACK)
    assert hand_secret(MASTER, 7, 1284, b"nonce").hex() == KNOWN_SECRET
    assert deck[:10] == KNOWN_DECK


@pytest.mark.law("D-4")
def test_the_pack_is_shuffled_three_times_and_each_time_anew() -> None:
    """At least three shuffles in all, each of them a fresh permutation by itself."""
    assert SHUFFLES >= 3
    secret = hand_secret(MASTER, 7, 1284, b"nonce")
    deck, orders = list(PACK), set[tuple[int, ...]]()
    for number in range(SHUFFLES):
        alone = list(PACK)
        shuffle(alone, secret, number)
        assert sorted(alone) == list(PACK)
        orders.add(tuple(alone))
        shuffle(deck, secret, number)
    assert len(orders) == SHUFFLES
    assert tuple(deck) == deck_order(MASTER, 7, 1284, b"nonce", PACK)


def test_every_part_of_the_name_of_a_hand_changes_its_deck() -> None:
    decks = {
        deck_order(MASTER, 7, 1284, b"nonce", PACK),
        deck_order(bytes(32), 7, 1284, b"nonce", PACK),
        deck_order(MASTER, 8, 1284, b"nonce", PACK),
        deck_order(MASTER, 7, 1285, b"nonce", PACK),
        deck_order(MASTER, 71, 284, b"nonce", PACK),  # the parts are kept apart
        deck_order(MASTER, 7, 1284, b"ecnon", PACK),
    }
    assert len(decks) == 6
    assert new_nonce() != new_nonce()


@pytest.mark.parametrize("pack", [(), (51,), (3, 1), tuple(range(36)), (*range(52), 52), tuple(range(256))])
def test_any_pack_is_only_put_in_order(pack: tuple[int, ...]) -> None:
    assert sorted(deck_order(MASTER, 1, 1, b"n", pack)) == sorted(pack)


def test_a_pack_that_a_byte_cannot_count_is_refused() -> None:
    with pytest.raises(ValueError, match="257"):
        deck_order(MASTER, 1, 1, b"n", range(257))


def test_every_card_is_as_likely_in_every_place() -> None:
    """Chi-square of card against place over 5,200 fixed decks: 51 × 51 degrees of freedom, mean 2,601, deviation 72."""
    decks = 5_200
    seen = [[0] * 52 for _ in PACK]
    for hand in range(decks):
        for place, card in enumerate(deck_order(MASTER, 1, hand, b"", PACK)):
            seen[place][card] += 1
    expected = decks / 52
    chi_square = sum((count - expected) ** 2 / expected for row in seen for count in row)
    assert 2_601 - 4 * 72 < chi_square < 2_601 + 4 * 72


def test_every_order_of_a_small_pack_is_as_likely() -> None:
    """All 120 orders of five cards over 12,000 fixed decks: 119 degrees of freedom, deviation 15.4."""
    seen: dict[tuple[int, ...], int] = {}
    for hand in range(12_000):
        order = deck_order(MASTER, 2, hand, b"", range(5))
        seen[order] = seen.get(order, 0) + 1
    assert len(seen) == 120
    assert 119 - 4 * 15.4 < sum((count - 100) ** 2 / 100 for count in seen.values()) < 119 + 4 * 15.4

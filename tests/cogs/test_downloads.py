"""A file of many hands: the newest that fit, in the order in which they were played."""

from pathlib import Path

import pytest
from pokerkit import HandHistory

from bot.history.lines import history_lines
from bot.history.pokerstars import NotInPokerStarsForm
from bot.history.read_file import read_hands
from bot.history.record import to_phh
from bot.runtime.past_hands import PastHand
from bot.runtime.snapshot import HandRecord
from bot.text.hand_files import FileForm
from bot.variants import CATALOGUE, game
from cogs import downloads
from cogs.downloads import _Parts
from tests.e2e.bot_session import bot_session
from tests.history.test_pokerstars import NAMES, written
from tests.support.pokerstars_reader import read_hands as tracked_hands
from tests.support.random_hands import PlainHand, random_hands


def past(hand: PlainHand, number: int) -> PastHand:
    pokerstars, gap = "", None
    try:
        pokerstars = written(hand, 0)
    except NotInPokerStarsForm as error:
        gap = error
    record = HandRecord(
        number, NAMES[: hand.hand.seat_count], history_lines(hand.events, hand.deck, 0),
        to_phh(hand.events, hand.deck, 0, NAMES), pokerstars, gap,
    )  # fmt: skip
    return PastHand(1, 1_795_420_000_000 + number, record)


def newest_first(hands: list[PlainHand], form: FileForm) -> _Parts:
    parts = _Parts(form)
    for number in reversed(range(len(hands))):
        parts.add(past(hands[number], number + 1))
        if parts.is_full:
            break
    return parts


def test_a_file_begins_with_the_oldest_hand() -> None:
    hands = random_hands([game("holdem"), game("stud8")], 10)
    for form in (FileForm.PHH, FileForm.POKERSTARS):
        read = list(read_hands(newest_first(hands, form).content().decode()))
        assert [one.record.starting_stacks for one in read] == [hand.started.stacks for hand in hands]
    assert len(tracked_hands(newest_first(hands, FileForm.POKERSTARS).content().decode())) == 10
    assert newest_first(hands, FileForm.TEXT).content().decode().startswith("Hand #1: No-Limit Hold'em")


def test_a_full_file_keeps_the_newest_hands(monkeypatch: pytest.MonkeyPatch) -> None:
    hands = random_hands([game("holdem")], 10)
    monkeypatch.setattr(downloads, "MAX_BYTES", 5_000)
    parts = newest_first(hands, FileForm.PHH)
    assert parts.is_full and 1 < len(parts.texts) < 10
    assert len(parts.content()) <= 5_000
    read = list(read_hands(parts.content().decode()))
    assert read[-1].record.starting_stacks == hands[-1].started.stacks
    monkeypatch.setattr(downloads, "MAX_HANDS", 2)
    assert len(newest_first(hands, FileForm.PHH).texts) == 2


def test_games_without_pokerstars_form_are_counted() -> None:
    hands = random_hands(CATALOGUE, len(CATALOGUE))
    parts = newest_first(hands, FileForm.POKERSTARS)
    assert parts.left_out + len(parts.texts) == len(CATALOGUE)
    assert len(newest_first(hands, FileForm.TEXT).texts) == len(CATALOGUE)


def test_pokerkit_reads_an_evening_in_phhs() -> None:
    hands = random_hands([game("holdem"), game("limit_holdem"), game("omaha")], 6, 2, odd=False)
    read = list(HandHistory.loads_all(newest_first(hands, FileForm.PHH).content().decode()))
    assert [tuple(one.starting_stacks) for one in read] == [hand.started.stacks for hand in hands]


async def test_private_table_is_unknown_to_others_who_download(tmp_path: Path) -> None:
    """They read what they would read of a table that was never opened."""
    async with bot_session(tmp_path) as room:
        ann, mal = await room.people("Ann", "Mal")
        await ann.slash("play", where="private")
        await ann.submit()
        assert room.now.is_private
        assert "There's no table 1. No table is open." in await mal.slash("hand", hands="table", table=1)
        assert "There's no table 2. No table is open." in await mal.slash("hand", hands="table", table=2)
        assert "There's no table" not in await ann.slash("hand", hands="table", table=1)

"""Today's program opens a data folder of version 0.1.0 with its tables in the middle of their hands, and goes on with them."""

import json
import shutil
import sqlite3
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest

from bot.engine.old_cards import CardDecoder
from bot.runtime.house_games import HouseGames
from bot.runtime.snapshot import RUN_OUT_STREET_MS, TableSnapshot
from bot.runtime.store_types import SavedHand, SavedTable
from bot.settings import DATA_FILE
from bot.store.backup import check_data
from bot.store.old_hands import Retention
from bot.table.picture_colours import Deck, Felt
from bot.table.settings import ChipKind, Pictures
from bot.table.state import Table
from tests.store.left_behind import Facts, LeftBehind, played, table_facts

KEPT = Path(__file__).parents[1] / "data" / "v0_1_0"
AFTER_SECONDS = 40
RUN_OUT_STREETS = {"18": 6}
"""By table, the streets of an all-in that are shown one by one: the next hand begins later by so much than it did in 0.1.0."""
"""So long after the last hand the next ones have been dealt."""

SAME_WORD = {"give up": "drop", "fold": "drop", "check/fold": "check/drop", "open or fold": "open or drop"}
"""Today's words for what version 0.1.0 stored under another one: a discard, a preselected fold and a fold were all a drop."""

DROPPED_FIELDS = frozenset({"pictures", "ask_run_twice"})
"""Fields whose words of version 0.1.0 today's program gives up on purpose: nothing drew pictures then, so nobody chose "text",
and `RUN_TWICE` alone says whether the players are asked."""


CUSTOMS = frozenset({
    "customs", "button_blind", "joker_up_bug", "wild_board", "follow", "priced", "extra", "openers", "match_pot", "door_by_suit", "low_ace",
    "clears", "redeal", "price_is_pot", "extra_down", "openers_back", "no_check_raise",
})  # fmt: skip
"""What a rule card says of its customs, then and now. That it says the same is tested in `tests/engine/test_old_cards.py`."""


class Upgraded:
    """The folder, opened by today's program, with the expected facts."""

    def __init__(self, folder: Path) -> None:
        self.expected: Facts = json.loads((KEPT / "expected.json").read_text(encoding="utf-8"))
        self.guild: int = self.expected["guild"]
        self.hour: int = self.expected["hour"]
        self.left = LeftBehind(folder, self.hour)
        self.tables: dict[str, TableSnapshot] = {}

    async def open(self) -> None:
        self.tables = {str(now.id): now for now in await self.left.open()}

    async def server(self) -> Facts:
        """Return what the server has beside its open tables."""
        users = [int(user) for user in self.expected["server"]["people"]]
        return await self.left.server(self.guild, self.expected["staff"], users)

    async def past(self) -> Facts:
        """Return every hand of every table, open or closed."""
        return await self.left.past(self.guild, [int(number) for number in self.expected["past"]])


@pytest.fixture
async def upgraded(tmp_path: Path) -> AsyncIterator[Upgraded]:
    """A copy of the folder, opened."""
    folder = tmp_path / "discord"
    shutil.copytree(KEPT / "discord", folder)
    kept = Upgraded(folder)
    try:
        await kept.open()
        yield kept
    finally:
        await kept.left.close()


async def test_every_table_stands_as_it_was_left(upgraded: Upgraded) -> None:
    found = {table: table_facts(now, upgraded.hour) for table, now in upgraded.tables.items()}
    assert found == upgraded.expected["tables"]


async def test_chips_claims_house_games_and_preferences_are_kept(upgraded: Upgraded) -> None:
    found = await upgraded.server()
    assert found == upgraded.expected["server"]
    assert found["books"]["faults"] == []


async def test_tables_of_a_program_without_pictures_are_drawn_per_street(upgraded: Upgraded) -> None:
    """Version 0.1.0 stored "text" and "per street" and drew neither; later versions stored no word at all."""
    house_games = await HouseGames(upgraded.left.store).games(upgraded.guild)
    every = [*(now.settings for now in upgraded.tables.values()), *(game.settings for game in house_games)]
    assert len(every) > 20
    assert {(one.pictures, one.picture_deck, one.felt) for one in every} == {
        (Pictures.PER_STREET, Deck.FOUR_COLOURS, Felt.CASH)
    }


@pytest.mark.law("TC-1")
async def test_tables_that_are_open_keep_their_chips(upgraded: Upgraded) -> None:
    assert {now.settings.chips for now in upgraded.tables.values()} == {ChipKind.SERVER}
    assert await upgraded.left.store.ledger_sum() == 0


@pytest.mark.parametrize(
    ("stored", "today"),
    [
        ("per street", Pictures.PER_STREET),
        ("every action", Pictures.PER_STREET),
        ("text", Pictures.PER_STREET),
        ("text only", Pictures.TEXT_ONLY),
    ],
)
def test_stored_words_for_pictures_are_read(stored: str, today: Pictures) -> None:
    assert msgspec.convert(stored, Pictures) is today


def test_no_other_word_is_read_as_a_picture_setting() -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert("every hand", Pictures)


async def test_finished_hands_can_still_be_told(upgraded: Upgraded) -> None:
    """Also once they are put away."""
    assert await upgraded.past() == upgraded.expected["past"]
    store = upgraded.left.store
    await store.finish_spare_time_work()
    with closing(sqlite3.connect(store.path)) as db:
        ((put_away, of),) = db.execute("SELECT (SELECT count(*) FROM finished_hand), (SELECT count(*) FROM hand)")
    assert put_away > of / 2
    assert await upgraded.past() == upgraded.expected["past"]
    assert store.failed_exchanges == 0


async def test_every_hand_is_played_on_to_its_end(upgraded: Upgraded) -> None:
    """The cards and the chips at stake are those of the old hand, and the next hands are dealt."""
    left, expected = upgraded.left, upgraded.expected
    for table, moves in expected["moves"].items():
        assert played(await left.plays_on(upgraded.tables[table], moves)) == expected["ends"][table]
    server = await upgraded.server()
    assert server == expected["server after"]
    assert server["books"]["faults"] == []
    past = await upgraded.past()
    for table, end in expected["ends"].items():
        now = upgraded.tables[table]
        hand = past[str(now.address.number)]["hands"][now.hand_number - 1]
        assert hand == "its table is closed" or {name: hand[name] for name in end["hand"]} == end["hand"]
    await left.wait(AFTER_SECONDS)
    there = {str(now.id): table_facts(now, left.clock.now()) for now in left.tables.tables_in_guild(upgraded.guild)}
    for table, streets in RUN_OUT_STREETS.items():
        expected["next"][table]["hand"]["ms left"] += streets * RUN_OUT_STREET_MS
    assert there == expected["next"]


async def test_old_hands_go_and_running_ones_play_on(tmp_path: Path) -> None:
    """Where hands are kept for a day, and two have passed. Of an open table the last two stay, and no chip changes."""
    folder = tmp_path / "discord"
    shutil.copytree(KEPT / "discord", folder)
    kept = Upgraded(folder)
    two_days_on = kept.hour + 2 * 86_400_000
    kept.left = LeftBehind(folder, kept.hour, Retention(1, lambda: two_days_on))
    await kept.open()
    left, expected = kept.left, kept.expected
    before = await left.bank.audit(left.asked(next(iter(kept.tables.values())), expected["staff"], staff=True))
    await left.store.finish_spare_time_work()
    assert await left.bank.audit(left.asked(next(iter(kept.tables.values())), expected["staff"], staff=True)) == before
    assert await kept.server() == expected["server"]
    gone = 0
    for number, past in expected["past"].items():
        record = await left.store.table_numbered(kept.guild, int(number))
        assert record is not None
        assert record.hand_count == len(past["hands"])
        for hand in range(1, record.hand_count + 1):
            is_kept = await left.store.hand(record.id, hand) is not None
            assert is_kept == (record.is_open and hand > record.hand_count - 2)
            gone += not is_kept
    assert gone > 10
    for table, moves in list(expected["moves"].items())[:6]:
        assert played(await left.plays_on(kept.tables[table], moves)) == expected["ends"][table]
    await left.close()
    assert check_data(left.store.path).problems == ()


async def test_it_opens_a_second_time(upgraded: Upgraded, tmp_path: Path) -> None:
    """What was migrated once is the same the next time."""
    await upgraded.left.close()
    again = LeftBehind(tmp_path / "discord", upgraded.hour)
    try:
        found = {str(now.id): table_facts(now, upgraded.hour) for now in await again.open()}
        assert found == upgraded.expected["tables"]
    finally:
        await again.close()


# nothing is lost: whatever a field is called now, each value that was stored is read


async def test_every_value_of_every_event_is_read(upgraded: Upgraded) -> None:
    read = 0
    await upgraded.left.store.finish_spare_time_work()
    for table, number, stored in stored_hands():
        hand: SavedHand | None = await upgraded.left.store.hand(table, number)
        assert hand is not None
        assert len(hand.events) >= len(stored), "opening may have added to the last one"
        for event, today in zip(stored, hand.events, strict=False):
            assert lost(event, today) == {}, event
            read += 1
    assert read > 3_500


async def test_every_value_of_every_table_is_read(upgraded: Upgraded) -> None:
    stored = dict(rows("SELECT table_id, blob FROM snapshot"))
    found: tuple[SavedTable, ...] = await upgraded.left.store.open_tables()
    for saved in found:
        assert saved.saved_state is not None
        today = CardDecoder[Table](Table).decode(saved.saved_state)
        assert lost(msgspec.msgpack.decode(stored[saved.record.id]), today) == {}, saved.record.id


async def test_every_value_of_every_house_game_is_read(upgraded: Upgraded) -> None:
    ((blob,),) = rows("SELECT value FROM kept WHERE key LIKE 'house.games.%'")
    today = await HouseGames(upgraded.left.store).games(upgraded.guild)
    for stored, game in zip(msgspec.msgpack.decode(blob), today, strict=True):
        assert lost(stored, game) == {}, game.name


def rows(sql: str) -> list[tuple[Any, ...]]:
    """Return the rows of the file that version 0.1.0 wrote."""
    with closing(sqlite3.connect(f"file:{KEPT / 'discord' / DATA_FILE}?immutable=1", uri=True)) as db:
        return db.execute(sql).fetchall()


def stored_hands() -> Iterator[tuple[int, int, list[Any]]]:
    """Return table, number and events of every hand, with the table's events until the next hand begins."""
    events: dict[int, list[Any]] = {}
    for table, blob in rows("SELECT table_id, blob FROM event ORDER BY table_id, seq"):
        events.setdefault(table, []).extend(msgspec.msgpack.decode(blob))
    hands = rows("SELECT table_id, number, seq FROM hand ORDER BY table_id, number")
    for (table, number, seq), following in zip(hands, [*hands[1:], (0, 0, 0)], strict=True):
        end = following[2] - 1 if following[0] == table else None
        yield table, number, events[table][seq - 1 : end]


def lost(stored: Any, today: Any) -> Counter[str]:
    """Return the values that were stored and are not in what was read from them. Empty ones and names do not count."""
    return values(stored) - values(msgspec.msgpack.decode(msgspec.msgpack.encode(today)))


def values(part: Any) -> Counter[str]:
    """Return every value in a tree of fields, as often as it is there."""
    found: Counter[str] = Counter()
    if isinstance(part, dict):
        is_card = "shares" in part
        for name, inner in part.items():
            if name not in ("type", "version") and name not in DROPPED_FIELDS and not (is_card and name in CUSTOMS):
                found += values(inner)
        found["1"] += is_card and "boards" not in part  # one board is not written any more
    elif isinstance(part, list):
        for inner in part:
            found += values(inner)
    elif part:
        found[repr(SAME_WORD.get(part, part) if isinstance(part, str) else part)] += 1
    return found

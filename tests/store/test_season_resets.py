"""Everybody's chips change at the end of a season, some people at a time. Nobody can tell, and nobody's chips change twice."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from bot.house.seasons import SeasonChips
from bot.ledger.accounts import TransferReason, mint_account, seat_account, wallet_account
from bot.ledger.refusals import NotEnoughChips
from bot.runtime.staff_log_types import StaffLogEntry, StaffLogKind
from bot.runtime.store_errors import PersonSeated, SeasonResultsStale, StoreFailed
from bot.runtime.store_types import Cause, Commit, Forgetting, SeasonEnd, UnshownChips
from bot.statistics.seasons import Season, SeasonResult
from bot.store import season_resets, seasons
from bot.store.store import Store
from bot.store.write_batch import reset_more
from tests.store.desk import CODEC, GUILD, NOON, Desk, is_synced, sqlite_store

PEOPLE = [1_574_118_484_827_176_960 + number for number in range(9)]
YOUNG = PEOPLE[6]
HALF, FIVE_THOUSAND = SeasonChips(carried=50), SeasonChips(start=5_000)


class EndingSeason:
    """A server in which a season ends. Its chips change step by step, when the test says so."""

    def __init__(self, store: Store) -> None:
        self.store, self.desk, self.seasons = store, Desk(store), 0

    async def begin(self) -> None:
        """Everybody has chips; some sit at a table; some have won from others."""
        for at, user in enumerate(PEOPLE[:-1]):
            await self.desk.grant(user, 1_001 + 10 * at)
        self.table = await self.desk.open(1)
        await self.buy_in(PEOPLE[1], 500)
        await self.buy_in(PEOPLE[7], 300)
        for winner, loser in ((0, 6), (3, 7), (7, 0)):
            await self.won(PEOPLE[winner], PEOPLE[loser], 300 + winner)

    async def won(self, winner: int, loser: int, chips: int) -> None:
        await self.store.commit(Commit(guild=GUILD, cause=self.desk.cause("flow"), flows=((winner, loser, chips),)))

    async def buy_in(self, user: int, chips: int) -> None:
        await self.desk.save(
            self.desk.move(
                wallet_account(user), seat_account(self.table, user), chips, TransferReason.BUY_IN, self.table
            )
        )

    async def leave(self, user: int, chips: int) -> None:
        await self.desk.save(
            self.desk.move(
                seat_account(self.table, user), wallet_account(user), chips, TransferReason.CASH_OUT, self.table
            )
        )

    async def close_season(self, chips: SeasonChips) -> None:
        self.seasons += 1
        season = Season(GUILD, self.seasons, "", self.seasons * 10, self.seasons * 10 + 5)
        await self.store.commit(Commit(guild=GUILD, cause=self.desk.cause("season"), season=season))
        await self.store.close_season(self.end_of(season, chips))

    def end_of(self, season: Season, chips: SeasonChips, people: int = 7) -> SeasonEnd:
        results = [SeasonResult(user, at + 1, 30, 10 - at) for at, user in enumerate(PEOPLE[:people])]
        return SeasonEnd(
            season=Season(season.guild, season.number, "", season.opened_at, season.ends_at, closed_at=NOON),
            results=tuple(results),
            cause=Cause(f"closed {season.number}", PEOPLE[0], NOON, "season closed"),
            staff_log=StaffLogEntry(kind=StaffLogKind.SEASON_CLOSED, season=season.number),
            chips=chips,
        )

    async def step(self) -> bool:
        """Let the next people have their turn. Returns whether there are more."""
        store = self.store
        return await store._write_between(lambda db: reset_more(db, store._cache, CODEC, GUILD))

    async def shown(self) -> dict[str, object]:
        """Everything that people read of their chips."""
        store, told = self.store, dict[str, object]()
        unshown = (UnshownChips(PEOPLE[1], 100, -100, 0), UnshownChips(PEOPLE[2], -7, 0, 0))
        for user in PEOPLE:
            told[f"wallet {user}"] = await store.holdings(GUILD, user)
            told[f"held {user}"] = await store.won_from_young(GUILD, user, YOUNG, 0)
            history = await store.history(GUILD, user, limit=3)
            told[f"history {user}"] = [(one.chips, one.reason, one.note) for one in history.entries[:3]]
            told[f"board {user}"] = await store.leaderboard(GUILD, user=user, limit=4, offset=2)
        told["board"] = await store.leaderboard(GUILD, limit=100)
        told["listed"] = await store.leaderboard(GUILD, user=PEOPLE[2], limit=3, unshown=unshown, only_listed=True)
        assert told["listed"] == await store.leaderboard(
            GUILD, user=PEOPLE[2], limit=3, unshown=unshown, among=PEOPLE[1:6]
        )
        told["unshown"] = await store.leaderboard(GUILD, limit=100, unshown=unshown)
        told["end"] = await store.season_end_chips(GUILD, HALF, ())
        return told


@pytest.fixture
async def ending(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[EndingSeason]:
    monkeypatch.setattr(season_resets, "PEOPLE_AT_ONCE", 2)
    monkeypatch.setattr(seasons, "RESULTS_AT_ONCE", 3)
    monkeypatch.setattr(Store, "_reset_in_background", lambda *_: None)
    store = sqlite_store(tmp_path)
    await store.open()
    ending = EndingSeason(store)
    await ending.begin()
    await store.mark_listed(GUILD, dict.fromkeys(PEOPLE[1:6], True), None)
    yield ending
    await store.finish_season_reset(GUILD)
    assert (await store.audit(GUILD)).faults == ()
    await store.close()
    with closing(sqlite3.connect(store.path)) as db:
        assert db.execute("SELECT 1 FROM season_reset UNION SELECT 1 FROM season_reset_early").fetchall() == []


@pytest.mark.parametrize("chips", [HALF, FIVE_THOUSAND])
async def test_nobody_can_tell_how_far_the_change_is(ending: EndingSeason, chips: SeasonChips) -> None:
    for winner, loser in ((4, 5), (5, 6), (1, 8)):  # more than leaderboards count from one opponent
        await ending.won(PEOPLE[winner], PEOPLE[loser], 11_000 + 2_000 * winner)
    before = {user: (await ending.store.holdings(GUILD, user)).wallet for user in PEOPLE}
    lines = (await ending.store.leaderboard(GUILD, limit=100)).lines
    uncounted = [14_000, 16_000, 8_000]
    assert sorted(line.uncounted for line in lines)[-3:] == sorted(uncounted)
    await ending.close_season(chips)
    shown, steps = await ending.shown(), 0
    lines = (await ending.store.leaderboard(GUILD, limit=100)).lines
    kept = [(won * chips.carried_from_tables // 100 - 5_000) for won in (19_000, 21_000, 13_000)]
    assert sorted(line.uncounted for line in lines)[-3:] == sorted([max(0, each) for each in kept])
    for user in PEOPLE[:-1]:
        assert (await ending.store.holdings(GUILD, user)).wallet == chips.wallet_after(before[user])
    while await ending.step():
        steps += 1
        assert await ending.shown() == shown
        assert (await ending.store.audit(GUILD)).faults == ()
    assert await ending.shown() == shown and steps == 4
    assert await is_synced(ending.store)
    assert not await ending.step()


async def test_end_of_a_season_is_foretold(ending: EndingSeason) -> None:
    """What it would take and give, before anybody decides."""
    wallets = {user: (await ending.store.holdings(GUILD, user)).wallet for user in PEOPLE}
    halved = await ending.store.season_end_chips(GUILD, HALF, ())
    assert (halved.wallets, halved.given, halved.on_tables) == (8, 0, 800)
    assert halved.taken == sum(chips - HALF.wallet_after(chips) for chips in wallets.values())
    raised = await ending.store.season_end_chips(GUILD, FIVE_THOUSAND, PEOPLE[:-1])
    assert (raised.wallets, raised.taken) == (8, 0)
    assert raised.given == sum(5_000 - chips for user, chips in wallets.items() if user != PEOPLE[-1])


async def test_chips_that_move_change_first_and_once(ending: EndingSeason) -> None:
    """Somebody buys in, somebody goes home, a newcomer gets a gift: each before their turn."""
    await ending.close_season(HALF)
    first, last, newcomer = PEOPLE[0], PEOPLE[5], PEOPLE[8]
    await ending.step()
    with pytest.raises(NotEnoughChips):
        await ending.buy_in(last, 1_051)
    await ending.buy_in(last, 25)
    await ending.leave(PEOPLE[1], 500)
    await ending.desk.grant(newcomer, 777)
    await ending.desk.grant(first, 100)
    shown = await ending.shown()
    while await ending.step():
        assert await ending.shown() == shown
    wallets = [(await ending.store.holdings(GUILD, user)).wallet for user in (first, last, newcomer, PEOPLE[1])]
    assert wallets == [1_001 // 2 + 100, 1_051 // 2 - 25, 777, (1_011 - 500) // 2 + 250]


async def test_what_is_won_meanwhile_is_held_whole(ending: EndingSeason) -> None:
    await ending.close_season(HALF)
    await ending.won(PEOPLE[0], YOUNG, 40)
    held = await ending.store.won_from_young(GUILD, PEOPLE[0], YOUNG, 0)
    assert held == ((YOUNG, 300 // 2 + 40),)
    await ending.store.finish_season_reset(GUILD)
    assert await ending.store.won_from_young(GUILD, PEOPLE[0], YOUNG, 0) == held


async def test_another_season_ends_only_when_all_is_written(ending: EndingSeason) -> None:
    await ending.close_season(HALF)
    await ending.step()
    await ending.close_season(HALF)
    await ending.step()
    assert (await ending.store.holdings(GUILD, PEOPLE[4])).wallet == 1_041 // 2 // 2


async def test_a_person_is_taken_out_when_all_is_written(ending: EndingSeason) -> None:
    await ending.close_season(FIVE_THOUSAND)
    await ending.step()
    gone = PEOPLE[4]
    forgetting = Forgetting(GUILD, gone, Cause("gone", gone, NOON, "data deleted"), (b"a", b"b"))
    assert (await ending.store.begin_deletion(forgetting)).chips == 5_000
    await ending.store.rewrite_rows_of(GUILD, gone)
    assert await is_synced(ending.store)
    await ending.store.end_deletion(GUILD, gone)
    assert (await ending.store.audit(GUILD)).house == 5_000
    ids = str(gone).encode(), gone.to_bytes(8, "big")
    await ending.store.close()
    content = b"".join(path.read_bytes() for path in ending.store.path.parent.glob("cardroom.db*"))
    assert not any(one in content for one in ids)
    await ending.store.open()


async def test_seated_person_is_not_taken_out(ending: EndingSeason) -> None:
    seated = PEOPLE[1]
    with pytest.raises(PersonSeated):
        await ending.store.begin_deletion(
            Forgetting(GUILD, seated, Cause("gone", seated, NOON, "data deleted"), (b"a", b"b"))
        )
    assert (await ending.store.holdings(GUILD, seated)).wallet == 511


async def test_others_keep_what_was_kept_beside_a_deletion(ending: EndingSeason) -> None:
    """A list of people at which the person stood, and chips that others have won from each other."""
    gone, other = PEOPLE[4], PEOPLE[5]
    flows = 'SELECT * FROM flow ORDER BY "user", other'
    await ending.store.keep(f"banned.{GUILD}", msgspec.msgpack.encode([other, gone]))
    with closing(sqlite3.connect(ending.store.path)) as db:
        before = db.execute(flows).fetchall()
    forgetting = Forgetting(
        GUILD, gone, Cause("gone", gone, NOON, "data deleted"), (b"a", b"b"), values_with_ids=("banned.",)
    )
    former = (await ending.store.begin_deletion(forgetting)).former
    await ending.store.rewrite_rows_of(GUILD, gone)
    await ending.store.end_deletion(GUILD, gone)
    kept = await ending.store.value(f"banned.{GUILD}")
    assert kept is not None and msgspec.msgpack.decode(kept) == [other, former]
    with closing(sqlite3.connect(ending.store.path)) as db:
        assert db.execute(flows).fetchall() == before


async def test_results_of_a_season_that_goes_on_are_not_told(
    ending: EndingSeason, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The dealer is killed when they are half written, and somebody wins another hand. Then others are written."""
    store = ending.store
    season = Season(GUILD, 1, "", 10, 15)
    await store.commit(Commit(guild=GUILD, cause=ending.desk.cause("season"), season=season))
    with monkeypatch.context() as patched:

        def full(*_: object) -> None:
            raise sqlite3.OperationalError("the disk is full")

        patched.setattr(seasons, "close_season", full)
        with pytest.raises(sqlite3.OperationalError):
            await store.close_season(ending.end_of(season, HALF))
    assert await store.own_season_results(GUILD, PEOPLE[0]) == ()
    with closing(sqlite3.connect(store.path)) as db:
        assert db.execute("SELECT count(*) FROM season_result").fetchone() == (7,)
        assert seasons.all_results(db, GUILD, 1) == ()
    assert (await store.holdings(GUILD, PEOPLE[4])).wallet == 1_041
    await store.close_season(ending.end_of(season, HALF, people=4))
    assert (await store.season_results_page(GUILD, 1)).players == 4
    assert (await store.own_season_results(GUILD, PEOPLE[0]))[0][0] == 1
    with pytest.raises(SeasonResultsStale):
        await store.close_season(ending.end_of(season, HALF))
    with closing(sqlite3.connect(store.path)) as db:
        db.create_function("may_exchange", 3, lambda *_: False)
        with pytest.raises(sqlite3.IntegrityError):
            db.execute("INSERT INTO season_result VALUES (?, 1, 5, 1, 1, 1, 0, 9)", (GUILD,))


async def test_a_full_disk_leaves_everybody_as_they_were(ending: EndingSeason, monkeypatch: pytest.MonkeyPatch) -> None:
    await ending.close_season(HALF)
    await ending.step()
    shown = await ending.shown()

    def full(*_: object) -> None:
        raise sqlite3.OperationalError("the disk is full")

    with monkeypatch.context() as patched:
        patched.setattr("bot.store.write_batch.note_reached", full)
        with pytest.raises(StoreFailed):
            await ending.step()
    assert await ending.shown() == shown
    while await ending.step():
        assert await ending.shown() == shown


@pytest.mark.parametrize("seed", range(4))
async def test_random_evenings_agree_with_a_plain_recount(ending: EndingSeason, seed: int) -> None:
    """People buy in, go home, get gifts and see seasons end, in any order; a dictionary keeps their chips beside."""
    rng, store = random.Random(seed), ending.store
    wallets = {user: (await store.holdings(GUILD, user)).wallet for user in PEOPLE[:-1]}
    for _ in range(60):
        user, chips = rng.choice(PEOPLE), rng.randint(1, 200)
        match rng.choice(("step", "step", "gift", "take", "end", "flow")):
            case "step":
                await ending.step()
            case "gift":
                await ending.desk.grant(user, chips)
                wallets[user] = wallets.get(user, 0) + chips
            case "take" if wallets.get(user, 0) >= chips:
                taken = ending.desk.move(wallet_account(user), mint_account(), chips, TransferReason.STAFF_TAKE)
                await store.commit(taken)
                wallets[user] -= chips
            case "flow":
                await ending.won(user, PEOPLE[(PEOPLE.index(user) + 1) % 9], chips)
            case "end" if rng.random() < 0.5:
                rule = rng.choice((HALF, FIVE_THOUSAND, SeasonChips(carried=0), SeasonChips(carried=99)))
                await ending.close_season(rule)
                wallets = {  # the last one has never played
                    user: rule.wallet_after(chips, has_played=user != PEOPLE[8]) for user, chips in wallets.items()
                }
        assert {user: (await store.holdings(GUILD, user)).wallet for user in wallets} == wallets
        board = await store.leaderboard(GUILD, limit=20)
        assert {line.user: line.wallet for line in board.lines} == wallets
        assert [line.total for line in board.lines] == sorted((line.total for line in board.lines), reverse=True)

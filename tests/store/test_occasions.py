"""Nights, sit-and-gos and duels have journals of their own, saved together with chips and with what happens at tables."""

from functools import partial

import pytest
from msgspec.structs import replace

from bot.engine.events import ActionOn, Checked, Folded
from bot.events.nights.events import NightAnswered
from bot.events.nights.state import NightAnswer
from bot.ledger.accounts import TransferReason, escrow_account, wallet_account
from bot.ledger.refusals import NotEnoughChips
from bot.ledger.seasons import SeasonChips
from bot.runtime.staff_log_types import StaffLogEntry, StaffLogKind
from bot.runtime.store_errors import InvalidCommit, StaleVersion
from bot.runtime.store_types import (
    Commit,
    DuelWon,
    Forgetting,
    NewTable,
    OccasionChange,
    Receipt,
    SeasonEnd,
    StoredEvent,
)
from bot.statistics.seasons import Season, SeasonResult
from bot.statistics.types import RankingOrder
from bot.store import occasions
from bot.store.database import DATABASE_FAILED, Database
from bot.store.store import Store
from tests.store.desk import ANN, BO, GUILD, NOON, Desk


async def begin(desk: Desk, *events: StoredEvent, kind: str = "night", guild: int = GUILD) -> int:
    change = OccasionChange(kind=kind, events=events or (Checked(0),))
    return (await desk.store.commit(Commit(guild=guild, cause=desk.cause("night"), occasion=change))).occasion


async def append(desk: Desk, occasion: int, seq: int, *events: StoredEvent, closes: bool = False) -> Receipt:
    change = OccasionChange(id=occasion, seq=seq, events=events, closes=closes)
    return await desk.store.commit(Commit(guild=GUILD, cause=desk.cause("night"), occasion=change))


async def test_events_of_an_occasion_follow_one_another(store: Store, desk: Desk) -> None:
    night = await begin(desk, Checked(0), ActionOn(1))
    receipt = await append(desk, night, 3, Checked(1))
    assert (receipt.occasion, receipt.repeated) == (night, False)
    (saved,) = await store.open_occasions()
    assert (saved.record.kind, saved.events, saved.seq) == ("night", (Checked(0), ActionOn(1), Checked(1)), 4)
    await append(desk, night, 4, Folded(1), closes=True)
    assert await store.open_occasions() == ()
    over = await store.occasion(night)
    assert over is not None and not over.record.is_open and over.events[-1] == Folded(1)


async def test_open_occasions_are_read_from_where_they_were_kept(store: Store, desk: Desk) -> None:
    night, other = await begin(desk, Checked(0), ActionOn(1)), await begin(desk)
    kept = OccasionChange(id=night, seq=3, events=(Checked(1), ActionOn(0)), keeps=True)
    await desk.store.commit(Commit(guild=GUILD, cause=desk.cause("night"), occasion=kept))
    await append(desk, night, 5, Checked(0))
    one, two = await store.open_occasions()
    assert (one.first, one.events, one.seq) == (3, (Checked(1), ActionOn(0), Checked(0)), 6)
    assert (two.record.id, two.first, two.seq) == (other, 1, 2)
    whole = await store.occasion(night)
    assert whole is not None and (whole.first, len(whole.events), whole.seq) == (1, 5, 6)
    await append(desk, night, 6, Folded(0), closes=True)
    assert len(await store.open_occasions()) == 1


async def test_occasions_are_found_by_server_and_kind(store: Store, desk: Desk) -> None:
    night, duel = await begin(desk), await begin(desk, kind="duel")
    other = await begin(desk, guild=GUILD + 1)
    assert [one.record.id for one in await store.open_occasions()] == [night, duel, other]
    assert [one.record.id for one in await store.open_occasions(GUILD)] == [night, duel]
    assert [one.record.id for one in await store.open_occasions(GUILD, "duel")] == [duel]
    assert [one.record.id for one in await store.open_occasions(kind="night")] == [night, other]


def comes(user: int) -> NightAnswered:
    return NightAnswered(user, "", NightAnswer.IN, NOON)


async def test_occasions_of_a_person_are_found_when_over_too(
    store: Store, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(occasions, "STEP_EVENTS", 2)
    zoe, kim = 1_576_363_164_608_495_616, 1_576_363_164_608_495_617
    theirs, over = await begin(desk, comes(zoe)), await begin(desk, comes(kim))
    duel = await begin(desk, comes(zoe), kind="duel")
    await append(desk, over, 2, Checked(0))
    await append(desk, over, 3, comes(zoe), closes=True)
    other = await begin(desk, comes(zoe), guild=GUILD + 1)
    assert await store.occasions_of(GUILD, "night", zoe) == (theirs, over)
    assert await store.occasions_of(GUILD, "duel", zoe) == (duel,)
    assert await store.occasions_of(GUILD + 1, "night", zoe) == (other,)
    assert await store.occasions_of(GUILD, "night", kim) == (over,)


@pytest.mark.parametrize("seq", [1, 3, 99])
async def test_second_owner_of_an_occasion_is_kept_out(store: Store, desk: Desk, seq: int) -> None:
    night = await begin(desk)
    with pytest.raises(StaleVersion) as stale:
        await append(desk, night, seq, Checked(1))
    assert stale.value.next_seq == 2


async def test_nothing_follows_the_end_of_an_occasion(store: Store, desk: Desk) -> None:
    night = await begin(desk)
    await append(desk, night, 2, Checked(1), closes=True)
    with pytest.raises(StaleVersion):
        await append(desk, night, 3, Checked(0))
    with pytest.raises(InvalidCommit):
        await append(desk, night, 3)
    strange = OccasionChange(id=await begin(desk), seq=2, events=(Checked(1),))
    with pytest.raises(StaleVersion):
        await store.commit(Commit(guild=GUILD + 1, cause=desk.cause(), occasion=strange))


async def test_repeated_opening_is_answered_with_the_same_occasion(store: Store, desk: Desk) -> None:
    commit = Commit(
        guild=GUILD, cause=desk.cause(key="click"), occasion=OccasionChange(kind="duel", events=(Checked(0),))
    )
    first, second = await store.commit(commit), await store.commit(commit)
    assert (second.repeated, second.occasion) == (True, first.occasion)
    assert len(await store.open_occasions()) == 1


async def test_occasion_opens_with_its_table_and_is_restored_with_it(store: Store, desk: Desk) -> None:
    change = OccasionChange(kind="sit-and-go", events=(Checked(0),), at_this_table=True)
    opening = Commit(guild=GUILD, cause=desk.cause("open"), new_table=NewTable(7, b""), occasion=change)
    receipt = await store.commit(opening)
    (saved,) = await store.open_tables()
    assert saved.occasion is not None and saved.occasion.record.table == saved.record.id == receipt.table
    assert await store.occasion_at(receipt.table) == saved.occasion
    ordinary = await desk.open(channel=8)
    again = await store.saved_table(ordinary)
    assert again is not None and again.occasion is None


@pytest.mark.law("SG-1")
async def test_buy_ins_lie_in_escrow_until_they_are_paid(store: Store, desk: Desk) -> None:
    table = await desk.open(channel=7)
    await desk.grant(ANN, 500)
    await desk.grant(BO, 500)
    escrow = escrow_account(table)
    for user in (ANN, BO):
        await store.commit(desk.move(wallet_account(user), escrow, 400, TransferReason.ENTRY, table))
    assert (await store.table_chips(table)).escrow == (await store.audit(GUILD)).escrow == 800
    with pytest.raises(InvalidCommit, match="closes with 800 chips"):
        await store.commit(desk.acted(table, Folded(0), closes=True))
    with pytest.raises(NotEnoughChips):
        await store.commit(desk.move(escrow, wallet_account(ANN), 801, TransferReason.PRIZE, table))
    await store.commit(desk.move(escrow, wallet_account(ANN), 800, TransferReason.PRIZE, table))
    await store.commit(desk.acted(table, Folded(0), closes=True))
    assert (await store.holdings(GUILD, ANN)).wallet == 900
    assert not (await store.audit(GUILD)).faults


async def test_refused_chips_leave_no_event_of_the_occasion(store: Store, desk: Desk) -> None:
    table, night = await desk.open(channel=7), await begin(desk)
    await desk.grant(ANN, 100)
    entry = desk.move(wallet_account(ANN), escrow_account(table), 101, TransferReason.ENTRY, table)
    with pytest.raises(NotEnoughChips):
        await store.commit(replace(entry, occasion=OccasionChange(id=night, seq=2, events=(Checked(1),))))
    assert (await append(desk, night, 2, Checked(1))).occasion == night


async def test_stored_event_of_an_occasion_cannot_be_changed(store: Store, desk: Desk) -> None:
    await begin(desk)
    for statement in ("UPDATE occasion_event SET blob = blob", "DELETE FROM occasion_event", "DELETE FROM occasion"):
        with pytest.raises(DATABASE_FAILED, match="never"):
            await store._write_between(partial(_execute, statement))


def _execute(statement: str, db: Database) -> None:
    db.execute(statement)


async def test_former_player_stands_in_the_journal_of_an_occasion(store: Store, desk: Desk) -> None:
    person = 1 << 50
    over, still_open = await begin(desk, Checked(person)), await begin(desk, Checked(person))
    await append(desk, over, 2, Checked(1), closes=True)
    forgotten = await store.begin_deletion(Forgetting(GUILD, person, desk.cause(), (b"a", b"b")))
    await store.rewrite_rows_of(GUILD, person)
    await store.end_deletion(GUILD, person)
    for occasion in (over, still_open):
        saved = await store.occasion(occasion)
        assert saved is not None and saved.events[0] == Checked(forgotten.former)


async def duel(desk: Desk, winner: int, loser: int, chips: int = 0) -> None:
    """Play a duel to its end."""
    opened = await begin(desk, kind="duel")
    change = OccasionChange(id=opened, seq=2, events=(Checked(1),), closes=True, duel_won=DuelWon(winner, loser, chips))
    commit = Commit(guild=desk.guild, cause=desk.cause("duel"), occasion=change)
    await desk.store.commit(commit)
    assert (await desk.store.commit(commit)).repeated  # and counts once


async def test_duels_won_and_lost_are_counted_in_their_server(store: Store, desk: Desk) -> None:
    await duel(desk, ANN, BO)
    await duel(desk, ANN, BO, chips=500)
    await duel(desk, BO, ANN)
    await append(desk, await begin(desk, kind="duel"), 2, Checked(1), closes=True)  # nobody has won
    assert await store.duel_record(GUILD, ANN) == (2, 1)
    assert await store.duel_record(GUILD, BO) == (1, 2)
    assert await store.duel_record(GUILD + 1, ANN) == (0, 0)


async def test_duels_go_with_the_data_of_a_person(store: Store, desk: Desk) -> None:
    person = 1 << 50
    await duel(desk, person, BO, chips=500)
    await store.begin_deletion(Forgetting(GUILD, person, desk.cause(), (b"a", b"b")))
    await store.rewrite_rows_of(GUILD, person)
    await store.end_deletion(GUILD, person)
    assert await store.duel_record(GUILD, person) == (0, 0)
    assert await store.duel_record(GUILD, BO) == (0, 1)


@pytest.mark.law("SG-1")
async def test_season_that_ends_in_the_middle_cuts_prizes(store: Store, desk: Desk) -> None:
    """Everybody begins the next season with 1,000, and nothing of the last one is carried over: prizes of it are cut like stacks."""
    table = await desk.open(channel=7)
    for user in (ANN, BO):
        await desk.grant(user, 500)
        await store.commit(desk.move(wallet_account(user), escrow_account(table), 500, TransferReason.ENTRY, table))
    season = Season(GUILD, 1, "Spring", NOON, 0, 0, RankingOrder.NET, 1, 7)
    await store.commit(Commit(guild=GUILD, cause=desk.cause(), season=season))
    end = SeasonEnd(
        season=replace(season, ends_at=NOON + 1, closed_at=NOON + 2),
        results=(SeasonResult(ANN, 1, 4, 250),),
        cause=desk.cause(),
        staff_log=StaffLogEntry(kind=StaffLogKind.SEASON_CLOSED),
        chips=SeasonChips(start=1_000),
        former_players=await store.former_player_count(GUILD),
    )
    assert await store.close_season(end) == (table,)
    await store.finish_season_reset(GUILD)
    before = (await store.holdings(GUILD, ANN)).wallet
    await store.commit(desk.move(escrow_account(table), wallet_account(ANN), 1_000, TransferReason.PRIZE, table))
    assert (await store.holdings(GUILD, ANN)).wallet == before
    assert not (await store.audit(GUILD)).faults

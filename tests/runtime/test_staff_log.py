"""What staff do is written down with it; whoever is banned leaves and stays out; players report hands."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from bot.engine import commands as c
from bot.runtime.commands import VoidHand
from bot.runtime.errors import Banned, CannotBan, NoHandYet, NoSuchReport, NoSuchTable, NotBanned, TooManyReports
from bot.runtime.house_games import HouseGames
from bot.runtime.staff_log import OPEN_REPORTS_MAX
from bot.runtime.staff_log_types import StaffLogEntry, StaffLogKind
from bot.signals import StaffLogWritten
from bot.table.commands import (
    CloseTable,
    ComeBack,
    Consent,
    JoinWaitingList,
    LeaveTable,
    ProposeStackAdjustment,
    RemovePlayer,
    TakeSeat,
    TopUp,
)
from bot.table.refusals import StaffOnly
from bot.table.state import StackChange
from tests.runtime.evening import GUILD, USERS, Evening, settings
from tests.runtime.manual_clock import MINUTE

ANN, BO, CY, IDA = USERS["Ann"], USERS["Bo"], USERS["Cy"], USERS["Ida"]
Kind = StaffLogKind


async def told(evening: Evening) -> list[StaffLogEntry]:
    """Return what the staff log holds, without what fills wallets before an evening."""
    lines = await evening.store.staff_log(GUILD, after=0, limit=100)
    return [line.entry for line in lines if line.entry.reason != "for the evening"]


async def test_staff_log_tells_who_did_what_and_why(evening: Evening) -> None:
    await evening.open()
    await evening.seat(Ann=10_000, Bo=10_000, Cy=10_000)
    await evening.deal()
    heard: list[int] = []
    evening.signals.on(StaffLogWritten, lambda signal: heard.append(signal.guild))
    ida = {"staff": True}
    await evening.ask("Ida", VoidHand("a wrong card"), **ida)
    await evening.bank.grant(evening.request("Ida", staff=True), BO, 500, " a prize ")
    await evening.bank.take(evening.request("Ida", staff=True), BO, 200, "a mistake")
    await evening.bank.change_house_rules(evening.request("Ida", staff=True), daily=700, relief=2_000)
    await evening.bank.change_house_rules(evening.request("Ida", staff=True), theme="light")
    games = HouseGames(evening.store, evening.clock, evening.tables.staff_log)
    await games.save(evening.request("Ida", staff=True), "Friday", settings())
    await games.delete(evening.request("Ida", staff=True), "Friday")
    await evening.ask("Ida", RemovePlayer, CY, staff=True)
    await evening.ask("Ida", CloseTable, staff=True)
    table = evening.table
    assert await told(evening) == [
        StaffLogEntry(kind=Kind.HAND_VOIDED, table=table, hand=1, reason="a wrong card"),
        StaffLogEntry(kind=Kind.GRANTED, about=BO, chips=500, reason="a prize"),
        StaffLogEntry(kind=Kind.TOOK, about=BO, chips=200, reason="a mistake"),
        StaffLogEntry(kind=Kind.RULE_CHANGED, name="daily", before=1_000, after=700),
        StaffLogEntry(kind=Kind.RULE_CHANGED, name="theme", before="classic", after="light"),
        StaffLogEntry(kind=Kind.GAME_SAVED, name="Friday"),
        StaffLogEntry(kind=Kind.GAME_DELETED, name="Friday"),
        StaffLogEntry(kind=Kind.PLAYER_REMOVED, about=CY, table=table, hand=1),
        StaffLogEntry(kind=Kind.TABLE_CLOSED, table=table, hand=1),
    ]
    lines = await evening.store.staff_log(GUILD, after=0, limit=100)
    assert {line.who for line in lines} == {IDA} and {line.table_number for line in lines} == {0, 1}
    assert heard == [GUILD] * 9, "each is told as soon as it is saved"


async def test_host_who_closes_their_table_is_no_matter_for_staff(evening: Evening) -> None:
    await evening.open()
    await evening.ask("Ann", CloseTable)
    assert await told(evening) == []


@pytest.mark.law("H-3")
async def test_books_name_who_proposed_and_agreed_to_corrections(evening: Evening) -> None:
    await evening.open()
    await evening.seat(Ann=10_000, Bo=10_000)
    await evening.deal()
    folded = evening.to_act
    loser, winner = (ANN, BO) if folded == "Ann" else (BO, ANN)
    await evening.next_player_acts("folds")
    await evening.ask("Ann", ProposeStackAdjustment(ANN, (StackChange(winner, -40), StackChange(loser, 40))))
    await evening.ask("Bo", Consent)
    staff = evening.request("Ida", staff=True)
    (found,) = (await evening.bank.audit(staff)).adjustments
    assert (found.table, found.hand, found.proposed_by) == (1, 1, ANN)
    assert (set(found.shifts), set(found.agreed)) == ({(winner, -40), (loser, 40)}, {ANN, BO})
    assert await evening.bank.adjustments(staff, before=found.id) == ()
    with pytest.raises(StaffOnly):
        await evening.bank.adjustments(evening.request("Ann"))
    evening.clock.move_to(evening.clock.now() + 31 * 24 * 60 * MINUTE)
    assert (await evening.bank.audit(staff)).adjustments == ()


# bans


async def test_banned_player_cannot_play_open_or_claim(evening: Evening) -> None:
    await evening.open()
    await evening.seat(Ann=10_000)
    await evening.tables.ban(evening.request("Ida", staff=True), BO, "two accounts")
    for command in (TakeSeat(BO, "Bo", 10_000, 2, 0), JoinWaitingList(BO, "Bo"), TopUp(BO, 5), c.Call()):
        with pytest.raises(Banned):
            await evening.ask("Bo", command)
    with pytest.raises(Banned):
        await evening.tables.open(evening.request("Bo", channel=71), settings())
    for claim in (evening.bank.daily, evening.bank.relief):
        with pytest.raises(Banned):
            await claim(evening.request("Bo"))
    assert (await evening.bank.holdings(GUILD, BO)).wallet == 0, "no starting chips either"
    await evening.crash()
    with pytest.raises(Banned):
        await evening.bank.daily(evening.request("Bo"))
    await evening.tables.staff_log.unban(evening.request("Ida", staff=True), BO)
    assert (await evening.bank.daily(evening.request("Bo"))).chips == 1_000
    await evening.crash()
    assert evening.tables.staff_log.bans(evening.request("Ida", staff=True)) == ()


@pytest.mark.law("TL-40")
async def test_banned_player_leaves_as_everybody_who_leaves(evening: Evening) -> None:
    """Bo is banned while others act: folded at the turn, out after the hand. Who is all-in can still win it."""
    await evening.open()
    await evening.seat(Ann=10_000, Bo=10_000, Cy=10_000)
    await evening.deal()
    first = evening.to_act
    await evening.next_player_acts("calls")
    second = evening.to_act
    _, leaves_later = await evening.tables.ban(evening.request("Ida", staff=True), USERS[first], "")
    assert leaves_later and first in evening.stacks()
    await evening.next_player_acts("raises to 300")
    for command in (c.Call(), ComeBack, LeaveTable):
        with pytest.raises(Banned):
            await evening.ask(first, command)
    await evening.next_player_acts("folds")
    assert first not in evening.stacks() and not evening.playing(), f"folded at the turn, so {second} has won"
    assert (await evening.bank.holdings(GUILD, USERS[first])).wallet == 9_900
    await evening.audit()


async def test_ban_outlives_crash_before_the_player_has_left(evening: Evening) -> None:
    """Bo sits and Cy is in a hand with Ann. Staff ban both, and the power goes before either has left."""
    await evening.open()
    await evening.seat(Ann=10_000, Cy=10_000)
    await evening.deal()
    await evening.fund("Bo", 10_000)
    await evening.ask("Bo", TakeSeat, 10_000, 3)
    for user in (BO, CY):
        await evening.tables.staff_log.ban(evening.request("Ida", staff=True), user, "chips")
    await evening.crash()
    await evening.tables.wait_until_idle()
    assert USERS["Bo"] not in {seat.player for seat in evening.snapshot.table.seats}
    while evening.playing():
        await evening.next_player_acts("folds")
    assert list(evening.stacks()) == ["Ann"]
    assert (await evening.bank.holdings(GUILD, BO)).wallet == 10_000
    await evening.audit()


async def test_only_staff_ban_and_never_themselves(evening: Evening) -> None:
    staff, stranger = evening.request("Ida", staff=True), evening.request("Ann")
    log = evening.tables.staff_log
    for forged in (
        evening.tables.ban(stranger, BO, ""),
        log.unban(stranger, BO),
        log.open_reports(stranger),
        log.settle_report(stranger, 1),
    ):
        with pytest.raises(StaffOnly):
            await forged
    with pytest.raises(StaffOnly):
        log.bans(stranger)
    for nobody in (IDA, -100):
        with pytest.raises(CannotBan):
            await evening.tables.ban(staff, nobody, "")
    with pytest.raises(NotBanned):
        await log.unban(staff, BO)
    await evening.tables.ban(staff, BO, "first")
    await evening.tables.ban(evening.request("Ida", staff=True), BO, "second")
    assert [(ban.user, ban.by, ban.reason) for ban in log.bans(staff)] == [(BO, IDA, "second")]
    assert not log.is_banned(GUILD + 1, BO)


# reports


async def test_reports_wait_until_staff_mark_them_as_done(evening: Evening) -> None:
    await evening.open()
    await evening.seat(Ann=10_000, Bo=10_000)
    with pytest.raises(NoHandYet):
        await evening.tables.find_hand(evening.request("Cy"))
    await evening.deal()
    await evening.next_player_acts("folds")
    await evening.deal()
    found = await evening.tables.find_hand(evening.request("Cy"))
    assert found == (evening.table, 1) == await evening.tables.find_hand(evening.request("Cy"), 1)
    log, staff = evening.tables.staff_log, evening.request("Ida", staff=True)
    for _ in range(OPEN_REPORTS_MAX):
        await log.report(evening.request("Cy"), *found, "Bo folds to Ann, always.")
    with pytest.raises(TooManyReports):
        await log.report(evening.request("Cy"), *found, "And again.")
    await evening.crash()
    log = evening.tables.staff_log
    page, count = await log.open_reports(staff)
    assert count == OPEN_REPORTS_MAX and {(one.who, one.entry.hand) for one in page} == {(CY, 1)}
    await log.settle_report(staff, page[0].id)
    for gone in (page[0].id, 10**9):
        with pytest.raises(NoSuchReport):
            await log.settle_report(evening.request("Ida", staff=True), gone)
    await log.report(evening.request("Cy"), *found, "And again.")
    assert (await log.open_reports(staff))[1] == OPEN_REPORTS_MAX


async def test_staff_look_at_hands_of_closed_tables_as_everybody(evening: Evening) -> None:
    await evening.open()
    await evening.seat(Ann=10_000, Bo=10_000)
    await evening.deal()
    await evening.next_player_acts("folds")
    await evening.ask("Ann", CloseTable)
    table = evening.table
    assert await evening.tables.find_hand(evening.request("Cy"), 1) == (table, 1)
    log = await evening.tables.read_public_hand(evening.request("Cy"), table, 1)
    assert all(card.card is None for seat in log.view.seats for card in seat.cards), "nobody has shown a card"
    with pytest.raises(NoSuchTable):
        await evening.tables.read_public_hand(replace(evening.request("Cy"), guild=GUILD + 1), table, 1)
    with pytest.raises(NoSuchTable):
        await evening.tables.find_hand(evening.request("Cy"), 2)

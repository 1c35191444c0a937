"""What the store promises, whatever keeps its rows (`bot.store.store.Store`)."""

import msgspec
import pytest

from bot.engine.errors import TableError
from bot.engine.events import ActionOn, Called, Checked, Folded
from bot.house.rules import HouseRules, changed_house_rules
from bot.ledger.accounts import (
    Book,
    TransferReason,
    house_account,
    mint_account,
    pot_account,
    seat_account,
    wallet_account,
)
from bot.ledger.gifts import GiftClaims, claim_daily
from bot.ledger.refusals import NotEnoughChips
from bot.ledger.seasons import SeasonChips
from bot.runtime.staff_log_types import Ban, StaffLogEntry, StaffLogKind
from bot.runtime.store_errors import ChannelTaken, InvalidCommit, StaleClaims, StaleVersion, StoreClosed
from bot.runtime.store_types import (
    EVERY_HAND,
    Cause,
    ClaimChange,
    Commit,
    Forgetting,
    Listing,
    NewHand,
    NewTable,
    SeasonEnd,
    ValuePrefixes,
)
from bot.statistics.seasons import Season, SeasonResult
from bot.statistics.types import RankingOrder
from bot.store import person_servers
from bot.store.store import Store
from tests.store.desk import ANN, BO, CY, GUILD, NOON, Desk

DOG = -1  # a practice player


# One commit


async def test_a_commit_saves_events_chips_and_cause_together(store: Store, desk: Desk) -> None:
    table = await desk.open(channel=7)
    await desk.sit(table, ANN, 500)
    receipt = await desk.save(
        desk.acted(table, Called(0, 50), ActionOn(1), transfers=(desk.bet(table, ANN, 50),), hand=NewHand(1, b"nonce"))
    )
    assert (receipt.table, receipt.seq, receipt.repeated) == (table, 3, False)
    chips = await store.table_chips(table)
    assert (chips.stacks, chips.in_pot, chips.pot) == ({ANN: 450}, {ANN: 50}, 50)
    hand = await store.hand(table)
    assert hand is not None
    assert (hand.number, hand.nonce, hand.events) == (1, b"nonce", (Called(0, 50), ActionOn(1)))


async def test_a_repeated_cause_is_answered_and_not_applied_twice(store: Store, desk: Desk) -> None:
    table = await desk.open(channel=7)
    await desk.sit(table, ANN, 500)
    click = desk.acted(table, Called(0, 50), transfers=(desk.bet(table, ANN, 50),), key="interaction")
    first = await store.commit(click)
    second = await store.commit(click)
    assert (second.repeated, second.seq, second.at) == (True, first.seq, first.at)
    assert (await store.table_chips(table)).pot == 50
    assert await store.receipt("interaction") == second
    assert await store.receipt("another") is None


async def test_opening_a_table_twice_by_one_click_opens_one(store: Store, desk: Desk) -> None:
    commit = Commit(guild=GUILD, cause=desk.cause(key="click"), new_table=NewTable(7, b""))
    first, second = await store.commit(commit), await store.commit(commit)
    assert (first.table, first.number) == (second.table, second.number)
    assert (first.repeated, second.repeated) == (False, True)
    assert len(await store.open_tables()) == 1


@pytest.mark.parametrize("seq", [0, 2, 4, 99])
async def test_a_table_that_has_moved_on_is_not_written_to(store: Store, desk: Desk, seq: int) -> None:
    table = await desk.open(channel=7)
    await desk.save(desk.acted(table, Checked(0), ActionOn(1)))
    with pytest.raises(StaleVersion) as stale:
        await store.commit(Commit(guild=GUILD, cause=desk.cause(), table=table, seq=seq, events=(Checked(1),)))
    assert (stale.value.seq, stale.value.next_seq) == (seq, 3)


async def test_a_strange_table_is_not_written_to(store: Store, desk: Desk) -> None:
    table = await desk.open(channel=7)
    for guild, strange in ((GUILD, 99), (GUILD + 1, table)):
        with pytest.raises(StaleVersion) as stale:
            await store.commit(Commit(guild=guild, cause=desk.cause(), table=strange, seq=1, events=(Checked(0),)))
        assert stale.value.next_seq == 0


async def test_nobody_but_a_mint_goes_below_zero(store: Store, desk: Desk) -> None:
    table = await desk.open(channel=7)
    await desk.sit(table, ANN, 100)
    for debit, credit, reason in (
        (seat_account(table, ANN), pot_account(table), TransferReason.BET),
        (pot_account(table), seat_account(table, BO), TransferReason.WON),
        (wallet_account(BO), seat_account(table, BO), TransferReason.BUY_IN),
        (house_account(), seat_account(table, ANN), TransferReason.CORRECTED),
    ):
        with pytest.raises(NotEnoughChips) as short:
            await store.commit(desk.move(debit, credit, 101, reason, table))
        assert short.value.needs == 101
    assert not (await store.audit(GUILD)).faults


async def test_a_refused_commit_leaves_no_trace(store: Store, desk: Desk) -> None:
    """Its transfers, events and cause are not saved. Asked again with enough chips, it succeeds."""
    table = await desk.open(channel=7)
    await desk.sit(table, ANN, 100)
    bets = desk.acted(table, Called(0, 60), transfers=(desk.bet(table, ANN, 60), desk.bet(table, ANN, 60)), key="click")
    with pytest.raises(NotEnoughChips):
        await store.commit(bets)
    assert (await store.table_chips(table)).pot == 0
    await desk.grant(ANN, 100)
    await store.commit(desk.move(wallet_account(ANN), seat_account(table, ANN), 100, TransferReason.TOP_UP, table))
    receipt = await store.commit(bets)
    assert (receipt.repeated, receipt.seq) == (False, 2)


async def test_caller_bug_fails_only_that_commit(store: Store, desk: Desk) -> None:
    table, other = await desk.open(channel=7), await desk.open(channel=8)
    await desk.sit(other, ANN, 100)
    with pytest.raises(InvalidCommit):
        await store.commit(desk.move(seat_account(other, ANN), pot_account(other), 10, TransferReason.BET, table))
    with pytest.raises(InvalidCommit):
        await store.commit(Commit(guild=GUILD, cause=desk.cause(), events=(Checked(0),)))
    with pytest.raises(InvalidCommit):
        await store.commit(desk.acted(table, Checked(0), hand=NewHand(2, b"")))
    with pytest.raises(InvalidCommit):
        await store.commit(desk.acted(other, closes=True))
    with pytest.raises(InvalidCommit):
        await store.commit(
            Commit(guild=GUILD, cause=desk.cause(), new_table=NewTable(9, b""), transfers=(desk.bet(table, ANN, 5),))
        )
    assert not (await store.audit(GUILD)).faults


# Tables


async def test_tables_are_numbered_per_server(store: Store, desk: Desk) -> None:
    neighbour = Desk(store, guild=2)
    ids = [await desk.open(channel=7), await neighbour.open(channel=7), await desk.open(channel=8)]
    assert len(set(ids)) == 3
    records = [await store.table(table) for table in ids]
    assert [(record.guild, record.number) for record in records if record] == [(1, 1), (2, 1), (1, 2)]
    assert await store.table_numbered(GUILD, 2) == records[2]
    assert await store.table_numbered(GUILD, 3) is None
    assert await store.table(99) is None


async def test_a_table_opens_with_events_rules_and_a_grant(store: Store, desk: Desk) -> None:
    gift = claim_daily(HouseRules(), GiftClaims(), ANN, NOON)
    rules = changed_house_rules(HouseRules(), daily=50)
    opening = Commit(
        guild=GUILD,
        cause=desk.cause("open"),
        new_table=NewTable(7, b"settings"),
        events=(Checked(0), ActionOn(1)),
        saved_state=b"state",
        transfers=gift.transfers,
        claims=(ClaimChange(ANN, GiftClaims(), gift.claims),),
        rules=rules,
    )
    receipt = await store.commit(opening)
    assert receipt.seq == 3
    (saved,) = await store.open_tables()
    assert (saved.saved_state, saved.saved_state_seq, saved.seq, saved.events) == (b"state", 3, 3, ())
    assert (await store.holdings(GUILD, ANN)).wallet == 1_000
    assert await store.house_rules(GUILD) == rules
    again = Commit(guild=GUILD, cause=desk.cause(), new_table=NewTable(8, b""), claims=opening.claims)
    with pytest.raises(StaleClaims):
        await store.commit(again)
    assert len(await store.open_tables()) == 1


async def test_a_channel_has_one_open_table(store: Store, desk: Desk) -> None:
    table = await desk.open(channel=7)
    with pytest.raises(ChannelTaken) as taken:
        await desk.open(channel=7)
    assert taken.value.number == 1
    await desk.save(desk.acted(table, closes=True))
    assert await desk.open(channel=7) != table
    numbered = await store.table_numbered(GUILD, 2)
    assert numbered is not None  # the refused table took no number
    assert numbered.is_open


async def test_a_table_changes_its_settings(store: Store, desk: Desk) -> None:
    table = await desk.open(channel=7)
    await store.commit(
        Commit(guild=GUILD, cause=desk.cause(), table=table, seq=1, settings=b"new", saved_state=b"state")
    )
    record = await store.table(table)
    assert record is not None
    assert (record.channel, record.settings) == (7, b"new")


async def test_a_table_closes_when_everybody_is_paid_out(store: Store, desk: Desk) -> None:
    table = await desk.open(channel=7)
    await desk.sit(table, ANN, 500)
    await desk.save(desk.acted(table, Called(0, 50), transfers=(desk.bet(table, ANN, 50),)))
    await desk.save(
        desk.acted(
            table,
            Folded(0),
            transfers=(desk.won(table, ANN, 50), desk.cashed(table, ANN, 500)),
            closes=True,
        )
    )
    record = await store.table(table)
    assert record is not None
    assert not record.is_open
    assert await store.open_tables() == ()
    assert (await store.holdings(GUILD, ANN)).wallet == 500
    with pytest.raises(StaleVersion) as stale:
        await store.commit(desk.acted(table, Checked(0)))
    assert stale.value.next_seq == 0


# Restoring


async def test_open_table_is_restored_from_its_last_snapshot(store: Store, desk: Desk) -> None:
    table = await desk.open(channel=7)
    await desk.sit(table, ANN, 500)
    fresh = (await store.open_tables())[0]
    assert (fresh.saved_state, fresh.saved_state_seq, fresh.events, fresh.seq, fresh.last_hand) == (
        None,
        1,
        (),
        1,
        None,
    )

    await desk.save(desk.acted(table, Checked(0), ActionOn(1)))
    await desk.save(desk.acted(table, Checked(1), hand=NewHand(1, b"one"), saved_state=b"start of hand 1"))
    await desk.save(desk.acted(table, ActionOn(2), Folded(2)))
    await desk.save(desk.acted(table, Called(0, 5), transfers=(desk.bet(table, ANN, 5),)))
    saved = (await store.open_tables())[0]
    assert saved.saved_state == b"start of hand 1"
    assert (saved.saved_state_seq, saved.seq) == (4, 7)
    assert saved.events == (ActionOn(2), Folded(2), Called(0, 5))
    assert saved.last_hand is not None
    assert (saved.last_hand.number, saved.last_hand.nonce) == (1, b"one")
    assert saved.record.hand_count == 1
    assert (saved.chips.stacks, saved.chips.in_pot, saved.chips.pot) == ({ANN: 495}, {ANN: 5}, 5)
    assert await store.saved_table(table) == saved
    assert await store.saved_table(table + 1) is None


async def test_table_without_snapshot_is_restored_from_first_event(store: Store, desk: Desk) -> None:
    table = await desk.open(channel=7)
    await desk.save(desk.acted(table, Checked(0), ActionOn(1)))
    await desk.save(desk.acted(table, Checked(1)))
    saved = (await store.open_tables())[0]
    assert (saved.saved_state, saved.saved_state_seq, saved.seq) == (None, 1, 4)
    assert saved.events == (Checked(0), ActionOn(1), Checked(1))


async def test_a_hand_is_found_by_its_number(store: Store, desk: Desk) -> None:
    """It is found even where one commit holds the end of one hand and the beginning of the next."""
    table = await desk.open(channel=7)
    await desk.save(desk.acted(table, ActionOn(9)))
    await desk.save(desk.acted(table, Checked(1), Checked(2), hand=NewHand(1, b"1")))
    await desk.save(
        desk.acted(table, Folded(1), Called(3, 1), Called(3, 2), hand=NewHand(2, b"2", first_event_index=1))
    )
    await desk.save(desk.acted(table, Folded(2)))
    await desk.save(desk.acted(table, Checked(5), hand=NewHand(3, b"3")))
    hands = [await store.hand(table, number) for number in (1, 2, 3, 0)]
    assert [hand.events for hand in hands if hand] == [
        (Checked(1), Checked(2), Folded(1)),
        (Called(3, 1), Called(3, 2), Folded(2)),
        (Checked(5),),
        (Checked(5),),
    ]
    assert [hand.seq for hand in hands if hand] == [2, 5, 8, 8]
    assert await store.hand(table, 4) is None
    assert await store.hand(99) is None


# Chips


async def test_holdings_count_wallet_stacks_and_bets(store: Store, desk: Desk) -> None:
    one, two = await desk.open(channel=7), await desk.open(channel=8)
    await desk.grant(ANN, 1000)
    await desk.sit(one, ANN, 300)
    await desk.sit(two, ANN, 200)
    await desk.save(desk.acted(one, Called(0, 120), transfers=(desk.bet(one, ANN, 120),)))
    held = await store.holdings(GUILD, ANN)
    assert (held.wallet, held.stacks, held.bets, held.on_tables, held.total) == (1000, 380, 120, 500, 1500)
    assert (await store.holdings(GUILD, BO)).total == 0
    assert (await store.holdings(GUILD + 1, ANN)).total == 0


async def test_practice_chips_have_separate_books(store: Store, desk: Desk) -> None:
    table = await desk.open(channel=7)
    await desk.sit(table, ANN, 400, Book.PRACTICE)
    await desk.sit(table, DOG, 400, Book.PRACTICE)
    await desk.save(desk.acted(table, Called(0, 9), transfers=(desk.bet(table, DOG, 9, Book.PRACTICE),)))
    chips = await store.table_chips(table)
    assert (chips.book, chips.stacks, chips.in_pot, chips.pot) == (Book.PRACTICE, {ANN: 400, DOG: 391}, {DOG: 9}, 9)
    assert (await store.holdings(GUILD, ANN)).total == 0
    assert (await store.holdings(GUILD, ANN, Book.PRACTICE)).stacks == 400
    assert (await store.leaderboard(GUILD)).players == 0
    board = await store.leaderboard(GUILD, book=Book.PRACTICE)
    assert ([line.user for line in board.lines], board.players) == ([ANN], 1), (
        "practice players, refilled for ever, have no rank"
    )
    assert (await store.history(GUILD, DOG)).entries == ()
    assert [entry.chips for entry in (await store.history(GUILD, DOG, book=Book.PRACTICE)).entries] == [-400, 400]
    audit = await store.audit(GUILD)
    assert (audit.minted, audit.practice, audit.faults) == (0, 800, ())


async def test_the_leaderboard_ranks_by_all_a_player_has(store: Store, desk: Desk) -> None:
    table = await desk.open(channel=7)
    for user, chips in ((ANN, 100), (BO, 300), (CY, 200), (104, 300)):
        await desk.grant(user, chips)
    await desk.sit(table, ANN, 500)
    await desk.save(desk.acted(table, Called(0, 450), transfers=(desk.bet(table, ANN, 450),)))
    board = await store.leaderboard(GUILD, limit=2, user=CY)
    assert [(line.rank, line.user, line.total, line.wallet) for line in board.lines] == [
        (1, ANN, 600, 100),
        (2, BO, 300, 300),
    ]
    assert board.players == 4
    assert board.own is not None
    assert (board.own.rank, board.own.total) == (4, 200)
    further = await store.leaderboard(GUILD, offset=2, limit=2, user=999)
    assert [(line.rank, line.user) for line in further.lines] == [(2, 104), (4, CY)]
    assert further.own is None
    some = await store.leaderboard(GUILD, user=ANN, among=(BO, CY))
    assert [(line.rank, line.user) for line in some.lines] == [(1, BO), (2, CY)]
    assert (some.players, some.own) == (2, None)
    assert (await store.leaderboard(GUILD, among=())).lines == ()
    assert (await store.leaderboard(GUILD, user=BO, only_listed=True)).lines == ()
    await store.mark_listed(GUILD, {BO: True, CY: True, 999: True}, Listing(5, 3))
    assert await store.leaderboard(GUILD, user=ANN, only_listed=True) == some
    assert (await store.listing(GUILD), await store.listing(GUILD + 1)) == (Listing(5, 3), None)
    assert await store.people_after(GUILD, BO, 2) == {CY: True, 104: False}
    await store.mark_listed(GUILD, {BO: False}, None)
    assert [line.user for line in (await store.leaderboard(GUILD, only_listed=True)).lines] == [CY]
    assert await store.listing(GUILD) is None


async def test_a_history_is_paged_newest_first(store: Store, desk: Desk) -> None:
    table = await desk.open(channel=7)
    await desk.sit(table, ANN, 500)
    await desk.save(desk.acted(table, Called(0, 50), transfers=(desk.bet(table, ANN, 50),)))  # is not in it
    await desk.save(
        desk.acted(
            table,
            Folded(1),
            transfers=(desk.won(table, ANN, 50), desk.cashed(table, ANN, 100), desk.cashed(table, ANN, 400)),
        )
    )
    await desk.grant(BO, 9)
    pages, before = [], 0
    while True:
        page = await store.history(GUILD, ANN, before=before, limit=2)
        pages.append([(entry.chips, entry.reason, entry.table) for entry in page.entries])
        before = page.older
        if not before:
            break
    assert pages == [
        [(400, TransferReason.CASH_OUT, 1), (100, TransferReason.CASH_OUT, 1)],
        [(-500, TransferReason.BUY_IN, 1), (500, TransferReason.GRANT, 0)],
    ]
    entry = (await store.history(GUILD, ANN, limit=1)).entries[0]
    assert (entry.at, entry.requested_by) == (NOON, ANN)


async def test_two_claims_at_once_give_one_gift(store: Store, desk: Desk) -> None:
    """Both were decided on the same claims. The second is refused, whatever its interaction."""
    gift = claim_daily(HouseRules(), GiftClaims(), ANN, NOON)

    def claim() -> Commit:
        change = ClaimChange(ANN, GiftClaims(), gift.claims)
        return Commit(guild=GUILD, cause=desk.cause("daily"), transfers=gift.transfers, claims=(change,))

    await store.commit(claim())
    with pytest.raises(StaleClaims):
        await store.commit(claim())
    held = await store.holdings(GUILD, ANN)
    assert (held.total, held.claims) == (1000, gift.claims)
    assert (await store.holdings(GUILD, ANN, Book.PRACTICE)).claims == GiftClaims()


async def test_house_rules_are_the_defaults_until_staff_change_them(store: Store, desk: Desk) -> None:
    assert await store.house_rules(GUILD) == HouseRules()
    rules = changed_house_rules(HouseRules(), daily=50, staff_role=42)
    await store.commit(Commit(guild=GUILD, cause=desk.cause("house"), rules=rules))
    assert await store.house_rules(GUILD) == rules
    assert await store.house_rules(GUILD + 1) == HouseRules()
    await desk.open(channel=7)
    assert await store.house_rules(GUILD) == rules


async def test_servers_with_accounts_are_known(store: Store, desk: Desk) -> None:
    """Also one where no table was ever opened."""
    assert await store.guilds() == ()
    await desk.grant(ANN, 5)
    await Desk(store, GUILD + 8).grant(BO, 5)
    await desk.grant(BO, 5)
    assert await store.guilds() == (GUILD, GUILD + 8)


async def test_an_audit_adds_everything_up(store: Store, desk: Desk) -> None:
    table = await desk.open(channel=7)
    await desk.sit(table, ANN, 500)
    await desk.grant(BO, 70)
    await store.commit(desk.move(wallet_account(BO), mint_account(), 20, TransferReason.STAFF_TAKE))
    await desk.save(desk.acted(table, Called(0, 60), transfers=(desk.bet(table, ANN, 60),)))
    await store.commit(desk.move(pot_account(table), house_account(), 10, TransferReason.RAKE, table))
    audit = await store.audit(GUILD)
    assert (audit.minted, audit.wallets, audit.stacks, audit.pots, audit.house) == (550, 50, 440, 50, 10)
    assert (audit.transfers, audit.faults) == (6, ())


# Keys and values, and the end


async def test_values_are_saved_and_deleted(store: Store) -> None:
    await store.keep("emoji:As", b"1")
    await store.keep("emoji:Kd", b"2")
    for other in ("commands", "emoji", "emojis:As", "emoji;As"):
        await store.keep(other, b"hash")
    await store.keep("emoji:As", b"3")
    assert await store.value("emoji:As") == b"3"
    assert await store.values("emoji:") == {"emoji:As": b"3", "emoji:Kd": b"2"}
    await store.keep("emoji:As", None)
    assert await store.value("emoji:As") is None
    everything = await store.values("")
    assert list(everything) == ["commands", "emoji", "emoji:Kd", "emoji;As", "emojis:As"]


async def test_value_is_kept_only_where_nobody_has_changed_it(store: Store) -> None:
    assert not await store.keep_if("nights", b"2", b"1")
    assert await store.value("nights") is None
    assert await store.keep_if("nights", b"1", None)
    assert not await store.keep_if("nights", b"2", None)
    assert await store.keep_if("nights", b"2", b"1")
    assert not await store.keep_if("nights", None, b"1")
    assert await store.value("nights") == b"2"
    assert await store.keep_if("nights", None, b"2")
    assert await store.value("nights") is None


async def test_closed_store_refuses_requests(store: Store, desk: Desk) -> None:
    await store.close()
    await store.close()
    with pytest.raises(StoreClosed) as closed:
        await desk.grant(ANN, 5)
    assert isinstance(closed.value, TableError)  # a player can be told
    with pytest.raises(StoreClosed):
        await store.value("x")


async def test_everything_is_there_again_after_a_restart(store: Store, desk: Desk) -> None:
    table = await desk.open(channel=7)
    await desk.sit(table, ANN, 500)
    click = desk.acted(table, Called(0, 50), transfers=(desk.bet(table, ANN, 50),), saved_state=b"s", key="click")
    await desk.save(click)
    await store.keep("k", b"v")
    before = await store.open_tables()
    await store.close()
    await store.open()
    assert await store.open_tables() == before
    assert await store.value("k") == b"v"
    assert (await store.commit(click)).repeated
    with pytest.raises(StaleVersion):
        await store.commit(Commit(guild=GUILD, cause=desk.cause(), table=table, seq=1, events=(Checked(0),)))
    await desk.save(desk.acted(table, Folded(0), transfers=(desk.won(table, ANN, 50),)))
    chips = await store.table_chips(table)
    assert (chips.stacks, chips.in_pot, chips.pot) == ({ANN: 500}, {}, 0)
    assert not (await store.audit(GUILD)).faults


# The staff log


async def test_lines_of_the_staff_log_are_saved_with_their_change(store: Store, desk: Desk) -> None:
    """A refused change leaves no line and no kept value; a repeated one no second line."""
    table = await desk.open(channel=7)
    line = StaffLogEntry(kind=StaffLogKind.HAND_VOIDED, table=table, hand=3, reason="a wrong card")
    poor = desk.move(wallet_account(BO), mint_account(), 5, TransferReason.STAFF_TAKE)
    with pytest.raises(NotEnoughChips):
        await store.commit(msgspec.structs.replace(poor, staff_log=(line,), kept=(("note", b"1"),)))
    assert await store.staff_log(GUILD, after=0, limit=9) == () and await store.value("note") is None
    commit = Commit(guild=GUILD, cause=desk.cause(key="click", by=CY), staff_log=(line,), kept=(("note", b"1"),))
    await store.commit(commit)
    await store.commit(commit)
    (saved,) = await store.staff_log(GUILD, after=0, limit=9)
    assert (saved.who, saved.at, saved.entry, saved.table_number, saved.channel) == (CY, NOON, line, 1, 7)
    assert await store.value("note") == b"1" and await store.newest_staff_log_line(GUILD) == saved.id
    assert await store.staff_log(GUILD, after=saved.id, limit=9) == () == await store.staff_log(5, after=0, limit=9)


async def test_newest_line_about_a_person_says_whether_they_are_banned(store: Store, desk: Desk) -> None:
    for kind, about in (("banned", ANN), ("banned", BO), ("unbanned", ANN), ("banned", BO)):
        entry = StaffLogEntry(kind=StaffLogKind(kind), about=about, reason=kind, name="Bo")
        await store.commit(Commit(guild=GUILD, cause=desk.cause(by=CY), staff_log=(entry,)))
    assert await store.bans() == {GUILD: (Ban(BO, NOON, CY, "banned", "Bo"),)}


async def test_open_reports_are_counted_until_staff_answer_them(store: Store, desk: Desk) -> None:
    for by in (ANN, BO, ANN):
        entry = StaffLogEntry(kind=StaffLogKind.REPORTED, table=1, hand=1, reason="slow")
        await store.commit(Commit(guild=GUILD, cause=desk.cause(by=by), staff_log=(entry,)))
    first, *_ = await store.open_reports(GUILD)
    assert (await store.open_report_count(GUILD), await store.open_report_count(GUILD, ANN)) == (3, 2)
    done = StaffLogEntry(kind=StaffLogKind.REPORT_DONE, answers=first.id)
    await store.commit(Commit(guild=GUILD, cause=desk.cause(by=CY), staff_log=(done,)))
    assert (await store.open_report_count(GUILD), await store.open_report_count(GUILD, ANN)) == (2, 1)


async def test_alarms_wait_until_staff_have_looked_at_them(store: Store, desk: Desk) -> None:
    for other in (BO, CY):
        entry = StaffLogEntry(kind=StaffLogKind.FLOW_ALARM, about=ANN, reason=f"from {other}")
        await store.commit(Commit(guild=GUILD, cause=desk.cause(), staff_log=(entry,)))
    oldest, newest = await store.open_alarms(GUILD, 9)
    assert oldest.id < newest.id and await store.open_alarms(GUILD, 1) == (oldest,)
    assert (await store.open_alarm_count(GUILD), await store.open_alarm_count(GUILD + 1)) == (2, 0)
    looked = StaffLogEntry(kind=StaffLogKind.FLOW_LOOKED, about=ANN, answers=oldest.id)
    await store.commit(Commit(guild=GUILD, cause=desk.cause(by=CY), staff_log=(looked,)))
    assert await store.open_alarms(GUILD, 9) == (newest,)


async def test_newest_transfer_is_the_last_that_moved_chips(store: Store, desk: Desk) -> None:
    assert await store.newest_transfer(GUILD) == 0
    await desk.grant(ANN, 100)
    first = await store.newest_transfer(GUILD)
    await desk.grant(BO, 100)
    entry = StaffLogEntry(kind=StaffLogKind.REPORTED, table=1, hand=1, reason="slow")
    await store.commit(Commit(guild=GUILD, cause=desk.cause(), staff_log=(entry,)))
    assert 0 < first < await store.newest_transfer(GUILD) < store.newest_cause


# Finding tables, people and seasons


async def test_tables_are_found_by_channel_and_by_who_brought_chips(store: Store, desk: Desk) -> None:
    first = await desk.open(channel=7)
    await store.commit(desk.acted(first, closes=True))
    second, elsewhere = await desk.open(channel=7), await desk.open(channel=8)
    for table in (second, elsewhere):
        await desk.sit(table, ANN, 100)
    newest = await store.newest_table_in(GUILD, 7)
    assert newest is not None and newest.id == second
    assert await store.newest_table_in(GUILD, 9) is None
    assert [one.id for one in await store.tables_of(GUILD, ANN)] == [elsewhere, second]
    assert await store.tables_of(GUILD, BO) == ()


async def test_hands_of_a_private_table_are_for_its_guests(store: Store, desk: Desk) -> None:
    open_to_all = await desk.open(channel=7)
    opening = Commit(
        guild=GUILD,
        cause=desk.cause(),
        new_table=NewTable(8, b"", private=True),
        guests=((ANN, EVERY_HAND), (BO, 3)),
    )
    private = (await store.commit(opening)).table
    people = ANN, BO, CY
    assert [await store.last_hand_for(private, one) for one in people] == [EVERY_HAND, 3, -1]
    assert [await store.last_hand_for(open_to_all, one) for one in people] == [EVERY_HAND] * 3
    assert [await store.private_tables_of(GUILD, one) for one in people] == [(2,), (2,), ()]
    assert [await store.private_tables_known_to(GUILD, one) for one in people] == [(2,), (), ()]


async def test_closed_season_has_a_winner_and_leaves_chips_on_tables(store: Store, desk: Desk) -> None:
    table = await desk.open(channel=7)
    await desk.sit(table, ANN, 500)
    season = Season(GUILD, 1, "Spring", NOON, 0, 0, RankingOrder.NET, 1, 7)
    await store.commit(Commit(guild=GUILD, cause=desk.cause(), season=season))
    assert await store.seasons(GUILD) == await store.unfinished_seasons() == (season,)
    assert await store.guilds_with_seasons() == (GUILD,)
    over = msgspec.structs.replace(season, ends_at=NOON + 1, closed_at=NOON + 2)
    end = SeasonEnd(
        season=over,
        results=(SeasonResult(ANN, 1, 4, 250), SeasonResult(BO, 2, 4, -250)),
        cause=desk.cause(),
        staff_log=StaffLogEntry(kind=StaffLogKind.SEASON_CLOSED),
        following=None,
        chips=SeasonChips(start=1_000),
        former_players=await store.former_player_count(GUILD),
    )
    assert await store.close_season(end) == (table,)
    assert await store.unfinished_seasons() == ()
    assert await store.season_tables() == {table: GUILD}
    assert (await store.season_winners(GUILD)).lines == ((over, (SeasonResult(ANN, 1, 4, 250),), 2),)


async def test_person_taken_out_is_counted_and_their_gifts_marked(store: Store, desk: Desk) -> None:
    user = 1_574_118_484_827_176_960
    claimed = ClaimChange(user, GiftClaims(), GiftClaims(granted_at=NOON))
    await store.commit(Commit(guild=GUILD, cause=desk.cause(), claims=(claimed,)))
    assert (await store.former_player_count(GUILD), await store.claim_floor(b"mark")) == (0, None)
    await store.begin_deletion(Forgetting(guild=GUILD, user=user, cause=desk.cause(), marks=(b"mark", b"practice")))
    assert await store.former_player_count(GUILD) == 1
    assert await store.claim_floor(b"mark") == GiftClaims(granted_at=NOON)


async def test_servers_are_those_that_keep_something_of_a_person(store: Store) -> None:
    user, other = 1_574_118_484_827_176_960, 1_574_118_484_827_176_961
    desks = {guild: Desk(store, guild) for guild in (1, 2, 3)}
    for one in desks.values():
        await one.grant(other, 5)
    await desks[2].grant(user, 5)
    table = await desks[3].open(30)
    await store.keep(f"call.4.{user}", b"1")
    await store.keep(f"panel.{table}.{user}", b"1")
    await store.keep(f"panel.{table + 1}.{user}", b"1")
    await store.keep("podium.5", msgspec.msgpack.encode([user]))
    await store.keep("podium.6", msgspec.msgpack.encode([other]))
    prefixes = ValuePrefixes(("call.",), ("panel.",), ("podium.",), ())
    assert await store.servers_of(user, prefixes) == (2, 3, 4, 5)
    assert await store.servers_of(user, ValuePrefixes()) == (2,)


async def test_servers_of_a_person_are_found_in_small_steps(
    store: Store, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those who only did something there, or are only named, too."""
    monkeypatch.setattr(person_servers, "STEP_ROWS", 2)
    monkeypatch.setattr(person_servers, "STEP_VALUES", 1)
    user = 1_574_118_484_827_176_960
    for number in range(5):
        await Desk(store, 10 + number).open(10 + number)
    cause = Cause("opens", user, NOON, "open")
    opened = await store.commit(Commit(guild=20, cause=cause, new_table=NewTable(20, b"settings")))
    named = Commit(
        guild=12, cause=desk.cause(), staff_log=(StaffLogEntry(kind=StaffLogKind.BANNED, about=user, reason="r"),)
    )
    await store.commit(named)
    assert opened.table and await store.servers_of(user, ValuePrefixes()) == (12, 20)

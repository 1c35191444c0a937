"""Hosts, staff and the dealer manage a table; a hand is described afterwards."""

import pytest
from msgspec.structs import replace

from bot.engine import commands as c
from bot.engine.refusals import AlreadyShown
from bot.players.practice import PracticePlayers
from bot.runtime.commands import SeatPracticePlayers, VoidHand
from bot.runtime.errors import DealerStopping, NoHandYet, NoSuchTable, TableGone
from bot.table.commands import ChangeSettings, CloseTable, Consent, LeaveTable, TakeSeat, TopUp
from bot.table.refusals import DealtInCannotVoid, HostOnly, PracticeTablesOnly, ReasonMissing, StaffOnly
from bot.table.state import TableStatus
from tests.runtime.evening import CHANNEL, GUILD, HOST, USERS, Evening, settings


async def _dealt(evening: Evening) -> None:
    await evening.open()
    await evening.seat(Ann=10_000, Bo=8_000, Cy=6_000)
    await evening.deal()


@pytest.mark.law("I-1")
async def test_only_staff_not_dealt_in_void_hand_with_reason(evening: Evening) -> None:
    await _dealt(evening)
    await evening.next_player_acts("raises to 300", "calls")
    with pytest.raises(StaffOnly):
        await evening.ask("Dee", VoidHand("why not"))
    with pytest.raises(DealtInCannotVoid):
        await evening.ask("Ann", VoidHand("why not"), staff=True)
    with pytest.raises(ReasonMissing):
        await evening.ask("Dee", VoidHand(" "), staff=True)
    await evening.ask("Dee", VoidHand("a card was seen"), staff=True)
    assert evening.hand.voided and evening.hand.void_reason == "a card was seen"
    assert evening.stacks() == {"Ann": 10_000, "Bo": 8_000, "Cy": 6_000}
    await evening.audit()


async def test_a_request_from_another_server_finds_no_table(evening: Evening) -> None:
    """Ann is to act, and a made-up id names her table: nothing happens there, and nothing of its hands can be read."""
    await _dealt(evening)
    from_elsewhere = replace(evening.request("Ann", button=evening.snapshot), guild=GUILD + 1)
    before = evening.snapshot
    with pytest.raises(TableGone):
        await evening.tables.ask(from_elsewhere, c.Call())
    with pytest.raises(TableGone):
        await evening.tables.ask(from_elsewhere, LeaveTable(USERS["Ann"]))
    for read in (evening.tables.read_hand_log, evening.tables.read_hand_record):
        with pytest.raises(NoSuchTable):
            await read(from_elsewhere)
    with pytest.raises(NoSuchTable):
        await evening.tables.read_replay(from_elsewhere, 1)
    with pytest.raises(TableGone):
        evening.tables.table_for(from_elsewhere)
    assert evening.snapshot == before


async def test_a_table_closes_after_the_hand_and_pays_everybody(evening: Evening) -> None:
    await _dealt(evening)
    with pytest.raises(HostOnly):
        await evening.ask("Bo", CloseTable)
    await evening.ask("Ann", CloseTable)
    assert evening.snapshot.table.status is TableStatus.CLOSING
    await evening.next_player_acts("folds", "folds")
    assert evening.tables.all_tables() == ()
    wallets = [(await evening.bank.holdings(GUILD, USERS[name])).wallet for name in ("Ann", "Bo", "Cy")]
    assert sum(wallets) == 30_000
    await evening.audit()


async def test_a_table_whose_channel_is_gone_is_closed_at_once(evening: Evening) -> None:
    await _dealt(evening)
    await evening.tables.close_without_channel(evening.table)
    assert evening.tables.all_tables() == ()
    for name in ("Ann", "Bo", "Cy"):
        assert (await evening.bank.holdings(GUILD, USERS[name])).wallet == 10_000
    await evening.audit()


async def test_member_who_leaves_server_leaves_its_tables(evening: Evening) -> None:
    await _dealt(evening)
    await evening.tables.member_left(GUILD, USERS["Bo"])
    while evening.playing():
        await evening.next_player_acts("folds")
    assert "Bo" not in evening.stacks()
    await evening.audit()


async def test_tables_are_found_by_number_and_by_seated_player(evening: Evening) -> None:
    await _dealt(evening)
    assert evening.tables.table_numbered(evening.request("Bo"), 1).id == evening.table
    with pytest.raises(NoSuchTable) as refused:
        evening.tables.table_numbered(evening.request("Bo"), 9)
    assert refused.value.known == (1,)
    assert [now.id for now in evening.tables.tables_with_player(GUILD, USERS["Bo"])] == [evening.table]
    assert evening.tables.tables_with_player(GUILD, USERS["Dee"]) == ()


@pytest.mark.law("H-1")
async def test_laws_change_between_hands_with_unanimous_consent(evening: Evening) -> None:
    await _dealt(evening)
    while evening.playing():
        await evening.next_player_acts("folds")
    wished = replace(evening.snapshot.settings, notes=("no phones",))
    await evening.ask("Bo", ChangeSettings, wished)
    assert evening.snapshot.settings != wished and evening.snapshot.has_proposal
    await evening.ask("Ann", Consent)
    await evening.ask("Cy", Consent)
    assert evening.snapshot.settings == wished and not evening.snapshot.has_proposal
    await evening.crash()
    assert evening.snapshot.settings.notes == ("no phones",)


@pytest.mark.law("TL-1")
async def test_queued_top_up_after_hand_is_limited_by_wallet(evening: Evening) -> None:
    await evening.fund("Bo", 12_000)
    await _dealt(evening)
    await evening.ask("Bo", TopUp, 3_000)
    assert (await evening.bank.holdings(GUILD, USERS["Bo"])).wallet == 4_000
    while evening.playing():
        await evening.next_player_acts("folds")
    assert (await evening.bank.holdings(GUILD, USERS["Bo"])).wallet == 1_000
    await evening.deal()
    await evening.ask("Bo", TopUp, 3_000)
    await evening.bank.take(evening.request("Ida", staff=True), USERS["Bo"], 1_000, "a debt")
    while evening.playing():
        await evening.next_player_acts("folds")
    assert (await evening.bank.holdings(GUILD, USERS["Bo"])).wallet == 0
    await evening.audit()


async def test_last_hand_log_lists_each_street(evening: Evening) -> None:
    await evening.open()
    with pytest.raises(NoHandYet):
        await evening.tables.read_hand_log(evening.request("Ann"))
    await evening.seat(Ann=10_000, Bo=8_000)
    await evening.deal()
    await evening.next_player_acts("raises to 300", "calls")
    cards = evening.cards("Ann")
    while evening.playing():
        await evening.next_player_acts("checks")
    log = await evening.tables.read_hand_log(evening.request("Ann"))
    assert [street.street for street in log.street_views] == ["pre-flop", "flop", "turn", "river"]
    assert [len(street.boards[0]) for street in log.street_views] == [0, 3, 4, 5]
    assert {player.name for player in log.players_by_seat.values()} == {"Ann", "Bo"}
    assert log.view.over and log.view.payments
    own = next(seat for seat in log.view.seats if seat.seat_index == log.view.viewer)
    assert tuple(card.card for card in own.cards) == cards
    stranger = await evening.tables.read_hand_log(evening.request("Dee"))
    assert stranger.view.viewer is None
    await evening.deal()
    assert (await evening.tables.read_hand_log(evening.request("Ann"))).number == 1, (
        "of the running hand nothing is told"
    )
    await evening.crash()
    again = await evening.tables.read_hand_log(evening.request("Ann"))
    assert again.view == log.view and again.players_by_seat == log.players_by_seat


@pytest.mark.law("Z-4", "TL-22")
async def test_cards_can_be_shown_after_the_hand(evening: Evening) -> None:
    await _dealt(evening)
    drawn = evening.snapshot
    await evening.next_player_acts("folds", "folds")
    winner = next(evening.snapshot.players_by_seat[seat.seat_number].name for seat in evening.hand.seats if seat.won)
    await evening.ask(winner, c.Show(), button=drawn)
    shown = next(seat for seat in evening.hand.seats if seat.won)
    assert all(card.card is not None for card in shown.cards)
    with pytest.raises(AlreadyShown):
        await evening.ask(winner, c.Show())
    await evening.crash()
    await evening.deal()


@pytest.mark.law("Z-4")
async def test_one_card_shown_stays_the_only_one_after_a_restart(evening: Evening) -> None:
    await _dealt(evening)
    await evening.next_player_acts("folds", "folds")
    winner = next(evening.snapshot.players_by_seat[seat.seat_number].name for seat in evening.hand.seats if seat.won)
    own = evening.snapshot.seen_by(USERS[winner])
    assert own is not None and own.viewer is not None
    cards = own.seats[own.viewer].cards
    await evening.ask(winner, c.Show(card_indices=(cards[1].card_index,)))
    assert [seen.card for seen in evening.hand.seats[own.viewer].cards] == [None, cards[1].card]
    await evening.crash()
    log = await evening.tables.read_hand_log(evening.request("Dee"))
    assert [seen.card for seen in log.view.seats[own.viewer].cards] == [None, cards[1].card]
    assert log.view.seats[own.viewer].shown_alone == (cards[1].card,)


async def test_a_stopping_dealer_opens_nothing_and_deals_nothing(evening: Evening) -> None:
    await _dealt(evening)
    await evening.tables.drain()
    with pytest.raises(DealerStopping):
        await evening.tables.open(evening.request("Ann", channel=CHANNEL + 1), settings())
    await evening.wait(600)
    assert evening.snapshot.hand_running and evening.to_act


class TestPracticePlayers:
    """Practice players play by themselves, with books of their own, and only with people."""

    async def _begin(self, evening: Evening) -> None:
        evening.policies = PracticePlayers()
        await evening.crash()
        await evening.open(replace(settings(), practice=True))
        await evening.ask("Ann", SeatPracticePlayers(3))

    async def test_they_wait_for_people_and_then_play(self, evening: Evening) -> None:
        await self._begin(evening)
        await evening.wait(120)
        assert evening.snapshot.hand_number == 0, "they do not play among themselves"
        await evening.ask("Ann", TakeSeat, 5_000)
        await evening.deal()
        for _ in range(200):
            if evening.snapshot.hand_number >= 4:
                break
            if evening.snapshot.current_turn is not None and evening.snapshot.current_turn.user == HOST:
                view = evening.view("Ann")
                assert view.legal is not None
                await evening.ask("Ann", c.Check() if view.legal.check else c.Fold())
            await evening.wait(2)
        assert evening.snapshot.hand_number >= 4
        dealt_in = {seat.seat_number for seat in evening.view("Ann").seats} if evening.snapshot.hand_running else set()
        assert all(one.stack for one in evening.snapshot.table.seats if one.practice and one.number not in dealt_in)
        audit = await evening.bank.audit(evening.request("Ida", staff=True))
        assert audit.faults == ()
        assert audit.minted == audit.wallets and audit.practice > 0, "people's chips have not moved"

    async def test_their_table_sleeps_when_the_last_person_has_gone(self, evening: Evening) -> None:
        await self._begin(evening)
        await evening.ask("Ann", TakeSeat, 5_000)
        await evening.deal()
        await evening.ask("Ann", LeaveTable)
        await evening.wait(120)
        number = evening.snapshot.hand_number
        await evening.wait(120)
        assert not evening.snapshot.hand_running and evening.snapshot.hand_number == number
        await evening.crash()
        await evening.wait(30 * 60)
        assert evening.tables.all_tables() == (), "and closes by itself"

    async def test_only_at_practice_tables_and_only_for_the_host(self, evening: Evening) -> None:
        await self._begin(evening)
        with pytest.raises(HostOnly):
            await evening.ask("Bo", SeatPracticePlayers(1))
        await evening.open(channel=CHANNEL + 1)
        with pytest.raises(PracticeTablesOnly):
            await evening.ask("Ann", SeatPracticePlayers(1), channel=CHANNEL + 1)

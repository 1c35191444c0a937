"""What hosts, staff and the dealer himself do with a table; and how a hand is told afterwards."""

import pytest
from msgspec.structs import replace

from bot.engine import commands as c
from bot.engine.refusals import AlreadyShown
from bot.players.practice import PracticePlayers
from bot.runtime.errors import DealerStopping, NoHandYet, NoSuchTable
from bot.table.errors import DealtInMayNotVoid, HostOnly, PracticeTablesOnly, ReasonMissing, StaffOnly
from bot.table.state import Status
from tests.runtime.evening import CHANNEL, GUILD, HOST, USERS, Evening, settings


async def _dealt(evening: Evening) -> None:
    await evening.open()
    await evening.seat(Ann=10_000, Bo=8_000, Cy=6_000)
    await evening.deal()


@pytest.mark.law("I-1")
async def test_staff_void_a_hand_with_a_reason_and_nobody_dealt_into_it_does(evening: Evening) -> None:
    await _dealt(evening)
    await evening.goes("raises to 300", "calls")
    with pytest.raises(StaffOnly):
        await evening.tables.void(evening.asked("Dee"), "why not")
    with pytest.raises(DealtInMayNotVoid):
        await evening.tables.void(evening.asked("Ann", staff=True), "why not")
    with pytest.raises(ReasonMissing):
        await evening.tables.void(evening.asked("Dee", staff=True), " ")
    await evening.tables.void(evening.asked("Dee", staff=True), "a card was seen")
    assert evening.hand.voided and evening.hand.void_reason == "a card was seen"
    assert evening.stacks() == {"Ann": 10_000, "Bo": 8_000, "Cy": 6_000}
    await evening.audit()


async def test_a_table_closes_after_the_hand_and_pays_everybody(evening: Evening) -> None:
    await _dealt(evening)
    with pytest.raises(HostOnly):
        await evening.tables.close(evening.asked("Bo"))
    await evening.tables.close(evening.asked("Ann"))
    assert evening.now.table.status is Status.CLOSING
    await evening.goes("folds", "folds")
    assert evening.tables.all_tables() == ()
    wallets = [(await evening.bank.purse(GUILD, USERS[name])).wallet for name in ("Ann", "Bo", "Cy")]
    assert sum(wallets) == 30_000
    await evening.audit()


async def test_a_table_whose_channel_is_gone_is_closed_at_once(evening: Evening) -> None:
    await _dealt(evening)
    await evening.tables.close_by_dealer(evening.table)
    assert evening.tables.all_tables() == ()
    for name in ("Ann", "Bo", "Cy"):
        assert (await evening.bank.purse(GUILD, USERS[name])).wallet == 10_000
    await evening.audit()


async def test_who_leaves_the_server_leaves_its_tables(evening: Evening) -> None:
    await _dealt(evening)
    await evening.tables.person_left(GUILD, USERS["Bo"])
    while evening.playing():
        await evening.goes("folds")
    assert "Bo" not in evening.stacks()
    await evening.audit()


async def test_a_table_moves_to_another_channel(evening: Evening) -> None:
    await _dealt(evening)
    await evening.tables.moved(evening.table, CHANNEL + 5)
    assert evening.tables.table_in_channel(GUILD, CHANNEL) is None
    there = evening.tables.table_in_channel(GUILD, CHANNEL + 5)
    assert there is not None and there.id == evening.table and there.running
    await evening.open()
    await evening.crash()
    assert evening.tables.table_in_channel(GUILD, CHANNEL + 5) is not None


async def test_tables_are_found_by_number_and_by_who_sits_there(evening: Evening) -> None:
    await _dealt(evening)
    assert evening.tables.table_numbered(GUILD, 1).id == evening.table
    with pytest.raises(NoSuchTable) as refused:
        evening.tables.table_numbered(GUILD, 9)
    assert refused.value.known == (1,)
    assert [now.id for now in evening.tables.tables_of(GUILD, USERS["Bo"])] == [evening.table]
    assert evening.tables.tables_of(GUILD, USERS["Dee"]) == ()


@pytest.mark.law("H-1")
async def test_laws_change_between_deals_with_everybodys_consent(evening: Evening) -> None:
    await _dealt(evening)
    while evening.playing():
        await evening.goes("folds")
    wished = replace(evening.now.settings, notes=("no phones",))
    await evening.tables.change_settings(evening.asked("Bo"), wished)
    assert evening.now.settings != wished
    await evening.tables.consent(evening.asked("Ann"))
    await evening.tables.consent(evening.asked("Cy"))
    assert evening.now.settings == wished
    await evening.crash()
    assert evening.now.settings.notes == ("no phones",)


@pytest.mark.law("TL-1")
async def test_an_announced_top_up_is_made_after_the_hand_as_far_as_the_wallet_reaches(evening: Evening) -> None:
    await evening.fund("Bo", 12_000)
    await _dealt(evening)
    await evening.tables.rebuy(evening.asked("Bo"), 3_000)
    assert (await evening.bank.purse(GUILD, USERS["Bo"])).wallet == 4_000
    while evening.playing():
        await evening.goes("folds")
    assert (await evening.bank.purse(GUILD, USERS["Bo"])).wallet == 1_000
    await evening.deal()
    await evening.tables.rebuy(evening.asked("Bo"), 3_000)
    await evening.bank.take(evening.asked("Ida", staff=True), USERS["Bo"], 1_000, "a debt")
    while evening.playing():
        await evening.goes("folds")
    assert (await evening.bank.purse(GUILD, USERS["Bo"])).wallet == 0
    await evening.audit()


async def test_the_last_hand_is_told_street_by_street(evening: Evening) -> None:
    await evening.open()
    with pytest.raises(NoHandYet):
        await evening.tables.last_hand(evening.asked("Ann"))
    await evening.seat(Ann=10_000, Bo=8_000)
    await evening.deal()
    await evening.goes("raises to 300", "calls")
    cards = evening.cards("Ann")
    while evening.playing():
        await evening.goes("checks")
    told = await evening.tables.last_hand(evening.asked("Ann"))
    assert [street.street for street in told.streets] == ["pre-flop", "flop", "turn", "river"]
    assert [len(street.boards[0]) for street in told.streets] == [0, 3, 4, 5]
    assert {player.name for player in told.people.values()} == {"Ann", "Bo"}
    assert told.view.over and told.view.payments
    own = next(seat for seat in told.view.seats if seat.seat == told.view.viewer)
    assert tuple(card.card for card in own.cards) == cards
    stranger = await evening.tables.last_hand(evening.asked("Dee"))
    assert stranger.view.viewer is None
    await evening.deal()
    assert (await evening.tables.last_hand(evening.asked("Ann"))).number == 1, "of the running hand nothing is told"
    await evening.crash()
    again = await evening.tables.last_hand(evening.asked("Ann"))
    assert again.view == told.view and again.people == told.people


@pytest.mark.law("Z-4", "TL-22")
async def test_cards_may_be_shown_after_the_hand(evening: Evening) -> None:
    await _dealt(evening)
    drawn = evening.now
    await evening.goes("folds", "folds")
    winner = next(evening.now.people[seat.number].name for seat in evening.hand.seats if seat.won)
    await evening.act(winner, c.Show(), button=drawn)
    shown = next(seat for seat in evening.hand.seats if seat.won)
    assert all(card.card is not None for card in shown.cards)
    with pytest.raises(AlreadyShown):
        await evening.act(winner, c.Show())
    await evening.crash()
    await evening.deal()


async def test_a_stopping_dealer_opens_nothing_and_deals_nothing(evening: Evening) -> None:
    await _dealt(evening)
    await evening.tables.drain()
    with pytest.raises(DealerStopping):
        await evening.tables.open(evening.asked("Ann", channel=CHANNEL + 1), settings())
    await evening.wait(600)
    assert evening.now.running and evening.to_act


class TestPracticePlayers:
    """Tables with practice players: they play by themselves, on books of their own, and only with people."""

    async def _begin(self, evening: Evening) -> None:
        evening.policies = PracticePlayers()
        await evening.crash()
        await evening.open(replace(settings(), practice=True))
        await evening.tables.seat_practice(evening.asked("Ann"), 3)

    async def test_they_wait_for_people_and_then_play(self, evening: Evening) -> None:
        await self._begin(evening)
        await evening.wait(120)
        assert evening.now.hand_number == 0, "they do not play among themselves"
        await evening.tables.sit(evening.asked("Ann"), 5_000)
        await evening.deal()
        for _ in range(200):
            if evening.now.hand_number >= 4:
                break
            if evening.now.due is not None and evening.now.due.user == HOST:
                view = evening.tables.peek(evening.asked("Ann"))
                assert view.legal is not None
                await evening.act("Ann", c.Check() if view.legal.check else c.Fold())
            await evening.wait(2)
        assert evening.now.hand_number >= 4
        assert all(seat.stack for seat in evening.now.table.seats if seat.practice and not seat.in_hand)
        audit = await evening.bank.audit(evening.asked("Ida", staff=True))
        assert audit.faults == ()
        assert audit.minted == audit.wallets and audit.practice > 0, "people's chips have not moved"

    async def test_their_table_sleeps_when_the_last_person_has_gone(self, evening: Evening) -> None:
        await self._begin(evening)
        await evening.tables.sit(evening.asked("Ann"), 5_000)
        await evening.deal()
        await evening.tables.leave(evening.asked("Ann"))
        await evening.wait(120)
        number = evening.now.hand_number
        await evening.wait(120)
        assert not evening.now.running and evening.now.hand_number == number
        await evening.crash()
        await evening.wait(800)
        assert evening.tables.all_tables() == (), "and closes by itself"

    async def test_only_at_practice_tables_and_only_for_the_host(self, evening: Evening) -> None:
        await self._begin(evening)
        with pytest.raises(HostOnly):
            await evening.tables.seat_practice(evening.asked("Bo"), 1)
        await evening.open(channel=CHANNEL + 1)
        with pytest.raises(PracticeTablesOnly):
            await evening.tables.seat_practice(evening.asked("Ann", channel=CHANNEL + 1), 1)

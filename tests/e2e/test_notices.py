"""Private notices: who ran out of time or chips, or is offered a seat, is told so with the button that they need."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.table.state import SeatStatus
from tests.e2e.bot_session import BotSession, bot_session
from tests.e2e.test_choices_survive_restart import restarting_bot
from tests.e2e.test_my_hand import panel, private
from tests.support.discord_double import Player


async def miss_turn(room: BotSession, player: Player, other: Player) -> None:
    """Let a player miss their next turn, while the other one checks and calls."""
    while True:
        if not room.now.hand_running:
            await room.next_hand()
        if room.to_act(player, other) is player:
            break
        await room.check_or_call(other)
    turn = room.now.current_turn
    room.clock.skip(91)
    await room.wait_until(lambda: room.now.current_turn != turn)


async def sit_out_in_silence(room: BotSession, player: Player, other: Player) -> None:
    """Let a player miss turns until they sit out."""
    while all(seat.name != player.name or seat.status is not SeatStatus.SITTING_OUT for seat in room.now.table.seats):
        await miss_turn(room, player, other)
        while room.now.hand_running and room.to_act(other) is other:
            await room.check_or_call(other)
    await room.wait_until_idle()


@pytest.mark.law("TL-32")
async def test_missed_turn_is_told_by_dm_and_publicly(tmp_path: Path) -> None:
    """The first miss is told alone; the second one sits the player out, and the button of the DM brings them back."""
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await room.open_and_sit(ann, bo)
        await miss_turn(room, ann, bo)
        await ann.until("You ran out of time.\n[I'm back]")
        await room.wait_for_text("Ann ran out of time")
        await sit_out_in_silence(room, ann, bo)
        await room.wait_for_text("Ann ran out of time and sits out\n[I'm back]")
        assert ann.dms().count("You ran out of time") == 1
        assert "You're back in" in await ann.click("I'm back", within="You ran out of time")
        await ann.wait_for(lambda: "You ran out of time" not in ann.dms(), "the notice to go")


@pytest.mark.law("TL-32")
async def test_notice_of_a_player_without_dms_is_one_public_mention(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await ann.dms_open(value=False)
        await room.open_and_sit(ann, bo)
        await sit_out_in_silence(room, ann, bo)
        await room.wait_for_text("@Ann You ran out of time and sit out")
        assert room.discord.you.screen().count("@Ann You ran out of time") == 1
        assert "You're in seat 2" in await bo.click("I'm back", within="@Ann You ran out")
        assert "You're back in" in await ann.click("I'm back", within="@Ann You ran out")
        await bo.until_gone("@Ann You ran out of time")


@pytest.mark.law("TL-1")
async def test_broke_player_buys_in_from_the_notice(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        for player in (ann, bo):
            await room.grant(player, 50_000)
        await room.open_and_sit(ann, bo)
        broke = await room.play_until_broke(ann, bo)
        await broke.until("You're out of chips.\n[Buy in 10,000] [Other amount…] [Leave]")
        await room.wait_for_text(f"{broke.name} is out of chips\n[Buy in again]")
        await broke.click("Other amount…", within="You're out of chips")
        assert "2,000–20,000. You have 50,000." in str(broke.form)
        assert "Your stack is **2,000**" in await broke.submit({"Chips to add": "2000"})
        await broke.wait_for(lambda: "You're out of chips" not in broke.dms(), "the notice to go")
        await room.deal()


@pytest.mark.law("TL-1")
@pytest.mark.parametrize(
    ("granted", "label"), [(50_000, "Buy in 10,000"), (0, "Take 2,000 free chips and play on")], ids=["wallet", "gift"]
)
async def test_buy_in_from_the_panel_is_answered_there(tmp_path: Path, granted: int, label: str) -> None:
    """Nothing is added to the screen: the panel that said they were out of chips says how many they have."""
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        for player in (ann, bo) if granted else ():
            await room.grant(player, granted)
        await room.open_and_sit(ann, bo)
        broke = await room.play_until_broke(ann, bo)
        await broke.until(f"[{label}]")
        before = len(private(broke))
        assert "Your stack is" in await broke.click(label, within="My hand #")
        await room.wait_until_idle()
        assert len(private(broke)) == before and "Your stack is" in panel(broke) and label not in broke.screen()


@pytest.mark.law("TL-1")
async def test_broke_player_without_chips_plays_on_by_one_press(tmp_path: Path) -> None:
    """The house's gifts and the buy-in are one press."""
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await room.open_and_sit(ann, bo)
        broke = await room.play_until_broke(ann, bo)
        offered = "You're out of chips, but you can play on at once.\n[Take 2,000 free chips and play on]"
        await broke.until(f"{offered} [Lower table] [Watch] [Leave]")
        await broke.until(f"{broke.name} is out of chips\n[Buy in again]")
        await broke.click("Buy in again", within="is out of chips")
        assert offered in broke.screen()
        assert "Your stack is **2,000**" in await broke.click("Take 2,000 free chips and play on")
        await room.deal()
        room.check_leaks()


async def test_broke_player_watches_and_sits_down_again_later(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await room.open_and_sit(ann, bo)
        broke = await room.play_until_broke(ann, bo)
        await broke.until("[Watch]")
        assert "You're watching now" in await broke.click("Watch")
        assert "You can have them at once." in await broke.click("Take a seat")
        assert "with **2,000** chips" in await broke.click("Take 2,000 free chips and play on", within="at once")


async def test_lower_table_is_opened_by_one_press(tmp_path: Path) -> None:
    """The blinds are too high for what the house gives: the same game opens in a thread, and the seat left behind is free."""
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        for player in (ann, bo):
            await room.grant(player, 20_000)
        await room.open_and_sit(ann, bo, big_blind="1000", buy_in="20000")
        high = room.now.id
        broke = await room.play_until_broke(ann, bo)
        await room.discord.you.fill_in("house", page="take", player=broke, chips="10000", reason="a new start")
        await broke.until("[Watch] [Leave]")
        assert "[Lower table]" in await broke.click("Buy in again")
        answer = await broke.click("Lower table")
        assert "Your table is open: " in answer and "You're in seat" in answer
        low = next(one for one in room.dealer.tables.all_tables() if one.id != high)
        assert [seat.player for seat in low.table.seats] == [int(broke.me["id"])]
        assert low.settings.buy_in_unit == 100 and low.settings.rule_card.key == "holdem"
        await room.wait_until(lambda: len(room.dealer.tables.snapshot(high).table.seats) == 1)


async def test_open_lower_table_is_one_press_away(tmp_path: Path) -> None:
    """Cy has nothing but what the house gives, which is too little for the table before them."""
    async with bot_session(tmp_path) as room:
        ann, bo, cy = await room.people("Ann", "Bo", "Cy")
        room.discord.controls.add_channel("low")
        await ann.slash("play", sit=False, big_blind="1000", buy_in="20000")
        await bo.go("low").slash("play", sit=False)
        await room.discord.you.fill_in("house", page="take", player=cy, chips="10000", reason="a new start")
        assert "You need 20,000 chips to sit down here" in await cy.click("Take a seat")
        answer = await cy.click("Lower table")
        assert answer.startswith("Your table is in <#") and "with **2,000** chips" in answer
        high, low = room.dealer.tables.all_tables()
        assert ([seat.name for seat in high.table.seats], [seat.name for seat in low.table.seats]) == ([], ["Cy"])


async def test_offered_seat_pings_the_player_it_is_kept_for(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo, cy, dee = await room.people("Ann", "Bo", "Cy", "Dee")
        await ann.slash("play", sit=False, seats=2)
        await ann.slash("sit", seat=1)
        await bo.slash("sit", seat=2)
        await dee.dms_open(value=False)
        await ann.until("[Waiting list]")
        assert "You're in seat 1" in await ann.click("Waiting list"), "their own menu: it is not meant for them"
        await cy.slash("seat", what="waiting list")
        await dee.slash("seat", what="waiting list")
        await bo.slash("leave")
        await cy.until("A seat is free for you at Table 1.")
        await cy.click("No, thanks", within="A seat is free for you")
        await cy.wait_for(lambda: "A seat is free" not in cy.dms(), "the notice to go")
        await dee.until("@Dee A seat is free for you at Table 1.")
        assert "You're in seat 1" in await ann.click("Take a seat", within="@Dee A seat is free for you")
        assert "You're in seat 2" in await dee.click("Take a seat", within="@Dee A seat is free for you")
        await dee.until_gone("@Dee A seat is free for you")


@pytest.mark.law("TL-32", "TL-40")
async def test_turn_of_a_gone_member_ends_at_once(tmp_path: Path) -> None:
    """Discord does not tell. Who is silent for eight seconds is looked up: Cy folds, and is not dealt in again; their chips are kept."""
    async with bot_session(tmp_path) as room:
        people = ann, bo, cy = await room.people("Ann", "Bo", "Cy")
        await room.open_and_sit(*people)
        await room.next_hand()
        await room.wait_until_idle()
        while room.to_act(*people) is not cy:
            await room.check_or_call(room.to_act(ann, bo) or cy)
        cy_id, stack = int(cy.me["id"]), next(seat.stack for seat in room.now.table.seats if seat.name == "Cy")
        room.discord.controls.remove_member(cy.me["id"])
        room.clock.skip(8)
        await room.wait_until(lambda: room.to_act(ann, bo) is not None)
        await room.discord.you.until_gone("`3`\u00a0")
        while room.now.hand_running:
            await room.check_or_call(room.to_act(ann, bo) or cy)
        assert [seat.name for seat in room.now.table.seats] == ["Ann", "Bo"]
        guild = room.now.address.guild
        holdings = await room.dealer.bank.holdings(guild, cy_id)
        assert holdings.total == holdings.wallet and stack - 100 <= holdings.total <= stack
        assert not await room.dealer.tables.audit(guild)
        await room.deal()


async def test_spectators_and_newcomers_are_told_what_they_can_do(tmp_path: Path) -> None:
    """A press on somebody else's button, and a word of play without a seat, lead to a seat."""
    async with bot_session(tmp_path) as room:
        ann, bo, cy = await room.people("Ann", "Bo", "Cy")
        await ann.slash("play", sit=False)
        assert "You're not at this table." in await cy.slash("fold")
        await ann.slash("sit", seat=1)
        await bo.slash("sit", seat=2)
        assert "No hand is being played" in await ann.slash("fold")
        await room.next_hand()
        assert "You're not at this table.\n[Take a seat]" in await cy.click("Call 50")
        assert "You're in seat 1 with" in await ann.click("Join table")
        await room.act("Raise…", ann, bo)
        player = room.to_act(ann, bo)
        assert player is not None
        assert "Write an amount or pick a size." in await player.submit()


@pytest.mark.law("TL-32")
async def test_notice_of_an_earlier_run_goes_once_it_is_untrue(tmp_path: Path) -> None:
    """The dealer is killed while Ann is away; what it told her is taken away when she comes back."""
    async with restarting_bot(tmp_path) as told:
        async with told.life() as room:
            ann, bo = await room.people("Ann", "Bo")
            await room.open_and_sit(ann, bo)
            await sit_out_in_silence(room, ann, bo)
            await ann.until("You ran out of time")
        async with told.life() as room:
            await room.wait_for_text("Ann ran out of time and sits out")
            await ann.until("You ran out of time")
            assert "You're back in" in await ann.click("I'm back", within="You ran out of time")
            await ann.wait_for(lambda: "You ran out of time" not in ann.dms(), "the notice to go")


@pytest.mark.law("TL-32")
async def test_menu_goes_once_its_way_back_is_untrue(tmp_path: Path) -> None:
    """Ann missed a turn and opened her menu, which offers *I'm back*. She plays on in her panel: then it is nothing to press."""
    async with bot_session(tmp_path) as room:
        people = ann, bo = await room.people("Ann", "Bo")
        await room.open_and_sit(ann, bo, seconds=30)
        await room.next_hand()
        late = room.to_act(*people)
        assert late is not None
        await late.click("👁")
        room.clock.skip(100)
        await room.wait_until(lambda: not room.now.hand_running)
        await room.wait_until_idle()
        assert "[I'm back]" in await late.click("Join table")
        await room.next_hand()
        await room.wait_until_idle()
        assert "[I'm back]" in late.screen()
        if room.to_act(*people) is not late:
            await room.act("Call", ann, bo)
            await room.wait_until_idle()
        await late.click("C", within="My hand #")  # call or check
        await room.wait_until_idle()
        assert "[I'm back]" not in late.screen()


async def test_practice_chips_wherever_somebody_practises(tmp_path: Path) -> None:
    """Ann has all her practice chips on one table. At a second one she sits down with as many again, by the same button."""
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await ann.slash("play", sit=False, practice=2)
        assert "with **10,000** chips" in await ann.click("Take a seat")
        await bo.go("lobby").slash("play", sit=False, practice=2)
        await ann.go("lobby").until("Table 2")
        assert "with **10,000** chips" in await ann.click("Take a seat")

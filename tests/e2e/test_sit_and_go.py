"""Sit-and-gos through the real bot: opened by `/play`'s form, entered by a button, played by commands, paid at the end."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.e2e.bot_session import BotSession, bot_session
from tests.support.discord_double import EPHEMERAL, Player

Wallets = dict[str, int]


async def wallets(room: BotSession, guild: int, *players: Player) -> Wallets:
    return {one.name: (await room.dealer.store.holdings(guild, int(one.me["id"]))).total for one in players}


async def all_in(room: BotSession, *players: Player) -> None:
    """Everybody goes all-in by commands, to the end of the hand."""
    while room.dealer.tables.all_tables() and room.now.hand_running:
        player = room.to_act(*players)
        assert player is not None
        await player.slash("allin")
    if room.dealer.tables.all_tables():
        await room.skip_run_out()


@pytest.mark.law("SG-1", "SG-10")
async def test_sit_and_go_for_chips_is_played_to_its_prizes(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo, cy = await room.people("Ann", "Bo", "Cy")
        await ann.slash("play", where="here")
        await ann.submit({"Who can sit": "sng", "Seats": "0", "Stakes": "20"})
        await ann.until("Sit-and-go · No-Limit Hold'em")
        guild = room.now.address.guild
        assert room.now.table.seats == ()
        await ann.until("Your sit-and-go is open")
        for player in (ann, bo, cy):
            assert "You're in. It starts when all seats are taken." in await player.click("Register · 400")
        before = await wallets(room, guild, ann, bo, cy)
        await ann.until("**Players 3 of 6**")
        assert "🥇 1,200" in ann.screen()
        assert "`1`\u00a010/20" in ann.screen()
        await bo.click("Start now")
        await bo.until("**Players 3 of 6**")
        assert room.now.table.seats == (), "only the host starts it"
        await ann.click("Start now")
        await room.next_hand()
        await ann.until("Level 1 · 10/20")
        assert "3 of 3 left · average 1,500 · 🥇 1,200" in ann.screen()
        await ann.click("My hand")
        await ann.until("My hand #1")
        await ann.wait_for(lambda: "It starts when all seats are taken" not in ann.screen(), "table and panel alone")
        for _ in range(60):
            await all_in(room, ann, bo, cy)
            if len(room.dealer.tables.all_tables()) and len(room.now.table.seats) == 2:
                await ann.until("goes out in 3rd place.")
            if not room.dealer.tables.all_tables():
                break
            if not room.now.hand_running:
                await room.deal()
        await ann.until("The sit-and-go at table 1 is over")
        assert "🥇\u00a0" in ann.screen() and "1st · **1,200**" in ann.screen()
        after = await wallets(room, guild, ann, bo, cy)
        assert sorted(after[name] - before[name] for name in after) == [0, 0, 1_200]
        assert await room.dealer.store.ledger_sum() == 0
        await room.wait_until(lambda: "to act" not in ann.screen())


@pytest.mark.law("SG-1", "SG-13")
async def test_who_withdraws_before_the_start_has_their_chips_back(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await ann.slash("play", where="here")
        await ann.submit({"Who can sit": "sng", "Stakes": "20"})
        await ann.until("Register · 400")
        guild = room.now.address.guild
        for label, answer in (
            ("Register · 400", "You're in."),
            ("Register · 400", "already entered"),
            ("Leave", "back in your wallet"),
            ("Leave", "not in this sit-and-go"),
        ):
            await bo.click(label)
            await bo.until(answer)
        await ann.close_table()
        await room.wait_until(lambda: not room.dealer.tables.all_tables())
        assert await room.dealer.store.ledger_sum() == 0
        assert await wallets(room, guild, bo) == {"Bo": 10_000}


@pytest.mark.law("SG-3")
async def test_free_sit_and_go_with_practice_players(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await ann.slash("play", where="here")
        await ann.submit({"Who can sit": "sng_free", "Seats": "4"})
        await ann.until("Your sit-and-go is open")
        await ann.select("Choose how it rises…", "hyper · 500 chips · levels of 2 min")
        await ann.until("Free · stack **500** · hyper")
        await ann.click("Practice players")
        await ann.until("**Players 3 of 4**")
        await ann.click("Register")
        await ann.until("the first hand is about to be dealt")
        await room.next_hand()
        assert len(room.now.table.seats) == 4
        await ann.click("Menu…")
        await ann.until("4 of 4 left")
        await ann.click("Away")
        await ann.until("You're away")
        await ann.click("I'm back")
        await ann.until("You're back in.")
        assert "has started" in await bo.slash("sit")


@pytest.mark.law("SG-3")
async def test_who_is_away_keeps_the_way_back(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        players = ann, bo = await room.people("Ann", "Bo")
        await ann.slash("play", where="here", seats=2, sit_and_go="free")
        for player in players:
            await player.click("Register")
        await room.next_hand()
        away = room.to_act(ann, bo)
        assert away is not None
        await room.open_panel(away)
        await away.click("Menu…")
        await away.click("Away")
        await room.next_hand()
        await away.until(f"My hand #{room.now.hand_number}")
        await away.until("You're away")
        left = await away.slash("leave")
        assert "You've left. Your stack stays" in left and "[I'm back]" in left
        await away.click("I'm back")
        await away.until("You're back in.")


async def test_free_sit_and_go_speaks_of_no_buy_in(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo, cy = await room.people("Ann", "Bo", "Cy")
        await ann.slash("play", where="here")
        await ann.submit({"Who can sit": "sng_free", "Seats": "4"})
        await ann.until("Your sit-and-go is open")
        for player in (bo, cy):
            await player.click("Register")
        left = await bo.click("Leave", within="Free ·")
        assert "You've left the sit-and-go." in left and "wallet" not in left
        await bo.click("Register")
        await ann.until("**Players 2 of 4**")
        started = await ann.click("Start now")
        assert "The first hand is about to be dealt." in started and "You're in" not in started
        await room.next_hand()
        left = await bo.slash("leave")
        assert "Your stack stays" in left and "buy-in" not in left


@pytest.mark.law("SG-12", "SG-15")
async def test_two_who_are_left_divide_the_prizes_in_a_pause(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await ann.slash("play", where="here")
        await ann.submit({"Who can sit": "sng", "Stakes": "20", "Seats": "2"})
        await ann.until("Register · 400")
        guild = room.now.address.guild
        for player in (ann, bo):
            await player.click("Register · 400")
        await room.next_hand()
        await ann.click("Menu…")
        await ann.click("Pause 5 min")
        await ann.until("Play pauses after this hand")
        player = room.to_act(ann, bo)
        assert player is not None
        await player.slash("fold")
        await ann.until("Paused by the host")
        await ann.click("Menu…")
        await ann.select("Offer to divide the prizes…", "in equal parts")
        await bo.until("**Ann offers to divide the prizes in equal parts:**")
        await bo.click("Agree")
        await bo.until("The sit-and-go at table 1 is over")
        await ann.until_gone("Offered. Everybody still in has to agree")
        assert await wallets(room, guild, ann, bo) == {"Ann": 10_000, "Bo": 10_000}
        assert await room.dealer.store.ledger_sum() == 0


@pytest.mark.law("SG-11")
async def test_somebody_enters_late_by_the_menu(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo, cy = await room.people("Ann", "Bo", "Cy")
        await ann.slash("play", where="here")
        await ann.submit({"Who can sit": "sng", "Stakes": "20"})
        await ann.until("Your sit-and-go is open")
        await ann.select("Late entry and rebuys…", "late entry until level 3 begins")
        await ann.until("turbo · late entry until level 3")
        for player in (ann, bo):
            await player.click("Register · 400")
        await ann.until("**Players 2 of 6**")
        await ann.click("Start now")
        await room.next_hand()
        await cy.click("Menu…")
        await cy.click("Register · 400")
        await cy.until("You're in, with a full stack.")
        assert sum(seat.stack for seat in room.now.table.seats) == 3 * 1_500
        await ann.close_table()
        assert room.dealer.tables.all_tables(), "only staff can cancel it now"


def private(player: Player) -> list[str]:
    """What only this person sees here, the oldest first."""
    return [player.render(message) for message in player.visible() if message["flags"] & EPHEMERAL]


async def test_host_has_one_private_answer_until_the_start(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        (ann,) = await room.people("Ann")
        await ann.slash("play", where="here")
        await ann.submit({"Who can sit": "sng_free", "Seats": "4"})
        await ann.until("Your sit-and-go is open")
        await ann.select("Choose how it rises…", "hyper · 500 chips · levels of 2 min")
        await ann.until("Done: hyper")
        await ann.click("Practice players")
        await ann.until("3 practice players have entered.")
        await ann.until("**Players 3 of 4**")
        assert len(private(ann)) == 1 and ann.screen().count("**Players 3 of 4**") == 1
        await ann.click("All levels")
        await ann.until("After the last level")
        await ann.click("Register", within="3 practice players have entered.")
        await ann.until("the first hand is about to be dealt")
        await ann.wait_for(lambda: len(private(ann)) == 1, "what was offered before the start is gone")
        await ann.wait_for(lambda: not {"Register", "Practice players"} & set(ann.buttons()), "nothing of it is left")


async def test_private_answers_of_registration_go_at_the_start(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo, cy = await room.people("Ann", "Bo", "Cy")
        await ann.slash("play", where="here")
        await ann.submit({"Who can sit": "sng", "Stakes": "20"})
        await ann.until("Your sit-and-go is open")
        for player in (ann, bo):
            await player.click("Register · 400")
            await player.until("You're in. It starts when")
        await cy.click("All levels")
        await cy.until("After the last level")
        assert [len(private(one)) for one in (ann, bo, cy)] == [1, 1, 1]
        await ann.until("**Players 2 of 6**")
        await ann.click("Start now")
        await ann.until("The first hand is about to be dealt")
        await room.next_hand()
        for player in (bo, cy):
            await player.wait_for(lambda player=player: not private(player), "nothing that is over")
        await ann.wait_for(lambda: len(private(ann)) == 1, "the newest answer alone")


async def test_private_answers_go_with_a_cancelled_sit_and_go(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        (ann,) = await room.people("Ann")
        await ann.slash("play", where="here")
        await ann.submit({"Who can sit": "sng_free"})
        await ann.until("Practice players")
        await ann.close_table()
        await room.wait_until(lambda: not room.dealer.tables.all_tables())
        await ann.wait_for(lambda: "Practice players" not in ann.buttons(), "nothing to press that is over")


async def test_answer_elsewhere_leads_to_the_table_at_the_start(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await ann.slash("play", where="thread")
        await ann.submit({"Who can sit": "sng_free", "Seats": "2"})
        await ann.until("Practice players")
        await ann.click("Register")
        await ann.until("You're in. It starts when")
        thread = str(room.now.address.channel)
        await bo.wait_for(lambda: thread in bo.channels, "the thread")
        bo.here = thread
        await bo.until("**Players 1 of 2**")
        await bo.click("Register")
        await ann.until(f"It has started. The table is in <#{room.now.address.channel}>.")
        assert "Practice players" not in ann.buttons()


async def test_panel_above_the_room_follows_the_event(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await ann.slash("play", where="thread")
        await ann.submit({"Who can sit": "sng", "Seats": "2", "Stakes": "20"})
        panel = await bo.until("**Players 0 of 2**")
        assert "[Go to table]" in panel
        await bo.click("Register · 400")
        await bo.until(f"It starts when all seats are taken. The table is in <#{room.now.address.channel}>.")
        room.clock.skip(10)
        await ann.until("**Players 1 of 2**")
        await ann.click("Register · 400")
        await room.deal()
        room.clock.skip(10)
        await bo.until("### Level 1 · 10/20")
        shown = bo.screen()
        assert "**2 of 2 left** · average 1,500" in shown and "🥇 800" in shown and "[All levels]" in shown
        thread = str(room.now.address.channel)
        name = room.discord.stand_in.world.channels[thread]["name"]
        assert name == "No-Limit Hold'em · sit-and-go", "its stakes rise"
        for player in (ann, bo, room.discord.you):
            await player.wait_for(lambda player=player: thread in player.channels, "the thread")
        above, ann.here, bo.here = bo.here, thread, thread
        while room.dealer.tables.all_tables():
            await all_in(room, ann, bo)
            if room.dealer.tables.all_tables() and not room.now.hand_running:
                await room.deal()
        bo.here = above
        await bo.until_gone("### Level")
        await bo.until("The sit-and-go at table 1 is over")
        assert "1st · 800 · [Open the sheet]" in bo.screen()

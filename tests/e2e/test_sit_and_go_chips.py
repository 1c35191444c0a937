"""Rebuys, bounties, prize tables and own amounts of a sit-and-go, through the real bot."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.events.sit_and_go.prizes import PrizeTable
from bot.events.sit_and_go.structures import LevelLength, Speed
from bot.render.message.custom_ids import page_id
from bot.render.table.rebuys import PAGE
from tests.e2e.bot_session import BotSession, bot_session
from tests.e2e.test_choices_survive_restart import restarting_bot
from tests.e2e.test_sit_and_go import all_in, private, wallets
from tests.support.discord_double import Player


async def until_asked(room: BotSession, *players: Player) -> Player:
    """Everybody goes all-in, hand after hand, until one of them is asked whether they rebuy. Returns who."""
    for _ in range(60):
        await all_in(room, *players)
        event = room.now.sit_and_go
        assert event is not None
        if event.rebuy_question is not None:
            user = event.rebuy_question.waiting[0]
            return next(one for one in players if int(one.me["id"]) == user)
        await room.deal()
    raise AssertionError("nobody is asked")


async def one_is_asked(room: BotSession, folds: Player, *others: Player) -> Player:
    """One folds, and two go all-in, hand after hand, until one of them is asked whether they rebuy. Returns who."""
    while True:
        while room.now.hand_running:
            player = room.to_act(folds, *others)
            assert player is not None
            await player.slash("fold" if player is folds else "allin")
        await room.skip_run_out()
        event = room.now.sit_and_go
        assert event is not None
        if event.rebuy_question is not None:
            return next(one for one in others if int(one.me["id"]) in event.rebuy_question.waiting)
        await room.deal()


@pytest.mark.law("SG-9", "SG-10", "SG-11")
async def test_who_has_no_chips_rebuys_and_bounties_are_paid(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await ann.slash("play", where="here")
        await ann.submit({"Who can sit": "sng", "Stakes": "20", "Seats": "2"})
        await ann.until("Your sit-and-go is open")
        guild = room.now.address.guild
        await ann.select("Late entry and rebuys…", "late entry and rebuys until level 4 begins")
        await ann.select("Bounty…", "a bounty of 200 beside the buy-in")
        await ann.until("bounty **200** · late entry and rebuys until level 4")
        await ann.click("Register · 600")
        await ann.select("Bounty…", "no bounty")
        await ann.until("Somebody has paid for the bounty as it is")
        await bo.click("Register · 600")
        await room.next_hand()
        out = await until_asked(room, ann, bo)
        other = bo if out is ann else ann
        await other.until(f"**{out.name}: do you rebuy?**")
        await other.until(f"The bounty of **{out.name}** goes to {other.name} (200).")
        message = next(one for one in other.visible() if "do you rebuy?" in other.render(one))
        for verb in ("rebuy", "norebuy"):
            pressed = page_id(PAGE, verb, room.now.id, room.now.hand_number)
            assert "You aren't asked for a rebuy" in await room.late_click(other, message, pressed)
        await out.until("You're out of chips at table 1. **Do you rebuy?**")
        await out.click("With a bounty · 600")
        await out.until("You have 1,500 chips again")
        await other.until(f"**{out.name}** rebuys.")
        await room.wait_until(lambda: "Do you rebuy" not in out.screen() + out.dms())
        out = await until_asked(room, ann, bo)
        await out.until("[No rebuy]")
        assert "You don't rebuy" in await out.slash("leave"), "leaving is an answer too"
        await ann.until("The sit-and-go at table 1 is over")
        assert "· **1,200** · bounties **" in ann.screen() and "1 rebuy" in ann.screen()
        after = await wallets(room, guild, ann, bo)
        assert sum(after.values()) == 20_000 and await room.dealer.store.ledger_sum() == 0


@pytest.mark.law("SG-9")
async def test_who_is_asked_answers_in_one_place(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        players = ann, bo, cy = await room.people("Ann", "Bo", "Cy")
        await ann.slash("play", where="here", big_blind="20", seats=3, sit_and_go="chips", late=4, rebuys=True)
        for player in players:
            await player.click("Register · 400")
        await room.next_hand()
        out, watching = await one_is_asked(room, ann, bo, cy), ann
        await out.until("You're out of chips at table 1. **Do you rebuy?**")
        shown = await watching.until(f"**{out.name}: do you rebuy?**")
        assert "out of chips" not in shown and "Next hand" not in shown, "it is asked once"
        await watching.wait_for(lambda: "Rebuy · 400" not in watching.buttons(), "their own panel has the buttons")
        await watching.click("Menu…")
        assert "Rebuy" not in watching.screen()
        assert len(private(out)) == 1
        await out.click("Rebuy · 400")
        await out.until("You have 1,500 chips again")
        assert len(private(out)) == 1 and "Your stack 0" not in out.screen() and "Your stack 1,500" in out.screen()


@pytest.mark.law("SG-9")
async def test_who_declines_reads_where_they_came_in(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        players = ann, bo, cy = await room.people("Ann", "Bo", "Cy")
        await ann.slash("play", where="here", big_blind="20", seats=3, sit_and_go="chips", late=4, rebuys=True)
        for player in players:
            await player.click("Register · 400")
        await room.next_hand()
        out = await one_is_asked(room, ann, bo, cy)
        await out.until("[No rebuy]")
        await out.click("No rebuy")
        await out.until("You're out of the sit-and-go at table 1, in 3rd place of 3. You can watch the others here.")
        assert "once the others" not in out.screen() and out.screen().count("3rd place of 3") == 1
        await room.next_hand()
        await room.wait_until_idle()
        assert "You have no cards" not in out.screen() and out.screen().count("3rd place of 3") == 1


@pytest.mark.law("SG-9")
async def test_question_is_there_again_after_a_restart(tmp_path: Path) -> None:
    async with restarting_bot(tmp_path) as told:
        async with told.life() as room:
            players = ann, bo, cy = await room.people("Ann", "Bo", "Cy")
            await ann.slash("play", where="here", big_blind="20", seats=3, sit_and_go="chips", late=4, rebuys=True)
            for player in players:
                await player.click("Register · 400")
            await room.next_hand()
            out = await one_is_asked(room, ann, bo, cy)
            await out.until("[No rebuy]")
        async with told.life() as room:
            await room.wait_until_idle()
            await out.until("You're out of chips at table 1. **Do you rebuy?**")
            assert (out.screen() + out.dms()).count("[Rebuy · 400]") == 1
            assert "You have 1,500 chips again" in await out.click("Rebuy · 400")


async def test_only_rebuys_that_the_wallet_has_are_offered(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        players = ann, _ = await room.people("Ann", "Bo")
        await ann.slash("play", where="here", buy_in="10000", seats=2, sit_and_go="chips", late=4, rebuys=True)
        for player in players:
            await player.click("Register · 10,000")
        await room.next_hand()
        out = await until_asked(room, *players)
        await out.until("A rebuy costs 10,000, and your wallet has 0.")
        assert not {"Rebuy · 10,000"} & set(out.buttons()) and "No rebuy" in out.buttons()


@pytest.mark.law("SG-10", "SG-12")
async def test_host_makes_a_prize_table_and_players_name_amounts(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await ann.slash("play", where="here")
        await ann.submit({"Who can sit": "sng", "Stakes": "20", "Seats": "2"})
        await ann.until("Your sit-and-go is open")
        guild = room.now.address.guild
        await ann.select("Prizes…", "a prize table of your own…")
        await ann.submit({"Percents, first place first": "50/30"})
        await ann.until("Percents sum to 100")
        await ann.click("Change it…")
        assert "50/30" in str(ann.form), "it comes back as it was typed"
        await ann.submit({"Percents, first place first": "70/30"})
        await ann.until("of your own: 70/30")
        for player in (ann, bo):
            await player.click("Register · 400")
        await room.next_hand()
        assert room.now.sit_and_go is not None
        await ann.click("Menu…")
        await ann.until("🥇 560   🥈 240")
        await ann.click("Pause 5 min")
        player = room.to_act(ann, bo)
        assert player is not None
        await player.slash("fold")
        await ann.until("Paused by the host")
        for typed, answer in (
            ("Ann: 500\nBo: 301", "800 are left to divide among all still in, and yours come to 801"),
            ("Ann: 500\nBo: 300", "Offered."),
        ):
            await ann.click("Menu…")
            await ann.select("Offer to divide the prizes…", "in amounts of your own…")
            await ann.submit({"What each gets, a line each": typed})
            await ann.until(answer)
        await bo.until("**Ann offers to divide the prizes like this:** ")
        assert "Ann 500" in bo.screen() and "Bo 300" in bo.screen()
        await bo.click("Agree")
        await bo.until("The sit-and-go at table 1 is over")
        assert await wallets(room, guild, ann, bo) == {"Ann": 10_100, "Bo": 9_900}


@pytest.mark.law("SG-10", "SG-11")
async def test_play_opens_a_sit_and_go_by_typed_options(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        (ann,) = await room.people("Ann")
        await ann.slash(
            "play",
            game="stud",
            where="here",
            big_blind="20",
            seats=4,
            sit_and_go="chips",
            structure="deep.hands",
            late=3,
            rebuys=True,
            bounty="25",
            prizes="winner takes all",
        )
        await ann.until("Sit-and-go · ")
        event = room.now.sit_and_go
        assert event is not None
        wanted = event.settings
        assert (wanted.speed, wanted.structure.counted_in) == (Speed.DEEP, LevelLength.HANDS)
        assert (wanted.seats, wanted.late_until, wanted.rebuys) == (4, 3, True)
        assert (wanted.prizes, wanted.bounty) == (PrizeTable.WINNER, wanted.buy_in // 4)
        assert wanted.buy_in == 400 and room.now.settings.rule_card.key == "stud"


async def test_typed_options_bring_practice_players_to_a_free_one(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        (ann,) = await room.people("Ann")
        paid = await ann.slash("play", where="here", seats=3, sit_and_go="chips", practice=2)
        assert "Practice players play for honour only" in paid and not room.dealer.tables.all_tables()
        await ann.slash("play", where="here", seats=3, sit_and_go="free", practice=2)
        await ann.until("**Players 2 of 3**")
        await ann.click("Register")
        await room.next_hand()
        assert len(room.now.table.seats) == 3

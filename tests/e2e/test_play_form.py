"""`/play`: one form opens a table and seats its host."""

from __future__ import annotations

from pathlib import Path

from tests.e2e.bot_session import BotSession, bot_session
from tests.support.discord_double import Player


async def test_play_form_sent_unchanged_seats_host_at_holdem(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        (ann,) = await room.people("Ann")
        form = await ann.slash("play")
        assert "Open a table" in form and "Who can sit" in form
        await ann.submit()
        await ann.until("You're in seat")
        settings = room.now.settings
        assert (settings.rule_card.key, settings.stakes.big_blind, settings.practice) == ("holdem", 100, False)
        assert [seat.player for seat in room.now.table.seats] == [int(ann.me["id"])]


async def test_play_form_chooses_everything_about_the_table(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        (ann,) = await room.people("Ann")
        await ann.slash("play", game="badugi")
        await ann.submit(
            {
                "Stakes": "20",
                "Seats": "4",
                "Time to act": "60",
                "Who can sit": "2",
            }
        )
        await ann.until("You're in seat")
        settings = room.now.settings
        assert (settings.rule_card.key, settings.stakes.small_bet, settings.seat_count) == ("badugi", 20, 4)
        assert (settings.stakes.turn_seconds, settings.practice, len(room.now.table.seats)) == (60, True, 3)


async def test_play_completes_mixtures_and_corrects_misspelled_games(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        (ann,) = await room.people("Ann")
        assert "Did you mean Limit Badugi?" in await ann.slash("play", game="baduggi")
        await ann.slash("play", game="horse")
        await ann.submit({"Who can sit": "3", "Seats": "2"})
        await ann.until("You're in seat")
        assert room.now.settings.rotation is not None
        assert len(room.now.table.seats) == 2, "one practice player fits beside the host"


async def test_second_table_in_a_channel_is_refused_in_the_form(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await ann.slash("play")
        await ann.submit()
        await bo.slash("play")
        assert "Table 1 is open in this channel" in await bo.submit()


async def test_big_blind_of_one_chip_is_refused(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        (ann,) = await room.people("Ann")
        refused = await ann.slash("play", sit=False, game="holdem", big_blind="1")
        assert "The big blind has to be 2, twice the small blind." in refused
        assert "missing" not in refused


async def test_help_knows_where_its_reader_sits(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        assert "`/play` opens a table" in await ann.slash("help")
        await ann.slash("play")
        await ann.submit()
        await ann.until("You're in seat")
        assert "You're seated at the table in this channel" in await ann.slash("help")
        assert "Press **Take a seat** under the table in this channel" in await bo.slash("help")


async def spend_all_but(room: BotSession, player: Player, chips: int) -> None:
    """Let a new player take everything that the house gives, and lose all but so many chips."""
    await room.discord.you.fill_in("house", page="take", player=player, chips="10000", reason="lost")
    await player.slash("me", page="free")
    await player.slash("me", page="daily")
    await room.discord.you.fill_in("house", page="take", player=player, chips=str(3_000 - chips), reason="lost")


async def test_host_who_is_alone_practises_beside_their_table(tmp_path: Path) -> None:
    """The same game opens in a thread with practice players. A second press finds the seat there, and whoever comes finds the host."""
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await ann.slash("play")
        await ann.submit({"Game": "badugi"})
        await ann.until("[Practise meanwhile]")
        answer = await ann.click("Practise meanwhile")
        assert "Your table is open: " in answer and "You're in seat" in answer
        first, beside = room.dealer.tables.all_tables()
        assert (beside.settings.rule_card.key, beside.settings.practice, len(beside.table.seats)) == ("badugi", True, 4)
        assert "You're in seat" in await ann.click("Practise meanwhile", within="[Practise meanwhile]")
        assert len(room.dealer.tables.all_tables()) == 2

        await bo.click("Take a seat")
        await bo.until("You're in seat")
        assert "[Practise meanwhile]" not in bo.screen()
        assert len(room.dealer.tables.snapshot(first.id).table.seats) == 2
        room.check_leaks()


async def test_host_of_a_practice_table_adds_a_practice_player(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        (ann,) = await room.people("Ann")
        await ann.slash("play", sit=False, seats=4, practice=1)
        await ann.slash("sit")
        await ann.until("[Join table]")
        await ann.click("Join table")
        assert "A practice player sits down." in await ann.click("Add a practice player")
        assert len(room.now.table.seats) == 3


async def test_host_without_chips_sits_down_with_free_ones(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        (ann,) = await room.people("Ann")
        await room.discord.you.fill_in("house", page="take", player=ann, chips="10000", reason="lost")
        await ann.slash("play")
        await ann.submit()
        await ann.until("You can have them at once.")
        assert "with **2,000** chips" in await ann.click("Take 2,000 free chips and play on")


async def test_stakes_above_the_wallet_offer_what_fits(tmp_path: Path) -> None:
    """Ann has 300 left and has had what the house gives. No table is opened at which its host could not sit down."""
    async with bot_session(tmp_path) as room:
        (ann,) = await room.people("Ann")
        await spend_all_but(room, ann, 300)
        await ann.slash("play")
        assert "You have 300 chips." in str(ann.form)
        refused = await ann.submit({"Stakes": "1000", "Game": "badugi"})
        assert "You have 300. Buy-ins at these stakes are 2,000–200,000." in refused
        assert "[Blinds 5/10] [Blinds 1/2] [Use practice chips] [Open it anyway]" in refused
        assert not room.dealer.tables.all_tables()
        await ann.click("Blinds 5/10")
        await ann.until("You're in seat")
        settings = room.now.settings
        assert (settings.rule_card.key, settings.stakes.small_bet) == ("badugi", 10)
        await room.wait_until_idle()
        assert "Buy-ins at these stakes" not in ann.screen()


async def test_host_without_chips_can_open_or_practise(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        (ann,) = await room.people("Ann")
        await spend_all_but(room, ann, 0)
        await ann.slash("play")
        refused = await ann.submit()
        assert "You have 0, and buy-ins are 2,000–20,000. Practice chips are free." in refused
        assert "[Use practice chips] [Open it anyway]" in refused and "[Blinds" not in refused
        await ann.click("Open it anyway")
        assert not room.now.table.seats
        await ann.close_table()
        await room.wait_until(lambda: not room.dealer.tables.all_tables())
        await ann.slash("play")
        await ann.submit()
        await ann.click("Use practice chips")
        await ann.until("You're in seat")
        assert (room.now.settings.practice, len(room.now.table.seats)) == (True, 4)

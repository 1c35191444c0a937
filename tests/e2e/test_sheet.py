"""A game that people have played ends with its sheet in the room, whatever happens to the dealer then."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from bot.runtime.snapshot import TableSnapshot
from bot.signals import GuildLeft, Signals
from bot.surfaces.table.display import TableDisplay
from tests.e2e.bot_session import BotSession, bot_session
from tests.e2e.test_choices_survive_restart import restarting_bot
from tests.e2e.test_rooms import a_moment_later, follow, threads
from tests.support.discord_double import Json, Player
from tests.support.menus import choose_for_oneself, invite


async def play_a_hand(room: BotSession, *players: Player) -> None:
    await room.next_hand()
    while room.now.hand_running:
        folder = room.to_act(*players)
        assert folder is not None
        await folder.slash("fold")
        await room.wait_until_idle()


async def test_last_message_of_a_table_is_its_sheet(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await room.open_and_sit(ann, bo)
        await play_a_hand(room, ann, bo)
        await ann.close_table()
        await ann.until("Table 1 is closed · 1 minute · 1 hand")
        sheet = ann.screen()
        assert "Ann closed the table. All chips are back in wallets." in sheet
        assert sheet.count("🏆") == 1 and "**+50** · 1 buy-in · 1 hand" in sheet and "**−50** · 1 buy-in" in sheet
        assert "**Hand #1** · Table 1" in await bo.click("All hands"), bo.screen()


async def play_to_a_showdown(room: BotSession, *players: Player) -> None:
    """Raise, call, and check down the rest."""
    await room.next_hand()
    raiser = room.to_act(*players)
    assert raiser is not None
    await raiser.slash("raise", to="500")
    await room.check_down(*players)
    await room.wait_until_idle()


async def test_hand_of_the_night_is_the_largest_pot_shown(tmp_path: Path) -> None:
    async with restarting_bot(tmp_path) as told:
        async with told.life() as room:
            ann, bo = await room.people("Ann", "Bo")
            await room.open_and_sit(ann, bo)
            await play_a_hand(room, ann, bo)
            await play_to_a_showdown(room, ann, bo)
        async with told.life(waits=False) as room:
            for _ in range(3):
                await play_a_hand(room, ann, bo)
            room.dealer.tables._on_update = lambda change: None
            await ann.close_table()
        async with told.life() as room:
            await ann.until("Ann closed the table.")
            assert "Hand of the night · Best hand · #2\n" in ann.screen() and " won 1,000 with " in ann.screen()
            assert "Hand #2" in await bo.click("Replay", within="Hand of the night")


async def test_a_table_where_nobody_has_played_has_none(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await room.open_and_sit(ann, bo)
        await ann.close_table()
        await ann.until("Table 1 is closed")
        assert "no hands played" in ann.screen() and "All hands" not in ann.screen()
        await room.wait_until_idle()
        assert room.dealer.services.display.messages_in(int(ann.here)) == [], "it is shown no longer"


@pytest.mark.parametrize("played", [True, False])
async def test_killed_as_the_table_closes(tmp_path: Path, *, played: bool) -> None:
    """What is to be said is saved with the end of the table, and the next start says it, once."""
    async with restarting_bot(tmp_path) as told:
        async with told.life(waits=False) as room:
            ann, bo = await room.people("Ann", "Bo")
            await room.open_and_sit(ann, bo)
            if played:
                await play_a_hand(room, ann, bo)
            room.dealer.tables._on_update = lambda change: None  # killed: nothing but the disk hears of it
            await ann.close_table()
            assert not room.dealer.tables.all_tables()
            assert set(await room.dealer.store.values("ended.")) == {"ended.1"}
        for _ in range(2):
            async with told.life() as room:
                await ann.until("Ann closed the table.")
                await room.wait_until_idle()
                assert not await room.dealer.store.values("ended.") and not await room.dealer.store.values("stage.")
                assert ann.screen().count("Ann closed the table.") == 1, "it is posted once"
                assert ("🏆" in ann.screen()) is played


async def test_sheet_follows_though_the_last_message_was_deleted(tmp_path: Path) -> None:
    """The dealer is killed as the table closes, and somebody deletes the table's message before the next one starts."""
    async with restarting_bot(tmp_path) as told:
        async with told.life(waits=False) as room:
            ann, bo = await room.people("Ann", "Bo")
            await room.open_and_sit(ann, bo)
            await play_a_hand(room, ann, bo)
            room.dealer.tables._on_update = lambda change: None
            await ann.close_table()
            controls = room.discord.controls
        for message in controls.messages(ann.here):
            await controls.delete_message(ann.here, message["id"])
        async with told.life() as room:
            await ann.until("🏆")
            await room.wait_until_idle()
            assert not await room.dealer.store.values("ended.")


async def test_end_of_a_table_nobody_can_find_is_posted_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where its message is was not saved before the dealer was killed; the next one is killed as soon as it has posted the end."""

    async def is_too_late(*_: object) -> None: ...

    async with restarting_bot(tmp_path) as told:
        with monkeypatch.context() as killed:
            killed.setattr(TableDisplay, "save", is_too_late)
            async with told.life(waits=False) as room:
                (ann,) = await room.people("Ann")
                await ann.slash("play", sit=False)
                room.dealer.tables._on_update = lambda change: None
                await ann.close_table()
        with monkeypatch.context() as killed:
            killed.setattr(TableDisplay, "over", lambda *_: None)
            async with told.life():
                await ann.until("Ann closed the table.")
        async with told.life() as room:
            await room.wait_until_idle()
            assert ann.screen().count("Ann closed the table.") == 1


# playing again


async def end_of_a_game(room: BotSession, *players: Player, **how: object) -> Json | None:
    """Play a hand at a table, in a room of its own if `how` says so, and close it. Returns its thread."""
    host, *others = players
    await host.slash("play", sit=False, **how)
    here = threads(room)
    thread = here[-1] if here else None
    if thread is not None and "where" in how:
        if how["where"] == "private":
            await follow(thread["id"], host)
            await invite(host, *others)
        await follow(thread["id"], *players, room.discord.you)
    for number, player in enumerate(players, 1):
        await player.slash("sit", seat=number)
    await play_a_hand(room, *players)
    await host.close_table()
    await host.until("Play again")
    await room.wait_until_idle()
    return thread


def open_tables(room: BotSession) -> list[TableSnapshot]:
    return list(room.dealer.tables.all_tables())


def calls(player: Player) -> list[tuple[str, set[str]]]:
    """The calls to play again that somebody sees: their text, and whom they notify."""
    seen = [one for one in player.visible() if "plays again" in one["content"]]
    return [(one["content"], {each["id"] for each in one["mentions"]}) for one in seen]


async def test_play_again_opens_the_same_game_and_calls_everybody(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo, cy = await room.people("Ann", "Bo", "Cy")
        await end_of_a_game(room, ann, bo, cy, game="omaha", big_blind=20)
        await bo.click("Play again")
        await room.wait_until_idle()
        (again,) = open_tables(room)
        assert (again.settings.rule_card.key, again.settings.stakes.big_blind) == ("omaha", 20)
        assert [seat.name for seat in again.table.seats] == ["Bo"] and again.host == int(bo.me["id"])
        await cy.until("plays again")
        assert "@Bo plays again. Take a seat." in cy.screen() and "@Cy" in cy.screen()
        for player in (bo, cy, cy):
            await player.click("Play again", within="Table 1 is closed")
        await room.wait_until_idle()
        (again,) = open_tables(room)
        assert [seat.name for seat in again.table.seats] == ["Bo", "Cy"]
        assert cy.screen().count("plays again") == 1


async def test_nobody_is_woken_by_a_call(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo, cy = await room.people("Ann", "Bo", "Cy")
        await choose_for_oneself(cy, quiet="00:00-23:59 UTC")
        await end_of_a_game(room, ann, bo, cy)
        await bo.click("Play again")
        await cy.until("plays again")
        ((text, notified),) = calls(cy)
        assert f"<@{cy.me['id']}>" in text and notified == {ann.me["id"]}


async def test_two_presses_at_once_open_one_table(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await end_of_a_game(room, ann, bo)
        await asyncio.gather(ann.click("Play again"), bo.click("Play again"))
        await room.wait_until_idle()
        (again,) = open_tables(room)
        assert {seat.name for seat in again.table.seats} == {"Ann", "Bo"}


async def test_game_that_was_called_and_closed_can_be_called_anew(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await end_of_a_game(room, ann, bo)
        for _ in range(2):
            await bo.click("Play again", within="Table 1 is closed")
            assert len(open_tables(room)) == 1
            await bo.close_table()
            await room.wait_until(lambda: not open_tables(room))
            await room.wait_until_idle()


async def test_private_game_stays_private_and_invites_its_guests(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await end_of_a_game(room, ann, bo, where="private")
        await a_moment_later(room)
        staff = room.discord.you
        assert "only the people who were invited can open it again" in await staff.click("Play again")
        assert "Your private table is open" in await bo.click("Play again")
        await room.wait_until_idle()
        (again,) = open_tables(room)
        assert again.is_private and again.settings.has_table_chips and int(ann.me["id"]) in again.invited
        await follow(threads(room)[-1]["id"], ann)
        await ann.until("@Ann · @Bo invites you to this table.")


async def test_game_in_a_thread_opens_in_a_new_thread(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        before = await end_of_a_game(room, ann, bo, where="thread")
        assert before is not None
        await a_moment_later(room)
        assert before["thread_metadata"]["archived"]
        assert "Your table is open" in await bo.click("Play again")
        await room.wait_until_idle()
        assert len(threads(room)) == 2 and len(open_tables(room)) == 1
        assert "Your table is in" in await ann.click("Play again")


async def test_whoever_cannot_open_a_table_is_told_why(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await end_of_a_game(room, ann, bo, where="thread")
        poker = room.discord.channel("poker")
        room.discord.controls.set_overwrite(poker, deny=["create_public_threads"])
        assert "The dealer needs **Create Public Threads**" in await bo.click("Play again")
        room.discord.controls.set_overwrite(poker)
        for channel in ("lobby", "poker"):
            await bo.go(channel).slash("play", sit=False, where="here")
        bo.here = threads(room)[0]["id"]
        assert "You host 2 open tables" in await bo.click("Play again")
        assert len(open_tables(room)) == 2


async def test_where_another_table_is_open_the_game_gets_a_thread(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await end_of_a_game(room, ann, bo)
        await ann.slash("play", sit=False)
        assert "Your table is open" in await bo.click("Play again", within="Table 1 is closed")
        assert len(threads(room)) == 1 and len(open_tables(room)) == 2


async def test_killed_after_the_table_has_opened(tmp_path: Path) -> None:
    """The dealer is killed before it notes the new table, or calls anybody: the next press leads there, and opens no other."""
    async with restarting_bot(tmp_path) as told:
        async with told.life(waits=False) as room:
            ann, bo = await room.people("Ann", "Bo")
            await end_of_a_game(room, ann, bo)

            async def killed(*_: object) -> None:
                await asyncio.sleep(3600)

            room.dealer.services.sheets.note_again = killed  # type: ignore[method-assign]
            press = asyncio.ensure_future(bo.click("Play again"))
            await room.wait_until(lambda: len(open_tables(room)) == 1)
            await asyncio.sleep(1)
            press.cancel()
        async with told.life() as room:
            await ann.click("Play again", within="Table 1 is closed")
            (again,) = open_tables(room)
            assert {seat.name for seat in again.table.seats} == {"Ann", "Bo"}


# where it cannot be shown


async def test_sheet_without_permission_comes_when_it_can(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await ann.slash("play", sit=False, where="thread")
        (thread,) = threads(room)
        await follow(thread["id"], ann, bo, room.discord.you)
        for player in (ann, bo):
            await player.slash("sit")
        await play_a_hand(room, ann, bo)
        poker = room.discord.channel("poker")
        room.discord.controls.set_overwrite(poker, deny=["send_messages_in_threads"])
        await ann.close_table()
        await room.wait_until(lambda: not open_tables(room))
        await room.wait_until_idle()
        await a_moment_later(room)
        assert "🏆" not in ann.screen() and not thread["thread_metadata"]["archived"]
        room.discord.controls.set_overwrite(poker)
        await ann.until("🏆")
        await room.wait_until_idle()
        await a_moment_later(room)
        assert ann.screen().count("🏆") == 1 and thread["thread_metadata"]["archived"]


async def test_sheet_is_tried_again_after_a_restart(tmp_path: Path) -> None:
    async with restarting_bot(tmp_path) as told:
        async with told.life() as room:
            ann, bo = await room.people("Ann", "Bo")
            await room.open_and_sit(ann, bo)
            await play_a_hand(room, ann, bo)
            room.discord.controls.set_overwrite(room.discord.channel("poker"), deny=["send_messages"])
            await ann.close_table()
            await room.wait_until(lambda: not open_tables(room))
            await room.wait_until_idle()
        room.discord.controls.set_overwrite(room.discord.channel("poker"))
        async with told.life() as room:
            await ann.until("🏆")
            await room.wait_until_idle()
            assert ann.screen().count("🏆") == 1


async def test_sheets_of_a_server_that_is_left_are_forgotten(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        guild = room.dealer.services.discord_api.servers.all()[0].id
        await end_of_a_game(room, *await room.people("Ann", "Bo"))
        for left, kept in ((guild + 1, 1), (guild, 0)):
            room.dealer.parts.get(Signals).send(GuildLeft(left))
            await room.wait_until_idle()
            assert len(await room.dealer.store.values("sheet.")) == kept

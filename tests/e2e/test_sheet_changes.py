"""What becomes of a sheet: its picture, the line above its room, long rests, and the names that go from it."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from bot.house.rules import HouseRules
from bot.pictures.maker import PictureMaker
from bot.pictures.types import LinesPicture, Picture
from tests.e2e.bot_session import BotSession, bot_session
from tests.e2e.test_choices_survive_restart import restarting_bot
from tests.e2e.test_rooms import a_moment_later, follow, threads
from tests.e2e.test_sheet import end_of_a_game, open_tables, play_a_hand, play_to_a_showdown
from tests.support.discord_double import Json, Player

HOUR = 3600


class Drawer(PictureMaker):
    """Draws evenings without a process of its own, and remembers what it was asked for."""

    def __init__(self, *answers: bytes | None) -> None:
        super().__init__()
        self.answers, self.asked = list(answers), list[LinesPicture]()

    @property
    def can_draw(self) -> bool:
        return True

    @property
    def is_ready(self) -> bool:
        return True

    def start(self) -> None:
        """There is no process."""

    async def draw(self, picture: Picture, key: object = None) -> bytes | None:
        if not isinstance(picture, LinesPicture):
            return None
        self.asked.append(picture)
        return self.answers.pop(0) if self.answers else b"a picture"


def sheet_of(player: Player) -> Json:
    (found,) = [one for one in player.visible() if "All hands" in str(one["components"])]
    return found


async def play_an_evening(room: BotSession, *players: Player, hands: int = 5) -> None:
    await play_to_a_showdown(room, *players)
    for _ in range(hands - 1):
        await play_a_hand(room, *players)


async def close(room: BotSession, host: Player) -> None:
    await host.close_table()
    await room.wait_until(lambda: not open_tables(room))
    await host.until("Play again")
    await room.wait_until_idle()


# the picture


async def test_sheet_has_the_picture_of_the_evening(tmp_path: Path) -> None:
    drawer = Drawer()
    async with bot_session(tmp_path, pictures=drawer) as room:
        ann, bo = await room.people("Ann", "Bo")
        await room.open_and_sit(ann, bo)
        await play_an_evening(room, ann, bo)
        await close(room, ann)
        assert "(picture: Chips won and lost over 5 hands: " in ann.screen()
        assert [one["filename"] for one in sheet_of(ann)["attachments"]] == ["evening.webp"]
        (picture,) = drawer.asked
        assert {line.name for line in picture.lines} == {"Ann", "Bo"}
        assert sum(line.points[-1][1] for line in picture.lines) == 0


async def test_picture_that_is_slow_follows(tmp_path: Path) -> None:
    async with bot_session(tmp_path, pictures=Drawer(None, b"a picture")) as room:
        ann, bo = await room.people("Ann", "Bo")
        await room.open_and_sit(ann, bo)
        await play_an_evening(room, ann, bo)
        await ann.close_table()
        await ann.until("Play again")
        assert "(picture:" not in ann.screen() and "🏆" in ann.screen(), "the sheet has not waited"
        await ann.until("(picture: Chips won and lost")
        assert ann.screen().count("🏆") == 1


@pytest.mark.parametrize("answers", [(None, None, None), ()])
async def test_sheet_goes_without_a_picture_where_there_is_none(
    tmp_path: Path, answers: tuple[bytes | None, ...]
) -> None:
    async with bot_session(tmp_path, pictures=Drawer(*answers)) as room:
        ann, bo = await room.people("Ann", "Bo")
        if not answers:
            room.discord.controls.set_overwrite(room.discord.channel("poker"), deny=["attach_files"])
        await room.open_and_sit(ann, bo)
        await play_an_evening(room, ann, bo)
        await close(room, ann)
        await asyncio.sleep(30)
        assert "Hand of the night" in ann.screen() and "(picture: Chips" not in ann.screen()


async def test_few_hands_are_no_evening(tmp_path: Path) -> None:
    drawer = Drawer()
    async with bot_session(tmp_path, pictures=drawer) as room:
        ann, bo = await room.people("Ann", "Bo")
        await room.open_and_sit(ann, bo)
        await play_an_evening(room, ann, bo, hands=4)
        await close(room, ann)
        assert "🏆" in ann.screen() and not drawer.asked and "Hand of the night" not in ann.screen()


async def test_killed_before_the_picture(tmp_path: Path) -> None:
    """The next start redraws the sheet that is there, with its picture and its hands."""
    async with restarting_bot(tmp_path, pictures=Drawer()) as told:
        async with told.life(waits=False) as room:

            async def never(*_: object) -> bytes:
                await asyncio.Event().wait()
                return b""

            room.dealer.services.sheets.teller.draw = never  # type: ignore[method-assign]
            ann, bo = await room.people("Ann", "Bo")
            await room.open_and_sit(ann, bo)
            await play_an_evening(room, ann, bo)
            await ann.close_table()
            await ann.until("🏆")
        async with told.life() as room:
            await ann.until("(picture: Chips won and lost over 5 hands")
            await room.wait_until_idle()
            assert ann.screen().count("🏆") == 1 and "Hand of the night" in ann.screen()


# the line above


def lines_above(room: BotSession, player: Player) -> list[str]:
    poker = room.discord.channel("poker")
    return [one["content"] for one in player.visible(poker) if "Open the sheet" in one["content"]]


async def test_channel_above_a_thread_reads_of_it_in_one_line(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        thread = await end_of_a_game(room, ann, bo, where="thread", chips="table")
        assert thread is not None
        (line,) = lines_above(room, bo)
        sheet = sheet_of(ann)
        link = f"https://discord.com/channels/{thread['guild_id']}/{thread['id']}/{sheet['id']}"
        assert line.startswith("-# The game at table 1 is over · **") and f"** +50 · [Open the sheet]({link})" in line


@pytest.mark.parametrize("how", [{"where": "private"}, {}])
async def test_no_line_leaves_a_private_room_or_repeats_the_sheet(tmp_path: Path, how: dict[str, Any]) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await end_of_a_game(room, ann, bo, **how)
        await a_moment_later(room)
        assert not lines_above(room, room.discord.you) and not lines_above(room, ann)


async def test_line_above_is_given_up_where_the_dealer_cannot_write(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        room.discord.controls.set_overwrite(room.discord.channel("poker"), deny=["send_messages"])
        await end_of_a_game(room, ann, bo, where="thread")
        assert "🏆" in ann.screen() and not lines_above(room, ann)


# rests


NEVER_CLOSES = HouseRules(account_days=0, member_days=0, idle_close_minutes=0)


async def rest(room: BotSession, seconds: float) -> None:
    room.clock.skip(seconds)
    await asyncio.sleep(1)
    await room.wait_until_idle()


@pytest.mark.law("TC-1")
async def test_six_hours_without_a_hand_bring_one_sheet(tmp_path: Path) -> None:
    async with bot_session(tmp_path, default_rules=NEVER_CLOSES) as room:
        ann, bo = await room.people("Ann", "Bo")
        await room.open_and_sit(ann, bo, chips="table")
        await play_an_evening(room, ann, bo)
        for player in (ann, bo):
            await player.slash("seat", what="sit out")
        await rest(room, 6 * HOUR - 120)
        assert "takes a rest" not in ann.screen()
        await rest(room, 240)
        assert "Table 1 takes a rest · " in ann.screen() and "Hand of the night" in ann.screen()
        await rest(room, 12 * HOUR)
        assert ann.screen().count("takes a rest") == 1 and "Play again" not in ann.screen()
        for player in (ann, bo):
            is_seated = any(seat.name == player.name for seat in room.now.table.seats)
            await player.slash(*(("seat",) if is_seated else ("sit",)), **({"what": "back"} if is_seated else {}))
        await play_a_hand(room, ann, bo)
        for player in (ann, bo):
            await player.slash("seat", what="sit out")
        await rest(room, 6 * HOUR + 120)
        assert ann.screen().count("takes a rest") == 2
        await close(room, room.discord.you)
        last = ann.screen().split("The game at table 1 is over")[-1]
        assert "· 6 hands" in last and "Hand of the night" in last


async def test_rest_is_noticed_by_the_next_dealer_and_told_once(tmp_path: Path) -> None:
    async with restarting_bot(tmp_path, default_rules=NEVER_CLOSES) as told:
        async with told.life() as room:
            ann, bo = await room.people("Ann", "Bo")
            await room.open_and_sit(ann, bo)
            await play_an_evening(room, ann, bo)
            for player in (ann, bo):
                await player.slash("seat", what="sit out")
            room.clock.skip(3 * HOUR)
        async with told.life() as room:
            await rest(room, 2 * HOUR)
            assert "takes a rest" not in ann.screen()
            await rest(room, 2 * HOUR)
            assert ann.screen().count("takes a rest") == 1
        async with told.life() as room:
            await rest(room, 12 * HOUR)
            assert ann.screen().count("takes a rest") == 1


async def test_where_a_turn_can_take_an_hour_nothing_rests(tmp_path: Path) -> None:
    async with bot_session(tmp_path, default_rules=NEVER_CLOSES) as room:
        ann, bo = await room.people("Ann", "Bo")
        await ann.slash("play", sit=False, seconds=HOUR)
        (thread,) = threads(room)
        await follow(thread["id"], ann, bo, room.discord.you)
        for player in (ann, bo):
            await player.slash("sit")
        await play_an_evening(room, ann, bo)
        for player in (ann, bo):
            await player.slash("seat", what="sit out")
        await rest(room, 30 * HOUR)
        assert "takes a rest" not in ann.screen()


# names that go


async def delete_data(player: Player) -> None:
    await player.go("lobby").slash("me", page="delete")
    await player.click("Delete it all")


async def test_deleting_data_takes_the_name_from_the_sheet(tmp_path: Path) -> None:
    drawer = Drawer()
    async with bot_session(tmp_path, pictures=drawer) as room:
        ann, bo = await room.people("Ann", "Bo")
        await ann.slash("play", sit=False, where="thread")
        (thread,) = threads(room)
        await follow(thread["id"], ann, bo, room.discord.you)
        for player in (ann, bo):
            await player.slash("sit")
        await play_an_evening(room, ann, bo)
        await close(room, ann)
        await a_moment_later(room)
        assert thread["thread_metadata"]["archived"]
        staff = room.discord.you
        for player in (ann, bo):
            await delete_data(player)
            await staff.wait_for(lambda name=player.name: name not in str(sheet_of(staff)), "the name to go")  # type: ignore[misc]
        await room.wait_until_idle()
        shown = staff.render(sheet_of(staff))
        assert shown.count("a former player **") == 2 and "a former player\u00a0" in shown
        assert [one["filename"] for one in sheet_of(staff)["attachments"]] == ["evening.webp"]
        assert {line.name for line in drawer.asked[-1].lines} == {"a former player"}
        (line,) = lines_above(room, staff)
        assert "**a former player** +" in line
        await a_moment_later(room)
        assert thread["thread_metadata"]["archived"], "it is shut again"
        (saved,) = (await room.dealer.store.values("sheet.")).values()
        assert b"Ann" not in saved and b"Bo" not in saved


async def test_two_names_that_go_at_once_are_both_gone(tmp_path: Path) -> None:
    """The second deletion comes while the sheet is being drawn without the first name."""
    async with bot_session(tmp_path, pictures=Drawer()) as room:
        ann, bo = await room.people("Ann", "Bo")
        await room.open_and_sit(ann, bo)
        await play_an_evening(room, ann, bo)
        await close(room, ann)
        await asyncio.gather(delete_data(ann), delete_data(bo))
        await room.wait_until_idle()
        shown = room.discord.you.render(sheet_of(room.discord.you))
        assert "Ann" not in shown and "Bo" not in shown and "Hand of the night" in shown


async def test_killed_while_a_name_goes(tmp_path: Path) -> None:
    """The data is deleted, and the dealer is killed before it has edited the sheet: the next start does."""
    async with restarting_bot(tmp_path) as told:
        async with told.life(waits=False) as room:
            ann, bo = await room.people("Ann", "Bo")
            await end_of_a_game(room, ann, bo)

            async def killed(*_: object) -> None:
                await asyncio.sleep(HOUR)

            room.dealer.services.sheets.forget = killed  # type: ignore[method-assign]
            await bo.go("lobby").slash("me", page="delete")
            press = asyncio.ensure_future(bo.click("Delete it all"))
            while b"Bo" in b"".join((await room.dealer.store.values("sheet.")).values()) and not press.done():
                await asyncio.sleep(0.5)
                if int(bo.me["id"]) not in room.dealer.services.sheets._sheets[1][0].kept.game.people:
                    break
                ids = (await room.dealer.services.sheets._saved.load())[1].sheets[0].game.people
                if int(bo.me["id"]) not in ids:
                    break
            press.cancel()
        async with told.life() as room:
            await ann.until("a former player")
            await room.wait_until_idle()
            assert ann.screen().count("🏆") == 1 and "Bo" not in ann.render(sheet_of(ann))


async def test_old_sheets_are_forgotten(tmp_path: Path) -> None:
    async with restarting_bot(tmp_path) as told:
        async with told.life() as room:
            ann, bo = await room.people("Ann", "Bo")
            await end_of_a_game(room, ann, bo)
            room.clock.skip(31 * 24 * HOUR)
        async with told.life() as room:
            await room.wait_until_idle()
            assert not await room.dealer.store.values("sheet.")
            assert "That game ended too long ago." in await bo.click("Play again")

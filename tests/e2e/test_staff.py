"""Staff through the real bot: the staff channel, bans, reports. Nobody else gets in, whatever they forge."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from msgspec.structs import replace

from bot.ledger.flow import FlowPattern, PairFlow
from bot.runtime.flow_alarms import FlowAlarms
from bot.runtime.staff_log_types import StaffLogKind
from bot.text.commands import COMMANDS
from tests.e2e.bot_session import BotSession, bot_session, logged_in_bot
from tests.e2e.movable_clock import MovableClock
from tests.support.discord_double import Player, discord_double
from tests.support.menus import report, set_rules

STAFF_ONLY = "Only staff can do that."


async def staff_room(room: BotSession, name: str = "staff") -> str:
    """Make a channel and name it as the staff channel. Returns its id."""
    channel: str = room.discord.controls.add_channel(name)["id"]
    await set_rules(room.discord.you, "house", staff_channel=channel)
    return channel


def told(you: Player, channel: str) -> str:
    """Return what the staff channel says."""
    return "\n\n".join(you.render(message) for message in you.visible(channel))


async def until_told(room: BotSession, channel: str, text: str) -> str:
    you = room.discord.you
    await you.wait_for(lambda: text in told(you, channel), f"{text!r} in the staff channel")
    return told(you, channel)


async def test_staff_channel_tells_who_did_what(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        you = room.discord.you
        ann, bo = await room.people("Ann", "Bo")
        await room.grant(ann, 77)
        channel = await staff_room(room)
        first = await until_told(room, channel, f"Staff channel is <#{channel}> now (was none)")
        assert "gave" not in first, "what was before is not told"
        await room.open_and_sit(ann, bo)
        await room.next_hand()
        await you.fill_in("house", page="cancel", reason="a *wrong* card @everyone")
        said = await until_told(room, channel, "cancelled hand #1 of table 1")
        assert "wrong" in said and "*wrong*" not in said.replace(r"\*", ""), "a reason is plain text"
        await you.fill_in("house", page="grant", player=ann, chips="500", reason="a prize")
        await you.fill_in("house", page="remove", player=bo, why="asleep")
        assert len(you.visible(channel)) == 2, "a burst waits, and comes in one message"
        room.clock.skip(5)
        said = await until_told(room, channel, "removed @Bo from table 1")
        assert "gave @Ann 500 chips" in said and "asleep" in said and len(you.visible(channel)) == 3
        await ann.until("cancelled, all bets returned")
        assert "Guest" in said and "Guest" not in ann.screen(), "the table says why, not who"


async def test_staff_choose_the_theme_of_the_pictures(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        you = room.discord.you
        channel = await staff_room(room)
        await until_told(room, channel, "Staff channel")
        assert "Pictures: classic (dark table)" in await you.slash("house", page="rules")
        assert "Theme of the pictures: **light (bright table, strong contrast)**" in await set_rules(
            you, "house", theme="light"
        )
        room.clock.skip(5)
        await until_told(room, channel, "Theme of the pictures is light (bright table, strong contrast) now")
        assert "Pictures: light" in await you.slash("house", page="rules"), "the setting is kept"


async def test_lines_wait_while_the_staff_channel_is_closed(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        you = room.discord.you
        (ann,) = await room.people("Ann")
        channel = await staff_room(room)
        await until_told(room, channel, "Staff channel")
        room.discord.controls.set_overwrite(channel, deny=["send_messages"])
        room.clock.skip(5)
        answer = await you.fill_in("house", page="grant", player=ann, chips="500", reason="a prize")
        assert f"I can't write in the staff channel <#{channel}>" in answer and "1 message is waiting" in answer
        assert f"Staff channel: <#{channel}>" in await you.slash("house", page="rules"), "the setting is kept"
        room.discord.controls.set_overwrite(channel)
        await you.slash("house", page="rules")
        await until_told(room, channel, "gave @Ann 500 chips")
        room.discord.controls.delete_channel(channel)
        answer = await you.fill_in("house", page="grant", player=ann, chips="600", reason="another")
        assert "I can't write in the staff channel" in answer
        other = await staff_room(room, "office")
        room.clock.skip(5)
        await until_told(room, other, "gave @Ann 600 chips")
        await set_rules(you, "house", staff_channel=None)
        assert "Staff channel: none" in await you.slash("house", page="rules")


async def test_banned_player_is_told_plainly_until_unbanned(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        you = room.discord.you
        ann, bo = await room.people("Ann", "Bo")
        await room.open_and_sit(ann, bo)
        await room.next_hand()
        _, button = room.table_buttons(bo)[-1]
        message = next(one for one in bo.visible() if button in dict(bo.labelled_buttons(one)).values())
        assert "Nobody is banned" in await you.slash("house", page="bans")
        assert "@Bo is banned" in await you.fill_in("house", page="ban", player=bo, why="two accounts")
        await room.act("Call", ann)
        await room.wait_until(lambda: len(room.now.table.seats) == 1)
        refusal = "Staff have banned you from playing here"
        for command in ("sit", "me page:daily", "me page:free", "seat what:waiting list"):
            assert refusal in await bo.types(command), command
        assert refusal in await report(bo, "unfair")
        assert refusal in await room.late_click(bo, message, button)
        here, bo.here = bo.here, room.discord.controls.add_channel("other")["id"]
        assert refusal in await bo.slash("play", sit=False)
        bo.here = here
        assert "@Bo" in await you.slash("house", page="bans") and "two accounts" in you.screen()
        assert "can play here again" in await you.select("Lift a ban…", "Bo")
        await you.fill_in("house", page="ban", player=bo, why="a third one")
        assert "@Bo can play here again" in await you.fill_in("house", page="unban", player=bo, why="a brother")
        assert "Daily chips: +1,000" in await bo.slash("me", page="daily")


async def test_hand_whose_cards_are_gone_can_be_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with bot_session(tmp_path) as room:
        you = room.discord.you
        ann, bo = await room.people("Ann", "Bo")
        await room.open_and_sit(ann, bo)
        await room.next_hand()
        await room.act("Fold", ann, bo)
        await room.wait_for_text("wins")

        async def gone(table: int, number: int) -> None:
            """The hand is older than hands are kept."""

        monkeypatch.setattr(room.dealer.store, "hand", gone)
        for named in ({"number": 1}, {"number": 1, "table": 1}):
            assert "Hand #1 was too old to keep" in await bo.slash("hand", **named)
            await bo.click("Report…")
            assert "Staff will look at hand #1" in await bo.fill_form(report="They saw my cards")
        assert "They saw my cards" in await you.slash("house", page="reports")
        assert "too old to keep" in await you.click("Look at the hand")


async def test_reported_hand_reaches_staff_and_shows_no_card(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        you = room.discord.you
        ann, bo, cy = await room.people("Ann", "Bo", "Cy")
        await room.open_and_sit(ann, bo)
        await room.next_hand()
        await room.act("Fold", ann, bo)
        assert "Staff will look at hand #1" in await report(cy, "Bo *always* folds to Ann")
        await ann.slash("hand", number=1)
        assert "Report hand #1" in await ann.click("Report…")
        await ann.submit({"What happened?": "They wait for ever"})
        assert "2 reports are waiting: `/house page:reports`" in await you.slash("house", page="bans")
        listed = await you.slash("house", page="reports")
        assert "@Cy reports hand #1 of table 1" in listed and "They wait for ever" in listed
        looked = await you.click("Look at the hand")
        assert "Hand #1" in looked
        await you.click("Done", within="reports are waiting")
        assert "No pair stands out" in await you.slash("house", page="flow") and "** in 1 hand" in you.screen()
        channel = await staff_room(room)
        await until_told(room, channel, "Staff channel")
        await report(bo, "They lie")
        room.clock.skip(5)
        await until_told(room, channel, "🚩 @Bo reports hand #1 of table 1")
        you.here = channel
        assert "The report of hand #1 is done" in await you.click("Done", within="They lie")
        room.check_leaks()


async def test_alarm_reaches_staff_once_with_its_buttons(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Bo has Ann's chips in a way that stands out. Without a staff channel whoever opens `/house` is told."""
    async with bot_session(tmp_path) as room:
        you = room.discord.you
        ann, bo = await room.people("Ann", "Bo")
        await room.open_and_sit(ann, bo)
        giver, taker = int(ann.me["id"]), int(bo.me["id"])
        flow = PairFlow(giver, taker, 9_000, 3, 3, 0, 3, 9_000, 0, 0, 0, (FlowPattern.GIVES_UP,))

        async def suspicious(guild: int, *, since: int) -> tuple[PairFlow, ...]:
            return (flow,)

        monkeypatch.setattr(room.dealer.store, "flow", suspicious)
        alarms, guild = room.dealer.parts.get(FlowAlarms), room.now.address.guild
        assert await alarms.check(guild) == 1 and await alarms.check(guild) == 0
        assert "1 alarm about chips waits for staff: `/house page:flow`" in await you.slash("house", page="bans")
        assert "1 alarm that nobody has looked at" in await you.slash("house", page="flow")
        assert "don't count on leaderboards, this season" in await you.click("Set aside for this season")
        assert "count on leaderboards again" in await you.click("Count them again")
        kinds = [line.entry.kind for line in await room.dealer.store.staff_log(guild, after=0, limit=9)]
        assert kinds[-2:] == [StaffLogKind.FLOW_ASIDE, StaffLogKind.FLOW_LOOKED]
        assert "alarm" not in await you.slash("house", page="bans")
        channel = await staff_room(room)
        await until_told(room, channel, "Staff channel")
        flow = replace(flow, giver=taker, taker=giver)
        assert await alarms.check(guild) == 1
        room.clock.skip(5)
        said = await until_told(room, channel, "**9,000** chips went from @Bo to @Ann in a way that stands out")
        assert said.count("went from") == 1
        you.here = channel
        assert "Put in most of the stack and folded to them 3 times" in await you.click("Look", within="went from")
        room.clock.skip(5)
        await until_told(room, channel, "looked at the chips that went from @Bo to @Ann")
        room.check_leaks()


async def test_forged_staff_commands_and_buttons_are_refused(tmp_path: Path) -> None:
    """The server shows `/house` to everybody, and Ann makes up the ids of all its buttons."""
    async with bot_session(tmp_path) as room:
        you = room.discord.you
        ann, bo = await room.people("Ann", "Bo")
        await room.open_and_sit(ann, bo)
        await room.next_hand()
        await room.act("Fold", ann, bo)
        await report(bo, "unfair")
        for command in room.discord.stand_in.world.commands[""].values():
            command["default_member_permissions"] = None
        ann.commands = you.commands
        for page in ("", *COMMANDS["house"].choices["page"]):
            options = {"page": page} if page else {}
            assert STAFF_ONLY in await ann.slash("house", player=bo, **options), page
            assert ann.form is None
        message = ann.visible()[-1]
        for words in (
            "audit",
            "rule:staff_channel",
            "adjusted:5",
            "reports",
            "look:1.1:1",
            "done:1",
            "unban",
            "set:daily",
            "flow",
            "flowlook:1",
            "flowaside:1",
            "flowback:1",
        ):
            assert STAFF_ONLY in await room.late_click(ann, message, f"p:house:{words}"), words
        for page in COMMANDS["house"].choices["page"]:
            for verb in ("go", "who", "given"):
                answer = await room.late_click(ann, message, f"p:menu:{verb}:house:{page}:{bo.me['id']}.1")
                assert STAFF_ONLY in answer, (verb, page)
        assert (await room.dealer.store.staff_log(int(room.now.address.guild), after=0, limit=99))[1:] == ()
        for words in (
            "look:1.99:1",
            "look:99999999999999999999.1:1",
            "look:7.1:1",
            "look",
            "done:99999999999999999999",
            "done:5",
            "set:nobody",
            "set",
        ):
            answer = await room.late_click(you, you.visible()[-1], f"p:house:{words}")
            assert "our side" not in answer and "Hand #1" not in answer, answer


async def test_what_was_not_told_before_a_stop_is_told_after(tmp_path: Path) -> None:
    async with discord_double(tmp_path / "discord") as discord:
        clock, you = MovableClock(), discord.you
        channel = str(discord.controls.add_channel("staff")["id"])
        async with logged_in_bot(discord, tmp_path / "data", clock) as dealer:
            await set_rules(you, "house", staff_channel=channel)
            await you.wait_for(lambda: "Staff channel" in told(you, channel), "the first line")
            discord.controls.set_overwrite(channel, deny=["send_messages"])
            await you.fill_in("house", page="ban", player=await discord.person("Cheat"), why="a farm")
            clock.skip(5)
            await asyncio.gather(*dealer.services.staff_channel.tasks.pending)
            assert "banned" not in told(you, channel)
        discord.controls.set_overwrite(channel)
        async with logged_in_bot(discord, tmp_path / "data", clock):
            await you.wait_for(lambda: "banned @Cheat." in told(you, channel), "the ban")
            assert told(you, channel).count("Staff channel is") == 1, "nothing is told twice"

"""`/stats` through the bot: numbers that agree with a count by hand, other players, two players, charts; and the sheet of a session."""

from __future__ import annotations

import asyncio
import re
from itertools import accumulate
from pathlib import Path
from typing import Any

import pytest

from bot.engine.ranking import Category, evaluator
from bot.line.api import DiscordApi
from bot.line.by_token import Token
from bot.line.failures import DiscordFailed
from bot.line.payloads import AttachedFile
from bot.pictures.types import CurvePicture
from bot.players import PracticePlayers
from bot.runtime.store_errors import StatisticsUnavailable
from bot.statistics.types import Scope
from bot.surfaces import answer_pictures
from bot.surfaces.sheets import session_sheets
from bot.text import statistics as words
from bot.text.hand_names import hand_name
from bot.variants import game
from tests.e2e.bot_session import BotSession, bot_session
from tests.e2e.chosen_decks import no_two_tie, stack_next_deck
from tests.e2e.test_answer_pictures import Drawer, gallery, last, picture_of, words_of_picture
from tests.e2e.test_choices_survive_restart import restarting_bot
from tests.e2e.test_pictures import is_webp, refusal
from tests.support.discord_double import EPHEMERAL, Json, Player
from tests.support.menus import choose_for_oneself


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Answers wait for their pictures, however slow the machine is."""
    monkeypatch.setattr(answer_pictures, "DRAWING_SECONDS", 20.0)
    monkeypatch.setattr(answer_pictures, "TEXT_SECONDS", 20.0)
    monkeypatch.setattr(session_sheets, "DRAWING_SECONDS", 20.0)


HIGH = evaluator(game("holdem").shares[0].ranking)


class FullHouse:
    """A deck that gives one of two players a full house, and the other one less. `name`: of the hand that wins."""

    name = ""

    def __call__(self, deck: tuple[int, ...]) -> bool:
        board = (*deck[5:8], deck[9], deck[11])
        low, high = sorted(HIGH.best(hole, board) for hole in (deck[0:4:2], deck[1:4:2]))
        self.name = hand_name(HIGH.name(high))
        return low < high and HIGH.name(high).category is Category.FULL_HOUSE


def stacks(room: BotSession) -> dict[str, int]:
    return {seat.name: seat.stack for seat in room.now.table.seats}


class Tally:
    """What the hands that a test plays come to, counted by hand from the stacks before and after each."""

    def __init__(self, room: BotSession, *players: Player) -> None:
        self.room, self.players = room, players
        self.hands = 0
        self.nets: dict[str, list[int]] = {player.name: [] for player in players}

    async def play(self, *labels: str) -> None:
        """Play a hand: whoever is to act presses these buttons, one after another, then everybody checks or calls to the end."""
        room = self.room
        before = stacks(room)
        await room.next_hand()
        for label in labels:
            await room.act(label, *self.players)
        if room.now.hand_running:
            await room.check_down(*self.players)
        await room.skip_run_out()
        await room.wait_until(lambda: not room.now.hand_running)
        await room.wait_until_idle()
        self.hands += 1
        after = stacks(room)
        for name, nets in self.nets.items():
            nets.append(after[name] - before[name])

    def net(self, player: Player) -> int:
        return sum(self.nets[player.name])

    def streak(self, player: Player) -> int:
        runs = "".join("+" if net > 0 else "-" for net in self.nets[player.name]).split("-")
        return max(map(len, runs))


def line(screen: str, start: str) -> str:
    """The line of an answer that begins so."""
    (found,) = [one for one in screen.splitlines() if one.startswith(start)]
    return found


async def test_statistics_agree_with_a_count_by_hand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ann and Bo check a hand down, fold two, and go all-in; a full house wins. Cleo looks on."""
    monkeypatch.setattr(words, "HANDS_MIN", 4)
    maker = Drawer()
    async with bot_session(tmp_path, pictures=maker) as room:
        ann, bo, cleo = await room.people("Ann", "Bo", "Cleo")
        assert "No hands yet. Take a seat with `/sit`, or open a table with `/play`." in await ann.slash("stats")
        await room.open_and_sit(ann, bo)
        tally = Tally(room, ann, bo)
        stack_next_deck(room, no_two_tie(2))
        await tally.play()
        await tally.play("Fold")
        await tally.play("Fold")
        stack_next_deck(room, full_house := FullHouse())
        at_risk = min(stacks(room).values())
        await tally.play("All-in", "Call")
        won = next(player for player in (ann, bo) if tally.nets[player.name][3] > 0)
        lost = bo if won is ann else ann
        net, first = tally.net(won), tally.nets[won.name][0] > 0
        maker.drawn.clear()
        told = await won.slash("stats")
        big_blinds = f"{25 * net / 100:+,.1f}".replace("-", "−")
        assert f"**4** hands · net **{words.signed(net)}** · **{big_blinds}** bb/100\n" in told
        assert f"Won **{2 if first else 1}** of **2** showdowns" in told
        assert line(told, "Best hand") == f"Best hand **{full_house.name}** (hand #4, table 1)"
        assert line(told, "Biggest pot") == f"Biggest pot **{2 * at_risk:,}** (hand #4, table 1)"
        assert (f"streak **{tally.streak(won)}** hands" in told) is (tally.streak(won) > 1)
        (curve,) = maker.drawn
        assert isinstance(curve, CurvePicture)
        assert curve.points == tuple(enumerate(accumulate(tally.nets[won.name], initial=0)))
        message = last(won, "Your statistics")
        assert picture_of(message, "plot.webp") and await is_webp(room, message) == (1100, 620)
        assert words_of_picture(message).startswith(f"Net chips over 4 hands: {words.signed(net)} at the end")
        # in the first betting round of each hand: call or check, fold, fold, raise or call
        counts = (await room.dealer.statistics.player(room.now.address.guild, int(won.me["id"]), Scope())).counts
        assert counts.voluntary_chances == 4 - sum(nets == 50 for nets in tally.nets[won.name][1:3])
        # another's view, two players, the menu of a person
        theirs = await cleo.slash("stats", player=lost)
        assert f"### Statistics of @{lost.name}" in theirs and f"**4** hands · net **{words.signed(-net)}**" in theirs
        assert "Keep them private" not in theirs and theirs == await cleo.menu("Stats", lost)
        told = await won.slash("stats", versus=lost)
        assert "**4** hands together\n" in told
        assert f"You **{words.signed(net)}** · @{lost.name} **{words.signed(-net)}**" in told
        assert f"**2** showdowns: you won **{2 if first else 1}**, @{lost.name} won **{0 if first else 1}**" in told
        assert f"### @{lost.name} against @{won.name}" in await cleo.slash("stats", player=lost, versus=won)
        assert "Choose two different players." in await won.slash("stats", versus=won)
        # what the numbers mean, and back; the best hand opens
        await won.slash("stats")
        assert "**Aggression**: bets and raises for each call" in await won.click("What do these mean?")
        assert "### Your statistics" in await won.click("Back to the numbers")
        assert "By position, big blinds per 100 hands:" not in await won.click("More figures"), (
            "two hands on the button"
        )
        monkeypatch.setattr(words, "HANDS_MIN", 2)
        assert "By position, big blinds per 100 hands:" in await won.select("Period: All time", "This week")
        assert picture_of(last(won, "By position"), "positions.webp")
        assert "Hand #4" in await won.click("Best hand #4")
        room.check_leaks()


async def test_statistics_that_are_kept_private_are_refused(tmp_path: Path) -> None:
    """Ann keeps hers private: neither Bo nor staff see them, she does. They come back at a press."""
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await room.open_and_sit(ann, bo)
        await Tally(room, ann, bo).play("Fold")
        await ann.slash("stats")
        assert "Nobody else can look these up." in await ann.click("Keep them private")
        refusal = "@Ann keeps their statistics private."
        for asker in (bo, room.discord.you):
            for told in (
                await asker.slash("stats", player=ann),
                await asker.menu("Stats", ann),
                await asker.slash("stats", player=ann, versus=bo),
                await asker.slash("stats", player=bo, versus=ann),
            ):
                assert refusal in told and "hand" not in told.replace(refusal, "").split("(Only")[0]
        assert "**1** hand · net" in await ann.slash("stats")
        await ann.click("Let others see them")
        assert "**1** hand · net" in await bo.slash("stats", player=ann)


async def test_made_up_ids_get_a_friendly_answer(tmp_path: Path) -> None:
    """Bo presses buttons that no page of theirs has. Nothing of Ann's changes, and nothing private is told."""
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await room.open_and_sit(ann, bo)
        await Tally(room, ann, bo).play("Fold")
        await ann.slash("stats")
        await ann.click("Keep them private")
        user, stranger = ann.me["id"], 2**62
        await bo.slash("stats")
        for custom_id in (
            "p:stats:show", "p:stats:show:x", "p:stats:show:0.eco:0", f"p:stats:publish:{user}.eco:0", f"p:stats:show:{user}.spt:zzzz",
            f"p:stats:show:{stranger}.eco:0", f"p:stats:here:{user}.eco:0", f"p:stats:versus:{user}.eco:{user}",
            f"p:stats:bothhere:{bo.me['id']}.eco:{user}", f"p:stats:span:{user}.eco:x", f"p:stats:open:{user}.eco:0.{2**62}",
            "p:stats:best:7.1", "p:stats:pot:x.y", "p:stats:best:1.99", f"p:stats:period:{user}.eco:0", f"p:stats:game:{user}.eco:0",
            f"p:stats:hide:{user}.eco:0", "p:stats:mine",
        ):  # fmt: skip
            told = await room.late_click(bo, bo.visible()[-1], custom_id)
            assert not any(word in told for word in ("went wrong", "Statistics of @Ann", "against @")), custom_id
        await room.wait_until_idle()
        for _ in range(12):
            told = await bo.slash("stats")
        assert "One moment" in told
        assert "Nobody else can look these up." in await ann.slash("stats")
        assert all(
            "Statistics of @Ann" not in ann.render(message)
            for message in ann.visible()
            if not message["flags"] & EPHEMERAL
        )
        room.check_leaks()


async def test_statistics_shown_to_everybody_answer_everybody(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await room.open_and_sit(ann, bo)
        tally = Tally(room, ann, bo)
        await tally.play("Fold")
        await ann.slash("stats")
        await ann.click("Show here")
        await bo.until("### Statistics of @Ann")
        assert "Keep them private" not in bo.screen()
        told = await bo.click("You against Ann")
        assert "### You against @Ann" in told and "(Only you can see this)" in told
        assert "### What the numbers mean" in await bo.click("What do these mean?", within="Statistics of @Ann")
        await bo.select("Period: All time", "week", within="Statistics of @Ann")
        await ann.until("-# All games · This week")
        await room.discord.you.slash("stats", page="leaderboard")
        await room.discord.you.click("Show here", within="Leaderboard")
        await bo.until("### Leaderboard")
        assert "### Your statistics" in await bo.click("My statistics", within="Leaderboard")
        room.check_leaks()


async def test_other_games_periods_and_chips_are_apart(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await room.open_and_sit(ann, bo)
        tally = Tally(room, ann, bo)
        await tally.play("Fold")
        assert "Nobody has played that game here yet." in await ann.slash("stats", game="razz")
        assert "Did you mean Limit Razz or" in await ann.slash("stats", game="raz")
        assert "Nobody has played that game here yet." in await ann.click("Limit Razz")
        assert "-# All games · All time\n" in await ann.slash("stats", period="season")
        week = await ann.slash("stats", game="No-Limit Hold'em", period="week")
        assert "-# No-Limit Hold'em · This week\n**1** hand · net" in week
        practice = await ann.slash("stats", chips="practice")
        assert "-# All games · All time · practice chips\nNo hands here. Choose another period or game." in practice
        assert "This season" not in practice
        room.clock.skip(1)  # a hand that ends in the same moment is one of the season
        await room.discord.you.fill_in("season", page="open", name="Winter", order="net")
        assert "-# All games · This season\nNo hands here." in await ann.slash("stats", period="season")
        await tally.play("Fold")
        assert "-# All games · This season\n**1** hand · net" in await ann.slash("stats", period="season")
        assert "This season" in await ann.slash("stats")


# the sheet of a session


async def two_hands(room: BotSession, *players: Player) -> Tally:
    """Two people sit down and play a showdown and a fold, in the last two of eleven minutes."""
    await room.open_and_sit(*players)
    room.clock.skip(540)
    tally = Tally(room, *players)
    stack_next_deck(room, no_two_tie(2))
    await tally.play()
    await tally.play("Fold")
    return tally


def came_to(net: int, hands: int) -> str:
    """Return what a session came to, as its sheet says."""
    result = "neither won nor lost" if not net else f"{'won' if net > 0 else 'lost'} **{abs(net):,}**"
    return f"You {result} in **{hands}** hands"


async def test_who_leaves_reads_what_the_session_came_to(tmp_path: Path) -> None:
    """In the answer to *Leave*, with a picture. A second session begins anew, and without a hand it has no sheet."""
    maker = Drawer()
    async with bot_session(tmp_path, pictures=maker) as room:
        ann, bo = await room.people("Ann", "Bo")
        tally = await two_hands(room, ann, bo)
        maker.drawn.clear()
        won = ann if tally.nets["Ann"][0] > 0 else bo
        told = await won.slash("leave")
        net = words.signed(tally.net(won))
        assert told.startswith(f"You've left the table.\n### Your session at table 1\n{came_to(tally.net(won), 2)}")
        assert "Best moment: a pot of **200** (hand #1, table 1)" in told
        assert "(picture: Net chips over 2 hands: " in told and told.count("(picture") == 1
        assert picture_of(last(won, "Your session"), "plot.webp")
        assert any(isinstance(picture, CurvePicture) for picture in maker.drawn)
        assert "Hand #1" in await won.click("Hand #1", within="Your session")
        assert f"**2** hands · net **{net}**" in await won.click("My statistics")
        await won.slash("sit")
        assert (await won.slash("leave")).startswith(
            f"You've left the table. Your {10_000 + tally.net(won):,} chips are in your wallet.\n(Only"
        )
        room.check_leaks()


async def test_sheet_replaces_what_its_reader_saw_last(tmp_path: Path) -> None:
    """Ann presses *Leave* in a hand and reads the sheet at its end, where her panel was. Bo reads one when the table closes, in the DM of
    the cards: no click is new enough for anything else."""
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        tally = await two_hands(room, ann, bo)
        await room.next_hand()
        if room.to_act(ann, bo) is ann:
            ann, bo = bo, ann
        await ann.click("My hand")
        assert "You'll leave after this hand" in await ann.slash("leave")
        await room.act("Fold", ann, bo)
        await ann.until(f"### Your session at table 1\n{came_to(tally.net(ann) + 50, 3)}")
        await room.wait_until_idle()
        assert "My hand #" not in ann.screen()
        assert ann.screen().count("### Your session") == 1
        room.clock.skip(15 * 60)
        messages = len(bo.visible(bo.dm_channels[0]))
        await room.discord.you.close_table()
        result = came_to(tally.net(bo) - 50, 3)
        await bo.until(f"Table 1 is closed.\n### Your session at table 1\n{result}")
        assert len(bo.visible(bo.dm_channels[0])) == messages and "Your session" not in bo.screen()
        assert f"**3** hands · net **{words.signed(tally.net(bo) - 50)}**" in await bo.click("My statistics")
        room.check_leaks()


async def test_sheet_replaces_the_panel_where_discord_takes_no_picture(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with bot_session(tmp_path, pictures=Drawer()) as room:
        ann, bo = await room.people("Ann", "Bo")
        await two_hands(room, ann, bo)
        await room.next_hand()
        if room.to_act(ann, bo) is ann:
            ann, bo = bo, ann
        await ann.click("My hand")
        await ann.slash("leave")
        by_token = room.dealer.services.discord_api.by_token
        edit = by_token.edit

        async def takes_no_picture(token: Token, message: int, data: Json, file: AttachedFile | None = None) -> None:
            if file is not None:
                raise DiscordFailed(status=413, code=40005)
            await edit(token, message, data)

        monkeypatch.setattr(by_token, "edit", takes_no_picture)
        await bo.slash("fold")
        await ann.until("### Your session at table 1")
        await room.wait_until_idle()
        assert "My hand #" not in ann.screen() and gallery(last(ann, "Your session")) is None


async def test_who_has_only_practised_reads_about_that(tmp_path: Path) -> None:
    """A practice player sits there too; it has no statistics of its own."""
    async with bot_session(tmp_path, policies=PracticePlayers()) as room:
        (ann,) = await room.people("Ann")
        await ann.slash("play", sit=False, practice=1)
        await ann.slash("sit")
        await room.next_hand()
        await ann.slash("leave")
        while room.now.hand_running:
            room.clock.skip(10)
            await room.next_change()
        await ann.until("in **1** hand · ")
        assert "-# All games · All time · practice chips\n**1** hand · net" in await ann.click("My statistics")
        assert "-# All games · All time · practice chips\n**1** hand · net" in await ann.slash("stats")


async def test_leaving_is_answered_whatever_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing can be counted: Ann reads that they have left. Discord takes no picture: Bo reads the sheet without."""
    async with bot_session(tmp_path, pictures=Drawer()) as room:
        ann, bo = await room.people("Ann", "Bo")
        await two_hands(room, ann, bo)
        for failure in (StatisticsUnavailable(), TimeoutError()):

            async def fails(*_: object, failure: Exception = failure) -> None:
                raise failure

            with monkeypatch.context() as broken:
                broken.setattr(room.dealer.statistics, "session", fails)
                left = await ann.slash("leave")
            chips = "Your [0-9,]+ chips are in your wallet."
            assert re.fullmatch(rf"You've left the table. {chips}\n\(Only you can see this\)", left)
            await ann.slash("sit")
        room.discord.fails("PATCH", r"/webhooks/.*", status=413, body=refusal(40005))
        room.discord.fails("POST", r"/webhooks/.*", status=413, body=refusal(40005))
        await room.discord.you.fill_in("house", page="remove", player=bo, why="")
        await bo.until("in **2** hands · ")
        assert gallery(last(bo, "Your session")) is None
        room.check_leaks()


async def test_somebody_who_is_removed_reads_their_sheet(tmp_path: Path) -> None:
    """Without direct messages and without a panel it replaces their last private answer."""
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        for player in (ann, bo):
            await choose_for_oneself(player, dms=False)
        await two_hands(room, ann, bo)
        last = await bo.slash("help")
        shown = bo.screen().count("Only you can see this")
        await room.discord.you.fill_in("house", page="remove", player=bo, why="")
        await bo.until("You've been removed from table 1.\n### Your session at table 1")
        assert bo.screen().count("Only you can see this") == shown and not bo.dm_channels
        assert last not in bo.screen()
        room.check_leaks()


async def test_who_loses_their_seat_reads_the_sheet_in_the_notice(tmp_path: Path) -> None:
    """Ann and Dan were away too long. Dan, who has no DMs, is told so in public, and nothing of the session."""
    async with bot_session(tmp_path) as room:
        ann, bo, _, dan = people = await room.people("Ann", "Bo", "Cleo", "Dan")
        await dan.dms_open(value=False)
        await room.open_and_sit(*people)
        tally = Tally(room, *people)
        await tally.play("Fold", "Fold", "Fold")
        for player in (ann, dan):
            await player.slash("seat", what="sit out")
        room.clock.skip(9 * 60)
        await tally.play("Fold")
        room.clock.skip(9 * 60)
        await tally.play("Fold")
        room.clock.skip(3 * 60)
        lost = "You were away too long, so your seat at Table 1 is free again."
        await ann.until(lost)
        await bo.until(f"@Dan {lost}")
        await room.wait_until_idle()
        assert ann.dms().count(lost) == 1
        assert "in **1** hand · " in ann.dms() and "[My statistics]\n[Take a seat]" in ann.dms()
        assert "Your session" not in bo.screen()
        room.check_leaks()


@pytest.mark.parametrize("minutes_away", [1, 70])
async def test_killed_between_leaving_and_the_sheet(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, minutes_away: int
) -> None:
    """One has left at the end of a hand, the other leaves at once, and the dealer dies before it tells them what their sessions came to.
    Back within the hour, it sends that to both, once. Their chips are theirs in any case."""
    killed = list[asyncio.Future[None]]()

    async def hangs(*_: object, **__: object) -> None:
        killed.append(asyncio.get_running_loop().create_future())
        await killed[-1]

    async with restarting_bot(tmp_path) as told:
        ann, bo = [await told.discord.person(name) for name in ("Ann", "Bo")]
        async with told.life() as room:
            had = chips(await ann.slash("me", page="chips"))
            tally = await two_hands(room, ann, bo)
            await room.next_hand()
            leaves, stays = (bo, ann) if room.to_act(ann, bo) is ann else (ann, bo)
            await leaves.slash("leave")
            monkeypatch.setattr(session_sheets.SessionSheets, "sheet", hangs)
            await room.act("Fold", ann, bo)
            await room.wait_until(lambda: leaves.name not in stacks(room))
            assert room.dealer.services.session_sheets.tasks.pending
            pressing = asyncio.create_task(stays.slash("leave"))
            await room.wait_until(lambda: not stacks(room))
        for each in (pressing, *killed):
            each.cancel()
        monkeypatch.undo()
        told._ahead += 60_000 * minutes_away
        for _ in range(2):
            async with told.life(is_killed=False) as room:
                await room.wait_until_idle()
                net = tally.net(leaves) + 50
                assert chips(await leaves.slash("me", page="chips")) == had + net
                assert f"**3** hands · net **{words.signed(net)}**" in await leaves.slash("stats")
                for player in (leaves, stays):
                    sheets = len(re.findall("### Your session at table 1\nYou .* in .*3.* hands", player.dms()))
                    assert sheets == (minutes_away < 60), player.name
                    assert "Your session" not in player.screen()


async def test_killed_while_the_sheet_is_sent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It arrives by direct message, and the dealer dies before it knows that. The next one sends it to nobody again."""

    async def hangs(*_: object, **__: object) -> None:
        await asyncio.get_running_loop().create_future()

    async with restarting_bot(tmp_path) as told:
        ann, bo = [await told.discord.person(name) for name in ("Ann", "Bo")]
        async with told.life() as room:
            await two_hands(room, ann, bo)
            await room.next_hand()
            leaves = bo if room.to_act(ann, bo) is ann else ann
            await leaves.slash("leave")
            with monkeypatch.context() as killed:
                killed.setattr(session_sheets.SessionSheets, "sheet", hangs)
                await room.act("Fold", ann, bo)
                await room.wait_until(lambda: leaves.name not in stacks(room))
            controls, channel = room.discord.controls, room.discord.controls.dm_channel(leaves.me["id"])
            for message in controls.messages(channel):  # what showed the cards cannot become the sheet
                await controls.delete_message(channel, message["id"])
        async with told.life(waits=False) as room:
            send = DiscordApi.send

            async def arrives(*how: Any, **more: Any) -> None:
                await send(*how, **more)
                await hangs()

            with monkeypatch.context() as killed:
                killed.setattr(DiscordApi, "send", arrives)
                await leaves.wait_for(lambda: "Your session" in leaves.dms(), "the sheet")
        async with told.life(is_killed=False) as room:
            await room.wait_until_idle()
            assert leaves.dms().count("### Your session") == 1
            assert not await room.dealer.store.values("session.")


async def test_killed_between_the_loss_of_a_seat_and_its_notice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ann was away too long. The dealer that gave her seat away dies, and the next one tells her, once."""
    killed = list[asyncio.Future[None]]()

    async def hangs(*_: object, **__: object) -> None:
        killed.append(asyncio.get_running_loop().create_future())
        await killed[-1]

    async with restarting_bot(tmp_path) as told:
        ann, *_ = people = [await told.discord.person(name) for name in ("Ann", "Bo", "Cleo")]
        async with told.life() as room:
            await room.open_and_sit(*people)
            tally = Tally(room, *people)
            await tally.play("Fold", "Fold")
            await ann.slash("seat", what="sit out")
            monkeypatch.setattr(session_sheets.SessionSheets, "sheet", hangs)
            for _ in range(2):
                room.clock.skip(9 * 60)
                await tally.play("Fold")
            room.clock.skip(3 * 60)
            await room.wait_until(lambda: "Ann" not in stacks(room))
            while not killed:
                await asyncio.sleep(0)
        for each in killed:
            each.cancel()
        monkeypatch.undo()
        for _ in range(2):
            async with told.life(is_killed=False) as room:
                await room.wait_until_idle()
                lost = "You were away too long, so your seat at table 1 is free again."
                assert ann.dms().count(f"{lost}\n### Your session at table 1\nYou ") == 1


def chips(screen: str) -> int:
    """All chips of whoever asked."""
    return int(line(screen, "### Your chips: ").removeprefix("### Your chips: ").replace(",", ""))

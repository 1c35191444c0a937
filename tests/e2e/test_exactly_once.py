"""Nothing is shown twice or lost, whatever Discord does: requests and replies get lost, the dealer is killed at any await.

Each fault is drawn by lot, often with a second one while the first is being mended. Five seconds after the dealer is connected and Discord
takes calls again, the screens of everybody are judged. The time of these evenings jumps; see `tests.support.quick_loop`.
"""

from __future__ import annotations

import asyncio
import random
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from bot.local.message_body import ValidatedMessage
from tests.e2e.faulty_evening import (
    POSTS_OF_TABLE,
    THREE,
    Fault,
    FaultyEvening,
    Guest,
    Harm,
    draw_fault,
    faulty_evening,
)
from tests.e2e.planted_keepers import forget_nonces, forget_the_login, forget_to_save
from tests.e2e.screen_judge import PANEL_IS_BELOW, ScreenJudge, live_tables, text_of
from tests.support.discord_double import Json
from tests.support.quick_loop import QuickLoop, run_quickly
from tests.surfaces.shown_things import SHOWN

POINTS_OF_AN_EVENING = 5
EVENINGS, EVENINGS_IN_FULL = 12, 100
"""Sixty fault points, and five hundred in full."""
SECOND_FAULTS = 0.35
"""The share of faults that are followed by another one while they are being mended."""
SECONDS_TO_MEND = 5.0
SECONDS_TO_SEND_AGAIN = 20.0
"""A post whose outcome is not known is tried again after ten seconds at the latest."""


async def judged_point(evening: FaultyEvening, *chosen: Fault) -> str:
    """Let a fault happen, give the dealer five seconds, and judge the screens. Returns what is wrong; empty if nothing.

    Args:
        chosen: the faults; by default they are drawn by lot.
    """
    dice = evening.dice
    faults = list(chosen) or [draw_fault(dice)]
    if not chosen and dice.random() < SECOND_FAULTS:
        faults.append(draw_fault(dice, soon=True))
    described = [str(fault) for fault in faults]
    if faults[0].call in POSTS_OF_TABLE:  # a table that stays where it is posts hardly anything
        await evening.disturb_table()
    evening.line.faults = list(faults)
    first = faults[0]
    if not await evening.play(lambda: bool(first.happened), 150) and not evening.is_dealer_dead:
        first.call, first.skip = "call", 0  # no such request: any other one
        await evening.play(lambda: bool(first.happened), 150)
    await evening.mend()
    evening.line.faults = []
    await evening.mend()
    await evening.wait_quietly(SECONDS_TO_MEND)
    wrong = await ScreenJudge(evening).faults()
    if not wrong:
        return ""
    happened = [f"{text} ({fault.happened or 'did not happen'})" for text, fault in zip(described, faults, strict=True)]
    return "\n".join([" then ".join(happened), *wrong])


def play_evening(seed: int, folder: Path, chosen: Sequence[Fault] = ()) -> str:
    """Play an evening to its first point at which something is wrong. Returns what is wrong at it; empty if nothing.

    Args:
        chosen: what goes wrong, one at each point; by default it is drawn by lot.
    """

    async def story(loop: QuickLoop) -> str:
        async with faulty_evening(loop, folder, random.Random(seed)) as evening:
            for point in range(len(chosen) or POINTS_OF_AN_EVENING):
                wrong = await judged_point(evening, *chosen[point : point + 1])
                if wrong:
                    return f"evening {seed}, point {point + 1}: {wrong}"
        return ""

    return run_quickly(story)


@pytest.mark.parametrize("seed", range(EVENINGS))
def test_every_screen_is_right_after_any_fault(seed: int, tmp_path: Path) -> None:
    wrong = play_evening(seed, tmp_path)
    assert not wrong, wrong


@pytest.mark.full
def test_every_screen_is_right_after_five_hundred_faults(tmp_path: Path) -> None:
    found = [play_evening(seed, tmp_path / str(seed)) for seed in range(1_000, 1_000 + EVENINGS_IN_FULL)]
    wrong = list(filter(None, found))
    assert not wrong, f"{len(wrong)} of {len(found)} evenings:\n" + "\n\n".join(wrong)


POSTS = {
    "table, deleted": "post in the channel",
    "direct message, first": "post of a direct message",
    "nudge": "post in the channel",
    "staff log": "post of a direct message",
}
"""What is posted by the bot's own token, as in `SHOWN`, and the kind of its request: to the table's channel, or to another one."""
KILLS = 500, 900, 1_300


def judge_lost_reply(name: str, folder: Path) -> list[str]:
    """Let the reply to one post be lost. Returns what is wrong on the screens afterwards."""
    thing = next(each for each in SHOWN if each.name == name)

    async def story(loop: QuickLoop) -> list[str]:
        async with faulty_evening(loop, folder, random.Random(name)) as evening:
            await thing.prepare(evening)
            lost = Fault(Harm.REPLY_LOST, POSTS[name])
            evening.line.faults = [lost]
            await thing.change(evening)
            await asyncio.sleep(SECONDS_TO_SEND_AGAIN)
            assert lost.happened
            return await ScreenJudge(evening).faults()

    return run_quickly(story)


@pytest.mark.parametrize("name", POSTS)
def test_a_post_whose_reply_is_lost_is_there_once(name: str, tmp_path: Path) -> None:
    assert judge_lost_reply(name, tmp_path) == []


@pytest.mark.parametrize("name", POSTS)
def test_a_keeper_that_forgets_nonces_is_caught(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    forget_nonces(monkeypatch)
    wrong = judge_lost_reply(name, tmp_path)
    assert [each for each in wrong if re.search("twice|[2-9] (?:live|direct) messages", each)], wrong


@pytest.mark.parametrize("is_clicked", [False, True])
def test_a_kill_while_a_table_moves_leaves_one(is_clicked: bool, tmp_path: Path) -> None:
    """The next dealer does not know what people have written below, and would leave the table where it was."""

    async def story(loop: QuickLoop) -> list[str]:
        async with faulty_evening(loop, tmp_path, random.Random("moves")) as evening:
            await evening.until_dealt()
            if is_clicked:
                await evening.open_panel(evening.guests[0])
            killed = Fault(Harm.KILLED_AFTER, POSTS_OF_TABLE[is_clicked], away=0.0)
            evening.line.faults = [killed]
            evening.bury_table()
            await asyncio.sleep(2)
            assert killed.happened
            await evening.mend()
            return await ScreenJudge(evening).faults()

    assert run_quickly(story) == []


def test_the_token_of_a_lost_post_edits_the_table(tmp_path: Path) -> None:
    async def story(loop: QuickLoop) -> list[str]:
        async with faulty_evening(loop, tmp_path, random.Random("token")) as evening:
            await evening.until_dealt()
            actor = evening.to_act
            assert actor is not None
            actor.plays_in_panel = True
            await evening.open_panel(actor)
            lost = Fault(Harm.REPLY_LOST, "follow-up")
            evening.line.faults = [lost]
            evening.bury_table()
            await asyncio.sleep(4)
            assert lost.happened and await evening.act(lambda offered: next(each for each in offered if "call" in each))
            await asyncio.sleep(SECONDS_TO_MEND)
            return await ScreenJudge(evening).faults()

    assert run_quickly(story) == []


@pytest.mark.parametrize("harm", [Harm.KILLED_BEFORE, Harm.KILLED_AFTER])
def test_a_replaced_panel_goes_though_the_dealer_is_killed(harm: Harm, tmp_path: Path) -> None:
    """Nobody else would take it away, and its cards would stand there for all the next hands."""

    async def story(loop: QuickLoop) -> list[str]:
        async with faulty_evening(loop, tmp_path, random.Random("replaced")) as evening:
            await evening.until_dealt()
            _, bo, _ = evening.guests
            await evening.open_panel(bo)
            killed = Fault(harm, "deletion by token", away=0.0)
            evening.line.faults = [killed]
            await evening.open_panel(bo)
            assert killed.happened
            await evening.mend()
            return [text_of(each) for each in evening.private(bo) if "My hand #" in text_of(each)]

    assert len(run_quickly(story)) == 1


MOVES_OF_A_PANEL = {
    "new message": "follow-up",
    "old one says below": "edit by token",
    "old one goes": "deletion by token",
}
"""The requests of a panel that moves, where the table moves by the bot's own token."""


@pytest.mark.parametrize("harm", Harm, ids=lambda harm: harm.name)
@pytest.mark.parametrize("call", MOVES_OF_A_PANEL.values(), ids=MOVES_OF_A_PANEL.keys())
def test_a_panel_that_moves_is_there_once(call: str, harm: Harm, tmp_path: Path) -> None:
    """Whatever is lost on the way, and wherever the dealer is killed, Cy has one panel, below the table.

    Only a new message whose reply is lost leaves a twin: nobody can look up a private message, so it is sent again. Its buttons work too.
    """

    async def story(loop: QuickLoop) -> list[str]:
        async with faulty_evening(loop, tmp_path, random.Random("panel"), THREE) as evening:
            await evening.until_dealt()
            _, _, cy = evening.guests
            await evening.open_panel(cy)
            while evening.the_table.hand_running:
                await asyncio.sleep(2)
                await evening.act(lambda offered: "fold" if "fold" in offered else "")
            evening.bury_table()
            await asyncio.sleep(2)
            forget_clicks_of_table(evening)
            is_edit = call == MOVES_OF_A_PANEL["old one says below"]
            fault = Fault(harm, call, skip=int(is_edit), away=0.0)  # the first edit shows the new cards
            evening.line.faults = [fault]
            await asyncio.sleep(SECONDS_TO_MEND * 3)
            assert fault.happened
            await evening.mend()
            await evening.wait_quietly(SECONDS_TO_MEND)
            wrong = await ScreenJudge(evening).faults()
            (table,) = live_tables(evening.public(), evening.the_table.id)
            panels = [each["id"] for each in evening.private(cy) if "My hand #" in text_of(each)]
            has_twin = call == "follow-up" and harm in {Harm.REPLY_LOST, Harm.KILLED_AFTER}
            if len(panels) != 1 + has_twin or int(panels[-1]) < int(table["id"]):
                wrong.append(f"panels of Cy: {panels}, the table: {table['id']}")
            return wrong

    assert run_quickly(story) == []


def forget_clicks_of_table(evening: FaultyEvening) -> None:
    """The table moves by the bot's own token: what follows by a click's token then is a panel."""
    assert evening.dealer is not None
    table = evening.dealer.services.display.message_of(evening.the_table.id)
    assert table is not None
    table.live.clicks.forget()


def test_a_keeper_that_forgets_to_save_is_caught(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    forget_to_save(monkeypatch)
    kills = [Fault(None, steps=steps) for steps in KILLS]
    assert any(play_evening(seed, tmp_path / str(seed), kills) for seed in range(5)), "nobody noticed"


def test_a_keeper_that_ignores_the_login_is_caught(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The dealer is killed between two hands. When it comes back the next one is due, and is dealt before Discord knows the dealer."""
    forget_the_login(monkeypatch)
    wrong = judge_slow_login(tmp_path)
    assert [each for each in wrong if each.startswith("asked before the login")], wrong


def test_nothing_is_sent_before_a_slow_login(tmp_path: Path) -> None:
    assert judge_slow_login(tmp_path) == []


def judge_slow_login(folder: Path) -> list[str]:
    """Let a hand be due while the dealer is away, and the login take a second. Returns what is wrong on the screens afterwards."""

    async def story(loop: QuickLoop) -> list[str]:
        async with faulty_evening(loop, folder, random.Random("login")) as evening:
            await evening.play(lambda: evening.hand_number > 0 and not evening.the_table.hand_running, 200)
            evening.away, evening.login_seconds = 30.0, 1.0
            evening.kill()
            await evening.mend()
            await evening.wait_quietly(SECONDS_TO_MEND)
            return await ScreenJudge(evening).faults()

    return run_quickly(story)


@pytest.mark.parametrize("seed", range(2))
def test_an_evening_without_faults_is_right_all_along(seed: int, tmp_path: Path) -> None:
    async def story(loop: QuickLoop) -> None:
        async with faulty_evening(loop, tmp_path, random.Random(seed)) as evening:
            for hand in range(2, 8):
                assert await evening.play(lambda hand=hand: evening.hand_number >= hand, 200)  # type: ignore[misc]
                await asyncio.sleep(3)
                wrong = await ScreenJudge(evening).faults()
                assert not wrong, "\n".join(wrong)

    run_quickly(story)


def test_the_judge_finds_what_is_planted(tmp_path: Path) -> None:
    """A double, a lost message, old cards: each is found, and nothing once it is taken away."""

    async def story(loop: QuickLoop) -> None:
        async with faulty_evening(loop, tmp_path, random.Random("planted")) as evening:
            judge, messages = ScreenJudge(evening), evening.stand_in.messages
            ann, bo, _ = evening.guests
            await evening.play(lambda: evening.hand_number == 1 and bool(evening.private(bo)), 200)
            old = evening.direct(ann)[0]["components"]
            await evening.play(lambda: evening.hand_number == 2, 200)
            await asyncio.sleep(2)
            assert await judge.faults() == []

            async def found(*planted: Json) -> str:
                wrong = await judge.faults()
                for each in planted:
                    messages.delete(each)
                return "\n".join(wrong)

            (table,) = live_tables(evening.public(), evening.the_table.id)
            assert "2 live messages" in await found(post_copy(evening, table))
            await evening.open_panel(bo)
            (panel,) = [each for each in evening.private(bo) if "My hand #" in text_of(each)]
            assert "Bo has 2 panels with buttons" in await found(post_twin(evening, bo, panel))
            below = [{"type": 10, "id": 1, "content": PANEL_IS_BELOW}]
            left = post_twin(evening, bo, panel, components=below)
            await asyncio.sleep(7)
            assert "Bo still reads" in await found(left)
            (direct,) = evening.direct(ann)
            assert "Ann has 2 direct messages with cards" in await found(post_copy(evening, direct))
            before = direct["components"]
            direct["components"] = old
            assert "a direct message of Ann shows old cards in hand #2" in await found()
            direct["components"] = before
            assert await judge.faults() == []
            said = post_copy(evening, table, components=[{"type": 10, "id": 1, "content": "The bot restarted."}])
            assert await judge.faults() == []
            assert "twice in the channel poker" in await found(said, post_copy(evening, said))
            evening.calls += [(evening.channel, "your turn")] * 2
            assert "called twice" in await found()
            evening.calls.clear()
            messages.delete(direct)
            evening.line.lose_everything = True
            for panel in evening.private(ann):
                messages.delete(panel)
            assert "Ann cannot read their cards" in await found()
            messages.delete(table)
            assert "0 live messages" in await found()

    run_quickly(story)


def post_copy(evening: FaultyEvening, message: Json, **changes: Any) -> Json:
    """Post a message again, as a dealer does that does not know of the first one."""
    world, stand_in = evening.stand_in.world, evening.stand_in
    fields = {key: message[key] for key in ("content", "components", "embeds", "attachments", "mentions", "flags")}
    return stand_in.messages.post(world.channels[message["channel_id"]], ValidatedMessage(fields | changes, {}))


def post_twin(evening: FaultyEvening, guest: Guest, panel: Json, **changes: Any) -> Json:
    """Post a private message again."""
    world, fields = evening.stand_in.world, {key: panel[key] for key in ("content", "components", "flags")}
    post = evening.stand_in.messages.post_ephemeral
    return post(world.channels[panel["channel_id"]], ValidatedMessage(fields | changes, {}), guest.user)

"""One hand of six players with twelve actions by button keeps within its budget of requests."""

from __future__ import annotations

import asyncio
import math
from collections import Counter
from collections.abc import Container, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from bot.engine.legal import Decision
from bot.local.rest_server import RequestRecord
from bot.surfaces.my_hand.panels import EDITS_PER_MINUTE, KEPT_FOR_TURNS
from bot.surfaces.table import pace
from tests.e2e.bot_session import BotSession, bot_session
from tests.e2e.play_by_buttons import live_message, toggles
from tests.e2e.test_my_hand import panel
from tests.support.discord_double import EPHEMERAL, Player

NAMES = ("Ann", "Bo", "Cy", "Dee", "Eve", "Flo")


ACTIONS = ("Pot", "Call", *["Fold"] * 4, *["Check"] * 6)


async def spent_on_a_hand(folder: Path) -> Counter[str]:
    """Play a hand of six players and twelve actions by button; its requests by kind, and the bytes of all."""
    async with bot_session(folder) as room:
        six = await room.people(*NAMES)
        await room.open_and_sit(*six, seats=6)
        await room.next_hand()
        await room.check_down(*six)  # the first hand: everybody's direct message is sent, and edited from then on
        await room.wait_for_text("Next hand")
        await room.wait_until_idle()
        room.discord.forget_requests()
        await room.next_hand()
        await room.wait_until_idle()
        for label in ACTIONS:
            await room.act(label, *six)
        await room.wait_for_text("Next hand")
        await room.wait_until_idle()
        return requests_spent(room)


async def test_a_hand_keeps_within_its_budget(tmp_path: Path) -> None:
    """The budget is twelve callbacks, a direct message each, and at most 3 other requests by the bot's token: the table has a click's.

    One press more opens the panel of the player who bets the pot: the sizes of a bet stand there alone.
    """
    spent = await spent_on_a_hand(tmp_path)
    print(cost_report(spent))
    assert spent["callbacks"] == len(ACTIONS) + 1
    assert spent["direct messages"] == 6
    assert spent["new messages"] + spent["edits"] + spent["others"] <= 3
    assert spent["table edits by token"] <= 2 * len(ACTIONS)


async def first_hand(room: BotSession, game: str, *names: str) -> list[Player]:
    """Deal the first hand of a game. What went before it is not counted."""
    players = await room.people(*names)
    await room.open_and_sit(*players, game=game, seats=len(players))
    await room.wait_until_idle()
    room.discord.forget_requests()
    await room.next_hand()
    await room.wait_until_idle()
    return players


def by_bot_token(spent: Counter[str]) -> int:
    """Return how many requests count against the bot's limit: none that goes by the token of an interaction."""
    return sum(spent[kind] for kind in ("new messages", "direct messages", "edits", "look-ups", "others"))


async def test_triple_draw_costs_six_requests_beside_direct_messages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Five players; five, two and one of them draw, the others stand pat. A draw is chosen in private, so the table is redrawn for it.

    Nobody acts within a second of another player, so no two redraws become one.

    The direct message has the cards of the deal. When the first draw changes them, it lets go of them once and leads to the panel that they
    were drawn in: old cards must not pass for current ones. From then on it says nothing new, in this hand and at the next deal.
    """
    monkeypatch.setattr(pace, "EDIT_SECONDS", 0.0)
    async with bot_session(tmp_path) as room:
        players = await first_hand(room, "triple_draw_27", *NAMES[:5])
        drawing = [True] * 5 + [True] * 2 + [False] * 3 + [True] + [False] * 4
        with panel_edits(room, of_own_turns=False) as edited_at:
            while room.now.hand_running:
                player = room.to_act(*players)
                assert player is not None
                await live_message(room, player)
                if room.now.decision is not Decision.DRAW:
                    await room.check_or_call(player)
                elif drawing.pop(0):
                    if not room.has_panel(player):
                        await room.act("Choose discards", player)
                    await room.until_own_buttons(player)
                    await player.press(*toggles(player)[0])
                    await player.click("Draw 1")
                else:
                    await room.act("Stand pat", player)
                await room.wait_until_idle()
            await room.wait_for_text("Next hand")
            await room.wait_until_idle()
        spent = requests_spent(room)
        at_the_deal, at_their_first_draw, at_later_draws = 5, 5, 0
        assert not drawing and spent["direct messages"] == at_the_deal + at_their_first_draw + at_later_draws, spent
        assert by_bot_token(spent) - spent["direct messages"] <= 6, spent
        results = 5
        assert most_in_a_minute(edited_at) <= EDITS_PER_MINUTE + results, (
            "five panels are open; own turns and the end do not wait"
        )
        room.discord.forget_requests()
        await room.next_hand()
        await room.wait_until_idle()
        assert requests_spent(room)["direct messages"] == 0, (
            "all five have played in their panels since the deal before"
        )


async def test_stud_costs_at_most_12_requests(tmp_path: Path) -> None:
    """Six players are dealt in and four of them a last card, which nobody else sees."""
    async with bot_session(tmp_path) as room:
        players = await first_hand(room, "stud", *NAMES)
        for label in ("Open", "Fold", "Fold"):
            await room.act(label, *players)
            await room.wait_until_idle()
        await room.check_down(*players)
        await room.wait_for_text("Next hand")
        await room.wait_until_idle()
        spent = requests_spent(room)
        assert spent["direct messages"] == 6 + 4
        assert by_bot_token(spent) <= 12, spent


STEP_SECONDS = 6.0


@contextmanager
def panel_edits(room: BotSession, *, of_own_turns: bool = True) -> Iterator[list[float]]:
    """Inside, note when panels are edited between their owners' clicks, in seconds of the dealer's clock."""
    edited_at: list[float] = []

    def note(record: RequestRecord) -> None:
        is_turn = "▶ **Your turn" in str(record.request_body)
        if kind_of(record, ()) == "panel edits" and (of_own_turns or not is_turn):
            edited_at.append(room.clock.now() / 1000)

    room.discord.stand_in.rest_server.observers.append(note)
    yield edited_at
    room.discord.stand_in.rest_server.observers.remove(note)


def most_in_a_minute(times: Sequence[float]) -> int:
    """Return the most that a minute saw. What is noted late, on a busy machine, is not counted to a minute that it was not in."""
    span = 60 - STEP_SECONDS / 2
    return max((sum(first <= each < first + span for each in times) for first in times), default=0)


async def test_six_open_panels_keep_to_their_edits_a_minute(tmp_path: Path) -> None:
    """Twelve actions in 72 seconds, by the table's buttons, with six panels open.

    What must be shown at once: the new hand on six panels, one of which says at the same time whose turn it is, and the eleven other turns.
    What else there is to show (streets, folds, the end) gets what a minute has left: the last edits are of this kind, so the last minute
    has fifteen of its twenty, for five are kept for turns. Before it were the deal and two turns. So a hand costs 6 + 2 + 15 = 23 edits;
    a hand that takes longer, as on a busy machine, has its share of twenty a minute.
    """
    async with bot_session(tmp_path) as room:
        six = await room.people(*NAMES)
        await room.open_and_sit(*six, seats=6)
        await room.next_hand()
        await room.check_down(*six)
        await room.wait_for_text("Next hand")
        await room.wait_until_idle()
        for player in six:
            await player.slash("myhand")
        await room.wait_until_idle()
        room.discord.forget_requests()
        with panel_edits(room) as edited_at:
            await room.next_hand()
            await room.wait_until_idle()
            assert len(edited_at) == len(six) and all("My hand #2" in player.screen() for player in six)
            for label in ACTIONS:
                room.clock.skip(STEP_SECONDS)
                await room.wait_until_idle()
                player = room.to_act(*six)
                assert player is not None and "▶ **Your turn**" in player.screen()
                await room.act(label, *six)
            await room.wait_for_text("Next hand")
            await room.wait_until_idle()
        spent = requests_spent(room)
    print(cost_report(spent))
    assert spent["callbacks"] == len(ACTIONS)
    assert spent["direct messages"] == 6 and spent["new messages"] + spent["edits"] <= 3 and spent["others"] == 0
    at_once = len(six) + len(ACTIONS) - 1
    longer = edited_at[-1] - edited_at[0] - len(ACTIONS) * STEP_SECONDS
    most = len(six) + 2 + (EDITS_PER_MINUTE - KEPT_FOR_TURNS) + math.ceil(EDITS_PER_MINUTE * longer / 60)
    assert at_once <= spent["panel edits"] == len(edited_at) <= most, edited_at
    assert most_in_a_minute(edited_at) <= EDITS_PER_MINUTE, edited_at


PRESS_SECONDS = 4.0
"""How long each player takes in their panel: a hand of twelve actions lasts about a minute with the pause after it."""
FROM_PANELS = (*["Fold"] * 4, "Call", *["Check"] * 7)


async def six_with_panels(room: BotSession) -> list[Player]:
    """Six sit down and are dealt their first hand; each opens *My hand* at the table."""
    six = await room.people(*NAMES)
    await room.open_and_sit(*six, seats=6)
    await room.next_hand()
    for player in six:
        await room.open_panel(player)
    return six


async def play_from_panels(room: BotSession, *players: Player, seconds: float = PRESS_SECONDS) -> Counter[str]:
    """Play a hand of twelve actions from panels alone, and deal the next one. Returns the requests since those before were forgotten."""
    for label in FROM_PANELS:
        player = room.to_act(*players)
        assert player is not None
        room.clock.skip(seconds)
        await player.wait_for(lambda p=player: "▶ **Your turn**" in panel(p), "the turn in the panel")  # type: ignore[misc]
        await player.click(label, within="My hand #")
        await room.wait_until_idle()
    await room.wait_for_text("Next hand")
    await room.wait_until_idle()
    await room.next_hand()
    await room.wait_until_idle()
    spent = requests_spent(room)
    room.discord.forget_requests()
    return spent


async def test_ten_hands_from_panels_cost_one_request_each(tmp_path: Path) -> None:
    """All play from live panels, and the table has a click's token: at most 1.2 requests by the bot's token a hand.

    Direct messages are sent at the first deal alone: at the next they say that the cards are in *My hand*. Whoever wants them in every
    hand gets one in every hand: that is six more.
    """
    async with bot_session(tmp_path) as room:
        six = await six_with_panels(room)
        room.discord.forget_requests()
        hands = [await play_from_panels(room, *six) for _ in range(10)]
        for player in six:
            await room.dealer.services.preferences.set_every_dm(int(player.me["id"]), wanted=True)
        with_dms = await play_from_panels(room, *six)
    a_hand, a_hand_with_dms = sum(map(by_bot_token, hands)) / len(hands), by_bot_token(with_dms)
    print(f"requests by the bot's token a hand: {a_hand:.1f} from panels, {a_hand_with_dms} with DMs in every hand")
    assert a_hand <= 1.2, hands
    assert with_dms["direct messages"] == 6 and a_hand_with_dms <= 6 + 1.2, with_dms


async def test_results_of_quick_hands_are_in_both_panels(tmp_path: Path) -> None:
    """Two play heads-up in their panels at an action a second: after the second hand, turns have spent all edits of the minute."""
    async with bot_session(tmp_path) as room:
        two = await room.people("Ann", "Bo")
        await room.open_and_sit(*two, seats=2)
        await room.next_hand()
        for player in two:
            await player.click("👁", within="▶ `")
        for number in range(1, 6):
            while (player := room.to_act(*two)) is not None:
                await player.wait_for(lambda p=player: "▶ **Your turn**" in panel(p), "the turn in the panel")  # type: ignore[misc]
                await player.click("Check" if "[Check]" in panel(player) else "Call", within="My hand #")
                await asyncio.sleep(1)
            assert [player.name for player in two if "to act" in panel(player)] == [], f"after hand {number}"
            await room.next_hand()


async def test_result_of_a_quick_hand_is_in_panels(tmp_path: Path) -> None:
    """Five panels, and a hand played in seconds: a minute's edits are nearly spent on turns. Three of the five go to the showdown."""
    async with bot_session(tmp_path) as room:
        five = await room.people(*NAMES[:5])
        await room.open_and_sit(*five)
        await room.next_hand()
        for player in five:
            await room.open_panel(player)
        for label in ("Call", "Call", "Fold", "Fold"):
            await room.act(label, *five)
        while room.now.hand_running:
            await room.act("Check", *five)
        await room.wait_for_text("Next hand")
        await asyncio.sleep(1)
        for player in five:
            assert "to act" not in [player.render(one) for one in player.visible() if one["flags"] & EPHEMERAL][-1]


def cost_report(spent: Counter[str]) -> str:
    """Return the costs of a hand in a line."""
    requests = {kind: count for kind, count in spent.items() if kind != "bytes"}
    kinds = ", ".join(f"{count} {kind}" for kind, count in requests.items())
    return f"a hand of {len(ACTIONS)} actions, {len(NAMES)} players: {sum(requests.values())} requests ({kinds}), {spent['bytes']:,} bytes"


async def test_a_call_by_name_costs_one_message_and_its_deletion(tmp_path: Path) -> None:
    """Apart from it the dealer asks once whether the silent player is still in the server."""
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await room.open_and_sit(ann, bo)
        await room.next_hand()
        await room.wait_until_idle()
        room.discord.forget_requests()
        room.clock.skip(8)
        slow = room.to_act(ann, bo)
        assert slow is not None
        await room.wait_for_text(f"@{slow.name}, your turn — 50 to call")
        (call,) = [message for message in slow.visible() if "your turn" in message["content"]]
        assert [user["id"] for user in call["mentions"]] == [slow.me["id"]]
        (table,) = [message for message in slow.visible() if "▶ `" in slow.render(message)]
        assert call["content"].endswith(f"/{call['channel_id']}/{table['id']})")
        await slow.click("Call")
        await slow.until_gone("your turn")
        await room.wait_until_idle()
        spent = requests_spent(room)
        assert (spent["new messages"], spent["others"], spent["callbacks"], spent["edits"]) == (1, 1, 1, 0)
        assert spent["look-ups"] == 1


def requests_spent(room: BotSession) -> Counter[str]:
    """Return the requests by kind, and the bytes of all of them."""
    direct = {channel for player in room.discord._people for channel in player.dm_channels}
    exchanges = [one for one in room.discord.requests if "/emojis" not in one.path]  # hung up once, in the background
    found = Counter(kind_of(exchange, direct) for exchange in exchanges)
    found["bytes"] = sum(exchange.request_bytes + exchange.response_bytes for exchange in exchanges)
    return found


def kind_of(exchange: RequestRecord, direct: Container[str]) -> str:
    """Return what a request is, in words. `direct` are the channels of direct messages."""
    channel = exchange.path.split("/")[2]
    if exchange.path.endswith("/callback"):
        return "callbacks"
    if exchange.method == "POST" and exchange.path.endswith("/messages"):
        return "direct messages" if channel in direct else "new messages"
    if exchange.path.startswith("/webhooks/") and _shows_table(exchange):
        return "table edits by token"
    if exchange.path.startswith("/webhooks/"):
        return "panel edits" if exchange.method == "PATCH" else "private messages taken away"
    if exchange.method == "GET" and "/members/" in exchange.path:
        return "look-ups"
    if exchange.method == "PATCH":
        return "direct messages" if channel in direct else "edits"
    return "others"


def _shows_table(exchange: RequestRecord) -> bool:
    """Whether a request by a token was an edit of the table's message, which everybody sees."""
    shown = exchange.response_body
    return exchange.method == "PATCH" and isinstance(shown, dict) and not shown.get("flags", 0) & EPHEMERAL

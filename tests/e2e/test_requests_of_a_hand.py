"""How many requests a hand costs, with six seconds for each action, and that no limit of Discord is met.

The time of these evenings jumps; see `tests.support.quick_loop`. Pauses between redraws are Discord's own.
"""

from __future__ import annotations

import asyncio
import random
import re
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from bot.engine.legal import Decision
from bot.local.rest_server import RequestRecord
from bot.render.message.custom_ids import button_id
from bot.text.buttons import Verb
from tests.e2e.faulty_evening import FaultyEvening, Guest, faulty_evening, pressable
from tests.e2e.screen_judge import text_of
from tests.support.discord_double import Json
from tests.support.quick_loop import QuickLoop, run_quickly

SIX = ("Ann", "Bo", "Cy", "Dee", "Eve", "Flo")
THINKING_SECONDS = 6.0
TOKEN_SECONDS = 15 * 60.0
FOLLOW_UPS_A_MINUTE = 20

POSTED, EDITED, DELETED = "new messages", "edits in the channel", "deletions"
BY_BOT_TOKEN = frozenset({POSTED, EDITED, DELETED, "other requests by the bot's token"})
DIRECT = "direct messages"


def kind_of(record: RequestRecord, evening: FaultyEvening) -> str:
    """Return what a request of the bot is, in words."""
    is_direct = not record.path.startswith(f"/channels/{evening.channel}/")
    match record.method, record.route.partition(" ")[2]:
        case "POST", "/interactions/{id}/{token}/callback":
            return "callbacks"
        case "POST", "/webhooks/{application}/{token}":
            return "follow-ups"
        case "PATCH", "/webhooks/{application}/{token}/messages/{message}":
            return "edits by token"
        case "DELETE", "/webhooks/{application}/{token}/messages/{message}":
            return "deletions by token"
        case "POST", "/channels/{channel}/messages":
            return DIRECT if is_direct else POSTED
        case "PATCH", "/channels/{channel}/messages/{message}":
            return DIRECT if is_direct else EDITED
        case "DELETE", "/channels/{channel}/messages/{message}":
            return DELETED
    return "other requests by the bot's token"


class Account:
    """The requests of a hand."""

    def __init__(self, evening: FaultyEvening) -> None:
        self._evening = evening
        self.actions = 0
        evening.stand_in.rest_server.recording = True
        evening.stand_in.rest_server.records.clear()

    @property
    def kinds(self) -> Counter[str]:
        return Counter(kind_of(record, self._evening) for record in self._evening.stand_in.rest_server.records)

    @property
    def by_bot_token(self) -> int:
        """How many requests count against the bot's limit, apart from direct messages."""
        return sum(count for kind, count in self.kinds.items() if kind in BY_BOT_TOKEN)

    @property
    def most_follow_ups(self) -> int:
        """The largest number of follow-ups within a minute."""
        at = [
            record.at
            for record in self._evening.stand_in.rest_server.records
            if kind_of(record, self._evening) == "follow-ups"
        ]
        return max((sum(first <= each < first + 60 for each in at) for first in at), default=0)

    @property
    def refused(self) -> list[str]:
        """The requests that came too fast."""
        return [record.route for record in self._evening.stand_in.rest_server.records if record.status == 429]

    def __str__(self) -> str:
        kinds = ", ".join(f"{count} {kind}" for kind, count in sorted(self.kinds.items()))
        return f"{self.by_bot_token} by the bot's token in {self.actions} actions, of {self.kinds.total()}: {kinds}"


async def sit_down(evening: FaultyEvening) -> None:
    """Wait for the first hand, and open everybody's panel."""
    await evening.until_dealt()
    await asyncio.sleep(2)
    for guest in evening.guests:
        assert await evening.open_panel(guest), f"{guest.name} gets no panel"


async def play_hand(evening: FaultyEvening, choose: Callable[[list[str]], str]) -> int:
    """Play the running hand, or the next one. Returns the number of actions."""
    await evening.until_dealt()
    number, actions = evening.hand_number, 0
    while evening.hand_number == number and evening.the_table.hand_running:
        await asyncio.sleep(THINKING_SECONDS)
        guest = evening.to_act
        if guest is None:
            continue
        turn = evening.the_table.decision_number
        if evening.the_table.decision is Decision.DRAW:
            if isinstance(choose, Raiser):
                choose.next_round_after_draw()
            await draw_one(evening)
        else:
            assert await evening.act(choose), f"nothing to press for {guest.name}"
        actions += evening.the_table.decision_number != turn or not evening.the_table.hand_running
    return actions


async def draw_one(evening: FaultyEvening) -> None:
    """Whoever is to act changes a card, in their panel."""
    guest = evening.to_act
    assert guest is not None
    if not offered_in(evening.private(guest), evening, Verb.MARK):
        assert await evening.press(guest, *offered_in(evening.public(), evening, Verb.OPEN_CHOICE)[0])
    for verb in (Verb.MARK, Verb.DISCARD):
        offered = offered_in(evening.private(guest), evening, verb)
        assert offered, f"{guest.name} finds no {verb}"
        assert await evening.press(guest, *offered[0])


def offered_in(messages: list[Json], evening: FaultyEvening, verb: Verb) -> list[tuple[Json, str]]:
    """Return the buttons for what is to be done now, newest message first: message and id."""
    now = evening.the_table
    start = button_id(now.id, now.hand_number, now.decision_number, verb)
    found = [(message, id_) for message in reversed(messages) for id_ in pressable(message)]
    return [(message, id_) for message, id_ in found if id_ == start or id_.startswith(start + ":")]


def check_or_call(offered: list[str]) -> str:
    return next((each for each in offered if re.match(r"(?:check|call)\b", each)), "")


RAISES = ((5, 9), (5, 9), (5,), (4,))
"""The actions that raise, by betting round. With five players who stay that makes 13, 13, 9 and 8 actions."""


class Raiser:
    """Raises where the plan says so, and checks or calls else."""

    def __init__(self) -> None:
        self._round, self._actions = 0, 0

    def __call__(self, offered: list[str]) -> str:
        calm = check_or_call(offered)
        if not calm:
            return ""
        self._actions += 1
        raises = next((each for each in offered if each.startswith(("bet:", "raise:"))), "")
        return raises if self._actions in RAISES[self._round] else calm

    def next_round_after_draw(self) -> None:
        """A card is drawn: what is bet next belongs to the next round."""
        if self._actions:
            self._round, self._actions = self._round + 1, 0


def counted_hand(
    folder: Path,
    names: Sequence[str],
    *,
    in_panels: bool,
    game: str = "",
    token_lives: bool = True,
    raises: bool = False,
) -> Account:
    """Play a hand in which everybody stays, and count its requests to the deal of the next one."""

    async def story(loop: QuickLoop) -> Account:
        guests = [Guest(name, "", plays_in_panel=in_panels) for name in names]
        async with faulty_evening(loop, folder, random.Random("hand"), guests, game=game) as evening:
            await sit_down(evening)
            opened_at = loop.time()
            await play_hand(evening, check_or_call)
            while not token_lives and loop.time() < opened_at + TOKEN_SECONDS:
                await play_hand(evening, check_or_call)
            await asyncio.sleep(5)
            account = Account(evening)
            account.actions = await play_hand(evening, Raiser() if raises else check_or_call)
            await asyncio.sleep(5)
            print(account)
            return account

    return run_quickly(story)


def test_a_hand_pressed_in_public_costs_three_requests(tmp_path: Path) -> None:
    account = counted_hand(tmp_path, SIX, in_panels=False)
    assert account.actions == 24 and account.kinds[DIRECT] <= len(SIX), account
    assert account.by_bot_token <= 3, account


def test_a_hand_pressed_in_panels_costs_three_requests(tmp_path: Path) -> None:
    account = counted_hand(tmp_path, SIX, in_panels=True)
    assert account.actions == 24 and account.kinds[DIRECT] <= len(SIX), account
    assert account.by_bot_token <= 3 and account.kinds.total() <= 100, account


def test_a_hand_without_a_table_token_costs_twelve_requests(tmp_path: Path) -> None:
    account = counted_hand(tmp_path, SIX, in_panels=True, token_lives=False)
    assert account.actions == 24 and account.kinds[DIRECT] <= len(SIX), account
    assert account.by_bot_token <= 12, account


@pytest.mark.parametrize("in_panels", [False, True], ids=["in public", "in panels"])
def test_a_hand_of_triple_draw_costs_six_requests(tmp_path: Path, in_panels: bool) -> None:
    """Five players, three draws, and raises: 58 actions."""
    account = counted_hand(tmp_path, SIX[:5], in_panels=in_panels, game="triple_draw_27", raises=True)
    assert account.actions == 58, account
    assert account.by_bot_token <= 6, account


def test_the_panel_to_act_is_drawn_within_a_second(tmp_path: Path) -> None:
    """Six players in their panels act after a second each, for two minutes: more turns than a channel gets edits. Nobody waits for theirs.

    The others' panels wait; but everybody has the cards of a new hand within five seconds.
    """

    async def story(loop: QuickLoop) -> tuple[Account, list[float], list[str]]:
        guests = [Guest(name, "", plays_in_panel=True) for name in SIX]
        late: list[float] = []
        without_cards: list[str] = []
        async with faulty_evening(loop, tmp_path, random.Random("quick"), guests, limits=True) as evening:
            await sit_down(evening)
            account, ends_at, number = Account(evening), loop.time() + 120, evening.hand_number
            while loop.time() < ends_at:
                guest = evening.to_act
                if guest is None:
                    await asyncio.sleep(0.1)
                    continue
                now, asked_at = evening.the_table, loop.time()
                turn = f"t:{now.id}:{now.hand_number}:{now.decision_number}:"
                while not any(id_.startswith(turn) for each in evening.private(guest) for id_ in pressable(each)):
                    await asyncio.sleep(0.05)
                    assert loop.time() < asked_at + 5, f"{guest.name} waits for {turn}"
                late.append(loop.time() - asked_at)
                if now.hand_number > number:
                    number = now.hand_number
                    await asyncio.sleep(5)
                    hand = f"and #{number}"
                    cards = [hand in "".join(map(text_of, evening.private(each))) for each in evening.guests]
                    without_cards += [each.name for each, has in zip(evening.guests, cards, strict=True) if not has]
                await asyncio.sleep(1)
                assert await evening.act(check_or_call)
                account.actions += 1
            return account, late, without_cards

    account, late, without_cards = run_quickly(story)
    print(account, f"longest wait {max(late):.2f} s")
    assert account.actions > 60 and max(late) <= 1.0, sorted(late)[-5:]
    assert not without_cards, without_cards
    assert not account.refused, account


def test_a_chatty_evening_meets_no_limit_of_discord(tmp_path: Path) -> None:
    """Six people act fast, half of them in panels, look at their cards again and again, and bury the table under what they write."""

    async def story(loop: QuickLoop) -> Account:
        guests = [Guest(name, "", plays_in_panel=number % 2 == 0) for number, name in enumerate(SIX)]
        dice = random.Random("chatty")
        async with faulty_evening(loop, tmp_path, dice, guests, limits=True) as evening:
            account = Account(evening)
            await sit_down(evening)
            while evening.hand_number < 6:
                await asyncio.sleep(dice.uniform(0.5, 2.0))
                account.actions += await evening.act()
                speaker = dice.choice(evening.guests)
                if dice.random() < 0.3:
                    evening.say(speaker, "nice hand")
                if dice.random() < 0.1:
                    await evening.open_panel(speaker)
            return account

    account = run_quickly(story)
    assert account.actions > 60, account
    assert not account.refused, f"{account.refused}: {account}"
    assert account.most_follow_ups <= FOLLOW_UPS_A_MINUTE, account


def test_private_answers_are_hardly_ever_deleted(tmp_path: Path) -> None:
    """People ask, act out of turn and look at their cards again. A panel that is opened again moves, and the old one goes; the other
    private answers stay, and a refusal is told in the panel: fewer than one request in a hundred deletes one.
    """

    async def story(loop: QuickLoop) -> tuple[Account, int]:
        guests = [Guest(name, "", plays_in_panel=number % 2 == 0) for number, name in enumerate(SIX)]
        dice, moved = random.Random("private"), 0
        async with faulty_evening(loop, tmp_path, dice, guests) as evening:
            await sit_down(evening)
            account = Account(evening)
            while evening.hand_number < 8:
                await asyncio.sleep(dice.uniform(1.0, 4.0))
                speaker, what = dice.choice(evening.guests), dice.random()
                folds = offered_in(evening.public(), evening, Verb.FOLD)
                if what < 0.1:
                    await evening.slash(speaker, dice.choice(ASKED))
                elif what < 0.2 and folds and evening.to_act is not speaker:
                    await evening.press(speaker, *folds[0])
                elif what < 0.25:
                    moved += await evening.open_panel(speaker)
                account.actions += await evening.act()
            await asyncio.sleep(5)
            return account, moved

    account, moved = run_quickly(story)
    deleted = account.kinds["deletions by token"] - moved
    assert account.actions > 100 and moved >= 5
    assert deleted < account.kinds.total() / 100, f"{deleted} beside {moved} moved panels: {account}"


ASKED = ("me", "stats", "help", "lobby", "laws", "table")
"""What people ask in private. Each answer is a message of its own."""

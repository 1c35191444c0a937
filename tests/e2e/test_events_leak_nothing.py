"""Random hands of sit-and-gos, game nights and tables that wait, under the watcher that reads everything anybody sees.

Some people write ahead in many hands, others never do: what tells of a choice before the turn stands on no page of theirs, and a line with
an amount on the page of its writer alone. Clicks of thousands of hands would take an hour, so people ask the tables themselves, as every
click does in the end; they open My hand, look at menus and sheets by the buttons that they see.
"""

from __future__ import annotations

import asyncio
import itertools
import random
import re
from dataclasses import dataclass, field
from pathlib import Path

import msgspec
import pytest

from bot.engine import commands as c
from bot.engine.decide import legal
from bot.engine.errors import TableError
from bot.engine.timeout import default_action
from bot.events.sit_and_go import commands as sc
from bot.runtime.commands import PlayerCommand, Preselect
from bot.runtime.request import Request
from bot.surfaces.table import pace
from bot.table.preselection.types import PreselectedAction
from tests.e2e.bot_session import BotSession, bot_session
from tests.e2e.test_nights import plan, until_utc
from tests.e2e.test_waiting_tables import DAY, waiting_table
from tests.runtime.sit_and_go_evening import random_command
from tests.support.discord_double import Player, Refused

WRITES, LOOKS, WAITS_FOR_REMINDER = 0.3, 0.04, 0.05
"""How often somebody writes ahead while another one is to act, looks at My hand, and lets half of a long clock pass."""
LINE_ACTS = 0.6
"""How often a player at a table that waits lets their line act."""
DRAWN_SECONDS = 0.01
"""What has happened is on the pages after so long: most states are drawn, none is waited for."""
RAISES_ALL = 0.3
"""How many of the raises of a sit-and-go are all-in; elsewhere none is, so that nobody goes out."""
SHORT_NIGHT, LONG_NIGHT = 6, 25
"""Hands of a night."""
GAMES = ("holdem", "omaha", "stud", "badugi", "triple_draw_27", "five_card_draw", "razz", "pineapple")
FOR_LONG_CLOCKS = {PreselectedAction.CALL_UP_TO, PreselectedAction.CHECK_DOWN}
_TOLD = re.compile(r"Noted: |You'd planned|Your line")
_UP_TO = re.compile(r"call up to \**([\d,]+)")


@dataclass
class Evening:
    """People at the tables of one bot. The second half of them never writes ahead."""

    room: BotSession
    people: list[Player]
    dice: random.Random
    calm: bool = False
    hands: int = 0
    lines: int = 0
    written: dict[str, set[int]] = field(default_factory=dict)
    keys: itertools.count[int] = field(default_factory=lambda: itertools.count(1))
    read: dict[str, int] = field(default_factory=dict)

    @property
    def writers(self) -> list[Player]:
        return self.people[: len(self.people) // 2]

    async def ask(self, player: Player, command: PlayerCommand | sc.SitAndGoCommand) -> bool:
        """Ask the only table for something. Returns whether it was taken."""
        at = self.room.session.address
        user = int(player.me["id"])
        key = f"leaks-{next(self.keys)}"
        request = Request(key=key, guild=at.guild, channel=at.channel, user=user, name=player.name, table=at.id)
        try:
            await self.room.dealer.tables.ask(request, command)
        except TableError:
            return False
        return True

    async def play(self, hands: int) -> None:
        """Play so many hands, or until the table has closed. Everything is checked after each."""
        for _ in range(hands):
            if not await self._hand():
                break
            self.hands += 1
            self.check()
        await self.room.wait_until_idle()
        self.check()

    async def _hand(self) -> bool:
        room = self.room
        while room.sessions and not room.now.hand_running:
            now = room.now
            if room.session.run_out is not None:
                await room.skip_run_out()
            elif now.table.next_hand_at:
                room.clock.skip(max(0, now.table.next_hand_at - room.clock.now()) / 1000)
                await self._until_hand(now.hand_number + 1)
            else:
                return False
        if not room.sessions:
            return False
        number = room.now.hand_number
        while room.sessions and room.now.hand_number == number and room.now.hand_running:
            await self._turn()
            await asyncio.sleep(DRAWN_SECONDS)
        if room.sessions and room.session.run_out is not None:
            await room.skip_run_out()
        return True

    async def _until_hand(self, number: int) -> None:
        room = self.room
        await room.wait_until(lambda: not room.sessions or room.now.hand_number >= number)

    async def _turn(self) -> None:
        room, dice = self.room, self.dice
        now = room.now
        player = room.to_act(*self.people)
        if player is None:
            await room.next_change()
            return
        if dice.random() < LOOKS:
            await self._look(dice.choice(self.people))
        if dice.random() < WRITES:
            await self._write(dice.choice(self.writers), slow=now.settings.is_slow)
        if now.settings.is_slow and dice.random() < WAITS_FOR_REMINDER:
            room.clock.skip(DAY / 2 + 60)
            await asyncio.sleep(DRAWN_SECONDS)
        elif now.settings.is_slow and player in self.writers and dice.random() < LINE_ACTS:
            room.clock.skip(1_800)
            await asyncio.sleep(DRAWN_SECONDS)
        if (
            not room.sessions
            or room.now.decision_number != now.decision_number
            or room.now.hand_number != now.hand_number
        ):
            return
        hand = room.session.state.hand
        assert hand is not None
        command = random_command(dice, legal(hand, hand.to_act)) or default_action(hand)
        if isinstance(command, c.RaiseTo | c.Bet) and (self.calm or dice.random() > RAISES_ALL):
            command = type(command)(legal(hand, hand.to_act).min_to)
        await self.ask(player, command)

    async def _look(self, player: Player) -> None:
        try:
            await self.room.press_at_table(player, "👁️ My hand")
        except (AssertionError, Refused):  # between two messages of the table
            return

    async def _write(self, player: Player, *, slow: bool) -> None:
        """Write ahead, with an amount that nobody else has: no bet ends in 7."""
        kinds = [one for one in PreselectedAction if slow or one not in FOR_LONG_CLOCKS]
        chosen = self.dice.choice(kinds)
        chips = 10 * self.dice.randint(2, 900) + 7
        if await self.ask(player, Preselect(chosen, chips if chosen is PreselectedAction.CALL_UP_TO else 0)):
            self.lines += 1
            self.written.setdefault(player.name, set()).add(chips)

    def check(self) -> None:
        """Look at everything that has come to anybody's page."""
        self.room.check_leaks()
        for player in (*self.people, self.room.discord.you):
            since, self.read[player.name] = self.read.get(player.name, 0), len(player.frames)
            for frame in player.frames[since:]:
                text = msgspec.json.encode(frame).decode()
                if player not in self.writers:
                    assert not _TOLD.search(text), f"{player.name} reads of somebody's line: {text}"
                amounts = {int(one.replace(",", "")) for one in _UP_TO.findall(text)}
                assert amounts <= self.written.get(player.name, set()), (
                    f"{player.name} reads another one's line: {text}"
                )
            player.frames.clear()
            self.read[player.name] = 0
            self.room.watcher._read[player.name] = 0


async def sit_and_gos(evening: Evening, hands: int) -> None:
    """One after the other, of all kinds of games, each opened by the form."""
    host = evening.people[0]
    while evening.hands < hands:
        await host.slash("play", where="here")
        game = evening.dice.choice(GAMES)
        kind = evening.dice.choice(("sng", "sng_free"))
        await host.submit({"Game": game, "Who can sit": kind, "Seats": "4", "Stakes": "2"})
        await evening.room.wait_until(lambda: bool(evening.room.sessions))
        for player in evening.people:
            assert await evening.ask(player, sc.Enter(int(player.me["id"]), player.name))
        await evening.play(hands - evening.hands)
        if evening.room.sessions:
            await evening.room.discord.you.close_table()
            await evening.room.wait_until(lambda: not evening.room.sessions)
        await evening.room.wait_until_idle()


async def nights(evening: Evening, hands: int) -> None:
    """One night a week, each with its table, its sheet and the post of the next one."""
    room, evening.calm = evening.room, True  # nobody goes out
    host = evening.people[0]
    await plan(room, host, hands=LONG_NIGHT if hands > LONG_NIGHT else SHORT_NIGHT, name="Friday game")
    await until_utc(room, "19:56", days=2)
    while True:
        await room.wait_until(lambda: bool(room.sessions))
        for player in evening.people:
            await player.slash("sit")
        await evening.play(hands - evening.hands)
        if evening.hands >= hands:
            return
        await room.wait_until_idle()
        await host.click("Standings")
        await until_utc(room, "19:56", days=7)


async def waiting_tables(evening: Evening, hands: int) -> None:
    """Tables whose turns take a day, with lines written ahead and reminders."""
    evening.calm = True
    await waiting_table(evening.room, *evening.people)
    await evening.play(hands)


PLAYED = {one.__name__: one for one in (sit_and_gos, nights, waiting_tables)}


async def play(folder: Path, kind: str, hands: int, seed: int) -> Evening:
    """Play so many hands of one kind and check all of it."""
    async with bot_session(folder) as room:
        people = await room.people("Ann", "Bo", "Cy", "Dee")
        evening = Evening(room, people, random.Random(seed))
        await PLAYED[kind](evening, hands)
        evening.check()
        return evening


@pytest.fixture(autouse=True)
def redraws_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing waits for the pauses between redraws, which are Discord's: every state is drawn, and looked at."""
    monkeypatch.setattr(pace, "EDIT_SECONDS", 0.0)


@pytest.mark.law("WT-2", "TL-34")
@pytest.mark.parametrize(("kind", "hands"), [("sit_and_gos", 6), ("nights", 7), ("waiting_tables", 4)])
async def test_events_leak_neither_cards_nor_lines(tmp_path: Path, kind: str, hands: int) -> None:
    evening = await play(tmp_path, kind, hands, seed=7)
    assert evening.hands >= hands and evening.lines


@pytest.mark.law("WT-2", "TL-34")
async def test_line_on_another_page_is_found(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        for reader, text in ((bo, "Noted: check, or fold if there is a bet."), (ann, "Noted: call up to 1,047")):
            evening = Evening(room, [ann, bo], random.Random(1), written={"Ann": {1_037}})
            ann.frames.append(
                {"t": "create", "message": {"flags": 64, "channel_id": "1", "content": "Noted: call up to 1,037"}}
            )
            evening.check()
            reader.frames.append({"t": "create", "message": {"flags": 64, "channel_id": "1", "content": text}})
            with pytest.raises(AssertionError, match="line"):
                evening.check()
            reader.frames.clear()


@pytest.mark.full
@pytest.mark.parametrize(("kind", "hands"), [("sit_and_gos", 2_400), ("nights", 1_400), ("waiting_tables", 1_400)])
async def test_thousands_of_hands_of_events_leak_nothing(tmp_path: Path, kind: str, hands: int) -> None:
    """5,200 hands, a hundred in each bot."""
    played = lines = 0
    for seed in itertools.count(1):
        evening = await play(tmp_path / str(seed), kind, min(100, hands - played), seed)
        played, lines = played + evening.hands, lines + evening.lines
        if played >= hands:
            break
    print(f"{kind}: {played:,} hands, {lines:,} lines written ahead, no fault")

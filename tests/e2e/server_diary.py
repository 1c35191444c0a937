"""A server of twelve people in three time zones: what they do is counted, and what they see is read as their own clients write it."""

from __future__ import annotations

import asyncio
import os
import re
from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from playwright.async_api import Browser

from bot.engine.legal import LegalActions
from tests.e2e.bot_session import BotSession
from tests.support.browser import DESKTOP, PHONE
from tests.support.discord_double import Player

BERLIN, NEW_YORK, MANILA = (ZoneInfo(name) for name in ("Europe/Berlin", "America/New_York", "Asia/Manila"))
HOMES = dict.fromkeys(("Ann", "Bo", "Cy", "Dee"), BERLIN)
HOMES |= dict.fromkeys(("Eve", "Flo", "Gus", "Hal"), NEW_YORK)
HOMES |= dict.fromkeys(("Ida", "Jo", "Kim", "Lou"), MANILA)
SHOTS = os.environ.get("SCREENSHOTS", "")
"""A folder for pictures of what people see; none are taken without one."""
MONTH = "March 2040"
"""It begins on a Thursday. New York puts its clocks forward on the 11th, Berlin on the 25th, Manila never."""
_TIMESTAMP = re.compile(r"<t:(\d+):([FftR])>")
_UNITS = ((86_400, "day"), (3_600, "hour"), (60, "minute"), (1, "second"))


class ServerDiary:
    """Twelve people, by name.

    Args:
        browser: takes pictures of what they see; None for none.

    Attributes:
        done: what each of them has done at their page: ``/night``, ``click``, ``select`` …
        net: what each has won in the hands of `hand`, until somebody begins a new count.
    """

    def __init__(self, room: BotSession, people: Sequence[Player], browser: Browser | None = None) -> None:
        self.browser = browser
        self.room, self.people = room, {player.name: player for player in people}
        self.guild = int(next(iter(room.discord.stand_in.world.guilds)))
        self.done: dict[str, list[str]] = {name: [] for name in self.people}
        self.net: Counter[str] = Counter()
        for player in people:
            self._count(player)

    def __getitem__(self, name: str) -> Player:
        return self.people[name]

    def some(self, *names: str) -> list[Player]:
        return [self.people[name] for name in names]

    def _count(self, player: Player) -> None:
        ask, done = player.ask, self.done[player.name]

        async def counted(op: str, **fields: Any) -> dict[str, Any]:
            done.append(f"/{fields['name']}" if op == "slash" else op)
            return await ask(op, **fields)

        player.ask = counted  # type: ignore[method-assign]

    def commands(self, name: str) -> list[str]:
        """The slash commands that somebody has used."""
        return [one for one in self.done[name] if one.startswith("/")]

    # time

    async def until(self, day: str, hour: str, zone: ZoneInfo = BERLIN) -> None:
        """Let the time pass until ``("Fri 2", "19:56")``, and what is due by then be done."""
        wanted = datetime.strptime(f"{day} {MONTH} {hour}", "%a %d %B %Y %H:%M").replace(tzinfo=zone)
        assert f"{wanted:%a}" == day[:3], f"{wanted:%d %B %Y} is a {wanted:%A}"
        await self.passes(wanted.timestamp() - self.room.clock.now() / 1000)

    async def passes(self, seconds: float) -> None:
        """Let so much time pass, and what is due then be done."""
        self.room.clock.skip(seconds)
        self._set_discords_clock()
        await asyncio.sleep(0.05)  # the alarms ring; in a quick loop nobody waits for it
        await self.room.wait_until_idle()

    def _set_discords_clock(self) -> None:
        """Let it be as late for Discord as for the dealer, from whose pauses a table can have skipped some seconds."""
        behind = self.room.clock.now() / 1000 - self.room.discord.clock.now()
        self.room.discord.clock.advance(max(0.0, behind))

    # what people see

    def read(self, name: str, text: str) -> str:
        """A text as somebody's client writes it: times by their own clock."""
        now = self.room.clock.now() // 1000

        def written(found: re.Match[str]) -> str:
            at = int(found[1])
            if found[2] == "R":
                size, unit = next(one for one in _UNITS if abs(at - now) >= one[0] or one[0] == 1)
                count = round(abs(at - now) / size)
                many = f"{count} {unit}{'s' if count != 1 else ''}"
                return f"in {many}" if at >= now else f"{many} ago"
            there = datetime.fromtimestamp(at, HOMES[name])
            day, hour = f"{there.day} {there:%B}", f"{there:%H:%M}"
            return {"F": f"{there:%A} {day} {hour}", "f": f"{day} {hour}", "t": hour}[found[2]]

        return _TIMESTAMP.sub(written, text).replace("\u00a0", " ")

    async def sees(self, name: str, *texts: str) -> str:
        """Wait until somebody sees these texts, on the screen or in direct messages. Returns all they see."""
        player = self.people[name]

        def shown() -> str:
            return self.read(name, f"{player.screen()}\n\n{player.dms()}")

        for text in texts:
            await player.wait_for(lambda text=text: text in shown(), repr(text))  # type: ignore[misc]
        return shown()

    async def look(self, name: str, what: str) -> None:
        """Keep pictures of what somebody sees now, on a phone and on a screen, where they are wanted."""
        if self.browser is None:
            return
        self._set_discords_clock()
        player = self.people[name]
        for size in (PHONE, DESKTOP):
            how: Any = {"viewport": size, "locale": "en-GB", "timezone_id": str(HOMES[name]), "color_scheme": "dark"}
            context = await self.browser.new_context(**how)
            page = await context.new_page()
            await page.goto(player.page)
            await page.wait_for_selector("body[data-ready='true']")
            await page.locator(f"#channel-list [data-key='{player.here}']").dispatch_event("click")
            await page.wait_for_timeout(1_500)
            await page.screenshot(path=Path(SHOTS) / f"{what}-{size['width']}.png")
            await context.close()

    def dm(self, name: str) -> str:
        """The direct messages of somebody."""
        return self.read(name, self.people[name].dms())

    # what people play

    def turn_to(self, channel: str, *names: str) -> None:
        """Let some, or everybody, look at a channel or thread, by its id."""
        for name in names or self.people:
            self.people[name].here = channel

    def seated(self, table: BotSession) -> list[Player]:
        """Who sits at a table, in the order of the seats."""
        names = {int(player.me["id"]): player for player in self.people.values()}
        return [names[seat.player] for seat in table.now.table.seats if seat.player in names]

    def to_act(self, table: BotSession) -> str:
        """The name of who is to act at a table."""
        player = table.to_act(*self.people.values())
        assert player is not None, "nobody is to act"
        return player.name

    def _turns_to(self, table: BotSession) -> Player:
        """Let who is to act look at their table."""
        player = self.people[self.to_act(table)]
        self.turn_to(str(table.session.address.channel), player.name)
        return player

    async def acts(self, table: BotSession, label: str, to: int = 0) -> str:
        """Who is to act presses a button at the table, and fills in the form that opens. Returns their name."""
        player = self._turns_to(table)
        await table.until_own_buttons(player)
        await table.press_own(player, label)
        if to:
            await player.fill_form(to=to)
        await self.room.wait_until_idle()
        return player.name

    async def hand(self, table: BotSession, *, loser: str, winner: str, chips: int) -> None:
        """A hand in which one bets so many chips, another calls, and the loser folds on the flop; all others fold before.

        What everybody wins or loses in it is written down here, from the chips that they have put in.
        """
        await table.deal()
        hand = table.now.hand
        assert hand is not None
        names = {int(player.me["id"]): name for name, player in self.people.items()}
        put_in = {names[table.now.players_by_seat[seat.seat_number].user]: seat.bet for seat in hand.seats}
        put_in |= {loser: chips, winner: chips}
        self.net.update({name: -lost for name, lost in put_in.items()})
        self.net[winner] += sum(put_in.values())
        while table.hand_running:
            name, hand = self.to_act(table), table.now.hand
            assert hand is not None and hand.legal_to_act is not None
            legal: LegalActions = hand.legal_to_act
            if name not in (loser, winner):
                await self.acts(table, "Fold")
            elif not hand.boards[0]:
                raises = legal.current_bet < chips
                await self.acts(table, "Raise…" if raises else "Call", chips if raises else 0)
            elif name == loser:
                await self.acts(table, "Check" if legal.check else "Fold")
            else:
                await self.acts(table, "Bet…", legal.min_to)

    async def all_in(self, table: BotSession, *names: str) -> None:
        """A hand in which these put in all they have, and all others fold."""
        await table.deal()
        while table.hand_running:
            player = self._turns_to(table)
            await table.until_own_buttons(player)
            if player.name not in names:
                await table.press_own(player, "Fold")
                continue
            sizes = [label for label in table.own_buttons(player) if label in {"Raise…", "Bet…"}]
            await table.press_own(player, sizes[0] if sizes else "Call")
            if sizes:
                await player.fill_form(to="all")
        if table.sessions:
            await table.skip_run_out()
        await self.room.wait_until_idle()


def standings(nights: Sequence[Counter[str]]) -> list[str]:
    """The lines of a series by points for ranks, counted from what everybody won in each night."""
    points, played, won = Counter[str](), Counter[str](), Counter[str]()
    for net in nights:
        for name, chips in net.items():
            rank = sum(other > chips for other in net.values())
            points[name] += (10, 7, 5, 4, 3, 2, 1)[rank]
            played[name] += 1
            won[name] += rank == 0
    lines = []
    for name, total in points.items():
        rank = 1 + sum(other > total for other in points.values())
        many = f"{played[name]} night{'s' if played[name] > 1 else ''}"
        lines.append(f"`{rank}` @{name} **{total}** · {many}{f' · {won[name]} won' if won[name] else ''}")
    return sorted(lines)

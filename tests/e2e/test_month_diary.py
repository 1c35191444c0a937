"""A month in the life of a server, told as a diary: twelve people in three time zones, four nights of a weekly series, two sit-and-gos, a
duel, a table that waits for days, and clocks that are put forward.

``SCREENSHOTS=folder pytest tests/e2e/test_month_diary.py`` puts pictures into a folder of what people see, on phones and screens.
"""

from __future__ import annotations

import contextlib
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from bot.pictures.maker import PictureMaker
from tests.e2e.bot_session import BotSession, bot_session
from tests.e2e.server_diary import HOMES, SHOTS, ServerDiary, standings
from tests.e2e.test_preselection import _SECRET, texts_shown_to
from tests.e2e.test_rooms import follow, threads
from tests.support.browser import chromium

pytestmark = [pytest.mark.real_time] if SHOTS else []
"""A browser and the drawing process take their own time."""
MINUTE, DAY = 60, 86_400
WALLET = 10_000
"""What everybody begins with."""
SLOW_PEOPLE = "Dee", "Gus", "Lou"
SHARE = re.compile(r"(\w+) ([\d,]+)")
"""Somebody's part of the prizes in an offer."""


async def test_month_of_twelve_people_as_a_diary(tmp_path: Path) -> None:
    how: dict[str, Any] = {"pictures": PictureMaker()} if SHOTS else {}
    async with (
        bot_session(tmp_path, **how) as room,
        chromium() if SHOTS else contextlib.nullcontext() as browser,
    ):
        room.discord.controls.add_channel("games")
        month = ServerDiary(room, await room.people(*HOMES), browser)
        hall, series = month["Ann"].here, FridayGame(month)

        # Thursday, the first of March. Ann plans the month: the first of her two commands.
        await month.until("Thu 1", "10:00")
        answer = await month["Ann"].slash("night", when="Friday 20:00", zone="Berlin", hands=3, name="Friday game")
        assert "**Friday game** is planned for Friday 2 March 20:00." in month.read("Ann", answer)
        await month.sees("Bo", "Friday 2 March 20:00 (in 1 day) · every week\nHosted by @Ann", "Ends after 3 hands")
        await month.sees("Eve", "Friday 2 March 14:00 (in 1 day)")
        await month.sees("Kim", "Saturday 3 March 03:00 (in 1 day)", "The table opens by itself at 02:55")
        await series.answer("I'm in", "Bo", "Cy", "Eve", "Ida")
        await series.answer("Maybe", "Flo")
        await series.answer("Can't", "Kim")
        await month.sees("Ann", "**Seats 5 of 10**\nAnn, Bo, Cy, Eve, Ida\n-# Maybe: Flo\n-# Can't: Kim")

        await month.look("Kim", "post")

        # Dee, Gus and Lou live too far apart to meet: Dee opens a table at which a turn can take three days.
        slow = await open_slow_table(month, *SLOW_PEOPLE)
        first, small, big = slow_order(slow, month)
        await month.sees(first, f"@{first} (dealer) **2,000** · 20 to call · ends in 3 days")

        # The small blind writes ahead how far they go. Nobody else hears of it; it is done a while after the raise.
        await month[small].click("👁")
        await month[small].click("Call up to…", within="My hand #")
        noted = await month[small].submit({"The most chips you put in": "60"})
        assert "**Noted: call up to 60, else fold.**" in noted
        since = {name: len(month[name].frames) for name in (first, big)}
        assert await month.acts(slow, "Raise…", 60) == first
        await month.passes(5 * MINUTE)
        await month.sees(big, f"{small} **1,940** · call 60", f"@{big} **1,980** · 40 to call · ends in 3 days")
        for name, frames in since.items():
            assert not _SECRET.search(texts_shown_to(month[name], frames)), f"{name} hears of it"

        await month.look(big, "slow")

        # In the evening everybody who may come tomorrow is reminded, once.
        await month.until("Thu 1", "20:00")
        await month.sees("Eve", "@Ida, @Flo · **Friday game** is on Friday 2 March 14:00 (in 1 day).")

        # Friday the 2nd, the first night. The table opens by itself five minutes before, and a seat is kept for each of
        # them. Ida sleeps: it is three in the morning in Manila.
        await month.until("Fri 2", "19:00")
        await month.sees("Bo", "@Ida, @Flo · **Friday game** begins at 20:00 (in 1 hour).")
        night = await series.opens("Fri 2", table=2)
        await month.sees("Bo", "0 of 10 seats taken", "(5 of them held)", "Waiting for 3 players")
        assert "@Ann holds a seat for you at Table 2." in month.dm("Bo")
        await month.look("Bo", "night-open")
        await series.sit("Ann", "Bo", "Cy", "Eve")
        for _ in range(2):
            await month.hand(night, loser="Cy", winner="Bo", chips=1_000)
        await month.hand(night, loser="Eve", winner="Ann", chips=600)
        await series.is_over(table=2, winner="Bo", last="Cy")
        await month.sees("Eve", "Friday 9 March 14:00 (in 7 days)")
        await month.look("Eve", "night-over")
        assert await wallets(month) == dict.fromkeys(SLOW_PEOPLE, WALLET), "a night's chips are no server chips"

        # Sunday. At the slow table the flop comes. Two write ahead that they check it down, so the third sees turn and
        # river on the same morning.
        await month.until("Sun 4", "09:00")
        assert await month.acts(slow, "Call") == big
        await month.sees(first, "### Flop · Pot 180")
        for name in (big, first):
            await month[name].click("👁")
            noted = await month[name].click("Check it down", within="My hand #")
            assert "**Noted: check it down.**" in noted
        for street in ("Turn", "River"):
            assert await month.acts(slow, "Check") == small
            for _ in (big, first):
                await month.passes(10 * MINUTE)
            await month.sees(small, f"### {street} · Pot 180")

        # Lou goes on vacation for a week, which begins after the hand.
        await month["Lou"].slash("me", page="vacation")
        answer = await month["Lou"].submit({"Vacation": "7 days"})
        assert "Vacation · **ends in 7 days**" in month.read("Lou", answer)
        assert await month.acts(slow, "Check") == small
        for _ in (big, first):
            await month.passes(10 * MINUTE)
        await month.sees(small, "Hand #1 · Showdown")
        assert sum(stacks(slow, month).values()) == 3 * 2_000

        # In the evening Hal has a free sit-and-go in the other channel. It costs nothing and has a winner.
        await month.until("Sun 4", "21:00")
        fun = await opened_sit_and_go(month, "Hal", "sng_free", seats=4)
        await month.sees("Flo", "Free · stack **1,500** · turbo", "**Players 0 of 4**\nNobody yet")
        for name in ("Hal", "Flo", "Ida"):
            await month[name].click("Register")
        await month.sees("Ida", "**Players 3 of 4**\nHal, Flo, Ida", "It starts when all seats are taken.")
        await month.look("Ida", "sit-and-go-open")
        await month["Hal"].click("Start now")
        while len(stacks(fun, month)) > 2:
            await month.all_in(fun, "Hal", "Flo")
        (out,) = {"Hal", "Flo"} - stacks(fun, month).keys()
        await month.sees(
            out, f"**{out}** goes out in 3rd place.", "Level 1 · 10/20 · next level in 4 minutes", "2 of 3 left"
        )
        await month.look(out, "sit-and-go-out")
        while fun.sessions:
            await month.all_in(fun, *stacks(fun, month))
        await month.sees("Ida", "### The sit-and-go at table 3 is over", f"🥉 {out} · 3rd")

        await month.look("Ida", "sit-and-go-over")

        # Tuesday. Without Lou the other two play on; whose turn it is reads of it at half of the three days.
        await month.until("Tue 6", "12:00")
        asleep = month.to_act(slow)
        assert asleep != "Lou" and "It's still your turn in" in month.dm(asleep)
        assert "It ends in 1 day; then the dealer folds your hand." in month.dm(asleep)
        assert await month.acts(slow, "Fold") == asleep
        assert "It's still your turn" not in month.dm(asleep)

        # Friday the 9th, the second night. It has its break after an hour and a half.
        month.turn_to(hall)
        await series.answer("I'm in", "Bo", "Dee", "Flo", "Gus")
        await month.until("Thu 8", "20:00")
        await month.until("Fri 9", "19:00")
        night = await series.opens("Fri 9", table=4)
        await series.sit("Ann", "Bo", "Dee", "Flo", "Gus")
        await month.hand(night, loser="Bo", winner="Dee", chips=900)
        await month.passes(91 * MINUTE)
        await month.hand(night, loser="Ann", winner="Dee", chips=1_300)
        await month.sees("Gus", "The table takes a break. It ends in 10 minutes")
        await month.look("Gus", "night-break")
        await month.passes(10 * MINUTE)
        await month.hand(night, loser="Gus", winner="Flo", chips=300)
        await series.is_over(table=4, winner="Dee", last="Ann")

        # New York puts its clocks forward on Sunday, so the next night is an hour later there.
        await month.sees("Hal", "Friday 16 March 15:00 (in 7 days)")
        await month.sees("Ida", "Saturday 17 March 03:00 (in 7 days)")
        await series.answer("I'm in", "Hal")

        # Wednesday. Ann is away on the 16th: the second of her commands. Hal, who wanted to come, is told.
        await month.until("Wed 14", "12:00")
        await month["Ann"].slash("night")
        await month["Ann"].select("Choose a series", "Friday game")
        await month["Ann"].click("Skip this night")
        await month.sees("Hal", "@Ann, @Hal · **Friday game** of Friday 16 March 15:00 doesn't take place.")
        await month.sees("Hal", "Friday 23 March 15:00 (in 9 days)")
        await month.passes(1)
        (event,) = room.discord.controls.scheduled_events()
        assert event["scheduled_start_time"] == "2040-03-23T19:00:00+00:00", "Discord's own list has the next night"

        # Saturday. Jo has a sit-and-go for 400 chips each, with rebuys until the third level. Whoever is the first to lose
        # all buys in again, the next ones do not, and the last two divide the prizes by their chances.
        await month.until("Sat 17", "21:00")
        match = await opened_sit_and_go(month, "Jo", "sng", seats=4)
        await month["Jo"].select("Late entry and rebuys…", "late entry and rebuys until level 3 begins")
        await month.sees("Bo", "late entry and rebuys until level 3")
        for name in ("Jo", "Bo", "Eve", "Hal"):
            await month[name].click("Register · 400")
        rebought = ""
        while len(left := stacks(match, month)) > 2:
            await month.all_in(match, *tuple(left)[:2])
            for name in [name for name, chips in stacks(match, month).items() if not chips]:
                await month.sees(name, f"**{name}: do you rebuy?** Your time to answer ends in")
                await month[name].click("No rebuy" if rebought else "Rebuy · 400")
                await month.room.wait_until_idle()
                rebought = rebought or name
        offers, agrees = left
        await month[offers].click("Menu…")
        await month[offers].select("Offer to divide the prizes…", "by the chances of each stack (ICM)")
        shown = await month.sees(
            agrees, f"**{offers} offers to divide the prizes by the chances of each stack (ICM):**"
        )
        told = shown.partition("(ICM):**")[2].partition("\n")[0]
        shares = {name: int(chips.replace(",", "")) for name, chips in SHARE.findall(told)}
        assert shares.keys() == left.keys() and sum(shares.values()) == 5 * 400
        await month[agrees].click("Agree")
        leads, trails = sorted(left, key=lambda name: -left[name])
        places = f"🥇 {leads} · 1st · **{shares[leads]:,}**\n🥈 {trails} · 2nd · **{shares[trails]:,}**\n🥉 "
        await month.sees("Hal", "### The sit-and-go at table 5 is over", places)

        await month.look("Hal", "sit-and-go-prizes")

        # Tuesday. Flo challenges Cy to a duel for 500 chips each.
        await month.until("Tue 20", "20:00")
        duel = room.at(month["Flo"].here)
        await month["Flo"].slash("duel", player=month["Cy"], chips="500", blinds="hyper")
        await month.sees(
            "Cy", "**Flo** challenges @Cy.\n**500** chips each from your wallets; the winner gets **1,000**."
        )
        await month.look("Cy", "duel")
        await month["Cy"].click("Accept · 500")
        while duel.sessions:
            await month.all_in(duel, "Flo", "Cy")
        shown = await month.sees("Cy", "wins the duel against")
        winner, loser = ("Flo", "Cy") if "### Flo wins the duel against Cy" in shown else ("Cy", "Flo")
        await month.sees(
            "Flo", f"### {winner} wins the duel against {loser}", f"🥇 {winner} · 1st · **1,000**\n🥈 {loser} · 2nd"
        )

        await month.look("Cy", "duel-over")

        # Friday the 23rd, the third night: three get up early in Manila. Cy is “Interested” in Discord's own event.
        month.turn_to(hall)
        room.discord.controls.set_interested(event["id"], month["Cy"].me["id"])
        await series.answer("I'm in", "Ida", "Jo", "Kim")
        await month.sees("Jo", "Ann, Ida, Jo, Kim\n-# Maybe: Cy")
        await month.until("Thu 22", "20:00")
        await month.until("Fri 23", "19:00")
        night = await series.opens("Fri 23", table=7)
        await series.sit("Ann", "Ida", "Jo", "Kim")
        for _ in range(3):
            await month.hand(night, loser="Ida", winner="Kim", chips=500)
        await series.is_over(table=7, winner="Kim", last="Ida")

        # Berlin puts its clocks forward on Sunday: there it stays eight in the evening.
        await month.sees("Ann", "Friday 30 March 20:00 (in 7 days)")
        await month.sees("Flo", "Friday 30 March 14:00 (in 7 days)")
        await month.sees("Ida", "Saturday 31 March 02:00 (in 7 days)")

        # Friday the 30th, the last night.
        await series.answer("I'm in", "Bo", "Cy", "Flo")
        await month.until("Thu 29", "20:00")
        await month.until("Fri 30", "19:00")
        await month.sees("Flo", "@Ann, @Bo, @Cy, @Flo · **Friday game** begins at 14:00 (in 1 hour).")
        night = await series.opens("Fri 30", table=8)
        await series.sit("Ann", "Bo", "Cy", "Flo")
        for _ in range(3):
            await month.hand(night, loser="Bo", winner="Cy", chips=700)
        await series.is_over(table=8, winner="Cy", last="Bo")

        await month.look("Bo", "standings")

        # Saturday the 31st. At the slow table nobody has acted for two weeks, and nobody has lost their seat for it.
        await month.until("Sat 31", "12:00")
        assert stacks(slow, month).keys() == set(SLOW_PEOPLE)
        while slow.hand_running:
            await month.acts(slow, "Fold")
        ended = stacks(slow, month)
        month.turn_to(str(slow.session.address.channel), *SLOW_PEOPLE)
        await month["Dee"].close_table()
        await month.sees("Lou", "### Table 1 is closed · 30 days · 5 hands")

        # What the month has cost its host, and what it has cost everybody in chips.
        assert month.commands("Ann") == ["/night", "/night"], "four nights in at most three commands"
        assert set(series.presses.values()) == {2}, "two presses from a post to a seat"
        expected = Counter(dict.fromkeys(("Dee", "Gus", "Lou", "Hal", "Jo", "Bo", "Eve", "Flo", "Cy"), WALLET))
        expected.update({name: chips - 2_000 for name, chips in ended.items()})
        expected.subtract(dict.fromkeys(("Jo", "Bo", "Eve", "Hal"), 400) | {rebought: 800})
        expected.update(shares | {winner: 500, loser: -500})
        assert await wallets(month) == expected and expected.total() == 9 * WALLET
        assert await room.dealer.store.ledger_sum() == 0


class FridayGame:
    """The series of nights as it goes.

    Attributes:
        nights: what everybody has won in each.
        presses: how many presses it took somebody from the post of a night to their seat, by the number of the table.
    """

    def __init__(self, month: ServerDiary) -> None:
        self.month, self.nights = month, list[Counter[str]]()
        self.presses: Counter[tuple[int, str]] = Counter()
        self._table = 0
        self._answers: Counter[str] = Counter()

    async def answer(self, label: str, *names: str) -> None:
        """Each of them presses a button of the post."""
        for name in names:
            self._answers[name] += await self._press(name, label)

    async def opens(self, day: str, table: int) -> BotSession:
        """The table of a night, as soon as it has opened by itself."""
        await self.month.until(day, "19:55")
        night = self.month.room.at(self.month["Ann"].here)
        assert night.now.address.number == table
        await self.month.sees("Ann", "The table of **Friday game** is open", "Seats are held until 20:15.")
        self._table = table
        return night

    async def sit(self, *names: str) -> None:
        """Each of them takes the seat that is kept for them."""
        for name in names:
            self.presses[self._table, name] = self._answers.pop(name, 1) + await self._press(name, "Take a seat")
        self._answers.clear()

    async def _press(self, name: str, label: str) -> int:
        before = len(self.month.done[name])
        await self.month[name].click(label)
        return len(self.month.done[name]) - before

    async def is_over(self, *, table: int, winner: str, last: str) -> None:
        """The sheet has everybody's result, the next date stands below it, and the standings follow from all nights."""
        month = self.month
        won, month.net = month.net, Counter()
        assert won[winner] == max(won.values()) and won[last] == min(won.values()) and won.total() == 0
        shown = await month.sees(winner, "### Friday game is over", "[I'm in] [Maybe] [Can't]")
        for name, chips in won.items():
            assert f" {name} **{chips:+,}**".replace("-", "−") in shown
            await month.sees(name, f"You {'won' if chips > 0 else 'lost'} **{abs(chips):,}** in **3** hands")
        assert f"🏆 {winner} **" in shown and f"`{len(won)}` {last} **" in shown
        sheet, post = shown.index("### Friday game is over"), shown.rindex("### Friday game")
        assert sheet < post, "the next date comes below the sheet"
        self.nights.append(won)
        listed = await month[last].click("Standings")
        assert sorted(line for line in listed.splitlines() if line.startswith("`")) == standings(self.nights)
        assert f"### Friday game · {len(self.nights)} night" in listed


def slow_order(slow: BotSession, month: ServerDiary) -> tuple[str, str, str]:
    """Of three players: the dealer, who is first to act, the small blind and the big blind."""
    names = [player.name for player in month.seated(slow)]
    at = names.index(month.to_act(slow))
    return names[at], names[(at + 1) % 3], names[(at + 2) % 3]


async def open_slow_table(month: ServerDiary, host: str, *others: str) -> BotSession:
    """Open a table in a thread of its own, at which a turn can take three days. Everybody sits down, and a hand is dealt."""
    month[host].go("games")
    assert "Your table is open: <#" in await month[host].slash("play", seconds=3 * DAY, big_blind="20")
    thread = threads(month.room)[-1]["id"]
    await follow(thread, *month.some(host, *others))
    for name in others:
        assert "with **2,000** chips" in await month[name].slash("sit")
    table = month.room.at(thread)
    await table.deal()
    await month.room.wait_until_idle()
    return table


async def opened_sit_and_go(month: ServerDiary, host: str, kind: str, *, seats: int) -> BotSession:
    """Open a sit-and-go in the channel beside that of the nights, by the form."""
    player = month[host].go("games")
    await player.slash("play", where="here")
    await player.submit({"Who can sit": kind, "Seats": str(seats), "Stakes": "20"})
    await month.sees(host, "Your sit-and-go is open.")
    month.turn_to(player.here)
    return month.room.at(player.here)


def stacks(table: BotSession, month: ServerDiary) -> dict[str, int]:
    """What everybody at a table has before them between two hands, by name, in the order of the seats; nothing once it is closed."""
    names = {int(player.me["id"]): name for name, player in month.people.items()}
    seats = table.now.table.seats if table.sessions else ()
    return {names[seat.player]: seat.stack for seat in seats}


async def wallets(month: ServerDiary) -> dict[str, int]:
    """The server chips of everybody who has some, in wallets and at tables."""
    store, people = month.room.dealer.store, month.people.items()
    held = {name: (await store.holdings(month.guild, int(player.me["id"]))).total for name, player in people}
    return {name: chips for name, chips in held.items() if chips}

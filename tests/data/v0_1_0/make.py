"""Made this folder, at version 0.1.0, from the root of the repository at the commit that changed this file last:

    python -m tests.data.v0_1_0.make

It does not run with later versions. Source: README.md beside it.
"""

import asyncio
import hashlib
import json
import random
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Iterable
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from bot.app import DATA, SECRET, SYNCED
from bot.engine import cards
from bot.engine import commands as c
from bot.engine.errors import LawError
from bot.engine.legal import Decision
from bot.engine.mixes import Change
from bot.ledger.house import HouseRules
from bot.players.practice import PracticePlayers
from bot.runtime.asked import Asked
from bot.runtime.bank import Bank
from bot.runtime.house_games import HouseGames
from bot.runtime.house_table import Wishes
from bot.runtime.mixed_table import Turning
from bot.runtime.now import TableNow
from bot.runtime.tables import Tables
from bot.table.preselected import Choice
from bot.table.settings import Nudge, Pictures, TableSettings
from bot.table.state import ChipShift, Entry
from bot.variants.tailoring import LAW
from cogs.ui import own_tables
from cogs.ui.preferences import Preferences
from cogs.ui.surface import Kept
from tests.store.left_behind import Facts, LeftBehind, awaited, command, line, own_seat, played, table_facts

HERE = Path(__file__).parent
GUILD, STAFF = 810_000_000_000_000_000, 820_000_000_000_000_099
NAMES = ("Ann", "Bo", "Cy", "Dee", "Eve", "Flo", "Gus", "Hal", "Ida", "Joe")
USERS = {name: 820_000_000_000_000_000 + number for number, name in enumerate(NAMES, 1)}
BEGINS, AWAY_MS = 1_795_000_000_000, 90_000
MINDS = PracticePlayers()


def settings(
    words: str, *, bomb: str = "off", turning: Turning | None = None, big: int = 100, seats: int = 0, **laws: str
) -> TableSettings:
    """What `/table open` makes of these words, with some laws changed as `/table settings` changes them."""
    found = own_tables.new_table(
        words, HouseRules(), Wishes(big_blind=big, seats=seats, turn_seconds=1_800), turning, bomb
    )
    for law, value in laws.items():
        found = own_tables.changed(found, LAW + law, value)
    return found


def chosen(now: TableNow, number: int, luck: random.Random, *, quiet: bool = False) -> Facts:
    """What the player of a seat does next: mostly he stays in, so that many cards are dealt; `quiet`: always."""
    user = now.people[number].user
    view = now.seen_by(user)
    assert view is not None and view.legal is not None
    may = view.legal
    move: Facts = {"seat": number}
    if may.decision is Decision.BET:
        at = 0.5 if quiet else luck.random()
        if at > 0.85 and may.max_to:
            move |= {
                "does": "bets" if may.opening else "raises",
                "to": luck.choice((may.min_to, min(2 * may.min_to, may.max_to))),
            }
        elif may.check:
            move |= {"does": "checks"}
        elif may.call:
            move |= {"does": "folds" if at < 0.12 and may.fold else "calls"}
        elif may.bring_in or may.min_to:
            move |= {"does": "bets" if may.opening else "raises", "to": may.bring_in or may.min_to}
        else:
            move |= {"does": "folds"}
        return move
    match MINDS.policy(-101).choose(view, luck):
        case c.Show(word=word):
            move |= {"does": "shows"} | ({"word": word} if word else {})
        case c.Muck():
            move |= {"does": "mucks"}
        case c.Straddle():
            move |= {"does": "straddles"}
        case c.Accept():
            move |= {"does": "accepts"}
        case c.Decline():
            move |= {"does": "declines"}
        case c.Declare(word=word):
            move |= {"does": "declares", "word": word}
        case c.Discard(places=wanted):
            held = {seen.place: seen.card for seen in own_seat(view).cards}
            move |= {"does": "gives up", "cards": " ".join(cards.text(held[place]) for place in wanted)}
        case other:
            raise AssertionError(other)
    return move


class Dice(random.Random):
    """Lots; a pack is left as it is where the evening wants to know who cuts what."""

    shuffles = True

    def shuffle(self, x: Any) -> None:
        if self.shuffles:
            super().shuffle(x)


class Evening(LeftBehind):
    """The evening that is kept: tables are opened one after another, each in a channel of its own."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, BEGINS)
        self.dice = Dice(3)
        self.tables = Tables(
            self.store, (folder / SECRET).read_bytes(), sink=lambda _change: None, clock=self.clock, policies=MINDS,
            dice=self.dice, nonce=lambda: self.luck.randbytes(16),
        )  # fmt: skip
        self.bank = Bank(self.store, self.tables, self.clock)
        self.luck = random.Random(4)
        self.channel = 830_000_000_000_000_000
        self.table = 0
        self._keys = 0

    def by(self, name: str, *, staff: bool = False) -> Asked:
        self._keys += 1
        user = STAFF if staff else USERS[name]
        return Asked(key=f"84{self._keys:016}", guild=GUILD, channel=self.channel, user=user, name=name, staff=staff)

    @property
    def now(self) -> TableNow:
        return self.tables.now(self.table)

    async def opens(self, chosen_settings: TableSettings, **people: int) -> None:
        """Ann opens a table in the next channel, and these sit down, from seat 1 on, with so many chips."""
        self.channel += 1
        opened = await self.tables.open(self.by("Ann"), chosen_settings)
        self.table = opened.now.id
        for number, (name, chips) in enumerate(people.items(), 1):
            await self.sits(name, chips, number)

    async def sits(self, name: str, chips: int, number: int) -> None:
        purse = await self.bank.purse(GUILD, USERS[name])
        if not self.now.settings.practice and purse.wallet < chips:
            await self.bank.grant(self.by(name, staff=True), USERS[name], chips - purse.wallet + 500, "for the evening")
        await self.tables.sit(self.by(name), chips, number)

    async def deal(self) -> None:
        """Time passes until the next hand has been dealt."""
        number = self.now.hand_number
        for _ in range(60):
            if self.now.hand_number > number and self.now.running:
                return
            await self.wait(1)
        raise AssertionError("no hand was dealt")

    async def goes(self, *does: Any) -> None:
        """Whoever is to act does this: a command of the engine."""
        for one in does:
            assert self.now.due is not None
            await self.tables.act(replace(self.by("Ann"), user=self.now.due.user), one)

    async def does(self, name: str, one: Any) -> None:
        await self.tables.act(self.by(name), one)

    async def moves(self, *, quiet: bool = True) -> None:
        """One move of whoever is asked first."""
        view = self.now.hand
        assert view is not None
        move = chosen(self.now, awaited(view)[0], self.luck, quiet=quiet)
        user = self.now.people[move["seat"]].user
        await self.tables.act(replace(self.by("Ann"), user=user), command(self.now, user, move))

    async def bet(self) -> None:
        """Whoever is to act bets the least, or raises by it: where all pass, the hand would be over."""
        view = self.now.hand
        assert view is not None and view.acting is not None
        may = view.acting
        await self.goes(c.Bet(may.min_to) if may.opening else c.RaiseTo(may.min_to))

    async def until(self, so: Callable[[TableNow], bool]) -> None:
        """They play on until the table stands so."""
        for _ in range(200):
            if so(self.now):
                return
            assert self.now.running, "the hand is over"
            await self.moves()
        raise AssertionError("it never stands so")

    async def plays_out(self, hands: int = 1) -> None:
        """So many hands are dealt and played to their ends."""
        for _ in range(hands):
            await self.deal()
            while self.now.running:
                await self.moves(quiet=False)

    async def adds(self, name: str, chips: int) -> None:
        """Somebody announces chips for the next deal, which his wallet holds."""
        await self.bank.grant(self.by("Ida", staff=True), USERS[name], chips, "for a top-up")
        await self.tables.rebuy(self.by(name), chips)

    def dealt_in(self) -> list[str]:
        """The names of those who were dealt in, by their places at the deal."""
        return [name for user in self.now.players for name, known in USERS.items() if user == known]

    def next_to_act(self, after: int = 1) -> str:
        """The name of who comes so many seats after whoever is to act, of those who still play."""
        view = self.now.hand
        assert view is not None
        there = [seat.number for seat in view.seats if seat.state.value == "live"]
        at = there.index(view.seats[view.to_act].number)
        return self.now.people[there[(at + after) % len(there)]].name


def asks(decision: Decision) -> Callable[[TableNow], bool]:
    return lambda now: now.asking is decision


def everybody(chips: int, names: Iterable[str]) -> dict[str, int]:
    return dict.fromkeys(names, chips)


FOUR, FIVE, SIX = NAMES[:4], NAMES[:5], NAMES[:6]


async def no_limit_holdem(e: Evening) -> None:
    """On the flop, with choices before the turn, a waiting list, a proposal; one leaves, one adds chips, one sits out."""
    await e.opens(settings("holdem", seats=6), **everybody(8_000, SIX))
    await e.plays_out(2)
    await e.deal()
    await e.tables.void(e.by("Ida", staff=True), "a card was exposed")
    await e.deal()
    await e.goes(c.RaiseTo(300))
    await e.until(lambda now: bool(now.hand and now.hand.boards[0]))
    await e.goes(c.Check())
    for after, choice in ((1, Choice.CHECK_OR_DROP), (2, Choice.CALL), (3, Choice.DROP)):
        if after == 2:
            await e.goes(c.Bet(400))
        await e.tables.preselect(e.by(e.next_to_act(after)), choice)
    await e.tables.wait(e.by("Gus"))
    await e.tables.wait(e.by("Hal"))
    await e.tables.leave(e.by("Flo"))
    await e.tables.sit_out(e.by("Eve"))
    await e.adds("Dee", 1_500)
    await e.tables.change_settings(e.by("Ann"), own_tables.changed(e.now.settings, "big_blind", 200))
    await e.tables.consent(e.by("Bo"))


async def limit_holdem(e: Evening) -> None:
    """Before the flop, with an action out of turn that waits for its turn."""
    await e.opens(settings("limit holdem", out_of_turn="hold"), **everybody(5_000, FOUR))
    await e.plays_out(1)
    await e.deal()
    await e.goes(c.Call())
    await e.does(e.next_to_act(1), c.Call())


async def pot_limit_omaha8(e: Evening) -> None:
    """On the turn, one all-in, with a check out of turn that binds if nothing changes."""
    await e.opens(settings("omaha8", out_of_turn="tda53"), Ann=9_000, Bo=2_000, Cy=9_000, Dee=7_000, Eve=9_000)
    await e.deal()
    while not (e.now.hand and len(e.now.hand.boards[0]) == 4):
        number = e.now.due.seat if e.now.due else 0
        short = e.now.people[number].name == "Bo"
        may = e.now.hand.acting if e.now.hand else None
        await e.goes(c.AllIn() if short and may and may.max_to else c.Call() if may and may.call else c.Check())
    await e.does(e.next_to_act(2), c.Check())


async def old_english_straddles(e: Evening) -> None:
    """The straddles are being offered."""
    await e.opens(settings("old english"), **everybody(6_000, FIVE))
    await e.plays_out(1)
    await e.deal()
    await e.goes(c.Straddle())


async def old_english_draws(e: Evening) -> None:
    """Cards are drawn while stakes are made equal."""
    await e.opens(settings("old english"), **everybody(6_000, FOUR))
    await e.deal()
    await e.until(asks(Decision.DRAW))
    await e.moves()


async def basic_draw(e: Evening) -> None:
    """One has drawn."""
    await e.opens(settings("basic draw"), **everybody(6_000, FOUR))
    await e.deal()
    await e.until(asks(Decision.DRAW))
    await e.moves()


async def stud(e: Evening) -> None:
    """The low card must bring it in."""
    await e.opens(settings("stud"), **everybody(4_000, SIX))
    await e.plays_out(1)
    await e.deal()


async def razz(e: Evening) -> None:
    """On fifth street."""
    await e.opens(settings("razz"), **everybody(4_000, FIVE))
    await e.deal()
    await e.until(lambda now: bool(now.hand) and any(len(seat.cards) == 5 for seat in now.hand.seats))
    await e.moves()


async def triple_draw(e: Evening) -> None:
    """Between the first draw and the second."""
    await e.opens(settings("triple draw 27"), **everybody(4_000, FOUR))
    await e.deal()
    await e.until(asks(Decision.DRAW))
    await e.until(asks(Decision.BET))
    await e.moves()


async def badugi(e: Evening) -> None:
    """At the second draw."""
    await e.opens(settings("badugi"), **everybody(4_000, FOUR))
    await e.deal()
    for _ in range(2):
        await e.until(asks(Decision.BET))
        await e.until(asks(Decision.DRAW))
    await e.moves()


async def anaconda(e: Evening) -> None:
    """Two of five have chosen the cards they pass on, in secret."""
    await e.opens(settings("anaconda"), **everybody(4_000, FIVE))
    await e.deal()
    await e.bet()
    await e.until(asks(Decision.PASS))
    await e.moves()
    await e.moves()


async def anaconda_hilo(e: Evening) -> None:
    """One has declared high or low, in secret."""
    await e.opens(settings("anaconda_hilo"), **everybody(4_000, FOUR))
    await e.deal()
    await e.bet()
    await e.until(asks(Decision.DECLARE))
    await e.moves()


async def guts(e: Evening) -> None:
    """One has declared; the pot holds what losers matched."""
    await e.opens(settings("guts"), **everybody(4_000, FOUR))
    await e.deal()
    await e.goes(*[c.Declare("in")] * 4)
    await e.deal()
    await e.moves()


async def baseball(e: Evening) -> None:
    """A price was paid for a card, and in a later hand one is asked."""
    await e.opens(settings("baseball"), **everybody(5_000, FIVE))
    for answer in (c.Accept(), None):
        while e.now.asking is not Decision.OFFER:
            await (e.moves() if e.now.running else e.deal())
        if answer is not None:
            await e.goes(answer)
            while e.now.running:
                await e.moves()


async def follow_the_queen(e: Evening) -> None:
    """On sixth street."""
    await e.opens(settings("follow the queen"), **everybody(5_000, SIX))
    await e.deal()
    await e.until(lambda now: bool(now.hand) and any(len(seat.cards) == 6 for seat in now.hand.seats))


async def bomb_pot(e: Evening) -> None:
    """A bomb pot on two boards, voted for, on the flop."""
    await e.opens(settings("omaha", bomb="vote.2"), **everybody(6_000, FIVE))
    await e.deal()
    for name in FIVE:
        await e.tables.vote_bomb(e.by(name))
    while e.now.running:
        await e.moves()
    await e.deal()
    await e.moves()
    await e.tables.vote_bomb(e.by("Bo"))


async def run_it_twice(e: Evening) -> None:
    """All-in before the flop; one has said yes, the other is asked."""
    await e.opens(settings("pot limit holdem + deuces wild"), Ann=3_000, Bo=4_000, Cy=5_000)
    await e.deal()
    while e.now.asking is Decision.BET:
        may = e.now.hand.acting if e.now.hand else None
        assert may is not None
        await e.goes(c.RaiseTo(may.max_to) if may.max_to else c.Call())
    assert e.now.asking is Decision.RUN_TWICE
    view = e.now.hand
    assert view is not None
    await e.does(e.now.people[awaited(view)[0]].name, c.Accept())


async def horse(e: Evening) -> None:
    """A mixed table in its third game; the button stands still while razz is played."""
    await e.opens(settings("horse", turning=Turning(Change.DEALS, 1)), **everybody(5_000, FIVE))
    await e.plays_out(2)
    await e.deal()
    await e.moves()
    await e.moves()


async def jackpots(e: Evening) -> None:
    """Somebody opened and showed it; then nobody could, the pot has waited, and better openers are asked for now."""
    await e.opens(settings("jackpots"), **everybody(5_000, SIX))
    opened = False
    while not opened:
        await e.deal()
        while e.now.running:
            view = e.now.hand
            assert view is not None and view.acting is not None
            if view.opened >= 0:
                opened = True
                await e.goes(c.Fold() if view.acting.fold and view.acting.call else c.Check())
                continue
            try:
                await e.goes(c.Bet(view.acting.min_to))
            except LawError:
                await e.goes(c.Check())
    for _ in range(3):
        await e.deal()
        while e.now.running:
            may = e.now.hand.acting if e.now.hand else None
            await e.goes(c.Check() if may and may.check else c.Fold())
    await e.deal()
    await e.goes(c.Check())


async def mexican_stud(e: Evening) -> None:
    """One has said whether he turns a card up."""
    await e.opens(settings("mexican stud"), **everybody(5_000, FOUR))
    await e.deal()
    await e.until(asks(Decision.OFFER))
    await e.goes(c.Accept(), c.Decline(), c.Decline(), c.Accept())
    await e.until(asks(Decision.OFFER))
    await e.goes(c.Accept())


async def crazy_pineapple(e: Evening) -> None:
    """A card is given up after the flop, which three of five have done; a live straddle, a joker, and notes of the house."""
    own = settings("crazy pineapple + joker bug", straddle="live", rabbit="on", odd_chip="high_suit")
    own = replace(
        own, notes=("No phones at the table.", "Seven-deuce earns a round."), nudge=Nudge.NEVER, pictures=Pictures.STREET,
        idle_minutes=15, absent_minutes=30, absent_orbits=4, rebuy_minutes=6, offer_seconds=90, bank_refill_seconds=15,
    )  # fmt: skip
    await e.opens(own, **everybody(6_000, FIVE))
    await e.plays_out(1)
    for name in FIVE:
        try:
            await e.tables.straddle(e.by(name))
        except LawError:
            continue
    await e.deal()
    await e.until(asks(Decision.DROP))
    await e.moves()
    await e.moves()
    await e.moves()


async def five_card_draw(e: Evening) -> None:
    """At the show: the first has shown, the next is asked; wild cards have no meaning but what their holders say."""
    own = settings("no limit five card draw + deuces wild", wild_call="declare")
    await e.opens(replace(own, ask_show=True), **everybody(5_000, FOUR))
    await e.deal()
    await e.until(asks(Decision.SHOW))
    await e.moves()


async def wrongly_dealt(e: Evening) -> None:
    """Stacks were adjusted by consent, a deal did not count and is played again, and one says that this one was wrong too."""
    await e.opens(settings("big o"), **everybody(5_000, FOUR))
    await e.plays_out(1)
    there = [one for one in e.now.table.seats if one.stack > 1_000]
    shifts = (ChipShift(there[0].player, -200), ChipShift(there[1].player, 200))
    await e.tables.adjust(e.by("Ann"), shifts)
    for name in FOUR[1:]:
        await e.tables.consent(e.by(name))
    await e.deal()
    for name in e.dealt_in():
        await e.tables.claim_misdeal(e.by(name))
    assert not e.now.running
    await e.deal()
    await e.tables.claim_misdeal(e.by(e.dealt_in()[0]))


async def owed_blinds(e: Evening) -> None:
    """One owes blinds and waits for the big one, and so does a newcomer; the table has moved to another channel."""
    await e.opens(settings("holdem + 36", seats=6, newcomer_posts="on"), **everybody(9_000, FIVE))
    await e.deal()
    await e.tables.sit_out(e.by("Bo"))
    while e.now.running:
        await e.moves()
    while not any(one.dead and one.live for one in e.now.table.seats):
        await e.plays_out()
    await e.sits("Gus", 5_000, 6)
    await e.tables.back(e.by("Bo"), Entry.WAIT)
    await e.deal()
    await e.moves()
    await e.tables.time(e.by(e.next_to_act(0)))
    e.channel += 1
    await e.tables.moved(e.table, e.channel)


async def clocks(e: Evening) -> None:
    """One spent some of the time bank, one let the time run out; then all agreed on longer clocks."""
    own = settings("holdem", seats=5)
    quick = replace(own, stakes=replace(own.stakes, turn_seconds=30), bank_refill_hands=1)
    await e.opens(quick, **everybody(6_000, FOUR))
    await e.deal()
    await e.wait(40)
    await e.goes(c.Call())
    await e.wait(95)
    while e.now.running:
        await e.moves()
    await e.plays_out(2)
    await e.tables.change_settings(e.by("Ann"), replace(quick, stakes=own.stakes))
    for name in FOUR[1:]:
        await e.tables.consent(e.by(name))
    await e.deal()
    await e.moves()


async def comings_and_goings(e: Evening) -> None:
    """People wait for seats, exchange them, stay after all, and object."""
    await e.opens(settings("holdem", seats=3), **everybody(6_000, NAMES[:3]))
    await e.tables.wait(e.by("Gus"))
    await e.tables.wait(e.by("Hal"))
    await e.deal()
    await e.tables.leave(e.by("Cy"))
    await e.tables.back(e.by("Cy"))
    await e.tables.leave(e.by("Cy"))
    while e.now.running:
        await e.moves()
    await e.tables.wait_no_longer(e.by("Gus"))
    await e.sits("Hal", 6_000, 3)
    await e.tables.exchange(e.by("Ann"), 2)
    await e.tables.exchange(e.by("Bo"), 1)
    await e.tables.object_to(e.by("Hal"))
    await e.tables.exchange(e.by("Ann"), 2)
    await e.tables.exchange(e.by("Bo"), 1)
    await e.tables.change_settings(e.by("Ann"), own_tables.changed(e.now.settings, "ante", 10))
    await e.tables.object_to(e.by("Hal"))
    await e.plays_out(2)
    await e.deal()
    await e.adds("Hal", 900)
    await e.tables.wait(e.by("Ida"))


async def drawn_seats(e: Evening) -> None:
    """Seats were drawn after a wish; somebody has named who comes in his place; a queued top-up came to nothing."""
    await e.opens(settings("holdem", cut="may"), **everybody(3_000, FOUR))
    await e.tables.draw_for_deal(e.by("Bo"))
    await e.tables.choose_seat(e.by("Ann"), 5)
    await e.tables.draw_seats(e.by("Dee"))
    await e.deal()
    await e.adds("Dee", 400)
    purse = await e.bank.purse(GUILD, USERS["Dee"])
    await e.bank.take(e.by("Ida", staff=True), USERS["Dee"], purse.wallet, "a debt")
    while e.now.running:
        await e.moves()
    cutter = e.now.table.pack.cutter
    await e.tables.decline_cut(e.by(next(one.name for one in e.now.table.seats if one.number == cutter)))
    await e.tables.name_substitute(e.by("Bo"), USERS["Hal"])
    await e.deal()
    await e.moves()


async def two_left(e: Evening) -> None:
    """A deal did not count and could not be played again; another was due and could not be dealt."""
    await e.opens(settings("holdem"), **everybody(3_000, FOUR[:2]))
    await e.deal()
    for name in e.dealt_in():
        await e.tables.claim_misdeal(e.by(name))
    await e.tables.leave(e.by("Bo"))
    await e.sits("Cy", 3_000, 3)
    await e.deal()
    while e.now.running:
        await e.goes(c.Fold())
    await e.tables.sit_out(e.by("Cy"))
    await e.sits("Dee", 3_000, 4)
    await e.deal()


async def held_chips(e: Evening) -> None:
    """Chips put in out of turn were lost, went back, and lie before the board now."""
    await e.opens(settings("holdem", out_of_turn="hold"), **everybody(5_000, FIVE))
    await e.deal()
    await e.does(e.next_to_act(1), c.RaiseTo(400))
    await e.goes(c.Call())
    while e.now.running:
        await e.moves()
    await e.deal()
    await e.does(e.next_to_act(4), c.RaiseTo(300))
    while e.now.running:
        await e.goes(c.Fold())
    await e.deal()
    await e.does(e.next_to_act(2), c.RaiseTo(250))


async def noted_words(e: Evening) -> None:
    """Actions out of turn: one came true, one lapsed at a raise, one waits for its turn."""
    await e.opens(settings("no limit omaha8", out_of_turn="tda53"), **everybody(5_000, FIVE))
    await e.deal()
    await e.does(e.next_to_act(1), c.Call())
    await e.does(e.next_to_act(2), c.Call())
    await e.goes(c.Call(), c.RaiseTo(300))
    while e.now.running:
        await e.moves()
    await e.deal()
    await e.does(e.next_to_act(2), c.Call())


async def reshuffled(e: Evening) -> None:
    """Six draw so many cards that the deck runs out: between the second draw and the third."""
    await e.opens(settings("triple draw a5"), **everybody(5_000, SIX))
    await e.deal()
    draws = 0
    while draws < 14:
        if e.now.asking is Decision.DRAW:
            view = e.now.seen_by(e.now.due.user) if e.now.due else None
            assert view is not None
            await e.goes(c.Discard(tuple(seen.place for seen in own_seat(view).cards)))
            draws += 1
        else:
            await e.moves()


async def bust(e: Evening) -> None:
    """All-in on two boards; who lost has bought in again, and keeps a seat or not."""
    await e.opens(settings("holdem"), Ann=2_000, Bo=2_000, Cy=2_000)
    await e.deal()
    while e.now.running:
        view = e.now.hand
        assert view is not None and view.acting is not None
        if e.now.asking is Decision.RUN_TWICE:
            await e.does(e.now.people[awaited(view)[0]].name, c.Accept())
        elif e.now.asking is Decision.BET:
            await e.goes(c.AllIn() if view.acting.max_to else c.Call())
        else:
            await e.moves()
    for seat in e.now.table.seats:
        if not seat.stack:
            await e.adds(seat.name, 2_000)
    await e.deal()
    await e.moves()


async def cut_again(e: Evening) -> None:
    """The first deal was cut for, and all were tied: one of them has cut again."""
    await e.opens(settings("morehead", first_dealer="low_cut"), **everybody(5_000, FOUR))
    e.dice.shuffles = False
    for name, position in zip(FOUR, (1, 2, 20, 30), strict=True):
        await e.tables.cut_for_deal(e.by(name), position)
    e.dice.shuffles = True
    await e.tables.cut_for_deal(e.by("Bo"), 44)


async def short_deck(e: Evening) -> None:
    """Before the flop, button and all having put in their antes."""
    await e.opens(settings("short deck", seats=6), **everybody(9_000, FIVE))
    await e.deal()
    await e.goes(c.Call())


async def closed(e: Evening) -> None:
    """A table that has been played at and closed."""
    await e.opens(settings("courchevel"), **everybody(5_000, FOUR))
    await e.plays_out(2)
    await e.tables.close(e.by("Ann"))


async def closes_after_the_hand(e: Evening) -> None:
    """A table that closes after the hand."""
    await e.opens(settings("drawmaha"), **everybody(5_000, FOUR))
    await e.deal()
    await e.until(asks(Decision.DRAW))
    await e.tables.close(e.by("Ann"))


async def practice(e: Evening) -> None:
    """Practice players at the river."""
    table = settings("holdem")
    await e.opens(replace(table, practice=True), Ann=5_000)
    await e.tables.seat_practice(e.by("Ann"), 3)
    await e.deal()
    await e.until(lambda now: bool(now.hand) and len(now.hand.boards[0]) == 3)


async def cutting(e: Evening) -> None:
    """Before the second deal: shuffled twice more, and cut at two points; two are about to exchange seats."""
    await e.opens(settings("california lowball", cut="must"), **everybody(5_000, FOUR))
    await e.plays_out(1)
    await e.tables.shuffle(e.by("Ann"))
    await e.tables.shuffle(e.by("Cy"))
    cutter = e.now.table.pack.cutter
    await e.tables.cut_pack(e.by(next(one.name for one in e.now.table.seats if one.number == cutter)), (11, 30))
    await e.tables.exchange(e.by("Ann"), 3)


async def first_deal(e: Evening) -> None:
    """Before the first deal, which is cut for."""
    await e.opens(settings("hilo draw", first_dealer="low_cut"), **everybody(5_000, FOUR))
    await e.tables.cut_for_deal(e.by("Ann"), 12)
    await e.tables.cut_for_deal(e.by("Dee"), 40)


async def dealers_choice(e: Evening) -> None:
    """The dealer is asked which game comes next."""
    await e.opens(settings("dealers_choice", turning=Turning(Change.CHOICE)), **everybody(5_000, FOUR))
    await e.plays_out(1)


TABLES = (
    clocks, no_limit_holdem, limit_holdem, pot_limit_omaha8, old_english_straddles, old_english_draws, basic_draw, stud, razz, triple_draw,
    badugi, anaconda, anaconda_hilo, guts, baseball, follow_the_queen, bomb_pot, run_it_twice, horse, jackpots, mexican_stud,
    crazy_pineapple, five_card_draw, wrongly_dealt, owed_blinds, short_deck, closed, closes_after_the_hand, practice, held_chips,
    noted_words, reshuffled, bust, comings_and_goings, drawn_seats, two_left, dealers_choice, cutting, first_deal, cut_again,
)  # fmt: skip


async def the_house(e: Evening) -> None:
    """What there is beside the tables: claims, house rules, house games, preferences, messages."""
    await e.bank.change_house_rules(e.by("Ida", staff=True), opening_grant=12_000, daily=1_200, turn_seconds=45)
    for name in ("Ann", "Bo", "Ida"):
        await e.bank.daily(e.by(name))
    purse = await e.bank.purse(GUILD, USERS["Joe"])
    await e.bank.take(e.by("Ida", staff=True), USERS["Joe"], purse.wallet, "a debt")
    await e.bank.relief(e.by("Joe"))
    await e.bank.take(e.by("Ida", staff=True), USERS["Ida"], 700, "lost a bet")
    games = HouseGames(e.store, e.clock)
    for name, words, turning in (
        ("Friday", "omaha8 + double board", None),
        ("The old mix", "old english / razz / badugi", Turning(Change.TIME, 20)),
        ("Wild night", "stud + deuces wild + joker bug", None),
    ):
        own = settings(words, turning=turning)
        await games.save(e.by("Ida", staff=True), name, replace(own, notes=("As we have always played it.",)))
    preferences = Preferences(e.store)
    await preferences.choose(USERS["Bo"], by_dm=False)
    await preferences.refused(USERS["Cy"])
    await preferences.choose_deck(USERS["Dee"], two_colour=True)
    await e.store.keep(SYNCED, b"850000000000000001 " + bytes(32))
    for now in e.tables.tables(GUILD):
        kept = Kept(
            now.place.channel, 860_000_000_000_000_000 + now.id, now.hand_number, BEGINS, (870_000_000_000_000_000,)
        )
        await e.store.keep(f"stage.{now.id}", msgspec.msgpack.encode(kept))


async def make(folder: Path) -> int:
    """Make the data folder; returns the hour at which the dealer goes home."""
    (folder / SECRET).write_bytes(hashlib.sha256(b"the cards of version 0.1.0").digest())
    (folder / SECRET).chmod(0o600)
    e = Evening(folder)
    await e.open()
    try:
        for table in TABLES:
            await table(e)
        await the_house(e)
        return e.clock.now()
    finally:
        await e.close()


async def expect(folder: Path, hour: int) -> Facts:
    """What is found when the folder is opened again, and how everything goes on."""
    people = [*USERS.values()]
    luck = random.Random(5)
    e = LeftBehind(folder, hour)
    try:
        there = await e.open()
        numbers = [*range(1, max(now.place.number for now in there) + 1)]
        found: Facts = {
            "hour": hour, "guild": GUILD, "staff": STAFF,
            "tables": {str(now.id): table_facts(now, hour) for now in there},
            "past": await e.past(GUILD, numbers),
            "server": await e.server(GUILD, STAFF, people),
            "moves": {}, "ends": {},
        }  # fmt: skip
        for now in there:
            if not now.running:
                continue
            moves: list[Facts] = []
            ended: TableNow = now
            while ended.running:
                view = ended.hand
                assert view is not None
                move = chosen(ended, awaited(view)[0], luck)
                user = ended.people[move["seat"]].user
                ended = (await e.tables.act(e.asked(ended, user), command(ended, user, move))).now
                moves.append(move | {"then": line(ended, user)})
            found["moves"][str(now.id)], found["ends"][str(now.id)] = moves, played(ended)
        found["server after"] = await e.server(GUILD, STAFF, people)
        await e.wait(40)
        found["next"] = {str(now.id): table_facts(now, e.clock.now()) for now in e.tables.tables(GUILD)}
    finally:
        await e.close()
    return found


def main() -> None:
    """Make the folder, and write down what is in it from a copy."""
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made) / "discord"
        folder.mkdir()
        hour = asyncio.run(make(folder)) + AWAY_MS
        with closing(sqlite3.connect(folder / DATA)) as db:
            assert db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0] == 0
            db.execute("PRAGMA journal_mode = DELETE")
            db.execute("VACUUM")
            db.execute("PRAGMA journal_mode = WAL")
        (HERE / "discord").mkdir(exist_ok=True)
        for name in (DATA, SECRET):
            shutil.copy(folder / name, HERE / "discord" / name)
        found = asyncio.run(expect(folder, hour))
    (HERE / "expected.json").write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

"""The dealer dies while somebody is choosing in private, and comes back: the choice goes on where it was, with the buttons that are there.

What is marked, named or said half-way stands in the buttons themselves; what was said is in the store. Nobody sees more than before.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from bot.app import Dealer
from tests.e2e.clock import MovableClock
from tests.e2e.evening import Room, dealer_at
from tests.e2e.test_wild_at_the_show import Hole, declared_draw, own_cards, ranks, stacked, to_the_show
from tests.e2e.watcher import Watcher
from tests.support.discord_double import Discord, Player, discord_double


class Lives:
    """One Discord, and a dealer who may die in it more than once. The hour goes on over his deaths."""

    def __init__(self, discord: Discord, data: Path) -> None:
        self.discord, self.data = discord, data
        self._ahead = 0

    @asynccontextmanager
    async def life(self) -> AsyncIterator[Room]:
        """The dealer, until he is killed at the end of it."""
        clock = MovableClock()
        clock.skip(self._ahead / 1000)
        async with dealer_at(self.discord, self.data, clock) as dealer:
            with Watcher(self.discord, dealer) as watcher:
                watcher.forgive()
                for now in dealer.tables.all_tables():
                    watcher._note(now)
                yield Room(self.discord, dealer, clock, watcher)
                await dealer.surface.quiet()
                watcher.check()
            await _kill(dealer, clock)
        self._ahead = clock._ahead
        await self.discord.bot_gone()


async def _kill(dealer: Dealer, clock: MovableClock) -> None:
    """As if the process were gone: nothing is drained, nothing is said, no clock rings any more."""
    dealer._open = False
    for alarm in tuple(clock._alarms.values()):
        alarm.cancel()
    for task in (*dealer._tasks, *dealer.surface._tasks, *dealer.letters.busy):
        task.cancel()
    await dealer.close()
    await dealer.wire.close()


@asynccontextmanager
async def lives(tmp_path: Path) -> AsyncIterator[Lives]:
    logging.getLogger("discord").setLevel(logging.ERROR)
    async with discord_double(tmp_path / "discord", limits=False) as discord:
        yield Lives(discord, tmp_path / "data")


async def until_offered(room: Room, label: str, *players: Player) -> Player:
    """Check or call until this button is there; whose turn it is then."""
    while f"[{label}" not in players[0].screen():
        player = room.to_act(*players)
        assert player is not None, players[0].screen()
        await player.click(next(one for one in player.buttons() if one == "Check" or one.startswith("Call")))
    asked = room.to_act(*players)
    assert asked is not None
    return asked


@pytest.mark.law("X-2", "TL-35")
async def test_cards_that_were_marked_are_changed_after_the_restart(tmp_path: Path) -> None:
    async with lives(tmp_path) as told:
        async with told.life() as room:
            ann, bo = people = await room.people("Ann", "Bo")
            await room.seat(ann, bo, game="five_card_draw")
            await room.dealt()
            drawer = await until_offered(room, "Choose discards", *people)
            before = own_cards(room, drawer)
            await drawer.click("Choose discards")
            assert "[Draw 2 cards]" in await drawer.select("Discard up to", "0", "1")
        async with told.life() as room:
            assert own_cards(room, drawer) == before
            await drawer.click("Draw 2 cards")
            await room.seen("drew 2")
            assert len(set(own_cards(room, drawer)) & set(before)) == 3
            other = room.to_act(*people)
            assert other is not None and other is not drawer
            await other.click("Stand pat")
            await room.check_down(*people)
            await room.seen("wins")


@pytest.mark.law("W-7", "TL-35")
async def test_a_wild_card_half_named_is_named_to_the_end_after_the_restart(tmp_path: Path) -> None:
    def fits(holder: Hole, other: Hole) -> bool:
        return ranks(holder).count(0) == 1 and len(set(ranks(holder))) == 5 and 0 not in ranks(other)

    async with lives(tmp_path) as told:
        async with told.life() as room:
            people = await room.people("Ann", "Bo")
            await declared_draw(room, *people)
            stacked(room, 5, fits)
            await room.dealt()
            holder = await to_the_show(room, *people)
            other = next(one for one in people if one is not holder)
            await holder.click("Show…")
            assert "of spades]" in await holder.select("The deuce of", "Ace")
        async with told.life() as room:
            assert " as ace of spades" in await holder.click("of spades")
            assert "stands for" not in other.screen()
        async with told.life() as room:
            assert "What your cards stand for is said" in await holder.click("Show", within="Before you show")
            await room.seen("wins")
            assert " as ace of spades" in other.screen() or f"{other.name} wins" in other.screen()


@pytest.mark.law("VC-27", "TL-35")
async def test_what_was_declared_is_still_secret_and_still_counts_after_the_restart(tmp_path: Path) -> None:
    async with lives(tmp_path) as told:
        async with told.life() as room:
            ann, bo, cy = people = await room.people("Ann", "Bo", "Cy")
            await room.seat(*people, game="guts")
            await room.dealt()
            assert "Nobody sees it" in await ann.slash("declare", word="in")
            await bo.until("· declared")
        async with told.life() as room:
            await room.seen("Hand #1 goes on")
            view = room.now.hand
            assert view is not None and not any(seat.word for seat in view.seats)
            assert "You have chosen" in await ann.slash("declare", word="out")
            for player in (bo, cy):
                await player.slash("declare", word="out")
            await room.seen("Ann wins")


@pytest.mark.law("TL-25", "TL-35")
async def test_the_question_of_running_it_twice_goes_on_after_the_restart(tmp_path: Path) -> None:
    async with lives(tmp_path) as told:
        async with told.life() as room:
            ann, bo = people = await room.people("Ann", "Bo")
            await room.seat(ann, bo)
            await room.dealt()
            await room.act("All-in", *people)
            await room.act("Call", *people)
            await room.seen("Run it twice")
            await ann.slash("runtwice", answer="yes")
        async with told.life() as room:
            await room.seen("Hand #1 goes on")
            await bo.slash("runtwice", answer="yes")
            await room.seen("wins")
            view = room.now.hand
            assert view is not None and [len(board) for board in view.boards] == [5, 5]


@pytest.mark.law("VC-28", "VC-29", "TL-35")
async def test_votes_and_choices_between_deals_go_on_after_the_restart(tmp_path: Path) -> None:
    """An old button and an old select still work: a vote for a bomb pot, and the game that the dealer chooses."""
    async with lives(tmp_path) as told:
        async with told.life() as room:
            ann, bo = people = await room.people("Ann", "Bo")
            await room.seat(ann, bo, game="holdem / razz / badugi", change="choice", bomb="vote")
            await room.seen("[Bomb pot]")
            await ann.click("Bomb pot")
            mixed = room.now.table.mixed
            assert mixed is not None
            chooser = next(
                player for line in room.now.table.seats for player in people
                if line.number == mixed.chooser and line.player == int(player.me["id"])
            )  # fmt: skip
            await room.seen("chooses the next game")
        async with told.life() as room:
            await bo.click("Bomb pot 1/2")
            assert len(room.now.table.bomb_votes) == 2
            await chooser.select("Choose the next game…", "Limit Razz")
            await room.dealt()
            view = room.now.hand
            assert view is not None and view.street == "flop", "the bomb pot that both had asked for"


@pytest.mark.law("TL-35")
async def test_a_form_that_was_open_is_taken_after_the_restart(tmp_path: Path) -> None:
    async with lives(tmp_path) as told:
        async with told.life() as room:
            people = await room.people("Ann", "Bo")
            await room.seat(*people)
            await room.dealt()
            player = room.to_act(*people)
            assert player is not None
            await player.click("Raise…")
        async with told.life() as room:
            await player.submit({"Raise to": "400"})
            await room.seen("raises to 400")

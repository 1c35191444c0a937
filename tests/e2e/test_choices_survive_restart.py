"""The dealer is killed while somebody makes a private choice. After the restart the choice goes on with the old buttons.

What is marked, named or said half-way stands in the buttons themselves; what was said is in the store. Nobody sees more than before.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from bot.dealer import Dealer
from bot.surfaces.part import Part
from bot.text.options import option_name
from tests.e2e.bot_session import BotSession, logged_in_bot
from tests.e2e.chosen_decks import HoleCards, stack_next_hole_cards
from tests.e2e.leak_watcher import CardsOfHand, LeakWatcher
from tests.e2e.movable_clock import MovableClock
from tests.e2e.play_by_buttons import toggles
from tests.e2e.test_wild_cards_at_showdown import (
    open_declared_wild_draw,
    own_cards,
    play_to_showdown,
    ranks,
)
from tests.support.discord_double import Discord, Player, discord_double

RUN_TWICE = option_name("run_twice")


class RestartingBot:
    """One Discord, and a dealer that can be killed in it more than once. The clock goes on."""

    def __init__(self, discord: Discord, data: Path, **how: Any) -> None:
        self.discord, self.data, self._how = discord, data, how
        self._ahead = 0
        self._watched: dict[tuple[int, int], CardsOfHand] = {}

    def change(self, **how: Any) -> None:
        """Let the next dealers be made otherwise."""
        self._how |= how

    @asynccontextmanager
    async def life(self, *, is_killed: bool = True, waits: bool = True) -> AsyncIterator[BotSession]:
        """A running dealer, which is killed at the end, or stopped; when nothing is on its way any more, unless it `waits` for nothing."""
        clock = MovableClock()
        clock.skip(self._ahead / 1000)
        async with logged_in_bot(self.discord, self.data, clock, **self._how) as dealer:
            with LeakWatcher(self.discord, dealer) as watcher:
                watcher.skip_to_now()
                watcher._hands |= self._watched
                for now in dealer.tables.all_tables():
                    watcher._note(now)
                await watcher.note_ends()
                yield BotSession(self.discord, dealer, clock, watcher)
                if waits:
                    await dealer.services.display.wait_until_idle()
                watcher.check()
                self._watched = watcher._hands
            if is_killed:
                await _kill_bot(dealer, clock)
        self._ahead = clock._ahead
        await self.discord.bot_gone()


async def _kill_bot(dealer: Dealer, clock: MovableClock) -> None:
    """Stop the dealer as if its process were gone: nothing is drained or sent, and no clock rings any more."""
    dealer._open = False
    for alarm in tuple(clock._alarms.values()):
        alarm.cancel()
    sending = [task for part in dealer.parts.of(Part) for task in part.pending]
    for task in (*dealer._tasks.pending, *sending):
        task.cancel()
    await dealer.client.close()
    await dealer.services.discord_api.close()


@asynccontextmanager
async def restarting_bot(tmp_path: Path, **how: Any) -> AsyncIterator[RestartingBot]:
    logging.getLogger("discord").setLevel(logging.ERROR)
    async with discord_double(tmp_path / "discord", limits=False) as discord:
        yield RestartingBot(discord, tmp_path / "data", **how)


async def until_offered(room: BotSession, label: str, *players: Player) -> Player:
    """Check or call until this button is offered. Returns the player to act then."""
    while f"[{label}" not in players[0].screen():
        player = room.to_act(*players)
        assert player is not None, players[0].screen()
        await player.click(next(one for one in player.buttons() if one == "Check" or one.startswith("Call")))
    asked = room.to_act(*players)
    assert asked is not None
    return asked


@pytest.mark.law("X-2", "TL-35")
async def test_cards_that_were_marked_are_changed_after_the_restart(tmp_path: Path) -> None:
    async with restarting_bot(tmp_path) as told:
        async with told.life() as room:
            ann, bo = people = await room.people("Ann", "Bo")
            await room.open_and_sit(ann, bo, game="five_card_draw")
            await room.next_hand()
            drawer = await until_offered(room, "Choose discards", *people)
            before = own_cards(room, drawer)
            await drawer.click("Choose discards")
            await drawer.press(*toggles(drawer)[0])
            assert "[Draw 2]" in await drawer.press(*toggles(drawer)[1])
        async with told.life() as room:
            assert own_cards(room, drawer) == before
            await room.wait_until_idle()
            await drawer.click("Draw 2")
            room.clock.skip(20)  # no click since the restart lets the table show every action at once
            await room.wait_for_text("drew 2")
            assert len(set(own_cards(room, drawer)) & set(before)) == 3
            other = room.to_act(*people)
            assert other is not None and other is not drawer
            await other.click("Stand pat")
            await room.check_down(*people)
            await room.wait_for_text("wins")


@pytest.mark.law("W-7", "TL-35")
async def test_half_named_wild_card_can_be_completed_after_restart(tmp_path: Path) -> None:
    def fits(holder: HoleCards, other: HoleCards) -> bool:
        return ranks(holder).count(0) == 1 and len(set(ranks(holder))) == 5 and 0 not in ranks(other)

    async with restarting_bot(tmp_path) as told:
        async with told.life() as room:
            people = await room.people("Ann", "Bo")
            await open_declared_wild_draw(room, *people)
            stack_next_hole_cards(room, 5, fits)
            await room.next_hand()
            holder = await play_to_showdown(room, *people)
            other = next(one for one in people if one is not holder)
            await holder.click("Show…")
            assert "of spades]" in await holder.select("The deuce of", "ace")
        async with told.life() as room:
            await room.wait_until_idle()
            assert " as ace of spades" in await holder.click("of spades")
            assert "stands for" not in other.screen()
        async with told.life() as room:
            assert "Wild cards set" in await holder.click("Show", within="Before you show")
            await room.wait_for_text("wins")
            assert " as ace of spades" in other.screen() or f"{other.name} wins" in other.screen()


@pytest.mark.law("VC-27", "TL-35")
async def test_declaration_stays_secret_and_counts_after_restart(tmp_path: Path) -> None:
    async with restarting_bot(tmp_path) as told:
        async with told.life() as room:
            ann, bo, cy = people = await room.people("Ann", "Bo", "Cy")
            await room.open_and_sit(*people, game="guts")
            await room.next_hand()
            assert "It's revealed when everyone has chosen." in await ann.slash("act", what="declare", word="in")
            await bo.until("· ready")
        async with told.life() as room:
            await room.wait_for_text("Hand #1 goes on")
            view = room.now.hand
            assert view is not None and not any(seat.declaration for seat in view.seats)
            assert "You've already chosen" in await ann.slash("act", what="declare", word="out")
            for player in (bo, cy):
                await player.slash("act", what="declare", word="out")
            await room.wait_for_text("Ann wins")


@pytest.mark.law("TL-25", "TL-35")
async def test_run_it_twice_question_continues_after_restart(tmp_path: Path) -> None:
    async with restarting_bot(tmp_path) as told:
        async with told.life() as room:
            ann, bo = people = await room.people("Ann", "Bo")
            await ann.slash("play", sit=False)
            await ann.slash("table", page="settings")
            await ann.click("House rules")
            await ann.select("Change a house rule…", RUN_TWICE)
            await ann.select(f"{RUN_TWICE}…", "on")
            for seat, player in enumerate(people, 1):
                await player.slash("sit", seat=seat)
            await room.next_hand()
            await room.act("All-in", *people)
            await room.act("Call", *people)
            await room.wait_for_text("deal the rest once or twice?")
            await ann.slash("act", what="yes")
        async with told.life() as room:
            await room.wait_for_text("Hand #1 goes on")
            await bo.slash("act", what="yes")
            await room.wait_for_text("wins")
            view = room.now.hand
            assert view is not None and [len(board) for board in view.boards] == [5, 5]


@pytest.mark.law("VC-28", "VC-29", "TL-35")
async def test_votes_and_choices_between_deals_go_on_after_the_restart(tmp_path: Path) -> None:
    """An old button and an old select still work: a vote for a bomb pot, and the game that the dealer chooses."""
    async with restarting_bot(tmp_path) as told:
        async with told.life() as room:
            ann, bo = people = await room.people("Ann", "Bo")
            await room.open_and_sit(ann, bo, game="holdem / razz / badugi", change="choice", bomb="vote")
            await room.wait_for_text("[Bomb pot]")
            await ann.click("Bomb pot")
            mixed = room.now.table.rotation
            assert mixed is not None
            chooser = next(
                player for line in room.now.table.seats for player in people
                if line.number == mixed.chooser_seat and line.player == int(player.me["id"])
            )  # fmt: skip
            await room.wait_for_text("is choosing the next game")
        async with told.life() as room:
            await bo.click("Bomb pot 1/2")
            assert len(room.now.table.bomb_pot_votes) == 2
            await chooser.select("Choose the next game…", "Limit Razz")
            await room.next_hand()
            view = room.now.hand
            assert view is not None and view.street == "flop", "the bomb pot that both had asked for"


@pytest.mark.law("TL-35")
async def test_a_form_that_was_open_is_taken_after_the_restart(tmp_path: Path) -> None:
    async with restarting_bot(tmp_path) as told:
        async with told.life() as room:
            people = await room.people("Ann", "Bo")
            await room.open_and_sit(*people)
            await room.next_hand()
            player = room.to_act(*people)
            assert player is not None
            await player.click("Raise…")
        async with told.life() as room:
            await player.submit({"Raise to": "400"})
            await room.wait_for_text("raise to 400")

"""Players name their wild cards at the showdown, card by card. A wild card that is not named counts as it lies (W-7)."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bot.engine import cards
from tests.e2e.bot_session import BotSession, bot_session
from tests.e2e.chosen_decks import HoleCards, stack_next_hole_cards
from tests.support.discord_double import Player


def ranks(hole: HoleCards) -> list[int]:
    """Return the ranks held, the most frequent first, high before low."""
    held = [card >> 2 for card in hole]
    return sorted(held, key=lambda rank: (held.count(rank), rank), reverse=True)


def pair_with_deuce_against_two_pair(holder: HoleCards, other: HoleCards) -> bool:
    mine, theirs = ranks(holder), ranks(other)
    return (
        mine[0] == mine[1] and mine[1] > mine[2] and len(set(mine)) == 4 and mine.count(0) == 1 and mine[0] > 0
        and theirs[0] == theirs[1] and theirs[2] == theirs[3] and len(set(theirs)) == 3 and 0 not in theirs
    )  # fmt: skip


async def open_declared_wild_draw(room: BotSession, *players: Player, more: str = "") -> None:
    """Open five-card draw with deuces wild, in which players name them: the host sets it up before the first hand."""
    await players[0].slash("play", sit=False, game="no limit five card draw + deuces wild" + more)
    await players[0].slash("table", page="settings")
    await players[0].click("House rules")
    await players[0].select("Change a house rule…", "wild_call")
    changed = await players[0].select("Naming wild cards…", "declare")
    assert "Changed: Naming wild cards **" in changed
    for number, player in enumerate(players, 1):
        await player.slash("sit", seat=number)


def is_asked(player: Player) -> bool:
    """Whether a player sees the question what wild cards stand for: at the table, or in their panel."""
    return "[Show…]" in player.screen() or "**Before you show**" in player.screen()


async def play_to_showdown(room: BotSession, *players: Player) -> Player:
    """Check, call and stand pat until a player is asked what their wild cards stand for."""
    while not any(is_asked(player) for player in players):
        player = room.to_act(*players)
        assert player is not None, players[0].screen()
        await room.until_own_buttons(player)
        labels = [one for one in room.own_buttons(player) if one in {"Check", "Stand pat"} or one.startswith("Call")]
        await room.press_own(player, labels[-1])
    holder = room.to_act(*players)
    assert holder is not None
    return holder


def own_cards(room: BotSession, player: Player) -> list[int]:
    own = room.now.seen_by(int(player.me["id"]))
    assert own is not None and own.viewer is not None
    return [seen.card for seen in own.seats[own.viewer].cards if seen.card is not None]


@pytest.mark.law("W-1", "W-5", "W-6", "W-7", "TL-41")
async def test_wild_deuce_counts_only_when_its_meaning_is_named(tmp_path: Path) -> None:
    """A pair and a deuce lose to two pairs without a word, and win as three of a kind once it is named (AT-12)."""
    async with bot_session(tmp_path) as room:
        ann, bo = people = await room.people("Ann", "Bo")
        await open_declared_wild_draw(room, ann, bo)
        stack_next_hole_cards(room, 5, pair_with_deuce_against_two_pair)
        await room.next_hand()
        holder = await play_to_showdown(room, *people)
        other = bo if holder is ann else ann
        pair = cards.RANK_NAMES[ranks(own_cards(room, holder))[0]]
        asked = await holder.click("Show…")
        assert "Before you show" in asked and " as …" in asked
        assert re.search(rf"Wild: .* as {pair} of \w+\n", asked)
        assert "A wild card that you don't name counts as its face value." in asked
        assert "Only you can see this" in asked
        assert "of spades]" in await holder.select("The deuce of", pair)
        assert f" as {pair} of spades" in await holder.click("of spades")
        assert "Wild cards set" in await holder.click("Show", within="Before you show")
        await room.wait_for_text(f"{holder.name} wins")
        assert re.search(rf" as {pair} of spades.* three of a kind, ", other.screen())
        room.check_leaks()

        stack_next_hole_cards(room, 5, pair_with_deuce_against_two_pair)
        await room.next_hand()
        holder = await play_to_showdown(room, *people)
        other = bo if holder is ann else ann
        assert "as its face value" in await holder.select("The deuce of", "its face value")
        await holder.click("Show", within="Before you show")
        await room.wait_for_text(f"{other.name} wins")

        stack_next_hole_cards(room, 5, pair_with_deuce_against_two_pair)
        await room.next_hand()
        holder = await play_to_showdown(room, *people)
        other = bo if holder is ann else ann
        room.clock.skip(95)  # silence shows, and says nothing
        await room.wait_for_text(f"{other.name} wins")
        assert f"{holder.name} " in other.screen()


@pytest.mark.law("W-7", "W-8")
async def test_best_hand_is_proposed_on_one_button(tmp_path: Path) -> None:
    """A player can take the proposal: the meaning that the dealer takes by itself where nobody has to name it."""
    async with bot_session(tmp_path) as room:
        people = await room.people("Ann", "Bo")
        await open_declared_wild_draw(room, *people)
        stack_next_hole_cards(room, 5, pair_with_deuce_against_two_pair)
        await room.next_hand()
        holder = await play_to_showdown(room, *people)
        await holder.slash("act", what="show")
        assert "[Show best hand]" in holder.screen()
        await holder.click("Show best hand")
        await room.wait_for_text(f"{holder.name} wins")
        await room.wait_for_text("three of a kind")


@pytest.mark.law("W-3", "W-4", "W-7")
@pytest.mark.parametrize(
    ("method", "offered", "not_offered"), [("no_duplicate", "ace", "held"), ("bug", "ace", "king")]
)
async def test_only_cards_the_wild_method_allows_are_offered(
    tmp_path: Path, method: str, offered: str, not_offered: str
) -> None:
    """Under `no_duplicate` a card that the player has is not offered. The bug is an ace or completes a hand."""

    def fits(holder: HoleCards, other: HoleCards) -> bool:
        suits = {card & 3 for card in holder}
        king = cards.parse_card("Kc") in holder
        low = {rank for rank in ranks(holder) if rank}
        return (
            king
            and ranks(holder).count(0) == 1
            and len(suits) == 4
            and len(low) == 4
            and max(low) - min(low) > 4
            and 0 not in ranks(other)
        )

    async with bot_session(tmp_path) as room:
        people = await room.people("Ann", "Bo")
        await people[0].slash("play", sit=False, game="no limit five card draw + deuces wild")
        await people[0].slash("table", page="settings")
        await people[0].click("House rules")
        await people[0].select("Change a house rule…", "wild_method")
        await people[0].select("Wild cards stand for…", method)
        await people[0].slash("table", page="settings")
        await people[0].click("House rules")
        await people[0].select("Change a house rule…", "wild_call")
        await people[0].select("Naming wild cards…", "declare")
        for number, player in enumerate(people, 1):
            await player.slash("sit", seat=number)
        stack_next_hole_cards(room, 5, fits)
        await room.next_hand()
        holder = await play_to_showdown(room, *people)
        asked = await holder.click("Show…")
        ranks_offered = re.findall(r"stands for… ▾ ([^\]]*)", asked)[0].split(" | ")
        assert offered in ranks_offered
        if method == "bug":
            assert not_offered not in ranks_offered
            assert ranks_offered == ["ace", "its face value"]
        else:
            shown = await holder.select("The deuce of", "king")
            assert "of clubs]" not in shown and "of hearts]" in shown

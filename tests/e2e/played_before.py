"""Hands that people have played before a test begins, for what only those who have played enough can see."""

from __future__ import annotations

from collections.abc import Mapping

from bot.statistics.types import CountedChips, CountedHand, CountedSeat, Counts
from tests.e2e.bot_session import BotSession
from tests.support.discord_double import Player

ENOUGH = 20
"""As many hands as a leaderboard asks for by default."""


async def have_played(
    room: BotSession, nets: Mapping[Player, int], hands: int = ENOUGH, *, table: int = 1, practice: bool = False
) -> None:
    """Let people have played hands with each other, and have won so many chips in all of them together."""
    (guild,), at = map(int, room.discord.stand_in.world.guilds), room.clock.now()
    seats = [(int(player.me["id"]), net) for player, net in nets.items()]
    played = []
    for number in range(1, hands + 1):
        players = tuple([CountedSeat(user, Counts(1, net if number == 1 else 0)) for user, net in seats])
        ended, of_table = at - hands + number, 1_000_000 + 2 * table + practice
        terms = "holdem", "No-Limit Hold'em", "no_limit", "50/100"
        played.append(CountedHand(guild, of_table, number, ended, *terms, CountedChips(practice), 100, players))
    statistics = room.dealer.statistics
    await statistics.games(guild)  # the file is open then

    def add() -> None:
        keeper = statistics._keeper_or_fail()
        with keeper.transaction():
            keeper.add(played)

    await statistics._in_thread(add)

"""Achievements in words: what they are, the line after a hand, a player's list."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from bot.statistics.achievements import GOALS, Achievement, Earned
from bot.text.language import message, plural, t
from bot.text.word_table import word_table

_TABLE = word_table(
    """
    royal flush | **Royal flush**: won a pot with one at a showdown | 🏅 The first royal flush of {player}
    ten games | **Ten games**: won a pot in ten different games | 🏅 {player} has won in ten different games
    hundred showdowns | **Hundred showdowns**: showed down a hundred hands | 🏅 The hundredth showdown of {player}
    ten weeks | **Ten weeks**: played in ten different weeks | 🏅 {player} plays here in their tenth week
    three winners | **Three winners**: shared a pot with two others or more at a showdown | 🏅 The pot has three winners
    hundredth hand | **A hundred together**: played in the hundredth hand of a table | 🏅 The hundredth hand of this table
    five games in a week | **Five in a week**: played five different games in one week | \
        🏅 {player} has played five different games this week
    everybody showed | **Nobody leaves**: showed down with the whole table, at least four players | \
        🏅 Nobody has left: the whole table shows down
    full table | **Full table**: played where every seat was taken, of at least six | 🏅 Every seat of this table is taken
    shared pot | **Shared pot**: shared a pot at a showdown | 🏅 {player} shares a pot for the first time
    """
)
WORDS = {Achievement(row.code): row.messages for row in _TABLE}
"""What an achievement is called, and the line under the hand in which somebody achieved it. What a table does together names nobody."""
YOURS = message("### Your achievements")
OF_PLAYER = message("### Achievements of {player}")
_EARNED = message("🏅 {what}\n-# {date}, hand #{hand} of table {table}")
_EARNED_IN_PRIVATE = message("🏅 {what}\n-# {date}")
_OPEN = message("`–` {what}")
_OPEN_SO_FAR = message("`–` {what} · **{count:,}** of {goal:,}")
_SEASONS = plural("🏆 **Season won**: {numbers}", "🏆 **Seasons won**: {numbers}")
_TOLD = message("-# You're told after the hand. `/me` turns it off.")
_NOT_TOLD = message("-# You aren't told after hands. `/me` turns it on.")
_NOBODY_TOLD = message("-# In this server nobody is told after hands.")


def _name(achievement: Achievement) -> str:
    return t(WORDS[achievement][0])


def achieved_line(achievement: Achievement, player: str) -> str:
    """The line under the result of a hand. `player` is safe for markdown."""
    return t(WORDS[achievement][1], player=player)


def achievements(
    heading: str,
    earned: tuple[Earned, ...],
    seasons: tuple[int, ...],
    *,
    own: bool,
    hidden: Collection[Achievement] = (),
    progress: Mapping[Achievement, int] | None = None,
) -> str:
    """A player's achievements: those that they have with their dates, then, for themselves, the others.

    Args:
        hidden: those whose hand the reader cannot know of: it was played at a private table.
        progress: how far the player has come with what has a goal; None for somebody else's list.
    """
    found: Mapping[Achievement, Earned] = {one.achievement: one for one in earned}
    lines = [heading]
    if seasons:
        lines.append(t(_SEASONS, count=len(seasons), numbers=", ".join(map(str, seasons[-20:]))))
    for one in sorted(earned, key=lambda each: each.at):
        hand, date = one.hand, f"<t:{one.at // 1000}:D>"
        if one.achievement in hidden:
            lines.append(t(_EARNED_IN_PRIVATE, what=_name(one.achievement), date=date))
            continue
        lines.append(t(_EARNED, what=_name(one.achievement), date=date, hand=hand.number, table=hand.table_number))
    if own or (not earned and not seasons):
        lines += [_open_line(each, progress or {}) for each in Achievement if each not in found]
    return "\n".join(lines)


def _open_line(achievement: Achievement, progress: Mapping[Achievement, int]) -> str:
    """What is still to be achieved, and how far it has come."""
    if achievement not in progress:
        return t(_OPEN, what=_name(achievement))
    return t(_OPEN_SO_FAR, what=_name(achievement), count=progress[achievement], goal=GOALS[achievement])


def told_note(*, person: bool, server: bool) -> str:
    """Whether the reader is told after a hand, and how to change it."""
    if not server:
        return t(_NOBODY_TOLD)
    return t(_TOLD if person else _NOT_TOLD)

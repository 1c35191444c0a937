"""What a sit-and-go says: before its start, while it is played, and who came in where."""

from __future__ import annotations

from collections.abc import Sequence

from bot.engine.mixes import Rotation
from bot.engine.stakes import Stakes
from bot.events.sit_and_go.clock import hands_to_next_level, next_level_at
from bot.events.sit_and_go.finishes import Finish, finishes, prize_table
from bot.events.sit_and_go.prizes import PrizeTable
from bot.events.sit_and_go.stakes import level_stakes
from bot.events.sit_and_go.state import SitAndGo, StopReason
from bot.events.sit_and_go.structures import Level, LevelLength, Speed
from bot.table.ended_game import FinishTold
from bot.table.settings import TableSettings
from bot.text import escape
from bot.text.actions import FACT_SEPARATOR
from bot.text.durations import ordinal
from bot.text.formatting import NBSP, join_list, relative_time_ms
from bot.text.game_names import game_name
from bot.text.language import Message, message, number, plural, t
from bot.text.people import is_former
from bot.text.stakes import short_stakes

REGISTER = message("Register")
REGISTER_FOR = message("Register · {chips:,}")
WITHDRAW = message("Leave")
START_NOW = message("Start now")
ALL_LEVELS = message("All levels")
STANDINGS = message("Standings")
PAUSE = message("Pause 5 min")
GO_ON = message("Go on")
ADD_PRACTICE = message("Practice players")
CHOOSE_STRUCTURE = message("Choose how it rises…")
AWAY = message("Away")

SPEEDS: dict[Speed, Message] = {
    Speed.HYPER: message("hyper"),
    Speed.TURBO: message("turbo"),
    Speed.REGULAR: message("regular"),
    Speed.DEEP: message("deep"),
}
_TITLE = message("### Sit-and-go · {game}")
_ENTRY = message("Buy-in **{chips:,}** · stack **{stack:,}** · {speed}")
_FREE = message("Free · stack **{stack:,}** · {speed}")
_STARTS = message("-# Starts when all {seats} seats are taken, or when the host, {host}, starts it.")
_PLAYERS = message("**Players {count} of {seats}**")
_NOBODY = message("Nobody yet")
_LEVELS_BY_MINUTES = plural("**Levels, {count} min each**", "**Levels, {count} min each**")
_LEVELS_BY_HANDS = plural("**Levels, {count} hand each**", "**Levels, {count} hands each**")
_BREAK_EVERY = plural(
    "-# A break of {minutes} min after every level", "-# A break of {minutes} min after every {count} levels"
)
_AFTER_LAST = message("-# After the last level the blinds double every ten hands.")
_PRIZES = message("**Prizes {pool:,}**\n{prizes}")
_PRIZES_NOW = message("**Prizes now {pool:,}**\n{prizes}")
_PRIZES_TO_COME = message("-# Prizes: {table}.")
_NO_PRIZES = message("-# Played for honour: nobody pays, and nobody is paid.")
_PRIZE = message("{medal} {chips:,}")
_MEDALS = ("🥇", "🥈", "🥉")
_STATUS = message("Level {level} · {stakes}")
_NEXT_AT = message("next level {when}")
_NEXT_HANDS = plural("next level in {count} hand", "next level in {count} hands")
_LEFT = message("{left} of {entrants} left")
_AVERAGE = message("average {chips:,}")
STOPPED: dict[StopReason, Message] = {
    StopReason.BREAK: message("break until {when}"),
    StopReason.PAUSE: message("paused until {when}"),
}
_HEADING_OF_LEVEL = message("### Level {level} · {stakes}")
_THEN = message("Then {stakes}")
_STANDING = message("`{rank}`{gap}{name} **{chips:,}** · {blinds} big blinds")
_OUT_LIST = message("-# Out: {players}")
_OUT_PLAYER = message("{rank} {name}")
_GOES_OUT = message("**{name}** goes out in {rank} place.")
_WINS = message("**{name}** wins the sit-and-go.")
_FINISH_LINE = message("{medal}{gap}{name} · {rank}")
_FINISH_LINE_PRIZE = message("{medal}{gap}{name} · {rank} · **{chips:,}**")
ENTERED = plural(
    "You're in. It starts when all seats are taken: {count} is still free.",
    "You're in. It starts when all seats are taken: {count} are still free.",
)
STARTED = message("You're in, and the first hand is about to be dealt.")
WITHDRAWN = message("You've left the sit-and-go. Your buy-in is back in your wallet.")
LEFT_BY_CHOICE = message(
    "You've left. Your stack stays and is blinded off; press **I'm back** to play on. Your buy-in stays in the prizes."
)
IS_AWAY = message("You're away: you post and fold until you press **I'm back**.")
IS_BACK = message("You're back in.")
CANCELLED = message("The sit-and-go is cancelled.")
PAUSED = message("Paused after this hand for up to {minutes} minutes.")
GOES_ON = message("It goes on.")
STRUCTURE_CHOSEN = message("Done: {speed}.")
OPENED_BY_YOU = message("Your sit-and-go is open. Choose how it rises until somebody else enters, and enter yourself.")
_SPEED_BY_MINUTES = message("{speed} · {stack:,} chips · levels of {length} min")
_SPEED_BY_HANDS = message("{speed} · {stack:,} chips · levels of {length} hands")
PRIZE_TABLES: dict[PrizeTable, Message] = {
    PrizeTable.USUAL: message("about one in three is paid"),
    PrizeTable.WINNER: message("the winner takes all"),
    PrizeTable.TWO: message("the first two are paid"),
}


def title(settings: TableSettings) -> str:
    """``Sit-and-go · No-Limit Hold'em``."""
    return t(_TITLE, game=_game(settings.rotation, settings))


def _game(rotation: Rotation | None, settings: TableSettings) -> str:
    return game_name(settings.rule_card.name) if rotation is None else escape.name(game_name(rotation.name))


def entry_text(event: SitAndGo, settings: TableSettings) -> str:
    """What it costs and when it starts."""
    wanted = event.settings
    stack, speed = wanted.structure.starting_stack, t(SPEEDS[wanted.speed])
    costs = (
        t(_FREE, stack=stack, speed=speed)
        if wanted.is_free
        else t(_ENTRY, chips=wanted.buy_in, stack=stack, speed=speed)
    )
    starts = t(_STARTS, seats=wanted.seats, host=f"<@{event.opened_by}>")
    return f"{title(settings)}\n{costs}\n{starts}"


def players_text(event: SitAndGo) -> str:
    """Who has entered."""
    names = [player_name(one.player, one.name) for one in event.entrants]
    head = t(_PLAYERS, count=len(names), seats=event.settings.seats)
    return f"{head}\n{join_list(names) if names else t(_NOBODY)}"


def stakes_of(level: Level, settings: TableSettings) -> str:
    """What a level is played for, in a few signs: ``10/20``, ``100/200 ante 200``."""
    stakes: Stakes = level_stakes(settings.rule_card, settings.options, level, settings.stakes)
    return short_stakes(stakes, ante=settings.options.ante, limit=settings.options.limit)


def levels_text(event: SitAndGo, settings: TableSettings, first: int = 1, count: int = 0) -> str:
    """The levels, from one on: so many, or all."""
    structure = event.settings.structure
    by_hands = structure.counted_in is LevelLength.HANDS
    head = t(_LEVELS_BY_HANDS if by_hands else _LEVELS_BY_MINUTES, count=structure.level_length)
    last = min(len(structure.levels), first + count - 1) if count else len(structure.levels)
    told = [f"`{at}`{NBSP}{stakes_of(structure.level(at), settings)}" for at in range(first, last + 1)]
    return f"{head}\n{'   '.join(told)}"


def structure_notes(event: SitAndGo) -> str:
    """When there are breaks, and what comes after the last level."""
    structure = event.settings.structure
    lines = [t(_AFTER_LAST)]
    if structure.break_every:
        lines.insert(0, t(_BREAK_EVERY, count=structure.break_every, minutes=structure.break_minutes))
    return "\n".join(lines)


def prizes_text(event: SitAndGo) -> str:
    """What the places get: as things stand, before the start."""
    if event.settings.is_free:
        return t(_NO_PRIZES)
    table = prize_table(event)
    told = [t(_PRIZE, medal=medal(rank), chips=chips) for rank, chips in enumerate(table, 1)]
    if not table:
        return t(_PRIZES_TO_COME, table=t(PRIZE_TABLES[event.settings.prizes]))
    return t(_PRIZES if event.is_running else _PRIZES_NOW, pool=event.pool, prizes=(3 * " ").join(told))


def medal(rank: int) -> str:
    """A medal for the first three, the number for all others."""
    return _MEDALS[rank - 1] if rank <= len(_MEDALS) else f"`{rank}`"


def status_line(event: SitAndGo, settings: TableSettings) -> str:
    """``Level 4 · 75/150 ante 150 · next level in 3 minutes · 5 of 9 left``, for the message of the table."""
    facts = [t(_STATUS, level=event.level, stakes=stakes_of(event.current_level, settings)), *_clock_facts(event)]
    facts.append(t(_LEFT, left=len(event.players_in), entrants=len(event.entrants)))
    return FACT_SEPARATOR.join(facts)


def _clock_facts(event: SitAndGo) -> list[str]:
    clock = event.clock
    if clock.stopped_for is not None:
        return [t(STOPPED[clock.stopped_for], when=relative_time_ms(clock.resumes_at))]
    if hands := hands_to_next_level(event):
        return [t(_NEXT_HANDS, count=hands)]
    at = next_level_at(event)
    return [t(_NEXT_AT, when=relative_time_ms(at))] if at else []


def standings_text(event: SitAndGo, settings: TableSettings, stacks: Sequence[tuple[str, int]]) -> str:
    """The level, who is in with how much, and who is out. `stacks`: names, safe for markdown, and chips, the most first."""
    lines = [t(_HEADING_OF_LEVEL, level=event.level, stakes=stakes_of(event.current_level, settings))]
    following = t(_THEN, stakes=stakes_of(event.settings.structure.level(event.level + 1), settings))
    lines.append(FACT_SEPARATOR.join([*_clock_facts(event), following]))
    chips = sum([stack for _, stack in stacks])
    average = t(_AVERAGE, chips=chips // max(1, len(stacks)))
    lines.append(f"**{t(_LEFT, left=len(event.players_in), entrants=len(event.entrants))}** · {average}")
    big = event.current_level.big_blind
    lines += [
        t(_STANDING, rank=rank, gap=NBSP, name=name, chips=stack, blinds=number(stack // big))
        for rank, (name, stack) in enumerate(stacks, 1)
    ]
    out = [
        t(_OUT_PLAYER, rank=ordinal(one.rank), name=player_name(one.entrant.player, one.entrant.name))
        for one in finishes(event)
    ]
    if out:
        lines.append(t(_OUT_LIST, players=join_list(out)))
    return "\n".join(lines)


def gone_out(done: Sequence[Finish]) -> str:
    """``Mia goes out in 4th place.``, a sentence for each who went out in a hand."""
    return " ".join(
        [t(_GOES_OUT, name=player_name(one.entrant.player, one.entrant.name), rank=ordinal(one.rank)) for one in done]
    )


def winner_line(name: str) -> str:
    """``Ann wins the sit-and-go.`` The name is safe for markdown."""
    return t(_WINS, name=name)


def finish_lines(told: Sequence[FinishTold]) -> str:
    """Where everybody came in, a line each: ``🥇 Zoë · 1st · 1,950``."""
    lines = []
    for one in told:
        facts = {
            "medal": medal(one.rank),
            "gap": NBSP,
            "name": player_name(one.player, one.name),
            "rank": ordinal(one.rank),
        }
        lines.append(t(_FINISH_LINE_PRIZE, **facts, chips=one.prize) if one.prize else t(_FINISH_LINE, **facts))
    return "\n".join(lines)


def player_name(player: int, name: str) -> str:
    """Return what somebody is called, safe for markdown."""
    return t(escape.FORMER_PLAYER) if is_former(player) else escape.name(name)


def structure_label(speed: Speed, counted_in: LevelLength, stack: int, length: int) -> str:
    """``turbo · 1,500 chips · levels of 4 min``."""
    sentence = _SPEED_BY_HANDS if counted_in is LevelLength.HANDS else _SPEED_BY_MINUTES
    return t(sentence, speed=t(SPEEDS[speed]), stack=stack, length=length)

"""What a sit-and-go says: before its start, while it is played, and who came in where."""

from __future__ import annotations

from collections.abc import Sequence

from bot.engine.stakes import Stakes
from bot.events.sit_and_go.clock import hands_to_next_level, next_level_at
from bot.events.sit_and_go.finishes import Finish, finishes, prize_table, prizes_by_rank
from bot.events.sit_and_go.prizes import PrizeTable
from bot.events.sit_and_go.stakes import level_stakes
from bot.events.sit_and_go.state import AgreementKind, SitAndGo, StopReason
from bot.events.sit_and_go.structures import Level, LevelLength, Speed
from bot.table.ended_game import FinishTold
from bot.table.settings import TableSettings
from bot.text import escape
from bot.text.actions import FACT_SEPARATOR
from bot.text.durations import ordinal
from bot.text.formatting import NBSP, join_list, relative_time_ms
from bot.text.game_names import game_name
from bot.text.language import Message, message, plural, t
from bot.text.lobby_board import WAITING_AT
from bot.text.people import is_former
from bot.text.rebuys import (
    BOUNTIES_TOLD,
    OWN_BOUNTIES,
    OWN_PRIZES_NOW,
    REBUY_COUNT,
    bounties_text,
    choices_text,
    late_text,
    percents_text,
)
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
    Speed.FIXED: message("the blinds stay"),
}
_TITLE, _TITLE_OF_DUEL = message("### Sit-and-go · {game}"), message("### Duel · {game}")
_SMALL_TITLE, _SMALL_TITLE_OF_DUEL = message("-# Sit-and-go · {game}"), message("-# Duel · {game}")
_ENTRY = message("Buy-in **{chips:,}** · stack **{stack:,}** · {speed}")
_FREE = message("Free · stack **{stack:,}** · {speed}")
_STARTS = message("-# Starts when all {seats} seats are taken, or when the host, {host}, starts it.")
_PLAYERS = message("**Players {count} of {seats}**")
_NOBODY = message("Nobody yet")
_LEVELS_BY_MINUTES = plural("**Levels, {count} min each**", "**Levels, {count} min each**")
_LEVELS_BY_HANDS = plural("**Levels, {count} hand each**", "**Levels, {count} hands each**")
_STAKES_STAY = message("**{stakes}**, which stay")
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
_STATUS, _STATUS_FIXED = message("Level {level} · {stakes}"), message("{stakes}, which stay")
_NEXT_AT = message("next level {when}")
_NEXT_HANDS = plural("next level in {count} hand", "next level in {count} hands")
ENTERED_LATE = message(
    "You're in, with a full stack. You're dealt in from the next hand on, or a little later if your seat has to wait."
)
_LEFT = message("{left} of {entrants} left")
_AVERAGE = message("average {chips:,}")
STOPPED: dict[StopReason, Message] = {
    StopReason.BREAK: message("break, play goes on {when}"),
    StopReason.PAUSE: message("paused by the host, play goes on {when}"),
}
_PAUSE_FOLLOWS = message("a pause follows this hand")
_HEADING_OF_LEVEL, _HEADING_FIXED = message("### Level {level} · {stakes}"), message("### {stakes}, which stay")
_THEN = message("then {stakes}")
_NEXT_LEVEL = message("next level {stakes}")
_STANDING = plural(
    "`{rank}`{gap}{name} **{chips:,}** · {count:,} big blind",
    "`{rank}`{gap}{name} **{chips:,}** · {count:,} big blinds",
)
_OUT_LIST = message("-# Out: {players}")
_OUT_PLAYER = message("{rank} {name}")
_GOES_OUT = message("**{name}** goes out in {rank} place.")
_OWN_FINISH = message("You're out of the sit-and-go at table {number}, in {rank} place of {entrants}.")
_OWN_PRIZE = message("Your prize is **{chips:,}**, paid when it is over.")
_CAN_WATCH = message("You can watch the others here.")
OUT = message("You're out.")
_LOST_DUEL = message("**{name}** has won the duel.")
_FINISH_LINE = message("{medal}{gap}{name} · {rank}")
_FINISH_LINE_PRIZE = message("{medal}{gap}{name} · {rank} · **{chips:,}**")
OFFER_DEAL = message("Offer to divide the prizes…")
AGREE_TO_DEAL = message("Agree")
REFUSE_DEAL = message("No")
DEAL_KINDS: dict[AgreementKind, Message] = {
    AgreementKind.EQUAL: message("in equal parts"),
    AgreementKind.CHIPS: message("by chips"),
    AgreementKind.ICM: message("by the chances of each stack (ICM)"),
    AgreementKind.AMOUNTS: message("in amounts of your own…"),
}
_IN_AMOUNTS = message("like this")
_OFFERED = message("**{name} offers to divide the prizes {how}:** {shares}")
_STILL_TO_ANSWER = message("-# Still to answer: {names}. The offer ends with the next hand. Law SG-12")
_SHARE = message("{name} {chips:,}")
OFFERED_DEAL = message("Offered. Everybody still in has to agree before the next hand.")
AGREED_TO_DEAL = message("You agree.")
REFUSED_DEAL = message("You said no, so the prizes stay as they are.")
DEAL_DONE = message("Agreed: the prizes are divided, and it's over.")
ENTERED = message(
    "You're in. It starts when all seats are taken."
)  # how many are free stands in the table's message, which is redrawn
STARTED = message("You're in, and the first hand is about to be dealt.")
STARTED_BY_HOST = message("The first hand is about to be dealt.")
PRACTICE_CAME = plural("{count} practice player has entered.", "{count} practice players have entered.")
_HAS_STARTED = message("It has started. {where}")
WITHDRAWN = message("You've left the sit-and-go. Your buy-in is back in your wallet.")
WITHDRAWN_FREE = message("You've left the sit-and-go.")
LEFT_BY_CHOICE = message(
    "You've left. Your stack stays and pays the blinds; press **I'm back** to play on. Your buy-in stays in the prizes."
)
LEFT_BY_CHOICE_FREE = message("You've left. Your stack stays and pays the blinds; press **I'm back** to play on.")
IS_AWAY = message("You're away: you post and fold until you press **I'm back**.")
IS_BACK = message("You're back in.")
CANCELLED = message("The sit-and-go is cancelled.")
PAUSED = message("Play pauses now, for {minutes} minutes at most. **Go on** in the menu ends the pause.")
PAUSES_LATER = message(
    "Play pauses after this hand, for {minutes} minutes at most. **Go on** in the menu ends the pause."
)
GOES_ON = message("Play goes on.")
STRUCTURE_CHOSEN = message("Done: {speed}.")
OPENED_BY_YOU = message(
    "Your sit-and-go is open. Register yourself, too. Until somebody else enters, you can change all of this:"
)
_SPEED_BY_MINUTES = message("{speed} · {stack:,} chips · levels of {length} min")
_SPEED_BY_HANDS = message("{speed} · {stack:,} chips · levels of {length} hands")
PRIZE_TABLES: dict[PrizeTable, Message] = {
    PrizeTable.USUAL: message("about one in three is paid"),
    PrizeTable.WINNER: message("the winner takes all"),
    PrizeTable.TWO: message("the first two are paid"),
}
PRIZE_CHOICES: dict[str, Message] = {str(table): name for table, name in PRIZE_TABLES.items()}
"""The same for an option of a command."""
STRUCTURE_CHOICES: dict[str, Message] = {
    "hyper.minutes": message("hyper: 500 chips, levels of 2 minutes"),
    "turbo.minutes": message("turbo: 1,500 chips, levels of 4 minutes"),
    "regular.minutes": message("regular: 3,000 chips, levels of 8 minutes"),
    "deep.minutes": message("deep: 10,000 chips, levels of 12 minutes"),
    "hyper.hands": message("hyper: 500 chips, levels of 5 hands"),
    "turbo.hands": message("turbo: 1,500 chips, levels of 8 hands"),
    "regular.hands": message("regular: 3,000 chips, levels of 12 hands"),
    "deep.hands": message("deep: 10,000 chips, levels of 20 hands"),
}
"""The structures for an option of a command, by speed and what their levels are counted in."""


def title(settings: TableSettings, *, duel: bool = False) -> str:
    """``Sit-and-go · No-Limit Hold'em``."""
    return t(_TITLE_OF_DUEL if duel else _TITLE, game=game(settings))


def game(settings: TableSettings) -> str:
    """The game, or the mixture, that is played."""
    rotation = settings.rotation
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
    costs = FACT_SEPARATOR.join((costs, *choices_text(wanted)))
    return f"{title(settings)}\n{costs}\n{starts}"


def has_started(channel: int) -> str:
    """Say that it has started, in which channel."""
    return t(_HAS_STARTED, where=t(WAITING_AT, channel=f"<#{channel}>"))


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
    """The levels, from one on: so many, or all; what is played for where that stays."""
    structure = event.settings.structure
    if not structure.level_length:
        return t(_STAKES_STAY, stakes=stakes_of(structure.level(1), settings))
    by_hands = structure.counted_in is LevelLength.HANDS
    head = t(_LEVELS_BY_HANDS if by_hands else _LEVELS_BY_MINUTES, count=structure.level_length)
    last = min(len(structure.levels), first + count - 1) if count else len(structure.levels)
    told = [f"`{at}`{NBSP}{stakes_of(structure.level(at), settings)}" for at in range(first, last + 1)]
    return f"{head}\n{'   '.join(told)}"


def structure_notes(event: SitAndGo) -> str:
    """When there are breaks, and what comes after the last level; empty where nothing rises."""
    structure = event.settings.structure
    if not structure.level_length:
        return ""
    lines = [t(_AFTER_LAST)]
    if structure.break_every:
        lines.insert(0, t(_BREAK_EVERY, count=structure.break_every, minutes=structure.break_minutes))
    return "\n".join(lines)


def prizes_text(event: SitAndGo) -> str:
    """What the ranks get: as things stand, before the start."""
    if event.settings.is_free:
        return t(_NO_PRIZES)
    told = _prizes_told(event)
    if not told:
        own = t(OWN_PRIZES_NOW, percents=percents_text(event.settings.percents))
        prizes = t(_PRIZES_TO_COME, table=own if event.settings.percents else t(PRIZE_TABLES[event.settings.prizes]))
    else:
        prizes = t(_PRIZES if event.is_running else _PRIZES_NOW, pool=event.pool, prizes=(3 * " ").join(told))
    bounties = bounties_text(event)
    return f"{prizes}\n{bounties}" if bounties else prizes


def _prizes_told(event: SitAndGo) -> list[str]:
    """Return what each rank gets: ``🥇 4,500``; empty where nothing is played for."""
    return [t(_PRIZE, medal=medal(rank), chips=chips) for rank, chips in enumerate(prize_table(event), 1)]


def medal(rank: int) -> str:
    """A medal for the first three, the number for all others."""
    return _MEDALS[rank - 1] if rank <= len(_MEDALS) else f"`{rank}`"


def stopped_line(event: SitAndGo) -> str:
    """``Break, play goes on in 5 minutes``; empty while the clock of levels runs."""
    clock = event.clock
    if clock.stopped_for is None:
        return ""
    return _sentence(t(STOPPED[clock.stopped_for], when=relative_time_ms(clock.resumes_at)))


def status_lines(
    event: SitAndGo, settings: TableSettings, average: int, *, hand_running: bool, stop_told: bool = False
) -> str:
    """What the message of the table says of its event under a hand, in two lines of small print:
    ``Level 4 · 75/150 ante 150 · next level in 3 minutes`` and ``5 of 9 left · average 9,000 · 🥇 4,500 🥈 2,700 🥉 1,800``. In a duel
    the second tells the prize alone.

    Args:
        average: of the stacks, in chips.
        stop_told: that it is a break or a pause is told already.
    """
    level = [_at_level(_STATUS, _STATUS_FIXED, event, settings)]
    if not stop_told:
        level += _clock_facts(event, hand_running=hand_running)
    if event.takes_late_entries:
        level.append(late_text(event.settings))
    players = [t(_LEFT, left=len(event.players_in), entrants=len(event.entrants)), t(_AVERAGE, chips=average)]
    facts = [*(players if event.settings.duel is None else ()), " ".join(_prizes_told(event))]
    return "\n".join(filter(None, (FACT_SEPARATOR.join(level), FACT_SEPARATOR.join(filter(None, facts)))))


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


def _at_level(rises: Message, stays: Message, event: SitAndGo, settings: TableSettings) -> str:
    """Say at which level it is, or that what is played for stays."""
    stakes = stakes_of(event.current_level, settings)
    return (
        t(rises, level=event.level, stakes=stakes) if event.settings.structure.level_length else t(stays, stakes=stakes)
    )


def _clock_facts(event: SitAndGo, *, hand_running: bool) -> list[str]:
    clock = event.clock
    if clock.stopped_for is not None and hand_running:
        return [t(_PAUSE_FOLLOWS)]
    if clock.stopped_for is not None:
        return [t(STOPPED[clock.stopped_for], when=relative_time_ms(clock.resumes_at))]
    if hands := hands_to_next_level(event):
        return [t(_NEXT_HANDS, count=hands)]
    at = next_level_at(event)
    return [t(_NEXT_AT, when=relative_time_ms(at))] if at else []


def standings_text(
    event: SitAndGo,
    settings: TableSettings,
    stacks: Sequence[tuple[str, int]],
    average: int,
    *,
    hand_running: bool = False,
) -> str:
    """The level, who is in with how much, and who is out. `stacks`: names, safe for markdown, and chips, the most first; `average`: of
    all chips, also of those in the pot of a running hand."""
    lines = [_at_level(_HEADING_OF_LEVEL, _HEADING_FIXED, event, settings)]
    facts, structure = _clock_facts(event, hand_running=hand_running), event.settings.structure
    if structure.level_length:
        then: Message = _THEN if event.clock.stopped_for is None else _NEXT_LEVEL
        facts.append(t(then, stakes=stakes_of(structure.level(event.level + 1), settings)))
    clock = FACT_SEPARATOR.join(facts)
    lines += [_sentence(clock)] if clock else []
    lines.append(t(_SMALL_TITLE_OF_DUEL if event.is_duel else _SMALL_TITLE, game=game(settings)))
    if not event.is_duel:
        left = t(_LEFT, left=len(event.players_in), entrants=len(event.entrants))
        lines.append(FACT_SEPARATOR.join([f"**{left}**", t(_AVERAGE, chips=average)]))
    big = event.current_level.big_blind
    lines += [
        t(_STANDING, rank=rank, gap=NBSP, name=name, chips=stack, count=stack // big)
        for rank, (name, stack) in enumerate(stacks, 1)
    ]
    out = [
        t(_OUT_PLAYER, rank=ordinal(one.rank), name=player_name(one.entrant.player, one.entrant.name))
        for one in finishes(event)
    ]
    if out:
        lines.append(t(_OUT_LIST, players=join_list(out)))
    return "\n".join(lines)


def agreement_text(event: SitAndGo) -> str:
    """The offer to divide the prizes that is open: what everybody would get, and who has not answered."""
    offer = event.agreement
    assert offer is not None, "nothing is offered"
    names = {one.player: player_name(one.player, one.name) for one in event.entrants}
    shares = FACT_SEPARATOR.join([t(_SHARE, name=names[player], chips=chips) for player, chips in offer.shares])
    missing = [names[player] for player in event.voters if player not in offer.consents]
    how = t(_IN_AMOUNTS) if offer.kind is AgreementKind.AMOUNTS else t(DEAL_KINDS[offer.kind])
    head = t(_OFFERED, name=names[offer.player], how=how, shares=shares)
    return f"{head}\n{t(_STILL_TO_ANSWER, names=join_list(missing))}"


def gone_out(done: Sequence[Finish]) -> str:
    """``Mia goes out in 4th place.``, a sentence for each who went out in a hand."""
    return " ".join(
        [t(_GOES_OUT, name=player_name(one.entrant.player, one.entrant.name), rank=ordinal(one.rank)) for one in done]
    )


def own_finish(event: SitAndGo, user: int, number: int) -> str:
    """What somebody reads who has gone out at a table of this number: ``You're out of the sit-and-go at table 1, in 3rd place of 9.``, and
    their prize as things stand."""
    done = finishes(event)
    own = next((one for one in done if one.entrant.player == user), None)
    if own is None:
        return t(OUT)
    if event.is_duel:
        return t(_LOST_DUEL, name=player_name(done[0].entrant.player, done[0].entrant.name))
    told = [t(_OWN_FINISH, number=number, rank=ordinal(own.rank), entrants=len(event.entrants))]
    if prize := prizes_by_rank(event, done).get(user, 0):
        told.append(t(_OWN_PRIZE, chips=prize))
    if won := own.entrant.bounties_won:
        told.append(t(OWN_BOUNTIES, chips=won))
    return " ".join((*told, t(_CAN_WATCH)))


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
        line = t(_FINISH_LINE_PRIZE, **facts, chips=one.prize) if one.prize else t(_FINISH_LINE, **facts)
        more = [t(BOUNTIES_TOLD, chips=one.bounties)] if one.bounties else []
        more += [t(REBUY_COUNT, count=one.rebuys)] if one.rebuys else []
        lines.append(FACT_SEPARATOR.join([line, *more]))
    return "\n".join(lines)


def player_name(player: int, name: str) -> str:
    """Return what somebody is called, safe for markdown."""
    return t(escape.FORMER_PLAYER) if is_former(player) else escape.name(name)


def structure_label(speed: Speed, counted_in: LevelLength, stack: int, length: int) -> str:
    """``turbo · 1,500 chips · levels of 4 min``."""
    sentence = _SPEED_BY_HANDS if counted_in is LevelLength.HANDS else _SPEED_BY_MINUTES
    return t(sentence, speed=t(SPEEDS[speed]), stack=stack, length=length)

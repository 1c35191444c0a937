"""What a duel says: the challenge, what its two players are told, and how it ended."""

from __future__ import annotations

from bot.events.sit_and_go.state import Duellist, DuelRecord, EndReason, SitAndGo
from bot.events.sit_and_go.structures import LevelLength, Speed
from bot.table.ended_game import DuelEnd, DuelTold, EndedGame
from bot.table.settings import TableSettings
from bot.text import escape
from bot.text import sit_and_go as events
from bot.text.actions import FACT_SEPARATOR
from bot.text.durations import duration
from bot.text.formatting import relative_time_ms
from bot.text.language import Message, message, t

ACCEPT = message("Accept")
ACCEPT_FOR = message("Accept · {chips:,}")
DECLINE = message("Decline")
TAKE_BACK = message("Take back")
REMATCH = message("Rematch")

_TITLE = message("### Duel · {game}")  # as in `bot.text.sit_and_go.title`
_CHALLENGES = message("**{challenger}** challenges {opponent}.")
_FOR_CHIPS = message("**{chips:,}** chips each from your wallets; the winner gets **{pool:,}**.")
_FOR_HONOUR = message("For honour: nobody pays, and nobody is paid.")
_ONE_MATCH = message("One match, until somebody has all chips")
_BEST_OF = message("Best of {matches} matches, each until somebody has all chips")
_STACK = message("Stack {stack:,}")
_FIXED = message("{stakes}, which stay")
_BY_MINUTES = message("{stakes}, up every {length} min ({speed})")
_BY_HANDS = message("{stakes}, up every {length} hands ({speed})")
_CLOCK = message("{time} to act")
_OPEN_UNTIL = message("-# {opponent} can accept it; it lapses {when}.")
_RECORD = message("{name} {won:,}–{lost:,}")
_RECORDS = message("-# Duels won and lost here: {records}")
_OWN_RECORD = message("Duels won and lost: **{won:,}–{lost:,}**")
_CALL = message("{opponent} · {challenger} challenges you to a duel.")

SENT = message("Your challenge is open until it is answered, for half an hour at most.")
ACCEPTED = message("Accepted. The first hand is about to be dealt.")
STARTED = message("Your duel begins, and the first hand is about to be dealt.")
DECLINED = message("You've declined the challenge.")
TAKEN_BACK = message("You've taken your challenge back.")
GIVEN_UP = message("You've given up the duel.")
GIVES_UP = message("You give up the duel when this hand is over. Press **I'm back** before its end to play on.")
GIVE_UP = message("Give up")
_GIVE_UP_QUESTION = message("Give up the duel? Then **{opponent}** has won it.")
LEFT: dict[EndReason | None, Message] = {
    None: GIVES_UP,
    EndReason.GIVEN_UP: GIVEN_UP,
    EndReason.DECLINED: DECLINED,
    EndReason.TAKEN_BACK: TAKEN_BACK,
}
"""What somebody reads who leaves a duel or a challenge, by why it ended; None: it has not, because a hand is being played."""
ONLY_THE_TWO = message("Only the two who have played this duel can ask for a rematch. `/duel` makes one of your own.")

_SCORE = message("{name} {wins} – {other_wins} {other_name}")
_SCORE_LINE = message("Best of {matches}: {score}")
_MATCH_WON = message("**{name}** wins this match. The next one begins with full stacks.")
_WINS = message("### {winner} wins the duel against {loser}")
_WINS_SCORE = message("### {winner} wins the duel against {loser}, {wins}–{other_wins}")
_WINS_GIVEN_UP = message("### {winner} wins the duel: {loser} gave up")
_NO_WINNER = message("### The duel between {first} and {second} has no winner")
_NEITHER_PLAYED = message("### The duel between {first} and {second} is over: neither played on")
_ENDED: dict[DuelEnd, Message] = {
    DuelEnd.DECLINED: message("{opponent} declined {challenger}'s challenge."),
    DuelEnd.TAKEN_BACK: message("{challenger} took the challenge to {opponent} back."),
    DuelEnd.LAPSED: message("{opponent} didn't answer {challenger}'s challenge, so it has lapsed."),
    DuelEnd.CANCELLED: message("The duel between {challenger} and {opponent} was cancelled."),
}
_NO_CHIPS_LOST = message("Neither of them has lost chips by it.")
_CANCELLED_FOR_CHIPS = message("What they played for is shared by matches won and chips. Law SG-16")

_SHOWN: dict[bool, Message] = {
    True: message("Duels won and lost: **{won:,}–{lost:,}**\n-# Shown in your challenges and statistics"),
    False: message("Duels won and lost: **{won:,}–{lost:,}**\n-# Only you see this"),
}
SHOW, HIDE = message("Show them"), message("Hide them")


def challenge_text(event: SitAndGo, settings: TableSettings) -> str:
    """Who challenges whom, and to what."""
    wanted = event.settings
    duel = wanted.duel
    assert duel is not None, "no duel"
    opponent = f"<@{duel.opponent.player}>"
    costs = t(_FOR_HONOUR) if wanted.is_free else t(_FOR_CHIPS, chips=wanted.buy_in, pool=2 * wanted.buy_in)
    lines = [
        events.title(settings, duel=True),
        t(_CHALLENGES, challenger=escape.name(duel.challenger.name), opponent=opponent),
        costs,
        matches_text(duel.best_of),
        f"-# {FACT_SEPARATOR.join(_terms(event, settings))}",
    ]
    if records := record_text(duel.challenger, duel.opponent):
        lines.append(records)
    return "\n".join(lines)


def open_until(opponent: int, at: int) -> str:
    """Who can accept, and until when."""
    return t(_OPEN_UNTIL, opponent=f"<@{opponent}>", when=relative_time_ms(at))


def matches_text(best_of: int) -> str:
    """How many matches are played."""
    return t(_ONE_MATCH) if best_of == 1 else t(_BEST_OF, matches=best_of)


def _terms(event: SitAndGo, settings: TableSettings) -> list[str]:
    """The stack, the blinds and how they rise, and the clock."""
    structure, speed = event.settings.structure, event.settings.speed
    stakes = events.stakes_of(structure.level(1), settings)
    if speed is Speed.FIXED:
        blinds = t(_FIXED, stakes=stakes)
    else:
        sentence = _BY_HANDS if structure.counted_in is LevelLength.HANDS else _BY_MINUTES
        blinds = t(sentence, stakes=stakes, length=structure.level_length, speed=t(events.SPEEDS[speed]))
    clock = t(_CLOCK, time=duration(settings.stakes.turn_seconds))
    return [t(_STACK, stack=structure.starting_stack), blinds, clock]


def record_text(*players: Duellist) -> str:
    """How many duels those have won and lost who show it; empty where nobody does."""
    told = [
        t(_RECORD, name=escape.name(one.name), won=one.record.won, lost=one.record.lost)
        for one in players
        if one.record is not None
    ]
    return t(_RECORDS, records=FACT_SEPARATOR.join(told)) if told else ""


def shown_line(record: DuelRecord, *, shown: bool) -> str:
    """Somebody's own duels, and who sees them."""
    return t(_SHOWN[shown], won=record.won, lost=record.lost)


def own_line(record: DuelRecord) -> str:
    """Somebody's duels, for their statistics."""
    return t(_OWN_RECORD, won=record.won, lost=record.lost)


def call(challenger: int, opponent: int) -> str:
    """The one line that notifies whoever is challenged."""
    return t(_CALL, challenger=f"<@{challenger}>", opponent=f"<@{opponent}>")


def give_up_question(opponent: str) -> str:
    """Ask whether somebody gives up. `opponent`: what the other is called."""
    return t(_GIVE_UP_QUESTION, opponent=escape.name(opponent))


def with_score(status: str, event: SitAndGo, *, beside: bool = False) -> str:
    """Return what is said of an event, with ``Best of 3: Ann 1 – 0 Bo`` where matches are played: in a line below, or `beside` the
    prize."""
    duel = event.settings.duel
    if duel is None or duel.best_of == 1 or len(event.entrants) < 2:
        return status
    one, other = event.entrants[:2]
    score = t(
        _SCORE,
        name=events.player_name(one.player, one.name),
        wins=one.wins,
        other_wins=other.wins,
        other_name=events.player_name(other.player, other.name),
    )
    line = t(_SCORE_LINE, matches=duel.best_of, score=score)
    return f"{status}{FACT_SEPARATOR}{line}" if beside and event.pool else f"{status}\n{line}"


def match_won(event: SitAndGo, winner: int) -> str:
    """``Bo wins this match.``, where another one follows."""
    won = event.entrant(winner)
    return t(_MATCH_WON, name=events.player_name(winner, won.name)) if won is not None else ""


def heading(game: EndedGame, duel: DuelTold) -> str:
    """Who has won, against whom, and by how many matches."""
    first, second = game.finishes[:2]
    names = [events.player_name(one.player, one.name) for one in (first, second)]
    match duel.end:
        case DuelEnd.WON if duel.best_of > 1:
            return t(_WINS_SCORE, winner=names[0], loser=names[1], wins=first.wins, other_wins=second.wins)
        case DuelEnd.WON:
            return t(_WINS, winner=names[0], loser=names[1])
        case DuelEnd.GIVEN_UP:
            return t(_WINS_GIVEN_UP, winner=names[0], loser=names[1])
        case _:  # an agreement gives something to both
            is_asleep = not second.prize and first.rank < second.rank
            return t(_NEITHER_PLAYED if is_asleep else _NO_WINNER, first=names[0], second=names[1])


def cancelled_text(game: EndedGame, duel: DuelTold, played: str) -> str:
    """Why there was no duel, or why it has no end. `played`: what was played, as everywhere."""
    sentence = _ENDED.get(duel.end, _ENDED[DuelEnd.CANCELLED])
    names = [escape.name(duel.challenger), escape.name(duel.opponent)]
    if len(game.standings) == len(names):  # a person whose data is deleted loses their name there
        names = [events.player_name(one.player, one.name) for one in game.standings]
    text = t(sentence, challenger=names[0], opponent=names[1])
    if duel.for_chips and duel.end is DuelEnd.CANCELLED:
        text = f"{text} {t(_CANCELLED_FOR_CHIPS if game.hands else _NO_CHIPS_LOST)}"
    return f"{t(_TITLE, game=played)}\n{text}"

"""Why no hand is being played, in one line, and what is said of players who ran out of time."""

from __future__ import annotations

from bot.table.state import RebuyOffer, SeatStatus
from bot.table.view import SeatedPlayerView, TableView
from bot.table.way_on import Awaited
from bot.text.escape import names_by_seat
from bot.text.formatting import join_and, relative_time_ms
from bot.text.language import message, plural, t

BUY_IN = message("Buy in {chips:,}")
BUY_IN_AGAIN = message("Buy in again")
JOIN_TABLE = message("Join table")
BREAK = message("Break")
END_BREAK = message("End break")
BREAK_BEGINS = message("The break begins now. It ends {when}.")
BREAK_BEGINS_LATER = message("The break begins after this hand.")
BREAK_ASKED = message("Asked. The break begins once most of the players want it ({votes} of {needed}).")
BREAK_IS_OVER = message("The break is over. {players}")
PLAY_GOES_ON = message("Play goes on. {players}")
BREAK_ENDED = message("You end the break.")

_NEXT_HAND = message("Next hand {when}")
_NEW_STAKES = message("**New stakes.** {names}: the next hand is dealt {when}. Sit out or leave if they don't suit you")
_BREAK = message("The table takes a break. It ends {when}")
_BREAK_WANTED = plural(
    "{names} asks for a break of {minutes} minutes ({votes} of {needed})",
    "{names} ask for a break of {minutes} minutes ({votes} of {needed})",
)
_GAME_CHOICE = message("{name} is choosing the next game")
_DEAL = message("The next hand starts when a player presses **Deal**")
_PLAYERS = plural("Waiting for one more player", "Waiting for {count} players")
_FIRST_HAND = message("Sit down and the first hand is dealt")
_NEXT_FOR_YOU = message("Sit down and the next hand is dealt")
_SITS_OUT = plural("{names} sits out", "{names} sit out")
_OUT_OF_TIME = plural("{names} ran out of time and sits out", "{names} ran out of time and sit out")
_ASKED = plural("{names} waits for the host's answer", "{names} wait for the host's answer")
_OUT_OF_CHIPS = plural("{names} is out of chips", "{names} are out of chips")
_AWAY = plural(
    "{names} is away: the dealer posts and folds for them", "{names} are away: the dealer posts and folds for them"
)
_MISSED_A_TURN = message("{names} ran out of time")


def reason_line(view: TableView) -> str:
    """Why no hand is being played: ``Waiting for one more player``; empty while one is."""
    way = view.way_on
    if way is None:
        return ""
    seats = [seat for seat in view.seats if seat.number in way.seats]
    match way.awaited:
        case Awaited.NEXT_HAND:
            return t(_NEXT_HAND, when=relative_time_ms(way.at))
        case Awaited.NEW_STAKES:
            return t(_NEW_STAKES, names=_names(view, seats), when=relative_time_ms(way.at))
        case Awaited.BREAK:
            return t(_BREAK, when=relative_time_ms(way.at))
        case Awaited.GAME_CHOICE:
            return t(_GAME_CHOICE, name=_names(view, seats))
        case Awaited.DEAL:
            return t(_DEAL)
        case Awaited.RETURN:
            late = all(seat.out_by_timeout for seat in seats)
            return t(_OUT_OF_TIME if late else _SITS_OUT, names=_names(view, seats), count=len(seats))
        case Awaited.CHIPS:
            asked = all(seat.rebuy is RebuyOffer.ASKED for seat in seats)
            return t(_ASKED if asked else _OUT_OF_CHIPS, names=_names(view, seats), count=len(seats))
        case Awaited.PLAYERS:
            if way.players_needed == 1 and view.seats and all(seat.practice for seat in view.seats):
                return t(_NEXT_FOR_YOU if view.hand_number else _FIRST_HAND)
            return t(_PLAYERS, count=way.players_needed)


def timeout_lines(view: TableView, *, just_told: bool = False) -> list[str]:
    """Who ran out of time and sits out, who missed a turn and has done nothing since, and in an event who is away. `reason_line` says it of
    the awaited.

    Args:
        just_told: the table says at this moment whose time is up.
    """
    awaited = view.way_on.seats if view.way_on is not None and view.way_on.awaited is Awaited.RETURN else ()
    out = [seat for seat in view.seats if seat.out_by_timeout and seat.number not in awaited]
    away = [seat for seat in view.seats if is_away(view, seat)]
    late = [seat for seat in view.seats if seat.missed_turns and not (seat.out_by_timeout or seat in away)]
    late = [seat for seat in late if seat.status is not SeatStatus.SITTING_OUT]
    lines = [t(_OUT_OF_TIME, names=_names(view, out), count=len(out))] if out else []
    lines += [t(_AWAY, names=_names(view, away), count=len(away))] if away else []
    return [*lines, t(_MISSED_A_TURN, names=_names(view, late))] if late and not just_told else lines


def is_away(view: TableView, seat: SeatedPlayerView) -> bool:
    """Whether a player in an event is away: by choice, or because they missed turns (SG-3)."""
    misses = view.settings.misses
    return view.settings.is_event and (seat.away or 0 < misses <= seat.missed_turns)


def _names(view: TableView, seats: list[SeatedPlayerView]) -> str:
    names = names_by_seat((seat.number, seat.name) for seat in view.seats)
    return join_and([names[seat.number] for seat in seats])


def break_wanted_line(view: TableView) -> str:
    """Who asks for a break, and how many more must want it; empty where nobody does, and during a break."""
    asked = view.break_wanted
    if asked is None:
        return ""
    names = [seat for seat in view.seats if seat.player in asked.wanted_by]
    return t(
        _BREAK_WANTED,
        names=_names(view, names),
        minutes=asked.minutes,
        votes=asked.votes,
        needed=asked.needed,
        count=len(names),
    )

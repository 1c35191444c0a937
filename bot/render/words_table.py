"""Words for the refusals of a table between hands (`bot.table.errors`)."""

from __future__ import annotations

from collections.abc import Mapping

from bot.engine.errors import TableError
from bot.render import escape
from bot.render.legal_words import joined
from bot.render.limits import cut
from bot.render.scene import ago
from bot.render.words_hand import NOTHING, who
from bot.render.words_house import UNCHANGED, named
from bot.table import errors as no
from bot.table.state import Entry

_ENTRIES = {Entry.WAIT: "wait for the big blind", Entry.POST: "post it now", Entry.BUY_BUTTON: "buy the button"}


def explain_table(error: TableError, names: Mapping[int, str]) -> str | None:
    """Say what was wrong and what would be right; None for an error that is not a table's."""
    return (
        _seats(error, names)
        or _blinds(error, names)
        or _settings(error)
        or _consent(error, names)
        or (_preselecting(error) if isinstance(error, no.CannotPreselect) else None)
    )


def _seats(error: TableError, names: Mapping[int, str]) -> str | None:
    match error:
        case no.NotSeated():
            return "You are not at this table. Use **Take a seat** first."
        case no.TableIsClosed(closing=closing):
            return f"This table closes after this hand. {NOTHING}" if closing else f"This table is closed. {NOTHING}"
        case no.AlreadySeated(seat=seat):
            return f"You are in seat {seat} already; one player, one seat. {NOTHING}"
        case no.SeatOccupied(seat=seat, free=free):
            rest = f"Free: {_numbers(free)}." if free else "No seat is free; join the waiting list."
            return f"Seat {seat} is taken. {rest} {NOTHING}"
        case no.NoSuchSeat(seat=seat, seats=seats):
            return f"There is no seat {seat:,}; seats are numbered 1 to {seats}. {NOTHING}"
        case no.TableFull(seats=seats, pack_limit=pack_limit):
            why = "The pack cannot serve another player" if pack_limit else f"All {seats} seats are taken"
            return f"{why}. You may join the waiting list. {NOTHING}"
        case no.SeatsKept(waiting=waiting, until=until):
            people = "1 player waits" if waiting == 1 else f"{waiting} players wait"
            when = f" The offer lapses {_when(until)}." if until else ""
            return f"The free seat is kept for the waiting list ({people}).{when} {NOTHING}"
        case no.BuyInOutOfBounds(chips=chips, least=least, most=most):
            return f"{chips:,} is no buy-in here: {_span(least, most)}. {NOTHING}"
        case no.BringBack(least=least, until=until):
            return f"You left with {least:,} chips less than an hour ago: bring at least these, until {_when(until)}. {NOTHING}"
        case no.TopUpTooLarge(most=most, max_buyin=max_buyin):
            room = f"You may add up to {most:,}." if most else "You have that much already."
            return f"The most on the table is {max_buyin:,}. {room} {NOTHING}"
        case no.RebuyFirst(least=least, most=most):
            return f"You have no chips on the table. Buy in for {_span(least, most)} with **Buy-in…**. {NOTHING}"
        case no.BankEmpty():
            return f"Your time bank is empty. {NOTHING}"
        case no.TimeNotYours(to_act=to_act):
            whose = f"It is {who(to_act, names)}'s turn." if to_act else "Nobody is to act right now."
            return f"{whose} The time bank is for your own. {NOTHING}"
        case no.AlreadyIn():
            return f"You are in the game already. {NOTHING}"
        case no.AlreadyOut(after_hand=after_hand):
            return f"You sit out after this hand. {NOTHING}" if after_hand else f"You sit out already. {NOTHING}"
        case no.AlreadyLeaving():
            return f"You leave after this hand; your chips come with you. {NOTHING}"
        case no.AlreadyWaiting(place=place):
            return f"You are on the waiting list, at place {place}. {NOTHING}"
        case no.NotWaiting():
            return f"You are not on the waiting list. {NOTHING}"
        case no.SeatIsFree(free=free):
            return f"Nobody has to wait: {_numbers(free)} {'is' if len(free) == 1 else 'are'} free. Use **Take a seat**. {NOTHING}"
        case no.TooFewPlayers(players=players):
            have = {0: "nobody is ready", 1: "one is ready"}.get(players, f"{players} are ready")
            return f"A deal needs two players with chips; {have}. {NOTHING}"
        case _:
            return None


def _preselecting(error: no.CannotPreselect) -> str:
    """Why nothing is noted before the turn (TL-34)."""
    call = f"it is {error.call:,} to call now" if error.call else "you could not check now"
    why = {
        no.NotNow.CUSTOM: "At this table what is said out of turn waits or binds, so nothing is noted beforehand",
        no.NotNow.NO_BETTING: "There is no betting now, and a note holds for one street only",
        no.NotNow.ALL_IN: "You are all-in and have nothing left to decide",
        no.NotNow.NO_CHECK: f"To check or fold is for when nobody has bet; {call}",
        no.NotNow.NO_CALL: "There is nothing to call now",
        no.NotNow.OTHER_CALL: f"You chose to call {error.chips:,}, and {call}",
    }[error.reason]
    return f"{why}. Nothing is noted."


def _blinds(error: TableError, names: Mapping[int, str]) -> str | None:
    match error:
        case no.BlindsOwed(live=live, dead=dead, entries=entries):
            owed = f"You owe {live + dead:,} in blinds" + (f" ({dead:,} of it dead)" if dead else "")
            return f"{owed}. You may {joined([_ENTRIES[entry] for entry in entries])}. {UNCHANGED}"
        case no.CannotBuyButton():
            return f"The button is not for sale in your seat. You come in at the big blind, or post. {UNCHANGED}"
        case no.NoStraddle():
            return f"This table plays without a straddle. {UNCHANGED}"
        case no.StraddleNotYours(seats=seats, to=to):
            may = joined([who(seat, names) for seat in seats]) if seats else "nobody"
            return f"A straddle is to {to:,}, before the deal; at the next deal {may} may. {UNCHANGED}"
        case no.StraddleInFull(to=to, stack=stack):
            return f"A straddle is posted in full: {to:,}, and you have {stack:,}. {UNCHANGED}"
        case _:
            return None


def _settings(error: TableError) -> str | None:
    match error:
        case no.HostOnly(host=host):
            asks = f" Ask <@{host}>." if host > 0 else ""
            return f"Only the host or staff may do that.{asks} {UNCHANGED}"
        case no.StaffOnly():
            return f"Only staff may do that. {UNCHANGED}"
        case no.HandRunning(what=what):
            return f"{_capital(escape.text(what))} is for between hands. Ask again when this hand is over. {UNCHANGED}"
        case no.NothingToChange():
            return f"The table has these settings already. {UNCHANGED}"
        case no.PracticeIsForGood():
            return f"A table is for practice, or not, from its opening on. {UNCHANGED}"
        case no.PracticeTablesOnly():
            return f"Practice players sit only at practice tables. {UNCHANGED}"
        case no.CapBelowSeated(seats=seats, seated=seated):
            return f"{seats} seats are too few: seat {seated} is taken. {UNCHANGED}"
        case no.PackCannotServe(seats=seats, most=most):
            return f"The pack cannot serve {seats} players; at this game it serves {most}. {UNCHANGED}"
        case no.GameSeats(seats=seats, least=least, most=most):
            return f"This game seats {_span(least, most)}, not {seats}. {UNCHANGED}"
        case no.SettingOutOfBounds(name=name, value=value, least=least, most=most):
            return f"The {named(name)} must be {_span(least, most)}, not {value:,}. {UNCHANGED}"
        case _:
            return None


def _consent(error: TableError, names: Mapping[int, str]) -> str | None:
    match error:
        case no.DealtInMayNotVoid():
            return f"You are dealt into this hand, so somebody else has to cancel it. {UNCHANGED}"
        case no.ReasonMissing():
            return f"Say why the hand is cancelled; the reason is written down. {UNCHANGED}"
        case no.NoHandRunning():
            return f"No hand is being played. {UNCHANGED}"
        case no.ProposalPending(player=player):
            by = f" by <@{player}>" if player > 0 else ""
            return f"Another change{by} awaits everybody's consent. {UNCHANGED}"
        case no.NothingProposed():
            return f"Nothing is proposed that you could agree or object to. {UNCHANGED}"
        case no.ChipsFromNowhere(total=total, player=player):
            if player:
                return f"{f'<@{player}>' if player > 0 else 'A player'} does not have that many chips. {UNCHANGED}"
            if not total:
                return f"An adjustment says who gives and who gets: `@Ann -500 @Bo +300 @Cy +200`. {UNCHANGED}"
            return f"An adjustment must come out even; this one is off by {abs(total):,}. {UNCHANGED}"
        case no.ShiftUnreadable(word=word):
            return (
                f"*{escape.text(cut(word, 60))}* is no player here with chips he gives or gets."
                f" Write it like `@Ann -500 @Bo +300 @Cy +200`, or with seat numbers. {UNCHANGED}"
            )
        case no.NobodyThere(seat=seat):
            return f"There is nobody in seat {seat} to exchange with. {UNCHANGED}"
        case no.ExchangePending():
            return f"Another exchange of seats is under way. {UNCHANGED}"
        case no.ReseatingTooSoon(until=until):
            return f"Seats were drawn less than an hour ago. They may be drawn again {_when(until)}. {UNCHANGED}"
        case _:
            return None


def _span(least: int, most: int) -> str:
    return f"{least:,}–{most:,}" if least < most else f"{most:,}"


def _numbers(seats: tuple[int, ...]) -> str:
    return ("seat " if len(seats) == 1 else "seats ") + ", ".join(map(str, seats))


def _when(ms: int) -> str:
    """A moment in ms since the epoch, rounded up to the second, counted by the reader's client."""
    return ago(-(-ms // 1000))


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]

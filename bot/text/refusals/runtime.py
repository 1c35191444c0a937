"""Sentences for what goes wrong around a table: outdated buttons, channels, saving (`bot.runtime`)."""

from __future__ import annotations

from bot.history.pokerstars import NotInPokerStarsForm, PokerStarsGap
from bot.runtime import errors as r
from bot.runtime import store_errors as store
from bot.text import escape
from bot.text.formatting import join_list
from bot.text.game_names import game_name
from bot.text.language import message, plural, t
from bot.text.refusals.explain import Counted, Either, NamesBySeat, explain, register_sentences

CHANGE_IT = message("Change it…")
EXPIRED_BUTTON = message("That was for an earlier action.")
PRESS_AGAIN = message("One moment: the dealer of that table is just coming back. Press again in a few seconds.")

register_sentences(
    {
        r.StaleButton: EXPIRED_BUTTON,
        r.NotInServer: message("Tables open in servers only. Try again in a channel of one."),
        r.OneServerOnly: message("That is about one server. Use it in a channel there."),
        r.SeatedSomewhere: message("You have a seat: {channels}. Press **Leave** there first."),
        r.NoTableHere: message("There's no table in this channel. `/play` opens one."),
        r.TableGone: message("That table is closed."),
        r.NoHandPlayed: Either(
            "searched", message("You played no hand there and then."), message("You haven't played a hand yet.")
        ),
        r.HandDeleted: message("Hand #{hand} was too old to keep and has been deleted. Choose a newer one."),
        r.WhichTable: message("No table was open in this channel. Name one: `/hand number:{hand} table:1`."),
        r.HandNotOver: message("Hand #{hand} is still being played. It can be replayed when it's over."),
        r.ShownAtTableOnly: message("That hand was played at a private table. Show it there."),
        r.HandUnreadable: message("The cards of hand #{hand} can't be read: their secret is lost."),
        r.TooManyPings: message("I can't tell any more people. Ask again later."),
        r.FileTooHard: message("That file takes too long to read. Split it, and try the parts."),
        r.FileBeingRead: message("I'm still reading your last file. Give me the next one after that."),
        r.FileNotFetched: message("I couldn't get that file from Discord. Try again in a moment."),
        r.ImportForgotten: message("That file has expired. `/hand hands:import` takes it again."),
        r.StillDealing: message("The last cards of this hand are still being dealt."),
        r.DealerStopping: message("The bot is about to restart. Everything on the tables is kept."),
        r.TableBroken: message("This table is stuck: a fault of ours. We're on it, and its chips are safe."),
        r.TooManyTables: message("This server has {table_count:,} tables, its maximum. `/lobby` shows them."),
        r.NeverClosesForStaffOnly: message("Only staff can keep an idle table open. Choose 1 or more."),
        r.NoPracticeTable: message("No practice table has a free seat. Use `/play` in another channel."),
        r.Banned: message("Staff have banned you from playing here. Your chips stay yours."),
        r.PlayerRoleMissing: message("You need {role} to play here. Ask the staff for it."),
        r.CannotBan: message("You can ban other people only, not yourself."),
        r.NotBanned: message("They aren't banned. `/house page:bans` lists who is."),
        r.TooManyReports: message("{maximum} reports of yours are waiting. Staff look at those first."),
        r.NoSuchAlarm: message("That alarm is gone. `/house page:flow` lists who gives chips to whom."),
        r.NoSuchReport: message("That report is done already. `/house page:reports` lists the others."),
        r.SeasonRuns: message("Season {number} is still open. `/season page:close` ends it."),
        r.NoSeason: message("No season is open. Staff open one with `/season page:open`."),
        r.NoSuchSeason: message("That season has no results. `/season page:hall` lists those that do."),
        r.RoleNotForWinners: message("That role is no prize. Choose one without permissions of its own."),
        store.SeasonResultsStale: message("The season was closed a moment ago: `/season page:results`."),
        store.StaleVersion: message("The table has moved on. Try again."),
        store.StaleClaims: message("You claimed that a moment ago."),
        store.ChannelTaken: message("Table {number} is open in this channel. Close it, or use another channel."),
        store.StoreClosed: message("The bot is restarting. Try again in a moment."),
        store.StatisticsBeingCounted: message("The hands played here are being counted. Try again in a minute."),
        store.StatisticsUnavailable: message("The statistics can't be read right now. Try again in a minute."),
        store.StoreFailed: message("That couldn't be saved, so nothing has changed. Try again in a moment."),
        r.UnreadableHandNumber: message("“{typed}” is no hand. Write 1284, or 3-1284 for table 3."),
        r.UnreadableDate: message("“{typed}” is no past date. Try yesterday, 20 Nov or 2026-11-20."),
        r.TooManyHostedTables: Counted(
            "table_count",
            plural(
                "You host {count:,} open table. Close it first: {channels}.",
                "You host {count:,} open tables. Close one first: {channels}.",
            ),
        ),
        r.TooManyPracticeTables: Counted(
            "table_count",
            plural(
                "You host {count:,} practice table. Close it first: {channels}.",
                "You host {count:,} practice tables. Close one first: {channels}.",
            ),
        ),
        r.SeatsElsewhere: Counted(
            "seat_count",
            plural(
                "You have {count:,} seat. Leave it first: {channels}.",
                "You have {count:,} seats. Leave one first: {channels}.",
            ),
        ),
        r.ExportedToday: message("You have had your data today. You can have it again {when}."),
        r.OneMoment: Counted(
            "seconds",
            plural(
                "One moment: that was a lot at once. Try again in {count:,} second.",
                "One moment: that was a lot at once. Try again in {count:,} seconds.",
            ),
        ),
        r.WorkTimeUsed: Counted(
            "seconds",
            plural(
                "I've worked {used:,} seconds for you lately. Try again in {count:,} second.",
                "I've worked {used:,} seconds for you lately. Try again in {count:,} seconds.",
            ),
        ),
        r.NoHandYet: Either(
            "hands",
            Counted(
                "hands",
                plural(
                    "That hand isn't there: {count:,} hand has been dealt at this table.",
                    "That hand isn't there: {count:,} hands have been dealt at this table.",
                ),
            ),
            message("No hand has been dealt at this table yet."),
        ),
        store.PersonSeated: Either(
            "tables",
            message("You have a seat at table {tables}. Press **Leave** there first."),
            message("You have chips on a table. Press **Leave** there first."),
        ),
        store.DataBeingDeleted: message("That data is being deleted right now. Try again in a minute."),
    }
)


@explain.register
def _(refusal: r.NoSuchTable, names: NamesBySeat) -> str:
    if not refusal.number:
        return t(message("There's no such table in this server."))
    if not refusal.known:
        return t(message("There's no table {number}. No table is open."), number=refusal.number)
    sentence = message("There's no table {number}. Open tables: {known}.")
    nearest = sorted(refusal.known, key=lambda number: abs(number - refusal.number))
    return t(sentence, number=refusal.number, known=join_list([str(number) for number in nearest]))


_POKERSTARS_GAPS = {
    PokerStarsGap.RULES: message("This table had rules of its own. Take PHH or the plain text."),
    PokerStarsGap.CARRIED_POT: message("The pot had chips of an earlier hand. Take PHH or the plain text."),
    PokerStarsGap.FORFEITED_CHIPS: message("Chips were lost out of turn here. Take PHH or the plain text."),
    PokerStarsGap.NOT_OVER: message("This hand isn't over yet. Take PHH or the plain text."),
}


@explain.register
def _(refusal: NotInPokerStarsForm, names: NamesBySeat) -> str:
    """Return why a hand is not written in PokerStars' form, and which files have it."""
    if refusal.gap is PokerStarsGap.GAME:
        game = escape.text(game_name(refusal.game), 60)
        return t(message("PokerStars never had {game}. Take PHH or the plain text."), game=game)
    return t(_POKERSTARS_GAPS[refusal.gap])

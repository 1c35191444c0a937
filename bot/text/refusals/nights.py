"""Sentences for the refusals of game nights (`bot.events.nights.refusals`)."""

from __future__ import annotations

from bot.events.nights import refusals as r
from bot.text.language import message, t
from bot.text.nights import moment
from bot.text.refusals.explain import Either, NamesBySeat, explain, register_sentences

register_sentences(
    {
        r.NoSuchNight: message("Those nights are over. `/night` plans new ones."),
        r.NightOver: message("That was for an earlier night. The next one has its own post."),
        r.NightHostOnly: message("Only {host}, who hosts these nights, and staff can do that."),
        r.NightTooFar: message("A night can be at most {days} days from now."),
        r.NightIsOpen: message("Its table is open already. Close the table to end the night."),
        r.NightsClash: message("“{name}” is at that hour in this channel. Choose another one."),
        r.TooManyNights: Either(
            "of_server",
            message("{maximum} game nights are planned here, the maximum. Cancel one first."),
            message("You host {maximum} game nights, the maximum. Cancel one first."),
        ),
        r.HostHasEnoughNights: message("{host} hosts {maximum} game nights already, the maximum."),
        r.TooManyAnswers: message("{maximum} people have answered already: there's no room."),
        r.NightPlayersOutOfBounds: message("It takes {minimum} to {maximum} people to begin."),
        r.NightTooLong: message("A night has at most {hands:,} hands and {hours} hours."),
        r.NightBreakTooLong: message("A break has at most {minutes} minutes, {hours} hours into the night."),
        r.NoNightToConfirm: message("The next night takes place already."),
        r.UnreadableNight: message("I can't read “{typed}”. Try Friday 20:00, or 4 Dec 8pm."),
        r.NoStandingsPoints: message("Write the points of each rank, as 10/7/5/3/1, or the word net."),
    }
)
_IN_PAST = message("{when} is over. Choose a day and hour to come.")


@explain.register
def _in_past(refusal: r.NightInPast, names: NamesBySeat) -> str:
    return t(_IN_PAST, when=moment(refusal.starts_at))

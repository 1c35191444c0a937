"""Sentences for what goes wrong around a table: outdated buttons, channels, saving (`bot.runtime`)."""

from __future__ import annotations

from bot.runtime import errors as r
from bot.runtime import store_errors as store
from bot.text.language import message, plural, t
from bot.text.lists import join_list
from bot.text.refusals.explain import NamesBySeat, explain, register_sentences

EXPIRED_BUTTON = message("That was for an earlier action.")

register_sentences(
    {
        r.StaleButton: EXPIRED_BUTTON,
        r.NoTableHere: message("There's no table in this channel. `/play` opens one."),
        r.TableGone: message("That table is closed."),
        r.HandUnreadable: message("The cards of hand #{hand} can't be read: their secret is lost."),
        r.StillDealing: message("The last cards of this hand are still being dealt."),
        r.DealerStopping: message("The bot is about to restart. Everything on the tables is kept."),
        r.TableBroken: message("This table is stuck: a fault of ours. We're on it, and its chips are safe."),
        store.StaleVersion: message("The table has moved on. Try again."),
        store.StaleClaims: message("You claimed that a moment ago."),
        store.ChannelTaken: message("Table {number} is open in this channel. Close it, or use another channel."),
        store.StoreClosed: message("The bot is restarting. Try again in a moment."),
        store.StoreFailed: message("That couldn't be saved, so nothing has changed. Try again in a moment."),
    }
)


@explain.register
def _(refusal: r.NoSuchTable, names: NamesBySeat) -> str:
    if not refusal.known:
        return t(message("There's no table {number}. No table is open."), number=refusal.number)
    sentence = message("There's no table {number}. Open tables: {known}.")
    nearest = sorted(refusal.known, key=lambda number: abs(number - refusal.number))
    return t(sentence, number=refusal.number, known=join_list([str(number) for number in nearest]))


@explain.register
def _(refusal: r.NoHandYet, names: NamesBySeat) -> str:
    if not refusal.hands:
        return t(message("No hand has been dealt at this table yet."))
    sentence = plural(
        "That hand isn't there: {count:,} hand has been dealt at this table.",
        "That hand isn't there: {count:,} hands have been dealt at this table.",
    )
    return t(sentence, count=refusal.hands)

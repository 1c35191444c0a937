"""What one person is told about their own place at a table: how they stand, that they ran out of time or chips, that a seat is free."""

from __future__ import annotations

from bot.ledger.accounts import TransferReason
from bot.ledger.gifts import WaysToPlay
from bot.table.state import AfterHand, SeatStatus
from bot.table.view import SeatedPlayerView, TableView
from bot.text import escape
from bot.text.formatting import relative_time_ms
from bot.text.language import Message, message, t
from bot.text.lobby import EVENING_MAX, table_name
from bot.text.way_on import is_away

ADD_CHIPS = message("Add chips…")
TABLE_MENU = message("More…")
OPEN_MENU = message("Menu…")
OTHER_AMOUNT = message("Other amount…")
NO_THANKS = message("No, thanks")

_SEATED = message("You're in seat {number} with **{chips:,}** chips.")
_SITTING_OUT = message("You're sitting out in seat {number} with **{chips:,}** chips.")
_RAN_OUT_OF_TIME = message("You ran out of time and sit out, in seat {number} with **{chips:,}** chips.")
_SITS_OUT_NEXT = message("You're in seat {number} and sit out from the next hand.")
_LEAVES_NEXT = message("You're in seat {number} and leave after this hand.")
_NOT_SEATED = message("You're not at this table.")
_NOT_SEATED_FULL = message("You're not at this table, and every seat is taken.")
OUT_OF_CHIPS = message("You're out of chips.")
_OUT_OF_CHIPS_WITH_GIFT = message("You're out of chips, but you can play on at once.")
_OUT_OF_CHIPS_UNTIL = message("You're out of chips. The house gives you more {when}.")
_TOO_FEW_CHIPS = message("You need {minimum:,} chips to sit down here, and you have less.")
_TOO_FEW_CHIPS_WITH_GIFT = message("You need {minimum:,} chips to sit down here. You can have them at once.")
_TOO_FEW_CHIPS_UNTIL = message(
    "You need {minimum:,} chips to sit down here, and you have less. The house gives you more {when}."
)
TAKE_FREE_CHIPS = message("Take {chips:,} free chips and play on")
TAKE_DAILY_CHIPS = message("Take {chips:,} daily chips and play on")
TAKE_CHIPS = message("Take {chips:,} chips and play on")
LOWER_TABLE = message("Lower table")
WATCHING = message("You're watching now and see what everybody sees. **Join table** gives you a seat again.")
_MISSED_TURN = message("You ran out of time.")
_MISSED_TURNS = message("You ran out of time and sit out now.")
_MISSED_TURNS_LATER = message("You ran out of time and sit out from the next hand.")
_AWAY = message(
    "You ran out of time at table {number}. The dealer posts and folds for you until you press **I'm back**."
)
_SEAT_LOST = message(
    "You were away too long, so your seat at {table} is free again. Your {chips:,} chips are in your wallet."
)
_SEAT_LOST_IN_GAME = message(
    "You were away too long, so your seat at {table} is free again. Your {chips:,} chips wait for you until the game ends."
)
_SEAT_LOST_BROKE = message("You didn't buy in again in time, so your seat at {table} is free again.")
_SEAT_OFFERED = message("A seat is free for you at {table}. The offer ends {until}.")
_SEAT_HELD = message("{host} holds a seat for you at {table}. The offer ends {until}.")
_OF_NIGHT = message("**{name}** · {when}\n{offer}")
_THIS_SEAT_HELD = message("{host} holds seat {number} for you at {table}. The offer ends {until}.")


_KEPT_OUT = message(
    "The host of {table} has asked you to leave. Your {chips:,} chips are in your wallet; `/lobby` shows other tables."
)
_LEAVES_FOR_HOST = message(
    "The host of {table} has asked you to leave after this hand. Play it to the end; all your chips go back to your wallet."
)


_KEPT_OUT_OF_GAME = message("The host of {table} has asked you to leave. You leave the game with {chips:,} chips.")
_LEAVES_GAME_FOR_HOST = message("The host of {table} has asked you to leave after this hand. Play it to the end.")


def kept_out_text(view: TableView, chips: int) -> str:
    """Tell somebody that the host has removed them, politely."""
    sentence = _KEPT_OUT_OF_GAME if view.settings.has_table_chips else _KEPT_OUT
    return t(sentence, table=table_name(view), chips=chips)


def leaves_for_host_text(view: TableView) -> str:
    """Tell somebody that the host removes them after this hand."""
    sentence = _LEAVES_GAME_FOR_HOST if view.settings.has_table_chips else _LEAVES_FOR_HOST
    return t(sentence, table=table_name(view))


def seated_text(view: TableView, seat: SeatedPlayerView) -> str:
    """How a seated player stands: ``You're in seat 2 with **9,800** chips.``"""
    if seat.after_hand is AfterHand.LEAVE:
        return t(_LEAVES_NEXT, number=seat.number)
    if seat.after_hand is AfterHand.SIT_OUT:
        return t(_SITS_OUT_NEXT, number=seat.number)
    if seat.status is SeatStatus.SITTING_OUT:
        return t(_RAN_OUT_OF_TIME if seat.out_by_timeout else _SITTING_OUT, number=seat.number, chips=seat.stack)
    return t(_SEATED, number=seat.number, chips=seat.stack)


def visitor_text(view: TableView) -> str:
    """What somebody without a seat is told."""
    return t(_NOT_SEATED if view.free_seats else _NOT_SEATED_FULL)


def out_of_chips_text(ways: WaysToPlay, *, seated: bool) -> str:
    """Say that somebody has too few chips to play, and what they can do or wait for."""
    when = relative_time_ms(ways.next_gift_at) if ways.next_gift_at else ""
    if ways.gift:
        sentence = _OUT_OF_CHIPS_WITH_GIFT if seated else _TOO_FEW_CHIPS_WITH_GIFT
    elif when and not ways.buy_in and not ways.lower:
        sentence = _OUT_OF_CHIPS_UNTIL if seated else _TOO_FEW_CHIPS_UNTIL
    else:
        sentence = OUT_OF_CHIPS if seated else _TOO_FEW_CHIPS
    return t(sentence, minimum=ways.minimum, when=when)


_TAKE: dict[tuple[TransferReason, ...], Message] = {
    (TransferReason.RELIEF,): TAKE_FREE_CHIPS,
    (TransferReason.DAILY,): TAKE_DAILY_CHIPS,
}


def take_gifts_label(ways: WaysToPlay) -> str:
    """The button that takes what the house gives: ``Take 2,000 free chips and play on``."""
    return t(_TAKE.get(ways.gifts, TAKE_CHIPS), chips=ways.gift)


def timed_out_text(view: TableView, seat: SeatedPlayerView) -> str:
    """``You ran out of time.``, and whether the player sits out because of it, or is away in an event."""
    if is_away(view, seat):
        return t(_AWAY, number=view.number)
    if seat.status is SeatStatus.SITTING_OUT:
        return t(_MISSED_TURNS)
    return t(_MISSED_TURNS_LATER if seat.after_hand is AfterHand.SIT_OUT else _MISSED_TURN)


def seat_offered_text(view: TableView, until: int, seat_number: int = 0, by: int = 0) -> str:
    """``A seat is free for you at Table 3. The offer ends in 60 seconds.``; at the table of a night, with its name and date above.

    Args:
        by: who holds it for them; `seat_number`: which one.
    """
    sentence: Message = _SEAT_OFFERED
    if by:
        sentence = _THIS_SEAT_HELD if seat_number else _SEAT_HELD
    offer = t(sentence, host=f"<@{by}>", table=table_name(view), number=seat_number, until=relative_time_ms(until))
    if not view.settings.evening:
        return offer
    when = f"<t:{view.settings.first_hand_at // 1000}:F>"
    return t(_OF_NIGHT, name=escape.text(view.settings.evening, EVENING_MAX), when=when, offer=offer)


def seat_lost_text(view: TableView, chips: int) -> str:
    """Tell a player who was away too long, or without chips, that their seat was given up."""
    if not chips:
        return t(_SEAT_LOST_BROKE, table=table_name(view))
    sentence = _SEAT_LOST_IN_GAME if view.settings.has_table_chips else _SEAT_LOST
    return t(sentence, table=table_name(view), chips=chips)

"""What people are told when something they asked for is done, or could not even be read."""

from __future__ import annotations

from collections.abc import Sequence

from bot.table.events import LeaveReason
from bot.text.formatting import join_and
from bot.text.language import Message, message, plural, t

SEATED_IN_CHANNEL = message("Your table is in {channel}.")
DONE = message("Done.")
ALREADY_DONE = message("That's already done.")
UNREADABLE_OPTION = message("The dealer couldn't read one of the options. Please try again.")
UNUSABLE_COMMAND = message("You can't use that command here. `/help` lists all of them.")
FORM_TOO_LATE = message("That took too long. Please press the button again.")
CANNOT_WRITE_HERE = message(
    "The dealer can't write in this channel. Whoever manages it can allow **View Channel** and **Send Messages** (in a "
    "thread **Send Messages in Threads**): Edit Channel → Permissions → add the dealer. Then open the table."
)

# seats and chips

LEFT = message("You've left the table.")
LEFT_WITH_CHIPS = message("You've left the table. Your {chips:,} chips are in your wallet.")
_REMOVED = message("You've been removed from table {number}.")
_TABLE_CLOSED = message("Table {number} is closed.")
_AWAY = message("You were away too long, so your seat at table {number} is free again.")
_BROKE = message("You didn't buy in again in time, so your seat at table {number} is free again.")
_REPLACED = message("A substitute has taken your seat at table {number}.")
LEAVES_AFTER_HAND = message("You'll leave after this hand and keep your chips. Changed your mind?")
LEAVES_FOLDED = message("You've folded, so you only wait: you leave when this hand ends, and keep your chips.")
SITS_OUT = message("You're sitting out.")
SITS_OUT_AFTER_HAND = message("You'll sit out from the next hand.")
BACK = message("You're back in.")
BACK_HOW = message("You're back in. {entry_note}")  # Translators: entry_note is a sentence of its own
TOPPED_UP = message("Added. Your stack is **{chips:,}**.")
TOPS_UP_LATER = message("**{chips:,}** will be added before the next hand.")
WAITING = message("You're number {number} on the waiting list. The dealer calls you when a seat is free.")
OFF_WAITING_LIST = message("You're off the waiting list.")
TABLE_CLOSES = message("Table {number} closes. Everyone is paid out.")
TABLE_CLOSES_AFTER_HAND = message("Last hand. Then table {number} closes and everyone keeps their chips.")

INVITED = message("Invited: {players}.")
ALREADY_INVITED = message("They can come already.")
INVITATION = message("{players} · {host} invites you to this table.")
REMOVED_FROM_TABLE = message(
    "{player} has left this table with all their chips. `/table page:invite` lets them come back."
)
REMOVED_AFTER_HAND = message(
    "{player} leaves after this hand with all their chips. `/table page:invite` lets them come back."
)
REMOVED_BY_STAFF = message("{player} has left the table. All their chips are back in their wallet.")
REMOVED_BY_STAFF_AFTER_HAND = message("{player} leaves after this hand. All their chips go back to their wallet.")
NO_LONGER_INVITED = message("{player} is no longer invited.")
CANNOT_INVITE_BANNED = message("{players} can't play in this server: staff have banned them.")
NO_PERSON = message("{player} is a bot. Choose a person.")
NOT_IN_SERVER = message("{player} isn't in this server, or the dealer can't see them right now.")
CANNOT_INVITE_BOTS = message("Bots don't play here. Invite people.")

HAND_FILE = message("Hand #{number}, with the cards you can see.")
NO_HAND_IN_MESSAGE = message(
    "That message shows no hand. Choose *Replay* on a message of a hand, or find the hand with `/hand`."
)
HAND_RUNNING = message("Hand #{number} is being played")
SETTING_NOW = message("Now {value}")

# agreements

ALL_AGREE = message("Everyone agrees, so it's done.")
AGREED = message("You agree. It's done once everyone at the table agrees.")
OBJECTED = message("You object, so it won't happen.")

# one's turn

TIME_BANK = message("Your time bank of {bank} starts by itself when the clock runs out. Your turn ends {ends}.")
NO_CARDS_YET = message("No cards have been dealt yet.")
STRADDLES_NEXT_DEAL = message("You'll straddle next hand.")
NO_STRADDLE_NEXT_DEAL = message("You won't straddle next hand.")

# before a hand

CUT_DECK = message("You cut the deck at {points}.")
CUT_FOR_DEAL = message("You cut for the first deal.")
CUT_FOR_DEAL_WITH = message("You cut for the first deal. {outcome}")  # Translators: outcome is a sentence of its own
DRAWN_FOR_DEAL = message("The first dealer is drawn.")
SEATS_DRAWN = message("Seats are drawn.")
DECLINED_CUT = message("You pass on the cut. Any other player can cut now.")
SHUFFLED = plural(
    "The deck is shuffled {count} extra time, then once more by the dealer.",
    "The deck is shuffled {count} extra times, then once more by the dealer.",
)
MISDEAL_AGREED = message("Everyone agrees: the hand doesn't count.\n-# Law TL-29")
MISDEAL_CLAIMED = message("The deck is whole. The hand won't count if everyone dealt in agrees.\n-# Law TL-29")
NO_BOMB_POT_WANTED = message("You no longer ask for a bomb pot.")
BOMB_POT_NEXT = message("Everyone wants it: the next hand is a bomb pot.")
BOMB_POT_WANTED = message("You ask for a bomb pot. It's dealt once everyone playing asks for it.")
NEXT_GAME = message("The next game is **{game}**.")

# who sits where

EXCHANGE_AGREED = message(
    "Agreed. You exchange seats once the others have had time to object and no hand is being played."
)
EXCHANGE_ASKED = message("Asked. You exchange seats when the other player asks for it too and nobody objects.")
SEAT_CHOSEN = message("When seats are drawn, yours is seat {seat}.")
SITS_LEFT_OF_BANKER = message("When seats are drawn, you'll sit left of the banker.")
JOINS_SEAT_DRAW = message("When seats are drawn, you'll draw with the others.")
SUBSTITUTE_NAMED = message("{player} can take your seat with `/sit`.")
NO_SUBSTITUTE = message("Nobody takes your seat.")
ADJUSTMENT_PROPOSED = message(
    "Proposed: {changes}. It's done once everyone at the table agrees, between hands.\n-# Law H-3"
)
CORRECTED = message("Done: {changes}.\n-# Law TC-6")
CORRECTED_AFTER_HAND = message("Done after this hand: {changes}.\n-# Law TC-6")
ADJUSTED = message("Done: {changes}.\n-# Law H-3")


def deck_cut(points: Sequence[int]) -> str:
    """``You cut the deck at 12 and 30.``"""
    return t(CUT_DECK, points=join_and([str(point) for point in sorted(points)]))


_OUT = message("You're out.")
_LEFT_FOR: dict[LeaveReason, Message] = {
    LeaveReason.ABSENT: _AWAY,
    LeaveReason.BUSTED: _BROKE,
    LeaveReason.REMOVED: _REMOVED,
    LeaveReason.KEPT_OUT: _REMOVED,
    LeaveReason.CLOSED: _TABLE_CLOSED,
    LeaveReason.REPLACED: _REPLACED,
    LeaveReason.OUT: _OUT,
}


LEFT_GAME = message("You've left the table. Any chips you have in this game wait for you until it ends.")
_LEFT_GAME_FOR: dict[LeaveReason, Message] = {
    LeaveReason.ABSENT: message(
        "You were away too long, so your seat at table {number} is free again. Your chips wait until the game ends."
    ),
    LeaveReason.BUSTED: _BROKE,
    LeaveReason.REMOVED: message("You've been removed from table {number}."),
    LeaveReason.KEPT_OUT: message("You've been removed from table {number}."),
    LeaveReason.CLOSED: message("The game at table {number} is over."),
    LeaveReason.REPLACED: message("A substitute has taken your seat at table {number}."),
    LeaveReason.OUT: _OUT,
}
"""The same of table chips, which go to no wallet."""


def left_text(reason: LeaveReason, table_number: int, *, table_chips: bool = False) -> str:
    """Tell somebody that they have left a table, and why. `table_chips`: it is a game of them."""
    if table_chips:
        return t(_LEFT_GAME_FOR.get(reason, LEFT_GAME), number=table_number)
    sentence = _LEFT_FOR.get(reason)
    return t(sentence, number=table_number) if sentence is not None else t(LEFT)

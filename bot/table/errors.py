"""What a table refuses between hands, as typed facts. Their words for people are `bot.render.wording`'s.

Amounts are chips, times ms since the epoch, seats table seat numbers.

Source: laws 0.3; the law of each is its `law`.
"""

from enum import StrEnum

from bot.engine.errors import LawError, TableError
from bot.table.state import Entry


class NotSeated(LawError):
    """He has no seat at this table."""

    law = "P-11"

    def __init__(self, *, player: int) -> None:
        super().__init__(f"player {player} is not seated at this table")
        self.player = player


class TableIsClosed(TableError):
    """The table is closed, or closes after this hand."""

    def __init__(self, *, closing: bool) -> None:
        super().__init__("the table closes after this hand" if closing else "the table is closed")
        self.closing = closing


class AlreadySeated(LawError):
    """One player, one seat."""

    law = "E-1"

    def __init__(self, *, seat: int) -> None:
        super().__init__(f"one player, one seat; you are in seat {seat}")
        self.seat = seat


class SeatOccupied(LawError):
    """Somebody sits there; `free` are the seats that are not taken. Before the first deal this is P-7, later P-11."""

    law = "P-11"

    def __init__(self, *, seat: int, free: tuple[int, ...], begun: bool) -> None:
        super().__init__(f"seat {seat} is taken; free: {', '.join(map(str, free)) or 'none'}")
        self.law = "P-11" if begun else "P-7"  # type: ignore[misc]
        self.seat, self.free = seat, free


class NoSuchSeat(LawError):
    """The table has no seat of that number."""

    law = "P-7"

    def __init__(self, *, seat: int, seats: int) -> None:
        super().__init__(f"there is no seat {seat}; seats are numbered 1 to {seats}")
        self.seat, self.seats = seat, seats


class TableFull(LawError):
    """Every seat is taken. `pack_limit`: the pack could not serve another player either (P-6)."""

    law = "P-3"

    def __init__(self, *, seats: int, pack_limit: bool) -> None:
        super().__init__("the pack cannot serve another player" if pack_limit else f"all {seats} seats are taken")
        if pack_limit:
            self.law = "P-6"  # type: ignore[misc]
        self.seats, self.pack_limit = seats, pack_limit


class SeatsKept(LawError):
    """The free seats are kept for the waiting list; `until` when the last offer lapses."""

    law = "P-11"

    def __init__(self, *, waiting: int, until: int) -> None:
        super().__init__(f"the free seat is offered to the waiting list ({waiting} waiting)")
        self.waiting, self.until = waiting, until


class BuyInOutOfBounds(LawError):
    """Chips to sit down with are outside the table's limits."""

    law = "TL-1"

    def __init__(self, *, chips: int, least: int, most: int) -> None:
        super().__init__(f"a buy-in of {chips} is outside {least} to {most}")
        self.chips, self.least, self.most = chips, least, most


class BringBack(LawError):
    """Who comes back within the hour brings at least what he took away."""

    law = "TL-27"

    def __init__(self, *, chips: int, least: int, until: int) -> None:
        super().__init__(f"bring back {least}, not {chips}, until {until}")
        self.chips, self.least, self.until = chips, least, until


class TopUpTooLarge(LawError):
    """More than the maximum buy-in allows on the table; `most` is what may still be added, 0 for nothing."""

    law = "TL-1"

    def __init__(self, *, chips: int, most: int, max_buyin: int) -> None:
        super().__init__(f"{chips} more would pass the maximum of {max_buyin}; at most {most} may be added")
        self.chips, self.most, self.max_buyin = chips, most, max_buyin


class RebuyFirst(LawError):
    """Nobody plays without chips."""

    law = "TL-1"

    def __init__(self, *, least: int, most: int) -> None:
        super().__init__(f"no chips on the table; buy in again for {least} to {most}")
        self.least, self.most = least, most


class BlindsOwed(LawError):
    """He missed blinds and must say how he comes in: wait for the big blind, or post."""

    law = "TL-10"

    def __init__(self, *, live: int, dead: int, entries: tuple[Entry, ...]) -> None:
        super().__init__(f"you owe {live + dead} ({dead} dead): post it, or wait for the big blind")
        self.live, self.dead, self.entries = live, dead, entries


class CannotBuyButton(LawError):
    """Only who sits between the button and the small blind of the next deal may buy the button."""

    law = "TL-11"

    def __init__(self, *, button: int, small: int) -> None:
        super().__init__("you enter at the big blind, or post; the button is not for sale in your seat")
        self.button, self.small = button, small


class AlreadyIn(LawError):
    """He plays already; there is nothing to come back from."""

    law = "TL-33"

    def __init__(self, *, seat: int) -> None:
        super().__init__(f"seat {seat} is in the game already")
        self.seat = seat


class AlreadyOut(LawError):
    """He sits out already, or is about to."""

    law = "TL-33"

    def __init__(self, *, seat: int, after_hand: bool) -> None:
        super().__init__(f"seat {seat} sits out" + (" after this deal" if after_hand else " already"))
        self.seat, self.after_hand = seat, after_hand


class AlreadyLeaving(LawError):
    """He leaves after this deal, and has said so before."""

    law = "TL-40"

    def __init__(self, *, seat: int) -> None:
        super().__init__("you leave after this deal")
        self.seat = seat


class NoStraddle(LawError):
    """The table, or the deal, knows no live straddle."""

    law = "TL-13"

    def __init__(self) -> None:
        super().__init__("there is no straddle at this table")


class StraddleNotYours(LawError):
    """Another seat may straddle at the next deal. `seats` are those that may, the one asked first first; `to` the amount."""

    law = "TL-13"

    def __init__(self, *, seats: tuple[int, ...], to: int) -> None:
        who = " or ".join(f"seat {seat}" for seat in seats) or "nobody"
        super().__init__(f"a straddle is 2 x big blind ({to}), before the deal; at the next deal {who} may")
        self.seats, self.to = seats, to


class StraddleInFull(LawError):
    """A voluntary straddle is posted in full or not at all."""

    law = "TL-42"

    def __init__(self, *, to: int, stack: int) -> None:
        super().__init__(f"a straddle is posted in full: {to}, and the stack is {stack}")
        self.to, self.stack = to, stack


class HostOnly(LawError):
    """The host (or staff) sets that. `host` is who it is now."""

    law = "H-1"

    def __init__(self, *, host: int) -> None:
        super().__init__("only the host or staff may do that")
        self.host = host


class StaffOnly(TableError):
    """Only staff may do that."""

    def __init__(self) -> None:
        super().__init__("only staff may do that")


class DealtInMayNotVoid(LawError):
    """Nobody voids a hand he is dealt into, staff or not."""

    law = "I-1"

    def __init__(self, *, player: int) -> None:
        super().__init__("a hand is not voided by somebody dealt into it")
        self.player = player


class ReasonMissing(LawError):
    """A hand is voided for a reason, and it is written down."""

    law = "I-1"

    def __init__(self) -> None:
        super().__init__("say why the hand is voided")


class NoHandRunning(LawError):
    """There is no hand to void."""

    law = "I-1"

    def __init__(self) -> None:
        super().__init__("no hand is being played")


class HandRunning(LawError):
    """That is done between deals."""

    law = "H-1"

    def __init__(self, *, law: str, what: str) -> None:
        super().__init__(f"{what} is done between deals")
        self.law = law  # type: ignore[misc]
        self.what = what


class NothingToChange(LawError):
    """The settings are these already."""

    law = "H-1"

    def __init__(self) -> None:
        super().__init__("the table has these settings already")


class PracticeIsForGood(TableError):
    """A table keeps its own books, or the people's, from opening to closing."""

    def __init__(self) -> None:
        super().__init__("a table is for practice, or not, from its opening on")


class PracticeTablesOnly(TableError):
    """Practice players sit only at practice tables."""

    def __init__(self) -> None:
        super().__init__("practice players sit only at practice tables")


class CapBelowSeated(LawError):
    """Players sit in seats that would go."""

    law = "P-3"

    def __init__(self, *, seats: int, seated: int) -> None:
        super().__init__(f"{seats} seats are too few: seat {seated} is taken")
        self.seats, self.seated = seats, seated


class PackCannotServe(LawError):
    """More seats than the pack can serve at this game."""

    law = "P-6"

    def __init__(self, *, seats: int, most: int) -> None:
        super().__init__(f"the pack cannot serve {seats} players; at this game it serves {most}")
        self.seats, self.most = seats, most


class GameSeats(LawError):
    """Fewer seats than the game needs."""

    law = "P-1"

    def __init__(self, *, sheet: str, seats: int, least: int, most: int) -> None:
        super().__init__(f"this game seats {least} to {most}, not {seats}")
        self.law = sheet  # type: ignore[misc]
        self.seats, self.least, self.most = seats, least, most


class SettingOutOfBounds(LawError):
    """A clock or another whole number of the settings is out of bounds."""

    law = "H-2"

    def __init__(self, *, name: str, value: int, least: int, most: int) -> None:
        super().__init__(f"{name} {value} is outside {least} to {most}")
        self.name, self.value, self.least, self.most = name, value, least, most


class ProposalPending(LawError):
    """Another change awaits consent."""

    law = "H-1"

    def __init__(self, *, player: int) -> None:
        super().__init__("another change is proposed already")
        self.player = player


class NothingProposed(LawError):
    """There is nothing to agree or to object to."""

    law = "H-1"

    def __init__(self) -> None:
        super().__init__("nothing is proposed")


class ChipsFromNowhere(LawError):
    """An adjustment that does not sum to nothing, or takes more than a player has (`player`, else 0)."""

    law = "H-3"

    def __init__(self, *, total: int, player: int = 0) -> None:
        super().__init__(
            f"player {player} does not have that much" if player else f"an adjustment sums to 0, not {total}"
        )
        self.total, self.player = total, player


class ShiftUnreadable(LawError):
    """A part of an adjustment names no player of this table with the chips he gives or gets."""

    law = "H-3"

    def __init__(self, *, word: str) -> None:
        super().__init__(f"{word!r} is no player of this table with chips to give or get")
        self.word = word


class AlreadyWaiting(TableError):
    """He is on the waiting list; `place` counts from 1."""

    def __init__(self, *, place: int) -> None:
        super().__init__(f"already waiting, at place {place}")
        self.place = place


class NotWaiting(TableError):
    """He is not on the waiting list."""

    def __init__(self) -> None:
        super().__init__("not on the waiting list")


class SeatIsFree(LawError):
    """Nobody needs to wait: there are free seats."""

    law = "P-11"

    def __init__(self, *, free: tuple[int, ...]) -> None:
        super().__init__(f"seats are free: {', '.join(map(str, free))}")
        self.free = free


class NobodyThere(LawError):
    """Seats are exchanged with another player, and nobody sits there."""

    law = "P-12"

    def __init__(self, *, seat: int) -> None:
        super().__init__(f"there is nobody in seat {seat} to exchange with")
        self.seat = seat


class ExchangePending(LawError):
    """Another exchange of seats is under way."""

    law = "P-12"

    def __init__(self) -> None:
        super().__init__("another exchange of seats is under way")


class ReseatingTooSoon(LawError):
    """After the start seats are drawn anew at most once an hour."""

    law = "P-10"

    def __init__(self, *, until: int) -> None:
        super().__init__(f"reseating is possible at {until}")
        self.until = until


class TooFewPlayers(LawError):
    """A deal, or a drawing of seats, needs two players with chips who do not sit out."""

    law = "P-1"

    def __init__(self, *, players: int) -> None:
        super().__init__(f"two players are needed; {players} can play")
        self.players = players


class TimeNotYours(LawError):
    """Time is called by the player to act; `to_act` is his seat, 0 when nobody is to act."""

    law = "TL-31"

    def __init__(self, *, to_act: int) -> None:
        super().__init__("not your turn: only the player to act may call time")
        self.to_act = to_act


class BankEmpty(LawError):
    """The time bank is spent."""

    law = "TL-31"

    def __init__(self) -> None:
        super().__init__("the time bank is empty")


class OnlyTheirChoice(LawError):
    """Before seats are drawn only the banker chooses a seat, and only the first dealer his place. `chooser` is who does, 0 for nobody."""

    law = "P-8"

    def __init__(self, *, law: str, chooser: int) -> None:
        super().__init__("the dealer chooses first" if law == "P-9" else "only the banker and the first dealer choose")
        self.law = law  # type: ignore[misc]
        self.chooser = chooser


class SubstituteTakesSeat(LawError):
    """A substitute takes the seat of the player he replaces, and no other."""

    law = "P-11"

    def __init__(self, *, seat: int) -> None:
        super().__init__(f"a substitute takes the same seat: {seat}")
        self.seat = seat


class DealIsSettled(LawError):
    """The first dealer has been found already."""

    law = "D-1"

    def __init__(self, *, dealer: int) -> None:
        super().__init__("the deal is settled")
        self.dealer = dealer


class NoCutForDeal(LawError):
    """Nobody cuts for the first deal where it is dealt for. `how` is the table's own way."""

    law = "D-2"

    def __init__(self, *, how: str) -> None:
        super().__init__(f"the first dealer is not cut for here, but found by: {how}")
        self.how = how


class BadLot(LawError):
    """A cut for the deal that cannot be: outside the pack, at a place taken, or a second one. `why` says which."""

    law = "D-2"

    def __init__(self, *, position: int, most: int, why: str) -> None:
        super().__init__(why)
        self.position, self.most, self.why = position, most, why


class CardsAreOut(LawError):
    """The cards are out: it is too late to shuffle or to cut."""

    law = "D-3"

    def __init__(self, *, law: str) -> None:
        super().__init__("cards are out")
        self.law = law  # type: ignore[misc]


class NotYoursToCut(LawError):
    """The player at the dealer's right cuts. `seat` is his, 0 while nobody knows who deals next."""

    law = "D-5"

    def __init__(self, *, seat: int) -> None:
        super().__init__("the right-hand player cuts")
        self.seat = seat


class PackIsCut(LawError):
    """There is one cut only."""

    law = "D-6"

    def __init__(self) -> None:
        super().__init__("the pack has been cut")


class MustCut(LawError):
    """Where the cut must be made it cannot be declined."""

    law = "D-5"

    def __init__(self) -> None:
        super().__init__("the right-hand player cuts; it cannot be declined here")


class PacketTooThin(LawError):
    """Two or three packets, and each needs five cards. `size` is the pack's."""

    law = "D-7"

    def __init__(self, *, size: int) -> None:
        super().__init__(
            f"each packet needs five cards: cut at 5 to {size - 5}, at one point or at two that lie five apart"
        )
        self.size = size


class DealNotDeclined(LawError):
    """Nobody passes up his turn to deal."""

    law = "D-12"

    def __init__(self) -> None:
        super().__init__("the deal may not be declined")


class ClaimNotYours(LawError):
    """A misdeal is claimed by somebody who is dealt in."""

    law = "I-2"

    def __init__(self) -> None:
        super().__init__("only a player who is dealt in may claim a misdeal")


class ChooseOneOf(LawError):
    """The dealer chooses from the allowed list. `games` are their names; `chooser` is the seat that chooses now, 0 for none."""

    law = "VC-28"

    def __init__(self, *, games: tuple[str, ...], chooser: int) -> None:
        super().__init__(f"choose one of {', '.join(games)}" if chooser else "nobody chooses a game now")
        self.games, self.chooser = games, chooser


class NotYourChoice(LawError):
    """Another player holds the marker of dealer's choice."""

    law = "VC-28"

    def __init__(self, *, chooser: int) -> None:
        super().__init__(f"seat {chooser} chooses the next game")
        self.chooser = chooser


class NotEnoughGames(LawError):
    """A mixed table needs two games or more, and a rule for changing them. `why` says what is missing."""

    law = "VC-28"

    def __init__(self, *, why: str) -> None:
        super().__init__(why)
        self.why = why


class NoBombPot(LawError):
    """The table knows no bomb pot."""

    law = "VC-29"

    def __init__(self) -> None:
        super().__init__("there is no bomb pot at this table")


class CapMissing(LawError):
    """Where a pot is matched without table stakes, the loss of a deal must be capped."""

    law = "VC-27"

    def __init__(self) -> None:
        super().__init__("set a cap or table stakes")


class BadHouseName(LawError):
    """A house game needs a name of its own, in one line. `why` says what is wrong with this one."""

    law = "H-2"

    def __init__(self, *, name: str, why: str) -> None:
        super().__init__(why)
        self.name, self.why = name, why


class NotNow(StrEnum):
    """Why something cannot be chosen before one's turn."""

    CUSTOM = "at this table what is said out of turn waits or binds"
    NO_BETTING = "there is no betting now"
    ALL_IN = "you are all-in and have nothing to decide"
    NO_CHECK = "you could not check now"
    NO_CALL = "there is nothing to call now"
    OTHER_CALL = "the call is another one now"


class CannotPreselect(LawError):
    """This cannot be chosen before one's turn. `chips` is the call that was chosen, `call` what there is to call now, in chips."""

    law = "TL-34"

    def __init__(self, *, why: NotNow, call: int = 0, chips: int = 0) -> None:
        super().__init__(why.value)
        self.reason, self.call, self.chips = why, call, chips

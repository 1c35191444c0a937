"""The refusals of a table between hands.

Amounts are chips, times ms since the epoch, seats numbers at the table, and players, hosts and choosers Discord ids (negative for practice
players). Where a class is raised under several laws, it declares the usual one.
"""

from bot.engine.errors import LawError, TableError
from bot.table.state import EntryMethod

# Taking a seat


class NotSeated(LawError, law="P-11"):
    """The player has no seat at this table."""


class TableIsClosed(TableError):
    """The table is closed, or closes after this hand (`closing`)."""

    closing: bool


class AlreadySeated(LawError, law="E-1"):
    """One player, one seat."""

    seat_number: int


class SeatOccupied(LawError, law="P-11"):
    """Somebody sits there. Before the first hand this is P-7."""

    seat_number: int
    free_seats: tuple[int, ...]


class NoSuchSeat(LawError, law="P-7"):
    """The table has no seat of that number."""

    seat_number: int
    seat_count: int


class TableFull(LawError, law="P-3"):
    """Every seat is taken."""

    seat_count: int


class DeckServesNoMore(TableFull, law="P-6"):
    """Every seat is taken, and the deck has no cards for another player."""


class SeatsReserved(LawError, law="P-11"):
    """The free seats are kept for the waiting list; `until` when the last offer lapses."""

    waiting_count: int
    until: int


class SeatHeld(LawError, law="P-11"):
    """A seat is held for `player` until then."""

    seat_number: int
    player: int
    until: int


class SittingHere(TableError):
    """A seat is held for somebody who has one here."""

    player: int
    seat_number: int


class CannotHoldSeat(TableError):
    """Seats are held for people, not for practice players."""


class PracticeTablesOnly(TableError):
    """Practice players sit only at practice tables."""


class SubstituteMustTakeSeat(LawError, law="P-11"):
    """A substitute takes the seat of the player they replace, and no other."""

    seat_number: int


class NotYourSeatChoice(LawError, law="P-8"):
    """Before seats are drawn only the host chooses a seat, and only the first dealer (P-9) chooses where to sit.

    `chooser` is the player who does, 0 for nobody.
    """

    chooser: int


class SeatIsEmpty(LawError, law="P-12"):
    """Seats are exchanged with another player, and nobody sits there."""

    seat_number: int


class SeatExchangePending(LawError, law="P-12"):
    """Another exchange of seats is under way."""


class ReseatingTooSoon(LawError, law="P-10"):
    """After the start seats are drawn anew at most once an hour."""

    until: int


# The waiting list


class AlreadyOnWaitingList(TableError):
    """The player is on the waiting list; positions count from 1."""

    waiting_position: int


class NotOnWaitingList(TableError):
    """The player is not on the waiting list."""


class SeatsAreFree(LawError, law="P-11"):
    """Nobody needs to wait: there are free seats."""

    free_seats: tuple[int, ...]


# Chips


class BuyInOutOfBounds(LawError, law="TL-1"):
    """The chips to sit down with are outside the table's limits."""

    minimum: int
    maximum: int


class MustBringChipsBack(LawError, law="TL-27"):
    """A player who comes back within the hour brings at least what they took away."""

    minimum: int
    until: int


class TopUpTooLarge(LawError, law="TL-1"):
    """More than the maximum buy-in on the table; `maximum` is what can still be added, 0 for nothing."""

    maximum: int
    max_buyin: int


class StartingStackOnly(LawError, law="TC-2"):
    """Everybody buys in with the starting stack; who took chips away brings exactly these back (`returning`)."""

    chips: int
    returning: bool = False


class StackTooLargeForRebuy(LawError, law="TC-3"):
    """A rebuy needs a stack of at most half the starting stack."""

    stack: int
    starting_stack: int


class NoMoreRebuys(LawError, law="TC-3"):
    """The player has bought again as often as this game allows: `maximum` times."""

    maximum: int


class HostIsAsked(LawError, law="TC-4"):
    """The rebuy is asked for already, or it has to be asked for first: at `until` no answer is a yes. `host` is asked."""

    host: int
    until: int


class RebuyRefused(LawError, law="TC-4"):
    """A host said no, and that stands until then."""

    until: int


class RebuyAnsweredAlready(LawError, law="TC-4"):
    """Nobody asks for this rebuy any more."""


class RebuyNotYours(LawError, law="TC-4"):
    """The question is not for this person yet. `host` is asked; `only_yes`: it is, but only a host says no."""

    host: int
    only_yes: bool = False


class TableChipsNeedTableStakes(LawError, law="TC-7"):
    """Table chips are played with table stakes only."""


class ChipsCannotChange(LawError, law="TC-1"):
    """A table plays with the same kind of chips from its opening to its closing."""


class RebuyRequired(LawError, law="TL-1"):
    """Nobody plays without chips."""

    minimum: int
    maximum: int


class AdjustmentUnreadable(LawError, law="H-3"):
    """A part of an adjustment names no player of this table with the chips they give or get. `similar` are names most like it."""

    word: str
    similar: tuple[str, ...] = ()


class AdjustmentEmpty(LawError, law="H-3"):
    """An adjustment names nobody."""


class AdjustmentNotBalanced(LawError, law="H-3"):
    """An adjustment moves chips between players; `total` is what it would make, or remove when negative."""

    total: int


class AdjustmentTooLarge(LawError, law="H-3"):
    """An adjustment takes more from a player than they have."""

    player: int


class AdjustmentNotOfOneHand(LawError, law="H-3"):
    """The players of an adjustment were not all dealt into one hand at this table."""


class AdjustmentGainsTooMuch(LawError, law="H-3"):
    """An adjustment gives a player more than the others put into the hand; `maximum` is what it can still give."""

    player: int
    maximum: int


class AdjustmentGivesTooMuch(LawError, law="H-3"):
    """An adjustment takes more from a player than they took out of the hand; `maximum` is what it can still take."""

    player: int
    maximum: int


class NoBookToCorrect(LawError, law="TC-6"):
    """Staff correct chips only where a book is kept of table chips."""


class NotInBook(LawError, law="TC-6"):
    """A correction names somebody who has not bought in to this game."""

    player: int


class BoughtTooLittle(LawError, law="TC-6"):
    """A correction takes back more than a player has bought; `maximum` is what they have."""

    player: int
    maximum: int


# Playing, sitting out, leaving


class BlindsOwed(LawError, law="TL-10"):
    """The player missed blinds and has to say how they come in. `live` and `dead` are the chips of a post."""

    live: int
    dead: int
    entry_methods: tuple[EntryMethod, ...]


class CannotBuyButton(LawError, law="TL-11"):
    """Only a player between the button and the small blind of the next hand can buy the button."""


class AlreadyPlaying(LawError, law="TL-33"):
    """The player plays already; there is nothing to come back from."""


class AlreadySittingOut(LawError, law="TL-33"):
    """The player sits out already, or will from the next hand (`after_hand`)."""

    after_hand: bool


class AlreadyLeaving(LawError, law="TL-40"):
    """The player leaves after this hand, and has said so before."""


class TooFewPlayers(LawError, law="P-1"):
    """A hand, or a drawing of seats, needs two players with chips who do not sit out."""

    player_count: int


class CallTimeNotYourTurn(LawError, law="TL-31"):
    """Only the player to act calls time; the seat is 0 when nobody is to act."""

    seat_number_to_act: int


class TimeBankEmpty(LawError, law="TL-31"):
    """The time bank is spent."""


# Straddles before a hand


class NoStraddle(LawError, law="TL-13"):
    """The table, or the hand, has no live straddle."""


class StraddleNotYours(LawError, law="TL-13"):
    """Another seat can straddle at the next hand: those of `seat_numbers`, in the order they are asked. `to` is the amount."""

    seat_numbers: tuple[int, ...]
    to: int


class StraddleMustBeFull(LawError, law="TL-42"):
    """A voluntary straddle is posted in full or not at all."""

    to: int
    stack: int


# The host, staff and consent


class HostOnly(LawError, law="H-1"):
    """Only the host or staff can do that."""

    host: int


class NotInvited(TableError):
    """The table is private, and its host has not invited the player."""

    host: int


class KeptOutOfTable(TableError):
    """The host has removed the player from this table."""

    host: int


class CannotKeepOut(TableError):
    """Nobody removes themselves, a practice player, or the host."""


class NotAtTable(TableError):
    """The player to be removed neither sits at the table nor waits for a seat."""

    player: int


class TooManyInvited(TableError):
    """A private table takes only so many people."""

    maximum: int


class OpenToEverybody(TableError):
    """The table is not private, and nobody needs an invitation."""


class StaffOnly(TableError):
    """Only staff can do that."""


class ProposalPending(LawError, law="H-1"):
    """Another change, proposed by `player`, awaits consent."""

    player: int


class NothingProposed(LawError, law="H-1"):
    """There is nothing to agree or to object to."""


class DealtInCannotVoid(LawError, law="I-1"):
    """Nobody voids a hand that they are dealt into, staff or not."""


class ReasonMissing(LawError, law="I-1"):
    """Whoever voids a hand or changes chips gives a reason, and it is written down."""


class NoHandRunning(LawError, law="I-1"):
    """There is no hand to void."""


class HandRunning(LawError, law="H-1"):
    """That is done between hands."""


# Settings


class NothingToChange(LawError, law="H-1"):
    """The settings are these already."""


class PracticeCannotChange(TableError):
    """A table is for practice, or not, from its opening to its closing."""


class SeatCountBelowSeated(LawError, law="P-3"):
    """Players sit in seats that would go."""

    seat_count: int
    highest_taken_seat: int


class DeckTooSmall(LawError, law="P-6"):
    """More seats than the deck can serve at this game."""

    seat_count: int
    maximum: int


class SeatCountOutOfBounds(LawError, law="P-1"):
    """Fewer seats than the game needs, or more than its law allows. The law is that of the game."""

    seat_count: int
    minimum: int
    maximum: int


class SettingOutOfBounds(LawError, law="H-2"):
    """A clock or another whole number of the settings is out of bounds."""

    name: str
    value: int
    minimum: int
    maximum: int


class TooManyNotes(LawError, law="H-2"):
    """More house rules in writing than a table keeps."""

    maximum: int


class InvalidNote(LawError, law="H-2"):
    """A house rule in writing that is empty or too long."""

    maximum: int


class LossCapMissing(LawError, law="VC-27"):
    """Where a pot is matched without table stakes, the loss of a hand must be capped."""


class InvalidHouseGameName(LawError, law="H-2"):
    """A house game needs a name, in one line of at most `maximum` letters."""

    maximum: int


class TooManyHouseGames(LawError, law="H-2"):
    """A server keeps at most `maximum` house games."""

    maximum: int


class UnknownHouseGame(LawError, law="H-2"):
    """No house game has that name. `known` are those of the server."""

    name: str
    known: tuple[str, ...] = ()


# The first dealer, the shuffle and the cut


class FirstDealerAlreadyFound(LawError, law="D-1"):
    """The first dealer has been found already."""


class NoFirstDealCut(LawError, law="D-2"):
    """Nobody cuts for the first deal here: the table finds the dealer in another way."""


class InvalidFirstDealCut(LawError, law="D-2"):
    """A cut for the first deal that cannot be made."""


class CutPointOutsideDeck(InvalidFirstDealCut):
    """Cut points for the first deal are numbered from 1 to `maximum`."""

    maximum: int


class CutPointTaken(InvalidFirstDealCut):
    """Somebody cut for the first deal at the same point."""


class AlreadyCutForFirstDeal(InvalidFirstDealCut):
    """The player has cut for the first deal already, or is not among those who cut again."""


class CardsAlreadyDealt(LawError, law="D-3"):
    """The cards are out: it is too late to shuffle or to cut."""


class NotYoursToCut(LawError, law="D-5"):
    """The player at the dealer's right cuts; their seat is 0 while nobody knows who deals next."""

    seat_number: int


class DeckAlreadyCut(LawError, law="D-6"):
    """There is only one cut."""


class CutRequired(LawError, law="D-5"):
    """At this table the cut cannot be declined."""


class CutPacketTooSmall(LawError, law="D-7"):
    """A cut makes two or three packets, and each needs five cards. The last point to cut at is `maximum`."""

    maximum: int


class DealCannotBeDeclined(LawError, law="D-12"):
    """Nobody passes up their turn to deal."""


class MisdealClaimNotYours(LawError, law="I-2"):
    """Only a player who is dealt in claims a misdeal."""


# Mixed games


class NoGameChoiceNow(LawError, law="VC-28"):
    """Nobody chooses a game now."""


class InvalidGameChoice(LawError, law="VC-28"):
    """The dealer chooses from the table's `games`, which are names. `word` is what was typed, if it was."""

    games: tuple[str, ...]
    word: str = ""


class NotYourGameChoice(LawError, law="VC-28"):
    """Another player holds the marker of dealer's choice."""

    chooser_seat: int


class NotEnoughGames(LawError, law="VC-28"):
    """A mixed table needs two games or more."""


class FirstGameNotInMix(LawError, law="VC-28"):
    """A mixed table begins with one of its own games."""


class UnknownGameChange(LawError, law="VC-28"):
    """Games change after a lap, a number of hands or minutes, or by the dealer's choice."""


class NoBombPot(LawError, law="VC-29"):
    """The table has no bomb pot."""


# Choosing before one's turn


class CannotPreselect(LawError, law="TL-34"):
    """This cannot be chosen before one's turn. Calls are chips to put in, 0 where there is nothing to call."""


class OutOfTurnCounts(CannotPreselect):
    """At this table an action out of turn waits for the turn, or binds, so nothing is chosen ahead."""


class NoBettingNow(CannotPreselect):
    """There is no betting now, and a choice holds for one street only."""


class NothingLeftToDecide(CannotPreselect):
    """The player is all-in."""


class CannotCheckAhead(CannotPreselect):
    """Somebody has bet, so the player could not check."""

    call: int


class CannotCallAhead(CannotPreselect):
    """There is nothing to call."""


class CallHasChanged(CannotPreselect):
    """The call is not the one that was chosen any more."""

    call: int
    chosen_call: int


class LinesNeedTime(CannotPreselect, law="WT-2"):
    """Lines with a condition are written where turns can take hours."""


class NothingToCallUpTo(CannotPreselect, law="WT-2"):
    """The most chips of a call are none, or more than there can be."""


# A break of the whole table


class BreakLengthOutOfBounds(TableError):
    """A break lasts so many minutes."""

    minimum: int
    maximum: int


class AlreadyOnBreak(TableError):
    """The table takes a break; `until` when."""

    until: int


class NoBreak(TableError):
    """The table takes no break."""


class BreakNotYours(TableError):
    """Only players who wanted the break end it early; `until` when it ends by itself."""

    until: int


class OffInEvents(LawError, law="SG-14"):
    """Tables offer it elsewhere, and events do not: joining, adding chips, straddles, other stakes, and the like."""

"""Sentences for the refusals of a table between hands (`bot.table.refusals`)."""

from __future__ import annotations

from bot.table import refusals as r
from bot.table.state import EntryMethod
from bot.text import escape
from bot.text.formatting import join_list, join_or
from bot.text.game_names import game_name
from bot.text.language import message, plural, t
from bot.text.legal_actions import number_range
from bot.text.refusals.explain import (
    Counted,
    Either,
    NamesBySeat,
    explain,
    register_sentences,
)
from bot.text.refusals.house import setting_name
from bot.variants.closest import closest_words

register_sentences(
    {
        # Seats
        r.NotSeated: message("You're not at this table. Press **Take a seat** first."),
        r.AlreadySeated: message("You're already sitting here (seat {seat_number})."),
        r.NoSuchSeat: message("There's no seat {seat_number:,}. Seats are 1 to {seat_count}."),
        r.TableFull: message("All {seat_count} seats are taken. You can join the waiting list."),
        r.DeckServesNoMore: message("There aren't enough cards for one more. You can join the waiting list."),
        r.PracticeTablesOnly: message("Practice players sit only at practice tables."),
        r.SubstituteMustTakeSeat: message("You can take only the seat kept for you: seat {seat_number}."),
        r.SeatHeld: message("Seat {seat_number} is held for {player}. It's free again {when}."),
        r.SittingHere: message("{player} sits here already, in seat {seat_number}."),
        r.CannotHoldSeat: message("A seat can be held for a person, not for a practice player."),
        r.SeatIsEmpty: message("Nobody sits in seat {seat_number}, so there's nobody to exchange with."),
        r.NoBreak: message("There's no break right now."),
        r.BreakLengthOutOfBounds: message("A break can be {minimum} to {maximum} minutes long."),
        r.SeatExchangePending: message("Two players are already exchanging seats. Wait until they're done."),
        r.NotOnWaitingList: message("You're not on the waiting list."),
        r.AlreadyOnWaitingList: message("You're already on the waiting list (number {waiting_position})."),
        # Table chips
        r.StartingStackOnly: Either(
            "returning",
            message("You left this game with {chips:,} chips, and you bring exactly these back."),
            message("Everybody sits down with {chips:,} chips here."),
        ),
        r.StackTooLargeForRebuy: message(
            "You have {stack:,}. With at most half of {starting_stack:,} you can fill up again."
        ),
        r.NoMoreRebuys: Either(
            "maximum",
            Counted(
                "maximum", plural("You've had your rebuy of this game.", "You've had your {count} rebuys of this game.")
            ),
            message("There are no rebuys in this game."),
        ),
        r.HostIsAsked: Either(
            "until",
            message("{host} is asked. No answer is a yes {when}."),
            message("Ask the host for a rebuy first."),
        ),
        r.RebuyRefused: message("The host said no. You can ask again {when}."),
        r.RebuyAnsweredAlready: message("That was answered."),
        r.RebuyNotYours: Either(
            "only_yes", message("You can say yes. Only a host says no."), message("{host} is asked, not you.")
        ),
        r.TableChipsNeedTableStakes: message("Table chips need table stakes."),
        r.ChipsCannotChange: message("A table keeps its kind of chips. Open another table."),
        # Playing, sitting out, leaving
        r.AlreadyPlaying: message("You're already in."),
        r.AlreadyLeaving: message("You're already leaving after this hand, with your chips."),
        r.CannotBuyButton: message("You can't buy the button from this seat."),
        r.TimeBankEmpty: message("Your time bank is empty."),
        r.NoStraddle: message("There's no straddle at this table."),
        r.StraddleMustBeFull: message("A straddle is {to:,}, and you have {stack:,}."),
        # The host, staff and consent
        r.StaffOnly: message("Only staff can do that."),
        r.CannotKeepOut: message("You can remove other players, not the host, yourself or a practice player."),
        r.TooManyInvited: message("At most {maximum} people can be invited to a table."),
        r.OpenToEverybody: message("This table is open to everybody. Send them its link."),
        r.NothingProposed: message("Nobody has proposed anything."),
        r.DealtInCannotVoid: message("You're in this hand, so another staff member has to cancel it."),
        r.ReasonMissing: message("Give a reason. It's kept on record."),
        r.NoHandRunning: message("No hand is being played."),
        r.HandRunning: message("Wait until this hand is over."),
        r.AdjustmentEmpty: message("Say who gives and who gets: `@Ann -500 @Bo +300 @Cy +200`."),
        r.AdjustmentNotOfOneHand: message("Stacks can be corrected only among players who were in one hand here."),
        r.NoBookToCorrect: message("Only games for table chips have a book that can be corrected."),
        r.NotInBook: message("{player} hasn't bought in to this game."),
        r.BoughtTooLittle: message("{player} has bought {maximum:,} here, so no more can go back."),
        # Settings
        r.NothingToChange: message("That's already how the table is set."),
        r.PracticeCannotChange: message("Practice is chosen when a table opens. Open another table."),
        r.SeatCountBelowSeated: message("Seat {highest_taken_seat} is taken, so {seat_count} seats are too few."),
        r.DeckTooSmall: message("There are only cards for {maximum} players in this game, not for {seat_count}."),
        r.TooManyNotes: message("A table keeps at most {maximum} house notes, one on each line."),
        r.InvalidNote: message("A house note has at most {maximum} letters. Start a new line."),
        r.LossCapMissing: message("Set a maximum to match, or play table stakes."),
        r.InvalidHouseGameName: message("A house game needs a name of at most {maximum} letters."),
        r.TooManyHouseGames: message("A server keeps at most {maximum} house games. Delete one first."),
        # The first dealer, the shuffle and the cut
        r.FirstDealerAlreadyFound: message("The first dealer has already been drawn."),
        r.NoFirstDealCut: message("Nobody cuts for the first deal at this table."),
        r.CutPointOutsideDeck: message("Choose a card from 1 to {maximum}."),
        r.CutPointTaken: message("Someone has already cut there. Choose another card."),
        r.AlreadyCutForFirstDeal: message("You've already cut."),
        r.CardsAlreadyDealt: message("It's too late: the cards are out."),
        r.DeckAlreadyCut: message("The deck has already been cut."),
        r.CutRequired: message("At this table you have to cut."),
        r.CutPacketTooSmall: message("Leave at least 5 cards in each packet: cut from 5 to {maximum}."),
        r.DealCannotBeDeclined: message("You can't pass up the deal. The dealer deals for you."),
        r.MisdealClaimNotYours: message("Only a player in the hand can call a misdeal."),
        # Mixed games
        r.NoGameChoiceNow: message("Nobody is choosing a game right now."),
        r.NotEnoughGames: message("A mixed table needs at least two games."),
        r.FirstGameNotInMix: message("A mixed table has to begin with one of its own games."),
        r.UnknownGameChange: message("Games change by rounds, hands, minutes or the dealer's choice."),
        r.NoBombPot: message("There are no bomb pots at this table."),
        # Choosing before one's turn
        r.OutOfTurnCounts: message("At this table actions out of turn count, so you can't decide ahead."),
        r.NoBettingNow: message("There's no betting now. You can decide ahead once there is."),
        r.NothingLeftToDecide: message("You're all-in, so there's nothing left to decide."),
        r.CannotCallAhead: message("There's no bet to call yet."),
        r.LinesNeedTime: message("Such a line is for tables where a turn can take an hour or more."),
        r.NothingToCallUpTo: message("Write how many chips you'd call at most, such as 400."),
        r.NotInvited: message("This table is private. {host} can invite you."),
        r.KeptOutOfTable: message("You were removed from this table. {host} can invite you back."),
        r.NotAtTable: message("{player} isn't at this table."),
        r.TableIsClosed: Either(
            "closing", message("This table closes after this hand."), message("This table is closed.")
        ),
        r.SeatOccupied: Either(
            "free_seats",
            message("Seat {seat_number} is taken. Free seats: {free_seats}."),
            message("Seat {seat_number} is taken, and no seat is free. You can join the waiting list."),
        ),
        r.SeatsReserved: message("The free seat is kept for the waiting list. Try again {when}."),
        r.NotYourSeatChoice: Either(
            "chooser",
            message("Before seats are drawn it's for {chooser} to choose."),
            message("Before seats are drawn only the host and the first dealer choose a seat."),
        ),
        r.ReseatingTooSoon: message("Seats were drawn within the hour. You can draw again {when}."),
        r.SeatsAreFree: Counted(
            "free_seats", plural("There's a free seat: {free_seats}.", "There are free seats: {free_seats}.")
        ),
        r.AlreadyOnBreak: message("The table takes a break. It ends {when}."),
        r.BreakNotYours: message("Only a player who wanted the break can end it. It ends {when}."),
        r.BuyInOutOfBounds: message("Buy-ins here are {range}."),
        r.MustBringChipsBack: message(
            "You left with {minimum:,} chips less than an hour ago. Bring at least that back, or wait: it ends {when}."
        ),
        r.TopUpTooLarge: Either(
            "maximum",
            message("You can add up to {maximum:,}. The maximum on the table is {max_buyin:,}."),
            message("You already have the maximum of {max_buyin:,} on the table."),
        ),
        r.RebuyRequired: message("You're out of chips. Press **Join table** or use `/rebuy` to bring {range}."),
        r.AdjustmentTooLarge: Either(
            "player",
            message("{player} doesn't have that many chips."),
            message("A player doesn't have that many chips."),
        ),
        r.AdjustmentGivesTooMuch: Either(
            "player",
            message("{player} can give at most {maximum:,}, what they got from that hand."),
            message("A player can give at most {maximum:,}, what they got from that hand."),
        ),
        r.AdjustmentGainsTooMuch: Either(
            "player",
            message("{player} can get at most {maximum:,} more out of what was put into it."),
            message("A player can get at most {maximum:,} more out of what was put into the hand."),
        ),
        r.AlreadySittingOut: Either(
            "after_hand",
            message("You're already sitting out from the next hand."),
            message("You're already sitting out."),
        ),
        r.TooFewPlayers: Either(
            "player_count",
            Counted(
                "player_count",
                plural(
                    "It takes two players with chips, and only {count} is ready.",
                    "It takes two players with chips, and only {count} are ready.",
                ),
            ),
            message("It takes two players with chips, and nobody is ready."),
        ),
        r.CallTimeNotYourTurn: Either(
            "seat_number_to_act",
            message("It's {player}'s turn. You can add time when it's yours."),
            message("Nobody has to act right now, so there's no time to add."),
        ),
        r.StraddleNotYours: Either(
            "seat_numbers",
            message("Only {players} can straddle the next hand, for {to:,}."),
            message("Nobody can straddle the next hand."),
        ),
        r.HostOnly: Either(
            "host",
            message("Only the host ({host}) or staff can do that."),
            message("Only the host or staff can do that."),
        ),
        r.ProposalPending: Either(
            "player",
            message("A change by {player} is waiting for everyone to agree."),
            message("Another change is waiting for everyone to agree."),
        ),
        r.SeatCountOutOfBounds: message("This game is for {range} players, not for {seat_count}."),
        r.NotYoursToCut: Either(
            "seat_number", message("It's {player}'s turn to cut."), message("The player on the dealer's right cuts.")
        ),
        r.NotYourGameChoice: message("It's {player}'s turn to choose the game."),
        r.CannotCheckAhead: Either(
            "call", message("There's a bet: it's {call:,} to call."), message("You couldn't check now.")
        ),
        r.CallHasChanged: Either(
            "call",
            message("You chose to call {chosen_call:,}, but it's {call:,} now."),
            message("You chose to call {chosen_call:,}, but there's nothing to call now."),
        ),
    }
)

ENTRIES = {
    EntryMethod.WAIT: message("wait for the big blind"),
    EntryMethod.POST: message("post now"),
    EntryMethod.BUY_BUTTON: message("buy the button"),
}
"""The ways to come back into the game, inside a sentence."""


@explain.register
def _(refusal: r.UnknownHouseGame, names: NamesBySeat) -> str:
    name, similar = escape.text(refusal.name, 60), closest_words(refusal.name, refusal.known)
    if not similar:
        return t(message("There's no house game called “{name}”."), name=name)
    meant = join_or([escape.text(one, 60) for one in similar])
    return t(message("There's no house game called “{name}”. Did you mean {similar}?"), name=name, similar=meant)


@explain.register
def _(refusal: r.AdjustmentUnreadable, names: NamesBySeat) -> str:
    if refusal.similar:
        meant = join_or([escape.name(name) for name in refusal.similar])
        sentence = message("Nobody here is called “{word}”. Did you mean {similar}?")
        return t(sentence, word=escape.text(refusal.word, 60), similar=meant)
    sentence = message(
        "“{word}” doesn't name a player here and their chips. Write it like `@Ann -500 @Bo +300 @Cy +200`, or with seat numbers."
    )
    return t(sentence, word=escape.text(refusal.word, 60))


@explain.register
def _(refusal: r.AdjustmentNotBalanced, names: NamesBySeat) -> str:
    return t(message("The changes have to add up to zero: they're off by {chips:,}."), chips=abs(refusal.total))


@explain.register
def _(refusal: r.BlindsOwed, names: NamesBySeat) -> str:
    ways = join_or([t(ENTRIES[entry]) for entry in refusal.entry_methods])
    sentence = message("You missed blinds: {chips:,}. You can {ways}.")
    if refusal.dead:
        sentence = message("You missed blinds: {chips:,}, {dead:,} to the pot. You can {ways}.")
    return t(sentence, chips=refusal.live + refusal.dead, dead=refusal.dead, ways=ways)


@explain.register
def _(refusal: r.SettingOutOfBounds, names: NamesBySeat) -> str:
    sentence = message("The {name} can be {range}, not {value:,}.")
    bounds = number_range(refusal.minimum, refusal.maximum)
    return t(sentence, name=setting_name(refusal.name), range=bounds, value=refusal.value)


@explain.register
def _(refusal: r.InvalidGameChoice, names: NamesBySeat) -> str:
    similar = closest_words(refusal.word, refusal.games) if refusal.word else ()
    games = join_or([escape.text(game_name(game), 80) for game in similar or refusal.games])
    if similar:
        sentence = message("“{word}” isn't a game of this table. Did you mean {games}?")
        return t(sentence, word=escape.text(refusal.word, 60), games=games)
    return t(message("Choose one of {games}."), games=games)


def _numbers(seats: tuple[int, ...]) -> str:
    return join_list([str(seat) for seat in seats])

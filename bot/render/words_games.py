"""Words for the refusals of games and ceremonies: what does not go together, whose cut it is, who chooses the next game."""

from __future__ import annotations

from bot.engine.errors import TableError
from bot.engine.refusals import NoCheckRaise
from bot.render import escape
from bot.render.legal_words import joined
from bot.render.words_hand import NOTHING
from bot.render.words_house import UNCHANGED
from bot.table import errors as no
from bot.variants.finding import NotABettingGame
from bot.variants.modifiers import CannotModify


def explain_games(error: TableError) -> str | None:
    """Say what was wrong and what would be right; None for an error of another kind."""
    return _games(error) or _ceremonies(error)


def _games(error: TableError) -> str | None:
    match error:
        case NotABettingGame(word=word):
            return f"{escape.text(word)} is not a betting game, so it is not dealt here. {NOTHING}"
        case CannotModify(game=game, word=word, because=because):
            return f"{escape.text(word)} does not go with {escape.text(game)}: {escape.text(because)}. {NOTHING}"
        case NoCheckRaise():
            return f"You have checked, and this game knows no check-raise: call or fold. {NOTHING}"
        case no.ChooseOneOf(games=games, chooser=chooser):
            if not chooser:
                return f"Nobody chooses a game right now. {UNCHANGED}"
            return f"Choose one of {escape.text(joined(games))}. {UNCHANGED}"
        case no.NotYourChoice(chooser=chooser):
            return f"The player in seat {chooser} chooses the next game. {UNCHANGED}"
        case no.NotEnoughGames(why=why):
            return f"{escape.text(why[:1].upper() + why[1:])}. {UNCHANGED}"
        case no.BadHouseName(why=why):
            return f"{escape.text(why[:1].upper() + why[1:])}. {UNCHANGED}"
        case no.NoBombPot():
            return f"There is no bomb pot at this table. {UNCHANGED}"
        case no.CapMissing():
            return f"Set a cap on what a deal may cost, or play table stakes. {UNCHANGED}"
        case _:
            return None


def _ceremonies(error: TableError) -> str | None:
    match error:
        case no.OnlyTheirChoice(chooser=chooser):
            who = f"<@{chooser}>" if chooser > 0 else "the banker or the first dealer"
            return f"Before seats are drawn it is for {who} to choose. {UNCHANGED}"
        case no.SubstituteTakesSeat(seat=seat):
            return f"A substitute takes the same seat: seat {seat}. {NOTHING}"
        case no.DealIsSettled():
            return f"The first deal is settled already. {UNCHANGED}"
        case no.NoCutForDeal():
            return f"Nobody cuts for the first deal here; it is drawn for. {UNCHANGED}"
        case no.BadLot(why=why):
            return f"{escape.text(why[:1].upper() + why[1:])}. {UNCHANGED}"
        case no.CardsAreOut():
            return f"The cards are out. {UNCHANGED}"
        case no.NotYoursToCut(seat=seat):
            whose = f"the player in seat {seat}" if seat else "the player at the dealer's right"
            return f"The cut is for {whose}. {UNCHANGED}"
        case no.PackIsCut():
            return f"The pack has been cut. {UNCHANGED}"
        case no.MustCut():
            return f"Here the cut must be made; it cannot be declined. {UNCHANGED}"
        case no.PacketTooThin(size=size):
            return f"Each packet needs five cards: cut at 5 to {size - 5}. {UNCHANGED}"
        case no.DealNotDeclined():
            return f"The deal may not be declined; it is done for you. {UNCHANGED}"
        case no.ClaimNotYours():
            return f"Only a player who is dealt in may say that the deal was irregular. {NOTHING}"
        case _:
            return None

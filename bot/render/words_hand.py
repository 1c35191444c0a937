"""Words for the refusals of the hand (`bot.engine.refusals`)."""

from __future__ import annotations

from collections.abc import Mapping

from bot.engine import refusals as no
from bot.engine.cards import RANK_PLURALS
from bot.engine.errors import LawError, TableError
from bot.render import escape
from bot.render.legal_words import joined, you_may
from bot.render.scene import NBSP

NOT_MOVED = "Your chips have not moved."
NOTHING = "Nothing happened."

_ASKED = {
    "straddle": "whether to straddle",
    "draw": "which cards to change",
    "drop": "which cards to give up",
    "pass": "which cards to pass",
    "arrange": "the order of the cards",
    "declare": "a declaration",
    "offer": "a yes or no",
    "run it twice": "a yes or no to running it twice",
    "show": "a hand to be shown or mucked",
    "bet": "a check, bet, call, raise or fold",
}


def explain_hand(error: TableError, names: Mapping[int, str]) -> str | None:
    """Say what was wrong and what is legal now; None for an error that is not the hand's. `names` are by table seat."""
    match error:
        case no.HandOver():
            return f"That hand is over. {NOTHING}"
        case no.NotDealtIn():
            return f"You have no cards in this hand. You play again from the next deal you are in. {NOTHING}"
        case no.NotYourTurn(to_act=to_act):
            whose = f"It is {who(to_act, names)}'s turn." if to_act else "Nobody is to act right now."
            return f"{whose} {NOTHING}"
        case no.HandIsDead():
            return f"You have folded, and a folded hand stays folded. {NOTHING}"
        case no.NotAskedNow(asked=asked):
            waits = _ASKED.get(asked)
            return (f"The dealer waits for {waits}." if waits else "That is not asked for now.") + f" {NOTHING}"
        case no.CannotCheck(level=level, owe=owe):
            return _with(error, f"A bet of {level:,} stands and you owe {owe:,}, so you cannot check.")
        case no.CheckingBarred(law=law):
            why = (
                "You have checked once already: bet or fold."
                if law == "C-5"
                else "This game has no checking: bet or fold."
            )
            return _with(error, why)
        case no.MustOpen(least=least):
            return _with(error, f"You must open with at least {least:,}.")
        case no.CannotCall(owe=owe, stack=stack):
            return _with(error, f"This table plays without all-in: a call costs {owe:,} and you have {stack:,}.")
        case no.NothingToCallYet(least=least):
            return _with(error, f"Nobody has opened yet. Open with at least {least:,}, or fold.")
        case no.NotAnAmount(to=to):
            return _with(
                error, f"{to:,} is not a bet: chips are whole, at least one, and no more than a table can hold."
            )
        case no.RaiseTooSmall(min_to=min_to, opening=opening):
            what = f"The minimum bet is {min_to:,}." if opening else f"The minimum raise is to {min_to:,}."
            return _with(error, what)
        case no.RaiseTooLarge(max_to=max_to, opening=opening):
            what = f"The most you may bet is {max_to:,}." if opening else f"The most you may raise to is {max_to:,}."
            return _with(error, what)
        case no.WrongSize(only_to=only_to, opening=opening):
            what = f"The bet here is {only_to:,}, no more and no less."
            if not opening:
                what = f"The raise here is to {only_to:,}, no more and no less."
            return _with(error, what)
        case no.StackTooShort(to=to, max_to=max_to):
            return _with(error, f"{to:,} is more than you have on the table. All-in is to {max_to:,}.")
        case no.RaisesCapped(cap=cap):
            return _with(error, f"This street has seen its {cap} raises. You may only call or fold.")
        case no.BettingNotReopened():
            return _with(error, "The last raise was less than a full one, so you may not raise again.")
        case no.NoCheckRaise():
            return _with(error, "You have checked on this street, and this game knows no check-raise.")
        case no.NobodyToRaise():
            return _with(error, "Everybody else is all-in, so there is nobody to raise.")
        case no.ActedOutOfTurn():
            return _with(error, "You put chips in out of turn, so you may not raise now.")
        case no.OnlyEqualNow():
            return _with(error, "Before the draw you may only make your stake equal, or fold.")
        case no.ShowsFirst(seat=seat):
            return f"{who(seat, names, capital=True)} shows first. {NOTHING}"
        case no.MustShow(law=law):
            rule = {
                "TL-21": "With a player all-in every hand is shown.",
                "Z-5": "You were called, and who calls may see your hand.",
            }.get(law, "At this table every hand is shown.")
            return f"{rule} Your cards stay on the table."
        case no.PlayStands():
            return f"It is too late to call this a misdeal: play has gone on, and it stands. {NOTHING}"
        case no.WaitUntilTheEnd():
            return f"You may show your cards when the hand is over. {NOTHING}"
        case no.AlreadyShown():
            return f"Your cards are open already, or gone. {NOTHING}"
        case no.NothingToSay():
            return f"Nothing is to be said of wild cards or aces now: the cards speak. Show without it. {NOTHING}"
        case no.TooManyCards(chosen=chosen, most=most):
            return f"You chose {chosen}; you may change at most {most}. Your cards are unchanged."
        case no.NotYourCard():
            return "You do not hold that card. Your cards are unchanged."
        case no.AlreadyServed():
            return f"You have drawn, or stood pat, and that stands. {NOTHING}"
        case no.DrawsFirst(seat=seat):
            return f"{who(seat, names, capital=True)} draws first. {NOTHING}"
        case no.EqualFirst(owe=owe):
            return _with(error, f"You owe {owe:,} before you draw: put it in, or fold.")
        case no.StraddleClosed(law=law, most=most):
            why = {
                "A-4": "The cards are out.",
                "A-5": "The first who might have straddled did not.",
                "A-7": f"Straddling stops at half the limit, {most:,}.",
            }.get(law, "Somebody declined.")
            return f"No straddle is possible any more. {why} {NOT_MOVED}"
        case no.NotNextToStraddle(next_seat=next_seat):
            return f"{who(next_seat, names, capital=True)} is the next who may straddle. {NOT_MOVED}"
        case no.WrongStraddle(only=only):
            return f"The straddle is exactly {only:,}. {NOT_MOVED}"
        case no.ChooseExactly(count=count):
            return f"Choose exactly {count} of your cards. Your cards are unchanged."
        case no.UnknownWord(words=words):
            return f"You may declare {joined([escape.text(word, 20) for word in words])}. {NOTHING}"
        case no.HasChosen():
            return f"You have chosen, and that stands. {NOTHING}"
        case no.NoOpeners(rank=rank):
            return _with(error, f"Only a pair of {RANK_PLURALS[rank]} or better may open.")
        case no.NothingOffered():
            return f"Nothing is offered to you now. {NOTHING}"
        case _:
            return None


def who(seat: int, names: Mapping[int, str], *, capital: bool = False) -> str:
    """Name the player at a table seat in bold, or the seat."""
    name = names.get(seat)
    if name is not None:
        return f"**{name}**"
    return f"{'S' if capital else 's'}eat{NBSP}{seat}"


def _with(error: LawError, wrong: str) -> str:
    """Wrong, then legal, then that nothing has changed."""
    return " ".join(part for part in (wrong, you_may(error.legal), NOT_MOVED) if part)

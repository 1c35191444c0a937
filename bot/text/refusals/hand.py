"""Sentences for the refusals of a hand (`bot.engine.refusals`), of wild cards and of cards that cannot be read."""

from __future__ import annotations

from bot.engine import refusals as r
from bot.engine.errors import UnknownCard
from bot.engine.legal import Decision
from bot.engine.ranking import errors as ranking
from bot.text import escape
from bot.text.formatting import join_or
from bot.text.game_words import declaration
from bot.text.language import message, plural, t
from bot.text.refusals.explain import UNEXPLAINED, Counted, Either, NamesBySeat, explain, register_sentences

register_sentences(
    {
        r.HandOver: message("That hand is over."),
        r.NotDealtIn: message("You have no cards in this hand."),
        r.HandIsDead: message("You've folded this hand."),
        r.NothingOffered: message("There's nothing to accept or decline right now."),
        r.AlreadyChosen: message("You've already chosen, and a choice can't be taken back."),
        r.PlayStands: message("It's too late to call a misdeal: play has gone on, so the hand stands."),
        r.CannotCheck: message("You can't check: it's {to_call:,} to call."),
        r.CheckingNotAllowed: message("There's no checking in this game."),
        r.AlreadyCheckedOnce: message("You can check only once, and you already have."),
        r.MustOpen: message("You have to open for at least {minimum:,}."),
        r.CannotCall: message("A call costs {to_call:,} and you have {stack:,}. There's no all-in at this table."),
        r.NothingToCallYet: message("Nobody has opened yet. Opening costs at least {minimum:,}."),
        r.NotAnAmount: message("A bet of {to:,} isn't possible."),
        r.StackTooShort: message("You don't have {to:,} on the table. All-in is {maximum:,}."),
        r.RaisesCapped: message("No more raises on this street: the maximum is {cap}."),
        r.BettingNotReopened: message("You can't raise again: the last raise was less than a full one."),
        r.NoCheckRaise: message("You checked on this street, so you can't raise. This game has no check-raise."),
        r.NobodyToRaise: message("Everyone else is all-in, so there's nobody to raise."),
        r.NobodyCanCallMore: message("Nobody else has more chips than the call, so a raise would come back to you."),
        r.ActedOutOfTurn: message("You put chips in out of turn, so you can't raise now."),
        r.OnlyCallOrFoldNow: message("You've already acted before the draw, so you can't raise now."),
        r.CallBeforeDraw: message("The bets have to be equal before you draw."),
        r.StraddleClosed: message("It's too late to straddle this hand."),
        r.StraddleLimitReached: message("Straddles stop at half the limit, which is {maximum:,}."),
        r.WrongStraddle: message("The straddle is exactly {required:,}."),
        r.NotYourCard: message("You don't hold that card. Name each of your cards only once."),
        r.AlreadyDrew: message("You've already drawn, and a draw can't be taken back."),
        r.MustShow: message("You can't muck: this hand has to be shown."),
        r.WaitUntilTheEnd: message("You can show your cards once the hand is over."),
        r.WholeHandIsShown: message("At the showdown you show your whole hand; single cards come later."),
        r.AlreadyShown: message("Your cards are already shown, or gone."),
        r.NothingToDesignate: message("There's nothing to name here: your cards speak for themselves."),
        ranking.NoSuchCard: message("A wild card has to stand for a card of this deck."),
        UnknownCard: message("“{word}” isn't a card. Write `As`, `Td`, `9c` or `Jk`."),
        r.NotYourTurn: Either("seat_number", message("It's {player}'s turn."), message("Nobody has to act right now.")),
        r.RaiseTooSmall: Either(
            "opening", message("The minimum bet is {minimum:,}."), message("The minimum raise is to {minimum:,}.")
        ),
        r.RaiseTooLarge: Either(
            "opening", message("The maximum bet is {maximum:,}."), message("The maximum raise is to {maximum:,}.")
        ),
        r.NoOpeners: message("You need a pair of {rank} or better to open."),
        r.NotNextToStraddle: message("The straddle is offered to {player} now."),
        r.TooManyCards: Either(
            "deck_is_short",
            Counted(
                "maximum",
                plural(
                    "The deck is almost used up. You can draw only {count} card.",
                    "The deck is almost used up. You can draw only {count} cards.",
                ),
            ),
            Counted("maximum", plural("You can draw at most {count} card.", "You can draw at most {count} cards.")),
        ),
        r.DrawsFirst: message("It's {player}'s turn to draw."),
        r.WrongCardCount: Counted(
            "count", plural("Choose exactly {count} of your cards.", "Choose exactly {count} of your cards.")
        ),
        r.ShowsFirst: message("It's {player}'s turn to show."),
        ranking.NotWild: message("{card} isn't a wild card of yours."),
        ranking.AlreadyHeld: message("You already hold {as_card}, so your wild card can't be it too."),
        ranking.BugCannotBe: message(
            "The bug can't be {as_card}: it's an ace, or it completes a straight, a flush or a special hand."
        ),
    }
)

WAITING_FOR = {
    Decision.NONE: UNEXPLAINED,
    Decision.BET: message("Not now: this is a betting round."),
    Decision.STRADDLE: message("Not now: straddles come first."),
    Decision.DRAW: message("Not now: players are drawing cards."),
    Decision.GIVE_UP: message("Not now: players are discarding."),
    Decision.PASS_CARDS: message("Not now: players are passing cards."),
    Decision.ARRANGE: message("Not now: players are arranging their cards."),
    Decision.DECLARE: message("Not now: players are declaring."),
    Decision.OFFER: message("Not now: an offer has to be answered first."),
    Decision.RUN_TWICE: message("Not now: players are choosing whether to deal the rest once or twice."),
    Decision.SHOW: message("Not now: hands are being shown."),
}


@explain.register
def _(refusal: r.NotAskedNow, names: NamesBySeat) -> str:
    return t(WAITING_FOR[refusal.expected])


@explain.register
def _(refusal: r.WrongSize, names: NamesBySeat) -> str:
    bet, raise_ = message("A bet is exactly {required:,} here."), message("A raise is to exactly {required:,} here.")
    if refusal.legal is not None and refusal.legal.completes:
        bet = raise_ = message("You complete to exactly {required:,} here.")
    elif refusal.or_required:
        bet = message("A bet is {required:,} or {or_required:,} here.")
        raise_ = message("A raise is to {required:,} or {or_required:,} here.")
    return t(bet if refusal.opening else raise_, required=refusal.required, or_required=refusal.or_required)


@explain.register
def _(refusal: r.UnknownDeclaration, names: NamesBySeat) -> str:
    return t(
        message("You can declare {words}."),
        words=join_or([escape.text(declaration(word), 20) for word in refusal.words]),
    )

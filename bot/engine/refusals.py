"""The refusals of the hand: what a seat asked for and why the dealer may not do it.

Each holds facts only; `bot.render.wording` has the words. Amounts are chips; "to" is a street total.

Source: laws 0.3 and the law each class names.
"""

from bot.engine.cards import RANK_PLURALS
from bot.engine.errors import LawError


class PlayStands(LawError):
    """A misdeal was claimed too late."""

    law = "TL-29"

    def __init__(self, *, law: str) -> None:
        super().__init__("substantial action: play stands" if law == "TL-29" else "too late: play stands")
        self.law = law  # type: ignore[misc]


class HandOver(LawError):
    """The deal is over; nothing more can be done in it."""

    law = "TL-35"

    def __init__(self) -> None:
        super().__init__("that deal is over")


class NotDealtIn(LawError):
    """The seat has no cards in this deal."""

    law = "TL-37"

    def __init__(self) -> None:
        super().__init__("you are not dealt into this hand")


class NotYourTurn(LawError):
    """Another seat is to act. `to_act` is its table seat number, 0 when nobody is."""

    law = "B-10"

    def __init__(self, *, to_act: int) -> None:
        super().__init__(f"it is seat {to_act}'s turn" if to_act else "nobody is to act")
        self.to_act = to_act


class HandIsDead(LawError):
    """The seat has dropped; a dropped hand cannot be taken back, and has no turn to check, bet, call, raise or drop (B-10)."""

    law = "B-14"

    def __init__(self, *, law: str = "B-14") -> None:
        super().__init__("a dropped hand is dead" + ("; it has no turn" if law == "B-10" else ""))
        self.law = law  # type: ignore[misc]


class NotAskedNow(LawError):
    """The dealer waits for another kind of answer. `asked` says which (`bot.engine.legal.Decision`)."""

    law = "TL-35"

    def __init__(self, *, asked: str) -> None:
        super().__init__(f"that is not asked for now; the dealer waits for: {asked}")
        self.asked = asked


class CannotCheck(LawError):
    """A bet stands: `owe` chips are needed to stay in."""

    law = "B-12"

    def __init__(self, *, level: int, owe: int) -> None:
        super().__init__(f"a bet of {level} stands and you owe {owe}; you cannot check")
        self.level, self.owe = level, owe


class CheckingBarred(LawError):
    """The game has no checking, or the seat has stood once already."""

    law = "C-2"

    def __init__(self, *, law: str) -> None:
        super().__init__("you have stood once: bet or drop" if law == "C-5" else "bet or drop; checking is barred here")
        self.law = law  # type: ignore[misc]


class MustOpen(LawError):
    """The forced opener may neither check nor drop; at least `least` goes in."""

    law = "F-6"

    def __init__(self, *, law: str, least: int) -> None:
        super().__init__(f"you must open with at least {least}")
        self.law = law  # type: ignore[misc]
        self.least = least


class CannotCall(LawError):
    """At a strict table who has not got the call must drop (VB-13)."""

    law = "B-7"

    def __init__(self, *, owe: int, stack: int) -> None:
        super().__init__(f"put in {owe} or drop; you have {stack}")
        self.owe, self.stack = owe, stack


class NothingToCallYet(LawError):
    """Nobody has opened: come in for at least `least`, or drop (L-4)."""

    law = "B-15"

    def __init__(self, *, least: int) -> None:
        super().__init__(f"stake at least {least} or drop")
        self.least = least


class NotAnAmount(LawError):
    """A bet of nothing, less than nothing, or beyond any table."""

    law = "H-5"

    def __init__(self, *, to: int) -> None:
        super().__init__(f"chips are whole and at least one; {to} is not a bet")
        self.to = to


class RaiseTooSmall(LawError):
    """The bet or raise is under the minimum, and it is not all the seat has (TL-3)."""

    law = "TL-2"

    def __init__(self, *, law: str, to: int, min_to: int, opening: bool, own: int, owe: int) -> None:
        what = "bet" if opening else "raise"
        super().__init__(
            f"you put in {to - own}; the least {what} is to {min_to}" if opening else
            f"you put in {to - own}; you owe {owe} to call and at least {min_to - own - owe} more to raise"
        )  # fmt: skip
        self.law = law  # type: ignore[misc]
        self.to, self.min_to, self.opening = to, min_to, opening


class RaiseTooLarge(LawError):
    """The bet or raise is over what the limit allows."""

    law = "L-2"

    def __init__(self, *, law: str, to: int, max_to: int, opening: bool) -> None:
        super().__init__(f"{'bet' if opening else 'raise'} to {to} is over the most allowed, {max_to}")
        self.law = law  # type: ignore[misc]
        self.to, self.max_to, self.opening = to, max_to, opening


class WrongSize(LawError):
    """In a game of fixed sizes only one amount is a bet or raise."""

    law = "L-7"

    def __init__(self, *, law: str, to: int, only_to: int, opening: bool) -> None:
        super().__init__(f"to {to} is not the size; the {'bet' if opening else 'raise'} is to {only_to}")
        self.law = law  # type: ignore[misc]
        self.to, self.only_to, self.opening = to, only_to, opening


class StackTooShort(LawError):
    """More than the seat has on the table."""

    law = "TL-1"

    def __init__(self, *, to: int, max_to: int) -> None:
        super().__init__(f"to {to} is more than you have; all-in is to {max_to}")
        self.to, self.max_to = to, max_to


class RaisesCapped(LawError):
    """The interval has seen all the raises it may."""

    law = "L-10"

    def __init__(self, *, cap: int) -> None:
        super().__init__(f"raises are capped at {cap}; call or drop")
        self.cap = cap


class BettingNotReopened(LawError):
    """The seat has acted and faces less than a full raise more."""

    law = "TL-4"

    def __init__(self) -> None:
        super().__init__("the raise was not full; betting is not reopened to you")


class NoCheckRaise(LawError):
    """Who has checked in this interval may not raise in it."""

    law = "VC-11"

    def __init__(self) -> None:
        super().__init__("you have checked: call or drop, there is no check-raise in this game")


class NobodyToRaise(LawError):
    """Every other live player is all-in: a raise could win nothing."""

    law = "TL-42"

    def __init__(self) -> None:
        super().__init__("everyone else is all-in; call or drop")


class ActedOutOfTurn(LawError):
    """Who put chips in out of turn may only call or drop."""

    law = "I-8"

    def __init__(self) -> None:
        super().__init__("you acted out of turn: no raise")


class OnlyEqualNow(LawError):
    """Before the draw each speaks once; now stakes are only evened."""

    law = "B-17"

    def __init__(self) -> None:
        super().__init__("you may only equal or drop now")


class ShowsFirst(LawError):
    """Another seat shows first; `seat` is its table seat number."""

    law = "TL-20"

    def __init__(self, *, seat: int) -> None:
        super().__init__(f"seat {seat} shows first")
        self.seat = seat


class MustShow(LawError):
    """All-in hands, the hand that was called, and all hands where the table plays SHOW=all are turned up."""

    law = "TL-21"

    def __init__(self, *, law: str) -> None:
        super().__init__(
            {"TL-21": "all-in hands are shown", "Z-5": "you were called; who calls may see"}.get(
                law, "all hands are shown"
            )
        )
        self.law = law  # type: ignore[misc]


class WaitUntilTheEnd(LawError):
    """Cards may be shown after the deal, not during it."""

    law = "Z-4"

    def __init__(self) -> None:
        super().__init__("wait until the deal ends")


class AlreadyShown(LawError):
    """The seat's cards are open already, or gone for good."""

    law = "TL-22"

    def __init__(self) -> None:
        super().__init__("your cards are shown already")


class NothingOffered(LawError):
    """There is nothing to take or to decline."""

    law = "TL-35"

    def __init__(self) -> None:
        super().__init__("nothing is offered to you now")


class TooManyCards(LawError):
    """More cards than may be changed; `most` says how many may."""

    law = "X-2"

    def __init__(self, *, chosen: int, most: int) -> None:
        super().__init__(f"you chose {chosen}; you may change at most {most}")
        self.chosen, self.most = chosen, most


class NotYourCard(LawError):
    """A card the seat does not hold, or one named twice."""

    law = "X-2"

    def __init__(self) -> None:
        super().__init__("you do not hold that card")


class AlreadyServed(LawError):
    """The seat has drawn or stood pat; a draw cannot be taken back."""

    law = "X-5"

    def __init__(self) -> None:
        super().__init__("you have drawn or stood pat")


class DrawsFirst(LawError):
    """Another seat draws first; `seat` is its table seat number."""

    law = "X-1"

    def __init__(self, *, seat: int) -> None:
        super().__init__(f"seat {seat} draws first")
        self.seat = seat


class EqualFirst(LawError):
    """Stakes are evened before cards are changed; `owe` chips are still owed."""

    law = "X-3"

    def __init__(self, *, owe: int) -> None:
        super().__init__(f"put in {owe} before you draw")
        self.owe = owe


class StraddleClosed(LawError):
    """No straddle may be taken any more. By its law: cards are out (A-4), No. 1 let it go (A-5), who came after him did (A-6), or half
    the limit is reached (A-7), which is `most` chips and 0 otherwise.
    """

    law = "A-6"

    def __init__(self, *, law: str, most: int = 0) -> None:
        super().__init__(
            {
                "A-4": "cards are out",
                "A-5": "No. 1 did not straddle",
                "A-7": f"straddling stops at half the limit ({most})",
            }.get(law, "the straddle chain is closed")
        )
        self.law = law  # type: ignore[misc]
        self.most = most


class NotNextToStraddle(LawError):
    """Another seat is offered the straddle; `next_seat` is its table seat number."""

    law = "A-5"

    def __init__(self, *, law: str, next_seat: int) -> None:
        super().__init__(
            f"seat {next_seat} is the next who may straddle" if law == "A-6" else "only No. 1 may open the straddle"
        )
        self.law = law  # type: ignore[misc]
        self.next_seat = next_seat


class WrongStraddle(LawError):
    """A straddle is one exact amount; `only` is it, in chips."""

    law = "A-4"

    def __init__(self, *, law: str, only: int) -> None:
        super().__init__(f"the straddle is exactly {only}")
        self.law = law  # type: ignore[misc]
        self.only = only


class ChooseExactly(LawError):
    """A drop or a pass is of an exact number of cards."""

    law = "VC-26"

    def __init__(self, *, law: str, count: int) -> None:
        super().__init__(f"choose exactly {count} of your cards")
        self.law = law  # type: ignore[misc]
        self.count = count


class UnknownWord(LawError):
    """Only certain words may be declared; `words` lists them."""

    law = "VC-26"

    def __init__(self, *, law: str, words: tuple[str, ...]) -> None:
        super().__init__(f"declare one of: {', '.join(words)}")
        self.law = law  # type: ignore[misc]
        self.words = words


class NothingToSay(LawError):
    """Something was said of wild cards or aces where nothing is asked: cards speak (W-8), or it has been said already (W-7, LO-3)."""

    law = "W-7"

    def __init__(self, *, law: str) -> None:
        super().__init__("nothing is to be said of these cards now")
        self.law = law  # type: ignore[misc]


class HasChosen(LawError):
    """The seat has chosen; a choice cannot be taken back."""

    law = "TL-35"

    def __init__(self) -> None:
        super().__init__("you have chosen already")


class NoOpeners(LawError):
    """The first interval is opened on a pair of `rank` or better only (`bot.engine.cards` rank)."""

    law = "VC-20"

    def __init__(self, *, rank: int) -> None:
        super().__init__(f"a pair of {RANK_PLURALS[rank]} or better is needed to open")
        self.rank = rank

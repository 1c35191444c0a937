"""The refusals of sit-and-gos and duels. Amounts are chips, times ms since the epoch, players and hosts Discord ids. `duel`: it is one."""

from bot.engine.errors import LawError, TableError


class EventHasStarted(LawError, law="SG-1"):
    """Nobody enters or withdraws any more."""

    duel: bool = False


class EventNotStarted(LawError, law="SG-1"):
    """It has not started yet."""

    duel: bool = False


class EventIsOver(LawError, law="SG-1"):
    """It is over."""

    duel: bool = False


class EventIsFull(LawError, law="SG-1"):
    """All `seats` are taken."""

    seats: int


class EnteredAlready(LawError, law="E-1"):
    """They have entered already."""

    duel: bool = False


class StructureAgreed(LawError, law="SG-1"):
    """Somebody else has entered, or was challenged: the structure stays as they saw it."""

    duel: bool = False


class NotEntered(LawError, law="SG-1"):
    """They have not entered, or have gone out."""

    duel: bool = False


class InAnotherEvent(LawError, law="SG-15"):
    """A player is in one event of a server at a time. `channel`: where the other one is."""

    channel: int


class TooFewEntrants(LawError, law="P-1"):
    """It takes two to start; so many have entered."""

    entrants: int


class EventHostOnly(LawError, law="SG-13"):
    """Only the host can do this before the start, and only staff afterwards (`staff_only`). The host of a duel has challenged the other."""

    host: int
    staff_only: bool = False
    duel: bool = False


class NotChallenged(LawError, law="SG-16"):
    """Somebody else is challenged to this duel: `opponent`, below 0 for a practice player. `is_own`: it is their own challenge."""

    opponent: int
    is_own: bool = False


class ChallengerCannotPlay(LawError, law="SG-16"):
    """Who has challenged them, called `name`, cannot play now. `short`: they have too few chips; `channel`: where they are in another
    event; 0 for none."""

    name: str
    short: bool = False
    channel: int = 0


class CannotChallengeBot(TableError):
    """They have challenged another bot."""


class OpponentCannotPlay(TableError):
    """They have challenged `opponent`, who is not in the server, whom staff have banned, or who lacks the role that plays in it.
    `hidden`: who cannot read the channel."""

    opponent: int
    hidden: bool = False


class CannotDuelYourself(LawError, law="P-1"):
    """They have challenged themselves."""


class NoPracticeInEvent(LawError, law="SG-1"):
    """Practice players play in free ones only."""


class NoEventHere(TableError):
    """No sit-and-go is played at this table."""


class PauseUsedUp(LawError, law="SG-15"):
    """The host's pauses are ten minutes in all; so many are left."""

    minutes_left: int


class NotPaused(LawError, law="SG-15"):
    """There is no break and no pause to end."""


class GameNotInEvents(LawError, law="VC-27"):
    """The game, by its name, is not played in events; the law is that of the game."""

    game: str


class ClockTooSlow(LawError, law="SG-2"):
    """Turns can take hours: levels by minutes would pass within one of them."""

    duel: bool = False


class NoRebuyOffered(LawError, law="SG-9"):
    """They are not asked whether they rebuy, or the time to answer is over."""


class RebuysPending(LawError, law="SG-9"):
    """Somebody without chips has not answered whether they rebuy."""


class BountyAgreed(LawError, law="SG-10"):
    """Somebody has entered, and paid for a bounty or none."""


class BountyTooLarge(LawError, law="SG-10"):
    """A bounty is at most the buy-in, and nothing in a free one."""

    maximum: int


class NotAPrizeTable(LawError, law="SG-10"):
    """The percents do not sum to 100, or a rank gets more than the one above it."""


class AmountsDoNotSum(LawError, law="SG-12"):
    """The amounts are not one for each player still in, or do not sum to what is left."""

    offered: int
    left: int


class NothingToDivide(LawError, law="SG-12"):
    """It is free: there are no prizes."""


class AgreementPending(LawError, law="SG-12"):
    """Another offer is open."""


class OfferedInThisLevel(LawError, law="SG-12"):
    """They have offered one in this level already."""


class NoOpenOffer(LawError, law="SG-12"):
    """There is no offer to answer."""


class NoVoteInAgreement(LawError, law="SG-12"):
    """They are not in it any more, or have left by choice."""


class AgreementBetweenDeals(LawError, law="SG-12"):
    """A hand is being played."""

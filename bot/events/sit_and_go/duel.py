"""What is different in a duel: who enters, what follows a match, who can cancel it, and how its prize can be divided.

All else is that of a sit-and-go for two. Law: SG-16.
"""

from fractions import Fraction

from bot.events.sit_and_go import commands as c
from bot.events.sit_and_go import events as e
from bot.events.sit_and_go import refusals
from bot.events.sit_and_go.prizes import PrizeTable
from bot.events.sit_and_go.state import AgreementKind, Duel, Duellist, EndReason, SitAndGo, SitAndGoSettings
from bot.events.sit_and_go.structures import LevelLength, Speed, structure_of

SitAndGoEvents = tuple[e.SitAndGoEvent, ...]

PRACTICE_OPPONENT = -1
"""Stands for the practice player of a duel that is played against one: its table gives it a number of its own."""


def duel_settings(
    challenger: Duellist,
    opponent: Duellist,
    *,
    buy_in: int = 0,
    best_of: int = 1,
    speed: Speed = Speed.TURBO,
    counted_in: LevelLength = LevelLength.MINUTES,
) -> SitAndGoSettings:
    """Return what a duel is played by. The winner takes all.

    Args:
        buy_in: what each pays from their wallet; 0 for honour.

    Raises:
        CannotDuelYourself.
        NoPracticeInEvent: a practice player plays for honour only.
    """
    if challenger.player == opponent.player:
        raise refusals.CannotDuelYourself
    if buy_in and opponent.player < 0:
        raise refusals.NoPracticeInEvent
    return SitAndGoSettings(
        speed=speed,
        structure=structure_of(speed, counted_in),
        seats=2,
        buy_in=buy_in,
        prizes=PrizeTable.WINNER,
        duel=Duel(challenger=challenger, opponent=opponent, best_of=best_of),
    )


def accept(duel: Duel, command: c.Enter, now: int) -> SitAndGoEvents:
    """Let both enter at once, because who was challenged accepts: so both buy-ins are paid in one step, or none is.

    Raises:
        NotChallenged: somebody else was.
    """
    opponent = duel.opponent
    is_asked = command.practice if opponent.player < 0 else command.player == opponent.player
    if not is_asked:
        raise refusals.NotChallenged(opponent=opponent.player, is_own=command.player == duel.challenger.player)
    challenger = duel.challenger
    return (
        e.PlayerEntered(challenger.player, challenger.name, now),
        e.PlayerEntered(command.player, command.name, now, command.practice),
    )


def is_decided(event: SitAndGo, duel: Duel) -> bool:
    """Whether one has won as many matches as it takes."""
    return any(one.wins >= duel.wins_needed for one in event.entrants)


def has_given_up(event: SitAndGo) -> bool:
    """Whether one of a duel has left by choice: the other alone has a vote on the prize (SG-12), so it is theirs."""
    return event.settings.duel is not None and any(one.left for one in event.players_in)


def chances(event: SitAndGo, duel: Duel, stacks: tuple[tuple[int, int], ...]) -> tuple[tuple[int, int], ...]:
    """Return each one's chance to win a duel that is cut short, as stacks in that proportion (SG-13).

    The match that is being played is won with the chance of one's share of the chips, and one that has not begun with one half.
    """
    (one, chips), (other, other_chips) = stacks
    wins = {entrant.player: entrant.wins for entrant in event.entrants}
    needed, share = duel.wins_needed, Fraction(chips, chips + other_chips)

    def from_here(own: int, others: int) -> Fraction:
        if needed in {own, others}:
            return Fraction(own == needed)
        return (from_here(own + 1, others) + from_here(own, others + 1)) / 2

    won, lost = wins[one], wins[other]
    chance = share * from_here(won + 1, lost) + (1 - share) * from_here(won, lost + 1)
    return (one, chance.numerator), (other, chance.denominator - chance.numerator)


def why_cancelled(duel: Duel, command: c.CancelSitAndGo) -> EndReason:
    """Return why a challenge is over that nobody has accepted."""
    if command.player and duel.names(command.player):
        return EndReason.DECLINED if command.player == duel.opponent.player else EndReason.TAKEN_BACK
    return EndReason.EMPTY if command.nobody_came else EndReason.CANCELLED


def agreement_kinds(settings: SitAndGoSettings) -> tuple[AgreementKind, ...]:
    """Return how prizes can be divided by an agreement. In a duel shares by chances would be those by chips, and chips of one match say
    nothing of the next."""
    if settings.duel is None:
        return tuple(AgreementKind)
    return (AgreementKind.EQUAL, AgreementKind.CHIPS) if settings.duel.best_of == 1 else (AgreementKind.EQUAL,)


def winner_of(event: SitAndGo) -> tuple[Duellist, Duellist] | None:
    """Return who has won a duel, and against whom; None where it goes on, or nobody has won it."""
    players = event.entrants if event.settings.duel is not None else ()
    match event.end_reason:
        case EndReason.WON:
            lost = [one for one in players if not one.is_in]
        case EndReason.GIVEN_UP:
            lost = [one for one in players if one.left]
        case _:
            return None
    won = [one for one in players if one not in lost]
    return (Duellist(won[0].player, won[0].name), Duellist(lost[0].player, lost[0].name)) if won and lost else None

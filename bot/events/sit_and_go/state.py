"""The state of a sit-and-go, as plain values. Times are ms since the epoch, amounts chips, players Discord ids (practice players below 0).

Laws: SG-1 to SG-15.
"""

from enum import StrEnum

from msgspec import Struct

from bot.events.sit_and_go.prizes import PrizeTable
from bot.events.sit_and_go.structures import Level, Speed, Structure


class SitAndGoStatus(StrEnum):
    """Where a sit-and-go is. The words are stored."""

    REGISTERING = "registering"
    RUNNING = "running"
    OVER = "over"
    CANCELLED = "cancelled"


class EndReason(StrEnum):
    """Why a sit-and-go ended. The words are stored."""

    WON = "won"  # one has all chips
    ASLEEP = "asleep"  # nobody has acted of their own will for two laps (SG-3)
    AGREED = "agreed"  # on a division of the prizes (SG-12)
    EMPTY = "empty"  # nobody came, before it started
    GIVEN_UP = "given up"  # one of a duel has left by choice (SG-12, SG-13)
    DECLINED = "declined"  # who was challenged to a duel said no
    TAKEN_BACK = "taken back"  # by whoever had challenged them
    CANCELLED = "cancelled"  # by its host before the start, by staff, or because it could not go on (SG-13)


class StopReason(StrEnum):
    """Why the clock of levels stands still (SG-15). The words are stored."""

    BREAK = "break"
    PAUSE = "pause"  # by the host


class DuelRecord(Struct, frozen=True, gc=False):
    """How many duels a person has won and lost in a server."""

    won: int = 0
    lost: int = 0


class Duellist(Struct, frozen=True):
    """One of the two of a duel.

    Attributes:
        player: below 0 for a practice player.
        record: theirs before it; None where they don't show it.
    """

    player: int
    name: str
    record: DuelRecord | None = None


class Duel(Struct, frozen=True, kw_only=True):
    """What makes a sit-and-go for two a duel: one has challenged the other, and nobody else enters.

    Attributes:
        best_of: so many matches at most, each until one has all chips; an odd number.
    """

    challenger: Duellist
    opponent: Duellist
    best_of: int = 1

    @property
    def wins_needed(self) -> int:
        """Who has won so many matches has won the duel."""
        return self.best_of // 2 + 1

    def names(self, player: int) -> bool:
        """Whether somebody is one of the two."""
        return player in (self.challenger.player, self.opponent.player)

    def named(self, player: int) -> str:
        """Return what one of the two is called."""
        return self.challenger.name if player == self.challenger.player else self.opponent.name

    def other(self, player: int) -> Duellist:
        """Return whom one of the two plays against."""
        return self.challenger if player == self.opponent.player else self.opponent


class SitAndGoSettings(Struct, frozen=True, kw_only=True):
    """What a sit-and-go has agreed on.

    Attributes:
        seats: how many enter at most; it starts when they have.
        buy_in: from each wallet; 0 for a free one.
        prizes: how the prizes are divided.
        late_until: people can enter after the start, before hands of this level; 0 for never (SG-11).
        rebuys: who has no chips can rebuy after hands before that level (SG-11).
        bounty: what each pays beside the buy-in, for who puts them out; 0 for none (SG-10).
        percents: of an own prize table, what the ranks get, the first first; empty where it is none.
        ante_first: who cannot cover big blind and big-blind ante pays the ante first (SG-5).
        speed: the structure's name, for people.
        duel: who plays against whom; None where everybody can enter.
    """

    speed: Speed
    structure: Structure
    seats: int
    buy_in: int = 0
    prizes: PrizeTable = PrizeTable.USUAL
    late_until: int = 0
    rebuys: bool = False
    bounty: int = 0
    percents: tuple[int, ...] = ()
    ante_first: bool = False
    duel: Duel | None = None

    @property
    def is_free(self) -> bool:
        return not self.buy_in

    @property
    def entry_cost(self) -> int:
        """What an entry costs, with the bounty."""
        return self.buy_in + self.bounty


class Entrant(Struct, frozen=True):
    """Somebody who has entered.

    Attributes:
        entered_at: when.
        seat_number: drawn at the start; 0 before it.
        practice: a practice player.
        left: they have left by choice: their stack is blinded off, and they have no vote in agreements (SG-12, SG-13).
        out_in: the hand in which they went out, counted in this sit-and-go from 1; 0 while they are in.
        stack: what they had at the start of that hand; at the end, what those have who are still in.
        order: their place in the row of seats from the left of the button in that hand, which decides about odd chips.
        rebuys: how often they have rebought.
        bounty: what whoever puts them out gets; 0 for nothing (SG-10).
        bounties_paid: what they have paid for bounties.
        bounties_won: what they have won by putting others out.
        wins: matches of a duel that they have won.
    """

    player: int
    name: str
    entered_at: int
    practice: bool = False
    seat_number: int = 0
    left: bool = False
    out_in: int = 0
    stack: int = 0
    order: int = 0
    rebuys: int = 0
    bounty: int = 0
    bounties_paid: int = 0
    bounties_won: int = 0
    wins: int = 0

    @property
    def is_in(self) -> bool:
        """They have not gone out."""
        return not self.out_in


class AgreementKind(StrEnum):
    """How prizes are divided by an agreement (SG-12). The words are stored."""

    EQUAL = "equal"
    CHIPS = "chips"
    ICM = "icm"
    AMOUNTS = "amounts"  # of their own, which sum to what is left


class Agreement(Struct, frozen=True):
    """An offer to divide what is left of the prizes; it lapses at the next deal (SG-12).

    Attributes:
        player: who offers it, and so consents.
        shares: what each of those still in would get.
        stacks: theirs, in the order of seats from the left of the button.
        consents: who has agreed.
    """

    player: int
    kind: AgreementKind
    shares: tuple[tuple[int, int], ...]
    stacks: tuple[tuple[int, int], ...]
    consents: tuple[int, ...]


class RebuyQuestion(Struct, frozen=True):
    """Who has no chips is asked before the next hand whether they rebuy; only then are the ranks of the hand given (SG-9).

    Attributes:
        until: no answer until then is a no.
        waiting: who has not answered.
        stacks: of all who were in the hand, at its start and now, in the order of seats from the left of the button.
    """

    until: int
    waiting: tuple[int, ...]
    stacks: tuple[tuple[int, int, int], ...]


class LevelClock(Struct, frozen=True):
    """The clock of levels. It counts only while it runs.

    Attributes:
        ran_ms: how long it has run in this level, up to `running_since`.
        running_since: 0 while it stands still.
        stopped_for: why it stands still.
        stopped_at, resumes_at: when a break or a pause began and ends; 0 for none.
        paused_ms: how long the host's pauses have been in all, the current one not counted.
        last_break: the level after which the last break was; 0 for none yet.
    """

    ran_ms: int = 0
    running_since: int = 0
    stopped_for: StopReason | None = None
    stopped_at: int = 0
    resumes_at: int = 0
    paused_ms: int = 0
    last_break: int = 0


class SitAndGo(Struct, frozen=True, kw_only=True):
    """A sit-and-go. It never changes: `evolve` makes a new one.

    Attributes:
        opened_by: the host.
        entrants: in the order in which they entered.
        level: the number of the level of the running or the last hand, from 1; 0 before the start.
        hands_in_level: hands that counted in this level.
        hands: hands that counted.
        idle_hands: hands in a row in which nobody has acted of their own will (SG-3).
        redeals: the last hand was void: the next one keeps its level (SG-2).
        agreement: the offer to divide the prizes that is open; None for none.
        offers: who has offered one in which level: one a person and level.
        bounties_of_hand: whose bounty went to whom in the last hand that counted.
        rebuy_question: who is asked whether they rebuy; None where nobody is.
        prizes_paid: what each got at the end: prizes, or what came back at a cancellation.
        bounties: what each got at the end for bounties: those they won, and their own.
    """

    settings: SitAndGoSettings
    opened_by: int
    opened_at: int
    status: SitAndGoStatus = SitAndGoStatus.REGISTERING
    entrants: tuple[Entrant, ...] = ()
    started_at: int = 0
    level: int = 0
    hands_in_level: int = 0
    hands: int = 0
    idle_hands: int = 0
    redeals: bool = False
    clock: LevelClock = LevelClock()
    ended_at: int = 0
    end_reason: EndReason | None = None
    agreement: Agreement | None = None
    offers: tuple[tuple[int, int], ...] = ()
    prizes_paid: tuple[tuple[int, int], ...] = ()
    bounties_of_hand: tuple[tuple[int, tuple[tuple[int, int], ...]], ...] = ()
    rebuy_question: RebuyQuestion | None = None
    bounties: tuple[tuple[int, int], ...] = ()

    @property
    def is_duel(self) -> bool:
        """One has challenged the other (SG-16)."""
        return self.settings.duel is not None

    @property
    def is_open(self) -> bool:
        """People can enter, or it is being played."""
        return self.status in (SitAndGoStatus.REGISTERING, SitAndGoStatus.RUNNING)

    @property
    def is_running(self) -> bool:
        return self.status is SitAndGoStatus.RUNNING

    @property
    def players_in(self) -> tuple[Entrant, ...]:
        """Those who have not gone out."""
        return tuple([one for one in self.entrants if one.is_in])

    @property
    def voters(self) -> tuple[int, ...]:
        """Who has a vote in an agreement: everybody still in but those who left by choice (SG-12)."""
        return tuple([one.player for one in self.players_in if not (one.left or one.practice)])

    @property
    def pool(self) -> int:
        """All buy-ins and rebuys together, bounties apart (SG-10)."""
        return self.settings.buy_in * sum([1 + one.rebuys for one in self.entrants if not one.practice])

    @property
    def bounty_chips(self) -> int:
        """All that has been paid for bounties."""
        return sum([one.bounties_paid for one in self.entrants])

    @property
    def current_level(self) -> Level:
        """The level of the running or the last hand; before the start, the first."""
        return self.settings.structure.level(max(1, self.level))

    @property
    def takes_late_entries(self) -> bool:
        """It is being played, and who comes now can still enter, if a seat is free (SG-11)."""
        return self.is_running and self.level < self.settings.late_until

    @property
    def rebuys_are_open(self) -> bool:
        """Who has no chips after the running or the last hand can rebuy (SG-11)."""
        return self.settings.rebuys and self.takes_late_entries

    def awaits(self, player: int) -> bool:
        """Whether somebody is one of the two of a duel that is not accepted yet."""
        duel = self.settings.duel
        return self.status is SitAndGoStatus.REGISTERING and duel is not None and duel.names(player)

    def entrant(self, player: int) -> Entrant | None:
        """Return somebody who has entered, also if they went out, or None."""
        return next((one for one in self.entrants if one.player == player), None)

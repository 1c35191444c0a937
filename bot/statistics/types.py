"""What statistics are made of, and what can be asked of them. Chips are whole numbers; times are ms since the epoch, periods are in UTC.

Nothing here tells a card that was not open to everybody: the numbers follow from actions, payments and hands shown down.
"""

from enum import IntEnum, StrEnum

from msgspec import Struct

from bot.engine.units import SeatIndex

TOLD_LATER = frozenset({"lucky_hands", "luck", "estimated_hands"})
"""The fields of `Counts` that no hand says itself."""


class CountedChips(IntEnum):
    """The kinds of chips that are counted apart and never added up. The numbers are stored."""

    SERVER = 0
    PRACTICE = 1
    TABLE = 2
    """Home games."""
    NOTHING = 3
    """Home games that their host keeps out of all figures."""


HOME_GAMES = frozenset({CountedChips.TABLE, CountedChips.NOTHING})


class Odds(Struct, frozen=True, gc=False):
    """What the hands of a run-out can expect, in whole percent, as everybody can know it. With `split` they add up to 100.

    Attributes:
        seats: the live seats.
        percents: each one's chance to win the main pot; where `is_share`, the part of it that they can expect.
        split: the chance that hands tie for the main pot. Below one percent it is 0, and tied hands count for each of them.
        is_share: the pot is divided anyway, between high and low or between boards.
        is_estimate: boards were drawn, because there were too many.
    """

    seats: tuple[SeatIndex, ...]
    percents: tuple[int, ...]
    split: int = 0
    is_share: bool = False
    is_estimate: bool = False

    def of(self, seat: int) -> int | None:
        """Return the percents of a seat; None of one that has folded."""
        return self.percents[self.seats.index(SeatIndex(seat))] if seat in self.seats else None


class Counts(Struct, frozen=True, gc=False):
    """What adds up over hands, for one player. Each field is a column of the statistics file, and a sum of its periods.

    Attributes:
        hands: hands that the player was dealt into and that count; a voided hand does not.
        net: chips won less chips put in; below zero for a loss.
        voluntary: hands in which the player called, bet or raised in the first betting round. Forced bets are not voluntary (VPIP).
        voluntary_chances: hands in which the player had a turn in the first betting round.
        raised_first: hands in which the player raised, or opened by a bet where nothing was owed, in the first betting round (PFR).
        bets, raises, calls: actions after the first betting round, in old English draw too (aggression).
        past_first_round: hands in which the player was still in when the first betting round had ended and more was to come.
        showdowns: hands in which the player was in at a showdown.
        showdowns_won: showdowns that brought the player chips from a pot.
        pots_won: hands that brought the player chips from a pot, with or without a showdown.
        hands_on_button, hands_on_cutoff, hands_early, hands_in_small_blind, hands_in_big_blind: hands with a big blind, by where the
            player sat in them: each is in one of the five. The button acts last after the first betting round, heads-up too; the cutoff
            sits before it; early are all seats before the cutoff.
        won_on_button, won_on_cutoff, won_early, won_in_small_blind, won_in_big_blind: what these hands brought, in thousandths of their big
            blind, each hand rounded, halves up.
        three_bet_chances: hands with a big blind in which the player had a turn facing one raise, another's, in the first betting round.
        three_bets: those of them in which the player raised again.
        three_bets_faced: hands with a big blind in which the player made the first raise and had a turn facing one more, another's.
        folds_to_three_bet: those of them in which the player folded to it.
        steal_chances: hands with a big blind in which the player had a turn on the cutoff, the button or the small blind, and nobody had
            called or raised before. Whoever has posted the big blind steals nothing.
        steals: those of them in which the player raised.
        continuation_chances: hands with a big blind and a board in which the player made the last raise of the first betting round, and
            had a turn in the second before anybody had bet.
        continuation_bets: those of them in which the player bet.
        continuation_bets_faced: hands in which the player had a turn facing another's continuation bet that nobody had raised.
        folds_to_continuation_bet: those of them in which the player folded to it.
        all_shown: hands of four players or more in which everybody dealt in was in at the showdown.
        shared_by_three: showdowns that brought the player chips from a pot, and two others or more too.
        full_tables: hands in which every seat of a table for six or more was dealt in.
        hundredth_hands: hands that were the hundredth of their table.
        lucky_hands: hands in which everybody was all-in before the last card, so that luck could be told.
        luck: in these hands, chips won from the pots less the share that was to be expected when the betting was over, in thousandths
            of a chip.
        estimated_hands: those of `lucky_hands` whose expectation is an estimate by drawn boards.
    """

    hands: int = 0
    net: int = 0
    voluntary: int = 0
    voluntary_chances: int = 0
    raised_first: int = 0
    bets: int = 0
    raises: int = 0
    calls: int = 0
    past_first_round: int = 0
    showdowns: int = 0
    showdowns_won: int = 0
    pots_won: int = 0
    hands_on_button: int = 0
    won_on_button: int = 0
    hands_on_cutoff: int = 0
    won_on_cutoff: int = 0
    hands_early: int = 0
    won_early: int = 0
    hands_in_small_blind: int = 0
    won_in_small_blind: int = 0
    hands_in_big_blind: int = 0
    won_in_big_blind: int = 0
    three_bet_chances: int = 0
    three_bets: int = 0
    three_bets_faced: int = 0
    folds_to_three_bet: int = 0
    steal_chances: int = 0
    steals: int = 0
    continuation_chances: int = 0
    continuation_bets: int = 0
    continuation_bets_faced: int = 0
    folds_to_continuation_bet: int = 0
    all_shown: int = 0
    shared_by_three: int = 0
    full_tables: int = 0
    hundredth_hands: int = 0
    lucky_hands: int = 0
    luck: int = 0
    estimated_hands: int = 0

    @property
    def by_position(self) -> tuple[tuple[int, int], ...]:
        """Hands with a big blind, and what they brought in thousandths of one: on the button, on the cutoff, early, in the small blind, in
        the big blind."""
        return (
            (self.hands_on_button, self.won_on_button),
            (self.hands_on_cutoff, self.won_on_cutoff),
            (self.hands_early, self.won_early),
            (self.hands_in_small_blind, self.won_in_small_blind),
            (self.hands_in_big_blind, self.won_in_big_blind),
        )

    @property
    def in_big_blinds(self) -> tuple[int, int]:
        """All hands with a big blind, and what they brought in thousandths of one."""
        hands, won = zip(*self.by_position, strict=True)
        return sum(hands), sum(won)


class CountedSeat(Struct, frozen=True, gc=False):
    """What one player did in one hand.

    Attributes:
        user: id; a practice player's is below zero.
        counts: of this hand alone.
        won: chips that the pots paid them.
        value: the value of the best hand that the player won a pot with at a showdown, by the ranking of that share; 0 for none.
        share: index of that share in the rule card.
        rarity: that hand on one scale for all games of five-card high hands without wild cards; 0 in other games, and for none.
    """

    user: int
    counts: Counts
    won: int = 0
    value: int = 0
    share: int = 0
    rarity: int = 0


class CountedHand(Struct, frozen=True, gc=False):
    """One finished hand as the statistics keep it.

    Attributes:
        table: id of the table. `number`: of the hand at that table.
        at: when it ended.
        game: key of its rule card. `game_name`: what the rule card is called; house games have keys of their own.
        limit: the betting limit, a `bot.engine.options.values.Limit`.
        stakes: the amounts that tell tables of one game apart, as people write them: ``50/100``, ``ante 25``.
        chips: the kind of chips it was played for.
        pot: all pots together, without what came back uncalled.
        players: everybody dealt in, by seat index.
        counts: False after a misdeal from which antes stayed in the pot (I-3): its chips moved, and it is nobody's hand.
        all_in_early: everybody was all-in before the last card, so luck can be told.
    """

    guild: int
    table: int
    number: int
    at: int
    game: str
    game_name: str
    limit: str
    stakes: str
    chips: CountedChips
    pot: int
    players: tuple[CountedSeat, ...]
    counts: bool = True
    all_in_early: bool = False


class HandsCounted(Struct, frozen=True):
    """A signal: these hands have just been counted."""

    hands: tuple[CountedHand, ...]


class PeriodKind(StrEnum):
    """The periods that numbers are kept for. Weeks begin on Monday; all in UTC."""

    EVER = "ever"
    WEEK = "week"
    MONTH = "month"
    SEASON = "season"


class Period(Struct, frozen=True, gc=False):
    """A period: `which` is the Monday as days since the epoch, year * 12 + month - 1, the season's number, or 0 for ever."""

    kind: PeriodKind = PeriodKind.EVER
    which: int = 0


class Scope(Struct, frozen=True, gc=False):
    """Which hands count. An empty `game` means every game, empty `stakes` all stakes."""

    period: Period = Period()
    game: str = ""
    stakes: str = ""
    chips: CountedChips = CountedChips.SERVER


class Reader(Struct, frozen=True):
    """Whom numbers are told to, by the private tables that they can know of.

    While a private table is open, nobody else learns from any number that somebody plays there, with whom, or how. When it has closed
    its hands are in the sums of everybody who played there, and nowhere else.

    Attributes:
        tables: the numbers of the private tables; None for all.
    """

    tables: frozenset[int] | None = frozenset()


STRANGER = Reader()
"""Somebody who was invited nowhere, and everybody together."""
INSIDER = Reader(None)
"""The person whose numbers they are, and staff."""


class HandKey(Struct, frozen=True, gc=False):
    """Where a hand is found: the table's id and number, the hand's number."""

    table: int
    table_number: int
    number: int


class BestHand(Struct, frozen=True, gc=False):
    """The best hand that a player won with at a showdown, in one game: its value by the ranking of that share of the rule card."""

    hand: HandKey
    at: int
    game: str
    value: int
    share: int


class PlayerNumbers(Struct, frozen=True):
    """A player's statistics in one scope.

    Attributes:
        counts: all hands of the scope.
        best_hand: the rarest hand they won with among the games that rank by high hands, else the best of the game asked for; None if none.
        biggest_pot: the most chips that one hand paid them from its pots, and where; None if they never won one.
        longest_streak: the most hands in a row, by the time they ended, in which they won chips net.
        first_at, last_at: when the first and the last of these hands ended; 0 for none.
        by_game: the counts of each game, most hands first.
    """

    user: int
    counts: Counts
    best_hand: BestHand | None = None
    biggest_pot: int = 0
    biggest_pot_at: HandKey | None = None
    longest_streak: int = 0
    first_at: int = 0
    last_at: int = 0
    by_game: tuple[tuple[str, Counts], ...] = ()


class Versus(Struct, frozen=True):
    """Two players against each other, as the first one sees it.

    Attributes:
        hands: hands that both were dealt into.
        net, other_net: what each won in these hands, from everybody.
        showdowns, showdowns_won, showdowns_lost: hands that both showed down; won are those that brought the first one chips and not the
            other.
    """

    user: int
    other: int
    hands: int = 0
    net: int = 0
    other_net: int = 0
    showdowns: int = 0
    showdowns_won: int = 0
    showdowns_lost: int = 0


class ChipsPoint(Struct, frozen=True, gc=False):
    """A point of a curve: net chips after so many hands, and when the last of them ended."""

    hands: int
    net: int
    at: int


class HandQuery(Struct, frozen=True):
    """Which finished hands of a server are looked for, newest first. Empty fields do not narrow it.

    Attributes:
        table_number: number of the table in the server.
        user: somebody who was dealt in.
        game: key of a rule card.
        since, until: when the hand ended; `until` is not included.
        before: `older` of the page before; 0 for the first page.
        limit: hands on a page.
    """

    guild: int
    table_number: int = 0
    user: int = 0
    game: str = ""
    since: int = 0
    until: int = 0
    before: int = 0
    limit: int = 10


class FoundHand(Struct, frozen=True):
    """A hand that was found. `winners`: users whom a pot was paid to and how many chips, most first; `net`: of the user looked for."""

    hand: HandKey
    at: int
    game: str
    game_name: str
    limit: str
    stakes: str
    chips: CountedChips
    pot: int
    player_count: int
    winners: tuple[tuple[int, int], ...]
    net: int = 0


class FoundHands(Struct, frozen=True):
    """A page of found hands, newest first. `older`: give it as `before` for the next page; 0 if this is the last one."""

    hands: tuple[FoundHand, ...]
    older: int = 0


class RankingOrder(StrEnum):
    """What a leaderboard of statistics is ordered by."""

    NET = "net"
    NET_PER_100 = "net per 100"
    HANDS = "hands"


class RankingQuery(Struct, frozen=True):
    """A page of a server's leaderboard.

    Attributes:
        scope: stakes are not looked at.
        min_hands: who has played fewer is not ranked.
        offset, limit: lines of the page.
        user: whose own line is asked for.
    """

    guild: int
    scope: Scope
    order: RankingOrder = RankingOrder.NET
    min_hands: int = 1
    offset: int = 0
    limit: int = 10
    user: int = 0


class RankingLine(Struct, frozen=True, gc=False):
    """A player's place. Equal numbers share a rank, and the next rank counts them: 1, 1, 3.

    Attributes:
        uncounted: so much of `net` does not count for the rank, because too much came from one opponent (BO-1). It is known of a season
            and of all time, in all games.
    """

    rank: int
    user: int
    hands: int
    net: int
    uncounted: int = 0

    @property
    def counted(self) -> int:
        """The net chips that the place goes by."""
        return self.net - self.uncounted


class RankedPlayers(Struct, frozen=True):
    """A page of a leaderboard. `own`: the line of whoever asked, None if they are not ranked; `own_hands`: how many they have played."""

    lines: tuple[RankingLine, ...]
    players: int
    own: RankingLine | None = None
    own_hands: int = 0


class SessionNumbers(Struct, frozen=True):
    """What somebody did at one table from sitting down to leaving.

    Attributes:
        since, until: when the session began and when its last hand ended.
        counts: of its hands.
        curve: net chips hand by hand.
        best_hand, biggest_pot, biggest_pot_at: as in `PlayerNumbers`.
    """

    user: int
    table: int
    since: int
    until: int
    counts: Counts
    curve: tuple[ChipsPoint, ...] = ()
    best_hand: BestHand | None = None
    biggest_pot: int = 0
    biggest_pot_at: HandKey | None = None

"""Net flow of chips between two players, and the patterns of chip dumping, from what everybody at the tables could see.

Nothing here knows a card. A hand is known by what each player put in and got back; who gave up a big bet is known because the winner's
last bet came back uncalled. A pattern is a reason to look, never a proof: two friends who play alone can look like it.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from enum import StrEnum
from heapq import nlargest

from msgspec import Struct
from msgspec.structs import replace

from bot.ledger.accounts import AccountKind, TransferReason
from bot.ledger.pot_flows import flows_of_changes, flows_of_pot

MINUTE_MS = 60_000
SIZEABLE_BIG_BLINDS = 10
"""An exchange of fewer big blinds says little about who loses to whom."""
ALWAYS_HANDS, ALWAYS_SHARE = 15, 0.05
"""Of so many sizeable exchanges or more, at most this share was won by the one who gives."""
GAVE_UP_TIMES, GAVE_UP_SHARE = 2, 0.5
"""So often, this share of the stack or more was put in and then folded to the other's last bet."""
ALONE_SHARE = 0.8
GIFT_SHARE, GIFT_TIMES, GIFT_MS = 0.8, 3, 60 * MINUTE_MS
"""So often, this share of a gift of the house was lost to the other within an hour."""
COLLECTED_FROM = 3
EMPTIED_SHARE, EMPTIED_HANDS = 0.8, 12
"""In so few hands this share of all that somebody brought to tables went to the other. It says nothing of one, and much of several."""
TOGETHER_MS = 10 * MINUTE_MS
ALARM_POINTS = 3
_SNOWFLAKE_SHIFT = 22
"""The rest of a Discord id is when it was made, in ms."""


class FlowPattern(StrEnum):
    """A pattern of chips that go from one player to another."""

    ALWAYS_LOSES = "always loses"
    GIVES_UP = "gives up"
    COLLECTS = "collects"
    CORRECTED = "corrected"
    AFTER_GIFTS = "after gifts"
    EMPTIED = "emptied"
    ALONE = "alone"
    TOGETHER = "together"


POINTS = {
    FlowPattern.ALWAYS_LOSES: 2,
    FlowPattern.GIVES_UP: 3,
    FlowPattern.COLLECTS: 2,
    FlowPattern.CORRECTED: 2,
    FlowPattern.AFTER_GIFTS: 1,
    FlowPattern.EMPTIED: 1,
    FlowPattern.ALONE: 1,
    FlowPattern.TOGETHER: 1,
}
"""How much each pattern weighs. `ALARM_POINTS` and one of the first four are an alarm."""
_SUSPICIOUS = frozenset({FlowPattern.ALWAYS_LOSES, FlowPattern.GIVES_UP, FlowPattern.AFTER_GIFTS, FlowPattern.EMPTIED})
"""With one of these a player is among those whose chips somebody collects."""
_STRONG = frozenset({FlowPattern.ALWAYS_LOSES, FlowPattern.GIVES_UP, FlowPattern.COLLECTS, FlowPattern.CORRECTED})


class PairFlow(Struct, frozen=True, gc=False):
    """What went from one player to another, on balance.

    Attributes:
        chips: more than came back.
        hands: in which chips went from one of them to the other.
        sizeable, sizeable_won: exchanges of `SIZEABLE_BIG_BLINDS` or more, and how many of them the giver won.
        gave_up, gave_up_chips: how often the giver folded after putting in most of their stack, and the chips.
        after_gifts: how many gifts of the house the taker had within an hour.
        corrections: how many corrections of stacks gave the taker chips of the giver.
        collected_from: from how many players the taker has chips in such a way.
        patterns: those that fit, in the order of `FlowPattern`.
    """

    giver: int
    taker: int
    chips: int
    hands: int
    sizeable: int
    sizeable_won: int
    gave_up: int
    gave_up_chips: int
    after_gifts: int
    corrections: int
    collected_from: int
    patterns: tuple[FlowPattern, ...]

    @property
    def points(self) -> int:
        """How suspicious it is: the weights of its patterns together."""
        return sum(POINTS[pattern] for pattern in self.patterns)

    @property
    def is_alarm(self) -> bool:
        """Whether staff should look at it."""
        return self.points >= ALARM_POINTS and not _STRONG.isdisjoint(self.patterns)


class _Way(Struct, gc=False):
    """What one player lost to another; two of them make a pair. There can be a hundred thousand, so the collector leaves them alone."""

    chips: float = 0
    hands: int = 0
    sizeable: int = 0
    gave_up: int = 0
    gave_up_chips: int = 0
    after_gifts: int = 0
    corrections: int = 0


def _ways() -> defaultdict[int, _Way]:
    return defaultdict(_Way)


class _OpenPot:
    """A hand that is being played, by its transfers."""

    __slots__ = ("big_blind", "pot", "put_in", "uncalled", "won")

    def __init__(self) -> None:
        self.pot = self.big_blind = 0
        self.put_in: dict[int, int] = {}
        self.won: dict[int, int] = {}
        self.uncalled = 0  # whose bet came back, as the last thing before the pot was won


class FlowBook:
    """Adds up transfers, in their order, and finds who gives chips to whom."""

    def __init__(self) -> None:
        self._pots: defaultdict[int, _OpenPot] = defaultdict(_OpenPot)
        self._stacks: dict[tuple[int, int], int] = {}  # by table and user; only those whose buy-in has been seen
        self._players: defaultdict[int, set[int]] = defaultdict(set)  # by table
        self._ways: defaultdict[int, defaultdict[int, _Way]] = defaultdict(_ways)  # by giver and taker, in small parts
        self._alone: dict[
            int, float
        ] = {}  # what went from one to the other at a table, as long as only two had sat there
        self._gifts: dict[int, tuple[int, int, dict[int, float]]] = {}  # the last one: when, chips, lost since to whom
        self._events: defaultdict[int, dict[int, int]] = defaultdict(
            dict
        )  # by table: what each has got, less what they paid
        self._in_escrow: defaultdict[int, int] = defaultdict(int)
        self._first_seen: dict[int, int] = {}
        self._brought: defaultdict[int, int] = defaultdict(
            int
        )  # to tables, beyond what was taken away from them in between

    def add(
        self, at: int, reason: str, table: int, debit_kind: int, debit: int, credit_kind: int, credit: int, chips: int
    ) -> None:
        """Add one transfer of people's chips; `at` is in ms, `debit` and `credit` are users."""
        if debit_kind == AccountKind.SEAT:
            self._moved(table, debit, -chips)
        elif debit_kind == AccountKind.MINT:
            self._gift(at, reason, credit, chips)
            return
        if credit_kind == AccountKind.ESCROW:
            self._event(table, debit, -chips)
            return
        if debit_kind == AccountKind.ESCROW:
            self._event(table, credit, chips)
            return
        if credit_kind == AccountKind.SEAT:
            if reason in (TransferReason.BUY_IN, TransferReason.TOP_UP):
                self._brought[credit] += chips
            if reason == TransferReason.BUY_IN:
                self._stacks[table, credit] = 0
            self._moved(table, credit, chips)
        if credit_kind == AccountKind.POT:
            pot = self._pots[table]
            pot.pot += chips
            pot.uncalled = 0
            pot.put_in[debit] = pot.put_in.get(debit, 0) + chips
            if reason == TransferReason.POST:
                pot.big_blind = max(pot.big_blind, chips)
        elif debit_kind == AccountKind.POT:
            self._left_pot(at, table, reason, credit, chips)
        elif debit_kind == credit_kind == AccountKind.SEAT:
            way = self._ways[debit][credit]
            way.chips += chips
            way.corrections += 1
            self._went_over(table, chips)
        elif reason == TransferReason.CASH_OUT:
            self._stacks.pop((table, debit), None)

    def _event(self, table: int, user: int, chips: int) -> None:
        """Add chips that are paid out of an event, or below zero into it. At its end who gained has won from who lost (BO-1)."""
        nets = self._events[table]
        nets[user] = nets.get(user, 0) + chips
        self._in_escrow[table] -= chips
        if self._in_escrow[table] > 0:
            return
        if self._in_escrow.pop(table) == 0:  # else it began before the first transfer
            for taker, giver, won in flows_of_changes(nets):
                way = self._ways[giver][taker]
                way.chips += won
                way.hands += 1
        del self._events[table]

    def _moved(self, table: int, user: int, chips: int) -> None:
        self._players[table].add(user)
        stack = self._stacks.get((table, user))
        if stack is not None:
            self._stacks[table, user] = stack + chips

    def _gift(self, at: int, reason: str, user: int, chips: int) -> None:
        if reason != TransferReason.STAFF_GRANT:
            self._gifts[user] = at, chips, {}
        if reason == TransferReason.GRANT:
            self._first_seen[user] = at

    def _left_pot(self, at: int, table: int, reason: str, user: int, chips: int) -> None:
        pot = self._pots[table]
        pot.pot -= chips
        if reason == TransferReason.WON:
            pot.won[user] = pot.won.get(user, 0) + chips
        elif reason in (TransferReason.RETURNED, TransferReason.VOID_REFUND):
            pot.put_in[user] = pot.put_in.get(user, 0) - chips
            pot.uncalled = user
        if pot.pot <= 0:
            del self._pots[table]
            if pot.pot == 0:  # else it began before the first transfer
                self._hand_over(at, table, pot)

    def _hand_over(self, at: int, table: int, pot: _OpenPot) -> None:
        """Each winner is paid by each other player in proportion to what that player put in."""
        winners = [user for user, chips in pot.won.items() if chips > pot.put_in.get(user, 0)]
        for taker, giver, chips in flows_of_pot(pot.put_in, pot.won):
            self._lost(at, table, pot, giver, taker, chips)
            if winners == [taker] and pot.uncalled == taker:
                self._gave_up(table, giver, taker, pot.put_in[giver])

    def _lost(self, at: int, table: int, pot: _OpenPot, giver: int, taker: int, chips: float) -> None:
        way = self._ways[giver][taker]
        way.chips += chips
        way.hands += 1
        self._went_over(table, chips)
        way.sizeable += chips >= SIZEABLE_BIG_BLINDS * max(pot.big_blind, 1)
        gift = self._gifts.get(giver)
        if gift is not None and at - gift[0] <= GIFT_MS:
            lost = gift[2][taker] = gift[2].get(taker, 0) + chips
            if lost >= GIFT_SHARE * gift[1]:
                way.after_gifts += 1
                del self._gifts[giver]

    def _went_over(self, table: int, chips: float) -> None:
        if len(self._players[table]) == 2:
            self._alone[table] = self._alone.get(table, 0) + chips

    def _gave_up(self, table: int, giver: int, taker: int, put_in: int) -> None:
        """The winner's last bet was not called. Whoever still has chips has folded."""
        stack = self._stacks.get((table, giver), 0)
        if stack > 0 and put_in >= GAVE_UP_SHARE * (stack + put_in):
            way = self._ways[giver][taker]
            way.gave_up += 1
            way.gave_up_chips += put_in

    # what is found

    def flows(self, limit: int = 200) -> tuple[PairFlow, ...]:
        """Return pairs in which one lost to the other on balance, at most `limit`, the most suspicious first. This empties the book.

        It does so pair by pair: to sort a hundred thousand, or to free them at once, would hold the interpreter for long.
        """
        suspicious: list[PairFlow] = []
        plain = nlargest(limit, self._plain_flows(suspicious), key=lambda flow: (flow.chips, -flow.giver, -flow.taker))
        givers: defaultdict[int, set[int]] = defaultdict(set)
        for flow in suspicious:
            if _SUSPICIOUS & set(flow.patterns):
                givers[flow.taker].add(flow.giver)
        found = sorted(
            _with_collectors(suspicious, givers),
            key=lambda flow: (not flow.is_alarm, -flow.points, -flow.chips, flow.giver, flow.taker),
        )
        return (*found, *plain)[:limit]

    def _plain_flows(self, suspicious: list[PairFlow]) -> Iterator[PairFlow]:
        """Take every pair out of the book: those with a pattern go to `suspicious`, the others are returned."""
        alone: dict[tuple[int, int], float] = {}
        for table, chips in self._alone.items():
            if len(self._players[table]) == 2:
                one, other = sorted(self._players[table])
                alone[one, other] = alone.get((one, other), 0) + chips
        for giver, taker, way, back in self._take_pairs():
            if round(way.chips - back.chips) > 0:
                flow = self._flow(giver, taker, way, back, alone.get((min(giver, taker), max(giver, taker)), 0))
                if flow.patterns:
                    suspicious.append(flow)
                else:
                    yield flow

    def _take_pairs(self) -> Iterator[tuple[int, int, _Way, _Way]]:
        """Take the pairs out of the book: who lost more to whom, how, and what came back."""
        nothing = _Way()
        while self._ways:
            one, lost_to = self._ways.popitem()
            for other, way in lost_to.items():
                others = self._ways.get(other)
                back = others.pop(one, nothing) if others else nothing
                yield (one, other, way, back) if way.chips >= back.chips else (other, one, back, way)

    def _flow(self, giver: int, taker: int, way: _Way, back: _Way, alone: float) -> PairFlow:
        chips, sizeable, moved = round(way.chips - back.chips), way.sizeable + back.sizeable, way.chips + back.chips
        fits = {
            FlowPattern.ALWAYS_LOSES: sizeable >= ALWAYS_HANDS and back.sizeable <= ALWAYS_SHARE * sizeable,
            FlowPattern.GIVES_UP: way.gave_up >= GAVE_UP_TIMES and way.gave_up > 2 * back.gave_up,
            FlowPattern.CORRECTED: way.corrections >= 2 and not back.corrections,
            FlowPattern.AFTER_GIFTS: way.after_gifts >= GIFT_TIMES,
            FlowPattern.EMPTIED: way.hands + back.hands <= EMPTIED_HANDS
            and 0 < EMPTIED_SHARE * self._brought[giver] <= chips,
            FlowPattern.ALONE: moved > 0 and alone >= ALONE_SHARE * moved,
            FlowPattern.TOGETHER: self._came_together(giver, taker),
        }
        patterns = tuple(pattern for pattern in FlowPattern if fits.get(pattern))
        return PairFlow(
            giver, taker, chips, way.hands + back.hands, sizeable, back.sizeable, way.gave_up, way.gave_up_chips,
            way.after_gifts, way.corrections, 0, patterns,
        )  # fmt: skip

    def _came_together(self, one: int, other: int) -> bool:
        """Whether both accounts were made, or came to the server, within ten minutes."""
        made = [user >> _SNOWFLAKE_SHIFT for user in (one, other)]
        if min(made) > 0 and abs(made[0] - made[1]) <= TOGETHER_MS:
            return True
        seen = [self._first_seen.get(user) for user in (one, other)]
        return seen[0] is not None and seen[1] is not None and abs(seen[0] - seen[1]) <= TOGETHER_MS


def _with_collectors(flows: Iterable[PairFlow], givers: dict[int, set[int]]) -> list[PairFlow]:
    """Add what only all pairs together show: that one player has the chips of several."""
    found: list[PairFlow] = []
    for flow in flows:
        from_others = givers.get(flow.taker, set())
        if len(from_others) >= COLLECTED_FROM and flow.giver in from_others:
            patterns = tuple(one for one in FlowPattern if one in (*flow.patterns, FlowPattern.COLLECTS))
            found.append(replace(flow, collected_from=len(from_others), patterns=patterns))
        else:
            found.append(flow)
    return found

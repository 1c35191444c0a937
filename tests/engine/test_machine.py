"""A machine plays random hands under random options and checks everything after every event.

No chip is made or lost, no card is dealt twice, what is stored plays the same hand again, no view shows what its owner cannot see, every
action offered is accepted, what lies just outside is refused with a law and leaves no trace, and every hand ends.
"""

import random
from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from bot.engine import commands as c
from bot.engine import events as e
from bot.engine.betting.posts import regular_posts
from bot.engine.decide import decide, decide_and_evolve, legal, start, void
from bot.engine.errors import LawError
from bot.engine.events import HandStarted, Post, PostKind
from bot.engine.evolve import begin_hand, evolve, evolve_all, replay
from bot.engine.hand import Hand
from bot.engine.legal import Decision, LegalActions
from bot.engine.options.types import Options
from bot.engine.options.values import (
    Ante,
    BlindsAnte,
    Checking,
    Limit,
    MinRaise,
    OddChip,
    OutOfTurn,
    PassedOutRule,
    RaiseCap,
    Showing,
    StakeLadder,
    StakesRule,
    StraddleRule,
    Switch,
)
from bot.engine.stakes import Stakes, validate_stakes
from bot.engine.timeout import default_action
from bot.engine.view.build import view
from bot.variants import game

SLICE = 150
FULL = 20_000
MOST_DECISIONS = 400
"""More decisions than any hand of these stakes can need: a longer hand would never end."""

STATE = [name for name in Hand.__struct_fields__ if name != "rules"]


def state_of(hand: Hand) -> list[object]:
    """Return every field of a hand, copied so that a later change shows."""
    return [list(value) if isinstance(value := getattr(hand, name), list) else value for name in STATE]


def random_law(rng: random.Random) -> tuple[Options, Stakes]:
    """Return options and stakes that fit one another and that hold'em can be dealt by."""
    limit = rng.choice(list(Limit))
    ante = rng.choice((Ante.BLINDS,) * 6 + (Ante.EVERYONE, Ante.LEFT_OF_DEALER))
    min_raise = {
        Limit.LIMIT: MinRaise.BY_LIMIT,
        Limit.DOUBLING_FLAT: MinRaise.BY_LADDER,
        Limit.STAKE_LIMIT: rng.choice((MinRaise.ONE_CHIP, MinRaise.MATCH_CALL, MinRaise.LAST_RAISE)),
    }.get(limit, MinRaise.LAST_RAISE)
    small = rng.choice((1, 3, 25, 50))
    uneven = ante is Ante.BLINDS and rng.random() < 0.2
    big = rng.randint(small, 3 * small) if uneven else 2 * small
    forced_double = ante is Ante.LEFT_OF_DEALER and rng.random() < 0.5
    antes = ante is not Ante.BLINDS or limit is Limit.DOUBLING_FLAT or rng.random() < 0.4
    stakes = Stakes(
        ante=rng.choice((1, small, big)) if antes else 0,
        small_blind=small if ante is Ante.BLINDS else 0,
        big_blind=big if ante is Ante.BLINDS else 0,
        small_bet=big if limit is Limit.LIMIT else 0,
        big_bet=2 * big if limit is Limit.LIMIT else 0,
        limit=rng.randint(2 * big, 10 * big) if limit is Limit.STAKE_LIMIT else 0,
        doublings=rng.choice((3, 4)) if limit is Limit.DOUBLING_FLAT else 0,
    )
    options = Options(
        limit=limit,
        ante=ante,
        min_raise=min_raise,
        house_blinds=Switch.ON if uneven else Switch.OFF,
        straddle=StraddleRule.FORCED_DOUBLE if forced_double else StraddleRule.OFF,
        blinds_ante=rng.choice(list(BlindsAnte)),
        raise_cap=rng.choice(list(RaiseCap)),
        check=rng.choice((Checking.ALLOWED,) * 6 + (Checking.STAND_ONCE, Checking.FORBIDDEN)),
        show=rng.choice(list(Showing)),
        odd_chip=rng.choice(list(OddChip)),
        out_of_turn=rng.choice((OutOfTurn.REFUSE, OutOfTurn.REFUSE, OutOfTurn.HOLD, OutOfTurn.TDA53)),
        stakes=rng.choice((StakesRule.TABLE,) * 5 + (StakesRule.OPEN_PURSE,)),
        small_counts_as_big=rng.choice(list(Switch)),
        stake_ladder=rng.choice(list(StakeLadder)),
        passed_out=rng.choice((PassedOutRule.BLINDS_PLAY, PassedOutRule.NEXT_DEALER_REANTE)),
    )
    validate_stakes(stakes, options)
    return options, stakes


def random_start(rng: random.Random) -> tuple[HandStarted, tuple[int, ...]]:
    """Return the first event of a hand, and its deck."""
    options, stakes = random_law(rng)
    card = game(rng.choice(("holdem", "pot_limit_holdem", "limit_holdem")))
    players = rng.randint(2, 10)
    unit = max(stakes.big_blind, stakes.ante)
    deepest = rng.choice((3, 12, 60, 200)) * unit
    least = 3 * unit if options.stakes is StakesRule.OPEN_PURSE else 1
    stacks = tuple(
        rng.choice((rng.randint(least, 4 * unit), rng.randint(unit, deepest) + least)) for _ in range(players)
    )
    posts = list(regular_posts(card, options, stakes, players))
    if options.ante is Ante.BLINDS and players > 3 and rng.random() < 0.3:
        kind = rng.choice((PostKind.LIVE, PostKind.DEAD, PostKind.STRADDLE))
        chips = {PostKind.LIVE: stakes.big_blind, PostKind.STRADDLE: 2 * stakes.big_blind}.get(kind, stakes.small_blind)
        seat = 2 if kind is PostKind.STRADDLE else rng.randrange(2, players)
        if kind is not PostKind.STRADDLE or stacks[seat] > chips + stakes.ante:
            posts.append(Post(seat, kind, chips))
    seats = tuple(sorted(rng.sample(range(1, 15), players)))
    deck = list(range(52))
    rng.shuffle(deck)
    carried = rng.choice((0, 0, 0, rng.randint(1, 5 * unit)))
    started = HandStarted(
        replace(card, options=options), replace(options, run_twice=Switch.ON), stakes, seats, stacks, tuple(posts), rng.choice(seats),
        ask_show=rng.random() < 0.5, carried=carried, ask_run_twice=rng.random() < 0.5,
    )  # fmt: skip
    return started, tuple(deck)


def offered(rng: random.Random, may: LegalActions) -> list[c.HandCommand]:
    """Return every kind of action that a seat is offered, with raises at both ends and between."""
    found: list[c.HandCommand] = []
    if may.fold:
        found.append(c.Fold())
    if may.check:
        found.append(c.Check())
    if may.call_chips:
        found.append(c.Call())
    if may.max_to:
        made = c.Bet if may.opening else c.RaiseTo
        found += [made(to) for to in {may.min_to, may.max_to, rng.randint(may.min_to, may.max_to)}]
        found.append(c.AllIn())
    if may.show:
        found.append(c.Show())
    if may.muck:
        found.append(c.Muck())
    found += [c.Declare(word) for word in may.declarable_words]
    return found


def just_outside(may: LegalActions) -> list[c.HandCommand]:
    """Return actions close to those offered, which must be refused."""
    found: list[c.HandCommand] = [c.RaiseTo(0), c.Bet(-5), c.RaiseTo(10**13), c.TakeStraddle()]
    if may.decision is not Decision.RUN_TWICE:  # there it is another way to say yes
        found.append(c.Accept())
    if may.decision is not Decision.BET:
        return [*found, c.Fold(), c.Check(), c.Call(), c.RaiseTo(may.current_bet + 1)]
    if not may.check:
        found.append(c.Check())
    if not may.call_chips and not may.check:
        found.append(c.Call())
    if may.max_to:
        found += [c.RaiseTo(may.min_to - 1), c.Bet(may.max_to + 1)]
    else:
        found += [c.RaiseTo(may.current_bet + 1), c.Bet(may.current_bet + may.stack + 1)]
    return [*found, c.Show(), c.Muck(), c.ChooseCards(), c.Declare("high")]


class Machine:
    """One random hand, checked after every event."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.started, self.deck = random_start(rng)
        self.chips = sum(self.started.stacks) + self.started.carried
        happened, self.hand = start(self.started, self.deck)
        self.events = list(happened)
        self.follow(begin_hand(self.started, self.deck), happened[1:])

    def play(self) -> None:
        """Play to the end, or until somebody voids the hand."""
        rng = self.rng
        for _ in range(MOST_DECISIONS):
            if self.hand.over:
                break
            self.refuse_what_is_not_offered()
            if rng.random() < 0.01:
                self.void()
                return
            seat = self.hand.to_act
            choices = offered(rng, legal(self.hand, seat))
            assert choices, f"seat {seat} is asked and offered nothing"
            for command in choices:
                decide(self.hand, seat, command)
            decide(self.hand, seat, default_action(self.hand))
            if rng.random() < 0.1 and self.started.options.out_of_turn is not OutOfTurn.REFUSE:
                self.act_early()
                continue
            self.act(seat, rng.choices(choices, [0.25 if isinstance(choice, c.AllIn) else 1 for choice in choices])[0])
        assert self.hand.over
        self.ended()

    def act(self, seat: int, command: c.HandCommand) -> None:
        before = state_of(self.hand)
        happened, after = decide_and_evolve(self.hand, seat, command)
        assert state_of(self.hand) == before, "a ruling changed the hand it was given"
        assert decide(self.hand, seat, command) == happened
        assert state_of(evolve_all(self.hand, happened)) == state_of(after)
        self.follow(self.hand, happened)
        self.events += happened
        self.hand = after
        assert state_of(replay(self.events, self.deck)) == state_of(after)

    def act_early(self) -> None:
        """Let a seat act before its turn: its chips wait (I-8), a fold binds, other actions are noted (TDA 53), or it is refused."""
        hand = self.hand
        others = [seat for seat in range(hand.seat_count) if hand.seats_to_act >> seat & 1 and seat != hand.to_act]
        if not others or hand.decision is not Decision.BET:
            return
        seat = self.rng.choice(others)
        to = hand.bets[seat] + self.rng.randint(0, hand.stacks[seat] + 1)
        command = self.rng.choice((c.Fold(), c.Check(), c.Call(), c.RaiseTo(to), c.RaiseTo(to)))
        try:
            decide_and_evolve(hand, seat, command)
        except LawError:
            self.refused(seat, command)
        else:
            self.act(seat, command)

    def void(self) -> None:
        for event in void(self.hand, "I-1", "a card was missing"):
            self.hand = evolve(self.hand, event)
        assert tuple(self.hand.stacks) == self.started.stacks
        assert self.hand.pot == self.started.carried
        assert self.hand.over
        self.ended()

    def follow(self, hand: Hand, happened: tuple[e.HandEvent, ...]) -> None:
        """Check the hand after every single event."""
        for event in happened:
            hand = evolve(hand, event)
            assert sum(hand.stacks) + hand.pot + hand.carried_to_next_hand == self.chips, f"{event} made or lost chips"
            assert min(hand.stacks) >= 0
            assert hand.pot >= sum(hand.bets)
            self.no_card_twice(hand)
        self.no_view_leaks(hand)

    def no_card_twice(self, hand: Hand) -> None:
        common = tuple(
            {place for board in hand.board_indices for place in board}
        )  # boards run twice share their beginning
        dealt = [
            place for cards in (*hand.down_indices, *hand.up_indices, common, hand.burn_indices) for place in cards
        ]
        assert len(set(dealt)) == len(dealt)
        assert len({hand.deck[place] for place in dealt}) == len(dealt)
        assert not dealt or max(dealt) < hand.next_card_index

    def no_view_leaks(self, hand: Hand) -> None:
        """Shuffle every card that a viewer cannot know: their view must not change."""
        for viewer in (None, *range(hand.seat_count)):
            known = set(seen_by(hand, viewer))
            hidden = [place for place in range(len(hand.deck)) if place not in known]
            cards = [hand.deck[place] for place in hidden]
            self.rng.shuffle(cards)
            twin, deck = hand.copy(), list(hand.deck)
            for place, card in zip(hidden, cards, strict=True):
                deck[place] = card
            twin.deck = tuple(deck)
            assert view(twin, viewer) == view(hand, viewer), f"the view of {viewer} knows a hidden card"

    def refuse_what_is_not_offered(self) -> None:
        hand = self.hand
        before = state_of(hand)
        for command in just_outside(legal(hand, hand.to_act)):
            self.refused(hand.to_act, command)
        if self.started.options.out_of_turn is OutOfTurn.REFUSE:
            other = (hand.to_act + self.rng.randrange(1, hand.seat_count)) % hand.seat_count
            for command in (
                c.Fold(),
                c.Check(),
                c.Call(),
                c.RaiseTo(hand.current_bet + 1),
                c.AllIn(),
                c.Show(),
                c.Muck(),
            ):
                self.refused(other, command)
        self.refused(hand.seat_count, c.Fold(), dealt_in=False)
        assert state_of(hand) == before, "a refusal left a trace"

    def refused(self, seat: int, command: c.HandCommand, *, dealt_in: bool = True) -> None:
        with pytest.raises(LawError) as refusal:
            decide_and_evolve(self.hand, seat, command)
        error = refusal.value
        assert error.law, f"{command}: a refusal without a law"
        if dealt_in:
            assert error.legal == legal(self.hand, seat)

    def ended(self) -> None:
        """Check that a finished hand pays everything out, or leaves it in the pot if nobody opened, and waits for nobody."""
        hand = self.hand
        assert sum(hand.stacks) + hand.pot + hand.carried_to_next_hand == self.chips
        assert hand.pot == (self.started.carried if hand.voided else 0)
        assert not hand.carried_to_next_hand or hand.passed_out
        assert (hand.to_act, hand.decision) == (-1, Decision.NONE)
        for seat in range(hand.seat_count):
            assert legal(hand, seat) == LegalActions(
                seat, pot=hand.pot, current_bet=hand.current_bet, stack=hand.stacks[seat]
            )
            for command in (c.Fold(), c.Check(), c.Call(), c.RaiseTo(10), c.AllIn(), c.Muck()):
                self.refused(seat, command)
        with pytest.raises(LawError):
            void(hand, "I-1", "too late")
        for seat in range(hand.seat_count):
            if not hand.voided and not hand.shown_seats >> seat & 1:
                self.act(seat, c.Show(card_indices=(self.rng.choice(hand.down_indices[seat]),)))
                hand = self.hand
            if not hand.voided and not hand.shown_seats >> seat & 1:
                self.act(seat, c.Show())
                hand = self.hand


def seen_by(hand: Hand, viewer: int | None) -> Iterator[int]:
    """Return the card indices that a viewer can know."""
    for cards in (*hand.up_indices, *hand.board_indices, hand.shown_indices):
        yield from cards
    for seat, cards in enumerate(hand.down_indices):
        if seat == viewer or hand.shown_seats >> seat & 1:
            yield from cards


def play_many(first: int, hands: int) -> None:
    for seed in range(first, first + hands):
        try:
            Machine(random.Random(seed)).play()
        except Exception as fault:
            fault.add_note(f"seed {seed}")
            raise


@pytest.mark.law("H-6", "B-9", "B-18", "I-7", "TL-15", "TL-35", "TL-37")
@pytest.mark.parametrize("part", range(3))
def test_random_hands_keep_every_chip_card_and_secret(part: int) -> None:
    play_many(part * SLICE // 3, SLICE // 3)


@pytest.mark.full
@pytest.mark.parametrize("part", range(20))
def test_twenty_thousand_random_hands_keep_every_chip_card_and_secret(part: int) -> None:
    hands = FULL // 20
    play_many(1_000_000 + part * hands, hands)

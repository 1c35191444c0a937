"""A machine plays every game of the catalogue under random lawful options, at every number of players, and looks at everything.

What it looks at is told in `test_machine`, which does the same for hold'em more deeply; here every step of every rule card is met: draws,
drops, passes, declarations, straddles, prices, turned-up cards, boards run twice, wild cards and aces designated.
"""

import random
from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from bot.cli_replay import differences
from bot.cli_replay import replay as replay_record
from bot.engine import commands as c
from bot.engine import events as e
from bot.engine import notation, phh
from bot.engine import options as o
from bot.engine.card import RuleCard
from bot.engine.cards import JOKER
from bot.engine.choosing import AT_ONCE
from bot.engine.errors import LawError
from bot.engine.evolve import begin, evolve, evolve_all, replay
from bot.engine.hand import Hand, seats_in
from bot.engine.legal import Decision, Legal
from bot.engine.packs import PACKS, seats_served
from bot.engine.posts import regular_posts
from bot.engine.register import check_options
from bot.engine.ruling import decide, legal, rule, start, void
from bot.engine.seeing import view
from bot.engine.silence import silent
from bot.engine.stakes import Stakes, check_stakes
from bot.engine.steps import PassCards
from bot.variants import CATALOGUE
from bot.variants.usual import usual_stakes
from tests.engine.test_machine import state_of

SLICE = 5
FULL = 1_000
MOST_DECISIONS = 600
"""More than any hand of these stakes can need: what goes on longer does not end."""

BY_CARD = (o.FirstOpener.LOW_CARD, o.FirstOpener.HIGH_CARD)


def random_law(rng: random.Random, card: RuleCard) -> tuple[o.Options, Stakes]:
    """Options and stakes that fit one another and the card: the card's own, with some of what it honours chosen otherwise."""
    options = card.options
    changes: dict[str, object] = {}

    def maybe(name: str, *values: object, often: float = 0.25) -> None:
        if rng.random() < often:
            changes[name] = rng.choice(values)

    maybe("odd_chip", *o.OddChip)
    maybe("show", *o.Showing)
    maybe("raise_cap", *o.RaiseCap)
    maybe("out_of_turn", *o.OutOfTurn)
    maybe("check", *o.Checking, often=0.15)
    maybe("passed_out", *o.PassedOut)
    maybe("draw_max", *o.DrawMax)
    maybe("stud_tie", *o.StudTie)
    maybe("ace_straight", *o.AceStraight, often=0.15)
    maybe("ace_hilo", *o.AceHiLo, often=0.4)
    maybe("suit_rank", *o.SuitRank, often=0.1)
    maybe("special", *o.Special, often=0.15)
    maybe("wild_call", *o.WildCall, often=0.4)
    maybe("open_max", *o.OpenMax)
    maybe("straddle_cap", *o.StraddleCap)
    maybe("straddle_laps", *o.StraddleLaps)
    maybe("stake_ladder", *o.StakeLadder)
    maybe("come_in", *o.ComeIn)
    maybe("small_counts_as_big", *o.Switch)
    maybe("run_twice", *o.Switch)
    maybe("stakes", *o.Purse, often=0.1)
    if any(share.ranking.is_low for share in card.shares):
        maybe("low_scale", *[scale for scale in o.LowScale if scale is not o.LowScale.BADUGI], often=0.2)
    if options.deck is o.Deck.STANDARD_52 and options.wild_method is o.WildMethod.NONE and rng.random() < 0.2:
        changes |= {"wild_method": rng.choice((o.WildMethod.BUG, o.WildMethod.FREE, o.WildMethod.NO_DUPLICATE))}
        changes |= rng.choice(({"deck": o.Deck.WITH_JOKER_53}, {"wild_ranks": (rng.randrange(13),)}))
    maybe("limit", *o.Limit, often=0.3)
    limit = o.Limit(str(changes.get("limit", options.limit)))
    if limit is not options.limit:
        changes["min_raise"] = {
            o.Limit.LIMIT: o.MinRaise.BY_LIMIT,
            o.Limit.DOUBLING_FLAT: o.MinRaise.BY_LADDER,
            o.Limit.STAKE_LIMIT: rng.choice((o.MinRaise.ONE_CHIP, o.MinRaise.MATCH_CALL, o.MinRaise.LAST_RAISE)),
        }.get(limit, o.MinRaise.LAST_RAISE)
    law = replace(options, **changes)
    return law, _stakes(rng, card, law)


def _stakes(rng: random.Random, card: RuleCard, law: o.Options) -> Stakes:
    unit = rng.choice((10, 100))
    stakes = usual_stakes(replace(card, options=law), unit)
    if law.ante is o.Ante.BLINDS and rng.random() < 0.3:
        stakes = replace(stakes, ante=rng.choice((1, unit // 5)))
    if law.limit is o.Limit.DOUBLING_FLAT and not stakes.ante:
        stakes = replace(stakes, ante=unit // 4)
    if law.limit is o.Limit.STAKE_LIMIT:
        stakes = replace(stakes, limit=max(2 * stakes.ante, rng.choice((unit, 4 * unit))))
    return stakes


def random_start(rng: random.Random, card: RuleCard) -> tuple[e.HandStarted, tuple[int, ...]]:
    """A deal about to begin, and its pack."""
    law, stakes = random_law(rng, card)
    check_options(law)
    check_stakes(stakes, law, card.amounts)
    most = card.seats_max if card.options.deck is law.deck else min(card.seats_max, seats_served(card, law.deck))
    players = rng.randint(card.seats_min, most)
    unit = max(stakes.big_blind, stakes.ante, stakes.small_bet, 10)
    least = 4 * unit if law.stakes is o.Purse.OPEN_PURSE else 1
    stacks = tuple(
        least + rng.choice((rng.randint(0, 3 * unit), rng.randint(unit, rng.choice((12, 60, 200)) * unit)))
        for _ in range(players)
    )
    pack = list(PACKS[law.deck])
    rng.shuffle(pack)
    started = e.HandStarted(
        card, law, stakes, tuple(sorted(rng.sample(range(1, 15), players))), stacks,
        regular_posts(card, law, stakes, players), rng.randint(1, 14), ask_show=rng.random() < 0.5,
        carried=rng.choice((0, 0, 0, rng.randint(1, 5 * unit))), ask_run_twice=rng.random() < 0.5,
        openers=rng.choice((-1, -1, 10, 12)) if card.openers is not None else -1,
    )  # fmt: skip
    return started, tuple(pack)


def offered(rng: random.Random, hand: Hand, seat: int, may: Legal) -> list[c.Command]:
    """Every kind of action that a seat is offered, amounts and cards at both ends and between."""
    held = list(hand.down[seat])
    match may.decision:
        case Decision.BET:
            return _bets(rng, may)
        case Decision.DRAW:
            return [c.Discard(tuple(rng.sample(held, count))) for count in {0, may.most, rng.randint(0, may.most)}]
        case Decision.DROP | Decision.PASS | Decision.ARRANGE:
            return [c.Discard(tuple(rng.sample(held, may.most))) for _ in range(2)]
        case Decision.DECLARE:
            return [c.Declare(word) for word in may.words]
        case Decision.STRADDLE:
            return [c.Accept(), c.Straddle(may.offer), c.Straddle(), c.Decline()]
        case Decision.OFFER | Decision.RUN_TWICE:
            return [c.Accept(), c.Decline()]
        case Decision.SHOW:
            shows: list[c.Command] = [c.Muck()] if may.muck else []
            shows += [c.Show(word=word) for word in may.words or ("",)]
            return shows + _designations(rng, hand, seat, may)
        case _:
            return []


def _bets(rng: random.Random, may: Legal) -> list[c.Command]:
    found: list[c.Command] = []
    if may.fold:
        found.append(c.Fold())
    if may.check:
        found.append(c.Check())
    if may.call:
        found.append(c.Call())
    if may.bring_in:
        found.append(c.Bet(may.bring_in))
    if may.max_to:
        made = c.Bet if may.opening else c.RaiseTo
        found += [made(to) for to in {may.min_to, may.max_to, rng.randint(may.min_to, may.max_to)}]
        found.append(c.AllIn())
    return found


def _designations(rng: random.Random, hand: Hand, seat: int, may: Legal) -> list[c.Command]:
    """A lawful word on one wild card, if one is soon found."""
    for _ in range(6 if may.designate else 0):
        command = c.Show(((rng.choice(may.designate), rng.randrange(52)),), may.words[0] if may.words else "")
        try:
            decide(hand, seat, command)
        except LawError:
            continue
        return [command]
    return []


def just_outside(rng: random.Random, hand: Hand, seat: int, may: Legal) -> list[c.Command]:
    """What lies beside the actions offered and must be refused."""
    held, foreign = list(hand.down[seat]), (hand.place + 1, -1)
    found: list[c.Command] = [c.RaiseTo(0), c.Bet(-5), c.RaiseTo(10**13)]
    if may.decision is not Decision.BET:
        found += [c.Fold(), c.Check(), c.Call(), c.RaiseTo(may.level + 1), c.AllIn()]
    if may.decision is not Decision.SHOW:
        found += [c.Show(), c.Muck()]
    match may.decision:
        case Decision.BET:
            found += _bets_outside(may)
        case Decision.DRAW:
            found += [c.Discard(tuple(held[: may.most + 1]))] if may.most < len(held) else []
            found += [c.Discard((place,)) for place in foreign] + ([c.Discard((held[0],) * 2)] if may.most > 1 else [])
        case Decision.DROP | Decision.PASS | Decision.ARRANGE:
            found += [c.Discard(tuple(held[: may.most - 1])), c.Discard((*held[: may.most - 1], foreign[0]))]
            found += [c.Discard((held[0],) * may.most)] if may.most > 1 else []
        case Decision.DECLARE:
            found += [c.Declare("maybe"), c.Declare(""), c.Accept(), c.Discard(tuple(held))]
        case Decision.RUN_TWICE:
            found += [c.Declare("high"), c.Discard(())]
        case Decision.STRADDLE:
            found += [c.Straddle(may.offer + 1), c.Straddle(may.offer - 1), c.Discard(tuple(held))]
        case Decision.OFFER:
            found += [c.Straddle(may.offer + 1), c.Declare("yes"), c.Discard(tuple(held))]
        case Decision.SHOW:
            found += [] if may.muck else [c.Muck()]
            found += [c.Show(((foreign[0], rng.randrange(52)),))] if may.designate else []
            found += [c.Show(word="aces sideways")] if may.words else []
        case _:
            pass
    return found


def _bets_outside(may: Legal) -> list[c.Command]:
    found: list[c.Command] = [c.Discard(), c.Declare("high"), c.Accept(), c.Decline(), c.Straddle()]
    if not may.check:
        found.append(c.Check())
    if not may.call and not may.check:
        found.append(c.Call())
    if not may.fold:
        found.append(c.Fold())
    if may.max_to:
        low = may.min_to - 1
        found += [c.Bet(may.max_to + 1)] + ([c.RaiseTo(low)] if low != may.bring_in else [])
    else:
        found += [c.RaiseTo(may.level + 1), c.Bet(may.level + may.stack + 1)]
    return found


class Machine:
    """One random hand of a game, watched."""

    def __init__(self, rng: random.Random, card: RuleCard) -> None:
        self.rng = rng
        self.started, self.pack = random_start(rng, card)
        self.chips = sum(self.started.stacks) + self.started.carried
        happened, self.hand = start(self.started, self.pack)
        self.events = list(happened)
        self.follow(begin(self.started, self.pack), happened[1:])

    def play(self) -> None:
        """Play to the end, or until somebody voids the deal."""
        rng = self.rng
        for _ in range(MOST_DECISIONS):
            hand = self.hand
            if hand.over:
                break
            asked = list(seats_in(hand.unserved & hand.live)) if hand.decision in AT_ONCE else [hand.to_act]
            seat = rng.choice(asked)
            may = legal(hand, seat)
            assert may.decision is hand.decision
            self.refuse_what_is_not_offered(seat, may)
            if rng.random() < 0.002:
                self.void()
                return
            choices = offered(rng, hand, seat, may)
            assert choices, f"seat {seat} is asked and offered nothing"
            for command in choices:
                decide(hand, seat, command)
            decide(hand, hand.to_act, silent(hand))
            if rng.random() < 0.1:
                self.act_early()
                continue
            self.act(seat, rng.choices(choices, [_weight(choice) for choice in choices])[0])
        assert self.hand.over, "the hand does not end"
        self.ended()

    def act(self, seat: int, command: c.Command) -> None:
        before = state_of(self.hand)
        happened, after = rule(self.hand, seat, command)
        assert state_of(self.hand) == before, "a ruling changed the hand it was given"
        assert state_of(evolve_all(self.hand, happened)) == state_of(after)
        self.follow(self.hand, happened)
        self.events += happened
        self.hand = after

    def act_early(self) -> None:
        """Somebody acts before his turn: kept where the table keeps it, else refused."""
        hand = self.hand
        if hand.decision is not Decision.BET:
            return
        others = [seat for seat in seats_in(hand.pending & hand.live) if seat != hand.to_act and hand.stacks[seat]]
        if others:
            seat = self.rng.choice(others)
            to = hand.bets[seat] + self.rng.randint(1, hand.stacks[seat])
            try:
                self.act(seat, self.rng.choice((c.Fold(), c.Call(), c.RaiseTo(to), c.AllIn())))
            except LawError as refusal:
                assert refusal.law

    def void(self) -> None:
        for event in void(self.hand, "I-1", "a card was missing"):
            self.hand = evolve(self.hand, event)
            self.events.append(event)
        assert tuple(self.hand.stacks) == self.started.stacks
        assert (self.hand.pot, self.hand.over) == (self.started.carried, True)

    def follow(self, hand: Hand, happened: tuple[e.Event, ...]) -> None:
        """Look at the hand after every single event, and at what everybody sees after the last."""
        for event in happened:
            hand = evolve(hand, event)
            assert sum(hand.stacks) + hand.pot + hand.carried_on == self.chips, f"{event} made or lost chips"
            assert min(hand.stacks) >= 0
            assert hand.pot >= sum(hand.bets)
            no_card_twice(hand)
        self.no_view_leaks(hand)

    def no_view_leaks(self, hand: Hand) -> None:
        """Shuffle every card that a viewer may not know, and every choice still secret: his view must not change."""
        for viewer in (None, *range(hand.number_of)):
            hidden = sorted(set(range(len(hand.deck))) - set(seen_by(hand, viewer)))
            cards = [hand.deck[place] for place in hidden]
            self.rng.shuffle(cards)
            twin, deck = hand.copy(), list(hand.deck)
            for place, card in zip(hidden, cards, strict=True):
                deck[place] = card
            twin.deck = tuple(deck)
            twin.choices = tuple(
                (seat, choice if seat == viewer else (choice[0][::-1], choice[1] and "in"))
                for seat, choice in hand.choices
            )
            seen, seen_twin = view(hand, viewer), view(twin, viewer)
            if (
                hand.decision is Decision.SHOW and hand.rules.asks_at_show
            ):  # to be asked tells that there is something to say
                seen, seen_twin = replace(seen, acting=None), replace(seen_twin, acting=None)
            assert seen_twin == seen, f"the view of {viewer} knows a hidden card"

    def refuse_what_is_not_offered(self, seat: int, may: Legal) -> None:
        hand = self.hand
        before = state_of(hand)
        for command in just_outside(self.rng, hand, seat, may):
            self.refused(seat, command)
        if self.started.options.out_of_turn is o.OutOfTurn.REFUSE and hand.decision not in AT_ONCE:
            other = (hand.to_act + self.rng.randrange(1, hand.number_of)) % hand.number_of
            early: tuple[c.Command, ...] = (
                c.Fold(),
                c.Check(),
                c.Call(),
                c.RaiseTo(hand.level + 1),
                c.AllIn(),
                c.Show(),
                c.Muck(),
            )
            for command in (*early, c.Discard(), c.Declare("in"), c.Accept(), c.Decline(), c.Straddle()):
                self.refused(other, command)
        self.refused(hand.number_of, c.Fold(), dealt_in=False)
        assert state_of(hand) == before, "a refusal left a trace"

    def refused(self, seat: int, command: c.Command, *, dealt_in: bool = True) -> None:
        try:
            rule(self.hand, seat, command)
        except LawError as error:
            assert error.law, f"{command}: a refusal without a law"
            assert error.why
            assert not dealt_in or error.legal == legal(self.hand, seat)
            return
        raise AssertionError(f"{command} of seat {seat} was let through: {legal(self.hand, seat)}")

    def ended(self) -> None:
        """A hand that is over pays everything out or carries it on, asks nobody any more, and is told again by its events alone."""
        hand = self.hand
        assert hand.pot == (self.started.carried if hand.voided else 0)
        assert not hand.carried_on or hand.passed_out or hand.voided or hand.rules.card.match_pot
        assert (hand.to_act, hand.decision) == (-1, Decision.NONE)
        for seat in range(hand.number_of):
            assert legal(hand, seat) == Legal(seat, pot=hand.pot, level=hand.level, stack=hand.stacks[seat])
            for command in (
                c.Fold(),
                c.Check(),
                c.Call(),
                c.AllIn(),
                c.Muck(),
                c.Discard(),
                c.Accept(),
                c.Declare("in"),
            ):
                self.refused(seat, command)
        assert state_of(replay(self.events, self.pack)) == state_of(hand)
        self.written_down()

    def can_be_told_in_part(self) -> bool:
        """Whether what a reader cannot know leaves nothing open that the hand hangs on: whose discards came back from under the pack, who
        passed on what he had been passed, an ace that let four cards be changed."""
        return not (
            any(isinstance(event, e.Reshuffled) for event in self.events)
            or sum(isinstance(step, PassCards) for step in self.started.card.steps) > 1
            or self.started.options.draw_max is o.DrawMax.FOUR_WITH_ACE
        )

    def written_down(self) -> None:
        """Its record plays again: with all cards the same events, with what a seat or the public knows the same stacks and pots."""
        readers: list[notation.Viewer] = [notation.ALL_KNOWING]
        if self.can_be_told_in_part():
            readers += [notation.PUBLIC, self.rng.randrange(self.hand.number_of)]
        for reader in readers:
            record = phh.parse(notation.to_phh(self.events, self.pack, reader))
            played = replay_record(record)
            assert list(differences(record, played)) == [], f"read by {reader}"
            assert reader is not notation.ALL_KNOWING or len(played.events) == len(self.events)


def _weight(choice: c.Command) -> float:
    return 0.25 if isinstance(choice, c.AllIn) else 0.5 if isinstance(choice, c.Fold) else 1


def no_card_twice(hand: Hand) -> None:
    """No two places on the table are one card. A place shuffled back is a card of the pack again."""
    dealt = [place for cards in (*hand.down, *hand.up, *hand.boards, hand.burns) for place in cards]
    if hand.rules.card.boards == 1 and len(hand.boards) > 1:  # boards that were forked share their first cards
        dealt = list(set(dealt))
    assert len(set(dealt)) == len(dealt)
    dealt = [place for place in dealt if place not in hand.spent]
    assert len({hand.deck[place] for place in dealt}) == len(dealt)
    assert not dealt or max(dealt) < hand.place


def seen_by(hand: Hand, viewer: int | None) -> Iterator[int]:
    """The places of the cards that a viewer may know."""
    for cards in (*hand.up, *hand.boards, hand.openers_shown):
        yield from cards
    for seat, cards in enumerate(hand.down):
        if seat == viewer or hand.shown >> seat & 1:
            yield from cards


def play_many(card: RuleCard, first: int, hands: int) -> None:
    for seed in range(first, first + hands):
        try:
            Machine(random.Random(seed), card).play()
        except Exception as fault:
            fault.add_note(f"{card.key}, seed {seed}")
            raise


@pytest.mark.law("H-6", "B-9", "B-18", "I-7", "TL-15", "TL-35", "TL-37")
@pytest.mark.parametrize("card", CATALOGUE, ids=lambda card: card.key)
def test_random_hands_of_every_game_keep_every_chip_card_and_secret(card: RuleCard) -> None:
    play_many(card, 0, SLICE)


@pytest.mark.full
@pytest.mark.parametrize("card", CATALOGUE, ids=lambda card: card.key)
def test_a_thousand_random_hands_of_every_game(card: RuleCard) -> None:
    play_many(card, 1_000_000, FULL)


def test_every_kind_of_step_is_met() -> None:
    """The catalogue as a whole asks every kind of question there is."""
    met = {Decision.SHOW, Decision.RUN_TWICE, Decision.NONE}
    asks = {"OfferStraddles": Decision.STRADDLE, "BetStep": Decision.BET, "Draw": Decision.DRAW, "Drop": Decision.DROP}
    asks |= {"PassCards": Decision.PASS, "Arrange": Decision.ARRANGE, "DeclareStep": Decision.DECLARE}
    asks |= {"OfferExposure": Decision.OFFER, "BuyCards": Decision.OFFER}
    met |= {asks[type(step).__name__] for card in CATALOGUE for step in card.steps if type(step).__name__ in asks}
    assert met == set(Decision)
    assert any(JOKER in PACKS[card.options.deck] for card in CATALOGUE)


@pytest.mark.law("VC-5", "F-7")
def test_where_a_card_opens_nobody_opens_for_less_than_the_bring_in() -> None:
    """Pot-limit razz, ante 10, bring-in 25: the ante is the smallest bet of such games, but no forced bet is below the bring-in."""
    card = next(card for card in CATALOGUE if card.key == "london")
    stakes = Stakes(ante=10, bring_in=25)
    posts = regular_posts(card, card.options, stakes, 3)
    started = e.HandStarted(card, card.options, stakes, (1, 2, 3), (500,) * 3, posts, 3)
    hand = start(started, PACKS[card.options.deck])[1]
    may = legal(hand, hand.to_act)
    assert (may.min_to, may.max_to, may.fold, may.check) == (25, 30, False, False)
    with pytest.raises(LawError):
        rule(hand, hand.to_act, c.Bet(10))

"""A machine plays every game of the catalogue under random lawful options and checks everything after every event.

What it looks at is told in `test_machine`, which does the same for hold'em more deeply; here every step of every rule card is met: draws,
folds, passes, declarations, straddles, prices, turned-up cards, boards run twice, wild cards and aces designated.
"""

import random
from collections.abc import Iterable, Iterator

import pytest
from msgspec.structs import replace

from bot.engine import commands as c
from bot.engine import events as e
from bot.engine.betting.posts import regular_posts
from bot.engine.cards import JOKER
from bot.engine.customs import LosersMatchPot
from bot.engine.dealing.decks import DECKS
from bot.engine.decide import decide, decide_and_evolve, legal, start, void
from bot.engine.errors import LawError
from bot.engine.evolve import begin_hand, evolve, evolve_all, replay
from bot.engine.hand import Hand, seats_in
from bot.engine.legal import Decision, LegalActions
from bot.engine.options import values as o
from bot.engine.rule_card import RuleCard
from bot.engine.showdown.settle import lot_card_indices
from bot.engine.stakes import Stakes
from bot.engine.steps import BettingRound, Burn, DealBoard, DeclareInSecret, GiveUpCards, PassCards, Showdown
from bot.engine.timeout import default_action
from bot.engine.view import build
from bot.engine.view.build import view
from bot.engine.view.types import HandView
from bot.history import phh
from bot.history import record as notation
from bot.history.game_of_record import differences
from bot.history.game_of_record import replay as replay_record
from bot.history.lines import history_lines
from bot.table.settings import TableSettings
from bot.text.hand_history import hand_as_text
from bot.variants import CATALOGUE, game
from tests.engine.random_table import any_deal, any_table
from tests.engine.test_machine import state_of

SLICE = 5
FULL = 1_000
MOST_DECISIONS = 600
"""More decisions than any hand of these stakes can need: a longer hand would never end."""


def offered(rng: random.Random, hand: Hand, seat: int, may: LegalActions) -> list[c.HandCommand]:
    """Return every kind of action that a seat is offered, with amounts and cards at both ends and between."""
    held = list(hand.down_indices[seat])
    match may.decision:
        case Decision.BET:
            return _bets(rng, may)
        case Decision.DRAW:
            return [
                c.ChooseCards(tuple(rng.sample(held, count)))
                for count in {0, may.max_cards, rng.randint(0, may.max_cards)}
            ]
        case Decision.GIVE_UP | Decision.PASS_CARDS | Decision.ARRANGE:
            return [c.ChooseCards(tuple(rng.sample(held, may.max_cards))) for _ in range(2)]
        case Decision.DECLARE:
            return [c.Declare(word) for word in may.declarable_words]
        case Decision.STRADDLE:
            return [c.Accept(), c.TakeStraddle(may.offer_amount), c.TakeStraddle(), c.Decline()]
        case Decision.OFFER | Decision.RUN_TWICE:
            return [c.Accept(), c.Decline()]
        case Decision.SHOW:
            shows: list[c.HandCommand] = [c.Muck()] if may.muck else []
            shows += [c.Show(ace_word=word) for word in may.declarable_words or ("",)]
            return shows + _designations(rng, hand, seat, may)
        case _:
            return []


def _bets(rng: random.Random, may: LegalActions) -> list[c.HandCommand]:
    found: list[c.HandCommand] = []
    if may.fold:
        found.append(c.Fold())
    if may.check:
        found.append(c.Check())
    if may.call_chips:
        found.append(c.Call())
    if may.bring_in:
        found.append(c.Bet(may.bring_in))
    if may.max_to:
        made = c.Bet if may.opening else c.RaiseTo
        between = may.min_to if may.two_sizes else rng.randint(may.min_to, may.max_to)
        found += [made(to) for to in {may.min_to, may.max_to, between}]
        found.append(c.AllIn())
    return found


def _designations(rng: random.Random, hand: Hand, seat: int, may: LegalActions) -> list[c.HandCommand]:
    """Return a lawful designation of one wild card, if one is soon found."""
    for _ in range(6 if may.designable_indices else 0):
        command = c.Show(
            ((rng.choice(may.designable_indices), rng.randrange(52)),),
            may.declarable_words[0] if may.declarable_words else "",
        )
        try:
            decide(hand, seat, command)
        except LawError:
            continue
        return [command]
    return []


def just_outside(rng: random.Random, hand: Hand, seat: int, may: LegalActions) -> list[c.HandCommand]:
    """Return actions close to those offered, which must be refused."""
    found: list[c.HandCommand] = [c.RaiseTo(0), c.Bet(-5), c.RaiseTo(10**13)]
    if may.decision is not Decision.BET:
        found += [c.Fold(), c.Check(), c.Call(), c.RaiseTo(may.current_bet + 1), c.AllIn()]
    if may.decision is not Decision.SHOW:
        found += [c.Show(), c.Muck()]
    if may.decision not in (Decision.DECLARE, Decision.RUN_TWICE):
        found += [c.Declare(word) for word in WORDS]
    match may.decision:
        case Decision.BET:
            found += [c.ChooseCards(), c.Accept(), c.Decline(), c.TakeStraddle(), *_bets_outside(may)]
        case Decision.DRAW | Decision.GIVE_UP | Decision.PASS_CARDS | Decision.ARRANGE:
            found += [c.Accept(), c.Decline(), c.TakeStraddle(), *_cards_outside(rng, hand, seat, may)]
        case Decision.DECLARE:
            found += [
                c.Declare(word)
                for word in (*WORDS, *(f" {word.upper()}" for word in may.declarable_words))
                if word not in may.declarable_words
            ]
            found += [c.Accept(), c.Decline(), c.TakeStraddle(), c.ChooseCards(tuple(hand.down_indices[seat]))]
        case Decision.RUN_TWICE:
            found += [c.Declare(word) for word in WORDS if word not in may.declarable_words]
            found += [c.TakeStraddle(), c.ChooseCards(()), c.ChooseCards(tuple(hand.down_indices[seat][:1]))]
        case Decision.STRADDLE:
            found += [
                c.TakeStraddle(to)
                for to in (may.offer_amount + 1, may.offer_amount - 1, 2 * may.offer_amount, -may.offer_amount)
            ]
            found += [c.ChooseCards(tuple(hand.down_indices[seat]))]
        case Decision.OFFER:
            found += [
                c.TakeStraddle(may.offer_amount + 1),
                c.TakeStraddle(),
                c.ChooseCards(tuple(hand.down_indices[seat])),
            ]
        case Decision.SHOW:
            found += [c.Accept(), c.Decline(), c.TakeStraddle(), c.ChooseCards(), *_shows_outside(hand, seat, may)]
        case _:
            pass
    return found


WORDS = ("high", "low", "both", "in", "out", "yes", "no", "aces high", "aces low", "maybe", "")


def _bets_outside(may: LegalActions) -> list[c.HandCommand]:
    """Return bets of one chip less and one chip more than those offered, and whichever of check, call and fold is not offered."""
    found: list[c.HandCommand] = []
    if not may.check:
        found.append(c.Check())
    if not may.call_chips and not may.check:
        found.append(c.Call())
    if not may.fold:
        found.append(c.Fold())
    ends = {may.min_to, may.max_to} if may.max_to else {may.current_bet + 1, may.current_bet + may.stack}
    beside = {to + one for to in ends | ({may.bring_in} - {0}) for one in (-1, 1)} | {may.current_bet}
    for to in sorted(beside):
        if to > 0 and to != may.bring_in and not (may.max_to and may.min_to <= to <= may.max_to):
            found += [c.Bet(to), c.RaiseTo(to)]
    return found


def _cards_outside(rng: random.Random, hand: Hand, seat: int, may: LegalActions) -> list[c.HandCommand]:
    """Return one card too few or too many, a card twice, and cards that are not the seat's: others', open, common, burned, undealt."""
    held = list(hand.down_indices[seat])
    others = [place for at, cards in enumerate(hand.down_indices) if at != seat for place in cards[:1]]
    known = [*(cards[0] for cards in (*hand.up_indices, *hand.board_indices) if cards), *hand.burn_indices[-1:]]
    foreign = [place for place in (*others, *known, hand.next_card_index, len(hand.deck), -1) if place not in held]
    draws = may.decision is Decision.DRAW
    found: list[c.HandCommand] = []
    if may.max_cards < len(held):
        found.append(c.ChooseCards(tuple(rng.sample(held, may.max_cards + 1))))
    if not draws:
        found += [c.ChooseCards(tuple(held[:count])) for count in {0, may.max_cards - 1} if count != may.max_cards]
    for place in foreign:
        found.append(c.ChooseCards((*held[: may.max_cards - 1], place)))
        if draws and may.max_cards:
            found.append(c.ChooseCards((place,)))
    if may.max_cards > 1:
        found.append(c.ChooseCards((held[0],) * (2 if draws else may.max_cards)))
    return [one for one in found if not draws or one != c.ChooseCards()]


def _shows_outside(hand: Hand, seat: int, may: LegalActions) -> list[c.HandCommand]:
    found: list[c.HandCommand] = [] if may.muck else [c.Muck()]
    if may.declarable_words:
        found += [
            c.Show(ace_word=word) for word in (*WORDS, "aces sideways") if word and word not in may.declarable_words
        ]
    if may.designable_indices:
        one = may.designable_indices[0]
        own = (*hand.down_indices[seat], *hand.up_indices[seat])
        not_wild = [place for place in (*own, hand.next_card_index, -1) if place not in may.designable_indices]
        found += [c.Show(((place, 0),)) for place in not_wild]
        found += [c.Show(((one, card),)) for card in (JOKER, JOKER + 1, -1) if hand.deck[one] != card]
        found.append(c.Show(((one, hand.deck[one]),) * 2))
    return found


EARLY: tuple[c.HandCommand, ...] = (
    c.Fold(), c.Check(), c.Call(), c.AllIn(), c.Show(), c.Muck(), c.ChooseCards(), c.Declare("in"), c.Accept(), c.Decline(),
    c.TakeStraddle(),
)  # fmt: skip


class Machine:
    """One random hand of a game, checked after every event; at a random table, or at one of these settings."""

    beside = 8
    """So many refused actions are tried at each decision; half as many are tried out of turn."""

    def __init__(self, rng: random.Random, card: RuleCard, settings: TableSettings | None = None) -> None:
        self.rng = rng
        self.settings = settings or any_table(rng, card)
        self.started, self.deck = any_deal(rng, self.settings)
        self.chips = sum(self.started.stacks) + self.started.carried
        happened, self.hand = start(self.started, self.deck)
        self.events = list(happened)
        self.follow(begin_hand(self.started, self.deck), happened[1:])

    def play(self) -> None:
        """Play to the end, or until somebody voids the hand."""
        rng = self.rng
        for _ in range(MOST_DECISIONS):
            hand = self.hand
            if hand.over:
                break
            asked = list(seats_in(hand.seats_to_choose & hand.live_seats)) if hand.choice_open else [hand.to_act]
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
            decide(hand, hand.to_act, default_action(hand))
            if rng.random() < 0.1:
                self.act_early()
                continue
            self.act(seat, rng.choices(choices, [_weight(choice) for choice in choices])[0])
        assert self.hand.over, "the hand does not end"
        self.ended()

    def act(self, seat: int, command: c.HandCommand) -> None:
        before = state_of(self.hand)
        happened, after = decide_and_evolve(self.hand, seat, command)
        assert state_of(self.hand) == before, "a ruling changed the hand it was given"
        assert state_of(evolve_all(self.hand, happened)) == state_of(after)
        self.follow(self.hand, happened)
        self.events += happened
        self.hand = after

    def act_early(self) -> None:
        """Let a seat act before its turn: the action is kept if the table's options keep it, otherwise refused."""
        hand = self.hand
        if hand.decision is not Decision.BET:
            return
        others = [
            seat for seat in seats_in(hand.seats_to_act & hand.live_seats) if seat != hand.to_act and hand.stacks[seat]
        ]
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

    def follow(self, hand: Hand, happened: tuple[e.HandEvent, ...]) -> None:
        """Check the hand after every single event, and everybody's view after the last one."""
        for event in happened:
            hand = evolve(hand, event)
            assert sum(hand.stacks) + hand.pot + hand.carried_to_next_hand == self.chips, f"{event} made or lost chips"
            assert min(hand.stacks) >= 0
            assert hand.pot >= sum(hand.bets)
            no_card_twice(hand)
        self.no_view_leaks(hand)
        self.seats_are_seen_alike(hand)

    def viewers(self, hand: Hand) -> Iterable[int | None]:
        """Return whose views are checked; None for somebody who only watches."""
        return (None, *range(hand.seat_count))

    def seats_are_seen_alike(self, hand: Hand) -> None:
        """The short way to a seat's view must see what the long way sees."""
        if not build._nothing_is_shown(hand):
            return
        for viewer in self.viewers(hand):
            for seat in range(hand.seat_count):
                short, long = (
                    way(hand, seat, viewer, None, 0) for way in (build._seat_view_face_down, build._seat_view)
                )
                assert short == long

    def no_view_leaks(self, hand: Hand) -> None:
        """Shuffle every card that a viewer cannot know, and every choice that is still secret: the view must not change."""
        for viewer in self.viewers(hand):
            hidden = sorted(set(range(len(hand.deck))) - set(seen_by(hand, viewer)) - set(hand.reshuffled_indices))
            cards = [hand.deck[place] for place in hidden]
            self.rng.shuffle(cards)
            twin, deck = hand.copy(), list(hand.deck)
            for place, card in zip(hidden, cards, strict=True):
                deck[place] = card
            twin.deck = tuple(deck)
            twin.secret_choices = tuple(
                (seat, choice if seat == viewer else (choice[0][::-1], choice[1] and "in"))
                for seat, choice in hand.secret_choices
            )
            seen, seen_twin = unannounced(view(hand, viewer)), unannounced(view(twin, viewer))
            if (
                hand.decision is Decision.SHOW and hand.rules.designates_at_showdown
            ):  # to be asked tells that there is something to say
                seen, seen_twin = replace(seen, legal_to_act=None), replace(seen_twin, legal_to_act=None)
            assert seen_twin == seen, f"the view of {viewer} knows a hidden card"

    def refuse_what_is_not_offered(self, seat: int, may: LegalActions) -> None:
        hand = self.hand
        before = state_of(hand)
        beside = just_outside(self.rng, hand, seat, may)
        for command in self.rng.sample(beside, min(self.beside, len(beside))):
            self.refused(seat, command)
        if others := self.not_asked():
            for command in self.rng.sample(
                (*EARLY, c.RaiseTo(hand.current_bet + 1), c.Bet(hand.current_bet + 1)), self.beside // 2
            ):
                self.refused(self.rng.choice(others), command)
        self.refused(hand.seat_count, c.Fold(), dealt_in=False)
        assert state_of(hand) == before, "a refusal left a trace"

    def not_asked(self) -> list[int]:
        """Return the seats whose actions out of turn are refused."""
        hand = self.hand
        if hand.choice_open:
            return [seat for seat in range(hand.seat_count) if not hand.seats_to_choose & hand.live_seats & 1 << seat]
        if hand.decision is Decision.BET and self.started.options.out_of_turn is not o.OutOfTurn.REFUSE:
            return []
        return [seat for seat in range(hand.seat_count) if seat != hand.to_act]

    def refused(self, seat: int, command: c.HandCommand, *, dealt_in: bool = True) -> None:
        try:
            decide_and_evolve(self.hand, seat, command)
        except LawError as error:
            assert error.law, f"{command}: a refusal without a law"
            assert not dealt_in or error.legal == legal(self.hand, seat)
            return
        raise AssertionError(f"{command} of seat {seat} was let through: {legal(self.hand, seat)}")

    def ended(self) -> None:
        """Check that a finished hand pays everything out or carries it on, waits for nobody, and replays from its events alone."""
        hand = self.hand
        assert hand.pot == (self.started.carried if hand.voided else 0)
        assert (
            not hand.carried_to_next_hand
            or hand.passed_out
            or hand.voided
            or hand.rules.rule_card.has_custom(LosersMatchPot)
        )
        assert (hand.to_act, hand.decision) == (-1, Decision.NONE)
        for seat in range(hand.seat_count):
            assert legal(hand, seat) == LegalActions(
                seat, pot=hand.pot, current_bet=hand.current_bet, stack=hand.stacks[seat]
            )
            for command in (
                c.Fold(),
                c.Check(),
                c.Call(),
                c.AllIn(),
                c.Muck(),
                c.ChooseCards(),
                c.Accept(),
                c.Declare("in"),
            ):
                self.refused(seat, command)
        assert state_of(replay(self.events, self.deck)) == state_of(hand)
        self.written_down()

    def can_be_told_in_part(self) -> bool:
        """Return whether the cards that a reader knows are enough to replay the hand. Unknown reshuffled discards, cards passed on, an
        ace that allows four cards, or a lot that came to cards which lie with players can prevent it."""
        return not (
            any(isinstance(event, e.Reshuffled) for event in self.events)
            or sum(isinstance(step, PassCards) for step in self.started.rule_card.steps) > 1
            or self.started.options.draw_max is o.DrawMax.FOUR_WITH_ACE
            or any(card_index < self.hand.next_card_index for card_index in lot_card_indices(self.hand))
        )

    def readers(self) -> list[notation.HistoryViewer]:
        """Return for whom the record is written."""
        if not self.can_be_told_in_part():
            return [notation.ALL_KNOWING]
        return [notation.ALL_KNOWING, notation.PUBLIC, self.rng.randrange(self.hand.seat_count)]

    def written_down(self) -> None:
        """Check that the record plays again: with all cards to the same events, with the cards of one viewer to the same stacks."""
        for reader in self.readers():
            record = phh.parse(notation.to_phh(self.events, self.deck, reader))
            played = replay_record(record)
            assert list(differences(record, played)) == [], f"read by {reader}"
            assert reader is not notation.ALL_KNOWING or len(played.events) == len(self.events)
            told = hand_as_text(history_lines(self.events, self.deck, reader))
            assert all(f"has {chips:,}" in told for chips in self.hand.stacks), f"told to {reader}"


class UncheckedMachine(Machine):
    """A random hand of a game, played without the checks: for a test that looks at hands in its own way."""

    def act(self, seat: int, command: c.HandCommand) -> None:
        happened, self.hand = decide_and_evolve(self.hand, seat, command)
        self.events += happened

    def follow(self, hand: Hand, happened: tuple[e.HandEvent, ...]) -> None:
        pass

    def refuse_what_is_not_offered(self, seat: int, may: LegalActions) -> None:
        pass

    def ended(self) -> None:
        pass


def _weight(choice: c.HandCommand) -> float:
    return 0.25 if isinstance(choice, c.AllIn) else 0.5 if isinstance(choice, c.Fold) else 1


def no_card_twice(hand: Hand) -> None:
    """Check that no two card indexes on the table are one card. A card that is shuffled back belongs to the deck again."""
    dealt = [
        place
        for cards in (*hand.down_indices, *hand.up_indices, *hand.board_indices, hand.burn_indices)
        for place in cards
    ]
    if (
        hand.rules.rule_card.boards == 1 and len(hand.board_indices) > 1
    ):  # boards that were forked share their first cards
        dealt = list(set(dealt))
    assert len(set(dealt)) == len(dealt)
    dealt = [place for place in dealt if place not in hand.reshuffled_indices]
    assert len({hand.deck[place] for place in dealt}) == len(dealt)
    assert not dealt or max(dealt) < hand.next_card_index


def unannounced(seen: HandView) -> HandView:
    """Return the view without the note on an opener who splits openers: VC-20 requires that they announce it."""
    if seen.openers_rank < 0 and all(action.note != SPLITS for action in seen.street_actions):
        return seen
    seats = tuple(
        replace(seat, last_action=replace(seat.last_action, note=""))
        if seat.last_action is not None and seat.last_action.note == SPLITS
        else seat
        for seat in seen.seats
    )
    actions = tuple(replace(action, note="") if action.note == SPLITS else action for action in seen.street_actions)
    return replace(seen, seats=seats, street_actions=actions)


SPLITS = "splitting_openers"


def seen_by(hand: Hand, viewer: int | None) -> Iterator[int]:
    """Return the card indices that a viewer can know."""
    for cards in (*hand.up_indices, *hand.board_indices, hand.proven_opener_indices, hunted(hand)):
        yield from cards
    for seat, cards in enumerate(hand.down_indices):
        if seat == viewer or hand.shown_seats >> seat & 1:
            yield from cards


def hunted(hand: Hand) -> Iterator[int]:
    """Return the indices of the common cards that would have come, if a hand ended before them at a table that shows them (TL-26)."""
    looks = hand.rules.options.rabbit is o.Switch.ON and hand.over and not hand.voided
    place = hand.next_card_index
    for step in hand.rules.steps[hand.step_index :] if looks else ():
        if isinstance(step, DealBoard):
            yield from range(place, min(place + step.count * len(hand.board_indices), len(hand.rules.deck_cards)))
        elif not isinstance(step, BettingRound | Burn | DeclareInSecret | GiveUpCards | Showdown):
            return
        place += step.count * len(hand.board_indices) if isinstance(step, DealBoard) else isinstance(step, Burn)


def play_many(card: RuleCard, first: int, hands: int) -> None:
    for seed in range(first, first + hands):
        try:
            Machine(random.Random(f"{card.key} {seed}"), card).play()
        except Exception as fault:
            fault.add_note(f"{card.key}, seed {seed}")
            raise


WILD_GAMES = tuple(
    map(
        game,
        (
            "stud + hearts wild + two jokers",
            "five_card_draw + deuces wild + joker bug + two jokers",
            "hoyle_draw + Qs, red kings wild + two jokers + strict",
            "holdem + 36 + two jokers + black aces wild",
            "hilo_draw + 32 + joker bug + one-eyed jacks wild",
            "triple_draw_27 + two jokers",
            "badugi + suicide king wild + two jokers",
            "double_board_holdem + spades wild + joker bug",
        ),
    )
)
"""Wild cards and jokers as no game of the catalogue has them (W-1, K-3)."""


@pytest.mark.law("H-6", "B-9", "B-18", "I-7", "TL-15", "TL-35", "TL-37", "W-1", "K-3")
@pytest.mark.parametrize("card", (*CATALOGUE, *WILD_GAMES), ids=lambda card: card.key)
def test_random_hands_keep_every_chip_card_and_secret(card: RuleCard) -> None:
    play_many(card, 0, SLICE)


@pytest.mark.full
@pytest.mark.parametrize("card", CATALOGUE, ids=lambda card: card.key)
def test_a_thousand_random_hands_of_every_game(card: RuleCard) -> None:
    play_many(card, 1_000_000, FULL)


def test_every_kind_of_step_is_met() -> None:
    """The catalogue as a whole asks for every kind of decision."""
    met = {Decision.SHOW, Decision.RUN_TWICE, Decision.NONE}
    asks = {
        "OfferStraddles": Decision.STRADDLE,
        "BettingRound": Decision.BET,
        "Draw": Decision.DRAW,
        "GiveUpCards": Decision.GIVE_UP,
    }
    asks |= {"PassCards": Decision.PASS_CARDS, "ArrangeCards": Decision.ARRANGE, "DeclareInSecret": Decision.DECLARE}
    asks |= {"OfferTurnUp": Decision.OFFER}
    met |= {asks[type(step).__name__] for card in CATALOGUE for step in card.steps if type(step).__name__ in asks}
    assert met == set(Decision)
    assert any(JOKER in DECKS[card.options.deck] for card in CATALOGUE)


@pytest.mark.law("VC-5", "F-7")
def test_opening_bet_is_at_least_the_bring_in() -> None:
    """In pot-limit razz with ante 10 and bring-in 25 the ante would be the smallest bet, but no bet is below the bring-in."""
    card = next(card for card in CATALOGUE if card.key == "london")
    stakes = Stakes(ante=10, bring_in=25)
    posts = regular_posts(card, card.options, stakes, 3)
    started = e.HandStarted(card, card.options, stakes, (1, 2, 3), (500,) * 3, posts, 3)
    hand = start(started, DECKS[card.options.deck])[1]
    may = legal(hand, hand.to_act)
    assert (may.min_to, may.max_to, may.fold, may.check) == (25, 30, False, False)
    with pytest.raises(LawError):
        decide_and_evolve(hand, hand.to_act, c.Bet(10))

"""Play a game from posts to pots by random lawful actions, and check chips, cards and the journal on the way."""

import random

from bot.engine import commands as c
from bot.engine import events as e
from bot.engine.betting.posts import regular_posts
from bot.engine.decide import decide_and_evolve, legal, start
from bot.engine.evolve import replay
from bot.engine.hand import Hand
from bot.engine.legal import Decision, LegalActions
from bot.engine.options.types import Options
from bot.engine.rule_card import RuleCard
from bot.engine.rules_in_force import rules_in_force
from bot.engine.stakes import Stakes
from bot.engine.timeout import default_action
from bot.engine.usual_stakes import usual_stakes

DeckOrder = tuple[int, ...]


class DealtHand:
    """A hand with chosen cards: `deck` on top, the rest of the deck below. Everybody has `stacks` chips."""

    def __init__(
        self,
        card: RuleCard,
        players: int,
        deck: DeckOrder = (),
        *,
        options: Options | None = None,
        stakes: Stakes | None = None,
        stacks: int | DeckOrder = 10_000,
        carried: int = 0,
        openers: int = -1,
    ) -> None:
        options = options or card.options
        stakes = stakes or usual_stakes(card)
        full_deck = rules_in_force(card, options, stakes).deck_cards
        self.deck = (*deck, *(one for one in full_deck if one not in deck))
        chips = (stacks,) * players if isinstance(stacks, int) else stacks
        started = e.HandStarted(
            rule_card=card, options=options, stakes=stakes, seat_numbers=tuple(range(1, players + 1)), stacks=chips,
            posts=regular_posts(card, options, stakes, players), button_seat_number=players, carried=carried, openers_rank=openers,
        )  # fmt: skip
        events, self.hand = start(started, self.deck)
        self.events = list(events)

    def does(self, *commands: c.HandCommand) -> "DealtHand":
        """Play commands; each is the next seat's."""
        for command in commands:
            events, self.hand = decide_and_evolve(self.hand, self.hand.to_act, command)
            self.events += events
        return self

    def default(self, times: int = 1) -> "DealtHand":
        for _ in range(times):
            self.does(default_action(self.hand))
        return self

    @property
    def legal(self) -> LegalActions:
        return legal(self.hand, self.hand.to_act)


def play_hand(card: RuleCard, seed: int, players: int = 0) -> Hand:
    """Play one hand to its end, and check everything that must be true."""
    rng = random.Random(seed)
    stakes = usual_stakes(card)
    count = players or rng.randint(card.seats_min, card.seats_max)
    deck = list(rules_in_force(card, card.options, stakes).deck_cards)
    rng.shuffle(deck)
    stacks = tuple(rng.choice((500, 2_000, 10_000)) for _ in range(count))
    dealt = DealtHand(card, count, tuple(deck), stakes=stakes, stacks=stacks)
    for _ in range(600):
        hand = dealt.hand
        if hand.over:
            break
        assert sum(hand.stacks) + hand.pot == sum(stacks)
        dealt.does(random_command(rng, hand))
    hand = dealt.hand
    assert hand.over, "the hand does not end"
    assert sum(hand.stacks) + hand.carried_to_next_hand == sum(stacks)
    card_indices = [
        card_index for held in (*hand.down_indices, *hand.up_indices, *hand.board_indices[:1]) for card_index in held
    ]
    assert len(card_indices) == len(set(card_indices))
    again = replay(dealt.events, dealt.deck)
    assert (again.stacks, again.down_indices, again.up_indices, again.payments) == (
        hand.stacks,
        hand.down_indices,
        hand.up_indices,
        hand.payments,
    )
    return hand


def random_command(rng: random.Random, hand: Hand) -> c.HandCommand:
    """Choose a lawful action for the seat to act."""
    seat = hand.to_act
    legal_actions = legal(hand, seat)
    if hand.choice_open and legal_actions.declarable_words:
        return c.Declare(rng.choice(legal_actions.declarable_words))
    if hand.choice_open:
        return c.ChooseCards(tuple(rng.sample(hand.down_indices[seat], legal_actions.max_cards)))
    if hand.decision is Decision.DRAW:
        return c.ChooseCards(tuple(rng.sample(hand.down_indices[seat], rng.randint(0, legal_actions.max_cards))))
    if hand.decision in (Decision.STRADDLE, Decision.OFFER):
        return rng.choice((c.Accept(), c.Decline()))
    if hand.decision is not Decision.BET:
        return default_action(hand)
    choices: list[c.HandCommand] = [default_action(hand)]
    if legal_actions.check:
        choices += [c.Check()] * 2
    if legal_actions.call_chips:
        choices += [c.Call()] * 4
    if legal_actions.max_to:
        choices.append(c.RaiseTo(legal_actions.min_to))
    return rng.choice(choices)

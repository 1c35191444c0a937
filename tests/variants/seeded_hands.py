"""Seeded hands of any game, and a digest of their events without the rule card: what a change of the engine's form must not change."""

import hashlib
import random
from collections.abc import Iterator

import msgspec
from msgspec.structs import replace

from bot.engine import commands as c
from bot.engine import events as e
from bot.engine.betting.posts import regular_posts
from bot.engine.cards import ACE
from bot.engine.decide import decide_and_evolve, legal, start
from bot.engine.hand import Hand
from bot.engine.legal import Decision
from bot.engine.rule_card import RuleCard
from bot.engine.rules_in_force import rules_in_force
from bot.engine.timeout import default_action
from bot.engine.usual_stakes import usual_stakes
from bot.table.mixed.rotation import required_openers
from bot.variants import CATALOGUE, game
from bot.variants.sheet_options import SHEET_OPTIONS, apply_sheet_options

_MOST_DECISIONS = 600
_LATER_FIELDS = {"absent_seats": (), "keeps_cap": False}
"""What the events did not say when the digests were made, and what it is where it changes nothing."""
_MODIFIED = (
    "short_deck+bomb", "holdem+36", "follow_the_queen+joker_wild", "spit+two_jokers", "mexican_stud+limit",
    "baseball+no_duplicate", "jackpots+deuces_wild", "stud+32", "guts+strict", "hoyle_draw+cats_dogs",
)  # fmt: skip


def games_dealt() -> Iterator[tuple[str, RuleCard]]:
    """Yield every game of the catalogue, each with every value of its own options, and some that are modified."""
    for card in CATALOGUE:
        yield card.key, card
    for word in _MODIFIED:
        yield word, game(word)
    for base in (*CATALOGUE, game("holdem+36")):
        for one in SHEET_OPTIONS:
            for value in one.option.values[1:] if one.belongs_to(base) else ():
                options = replace(base.options, sheet=((one.option.name, value),))
                yield (
                    f"{base.key} {one.option.name}={value}",
                    apply_sheet_options(replace(base, options=options), options),
                )


def digest_of_hands(card: RuleCard, hands: int) -> str:
    """Return a digest of the events of so many hands."""
    digest = hashlib.sha256()
    for seed in range(hands):
        for event in seeded_hand(card, seed):
            told = msgspec.to_builtins(event)
            told.pop("rule_card", None)
            for field, unchanged in _LATER_FIELDS.items():
                if told.get(field) == unchanged:
                    del told[field]
            digest.update(msgspec.msgpack.encode(told))
    return digest.hexdigest()[:32]


def seeded_hand(card: RuleCard, seed: int) -> list[e.HandEvent]:
    """Play a hand by random lawful actions and return its events."""
    rng = random.Random(seed)
    stakes = usual_stakes(card)
    players = rng.randint(card.seats_min, card.seats_max)
    deck = list(rules_in_force(card, card.options, stakes).deck_cards)
    rng.shuffle(deck)
    started = e.HandStarted(
        rule_card=card,
        options=card.options,
        stakes=stakes,
        seat_numbers=tuple(range(1, players + 1)),
        stacks=tuple(rng.choice((300, 700, 2_000, 10_000)) for _ in range(players)),
        posts=regular_posts(card, card.options, stakes, players),
        button_seat_number=players,
        carried=rng.choice((0, 0, 230)),
        openers_rank=min(ACE, required_openers(card, rng.randint(0, 6))),
    )
    events, hand = start(started, tuple(deck))
    found = list(events)
    for _ in range(_MOST_DECISIONS):
        if hand.over:
            return found
        events, hand = decide_and_evolve(hand, hand.to_act, _command(rng, hand))
        found += events
    raise AssertionError("the hand does not end")


def _command(rng: random.Random, hand: Hand) -> c.HandCommand:
    may = legal(hand, hand.to_act)
    if may.declarable_words and hand.choice_open:
        return c.Declare(rng.choice(may.declarable_words))
    if hand.choice_open:
        return c.ChooseCards(tuple(rng.sample(hand.down_indices[hand.to_act], may.max_cards)))
    if hand.decision is Decision.DRAW:
        held = hand.down_indices[hand.to_act]
        return c.ChooseCards(tuple(rng.sample(held, rng.randint(0, may.max_cards))))
    if hand.decision in (Decision.STRADDLE, Decision.OFFER):
        return c.Accept() if rng.random() < 0.7 else c.Decline()
    if hand.decision is not Decision.BET:
        return default_action(hand)
    choices: list[c.HandCommand] = [default_action(hand)]
    choices += [c.Check()] * 3 if may.check else []
    choices += [c.Call()] * 7 if may.call_chips else []
    choices += [c.RaiseTo(may.min_to), c.RaiseTo(rng.choice((may.min_to, may.max_to)))] if may.max_to else []
    return rng.choice(choices)

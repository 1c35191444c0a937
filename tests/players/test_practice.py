"""Practice players act lawfully in every game, play hold'em sensibly, know no hidden card, and are quick, with a human pace."""

import random
import time
from collections.abc import Callable, Sequence

import pytest

from bot.engine import commands as c
from bot.engine.betting.posts import regular_posts
from bot.engine.dealing.decks import DECKS
from bot.engine.decide import decide_and_evolve, legal, start
from bot.engine.events import HandStarted
from bot.engine.hand import Hand
from bot.engine.legal import Decision, LegalActions
from bot.engine.rule_card import RuleCard
from bot.engine.usual_stakes import usual_stakes
from bot.engine.view.build import view
from bot.engine.view.types import HandView
from bot.players import PERSONALITIES, PracticePlayer, PracticePlayers
from bot.variants import CATALOGUE, game

Policy = Callable[[HandView, random.Random], c.HandCommand]
MAX_DECISIONS = 500


def deal(card: RuleCard, stacks: tuple[int, ...], rng: random.Random) -> Hand:
    """Deal an ordinary hand of any game at its usual stakes."""
    stakes = usual_stakes(card)
    deck_order = list(DECKS[card.options.deck])
    rng.shuffle(deck_order)
    seats = tuple(range(1, len(stacks) + 1))
    posts = regular_posts(card, card.options, stakes, len(stacks))
    return start(HandStarted(card, card.options, stakes, seats, stacks, posts, len(stacks)), tuple(deck_order))[1]


def seat_to_act(hand: Hand) -> int:
    """Return a seat that the dealer waits for; one after another, if several choose at once."""
    return next(seat for seat in range(hand.seat_count) if legal(hand, seat).decision is not Decision.NONE)


def play_out(hand: Hand, policies: Sequence[Policy], rng: random.Random) -> Hand:
    for _ in range(MAX_DECISIONS):
        if hand.over:
            return hand
        seat = hand.to_act if hand.decision is Decision.BET else seat_to_act(hand)
        command = policies[seat](view(hand, seat), rng)
        hand = decide_and_evolve(hand, seat, command)[1]
    raise AssertionError("the hand does not end")


def random_policy(seen: HandView, rng: random.Random) -> c.HandCommand:
    legal_actions = seen.legal
    assert legal_actions is not None
    if legal_actions.decision is Decision.SHOW:
        return c.Show()
    choices: list[c.HandCommand] = [c.Check()] if legal_actions.check else [c.Fold()]
    choices += [c.Call()] * 2 * bool(legal_actions.call_chips)
    if legal_actions.max_to:
        choices.append(
            (c.Bet if legal_actions.opening else c.RaiseTo)(rng.randint(legal_actions.min_to, legal_actions.max_to))
        )
    return rng.choice(choices)


def calling_station(seen: HandView, _rng: random.Random) -> c.HandCommand:
    legal_actions = seen.legal
    assert legal_actions is not None
    return c.Show() if legal_actions.decision is Decision.SHOW else c.Check() if legal_actions.check else c.Call()


def chips_won_against(opponent: Policy, hands: int, seed: int) -> float:
    """Return the big blinds per hundred hands that each personality wins against five players of one kind, with fresh stacks."""
    rng = random.Random(seed)
    card, won = game("holdem"), 0
    for number in range(hands):
        hero = PracticePlayer(PERSONALITIES[number % len(PERSONALITIES)])
        seat = number % 6
        policies = [opponent] * 6
        policies[seat] = hero.choose
        hand = play_out(deal(card, (10_000,) * 6, rng), policies, rng)
        won += hand.stacks[seat] - 10_000
    return won / 100 / hands * 100


def test_practice_players_beat_random_players() -> None:
    assert chips_won_against(random_policy, 250, seed=1) > 50


def test_practice_players_beat_calling_stations() -> None:
    assert chips_won_against(calling_station, 250, seed=2) > 50


@pytest.mark.full
def test_practice_players_beat_both_over_many_hands() -> None:
    at_random, station = (
        chips_won_against(random_policy, 3_000, seed=3),
        chips_won_against(calling_station, 3_000, seed=4),
    )
    print(f"big blinds a hundred hands: against random {at_random:.0f}, against a calling station {station:.0f}")
    assert at_random > 100
    assert station > 100


@pytest.mark.law("TL-35")
@pytest.mark.parametrize("card", CATALOGUE, ids=lambda card: card.key)
def test_practice_players_act_lawfully_in_every_game(card: RuleCard) -> None:
    """The engine refuses nothing that they choose, with few and many players, short and deep stacks."""
    rng = random.Random(card.key)
    for number in range(4):
        most = min(card.seats_max, 6)
        count = rng.randint(card.seats_min, most)
        stacks = tuple(rng.choice((rng.randint(300, 900), rng.randint(2_000, 20_000))) for _ in range(count))
        policies = [PracticePlayer(PERSONALITIES[(number + seat) % len(PERSONALITIES)]).choose for seat in range(count)]
        hand = play_out(deal(card, stacks, rng), policies, rng)
        assert sum(hand.stacks) + hand.carried_to_next_hand == sum(stacks)


def test_practice_players_act_lawfully_over_thousands_of_decisions() -> None:
    rng = random.Random(5)
    decisions = 0
    for number in range(150):
        card = game(rng.choice(("holdem", "pot_limit_holdem", "limit_holdem")))
        stacks = tuple(rng.choice((rng.randint(1, 400), rng.randint(500, 30_000))) for _ in range(rng.randint(2, 9)))
        policies = [
            PracticePlayer(PERSONALITIES[(number + seat) % len(PERSONALITIES)]).choose for seat in range(len(stacks))
        ]
        decisions += play_out(deal(card, stacks, rng), policies, rng).decision_number
    assert decisions > 1_000


@pytest.mark.law("TL-37")
def test_practice_players_never_know_hidden_cards() -> None:
    """All cards that a player cannot see are shuffled. With the same random numbers it does the same."""
    rng = random.Random(6)
    for _ in range(20):
        hand = deal(game("holdem"), (10_000,) * 6, rng)
        while not hand.over:
            seat = hand.to_act
            known = {*hand.down_indices[seat], *(card_index for board in hand.board_indices for card_index in board)}
            hidden = [card_index for card_index in range(52) if card_index not in known]
            cards = [hand.deck[card_index] for card_index in hidden]
            rng.shuffle(cards)
            twin, deck = hand.copy(), list(hand.deck)
            for card_index, card in zip(hidden, cards, strict=True):
                deck[card_index] = card
            twin.deck = tuple(deck)
            player, seed = PracticePlayer(PERSONALITIES[seat]), rng.random()
            command = player.choose(view(hand, seat), random.Random(seed))
            assert player.choose(view(twin, seat), random.Random(seed)) == command
            hand = decide_and_evolve(hand, seat, command)[1]


def test_aces_are_played_and_the_worst_hand_is_not() -> None:
    """Under the gun six-handed, aces raise or call every time; seven-deuce mostly goes."""
    card = game("holdem")

    def folds(own: tuple[int, int]) -> int:
        rest = [other for other in range(52) if other not in own]
        deck_order = (*rest[:2], own[0], *rest[2:7], own[1], *rest[7:])
        stakes = usual_stakes(card)
        posts = regular_posts(card, card.options, stakes, 6)
        hand = start(HandStarted(card, card.options, stakes, (1, 2, 3, 4, 5, 6), (10_000,) * 6, posts, 6), deck_order)[
            1
        ]
        assert (hand.to_act, set(hand.held_cards(2))) == (2, set(own))
        seen = view(hand, 2)
        return sum(
            isinstance(PracticePlayer(personality).choose(seen, random.Random(seed)), c.Fold)
            for personality in PERSONALITIES for seed in range(10)
        )  # fmt: skip

    assert folds((12 * 4, 12 * 4 + 1)) == 0
    assert folds((5 * 4, 0 * 4 + 1)) > 60


def test_practice_players_think_as_long_as_people() -> None:
    rng = random.Random(7)
    hand = deal(game("holdem"), (10_000,) * 6, rng)
    times = [
        PracticePlayer(personality).think_ms(view(hand, 2), rng) for personality in PERSONALITIES for _ in range(50)
    ]
    assert min(times) >= 900
    assert max(times) <= 3_500
    assert max(times) - min(times) > 800


def test_negative_ids_select_practice_players_in_order() -> None:
    players = PracticePlayers()
    assert players.names()[0] == "Ada"
    assert players.policy(-1).personality.name == players.names()[0]
    assert players.policy(-len(PERSONALITIES) - 1).personality == PERSONALITIES[0]
    assert len(set(players.names())) == len(PERSONALITIES)


def test_a_player_not_asked_cannot_choose() -> None:
    hand = deal(game("holdem"), (10_000,) * 6, random.Random(8))
    with pytest.raises(ValueError, match="nobody asks"):
        PracticePlayer(PERSONALITIES[0]).choose(view(hand, 0), random.Random(0))
    assert view(hand, 0).legal == LegalActions(0, pot=150, current_bet=100, stack=9_950)


@pytest.mark.bench
def test_choosing_is_fast_enough() -> None:
    """A choice must take less than 3 ms, also in the worst cases."""
    rng = random.Random(9)
    for key in ("holdem", "omaha", "omaha6", "triple_draw_27", "stud", "double_board_bomb"):
        taken: list[float] = []

        def timed(seen: HandView, rng: random.Random, *, taken: list[float] = taken) -> c.HandCommand:
            before = time.process_time()
            command = PracticePlayer(PERSONALITIES[3]).choose(seen, rng)
            taken.append(time.process_time() - before)
            return command

        for _ in range(30):
            play_out(deal(game(key), (10_000,) * 5, rng), [timed] * 5, rng)
        taken.sort()
        print(f"{key}: median {taken[len(taken) // 2] * 1e3:.2f} ms, worst {taken[-1] * 1e3:.2f} ms of {len(taken)}")

"""Practice players: always lawful, in every game; no fools at hold'em; blind to what they may not see; quick, and human in their pace."""

import random
import time
from collections.abc import Callable, Sequence

import pytest

from bot.engine import commands as c
from bot.engine.card import RuleCard
from bot.engine.events import HandStarted
from bot.engine.hand import Hand
from bot.engine.legal import Decision, Legal
from bot.engine.packs import PACKS
from bot.engine.posts import regular_posts
from bot.engine.ruling import legal, rule, start
from bot.engine.seeing import view
from bot.engine.view import HandView
from bot.players import TEMPERS, PracticePlayer, PracticePlayers
from bot.variants import CATALOGUE, game
from bot.variants.usual import usual_stakes

Policy = Callable[[HandView, random.Random], c.Command]
MOST_DECISIONS = 500


def deal(card: RuleCard, stacks: tuple[int, ...], rng: random.Random) -> Hand:
    """Deal an ordinary hand of any game at its usual stakes."""
    stakes = usual_stakes(card)
    pack = list(PACKS[card.options.deck])
    rng.shuffle(pack)
    seats = tuple(range(1, len(stacks) + 1))
    posts = regular_posts(card, card.options, stakes, len(stacks))
    return start(HandStarted(card, card.options, stakes, seats, stacks, posts, len(stacks)), tuple(pack))[1]


def awaited(hand: Hand) -> int:
    """A seat that the dealer waits for, those who choose at once in turn."""
    return next(seat for seat in range(hand.number_of) if legal(hand, seat).decision is not Decision.NONE)


def play_out(hand: Hand, policies: Sequence[Policy], rng: random.Random) -> Hand:
    for _ in range(MOST_DECISIONS):
        if hand.over:
            return hand
        seat = hand.to_act if hand.decision is Decision.BET else awaited(hand)
        command = policies[seat](view(hand, seat), rng)
        hand = rule(hand, seat, command)[1]
    raise AssertionError("the hand does not end")


def random_lawful(seen: HandView, rng: random.Random) -> c.Command:
    may = seen.legal
    assert may is not None
    if may.decision is Decision.SHOW:
        return c.Show()
    choices: list[c.Command] = [c.Check()] if may.check else [c.Fold()]
    choices += [c.Call()] * 2 * bool(may.call)
    if may.max_to:
        choices.append((c.Bet if may.opening else c.RaiseTo)(rng.randint(may.min_to, may.max_to)))
    return rng.choice(choices)


def calling_station(seen: HandView, _rng: random.Random) -> c.Command:
    may = seen.legal
    assert may is not None
    return c.Show() if may.decision is Decision.SHOW else c.Check() if may.check else c.Call()


def won_against(opponent: Policy, hands: int, seed: int) -> float:
    """Big blinds a hundred hands that one practice player of each temper wins against five of the same kind, stacks fresh each hand."""
    rng = random.Random(seed)
    card, won = game("holdem"), 0
    for number in range(hands):
        hero = PracticePlayer(TEMPERS[number % len(TEMPERS)])
        seat = number % 6
        policies = [opponent] * 6
        policies[seat] = hero.choose
        hand = play_out(deal(card, (10_000,) * 6, rng), policies, rng)
        won += hand.stacks[seat] - 10_000
    return won / 100 / hands * 100


def test_they_beat_players_who_act_at_random() -> None:
    assert won_against(random_lawful, 250, seed=1) > 50


def test_they_beat_players_who_call_everything() -> None:
    assert won_against(calling_station, 250, seed=2) > 50


@pytest.mark.full
def test_they_beat_both_over_many_hands() -> None:
    at_random, station = won_against(random_lawful, 3_000, seed=3), won_against(calling_station, 3_000, seed=4)
    print(f"big blinds a hundred hands: against random {at_random:.0f}, against a calling station {station:.0f}")
    assert at_random > 100
    assert station > 100


@pytest.mark.law("TL-35")
@pytest.mark.parametrize("card", CATALOGUE, ids=lambda card: card.key)
def test_what_they_do_is_lawful_in_every_game(card: RuleCard) -> None:
    """`rule` refuses nothing they choose, with few and with many players, with short and deep stacks."""
    rng = random.Random(card.key)
    for number in range(4):
        most = min(card.seats_max, 6)
        count = rng.randint(card.seats_min, most)
        stacks = tuple(rng.choice((rng.randint(300, 900), rng.randint(2_000, 20_000))) for _ in range(count))
        policies = [PracticePlayer(TEMPERS[(number + seat) % len(TEMPERS)]).choose for seat in range(count)]
        hand = play_out(deal(card, stacks, rng), policies, rng)
        assert sum(hand.stacks) + hand.carried_on == sum(stacks)


def test_what_they_do_is_lawful_over_thousands_of_decisions() -> None:
    rng = random.Random(5)
    decisions = 0
    for number in range(150):
        card = game(rng.choice(("holdem", "pot_limit_holdem", "limit_holdem")))
        stacks = tuple(rng.choice((rng.randint(1, 400), rng.randint(500, 30_000))) for _ in range(rng.randint(2, 9)))
        policies = [PracticePlayer(TEMPERS[(number + seat) % len(TEMPERS)]).choose for seat in range(len(stacks))]
        decisions += play_out(deal(card, stacks, rng), policies, rng).turn
    assert decisions > 1_000


@pytest.mark.law("TL-37")
def test_they_never_know_a_card_they_may_not_see() -> None:
    """Shuffle all cards that a player cannot see: with the same dice it does the same."""
    rng = random.Random(6)
    for _ in range(20):
        hand = deal(game("holdem"), (10_000,) * 6, rng)
        while not hand.over:
            seat = hand.to_act
            known = {*hand.down[seat], *(place for board in hand.boards for place in board)}
            hidden = [place for place in range(52) if place not in known]
            cards = [hand.deck[place] for place in hidden]
            rng.shuffle(cards)
            twin, deck = hand.copy(), list(hand.deck)
            for place, card in zip(hidden, cards, strict=True):
                deck[place] = card
            twin.deck = tuple(deck)
            player, dice = PracticePlayer(TEMPERS[seat]), rng.random()
            command = player.choose(view(hand, seat), random.Random(dice))
            assert player.choose(view(twin, seat), random.Random(dice)) == command
            hand = rule(hand, seat, command)[1]


def test_aces_are_played_and_the_worst_hand_is_not() -> None:
    """Under the gun six-handed, aces raise or call every time; seven-deuce mostly goes."""
    card = game("holdem")

    def folds(own: tuple[int, int]) -> int:
        rest = [other for other in range(52) if other not in own]
        pack = (*rest[:2], own[0], *rest[2:7], own[1], *rest[7:])
        stakes = usual_stakes(card)
        posts = regular_posts(card, card.options, stakes, 6)
        hand = start(HandStarted(card, card.options, stakes, (1, 2, 3, 4, 5, 6), (10_000,) * 6, posts, 6), pack)[1]
        assert (hand.to_act, set(hand.hole_cards(2))) == (2, set(own))
        seen = view(hand, 2)
        return sum(
            isinstance(PracticePlayer(temper).choose(seen, random.Random(dice)), c.Fold)
            for temper in TEMPERS for dice in range(10)
        )  # fmt: skip

    assert folds((12 * 4, 12 * 4 + 1)) == 0
    assert folds((5 * 4, 0 * 4 + 1)) > 60


def test_they_think_as_long_as_people_do() -> None:
    rng = random.Random(7)
    hand = deal(game("holdem"), (10_000,) * 6, rng)
    times = [PracticePlayer(temper).think_ms(view(hand, 2), rng) for temper in TEMPERS for _ in range(50)]
    assert min(times) >= 900
    assert max(times) <= 3_500
    assert max(times) - min(times) > 800


def test_ids_below_zero_name_the_players_in_order() -> None:
    players = PracticePlayers()
    assert players.names()[0] == "Ada"
    assert players.policy(-1).temper.name == players.names()[0]
    assert players.policy(-len(TEMPERS) - 1).temper == TEMPERS[0]
    assert len(set(players.names())) == len(TEMPERS)


def test_who_is_not_asked_says_nothing() -> None:
    hand = deal(game("holdem"), (10_000,) * 6, random.Random(8))
    with pytest.raises(ValueError, match="nobody asks"):
        PracticePlayer(TEMPERS[0]).choose(view(hand, 0), random.Random(0))
    assert view(hand, 0).legal == Legal(0, pot=150, level=100, stack=9_950)


@pytest.mark.bench
def test_how_long_a_choice_takes() -> None:
    """The time of a choice, worst cases included: it must stay under 3 ms."""
    rng = random.Random(9)
    for key in ("holdem", "omaha", "omaha6", "triple_draw_27", "stud", "double_board_bomb"):
        taken: list[float] = []

        def timed(seen: HandView, dice: random.Random, *, taken: list[float] = taken) -> c.Command:
            before = time.process_time()
            command = PracticePlayer(TEMPERS[3]).choose(seen, dice)
            taken.append(time.process_time() - before)
            return command

        for _ in range(30):
            play_out(deal(game(key), (10_000,) * 5, rng), [timed] * 5, rng)
        taken.sort()
        print(f"{key}: median {taken[len(taken) // 2] * 1e3:.2f} ms, worst {taken[-1] * 1e3:.2f} ms of {len(taken)}")

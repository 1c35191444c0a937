"""Replays: each step shows what its reader could see at that moment and nothing else, in every game."""

from __future__ import annotations

import random
from collections.abc import Iterator

import msgspec
import pytest

from bot.engine.hand import Hand
from bot.engine.units import SeatNumber
from bot.engine.view.types import SeenActions
from bot.history.steps import StepKind
from bot.pictures.types import Look
from bot.render.hand.replay import ReplayStep, moment_heading, replay_panel
from bot.render.hand.scene import Scene
from bot.render.message.panel import Picture, payload
from bot.render.pictures.alt_text import picture_alt_text
from bot.render.pictures.table import table_picture
from bot.runtime.hand_log import DecodedHand
from bot.runtime.replays import EVERYBODY, HandReplay, ReplayMoment
from bot.runtime.snapshot import TableAddress
from bot.table.events import HandBegan
from bot.variants import CATALOGUE
from tests.engine.test_all_games_machine import WILD_GAMES, UncheckedMachine, seen_by
from tests.render.sample_hands import EMOJIS
from tests.support.message_limits import within_limits

GAMES = (*CATALOGUE, *WILD_GAMES)
DEFAULT_HANDS, FULL_HANDS = 150, 5_000
FIRST_USER = 500
ADDRESS = TableAddress(7, 3, 1, 2)
BEGAN = HandBegan(number=12, at=0, dealt_seats=(), button_seat=SeatNumber(0))


def replay_of(hand: UncheckedMachine) -> HandReplay:
    """Return the replay of a random hand whose players are called by their seats."""
    players = tuple((FIRST_USER + seat, f"*_{seat}~`|".ljust(32, "W")) for seat in range(hand.hand.seat_count))
    return HandReplay(DecodedHand(tuple(hand.events), hand.deck, BEGAN, players, None), ADDRESS)


def drawn(moment: ReplayMoment, *, shared: bool) -> bytes:
    """Return everything that a reader gets to see of a step: the message, and the values of its picture."""
    scene = Scene(
        moment.address.id, moment.address.number, moment.number, moment.view, moment.players_by_seat, emojis=EMOJIS
    )
    step = ReplayStep(
        scene, moment.public, moment.before, moment.step, moment.step_count, moment.kind, moment.seat,
        moment.new_actions, moment.street, moment.streets,
    )  # fmt: skip
    public = msgspec.structs.replace(scene, view=moment.public)
    heading = moment_heading(step)
    picture = table_picture(public, Look(), seat_count=max(moment.players_by_seat), moment=heading)
    block = Picture("table.webp", picture_alt_text(public, heading)) if picture is not None else None
    panel = replay_panel(step, leader=FIRST_USER if shared else 0, leader_name="Player 0", picture=block)
    within_limits(panel)
    return msgspec.json.encode([payload(panel), picture]).replace(b", splitting openers", b"")


def known_until(hands: tuple[Hand, ...], seat: int | None) -> set[int]:
    """Return the card indices that a seat, or everybody, could know at one of these moments."""
    return {index for hand in hands for index in seen_by(hand, seat)}


def with_hidden_cards_exchanged(
    rng: random.Random, hands: tuple[Hand, ...], step: int, seat: int | None
) -> tuple[Hand, ...]:
    """Return the moments of a hand in a world where every card that was hidden until a step is another one."""
    last = hands[step - 1]
    hidden = sorted(set(range(len(last.deck))) - known_until(hands[:step], seat) - set(last.reshuffled_indices))
    cards = [last.deck[index] for index in hidden]
    rng.shuffle(cards)
    exchanged = dict(zip(hidden, cards, strict=True))

    def twin_of(hand: Hand) -> Hand:
        twin = hand.copy()
        twin.deck = tuple([exchanged.get(index, card) for index, card in enumerate(hand.deck)])
        twin.seen_actions = SeenActions()
        twin.secret_choices = tuple(
            (chooser, choice if chooser == seat else (choice[0][::-1], choice[1] and "in"))
            for chooser, choice in hand.secret_choices
        )
        return twin

    return tuple([twin_of(hand) for hand in hands])


def random_hands(first: int, count: int) -> Iterator[tuple[random.Random, UncheckedMachine]]:
    for seed in range(first, first + count):
        rng = random.Random(f"replay {seed}")
        hand = UncheckedMachine(rng, GAMES[seed % len(GAMES)])
        hand.play()
        yield rng, hand


def check_hands(first: int, count: int, steps_looked_at: int) -> int:
    """Check random hands of all games. Returns how many steps were looked at."""
    checked = 0
    for rng, hand in random_hands(first, count):
        replay = replay_of(hand)
        real = replay._hands
        everything = range(1, replay.step_count + 1)
        some = sorted({*rng.sample(everything, min(steps_looked_at, len(everything))), replay.step_count})
        for step in some:
            seats: list[int | None] = [None, *range(hand.hand.seat_count), None]  # the last one is a stranger
            at = rng.randrange(len(seats))
            seat, user = seats[at], FIRST_USER + at - 1 if at else EVERYBODY
            seen = drawn(replay.at(step, user), shared=not at)
            replay._hands = with_hidden_cards_exchanged(rng, real, step, seat)
            try:
                assert drawn(replay.at(step, user), shared=not at) == seen, (hand.started.rule_card.key, step, seat)
            except Exception as fault:
                fault.add_note(f"{hand.started.rule_card.key}, step {step} of {replay.step_count}, seat {seat}")
                raise
            finally:
                replay._hands = real
            checked += 1
    return checked


@pytest.mark.law("TL-22", "TL-37", "TL-39")
@pytest.mark.parametrize("slice_number", range(5))
def test_no_step_shows_a_card_that_was_hidden_then(slice_number: int) -> None:
    count = DEFAULT_HANDS // 5
    assert check_hands(slice_number * count, count, 4) >= 2 * count


@pytest.mark.full
@pytest.mark.parametrize("slice_number", range(50))
def test_no_step_of_5000_hands_shows_a_card_hidden_then(slice_number: int) -> None:
    count = FULL_HANDS // 50
    assert check_hands(1_000 + slice_number * count, count, 1_000) >= 5 * count


def test_steps_hold_all_events_in_order() -> None:
    for _, hand in random_hands(0, 60):
        replay = replay_of(hand)
        steps = replay._steps
        assert steps[0].kind is StepKind.START and steps[-1].end == len(hand.events)
        ends = [step.end for step in steps]
        assert ends == sorted(set(ends))
        assert replay.at(10**6, EVERYBODY).step == replay.step_count and replay.at(-3, EVERYBODY).step == 1
        assert sum(replay.at(step, EVERYBODY).kind is StepKind.RESULT for step in range(1, len(steps) + 1)) == 1


def test_a_step_too_far_would_be_noticed() -> None:
    """If a replay showed the step after the one that it names, exchanged cards would tell."""
    found = 0
    for rng, hand in random_hands(0, 40):
        replay = replay_of(hand)
        real, step = replay._hands, 2
        seen = drawn(msgspec.structs.replace(replay.at(step + 8, FIRST_USER), step=2), shared=False)
        replay._hands = with_hidden_cards_exchanged(rng, real, step, None)
        found += drawn(msgspec.structs.replace(replay.at(step + 8, FIRST_USER), step=2), shared=False) != seen
    assert found > 30

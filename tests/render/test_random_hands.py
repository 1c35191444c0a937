"""Random hands are drawn after every action: no panel breaks a limit, every button is lawful, and no card leaks."""

import random

import pytest

from bot import engine
from bot.engine import commands as c
from bot.engine.betting.posts import regular_posts
from bot.engine.events import HandStarted
from bot.engine.hand import Hand
from bot.engine.legal import Decision, LegalActions
from bot.engine.rule_card import RuleCard
from bot.engine.stakes import Stakes
from bot.engine.view.build import view
from bot.engine.view.types import HandView
from bot.render.hand.hand_log import hand_log_panel
from bot.render.hand.my_hand import my_hand_panel
from bot.render.hand.result import hand_line, result_panel, shrunk_panel
from bot.render.hand.running_hand import running_hand_panel
from bot.render.hand.scene import Person, Scene
from bot.render.message import custom_ids
from bot.render.message.custom_ids import Press
from bot.render.message.panel import Panel, payload
from bot.text.buttons import Verb
from bot.variants.holdem import LIMIT_HOLDEM, NO_LIMIT_HOLDEM, POT_LIMIT_HOLDEM
from tests.render.sample_hands import EMOJIS
from tests.support.message_limits import faults, within_limits
from tests.support.panel_text import panel_as_text

STAKES = Stakes(small_blind=50, big_blind=100)
PEOPLE = {number: Person(f"player_{number}", 1000 + number) for number in range(1, 15)}
GAMES = (NO_LIMIT_HOLDEM, POT_LIMIT_HOLDEM, LIMIT_HOLDEM)


def dealt(card: RuleCard, players: int, dice: random.Random) -> Hand:
    """Return a new hand with uneven stacks, some shorter than a blind."""
    started = HandStarted(
        rule_card=card,
        options=card.options,
        stakes=STAKES,
        seat_numbers=tuple(range(1, players + 1)),
        stacks=tuple(dice.choice((30, 90, 500, 2_000, 20_000)) for _ in range(players)),
        posts=regular_posts(card, card.options, STAKES, players),
        button_seat_number=players,
    )
    deck = list(range(52))
    dice.shuffle(deck)
    return engine.start(started, tuple(deck))[1]


def scene_of(seen: HandView) -> Scene:
    return Scene(5, 1, 7, seen, PEOPLE, 1_800_000_000, emojis=EMOJIS)


def pressed(press: Press) -> c.HandCommand:
    """Return the command that a cog makes of a click."""
    match press.verb:
        case Verb.FOLD:
            return c.Fold()
        case Verb.CHECK:
            return c.Check()
        case Verb.CALL:
            return c.Call()
        case Verb.BET:
            return c.Bet(press.amount)
        case Verb.RAISE:
            return c.RaiseTo(press.amount)
        case Verb.ALL_IN:
            return c.AllIn()
        case Verb.SHOW:
            return c.Show()
        case Verb.MUCK:
            return c.Muck()
        case other:
            raise AssertionError(other)


def presses(*panels: Panel) -> list[Press]:
    """Return the clicks that the table and the panel offer to the seat to act."""
    rows = [part for panel in panels for part in payload(panel)[0]["components"] if part["type"] == 1]
    found = [custom_ids.parse_custom_id(button["custom_id"]) for row in rows for button in row["components"]]
    assert None not in found, "an id that nobody can read back"
    own = (Verb.MY_HAND, Verb.OPEN_BET_FORM)
    return [one for one in found if isinstance(one, Press) and one.verb not in own]


def leaked(hand: Hand, panel_text: str, viewer: int | None) -> set[str]:
    """Return the card emojis in a text that its reader cannot see."""
    may = {EMOJIS.write_one(hand.deck[place]) for board in hand.board_indices for place in board} | {EMOJIS.marks[-1]}
    for seat in range(hand.seat_count):
        if seat == viewer or hand.shown_seats >> seat & 1:
            may |= {EMOJIS.write_one(card) for card in hand.held_cards(seat)}
    return {mark for mark in EMOJIS.marks if mark in panel_text} - may


@pytest.mark.parametrize("card", GAMES, ids=lambda card: card.key)
@pytest.mark.parametrize("seed", range(12))
def test_random_hands_are_drawn_after_every_action(card: RuleCard, seed: int) -> None:
    dice = random.Random(seed)
    hand = dealt(card, dice.randint(2, 9), dice)
    streets: list[HandView] = []
    while not hand.over:
        public = view(hand, None)
        scene = scene_of(public)
        panel = within_limits(running_hand_panel(scene))
        assert not leaked(hand, str(payload(panel)), None)
        own = scene_of(view(hand, hand.to_act))
        private = within_limits(my_hand_panel(own))
        assert not leaked(hand, str(payload(private)), hand.to_act)
        assert set(presses(panel)) <= set(presses(private)), "the panel has all that the table offers"
        assert len(presses(private)) == len(set(presses(private))), "each of them once"
        offered = presses(panel, private)
        assert offered
        for press in offered:
            assert (press.table, press.hand, press.turn) == (5, 7, hand.decision_number)
            engine.decide(hand, hand.to_act, pressed(press))  # every button is lawful
        legal = engine.legal(hand, hand.to_act)
        assert labels_tell_what_happens(legal, offered)
        weights = [1 if press.verb in {Verb.FOLD, Verb.ALL_IN} else 4 for press in offered]
        command = pressed(dice.choices(offered, weights)[0])
        before = public
        _, hand = engine.decide_and_evolve(hand, hand.to_act, command)
        if hand.street != before.street or hand.over:
            streets.append(before)
    final = scene_of(view(hand, None))
    for panel in (
        result_panel(final, next_at=1_800_000_000),
        shrunk_panel(final.table_id, (hand_line(final),)),
        hand_log_panel(final, streets),
    ):
        assert faults(panel) == ()
        assert not leaked(hand, str(payload(panel)), None)
    won = sum(payment.chips for payment in final.view.payments)
    assert won == final.view.pot


def labels_tell_what_happens(legal: LegalActions, offered: list[Press]) -> bool:
    """Check that the amounts on the buttons are those that the engine takes."""
    for press in offered:
        if press.verb is Verb.CALL and press.amount != legal.call_chips:
            return False
        if press.verb in {Verb.BET, Verb.RAISE, Verb.ALL_IN} and not legal.min_to <= press.amount <= legal.max_to:
            return False
    return legal.decision is Decision.BET or not any(press.amount for press in offered)


def test_the_log_of_a_whole_hand() -> None:
    """A hand is described street by street. Its reader sees their own cards and those that were shown."""
    dice = random.Random(3)
    started = HandStarted(
        rule_card=NO_LIMIT_HOLDEM,
        options=NO_LIMIT_HOLDEM.options,
        stakes=STAKES,
        seat_numbers=(2, 5, 7),
        stacks=(5_000, 5_000, 3_000),
        posts=regular_posts(NO_LIMIT_HOLDEM, NO_LIMIT_HOLDEM.options, STAKES, 3),
        button_seat_number=7,
    )
    deck = list(range(52))
    dice.shuffle(deck)
    hand = engine.start(started, tuple(deck))[1]
    people = {2: Person("Ann"), 5: Person("Bo"), 7: Person("Cy")}
    streets: list[HandView] = []
    told = [
        (2, c.RaiseTo(300)), (0, c.Fold()), (1, c.Call()),
        (1, c.Check()), (2, c.Bet(400)), (1, c.Call()),
        (1, c.Check()), (2, c.Check()),
        (1, c.Bet(1000)), (2, c.AllIn()), (1, c.Call()),
    ]  # fmt: skip
    for seat, command in told:
        if command == c.Bet(1000):  # on the river, before the last bets
            running = Scene(5, 1, 7, view(hand, 1), people, emojis=EMOJIS)
            so_far = panel_as_text(within_limits(hand_log_panel(running, streets)))
            assert "is over" not in so_far and "Folded" not in so_far
            assert so_far.splitlines()[-3].endswith("pot 1,450 — no betting")
            assert so_far.splitlines()[-2] == "▶ Bo **to act** · can check"
        events = engine.decide(hand, seat, command)
        after = engine.decide_and_evolve(hand, seat, command)[1]
        if any(type(event).__name__ == "BettingRoundClosed" for event in events):
            streets.append(view(before_gathering(hand, seat, command), 1))
        hand = after
    scene = Scene(5, 1, 7, view(hand, 1), people, emojis=EMOJIS)
    text = panel_as_text(within_limits(hand_log_panel(scene, streets)))
    assert text.splitlines()[:5] == [
        "### Hand #7",
        "-# Table 1 · No-Limit Hold'em 50/100",
        "`2` Ann 5,000 · `5` Bo 5,000 · `7` Cy 3,000 (dealer)",
        text.splitlines()[3],
        "**Pre-flop** — Ann posts small blind 50 · Bo posts big blind 100 · Cy raises to 300 (puts in 300) · "
        "Ann folds · Bo calls 200",
    ]
    assert "pot 650 — Bo checks · Cy bets 400 · Bo calls 400" in text
    assert "pot 1,450 — Bo checks · Cy checks" in text
    assert "Bo bets 1,000 · Cy is all-in, raising to 2,300 (puts in 2,300) · Bo calls 1,300" in text
    assert text.splitlines()[3].startswith("Your cards :")
    assert "**Flop** :" in text, "the board in tiles, like every other card"
    assert text.endswith("[Show here] [Report…]")


def before_gathering(hand: Hand, seat: int, command: c.HandCommand) -> Hand:
    """Return the hand after an action, before the bets are gathered: the runtime keeps this of a street."""
    from bot.engine.evolve import evolve

    return evolve(hand, engine.decide(hand, seat, command)[0])


def test_very_long_hand_is_split_into_pages() -> None:
    """Raises by one chip fill page after page; every page keeps the limits and leads to the others."""
    from tests.render.test_limits import crowd, full_table

    street = full_table(14)
    long = [street] * 40
    scene = Scene(5, 1, 7, street, crowd(14), emojis=EMOJIS)
    first = within_limits(hand_log_panel(scene, long))
    assert "Next ›" in panel_as_text(first)
    count = int(panel_as_text(first).split(" / ")[1].split(" ")[0])
    assert count > 1
    for number in range(1, count + 1):
        assert f"{number} / {count}" in panel_as_text(within_limits(hand_log_panel(scene, long, number)))

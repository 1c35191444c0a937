"""Every game is drawn after every action of real hands: no panel breaks a limit, every button is lawful, and no card leaks."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator

import pytest
from msgspec.structs import replace

from bot import engine
from bot.engine import commands as c
from bot.engine.betting.posts import regular_posts
from bot.engine.dealing.decks import DECKS
from bot.engine.errors import LawError
from bot.engine.events import HandStarted
from bot.engine.hand import Hand
from bot.engine.legal import Decision
from bot.engine.options.values import AceHiLo, Switch
from bot.engine.ranking.spec import WildCall, WildMethod
from bot.engine.rule_card import RuleCard
from bot.engine.timeout import default_action
from bot.engine.usual_stakes import usual_stakes
from bot.engine.view.build import view
from bot.render.hand import private_choices
from bot.render.hand.hand_log import hand_log_panel
from bot.render.hand.my_hand import PanelState, my_hand_panel
from bot.render.hand.private_choices import PrivateChoice
from bot.render.hand.private_panels import hole_cards_dm
from bot.render.hand.result import hand_line, result_panel, shrunk_panel
from bot.render.hand.running_hand import nudge_text, running_hand_panel
from bot.render.hand.scene import Person, Scene
from bot.render.message import custom_ids
from bot.render.message.custom_ids import Press
from bot.render.message.panel import Buttons, Panel, Select, payload
from bot.text import actions
from bot.text.buttons import Verb
from bot.text.language import reading
from bot.variants import CATALOGUE
from tests.render.sample_hands import EMOJIS
from tests.support.message_limits import within_limits
from tests.support.panel_text import panel_as_text
from tests.support.pseudo_language import pseudo_language

PEOPLE = {number: Person(f"player_{number}_" + "w" * 20, 10**17 + number) for number in range(1, 15)}
ASIDE = {Verb.MY_HAND, Verb.OPEN_BET_FORM, Verb.SIT}
OPENERS = "VC-20"  # whether they have them is their own affair: the public button may be refused


def dealt(card: RuleCard, players: int, dice: random.Random) -> Hand:
    """Return a new hand at the usual stakes; some stacks are short."""
    stakes = usual_stakes(card)
    started = HandStarted(
        rule_card=card,
        options=replace(card.options, run_twice=Switch.ON),
        stakes=stakes,
        seat_numbers=tuple(range(1, players + 1)),
        stacks=tuple(dice.choice((150, 600, 3_000, 20_000)) for _ in range(players)),
        posts=regular_posts(card, card.options, stakes, players),
        button_seat_number=players,
        ask_run_twice=True,
        ask_show=dice.random() < 0.5,
    )
    deck = list(DECKS[card.options.deck])
    dice.shuffle(deck)
    return engine.start(started, tuple(deck))[1]


def scene_of(hand: Hand, viewer: int | None) -> Scene:
    return Scene(5, 1, 7, view(hand, viewer), PEOPLE, 1_800_000_000, emojis=EMOJIS, open_seats=1)


def awaited(hand: Hand) -> list[int]:
    """Return the seats that the dealer waits for."""
    return [seat for seat in range(hand.seat_count) if engine.legal(hand, seat).decision is not Decision.NONE]


def buttons(panel: Panel) -> list[Press]:
    found = [
        custom_ids.parse_custom_id(button.custom_id)
        for row in panel.blocks
        if isinstance(row, Buttons)
        for button in row.buttons
    ]
    assert None not in found, "an id that nobody can read back"
    return [press for press in found if isinstance(press, Press) and press.verb not in ASIDE]


def offers_form(panel: Panel) -> bool:
    """Return whether an amount can be written: what is left at the table where a seat must open for any of many."""
    ids = [button.custom_id for row in panel.blocks if isinstance(row, Buttons) for button in row.buttons]
    return any(id_.endswith(f":{Verb.OPEN_BET_FORM}") for id_ in ids)


def command_of(press: Press, scene: Scene) -> c.HandCommand | None:
    """Return the command that a cog makes of a click; None if the click only continues a choice."""
    seat, legal = scene.own_seat(), scene.view.legal
    assert seat is not None and legal is not None
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
        case Verb.STRADDLE:
            return c.TakeStraddle(press.amount)
        case Verb.ACCEPT:
            return c.Accept()
        case Verb.DECLINE:
            return c.Decline()
        case Verb.STAND_PAT:
            return c.ChooseCards()
        case Verb.DISCARD:
            return c.ChooseCards(private_choices.chosen_card_indexes(seat, press.amount))
        case Verb.ARRANGE:
            return c.ChooseCards(private_choices.ordered_card_indexes(seat, press.amount))
        case Verb.DECLARE_WORD:
            return c.Declare(private_choices.declared_word(legal, press.amount))
        case Verb.SHOW:
            return c.Show(*private_choices.designations_at_show(scene, press.amount))
        case Verb.MUCK:
            return c.Muck()
        case _:
            return None


def private_choice_panels(scene: Scene, dice: random.Random) -> Iterator[Panel]:
    """The private choice that is asked of the viewer, click by click to its end."""

    def chosen(code: int, rank: int = -1) -> Panel:
        return my_hand_panel(scene, state=PanelState(choice=PrivateChoice(code, rank)))

    legal = scene.view.legal
    assert legal is not None
    panel = chosen(0)
    yield panel
    match legal.decision:
        case Decision.DRAW | Decision.GIVE_UP | Decision.PASS_CARDS:
            code = 0
            for _ in range(dice.randint(max(1, legal.min_cards), legal.max_cards) if legal.max_cards else 0):
                toggles = [press.amount for press in buttons(panel) if press.verb is Verb.MARK]
                code = dice.choice([after for after in toggles if after.bit_count() > code.bit_count()] or toggles)
                panel = chosen(code)
                yield panel
        case Decision.ARRANGE:
            while following := [press for press in buttons(panel) if press.verb is Verb.NEXT_IN_ORDER]:
                panel = chosen(dice.choice(following).amount)
                yield panel
        case Decision.SHOW:
            while selects := [block for block in panel.blocks if isinstance(block, Select)]:
                press = custom_ids.parse_custom_id(selects[0].custom_id)
                assert isinstance(press, Press)
                code, rank = private_choices.rank_chosen(scene, press.amount, dice.choice(selects[0].options).value)
                panel = chosen(code, rank)
                yield panel
                if rank >= 0:
                    suits = [one for one in buttons(panel) if one.verb is Verb.WILD_SUIT]
                    panel = chosen(dice.choice(suits).amount)
                    yield panel
        case _:
            pass


def leaked(hand: Hand, panel: Panel, viewer: int | None) -> set[str]:
    """Return the card emojis in a panel that its reader cannot see."""
    text = str(payload(panel))
    places = {place for board in hand.board_indices for place in board} | {
        place for up in hand.up_indices for place in up
    }
    places |= set(hand.proven_opener_indices)
    for seat in range(hand.seat_count):
        if seat == viewer or hand.shown_seats >> seat & 1:
            places |= set(hand.down_indices[seat])
    may = {EMOJIS.write_one(hand.deck[place]) for place in places} | {EMOJIS.marks[-1]}
    return {mark for mark in EMOJIS.marks if mark in text} - may


def check_default_action_is_told(hand: Hand) -> None:
    """Check that a default action is announced to everybody."""
    seat = awaited(hand)[0] if hand.to_act < 0 else hand.to_act
    done = engine.decide(hand, seat, default_action(hand))
    assert "does not act" not in actions.timed_out("Ann", done)


def play(
    card: RuleCard, players: int, dice: random.Random, check: Callable[[Panel], Panel] = within_limits
) -> set[Decision]:
    """Play one hand by its buttons alone. Returns the kinds of decisions that came up."""
    hand = dealt(card, players, dice)
    met: set[Decision] = set()
    streets = []
    while not hand.over:
        met.add(hand.decision)
        public = scene_of(hand, None)
        table = check(running_hand_panel(public))
        assert not leaked(hand, table, None)
        assert nudge_text(public)
        seat = dice.choice(awaited(hand))
        own = scene_of(hand, seat)
        panel = my_hand_panel(own)
        for private in (panel, hole_cards_dm(own, "https://discord.com/channels/1/2")):
            assert not leaked(hand, check(private), seat)
        presses = buttons(table)
        assert presses or offers_form(table), hand.decision
        presses += buttons(panel)
        if any(press.verb is Verb.OPEN_CHOICE for press in presses):
            for panel in private_choice_panels(own, dice):
                assert not leaked(hand, check(panel), seat)
                presses += buttons(panel)
        asked = [(press, command_of(press, own)) for press in presses]
        lawful: list[c.HandCommand] = []
        for press, wanted in asked:
            assert (press.table, press.hand, press.turn) == (5, 7, hand.decision_number)
            if wanted is None:
                continue
            try:
                engine.decide(hand, seat, wanted)
            except LawError as refusal:
                assert refusal.law == OPENERS, (press, refusal)
            else:
                lawful.append(wanted)
        weights = [1 if isinstance(one, c.Fold | c.AllIn) else 5 for one in lawful]
        before = own.view
        check_default_action_is_told(hand)
        events, hand = engine.decide_and_evolve(hand, seat, dice.choices(lawful, weights)[0])
        assert (
            actions.confirmation(events, own.view.legal.decision if own.view.legal is not None else Decision.NONE)
            != "Done."
        )
        if hand.over or hand.street != before.street:
            streets.append(before)
    final = scene_of(hand, None)
    for panel in (
        result_panel(final, next_at=1_800_000_000),
        shrunk_panel(final.table_id, (hand_line(final),)),
        hand_log_panel(final, ()),
    ):
        assert not leaked(hand, check(panel), None)
    for seat in range(players):
        assert not leaked(hand, check(my_hand_panel(scene_of(hand, seat))), seat)
    check(hand_log_panel(replace(final, view=view(hand, 0)), tuple(replace(street, viewer=0) for street in streets)))
    assert sum(hand.stacks) + hand.carried_to_next_hand == sum(hand.started.stacks)
    return met


@pytest.mark.parametrize("card", CATALOGUE, ids=lambda card: card.key)
def test_every_game_is_drawn_after_every_action(card: RuleCard) -> None:
    dice = random.Random(card.key)
    for players in (card.seats_min, card.seats_max, dice.randint(card.seats_min, card.seats_max)):
        play(card, players, dice)


@pytest.mark.law("W-7", "LO-3")
@pytest.mark.parametrize(
    "card", [card for card in CATALOGUE if card.options.wild_method is not WildMethod.NONE], ids=lambda card: card.key
)
def test_wild_cards_are_declared_in_every_game_that_has_them(card: RuleCard) -> None:
    """Where the table plays `WILD_CALL`=declare, holders name their wild cards at the showdown, card by card."""
    dice = random.Random(card.key)
    options = replace(card.options, wild_call=WildCall.DECLARE, ace_hilo=AceHiLo.DECLARE_ONE)
    met: set[Decision] = set()
    for _ in range(12):
        met |= play(replace(card, options=options), min(card.seats_max, 6), dice)
    assert Decision.SHOW in met


LEFT_ALONE = re.compile(
    r"<[^<>]*>|:\w+:"  # emojis, mentions, times
    r"|\(off\)"  # how a disabled button is written in tests
    r"|`[^`]*`"  # what people type
    r"|https?://\S+"
    r"|(?:10|[2-9AKQJ])(?:-(?:10|[2-9AKQJ]))+"  # a low hand by its ranks
    r"|player\\?_\d+\\?_w+"
)
"""Texts that are not in the catalogue, or are the same in every language."""


def untranslated(panel: Panel) -> list[str]:
    """Return the English words in a panel that was drawn in a made-up language."""
    return re.findall(r"[A-Za-z]{2,}", LEFT_ALONE.sub(" ", panel_as_text(panel)))


@pytest.mark.parametrize("card", CATALOGUE, ids=lambda card: card.key)
def test_every_game_is_drawn_in_a_longer_language(card: RuleCard) -> None:
    """No English word is left in any panel, and texts 40 % longer still keep every limit."""

    def check(panel: Panel) -> Panel:
        assert untranslated(panel) == [], panel_as_text(panel)
        return within_limits(panel)

    with reading(pseudo_language("de")):
        play(card, min(card.seats_max, 4), random.Random(f"longer {card.key}"), check)

"""Every game of the catalogue, drawn after every action of real hands: nothing breaks a limit, what is offered is lawful, no card leaks."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from bot.engine import commands as c
from bot.engine import ruling
from bot.engine.card import RuleCard
from bot.engine.errors import LawError
from bot.engine.events import HandStarted
from bot.engine.hand import Hand
from bot.engine.legal import Decision
from bot.engine.options import AceHiLo, WildCall, WildMethod
from bot.engine.packs import PACKS
from bot.engine.posts import regular_posts
from bot.engine.seeing import view
from bot.engine.usual import usual_stakes
from bot.render import choices, ids, private
from bot.render.handlog import log_panel
from bot.render.ids import Press, Verb
from bot.render.limits import check
from bot.render.panel import Buttons, Panel, Select, payload
from bot.render.result import result_panel, shrunk_panel
from bot.render.scene import Person, Scene
from bot.render.table import description, nudge, table_panel
from bot.variants import CATALOGUE
from tests.render.hands import EMOJIS

PEOPLE = {number: Person(f"player_{number}_" + "w" * 20, 10**17 + number) for number in range(1, 15)}
ASIDE = {Verb.PEEK, Verb.SIZE, Verb.SIT}
OPENERS = "VC-20"  # whether he has them is his own affair: the public button may be refused


def dealt(card: RuleCard, players: int, dice: random.Random) -> Hand:
    """A new deal at the usual stakes, some stacks short."""
    stakes = usual_stakes(card)
    started = HandStarted(
        card=card,
        options=card.options,
        stakes=stakes,
        seats=tuple(range(1, players + 1)),
        stacks=tuple(dice.choice((150, 600, 3_000, 20_000)) for _ in range(players)),
        posts=regular_posts(card, card.options, stakes, players),
        button=players,
        ask_run_twice=True,
        ask_show=dice.random() < 0.5,
    )
    pack = list(PACKS[card.options.deck])
    dice.shuffle(pack)
    return ruling.start(started, tuple(pack))[1]


def scene_of(hand: Hand, viewer: int | None) -> Scene:
    return Scene(5, "Table 1", 7, view(hand, viewer), PEOPLE, 1_800_000_000, emojis=EMOJIS, seats_open=1)


def awaited(hand: Hand) -> list[int]:
    """The seats that the dealer waits for."""
    return [seat for seat in range(hand.number_of) if ruling.legal(hand, seat).decision is not Decision.NONE]


def buttons(panel: Panel) -> list[Press]:
    found = [ids.parse(button.custom_id) for row in panel.blocks if isinstance(row, Buttons) for button in row.buttons]
    assert None not in found, "an id that nobody can read back"
    return [press for press in found if isinstance(press, Press) and press.verb not in ASIDE]


def command(press: Press, scene: Scene) -> c.Command | None:
    """What a cog makes of a click; None where it only goes on choosing."""
    seat, legal = scene.own(), scene.view.legal
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
            return c.Straddle(press.amount)
        case Verb.ACCEPT:
            return c.Accept()
        case Verb.DECLINE:
            return c.Decline()
        case Verb.PAT:
            return c.Discard()
        case Verb.DRAW:
            return c.Discard(choices.chosen_places(seat, press.amount))
        case Verb.ARRANGE:
            return c.Discard(choices.ordered_places(seat, press.amount))
        case Verb.WORD:
            return c.Declare(choices.word_chosen(legal, press.amount))
        case Verb.SHOW:
            return c.Show(*choices.said_at_show(scene, press.amount))
        case Verb.MUCK:
            return c.Muck()
        case _:
            return None


def private_panels(scene: Scene, dice: random.Random) -> Iterator[Panel]:
    """The private choice that is asked of the viewer, click by click to its end."""
    legal, seat = scene.view.legal, scene.own()
    assert legal is not None and seat is not None
    panel = choices.choice_panel(scene)
    yield panel
    match legal.decision:
        case Decision.DRAW | Decision.DROP | Decision.PASS:
            if legal.most:
                down = [at for at, seen in enumerate([one for one in seat.cards if not one.up])]
                marked = dice.sample(down, dice.randint(max(1, legal.least), legal.most))
                yield choices.discard_panel(scene, choices.marked_places(seat, tuple(map(str, marked))))
        case Decision.ARRANGE:
            code = 0
            while selects := [block for block in panel.blocks if isinstance(block, Select)]:
                code = choices.next_order(code, int(dice.choice(selects[0].options).value))
                panel = choices.order_panel(scene, code)
                yield panel
        case Decision.SHOW:
            while selects := [block for block in panel.blocks if isinstance(block, Select)]:
                press = ids.parse(selects[0].custom_id)
                assert isinstance(press, Press)
                code, rank = choices.settled(scene, press.amount, dice.choice(selects[0].options).value)
                panel = choices.meaning_panel(scene, code, rank)
                yield panel
                if rank >= 0:
                    suits = [one for one in buttons(panel) if one.verb is Verb.SETTLED]
                    panel = choices.meaning_panel(scene, dice.choice(suits).amount)
                    yield panel
        case _:
            pass


def leaked(hand: Hand, panel: Panel, viewer: int | None) -> set[str]:
    """Card emojis in a panel that its reader may not see."""
    text = str(payload(panel))
    places = {place for board in hand.boards for place in board} | {place for up in hand.up for place in up}
    places |= set(hand.openers_shown)
    for seat in range(hand.number_of):
        if seat == viewer or hand.shown >> seat & 1:
            places |= set(hand.down[seat])
    may = {EMOJIS.one(hand.deck[place]) for place in places} | {EMOJIS.marks[-1]}
    return {mark for mark in EMOJIS.marks if mark in text} - may


def play(card: RuleCard, players: int, dice: random.Random) -> set[Decision]:
    """Play one hand by its buttons alone; the kinds of decisions there were."""
    hand = dealt(card, players, dice)
    met: set[Decision] = set()
    streets = []
    while not hand.over:
        met.add(hand.decision)
        public = scene_of(hand, None)
        table = check(table_panel(public))
        assert not leaked(hand, table, None)
        assert len(description(public)) <= 256
        assert nudge(public)
        seat = dice.choice(awaited(hand))
        own = scene_of(hand, seat)
        for panel in (private.peek_panel(own), private.hole_cards_dm(own, "https://discord.com/channels/1/2")):
            assert not leaked(hand, check(panel), seat)
        presses = buttons(table)
        assert presses, hand.decision
        if any(press.verb is Verb.DISCARDS for press in presses):
            for panel in private_panels(own, dice):
                assert not leaked(hand, check(panel), seat)
                presses += buttons(panel)
        asked = [(press, command(press, own)) for press in presses]
        lawful: list[c.Command] = []
        for press, wanted in asked:
            assert (press.table, press.hand, press.turn) == (5, 7, hand.turn)
            if wanted is None:
                continue
            try:
                ruling.decide(hand, seat, wanted)
            except LawError as refusal:
                assert refusal.law == OPENERS, (press, refusal)
            else:
                lawful.append(wanted)
        weights = [1 if isinstance(one, c.Fold | c.AllIn) else 5 for one in lawful]
        before = own.view
        hand = ruling.rule(hand, seat, dice.choices(lawful, weights)[0])[1]
        if hand.over or hand.street != before.street:
            streets.append(before)
    final = scene_of(hand, None)
    for panel in (result_panel(final, next_at=1_800_000_000), shrunk_panel(final), log_panel(final, ())):
        assert not leaked(hand, check(panel), None)
    check(log_panel(replace(final, view=view(hand, 0)), tuple(replace(street, viewer=0) for street in streets)))
    assert sum(hand.stacks) + hand.carried_on == sum(hand.started.stacks)
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
    """Where the table plays `WILD_CALL`=declare, holders are asked at the show, card by card."""
    dice = random.Random(card.key)
    options = replace(card.options, wild_call=WildCall.DECLARE, ace_hilo=AceHiLo.DECLARE_ONE)
    met: set[Decision] = set()
    for _ in range(12):
        met |= play(replace(card, options=options), min(card.seats_max, 6), dice)
    assert Decision.SHOW in met

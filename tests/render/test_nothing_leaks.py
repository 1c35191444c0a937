"""Random hands of all games for table chips: no panel, public message or book names a card that its reader is not to see.

What somebody may know is read from the hand itself, never from a view: their own cards, and what has lain open before everybody.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

import msgspec
import pytest
from msgspec.structs import replace

from bot import engine
from bot.engine.dealing.decks import DECKS
from bot.engine.events import HandStarted
from bot.engine.hand import Hand
from bot.engine.rule_card import RuleCard
from bot.engine.view.build import view
from bot.engine.view.types import HandView
from bot.house.rules import HouseRules
from bot.render.hand.my_hand import my_hand_panel, no_cards_panel
from bot.render.hand.result import hand_line, result_panel, shrunk_panel
from bot.render.hand.running_hand import running_hand_panel
from bot.render.hand.scene import Person, Scene
from bot.render.message.panel import Panel, payload
from bot.render.table.book import book_panel
from bot.runtime.table_settings import NewTableRequest, default_table_settings
from bot.runtime.transfers import chips_in_pot
from bot.table import commands as tc
from bot.table.decide import decide
from bot.table.evolve import evolve_all
from bot.table.finish_hand import finish_hand
from bot.table.next_hand import next_hand
from bot.table.queries import can_deal
from bot.table.settings import ChipKind, RebuyRule
from bot.table.state import Table
from bot.table.view import view_table
from bot.text.cards import SIGNS
from bot.variants import CATALOGUE
from tests.e2e.leak_watcher import as_named, card_numbers, cards_named, without_public_texts
from tests.render.sample_hands import EMOJIS
from tests.render.test_every_game import awaited
from tests.render.test_read_aloud import lawful

NAMES = ("Ann", "Bo", "Cy", "Di", "Ed", "Flo", "Gus", "Hal")
PEOPLE = {number: Person(name, 10**17 + number) for number, name in enumerate(NAMES, 1)}
NOW = 1_800_000_000_000
HANDS_OF_A_TABLE = 2


class Known:
    """What each player of a hand has held so far, and what has lain open."""

    def __init__(self) -> None:
        self.held: dict[int, set[int]] = {}
        self.open: set[int] = set()

    def note(self, hand: Hand) -> None:
        """Remember a hand as it stands."""
        open_places = {place for board in hand.board_indices for place in board}
        open_places |= {place for up in hand.up_indices for place in up}
        open_places |= set(hand.proven_opener_indices) | set(hand.shown_indices)
        for seat in range(hand.seat_count):
            self.held.setdefault(seat, set()).update(as_named(card) for card in hand.held_cards(seat))
            if hand.shown_seats >> seat & 1:
                open_places |= set(hand.down_indices[seat])
        self.open |= {as_named(hand.deck[place]) for place in open_places}

    def leaked(self, panel: Panel, reader: int | None) -> set[int]:
        """Return the cards that a panel names in any way, and that its reader cannot know; `reader` is a seat, None for everybody."""
        text = without_public_texts(msgspec.json.encode(payload(panel)).decode())
        assert not card_numbers(text), f"numbers that can be cards: {text}"
        own = self.held.get(reader, set()) if reader is not None else set()
        return cards_named(text) - self.open - own


def panels_of(hand: Hand, dice: random.Random) -> Iterator[tuple[Panel, int | None]]:
    """Yield what everybody sees of a hand, with the seat of its reader: each player's panel, a visitor's, the message of the table."""
    emojis = dice.choice((EMOJIS, SIGNS))

    def scene(viewer: int | None) -> Scene:
        return Scene(
            5, 1, 7, view(hand, viewer), PEOPLE, 1_800_000_024, emojis=emojis, open_seats=1,
            acts_in_panel=dice.random() < 0.5, has_book=True, picture=dice.random() < 0.5,
        )  # fmt: skip

    for seat in range(hand.seat_count):
        yield my_hand_panel(scene(seat)), seat
    public = scene(None)
    yield no_cards_panel(public), None
    if not hand.over:
        yield running_hand_panel(public), None
        return
    yield result_panel(public, next_at=1_800_000_000), None
    yield shrunk_panel(public.table_id, (hand_line(public),)), None


def home_table(card: RuleCard, dice: random.Random) -> Table:
    """Open a table of table chips at which the host answers rebuys, and let people sit down."""
    usual = default_table_settings(card, HouseRules(), NewTableRequest(chips=ChipKind.TABLE))
    settings = replace(usual, rebuy=RebuyRule.HOST, auto_start=True)
    table = evolve_all(None, decide(None, tc.OpenTable(PEOPLE[1].user, settings), NOW))
    most = min(card.seats_max, settings.seat_count, len(NAMES), dice.choice((2, 4, 8)))
    for number in range(1, max(card.seats_min, most) + 1):
        person = PEOPLE[number]
        seated = tc.TakeSeat(person.user, person.name, table.settings.starting_stack, number)
        table = evolve_all(table, decide(table, seated, NOW))
    return table


def play_evening(card: RuleCard, dice: random.Random) -> int:
    """Play some hands, and look at everything that anybody sees after every action. Returns how many hands it were."""
    table, now, played = home_table(card, dice), NOW, 0
    while played < HANDS_OF_A_TABLE and can_deal(table):
        now = max(now + 60_000, table.next_hand_at)
        lots = list(DECKS[table.settings.options.deck])
        dice.shuffle(lots)
        deal = next_hand(table, now, tuple(lots))
        if deal is None:
            break
        table = evolve_all(table, deal.events)
        deck = list(DECKS[deal.started.options.deck])
        dice.shuffle(deck)
        hand, known = engine.start(deal.started, tuple(deck))[1], Known()
        watch(hand, known, table, dice)
        while not hand.over:
            seat = dice.choice(awaited(hand))
            own = Scene(5, 1, 7, view(hand, seat), PEOPLE, 1_800_000_024, emojis=EMOJIS)
            hand = engine.decide_and_evolve(hand, seat, dice.choice(lawful(hand, seat, own, dice)))[1]
            watch(hand, known, table, dice)
        stacks = dict(zip(hand.started.seat_numbers, hand.stacks, strict=True))
        carried = chips_in_pot(hand) if hand.voided else hand.carried_to_next_hand
        table = evolve_all(
            table, finish_hand(table, stacks, now, {}, carried_chips=carried, passed_out=hand.passed_out)
        )
        table = ask_for_rebuys(table, now)
        look_at_book(table)
        played += 1
    return played


def ask_for_rebuys(table: Table, now: int) -> Table:
    """Whoever has no chips asks for more; the host has said nothing yet."""
    for seat in table.seats:
        if not seat.stack and table.rebuy_request(seat.player) is None:
            table = evolve_all(table, decide(table, tc.TopUp(seat.player, 0), now))
    return table


def watch(hand: Hand, known: Known, table: Table, dice: random.Random) -> None:
    """Look at what everybody sees now."""
    known.note(hand)
    for panel, reader in panels_of(hand, dice):
        leaked = known.leaked(panel, reader)
        assert not leaked, f"{hand.rules.rule_card.key}: seat {reader} sees {leaked} in {payload(panel)}"
    if dice.random() < 0.1:
        look_at_book(table)


def look_at_book(table: Table) -> None:
    """The book names no card at all, whoever reads it."""
    seen = view_table(table, 1)
    for person in PEOPLE.values():
        text = msgspec.json.encode(payload(book_panel(5, seen, person.user))).decode()
        assert not cards_named(text) and not card_numbers(text), text


@pytest.mark.parametrize("count", [36, pytest.param(5_000, marks=pytest.mark.full)])
def test_no_panel_message_or_book_names_a_hidden_card(count: int) -> None:
    dice, played, games = random.Random(count), 0, set()
    while played < count:
        card = dice.choice(CATALOGUE)
        played += play_evening(card, dice)
        games.add(card.key)
    assert len(games) > 12


@pytest.mark.parametrize("reader", [0, None])
def test_watcher_finds_a_card_of_somebody_else(reader: int | None) -> None:
    """The watcher itself: it finds the other's cards where a view that shows them is drawn for the wrong reader."""
    dice = random.Random(1)
    hand = engine.start(*_two_players(dice))[1]
    known = Known()
    known.note(hand)
    theirs: HandView = view(hand, 1)
    scene = Scene(5, 1, 7, theirs, PEOPLE, emojis=EMOJIS)
    assert known.leaked(my_hand_panel(scene), reader) == {as_named(card) for card in hand.held_cards(1)}
    assert known.leaked(my_hand_panel(replace(scene, emojis=SIGNS)), reader)
    assert not known.leaked(my_hand_panel(scene), 1)


def _two_players(dice: random.Random) -> tuple[HandStarted, tuple[int, ...]]:
    card = next(one for one in CATALOGUE if one.key == "holdem")
    table = home_table(replace(card, seats_max=2), dice)
    deck = list(DECKS[card.options.deck])
    dice.shuffle(deck)
    deal = next_hand(table, NOW + 60_000, tuple(deck))
    assert deal is not None
    return deal.started, tuple(deck)

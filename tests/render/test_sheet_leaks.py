"""Nothing in a sheet names a card that was not shown, and no hidden card changes anything in it."""

from __future__ import annotations

import asyncio
import random
import re

import pytest
from msgspec import msgpack

from bot.engine.cards import ALL_CARDS
from bot.engine.rule_card import RuleCard
from bot.engine.view.build import view
from bot.pictures.types import Look
from bot.render.message.panel import Picture
from bot.render.pictures.evening import evening_picture, evening_text
from bot.render.table.sheet import SheetHand, ended_panel
from bot.runtime import hand_log
from bot.runtime.evening import EveningReader
from bot.runtime.hand_log import DeckSecret
from bot.runtime.journal import DealtIn
from bot.runtime.snapshot import TableAddress
from bot.runtime.store_types import SavedHand
from bot.statistics.all_in_hand import AllInHand
from bot.statistics.luck import AllInLuck, all_in_luck
from bot.surfaces.scenes import hand_log_scene
from bot.table.ended_game import EndedGame
from bot.table.events import HandBegan, HandFinished
from bot.table.state import BookLine
from bot.text.cards import emoji_name
from bot.text.sheet import SheetHandKind
from bot.variants import CATALOGUE
from tests.engine.test_all_games_machine import seen_by
from tests.render.sample_hands import EMOJIS
from tests.render.test_sheet import ended
from tests.support.message_limits import within_limits
from tests.support.panel_text import panel_as_text
from tests.support.random_hands import PlainHand

HANDS = 6
"""Hands of an evening; more than four, so that they are told."""
NAMES = ("Ann", "Bo", "Cy", "Dee", "Eve", "Flo", "Gus", "Hal", "Ida", "Jo")
PLAYERS = tuple((101 + seat, name) for seat, name in enumerate(NAMES))
ADDRESS = TableAddress(77, 3, 7, 70)
CARDS = {emoji_name(card): card for card in ALL_CARDS}
Deck = tuple[int, ...]


def saved(number: int, hand: PlainHand) -> SavedHand:
    """Return a hand as the store has it."""
    count, numbers = hand.hand.seat_count, hand.started.seat_numbers
    began = HandBegan(number, 1, numbers, numbers[-1])
    finished = HandFinished(number, tuple(zip(numbers, hand.hand.stacks, strict=True)), 2)
    return SavedHand(77, number, b"", 5, 1, (began, DealtIn(PLAYERS[:count]), *hand.events, finished))


def with_other_hidden_cards(hand: PlainHand, dice: random.Random) -> Deck:
    """Return the deck with every card replaced that nobody but its owner has seen."""
    known = set(seen_by(hand.hand, None)) | set(hand.hand.reshuffled_indices)
    hidden = [at for at in range(len(hand.hand.deck)) if at not in known]
    cards = [hand.hand.deck[at] for at in hidden]
    dice.shuffle(cards)
    deck = list(hand.hand.deck)
    for at, card in zip(hidden, cards, strict=True):
        deck[at] = card
    return tuple(deck)


async def luck_of(hand: AllInHand) -> AllInLuck | None:
    return all_in_luck(hand)


def sheet(hands: list[PlainHand], decks: list[Deck], monkeypatch: pytest.MonkeyPatch) -> tuple[str, str, bytes]:
    """Return the text of the sheet of an evening, the description of its picture, and the picture as it travels to the drawing process."""
    monkeypatch.setattr(hand_log, "deck_for_hand", lambda secret, table, nonce, began, started: decks[began.number - 1])
    reader = EveningReader(DeckSecret(b"", 0), ADDRESS)
    for number, hand in enumerate(hands, 1):
        reader.read(saved(number, hand))
    game = standings_after(hands)
    told = (
        (SheetHandKind.NIGHT, reader.hand_of_night),
        (SheetHandKind.WORST, asyncio.run(reader.worst_beat(luck_of))),
        (SheetHandKind.BEST, reader.best_hand),
    )
    drawn = [SheetHand(kind, hand_log_scene(one.log, EMOJIS), one.seat_index, one.chance) for kind, one in told if one]
    description = evening_text(game)
    panel = within_limits(ended_panel(77, game, drawn, Picture("evening.webp", description)))
    picture = evening_picture(game, reader.curves(game), Look())
    return panel_as_text(panel), description, msgpack.encode(picture)


def standings_after(hands: list[PlainHand]) -> EndedGame:
    nets: dict[int, int] = {}
    for hand in hands:
        for (player, _), before, after in zip(PLAYERS, hand.started.stacks, hand.hand.stacks, strict=False):
            nets[player] = nets.get(player, 0) + after - before
    lines = [BookLine(player, dict(PLAYERS)[player], 1, 10**6, 10**6 + net, HANDS) for player, net in nets.items()]
    return ended(*lines, hands=HANDS)


def nothing_leaks(card: RuleCard, seed: int, monkeypatch: pytest.MonkeyPatch) -> int:
    """Check an evening of a game. Returns how many hands its sheet tells."""
    dice = random.Random(f"sheet {card.key} {seed}")
    hands = [PlainHand(dice, card) for _ in range(HANDS)]
    for hand in hands:
        hand.play()
    shown = sheet(hands, [hand.hand.deck for hand in hands], monkeypatch)
    others = [with_other_hidden_cards(hand, dice) for hand in hands]
    assert sheet(hands, others, monkeypatch) == shown, f"{card.key}, seed {seed}"
    sections = re.split(r"-# .*?#(\d+)\n", shown[0])[1:]
    for number, told in zip(sections[::2], sections[1::2], strict=True):
        hand = hands[int(number) - 1].hand
        known = {hand.deck[at] for at in seen_by(hand, None)}
        named = {CARDS[name] for name in re.findall(r":(\w+):", told) if name in CARDS}
        assert named and named <= known, f"{card.key}, seed {seed}: {told}"
        assert view(hand, None).showdown
    return len(sections) // 2


@pytest.mark.law("TL-37", "TL-22")
@pytest.mark.parametrize("card", CATALOGUE, ids=lambda card: card.key)
def test_sheet_tells_no_hidden_card(card: RuleCard, monkeypatch: pytest.MonkeyPatch) -> None:
    nothing_leaks(card, 0, monkeypatch)


def test_leak_test_looks_at_hands_that_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """And a hidden card that was open would be seen: with other cards in the place of those shown, the sheet is another."""
    assert sum(nothing_leaks(CATALOGUE[0], seed, monkeypatch) for seed in range(1, 4)) >= 6
    dice = random.Random(3)
    hands = [PlainHand(dice, CATALOGUE[0]) for _ in range(HANDS)]
    for hand in hands:
        hand.play()
    decks = [hand.hand.deck for hand in hands]
    shown = sheet(hands, decks, monkeypatch)
    assert sheet(hands, [(*reversed(deck),) for deck in decks], monkeypatch) != shown


@pytest.mark.full
@pytest.mark.law("TL-37", "TL-22")
@pytest.mark.parametrize("card", CATALOGUE, ids=lambda card: card.key)
def test_sheet_tells_no_hidden_card_on_many_evenings(card: RuleCard, monkeypatch: pytest.MonkeyPatch) -> None:
    for seed in range(1, 30):
        nothing_leaks(card, seed, monkeypatch)

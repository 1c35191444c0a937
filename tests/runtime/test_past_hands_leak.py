"""What is told of hands that are over does not depend on a card that its reader cannot know, in any game.

A hidden card is exchanged for another one, and everything must stay the same to the letter. Where that is tried, and over how many hands
by default and with the mark `full`:

- every step of the replay, its text and the values of its picture: `tests.runtime.test_replays`, 150 and 5,000;
- the three files of a hand, PHH, PokerStars' form and text: `tests.history.test_pokerstars`, two of each game and 5,000;
- the hand in words, the line of a found hand, the line that is left at the table and its result: here, 150 and 5,000;
- the numbers: every answer of the statistics, all-in luck, best hands, achievements, rankings and season results: here, 150 and 5,000;
- pictures of running hands, to the pixel: `tests.render.pictures.test_leaks`.

Through the bot all of it is read by people, over the shoulder of the watcher, in `tests.e2e.test_every_game`; what the watcher would
notice is shown in `tests.e2e.test_leak_watcher`. The lobby beside running hands: `tests.cogs.test_lobby_leak`, 150 and 5,000.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import msgspec
import pytest
from msgspec.structs import replace as replace_fields

from bot.engine import events as e
from bot.engine.cards import card_symbol
from bot.engine.evolve import begin_hand, evolve, replay
from bot.engine.showdown.settle import lot_card_indices
from bot.engine.units import SeatIndex
from bot.engine.view.build import view
from bot.engine.view.types import HandView
from bot.render.hand import hand_log as hand_log_module
from bot.render.hand import result
from bot.render.hand.hand_log import hand_log_panel
from bot.render.hand.scene import Scene
from bot.render.message.panel import payload
from bot.runtime.hand_log import DecodedHand, _street_views
from bot.runtime.replays import EVERYBODY, HandReplay
from bot.runtime.snapshot import NamedPlayer
from bot.statistics import luck
from bot.statistics.all_in_hand import AllInHand, all_in_hand, seed_of
from bot.statistics.luck import AllInLuck, all_in_luck
from bot.statistics.periods import week_of
from bot.statistics.seasons import season_results
from bot.statistics.types import CountedHand, Period, PeriodKind, RankingOrder, RankingQuery, Scope
from bot.store.statistics import answers
from bot.store.statistics.achievements import earned
from bot.store.statistics.keeper import connect_to_statistics, create_file
from bot.store.statistics.write import HandWriter, write_luck
from bot.variants import CATALOGUE
from cogs.presses import finding
from cogs.support.services import Services
from tests.engine.test_all_games_machine import UncheckedMachine, seen_by
from tests.render.sample_hands import EMOJIS
from tests.runtime.test_replays import ADDRESS, BEGAN, FIRST_USER, GAMES
from tests.statistics.all_in_hands import rough_hand
from tests.statistics.recount import AT, GUILD, TABLE, counted, journal_of
from tests.support.random_hands import PlainHand

DEFAULT_HANDS, FULL_HANDS = 150, 5_000
SLICES = 5
SERVICES = cast(Services, SimpleNamespace(emoji_decks=SimpleNamespace(four_colour=EMOJIS)))


def random_hands(first: int, count: int) -> Iterator[tuple[random.Random, UncheckedMachine]]:
    """Play random hands of all games: every other one as tables play them, the others with any options."""
    for seed in range(first, first + count):
        rng = random.Random(f"past {seed}")
        card = GAMES[seed % len(GAMES)]
        hand = PlainHand(rng, card) if seed // len(GAMES) % 2 else UncheckedMachine(rng, card)
        hand.play()
        yield rng, hand


def readers_of(rng: random.Random, hand: UncheckedMachine) -> list[int | None]:
    """Return everybody, that is somebody without a seat, and one of the players."""
    return [None, rng.randrange(hand.hand.seat_count)]


def with_other_hidden_cards(
    events: Sequence[e.HandEvent], deck: tuple[int, ...], reader: int | None
) -> tuple[int, ...]:
    """Return a deck in which every card that a reader could never see is another one."""
    started = events[0]
    assert isinstance(started, e.HandStarted)
    now = begin_hand(started, deck)
    size, where, known = len(deck), dict[int, int](), set[int]()
    for event in events[1:]:
        if isinstance(event, e.Reshuffled):
            where |= {len(now.deck) + at: where.get(index, index) for at, index in enumerate(event.card_indices)}
        now = evolve(now, event)
        known.update(seen_by(now, reader), now.shown_indices, lot_card_indices(now))
    hidden = sorted(set(range(size)) - {where.get(index, index) for index in known})
    cards = [deck[index] for index in hidden]
    random.Random(len(hidden)).shuffle(cards)
    twin = list(deck)
    for index, card in zip(hidden, cards, strict=True):
        twin[index] = card
    return tuple(twin)


def told(hand: UncheckedMachine, deck: tuple[int, ...], reader: int | None) -> dict[str, bytes]:
    """Return what a reader is told of a hand in words, if this was its deck."""
    events = tuple(hand.events)
    players = tuple((FIRST_USER + seat, f"Player {seat}") for seat in range(hand.hand.seat_count))
    steps = HandReplay(DecodedHand(events, deck, BEGAN, players, None), ADDRESS)
    user = EVERYBODY if reader is None else FIRST_USER + reader
    seat = None if reader is None else SeatIndex(reader)
    streets, end = _street_views(begin_hand(hand.started, deck), events[1:], seat)
    public = scene(hand, view(end, None))
    found = {
        "found hand": finding._line_of(SERVICES, steps, user),
        "in words": [payload(hand_log_panel(scene(hand, view(end, seat)), streets, page)) for page in (1, 2)],
        "result": payload(result.result_panel(public)),
        "what is left": payload(result.shrunk_panel(public.table_id, (result.hand_line(public),))),
    }
    return {what: msgspec.json.encode(one).replace(b", splitting openers", b"") for what, one in found.items()}


def scene(hand: UncheckedMachine, seen: HandView) -> Scene:
    numbers = hand.started.seat_numbers
    players = {number: NamedPlayer(FIRST_USER + seat, f"Player {seat}") for seat, number in enumerate(numbers)}
    return Scene(3, 1, 12, seen, players, emojis=EMOJIS)


def check_words(first: int, count: int) -> int:
    """Check what is told of random hands in words. Returns how many hands had hidden cards that are others now."""
    checked = 0
    for rng, hand in random_hands(first, count):
        for reader in readers_of(rng, hand):
            twin = with_other_hidden_cards(hand.events, hand.deck, reader)
            seen, again = told(hand, hand.deck, reader), told(hand, twin, reader)
            for what, text in seen.items():
                assert again[what] == text, (hand.started.rule_card.key, what, reader)
            checked += twin != hand.deck
    return checked


@pytest.mark.law("TL-22", "TL-37")
@pytest.mark.parametrize("slice_number", range(SLICES))
def test_words_about_past_hands_tell_no_hidden_card(slice_number: int) -> None:
    count = DEFAULT_HANDS // SLICES
    assert check_words(slice_number * count, count) > count


@pytest.mark.full
@pytest.mark.parametrize("slice_number", range(50))
def test_words_about_5000_past_hands_tell_no_hidden_card(slice_number: int) -> None:
    count = FULL_HANDS // 50
    assert check_words(1_000 + slice_number * count, count) > count


@pytest.mark.parametrize(
    ("what", "place", "name"),
    [
        ("found hand", finding, "hand_in_a_line"),
        ("in words", hand_log_module, "outcome_lines"),
        ("result", result, "headline"),
        ("what is left", result, "_outcome"),
    ],
)
def test_a_card_in_words_would_be_noticed(what: str, place: Any, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Planted: each of them names the first card of the deck, which somebody was dealt."""
    rng = random.Random(1)
    hand = PlainHand(rng, GAMES[0], shallow=False)
    hand.play()
    twin = with_other_hidden_cards(hand.events, hand.deck, None)
    place_of_card = next(at for at, card in enumerate(twin) if card != hand.deck[at])
    assert told(hand, twin, None) == told(hand, hand.deck, None)
    real = getattr(place, name)

    def seen(deck: tuple[int, ...]) -> bytes:
        def names_a_card(scene: Scene) -> Any:
            found, card = real(scene), card_symbol(deck[place_of_card])
            return [*found, card] if isinstance(found, list) else f"{found} {card}"

        with monkeypatch.context() as planted:
            planted.setattr(place, name, names_a_card)
            return told(hand, deck, None)[what]

    assert seen(twin) != seen(hand.deck)


# numbers


class Evening:
    """Hands with their numbers, as a statistics file keeps them."""

    def __init__(self) -> None:
        self._hands: list[CountedHand] = []
        self._luck: list[tuple[int, AllInLuck]] = []

    def add(self, events: Sequence[e.HandEvent], deck: tuple[int, ...], number: int) -> AllInHand | None:
        """Count a hand, as if this was its deck. Returns what its luck is told from."""
        end = replay(events, deck)
        self._hands.append(counted(journal_of(events, end, number=number, at=AT + 60_000 * number)))
        return all_in_hand(events, deck, seed_of(TABLE, number))

    def add_luck(self, number: int, told: AllInLuck | None) -> None:
        if told is not None:
            self._luck.append((number, told))

    def everything(self) -> list[object]:
        """Return every answer there is about the people of the evening, in a server with one season."""
        with closing(connect_to_statistics(Path(":memory:"))) as db:
            create_file(db)
            db.execute("INSERT INTO server (id, guild) VALUES (1, ?)", (GUILD,))
            db.execute(
                "INSERT INTO counted_table (id, server, number, chips, opened_at, position) VALUES (?, 1, 1, 0, 0, 1)",
                (TABLE,),
            )
            db.execute("INSERT INTO counted_season VALUES (1, 1, 0, ?)", (1 << 42,))
            HandWriter(db, season_at).add(self._hands)
            for number, told in self._luck:
                by_seat = dict(zip(told.seats, told.luck, strict=True))
                write_luck(db, TABLE, number, by_seat, season_at, is_estimate=told.is_estimate)
            users = sorted({seat.user for hand in self._hands for seat in hand.players})
            found: list[object] = [answers.player(db, GUILD, user, scope) for user in users for scope in SCOPES]
            found += [answers.versus(db, GUILD, user, users[0], Scope()) for user in users[1:]]
            found += [answers.curve(db, GUILD, user, Scope(), 200) for user in users]
            found += [answers.ranking(db, RankingQuery(GUILD, SCOPES[1], order)) for order in RankingOrder]
            found += [answers.session(db, TABLE, user, 0, 1 << 42) for user in users]
            found += [earned(db, GUILD, user) for user in users]
            ranked = answers.ranking(db, RankingQuery(GUILD, SCOPES[1], limit=100))
            return [*found, season_results(ranked.lines, RankingOrder.NET, 1)]


SCOPES = (Scope(), Scope(Period(PeriodKind.SEASON, 1)), Scope(Period(PeriodKind.WEEK, week_of(AT))))


def season_at(_guild: int, _at: int) -> int:
    return 1


def hands_to_count(first: int, count: int) -> Iterator[tuple[tuple[e.HandEvent, ...], tuple[int, ...]]]:
    """Play random hands of all games, half of them rough: everybody who does not fold is soon all-in."""
    rough = count // 2
    for _, hand in random_hands(first, count - rough):
        yield tuple(hand.events), hand.deck
    for seed in range(first, first + rough):
        rng = random.Random(f"rough {seed}")
        card = CATALOGUE[seed % len(CATALOGUE)]
        players = rng.randint(max(2, card.seats_min), min(6, card.seats_max))
        yield rough_hand(rng, card, players, calm_rounds=rng.choice((0, 0, 1)), folds=0.4)


def check_numbers(first: int, count: int) -> tuple[int, int]:
    """Check the numbers of random hands. Returns how many of them have hidden cards, and how many luck is told of."""
    real, other = Evening(), Evening()
    exchanged = lucky = 0
    for number, (events, deck) in enumerate(hands_to_count(first, count), start=1):
        started = events[0]
        assert isinstance(started, e.HandStarted)
        twin = with_other_hidden_cards(events, deck, None)
        seen, again = real.add(events, deck, number), other.add(events, twin, number)
        assert seen == again, (started.rule_card.key, "luck")
        told_luck = all_in_luck(seen) if seen is not None else None
        real.add_luck(number, told_luck)
        other.add_luck(number, told_luck if seen == again or again is None else all_in_luck(again))
        best_hands_lie_open(events, deck, real._hands[-1])
        exchanged += twin != deck
        lucky += told_luck is not None
    assert real.everything() == other.everything()
    return exchanged, lucky


def best_hands_lie_open(events: Sequence[e.HandEvent], deck: tuple[int, ...], hand: CountedHand) -> None:
    """Check that a hand that becomes somebody's best one was shown: what it is worth stands in the journal, whoever has seen it."""
    end = replay(events, deck)
    for seat, player in enumerate(hand.players):
        assert not player.value or end.shown_seats >> seat & 1, (hand.game, seat)


@pytest.fixture
def few_boards(monkeypatch: pytest.MonkeyPatch) -> None:
    """Luck is told from few boards, soon."""
    monkeypatch.setattr(luck, "DRAWN_BOARDS", 8)
    monkeypatch.setattr(luck, "MAX_EXACT", 50)


@pytest.mark.law("TL-22", "TL-37")
@pytest.mark.parametrize("slice_number", range(SLICES))
def test_numbers_tell_no_hidden_card(slice_number: int, few_boards: None) -> None:
    count = DEFAULT_HANDS // SLICES
    exchanged, lucky = check_numbers(slice_number * count, count)
    assert exchanged > count // 2 and lucky


def test_a_card_in_numbers_would_be_noticed(few_boards: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Planted: boards are drawn from the last card of the deck, and a hand that nobody has seen is somebody's best one."""
    real = all_in_hand

    def from_the_deck(events: Sequence[e.HandEvent], deck: tuple[int, ...], _: bytes) -> AllInHand | None:
        return real(events, deck, bytes(deck[-1:]))

    with monkeypatch.context() as planted, pytest.raises(AssertionError, match="luck"):
        planted.setattr(f"{__name__}.all_in_hand", from_the_deck)
        check_numbers(0, 20)
    hand = next(hand for _, hand in random_hands(0, 50) if hand.hand.over and not hand.hand.shown_seats)
    best = counted(journal_of(hand.events, hand.hand))
    worth = tuple(replace_fields(player, value=7) for player in best.players)
    with pytest.raises(AssertionError):
        best_hands_lie_open(hand.events, hand.deck, replace_fields(best, players=worth))


@pytest.mark.full
@pytest.mark.parametrize("slice_number", range(50))
def test_numbers_of_5000_hands_tell_no_hidden_card(slice_number: int, few_boards: None) -> None:
    count = FULL_HANDS // 50
    exchanged, lucky = check_numbers(1_000 + slice_number * count, count)
    assert exchanged > count // 2 and lucky

"""Hands in PokerStars' form: an independent reader and PokerKit's own read them, and find the chips, cards and actions of the hand."""

import datetime as dt
import random
import re
import warnings
from collections.abc import Iterator

import pokerkit as pk
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pokerkit.notation import PokerStarsParser

from bot.engine import events as e
from bot.engine.cards import card_text
from bot.engine.evolve import begin_hand, evolve
from bot.engine.showdown.settle import lot_card_indices
from bot.engine.view.redact import ALL_KNOWING, PUBLIC, HistoryViewer
from bot.history.lines import history_lines
from bot.history.player_names import MAX_NAME_LENGTH, names_in_grammar
from bot.history.pokerstars import (
    POKERSTARS_GAMES,
    HandOrigin,
    Layout,
    NotInPokerStarsForm,
    PokerStarsGap,
    eastern_time,
    to_pokerstars,
)
from bot.history.record import to_phh
from bot.text.hand_history import hand_as_text
from bot.variants import CATALOGUE, game
from tests.support.pokerstars_reader import ReadHand, read_hand
from tests.support.random_hands import PlainHand, random_hands
from tests.support.told import Told, deal

ORIGIN = HandOrigin(7_000_012, "Cardroom 7", 9, 1_795_420_000_000)
NAMES = ("Ann", "Bo", "Cy", "Dee", "Ed", "Fay", "Gus", "Hal", "Ida", "Jo")
BY_LAYOUT = {
    "hold'em": ("holdem", "pot_limit_holdem", "limit_holdem", "short_deck", "double_board_holdem"),
    "omaha": ("omaha", "limit_omaha", "omaha5", "omaha6", "courchevel"),
    "omaha hi-lo": ("omaha8", "limit_omaha8", "no_limit_omaha8", "big_o", "courchevel8"),
    "stud": ("stud", "razz"),
    "stud hi-lo": ("stud8",),
    "draw": tuple(key for key, one in POKERSTARS_GAMES.items() if one.layout is Layout.SINGLE_DRAW),
    "triple draw": ("triple_draw_27", "badugi"),
}


def written(hand: PlainHand | Told, viewer: HistoryViewer = PUBLIC, names: tuple[str, ...] = NAMES) -> str:
    deck = hand.deck if isinstance(hand, PlainHand) else hand.hand.deck
    return to_pokerstars(tuple(hand.events), deck, viewer, names, ORIGIN)


def actions_of(hand: PlainHand) -> list[tuple[str, str, int]]:
    """What the players did, by the hand's own events, as a tracker would list it."""
    found: list[tuple[str, str, int]] = []
    opening = False
    for event in hand.events:
        match event:
            case e.BettingRoundOpened():
                opening = event.opening_duty is not event.opening_duty.FREE
            case e.Folded(seat):
                found.append((NAMES[seat], "folds", 0))
            case e.Checked(seat):
                found.append((NAMES[seat], "checks", 0))
            case e.Called(seat, chips):
                found.append((NAMES[seat], "calls", chips))
            case e.BetTo(seat, to):
                brings = opening and to <= hand.hand.rules.amounts.bring_in
                found.append((NAMES[seat], "brings in for" if brings else "bets", to))
                opening = False
            case e.RaisedTo(seat, to):
                found.append((NAMES[seat], "raises", to))
            case _:
                pass
    return found


def test_every_game_of_the_form_belongs_to_a_family() -> None:
    assert sorted(key for keys in BY_LAYOUT.values() for key in keys) == sorted(POKERSTARS_GAMES)


@pytest.mark.parametrize("family", BY_LAYOUT)
def test_an_independent_reader_finds_the_same_hand(family: str) -> None:
    """Counted by family, as the reader's grammar differs: seats, chips, actions, draws, boards, pots and shown cards."""
    check_family(family, 60)


@pytest.mark.full
@pytest.mark.parametrize("family", BY_LAYOUT)
def test_an_independent_reader_finds_the_same_ten_thousand_hands(family: str) -> None:
    check_family(family, 1_500, seed=1)


def check_family(family: str, count: int, seed: int = 0) -> None:
    cards = [game(key) for key in BY_LAYOUT[family]]
    for number, hand in enumerate(random_hands(cards, count, seed)):
        viewer: HistoryViewer = (PUBLIC, number % hand.hand.seat_count, ALL_KNOWING)[number % 3]
        text = written(hand, viewer)
        read = read_hand(text)
        same_hand(hand, read, viewer)


def same_hand(hand: PlainHand, read: ReadHand, viewer: HistoryViewer) -> None:
    started, end = hand.started, hand.hand
    of_seat = dict(enumerate(NAMES[: end.seat_count]))
    assert read.seats == {of_seat[at]: number for at, number in enumerate(started.seat_numbers)}
    assert read.stacks == {of_seat[at]: chips for at, chips in enumerate(started.stacks)}
    assert read.final_stacks == {of_seat[at]: chips for at, chips in enumerate(end.stacks)}
    assert read.actions == actions_of(hand)
    assert read.draws == [
        (of_seat[event.seat], len(event.discards)) for event in hand.events if isinstance(event, e.Drew)
    ]
    layers = end.put_in and sum(read.pots)
    assert layers == sum(paid.chips for paid in end.payments)
    assert read.boards == [cards for board in range(len(end.board_indices)) if (cards := texts(end.board_cards(board)))]
    for name, cards in read.shown.items():
        seat = NAMES.index(name)
        assert set(cards.split()) <= set(texts(end.held_cards(seat)))
        assert end.shown_count(seat) or end.up_indices[seat]
    hole = {of_seat[at] for at in range(end.seat_count)} if viewer is ALL_KNOWING else {of_seat.get(viewer, "")}
    if POKERSTARS_GAMES[started.rule_card.key].layout is not Layout.STUD:
        assert set(read.dealt) == hole - {""}


def texts(cards: tuple[int, ...]) -> list[str]:
    return [card_text(card) for card in cards]


def test_a_hand_reads_as_players_know_it() -> None:
    hand = deal(
        "no-limit hold'em 50/100", button="Cy", stacks={"Ann": 2000, "Bo": 3000, "Cy": 3000},
        cards={"Ann": "As Ad", "Bo": "Kh Qh", "Cy": "2c 7d"}, board="Jh Th 2s 3d 9h",
    )  # fmt: skip
    hand.play(
        "Cy folds", "Ann raises to 300", "Bo calls 200", "Ann bets 400", "Bo calls", "Ann checks", "Bo checks",
        "Ann checks", "Bo bets 500", "Ann calls",
    )  # fmt: skip
    numbers = hand.hand.started.seat_numbers
    ann, bo, cy = (f"Seat {number}" for number in numbers)
    seats = sorted([f"{ann}: Ann (2000 in chips)", f"{bo}: Bo (3000 in chips)", f"{cy}: Cy (3000 in chips)"])
    outcomes = sorted([
        f"{ann}: Ann (small blind) mucked [As Ad]",
        f"{bo}: Bo (big blind) showed [Kh Qh] and won (2400) with a straight flush, Nine to King",
        f"{cy}: Cy (button) folded before Flop (didn't bet)",
    ])  # fmt: skip
    assert written(hand, 0).splitlines() == [
        "PokerStars Hand #7000012:  Hold'em No Limit (50/100) - 2026/11/23 07:46:40 UTC [2026/11/23 02:46:40 ET]",
        f"Table 'Cardroom 7' 9-max (Play Money) Seat #{numbers[2]} is the button",
        *seats,
        "Ann: posts small blind 50",
        "Bo: posts big blind 100",
        "*** HOLE CARDS ***",
        "Dealt to Ann [As Ad]",
        "Cy: folds",
        "Ann: raises 200 to 300",
        "Bo: calls 200",
        "*** FLOP *** [Jh Th 2s]",
        "Ann: bets 400",
        "Bo: calls 400",
        "*** TURN *** [Jh Th 2s] [3d]",
        "Ann: checks",
        "Bo: checks",
        "*** RIVER *** [Jh Th 2s 3d] [9h]",
        "Ann: checks",
        "Bo: bets 500",
        "Ann: calls 500",
        "*** SHOW DOWN ***",
        "Bo: shows [Kh Qh] (a straight flush, Nine to King)",
        "Ann: mucks hand",
        "Bo collected 2400 from pot",
        "*** SUMMARY ***",
        "Total pot 2400 | Rake 0",
        "Board [Jh Th 2s 3d 9h]",
        *outcomes,
    ]
    assert "As" not in written(hand)


def test_games_that_pokerstars_never_had_are_refused() -> None:
    for card in CATALOGUE:
        hand = PlainHand(random.Random(1), card)
        hand.play()
        if card.key in POKERSTARS_GAMES:
            assert written(hand).startswith("PokerStars Hand #")
        else:
            with pytest.raises(NotInPokerStarsForm) as refused:
                written(hand)
            assert refused.value.gap is PokerStarsGap.GAME


# PokerKit's own parser: no-limit hold'em, without what its grammar leaves out (antes, dead posts, straddles, two boards)


def parsed_by_pokerkit(text: str) -> pk.HandHistory:
    (found,) = PokerStarsParser()(text, error_status=True)
    return found


@pytest.mark.filterwarnings("ignore:The field", "ignore:There is no reason")
def test_pokerkits_parser_reads_no_limit_holdem_to_the_same_stacks() -> None:
    read = skipped = 0
    for hand in random_hands([game("holdem")], 80, 3, odd=False):
        if not readable_by_pokerkit(hand):
            skipped += 1
            continue
        history = parsed_by_pokerkit(written(hand, ALL_KNOWING))
        players = [NAMES.index(name) for name in history.players or ()]
        assert [hand.started.stacks[seat] for seat in players] == list(history.starting_stacks)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            *_, state = history
        put_in = [hand.started.stacks[seat] - left for seat, left in zip(players, state.starting_stacks, strict=True)]
        assert not any(put_in)
        if not hand.hand.showdown or len(hand.hand.payments) == 1:
            assert [hand.hand.stacks[seat] for seat in players] == list(state.stacks)
        read += 1
    assert read > 40, f"{read} read, {skipped} left out"


def readable_by_pokerkit(hand: PlainHand) -> bool:
    """A known fault of PokerKit's apart: a blind posted short lowers the bet to call."""
    return min(hand.started.stacks) >= 100


# names


HOSTILE = (
    "Seat 3: x (500 in chips)", "a\nb: folds", "Ann", "Ann", "ann", "\u202eevil\u202c", "x collected 500 from pot", "*** FLOP ***",
    "[As Kd]", "", "   ", "🂡🂱", "Dealer", "Big Blind", "posts the ante 5", "Uncalled bet (5) returned to Ann", "a" * 500,
    "#7 is the button", "Bo sits out", "Zoë Ångström", "名前", "O'Hara", "$5.00", "..", "-", "Hand cancelled", "Player 3",
)  # fmt: skip


@given(st.lists(st.one_of(st.text(max_size=60), st.sampled_from(HOSTILE)), min_size=2, max_size=10))
def test_no_name_breaks_the_grammar(names: list[str]) -> None:
    hand = PlainHand(random.Random(len(names)), game("holdem"))
    hand.play()
    plain = names_in_grammar(names, hand.started.seat_numbers)
    assert len({name.casefold() for name in plain}) == len(plain)
    assert all(0 < len(name) <= MAX_NAME_LENGTH + 4 for name in plain)
    text = to_pokerstars(tuple(hand.events), hand.deck, ALL_KNOWING, names, ORIGIN)
    read = read_hand(text)
    assert set(read.seats) == set(plain)
    assert read.final_stacks == dict(zip(plain, hand.hand.stacks, strict=True))


def test_plain_names_stay_as_they_are() -> None:
    assert names_in_grammar(["Ann", "Ann Smith", "Zoë", "x-y_z.1", "the Dealer", "dealer", "ann"], range(1, 8)) == (
        "Ann", "Ann Smith", "Zoë", "x-y_z.1", "the_Dealer", "dealer_", "ann_2",
    )  # fmt: skip


# what nobody may know


@pytest.mark.law("TL-22", "TL-37")
def test_exchanging_hidden_cards_changes_no_letter() -> None:
    check_leaks(2 * len(CATALOGUE), 5)


@pytest.mark.full
def test_exchanging_hidden_cards_changes_no_letter_of_5000_hands() -> None:
    check_leaks(5_000, 6)


def check_leaks(count: int, seed: int) -> None:
    """In every game, for every viewer, all three files stay the same to the letter."""
    for hand in random_hands(CATALOGUE, count, seed):
        for viewer in (PUBLIC, *range(hand.hand.seat_count)):
            twin = with_hidden_cards_exchanged(hand, viewer)
            for write in (pokerstars_text, to_phh, plain_text):
                assert write(tuple(hand.events), twin, viewer) == write(tuple(hand.events), hand.deck, viewer), viewer


def pokerstars_text(events: tuple[e.HandEvent, ...], deck: tuple[int, ...], viewer: HistoryViewer) -> str:
    try:
        return to_pokerstars(events, deck, viewer, NAMES, ORIGIN)
    except NotInPokerStarsForm as error:
        return str(error)


def plain_text(events: tuple[e.HandEvent, ...], deck: tuple[int, ...], viewer: HistoryViewer) -> str:
    """The plain text, without the note that an opener splits openers: VC-20 has them announce it."""
    return hand_as_text(history_lines(events, deck, viewer)).replace(", splitting openers", "")


def with_hidden_cards_exchanged(hand: PlainHand, viewer: HistoryViewer) -> tuple[int, ...]:
    """Shuffle all cards that lay open to nobody but others than the viewer."""
    hidden = sorted(set(range(len(hand.deck))) - set(open_indices(hand, viewer)))
    cards = [hand.deck[index] for index in hidden]
    random.Random(len(hidden)).shuffle(cards)
    twin = list(hand.deck)
    for index, card in zip(hidden, cards, strict=True):
        twin[index] = card
    return tuple(twin)


def open_indices(hand: PlainHand, viewer: HistoryViewer) -> Iterator[int]:
    now = begin_hand(hand.started, hand.deck)
    size = len(hand.deck)
    where = {}
    for event in hand.events[1:]:
        if isinstance(event, e.Reshuffled):
            where |= {len(now.deck) + at: where.get(index, index) for at, index in enumerate(event.card_indices)}
        now = evolve(now, event)
        seen = [index for cards in (*now.up_indices, *now.board_indices) for index in cards]
        seen += now.shown_indices
        seen += now.proven_opener_indices
        seen += lot_card_indices(now)
        for seat, cards in enumerate(now.down_indices):
            if seat == viewer or now.shown_seats >> seat & 1:
                seen += cards
        yield from (index if index < size else where[index] for index in seen)


@pytest.mark.parametrize(
    ("utc", "eastern"),
    [
        ("2026-03-08 06:59:59", "01:59:59"),
        ("2026-03-08 07:00:00", "03:00:00"),
        ("2026-11-01 05:59:59", "01:59:59"),
        ("2026-11-01 06:00:00", "01:00:00"),
        ("2027-03-14 07:00:00", "03:00:00"),
        ("2027-11-07 06:00:00", "01:00:00"),
    ],
)
def test_clocks_on_the_east_coast_change_twice_a_year(utc: str, eastern: str) -> None:
    at = dt.datetime.fromisoformat(f"{utc}+00:00")
    assert f"{eastern_time(at):%H:%M:%S}" == eastern


def test_only_the_reader_is_dealt_to() -> None:
    for hand in random_hands([game("holdem"), game("badugi"), game("stud")], 60, 9):
        for viewer in range(hand.hand.seat_count):
            down = [
                name
                for name, cards in re.findall(r"^Dealt to ([^][]+) \[([^][]+)\]$", written(hand, viewer), re.MULTILINE)
                if hand.started.rule_card.key != "stud" or len(cards.split()) == 3
            ]
            assert set(down) <= {NAMES[viewer]}

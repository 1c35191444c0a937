"""Where things lie on a picture of the table: everything on the canvas, and nothing over anything else that is read."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import pytest
from msgspec.structs import replace

from bot.pictures.geometry import CANVAS_BOXES, SEAT_COUNTS, Box, seating
from bot.pictures.items import FRAME, NARROW_FACE, Item, Kind
from bot.pictures.layout import lay_out
from bot.pictures.text import ELLIPSIS
from bot.pictures.types import Canvas, CardMark, PictureCard, PictureSeat, TablePicture
from tests.pictures.states import STATES, all_in, backs, board, cards, folded, seat, table, won

OPEN = "As Kd Qc Jh 10s 9d 8c 7h"
MIDDLES: dict[str, dict[str, object]] = {
    "no board": {"heading": "DRAW 1 OF 3"},
    "no board, two banners": {"banners": ("High  Full house, nines full of kings", "Low  7-5-4-2-A")},
    "board": {"boards": (board("As Kd Qc"),), "heading": "FLOP", "pots": "Main 9,450 · Side 4,100"},
    "board, banner": {
        "boards": (board("As Kd Qc Jh 9s", plays="AsKd"),),
        "banners": ("Full house, sevens full of aces",),
    },
    "board, two banners": {
        "boards": (board("As Kd Qc Jh 9s", plays="AsKd"),),
        "banners": ("High  Flush, king high", "Low  7-5-4-3-A"),
    },
    "two boards": {"boards": (board("As Kd Qc"), board("2s 2d 2c")), "heading": "FLOP"},
    "two boards, banners": {
        "boards": (board("As Kd Qc", "Pair of aces"), board("2s 2d 2c", "Three deuces")),
        "pots": "Main 9,450 · Side 4,100",
    },
    "three boards": {"boards": tuple(board("As Kd Qc Jh 9s", "Full house, kings full of nines") for _ in range(3))},
}


RUNNING: dict[str, dict[str, object]] = {
    "no board": {"heading": "DRAW 1 OF 3"},
    "no board, pots": {"heading": "SEVENTH STREET", "pots": "Main 9,450 · Side A 4,100 · Side B 12,000"},
    "board": {"boards": (board("As Kd Qc"),), "heading": "FLOP", "pots": "Main 9,450 · Side 4,100"},
    "two boards": {"boards": (board("As Kd", "Board 1"), board("2s 2d", "Board 2")), "heading": "FLOP", "pots": "Main 9,450 · Side 4,100"},
}  # fmt: skip
"""The middles of hands that are being played."""


def is_own(one: Item, other: Item) -> bool:
    """Tell whether two items belong to one seat."""
    return one.seat is not None and other.seat is not None and one.seat.number == other.seat.number


def can_touch(one: Item, other: Item) -> bool:
    """Tell whether one item can lie over the other: what stands on a seat's own plate or cards, and a row of its cards."""
    if not is_own(one, other):
        # The frame of a board's card that plays is wider than its gap.
        return False
    kinds = {one.kind, other.kind}
    on_plate = {Kind.NAME, Kind.CHIPS, Kind.AVATAR, Kind.BADGE, Kind.DEALER, Kind.CARD}
    if Kind.PLATE in kinds:
        return bool(kinds & on_plate)
    return kinds in (
        {Kind.CARD},
        {Kind.CARD, Kind.COUNT},
        {Kind.CARD, Kind.BADGE},
        {Kind.AVATAR, Kind.BADGE},
        {Kind.AVATAR, Kind.DEALER},
    )


def faults(picture: TablePicture) -> list[str]:
    """Tell what is wrong with the layout of a picture."""
    items = lay_out(picture)
    canvas = CANVAS_BOXES[picture.canvas]
    found = [
        f"{item.kind} {item.words} leaves the canvas: {item.box}" for item in items if not item.box.is_inside(canvas)
    ]
    for one, other in side_by_side(seen(items)):
        if one.box.overlaps(other.box) and not can_touch(one, other):
            found.append(
                f"{one.kind} {one.words} {tuple(one.box)} overlaps {other.kind} {other.words} {tuple(other.box)}"
            )
    plates = {item.seat.number: item.box for item in items if item.kind is Kind.PLATE and item.seat is not None}
    for number, row in rows(items).items():
        found += [f"seat {number}: {fault}" for fault in covered(row, plates[number])]
    return found


def side_by_side(items: list[Item]) -> Iterator[tuple[Item, Item]]:
    """Return each pair of items that reach over the same column."""
    from_left = sorted(items, key=lambda item: item.box.left)
    for at, one in enumerate(from_left):
        for other in from_left[at + 1 :]:
            if other.box.left >= one.box.right:
                break
            yield one, other


def seen(items: tuple[Item, ...]) -> list[Item]:
    """Return the items without what the plates of their own seats cover of the cards under them."""
    plates = {
        item.seat.number: (at, item.box)
        for at, item in enumerate(items)
        if item.kind is Kind.PLATE and item.seat is not None
    }
    found = []
    for at, item in enumerate(items):
        if item.kind is Kind.CARD and item.seat is not None and at < plates[item.seat.number][0]:
            box, plate = item.box, plates[item.seat.number][1]
            outside = box._replace(bottom=plate.top) if box.top < plate.top else box._replace(top=plate.bottom)
            found.append(item._replace(box=outside))
        else:
            found.append(item)
    return found


def rows(items: tuple[Item, ...]) -> dict[int, list[Item]]:
    """Return the open cards of the seats, with what lies over them."""
    found: dict[int, list[Item]] = {}
    for item in items:
        if item.kind is Kind.CARD and item.seat is not None and any(card.card is not None for card in item.seat.cards):
            found.setdefault(item.seat.number, []).append(item)
    return found


def covered(row: list[Item], plate: Box) -> list[str]:
    """Tell which cards of a row cannot be read: rank and suit must be seen."""
    found = []
    for card, following in zip(row, [*row[1:], None], strict=True):
        if card.card is None or card.card.card is None:
            continue
        right = following.box.left if following is not None else card.box.right
        if right - card.box.left < card.box.width * (0.5 if card.is_narrow else 0.99):
            found.append(f"a card shows {right - card.box.left} of {card.box.width} columns")
        bottom = min(card.box.bottom, plate.top) if plate.top > card.box.top else card.box.bottom
        face = NARROW_FACE if card.is_narrow and not card.card.is_wild else 0.95
        if bottom - card.box.top < card.box.height * face - 1:
            found.append(f"a card shows {bottom - card.box.top} of {card.box.height} rows")
    return found


@pytest.mark.parametrize("name", STATES)
def test_nothing_overlaps_or_leaves_the_canvas(name: str) -> None:
    assert faults(STATES[name]) == []


@pytest.mark.parametrize("middle", MIDDLES)
@pytest.mark.parametrize("count", SEAT_COUNTS)
def test_every_number_of_cards_finds_room_at_every_table(count: int, middle: str) -> None:
    """Open and hidden hands, with a note and a dealer button, at each seat."""
    most = 8 if not MIDDLES[middle].get("boards") else 6
    for held in range(1, most + 1):
        if held * count > 60:
            continue
        opened = cards(" ".join(OPEN.split()[:held]), plays="As")
        for dealer in (1, count // 2 + 1, count):
            shown = [
                replace(
                    seat(number, "+9,450", "Two pair, aces and kings", is_dealer=number == dealer, note="high"),
                    cards=opened,
                    won="+9,450" if number == 2 else "",
                )
                for number in range(1, count + 1)
            ]
            hidden = [
                seat(number, "9,450", hidden=held, is_dealer=number == dealer, bet="1,025", note="stood pat")
                for number in range(1, count + 1)
            ]
            for seats in (shown, hidden):
                assert faults(table(*seats, count=count, **MIDDLES[middle])) == [], (held, dealer)


@pytest.mark.parametrize("middle", RUNNING)
@pytest.mark.parametrize("count", SEAT_COUNTS)
def test_every_number_of_cards_finds_room_on_a_strip(count: int, middle: str) -> None:
    """Hidden hands with bet and note, and hands with hidden and open cards, at each seat."""
    most = 8 if not RUNNING[middle].get("boards") else 4
    for held in range(1, most + 1):
        if held * count > 60:
            continue
        line = ["x", "x", "As", "Kd", "Qc", "10s", "9d", "x"][:held]
        hidden_count = line.count("x")
        for dealer in (1, count // 2 + 1, count):
            shown = [
                seat(n, "12,450", shows=" ".join(line), hidden_count=hidden_count, note="", is_dealer=n == dealer)
                for n in range(1, count + 1)
            ]
            hidden = [
                seat(n, "ALL-IN", hidden=held, is_dealer=n == dealer, bet="1,025" if n < 3 else "", note="drew 2")
                for n in range(1, count + 1)
            ]
            for seats in (shown, hidden):
                assert faults(table(*seats, count=count, canvas=Canvas.STRIP, **RUNNING[middle])) == [], (held, dealer)


@pytest.mark.parametrize("canvas", Canvas)
@pytest.mark.parametrize("count", SEAT_COUNTS)
def test_plates_lie_on_the_canvas_and_apart(count: int, canvas: Canvas) -> None:
    boxes = seating(canvas, count).plates
    assert len(boxes) == count
    assert all(box.is_inside(CANVAS_BOXES[canvas]) for box in boxes)
    assert not any(one.overlaps(other) for one, other in combinations(boxes, 2))


@pytest.mark.parametrize("count", SEAT_COUNTS)
@pytest.mark.parametrize("middle", list(RUNNING))
def test_no_number_on_a_strip_is_cut(count: int, middle: str) -> None:
    """Also five wide figures beside the dealer button."""
    for dealer in range(1, count + 1):
        seats = [seat(number, "88,888", hidden=2, is_dealer=number == dealer) for number in range(1, count + 1)]
        items = lay_out(table(*seats, count=count, canvas=Canvas.STRIP, **RUNNING[middle]))
        assert {item.words for item in items if item.kind is Kind.CHIPS} == {"88,888"}, dealer


@pytest.mark.parametrize("count", SEAT_COUNTS)
def test_seats_of_a_strip_lie_in_table_order(count: int) -> None:
    """Clockwise from the lower edge: in the lower row from right to left, in the upper one from left to right."""
    upper = [at for at in seating(Canvas.STRIP, count).centres if at[1] < 240]
    first = seating(Canvas.STRIP, count).centres.index(upper[0])
    around = [*seating(Canvas.STRIP, count).centres[first:], *seating(Canvas.STRIP, count).centres[:first]]
    lower = around[len(upper) :]
    assert around[: len(upper)] == sorted(upper)
    assert lower == sorted(lower, reverse=True)
    assert len(upper) in {count // 2, (count + 1) // 2}


def test_open_cards_of_a_full_stud_table_are_large() -> None:
    """On a phone the picture is 290 pixels wide, where a rank of a narrow face is then nine pixels high."""
    for name in ("strip_stud_seventh_street", "strip_stud_five_cards_ten_seats"):
        heights = {item.box.height for item in lay_out(STATES[name]) if item.kind is Kind.CARD}
        assert min(heights) >= 92, name


def test_overlaps_and_hidden_cards_are_noticed() -> None:
    """The checks of this module see a plate over another one's cards, and a card that is covered too far."""
    row = [
        Item(Kind.CARD, Box(10 * n, 0, 10 * n + 60, 80), seat=seat(1), card=PictureCard(n), is_narrow=True)
        for n in range(2)
    ]
    assert len(covered(row, Box(0, 40, 270, 136))) == 3
    plate = Item(Kind.PLATE, Box(0, 0, 270, 96), seat=seat(2))
    assert not can_touch(row[0], plate)
    assert row[0].box.overlaps(plate.box)


@pytest.mark.parametrize("count", [1, 11])
def test_tables_of_other_sizes_are_refused(count: int) -> None:
    with pytest.raises(ValueError, match="2 to 10 seats"):
        lay_out(table(count=count))


def test_seat_number_above_the_table_is_refused() -> None:
    with pytest.raises(ValueError, match="higher than the number of seats"):
        lay_out(table(seat(7), count=6))


@pytest.mark.parametrize("name", STATES)
def test_only_names_are_cut(name: str) -> None:
    cut = [item.words for item in lay_out(STATES[name]) if item.words.endswith(ELLIPSIS) and item.kind is not Kind.NAME]
    assert cut == []


def test_long_line_of_pots_takes_two_lines() -> None:
    lines = [item.words for item in lay_out(STATES["four_side_pots"]) if item.kind is Kind.POTS]
    assert " · ".join(lines) == STATES["four_side_pots"].pots
    assert len(lines) == 2


def test_card_that_plays_is_raised() -> None:
    on_board = [
        item
        for item in lay_out(STATES["showdown_two_pots"])
        if item.kind is Kind.CARD and item.seat is None and item.card is not None
    ]
    plays = {item.box.top for item in on_board if item.card is not None and item.card.mark is CardMark.PLAYS}
    others = {item.box.top for item in on_board if item.card is not None and item.card.mark is not CardMark.PLAYS}
    assert max(plays) + FRAME <= min(others)


def test_hand_in_words_is_shortened_or_left_out() -> None:
    """A long name of a hand gives its first words where the whole has no room, and nothing where these have none."""
    drawn = {
        item.seat.number: item.words
        for item in lay_out(STATES["omaha_showdown_ten"])
        if item.kind is Kind.HAND and item.seat is not None
    }
    assert drawn[2] == "Two pair"
    assert 1 not in drawn


@pytest.mark.parametrize(
    "name", ["baseball_showdown", "draw_showdown", "badugi_showdown", "wild_cards", "high_low_stud"]
)
def test_winner_without_a_board_is_told_where_they_sit(name: str) -> None:
    """Chips in gold and the hand lie before the winner, whose cards are large and no smaller than another hand's."""
    items = lay_out(STATES[name])
    heights: dict[bool, list[int]] = {True: [], False: []}
    for item in items:
        if item.kind is Kind.CARD and item.seat is not None:
            heights[bool(item.seat.won)].append(item.box.height)
    assert min(heights[True]) >= 92
    assert max(heights[True]) >= max(heights[False], default=0)
    told = [(item.kind, item.words, item.seat.number) for item in items if item.seat is not None and item.seat.won]
    for one in STATES[name].seats:
        if one.won:
            assert {(Kind.WON, one.won, one.number), (Kind.CHIPS, one.chips, one.number)} <= set(told)
            assert [words for kind, words, at in told if kind is Kind.BANNER and at == one.number] == list(one.banners)
    assert not [item for item in items if item.kind is Kind.BANNER and item.seat is None]


def test_plate_tells_what_was_won_where_the_felt_is_full() -> None:
    words = {(item.kind, item.words) for item in lay_out(STATES["stud_all_open"])}
    assert {(Kind.CHIPS, "+18,400"), (Kind.BANNER, "Full house, sixes full of jacks")} <= words
    assert Kind.WON not in {kind for kind, _ in words}


@pytest.mark.parametrize("held", [5, 6, 7, 8])
@pytest.mark.parametrize("count", SEAT_COUNTS)
def test_two_hands_without_a_board_are_large_at_every_table(count: int, held: int) -> None:
    """Wherever the two sit, each of five to eight cards can be read, as far as there are cards for so many seats."""
    if (held == 8 and count > 6) or (held == 7 and count > 8):
        return
    for winner in range(1, count + 1):
        other = winner % count + 1
        seats = (
            won(winner, "+9,450", hand="Full house, aces full of kings", shows=" ".join(OPEN.split()[:held]), plays="AsKdQc",
                banners=("Full house, aces full of kings",)),
            seat(other, "6,150", "Two pair, aces and sevens", shows=" ".join(OPEN.split()[:held]), plays="2c"),
            *(folded(number) for number in range(1, count + 1) if number not in (winner, other)),
        )  # fmt: skip
        picture = table(
            *sorted(seats, key=lambda one: one.number), count=count, banners=("Full house, aces full of kings",)
        )
        assert faults(picture) == [], winner
        assert min(item.box.height for item in lay_out(picture) if item.kind is Kind.CARD) >= 80, winner


def test_pot_moves_to_the_middle_without_a_board() -> None:
    def pot(picture: TablePicture) -> int:
        return next(item.box.centre[1] for item in lay_out(picture) if item.kind is Kind.POT_CHIPS)

    with_board = table(seat(1), boards=(board(),))
    assert pot(with_board) == 250
    assert pot(table(seat(1))) > 330


def test_folded_seats_and_backs_keep_their_words() -> None:
    """Every seat has its name, its number and its line of chips; a bet and a note appear as they were given."""
    picture = table(
        folded(1), seat(2, hidden=5, note="drew 2"), all_in(3, bet="50"), won(4, "+900", shows="As Ah"), count=6
    )
    words = {(item.kind, item.words) for item in lay_out(picture)}
    assert {
        (Kind.NAME, "Mia"),
        (Kind.CHIPS, "fold"),
        (Kind.PILL, "drew 2"),
        (Kind.PILL, "50"),
        (Kind.CHIPS, "+900"),
        (Kind.BADGE, "4"),
    } <= words


def test_backs_look_out_from_under_the_plate() -> None:
    [plate] = [
        item.box for item in lay_out(table(replace(seat(1), cards=backs(2)), count=2)) if item.kind is Kind.PLATE
    ]
    hidden = [
        item.box
        for item in lay_out(table(PictureSeat(1, "Mia", "5", cards=backs(2)), count=2))
        if item.kind is Kind.CARD
    ]
    assert len(hidden) == 2
    assert all(box.top < plate.top < box.bottom for box in hidden)


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        ("Two pair, aces and queens, jack kicker", "Two pair, aces and queens"),
        ("Full house, kings full of nines", "Full house, kings full of nines"),
    ],
)
def test_banner_of_a_board_loses_the_kicker_before_letters(words: str, shown: str) -> None:
    two = replace(STATES["two_boards_showdown"], boards=(board("Ah Kd 9c 9d 5s", words), board("2s 2d Jh Kc 9h", "")))
    assert [item.words for item in lay_out(two) if item.kind is Kind.BANNER] == [shown]

"""Every picture is drawn as somebody has seen and approved it, and one wrong card, number or name in it is noticed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from io import BytesIO
from typing import Any

import pytest
from msgspec.structs import replace
from PIL import Image, ImageFilter

from bot.engine.cards import ACE, DIAMONDS, HEARTS, JOKER
from bot.pictures.draw import LARGEST_BYTES, draw, drawn
from bot.pictures.items import Kind
from bot.pictures.layout import lay_out
from bot.pictures.types import (
    BarsPicture,
    CardMark,
    CurvePicture,
    HandPicture,
    LinesPicture,
    OwnPicture,
    PictureCard,
    PodiumPicture,
    RankingPicture,
    RankingRow,
    RankingSection,
    SeatState,
    TablePicture,
)
from bot.table.picture_colours import Deck
from tests.pictures.answers import ANSWERS, BARS, CURVES, HANDS, LINES, PODIUMS, RANKINGS
from tests.pictures.golden_pictures import GOLDEN, PICTURES, TOLERANCE, golden_file, look_apart, opened, seen
from tests.pictures.perceptual import Seen, difference
from tests.pictures.states import STATES

LARGEST_FOLDER = 3_800_000
"""Half a megabyte of it are strips, and large hands; a third of one are odds and avatars."""

FAMILIES = (
    "showdown_two_pots", "showdown_light", "omaha_showdown_ten", "stud_all_open", "stud_seventh_street", "draw_showdown", "high_low",
    "two_boards_showdown", "anaconda_roll_out", "wild_cards",
)  # fmt: skip
"""A picture of each family of games, and of both themes."""

DRAWN_TWICE = frozenset((*FAMILIES, *ANSWERS))


@lru_cache(maxsize=4)
def looks(picture: OwnPicture) -> Seen:
    """Return a picture as people see it. Right pictures are compared with one wrong one after another."""
    return seen(drawn(picture))


Pairs = Iterator[tuple[TablePicture, TablePicture]]
"""A picture as it should be, and with an error."""


@pytest.mark.parametrize("name", PICTURES)
def test_picture_looks_as_it_was_approved(name: str) -> None:
    """If it should look different now: `python -m tests.pictures.golden_pictures`, and look at the sheet.

    Drawn again, it has the same bytes, and it is no larger than it should be.
    """
    assert golden_file(name).exists(), "nobody has looked at it yet"
    file = draw(PICTURES[name])
    assert look_apart(golden_file(name).read_bytes(), opened(file)) <= TOLERANCE
    assert len(file) <= LARGEST_BYTES
    if name in DRAWN_TWICE:
        assert draw(PICTURES[name]) == file


def test_golden_pictures_stay_small_and_are_all_used() -> None:
    files = list(GOLDEN.iterdir())
    assert {file.name for file in files} == {golden_file(name).name for name in PICTURES}
    assert len(files) >= 40
    assert sum(file.stat().st_size for file in files) <= LARGEST_FOLDER


# planted errors


def with_seat(picture: TablePicture, at: int, **changed: Any) -> TablePicture:
    seat = replace(picture.seats[at], **changed)
    return replace(picture, seats=(*picture.seats[:at], seat, *picture.seats[at + 1 :]))


def with_card(picture: TablePicture, where: tuple[int, int], **changed: Any) -> TablePicture:
    """Change one card before a seat."""
    at, number = where
    held = picture.seats[at].cards
    card = replace(held[number], **changed)
    return with_seat(picture, at, cards=(*held[:number], card, *held[number + 1 :]))


def with_last_of_board(picture: TablePicture, at: int, **changed: Any) -> TablePicture:
    board = picture.boards[at]
    board = replace(board, cards=(*board.cards[:-1], replace(board.cards[-1], **changed)))
    return replace(picture, boards=(*picture.boards[:at], board, *picture.boards[at + 1 :]))


def open_cards(picture: TablePicture) -> list[tuple[int, int]]:
    """Return where the first and the last open card of a picture lie: the seat and the card."""
    found = [
        (at, number)
        for at, seat in enumerate(picture.seats)
        for number, card in enumerate(seat.cards)
        if card.card is not None
    ]
    return [found[0], found[-1]]


def at_card(picture: TablePicture, where: tuple[int, int]) -> PictureCard:
    return picture.seats[where[0]].cards[where[1]]


def wrong_suit(picture: TablePicture) -> Pairs:
    for where in open_cards(picture):
        yield picture, with_card(picture, where, card=(at_card(picture, where).card or 0) ^ 1)
    for at, board in enumerate(picture.boards):
        if board.cards:
            yield picture, with_last_of_board(picture, at, card=(board.cards[-1].card or 0) ^ 1)


def heart_for_diamond_in_two_colours(picture: TablePicture) -> Pairs:
    """Both are red: only the outline tells them apart."""
    picture = replace(picture, look=replace(picture.look, deck=Deck.TWO_COLOURS))
    for where in open_cards(picture):
        rank = 4 * (min(at_card(picture, where).card or 0, 4 * ACE) >> 2)
        yield with_card(picture, where, card=rank + DIAMONDS), with_card(picture, where, card=rank + HEARTS)
    for at, board in enumerate(picture.boards):
        if board.cards:
            yield with_last_of_board(picture, at, card=DIAMONDS), with_last_of_board(picture, at, card=HEARTS)


def wrong_rank(picture: TablePicture) -> Pairs:
    """Nine for eight, beside each other in a row: few pixels differ."""
    for where in open_cards(picture):
        yield with_card(picture, where, card=6 * 4 + 3), with_card(picture, where, card=7 * 4 + 3)


def missing_star(picture: TablePicture) -> Pairs:
    for where in open_cards(picture):
        yield (
            with_card(picture, where, is_wild=True, stands_for=None),
            with_card(picture, where, is_wild=False, stands_for=None),
        )


def missing_frame(picture: TablePicture) -> Pairs:
    for where in open_cards(picture):
        yield with_card(picture, where, mark=CardMark.PLAYS), with_card(picture, where, mark=CardMark.NONE)


def cut_name(picture: TablePicture) -> Pairs:
    for at, name in ((0, "Mia"), (len(picture.seats) - 1, "Giorgos")):
        yield with_seat(picture, at, name=name), with_seat(picture, at, name=name[:-1])


def swapped_seats(picture: TablePicture) -> Pairs:
    first, second, *others = picture.seats
    exchanged = (replace(second, number=first.number), replace(first, number=second.number), *others)
    yield picture, replace(picture, seats=exchanged)


def changed_digit(picture: TablePicture) -> Pairs:
    """Eight for three, six for five: in a stack, in what was won, and in the pot where it is told."""
    last = len(picture.seats) - 1
    yield with_seat(picture, 0, chips="13,250", won=""), with_seat(picture, 0, chips="18,250", won="")
    yield with_seat(picture, last, chips="9,450", won=""), with_seat(picture, last, chips="9,460", won="")
    yield with_seat(picture, 0, won="+9,450"), with_seat(picture, 0, won="+9,460")
    if any(item.kind is Kind.POT for item in lay_out(picture)):
        yield replace(picture, pot_chips="9,450"), replace(picture, pot_chips="9,460")


def missing_dealer_button(picture: TablePicture) -> Pairs:
    for at in (0, len(picture.seats) - 1):
        yield with_seat(picture, at, is_dealer=True), with_seat(picture, at, is_dealer=False)


def missing_gold_border(picture: TablePicture) -> Pairs:
    yield with_seat(picture, 1, won="+900"), with_seat(picture, 1, won="")


def folded_seat_shown_as_in(picture: TablePicture) -> Pairs:
    yield with_seat(picture, 1, state=SeatState.FOLDED), with_seat(picture, 1, state=SeatState.IN)


ERRORS = (
    wrong_suit, heart_for_diamond_in_two_colours, wrong_rank, missing_star, missing_frame, cut_name, swapped_seats, changed_digit,
    missing_dealer_button, missing_gold_border, folded_seat_shown_as_in,
)  # fmt: skip


def by_turns() -> list[object]:
    """Each error in two families, so that each family has two or three; with the long tests, each error in each family."""
    return [
        pytest.param(
            name, error, id=f"{name}-{error.__name__}", marks=[] if (at - number) % 5 == 0 else [pytest.mark.full]
        )
        for number, error in enumerate(ERRORS)
        for at, name in enumerate(FAMILIES)
    ]


@pytest.mark.parametrize(("name", "error"), by_turns())
def test_planted_error_is_noticed(name: str, error: Callable[[TablePicture], Pairs]) -> None:
    found = [difference(looks(right), looks(wrong)) for right, wrong in error(STATES[name])]
    assert found and min(found) > TOLERANCE, found


def wrong_card(card: PictureCard) -> PictureCard:
    """Return the card of the neighbouring suit."""
    return replace(card, card=(card.card or 0) ^ 1)


def wrong_hands(picture: HandPicture) -> Iterator[OwnPicture]:
    """A suit, a lost star, a card on a board, words cut by a letter, cards in another order."""
    for at, card in enumerate(picture.cards):
        for wrong in (wrong_card(card), replace(card, is_wild=not card.is_wild)):
            if card.card != JOKER:
                yield replace(picture, cards=(*picture.cards[:at], wrong, *picture.cards[at + 1 :]))
    yield replace(picture, cards=picture.cards[::-1])
    for at, shown in enumerate(picture.boards):
        wrong_board = replace(shown, cards=(*shown.cards[:-1], wrong_card(shown.cards[-1])))
        yield replace(picture, boards=(*picture.boards[:at], wrong_board, *picture.boards[at + 1 :]))
    yield replace(picture, hands=(*picture.hands[:-1], picture.hands[-1][:-1]))
    if picture.open_cards:
        yield replace(picture, open_cards=(*picture.open_cards[:-1], wrong_card(picture.open_cards[-1])))


def wrong_podiums(picture: PodiumPicture) -> Iterator[OwnPicture]:
    """A digit, another rank, a cut name, two players who changed places."""
    first, second, *others = picture.players
    for wrong in (
        replace(first, chips=first.chips.replace("5", "6")),
        replace(first, rank=first.rank + 1),
        replace(first, name=first.name[:2]),
        replace(first, name=second.name),
    ):
        yield replace(picture, players=(wrong, second, *others))
    yield replace(picture, players=(second, first, *others))


def wrong_rankings(picture: RankingPicture) -> Iterator[OwnPicture]:
    """In the first and the last row of each section: a suit, a lost star, a cut name; and two rows that changed places."""
    for at, section in enumerate(picture.sections):
        rows = section.rows

        def with_rows(*changed: RankingRow, at: int = at, section: RankingSection = section) -> OwnPicture:
            section = replace(section, rows=changed)
            return replace(picture, sections=(*picture.sections[:at], section, *picture.sections[at + 1 :]))

        for wrong in changed_rows(rows[0]):
            yield with_rows(wrong, *rows[1:])
        for wrong in changed_rows(rows[-1]):
            yield with_rows(*rows[:-1], wrong)
        yield with_rows(*rows[:-2], rows[-1], rows[-2])
    yield (
        replace(picture, sections=picture.sections[::-1])
        if len(picture.sections) > 1
        else replace(picture, heading=picture.heading[:-1])
    )


def changed_rows(row: RankingRow) -> Iterator[RankingRow]:
    yield replace(row, name=row.name[:-1])
    for wrong in (wrong_card(row.cards[0]), replace(row.cards[0], is_wild=True)):
        yield replace(row, cards=(wrong, *row.cards[1:]))


def wrong_curves(picture: CurvePicture) -> Iterator[OwnPicture]:
    """A point elsewhere, the end before its time, another start, a changed digit, a lost level."""
    points, height = picture.points, picture.levels[-1].at - picture.levels[0].at
    along, chips = points[-1]
    yield replace(picture, points=(*points[:-1], (along, chips + height // 20)))
    if len(points) > 2:
        yield replace(picture, points=points[:-1])
    yield replace(
        picture, start=picture.levels[-2].at if picture.start == picture.levels[-1].at else picture.levels[-1].at
    )
    yield replace(picture, small_print=picture.small_print.replace("1", "7", 1))
    first, *others = picture.levels
    yield replace(picture, levels=(replace(first, label=first.label.replace("0", "8", 1).replace("6", "5")), *others))
    yield replace(picture, marks=picture.marks[:-1])


def wrong_bars(picture: BarsPicture) -> Iterator[OwnPicture]:
    """A bar on the other side, another length, a changed digit, a cut name, two that changed places."""
    first, second, *others = picture.bars
    yield replace(picture, bars=(first, replace(second, value=-second.value), *others))
    yield replace(picture, bars=(first, replace(second, value=second.value * 9 // 10), *others))
    yield replace(picture, bars=(replace(first, label="+8,120"), second, *others))
    yield replace(picture, bars=(replace(first, name=first.name[:-1]), second, *others))
    yield replace(picture, bars=(second, first, *others))


def wrong_lines(picture: LinesPicture) -> Iterator[LinesPicture]:
    """A heading, small print, a level, a name, an order of names, a line and a ring that are wrong."""
    first, second, *others = picture.lines
    yield replace(picture, heading=picture.heading.replace("over", "after"))
    yield replace(picture, small_print=picture.small_print.replace("84", "94"))
    yield replace(picture, levels=(replace(picture.levels[0], label="−20k"), *picture.levels[1:]))
    yield replace(picture, lines=(replace(first, name=second.name), replace(second, name=first.name), *others))
    far = replace(second, points=(*second.points[:50], (50, second.points[50][1] - 4_000), *second.points[51:]))
    yield replace(picture, lines=(first, far, *others))
    yield replace(picture, lines=(first, replace(second, rings=(second.points[20],)), *others))
    yield replace(picture, lines=(replace(first, note="+1,800"), second, *others))


WRONG: dict[str, list[OwnPicture]] = {
    **{name: list(wrong_hands(picture)) for name, picture in HANDS.items()},
    **{name: list(wrong_podiums(picture)) for name, picture in PODIUMS.items()},
    **{name: list(wrong_rankings(picture)) for name, picture in RANKINGS.items()},
    **{name: list(wrong_curves(picture)) for name, picture in CURVES.items()},
    **{name: list(wrong_bars(picture)) for name, picture in BARS.items()},
    **{name: list(wrong_lines(picture)) for name, picture in LINES.items()},
}


@pytest.mark.parametrize("name", ANSWERS)
def test_planted_error_in_an_answer_is_noticed(name: str) -> None:
    found = [difference(looks(ANSWERS[name]), looks(wrong)) for wrong in WRONG[name]]
    assert len(found) >= 5 and min(found) > TOLERANCE, found


@pytest.mark.full
@pytest.mark.parametrize("name", [*FAMILIES, *ANSWERS])
def test_other_versions_of_libraries_pass(name: str) -> None:
    """A little softer, moved by a twentieth of a pixel, and compressed worse: more than versions of font and WebP libraries differ."""
    whole = opened(draw(PICTURES[name]))
    softer = whole.filter(ImageFilter.GaussianBlur(0.5))
    moved = whole.transform(whole.size, Image.Transform.AFFINE, (1, 0, 0.05, 0, 1, 0.05), Image.Resampling.BICUBIC)
    worse = BytesIO()
    whole.save(worse, "WEBP", quality=70, method=0)
    golden = golden_file(name).read_bytes()
    assert max(look_apart(golden, one) for one in (softer, moved, opened(worse.getvalue()))) <= TOLERANCE

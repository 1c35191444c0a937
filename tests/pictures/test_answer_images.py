"""The pictures of answers: how large they are, that equal ones are equal, and that a wrong card changes them."""

import io
from itertools import pairwise

import pytest
from msgspec.structs import replace
from PIL import Image, ImageChops

from bot import variants
from bot.engine.cards import parse_cards
from bot.pictures.draw import LARGEST_BYTES, QUALITY, SMALL, draw
from bot.pictures.ranking import ranking_image
from bot.pictures.theme import themes
from bot.pictures.types import (
    BarsPicture,
    ChartBar,
    ChartLine,
    ChartMark,
    CurvePicture,
    HandPicture,
    LinesPicture,
    Look,
    Picture,
    PictureBoard,
    PictureCard,
    PodiumPicture,
    PodiumPlayer,
    RankingPicture,
    RankingRow,
    RankingSection,
)
from bot.render.pictures.ranking import ranking_picture


def row(text: str, *, wild: bool = False) -> tuple[PictureCard, ...]:
    return tuple(PictureCard(card, wild) for card in parse_cards(text))


def hand(cards: str = "AsKh", board: str = "2c3d4h") -> HandPicture:
    return HandPicture(Look(), row(cards), boards=(PictureBoard(row(board)),), hands=("A pair of aces",))


def podium(*names: str) -> PodiumPicture:
    return PodiumPicture(Look(), tuple(PodiumPlayer(at, name, "50,000") for at, name in enumerate(names, 1)))


def ranking(rows: int = 14) -> RankingPicture:
    lines = tuple(RankingRow(f"Row {at}", row("AsKhQdJc9s")) for at in range(rows))
    return RankingPicture(Look(), "A game", "the best hand first", (RankingSection("", lines),))


def curve(*points: tuple[int, int]) -> CurvePicture:
    levels = tuple(ChartMark(at, f"{at:,}") for at in sorted({0, *[chips for _, chips in points]}))
    return CurvePicture(Look(), "Chips over time", "some hands", points, levels, (ChartMark(points[-1][0], "the end"),))


def image(picture: Picture) -> Image.Image:
    return Image.open(io.BytesIO(draw(picture))).convert("RGB")


@pytest.mark.parametrize("theme", list(themes()))
@pytest.mark.parametrize("kind", ["hand", "podium", "ranking"])
def test_pictures_are_small_and_the_same_every_time(theme: str, kind: str) -> None:
    plain: Picture = {"hand": hand(), "podium": podium("Ann", "Bo", "Cleo"), "ranking": ranking()}[kind]
    picture = replace(plain, look=Look(theme))
    first = draw(picture)
    assert first == draw(picture) and len(first) <= LARGEST_BYTES
    assert Image.open(io.BytesIO(first)).format == "WEBP"


@pytest.mark.parametrize("count", range(1, 8))
def test_as_many_cards_as_a_player_can_hold_fit(count: int) -> None:
    shown = image(hand("AsKhQdJc9s8h7d"[: 2 * count]))
    assert shown.width == 1100 and shown.height <= 460


def test_another_card_is_another_picture() -> None:
    pictures = [image(hand(cards)) for cards in ("AsKh", "AcKh", "AsKd", "AsQh")]
    for first, second in pairwise(pictures):
        box = ImageChops.difference(first, second).getbbox()
        assert box is not None and box[2] - box[0] > 40


def test_long_names_stay_on_their_step() -> None:
    """Between the steps nothing changes, whatever the names are."""
    short, long = image(podium("A", "B", "C")), image(podium(*["W" * 32] * 3))
    for left in (0, 363, 721):
        gap = (left, 0, left + 15, 320)
        difference = ImageChops.difference(short.crop(gap), long.crop(gap)).convert("L")
        assert difference.getextrema()[1] < 40


def test_no_ranking_of_the_catalogue_is_too_large() -> None:
    card = variants.game("omaha8")
    assert len(draw(ranking_picture(card, card.options, Look()))) <= LARGEST_BYTES


def test_picture_that_would_be_too_large_is_written_smaller() -> None:
    """A ranking of 28 hands, which no game has, takes 120 KB as other pictures are written."""
    picture = ranking(28)
    file = draw(picture)
    as_usual = io.BytesIO()
    ranking_image(picture).save(as_usual, "WEBP", quality=QUALITY, method=SMALL)
    assert len(as_usual.getvalue()) > LARGEST_BYTES >= len(file)
    assert Image.open(io.BytesIO(file)).size == (800, 94 + 28 * 68 + 22)


def test_picture_too_large_at_any_quality_is_refused() -> None:
    with pytest.raises(ValueError, match="small enough"):
        draw(ranking(60))


@pytest.mark.parametrize(
    "points",
    [
        ((0, 0),),
        ((0, 0), (0, 0)),
        ((0, 0), (1, 0)),
        ((0, 0), (1, 10**12)),
        ((0, 0), (3, -(10**12)), (10**9, 10**12)),
        tuple((at, -at * 7) for at in range(200)),
        tuple((at, (-1) ** at * 10**12) for at in range(200)),
    ],
)
def test_any_curve_is_drawn_small_and_whole(points: tuple[tuple[int, int], ...]) -> None:
    file = draw(curve(*points))
    assert len(file) <= LARGEST_BYTES and Image.open(io.BytesIO(file)).size == (1100, 620)


@pytest.mark.parametrize("count", [1, 2, 10, 23])
def test_lines_of_any_number_length_and_name_fit(count: int) -> None:
    lines = tuple(
        ChartLine(
            "W" * 32 if at < 10 else "",
            tuple((hand, (-1) ** at * hand * 10**at) for hand in range(220)),
            ((9, 0),),
            "+" + "9" * 20 if at % 2 else "",
        )
        for at in range(count)
    )
    levels = tuple(ChartMark(at * 10**25, "+1,000,000M") for at in (-1, 0, 1))
    file = draw(LinesPicture(Look(), "W" * 200, "W" * 200, lines, levels))
    assert len(file) <= LARGEST_BYTES and Image.open(io.BytesIO(file)).size == (1100, 620)


def test_every_person_of_an_evening_has_a_line() -> None:
    """One that ends elsewhere, and one that has another name, is another picture."""
    lines = [ChartLine(name, ((0, 0), (1, 100 - 20 * at))) for at, name in enumerate(("Ann", "Bo", "Cy"))]
    levels = ChartMark(0, "0"), ChartMark(100, "+100")
    picture = LinesPicture(Look(), "An evening", "1 hand", tuple(lines), levels)
    for changed in (replace(lines[1], name="Bea"), replace(lines[1], points=((0, 0), (1, 20)))):
        other = replace(picture, lines=(lines[0], changed, lines[2]))
        assert ImageChops.difference(image(picture), image(other)).getbbox() is not None


@pytest.mark.parametrize("count", [1, 2, 7])
def test_bars_of_any_length_and_name_fit(count: int) -> None:
    bars = tuple(ChartBar("W" * 80, (-1) ** at * 10 ** (2 * at), f"{10**12:,}") for at in range(count))
    file = draw(BarsPicture(Look(), "W" * 200, "W" * 200, bars))
    assert len(file) <= LARGEST_BYTES and Image.open(io.BytesIO(file)).size == (1100, 620)

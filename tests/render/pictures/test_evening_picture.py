"""The picture of an evening: whose lines it shows, and what whoever cannot see it reads."""

from __future__ import annotations

from msgspec.structs import replace

from bot.pictures.types import Look
from bot.render.message.panel import PICTURE_TEXT_MAX
from bot.render.pictures.evening import NAMED_MAX, POINTS_MAX, evening_picture, evening_text
from bot.runtime.evening import EveningCurve
from bot.runtime.store_types import FIRST_FORMER_PLAYER
from bot.table.ended_game import DuelEnd, DuelTold, EndedGame, FinishTold
from bot.table.state import BookLine
from bot.text.sheet import line_above
from tests.render.test_sheet import FRIENDS, GAME, ended


def curves(game: EndedGame, hands: int = 84) -> list[EveningCurve]:
    """Return a curve for everybody that ends where they stand."""
    return [
        EveningCurve(one.player, tuple((hand, one.net * hand // hands) for hand in range(hands + 1)), ((40, -5),))
        for one in game.standings
    ]


def test_everybody_has_a_line_that_ends_where_they_stand() -> None:
    game = ended(*FRIENDS, settings=GAME)
    picture = evening_picture(game, curves(game), Look())
    assert picture is not None
    assert [(line.name, line.points[-1]) for line in picture.lines] == [
        ("Zoë", (84, 14_200)),
        ("Ada", (84, -1_150)),
        ("Mia", (84, -13_050)),
    ]
    assert sum(line.points[-1][1] for line in picture.lines) == 0
    assert picture.small_print == "84 hands · ○ bought in again"
    assert [mark.label for mark in picture.marks] == ["start", "hand 42", "hand 84"]
    assert evening_text(game) == "Chips won and lost over 84 hands: Zoë\u00a0+14,200, Ada\u00a0−1,150, Mia\u00a0−13,050"


def test_rings_are_explained_only_where_there_are_some() -> None:
    game = ended(*FRIENDS)
    plain = [replace(one, rebuys=()) for one in curves(game)]
    picture = evening_picture(game, plain, Look())
    assert picture is not None and picture.small_print == "84 hands"


def test_without_two_curves_there_is_no_picture() -> None:
    game = ended(*FRIENDS)
    assert evening_picture(game, (), Look()) is None and evening_picture(game, curves(game)[:1], Look()) is None


def test_of_many_those_who_moved_most_are_named() -> None:
    many = [BookLine(200 + at, f"Player {at}", 1, 1_000, 1_000 + (-1) ** at * at, 9) for at in range(23)]
    game = ended(*many)
    picture = evening_picture(game, curves(game), Look())
    assert picture is not None and len(picture.lines) == 23
    assert {line.name for line in picture.lines if line.name} == {f"Player {at}" for at in range(13, 23)}
    assert sum(bool(line.name) for line in picture.lines) == NAMED_MAX
    assert len(evening_text(game)) <= PICTURE_TEXT_MAX


def test_long_evening_has_no_more_points_than_can_be_seen() -> None:
    game = ended(*FRIENDS, hands=5_000)
    picture = evening_picture(game, curves(game, 5_000), Look())
    assert picture is not None
    for line in picture.lines:
        assert len(line.points) <= POINTS_MAX + 1 and line.points[0] == (0, 0) and line.points[-1][0] == 5_000


def test_names_that_cannot_be_drawn_or_told() -> None:
    people = [replace(one, player=FIRST_FORMER_PLAYER) if one.name == "Ada" else one for one in FRIENDS]
    people = [replace(one, name="🂡🂢🂣") if one.name == "Mia" else one for one in people]
    game = ended(*people)
    picture = evening_picture(game, curves(game), Look())
    assert picture is not None
    assert [line.name for line in picture.lines] == ["Zoë", "a former player", "player 3"]
    assert "Ada" not in evening_text(game)


def won(*paid: int) -> EndedGame:
    """An event of three: Mia is out first, then Ada."""
    finishes = [
        FinishTold(rank, one.player, one.name, prize) for rank, one, prize in zip((2, 1, 3), FRIENDS, paid, strict=True)
    ]
    return replace(
        ended(*FRIENDS, settings=GAME), is_event=True, finishes=tuple(sorted(finishes, key=lambda one: one.rank))
    )


def test_event_names_winner_places_and_prizes() -> None:
    game = won(1_050, 1_950, 0)
    picture = evening_picture(game, curves(game), Look())
    assert picture is not None and picture.heading == "Zoë wins the sit-and-go"
    assert picture.small_print == "1st 1,950 · 2nd 1,050 · 84 hands"
    assert [line.name for line in picture.lines] == ["1st Zoë", "2nd Ada", "3rd Mia"]
    assert evening_text(game) == "Zoë wins the sit-and-go, after 84 hands: 1st Zoë 1,950, 2nd Ada 1,050, 3rd Mia"


def test_bounties_stand_behind_names_and_in_the_text() -> None:
    game = won(1_050, 1_950, 0)
    first, second, third = game.finishes
    hunted = replace(game, finishes=(replace(first, bounties=1_300), replace(second, bounties=200), third))
    picture = evening_picture(hunted, curves(hunted), Look())
    assert picture is not None
    assert [line.note for line in picture.lines] == ["+1,300", "+200", ""]
    assert picture.small_print == "1st 1,950 · 2nd 1,050 · + bounties · 84 hands"
    told = "1st Zoë 1,950 and 1,300 in bounties, 2nd Ada 1,050 and 200 in bounties, 3rd Mia"
    assert evening_text(hunted) == f"Zoë wins the sit-and-go, after 84 hands: {told}"


def test_nobody_wins_a_duel_that_was_agreed_on() -> None:
    two = replace(won(500, 500, 0), finishes=won(500, 500, 0).finishes[:2])
    ended_so = replace(two, duel=DuelTold(DuelEnd.NO_WINNER, for_chips=True))
    picture = evening_picture(ended_so, curves(ended_so), Look())
    assert picture is not None and picture.heading == "Nobody wins the duel"
    assert evening_text(ended_so).startswith("Nobody wins the duel, after 84 hands: 1st Zoë 500")
    assert line_above(ended_so, "LINK") == "-# The duel at table 3 is over · [Open the sheet](LINK)"
    won_by_zoe = replace(ended_so, duel=DuelTold(DuelEnd.WON, for_chips=True))
    assert "**Zoë** 1st · 500" in line_above(won_by_zoe, "LINK")


def test_free_event_and_shared_places_in_the_picture() -> None:
    game = won(0, 0, 0)
    shared = replace(game, finishes=(*game.finishes[:1], replace(game.finishes[1], rank=1), game.finishes[2]))
    picture = evening_picture(shared, curves(shared), Look())
    assert picture is not None
    assert (picture.heading, picture.small_print) == ("Zoë and Ada share first place", "3 players · 84 hands")
    nameless = replace(game, finishes=(replace(game.finishes[0], name="🂡🂢🂣"), *game.finishes[1:]))
    picture = evening_picture(nameless, curves(nameless), Look())
    assert picture is not None and picture.heading == "player 1 wins the sit-and-go"

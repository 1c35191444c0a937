"""What a picture of a table can show is shown, and some game has it. Whoever adds an element reads here what they have forgotten."""

from __future__ import annotations

import random
from itertools import product
from typing import Any

import pytest
from msgspec.structs import fields, replace

from bot.engine.hand import Hand
from bot.engine.ranking.spec import WildCall
from bot.engine.view.build import view
from bot.pictures.avatars import avatar_file
from bot.pictures.table import table_image
from bot.pictures.types import PILLS, Canvas, Look, PictureBoard, PictureCard, PictureSeat, SeatState, TablePicture
from bot.render.pictures.table import table_picture
from bot.statistics.all_in_hand import hand_run_out
from bot.statistics.types import Odds
from bot.variants import game
from tests.pictures.some_avatars import some_avatar
from tests.render.pictures.random_hands import SEAT_COUNT, new_hand, scene_of, states

SEAT = PictureSeat(4, "Ann", "1,500", cards=(PictureCard(None), PictureCard(12), PictureCard(25)))
TABLE = TablePicture(Look(), 6, (SEAT,), pot="POT", pot_chips="900", heading="TURN")
GIVEN: dict[str, Any] = {
    "number": 2,
    "state": SeatState.ALL_IN,
    "cards": (PictureCard(3),),
    "hidden_count": 1,
    "look": Look(theme="light"),
    "seat_count": 4,
    "hand": "Flush",
    "seats": (),
    "boards": (PictureBoard((PictureCard(3),)),),
    "banners": ("Flush, ace high",),
    "canvas": Canvas.STRIP,
    "avatar": avatar_file(some_avatar()),
}
"""Another value for each field that is no word and no switch."""
SHOWN_BY = "tell in bot/pictures/layout.py where it lies, or give its type a Pill in bot/pictures/types.py"
FILLED_BY = "fill it in bot/render/pictures/table.py"
GAMES = (
    "holdem",
    "omaha8",
    "stud",
    "baseball",
    "five_card_draw",
    "guts",
    "double_board_bomb",
    "anaconda_hilo",
)


def changed(name: str, value: object) -> object:
    """Return another value for a field."""
    if name in GIVEN:
        return GIVEN[name]
    return not value if isinstance(value, bool) else f"{value} more"


@pytest.mark.parametrize("name", [field.name for field in fields(PictureSeat)])
def test_every_field_of_a_seat_is_drawn(name: str) -> None:
    seat = replace(SEAT, won="+900") if name == "banners" else SEAT  # what it won with
    other = replace(seat, **{name: changed(name, getattr(seat, name))})
    shown, expected = (table_image(replace(TABLE, seats=(one,))).tobytes() for one in (other, seat))
    is_drawn = shown != expected
    assert is_drawn, f"no picture shows PictureSeat.{name}: {SHOWN_BY}"


@pytest.mark.parametrize("name", [field.name for field in fields(TablePicture)])
def test_every_field_of_a_table_is_drawn(name: str) -> None:
    other = replace(TABLE, **{name: changed(name, getattr(TABLE, name))})
    is_drawn = table_image(other).tobytes() != table_image(TABLE).tobytes()
    assert is_drawn, f"no picture shows TablePicture.{name}: {SHOWN_BY}"


def test_every_pill_is_described() -> None:
    missing = [name for name in PILLS if f"{name}:" not in (PictureSeat.__doc__ or "")]
    assert not missing, f"say in the docstring of PictureSeat what these show: {', '.join(missing)}"


def test_every_field_is_filled_in_some_game() -> None:
    kinds = PictureSeat, TablePicture, PictureCard
    missing = {f"{kind.__name__}.{field.name}" for kind in kinds for field in fields(kind)}
    declared = game("deuces_wild")
    declared = replace(declared, options=replace(declared.options, wild_call=WildCall.DECLARE))
    for seed, card in product(range(10), (declared, *map(game, GAMES))):
        dice = random.Random(f"{card.key} {seed}")
        for state in states(new_hand(card, dice), dice):
            for moment in ("", "Ann bets"):
                scene = replace(scene_of(view(state, None)), odds=odds_of_street(state))
                avatars = {1: avatar_file(some_avatar())}
                shown = table_picture(scene, Look(), seat_count=SEAT_COUNT, moment=moment, avatars=avatars)
                assert shown is not None
                missing -= {name for one in parts(shown) for name in filled(one)}
        if not missing:
            return
    pytest.fail(f"no game fills {', '.join(sorted(missing))}: {FILLED_BY}")


def odds_of_street(state: Hand) -> Odds | None:
    """Return odds for a hand that is run out, as many as there are hands in it."""
    seen = hand_run_out(state, b"")
    return Odds(seen.seats, (100, *[0] * (len(seen.seats) - 1))) if seen is not None else None


def parts(shown: TablePicture) -> list[TablePicture | PictureSeat | PictureCard]:
    return [shown, *shown.seats, *[card for seat in shown.seats for card in seat.cards]]


def filled(part: TablePicture | PictureSeat | PictureCard) -> set[str]:
    """Return the fields of a part that have no default, or another value."""
    return {
        f"{type(part).__name__}.{field.name}" for field in fields(part) if getattr(part, field.name) != field.default
    }

"""The picture of what beats what, for every game of the catalogue, and the same in words."""

import pytest

from bot import variants
from bot.engine.rule_card import RuleCard
from bot.engine.showdown.examples_in_force import examples_in_force
from bot.pictures.types import CardMark, Look
from bot.render.message.panel import PICTURE_TEXT_MAX
from bot.render.pictures.ranking import ranking_picture
from bot.text.game_names import game_name
from bot.text.rankings import order_lines, picture_text

ROWS_MAX = 15


@pytest.mark.parametrize("card", variants.CATALOGUE, ids=lambda card: str(card.key))
def test_every_game_has_a_list_that_fits_a_picture(card: RuleCard) -> None:
    shown = ranking_picture(card, card.options, Look())
    rows = [row for section in shown.sections for row in section.rows]
    assert 2 <= len(rows) <= ROWS_MAX
    assert all(row.name and 1 < len(row.cards) <= 5 for row in rows)
    sections = examples_in_force(card, card.options)
    assert len(picture_text(game_name(card.name), sections, PICTURE_TEXT_MAX)) <= PICTURE_TEXT_MAX
    for line, section in zip(order_lines(sections), shown.sections, strict=True):
        told = line.split(":** ")[1].split(" › ")
        assert [row.name.lower() for row in section.rows] == [name.lower() for name in told]


@pytest.mark.parametrize("card", variants.CATALOGUE, ids=lambda card: str(card.key))
def test_star_is_explained_where_there_is_one(card: RuleCard) -> None:
    shown = ranking_picture(card, card.options, Look())
    starred = any(one.is_wild for section in shown.sections for row in section.rows for one in row.cards)
    assert ("star" in shown.small_print) is starred


def test_high_low_game_has_a_list_for_each_half() -> None:
    card = variants.game("omaha8")
    high, low = ranking_picture(card, card.options, Look()).sections
    assert (high.heading, low.heading) == ("High", "Low")
    assert [row.name for row in low.rows] == ["5-4-3-2-A", "6-4-3-2-A", "7-4-3-2-A", "8-7-6-5-4"]


def test_wild_rank_that_a_card_names_has_an_example() -> None:
    card = variants.game("spit")
    (section,) = ranking_picture(card, card.options, Look()).sections
    assert section.rows[0].name == "Five of a kind"
    assert [one.is_wild for one in section.rows[0].cards].count(True) == 1


def test_cards_of_a_badugi_that_do_not_count_are_dimmed() -> None:
    card = variants.game("badugi")
    (section,) = ranking_picture(card, card.options, Look()).sections
    marks = [[one.mark is CardMark.DIMMED for one in row.cards].count(True) for row in section.rows]
    assert marks == [0, 0, 1, 2, 3]

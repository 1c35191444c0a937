"""Every code word that the lobby, the house, the settings and the law pages can show has its words."""

import gettext
from collections.abc import Mapping
from enum import Enum

import pytest
from msgspec.structs import replace

from bot import laws as book
from bot.engine.mixes import BombPot, BombPotTrigger, Game, RotationChange
from bot.house.rules import HouseRules
from bot.ledger.accounts import TransferReason
from bot.ledger.books import BookProblem
from bot.pictures.theme import themes
from bot.render.house.house_pages import table_setting_choices
from bot.render.table.lobby import lobby_panel
from bot.table.events import CloseReason
from bot.table.settings import CHOSEN_WORDS, ChipKind, Nudge
from bot.table.state import AfterHand, SeatStatus
from bot.text import chips, house, laws, lobby, mixed_games, sheet, table_settings
from bot.text.language import Language, Message, Plural, reading, t
from bot.variants import CATALOGUE
from tests.render.test_lobby import FOUR, table


@pytest.mark.parametrize(
    ("words", "codes"),
    [
        (lobby.SEAT_STATUS, SeatStatus),
        (lobby.AFTER_HAND, AfterHand),
        (sheet.CLOSE_REASONS, CloseReason),
        (sheet.GAME_OVER_REASONS, CloseReason),
        (chips.REASONS, TransferReason),
        (house.BOOK_PROBLEMS, BookProblem),
        (laws.MIXTURES, RotationChange),
        (table_settings.NUDGES, Nudge),
    ],
)
def test_every_member_of_an_enum_has_words(words: Mapping[Enum, Message], codes: type[Enum]) -> None:
    assert set(words) == set(codes)


def test_every_house_rule_has_a_name_that_fits_a_form() -> None:
    assert all(len(house.rule_name(field)) <= 45 for field in HouseRules.__struct_fields__)


def test_staff_can_choose_every_theme_by_name() -> None:
    assert list(house.THEMES) == list(themes())


def test_every_setting_of_a_table_has_a_name() -> None:
    server = table(*FOUR)
    both = (server, replace(server, settings=replace(server.settings, chips=ChipKind.TABLE, starting_stack=10_000)))
    shown = {choice.field for view in both for choice in table_setting_choices(view)}
    always = set(table_settings.SETTING_NAMES) | set(table_settings.WORD_SETTINGS)
    assert shown <= always | set(table_settings.STAKE_NAMES)
    assert always <= shown


@pytest.mark.parametrize("field", table_settings.WORD_SETTINGS)
def test_every_value_of_a_setting_of_words_has_its_sentence(field: str) -> None:
    words = table_settings.WORD_SETTINGS[field]
    assert set(words.values) == set(CHOSEN_WORDS[field])
    assert t(words.question).endswith("?")
    assert all(t(value.meaning).endswith(".") for value in words.values.values())


def test_every_part_and_kind_of_law_has_words() -> None:
    assert {law.part for law in book.laws()} == set(laws.PARTS)
    assert {kind for law in book.laws() for kind in law.kind.split("/")} == set(laws.KINDS)


def test_every_bomb_pot_has_a_code_with_words() -> None:
    cards = {boards: next(card for card in CATALOGUE if card.boards == boards) for boards in (1, 2)}
    codes = {mixed_games.bomb_pot_code(None)}
    for card in cards.values():
        game = Game(card, card.options, table().settings.stakes)
        codes |= {mixed_games.bomb_pot_code(BombPot(game, trigger)) for trigger in BombPotTrigger}
    assert codes == set(mixed_games.BOMB_POTS)
    assert all(mixed_games.game_change(code) for code in mixed_games.GAME_CHANGES)


def test_nothing_is_remembered_in_one_language_for_another() -> None:
    """A panel that was drawn in one language is drawn anew in the next reader's."""

    class Loud(Language):
        def say(self, sentence: Message | Plural, values: dict[str, object]) -> str:
            return f"⟦{super().say(sentence, values)}⟧"

    view = table(*FOUR)
    english = lobby_panel(1, view)
    with reading(Loud("en-XX", gettext.NullTranslations())):
        assert "⟦Buy-in…⟧" in str(lobby_panel(1, view))
    assert lobby_panel(1, view) == english

"""The book of a game as people read it, and the buttons of those who answer a rebuy."""

import pytest
from msgspec.structs import replace

from bot.ledger.gifts import WaysToPlay
from bot.render.table.book import book_panel, granted_seat_panel, questions_panel, refused_panel
from bot.render.table.own_menu import own_menu_panel
from bot.render.table.way_on import way_on_buttons
from bot.table.settings import ChipKind, RebuyRule
from bot.table.state import RebuyOffer, Standing
from bot.table.view import RebuyQuestionView, TableView
from tests.render.test_lobby import FOUR, table
from tests.support.panel_text import panel_as_text

ANN, BO = FOUR[0].player, FOUR[1].player


def home(**changes: object) -> TableView:
    """A game of table chips in which Ann is up and Bo is down."""
    view = table(*FOUR)
    settings = replace(view.settings, chips=ChipKind.TABLE, starting_stack=10_000, rebuy=RebuyRule.HOST)
    standings = (
        Standing(ANN, "Ann", 1, 10_000, 17_600, 7_600, 12, True),
        Standing(BO, "B*o", 2, 20_000, 12_400, -7_600, 12, False),
    )
    return replace(view, settings=settings, standings=standings, **changes)


def asked(*, by_host: bool = True) -> TableView:
    """Bo asks for a rebuy. Ann can say yes, and no where she is a host."""
    return home(rebuy_questions=(RebuyQuestionView(BO, "B*o", False, (ANN,), (ANN,) if by_host else ()),))


@pytest.mark.law("TC-1")
def test_book_tells_who_bought_what_and_who_is_up() -> None:
    text = panel_as_text(book_panel(1, home(), ANN))
    assert "### The book of Table 3\n-# Everybody starts with 10,000 · the host answers rebuys\n" in text
    assert "Ann · 1 buy-in 10,000 · now 17,600 · **+7,600**\nB\\*o · 2 buy-ins 20,000 · now 12,400 · **−7,600**" in text
    assert "OK]" not in text


@pytest.mark.law("TC-4")
def test_book_of_a_host_has_the_questions_with_buttons() -> None:
    assert "**B\\*o** asks for a rebuy.\n[+OK] [No]" in panel_as_text(book_panel(1, asked(), ANN))
    assert "OK]" not in panel_as_text(book_panel(1, asked(), BO))
    others = panel_as_text(questions_panel(1, asked(by_host=False), ANN))
    assert "**B\\*o** has no chips left at Table 3 and asks to sit down again.\n[+OK]" in others
    assert "[No]" not in others


def test_answers_are_told_to_who_asked() -> None:
    assert "[+Take a seat]" in panel_as_text(granted_seat_panel(1, home()))
    assert "said no to your rebuy. You can ask again <t:1700000000:R>." in panel_as_text(
        refused_panel(home(), 1_700_000_000_000)
    )


@pytest.mark.law("TC-3", "TC-4")
@pytest.mark.parametrize(("rule", "label"), [(RebuyRule.FREE, "Rebuy 10,000"), (RebuyRule.HOST, "Ask the host")])
def test_table_offers_the_way_back_to_who_is_broke(rule: RebuyRule, label: str) -> None:
    view = home()
    broke = replace(view.seats[1], stack=0, rebuy=RebuyOffer.ASK, rebuy_chips=10_000)
    view = replace(view, settings=replace(view.settings, rebuy=rule), seats=(view.seats[0], broke))
    assert label in [button.label for button in way_on_buttons(1, view)]
    asked_already = replace(view, seats=(view.seats[0], replace(broke, rebuy=RebuyOffer.ASKED)))
    assert label not in [button.label for button in way_on_buttons(1, asked_already)]


@pytest.mark.law("TC-3", "TC-4")
@pytest.mark.parametrize(
    ("offer", "stack", "told"),
    [
        (RebuyOffer.NOW, 0, "You're out of chips.\n[+Rebuy 10,000] [Leave] [The book]"),
        (RebuyOffer.ASK, 0, "You're out of chips.\n[+Ask the host] [Leave] [The book]"),
        (RebuyOffer.ASKED, 0, "You're out of chips. The host is asked for your rebuy.\n[Leave] [The book]"),
        (RebuyOffer.SPENT, 0, "There are no more rebuys in this game. You can watch, or leave.\n[Leave] [The book]"),
        (RebuyOffer.NOW, 3_000, "with **3,000** chips.\n[Rebuy 7,000] [Sit out] [Leave] [The book]"),
    ],
)
def test_only_buttons_that_work_are_offered(offer: RebuyOffer, stack: int, told: str) -> None:
    view = home()
    low = replace(view.seats[1], stack=stack, rebuy=offer, rebuy_chips=10_000 - stack)
    view = replace(view, seats=(view.seats[0], low, *view.seats[2:]))
    assert told in panel_as_text(own_menu_panel(1, view, BO, room=0, ways=WaysToPlay()))

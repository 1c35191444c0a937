"""What one player alone gets: hole cards, Peek, forms, choices and questions."""

import pytest
from msgspec.structs import replace

from bot.engine.legal import Decision, LegalActions
from bot.engine.view.types import HandView
from bot.render.hand import private_panels
from bot.render.message import custom_ids
from bot.render.message.custom_ids import FormSubmission, Press, Verb
from bot.render.message.panel import Buttons, form_payload
from bot.text.cards import SIGNS
from tests.render.sample_hands import FOLDED, best_hand, cards_seen, mid_hand, scene
from tests.support.message_limits import form_faults, within_limits
from tests.support.panel_text import form_as_text, panel_as_text

LINK = "https://discord.com/channels/1/2/3"


def own_view(held: str = "Ac 9h", *, up: str = "", legal: LegalActions | None = None, name: bool = True) -> HandView:
    """The hand of `mid_hand` as river_rat sees it."""
    view = mid_hand()
    seats = list(view.seats)
    cards = (*cards_seen(held), *cards_seen(up, up=True))
    what = best_hand(f"{held} Ah Kd 9c 9s") if name and not up else None
    seats[6] = replace(seats[6], cards=cards, made_hand=what)
    return replace(view, viewer=6, seats=tuple(seats), legal=legal or view.legal_to_act)


def test_hole_cards_by_direct_message() -> None:
    assert panel_as_text(within_limits(private_panels.hole_cards_dm(scene(own_view()), LINK))) == (
        "### Table 3 · No-Limit Hold'em · Hand #1284\n"
        "# :ace_of_clubs::nine_of_hearts:\n"
        "ace of clubs, nine of hearts\n"
        "-# Seat 7 · stakes 50/100 · dealer Jürgen K\n"
        "[↗️ Go to table → https://discord.com/channels/1/2/3] [Stop sending DMs]"
    )


@pytest.mark.law("VC-28")
def test_hole_cards_of_a_mixture_name_it_in_small_print() -> None:
    text = panel_as_text(
        within_limits(private_panels.hole_cards_dm(scene(own_view(), mixture_name="H.O.R.S.E."), LINK))
    )
    assert "\n-# H.O.R.S.E. · Seat 7 · stakes 50/100 · dealer Jürgen K\n" in text


def test_open_and_hidden_cards_apart() -> None:
    """Seven-card stud."""
    text = panel_as_text(within_limits(private_panels.hole_cards_dm(scene(own_view("Jc Jh", up="Jd 5c As")), LINK)))
    assert (
        "**Hidden** :jack_of_clubs::jack_of_hearts: **Open** :jack_of_diamonds::five_of_clubs::ace_of_spades:" in text
    )
    assert "Hidden: jack of clubs, jack of hearts. Open: jack of diamonds, five of clubs, ace of spades." in text


def test_peek_shows_everything_the_table_shows() -> None:
    assert panel_as_text(within_limits(private_panels.peek_panel(scene(own_view())))) == (
        "### Your cards · Hand #1284\n"
        "# :ace_of_clubs::nine_of_hearts:\n"
        "ace of clubs, nine of hearts\n"
        "**full house, nines full of aces**\n"
        "Board :ace_of_hearts::king_of_diamonds::nine_of_clubs::nine_of_spades:\n"
        "You can fold, call 1,025, or raise to 2,050–13,700.\n"
        "-# Only you can see this. Your stack 13,700 · pot 10,475 · 1,025 to call"
    )


def test_peek_after_folding_and_before_the_flop() -> None:
    view = own_view()
    seats = list(view.seats)
    seats[6] = replace(seats[6], state=FOLDED)
    text = panel_as_text(private_panels.peek_panel(scene(replace(view, seats=tuple(seats)))))
    assert "You have folded this hand." in text
    assert "to call" not in text
    before = replace(own_view(), boards=((),), cards_to_come=(0, 5, 0), current_bet=100)
    assert "full house" not in panel_as_text(private_panels.peek_panel(scene(before)))


def test_peek_without_cards_shows_no_cards() -> None:
    text = panel_as_text(within_limits(private_panels.no_cards_panel(scene(mid_hand()))))
    assert text.startswith("You have no cards in hand #1284.\nBoard ")


def test_private_panels_need_a_players_own_view() -> None:
    with pytest.raises(AssertionError):
        private_panels.peek_panel(scene(mid_hand()))


@pytest.mark.law("TL-36")
def test_folding_for_nothing_is_asked_about_once() -> None:
    panel = within_limits(private_panels.fold_question(scene(mid_hand())))
    assert panel_as_text(panel) == "**Checking is free here.** Fold anyway?\n[+Check] [!Fold anyway]"
    row = panel.blocks[1]
    assert isinstance(row, Buttons)
    assert custom_ids.parse_custom_id(row.buttons[1].custom_id) == Press(77, 1284, 11, Verb.FOLD_ANYWAY)


def test_the_raise_form() -> None:
    view = mid_hand()
    assert view.legal_to_act is not None
    form = private_panels.raise_form(scene(view), view.legal_to_act, 107)
    assert form_faults(form) == ()
    assert form_as_text(form) == (
        "== Raise ==\n"
        "Raise to:\n"
        "  Between 2,050 and 13,700: a number, 4k, ½, pot or all.\n"
        "  [____]\n"
        "…or pick a size:\n"
        "  ( ) Minimum · 2,050\n"
        "  ( ) Half pot · 6,775\n"
        "  ( ) Pot · 12,525\n"
        "  ( ) All-in · 13,700"
    )
    assert custom_ids.parse_custom_id(form.custom_id) == FormSubmission(77, 1284, 11, Verb.OPEN_BET_FORM, 107)
    raw = form_payload(form)
    assert [part["component"]["type"] for part in raw["components"]] == [4, 21]


def test_two_players_never_share_one_form() -> None:
    view = mid_hand()
    assert view.legal_to_act is not None
    first, second = (private_panels.raise_form(scene(view), view.legal_to_act, user).custom_id for user in (1, 2))
    assert first != second


def test_bet_form_with_few_sizes_asks_for_a_number() -> None:
    legal = LegalActions(
        6, Decision.BET, check=True, min_to=100, max_to=110, opening=True, current_bet=0, pot=10, stack=200
    )
    form = private_panels.raise_form(scene(mid_hand()), legal, 5)
    assert form_faults(form) == ()
    assert "== Bet ==\nBet:\n  Between 100 and 110: a number, 4k, ½, pot or max." in form_as_text(form)


def test_direct_messages_off_on_and_refused() -> None:
    assert "privacy settings block it" in panel_as_text(within_limits(private_panels.dm_refused_panel()))
    assert panel_as_text(within_limits(private_panels.dm_switched_panel(77, on=False))).endswith("[…Send DMs again]")
    assert panel_as_text(within_limits(private_panels.dm_switched_panel(77, on=True))).endswith("[Stop sending DMs]")


def test_preferences_are_shown_with_example_cards() -> None:
    text = panel_as_text(within_limits(private_panels.preferences_panel(SIGNS, two_colour=True, wants_dms=False)))
    assert "`A♠ A♥ A♦ A♣`" in text
    assert "two colours, black and red. They come by **Peek** only." in text
    assert "four colours" in panel_as_text(
        within_limits(private_panels.preferences_panel(SIGNS, two_colour=False, wants_dms=True))
    )

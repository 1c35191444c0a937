"""What one player alone gets: hole cards by DM, forms, how cards come."""

import pytest
from msgspec.structs import replace

from bot.engine.legal import Decision, LegalActions
from bot.engine.view.types import HandView
from bot.render.hand import private_panels
from bot.render.hand.my_hand import my_hand_panel
from bot.render.message import custom_ids
from bot.render.message.custom_ids import FormSubmission
from bot.render.message.panel import RadioGroup, form_payload
from bot.table.settings import RaiseSize
from bot.text.amounts import parse_street_total
from bot.text.buttons import Verb
from tests.render.sample_hands import best_hand, cards_seen, mid_hand, scene
from tests.support.message_limits import form_faults, within_limits
from tests.support.panel_text import form_as_text, panel_as_text

LINK = "https://discord.com/channels/1/2/3"


def own_view(held: str = "Ac 9h", *, up: str = "", legal: LegalActions | None = None, name: bool = True) -> HandView:
    """Return the hand of `mid_hand` as river_rat sees it."""
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
    """Seven-card stud has both. The panel follows the hand; the direct message is edited for hidden cards, so it shows those."""
    stud = scene(own_view("Jc Jh", up="Jd 5c As"))
    text = panel_as_text(my_hand_panel(stud))
    assert "\n# :jack_of_hearts::jack_of_clubs:  ·  :ace_of_spades::jack_of_diamonds::five_of_clubs:\n" in text
    assert "Hidden: jack of hearts, jack of clubs. Open: ace of spades, jack of diamonds, five of clubs" in text
    text = panel_as_text(within_limits(private_panels.hole_cards_dm(stud, LINK)))
    assert "\n# :jack_of_hearts::jack_of_clubs:\njack of hearts, jack of clubs\n-# Seat 7" in text


def test_the_raise_form() -> None:
    view = mid_hand()
    assert view.legal_to_act is not None
    form = private_panels.raise_form(scene(view), view.legal_to_act, 107)
    assert form_faults(form) == ()
    assert form_as_text(form) == (
        "== Raise ==\n"
        "Raise to:\n"
        "  Write 2,050 to 13,700, ½, pot or all.\n"
        "  [____]\n"
        "…or pick a size:\n"
        "  ( ) Minimum · 2,050\n"
        "  ( ) ½ pot · 6,775\n"
        "  ( ) Pot · 12,525\n"
        "  ( ) All-in · 13,700"
    )
    assert custom_ids.parse_custom_id(form.custom_id) == FormSubmission(77, 1284, 11, Verb.OPEN_BET_FORM, 107)
    raw = form_payload(form)
    assert [part["component"]["type"] for part in raw["components"]] == [4, 21]


def test_the_raise_form_offers_the_sizes_of_the_table() -> None:
    view = mid_hand()
    assert view.legal_to_act is not None
    form = private_panels.raise_form(scene(view, raise_sizes=tuple(RaiseSize)), view.legal_to_act, 107)
    assert form_faults(form) == ()
    (picked,) = [field for field in form.fields if isinstance(field, RadioGroup)]
    assert [option.label for option in picked.options] == [
        "Minimum · 2,050", "⅓ pot · 4,858", "½ pot · 6,775", "⅔ pot · 8,691", "¾ pot · 9,650", "Pot · 12,525", "All-in · 13,700",
    ]  # fmt: skip
    for option in picked.options:  # what is picked means what it says
        assert option.label.endswith(f" {parse_street_total(option.value, view.legal_to_act):,}")


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
    assert "== Bet ==\nBet:\n  Write 100 to 110, ½, pot or max." in form_as_text(form)


def test_direct_messages_off_on_and_refused() -> None:
    assert "privacy settings block it" in panel_as_text(within_limits(private_panels.dm_refused_panel()))
    assert panel_as_text(within_limits(private_panels.dm_switched_panel(77, on=False))).endswith("[…Send DMs again]")
    assert panel_as_text(within_limits(private_panels.dm_switched_panel(77, on=True))).endswith("[Stop sending DMs]")

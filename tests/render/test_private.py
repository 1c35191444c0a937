"""What one player alone gets: hole cards, Peek, forms, choices and questions (ui §5 c, e, f)."""

import pytest
from msgspec.structs import replace

from bot.engine.legal import Decision, Legal
from bot.engine.view import HandView
from bot.render import ids, private
from bot.render.cards import SIGNS
from bot.render.ids import FormPress, Press, Verb
from bot.render.limits import check, form_faults
from bot.render.panel import Buttons, form_payload
from bot.render.plain import plain, plain_form
from tests.render.hands import FOLDED, made, mid_hand, scene, seen

LINK = "https://discord.com/channels/1/2/3"


def own_view(held: str = "Ac 9h", *, up: str = "", legal: Legal | None = None, name: bool = True) -> HandView:
    """The hand of mock-up 01 as river_rat sees it."""
    view = mid_hand()
    seats = list(view.seats)
    cards = (*seen(held), *seen(up, up=True))
    what = made(f"{held} Ah Kd 9c 9s") if name and not up else None
    seats[6] = replace(seats[6], cards=cards, made=what)
    return replace(view, viewer=6, seats=tuple(seats), legal=legal or view.acting)


def test_hole_cards_by_direct_message() -> None:
    assert plain(check(private.hole_cards_dm(scene(own_view()), LINK))) == (
        "### Table 3 · No-Limit Hold'em · Hand #1284\n"
        "# :ace_of_clubs::nine_of_hearts:\n"
        "Ace of clubs, nine of hearts\n"
        "-# Seat 7 · stakes 50/100 · dealer Jürgen K\n"
        "[↗️ Go to table → https://discord.com/channels/1/2/3] [Stop sending DMs]"
    )


@pytest.mark.law("VC-28")
def test_hole_cards_of_a_mixture_name_it_in_small_print() -> None:
    text = plain(check(private.hole_cards_dm(scene(own_view(), mixture="H.O.R.S.E."), LINK)))
    assert "\n-# H.O.R.S.E. · Seat 7 · stakes 50/100 · dealer Jürgen K\n" in text


def test_open_and_hidden_cards_apart() -> None:
    """Mock-up 05: seven-card stud."""
    text = plain(check(private.hole_cards_dm(scene(own_view("Jc Jh", up="Jd 5c As")), LINK)))
    assert (
        "**Hidden** :jack_of_clubs::jack_of_hearts: **Open** :jack_of_diamonds::five_of_clubs::ace_of_spades:" in text
    )
    assert "Hidden: jack of clubs, jack of hearts. Open: jack of diamonds, five of clubs, ace of spades." in text


def test_peek_tells_everything_the_table_shows() -> None:
    assert plain(check(private.peek_panel(scene(own_view())))) == (
        "### Your cards · Hand #1284\n"
        "# :ace_of_clubs::nine_of_hearts:\n"
        "Ace of clubs, nine of hearts\n"
        "**Full house, nines full of aces**\n"
        "Board :ace_of_hearts::king_of_diamonds::nine_of_clubs::nine_of_spades:\n"
        "You may fold, call 1,025, or raise to 2,050–13,700.\n"
        "-# Only you can see this. Chips behind 13,700 · pot 10,475 · 1,025 to call"
    )


def test_peek_after_folding_and_before_the_flop() -> None:
    view = own_view()
    seats = list(view.seats)
    seats[6] = replace(seats[6], state=FOLDED)
    text = plain(private.peek_panel(scene(replace(view, seats=tuple(seats)))))
    assert "You have folded this hand." in text
    assert "to call" not in text
    before = replace(own_view(), boards=((),), to_come=(0, 5, 0), level=100)
    assert "Full house" not in plain(private.peek_panel(scene(before)))


def test_peek_of_somebody_without_cards_shows_nobodys() -> None:
    text = plain(check(private.no_cards_panel(scene(mid_hand()))))
    assert text.startswith("You have no cards in hand #1284.\nBoard ")


def test_private_panels_need_a_players_own_view() -> None:
    with pytest.raises(AssertionError):
        private.peek_panel(scene(mid_hand()))


@pytest.mark.law("TL-36")
def test_folding_for_nothing_is_asked_about_once() -> None:
    panel = check(private.fold_question(scene(mid_hand())))
    assert plain(panel) == "**Checking is free here.** Fold anyway?\n[+Check] [!Fold anyway]"
    row = panel.blocks[1]
    assert isinstance(row, Buttons)
    assert ids.parse(row.buttons[1].custom_id) == Press(77, 1284, 11, Verb.FOLD_ANYWAY)


def test_the_raise_form() -> None:
    view = mid_hand()
    assert view.acting is not None
    form = private.raise_form(scene(view), view.acting, 107)
    assert form_faults(form) == ()
    assert plain_form(form) == (
        "== Raise ==\n"
        "Raise to:\n"
        "  Between 2,050 and 13,700. You may write 4000, 4k, ½, pot or all.\n"
        "  [____]\n"
        "…or pick a size:\n"
        "  ( ) Minimum · 2,050\n"
        "  ( ) Half pot · 6,775\n"
        "  ( ) Pot · 12,525\n"
        "  ( ) All-in · 13,700"
    )
    assert ids.parse(form.custom_id) == FormPress(77, 1284, 11, Verb.SIZE, 107)
    raw = form_payload(form)
    assert [part["component"]["type"] for part in raw["components"]] == [4, 21]


def test_two_players_never_share_one_form() -> None:
    view = mid_hand()
    assert view.acting is not None
    first, second = (private.raise_form(scene(view), view.acting, user).custom_id for user in (1, 2))
    assert first != second


def test_a_bet_form_with_little_choice_asks_for_a_number_only() -> None:
    legal = Legal(6, Decision.BET, check=True, min_to=100, max_to=110, opening=True, level=0, pot=10, stack=200)
    form = private.raise_form(scene(mid_hand()), legal, 5)
    assert form_faults(form) == ()
    assert "== Bet ==\nBet:\n  Between 100 and 110. You may write 4000, 4k, ½, pot or max." in plain_form(form)


def test_direct_messages_off_on_and_refused() -> None:
    assert "privacy settings block it" in plain(check(private.dm_refused_panel()))
    assert plain(check(private.dm_switched_panel(77, on=False))).endswith("[…Send DMs again]")
    assert plain(check(private.dm_switched_panel(77, on=True))).endswith("[Stop sending DMs]")


def test_what_a_player_has_chosen_for_himself_is_shown_and_told() -> None:
    text = plain(check(private.wishes_panel(SIGNS, two_colour=True, by_dm=False)))
    assert "`A♠ A♥ A♦ A♣`" in text
    assert "two colours, black and red, wherever only you see them. They come by **Peek** alone." in text
    assert "four colours" in plain(check(private.wishes_panel(SIGNS, two_colour=False, by_dm=True)))

"""*My hand*: what a player's own panel shows at each moment of a hand, and which buttons it has."""

import pytest
from msgspec.structs import replace

from bot.engine import cards
from bot.engine.legal import Decision, LegalActions
from bot.engine.view.types import ActionVerb, HandView, LastAction, PaymentView, PotView
from bot.render.hand.my_hand import PLAIN, PanelState, Question, my_hand_panel, no_cards_panel
from bot.render.message import custom_ids
from bot.render.message.custom_ids import Press
from bot.render.message.panel import Buttons
from bot.text.buttons import Verb
from tests.render.sample_hands import FOLDED, LIVE, best_hand, cards_seen, mid_hand, scene
from tests.render.test_private_panels import own_view
from tests.support.message_limits import within_limits
from tests.support.panel_text import panel_as_text
from tests.support.told import deal


def shown(view: HandView, state: PanelState = PLAIN, **how: object) -> str:
    return panel_as_text(within_limits(my_hand_panel(scene(view, **how), state=state)))


def finished(*, own: int = 0, other: int = 0, folded: bool = False, held: str = "Ac 9h") -> HandView:
    """The hand of `mid_hand` at its end, as river_rat in seat 7 sees it: they put in 1,225 of 13,900."""
    view = own_view(held)
    seats = list(view.seats)
    seats[6] = replace(seats[6], starting_stack=14925, stack=13700 + own, won=own)
    if folded:
        seats[6] = replace(seats[6], state=FOLDED)
    seats[3] = replace(seats[3], won=other)
    kings = best_hand("Kc Ks Ah Kd 9c 9s 2d")
    paid = [(6, own, best_hand("Ac 9h Ah Kd 9c 9s 2d")), (3, other, kings)]
    payments = tuple(PaymentView(0, "pot", seat, chips, hand) for seat, chips, hand in paid if chips)
    return replace(view, seats=tuple(seats), over=True, showdown=True, payments=payments, legal=None, to_act=-1)


def test_own_turn_shows_all_it_takes_to_decide() -> None:
    assert shown(own_view()) == (
        "▶ **Your turn** · My hand #1284\n"
        "# :ace_of_clubs::nine_of_hearts:\n"
        "ace of clubs, nine of hearts · **full house, nines full of aces**\n"
        "Board :ace_of_hearts::king_of_diamonds::nine_of_clubs::nine_of_spades:\n"
        "bob\\_the\\_builder **15,200** · check\n"
        "Ayşe **22,340** · bet 1,025\n"
        "NightOwl **all-in**\n"
        "Pot **10,475** · 1,025 to call · **13,700** behind · ends <t:1800000024:R>\n"
        "[Fold] [+Call 1,025] […Raise…]\n"
        "[½ pot 6,775] [Pot 12,525] [!All-in 13,700]"
    )


def test_cards_are_sorted_high_to_low() -> None:
    view = own_view("2d 5d 7d 3d Js 9c Kd", name=False)
    assert "# :king_of_diamonds::jack_of_spades::nine_of_clubs::seven_of_diamonds::five_of_diamonds:" in shown(view)


def test_what_was_pressed_is_answered_on_top() -> None:
    assert shown(own_view(), PanelState("The minimum raise is to 2,050.")).startswith(
        "The minimum raise is to 2,050.\n▶ **Your turn**"
    )


def test_folded_player_has_no_buttons() -> None:
    view = own_view()
    seats = list(view.seats)
    seats[6] = replace(seats[6], state=FOLDED)
    text = shown(replace(view, seats=tuple(seats), legal=LegalActions(6)))
    assert "You have folded this hand." in text
    assert "to call" not in text and "[" not in text and "Pot" not in text, "the panel rests while the pot grows"
    assert "Ayşe" not in text, "and while the others bet"


def waiting() -> HandView:
    """The hand of `mid_hand` with Ayşe to act, who faces river_rat's bet of 2,000."""
    view = own_view(legal=LegalActions(6))
    seats = list(view.seats)
    seats[6] = replace(seats[6], bet=2000, last_action=LastAction(6, ActionVerb.BET, 2000, 2000))
    return replace(view, seats=tuple(seats), current_bet=2000, to_act=3)


def test_who_waits_reads_whose_turn_it_is() -> None:
    text = shown(waiting())
    assert text.startswith("▶ Ayşe **to act** · My hand #1284\n")
    assert text.endswith("\nPot **10,475** · **13,700** behind · **2,000** in")
    assert "ends" not in text, "the clock is somebody else's"


def test_who_waits_for_others_to_draw_reads_so() -> None:
    waits = replace(own_view(legal=LegalActions(6)), to_act=1, legal_to_act=LegalActions(1, Decision.DRAW))
    assert shown(waits).startswith("▶ bob\\_the\\_builder **to draw** · My hand #1284\n")
    assert shown(replace(waits, over=True, to_act=-1, legal_to_act=None)).startswith("My hand #1284\n")


def test_opponents_stand_in_the_order_of_play() -> None:
    """From the reader on, who is in seat 7: seats 8 and 9 have folded, then 1 and 3."""
    text = shown(own_view())
    places = [text.index(name) for name in ("bob", "Ayşe", "NightOwl")]
    assert places == sorted(places)
    view = waiting()
    seats = tuple(replace(seat, state=LIVE if seat.seat_number == 9 else seat.state) for seat in view.seats)
    text = shown(replace(view, seats=seats))
    assert text.index("Zoë") < text.index("bob")


def test_an_opponents_line_has_open_cards_bet_and_draws() -> None:
    view = own_view()
    seats = list(view.seats)
    seats[1] = replace(seats[1], cards=(*cards_seen("?? ??"), *cards_seen("9h 2d", up=True)), draw_counts=(3, 0))
    seats[3] = replace(seats[3], bet=300, last_action=LastAction(3, ActionVerb.CHECK))
    text = shown(replace(view, seats=tuple(seats)))
    assert ("bob\\_the\\_builder **15,200** :nine_of_hearts::deuce_of_diamonds: · check · drew 3, pat\n") in text
    assert "Ayşe **22,340** · check · bet 300\n" in text, "what lies before a player is told where no action tells it"


def test_more_than_five_opponents_stand_two_in_a_line() -> None:
    """Each of the two stays together where a phone breaks the line."""
    view = own_view()
    live = tuple(replace(seat, state=LIVE) if seat.state is FOLDED else seat for seat in view.seats)
    lines = shown(replace(view, seats=live)).split("\n")
    start = lines.index("Chen\u00a0Wei\u00a0**5,000** | Zoë\u00a0**5,000**")
    assert lines[start + 3] == "NightOwl\u00a0**all-in** | Олег\u00a0**5,000**"
    five = tuple(replace(seat, state=FOLDED) if seat.seat_number in {1, 3, 9} else seat for seat in live)
    assert "Chen Wei **5,000**\n" in shown(replace(view, seats=five)), "five have a line each"


def test_side_pots_stand_beside_the_pot() -> None:
    view = replace(own_view(), pots=(PotView(8000, (1, 3, 4, 6)), PotView(1450, (1, 3, 6))))
    assert "\nPot **10,475** (main 8,000 · 1,450) · 1,025 to call · " in shown(view)


def test_two_boards_are_numbered_beside_their_cards() -> None:
    """On a bomb pot with two boards each has its number, its cards and what one makes on it, in one line."""
    view = replace(own_view(), boards=(cards.parse_cards("Ah Kd 9c"), cards.parse_cards("2h 3d 4c")))
    seats = list(view.seats)
    made = tuple((("pot", best_hand(f"Ac 9h {board}")),) for board in ("Ah Kd 9c", "2h 3d 4c"))
    seats[6] = replace(seats[6], made_by_board=made)
    assert (
        "ace of clubs, nine of hearts\n"
        "Board 1 :ace_of_hearts::king_of_diamonds::nine_of_clubs: · **two pair, aces and nines**\n"
        "Board 2 :deuce_of_hearts::three_of_diamonds::four_of_clubs: · **no pair, ace high**\n"
    ) in shown(replace(view, seats=tuple(seats)))


def test_nothing_is_said_twice_on_ones_turn() -> None:
    """No number of the decision, no card in words, and no own action stands there twice."""
    text = shown(own_view())
    for once in ("10,475", "1,025 to call", "ace of clubs", "Your turn", "Call 1,025", "All-in 13,700", "[Fold]"):
        assert text.count(once) == 1, once
    assert "can see this" not in text, "Discord says that itself"


def test_before_the_flop_no_hand_is_named() -> None:
    before = replace(own_view(), boards=((),), cards_to_come=(0, 5, 0), current_bet=100)
    assert "full house" not in shown(before)


def test_spectator_sees_the_table_and_no_cards() -> None:
    text = panel_as_text(within_limits(no_cards_panel(scene(mid_hand()))))
    assert text.startswith("You have no cards in hand #1284.\nBoard ")


def test_a_panel_needs_the_players_own_view() -> None:
    with pytest.raises(AssertionError):
        my_hand_panel(scene(mid_hand()))


@pytest.mark.law("TL-36")
def test_folding_for_nothing_is_asked_about_once() -> None:
    free = LegalActions(6, Decision.BET, fold=True, check=True, min_to=100, max_to=13700, opening=True, stack=13700)
    panel = within_limits(my_hand_panel(scene(own_view(legal=free)), state=PanelState(question=Question.FOLD)))
    text = panel_as_text(panel)
    assert "**Checking is free here.** Fold anyway?" in text
    assert text.endswith("[+Check] [!Fold anyway]")
    row = panel.blocks[-1]
    assert isinstance(row, Buttons)
    assert custom_ids.parse_custom_id(row.buttons[1].custom_id) == Press(77, 1284, 11, Verb.FOLD_ANYWAY)


@pytest.mark.law("VC-20")
def test_own_panel_offers_no_bet_without_openers() -> None:
    """Everybody sees the table's Bet…; only the player knows that it is not for them."""
    view = own_view(legal=LegalActions(6, Decision.BET, fold=True, check=True, stack=13700, no_raise_law="VC-20"))
    text = shown(replace(view, openers_rank=9))
    assert "You need jacks or better to open." in text and text.endswith("[Fold] [+Check]")
    can_open = replace(view.legal, min_to=10, max_to=100, opening=True)
    assert "to open" not in shown(replace(view, openers_rank=9, legal=can_open))


@pytest.mark.parametrize(
    ("view", "told"),
    [
        (finished(own=12525), ["**You win 12,525** with nines full of aces."]),
        (
            finished(other=12525),
            ["**You lose 1,225.**", "Ayşe wins 12,525 with kings full of nines."],
        ),
        (finished(other=12525, folded=True), ["You folded and lose 1,225.", "Ayşe wins 12,525 with"]),
        (replace(finished(), voided=True, showdown=False), ["All bets are returned."]),
    ],
)
def test_finished_hand_tells_how_it_ended_for_you(view: HandView, told: list[str]) -> None:
    text = shown(view)
    for line in told:
        assert line in text


def test_loser_who_mucked_reads_what_beat_them() -> None:
    """Nothing was compared any more, and the winner's hand lies open."""
    view = finished(other=12525)
    seats = list(view.seats)
    seats[3] = replace(seats[3], made_hand=best_hand("Kc Ks Ah Kd 9c 9s 2d"))
    alone = replace(view, seats=tuple(seats), payments=(PaymentView(0, "pot", 3, 12525),))
    assert "Ayşe wins 12,525 with kings full of nines." in shown(alone)
    assert "Ayşe wins 12,525." in shown(replace(alone, showdown=False)), "a hand that nobody had to show is not named"


def presses(view: HandView) -> list[Press]:
    """Return what each button of a panel asks for, in order."""
    rows = [block for block in my_hand_panel(scene(view)).blocks if isinstance(block, Buttons)]
    found = [custom_ids.parse_custom_id(button.custom_id) for row in rows for button in row.buttons]
    return [press for press in found if isinstance(press, Press)]


@pytest.mark.law("Z-4")
def test_one_card_all_or_none_can_be_shown() -> None:
    """Cards that lie open are not offered again; whoever says *Show none* is asked no more."""
    view = finished(other=500)
    assert "\nShow the table what you had?\n-# Your stack" in shown(view)
    assert shown(view).endswith("\n[:ace_of_clubs: Show A] [:nine_of_hearts: Show 9] [Show both] [Show none]")
    seats = list(view.seats)
    ace, nine = seats[6].cards
    seats[6] = replace(seats[6], cards=(replace(ace, face_up=True), nine), shown_alone=(ace.card or 0,))
    assert shown(replace(view, seats=tuple(seats))).endswith("[:nine_of_hearts: Show 9] [Show none]")
    seats[6] = replace(seats[6], cards=(replace(ace, face_up=True), replace(nine, face_up=True)))
    assert "[Show" not in shown(replace(view, seats=tuple(seats)))
    kept = shown(view, PanelState(keeps_hidden=True))
    assert "Your cards stay hidden." in kept
    assert "[Show" not in kept


@pytest.mark.law("Z-4")
def test_a_cards_button_keeps_its_number() -> None:
    """A button that was drawn before another card was shown must not show the wrong one."""
    view = finished(other=500, held="9h Ac Kd 2c")
    numbers = [press.amount for press in presses(view) if press.verb is Verb.SHOW_CARD]
    seats = list(view.seats)
    first = seats[6].cards[0]
    seats[6] = replace(seats[6], cards=(replace(first, face_up=True), *seats[6].cards[1:]))
    assert numbers == [2, 3, 1, 4]
    assert [press.amount for press in presses(replace(view, seats=tuple(seats))) if press.verb is Verb.SHOW_CARD] == [
        2,
        3,
        4,
    ]


def test_resting_panel_offers_the_button_that_wakes_it() -> None:
    text = shown(own_view(), PanelState(resting=True))
    assert text.endswith("Press **My hand** to go on.\n[👁️ My hand]")


def test_loser_with_the_same_pair_reads_both_kickers() -> None:
    view = finished(other=2450)
    seats = list(view.seats)
    seats[6] = replace(seats[6], made_hand=best_hand("Js Th Kd 9c 9s 2d 4c"))
    payments = (PaymentView(0, "pot", 3, 2450, best_hand("Qs Th Kd 9c 9s 2d 4c")),)
    text = shown(replace(view, seats=tuple(seats), payments=payments))
    assert "**a pair of nines, king-jack kickers**" in text
    assert "Ayşe wins 2,450 with a pair of nines, king-queen kickers" in text


@pytest.mark.law("W-7", "W-8")
def test_wild_cards_say_what_they_stand_for() -> None:
    """At any time of the hand, whether they are named at the showdown or the cards speak; where the halves differ, for each half."""
    hand = deal(
        "no-limit five-card draw + joker wild 5/10", button="Ann", stacks={"Ann": 500, "Bo": 500},
        cards={"Ann": "As Ah 9c 4d Jk", "Bo": "Ks Qs Js Ts 2c"},
    )  # fmt: skip
    assert (" · **three of a kind, aces**\n-# Wild: :joker: as ace of diamonds\n") in shown(hand.view("Ann"))
    assert "Wild" not in shown(hand.view("Bo"))
    hand = deal(
        "omaha8 + joker wild 5/10", button="Ann", stacks={"Ann": 500, "Bo": 500},
        cards={"Ann": "Jk As Kd Kc"}, board="3d 4h 6c",
    )  # fmt: skip
    hand.play("Ann calls", "Bo checks")
    text = shown(hand.view("Ann"))
    assert "-# Wild for high: :joker: as ace of" in text
    assert "-# Wild for low: :joker: as deuce of" in text

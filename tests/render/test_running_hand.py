"""A running hand and the nudge are drawn for a phone."""

import pytest
from msgspec.structs import replace

from bot.engine import cards
from bot.engine.errors import BrokenInvariant
from bot.engine.legal import Decision, LegalActions, OfferKind
from bot.engine.stakes import Stakes
from bot.engine.view.types import ActionVerb, HandView, LastAction, PotView, SeatView
from bot.render.hand.action_buttons import table_rows
from bot.render.hand.my_hand import my_hand_panel
from bot.render.hand.running_hand import nudge_text, restarted_panel, running_hand_panel
from bot.render.hand.scene import Person
from bot.render.message import custom_ids
from bot.render.message.panel import BLURPLE, GREEN, GREY, WAITING, Buttons, payload
from bot.table.settings import RaiseSize
from tests.render.sample_hands import EMOJIS, LIVE, PEOPLE, cards_seen, mid_hand, scene, showdown
from tests.support.message_limits import within_limits
from tests.support.panel_text import panel_as_text
from tests.support.told import deal


def shown(view: HandView, **changes: object) -> str:
    return panel_as_text(within_limits(running_hand_panel(scene(view, **changes))))


def buttons(view: HandView, **changes: object) -> list[str]:
    rows = [block for block in running_hand_panel(scene(view, **changes)).blocks if isinstance(block, Buttons)]
    drawn = [button for row in rows for button in row.buttons]
    assert all(isinstance(custom_ids.parse_custom_id(button.custom_id), custom_ids.Press) for button in drawn), (
        "an id that nobody can read back"
    )
    return [button.label for button in drawn]


def as_seen_by_river_rat(view: HandView) -> HandView:
    """Return the hand as the player to act sees it, who holds an ace and a nine."""
    seats = tuple(replace(seat, cards=cards_seen("Ac 9h")) if seat.seat_index == 6 else seat for seat in view.seats)
    return replace(view, viewer=6, seats=seats, legal=view.legal_to_act)


def own_buttons(view: HandView, **changes: object) -> list[str]:
    """Return what the player to act can press in their panel."""
    panel = within_limits(my_hand_panel(scene(as_seen_by_river_rat(view), **changes)))
    rows = [block for block in panel.blocks if isinstance(block, Buttons)]
    return [button.label for row in rows for button in row.buttons]


def facing(**legal: int | bool) -> HandView:
    """Return the hand of `mid_hand` with other actions for river_rat."""
    view = mid_hand()
    assert view.legal_to_act is not None
    base = dict.fromkeys(("call_chips", "min_to", "max_to", "to_call", "current_bet"), 0)
    return replace(view, legal_to_act=replace(view.legal_to_act, **{**base, **legal}))


@pytest.mark.law("TL-39", "K-5")
def test_a_hand_in_the_middle_of_the_turn() -> None:
    """The pot counts live bets. The current bet, the stacks and the price of a call are shown, and the dealer is marked."""
    assert shown(mid_hand()) == (
        "### Turn · Pot 10,475\n"
        "-# Table 3 · No-Limit Hold'em 50/100 · Hand #1284\n"
        "## :ace_of_hearts::king_of_diamonds::nine_of_clubs::nine_of_spades:\n"
        "`2`\u00a0bob\\_the\\_builder **15,200** · check\n"
        "`4`\u00a0Ayşe **22,340** · bet 1,025\n"
        "`5`\u00a0NightOwl **all-in**\n"
        "▶ `7`\u00a0<@107> **13,700** · 1,025 to call · ends <t:1800000024:R>\n"
        "-# Dealer button at seat\u00a03\n"
        "[👁️ My hand] [Fold] [+Call 1,025] […Raise…]"
    )


def test_table_has_no_actions_while_a_panel_has_them() -> None:
    """So nobody sees an own action twice; a free seat stays on offer."""
    assert buttons(mid_hand(), acts_in_panel=True) == ["My hand"]
    assert buttons(mid_hand(), acts_in_panel=True, open_seats=2) == ["My hand", "Join table"]


def test_a_picture_shows_the_board_instead_of_the_text() -> None:
    assert ":ace_of_hearts:" not in shown(mid_hand(), picture=True).partition(")\n")[2]


def test_buttons_that_no_row_holds_begin_the_next() -> None:
    view = facing(call_chips=100, to_call=100, current_bet=100, min_to=200, max_to=300, two_sizes=True)
    rows = shown(view, open_seats=1).split("\n")[-2:]
    assert rows == ["[👁️ My hand] [Fold] [+Call 100] [Raise to 200] [Raise to 300]", "[Join table]"]


def test_every_button_carries_table_hand_and_action_number() -> None:
    raw = payload(running_hand_panel(scene(mid_hand())))[0]
    assert raw["accent_color"] == WAITING
    rows = [part["components"] for part in raw["components"] if part["type"] == 1]
    assert [[button["custom_id"] for button in row] for row in rows] == [
        ["t:77:1284:11:peek", "t:77:1284:11:fold", "t:77:1284:11:call:1025", "t:77:1284:11:size"],
    ]
    assert [button["style"] for button in rows[0]] == [GREY, GREY, GREEN, BLURPLE]


def test_without_emojis_the_board_stands_in_code() -> None:
    from bot.text.cards import SIGNS

    assert "## `A♥ K♦ 9♣ 9♠`" in shown(mid_hand(), emojis=SIGNS)


def test_several_pots_stand_under_the_heading() -> None:
    view = replace(mid_hand(), pots=(PotView(4200, (1,)), PotView(1850, (1,)), PotView(3400, (1,))))
    assert "-# main 4,200 · side A 1,850 · side B 3,400 · bets 1,025\n" in shown(view)
    two = replace(mid_hand(), pot=6050, pots=(PotView(4200, (1,)), PotView(1850, (1,))))
    assert "-# main 4,200 · side 1,850\n" in shown(two)


def test_a_call_is_noted_with_its_street_total() -> None:
    """A small blind that completes has called 100 like everybody else."""
    view = mid_hand()
    called = LastAction(1, ActionVerb.CALL, chips=50)
    seats = tuple(replace(seat, bet=100, last_action=called) if seat.seat_index == 1 else seat for seat in view.seats)
    assert "bob\\_the\\_builder **15,200** · call 100\n" in shown(replace(view, seats=seats))


def test_nothing_to_call() -> None:
    view = facing(check=True, min_to=100, max_to=13700, opening=True)
    assert buttons(view) == ["My hand", "Fold", "Check", "Bet…"]
    assert own_buttons(view) == ["Fold", "Check", "Bet…", "½ pot 5,237", "Pot 10,475", "All-in 13,700"]
    assert "can check" in shown(view)


def test_a_short_stack_calls_all_in() -> None:
    view = facing(call_chips=640, call_all_in=True, to_call=1025, current_bet=1025, stack=640)
    assert buttons(view) == ["My hand", "Fold", "Call all-in 640"]
    assert "640 to call, all-in for less" in shown(view)


@pytest.mark.law("VC-5")
def test_open_pair_has_a_button_for_each_size() -> None:
    view = facing(check=True, opening=True, min_to=100, max_to=200, two_sizes=True)
    assert buttons(view) == ["My hand", "Fold", "Check", "Bet 100", "Bet 200"]
    view = facing(call_chips=100, to_call=100, current_bet=100, min_to=200, max_to=300, two_sizes=True)
    assert buttons(view) == ["My hand", "Fold", "Call 100", "Raise to 200", "Raise to 300"]


def test_fixed_limit_has_one_size() -> None:
    view = facing(call_chips=100, min_to=200, max_to=200, to_call=100, current_bet=100, stack=5000)
    assert buttons(view) == ["My hand", "Fold", "Call 100", "Raise to 200"]


def test_pot_limit_ends_with_the_pot() -> None:
    view = facing(call_chips=1025, min_to=2050, max_to=12525, to_call=1025, current_bet=1025, stack=50_000)
    assert own_buttons(view) == ["Fold", "Call 1,025", "Raise…", "½ pot 6,775", "Pot 12,525"]


@pytest.mark.law("TL-21", "TL-42")
def test_all_in_before_the_draw_is_said() -> None:
    """Nothing is left to bet, and both still draw with their cards hidden: the heading says why nobody bets."""
    hand = deal("no-limit five-card draw 5/10", button="Ann", stacks={"Ann": 500, "Bo": 500})
    hand.play("Ann is all-in")
    assert "### Before the draw · Pot 510\n" in shown(hand.view())
    hand.play("Bo calls all-in")
    assert "### All-in · Draw 1 of 1 · Pot 1,000\n" in shown(hand.view())


EVERY_SIZE = tuple(RaiseSize)


def test_table_chooses_which_parts_of_pot_have_buttons() -> None:
    """They stand in the panel alone. The order stays, and what does not fit into a row of five begins the next."""
    view = facing(check=True, min_to=100, max_to=13700, opening=True)
    panel = my_hand_panel(scene(as_seen_by_river_rat(view), raise_sizes=EVERY_SIZE))
    assert panel_as_text(within_limits(panel)).endswith(
        "[Fold] [+Check] […Bet…]\n"
        "[⅓ pot 3,491] [½ pot 5,237] [⅔ pot 6,983] [¾ pot 7,856] [Pot 10,475]\n"
        "[!All-in 13,700]"
    )
    assert own_buttons(view, raise_sizes=()) == ["Fold", "Check", "Bet…", "All-in 13,700"]
    assert own_buttons(view, raise_sizes=(RaiseSize.TWO_THIRDS,))[3:5] == ["⅔ pot 6,983", "All-in 13,700"]
    assert buttons(view, raise_sizes=EVERY_SIZE) == ["My hand", "Fold", "Check", "Bet…"]


def test_sizes_below_the_minimum_have_no_button() -> None:
    """Before the flop at 50/100 a third of the pot is less than the minimum raise to 200."""
    first = facing(call_chips=100, to_call=100, current_bet=100, min_to=200, max_to=10_000, pot=150, stack=10_000)
    assert own_buttons(first, raise_sizes=EVERY_SIZE) == [
        "Fold", "Call 100", "Raise…", "½ pot 225", "⅔ pot 266", "¾ pot 287", "Pot 350", "All-in 10,000",
    ]  # fmt: skip
    tiny = facing(check=True, opening=True, min_to=1, max_to=500, pot=3, stack=500)
    assert own_buttons(tiny, raise_sizes=EVERY_SIZE)[3:-1] == ["⅓ pot 1", "⅔ pot 2", "Pot 3"]  # no total twice


@pytest.mark.law("TL-19", "L-7")
def test_limits_keep_their_buttons_whatever_the_table_chose() -> None:
    fixed = facing(call_chips=100, min_to=200, max_to=200, to_call=100, current_bet=100, stack=5000)
    assert own_buttons(fixed, raise_sizes=EVERY_SIZE) == ["Fold", "Call 100", "Raise to 200"]
    pot = facing(call_chips=1025, min_to=2050, max_to=12525, to_call=1025, current_bet=1025, stack=50_000)
    assert own_buttons(replace(pot, limit="pot_limit"), raise_sizes=(RaiseSize.THIRD,)) == [
        "Fold", "Call 1,025", "Raise…", "⅓ pot 4,858", "Pot 12,525",
    ]  # fmt: skip


def test_stake_limit_ends_with_its_maximum() -> None:
    view = facing(call_chips=1025, min_to=1026, max_to=1500, to_call=1025, current_bet=1025, stack=50_000)
    assert own_buttons(view) == ["Fold", "Call 1,025", "Raise…", "Max 1,500"]


def test_only_all_in_is_left_to_raise() -> None:
    view = facing(call_chips=1025, min_to=1400, max_to=1400, to_call=1025, current_bet=1025, stack=1400)
    assert own_buttons(view) == ["Fold", "Call 1,025", "All-in 1,400"]
    assert buttons(view) == ["My hand", "Fold", "Call 1,025"]


def test_all_in_stands_at_the_table_where_nothing_else_does() -> None:
    """Nobody is ever without a button."""
    view = facing(min_to=1400, max_to=1400, to_call=1025, current_bet=1025, stack=1400, opening=True)
    assert buttons(replace(view, legal_to_act=replace(view.legal_to_act, fold=False))) == ["My hand", "All-in 1,400"]


@pytest.mark.parametrize(
    ("legal", "labels"),
    [
        (LegalActions(6, Decision.DRAW, max_cards=3), ["My hand", "Choose discards", "Stand pat"]),
        (LegalActions(6, Decision.STRADDLE, offer_amount=200), ["My hand", "Straddle 200", "No straddle"]),
        (LegalActions(6, Decision.OFFER, offer_amount=50), ["My hand", "Fold", "Pay 50"]),
        (LegalActions(6, Decision.DECLARE, declarable_words=("high", "low")), ["My hand", "Declare…"]),
        (LegalActions(6, Decision.PASS_CARDS, min_cards=2, max_cards=2), ["My hand", "Pass 2 cards…"]),
        (LegalActions(6, Decision.SHOW, show=True, muck=True), ["My hand", "Show", "Muck"]),
        (LegalActions(6, Decision.SHOW, show=True), ["My hand", "Show"]),
    ],
)
def test_other_decisions_have_their_own_buttons(legal: LegalActions, labels: list[str]) -> None:
    assert buttons(replace(mid_hand(), legal_to_act=legal)) == labels


def test_labels_stay_short_at_the_largest_stakes() -> None:
    most = 10**12
    view = facing(
        call_chips=most // 4,
        to_call=most // 4,
        current_bet=most // 4,
        min_to=most // 2,
        max_to=most,
        stack=most,
        pot=most // 8,
    )
    assert all(len(label) <= 24 for label in buttons(view))
    short = facing(call_chips=most // 4, call_all_in=True, to_call=most // 2, current_bet=most // 2, stack=most // 4)
    assert all(len(label) <= 28 for label in buttons(short))


def test_a_free_seat_is_offered_beside_the_hand() -> None:
    assert shown(mid_hand(), open_seats=3).endswith("[👁️ My hand] [Fold] [+Call 1,025] […Raise…] [Join table]")


def draw_hand() -> HandView:
    """Return a draw: Mia drew two, bob stood pat, Ayşe chooses, NightOwl waits."""
    drew: dict[int, tuple[int, ...]] = {1: (2,), 2: (0,)}
    seats = tuple(
        SeatView(at, number, 5000, 0, 0, LIVE, cards_seen("?? ?? ?? ?? ??"), draw_counts=drew.get(number, ()))
        for at, number in enumerate((1, 2, 4, 5))
    )
    return replace(
        mid_hand(),
        game="5-Card Draw",
        street="the draw",
        draw_progress=(1, 1),
        seats=seats,
        boards=((),),
        pot=1850,
        pots=(PotView(1850, (0, 1, 2, 3)),),
        to_act=2,
        button_seat_number=5,
        street_actions=(LastAction(0, ActionVerb.DRAW, card_count=2), LastAction(1, ActionVerb.DRAW)),
        legal_to_act=LegalActions(2, Decision.DRAW, max_cards=5),
    )


def test_a_draw_in_public() -> None:
    """The number of drawn cards is public. The discarded cards never are."""
    assert shown(draw_hand()) == (
        "### Draw 1 of 1 · Pot 1,850\n"
        "-# Table 3 · 5-Card Draw 50/100 · Hand #1284\n"
        "`1`\u00a0Mia **5,000** · drew 2\n"
        "`2`\u00a0bob\\_the\\_builder **5,000** · stood pat\n"
        "▶ `4`\u00a0<@104> **5,000** **to draw** · ends <t:1800000024:R>\n"
        "`5`\u00a0NightOwl (dealer) **5,000** · waiting\n"
        "[👁️ My hand] […Choose discards] [+Stand pat]"
    )


def test_players_yet_to_draw_are_shown_waiting() -> None:
    """Mia and bob have drawn twice; NightOwl's *drew 3* is of the first draw."""
    drew = ((2, 1), (0, 0), (1,), (3,))
    seats = tuple(replace(seat, draw_counts=done) for seat, done in zip(draw_hand().seats, drew, strict=True))
    text = shown(replace(draw_hand(), seats=seats, draw_progress=(2, 3)))
    assert "Mia **5,000** · drew 2, 1\n" in text
    assert "bob\\_the\\_builder **5,000** · stood pat 2 times\n" in text
    assert "NightOwl (dealer) **5,000** · drew 3 · waiting\n" in text


def test_stud_cards_that_lie_open_stand_beside_their_player() -> None:
    view = mid_hand()
    seats = list(view.seats)
    seats[1] = replace(seats[1], cards=(*cards_seen("?? ??"), *cards_seen("9h 9d 2h", up=True)))
    text = shown(replace(view, seats=tuple(seats), boards=()))
    assert (
        "`2`\u00a0bob\\_the\\_builder **15,200** :card_back::card_back::nine_of_hearts::nine_of_diamonds::deuce_of_hearts:"
        " · check" in text
    )
    assert text.count(":card_back:") == 2, "cards face down are counted only where others lie open"


def test_wild_cards_are_named() -> None:
    """A wild card has its emoji plus `(wild)`; a designated one also says what it stands for."""
    view = mid_hand()
    seats = list(view.seats)
    held = cards.parse_cards("Jk 2d 9h")
    seats[1] = replace(
        seats[1],
        cards=cards_seen("Jk 2d 9h", up=True),
        wild_cards=held[:2],
        designations=((held[0], cards.parse_card("Kh")),),
        declaration="high",
    )
    text = shown(replace(view, seats=tuple(seats), wild_ranks=(0,)))
    assert ":joker: as king of hearts :deuce_of_diamonds: (wild) :nine_of_hearts: · check · declares high" in text
    assert "-# Wild: deuces\n" in text


def test_a_choice_that_all_make_at_once() -> None:
    """Only players who have not chosen yet are marked. A choice stays secret."""
    view = mid_hand()
    chose = LastAction(1, ActionVerb.CHOOSE)
    seats = tuple(
        replace(seat, choice_awaited=seat.seat_number in {4, 7}, last_action=chose if seat.seat_number == 2 else None)
        for seat in view.seats
    )
    legal = LegalActions(3, Decision.DECLARE, declarable_words=("high", "low"))
    text = shown(replace(view, seats=seats, to_act=3, legal_to_act=legal, street_actions=(chose,)))
    assert "▶ `4`\u00a0<@104> **22,340** **to declare** · ends <t:1800000024:R>\n" in text
    assert "▶ `7`\u00a0<@107> **13,700** **to declare**\n" in text, "the clock stands there once"
    assert "`2`\u00a0bob\\_the\\_builder **15,200** · ready\n" in text
    assert text.endswith("[👁️ My hand] […Declare…]")


def test_two_boards_stand_in_two_lines() -> None:
    view = replace(mid_hand(), boards=(cards.parse_cards("Ah Kd 9c"), cards.parse_cards("2h 3d 4c")))
    text = shown(view)
    assert (
        "## :ace_of_hearts::king_of_diamonds::nine_of_clubs:\n## :deuce_of_hearts::three_of_diamonds::four_of_clubs:"
        in text
    )


def test_a_practice_player_is_named_and_not_mentioned() -> None:
    people = {**PEOPLE, 7: Person("Robo *Rat*", -7)}
    text = shown(mid_hand(), people=people)
    assert "▶ `7`\u00a0**Robo \\*Rat\\*** **13,700** · 1,025 to call" in text
    assert "<@" not in text


def test_practice_is_mentioned_once() -> None:
    people = {**PEOPLE, 4: Person("Ada", -1), 5: Person("Bruno", -2)}
    assert "-# Table 3 · No-Limit Hold'em 50/100 · Hand #1284 · practice\n" in shown(mid_hand(), people=people)


@pytest.mark.law("VC-28")
def test_a_hand_of_a_mixture_names_it_before_the_game() -> None:
    razz = replace(mid_hand(), game="Limit Razz", stakes=Stakes(small_blind=100, big_blind=200))
    assert "-# Table 3 · H.O.R.S.E. · Limit Razz 100/200 · Hand #1284\n" in shown(razz, mixture_name="H.O.R.S.E.")


def test_unknown_people_are_their_seats() -> None:
    text = shown(mid_hand(), people={})
    assert "▶ `7`\u00a0**Seat\u00a07** **13,700**" in text


@pytest.mark.law("K-5")
def test_a_dead_button_is_shown_at_its_empty_seat() -> None:
    """The button can rest at an empty seat, and is always shown (TL-9)."""
    view = mid_hand()
    gone = replace(
        view,
        seats=tuple(seat for seat in view.seats if seat.seat_number != 3),
        to_act=-1,
        legal_to_act=None,
        street_actions=(),
    )
    text = shown(gone)
    assert "(dealer)" not in text
    assert "-# Dealer button at seat\u00a03\n" in text


@pytest.mark.law("TL-31")
def test_the_time_bank_is_for_all_to_see() -> None:
    """Everybody sees that the time bank runs."""
    assert "ends <t:1800000024:R> · time bank 45 s" in shown(mid_hand(), time_bank_seconds=45)
    assert "time bank ends <t:1800000024:R>" in shown(mid_hand(), on_time_bank=True)


def test_nudge_mentions_only_the_player_to_act() -> None:
    assert nudge_text(scene(mid_hand())) == "<@107>, your turn — 1,025 to call · <t:1800000024:R>"
    assert nudge_text(scene(mid_hand(), deadline=0)) == "<@107>, your turn — 1,025 to call"
    linked = nudge_text(scene(mid_hand(), deadline=0), "https://discord.com/channels/1/2/3")
    assert linked == "<@107>, your turn — 1,025 to call · [Go to table](https://discord.com/channels/1/2/3)"
    hurried = nudge_text(scene(mid_hand(), on_time_bank=True))
    assert hurried == "<@107>, your turn — 1,025 to call · time bank ends <t:1800000024:R>"


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        (LegalActions(6, Decision.PASS_CARDS, min_cards=3, max_cards=3), "<@107>, your turn to pass 3 cards"),
        (LegalActions(6, Decision.GIVE_UP, min_cards=1, max_cards=1), "<@107>, your turn to discard 1 card"),
        (
            LegalActions(6, Decision.OFFER, offer_amount=100, offer_kind=OfferKind.PRICE),
            "<@107>, your turn — pay 100 for the card, or fold",
        ),
        (
            LegalActions(6, Decision.BET, bring_in=25, min_to=100, max_to=100),
            "<@107>, your turn — must open: 25 or 100",
        ),
        (
            LegalActions(6, Decision.BET, bring_in=25, min_to=100, max_to=900),
            "<@107>, your turn — must open: 25, or 100 and more",
        ),
        (LegalActions(6, Decision.RUN_TWICE), "<@107>: deal the rest once or twice?"),
    ],
)
def test_nudge_names_decisions_other_than_calling(asked: LegalActions, words: str) -> None:
    view = replace(mid_hand(), legal_to_act=asked)
    separator = " · " if " — " in words else " — "
    assert nudge_text(scene(view)) == f"{words}{separator}<t:1800000024:R>"


def test_a_players_own_view_never_gets_into_a_public_message() -> None:
    """A private view that is passed by mistake is refused before anything is shown."""
    own = replace(mid_hand(), viewer=1)
    with pytest.raises(BrokenInvariant):
        running_hand_panel(scene(own))


def test_hidden_cards_are_in_no_part_of_the_message() -> None:
    raw = str(payload(running_hand_panel(scene(mid_hand()))))
    board = {EMOJIS.write_one(card) for card in cards.parse_cards("Ah Kd 9c 9s")}
    assert {mark for mark in EMOJIS.marks if mark in raw} == board


def test_restart_notice_explains_the_state_of_the_hand() -> None:
    assert panel_as_text(within_limits(restarted_panel(scene(mid_hand())))) == (
        "The bot restarted. Hand #1284 goes on, it is **river\\_rat**'s turn.\n-# The turn ends <t:1800000024:R>"
    )
    void = replace(showdown(), voided=True)
    assert panel_as_text(within_limits(restarted_panel(scene(void)))) == (
        "The bot restarted. Hand #1284 was cancelled, all bets returned.\n-# Law I-1"
    )


@pytest.mark.law("VC-27")
def test_guts_asks_in_its_heading_who_is_in() -> None:
    """Guts has no betting round before the choice, and so no street to name."""
    hand = deal("guts", button="C", stacks=dict.fromkeys("ABC", 200), stakes=Stakes(ante=1, limit=10, cap=50))
    assert shown(hand.view()).startswith("### In or out · Pot 3\n")


def table_buttons(**changes: object) -> list[list[str]]:
    """Return the labels under a table while a hand is played, by rows."""
    view = facing(call_chips=1025, min_to=2050, max_to=13700, to_call=1025, current_bet=1025)
    public = replace(scene(replace(view, viewer=None, legal=None)), **changes)
    return [[button.label for button in row.buttons] for row in table_rows(public)]


def test_book_stands_under_the_table_at_any_time() -> None:
    assert table_buttons(acts_in_panel=True, open_seats=2, has_book=True) == [["My hand", "Join table", "The book"]]
    assert table_buttons(open_seats=2, has_book=True) == [
        ["My hand", "Fold", "Call 1,025", "Raise…"],
        ["Join table", "The book"],
    ]


def test_full_table_leads_to_the_own_menu() -> None:
    assert table_buttons(acts_in_panel=True, is_full=True) == [["My hand", "Menu…"]]
    assert table_buttons(is_full=True) == [["My hand", "Fold", "Call 1,025", "Raise…", "Menu…"]]
    assert table_buttons(is_full=True, offers_return=True, has_book=True)[1] == ["I'm back", "Menu…", "The book"]

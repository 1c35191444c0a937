"""The end of a hand says who won what with which cards, and its message shrinks."""

import pytest
from msgspec.structs import replace

from bot.engine import cards
from bot.engine.errors import BrokenInvariant
from bot.engine.events import VoidReason
from bot.engine.ranking import Ranking
from bot.engine.view.types import HandView, PaymentView, SeatView, ShareView
from bot.render.hand.my_hand import my_hand_panel
from bot.render.hand.result import HandLine, hand_line, result_panel, shrunk_panel, winners, with_hand
from bot.render.hand.scene import Person, Scene
from bot.render.message.panel import GREEN, Button
from bot.text import hand as words
from tests.render.sample_hands import ALL_IN, FOLDED, LIVE, best_hand, cards_seen, mid_hand, scene, showdown
from tests.support.message_limits import within_limits
from tests.support.panel_text import panel_as_text
from tests.support.told import Told, deal

BOARD = "Ah Kd 9c 9s 2d"


def shown(view: HandView, **changes: object) -> str:
    return panel_as_text(within_limits(result_panel(scene(view), **changes)))  # type: ignore[arg-type]


def ended(payments: tuple[PaymentView, ...], held: dict[int, str], *, compared: bool = True) -> HandView:
    """Return a finished hand of Mia, bob, Jürgen and Ayşe (seat indices 0 to 3); a player without cards has folded."""
    seats = tuple(
        SeatView(
            at,
            number,
            5000,
            0,
            0,
            LIVE if number in held else FOLDED,
            cards_seen(held.get(number, "")),
            made_hand=best_hand(f"{held[number]} {BOARD}") if compared and "??" not in held.get(number, "??") else None,
        )
        for at, number in enumerate((1, 2, 3, 4))
    )
    return replace(showdown(), seats=seats, payments=payments, showdown=compared, pots=())


def test_main_and_side_pot() -> None:
    """Each pot has its winner, cards and hand. The loser who showed stands below."""
    assert shown(showdown(), next_at=1_800_000_050, next_dealer=4) == (
        "### NightOwl wins 9,450 · river\\_rat wins 4,100\n"
        "-# Table 3 · Hand #1284 · Showdown\n"
        "# :ace_of_hearts::king_of_diamonds::nine_of_clubs::nine_of_spades::deuce_of_diamonds:\n"
        "**Main pot 9,450** → NightOwl\n"
        ":king_of_spades::king_of_hearts: full house, kings full of nines\n"
        "**Side pot 4,100** → river\\_rat\n"
        ":ace_of_clubs::nine_of_hearts: full house, nines full of aces\n"
        "-# Ayşe :king_of_clubs::queen_of_hearts: two pair, kings and nines\n"
        "-# Folded: 1\u00a0Mia, 2\u00a0bob\\_the\\_builder, 3\u00a0Jürgen K, 6\u00a0Олег, 8\u00a0Chen Wei, 9\u00a0Zoë\n"
        "-# Next hand <t:1800000050:R> · dealer moves to 4\u00a0Ayşe\n"
        "[Sit out] [Leave] [Replay]"
    )


def test_headline_tells_one_pot_of_one_winner_alone() -> None:
    won = best_hand(f"Ac Qd {BOARD}")
    text = shown(ended((PaymentView(0, "pot", 0, 9450, won),), {1: "Ac Qd", 4: "Kd Qc"}))
    assert "### Mia wins 9,450\n" in text
    assert "Pot 9,450" not in text
    assert "\n:ace_of_clubs::queen_of_diamonds: two pair, aces and nines\n" in text


@pytest.mark.law("VC-28")
def test_result_of_a_mixture_names_the_game_played() -> None:
    """A table of one game names it in its lobby. Here the next hand can be another game."""
    of_horse = scene(replace(showdown(), game="Limit Razz"), mixture_name="H.O.R.S.E.")
    assert "\n-# Table 3 · H.O.R.S.E. · Limit Razz · Hand #1284 · Showdown\n" in panel_as_text(
        within_limits(result_panel(of_horse))
    )
    assert panel_as_text(within_limits(shrunk_panel(of_horse.table_id, (hand_line(of_horse),)))).startswith(
        "**Hand #1284** · H.O.R.S.E. · Limit Razz · NightOwl won 9,450 with"
    )


def test_split_pot_names_the_receiver_of_the_odd_chip() -> None:
    both = best_hand(f"Ac Qd {BOARD}")
    payments = (PaymentView(0, "pot", 0, 4726, both, odd_chips=1), PaymentView(0, "pot", 3, 4725, both))
    text = shown(ended(payments, {1: "Ac Qd", 4: "Ad Qc"}))
    assert "### Mia wins 4,726 · Ayşe wins 4,725\n" in text
    assert (
        "**Pot 9,451** → Mia 4,726 · Ayşe 4,725\n"
        "Mia :ace_of_clubs::queen_of_diamonds: two pair, aces and nines\n"
        "Ayşe :ace_of_diamonds::queen_of_clubs: two pair, aces and nines\n"
        "-# odd chip to Mia\n"
    ) in text


def test_high_and_low_stand_in_one_line() -> None:
    high = best_hand(f"Kc Ks {BOARD}")
    low = best_hand(f"3h 4h {BOARD}")
    payments = (PaymentView(0, "high", 0, 4725, high), PaymentView(0, "low", 3, 4725, low))
    text = shown(ended(payments, {1: "Kc Ks", 4: "3h 4h"}))
    assert "**Pot 9,450** → high Mia 4,725 · low Ayşe 4,725\n" in text


def test_two_boards_have_a_line_each() -> None:
    high = best_hand(f"Kc Ks {BOARD}")
    payments = (PaymentView(0, "pot", 0, 4725, high), PaymentView(0, "pot", 3, 4725, high, board_index=1))
    view = replace(
        ended(payments, {1: "Kc Ks", 4: "3h 4h"}),
        boards=(cards.parse_cards(BOARD), cards.parse_cards("2h 3d 4c 5h 6s")),
    )
    text = shown(view)
    assert "**Pot 9,450**\nBoard 1 → Mia 4,725 · full house, kings full of nines\nBoard 2 → Ayşe 4,725 · " in text


def told(hand: Told, name: str | None = None) -> str:
    """Return a finished hand as everybody, or one of its players, reads it."""
    view = hand.view(name)
    people = {view.seats[at].seat_number: Person(who, 100 + at) for at, who in enumerate(hand.names)}
    seen = Scene(77, 3, 5, view, people)
    return panel_as_text(within_limits(my_hand_panel(seen) if name else result_panel(seen)))


@pytest.mark.law("TL-25", "TL-22")
def test_hands_on_both_boards_are_told() -> None:
    """Run twice: Ann's aces win the first board, Bo's kings the second. Cy, who lost both, and each winner read both of their hands."""
    hand = deal(
        "no-limit hold'em 5/10", button="Ann", stacks={"Ann": 500, "Bo": 500, "Cy": 500}, ask_run_twice=True,
        cards={"Ann": "As Ad", "Bo": "Ks Kd", "Cy": "Qs Qd"}, board="2c 7d 8h 3s 4c / Kh 9d 9h 3d 5c",
    )  # fmt: skip
    hand.play("Ann is all-in", "Bo calls all-in", "Cy calls all-in")
    hand.play("Bo runs it twice", "Cy runs it twice", "Ann runs it twice")
    text = told(hand)
    assert (
        "**Pot 1,500**\nBoard 1 → Ann 750 · a pair of aces\nBoard 2 → Bo 750 · full house, kings full of nines\n"
    ) in text
    assert "-# Cy `Q♠ Q♦` board 1: a pair of queens, board 2: two pair, queens and nines\n" in text
    assert "Board 1 `2♣ 7♦ 8♥ 3♠ 4♣` · **a pair of queens**\n" in told(hand, "Cy")
    assert "Board 2 `K♥ 9♦ 9♥ 3♦ 5♣` · **two pair, queens and nines**\n" in told(hand, "Cy")
    assert "Board 1 `2♣ 7♦ 8♥ 3♠ 4♣` · **a pair of aces**\n" in told(hand, "Ann")
    assert (
        "**You lose 500.**\n"
        "Board 1: Ann wins 750 with a pair of aces.\n"
        "Board 2: Bo wins 750 with kings full of nines.\n"
    ) in told(hand, "Cy")
    assert ("Board 1: **you win 750** with a pair of aces.\nBoard 2: Bo wins 750 with kings full of nines.\n") in told(
        hand, "Ann"
    )


@pytest.mark.law("TL-43", "TL-25")
def test_who_wins_both_boards_reads_so_in_one_line() -> None:
    hand = deal(
        "no-limit hold'em 5/10", button="Ann", stacks={"Ann": 500, "Bo": 500}, ask_run_twice=True,
        cards={"Ann": "As Ad", "Bo": "Qs Qd"}, board="2c 7d 8h 3s 4c / Kh 9d 9h 3d 5c",
    )  # fmt: skip
    hand.play("Ann is all-in", "Bo calls all-in")
    hand.play("Bo runs it twice", "Ann runs it twice")
    both = "both boards: a pair of aces on 1, aces and nines on 2."
    assert f"**You win 1,000**, {both}\n" in told(hand, "Ann")
    assert f"**You lose 500.**\nAnn wins 1,000, {both}\n" in told(hand, "Bo")


@pytest.mark.law("TL-43", "TL-25")
def test_both_halves_of_both_boards_are_told() -> None:
    """Omaha high-low on two boards: only the second has a low. What was told of the main pot is not repeated for the side pot."""
    hand = deal(
        "no-limit omaha8 5/10", button="Ann", stacks={"Ann": 500, "Bo": 500, "Cy": 100}, ask_run_twice=True,
        cards={"Ann": "As Ad Kc Qh", "Bo": "2s 3d Jc 9s", "Cy": "Ks Kd Td 9h"},
        board="Ah Th 9c 8s 2d / Ac 7d 8h Ts Jd",
    )  # fmt: skip
    hand.play("Ann is all-in", "Bo calls all-in", "Cy calls all-in")
    hand.play("Bo runs it twice", "Cy runs it twice", "Ann runs it twice")
    main, side = told(hand).split("**Side pot 800**")
    assert "no low" in main.split("Board 2")[0] and "low Bo" in main.split("Board 2")[1]
    assert "8-7-3-2-A" in main and "8-7-3-2-A" not in side.split("\n-#")[0]
    assert "the low 8-7-3-2-A" in told(hand, "Ann")


def test_shared_side_pot_does_not_repeat_the_hands() -> None:
    """Mia and Ayşe share the side pot too: their cards and hands stand above, and a list without names would tell nothing."""
    both = best_hand(f"Ac Qd {BOARD}")
    payments = tuple(PaymentView(pot, "pot", seat, 500, both) for pot in (0, 1) for seat in (0, 3))
    text = shown(ended(payments, {1: "Ac Qd", 4: "Ad Qc"}))
    assert "**Side pot 1,000** → Mia 500 · Ayşe 500\n-#" in text


def test_hands_are_won_with_as_people_say_it() -> None:
    hand = deal(
        "badugi 5/10", button="Ann", stacks={"Ann": 500, "Bo": 500}, cards={"Ann": "As 2d 3c 3h", "Bo": "Ks Kd Qc Qh"},
    )  # fmt: skip
    hand.play("Ann calls", "Bo checks")
    for _ in range(3):
        hand.play("Bo stands pat", "Ann stands pat", "Bo checks", "Ann checks")
    assert "**You win 20** with a three-card badugi, 3-2-A." in told(hand, "Ann")
    assert "Your stack 510" in told(hand, "Ann") and "Your stack 490" in told(hand, "Bo")


def test_straddler_reads_that_cards_come_later() -> None:
    hand = deal("old english draw", button="Ann", stacks={"Ann": 500, "Bo": 500, "Cy": 500})
    assert "You can straddle" in told(hand, "Cy") and "No cards have been dealt yet." in told(hand, "Cy")


def test_everybody_else_folded() -> None:
    """No cards are shown, the uncalled bet comes back, and the winner can show their cards."""
    view = replace(
        ended((PaymentView(0, "pot", 3, 1850),), {4: "?? ??"}, compared=False),
        uncalled_bet_returned=(3, 600),
        boards=((),),
        street="flop",
    )
    assert shown(view, next_at=1_800_000_050) == (
        "### Ayşe wins 1,850\n"
        "-# Table 3 · Hand #1284 · No showdown\n"
        "-# 600 back to Ayşe, uncalled\n"
        "-# Folded: 1\u00a0Mia, 2\u00a0bob\\_the\\_builder, 3\u00a0Jürgen K\n"
        "-# Next hand <t:1800000050:R>\n"
        "[Show my cards] [Sit out] [Leave] [Replay]"
    )


@pytest.mark.law("TL-26")
def test_undealt_cards_are_told_board_by_board() -> None:
    over = replace(
        ended((PaymentView(0, "pot", 3, 1850),), {4: "?? ??"}, compared=False),
        boards=(cards.parse_cards("Ah Kd 9c"),),
        rabbit_cards=(cards.parse_cards("9s 2d"),),
    )
    assert "-# Undealt: :nine_of_spades::deuce_of_diamonds:\n" in shown(over)
    both = (cards.parse_cards("9s 2d"), cards.parse_cards("3c 4c"))
    assert (
        "-# Undealt on board 1: :nine_of_spades::deuce_of_diamonds:\n"
        "-# Undealt on board 2: :three_of_clubs::four_of_clubs:\n"
    ) in shown(replace(over, boards=over.boards * 2, rabbit_cards=both))


@pytest.mark.law("Z-4")
def test_a_card_shown_alone_is_told_to_all() -> None:
    """The winner shows one card, and somebody who had folded one of theirs."""
    view = ended((PaymentView(0, "pot", 3, 1850),), {4: "Ks ??"}, compared=False)
    seats = list(view.seats)
    seats[3] = replace(seats[3], shown_alone=(cards.parse_card("Ks"),))
    seats[0] = replace(seats[0], cards=cards_seen("?? 2c"), shown_alone=(cards.parse_card("2c"),))
    text = shown(replace(view, seats=tuple(seats)))
    assert "-# Mia shows :deuce_of_clubs: · Ayşe shows :king_of_spades:\n" in text
    assert "[Show my cards]" in text


def test_beaten_hand_can_be_mucked_unseen() -> None:
    view = ended((PaymentView(0, "pot", 0, 900, best_hand(f"Kc Ks {BOARD}")),), {1: "Kc Ks", 4: "?? ??"})
    text = shown(view, reason="Waiting for a second player")
    assert "-# Ayşe mucks\n" in text
    assert "\nWaiting for a second player\n" in text


@pytest.mark.law("Z-5")
def test_mucked_stud_hand_keeps_its_up_cards_visible() -> None:
    view = ended((PaymentView(0, "pot", 0, 900, best_hand(f"Kc Ks {BOARD}")),), {1: "Kc Ks", 4: "5s ??"})
    assert "-# Ayşe :five_of_spades: · mucks\n" in shown(view)
    mucked = view.seats[3]
    view = replace(view, seats=(*view.seats[:3], replace(mucked, cards=mucked.cards[:1])))  # the others are in the muck
    assert "-# Ayşe :five_of_spades: · mucks\n" in shown(view)


def test_a_cancelled_hand() -> None:
    view = replace(showdown(), voided=True, void_reason="a card twice: <@5>", payments=(), showdown=False)
    text = shown(view)
    assert text.startswith("### Hand #1284 was cancelled\n-# Table 3 · Hand #1284 · Cancelled\n")
    assert "All bets are returned: a card twice\\: \\<@\u200b5\\>." in text
    assert "king_of_spades" not in text
    assert "Show my cards" not in text


@pytest.mark.parametrize(
    ("stored", "shown"),
    [
        ("no wild rank", "no card came up that makes a rank wild"),
        ("irregular deal", "the deal was irregular"),
        ("lost cards", "the order of the cards was lost"),
        ("dealer fault", "the dealer could not go on"),
        ("channel gone", "the channel is gone"),
        ("no card came up that names a wild one", "no card came up that names a wild one"),
    ],
)
def test_a_cancelled_hand_says_why_in_words(stored: str, shown: str) -> None:
    """An older version stored the last reason as a sentence."""
    assert set(words.VOID_REASONS) == set(VoidReason)
    assert words.void_reason(stored) == shown


def test_a_hand_shrinks_to_its_result() -> None:
    assert panel_as_text(within_limits(shrunk_panel(7, (hand_line(scene(showdown())),)))) == (
        "**Hand #1284** · NightOwl won 9,450 with kings full of nines · river\\_rat won 4,100 with nines full of aces against Ayşe · "
        ":ace_of_hearts::king_of_diamonds::nine_of_clubs::nine_of_spades::deuce_of_diamonds:\n[Replay]"
    )


def test_winners_are_ordered_by_chips_won() -> None:
    assert [(seat.seat_number, chips) for seat, chips in winners(scene(showdown()))] == [(5, 9450), (7, 4100)]


def test_a_players_own_view_never_gets_into_a_result() -> None:
    with pytest.raises(BrokenInvariant):
        result_panel(scene(replace(showdown(), viewer=2)))


def test_way_on_comes_first_and_joining_last() -> None:
    """The result says why no hand follows, and its green button is the way on."""
    ways = (Button("I'm back", "t:1:1:0:back", GREEN), Button("Join table", "t:1:1:0:sit"))
    assert shown(showdown(), reason="Bo sits out", ways_on=ways).endswith(
        "\nBo sits out\n[+I'm back] [Sit out] [Leave] [Replay] [Join table]"
    )


def test_an_all_in_player_is_no_mucker() -> None:
    assert ALL_IN in {seat.state for seat in showdown().seats}
    assert "mucks" not in shown(showdown())


def test_the_running_hand_is_not_touched() -> None:
    assert mid_hand() == mid_hand()


def test_loser_with_the_same_pair_reads_whose_kicker_won() -> None:
    """Both have the nines of the board; the queen meets a jack."""
    view = ended((PaymentView(0, "pot", 0, 900, best_hand(f"Qc Js {BOARD}")),), {1: "Qc Js", 4: "Jh Tc"})
    text = shown(view)
    assert ":queen_of_clubs::jack_of_spades: a pair of nines, ace-king-queen kickers\n" in text
    assert "-# Ayşe :jack_of_hearts::ten_of_clubs: a pair of nines, ace-king-jack kickers\n" in text


def test_pot_without_a_low_says_so() -> None:
    high = best_hand(f"Kc Ks {BOARD}")
    shares = (ShareView("high", Ranking()), ShareView("low", Ranking()))
    view = ended((PaymentView(0, "high", 0, 2200, high),), {1: "Kc Ks", 4: "3h 4h"})
    assert "**Pot 2,200** → high Mia 2,200 · no low\n" in shown(replace(view, shares=shares))
    uncontested = replace(view, shares=shares, payments=(PaymentView(0, "pot", 0, 2200),))
    assert "no low" not in shown(uncontested)


def test_side_pot_names_the_hand_shown_above() -> None:
    high = best_hand(f"Kc Ks {BOARD}")
    payments = (PaymentView(0, "pot", 0, 900, high), PaymentView(1, "pot", 0, 400, high))
    text = shown(ended(payments, {1: "Kc Ks", 4: "3h 4h"}))
    assert text.count(":king_of_clubs::king_of_spades:") == 1
    assert "**Side pot 400** → Mia · full house, kings full of nines\n" in text


def test_hands_without_a_showdown_shrink_to_one_line() -> None:
    folded = ended((PaymentView(0, "pot", 3, 1850),), {4: "?? ??"}, compared=False)
    assert (
        panel_as_text(shrunk_panel(7, (hand_line(scene(folded)),)))
        == "**Hand #1284** · Ayşe won 1,850 · no showdown\n[Replay]"
    )
    assert (
        panel_as_text(
            shrunk_panel(7, (HandLine(1284, 1289, "**Hands #1284–1289** · no showdown", is_uncontested=True),))
        )
        == "**Hands #1284–1289** · no showdown\n[Replay]"
    )


def test_shrunk_hand_names_the_kicker_that_won() -> None:
    view = ended((PaymentView(0, "pot", 0, 900, best_hand(f"Qc Js {BOARD}")),), {1: "Qc Js", 3: "?? ??", 4: "Jh Tc"})
    assert "Mia won 900 with a pair of nines, ace-king-queen kickers against Jürgen K and Ayşe · " in panel_as_text(
        within_limits(shrunk_panel(7, (hand_line(scene(view)),)))
    )


def test_message_keeps_the_newest_hands_that_fit() -> None:
    hands: tuple[HandLine, ...] = ()
    for number in range(1, 101):
        hands = with_hand(hands, HandLine(number, number, f"**Hand #{number}** · " + "Ann won " * 20))
    assert hands[-1].last == 100 and 1 < hands[0].first < 100
    within_limits(shrunk_panel(7, hands))


def test_hands_in_a_row_without_a_showdown_share_a_line() -> None:
    hands = with_hand((), HandLine(1284, 1288, "five hands", is_uncontested=True))
    hands = with_hand(hands, HandLine(1289, 1289, "one hand", is_uncontested=True))
    assert panel_as_text(shrunk_panel(7, hands)) == "**Hands #1284–1289** · no showdown\n[Replay]"

"""Private choices: cards, their order, words, what wild cards stand for."""

import pytest
from msgspec.structs import replace

from bot.engine import cards
from bot.engine.legal import Decision, LegalActions
from bot.engine.ranking import Ranking, WildMethod, WildPolicy
from bot.engine.view.types import HandView, ShareView
from bot.render.hand import private_choices
from bot.render.hand.choice_codes import (
    WildMeanings,
    decode_meanings,
    decode_order,
    decode_set,
    encode_order,
    encode_set,
)
from bot.render.message import custom_ids
from bot.render.message.custom_ids import Press, Verb
from bot.render.message.panel import Button, Buttons, Panel, Select
from tests.render.sample_hands import cards_seen, mid_hand, scene
from tests.support.message_limits import within_limits
from tests.support.panel_text import panel_as_text


def scene_with_choice(held: str, legal: LegalActions, *, up: str = "") -> HandView:
    """A hand without a board in which something is asked of seat 7."""
    view = mid_hand()
    seats = list(view.seats)
    seats[6] = replace(seats[6], cards=(*cards_seen(held), *cards_seen(up, up=True)), made_hand=None)
    return replace(view, viewer=6, seats=tuple(seats), legal=legal, legal_to_act=legal, boards=((),))


def buttons(panel: Panel) -> dict[str, Press]:
    """The buttons of a panel, by label."""
    found: dict[str, Press] = {}
    for row in panel.blocks:
        for button in row.buttons if isinstance(row, Buttons) else ():
            assert isinstance(button, Button)
            press = custom_ids.parse_custom_id(button.custom_id)
            assert isinstance(press, Press)
            found[button.label] = press
    return found


def select(panel: Panel) -> Select:
    return next(block for block in panel.blocks if isinstance(block, Select))


@pytest.mark.law("VC-20")
@pytest.mark.parametrize(("opened", "told"), [(6, True), (2, False), (-1, False)])
def test_opener_is_warned_that_splitting_is_announced(opened: int, told: bool) -> None:
    view = replace(
        scene_with_choice("Qs Qd 7h 4c 2s", LegalActions(6, Decision.DRAW, max_cards=3)), seat_of_opener=opened
    )
    assert (
        "announced as splitting them" in panel_as_text(within_limits(private_choices.discard_panel(scene(view))))
    ) is told


def test_choosing_discards() -> None:
    """A select of the player's own cards; the button then says how many are drawn."""
    view = scene_with_choice("Qs Qd 7h 4c 2s", LegalActions(6, Decision.DRAW, max_cards=3))
    panel = within_limits(private_choices.discard_panel(scene(view)))
    assert panel_as_text(panel) == (
        "### Your cards\n"
        "# :queen_of_spades::queen_of_diamonds::seven_of_hearts::four_of_clubs::deuce_of_spades:\n"
        "[Discard up to 3 cards ▾] queen of spades | queen of diamonds | seven of hearts | four of clubs | deuce of spades\n"
        "[Stand pat]"
    )
    assert (select(panel).min_values, select(panel).max_values) == (0, 3)
    marked = private_choices.marked_card_indexes(view.seats[6], ("2", "3", "4"))
    chosen = within_limits(private_choices.discard_panel(scene(view), marked))
    assert panel_as_text(chosen).endswith(
        "*seven of hearts | *four of clubs | *deuce of spades\n[+Draw 3 cards] [Stand pat]"
    )
    pressed = buttons(chosen)["Draw 3 cards"]
    assert private_choices.chosen_card_indexes(view.seats[6], pressed.amount) == (2, 3, 4)


def test_passing_takes_exactly_as_many_as_asked() -> None:
    view = scene_with_choice("Qs Qd 7h 4c 2s", LegalActions(6, Decision.PASS_CARDS, min_cards=2, max_cards=2))
    assert "[Pass 2 cards ▾]" in panel_as_text(within_limits(private_choices.choice_panel(scene(view))))
    assert panel_as_text(private_choices.discard_panel(scene(view), (2,))).endswith("deuce of spades")
    assert panel_as_text(private_choices.discard_panel(scene(view), (2, 4))).endswith("[+Pass 2 cards]")


def test_only_cards_that_lie_face_down_can_be_given_up() -> None:
    view = scene_with_choice("Qs Qd", LegalActions(6, Decision.DRAW, max_cards=2), up="7h 4c")
    assert [option.label for option in select(private_choices.discard_panel(scene(view))).options] == [
        "queen of spades",
        "queen of diamonds",
    ]


def test_an_order_is_chosen_card_by_card() -> None:
    view = scene_with_choice("Qs Qd 7h 4c 2s", LegalActions(6, Decision.ARRANGE, min_cards=5, max_cards=5))
    panel = within_limits(private_choices.choice_panel(scene(view)))
    assert select(panel).placeholder == "Turned up first…"
    assert private_choices.ordered_card_indexes(view.seats[6], buttons(panel)["As they were dealt"].amount) == (
        0,
        1,
        2,
        3,
        4,
    )
    code = 0
    for at, word in ((4, "second"), (3, "third"), (2, "fourth")):
        code = private_choices.extend_order(code, at)
        panel = within_limits(private_choices.order_panel(scene(view), code))
        assert select(panel).placeholder == f"Turned up {word}…"
    panel = within_limits(private_choices.order_panel(scene(view), private_choices.extend_order(code, 0)))
    assert "**Order** :deuce_of_spades: → :four_of_clubs: → :seven_of_hearts:" in panel_as_text(panel)
    assert private_choices.ordered_card_indexes(view.seats[6], buttons(panel)["Keep this order"].amount) == (
        4,
        3,
        2,
        0,
        1,
    )
    assert buttons(panel)["Start over"].verb is Verb.OPEN_CHOICE
    assert private_choices.extend_order(code, 4) == code, "a card is named once"


def test_declarations_are_buttons() -> None:
    legal = LegalActions(6, Decision.DECLARE, declarable_words=("high", "low", "both"))
    panel = within_limits(private_choices.choice_panel(scene(scene_with_choice("Qs Qd 7h 4c 2s", legal))))
    assert panel_as_text(panel).endswith("-# It's revealed when everyone has chosen.\n[…High] […Low] […Both]")
    assert private_choices.declared_word(legal, buttons(panel)["Low"].amount) == "low"
    assert [private_choices.declared_word(legal, number) for number in (0, 4)] == ["", ""]


def wild_hand(held: str, *, words: tuple[str, ...] = ()) -> HandView:
    """A hand at the show, where its joker and its deuces must be given a meaning."""
    ranking = Ranking(wild=WildPolicy(method=WildMethod.FREE, ranks=(0,)))
    wild = tuple(at for at, card in enumerate(cards.parse_cards(held)) if card >> 2 == 0 or card == cards.JOKER)
    legal = LegalActions(6, Decision.SHOW, show=True, designable_indices=wild, declarable_words=words)
    return replace(scene_with_choice(held, legal), shares=(ShareView("pot", ranking),))


@pytest.mark.law("W-7")
def test_a_wild_card_is_given_a_rank_then_a_suit() -> None:
    view = wild_hand("Kh Kd Jk 9c 2s")
    panel = within_limits(private_choices.choice_panel(scene(view)))
    assert ":joker: as …\n:deuce_of_spades: as …" in panel_as_text(panel)
    assert select(panel).placeholder == "The joker stands for…"
    best = private_choices.designations_at_show(scene(view), buttons(panel)["Best hand"].amount)
    assert {card >> 2 for _, card in best[0]} == {cards.KING}
    code, rank = private_choices.rank_chosen(scene(view), 0, str(cards.KING))
    panel = within_limits(private_choices.wild_meaning_panel(scene(view), code, rank))
    assert {"of clubs", "of diamonds", "of hearts", "of spades"} <= set(buttons(panel))
    code = buttons(panel)["of spades"].amount
    panel = within_limits(private_choices.wild_meaning_panel(scene(view), code))
    assert ":joker: as king of spades\n:deuce_of_spades: as …" in panel_as_text(panel)
    code, rank = private_choices.rank_chosen(scene(view), code, "face")
    assert rank == -1
    panel = within_limits(private_choices.wild_meaning_panel(scene(view), code))
    assert ":deuce_of_spades: as its face value" in panel_as_text(panel)
    pairs, word = private_choices.designations_at_show(scene(view), buttons(panel)["Show"].amount)
    assert (pairs, word) == (((2, cards.parse_card("Ks")),), "")


@pytest.mark.law("LO-3")
def test_aces_are_declared_with_the_show() -> None:
    view = wild_hand("Kh Kd Ah 9c 3s", words=("aces high", "aces low"))
    panel = within_limits(private_choices.choice_panel(scene(view)))
    assert private_choices.designations_at_show(scene(view), buttons(panel)["Show, aces low"].amount) == (
        (),
        "aces low",
    )


def test_codes_are_read_back() -> None:
    assert decode_set(encode_set((0, 3, 11))) == (0, 3, 11)
    assert decode_order(encode_order((4, 0, 6, 1))) == (4, 0, 6, 1)
    said = WildMeanings((51, None, -1, 0), 2)
    assert decode_meanings(said.code, 4) == said
    assert WildMeanings((52,) * 9).code < 2**63


def test_forged_codes_do_no_harm() -> None:
    """An id is public: whatever number comes back is read as something, or as nothing."""
    view = scene_with_choice("Qs Qd 7h 4c 2s", LegalActions(6, Decision.ARRANGE, min_cards=5, max_cards=5))
    for code in (2**63 - 1, 15, 0xFFFF, 1 << 62):
        private_choices.chosen_card_indexes(view.seats[6], code)
        private_choices.ordered_card_indexes(view.seats[6], code)
        within_limits(private_choices.order_panel(scene(view), code))
        wild = wild_hand("Kh Kd Jk 9c 2s")
        within_limits(private_choices.wild_meaning_panel(scene(wild), code))
        private_choices.designations_at_show(scene(wild), code)

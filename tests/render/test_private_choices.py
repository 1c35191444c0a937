"""Players choose in private: cards, their order, words, and what wild cards stand for."""

import pytest
from msgspec.structs import replace

from bot.engine import cards
from bot.engine import commands as c
from bot.engine.choices.designations import designable_wild_cards
from bot.engine.customs import ExtraCardRank
from bot.engine.decide import decide
from bot.engine.legal import Decision, LegalActions
from bot.engine.ranking import Ranking, WildMethod, WildPolicy
from bot.engine.rule_card import RuleCard
from bot.engine.stakes import Stakes
from bot.engine.steps import DealBoard, DealDown, DealUp, DealUpInTurn, DealUpOrDown
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
from bot.render.hand.my_hand import PanelState, my_hand_panel
from bot.render.hand.private_choices import PrivateChoice
from bot.render.message import custom_ids
from bot.render.message.custom_ids import Press
from bot.render.message.panel import Button, Buttons, Panel, Select
from bot.text.buttons import Verb
from bot.variants import game as named
from bot.variants.catalogue import CATALOGUE
from tests.render.sample_hands import cards_seen, mid_hand, scene
from tests.support.message_limits import within_limits
from tests.support.panel_text import panel_as_text
from tests.support.told import deal


def scene_with_choice(held: str, legal: LegalActions, *, up: str = "") -> HandView:
    """Return a hand without a board in which seat 7 has to choose."""
    view = mid_hand()
    seats = list(view.seats)
    seats[6] = replace(seats[6], cards=(*cards_seen(held), *cards_seen(up, up=True)), made_hand=None)
    return replace(view, viewer=6, seats=tuple(seats), legal=legal, legal_to_act=legal, boards=((),))


def asked(view: HandView, code: int = 0, rank: int = -1) -> Panel:
    """The player's panel with what they have chosen so far."""
    return within_limits(my_hand_panel(scene(view), state=PanelState(choice=PrivateChoice(code, rank))))


def buttons(panel: Panel) -> dict[str, Press]:
    """Return the buttons of a panel, by label."""
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
    assert ("announced as splitting them" in panel_as_text(asked(view))) is told


def test_cards_to_discard_are_marked_one_by_one() -> None:
    """Each card is a button, so none stands above as a tile; one more button says how many are drawn."""
    view = scene_with_choice("Qs 7h Qd 4c 2s", LegalActions(6, Decision.DRAW, max_cards=3))
    panel = asked(view)
    assert panel_as_text(panel).split("\n") == [
        "▶ **Draw up to 3** · My hand #1284",
        "queen of spades, queen of diamonds, seven of hearts, four of clubs, deuce of spades",
        "bob\\_the\\_builder **15,200** · waiting",
        "Ayşe **22,340** · waiting · bet 1,025",
        "NightOwl **all-in** · waiting",
        "Pot **10,475** · **13,700** behind · ends <t:1800000024:R>",
        "[:queen_of_spades: Q] [:queen_of_diamonds: Q] [:seven_of_hearts: 7] [:four_of_clubs: 4] [:deuce_of_spades: 2]",
        "[+Stand pat]",
    ]
    panel = asked(view, buttons(panel)["7"].amount)
    panel = asked(view, buttons(panel)["4"].amount)
    assert "[…:seven_of_hearts: ✓ 7] […:four_of_clubs: ✓ 4]" in panel_as_text(panel)
    assert panel_as_text(panel).endswith("[+Draw 2]")
    assert private_choices.chosen_card_indexes(view.seats[6], buttons(panel)["Draw 2"].amount) == (1, 3)
    assert buttons(panel)["✓ 7"].amount == 1 << 3, "another press takes the mark away"


@pytest.mark.law("X-7")
@pytest.mark.parametrize("short", [False, True])
def test_small_draw_names_the_short_deck(short: bool) -> None:
    view = scene_with_choice("Qs Qd 7h 4c 2s", LegalActions(6, Decision.DRAW, max_cards=2, deck_is_short=short))
    said = "-# The deck is almost used up.\n"
    assert (said in panel_as_text(asked(view))) is short


def test_passing_takes_exactly_as_many_as_asked() -> None:
    view = scene_with_choice("Qs Qd 7h 4c 2s", LegalActions(6, Decision.PASS_CARDS, min_cards=2, max_cards=2))
    assert "▶ **Pass 2 cards**" in panel_as_text(asked(view))
    assert "Pass" not in "".join(buttons(asked(view, encode_set((2,)))))
    assert panel_as_text(asked(view, encode_set((2, 4)))).endswith("[+Pass 2]")
    assert "Pass 3" not in buttons(asked(view, encode_set((2, 3, 4))))


def test_only_one_card_to_give_up_moves_the_mark() -> None:
    view = scene_with_choice("Qs Qd 7h", LegalActions(6, Decision.GIVE_UP, min_cards=1, max_cards=1))
    assert buttons(asked(view, encode_set((0,))))["7"].amount == encode_set((2,))


def test_only_cards_that_lie_face_down_can_be_given_up() -> None:
    view = scene_with_choice("Qs Jd", LegalActions(6, Decision.DRAW, max_cards=2), up="7h 4c")
    assert [label for label, press in buttons(asked(view)).items() if press.verb is Verb.MARK] == ["Q", "J"]


def test_an_order_is_chosen_card_by_card() -> None:
    view = scene_with_choice("Qs Jd 7h 4c 2s", LegalActions(6, Decision.ARRANGE, min_cards=5, max_cards=5))
    panel = asked(view)
    assert "Which card is first?" in panel_as_text(panel)
    as_dealt = buttons(panel)["As they were dealt"].amount
    assert private_choices.ordered_card_indexes(view.seats[6], as_dealt) == (0, 1, 2, 3, 4)
    for card, word in (("2", "second"), ("4", "third"), ("7", "fourth")):
        panel = asked(view, buttons(panel)[card].amount)
        assert f"Which card is {word}?" in panel_as_text(panel)
    panel = asked(view, buttons(panel)["Q"].amount)
    assert "**Order** :deuce_of_spades: → :four_of_clubs: → :seven_of_hearts:" in panel_as_text(panel)
    order = buttons(panel)["Keep this order"].amount
    assert private_choices.ordered_card_indexes(view.seats[6], order) == (4, 3, 2, 0, 1)
    assert buttons(panel)["Start over"].verb is Verb.OPEN_CHOICE


def test_selects_of_earlier_versions_are_still_read() -> None:
    view = scene_with_choice("Qs Qd 7h 4c 2s", LegalActions(6, Decision.DRAW, max_cards=3))
    assert private_choices.marks_of(view.seats[6], ("2", "4", "9", "x")) == encode_set((2, 4))
    assert private_choices.extend_order(encode_order((4,)), 4) == encode_order((4,)), "a card is named once"


def test_declarations_are_buttons() -> None:
    legal = LegalActions(6, Decision.DECLARE, declarable_words=("high", "low", "both"))
    panel = asked(scene_with_choice("Qs Qd 7h 4c 2s", legal))
    assert "-# It's revealed when everyone has chosen." in panel_as_text(panel)
    assert panel_as_text(panel).endswith("[…High] […Low] […Both]")
    assert private_choices.declared_word(legal, buttons(panel)["Low"].amount) == "low"
    assert [private_choices.declared_word(legal, number) for number in (0, 4)] == ["", ""]


def wild_hand(held: str, *, words: tuple[str, ...] = ()) -> HandView:
    """Return a hand at the showdown in which a joker and two deuces need a meaning."""
    ranking = Ranking(wild=WildPolicy(method=WildMethod.FREE, ranks=(0,)))
    wild = tuple(at for at, card in enumerate(cards.parse_cards(held)) if card >> 2 == 0 or card == cards.JOKER)
    legal = LegalActions(6, Decision.SHOW, show=True, designable_indices=wild, declarable_words=words)
    return replace(scene_with_choice(held, legal), shares=(ShareView("pot", ranking),))


@pytest.mark.law("W-7")
def test_a_wild_card_is_given_a_rank_then_a_suit() -> None:
    view = wild_hand("Kh Kd Jk 9c 2s")
    panel = asked(view)
    assert ":joker: as …\n:deuce_of_spades: as …" in panel_as_text(panel)
    assert select(panel).placeholder == "The joker stands for…"
    best = private_choices.designations_at_show(scene(view), buttons(panel)["Show best hand"].amount)
    assert {card >> 2 for _, card in best[0]} == {cards.KING}
    code, rank = private_choices.rank_chosen(scene(view), 0, str(cards.KING))
    panel = asked(view, code, rank)
    assert {"of clubs", "of diamonds", "of hearts", "of spades"} <= set(buttons(panel))
    code = buttons(panel)["of spades"].amount
    panel = asked(view, code)
    assert ":joker: as king of spades\n:deuce_of_spades: as …" in panel_as_text(panel)
    code, rank = private_choices.rank_chosen(scene(view), code, "face")
    assert rank == -1
    panel = asked(view, code)
    assert ":deuce_of_spades: as its face value" in panel_as_text(panel)
    pairs, word = private_choices.designations_at_show(scene(view), buttons(panel)["Show"].amount)
    assert (pairs, word) == (((2, cards.parse_card("Ks")),), "")


@pytest.mark.law("W-1", "W-7", "VC-29")
def test_sixteen_wild_cards_are_named_one_by_one() -> None:
    """Six-card Omaha with two boards and every card wild: no other hand has as many meanings to name. Each button says all so far."""
    hand = deal(
        named("omaha6 + double board + clubs wild + diamonds wild + hearts wild + spades wild"), button="Bo",
        stacks={"Ann": 100, "Bo": 100}, stakes=Stakes(small_blind=1, big_blind=2), options={"wild_call": "declare"},
    )  # fmt: skip
    hand.play("Bo calls", "Ann checks", *("Ann checks", "Bo checks") * 3)
    view, code, meant = hand.view("Ann"), 0, []
    for number, (card_index, card) in enumerate(designable_wild_cards(view, hand.legal("Ann"))):
        rank = next(one for one in (cards.ACE, cards.KING) if one != card >> 2)
        assert select(asked(view, code)).custom_id == f"t:77:1284:{view.decision_number}:meaning" + _code_in_id(code)
        assert private_choices.rank_chosen(scene(view), code, str(rank)) == (code, rank)
        code = buttons(asked(view, code, rank))["of spades" if number % 3 else "of hearts"].amount
        meant.append((card_index, rank << 2 | (3 if number % 3 else 2)))
    show = buttons(asked(view, code))["Show"]
    assert show.amount == code > custom_ids.NUMBER_MAX
    assert private_choices.designations_at_show(scene(view), show.amount) == (tuple(meant), "")
    assert len(meant) == 16
    decide(hand.hand, hand.seat("Ann"), c.Show(tuple(meant)))


def _code_in_id(code: int) -> str:
    return custom_ids.button_id(1, 1, 1, Verb.WILD_RANK, code).removeprefix("t:1:1:1:meaning")


@pytest.mark.parametrize("card", CATALOGUE, ids=lambda card: card.key)
def test_no_game_has_more_wild_cards_than_an_id_holds(card: RuleCard) -> None:
    """Own cards, the extra ones that they bring, a card for all where the deck is short, and two boards."""
    own = sum(
        step.count if isinstance(step, DealDown | DealUp) else 1
        for step in card.steps
        if isinstance(step, DealDown | DealUp | DealUpInTurn | DealUpOrDown)
    )
    extra = 4 if card.has_custom(ExtraCardRank) else 0
    board = sum(step.count for step in card.steps if isinstance(step, DealBoard)) + 1
    assert WildMeanings((-1,) * (own + extra + 2 * board), 2).code <= custom_ids.CODE_MAX


@pytest.mark.law("LO-3")
def test_aces_are_declared_with_the_show() -> None:
    view = wild_hand("Kh Kd Ah 9c 3s", words=("aces high", "aces low"))
    panel = asked(view)
    assert private_choices.designations_at_show(scene(view), buttons(panel)["Show, aces low"].amount) == (
        (),
        "aces low",
    )


def test_codes_are_read_back() -> None:
    assert decode_set(encode_set((0, 3, 11))) == (0, 3, 11)
    assert decode_order(encode_order((4, 0, 6, 1))) == (4, 0, 6, 1)
    said = WildMeanings((51, None, -1, 0), 2)
    assert decode_meanings(said.code, 4) == said
    assert WildMeanings((51,) * 10, 2).code <= custom_ids.NUMBER_MAX
    assert WildMeanings((-1,) * 26, 2).code <= custom_ids.CODE_MAX


def test_forged_codes_do_no_harm() -> None:
    """An id is public: any number that comes back is read as some choice, or as none."""
    view = scene_with_choice("Qs Qd 7h 4c 2s", LegalActions(6, Decision.ARRANGE, min_cards=5, max_cards=5))
    for code in (2**63 - 1, 15, 0xFFFF, 1 << 62, custom_ids.CODE_MAX):
        private_choices.chosen_card_indexes(view.seats[6], code)
        private_choices.ordered_card_indexes(view.seats[6], code)
        asked(view, code)
        wild = wild_hand("Kh Kd Jk 9c 2s")
        asked(wild, code)
        private_choices.designations_at_show(scene(wild), code)

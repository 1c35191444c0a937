"""Private choices: cards, their order, words, what wild cards stand for (ui §5 e)."""

import pytest
from msgspec.structs import replace

from bot.engine import cards
from bot.engine.legal import Decision, Legal
from bot.engine.ranking import Ranking, Wild, WildMethod
from bot.engine.view import HandView, ShareView
from bot.render import choices, ids
from bot.render.codes import Meanings, order_code, read_meanings, read_order, read_set, set_code
from bot.render.ids import Press, Verb
from bot.render.limits import check
from bot.render.panel import Button, Buttons, Panel, Select
from bot.render.plain import plain
from tests.render.hands import mid_hand, scene, seen


def asked(held: str, legal: Legal, *, up: str = "") -> HandView:
    """A hand without a board in which something is asked of seat 7."""
    view = mid_hand()
    seats = list(view.seats)
    seats[6] = replace(seats[6], cards=(*seen(held), *seen(up, up=True)), made=None)
    return replace(view, viewer=6, seats=tuple(seats), legal=legal, acting=legal, boards=((),))


def buttons(panel: Panel) -> dict[str, Press]:
    """The buttons of a panel, by label."""
    found: dict[str, Press] = {}
    for row in panel.blocks:
        for button in row.buttons if isinstance(row, Buttons) else ():
            assert isinstance(button, Button)
            press = ids.parse(button.custom_id)
            assert isinstance(press, Press)
            found[button.label] = press
    return found


def select(panel: Panel) -> Select:
    return next(block for block in panel.blocks if isinstance(block, Select))


@pytest.mark.law("VC-20")
@pytest.mark.parametrize(("opened", "told"), [(6, True), (2, False), (-1, False)])
def test_the_opener_knows_beforehand_that_splitting_is_announced(opened: int, told: bool) -> None:
    view = replace(asked("Qs Qd 7h 4c 2s", Legal(6, Decision.DRAW, most=3)), opened=opened)
    assert ("announced as splitting them" in plain(check(choices.discard_panel(scene(view))))) is told


def test_choosing_discards() -> None:
    """Mock-up 04: a select of the player's own cards; the button then says how many are drawn."""
    view = asked("Qs Qd 7h 4c 2s", Legal(6, Decision.DRAW, most=3))
    panel = check(choices.discard_panel(scene(view)))
    assert plain(panel) == (
        "### Your cards\n"
        "# :queen_of_spades::queen_of_diamonds::seven_of_hearts::four_of_clubs::deuce_of_spades:\n"
        "[Discard up to 3 ▾] Queen of spades | Queen of diamonds | Seven of hearts | Four of clubs | Deuce of spades\n"
        "[Stand pat]"
    )
    assert (select(panel).least, select(panel).most) == (0, 3)
    marked = choices.marked_places(view.seats[6], ("2", "3", "4"))
    chosen = check(choices.discard_panel(scene(view), marked))
    assert plain(chosen).endswith("*Seven of hearts | *Four of clubs | *Deuce of spades\n[+Draw 3 cards] [Stand pat]")
    pressed = buttons(chosen)["Draw 3 cards"]
    assert choices.chosen_places(view.seats[6], pressed.amount) == (2, 3, 4)


def test_passing_takes_exactly_as_many_as_asked() -> None:
    view = asked("Qs Qd 7h 4c 2s", Legal(6, Decision.PASS, least=2, most=2))
    assert "[Pass 2 ▾]" in plain(check(choices.choice_panel(scene(view))))
    assert plain(choices.discard_panel(scene(view), (2,))).endswith("Deuce of spades")
    assert plain(choices.discard_panel(scene(view), (2, 4))).endswith("[+Pass 2 cards]")


def test_only_cards_that_lie_face_down_can_be_given_up() -> None:
    view = asked("Qs Qd", Legal(6, Decision.DRAW, most=2), up="7h 4c")
    assert [option.label for option in select(choices.discard_panel(scene(view))).options] == [
        "Queen of spades",
        "Queen of diamonds",
    ]


def test_an_order_is_chosen_card_by_card() -> None:
    view = asked("Qs Qd 7h 4c 2s", Legal(6, Decision.ARRANGE, least=5, most=5))
    panel = check(choices.choice_panel(scene(view)))
    assert select(panel).placeholder == "Turned up first…"
    assert choices.ordered_places(view.seats[6], buttons(panel)["As they were dealt"].amount) == (0, 1, 2, 3, 4)
    code = 0
    for at, word in ((4, "second"), (3, "third"), (2, "fourth")):
        code = choices.next_order(code, at)
        panel = check(choices.order_panel(scene(view), code))
        assert select(panel).placeholder == f"Turned up {word}…"
    panel = check(choices.order_panel(scene(view), choices.next_order(code, 0)))
    assert "**Order** :deuce_of_spades: → :four_of_clubs: → :seven_of_hearts:" in plain(panel)
    assert choices.ordered_places(view.seats[6], buttons(panel)["Keep this order"].amount) == (4, 3, 2, 0, 1)
    assert buttons(panel)["Start over"].verb is Verb.DISCARDS
    assert choices.next_order(code, 4) == code, "a card is named once"


def test_words_are_buttons() -> None:
    legal = Legal(6, Decision.DECLARE, words=("high", "low", "both"))
    panel = check(choices.choice_panel(scene(asked("Qs Qd 7h 4c 2s", legal))))
    assert plain(panel).endswith("-# Nobody sees it before everybody has chosen.\n[…High] […Low] […Both]")
    assert choices.word_chosen(legal, buttons(panel)["Low"].amount) == "low"
    assert [choices.word_chosen(legal, number) for number in (0, 4)] == ["", ""]


def wild_hand(held: str, *, words: tuple[str, ...] = ()) -> HandView:
    """A hand at the show, where its joker and its deuces must be given a meaning."""
    ranking = Ranking(wild=Wild(method=WildMethod.FREE, ranks=(0,)))
    wild = tuple(at for at, card in enumerate(cards.parse_all(held)) if card >> 2 == 0 or card == cards.JOKER)
    legal = Legal(6, Decision.SHOW, show=True, designate=wild, words=words)
    return replace(asked(held, legal), shares=(ShareView("pot", ranking),))


@pytest.mark.law("W-7")
def test_a_wild_card_is_given_a_rank_then_a_suit() -> None:
    view = wild_hand("Kh Kd Jk 9c 2s")
    panel = check(choices.choice_panel(scene(view)))
    assert ":joker: as …\n:deuce_of_spades: as …" in plain(panel)
    assert select(panel).placeholder == "The joker stands for…"
    best = choices.said_at_show(scene(view), buttons(panel)["Best hand"].amount)
    assert {card >> 2 for _, card in best[0]} == {cards.KING}
    code, rank = choices.settled(scene(view), 0, str(cards.KING))
    panel = check(choices.meaning_panel(scene(view), code, rank))
    assert {"of clubs", "of diamonds", "of hearts", "of spades"} <= set(buttons(panel))
    code = buttons(panel)["of spades"].amount
    panel = check(choices.meaning_panel(scene(view), code))
    assert ":joker: as king of spades\n:deuce_of_spades: as …" in plain(panel)
    code, rank = choices.settled(scene(view), code, "face")
    assert rank == -1
    panel = check(choices.meaning_panel(scene(view), code))
    assert ":deuce_of_spades: as its face value" in plain(panel)
    pairs, word = choices.said_at_show(scene(view), buttons(panel)["Show"].amount)
    assert (pairs, word) == (((2, cards.parse("Ks")),), "")


@pytest.mark.law("LO-3")
def test_aces_are_declared_with_the_show() -> None:
    view = wild_hand("Kh Kd Ah 9c 3s", words=("aces high", "aces low"))
    panel = check(choices.choice_panel(scene(view)))
    assert choices.said_at_show(scene(view), buttons(panel)["Show, aces low"].amount) == ((), "aces low")


def test_codes_are_read_back() -> None:
    assert read_set(set_code((0, 3, 11))) == (0, 3, 11)
    assert read_order(order_code((4, 0, 6, 1))) == (4, 0, 6, 1)
    said = Meanings((51, None, -1, 0), 2)
    assert read_meanings(said.code, 4) == said
    assert Meanings((52,) * 9).code < 2**63


def test_codes_that_nobody_wrote_do_no_harm() -> None:
    """An id is public: whatever number comes back is read as something, or as nothing."""
    view = asked("Qs Qd 7h 4c 2s", Legal(6, Decision.ARRANGE, least=5, most=5))
    for code in (2**63 - 1, 15, 0xFFFF, 1 << 62):
        choices.chosen_places(view.seats[6], code)
        choices.ordered_places(view.seats[6], code)
        check(choices.order_panel(scene(view), code))
        wild = wild_hand("Kh Kd Jk 9c 2s")
        check(choices.meaning_panel(scene(wild), code))
        choices.said_at_show(scene(wild), code)

"""Panels keep Discord's limits in the worst cases, and a breach is found."""

import gettext

import pytest
from msgspec.structs import replace

from bot.engine import cards
from bot.engine.legal import Decision, LegalActions
from bot.engine.view.types import ActionVerb, CardView, HandView, LastAction, PaymentView, PotView, SeatView
from bot.render.hand import private_panels
from bot.render.hand.my_hand import PanelState, my_hand_panel
from bot.render.hand.private_choices import PrivateChoice
from bot.render.hand.result import hand_line, result_panel, shrunk_panel
from bot.render.hand.running_hand import nudge_text, running_hand_panel
from bot.render.hand.scene import Person
from bot.render.message import panel as p
from bot.render.message.limits import text_length
from bot.text.cards import SIGNS
from bot.text.language import Language, reading
from tests.render.sample_hands import ALL_IN, EMOJIS, FOLDED, LIVE, best_hand, mid_hand, scene, showdown
from tests.support.message_limits import OverLimitError, faults, form_faults, within_limits

HOSTILE = [
    "*" * 32,
    "_" * 32,
    "W" * 32,
    "@everyone <@1> <#2> <t:0:R> ||x||",
    "﷽" * 32,
    "# " * 16,
    "שלום" * 8,
    "\u202e" + "evil" * 8,
    "Z̷̢̛" * 30,
    "[a](http://b.example) [c](d) [e]()",
]
MOST = 10**12


def crowd(count: int, names: list[str] | None = None) -> dict[int, Person]:
    chosen = names or ["*_" * 16]
    return {number: Person(chosen[number % len(chosen)], 10**18 + number) for number in range(1, count + 1)}


def full_table(count: int, *, folded: int = 0) -> HandView:
    """Return `count` players with the largest numbers there are, who all have just raised."""
    last = LastAction(0, ActionVerb.RAISE, MOST, MOST, all_in=True)
    seats = tuple(
        SeatView(
            at,
            at + 1,
            MOST,
            MOST,
            MOST,
            FOLDED if at < folded else LIVE,
            () if at < folded else (CardView(None),) * 2,
            last_action=replace(last, seat_index=at),
        )
        for at in range(count)
    )
    legal = LegalActions(
        count - 1, Decision.BET, fold=True, call_chips=MOST // 2, min_to=MOST // 2, max_to=MOST, current_bet=MOST // 4, pot=MOST // 2,
        to_call=MOST // 8, stack=MOST - MOST // 8,
    )  # fmt: skip
    return replace(
        mid_hand(),
        seats=seats,
        pot=MOST,
        pots=tuple(PotView(MOST // 5, (0, 1)) for _ in range(5)),
        to_act=count - 1,
        button_seat_number=1,
        street_actions=tuple(replace(last, seat_index=at) for at in range(3)),
        legal_to_act=legal,
    )


@pytest.mark.parametrize("folded", [0, 7, 12])
@pytest.mark.parametrize("names", [None, *[[name] for name in HOSTILE], HOSTILE], ids=lambda names: str(names)[:12])
def test_fourteen_players_with_the_longest_names(names: list[str] | None, folded: int) -> None:
    """Names made of nothing but markdown and four side pots fit one message."""
    drawn = scene(full_table(14, folded=folded), people=crowd(14, names), time_bank_seconds=86_400)
    panel = within_limits(running_hand_panel(drawn))
    assert text_length(panel) < 3_000
    assert len(nudge_text(drawn)) <= 2_000
    for line in "\n".join(block.content for block in panel.blocks if isinstance(block, p.Text)).split("\n"):
        assert line.startswith(("### ", "## ", "-# ", "`", "▶ "))


def omaha_showdown(players: int = 10) -> HandView:
    """Return a showdown in which everybody shows four cards and wins a part of each of five pots."""
    board = cards.parse_cards("Ah Kd 9c 9s 2d")
    seats = tuple(
        SeatView(
            at, at + 1, MOST, 0, MOST, ALL_IN,
            tuple(CardView((4 * at + card) % 52, True) for card in range(4)),
            made_hand=best_hand("Kc Ks Ah Kd 9c 9s 2d"), won=MOST,
        )
        for at in range(players)
    )  # fmt: skip
    hand = best_hand("Kc Ks Ah Kd 9c 9s 2d")
    payments = tuple(
        PaymentView(pot, share, at, MOST // 2, hand, odd_chips=1)
        for pot in range(5)
        for share in ("high", "low")
        for at in range(players)
    )
    return replace(showdown(), seats=seats, boards=(board, board), payments=payments)


@pytest.mark.parametrize("names", [["river_rat"], None, HOSTILE], ids=["usual", "markdown", "hostile"])
def test_ten_way_omaha_showdown(names: list[str] | None) -> None:
    """There are more winners than any hand can have. Where even signs are too long, the message ends with the way to read on."""
    drawn = scene(omaha_showdown(), people=crowd(10, names), open_seats=4)
    within_limits(result_panel(drawn, next_at=1_800_000_000, next_dealer=3))
    within_limits(shrunk_panel(drawn.table_id, (hand_line(drawn),)))


@pytest.mark.parametrize("names", [["river_rat"], ["N" * 32]], ids=["usual", "longest"])
def test_ten_way_omaha_high_low_with_four_side_pots(names: list[str]) -> None:
    """Every hand that was shown is named, with signs where emojis are too long."""
    view = omaha_showdown()
    hand = best_hand("Kc Ks Ah Kd 9c 9s 2d")
    payments = tuple(
        PaymentView(pot, share, 2 * pot + at, 123_456, hand)
        for pot in range(5)
        for at, share in enumerate(("high", "low"))
    )
    drawn = scene(replace(view, payments=payments, boards=view.boards[:1]), people=crowd(10, names))
    panel = within_limits(result_panel(drawn, next_at=1_800_000_000, next_dealer=3))
    text = "".join(block.content for block in panel.blocks if isinstance(block, p.Text))
    assert "/hand" not in text
    for seat in view.seats:
        hole = [seen.card for seen in seat.cards]
        assert EMOJIS.write(hole) in text or SIGNS.write(hole) in text


def test_an_ordinary_ten_way_showdown_keeps_its_emojis() -> None:
    view = omaha_showdown()
    one = replace(
        view, payments=(PaymentView(0, "pot", 3, 40_000, best_hand("Kc Ks Ah Kd 9c 9s 2d")),), boards=view.boards[:1]
    )
    drawn = scene(one, people=crowd(10, ["river_rat"]))
    panel = within_limits(result_panel(drawn))
    assert any("<:" in block.content for block in panel.blocks if isinstance(block, p.Text))


@pytest.mark.parametrize("names", [["river_rat"], None], ids=["usual", "markdown"])
def test_eight_players_at_stud_with_all_cards_open(names: list[str] | None) -> None:
    """The card emojis take about 2,200 characters, and the rest of a running hand comes on top."""
    view = full_table(8)
    seats = tuple(
        replace(seat, cards=tuple(CardView((7 * at + card) % 52, True) for card in range(7)))
        for at, seat in enumerate(view.seats)
    )
    drawn = scene(replace(view, seats=seats, boards=()), people=crowd(8, names))
    within_limits(running_hand_panel(drawn))


def test_fourteen_players_with_every_card_open_fall_back_on_signs() -> None:
    """The cards are too many for emojis in one message, and fit as signs."""
    view = full_table(14)
    seats = tuple(
        replace(seat, cards=tuple(CardView((7 * at + card) % 52, True) for card in range(7)))
        for at, seat in enumerate(view.seats)
    )
    panel = within_limits(running_hand_panel(scene(replace(view, seats=seats), people=crowd(14))))
    assert not any("<:" in block.content for block in panel.blocks if isinstance(block, p.Text))


def test_every_private_panel_of_the_largest_hand() -> None:
    view = full_table(14)
    seats = list(view.seats)
    seats[13] = replace(seats[13], cards=tuple(CardView(card, card > 20, card) for card in range(26)))
    own = replace(view, viewer=13, seats=tuple(seats), legal=LegalActions(13, Decision.DRAW, max_cards=26))
    drawn = scene(own, people=crowd(14))
    within_limits(my_hand_panel(drawn, state=PanelState("x" * 400, choice=PrivateChoice(2**15 - 1), resting=True)))
    within_limits(private_panels.hole_cards_dm(drawn, "https://discord.com/channels/" + "9" * 20 + "/" + "9" * 20))
    assert view.legal_to_act is not None
    assert form_faults(private_panels.raise_form(drawn, view.legal_to_act, 2**63 - 1)) == ()


def panel_of(*blocks: p.Block) -> p.Panel:
    return p.Panel(p.LOBBY, blocks)


@pytest.mark.parametrize(
    ("panel", "fault"),
    [
        (panel_of(p.Text("x" * 4001)), "4001 characters of text"),
        (panel_of(p.Text("x" * 3999), p.SmallText("y")), "4003 characters of text"),
        (panel_of(*(p.Text("x") for _ in range(40))), "41 components"),
        (panel_of(), "without blocks"),
        (panel_of(p.Text(" \n")), "an empty text"),
        (panel_of(p.Buttons(tuple(p.Button("a", str(at)) for at in range(6)))), "6 buttons in a row"),
        (panel_of(p.Buttons(())), "0 buttons in a row"),
        (panel_of(p.Buttons((p.Button("a" * 81, "1"),))), "of a button"),
        (panel_of(p.Buttons((p.Button("", "1"),))), "of a button"),
        (panel_of(p.Buttons((p.Button("a", "1"), p.Button("b", "1")))), "twice"),
        (panel_of(p.Buttons((p.Button("a", "x" * 101),))), "custom id of 101"),
        (panel_of(p.Buttons((p.Button("a", url="h" * 513),))), "address of 513"),
        (panel_of(p.Select("s", "", tuple(p.Option(str(at), str(at)) for at in range(26)))), "26 options"),
        (panel_of(p.Select("s", "", (p.Option("a", "1"), p.Option("b", "1")))), "one value"),
        (panel_of(p.Select("s", "", (p.Option("a", "1"),), 0, 2)), "0 to 2 from 1"),
        (panel_of(p.Select("s", "p" * 151, (p.Option("a", "1"),))), "placeholder"),
        (panel_of(p.Select("s", "", (p.Option("a" * 101, "1"),))), "option label of 101"),
        (panel_of(p.Select("s", "", (p.Option("a", "1", "d" * 101),))), "option description"),
        (
            panel_of(p.Select("s", "", (p.Option("a", "1", default=True), p.Option("b", "2", default=True)))),
            "chosen beforehand",
        ),
    ],
)
def test_a_breach_is_found(panel: p.Panel, fault: str) -> None:
    assert any(fault in one for one in faults(panel)), faults(panel)
    with pytest.raises(OverLimitError):
        within_limits(panel)


@pytest.mark.parametrize(
    ("form", "fault"),
    [
        (p.Form("t" * 46, "id", (p.TextField("a", "A"),)), "form title"),
        (p.Form("t", "id", tuple(p.TextField(str(at), "A") for at in range(6))), "6 fields"),
        (p.Form("t", "x" * 101, (p.TextField("a", "A"),)), "form id"),
        (p.Form("t", "id", (p.TextField("a", "A" * 46),)), "label"),
        (p.Form("t", "id", (p.TextField("a", "A", description="d" * 101),)), "description"),
        (p.Form("t", "id", (p.RadioGroup("a", "A", (p.Option("x", "1"),)),)), "1 options in a radio group"),
    ],
)
def test_a_breach_in_a_form_is_found(form: p.Form, fault: str) -> None:
    assert any(fault in one for one in form_faults(form)), form_faults(form)


def test_a_translation_that_is_too_long_is_cut() -> None:
    long = "ŵ" * 300
    options = (p.Option(long, "v", description=long),)
    panel = p.Panel(p.LOBBY, (p.Buttons((p.Button(long, "t:1:1:1:fold"),)), p.Select("s", long, options)))
    form = p.Form(long, "f", (p.TextField("a", long, description=long, placeholder=long),))
    with reading(Language("de", gettext.NullTranslations())):
        assert faults(panel) == form_faults(form) == ()
        assert p.payload(panel)[0]["components"][0]["components"][0]["label"] == "ŵ" * 79 + "…"

"""Recorded hands are read exactly, written back exactly, and refused with the action at fault."""

import pytest

from bot.engine.cards import parse_card
from bot.engine.errors import TableError
from bot.history.phh import (
    PhhError,
    RecordedBetOrRaise,
    RecordedBoard,
    RecordedBringIn,
    RecordedCheckOrCall,
    RecordedDraw,
    RecordedFold,
    RecordedHand,
    RecordedHoleCards,
    RecordedShowOrMuck,
    parse_action,
    write,
    write_action,
)
from bot.history.phh import parse as parse_hand
from tests.support.data import HANDS

HEADS_UP = """
variant = 'NT'
ante_trimming_status = true
antes = [0, 0]
blinds_or_straddles = [50, 100]
min_bet = 100
starting_stacks = [2_000, 3_000]
actions = [
  'd dh p1 AsKd',
  'd dh p2 ????',  # nobody saw them
  'p2 cbr 300 # raises',
  '# a remark of its own',
  'p1 cc',
  'd db QhJhTh',
  'p1 cc', 'p2 f',
]
_table = 'home'
"""


def read(name: str) -> RecordedHand:
    return parse_hand((HANDS / "mit" / f"{name}.phh").read_text(encoding="utf-8"))


def told(hand: RecordedHand, **changes: object) -> str:
    """Return a hand with some lines of its file replaced."""
    lines = dict(line.split(" = ", 1) for line in write(hand).splitlines())
    lines |= {name: str(value) for name, value in changes.items() if value is not None}
    return "\n".join(f"{name} = {value}" for name, value in lines.items() if changes.get(name, "") is not None)


def test_a_hand_is_read_into_values() -> None:
    hand = parse_hand(HEADS_UP)
    assert (hand.variant, hand.player_count, hand.min_bet, hand.small_bet) == ("NT", 2, 100, None)
    assert hand.starting_stacks == (2000, 3000)
    assert hand.actions == (
        RecordedHoleCards(1, (parse_card("As"), parse_card("Kd"))),
        RecordedHoleCards(2, (None, None)),
        RecordedBetOrRaise(2, 300),
        RecordedCheckOrCall(1),
        RecordedBoard((parse_card("Qh"), parse_card("Jh"), parse_card("Th"))),
        RecordedCheckOrCall(1),
        RecordedFold(2),
    )
    assert hand.finishing_stacks is None
    assert hand.best_actions == hand.actions
    assert hand.metadata == {"_table": "home"}


def test_with_two_players_the_button_posts_first() -> None:
    """The file gives the small blind first, and player 2 is the button."""
    hand = parse_hand(HEADS_UP)
    assert hand.by_player(hand.blinds_or_straddles) == (100, 50)
    six = read("nt-061")
    assert six.by_player(six.blinds_or_straddles) == (50, 100, 0, 0, 0, 0)


def test_expected_results_are_read() -> None:
    hand = read("nt-061")
    assert hand.finishing_stacks == (9950, 10525, 10000, 9525, 10000, 10000)
    assert hand.pots_by_street == (500, 500, 1000, 1000)
    assert hand.final_pots == (1000,)
    assert hand.actions[-1] == RecordedShowOrMuck(4, shown=False)
    assert hand.best_actions[-1] == RecordedShowOrMuck(4, (parse_card("Th"), parse_card("8h")))
    assert hand.metadata["_licence"] == "MIT"


def test_every_recorded_hand_is_read_and_written_back() -> None:
    paths = sorted(HANDS.glob("*/*.phh"))
    assert len(paths) == 341
    for path in paths:
        text = path.read_text(encoding="utf-8")
        assert write(parse_hand(text)) == text, path.name


@pytest.mark.parametrize(
    ("line", "action"),
    [
        ("d dh p3 7s??", RecordedHoleCards(3, (parse_card("7s"), None))),
        ("d db 5c", RecordedBoard((parse_card("5c"),))),
        ("p1 sd 6d9hJk", RecordedDraw(1, (parse_card("6d"), parse_card("9h"), parse_card("Jk")))),
        ("p1 sd", RecordedDraw(1, ())),
        ("p2 pb", RecordedBringIn(2)),
        ("p3 f", RecordedFold(3)),
        ("p3 cc", RecordedCheckOrCall(3)),
        ("p3 cbr 225", RecordedBetOrRaise(3, 225)),
        ("p2 sm KsJd", RecordedShowOrMuck(2, (parse_card("Ks"), parse_card("Jd")))),
        ("p2 sm -", RecordedShowOrMuck(2)),
        ("p2 sm", RecordedShowOrMuck(2, shown=False)),
    ],
)
def test_an_action_is_read_and_written(line: str, action: object) -> None:
    found = parse_action(f"  {line}  # said at the table", 3)
    assert found == action
    assert found is not None
    assert write_action(found) == line


@pytest.mark.parametrize(
    "line",
    [
        "p7 f",
        "p0 f",
        "f",
        "p1 cbr",
        "p1 cbr 2.5",
        "p1 cbr -3",
        "p1 cbr ９",
        "p1 cbr 9999999999999999",
        "p1 raise 5",
        "d dh p1",
        "d dh p1 As1",
        "d dh p1 XxKd",
        "d db",
        "p1 sm As Kd",
        "d dx p1 As",
        "dealer deals",
    ],
)
def test_a_bad_action_is_named_by_its_number(line: str) -> None:
    hand = read("nt-061")
    actions = [write_action(action) for action in hand.actions[:3]] + [line]
    with pytest.raises(PhhError) as refusal:
        parse_hand(told(hand, actions=str(actions)))
    assert (refusal.value.field, refusal.value.action_number) == ("actions", 4)
    assert isinstance(refusal.value, TableError)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("variant", "5"),
        ("variant", None),
        ("antes", "[0, 0]"),
        ("antes", "0"),
        ("starting_stacks", "[100]"),
        ("starting_stacks", None),
        ("blinds_or_straddles", "[0.5, 1, 0, 0, 0, 0]"),
        ("min_bet", "-100"),
        ("min_bet", "true"),
        ("min_bet", "10000000000000"),
        ("ante_trimming_status", "1"),
        ("actions", "'p1 f'"),
        ("actions", "[1]"),
        ("finishing_stacks", "[1, 2]"),
    ],
)
def test_a_bad_field_is_named(field: str, value: str | None) -> None:
    with pytest.raises(PhhError) as refusal:
        parse_hand(told(read("nt-061"), **{field: value}))
    assert refusal.value.field == field


@pytest.mark.parametrize("text", ["", "variant =", "a = 1\na = 2", f"a = {'[' * 100_000}", f"a = {'9' * 5_000}"])
def test_what_is_no_toml_is_refused(text: str) -> None:
    with pytest.raises(PhhError):
        parse_hand(text)


def test_every_kind_of_remark_survives() -> None:
    """Fields of the file that are not ours are kept, whatever TOML lets them be."""
    remarks = (
        'author = "O\'Neil \\"Ace\\" \\\\ \\u0007"\nday = 2024-05-17\nat = 21:30:00\nrake = 0.05\n'
        "players = ['Ann', 'Bo']\nroom = {name = 'Ö', 'no 1' = [true, -1]}\n"
    )
    hand = parse_hand(HEADS_UP + remarks)
    again = parse_hand(write(hand))
    assert again == hand
    assert again.metadata["author"] == 'O\'Neil "Ace" \\ \a'
    assert again.metadata["room"] == {"name": "Ö", "no 1": [True, -1]}

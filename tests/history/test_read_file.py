"""Files of hands are read back: to the same stacks and pots, each fault with its line, and nothing of them is taken on trust."""

import contextlib
import random
import time
from collections.abc import Iterator

import pytest

from bot.engine import events as e
from bot.engine.cards import cards_text
from bot.engine.rule_card import RuleCard
from bot.engine.steps import PassCards
from bot.engine.view.redact import ALL_KNOWING, PUBLIC, HistoryViewer
from bot.history.file_hands import FileHand, UnreadableHand
from bot.history.game_of_record import differences, replay
from bot.history.pokerstars import POKERSTARS_GAMES
from bot.history.read_file import MAX_BYTES, FileFault, FileKind, FileUnreadable, decode_file, file_kind, read_hands
from bot.history.read_pokerstars import PokerStarsError, PokerStarsFault
from bot.history.record import to_phh
from bot.history.replay import NotAsRecorded
from bot.history.toml_depth import nests_too_deep
from bot.operation.hand_check import check_file
from bot.runtime.replays import EVERYBODY, replay_of_file
from bot.text.checked_hands import CheckedFile
from bot.text.hand_files import Verdict
from bot.variants import CATALOGUE, game
from tests.history.test_pokerstars import BY_LAYOUT, NAMES, written
from tests.support.random_hands import PlainHand, random_hands


def viewers(number: int, hand: PlainHand) -> HistoryViewer:
    return (PUBLIC, number % hand.hand.seat_count, ALL_KNOWING)[number // 7 % 3]


def came_back(hand: PlainHand, text: str) -> None:
    """Check that a file holds one hand, which plays to the same chips, and shows no card that was not in it."""
    (read,) = read_hands(text)
    assert isinstance(read, FileHand), read
    played = replay(read.record, read.limit)
    assert list(differences(read.record, played)) == []
    assert played.finishing_stacks == tuple(hand.hand.stacks)
    assert played.hand.started.stacks == hand.started.stacks
    assert played.hand.started.seat_numbers == hand.started.seat_numbers
    assert played.hand.pots_by_betting_round == hand.hand.pots_by_betting_round
    assert [cards_text(played.hand.board_cards(at)) for at in range(len(played.hand.board_indices))] == [
        cards_text(hand.hand.board_cards(at)) for at in range(len(hand.hand.board_indices))
    ]
    assert [type(event) for event in played.events if isinstance(event, ACTIONS)] == [
        type(event) for event in hand.events if isinstance(event, ACTIONS)
    ]


ACTIONS = (e.Folded, e.Checked, e.Called, e.BetTo, e.RaisedTo, e.Drew, e.BoardRunTwice)


def can_be_told(hand: PlainHand, viewer: HistoryViewer) -> bool:
    """Cards passed on more than once can leave a hand open for whoever has not seen them. Of these hands nine in ten come back to the same
    states all the same; the others are refused, or said to end otherwise.
    """
    passes = sum(isinstance(step, PassCards) for step in hand.started.rule_card.steps)
    return viewer is ALL_KNOWING or passes < 2


def check_phh(cards: tuple[RuleCard, ...], count: int, seed: int) -> tuple[int, int]:
    """Check random hands. Returns how many of them were open for whoever has not seen all cards, and how many of those came back."""
    open_hands = told = 0
    for number, hand in enumerate(random_hands(cards, count, seed)):
        viewer = viewers(number, hand)
        text = to_phh(hand.events, hand.deck, viewer, NAMES[: hand.hand.seat_count])
        if can_be_told(hand, viewer):
            came_back(hand, text)
        else:
            open_hands += 1
            with contextlib.suppress(NotAsRecorded, AssertionError):
                came_back(hand, text)
                told += 1
    return open_hands, told


def check_pokerstars(family: str, count: int, seed: int) -> None:
    cards = [game(key) for key in BY_LAYOUT[family]]
    for number, hand in enumerate(random_hands(cards, count, seed)):
        viewer = viewers(number, hand)
        if can_be_told(hand, viewer):
            came_back(hand, written(hand, viewer))


def reshuffled_hands(key: str, count: int) -> Iterator[PlainHand]:
    """Play hands of a game until the deck has run out in so many of them."""
    seed = found = 0
    while found < count:
        seed += 1
        hand = PlainHand(random.Random(seed), game(key))
        if len(hand.started.stacks) < 5:  # fewer hardly ever need more than the deck has
            continue
        hand.play()
        if any(isinstance(event, e.Reshuffled) for event in hand.events):
            found += 1
            yield hand


def check_reshuffled(key: str, count: int) -> None:
    """Both files come back for one player, who knows neither what the others gave up nor what was shuffled back."""
    for hand in reshuffled_hands(key, count):
        came_back(hand, written(hand, 0))
        came_back(hand, to_phh(hand.events, hand.deck, 0))


@pytest.mark.law("X-7")
@pytest.mark.parametrize(("key", "count"), [("triple_draw_27", 14), ("badugi", 10), ("single_draw_27", 2)])
def test_hands_whose_deck_ran_out_come_back(key: str, count: int) -> None:
    check_reshuffled(key, count)


@pytest.mark.full
@pytest.mark.law("X-7")
@pytest.mark.parametrize("key", ["triple_draw_27", "badugi"])
@pytest.mark.parametrize("seed", range(4))
def test_500_of_500_draw_hands_of_one_player_come_back(key: str, seed: int) -> None:
    for hand in random_hands([game(key)], 500, seed):
        came_back(hand, written(hand, 0))
        came_back(hand, to_phh(hand.events, hand.deck, 0))


@pytest.mark.full
@pytest.mark.law("X-7")
@pytest.mark.parametrize("key", ["triple_draw_27", "badugi"])
def test_of_500_hands_whose_deck_ran_out_499_come_back(key: str) -> None:
    """The record of one player can leave open which of the others' cards were shuffled back, and then the wrong ones are filled in."""
    refused = 0
    for hand in reshuffled_hands(key, 500):
        try:
            came_back(hand, written(hand, 0))
        except NotAsRecorded:
            refused += 1
    assert refused <= 1


def test_partly_seen_hands_with_several_passes_come_back() -> None:
    open_hands, told = check_phh((game("anaconda_three_passes"),), 20, 5)
    assert open_hands > 10 and told >= 0.9 * open_hands, (open_hands, told)


def test_phh_of_every_game_comes_back_to_the_same_states() -> None:
    check_phh(CATALOGUE, 3 * len(CATALOGUE), 11)


@pytest.mark.parametrize("family", BY_LAYOUT)
def test_pokerstars_text_comes_back_to_the_same_states(family: str) -> None:
    check_pokerstars(family, 40, 12)


@pytest.mark.full
def test_phh_of_10000_hands_of_every_game_comes_back() -> None:
    check_phh(CATALOGUE, 10_000, 13)


@pytest.mark.full
@pytest.mark.parametrize("family", BY_LAYOUT)
def test_pokerstars_text_of_10000_hands_comes_back(family: str) -> None:
    check_pokerstars(family, 1_500, 14)


# several hands in one file


def evening(count: int) -> tuple[list[PlainHand], str, str]:
    """Return hands, and the files that have them: PHHS and PokerStars text."""
    hands = random_hands([game(key) for key in POKERSTARS_GAMES], count, 15)
    phhs = "\n".join(f"[{at}]\n{to_phh(hand.events, hand.deck, 0, NAMES)}" for at, hand in enumerate(hands, start=1))
    return hands, phhs, "\n\n".join(written(hand, 0) for hand in hands)


def test_several_hands_of_one_file_are_read_in_order() -> None:
    hands, phhs, text = evening(24)
    for file, kind in (
        (phhs, FileKind.PHH),
        (text, FileKind.POKERSTARS),
        (text.replace("\n", "\r\n"), FileKind.POKERSTARS),
    ):
        assert file_kind(decode_file(file.encode())) is kind
        read = list(read_hands(decode_file(b"\xef\xbb\xbf" + file.encode())))
        assert [one.record.starting_stacks for one in read if isinstance(one, FileHand)] == [
            hand.started.stacks for hand in hands
        ]


def test_lines_are_those_of_the_file() -> None:
    _, phhs, text = evening(5)
    for file in (phhs, text):
        lines = file.splitlines()
        for hand in read_hands(file):
            assert isinstance(hand, FileHand)
            assert len(hand.lines) == len(hand.record.best_actions)
            for action, line in zip(hand.record.best_actions, hand.lines, strict=True):
                found = lines[line - 1]
                if type(action).__name__ == "RecordedFold":
                    assert "folds" in found or f"'p{action.player} f'" in found


# faults, by line and law


STORY = """PokerStars Hand #12:  Hold'em No Limit (50/100) - 2026/11/23 07:46:40 UTC [2026/11/23 02:46:40 ET]
Table 'Cardroom 7' 9-max (Play Money) Seat #3 is the button
Seat 1: Ann (2000 in chips)
Seat 2: Bo (3000 in chips)
Seat 3: Cy (3000 in chips)
Ann: posts small blind 50
Bo: posts big blind 100
*** HOLE CARDS ***
Dealt to Ann [As Ad]
Cy: folds
Ann: raises 200 to 300
Bo: folds
Uncalled bet (200) returned to Ann
Ann collected 200 from pot
Ann: doesn't show hand
*** SUMMARY ***
Total pot 200 | Rake 0
Seat 1: Ann (small blind) collected (200)
"""


def checked(text: str) -> CheckedFile:
    return check_file(text.encode(), seconds=60)


def only(text: str) -> tuple[str, str]:
    (hand,) = checked(text).hands
    return hand.verdict, hand.fault


def test_a_lawful_hand_has_no_fault() -> None:
    assert only(STORY) == (Verdict.PLAYS, "")


@pytest.mark.law("TL-2")
@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("Ann: raises 200 to 300", "Ann: raises 50 to 150",
         "Line 11: Ann (seat 1) bets or raises to 150, but: The minimum raise is to 200. Law L-8 (no limit)."),
        ("Cy: folds\nAnn: raises 200 to 300", "Ann: raises 200 to 300\nCy: folds", "Line 10: Ann (seat 1) bets or raises to 300, but: "),
        ("[As Ad]", "[As As]", "Line 1: The record deals `A♠` twice. Law TL-38"),
        ("Ann collected 200", "Bo collected 200",
         "Stacks at the end: the file says 1,900, 3,100, 3,000, by the rules it's 2,100, 2,900, 3,000."),
        ("Bo: folds", "Bo: tergiversates", "Line 12: I can't read “Bo\\: tergiversates”."),
        ("Ann collected", "Zed collected", "Line 14: “Zed” has no seat in this hand."),
        ("[As Ad]", "[As Zz]", "Line 9: “Zz” isn't a card."),
        ("to 300", "to 99999999999999999999", "Line 11: “99999999999999999999” isn't an amount of chips."),
        ("Hold'em No Limit", "Whist No Limit", "Line 1: I know no game in "),
        ("Total pot 200 | Rake 0", "", "Line 18: This hand breaks off: it has no summary."),
    ],
)  # fmt: skip
def test_a_fault_is_told_with_line_and_law(old: str, new: str, fault: str) -> None:
    assert old in STORY
    _, told = only(STORY.replace(old, new, 1))
    assert told.startswith(fault), told


def test_rake_and_cents_are_read() -> None:
    """A hand of a card room that takes rake: amounts are cents, and the end is not compared."""
    text = STORY.replace("(50/100)", "($0.50/$1.00 USD)").replace("(Play Money) ", "").replace("Rake 0", "Rake $0.05")
    for chips in (2000, 3000, 50, 100, 300, 200):
        text = text.replace(f" {chips}", f" ${chips / 100:.2f}").replace(f"({chips} ", f"(${chips / 100:.2f} ")
    text = text.replace("(200)", "($2)")
    (hand,) = read_hands(text)
    assert isinstance(hand, FileHand)
    assert hand.record.starting_stacks == (2000, 3000, 3000)
    assert replay(hand.record).finishing_stacks == (2100, 2900, 3000)


def test_chat_and_comings_are_passed_over() -> None:
    text = STORY.replace(
        "Cy: folds\n", 'Cy said, "nh: folds"\nDee joins the table at seat #5 \nCy: folds\nBo has timed out\n'
    )
    assert only(text) == (Verdict.PLAYS, "")


# what a stranger could give


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        (b"", FileFault.EMPTY), (b" \n\t", FileFault.EMPTY), (b"\xff\xfe\x00", FileFault.NOT_TEXT),
        (b"variant\x00 = 1", FileFault.NOT_TEXT), (b"x" * (MAX_BYTES + 1), FileFault.TOO_LONG),
    ],
)  # fmt: skip
def test_what_is_no_text_is_refused(content: bytes, fault: FileFault) -> None:
    with pytest.raises(FileUnreadable) as refused:
        decode_file(content)
    assert refused.value.fault is fault


DEEP = "variant = 'NT'\n" + "a" + ".a" * 200_000 + " = 1"
"""One key whose parser takes time with the square of its parts: hours for all that a file can have."""


@pytest.mark.parametrize(
    "text",
    [
        DEEP,
        "variant = 'NT'\n[" + '"a" . ' * 17 + "b]",
        "variant = 'NT'\nstarting_stacks = " + "[" * 33,
        "variant = 'NT'\na = " + "{a=" * 33 + "1" + "}" * 33,
        "variant = 'NT'\na = '''it's'''\n" + "b" + ".b" * 17 + " = 1",
    ],
    ids=["many parts", "header", "brackets", "tables", "after a text"],
)
def test_what_nests_too_deep_is_not_read(text: str) -> None:
    (hand,) = checked(text).hands
    assert "nests deeper than any hand does" in hand.fault, hand


@pytest.mark.parametrize(
    "value",
    [
        '"' + "a." * 50 + '"',
        "'" + "[" * 50 + "'",
        '"""' + '\\"{' * 50 + '"""',
        "1.5 # " + "a." * 50,
        "[" * 32 + "]" * 32,
    ],
)
def test_dots_and_brackets_in_texts_are_no_nesting(value: str) -> None:
    assert not nests_too_deep(f"a = {value}\nb.c = 1.5\n" * 20)


def test_texts_without_end_are_scanned_once() -> None:
    """Each of these would be read to its end again and again by a scan that goes back."""
    for text in ('\\"""' * 300_000, "'''" + "''\n" * 300_000, '"' * 1_000_000, ". " * 500_000, "[]" * 300_000):
        nests_too_deep(text)


def test_file_is_read_as_long_as_its_processor_seconds_last() -> None:
    """Nothing is left of its time: the first hand is checked, and the person reads that it stopped there."""
    told = check_file((STORY * 3).encode(), seconds=0)
    assert len(told.hands) == 1 and told.stopped


def test_hostile_files_are_checked_in_little_time() -> None:
    """Deep nesting, endless numbers, endless lines, endless hands: each ends with a verdict."""
    files = [
        "variant = 'NT'\nstarting_stacks = " + "[" * 50_000,
        "variant = 'NT'\nstarting_stacks = [" + "9" * 500_000 + "]",
        "variant = 'NT'\n" + "\n".join(f"a{'.a' * at} = 1" for at in range(300)),
        "variant = 'NT'\nstarting_stacks=[1,1]\nantes=[1,1]\nactions=[" + '"p1 cc",' * 20_000 + "]",
        "PokerStars Hand #1:  " + "Hold'em " * 100_000,
        "\n".join(f"PokerStars Hand #{at}:  x" for at in range(20_000)),
        "PokerStars Hand #1:  Hold'em No Limit (1/2) - x\nTable 'x' Seat #1 is the button\n" + "Seat 1: a (5 in chips)\n" * 3_000,
    ]  # fmt: skip
    began = time.monotonic()
    for text in files:
        checked_file = checked(text)
        assert checked_file.error or checked_file.hands
        assert all(hand.verdict in (Verdict.UNREADABLE, Verdict.REFUSED) for hand in checked_file.hands), text[:80]
    assert time.monotonic() - began < 60


def test_random_damage_is_never_a_fault_of_ours() -> None:
    """Lines left out, doubled, exchanged and garbled: every hand gets a verdict, and none of them brings the checker down."""
    rng = random.Random(4)
    hands, phhs, text = evening(24)
    for file in (phhs, text):
        for _ in range(8):
            lines = file.split("\n")
            for _ in range(rng.randint(1, 6)):
                at, other = rng.randrange(len(lines)), rng.randrange(len(lines))
                match rng.randrange(4):
                    case 0:
                        del lines[at]
                    case 1:
                        lines.insert(other, lines[at])
                    case 2:
                        lines[at], lines[other] = lines[other], lines[at]
                    case _:
                        letters = list(lines[at])
                        rng.shuffle(letters)
                        lines[at] = "".join(letters)
            checked_file = checked("\n".join(lines))
            assert Verdict.FAULT not in {hand.verdict for hand in checked_file.hands}
    assert len(hands) == 24


def test_headers_without_hands_are_told_one_by_one() -> None:
    (unreadable,) = read_hands("PokerStars Hand #12: x")
    assert isinstance(unreadable, UnreadableHand) and isinstance(unreadable.error, PokerStarsError)
    assert unreadable.error.fault is PokerStarsFault.UNKNOWN_GAME
    assert (
        checked("PokerStars is a site\nactions = 1").error
        == "There's no hand in that file. I read PHH and PokerStars text."
    )


def test_what_a_file_calls_things_is_no_markdown() -> None:
    """A file can bring a game of its own, and call it, its streets and its players anything."""
    hand = random_hands([game("crazy_pineapple")], 1, 3)[0]
    text = to_phh(
        hand.events, hand.deck, 0, ["**@everyone**", "[x](http://evil.example)", "`a`"][: hand.hand.seat_count]
    )
    text = text.replace("No-Limit Crazy Pineapple", "**Bold** [click](http://evil.example)").replace(
        "'flop'", "'# @here <@1>'"
    )
    (found,) = checked(text).hands
    told = " ".join([found.title, found.fault, *(f"{page.title} {page.text}" for page in found.pages())])
    assert "evil" in told
    for raw in ("**@", "[click](", "[x](", "# @here", "<@1>", "`a`"):
        assert raw not in told, told


OWN_GAME = "_rule_card = {key = 'mine', name = 'Mine', law_id = 'VC-26', family = 'home', seats_min = 2"
EVIL = "@everyone [x](http://evil.test) <@1>"


def own_game(old: str, new: str) -> CheckedFile:
    """Check a hand of a game that its file brings with it, with something in it changed."""
    (hand,) = random_hands([game("anaconda")], 1, 5)
    written = to_phh(hand.events, hand.deck, ALL_KNOWING, NAMES[: hand.hand.seat_count])
    start = written.index("_rule_card = ")
    mine = OWN_GAME + written[written.index(", seats_max", start) :]
    assert old in mine
    return checked(written[:start] + mine.replace(old, new))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("law_id = 'VC-26', family = 'home', seats_min = 2", f"law_id = '{EVIL}', family = 'home', seats_min = 7"),
        (
            "name = 'Mine', law_id = 'VC-26', family = 'home', seats_min = 2",
            f"name = '{EVIL}', law_id = 'VC-26', family = 'home', seats_min = 7",
        ),
        ("name = 'Mine'", f"name = '{EVIL}'"),
        ("street = 'after the pass'", f"street = '{EVIL}'"),
        ("shares = [{name = 'pot'", f"shares = [{{name = '{EVIL}'"),
        (
            "shares = [{name = 'pot', ranking = {}",
            f"required_amounts = ['{EVIL}'], shares = [{{name = 'pot', ranking = {{}}",
        ),
        ("shares = [{name = 'pot', ranking = {}", f"shares = [{{name = '{EVIL}', ranking = {{hand_size = 9}}"),
    ],
    ids=["law", "name in a fault", "name", "street", "share", "amount", "share in a fault"],
)
def test_words_of_a_files_own_game_are_no_markdown(old: str, new: str) -> None:
    (hand,) = own_game(old, new).hands
    told = [hand.fault, hand.title, *[page.title + page.text for page in hand.pages()]]
    if hand.replay:
        replay = replay_of_file(hand.replay, 1)
        told += [replay.at(step, EVERYBODY).view.game for step in range(1, replay.step_count + 1)]
    assert not [text for text in told if "@everyone" in text or "](" in text or "<@1" in text]


def test_cards_a_file_does_not_name_never_lie_open() -> None:
    """The hand was called off after the blinds had been called: the flop that the dealer would have turned is in no file."""
    opened = "actions = ['d dh p1 AsKd', 'd dh p2 QcQd', 'p2 cc', 'p1 cc']"
    text = f"variant = 'NT'\nantes = [0, 0]\nblinds_or_straddles = [50, 100]\nmin_bet = 100\nstarting_stacks = [2000, 3000]\n{opened}\n"
    (hand,) = checked(text + "_voided = ['misdeal', 'I-1']\n").hands
    assert hand.verdict == Verdict.PLAYS and not hand.replay

"""`cardroom replay` prints one JSON line for each file; its exit code tells whether they were read and agree."""

import json
import random
import re
from pathlib import Path

import pytest

from bot.__main__ import main
from bot.cli.replay import MAX_FILE_BYTES
from bot.engine import commands as c
from bot.engine.betting.posts import regular_posts
from bot.engine.dealing.decks import DECKS
from bot.engine.decide import decide_and_evolve, legal, start
from bot.engine.events import HandStarted
from bot.engine.legal import Decision
from bot.engine.timeout import default_action
from bot.engine.usual_stakes import usual_stakes
from bot.history.record import ALL_KNOWING, to_phh
from bot.history.validate_card import find_fault
from bot.variants import CATALOGUE, game
from tests.history.test_read_file import STORY
from tests.support.data import HANDS


def lines(capsys: pytest.CaptureFixture[str]) -> list[dict[str, object]]:
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_hand_ending_as_stated_prints_stacks_and_pots(capsys: pytest.CaptureFixture[str]) -> None:
    file = str(HANDS / "mit" / "nt-157.phh")
    assert main(["replay", file, file]) == 0
    assert (
        lines(capsys)
        == [
            {
                "file": file,
                "finishing_stacks": [10_113, 9_775, 10_000, 10_000, 10_112, 10_000],
                "pots_by_street": [675, 675, 675, 1_349],
                "final_pots": [1_349],
            }
        ]
        * 2
    )


@pytest.mark.parametrize("arguments", [[], ["--json"]])
def test_terminal_tells_the_hand_unless_json_is_asked_for(
    arguments: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = str(HANDS / "mit" / "nt-157.phh")
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    assert main(["replay", *arguments, file]) == 0
    shown = capsys.readouterr().out
    if arguments:
        assert json.loads(shown)["final_pots"] == [1_349]
        return
    assert "No-Limit Hold'em" in shown.splitlines()[0]
    assert "*** Flop ***" in shown and "wins" in shown
    assert shown.rstrip().endswith("played by the law book, with the result that the file states.")


def test_terminal_says_what_is_wrong_with_a_file(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    told = (HANDS / "mit" / "nt-157.phh").read_text(encoding="utf-8")
    odd = tmp_path / "odd.phh"
    odd.write_text(told.replace("10113, 9775", "10112, 9776"), encoding="utf-8")
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    assert main(["replay", str(odd), str(tmp_path / "missing.phh")]) == 2
    shown = capsys.readouterr().out
    assert "By the law book: 10,113, 9,775, 10,000" in shown
    assert "missing.phh: cannot be read" in shown.splitlines()[-1]
    assert "{" not in shown


def test_different_stated_result_is_a_mismatch(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "odd.phh"
    told = (HANDS / "mit" / "nt-157.phh").read_text(encoding="utf-8")
    file.write_text(told.replace("10113, 9775", "10112, 9776"), encoding="utf-8")
    assert main(["replay", str(file)]) == 1
    (line,) = lines(capsys)
    assert line["finishing_stacks"] == [10_113, 9_775, 10_000, 10_000, 10_112, 10_000]
    assert line["mismatch"] == {
        "finishing_stacks": {
            "file": [10_112, 9_776, 10_000, 10_000, 10_112, 10_000],
            "engine": [10_113, 9_775, 10_000, 10_000, 10_112, 10_000],
        }
    }


def test_an_unlawful_action_is_named_with_its_law_and_number(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "short.phh"
    told = (HANDS / "mit" / "nt-061.phh").read_text(encoding="utf-8")
    file.write_text(told.replace("p4 cbr 225", "p4 cbr 125"), encoding="utf-8")
    assert main(["replay", str(HANDS / "mit" / "nt-061.phh"), str(file)]) == 1
    good, bad = lines(capsys)
    assert "error" not in good
    assert bad["file"] == str(file)
    error = bad["error"]
    assert isinstance(error, dict)
    assert (error["law"], error["action"]) == ("L-8", 8)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("variant = 'NT'", "In antes: it's missing."),
        ("antes = 1\nno = toml = at all", "That file isn't a recorded hand: it isn't valid TOML, from line 2 on."),
        ("antes = [1, 2", "it isn't valid TOML: it breaks off too early."),
        (f"a = {'9' * 5_000}", "it isn't valid TOML."),
        (None, "cannot be read: there is no such file"),
    ],
)
def test_file_that_is_no_hand_is_reported(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, text: str | None, why: str
) -> None:
    file = tmp_path / "none.phh"
    if text is not None:
        file.write_text(text, encoding="utf-8")
    assert main(["replay", str(file)]) == 2
    (line,) = lines(capsys)
    error = line["error"]
    assert isinstance(error, dict)
    assert why in error["why"]
    assert error["law"] is None


def test_unknown_game_is_reported(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "unknown.phh"
    told = (HANDS / "mit" / "nt-157.phh").read_text(encoding="utf-8")
    file.write_text(told.replace("variant = 'NT'", "variant = 'XX'"), encoding="utf-8")
    assert main(["replay", str(file)]) == 2
    assert "the game “XX” isn't dealt here" in str(lines(capsys)[0]["error"])


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ("_rule_card = {key = 'x'}", "In _rule_card.name: it's missing."),
        ("_options = {cut = 'maybe'}", "In _options.cut: “maybe” doesn't belong there."),
        ("_rule_card = {steps = [{type = 'DealDown', count = 'two'}]}", "In _rule_card.steps[1].count: it has a value"),
        ("_stakes = 5", "In _stakes: it has a value that doesn't belong there."),
    ],
)
def test_rules_that_cannot_be_read_are_told_in_plain_words(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, fields: str, why: str
) -> None:
    file = tmp_path / "brought.phh"
    file.write_text((HANDS / "mit" / "nt-157.phh").read_text(encoding="utf-8") + "\n" + fields, encoding="utf-8")
    assert main(["replay", str(file)]) == 2
    said = str(lines(capsys)[0]["error"])
    assert why in said
    assert "Expected" not in said and "$" not in said


def brought(key: str = "follow_the_queen") -> str:
    """Return a hand of a game outside the standard in which everybody checks: the file holds the whole rule card."""
    card = game(key)
    stakes, deck = usual_stakes(card), DECKS[card.options.deck]
    posts = regular_posts(card, card.options, stakes, 4)
    events, hand = start(HandStarted(card, card.options, stakes, (1, 2, 3, 4), (5_000,) * 4, posts, 4), deck)
    happened = list(events)
    while not hand.over:
        may = legal(hand, hand.to_act)
        calls = hand.decision is Decision.BET and not may.check and not may.bring_in
        command = (
            c.Call() if calls and may.call_chips else c.Bet(may.bring_in) if may.bring_in else default_action(hand)
        )
        more, hand = decide_and_evolve(hand, hand.to_act, command)
        happened += more
    return to_phh(happened, deck, ALL_KNOWING)


def test_rule_card_from_file_is_played(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "queen.phh"
    file.write_text(brought(), encoding="utf-8")
    assert main(["replay", str(file)]) == 0, capsys.readouterr().out


@pytest.mark.parametrize(
    ("told", "instead", "field", "why"),
    [
        ("seats_max = 7", "seats_max = 99", "_rule_card", "the game is for 2 to 99 players, and only 2 to 14 can play"),
        ("seats_min = 2", "seats_min = 0", "_rule_card", "the game is for 0 to 7 players"),
        ("'DealDown', count = 2", "'DealDown', count = 1000000000", "_rule_card", "step 2 needs a number of cards"),
        ("'DealDown', count = 2", "'DealDown', count = -2", "_rule_card", "step 2 needs a number of cards"),
        ("{type = 'Showdown'}", "{type = 'Burn'}", "_rule_card", "the last step has to be the showdown"),
        ("{type = 'PostForcedBets'}", "{type = 'Showdown'}", "_rule_card", "there can be only one showdown"),
        ("{type = 'Showdown'}", "{type = 'Hokuspokus'}", "_rule_card", "steps[17].type: “Hokuspokus” doesn't"),
        ("'FollowRank', rank = 10", "'FollowRank', rank = 77", "_rule_card", "customs[2].rank: it has a value that doesn't belong there"),
        ("_seats = [1, 2, 3, 4]", "_seats = [1, 2, 2, 4]", "_seats", "one entry for each of the 4 players"),
        ("_seats = [1, 2, 3, 4]", "_seats = [1, 2, 3, 400]", "_seats", "“400” is out of bounds"),
        ("_seats = [1, 2, 3, 4]", "_seats = 'here'", "_seats", "it isn't a list"),
        ("_button = 4", "_button = 99999999999999999999", "_button", "isn't a whole number"),
        ("p1 ante", "p9 ante", "_posts", "isn't a post"),
    ],
)  # fmt: skip
def test_rule_card_from_file_is_validated(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, told: str, instead: str, field: str, why: str
) -> None:
    text = brought()
    assert told in text
    file = tmp_path / "queen.phh"
    file.write_text(text.replace(told, instead, 1), encoding="utf-8")
    assert main(["replay", str(file)]) == 2
    error = lines(capsys)[0]["error"]
    assert isinstance(error, dict)
    assert error["field"] == field
    assert why in error["why"]
    assert "\n" not in error["why"]


def test_oversized_file_is_not_fully_read(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "long.phh"
    file.write_text("#" * (MAX_FILE_BYTES + 1), encoding="utf-8")
    assert main(["replay", str(file)]) == 2
    assert "that is not a hand" in str(lines(capsys)[0]["error"])


def test_every_catalogue_game_passes_validation() -> None:
    assert [card.key for card in CATALOGUE if find_fault(card, card.options)] == []


def test_corrupted_file_gets_a_one_sentence_error(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Letters, numbers, lines and words of files are changed, lost or moved. There is never a traceback, always one line."""
    rng = random.Random(8)
    whole = [path.read_text(encoding="utf-8") for path in sorted(HANDS.glob("*/*.phh"))]
    whole += [brought(key) for key in ("follow_the_queen", "baseball", "anaconda", "guts", "jacks_or_better")]
    file = tmp_path / "changed.phh"
    for _ in range(300):
        file.write_text(changed(rng.choice(whole), rng), encoding="utf-8")
        code = main(["replay", str(file)])
        (line,) = lines(capsys)
        error = line.get("error")
        assert code == (2 if isinstance(error, dict) and "field" in error else 1 if error or "mismatch" in line else 0)
        assert error is None or (isinstance(error, dict) and error["why"] and "\n" not in error["why"])


def changed(text: str, rng: random.Random) -> str:
    """Return a file with a few random changes."""
    for _ in range(rng.choice((1, 1, 2, 4))):
        at = rng.randrange(len(text))
        match rng.randrange(4):
            case 0:
                numbers = list(re.finditer(r"-?[0-9]+", text))
                found = rng.choice(numbers)
                other = rng.choice(("0", "-1", "15", "53", "99", "1000000000000", "9" * 30, "1.5", "true", "[]", "'x'"))
                text = text[: found.start()] + other + text[found.end() :]
            case 1:
                text = text[:at] + rng.choice("abc[]{}\"',=\n 0159-_#?") + text[at + 1 :]
            case 2:
                rows = text.split("\n")
                del rows[rng.randrange(len(rows))]
                text = "\n".join(rows) or "x = 1"
            case _:
                words = list(re.finditer(r"'[^'\n]*'", text)) or list(re.finditer("x", "x"))
                one, other_word = rng.choice(words), rng.choice(words)
                text = text[: one.start()] + other_word.group() + text[one.end() :]
    return text


def test_several_hands_of_a_file_get_a_line_each(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """PHHS and PokerStars' text: each hand has its number and its line, and a fault the line where it stands."""
    hand = (HANDS / "mit" / "nt-061.phh").read_text(encoding="utf-8")
    phhs, text = tmp_path / "evening.phhs", tmp_path / "evening.txt"
    phhs.write_text(f"[1]\n{hand}\n[2]\n{hand}", encoding="utf-8")
    text.write_text(STORY + "\n\n" + STORY.replace("to 300", "to 150"), encoding="utf-8")
    assert main(["replay", str(phhs)]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["hand"] for line in lines] == [1, 2] and lines[0]["line"] == 1 < lines[1]["line"]
    assert main(["replay", str(text)]) == 1
    good, bad = (json.loads(line) for line in capsys.readouterr().out.splitlines())
    assert good["finishing_stacks"] == [2100, 2900, 3000] and "mismatch" not in good
    assert (bad["line"], bad["error"]["law"]) == (21, "L-8")

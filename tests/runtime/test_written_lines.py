"""Lines that are written ahead at tables that wait: they act as they were written or not at all, and nobody else can tell (WT-2)."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from msgspec import Struct
from msgspec.structs import replace

from bot.engine import commands as c
from bot.engine.events import Called, Checked, Folded
from bot.engine.refusals import HandIsDead
from bot.engine.view.types import HandSeatState, SeatView
from bot.runtime.commands import Preselect
from bot.runtime.journal import TurnClockStarted
from bot.runtime.snapshot import TableUpdate
from bot.runtime.transaction import LINE_DELAY_MS
from bot.table.commands import TopUp
from bot.table.events import HandFinished, PrivateTableEvent
from bot.table.preselection.types import PreselectedAction, PreselectionEndReason
from bot.table.refusals import CannotPreselect, LinesNeedTime, NothingToCallUpTo
from bot.table.settings import TableSettings
from tests.runtime.evening import USERS, Evening, settings
from tests.runtime.manual_clock import SECOND
from tests.runtime.test_preselecting import early

CHECK_OR_FOLD, CALL, FOLD = PreselectedAction.CHECK_OR_FOLD, PreselectedAction.CALL, PreselectedAction.FOLD
CALL_UP_TO, CHECK_DOWN = PreselectedAction.CALL_UP_TO, PreselectedAction.CHECK_DOWN
LEAST, MOST = (each // SECOND for each in LINE_DELAY_MS)
PAUSE = 2 * MOST
"""Between two hands there is time to look how the last one ended."""


def slow(game: str = "holdem") -> TableSettings:
    chosen = settings(game)
    return replace(chosen, stakes=replace(chosen.stakes, turn_seconds=86_400), pause_seconds=PAUSE)


async def dealt(evening: Evening, *names: str, chips: int = 10_000, game: str = "holdem") -> list[str]:
    """Return the players of a hand at a table that waits, the first to act first."""
    await evening.open(slow(game))
    await evening.seat(**dict.fromkeys(names, chips))
    await evening.wait(PAUSE)
    order = [evening.snapshot.players_by_seat[seat.seat_number].name for seat in evening.hand.seats]
    at = order.index(evening.to_act)
    return order[at:] + order[:at]


async def writes(evening: Evening, name: str, line: PreselectedAction, chips: int = 0) -> None:
    await evening.ask(name, Preselect(line, chips))


@pytest.mark.law("WT-2")
@pytest.mark.parametrize(("raised", "did_then"), [(300, "call"), (400, "call"), (500, "fold")])
async def test_call_up_to_counts_chips_put_in_now(evening: Evening, raised: int, did_then: str) -> None:
    """Bo has 100 in as the big blind: at a raise to 400 it is 300 more."""
    first, big = await dealt(evening, "Ann", "Bo")
    await writes(evening, big, CALL_UP_TO, 300)
    await evening.acts(f"{first} raises to {raised}")
    await evening.wait(LEAST - 1)
    assert evening.to_act == big, "it acts some time after its turn has come"
    await evening.wait(MOST)
    seat = _seat(evening, big)
    assert (seat.state is HandSeatState.FOLDED) == (did_then == "fold")
    assert seat.put_in == (raised if did_then == "call" else 100)
    await evening.audit()


@pytest.mark.law("WT-2")
async def test_call_up_to_includes_an_all_in_for_less(evening: Evening) -> None:
    first, big = await dealt(evening, "Ann", "Bo", chips=2_000)
    await writes(evening, big, CALL_UP_TO, 1_900)
    await evening.acts(f"{first} is all-in")
    await evening.wait(MOST + 1)
    assert _seat(evening, big).put_in == 2_000


@pytest.mark.law("WT-2")
@pytest.mark.parametrize("line", [CALL_UP_TO, CHECK_OR_FOLD, FOLD])
async def test_no_line_folds_a_hand_that_can_check(evening: Evening, line: PreselectedAction) -> None:
    first, big = await dealt(evening, "Ann", "Bo")
    await writes(evening, big, line, 300 if line is CALL_UP_TO else 0)
    await evening.acts(f"{first} calls")
    await evening.wait(MOST + 1)
    assert evening.hand.street == "flop" and early_line(evening, big) is None, "it checked, and is spent"


@pytest.mark.law("WT-2")
async def test_check_it_down_goes_on_until_somebody_bets(evening: Evening) -> None:
    first, big = await dealt(evening, "Ann", "Bo")
    await writes(evening, big, CHECK_DOWN)
    await evening.acts(f"{first} calls")
    await evening.wait(MOST + 1)
    assert evening.hand.street == "flop" and evening.to_act == first, "it has checked twice"
    await evening.acts(f"{first} checks")
    await evening.wait(MOST + 1)
    assert evening.hand.street == "turn" and evening.to_act == first
    await evening.acts(f"{first} bets 200")
    assert evening.updates[-1].lapsed_users == (USERS[big],), "its writer is told at once"
    chosen = early(evening, big).chosen
    assert chosen is not None
    assert (chosen.lapse_reason, chosen.call_at_turn) == (PreselectionEndReason.BET, 200)
    await evening.wait(MOST + 1)
    assert evening.to_act == big, "nothing acts against what was written"


@pytest.mark.law("WT-2")
async def test_line_lapses_when_a_card_comes_and_says_so(evening: Evening) -> None:
    first, dealer, small, big = await dealt(evening, "Ann", "Bo", "Cy", "Dee")
    await evening.acts(f"{first} calls", f"{dealer} calls")
    await writes(evening, first, CALL_UP_TO, 500)
    await evening.acts(f"{small} calls", f"{big} checks")
    assert evening.hand.street == "flop"
    assert evening.updates[-1].lapsed_users == (USERS[first],)
    chosen = early(evening, first).chosen
    assert chosen is not None and chosen.lapse_reason is PreselectionEndReason.STREET_OVER


@pytest.mark.law("WT-2")
async def test_line_can_be_taken_back_before_it_acts(evening: Evening) -> None:
    first, big = await dealt(evening, "Ann", "Bo")
    await writes(evening, big, FOLD)
    await evening.acts(f"{first} raises to 300")
    await evening.wait(LEAST - 1)
    await evening.ask(big, Preselect(None))
    await evening.wait(MOST + 1)
    assert evening.to_act == big
    await writes(evening, big, CALL_UP_TO, 200)
    assert evening.to_act == big, "also a line that is written late acts with a delay"
    await evening.crash()
    await evening.wait(MOST + 1)
    assert evening.hand.street == "flop", "a restart loses no line"


@pytest.mark.law("WT-2")
async def test_lines_are_for_tables_that_wait(evening: Evening) -> None:
    await evening.open(settings())
    await evening.seat(Ann=10_000, Bo=10_000)
    await evening.deal()
    other = next(name for name in ("Ann", "Bo") if name != evening.to_act)
    with pytest.raises(LinesNeedTime):
        await writes(evening, other, CHECK_DOWN)


@pytest.mark.law("WT-2")
async def test_line_does_not_answer_what_it_does_not_foresee(evening: Evening) -> None:
    """At a draw there is nothing to check: "check it down" goes on, and the player draws."""
    first, big = await dealt(evening, "Ann", "Bo", game="five_card_draw")
    await writes(evening, big, CHECK_DOWN)
    await evening.acts(f"{first} calls")
    await evening.wait(2 * MOST)
    assert evening.hand.draw_progress[0] == 1
    drawer = evening.to_act
    await evening.wait(10 * MOST)
    assert evening.to_act == drawer
    for _ in range(2):
        await evening.ask(evening.to_act, c.ChooseCards(()))
    if evening.to_act != big:
        await evening.next_player_acts("checks")
    await evening.wait(MOST + 1)
    assert not evening.playing() or evening.to_act != big


@pytest.mark.law("WT-2")
async def test_amount_of_a_call_has_bounds(evening: Evening) -> None:
    _, big = await dealt(evening, "Ann", "Bo")
    for chips in (0, -1, 10**13):
        with pytest.raises(NothingToCallUpTo):
            await writes(evening, big, CALL_UP_TO, chips)


# a machine with a model


class Line(Struct, frozen=True):
    """What somebody has written, as the model keeps it."""

    action: PreselectedAction
    chips: int = 0


class Model:
    """What the law says of lines, worked out from what everybody sees: bets, stacks, streets."""

    def __init__(self, evening: Evening) -> None:
        self.evening = evening
        self.lines: dict[str, Line] = {}

    def owes(self, name: str) -> int:
        view, seat = self.evening.hand, _seat(self.evening, name)
        return min(view.current_bet - seat.bet, seat.stack)

    def takes(self, name: str, line: Line) -> bool:
        """Whether somebody can write this now."""
        seat = _seat(self.evening, name)
        if seat.state is not HandSeatState.LIVE or not seat.stack:
            return False
        match line.action:
            case PreselectedAction.CHECK_OR_FOLD | PreselectedAction.CHECK_DOWN:
                return not self.owes(name)
            case PreselectedAction.CALL:
                return line.chips == self.owes(name) > 0
            case PreselectedAction.CALL_UP_TO:
                return line.chips > 0
            case _:
                return True

    def outcome(self, name: str) -> str:
        """What the line of the player to act does: ``check``, ``call``, ``fold``; ``lapse``; empty for no line."""
        line, owes = self.lines.get(name), self.owes(name)
        if line is None:
            return ""
        match line.action:
            case PreselectedAction.CALL:
                return "call" if owes == line.chips else "lapse"
            case PreselectedAction.CALL_UP_TO if owes:
                return "call" if owes <= line.chips else "fold"
            case PreselectedAction.CHECK_DOWN if owes:
                return "lapse"
            case _:
                return "fold" if owes else "check"

    def acted(self, name: str, verb: str, *, next_street: bool) -> None:
        line = self.lines.get(name)
        if line is not None and not (line.action is CHECK_DOWN and verb == "check"):
            del self.lines[name]
        if next_street:
            self.lines = {who: line for who, line in self.lines.items() if line.action is CHECK_DOWN}


async def random_lines(evening: Evening, rng: random.Random, hands: int) -> list[tuple[str, int]]:
    """Play hands in which people write lines and act at random. Returns what each line did, and after how many ms."""
    names, acted = ("Ann", "Bo", "Cy", "Dee"), list[tuple[str, int]]()
    await dealt(evening, *names, chips=3_000)
    model = Model(evening)
    for _ in range(hands):
        while evening.playing():
            await _somebody_writes(evening, model, rng, names)
            acted += await _next_action(evening, model, rng)
        model.lines.clear()
        for name in names:
            if evening.stacks()[name] < 500:
                await evening.fund(name, 3_000)
                await evening.ask(name, TopUp, 3_000)
        await evening.wait(PAUSE)
    return acted


async def _somebody_writes(evening: Evening, model: Model, rng: random.Random, names: Sequence[str]) -> None:
    for name in rng.sample(names, rng.randrange(3)):
        owes = model.owes(name)
        action = rng.choice([CHECK_OR_FOLD, CALL, FOLD, CALL_UP_TO, CALL_UP_TO, CHECK_DOWN])
        chips = {CALL: owes, CALL_UP_TO: rng.choice([50, 100, 300, 3_000])}.get(action, 0)
        line = Line(action, chips)
        if name == evening.to_act:
            continue
        if model.takes(name, line):
            await writes(evening, name, action, chips)
            model.lines[name] = line
            for other in names:
                lapses = other == evening.to_act and model.outcome(other) == "lapse"
                assert early_line(evening, other) == (None if lapses else model.lines.get(other))
        else:
            with pytest.raises((CannotPreselect, HandIsDead)):
                await writes(evening, name, action, chips)


async def _next_action(evening: Evening, model: Model, rng: random.Random) -> list[tuple[str, int]]:
    """The player to act does what they have written, else anything."""
    name, street, hand = evening.to_act, evening.hand.street, evening.snapshot.hand_number
    expected, decision = model.outcome(name), evening.snapshot.decision_number
    began_at, before = evening.clock.now(), _seat(evening, name)
    if rng.random() < 0.05:
        await evening.crash()
        began_at = evening.clock.now()
    told = len(evening.updates)
    if expected in {"check", "call", "fold"} and rng.random() < 0.9:
        await evening.wait(LEAST - 1)
        assert evening.snapshot.decision_number == decision
        until = began_at + 1000 * (MOST + 2)
        while (evening.snapshot.hand_number, evening.snapshot.decision_number) == (hand, decision):
            assert evening.playing() and evening.clock.now() < until, f"{name} had written a line"
            await evening.wait((evening.clock.next_at() - evening.clock.now()) / 1000)
        update = evening.updates[told]
        assert isinstance(update.events[0], _EVENTS[expected])
        assert not any(isinstance(event, PrivateTableEvent) for event in update.events)
        at = next(_times(update))
        model.acted(name, expected, next_street=evening.hand.street != street or not evening.playing())
        return [(expected, at - began_at)]
    if expected == "lapse":
        chosen = early(evening, name).chosen
        assert chosen is not None and chosen.lapse_reason is not None
        await evening.wait(MOST + 1)
        assert evening.snapshot.decision_number == decision and _seat(evening, name) == before
    can_check = not model.owes(name)
    verb = rng.choice(["checks", "checks", "bets"] if can_check else ["calls", "calls", "folds", "raises"])
    if verb in {"bets", "raises"}:
        legal = evening.view(name).legal
        assert legal is not None
        to = min(legal.min_to, legal.max_to)
        verb = ("bets" if legal.opening else "raises") + f" to {to}" if to else "checks" if can_check else "calls"
    await evening.acts(f"{name} {verb}")
    model.acted(name, verb.split()[0].rstrip("s"), next_street=not evening.playing() or evening.hand.street != street)
    return []


def _times(update: TableUpdate) -> Iterator[int]:
    """Yield when an update happened: the next clock started, or the hand was over."""
    for event in update.events:
        if isinstance(event, TurnClockStarted):
            yield event.began_at
        elif isinstance(event, HandFinished):
            yield event.at


_EVENTS = {"check": Checked, "call": Called, "fold": Folded}


@pytest.mark.law("WT-2", "TL-34")
@pytest.mark.parametrize("seed", range(2))
async def test_random_lines_never_act_against_what_was_written(tmp_path: Path, seed: int) -> None:
    evening = await Evening(tmp_path, seed=seed).begin()
    acted = await random_lines(evening, random.Random(seed), hands=10)
    assert {verb for verb, _ in acted} == {"check", "call", "fold"}
    assert all(LINE_DELAY_MS[0] <= delay <= LINE_DELAY_MS[1] + SECOND for _, delay in acted)
    await evening.audit()
    await evening.end()


@pytest.mark.full
@pytest.mark.law("WT-2")
async def test_times_of_lines_do_not_tell_what_they_do(tmp_path: Path) -> None:
    """A classifier learns from half of the lines which times belong to which action, and guesses the others no better than by chance."""
    acted: list[tuple[str, int]] = []
    for seed in range(10, 50):
        evening = await Evening(_folder(tmp_path, seed), seed=seed).begin()
        acted += await random_lines(evening, random.Random(seed), hands=40)
        await evening.end()
    assert Counter(verb for verb, _ in acted).total() >= 1_500
    for one, other in (("check", "call"), ("check", "fold"), ("call", "fold")):
        assert guessed([two for two in acted if two[0] in (one, other)], one, other) <= 0.55, (one, other)


def guessed(acted: Sequence[tuple[str, int]], one: str, other: str) -> float:
    """Return how many of the second half a classifier guesses that knows the first: by the ten nearest times."""
    half = len(acted) // 2
    known, right = acted[:half], dict[str, list[bool]]()
    counts = Counter(verb for verb, _ in known)
    for verb, delay in acted[half:]:
        nearest = sorted(known, key=lambda each: abs(each[1] - delay))[:10]
        score = sum(1 / counts[one] if each == one else -1 / counts[other] for each, _ in nearest)
        right.setdefault(verb, []).append((one if score > 0 else other) == verb)
    return sum(sum(each) / len(each) for each in right.values()) / len(right)


def early_line(evening: Evening, name: str) -> Line | None:
    """Return what somebody has written and still stands, as they see it."""
    found = evening.snapshot.preselection_for(USERS[name])
    if found is None or found.chosen is None or found.chosen.lapse_reason is not None:
        return None
    return Line(found.chosen.action, found.chosen.chosen_call)


def _seat(evening: Evening, name: str) -> SeatView:
    players = evening.snapshot.players_by_seat
    return next(seat for seat in evening.hand.seats if players[seat.seat_number].name == name)


def _folder(tmp_path: Path, seed: int) -> Path:
    folder = tmp_path / str(seed)
    folder.mkdir()
    return folder

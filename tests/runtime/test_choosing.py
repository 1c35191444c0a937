"""Choices that several players make at once: anybody awaited may answer, everybody has his time, silence is answered for all."""

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from bot.engine import commands as c
from bot.engine.legal import Decision
from bot.engine.refusals import HasChosen
from bot.engine.usual import usual_stakes
from bot.engine.view import HandView
from bot.players import policies
from bot.runtime.errors import StaleButton
from bot.runtime.journal import TimeUp
from bot.table.settings import TableSettings
from bot.variants import game
from tests.runtime.evening import USERS, Evening


def settings(name: str, **changes: Any) -> TableSettings:
    """A table of a game at its usual stakes."""
    card = game(name)
    return TableSettings(
        card=card, options=card.options, stakes=replace(usual_stakes(card), bank_seconds=60), **changes
    )


def own(evening: Evening, name: str) -> HandView:
    view = evening.now.seen_by(USERS[name])
    assert view is not None
    return view


def awaited(evening: Evening) -> set[str]:
    people = evening.now.people
    return {people[seat.number].name for seat in evening.hand.seats if seat.awaited}


async def guts(evening: Evening, **changes: Any) -> None:
    await evening.open(settings("guts", **changes))
    await evening.seat(Ann=5_000, Bo=5_000, Cy=5_000)
    await evening.deal()
    assert awaited(evening) == {"Ann", "Bo", "Cy"}


@pytest.mark.law("TL-35", "VC-27")
async def test_anybody_who_is_awaited_may_answer_with_a_button_drawn_when_all_were_asked(evening: Evening) -> None:
    await guts(evening)
    drawn = evening.now
    await evening.tables.act(evening.asked("Cy", button=drawn), c.Declare("out"))
    assert awaited(evening) == {"Ann", "Bo"}
    assert all(not seat.word for seat in evening.hand.seats), "what he said is secret"
    with pytest.raises(HasChosen):
        await evening.tables.act(evening.asked("Cy", button=drawn), c.Declare("in"))
    await evening.tables.act(evening.asked("Ann", button=drawn), c.Declare("in"))
    await evening.tables.act(evening.asked("Bo", button=drawn), c.Declare("out"))
    assert evening.hand.over
    with pytest.raises(StaleButton):
        await evening.tables.act(evening.asked("Bo", button=drawn), c.Declare("in"))
    await evening.audit()


@pytest.mark.law("TL-41")
async def test_silence_answers_for_all_who_are_silent(evening: Evening) -> None:
    """Whoever has said nothing when his time is over is out; who has spoken is not touched."""
    await guts(evening)
    await evening.act("Bo", c.Declare("in"))
    await evening.wait(89)
    assert awaited(evening) == {"Ann", "Cy"}, "all have the same time, each with his own bank behind it"
    await evening.wait(3)
    assert evening.hand.over
    silent = [change.timed_out for change in evening.changes if any(isinstance(e, TimeUp) for e in change.events)]
    assert len(silent) == 2
    (won,) = [seat for seat in evening.hand.seats if seat.won]
    assert evening.now.people[won.number].name == "Bo"
    await evening.audit()


@pytest.mark.law("TL-41")
async def test_the_clock_of_a_common_choice_outlives_the_dealer(evening: Evening) -> None:
    await guts(evening)
    await evening.act("Cy", c.Declare("out"))
    await evening.wait(20)
    await evening.crash(away_ms=60_000)
    assert awaited(evening) == {"Ann", "Bo"}
    assert evening.now.due is not None
    await evening.act("Bo", c.Declare("in"))
    await evening.wait(73)
    assert evening.hand.over
    await evening.audit()


@pytest.mark.law("VC-26", "TL-41")
async def test_cards_are_passed_by_all_at_once_and_only_who_gets_new_ones_is_told(evening: Evening) -> None:
    await evening.open(settings("anaconda"))
    await evening.seat(Ann=5_000, Bo=5_000, Cy=5_000)
    await evening.deal()
    await evening.goes("bets 50", "calls", "calls")
    assert evening.hand.acting is not None and evening.hand.acting.decision is Decision.PASS
    for name in ("Cy", "Ann"):
        places = [seen.place for seat in own(evening, name).seats for seen in seat.cards if seen.place >= 0]
        await evening.act(name, c.Discard(tuple(places[:3])))
    evening.changes.clear()
    await evening.wait(95)  # Bo is silent: the first cards dealt go
    told = [user for change in evening.changes for user in change.dealt]
    assert sorted(told) == sorted(USERS[name] for name in ("Ann", "Bo", "Cy"))
    await evening.goes("bets 50", "calls")
    evening.changes.clear()
    assert evening.hand.acting is not None
    await evening.wait(95)
    assert not [user for change in evening.changes for user in change.dealt], "giving up cards is told to nobody anew"


async def test_practice_players_choose_while_a_person_thinks(tmp_path: Path) -> None:
    """They do not wait for the person, and the person's clock runs on."""
    evening = await Evening(tmp_path, policies=policies()).begin()
    await evening.open(settings("guts", practice=True))
    await evening.tables.sit(evening.asked("Ann"), 5_000, 1)
    await evening.tables.seat_practice(evening.asked("Ann"), 3)
    await evening.deal()
    await evening.wait(12)
    assert awaited(evening) == {"Ann"}
    assert evening.now.running
    await evening.act("Ann", c.Declare("in"))
    assert evening.hand.over
    await evening.audit()
    await evening.end()


@pytest.mark.law("TL-25", "TL-41")
async def test_the_board_runs_twice_if_all_agree_and_silence_is_no(evening: Evening) -> None:
    """All who are in are asked at once; the first no, or nobody's word in time, and it runs once."""
    holdem = settings("holdem", ask_run_twice=True)
    await evening.open(holdem)
    await evening.seat(Ann=10_000, Bo=10_000)
    for answers, boards in ((("yes", "yes"), 2), (("no",), 1), ((), 1)):
        for name, stack in evening.stacks().items():
            if stack < 2_000:
                await evening.fund(name, 5_000)
                await evening.tables.rebuy(evening.asked(name), 5_000)
        await evening.deal()
        await evening.goes("is all-in", "calls")
        assert awaited(evening) == {"Ann", "Bo"}
        due = evening.now.due
        assert due is not None and due.turn_ends == due.ends, "nobody's time bank is waited for"
        for name, answer in zip(("Bo", "Ann"), answers, strict=False):
            await evening.act(name, c.Accept() if answer == "yes" else c.Decline())
        if not answers:
            await evening.wait(31)
        assert evening.hand.over
        assert len(evening.hand.boards) == boards
        assert {len(board) for board in evening.hand.boards} == {5}
    await evening.audit()

"""Several players choose at once: each can answer, each has their own time, and the default answers for those who are silent."""

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from bot.engine import commands as c
from bot.engine.legal import Decision
from bot.engine.options.values import Switch
from bot.engine.refusals import AlreadyChosen
from bot.engine.usual_stakes import usual_stakes
from bot.engine.view.types import HandView
from bot.players import policies
from bot.runtime.commands import SeatPracticePlayers
from bot.runtime.errors import StaleButton
from bot.runtime.journal import TimeUp
from bot.table.commands import TakeSeat, TopUp
from bot.table.settings import TableSettings
from bot.variants import game
from tests.runtime.evening import USERS, Evening


def settings(name: str, **changes: Any) -> TableSettings:
    """Return a table of a game at its usual stakes."""
    card = game(name)
    return TableSettings(
        rule_card=card, options=card.options, stakes=replace(usual_stakes(card), bank_seconds=60), **changes
    )


def with_run_twice(table: TableSettings) -> TableSettings:
    return replace(table, options=replace(table.options, run_twice=Switch.ON))


def own(evening: Evening, name: str) -> HandView:
    view = evening.snapshot.seen_by(USERS[name])
    assert view is not None
    return view


def awaited(evening: Evening) -> set[str]:
    people = evening.snapshot.players_by_seat
    return {people[seat.seat_number].name for seat in evening.hand.seats if seat.choice_awaited}


async def guts(evening: Evening, **changes: Any) -> None:
    await evening.open(settings("guts", **changes))
    await evening.seat(Ann=5_000, Bo=5_000, Cy=5_000)
    await evening.deal()
    assert awaited(evening) == {"Ann", "Bo", "Cy"}


@pytest.mark.law("TL-35", "VC-27")
async def test_any_awaited_player_can_answer_with_original_button(evening: Evening) -> None:
    await guts(evening)
    drawn = evening.snapshot
    await evening.ask("Cy", c.Declare("out"), button=drawn)
    assert awaited(evening) == {"Ann", "Bo"}
    assert all(not seat.declaration for seat in evening.hand.seats), "the declaration is secret"
    with pytest.raises(AlreadyChosen):
        await evening.ask("Cy", c.Declare("in"), button=drawn)
    await evening.ask("Ann", c.Declare("in"), button=drawn)
    await evening.ask("Bo", c.Declare("out"), button=drawn)
    assert evening.hand.over
    with pytest.raises(StaleButton):
        await evening.ask("Bo", c.Declare("in"), button=drawn)
    await evening.audit()


@pytest.mark.law("TL-41")
async def test_timeout_answers_for_all_who_have_not_chosen(evening: Evening) -> None:
    """A player who has not declared in time is out. One who has declared stays in."""
    await guts(evening)
    await evening.ask("Bo", c.Declare("in"))
    await evening.wait(89)
    assert awaited(evening) == {"Ann", "Cy"}, "all have the same time, each with their own time bank"
    await evening.wait(3)
    assert evening.hand.over
    silent = [change.timed_out_seat for change in evening.updates if any(isinstance(e, TimeUp) for e in change.events)]
    assert len(silent) == 2
    (won,) = [seat for seat in evening.hand.seats if seat.won]
    assert evening.snapshot.players_by_seat[won.seat_number].name == "Bo"
    await evening.audit()


@pytest.mark.law("TL-41")
async def test_the_clock_of_a_common_choice_outlives_the_dealer(evening: Evening) -> None:
    await guts(evening)
    await evening.ask("Cy", c.Declare("out"))
    await evening.wait(20)
    await evening.crash(away_ms=60_000)
    assert awaited(evening) == {"Ann", "Bo"}
    assert evening.snapshot.current_turn is not None
    await evening.ask("Bo", c.Declare("in"))
    await evening.wait(73)
    assert evening.hand.over
    await evening.audit()


@pytest.mark.law("VC-26", "TL-41")
async def test_cards_pass_at_once_and_only_receivers_are_notified(evening: Evening) -> None:
    await evening.open(settings("anaconda"))
    await evening.seat(Ann=5_000, Bo=5_000, Cy=5_000)
    await evening.deal()
    await evening.next_player_acts("bets 50", "calls", "calls")
    assert evening.hand.legal_to_act is not None and evening.hand.legal_to_act.decision is Decision.PASS_CARDS
    for name in ("Cy", "Ann"):
        places = [seen.card_index for seat in own(evening, name).seats for seen in seat.cards if seen.card_index >= 0]
        await evening.ask(name, c.ChooseCards(tuple(places[:3])))
    evening.updates.clear()
    await evening.wait(95)  # Bo is silent: the first cards dealt go
    users = [user for change in evening.updates for user in change.users_with_new_cards]
    assert sorted(users) == sorted(USERS[name] for name in ("Ann", "Bo", "Cy"))
    await evening.next_player_acts("bets 50", "calls")
    evening.updates.clear()
    assert evening.hand.legal_to_act is not None
    await evening.wait(95)
    assert not [user for change in evening.updates for user in change.users_with_new_cards], (
        "giving up cards is told to nobody anew"
    )


async def test_practice_players_choose_while_a_person_thinks(tmp_path: Path) -> None:
    """They do not wait for the person, and the person's clock runs on."""
    evening = await Evening(tmp_path, policies=policies()).begin()
    await evening.open(settings("guts", practice=True))
    await evening.ask("Ann", TakeSeat, 5_000, 1)
    await evening.ask("Ann", SeatPracticePlayers(3))
    await evening.deal()
    await evening.wait(12)
    assert awaited(evening) == {"Ann"}
    assert evening.snapshot.hand_running
    await evening.ask("Ann", c.Declare("in"))
    assert evening.hand.over
    await evening.audit()
    await evening.end()


@pytest.mark.law("TL-25", "TL-41")
async def test_board_runs_twice_if_all_agree_and_timeout_declines(evening: Evening) -> None:
    """All live players are asked at once. After the first no, or a timeout, the board runs once."""
    holdem = with_run_twice(settings("holdem"))
    await evening.open(holdem)
    await evening.seat(Ann=10_000, Bo=10_000)
    for answers, boards in ((("yes", "yes"), 2), (("no",), 1), ((), 1)):
        for name, stack in evening.stacks().items():
            if stack < 2_000:
                await evening.fund(name, 5_000)
                await evening.ask(name, TopUp, 5_000)
        await evening.deal()
        await evening.next_player_acts("is all-in", "calls")
        assert awaited(evening) == {"Ann", "Bo"}
        due = evening.snapshot.current_turn
        assert due is not None and due.turn_ends_at == due.bank_ends_at, "nobody's time bank is waited for"
        assert due.turn_ends_at == due.began_at + 10_000
        for name, answer in zip(("Bo", "Ann"), answers, strict=False):
            await evening.ask(name, c.Accept() if answer == "yes" else c.Decline())
        if not answers:
            await evening.wait(11)
        assert evening.hand.over
        assert len(evening.hand.boards) == boards
        assert {len(board) for board in evening.hand.boards} == {5}
    await evening.audit()

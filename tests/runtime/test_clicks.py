"""Clicks can come twice, late, or at the same moment."""

import asyncio

import pytest

from bot.engine import commands as c
from bot.engine.errors import TableError
from bot.engine.refusals import NotYourTurn
from bot.ledger.refusals import NotEnoughChips
from bot.runtime.errors import NoTableHere, StaleButton, TableGone
from bot.runtime.store_errors import ChannelTaken
from bot.table.commands import CloseTable, LeaveTable, TakeSeat
from bot.table.refusals import AlreadySeated, NoHandRunning, NotSeated
from tests.runtime.evening import CHANNEL, GUILD, USERS, Evening


async def _dealt(evening: Evening) -> None:
    await evening.open()
    await evening.seat(Ann=10_000, Bo=10_000, Cy=10_000)
    await evening.deal()


async def test_an_interaction_that_comes_twice_is_answered_and_applied_once(evening: Evening) -> None:
    await _dealt(evening)
    name = evening.to_act
    first = await evening.ask(name, c.RaiseTo(300), key="same")
    again = await evening.ask(name, c.RaiseTo(300), key="same")
    assert not first.repeated and again.repeated
    assert again.snapshot.hand is not None and again.snapshot.hand.current_bet == 300
    assert again.events == ()
    await evening.audit()


async def test_interaction_repeated_after_restart_is_not_applied_twice(evening: Evening) -> None:
    await evening.open()
    await evening.seat(Ann=10_000, Bo=10_000)
    await evening.deal()
    name, other = evening.to_act, "Bo" if evening.to_act == "Ann" else "Ann"
    await evening.ask(name, c.Call(), key="same")
    await evening.ask(other, c.RaiseTo(300))
    assert evening.to_act == name
    await evening.crash()
    again = await evening.ask(name, c.Call(), key="same")
    assert again.repeated
    assert evening.to_act == name, "a call of 50 is not taken for a call of 200 more"
    await evening.audit()


@pytest.mark.law("TL-35")
async def test_a_button_of_an_earlier_turn_is_refused(evening: Evening) -> None:
    await _dealt(evening)
    drawn, first = evening.snapshot, evening.to_act
    await evening.ask(first, c.RaiseTo(300), button=drawn)
    second = evening.to_act
    with pytest.raises(StaleButton) as refused:
        await evening.ask(second, c.Call(), button=drawn)
    assert refused.value.law == "TL-35"
    assert evening.to_act == second
    await evening.ask(second, c.Call(), button=evening.snapshot)


@pytest.mark.law("TL-35")
async def test_a_button_of_an_earlier_hand_is_refused(evening: Evening) -> None:
    await evening.open()
    await evening.seat(Ann=10_000, Bo=10_000)
    await evening.deal()
    drawn = evening.snapshot
    await evening.next_player_acts("folds")
    await evening.deal()
    with pytest.raises(StaleButton):
        await evening.ask(evening.to_act, c.Fold(), button=drawn)


@pytest.mark.law("TL-35")
async def test_of_two_clicks_at_the_same_moment_one_counts(evening: Evening) -> None:
    await _dealt(evening)
    drawn, name = evening.snapshot, evening.to_act
    answers = await asyncio.gather(
        *(evening.ask(name, c.RaiseTo(300), button=drawn) for _ in range(4)), return_exceptions=True
    )
    granted = [one for one in answers if not isinstance(one, BaseException)]
    assert len(granted) == 1
    assert all(isinstance(one, StaleButton) for one in answers if isinstance(one, BaseException))
    assert evening.hand.pot == 450
    await evening.audit()


async def test_the_same_interaction_delivered_twice_at_once_is_applied_once(evening: Evening) -> None:
    await _dealt(evening)
    name = evening.to_act
    answers = await asyncio.gather(*(evening.ask(name, c.RaiseTo(300), key="same") for _ in range(3)))
    assert [answer.repeated for answer in answers] == [False, True, True]
    assert evening.hand.pot == 450


async def test_cancelled_waiter_does_not_stop_the_save(evening: Evening) -> None:
    await _dealt(evening)
    name = evening.to_act
    task = asyncio.create_task(evening.ask(name, c.RaiseTo(300)))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await evening.tables.wait_until_idle()
    assert evening.hand.current_bet == 300
    assert evening.to_act != name
    await evening.audit()


async def test_refusals_change_nothing(evening: Evening) -> None:
    await _dealt(evening)
    seq, shown = evening.snapshot.seq, len(evening.updates)
    waits = next(name for name in ("Ann", "Bo", "Cy") if name != evening.to_act)
    refused: list[tuple[type[TableError], str, c.HandCommand]] = [
        (NotYourTurn, waits, c.Call()),
        (NotSeated, "Dee", c.Fold()),
    ]
    for refusal, name, command in refused:
        with pytest.raises(refusal):
            await evening.ask(name, command)
    with pytest.raises(AlreadySeated):
        await evening.ask("Ann", TakeSeat, 5_000)
    with pytest.raises(NotSeated):
        await evening.ask("Dee", LeaveTable)
    with pytest.raises(NotEnoughChips):
        await evening.ask("Dee", TakeSeat, 20_000)
    assert evening.snapshot.seq == seq
    assert len(evening.updates) == shown


async def test_there_is_no_action_without_a_hand_or_a_table(evening: Evening) -> None:
    with pytest.raises(NoTableHere):
        await evening.ask("Ann", c.Fold())
    await evening.open()
    with pytest.raises(NotSeated):
        await evening.ask("Ann", c.Fold())
    await evening.seat(Ann=10_000)
    with pytest.raises(NoHandRunning):
        await evening.ask("Ann", c.Fold())
    with pytest.raises(ChannelTaken):
        await evening.open()
    drawn = evening.snapshot
    await evening.ask("Ann", CloseTable)
    with pytest.raises(TableGone):
        await evening.ask("Ann", c.Fold(), button=drawn)
    assert evening.tables.table_in_channel(GUILD, CHANNEL) is None
    await evening.open()


async def test_opening_twice_by_the_same_interaction_opens_one_table(evening: Evening) -> None:
    open_request = evening.request("Ann", key="open")
    from tests.runtime.evening import settings

    first = await evening.tables.open(open_request, settings())
    again = await evening.tables.open(open_request, settings())
    assert again.repeated and again.snapshot.id == first.snapshot.id
    assert len(evening.tables.tables_in_guild(GUILD)) == 1


async def test_players_see_only_their_own_cards(evening: Evening) -> None:
    await _dealt(evening)
    for name in ("Ann", "Bo", "Cy"):
        view = evening.view(name)
        for seat in view.seats:
            known = [card.card is not None for card in seat.cards]
            assert all(known) if seat.seat_index == view.viewer else not any(known)
    assert evening.snapshot.seen_by(USERS["Dee"]) is None
    assert all(card.card is None for seat in evening.hand.seats for card in seat.cards)
    assert evening.updates[-1].users_with_new_cards == tuple(USERS[player] for player in _dealt_order(evening))


def _dealt_order(evening: Evening) -> list[str]:
    return [evening.snapshot.players_by_seat[seat.seat_number].name for seat in evening.hand.seats]

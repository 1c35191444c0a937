"""Preselections are saved before they are confirmed, happen at once at the turn, and are shown to nobody else (TL-34)."""

from pathlib import Path
from typing import cast

import pytest
from msgspec.structs import replace

from bot.engine import commands as c
from bot.engine import events as e
from bot.engine.evolve import replay
from bot.engine.options.values import OutOfTurn
from bot.engine.refusals import HandIsDead
from bot.runtime.commands import Preselect
from bot.runtime.errors import StaleButton
from bot.runtime.journal import JournalEvent
from bot.runtime.snapshot import RequestOutcome, TableSnapshot
from bot.runtime.store_errors import StoreFailed
from bot.store.codec import EventCodec
from bot.store.store import Store
from bot.table import events as te
from bot.table.commands import CloseTable, LeaveTable, TakeSeat
from bot.table.preselection.types import PreselectedAction, PreselectionEndReason, PreselectionView
from bot.table.refusals import CannotPreselect, NotSeated
from tests.runtime.evening import CHANNEL, USERS, Evening, settings
from tests.runtime.failing_stores import FailingStore
from tests.runtime.manual_clock import SECOND
from tests.support.engines import data_at

CHECK_OR_DROP, CALL, DROP = PreselectedAction.CHECK_OR_FOLD, PreselectedAction.CALL, PreselectedAction.FOLD


async def four(evening: Evening, **changes: object) -> tuple[str, str, str, str]:
    """Return four players dealt in at 50/100: the first to act, the dealer, the small blind and the big blind."""
    await evening.open(settings(**changes))  # type: ignore[arg-type]
    await evening.seat(Ann=10_000, Bo=10_000, Cy=10_000, Dee=10_000)
    await evening.deal()
    small, big, first, dealer = (evening.snapshot.players_by_seat[seat.seat_number].name for seat in evening.hand.seats)
    assert evening.to_act == first
    return first, dealer, small, big


async def chooses(
    evening: Evening, name: str, choice: PreselectedAction | None, chips: int = 0, **asked: object
) -> RequestOutcome:
    return await evening.ask(name, Preselect(choice, chips), **asked)  # type: ignore[arg-type]


def early(evening: Evening, name: str) -> PreselectionView:
    """Return what the player can know of their choice."""
    found = evening.snapshot.preselection_for(USERS[name])
    assert found is not None
    return found


def did(evening: Evening) -> list[str]:
    """Return the actions of the street, by name."""
    names = {seat.seat_index: evening.snapshot.players_by_seat[seat.seat_number].name for seat in evening.hand.seats}
    return [
        f"{names[action.seat_index]} {action.verb}" for action in evening.hand.street_actions if action.verb != "post"
    ]


@pytest.mark.law("TL-34")
async def test_check_fold_checks_and_call_100_calls(evening: Evening) -> None:
    first, dealer, small, big = await four(evening)
    await chooses(evening, big, CHECK_OR_DROP)
    await chooses(evening, dealer, CALL, 100)
    assert evening.to_act == first, "nothing happens before the turn"
    await evening.ask(first, c.Call())
    assert (did(evening)[-1], evening.to_act) == (f"{dealer} call", small)
    await evening.ask(small, c.Call())
    assert evening.hand.street == "flop", "the big blind has checked at once"
    await evening.audit()


@pytest.mark.law("TL-34")
async def test_bet_turns_check_fold_into_fold(evening: Evening) -> None:
    first, dealer, small, big = await four(evening)
    await chooses(evening, big, CHECK_OR_DROP)
    await evening.acts(f"{first} raises to 300", f"{dealer} folds", f"{small} calls")
    assert [
        seat.state.value
        for seat in evening.hand.seats
        if evening.snapshot.players_by_seat[seat.seat_number].name == big
    ] == ["folded"]


@pytest.mark.law("TL-34")
async def test_raise_cancels_preselected_call_and_notifies_player(evening: Evening) -> None:
    first, dealer, _, _ = await four(evening)
    await chooses(evening, dealer, CALL)
    await evening.acts(f"{first} raises to 300")
    assert evening.to_act == dealer, "the dealer can choose again"
    lapsed = early(evening, dealer).chosen
    assert lapsed is not None and lapsed.lapse_reason is PreselectionEndReason.CALL_CHANGED
    assert (lapsed.action, lapsed.chosen_call, lapsed.call_at_turn) == (CALL, 100, 300)
    assert evening.updates[-1].lapsed_users == (USERS[dealer],)
    await evening.acts(f"{dealer} calls")
    assert early(evening, dealer).chosen is None, "the player is told until they act"


@pytest.mark.law("TL-34")
async def test_several_preselections_are_saved_together_and_shown_once(evening: Evening) -> None:
    """Three choices in a row are one save and one update, and the clock starts for the next player."""
    first, dealer, small, big = await four(evening)
    for name, choice in ((dealer, CALL), (small, DROP), (big, CHECK_OR_DROP)):
        await chooses(evening, name, choice)
    shown, seq = len(evening.updates), evening.snapshot.seq
    outcome = await evening.ask(first, c.Call())
    assert len(evening.updates) == shown + 1
    happened = [type(event) for event in outcome.events if isinstance(event, e.BettingAction)]
    assert happened == [e.Called, e.Called, e.Folded, e.Checked]
    assert outcome.events == evening.updates[-1].events
    assert evening.snapshot.seq > seq + len(outcome.events), "what nobody is told is kept as well"
    assert (evening.hand.street, evening.to_act) == ("flop", big)
    due = evening.snapshot.current_turn
    assert due is not None and due.began_at == evening.clock.now()
    await evening.audit()


@pytest.mark.law("TL-34")
async def test_preselections_can_end_the_hand(evening: Evening) -> None:
    first, dealer, small, big = await four(evening)
    for name in (dealer, small):
        await chooses(evening, name, DROP)
    await chooses(evening, big, CHECK_OR_DROP)
    await evening.acts(f"{first} raises to 300")
    assert not evening.snapshot.hand_running
    assert evening.stacks()[first] == 10_150
    await evening.audit()


@pytest.mark.law("TL-34")
async def test_a_choice_is_changed_and_taken_back(evening: Evening) -> None:
    first, dealer, _, big = await four(evening)
    await chooses(evening, big, DROP)
    await chooses(evening, big, CHECK_OR_DROP)
    chosen = early(evening, big).chosen
    assert chosen is not None and chosen.action is CHECK_OR_DROP
    await chooses(evening, big, None)
    assert early(evening, big).chosen is None
    assert (await chooses(evening, big, None)).events == (), "nothing to take back"
    await evening.acts(f"{first} folds", f"{dealer} folds")
    await evening.next_player_acts("calls")
    assert evening.to_act == big


@pytest.mark.law("TL-34", "TL-35")
async def test_the_same_click_twice_is_noted_once(evening: Evening) -> None:
    _, dealer, _, _ = await four(evening)
    await chooses(evening, dealer, DROP, key="same")
    seq = evening.snapshot.seq
    assert (await chooses(evening, dealer, DROP, key="same")).repeated
    assert evening.snapshot.seq == seq


# nobody else learns of it


@pytest.mark.law("TL-34")
async def test_nobody_else_learns_of_a_choice(evening: Evening) -> None:
    """No update is published, no other view changes, and the hand log later holds only the action."""
    first, dealer, small, big = await four(evening)
    drawn, shown = evening.snapshot, len(evening.updates)

    def seen() -> list[object]:
        now = evening.snapshot
        return [
            now.hand,
            now.table,
            now.current_turn,
            now.decision_number,
            *(now.seen_by(USERS[name]) for name in (first, dealer, small, big)),
        ]

    before = seen()
    outcome = await chooses(evening, dealer, DROP)
    assert outcome.events == ()
    assert len(evening.updates) == shown
    assert seen() == before
    for other in (first, small, big):
        assert evening.snapshot.preselection_for(USERS[other]) == drawn.preselection_for(USERS[other])
    assert evening.snapshot.preselection_for(999) is None
    await evening.acts(f"{first} raises to 300")
    for change in evening.updates:
        assert not any(isinstance(event, te.PrivateTableEvent) for event in change.events)
    assert evening.updates[-1].lapsed_users == ()


@pytest.mark.law("TL-34")
async def test_preselection_leaves_table_note_and_clock_unchanged(evening: Evening) -> None:
    """The clock of the player goes on as it did, and so does that of the other."""
    _, dealer, _, _ = await four(evening)
    await evening.wait(10)
    due = evening.snapshot.current_turn
    await chooses(evening, dealer, DROP)
    assert evening.snapshot.current_turn == due


@pytest.mark.law("TL-34", "TL-31")
async def test_preselected_action_spends_nobody_elses_time_bank(evening: Evening) -> None:
    """A player who uses their time bank pays for it once, however many act after them at once."""
    first, dealer, small, _ = await four(evening)
    await chooses(evening, dealer, CALL)
    await chooses(evening, small, DROP)
    await evening.wait(40)
    await evening.ask(first, c.Call())
    left = {seat.name: seat.bank_seconds for seat in evening.snapshot.table.seats}
    assert left == dict.fromkeys(left, 60) | {first: 50}


# what a choice is good for


@pytest.mark.law("TL-34")
async def test_a_choice_holds_for_its_street_only(evening: Evening) -> None:
    """The first player calls and is not raised. Their preselected fold lapses with the street, and they are told so until they act."""
    first, dealer, small, big = await four(evening)
    await evening.acts(f"{first} calls")
    await chooses(evening, first, DROP)
    await evening.acts(f"{dealer} calls", f"{small} calls", f"{big} checks")
    assert evening.hand.street == "flop"
    chosen = early(evening, first).chosen
    assert chosen is not None and chosen.lapse_reason is PreselectionEndReason.STREET_OVER
    await evening.acts(f"{small} checks", f"{big} checks")
    assert evening.to_act == first
    await evening.acts(f"{first} checks")
    assert early(evening, first).chosen is None


@pytest.mark.law("TL-34")
async def test_a_choice_does_not_reach_into_the_next_hand(evening: Evening) -> None:
    first, dealer, _, big = await four(evening)
    await chooses(evening, big, DROP)
    await evening.acts(f"{first} folds", f"{dealer} folds")
    await evening.next_player_acts("folds")
    await evening.deal()
    assert all(one is None or one.chosen is None for one in map(evening.snapshot.preselection_for, USERS.values()))


@pytest.mark.law("TL-34", "TL-40")
async def test_leaving_player_folds_despite_preselection(evening: Evening) -> None:
    first, dealer, _, _ = await four(evening)
    await chooses(evening, dealer, CALL)
    await evening.ask(dealer, LeaveTable)
    await evening.acts(f"{first} calls")
    assert did(evening)[-1] == f"{dealer} fold"


@pytest.mark.law("TL-34", "TL-35")
async def test_a_button_is_good_for_its_street(evening: Evening) -> None:
    """Others can have acted since it was drawn. A street or a hand later it is outdated."""
    first, dealer, small, big = await four(evening)
    drawn = evening.snapshot
    await evening.acts(f"{first} calls", f"{dealer} calls")
    await chooses(evening, big, CHECK_OR_DROP, button=drawn)
    await evening.acts(f"{small} calls")
    assert evening.hand.street == "flop"
    for choice in (*PreselectedAction, None):
        with pytest.raises(StaleButton):
            await chooses(evening, dealer, choice, button=drawn)
    flop = evening.snapshot
    await evening.next_player_acts("checks", "bets 300", "folds", "folds", "folds")
    await evening.deal()
    with pytest.raises(StaleButton):
        await chooses(evening, dealer, DROP, button=flop)


@pytest.mark.law("TL-34", "TL-35")
async def test_preselection_made_on_turn_is_applied_at_once(evening: Evening) -> None:
    """The click was on its way when the turn came, so there is nothing to wait for."""
    first, dealer, small, _ = await four(evening)
    drawn = evening.snapshot
    await evening.acts(f"{first} calls")
    outcome = await chooses(evening, dealer, CALL, 100, button=drawn)
    assert [type(event) for event in outcome.events if isinstance(event, e.BettingAction)] == [e.Called]
    assert evening.to_act == small
    await evening.acts(f"{small} raises to 400")
    raised = evening.snapshot
    with pytest.raises(CannotPreselect):
        await chooses(evening, first, CALL, 100, button=raised)
    assert evening.snapshot.seq == raised.seq


@pytest.mark.law("TL-34")
async def test_refused_preselection_changes_nothing(evening: Evening) -> None:
    with pytest.raises(NotSeated):
        await evening.open()
        await chooses(evening, "Ann", DROP)
    await evening.ask("Ann", CloseTable)
    first, dealer, _, big = await four(evening)
    seq = evening.snapshot.seq
    with pytest.raises(CannotPreselect):
        await chooses(evening, dealer, CHECK_OR_DROP)
    with pytest.raises(CannotPreselect):
        await chooses(evening, big, CALL)
    with pytest.raises(NotSeated):
        await chooses(evening, "Eve", DROP)
    assert evening.snapshot.seq == seq
    await evening.acts(f"{first} folds")
    with pytest.raises(HandIsDead):
        await chooses(evening, first, DROP)


@pytest.mark.law("TL-34")
async def test_preselection_is_unavailable_where_words_out_of_turn_bind(evening: Evening) -> None:
    options = replace(settings().options, out_of_turn=OutOfTurn.TDA53)
    first, dealer, _, _ = await four(evening, options=options)
    with pytest.raises(CannotPreselect):
        await chooses(evening, dealer, DROP)
    assert evening.snapshot.preselection_for(USERS[dealer]) is None
    await evening.ask(dealer, c.Call())
    await evening.acts(f"{first} calls")
    assert did(evening)[-1] == f"{dealer} call", "an action out of turn binds here"


@pytest.mark.law("TL-34")
async def test_two_tables_keep_their_choices_apart(evening: Evening) -> None:
    first, dealer, *_ = await four(evening)
    here = evening.table
    there = await evening.open(channel=CHANNEL + 1)
    for seat, name in enumerate((first, dealer), 1):
        await evening.fund(name, 5_000)
        await evening.ask(name, TakeSeat, 5_000, seat, channel=CHANNEL + 1)
    await evening.deal()
    evening.table = here
    await chooses(evening, dealer, DROP)
    evening.table = there
    other = next(name for name in (first, dealer) if name != evening.to_act)
    assert all(one is None or one.chosen is None for one in map(evening.snapshot.preselection_for, USERS.values()))
    await chooses(evening, other, CHECK_OR_DROP, channel=CHANNEL + 1)
    await evening.ask(evening.to_act, c.Call(), channel=CHANNEL + 1)
    assert evening.hand.street == "flop"
    evening.table = here
    assert early(evening, dealer).chosen is not None
    await evening.acts(f"{first} calls")
    assert did(evening)[-1] == f"{dealer} fold"
    await evening.audit()


# it is kept


@pytest.mark.law("TL-34", "TL-32")
async def test_a_choice_outlives_the_dealer(evening: Evening) -> None:
    """The dealer is killed between the choice and the turn. The choice is still there, and happens."""
    first, dealer, small, big = await four(evening)
    await chooses(evening, dealer, CALL)
    await chooses(evening, big, CHECK_OR_DROP)
    before = [early(evening, name) for name in (dealer, small, big)]
    await evening.crash(away_ms=30 * SECOND)
    assert [early(evening, name) for name in (dealer, small, big)] == before
    await evening.acts(f"{first} raises to 300")
    assert evening.to_act == dealer
    lapsed = early(evening, dealer).chosen
    await evening.crash()
    assert early(evening, dealer).chosen == lapsed, "and what has lapsed is still told"
    await evening.acts(f"{dealer} folds", f"{small} folds")
    assert not evening.snapshot.hand_running
    await evening.audit()


@pytest.mark.law("TL-34")
async def test_a_hand_replays_without_its_choices(evening: Evening) -> None:
    """The journal holds the hand as it was played, whoever preselected. The hand log says no more."""
    first, dealer, small, big = await four(evening)
    for name, choice in ((dealer, CALL), (small, DROP), (big, CHECK_OR_DROP)):
        await chooses(evening, name, choice)
    await evening.acts(f"{first} calls")
    hand = evening.session.state.hand
    assert hand is not None
    log = await evening.tables.read_hand_log(evening.request(first))
    assert all(e.is_hand_event(event) for event in log.events)
    again = replay(cast(tuple[e.HandEvent, ...], log.events), hand.deck)
    assert all(getattr(again, name) == getattr(hand, name) for name in hand.__struct_fields__ if name != "rules")


@pytest.fixture
def on_a_bad_disk(tmp_path: Path) -> Evening:
    def make(path: Path) -> Store:
        return cast(Store, FailingStore(Store(data_at(path), EventCodec(JournalEvent))))

    return Evening(tmp_path, store=make)


@pytest.mark.law("TL-34")
async def test_unsaved_preselection_is_not_made(on_a_bad_disk: Evening) -> None:
    evening = await on_a_bad_disk.begin()
    disk = cast(FailingStore, evening.store)
    try:
        first, dealer, small, _ = await four(evening)
        disk.full = True
        with pytest.raises(StoreFailed):
            await chooses(evening, dealer, DROP)
        assert early(evening, dealer).chosen is None
        disk.full = False
        await chooses(evening, dealer, CALL)
        before: TableSnapshot = evening.snapshot
        disk.full = True
        with pytest.raises(StoreFailed):
            await evening.ask(first, c.Call())
        assert evening.snapshot.hand == before.hand, "neither the call nor the one that would follow it"
        disk.full = False
        await evening.ask(first, c.Call())
        assert evening.to_act == small
        await evening.audit()
    finally:
        await evening.end()

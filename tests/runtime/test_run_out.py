"""All-in hands are saved to their end at once and shown street by street. Until the last card lies open nothing tells the end."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator
from pathlib import Path
from typing import cast

import pytest

from bot.engine import commands as c
from bot.engine.choices.secret_choices import default_choice
from bot.engine.decide import decide_and_evolve, legal
from bot.engine.errors import LawError
from bot.engine.events import DealtBoard, DealtDown, DealtUp, DealtUpOrDown, HandEvent, ShowdownOpened
from bot.engine.hand import Hand
from bot.engine.legal import Decision
from bot.engine.rule_card import RuleCard
from bot.engine.stakes import Stakes
from bot.engine.timeout import default_action
from bot.engine.units import NO_SEAT, SeatIndex
from bot.engine.view.build import view
from bot.engine.view.types import HandSeatState
from bot.ledger.refusals import StillHasChips
from bot.runtime.errors import StaleButton, StillDealing
from bot.runtime.journal import JournalEvent
from bot.runtime.run_out import run_out_streets
from bot.runtime.snapshot import RUN_OUT_STREET_MS
from bot.runtime.store_types import Commit, Receipt
from bot.store.codec import EventCodec
from bot.store.store import Store
from bot.table.commands import LeaveTable, TopUp
from bot.table.events import PlayerBusted
from bot.variants import CATALOGUE
from tests.render.test_every_game import awaited, dealt
from tests.runtime.evening import GUILD, USERS, Evening, settings
from tests.support.engines import data_at

STREET = RUN_OUT_STREET_MS / 1000
TWO = ("Ann", "Bo")


@pytest.fixture
async def evening(tmp_path: Path) -> AsyncIterator[Evening]:
    opened = await Evening(tmp_path, show_run_outs=True).begin()
    yield opened
    await opened.end()


async def all_in(evening: Evening, game: str = "holdem", *names: str, stack: int = 10_000) -> None:
    await evening.open(settings(game))
    await evening.seat(**dict.fromkeys(names or TWO, stack))
    await evening.deal()
    await evening.next_player_acts("is all-in", *["is all-in"] * (len(names or TWO) - 1))


def board_sizes(evening: Evening) -> list[int]:
    return [len(board) for board in evening.hand.boards]


async def chips_told(evening: Evening, *names: str) -> list[object]:
    """Everything that tells people how many chips somebody has: wallets, the leaderboard, the history, the seats at the table."""
    found: list[object] = [seat.stack for seat in evening.snapshot.table.seats]
    board = await evening.bank.leaderboard(GUILD, USERS[names[0]])
    found += [board.lines, board.own]
    for name in names:
        held = await evening.bank.holdings(GUILD, USERS[name])
        found += [held.wallet, held.on_tables, (await evening.bank.history(GUILD, USERS[name])).entries]
    return found


@pytest.mark.law("TL-21")
async def test_streets_follow_each_other_with_the_hands_open(evening: Evening) -> None:
    await all_in(evening)
    sizes = []
    while not evening.hand.over:
        assert all(seen.face_up for seat in evening.hand.seats for seen in seat.cards)
        assert evening.hand.payments == () and evening.to_act == ""
        sizes.append(board_sizes(evening))
        await evening.wait(STREET)
    assert sizes == [[0], [3], [4]] and board_sizes(evening) == [5]
    await evening.audit()


async def test_no_chips_tell_the_end_before_it_is_shown(evening: Evening) -> None:
    """Ann and Bo have the same chips. One of them is broke already, and nobody can know who."""
    await evening.open()
    await evening.seat(Ann=10_000, Bo=10_000)
    before = await chips_told(evening, *TWO)
    await evening.deal()
    await evening.next_player_acts("is all-in", "is all-in")
    for _ in range(3):
        assert await chips_told(evening, *TWO) == before
        for name in TWO:
            with pytest.raises(StillHasChips):
                await evening.bank.relief(evening.request(name))
        await evening.wait(STREET)
    assert await chips_told(evening, *TWO) != before
    loser = min(evening.stacks(), key=lambda name: evening.stacks()[name])
    assert (await evening.bank.relief(evening.request(loser))).chips == 2_000
    await evening.audit()


class SlowStore(Store):
    """A store whose answer to a save can be late: what was to be saved lies on the disk, and the table does not know it yet."""

    def __init__(self, path: Path) -> None:
        super().__init__(data_at(path), EventCodec(JournalEvent))
        self.saved, self.may_answer = asyncio.Event(), asyncio.Event()
        self.may_answer.set()

    async def commit(self, commit: Commit) -> Receipt:
        receipt = await super().commit(commit)
        self.saved.set()
        await self.may_answer.wait()
        return receipt


async def test_no_chips_tell_the_end_while_it_is_saved(tmp_path: Path) -> None:
    """People ask for their chips just when the end has come to the disk and the table has not heard of it."""
    evening = await Evening(tmp_path, store=SlowStore, show_run_outs=True).begin()
    await evening.open()
    await evening.seat(Ann=10_000, Bo=10_000)
    before = (await chips_told(evening, *TWO))[2:]  # the seats show what was bet
    await evening.deal()
    await evening.next_player_acts("is all-in")
    store = cast(SlowStore, evening.store)
    store.saved.clear()
    store.may_answer.clear()
    calling = asyncio.create_task(evening.next_player_acts("calls"))
    await store.saved.wait()
    asking = asyncio.create_task(chips_told(evening, *TWO))
    for name in TWO:
        assert (await evening.store.holdings(GUILD, USERS[name])).total in {0, 20_000}, "the end is on the disk"
    store.may_answer.set()
    await calling
    assert (await asking)[2:] == before
    await evening.end()


async def test_cash_out_is_told_with_the_end(evening: Evening) -> None:
    """Bo asks to leave during the hand. It is all-in, so they are paid out with its end; wallet and history say so only then."""
    await evening.open()
    await evening.seat(Ann=10_000, Bo=10_000, Cy=10_000)
    await evening.deal()
    names = ("Ann", "Bo", "Cy")
    await evening.next_player_acts("is all-in")
    before = await chips_told(evening, *names)
    await evening.ask("Bo", LeaveTable)
    while evening.to_act:
        await evening.next_player_acts("is all-in")
    assert [seat.player for seat in evening.snapshot.table.seats] == [USERS[name] for name in names]
    assert await chips_told(evening, *names) == before
    await evening.wait(3 * STREET)
    assert USERS["Bo"] not in [seat.player for seat in evening.snapshot.table.seats]
    await evening.audit()


async def test_hand_cannot_be_read_before_its_end_is_shown(evening: Evening) -> None:
    await all_in(evening)
    for name in ("Ann", "Cy"):
        with pytest.raises(StillDealing):
            await evening.tables.read_hand_log(evening.request(name), 1)
        with pytest.raises(StillDealing):
            await evening.tables.read_hand_record(evening.request(name))
    await evening.wait(3 * STREET)
    assert (await evening.tables.read_hand_log(evening.request("Ann"), 1)).view.over


async def test_updates_tell_what_happened_street_by_street(evening: Evening) -> None:
    await all_in(evening)
    await evening.wait(2 * STREET)
    assert not any(isinstance(event, PlayerBusted) for update in evening.updates for event in update.events)
    await evening.wait(STREET)
    assert any(isinstance(event, PlayerBusted) for event in evening.updates[-1].events)
    told = [event for update in evening.updates for event in update.events]
    saved = await evening.store.hand(evening.table, 1)
    assert saved is not None
    assert [event for event in told if event in saved.events] == list(saved.events)
    assert [update.snapshot.seq for update in evening.updates] == sorted(
        update.snapshot.seq for update in evening.updates
    )


async def test_requests_wait_for_the_last_card(evening: Evening) -> None:
    """Whatever changes the table is carried out once the end is shown; what would be done in the hand is refused at once."""
    await all_in(evening)
    drawn = evening.snapshot
    for name in TWO:
        with pytest.raises(StaleButton):
            await evening.ask(name, c.Fold(), button=drawn)
        with pytest.raises(StillDealing):
            await evening.ask(name, c.Show())
    (called,) = [update for update in evening.updates if update.snapshot is drawn]
    again = await evening.ask("Bo" if called.requested_by == USERS["Bo"] else "Ann", c.Call(), key=called.request_key)
    assert again.repeated and again.snapshot is drawn, "the click that began it can be delivered twice"
    await evening.fund("Cy", 5_000)
    leaving = asyncio.ensure_future(evening.ask("Ann", LeaveTable))
    adding = asyncio.ensure_future(evening.ask("Bo", TopUp, 100))
    await evening.wait(2 * STREET)
    assert not leaving.done() and not adding.done()
    await evening.wait(STREET)
    await asyncio.wait([leaving, adding])
    assert USERS["Ann"] not in [seat.player for seat in (await leaving).snapshot.table.seats]
    await evening.audit()


@pytest.mark.parametrize("streets", [0, 1, 2])
async def test_kill_between_streets_loses_nothing(evening: Evening, streets: int) -> None:
    """The end was saved before the first street was shown: after the restart it stands, and the next hand comes."""
    await all_in(evening)
    await evening.wait(streets * STREET)
    shown = evening.hand
    await evening.crash()
    assert not evening.snapshot.hand_running
    assert sorted(evening.stacks().values()) == [0, 20_000]
    log = await evening.tables.read_hand_log(evening.request("Cy"), 1)
    assert log.view.over and log.view.boards[0][: len(shown.boards[0])] == shown.boards[0]
    await evening.audit()


async def test_a_stopping_dealer_shows_the_end_first(evening: Evening) -> None:
    await all_in(evening)
    leaving = asyncio.ensure_future(evening.ask("Ann", LeaveTable))
    await asyncio.sleep(0)
    await evening.tables.drain()
    assert evening.updates[-1].snapshot.hand is not None and evening.updates[-1].snapshot.hand.over
    await leaving


@pytest.mark.law("TL-21", "VC-5")
async def test_stud_is_run_out_card_by_card(evening: Evening) -> None:
    """All-in on third street: one card up for each on three streets, the last one down, and seen by all at once."""
    stakes = Stakes(ante=5, small_bet=20, big_bet=40, bring_in=5, turn_seconds=30, bank_seconds=60, min_buyin=40)
    await evening.open(settings("seven_card_stud", stakes=stakes))
    await evening.seat(Ann=40, Bo=40)
    await evening.deal()
    while evening.to_act:
        await evening.next_player_acts("is all-in")
    counts = []
    while not evening.hand.over:
        assert {len(seat.cards) for seat in evening.hand.seats} == {3 + len(counts)}
        assert all(seen.card is not None for seat in evening.hand.seats for seen in seat.cards)
        counts.append(evening.snapshot.stage_of(USERS["Ann"]).cards)
        await evening.wait(STREET)
    assert counts == [6, 8, 10, 12], "each street is another part of the hand, so that open panels follow"
    last = evening.updates[-1]
    assert set(last.users_with_new_cards) == {USERS[name] for name in TWO}
    assert not any(update.users_with_new_cards for update in evening.updates[-4:-1])


@pytest.mark.law("TL-7", "TL-21")
async def test_blinds_alone_can_put_everybody_all_in(evening: Evening) -> None:
    """Ann has 50 and Bo 100: the blinds take all, nobody acts, and the hand is shown from its first street."""
    stakes = Stakes(small_blind=50, big_blind=100, turn_seconds=30, bank_seconds=60, min_buyin=50)
    await evening.open(settings(stakes=stakes))
    await evening.seat(Ann=50, Bo=50)
    await evening.wait(20)
    first = next(update for update in evening.updates if update.snapshot.hand_number == 1)
    assert first.snapshot.hand is not None and not first.snapshot.hand.over
    assert set(first.users_with_new_cards) == {USERS[name] for name in TWO}
    sizes = [
        len(update.snapshot.hand.boards[0])
        for update in evening.updates
        if update.snapshot.hand_number == 1 and update.snapshot.hand is not None
    ]
    assert sizes[:4] == [0, 3, 4, 5]
    await evening.audit()


@pytest.mark.parametrize("game", ["double_board_holdem", "double_board_omaha"])
async def test_two_boards_are_run_out_together(evening: Evening, game: str) -> None:
    await all_in(evening, game)
    while evening.to_act:
        await evening.next_player_acts("is all-in")
    sizes = []
    while not evening.hand.over:
        sizes.append(board_sizes(evening))
        await evening.wait(STREET)
    assert sizes[-3:] == [[0, 0], [3, 3], [4, 4]] and board_sizes(evening) == [5, 5]


@pytest.mark.law("TL-21")
async def test_draws_come_before_hands_are_opened(evening: Evening) -> None:
    """All-in before the draw: both still draw with their cards hidden, and there is nothing to run out."""
    await all_in(evening, "five_card_draw")
    draws = 0
    while evening.to_act:
        draws += evening.snapshot.decision is Decision.DRAW
        assert all(seen.card is None for seat in evening.hand.seats for seen in seat.cards)
        own = evening.view(evening.to_act).legal
        assert own is not None
        await evening.ask(evening.to_act, c.ChooseCards(()) if not own.call_chips else c.AllIn())
    assert draws == 2 and evening.hand.over and evening.session.run_out is None


@pytest.mark.law("TL-21", "TL-22", "TL-42")
@pytest.mark.parametrize("card", CATALOGUE, ids=lambda card: card.key)
def test_every_game_runs_out_with_live_hands_open(card: RuleCard) -> None:
    """Everybody who can goes all-in, and one player folds. Before each street every live hand lies open, the folded one never does, and
    no card is seen that has not been dealt."""
    hand, told = dealt(card, min(4, card.seats_max), random.Random(card.key)), list[HandEvent]()
    first, folded = hand, NO_SEAT
    while not hand.over:
        seat = SeatIndex(awaited(hand)[0])
        can = legal(hand, seat)
        wants = c.Fold() if can.fold and folded == NO_SEAT else c.AllIn() if can.decision is Decision.BET else None
        for command in (wants, default_action(hand) if seat == hand.to_act else None, _chosen(hand, seat)):
            try:
                events, after = decide_and_evolve(hand, seat, command) if command is not None else ((), hand)
            except LawError:
                continue
            if after is not hand:
                folded = seat if isinstance(command, c.Fold) else folded
                told += events
                hand = after
                break
    streets = run_out_streets(first, told)
    assert bool(streets) == (hand.all_in_showdown and any(isinstance(event, DEALT) for event in told_after_show(told)))
    for count, before in streets:
        assert isinstance(told[count], DEALT)
        public = view(before, None)
        assert not public.over and public.showdown and public.payments == () and public.rabbit_cards == ()
        for each in public.seats:
            is_live = each.state is not HandSeatState.FOLDED
            assert is_live == bool(before.live_seats >> each.seat_index & 1)
            assert all(seen.card is not None for seen in each.cards) if is_live else not each.cards
        dealt_so_far = {before.deck[at] for at in range(before.next_card_index)}
        seen_now = {seen.card for each in public.seats for seen in each.cards} | {
            common for board in public.boards for common in board
        }
        assert seen_now <= dealt_so_far


DEALT = DealtBoard | DealtDown | DealtUp | DealtUpOrDown


def told_after_show(events: list[HandEvent]) -> list[HandEvent]:
    opened = [at for at, event in enumerate(events) if isinstance(event, ShowdownOpened)]
    return events[opened[0] :] if opened else []


def _chosen(hand: Hand, seat: SeatIndex) -> c.HandCommand | None:
    """What the dealer chooses for a seat that chooses with others; None where it asks for something else."""
    if not hand.choice_open:
        return None
    card_indices, word = default_choice(hand, seat)
    return c.Declare(word) if word else c.ChooseCards(card_indices)

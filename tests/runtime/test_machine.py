"""Random evenings with joins, leaves, timeouts, voids and restarts. Chips, cards, views and journal are checked after every request.

`pytest -m full` plays 20,000 hands.
"""

import random
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from bot.engine import commands as c
from bot.engine.errors import TableError
from bot.engine.hand import Hand
from bot.engine.legal import Decision
from bot.engine.options.types import Options
from bot.engine.options.values import Ante, BlindsAnte, StraddleRule
from bot.runtime.commands import Preselect, VoidHand
from bot.runtime.restore import restore_state
from bot.runtime.transfers import chips_in_pot
from bot.table.commands import (
    CallTime,
    CloseTable,
    ComeBack,
    JoinWaitingList,
    LeaveTable,
    PledgeStraddle,
    SitOut,
    TakeSeat,
    TopUp,
)
from bot.table.events import PrivateTableEvent
from bot.table.preselection.types import PreselectedAction
from bot.table.settings import TableSettings
from bot.table.state import EntryMethod
from tests.runtime.evening import NAMES, Evening, settings

SLICE, WHOLE = 150, 20_000
GAMES = ("holdem", "pot_limit_holdem", "limit_holdem")


def _settings(rng: random.Random) -> TableSettings:
    """Return a hold'em table: any limit, with or without antes or a live straddle, asking at the showdown or not."""
    chosen = settings(rng.choice(GAMES), blinds=rng.choice(((1, 2), (5, 10), (50, 100))))
    options = replace(
        chosen.options, max_seats=rng.choice((3, 6, 9)), straddle=rng.choice((StraddleRule.OFF, StraddleRule.LIVE))
    )
    stakes = chosen.stakes
    if rng.random() < 0.4:
        options = replace(options, blinds_ante=rng.choice(list(BlindsAnte)))
        stakes = replace(stakes, ante=rng.choice((1, stakes.big_blind)))
    assert isinstance(options, Options) and options.ante is Ante.BLINDS
    stakes = replace(stakes, bank_seconds=rng.choice((0, 60)))
    return replace(chosen, options=options, stakes=stakes, ask_show=rng.random() < 0.3, pause_seconds=1)


class Machine:
    """Plays until a number of hands have been dealt."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.rng = random.Random(seed)
        self.evening = Evening(folder, seed=seed)
        self.hands = self.requests = self.refusals = self.restarts = 0
        self._hands_before = 0

    async def play(self, hands: int) -> None:
        await self.evening.begin()
        try:
            for name in NAMES[:8]:
                await self.evening.fund(name, 10_000_000)
            await self._open()
            while self.hands < hands:
                await self._something()
                await self.check()
            await self.evening.audit()
        finally:
            await self.evening.end()

    async def _open(self) -> None:
        self._hands_before = self.hands
        await self.evening.open(_settings(self.rng))

    async def _something(self) -> None:
        rng, evening = self.rng, self.evening
        if not evening.tables.all_tables():
            await self._open()
            return
        now = evening.snapshot
        seated = sum(1 for seat in now.table.seats)
        at = rng.random()
        if now.current_turn is not None and at < 0.80:
            await self._request(lambda: evening.ask(evening.to_act, self._command()))
        elif now.current_turn is not None and at < 0.86:
            name = rng.choice([player.name for player in now.players_by_seat.values()])
            await self._request(
                lambda: evening.ask(name, Preselect(rng.choice((*PreselectedAction, *PreselectedAction, None))))
            )
        elif 0.86 <= at < 0.90 or (seated >= 2 and now.current_turn is None and at < 0.6):
            await evening.wait(rng.choice((1, 1, 2, 31, 95)) if rng.random() < 0.98 else 700)
        elif at < 0.96:
            name = rng.choice(NAMES[:8])
            await self._request(rng.choice(self._requests(name)))
        elif at < 0.985:
            await evening.crash(rng.choice((0, 5_000, 900_000)))
            self.restarts += 1
        else:
            name = rng.choice(NAMES[:8])
            await self._request(lambda: evening.ask(name, self._command()))
        if evening.tables.all_tables():
            self.hands = self._hands_before + evening.snapshot.hand_number

    def _requests(self, name: str) -> list[Callable[[], Awaitable[object]]]:
        rng, evening = self.rng, self.evening
        minimum, maximum = evening.snapshot.table.min_buyin, evening.snapshot.table.max_buyin
        sit: Callable[[], Awaitable[object]] = lambda: evening.ask(name, TakeSeat, rng.randint(minimum, maximum))  # noqa: E731
        return [
            sit, sit, sit, sit,
            lambda: evening.ask(name, LeaveTable),
            lambda: evening.ask(name, SitOut),
            lambda: evening.ask(name, ComeBack, rng.choice((None, *EntryMethod))),
            lambda: evening.ask(name, ComeBack, rng.choice((None, *EntryMethod))),
            lambda: evening.ask(name, TopUp, rng.randint(1, maximum)),
            lambda: evening.ask(name, PledgeStraddle),
            lambda: evening.ask(name, JoinWaitingList),
            lambda: evening.ask(name, CallTime),
            lambda: evening.ask("Ida", VoidHand("a spilt drink"), staff=True),
            lambda: evening.ask(name, CloseTable),
        ]  # fmt: skip

    def _command(self) -> c.HandCommand:
        rng = self.rng
        view = self.evening.snapshot.hand
        may = view.legal_to_act if view is not None else None
        if may is None or rng.random() < 0.03:
            return rng.choice(
                (
                    c.Fold(),
                    c.Check(),
                    c.Call(),
                    c.AllIn(),
                    c.Bet(rng.randint(0, 500)),
                    c.RaiseTo(-1),
                    c.Show(),
                    c.Muck(),
                )
            )
        if may.show:
            return rng.choice((c.Show(), c.Muck()))
        at = rng.random()
        if at < 0.14:
            return c.Fold()
        if at < 0.20:
            return c.AllIn()
        if at < 0.45 and may.max_to:
            to = rng.choice((may.min_to, may.max_to, rng.randint(may.min_to, may.max_to)))
            return c.Bet(to) if may.opening else c.RaiseTo(to)
        return c.Check() if may.check else c.Call()

    async def _request(self, ask: Callable[[], Awaitable[object]]) -> None:
        self.requests += 1
        try:
            await ask()
        except TableError:
            self.refusals += 1

    # what must hold

    async def check(self) -> None:
        evening = self.evening
        await evening.tables.wait_until_idle()
        if not evening.tables.all_tables():
            return
        session, store = evening.session, evening.store
        session_state = session.state
        chips = await store.table_chips(session.id)
        assert not session.chip_faults(chips), "engine and ledger agree"
        (saved,) = [one for one in await store.open_tables() if one.record.id == session.id]
        again = restore_state(saved, evening.tables._context.master_secret)
        assert again.table == session_state.table, "the journal makes the same table"
        assert again.current_turn == session_state.current_turn
        assert again.seq == session_state.seq
        if session_state.hand is not None and session_state.table.running_hand is not None:
            assert again.hand is not None
            assert _same(again.hand, session_state.hand), "the journal replays to the same hand"
            self.check_hand(session_state.hand)
        self.check_time()
        self.check_views()
        self.check_preselections()

    def check_hand(self, hand: Hand) -> None:
        assert sum(hand.stacks) + chips_in_pot(hand) == sum(hand.started.stacks) + hand.started.carried, (
            "no chip is made or lost"
        )
        assert all(stack >= 0 for stack in hand.stacks)
        assert sorted(hand.deck) == sorted(hand.rules.deck_cards)
        dealt = [
            place
            for held in (*hand.down_indices, *hand.up_indices, *hand.board_indices, hand.burn_indices)
            for place in held
        ]
        assert len(dealt) == len(set(dealt)), "no card is in two places"

    def check_time(self) -> None:
        """Check that a running table has something due, and an alarm that comes in time."""
        now, clock = self.evening.snapshot, self.evening.clock
        if now.hand_running:
            assert now.current_turn is not None
            assert clock.now() <= now.current_turn.bank_ends_at
            assert 0 < clock.next_at() <= now.current_turn.bank_ends_at + 1
        elif now.table.next_hand_at:
            assert 0 < clock.next_at() <= max(now.table.next_hand_at, clock.now())

    def check_views(self) -> None:
        now = self.evening.snapshot
        if not now.has_hand:
            return
        hand = self.evening.session.state.hand
        assert hand is not None
        for viewer in (None, *range(hand.seat_count)):
            view = now.hand if viewer is None else now.seen_by(now.dealt_users[viewer])
            assert view is not None and view.viewer == viewer
            for seat in view.seats:
                if seat.seat_index == viewer:
                    continue
                for card in seat.cards:
                    assert card.card is None or card.card in _open(hand, seat.seat_index), (
                        "a card that is not theirs to see"
                    )

    def check_preselections(self) -> None:
        """Check that no player to act has a choice left, no choice outlives its street or its seat's hand, and nobody was told of one."""
        session_state = self.evening.session.state
        running, hand = session_state.table.running_hand, session_state.hand
        if running is not None and hand is not None:
            for one in running.preselections:
                place = hand.started.seat_numbers.index(one.seat_number)
                assert one.lapse_reason is not None or (place != hand.to_act and hand.decision is Decision.BET)
                assert hand.live_seats >> place & 1
        for change in self.evening.updates:
            assert not any(isinstance(event, PrivateTableEvent) for event in change.events)
        self.evening.updates.clear()


def _open(hand: Hand, seat: int) -> set[int]:
    """Return the cards of a seat that all can see."""
    places = {*hand.up_indices[seat], *hand.proven_opener_indices}
    if hand.shown_seats >> seat & 1:
        places |= {*hand.down_indices[seat]}
    return {hand.deck[place] for place in places}


def _same(one: Hand, other: Hand) -> bool:
    return all(getattr(one, name) == getattr(other, name) for name in one.__struct_fields__)


@pytest.mark.parametrize("seed", range(3))
async def test_random_evenings_hold(tmp_path: Path, seed: int) -> None:
    machine = Machine(tmp_path, seed)
    await machine.play(SLICE)
    assert machine.requests > 200
    assert machine.restarts > 0


@pytest.mark.full
async def test_twenty_thousand_random_hands_hold(tmp_path: Path) -> None:
    hands = requests = restarts = 0
    for seed in range(100, 140):
        folder = tmp_path / str(seed)
        folder.mkdir()
        machine = Machine(folder, seed)
        await machine.play(WHOLE // 40)
        hands, requests, restarts = hands + machine.hands, requests + machine.requests, restarts + machine.restarts
    print(f"\n{hands:,} hands, {requests:,} requests, {restarts:,} restarts")

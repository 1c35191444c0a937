"""Random evenings: hands with joins, leaves, time-outs, voids and restarts. After every request chips, cards, views and the journal hold.

`pytest -m full` plays 20,000 hands.
"""

import random
import tempfile
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from bot.engine import commands as c
from bot.engine.errors import TableError
from bot.engine.hand import Hand
from bot.engine.legal import Decision
from bot.engine.options import Ante, BlindsAnte, Options, Straddle
from bot.runtime.chips import in_pot
from bot.runtime.restore import read
from bot.table.events import PrivateEvent
from bot.table.preselected import Choice
from bot.table.settings import TableSettings
from bot.table.state import Entry
from tests.runtime.evening import NAMES, Evening, settings

SLICE, WHOLE = 150, 20_000
GAMES = ("holdem", "pot_limit_holdem", "limit_holdem")


def _settings(luck: random.Random) -> TableSettings:
    """Some hold'em table: any limit, antes or a live straddle or not, asked at the show or not."""
    chosen = settings(luck.choice(GAMES), blinds=luck.choice(((1, 2), (5, 10), (50, 100))))
    options = replace(
        chosen.options, max_seats=luck.choice((3, 6, 9)), straddle=luck.choice((Straddle.OFF, Straddle.LIVE))
    )
    stakes = chosen.stakes
    if luck.random() < 0.4:
        options = replace(options, blinds_ante=luck.choice(list(BlindsAnte)))
        stakes = replace(stakes, ante=luck.choice((1, stakes.big_blind)))
    assert isinstance(options, Options) and options.ante is Ante.BLINDS
    stakes = replace(stakes, bank_seconds=luck.choice((0, 60)))
    return replace(chosen, options=options, stakes=stakes, ask_show=luck.random() < 0.3, pause_seconds=1)


class Machine:
    """Plays until so many hands have been dealt."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.luck = random.Random(seed)
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
        await self.evening.open(_settings(self.luck))

    async def _something(self) -> None:
        luck, evening = self.luck, self.evening
        if not evening.tables.all_tables():
            await self._open()
            return
        now = evening.now
        seated = sum(1 for seat in now.table.seats)
        at = luck.random()
        if now.due is not None and at < 0.80:
            await self._request(lambda: evening.act(evening.to_act, self._command()))
        elif now.due is not None and at < 0.86:
            name = luck.choice([player.name for player in now.people.values()])
            await self._request(
                lambda: evening.tables.preselect(evening.asked(name), luck.choice((*Choice, *Choice, None)))
            )
        elif 0.86 <= at < 0.90 or (seated >= 2 and now.due is None and at < 0.6):
            await evening.wait(luck.choice((1, 1, 2, 31, 95)) if luck.random() < 0.98 else 700)
        elif at < 0.96:
            name = luck.choice(NAMES[:8])
            await self._request(luck.choice(self._requests(name)))
        elif at < 0.985:
            await evening.crash(luck.choice((0, 5_000, 900_000)))
            self.restarts += 1
        else:
            name = luck.choice(NAMES[:8])
            await self._request(lambda: evening.act(name, self._command()))
        if evening.tables.all_tables():
            self.hands = self._hands_before + evening.now.hand_number

    def _requests(self, name: str) -> list[Callable[[], Awaitable[object]]]:
        luck, evening, tables = self.luck, self.evening, self.evening.tables
        least, most = evening.now.table.min_buyin, evening.now.table.max_buyin
        sit: Callable[[], Awaitable[object]] = lambda: tables.sit(evening.asked(name), luck.randint(least, most))  # noqa: E731
        return [
            sit, sit, sit, sit,
            lambda: tables.leave(evening.asked(name)),
            lambda: tables.sit_out(evening.asked(name)),
            lambda: tables.back(evening.asked(name), luck.choice((None, *Entry))),
            lambda: tables.back(evening.asked(name), luck.choice((None, *Entry))),
            lambda: tables.rebuy(evening.asked(name), luck.randint(1, most)),
            lambda: tables.straddle(evening.asked(name)),
            lambda: tables.wait(evening.asked(name)),
            lambda: tables.time(evening.asked(name)),
            lambda: tables.void(evening.asked("Ida", staff=True), "a spilt drink"),
            lambda: tables.close(evening.asked(name)),
        ]  # fmt: skip

    def _command(self) -> c.Command:
        luck = self.luck
        view = self.evening.now.hand
        may = view.acting if view is not None else None
        if may is None or luck.random() < 0.03:
            return luck.choice(
                (
                    c.Fold(),
                    c.Check(),
                    c.Call(),
                    c.AllIn(),
                    c.Bet(luck.randint(0, 500)),
                    c.RaiseTo(-1),
                    c.Show(),
                    c.Muck(),
                )
            )
        if may.show:
            return luck.choice((c.Show(), c.Muck()))
        at = luck.random()
        if at < 0.14:
            return c.Fold()
        if at < 0.20:
            return c.AllIn()
        if at < 0.45 and may.max_to:
            to = luck.choice((may.min_to, may.max_to, luck.randint(may.min_to, may.max_to)))
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
        await evening.tables.quiet()
        if not evening.tables.all_tables():
            return
        session, store = evening.session, evening.store
        standing = session.standing
        chips = await store.table_chips(session.id)
        assert not session.differs(chips), "engine and ledger agree"
        (saved,) = [one for one in await store.open_tables() if one.record.id == session.id]
        again = read(evening.tables._context, saved, decks_known=True)
        assert again.table == standing.table, "the journal makes the same table"
        assert again.due == standing.due
        assert again.seq == standing.seq
        if standing.hand is not None and standing.table.running is not None:
            assert again.hand is not None
            assert _same(again.hand, standing.hand), "the journal replays to the same hand"
            self.check_hand(standing.hand)
        self.check_time()
        self.check_views()
        self.check_preselections()

    def check_hand(self, hand: Hand) -> None:
        assert sum(hand.stacks) + in_pot(hand) == sum(hand.started.stacks) + hand.started.carried, (
            "no chip is made or lost"
        )
        assert all(stack >= 0 for stack in hand.stacks)
        assert sorted(hand.deck) == sorted(hand.rules.pack)
        dealt = [place for held in (*hand.down, *hand.up, *hand.boards, hand.burns) for place in held]
        assert len(dealt) == len(set(dealt)), "no card is in two places"

    def check_time(self) -> None:
        """A live table has somebody due and an alarm that comes in time."""
        now, clock = self.evening.now, self.evening.clock
        if now.running:
            assert now.due is not None
            assert clock.now() <= now.due.ends
            assert 0 < clock.next_at() <= now.due.ends + 1
        elif now.next_hand_at:
            assert 0 < clock.next_at() <= max(now.next_hand_at, clock.now())

    def check_views(self) -> None:
        now = self.evening.now
        if not now.has_hand:
            return
        hand = self.evening.session.standing.hand
        assert hand is not None
        for viewer in (None, *range(hand.number_of)):
            view = now.hand if viewer is None else now.seen_by(now.players[viewer])
            assert view is not None and view.viewer == viewer
            for seat in view.seats:
                if seat.seat == viewer:
                    continue
                for card in seat.cards:
                    assert card.card is None or card.card in _open(hand, seat.seat), "a card that is not theirs to see"

    def check_preselections(self) -> None:
        """Nobody to act has still a choice that stands, none outlives its betting or its seat's hand, and nobody has been told."""
        standing = self.evening.session.standing
        running, hand = standing.table.running, standing.hand
        if running is not None and hand is not None:
            for one in running.preselections:
                place = hand.started.seats.index(one.seat)
                assert one.lapsed is not None or (place != hand.to_act and hand.decision is Decision.BET)
                assert hand.live >> place & 1
        for change in self.evening.changes:
            assert not any(isinstance(event, PrivateEvent) for event in change.events)
        self.evening.changes.clear()


def _open(hand: Hand, seat: int) -> set[int]:
    """The cards of a seat that all may see."""
    places = {*hand.up[seat], *hand.openers_shown}
    if hand.shown >> seat & 1:
        places |= {*hand.down[seat]}
    return {hand.deck[place] for place in places}


def _same(one: Hand, other: Hand) -> bool:
    return all(getattr(one, name) == getattr(other, name) for name in one.__struct_fields__)


@pytest.fixture
def quick_folder(tmp_path: Path) -> Iterator[Path]:
    """A folder in memory where the system has one: what is tested here is not the disk."""
    memory = Path("/dev/shm")
    if not memory.is_dir():
        yield tmp_path
        return
    with tempfile.TemporaryDirectory(dir=memory) as folder:
        yield Path(folder)


@pytest.mark.parametrize("seed", range(3))
async def test_random_evenings_hold(quick_folder: Path, seed: int) -> None:
    machine = Machine(quick_folder, seed)
    await machine.play(SLICE)
    assert machine.requests > 200
    assert machine.restarts > 0


@pytest.mark.full
async def test_twenty_thousand_random_hands_hold(quick_folder: Path) -> None:
    hands = requests = restarts = 0
    for seed in range(100, 140):
        folder = quick_folder / str(seed)
        folder.mkdir()
        machine = Machine(folder, seed)
        await machine.play(WHOLE // 40)
        hands, requests, restarts = hands + machine.hands, requests + machine.requests, restarts + machine.restarts
    print(f"\n{hands:,} hands, {requests:,} requests, {restarts:,} restarts")

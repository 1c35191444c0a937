"""Long evenings with anybody doing anything at any time: what must hold all the same."""

import random

import msgspec
import pytest
from hypothesis import given
from hypothesis import settings as effort
from hypothesis import strategies as st

from bot.engine import commands as play
from bot.engine import ruling
from bot.engine.errors import TableError
from bot.engine.options import Button, Limit, MinRaise, NewcomerPosts, Options, Straddle, StraddleSeat
from bot.engine.stakes import Stakes
from bot.table import commands as c
from bot.table import events as e
from bot.table.deal import Deal, next_hand, straddle_seats
from bot.table.decide import decide
from bot.table.evolve import evolve, evolve_all
from bot.table.finish import finish_hand, void_hand
from bot.table.legal import table_legal
from bot.table.positions import between
from bot.table.queries import buy_in, due_at
from bot.table.state import AfterHand, ChipShift, Entry, Positions, SeatState, Status, Table
from bot.table.view import view
from tests.table.story import MINUTE, START, settings

PEOPLE = range(1, 13)
DEAD, MOVING = Options(max_seats=8), Options(max_seats=8, button=Button.MOVING)
LIMIT = Options(max_seats=6, limit=Limit.LIMIT, min_raise=MinRaise.BY_LIMIT)
STRADDLED = Options(
    max_seats=9, straddle=Straddle.LIVE, straddle_seat=StraddleSeat.BOTH, newcomer_posts=NewcomerPosts.ON
)
TABLES = {"dead button": DEAD, "moving button": MOVING, "limit": LIMIT, "straddles": STRADDLED}


class LongEvening:
    """A table run by a generator; wallets are kept by the events alone, as the ledger keeps them."""

    def __init__(self, options: Options, seed: int) -> None:
        self.dice = random.Random(seed)
        self.now = START
        self.journal: list[e.Any] = []
        self.wallets = dict.fromkeys(PEOPLE, 200_000)
        self.carried = 0
        self.hands = 0
        self.table = self.happen(
            None,
            decide(None, c.Open(1, settings(options, Stakes(small_blind=50, big_blind=100, bank_seconds=60))), START),
        )

    def happen(self, table: Table | None, happened: tuple[e.Any, ...]) -> Table:
        self.journal += happened
        for event in happened:
            match event:
                case e.SeatTaken(player=player, chips=chips):
                    self.wallets[player] -= chips
                case e.ToppedUp(seat=number, chips=chips):
                    assert table is not None
                    seat = table.seat(number)
                    assert seat is not None
                    self.wallets[seat.player] -= chips
                case e.SeatLeft(seat=number, player=player, chips=chips):
                    assert table is not None
                    seat = table.seat(number)
                    assert seat is not None and seat.stack == chips
                    self.wallets[player] += chips
                case _:
                    pass
            table = evolve(table, event)
        assert table is not None
        return table

    def step(self) -> None:
        self.now += self.dice.choice((0, 1000, 6000, 20_000, MINUTE))
        if self.dice.random() < 0.002:
            self.now += 40 * MINUTE
        if self.table.status is Status.CLOSED:
            self.table = self.happen(None, decide(None, c.Open(1, self.table.settings), self.now))
            self.journal = self.journal[-1:]
        elif self.table.running is not None and self.dice.random() < 0.5:
            self.end()
        elif self.table.running is None and self.dice.random() < 0.5:
            self.begin()
        else:
            self.ask(self.any_command())

    def begin(self) -> None:
        before = self.table
        pack = self.dice.sample(range(52), 52)
        deal = next_hand(before, self.now, pack)
        if deal is None:
            return
        self.hands += 1
        assert deal == next_hand(before, self.now, pack)  # the same again from the same
        self.table = self.happen(before, deal.events)
        check_deal(before, deal, self.table)

    def end(self) -> None:
        running = self.table.running
        assert running is not None
        if self.dice.random() < 0.1:
            self.table = self.happen(self.table, void_hand(self.table, self.now, self.wallets))
            return
        stacks = {seat.number: seat.stack for seat in self.table.seats if seat.number in running.dealt}
        for _ in range(self.dice.randint(0, 3)):
            loser, winner = self.dice.choice(running.dealt), self.dice.choice(running.dealt)
            chips = stacks[loser] if self.dice.random() < 0.2 else self.dice.randint(0, min(300, stacks[loser]))
            stacks[loser] -= chips
            stacks[winner] += chips
        self.table = self.happen(self.table, finish_hand(self.table, stacks, self.now, self.wallets))

    def any_command(self) -> c.Any:
        """Mostly what people do, sometimes anything; who stands would sit, who sits out would come back."""
        dice, table = self.dice, self.table
        player, seat = dice.choice(PEOPLE), dice.randint(0, table.settings.seats + 1)
        least = buy_in(table, player, self.now).least
        chips = min(self.wallets[player], dice.choice((least, 2_000, 10_000, 20_000, dice.randint(0, 30_000))))
        there, entry = table.seat_of(player), dice.choice((None, *Entry))
        if dice.random() < 0.7:
            if there is None:
                return c.Sit(player, f"P{player}", chips, dice.choice((0, seat)), dice.randrange(1000))
            if not there.stack:
                return c.TopUp(player, chips)
            if there.state is not SeatState.IN:
                return c.Back(player, entry)
            if straddle_seats(table) and dice.random() < 0.5:
                return c.PledgeStraddle(dice.choice([one.player for one in table.seats]))
            if dice.random() < 0.7:
                return c.Tick()
        wilder: tuple[c.Any, ...] = (
            c.ExchangeSeats(player, seat),
            c.Object(player),
            c.Consent(player),
            c.DrawSeats(player, tuple(dice.sample(range(52), 52))),
            c.JoinWaitingList(player, f"P{player}"),
            c.LeaveWaitingList(player),
            c.PledgeStraddle(player, dice.random() < 0.8),
            c.ProposeAdjustment(player, (ChipShift(1, -10), ChipShift(2, 10))),
            c.ChangeSettings(player, msgspec.structs.replace(table.settings, pause_seconds=dice.randint(1, 9))),
            c.CallTime(player, seat),
            c.StartHand(player),
            c.Leave(player),
            *((c.Close(player),) if dice.random() < 0.02 else ()),
            *((c.TimedOut(dice.choice(table.running.dealt)),) if table.running is not None else ()),
        )
        common: tuple[c.Any, ...] = (c.Back(player, entry), c.TopUp(player, chips), c.SitOut(player), c.Tick())
        return dice.choice(wilder if dice.random() < 0.6 else common)

    def ask(self, command: c.Any) -> None:
        try:
            happened = decide(self.table, command, self.now)
        except TableError as refusal:
            assert refusal.args
            return
        self.table = self.happen(self.table, happened)

    def check(self) -> None:
        table = self.table
        assert sum(self.wallets.values()) + sum(seat.stack for seat in table.seats) == 200_000 * len(PEOPLE)
        assert all(chips >= 0 for chips in self.wallets.values())
        numbers = [seat.number for seat in table.seats]
        assert numbers == sorted(set(numbers))
        assert all(1 <= number <= table.settings.seats for number in numbers)
        assert len({seat.player for seat in table.seats}) == len(numbers)
        assert all(seat.stack >= 0 and 0 <= seat.bank_ms <= 60_000 for seat in table.seats)
        if table.running is None and table.status is Status.OPEN:
            assert all(seat.after is AfterHand.STAY for seat in table.seats)
            players = sum(seat.plays for seat in table.seats)
            assert bool(table.next_hand_at) == (players >= 2)  # nobody's absence stops a table
            assert table.replay is None or len(table.players) >= 2
            assert due_at(table)
        if table.status is Status.CLOSED:
            assert not table.seats
        for seat in table.seats:
            assert seat.state is not SeatState.IN or not (seat.owes_small or seat.owes_big) or table.positions is None


def check_deal(before: Table, deal: Deal, after: Table) -> None:
    """Button and blinds of one deal, as the laws have it."""
    started, last, now = deal.started, before.positions, after.positions
    assert now is not None and after.running is not None
    began = next(one for one in deal.events if isinstance(one, e.HandBegan))
    seats = {seat.number: seat for seat in before.seats}
    for event in deal.events:
        if isinstance(event, e.SeatsExchanged):
            swapped = evolve(before, event)
            seats = {seat.number: seat for seat in swapped.seats}
    assert len(set(started.seats)) == len(started.seats) >= 2
    assert all(seats[number].plays for number in started.seats)
    assert started.stacks == tuple(seats[number].stack for number in started.seats)
    posted: dict[int, dict[str, int]] = {}
    for post in started.posts:
        kinds = posted.setdefault(started.seats[post.seat], {})
        assert post.kind.value not in kinds
        kinds[post.kind.value] = post.chips
    assert posted[now.big]["big blind"] == 100
    assert [number for number, kinds in posted.items() if "big blind" in kinds] == [now.big]
    small = [number for number, kinds in posted.items() if "small blind" in kinds]
    assert small in ([], [now.small])
    if len(started.seats) == 2:
        assert now.button == now.small == started.seats[1]  # TL-8
        assert small == [now.button]
    else:
        assert len({now.button, now.small, now.big}) == 3
        assert between(now.button, now.big, now.small)
    order = [(number - now.button - 1) % 14 for number in started.seats]
    assert order == sorted(order)
    if before.replay is not None:
        check_replay(before, deal, began)
    if last is not None:
        check_blinds_pass_nobody(before, now, last, started.seats, seats, posted)
    assert began.straddle == next((number for number, kinds in posted.items() if "straddle" in kinds), 0)


def check_replay(before: Table, deal: Deal, began: e.HandBegan) -> None:
    """The button stays, nobody joins, and who waits because of it misses no blind (TL-29)."""
    replay = before.replay
    assert replay is not None
    dealt = {before.seat(number).player for number in began.dealt}  # type: ignore[union-attr]
    assert dealt <= set(replay.players)
    if replay.big in began.dealt and (len(dealt) > 2 or replay.button == replay.small):
        assert (began.button, began.small, began.big) == (replay.button, replay.small, replay.big)
    assert set(began.posting) <= set(replay.posting)
    waiting = {seat.player for seat in before.kept_out}
    assert not any(isinstance(event, e.BlindMissed) and event.player in waiting for event in deal.events)


def check_blinds_pass_nobody(before, now, last: Positions, dealt, seats, posted) -> None:  # type: ignore[no-untyped-def]
    """Nobody skips a blind, posts the big one twice running, or comes in free with a debt (TL-8 to TL-12)."""
    wanted = {seat.player for seat in before.players}
    playing = [seat for seat in seats.values() if seat.player in wanted and seat.settled]
    if not (seats.get(now.big) is not None and now.big == last.big):
        assert now.big != last.big
    else:
        assert before.settings.options.button is Button.MOVING or seats[now.big].fresh or seats[now.big].owes_big
    if len(playing) < 2:
        return  # the game had stopped and begins again
    for number in dealt:
        seat = seats[number]
        if not seat.settled and number != now.big:
            assert not between(now.button, now.big, number)
            assert number != now.button or seat.state is SeatState.BUYING or before.replay is not None
            assert not seat.owes_big or posted[number]["live post"] == 100
            assert not seat.fresh or seat.owes_big or before.settings.options in (DEAD, MOVING)
            assert not seat.owes_small or posted[number]["dead post"] == 50
    assert {seat.number for seat in playing} <= set(dealt)
    if before.settings.options.button is Button.DEAD:
        assert not any(between(last.big, now.big, number) for number in dealt)
        if last.big in dealt and seats[last.big].settled:
            assert "small blind" in posted[last.big]


@pytest.mark.law("TL-1", "TL-8", "TL-9", "TL-10", "TL-11", "TL-12")
@pytest.mark.parametrize("name", TABLES)
@effort(max_examples=12, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_long_evenings(name: str, seed: int) -> None:
    run(TABLES[name], seed, steps=250)


@pytest.mark.full
@pytest.mark.parametrize("name", TABLES)
def test_very_long_evenings(name: str) -> None:
    hands = sum(run(TABLES[name], seed, steps=5_000) for seed in range(10))
    assert hands > 5_000


class PlayedEvening(LongEvening):
    """Every hand is really played: the engine takes the posts and pays the pots."""

    deal: Deal

    def begin(self) -> None:
        deal = next_hand(self.table, self.now, self.dice.sample(range(52), 52))
        if deal is not None:
            self.deal, self.hands = deal, self.hands + 1
            self.table = self.happen(self.table, deal.events)

    def end(self) -> None:
        started = self.deal.started
        _, hand = ruling.start(started, tuple(self.dice.sample(range(52), 52)))
        while not hand.over:
            may = ruling.legal(hand, hand.to_act)
            chosen: list[play.Any] = []
            chosen += [play.Check()] if may.check else [play.Fold()] * may.fold
            chosen += [play.Call()] * (3 * bool(may.call)) + [play.Show()] * may.show
            if may.max_to:
                to = self.dice.choice((may.min_to, may.max_to))
                chosen.append(play.Bet(to) if may.opening else play.RaiseTo(to))
            _, hand = ruling.rule(hand, hand.to_act, self.dice.choice(chosen))
        stacks = dict(zip(started.seats, hand.stacks, strict=True))
        self.table = self.happen(self.table, finish_hand(self.table, stacks, self.now, self.wallets, carried=hand.pot))


@pytest.mark.law("TL-7", "TL-10", "TL-13")
@pytest.mark.parametrize("name", TABLES)
def test_hands_played_by_the_engine_keep_every_chip(name: str) -> None:
    """Blinds, dead and live posts, straddles and short stacks go through the engine, and the chips on table and in wallets are the same."""
    evening = PlayedEvening(TABLES[name], seed=21)
    for _ in range(300):
        evening.step()
        evening.check()
    assert evening.hands > 20


def run(options: Options, seed: int, steps: int) -> int:
    evening = LongEvening(options, seed)
    for _ in range(steps):
        evening.step()
        evening.check()
    assert evolve_all(None, tuple(evening.journal)) == evening.table  # the journal tells the same table
    for event in evening.journal[-50:]:
        assert msgspec.json.decode(msgspec.json.encode(event), type=e.Any) == event
    stored = msgspec.msgpack.encode(evening.table)
    assert msgspec.msgpack.decode(stored, type=Table) == evening.table
    return evening.hands


@effort(max_examples=15, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_what_is_legal_is_not_refused(seed: int) -> None:
    """Every offer of `table_legal` is accepted by `decide`, and the view can always be drawn."""
    evening = LongEvening(STRADDLED if seed % 2 else DEAD, seed)
    for _ in range(120):
        evening.step()
        table, now = evening.table, evening.now
        shown = view(table, 3)
        assert len(shown.seats) == len(table.seats)
        for player in PEOPLE:
            may = table_legal(table, player, now)
            seated = table.seat_of(player) is not None
            commands: list[c.Any] = []
            if may.buy_in is not None:
                commands += [c.Sit(player, "P", may.buy_in.least, may.seats[-1]), c.Sit(player, "P", may.buy_in.most)]
            commands += [c.Leave(player)] * may.leave + [c.SitOut(player)] * may.sit_out
            commands += [c.Back(player)] * (may.back and may.owes is None)
            if may.back:
                commands += [c.Back(player, entry) for entry in may.entries]
            commands += [c.TopUp(player, chips) for chips in (may.top_up_min, may.top_up_max) if chips]
            commands += [c.PledgeStraddle(player)] * bool(may.straddle)
            commands += [c.Consent(player)] * may.consent + [c.Object(player)] * may.object_to
            commands += [c.JoinWaitingList(player, "P")] * may.join_list + [c.LeaveWaitingList(player)] * may.leave_list
            commands += [c.Close(player)] * may.close
            assert seated or not may.leave
            for command in commands:
                decide(table, command, now)

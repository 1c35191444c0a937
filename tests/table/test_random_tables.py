"""Long evenings in which anybody does anything at any time, and what must hold after every step."""

import random

import msgspec
import pytest
from hypothesis import given
from hypothesis import settings as effort
from hypothesis import strategies as st

from bot import engine
from bot.engine import commands as play
from bot.engine.errors import TableError
from bot.engine.options.types import Options
from bot.engine.options.values import ButtonRule, Limit, MinRaise, NewcomerPosts, StraddleRule, StraddleSeat
from bot.engine.stakes import Stakes
from bot.table import commands as c
from bot.table import events as e
from bot.table.decide import decide
from bot.table.evolve import evolve, evolve_all
from bot.table.finish_hand import finish_hand, void_hand
from bot.table.next_hand import NextHand, next_hand, straddle_seats
from bot.table.positions import is_between
from bot.table.queries import buy_in_limits, next_due_at
from bot.table.state import AfterHand, EntryMethod, Positions, Seat, SeatStatus, StackChange, Table, TableStatus
from bot.table.view import view_table
from bot.text.refusals.explain import UNEXPLAINED
from bot.text.refusals.wording import explain
from tests.table.evening import MINUTE_MS, START_MS, settings
from tests.table.legal import TableLegal, table_legal

PEOPLE = range(1, 13)
DEAD, MOVING = Options(max_seats=8), Options(max_seats=8, button=ButtonRule.MOVING)
LIMIT = Options(max_seats=6, limit=Limit.LIMIT, min_raise=MinRaise.BY_LIMIT)
STRADDLED = Options(
    max_seats=9, straddle=StraddleRule.LIVE, straddle_seat=StraddleSeat.BOTH, newcomer_posts=NewcomerPosts.ON
)
TABLES = {"dead button": DEAD, "moving button": MOVING, "limit": LIMIT, "straddles": STRADDLED}


class LongEvening:
    """A table driven by a random generator. The wallets follow from the events alone, as in the ledger."""

    def __init__(self, options: Options, seed: int) -> None:
        self.dice = random.Random(seed)
        self.now = START_MS
        self.journal: list[e.TableEvent] = []
        self.wallets = dict.fromkeys(PEOPLE, 200_000)
        self.carried = 0
        self.hands = 0
        self.table = self.apply(
            None,
            decide(
                None,
                c.OpenTable(1, settings(options, Stakes(small_blind=50, big_blind=100, bank_seconds=60))),
                START_MS,
            ),
        )

    def apply(self, table: Table | None, events: tuple[e.TableEvent, ...]) -> Table:
        self.journal += events
        for event in events:
            match event:
                case e.SeatTaken(player=player, chips=chips):
                    self.wallets[player] -= chips
                case e.ToppedUp(seat_number=number, chips=chips):
                    assert table is not None
                    seat = table.seat(number)
                    assert seat is not None
                    self.wallets[seat.player] -= chips
                case e.SeatLeft(seat_number=number, player=player, chips=chips):
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
        self.now += self.dice.choice((0, 1000, 6000, 20_000, MINUTE_MS))
        if self.dice.random() < 0.002:
            self.now += 40 * MINUTE_MS
        if self.table.status is TableStatus.CLOSED:
            self.table = self.apply(None, decide(None, c.OpenTable(1, self.table.settings), self.now))
            self.journal = self.journal[-1:]
        elif self.table.running_hand is not None and self.dice.random() < 0.5:
            self.end_hand()
        elif self.table.running_hand is None and self.dice.random() < 0.5:
            self.begin_hand()
        else:
            self.ask(self.random_command())

    def begin_hand(self) -> None:
        before = self.table
        deck = self.dice.sample(range(52), 52)
        deal = next_hand(before, self.now, deck)
        if deal is None:
            return
        self.hands += 1
        assert deal == next_hand(before, self.now, deck)  # the same arguments give the same hand
        self.table = self.apply(before, deal.events)
        check_deal(before, deal, self.table)

    def end_hand(self) -> None:
        running = self.table.running_hand
        assert running is not None
        if self.dice.random() < 0.1:
            self.table = self.apply(self.table, void_hand(self.table, self.now, self.wallets))
            return
        stacks = {seat.number: seat.stack for seat in self.table.seats if seat.number in running.dealt_seats}
        for _ in range(self.dice.randint(0, 3)):
            loser, winner = self.dice.choice(running.dealt_seats), self.dice.choice(running.dealt_seats)
            chips = stacks[loser] if self.dice.random() < 0.2 else self.dice.randint(0, min(300, stacks[loser]))
            stacks[loser] -= chips
            stacks[winner] += chips
        self.table = self.apply(self.table, finish_hand(self.table, stacks, self.now, self.wallets))

    def random_command(self) -> c.TableCommand:
        """Return a random command: usually one that makes sense, sometimes any. Visitors want a seat, absent players want to come back."""
        dice, table = self.dice, self.table
        player, seat = dice.choice(PEOPLE), dice.randint(0, table.settings.seat_count + 1)
        minimum = buy_in_limits(table, player, self.now).minimum
        chips = min(self.wallets[player], dice.choice((minimum, 2_000, 10_000, 20_000, dice.randint(0, 30_000))))
        there, entry = table.seat_of(player), dice.choice((None, *EntryMethod))
        if dice.random() < 0.7:
            if there is None:
                return c.TakeSeat(player, f"P{player}", chips, dice.choice((0, seat)), dice.randrange(1000))
            if not there.stack:
                return c.TopUp(player, chips)
            if there.status is not SeatStatus.PLAYING:
                return c.ComeBack(player, entry)
            if straddle_seats(table) and dice.random() < 0.5:
                return c.PledgeStraddle(dice.choice([one.player for one in table.seats]))
            if dice.random() < 0.7:
                return c.Tick()
        wilder: tuple[c.TableCommand, ...] = (
            c.ExchangeSeats(player, seat),
            c.RaiseObjection(player),
            c.Consent(player),
            c.DrawSeats(player, tuple(dice.sample(range(52), 52))),
            c.JoinWaitingList(player, f"P{player}"),
            c.LeaveWaitingList(player),
            c.PledgeStraddle(player, dice.random() < 0.8),
            c.ProposeStackAdjustment(player, (StackChange(1, -10), StackChange(2, 10))),
            c.ChangeSettings(player, msgspec.structs.replace(table.settings, pause_seconds=dice.randint(1, 9))),
            c.CallTime(player, seat),
            c.StartHand(player),
            c.LeaveTable(player),
            *((c.CloseTable(player),) if dice.random() < 0.02 else ()),
            *(
                (c.TimeOutPlayer(dice.choice(table.running_hand.dealt_seats)),)
                if table.running_hand is not None
                else ()
            ),
        )
        common: tuple[c.TableCommand, ...] = (
            c.ComeBack(player, entry),
            c.TopUp(player, chips),
            c.SitOut(player),
            c.Tick(),
        )
        return dice.choice(wilder if dice.random() < 0.6 else common)

    def ask(self, command: c.TableCommand) -> None:
        try:
            events = decide(self.table, command, self.now)
        except TableError as refusal:
            assert explain(refusal, {}) != UNEXPLAINED
            return
        self.table = self.apply(self.table, events)

    def check(self) -> None:
        table = self.table
        assert sum(self.wallets.values()) + sum(seat.stack for seat in table.seats) == 200_000 * len(PEOPLE)
        assert all(chips >= 0 for chips in self.wallets.values())
        numbers = [seat.number for seat in table.seats]
        assert numbers == sorted(set(numbers))
        assert all(1 <= number <= table.settings.seat_count for number in numbers)
        assert len({seat.player for seat in table.seats}) == len(numbers)
        assert all(seat.stack >= 0 and 0 <= seat.bank_ms <= 60_000 for seat in table.seats)
        if table.running_hand is None and table.status is TableStatus.OPEN:
            assert all(seat.after_hand is AfterHand.STAY for seat in table.seats)
            players = sum(seat.wants_next_hand for seat in table.seats)
            assert bool(table.next_hand_at) == (players >= 2)  # no absent player stops a table
            assert table.replay is None or len(table.seats_for_next_hand) >= 2
            assert next_due_at(table)
        if table.status is TableStatus.CLOSED:
            assert not table.seats
        for seat in table.seats:
            assert (
                seat.status is not SeatStatus.PLAYING
                or not (seat.owes_small or seat.owes_big)
                or table.positions is None
            )


def check_deal(before: Table, deal: NextHand, after: Table) -> None:
    """Check button and blinds of one hand against the laws."""
    started, last, now = deal.started, before.positions, after.positions
    assert now is not None and after.running_hand is not None
    began = next(one for one in deal.events if isinstance(one, e.HandBegan))
    seats = {seat.number: seat for seat in before.seats}
    for event in deal.events:
        if isinstance(event, e.SeatsExchanged):
            swapped = evolve(before, event)
            seats = {seat.number: seat for seat in swapped.seats}
    assert len(set(started.seat_numbers)) == len(started.seat_numbers) >= 2
    assert all(seats[number].wants_next_hand for number in started.seat_numbers)
    assert started.stacks == tuple(seats[number].stack for number in started.seat_numbers)
    posted: dict[int, dict[str, int]] = {}
    for post in started.posts:
        kinds = posted.setdefault(started.seat_numbers[post.seat], {})
        assert post.kind.value not in kinds
        kinds[post.kind.value] = post.chips
    assert posted[now.big_blind_seat]["big blind"] == 100
    assert [number for number, kinds in posted.items() if "big blind" in kinds] == [now.big_blind_seat]
    small = [number for number, kinds in posted.items() if "small blind" in kinds]
    assert small in ([], [now.small_blind_seat])
    if len(started.seat_numbers) == 2:
        assert now.button_seat == now.small_blind_seat == started.seat_numbers[1]  # TL-8
        assert small == [now.button_seat]
    else:
        assert len({now.button_seat, now.small_blind_seat, now.big_blind_seat}) == 3
        assert is_between(now.button_seat, now.big_blind_seat, now.small_blind_seat)
    order = [(number - now.button_seat - 1) % 14 for number in started.seat_numbers]
    assert order == sorted(order)
    if before.replay is not None:
        check_replay(before, deal, began)
    if last is not None:
        check_blinds_pass_nobody(before, now, last, started.seat_numbers, seats, posted)
    assert began.straddle_seat == next((number for number, kinds in posted.items() if "straddle" in kinds), 0)


def check_replay(before: Table, deal: NextHand, began: e.HandBegan) -> None:
    """The button stays, nobody joins, and players who wait because of the replay miss no blind (TL-29)."""
    replay = before.replay
    assert replay is not None
    dealt = {before.seat(number).player for number in began.dealt_seats}  # type: ignore[union-attr]
    assert dealt <= set(replay.players)
    if replay.big_blind_seat in began.dealt_seats and (len(dealt) > 2 or replay.button_seat == replay.small_blind_seat):
        assert (began.button_seat, began.small_blind_seat, began.big_blind_seat) == (
            replay.button_seat,
            replay.small_blind_seat,
            replay.big_blind_seat,
        )
    assert set(began.posting_seats) <= set(replay.posting_seats)
    waiting = {seat.player for seat in before.kept_out_of_replay}
    assert not any(isinstance(event, e.BlindMissed) and event.player in waiting for event in deal.events)


def check_blinds_pass_nobody(before, now, last: Positions, dealt, seats, posted) -> None:  # type: ignore[no-untyped-def]
    """Nobody skips a blind, posts the big blind twice in a row, or comes in without paying a debt (TL-8 to TL-12)."""
    wanted = {seat.player for seat in before.seats_for_next_hand}
    playing = [seat for seat in seats.values() if seat.player in wanted and seat.is_settled]
    if not (seats.get(now.big_blind_seat) is not None and now.big_blind_seat == last.big_blind_seat):
        assert now.big_blind_seat != last.big_blind_seat
    else:
        assert (
            before.settings.options.button is ButtonRule.MOVING
            or seats[now.big_blind_seat].newcomer
            or seats[now.big_blind_seat].owes_big
        )
    if len(playing) < 2:
        return  # the game had stopped and begins again
    for number in dealt:
        seat = seats[number]
        if not seat.is_settled and number != now.big_blind_seat:
            assert not is_between(now.button_seat, now.big_blind_seat, number)
            assert number != now.button_seat or seat.status is SeatStatus.BUYING_BUTTON or before.replay is not None
            assert not seat.owes_big or posted[number]["live post"] == 100
            assert not seat.newcomer or seat.owes_big or before.settings.options in (DEAD, MOVING)
            assert not seat.owes_small or posted[number]["dead post"] == 50
    assert {seat.number for seat in playing} <= set(dealt)
    if before.settings.options.button is ButtonRule.DEAD:
        assert not any(is_between(last.big_blind_seat, now.big_blind_seat, number) for number in dealt)
        if last.big_blind_seat in dealt and seats[last.big_blind_seat].is_settled:
            assert "small blind" in posted[last.big_blind_seat]


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

    deal: NextHand

    def begin_hand(self) -> None:
        deal = next_hand(self.table, self.now, self.dice.sample(range(52), 52))
        if deal is not None:
            self.deal, self.hands = deal, self.hands + 1
            self.table = self.apply(self.table, deal.events)

    def end_hand(self) -> None:
        started = self.deal.started
        _, hand = engine.start(started, tuple(self.dice.sample(range(52), 52)))
        while not hand.over:
            may = engine.legal(hand, hand.to_act)
            chosen: list[play.HandCommand] = []
            chosen += [play.Check()] if may.check else [play.Fold()] * may.fold
            chosen += [play.Call()] * (3 * bool(may.call_chips)) + [play.Show()] * may.show
            if may.max_to:
                to = self.dice.choice((may.min_to, may.max_to))
                chosen.append(play.Bet(to) if may.opening else play.RaiseTo(to))
            _, hand = engine.decide_and_evolve(hand, hand.to_act, self.dice.choice(chosen))
        stacks = dict(zip(started.seat_numbers, hand.stacks, strict=True))
        self.table = self.apply(
            self.table, finish_hand(self.table, stacks, self.now, self.wallets, carried_chips=hand.pot)
        )


@pytest.mark.law("TL-7", "TL-10", "TL-13")
@pytest.mark.parametrize("name", TABLES)
def test_hands_played_by_the_engine_keep_every_chip(name: str) -> None:
    """The engine plays blinds, dead and live posts, straddles and short stacks; the chips on the table and in wallets stay the same."""
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
    assert evolve_all(None, tuple(evening.journal)) == evening.table  # the journal gives the same table
    for event in evening.journal[-50:]:
        assert msgspec.json.decode(msgspec.json.encode(event), type=e.TableEvent) == event
    stored = msgspec.msgpack.encode(evening.table)
    assert msgspec.msgpack.decode(stored, type=Table) == evening.table
    return evening.hands


@effort(max_examples=15, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_everything_offered_as_legal_is_accepted(seed: int) -> None:
    """Every offer of `table_legal` is accepted by `decide`, and the view can always be drawn."""
    evening = LongEvening(STRADDLED if seed % 2 else DEAD, seed)
    for _ in range(120):
        evening.step()
        table, now = evening.table, evening.now
        shown = view_table(table, 3)
        assert len(shown.seats) == len(table.seats)
        for player in PEOPLE:
            legal, seat = table_legal(table, player, now), table.seat_of(player)
            commands: list[c.TableCommand] = []
            if legal.buy_in_limits is not None:
                minimum, maximum = legal.buy_in_limits.minimum, legal.buy_in_limits.maximum
                commands += [
                    c.TakeSeat(player, "P", minimum, legal.free_seats[-1]),
                    c.TakeSeat(player, "P", maximum),
                ]
            commands += [c.LeaveTable(player)] * legal.leave + [c.SitOut(player)] * legal.sit_out
            commands += [c.ComeBack(player)] * (legal.come_back and legal.owed_blinds is None)
            if legal.come_back:
                commands += [c.ComeBack(player, method) for method in legal.entry_methods]
            commands += [c.TopUp(player, chips) for chips in top_ups(table, seat)]
            commands += [c.PledgeStraddle(player)] * bool(legal.straddle_to)
            commands += [c.Consent(player)] * legal.consent + [c.RaiseObjection(player)] * legal.raise_objection
            commands += waiting_list_commands(table, player, legal)
            commands += [c.CloseTable(player)] * legal.close_table
            assert seat is not None or not legal.leave
            for command in commands:
                decide(table, command, now)


def top_ups(table: Table, seat: Seat | None) -> set[int]:
    """Return the smallest and the largest top-up that a seated player can make; nothing if they cannot make any (TL-1)."""
    if seat is None or seat.after_hand is AfterHand.LEAVE:
        return set()
    minimum, maximum = 1, table.settings.max_buyin - seat.queued_top_up
    if not table.dealt_in(seat.player):
        minimum, maximum = 1 if seat.stack else table.settings.min_buyin, maximum - seat.stack
    return {minimum, maximum} if maximum >= minimum else set()


def waiting_list_commands(table: Table, player: int, legal: TableLegal) -> list[c.TableCommand]:
    """A player who waits can leave the list. Somebody who finds no seat at an open table can join it."""
    if any(waiting.player == player for waiting in table.waiting):
        return [c.LeaveWaitingList(player)]
    if table.status is not TableStatus.OPEN or table.seat_of(player) is not None or legal.free_seats:
        return []
    return [c.JoinWaitingList(player, "P")]

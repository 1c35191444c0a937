"""Servers take turns with the bot's requests, told with a clock that only these tests move."""

from __future__ import annotations

import random
from collections import Counter, defaultdict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.line.request_queue import CREDIT, PATIENCE_SECONDS, Priority, RequestLine, RequestQueue, Ticket
from bot.line.request_slots import BURST, REQUESTS_PER_SECOND
from bot.surfaces.table.pace import EDIT_SECONDS, edit_seconds

CROWD, QUIET, PRACTICE = RequestLine(1), RequestLine(2), RequestLine(3, is_practice=True)
TABLE, PRIVATE, REDRAW, BACKGROUND = Priority
LONGEST_WAIT = 0.5


class Line:
    """A queue at the bot's own rate, its time, and what has gone."""

    def __init__(self) -> None:
        self.queue = RequestQueue[str](REQUESTS_PER_SECOND, BURST)
        self.now = 1_000.0
        self.gone: list[tuple[float, Ticket[str]]] = []

    def ask(self, line: RequestLine, priority: Priority, name: str = "", times: int = 1) -> list[Ticket[str]]:
        tickets = [self.queue.add(name, line, priority, self.now) for _ in range(times)]
        self._let_go()
        return tickets

    def run(self, seconds: float) -> None:
        """Let time pass, and let everything go that can."""
        end = self.now + seconds
        while (at := self.queue.next_at) is not None and at <= end:
            self.now = max(self.now, at)
            self._let_go()
        self.now = end

    def _let_go(self) -> None:
        while (ticket := self.queue.take(self.now)) is not None:
            self.gone.append((self.now, ticket))

    def waits(self, line: RequestLine, priority: Priority | None = None) -> list[float]:
        """How long those of a line that have gone have waited."""
        return [at - each.since for at, each in self.gone if each.line == line and priority in (None, each.priority)]

    @property
    def order(self) -> list[str]:
        return [each.item for _, each in self.gone]


def crowded(line: Line, tables: int) -> None:
    """A server deals at all its tables at once: a message, six DMs, a nudge and two redraws for each."""
    for priority, times in ((REDRAW, 2), (PRIVATE, 7), (TABLE, 1)):
        line.ask(CROWD, priority, times=times * tables)


def test_250_busy_tables_delay_another_server_by_half_a_second() -> None:
    """The quiet server deals to nine players every ten seconds, and calls one of them to act; the crowd deals again and again."""
    line = Line()
    crowded(line, 250)
    for second in range(60):
        crowded(line, 4)
        if second % 10 == 5:
            line.ask(QUIET, PRIVATE, times=9)
            line.ask(QUIET, TABLE)
        if second % 10 == 8:
            line.ask(QUIET, PRIVATE)
        line.run(1)
    assert len(line.waits(QUIET)) == 6 * 11
    assert max(line.waits(QUIET)) <= LONGEST_WAIT
    assert len(line.queue) > 2000, "the crowd has far more than can go"
    assert len(line.gone) >= 60 * REQUESTS_PER_SECOND, "and loses no turn that nobody else wants"


def test_crowd_and_deal_that_begin_together_share_turns() -> None:
    line = Line()
    crowded(line, 250)
    line.ask(QUIET, TABLE)
    line.ask(QUIET, PRIVATE, times=9)
    line.run(10)
    assert max(line.waits(QUIET)) <= LONGEST_WAIT


@pytest.mark.parametrize("crowds", [2, 5, 10])
def test_each_of_several_crowds_has_the_same_share(crowds: int) -> None:
    line = Line()
    for guild in range(1, crowds + 1):
        line.ask(RequestLine(guild), REDRAW, times=100 * guild)
    line.run(100 * crowds / REQUESTS_PER_SECOND / 2)
    shares = Counter(each.line for _, each in line.gone)
    assert max(shares.values()) - min(shares.values()) <= 1 + BURST, shares


def test_one_server_sends_what_matters_most_first() -> None:
    line = Line()
    line.ask(RequestLine(9), REDRAW, times=BURST + 1)
    for priority in (BACKGROUND, REDRAW, PRIVATE, TABLE):
        line.ask(QUIET, priority, priority.name, times=2)
    line.run(1)
    assert [name for name in line.order if name] == [
        name for name in ("TABLE", "PRIVATE", "REDRAW", "BACKGROUND") for _ in range(2)
    ]


def test_no_redraw_waits_for_ever_behind_dms() -> None:
    """A server asks for more DMs than can go, for a minute."""
    line = Line()
    line.ask(CROWD, PRIVATE, times=300)
    line.ask(CROWD, REDRAW, times=20)
    for _ in range(60):
        line.ask(CROWD, PRIVATE, times=REQUESTS_PER_SECOND)
        line.run(1)
    waited = line.waits(CROWD, REDRAW)
    assert len(waited) == 20
    assert min(waited) >= PATIENCE_SECONDS and max(waited) < 2 * 320 / REQUESTS_PER_SECOND


def test_line_goes_on_after_its_oldest_request_was_preferred() -> None:
    """Nothing can go for six seconds. Then the redraw that has waited so long goes fourth, and the cards behind it go on."""
    line = Line()
    line.queue.hold_until(line.now + PATIENCE_SECONDS + 1)
    line.ask(QUIET, REDRAW, "redraw")
    line.run(PATIENCE_SECONDS + 0.5)
    line.ask(QUIET, PRIVATE, "card", times=6)
    line.run(2)
    assert line.order == ["card"] * 3 + ["redraw"] + ["card"] * 3


def test_practice_goes_slowly_while_real_chips_wait() -> None:
    line = Line()
    line.ask(CROWD, REDRAW, times=400)
    line.ask(RequestLine(1, is_practice=True), TABLE, times=400)
    line.run(5)
    shares = Counter(each.line.is_practice for _, each in line.gone)
    assert 0 < shares[True] <= shares[False] / 9
    line.run(60)
    assert not len(line.queue)


def test_practice_crowd_does_not_delay_a_deal() -> None:
    line = Line()
    line.ask(PRACTICE, REDRAW, times=1000)
    line.run(2)
    line.ask(QUIET, PRIVATE, times=9)
    line.run(1)
    assert max(line.waits(QUIET)) <= 10 / REQUESTS_PER_SECOND


def test_cancelled_request_costs_its_server_nothing() -> None:
    line = Line()
    line.ask(CROWD, REDRAW, times=100 + CREDIT)
    line.run(CREDIT / REQUESTS_PER_SECOND)  # from now on the crowd has to take turns
    for ticket in line.ask(QUIET, REDRAW, times=50):
        line.queue.cancel(ticket)
    (last,) = line.ask(QUIET, REDRAW, "the last")
    line.run(1 / REQUESTS_PER_SECOND)
    assert not last.waits and line.order.count("the last") == 1
    assert len(line.queue) == 101 + CREDIT - len(line.gone)


def test_deals_go_out_in_the_order_in_which_they_came() -> None:
    """Sixty servers deal in the same second, each a message and six cards. The cards of the first do not wait for those of the last."""
    line = Line()
    for number in range(60):
        server = RequestLine(100 + number)
        line.ask(server, TABLE, "message")
        line.ask(server, PRIVATE, f"cards {number}", times=6)
        line.run(1 / 60)
    line.run(60)
    cards = [name for name in line.order if name != "message"]
    assert cards == [f"cards {number}" for number in range(60) for _ in range(6)]
    assert max(each for number in range(60) for each in line.waits(RequestLine(100 + number), TABLE)) < LONGEST_WAIT


def test_quiet_moment_leaves_no_debt() -> None:
    """A server that was alone has made many requests; then another one comes, and they are equal."""
    line = Line()
    line.ask(QUIET, REDRAW, times=200)
    line.run(10)
    line.ask(CROWD, REDRAW, times=200)
    line.ask(QUIET, PRIVATE, times=9)
    line.run(LONGEST_WAIT)
    assert len(line.waits(QUIET, PRIVATE)) == 9


def test_practice_table_is_redrawn_rarely_while_others_wait() -> None:
    line = Line()
    assert edit_seconds(PRACTICE, line.queue) == EDIT_SECONDS
    line.ask(CROWD, REDRAW, times=27)
    assert line.queue.seconds > LONGEST_WAIT
    assert edit_seconds(PRACTICE, line.queue) == 3 and edit_seconds(CROWD, line.queue) == EDIT_SECONDS
    line.run(0.1)
    assert edit_seconds(PRACTICE, line.queue) == EDIT_SECONDS


lines = st.builds(RequestLine, st.integers(1, 4), st.booleans())
steps = st.lists(
    st.one_of(
        st.tuples(st.just("ask"), lines, st.sampled_from(Priority), st.integers(1, 30)),
        st.tuples(st.just("cancel"), st.integers(0, 400)),
        st.tuples(st.just("run"), st.floats(0, 2)),
    ),
    max_size=40,
)


@given(steps)
def test_any_course_keeps_rate_order_and_everybody(steps: list[tuple[object, ...]]) -> None:
    line, asked, cancelled = Line(), [], set()
    for step in steps:
        match step:
            case ("ask", RequestLine() as where, Priority() as priority, int(times)):
                asked += line.ask(where, priority, times=times)
            case ("cancel", int(number)) if asked:
                ticket = asked[number % len(asked)]
                if ticket.waits:
                    cancelled.add(ticket.number)
                line.queue.cancel(ticket)
            case ("run", float(seconds)):
                line.run(seconds)
                assert line.queue.next_at is None or line.queue.next_at > line.now, "no turn is wasted"
            case _:
                pass
    line.run(len(asked) + 1)
    went = [each.number for _, each in line.gone]
    assert sorted([*went, *cancelled]) == [each.number for each in asked], "each goes once, unless it was cancelled"
    assert not len(line.queue) and line.queue.next_at is None
    times = [at for at, _ in line.gone]
    for begin in range(len(times)):
        for end in range(begin, len(times), 7):
            most = (times[end] - times[begin]) * REQUESTS_PER_SECOND + BURST + 1
            assert end - begin + 1 <= most + 1e-6, "never more than the rate and the burst"
    of_kind: dict[tuple[RequestLine, Priority], list[int]] = defaultdict(list)
    for _, each in line.gone:
        of_kind[each.line, each.priority].append(each.number)
    assert all(numbers == sorted(numbers) for numbers in of_kind.values()), "first come, first served in one kind"


@given(st.integers(0, 2**32), st.integers(1, 8), st.integers(1, CREDIT))
def test_wait_is_bounded_by_how_many_servers_wait(seed: int, crowds: int, deal: int) -> None:
    """Whatever the others ask for, a server that was quiet waits for its own requests, some turns of each other one, and what each had in
    advance."""
    line, dice = Line(), random.Random(seed)
    for _ in range(20):
        for guild in range(10, 10 + crowds):
            line.ask(RequestLine(guild, dice.random() < 0.3), Priority(dice.randrange(4)), times=dice.randrange(1, 40))
        line.run(dice.random() * 0.1)
    line.ask(QUIET, PRIVATE, times=deal)
    line.run(60)
    assert max(line.waits(QUIET)) <= (deal + crowds * (2 * (deal + 1) + CREDIT)) / REQUESTS_PER_SECOND

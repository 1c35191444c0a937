"""An alarm that is put off again and again rings when it was set to ring last, and asks the clock for little."""

from bot.runtime.clock import MovingAlarm
from tests.runtime.manual_clock import SECOND, START, ManualClock


class Watch:
    """A clock with one such alarm, and the seconds at which it rang."""

    def __init__(self) -> None:
        self.clock, self.rang = ManualClock(), list[int]()
        self.alarm = MovingAlarm(self.clock, lambda: self.rang.append((self.clock.now() - START) // SECOND))

    def set(self, second: int) -> None:
        self.alarm.set(START + second * SECOND)

    def pass_to(self, second: int) -> None:
        while 0 < (at := self.clock.next_at()) <= START + second * SECOND:
            self.clock.move_to(at)
            self.clock.ring_due()
        self.clock.move_to(START + second * SECOND)


def test_alarm_rings_when_it_was_set_last() -> None:
    watch = Watch()
    for second in (8, 9, 15, 11):
        watch.set(second)
    watch.pass_to(10)
    assert not watch.rang
    watch.set(12)
    watch.pass_to(60)
    assert watch.rang == [12]


def test_alarm_can_be_set_sooner() -> None:
    watch = Watch()
    watch.set(60)
    watch.set(5)
    watch.pass_to(90)
    assert watch.rang == [5]


def test_cleared_alarm_rings_only_once_it_is_set_again() -> None:
    watch = Watch()
    watch.set(8)
    watch.alarm.clear()
    watch.pass_to(20)
    assert not watch.rang
    watch.set(30)
    watch.alarm.clear()
    watch.set(33)
    watch.pass_to(60)
    assert watch.rang == [33]


def test_stopped_alarm_leaves_nothing_on_the_clock() -> None:
    watch = Watch()
    watch.set(8)
    watch.alarm.stop()
    assert not watch.clock.next_at()


def test_alarm_that_is_put_off_asks_the_clock_once() -> None:
    watch = Watch()
    for second in range(8, 100):
        watch.set(second)
    assert len(watch.clock._alarms) == 1

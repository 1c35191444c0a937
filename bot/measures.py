"""What the program counts while it runs: plain numbers that one thread writes and `bot.operation.metrics` reads.

A count on the way of a click is an addition to an attribute, without a lock or a lookup by name. Nothing here names a person, a
server or a card.
"""

from bisect import bisect_left
from dataclasses import dataclass, field

SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
SIZES = (1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1_000.0)


class Distribution:
    """How often values fell up to each of some bounds, and their sum."""

    __slots__ = ("bounds", "counts", "total")

    def __init__(self, bounds: tuple[float, ...]) -> None:
        self.bounds = bounds
        self.counts = [0] * (len(bounds) + 1)
        self.total = 0.0

    def add(self, value: float) -> None:
        """Count a value."""
        self.counts[bisect_left(self.bounds, value)] += 1
        self.total += value


@dataclass(slots=True)
class StoreMeasures:
    """What the store has saved.

    Attributes:
        commit_seconds: by batch, from when its oldest commit was asked for until all of it was on the disk.
        batch_sizes: how many commits went into a batch.
        failed_batches: how many batches could not be saved.
    """

    commit_seconds: Distribution = field(default_factory=lambda: Distribution(SECONDS))
    batch_sizes: Distribution = field(default_factory=lambda: Distribution(SIZES))
    failed_batches: int = 0


@dataclass(slots=True)
class InteractionMeasures:
    """How interactions ended: commands, clicks and forms.

    Attributes:
        seconds: from when it arrived until everything of it was answered.
        answered: Discord has taken the answer.
        late: Discord did not take the answer any more, or it did not get there.
        failed: a fault of the program, which was admitted.
    """

    seconds: Distribution = field(default_factory=lambda: Distribution(SECONDS))
    answered: int = 0
    late: int = 0
    failed: int = 0

    def count_fault(self) -> None:
        """A fault of the program has ended one."""
        self.failed += 1

    def count(self, seconds: float, *, lost: bool) -> None:
        """One has ended; `lost`: Discord did not get the answer."""
        self.late += lost
        self.answered += not lost
        self.seconds.add(seconds)


@dataclass(slots=True)
class RequestMeasures:
    """Discord's responses to requests, by the hundred of their status: 2 for 200 to 299; and those that were 429, too many requests."""

    by_hundred: list[int] = field(default_factory=lambda: [0] * 6)
    rate_limited: int = 0

    def count(self, status: int) -> None:
        """Discord has responded."""
        self.by_hundred[min(status // 100, 5)] += 1
        self.rate_limited += status == 429


@dataclass(slots=True)
class DmMeasures:
    """Channels of direct messages that were asked for, by how that ended. One that is known counts for nothing.

    Attributes:
        opened: Discord has opened it.
        put_off: none can be opened for this person soon.
        refused: the person cannot be sent direct messages, or Discord could not be reached.
    """

    opened: int = 0
    put_off: int = 0
    refused: int = 0

    def count_opened(self) -> None:
        self.opened += 1

    def count_put_off(self) -> None:
        self.put_off += 1

    def count_refused(self) -> None:
        self.refused += 1


@dataclass(slots=True)
class PictureMeasures:
    """Pictures that were asked for, by how that ended.

    Attributes:
        seconds: from when a picture was asked for until it was drawn.
        drawn: the picture was there in time.
        failed: drawing it raised an error, or the drawing process ended meanwhile.
        late: it was not there within its time.
        skipped: a newer one took over, too many waited, or the drawing process rested.
        worker_starts: how often the drawing process was started.
    """

    seconds: Distribution = field(default_factory=lambda: Distribution(SECONDS))
    drawn: int = 0
    failed: int = 0
    late: int = 0
    skipped: int = 0
    worker_starts: int = 0


@dataclass(slots=True)
class StatisticsMeasures:
    """What the statistics have counted.

    Attributes:
        hands: how many hands were counted, soon after they ended or after a start.
        failures: how often they could not be counted, and were tried again.
        rebuilds: how often every hand was counted again, by a process that came to its end.
        failed_rebuilds: how often such a process failed.
    """

    hands: int = 0
    failures: int = 0
    rebuilds: int = 0
    failed_rebuilds: int = 0


@dataclass(slots=True)
class LuckMeasures:
    """All-in hands whose luck was due, by how that ended.

    Attributes:
        seconds: from when the process was asked for a hand until it had answered; preparing for its game apart.
        told: the luck is written down, or that there is none.
        failed: a hand that the process could not tell, or at which it ended or was too slow.
        worker_starts: how often the process was started.
        odds_seconds: from when odds of a run-out were asked for until the process had answered, with all that came before them.
        odds_told: odds that were told, or that there are none; also those that came too late to be shown.
        odds_failed: odds that the process could not tell, or at which it ended or was too slow.
    """

    seconds: Distribution = field(default_factory=lambda: Distribution(SECONDS))
    told: int = 0
    failed: int = 0
    worker_starts: int = 0
    odds_seconds: Distribution = field(default_factory=lambda: Distribution(SECONDS))
    odds_told: int = 0
    odds_failed: int = 0

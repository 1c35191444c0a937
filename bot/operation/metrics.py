"""The figures of a running dealer, as Prometheus reads them.

Nothing is written to Prometheus' own counters on the way of a click: the parts count for themselves (`bot.measures`), and what they
have counted is read when somebody asks. No label holds what a person chose: only kinds that stand in the program, and shard numbers.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from prometheus_client import CollectorRegistry, PlatformCollector, ProcessCollector
from prometheus_client.core import CounterMetricFamily as Counter
from prometheus_client.core import GaugeMetricFamily as Gauge
from prometheus_client.core import HistogramMetricFamily, Metric
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest
from prometheus_client.registry import Collector

from bot.backups import Backups
from bot.line.dm_channels import DmChannels
from bot.measures import Distribution, RequestMeasures
from bot.operation.health import LoopWatchdog
from bot.pictures.maker import PictureMaker
from bot.runtime.luck_teller import LuckTeller
from bot.runtime.store_errors import StoreError

if TYPE_CHECKING:
    from bot.dealer import Dealer
    from bot.operation.fleet_watch import FleetWatch

LEDGER_EVERY_SECONDS = 60.0
"""The books of all servers are added up no more often than this, however often somebody asks."""


class DealerFigures:
    """Reads the figures of a dealer.

    Args:
        requests: what was counted of Discord's responses.
        fleet: sees the other dealers of the bot; None where there can be none.
    """

    def __init__(
        self, dealer: Dealer, watchdog: LoopWatchdog, requests: RequestMeasures, fleet: FleetWatch | None = None
    ) -> None:
        self._dealer = dealer
        self._ledger_sum: int | None = None
        self._ledger_summed_at = -math.inf
        self._registry = CollectorRegistry()
        self._registry.register(_DealerCollector(self, dealer, watchdog, requests))
        if fleet is not None:
            self._registry.register(_FleetCollector(fleet))
        ProcessCollector(registry=self._registry)
        PlatformCollector(registry=self._registry)

    @property
    def ledger_sum(self) -> int | None:
        """By how many chips the books were off when they were added up last; None if they could not be."""
        return self._ledger_sum

    async def read(self) -> tuple[bytes, str]:
        """Return the figures, and their content type."""
        now = time.monotonic()
        if now - self._ledger_summed_at >= LEDGER_EVERY_SECONDS:
            self._ledger_summed_at = now
            try:
                self._ledger_sum = await self._dealer.store.ledger_sum()
            except StoreError:  # it is closed or cannot be read: the figure is absent, and an alert looks for that
                self._ledger_sum = None
        return generate_latest(self._registry), CONTENT_TYPE_LATEST


class FleetFigures:
    """Reads the figures of all slots, for a process that has no dealer."""

    def __init__(self, fleet: FleetWatch) -> None:
        self._registry = CollectorRegistry()
        self._registry.register(_FleetCollector(fleet))
        ProcessCollector(registry=self._registry)

    async def read(self) -> tuple[bytes, str]:
        """Return the figures, and their content type."""
        return generate_latest(self._registry), CONTENT_TYPE_LATEST


class _FleetCollector(Collector):
    """The figures of all slots of a database. Each process tells them, so a Prometheus takes the largest."""

    def __init__(self, fleet: FleetWatch) -> None:
        self._fleet = fleet

    def describe(self) -> list[Metric]:
        return []

    def collect(self) -> Iterator[Metric]:
        watch, slots = self._fleet, self._fleet.fleet.slots
        served = {str(state.number): float(state.is_served) for state in slots}
        yield _labelled(Gauge("cardroom_slot_served", "1 if the slot has a dealer", labels=["slot"]), served)
        epochs = {str(state.number): state.epoch for state in slots}
        yield _labelled(Gauge("cardroom_slot_epoch", "How many owners the slot has had", labels=["slot"]), epochs)
        taking = "Times that the slot was taken from a dealer that had ended without a word"
        taken = {str(state.number): state.take_overs for state in slots}
        yield _labelled(Counter("cardroom_slot_take_overs", taking, labels=["slot"]), taken)
        mine = {str(state.number): float(state.number == watch.slot) for state in slots}
        yield _labelled(Gauge("cardroom_slot_owned", "1 if this process is the slot's dealer", labels=["slot"]), mine)
        yield Gauge("cardroom_standbys", "Processes that wait for a slot", len(watch.fleet.standbys))
        if watch.lease_age is not None:
            age = "Since this dealer has renewed that the slot is its own; after six it ends itself"
            yield Gauge("cardroom_slot_lease_age_seconds", age, watch.lease_age)
        yield Gauge("cardroom_clock_ahead_seconds", "By how much this machine's clock is ahead", watch.clock_ahead)


class _DealerCollector(Collector):
    def __init__(
        self, figures: DealerFigures, dealer: Dealer, watchdog: LoopWatchdog, requests: RequestMeasures
    ) -> None:
        self._figures, self._dealer, self._watchdog, self._requests = figures, dealer, watchdog, requests

    def describe(self) -> list[Metric]:
        return []  # without it the registry would ask for all figures while the dealer is being made

    def collect(self) -> Iterator[Metric]:
        yield from self._saving()
        yield from self._answering()
        yield from self._playing()
        yield from self._discord()
        yield from self._pictures()
        yield from self._statistics()
        yield from self._luck()
        yield from self._backups()

    def _saving(self) -> Iterator[Metric]:
        store, bank, ledger_sum = self._dealer.store, self._dealer.bank, self._figures.ledger_sum
        saving = "By batch: from its oldest commit until it was on the disk"
        yield _histogram("cardroom_commit_seconds", saving, store.measures.commit_seconds)
        yield _histogram("cardroom_batch_commits", "Commits in one batch", store.measures.batch_sizes)
        yield Counter("cardroom_batches_failed", "Batches that could not be saved", store.measures.failed_batches)
        yield Gauge("cardroom_commits_waiting", "Commits that wait for a batch", store.waiting_count)
        if ledger_sum is not None:
            yield Gauge("cardroom_ledger_sum", "Chips by which the books are off: must be 0", ledger_sum)
        yield Counter("cardroom_audits", "Audits of a server, by staff and at the start", bank.audits)
        yield Counter("cardroom_audit_faults", "Faults that they found: must be 0", bank.audit_faults)

    def _answering(self) -> Iterator[Metric]:
        measures = self._dealer.services.measures
        ended = "Commands, clicks and forms, by whether Discord took the answer"
        answers = {"taken": measures.answered, "late": measures.late}
        yield _labelled(Counter("cardroom_interactions", ended, labels=["answer"]), answers)
        faults = "Interactions that ended in a fault of the program"
        yield Counter("cardroom_interaction_faults", faults, measures.failed)
        answering = "From an interaction's arrival until it was answered"
        yield _histogram("cardroom_interaction_seconds", answering, measures.seconds)
        yield _histogram("cardroom_loop_lag_seconds", "By how much the event loop was late", self._watchdog.lag)

    def _playing(self) -> Iterator[Metric]:
        tables, hands, waiting = self._dealer.tables.counts()
        yield Gauge("cardroom_tables_open", "Open tables", tables)
        yield Gauge("cardroom_hands_running", "Hands that run", hands)
        yield Gauge("cardroom_table_requests_waiting", "Requests that wait for their table", waiting)

    def _discord(self) -> Iterator[Metric]:
        waiting = "Requests that wait for the bot's share of Discord, by kind"
        by_kind = self._dealer.services.discord_api.slots.waiting_by_kind()
        yield _labelled(Gauge("cardroom_requests_waiting", waiting, labels=["kind"]), by_kind)
        shares = self._dealer.services.discord_api.slots.shares_limit
        if shares is not None:
            sharing = "1 if all dealers share Discord's limit of requests, 0 if this one keeps to its own part: the database is away"
            yield Gauge("cardroom_request_limit_shared", sharing, float(shares))
        responses = "Discord's responses, by the first digit of their status"
        by_status = {f"{digit}xx": count for digit, count in enumerate(self._requests.by_hundred) if digit >= 2}
        yield _labelled(Counter("cardroom_discord_responses", responses, labels=["status"]), by_status)
        too_many = "Responses that were 429, too many requests"
        yield Counter("cardroom_discord_rate_limited", too_many, self._requests.rate_limited)
        channels = "Channels of direct messages that were asked for, by how that ended"
        opened = self._dealer.parts.get(DmChannels).measures
        ends = {"opened": opened.opened, "put_off": opened.put_off, "refused": opened.refused}
        yield _labelled(Counter("cardroom_dm_channels", channels, labels=["end"]), ends)
        shards = {str(number): shard for number, shard in self._dealer.client.shards.items()}
        connected = {number: float(not shard.is_closed()) for number, shard in shards.items()}
        yield _labelled(Gauge("cardroom_shard_connected", "1 if the shard is connected", labels=["shard"]), connected)
        latency = "From a heartbeat to its answer, by shard"
        latencies = {number: shard.latency for number, shard in shards.items() if math.isfinite(shard.latency)}
        yield _labelled(Gauge("cardroom_shard_latency_seconds", latency, labels=["shard"]), latencies)

    def _pictures(self) -> Iterator[Metric]:
        pictures = self._dealer.parts.get(PictureMaker)
        measures, asked = pictures.measures, "Pictures that were asked for, by how that ended"
        ends = {end: getattr(measures, end) for end in ("drawn", "failed", "late", "skipped")}
        yield _labelled(Counter("cardroom_pictures", asked, labels=["end"]), ends)
        yield Gauge("cardroom_pictures_waiting", "Pictures that wait to be drawn", pictures.waiting_count)
        drawing = "From when a picture was asked for until it was drawn"
        yield _histogram("cardroom_picture_seconds", drawing, measures.seconds)
        yield Counter("cardroom_picture_worker_starts", "Starts of the drawing process", measures.worker_starts)

    def _statistics(self) -> Iterator[Metric]:
        statistics = self._dealer.statistics
        measures = statistics.measures
        yield Counter("cardroom_statistics_hands", "Hands that were counted", measures.hands)
        yield Counter("cardroom_statistics_failures", "Times that hands could not be counted", measures.failures)
        waiting = "Hands that have ended and are not counted yet; at a start one for all"
        yield Gauge("cardroom_statistics_hands_waiting", waiting, statistics.waiting_count)
        behind = "Since all hands were counted, if some are not"
        yield Gauge("cardroom_statistics_behind_seconds", behind, statistics.behind_seconds)
        rebuilding = "1 while every hand is counted again"
        yield Gauge("cardroom_statistics_rebuilding", rebuilding, float(statistics.is_being_rebuilt))
        rebuilds = "Times that every hand was counted again, by how that ended"
        ends = {"done": measures.rebuilds, "failed": measures.failed_rebuilds}
        yield _labelled(Counter("cardroom_statistics_rebuilds", rebuilds, labels=["end"]), ends)

    def _luck(self) -> Iterator[Metric]:
        luck = self._dealer.parts.get(LuckTeller)
        measures, due = luck.measures, "All-in hands whose luck was due, by how that ended"
        ends = {"told": measures.told, "failed": measures.failed}
        yield _labelled(Counter("cardroom_luck_hands", due, labels=["end"]), ends)
        waiting = "All-in hands whose luck is due; of many no more than 20 are known"
        yield Gauge("cardroom_luck_hands_waiting", waiting, luck.waiting_count)
        answering = "From when a hand was sent to the process until it had answered"
        yield _histogram("cardroom_luck_seconds", answering, measures.seconds)
        odds = "Odds of hands that were run out, by how that ended; told ones can have come too late to be shown"
        yield _labelled(
            Counter("cardroom_odds", odds, labels=["end"]), {"told": measures.odds_told, "failed": measures.odds_failed}
        )
        odds_answering = "From when odds were asked for until they were told"
        yield _histogram("cardroom_odds_seconds", odds_answering, measures.odds_seconds)
        yield Counter("cardroom_luck_worker_starts", "Starts of the process that tells luck", measures.worker_starts)

    def _backups(self) -> Iterator[Metric]:
        backups, now = self._dealer.parts.get(Backups), time.time()
        if backups.newest_at:
            yield Gauge("cardroom_backup_age_seconds", "Age of the newest backup", now - backups.newest_at / 1000)
        if backups.drill is not None:
            yield Gauge("cardroom_drill_age_seconds", "Since the last restore drill", now - backups.drill.at / 1000)
            yield Gauge("cardroom_drill_problems", "What it found wrong: must be 0", len(backups.drill.problems))


def _labelled(family: Counter | Gauge, values: Mapping[str, float]) -> Metric:
    for label, value in values.items():
        family.add_metric([label], value)
    return family


def _histogram(name: str, help_text: str, values: Distribution) -> Metric:
    buckets: list[tuple[str, float]] = []
    count = 0
    for bound, found in zip((*values.bounds, math.inf), values.counts, strict=True):
        count += found
        buckets.append(("+Inf" if bound == math.inf else str(bound), count))
    return HistogramMetricFamily(name, help_text, buckets=buckets, sum_value=values.total)

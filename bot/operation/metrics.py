"""The figures of a running dealer, as Prometheus reads them.

Nothing is written to Prometheus' own counters on the way of a click: the parts count for themselves (`bot.measures`), and what they
have counted is read when somebody asks. No label holds what a person chose: only kinds that stand in the program, and shard numbers.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING

from prometheus_client import CollectorRegistry, PlatformCollector, ProcessCollector
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
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

LEDGER_EVERY_SECONDS = 60.0
"""The books of all servers are added up no more often than this, however often somebody asks."""


class DealerFigures:
    """Reads the figures of a dealer.

    Args:
        requests: what was counted of Discord's responses.
    """

    def __init__(self, dealer: Dealer, watchdog: LoopWatchdog, requests: RequestMeasures) -> None:
        self._dealer = dealer
        self._ledger_sum: int | None = None
        self._ledger_summed_at = -math.inf
        self._registry = CollectorRegistry()
        self._registry.register(_DealerCollector(self, dealer, watchdog, requests))
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
            except (
                StoreError
            ):  # the store is closed or cannot be read: the figure is absent, and an alert looks for that
                self._ledger_sum = None
        return generate_latest(self._registry), CONTENT_TYPE_LATEST


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
        store = self._dealer.store
        measures = store.measures
        yield _histogram(
            "cardroom_commit_seconds",
            "By batch: from its oldest commit until it was on the disk",
            measures.commit_seconds,
        )
        yield _histogram("cardroom_batch_commits", "Commits in one batch", measures.batch_sizes)
        yield CounterMetricFamily(
            "cardroom_batches_failed", "Batches that could not be saved", value=measures.failed_batches
        )
        yield GaugeMetricFamily("cardroom_commits_waiting", "Commits that wait for a batch", value=store.waiting_count)
        if self._figures.ledger_sum is not None:
            yield GaugeMetricFamily(
                "cardroom_ledger_sum", "Chips by which the books are off: must be 0", value=self._figures.ledger_sum
            )
        bank = self._dealer.bank
        yield CounterMetricFamily("cardroom_audits", "Audits of a server, by staff and at the start", value=bank.audits)
        yield CounterMetricFamily("cardroom_audit_faults", "Faults that they found: must be 0", value=bank.audit_faults)

    def _answering(self) -> Iterator[Metric]:
        measures = self._dealer.services.measures
        ended = CounterMetricFamily(
            "cardroom_interactions", "Commands, clicks and forms, by whether Discord took the answer", labels=["answer"]
        )
        ended.add_metric(["taken"], measures.answered)
        ended.add_metric(["late"], measures.late)
        yield ended
        yield CounterMetricFamily(
            "cardroom_interaction_faults", "Interactions that ended in a fault of the program", value=measures.failed
        )
        yield _histogram(
            "cardroom_interaction_seconds", "From an interaction's arrival until it was answered", measures.seconds
        )
        yield _histogram("cardroom_loop_lag_seconds", "By how much the event loop was late", self._watchdog.lag)

    def _playing(self) -> Iterator[Metric]:
        tables, hands, waiting = self._dealer.tables.counts()
        yield GaugeMetricFamily("cardroom_tables_open", "Open tables", value=tables)
        yield GaugeMetricFamily("cardroom_hands_running", "Hands that run", value=hands)
        yield GaugeMetricFamily("cardroom_table_requests_waiting", "Requests that wait for their table", value=waiting)

    def _discord(self) -> Iterator[Metric]:
        waiting = GaugeMetricFamily(
            "cardroom_requests_waiting", "Requests that wait for the bot's share of Discord, by kind", labels=["kind"]
        )
        for kind, count in self._dealer.services.discord_api.slots.waiting_by_kind().items():
            waiting.add_metric([kind], count)
        yield waiting
        responses = CounterMetricFamily(
            "cardroom_discord_responses", "Discord's responses, by the first digit of their status", labels=["status"]
        )
        for hundred, count in enumerate(self._requests.by_hundred):
            if hundred >= 2:
                responses.add_metric([f"{hundred}xx"], count)
        yield responses
        yield CounterMetricFamily(
            "cardroom_discord_rate_limited",
            "Responses that were 429, too many requests",
            value=self._requests.rate_limited,
        )
        channels = CounterMetricFamily(
            "cardroom_dm_channels", "Channels of direct messages that were asked for, by how that ended", labels=["end"]
        )
        for end in ("opened", "put_off", "refused"):
            channels.add_metric([end], getattr(self._dealer.parts.get(DmChannels).measures, end))
        yield channels
        latency = GaugeMetricFamily(
            "cardroom_shard_latency_seconds", "From a heartbeat to its answer, by shard", labels=["shard"]
        )
        connected = GaugeMetricFamily("cardroom_shard_connected", "1 if the shard is connected", labels=["shard"])
        for number, shard in self._dealer.client.shards.items():
            connected.add_metric([str(number)], float(not shard.is_closed()))
            if math.isfinite(shard.latency):
                latency.add_metric([str(number)], shard.latency)
        yield connected
        yield latency

    def _pictures(self) -> Iterator[Metric]:
        pictures = self._dealer.parts.get(PictureMaker)
        measures = pictures.measures
        ended = CounterMetricFamily(
            "cardroom_pictures", "Pictures that were asked for, by how that ended", labels=["end"]
        )
        for end in ("drawn", "failed", "late", "skipped"):
            ended.add_metric([end], getattr(measures, end))
        yield ended
        yield GaugeMetricFamily(
            "cardroom_pictures_waiting", "Pictures that wait to be drawn", value=pictures.waiting_count
        )
        yield _histogram(
            "cardroom_picture_seconds", "From when a picture was asked for until it was drawn", measures.seconds
        )
        yield CounterMetricFamily(
            "cardroom_picture_worker_starts", "Starts of the drawing process", value=measures.worker_starts
        )

    def _statistics(self) -> Iterator[Metric]:
        statistics = self._dealer.statistics
        measures = statistics.measures
        yield CounterMetricFamily("cardroom_statistics_hands", "Hands that were counted", value=measures.hands)
        yield CounterMetricFamily(
            "cardroom_statistics_failures", "Times that hands could not be counted", value=measures.failures
        )
        yield GaugeMetricFamily(
            "cardroom_statistics_hands_waiting",
            "Hands that have ended and are not counted yet; at a start one for all",
            value=statistics.waiting_count,
        )
        yield GaugeMetricFamily(
            "cardroom_statistics_behind_seconds",
            "Since all hands were counted, if some are not",
            value=statistics.behind_seconds,
        )
        yield GaugeMetricFamily(
            "cardroom_statistics_rebuilding",
            "1 while every hand is counted again",
            value=float(statistics.is_being_rebuilt),
        )
        rebuilds = CounterMetricFamily(
            "cardroom_statistics_rebuilds", "Times that every hand was counted again, by how that ended", labels=["end"]
        )
        rebuilds.add_metric(["done"], measures.rebuilds)
        rebuilds.add_metric(["failed"], measures.failed_rebuilds)
        yield rebuilds

    def _luck(self) -> Iterator[Metric]:
        luck = self._dealer.parts.get(LuckTeller)
        ended = CounterMetricFamily(
            "cardroom_luck_hands", "All-in hands whose luck was due, by how that ended", labels=["end"]
        )
        for end in ("told", "failed"):
            ended.add_metric([end], getattr(luck.measures, end))
        yield ended
        yield GaugeMetricFamily(
            "cardroom_luck_hands_waiting",
            "All-in hands whose luck is due; of many no more than 20 are known",
            value=luck.waiting_count,
        )
        yield _histogram(
            "cardroom_luck_seconds",
            "From when a hand was sent to the process until it had answered",
            luck.measures.seconds,
        )
        yield CounterMetricFamily(
            "cardroom_luck_worker_starts",
            "Starts of the process that tells luck",
            value=luck.measures.worker_starts,
        )

    def _backups(self) -> Iterator[Metric]:
        backups = self._dealer.parts.get(Backups)
        now = time.time()
        if backups.newest_at:
            yield GaugeMetricFamily(
                "cardroom_backup_age_seconds", "Age of the newest backup", value=now - backups.newest_at / 1000
            )
        if backups.drill is not None:
            yield GaugeMetricFamily(
                "cardroom_drill_age_seconds", "Since the last restore drill", value=now - backups.drill.at / 1000
            )
            yield GaugeMetricFamily(
                "cardroom_drill_problems", "What it found wrong: must be 0", value=len(backups.drill.problems)
            )


def _histogram(name: str, help_text: str, values: Distribution) -> Metric:
    buckets: list[tuple[str, float]] = []
    count = 0
    for bound, found in zip((*values.bounds, math.inf), values.counts, strict=True):
        count += found
        buckets.append(("+Inf" if bound == math.inf else str(bound), count))
    return HistogramMetricFamily(name, help_text, buckets=buckets, sum_value=values.total)

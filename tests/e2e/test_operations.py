"""Whoever runs the dealer sees how it is: in figures, in lines of the log that belong together, and in how it ends."""

from __future__ import annotations

import asyncio
import io
import json
import logging
import os
import re
import signal
import sqlite3
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families

from bot.backups import Backups
from bot.dealer import STAGES
from bot.line.failures import OutcomeUnknown
from bot.log import LineFormatter
from bot.measures import RequestMeasures
from bot.operation.health import LoopWatchdog, ask_health
from bot.operation.metrics import DealerFigures
from bot.runtime.request import Request
from bot.runtime.store_errors import StoreFailed
from bot.runtime.store_types import Commit, Receipt
from bot.stopping import STOP_SECONDS
from bot.table.commands import TakeSeat
from tests.e2e.bot_session import bot_session, logged_in_bot
from tests.e2e.local_process import ROOT
from tests.e2e.movable_clock import MovableClock
from tests.runtime.evening import settings
from tests.support.discord_double import discord_double

TABLES = 1_000
ENDLESS = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"


@contextmanager
def lines_written() -> Iterator[list[str]]:
    """Return the lines that are logged inside the block."""
    stream, lines = io.StringIO(), list[str]()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(LineFormatter())
    logging.getLogger().addHandler(handler)
    try:
        yield lines
    finally:
        logging.getLogger().removeHandler(handler)
        lines += stream.getvalue().splitlines()


async def test_operator_sees_an_evening_in_figures_and_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ann and Bo play. The disk is full for a moment: each line of the log that follows says whose click it was."""
    requests = RequestMeasures()
    async with bot_session(tmp_path, count_response=requests.count) as room:
        dealer = room.dealer
        ann, bo = await room.people("Ann", "Bo")
        await room.open_and_sit(ann, bo)
        await room.next_hand()
        assert dealer.conditions() == {"discord": True, "store": True, "tables": True}

        async def no_space(_: Commit) -> Receipt:
            raise StoreFailed(reason="could not save: the disk is full")

        with lines_written() as lines, monkeypatch.context() as disk:
            disk.setattr(dealer.store, "commit", no_space)
            await asyncio.gather(
                room.act("Call", ann, bo), ann.slash("seat", what="sit out"), bo.slash("seat", what="sit out")
            )
        failed = [line for line in lines if "table_request_failed" in line]
        ids = {re.findall(r"interaction=(\d+)", line)[0] for line in failed}
        assert len(failed) == len(ids) == 3, "each of the three has an id of its own, though one task did all of them"
        await room.act("Call", ann, bo)

        async def no_answer(*_: object, **__: object) -> None:
            raise OutcomeUnknown("the connection was lost")

        with lines_written() as lines, monkeypatch.context() as network:
            network.setattr(dealer.services.discord_api.by_token, "edit", no_answer)
            for _ in range(2):
                player = room.to_act(ann, bo)
                assert player is not None
                await player.slash("check")  # answered in private: the table is redrawn beside it
                await dealer.services.display.wait_until_idle()
                room.clock.skip(3)
                await dealer.services.display.wait_until_idle()
        tried = [re.findall(r"interaction=(\d+)", line) for line in lines if "message_tried_later" in line]
        lost = list({tuple(ids): ids for ids in tried if ids}.values())
        assert len(lost) == 2 and lost[0] and lost[1] and lost[0] != lost[1], (
            "a redraw names who was the last to cause it"
        )

        await dealer.statistics.games(0)  # what there was at the start has been counted
        text, _ = await DealerFigures(dealer, LoopWatchdog(), requests).read()
        figures = {
            (sample.name, *sample.labels.values()): sample.value
            for family in text_string_to_metric_families(text.decode())
            for sample in family.samples
        }
        assert figures["cardroom_tables_open",] == figures["cardroom_hands_running",] == 1
        assert figures["cardroom_ledger_sum",] == figures["cardroom_audit_faults_total",] == 0
        assert figures["cardroom_interactions_total", "taken"] == figures["cardroom_interaction_seconds_count",] == 9
        assert figures["cardroom_interactions_total", "late"] == figures["cardroom_interaction_faults_total",] == 0
        assert 9 <= figures["cardroom_commit_seconds_count",] <= figures["cardroom_batch_commits_sum",]
        assert figures["cardroom_requests_waiting", "redraw"] == figures["cardroom_discord_rate_limited_total",] == 0
        assert figures["cardroom_discord_responses_total", "2xx"] >= 8
        assert figures["cardroom_shard_connected", "0"] == 1
        assert figures["cardroom_statistics_hands_total",] == figures["cardroom_statistics_failures_total",] == 0
        assert (
            figures["cardroom_statistics_rebuilding",] == figures["cardroom_statistics_rebuilds_total", "failed"] == 0
        )
        assert figures["cardroom_statistics_hands_waiting",] == figures["cardroom_statistics_behind_seconds",] == 0
        assert figures["cardroom_luck_hands_total", "failed"] == figures["cardroom_luck_hands_waiting",] == 0
        people = [*room.discord.stand_in.world.people, *room.discord.stand_in.world.guilds]
        assert people and not [one for one in people if one.encode() in text], "no figure is about a person or a server"
    assert dealer.conditions() == {"discord": False, "store": False, "tables": False}


@pytest.mark.real_time
async def test_it_stops_in_time_although_discord_never_answers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The dealer logs in and hears nothing. Asked about its health it says so, and it ends when it is told to."""
    asked = asyncio.Event()

    async def silent(reader: asyncio.StreamReader, _writer: asyncio.StreamWriter) -> None:
        asked.set()
        await reader.read()

    async def health(port: int, *, ready: bool) -> tuple[int, str]:
        monkeypatch.setenv("CARDROOM_METRICS", f"127.0.0.1:{port}")
        code = await asyncio.to_thread(ask_health, ready=ready)
        return code, "".join(capsys.readouterr()).strip()

    server = await asyncio.start_server(silent, "127.0.0.1", 0)
    nowhere = f"127.0.0.1:{server.sockets[0].getsockname()[1]}"
    environment = os.environ | {
        "CARDROOM_DATA": str(tmp_path), "DISCORD_TOKEN": "some.made.token", "CARDROOM_LOG_FORMAT": "json",
        "CARDROOM_REST": f"http://{nowhere}", "CARDROOM_GATEWAY": f"ws://{nowhere}", "CARDROOM_CDN": f"http://{nowhere}",
        "CARDROOM_METRICS": "127.0.0.1:0",
    }  # fmt: skip
    dealer = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "bot", env=environment, cwd=ROOT, stderr=asyncio.subprocess.PIPE
    )
    assert dealer.stderr is not None
    try:
        await asyncio.wait_for(asked.wait(), 60)
        lines = [json.loads(await dealer.stderr.readline()) for _ in range(2)]
        assert lines[1]["message"] == "metrics_served"
        port = lines[1]["port"]
        assert await health(port, ready=False) == (0, '{"loop":true}')
        assert await health(port, ready=True) == (1, '{"discord":false,"store":true,"tables":false}')
        dealer.send_signal(signal.SIGTERM)
        said = (await asyncio.wait_for(dealer.communicate(), 10))[1]
        assert dealer.returncode == 0
        stages = [line["stage"] for raw in said.splitlines() if "stage" in (line := json.loads(raw))]
        assert stages == [stage for stage in STAGES if stage not in ("start", "connection")]
        code, words = await health(port, ready=False)
        assert code == 1 and words.endswith("Look at the dealer's log, and start it if it does not run.")
    finally:
        if dealer.returncode is None:
            dealer.kill()
        server.close()


@pytest.mark.full
@pytest.mark.real_time
async def test_a_thousand_tables_stop_in_time_whatever_hangs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Discord answers nothing any more, its queue is full, a backup hangs, somebody asks for the world; then the dealer is told to stop."""
    copying, let_go = threading.Event(), threading.Event()

    def copy_for_ever(*_: object) -> None:
        copying.set()
        let_go.wait(60)

    async def no_answer(*_: object, **__: object) -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr("bot.backups.copy_data", copy_for_ever)
    clock = MovableClock()
    async with (
        discord_double(tmp_path / "discord") as discord,
        logged_in_bot(discord, tmp_path / "data", clock, backups=3) as dealer,
    ):
        monkeypatch.setattr(dealer.client.http, "request", no_answer)
        for number in range(TABLES):
            where = {"guild": 5_000 + number, "channel": 50_000 + number}
            ann, bo = 100_000 + 2 * number, 100_001 + 2 * number
            await dealer.tables.open(Request(key=f"open{number}", user=ann, name="Ann", **where), settings())
            for user, name in ((ann, "Ann"), (bo, "Bo")):
                sit = Request(key=f"sit{user}", user=user, name=name, **where)
                await dealer.tables.ask(sit, TakeSeat(user, name, 5_000))
        for _ in range(2):  # they are asked for, and dealt a moment later
            clock.skip(20)
            await dealer.tables.wait_until_idle()
        open_tables, hands, _ = dealer.tables.counts()
        assert open_tables == TABLES and hands > TABLES // 2
        dealer.parts.get(Backups)._start()
        await asyncio.to_thread(copying.wait, 20)
        reading = asyncio.ensure_future(dealer.store._read(lambda db: db.execute(ENDLESS).fetchone()))
        assert sum(dealer.services.discord_api.slots.waiting_by_kind().values()) > TABLES // 2, "the queue is full"
        with lines_written() as lines:
            assert not await asyncio.wait_for(dealer.stop_playing(), STOP_SECONDS)
        late = [line.rsplit("stage=", 1)[1].split()[0] for line in lines if "stop_stage_late" in line]
        assert "backups" in late and "store" not in late, lines
        with pytest.raises(sqlite3.OperationalError, match="interrupted"):
            await reading
        let_go.set()

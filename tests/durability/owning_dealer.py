"""A dealer of `takeovers`: it waits until it owns a schema, plays on at its tables, and says what it has had acknowledged.

    python -m tests.durability.owning_dealer ADDRESS SCHEMA FOLDER LEASE TABLES EVERY FENCED

Its lines: ``O epoch`` when it owns the schema, ``A key`` for an action and ``K epoch number`` for a kept value that were saved, ``F text``
for what must not be.
"""

from __future__ import annotations

import asyncio
import itertools
import os
import sys
import time
from pathlib import Path

from bot.engine.events import ActionOn, BettingRoundClosed, Called
from bot.engine.units import SeatIndex
from bot.ledger.accounts import Transfer, TransferReason, mint_account, pot_account, seat_account, wallet_account
from bot.runtime.store_errors import StoreFailed, StoreInUse
from bot.runtime.store_types import Cause, Commit, NewTable
from bot.store.codec import EventCodec
from bot.store.postgres import database, engine, ownership
from bot.store.store import Store

FIRST_GUILD = 1_000
KEPT = "takeovers.last"
PLAYERS = 6
AGAIN_SECONDS = 0.05


def say(line: str) -> None:
    os.write(1, f"{line}\n".encode())


def take_fences_down() -> None:
    """Let a former owner neither end nor be refused: what a test must notice."""
    database._FENCE = b"SELECT CAST(%s AS BIGINT)"
    ownership.Ownership._end = lambda *_: None  # type: ignore[method-assign]

    def connect_writer(of: engine.PostgresEngine) -> object:
        name = ownership.writer_name(of._schema, of._ownership.epoch)
        return engine.connect(of._address, of._schema, name, idle_ms=engine.WRITER_IDLE_MS)

    engine.PostgresEngine._connect_writer = connect_writer  # type: ignore[assignment,method-assign]


async def own(address: str, schema: str, folder: Path, lease: float) -> tuple[Store, int]:
    """Return the open store and its epoch, as soon as no other process owns it."""
    while True:
        data = engine.PostgresEngine(address, schema, folder, lease=lease)
        store = Store(data, EventCodec(ActionOn | Called | BettingRoundClosed))
        try:
            await store.open()
        except (StoreInUse, StoreFailed):
            await asyncio.sleep(AGAIN_SECONDS)
        else:
            return store, data._ownership.epoch


async def saved(store: Store, commit: Commit) -> tuple[int, int]:
    """Save, as often as it takes: a player presses once more. Returns the table and its next event number."""
    while True:
        try:
            receipt = await store.commit(commit)
        except StoreFailed:
            await asyncio.sleep(AGAIN_SECONDS)
        except Exception as error:
            say(f"F {commit.cause.key}: {error!r}")
            raise
        else:
            return receipt.table, receipt.seq


async def play(address: str, schema: str, folder: Path, lease: float, tables: int, every: float) -> None:
    store, epoch = await own(address, schema, folder, lease)
    say(f"O {epoch}")

    def cause(key: str) -> Cause:
        return Cause(key, epoch, int(time.time() * 1000), "call")

    async def opened(guild: int) -> tuple[int, int]:
        return await saved(store, Commit(guild=guild, cause=cause(f"open {guild}"), new_table=NewTable(guild, b"{}")))

    async def seated(guild: int) -> tuple[int, int, int]:
        """Return a table where everybody sits. What a killed dealer has done of that is not done again."""
        table, seq = known.get(guild) or await opened(guild)
        if seq == 1:
            moved = [
                transfer
                for user in range(1, PLAYERS + 1)
                for transfer in (
                    Transfer(mint_account(), wallet_account(user), 10**9, TransferReason.GRANT),
                    Transfer(wallet_account(user), seat_account(table, user), 10**9, TransferReason.BUY_IN),
                )
            ]
            sit = Commit(guild=guild, cause=cause(f"sit {guild}"), table=table, seq=1, transfers=tuple(moved))
            await saved(store, sit)
        return guild, table, seq

    async def act(guild: int, table: int, seq: int) -> None:
        await asyncio.sleep(every * (guild - FIRST_GUILD) / tables)
        for turn in itertools.count():
            user, key = turn % PLAYERS, f"{epoch}.{table}.{turn}"
            _, seq = await saved(
                store,
                Commit(
                    guild=guild,
                    cause=cause(key),
                    table=table,
                    seq=seq,
                    events=(
                        Called(SeatIndex(user), 100),
                        BettingRoundClosed(),
                        ActionOn(SeatIndex((user + 1) % PLAYERS)),
                    ),
                    transfers=(Transfer(seat_account(table, user + 1), pot_account(table), 100, TransferReason.BET),),
                ),
            )
            say(f"A {key}")
            await asyncio.sleep(every)

    async def keep() -> None:
        for number in itertools.count():
            try:
                await store.keep(KEPT, b"%d %d" % (epoch, number))
            except StoreFailed:
                await asyncio.sleep(AGAIN_SECONDS)
            else:
                say(f"K {epoch} {number}")
            await asyncio.sleep(every / 10)

    known = {one.record.guild: (one.record.id, one.seq) for one in await store.open_tables()}
    seats = await asyncio.gather(*[seated(guild) for guild in range(FIRST_GUILD, FIRST_GUILD + tables)])
    await asyncio.gather(keep(), *[act(*seat) for seat in seats])


def main(address: str, schema: str, folder: str, lease: str, tables: str, every: str, fenced: str) -> None:
    if fenced != "yes":
        take_fences_down()
    asyncio.run(play(address, schema, Path(folder), float(lease), int(tables), float(every)))


if __name__ == "__main__":
    main(*sys.argv[1:])

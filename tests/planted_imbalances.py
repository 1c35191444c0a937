"""Plant imbalances where assertions are removed, and print who refuses each: ``python -O -m tests.planted_imbalances FOLDER``."""

from __future__ import annotations

import asyncio
import sqlite3
import sys
from collections.abc import Callable
from pathlib import Path
from unittest import mock

from bot.engine.commands import HandCommand
from bot.engine.decide import decide_and_evolve
from bot.engine.events import HandEvent
from bot.engine.hand import Hand
from bot.engine.units import SeatIndex, SeatNumber
from bot.ledger.accounts import Transfer, TransferReason, pot_account, seat_account, wallet_account
from bot.render.hand.running_hand import running_hand_panel
from bot.render.hand.scene import Scene
from bot.runtime import transaction
from bot.runtime.store_types import Cause, Commit
from bot.table.finish_hand import finish_hand
from tests.runtime.evening import GUILD, USERS, Evening


def refusal(plant: Callable[[], object]) -> str:
    """Return the name of the error that refuses what is planted."""
    try:
        plant()
    except Exception as error:
        return type(error).__name__
    return "nothing"


def mint_in_the_hand(hand: Hand, seat: SeatIndex, command: HandCommand) -> tuple[list[HandEvent], Hand]:
    """Rule on a command, and slip the first player 500 chips."""
    events, after = decide_and_evolve(hand, seat, command)
    after = after.copy()
    after.stacks = [after.stacks[0] + 500, *after.stacks[1:]]
    return list(events), after


async def plant_all(folder: Path) -> None:
    """Deal a hand on the real store, and plant everything into it."""
    evening = await Evening(folder).begin()
    try:
        await plant_at(evening)
    finally:
        await evening.end()


async def plant_at(evening: Evening) -> None:
    await evening.open()
    await evening.seat(Ann=10_000, Bo=10_000)
    await evening.deal()
    user, table = USERS[evening.to_act], evening.table
    own = Scene(table, 1, 1, evening.view(evening.to_act), {})

    async def saved(commit: Commit) -> str:
        try:
            await evening.store.commit(commit)
        except Exception as error:
            return type(error).__name__
        return "nothing"

    with mock.patch.object(transaction, "decide_and_evolve", mint_in_the_hand):
        made = await told_by(evening)
    print(f"chips out of nothing in a hand: {made}, books {await faults(evening)}")

    table_state = evening.session.state.table
    stacks = {SeatNumber(1): 10_000, SeatNumber(2): 10_000, SeatNumber(3): 500}
    print(f"a stack for a seat that was not dealt in: {refusal(lambda: finish_hand(table_state, stacks, 0, {}))}")

    seat = seat_account(table, user)
    bet = Transfer(seat, pot_account(table), 1_000_000, TransferReason.BET)
    at, seq = evening.clock.now(), evening.session.state.seq
    too_much = Commit(guild=GUILD, cause=Cause("much", 0, at, "bet"), table=table, seq=seq, transfers=(bet,))
    print(f"more chips than an account holds: {await saved(too_much)}")

    paid = Transfer(seat, wallet_account(user), 1, TransferReason.CASH_OUT)
    closes = Commit(
        guild=GUILD, cause=Cause("close", 0, at, "close"), table=table, seq=seq, transfers=(paid,), closes=True
    )
    print(f"a table that closes with chips on it: {await saved(closes)}, books {await faults(evening)}")

    def below_zero() -> None:
        with sqlite3.connect(evening.path) as db:
            db.execute("UPDATE balance SET chips = -1 WHERE kind = ?", (int(seat.kind),))

    print(f"a balance below zero: {refusal(below_zero)}")
    print(f"own cards in a public message: {refusal(lambda: running_hand_panel(own))}")


async def told_by(evening: Evening) -> str:
    """Let the player to act call; return the name of the error."""
    try:
        await evening.next_player_acts("calls")
    except Exception as error:
        return type(error).__name__
    return "nothing"


async def faults(evening: Evening) -> list[str]:
    """What is wrong in the books."""
    audit = await evening.bank.audit(evening.request("Ida", staff=True))
    return [str(fault) for fault in audit.faults]


if __name__ == "__main__":
    if __debug__:
        raise SystemExit("assertions are not removed: run it with python -O")
    asyncio.run(plant_all(Path(sys.argv[1])))

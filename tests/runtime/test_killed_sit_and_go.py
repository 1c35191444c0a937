"""The dealer is killed at every store call of a sit-and-go, before and after the save: it ends as if nothing had happened."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import cast

import pytest
from msgspec.structs import replace

from bot.engine import commands as c
from bot.engine.decide import legal
from bot.engine.timeout import default_action
from bot.events.sit_and_go import commands as sc
from bot.events.sit_and_go.state import SitAndGo, SitAndGoSettings
from bot.events.sit_and_go.structures import Level, LevelLength, Speed, Structure
from bot.runtime.journal import JournalEvent
from bot.store.codec import EventCodec
from bot.store.store import Store
from tests.runtime.evening import USERS, settings
from tests.runtime.failing_stores import DyingStore
from tests.runtime.sit_and_go_evening import SitAndGoEvening
from tests.support.engines import data_at

PLAYERS = ("Ann", "Bo", "Cy")
RISES_AT_ONCE = Structure(400, tuple(Level(20 * (at + 1), 20) for at in range(8)), 1, LevelLength.HANDS)
End = tuple[SitAndGo, dict[str, int]]


class KilledSitAndGo:
    """Three people play three hands or a few more; who acts decides by the numbers of hand and decision alone.

    Attributes:
        calls_of_answers: the store calls that save an answer to the question for a rebuy.
        calls_of_hands: the store calls before the first decision of each hand.
    """

    wanted = SitAndGoSettings(speed=Speed.HYPER, structure=RISES_AT_ONCE, seats=3, buy_in=301)
    entering = players = PLAYERS

    def __init__(self, folder: Path, dies_at: int, *, saved: bool) -> None:
        self.stores: list[DyingStore] = []
        self.dies_at, self.saved = dies_at, saved
        self.evening = SitAndGoEvening(folder, store=self._store, seed=5)
        self.deaths = 0
        self.calls_of_answers: list[int] = []
        self.calls_of_hands: dict[int, int] = {}

    def _store(self, path: Path) -> Store:
        dies_at = 0 if self.stores else self.dies_at
        self.stores.append(DyingStore(Store(data_at(path), EventCodec(JournalEvent)), dies_at, saved=self.saved))
        return cast(Store, self.stores[-1])

    async def run(self) -> End:
        evening = self.evening
        await evening.begin()
        try:
            await self._survive(
                lambda: evening.tables.open(evening.request("Ann", key="open"), settings(), sit_and_go=self.wanted)
            )
            evening.table = 1
            for name in self.entering:
                command = sc.Enter(USERS[name], name)
                await self._survive(partial(evening.ask, name, command, key=f"enter{name}"))
            while evening.is_open():
                if evening.asked:
                    await self._answer_rebuy(evening.asked[0])
                    continue
                if not evening.to_act:
                    await self._survive(lambda: evening.wait(7))
                    continue
                self.calls_of_hands.setdefault(evening.snapshot.hand_number, self.stores[0].commits)
                name, command_of_hand = evening.to_act, self._command()
                key = f"{evening.snapshot.hand_number}.{evening.snapshot.decision_number}"
                await self._survive(partial(evening.ask, name, command_of_hand, key=key))
            await evening.audit()
            return await evening.saved_event(), await evening.nets(*self.players) | await self._counted()
        finally:
            await evening.end()

    async def _counted(self) -> dict[str, int]:
        """Return what else has been counted."""
        return {}

    async def _answer_rebuy(self, name: str) -> None:
        """Two rebuy, the first of them with a new bounty; then everybody says no."""
        event = self.evening.event
        hands, rebuys = event.hands, sum(one.rebuys for one in event.entrants)
        answer = sc.AnswerRebuyOffer(USERS[name], rebuys < 2, not rebuys)
        self.calls_of_answers.append(self.stores[0].commits + 1)
        await self._survive(partial(self.evening.ask, name, answer, key=f"rebuy{hands}{name}"))

    def _command(self) -> c.HandCommand:
        hand = self.evening.session.state.hand
        assert hand is not None
        may = legal(hand, hand.to_act)
        number = self.evening.snapshot.hand_number
        if number > 2 and (number + hand.decision_number) % 2 == 0 and may.max_to:
            return c.AllIn()
        return c.Call() if may.call_chips else c.Check() if may.check else default_action(hand)

    async def _survive(self, step: Callable[[], Awaitable[object]]) -> None:
        """Do a step. If the dealer is killed in it, restart it and ask for the same again, as a user of Discord does."""
        store = self.stores[-1]
        doing, death = asyncio.ensure_future(step()), asyncio.ensure_future(store.dead.wait())
        await asyncio.wait({doing, death}, return_when=asyncio.FIRST_COMPLETED)
        death.cancel()
        if not store.dead.is_set():
            await doing
            return
        self.deaths += 1
        for task in asyncio.all_tasks() - {asyncio.current_task()}:
            if task.get_name() != "store-writer":
                task.cancel()
        await asyncio.sleep(0)
        await self.evening.crash()
        record = await self.evening.store.table(1)
        if record is None or record.is_open:  # else it was played to its end before the dealer died
            await self._survive(step)


class KilledWithRebuys(KilledSitAndGo):
    """The same with bounties, and rebuys until level 8."""

    wanted = replace(KilledSitAndGo.wanted, late_until=8, rebuys=True, bounty=50)


def told(end: End) -> object:
    """Return what must be the same: who came in where, who is paid, and what everybody has. Times are others after a kill."""
    event, nets = end
    ranks = [(one.player, one.seat_number, one.out_in, one.stack, one.wins, one.rebuys) for one in event.entrants]
    return ranks, event.prizes_paid, event.bounties, event.end_reason, event.level, event.hands, nets


async def played(
    folder: Path, dies_at: int, *, saved: bool, kind: type[KilledSitAndGo] = KilledSitAndGo
) -> tuple[KilledSitAndGo, End]:
    folder.mkdir()
    story = kind(folder, dies_at, saved=saved)
    return story, await story.run()


async def kill_at(
    folder: Path, at: list[int], expected: End, *, saved: bool, kind: type[KilledSitAndGo] = KilledSitAndGo
) -> None:
    for call in at:
        story, end = await played(folder / f"{call}", call, saved=saved, kind=kind)
        assert story.deaths == 1
        assert told(end) == told(expected), f"killed at store call {call}"


@pytest.mark.law("SG-1")
@pytest.mark.parametrize("saved", [False, True], ids=["before the save", "after the save"])
async def test_kill_loses_nothing_of_a_sit_and_go(tmp_path: Path, saved: bool) -> None:
    """At its opening, at an entry, at the start, at a hand's end, and at the last one."""
    whole, expected = await played(tmp_path / "whole", 0, saved=False)
    calls = whole.stores[0].commits
    assert calls > 10 and expected[0].hands > 1
    await kill_at(tmp_path, [1, 3, 4, calls // 2, calls], expected, saved=saved)


async def with_rebuys(folder: Path) -> tuple[KilledSitAndGo, End]:
    """The same evening with rebuys and bounties, undisturbed."""
    whole, expected = await played(folder / "whole", 0, saved=False, kind=KilledWithRebuys)
    event = expected[0]
    assert sum(one.rebuys for one in event.entrants) > 0 and len(event.bounties) > 1
    assert sum(chips for _, chips in event.prizes_paid) == event.pool
    assert sum(chips for _, chips in event.bounties) == event.bounty_chips > 150, "one was bought again"
    return whole, expected


@pytest.mark.law("SG-9", "SG-10", "SG-11")
@pytest.mark.parametrize("saved", [False, True], ids=["before the save", "after the save"])
async def test_kill_loses_no_rebuy_and_no_bounty(tmp_path: Path, saved: bool) -> None:
    """At the hand that asks for a rebuy, at the first answer, at the last one, and at the end."""
    whole, expected = await with_rebuys(tmp_path)
    first, last = whole.calls_of_answers[0], whole.calls_of_answers[-1]
    calls = sorted({first - 1, first, last, whole.stores[0].commits})
    await kill_at(tmp_path, calls, expected, saved=saved, kind=KilledWithRebuys)


@pytest.mark.full
@pytest.mark.parametrize("saved", [False, True], ids=["before the save", "after the save"])
async def test_kill_in_the_last_three_hands_loses_nothing(tmp_path: Path, saved: bool) -> None:
    whole, expected = await with_rebuys(tmp_path)
    start, end = whole.calls_of_hands[expected[0].hands - 2], whole.stores[0].commits
    assert whole.calls_of_answers[0] > start, "both rebuys are among them"
    await kill_at(tmp_path, list(range(start, end + 1)), expected, saved=saved, kind=KilledWithRebuys)


@pytest.mark.full
@pytest.mark.parametrize("saved", [False, True], ids=["before the save", "after the save"])
async def test_kill_at_any_store_call_loses_nothing(tmp_path: Path, saved: bool) -> None:
    whole, expected = await played(tmp_path / "whole", 0, saved=False)
    await kill_at(tmp_path, list(range(1, whole.stores[0].commits + 1)), expected, saved=saved)

"""An evening with a sit-and-go: the real engine, table, ledger and store, until somebody has all chips."""

from __future__ import annotations

import random
from typing import Any

from bot.engine import commands as c
from bot.engine.legal import Decision, LegalActions
from bot.engine.timeout import default_action
from bot.events.sit_and_go import commands as sc
from bot.events.sit_and_go.prizes import PrizeTable
from bot.events.sit_and_go.state import SitAndGo, SitAndGoSettings
from bot.events.sit_and_go.structures import LevelLength, Speed, Structure, structure_of
from bot.runtime.errors import TableGone
from bot.table.settings import TableSettings
from tests.runtime.evening import GUILD, USERS, Evening, name_of, settings

GRANT = 10_000


class SitAndGoEvening(Evening):
    """The host is Ann; names are those of an evening."""

    async def open_sit_and_go(
        self,
        seats: int = 3,
        *,
        buy_in: int = 0,
        speed: Speed = Speed.HYPER,
        counted_in: LevelLength = LevelLength.HANDS,
        prizes: PrizeTable = PrizeTable.USUAL,
        structure: Structure | None = None,
        chosen: TableSettings | None = None,
        channel: int = 70,
        **more: Any,
    ) -> int:
        wanted = SitAndGoSettings(
            speed=speed,
            structure=structure or structure_of(speed, counted_in),
            seats=seats,
            buy_in=buy_in,
            prizes=prizes,
            **more,
        )
        asked = self.request("Ann", channel=channel)
        outcome = await self.tables.open(asked, chosen or settings(), sit_and_go=wanted)
        self.table = outcome.snapshot.id
        return self.table

    async def answer(self, name: str, *, rebuys: bool = True, bounty: bool = False, key: str = "") -> None:
        """Answer whether somebody without chips rebuys."""
        await self.ask(name, sc.AnswerRebuyOffer(USERS[name], rebuys, bounty), key=key)

    @property
    def asked(self) -> list[str]:
        """Who has no chips and has not answered whether they rebuy."""
        question = self.event.rebuy_question if self.is_open() else None
        return [name_of(user) for user in question.waiting] if question is not None else []

    async def all_in(self) -> None:
        """Everybody goes all-in, to the end of the hand."""
        while self.is_open() and self.playing():
            await self.next_player_acts("is all-in")

    async def enter(self, *names: str) -> None:
        for name in names:
            await self.ask(name, sc.Enter(USERS[name], name))

    @property
    def event(self) -> SitAndGo:
        event = self.snapshot.sit_and_go
        assert event is not None, "no sit-and-go is played here"
        return event

    def is_open(self) -> bool:
        try:
            return self.snapshot is not None
        except TableGone:
            return False

    async def saved_event(self, table: int = 0) -> SitAndGo:
        """Return the sit-and-go as its journal tells it, also once it is over."""
        from bot.runtime.sit_and_go import read_sit_and_go

        read = read_sit_and_go(await self.store.occasion_at(table or self.table))
        assert read is not None
        return read.event

    async def play_on(self, rng: random.Random, *, absent: frozenset[str] = frozenset(), steps: int = 10_000) -> int:
        """Play at random until it is over, or for so many steps; who is absent does nothing. Returns the steps."""
        for step in range(steps):
            if not self.is_open():
                return step
            snapshot = self.snapshot
            turn = snapshot.current_turn
            name = self.to_act
            if self.asked and rng.random() < 0.8:
                await self.answer(self.asked[0], rebuys=rng.random() < 0.7, bounty=rng.random() < 0.5)
                continue
            if turn is None or turn.user < 0 or name in absent:
                await self.wait(35 if turn is not None else 5)
                continue
            hand = self.session.state.hand
            assert hand is not None
            from bot.engine.decide import legal

            seat = hand.to_act
            await self.ask(name, random_command(rng, legal(hand, seat)) or default_action(hand))
        return steps

    async def nets(self, *names: str) -> dict[str, int]:
        """Return what everybody's wallet holds beyond the opening grant."""
        return {name: (await self.bank.holdings(GUILD, USERS[name])).wallet - GRANT for name in names}


def random_command(rng: random.Random, actions: LegalActions) -> c.HandCommand | None:
    """Return something lawful at a bet, all-in often enough that a tournament ends; None at other decisions."""
    if actions.decision is not Decision.BET:
        return None
    choices: list[c.HandCommand] = []
    if actions.check:
        choices += [c.Check()] * 3
    if actions.fold and not actions.check:
        choices.append(c.Fold())
    if actions.call_chips:
        choices += [c.Call()] * 2
    if actions.max_to:
        choices += [c.RaiseTo(actions.max_to) if actions.current_bet else c.Bet(actions.max_to)]
    return rng.choice(choices) if choices else None


__all__ = ["GUILD", "USERS", "SitAndGoEvening", "name_of"]

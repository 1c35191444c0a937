"""An evening with a duel: Ann challenges Bo at a real table."""

from __future__ import annotations

from bot.events.sit_and_go import commands as sc
from bot.events.sit_and_go.duel import duel_settings
from bot.events.sit_and_go.state import Duellist, SitAndGoSettings
from bot.events.sit_and_go.structures import LevelLength, Speed
from bot.table.settings import TableSettings
from tests.runtime.evening import USERS, settings
from tests.runtime.sit_and_go_evening import SitAndGoEvening

ANN, BO = USERS["Ann"], USERS["Bo"]


def wanted(
    *, buy_in: int = 0, best_of: int = 1, speed: Speed = Speed.HYPER, opponent: int = BO, name: str = "Bo"
) -> SitAndGoSettings:
    """What Ann challenges Bo to."""
    ann, other = Duellist(ANN, "Ann"), Duellist(opponent, name)
    return duel_settings(ann, other, buy_in=buy_in, best_of=best_of, speed=speed, counted_in=LevelLength.HANDS)


class DuelEvening(SitAndGoEvening):
    """The challenger is Ann."""

    async def challenge(self, duel: SitAndGoSettings, *, chosen: TableSettings | None = None, channel: int = 70) -> int:
        asked = self.request("Ann", channel=channel)
        outcome = await self.tables.open(asked, chosen or settings(), sit_and_go=duel)
        self.table = outcome.snapshot.id
        return self.table

    async def accept(self, name: str = "Bo") -> None:
        await self.ask(name, sc.Enter(USERS[name], name))

"""A sit-and-go told by names: who enters, how hands end, and who comes in where."""

from __future__ import annotations

from typing import Any

from bot.events.sit_and_go import commands as c
from bot.events.sit_and_go.decide import decide
from bot.events.sit_and_go.events import SitAndGoEvent
from bot.events.sit_and_go.evolve import evolve_all
from bot.events.sit_and_go.finishes import finishes
from bot.events.sit_and_go.prizes import PrizeTable
from bot.events.sit_and_go.state import SitAndGo, SitAndGoSettings
from bot.events.sit_and_go.structures import LevelLength, Speed, Structure, structure_of

NAMES = ("Ann", "Bo", "Cy", "Dee", "Eli", "Fay", "Gus", "Hal", "Ivy", "Jon")
ID = {name: at for at, name in enumerate(NAMES, 1)}
NAME = {at: name for name, at in ID.items()}
MINUTE = 60_000
NOON = 1_700_000_000_000


class Told:
    """A sit-and-go, minute by minute. `now` is moved by hand; the host is Ann."""

    def __init__(
        self,
        seats: int = 3,
        *,
        buy_in: int = 0,
        speed: Speed = Speed.TURBO,
        counted_in: LevelLength = LevelLength.MINUTES,
        prizes: PrizeTable = PrizeTable.USUAL,
        structure: Structure | None = None,
        **more: Any,
    ) -> None:
        self.now = NOON
        settings = SitAndGoSettings(
            speed=speed,
            structure=structure or structure_of(speed, counted_in),
            seats=seats,
            buy_in=buy_in,
            prizes=prizes,
            **more,
        )
        self._open(settings)

    @classmethod
    def of(cls, settings: SitAndGoSettings) -> Told:
        """Return one with settings of its own, as those of a duel."""
        told = cls.__new__(cls)
        told.now = NOON
        told._open(settings)
        return told

    def _open(self, settings: SitAndGoSettings) -> None:
        self.events: list[SitAndGoEvent] = []
        self.event: SitAndGo = self._ask(None, c.OpenSitAndGo(ID["Ann"], settings))

    def _ask(self, before: SitAndGo | None, command: c.SitAndGoCommand) -> SitAndGo:
        found = decide(before, command, self.now)
        self.events += found
        after = evolve_all(before, found)
        assert after == evolve_all(None, self.events), "a replay gives the same sit-and-go"
        return after

    def do(self, command: c.SitAndGoCommand) -> SitAndGo:
        self.event = self._ask(self.event, command)
        return self.event

    def enter(self, *names: str) -> None:
        for name in names:
            self.do(c.Enter(ID[name], name))

    def start(self, *names: str) -> None:
        """Enter and start; everybody sits in the order of their names."""
        self.enter(*names)
        self.do(c.StartSitAndGo(0, tuple(range(1, 11))))

    def start_duel(self, name: str) -> None:
        """Who was challenged accepts, and it starts."""
        self.do(c.Enter(ID[name], name))
        self.do(c.StartSitAndGo(0, (1, 2)))

    def hand(
        self, own_will: bool = True, minutes: float = 0, won: dict[str, str] | None = None, **stacks: tuple[int, int]
    ) -> None:
        """Play a hand: who had how much before it, and after it. `won`: by who is put out, who wins their last chip: ``Ann Bo``."""
        self.do(c.BeginHand())
        self.now += int(minutes * MINUTE)
        found = tuple((ID[name], before, after) for name, (before, after) in stacks.items())
        out = tuple((ID[name], tuple(ID[one] for one in winners.split())) for name, winners in (won or {}).items())
        self.do(c.CountHand(found, own_will, out))

    def answer(self, name: str, *, rebuys: bool = True, bounty: bool = False) -> None:
        """Answer whether somebody without chips rebuys."""
        self.do(c.AnswerRebuyOffer(ID[name], rebuys, bounty))

    @property
    def ranks(self) -> dict[str, int]:
        return {NAME[one.entrant.player]: one.rank for one in finishes(self.event)}

    @property
    def paid(self) -> dict[str, int]:
        return {NAME[player]: chips for player, chips in self.event.prizes_paid}

    @property
    def bounties(self) -> dict[str, int]:
        return {NAME[player]: chips for player, chips in self.event.bounties}

    @property
    def asked(self) -> list[str]:
        """Who has not answered whether they rebuy."""
        question = self.event.rebuy_question
        return [NAME[player] for player in question.waiting] if question is not None else []

"""A series of game nights, told by its dates: people answer, time passes, the dealer does what is due."""

from __future__ import annotations

from typing import TypeVar

import pytest

from bot.engine.errors import TableError
from bot.engine.options.types import Options
from bot.events.nights import commands as c
from bot.events.nights import events as e
from bot.events.nights.decide import decide
from bot.events.nights.due import NightWork, next_due_at, work_due
from bot.events.nights.evolve import evolve_all
from bot.events.nights.schedule import Recurrence, Schedule, local_time, moment
from bot.events.nights.standings import standings
from bot.events.nights.state import Night, NightAnswer, NightLineKind, NightScore, NightSeries, NightTerms
from tests.table.evening import player_id, settings

Refusal = TypeVar("Refusal", bound=TableError)
BERLIN = "Europe/Berlin"
TABLE = 7


class Diary:
    """One series, and the time. Everything goes through `decide` and `evolve`.

    Args:
        first: its first date, and `written`: when it is planned, both by the clock of its zone.
    """

    def __init__(
        self,
        first: str = "2026-12-04T20:00",
        recurrence: Recurrence = Recurrence.WEEKLY,
        *,
        written: str = "2026-12-01T12:00",
        zone: str = BERLIN,
        host: str = "Ada",
        seats: int = 3,
        **terms: int,
    ) -> None:
        self.zone, self.now = zone, moment(zone, written)
        self.journal: list[e.NightEvent] = []
        self.state: NightSeries | None = None
        self.terms = NightTerms("Friday game", settings(Options(max_seats=seats)), **terms)
        self.ask(c.PlanSeries(player_id(host), host, 5, self.terms, Schedule(zone, first, recurrence)))
        self.until(written)

    @property
    def series(self) -> NightSeries:
        assert self.state is not None
        return self.state

    @property
    def night(self) -> Night:
        assert self.series.night is not None
        return self.series.night

    @property
    def starts(self) -> str:
        """When the next night begins, by its clock."""
        return local_time(self.zone, self.night.starts_at)

    def ask(self, command: c.NightCommand) -> tuple[e.NightEvent, ...]:
        events = decide(self.state, command, self.now)
        self.journal += events
        if events:
            self.state = evolve_all(self.state, events)
        return events

    def refuses(self, command: c.NightCommand, error: type[Refusal]) -> Refusal:
        before = self.state
        with pytest.raises(error) as refused:
            self.ask(command)
        assert self.state == before
        return refused.value

    def says(self, name: str, answer: NightAnswer = NightAnswer.IN) -> None:
        self.ask(c.AnswerNight(player_id(name), name, self.night.number, answer))

    def until(self, local: str, *, awake: bool = True, people: int = 0) -> None:
        """Let time pass; the dealer does what is due at its minute, unless it is down. `people`: so many are dealt in at each table."""
        end = moment(self.zone, local)
        while awake and self.state is not None and 0 < (due := next_due_at(self.series)) <= end:
            self.now = max(self.now, due)
            if not self._work(people):
                break
        self.now = max(self.now, end)

    def _work(self, people: int) -> bool:
        match work_due(self.series, self.now):
            case None:
                return bool(self.ask(c.NightTick()))
            case NightWork.OPEN_TABLE:
                self.ask(c.NoteTable(TABLE))
                if people:
                    self.ask(c.NoteDealt())
            case NightWork.CALL_BREAK:
                self.ask(c.NoteBreak())
            case NightWork.CANCEL_TABLE:
                self.ask(c.NoteClosed(0, (), 0))
            case NightWork.CLOSE_TABLE:
                self.ask(c.NoteClosed(10, (), people))
        return True

    def closes(self, hands: int = 20, **nets: int) -> None:
        """The table closes after so many hands; `nets`: what each person has won."""
        best_first = sorted(nets.items(), key=lambda one: -one[1])
        scores = tuple([NightScore(player_id(name), name, net, hands) for name, net in best_first])
        self.ask(c.NoteClosed(hands, scores, len(nets)))

    @property
    def told(self) -> list[NightLineKind]:
        """What was told in the channel, in order."""
        return [one.kind for one in self.journal if isinstance(one, e.LineAdded)]

    @property
    def table_of_standings(self) -> list[tuple[int, str, int]]:
        return [(one.rank, one.name, one.total) for one in standings(self.series)]

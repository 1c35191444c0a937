"""What an event leaves to take along: what it was, who came in where, and at which level each of its hands was played.

Everything follows from its journal. Laws: SG-2, SG-9, SG-10.
"""

from __future__ import annotations

from msgspec import Struct

from bot.events.sit_and_go.duel import winner_of
from bot.events.sit_and_go.events import HandCounted, HandVoid, SitAndGoEvent
from bot.events.sit_and_go.evolve import evolve
from bot.events.sit_and_go.finishes import finishes
from bot.events.sit_and_go.state import SitAndGo
from bot.runtime.sit_and_go import DUEL, KIND, read_sit_and_go
from bot.runtime.store_types import OwnEvent, SavedOccasion

EVENT_KINDS = (KIND, DUEL)
"""The kinds of occasions that are events with ranks."""


class HandOfEvent(Struct, frozen=True, gc=False):
    """The event of a hand: its kind and id, what it costs to enter, in server chips, and the level of the hand, from 1."""

    kind: str
    event: int
    buy_in: int
    level: int

    @property
    def phh_fields(self) -> dict[str, object]:
        """By the names that the poker hand history format has for them."""
        return {"event": f"{self.kind} {self.event}", "level": self.level}


class EntrantRecord(Struct, frozen=True, gc=False):
    """Somebody who entered.

    Attributes:
        rank: where they came in, from 1; of several who share their ranks the first of these. 0 while they are in, and where the event
            was cancelled.
        prize: in server chips; 0 for none.
        rebuys: how often they have rebought.
        bounties: what they got for those, their own with it, in server chips.
        wins: matches of a duel that they have won.
    """

    player: int
    name: str
    rank: int = 0
    prize: int = 0
    practice: bool = False
    rebuys: int = 0
    bounties: int = 0
    wins: int = 0


class DuelFacts(Struct, frozen=True, gc=False):
    """What makes an event a duel, by ids of people: who has challenged whom, to how many matches at most, and who has won; 0 for nobody."""

    challenger: int
    opponent: int
    best_of: int
    winner: int


class EventRecord(Struct, frozen=True, kw_only=True):
    """A sit-and-go or a duel. Times are in ms since the epoch, 0 for not yet.

    Attributes:
        kind: `sit-and-go` or `duel`.
        at_table: the id of its table.
        status, end_reason: the words that are stored.
        levels: of its hands, by their number at the table: the first is that of hand 1.
        buy_in: in server chips.
        bounty: what each pays beside it for a bounty, in server chips; 0 for none.
        starting_stack: in chips of the event.
        seats: how many could enter.
        entrants: the best first, then those still in.
        duel: None for a sit-and-go.
    """

    event: int
    kind: str
    at_table: int
    status: str
    end_reason: str
    opened_at: int
    started_at: int
    ended_at: int
    speed: str
    buy_in: int
    bounty: int
    starting_stack: int
    seats: int
    entrants: tuple[EntrantRecord, ...]
    levels: tuple[int, ...]
    duel: DuelFacts | None = None

    def of_hand(self, number: int) -> HandOfEvent | None:
        """Return what a hand of its table is tagged with; None for one that it has not counted yet."""
        if not 0 < number <= len(self.levels):
            return None
        return HandOfEvent(self.kind, self.event, self.buy_in, self.levels[number - 1])

    def own(self, player: int, table: int) -> OwnEvent | None:
        """Return what it is to somebody who entered, or whom a challenge names; else None. `table`: its number in the server."""
        entrant, count = next((one for one in self.entrants if one.player == player), None), len(self.entrants)
        if (duel := self.duel) is not None:
            count = 2
            if entrant is None and player in (duel.challenger, duel.opponent):
                entrant = EntrantRecord(player, "")
        if entrant is None:
            return None
        facts = (self.opened_at, self.ended_at, self.buy_in, count)
        own = (entrant.rank, entrant.prize, entrant.rebuys, entrant.bounties)
        return OwnEvent(self.event, table, self.kind, self.status, *facts, *own)


def event_record(saved: SavedOccasion | None) -> EventRecord | None:
    """Return the record of the event of a table; None where none was played."""
    read = read_sit_and_go(saved)
    if saved is None or read is None:
        return None
    event = read.event
    prizes, bounties = dict(event.prizes_paid), dict(event.bounties)
    ranks = {one.entrant.player: one.rank for one in finishes(event)} if event.started_at else {}
    entrants = [
        EntrantRecord(
            one.player,
            one.name,
            ranks.get(one.player, 0),
            prizes.get(one.player, 0) if one.player in ranks else 0,
            one.practice,
            one.rebuys,
            bounties.get(one.player, 0),
            one.wins,
        )
        for one in event.entrants
    ]
    order = list(ranks)
    entrants.sort(key=lambda one: order.index(one.player) if one.rank else len(order))
    return EventRecord(
        event=saved.record.id,
        kind=saved.record.kind,
        at_table=saved.record.table,
        status=event.status.value,
        end_reason=event.end_reason.value if event.end_reason is not None else "",
        opened_at=event.opened_at,
        started_at=event.started_at,
        ended_at=event.ended_at,
        speed=event.settings.speed.value,
        buy_in=event.settings.buy_in,
        bounty=event.settings.bounty,
        starting_stack=event.settings.structure.starting_stack,
        seats=event.settings.seats,
        entrants=tuple(entrants),
        levels=_levels_of_hands(saved.events),  # type: ignore[arg-type]  # those of its kind
        duel=_duel_facts(event),
    )


def _duel_facts(event: SitAndGo) -> DuelFacts | None:
    duel, won = event.settings.duel, winner_of(event)
    if duel is None:
        return None
    winner = won[0].player if won is not None else 0
    return DuelFacts(duel.challenger.player, duel.opponent.player, duel.best_of, winner)


def _levels_of_hands(events: tuple[SitAndGoEvent, ...]) -> tuple[int, ...]:
    """Return the level of each hand that was played to its end or void, in their order."""
    now: SitAndGo | None = None
    levels: list[int] = []
    for event in events:
        if now is not None and isinstance(event, HandCounted | HandVoid):
            levels.append(now.level)
        now = evolve(now, event)
    return tuple(levels)

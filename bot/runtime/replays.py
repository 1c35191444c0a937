"""Finished hands step by step, as each reader could see them at that moment.

A replay holds the engine's hand at the end of each step, and leaves only as views. The latest ones that were looked at are remembered
for a while: whoever goes through a hand asks for it at every step.
"""

from collections import OrderedDict

from msgspec import Struct
from msgspec.structs import replace

from bot.engine import events as e
from bot.engine.evolve import begin_hand, evolve
from bot.engine.hand import Hand
from bot.engine.units import NO_SEAT, SeatIndex
from bot.engine.view.build import seen_actions, view
from bot.engine.view.file_view import file_view
from bot.engine.view.types import HandView
from bot.history.played_file_hand import NotStepByStep, decode
from bot.history.steps import HandStep, StepKind, StreetStep, hand_steps
from bot.runtime.context import RuntimeContext
from bot.runtime.hand_log import DecodedHand, decoded_hand
from bot.runtime.snapshot import NamedPlayer, TableAddress
from bot.runtime.store_types import SavedHand, TableRecord
from bot.table.events import HandBegan

__all__ = ["EVERYBODY", "HandReplay", "NotStepByStep", "ReplayMoment", "Replays", "replay_of_file"]

REMEMBERED_MAX = 64
REMEMBERED_MS = 120_000
EVERYBODY = 0
"""The user whose view is everybody's."""


class ReplayMoment(Struct, frozen=True):
    """A hand at the end of one step, as one reader could see it then.

    Attributes:
        step, step_count: the step, from 1, and how many there are.
        kind: what the step is.
        seat: the seat index of whoever showed or mucked in it; `NO_SEAT` where that was nobody, or everybody at once.
        view: what the reader could see. `public`: what everybody could see.
        before: what everybody could see at the last step of the street before; None on the first one.
        new_actions: how many of the last actions of `view` belong to this step.
        street: the street that the step belongs to. `streets`: all of them.
    """

    address: TableAddress
    number: int
    started_at: int
    players_by_seat: dict[int, NamedPlayer]
    mixture: str
    step: int
    step_count: int
    kind: StepKind
    seat: SeatIndex
    view: HandView
    public: HandView
    before: HandView | None
    new_actions: int
    street: StreetStep
    streets: tuple[StreetStep, ...]


class HandReplay:
    """A finished hand, to be looked at step by step.

    Attributes:
        address: of the table; `number`: of the hand.
        started_at: in ms since the epoch.
        players_by_seat: everybody dealt in, by seat number.
        private: it was played at a private table.

    Args:
        known: the indices of cards that everybody knows: a file names them. Nothing for hands of ours.
    """

    def __init__(
        self,
        played: DecodedHand,
        address: TableAddress,
        started_at: int = 0,
        *,
        private: bool = False,
        known: frozenset[int] = frozenset(),
    ) -> None:
        self.address, self.number, self.started_at, self.private = address, played.began.number, started_at, private
        self.players_by_seat = played.players_by_seat
        self.mixture = played.began.mixture_name
        self._known = known
        self._steps = hand_steps(played.events)
        self._hands = _hands_at(begin_hand(played.started, played.deck), played.events, self._steps)
        self._streets = _streets(self._steps, self._hands)

    @property
    def step_count(self) -> int:
        return len(self._steps)

    def at(self, step: int, user: int) -> ReplayMoment:
        """Return the hand at the end of a step, as a user could see it then, and `EVERYBODY` as everybody could.

        Args:
            step: from 1; the nearest one is shown instead of one that there is not.
        """
        at = max(1, min(step, len(self._steps))) - 1
        hand, taken = self._hands[at], self._steps[at]
        street = next(one for one in reversed(self._streets) if one.step <= at + 1)
        viewer = self._seat_of(user)
        public = file_view(hand, self._known)
        seen = view(hand, viewer) if viewer is not None else public
        if not taken.asks:  # it is not known yet whose turn comes
            seen, public = _with_nobody_to_act(seen), _with_nobody_to_act(public)
        return ReplayMoment(
            address=self.address,
            number=self.number,
            started_at=self.started_at,
            players_by_seat=self.players_by_seat,
            mixture=self.mixture,
            step=at + 1,
            step_count=len(self._steps),
            kind=taken.kind,
            seat=self._seat_shown(at),
            view=seen,
            public=public,
            before=file_view(self._hands[street.step - 2], self._known) if street.step > 1 else None,
            new_actions=self._new_actions(at),
            street=street,
            streets=self._streets,
        )

    def _seat_of(self, user: int) -> SeatIndex | None:
        if user == EVERYBODY:
            return None
        players = enumerate(self.players_by_seat.values())
        return next((SeatIndex(seat) for seat, player in players if player.user == user), None)

    def _seat_shown(self, at: int) -> SeatIndex:
        event = self._steps[at].event
        if isinstance(event, e.Shown) and at and self._hands[at].all_in_showdown and not self._hands[at - 1].showdown:
            return NO_SEAT
        if isinstance(event, e.Shown | e.CardsShown | e.Mucked | e.OpenersShown):
            return event.seat
        return NO_SEAT

    def _new_actions(self, at: int) -> int:
        """Return how many actions of the street are new at a step."""
        now = seen_actions(self._hands[at]).actions
        before = seen_actions(self._hands[at - 1]).actions if at else ()
        goes_on = len(before) <= len(now) and now[: len(before)] == before
        return len(now) - len(before) if goes_on else len(now)


def _with_nobody_to_act(seen: HandView) -> HandView:
    return replace(seen, to_act=NO_SEAT, legal=None, legal_out_of_turn=None, legal_to_act=None)


def _hands_at(hand: Hand, events: tuple[e.HandEvent, ...], steps: tuple[HandStep, ...]) -> tuple[Hand, ...]:
    """Return the hand at the end of each step."""
    found: list[Hand] = []
    done = 1  # the first event has begun it
    for step in steps:
        for event in events[done : step.end]:
            hand = evolve(hand, event)
        done = max(done, step.end)
        found.append(hand)
    return tuple(found)


def _streets(steps: tuple[HandStep, ...], hands: tuple[Hand, ...]) -> tuple[StreetStep, ...]:
    """Return where each street begins, and the showdown and the result, which are told as streets are."""
    found: list[StreetStep] = []
    for number, (step, hand) in enumerate(zip(steps, hands, strict=True), 1):
        all_in = hand.all_in_showdown and not hand.over
        is_end = step.kind in (StepKind.SHOW, StepKind.RESULT)
        kind = step.kind if is_end else StepKind.DEAL
        street = StreetStep(number, kind, "" if is_end else hand.street, all_in)
        before = found[-1] if found else None
        if before is None or (before.kind, before.street, before.all_in) != (kind, street.street, all_in):
            found.append(street)
    return tuple(found)


def replay_of_file(encoded: bytes, number: int) -> HandReplay:
    """Return the replay of a hand that came from a file. It is at no table, and whoever plays in it is nobody here.

    Args:
        encoded: what `bot.history.played_file_hand.encode` wrote.
        number: of the hand in its file.

    Raises:
        NotStepByStep: it cannot be shown so any more.
    """
    hand = decode(encoded)
    started = hand.events[0]
    assert isinstance(started, e.HandStarted), "a hand begins with HandStarted"
    began = HandBegan(number, 0, started.seat_numbers, started.button_seat_number)
    played = DecodedHand(hand.events, hand.deck, began, tuple((EVERYBODY, name) for name in hand.names), None)
    return HandReplay(played, TableAddress(0, 0, 0, 0), known=hand.known)


class Replays:
    """The latest replays that were looked at, by table and number."""

    def __init__(self, context: RuntimeContext) -> None:
        self._context = context
        self._remembered: OrderedDict[tuple[int, int], tuple[int, SavedHand, HandReplay]] = OrderedDict()

    def remembered(self, record: TableRecord, number: int, now: int) -> HandReplay | None:
        """Return a replay that is remembered and still true: nobody can show cards any more once the next hand has begun."""
        known = self._remembered.get((record.id, number)) if number < record.hand_count else None
        return known[2] if known is not None and now < known[0] + REMEMBERED_MS else None

    def of(self, record: TableRecord, saved: SavedHand, now: int) -> HandReplay:
        """Return the replay of a hand.

        Args:
            saved: the hand as it is saved now: players can still show cards after it.
            now: in ms since the epoch.

        Raises:
            HandUnreadable: the secret that its cards came from is lost.
        """
        key = (saved.table, saved.number)
        known = self._remembered.pop(key, None)
        if known is None or known[0] + REMEMBERED_MS < now or known[1].events != saved.events:
            address = TableAddress(record.id, record.number, record.guild, record.channel)
            played = decoded_hand(self._context, saved, EVERYBODY)
            known = (now, saved, HandReplay(played, address, saved.started_at, private=record.private))
        self._remembered[key] = known
        if len(self._remembered) > REMEMBERED_MAX:
            self._remembered.popitem(last=False)
        return known[2]

    def forget(self, guild: int) -> None:
        """Forget the hands of a server: somebody's name is taken out of them."""
        for key in [key for key, known in self._remembered.items() if known[2].address.guild == guild]:
            del self._remembered[key]

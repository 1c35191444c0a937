"""Read played hands back from the journal: describe them street by street, or write them down to take along."""

from dataclasses import dataclass, field

from msgspec import Struct

from bot.engine import events as e
from bot.engine.evolve import begin_hand, evolve
from bot.engine.hand import Hand
from bot.engine.units import SeatIndex
from bot.engine.view.build import view
from bot.engine.view.redact import PUBLIC
from bot.engine.view.types import HandView
from bot.history.lines import history_lines
from bot.history.pokerstars import HandOrigin, NotInPokerStarsForm, Tournament, to_pokerstars
from bot.history.record import to_phh
from bot.runtime.context import RuntimeContext
from bot.runtime.errors import HandUnreadable
from bot.runtime.event_record import HandOfEvent
from bot.runtime.hand_deck import deck_for_hand
from bot.runtime.journal import DealtIn
from bot.runtime.snapshot import HandLog, HandRecord, NamedPlayer, TableAddress
from bot.runtime.store_types import SavedHand
from bot.table.events import HandBegan


@dataclass(frozen=True, slots=True)
class DeckSecret:
    """What decks are derived from. Hands that started up to `master_secret_since`, in ms, came from another secret, which is lost."""

    master_secret: bytes = field(repr=False)
    master_secret_since: int


HANDS_OF_A_TABLE = 1_000_000
"""No table plays more hands: the table's id and the hand's number make one number for other programs."""


class PlayedTable(Struct, frozen=True):
    """A table as hand histories name it.

    Attributes:
        number: its number in the server.
        seats: how many seats it has; 0 where that is not known any more.
    """

    number: int
    seats: int = 0


class DecodedHand(Struct, frozen=True):
    """A stored hand with its deck.

    Attributes:
        players: user and name of everybody dealt in, by seat index.
        viewer: the seat index of the reader; None when they were not dealt in.
    """

    events: tuple[e.HandEvent, ...]
    deck: tuple[int, ...]
    began: HandBegan
    players: tuple[tuple[int, str], ...]
    viewer: SeatIndex | None

    def __repr__(self) -> str:
        """Tell which hand it is, without a card: this can end up in a log (TL-37)."""
        return f"<hand {self.began.number}>"

    @property
    def started(self) -> e.HandStarted:
        """The first event."""
        started = self.events[0]
        assert isinstance(started, e.HandStarted), "a hand begins with HandStarted"
        return started

    @property
    def players_by_seat(self) -> dict[int, NamedPlayer]:
        """Everybody dealt in, by seat number."""
        numbers = self.started.seat_numbers
        return {number: NamedPlayer(*player) for number, player in zip(numbers, self.players, strict=False)}


def decoded_hand(context: RuntimeContext | DeckSecret, saved: SavedHand, user: int) -> DecodedHand:
    """Return a stored hand with its deck, for a reader.

    Raises:
        HandUnreadable: the secret that its cards came from is lost.
    """
    if saved.started_at <= context.master_secret_since:
        raise HandUnreadable(hand=saved.number)
    events = tuple(event for event in saved.events if e.is_hand_event(event))
    started = events[0]
    assert isinstance(started, e.HandStarted), "a hand begins with HandStarted"
    began = next((one for one in saved.events if isinstance(one, HandBegan)), None)
    assert began is not None, "a hand begins at its table"
    deck = deck_for_hand(context.master_secret, saved.table, saved.nonce, began, started)
    players: tuple[tuple[int, str], ...] = next((one.players for one in saved.events if isinstance(one, DealtIn)), ())
    viewer = next((SeatIndex(seat) for seat, (player, _) in enumerate(players) if player == user), None)
    return DecodedHand(events, deck, began, players, viewer)


def build_hand_log(context: RuntimeContext, address: TableAddress, saved: SavedHand, user: int) -> HandLog:
    """Describe a hand street by street, as `user` can see it.

    Raises:
        HandUnreadable: the secret that its cards came from is lost.
    """
    played = decoded_hand(context, saved, user)
    streets, hand = _street_views(begin_hand(played.started, played.deck), played.events[1:], played.viewer)
    return HandLog(
        address=address,
        number=saved.number,
        started_at=saved.started_at,
        players_by_seat=played.players_by_seat,
        events=played.events,
        street_views=streets,
        view=view(hand, played.viewer),
        mixture=played.began.mixture_name,
    )


def build_hand_record(
    context: RuntimeContext | DeckSecret,
    saved: SavedHand,
    user: int,
    table: PlayedTable | None = None,
    event: HandOfEvent | None = None,
) -> HandRecord:
    """Write a hand down to take along, with no more cards than `user` can know.

    Args:
        table: where it was played, for the form of PokerStars; without it the hand is not written in that form.
        event: that it belongs to, and its level there; None for a hand of an ordinary table.

    Raises:
        HandUnreadable: the secret that its cards came from is lost.
    """
    played = decoded_hand(context, saved, user)
    viewer = played.viewer if played.viewer is not None else PUBLIC
    names = tuple(name for _, name in played.players)
    pokerstars, gap = "", None
    if table is not None:
        origin = HandOrigin(
            saved.table * HANDS_OF_A_TABLE + saved.number,
            f"Cardroom {table.number}",
            table.seats,
            saved.started_at,
            Tournament(event.event, event.buy_in, event.level) if event is not None else None,
        )
        try:
            pokerstars = to_pokerstars(played.events, played.deck, viewer, names, origin)
        except NotInPokerStarsForm as error:
            gap = error
    return HandRecord(
        number=saved.number,
        names=names,
        lines=history_lines(played.events, played.deck, viewer),
        phh=to_phh(played.events, played.deck, viewer, names, event.phh_fields if event is not None else {}),
        pokerstars=pokerstars,
        pokerstars_gap=gap,
    )


def _street_views(
    hand: Hand, events: tuple[e.HandEvent, ...], seat: SeatIndex | None
) -> tuple[tuple[HandView, ...], Hand]:
    """Return the hand at the end of each betting round and each draw that was opened, and the hand at its end."""
    streets: list[HandView] = []
    opened = False
    for event in events:
        if isinstance(event, e.BettingRoundOpened):
            opened = True
        elif isinstance(event, e.BettingRoundClosed | e.PotsPaid) and opened:
            streets.append(view(hand, seat))
            opened = False
        elif isinstance(event, e.DrawClosed):
            streets.append(view(hand, seat))
        hand = evolve(hand, event)
    return tuple(streets), hand

"""The events of a journal as far as counting needs them. A rule card is not decoded, and what does not count is skipped.

The tags are those of `bot.engine.events`, `bot.table.events` and the journal; a hand is decoded five times as fast as by the whole union.
"""

from collections.abc import Callable, Iterable
from typing import Any, TypeAlias, Union

import msgspec
from msgspec import Struct


class JournalHandBegan(Struct, frozen=True, gc=False, tag="HandBegan"):
    """A hand begins."""

    number: int


class JournalDealtIn(Struct, frozen=True, gc=False, tag="DealtIn"):
    """Its players, by seat index."""

    players: tuple[tuple[int, str], ...]


class JournalHandStarted(Struct, frozen=True, gc=False, tag="HandStarted"):
    """Its terms and stacks; the rule card is as it was encoded."""

    rule_card: msgspec.Raw
    options: msgspec.Raw
    stakes: msgspec.Raw
    seat_numbers: tuple[int, ...]
    stacks: tuple[int, ...]


class JournalRoundOpened(Struct, frozen=True, gc=False, tag="BettingRoundOpened"):
    first_to_act: int
    opening_duty: str = ""


class JournalRoundClosed(Struct, frozen=True, gc=False, tag="BettingRoundClosed"):
    pass


class JournalFolded(Struct, frozen=True, gc=False, tag="Folded"):
    seat: int


class JournalChecked(Struct, frozen=True, gc=False, tag="Checked"):
    seat: int


class JournalCalled(Struct, frozen=True, gc=False, tag="Called"):
    seat: int


class JournalBetTo(Struct, frozen=True, gc=False, tag="BetTo"):
    seat: int
    to: int
    all_in: bool = False


class JournalRaisedTo(Struct, frozen=True, gc=False, tag="RaisedTo"):
    seat: int


class JournalShowdownOpened(Struct, frozen=True, gc=False, tag="ShowdownOpened"):
    all_in: bool = False


class JournalDealtBoard(Struct, frozen=True, gc=False, tag="DealtBoard"):
    pass


class JournalDealtDown(Struct, frozen=True, gc=False, tag="DealtDown"):
    pass


class JournalDealtUp(Struct, frozen=True, gc=False, tag="DealtUp"):
    pass


class JournalDealtUpOrDown(Struct, frozen=True, gc=False, tag="DealtUpOrDown"):
    pass


class JournalDealtUpToSeat(Struct, frozen=True, gc=False, tag="DealtUpToSeat"):
    pass


class JournalPayment(Struct, frozen=True, gc=False):
    """Chips from one pot to one seat."""

    share: str
    seat: int
    chips: int
    value: int = 0


class JournalPotsPaid(Struct, frozen=True, gc=False, tag="PotsPaid"):
    payments: tuple[JournalPayment, ...]


class JournalPassedOut(Struct, frozen=True, gc=False, tag="HandPassedOut"):
    chips: int


class JournalHandVoided(Struct, frozen=True, gc=False, tag="HandVoided"):
    pass


class JournalHandFinished(Struct, frozen=True, gc=False, tag="HandFinished"):
    number: int
    stacks: tuple[tuple[int, int], ...]
    at: int


class JournalHandUndone(Struct, frozen=True, gc=False, tag="HandUndone"):
    number: int


READ_EVENTS: tuple[type[Struct], ...] = (
    JournalHandBegan, JournalDealtIn, JournalHandStarted, JournalRoundOpened, JournalRoundClosed, JournalFolded, JournalChecked,
    JournalCalled, JournalBetTo, JournalRaisedTo, JournalShowdownOpened, JournalDealtBoard, JournalDealtDown, JournalDealtUp,
    JournalDealtUpOrDown, JournalDealtUpToSeat, JournalPotsPaid, JournalPassedOut, JournalHandVoided, JournalHandFinished,
    JournalHandUndone,
)  # fmt: skip
"""Everything that counting looks at."""

DecodeEvents: TypeAlias = Callable[[bytes], list[Any]]


def decoder_of_events(tags: Iterable[str]) -> DecodeEvents:
    """Return a function that decodes a row of the journal: what counts as the structs here, everything else as something empty.

    Args:
        tags: of every event that a journal can hold.
    """
    read = {struct.__struct_config__.tag: struct for struct in READ_EVENTS}
    skipped = [msgspec.defstruct("SkippedEvent", [], tag=tag, frozen=True, gc=False) for tag in tags if tag not in read]
    union: Any = Union[(*READ_EVENTS, *skipped)]  # it is made at run time
    return msgspec.msgpack.Decoder(list[union]).decode

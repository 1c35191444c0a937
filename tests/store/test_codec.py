"""Events are encoded as bytes and decoded again."""

import msgspec
import pytest

from bot.engine import events
from bot.store.codec import EventCodec


def test_every_event_of_a_hand_survives() -> None:
    codec = EventCodec(events.HandEvent)
    hand_events = (
        events.Posted(seat=1, kind=events.PostKind.SMALL_BLIND, chips=50, owed=50),
        events.DealtDown(2, 0, 1),
        events.RaisedTo(3, 10**12, 10**12, all_in=True),
        events.BettingRoundClosed(),
        events.PotsPaid((events.Payment(0, "pot", 1, 100, odd_chips=1),)),
        events.HandVoided("I-1", "the pack was incorrect"),
    )
    assert codec.decode(codec.encode(hand_events)) == hand_events


def test_event_of_later_version_is_refused() -> None:
    blob = EventCodec(events.Checked | events.Folded).encode((events.Folded(1),))
    with pytest.raises(msgspec.ValidationError):
        EventCodec(events.Checked | events.Called).decode(blob)


def test_two_events_with_one_name_are_refused() -> None:
    class Folded(msgspec.Struct, frozen=True, tag=True):
        seat: int

    with pytest.raises(TypeError):
        EventCodec(events.Folded | Folded)

"""Events to bytes and back."""

import msgspec
import pytest

from bot.engine import events
from bot.store.codec import EventCodec


def test_every_event_of_a_hand_survives() -> None:
    codec = EventCodec(events.Any)
    told = (
        events.Posted(seat=1, kind=events.PostKind.SMALL_BLIND, chips=50, owed=50),
        events.DealtDown(2, 0, 1),
        events.RaisedTo(3, 10**12, 10**12, all_in=True),
        events.IntervalClosed(),
        events.PotsPaid((events.Payment(0, "pot", 1, 100, odd=1),)),
        events.HandVoided("I-1", "the pack was incorrect"),
    )
    assert codec.decode(codec.encode(told)) == told


def test_an_event_of_a_later_version_is_not_guessed_at() -> None:
    blob = EventCodec(events.Checked | events.Folded).encode((events.Folded(1),))
    with pytest.raises(msgspec.ValidationError):
        EventCodec(events.Checked | events.Called).decode(blob)


def test_two_events_of_one_name_cannot_be_told_apart() -> None:
    class Folded(msgspec.Struct, frozen=True, tag=True):
        seat: int

    with pytest.raises(TypeError):
        EventCodec(events.Folded | Folded)

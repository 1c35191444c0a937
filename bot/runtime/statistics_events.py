"""The decoder of the journal that the statistics count with."""

from functools import cache
from typing import get_args

from bot.runtime.journal import JournalEvent
from bot.statistics.count_hand import READ_EVENTS
from bot.statistics.events import DecodeEvents, decoder_of_events


@cache
def statistics_decoder() -> DecodeEvents:
    """Return a function that decodes a row of the journal as far as counting needs it."""
    return decoder_of_events(READ_EVENTS, [event.__struct_config__.tag for event in get_args(JournalEvent)])

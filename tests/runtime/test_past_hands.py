"""The hands of a person or a table, to be written to a file."""

from __future__ import annotations

import pytest

from bot.runtime.errors import NoHandPlayed, NoHandYet
from bot.runtime.past_hands import require_hands
from bot.statistics.types import HandQuery
from tests.runtime.evening import GUILD, USERS


def test_file_without_a_hand_is_refused() -> None:
    of_ann = HandQuery(GUILD, user=USERS["Ann"])
    require_hands(1, of_ann)
    with pytest.raises(NoHandYet):
        require_hands(0, HandQuery(GUILD))
    with pytest.raises(NoHandPlayed) as refused:
        require_hands(0, of_ann)
    assert not refused.value.searched

"""Messages that version 0.1.0 and later ones saved are taken up: panels, direct messages and notices."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from bot.runtime.saved_values import SavedKind
from bot.surfaces.direct_messages.hole_cards import _SESSION_MESSAGES
from bot.surfaces.keeper import Location
from bot.surfaces.my_hand.panels import _PANELS
from bot.surfaces.notices.notices import _NOTICES, Concern


def stored(kind: SavedKind[Any, Any], **fields: object) -> Any:
    return kind.decode(msgspec.msgpack.encode(fields))


@pytest.mark.parametrize("is_original", [False, True])
def test_panel_of_an_earlier_version_can_be_edited(is_original: bool) -> None:
    panel = stored(_PANELS, token="aw3x", message=70, is_original=is_original, at=1_000)
    assert _PANELS.prefix == "panel." and panel.access.can_edit(70, 2_000)
    assert (panel.access.original == 70) is is_original


def test_direct_message_of_an_earlier_version_goes_on() -> None:
    message = stored(_SESSION_MESSAGES, channel=5, message=70, sent_at=1_000)
    assert _SESSION_MESSAGES.prefix == "cards_dm."
    assert message.location == Location(5, 70, 1_000) and message.is_kept


@pytest.mark.parametrize("more", [{}, {"guild": 3, "until": 9_000}])
def test_notice_of_an_earlier_version_is_known(more: dict[str, int]) -> None:
    notice = stored(_NOTICES, channel=5, message=70, concern="absence", **more)
    assert _NOTICES.prefix == "notice."
    assert notice.concern is Concern.ABSENCE and notice.location == Location(5, 70)

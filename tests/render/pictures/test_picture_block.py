"""A message with a picture: the gallery under the heading, the board at body size, the same words."""

from __future__ import annotations

from bot.render.hand.result import result_panel
from bot.render.hand.running_hand import running_hand_panel
from bot.render.message.panel import Picture, payload
from tests.render.sample_hands import mid_hand, scene, showdown
from tests.support.message_limits import within_limits
from tests.support.panel_text import panel_as_text


def test_gallery_stands_under_heading_of_running_hand() -> None:
    parts = payload(within_limits(running_hand_panel(scene(mid_hand(), picture=True))))[0]["components"]
    assert [part["type"] for part in parts[:3]] == [10, 12, 10]
    (item,) = parts[1]["items"]
    assert item["media"] == {"url": "attachment://table.webp"}
    assert item["description"].startswith(
        "Turn. Board: ace of hearts, king of diamonds, nine of clubs, nine of spades."
    )


def test_gallery_stands_under_heading_of_result() -> None:
    parts = payload(within_limits(result_panel(scene(showdown(), picture=True))))[0]["components"]
    assert [part["type"] for part in parts[:3]] == [10, 12, 10]
    assert parts[1]["items"][0]["description"].startswith("NightOwl wins 9,450 with kings full of nines.")


def test_board_is_at_body_size_beside_picture_of_result() -> None:
    without, with_picture = result_panel(scene(showdown())), result_panel(scene(showdown(), picture=True))
    assert not any(isinstance(block, Picture) for block in without.blocks)
    plain, beside = panel_as_text(without).splitlines(), panel_as_text(with_picture).splitlines()
    assert any(line.startswith("# ") for line in plain)
    assert not any(line.startswith("# ") for line in beside)
    assert [line.removeprefix("# ") for line in plain] == [line for line in beside if not line.startswith("(picture")]


def test_board_of_running_hand_stands_in_picture_alone() -> None:
    """The message is short; the words of the board stand in the picture's description, and its tiles in *My hand*."""
    plain = panel_as_text(running_hand_panel(scene(mid_hand()))).splitlines()
    beside = panel_as_text(running_hand_panel(scene(mid_hand(), picture=True))).splitlines()
    assert [line for line in plain if not line.startswith("## ")] == [
        line for line in beside if not line.startswith("(picture")
    ]

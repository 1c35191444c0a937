"""Panels and forms have the shape of Discord's JSON, by Discord's own document."""

import json
from functools import cache
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import pytest

from bot.house.rules import HouseRules
from bot.render.hand import private_panels
from bot.render.hand.my_hand import my_hand_panel
from bot.render.hand.result import result_panel
from bot.render.hand.running_hand import running_hand_panel
from bot.render.help_page import help_panel
from bot.render.house import house_pages
from bot.render.message import panel as p
from bot.render.table import lobby
from tests.render.sample_hands import mid_hand, scene, showdown
from tests.render.test_lobby import FOUR, table
from tests.render.test_private_panels import own_view
from tests.support.data import DISCORD_API
from tests.support.panel_text import form_as_text, panel_as_text


@cache
def judge(schema: str) -> Any:
    """Return Discord's schema of one name."""
    components = json.loads(DISCORD_API.read_text(encoding="utf-8"))["components"]
    return jsonschema.Draft202012Validator({"$ref": f"#/components/schemas/{schema}", "components": components})


EVERYTHING = p.Panel(
    p.LOBBY,
    (
        p.Text("text"),
        p.SmallText("one\ntwo"),
        p.Separator(),
        p.Separator(line=False, large=True),
        p.Buttons(
            (
                p.Button("Check", "a", p.GREEN, emoji="👁"),
                p.Button("Card", "b", emoji="<:ace_of_hearts:123456789012345678>", disabled=True),
                p.Button("Table", url="https://discord.com/channels/1/2"),
            )
        ),
        p.Select("c", "Choose…", (p.Option("A", "1", "about", "🂡", default=True), p.Option("B", "2")), 0, 2),
    ),
)
FORM = p.Form(
    "Raise",
    "e",
    (
        p.TextField("to", "Raise to", description="Between 2 and 3", placeholder="2", value="3", max_length=24),
        p.TextField("why", "Why", long=True, required=False),
        p.RadioGroup("size", "…or pick", (p.Option("Pot", "pot"), p.Option("All", "all")), description="a size"),
    ),
)


def test_the_shape_of_every_block() -> None:
    (container,) = p.payload(EVERYTHING)
    assert (container["type"], container["accent_color"]) == (17, p.LOBBY)
    text, small, line, gap, row, select = container["components"]
    assert text == {"type": 10, "content": "text"}
    assert small == {"type": 10, "content": "-# one\n-# two"}
    assert line == {"type": 14, "divider": True, "spacing": 1}
    assert gap == {"type": 14, "divider": False, "spacing": 2}
    assert row["components"] == [
        {"type": 2, "style": 3, "label": "Check", "custom_id": "a", "emoji": {"name": "👁"}},
        {
            "type": 2,
            "style": 2,
            "label": "Card",
            "custom_id": "b",
            "emoji": {"name": "ace_of_hearts", "id": "123456789012345678"},
            "disabled": True,
        },
        {"type": 2, "style": 5, "label": "Table", "url": "https://discord.com/channels/1/2"},
    ]
    assert select["components"][0]["options"][0] == {
        "label": "A",
        "value": "1",
        "description": "about",
        "emoji": {"name": "🂡"},
        "default": True,
    }


def test_the_shape_of_a_form() -> None:
    raw = p.form_payload(FORM)
    assert (raw["title"], raw["custom_id"]) == ("Raise", "e")
    assert [part["type"] for part in raw["components"]] == [18] * 3
    assert raw["components"][0] == {
        "type": 18,
        "label": "Raise to",
        "description": "Between 2 and 3",
        "component": {
            "type": 4,
            "custom_id": "to",
            "style": 1,
            "required": True,
            "max_length": 24,
            "placeholder": "2",
            "value": "3",
        },
    }
    assert [part["component"]["type"] for part in raw["components"]] == [4, 4, 21]


@pytest.mark.parametrize(
    "panel",
    [
        EVERYTHING,
        running_hand_panel(scene(mid_hand(), open_seats=2)),
        result_panel(scene(showdown()), next_at=1_800_000_000),
        lobby.lobby_panel(77, table(*FOUR)),
        private_panels.hole_cards_dm(scene(own_view()), "https://discord.com/channels/1/2/3"),
        my_hand_panel(scene(own_view())),
        house_pages.house_rules_panel(HouseRules()),
        help_panel(),
    ],
    ids=["everything", "table", "result", "lobby", "dm", "my hand", "house", "help"],
)
def test_discord_would_take_every_panel(panel: p.Panel) -> None:
    (container,) = p.payload(panel)
    assert [fault.message for fault in judge("ContainerComponentForMessageRequest").iter_errors(container)] == []


def test_discord_would_take_every_form() -> None:
    view = mid_hand()
    assert view.legal_to_act is not None
    for form in (
        FORM,
        private_panels.raise_form(scene(view), view.legal_to_act, 5),
        lobby.buy_in_form(77, table(*FOUR), 5, wallet=9_000, minimum=2_000, maximum=20_000),
    ):
        raw = p.form_payload(form)
        assert [fault.message for fault in judge("ModalInteractionCallbackRequestData").iter_errors(raw)] == []


def test_a_block_without_a_shape_is_a_mistake_of_ours() -> None:
    with pytest.raises(TypeError):
        p.Block().raw()
    with pytest.raises(TypeError):
        p.FormField("a", "A").component()


def test_plain_lines_for_transcripts() -> None:
    assert panel_as_text(EVERYTHING) == (
        "text\n-# one\n-# two\n———\n\n"
        "[+👁 Check] [:ace_of_hearts: Card (off)] [Table → https://discord.com/channels/1/2]\n"
        "[Choose… ▾] *A | B"
    )
    assert "…or pick:\n  a size\n  ( ) Pot\n  ( ) All" in form_as_text(FORM)

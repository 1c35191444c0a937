"""`/help` has a start page that fits a phone, and a button leads to every command."""

from bot.render.help_page import help_panel, help_topic_panel
from bot.render.message.custom_ids import PagePress, parse_custom_id
from bot.render.message.panel import Buttons, Panel
from bot.text.commands import COMMANDS, Topic
from bot.text.help import TOPICS, topic_commands
from tests.support.message_limits import within_limits
from tests.support.panel_text import panel_as_text


def presses(panel: Panel) -> list[PagePress]:
    rows = [block for block in panel.blocks if isinstance(block, Buttons)]
    found = [parse_custom_id(button.custom_id) for row in rows for button in row.buttons]
    return [press for press in found if isinstance(press, PagePress)]


def test_help_starts_with_a_page_that_fits_a_phone() -> None:
    lines = panel_as_text(within_limits(help_panel(staff=True, table_channel=555))).split("\n")
    assert "<#555>" in lines[1]
    assert len(lines) <= 7 and all(len(line) <= 100 for line in lines[:5])
    assert "`/play`" in panel_as_text(within_limits(help_panel()))


def test_help_offers_staff_commands_to_staff_only() -> None:
    topics = {
        staff: {press.words for press in presses(help_panel(staff=staff)) if press.words} for staff in (True, False)
    }
    assert topics[True] - topics[False] == {("staff",)}


def test_every_topic_of_help_fits_and_leads_back() -> None:
    for press in presses(help_panel(staff=True)):
        if press.verb == "topic":
            panel = help_topic_panel(press.words[0])
            assert panel is not None
            assert presses(within_limits(panel)) == [PagePress("help", "start")]
            assert len(panel_as_text(panel).split("\n")) <= 20
    assert help_topic_panel("nonsense") is None


def test_every_command_stands_in_one_topic_of_help() -> None:
    listed = [name for topic in Topic for name in topic_commands(topic)]
    assert len(listed) == len(set(listed))
    assert set(COMMANDS) - {"help"} == {name for name in COMMANDS if name in listed or name.partition(" ")[0] in listed}
    assert "chips" in topic_commands(Topic.CHIPS) and "table open" in topic_commands(Topic.TABLES)
    assert set(TOPICS) == set(Topic)

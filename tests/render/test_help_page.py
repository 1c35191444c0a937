"""`/help` lists every command on one screen of a phone."""

from bot.render.help_page import help_panel
from bot.text.commands import COMMANDS
from bot.text.help import listed_commands
from tests.support.message_limits import within_limits
from tests.support.panel_text import panel_as_text


def test_help_says_first_how_to_begin() -> None:
    lines = panel_as_text(within_limits(help_panel(staff=True, table_channel=555))).split("\n")
    assert "<#555>" in lines[1]
    assert "`/play`" in panel_as_text(within_limits(help_panel())).split("\n")[1]


def test_help_lists_every_command_once() -> None:
    listed = [name for line in listed_commands(staff=True) for name in line]
    assert sorted(listed) == sorted(COMMANDS)
    text = panel_as_text(within_limits(help_panel(staff=True)))
    assert all(f"`/{name}`" in text for name in COMMANDS)


def test_help_offers_staff_commands_to_staff_only() -> None:
    assert "`/house`" in panel_as_text(help_panel(staff=True))
    assert "`/house`" not in panel_as_text(help_panel())


def test_lines_of_help_stay_on_one_line_of_a_phone() -> None:
    """About 40 letters fit beside each other at 400 pixels; what stands around a command's name is not seen."""
    lines = panel_as_text(help_panel(staff=True)).split("\n")
    commands = [line.replace("`", "") for line in lines[3:] if line.startswith("`/")]
    assert len(commands) == len(listed_commands(staff=True))
    assert [line for line in commands if len(line) > 40] == []

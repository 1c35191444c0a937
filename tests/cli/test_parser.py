"""One command with subcommands: its help is quick, and what cannot be read ends with code 2."""

import subprocess
import sys

import pytest

from bot.__main__ import main
from bot.cli.parser import SUBCOMMANDS
from bot.text.language import KNOWN, Language


@pytest.mark.parametrize("name", SUBCOMMANDS)
def test_each_subcommand_has_a_help_page(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([name, "--help"]) == 0
    assert f"usage: cardroom {name}" in capsys.readouterr().out


@pytest.mark.parametrize("arguments", [["rplay"], ["--port", "70000"], ["games", "--nonsense"], ["replay"]])
def test_unreadable_arguments_end_with_code_2(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    assert "usage: cardroom" in capsys.readouterr().err


def test_help_imports_neither_engine_nor_discord() -> None:
    """Imports make a command slow."""
    code = "import sys; from bot.__main__ import main; main(['--help']); print(*sys.modules)"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    slow = (
        "discord",
        "aiohttp",
        "pydantic",
        "rich",
        "bot.engine",
        "bot.operation.runner",
        "bot.settings",
        "importlib.resources",
    )
    assert [name for name in slow if name in shown.splitlines()[-1].split()] == []


def test_terminal_language_is_read_from_the_environment(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Loud(Language):
        def say(self, sentence: object, values: dict[str, object]) -> str:
            return str(sentence).upper().replace("{", "[").replace("}", "]")

    import gettext

    monkeypatch.setitem(KNOWN, "tlh", Loud("tlh", gettext.NullTranslations()))
    monkeypatch.setenv("LC_ALL", "tlh.UTF-8")
    assert main(["--help"]) == 0
    assert "A POKER DEALER FOR DISCORD" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "meant"),
    [
        (["rplay", "x.phh"], "Did you mean replay"),
        (["rank", "--game", "badug", "As"], "Did you mean badugi"),
        (["--prot", "8000"], "Did you mean --port"),
        (["rank", "--baord", "As Kd Qh", "Ts Th"], "Did you mean --board"),
    ],
)
def test_misspelled_command_or_choice_is_recognised(
    arguments: list[str], meant: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    assert meant in capsys.readouterr().err

"""Settings are read once, checked, and explained in plain words if they cannot be used."""

from dataclasses import FrozenInstanceError
from pathlib import Path

import pytest

from bot.line.client import HEARS_MESSAGES_UP_TO
from bot.settings import LogLevel, SettingsError, load, setting_names


@pytest.fixture(autouse=True)
def bare(monkeypatch: pytest.MonkeyPatch) -> None:
    """An environment without settings."""
    for name in setting_names():
        monkeypatch.delenv(name, raising=False)


def test_defaults_run_local_cardroom_in_user_data_folder() -> None:
    settings = load(None)
    assert settings.local
    assert settings.folder.parts[-2:] == ("cardroom", "local")
    assert settings.log is LogLevel.INFO
    assert (settings.rest, settings.gateway, settings.cdn) == ("", "", "")


def test_token_uses_separate_discord_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", " Bot abc.def.ghi ")
    monkeypatch.setenv("CARDROOM_DATA", str(tmp_path))
    settings = load(None)
    assert not settings.local
    assert settings.discord_token.reveal() == "abc.def.ghi"
    assert settings.folder == tmp_path / "discord"
    assert "abc" not in repr(settings)


def test_a_file_is_read_and_the_environment_goes_before_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file = tmp_path / ".env"
    file.write_text("DISCORD_TOKEN=\nCARDROOM_LOG=debug\nCARDROOM_DATA=~/chips\nOTHER_PROGRAM=1\n")
    assert load(file).log is LogLevel.DEBUG
    assert load(file).data == Path("~/chips").expanduser()
    monkeypatch.setenv("CARDROOM_LOG", "error")
    assert load(file).log is LogLevel.ERROR


def test_database_address_is_never_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("psycopg", reason="psycopg is not installed: pip install -e '.[postgres]'")
    monkeypatch.setenv("CARDROOM_DATABASE", " postgresql://me:hush-hush@host/chips ")
    settings = load(None)
    assert settings.database.reveal() == "postgresql://me:hush-hush@host/chips"
    assert {"hush-hush", settings.database.reveal()} <= set(settings.secrets)
    assert "hush" not in repr(settings)


def test_other_address_than_a_database_is_refused_without_it(monkeypatch: pytest.MonkeyPatch) -> None:
    for written in ("mysql://me:hush-hush@host/chips", "postgresql", "http://[me:hush-hush"):
        monkeypatch.setenv("CARDROOM_DATABASE", written)
        with pytest.raises(SettingsError) as refused:
            load(None)
        said = str(refused.value)
        assert said.startswith("CARDROOM_DATABASE: write an address such as postgresql://user:password@host/database")
        assert "hush" not in said


def test_database_without_its_package_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CARDROOM_DATABASE", "postgresql://host/chips")
    monkeypatch.setattr("bot.settings.find_spec", lambda name: None)
    with pytest.raises(SettingsError, match=r"pip install 'cardroom-dealer\[postgres\]'"):
        load(None)


def test_several_dealers_need_a_database(monkeypatch: pytest.MonkeyPatch) -> None:
    alone = "need CARDROOM_DATABASE: a file of chips and hands belongs to one process"
    monkeypatch.setenv("CARDROOM_DEALERS", "2")
    with pytest.raises(SettingsError, match=alone):
        load(None)
    monkeypatch.setenv("CARDROOM_DEALERS", "1")
    assert load(None).dealers == 1, "one is what a file has"
    monkeypatch.setenv("CARDROOM_STANDBYS", "1")
    with pytest.raises(SettingsError, match=alone):
        load(None)
    monkeypatch.delenv("CARDROOM_DEALERS")
    pytest.importorskip("psycopg", reason="psycopg is not installed: pip install -e '.[postgres]'")
    monkeypatch.setenv("CARDROOM_DATABASE", "postgresql://host/chips")
    assert (load(None).dealers, load(None).standbys) == (None, 1)
    monkeypatch.setenv("CARDROOM_STANDBYS", "0")
    monkeypatch.setenv("CARDROOM_DEALERS", "0")
    with pytest.raises(SettingsError, match="nobody would deal"):
        load(None)


@pytest.mark.parametrize(("written", "on"), [("", True), ("yes", True), ("on", True), ("no", False), ("off", False)])
def test_pictures_are_on_until_they_are_turned_off(monkeypatch: pytest.MonkeyPatch, written: str, on: bool) -> None:
    monkeypatch.setenv("CARDROOM_PICTURES", written)
    assert load(None).pictures is on


@pytest.mark.parametrize(("written", "first"), [("", False), ("yes", True), ("no", False)])
def test_my_hand_comes_first_where_the_operator_says_so(
    monkeypatch: pytest.MonkeyPatch, written: str, first: bool
) -> None:
    monkeypatch.setenv("CARDROOM_MY_HAND_FIRST", written)
    assert load(None).my_hand_first is first


def test_message_events_have_one_default() -> None:
    assert load(None).message_events == HEARS_MESSAGES_UP_TO


def test_the_example_file_can_be_used_as_it_is() -> None:
    example = Path(__file__).parents[1] / ".env.example"
    assert load(example).local


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("CARDROOM_LOG", "loud", "CARDROOM_LOG: choose one of DEBUG, INFO, WARNING, ERROR."),
        ("CARDROOM_DATA", __file__, "is a file, not a folder."),
        ("DISCORD_TOKEN", "two words", "DISCORD_TOKEN: a token is one word; copy it again from Bot → Reset Token."),
        ("CARDROOM_REST", "localhost:80", "CARDROOM_REST: write an address that begins with http:// or https://."),
        ("CARDROOM_GATEWAY", "http://x", "CARDROOM_GATEWAY: write an address that begins with ws:// or wss://."),
        ("CARDROOM_LOG_FORMAT", "xml", "CARDROOM_LOG_FORMAT: choose one of text, json."),
        (
            "CARDROOM_METRICS",
            "9464",
            "CARDROOM_METRICS: write an address of this machine and a port, such as 127.0.0.1:9464.",
        ),
        (
            "CARDROOM_METRICS",
            "0.0.0.0:9464",
            "CARDROOM_METRICS: other machines can reach 0.0.0.0. Write 127.0.0.1, or set",
        ),
        ("CARDROOM_METRICS_OPEN", "maybe", "CARDROOM_METRICS_OPEN: write yes or no."),
        ("CARDROOM_PICTURES", "sometimes", "CARDROOM_PICTURES: write yes or no."),
        ("CARDROOM_BACKUPS", "many", "CARDROOM_BACKUPS: write a whole number from 0 to 10,000."),
        ("CARDROOM_BACKUPS", "-1", "CARDROOM_BACKUPS: write a whole number from 0 to 10,000."),
        ("CARDROOM_KEEP_HANDS", "0", "CARDROOM_KEEP_HANDS: write a whole number from 1 to 36,500."),
        ("CARDROOM_LOGG", "INFO", "CARDROOM_LOGG is not a setting; did you mean CARDROOM_LOG?"),
    ],
)
def test_unusable_setting_is_explained(monkeypatch: pytest.MonkeyPatch, name: str, value: str, says: str) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(SettingsError) as refused:
        load(None)
    assert says in str(refused.value)
    assert "two words" not in str(refused.value), "a token is not repeated"


def test_all_faults_are_reported_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CARDROOM_LOG", "loud")
    monkeypatch.setenv("CARDROOM_CDN", "nowhere")
    with pytest.raises(SettingsError) as refused:
        load(None)
    assert len(str(refused.value).splitlines()) == 2


def test_settings_do_not_change() -> None:
    with pytest.raises(FrozenInstanceError):
        load(None).log = LogLevel.DEBUG  # type: ignore[misc]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (("REST",), "CARDROOM_GATEWAY and CARDROOM_CDN missing: with CARDROOM_REST set"),
        (("REST", "CDN"), "CARDROOM_GATEWAY missing: with CARDROOM_REST and CARDROOM_CDN set"),
    ],
)
def test_endpoints_come_all_three_or_not_at_all(
    monkeypatch: pytest.MonkeyPatch, given: tuple[str, ...], said: str
) -> None:
    """With only some of them, part of what the bot sends, its token included, would go somewhere else."""
    for name in given:
        monkeypatch.setenv(f"CARDROOM_{name}", "http://localhost:80")
    with pytest.raises(SettingsError, match=said):
        load(None)


@pytest.mark.parametrize(
    ("written", "url"),
    [
        ("127.0.0.1:9464", "http://127.0.0.1:9464"),
        ("localhost:9464", "http://127.0.0.1:9464"),
        ("[::1]:80", "http://[::1]:80"),
    ],
)
def test_metrics_are_off_until_an_address_is_set(monkeypatch: pytest.MonkeyPatch, written: str, url: str) -> None:
    assert load(None).metrics is None
    monkeypatch.setenv("CARDROOM_METRICS", written)
    metrics = load(None).metrics
    assert metrics is not None and metrics.is_loopback and metrics.url == url


def test_metrics_for_other_machines_are_asked_for_explicitly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CARDROOM_METRICS", "0.0.0.0:9464")
    monkeypatch.setenv("CARDROOM_METRICS_OPEN", "yes")
    metrics = load(None).metrics
    assert metrics is not None and not metrics.is_loopback
    assert metrics.url == "http://127.0.0.1:9464", "health is asked from this machine"

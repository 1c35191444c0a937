"""What whoever runs the dealer may set, in the environment or in a file `.env`. Read once, at the start; `.env.example` lists it.

Source: issue 2 "Skeleton", "Local" (three endpoint settings).
"""

import difflib
import os
from enum import StrEnum
from pathlib import Path
from urllib.parse import urlsplit

from dotenv import dotenv_values
from platformdirs import user_data_path
from pydantic import Field, SecretStr, ValidationError, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

ENV_FILE = Path(".env")
PREFIX = "CARDROOM_"


class LogLevel(StrEnum):
    """How much is logged."""

    DEBUG = "DEBUG"
    INFO = "INFO"
    WARNING = "WARNING"
    ERROR = "ERROR"


class SettingsError(Exception):
    """Settings that cannot be used. Its text says which, why, and what would do; a line each."""


class Settings(BaseSettings):
    """Everything that is set from outside. Never changed while the dealer runs.

    Attributes:
        discord_token: the bot's token; empty for the local cardroom. Never printed or logged.
        data: where chips and hands are kept; Discord's and the local cardroom's lie apart, see `folder`.
        log: how much is logged.
        rest, gateway, cdn: where Discord is, if it is not at Discord: the local stand-in, or a test. Empty for Discord itself.
    """

    model_config = SettingsConfigDict(
        frozen=True, extra="ignore", env_ignore_empty=True, hide_input_in_errors=True, populate_by_name=True
    )

    discord_token: SecretStr = Field(default=SecretStr(""), validation_alias="DISCORD_TOKEN")
    data: Path = Field(
        default_factory=lambda: user_data_path("cardroom", appauthor=False), validation_alias="CARDROOM_DATA"
    )
    log: LogLevel = Field(default=LogLevel.INFO, validation_alias="CARDROOM_LOG")
    rest: str = Field(default="", validation_alias="CARDROOM_REST")
    gateway: str = Field(default="", validation_alias="CARDROOM_GATEWAY")
    cdn: str = Field(default="", validation_alias="CARDROOM_CDN")

    @property
    def local(self) -> bool:
        """No token: the dealer plays on this machine, against the stand-in for Discord."""
        return not self.discord_token.get_secret_value()

    @property
    def folder(self) -> Path:
        """Where this run keeps its data: Discord's chips and the local ones never meet."""
        return self.data / ("local" if self.local else "discord")

    @field_validator("discord_token", mode="after")
    @classmethod
    def _one_word(cls, token: SecretStr) -> SecretStr:
        """A pasted token often brings blanks or its prefix along."""
        word = token.get_secret_value().strip().removeprefix("Bot ").strip()
        if word != "".join(word.split()):
            raise ValueError("a token is one word; copy it again from Bot → Reset Token")
        return SecretStr(word)

    @field_validator("data", mode="before")
    @classmethod
    def _at_home(cls, path: object) -> object:
        return Path(path).expanduser() if isinstance(path, str | Path) else path

    @field_validator("data", mode="after")
    @classmethod
    def _a_folder(cls, path: Path) -> Path:
        if path.exists() and not path.is_dir():
            raise ValueError(f"{path} is a file, not a folder")
        return path.absolute()

    @field_validator("log", mode="before")
    @classmethod
    def _any_case(cls, level: object) -> object:
        return level.strip().upper() if isinstance(level, str) else level

    @field_validator("rest", "cdn", mode="after")
    @classmethod
    def _http(cls, address: str) -> str:
        return _address(address, ("http", "https"))

    @field_validator("gateway", mode="after")
    @classmethod
    def _websocket(cls, address: str) -> str:
        return _address(address, ("ws", "wss"))


def load(env_file: Path | None = ENV_FILE) -> Settings:
    """Read the settings: the environment first, then the file, then what they are by default.

    Raises:
        SettingsError: a value cannot be used, or a name is none of ours.
    """
    faults = _unknown_names(env_file)
    try:
        settings = Settings(_env_file=env_file)  # type: ignore[call-arg]  # known to pydantic-settings, not to its types
    except ValidationError as error:
        faults += [_in_plain_words(str(fault["loc"][0]), fault["type"], fault["msg"]) for fault in error.errors()]
    else:
        faults += _half_an_address(settings)
    if faults:
        raise SettingsError("\n".join(faults))
    return settings


def names() -> tuple[str, ...]:
    """The names of all settings, as they are written in the environment."""
    return tuple(str(field.validation_alias) for field in Settings.model_fields.values())


def _address(address: str, schemes: tuple[str, ...]) -> str:
    if not address:
        return ""
    parts = urlsplit(address.strip())
    if parts.scheme not in schemes or not parts.hostname:
        raise ValueError(f"write an address that begins with {' or '.join(f'{scheme}://' for scheme in schemes)}")
    return address.strip().rstrip("/")


def _half_an_address(settings: Settings) -> list[str]:
    """Some of the endpoints without the others: half of what the bot says would go to Discord, and half elsewhere."""
    given = {"CARDROOM_REST": settings.rest, "CARDROOM_GATEWAY": settings.gateway, "CARDROOM_CDN": settings.cdn}
    missing = [name for name, address in given.items() if not address]
    if not missing or len(missing) == len(given):
        return []
    present = [name for name in given if name not in missing]
    return [
        f"{' and '.join(missing)} missing: with {' and '.join(present)} set, all three are needed; or leave all three empty for Discord."
    ]


def _unknown_names(env_file: Path | None) -> list[str]:
    """Misspelt names, which would otherwise be passed over in silence."""
    written = {*os.environ, *(dotenv_values(env_file) if env_file is not None and env_file.is_file() else ())}
    known = names()
    faults = []
    for name in sorted(written):
        if name.upper().startswith(PREFIX) and name.upper() not in known:
            near = difflib.get_close_matches(name.upper(), known, 1)
            faults.append(
                f"{name} is no setting" + (f"; did you mean {near[0]}?" if near else f"; there are {', '.join(known)}.")
            )
    return faults


def _in_plain_words(name: str, kind: str, message: str) -> str:
    if kind == "enum":
        return f"{name}: choose one of {', '.join(LogLevel)}."
    return f"{name}: {message.removeprefix('Value error, ')}."

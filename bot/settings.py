"""Settings of the program, from the environment or a file `.env`, read once at the start. `.env.example` lists them."""

import difflib
import os
from dataclasses import dataclass
from enum import StrEnum
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import urlsplit

from dotenv import dotenv_values
from platformdirs import user_data_path
from pydantic import BaseModel, ConfigDict, Field, SecretStr, ValidationError, field_validator

from bot.text import cli as words
from bot.text.formatting import join_and, join_list, join_or
from bot.text.language import t

ENV_FILE = Path(".env")
ENV_PREFIX = "CARDROOM_"
DISCORD_FOLDER = "discord"
"""The data of Discord's chips, inside `Settings.data`."""
DATA_FILE, SECRET_FILE, STAND_IN_FOLDER = "cardroom.db", "master.key", "standin"
STATISTICS_FILE = "statistics.sqlite3"
"""What lies in `Settings.folder`: chips, tables and hands; the secret of the decks; the people and channels of the local cardroom."""


class LogLevel(StrEnum):
    """The lowest level of messages that are logged."""

    DEBUG = "DEBUG"
    INFO = "INFO"
    WARNING = "WARNING"
    ERROR = "ERROR"


class LogFormat(StrEnum):
    """How a line of the log is written."""

    TEXT = "text"
    JSON = "json"


@dataclass(frozen=True, slots=True)
class ListenAddress:
    """An address of this machine and a port."""

    host: str
    port: int

    @property
    def is_loopback(self) -> bool:
        """Whether only this machine can reach it."""
        return ip_address(self.host).is_loopback

    @property
    def url(self) -> str:
        """Where this machine asks."""
        host = self.host
        if ip_address(host).is_unspecified:
            host = "127.0.0.1" if ip_address(host).version == 4 else "::1"
        return f"http://[{host}]:{self.port}" if ":" in host else f"http://{host}:{self.port}"


class SettingsError(Exception):
    """Settings that cannot be used. The text says for each, on a line of its own, what is wrong and what would work."""


class Settings(BaseModel):
    """Everything that is set from outside. It never changes while the dealer runs.

    Attributes:
        discord_token: the bot's token; empty for the local cardroom. Never printed or logged.
        data: the folder of chips and hands; Discord and the local cardroom each have their own inside it, see `folder`.
        log: the lowest level that is logged.
        log_format: how its lines are written.
        metrics: where health and figures can be asked for; None for nowhere.
        metrics_open: `metrics` can be an address that other machines reach.
        backups: how many hourly backups are kept; 0 for none.
        keep_hands: how many days finished hands are kept; None for good.
        my_hand_first: hole cards of people who have chosen nothing come in *My hand*, not by direct message.
        message_events: in how many servers the bot lets Discord tell it of every message; with more it looks at its channels now and then.
        pictures: tables are shown with pictures, where they want them.
        rest, gateway, cdn: addresses of the local stand-in, or of a test, that take the place of Discord; empty for Discord.
    """

    model_config = ConfigDict(frozen=True, extra="ignore", hide_input_in_errors=True, populate_by_name=True)

    discord_token: SecretStr = Field(default=SecretStr(""), validation_alias="DISCORD_TOKEN")
    data: Path = Field(
        default_factory=lambda: user_data_path("cardroom", appauthor=False), validation_alias="CARDROOM_DATA"
    )
    log: LogLevel = Field(default=LogLevel.INFO, validation_alias="CARDROOM_LOG")
    log_format: LogFormat = Field(default=LogFormat.TEXT, validation_alias="CARDROOM_LOG_FORMAT")
    metrics: ListenAddress | None = Field(default=None, validation_alias="CARDROOM_METRICS")
    metrics_open: bool = Field(default=False, validation_alias="CARDROOM_METRICS_OPEN")
    backups: int = Field(default=24, ge=0, le=10_000, validation_alias="CARDROOM_BACKUPS")
    keep_hands: int | None = Field(default=None, ge=1, le=36_500, validation_alias="CARDROOM_KEEP_HANDS")
    my_hand_first: bool = Field(default=False, validation_alias="CARDROOM_MY_HAND_FIRST")
    message_events: int = Field(default=25_000, ge=0, validation_alias="CARDROOM_MESSAGE_EVENTS")
    pictures: bool = Field(default=True, validation_alias="CARDROOM_PICTURES")
    rest: str = Field(default="", validation_alias="CARDROOM_REST")
    gateway: str = Field(default="", validation_alias="CARDROOM_GATEWAY")
    cdn: str = Field(default="", validation_alias="CARDROOM_CDN")

    @property
    def local(self) -> bool:
        """Without a token the dealer plays on this machine, against the stand-in for Discord."""
        return not self.discord_token.get_secret_value()

    @property
    def folder(self) -> Path:
        """Where this run keeps its data. Chips of Discord and of the local cardroom stay apart."""
        return self.data / ("local" if self.local else DISCORD_FOLDER)

    @field_validator("discord_token", mode="after")
    @classmethod
    def _clean_token(cls, token: SecretStr) -> SecretStr:
        """Remove the spaces and the prefix that a pasted token often has."""
        pasted = token.get_secret_value().strip().removeprefix("Bot ").strip()
        if pasted != "".join(pasted.split()):
            raise ValueError(t(words.TOKEN_IS_ONE_WORD))
        return SecretStr(pasted)

    @field_validator("data", mode="before")
    @classmethod
    def _expand_home(cls, path: object) -> object:
        return Path(path).expanduser() if isinstance(path, str | Path) else path

    @field_validator("data", mode="after")
    @classmethod
    def _require_folder(cls, path: Path) -> Path:
        if path.exists() and not path.is_dir():
            raise ValueError(t(words.IS_A_FILE, path=path))
        return path.absolute()

    @field_validator("log_format", mode="before")
    @classmethod
    def _lower_case(cls, log_format: object) -> object:
        return log_format.strip().lower() if isinstance(log_format, str) else log_format

    @field_validator("metrics", mode="before")
    @classmethod
    def _parse_address(cls, address: object) -> object:
        return _parse_listen_address(address) if isinstance(address, str) else address

    @field_validator("log", mode="before")
    @classmethod
    def _upper_case(cls, level: object) -> object:
        return level.strip().upper() if isinstance(level, str) else level

    @field_validator("rest", "cdn", mode="after")
    @classmethod
    def _http_address(cls, address: str) -> str:
        return _checked_address(address, ("http", "https"))

    @field_validator("gateway", mode="after")
    @classmethod
    def _websocket_address(cls, address: str) -> str:
        return _checked_address(address, ("ws", "wss"))


def load(env_file: Path | None = ENV_FILE) -> Settings:
    """Read the settings: from the environment, else from the file, else their defaults.

    Raises:
        SettingsError: a value cannot be used, or a name that begins with `CARDROOM_` is unknown.
    """
    in_file = dotenv_values(env_file) if env_file is not None and env_file.is_file() else {}
    written = {name.upper(): value for name, value in (*in_file.items(), *os.environ.items()) if value}
    faults = _unknown_name_faults({*in_file, *os.environ})
    try:
        settings = Settings.model_validate({name: value for name, value in written.items() if name in setting_names()})
    except ValidationError as error:
        for fault in error.errors():
            own = fault.get("ctx", {}).get(
                "error", fault["msg"]
            )  # the error of a validator below, else pydantic's words
            faults.append(_fault_sentence(str(fault["loc"][0]), fault["type"], str(own)))
    else:
        faults += _partial_endpoint_faults(settings) + _open_metrics_faults(settings)
    if faults:
        raise SettingsError("\n".join(faults))
    return settings


def setting_names() -> tuple[str, ...]:
    """Return the names of all settings, as they are written in the environment."""
    return tuple(str(field.validation_alias) for field in Settings.model_fields.values())


def _checked_address(address: str, schemes: tuple[str, ...]) -> str:
    if not address:
        return ""
    parts = urlsplit(address.strip())
    if parts.scheme not in schemes or not parts.hostname:
        raise ValueError(t(words.ADDRESS_NEEDED, schemes=join_or([f"{scheme}://" for scheme in schemes])))
    return address.strip().rstrip("/")


def _parse_listen_address(text: str) -> ListenAddress:
    """Return an address such as ``127.0.0.1:9464``, ``localhost:9464`` or ``[::1]:9464``."""
    host, _, port = text.strip().rpartition(":")
    host = "127.0.0.1" if host == "localhost" else host.removeprefix("[").removesuffix("]")
    try:
        ip_address(host)
        number = int(port)
    except ValueError:
        number = -1
    if not 0 <= number <= 65_535:
        raise ValueError(t(words.METRICS_ADDRESS_NEEDED))
    return ListenAddress(host, number)


def _open_metrics_faults(settings: Settings) -> list[str]:
    """Refuse an address that other machines can reach, unless that was asked for."""
    if settings.metrics is None or settings.metrics.is_loopback or settings.metrics_open:
        return []
    return [t(words.METRICS_OPEN_NEEDED, host=settings.metrics.host)]


def _partial_endpoint_faults(settings: Settings) -> list[str]:
    """Refuse some endpoints without the others: half of the requests would go to Discord and half elsewhere."""
    given = {"CARDROOM_REST": settings.rest, "CARDROOM_GATEWAY": settings.gateway, "CARDROOM_CDN": settings.cdn}
    missing = [name for name, address in given.items() if not address]
    if not missing or len(missing) == len(given):
        return []
    present = [name for name in given if name not in missing]
    return [t(words.ENDPOINTS_MISSING, missing=join_and(missing), present=join_and(present))]


def _unknown_name_faults(written: set[str]) -> list[str]:
    """Report misspelt names, which would otherwise be ignored."""
    known = setting_names()
    faults = []
    for name in sorted(written):
        if name.upper().startswith(ENV_PREFIX) and name.upper() not in known:
            near = difflib.get_close_matches(name.upper(), known, 1)
            sentence = words.UNKNOWN_SETTING_LIKE if near else words.UNKNOWN_SETTING
            faults.append(t(sentence, setting=name, known=near[0] if near else join_list(known)))
    return faults


def _fault_sentence(name: str, kind: str, message: str) -> str:
    match kind, name:
        case "enum", "CARDROOM_LOG_FORMAT":
            message = t(words.CHOOSE_ONE_OF, values=join_list(list(LogFormat)))
        case "enum", _:
            message = t(words.CHOOSE_ONE_OF, values=join_list(list(LogLevel)))
        case "bool_parsing", _:
            message = t(words.YES_OR_NO)
    return t(words.FAULT, setting=name, problem=message)

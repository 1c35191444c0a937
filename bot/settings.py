"""Settings of the program, from the environment or a file `.env`, read once at the start. `.env.example` lists them."""

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from importlib.util import find_spec
from ipaddress import ip_address
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from dotenv import dotenv_values
from platformdirs import user_data_path

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


class Secret:
    """A text that is never printed or logged, whatever shows it."""

    __slots__ = ("_text",)

    def __init__(self, text: str = "") -> None:
        self._text = text

    def reveal(self) -> str:
        """Return the text."""
        return self._text

    def __repr__(self) -> str:
        return "Secret('**********')" if self._text else "Secret('')"


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Everything that is set from outside. It never changes while the dealer runs. `_READERS` says how each is written.

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
        database: the address of a PostgreSQL database that keeps chips, tables and hands; empty for a file in `folder`. Never printed.
        dealers: how many processes deal from a database; each waits until there is a slot for it. None: one for each slot that is free.
        standbys: how many processes more wait for a slot whose dealer ends.
        rest, gateway, cdn: addresses of the local stand-in, or of a test, that take the place of Discord; empty for Discord.
    """

    discord_token: Secret = field(default_factory=Secret)
    data: Path = field(default_factory=lambda: user_data_path("cardroom", appauthor=False))
    log: LogLevel = LogLevel.INFO
    log_format: LogFormat = LogFormat.TEXT
    metrics: ListenAddress | None = None
    metrics_open: bool = False
    backups: int = 24
    keep_hands: int | None = None
    my_hand_first: bool = False
    message_events: int = 25_000
    pictures: bool = True
    database: Secret = field(default_factory=Secret)
    dealers: int | None = None
    standbys: int = 0
    rest: str = ""
    gateway: str = ""
    cdn: str = ""

    @property
    def local(self) -> bool:
        """Without a token the dealer plays on this machine, against the stand-in for Discord."""
        return not self.discord_token.reveal()

    @property
    def folder(self) -> Path:
        """Where this run keeps its data. Chips of Discord and of the local cardroom stay apart."""
        return self.data / ("local" if self.local else DISCORD_FOLDER)

    @property
    def secrets(self) -> tuple[str, ...]:
        """What is never printed or logged, whatever shows it."""
        address = self.database.reveal()
        return (self.discord_token.reveal(), address, urlsplit(address).password or "")


def load(env_file: Path | None = ENV_FILE) -> Settings:
    """Read the settings: from the environment, else from the file, else their defaults.

    Raises:
        SettingsError: a value cannot be used, or a name that begins with `CARDROOM_` is unknown.
    """
    in_file = dotenv_values(env_file) if env_file is not None and env_file.is_file() else {}
    written = {name.upper(): value for name, value in (*in_file.items(), *os.environ.items()) if value}
    faults = _unknown_name_faults({*in_file, *os.environ})
    values: dict[str, Any] = {}
    unread = len(faults)
    for name, (attribute, read) in _READERS.items():
        if name in written:
            try:
                values[attribute] = read(written[name])
            except ValueError as error:
                faults.append(t(words.FAULT, setting=name, problem=str(error)))
    settings = Settings(**values)
    if len(faults) == unread:
        faults += (
            _partial_endpoint_faults(settings) + _open_metrics_faults(settings) + _several_dealers_faults(settings)
        )
    if faults:
        raise SettingsError("\n".join(faults))
    return settings


def schema_of(*, local: bool, slot: int = 0) -> str:
    """Return where in a database the chips of a slot of the local cardroom are, or of one of Discord."""
    if local:
        return f"cardroom_local_{slot}" if slot else "cardroom_local"
    return f"cardroom_{slot}"


def slot_folder(folder: Path, number: int, count: int) -> Path:
    """Return where in the folder of a cardroom the dealer of a slot keeps what is its own: several can run on one machine."""
    return folder if count == 1 else folder / f"slot-{number}"


def house_schema_of(*, local: bool) -> str:
    """Return where in a database is what all dealers share."""
    return "cardroom_local_house" if local else "cardroom_house"


def setting_names() -> tuple[str, ...]:
    """Return the names of all settings, as they are written in the environment."""
    return tuple(_READERS)


# How each is written. What cannot be read raises a ValueError, whose text is what the fault says after the setting's name.


def _token(written: str) -> Secret:
    """Remove the spaces and the prefix that a pasted token often has."""
    pasted = written.strip().removeprefix("Bot ").strip()
    if pasted != "".join(pasted.split()):
        raise ValueError(t(words.TOKEN_IS_ONE_WORD))
    return Secret(pasted)


def database_address(written: str) -> Secret:
    """Return the address of a PostgreSQL database.

    Raises:
        ValueError: it is none, or psycopg is missing. The text names no part of it: it can hold a password.
    """
    address = written.strip()
    try:
        is_one = urlsplit(address).scheme in {"postgresql", "postgres"}
    except ValueError:
        is_one = False
    if not is_one:
        raise ValueError(t(words.DATABASE_NEEDED))
    if find_spec("psycopg") is None:
        raise ValueError(t(words.DATABASE_NEEDS_EXTRA))
    return Secret(address)


def _folder(written: str) -> Path:
    path = Path(written).expanduser()
    if path.exists() and not path.is_dir():
        raise ValueError(t(words.IS_A_FILE, path=path))
    return path.absolute()


def _level(written: str) -> LogLevel:
    return LogLevel(_one_of(written.strip().upper(), LogLevel))


def _format(written: str) -> LogFormat:
    return LogFormat(_one_of(written.strip().lower(), LogFormat))


def _one_of(written: str, values: Iterable[str]) -> str:
    if written not in (allowed := list(values)):
        raise ValueError(t(words.CHOOSE_ONE_OF, values=join_list(allowed)))
    return written


def _yes_or_no(written: str) -> bool:
    answer = written.strip().lower()
    if answer in {"yes", "y", "on", "true", "t", "1"}:
        return True
    if answer in {"no", "n", "off", "false", "f", "0"}:
        return False
    raise ValueError(t(words.YES_OR_NO))


def _number(least: int, most: int) -> Callable[[str], int]:
    def read(written: str) -> int:
        try:
            number = int(written)
        except ValueError:
            number = least - 1
        if not least <= number <= most:
            raise ValueError(t(words.NUMBER_BETWEEN, least=least, most=most))
        return number

    return read


def _web_address(written: str) -> str:
    return _checked_address(written, ("http", "https"))


def _socket_address(written: str) -> str:
    return _checked_address(written, ("ws", "wss"))


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


def _several_dealers_faults(settings: Settings) -> list[str]:
    """Refuse several processes on one file, which belongs to one, and a bot of no process at all."""
    if not settings.database.reveal() and (settings.dealers not in (None, 1) or settings.standbys):
        return [t(words.DEALERS_NEED_DATABASE)]
    return [t(words.NO_DEALER_AT_ALL)] if settings.dealers == settings.standbys == 0 else []


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
    if all(name.upper() in known for name in written if name.upper().startswith(ENV_PREFIX)):
        return []
    import difflib  # which takes a while, and is needed where something is misspelt

    faults = []
    for name in sorted(written):
        if name.upper().startswith(ENV_PREFIX) and name.upper() not in known:
            near = difflib.get_close_matches(name.upper(), known, 1)
            sentence = words.UNKNOWN_SETTING_LIKE if near else words.UNKNOWN_SETTING
            faults.append(t(sentence, setting=name, known=near[0] if near else join_list(known)))
    return faults


_READERS: dict[str, tuple[str, Callable[[str], Any]]] = {
    "DISCORD_TOKEN": ("discord_token", _token),
    "CARDROOM_DATA": ("data", _folder),
    "CARDROOM_LOG": ("log", _level),
    "CARDROOM_LOG_FORMAT": ("log_format", _format),
    "CARDROOM_METRICS": ("metrics", _parse_listen_address),
    "CARDROOM_METRICS_OPEN": ("metrics_open", _yes_or_no),
    "CARDROOM_BACKUPS": ("backups", _number(0, 10_000)),
    "CARDROOM_KEEP_HANDS": ("keep_hands", _number(1, 36_500)),
    "CARDROOM_MY_HAND_FIRST": ("my_hand_first", _yes_or_no),
    "CARDROOM_MESSAGE_EVENTS": ("message_events", _number(0, 10_000_000)),
    "CARDROOM_PICTURES": ("pictures", _yes_or_no),
    "CARDROOM_DATABASE": ("database", database_address),
    "CARDROOM_DEALERS": ("dealers", _number(0, 16)),
    "CARDROOM_STANDBYS": ("standbys", _number(0, 16)),
    "CARDROOM_REST": ("rest", _web_address),
    "CARDROOM_GATEWAY": ("gateway", _socket_address),
    "CARDROOM_CDN": ("cdn", _web_address),
}
"""Each setting as it is written outside, its attribute, and what reads it."""

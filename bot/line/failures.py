"""What can go wrong with a request to Discord: one tree, made at the line.

Whoever catches one decides by its class what to do: try later, send anew, give up. No library's own exception gets past the line.

    DiscordFailed
     ├─ TryLater             no answer now: 429, 5xx, a broken connection
     │   └─ OutcomeUnknown   the same, but the request may have had its effect
     ├─ Gone                 the message, person or role is not there
     │   └─ ChannelGone      nor is its channel or thread
     ├─ NotAllowed           the bot lacks a permission
     │   ├─ DmClosed         this person cannot be sent direct messages
     │   └─ ThreadLocked     the thread is archived, and no message of the bot opens it
     ├─ TokenEnded           the interaction's token is over
     ├─ EditsLimited         the message is old, and cannot be edited now
     ├─ ThreadArchived       nothing in the thread can be changed before a new message opens it
     ├─ ChannelsLimited      no channel of direct messages can be opened now
     │   └─ Quarantined      nor for a long time
     └─ Rejected             the request was wrong
         ├─ TooLate          the interaction has been answered, or three seconds are over
         └─ FileRefused      its file is too large
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import aiohttp
import discord

from bot.line.json_posts import NotConnected

UNKNOWN_CHANNEL, UNKNOWN_MEMBER, UNKNOWN_MESSAGE, UNKNOWN_ROLE, UNKNOWN_USER = 10003, 10007, 10008, 10011, 10013
UNKNOWN_WEBHOOK, UNKNOWN_INTERACTION = 10015, 10062
QUARANTINED = 20026
TOO_MANY_OLD_EDITS = 30046
OPENED_TOO_FAST, FILE_TOO_LARGE, ALREADY_ACKNOWLEDGED, TAG_REQUIRED = 40003, 40005, 40060, 40067
MISSING_ACCESS, CANNOT_SEND_DM, MISSING_PERMISSIONS, INVALID_WEBHOOK_TOKEN = 50001, 50007, 50013, 50027
THREAD_ARCHIVED, NO_MUTUAL_SERVER = 50083, 50278
TOO_MANY_THREADS = 160006
"""Discord's codes for what it refuses."""

_CAN_BE_ABOUT_FILES = frozenset((400, 403, 413))


class DiscordFailed(Exception):
    """A request to Discord that came to nothing, as far as is known.

    Attributes:
        status: of the HTTP response; 0 if there was none.
        code: Discord's own code; 0 for none.
        text: what Discord, or the connection, says about it.
        can_be_about_files: a request with a file can have failed because of it: too large, not allowed, or not there.
    """

    names_no_file: ClassVar[bool] = False
    """Whether a failure of this kind is never about a file."""

    def __init__(self, text: str = "", *, status: int = 0, code: int = 0) -> None:
        super().__init__(text)
        self.text, self.status, self.code = text, status, code

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.text!r}, status={self.status}, code={self.code})"

    @property
    def can_be_about_files(self) -> bool:
        return self.status in _CAN_BE_ABOUT_FILES and not self.names_no_file


class TryLater(DiscordFailed):
    """Discord does not take the request now. It has had no effect.

    Attributes:
        retry_after: in how many seconds to try again; 0 where Discord does not say.
    """

    def __init__(self, text: str = "", *, status: int = 0, code: int = 0, retry_after: float = 0.0) -> None:
        super().__init__(text, status=status, code=code)
        self.retry_after = retry_after


class OutcomeUnknown(TryLater):
    """The response is lost, or it is Discord's own fault (5xx): the request may have had its effect."""


class Gone(DiscordFailed):
    """What the request names is not there (any more)."""


class ChannelGone(Gone):
    """The channel or thread is not there (any more)."""


class NotAllowed(DiscordFailed):
    """The bot lacks a permission."""


class DmClosed(NotAllowed):
    """This person cannot be sent direct messages: theirs are closed, or no server is shared."""


class ThreadLocked(NotAllowed):
    """The thread is archived, and not even a new message of the bot opens it."""

    names_no_file = True


class TokenEnded(DiscordFailed):
    """The token of the interaction can do nothing any more: after fifteen minutes, and sometimes before."""

    names_no_file = True


class EditsLimited(DiscordFailed):
    """Discord allows few edits of messages older than an hour, and there were too many."""

    names_no_file = True


class ThreadArchived(DiscordFailed):
    """The thread is archived: nothing in it can be changed until a new message has opened it."""

    names_no_file = True


class ChannelsLimited(DiscordFailed):
    """No channel of direct messages can be opened now. That says nothing about the person."""


class Quarantined(ChannelsLimited):
    """Discord lets the bot write only to people to whom it has written before."""


class Rejected(DiscordFailed):
    """The request is not one that Discord accepts; sent again it would be refused again."""


class TooLate(Rejected):
    """The interaction can no longer be answered: three seconds are over, or it has been answered."""

    names_no_file = True


class FileRefused(Rejected):
    """The file is too large."""


_BY_CODE: dict[int, type[DiscordFailed]] = {
    UNKNOWN_WEBHOOK: TokenEnded,
    INVALID_WEBHOOK_TOKEN: TokenEnded,
    UNKNOWN_INTERACTION: TooLate,
    ALREADY_ACKNOWLEDGED: TooLate,
    QUARANTINED: Quarantined,
    OPENED_TOO_FAST: ChannelsLimited,
    TOO_MANY_OLD_EDITS: EditsLimited,
    FILE_TOO_LARGE: FileRefused,
    THREAD_ARCHIVED: ThreadArchived,
    CANNOT_SEND_DM: DmClosed,
    NO_MUTUAL_SERVER: DmClosed,
    MISSING_ACCESS: NotAllowed,
    MISSING_PERMISSIONS: NotAllowed,
    UNKNOWN_CHANNEL: ChannelGone,
    UNKNOWN_MESSAGE: Gone,
}
_BY_STATUS: dict[int, type[DiscordFailed]] = {401: TokenEnded, 403: NotAllowed, 404: Gone, 413: FileRefused}


def failure_of(method: str, status: int, code: int, text: str, retry_after: float = 0.0) -> DiscordFailed:
    """Return what a response of Discord means that is no success."""
    kind = _BY_CODE.get(code)
    if kind is ThreadArchived and method == "POST":  # a new message would have opened a thread that is not locked
        kind = ThreadLocked
    if kind is None and status >= 500:
        return OutcomeUnknown(text, status=status, code=code)
    if kind is None and status == 429:
        return TryLater(text, status=status, code=code, retry_after=retry_after)
    return (kind or _BY_STATUS.get(status, Rejected))(text, status=status, code=code)


def failure_from(error: Exception) -> DiscordFailed:
    """Return what an exception of discord.py or aiohttp means, or one of the connection."""
    match error:
        case discord.HTTPException():
            response = error.response
            return failure_of(response.method, error.status, error.code, error.text, retry_after_of(response.headers))
        case discord.RateLimited():
            return TryLater(str(error), status=429, retry_after=error.retry_after)
        case aiohttp.ClientConnectorError() | NotConnected():  # not even connected
            return TryLater(repr(error))
        case _:
            return OutcomeUnknown(repr(error))


def retry_after_of(headers: Mapping[str, str]) -> float:
    """Return in how many seconds Discord wants to be asked again; 0 where it does not say."""
    try:
        return max(0.0, float(headers.get("Retry-After", "")))
    except ValueError:
        return 0.0


FROM_LIBRARIES = (discord.HTTPException, discord.RateLimited, aiohttp.ClientError, OSError)
"""What discord.py and aiohttp raise when a request fails. Only the line catches these."""

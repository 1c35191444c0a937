"""Discord's rate limits, as far as a bot can run into them. They can be switched off.

Discord documents only the limit of 50 requests per second for a bot, from which interaction routes are exempt. Library
authors found the others: 5 messages and 5 edits in 5 s and 5 deletions in 1 s per channel, each with its own counter;
5 follow-ups in 2 s per interaction token, and 30 a minute in a channel over all tokens, ephemeral ones included; 3 edits in 20 s of
messages older than an hour.
"""

import hashlib
import math
from typing import NamedTuple

from bot.local.clock import AdjustableClock
from bot.local.errors import ApiError


class RateLimit(NamedTuple):
    """A number of requests allowed within a number of seconds. Routes with the same name share their counters."""

    name: str
    requests: int
    seconds: float


SEND_MESSAGE = RateLimit("send", 5, 5.0)
EDIT_MESSAGE = RateLimit("edit", 5, 5.0)
DELETE_MESSAGE = RateLimit("delete", 5, 1.0)
INTERACTION_TOKEN = RateLimit("token", 5, 2.0)
FOLLOW_UPS = RateLimit("follow-up", 30, 60.0)
"""In a channel. Discord calls this limit shared."""
EDIT_OLD_MESSAGE = RateLimit("old-edit", 3, 20.0)
GLOBAL = RateLimit("global", 50, 1.0)
OPEN_DM = RateLimit("open-dm", 10, 10.0)
REGISTER_COMMANDS = RateLimit("commands", 5, 20.0)
OTHER = RateLimit("other", 50, 1.0)


class _Window:
    __slots__ = ("ends_at", "remaining")

    def __init__(self, remaining: int, ends_at: float) -> None:
        self.remaining = remaining
        self.ends_at = ends_at


class RateLimiter:
    """Counts requests in fixed windows. A window opens with its first request; the next one starts full."""

    def __init__(self, clock: AdjustableClock, *, enabled: bool) -> None:
        self.enabled = enabled
        self._clock = clock
        self._windows: dict[tuple[str, str], _Window] = {}
        self._next_cleanup = 0.0

    def count_global(self) -> None:
        """Count a request against the bot's 50 per second.

        Raises:
            ApiError: 429 with ``global: true``.
        """
        if not self.enabled:
            return
        window, now = self._window(GLOBAL, "")
        if window.remaining == 0:
            error = _too_many_requests(window.ends_at - now, is_global=True)
            error.headers |= {"X-RateLimit-Global": "true", "X-RateLimit-Scope": "global"}
            raise error
        window.remaining -= 1

    def count(self, limit: RateLimit, major_value: str) -> dict[str, str]:
        """Count a request for one channel, token or other major parameter. Returns the response headers.

        Raises:
            ApiError: 429; its code is 30046 for edits of old messages.
        """
        if not self.enabled:
            return {}
        window, now = self._window(limit, major_value)
        if window.remaining == 0:
            error = _too_many_requests(window.ends_at - now, is_global=False)
            scope = "shared" if limit is FOLLOW_UPS else "user"
            error.headers |= self._headers(limit, window, now) | {"X-RateLimit-Scope": scope}
            if limit is EDIT_OLD_MESSAGE:
                error.body["code"] = error.code = 30046
                error.body["message"] = "Maximum number of edits to messages older than 1 hour reached."
            raise error
        window.remaining -= 1
        return self._headers(limit, window, now)

    def _window(self, limit: RateLimit, major_value: str) -> tuple[_Window, float]:
        now = self._clock.now()
        if now > self._next_cleanup:
            self._windows = {key: window for key, window in self._windows.items() if window.ends_at > now}
            self._next_cleanup = now + 60
        key = (limit.name, major_value)
        window = self._windows.get(key)
        if window is None or window.ends_at <= now:
            window = self._windows[key] = _Window(limit.requests, now + limit.seconds)
        return window, now

    def _headers(self, limit: RateLimit, window: _Window, now: float) -> dict[str, str]:
        return {
            "X-RateLimit-Limit": str(limit.requests),
            "X-RateLimit-Remaining": str(window.remaining),
            "X-RateLimit-Reset": f"{window.ends_at:.3f}",
            "X-RateLimit-Reset-After": f"{window.ends_at - now:.3f}",
            "X-RateLimit-Bucket": hashlib.md5(limit.name.encode(), usedforsecurity=False).hexdigest(),
        }


def _too_many_requests(seconds: float, *, is_global: bool) -> ApiError:
    retry_after = math.ceil(seconds * 1000) / 1000
    error = ApiError(429, 0, "You are being rate limited.", retry_after=retry_after)
    error.body["global"] = is_global
    error.headers["Retry-After"] = str(math.ceil(retry_after))
    return error

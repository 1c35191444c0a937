"""Discord's rate limits, as far as a bot can meet them. All of it can be switched off.

The numbers: 50 requests a second for the bot (interaction routes exempt); per channel 5 messages, 5 edits in 5 s and
5 deletions in 1 s, each with its own counter; 5 follow-ups in 2 s per interaction token; 3 edits in 20 s of messages
older than an hour. Discord publishes only the first; the others are what libraries found.
"""

from __future__ import annotations

import hashlib
import math
from typing import NamedTuple

from bot.local.clock import Clock
from bot.local.errors import ApiError


class Rule(NamedTuple):
    """So many requests in so many seconds; `scope` says what shares a counter."""

    name: str
    limit: int
    seconds: float


SEND = Rule("send", 5, 5.0)
EDIT = Rule("edit", 5, 5.0)
DELETE = Rule("delete", 5, 1.0)
TOKEN = Rule("token", 5, 2.0)
OLD_EDIT = Rule("old-edit", 3, 20.0)
GLOBAL = Rule("global", 50, 1.0)
OPEN_DM = Rule("open-dm", 10, 10.0)
COMMANDS = Rule("commands", 5, 20.0)
OTHER = Rule("other", 50, 1.0)


class _Window:
    __slots__ = ("ends", "left")

    def __init__(self, left: int, ends: float) -> None:
        self.left = left
        self.ends = ends


class RateLimits:
    """Counters with fixed windows: a window opens with its first request and is full again when it ends."""

    def __init__(self, clock: Clock, *, on: bool) -> None:
        self.on = on
        self._clock = clock
        self._windows: dict[tuple[str, str], _Window] = {}
        self._sweep_at = 0.0

    def take_global(self) -> None:
        """Count a request against the bot's 50 a second.

        Raises:
            ApiError: 429 with ``global: true``.
        """
        if not self.on:
            return
        window, now = self._window(GLOBAL, "")
        if window.left == 0:
            error = _too_many(window.ends - now, is_global=True)
            error.headers |= {"X-RateLimit-Global": "true", "X-RateLimit-Scope": "global"}
            raise error
        window.left -= 1

    def take(self, rule: Rule, major: str) -> dict[str, str]:
        """Count a request of this rule for a channel, token or other major parameter; returns the answer's headers.

        Raises:
            ApiError: 429; for old messages with code 30046.
        """
        if not self.on:
            return {}
        window, now = self._window(rule, major)
        if window.left == 0:
            error = _too_many(window.ends - now, is_global=False)
            error.headers |= self._headers(rule, window, now) | {"X-RateLimit-Scope": "user"}
            if rule is OLD_EDIT:
                error.body["code"] = error.code = 30046
                error.body["message"] = "Maximum number of edits to messages older than 1 hour reached."
            raise error
        window.left -= 1
        return self._headers(rule, window, now)

    def _window(self, rule: Rule, major: str) -> tuple[_Window, float]:
        now = self._clock.now()
        if now > self._sweep_at:
            self._windows = {key: window for key, window in self._windows.items() if window.ends > now}
            self._sweep_at = now + 60
        key = (rule.name, major)
        window = self._windows.get(key)
        if window is None or window.ends <= now:
            window = self._windows[key] = _Window(rule.limit, now + rule.seconds)
        return window, now

    def _headers(self, rule: Rule, window: _Window, now: float) -> dict[str, str]:
        return {
            "X-RateLimit-Limit": str(rule.limit),
            "X-RateLimit-Remaining": str(window.left),
            "X-RateLimit-Reset": f"{window.ends:.3f}",
            "X-RateLimit-Reset-After": f"{window.ends - now:.3f}",
            "X-RateLimit-Bucket": hashlib.md5(rule.name.encode(), usedforsecurity=False).hexdigest(),
        }


def _too_many(seconds: float, *, is_global: bool) -> ApiError:
    wait = math.ceil(seconds * 1000) / 1000
    error = ApiError(429, 0, "You are being rate limited.", retry_after=wait)
    error.body["global"] = is_global
    error.headers["Retry-After"] = str(math.ceil(wait))
    return error

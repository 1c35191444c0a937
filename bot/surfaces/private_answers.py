"""The private answers that people have on their screens.

A newer answer leaves the older ones where they are: their reader can take them away, and a deletion for each would double the requests of
a chatty evening. Nor does an old answer become the next one when somebody presses a button: Discord shows no edit of a message that its
reader has dismissed, and does not say so either; they would be left in silence.

An answer whose buttons are about its reader's seat loses them once something else about that seat has changed: *I'm back* is nothing to
press for somebody who is back. Some answers stand only until the next hand (`answers_until_my_hand.py`).

A private message can be changed only by the token of the interaction that made it, and only for fifteen minutes. Older ones are left alone.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator
from contextlib import contextmanager

from msgspec import Struct

from bot.background_tasks import BackgroundTasks
from bot.engine.errors import TableError
from bot.line.by_token import TOKEN_MS, Token, TokenRequests
from bot.line.failures import DiscordFailed, Gone, TokenEnded
from bot.line.payloads import AttachedFile, Raw, message_data, private_message_data
from bot.render.message.notice import notice_panel
from bot.render.message.panel import Panel, payload
from bot.runtime.clock import AlarmClock
from bot.runtime.snapshot import TableUpdate
from bot.runtime.tables import Tables
from bot.signals import PanelChanged, Signals
from bot.surfaces.answer_pictures import FileToCome
from bot.surfaces.answers_until_my_hand import AnswersUntilMyHand
from bot.surfaces.open_forms import OpenForms
from bot.surfaces.part import Part
from bot.surfaces.people.profiles import Preferences
from bot.surfaces.people.seat_situation import seat_situation
from bot.text.language import reading, t
from bot.text.refusals.wording import EXPIRED_BUTTON
from bot.text.sit_and_go import has_started

log = logging.getLogger(__name__)

REMEMBERED_MAX = 20_000
"""The most people whose last click is remembered."""


class PrivateMessage(Struct, frozen=True, gc=False):
    """A private message, and the token that can change it.

    Attributes:
        message: its id; 0 if Discord has not told.
        is_original: it is what the token's interaction was answered with, or the message that was clicked; else it followed.
        at: when the interaction began, in ms since the epoch.
        channel: where it was: what is sent by its token comes there. 0 where that is not known.
    """

    token: str
    message: int
    is_original: bool
    at: int
    channel: int = 0

    def __repr__(self) -> str:
        """Tell which message it is, without the token: this can end up in a log."""
        return f"<private message {self.message}>"

    def is_alive(self, now: int) -> bool:
        """Whether it can still be changed."""
        return now < self.at + TOKEN_MS

    @property
    def access(self) -> Token:
        """The token, as the line takes it."""
        if self.is_original:
            return Token(0, 0, self.token, self.at, self.channel, original=self.message)
        return Token(0, 0, self.token, self.at, self.channel, messages=(self.message,))


class LivePanels(Part):
    """Who has a live panel, one that the dealer can still redraw: what a table's message offers depends on it.

    It is made before the tables' messages, which ask it; the panels themselves fill it.

    Whether a panel is still on a screen nobody knows: its reader can have dismissed it, or started their client anew.
    """

    def __init__(self, clock: AlarmClock, signals: Signals) -> None:
        self._clock, self._signals = clock, signals
        self._panels: dict[tuple[int, int], PrivateMessage] = {}

    def has_live_panel(self, table: int, user: int, *, below: int = 0) -> bool:
        """Return whether a player has a live panel at a table.

        Args:
            below: a message; a panel above it does not count: its reader would have to scroll up to it.
        """
        panel = self._panels.get((table, user))
        return panel is not None and panel.message > below and panel.is_alive(self._clock.now())

    def note(self, table: int, user: int, panel: PrivateMessage | None) -> None:
        """A player's panel is this message, and can be edited by this token; None: they have no live one any more."""
        before = self._panels.pop((table, user), None)
        if panel is not None:
            self._panels[table, user] = panel
        if (before.message if before is not None else 0) != (panel.message if panel is not None else 0):
            self._signals.send(PanelChanged(table, user))


class PrivateAnswers(Part):
    """Remembers each person's last private answer and the token of their last interaction.

    An answer about somebody's seat is outdated when what is so of the seat is another (`seat_situation`).

    Attributes:
        until_my_hand: those that stand only until their reader opens *My hand*.
        forms: those that people have before them.
    """

    def __init__(self, discord_api: TokenRequests, tables: Tables, clock: AlarmClock, preferences: Preferences) -> None:
        self._discord_api, self._preferences = discord_api, preferences
        self._clock = clock
        self._last: dict[int, tuple[PrivateMessage, ...]] = {}
        self._tokens: dict[int, tuple[str, int, int]] = {}
        self._about_seats: dict[int, dict[int, tuple[int, object]]] = {}
        self._tables = tables
        self.until_my_hand = AnswersUntilMyHand[PrivateMessage](tables, self._take, self._lead_there)
        self.forms = OpenForms()
        self._clicked: set[int] = set()
        self._pictures: dict[int, asyncio.Task[None]] = {}
        self.tasks = BackgroundTasks()

    def now(self) -> int:
        return self._clock.now()

    def remember_token(self, user: int, token: str, channel: int) -> None:
        """Remember the token of a person's newest interaction: for a while it reaches them privately."""
        self._tokens[user] = token, self._clock.now(), channel
        if len(self._tokens) > REMEMBERED_MAX:
            for known in (self._tokens, self._last):
                for each in list(known)[: REMEMBERED_MAX // 2]:
                    del known[each]

    async def forget(self, guild: int, user: int) -> None:
        """Forget how a person can be reached privately, and what they have typed."""
        self._tokens.pop(user, None)
        self.forms.forget(user)

    def replace(
        self, user: int, answers: tuple[PrivateMessage, ...], beside: int = 0, table: int = 0, instead_of: int = 0
    ) -> None:
        """A person has new answers. Older ones stay where they are; one about the same seat loses its buttons.

        Args:
            beside: the message whose button was answered.
            table: the newest answer is about the person's seat at this table; 0 for another.
            instead_of: the answer that should have become this one and did not. It goes if it is there, whatever it shows.
        """
        if instead_of:
            self.dismiss(user, instead_of)
        for about in self._about_seats.values():
            if about.get(user, (0, None))[0] == answers[-1].message:
                del about[user]
        kept = {answer.message for answer in answers} | {beside}
        if table:
            replaced, _ = self._about_seats.get(table, {}).get(user, (0, None))
            if replaced not in kept:
                self._outdate(user, replaced)
            situation = seat_situation(self._tables.snapshot(table), user)
            self._about_seats.setdefault(table, {})[user] = answers[-1].message, situation
        can_go = {about[user][0] for about in self._about_seats.values() if user in about} | {beside}
        new = {answer.message for answer in answers}
        stays = [old for old in self._last.get(user, ()) if old.message in can_go - new]
        self._last[user] = (*stays, *answers)

    def _take(self, user: int, answer: PrivateMessage) -> None:
        self.delete(answer)
        self.forget_message(user, answer.message)

    def _lead_there(self, user: int, answer: PrivateMessage, channel: int) -> None:
        with reading(self._preferences.language(user)):
            self._become(user, answer, has_started(channel))
        self.forget_message(user, answer.message)

    def dismiss(self, user: int, message: int) -> None:
        """Take one of a person's answers away: what it asked is done."""
        for old in self._last.get(user, ()):
            if old.message == message:
                self.delete(old)
        self.forget_message(user, message)

    async def close(self) -> None:
        """Wait a little for answers that are being changed or taken away."""
        await self.tasks.finish(seconds=1.0)

    def on_update(self, update: TableUpdate) -> None:
        """Void the answers that are about somebody's seat at this table and no longer true."""
        table = update.snapshot.id
        self.until_my_hand.on_update(update)
        about = self._about_seats.get(table, {})
        for user, (message, situation) in list(about.items()):
            if message not in self._clicked and seat_situation(update.snapshot, user) != situation:
                del about[user]
                self._outdate(user, message)
        if not about:
            self._about_seats.pop(table, None)

    @contextmanager
    def clicked(self, user: int, message: int) -> Iterator[bool]:
        """Inside, a click on a person's message is answered. Says whether that is their answer about a seat, which becomes the next one."""
        about = [(table, each[user]) for table, each in self._about_seats.items() if each.get(user, (0,))[0] == message]
        if about:
            self._clicked.add(message)
        try:
            with self.until_my_hand.clicked(user, message):
                yield bool(about)
        finally:
            self._clicked.discard(message)
            for table, noted in about:
                if self._about_seats.get(table, {}).get(user) == noted and self._is_outdated(table, user, noted[1]):
                    del self._about_seats[table][user]
                    self._outdate(user, message)

    def _outdate(self, user: int, message: int) -> None:
        """Let one of a person's answers say that it is no longer true, instead of what can be pressed. It becomes no other answer."""
        now = self._clock.now()
        for old in self._last.get(user, ()):
            if old.message == message and old.is_alive(now):
                with reading(self._preferences.language(user)):
                    self._become(user, old, t(EXPIRED_BUTTON))
        self.forget_message(user, message)

    def _become(self, user: int, old: PrivateMessage, text: str) -> None:
        """Let a message say this and nothing else. Nobody waits for it."""
        data = message_data(payload(notice_panel(text)), keeps_files=False)
        self.tasks.run(self.edit(user, old, data), "outdate-private")

    def _is_outdated(self, table: int, user: int, situation: object) -> bool:
        try:
            return seat_situation(self._tables.snapshot(table), user) != situation
        except TableError:
            return True

    def forget_message(self, user: int, message: int) -> None:
        """A message is no answer any more: it has become something else."""
        left = tuple([answer for answer in self._last.get(user, ()) if answer.message != message])
        if left:
            self._last[user] = left
        else:
            self._last.pop(user, None)

    async def show(self, user: int, panel: Panel, file: AttachedFile | None = None) -> bool:
        """Show a person a panel that they did not ask for: instead of their last answer, else by the token of their last interaction.

        Returns whether that was possible.

        Args:
            file: the picture in the panel.
        """
        last = self._last.get(user, ())[-1:]
        old = last[0] if last and last[0].is_alive(self._clock.now()) else None
        if old is not None and await self.edit(user, old, message_data(payload(panel), file, keeps_files=False), file):
            return True
        message = await self.follow_up(user, payload(panel), file)
        if message is not None:
            self.replace(user, (message,), instead_of=old.message if old is not None else 0)
        return message is not None

    async def follow_up(
        self, user: int, components: list[Raw], file: AttachedFile | None = None
    ) -> PrivateMessage | None:
        """Show a person a message by the token of their last interaction; None if that was not possible."""
        token, at, channel = self._tokens.get(user, ("", 0, 0))
        if not token or self._clock.now() >= at + TOKEN_MS:
            return None
        data = private_message_data(components, file)
        try:
            message = await self._discord_api.follow_up_privately(token, channel, data, file)
        except DiscordFailed as error:
            log.info("private_follow_up_failed", extra={"user": user, "error": repr(error)})
            return None
        return PrivateMessage(token, message, is_original=False, at=at, channel=channel)

    async def edit(self, user: int, old: PrivateMessage, data: Raw, file: AttachedFile | None = None) -> bool:
        """Let an answer of a person become another one. Returns whether it is known to have."""
        self.forget_picture(old.message)
        try:
            await self._discord_api.edit(old.access, old.message, data, file)
        except (Gone, TokenEnded):  # its reader has taken it away, or the token has ended
            self.forget_message(user, old.message)
            return False
        except DiscordFailed as error:  # it is still there, and goes when another one takes its place
            log.info("private_answer_not_edited", extra={"user": user, "error": repr(error)})
            return False
        return True

    def let_picture_follow(
        self, shown: PrivateMessage, components: list[Raw], file: AttachedFile | FileToCome | None
    ) -> None:
        """Show a message that went out in text with its picture, once that is drawn. Nobody waits for it."""
        if not isinstance(file, FileToCome) or file.is_taken:
            return
        self.forget_picture(shown.message)
        self._pictures[shown.message] = self.tasks.run(self._show_picture(shown, components, file), "picture-follows")

    def forget_picture(self, message: int) -> None:
        """A message shows something else from now on: the picture that was to follow is not shown."""
        if (due := self._pictures.pop(message, None)) is not None:
            due.cancel()

    async def _show_picture(self, shown: PrivateMessage, components: list[Raw], file: FileToCome) -> None:
        try:
            if (drawn := await file.drawn()) is not None:
                await self._discord_api.edit(shown.access, shown.message, message_data(components, drawn), drawn)
        except DiscordFailed as error:
            log.info("picture_not_shown", extra={"error": repr(error)})
        finally:
            if self._pictures.get(shown.message) is asyncio.current_task():
                del self._pictures[shown.message]

    def delete(self, old: PrivateMessage) -> None:
        """Take a private message away, if that is still possible. Nobody waits for it."""
        self.tasks.run(self.take_away(old), "delete-private")

    async def take_away(self, old: PrivateMessage) -> None:
        """The same, and wait for it."""
        self.forget_picture(old.message)
        if not old.is_alive(self._clock.now()):
            return
        try:
            await self._discord_api.delete(old.access, old.message)
        except DiscordFailed as error:
            log.info("private_delete_failed", extra={"error": repr(error)})

"""The one answer to an interaction: at once if possible, deferred in time if not, never twice.

Discord wants an answer within three seconds. When an answer cannot reach Discord any more, that is logged and reported to the caller;
nothing here raises for it.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AbstractContextManager, ExitStack, nullcontext
from typing import Protocol, TypeVar

from bot.engine.errors import TableError
from bot.line.api import DiscordApi
from bot.line.by_token import Token, TokenRequests
from bot.line.failures import DiscordFailed, EditsLimited, Gone, Rejected, TokenEnded, TooLate, TryLater
from bot.line.interaction import InteractionInfo
from bot.line.payloads import (
    DEFER,
    DEFER_UPDATE,
    EPHEMERAL,
    FORM,
    MESSAGE,
    UPDATE,
    AttachedFile,
    message_data,
    private_file_data,
    private_message_data,
)
from bot.line.request_queue import RequestLine
from bot.render.message.custom_ids import Press, parse_custom_id
from bot.render.message.notice import notice_panel, refusal_panel
from bot.render.message.panel import (
    Form,
    Panel,
    Picture,
    Raw,
    form_payload,
    payload,
    shows_picture,
    without_pictures,
)
from bot.surfaces.answer_pictures import FileToCome, ready_file
from bot.surfaces.keeper import Drawing
from bot.surfaces.private_answers import PrivateAnswers, PrivateMessage
from bot.text import confirmations as words
from bot.text.buttons import Verb
from bot.text.language import t
from bot.text.refusals import wording

log = logging.getLogger(__name__)
T = TypeVar("T")


class PressedTable(Protocol):
    """Whose public message was pressed (`bot.surfaces.table.display.TableAnswers`)."""

    def wants_token(self, info: InteractionInfo) -> bool:
        """Return whether the table's message could use the token of this press to be edited."""

    def note_press(self, info: InteractionInfo) -> None:
        """The press was acknowledged: its token can edit the message that was pressed."""


_NOTHING_OPEN = nullcontext()


class Reply:
    """The answer to one interaction. The first message is the answer; later ones follow privately.

    Attributes:
        answered: it has been answered or deferred.
        lost: an answer did not reach Discord, or came too late.
        instead: where private answers are shown, if not in a message of their own: the player's panel, when one of its buttons was pressed.
        keeps_message: the message that was clicked must stay as it is: what would redraw it is shown privately.
        refusal: why Discord did not take what was sent last, if that can be because of its picture.
        went_without: an answer went without its picture, because Discord had refused it.
        pressed: whose public message was pressed. Answered privately, such a press can keep that message up to date for a while.
    """

    __slots__ = (
        "_answers",
        "_began_at",
        "_by_token",
        "_deferral",
        "_discord_api",
        "_info",
        "_open",
        "_private_answers",
        "_refused",
        "_replaces_clicked",
        "_thinking",
        "_timer",
        "answered",
        "instead",
        "keeps_message",
        "lost",
        "pressed",
        "refusal",
        "went_without",
    )

    def __init__(self, discord_api: DiscordApi, info: InteractionInfo, answers: PrivateAnswers) -> None:
        self._discord_api, self._by_token = discord_api, discord_api.by_token
        self._info = info
        self._answers = answers
        self._began_at = answers.now()
        self._private_answers: list[PrivateMessage] = []
        self._open: AbstractContextManager[object] = _NOTHING_OPEN
        self._replaces_clicked = False
        if info.message_is_private:
            self._open = answer = ExitStack()
            self._replaces_clicked = answer.enter_context(answers.clicked(info.user, info.message))
        self._deferral: asyncio.Task[None] | None = None
        self._thinking = self._refused = False
        self.answered = self.lost = self.keeps_message = self.went_without = False
        self.refusal: DiscordFailed | None = None
        self.instead: Callable[[Panel], Awaitable[None]] | None = None
        self.pressed: PressedTable | None = None
        left = self._by_token.seconds_left(info.id)
        self._timer = asyncio.get_running_loop().call_later(left, self._start_deferral)
        if not left:  # answer first, think later
            self._start_deferral()

    @property
    def picture_refused(self) -> bool:
        """Whether Discord did not take what was sent last, perhaps because of its picture."""
        return self.refusal is not None

    def token_for(self, message: int) -> Token:
        """Return what lets a message be edited that was sent with this answer."""
        info = self._info
        application = self._by_token.application
        return Token(application, info.id, info.token, self._began_at, info.channel, messages=(message,))

    # answering

    def show_instead(self, show: Callable[[Panel], Awaitable[None]]) -> None:
        """Show private answers that way, and not in a message of their own."""
        self.instead = show

    async def private(self, panel: Panel, file: AttachedFile | FileToCome | None = None) -> bool:
        """Show a panel to the user alone, instead of their last private answer. Returns whether it reached Discord.

        Args:
            file: the picture in the panel. Where Discord refuses it, the panel is shown without it. One that is still being drawn follows.
        """
        if self.instead is not None and not self.answered:
            blocks = tuple(block for block in panel.blocks if not isinstance(block, Picture))
            await self.instead(Panel(panel.accent, blocks))
            return not self.lost
        return await self._private_answer(payload(panel), file, panel.until_my_hand, beside=panel.stands_beside)

    async def _private_answer(
        self,
        components: list[Raw],
        file: AttachedFile | FileToCome | None = None,
        until_my_hand: int = 0,
        *,
        beside: bool = False,
    ) -> bool:
        info, standing = self._info, self._answers.until_my_hand
        becomes = until_my_hand and not beside and standing.has(until_my_hand, info.user, info.message)
        corrects = bool(info.fields) and self._answers.forms.corrects(info.user, info.message)
        show = self.redraw_private if self._replaces_clicked or becomes or corrects else self.private_message
        self._replaces_clicked = False
        shown = await show(components, await ready_file(file))
        if shown is None:
            return False
        self._answers.let_picture_follow(shown, components, file)
        self._private_answers.append(shown)
        clicked = info.message if info.message_is_private else 0
        self._answers.replace(info.user, tuple(self._private_answers), clicked, _table_of_seat_buttons(components))
        if until_my_hand:
            standing.show(until_my_hand, info.user, shown, beside=beside)
        else:
            standing.stays(info.user, shown.message)
        return True

    async def private_message(self, components: list[Raw], file: AttachedFile | None = None) -> PrivateMessage | None:
        """Show a message to the user alone, beside what they see. Returns it; None if it did not reach Discord."""
        if file is None:
            components = without_pictures(components)
        shown = await self._try_private_message(components, file)
        if shown is None and self.picture_refused:
            self.went_without = True
            return await self._try_private_message(without_pictures(components))
        return shown

    async def _try_private_message(
        self, components: list[Raw], file: AttachedFile | None = None
    ) -> PrivateMessage | None:
        self.refusal = None
        info, api = self._info, self._by_token
        data, names_picture = private_message_data(components, file), file is not None
        await _leave_token(self, info)
        is_answer = await self._claim_answer()
        is_deferred, self._thinking = self._thinking, False
        if is_answer:
            shown = api.answer_with_message(info.id, info.token, data, file)
        elif is_deferred:
            shown = api.edit_original(info.token, message_data(components, file), file)
        else:
            shown = api.follow_up_privately(info.token, info.channel, data, file)
        message = await self._result(shown, names_picture=names_picture)
        if self.picture_refused:  # Discord has taken no answer
            self.answered, self._thinking = not is_answer, is_deferred
        return (
            _handle(self._info, self._began_at, message, is_original=is_answer or is_deferred)
            if message is not None
            else None
        )

    async def redraw_private(self, components: list[Raw], file: AttachedFile | None = None) -> PrivateMessage | None:
        """Answer by redrawing the private message that was clicked. Returns it; None if that did not reach Discord."""
        return _handle(self._info, self._began_at, self._info.message) if await self.redraw(components, file) else None

    async def private_file(self, content: str, file: AttachedFile) -> bool:
        """Send a file to the player who asked, for them alone. Returns whether it reached Discord."""
        data = private_file_data(content, file)
        if await self._claim_answer():
            return await self._delivers(self._by_token.answer(self._info.id, self._info.token, MESSAGE, data, file))
        if self._thinking:
            self._thinking = False
            return await self._delivers(self._by_token.edit_original(self._info.token, data, file))
        return await self._delivers(
            self._by_token.follow_up_privately(self._info.token, self._info.channel, data, file)
        )

    async def public(self, panel: Panel, file: AttachedFile | FileToCome | None = None) -> int:
        """Show a panel to everybody in the channel. Returns the message's id, 0 if it did not reach Discord. `file` as in `private`."""
        components, ready = payload(panel), await ready_file(file)
        shown = await self._try_public(components if ready is not None else without_pictures(components), ready)
        if shown is None and self.picture_refused:
            shown = await self._try_public(without_pictures(components))
        elif shown is not None:
            self._answers.let_picture_follow(shown, components, file)
        return shown.message if shown is not None else 0

    async def _try_public(self, components: list[Raw], file: AttachedFile | None = None) -> PrivateMessage | None:
        self.refusal = None
        data, info, api = message_data(components, file), self._info, self._by_token
        if is_answer := await self._claim_answer():
            shown = api.answer_with_message(info.id, info.token, data, file)
        else:
            if self._thinking:  # a deferred answer is private for good
                self._thinking = False
                done = payload(notice_panel(t(words.DONE)))
                await self._delivers(api.edit_original(info.token, message_data(done)))
            line = RequestLine(info.guild)
            shown = self._discord_api.follow_up_publicly(line, info.id, info.token, info.channel, data, file)
        message = await self._result(shown, names_picture=file is not None)
        if self.picture_refused and is_answer:
            self.answered = False  # Discord has taken no answer
        return _handle(self._info, self._began_at, message, is_original=is_answer) if message is not None else None

    async def redraw(self, components: list[Raw], file: AttachedFile | FileToCome | None = None) -> bool:
        """Answer by redrawing the message that was clicked. Returns whether it reached Discord.

        Args:
            file: the new picture; without one, a gallery names the file that the message has. Where Discord refuses it, the
                message is redrawn without a picture. One that is still being drawn follows.
        """
        if self.keeps_message:
            return await self._private_answer(components, file)
        ready, drawn = await ready_file(file), components
        if ready is None and (file is not None or not self._info.message_files):
            drawn = without_pictures(components)
        names_picture = shows_picture(drawn)
        keeps_files = names_picture or not self._info.message_files
        data = message_data(drawn, ready, keeps_files=keeps_files)
        arrived = await self._redraw(data, ready, names_picture=names_picture)
        if self.picture_refused:
            self.went_without = True
            return await self._redraw(message_data(without_pictures(components), keeps_files=False))
        if arrived:
            self._answers.let_picture_follow(_handle(self._info, self._began_at, self._info.message), components, file)
        return arrived

    async def redraw_table(self, drawn: Drawing) -> bool:
        """The same with a table's message. If Discord refuses its picture, `refusal` is set, and it can be redrawn once more."""
        return await self._redraw(drawn.data, drawn.file, names_picture=drawn.names_picture)

    async def _redraw(self, data: Raw, file: AttachedFile | None = None, *, names_picture: bool = False) -> bool:
        self.refusal = None
        self._answers.forget_picture(self._info.message)
        is_answer = await self._claim_answer()
        if is_answer:
            sent: Awaitable[object] = self._by_token.answer(self._info.id, self._info.token, UPDATE, data, file)
        else:
            sent = self._by_token.edit_original(self._info.token, data, file)
        arrived = await self._result(_await_true(sent), names_picture=names_picture) is not None
        if self.picture_refused and is_answer:
            self.answered = False  # Discord has taken no answer
        return arrived

    async def form(self, form: Form) -> bool:
        """Open a form. Returns False when it is too late for that."""
        if await self._claim_answer():
            self._answers.forms.opened(self._info.user, form)
            return await self._delivers(
                self._by_token.answer(self._info.id, self._info.token, FORM, form_payload(form))
            )
        await self.private(notice_panel(t(words.FORM_TOO_LATE)))
        return False

    async def acknowledge(self) -> bool:
        """Acknowledge a click without a message. Returns whether this did it."""
        if not self._info.has_message or not await self._claim_answer():
            return False
        return await self._delivers(self._by_token.answer(self._info.id, self._info.token, DEFER_UPDATE))

    async def refuse(self, error: TableError, names: Mapping[int, str] = wording.NO_NAMES) -> None:
        """Explain a refusal to the user.

        Args:
            names: the players' names, safe for markdown, by seat number.
        """
        info = self._info
        comes_back = self._answers.forms.refused(info.user, info.custom_id, info.fields, info.id)
        await self.private(refusal_panel(error, names, form=info.id if comes_back else 0))
        if comes_back and self._private_answers:
            self._answers.forms.shown_in(info.user, self._private_answers[-1].message)

    async def admit_fault(self) -> None:
        """Tell the user that the fault is ours. It has been logged already."""
        await self.private(notice_panel(t(wording.INTERNAL_FAULT)))

    async def close(self) -> None:
        """End the answer: stop its timer, and answer if nothing has yet."""
        self._timer.cancel()
        with self._open:
            if self._deferral is not None:
                await self._deferral
            if (
                self._refused
            ):  # what we wrote was no valid message: the fault is ours, and the user still needs an answer
                self._refused = self.answered = False
                await self.admit_fault()
            if not self.answered and self._info.has_message:
                await self.acknowledge()
            elif self._thinking or not self.answered:
                await self.private(notice_panel(t(words.DONE)))

    # inside

    async def _claim_answer(self) -> bool:
        """Claim the one answer. False when a deferral or an earlier message has taken it."""
        if not self.answered:
            self.answered = True
            self._timer.cancel()
            return True
        if self._deferral is not None:
            await self._deferral
        return False

    def _start_deferral(self) -> None:
        if not self.answered:
            self.answered = True
            self._deferral = asyncio.get_running_loop().create_task(self._defer(), name="defer")

    async def _defer(self) -> None:
        info = self._info
        if info.has_message:
            await self._delivers(self._by_token.answer(info.id, info.token, DEFER_UPDATE))
        elif await self._delivers(self._by_token.answer(info.id, info.token, DEFER, {"flags": EPHEMERAL})):
            self._thinking = True

    async def _delivers(self, sent: Awaitable[object]) -> bool:
        return await self._result(_await_true(sent)) is not None

    async def _result(self, sent: Awaitable[T], *, names_picture: bool = False) -> T | None:
        """Discord's response; None if it did not accept the request."""
        try:
            return await sent
        except DiscordFailed as error:
            fields = {"user": self._info.user, "channel": self._info.channel, "code": error.code}
            if names_picture and error.can_be_about_files:
                self.refusal = error
                log.info("answer_with_picture_refused", extra=fields | {"error": error.text})
                return None
            self.lost = True
            if isinstance(error, TooLate | TokenEnded | Gone | TryLater | EditsLimited):
                log.info("reply_not_delivered", extra=fields | {"error": error.text})
            else:
                self._refused = isinstance(error, Rejected)
                log.exception("reply_rejected", extra=fields)
        return None


async def answers_first(reply: Reply, info: InteractionInfo, by_token: TokenRequests) -> bool:
    """Return whether this dealer is the one who answers: what has waited for it can have been answered by the one before."""
    if not by_token.was_held(info.id):
        return True
    if reply._deferral is not None:
        await reply._deferral
    return not reply.lost


async def _leave_token(reply: Reply, info: InteractionInfo) -> None:
    """Acknowledge a press on a table's message before it is answered privately, where the table could use its token.

    A token edits what its interaction was answered with: after an acknowledgement that is the message that was pressed.
    """
    pressed, reply.pressed = reply.pressed, None
    if pressed is not None and pressed.wants_token(info) and await reply.acknowledge():
        pressed.note_press(info)


def _handle(info: InteractionInfo, at: int, message: int, *, is_original: bool = True) -> PrivateMessage:
    """Return a private message that belongs to an interaction, which began at a time in ms since the epoch."""
    return PrivateMessage(info.token, message, is_original, at, info.channel)


async def _await_true(sent: Awaitable[object]) -> bool:
    await sent
    return True


_SEAT_VERBS = frozenset(
    (
        Verb.BACK, Verb.REBUY, Verb.TOP_UP, Verb.SIT, Verb.SIT_OUT, Verb.LEAVE, Verb.POST, Verb.WAIT, Verb.BUY_BUTTON,
        Verb.WAITING_LIST, Verb.LEAVE_WAITING_LIST,
    )
)  # fmt: skip
"""What buttons ask for that are about the presser's own seat."""


def _table_of_seat_buttons(components: list[Raw]) -> int:
    """The table whose seats a message's buttons are about; 0 for none."""
    for component in components:
        press = parse_custom_id(component.get("custom_id", ""))
        if isinstance(press, Press) and press.verb in _SEAT_VERBS:
            return press.table
        table = _table_of_seat_buttons(component.get("components", []))
        if table:
            return table
    return 0

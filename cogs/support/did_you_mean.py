"""“Did you mean …?”: a name that nobody knows is answered with what was probably meant, each a button; so are stakes above the wallet.

The button asks for the same again, corrected. What was asked is kept in memory: after a restart the button has expired.

Source: law H-2.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from bot.engine.errors import TableError
from bot.engine.options.wild_cards import UnknownWildCards
from bot.ledger.refusals import StakesAboveWallet
from bot.line.interaction import InteractionInfo
from bot.render.message.custom_ids import page_id
from bot.render.message.notice import notice_panel, refusal_panel
from bot.render.message.panel import BLURPLE, Button, Buttons, Panel, payload
from bot.render.table.open_form import elsewhere_changes, fitting_changes
from bot.runtime.errors import NoSuchTable
from bot.runtime.store_errors import ChannelTaken
from bot.surfaces.private_answers import PrivateAnswers
from bot.surfaces.replies import Reply
from bot.table.refusals import AdjustmentUnreadable, InvalidGameChoice, UnknownHouseGame
from bot.text.game_names import game_name
from bot.text.language import t
from bot.text.lobby import TABLE
from bot.text.refusals.wording import EXPIRED_BUTTON
from bot.variants.catalogue import UnknownGame
from bot.variants.closest import SUGGESTIONS_MAX, closest_game_names, closest_wild_cards, closest_words

Options: TypeAlias = Mapping[str, Any]
Ask: TypeAlias = Callable[[InteractionInfo, Reply, Options], Awaitable[None]]
"""Does what somebody asked for with these options, and answers."""
REMEMBERED_MAX = 1_000
"""The most questions whose buttons work."""


class Correction(Struct, frozen=True):
    """What was probably meant: the label of its button, and the options to ask again with."""

    label: str
    options: Options


class _Asked(Struct, frozen=True):
    """What somebody asked for, and the options with which their buttons ask again."""

    user: int
    ask: Ask
    options: tuple[Options, ...]


class Corrections:
    """Answers what can be corrected, and remembers what was asked."""

    def __init__(self, private_answers: PrivateAnswers) -> None:
        self._private_answers = private_answers
        self._asked: dict[int, _Asked] = {}

    async def answer(self, info: InteractionInfo, reply: Reply, ask: Ask, options: Options) -> None:
        """Do what was asked. What can be corrected is answered with a button for each correction.

        Raises:
            TableError: it is refused, and nothing would correct it.
        """
        try:
            await ask(info, reply, options)
        except TableError as error:
            found = corrections(error, options)
            if not found:
                raise
            self._asked[info.id] = _Asked(info.user, ask, tuple([one.options for one in found]))
            while len(self._asked) > REMEMBERED_MAX:
                del self._asked[next(iter(self._asked))]
            await reply.private(_panel(error, info.id, found))

    async def press(self, info: InteractionInfo, reply: Reply, words: tuple[str, ...]) -> None:
        """Ask again with the name on the button, whose id holds these words. The answer replaces the question."""
        number, index = (int(word) if word.isdecimal() else -1 for word in (*words, "", "")[:2])
        asked = self._asked.get(number)
        if asked is None or asked.user != info.user or not 0 <= index < len(asked.options):
            await reply.redraw(payload(notice_panel(t(EXPIRED_BUTTON))))
            return
        redrawn = False

        async def redraw(panel: Panel) -> None:
            nonlocal redrawn
            redrawn = await reply.redraw(payload(panel))

        reply.show_instead(redraw)
        await self.answer(info, reply, asked.ask, asked.options[index])
        if not redrawn:
            self._private_answers.dismiss(info.user, info.message)


def corrections(error: TableError, options: Options) -> tuple[Correction, ...]:
    """Return what was probably meant instead of what was refused, the closest first; nothing where that is no help.

    Args:
        options: what was asked with; one of them holds the name that nobody knows.
    """
    if isinstance(error, StakesAboveWallet):
        return tuple([Correction(label, {**options, **changed}) for label, changed in fitting_changes(error.fitting)])
    if isinstance(error, ChannelTaken):
        return tuple(
            [Correction(label, {**options, **changed}) for label, changed in elsewhere_changes() if "where" in options]
        )
    typed, names = _similar_names(error)
    found = [(label, _with_name(options, typed, name)) for label, name in names[:SUGGESTIONS_MAX]]
    return tuple([Correction(label, corrected) for label, corrected in found if corrected is not None])


def _similar_names(error: TableError) -> tuple[str, list[tuple[str, str]]]:
    """Return the name that nobody knows, and those most like it: what each is called, and what is typed for it."""
    match error:
        case UnknownGame(word=word):
            found = closest_game_names(word, error.house_games)
            return word, [(game_name(name), text) for name, text in found]
        case UnknownHouseGame(name=name):
            return name, _as_typed(closest_words(name, error.known))
        case InvalidGameChoice(word=word) if word:
            similar = closest_words(word, error.games) or error.games
            return word, [(game_name(name), name) for name in dict.fromkeys(similar)]
        case AdjustmentUnreadable(word=word):
            return word, _as_typed(error.similar)
        case UnknownWildCards(word=word):
            return word, _as_typed(closest_wild_cards(word))
        case NoSuchTable(number=number):
            nearest = sorted(error.known, key=lambda known: abs(known - number))
            return str(number), [(t(TABLE, number=known), str(known)) for known in nearest]
        case _:
            return "", []


def _as_typed(names: tuple[str, ...]) -> list[tuple[str, str]]:
    return [(name, name) for name in names]


def _with_name(options: Options, typed: str, meant: str) -> Options | None:
    """Return the options with one name corrected; None where none was typed so."""
    for name, value in options.items():
        if isinstance(value, str) and typed and typed in value:
            return {**options, name: value.replace(typed, meant, 1)}
        if isinstance(value, int) and not isinstance(value, bool) and str(value) == typed:
            return {**options, name: int(meant)}
    return None


def _panel(error: TableError, number: int, found: tuple[Correction, ...]) -> Panel:
    """Return the refusal with a button for each correction."""
    panel = refusal_panel(error)
    buttons = [Button(one.label, page_id("meant", "use", number, index), BLURPLE) for index, one in enumerate(found)]
    return replace(panel, blocks=(*panel.blocks, Buttons(tuple(buttons))))

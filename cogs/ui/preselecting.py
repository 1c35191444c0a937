"""Choosing before one's turn: buttons on private messages, and commands said out of turn (TL-34).

Everything is answered to its player alone; the table's own message is redrawn only when what was chosen happens.

Source: law TL-34; ui §5 f.
"""

from __future__ import annotations

from bot.engine import commands as c
from bot.engine.events import Spoken
from bot.engine.refusals import NotYourTurn
from bot.render import preselecting as words
from bot.render import private, wording
from bot.render.ids import Verb
from bot.render.panel import Panel, Text, payload
from bot.runtime.errors import StaleButton
from bot.runtime.outcome import Outcome
from bot.table.errors import CannotPreselect, NotNow
from bot.table.preselected import Choice
from cogs.ui.click import Click, Handler
from cogs.ui.deed import Deed
from cogs.ui.playing import amount, own_scene, peek_panel
from cogs.ui.receipts import receipt
from cogs.ui.room import Room

OF_COMMAND: dict[type[c.Command], Choice] = {
    c.Check: Choice.CHECK_OR_DROP,
    c.Call: Choice.CALL,
    c.Fold: Choice.DROP,
}
"""What a command said out of turn is noted as. A bet or a raise is refused."""

_OF_THE_TABLE = frozenset({NotNow.CUSTOM, NotNow.NO_BETTING})


async def say(room: Room, deed: Deed, command: c.Command) -> Panel:
    """Do what a command asks, or note it where it is another's turn; what its player is told.

    Raises:
        TableError: it is refused.
    """
    try:
        return receipt(await room.tables.act(deed.asked(), command))
    except NotYourTurn as refusal:
        choice = OF_COMMAND.get(type(command))
        if choice is None:
            raise
        try:
            return await note(room, deed, choice)
        except CannotPreselect as cannot:
            if cannot.reason in _OF_THE_TABLE:
                raise refusal from cannot
            raise


async def note(room: Room, deed: Deed, choice: Choice | None) -> Panel:
    """Note a choice, or take it back; what its player is told.

    Raises:
        TableError: it is refused.
    """
    outcome = await room.tables.preselect(deed.asked(), choice)
    early = outcome.now.early(deed.user)
    if early is None or _spoken(outcome):
        return receipt(outcome)
    return words.noted_panel(own_scene(room, outcome.now, deed.user), early)


# one handler for each button


async def check_or_drop(click: Click) -> None:
    await _choose(click, Choice.CHECK_OR_DROP)


async def call(click: Click) -> None:
    await _choose(click, Choice.CALL, amount(click))


async def drop(click: Click) -> None:
    """Where nobody has bet, ask once (TL-36); so too where the turn has come meanwhile."""
    now, press, user = click.now, click.press, click.deed.user
    early, own = now.early(user), now.seen_by(user)
    if now.of_this_street(press.hand, press.turn):
        if early is not None and early.may is not None and early.may.check_or_drop:
            await _show(click, words.drop_question(own_scene(click.room, now, user)))
            return
        if own is not None and own.legal is not None and own.legal.check:
            await _show(click, private.fold_question(own_scene(click.room, now, user)))
            return
    await _choose(click, Choice.DROP)


async def drop_anyway(click: Click) -> None:
    await _choose(click, Choice.DROP)


async def clear(click: Click) -> None:
    await _choose(click, None)


async def _choose(click: Click, choice: Choice | None, chips: int = 0) -> None:
    """Note a choice; the private message is redrawn with it. What no longer fits is said there, with what may be chosen now."""
    room, user = click.room, click.deed.user
    try:
        outcome = await room.tables.preselect(click.asked, choice, chips)
    except (StaleButton, CannotPreselect) as refusal:
        now = click.now
        if not now.has_hand:
            raise
        panel = peek_panel(room, now, user)
        said = Text(wording.refusal_text(refusal, room.names(click.deed, now.id)))
        await _show(click, Panel(panel.accent, (said, *panel.blocks)))
        return
    await _show(click, receipt(outcome) if _spoken(outcome) else peek_panel(room, outcome.now, user))


async def _show(click: Click, panel: Panel) -> None:
    if click.deed.private:
        await click.reply.redraw(payload(panel))
    else:
        await click.reply.private(panel)


def _spoken(outcome: Outcome) -> bool:
    """Whether the turn had come by then, so that it happened at once."""
    return any(isinstance(event, Spoken) for event in outcome.events)


HANDLERS: dict[Verb, Handler] = {
    Verb.PRE_CHECK: check_or_drop,
    Verb.PRE_CALL: call,
    Verb.PRE_DROP: drop,
    Verb.PRE_DROP_ANYWAY: drop_anyway,
    Verb.PRE_CLEAR: clear,
}

"""Preselection: deciding before one's turn, by buttons on private messages and by commands out of turn.

Every answer is for the player alone. The table's own message is redrawn only when the preselected action happens.

Law: TL-34.
"""

from __future__ import annotations

from bot.engine import commands as c
from bot.engine.events import BettingAction
from bot.engine.refusals import NotYourTurn
from bot.render.hand import preselection_panels as words
from bot.render.hand import private_panels
from bot.render.message.custom_ids import Verb
from bot.render.message.panel import Panel, Text, payload
from bot.runtime.commands import Preselect
from bot.runtime.errors import StaleButton
from bot.runtime.updates import RequestOutcome
from bot.table.preselection.types import PreselectedAction
from bot.table.refusals import CannotPreselect, NoBettingNow, OutOfTurnCounts
from bot.text.refusals import wording
from cogs.ui import confirmations
from cogs.ui.click import Click, Handler
from cogs.ui.interaction import InteractionInfo
from cogs.ui.playing import button_amount, own_scene, peek_panel
from cogs.ui.services import Services

CHOICE_OF_COMMAND: dict[type[c.HandCommand], PreselectedAction] = {
    c.Check: PreselectedAction.CHECK_OR_FOLD,
    c.Call: PreselectedAction.CALL,
    c.Fold: PreselectedAction.FOLD,
}
"""What a command out of turn is preselected as. A bet or a raise is refused."""


async def act_or_preselect(services: Services, info: InteractionInfo, command: c.HandCommand) -> Panel:
    """Carry out a command, or preselect it while it is another player's turn. Returns the confirmation.

    Raises:
        TableError: it is refused.
    """
    try:
        return confirmations.action(await services.tables.ask(info.request(), command))
    except NotYourTurn as refusal:
        choice = CHOICE_OF_COMMAND.get(type(command))
        if choice is None:
            raise
        try:
            return await preselect(services, info, choice)
        except (OutOfTurnCounts, NoBettingNow) as cannot:
            raise refusal from cannot


async def preselect(services: Services, info: InteractionInfo, choice: PreselectedAction | None) -> Panel:
    """Preselect an action, or take it back. Returns the confirmation.

    Raises:
        TableError: it is refused.
    """
    outcome = await services.tables.ask(info.request(), Preselect(choice))
    preselection = outcome.snapshot.preselection_for(info.user)
    if preselection is None or _acted_at_once(outcome):
        return confirmations.action(outcome)
    return words.noted_panel(own_scene(services, outcome.snapshot, info.user), preselection)


# one handler for each button


async def preselect_check_or_fold(click: Click) -> None:
    await _preselect_clicked(click, PreselectedAction.CHECK_OR_FOLD)


async def preselect_call(click: Click) -> None:
    await _preselect_clicked(click, PreselectedAction.CALL, button_amount(click))


async def preselect_fold(click: Click) -> None:
    """Where nobody has bet, ask once (TL-36); so too where the turn has come meanwhile."""
    now, press, user = click.snapshot, click.press, click.info.user
    preselection, own = now.preselection_for(user), now.seen_by(user)
    if now.is_on_current_street(press.hand, press.turn):
        if preselection is not None and preselection.options is not None and preselection.options.check_or_fold:
            await _show(click, words.preselected_fold_question(own_scene(click.services, now, user)))
            return
        if own is not None and own.legal is not None and own.legal.check:
            await _show(click, private_panels.fold_question(own_scene(click.services, now, user)))
            return
    await _preselect_clicked(click, PreselectedAction.FOLD)


async def preselect_fold_anyway(click: Click) -> None:
    await _preselect_clicked(click, PreselectedAction.FOLD)


async def clear_preselection(click: Click) -> None:
    await _preselect_clicked(click, None)


async def _preselect_clicked(click: Click, choice: PreselectedAction | None, chips: int = 0) -> None:
    """Preselect an action and redraw the private message. A refusal is shown there, with what can be chosen now."""
    services, user = click.services, click.info.user
    try:
        outcome = await services.tables.ask(click.request, Preselect(choice, chips))
    except (StaleButton, CannotPreselect) as refusal:
        snapshot = click.snapshot
        if not snapshot.has_hand:
            raise
        panel = peek_panel(services, snapshot, user)
        text = wording.refusal_text(refusal, services.names_by_seat(click.info, snapshot.id))
        await _show(click, Panel(panel.accent, (Text(text), *panel.blocks)))
        return
    await _show(
        click,
        confirmations.action(outcome) if _acted_at_once(outcome) else peek_panel(services, outcome.snapshot, user),
    )


async def _show(click: Click, panel: Panel) -> None:
    if click.info.message_is_private:
        await click.reply.redraw(payload(panel))
    else:
        await click.reply.private(panel)


def _acted_at_once(outcome: RequestOutcome) -> bool:
    """Return whether the player's turn had come, so that the action happened at once."""
    return any(isinstance(event, BettingAction) for event in outcome.events)


HANDLERS: dict[Verb, Handler] = {
    Verb.PRESELECT_CHECK_OR_FOLD: preselect_check_or_fold,
    Verb.PRESELECT_CALL: preselect_call,
    Verb.PRESELECT_FOLD: preselect_fold,
    Verb.PRESELECT_FOLD_ANYWAY: preselect_fold_anyway,
    Verb.CLEAR_PRESELECTION: clear_preselection,
}

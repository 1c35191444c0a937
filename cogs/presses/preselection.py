"""Preselection: deciding before one's turn, by buttons on private messages and by commands out of turn.

Every answer is for the player alone. The table's own message is redrawn only when the preselected action happens.

Laws: TL-34, WT-2.
"""

from bot.engine import commands as c
from bot.engine.refusals import NotYourTurn
from bot.render.hand.my_hand import PanelState, Question
from bot.render.hand.preselection_panels import CALL_UP_TO_CHIPS, call_up_to_form
from bot.runtime.commands import Preselect
from bot.table.preselection.types import PreselectedAction
from bot.table.refusals import NoBettingNow, OutOfTurnCounts
from bot.text import amounts
from bot.text.buttons import Verb
from cogs.presses import my_hand
from cogs.presses.playing import button_amount
from cogs.support.commands import Invocation
from cogs.support.services import Click, Handler

CHOICE_OF_COMMAND: dict[type[c.HandCommand], PreselectedAction] = {
    c.Check: PreselectedAction.CHECK_OR_FOLD,
    c.Call: PreselectedAction.CALL,
    c.Fold: PreselectedAction.FOLD,
}
"""What a command out of turn is preselected as. A bet or a raise is refused."""


async def act_or_preselect(invocation: Invocation, command: c.HandCommand) -> None:
    """Carry out a command, or preselect it while it is another player's turn. The answer is the player's panel.

    Raises:
        TableError: it is refused.
    """
    try:
        await invocation.play(command)
    except NotYourTurn as refusal:
        choice = CHOICE_OF_COMMAND.get(type(command))
        if choice is None:
            raise
        try:
            await preselect(invocation, choice)
        except (OutOfTurnCounts, NoBettingNow) as cannot:
            raise refusal from cannot


async def preselect(invocation: Invocation, choice: PreselectedAction | None) -> None:
    """Preselect an action, or take it back. The answer is the player's panel.

    Raises:
        TableError: it is refused.
    """
    await invocation.play(Preselect(choice))


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
            await my_hand.show(click, now, PanelState(question=Question.PRESELECTED_FOLD))
            return
        if own is not None and own.legal is not None and own.legal.check:
            await my_hand.show(click, now, PanelState(question=Question.FOLD))
            return
    await _preselect_clicked(click, PreselectedAction.FOLD)


async def preselect_fold_anyway(click: Click) -> None:
    await _preselect_clicked(click, PreselectedAction.FOLD)


async def preselect_check_down(click: Click) -> None:
    await _preselect_clicked(click, PreselectedAction.CHECK_DOWN)


async def open_call_up_to_form(click: Click) -> None:
    press = click.press
    await click.reply.form(call_up_to_form(press.table, press.hand, press.turn, click.info.user))


async def call_up_to_form_submitted(click: Click) -> None:
    """Write the line that the form describes.

    Raises:
        BadAmount: it is no amount.
    """
    chips = amounts.parse_chips(click.info.fields.get(CALL_UP_TO_CHIPS, ""))
    await _preselect_clicked(click, PreselectedAction.CALL_UP_TO, chips)


async def clear_preselection(click: Click) -> None:
    await _preselect_clicked(click, None)


async def _preselect_clicked(click: Click, choice: PreselectedAction | None, chips: int = 0) -> None:
    """Preselect an action and redraw the panel, which then says so."""
    with click.services.hand_panels.answering(click.press.table, click.info.user):
        outcome = await click.services.tables.ask(click.request, Preselect(choice, chips))
        await my_hand.show(click, outcome.snapshot, PanelState(my_hand.acted_note(outcome)))


HANDLERS: dict[Verb, Handler] = {
    Verb.PRESELECT_CHECK_OR_FOLD: preselect_check_or_fold,
    Verb.PRESELECT_CALL: preselect_call,
    Verb.PRESELECT_FOLD: preselect_fold,
    Verb.PRESELECT_FOLD_ANYWAY: preselect_fold_anyway,
    Verb.PRESELECT_CALL_UP_TO: open_call_up_to_form,
    Verb.PRESELECT_CHECK_DOWN: preselect_check_down,
    Verb.CLEAR_PRESELECTION: clear_preselection,
}

FORMS: dict[Verb, Handler] = {Verb.PRESELECT_CALL_UP_TO: call_up_to_form_submitted}

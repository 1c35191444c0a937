"""Answering players of a hand in their panel: what they did, why not, what is asked back."""

from bot.engine.errors import TableError
from bot.engine.events import BettingAction, BetTo, RaisedTo
from bot.engine.legal import Decision
from bot.engine.options.values import FirstOpener
from bot.engine.view.types import ActionVerb
from bot.line.interaction import InteractionInfo
from bot.render.hand.my_hand import PLAIN, PanelState
from bot.render.message.notice import notice_panel
from bot.render.message.panel import Panel
from bot.runtime.errors import StaleButton
from bot.runtime.snapshot import RequestOutcome, TableSnapshot
from bot.surfaces.replies import Reply
from bot.text.actions import confirmation
from bot.text.confirmations import ALREADY_DONE
from bot.text.language import t
from bot.text.refusals import wording
from cogs.support.services import Click, Services


async def show(click: Click, snapshot: TableSnapshot, state: PanelState = PLAIN) -> None:
    """Answer a click with the panel of the player who clicked: with something to tell, where it is; else where they look."""
    services, info, reply = click.services, click.info, click.reply
    if state == PLAIN or not await _tell_in_panel(services, info, reply, snapshot, state):
        await services.hand_panels.show(reply, info, snapshot, state)


async def open_panel(click: Click) -> None:
    """The button *My hand*."""
    await show(click, click.snapshot)


def action_note(outcome: RequestOutcome, decision: Decision = Decision.NONE) -> str:
    """Confirm an action: ``You raise to 4,000 (put in 2,975).``

    Args:
        decision: what the player had been asked.
    """
    if outcome.repeated:
        return t(ALREADY_DONE)
    return confirmation(outcome.events, decision, _verb_at_table(outcome))


def _verb_at_table(outcome: RequestOutcome) -> ActionVerb | None:
    """What a bet or raise is called at the table where a card opens: a bring-in or a completion. None: as ever (VC-5)."""
    to = next((event.to for event in outcome.events if isinstance(event, BetTo | RaisedTo)), 0)
    if not to or outcome.snapshot.settings.options.first_1 not in (FirstOpener.LOW_CARD, FirstOpener.HIGH_CARD):
        return None
    if (hand := outcome.own_hand) is None:
        return None
    named = (ActionVerb.BRING_IN, ActionVerb.COMPLETE)
    return next((action.verb for action in hand.street_actions if action.to == to and action.verb in named), None)


def acted_note(outcome: RequestOutcome) -> str:
    """The confirmation of a preselected action that happened at once, because the player's turn had come; else empty."""
    acted = any(isinstance(event, BettingAction) for event in outcome.events)
    return action_note(outcome) if acted else ""


async def refuse_click(click: Click, error: TableError) -> None:
    """Explain a refused click to its player: in their panel; on an outdated public message also redraw that message."""
    services, info = click.services, click.info
    if isinstance(error, StaleButton) and not info.message_is_private:
        await redraw_and_tell(click, wording.refusal_text(error))
        return
    await refuse(services, info, click.reply, error, click.press.table)


async def redraw_and_tell(click: Click, text: str) -> None:
    """Answer a click on an outdated drawing of the table by redrawing it, and tell the user something privately."""
    services, user = click.services, click.info.user
    await redraw_table(click)
    if not services.hand_panels.tell(click.press.table, user, PanelState(text)):
        await services.private_answers.show(user, notice_panel(text))


async def refuse(services: Services, info: InteractionInfo, reply: Reply, error: TableError, table: int = 0) -> None:
    """Explain a refusal of play in the panel of a player of the hand, to anybody else as a private answer.

    Args:
        table: the table; 0 for the one in the channel.
    """
    try:
        snapshot = (
            services.tables.snapshot(table) if table else services.tables.table_in_channel(info.guild, info.channel)
        )
    except TableError:
        snapshot = None
    names = services.names_by_seat(info, table)
    if snapshot is None or info.user not in snapshot.dealt_users:
        await reply.refuse(error, names)
        return
    state = PanelState(wording.refusal_text(error, names))
    if await _tell_in_panel(services, info, reply, snapshot, state):
        return
    if _is_public_press(info) and services.hand_panels.is_open(snapshot.id, info.user):  # it does not move for this
        await reply.refuse(error, names)
        return
    await services.hand_panels.show(reply, info, snapshot, state)


async def answer_in_panel(
    services: Services, info: InteractionInfo, reply: Reply, snapshot: TableSnapshot, answer: Panel
) -> None:
    """Answer a press that is about the presser's own game: in their panel where it stood there or they have it before them, else
    beside it."""
    state = PanelState(answer=answer.blocks)
    if services.hand_panels.is_panel(snapshot.id, info.user, info.message):
        await services.hand_panels.show(reply, info, snapshot, state)
    elif not info.guild or not await _tell_in_panel(services, info, reply, snapshot, state):
        await reply.private(answer)


async def _tell_in_panel(
    services: Services, info: InteractionInfo, reply: Reply, snapshot: TableSnapshot, state: PanelState
) -> bool:
    """Answer a press on the table in the panel that its player has before them. Returns False if there is none that can be edited now."""
    panels, table = services.hand_panels, snapshot.id
    if not _is_public_press(info) or not panels.is_open(table, info.user, below=info.message):
        return False
    with panels.answering(table, info.user):
        if not panels.tell(table, info.user, state):
            return False
        if await reply.acknowledge():
            services.display.answers.note_press(info)
    return True


def _is_public_press(info: InteractionInfo) -> bool:
    return info.has_message and not info.message_is_private


async def redraw_table(click: Click) -> None:
    """Answer a click on the table's public message by redrawing it as it stands now."""
    answers, table = click.services.display.answers, click.press.table
    with answers.answering(table):
        await answers.answer(click.reply, click.info, table)

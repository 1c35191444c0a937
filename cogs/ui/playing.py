"""Clicks in a hand: the betting and Peek. A button on the table's message is answered with its redraw.

A kind of decision adds its verbs to a table like `HANDLERS` (see `cogs.ui.choosing`); `act` does the rest.

Source: ui §1, §5 b, c, e, f; design §5; laws TL-35, TL-36.
"""

from __future__ import annotations

from bot.engine import commands as c
from bot.engine.errors import TableError
from bot.engine.events import Drew
from bot.engine.legal import Decision, Legal
from bot.engine.refusals import HasChosen, NotDealtIn, NotYourTurn
from bot.engine.view import HandView
from bot.render import amounts, notices, preselecting, private, wording
from bot.render.ids import Verb
from bot.render.panel import Panel, payload
from bot.render.scene import Scene
from bot.runtime.errors import StaleButton
from bot.runtime.now import TableNow
from bot.runtime.outcome import Outcome
from cogs.ui.click import Click, Handler
from cogs.ui.receipts import receipt
from cogs.ui.room import Room
from cogs.ui.scenes import scene_of


async def act(click: Click, command: c.Command) -> None:
    """Ask for an action. The answer is the redraw of the table's message; on a private message it is a line of receipt.

    Out of turn nothing happens, and who may choose something for his turn is offered it (TL-34).
    """
    room, deed = click.room, click.deed
    asked, table = click.asked, click.press.table
    if deed.private:
        decision = click.now.asking
        outcome = await room.tables.act(asked, command)
        await click.reply.redraw(payload(done_panel(room, outcome, decision)))
        return
    surface = room.surface
    surface.answering(asked.key, table)
    drawn: bool | None = None
    try:
        await room.tables.act(asked, command)
        components = surface.drawing(table, deed.message)
        if components is None:  # a new message shows it
            await click.reply.nothing()
        else:
            drawn = await click.reply.redraw(components)
    except NotYourTurn as refusal:
        panel = _before_the_turn(click, refusal)
        if panel is None:
            raise
        await click.reply.private(panel)
    finally:
        surface.answered(asked.key, table, drawn=drawn)


def _before_the_turn(click: Click, refusal: NotYourTurn) -> Panel | None:
    """What who pressed a button out of turn may choose for his own; None where nothing may be chosen."""
    now, user = click.now, click.deed.user
    early = now.early(user)
    if early is None or early.may is None:
        return None
    said = wording.refusal_text(refusal, click.room.names(click.deed, now.id))
    return preselecting.offer_panel(own_scene(click.room, now, user), early, said)


def own_scene(room: Room, now: TableNow, user: int) -> Scene:
    """The hand as one player may see it.

    Raises:
        NotDealtIn: he has no cards in it.
    """
    own = now.seen_by(user)
    if own is None:
        raise NotDealtIn
    return scene_of(now, own, room.emojis_of(user), room.clock.now())


def public_scene(room: Room, now: TableNow, view: HandView) -> Scene:
    """The hand as everybody may see it."""
    return scene_of(now, view, room.deck.emojis, room.clock.now())


def on_turn(click: Click) -> tuple[TableNow, Legal]:
    """The table and what who clicked may do, for a button that opens something to choose.

    Raises:
        StaleButton, NotYourTurn, HasChosen, NotDealtIn.
    """
    now, press = click.now, click.press
    if (press.hand, press.turn) != (now.hand_number, now.turn):
        raise StaleButton(hand=press.hand, turn=press.turn, now_hand=now.hand_number, now_turn=now.turn)
    return now, legal_of(now, click.deed.user)


def legal_of(now: TableNow, user: int) -> Legal:
    """What somebody may do now.

    Raises:
        NotYourTurn, HasChosen, NotDealtIn.
    """
    own = now.seen_by(user)
    if own is None or own.viewer is None:
        raise NotDealtIn
    if own.legal is None or own.legal.decision is Decision.NONE:
        last = own.seats[own.viewer].last
        if last is not None and last.verb == "chose" and any(seat.awaited for seat in own.seats):
            raise HasChosen
        raise NotYourTurn(to_act=now.due.seat if now.due is not None else 0)
    return own.legal


def sized(word: str, legal: Legal, big_blind: int) -> c.Command:
    """The command that an amount means: a bet, a raise, or everything.

    Raises:
        BadAmount: it is none.
    """
    if amounts.wants_all_in(word):
        return c.AllIn()
    to = amounts.street_total(word, legal, big_blind)
    return c.Bet(to) if legal.opening else c.RaiseTo(to)


# one handler for each button


async def fold(click: Click) -> None:
    """Fold; where checking is free, ask once (TL-36)."""
    now = click.now
    due, view = now.due, now.hand
    on_it = due is not None and due.user == click.deed.user and due.turn == click.press.turn
    if on_it and view is not None and view.acting is not None and view.acting.check:
        scene = public_scene(click.room, now, view)
        await click.reply.private(private.fold_question(scene))
        return
    await act(click, c.Fold())


async def fold_anyway(click: Click) -> None:
    await act(click, c.Fold())


async def check(click: Click) -> None:
    await act(click, c.Check())


async def call(click: Click) -> None:
    await act(click, c.Call())


async def bet(click: Click) -> None:
    await act(click, c.Bet(amount(click)))


async def raise_to(click: Click) -> None:
    await act(click, c.RaiseTo(amount(click)))


async def all_in(click: Click) -> None:
    await act(click, c.AllIn())


async def size(click: Click) -> None:
    """Open the form for an amount."""
    now, legal = on_turn(click)
    view = now.hand
    assert view is not None
    await click.reply.form(private.raise_form(public_scene(click.room, now, view), legal, click.deed.user))


async def sized_in_form(click: Click) -> None:
    """The form with an amount has come back. What is written counts before what is picked."""
    now, legal = on_turn(click)
    fields = click.deed.fields
    word = fields.get(private.AMOUNT_FIELD, "").strip() or fields.get(private.SIZE_FIELD, "")
    await act(click, sized(word, legal, now.settings.stakes.big_blind))


async def peek(click: Click) -> None:
    """One's own cards, at any time."""
    now = click.now
    view = now.hand
    if view is None:
        await click.reply.private(wording.notice("No cards have been dealt yet."))
        return
    await click.reply.private(peek_panel(click.room, now, click.deed.user))


async def straddle(click: Click) -> None:
    await act(click, c.Straddle(amount(click)))


async def decline(click: Click) -> None:
    await act(click, c.Decline())


async def accept(click: Click) -> None:
    await act(click, c.Accept())


async def muck(click: Click) -> None:
    await act(click, c.Muck())


def peek_panel(room: Room, now: TableNow, user: int) -> Panel:
    """What Peek shows: one's own cards, or that one has none."""
    try:
        return private.peek_panel(own_scene(room, now, user), now.early(user))
    except TableError:
        view = now.hand
        if view is None:
            raise
        return private.no_cards_panel(public_scene(room, now, view))


def done_panel(room: Room, outcome: Outcome, asked: Decision) -> Panel:
    """What a player is told of his action; who drew cards also sees what he holds now. `asked`: what he had been asked."""
    own = outcome.own
    drew = any(isinstance(event, Drew) and event.laid for event in outcome.events)
    if own is None or own.over or not drew:
        return receipt(outcome, asked)
    return private.after_draw_panel(
        scene_of(outcome.now, own, room.emojis_of(outcome.user), room.clock.now()), notices.receipt(outcome.events)
    )


def amount(click: Click) -> int:
    """The number that the button's id carries; 0 for none."""
    return getattr(click.press, "amount", 0)


HANDLERS: dict[Verb, Handler] = {
    Verb.FOLD: fold,
    Verb.FOLD_ANYWAY: fold_anyway,
    Verb.CHECK: check,
    Verb.CALL: call,
    Verb.BET: bet,
    Verb.RAISE: raise_to,
    Verb.ALL_IN: all_in,
    Verb.SIZE: size,
    Verb.STRADDLE: straddle,
    Verb.DECLINE: decline,
    Verb.ACCEPT: accept,
    Verb.MUCK: muck,
    Verb.PEEK: peek,
}

FORMS: dict[Verb, Handler] = {Verb.SIZE: sized_in_form}

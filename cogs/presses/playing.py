"""Clicks in a hand: betting and *My hand*. A button on the table's message is answered by redrawing it, one on a panel by redrawing that.

A kind of decision adds its verbs to a table like `HANDLERS` (see `cogs.presses.choosing`); `act` does the rest.

Laws: TL-35, TL-36.
"""

from collections.abc import Callable

from bot.engine import commands as c
from bot.engine.cards import parse_cards
from bot.engine.events import OutOfTurnActionNoted, OutOfTurnChipsPutIn
from bot.engine.legal import Decision, LegalActions
from bot.engine.refusals import AlreadyChosen, NotDealtIn, NotYourCard, NotYourTurn
from bot.engine.units import CardIndex
from bot.engine.view.types import ActionVerb, HandView
from bot.render.hand import private_panels
from bot.render.hand.my_hand import PanelState, Question
from bot.render.hand.scene import Scene
from bot.runtime.errors import StaleButton
from bot.runtime.snapshot import TableSnapshot
from bot.surfaces.scenes import scene_of
from bot.text import amounts
from bot.text.buttons import Verb
from cogs.presses import my_hand
from cogs.support.services import Click, Handler, Services

_OUT_OF_TURN = frozenset((OutOfTurnChipsPutIn, OutOfTurnActionNoted))


async def act(click: Click, command: c.HandCommand) -> None:
    """Carry out an action. The answer redraws the message that was clicked: the table's, or the player's own panel.

    Where the table holds or binds an early action, the player is told so in their panel.
    """
    services, info = click.services, click.info
    request, table = click.request, click.press.table
    if info.message_is_private:
        decision = click.snapshot.decision
        with services.hand_panels.answering(table, info.user):
            outcome = await services.tables.ask(request, command)
            await my_hand.show(click, outcome.snapshot, PanelState(my_hand.action_note(outcome, decision)))
        if outcome.snapshot.settings.is_slow:
            await _lead_on(click)
        return
    answers = services.display.answers
    with answers.answering(table):
        outcome = await services.tables.ask(request, command)
        if outcome.events and type(outcome.events[0]) in _OUT_OF_TURN:
            await my_hand.show(click, outcome.snapshot, PanelState(my_hand.action_note(outcome)))
        else:
            await answers.answer(click.reply, info, table)
    if outcome.snapshot.settings.is_slow:
        await _lead_on(click)


async def _lead_on(click: Click) -> None:
    """Lead a player who has acted to the next table that waits for them, if one does."""
    services = click.services
    panel = await services.next_tables.after_action(click.info.user, click.press.table)
    if panel is not None:
        await services.private_answers.show(click.info.user, panel)


def public_scene(services: Services, snapshot: TableSnapshot, view: HandView) -> Scene:
    """Return the hand as everybody sees it."""
    return scene_of(snapshot, view, services.emoji_decks.four_colour, services.clock.now())


def require_turn(click: Click) -> tuple[TableSnapshot, LegalActions]:
    """Return the table and the player's legal actions, for a button that opens a choice.

    Raises:
        StaleButton: the button is of an earlier action.
        NotYourTurn, AlreadyChosen, NotDealtIn: the player has nothing to decide.
    """
    return _require_current(click), legal_actions_of(click.snapshot, click.info.user)


def _require_current(click: Click) -> TableSnapshot:
    """The table, for a button or form of the decision that is to be made now.

    Raises:
        StaleButton: it is of an earlier action.
    """
    snapshot, press = click.snapshot, click.press
    if (press.hand, press.turn) != (snapshot.hand_number, snapshot.decision_number):
        raise StaleButton
    return snapshot


def legal_actions_of(snapshot: TableSnapshot, user: int) -> LegalActions:
    """Return a player's legal actions.

    Raises:
        NotDealtIn: they have no cards.
        AlreadyChosen: they have chosen, and others still have to.
        NotYourTurn: it is another player's turn.
    """
    own = snapshot.seen_by(user)
    if own is None or own.viewer is None:
        raise NotDealtIn
    if own.legal is None or own.legal.decision is Decision.NONE:
        last = own.seats[own.viewer].last_action
        if last is not None and last.verb is ActionVerb.CHOOSE and any(seat.choice_awaited for seat in own.seats):
            raise AlreadyChosen
        raise NotYourTurn(seat_number=snapshot.current_turn.seat_number if snapshot.current_turn is not None else 0)
    return own.legal


def own_card_indexes(snapshot: TableSnapshot, user: int, typed: str) -> tuple[CardIndex, ...]:
    """Read cards of a player's own: ``7h 4c``.

    Raises:
        UnknownCard: a word is no card.
        NotYourCard: they do not hold it.
    """
    own = snapshot.seen_by(user)
    cards = own.seats[own.viewer].cards if own is not None and own.viewer is not None else ()
    card_indexes = {seen.card: seen.card_index for seen in cards if seen.card_index >= 0}
    named = parse_cards(typed)
    if not set(named) <= card_indexes.keys():
        raise NotYourCard
    return tuple(card_indexes[card] for card in named)


def bets_of(snapshot: TableSnapshot, user: int) -> LegalActions:
    """What a player can bet or raise to: at their turn, or before it where the table holds or binds what is put in early (I-8, TL-34).

    Raises:
        NotDealtIn, AlreadyChosen, NotYourTurn: as `legal_actions_of`.
    """
    own = snapshot.seen_by(user)
    if own is not None and own.legal_out_of_turn is not None:
        return own.legal_out_of_turn
    return legal_actions_of(snapshot, user)


def bet_command(typed: str, legal: LegalActions, big_blind: int) -> c.HandCommand:
    """Read an amount as a bet, a raise or an all-in.

    Raises:
        BadAmount: it is no amount.
    """
    if amounts.means_all_in(typed):
        return c.AllIn()
    to = amounts.parse_street_total(typed, legal, big_blind)
    return c.Bet(to) if legal.opening else c.RaiseTo(to)


def acting(command: Callable[[], c.HandCommand]) -> Handler:
    """Return the handler of a button that stands for one action."""

    async def handle(click: Click) -> None:
        await act(click, command())

    return handle


def acting_with_chips(command: Callable[[int], c.HandCommand]) -> Handler:
    """Return the handler of a button that stands for an action with the chips in its id."""

    async def handle(click: Click) -> None:
        await act(click, command(button_amount(click)))

    return handle


async def fold(click: Click) -> None:
    """Fold. If the player can check for free, ask them once (TL-36)."""
    snapshot = click.snapshot
    turn, view = snapshot.current_turn, snapshot.hand
    in_turn = turn is not None and turn.user == click.info.user and turn.decision_number == click.press.turn
    if in_turn and view is not None and view.legal_to_act is not None and view.legal_to_act.check:
        await my_hand.show(click, snapshot, PanelState(question=Question.FOLD))
        return
    await act(click, c.Fold())


async def open_bet_form(click: Click) -> None:
    """Open the form for an amount."""
    snapshot, user = _require_current(click), click.info.user
    legal = bets_of(snapshot, user)
    view = snapshot.hand
    assert view is not None
    if not legal.max_to:
        await _refuse_bet(click, legal)
        return
    await click.reply.form(private_panels.raise_form(public_scene(click.services, snapshot, view), legal, user))


async def bet_form_submitted(click: Click) -> None:
    """Bet or raise what the form says. A typed amount counts before a picked one."""
    snapshot = _require_current(click)
    legal = bets_of(snapshot, click.info.user)
    if not legal.max_to:
        await _refuse_bet(click, legal)
        return
    fields = click.info.fields
    typed = fields.get(private_panels.AMOUNT_FIELD, "").strip() or fields.get(private_panels.SIZE_FIELD, "")
    await act(click, bet_command(typed, legal, snapshot.settings.stakes.big_blind))


async def _refuse_bet(click: Click, legal: LegalActions) -> None:
    """Let the rules say why this player can neither bet nor raise: only they know, for example, that they have no openers (VC-20)."""
    view = click.snapshot.hand
    public = view.legal_to_act if view is not None else None
    to = max(1, public.min_to if public is not None else 0)
    await act(click, c.Bet(to) if legal.opening or not legal.current_bet else c.RaiseTo(to))


async def show_card(click: Click) -> None:
    """Show one card after the hand (Z-4)."""
    snapshot = click.snapshot
    own = snapshot.seen_by(click.info.user) if click.press.hand == snapshot.hand_number else None
    if own is None or own.viewer is None:
        raise StaleButton
    cards, number = own.seats[own.viewer].cards, button_amount(click)
    if not 0 < number <= len(cards):
        raise StaleButton
    await act(click, c.Show(card_indices=(cards[number - 1].card_index,)))


async def show_none(click: Click) -> None:
    """Keep one's cards hidden: only the question goes away."""
    await my_hand.show(click, click.snapshot, PanelState(keeps_hidden=True))


def button_amount(click: Click) -> int:
    """Return the number in the button's custom id; 0 if there is none."""
    return getattr(click.press, "amount", 0)


HANDLERS: dict[Verb, Handler] = {
    Verb.FOLD: fold,
    Verb.FOLD_ANYWAY: acting(c.Fold),
    Verb.CHECK: acting(c.Check),
    Verb.CALL: acting(c.Call),
    Verb.BET: acting_with_chips(c.Bet),
    Verb.RAISE: acting_with_chips(c.RaiseTo),
    Verb.ALL_IN: acting(c.AllIn),
    Verb.OPEN_BET_FORM: open_bet_form,
    Verb.STRADDLE: acting_with_chips(c.TakeStraddle),
    Verb.DECLINE: acting(c.Decline),
    Verb.ACCEPT: acting(c.Accept),
    Verb.MUCK: acting(c.Muck),
    Verb.SHOW_CARD: show_card,
    Verb.SHOW_NONE: show_none,
    Verb.MY_HAND: my_hand.open_panel,
}

FORMS: dict[Verb, Handler] = {Verb.OPEN_BET_FORM: bet_form_submitted}

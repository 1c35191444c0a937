"""Clicks on private choices: cards to replace, give up or pass, their order, a declaration, what wild cards stand for.

The table's button opens the player's panel. Every further click redraws that, and the last one asks the table. The custom ids hold what has
been chosen so far (`bot.render.hand.choice_codes`).

Laws: X-2, W-7, LO-3, TL-25, TL-41.
"""

from bot.engine import commands as c
from bot.engine.errors import LawError
from bot.engine.legal import Decision, LegalActions
from bot.engine.refusals import NotAskedNow
from bot.engine.view.types import SeatView
from bot.render.hand import private_choices
from bot.render.hand.my_hand import PanelState
from bot.render.hand.private_choices import PrivateChoice
from bot.render.hand.scene import Scene
from bot.runtime.errors import StaleButton
from bot.surfaces.scenes import scene_of
from bot.text.buttons import Verb
from cogs.presses import my_hand
from cogs.presses.playing import act, acting, button_amount, legal_actions_of, require_turn
from cogs.support.services import Click, Handler


async def open_choice(click: Click) -> None:
    """Open the player's private choice; on their panel, start it again.

    A button of the hand opens it, also one that was drawn for the player before them: it decides nothing.

    Raises:
        StaleButton: the button is of an earlier action, and the player has nothing to choose now.
    """
    snapshot, press = click.snapshot, click.press
    if press.hand != snapshot.hand_number:
        raise StaleButton
    try:
        _require_choice(legal_actions_of(snapshot, click.info.user))
    except LawError:
        if press.turn != snapshot.decision_number:
            raise StaleButton from None
        raise
    await my_hand.show(click, snapshot, PanelState(choice=PrivateChoice()))


async def card_marked(click: Click) -> None:
    """A card was marked, or its mark taken away."""
    await _show(click, PrivateChoice(button_amount(click)))


async def cards_marked(click: Click) -> None:
    """Cards are marked in a select, on a message of an earlier version."""
    scene = _scene_to_choose(click)
    await _show(click, PrivateChoice(private_choices.marks_of(_own_seat(scene), click.info.values)))


async def discard_marked_cards(click: Click) -> None:
    """Replace, give up or pass the cards that the button stands for."""
    await act(
        click,
        c.ChooseCards(private_choices.chosen_card_indexes(_own_seat(_scene_to_choose(click)), button_amount(click))),
    )


async def next_in_order(click: Click) -> None:
    """A card is chosen: ask for the one after it. On messages of earlier versions it is chosen in a select."""
    value = click.info.values[0] if click.info.values else ""
    code = button_amount(click)
    if value.isdecimal():
        code = private_choices.extend_order(code, int(value))
    await _show(click, PrivateChoice(code))


async def confirm_order(click: Click) -> None:
    await act(
        click,
        c.ChooseCards(private_choices.ordered_card_indexes(_own_seat(_scene_to_choose(click)), button_amount(click))),
    )


async def declare_word(click: Click) -> None:
    _, legal = require_turn(click)
    word = private_choices.declared_word(legal, button_amount(click))
    if not word:
        raise NotAskedNow(expected=legal.decision)
    await act(click, c.Declare(word))


async def wild_rank_chosen(click: Click) -> None:
    """A rank is chosen for a wild card: ask for its suit."""
    scene = _scene_to_choose(click)
    code, rank = private_choices.rank_chosen(
        scene, button_amount(click), click.info.values[0] if click.info.values else ""
    )
    await _show(click, PrivateChoice(code, rank))


async def wild_suit_chosen(click: Click) -> None:
    await _show(click, PrivateChoice(button_amount(click)))


async def show(click: Click) -> None:
    """Show the hand, with the meaning of its wild cards and aces."""
    code = button_amount(click)
    if not code:
        await act(click, c.Show())
        return
    pairs, word = private_choices.designations_at_show(_scene_to_choose(click), code)
    await act(click, c.Show(pairs, word))


def _scene_to_choose(click: Click) -> Scene:
    """Return the hand as the player who clicked sees it, while they have something to choose.

    Raises:
        StaleButton, NotYourTurn, NotDealtIn: they have nothing to choose now.
        NotAskedNow: they have to bet.
    """
    snapshot, legal = require_turn(click)
    _require_choice(legal)
    services, user = click.services, click.info.user
    own = snapshot.seen_by(user)
    assert own is not None, "they have something to choose"
    return scene_of(snapshot, own, services.emojis_for(user), services.clock.now())


def _require_choice(legal: LegalActions) -> None:
    """Check that a player has something to choose.

    Raises:
        NotAskedNow: they have to bet.
    """
    if legal.decision is Decision.BET:
        refusal: LawError = NotAskedNow(expected=legal.decision)
        refusal.legal = legal
        raise refusal


def _own_seat(scene: Scene) -> SeatView:
    seat = scene.own_seat()
    assert seat is not None, "the viewer has no seat"
    return seat


async def _show(click: Click, choice: PrivateChoice) -> None:
    """Show the player's panel with what they have chosen so far."""
    _scene_to_choose(click)  # refuses who has nothing to choose
    await my_hand.show(click, click.snapshot, PanelState(choice=choice))


HANDLERS: dict[Verb, Handler] = {
    Verb.OPEN_CHOICE: open_choice,
    Verb.OPEN_DECLARATION: open_choice,
    Verb.MARK: card_marked,
    Verb.CARDS_MARKED: cards_marked,
    Verb.DISCARD: discard_marked_cards,
    Verb.STAND_PAT: acting(c.ChooseCards),
    Verb.NEXT_IN_ORDER: next_in_order,
    Verb.ARRANGE: confirm_order,
    Verb.DECLARE_WORD: declare_word,
    Verb.WILD_RANK: wild_rank_chosen,
    Verb.WILD_SUIT: wild_suit_chosen,
    Verb.SHOW: show,
}

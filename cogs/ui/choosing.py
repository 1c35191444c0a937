"""Clicks on private choices: cards to replace, give up or pass, their order, a declaration, what wild cards stand for.

The table's button opens the choice for its player alone. Every further click redraws that private message, and the last one asks the
table. The custom ids hold what has been chosen so far (`bot.render.hand.choice_codes`).

Laws: X-2, W-7, LO-3, TL-25, TL-41.
"""

from __future__ import annotations

from bot.engine import commands as c
from bot.engine.errors import LawError
from bot.engine.legal import Decision
from bot.engine.refusals import NotAskedNow
from bot.engine.view.types import SeatView
from bot.render.hand import private_choices
from bot.render.hand.scene import Scene
from bot.render.message.custom_ids import Verb
from bot.render.message.panel import Panel, payload
from cogs.ui.click import Click, Handler
from cogs.ui.playing import act, button_amount, own_scene, require_turn


async def open_choice(click: Click) -> None:
    """Open the player's private choice; on a private message, start it again."""
    scene = _scene_to_choose(click)
    await _show(click, private_choices.choice_panel(scene))


async def cards_marked(click: Click) -> None:
    """Cards are marked: offer to discard them."""
    scene = _scene_to_choose(click)
    card_indexes = private_choices.marked_card_indexes(_own_seat(scene), click.info.values)
    await _show(click, private_choices.discard_panel(scene, card_indexes))


async def discard_marked_cards(click: Click) -> None:
    """Replace, give up or pass the cards that the button stands for."""
    await act(
        click,
        c.ChooseCards(private_choices.chosen_card_indexes(_own_seat(_scene_to_choose(click)), button_amount(click))),
    )


async def stand_pat(click: Click) -> None:
    await act(click, c.ChooseCards())


async def next_in_order(click: Click) -> None:
    """A card is chosen: ask for the one after it."""
    scene = _scene_to_choose(click)
    value = click.info.values[0] if click.info.values else ""
    code = button_amount(click)
    if value.isdecimal():
        code = private_choices.extend_order(code, int(value))
    await _show(click, private_choices.order_panel(scene, code))


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
    await _show(click, private_choices.wild_meaning_panel(scene, code, rank))


async def wild_suit_chosen(click: Click) -> None:
    await _show(click, private_choices.wild_meaning_panel(_scene_to_choose(click), button_amount(click)))


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
    if legal.decision is Decision.BET:
        refusal: LawError = NotAskedNow(expected=legal.decision)
        refusal.legal = legal
        raise refusal
    return own_scene(click.services, snapshot, click.info.user)


def _own_seat(scene: Scene) -> SeatView:
    seat = scene.own_seat()
    assert seat is not None, "the viewer has no seat"
    return seat


async def _show(click: Click, panel: Panel) -> None:
    if click.info.message_is_private:
        await click.reply.redraw(payload(panel))
    else:
        await click.reply.private(panel)


HANDLERS: dict[Verb, Handler] = {
    Verb.OPEN_CHOICE: open_choice,
    Verb.OPEN_DECLARATION: open_choice,
    Verb.CARDS_MARKED: cards_marked,
    Verb.DISCARD: discard_marked_cards,
    Verb.STAND_PAT: stand_pat,
    Verb.NEXT_IN_ORDER: next_in_order,
    Verb.ARRANGE: confirm_order,
    Verb.DECLARE_WORD: declare_word,
    Verb.WILD_RANK: wild_rank_chosen,
    Verb.WILD_SUIT: wild_suit_chosen,
    Verb.SHOW: show,
}

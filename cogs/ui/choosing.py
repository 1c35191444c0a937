"""Clicks on private choices: cards to change, give up or pass, their order, a word, what wild cards stand for.

The table's button opens the choice for its player alone; every further click redraws that private message, and the last one asks the
table. What has been chosen so far is in the ids (`bot.render.codes`).

Source: ui §5 e; laws X-2, W-7, LO-3, TL-25, TL-41.
"""

from __future__ import annotations

from bot.engine import commands as c
from bot.engine.errors import LawError
from bot.engine.legal import Decision
from bot.engine.refusals import NotAskedNow
from bot.engine.view import SeatView
from bot.render import choices
from bot.render.ids import Verb
from bot.render.panel import Panel, payload
from bot.render.scene import Scene
from cogs.ui.click import Click, Handler
from cogs.ui.playing import act, amount, on_turn, own_scene


async def open_choice(click: Click) -> None:
    """Open the private choice that is asked of who clicked; on a private message, begin it again."""
    scene = _asked_scene(click)
    await _show(click, choices.choice_panel(scene))


async def cards_marked(click: Click) -> None:
    """Cards were marked: the choice offers to give them up."""
    scene = _asked_scene(click)
    places = choices.marked_places(_seat(scene), click.deed.values)
    await _show(click, choices.discard_panel(scene, places))


async def give_up_cards(click: Click) -> None:
    """The cards that the button stands for are changed, given up or passed."""
    await act(click, c.Discard(choices.chosen_places(_seat(_asked_scene(click)), amount(click))))


async def stand_pat(click: Click) -> None:
    await act(click, c.Discard())


async def next_in_order(click: Click) -> None:
    """The next card was named: which comes after it?"""
    scene = _asked_scene(click)
    value = click.deed.values[0] if click.deed.values else ""
    code = amount(click)
    if value.isdecimal():
        code = choices.next_order(code, int(value))
    await _show(click, choices.order_panel(scene, code))


async def keep_order(click: Click) -> None:
    await act(click, c.Discard(choices.ordered_places(_seat(_asked_scene(click)), amount(click))))


async def say_word(click: Click) -> None:
    """One of the words is said."""
    _, legal = on_turn(click)
    word = choices.word_chosen(legal, amount(click))
    if not word:
        raise NotAskedNow(asked=legal.decision)
    await act(click, c.Declare(word))


async def meaning_chosen(click: Click) -> None:
    """A rank was chosen for a wild card: its suit is asked next."""
    scene = _asked_scene(click)
    code, rank = choices.settled(scene, amount(click), click.deed.values[0] if click.deed.values else "")
    await _show(click, choices.meaning_panel(scene, code, rank))


async def meaning_settled(click: Click) -> None:
    await _show(click, choices.meaning_panel(_asked_scene(click), amount(click)))


async def show(click: Click) -> None:
    """Show the hand, with what is said of its wild cards and aces."""
    code = amount(click)
    if not code:
        await act(click, c.Show())
        return
    pairs, word = choices.said_at_show(_asked_scene(click), code)
    await act(click, c.Show(pairs, word))


def _asked_scene(click: Click) -> Scene:
    """The hand as who clicked may see it, while something is asked of him.

    Raises:
        StaleButton, NotYourTurn, NotDealtIn.
    """
    now, legal = on_turn(click)
    if legal.decision is Decision.BET:
        refusal: LawError = NotAskedNow(asked=legal.decision)
        refusal.legal = legal
        raise refusal
    return own_scene(click.room, now, click.deed.user)


def _seat(scene: Scene) -> SeatView:
    seat = scene.own()
    assert seat is not None, "a choice of nobody's"
    return seat


async def _show(click: Click, panel: Panel) -> None:
    if click.deed.private:
        await click.reply.redraw(payload(panel))
    else:
        await click.reply.private(panel)


HANDLERS: dict[Verb, Handler] = {
    Verb.DISCARDS: open_choice,
    Verb.DECLARE: open_choice,
    Verb.CHOSEN: cards_marked,
    Verb.DRAW: give_up_cards,
    Verb.PAT: stand_pat,
    Verb.ORDER: next_in_order,
    Verb.ARRANGE: keep_order,
    Verb.WORD: say_word,
    Verb.MEANING: meaning_chosen,
    Verb.SETTLED: meaning_settled,
    Verb.SHOW: show,
}

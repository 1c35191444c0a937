"""Clicks on the ceremonies of a table: the cut, the first deal, the next game, a bomb pot, an exchange of seats, a misdeal.

Source: laws D-1 to D-7, I-2, TL-29, P-12, VC-28, VC-29.
"""

import re
from collections.abc import Awaitable, Callable

from bot.render.message.notice import notice_panel
from bot.render.message.panel import Panel
from bot.render.table import ceremonies
from bot.runtime.request import Request
from bot.runtime.snapshot import RequestOutcome
from bot.table.commands import (
    ChooseGame,
    ClaimMisdeal,
    CutDeck,
    CutForFirstDeal,
    DrawForFirstDeal,
    DrawSeats,
    ExchangeSeats,
    ShuffleDeck,
    VoteForBombPot,
)
from bot.table.refusals import AlreadyCutForFirstDeal, DeckAlreadyCut, NotYoursToCut
from bot.text import confirmations as words
from bot.text.amounts import UnreadableAmount
from bot.text.buttons import Verb
from bot.text.ceremonies import ceremony_text
from bot.text.game_names import game_name
from bot.text.language import t
from bot.text.refusals import wording
from cogs.support import confirmations
from cogs.support.services import Click, Handler, Services


def parse_numbers(text: str) -> tuple[int, ...]:
    """Read numbers as people write them: ``20``, ``20 35``, ``20, 35``.

    Raises:
        UnreadableAmount: there is something else.
    """
    parts = re.split(r"[\s,;/]+", text.strip())
    if not all(part.isdecimal() and len(part) < 6 for part in parts):
        raise UnreadableAmount(word=text)
    return tuple(int(part) for part in parts)


async def cut_deck(services: Services, request: Request, text: str) -> Panel:
    """Cut the deck at the points that a player has typed."""
    points = parse_numbers(text)
    await services.tables.ask(request, CutDeck(request.user, points))
    return confirmations.done(words.deck_cut(points))


async def cut_for_deal(services: Services, request: Request, text: str) -> Panel:
    """Cut for the first deal at the card that a player has typed."""
    (card_number, *_) = parse_numbers(text)
    outcome = _outcome_text(services, await services.tables.ask(request, CutForFirstDeal(request.user, card_number)))
    return confirmations.done(t(words.CUT_FOR_DEAL_WITH, outcome=outcome) if outcome else t(words.CUT_FOR_DEAL))


async def draw_for_deal(services: Services, request: Request) -> Panel:
    """Draw for the first deal."""
    outcome = await services.tables.ask(request, DrawForFirstDeal(request.user))
    return confirmations.done(_outcome_text(services, outcome) or t(words.DRAWN_FOR_DEAL))


async def draw_seats(services: Services, request: Request) -> Panel:
    """Draw for seats."""
    outcome = await services.tables.ask(request, DrawSeats(request.user))
    return confirmations.done(_outcome_text(services, outcome) or t(words.SEATS_DRAWN))


async def shuffle_deck(services: Services, request: Request) -> Panel:
    """Have the deck shuffled once more."""
    outcome = await services.tables.ask(request, ShuffleDeck(request.user))
    return confirmations.done(t(words.SHUFFLED, count=outcome.snapshot.table.deck.shuffles))


async def claim_misdeal(services: Services, request: Request) -> Panel:
    """Say that the deal was irregular."""
    outcome = await services.tables.ask(request, ClaimMisdeal(request.user))
    return confirmations.done(t(words.MISDEAL_CLAIMED if outcome.snapshot.hand_running else words.MISDEAL_AGREED))


async def vote_bomb_pot(services: Services, request: Request, *, wanted: bool) -> Panel:
    """Ask for a bomb pot, or take that back."""
    outcome = await services.tables.ask(request, VoteForBombPot(request.user, wanted))
    if not wanted:
        return confirmations.done(t(words.NO_BOMB_POT_WANTED))
    agreed = outcome.snapshot.table.bomb_pot and not outcome.snapshot.hand_running
    return confirmations.done(t(words.BOMB_POT_NEXT if agreed else words.BOMB_POT_WANTED))


async def exchange_seats(services: Services, request: Request, seat_number: int) -> Panel:
    """Ask to exchange seats."""
    outcome = await services.tables.ask(request, ExchangeSeats(request.user, seat_number))
    exchange = outcome.snapshot.seat_exchange
    agreed = exchange is not None and exchange.due_at
    return confirmations.done(t(words.EXCHANGE_AGREED if agreed else words.EXCHANGE_ASKED))


async def choose_next_game(services: Services, request: Request, game_index: int) -> Panel:
    """Choose the next game."""
    outcome = await services.tables.ask(request, ChooseGame(request.user, game_index))
    return confirmations.done(t(words.NEXT_GAME, game=game_name(outcome.snapshot.settings.rule_card.name)))


def _outcome_text(services: Services, outcome: RequestOutcome) -> str:
    snapshot = outcome.snapshot
    return ceremony_text(
        outcome.events,
        confirmations.names_by_user(snapshot),
        confirmations.names_by_seat(snapshot),
        services.emoji_decks.four_colour,
    )


# buttons, selects and forms


def answered(work: Callable[[Services, Request], Awaitable[Panel]]) -> Handler:
    """Return the handler of a button that does this, and answers its presser alone."""

    async def handle(click: Click) -> None:
        await click.reply.private(await work(click.services, click.request_any_time))

    return handle


async def open_cut_form(click: Click) -> None:
    """Open the form for the cut, if this player can cut now."""
    snapshot, user = click.snapshot, click.info.user
    size = snapshot.deck_size_to_cut(user)
    if not size:
        deck = snapshot.table.deck
        raise DeckAlreadyCut if deck.cut_points else NotYoursToCut(seat_number=deck.cutter_seat)
    await click.reply.form(ceremonies.cut_form(snapshot.id, snapshot.hand_number, user, size))


async def cut_form_submitted(click: Click) -> None:
    text = click.info.fields.get(ceremonies.CUT_POINTS_FIELD, "")
    await click.reply.private(await cut_deck(click.services, click.request_any_time, text))


async def open_cut_for_deal_form(click: Click) -> None:
    """Open the form for the cut for the first deal."""
    snapshot, user = click.snapshot, click.info.user
    size = snapshot.deck_size_to_cut_for_first_deal(user)
    if not size:
        raise AlreadyCutForFirstDeal
    await click.reply.form(ceremonies.cut_for_deal_form(snapshot.id, snapshot.hand_number, user, size))


async def cut_for_deal_form_submitted(click: Click) -> None:
    text = click.info.fields.get(ceremonies.CARD_NUMBER_FIELD, "")
    await click.reply.private(await cut_for_deal(click.services, click.request_any_time, text))


async def bomb_pot_clicked(click: Click) -> None:
    """Ask for a bomb pot, or take it back after having asked."""
    voted = click.info.user in click.snapshot.table.bomb_pot_votes
    await click.reply.private(await vote_bomb_pot(click.services, click.request_any_time, wanted=not voted))


async def exchange_clicked(click: Click) -> None:
    await click.reply.private(
        await exchange_seats(click.services, click.request_any_time, getattr(click.press, "amount", 0))
    )


async def game_chosen(click: Click) -> None:
    value = click.info.values[0] if click.info.values else ""
    if not value.isdecimal():
        await click.reply.private(notice_panel(t(wording.EXPIRED_BUTTON)))
        return
    await click.reply.private(await choose_next_game(click.services, click.request_any_time, int(value)))


HANDLERS: dict[Verb, Handler] = {
    Verb.CUT: open_cut_form,
    Verb.CUT_FOR_DEAL: open_cut_for_deal_form,
    Verb.DRAW_FOR_DEAL: answered(draw_for_deal),
    Verb.SHUFFLE: answered(shuffle_deck),
    Verb.BOMB_POT: bomb_pot_clicked,
    Verb.MISDEAL: answered(claim_misdeal),
    Verb.EXCHANGE: exchange_clicked,
    Verb.CHOOSE_GAME: game_chosen,
}

FORMS: dict[Verb, Handler] = {Verb.CUT: cut_form_submitted, Verb.CUT_FOR_DEAL: cut_for_deal_form_submitted}

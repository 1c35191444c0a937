"""The pages of `/table` about seats and the deal: the cut, the first deal and the next game; drawing, exchanging and handing over seats."""

from collections.abc import Awaitable, Callable

from bot.render.message.panel import Panel
from bot.render.table import ceremonies as panels
from bot.runtime.request import Request
from bot.table.commands import (
    ChooseDealerSeat,
    ChooseSeat,
    DeclineCut,
    DeclineDeal,
    NameSubstitute,
    ProposeStackAdjustment,
    TableCommand,
)
from bot.table.refusals import InvalidGameChoice, NoGameChoiceNow
from bot.text import adjustments
from bot.text import confirmations as words
from bot.text.language import Message, t
from bot.variants.catalogue import normalise_name
from cogs.presses import ceremonies
from cogs.support import confirmations
from cogs.support.commands import Invocation
from cogs.support.did_you_mean import Options
from cogs.support.menus import PLAYER, MenuPage, without_input
from cogs.support.services import Services

_ANY_CARD = "20"
"""Where anybody could cut the deck who can cut at all, in cards from the top."""


def _ceremony(work: Callable[[Services, Request], Awaitable[Panel]]) -> MenuPage:
    async def shown(invocation: Invocation) -> Panel:
        return await work(invocation.services, invocation.request)

    return without_input(shown)


def _asking(command: Callable[[int], TableCommand], answer: Message) -> MenuPage:
    async def asked(invocation: Invocation) -> Panel:
        await invocation.ask(command(invocation.info.user))
        return confirmations.done(t(answer))

    return without_input(asked)


async def _cut(invocation: Invocation) -> Panel | None:
    snapshot, user = invocation.snapshot, invocation.info.user
    size = snapshot.deck_size_to_cut(user)
    if not size:  # the table says why
        return await ceremonies.cut_deck(invocation.services, invocation.request, _ANY_CARD)
    await invocation.reply.form(panels.cut_form(snapshot.id, snapshot.hand_number, user, size))
    return None


async def _cut_for_deal(invocation: Invocation) -> Panel | None:
    snapshot, user = invocation.snapshot, invocation.info.user
    size = snapshot.deck_size_to_cut_for_first_deal(user)
    if not size:
        return await ceremonies.cut_for_deal(invocation.services, invocation.request, _ANY_CARD)
    await invocation.reply.form(panels.cut_for_deal_form(snapshot.id, snapshot.hand_number, user, size))
    return None


async def _bomb_pot(invocation: Invocation) -> Panel:
    voted = invocation.info.user in invocation.snapshot.table.bomb_pot_votes
    return await ceremonies.vote_bomb_pot(invocation.services, invocation.request, wanted=not voted)


async def _next_game(invocation: Invocation, given: Options) -> Panel:
    rotation = invocation.snapshot.table.rotation
    games = rotation.games if rotation is not None else ()
    wanted = normalise_name(given["game"])
    game_index = next((index for index, name in enumerate(games) if normalise_name(name) == wanted), -1)
    if game_index < 0:
        raise InvalidGameChoice(games=games, word=given["game"]) if games else NoGameChoiceNow()
    return await ceremonies.choose_next_game(invocation.services, invocation.request, game_index)


async def _choose_seat(invocation: Invocation, given: Options) -> Panel:
    seat = _seat(given)
    await invocation.ask(ChooseSeat(invocation.info.user, seat))
    return confirmations.done(t(words.SEAT_CHOSEN, seat=seat))


async def _exchange(invocation: Invocation, given: Options) -> Panel:
    return await ceremonies.exchange_seats(invocation.services, invocation.request, _seat(given))


def _seat(given: Options) -> int:
    """Read the number of a seat.

    Raises:
        UnreadableAmount: it is none.
    """
    return ceremonies.parse_numbers(given["seat"])[0]


async def _substitute(invocation: Invocation, given: Options) -> Panel:
    player = int(given[PLAYER])
    await invocation.ask(NameSubstitute(invocation.info.user, player))
    return confirmations.done(t(words.SUBSTITUTE_NAMED, player=f"<@{player}>") if player else t(words.NO_SUBSTITUTE))


async def _adjust(invocation: Invocation, given: Options) -> Panel:
    snapshot = invocation.snapshot
    adjustment = adjustments.parse_adjustment(given["changes"], snapshot.table.seats)
    outcome = await invocation.ask(ProposeStackAdjustment(invocation.info.user, adjustment))
    text = adjustments.adjustment_text(adjustment, confirmations.names_by_user(snapshot))
    proposed = outcome.snapshot.table.proposal is not None
    return confirmations.done(t(words.ADJUSTMENT_PROPOSED if proposed else words.ADJUSTED, changes=text))


SEAT_AND_DEAL_PAGES: dict[str, MenuPage] = {
    "seats": _ceremony(ceremonies.draw_seats),
    "choose": MenuPage(_choose_seat, ("seat",)),
    "left": _asking(lambda user: ChooseDealerSeat(user, True), words.SITS_LEFT_OF_BANKER),
    "among": _asking(lambda user: ChooseDealerSeat(user, False), words.JOINS_SEAT_DRAW),
    "exchange": MenuPage(_exchange, ("seat",)),
    "substitute": MenuPage(_substitute, of_person=True, nobody=True),
    "adjust": MenuPage(_adjust, ("changes",)),
    "cut": without_input(_cut),
    "nocut": _asking(DeclineCut, words.DECLINED_CUT),
    "shuffle": _ceremony(ceremonies.shuffle_deck),
    "first": _ceremony(ceremonies.draw_for_deal),
    "lot": without_input(_cut_for_deal),
    "skip": _asking(DeclineDeal, words.DONE),
    "misdeal": _ceremony(ceremonies.claim_misdeal),
    "next": MenuPage(_next_game, ("game",)),
    "bomb": without_input(_bomb_pot),
}
"""These pages, by their words in the catalogue."""

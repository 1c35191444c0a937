"""Clicks on the ceremonies of a table: the cut, the first deal, the next game, a bomb pot, an exchange of seats, a misdeal.

Source: laws D-1 to D-7, I-2, TL-29, P-12, VC-28, VC-29.
"""

from __future__ import annotations

import re

from bot.render import ceremonies, wording
from bot.render.amounts import BadAmount
from bot.render.ids import Verb
from bot.render.panel import Panel
from bot.runtime.asked import Asked
from bot.runtime.outcome import Outcome
from bot.table.errors import NoCutForDeal, NotYoursToCut, PackIsCut
from cogs.ui import said
from cogs.ui.click import Click, Handler
from cogs.ui.room import Room


def numbers(word: str) -> tuple[int, ...]:
    """Read numbers as people write them: ``20``, ``20 35``, ``20, 35``.

    Raises:
        BadAmount: there is something else.
    """
    parts = re.split(r"[\s,;/]+", word.strip())
    if not all(part.isdecimal() and len(part) < 6 for part in parts):
        raise BadAmount(word=word, kind="unreadable")
    return tuple(int(part) for part in parts)


async def cut_at(room: Room, asked: Asked, word: str) -> Panel:
    """Cut the pack where somebody says."""
    points = numbers(word)
    await room.tables.cut_pack(asked, points)
    return said.good(f"You have cut the pack at {' and '.join(map(str, sorted(points)))}.\n-# Law D-7")


async def cut_for_deal(room: Room, asked: Asked, word: str) -> Panel:
    """Cut for the first deal where somebody says."""
    (place, *_) = numbers(word)
    outcome = await room.tables.cut_for_deal(asked, place)
    return said.good(f"You have cut for the first deal. {_note(room, outcome)}".rstrip() + "\n-# Law D-2")


async def draw(room: Room, asked: Asked) -> Panel:
    """Draw for the first deal."""
    return said.good(_note(room, await room.tables.draw_for_deal(asked)) or "It is drawn.")


async def draw_seats(room: Room, asked: Asked) -> Panel:
    """Draw for seats."""
    return said.good((_note(room, await room.tables.draw_seats(asked)) or "Seats are drawn.") + "\n-# Law P-8")


async def shuffle(room: Room, asked: Asked) -> Panel:
    """Have the pack shuffled."""
    outcome = await room.tables.shuffle(asked)
    times = outcome.now.table.pack.shuffles
    often = "once" if times == 1 else f"{times} times"
    return said.good(f"The pack is shuffled {often} on demand, and last by the dealer.\n-# Law D-3")


async def claim(room: Room, asked: Asked) -> Panel:
    """Say that the deal was irregular."""
    outcome = await room.tables.claim_misdeal(asked)
    if not outcome.now.running:
        return said.good("Everybody says so: the deal does not count.\n-# Law TL-29")
    return said.good("Noted. The deal does not count once everybody dealt in says so, in time.\n-# Law TL-29")


async def vote_bomb(room: Room, asked: Asked, *, on: bool) -> Panel:
    """Ask for a bomb pot."""
    outcome = await room.tables.vote_bomb(asked, on=on)
    if not on:
        return said.good("You do not ask for a bomb pot any more.")
    if outcome.now.table.bomb and not outcome.now.running:
        return said.good("Everybody asks for it: the next hand is a bomb pot.\n-# Law VC-29")
    return said.good("You ask for a bomb pot. It is dealt once all who play ask for it.\n-# Law VC-29")


async def exchange(room: Room, asked: Asked, seat: int) -> Panel:
    """Ask to exchange seats."""
    outcome = await room.tables.exchange(asked, seat)
    agreed = outcome.now.exchange
    if agreed is not None and agreed.due:
        return said.good(
            "Agreed. You exchange seats once the others have had time to object, and no deal is running.\n-# Law P-12"
        )
    return said.good("Asked. It happens when the other player asks the same and nobody objects.\n-# Law P-12")


async def choose(room: Room, asked: Asked, place: int) -> Panel:
    """Choose the next game."""
    outcome = await room.tables.choose_game(asked, place)
    return said.good(f"The next game is **{outcome.now.settings.card.name}**.\n-# Law VC-28")


def _note(room: Room, outcome: Outcome) -> str:
    now = outcome.now
    return ceremonies.told(outcome.events, said.names_by_user(now), said.names_by_seat(now), room.deck.emojis)


# buttons, selects and forms


async def open_cut(click: Click) -> None:
    """Open the form for the cut, for who may cut now."""
    now, user = click.now, click.deed.user
    size = now.may(user, click.room.clock.now()).cut
    if not size:
        pack = now.table.pack
        raise PackIsCut if pack.points else NotYoursToCut(seat=pack.cutter)
    await click.reply.form(ceremonies.cut_form(now.id, now.hand_number, user, size))


async def cut_written(click: Click) -> None:
    word = click.deed.fields.get(ceremonies.POINTS_FIELD, "")
    await click.reply.private(await cut_at(click.room, click.asked_any_time, word))


async def open_lot(click: Click) -> None:
    """Open the form for the cut for the first deal."""
    now, user = click.now, click.deed.user
    size = now.may(user, click.room.clock.now()).cut_for_deal
    if not size:
        raise NoCutForDeal(how="you have cut, or it is settled")
    await click.reply.form(ceremonies.lot_form(now.id, now.hand_number, user, size))


async def lot_written(click: Click) -> None:
    word = click.deed.fields.get(ceremonies.PLACE_FIELD, "")
    await click.reply.private(await cut_for_deal(click.room, click.asked_any_time, word))


async def draw_clicked(click: Click) -> None:
    await click.reply.private(await draw(click.room, click.asked_any_time))


async def shuffle_clicked(click: Click) -> None:
    await click.reply.private(await shuffle(click.room, click.asked_any_time))


async def bomb_clicked(click: Click) -> None:
    """Ask for a bomb pot; who has asked takes it back."""
    voted = click.deed.user in click.now.table.bomb_votes
    await click.reply.private(await vote_bomb(click.room, click.asked_any_time, on=not voted))


async def claim_clicked(click: Click) -> None:
    await click.reply.private(await claim(click.room, click.asked_any_time))


async def exchange_clicked(click: Click) -> None:
    await click.reply.private(await exchange(click.room, click.asked_any_time, getattr(click.press, "amount", 0)))


async def game_chosen(click: Click) -> None:
    value = click.deed.values[0] if click.deed.values else ""
    if not value.isdecimal():
        await click.reply.private(wording.notice(wording.OLD))
        return
    await click.reply.private(await choose(click.room, click.asked_any_time, int(value)))


HANDLERS: dict[Verb, Handler] = {
    Verb.CUT: open_cut,
    Verb.LOT: open_lot,
    Verb.DRAW_DEAL: draw_clicked,
    Verb.SHUFFLE: shuffle_clicked,
    Verb.BOMB: bomb_clicked,
    Verb.MISDEAL: claim_clicked,
    Verb.EXCHANGE: exchange_clicked,
    Verb.CHOOSE_GAME: game_chosen,
}

FORMS: dict[Verb, Handler] = {Verb.CUT: cut_written, Verb.LOT: lot_written}

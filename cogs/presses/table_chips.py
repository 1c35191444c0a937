"""Clicks about table chips: the book of a game, and a host's answer to a rebuy. Laws: TC-1, TC-4."""

from bot.render.table.book import book_panel
from bot.table.commands import AnswerRebuy
from bot.text import table_chips as words
from bot.text.buttons import Verb
from bot.text.language import t
from cogs.presses import seating
from cogs.presses.playing import button_amount
from cogs.support import confirmations
from cogs.support.services import Click, Handler


async def show_book(click: Click) -> None:
    """Show the book to whoever asks, alone; a host's has the rebuys that they can answer."""
    await click.reply.private(book_panel(click.snapshot.id, click.snapshot.table, click.info.user))


def answering(*, granted: bool) -> Handler:
    """Return the handler of a button that answers a rebuy."""

    async def handle(click: Click) -> None:
        asker = button_amount(click)
        command = AnswerRebuy(click.info.user, asker, granted)
        outcome = await click.services.tables.ask(click.request_any_time, command)
        if not granted:
            text = words.REFUSED
        else:
            text = words.GRANTED if seating.seat_of(outcome.snapshot, asker) is not None else words.GRANTED_SEAT
        await click.reply.private(confirmations.done(t(text, player=f"<@{asker}>")))

    return handle


HANDLERS: dict[Verb, Handler] = {
    Verb.BOOK: show_book,
    Verb.GRANT_REBUY: answering(granted=True),
    Verb.REFUSE_REBUY: answering(granted=False),
}

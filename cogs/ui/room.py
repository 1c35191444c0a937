"""Everything a cog talks to, and the way every deed is attended to: ruled on, answered, and explained where it is refused.

Source: style §5, §6.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Mapping
from dataclasses import dataclass

from bot.engine.errors import TableError
from bot.ledger.accounts import Book
from bot.render import escape, private
from bot.render.cards import Emojis
from bot.runtime.asked import Asked
from bot.runtime.bank import Bank
from bot.runtime.clock import Clock
from bot.runtime.house_games import HouseGames
from bot.runtime.now import TableNow
from bot.runtime.tables import Tables
from cogs.ui.deed import Deed
from cogs.ui.letters import Letters
from cogs.ui.preferences import Preferences
from cogs.ui.replies import Reply
from cogs.ui.scenes import Deck
from cogs.ui.surface import Surface
from cogs.ui.wire import Wire

log = logging.getLogger(__name__)


@dataclass(slots=True)
class Room:
    """The parts that cogs use."""

    tables: Tables
    bank: Bank
    surface: Surface
    letters: Letters
    preferences: Preferences
    wire: Wire
    deck: Deck
    clock: Clock
    house_games: HouseGames
    local: bool = False

    async def asked(self, deed: Deed, *, table: int = 0, hand: int = -1, turn: int = -1) -> Asked:
        """A request, with whether who asks is staff."""
        rules = await self.bank.house_rules(deed.guild)
        return deed.asked(staff=deed.staff(rules.staff_role), table=table, hand=hand, turn=turn)

    def here(self, deed: Deed) -> TableNow:
        """The table of the channel.

        Raises:
            NoTableHere: there is none.
        """
        return self.tables.table_asked(deed.asked())

    def emojis_of(self, user: int) -> Emojis:
        """The cards as this player wants to see them, where only he sees them."""
        return self.deck.of(two_colour=self.preferences.two_colour(user))

    def book(self, now: TableNow) -> Book:
        """The books a table is on."""
        return Book.PRACTICE if now.settings.practice else Book.PEOPLE

    def names(self, deed: Deed, table: int = 0) -> Mapping[int, str]:
        """Who sits where, safe for markdown: for refusals that name somebody."""
        try:
            now = self.tables.now(table) if table else self.tables.table_in_channel(deed.guild, deed.channel)
        except TableError:
            return {}
        return {} if now is None else {number: escape.name(player.name) for number, player in now.people.items()}

    async def attend(self, deed: Deed, reply: Reply, work: Awaitable[None], table: int = 0) -> None:
        """See a deed through: a refusal is explained, a fault of ours is logged and admitted, and it is answered whatever happens."""
        self.letters.heard(deed.user, deed.token)
        try:
            await work
        except TableError as error:
            await reply.refuse(error, self.names(deed, table))
        except Exception:
            log.exception("a deed could not be done", extra={"user": deed.user, "what": deed.custom_id})
            await reply.broken()
        finally:
            await reply.close()
        if self.letters.owes_word(deed.user):
            await reply.private(private.dm_refused_panel())

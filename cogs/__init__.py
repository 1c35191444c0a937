"""Discord's commands, thin: acknowledge, translate, answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from discord.ext import commands

from bot.render.ids import Verb
from cogs.bank import BankCog, BoardCog
from cogs.choose import ChooseCog
from cogs.deal import DealCog, PlacesCog
from cogs.history import HistoryCog
from cogs.house import HouseCog
from cogs.learn import LearnCog
from cogs.play import PlayCog
from cogs.seats import SeatsCog
from cogs.tables import TablesCog
from cogs.ui.click import Handler, PageHandler
from cogs.ui.room import Room
from cogs.wishes import WishesCog


@dataclass(frozen=True, slots=True)
class Cogs:
    """All cogs, and what attends to the pages and forms they show."""

    cogs: tuple[commands.Cog, ...]
    pages: Mapping[str, PageHandler]
    forms: Mapping[Verb, Handler]


def cogs_of(room: Room) -> Cogs:
    """Make every cog."""
    tables, play, bank = TablesCog(room), PlayCog(room), BankCog(room)
    history, house, learn = HistoryCog(room), HouseCog(room), LearnCog(room)
    pages: dict[str, PageHandler] = {
        "chips": bank.chips_page,
        "board": bank.board_page,
        "hand": history.page,
        "house": house.page,
        "laws": learn.laws_page,
        "help": learn.help_page,
        "table": tables.page,
    }
    deal, places, choose = DealCog(room), PlacesCog(room), ChooseCog(room)
    return Cogs(
        (
            tables,
            SeatsCog(room),
            places,
            play,
            choose,
            deal,
            bank,
            BoardCog(room),
            history,
            house,
            learn,
            WishesCog(room),
        ),
        pages,
        {Verb.SETTINGS: tables.setting_written},
    )

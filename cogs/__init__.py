"""The commands and clicks of Discord: read what somebody did, ask the tables, answer."""

from collections.abc import Mapping
from dataclasses import dataclass

from discord import app_commands
from discord.ext import commands

from bot.line.client import DiscordClient
from bot.line.gateway import CLICK
from bot.render.hand.found_hands import PAGE as FOUND_PAGE
from bot.render.hand.replay_ids import PAGE as REPLAY_PAGE
from bot.render.house.me_page import PAGE as ME_PAGE
from bot.render.menus import MOVED
from bot.render.menus import PAGE as MENU_PAGE
from bot.render.message.notice import notice_panel
from bot.render.message.panel import payload
from bot.render.table.nights import PAGE as NIGHT_PAGE
from bot.render.table.rebuys import PAGE as SIT_AND_GO_PAGE
from bot.render.table.sheet import PAGE as AGAIN_PAGE
from bot.text.buttons import Verb
from bot.text.commands import REPLAY_MENU, STATISTICS_MENU
from bot.text.language import t
from bot.text.refusals.wording import EXPIRED_BUTTON
from cogs.act import ActCog
from cogs.chips import ChipPages
from cogs.duels import DuelsCog
from cogs.history import HistoryCog
from cogs.house import HouseCog
from cogs.imports import ImportPages
from cogs.leaderboard import LeaderboardPages
from cogs.learn import LearnCog
from cogs.lobby import LobbyCog
from cogs.me import MeCog
from cogs.moved import MovedCog
from cogs.nights import NightsCog
from cogs.open import OpenCog
from cogs.play import PlayCog
from cogs.presses import again, finding, hand_files, sit_and_go
from cogs.presses.opening import open_table_here
from cogs.privacy import PrivacyPages
from cogs.seasons import SeasonCog
from cogs.seats import SeatsCog
from cogs.statistics import StatisticsCog
from cogs.support.click_listener import ClickListener
from cogs.support.commands import message_command, person_command
from cogs.support.menus import Menus
from cogs.support.services import Handler, PageClick, PageHandler, Services
from cogs.tables import TablesCog


@dataclass(frozen=True, slots=True)
class Cogs:
    """All cogs, with the handlers of the pages and forms that they show, and the commands in the menus of people and messages."""

    cogs: tuple[commands.Cog, ...]
    menus: tuple[app_commands.ContextMenu, ...]
    pages: Mapping[str, PageHandler]
    forms: Mapping[Verb, Handler]


async def press_correction(click: PageClick) -> None:
    """A button of “Did you mean …?” was pressed."""
    await click.services.corrections.press(click.info, click.reply, click.press.words)


async def press_form_again(click: PageClick) -> None:
    """*Change it…* was pressed: the form comes back as it was filled in."""
    form = click.services.private_answers.forms.again(click.info.user, click.press.number())
    if form is None:
        await click.reply.redraw(payload(notice_panel(t(EXPIRED_BUTTON))))
    else:
        await click.reply.form(form)


def listen_to_clicks(client: DiscordClient, services: Services, cogs: Cogs) -> ClickListener:
    """Handle every click and every form that the gateway delivers."""
    listener = ClickListener(services, cogs.pages, cogs.forms)
    client.read(CLICK, listener.on_click)
    return listener


def create_cogs(services: Services) -> Cogs:
    """Create every cog."""
    chips, privacy, imports = ChipPages(services), PrivacyPages(services), ImportPages(services)
    tables, house, season = TablesCog(services), HouseCog(services), SeasonCog(services)
    me, opening, leaderboard = MeCog(services, chips, privacy), OpenCog(services), LeaderboardPages(services)
    history, learn, lobby = HistoryCog(services, imports), LearnCog(services), LobbyCog(services, opening)
    moved, nights = MovedCog(services, history), NightsCog(services)
    statistics = StatisticsCog(services, history.show_hand, leaderboard)
    menus = Menus(me.menu, tables.menu, season.menu, house.menu)
    pages: dict[str, PageHandler] = {
        MENU_PAGE: menus.press,
        ME_PAGE: me.page,
        MOVED: moved.page,
        "chips": chips.chips_page,
        "stats": statistics.page,
        "board": leaderboard.board_page,
        "season": season.page,
        "hand": history.page,
        REPLAY_PAGE: history.replay_page,
        FOUND_PAGE: finding.press,
        AGAIN_PAGE: again.press,
        NIGHT_PAGE: nights.page,
        SIT_AND_GO_PAGE: sit_and_go.press,
        "file": hand_files.press,
        "import": imports.page,
        "house": house.pages.page,
        "laws": learn.laws_page,
        "help": learn.help_page,
        "table": tables.page,
        "greeting": open_table_here,
        "open": opening.page,
        "lobby": lobby.page,
        "privacy": privacy.page,
        "meant": press_correction,
        "form": press_form_again,
    }
    return Cogs(
        (
            opening,
            lobby,
            SeatsCog(services),
            PlayCog(services),
            ActCog(services),
            history,
            statistics,
            nights,
            DuelsCog(services),
            season,
            me,
            learn,
            tables,
            house,
            moved,
        ),
        (
            message_command(services, REPLAY_MENU, history.replay_message),
            person_command(services, STATISTICS_MENU, statistics.menu),
        ),
        pages,
        {Verb.SETTINGS: tables.setting_form_submitted},
    )

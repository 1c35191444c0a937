"""The commands and clicks of Discord: read what somebody did, ask the tables, answer."""

from collections.abc import Mapping
from dataclasses import dataclass

from discord import app_commands
from discord.ext import commands

from bot.line.client import DiscordClient
from bot.line.gateway import CLICK
from bot.render.hand.found_hands import PAGE as FOUND_PAGE
from bot.render.hand.replay_ids import PAGE as REPLAY_PAGE
from bot.text.buttons import Verb
from bot.text.commands import REPLAY_MENU, STATISTICS_MENU
from cogs.achievements import AchievementsCog
from cogs.chips import ChipsCog
from cogs.choices import ChoicesCog
from cogs.deal import DealCog, SeatingCog
from cogs.downloads import DownloadCog
from cogs.history import HistoryCog
from cogs.house import HouseCog
from cogs.imports import ImportCog
from cogs.leaderboard import LeaderboardCog
from cogs.learn import LearnCog
from cogs.lobby import LobbyCog
from cogs.open import OpenCog
from cogs.play import PlayCog
from cogs.preferences import PreferencesCog
from cogs.presses import finding, hand_files
from cogs.presses.opening import open_table_here
from cogs.privacy import PrivacyCog
from cogs.seasons import SeasonCog
from cogs.seats import SeatsCog
from cogs.statistics import StatisticsCog
from cogs.support.click_listener import ClickListener
from cogs.support.commands import message_command, person_command
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


def listen_to_clicks(client: DiscordClient, services: Services, cogs: Cogs) -> ClickListener:
    """Handle every click and every form that the gateway delivers."""
    listener = ClickListener(services, cogs.pages, cogs.forms)
    client.read(CLICK, listener.on_click)
    return listener


def create_cogs(services: Services) -> Cogs:
    """Create every cog."""
    tables, chips, opening = TablesCog(services), ChipsCog(services), OpenCog(services)
    imports = ImportCog(services)
    history, house, learn = HistoryCog(services, imports), HouseCog(services), LearnCog(services)
    privacy, lobby = PrivacyCog(services), LobbyCog(services, opening)
    statistics = StatisticsCog(services, history.show_hand)
    leaderboard, season = LeaderboardCog(services), SeasonCog(services)
    pages: dict[str, PageHandler] = {
        "chips": chips.chips_page,
        "stats": statistics.page,
        "board": leaderboard.board_page,
        "season": season.page,
        "hand": history.page,
        REPLAY_PAGE: history.replay_page,
        FOUND_PAGE: finding.press,
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
    }
    return Cogs(
        (
            tables,
            opening,
            lobby,
            SeatsCog(services),
            SeatingCog(services),
            PlayCog(services),
            ChoicesCog(services),
            DealCog(services),
            chips,
            leaderboard,
            AchievementsCog(services),
            season,
            history,
            statistics,
            imports,
            DownloadCog(services),
            house,
            learn,
            PreferencesCog(services),
            privacy,
        ),
        (
            message_command(services, REPLAY_MENU, history.replay_message),
            person_command(services, STATISTICS_MENU, statistics.menu),
        ),
        pages,
        {Verb.SETTINGS: tables.setting_form_submitted},
    )

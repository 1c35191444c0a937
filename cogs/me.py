"""`/me`: one's chips and play, and all that is one's own to choose: cards, DMs, pings, quiet hours, who sees the statistics, one's data."""

from bot.line.interaction import InteractionInfo
from bot.render.house.me_page import OwnChoices, OwnNumbers, me_panel
from bot.render.message.panel import Panel, payload
from bot.runtime.errors import OneServerOnly
from bot.statistics.types import INSIDER, Scope
from bot.text import escape
from bot.text import statistics as statistics_words
from bot.text.quiet_hours import parse_quiet_hours
from bot.text.waiting import parse_vacation
from cogs.achievements import achievements_panel
from cogs.chips import ChipPages
from cogs.cog import ServicesCog
from cogs.presses import seating
from cogs.privacy import PrivacyPages
from cogs.support.commands import Invocation, slash_command
from cogs.support.did_you_mean import Options
from cogs.support.host_news import with_host_news
from cogs.support.menus import Menu, MenuPage, without_input
from cogs.support.services import Effort, PageClick, Services


class MeCog(ServicesCog):
    """`/me`."""

    def __init__(self, services: Services, chips: ChipPages, privacy: PrivacyPages) -> None:
        super().__init__(services)
        self._in_direct_messages = {"": privacy.about, "privacy": privacy.about, "delete": privacy.full_question}
        self.menu = Menu(
            "me",
            self._home,
            {
                "chips": without_input(lambda one: chips.balance(one.info)),
                "daily": without_input(lambda one: chips.daily(one.info)),
                "free": without_input(lambda one: chips.relief(one.info)),
                "history": without_input(lambda one: chips.history(one.info)),
                "achievements": without_input(lambda one: achievements_panel(services, one.info, one.info.user)),
                "quiet": MenuPage(self._set_quiet_hours, ("hours",)),
                "vacation": MenuPage(self._set_vacation, ("vacation",)),
                "privacy": without_input(privacy.about),
                "export": without_input(privacy.export),
                "delete": without_input(privacy.question),
            },
        )

    @slash_command("me", in_direct_messages=True)
    async def me(self, invocation: Invocation, page: str = "") -> Panel | None:
        if invocation.info.guild:
            return await with_host_news(invocation, await self.menu.open(invocation, page))
        if page not in self._in_direct_messages:
            raise OneServerOnly
        return await self._in_direct_messages[page](invocation)

    async def page(self, click: PageClick) -> None:
        """Change what a button of the page is for, and draw the page again."""
        info, preferences = click.info, self.services.preferences
        user, wanted = info.user, click.press.words[:1] == ("on",)
        match click.press.verb:
            case "twocolours":
                await preferences.set_deck(user, two_colour=wanted)
            case "large":
                await preferences.set_large_cards(user, wanted=wanted)
            case "dms":
                await preferences.set_dms(user, wanted=wanted)
                if wanted:
                    self.services.direct_messages.reset_user(user)
            case "every":
                await preferences.set_every_dm(user, wanted=wanted)
            case "tables":
                await self.services.table_calls.set_wanted(info.guild, user, wanted=wanted)
            case "results":
                await preferences.set_achievements(user, told=wanted)
            case "duels":
                await preferences.set_duels(user, shown=wanted)
            case "seen" if info.values:
                await preferences.set_statistics(user, private=info.values[0] == "me")
            case _:
                pass
        await click.reply.redraw(payload(await self._panel(info)))

    async def _set_quiet_hours(self, invocation: Invocation, given: Options) -> Panel:
        hours = str(parse_quiet_hours(given["hours"]) or "")
        await self.services.preferences.set_quiet_hours(invocation.info.user, hours)
        return await self._panel(invocation.info)

    async def _set_vacation(self, invocation: Invocation, given: Options) -> Panel:
        """Go on vacation for so many days, or come back.

        Raises:
            VacationRunning, VacationTooLong, NoVacation.
        """
        days, user = parse_vacation(given["vacation"]), invocation.info.user
        if days:
            await self.services.vacations.begin(user, days)
        else:
            await self.services.vacations.end(user)
        return await self._panel(invocation.info)

    async def _home(self, invocation: Invocation) -> Panel:
        return await self._panel(invocation.info)

    async def _panel(self, info: InteractionInfo) -> Panel:
        services, preferences, guild, user = self.services, self.services.preferences, info.guild, info.user
        rules = await services.bank.house_rules(guild)
        chosen = OwnChoices(
            two_colour=preferences.wants_two_colours(user),
            large=preferences.wants_large_cards(user),
            dms=preferences.wants_dms(user),
            every_dm=preferences.wants_every_dm(user),
            cards_by_dm=preferences.gets_cards_by_dm(user),
            tables=services.table_calls.wants(guild, user),
            quiet=preferences.quiet_hours(user),
            server_quiet=rules.quiet_hours,
            results=preferences.hears_of_achievements(user),
            server_results=bool(rules.achievements),
            private=preferences.keeps_statistics_private(user),
            duels=preferences.shows_duels(user),
        )
        return me_panel(await self._numbers(info), chosen, services.emojis_for(user))

    async def _numbers(self, info: InteractionInfo) -> OwnNumbers:
        services, guild, user = self.services, info.guild, info.user
        services.spend_time(Effort.LEADERBOARD, user)
        holdings = await services.bank.holdings(guild, user)
        board = await services.bank.leaderboard(guild, user)
        counts = (await services.statistics.player(guild, user, Scope(), INSIDER)).counts
        lines = [statistics_words.result_line(counts), *statistics_words.play_lines(counts)] if counts.hands else []
        tables = services.tables.tables_seen_by(info.request())
        seats = [(seat, one.address.channel) for one in tables if (seat := seating.seat_of(one, user)) is not None]
        gifts = await services.bank.next_gifts(guild, user, info.joined_at)
        return OwnNumbers(
            name=escape.text(info.name),
            avatar=info.avatar,
            chips=holdings.total,
            rank=board.own.rank if board.own is not None else 0,
            players=board.players,
            seats=[(seat.number, channel, seat.stack) for seat, channel in seats],
            lines=lines,
            daily=0 if gifts.daily_at else gifts.daily,
            waiting=await services.next_tables.find(user),
            vacation=self._vacation(user),
            duels=await services.tables.duel_record(guild, user),
        )

    def _vacation(self, user: int) -> tuple[int, int] | None:
        """Until when somebody is on vacation, and how many days they can take; None for who sits at no table that waits."""
        vacations = self.services.vacations
        own = vacations.running(user)
        if own is None and not self.services.tables.sits_at_slow_table(user):
            return None
        return (own.ends_at if own is not None else 0), vacations.days_left(user)

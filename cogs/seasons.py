"""`/season`: the season that runs, results, the hall of fame; staff open and close seasons, and set what goes by itself."""

from discord import app_commands

from bot.house.rules import rules_of_page
from bot.line.interaction import InteractionInfo
from bot.render.house import season_pages as pages
from bot.render.house.house_pages import VALUE_FIELD, house_rule_form
from bot.render.house.rule_controls import chosen_value
from bot.render.menus import page_select
from bot.render.message.panel import Panel, payload
from bot.render.pictures.podium import PodiumLine
from bot.runtime.errors import RoleNotForWinners
from bot.runtime.store_types import SeasonResultsPage
from bot.statistics.seasons import Season
from bot.statistics.types import RankedPlayers, RankingOrder
from bot.surfaces.answer_pictures import FileToCome
from bot.surfaces.seasons.podiums import podium_answer
from bot.surfaces.seasons.trophies import is_powerful
from bot.table.refusals import StaffOnly
from cogs.cog import ServicesCog
from cogs.presses.staff_pages import parse_rule_value
from cogs.support.commands import Invocation, slash_command
from cogs.support.did_you_mean import Options
from cogs.support.menus import Menu, MenuPage, without_input
from cogs.support.services import Effort, PageClick, Services

PAGES_MAX = 1_000_000
_RULES = frozenset(rules_of_page("season.settings"))
_ORDERS = {"net": RankingOrder.NET, "per100": RankingOrder.NET_PER_100, "hands": RankingOrder.HANDS}
_NOBODY = RankedPlayers((), 0)


class SeasonCog(ServicesCog):
    """`/season`, and its pages."""

    def __init__(self, services: Services) -> None:
        super().__init__(services)
        self.menu = Menu(
            "season",
            self._home,
            {
                "results": MenuPage(self._show_results),
                "hall": without_input(lambda one: self._hall(one.info, 1)),
                "open": MenuPage(self._begin, ("name", "order"), admit=self._require_staff),
                "close": without_input(lambda one: self._close_question(one.info)),
                "settings": without_input(lambda one: self._settings(one.info)),
            },
        )

    @slash_command("season")
    async def season(
        self, invocation: Invocation, page: str = "", number: app_commands.Range[int, 1, 100_000] = 0
    ) -> Panel | None:
        return await self.menu.open(invocation, page or ("results" if number else ""), {"number": number})

    async def _home(self, invocation: Invocation) -> Panel:
        panel = await self._status(invocation.info)
        staff = (await invocation.staff_request()).staff
        select = page_select("season") if staff else page_select("season", ("results", "hall"))
        return Panel(panel.accent, (*panel.blocks, select))

    async def _show_results(self, invocation: Invocation, given: Options) -> None:
        panel, file = await self._results(invocation.info, int(given.get("number", 0)), 1)
        await invocation.reply.private(panel, file)

    async def _begin(self, invocation: Invocation, given: Options) -> Panel:
        request, order = await invocation.staff_request(), _ORDERS.get(given["order"], RankingOrder.NET)
        season = await self.services.seasons.begin(request, given["name"], invocation.info.channel, order)
        return pages.opened_panel(season, await self.services.bank.house_rules(request.guild))

    async def _require_staff(self, info: InteractionInfo) -> None:
        """Raise StaffOnly for anybody else."""
        if not (await self.services.request(info)).staff:
            raise StaffOnly

    async def _settings(self, info: InteractionInfo) -> Panel:
        await self._require_staff(info)
        rules = await self.services.bank.house_rules(info.guild)
        return pages.settings_panel(rules, await self._problem(info))

    async def _change_rule(self, info: InteractionInfo, field: str, value: int | str) -> Panel:
        """Change a house rule of seasons, and return the settings.

        Raises:
            StaffOnly, RoleNotForWinners, HouseRuleOutOfBounds.
        """
        await self._require_staff(info)
        request = await self.services.request(info)
        rules = await self.services.bank.house_rules(request.guild)
        if field == "season_role" and value:
            can_be_given = self.services.discord_api.servers.can_be_given(info.guild, int(value), is_powerful)
            if not can_be_given or value == rules.staff_role:
                raise RoleNotForWinners
        changes: dict[str, int | str] = {field: value}
        if field == "season_carried":
            changes["season_start"] = 0  # who keeps a part does not start again with the same
        await self.services.seasons.change_rules(request, **changes)
        return await self._settings(info)

    async def page(self, click: PageClick) -> None:
        """Answer a click on these pages."""
        info, verb = click.info, click.press.verb
        first, number = min(click.press.number(), PAGES_MAX), min(click.press.number(1), PAGES_MAX)
        page = max(1, first)
        match verb:
            case "openresults":
                panel, file = await self._results(info, number, 1)
                await click.reply.private(panel, file)
            case "openhall":
                await click.reply.private(await self._hall(info, 1))
            case "results" | "resultsp" | "resultsx" | "resultsn":
                panel, file = await self._results(info, number, page)
                await click.reply.redraw(payload(panel), file)
            case "sresultsp" | "sresultsn" | "showresults":
                with self.services.in_server_language(info.guild):
                    panel, file = await self._results(info, number, page, shared=True)
                if verb == "showresults":
                    self.services.spend(Effort.SHARED_STATISTICS, info.user)
                    await click.reply.public(panel, file)
                else:
                    await click.reply.redraw(payload(panel), file)
            case "hall" | "hallp" | "hallx" | "halln":
                await click.reply.redraw(payload(await self._hall(info, page)))
            case "shallp" | "shalln" | "showhall":
                with self.services.in_server_language(info.guild):
                    panel = await self._hall(info, page, shared=True)
                if verb == "showhall":
                    self.services.spend(Effort.SHARED_STATISTICS, info.user)
                    await click.reply.public(panel)
                else:
                    await click.reply.redraw(payload(panel))
            case "rule" if click.press.words and click.press.words[0] in _RULES:
                field = click.press.words[0]
                value = chosen_value(field, info.values)
                if value is not None:
                    await click.reply.redraw(payload(await self._change_rule(info, field, value)))
            case "number" if info.values and info.values[0] in _RULES:
                rules = await self.services.bank.house_rules(info.guild)
                field = info.values[0]
                await click.reply.form(house_rule_form(field, getattr(rules, field), info.user, "season"))
            case "set" if click.press.words and click.press.words[0] in _RULES:
                value = parse_rule_value(info.fields.get(VALUE_FIELD, ""))
                await click.reply.private(await self._change_rule(info, click.press.words[0], value))
            case "close":
                await click.reply.redraw(payload(await self._close_question(info)))
            case "closenow":
                self.services.count_time(info.user)
                request = await self.services.request(info)
                season = await self.services.seasons.end(request, first)
                await click.reply.redraw(payload(pages.closed_panel(season)))
            case _:
                await click.reply.redraw(payload(await self._status(info)))

    async def _status(self, info: InteractionInfo) -> Panel:
        seasons, guild = self.services.seasons, info.guild
        self.services.spend_time(Effort.LEADERBOARD, info.user)
        standing = await seasons.standing(guild, info.user, pages.LEADERS)
        rules = await self.services.bank.house_rules(guild)
        leaders = standing.leaders if standing is not None else _NOBODY
        last, _ = await seasons.last_winners(guild)
        staff = info.is_staff(rules.staff_role)
        return pages.standing_panel(
            standing.season if standing is not None else None,
            leaders,
            rules,
            user=info.user,
            is_over=last > 0,
            staff=staff,
            problem=await self._problem(info) if staff else "",
            departed=await self.services.display_names.departed(guild, [line.user for line in leaders.lines]),
        )

    async def _close_question(self, info: InteractionInfo) -> Panel:
        await self._require_staff(info)
        self.services.spend_time(Effort.LEADERBOARD, info.user)
        standing = await self.services.seasons.standing(info.guild, info.user, 1)
        if standing is None:
            return await self._status(info)
        changes = await self.services.seasons.end_chips(info.guild)
        return pages.close_question_panel(standing.season, standing.leaders, standing.chips, changes)

    async def _results(
        self, info: InteractionInfo, number: int, page: int, *, shared: bool = False
    ) -> tuple[Panel, FileToCome | None]:
        services, guild = self.services, info.guild
        services.spend_time(Effort.LEADERBOARD, info.user)
        season, found = await services.seasons.results(
            guild, number, info.user, page=page - 1, lines=pages.RESULT_LINES
        )
        picture = None
        if page == 1:
            lines = podium_lines(season, found)
            picture = await podium_answer(services.pictures, services.display_names, info, lines, signed=True)
        panel = pages.results_panel(
            season,
            found,
            page,
            user=info.user,
            shared=shared,
            departed=await services.display_names.departed(guild, [result.user for result in found.results]),
            picture=picture.block if picture is not None else None,
        )
        return panel, picture.file if picture is not None else None

    async def _hall(self, info: InteractionInfo, page: int, *, shared: bool = False) -> Panel:
        self.services.spend_time(Effort.LEADERBOARD, info.user)
        hall = await self.services.seasons.hall(info.guild, page=page - 1, lines=pages.HALL_LINES)
        users = [result.user for _, winners, _ in hall.lines for result in winners[:5]]
        departed = await self.services.display_names.departed(info.guild, users)
        return pages.hall_panel(hall, page, shared=shared, departed=departed)

    async def _problem(self, info: InteractionInfo) -> str:
        """Return what staff have to put right, and try once more."""
        self.services.season_news.wake(info.guild)
        self.services.trophies.wake(info.guild)
        problems = [
            await self.services.season_news.problem(info.guild),
            await self.services.trophies.problem(info.guild),
        ]
        return "\n".join(filter(None, problems))


def podium_lines(season: Season, found: SeasonResultsPage) -> list[PodiumLine]:
    """Return the first of a season for its podium, where it shows chips that were won."""
    if season.ranked_by is not RankingOrder.NET:
        return []
    return [PodiumLine(result.rank, result.user, result.counted) for result in found.results if result.rank]

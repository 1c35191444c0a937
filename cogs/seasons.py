"""`/season`: the season that runs, results, the hall of fame; staff open and close seasons, and set what goes by itself."""

from typing import Any

from discord import app_commands

from bot.line.interaction import InteractionInfo
from bot.render.house import season_pages as pages
from bot.render.message.panel import Panel, payload
from bot.render.pictures.podium import PodiumLine
from bot.runtime.errors import RoleNotForWinners
from bot.runtime.seasons import SEASON_NAME_MAX
from bot.runtime.store_types import SeasonResultsPage
from bot.statistics.seasons import Season
from bot.statistics.types import RankedPlayers, RankingOrder
from bot.surfaces.answer_pictures import FileToCome
from bot.surfaces.seasons.podiums import podium_answer
from bot.surfaces.seasons.trophies import is_powerful
from bot.table.refusals import StaffOnly
from cogs.cog import ServicesGroup
from cogs.rule_options import chosen_rules, with_rule_options
from cogs.support.commands import Invocation, group_description, slash_command
from cogs.support.services import Effort, PageClick

PAGES_MAX = 1_000_000
_REMOVABLE = {"winner_role": "season_role", "channel": "season_channel"}
_ORDERS = {"net": RankingOrder.NET, "per100": RankingOrder.NET_PER_100, "hands": RankingOrder.HANDS}
_NOBODY = RankedPlayers((), 0)


@app_commands.guild_only()
class SeasonCog(ServicesGroup, group_name="season", group_description=group_description("season")):
    """`/season …`."""

    @slash_command("season status")
    async def status(self, invocation: Invocation) -> Panel:
        return await self._status(invocation.info)

    @slash_command("season results")
    async def results(self, invocation: Invocation, number: app_commands.Range[int, 1, 100_000] = 0) -> None:
        panel, file = await self._results(invocation.info, number, 1)
        await invocation.reply.private(panel, file)

    @slash_command("season hall")
    async def hall(self, invocation: Invocation) -> Panel:
        return await self._hall(invocation.info, 1)

    @slash_command("season open")
    async def open(
        self, invocation: Invocation, name: app_commands.Range[str, 1, SEASON_NAME_MAX], by: str = "net"
    ) -> Panel:
        request = await invocation.staff_request()
        season = await self.services.seasons.begin(
            request, name, invocation.info.channel, _ORDERS.get(by, RankingOrder.NET)
        )
        return pages.opened_panel(season, await self.services.bank.house_rules(request.guild))

    @slash_command("season close")
    async def close(self, invocation: Invocation) -> Panel:
        return await self._close_question(invocation.info)

    @slash_command("season settings")
    @with_rule_options("season settings")
    async def settings(self, invocation: Invocation, remove: str = "", **options: Any) -> Panel:
        request = await invocation.staff_request()
        if not request.staff:
            raise StaffOnly
        rules = await self.services.bank.house_rules(request.guild)
        winner_role = options.get("winner_role")
        if winner_role is not None and (is_powerful(winner_role) or winner_role.id == rules.staff_role):
            raise RoleNotForWinners
        changes = chosen_rules("season settings", options)
        if remove in _REMOVABLE:
            changes.setdefault(_REMOVABLE[remove], 0)
        if "season_carried" in changes:
            changes.setdefault("season_start", 0)  # who keeps a part does not start again with the same
        if changes:
            rules = await self.services.seasons.change_rules(request, **changes)
        return pages.settings_panel(rules, await self._problem(invocation.info))

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
            case "close":
                await click.reply.redraw(payload(await self._close_question(info)))
            case "closenow":
                request = await self.services.request(info)
                season = await self.services.seasons.end(request, first)
                await click.reply.redraw(payload(pages.closed_panel(season)))
            case _:
                await click.reply.redraw(payload(await self._status(info)))

    async def _status(self, info: InteractionInfo) -> Panel:
        seasons, guild = self.services.seasons, info.guild
        self.services.spend(Effort.LEADERBOARD, info.user)
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
        request = await self.services.request(info)
        if not request.staff:
            raise StaffOnly
        standing = await self.services.seasons.standing(info.guild, info.user, 1)
        if standing is None:
            return await self._status(info)
        changes = await self.services.seasons.end_chips(info.guild)
        return pages.close_question_panel(standing.season, standing.leaders, standing.chips, changes)

    async def _results(
        self, info: InteractionInfo, number: int, page: int, *, shared: bool = False
    ) -> tuple[Panel, FileToCome | None]:
        services, guild = self.services, info.guild
        services.spend(Effort.LEADERBOARD, info.user)
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
        self.services.spend(Effort.LEADERBOARD, info.user)
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
    return [PodiumLine(result.rank, result.user, result.net) for result in found.results if result.rank]

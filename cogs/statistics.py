"""`/stats`: what a player's hands add up to, two players against each other, leaderboard, achievements; *Stats* in a person's menu."""

from collections.abc import Awaitable, Callable

import discord
from discord import app_commands
from msgspec.structs import replace

from bot.line.interaction import InteractionInfo, avatar_of
from bot.pictures.types import Picture
from bot.render.house import statistics_pages as pages
from bot.render.house.statistics_pages import ALL_GAMES, PageChoices, PlayerShown, StatisticsPage, game_token, read_page
from bot.render.message.notice import notice_panel
from bot.render.message.panel import Panel, payload
from bot.render.pictures.charts import (
    BARS_PICTURE,
    CURVE_PICTURE,
    POSITIONS_PICTURE,
    bars_picture,
    bars_text,
    curve_picture,
    curve_text,
    positions_picture,
    positions_text,
)
from bot.runtime.replays import EVERYBODY
from bot.statistics.periods import period_at
from bot.statistics.types import INSIDER, STRANGER, CountedChips, PeriodKind, PlayerNumbers, Reader, Scope
from bot.surfaces.answer_pictures import AnswerPicture, FileToCome
from bot.surfaces.replies import Reply
from bot.text import statistics as words
from bot.text.commands import TEXT_MAX
from bot.text.game_names import game_name, game_names
from bot.text.language import t
from bot.text.refusals.wording import EXPIRED_BUTTON
from bot.variants.game_list import complete_game_list
from cogs.achievements import achievements_panel
from cogs.cog import ServicesCog
from cogs.leaderboard import LeaderboardPages
from cogs.presses import finding
from cogs.support.commands import ChosenPerson, Interaction, Invocation, completions, slash_command
from cogs.support.services import Effort, PageClick, Services

ShowHand = Callable[[InteractionInfo, Reply, int, int], Awaitable[None]]
"""Answers with a hand, by its table's id and its number."""
Answer = tuple[Panel, FileToCome | None]
"""A panel and its picture."""


_CHIPS = {"practice": CountedChips.PRACTICE, "home": CountedChips.TABLE}
"""The values of the option for other chips."""


class StatisticsCog(ServicesCog):
    """`/stats`."""

    def __init__(self, services: Services, show_hand: ShowHand, leaderboard: LeaderboardPages) -> None:
        self.services, self._leaderboard = services, leaderboard
        self._show_hand_of = show_hand

    @slash_command("stats")
    async def stats(
        self,
        invocation: Invocation,
        page: str = "",
        player: discord.User | None = None,
        versus: discord.User | None = None,
        game: app_commands.Range[str, 1, TEXT_MAX] | None = None,
        period: str | None = None,
        chips: str | None = None,
        by: str = "",
    ) -> Panel | None:
        info = invocation.info
        for person in (player, versus):
            if person is not None:
                self.services.display_names.remember(info.guild, person.id, person.display_name, avatar_of(person))
        kind = PeriodKind(period) if period is not None else PeriodKind.EVER
        if page == "leaderboard":
            await self._leaderboard.open(invocation, by, kind)
            return None
        if page == "achievements":
            return await achievements_panel(self.services, info, player.id if player is not None else info.user)
        token = game_token(await finding.find_game(self.services, info.guild, game)) if game is not None else ALL_GAMES
        shown = StatisticsPage(
            player.id if player is not None else info.user,
            kind,
            _CHIPS.get(chips or "", CountedChips.SERVER),
            game=token,
        )
        if versus is not None:
            await invocation.reply.private(await self._versus(info, shown, versus.id))
        else:
            await invocation.reply.private(*await self._page(info, shown))
        return None

    @stats.autocomplete("game")
    @completions
    async def games(self, interaction: Interaction, typed: str) -> list[tuple[str, str]]:
        """Return the games that have been played in the server, the most played first, then those that could be."""
        played = await self.services.statistics.games(interaction.guild_id or 0)
        fitting = [(game_name(name), key) for key, name in played if typed.casefold() in game_name(name).casefold()]
        others = [(game_names(name)[-TEXT_MAX:], value) for name, value in complete_game_list(typed)] if typed else []
        keys = {key for _, key in fitting}
        return [*fitting, *[(name, value) for name, value in others if value not in keys and "/" not in value]]

    async def menu(self, invocation: Invocation, person: ChosenPerson) -> None:
        """Show the statistics of the person in whose menu *Stats* was chosen."""
        info = invocation.info
        self.services.display_names.remember(info.guild, person.id, person.name, person.avatar)
        await invocation.reply.private(*await self._page(info, StatisticsPage(person.id)))

    async def page(self, click: PageClick) -> None:
        """Answer a click on statistics. On a message that everybody sees it is redrawn for everybody, or answered privately."""
        info, verb, written = click.info, click.press.verb, click.press.words
        if verb in {"best", "pot"}:
            await self._show_hand(click)
            return
        if verb == "mine":
            await click.reply.private(*await self._page(info, StatisticsPage(info.user)))
            return
        page = read_page(written)
        if page is None:
            await click.reply.private(notice_panel(t(EXPIRED_BUTTON)))
            return
        if not info.guild:  # a direct message: one's own, of the server that its button names
            page = replace(page, user=info.user)
        shared = not info.message_is_private and bool(info.guild)
        chosen = info.values[0] if info.values else ""
        match verb:
            case "meaning":
                if shared:
                    await click.reply.private(pages.meanings_panel())
                else:
                    await click.reply.redraw(payload(pages.meanings_panel(page)))
            case "hide" | "publish" if page.user == info.user:
                await self.services.preferences.set_statistics(info.user, private=verb == "hide")
                await self._redraw(click, page, shared=shared)
            case "open":
                await click.reply.private(*await self._page(info, page))
            case "here":
                await self._show_here(click, page)
            case "versus" | "span" | "bothhere":
                await self._versus_pressed(click, page, shared=shared)
            case "period":
                kind = PeriodKind(chosen) if chosen in set(PeriodKind) else page.period
                await self._redraw(click, replace(page, period=kind), shared=shared)
            case "game":
                await self._redraw(click, replace(page, game=chosen, by_game=False), shared=shared)
            case _:
                await self._redraw(click, page, shared=shared)

    async def _redraw(self, click: PageClick, page: StatisticsPage, *, shared: bool) -> None:
        if shared:
            with self.services.in_server_language(click.info.guild):
                panel, file = await self._page(click.info, page, shared=True)
        else:
            panel, file = await self._page(click.info, page)
        await click.reply.redraw(payload(panel), file)

    async def _show_here(self, click: PageClick, page: StatisticsPage) -> None:
        info = click.info
        if not self._can_see(info, page.user):
            await click.reply.private(self._kept_private(page.user))
            return
        self.services.spend(Effort.SHARED_STATISTICS, info.user)
        with self.services.in_server_language(info.guild):
            panel, file = await self._page(info, page, shared=True)
        await click.reply.public(panel, file)

    async def _versus_pressed(self, click: PageClick, page: StatisticsPage, *, shared: bool) -> None:
        """Answer *You against …*, another period of such a page, or *Show here* on one."""
        info, other = click.info, click.press.number(1)
        match click.press.verb:
            case "versus":
                await click.reply.private(await self._versus(info, replace(page, user=info.user), other))
            case "bothhere":
                self.services.spend(Effort.SHARED_STATISTICS, info.user)
                if not (self._can_see(info, page.user) and self._can_see(info, other)):
                    await click.reply.private(await self._versus(info, page, other))
                    return
                with self.services.in_server_language(info.guild):
                    await click.reply.public(await self._versus(info, page, other, shared=True))
            case _:
                chosen = info.values[0] if info.values else ""
                page = replace(page, period=PeriodKind(chosen) if chosen in set(PeriodKind) else page.period)
                if shared:
                    with self.services.in_server_language(info.guild):
                        panel = await self._versus(info, page, other, shared=True)
                else:
                    panel = await self._versus(info, page, other)
                await click.reply.redraw(payload(panel))

    # drawing

    async def _page(self, info: InteractionInfo, page: StatisticsPage, *, shared: bool = False) -> Answer:
        """Return a player's statistics and their chart.

        Raises:
            OneMoment: the reader has asked for too many.
        """
        if not self._can_see(info, page.user):
            return self._kept_private(page.user), None
        self.services.spend_time(Effort.STATISTICS, info.user)
        guild = info.guild or page.guild
        statistics = self.services.statistics
        reader = await self._reader(info, page.user, shared=shared)
        chips = await statistics.kinds_of_chips(guild, page.user, reader)
        choices = PageChoices(await self._periods(guild), await statistics.games(guild, page.user), chips)
        page = _with_period_of(page, choices)
        if page.game != ALL_GAMES and not choices.game_key(page.game):
            played = await statistics.games(guild)
            known = next((one for one in played if game_token(one[0]) == page.game), None)
            if known is None:
                return notice_panel(t(words.GAME_NOT_PLAYED)), None
            choices = replace(choices, games=(*choices.games, known))
        scope = await self._scope(guild, page, choices)
        numbers = await statistics.player(guild, page.user, scope, reader)
        if not numbers.counts.hands and chips and page == StatisticsPage(page.user, guild=page.guild):
            # who has only practised, or played at home, would read that there is nothing
            page = replace(page, chips=CountedChips.TABLE if CountedChips.TABLE in chips else chips[0])
            scope = Scope(chips=page.chips)
            numbers = await statistics.player(guild, page.user, scope, reader)
        if shared or page.user != info.user:
            numbers = await self._without_private_hands(info, numbers, shared=shared)
        picture = await self._chart(info, guild, page, numbers, scope, choices, reader)
        player = await self._player(info, guild, page.user, shared=shared)
        block = picture.block if picture is not None else None
        panel = pages.statistics_panel(page, numbers, player, choices, shared=shared, picture=block)
        return panel, picture.file if picture is not None else None

    async def _without_private_hands(
        self, info: InteractionInfo, numbers: PlayerNumbers, *, shared: bool
    ) -> PlayerNumbers:
        """Return numbers that name no hand of a private table to somebody who cannot know of it; everybody if it is shared."""
        request = await self.services.request(info)
        if shared:
            request = replace(request, user=EVERYBODY, staff=False)
        best, pot = numbers.best_hand, numbers.biggest_pot_at
        if best is not None and not await self.services.tables.can_know_of(request, best.hand.table, best.hand.number):
            numbers = replace(numbers, best_hand=None)
        if pot is not None and not await self.services.tables.can_know_of(request, pot.table, pot.number):
            numbers = replace(numbers, biggest_pot=0, biggest_pot_at=None)
        return numbers

    async def _chart(
        self,
        info: InteractionInfo,
        guild: int,
        page: StatisticsPage,
        numbers: PlayerNumbers,
        scope: Scope,
        choices: PageChoices,
        reader: Reader,
    ) -> AnswerPicture | None:
        pictures = self.services.pictures
        counts = numbers.counts
        if not counts.hands or not pictures.possible(info):
            return None
        look = await pictures.look(guild)
        if page.more:

            def describe() -> tuple[Picture, str, str] | None:
                bars = positions_picture(counts, look)
                return (bars, POSITIONS_PICTURE, positions_text(counts)) if bars is not None else None

        elif page.by_game and page.game == ALL_GAMES:
            names = dict(choices.games)
            by_game = [(game_name(names.get(key, key)), of_game) for key, of_game in numbers.by_game]

            def describe() -> tuple[Picture, str, str] | None:
                bars = bars_picture(by_game, look)
                return (bars, BARS_PICTURE, bars_text(by_game)) if bars is not None else None

        else:
            points = await self.services.statistics.curve(guild, page.user, scope, reader=reader)

            def describe() -> tuple[Picture, str, str] | None:
                curve = curve_picture(points, look, counts)
                return (curve, CURVE_PICTURE, curve_text(points)) if curve is not None else None

        return await pictures.answer(info, describe)

    async def _versus(self, info: InteractionInfo, page: StatisticsPage, other: int, *, shared: bool = False) -> Panel:
        """Return two players against each other.

        Raises:
            OneMoment: the reader has asked for too many.
        """
        if page.user == other or not other:
            return notice_panel(t(words.NOT_AGAINST_ONESELF))
        for user in (page.user, other):
            if not self._can_see(info, user):
                return self._kept_private(user)
        self.services.spend_time(Effort.STATISTICS, info.user)
        choices = PageChoices(await self._periods(info.guild))
        page = replace(_with_period_of(page, choices), game=ALL_GAMES)
        scope = await self._scope(info.guild, page, choices)
        reader = await self._reader(info, page.user, other, shared=shared)
        found = await self.services.statistics.versus(info.guild, page.user, other, scope, reader)
        player = await self._player(info, info.guild, page.user, shared=shared)
        against = await self._player(info, info.guild, other, shared=shared)
        return pages.versus_panel(page, found, player, against, choices, shared=shared)

    async def _show_hand(self, click: PageClick) -> None:
        """Open the hand that a button names, as its presser can see it."""
        hand = click.press.hand()
        if hand is None:
            await click.reply.private(notice_panel(t(EXPIRED_BUTTON)))
        else:
            await self._show_hand_of(click.info, click.reply, *hand)

    # who can see what

    async def _reader(self, info: InteractionInfo, *users: int, shared: bool) -> Reader:
        """Return of which private tables a reader of these people's numbers can know: of all if they are one of them."""
        if shared:
            return STRANGER
        if info.user in users:
            return INSIDER
        return await self.services.tables.reader(await self.services.request(info))

    def _can_see(self, info: InteractionInfo, user: int) -> bool:
        return user == info.user or not self.services.preferences.keeps_statistics_private(user)

    def _kept_private(self, user: int) -> Panel:
        return notice_panel(t(words.KEPT_PRIVATE, player=f"<@{user}>"))

    async def _player(self, info: InteractionInfo, guild: int, user: int, *, shared: bool) -> PlayerShown:
        names = self.services.display_names
        name = info.name if user == info.user else (await names.of(guild, [user])).get(user, "")
        avatar = names.avatar(guild, user) or (info.avatar if user == info.user else "")
        preferences = self.services.preferences
        private = preferences.keeps_statistics_private(user)
        duels = await self.services.tables.duel_record(guild, user) if preferences.shows_duels(user) else None
        return PlayerShown(user, name, avatar, private, is_reader=user == info.user and not shared, duels=duels)

    # which hands

    async def _scope(self, guild: int, page: StatisticsPage, choices: PageChoices) -> Scope:
        season = await self._season(guild) if page.period is PeriodKind.SEASON else 0
        period = period_at(page.period, self.services.clock.now(), season)
        return Scope(period, choices.game_key(page.game), chips=page.chips)

    async def _periods(self, guild: int) -> tuple[PeriodKind, ...]:
        every = (PeriodKind.EVER, PeriodKind.MONTH, PeriodKind.WEEK)
        return (*every, PeriodKind.SEASON) if await self._season(guild) else every

    async def _season(self, guild: int) -> int:
        """Return the number of the running season; 0 for none."""
        season = await self.services.seasons.running(guild)
        return season.number if season is not None else 0


def _with_period_of(page: StatisticsPage, choices: PageChoices) -> StatisticsPage:
    """Return the page for all time where its period cannot be chosen: the season may have ended."""
    return page if page.period in choices.periods else replace(page, period=PeriodKind.EVER)

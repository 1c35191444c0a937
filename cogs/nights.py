"""`/night`: plan game nights, answer to them, and what their hosts change."""

from __future__ import annotations

import functools
import re

from discord import app_commands
from msgspec import Struct
from msgspec.structs import replace

from bot.events.nights import commands as c
from bot.events.nights.decide import BREAK_AFTER_MAX, BREAK_MAX, HANDS_MAX, MINUTES_MAX
from bot.events.nights.refusals import NightOver, NoNightToConfirm, NoStandingsPoints, NoSuchNight
from bot.events.nights.schedule import Recurrence, Schedule, is_skipped, local_time, plus_minutes
from bot.events.nights.standings import LEFT_OUT_MAX, POINTS_MAX, RANKS_MAX
from bot.events.nights.state import PLAYERS_MIN, Night, NightAnswer, NightPhase, NightTerms, StandingsRule
from bot.line.interaction import InteractionInfo
from bot.render.message.notice import notice_panel
from bot.render.message.panel import Form, Panel, payload
from bot.render.table import nights as panels
from bot.runtime.nights import PlannedSeries
from bot.runtime.table_settings import NewTableRequest
from bot.surfaces.replies import Reply
from bot.table.settings import ChipKind, with_seat_count, with_starting_stack
from bot.text import confirmations as confirmation_words
from bot.text import escape
from bot.text import sheet as sheet_words
from bot.text.commands import TEXT_MAX
from bot.text.game_names import game_names
from bot.text.language import t
from bot.text.mixed_games import game_or_mixture_name
from bot.text.quiet_hours import parse_zone
from bot.variants.game_list import complete_game_list
from cogs.cog import ServicesCog
from cogs.presses import opening
from cogs.support.commands import Interaction, Invocation, completions, slash_command
from cogs.support.did_you_mean import Options
from cogs.support.host_news import with_host_news
from cogs.support.night_dates import parse_night
from cogs.support.services import PageClick

NAME_MAX = 60
_WEEK_MINUTES = 7 * 24 * 60
TYPED_MAX = 99
"""Larger numbers of people have no room in the form."""
_ANSWERS = {panels.IN: NightAnswer.IN, panels.MAYBE: NightAnswer.MAYBE, panels.CANT: NightAnswer.CANT}
_RECURRENCES = {one.name.lower(): one for one in Recurrence}


class AskedNight(Struct, frozen=True, kw_only=True):
    """A night as somebody asks for it; what is empty or 0 is left to the house."""

    when: str
    game: str = ""
    recurrence: Recurrence = Recurrence.WEEKLY
    chips: ChipKind = ChipKind.TABLE
    seats: int = 0
    players: int = 0
    hands: int = 0
    minutes: int = 0
    name: str = ""
    zone: str = ""


class NightsCog(ServicesCog):
    """`/night`, its form, its posts, and the menu of a host."""

    @slash_command("night")
    async def night(
        self,
        invocation: Invocation,
        when: app_commands.Range[str, 1, 40] = "",
        game: app_commands.Range[str, 1, 100] = "",
        every: str = "weekly",
        chips: str = ChipKind.TABLE,
        seats: app_commands.Range[int, 2, 14] = 0,
        players: app_commands.Range[int, 2, 14] = 0,
        hands: app_commands.Range[int, 1, 1000] = 0,
        minutes: app_commands.Range[int, 1, 1440] = 0,
        name: app_commands.Range[str, 1, NAME_MAX] = "",
        zone: app_commands.Range[str, 1, 60] = "",
    ) -> Panel | None:
        info = invocation.info
        own_zone = zone or (await self.services.bank.house_rules(info.guild)).time_zone
        if when and own_zone:
            asked = AskedNight(
                when=when,
                game=game,
                recurrence=_RECURRENCES.get(every, Recurrence.WEEKLY),
                chips=ChipKind(chips),
                seats=seats,
                players=players,
                hands=hands,
                minutes=minutes,
                name=name,
                zone=zone,
            )
            return await with_host_news(invocation, await self._plan(info, asked))
        known = self._known(info)
        if not when and not game and (known or self.services.host_news.owed(info.user)):
            nights = panels.list_panel([(one.id, one.series) for one in known])
            return await with_host_news(invocation, nights)
        await invocation.reply.form(await self._form(info, game, when))
        return None

    @night.autocomplete("game")
    @completions
    async def games(self, interaction: Interaction, typed: str) -> list[tuple[str, str]]:
        """Return the server's house games, mixtures, and games by name, alias or family."""
        house_games = await self.services.house_games.games(interaction.guild_id or 0)
        own = [game.name for game in house_games if typed.casefold() in game.name.casefold()]
        known = [(game_names(name)[-TEXT_MAX:], value) for name, value in complete_game_list(typed)]
        return [*zip(own, own, strict=True), *known]

    async def _form(self, info: InteractionInfo, game: str = "", when: str = "") -> Form:
        house_games = [one.name for one in await self.services.house_games.games(info.guild)]
        zone, usual = await self._zones(info.guild)
        return panels.plan_form(info.user, house_games, game=game, when=when, zone=zone, usual_zone=usual)

    async def _zones(self, guild: int) -> tuple[str, str]:
        """Return the time zone of a server, empty for none, and the one that it goes by elsewhere: for quiet hours, or for other nights."""
        rules = await self.services.bank.house_rules(guild)
        quiet_zone = rules.quiet_hours.rpartition(" ")[2]
        known = [one.series.schedule.zone for one in self.services.nights.of_server(guild)]
        return rules.time_zone, quiet_zone if quiet_zone[:1].isalpha() else next(iter(known), "")

    async def _same_time(self, click: PageClick, table: int) -> None:
        """Offer the game of a sheet as a night, a week after it began, or as many weeks as it takes until it is still to come."""
        info = click.info
        async with self.services.sheets.again(info.guild, table) as sheet:
            settings = await self.services.tables.last_settings(table) if sheet is not None else None
        if sheet is None or settings is None:
            await click.reply.private(notice_panel(t(sheet_words.TOO_OLD)))
            return
        zone = next(filter(None, await self._zones(info.guild)), "UTC")
        now, when = local_time(zone, self.services.clock.now()), local_time(zone, sheet.kept.game.opened_at)
        while when <= now:
            when = plus_minutes(when, _WEEK_MINUTES)
        game = settings.rule_card.key if settings.rotation is None else settings.rotation.name
        await click.reply.form(await self._form(info, game, when.replace("T", " ")))

    # planning

    async def _plan(self, info: InteractionInfo, asked: AskedNight) -> Panel:
        """Plan a series of nights, and say when the first one is.

        Raises:
            TableError: it is refused.
        """
        services = self.services
        if not info.bot_can_write:
            return notice_panel(t(confirmation_words.CANNOT_WRITE_HERE))
        request = await services.request(info)
        rules = await services.bank.house_rules(info.guild)
        zone = parse_zone(asked.zone) if asked.zone else rules.time_zone or "UTC"
        table_request = NewTableRequest(seats=asked.seats, chips=asked.chips)
        settings = with_starting_stack(
            await opening.new_settings(services, info.guild, asked.game or "holdem", table_request)
        )
        local = parse_night(asked.when, zone, services.clock.now())
        with services.in_server_language(info.guild):
            name = _visible(asked.name) or game_or_mixture_name(settings)[:NAME_MAX]
        players = asked.players or max(settings.rule_card.seats_min, min(PLAYERS_MIN, settings.seat_count))
        terms = NightTerms(name, settings, players, asked.hands, asked.minutes)
        planned = await services.nights.plan(request, terms, Schedule(zone, local, asked.recurrence))
        if not rules.time_zone and request.staff:
            await services.bank.change_house_rules(replace(request, key=f"{request.key}:zone"), time_zone=zone)
        series, night = planned.series, planned.series.night
        assert night is not None, "it has just been planned"
        skipped = _skipped_hour(zone, local)
        return panels.planned_panel(planned.id, series, night, skipped)

    async def _plan_from_form(self, info: InteractionInfo, reply: Reply, fields: Options) -> None:
        hands, minutes = _read_pair(fields, "length", HANDS_MAX, MINUTES_MAX)
        asked = AskedNight(
            when=str(fields.get("when", "")),
            game=str(fields.get("game", "")),
            recurrence=_RECURRENCES.get(str(fields.get("every", "")), Recurrence.WEEKLY),
            chips=ChipKind.SERVER if fields.get("chips") == ChipKind.SERVER else ChipKind.TABLE,
            hands=hands,
            minutes=minutes,
            zone=str(fields.get("zone", "")),
        )
        await reply.private(await self._plan(info, asked))

    # pages

    def _known(self, info: InteractionInfo) -> list[PlannedSeries]:
        """Return the series of a server that somebody can know of."""
        found = self.services.nights.of_server(info.guild)
        return [one for one in found if not one.series.has_ended and self._knows_of(info, one)]

    def _knows_of(self, info: InteractionInfo, planned: PlannedSeries) -> bool:
        """Return whether somebody can know of a series: its host, and who can read its channel. What is in an archived thread, of which
        the gateway does not tell, those know who have answered."""
        series, servers = planned.series, self.services.discord_api.servers
        if info.user == series.host or info.channel == series.channel:
            return True
        if servers.channel_or_thread(info.guild, series.channel) is None:
            return series.night is not None and series.night.answer_of(info.user) is not None
        return servers.can_view(info.guild, series.channel, info.user, info.roles)

    def _require(self, info: InteractionInfo, id_: int) -> PlannedSeries:
        """Return a series that somebody can know of.

        Raises:
            NoSuchNight: there is none, or they cannot.
        """
        planned = self.services.nights.require(info.guild, id_)
        if not self._knows_of(info, planned):
            raise NoSuchNight
        return planned

    async def page(self, click: PageClick) -> None:
        """Answer a click on a post, on the host's menu, or a form that was filled in."""
        info, verb, reply = click.info, click.press.verb, click.reply
        id_, number = click.press.number(), click.press.number(1)
        match verb:
            case "plan" if info.fields:
                await self.services.corrections.answer(info, reply, self._plan_from_form, info.fields)
            case "sametime":
                await self._same_time(click, id_)
            case "new" | "plan":
                await reply.form(await self._form(info))
            case "in" | "maybe" | "cant":
                await self._answer(click, id_, number)
            case "go":
                await self._answer_question(click, id_, number, c.GoOn(info.user, await self._is_staff(info)))
            case "end":
                await self._answer_question(click, id_, number, c.CancelSeries(info.user, await self._is_staff(info)))
            case "choose":
                chosen = info.values[0] if info.values else ""
                await self._show(click, int(chosen) if chosen.isdecimal() and len(chosen) < 19 else 0)
            case "standings":
                await reply.private(panels.standings_panel(self._require(info, id_).series))
            case _:
                await self._host_page(click, id_, number)

    async def _host_page(self, click: PageClick, id_: int, number: int) -> None:
        """Answer what a host does with their nights."""
        info, reply = click.info, click.reply
        planned, night = self._planned(info, id_)
        staff = await self._is_staff(info)
        match click.press.verb:
            case "skip":
                await self._change(click, planned, c.SkipNight(info.user, staff, number), "skip", number)
            case "move":
                await reply.form(panels.move_form(id_, planned.series, night, info.id % 1000))
            case "moveto":
                local = parse_night(
                    info.fields.get("when", ""), planned.series.schedule.zone, self.services.clock.now()
                )
                await self._change(click, planned, c.MoveNight(info.user, local, staff, number), "move", number)
            case "dates":
                await reply.form(panels.dates_form(id_, planned.series, info.id % 1000))
            case "setdates":
                local = parse_night(
                    info.fields.get("when", ""), planned.series.schedule.zone, self.services.clock.now()
                )
                recurrence = _RECURRENCES.get(info.fields.get("every", ""), planned.series.schedule.recurrence)
                await self._change(click, planned, c.ChangeDates(info.user, local, recurrence, staff), "dates")
            case "settings":
                await reply.form(panels.settings_form(id_, planned.series, info.id % 1000))
            case "setterms":
                terms = _read_terms(info.fields, planned.series.terms)
                await self._change(click, planned, c.ChangeTerms(info.user, terms, staff), "settings")
            case "hand":
                await reply.private(panels.host_panel(id_))
            case "handto" if info.values and info.values[0].isdecimal():
                await self._hand_over(click, planned, int(info.values[0]), staff=staff)
            case "points":
                await reply.form(panels.points_form(id_, planned.series, info.id % 1000))
            case "setpoints":
                rule = _read_rule(info.fields)
                await self._change(click, planned, c.ChangeStandings(info.user, rule, staff), "points")
            case "cancel":
                await reply.private(panels.cancel_panel(id_, planned.series))
            case "cancelnow":
                await self._change(click, planned, c.CancelSeries(info.user, staff), "cancel")
            case _:
                await reply.acknowledge()

    def _planned(self, info: InteractionInfo, id_: int) -> tuple[PlannedSeries, Night]:
        """Return a series and its next night.

        Raises:
            NoSuchNight.
        """
        planned = self._require(info, id_)
        assert planned.series.night is not None, "it is not over"
        return planned, planned.series.night

    async def _is_staff(self, info: InteractionInfo) -> bool:
        return (await self.services.request(info)).staff

    async def _show(self, click: PageClick, id_: int) -> None:
        planned, night = self._planned(click.info, id_)
        hosts = planned.series.host == click.info.user or await self._is_staff(click.info)
        await click.reply.redraw(payload(panels.series_panel(id_, planned.series, night, hosts=hosts)))

    async def _answer(self, click: PageClick, id_: int, number: int) -> None:
        info = click.info
        self._require(info, id_)
        self.services.tables.staff_log.require_not_banned(info.guild, info.user)
        command = c.AnswerNight(info.user, info.name, number, _ANSWERS[click.press.verb])
        work = functools.partial(self.services.nights.ask, id_, command, key=str(info.id), user=info.user)
        await self.services.night_posts.answer(id_, click.reply, info, work)
        if command.answer is NightAnswer.IN:
            await self._say_what_else(click, id_)

    async def _say_what_else(self, click: PageClick, id_: int) -> None:
        """Tell somebody who comes what else they come to at that hour, in any server."""
        info = click.info
        found = await self.services.own_nights.at_that_hour(info.user, info.guild, id_)
        if found:
            also = [(one.name, one.starts_at, one.server != info.guild) for one in found]
            await click.reply.private(panels.also_in_panel(also))

    async def _answer_question(self, click: PageClick, id_: int, number: int, command: c.NightCommand) -> None:
        """Answer the question whether there is another night, which stands on the post of that night.

        Raises:
            NightOver, NoNightToConfirm: it is asked no more.
        """
        info = click.info
        _, night = self._planned(info, id_)
        if night.number != number:
            raise NightOver
        if night.phase is not NightPhase.ASKED:
            raise NoNightToConfirm
        work = functools.partial(self.services.nights.ask, id_, command, key=str(info.id), user=info.user)
        await self.services.night_posts.answer(id_, click.reply, info, work)

    async def _change(
        self, click: PageClick, planned: PlannedSeries, command: c.NightCommand, what: str, number: int = 0
    ) -> None:
        """Change something by the host's menu. `number`: of the night that the button was drawn for; 0 for any."""
        info, night = click.info, planned.series.night
        if number and night is not None and night.number != number:
            await self._show(click, planned.id)
            return
        nights, key = self.services.nights, str(info.id)
        skipped = ""
        if isinstance(command, c.MoveNight | c.ChangeDates):
            after = await nights.reschedule(planned.id, command, key=key, user=info.user)
            skipped = _skipped_hour(
                after.series.schedule.zone, command.local if isinstance(command, c.MoveNight) else command.first
            )
        elif isinstance(command, c.HandOverSeries):
            after = await nights.hand_over(planned.id, command, key=key, user=info.user)
        else:
            after = await nights.ask(planned.id, command, key=key, user=info.user)
        await click.reply.private(panels.done_panel(what, after.series, skipped))

    async def _hand_over(self, click: PageClick, planned: PlannedSeries, to: int, *, staff: bool) -> None:
        """Hand a series over to somebody who is in the server and can play there."""
        guild = click.info.guild
        if to in click.info.bots:
            await click.reply.private(notice_panel(t(confirmation_words.NO_PERSON, player=f"<@{to}>")))
            return
        if self.services.tables.staff_log.is_banned(guild, to):
            await click.reply.private(notice_panel(t(confirmation_words.CANNOT_INVITE_BANNED, players=f"<@{to}>")))
            return
        name = (await self.services.display_names.of(guild, [to])).get(to, "")
        if not name:
            await click.reply.private(notice_panel(t(confirmation_words.NOT_IN_SERVER, player=f"<@{to}>")))
            return
        await self._change(click, planned, c.HandOverSeries(click.info.user, to, name, staff), "hand")


def _skipped_hour(zone: str, local: str) -> str:
    """Return the hour of a date where the clock leaves it out that day, else nothing."""
    return local.partition("T")[2] if is_skipped(zone, local) else ""


def _visible(typed: str) -> str:
    """Return a name as it was typed, in one line; empty where nothing of it can be seen."""
    name = " ".join(typed.split())[:NAME_MAX]
    return name if escape.text(name) else ""


def _bounded(typed: str, maximum: int) -> int:
    """Return a number of the form; 0 for what the form cannot have sent."""
    number = int(typed) if typed.isascii() and typed.isdigit() and len(typed) <= 4 else 0
    return number if number <= maximum else 0


def _read_pair(fields: Options, name: str, *maxima: int) -> tuple[int, int]:
    """Return the two numbers of a choice of the form; 0 for what the form cannot have sent."""
    first, _, second = str(fields.get(name, "")).partition(".")
    return _bounded(first, maxima[0]), _bounded(second, maxima[1])


def _read_terms(fields: Options, before: NightTerms) -> NightTerms:
    """Read the settings of nights. What the form cannot have sent stays as it was."""
    hands, minutes = _read_pair(fields, "length", HANDS_MAX, MINUTES_MAX)
    break_after, break_minutes = _read_pair(fields, "break", BREAK_AFTER_MAX, BREAK_MAX)
    return replace(
        before,
        settings=with_seat_count(before.settings, _bounded(str(fields.get("seats", "")).strip(), TYPED_MAX)),
        name=_visible(str(fields.get("name", ""))) or before.name,
        players_min=_bounded(str(fields.get("players", "")).strip(), TYPED_MAX),
        hands=hands,
        minutes=minutes,
        break_after=break_after,
        break_minutes=break_minutes,
    )


def _read_rule(fields: Options) -> StandingsRule:
    """Read how standings are counted.

    Raises:
        NoStandingsPoints.
    """
    typed, left = str(fields.get("points", "")).strip().casefold(), str(fields.get("left_out", "")).strip()
    left_out = int(left) if left.isascii() and left.isdigit() and len(left) <= 2 else 0
    if typed == "net":
        return StandingsRule((), min(left_out, LEFT_OUT_MAX))
    numbers = re.findall(r"\d+", typed)
    if not numbers or len(numbers) > RANKS_MAX or re.fullmatch(r"[\d\s,;/-]+", typed) is None:
        raise NoStandingsPoints
    points = tuple([int(number) for number in numbers if len(number) <= 4])
    if len(points) != len(numbers) or any(one > POINTS_MAX for one in points):
        raise NoStandingsPoints
    return StandingsRule(points, min(left_out, LEFT_OUT_MAX))

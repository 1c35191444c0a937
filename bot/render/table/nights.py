"""Draw game nights: the post with who comes, the form that plans them, the host's menu, the standings."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from bot.engine.ranking import HandName
from bot.engine.showdown.examples_in_force import examples_in_force
from bot.events.nights.schedule import Recurrence
from bot.events.nights.standings import standings
from bot.events.nights.state import Night, NightPhase, NightSeries
from bot.render.message.custom_ids import page_id
from bot.render.message.limits import OPTIONS_MAX
from bot.render.message.panel import (
    FINISHED,
    GREEN,
    GREY,
    LOBBY,
    OPTION_TEXT_MAX,
    RANKINGS,
    RED,
    RESULT,
    WAITING,
    Block,
    Button,
    Buttons,
    ChoiceField,
    Form,
    FormField,
    Option,
    Panel,
    Select,
    Separator,
    Text,
    TextField,
    UserSelect,
)
from bot.render.table.open_form import game_options
from bot.table.settings import ChipKind, TableSettings
from bot.text import escape
from bot.text import nights as words
from bot.text.formatting import shorten
from bot.text.language import t

PAGE = "night"
IN, MAYBE, CANT = "in", "maybe", "cant"
LENGTHS = ((0, 0), (40, 0), (80, 0), (0, 120), (0, 180), (0, 240))
"""How long a night can be, as the form offers it: hands, and minutes from its start."""
BREAKS = ((0, 0), (60, 5), (60, 10), (90, 10), (90, 15), (120, 10), (120, 15), (120, 30))
"""When a night can take its break, as the form offers it: minutes after its first hand, and minutes that it takes."""


class ShownBest(Struct, frozen=True):
    """The best hand of a game in which it is no high hand, for a newcomer.

    Attributes:
        game: which game it is of, where several are played and it wins the whole pot; else empty.
        share: the share of the pot that it wins; empty for all of it.
    """

    game: str
    share: str
    hand: HandName


def best_low_hand(settings: TableSettings) -> ShownBest | None:
    """Return the best hand of the first game of a table that is played for low; None where none is. That takes milliseconds at first.

    Of several games it is one in which low wins the whole pot, if there is one.
    """
    games = [(settings.rule_card, settings.options)]
    if settings.rotation is not None:
        games = [(one.rule_card, one.options) for one in settings.rotation.games]
    lows = [
        ShownBest(card.name if len(games) > 1 and not share else "", share, examples[0].name)
        for card, options in games
        for share, examples in examples_in_force(card, options)
        if examples[0].name.is_low
    ]
    return next((one for one in lows if not one.share), lows[0] if lows else None)


def post_panel(
    id_: int, series: NightSeries, night: Night, table_link: str = "", best: ShownBest | None = None
) -> Panel:
    """Return the post of the next night.

    Args:
        id_: of the series.
        table_link: the address of its table, while that is open.
        best: the best hand of its game, where that is no high hand.
    """
    line = words.best_hand(best.game, best.share, best.hand) if best is not None else ""
    head, game = Text(words.heading(series, night)), Text(words.game_lines(series, night, line))
    if night.phase is NightPhase.ASKED:
        yes = Button(t(words.GO_ON), page_id(PAGE, "go", id_, night.number), GREEN)
        no = Button(t(words.END_NIGHTS), page_id(PAGE, "end", id_, night.number), GREY)
        return Panel(WAITING, (head, Separator(), Text(words.question(series, night)), Buttons((yes, no))))
    blocks: list[Block] = [head, Separator(), game, Separator(), Text(words.seats_lines(series, night))]
    answers = [
        Button(t(label), page_id(PAGE, verb, id_, night.number), style)
        for label, verb, style in ((words.IM_IN, IN, GREEN), (words.MAYBE, MAYBE, GREY), (words.CANT, CANT, GREY))
    ]
    if night.phase is NightPhase.PLANNED:
        standings_button = [Button(t(words.STANDINGS), page_id(PAGE, "standings", id_), GREY)] if series.results else []
        blocks += [Buttons((*answers, *standings_button)), Text(words.opens(series, night))]
        return Panel(LOBBY, tuple(blocks))
    if table_link:
        answers.insert(0, Button(t(words.GO_TO_TABLE), url=table_link))
    blocks += [Buttons(tuple(answers)), Text(words.is_open(night))]
    return Panel(RESULT, tuple(blocks))


def over_panel(series: NightSeries) -> Panel:
    """Return what is left of the post of a night that is over."""
    return Panel(FINISHED, (Text(words.post_over(series.terms.name)),))


def ended_panel(id_: int, series: NightSeries) -> Panel:
    """Return what is left of the last post of a series, with the standings."""
    text = Text(words.post_ended(series.terms.name))
    if not series.results:
        return Panel(FINISHED, (text,))
    return Panel(FINISHED, (text, Separator(), Text(words.standings_text(series, standings(series)))))


def planned_panel(id_: int, series: NightSeries, night: Night, skipped_hour: str = "") -> Panel:
    """Return the private answer to whoever has planned nights, with what the form had no room for."""
    settings = Button(t(words.SETTINGS), page_id(PAGE, "settings", id_), GREY)
    text = words.planned(series, night, skipped_hour=skipped_hour)
    return Panel(RESULT, (Text(text), Buttons((settings,))))


def plan_form(
    user: int, house_games: Sequence[str], *, game: str = "", when: str = "", zone: str = "", usual_zone: str = ""
) -> Form:
    """Ask for a night.

    Args:
        game: the game that is selected at first, as people type it.
        when: what was typed already.
        zone: the time zone of the server; empty asks for it.
        usual_zone: what is written there at first.
    """
    hint = t(words.FORM_WHEN_HINT_IN, zone=zone.replace("_", " ")) if zone else t(words.FORM_WHEN_HINT)
    fields: list[FormField] = [
        ChoiceField("game", t(words.FORM_GAME), game_options(house_games, game)),
        TextField("when", t(words.FORM_WHEN), description=hint, value=when, max_length=40),
        ChoiceField("every", t(words.FORM_EVERY), _recurrences(Recurrence.WEEKLY)),
        ChoiceField("chips", t(words.FORM_CHIPS), _chips()),
    ]
    if zone:
        fields.append(ChoiceField("length", t(words.FORM_LENGTH), _lengths((0, 0))))
    else:
        fields.append(
            TextField("zone", t(words.FORM_ZONE), description=t(words.FORM_ZONE_HINT), value=usual_zone, max_length=60)
        )
    return Form(t(words.PLAN), page_id(PAGE, "plan", user), tuple(fields))


def _recurrences(first: Recurrence) -> tuple[Option, ...]:
    return tuple([Option(words.recurrence_name(one), one.name.lower(), default=one is first) for one in Recurrence])


def _chips() -> tuple[Option, ...]:
    return (
        Option(t(words.TABLE_CHIPS), ChipKind.TABLE, default=True),
        Option(t(words.SERVER_CHIPS), ChipKind.SERVER),
    )


def _lengths(now: tuple[int, int]) -> tuple[Option, ...]:
    """Return how long a night can be, with what it is now where the form does not offer that by itself."""
    known = LENGTHS if now in LENGTHS else (now, *LENGTHS)
    return tuple([Option(words.length(*one), f"{one[0]}.{one[1]}", default=one == now) for one in known])


def _breaks(now: tuple[int, int]) -> tuple[Option, ...]:
    now = now if all(now) else (0, 0)
    known = BREAKS if now in BREAKS else (now, *BREAKS)
    return tuple([Option(words.break_length(*one), f"{one[0]}.{one[1]}", default=one == now) for one in known])


def list_panel(all_series: Sequence[tuple[int, NightSeries]]) -> Panel:
    """Return the nights of a server, with a select of them."""
    blocks: list[Block] = [Text(words.listed([series for _, series in all_series]))]
    options = [
        Option(shorten(escape.plain_name(series.terms.name, OPTION_TEXT_MAX), OPTION_TEXT_MAX), str(id_))
        for id_, series in all_series[:OPTIONS_MAX]
    ]
    if options:
        blocks.append(Select(page_id(PAGE, "choose"), t(words.CHOOSE_SERIES), tuple(options)))
    blocks.append(Buttons((Button(t(words.PLAN), page_id(PAGE, "new"), GREEN),)))
    return Panel(LOBBY, tuple(blocks))


def series_panel(id_: int, series: NightSeries, night: Night, *, hosts: bool) -> Panel:
    """Return one series: when its next night is, and what can be done. `hosts`: the reader can do what a host can."""
    blocks: list[Block] = [Text(words.heading(series, night))]
    if hosts:
        number = night.number
        blocks.append(
            Buttons(
                (
                    Button(t(words.SKIP), page_id(PAGE, "skip", id_, number), GREY),
                    Button(t(words.MOVE), page_id(PAGE, "move", id_, number), GREY),
                    Button(t(words.NEW_DATES), page_id(PAGE, "dates", id_), GREY),
                    Button(t(words.SETTINGS), page_id(PAGE, "settings", id_), GREY),
                )
            )
        )
        blocks.append(
            Buttons(
                (
                    Button(t(words.HAND_OVER), page_id(PAGE, "hand", id_), GREY),
                    Button(t(words.CHANGE_STANDINGS), page_id(PAGE, "points", id_), GREY),
                    Button(t(words.CANCEL), page_id(PAGE, "cancel", id_), GREY),
                    Button(t(words.STANDINGS), page_id(PAGE, "standings", id_), GREY),
                )
            )
        )
    else:
        blocks.append(Buttons((Button(t(words.STANDINGS), page_id(PAGE, "standings", id_), GREY),)))
    return Panel(LOBBY, tuple(blocks))


def cancel_panel(id_: int, series: NightSeries) -> Panel:
    """Ask whether all nights of a series are to be cancelled."""
    button = Button(t(words.CANCEL_NOW), page_id(PAGE, "cancelnow", id_), RED)
    return Panel(WAITING, (Text(words.cancel_question(series)), Buttons((button,))))


def host_panel(id_: int) -> Panel:
    """Ask who hosts a series from now on."""
    return Panel(LOBBY, (Text(t(words.ASK_HOST)), UserSelect(page_id(PAGE, "handto", id_), t(words.HAND_OVER))))


def move_form(id_: int, series: NightSeries, night: Night, number: int) -> Form:
    """Ask when the next night begins. `number` differs from click to click."""
    zone = series.schedule.zone.replace("_", " ")
    field = TextField("when", t(words.FORM_WHEN), description=t(words.FORM_WHEN_HINT_IN, zone=zone), max_length=40)
    return Form(t(words.MOVE), page_id(PAGE, "moveto", id_, night.number, number), (field,))


def dates_form(id_: int, series: NightSeries, number: int) -> Form:
    """Ask for another day and hour of all nights. `number` differs from click to click."""
    zone = series.schedule.zone.replace("_", " ")
    return Form(
        t(words.NEW_DATES),
        page_id(PAGE, "setdates", id_, number),
        (
            TextField("when", t(words.FORM_WHEN), description=t(words.FORM_WHEN_HINT_IN, zone=zone), max_length=40),
            ChoiceField("every", t(words.FORM_EVERY), _recurrences(series.schedule.recurrence)),
        ),
    )


def settings_form(id_: int, series: NightSeries, number: int) -> Form:
    """Ask for what nights are called, their seats, from how many people on they are dealt, how long they are, and their break.

    `number` differs from click to click.
    """
    terms = series.terms
    return Form(
        t(words.SETTINGS),
        page_id(PAGE, "setterms", id_, number),
        (
            TextField("name", t(words.FORM_NAME), value=terms.name, max_length=words.NAME_MAX),
            TextField("seats", t(words.FORM_SEATS), value=str(terms.seats), max_length=2),
            TextField("players", t(words.FORM_PLAYERS), value=str(terms.players_min), max_length=2),
            ChoiceField("length", t(words.FORM_LENGTH), _lengths((terms.hands, terms.minutes))),
            ChoiceField("break", t(words.FORM_BREAK), _breaks((terms.break_after, terms.break_minutes))),
        ),
    )


def points_form(id_: int, series: NightSeries, number: int) -> Form:
    """Ask how the standings are counted. `number` differs from click to click."""
    rule = series.rule
    points = "/".join(map(str, rule.points)) if rule.points else "net"
    return Form(
        shorten(t(words.CHANGE_STANDINGS), 45),
        page_id(PAGE, "setpoints", id_, number),
        (
            TextField("points", t(words.FORM_POINTS), description=t(words.FORM_POINTS_HINT), value=points),
            TextField(
                "left_out",
                t(words.FORM_LEFT_OUT),
                description=t(words.FORM_LEFT_OUT_HINT),
                value=str(rule.left_out),
                max_length=2,
            ),
        ),
    )


def also_in_panel(nights: Sequence[tuple[str, int, bool]]) -> Panel:
    """Tell somebody what else they are in for at that hour: names, times, and whether it is in another server."""
    lines = [words.also_in(name, at, elsewhere=elsewhere) for name, at, elsewhere in nights]
    return Panel(WAITING, (Text("\n".join(lines)),))


def standings_panel(series: NightSeries) -> Panel:
    """Return the standings of a series."""
    return Panel(RANKINGS, (Text(words.standings_text(series, standings(series))),))


def done_panel(what: str, series: NightSeries, skipped_hour: str = "") -> Panel:
    """Return the private answer to a host who has changed something."""
    return Panel(RESULT, (Text(words.done(what, series, skipped_hour=skipped_hour)),))

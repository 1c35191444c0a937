"""Draw a sit-and-go: the panel before its start, its standings and levels, and what its players can do."""

from collections.abc import Mapping

from bot.events.sit_and_go.clock import pause_ms_left
from bot.events.sit_and_go.duel import agreement_kinds
from bot.events.sit_and_go.state import SitAndGo
from bot.events.sit_and_go.structures import HAND_LEVELS, LevelLength, Speed, structure_of
from bot.render.message.custom_ids import button_id, page_id
from bot.render.message.panel import (
    BLURPLE,
    GREEN,
    GREY,
    LOBBY,
    RESULT,
    WAITING,
    Block,
    Button,
    Buttons,
    Option,
    Panel,
    Select,
    Separator,
    Text,
)
from bot.render.table.lobby_board import go_button
from bot.render.table.rebuys import PAGE, choice_selects, is_asked, rebuy_buttons
from bot.render.table.way_on import way_on_buttons
from bot.table.settings import TableSettings
from bot.table.view import TableView
from bot.text import buttons as labels
from bot.text import duels as duel_words
from bot.text import escape
from bot.text import lobby as lobby_words
from bot.text import sit_and_go as words
from bot.text.buttons import Verb
from bot.text.language import t

LEVELS_SHOWN = 5
PAUSE_MINUTES = 5


def entry_panel(table: int, view: TableView, event: SitAndGo) -> Panel:
    """Draw a sit-and-go that has not started. `table` is the number that button ids carry."""
    settings = view.settings
    buttons = [
        Button(_register(event), page_id(PAGE, "enter", table), GREEN),
        Button(t(words.WITHDRAW), page_id(PAGE, "leave", table), GREY),
    ]
    if len(event.entrants) > 1:
        buttons.append(Button(t(words.START_NOW), page_id(PAGE, "start", table), GREY))
    buttons += [
        Button(t(words.ALL_LEVELS), page_id(PAGE, "levels", table), GREY),
        Button(t(lobby_words.RULES), button_id(table, view.hand_number, 0, Verb.RULES), GREY),
    ]
    return Panel(
        LOBBY,
        (
            Text(words.entry_text(event, settings)),
            Separator(),
            Text(words.players_text(event)),
            Text(words.levels_text(event, settings, count=LEVELS_SHOWN)),
            Text(words.prizes_text(event)),
            Buttons(tuple(buttons)),
        ),
    )


def _register(event: SitAndGo) -> str:
    return t(words.REGISTER) if event.settings.is_free else t(words.REGISTER_FOR, chips=event.settings.entry_cost)


def host_panel(table: int, event: SitAndGo) -> Panel:
    """What the host of a sit-and-go that has just opened can choose, for them alone."""
    return own_panel(table, event, event.opened_by, t(words.OPENED_BY_YOU))


def own_panel(table: int, event: SitAndGo, user: int, text: str) -> Panel:
    """Answer somebody before the start: the host finds there what they can choose, and *Register* until they have.

    It goes once its reader opens *My hand*, or when the sit-and-go starts.
    """
    blocks: list[Block] = [Text(text)]
    if user == event.opened_by and not event.started_at and event.is_open:
        register = Button(_register(event), page_id(PAGE, "enter", table), GREEN)
        blocks += host_blocks(table, event, *(() if event.entrant(user) is not None else (register,)))
    return Panel(LOBBY, tuple(blocks), until_my_hand=table)


def host_blocks(table: int, event: SitAndGo, *others: Button) -> list[Block]:
    """Return the host's choices: how it rises, what it costs and pays, and in a free one practice players. `others` are buttons beside."""
    buttons = list(others)
    if event.settings.is_free and len(event.entrants) < event.settings.seats:
        buttons.append(Button(t(words.ADD_PRACTICE), page_id(PAGE, "practice", table), GREY))
    blocks: list[Block] = [
        Select(page_id(PAGE, "speed", table), t(words.CHOOSE_STRUCTURE), _structures(event)),
        *choice_selects(table, event),
    ]
    return [Buttons(tuple(buttons)), *blocks] if buttons else blocks


def _structures(event: SitAndGo) -> tuple[Option, ...]:
    found = []
    for counted_in in LevelLength:
        for speed in HAND_LEVELS:
            structure = structure_of(speed, counted_in)
            label = words.structure_label(speed, counted_in, structure.starting_stack, structure.level_length)
            found.append(Option(label, f"{speed}.{counted_in}", default=structure == event.settings.structure))
    return tuple(found)


def read_structure(value: str) -> tuple[Speed, LevelLength] | None:
    """Return what was chosen in the host's select; None for what it does not offer."""
    speed, _, counted_in = value.partition(".")
    if speed in set(Speed) and counted_in in set(LevelLength):
        return Speed(speed), LevelLength(counted_in)
    return None


def out_panel(number: int, event: SitAndGo, user: int) -> Panel:
    """Tell somebody who has gone out at a table of this number where they came in."""
    return Panel(LOBBY, (Text(words.own_finish(event, user, number)),))


def left_panel(table: int, hand: int, event: SitAndGo) -> Panel:
    """Tell somebody who has left by choice what becomes of their stack, with the way back (SG-13)."""
    text = t(words.LEFT_BY_CHOICE_FREE if event.settings.is_free else words.LEFT_BY_CHOICE)
    back = Button(t(labels.BACK), button_id(table, hand, 0, Verb.BACK), GREY)
    return Panel(RESULT, (Text(text), Buttons((back,))))


def levels_button(table: int, event: SitAndGo) -> tuple[Button, ...]:
    """The button that shows all levels; none where there is one that stays."""
    levels = Button(t(words.ALL_LEVELS), page_id(PAGE, "levels", table), GREY)
    return (levels,) if event.settings.structure.level_length else ()


def levels_panel(table: int, event: SitAndGo, settings: TableSettings) -> Panel:
    """All levels, and what the ranks get."""
    texts = (words.levels_text(event, settings), words.structure_notes(event), words.prizes_text(event))
    shown = (Text(words.title(settings, duel=event.is_duel)), *[Text(text) for text in texts if text])
    return Panel(LOBBY, shown, until_my_hand=table, stands_beside=True)


def standings_panel(
    table: int, view: TableView, event: SitAndGo, stacks: Mapping[int, int], user: int, average: int
) -> Panel:
    """Where everybody stands while it is played, with what whoever asks can do about their seat. It goes with the next hand.

    Args:
        stacks: chips by seat number, as everybody sees them now.
        user: who asks.
        average: of the stacks, in chips.
    """
    blocks = _standings_blocks(view, event, stacks, average)
    buttons = tuple(_seat_buttons(table, view, event, user))
    blocks += [Buttons(buttons)] if buttons else []
    if user in event.voters and not event.settings.is_free and event.agreement is None:
        offered = agreement_kinds(event.settings)
        kinds = tuple([Option(t(name), kind) for kind, name in words.DEAL_KINDS.items() if kind in offered])
        blocks.append(Select(page_id(PAGE, "offer", table), t(words.OFFER_DEAL), kinds))
    return Panel(WAITING, tuple(blocks), until_my_hand=table)


def running_panel(table: int, view: TableView, event: SitAndGo, average: int) -> Panel:
    """Draw a sit-and-go for everybody while it is played and no hand is: in a break or a pause. `average`: of the stacks, in chips."""
    stacks: dict[int, int] = {seat.number: seat.stack for seat in view.seats}
    buttons = (*way_on_buttons(table, view), *levels_button(table, event))
    blocks = _standings_blocks(view, event, stacks, average)
    return Panel(WAITING, (*blocks, Buttons(buttons)) if buttons else tuple(blocks))


def panel_above(table: int, view: TableView, event: SitAndGo, average: int, link: str) -> Panel:
    """Draw a sit-and-go for the channel above the room of its table: taking entries, or as it stands.

    Args:
        average: of the stacks, in chips.
        link: the address of the room.
    """
    go = go_button(link)
    if not event.is_running:
        panel = entry_panel(table, view, event)
        return Panel(panel.accent, (*panel.blocks, Buttons((go,))))
    stacks: dict[int, int] = {seat.number: seat.stack for seat in view.seats}
    levels = Button(t(words.ALL_LEVELS), page_id(PAGE, "levels", table), GREY)
    return Panel(WAITING, (*_standings_blocks(view, event, stacks, average), Buttons((go, levels))))


def _standings_blocks(view: TableView, event: SitAndGo, stacks: Mapping[int, int], average: int) -> list[Block]:
    names: dict[int, str] = {seat.number: escape.name(seat.name) for seat in view.seats}
    lines = [
        (names[number], chips) for number, chips in sorted(stacks.items(), key=lambda one: -one[1]) if number in names
    ]
    text = words.standings_text(event, view.settings, lines, average, hand_running=view.way_on is None)
    return [Text(duel_words.with_score(text, event)), Text(words.prizes_text(event))]


def agreement_blocks(table: int, event: SitAndGo) -> list[Block]:
    """Return an offer to divide the prizes, with the buttons to agree and to say no; empty without one (SG-12)."""
    if event.agreement is None:
        return []
    offer = len(event.offers)
    agree = Button(t(words.AGREE_TO_DEAL), page_id(PAGE, "agree", table, offer), GREEN)
    refuse = Button(t(words.REFUSE_DEAL), page_id(PAGE, "refuse", table, offer), GREY)
    return [Text(words.agreement_text(event)), Buttons((agree, refuse))]


def _seat_buttons(table: int, view: TableView, event: SitAndGo, user: int) -> list[Button]:
    hand = view.hand_number
    seat = next((one for one in view.seats if one.player == user), None)
    buttons = rebuy_buttons(table, event) if is_asked(event, user) else []
    if event.takes_late_entries and event.entrant(user) is None and len(view.seats) < event.settings.seats:
        buttons.append(Button(_register(event), page_id(PAGE, "enter", table), GREEN))
    if seat is not None and (seat.away or seat.missed_turns):
        buttons.append(Button(t(labels.BACK), button_id(table, hand, 0, Verb.BACK), GREEN))
    if seat is not None and not seat.away:
        buttons.append(Button(t(words.AWAY), button_id(table, hand, 0, Verb.SIT_OUT), GREY))
        leave = labels.LEAVE if event.settings.duel is None else duel_words.GIVE_UP
        buttons.append(Button(t(leave), button_id(table, hand, 0, Verb.LEAVE), GREY))
    if user == event.opened_by and event.clock.stopped_for is not None:
        buttons.append(Button(t(words.GO_ON), page_id(PAGE, "resume", table), BLURPLE))
    elif user == event.opened_by and pause_ms_left(event) >= 60_000 * PAUSE_MINUTES:
        buttons.append(Button(t(words.PAUSE), page_id(PAGE, "pause", table), GREY))
    return [*buttons, *levels_button(table, event)]

"""A table between hands: the open table (ui §5 a), sitting down, coming back, the list of tables, its closing."""

from __future__ import annotations

from collections.abc import Iterable

from bot.engine.options import Ante, Limit, Straddle
from bot.engine.stakes import bet_sizes, no_ante_line
from bot.render import escape, ids, shifts
from bot.render.ids import Verb, press
from bot.render.limits import OPTIONS_MAX
from bot.render.panel import (
    BLURPLE,
    FINISHED,
    GREEN,
    GREY,
    LOBBY,
    WAITING,
    Block,
    Button,
    Buttons,
    Field,
    Form,
    Option,
    Panel,
    RadioGroup,
    Select,
    Separator,
    Text,
    TextField,
)
from bot.render.scene import NBSP, Person, ago
from bot.table.events import CloseReason
from bot.table.settings import TableSettings
from bot.table.state import AfterHand, Entry, SeatState
from bot.table.view import SeatLine, TableView

CHIPS_FIELD = "chips"
SIZE_FIELD = "size"
TABLES_LISTED = 20
KEPT_OUT = "The last deal is played again by the same players; you join at the next hand after it.\n-# Law TL-29"


def people(view: TableView) -> dict[int, Person]:
    """Who sits where, for the layouts of a hand."""
    return {seat.number: Person(seat.name, 0 if seat.practice else seat.player) for seat in view.seats}


def title(view: TableView) -> str:
    """What a table is called: ``Table 3``."""
    return f"Table {view.number}"


def stakes_short(settings: TableSettings) -> str:
    """The stakes in a few signs: ``50/100``, ``100/200 limit``, ``ante 25``."""
    stakes = settings.stakes
    if settings.options.ante is Ante.NONE:
        return no_ante_line(settings.options, stakes)
    if settings.options.limit is Limit.LIMIT:
        small, big = bet_sizes(stakes)
        return f"{small:,}/{big:,}"
    if stakes.big_blind:
        return f"{stakes.small_blind:,}/{stakes.big_blind:,}"
    if settings.options.limit is Limit.STAKE_LIMIT:
        return f"ante {stakes.ante:,}, limit {stakes.limit:,}"
    return f"ante {stakes.ante:,}"


def lobby_panel(table: int, view: TableView) -> Panel:
    """Draw a table while no hand is played. `table` is the number that button ids carry."""
    blocks: list[Block] = [Text(_head(view)), Separator()]
    body = _body(view)
    if body:
        blocks.append(Text(body))
    blocks += proposal_blocks(table, view)
    blocks += _lobby_buttons(table, view)
    return Panel(LOBBY, tuple(blocks))


def proposal_blocks(table: int, view: TableView) -> list[Block]:
    """What is proposed and awaits consent, with the buttons to give and refuse it; nothing where nothing is (H-1, H-3)."""
    if view.proposal is None:
        return []
    agree = Button("Agree", press(table, view.hand, 0, Verb.AGREE), GREEN)
    object_to = Button("Object", press(table, view.hand, 0, Verb.OBJECT), GREY)
    return [Text(_proposal(view)), Buttons((agree, object_to))]


def info_panel(view: TableView, last: str = "") -> Panel:
    """A table in words without buttons, for who asks. `last` is a line of the caller's, as ``Hand #12 is being played``."""
    lines = [_head(view), _body(view), "-# " + " · ".join(clocks(view.settings))]
    if view.proposal is not None:
        lines.append(_proposal(view))
    if last:
        lines.append(f"-# {last}")
    return Panel(LOBBY, (Text("\n".join(line for line in lines if line)),))


def tables_panel(tables: Iterable[tuple[TableView, int]]) -> Panel:
    """List the open tables of a server, each with its channel."""
    listed = list(tables)
    lines = ["### Tables"]
    for view, channel in listed[:TABLES_LISTED]:
        taken = f"{len(view.seats)} of {view.settings.seats} seats"
        practice = " · practice" if view.settings.practice else ""
        lines.append(
            f"`{view.number}`{NBSP}**{view.game}** {stakes_short(view.settings)} · {taken} · <#{channel}>{practice}"
        )
    if not listed:
        lines.append("No table is open here. `/table open` opens one.")
    if len(listed) > TABLES_LISTED:
        lines.append(f"-# and {len(listed) - TABLES_LISTED} more")
    return Panel(LOBBY, (Text("\n".join(lines)),))


def buy_in_form(
    table: int, view: TableView, user: int, *, wallet: int, least: int, most: int, seat: int = 0, adds: bool = False
) -> Form:
    """Ask how many chips to sit down with, or to add when `adds`.

    Args:
        wallet: chips the player has off the table.
        least, most: what may be brought (`bot.table.queries.buy_in`, `top_up_room`).
        seat: the seat that was chosen; 0 for any.
    """
    affordable = min(most, wallet)
    unit = view.settings.unit
    named = (
        ("Least", least),
        ("40 big blinds", 40 * unit),
        ("100 big blinds", 100 * unit),
        ("Most", affordable),
    )
    options: dict[int, Option] = {}
    for label, chips in named:
        if least <= chips <= affordable and chips not in options:
            options[chips] = Option(f"{label} · {chips:,}", str(chips))
    span = f"{least:,}–{most:,}" if least < most else f"{most:,}"
    fields: list[Field] = [
        TextField(
            CHIPS_FIELD,
            "Chips to add" if adds else "Chips to sit down with",
            description=f"{span}. You have {wallet:,}.",
            required=len(options) < 2,
            most=24,
        )
    ]
    if len(options) >= 2:
        fields.append(RadioGroup(SIZE_FIELD, "…or pick a number", tuple(options.values())))
    name = "Add chips" if adds else f"Take seat {seat}" if seat else "Take a seat"
    verb = Verb.TOP_UP if adds else Verb.BUY_IN
    return Form(name, ids.form(table, view.hand, 0, verb, user, seat), tuple(fields))


def seated_panel(table: int, view: TableView, seat: SeatLine, *, by_dm: bool) -> Panel:
    """The answer to sitting down: seat, chips, how one comes in, and which way the cards will come."""
    lines = [f"You are in seat {seat.number} with **{seat.stack:,}** chips.", comes_in(view, seat)]
    if by_dm:
        lines.append("Your cards come by DM, and by **Peek** on the table message.")
        button = Button("Stop sending DMs", press(table, view.hand, 0, Verb.DM_OFF), GREY)
    else:
        lines.append("Your cards come by **Peek** on the table message.")
        button = Button("Send DMs too", press(table, view.hand, 0, Verb.DM_ON), GREY)
    return Panel(LOBBY, (Text("\n".join(line for line in lines if line)), Buttons((button,))))


def entry_question(table: int, view: TableView, live: int, dead: int, entries: tuple[Entry, ...]) -> Panel:
    """Ask who owes blinds how he comes in (TL-10, TL-11)."""
    owed = f"You owe **{live + dead:,}** in blinds" + (f", {dead:,} of it dead." if dead else ".")
    buttons: list[Button] = []
    if Entry.POST in entries:
        buttons.append(Button(f"Post {live + dead:,}", press(table, view.hand, 0, Verb.POST), BLURPLE))
    if Entry.WAIT in entries:
        buttons.append(Button("Wait for big blind", press(table, view.hand, 0, Verb.WAIT), GREEN))
    if Entry.BUY_BUTTON in entries:
        buttons.append(Button("Buy the button", press(table, view.hand, 0, Verb.BUY_BUTTON), GREY))
    return Panel(WAITING, (Text(f"{owed} How do you come in?\n-# Law TL-10"), Buttons(tuple(buttons))))


def closed_panel(view: TableView, reason: CloseReason) -> Panel:
    """What stays of a table that has closed."""
    why = "It was idle." if reason is CloseReason.IDLE else "It was closed by its host or staff."
    hands = "no hand was" if not view.hand else "1 hand was" if view.hand == 1 else f"{view.hand:,} hands were"
    text = f"### {title(view)} is closed\n{why} Everybody has been paid out.\n-# {view.game} · {hands} dealt"
    return Panel(FINISHED, (Text(text),))


def clocks(settings: TableSettings) -> list[str]:
    """The clocks and customs of a table, in a few words each."""
    said = [f"{duration(settings.stakes.turn_seconds)} per action"]
    if settings.stakes.bank_seconds:
        said.append(f"time bank {duration(settings.stakes.bank_seconds)}")
    said.append(f"next hand after {duration(settings.pause_seconds)}" if settings.auto_start else "hands on demand")
    if settings.idle_minutes:
        said.append(f"closes after {duration(60 * settings.idle_minutes)} idle")
    return said


def duration(seconds: int) -> str:
    """A time in the largest unit that is exact: ``30 s``, ``2 min``, ``24 h``."""
    if seconds and seconds % 3600 == 0:
        return f"{seconds // 3600} h"
    if seconds and seconds % 60 == 0:
        return f"{seconds // 60} min"
    return f"{seconds} s"


_AMOUNTS = (
    ("ante", "ante"),
    ("straddle", "straddle"),
    ("bring_in", "bring-in"),
    ("min_bet", "bets from"),
    ("limit", "limit"),
    ("doublings", "doublings"),
    ("price", "price of a card"),
    ("cap", "to match at most"),
)
"""What a game is played for, beside blinds and bets, and what it is called."""
FIRST_RUNG = "the ladder counts in"
"""What the ante is called where nobody pays it: a doubling ladder still needs a measure (L-6)."""


def _head(view: TableView) -> str:
    settings = view.settings
    stakes = settings.stakes
    parts: list[str] = []
    if stakes.big_blind:
        parts.append(f"Blinds **{stakes.small_blind:,}/{stakes.big_blind:,}**")
    if settings.options.limit is Limit.LIMIT:
        small, big = bet_sizes(stakes)
        parts.append(f"bets **{small:,}/{big:,}**")
    unforced = settings.options.ante is Ante.NONE
    if unforced:
        parts.append("no ante")
    for field, name in _AMOUNTS:
        if chips := getattr(stakes, field):
            parts.append(f"{FIRST_RUNG if unforced and field == 'ante' else name} **{chips:,}**")
    parts.append(f"buy-in **{view.min_buyin:,}–{view.max_buyin:,}**")
    parts.append(f"{duration(view.turn_seconds)} per action")
    line = " · ".join(parts)
    host = next((seat for seat in view.seats if seat.player == view.host), None)
    small_print = [f"{len(view.seats)} of {settings.seats} seats taken"]
    if host is not None:  # by name: a mention would light the message up for him alone
        small_print.insert(0, f"Host {escape.name(host.name)}")
    if settings.practice:
        small_print.append("practice chips")
    return f"### {title(view)} · {view.game}\n{line[:1].upper()}{line[1:]}\n-# {' · '.join(small_print)}"


def _body(view: TableView) -> str:
    lines = [_seat_line(view, seat) for seat in sorted(view.seats, key=lambda seat: seat.number)]
    if view.button and not any(seat.number == view.button for seat in view.seats):
        lines.append(f"-# Dealer button at seat{NBSP}{view.button}")  # it may rest on an empty seat (TL-9)
    if view.open_seats:
        kept = f" ({view.kept} kept for the waiting list)" if view.kept else ""
        lines.append("-# Open seats: " + ", ".join(map(str, view.open_seats)) + kept)
    if view.waiting:
        lines.append("-# Waiting list: " + ", ".join([escape.name(one.name) for one in view.waiting]))
    if view.carried:
        lines.append(f"-# {view.carried:,} in the pot from the last deal")
    if view.next_hand_at:
        lines.append(f"-# Next hand {ago(-(-view.next_hand_at // 1000))}")
    elif view.needs_players and not view.running:
        more = "one more player" if view.needs_players == 1 else f"{view.needs_players} players"
        lines.append(f"-# Waiting for {more}")
    return "\n".join(lines)


def _seat_line(view: TableView, seat: SeatLine) -> str:
    notes: list[str] = []
    if seat.practice and "(practice)" not in seat.name:
        notes.append("practice player")
    if seat.state is not SeatState.IN:
        notes.append(seat.state.value)
    elif not seat.stack:
        notes.append("no chips")
    if seat.after is not AfterHand.STAY:
        notes.append(seat.after.value)
    if seat.queued:
        notes.append(f"adds {seat.queued:,} next hand")
    if seat.dead or seat.live:
        notes.append(f"owes {seat.dead + seat.live:,}")
    if seat.straddles:
        notes.append("straddles next hand")
    name = escape.name(seat.name) + (" (dealer)" if seat.number == view.button else "")
    return " · ".join([f"`{seat.number}`{NBSP}{name}  **{seat.stack:,}**", *notes])


def _proposal(view: TableView) -> str:
    asked = view.proposal
    assert asked is not None
    names = {seat.player: escape.name(seat.name) for seat in view.seats}
    by = names.get(asked.player, f"<@{asked.player}>")
    if asked.shifts:
        what = f"**{by} proposes an adjustment:** {shifts.told(asked.shifts, names)}"
    else:
        what = f"**{by} proposes other settings** (`/table settings` shows them)"
    missing = ", ".join([names.get(player, f"<@{player}>") for player in asked.missing])
    if not missing:
        return f"{what}\n-# Everybody seated has agreed: it is done after this hand."
    return f"{what}\n-# Everybody seated has to agree. Missing: {missing}"


def _lobby_buttons(table: int, view: TableView) -> list[Block]:
    hand = view.hand
    first: list[Button] = []
    if view.open_seats:
        first.append(Button("Take a seat", press(table, hand, 0, Verb.SIT), GREEN))
    else:
        first.append(Button("Waiting list", press(table, hand, 0, Verb.WAITING_LIST), GREEN))
    first.append(Button("Buy-in…", press(table, hand, 0, Verb.BUY_IN), GREY))
    if not view.settings.auto_start and not view.needs_players:
        first.append(Button("Deal", press(table, hand, 0, Verb.DEAL), BLURPLE))
    first.append(Button("Rules", press(table, hand, 0, Verb.RULES), GREY))
    blocks: list[Block] = [Buttons(tuple(first))]
    if view.seats:
        second: list[Button] = []
        if any(seat.state is SeatState.OUT or seat.after is not AfterHand.STAY for seat in view.seats):
            second.append(Button("I'm back", press(table, hand, 0, Verb.BACK), GREY))
        if any(seat.state is not SeatState.OUT for seat in view.seats):
            second.append(Button("Sit out", press(table, hand, 0, Verb.SIT_OUT), GREY))
        second.append(Button("Leave", press(table, hand, 0, Verb.LEAVE), GREY))
        if view.settings.options.straddle is Straddle.LIVE:
            straddle = 2 * view.big_blind  # TL-13
            second.append(Button(f"Straddle {straddle:,}", press(table, hand, 0, Verb.STRADDLE, straddle), GREY))
        blocks.append(Buttons(tuple(second)))
    if view.open_seats:
        options = tuple(Option(f"Seat {number}", str(number)) for number in view.open_seats[:OPTIONS_MAX])
        blocks.append(Select(press(table, hand, 0, Verb.SEAT), "Choose a seat number…", options))
    return blocks


def comes_in(view: TableView, seat: SeatLine) -> str:
    """How a player who sat down or came back comes into the game; nothing where nothing stands in his way."""
    if seat.kept_out:
        return KEPT_OUT
    if seat.live + seat.dead and seat.state is not SeatState.OUT and view.settings.options.ante is not Ante.BLINDS:
        return (
            f"You play from the next hand on; the {seat.live + seat.dead:,} you owe wait for the next game with blinds."
        )
    match seat.state:
        case SeatState.WAITING:
            return "You play from your big blind on."
        case SeatState.POSTING:
            return f"You post {seat.live + seat.dead:,} and play from the next hand on."
        case SeatState.BUYING:
            return "You buy the button and play from the next hand on."
        case SeatState.OUT:
            return "You sit out until you come back."
        case _:
            return ""

"""What a table says between hands: the open table, sitting down, the list of tables, its closing."""

from __future__ import annotations

from bot.engine.options.values import Ante, Limit
from bot.table.settings import TableSettings
from bot.table.state import AfterHand, SeatStatus
from bot.table.view import SeatedPlayerView, TableView
from bot.text import buttons, escape, stakes
from bot.text.adjustments import adjustment_text
from bot.text.durations import duration
from bot.text.escape import names_by_seat
from bot.text.formatting import NBSP, join_list
from bot.text.game_names import game_name
from bot.text.language import Message, message, number, plural, t
from bot.text.way_on import reason_line, timeout_lines

# buttons and menus

JOIN_WAITING_LIST = message("Waiting list")
DEAL = message("Deal")
RULES = message("Rules")
CHOOSE_SEAT = message("Choose a seat number…")
SEAT_NUMBER = message("Seat {number}")
AGREE = message("Agree")
SEND_DMS = message("Send DMs too")
POST = message("Post {chips:,}")
WAIT_FOR_BIG_BLIND = message("Wait for the big blind")
BUY_BUTTON = message("Buy the button")

# the form for a buy-in

ADD_CHIPS = message("Add chips")
TAKE_SEAT_NUMBER = message("Take seat {number}")
CHIPS_TO_ADD = message("Chips to add")
CHIPS_TO_BRING = message("Chips to sit down with")
BUY_IN_RANGE = message("{minimum:,}–{maximum:,}. You have {wallet:,}.")
BUY_IN_EXACTLY = message("{chips:,}. You have {wallet:,}.")
PICK_A_NUMBER = message("…or pick a number")
MINIMUM = message("Minimum · {chips:,}")
MAXIMUM = message("Maximum · {chips:,}")
BIG_BLINDS = plural("{count} big blind · {chips:,}", "{count} big blinds · {chips:,}")

# the heading of a table

TABLE = message("Table {number}")
_HEADING = message("### {table} · {game}")
_BLINDS = message("Blinds **{blinds}**")
_BETS = message("bets **{bets}**")
_NO_ANTE = message("no ante")
_ANTE = message("ante **{chips:,}**")
_AT_LINE_START = {
    _BETS: message("Bets **{bets}**"),
    _NO_ANTE: message("No ante"),
    _ANTE: message("Ante **{chips:,}**"),
}
"""The stakes of a game without blinds begin with one of these."""
_AMOUNTS = (
    ("straddle", message("straddle **{chips:,}**")),
    ("button_blind", message("button blind **{chips:,}**")),
    ("bring_in", message("bring-in **{chips:,}**")),
    ("min_bet", message("bets from **{chips:,}**")),
    ("limit", message("limit **{chips:,}**")),
    ("doublings", message("doublings **{chips:,}**")),
    ("price", message("a card costs **{chips:,}**")),
    ("cap", message("losers pay at most **{chips:,}**")),
)
"""What a game is played for, beside blinds, bets and antes."""
_LADDER_UNIT = message("doubling ladder from **{chips:,}**")
"""The ante of a game in which nobody antes: the doubling ladder counts in it (L-6)."""
BUY_IN = message("buy-in **{minimum:,}–{maximum:,}**")
EVERYBODY_STARTS = message("everybody starts with **{chips:,}**")
_PER_ACTION = message("{duration} per action")
_HOST = message("Host {name}")
_SEATS_TAKEN = message("{taken} of {seats} seats taken")
_PRACTICE_CHIPS = message("practice chips")
_TABLE_CHIPS = message("table chips")
_PRIVATE = message("private: by invitation")
_TIME_BANK = message("time bank {duration}")
_NEXT_HAND_AFTER = message("next hand after {duration}")
_HANDS_ON_DEMAND = message("hands start on request")
_CLOSES_WHEN_IDLE = message("closes after {duration} idle")

# the seat list

_DEALER = message("{name} (dealer)")
_PRACTICE_PLAYER = message("practice player")
_NO_CHIPS = message("no chips")
_ADDS_CHIPS = message("adds {chips:,} next hand")
_REBUYS = message("rebuys next hand")
_OWES = message("owes {chips:,}")
_STRADDLES = message("straddles next hand")
SEAT_STATUS: dict[SeatStatus, Message] = {
    SeatStatus.PLAYING: message("playing"),
    SeatStatus.SITTING_OUT: message("sitting out"),
    SeatStatus.WAITING_FOR_BIG_BLIND: message("waiting for the big blind"),
    SeatStatus.POSTING: message("posting"),
    SeatStatus.BUYING_BUTTON: message("buying the button"),
}
AFTER_HAND: dict[AfterHand, Message] = {
    AfterHand.STAY: message("stays"),
    AfterHand.SIT_OUT: message("sits out after this hand"),
    AfterHand.LEAVE: message("leaves after this hand"),
}

# below the seats

_DEALER_BUTTON_AT = message("-# Dealer button at seat {number}")
_OPEN_SEATS = message("-# Free seats: {seats}")
_OPEN_SEATS_KEPT = message("-# Free seats: {seats} ({kept} of them held)")
_SEATS_HELD = message("-# Held for: {names}")
_WAITING_LIST = message("-# Waiting list: {names}")
_CARRIED = message("-# {chips:,} in the pot from the last hand")

# a proposal that needs everyone's consent

_ADJUSTMENT_PROPOSED = message("**{name} proposes to correct the stacks:** {adjustment}")
_SETTINGS_PROPOSED = message("**{name} proposes other settings** (see `/table page:settings`)")
_EVERYONE_AGREED = message("-# Everyone has agreed. It is done after this hand.")
_STILL_TO_AGREE = message("-# Everyone seated must agree. Still to answer: {names}")
PROPOSED_CHANGES = message("Proposed: {changes}")
CHANGED_VALUE = message("{name}: {before} → **{after}**")
NEW_VALUE = message("{name}: **{after}**")
MORE_CHANGES = plural("and {count} more", "and {count} more")

# sitting down

_SEATED = message("You're in seat {number} with **{chips:,}** chips.")
_CARDS_BY_DM = message("Your cards come by DM. **My hand** at the table shows them too.")
_CARDS_BY_DM_LATER = message(
    "**My hand** at the table shows your cards. They come by DM too once Discord lets me open one."
)
_CARDS_BY_MY_HAND = message("**My hand** at the table shows your cards.")
_REPLAY = message("The last hand is played again with the same players. You join after it.\n-# Law TL-29")
_OWED_BLINDS_WAIT = message("You're in from the next hand. The {chips:,} you owe can wait for a game with blinds.")
_FROM_BIG_BLIND = message("You're in from your next big blind.")
_POSTS = message("You post {chips:,} and are in from the next hand.")
_BUYS_BUTTON = message("You buy the button and are in from the next hand.")
_SITS_OUT = message("You're sitting out until you come back.")
_OWED = message("You missed blinds: **{owed:,}** to pay. How do you come in?")
_OWED_WITH_DEAD = message(
    "You missed blinds: **{owed:,}** to pay, {dead:,} of it straight to the pot. How do you come in?"
)

# the list of tables, and a table that closed

TABLES = message("### Tables")
NO_TABLES = message("No table is open here. `/play` opens one.")
MORE_TABLES = plural("-# and {count} more", "-# and {count} more")
_LISTED = message("`{number}`\u00a0**{game}** {stakes} · {taken} of {seats} seats · {channel}")
_LISTED_PRACTICE = message("`{number}`\u00a0**{game}** {stakes} · {taken} of {seats} seats · {channel} · practice")
_LISTED_TABLE_CHIPS = message(
    "`{number}`\u00a0**{game}** {stakes} · {taken} of {seats} seats · {channel} · table chips"
)


EVENING_MAX = 60


def table_name(view: TableView) -> str:
    """The name of a table: ``Table 3``."""
    return t(TABLE, number=view.number)


def table_title(view: TableView) -> str:
    """What a table plays: its game, or the mixture by its own name."""
    return game_name(view.game) if view.rotation is None else escape.name(game_name(view.rotation.name))


def table_stakes(settings: TableSettings) -> str:
    """The stakes of a table in a few signs: ``50/100``, ``ante 25, raises up to 200``."""
    return stakes.short_stakes(settings.stakes, ante=settings.options.ante, limit=settings.options.limit)


def heading(view: TableView) -> str:
    """The name, game, stakes, host and free seats of a table, in three lines."""
    host = next((seat for seat in view.seats if seat.player == view.host), None)
    small_print = [t(_SEATS_TAKEN, taken=len(view.seats), seats=view.settings.seat_count)]
    if host is not None and not host.practice:  # a mention would highlight the message for the host alone
        small_print.insert(0, t(_HOST, name=escape.name(host.name)))
    if view.settings.evening:
        small_print.insert(0, escape.text(view.settings.evening, EVENING_MAX))
    if view.settings.practice:
        small_print.append(t(_PRACTICE_CHIPS))
    if view.settings.has_table_chips:
        small_print.append(t(_TABLE_CHIPS))
    if view.private:
        small_print.append(t(_PRIVATE))
    head = t(_HEADING, table=table_name(view), game=table_title(view))
    return f"{head}\n{_stakes_line(view)}\n-# {' · '.join(small_print)}"


def _stakes_line(view: TableView) -> str:
    """``Blinds **50/100** · buy-in **2,000–20,000** · 30 s per action``."""
    settings, amounts = view.settings, view.settings.stakes
    parts: list[str] = []

    def add(sentence: Message, **values: object) -> None:
        parts.append(t(_AT_LINE_START.get(sentence, sentence) if not parts else sentence, **values))

    if amounts.big_blind:
        add(_BLINDS, blinds=stakes.blinds(amounts))
    if settings.options.limit is Limit.LIMIT:
        add(_BETS, bets=stakes.fixed_bets(amounts))
    if settings.options.ante is Ante.NONE:
        add(_NO_ANTE)
    if amounts.ante:
        add(_LADDER_UNIT if settings.options.ante is Ante.NONE else _ANTE, chips=amounts.ante)
    for field, sentence in _AMOUNTS:
        if chips := getattr(amounts, field):
            add(sentence, chips=chips)
    if settings.has_table_chips:
        add(EVERYBODY_STARTS, chips=settings.starting_stack)
    else:
        add(BUY_IN, minimum=view.min_buyin, maximum=view.max_buyin)
    add(_PER_ACTION, duration=duration(view.turn_seconds))
    return " · ".join(parts)


def clocks_line(settings: TableSettings) -> str:
    """The clocks of a table in small print: ``30 s per action · time bank 1 min``."""
    parts = [t(_PER_ACTION, duration=duration(settings.stakes.turn_seconds))]
    if settings.stakes.bank_seconds:
        parts.append(t(_TIME_BANK, duration=duration(settings.stakes.bank_seconds)))
    if settings.auto_start:
        parts.append(t(_NEXT_HAND_AFTER, duration=duration(settings.pause_seconds)))
    else:
        parts.append(t(_HANDS_ON_DEMAND))
    if settings.idle_minutes:
        parts.append(t(_CLOSES_WHEN_IDLE, duration=duration(60 * settings.idle_minutes)))
    return f"-# {' · '.join(parts)}"


def seat_list(view: TableView) -> str:
    """Who is seated, which seats are free, who waits, and what the table waits for."""
    lines = [_seat_line(view, seat) for seat in sorted(view.seats, key=lambda seat: seat.number)]
    if view.button_seat and all(seat.number != view.button_seat for seat in view.seats):
        lines.append(t(_DEALER_BUTTON_AT, number=view.button_seat))  # the button can rest on an empty seat (TL-9)
    if view.free_seats:
        numbers, kept = join_list([str(number) for number in view.free_seats]), view.reserved_seat_count
        lines.append(t(_OPEN_SEATS_KEPT, seats=numbers, kept=kept) if kept else t(_OPEN_SEATS, seats=numbers))
    for held, words in ((True, _SEATS_HELD), (False, _WAITING_LIST)):
        if names := [escape.name(one.name) for one in view.waiting if (one.offered_until > 0) is held]:
            lines.append(t(words, names=join_list(names)))
    if view.carried_chips:
        lines.append(t(_CARRIED, chips=view.carried_chips))
    if reason := reason_line(view):
        lines.append(reason)
    lines += [f"-# {line}" for line in timeout_lines(view)]
    return "\n".join(lines)


def _seat_line(view: TableView, seat: SeatedPlayerView) -> str:
    name = escape.name(seat.name)
    if seat.number == view.button_seat:
        name = t(_DEALER, name=name)
    line = f"`{seat.number}`{NBSP}{name}  **{number(seat.stack)}**"
    return " · ".join([line, *_seat_notes(view, seat)])


def _seat_notes(view: TableView, seat: SeatedPlayerView) -> list[str]:
    """What is worth knowing about a seat before the next hand."""
    notes: list[str] = []
    if seat.practice and "(practice)" not in seat.name:
        notes.append(t(_PRACTICE_PLAYER))
    if not seat.stack:
        notes.append(t(_NO_CHIPS))
    elif seat.status is not SeatStatus.PLAYING:
        notes.append(t(SEAT_STATUS[seat.status]))
    if seat.after_hand is not AfterHand.STAY:
        notes.append(t(AFTER_HAND[seat.after_hand]))
    if seat.queued_top_up:
        of_table = view.settings.has_table_chips  # how many these are is known after the hand (TC-3)
        notes.append(t(_REBUYS) if of_table else t(_ADDS_CHIPS, chips=seat.queued_top_up))
    if owed := seat.owed_dead + seat.owed_live:
        notes.append(t(_OWES, chips=owed))
    if seat.wants_straddle:
        notes.append(t(_STRADDLES))
    return notes


def proposal_text(view: TableView) -> str:
    """The proposal that awaits consent, and who has not answered yet. There is one."""
    proposal = view.proposal
    assert proposal is not None, "no proposal"
    by_seat = names_by_seat((seat.number, seat.name) for seat in view.seats)
    names = {seat.player: by_seat[seat.number] for seat in view.seats}
    proposer = names.get(proposal.player, f"<@{proposal.player}>")
    if proposal.stack_changes:
        adjustment = adjustment_text(proposal.stack_changes, names)
        what = t(_ADJUSTMENT_PROPOSED, name=proposer, adjustment=adjustment)
    else:
        what = t(_SETTINGS_PROPOSED, name=proposer)
    missing = [names.get(player, f"<@{player}>") for player in proposal.yet_to_consent]
    return f"{what}\n{t(_STILL_TO_AGREE, names=join_list(missing)) if missing else t(_EVERYONE_AGREED)}"


def seated_text(view: TableView, seat: SeatedPlayerView, *, by_dm: bool, dms_wait: bool = False) -> str:
    """The answer to sitting down: seat, chips, how the player joins, and which way the cards come."""
    lines = [
        t(_SEATED, number=seat.number, chips=seat.stack),
        entry_note(view, seat),
        t((_CARDS_BY_DM_LATER if dms_wait else _CARDS_BY_DM) if by_dm else _CARDS_BY_MY_HAND),
    ]
    return "\n".join(line for line in lines if line)


def entry_note(view: TableView, seat: SeatedPlayerView) -> str:
    """How a player who sat down or came back joins the game; empty where nothing keeps them waiting."""
    owed = seat.owed_live + seat.owed_dead
    if seat.kept_out_of_replay:
        return t(_REPLAY)
    if owed and seat.status is not SeatStatus.SITTING_OUT and view.settings.options.ante is not Ante.BLINDS:
        return t(_OWED_BLINDS_WAIT, chips=owed)
    match seat.status:
        case SeatStatus.WAITING_FOR_BIG_BLIND:
            return t(_FROM_BIG_BLIND)
        case SeatStatus.POSTING:
            return t(_POSTS, chips=owed)
        case SeatStatus.BUYING_BUTTON:
            return t(_BUYS_BUTTON)
        case SeatStatus.SITTING_OUT:
            return t(_SITS_OUT)
        case SeatStatus.PLAYING:
            return ""


def entry_question(live: int, dead: int) -> str:
    """Ask a player who owes blinds, in chips, when they want to join (TL-10, TL-11)."""
    owed = live + dead
    return t(_OWED_WITH_DEAD, owed=owed, dead=dead) if dead else t(_OWED, owed=owed)


def buy_in_range(minimum: int, maximum: int, wallet: int) -> str:
    """How many chips a player can bring, and how many they have."""
    if minimum < maximum:
        return t(BUY_IN_RANGE, minimum=minimum, maximum=maximum, wallet=wallet)
    return t(BUY_IN_EXACTLY, chips=maximum, wallet=wallet)


def buy_in_title(seat: int, *, is_top_up: bool) -> str:
    """The title of the form for a buy-in. `seat` is the number of the chosen seat, 0 for any."""
    if is_top_up:
        return t(ADD_CHIPS)
    return t(TAKE_SEAT_NUMBER, number=seat) if seat else t(buttons.TAKE_A_SEAT)


def listed_table(view: TableView, channel: int) -> str:
    """One line of the list of tables."""
    listed = _LISTED_TABLE_CHIPS if view.settings.has_table_chips else _LISTED
    return t(
        _LISTED_PRACTICE if view.settings.practice else listed,
        number=view.number,
        game=table_title(view),
        stakes=table_stakes(view.settings),
        taken=len(view.seats),
        seats=view.settings.seat_count,
        channel=f"<#{channel}>",
    )

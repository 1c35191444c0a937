"""Tables in rooms of their own: threads, private threads, posts of a forum; inviting people and removing somebody."""

from __future__ import annotations

from collections.abc import Iterable

from bot.table.settings import TableSettings
from bot.text import escape
from bot.text.formatting import join_and, relative_time_ms, shorten
from bot.text.game_names import family_name, game_name
from bot.text.language import Message, message, t
from bot.text.lobby import table_stakes

TITLE_MAX, TAG_MAX = 100, 20
"""The most characters that Discord takes for the name of a thread and of a tag."""
GAME_MAX = 60

INVITE = message("Invite…")
GIVE_SEAT = message("Give a seat…")
REMOVE_PLAYER = message("Remove a player…")
GAME_AND_STAKES = message("Game and stakes…")
ADD_PRACTICE_PLAYER = message("Add a practice player")
CLOSE_TABLE = message("Close table…")
CLOSE_NOW = message("Close table {number}")
CLOSE_QUESTION = message("Close table {number}? A hand that runs is played to its end, and everyone keeps their chips.")
PRACTICE_PLAYER_ADDED = message("A practice player sits down.")
CHOOSE_PEOPLE = message("Choose people to invite…")
CHOOSE_PLAYER = message("Choose who has to leave…")
WHOM_TO_INVITE = message("Who can come to this table? They're told, and can sit down.")
WHOM_TO_REMOVE = message(
    "Whoever you choose finishes the hand they're in, gets all their chips back and can't come back unless you invite them."
)
WHO_GETS_SEAT = message("Who gets the seat? They're told, and it's held for them for 2 minutes.")
ANY_FREE_SEAT = message("Any free seat")
CHOOSE_SEAT_TO_HOLD = message("Choose a seat…")
NO_SEAT_TO_HOLD = message("Every seat is taken or kept for somebody. Remove a player, or wait until one leaves.")
_SEAT_HELD = message("A seat is held for {player}. The offer ends {until}.")
_THIS_SEAT_HELD = message("Seat {number} is held for {player}. The offer ends {until}.")
NOBODY_TO_REMOVE = message("Nobody else is at this table.")

OPENED = message("Your table is open: {channel}.")
OPENED_PRIVATE = message("Your private table is open: {channel}. Only people you invite can find it.")
_SEEN_AFTERWARDS = message(
    "-# Nobody else here learns of this game while it's played. Afterwards its hands count in totals, in `/stats` and rankings."
)
_SEEN_NEVER = message("-# Nobody else here learns of this game, and its hands count nowhere.")
_KEPT_OUT_HOW = message(
    "-# Nobody else here learns of this game while it's played. Afterwards its hands count in totals of home games, "
    "unless its host turns *Hands count in home-game figures* off before."
)
CLOSED_TITLE = message("closed · {title}")
FIRST_POST = message("### {title}\n{host} opens this table. Take a seat in the message below.")
NO_THREADS_HERE = message("A table can't get a thread of its own here. Open it in a text channel.")
NO_FORUM = message("This server has no forum of tables. Staff choose one with `/house page:server`.")
FORUM_GONE = message("The server's forum of tables is gone. Staff choose another with `/house page:server`.")
TOO_MANY_THREADS = message(
    "This server has as many open threads as Discord allows. Try again later, or open the table here."
)
WAITS_IN_THREAD = message(
    "Where a turn can take an hour or more, the table has a thread of its own. Open such a table with `/play`."
)
NOT_OPENED = message("Discord didn't let the dealer open a thread. Try again, or open the table here.")
_MISSING = message(
    "The dealer needs {permissions} in {channel}. Whoever manages it can allow that: Edit Channel → Permissions → add the "
    "dealer. Then open the table again, or open it here."
)
FORUM_CHOSEN = message("From now on each new table is a post in {channel}.")
FORUM_OFF = message("New tables open where people ask for them.")
_FORUM_LACKS = message("-# There the dealer still needs {permissions}.")
_FORUM_NO_TAGS = message("-# With {permission} it can make the tags for games and stakes too.")

PERMISSIONS: dict[str, Message] = {
    "view_channel": message("View Channel"),
    "send_messages": message("Send Messages"),
    "create_public_threads": message("Create Public Threads"),
    "create_private_threads": message("Create Private Threads"),
    "send_messages_in_threads": message("Send Messages in Threads"),
    "manage_channels": message("Manage Channel"),
}
"""The permissions that a table needs for a room of its own, by discord.py's names, as Discord calls them."""
_CREATE_POSTS = message("Create Posts")

_LOW, _MEDIUM, _HIGH = message("Low stakes"), message("Medium stakes"), message("High stakes")
_PRACTICE = message("Practice")
_EVENT, _DUEL = message("sit-and-go"), message("duel")
LOW_STAKES_MAX, MEDIUM_STAKES_MAX = 20, 200
"""The highest big blinds, or what takes their place, of low and of medium stakes."""


def table_title(settings: TableSettings, *, duel: bool = False) -> str:
    """The name of a table's thread: ``No-Limit Hold'em · 50/100``; that of an event, whose stakes rise, names none."""
    game = settings.rotation.name if settings.rotation is not None else settings.rule_card.name
    stakes = t(_DUEL if duel else _EVENT) if settings.is_event else table_stakes(settings)
    title = f"{escape.plain_name(game_name(game), GAME_MAX)} · {stakes}"
    return shorten(f"{title} · {t(_PRACTICE)}" if settings.practice else title, TITLE_MAX)


def closed_title(title: str) -> str:
    """The name of a thread whose table is closed."""
    return shorten(t(CLOSED_TITLE, title=title), TITLE_MAX)


def tag_names(settings: TableSettings) -> tuple[str, str]:
    """The tags of a table's post: its family of games, and what it is played for."""
    unit = settings.buy_in_unit
    stakes = _PRACTICE if settings.practice else _LOW if unit <= LOW_STAKES_MAX else _HIGH
    if stakes is _HIGH and unit <= MEDIUM_STAKES_MAX:
        stakes = _MEDIUM
    return shorten(family_name(settings.rule_card.family), TAG_MAX), shorten(t(stakes), TAG_MAX)


def seat_held(player: int, number: int, until: int) -> str:
    """The answer to a host who holds a seat for somebody; seat number 0 is any. `until` is in ms since the epoch."""
    sentence = _THIS_SEAT_HELD if number else _SEAT_HELD
    return t(sentence, player=f"<@{player}>", number=number, until=relative_time_ms(until))


def missing_permissions(names: Iterable[str], channel: int, *, forum: bool = False) -> str:
    """What the dealer lacks in a channel to open a table there, and what to do about it."""
    return t(_MISSING, permissions=_named(names, forum=forum), channel=f"<#{channel}>")


def forum_chosen(channel: int, missing: Iterable[str], *, makes_tags: bool) -> str:
    """The answer to staff who chose the forum of tables, with what the dealer lacks there."""
    lines = [t(FORUM_CHOSEN, channel=f"<#{channel}>")]
    lacks = _named(missing, forum=True)
    if lacks:
        lines.append(t(_FORUM_LACKS, permissions=lacks))
    if not makes_tags:
        lines.append(t(_FORUM_NO_TAGS, permission=f"**{t(PERMISSIONS['manage_channels'])}**"))
    return "\n".join(lines)


def _named(names: Iterable[str], *, forum: bool) -> str:
    """Name permissions as Discord does; that to send messages has another name in a forum."""
    texts = {**PERMISSIONS, "send_messages": _CREATE_POSTS} if forum else PERMISSIONS
    return join_and([f"**{t(texts[name])}**" for name in names])


def what_others_see(settings: TableSettings) -> str:
    """Return what people who are not invited learn of a private game, for those who are."""
    if settings.practice or (settings.has_table_chips and not settings.figures):
        return t(_SEEN_NEVER)
    return t(_KEPT_OUT_HOW if settings.has_table_chips else _SEEN_AFTERWARDS)

"""What the dealer says when it comes to a server, and what to do about permissions it lacks there."""

from __future__ import annotations

from collections.abc import Iterable

from bot.text.formatting import join_and
from bot.text.language import Message, message, t

OPEN_TABLE_HERE = message("Open a table here")

_HELLO = message(
    "### The dealer is here\nPoker with your friends, for play chips: hold'em, Omaha, stud, draw, {games} games in all."
)
_GRANT = message("Everybody starts with **{chips:,}** chips.")
_FIRST_STEP = message(
    "Press **Open a table here**, and you have a seat at it. The cards come as soon as a second player sits down."
)
_ALONE = message("-# Alone? Type `/play`: it has every game, and practice players to play against.")
_MISSING = message(
    "-# The dealer still needs {permissions} in this channel. Whoever manages roles can allow it: Server Settings → "
    "Roles → **{role}**."
)
_MISSING_FOR_THREADS = message(
    "-# Only for tables in threads it also needs {permissions}: Server Settings → Roles → **{role}**."
)
_MISSING_FOR_NIGHTS = message(
    "-# Only for game nights in this server's list of events it also needs {permissions}: Server Settings → Roles → **{role}**."
)
_CANNOT_WRITE = message(
    "The dealer has joined **{server}**, but it can't write in any channel there. Whoever manages roles can allow **View "
    "Channels** and **Send Messages**: Server Settings → Roles → **{role}**. Then type `/play` in a channel."
)

PERMISSIONS: dict[str, Message] = {
    "view_channel": message("View Channels"),
    "send_messages": message("Send Messages"),
    "read_message_history": message("Read Message History"),
    "embed_links": message("Embed Links"),
    "attach_files": message("Attach Files"),
}
"""The permissions that the dealer uses in a channel, by discord.py's names, as Discord calls them."""


THREAD_PERMISSIONS: dict[str, Message] = {
    "create_public_threads": message("Create Public Threads"),
    "create_private_threads": message("Create Private Threads"),
    "send_messages_in_threads": message("Send Messages in Threads"),
    "manage_threads": message("Manage Threads"),
}
"""Those that it uses beside them for tables in threads, private tables and posts of a forum."""

SERVER_PERMISSIONS: dict[str, Message] = {
    "create_events": message("Create Events"),
}
"""Those that it uses in the whole server: for game nights among Discord's own events."""


def greeting(games: int, grant: int, missing: Iterable[str], role: str) -> str:
    """Say who the dealer is and how to begin.

    Args:
        games: how many games it deals.
        grant: the chips that everybody starts with.
        missing: the permissions that it lacks, of `PERMISSIONS`, `THREAD_PERMISSIONS` and `SERVER_PERMISSIONS`.
        role: the name of its role, safe for markdown.
    """
    lines = [t(_HELLO, games=games)]
    if grant:
        lines.append(t(_GRANT, chips=grant))
    lines += [t(_FIRST_STEP), t(_ALONE)]
    lacked = list(missing)
    for permissions, sentence in (
        (PERMISSIONS, _MISSING),
        (THREAD_PERMISSIONS, _MISSING_FOR_THREADS),
        (SERVER_PERMISSIONS, _MISSING_FOR_NIGHTS),
    ):
        named = [f"**{t(permissions[name])}**" for name in lacked if name in permissions]
        if named:
            lines.append(t(sentence, permissions=join_and(named), role=role))
    return "\n".join(lines)


def cannot_write_text(server: str, role: str) -> str:
    """Tell the owner of a server that the dealer can write nowhere in it. The names are safe for markdown."""
    return t(_CANNOT_WRITE, server=server, role=role)

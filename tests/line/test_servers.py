"""Who can read a channel, by what the gateway has told of it."""

from __future__ import annotations

import random
from types import SimpleNamespace
from typing import Any
from unittest.mock import MagicMock

import discord

from bot.line.servers import Servers
from bot.local import permissions

GUILD, ROLES, OWNER, USER, CHANNEL, THREAD = 1, (5, 6), 2, 7, 10, 11
BITS = (0, permissions.VIEW_CHANNEL, permissions.MANAGE_THREADS, permissions.VIEW_CHANNEL | permissions.MANAGE_THREADS)


def servers(overwrites: list[dict[str, Any]], granted: dict[int, int], thread: int = 12) -> Servers:
    """The server, with one channel and a thread of it. `granted`: the permissions of its roles; `thread`: its kind."""
    state = MagicMock()
    roles = [{"id": id_, "name": str(id_), "permissions": bits, "position": 0} for id_, bits in granted.items()]
    guild = discord.Guild(data={"id": GUILD, "name": "club", "owner_id": OWNER, "roles": roles}, state=state)  # type: ignore[arg-type,typeddict-item]
    room = {"id": CHANNEL, "type": 0, "name": "games", "position": 0, "permission_overwrites": overwrites}
    guild._add_channel(discord.TextChannel(state=state, guild=guild, data=room))  # type: ignore[arg-type]
    about = {"archived": False, "auto_archive_duration": 60, "archive_timestamp": "2026-12-04T20:00:00+00:00"}
    data = {"id": THREAD, "parent_id": CHANNEL, "type": thread, "name": "late", "owner_id": 9, "thread_metadata": about}
    data |= {"message_count": 0, "member_count": 0}
    guild._add_thread(discord.Thread(guild=guild, state=state, data=data))  # type: ignore[arg-type]
    client: Any = SimpleNamespace(get_guild={GUILD: guild}.get)
    return Servers(client)


def test_reading_a_channel_follows_discords_order_of_overwrites() -> None:
    chance = random.Random(1)
    for _ in range(200):
        granted = {id_: chance.choice(BITS) for id_ in (GUILD, *ROLES)}
        if chance.random() < 0.1:
            granted[ROLES[0]] = permissions.ADMINISTRATOR
        overwrites = []
        for who in (GUILD, *ROLES, USER):
            allow = chance.choice(BITS)
            deny = chance.choice(BITS) & ~allow
            overwrites.append({"id": str(who), "type": int(who == USER), "allow": str(allow), "deny": str(deny)})
        held = [id_ for id_ in ROLES if chance.random() < 0.5]
        should = permissions.member_permissions(
            user_id=str(USER),
            owner_id=str(OWNER),
            guild_id=str(GUILD),
            role_ids=[str(id_) for id_ in held],
            roles=[{"id": str(id_), "permissions": str(bits)} for id_, bits in granted.items()],
            overwrites=overwrites,
        )
        known = servers(overwrites, granted)
        assert known.can_view(GUILD, CHANNEL, USER, held) == bool(should & permissions.VIEW_CHANNEL)
        both = permissions.VIEW_CHANNEL | permissions.MANAGE_THREADS
        assert known.can_view(GUILD, THREAD, USER, held) == (should & both == both), "the thread is private"
        assert known.can_view(GUILD, CHANNEL, OWNER, ())


def test_only_what_everybody_reads_is_open_to_all() -> None:
    see = permissions.VIEW_CHANNEL
    hidden = [{"id": str(GUILD), "type": 0, "allow": "0", "deny": str(see)}]
    for overwrites, kind, is_open in (([], 11, True), ([], 12, False), (hidden, 11, False)):
        known = servers(overwrites, {GUILD: see}, kind)
        assert known.is_open_to_all(GUILD, THREAD) is is_open
        assert known.is_open_to_all(GUILD, CHANNEL) is not bool(overwrites)
    assert not known.is_open_to_all(GUILD, 99)

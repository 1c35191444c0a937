"""A click as the gateway delivers it, read without discord.py's objects: it must come out as discord.py reads it."""

from __future__ import annotations

from typing import Any

import discord
import msgspec
import pytest

from bot.line.interaction import ClickEvent, InteractionInfo, click_info

GUILD, CHANNEL, ANN, STAFF_ROLE = 11, 12, 13, 14
CALL = {"type": 2, "style": 1, "label": "Call 200", "custom_id": "t:77:3:5:call:200"}
IN_SERVER: dict[str, Any] = {
    "guild_id": str(GUILD),
    "guild": {"id": str(GUILD), "locale": "en-US", "features": []},
    "guild_locale": "en-US",
    "channel": {"id": str(CHANNEL), "type": 0, "name": "poker", "position": 0, "permission_overwrites": []},
    "context": 0,
}
THREAD: dict[str, Any] = {
    "id": str(CHANNEL), "type": 11, "name": "poker", "parent_id": "15", "owner_id": str(ANN), "member_count": 1,
    "message_count": 1, "thread_metadata": {
        "archived": False, "auto_archive_duration": 60, "archive_timestamp": "2026-01-01T00:00:00+00:00", "locked": False,
    },
}  # fmt: skip
IN_DM: dict[str, Any] = {"channel": {"id": str(CHANNEL), "type": 1, "recipients": []}, "context": 1}


def user(**more: Any) -> dict[str, Any]:
    return {"id": str(ANN), "username": "ann7", "discriminator": "0", "global_name": None, "avatar": None} | more


def member(*, permissions: int = 0, roles: tuple[int, ...] = (), **more: Any) -> dict[str, Any]:
    return {
        "user": user(**more.pop("user", {})),
        "roles": [str(role) for role in roles],
        "permissions": str(permissions),
        "joined_at": "2026-01-01T00:00:00+00:00",
        "flags": 0,
        "nick": None,
        "deaf": False,
        "mute": False,
    } | more


def message(flags: int = 0) -> dict[str, Any]:
    return {
        "id": "21", "channel_id": str(CHANNEL), "author": user(id="9", bot=True), "content": "", "type": 0, "flags": flags,
        "timestamp": "2026-01-01T00:00:00+00:00", "edited_timestamp": None, "tts": False, "mention_everyone": False,
        "mentions": [], "mention_roles": [], "attachments": [], "embeds": [], "pinned": False,
        "components": [{"type": 1, "components": [CALL]}],
    }  # fmt: skip


def event(data: dict[str, Any], *, kind: int = 3, **more: Any) -> dict[str, Any]:
    return {
        "id": "31", "application_id": "9", "type": kind, "token": "a token", "version": 1, "channel_id": str(CHANNEL),
        "app_permissions": "2048", "locale": "de", "entitlements": [], "attachment_size_limit": 0, "data": data,
    } | more  # fmt: skip


def click(**more: Any) -> dict[str, Any]:
    return event({"component_type": 2, "custom_id": CALL["custom_id"]}, **more)


def read_click(event: dict[str, Any]) -> InteractionInfo:
    return click_info(msgspec.convert(event, ClickEvent, strict=False))


def by_discord_py(event: dict[str, Any]) -> InteractionInfo:
    """Read the same event through discord.py's objects, but for what was entered in a form."""
    state = discord.Client(intents=discord.Intents(guilds=True))._connection
    bot: Any = user(id="9", bot=True)
    state.user = discord.ClientUser(state=state, data=bot)
    given: Any = event
    read: Any = discord.Interaction(data=given, state=state)
    clicked = read.message
    return InteractionInfo(
        id=read.id,
        token=read.token,
        guild=read.guild_id or 0,
        channel=read.channel_id,
        user=read.user.id,
        name=read.user.display_name,
        message=clicked.id if clicked is not None else 0,
        message_is_private=clicked is not None and clicked.flags.ephemeral,
        custom_id=event["data"]["custom_id"],
        values=tuple(event["data"].get("values", ())),
        manages_guild=read.permissions.manage_guild,
        roles=tuple(read.user._roles) if isinstance(read.user, discord.Member) else (),
        joined_at=joined_ms(read.user),
        locale=str(read.locale),
        bot_permissions=read.app_permissions,
        is_in_thread=isinstance(read.channel, discord.Thread),
        avatar=picture_of(read.user),
    )


def picture_of(who: discord.User | discord.Member) -> str:
    own = who.guild_avatar if isinstance(who, discord.Member) and who.guild_avatar else who.avatar
    return own.replace(format="png", size=128).url if own is not None else who.default_avatar.url


def joined_ms(who: discord.User | discord.Member) -> int:
    joined_at = who.joined_at if isinstance(who, discord.Member) else None
    return int(joined_at.timestamp() * 1000) if joined_at is not None else 0


@pytest.mark.parametrize(
    "event",
    [
        pytest.param(click(**IN_SERVER, member=member(), message=message()), id="username"),
        pytest.param(click(**IN_SERVER, member=member(user={"global_name": "Ann"}), message=message()), id="name"),
        pytest.param(
            click(**IN_SERVER, member=member(nick="Annie", roles=(STAFF_ROLE,)), message=message()), id="nick"
        ),
        pytest.param(click(**IN_SERVER, member=member(permissions=1 << 5), message=message(1 << 6)), id="private"),
        pytest.param(click(**IN_SERVER, member=member(user={"avatar": "a_1f"}), message=message()), id="picture"),
        pytest.param(
            click(**IN_SERVER, member=member(user={"avatar": "1f"}, avatar="2e"), message=message()),
            id="picture in the server",
        ),
        pytest.param(click(**IN_SERVER | {"channel": THREAD}, member=member(), message=message()), id="thread"),
        pytest.param(click(**IN_SERVER, member=member(joined_at=None), message=message()), id="guest"),
        pytest.param(click(**IN_DM, user=user(global_name="Ann"), message=message()), id="direct message"),
        pytest.param(
            event({"component_type": 3, "custom_id": "page:laws", "values": ["TL-4"]}, **IN_SERVER, member=member()),
            id="select",
        ),
        pytest.param(
            event({"custom_id": "form", "components": []}, kind=5, **IN_SERVER, member=member()), id="form of a command"
        ),
    ],
)
def test_click_is_read_as_discord_py_reads_it(event: dict[str, Any]) -> None:
    assert read_click(event) == by_discord_py(event)


def test_form_is_read_by_field() -> None:
    typed = {"type": 18, "component": {"type": 4, "custom_id": "amount", "value": "1.5k"}}
    chosen = {"type": 18, "component": {"type": 3, "custom_id": "game", "values": ["razz"]}}
    read = read_click(event({"custom_id": "form", "components": [typed, chosen]}, kind=5, **IN_DM, user=user()))
    assert read.fields == {"amount": "1.5k", "game": "razz"}


def test_staff_role_is_found_among_a_members_roles() -> None:
    read = read_click(click(**IN_SERVER, member=member(roles=(STAFF_ROLE,)), message=message()))
    assert read.is_staff(STAFF_ROLE)
    assert not read.is_staff(STAFF_ROLE + 1)
    assert not read.is_staff(0)

"""Discord's permission bits, and how a member's permissions in a channel are computed from them.

Source: Discord's documentation, "Permissions" (computing base permissions and overwrites).
"""

from collections.abc import Iterable, Mapping, Sequence

from bot.local.errors import Json

CREATE_INSTANT_INVITE = 1 << 0
ADMINISTRATOR = 1 << 3
MANAGE_CHANNELS = 1 << 4
MANAGE_GUILD = 1 << 5
ADD_REACTIONS = 1 << 6
VIEW_CHANNEL = 1 << 10
SEND_MESSAGES = 1 << 11
MANAGE_MESSAGES = 1 << 13
EMBED_LINKS = 1 << 14
ATTACH_FILES = 1 << 15
READ_MESSAGE_HISTORY = 1 << 16
USE_EXTERNAL_EMOJIS = 1 << 18
CHANGE_NICKNAME = 1 << 26
USE_APPLICATION_COMMANDS = 1 << 31
MANAGE_ROLES = 1 << 28
MANAGE_THREADS = 1 << 34
CREATE_PUBLIC_THREADS = 1 << 35
CREATE_PRIVATE_THREADS = 1 << 36
SEND_MESSAGES_IN_THREADS = 1 << 38
CREATE_EVENTS = 1 << 44
PIN_MESSAGES = 1 << 51
ALL = (1 << 53) - 1

EVERYONE = (
    CREATE_INSTANT_INVITE
    | ADD_REACTIONS
    | VIEW_CHANNEL
    | SEND_MESSAGES
    | EMBED_LINKS
    | ATTACH_FILES
    | READ_MESSAGE_HISTORY
    | USE_EXTERNAL_EMOJIS
    | CHANGE_NICKNAME
    | USE_APPLICATION_COMMANDS
    | CREATE_PUBLIC_THREADS
    | CREATE_PRIVATE_THREADS
    | SEND_MESSAGES_IN_THREADS
)
BOT = EVERYONE | MANAGE_MESSAGES | MANAGE_THREADS | CREATE_EVENTS | PIN_MESSAGES
IN_DM = (
    ADD_REACTIONS
    | VIEW_CHANNEL
    | SEND_MESSAGES
    | EMBED_LINKS
    | ATTACH_FILES
    | READ_MESSAGE_HISTORY
    | USE_EXTERNAL_EMOJIS
    | USE_APPLICATION_COMMANDS
)

_NAMES: Mapping[str, int] = {
    name.lower(): bit for name, bit in list(globals().items()) if name.isupper() and isinstance(bit, int)
}


def bits(names: Iterable[str]) -> int:
    """Return the bits of permissions, named as in discord.py: ``bits(["view_channel", "send_messages"])``."""
    total = 0
    for name in names:
        total |= _NAMES[name]
    return total


def member_permissions(
    *,
    user_id: str,
    owner_id: str,
    guild_id: str,
    role_ids: Iterable[str],
    roles: Iterable[Json],
    overwrites: Sequence[Json],
) -> int:
    """Return a member's permissions in one channel.

    The owner has all permissions. The roles add up, and administrators have all permissions too. Then the overwrites
    apply: first that of @everyone, then those of the member's roles together (what one allows overrides what another
    denies), then the member's own. A member who cannot view the channel has no permissions in it.
    """
    if user_id == owner_id:
        return ALL
    held = set(role_ids)
    total = 0
    for role in roles:
        if role["id"] == guild_id or role["id"] in held:
            total |= int(role["permissions"])
    if total & ADMINISTRATOR:
        return ALL
    allow = deny = 0
    member: Json | None = None
    for overwrite in overwrites:
        if overwrite["id"] == guild_id:
            total = total & ~int(overwrite["deny"]) | int(overwrite["allow"])
        elif overwrite["id"] in held:
            allow |= int(overwrite["allow"])
            deny |= int(overwrite["deny"])
        elif overwrite["id"] == user_id:
            member = overwrite
    total = total & ~deny | allow
    if member is not None:
        total = total & ~int(member["deny"]) | int(member["allow"])
    return total if total & VIEW_CHANNEL else 0

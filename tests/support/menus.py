"""What people do in menus, in a few clicks: choose for themselves, invite, report a hand, change a rule of the house."""

from typing import Any

from tests.support.discord_double import Player

_SWITCHES = {"dms": "dms", "every_hand": "every", "large": "large", "tables": "tables", "tell": "results"}


async def choose_for_oneself(player: Player, *, quiet: str = "", colours: str = "", **switches: bool) -> str:
    """Choose in `/me`: quiet hours, the colours of the suits, what is on or off. Returns the page as it is then."""
    answer = await player.slash("me")
    wanted = {_SWITCHES[name]: on for name, on in switches.items()} | (
        {"twocolours": colours == "two"} if colours else {}
    )
    for verb, on in wanted.items():
        id_ = f"p:me:{verb}:{'on' if on else 'off'}"
        if any(id_ in str(message["components"]) for message in player.visible()):
            message = next(one for one in reversed(player.visible()) if id_ in str(one["components"]))
            answer = await player.press(message, id_)
    return await player.fill_in("me", page="quiet", hours=quiet) if quiet else answer


async def invite(host: Player, *people: Player) -> str:
    """Invite people to the channel's table. Returns the answer, or why there is nobody to invite."""
    answer = await host.slash("table", page="invite")
    return await host.select("Choose people to invite…", *people) if "Who can come" in answer else answer


async def remove(host: Player, player: Player) -> str:
    """Remove somebody from the channel's table, as its host. Returns the answer, or why there is nobody to remove."""
    answer = await host.slash("table", page="remove")
    return await host.select("Choose who has to leave…", player) if "Choose who" in answer else answer


async def report(player: Player, about: str, **which: Any) -> str:
    """Report a hand: the last one here, or the one that is named."""
    await player.slash("hand", **which)
    await player.click("Report")
    return await player.fill_form(report=about)


async def set_rules(staff: Player, menu: str, **rules: Any) -> str:
    """Choose or type values of rules of the house, by their fields; None for no role or channel. Returns the last answer."""
    answer = ""
    for field, value in rules.items():
        answer = await staff.slash(menu, page="server" if menu == "house" else "settings")
        id_ = f"p:{menu}:rule:{field}"
        if any(id_ in str(message["components"]) for message in staff.visible()):
            answer = await staff.select(id_, *([] if value is None else [str(value)]))
        elif f"p:{menu}:number" in str(staff.visible()[-1]["components"]):
            await staff.select(f"p:{menu}:number", field)
            answer = await staff.fill_form(value=value)
    return answer


async def full_rules(player: Player) -> str:
    """Open every section of the laws of the channel's table. Returns all that they say."""
    await player.slash("laws")
    shown = await player.click("Full rules")
    (select,) = [one for one in _selects(player.visible()[-1]) if one["custom_id"] == "p:laws:part"]
    for option in select["options"]:
        shown += await player.select("p:laws:part", option["value"])
    return shown


def _selects(message: dict[str, Any]) -> list[dict[str, Any]]:
    rows = [row for container in message["components"] for row in container["components"] if row["type"] == 1]
    return [part for row in rows for part in row["components"] if part["type"] == 3]

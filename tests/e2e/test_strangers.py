"""Somebody without a seat, somebody who is not invited and somebody who is banned use every command and press every button there is.

They learn nothing that the public does not see, and change nothing about the hand. The watcher reads all that they are shown.
"""

from __future__ import annotations

import asyncio
import contextlib
import re
from collections.abc import Iterator
from pathlib import Path

from bot.text.buttons import Verb
from bot.text.commands import COMMANDS
from cogs.presses import replaying
from tests.e2e.bot_session import PATIENCE, BotSession, bot_session
from tests.e2e.test_rooms import follow, threads
from tests.support.discord_double import FOLLOW_SECONDS, Json, Player, Refused, render_form
from tests.support.menus import invite

ROOT = Path(__file__).parents[2]
SOURCES = {
    path: path.read_text(encoding="utf-8") for part in ("cogs", "bot/render") for path in (ROOT / part).rglob("*.py")
}


def page_verbs() -> set[tuple[str, str]]:
    """Return what can be asked of each page: as it is written into ids, and as the pages read it."""
    listed = (ROOT / "cogs/__init__.py").read_text(encoding="utf-8")
    pages = re.findall(r'^ {8}"([a-z]+)": ([a-z_]+)', listed, re.MULTILINE)
    assert len(pages) > 10
    found = {pair for source in SOURCES.values() for pair in re.findall(r'page_id\(\s*"([a-z]+)", f?"([a-z]+)', source)}
    for path, source in SOURCES.items():
        own = [page for page, handler in pages if path.stem[:4] == handler[:4]]
        if own and "PageClick" in source:
            words = re.findall(r'case "([a-z]+)"|verb (?:==|!=) "([a-z]+)"', source)
            sets = re.findall(r"verb in \{([^}]*)\}", source)
            verbs = {first or second for first, second in words} | set(re.findall(r'"([a-z]+)"', " ".join(sets)))
            found |= {(page, verb) for page in own for verb in verbs}
    found |= {("replay", verb) for verb in (*replaying.TURNS, "open", "here", "log", "file", "row")}
    found |= {("found", verb) for verb in ("show", "older", "newest")}
    found |= {("import", f"step{verb}") for verb in (*replaying.TURNS, "open", "log")}
    return {(page, verb) for page, verb in found if page in {*dict(pages), "replay", "found"}}


def made_up_ids(table: int, hand: int, turn: int, user: str) -> Iterator[tuple[str, tuple[str, ...], bool]]:
    """Yield custom ids of everything that can be pressed at a table and on the pages, with what is chosen, and whether it is a form."""
    for verb in Verb:
        yield f"t:{table}:{hand}:{turn}:{verb}", (), False
        yield f"t:{table}:{hand}:{turn}:{verb}:1", ("1",), False
        yield f"f:{table}:{hand}:{turn}:{verb}:{user}", (), True
    for command in ("me", "table", "house", "season"):
        for page in COMMANDS[command].choices["page"]:
            for verb in ("go", "who", "given"):
                yield f"p:menu:{verb}:{command}:{page}:{user}.1", (user,), verb == "given"
    for page, verb in sorted(page_verbs()):
        yield f"p:{page}:{verb}", (str(table),), False
        yield f"p:{page}:{verb}:{table}.{hand}:1", (), False
        yield f"p:{page}:{verb}:{table}.{hand}:999999999", (f"{table}.{hand}",), False
        yield f"p:{page}:{verb}:{10**15}.{10**8}:{10**8}", (str(10**15),), False


async def press(
    room: BotSession, player: Player, message: Json, custom_id: str, values: tuple[str, ...], form: bool
) -> str:
    """Press a made-up button, or send a made-up form. Returns what the player sees."""
    stand_in = room.discord.stand_in
    person, channel = stand_in.world.people[player.me["id"]], stand_in.world.channels[message["channel_id"]]
    data: Json = {"component_type": 3 if values else 2, "custom_id": custom_id, "id": 1, "values": list(values)}
    if form:
        data = {"custom_id": custom_id, "components": []}
    ended: asyncio.Future[Json] = asyncio.get_running_loop().create_future()
    before = {one["id"]: one for one in player.visible(message["channel_id"])}
    stand_in.interactions.start(5 if form else 3, person, channel, data, ended.set_result, message=message)
    frame = await asyncio.wait_for(ended, PATIENCE)
    if frame["t"] != "done" or not frame.get("message_id"):
        return render_form(frame["modal"]) if frame["t"] == "modal" else frame.get("text", "")
    answer = frame["message_id"]
    await player.wait_for(lambda: any(answer in held for held in player.messages.values()), custom_id)
    if answer != message["id"] or player._find(answer) is not before.get(answer):
        return await player._outcome(frame)

    def followed() -> list[Json]:
        return [one for one in player.visible(message["channel_id"]) if one["id"] not in before]

    with contextlib.suppress(AssertionError):  # the press was acknowledged: what it came to may follow
        await player.wait_for(lambda: bool(followed()), "what follows", FOLLOW_SECONDS)
    return player.render(followed()[-1]) if followed() else await player._outcome(frame)


def least_options(definition: Json, other: Player, table: int) -> Json | None:
    """Return options for a command: those it needs, and those that name a table or a hand. None if nobody can type what it needs."""
    chosen: Json = {}
    for option in definition.get("options", ()):
        if not option.get("required") and option["name"] not in {"table", "number", "hand", "player"}:
            continue
        match option["type"]:
            case 3:
                chosen[option["name"]] = option["choices"][0]["value"] if option.get("choices") else "1"
            case 4 | 10:
                chosen[option["name"]] = table if option["name"] == "table" else max(1, option.get("min_value", 1))
            case 5:
                chosen[option["name"]] = True
            case 6:
                chosen[option["name"]] = other
            case _ if option.get("required"):
                return None
    return chosen


async def use_every_command(player: Player, other: Player, table: int) -> list[str]:
    """Use every command that a person has. Returns what they see."""
    seen = []
    for name, command in sorted(player.commands.items()):
        pages = [
            choice["value"] for one in command.get("options", ()) if one["name"] == "page" for choice in one["choices"]
        ]
        for page in pages or [""]:
            full = f"{name} {page}".strip()
            challenged = player if name == "duel" else other  # oneself: somebody else would open a table
            options = least_options(command, challenged, table)
            if options is None:
                continue
            try:
                seen.append(f"{full}: {await player.slash(name, **options | ({'page': page} if page else {}))}")
            except Refused as refused:
                seen.append(f"{full}: {refused}")
    for name, command in player.menu_commands.items():
        targets = [other] if command["type"] == 2 else [one for one in player.visible() if one["author"].get("bot")]
        for target in targets[-3:]:
            try:
                seen.append(f"{name}: {await player.menu(name, target)}")
            except Refused as refused:  # it has gone meanwhile
                seen.append(f"{name}: {refused}")
    return seen


def hands(room: BotSession) -> list[tuple[int, int, int, list[int]]]:
    """Return where the hands of all tables are, and who sits there with how much."""
    tables = sorted(room.dealer.tables.all_tables(), key=lambda one: one.id)
    return [(one.id, one.hand_number, one.decision_number, [seat.stack for seat in one.table.seats]) for one in tables]


async def pressed_by_moderator(room: BotSession, thread: Json, private: tuple[int, ...], other: Player) -> list[str]:
    """Let somebody who sees every thread, and is neither staff nor invited, press all buttons at a private table. Returns what they see."""
    (fay,) = await room.people("Fay")
    role = room.discord.controls.add_role("Moderator", ["manage_threads"])
    room.discord.controls.give_role(fay.me["id"], role["id"])
    await fay.open_page()
    fay.here = thread["id"]
    message = next(one for one in reversed(fay.visible()) if "[Call" in fay.render(one))
    pressed = [one for one in made_up_ids(*private[:3], fay.me["id"]) if not one[0].startswith("p")]
    seen = [f"{each[0]}: {await press(room, fay, message, *each)}" for each in pressed]
    return seen + await use_every_command(fay, other, private[0])


async def test_strangers_learn_and_change_nothing(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo, zoe, quincy, dee, eve = await room.people("Ann", "Bo", "Zoe", "Quincy", "Dee", "Eve")
        dealer, you = room.dealer, room.discord.you
        dealer.services.limits.wait_seconds = lambda *asked: 0.0  # type: ignore[method-assign]
        judges = room.discord.stand_in.rest_server.observers
        watching, judges[:] = list(judges), []  # Discord would not send forms that nobody has opened
        await ann.slash("play", sit=False, seats=2, seconds=3_599)
        await zoe.slash("play", sit=False, where="private", seconds=3_599)
        (thread,) = threads(room)
        await follow(thread["id"], zoe)
        await invite(zoe, quincy)
        await follow(thread["id"], quincy)
        for player in (ann, bo, zoe, quincy):
            await player.slash("sit")
        for snapshot in dealer.tables.all_tables():
            room.clock.skip(max(0, snapshot.table.next_hand_at - room.clock.now()) / 1000)
            await room.wait_until(lambda at=snapshot.id: dealer.tables.snapshot(at).hand_running)  # type: ignore[misc]
        await room.wait_until_idle()
        await you.fill_in("house", page="ban", player=eve, why="a test")
        before = hands(room)
        (message,) = [one for one in dee.visible() if "[Call" in dee.render(one)]
        count = 0
        (open_to_all, private) = before
        for stranger in (dee, eve):
            pressed = [*made_up_ids(*private[:3], stranger.me["id"])]
            pressed += [one for one in made_up_ids(*open_to_all[:3], stranger.me["id"]) if not one[0].startswith("p")]
            seen = [f"{each[0]}: {await press(room, stranger, message, *each)}" for each in dict.fromkeys(pressed)]
            seen += await use_every_command(stranger, ann, private[0])
            await room.wait_until_idle()
            assert hands(room) == before, "nothing has happened at a table"
            for text in seen:
                assert thread["id"] not in text and "Table 2" not in text, text
                ranks = re.match(
                    r"(p:(menu:[a-z]+:)?)?(board|stats|season|chips|me|help|privacy)\b", text
                )  # chips are public
                assert ranks or not re.search("Zoe|Quincy", text), text
            count += len(seen)
        banned = [text for text in seen if text.startswith("t:") and "Staff have banned you" in text]
        assert len(banned) >= 4 * len(Verb), "no button of a table is for somebody who is banned"
        for mine in ("me chips", "me privacy"):
            assert any(text.startswith(mine) and "banned" not in text for text in seen), (
                "their chips and data stay theirs"
            )
        assert count > 500
        seen = await pressed_by_moderator(room, thread, private, ann)
        assert hands(room) == before and all("private" in text for text in seen if text.startswith("t:"))
        judges[:] = watching

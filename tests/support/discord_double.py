"""Discord for tests: the stand-in in this event loop, and people who click in it.

    async with discord_double(tmp_path) as discord:
        ann = await discord.person("Ann")
        await ann.slash("table open", game="hold'em")
        await ann.click("Take a seat")
        assert "Pot 150" in ann.screen()

A person sees exactly what a browser page gets, over the same websocket. Every request is checked against Discord's
OpenAPI document where that is at hand; a violation fails the test when the double is left.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import re
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import aiohttp
import discord as discord_py
import msgspec
import yarl

from bot.local.clock import AdjustableClock
from bot.local.rest_server import RequestRecord
from bot.local.stand_in import DiscordStandIn
from tests.support.control import StandInControls
from tests.support.openapi import discord_openapi
from tests.support.quick_loop import wall_time

Json = dict[str, Any]

PATIENCE = 30.0  # seconds a test waits for something that should happen; only a busy machine needs many
FOLLOW_SECONDS = 2.0  # and for what may follow an acknowledgement

LOADING, EPHEMERAL = 1 << 7, 1 << 6

GONE = ("That message is gone.", "That is no longer there.")
"""What a person reads who pressed a button whose message went or changed before their page showed it."""


class Refused(AssertionError):
    """The interaction failed or could not be sent. The text is what the person sees."""


class Discord:
    """The stand-in, its clock and faults, and the people in it."""

    def __init__(self, stand_in: DiscordStandIn, session: aiohttp.ClientSession) -> None:
        self.stand_in = stand_in
        self.controls = StandInControls(stand_in)
        self.clock = stand_in.clock
        self.violations: list[str] = []
        self._session = session
        self._people: list[Player] = []
        self.you: Player

    @property
    def requests(self) -> list[RequestRecord]:
        """Every REST request so far, oldest first."""
        return list(self.stand_in.rest_server.records)

    @property
    def counts(self) -> dict[str, int]:
        """Requests so far by ``METHOD /route/{with}/braces``."""
        return dict(self.stand_in.rest_server.counts)

    def forget_requests(self) -> None:
        self.stand_in.rest_server.records.clear()
        self.stand_in.rest_server.counts.clear()

    def fails(self, method: str, path: str, **how: Any) -> None:
        """Make the next matching request go wrong: `status`, `body`, `delay`, `drop`, `after`, `times` (see `BookFault`)."""
        self.controls.plant_fault(method=method, path=path, **how)

    async def person(self, name: str, *, guild: str | None = None, locale: str = "en-US") -> Player:
        """Return a new member with an open page, whose Discord is set to a locale."""
        added = self.controls.add_person(name, guild, locale)
        return await self._open(added["page"], name)

    async def _open(self, page: str, name: str) -> Player:
        player = Player(name, self._session, page)
        self._people.append(player)
        await player.open_page()
        return player

    async def bot_ready(self, timeout: float = PATIENCE) -> None:
        """Wait until the bot is connected and its commands are there."""
        await self.you.wait_for(lambda: self.you.bot_online and bool(self.you.commands), "the bot to be ready", timeout)

    async def bot_gone(self, timeout: float = PATIENCE) -> None:
        await self.you.wait_for(lambda: not self.you.bot_online, "the bot to be gone", timeout)

    def channel(self, name: str) -> str:
        """Return a channel's id by its name."""
        return next(c["id"] for c in self.stand_in.world.channels.values() if c.get("name") == name)  # type: ignore[no-any-return]

    async def close(self) -> None:
        for player in self._people:
            await player.close_page()


@asynccontextmanager
async def discord_double(
    data: Path, *, limits: bool = False, check: bool = True, **more: Any
) -> AsyncIterator[Discord]:
    """A fresh Discord (or the one that `data` remembers), recorded and checked; the owner's page is open as `you`."""
    clock = AdjustableClock(wall_time)
    async with (
        DiscordStandIn(data, limits=limits, clock=clock, **more) as stand_in,
        aiohttp.ClientSession() as session,
    ):
        double = Discord(stand_in, session)
        stand_in.rest_server.recording = True
        if check:
            judge = discord_openapi()
            stand_in.rest_server.observers.append(lambda exchange: double.violations.extend(judge.violations(exchange)))
        try:
            double.you = await double._open(stand_in.page_url(stand_in.owner), "You")
            yield double
        finally:
            await double.close()
    assert not stand_in.rest_server.internal_errors, stand_in.rest_server.internal_errors
    assert not double.violations, "Discord would not have it:\n" + "\n".join(double.violations[:20])


@contextmanager
def endpoints(stand_in: DiscordStandIn) -> Iterator[None]:
    """Point discord.py at the stand-in, and back at Discord afterwards."""
    route, socket, asset = discord_py.http.Route, discord_py.gateway.DiscordWebSocket, discord_py.asset.Asset
    before = route.BASE, socket.DEFAULT_GATEWAY, asset.BASE
    route.BASE = stand_in.rest_url
    socket.DEFAULT_GATEWAY = yarl.URL(stand_in.gateway_url)
    asset.BASE = stand_in.cdn_url
    try:
        yield
    finally:
        route.BASE, socket.DEFAULT_GATEWAY, asset.BASE = before


class Player:
    """One person at their page. They click and type, and see only what this person can see."""

    def __init__(self, name: str, session: aiohttp.ClientSession, page: str) -> None:
        self.name = name
        self.page = page
        self.me: Json = {}
        self.users: dict[str, Json] = {}
        self.channels: dict[str, Json] = {}
        self.dm_channels: list[str] = []
        self.commands: dict[str, Json] = {}
        self.menu_commands: dict[str, Json] = {}
        self.messages: dict[str, dict[str, Json]] = {}
        self.bot_online = False
        self.here = ""
        self.form: Json | None = None
        self.frames: list[Json] = []
        self._form_of = ""
        self._session = session
        self._nonces = itertools.count(1)
        self._answers: dict[int, asyncio.Future[Json]] = {}
        self._waiters: list[tuple[Callable[[], bool], asyncio.Future[None]]] = []
        self._socket: aiohttp.ClientWebSocketResponse | None = None
        self._listener: asyncio.Task[None] | None = None

    # -- the page -------------------------------------------------------------------------------------------------------

    async def open_page(self) -> None:
        """Open (or reload) the page."""
        await self.close_page()
        self.me = {}
        self._socket = await self._session.ws_connect(self.page + "/live", max_msg_size=0)
        self._listener = asyncio.create_task(self._listen(self._socket))
        await self.wait_for(lambda: bool(self.me), "the page to open")
        if not self.here and self.channels:
            self.here = next(iter(self.channels))

    async def close_page(self) -> None:
        if self._listener is not None and self._socket is not None:
            await self._socket.close()
            await self._listener
            self._listener = None

    async def _listen(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        async for frame in socket:
            if frame.type is aiohttp.WSMsgType.TEXT:
                self._take(msgspec.json.decode(frame.data))

    def _take(self, frame: Json) -> None:
        self.frames.append(frame)
        match frame["t"]:
            case "hello":
                self.me = frame["me"]
                self.channels = {channel["id"]: channel for channel in frame["channels"]}
                self.dm_channels = [dm["id"] for dm in frame["dms"]]
                self.users = {user["id"]: user for user in frame["users"]}
                self.users[frame["application"]["id"]] = frame["application"]
                self._take_commands(frame["commands"])
                self.bot_online = frame["bot_online"]
                self.messages = {}
            case "history":
                self.messages[frame["channel_id"]] = {message["id"]: message for message in frame["messages"]}
            case "create" | "update":
                message = frame["message"]
                self.messages.setdefault(message["channel_id"], {})[message["id"]] = message
            case "delete":
                self.messages.get(frame["channel_id"], {}).pop(frame["id"], None)
            case "users":
                self.users |= {user["id"]: user for user in frame["users"]}
            case "commands":
                self._take_commands(frame["commands"])
            case "bot":
                self.bot_online = frame["online"]
            case "channel":
                self.channels[frame["channel"]["id"]] = frame["channel"]
            case "channel_gone":
                self.channels.pop(frame["id"], None)
                self.messages.pop(frame["id"], None)
            case "dm":
                self.dm_channels.append(frame["dm"]["id"])
            case "modal":
                self.form, self._form_of = frame["modal"], frame["interaction_id"]
        answer = self._answers.pop(frame.get("nonce") or 0, None)
        if answer is not None and not answer.done():
            answer.set_result(frame)
        for waiter in list(self._waiters):
            predicate, future = waiter
            if not future.done() and predicate():
                future.set_result(None)

    def _take_commands(self, commands: list[Json]) -> None:
        self.commands = {command["name"]: command for command in commands if command["type"] == 1}
        self.menu_commands = {command["name"]: command for command in commands if command["type"] != 1}

    async def wait_for(self, predicate: Callable[[], bool], what: str, timeout: float = PATIENCE) -> None:
        """Wait until something is true of what this person sees. It is tested whenever the page gets a frame."""
        if predicate():
            return
        waiter = (predicate, asyncio.get_running_loop().create_future())
        self._waiters.append(waiter)
        try:
            await asyncio.wait_for(waiter[1], timeout)
        except TimeoutError:
            raise AssertionError(f"{self.name} waited in vain for {what}; on the screen:\n{self.screen()}") from None
        finally:
            self._waiters.remove(waiter)

    async def ask(self, op: str, **fields: Any) -> Json:
        """Send one action and wait for the frame that answers it.

        Raises:
            Refused: it failed or could not be sent.
        """
        assert self._socket is not None, "the page is not open"
        nonce = next(self._nonces)
        answer = self._answers[nonce] = asyncio.get_running_loop().create_future()
        await self._socket.send_str(msgspec.json.encode({"op": op, "nonce": nonce, **fields}).decode())
        frame: Json = await asyncio.wait_for(answer, PATIENCE)
        if frame["t"] in ("failed", "error"):
            raise Refused(frame["text"])
        return frame

    async def _act_on(self, op: str, **fields: Any) -> str:
        """Press, choose or submit something on a message, and return what this person sees for it.

        Where that only acknowledges their action, a private message follows, if anything does.
        """
        before = {id_: message for held in self.messages.values() for id_, message in held.items()}
        frame = await self.ask(op, **fields)
        outcome = await self._outcome(frame)
        pressed = frame.get("message_id", "")

        def followed() -> list[Json]:
            """The private messages that are new or have changed."""
            return [
                m
                for m in self.visible()
                if m is not before.get(m["id"]) and m["flags"] & EPHEMERAL and not m["flags"] & LOADING
            ]

        def is_redrawn() -> bool:
            return self._find(pressed) is not before[pressed]

        if pressed not in before or is_redrawn():
            return outcome
        with contextlib.suppress(AssertionError):
            await self.wait_for(lambda: bool(followed()) or is_redrawn(), "what follows", FOLLOW_SECONDS)
        return self.render(followed()[-1]) if followed() else outcome

    async def _outcome(self, frame: Json) -> str:
        """Return what this person sees for their action: the answer, once it is there, or the form that opened."""
        if frame["t"] == "modal":
            return render_form(frame["modal"])
        message_id = frame.get("message_id")
        if message_id is None:
            return ""

        def answered() -> bool:
            found = self._find(message_id)
            return found is None or not found["flags"] & LOADING

        await self.wait_for(answered, "the answer")
        found = self._find(message_id)
        return self.render(found) if found else ""

    def _find(self, message_id: str) -> Json | None:
        return next((held[message_id] for held in self.messages.values() if message_id in held), None)

    # -- doing ------------------------------------------------------------------------------------------------------------

    def go(self, channel: str) -> Player:
        """Turn to a channel by its name."""
        self.here = next(c["id"] for c in self.channels.values() if c.get("name") == channel)
        return self

    async def slash(self, command: str, **options: Any) -> str:
        """Use a slash command: ``await ann.slash("play", game="hold'em")``. Returns the answer as it looks."""
        frame = await self.ask("slash", **self._command(command, options))
        return await self._outcome(frame)

    async def types(self, line: str) -> str:
        """Use a slash command as somebody types it: ``await ann.types("stats page:leaderboard by:net")``."""
        command, *rest = re.split(r" (?=\w+:)", line)
        return await self.slash(command, **dict(each.split(":", 1) for each in rest))

    async def types_of_old(self, name: str) -> str:
        """Use a command that the bot no longer registers, as a client does that still offers it."""
        command, *path = name.split(" ")
        nested: list[Json] = []
        for step in reversed(path):
            nested = [{"type": 1, "name": step, "options": nested}]
        return await self._outcome(await self.ask("slash", channel_id=self.here, name=command, options=nested))

    async def fill_in(self, command: str, **given: Any) -> str:
        """Use a slash command and answer what it asks for: ``await ann.fill_in("house", page="grant", player=bo, chips="500")``.

        What the command has no option for is chosen in the select of people that it shows, or filled into the form that opens, by the
        field. Returns the last answer.
        """
        known = {option["name"] for option in self.commands[command].get("options", [])}
        rest = {name: value for name, value in given.items() if name not in known}
        answer = await self.slash(command, **{name: given[name] for name in given if name in known})
        if isinstance(rest.get("player"), Player):
            answer = await self.select(f"p:menu:who:{command}:{given['page']}", rest.pop("player"))
        return await self.fill_form(**rest) if rest and self.form is not None else answer

    async def fill_form(self, **given: Any) -> str:
        """Send the open form with answers by the ids of its fields; one answer alone goes into the only field."""
        assert self.form is not None, f"{self.name} has no form open"
        labels = {item["component"]["custom_id"]: item["label"] for item in self.form["components"]}
        if len(given) == len(labels) == 1:
            given = dict(zip(labels, given.values(), strict=True))
        return await self.submit({labels[field]: str(value) for field, value in given.items()})

    async def autocomplete(self, command: str, option: str, typed: str, **others: Any) -> list[str]:
        """Return the completions offered while typing an option."""
        asked = self._command(command, {**others, option: typed}, focused=option)
        frame = await self.ask("autocomplete", **asked)
        return [choice["name"] for choice in frame["choices"]]

    def _command(self, command: str, options: Json, *, focused: str = "") -> Json:
        name, *path = command.split(" ")
        definition: Json | None = self.commands.get(name)
        assert definition is not None, f"{self.name} finds no /{name}; there are {sorted(self.commands)}"
        steps = []
        for step in path:
            found = next((o for o in definition.get("options", []) if o["name"] == step), None)
            assert found is not None, f"there is no /{command}"
            definition = found
            steps.append({"type": found["type"], "name": step})
        known = {option["name"]: option["type"] for option in definition.get("options", [])}
        unknown = options.keys() - known.keys()
        assert not unknown, f"/{command} has no option {unknown}; there are {sorted(known)}"
        nested: list[Json] = []
        for key, value in options.items():
            given = {"name": key, "type": known[key], "value": value.me["id"] if isinstance(value, Player) else value}
            nested.append(given | ({"focused": True} if key == focused else {}))
        for each in reversed(steps):
            nested = [{**each, "options": nested}]
        return {"channel_id": self.here, "name": name, "options": nested}

    async def menu(self, command: str, target: Player | Json) -> str:
        """Choose a command in the menu of a person or of a message ("Apps" in Discord). Returns the answer as it looks."""
        definition = self.menu_commands.get(command)
        assert definition is not None, f"{self.name} finds no {command}; there are {sorted(self.menu_commands)}"
        chosen = target.me if isinstance(target, Player) else target
        where = target["channel_id"] if not isinstance(target, Player) else self.here
        used = {"channel_id": where, "name": command, "type": definition["type"], "target_id": chosen["id"]}
        return await self._outcome(await self.ask("menu", **used))

    async def click(self, label: str, *, within: str = "") -> str:
        """Press the newest visible button with this label (or, if there is none, beginning with it).

        If its message goes or changes in this moment, the person sees that and presses once more.

        Args:
            within: only in messages that contain this text.
        """
        message, button = self._component(label, within, lambda c: c["type"] == 2 and "custom_id" in c)
        try:
            return await self.press(message, button["custom_id"])
        except Refused as refused:
            if str(refused) not in GONE:
                raise
        await self.wait_for(lambda: self._find(message["id"]) is not message, f"{label!r} to go or change")
        message, button = self._component(label, within, lambda c: c["type"] == 2 and "custom_id" in c)
        return await self.press(message, button["custom_id"])

    async def close_table(self) -> str:
        """Type that the channel's table is to be closed, and press the button that does it."""
        await self.slash("table", page="close")
        message, close = next(
            (message, id_)
            for message in reversed(self.visible())
            for _, id_ in self.labelled_buttons(message)
            if id_.startswith("t:") and id_.endswith(":close:1")
        )
        return await self.press(message, close)

    async def press(self, message: Json, custom_id: str) -> str:
        """Press a button of a message that can have changed since."""
        where = {"channel_id": message["channel_id"], "message_id": message["id"]}
        return await self._act_on("click", **where, custom_id=custom_id)

    async def select(self, placeholder: str, *values: Any, within: str = "") -> str:
        """Choose in the newest select with this placeholder (or custom id); options by label or value."""
        message, select = self._component(placeholder, within, lambda c: c["type"] in (3, 5, 6, 7, 8))
        by_label = {option["label"]: option["value"] for option in select.get("options", [])}
        chosen = [value.me["id"] if isinstance(value, Player) else by_label.get(value, value) for value in values]
        return await self._act_on(
            "select",
            channel_id=message["channel_id"],
            message_id=message["id"],
            custom_id=select["custom_id"],
            component_type=select["type"],
            values=chosen,
        )

    async def submit(self, answers: dict[str, Any] | None = None) -> str:
        """Send the open form with answers by label. Fields that are not named keep their defaults."""
        assert self.form is not None, f"{self.name} has no form open"
        components = filled_in(self.form, answers)
        custom_id, self.form = self.form["custom_id"], None
        return await self._act_on("submit", interaction_id=self._form_of, custom_id=custom_id, components=components)

    async def choose_file(self, name: str, content: bytes | str) -> str:
        """Choose a file in the open form, as the page does. Returns what the form's field takes, or what the page says is wrong."""
        body = content.encode() if isinstance(content, str) else content
        origin = "/".join(self.page.split("/")[:3])
        async with self._session.post(
            f"{self.page}/files", params={"name": name}, data=body, headers={"Origin": origin}
        ) as answer:
            assert answer.status == 200, f"the cardroom answers {answer.status}"
            told = await answer.json()
        return str(told.get("id") or told["error"])

    async def dms_open(self, value: bool) -> None:
        """Open or close this person's direct messages."""
        await self.ask("dms", open=value)

    async def until(self, text: str, timeout: float = PATIENCE) -> str:
        """Wait until this text is on the screen or in the direct messages. Returns the screen."""
        await self.wait_for(lambda: text in self.screen() or text in self.dms(), repr(text), timeout)
        return self.screen()

    async def until_gone(self, text: str, timeout: float = PATIENCE) -> str:
        """Wait until this text is no longer on the screen."""
        await self.wait_for(lambda: text not in self.screen(), f"{text!r} to go", timeout)
        return self.screen()

    # -- seeing -----------------------------------------------------------------------------------------------------------

    def visible(self, channel_id: str = "") -> list[Json]:
        """Return the messages in a channel (the current one), oldest first."""
        held = self.messages.get(channel_id or self.here, {})
        return [held[number] for number in sorted(held, key=int)]

    def screen(self) -> str:
        """Return the current channel as plain text, newest message last."""
        return "\n\n".join(self.render(message) for message in self.visible())

    async def attached_text(self, name: str = "") -> str:
        """Return the text of the newest file on the screen, or of the newest one of that name."""
        attached = next(
            file
            for message in reversed(self.visible())
            for file in message["attachments"]
            if name in {"", file["filename"]}
        )
        async with self._session.get(attached["url"]) as answer:
            assert answer.status == 200
            return await answer.text()

    def dms(self) -> str:
        """Return the direct messages with the bot as plain text."""
        return "\n\n".join(self.render(m) for channel_id in self.dm_channels for m in self.visible(channel_id))

    def buttons(self) -> list[str]:
        """Return the labels of all buttons on the screen, oldest message first."""
        return [_label(c) for m in self.visible() for c in _flat(m["components"]) if c["type"] == 2]

    def labelled_buttons(self, message: Json) -> list[tuple[str, str]]:
        """The buttons of a message that can be pressed: label and id."""
        buttons = [
            c for c in _flat(message["components"]) if c["type"] == 2 and "custom_id" in c and not c.get("disabled")
        ]
        return [(_label(button), button["custom_id"]) for button in buttons]

    def render(self, message: Json) -> str:
        """Return one message as plain text: buttons in [brackets], disabled ones in (round ones)."""
        lines = [message["content"]] if message["content"] else []
        lines += _lines(message["components"])
        for embed in message["embeds"]:
            lines += [embed[key] for key in ("title", "description") if embed.get(key)]
        if message["flags"] & LOADING:
            lines.append("Dealer is thinking…")
        if message["flags"] & EPHEMERAL:
            lines.append("(Only you can see this)")
        text = "\n".join(lines)
        text = re.sub(r"<@!?(\d+)>", self._name, text)
        return re.sub(r"<a?:(\w+):\d+>", r":\1:", text)

    def _name(self, found: re.Match[str]) -> str:
        user = self.users.get(found[1])
        return f"@{user['global_name'] or user['username']}" if user else found[0]

    def _component(self, label: str, within: str, wanted: Callable[[Json], bool]) -> tuple[Json, Json]:
        places = [self.here, *(d for d in self.dm_channels if d != self.here)]
        for exact in (True, False):
            for message in (m for place in places for m in reversed(self.visible(place))):
                if within and within not in self.render(message):
                    continue
                for component in _flat(message["components"]):
                    names = [_label(component), *(component.get(k) for k in ("label", "custom_id", "placeholder"))]
                    fits = label in names or (not exact and any(name and name.startswith(label) for name in names))
                    if fits and wanted(component) and not component.get("disabled"):
                        return message, component
        raise AssertionError(f"{self.name} finds no {label!r}; on the screen:\n{self.screen()}\n{self.dms()}")


def filled_in(form: Json, answers: dict[str, Any] | None = None) -> list[Json]:
    """Return the fields of a form with answers by label. Fields that are not named keep their defaults."""
    given = dict(answers or {})
    components: list[Json] = []
    for item in form["components"]:
        field = item.get("component") or (item.get("components") or [None])[0]
        if field is None:
            continue
        label = item.get("label") or field.get("label")
        answer = _form_answer(field, given.pop(label, None))
        shape = {"component": answer} if item["type"] == 18 else {"components": [answer]}
        components.append({"type": item["type"], **shape})
    assert not given, f"the form {form['title']!r} has no {sorted(given)}"
    return components


def _form_answer(field: Json, given: Any) -> Json:
    """Return a field's answer in Discord's shape; None leaves its default."""
    kind = field["type"]
    answer: Json = {"type": kind, "custom_id": field["custom_id"]}
    if kind == 4:
        return answer | {"value": field.get("value") or "" if given is None else str(given)}
    if kind == 23:
        return answer | {"value": field["default"] if given is None else bool(given)}
    options = field.get("options") or []
    by_label = {option["label"]: option["value"] for option in options}
    chosen = [option["value"] for option in options if option.get("default")]
    if given is not None:
        listed = given if isinstance(given, list | tuple) else [given]
        chosen = [each.me["id"] if isinstance(each, Player) else by_label.get(each, each) for each in listed]
    if kind == 21:
        return answer | {"value": chosen[0] if chosen else None}
    return answer | {"values": chosen}


def _flat(components: list[Json]) -> Iterator[Json]:
    for component in components:
        yield component
        yield from _flat(component.get("components", []))
        if component.get("accessory"):
            yield component["accessory"]


def _label(component: Json) -> str:
    emoji = component.get("emoji") or {}
    shown = f":{emoji['name']}:" if emoji.get("id") else emoji.get("name") or ""
    return " ".join(part for part in (shown, component.get("label")) if part)


def _lines(components: list[Json]) -> list[str]:
    lines: list[str] = []
    for component in components:
        match component["type"]:
            case 1:
                lines.append(" ".join(_control(child) for child in component["components"]))
            case 9:
                lines += _lines(component["components"])
                lines += _lines([component["accessory"]])
            case 10:
                lines.append(component["content"])
            case 11:
                lines.append(f"(picture: {component['description'] or ''})")
            case 12:
                lines += [f"(picture: {item['description'] or ''})" for item in component["items"]]
            case 13:
                lines.append(f"(file: {component['name']})")
            case 17:
                lines += _lines(component["components"])
            case 2:
                lines.append(_control(component))
    return lines


def _control(component: Json) -> str:
    if component["type"] == 2:
        return f"({_label(component)})" if component.get("disabled") else f"[{_label(component)}]"
    options = " | ".join(option["label"] for option in component.get("options", []))
    return f"[{component.get('placeholder', 'Choose')} ▾ {options}]"


def render_form(form: Json) -> str:
    """Return a form as plain text: its title, then each label with its field."""
    lines = [f"= {form['title']} ="]
    for item in form["components"]:
        field = item.get("component") or (item.get("components") or [None])[0]
        if field is None:
            lines.append(item["content"])
            continue
        options = " | ".join(option["label"] for option in field.get("options") or [])
        lines.append(f"{item.get('label') or field.get('label')}: [{options or field.get('value') or ''}]")
    return "\n".join(lines)

"""Interactions: what a person does goes out to the bot, and the bot's one answer comes back in time or not at all.

Source: Discord's documentation, "Receiving and Responding": three seconds to answer, once; then the token is good for
fifteen minutes of edits and follow-ups.
"""

from __future__ import annotations

import asyncio
import secrets
from collections import OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from bot.local.commands import NotPossible, check_options, leaf
from bot.local.components import BUTTON, CHANNELS, MENTIONABLES, ROLES, SELECT, SELECTS, USERS, find
from bot.local.errors import FormErrors, Json, refuse, wrong
from bot.local.forms import fill_in, read_form
from bot.local.gateway import Gateway
from bot.local.messages import EPHEMERAL, LOADING, UPLOAD_MAX, Draft, Messages, Upload
from bot.local.world import DM_CHANNEL, Person, World

COMMAND, COMPONENT, AUTOCOMPLETE, SUBMIT = 2, 3, 4, 5
MESSAGE, DEFER, DEFER_UPDATE, UPDATE, CHOICES, FORM = 4, 5, 6, 7, 8, 9

ANSWER_SECONDS = 3.0
TOKEN_SECONDS = 15 * 60.0
FORMS_OPEN = 1000

NO_ANSWER = {COMMAND: "The application did not respond"}
FAILED = "This interaction failed"

_ALLOWED = {
    COMMAND: {MESSAGE, DEFER, FORM},
    COMPONENT: {MESSAGE, DEFER, DEFER_UPDATE, UPDATE, FORM},
    AUTOCOMPLETE: {CHOICES},
    SUBMIT: {MESSAGE, DEFER},
}

Sink = Callable[[Json], None]  # takes a page frame without its nonce: done, failed, modal, choices


@dataclass(slots=True, eq=False)
class Interaction:
    """One thing a person did, and what has become of it."""

    id: str
    token: str
    kind: int
    person: Person
    channel: Json
    born: float
    sink: Sink
    name: str = ""
    message: Json | None = None  # the message it came from, also through a form
    trigger: Json | None = None  # the metadata of the interaction that opened the form
    answered: int = 0
    failed: bool = False
    original: Json | None = None
    made: tuple[str, ...] = ()  # ids of the messages said with its token
    form: Json | None = None


class Interactions:
    """Every interaction whose token still counts."""

    def __init__(self, world: World, messages: Messages, gateway: Gateway) -> None:
        self._world = world
        self._messages = messages
        self._gateway = gateway
        self._by_token: dict[str, Interaction] = {}
        self._waiting: deque[Interaction] = deque()  # for an answer, oldest first
        self._ageing: deque[Interaction] = deque()  # until the token ends, oldest first
        self._forms: OrderedDict[str, Interaction] = OrderedDict()
        self._timer: asyncio.TimerHandle | None = None
        world.clock.when_moved(self._overdue)

    # -- from a person ------------------------------------------------------------------------------------------------

    async def click(self, person: Person, channel_id: str, message_id: str, custom_id: str, sink: Sink) -> Interaction:
        """Press a button.

        Raises:
            NotPossible: there is no such button for this person.
        """
        channel, message, button = await self._component(person, channel_id, message_id, custom_id)
        if button["type"] != BUTTON:
            raise NotPossible("That is not a button.")
        data = {"component_type": BUTTON, "custom_id": custom_id, "id": button["id"]}
        return self._start(COMPONENT, person, channel, data, sink, message=message)

    async def select(
        self, person: Person, channel_id: str, message_id: str, custom_id: str, values: Any, sink: Sink
    ) -> Interaction:
        """Choose from a select.

        Raises:
            NotPossible: there is no such select for this person, or the values do not fit it.
        """
        channel, message, select = await self._component(person, channel_id, message_id, custom_id)
        kind = select["type"]
        if kind not in SELECTS or not isinstance(values, list):
            raise NotPossible("That is not a select.")
        if not select["min_values"] <= len(values) <= select["max_values"]:
            raise NotPossible(f"Choose {select['min_values']} to {select['max_values']}.")
        if kind == SELECT and not {option["value"] for option in select["options"]}.issuperset(values):
            raise NotPossible("That is not on the list.")
        data = {"component_type": kind, "custom_id": custom_id, "id": select["id"], "values": values}
        if kind != SELECT:
            data["resolved"] = self._resolve(channel, kind, values)
        return self._start(COMPONENT, person, channel, data, sink, message=message)

    async def _component(
        self, person: Person, channel_id: str, message_id: str, custom_id: str
    ) -> tuple[Json, Json, Json]:
        channel = self._channel_of(person, channel_id)
        private = self._messages.private.get(message_id)
        if private is not None:
            message = private[0]
            if private[1] != person.id or message["channel_id"] != channel_id:
                raise NotPossible("That message is gone.")
        else:
            known = self._world.messages[channel_id].get(message_id)
            message = known if known is not None else await self._world.message(channel_id, message_id)
        component = find(message["components"], custom_id)
        if component is None or component.get("disabled"):
            raise NotPossible("That is no longer there.")
        return channel, message, component

    def _channel_of(self, person: Person, channel_id: str) -> Json:
        channel = self._world.channels.get(channel_id)
        if channel is None or not self._world.sees(person.id, channel):
            raise NotPossible("You cannot use that channel.")
        return channel

    def slash(
        self, person: Person, channel_id: str, name: str, options: list[Json], sink: Sink, *, typing: bool = False
    ) -> Interaction:
        """Use a command, or (while `typing`) ask for completions of its focused option.

        Raises:
            NotPossible: no such command for this person here, or its options do not fit.
        """
        channel = self._channel_of(person, channel_id)
        here = self._world.commands_for(person.id, channel)
        command = next((c for c in here if c["name"] == name and c["type"] == 1), None)
        if command is None:
            raise NotPossible(f"There is no /{name} here.")
        full, defined, given = leaf(command, options)
        checked = check_options(defined, given, finished=not typing)
        data: Json = {"id": command["id"], "name": command["name"], "type": 1}
        if "guild_id" in command:
            data["guild_id"] = command["guild_id"]
        nested = checked
        outer = options
        path: list[Json] = []
        while len(path) < len(full.split(" ")) - 1:
            path.append(outer[0])
            outer = outer[0].get("options") or []
        defined_types = _types_along(command, [step["name"] for step in path])
        for step, kind in zip(reversed(path), reversed(defined_types), strict=True):
            nested = [{"name": step["name"], "type": kind, "options": nested}]
        if nested:
            data["options"] = nested
        if not typing:
            resolved: Json = {}
            for option in checked:
                kinds = {6: USERS, 7: CHANNELS, 8: ROLES, 9: MENTIONABLES}
                if option["type"] in kinds:
                    for key, found in self._resolve(channel, kinds[option["type"]], [option["value"]]).items():
                        resolved.setdefault(key, {}).update(found)
            if resolved:
                data["resolved"] = resolved
        return self._start(AUTOCOMPLETE if typing else COMMAND, person, channel, data, sink, name=full)

    def submit(self, person: Person, interaction_id: str, components: Any, sink: Sink) -> Interaction:
        """Send a form in.

        Raises:
            NotPossible: the form is not open, or an answer does not fit.
        """
        opener = self._forms.get(interaction_id)
        if opener is None or opener.person is not person or opener.form is None:
            raise NotPossible("This form is no longer open.")
        data = {"custom_id": opener.form["custom_id"], "components": fill_in(opener.form, components)}
        return self._start(
            SUBMIT, person, opener.channel, data, sink, message=opener.message, trigger=self._metadata(opener)
        )

    def _resolve(self, channel: Json, kind: int, ids: list[str]) -> Json:
        """The objects behind chosen ids.

        Raises:
            NotPossible: one of them does not exist here.
        """
        guild = self._world.guilds.get(channel.get("guild_id", ""))
        resolved: Json = {}
        for each in ids:
            person = self._world.people.get(each) if kind in (USERS, MENTIONABLES) else None
            role = None
            if guild is not None and kind in (ROLES, MENTIONABLES):
                role = next((role for role in guild.roles if role["id"] == each), None)
            if person is not None:
                resolved.setdefault("users", {})[each] = person.user
                if guild is not None and each in guild.members:
                    member = {k: v for k, v in guild.members[each].items() if k not in ("user", "mute", "deaf")}
                    bits = str(self._world.allowed(each, channel))
                    resolved.setdefault("members", {})[each] = {**member, "permissions": bits}
            elif role is not None:
                resolved.setdefault("roles", {})[each] = role
            elif kind == CHANNELS and each in self._world.channels:
                found = self._world.channels[each]
                resolved.setdefault("channels", {})[each] = {**found, "permissions": "0"}
            else:
                raise NotPossible("That does not exist here.")
        return resolved

    def _start(
        self,
        kind: int,
        person: Person,
        channel: Json,
        data: Json,
        sink: Sink,
        *,
        name: str = "",
        message: Json | None = None,
        trigger: Json | None = None,
    ) -> Interaction:
        clock = self._world.clock
        interaction = Interaction(
            clock.new_id(), secrets.token_urlsafe(24), kind, person, channel, clock.now(), sink, name, message, trigger
        )
        self._by_token[interaction.token] = interaction
        self._waiting.append(interaction)
        self._ageing.append(interaction)
        self._gateway.dispatch("INTERACTION_CREATE", self._payload(interaction, data), channel)
        if not self._gateway.sessions:
            self._fail(interaction)
        elif self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(ANSWER_SECONDS, self._overdue)
        return interaction

    def _payload(self, interaction: Interaction, data: Json) -> Json:
        world, channel, person = self._world, interaction.channel, interaction.person
        payload: Json = {
            "id": interaction.id,
            "application_id": world.application_id,
            "type": interaction.kind,
            "data": data,
            "channel_id": channel["id"],
            "channel": channel,
            "token": interaction.token,
            "version": 1,
            "app_permissions": str(world.allowed(world.bot.id, channel)),
            "locale": person.locale,
            "entitlements": [],
            "entitlement_sku_ids": [],
            "attachment_size_limit": UPLOAD_MAX,
        }
        if channel["type"] == DM_CHANNEL:
            payload["user"] = person.user
            payload["authorizing_integration_owners"] = {"0": "0"}
            payload["context"] = 1
        else:
            guild_id = channel["guild_id"]
            bits = str(world.allowed(person.id, channel))
            payload["guild_id"] = guild_id
            payload["guild"] = {"id": guild_id, "locale": "en-US", "features": []}
            payload["guild_locale"] = "en-US"
            payload["member"] = {**world.guilds[guild_id].members[person.id], "permissions": bits}
            payload["channel"] = {**channel, "permissions": bits}
            payload["authorizing_integration_owners"] = {"0": guild_id}
            payload["context"] = 0
        if interaction.message is not None:
            payload["message"] = interaction.message
        return payload

    def _overdue(self) -> None:
        """Fail what has waited three seconds, forget what is fifteen minutes old, and wait for the next."""
        now = self._world.clock.now()
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        waiting = self._waiting
        while waiting and (waiting[0].answered or waiting[0].failed or waiting[0].born + ANSWER_SECONDS <= now):
            interaction = waiting.popleft()
            if not interaction.answered and not interaction.failed:
                self._fail(interaction)
        if waiting:
            left = waiting[0].born + ANSWER_SECONDS - now
            self._timer = asyncio.get_running_loop().call_later(left, self._overdue)
        while self._ageing and self._ageing[0].born + TOKEN_SECONDS <= now:
            self._by_token.pop(self._ageing.popleft().token, None)

    def _fail(self, interaction: Interaction) -> None:
        interaction.failed = True
        interaction.sink({"t": "failed", "text": NO_ANSWER.get(interaction.kind, FAILED)})

    def stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()

    # -- from the bot: the one answer ---------------------------------------------------------------------------------

    async def answer(self, interaction_id: str, token: str, payload: Any, uploads: list[Upload]) -> Json:
        """Take the bot's answer; returns what `with_response` shows.

        Raises:
            ApiError: 10062 too late or unknown, 40060 answered already, 50035 not an answer to this.
        """
        interaction = self._by_token.get(token)
        if interaction is None or interaction.id != interaction_id:
            raise refuse(10062)
        if interaction.answered:
            raise refuse(40060)
        if interaction.failed or interaction.born + ANSWER_SECONDS <= self._world.clock.now():
            raise refuse(10062)
        kind = payload.get("type") if isinstance(payload, dict) else None
        allowed = _ALLOWED[interaction.kind]
        if kind not in allowed and not (
            interaction.kind == SUBMIT and interaction.message is not None and kind in (UPDATE, DEFER_UPDATE)
        ):
            raise wrong(("type",), "BASE_TYPE_CHOICES", f"Value must be one of {sorted(allowed)}.")
        data = payload.get("data") or {}
        if not isinstance(data, dict):
            raise wrong(("data",), "MODEL_TYPE_CONVERT", "Only dictionaries may be used in a ModelType")
        shown: Json = {"id": interaction.id, "type": interaction.kind}
        result: Json = {"interaction": shown}
        frame: Json = {"t": "done"}
        match kind:
            case 4 | 5:
                message = self._first_message(interaction, kind, data, uploads)
                frame["message_id"] = message["id"]
                shown["response_message_id"] = message["id"]
                shown["response_message_loading"] = kind == DEFER
                shown["response_message_ephemeral"] = bool(message["flags"] & EPHEMERAL)
                if kind == MESSAGE:
                    result["resource"] = {"type": MESSAGE, "message": message}
            case 6 | 7:
                message = self._source(interaction)
                if kind == UPDATE:
                    draft = self._messages.read(data, uploads, interaction.channel, path=("data",), old=message)
                    self._messages.change(message, draft)
                    result["resource"] = {"type": UPDATE, "message": message}
                interaction.original = message
                frame["message_id"] = message["id"]
                shown["response_message_id"] = message["id"]
                shown["response_message_loading"] = False
                shown["response_message_ephemeral"] = bool(message["flags"] & EPHEMERAL)
            case 8:
                frame = {"t": "choices", "choices": _choices(data)}
            case 9:
                form = read_form(data, ("data",), self._world.emojis.__contains__)
                interaction.form = form
                self._forms[interaction.id] = interaction
                if len(self._forms) > FORMS_OPEN:
                    self._forms.popitem(last=False)
                frame = {"t": "modal", "modal": form, "interaction_id": interaction.id}
        interaction.answered = kind
        interaction.sink(frame)
        return result

    def _source(self, interaction: Interaction) -> Json:
        """The message whose component was used, if it is still there.

        Raises:
            ApiError: 10008.
        """
        message = interaction.message
        assert message is not None, "only components and their forms may update"
        if self._messages.is_gone(message):
            raise refuse(10008)
        return message

    def _first_message(self, interaction: Interaction, kind: int, data: Json, uploads: list[Upload]) -> Json:
        flags = data.get("flags") or 0
        ephemeral = isinstance(flags, int) and bool(flags & EPHEMERAL)
        if kind == DEFER:
            message = self._waiting_message(interaction, ephemeral=ephemeral)
        else:
            draft = self._messages.read(data, uploads, interaction.channel, path=("data",), ephemeral=ephemeral)
            message = self._say(interaction, draft, ephemeral=ephemeral)
        interaction.original = message
        return message

    def _waiting_message(self, interaction: Interaction, *, ephemeral: bool) -> Json:
        """“Dealer is thinking…”"""
        draft = Draft({"flags": LOADING | (EPHEMERAL if ephemeral else 0)}, {})
        return self._say(interaction, draft, ephemeral=ephemeral)

    def _say(self, interaction: Interaction, draft: Draft, *, ephemeral: bool) -> Json:
        extra: Json = {
            "application_id": self._world.application_id,
            "webhook_id": self._world.application_id,
            "interaction_metadata": self._metadata(interaction),
        }
        if interaction.kind == COMMAND and interaction.original is None:
            extra["type"] = 20
            user = interaction.person.user
            extra["interaction"] = {"id": interaction.id, "type": COMMAND, "name": interaction.name, "user": user}
        if ephemeral:
            message = self._messages.say_privately(interaction.channel, draft, interaction.person.id, **extra)
        else:
            message = self._messages.say(interaction.channel, draft, **extra)
        interaction.made = (*interaction.made, message["id"])
        return message

    def _metadata(self, interaction: Interaction) -> Json:
        channel = interaction.channel
        metadata: Json = {
            "id": interaction.id,
            "type": interaction.kind,
            "user": interaction.person.user,
            "authorizing_integration_owners": {"0": channel.get("guild_id", "0")},
            "name": interaction.name,
        }
        if interaction.original is not None:
            metadata["original_response_message_id"] = interaction.original["id"]
        if interaction.kind == COMPONENT and interaction.message is not None:
            metadata["interacted_message_id"] = interaction.message["id"]
        if interaction.trigger is not None:
            metadata["triggering_interaction_metadata"] = interaction.trigger
        return metadata

    # -- from the bot: the fifteen minutes after it ---------------------------------------------------------------------

    def by_token(self, application_id: str, token: str) -> Interaction:
        """The answered interaction behind a token.

        Raises:
            ApiError: 50027 the token has ended, 10015 there is no such webhook yet.
        """
        if application_id != self._world.application_id:
            raise refuse(10015)
        interaction = self._by_token.get(token)
        if interaction is None or interaction.born + TOKEN_SECONDS <= self._world.clock.now():
            raise refuse(50027)
        if not interaction.answered:
            raise refuse(10015)
        return interaction

    def follow_up(self, interaction: Interaction, payload: Json, uploads: list[Upload]) -> Json:
        """A further message; the first one after a deferral takes the place of the waiting message."""
        original = interaction.original
        if original is not None and original["flags"] & LOADING and not self._messages.is_gone(original):
            self._messages.change(original, self._messages.read(payload, uploads, interaction.channel, old=original))
            return original
        flags = payload.get("flags") or 0
        ephemeral = isinstance(flags, int) and bool(flags & EPHEMERAL)
        draft = self._messages.read(payload, uploads, interaction.channel, ephemeral=ephemeral)
        return self._say(interaction, draft, ephemeral=ephemeral)

    async def reachable(self, interaction: Interaction, message_id: str) -> Json:
        """A message that this token may read and change: what it made, and its @original.

        Raises:
            ApiError: 10008.
        """
        original = interaction.original
        if message_id == "@original" or (original is not None and original["id"] == message_id):
            if original is None or self._messages.is_gone(original):
                raise refuse(10008)
            return original
        if message_id not in interaction.made:
            raise refuse(10008)
        private = self._messages.private.get(message_id)
        if private is not None:
            return private[0]
        return await self._world.message(interaction.channel["id"], message_id)


def _types_along(command: Json, names: list[str]) -> list[int]:
    types, defined = [], command.get("options", [])
    for name in names:
        option = next(option for option in defined if option["name"] == name)
        types.append(option["type"])
        defined = option.get("options", [])
    return types


def _choices(data: Json) -> list[Json]:
    faults = FormErrors()
    result = []
    for path, choice in faults.objects(data.get("choices"), ("data", "choices"), 0, 25):
        value = choice.get("value")
        if isinstance(value, str):
            faults.text(choice, "value", path, 100, 1, required=True)
        elif not isinstance(value, int | float):
            faults.required((*path, "value"))
        result.append({"name": faults.text(choice, "name", path, 100, 1, required=True), "value": value})
    faults.check()
    return result

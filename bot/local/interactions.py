"""Interactions: send what a person does to the bot, and take the bot's one answer while it is in time.

Source: Discord's documentation, "Receiving and Responding". The bot has three seconds for its first answer. After that
the interaction's token allows edits and follow-ups for fifteen minutes.
"""

import asyncio
import secrets
from collections import OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from bot.local.blanks import blank
from bot.local.components import (
    BUTTON,
    CHANNEL_SELECT,
    MENTIONABLE_SELECT,
    ROLE_SELECT,
    SELECTS,
    STRING_SELECT,
    USER_SELECT,
    find_component,
)
from bot.local.errors import ApiError, FormErrors, InvalidAction, Json, api_error, invalid_field
from bot.local.gateway import Gateway
from bot.local.message_body import EPHEMERAL, LOADING, MAX_UPLOAD_BYTES, Upload, ValidatedMessage
from bot.local.messages import Messages
from bot.local.modals import collect_answers, given_files, validate_modal
from bot.local.slash_commands import (
    CHANNEL,
    CHAT_INPUT,
    MENTIONABLE,
    MESSAGE_MENU,
    ROLE,
    SUBCOMMAND,
    SUBCOMMAND_GROUP,
    USER,
    USER_MENU,
    convert_options,
    find_subcommand,
    is_outdated,
    validate_choice,
)
from bot.local.uploads import Uploads
from bot.local.world import DM_CHANNEL, LocalPerson, World

# Interaction types.
COMMAND, COMPONENT, AUTOCOMPLETE, MODAL_SUBMIT = 2, 3, 4, 5
# Answer types, with the names of Discord's "Interaction Callback Type".
MESSAGE, DEFERRED_MESSAGE, DEFERRED_UPDATE, UPDATE, AUTOCOMPLETE_RESULT, MODAL = 4, 5, 6, 7, 8, 9

ANSWER_SECONDS = 3.0
STEP_SECONDS = 0.1
"""The bot's three seconds are counted in steps of this length, each as one step however long it took."""
ROUNDING = 1e-6
TOKEN_SECONDS = 15 * 60.0
MAX_OPEN_MODALS = 1000

NO_ANSWER_TEXT = {COMMAND: "The application did not respond"}
FAILED_TEXT = "This interaction failed"

_CHAT_INPUT_MESSAGE = 20  # the type of a message that answers a slash command
_MENU_MESSAGE = 23  # the type of a message that answers a command of a person's or a message's menu

_ALLOWED_ANSWERS = {
    COMMAND: {MESSAGE, DEFERRED_MESSAGE, MODAL},
    COMPONENT: {MESSAGE, DEFERRED_MESSAGE, DEFERRED_UPDATE, UPDATE, MODAL},
    AUTOCOMPLETE: {AUTOCOMPLETE_RESULT},
    MODAL_SUBMIT: {MESSAGE, DEFERRED_MESSAGE},
}
_SELECT_OF_OPTION = {USER: USER_SELECT, CHANNEL: CHANNEL_SELECT, ROLE: ROLE_SELECT, MENTIONABLE: MENTIONABLE_SELECT}

SendToPage = Callable[[Json], None]
"""Takes the frame that ends an interaction on the page: done, failed, modal or choices."""


@dataclass(slots=True, eq=False)
class Interaction:
    """One action of a person, and the bot's answers to it.

    Attributes:
        send_to_page: takes the frame that ends the interaction on the page.
        name: the full name of the command.
        target: what the command of a menu was used on, as the metadata of the answer names it.
        message: the message whose component was used, also if a modal came in between.
        modal_opener: the metadata of the interaction that opened the submitted modal.
        answer_type: 0 until the bot has answered.
        failed: the bot did not answer in time.
        original: the message that Discord calls ``@original``.
        message_ids: the messages posted with this token.
        modal: the modal that the bot opened.
        waits_since: when the bot's three seconds began, on the clock that counts them.
    """

    id: str
    token: str
    kind: int
    person: LocalPerson
    channel: Json
    started_at: float
    send_to_page: SendToPage
    name: str = ""
    target: Json | None = None
    message: Json | None = None
    modal_opener: Json | None = None
    answer_type: int = 0
    failed: bool = False
    original: Json | None = None
    message_ids: tuple[str, ...] = ()
    modal: Json | None = None
    waits_since: float = 0.0


class Interactions:
    """Every interaction whose token is still valid.

    The bot shares this process or this machine. While the machine sleeps, or has no processor to give, the bot could not answer, so that
    time does not count against it.
    """

    def __init__(self, world: World, messages: Messages, gateway: Gateway, uploads: Uploads) -> None:
        self._world = world
        self._uploads = uploads
        self._messages = messages
        self._gateway = gateway
        self._by_token: dict[str, Interaction] = {}
        self._unanswered: deque[Interaction] = deque()  # oldest first
        self._oldest_first: deque[Interaction] = deque()  # until their tokens expire
        self._open_modals: OrderedDict[str, Interaction] = OrderedDict()
        self._counted = 0.0
        self._offset = world.clock.offset
        self._timer: asyncio.TimerHandle | None = None
        world.clock.on_advance(self._count_advance)

    # -- from a person ------------------------------------------------------------------------------------------------

    async def click(
        self, person: LocalPerson, channel_id: str, message_id: str, custom_id: str, send_to_page: SendToPage
    ) -> Interaction:
        """Press a button.

        Raises:
            InvalidAction: the person sees no such button.
        """
        channel, message, button = await self._find_component(person, channel_id, message_id, custom_id)
        if button["type"] != BUTTON:
            raise InvalidAction("That is not a button.")
        data = {"component_type": BUTTON, "custom_id": custom_id, "id": button["id"]}
        return self.start(COMPONENT, person, channel, data, send_to_page, message=message)

    async def select(
        self,
        person: LocalPerson,
        channel_id: str,
        message_id: str,
        custom_id: str,
        values: Any,
        send_to_page: SendToPage,
    ) -> Interaction:
        """Choose values in a select menu.

        Raises:
            InvalidAction: the person sees no such select menu, or it does not allow these values.
        """
        channel, message, select = await self._find_component(person, channel_id, message_id, custom_id)
        kind = select["type"]
        if kind not in SELECTS or not isinstance(values, list):
            raise InvalidAction("That is not a select menu.")
        if not select["min_values"] <= len(values) <= select["max_values"]:
            raise InvalidAction(f"Choose {select['min_values']} to {select['max_values']}.")
        if kind == STRING_SELECT and not {option["value"] for option in select["options"]}.issuperset(values):
            raise InvalidAction("That is not on the list.")
        data = {"component_type": kind, "custom_id": custom_id, "id": select["id"], "values": values}
        if kind != STRING_SELECT:
            data["resolved"] = self._resolve(channel, kind, values)
        return self.start(COMPONENT, person, channel, data, send_to_page, message=message)

    def use_command(
        self,
        person: LocalPerson,
        channel_id: str,
        name: str,
        options: list[Json],
        send_to_page: SendToPage,
        *,
        autocomplete: bool = False,
    ) -> Interaction:
        """Use a slash command or, with `autocomplete`, ask for suggestions for its focused option.

        Raises:
            InvalidAction: the person cannot use such a command here, or its options are not allowed.
        """
        channel = self._channel_for(person, channel_id)
        registered = self._world.all_commands()
        can_use_any = bool(self._world.commands_available_to(person.id, channel))
        if can_use_any and not autocomplete and is_outdated(registered, name, options):
            return self._use_outdated(person, channel, name, options, send_to_page)
        command = self._command_in(channel, person, name, CHAT_INPUT)
        full_name, definitions, given = find_subcommand(command, options)
        converted = convert_options(definitions, given, complete=not autocomplete)
        data: Json = {"id": command["id"], "name": command["name"], "type": CHAT_INPUT}
        if "guild_id" in command:
            data["guild_id"] = command["guild_id"]
        nested = _nest_in_subcommands(converted, command, full_name)
        if nested:
            data["options"] = nested
        if not autocomplete:
            resolved = self._resolve_options(channel, converted)
            if resolved:
                data["resolved"] = resolved
        kind = AUTOCOMPLETE if autocomplete else COMMAND
        return self.start(kind, person, channel, data, send_to_page, name=full_name)

    def _use_outdated(
        self, person: LocalPerson, channel: Json, name: str, options: list[Json], send_to_page: SendToPage
    ) -> Interaction:
        """Use a command that the bot no longer registers. Discord's clients offer one for a while, as they knew it."""
        full_name, steps = name, options
        while steps and steps[0].get("type") in (SUBCOMMAND, SUBCOMMAND_GROUP):
            full_name, steps = f"{full_name} {steps[0]['name']}", steps[0].get("options") or []
        data: Json = {"id": self._world.clock.new_id(), "name": name, "type": CHAT_INPUT, "options": options}
        return self.start(COMMAND, person, channel, data, send_to_page, name=full_name)

    async def use_menu(
        self, person: LocalPerson, channel_id: str, name: str, kind: Any, target_id: str, send_to_page: SendToPage
    ) -> Interaction:
        """Use a command of a person's menu or of a message's menu ("Apps" in Discord).

        Args:
            kind: `USER_MENU` or `MESSAGE_MENU`.

        Raises:
            InvalidAction: the person cannot use such a command here, or cannot see what it is used on.
        """
        channel = self._channel_for(person, channel_id)
        command = self._command_in(channel, person, name, kind if kind in (USER_MENU, MESSAGE_MENU) else None)
        target: Json
        if kind == USER_MENU:
            resolved = self._resolve(channel, USER_SELECT, [target_id])
            target = {"target_user": resolved["users"][target_id]}
        else:  # Discord offers no commands on messages that only their reader sees
            message = await self._message_in(channel_id, target_id)
            resolved = {"messages": {target_id: message}}
            target = {"target_message_id": target_id}
        data: Json = {"id": command["id"], "name": name, "type": kind, "target_id": target_id, "resolved": resolved}
        if "guild_id" in command:
            data["guild_id"] = command["guild_id"]
        return self.start(COMMAND, person, channel, data, send_to_page, name=name, target=target)

    def submit_modal(
        self, person: LocalPerson, interaction_id: str, components: Any, send_to_page: SendToPage
    ) -> Interaction:
        """Submit a modal that an interaction opened.

        Raises:
            InvalidAction: the modal is not open, or an answer is not allowed.
        """
        opener = self._open_modals.get(interaction_id)
        if opener is None or opener.person is not person or opener.modal is None:
            raise InvalidAction("This form is no longer open.")
        answers = collect_answers(opener.modal, components)
        data: Json = {"custom_id": opener.modal["custom_id"], "components": answers}
        if files := given_files(answers):
            data["resolved"] = {"attachments": self._uploads.resolve(person.id, files)}
        return self.start(
            MODAL_SUBMIT,
            person,
            opener.channel,
            data,
            send_to_page,
            message=opener.message,
            modal_opener=self._metadata(opener),
        )

    async def _find_component(
        self, person: LocalPerson, channel_id: str, message_id: str, custom_id: str
    ) -> tuple[Json, Json, Json]:
        """Return the channel, the message and the component."""
        channel = self._channel_for(person, channel_id)
        found = self._messages.ephemeral.get(message_id)
        if found is not None:
            message, reader_id = found
            if reader_id != person.id or message["channel_id"] != channel_id:
                raise InvalidAction("That message is gone.")
        else:
            message = await self._message_in(channel_id, message_id)
        component = find_component(message["components"], custom_id)
        if component is None or component.get("disabled"):
            raise InvalidAction("That is no longer there.")
        return channel, message, component

    async def _message_in(self, channel_id: str, message_id: str) -> Json:
        try:
            return await self._world.find_message(channel_id, message_id)
        except ApiError as error:
            raise InvalidAction("That message is gone.") from error

    def _command_in(self, channel: Json, person: LocalPerson, name: str, kind: Any) -> Json:
        for command in self._world.commands_available_to(person.id, channel):
            if (command["name"], command["type"]) == (name, kind):
                return command
        raise InvalidAction(f"There is no {'/' if kind == CHAT_INPUT else ''}{name} here.")

    def _channel_for(self, person: LocalPerson, channel_id: str) -> Json:
        channel = self._world.channels.get(channel_id)
        if channel is None or not self._world.can_view(person.id, channel):
            raise InvalidAction("You cannot use that channel.")
        return channel

    def _resolve_options(self, channel: Json, options: list[Json]) -> Json:
        """Return the objects behind the ids in a command's options."""
        resolved: Json = {}
        for option in options:
            select = _SELECT_OF_OPTION.get(option["type"])
            if select is not None:
                for key, found in self._resolve(channel, select, [option["value"]]).items():
                    resolved.setdefault(key, {}).update(found)
        return resolved

    def _resolve(self, channel: Json, kind: int, ids: list[str]) -> Json:
        """Return the objects behind the ids that were chosen in a select of this kind.

        Raises:
            InvalidAction: one of them does not exist here.
        """
        guild = self._world.guilds.get(channel.get("guild_id", ""))
        resolved: Json = {}
        for each in ids:
            person = self._world.people.get(each) if kind in (USER_SELECT, MENTIONABLE_SELECT) else None
            role = None
            if guild is not None and kind in (ROLE_SELECT, MENTIONABLE_SELECT):
                role = next((role for role in guild.roles if role["id"] == each), None)
            if person is not None:
                resolved.setdefault("users", {})[each] = person.user
                if guild is not None and each in guild.members:
                    member = {k: v for k, v in guild.members[each].items() if k not in ("user", "mute", "deaf")}
                    bits = str(self._world.permissions_in(each, channel))
                    resolved.setdefault("members", {})[each] = {**member, "permissions": bits}
            elif role is not None:
                resolved.setdefault("roles", {})[each] = role
            elif kind == CHANNEL_SELECT and each in self._world.channels:
                found = self._world.channels[each]
                resolved.setdefault("channels", {})[each] = {**found, "permissions": "0"}
            else:
                raise InvalidAction("That does not exist here.")
        return resolved

    # -- to the bot ---------------------------------------------------------------------------------------------------

    def start(
        self,
        kind: int,
        person: LocalPerson,
        channel: Json,
        data: Json,
        send_to_page: SendToPage,
        *,
        name: str = "",
        target: Json | None = None,
        message: Json | None = None,
        modal_opener: Json | None = None,
    ) -> Interaction:
        """Send a new interaction to the bot. It fails at once if the bot has no session."""
        clock = self._world.clock
        interaction = Interaction(
            clock.new_id(),
            secrets.token_urlsafe(24),
            kind,
            person,
            channel,
            clock.now(),
            send_to_page,
            name,
            target,
            message,
            modal_opener,
        )
        self._by_token[interaction.token] = interaction
        self._unanswered.append(interaction)
        self._oldest_first.append(interaction)
        self.dispatch(interaction, data)
        if not self._gateway.sessions:
            self._fail(interaction)
            return interaction
        interaction.waits_since = self._counted
        if self._timer is None:
            self._count_next_step()
        else:
            interaction.waits_since += STEP_SECONDS  # the step that runs counts for those who were there when it began
        return interaction

    def dispatch(self, interaction: Interaction, data: Json) -> None:
        """Send the gateway event of an interaction."""
        event_data = self._event_data(interaction, data)
        self._gateway.dispatch("INTERACTION_CREATE", event_data, interaction.channel)

    def _event_data(self, interaction: Interaction, data: Json) -> Json:
        world, channel, person = self._world, interaction.channel, interaction.person
        event_data = blank(
            "interaction",
            id=interaction.id,
            application_id=world.application_id,
            type=interaction.kind,
            data=data,
            channel_id=channel["id"],
            channel=channel,
            token=interaction.token,
            app_permissions=str(world.permissions_in(world.bot.id, channel)),
            locale=person.locale,
            attachment_size_limit=MAX_UPLOAD_BYTES,
        )
        if channel["type"] == DM_CHANNEL:
            event_data["user"] = person.user
            event_data["authorizing_integration_owners"] = {"0": "0"}
            event_data["context"] = 1
        else:
            guild_id = channel["guild_id"]
            bits = str(world.permissions_in(person.id, channel))
            event_data["guild_id"] = guild_id
            locale = world.guilds[guild_id].locale
            event_data["guild"] = {"id": guild_id, "locale": locale, "features": []}
            event_data["guild_locale"] = locale
            event_data["member"] = {**world.guilds[guild_id].members[person.id], "permissions": bits}
            event_data["channel"] = {**channel, "permissions": bits}
            event_data["authorizing_integration_owners"] = {"0": guild_id}
            event_data["context"] = 0
        if interaction.message is not None:
            event_data["message"] = interaction.message
        return event_data

    # -- running out of time ------------------------------------------------------------------------------------------

    def _count_next_step(self) -> None:
        self._timer = asyncio.get_running_loop().call_later(STEP_SECONDS, self._count_step)

    def _count_step(self) -> None:
        self._timer = None
        self._counted += STEP_SECONDS
        self._expire()
        if self._unanswered:
            self._count_next_step()

    def _count_advance(self) -> None:
        self._counted += self._world.clock.offset - self._offset
        self._offset = self._world.clock.offset
        self._expire()

    def _expire(self) -> None:
        """Fail the interactions that have waited three seconds, and forget those that are fifteen minutes old."""
        unanswered = self._unanswered
        while unanswered:
            interaction = unanswered[0]
            if not interaction.answer_type and not interaction.failed:
                if interaction.waits_since + ANSWER_SECONDS > self._counted + ROUNDING:
                    break
                self._fail(interaction)
            unanswered.popleft()
        now = self._world.clock.now()
        while self._oldest_first and self._oldest_first[0].started_at + TOKEN_SECONDS <= now:
            self._by_token.pop(self._oldest_first.popleft().token, None)

    def _fail(self, interaction: Interaction) -> None:
        interaction.failed = True
        interaction.send_to_page({"t": "failed", "text": NO_ANSWER_TEXT.get(interaction.kind, FAILED_TEXT)})

    def stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()

    # -- from the bot: the one answer ---------------------------------------------------------------------------------

    async def answer(self, interaction_id: str, token: str, payload: Any, uploads: list[Upload]) -> Json:
        """Take the bot's answer. Returns what Discord returns for ``with_response``.

        Raises:
            ApiError: 10062 the interaction is unknown or has failed; 40060 it has been answered; 50035 it cannot be
                answered in this way.
        """
        interaction = self.find_by_id(interaction_id, token)
        if interaction.answer_type:
            raise api_error(40060)
        if interaction.failed:
            raise api_error(10062)
        kind: Any = payload.get("type") if isinstance(payload, dict) else None
        allowed = _ALLOWED_ANSWERS[interaction.kind]
        updates_message_of_modal = (
            interaction.kind == MODAL_SUBMIT and interaction.message is not None and kind in (UPDATE, DEFERRED_UPDATE)
        )
        if kind not in allowed and not updates_message_of_modal:
            raise invalid_field(("type",), "BASE_TYPE_CHOICES", f"Value must be one of {sorted(allowed)}.")
        data = payload.get("data") or {}
        if not isinstance(data, dict):
            raise invalid_field(("data",), "MODEL_TYPE_CONVERT", "Only dictionaries may be used in a ModelType")
        shown: Json = {"id": interaction.id, "type": interaction.kind}
        result: Json = {"interaction": shown}
        frame: Json = {"t": "done"}
        message: Json | None = None
        if kind in (MESSAGE, DEFERRED_MESSAGE):
            message = self._first_message(interaction, kind, data, uploads)
            if kind == MESSAGE:
                result["resource"] = {"type": MESSAGE, "message": message}
        elif kind in (UPDATE, DEFERRED_UPDATE):
            message = self._message_to_update(interaction)
            if kind == UPDATE:
                validated = self._messages.validate(data, uploads, interaction.channel, path=("data",), old=message)
                self._messages.edit(message, validated)
                result["resource"] = {"type": UPDATE, "message": message}
            interaction.original = message
        elif kind == AUTOCOMPLETE_RESULT:
            frame = {"t": "choices", "choices": _validate_choices(data)}
        else:
            frame = {"t": "modal", "modal": self._open_modal(interaction, data), "interaction_id": interaction.id}
        if message is not None:
            frame["message_id"] = message["id"]
            shown["response_message_id"] = message["id"]
            shown["response_message_loading"] = kind == DEFERRED_MESSAGE
            shown["response_message_ephemeral"] = bool(message["flags"] & EPHEMERAL)
        interaction.answer_type = kind
        interaction.send_to_page(frame)
        return result

    def find_by_id(self, interaction_id: str, token: str) -> Interaction:
        """Return the interaction with this id and token.

        Raises:
            ApiError: 10062 there is none.
        """
        interaction = self._by_token.get(token)
        if interaction is None or interaction.id != interaction_id:
            raise api_error(10062)
        return interaction

    def _open_modal(self, interaction: Interaction, data: Json) -> Json:
        modal = validate_modal(data, ("data",), self._world.emojis.__contains__)
        interaction.modal = modal
        self._open_modals[interaction.id] = interaction
        if len(self._open_modals) > MAX_OPEN_MODALS:
            self._open_modals.popitem(last=False)
        return modal

    def _message_to_update(self, interaction: Interaction) -> Json:
        """Return the message whose component was used.

        Raises:
            ApiError: 10008 it has been deleted.
        """
        message = interaction.message
        assert message is not None, "only a component, or a modal that a component opened, can update a message"
        if self._messages.is_deleted(message):
            raise api_error(10008)
        return message

    def _first_message(self, interaction: Interaction, kind: int, data: Json, uploads: list[Upload]) -> Json:
        ephemeral = _asks_for_ephemeral(data)
        if kind == DEFERRED_MESSAGE:  # the page shows that the bot is thinking
            validated = ValidatedMessage({"flags": LOADING | (EPHEMERAL if ephemeral else 0)}, {})
        else:
            validated = self._messages.validate(data, uploads, interaction.channel, path=("data",), ephemeral=ephemeral)
        message = self._post(interaction, validated, ephemeral=ephemeral)
        interaction.original = message
        return message

    def _post(self, interaction: Interaction, validated: ValidatedMessage, *, ephemeral: bool) -> Json:
        more_fields: Json = {
            "application_id": self._world.application_id,
            "webhook_id": self._world.application_id,
            "interaction_metadata": self._metadata(interaction),
        }
        if interaction.kind == COMMAND and interaction.original is None:
            more_fields["type"] = _CHAT_INPUT_MESSAGE if interaction.target is None else _MENU_MESSAGE
            user = interaction.person.user
            more_fields["interaction"] = {
                "id": interaction.id,
                "type": COMMAND,
                "name": interaction.name,
                "user": user,
            }
        if ephemeral:
            reader_id = interaction.person.id
            message = self._messages.post_ephemeral(interaction.channel, validated, reader_id, **more_fields)
        else:
            message = self._messages.post(interaction.channel, validated, **more_fields)
        interaction.message_ids = (*interaction.message_ids, message["id"])
        return message

    def _metadata(self, interaction: Interaction) -> Json:
        """Return Discord's interaction metadata, which a message that answers an interaction carries."""
        channel = interaction.channel
        metadata: Json = {
            "id": interaction.id,
            "type": interaction.kind,
            "user": interaction.person.user,
            "authorizing_integration_owners": {"0": channel.get("guild_id", "0")},
            "name": interaction.name,
            **(interaction.target or {}),
        }
        if interaction.original is not None:
            metadata["original_response_message_id"] = interaction.original["id"]
        if interaction.kind == COMPONENT and interaction.message is not None:
            metadata["interacted_message_id"] = interaction.message["id"]
        if interaction.modal_opener is not None:
            metadata["triggering_interaction_metadata"] = interaction.modal_opener
        return metadata

    # -- from the bot: in the fifteen minutes after its answer --------------------------------------------------------

    def find_by_token(self, application_id: str, token: str) -> Interaction:
        """Return the answered interaction with this token.

        Raises:
            ApiError: 50027 the token has expired; 10015 the interaction has not been answered.
        """
        if application_id != self._world.application_id:
            raise api_error(10015)
        interaction = self._by_token.get(token)
        if interaction is None or interaction.started_at + TOKEN_SECONDS <= self._world.clock.now():
            raise api_error(50027)
        if not interaction.answer_type:
            raise api_error(10015)
        return interaction

    def follow_up(self, interaction: Interaction, payload: Json, uploads: list[Upload]) -> Json:
        """Post a further message. After a deferred answer, the first one replaces the loading message instead."""
        original, channel = interaction.original, interaction.channel
        if channel["id"] not in self._world.channels:
            raise api_error(10003)
        if original is not None and original["flags"] & LOADING and not self._messages.is_deleted(original):
            self._messages.edit(original, self._messages.validate(payload, uploads, channel, old=original))
            return original
        ephemeral = _asks_for_ephemeral(payload)
        validated = self._messages.validate(payload, uploads, channel, ephemeral=ephemeral)
        return self._post(interaction, validated, ephemeral=ephemeral)

    async def find_message(self, interaction: Interaction, message_id: str) -> Json:
        """Return a message that the token gives access to: one posted with it, or its @original.

        Raises:
            ApiError: 10008 there is none.
        """
        original = interaction.original
        if message_id == "@original" or (original is not None and original["id"] == message_id):
            if original is None or self._messages.is_deleted(original):
                raise api_error(10008)
            return original
        if message_id not in interaction.message_ids:
            raise api_error(10008)
        ephemeral = self._messages.ephemeral.get(message_id)
        if ephemeral is not None:
            return ephemeral[0]
        return await self._world.find_message(interaction.channel["id"], message_id)


def _asks_for_ephemeral(payload: Json) -> bool:
    flags = payload.get("flags") or 0
    return isinstance(flags, int) and bool(flags & EPHEMERAL)


def _nest_in_subcommands(options: list[Json], command: Json, full_name: str) -> list[Json]:
    """Put options inside their subcommand and its group, as Discord sends them."""
    definitions, chosen = command.get("options", []), []
    for name in full_name.split(" ")[1:]:
        definition = next(each for each in definitions if each["name"] == name)
        chosen.append(definition)
        definitions = definition.get("options", [])
    for definition in reversed(chosen):
        options = [{"name": definition["name"], "type": definition["type"], "options": options}]
    return options


def _validate_choices(data: Json) -> list[Json]:
    errors = FormErrors()
    result = []
    for path, choice in errors.dictionaries(data.get("choices"), ("data", "choices"), 0, 25):
        name, value = validate_choice(choice, path, errors)
        result.append({"name": name, "value": value})
    errors.raise_if_any()
    return result

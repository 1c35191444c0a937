"""Slash commands: taking what a bot registers, and checking what a person typed into one.

Source: Discord's documentation, "Application Commands" (naming, limits, option types).
"""

from __future__ import annotations

import re
from typing import Any

from bot.local.clock import Clock
from bot.local.errors import FormErrors, Json, Path

SUB, GROUP, STRING, INTEGER, BOOLEAN, USER, CHANNEL, ROLE, MENTIONABLE, NUMBER, ATTACHMENT = range(1, 12)
CHAT_INPUT, ON_USER, ON_MESSAGE = 1, 2, 3
MOST = {CHAT_INPUT: 100, ON_USER: 15, ON_MESSAGE: 15}
TEXT_MAX = 8000  # characters of names, descriptions and values in one command

_NAME = re.compile(r"^[-_'\w\u0900-\u097f\u0e00-\u0e7f]{1,32}$")


class NotPossible(Exception):
    """What a person entered cannot be sent; the words are for them."""


# -- registering ------------------------------------------------------------------------------------------------------


def read_commands(
    payload: Any, *, application_id: str, guild_id: str | None, old: dict[str, Json], clock: Clock
) -> dict[str, Json]:
    """The whole command list of a scope, as a bulk overwrite sets it. A command keeps its id by name and type.

    Raises:
        ApiError: 50035.
    """
    faults = FormErrors()
    if not isinstance(payload, list):
        faults.add((), "LIST_TYPE_CONVERT", "Only iterables may be used in a ListType")
        payload = []
    known = {(command["name"], command["type"]): command for command in old.values()}
    result: dict[str, Json] = {}
    seen: set[tuple[str, int]] = set()
    for index, item in enumerate(payload):
        command = read_command(item, (index,), faults, application_id=application_id, guild_id=guild_id)
        key = (command["name"], command["type"])
        if key in seen:
            faults.add(
                (index, "name"), "APPLICATION_COMMANDS_DUPLICATE_NAME", "Application command names must be unique"
            )
        seen.add(key)
        before = known.get(key)
        command["id"] = before["id"] if before else clock.new_id()
        command["version"] = before["version"] if before and _same(before, command) else clock.new_id()
        result[command["id"]] = command
    for kind, most in MOST.items():
        if sum(1 for _, each in seen if each == kind) > most:
            faults.add((), "APPLICATION_COMMAND_TOO_MANY", f"Maximum number of application commands reached ({most})")
    faults.check()
    return result


def _same(before: Json, after: Json) -> bool:
    return all(before.get(key) == value for key, value in after.items() if key not in ("id", "version"))


def read_command(payload: Any, path: Path, faults: FormErrors, *, application_id: str, guild_id: str | None) -> Json:
    """One command as the answer shows it, without id and version."""
    if not isinstance(payload, dict):
        faults.add(path, "MODEL_TYPE_CONVERT", "Only dictionaries may be used in a ModelType")
        payload = {}
    kind = payload.get("type") or CHAT_INPUT
    if kind not in tuple(MOST):
        faults.choice((*path, "type"), tuple(MOST))
        kind = CHAT_INPUT
    name = faults.text(payload, "name", path, 32, 1, required=True) or ""
    description: str | None = ""
    if kind == CHAT_INPUT:
        _check_name(name, (*path, "name"), faults)
        description = faults.text(payload, "description", path, 100, 1, required=True)
    needs = payload.get("default_member_permissions")
    if needs is not None and not str(needs).isdecimal():
        faults.add((*path, "default_member_permissions"), "NUMBER_TYPE_COERCE", f'Value "{needs}" is not int.')
    contexts = payload.get("contexts")
    if contexts is not None and not (isinstance(contexts, list) and all(each in (0, 1, 2) for each in contexts)):
        faults.choice((*path, "contexts"), (0, 1, 2))
        contexts = None
    command: Json = {
        "application_id": application_id,
        "type": kind,
        "name": name,
        "name_localizations": payload.get("name_localizations"),
        "description": description or "",
        "description_localizations": payload.get("description_localizations"),
        "default_member_permissions": None if needs is None else str(needs),
        "contexts": contexts,
        "integration_types": payload.get("integration_types") or [0],
        "nsfw": bool(payload.get("nsfw")),
    }
    if guild_id is not None:
        command["guild_id"] = guild_id
    else:
        command["dm_permission"] = payload.get("dm_permission") is not False and (contexts is None or 1 in contexts)
        if payload.get("dm_permission") is False and contexts is None:
            command["contexts"] = [0]
    options = payload.get("options") or []
    if options:
        command["options"] = _read_options(options, (*path, "options"), faults, depth=0)
    if _text_size(command) > TEXT_MAX:
        faults.add(path, "APPLICATION_COMMAND_TOO_LARGE", f"Command exceeds maximum size ({TEXT_MAX})")
    return command


def _check_name(name: str, path: Path, faults: FormErrors) -> None:
    if name and (not _NAME.match(name) or name != name.lower()):
        faults.add(path, "APPLICATION_COMMAND_INVALID_NAME", "Command name is invalid")


def _text_size(item: Json) -> int:
    size = sum(len(item.get(key) or "") for key in ("name", "description"))
    size += sum(len(choice["name"]) + len(str(choice["value"])) for choice in item.get("choices", ()))
    return size + sum(_text_size(option) for option in item.get("options", ()))


def _read_options(options: Any, path: Path, faults: FormErrors, *, depth: int) -> list[Json]:
    result, names, optional_seen = [], set(), False
    for here, option in faults.objects(options, path, 0, 25):
        kind = option.get("type")
        if kind not in tuple(range(1, 12)) or (kind == GROUP and depth > 0) or (kind == SUB and depth > 1):
            faults.choice((*here, "type"), tuple(range(1, 12)))
            continue
        name = faults.text(option, "name", here, 32, 1, required=True) or ""
        _check_name(name, (*here, "name"), faults)
        if name in names:
            faults.add((*here, "name"), "APPLICATION_COMMAND_OPTIONS_NAME_DUPLICATE", "Option name must be unique")
        names.add(name)
        read: Json = {
            "type": kind,
            "name": name,
            "name_localizations": option.get("name_localizations"),
            "description": faults.text(option, "description", here, 100, 1, required=True),
            "description_localizations": option.get("description_localizations"),
        }
        if kind in (SUB, GROUP):
            read["options"] = _read_options(option.get("options") or [], (*here, "options"), faults, depth=depth + 1)
        else:
            if option.get("required"):
                read["required"] = True
                if optional_seen:
                    words = "Required options must be placed before non-required options"
                    faults.add(here, "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID", words)
            else:
                optional_seen = True
            _read_bounds(option, here, faults, read)
        result.append(read)
    if len({option["type"] in (SUB, GROUP) for option in result}) > 1:
        faults.add(path, "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID", "Sub-commands and options cannot be mixed")
    return result


def _read_bounds(option: Json, path: Path, faults: FormErrors, read: Json) -> None:
    """What an option's value may be."""
    for key in ("min_value", "max_value", "min_length", "max_length"):
        value = option.get(key)
        if value is not None:
            if not isinstance(value, int | float) or isinstance(value, bool):
                faults.add((*path, key), "NUMBER_TYPE_COERCE", f'Value "{value}" is not a number.')
            else:
                read[key] = value
    if option.get("channel_types"):
        read["channel_types"] = option["channel_types"]
    choices = []
    for here, choice in faults.objects(option.get("choices") or [], (*path, "choices"), 0, 25):
        value = choice.get("value")
        if isinstance(value, str):
            faults.text(choice, "value", here, 100, 1, required=True)
        elif not isinstance(value, int | float):
            faults.required((*here, "value"))
        name = faults.text(choice, "name", here, 100, 1, required=True) or ""
        read_choice = {"name": name, "name_localizations": choice.get("name_localizations"), "value": value}
        choices.append({key: each for key, each in read_choice.items() if each is not None or key == "value"})
    if choices:
        read["choices"] = choices
    if option.get("autocomplete"):
        if choices:
            words = "Autocomplete and choices exclude each other"
            faults.add(path, "APPLICATION_COMMAND_OPTIONS_CHOICES_AUTOCOMPLETE", words)
        read["autocomplete"] = True


# -- using ------------------------------------------------------------------------------------------------------------


def leaf(command: Json, options: list[Json]) -> tuple[str, list[Json], list[Json]]:
    """The full name of the sub-command that was chosen, its option definitions, and the options given to it.

    Raises:
        NotPossible: there is no such sub-command.
    """
    name, defined = command["name"], command.get("options", [])
    while any(option["type"] in (SUB, GROUP) for option in defined):
        chosen = options[0] if options else None
        found = next((o for o in defined if chosen and o["name"] == chosen.get("name")), None)
        if found is None or chosen is None or found["type"] not in (SUB, GROUP):
            raise NotPossible(f"/{name} needs one of: " + ", ".join(option["name"] for option in defined))
        name += " " + found["name"]
        defined = found.get("options", [])
        options = chosen.get("options") or []
    return name, defined, options


def check_options(defined: list[Json], given: list[Json], *, finished: bool) -> list[Json]:
    """The given options, checked and typed as Discord's client does before it sends them.

    `finished` is False while autocompleting, when anything may still be missing.

    Raises:
        NotPossible: an option is missing, unknown or outside its bounds.
    """
    known = {option["name"]: option for option in defined}
    result = []
    for option in given:
        definition = known.get(option.get("name", ""))
        if definition is None:
            raise NotPossible(f"There is no option {option.get('name')}.")
        value: Any = option.get("value")
        if finished:
            value = _typed(definition, value)
        read = {"name": definition["name"], "type": definition["type"], "value": value}
        if option.get("focused"):
            read["focused"] = True
        result.append(read)
    if finished:
        names = {option["name"] for option in result}
        missing = [name for name, option in known.items() if option.get("required") and name not in names]
        if missing:
            raise NotPossible(f"{missing[0]}: this option is required.")
    return result


def _typed(definition: Json, value: Any) -> Any:
    name, kind = definition["name"], definition["type"]
    try:
        match kind:
            case 3:
                value = str(value)
                low, high = definition.get("min_length", 0), definition.get("max_length", 6000)
                if not low <= len(value) <= high:
                    raise NotPossible(f"{name}: between {low} and {high} characters, please.")
            case 4 | 10:
                value = int(value) if kind == INTEGER else float(value)
                if value < definition.get("min_value", value) or value > definition.get("max_value", value):
                    low, high = definition.get("min_value", "…"), definition.get("max_value", "…")
                    raise NotPossible(f"{name}: between {low} and {high}, please.")
            case 5:
                value = value is True or str(value).lower() == "true"
            case 6 | 7 | 8 | 9:
                value = str(int(value))
            case _:
                raise NotPossible(f"{name}: files cannot be sent from here.")
    except (TypeError, ValueError) as error:
        raise NotPossible(f"{name}: {value!r} does not fit.") from error
    choices = definition.get("choices")
    if choices and value not in [choice["value"] for choice in choices]:
        raise NotPossible(f"{name}: pick one of the choices.")
    return value

"""Slash commands: validate what a bot registers, and what a person typed into a command.

Source: Discord's documentation, "Application Commands" (naming, limits, option types).
"""

import re
from collections.abc import Iterable
from typing import Any

from bot.local.clock import AdjustableClock
from bot.local.errors import FieldPath, FormErrors, InvalidAction, Json

SUBCOMMAND, SUBCOMMAND_GROUP, STRING, INTEGER, BOOLEAN, USER, CHANNEL, ROLE, MENTIONABLE, NUMBER, ATTACHMENT = range(
    1, 12
)
OPTION_TYPES = tuple(range(1, 12))
CHAT_INPUT, USER_MENU, MESSAGE_MENU = 1, 2, 3
MAX_COMMANDS = {CHAT_INPUT: 100, USER_MENU: 15, MESSAGE_MENU: 15}
MAX_COMMAND_TEXT = 8000  # characters of all names, descriptions and values of one command

_NAME = re.compile(r"^[-_'\w\u0900-\u097f\u0e00-\u0e7f]{1,32}$")


# -- registering commands ---------------------------------------------------------------------------------------------


def validate_commands(
    payload: Any, *, application_id: str, guild_id: str | None, existing: dict[str, Json], clock: AdjustableClock
) -> dict[str, Json]:
    """Return all commands of a scope by id, as a bulk overwrite sets them. A command keeps its id by name and type.

    Raises:
        ApiError: 50035.
    """
    errors = FormErrors()
    if not isinstance(payload, list):
        errors.add_not_a_list(())
        payload = []
    existing_by_key = {(command["name"], command["type"]): command for command in existing.values()}
    commands: dict[str, Json] = {}
    keys: set[tuple[str, int]] = set()
    for index, item in enumerate(payload):
        command = validate_command(item, (index,), errors, application_id=application_id, guild_id=guild_id)
        key = (command["name"], command["type"])
        if key in keys:
            message = "Application command names must be unique"
            errors.add((index, "name"), "APPLICATION_COMMANDS_DUPLICATE_NAME", message)
        keys.add(key)
        before = existing_by_key.get(key)
        command["id"] = before["id"] if before else clock.new_id()
        command["version"] = before["version"] if before and _is_unchanged(before, command) else clock.new_id()
        commands[command["id"]] = command
    for kind, maximum in MAX_COMMANDS.items():
        if sum(1 for _, each in keys if each == kind) > maximum:
            message = f"Maximum number of application commands reached ({maximum})"
            errors.add((), "APPLICATION_COMMAND_TOO_MANY", message)
    errors.raise_if_any()
    return commands


def _is_unchanged(before: Json, after: Json) -> bool:
    return all(before.get(key) == value for key, value in after.items() if key not in ("id", "version"))


def validate_command(
    payload: Any, path: FieldPath, errors: FormErrors, *, application_id: str, guild_id: str | None
) -> Json:
    """Return one command as Discord's answer shows it, but without its id and version."""
    if not isinstance(payload, dict):
        errors.add_not_a_dictionary(path)
        payload = {}
    kind = payload.get("type") or CHAT_INPUT
    if kind not in tuple(MAX_COMMANDS):
        errors.add_not_one_of((*path, "type"), tuple(MAX_COMMANDS))
        kind = CHAT_INPUT
    name = errors.text(payload, "name", path, 32, 1, required=True) or ""
    description: str | None = ""
    if kind == CHAT_INPUT:
        _check_name(name, (*path, "name"), errors)
        description = errors.text(payload, "description", path, 100, 1, required=True)
    permissions = payload.get("default_member_permissions")
    if permissions is not None and not str(permissions).isdecimal():
        message = f'Value "{permissions}" is not int.'
        errors.add((*path, "default_member_permissions"), "NUMBER_TYPE_COERCE", message)
    contexts = payload.get("contexts")
    if contexts is not None and not (isinstance(contexts, list) and all(each in (0, 1, 2) for each in contexts)):
        errors.add_not_one_of((*path, "contexts"), (0, 1, 2))
        contexts = None
    command: Json = {
        "application_id": application_id,
        "type": kind,
        "name": name,
        "name_localizations": payload.get("name_localizations"),
        "description": description or "",
        "description_localizations": payload.get("description_localizations"),
        "default_member_permissions": None if permissions is None else str(permissions),
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
        command["options"] = _validate_options(options, (*path, "options"), errors, depth=0)
    if _text_length(command) > MAX_COMMAND_TEXT:
        errors.add(path, "APPLICATION_COMMAND_TOO_LARGE", f"Command exceeds maximum size ({MAX_COMMAND_TEXT})")
    return command


def _check_name(name: str, path: FieldPath, errors: FormErrors) -> None:
    if name and (not _NAME.match(name) or name != name.lower()):
        errors.add(path, "APPLICATION_COMMAND_INVALID_NAME", "Command name is invalid")


def _text_length(item: Json) -> int:
    length = sum(len(item.get(key) or "") for key in ("name", "description"))
    length += sum(len(choice["name"]) + len(str(choice["value"])) for choice in item.get("choices", ()))
    return length + sum(_text_length(option) for option in item.get("options", ()))


def _validate_options(options: Any, path: FieldPath, errors: FormErrors, *, depth: int) -> list[Json]:
    """Validate the options of a command, group or subcommand. `depth` is 0 for a command itself."""
    result, names, optional_seen = [], set(), False
    for option_path, option in errors.dictionaries(options, path, 0, 25):
        kind = option.get("type")
        too_deep = (kind == SUBCOMMAND_GROUP and depth > 0) or (kind == SUBCOMMAND and depth > 1)
        if kind not in OPTION_TYPES or too_deep:
            errors.add_not_one_of((*option_path, "type"), OPTION_TYPES)
            continue
        name = errors.text(option, "name", option_path, 32, 1, required=True) or ""
        _check_name(name, (*option_path, "name"), errors)
        if name in names:
            message = "Option name must be unique"
            errors.add((*option_path, "name"), "APPLICATION_COMMAND_OPTIONS_NAME_DUPLICATE", message)
        names.add(name)
        validated: Json = {
            "type": kind,
            "name": name,
            "name_localizations": option.get("name_localizations"),
            "description": errors.text(option, "description", option_path, 100, 1, required=True),
            "description_localizations": option.get("description_localizations"),
        }
        if kind in (SUBCOMMAND, SUBCOMMAND_GROUP):
            inner = option.get("options") or []
            validated["options"] = _validate_options(inner, (*option_path, "options"), errors, depth=depth + 1)
        else:
            if not option.get("required"):
                optional_seen = True
            else:
                validated["required"] = True
                if optional_seen:
                    message = "Required options must be placed before non-required options"
                    errors.add(option_path, "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID", message)
            _validate_value_rules(option, option_path, errors, validated)
        result.append(validated)
    if len({option["type"] in (SUBCOMMAND, SUBCOMMAND_GROUP) for option in result}) > 1:
        errors.add(path, "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID", "Sub-commands and options cannot be mixed")
    return result


def _validate_value_rules(option: Json, path: FieldPath, errors: FormErrors, validated: Json) -> None:
    """Validate the bounds, choices and channel types of an option's value, and add them to `validated`."""
    for key in ("min_value", "max_value", "min_length", "max_length"):
        value = option.get(key)
        if value is not None:
            if not isinstance(value, int | float) or isinstance(value, bool):
                errors.add((*path, key), "NUMBER_TYPE_COERCE", f'Value "{value}" is not a number.')
            else:
                validated[key] = value
    if option.get("channel_types"):
        validated["channel_types"] = option["channel_types"]
    choices = []
    for choice_path, choice in errors.dictionaries(option.get("choices") or [], (*path, "choices"), 0, 25):
        name, value = validate_choice(choice, choice_path, errors)
        localizations = choice.get("name_localizations")
        shown = {"name": name or "", "name_localizations": localizations, "value": value}
        choices.append({key: each for key, each in shown.items() if each is not None or key == "value"})
    if choices:
        validated["choices"] = choices
    if option.get("autocomplete"):
        if choices:
            message = "Autocomplete and choices exclude each other"
            errors.add(path, "APPLICATION_COMMAND_OPTIONS_CHOICES_AUTOCOMPLETE", message)
        validated["autocomplete"] = True


def validate_choice(choice: Json, path: FieldPath, errors: FormErrors) -> tuple[str | None, Any]:
    """Return the name and the value of a choice."""
    value = choice.get("value")
    if isinstance(value, str):
        errors.text(choice, "value", path, 100, 1, required=True)
    elif not isinstance(value, int | float):
        errors.add_missing((*path, "value"))
    return errors.text(choice, "name", path, 100, 1, required=True), value


# -- using commands ---------------------------------------------------------------------------------------------------


def is_outdated(commands: Iterable[Json], name: str, options: list[Json]) -> bool:
    """Return whether a person uses a command as it was before: under a name that is gone, or with a subcommand that is."""
    command = next((each for each in commands if (each["name"], each["type"]) == (name, CHAT_INPUT)), None)
    if command is None:
        return bool(_NAME.match(name))
    asked = options[0] if options and options[0].get("type") in (SUBCOMMAND, SUBCOMMAND_GROUP) else None
    return asked is not None and all(each["name"] != asked.get("name") for each in command.get("options", []))


def find_subcommand(command: Json, options: list[Json]) -> tuple[str, list[Json], list[Json]]:
    """Follow the subcommands that a person chose.

    Returns:
        The full name of the chosen command, the definitions of its options, and the options given to it.

    Raises:
        InvalidAction: there is no such subcommand.
    """
    name, definitions = command["name"], command.get("options", [])
    while any(definition["type"] in (SUBCOMMAND, SUBCOMMAND_GROUP) for definition in definitions):
        chosen = options[0] if options else None
        found = next((each for each in definitions if chosen and each["name"] == chosen.get("name")), None)
        if found is None or chosen is None or found["type"] not in (SUBCOMMAND, SUBCOMMAND_GROUP):
            raise InvalidAction(f"/{name} needs one of: " + ", ".join(each["name"] for each in definitions))
        name += " " + found["name"]
        definitions = found.get("options", [])
        options = chosen.get("options") or []
    return name, definitions, options


def convert_options(definitions: list[Json], given: list[Json], *, complete: bool) -> list[Json]:
    """Validate the given options and convert their values, as Discord's client does before it sends them.

    Args:
        complete: False while the person is still typing and asks for suggestions; then options can be missing.

    Raises:
        InvalidAction: an option is missing or unknown, or its value is not allowed.
    """
    definition_by_name = {definition["name"]: definition for definition in definitions}
    result = []
    for option in given:
        definition = definition_by_name.get(option.get("name", ""))
        if definition is None:
            raise InvalidAction(f"There is no option {option.get('name')}.")
        value: Any = option.get("value")
        if complete:
            value = _convert_value(definition, value)
        converted = {"name": definition["name"], "type": definition["type"], "value": value}
        if option.get("focused"):
            converted["focused"] = True
        result.append(converted)
    if complete:
        names = {option["name"] for option in result}
        for name, definition in definition_by_name.items():
            if definition.get("required") and name not in names:
                raise InvalidAction(f"{name}: this option is required.")
    return result


def _convert_value(definition: Json, value: Any) -> Any:
    name = definition["name"]
    try:
        converted = _convert_type(definition, value)
    except (TypeError, ValueError) as error:
        raise InvalidAction(f"{name}: {value!r} is not a valid value.") from error
    choices = definition.get("choices")
    if choices and converted not in [choice["value"] for choice in choices]:
        raise InvalidAction(f"{name}: choose one of the suggestions.")
    return converted


def _convert_type(definition: Json, value: Any) -> Any:
    """Convert a value to its option's type, and check the option's bounds.

    Raises:
        InvalidAction: the value is outside the bounds, or a file.
        TypeError, ValueError: the value is not of that type.
    """
    name, kind = definition["name"], definition["type"]
    if kind == STRING:
        text = str(value)
        minimum, maximum = definition.get("min_length", 0), definition.get("max_length", 6000)
        if not minimum <= len(text) <= maximum:
            raise InvalidAction(f"{name} must have between {minimum} and {maximum} characters.")
        return text
    if kind in (INTEGER, NUMBER):
        number = int(value) if kind == INTEGER else float(value)
        if number < definition.get("min_value", number) or number > definition.get("max_value", number):
            minimum, maximum = definition.get("min_value", "…"), definition.get("max_value", "…")
            raise InvalidAction(f"{name} must be between {minimum} and {maximum}.")
        return number
    if kind == BOOLEAN:
        return value is True or str(value).lower() == "true"
    if kind in (USER, CHANNEL, ROLE, MENTIONABLE):
        return str(int(value))  # an id
    raise InvalidAction(f"{name}: you cannot send files from this page.")

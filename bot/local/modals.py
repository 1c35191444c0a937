"""Modals: validate the form that a bot wants to open, and the answers that a person fills in.

Source: Discord's documentation, "Component Reference" (modals, labels); Discord's OpenAPI document for the limits.
"""

from collections.abc import Callable
from typing import Any

from bot.local.components import (
    ACTION_ROW,
    CHECKBOX,
    CHECKBOX_GROUP,
    FILE_UPLOAD,
    LABEL,
    RADIO_GROUP,
    SELECTS,
    TEXT_DISPLAY,
    TEXT_INPUT,
    ComponentReader,
)
from bot.local.errors import FieldPath, FormErrors, InvalidAction, Json

MAX_ITEMS = 5
MAX_INPUT_LENGTH = 4000
MAX_GROUP_OPTIONS = 10
ALLOWED_IN_LABEL = (TEXT_INPUT, *sorted(SELECTS), FILE_UPLOAD, RADIO_GROUP, CHECKBOX_GROUP, CHECKBOX)
ALLOWED_IN_ACTION_ROW = (TEXT_INPUT,)


# -- from the bot: the form -------------------------------------------------------------------------------------------


def validate_modal(data: Any, path: FieldPath, is_known_emoji: Callable[[str], bool]) -> Json:
    """Return a modal as the page shows it.

    Raises:
        ApiError: 50035.
    """
    errors = FormErrors()
    if not isinstance(data, dict):
        errors.add_missing(path)
        errors.raise_if_any()
        data = {}
    modal: Json = {"title": errors.text(data, "title", path, 45, 1, required=True)}
    # The modal's own custom id can equal that of a field, so a separate reader checks it.
    _reader(errors, is_known_emoji).read_custom_id(data, path, modal)
    modal["components"] = _read_items(data, (*path, "components"), errors, _reader(errors, is_known_emoji))
    errors.raise_if_any()
    return modal


def _reader(errors: FormErrors, is_known_emoji: Callable[[str], bool]) -> ComponentReader:
    return ComponentReader(errors, v2=True, find_media=lambda url: None, is_known_emoji=is_known_emoji)


def _read_items(data: Json, path: FieldPath, errors: FormErrors, reader: ComponentReader) -> list[Json]:
    items = data.get("components")
    if not isinstance(items, list) or not 1 <= len(items) <= MAX_ITEMS:
        errors.add_wrong_length(path, 1, MAX_ITEMS)
        return []
    result = []
    for index, item in enumerate(items):
        item_path = (*path, index)
        kind = item.get("type") if isinstance(item, dict) else None
        validated: Json = {"type": kind, "id": item.get("id") or 100 + index if isinstance(item, dict) else 0}
        if kind == LABEL:
            validated["label"] = errors.text(item, "label", item_path, 45, 1, required=True)
            validated["description"] = errors.text(item, "description", item_path, 100)
            field, field_path = item.get("component"), (*item_path, "component")
            validated["component"] = _read_field(field, field_path, errors, reader, index, labelled=True)
        elif kind == ACTION_ROW:
            fields = item.get("components")
            if not isinstance(fields, list) or len(fields) != 1:
                errors.add_wrong_length((*item_path, "components"), 1, 1)
                continue
            field_path = (*item_path, "components", 0)
            validated["components"] = [_read_field(fields[0], field_path, errors, reader, index, labelled=False)]
        elif kind == TEXT_DISPLAY:
            validated["content"] = errors.text(item, "content", item_path, 4000, 1, required=True)
        else:
            errors.add_not_one_of((*item_path, "type"), (ACTION_ROW, TEXT_DISPLAY, LABEL))
        result.append(validated)
    return result


def _read_field(
    field: Any, path: FieldPath, errors: FormErrors, reader: ComponentReader, index: int, *, labelled: bool
) -> Json:
    """Validate one field. `labelled`: it is inside a label; otherwise it is in an action row, the older way."""
    if not isinstance(field, dict):
        errors.add_missing(path)
        return {}
    kind = field.get("type")
    allowed = ALLOWED_IN_LABEL if labelled else ALLOWED_IN_ACTION_ROW
    if kind not in allowed:
        errors.add_not_one_of((*path, "type"), allowed)
        return {}
    validated: Json = {
        "type": kind,
        "id": field.get("id") or 200 + index,
        "required": field.get("required") is not False,
    }
    if kind in SELECTS:
        reader.read_select(field, path, validated)
        return validated
    reader.read_custom_id(field, path, validated)
    if kind == TEXT_INPUT:
        if field.get("style") not in (1, 2):
            errors.add_not_one_of((*path, "style"), (1, 2))
        validated["style"] = field.get("style")
        validated["label"] = errors.text(field, "label", path, 45, 1, required=not labelled)
        validated["value"] = errors.text(field, "value", path, MAX_INPUT_LENGTH)
        validated["placeholder"] = errors.text(field, "placeholder", path, 100)
        validated["min_length"] = errors.integer(field, "min_length", path, 0, MAX_INPUT_LENGTH)
        validated["max_length"] = errors.integer(field, "max_length", path, 1, MAX_INPUT_LENGTH)
    elif kind == RADIO_GROUP:
        validated["options"] = reader.read_options(field, path, 2, MAX_GROUP_OPTIONS)
    elif kind == CHECKBOX:
        validated["default"] = bool(field.get("default"))
    else:  # a checkbox group or a file upload
        if kind == CHECKBOX_GROUP:
            validated["options"] = reader.read_options(field, path, 1, MAX_GROUP_OPTIONS)
        validated["min_values"] = errors.integer(field, "min_values", path, 0, 10)
        validated["max_values"] = errors.integer(field, "max_values", path, 1, 10)
    return validated


# -- from a person: the answers ---------------------------------------------------------------------------------------


def collect_answers(modal: Json, submitted: Any) -> list[Json]:
    """Return the submitted answers in the order and shape of the modal, as the bot gets them.

    Raises:
        InvalidAction: a required answer is missing, or an answer is not allowed.
    """
    answers: dict[str, Json] = {}
    _index_by_custom_id(submitted, answers)
    result = []
    for item in modal["components"]:
        if item["type"] == LABEL:
            answer = _validate_answer(item["component"], answers, item["label"])
            result.append({"type": LABEL, "id": item["id"], "component": answer})
        elif item["type"] == ACTION_ROW:
            field = item["components"][0]
            answer = _validate_answer(field, answers, field["label"])
            result.append({"type": ACTION_ROW, "id": item["id"], "components": [answer]})
        else:
            result.append({"type": TEXT_DISPLAY, "id": item["id"]})
    return result


def given_files(answers: list[Json]) -> list[Any]:
    """Return the ids of the files in the answers of `collect_answers`."""
    fields = [field for item in answers for field in (item.get("component"), *item.get("components", ())) if field]
    return [id_ for field in fields if field["type"] == FILE_UPLOAD for id_ in field["values"]]


def _index_by_custom_id(components: Any, answers: dict[str, Json]) -> None:
    """Add every answer in a submission to `answers`, at any depth."""
    for item in components if isinstance(components, list) else ():
        if isinstance(item, dict):
            if isinstance(item.get("custom_id"), str):
                answers[item["custom_id"]] = item
            _index_by_custom_id(item.get("components"), answers)
            _index_by_custom_id([item.get("component")], answers)


def _validate_answer(field: Json, answers: dict[str, Json], label: str) -> Json:
    given = answers.get(field["custom_id"], {})
    answer: Json = {"type": field["type"], "id": field["id"], "custom_id": field["custom_id"]}
    if field["type"] == TEXT_INPUT:
        answer["value"] = _text_answer(field, given, label)
    elif field["type"] == CHECKBOX:
        answer["value"] = given.get("value") is True
    elif field["type"] == RADIO_GROUP:
        answer["value"] = _radio_answer(field, given, label)
    else:
        answer["values"] = _list_answer(field, given, label)
    return answer


def _text_answer(field: Json, given: Json, label: str) -> str:
    text = str(given.get("value") or "")
    if not text:
        if field["required"]:
            raise InvalidAction(f"{label}: this field is required.")
        return text
    minimum, maximum = field["min_length"] or 0, field["max_length"] or MAX_INPUT_LENGTH
    if not minimum <= len(text) <= maximum:
        raise InvalidAction(f"{label} must have between {minimum} and {maximum} characters.")
    return text


def _radio_answer(field: Json, given: Json, label: str) -> Any:
    value = given.get("value")
    allowed = value in _option_values(field) if value is not None else not field["required"]
    if not allowed:
        raise InvalidAction(f"{label}: choose one option.")
    return value


def _list_answer(field: Json, given: Json, label: str) -> Any:
    """Validate the answer to a select, a checkbox group or a file upload."""
    values = given.get("values") or []
    if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
        raise InvalidAction(f"{label}: choose from the list.")
    options = _option_values(field)
    if options and not options.issuperset(values):
        raise InvalidAction(f"{label}: choose from the list.")
    if not values and not field["required"]:
        return values
    minimum, maximum = _value_count_limits(field)
    if not minimum <= len(values) <= maximum:
        raise InvalidAction(f"{label}: choose at most {maximum}." if values else f"{label}: this field is required.")
    return values


def _value_count_limits(field: Json) -> tuple[int, int]:
    """Return how many values a field takes at least and at most, with Discord's defaults."""
    minimum, maximum = field.get("min_values"), field.get("max_values")
    if minimum is None:
        minimum = 1 if field["required"] else 0
    if not maximum:
        if field["type"] in SELECTS:
            maximum = 1
        elif field["type"] == CHECKBOX_GROUP:
            maximum = len(field["options"])
        else:
            maximum = 10
    return minimum, maximum


def _option_values(field: Json) -> set[str]:
    return {option["value"] for option in field.get("options", ())}

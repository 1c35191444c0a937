"""Forms (modals): reading what a bot wants to ask, and checking what a person filled in.

Source: Discord's component reference (modals, labels) and its OpenAPI document for the limits.
"""

from __future__ import annotations

from typing import Any

from bot.local.commands import NotPossible
from bot.local.components import (
    CHECKBOX,
    CHECKBOXES,
    INPUT,
    LABEL,
    RADIO,
    ROW,
    SELECTS,
    TEXT,
    UPLOAD,
    Reader,
)
from bot.local.errors import FormErrors, Json, Path

FIELDS_MAX = 5


def read_form(data: Any, path: Path, emoji_known: Any) -> Json:
    """A form as the page shows it.

    Raises:
        ApiError: 50035.
    """
    faults = FormErrors()
    if not isinstance(data, dict):
        faults.required(path)
        faults.check()
        data = {}
    reader = Reader(faults, v2=True, media=lambda url: None, emoji_known=emoji_known)
    custom_id: Json = {}
    Reader(faults, v2=True, media=lambda url: None, emoji_known=emoji_known).custom_id(data, path, custom_id)
    form: Json = {"title": faults.text(data, "title", path, 45, 1, required=True), **custom_id, "components": []}
    items = data.get("components")
    path = (*path, "components")
    if not isinstance(items, list) or not 1 <= len(items) <= FIELDS_MAX:
        faults.bad_length(path, 1, FIELDS_MAX)
        items = []
    for index, item in enumerate(items):
        here = (*path, index)
        kind = item.get("type") if isinstance(item, dict) else None
        read: Json = {"type": kind, "id": item.get("id") or 100 + index if isinstance(item, dict) else 0}
        if kind == LABEL:
            read["label"] = faults.text(item, "label", here, 45, 1, required=True)
            read["description"] = faults.text(item, "description", here, 100)
            read["component"] = _field(
                item.get("component"), (*here, "component"), faults, reader, index, labelled=True
            )
        elif kind == ROW:
            inner = item.get("components")
            if not isinstance(inner, list) or len(inner) != 1:
                faults.bad_length((*here, "components"), 1, 1)
                continue
            read["components"] = [_field(inner[0], (*here, "components", 0), faults, reader, index, labelled=False)]
        elif kind == TEXT:
            read["content"] = faults.text(item, "content", here, 4000, 1, required=True)
        else:
            faults.choice((*here, "type"), (ROW, TEXT, LABEL))
        form["components"].append(read)
    faults.check()
    return form


def _field(item: Any, path: Path, faults: FormErrors, reader: Reader, index: int, *, labelled: bool) -> Json:
    if not isinstance(item, dict):
        faults.required(path)
        return {}
    kind = item.get("type")
    allowed = (INPUT, *sorted(SELECTS), UPLOAD, RADIO, CHECKBOXES, CHECKBOX) if labelled else (INPUT,)
    if kind not in allowed:
        faults.choice((*path, "type"), allowed)
        return {}
    read: Json = {"type": kind, "id": item.get("id") or 200 + index, "required": item.get("required") is not False}
    if kind in SELECTS:
        reader.select(item, path, read)
        return read
    reader.custom_id(item, path, read)
    if kind == INPUT:
        if item.get("style") not in (1, 2):
            faults.choice((*path, "style"), (1, 2))
        read["style"] = item.get("style")
        read["label"] = faults.text(item, "label", path, 45, 1, required=not labelled)
        read["value"] = faults.text(item, "value", path, 4000)
        read["placeholder"] = faults.text(item, "placeholder", path, 100)
        read["min_length"] = faults.number(item, "min_length", path, 0, 4000)
        read["max_length"] = faults.number(item, "max_length", path, 1, 4000)
    elif kind == RADIO:
        read["options"] = reader.options(item, path, 2, 10)
    elif kind == CHECKBOXES:
        read["options"] = reader.options(item, path, 1, 10)
        read["min_values"] = faults.number(item, "min_values", path, 0, 10)
        read["max_values"] = faults.number(item, "max_values", path, 1, 10)
    elif kind == CHECKBOX:
        read["default"] = bool(item.get("default"))
    else:
        read["min_values"] = faults.number(item, "min_values", path, 0, 10)
        read["max_values"] = faults.number(item, "max_values", path, 1, 10)
    return read


def _submitted(components: Any, found: dict[str, Json]) -> dict[str, Json]:
    """Every answer in a submission by its custom id, however it is nested."""
    for item in components if isinstance(components, list) else ():
        if isinstance(item, dict):
            if isinstance(item.get("custom_id"), str):
                found[item["custom_id"]] = item
            _submitted(item.get("components"), found)
            _submitted([item.get("component")], found)
    return found


def fill_in(form: Json, submitted: Any) -> list[Json]:
    """The answers in the order and shape of the form, as the bot gets them.

    Raises:
        NotPossible: a required answer is missing or one does not fit its field.
    """
    answers = _submitted(submitted, {})
    result = []
    for item in form["components"]:
        if item["type"] == LABEL:
            answer = _answer(item["component"], answers, item["label"])
            result.append({"type": LABEL, "id": item["id"], "component": answer})
        elif item["type"] == ROW:
            field = item["components"][0]
            answer = _answer(field, answers, field["label"])
            result.append({"type": ROW, "id": item["id"], "components": [answer]})
        else:
            result.append({"type": TEXT, "id": item["id"]})
    return result


def _answer(field: Json, answers: dict[str, Json], label: str) -> Json:
    given = answers.get(field["custom_id"], {})
    answer: Json = {"type": field["type"], "id": field["id"], "custom_id": field["custom_id"]}
    kind, required = field["type"], field["required"]
    values = given.get("values") or []
    value = given.get("value")
    options = {option["value"] for option in field.get("options", ())}
    if kind == INPUT:
        text = str(value or "")
        if required and not text:
            raise NotPossible(f"{label}: this field is required.")
        low, high = field["min_length"] or 0, field["max_length"] or 4000
        if text and not low <= len(text) <= high:
            raise NotPossible(f"{label}: between {low} and {high} characters, please.")
        return answer | {"value": text}
    if kind == CHECKBOX:
        return answer | {"value": value is True}
    if kind == RADIO:
        if (required and value is None) or (value is not None and value not in options):
            raise NotPossible(f"{label}: pick one.")
        return answer | {"value": value}
    if options and not options.issuperset(values):
        raise NotPossible(f"{label}: pick from the list.")
    default = 1 if kind in SELECTS else len(options) if kind == CHECKBOXES else 10
    low, high = field.get("min_values"), field.get("max_values") or default
    if (required or values) and not (1 if low is None and required else low or 0) <= len(values) <= high:
        raise NotPossible(f"{label}: pick at most {high}." if values else f"{label}: this field is required.")
    return answer | {"values": values}

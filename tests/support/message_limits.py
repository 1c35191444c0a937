"""What Discord would refuse about a panel or a form, all checked at once, so that a test names everything that is wrong.

Source: Discord's reference of message components.
"""

from __future__ import annotations

from bot.render.message.limits import CUSTOM_ID_MAX, OPTIONS_MAX, ROW_BUTTONS_MAX, TEXT_MAX, walk
from bot.render.message.panel import (
    FORM_HINT_MAX,
    FORM_LABEL_MAX,
    FORM_TITLE_MAX,
    LABEL_MAX,
    OPTION_TEXT_MAX,
    PICTURE_TEXT_MAX,
    PLACEHOLDER_MAX,
    Form,
    Panel,
    Raw,
    form_payload,
    payload,
)

COMPONENTS_MAX = 40
RADIO_OPTIONS_MAX = 10
URL_MAX = 512
FORM_FIELDS_MAX = 5


class OverLimitError(ValueError):
    """A message that Discord would refuse. `faults` names everything that is wrong."""

    def __init__(self, faults: tuple[str, ...]) -> None:
        super().__init__("; ".join(faults))
        self.faults = faults


def faults(panel: Panel) -> tuple[str, ...]:
    """List what Discord would refuse about a panel; empty when nothing."""
    every = tuple(walk(payload(panel)))
    found: list[str] = []
    if len(every) > COMPONENTS_MAX:
        found.append(f"{len(every)} components, {COMPONENTS_MAX} at most")
    length = sum(len(part["content"]) for part in every if part["type"] == 10)
    if length > TEXT_MAX:
        found.append(f"{length} characters of text, {TEXT_MAX} at most")
    if not panel.blocks:
        found.append("a message without blocks")
    for part in every:
        found += _part_faults(part)
    ids = [part["custom_id"] for part in every if "custom_id" in part]
    found += [f"custom id {id_!r} twice" for id_ in sorted({id_ for id_ in ids if ids.count(id_) > 1})]
    return tuple(found)


def form_faults(form: Form) -> tuple[str, ...]:
    """List what Discord would refuse about a form; empty when nothing."""
    raw = form_payload(form)
    found: list[str] = []
    if not 1 <= len(raw["title"]) <= FORM_TITLE_MAX:
        found.append(f"form title of {len(raw['title'])} characters")
    if not 1 <= len(form.fields) <= FORM_FIELDS_MAX:
        found.append(f"{len(form.fields)} fields")
    if not 1 <= len(form.custom_id) <= CUSTOM_ID_MAX:
        found.append(f"form id of {len(form.custom_id)} characters")
    for label in raw["components"]:
        if not 1 <= len(label["label"]) <= FORM_LABEL_MAX:
            found.append(f"label {label['label']!r} of a form")
        if len(label.get("description", "")) > FORM_HINT_MAX:
            found.append(f"description of {len(label['description'])} characters in a form")
        found += _part_faults(label["component"])
    return tuple(found)


def within_limits(panel: Panel) -> Panel:
    """Return the panel.

    Raises:
        OverLimitError: Discord would refuse it.
    """
    found = faults(panel)
    if found:
        raise OverLimitError(found)
    return panel


def _part_faults(part: Raw) -> list[str]:
    found: list[str] = []
    if "custom_id" in part and not 1 <= len(part["custom_id"]) <= CUSTOM_ID_MAX:
        found.append(f"custom id of {len(part['custom_id'])} characters")
    match part["type"]:
        case 1:
            found += _row_faults(part)
        case 2:
            if not 1 <= len(part["label"]) <= LABEL_MAX:
                found.append(f"label {part['label']!r} of a button")
            if ("url" in part) == ("custom_id" in part):
                found.append(f"button {part['label']!r} needs an address or an id, not both")
            if len(part.get("url", "")) > URL_MAX:
                found.append(f"address of {len(part['url'])} characters")
        case 3:
            found += _select_faults(part)
        case 10:
            if not part["content"].strip():
                found.append("an empty text")
        case 12:
            lengths = [len(item["description"]) for item in part["items"]]
            found += [
                f"description of {length} characters" for length in lengths if not 1 <= length <= PICTURE_TEXT_MAX
            ]
        case 21:
            if not 2 <= len(part["options"]) <= RADIO_OPTIONS_MAX:
                found.append(f"{len(part['options'])} options in a radio group")
            found += _option_faults(part["options"])
        case _:
            pass
    return found


def _row_faults(part: Raw) -> list[str]:
    inside = part["components"]
    if any(one["type"] == 3 for one in inside):
        return [] if len(inside) == 1 else ["a select beside something else"]
    return [] if 1 <= len(inside) <= ROW_BUTTONS_MAX else [f"{len(inside)} buttons in a row"]


def _select_faults(part: Raw) -> list[str]:
    found: list[str] = []
    options = part["options"]
    if not 1 <= len(options) <= OPTIONS_MAX:
        found.append(f"{len(options)} options in a select")
    if not 0 <= part["min_values"] <= part["max_values"] <= len(options) or part["max_values"] < 1:
        found.append(f"a select of {part['min_values']} to {part['max_values']} from {len(options)} options")
    if len(part.get("placeholder", "")) > PLACEHOLDER_MAX:
        found.append(f"placeholder of {len(part['placeholder'])} characters")
    if sum(bool(option.get("default")) for option in options) > part["max_values"]:
        found.append("more options are chosen beforehand than can be chosen")
    return found + _option_faults(options)


def _option_faults(options: list[Raw]) -> list[str]:
    found: list[str] = []
    values = [option["value"] for option in options]
    if len(set(values)) < len(values):
        found.append("two options with one value")
    for option in options:
        found += [
            f"option {name} of {len(option[name])} characters"
            for name in ("label", "value")
            if not 1 <= len(option[name]) <= OPTION_TEXT_MAX
        ]
        if len(option.get("description", "")) > OPTION_TEXT_MAX:
            found.append(f"option description of {len(option['description'])} characters")
    return found

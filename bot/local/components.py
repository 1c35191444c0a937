"""Components of messages: reading them as strictly as Discord does, and filling in what Discord fills in.

Source: Discord's component reference; limits in discord's OpenAPI document; error codes as Discord answers them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bot.local.errors import FormErrors, Json, Path

ROW, BUTTON, SELECT, INPUT, USERS, ROLES, MENTIONABLES, CHANNELS = range(1, 9)
SECTION, TEXT, THUMBNAIL, GALLERY, FILE, SEPARATOR = range(9, 15)
CONTAINER, LABEL, UPLOAD, RADIO, CHECKBOXES, CHECKBOX = 17, 18, 19, 21, 22, 23
SELECTS = frozenset((SELECT, USERS, ROLES, MENTIONABLES, CHANNELS))
LINK, PREMIUM = 5, 6

TOTAL_MAX = 40
TEXT_MAX = 4000
TOP_LEVEL = frozenset((ROW, SECTION, TEXT, GALLERY, FILE, SEPARATOR, CONTAINER))
IN_CONTAINER = TOP_LEVEL - {CONTAINER}
IN_ROW = SELECTS | {BUTTON}
IN_SECTION = frozenset((TEXT,))
ACCESSORIES = frozenset((BUTTON, THUMBNAIL))


class Reader:
    """Reads one message's components once. Faults go to `faults`; the result is what Discord would answer with.

    Args:
        media: resolves ``attachment://name`` (or a web address) to the media object of an answer, or None if unknown.
        emoji_known: whether an emoji id exists where the bot may use it.
    """

    def __init__(
        self,
        faults: FormErrors,
        *,
        v2: bool,
        media: Callable[[str], Json | None],
        emoji_known: Callable[[str], bool],
    ) -> None:
        self._faults = faults
        self._v2 = v2
        self._media = media
        self._emoji_known = emoji_known
        self._custom_ids: set[str] = set()
        self._ids: set[int] = set()
        self._unnumbered: list[Json] = []
        self._count = 0
        self.texts: list[str] = []

    def read(self, components: Any, path: Path) -> list[Json]:
        """The whole list, with ids given to every component that had none."""
        if components is None:
            return []
        if not isinstance(components, list):
            self._faults.add(path, "LIST_TYPE_CONVERT", "Only iterables may be used in a ListType")
            return []
        if self._v2:
            result = self._list(components, path, TOP_LEVEL)
            if self._count > TOTAL_MAX:
                self._faults.add(
                    path,
                    "COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED",
                    f"The total number of components exceeds {TOTAL_MAX}",
                )
            if sum(map(len, self.texts)) > TEXT_MAX:
                self._faults.add(
                    path,
                    "COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED",
                    f"The total displayable text size exceeds max size of {TEXT_MAX}",
                )
        else:
            if len(components) > 5:
                self._faults.bad_length(path, 0, 5)
            result = self._list(components, path, frozenset((ROW,)))
        self._number()
        return result

    def _number(self) -> None:
        next_id = 1
        for component in self._unnumbered:
            while next_id in self._ids:
                next_id += 1
            component["id"] = next_id
            next_id += 1

    def _list(self, components: list[Any], path: Path, allowed: frozenset[int]) -> list[Json]:
        result = []
        for index, component in enumerate(components):
            read = self._one(component, (*path, index), allowed)
            if read is not None:
                result.append(read)
        return result

    def _one(self, component: Any, path: Path, allowed: frozenset[int]) -> Json | None:
        if not isinstance(component, dict):
            self._faults.add(path, "MODEL_TYPE_CONVERT", "Only dictionaries may be used in a ModelType")
            return None
        kind = component.get("type")
        if type(kind) is not int or kind not in allowed:
            self._faults.choice((*path, "type"), tuple(sorted(allowed)))
            return None
        self._count += 1
        result: Json = {"type": kind, "id": 0}
        given = component.get("id")
        if given:  # 0 and null mean: choose one
            if not isinstance(given, int) or given in self._ids:
                self._faults.add((*path, "id"), "COMPONENT_ID_DUPLICATED", "Component id cannot be duplicated")
            else:
                self._ids.add(given)
            result["id"] = given
        else:
            self._unnumbered.append(result)
        _READERS[kind](self, component, path, result)
        return result

    def _row(self, component: Json, path: Path, result: Json) -> None:
        children = component.get("components")
        path = (*path, "components")
        if not isinstance(children, list) or not 1 <= len(children) <= 5:
            self._faults.bad_length(path, 1, 5)
            return
        result["components"] = read = self._list(children, path, IN_ROW)
        if len(read) > 1 and any(child["type"] in SELECTS for child in read):
            words = "The specified component exceeds the maximum width"
            self._faults.add(path, "COMPONENT_LAYOUT_WIDTH_EXCEEDED", words)

    def _button(self, component: Json, path: Path, result: Json) -> None:
        faults = self._faults
        style = component.get("style")
        if style not in (1, 2, 3, 4, 5, 6):
            faults.choice((*path, "style"), (1, 2, 3, 4, 5, 6))
        result["style"] = style
        custom_id, url = component.get("custom_id"), component.get("url")
        if style == LINK:
            if not url:
                faults.add((*path, "url"), "BASE_TYPE_REQUIRED", "A url is required")
            elif not isinstance(url, str) or not url.startswith(("http://", "https://", "discord://")):
                faults.add(
                    (*path, "url"), "URL_TYPE_INVALID_SCHEME", 'Scheme must be one of ("http", "https", "discord").'
                )
            elif len(url) > 512:
                faults.too_long((*path, "url"), 512)
            else:
                result["url"] = url
            if custom_id is not None:
                faults.add(path, "BUTTON_COMPONENT_CUSTOM_ID_URL_MUTUALLY_EXCLUSIVE", "A link has no custom id")
        elif style != PREMIUM:
            self.custom_id(component, path, result)
            if url is not None:
                faults.add(
                    path,
                    "BUTTON_COMPONENT_CUSTOM_ID_URL_MUTUALLY_EXCLUSIVE",
                    "A custom id and url cannot both be specified",
                )
        label = faults.text(component, "label", path, 80)
        if label:
            result["label"] = label
        emoji = component.get("emoji")
        if emoji:
            result["emoji"] = self._emoji(emoji, (*path, "emoji"), "BUTTON_COMPONENT_INVALID_EMOJI")
        elif not label and style != PREMIUM:
            faults.required((*path, "label"))
        if component.get("disabled"):
            result["disabled"] = True

    def _emoji(self, emoji: Any, path: Path, code: str) -> Json:
        if not isinstance(emoji, dict):
            self._faults.add(path, "MODEL_TYPE_CONVERT", "Only dictionaries may be used in a ModelType")
            return {}
        name, given = emoji.get("name"), emoji.get("id")
        if given is not None:
            if not self._emoji_known(str(given)):
                self._faults.add((*path, "id"), code, "Invalid emoji")
            return {"id": str(given), "name": name or "", "animated": bool(emoji.get("animated"))}
        if not isinstance(name, str) or not name or (name.isascii() and name[0] not in "#*0123456789"):
            self._faults.add((*path, "name"), code, "Invalid emoji")
        return {"name": name}

    def custom_id(self, component: Json, path: Path, result: Json) -> None:
        """Read a custom id: 1 to 100 characters, unique in its message or form."""
        value = self._faults.text(component, "custom_id", path, 100, 1, required=True)
        if value is not None:
            if value in self._custom_ids:
                self._faults.add(
                    (*path, "custom_id"), "COMPONENT_CUSTOM_ID_DUPLICATED", "Component custom id cannot be duplicated"
                )
            self._custom_ids.add(value)
        result["custom_id"] = value

    def select(self, component: Json, path: Path, result: Json) -> None:
        """Read any of the five selects, for a message or a form."""
        faults = self._faults
        self.custom_id(component, path, result)
        placeholder = faults.text(component, "placeholder", path, 150)
        if placeholder:
            result["placeholder"] = placeholder
        lowest = faults.number(component, "min_values", path, 0, 25)
        highest = faults.number(component, "max_values", path, 1, 25)
        result["min_values"] = 1 if lowest is None else lowest
        result["max_values"] = 1 if highest is None else highest
        if result["min_values"] > result["max_values"]:
            faults.add((*path, "min_values"), "NUMBER_TYPE_MAX", "min_values cannot be larger than max_values.")
        if component.get("disabled"):
            result["disabled"] = True
        if result["type"] == SELECT:
            result["options"] = self.options(component, path, 1, 25)
            if result["max_values"] > len(result["options"]):
                faults.add(
                    (*path, "max_values"), "NUMBER_TYPE_MAX", "max_values cannot be larger than the number of options."
                )
        else:
            for key in ("default_values", "channel_types"):
                if component.get(key):
                    result[key] = component[key]

    def options(self, component: Json, path: Path, fewest: int, most: int) -> list[Json]:
        """Read the options of a string select, radio group or checkbox group."""
        faults = self._faults
        path = (*path, "options")
        result, seen = [], set()
        for here, option in faults.objects(component.get("options"), path, fewest, most):
            value = faults.text(option, "value", here, 100, 1, required=True)
            read: Json = {"label": faults.text(option, "label", here, 100, 1, required=True), "value": value}
            if value in seen:
                faults.add(
                    (*here, "value"),
                    "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED",
                    "The specified option value is already used",
                )
            seen.add(value)
            description = faults.text(option, "description", here, 100)
            if description:
                read["description"] = description
            if option.get("emoji"):
                read["emoji"] = self._emoji(option["emoji"], (*here, "emoji"), "SELECT_COMPONENT_INVALID_EMOJI")
            if option.get("default"):
                read["default"] = True
            result.append(read)
        return result

    def _text(self, component: Json, path: Path, result: Json) -> None:
        content = self._faults.text(component, "content", path, TEXT_MAX, 1, required=True) or ""
        self.texts.append(content)
        result["content"] = content

    def _section(self, component: Json, path: Path, result: Json) -> None:
        children = component.get("components")
        if not isinstance(children, list) or not 1 <= len(children) <= 3:
            self._faults.bad_length((*path, "components"), 1, 3)
            children = []
        result["components"] = self._list(children, (*path, "components"), IN_SECTION)
        if component.get("accessory") is None:
            self._faults.required((*path, "accessory"))
        else:
            result["accessory"] = self._one(component["accessory"], (*path, "accessory"), ACCESSORIES)

    def _resolved(self, media: Any, path: Path, *, only_attachments: bool = False) -> Json:
        url = media.get("url") if isinstance(media, dict) else None
        if not isinstance(url, str) or not url:
            self._faults.required((*path, "url"))
            return {}
        if len(url) > 2048:
            self._faults.too_long((*path, "url"), 2048)
        attached = url.startswith("attachment://")
        if not attached and (only_attachments or not url.startswith(("http://", "https://"))):
            self._faults.add(
                (*path, "url"), "URL_TYPE_INVALID_SCHEME", f'Scheme "{url.split(":")[0]}" is not supported.'
            )
            return {}
        found = self._media(url)
        if found is None:
            self._faults.add(
                (*path, "url"),
                "UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND",
                f"The referenced attachment {url.removeprefix('attachment://')!r} was not found",
            )
            return {}
        return found

    def _thumbnail(self, component: Json, path: Path, result: Json) -> None:
        result["media"] = self._resolved(component.get("media"), (*path, "media"))
        result["description"] = self._faults.text(component, "description", path, 1024)
        result["spoiler"] = bool(component.get("spoiler"))

    def _gallery(self, component: Json, path: Path, result: Json) -> None:
        items = component.get("items")
        path = (*path, "items")
        result["items"] = []
        if not isinstance(items, list) or not 1 <= len(items) <= 10:
            self._faults.bad_length(path, 1, 10)
            return
        for index, item in enumerate(items):
            read: Json = {}
            if isinstance(item, dict):
                self._thumbnail(item, (*path, index), read)
            else:
                self._faults.add((*path, index), "MODEL_TYPE_CONVERT", "Only dictionaries may be used in a ModelType")
            result["items"].append(read)

    def _file(self, component: Json, path: Path, result: Json) -> None:
        media = self._resolved(component.get("file"), (*path, "file"), only_attachments=True)
        result["file"] = media
        url = component["file"]["url"] if media else ""
        result["name"] = url.removeprefix("attachment://") or None
        result["size"] = media.pop("size", None)
        result["spoiler"] = bool(component.get("spoiler"))

    def _separator(self, component: Json, path: Path, result: Json) -> None:
        spacing = component.get("spacing") or 1
        if spacing not in (1, 2):
            self._faults.choice((*path, "spacing"), (1, 2))
        result["spacing"] = spacing
        result["divider"] = component.get("divider") is not False

    def _container(self, component: Json, path: Path, result: Json) -> None:
        result["accent_color"] = self._faults.number(component, "accent_color", path, 0, 0xFFFFFF)
        result["spoiler"] = bool(component.get("spoiler"))
        children = component.get("components")
        if not isinstance(children, list) or not children:
            self._faults.bad_length((*path, "components"), 1, TOTAL_MAX)
            children = []
        result["components"] = self._list(children, (*path, "components"), IN_CONTAINER)


_READERS: dict[int, Callable[[Reader, Json, Path, Json], None]] = {
    ROW: Reader._row,
    BUTTON: Reader._button,
    **dict.fromkeys(SELECTS, Reader.select),
    SECTION: Reader._section,
    TEXT: Reader._text,
    THUMBNAIL: Reader._thumbnail,
    GALLERY: Reader._gallery,
    FILE: Reader._file,
    SEPARATOR: Reader._separator,
    CONTAINER: Reader._container,
}


def find(components: list[Json], custom_id: str) -> Json | None:
    """The component with this custom id, wherever it stands."""
    for component in components:
        if component.get("custom_id") == custom_id:
            return component
        children = component.get("components")
        if children:
            found = find(children, custom_id)
            if found:
                return found
        accessory = component.get("accessory")
        if accessory and accessory.get("custom_id") == custom_id:
            return accessory  # type: ignore[no-any-return]
    return None

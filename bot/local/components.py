"""Message components: validate them as strictly as Discord does, and add the defaults that Discord adds.

Source: Discord's documentation, "Component Reference"; Discord's OpenAPI document for the limits. The error codes are
the ones that Discord's API returns.
"""

from collections.abc import Callable
from typing import Any

from bot.local.errors import FieldPath, FormErrors, Json

ACTION_ROW, BUTTON, STRING_SELECT, TEXT_INPUT, USER_SELECT, ROLE_SELECT, MENTIONABLE_SELECT, CHANNEL_SELECT = range(
    1, 9
)
SECTION, TEXT_DISPLAY, THUMBNAIL, MEDIA_GALLERY, FILE, SEPARATOR = range(9, 15)
CONTAINER, LABEL, FILE_UPLOAD, RADIO_GROUP, CHECKBOX_GROUP, CHECKBOX = 17, 18, 19, 21, 22, 23
SELECTS = frozenset((STRING_SELECT, USER_SELECT, ROLE_SELECT, MENTIONABLE_SELECT, CHANNEL_SELECT))
LINK_STYLE, PREMIUM_STYLE = 5, 6

MAX_COMPONENTS = 40
MAX_TEXT = 4000
ALLOWED_AT_TOP_LEVEL = frozenset((ACTION_ROW, SECTION, TEXT_DISPLAY, MEDIA_GALLERY, FILE, SEPARATOR, CONTAINER))
ALLOWED_IN_CONTAINER = ALLOWED_AT_TOP_LEVEL - {CONTAINER}
ALLOWED_IN_ACTION_ROW = SELECTS | {BUTTON}
ALLOWED_IN_SECTION = frozenset((TEXT_DISPLAY,))
ALLOWED_AS_ACCESSORY = frozenset((BUTTON, THUMBNAIL))


class ComponentReader:
    """Reads the components of one message or modal. Returns them as Discord's answer shows them, and notes the errors.

    Attributes:
        texts: the content of every text display that was read, in order.

    Args:
        find_media: returns the media object for ``attachment://name`` or a web address; None if there is none.
        is_known_emoji: tells whether the bot can use an emoji with this id.
    """

    def __init__(
        self,
        errors: FormErrors,
        *,
        v2: bool,
        find_media: Callable[[str], Json | None],
        is_known_emoji: Callable[[str], bool],
    ) -> None:
        self._errors = errors
        self._v2 = v2
        self._find_media = find_media
        self._is_known_emoji = is_known_emoji
        self._used_custom_ids: set[str] = set()
        self._used_ids: set[int] = set()
        self._without_id: list[Json] = []
        self._component_count = 0
        self.texts: list[str] = []

    def read(self, components: Any, path: FieldPath) -> list[Json]:
        """Return the validated list, in which every component has an id."""
        if components is None:
            return []
        if not isinstance(components, list):
            self._errors.add_not_a_list(path)
            return []
        if self._v2:
            result = self._read_children(components, path, ALLOWED_AT_TOP_LEVEL)
            if self._component_count > MAX_COMPONENTS:
                self._errors.add(
                    path,
                    "COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED",
                    f"The total number of components exceeds {MAX_COMPONENTS}",
                )
            if sum(map(len, self.texts)) > MAX_TEXT:
                self._errors.add(
                    path,
                    "COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED",
                    f"The total displayable text size exceeds max size of {MAX_TEXT}",
                )
        else:
            if len(components) > 5:
                self._errors.add_wrong_length(path, 0, 5)
            result = self._read_children(components, path, frozenset((ACTION_ROW,)))
        self._assign_ids()
        return result

    def _assign_ids(self) -> None:
        next_id = 1
        for component in self._without_id:
            while next_id in self._used_ids:
                next_id += 1
            component["id"] = next_id
            next_id += 1

    def _read_children(self, components: list[Any], path: FieldPath, allowed: frozenset[int]) -> list[Json]:
        result = []
        for index, component in enumerate(components):
            read = self._read_component(component, (*path, index), allowed)
            if read is not None:
                result.append(read)
        return result

    def _read_component(self, component: Any, path: FieldPath, allowed: frozenset[int]) -> Json | None:
        if not isinstance(component, dict):
            self._errors.add_not_a_dictionary(path)
            return None
        kind = component.get("type")
        if type(kind) is not int or kind not in allowed:
            self._errors.add_not_one_of((*path, "type"), tuple(sorted(allowed)))
            return None
        self._component_count += 1
        result: Json = {"type": kind, "id": 0}
        component_id = component.get("id")
        if component_id:  # for 0 and null Discord chooses an id
            if not isinstance(component_id, int) or component_id in self._used_ids:
                self._errors.add((*path, "id"), "COMPONENT_ID_DUPLICATED", "Component id cannot be duplicated")
            else:
                self._used_ids.add(component_id)
            result["id"] = component_id
        else:
            self._without_id.append(result)
        _READERS[kind](self, component, path, result)
        return result

    def _read_row(self, component: Json, path: FieldPath, result: Json) -> None:
        children = component.get("components")
        path = (*path, "components")
        if not isinstance(children, list) or not 1 <= len(children) <= 5:
            self._errors.add_wrong_length(path, 1, 5)
            return
        result["components"] = items = self._read_children(children, path, ALLOWED_IN_ACTION_ROW)
        if len(items) > 1 and any(item["type"] in SELECTS for item in items):
            message = "The specified component exceeds the maximum width"
            self._errors.add(path, "COMPONENT_LAYOUT_WIDTH_EXCEEDED", message)

    def _read_button(self, component: Json, path: FieldPath, result: Json) -> None:
        errors = self._errors
        style = component.get("style")
        if style not in (1, 2, 3, 4, 5, 6):
            errors.add_not_one_of((*path, "style"), (1, 2, 3, 4, 5, 6))
        result["style"] = style
        if style == LINK_STYLE:
            self._read_link(component, path, result)
        elif style != PREMIUM_STYLE:
            self.read_custom_id(component, path, result)
            if component.get("url") is not None:
                message = "A custom id and url cannot both be specified"
                errors.add(path, "BUTTON_COMPONENT_CUSTOM_ID_URL_MUTUALLY_EXCLUSIVE", message)
        label = errors.text(component, "label", path, 80)
        if label:
            result["label"] = label
        emoji = component.get("emoji")
        if emoji:
            result["emoji"] = self._read_emoji(emoji, (*path, "emoji"), "BUTTON_COMPONENT_INVALID_EMOJI")
        elif not label and style != PREMIUM_STYLE:
            errors.add_missing((*path, "label"))
        if component.get("disabled"):
            result["disabled"] = True

    def _read_link(self, component: Json, path: FieldPath, result: Json) -> None:
        errors = self._errors
        url = component.get("url")
        if not url:
            errors.add((*path, "url"), "BASE_TYPE_REQUIRED", "A url is required")
        elif not isinstance(url, str) or not url.startswith(("http://", "https://", "discord://")):
            message = 'Scheme must be one of ("http", "https", "discord").'
            errors.add((*path, "url"), "URL_TYPE_INVALID_SCHEME", message)
        elif len(url) > 512:
            errors.add_too_long((*path, "url"), 512)
        else:
            result["url"] = url
        if component.get("custom_id") is not None:
            message = "A link has no custom id"
            errors.add(path, "BUTTON_COMPONENT_CUSTOM_ID_URL_MUTUALLY_EXCLUSIVE", message)

    def _read_emoji(self, emoji: Any, path: FieldPath, code: str) -> Json:
        if not isinstance(emoji, dict):
            self._errors.add_not_a_dictionary(path)
            return {}
        name, emoji_id = emoji.get("name"), emoji.get("id")
        if emoji_id is not None:
            if not self._is_known_emoji(str(emoji_id)):
                self._errors.add((*path, "id"), code, "Invalid emoji")
            return {"id": str(emoji_id), "name": name or "", "animated": bool(emoji.get("animated"))}
        if not isinstance(name, str) or not name or (name.isascii() and name[0] not in "#*0123456789"):
            self._errors.add((*path, "name"), code, "Invalid emoji")
        return {"name": name}

    def read_custom_id(self, component: Json, path: FieldPath, result: Json) -> None:
        """Read a custom id: 1 to 100 characters, unique in its message or modal."""
        value = self._errors.text(component, "custom_id", path, 100, 1, required=True)
        if value is not None:
            if value in self._used_custom_ids:
                self._errors.add(
                    (*path, "custom_id"), "COMPONENT_CUSTOM_ID_DUPLICATED", "Component custom id cannot be duplicated"
                )
            self._used_custom_ids.add(value)
        result["custom_id"] = value

    def read_select(self, component: Json, path: FieldPath, result: Json) -> None:
        """Read any of the five kinds of select, for a message or a modal."""
        errors = self._errors
        self.read_custom_id(component, path, result)
        placeholder = errors.text(component, "placeholder", path, 150)
        if placeholder:
            result["placeholder"] = placeholder
        minimum = errors.integer(component, "min_values", path, 0, 25)
        maximum = errors.integer(component, "max_values", path, 1, 25)
        result["min_values"] = 1 if minimum is None else minimum
        result["max_values"] = 1 if maximum is None else maximum
        if result["min_values"] > result["max_values"]:
            errors.add((*path, "min_values"), "NUMBER_TYPE_MAX", "min_values cannot be larger than max_values.")
        if component.get("disabled"):
            result["disabled"] = True
        if result["type"] == STRING_SELECT:
            result["options"] = self.read_options(component, path, 1, 25)
            if result["max_values"] > len(result["options"]):
                errors.add(
                    (*path, "max_values"), "NUMBER_TYPE_MAX", "max_values cannot be larger than the number of options."
                )
        else:
            for key in ("default_values", "channel_types"):
                if component.get(key):
                    result[key] = component[key]

    def read_options(self, component: Json, path: FieldPath, minimum: int, maximum: int) -> list[Json]:
        """Read the options of a string select, radio group or checkbox group."""
        errors = self._errors
        path = (*path, "options")
        result, seen = [], set()
        for option_path, option in errors.dictionaries(component.get("options"), path, minimum, maximum):
            value = errors.text(option, "value", option_path, 100, 1, required=True)
            label = errors.text(option, "label", option_path, 100, 1, required=True)
            validated: Json = {"label": label, "value": value}
            if value in seen:
                errors.add(
                    (*option_path, "value"),
                    "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED",
                    "The specified option value is already used",
                )
            seen.add(value)
            description = errors.text(option, "description", option_path, 100)
            if description:
                validated["description"] = description
            if option.get("emoji"):
                emoji_path = (*option_path, "emoji")
                validated["emoji"] = self._read_emoji(option["emoji"], emoji_path, "SELECT_COMPONENT_INVALID_EMOJI")
            if option.get("default"):
                validated["default"] = True
            result.append(validated)
        return result

    def _read_text(self, component: Json, path: FieldPath, result: Json) -> None:
        content = self._errors.text(component, "content", path, MAX_TEXT, 1, required=True) or ""
        self.texts.append(content)
        result["content"] = content

    def _read_section(self, component: Json, path: FieldPath, result: Json) -> None:
        children = component.get("components")
        if not isinstance(children, list) or not 1 <= len(children) <= 3:
            self._errors.add_wrong_length((*path, "components"), 1, 3)
            children = []
        result["components"] = self._read_children(children, (*path, "components"), ALLOWED_IN_SECTION)
        if component.get("accessory") is None:
            self._errors.add_missing((*path, "accessory"))
        else:
            accessory_path = (*path, "accessory")
            result["accessory"] = self._read_component(component["accessory"], accessory_path, ALLOWED_AS_ACCESSORY)

    def _media_item(self, media: Any, path: FieldPath, *, only_attachments: bool = False) -> Json:
        url = media.get("url") if isinstance(media, dict) else None
        if not isinstance(url, str) or not url:
            self._errors.add_missing((*path, "url"))
            return {}
        if len(url) > 2048:
            self._errors.add_too_long((*path, "url"), 2048)
        is_attachment = url.startswith("attachment://")
        if not is_attachment and (only_attachments or not url.startswith(("http://", "https://"))):
            self._errors.add(
                (*path, "url"), "URL_TYPE_INVALID_SCHEME", f'Scheme "{url.split(":")[0]}" is not supported.'
            )
            return {}
        found = self._find_media(url)
        if found is None:
            self._errors.add(
                (*path, "url"),
                "UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND",
                f"The referenced attachment {url.removeprefix('attachment://')!r} was not found",
            )
            return {}
        return found

    def _read_thumbnail(self, component: Json, path: FieldPath, result: Json) -> None:
        result["media"] = self._media_item(component.get("media"), (*path, "media"))
        result["description"] = self._errors.text(component, "description", path, 1024)
        result["spoiler"] = bool(component.get("spoiler"))

    def _read_gallery(self, component: Json, path: FieldPath, result: Json) -> None:
        items = component.get("items")
        path = (*path, "items")
        result["items"] = []
        if not isinstance(items, list) or not 1 <= len(items) <= 10:
            self._errors.add_wrong_length(path, 1, 10)
            return
        for index, item in enumerate(items):
            validated: Json = {}
            if isinstance(item, dict):
                self._read_thumbnail(item, (*path, index), validated)  # a gallery item has a thumbnail's fields
            else:
                self._errors.add_not_a_dictionary((*path, index))
            result["items"].append(validated)

    def _read_file(self, component: Json, path: FieldPath, result: Json) -> None:
        media = self._media_item(component.get("file"), (*path, "file"), only_attachments=True)
        result["file"] = media
        url = component["file"]["url"] if media else ""
        result["name"] = url.removeprefix("attachment://") or None
        result["size"] = media.pop("size", None)
        result["spoiler"] = bool(component.get("spoiler"))

    def _read_separator(self, component: Json, path: FieldPath, result: Json) -> None:
        spacing = component.get("spacing") or 1
        if spacing not in (1, 2):
            self._errors.add_not_one_of((*path, "spacing"), (1, 2))
        result["spacing"] = spacing
        result["divider"] = component.get("divider") is not False

    def _read_container(self, component: Json, path: FieldPath, result: Json) -> None:
        result["accent_color"] = self._errors.integer(component, "accent_color", path, 0, 0xFFFFFF)
        result["spoiler"] = bool(component.get("spoiler"))
        children = component.get("components")
        if not isinstance(children, list) or not children:
            self._errors.add_wrong_length((*path, "components"), 1, MAX_COMPONENTS)
            children = []
        result["components"] = self._read_children(children, (*path, "components"), ALLOWED_IN_CONTAINER)


_READERS: dict[int, Callable[[ComponentReader, Json, FieldPath, Json], None]] = {
    ACTION_ROW: ComponentReader._read_row,
    BUTTON: ComponentReader._read_button,
    **dict.fromkeys(SELECTS, ComponentReader.read_select),
    SECTION: ComponentReader._read_section,
    TEXT_DISPLAY: ComponentReader._read_text,
    THUMBNAIL: ComponentReader._read_thumbnail,
    MEDIA_GALLERY: ComponentReader._read_gallery,
    FILE: ComponentReader._read_file,
    SEPARATOR: ComponentReader._read_separator,
    CONTAINER: ComponentReader._read_container,
}


def find_component(components: list[Json], custom_id: str) -> Json | None:
    """Return the component with this custom id, at any depth; None if there is none."""
    for component in components:
        if component.get("custom_id") == custom_id:
            return component
        children = component.get("components")
        if children:
            found = find_component(children, custom_id)
            if found:
                return found
        accessory = component.get("accessory")
        if accessory and accessory.get("custom_id") == custom_id:
            return accessory  # type: ignore[no-any-return]
    return None

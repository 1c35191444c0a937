"""A small model of a Discord message in Components V2, without discord.py: frozen values in, raw JSON components out.

Panels are built as a `Panel`; `payload` turns it into what the API takes. Every click passes here, so each block
writes its own dictionary and nothing is walked twice. `bot.render.message.limits` checks the limits.

Source: Discord component types 1, 2, 3, 5, 9, 10, 11, 12, 14, 17 and, in forms, 4, 18, 19, 21.
"""

from collections.abc import Mapping
from typing import Any, Self

from msgspec import Struct
from msgspec.structs import replace

from bot.text.formatting import shorten
from bot.text.language import ENGLISH, current

Raw = dict[str, Any]
"""One component as Discord's JSON."""

LABEL_MAX, OPTION_TEXT_MAX, PLACEHOLDER_MAX = 80, 100, 150
FORM_TITLE_MAX = FORM_LABEL_MAX = 45
FORM_HINT_MAX = FIELD_PLACEHOLDER_MAX = 100
PICTURE_TEXT_MAX = 256
"""The most characters that Discord takes."""

GALLERY = 12
"""The type of a component that shows files of the message."""

TABLE_PICTURE = "table.webp"
"""The file of a table's picture. It tells nothing, and it is the same in every hand."""

WAITING = 0xF2B233
RESULT = 0x2FA86A
LOBBY = 0x4C7DF0
FINISHED = 0x6B7280
RANKINGS = 0xC9A227

BLURPLE, GREY, GREEN, RED, LINK = 1, 2, 3, 4, 5
"""Button styles by colour: green is the action most likely wanted, blurple opens a choice, red is all-in and "anyway", grey the rest."""


class Block(Struct, frozen=True, gc=False):
    """One part of a message, from top to bottom."""

    def raw(self) -> Raw:
        """Write the block as Discord's JSON."""
        raise TypeError(f"{type(self).__name__} is not a block of a message")


class Text(Block, frozen=True, gc=False):
    """Markdown text."""

    content: str

    def raw(self) -> Raw:
        return {"type": 10, "content": self.content}


class SmallText(Block, frozen=True, gc=False):
    """Small print: every line of `content` gets its ``-# ``."""

    content: str

    def raw(self) -> Raw:
        return {"type": 10, "content": as_small_text(self.content)}


class Section(Block, frozen=True, gc=False):
    """One to three texts with a small picture beside them.

    Attributes:
        url: where the picture is on the web; it is no file of the message.
        description: the words for whoever cannot see it.
    """

    texts: tuple[Text | SmallText, ...]
    url: str
    description: str

    def raw(self) -> Raw:
        picture = {
            "type": 11,
            "media": {"url": self.url},
            "description": _fit(self.description, PICTURE_TEXT_MAX),
        }
        return {"type": 9, "components": [text.raw() for text in self.texts], "accessory": picture}


class Separator(Block, frozen=True, gc=False):
    """A gap, with a line through it unless `line` is False."""

    line: bool = True
    large: bool = False

    def raw(self) -> Raw:
        return {"type": 14, "divider": self.line, "spacing": 2 if self.large else 1}


class Picture(Block, frozen=True, gc=False):
    """A gallery with one picture: a file of the message, and the words for whoever cannot see it."""

    file_name: str
    description: str

    def raw(self) -> Raw:
        media = {"url": f"attachment://{self.file_name}"}
        return {"type": GALLERY, "items": [{"media": media, "description": _fit(self.description, PICTURE_TEXT_MAX)}]}


class Button(Struct, frozen=True, gc=False):
    """One button. `emoji` is a plain emoji or an application emoji ``<:name:id>``, always beside words."""

    label: str
    custom_id: str = ""
    style: int = GREY
    url: str = ""
    emoji: str = ""
    disabled: bool = False

    def raw(self) -> Raw:
        """Write the button as Discord's JSON; a button with an address is a link."""
        label = self.label
        if len(label) > LABEL_MAX:
            label = _fit(label, LABEL_MAX)
        if self.url:
            raw: Raw = {"type": 2, "style": LINK, "label": label, "url": self.url}
        else:
            raw = {"type": 2, "style": self.style, "label": label, "custom_id": self.custom_id}
        if self.emoji:
            raw["emoji"] = emoji_raw(self.emoji)
        if self.disabled:
            raw["disabled"] = True
        return raw


class ButtonSection(Block, frozen=True):
    """A text with a button beside it."""

    text: Text
    button: Button

    def raw(self) -> Raw:
        return {"type": 9, "components": [self.text.raw()], "accessory": self.button.raw()}


class Buttons(Block, frozen=True):
    """One row of at most five buttons."""

    buttons: tuple[Button, ...]

    def raw(self) -> Raw:
        return {"type": 1, "components": [button.raw() for button in self.buttons]}


class Option(Struct, frozen=True, gc=False):
    """One line of a select or radio group. `default` is chosen beforehand."""

    label: str
    value: str
    description: str = ""
    emoji: str = ""
    default: bool = False

    def raw(self) -> Raw:
        """Write the option as Discord's JSON."""
        raw: Raw = {"label": _fit(self.label, OPTION_TEXT_MAX), "value": self.value}
        if self.description:
            raw["description"] = _fit(self.description, OPTION_TEXT_MAX)
        if self.emoji:
            raw["emoji"] = emoji_raw(self.emoji)
        if self.default:
            raw["default"] = True
        return raw


class Select(Block, frozen=True):
    """A row with one select of at most 25 options, of which between `min_values` and `max_values` can be chosen."""

    custom_id: str
    placeholder: str
    options: tuple[Option, ...]
    min_values: int = 1
    max_values: int = 1

    def raw(self) -> Raw:
        return {"type": 1, "components": [self.select_raw()]}

    def select_raw(self) -> Raw:
        """Write the select without its row."""
        return {
            "type": 3,
            "custom_id": self.custom_id,
            "placeholder": _fit(self.placeholder, PLACEHOLDER_MAX),
            "min_values": self.min_values,
            "max_values": self.max_values,
            "options": [option.raw() for option in self.options],
        }


class UserSelect(Block, frozen=True):
    """A row with one select of people of the server, of whom between one and `max_values` can be chosen."""

    custom_id: str
    placeholder: str
    max_values: int = 1

    def raw(self) -> Raw:
        select = {
            "type": 5,
            "custom_id": self.custom_id,
            "placeholder": _fit(self.placeholder, PLACEHOLDER_MAX),
            "min_values": 1,
            "max_values": self.max_values,
        }
        return {"type": 1, "components": [select]}


class RoleSelect(Block, frozen=True):
    """A row with one select of a role of the server. `chosen` is its id beforehand, 0 for none; it can be taken out again."""

    custom_id: str
    placeholder: str
    chosen: int = 0

    def raw(self) -> Raw:
        return _optional_select(6, self.custom_id, self.placeholder, "role", self.chosen)


class ChannelSelect(Block, frozen=True):
    """A row with one select of a channel of the server. `chosen` is its id beforehand, 0 for none; it can be taken out again.

    Attributes:
        kind: the type of the channels that it offers.
    """

    custom_id: str
    placeholder: str
    chosen: int = 0
    kind: int = 0

    def raw(self) -> Raw:
        row = _optional_select(8, self.custom_id, self.placeholder, "channel", self.chosen)
        row["components"][0]["channel_types"] = [self.kind]
        return row


def _optional_select(kind: int, custom_id: str, placeholder: str, thing: str, chosen: int) -> Raw:
    select: Raw = {
        "type": kind,
        "custom_id": custom_id,
        "placeholder": _fit(placeholder, PLACEHOLDER_MAX),
        "min_values": 0,
        "max_values": 1,
    }
    if chosen:
        select["default_values"] = [{"id": str(chosen), "type": thing}]
    return {"type": 1, "components": [select]}


class Panel(Struct, frozen=True):
    """A whole message: one container with an accent colour.

    Attributes:
        until_my_hand: the number of a table: the message, a private answer, goes once its reader opens *My hand* there or that shows the
            next hand, and takes the place of an earlier one that does. 0 for none.
        stands_beside: it takes no other one's place.
    """

    accent: int
    blocks: tuple[Block, ...]
    until_my_hand: int = 0
    stands_beside: bool = False


class FormField(Struct, frozen=True):
    """One labelled question of a form."""

    custom_id: str
    label: str

    def component(self) -> Raw:
        """Write the control alone, as Discord's JSON."""
        raise TypeError(f"{type(self).__name__} is not a field of a form")

    def hint(self) -> str:
        """Return the small line under the label; empty for none."""
        return ""

    def filled(self, value: str) -> Self:
        """Return the field with an answer; as it is where that is a file."""
        return self

    def raw(self) -> Raw:
        """Write label and control as Discord's JSON."""
        raw: Raw = {"type": 18, "label": _fit(self.label, FORM_LABEL_MAX), "component": self.component()}
        hint = self.hint()
        if hint:
            raw["description"] = _fit(hint, FORM_HINT_MAX)
        return raw


class TextField(FormField, frozen=True):
    """A line (or, when `long`, several) to write in."""

    description: str = ""
    placeholder: str = ""
    value: str = ""
    required: bool = True
    max_length: int = 100
    long: bool = False

    def hint(self) -> str:
        return self.description

    def filled(self, value: str) -> Self:
        return replace(self, value=value)

    def component(self) -> Raw:
        raw: Raw = {
            "type": 4,
            "custom_id": self.custom_id,
            "style": 2 if self.long else 1,
            "required": self.required,
            "max_length": self.max_length,
        }
        if self.placeholder:
            raw["placeholder"] = _fit(self.placeholder, FIELD_PLACEHOLDER_MAX)
        if self.value:
            raw["value"] = self.value
        return raw


class RadioGroup(FormField, frozen=True):
    """Two to ten options, of which one can be chosen."""

    options: tuple[Option, ...] = ()
    description: str = ""
    required: bool = False

    def hint(self) -> str:
        return self.description

    def filled(self, value: str) -> Self:
        return replace(self, options=_chosen(self.options, value))

    def component(self) -> Raw:
        return {
            "type": 21,
            "custom_id": self.custom_id,
            "required": self.required,
            "options": [option.raw() for option in self.options],
        }


class ChoiceField(FormField, frozen=True):
    """A select of at most 25 options, of which one is chosen."""

    options: tuple[Option, ...] = ()
    description: str = ""

    def hint(self) -> str:
        return self.description

    def filled(self, value: str) -> Self:
        return replace(self, options=_chosen(self.options, value))

    def component(self) -> Raw:
        return {
            "type": 3,
            "custom_id": self.custom_id,
            "required": True,
            "options": [option.raw() for option in self.options],
        }


class FileField(FormField, frozen=True):
    """A field that takes one file."""

    description: str = ""

    def hint(self) -> str:
        return self.description

    def component(self) -> Raw:
        return {"type": 19, "custom_id": self.custom_id, "required": True, "min_values": 1, "max_values": 1}


def _chosen(options: tuple[Option, ...], value: str) -> tuple[Option, ...]:
    return tuple([replace(one, default=one.value == value) for one in options])


class Form(Struct, frozen=True):
    """A form that a click opens. Its id must differ from click to click (`bot.render.message.custom_ids.form_id`)."""

    title: str
    custom_id: str
    fields: tuple[FormField, ...]

    def filled(self, values: Mapping[str, str]) -> Self:
        """Return the form with what somebody has answered, by the ids of its fields."""
        fields = [one.filled(values[one.custom_id]) if one.custom_id in values else one for one in self.fields]
        return replace(self, fields=tuple(fields))


def _fit(text: str, maximum: int) -> str:
    """Cut a translation that is longer than Discord allows. English texts are written to fit, and tests check that they do."""
    return text if len(text) <= maximum or current() is ENGLISH else shorten(text, maximum)


def payload(panel: Panel) -> list[Raw]:
    """Write a panel as the `components` of a message with the Components V2 flag (1 << 15)."""
    return [
        {"type": 17, "accent_color": panel.accent, "components": [block.raw() for block in panel.blocks]},
    ]


def without_pictures(components: list[Raw]) -> list[Raw]:
    """Return the components of a message without its galleries: what can be sent where its files cannot."""
    return [
        {**container, "components": [part for part in container["components"] if part["type"] != GALLERY]}
        for container in components
    ]


def shows_picture(components: list[Raw]) -> bool:
    """Return whether a message has a gallery, which names a file."""
    return any(part["type"] == GALLERY for container in components for part in container.get("components", ()))


def form_payload(form: Form) -> Raw:
    """Write a form as the data of an interaction callback of type 9."""
    return {
        "custom_id": form.custom_id,
        "title": _fit(form.title, FORM_TITLE_MAX),
        "components": [field.raw() for field in form.fields],
    }


def as_small_text(content: str) -> str:
    """Put ``-# `` before every line."""
    return "-# " + content.replace("\n", "\n-# ")


def emoji_raw(emoji: str) -> Raw:
    """Write an emoji for a button or an option: ``👁`` or ``<:name:id>``."""
    if emoji.startswith("<:"):
        name, number = emoji[2:-1].split(":")
        return {"name": name, "id": number}
    return {"name": emoji}

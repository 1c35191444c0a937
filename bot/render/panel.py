"""A small model of a Discord message in Components V2, free of discord.py: frozen values in, raw JSON components out.

Layouts build a `Panel`; `payload` turns it into what the API takes. This is the hot path of every click, so each block
writes its own dictionary and nothing is walked twice. The limits are checked by `bot.render.limits`.

Source: ui §1; Discord component types 1, 2, 3, 9 to 12, 14, 17 and, in forms, 4, 18, 21.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct

Raw = dict[str, Any]
"""One component as Discord's JSON."""

WAITING = 0xF2B233
RESULT = 0x2FA86A
LOBBY = 0x4C7DF0
FINISHED = 0x6B7280
RANKINGS = 0xC9A227

BLURPLE, GREY, GREEN, RED, LINK = 1, 2, 3, 4, 5
"""Button styles by colour (ui §1): blurple opens a choice, green is the safe action, red is all-in and "anyway"."""


class Block(Struct, frozen=True, gc=False):
    """One part of a message, from top to bottom."""

    def raw(self) -> Raw:
        """Write the block as Discord's JSON."""
        raise TypeError(f"{type(self).__name__} is no block of a message")


class Text(Block, frozen=True, gc=False):
    """Markdown text."""

    content: str

    def raw(self) -> Raw:
        return {"type": 10, "content": self.content}


class Small(Block, frozen=True, gc=False):
    """Small print: every line of `content` gets its ``-# ``."""

    content: str

    def raw(self) -> Raw:
        return {"type": 10, "content": small(self.content)}


class Separator(Block, frozen=True, gc=False):
    """A gap, with a line through it unless `line` is False."""

    line: bool = True
    large: bool = False

    def raw(self) -> Raw:
        return {"type": 14, "divider": self.line, "spacing": 2 if self.large else 1}


class Button(Struct, frozen=True, gc=False):
    """One button. `emoji` is a plain emoji or an application emoji ``<:name:id>``, always beside words (ui §8)."""

    label: str
    custom_id: str = ""
    style: int = GREY
    url: str = ""
    emoji: str = ""
    disabled: bool = False

    def raw(self) -> Raw:
        """Write the button as Discord's JSON; a button with an address is a link."""
        if self.url:
            raw: Raw = {"type": 2, "style": LINK, "label": self.label, "url": self.url}
        else:
            raw = {"type": 2, "style": self.style, "label": self.label, "custom_id": self.custom_id}
        if self.emoji:
            raw["emoji"] = emoji_raw(self.emoji)
        if self.disabled:
            raw["disabled"] = True
        return raw


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
        raw: Raw = {"label": self.label, "value": self.value}
        if self.description:
            raw["description"] = self.description
        if self.emoji:
            raw["emoji"] = emoji_raw(self.emoji)
        if self.default:
            raw["default"] = True
        return raw


class Select(Block, frozen=True):
    """A row with one select of at most 25 options; between `least` and `most` of them may be chosen."""

    custom_id: str
    placeholder: str
    options: tuple[Option, ...]
    least: int = 1
    most: int = 1

    def raw(self) -> Raw:
        return {"type": 1, "components": [self.select_raw()]}

    def select_raw(self) -> Raw:
        """Write the select without its row."""
        return {
            "type": 3,
            "custom_id": self.custom_id,
            "placeholder": self.placeholder,
            "min_values": self.least,
            "max_values": self.most,
            "options": [option.raw() for option in self.options],
        }


class Section(Block, frozen=True):
    """Text with one button or one thumbnail (an address) beside it."""

    content: str
    button: Button | None = None
    thumbnail: str = ""
    description: str = ""

    def raw(self) -> Raw:
        if self.button is not None:
            beside = self.button.raw()
        else:
            beside = {"type": 11, "media": {"url": self.thumbnail}}
            if self.description:
                beside["description"] = self.description
        return {"type": 9, "components": [{"type": 10, "content": self.content}], "accessory": beside}


class Gallery(Block, frozen=True, gc=False):
    """One picture by the name of its attached file; `description` is read by everybody who gets the message."""

    file: str
    description: str

    def raw(self) -> Raw:
        return {
            "type": 12,
            "items": [{"media": {"url": f"attachment://{self.file}"}, "description": self.description}],
        }


class Panel(Struct, frozen=True):
    """A whole message: one container with an accent colour."""

    accent: int
    blocks: tuple[Block, ...]


class Field(Struct, frozen=True):
    """One labelled question of a form."""

    custom_id: str
    label: str

    def component(self) -> Raw:
        """Write the control alone, as Discord's JSON."""
        raise TypeError(f"{type(self).__name__} is no field of a form")

    def hint(self) -> str:
        """The small line under the label; empty for none."""
        return ""

    def raw(self) -> Raw:
        """Write label and control as Discord's JSON."""
        raw: Raw = {"type": 18, "label": self.label, "component": self.component()}
        hint = self.hint()
        if hint:
            raw["description"] = hint
        return raw


class TextField(Field, frozen=True):
    """A line (or, when `long`, several) to write in."""

    description: str = ""
    placeholder: str = ""
    value: str = ""
    required: bool = True
    most: int = 100
    long: bool = False

    def hint(self) -> str:
        return self.description

    def component(self) -> Raw:
        raw: Raw = {
            "type": 4,
            "custom_id": self.custom_id,
            "style": 2 if self.long else 1,
            "required": self.required,
            "max_length": self.most,
        }
        if self.placeholder:
            raw["placeholder"] = self.placeholder
        if self.value:
            raw["value"] = self.value
        return raw


class RadioGroup(Field, frozen=True):
    """Two to ten options of which one may be chosen."""

    options: tuple[Option, ...] = ()
    description: str = ""
    required: bool = False

    def hint(self) -> str:
        return self.description

    def component(self) -> Raw:
        return {
            "type": 21,
            "custom_id": self.custom_id,
            "required": self.required,
            "options": [option.raw() for option in self.options],
        }


class SelectField(Field, frozen=True):
    """A select inside a form."""

    options: tuple[Option, ...] = ()
    placeholder: str = ""
    description: str = ""
    least: int = 1
    most: int = 1
    required: bool = True

    def hint(self) -> str:
        return self.description

    def component(self) -> Raw:
        raw: Raw = {
            "type": 3,
            "custom_id": self.custom_id,
            "min_values": self.least,
            "max_values": self.most,
            "required": self.required,
            "options": [option.raw() for option in self.options],
        }
        if self.placeholder:
            raw["placeholder"] = self.placeholder
        return raw


class Form(Struct, frozen=True):
    """A form that a click opens. Its id must differ from click to click (`bot.render.ids.form`)."""

    title: str
    custom_id: str
    fields: tuple[Field, ...]


def payload(panel: Panel) -> list[Raw]:
    """Write a panel as the `components` of a message with the Components V2 flag (1 << 15)."""
    return [
        {"type": 17, "accent_color": panel.accent, "components": [block.raw() for block in panel.blocks]},
    ]


def form_payload(form: Form) -> Raw:
    """Write a form as the data of an interaction callback of type 9."""
    return {
        "custom_id": form.custom_id,
        "title": form.title,
        "components": [field.raw() for field in form.fields],
    }


def small(content: str) -> str:
    """Put ``-# `` before every line."""
    return "-# " + content.replace("\n", "\n-# ")


def emoji_raw(emoji: str) -> Raw:
    """Write an emoji for a button or an option: ``👁`` or ``<:name:id>``."""
    if emoji.startswith("<:"):
        name, number = emoji[2:-1].split(":")
        return {"name": name, "id": number}
    return {"name": emoji}

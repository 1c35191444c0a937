"""Write a panel as plain lines, as a phone shows it: for transcripts and snapshots."""

from __future__ import annotations

import re

from bot.render.house import law_pages
from bot.render.message.panel import (
    BLURPLE,
    GREEN,
    RED,
    Block,
    Button,
    Buttons,
    ButtonSection,
    Form,
    Panel,
    Picture,
    RadioGroup,
    Section,
    Select,
    Separator,
    SmallText,
    Text,
    TextField,
    as_small_text,
)
from bot.table.settings import TableSettings
from tests.support.message_limits import within_limits

_EMOJI = re.compile(r"<:(\w+):\d+>")
_MARKS = {GREEN: "+", BLURPLE: "…", RED: "!"}


def panel_as_text(panel: Panel) -> str:
    """Write a panel in lines: ``[Fold]``, ``[+Call 1,025]`` for green, ``[…Raise…]`` for blurple, ``[!All-in 13,700]`` for red."""
    return "\n".join(_block_text(block) for block in panel.blocks)


def form_as_text(form: Form) -> str:
    """Write a form in lines."""
    lines = [f"== {form.title} =="]
    for field in form.fields:
        lines.append(f"{field.label}:")
        if field.hint():
            lines.append(f"  {field.hint()}")
        if isinstance(field, TextField):
            lines.append(f"  [{field.value or field.placeholder}____]")
        elif isinstance(field, RadioGroup):
            lines += [f"  ( ) {option.label}" for option in field.options]
    return "\n".join(lines)


def _block_text(block: Block) -> str:
    match block:
        case Text(content):
            return _EMOJI.sub(r":\1:", content)
        case SmallText(content):
            return _EMOJI.sub(r":\1:", as_small_text(content))
        case Picture(_, description):
            return f"(picture: {description})"
        case Section(texts=texts, description=description):
            return "\n".join([*map(_block_text, texts), f"(thumbnail: {description})"])
        case ButtonSection(text, button):
            return f"{_block_text(text)}\n{_button(button)}"
        case Separator(line):
            return "———" if line else ""
        case Buttons(buttons):
            return " ".join(_button(button) for button in buttons)
        case Select(placeholder=placeholder, options=options):
            chosen = [f"{'*' if option.default else ''}{option.label}" for option in options]
            return f"[{placeholder} ▾] " + " | ".join(chosen)
        case _:
            return ""


def laws_as_text(settings: TableSettings, *, table: bool = True) -> str:
    """Return every section of the laws in force, one below the other, as they are opened."""
    sections = law_pages.law_sections(settings)
    pages = [
        panel_as_text(within_limits(law_pages.section_panel(settings, sections, table=table, section=section)))
        for section in range(len(sections))
    ]
    return "\n".join(pages)


def _button(button: Button) -> str:
    emoji = _EMOJI.sub(r":\1:", button.emoji)
    words = f"{emoji} {button.label}" if emoji else button.label
    off = " (off)" if button.disabled else ""
    link = f" → {button.url}" if button.url else ""
    return f"[{'' if button.url else _MARKS.get(button.style, '')}{words}{off}{link}]"

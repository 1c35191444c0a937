"""Draw what menus consist of: the select of pages, the question for a person, a form, the way back."""

from collections.abc import Collection

from bot.render.message.custom_ids import page_id
from bot.render.message.limits import OPTIONS_MAX
from bot.render.message.panel import (
    BLURPLE,
    FINISHED,
    FORM_TITLE_MAX,
    GREY,
    LOBBY,
    OPTION_TEXT_MAX,
    Block,
    Button,
    Buttons,
    Form,
    FormField,
    Option,
    Panel,
    RadioGroup,
    Select,
    Text,
    TextField,
    UserSelect,
)
from bot.text import menus as words
from bot.text.commands import COMMANDS
from bot.text.formatting import shorten
from bot.text.language import Message, t
from bot.text.leaderboards import SEASON_ORDERS
from bot.text.old_commands import DO_IT, NewName, is_now

PAGE, MOVED = "menu", "moved"
HOME, OPEN, GO, PERSON, SUBMIT = "home", "open", "go", "who", "given"
LENGTHS = {"chips": 24, "name": 40, "game": 100, "hours": 60, "zone": 60, "days": 2, "seat": 2, "changes": 500}
"""The most letters of a field; 200 for others."""
_OPTIONAL = frozenset({"why"})
_LONG = frozenset({"changes"})
_CHOICES = {"order": SEASON_ORDERS}


def page_select(command: str, pages: Collection[str] = (), placeholder: Message = words.CHOOSE_PAGE) -> Select:
    """Return the select of a menu. `pages`: those that it offers; all of them if empty."""
    known = COMMANDS[command].choices["page"]
    options = [
        Option(shorten(words.page_name(command, page), OPTION_TEXT_MAX), page)
        for page in known
        if page in (pages or known)
    ]
    # two selects of a message need two ids
    return Select(page_id(PAGE, OPEN, command, options[0].value), t(placeholder), tuple(options[:OPTIONS_MAX]))


def page_button(command: str, page: str, label: Message, style: int = GREY) -> Button:
    """Return a button that opens a page."""
    return Button(t(label), page_id(PAGE, GO, command, page), style)


def open_button(command: str, label: Message) -> Button:
    """Return a button that opens a menu."""
    return Button(t(label), page_id(PAGE, HOME, command), GREY)


def home_button(command: str) -> Button:
    """Return the button that leads back to the menu."""
    return Button(t(words.BACK, command=f"/{command}"), page_id(PAGE, HOME, command), GREY)


def person_panel(command: str, page: str, *, nobody: bool = False) -> Panel:
    """Ask for the person whom a page is about; `nobody` can be an answer."""
    blocks: list[Block] = [
        Text(words.who(command, page)),
        UserSelect(page_id(PAGE, PERSON, command, page), t(words.CHOOSE_PERSON)),
    ]
    if nobody:
        blocks.append(Buttons((Button(t(words.NOBODY), page_id(PAGE, PERSON, command, page, 0), GREY),)))
    return Panel(LOBBY, tuple(blocks))


def form(command: str, page: str, fields: tuple[str, ...], person: int, number: int) -> Form:
    """Return the form of a page.

    Args:
        person: whom it is about; 0 for nobody.
        number: differs from click to click.
    """
    title = shorten(words.page_name(command, page), FORM_TITLE_MAX)
    return Form(title, page_id(PAGE, SUBMIT, command, page, f"{person}.{number}"), tuple(map(_field, fields)))


def _field(field: str) -> FormField:
    name, hint = words.field_words(field)
    if field in _CHOICES:
        options = [
            Option(t(label), value, default=at == 0) for at, (value, label) in enumerate(_CHOICES[field].items())
        ]
        return RadioGroup(field, name, tuple(options), hint)
    return TextField(
        field,
        name,
        description=hint,
        required=field not in _OPTIONAL,
        max_length=LENGTHS.get(field, 200),
        long=field in _LONG,
    )


def moved_panel(new: NewName) -> Panel:
    """Say what a command is now, with a button that does it."""
    return Panel(FINISHED, (Text(is_now(new)), Buttons((_button_of(new),))))


def _button_of(new: NewName) -> Button:
    """Return the button that does what a command does."""
    match new.command:
        case "act" | "seat":
            button = page_id(MOVED, new.command, new.value.replace(" ", "-"))
        case "draw":
            button = page_id(MOVED, "act", "declare")
        case "play":
            button = page_id("open", "form")
        case "lobby":
            button = page_id("lobby", "all", 1)
        case "hand" if new.value == "import":
            button = page_id("import", "open")
        case "hand":
            button = page_id(MOVED, "hand", new.value or "last")
        case "stats":
            button = page_id("board", "page", 1) if new.value == "leaderboard" else page_id(PAGE, GO, "me", new.value)
        case _ if new.value:
            button = page_id(PAGE, GO, new.command, new.value)
        case _:
            button = page_id(PAGE, HOME, new.command)
    return Button(t(DO_IT), button, BLURPLE)

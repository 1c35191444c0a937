"""Draw `/me`: a person's chips and play, and below it what they can choose for themselves, each with the button that changes it."""

from collections.abc import Sequence

from msgspec import Struct

from bot.engine import cards
from bot.events.sit_and_go.state import DuelRecord
from bot.render.menus import page_button
from bot.render.message.custom_ids import page_id
from bot.render.message.panel import (
    BLURPLE,
    GREEN,
    GREY,
    RANKINGS,
    Block,
    Button,
    Buttons,
    ButtonSection,
    Option,
    Panel,
    Section,
    Select,
    Text,
)
from bot.render.table.waiting import TableThatWaits
from bot.text import chips as chip_words
from bot.text import duels as duel_words
from bot.text import me as words
from bot.text import waiting as waiting_words
from bot.text.cards import Emojis
from bot.text.language import Message, t

PAGE = "me"


class OwnChoices(Struct, frozen=True):
    """What a person has chosen for themselves.

    Attributes:
        quiet, server_quiet: their quiet hours and the server's, as `QuietHours` writes them; empty for none.
        tables: they are told of new tables here.
        cards_by_dm: their cards come by direct message, at least when they do not play from their panel.
        results: results tell their achievements; `server_results`: this server tells anybody's.
        private: nobody else can look up their statistics.
        duels: others see how many duels they have won and lost.
    """

    two_colour: bool
    large: bool
    dms: bool
    every_dm: bool
    cards_by_dm: bool
    tables: bool
    quiet: str
    server_quiet: str
    results: bool
    server_results: bool
    private: bool
    duels: bool = False


class OwnNumbers(Struct, frozen=True):
    """A person's chips and play.

    Attributes:
        rank: their place by chips; 0 for none.
        seats: seat number, channel and stack at each table of theirs.
        lines: of their play, in words.
        daily: the daily chips that they can have now; 0 for none.
        waiting: the next table that waits for them; None for none.
        duels: how many they have won and lost here.
        vacation: until when they are on vacation, in ms, 0 for not, and how many days they can take; None for who needs none.
    """

    name: str
    avatar: str
    chips: int
    rank: int
    players: int
    seats: Sequence[tuple[int, int, int]]
    lines: Sequence[str]
    daily: int
    waiting: TableThatWaits | None = None
    vacation: tuple[int, int] | None = None
    duels: DuelRecord = DuelRecord()


def me_panel(own: OwnNumbers, chosen: OwnChoices, emojis: Emojis) -> Panel:
    """Return the page. `own.name` is safe for markdown."""
    head = [f"### {own.name}", words.chips_line(own.chips, own.rank, own.players)]
    head += [words.seated_line(*seat, of_chips=own.chips) for seat in own.seats[:2]]
    head += [own.waiting.text] if own.waiting is not None else []
    text = Text("\n".join(head))
    blocks: list[Block] = [Section((text,), own.avatar, own.name) if own.avatar else text]
    if own.lines:
        blocks.append(Text("\n".join(own.lines)))
    row = [
        page_button(PAGE, "chips", words.CHIPS, BLURPLE),
        Button(t(words.STATISTICS), page_id("stats", "mine"), GREY),
        page_button(PAGE, "achievements", words.ACHIEVEMENTS),
    ]
    if own.waiting is not None:
        row.insert(0, own.waiting.button)
    if own.daily:
        row.insert(0, Button(t(chip_words.CLAIM_DAILY, chips=own.daily), page_id("chips", "daily"), GREEN))
    blocks.append(Buttons(tuple(row)))
    aces = emojis.write([cards.parse_card(card) for card in ("As", "Ah", "Ad", "Ac")])
    colours = t(words.CARDS_TWO if chosen.two_colour else words.CARDS, cards=aces)
    label = words.FOUR_COLOURS if chosen.two_colour else words.TWO_COLOURS
    blocks.append(ButtonSection(Text(colours), _switch("twocolours", chosen.two_colour, label, label)))
    large = words.switched(words.LARGE, on=chosen.large)
    blocks.append(ButtonSection(Text(large), _switch("large", chosen.large, words.LARGE_ON, words.LARGE_OFF)))
    every = chosen.dms and chosen.every_dm
    dms = t(words.DMS_EVERY) if every else words.switched(words.DMS, on=chosen.dms)
    if chosen.dms and not chosen.cards_by_dm:
        dms = t(words.DMS_OFFERED)
    blocks.append(ButtonSection(Text(dms), _switch("dms", chosen.dms, words.DMS_ON, words.DMS_OFF)))
    if chosen.dms:
        blocks.append(Buttons((_switch("every", chosen.every_dm, words.EVERY_ON, words.EVERY_OFF),)))
    tables = words.switched(words.TABLES, on=chosen.tables)
    blocks.append(ButtonSection(Text(tables), _switch("tables", chosen.tables, words.TABLES_ON, words.TABLES_OFF)))
    quiet = Text(words.quiet_line(chosen.quiet, chosen.server_quiet))
    blocks.append(ButtonSection(quiet, page_button(PAGE, "quiet", words.CHANGE_QUIET)))
    if own.vacation is not None:
        vacation = Text(waiting_words.vacation_line(*own.vacation))
        blocks.append(ButtonSection(vacation, page_button(PAGE, "vacation", waiting_words.VACATION)))
    if chosen.server_results:
        results = Text(words.switched(words.RESULTS, on=chosen.results))
        blocks.append(ButtonSection(results, _switch("results", chosen.results, words.RESULTS_ON, words.RESULTS_OFF)))
    else:
        blocks.append(Text(t(words.RESULTS_SERVER)))
    seen = tuple(
        Option(words.seen_by(private=private), value, default=private is chosen.private)
        for private, value in ((False, "all"), (True, "me"))
    )
    blocks.append(Text(t(words.PRIVACY)))
    if own.duels != DuelRecord() or chosen.duels:
        blocks.append(
            ButtonSection(
                Text(duel_words.shown_line(own.duels, shown=chosen.duels)),
                _switch("duels", chosen.duels, duel_words.SHOW, duel_words.HIDE),
            )
        )
    blocks.append(Select(page_id(PAGE, "seen"), words.seen_by(private=chosen.private), seen))
    blocks.append(Buttons((page_button(PAGE, "privacy", words.MY_DATA),)))
    return Panel(RANKINGS, tuple(blocks))


def _switch(verb: str, is_on: bool, to_on: Message, to_off: Message) -> Button:
    """Return the button that turns something on or off. Its id says which, so that a second press of it changes nothing."""
    return Button(t(to_off if is_on else to_on), page_id(PAGE, verb, "off" if is_on else "on"), GREY)

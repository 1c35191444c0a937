"""Draw what a sit-and-go asks about chips: rebuys, and what its host chooses about bounties and prizes."""

from collections.abc import Mapping, Sequence

from bot.events.sit_and_go.finishes import prize_table
from bot.events.sit_and_go.prizes import PrizeTable, by_icm
from bot.events.sit_and_go.state import SitAndGo
from bot.render.message.custom_ids import page_id
from bot.render.message.panel import (
    GREEN,
    GREY,
    WAITING,
    Block,
    Button,
    Buttons,
    Form,
    Option,
    Panel,
    Select,
    Text,
    TextField,
)
from bot.text import rebuys as words
from bot.text.language import t
from bot.text.sit_and_go import PRIZE_TABLES

PAGE = "sng"
"""The name of the page in the ids of its buttons."""
LATE_LEVELS = (0, 2, 3, 4, 6)
"""Until which level people can be let in after the start, and rebuy; 0 for never (SG-11)."""
BOUNTY_PERCENTS = (0, 25, 50, 100)
"""The bounties that are offered, in percent of the buy-in (SG-10)."""
_REBUYS = "r"
"""Marks a choice of late entry that lets people rebuy too."""


def question_blocks(table: int, event: SitAndGo, *, acts_in_panel: bool = False) -> list[Block]:
    """Return the question who rebuys, as everybody sees it, with its answers; empty where nobody is asked (SG-9).

    Args:
        acts_in_panel: who is asked has the answers in their own panel.
    """
    if event.rebuy_question is None:
        return []
    text = Text(words.question_text(event))
    return [text] if acts_in_panel else [text, Buttons(tuple(rebuy_buttons(table, event)))]


def rebuy_buttons(table: int, event: SitAndGo, wallet: int | None = None) -> list[Button]:
    """Return the answers to the question whether somebody rebuys. `wallet`: what they can pay; None for whatever it costs."""
    settings = event.settings
    label = t(words.REBUY) if settings.is_free else t(words.REBUY_FOR, chips=settings.buy_in)
    buttons = []
    if wallet is None or wallet >= settings.buy_in:
        buttons.append(Button(label, page_id(PAGE, "rebuy", table, event.hands), GREEN))
    if settings.bounty and (wallet is None or wallet >= settings.entry_cost):
        with_bounty = t(words.REBUY_WITH_BOUNTY, chips=settings.entry_cost)
        buttons.append(Button(with_bounty, page_id(PAGE, "rebuybounty", table, event.hands), GREEN))
    return [*buttons, Button(t(words.NO_REBUY), page_id(PAGE, "norebuy", table, event.hands), GREY)]


def question_panel(table: int, number: int, event: SitAndGo, wallet: int) -> Panel:
    """Ask somebody without chips, for them alone, whether they rebuy, with the answers that their wallet can pay.

    Args:
        number: of the table, as people know it.
        wallet: the chips in theirs.
    """
    buttons = Buttons(tuple(rebuy_buttons(table, event, wallet)))
    return Panel(WAITING, (Text(words.own_question(event, number, wallet)), buttons))


def is_asked(event: SitAndGo, user: int) -> bool:
    """Tell whether somebody is asked whether they rebuy."""
    return event.rebuy_question is not None and user in event.rebuy_question.waiting


# What the host chooses


def choice_selects(table: int, event: SitAndGo) -> list[Block]:
    """Return the host's choices about late entry and rebuys, the bounty, the prizes, and short big blinds."""
    settings = event.settings
    late = [(level, rebuys) for level in LATE_LEVELS for rebuys in ((False, True) if level else (False,))]
    blocks: list[Block] = [
        Select(
            page_id(PAGE, "late", table),
            t(words.LATE_ENTRY),
            tuple(
                [
                    Option(
                        words.late_label(level, rebuys=rebuys),
                        f"{level}{_REBUYS if rebuys else ''}",
                        default=(level, rebuys) == (settings.late_until, settings.rebuys),
                    )
                    for level, rebuys in late
                ]
            ),
        )
    ]
    if not settings.is_free:
        blocks += [_bounties(table, event), _prizes(table, event)]
    short = tuple([Option(t(label), str(int(one)), default=one is settings.ante_first) for one, label in _SHORT_POSTS])
    return [*blocks, Select(page_id(PAGE, "short", table), t(words.CHOOSE_SHORT_POST), short)]


_SHORT_POSTS = tuple(words.SHORT_POSTS.items())


def bounty_chips(buy_in: int, percent: int) -> int:
    """Return the chips of a bounty that is so many percent of the buy-in; at least one chip if it is any."""
    return max(1, buy_in * percent // 100) if percent and buy_in else 0


def _bounties(table: int, event: SitAndGo) -> Select:
    chips = [bounty_chips(event.settings.buy_in, percent) for percent in BOUNTY_PERCENTS]
    options = [
        Option(words.bounty_label(one), str(one), default=one == event.settings.bounty) for one in dict.fromkeys(chips)
    ]
    return Select(page_id(PAGE, "bounty", table), t(words.CHOOSE_BOUNTY), tuple(options))


def _prizes(table: int, event: SitAndGo) -> Select:
    chosen, percents = event.settings.prizes, event.settings.percents
    options = [Option(t(label), kind, default=kind is chosen) for kind, label in PRIZE_TABLES.items()]
    own = t(words.OWN_PRIZES_NOW, percents=words.percents_text(percents)) if percents else t(words.OWN_PRIZES)
    options.append(Option(own, PrizeTable.OWN, default=chosen is PrizeTable.OWN))
    return Select(page_id(PAGE, "prizes", table), t(words.CHOOSE_PRIZES), tuple(options))


def read_late(value: str) -> tuple[int, bool]:
    """Return the level until which people can enter and whether they can rebuy, as it was chosen; 0 for what was not offered."""
    level, rebuys = value.removesuffix(_REBUYS), value.endswith(_REBUYS)
    return (int(level), rebuys) if level.isdecimal() and int(level) in LATE_LEVELS else (0, False)


def prize_table_form(table: int, event: SitAndGo, number: int) -> Form:
    """Ask for a prize table of the host's own. `number` differs from click to click."""
    percents = words.percents_text(event.settings.percents or (50, 30, 20))
    field = TextField(
        "percents", t(words.OWN_PRIZES_FIELD), description=t(words.OWN_PRIZES_HINT), value=percents, max_length=60
    )
    return Form(t(words.OWN_PRIZES_TITLE), page_id(PAGE, "percents", table, number), (field,))


def amounts_form(table: int, event: SitAndGo, stacks: Mapping[int, int], number: int) -> Form:
    """Ask what each of those still in would get; the chances of their stacks stand in it at first (SG-12).

    Args:
        stacks: by player, in the order of the lines.
    """
    shares = by_icm(prize_table(event)[: len(stacks)], stacks)
    field = TextField(
        "amounts",
        t(words.AMOUNTS_FIELD),
        description=t(words.AMOUNTS_HINT, chips=words.left_to_divide(event)),
        value=words.amounts_lines(event, shares),
        max_length=1_000,
        long=True,
    )
    return Form(t(words.AMOUNTS_TITLE), page_id(PAGE, "amounts", table, number), (field,))


def read_percents(text: str) -> tuple[int, ...]:
    """Return the percents that were typed; () for what is none."""
    found = text.replace("%", " ").replace("·", " ").replace("/", " ").replace(",", " ").split()
    return tuple(map(int, found)) if all(one.isdecimal() and len(one) <= 3 for one in found) else ()


def read_amounts(text: str, players: Sequence[int]) -> tuple[tuple[int, int], ...]:
    """Return what each player gets, by the lines of the form in its order: the last number of each. Lines that are missing are left out."""
    amounts = []
    for line in filter(str.strip, text.splitlines()):
        digits = "".join([sign for sign in line.rpartition(":")[2] if sign.isdecimal()])
        amounts.append(int(digits) if 0 < len(digits) <= 15 else -1)
    return tuple(zip(players, amounts, strict=False)) if len(amounts) == len(players) else ()

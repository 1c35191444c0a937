"""Panels about files of hands that somebody gives: the form, what came of each hand, and a hand street by street."""

from collections.abc import Sequence

from bot.render.hand.replay_ids import FILE_PAGE as PAGE
from bot.render.hand.replay_ids import HANDS_LISTED, file_hands_id, file_step_id
from bot.render.message.custom_ids import page_id
from bot.render.message.panel import (
    BLURPLE,
    FINISHED,
    GREY,
    LOBBY,
    OPTION_TEXT_MAX,
    RESULT,
    WAITING,
    Block,
    Button,
    Buttons,
    FileField,
    Form,
    Option,
    Panel,
    Select,
    SmallText,
    Text,
)
from bot.text import hand_files as words
from bot.text.checked_hands import CheckedFile, CheckedHand, ToldPage
from bot.text.formatting import relative_time, shorten
from bot.text.hand_files import Verdict
from bot.text.language import t
from bot.text.replay import REPLAY

FILE_FIELD = "file"
FAULTS_TOLD = 8
FAULT_LENGTH_MAX = 700


def import_form(interaction: int) -> Form:
    """Return the form that takes a file. `interaction` makes its id different from every other form's."""
    hint = t(words.IMPORT_HINT, megabytes=words.MAX_FILE_BYTES // 1_000_000)
    field = FileField(FILE_FIELD, t(words.IMPORT_FIELD), hint)
    return Form(t(words.IMPORT_TITLE), page_id(PAGE, "given", interaction), (field,))


def import_button() -> Button:
    """Return the button that opens the form."""
    return Button(t(words.IMPORT_BUTTON), page_id(PAGE, "open"), GREY)


def checked_panel(
    id_: int, name: str, checked: CheckedFile, first: int = 0, *, until: int = 0, kept: bool = True
) -> Panel:
    """Return what came of a file: how many hands play, the faults of the others, and a select to look at one.

    Args:
        id_: of the file.
        first: the index of the first hand that is listed.
        until: when the file is forgotten, in Unix seconds. kept: it is there after a restart.
    """
    if checked.error:
        return Panel(FINISHED, (Text(checked.error), Buttons((import_button(),))))
    hands = checked.hands
    lines = [words.file_line(name, checked.kind, len(hands))]
    for verdict in Verdict:
        count = sum(hand.verdict == verdict for hand in hands)
        if count:
            lines.append(words.outcome_line(verdict, count))
    if checked.stopped:
        lines.append(t(words.STOPPED))
    elif checked.more:
        lines.append(t(words.NOT_READ, count=checked.more))
    faulty = [hand for hand in hands if hand.fault]
    blocks: list[Block] = [Text("\n".join(lines))]
    if faulty:
        told = [t(words.HAND_LINE, number=hand.number, fault=shorten(hand.fault, 330)) for hand in faulty[:FAULTS_TOLD]]
        if len(faulty) > FAULTS_TOLD:
            told.append(t(words.MORE_FAULTS, count=len(faulty) - FAULTS_TOLD))
        blocks.append(Text("\n".join(told)))
    listed = hands[first : first + HANDS_LISTED]
    if listed:
        options = tuple(_option(hand) for hand in listed)
        blocks.append(Select(page_id(PAGE, "hand", id_), t(words.CHOOSE_HAND), options))
    buttons = [import_button()]
    if len(hands) > HANDS_LISTED:
        following = first + HANDS_LISTED if first + HANDS_LISTED < len(hands) else 0
        buttons.append(Button(t(words.NEXT_HANDS), page_id(PAGE, "list", id_, following), BLURPLE))
    blocks.append(Buttons(tuple(buttons)))
    expires = t(words.KEPT_UNTIL if kept else words.REMEMBERED_UNTIL, time=relative_time(until))
    blocks.append(SmallText(f"{t(words.COUNTS_NOWHERE)}\n{expires}"))
    return Panel(WAITING if faulty else RESULT, tuple(blocks))


def _option(hand: CheckedHand) -> Option:
    label = t(words.HAND_OPTION, number=hand.number, verdict=t(words.VERDICTS[Verdict(hand.verdict)]))
    return Option(shorten(label, OPTION_TEXT_MAX), str(hand.number), shorten(hand.plain_title, OPTION_TEXT_MAX))


def verdict(hand: CheckedHand) -> str:
    """Return what the dealer says of a hand: what is wrong with it, or that all is right."""
    return shorten(hand.fault, FAULT_LENGTH_MAX) if hand.fault else t(words.ALL_RIGHT)


def hand_panel(id_: int, hand: CheckedHand, pages: Sequence[ToldPage], page: int = 1) -> Panel:
    """Return a hand street by street, one page a street.

    Args:
        page: counted from 1.
    """
    page = max(1, min(page, len(pages)))
    heading = words.HAND_TITLE if hand.title else words.HAND_UNTITLED
    blocks: list[Block] = [Text(t(heading, number=hand.number, title=hand.title)), Text(verdict(hand))]
    if not pages:
        blocks.append(SmallText(t(words.NO_LOG)))
    else:
        shown = pages[page - 1]
        blocks.append(Text(f"**{shown.title}**\n{shown.text}"))
        of = f"{id_}.{hand.number}"
        buttons = [
            Button(t(words.FIRST), page_id(PAGE, "first", of, 1), GREY, disabled=page == 1),
            Button(t(words.BACK), page_id(PAGE, "back", of, max(1, page - 1)), GREY, disabled=page == 1),
            Button(
                t(words.NEXT),
                page_id(PAGE, "next", of, min(len(pages), page + 1)),
                BLURPLE,
                disabled=page == len(pages),
            ),
            Button(t(words.LAST), page_id(PAGE, "last", of, len(pages)), GREY, disabled=page == len(pages)),
        ]
        blocks += [SmallText(t(words.PAGE_OF, page=page, pages=len(pages))), Buttons(tuple(buttons))]
    back = [Button(t(words.BACK_TO_LIST), file_hands_id(id_, hand.number), GREY)]
    if hand.replay:
        back.insert(0, Button(t(REPLAY), file_step_id("open", id_, hand.number, 1), GREY))
    blocks.append(Buttons(tuple(back)))
    return Panel(LOBBY if pages else FINISHED, tuple(blocks))

"""Private choices beside the betting: cards to change, give up or pass, their order, a word, what wild cards stand for (ui §5 e).

Everything chosen so far travels in the ids of the next buttons, so a choice outlives a restart and nothing is kept in memory.
"""

from __future__ import annotations

from bot.engine import cards
from bot.engine.cards import RANK_NAMES, SUIT_NAMES
from bot.engine.designating import Designations, best_designation, may_be, wild_cards
from bot.engine.legal import Decision, Legal
from bot.engine.view import CardSeen, SeatView
from bot.render.cards import words
from bot.render.codes import Meanings, order_code, read_meanings, read_order, read_set, set_code
from bot.render.ids import Verb, press
from bot.render.limits import OPTIONS_MAX
from bot.render.panel import BLURPLE, GREEN, GREY, WAITING, Block, Button, Buttons, Option, Panel, Select, Small, Text
from bot.render.private import cards_lines, made_line, own_seat
from bot.render.scene import Scene

_DOES = {Decision.DRAW: "Discard", Decision.DROP: "Give up", Decision.PASS: "Pass"}
_DONE = {Decision.DRAW: "Draw", Decision.DROP: "Give up", Decision.PASS: "Pass"}
_ABOUT = {
    Decision.DROP: "They are gone for good; nobody sees them.",
    Decision.PASS: "They go to a player on your left, when everybody has chosen.",
}
_TURNS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")
_FACE_VALUE = "face"
SECRET = "-# Nobody sees it before everybody has chosen."


def choice_panel(scene: Scene) -> Panel:
    """The private choice that is asked of the viewer now."""
    match _legal(scene).decision:
        case Decision.ARRANGE:
            return order_panel(scene)
        case Decision.DECLARE | Decision.RUN_TWICE:
            return declare_panel(scene)
        case Decision.SHOW:
            return meaning_panel(scene)
        case _:
            return discard_panel(scene)


def discard_panel(scene: Scene, chosen: tuple[int, ...] = ()) -> Panel:
    """The choice of cards to change, give up or pass; `chosen` are places in the pack, from the select."""
    seat, legal = own_seat(scene), _legal(scene)
    turn = scene.view.turn
    mine = _changeable(seat)[:OPTIONS_MAX]
    most = min(legal.most, len(mine))
    does = _DOES.get(legal.decision, "Choose")
    blocks: list[Block] = [Text("\n".join(_heading(scene, seat, _ABOUT.get(legal.decision, ""))))]
    if legal.decision is Decision.DRAW and scene.view.opened == scene.view.viewer:
        blocks.append(Small("You have opened. Who lays his openers away is announced as splitting them · Law VC-20"))
    if mine and most:
        ask = f"{does} up to {most}" if legal.least < most else f"{does} {most}"
        options = tuple(_option(scene, seen, at, default=seen.place in chosen) for at, seen in enumerate(mine))
        select = press(scene.table, scene.hand, turn, Verb.CHOSEN)
        blocks.append(Select(select, ask, options, min(legal.least, most), most))
    marked = [at for at, seen in enumerate(mine) if seen.place in chosen]
    buttons: list[Button] = []
    if marked and legal.least <= len(marked) <= most:
        noun = "card" if len(marked) == 1 else "cards"
        done = press(scene.table, scene.hand, turn, Verb.DRAW, set_code(marked))
        buttons.append(Button(f"{_DONE.get(legal.decision, 'Choose')} {len(marked)} {noun}", done, GREEN))
    if legal.decision is Decision.DRAW:
        buttons.append(Button("Stand pat", press(scene.table, scene.hand, turn, Verb.PAT), GREY))
    if buttons:
        blocks.append(Buttons(tuple(buttons)))
    return Panel(WAITING, tuple(blocks))


def marked_places(seat: SeatView, values: tuple[str, ...]) -> tuple[int, ...]:
    """Read the select of cards: the places of the cards that were marked."""
    mine = _changeable(seat)
    return tuple(mine[int(value)].place for value in values if value.isdecimal() and int(value) < len(mine))


def chosen_places(seat: SeatView, code: int) -> tuple[int, ...]:
    """Read which cards a ``Draw 3 cards`` button stands for."""
    mine = _changeable(seat)
    return tuple(mine[at].place for at in read_set(code) if at < len(mine))


def order_panel(scene: Scene, code: int = 0) -> Panel:
    """The choice of an order, card by card: which is turned up first, which next. `code` says which have been named."""
    seat = own_seat(scene)
    turn = scene.view.turn
    mine = _changeable(seat)
    order = [at for at in read_order(code) if at < len(mine)]
    left = [at for at in range(len(mine)) if at not in order]
    if len(left) == 1:
        order, left = [*order, left[0]], []
    lines = _heading(scene, seat, "Your cards are turned up one by one in this order, with betting between.")
    if order:
        lines.append("**Order** " + " → ".join([_word(scene, mine[at]) for at in order]))
    blocks: list[Block] = [Text("\n".join(lines))]
    if left:
        options = tuple(_option(scene, mine[at], at) for at in left)
        select = press(scene.table, scene.hand, turn, Verb.ORDER, order_code(order))
        blocks.append(Select(select, f"Turned up {_TURNS[len(order)]}…", options))
    buttons: list[Button] = []
    if not left:
        buttons.append(Button("Keep this order", _arranged(scene, order), GREEN))
    elif not order:
        buttons.append(Button("As they were dealt", _arranged(scene, left), GREY))
    if order:
        buttons.append(Button("Start over", press(scene.table, scene.hand, turn, Verb.DISCARDS), GREY))
    blocks.append(Buttons(tuple(buttons)))
    return Panel(WAITING, tuple(blocks))


def next_order(code: int, at: int) -> int:
    """Add the next card, by its number among the viewer's, to an order."""
    order = read_order(code)
    return order_code((*order, at)) if at not in order and 0 <= at < OPTIONS_MAX else code


def ordered_places(seat: SeatView, code: int) -> tuple[int, ...]:
    """Read the order that a ``Keep this order`` button stands for."""
    mine = _changeable(seat)
    return tuple(mine[at].place for at in read_order(code) if at < len(mine))


def declare_panel(scene: Scene) -> Panel:
    """The choice of what to say; publicly only ``declared`` until everybody has."""
    seat, legal = own_seat(scene), _legal(scene)
    turn = scene.view.turn
    title = "Run the board twice?" if legal.decision is Decision.RUN_TWICE else "Declare"
    lines = [f"### {title}", *cards_lines(scene, seat), *made_line(scene, seat), SECRET]
    buttons = tuple(
        Button(word[:1].upper() + word[1:], press(scene.table, scene.hand, turn, Verb.WORD, number), BLURPLE)
        for number, word in enumerate(legal.words, 1)
    )
    return Panel(WAITING, (Text("\n".join(lines)), Buttons(buttons)))


def word_chosen(legal: Legal, number: int) -> str:
    """Read which word a button stands for; "" for none."""
    return legal.words[number - 1] if 0 < number <= len(legal.words) else ""


def meaning_panel(scene: Scene, code: int = 0, rank: int = -1) -> Panel:
    """What wild cards stand for and which way aces play, said before hands are compared (W-7, LO-3).

    Args:
        code: what has been said so far.
        rank: the rank chosen for the wild card that is asked about; its suit is asked next.
    """
    seat, legal = own_seat(scene), _legal(scene)
    wild = wild_cards(scene.view, legal)
    said = read_meanings(code, len(wild))
    lines = ["### Before you show", *cards_lines(scene, seat)]
    lines += [_meant(scene, card, said.cards[at]) for at, (_, card) in enumerate(wild)]
    blocks: list[Block] = []
    at = said.asked
    if at >= 0:
        _, card = wild[at]
        blocks += _asked(scene, said, at, card, may_be(scene.view, card, _others(wild, said)), rank)
    blocks.append(Buttons(tuple(_shows(scene, legal, wild, said))))
    if not said.word and legal.words:
        lines.append("-# Aces are high or low both ways, as you say (Law LO-3).")
    return Panel(WAITING, (Text("\n".join(lines)), *blocks))


def said_at_show(scene: Scene, code: int) -> tuple[Designations, str]:
    """Read what a ``Show`` button says: what wild cards stand for, and the word on aces."""
    legal = _legal(scene)
    wild = wild_cards(scene.view, legal)
    said = read_meanings(code, len(wild))
    pairs = tuple(
        (place, card) for (place, _), card in zip(wild, said.cards, strict=True) if card is not None and card >= 0
    )
    return pairs, word_chosen(legal, said.word)


def settled(scene: Scene, code: int, value: str) -> tuple[int, int]:
    """Read the select of ranks: what has been said now, and the rank whose suit is asked next (-1: nothing more of this card)."""
    legal = _legal(scene)
    said = read_meanings(code, len(legal.designate))
    if value.isdecimal() and int(value) < len(RANK_NAMES):
        return code, int(value)
    return (said.say(said.asked, -1).code if said.asked >= 0 else code), -1


def _asked(
    scene: Scene, said: Meanings, at: int, card: int, lawful: tuple[int, ...], rank: int
) -> list[Block]:  # fmt: skip
    """The question about one wild card: a select of ranks, and for a chosen rank its suits as buttons."""
    turn = scene.view.turn
    name = cards.name(card)
    ranks = sorted({meant >> 2 for meant in lawful}, reverse=True)
    options = [Option(RANK_NAMES[one].capitalize(), str(one), default=one == rank) for one in ranks]
    options.append(Option("Its face value", _FACE_VALUE))
    select = press(scene.table, scene.hand, turn, Verb.MEANING, said.code)
    blocks: list[Block] = [Select(select, f"The {name} stands for…", tuple(options))]
    if rank >= 0:
        suits = [meant for meant in lawful if meant >> 2 == rank]
        if suits:
            blocks.append(
                Buttons(
                    tuple(
                        Button(
                            f"of {SUIT_NAMES[meant & 3]}",
                            press(scene.table, scene.hand, turn, Verb.SETTLED, said.say(at, meant).code),
                            BLURPLE,
                            emoji=scene.emojis.for_option(meant),
                        )
                        for meant in suits
                    )
                )
            )
    return blocks


def _shows(scene: Scene, legal: Legal, wild: Designations, said: Meanings) -> list[Button]:
    """The buttons that show: as said, or what makes the best hand; one for each word on aces."""
    turn = scene.view.turn
    best = dict(best_designation(scene.view, legal))
    proposal = tuple(best.get(place, -1) for place, _ in wild)
    meanings = [("Show", tuple(-1 if card is None else card for card in said.cards))]
    if wild and said.asked >= 0:
        if not any(card is not None for card in said.cards):
            meanings = [("Best hand", proposal)]
        elif said.cards != proposal:
            meanings = [("Show so", meanings[0][1])]
    buttons: list[Button] = []
    for label, meant in meanings:
        for number, word in enumerate(legal.words, 1) if legal.words else ((0, ""),):
            show = press(scene.table, scene.hand, turn, Verb.SHOW, Meanings(meant, number).code)
            buttons.append(Button(f"{label}, {word}" if word else label, show, GREEN))
    if said.code:
        buttons.append(Button("Start over", press(scene.table, scene.hand, turn, Verb.DISCARDS), GREY))
    return buttons


def _others(wild: Designations, said: Meanings) -> tuple[tuple[int, int], ...]:
    pairs = zip(wild, said.cards, strict=True)
    return tuple((card, meant) for (_, card), meant in pairs if meant is not None and meant >= 0)


def _meant(scene: Scene, card: int, meant: int | None) -> str:
    what = "…" if meant is None else "its face value" if meant < 0 else cards.name(meant)
    return f"{scene.emojis.one(card)} as {what}"


def _heading(scene: Scene, seat: SeatView, about: str) -> list[str]:
    lines = ["### Your cards", "# " + scene.emojis.row([seen.card for seen in seat.cards]), *made_line(scene, seat)]
    if about:
        lines.append(f"-# {about}")
    return lines


def _option(scene: Scene, seen: CardSeen, at: int, *, default: bool = False) -> Option:
    assert seen.card is not None
    return Option(words((seen.card,)), str(at), emoji=scene.emojis.for_option(seen.card), default=default)


def _word(scene: Scene, seen: CardSeen) -> str:
    return scene.emojis.one(seen.card)


def _arranged(scene: Scene, order: list[int]) -> str:
    return press(scene.table, scene.hand, scene.view.turn, Verb.ARRANGE, order_code(order))


def _changeable(seat: SeatView) -> list[CardSeen]:
    """The seat's cards that lie face down: those it may change, give up, pass or arrange."""
    return [seen for seen in seat.cards if seen.card is not None and seen.place >= 0 and not seen.up]


def _legal(scene: Scene) -> Legal:
    legal = scene.view.legal
    assert legal is not None, "a choice without somebody to choose"
    return legal

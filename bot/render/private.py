"""What one player alone gets: hole cards by DM, Peek, the choice of cards, forms, small questions (ui §5 c, e, f)."""

from __future__ import annotations

from bot.engine import cards
from bot.engine.legal import Decision, Legal
from bot.engine.ranking import long_name
from bot.engine.view import SeatState, SeatView
from bot.render import controls, escape, ids
from bot.render.betting import sizes
from bot.render.cards import words
from bot.render.ids import Verb, press
from bot.render.limits import OPTIONS_MAX
from bot.render.panel import (
    BLURPLE,
    FINISHED,
    GREEN,
    GREY,
    LOBBY,
    WAITING,
    Block,
    Button,
    Buttons,
    Field,
    Form,
    Option,
    Panel,
    RadioGroup,
    Select,
    Text,
    TextField,
)
from bot.render.scene import Scene
from bot.render.table import boards_small

AMOUNT_FIELD = "to"
SIZE_FIELD = "size"


def hole_cards_dm(scene: Scene, link: str, note: str = "") -> Panel:
    """A player's cards as a direct message.

    `link` leads to the table; `note` is the game's own advice, ``Use exactly two of these``.
    """
    seat = _own(scene)
    dealer = scene.view.button
    parts = [f"Seat {seat.number}", f"stakes {scene.view.stakes}"]
    if dealer == seat.number:
        parts.append("you are the dealer")
    elif any(one.number == dealer for one in scene.view.seats):
        parts.append(f"dealer {scene.name(dealer)}")
    elif dealer:
        parts.append(f"dealer button at seat {dealer}")
    lines = [f"### {escape.name(scene.title)} · {scene.view.game} · Hand #{scene.hand}", *_cards_lines(scene, seat)]
    if note:
        lines.append(f"-# {note}")
    lines.append("-# " + " · ".join(parts))
    return Panel(
        LOBBY,
        (
            Text("\n".join(lines)),
            Buttons(
                (
                    Button("Go to table", url=link, emoji="↗️"),
                    Button("Stop sending DMs", press(scene.table, scene.hand, 0, Verb.DM_OFF), GREY),
                )
            ),
        ),
    )


def peek_panel(scene: Scene, note: str = "") -> Panel:
    """A player's cards, what they make, the board and what there is to call: the answer to Peek.

    Every fact that a table's picture shows without text is here.
    """
    seat = _own(scene)
    view = scene.view
    lines = [f"### Your cards · Hand #{scene.hand}", *_cards_lines(scene, seat)]
    if seat.state is SeatState.FOLDED:
        lines.append("You have folded this hand.")
    elif seat.made is not None and any(view.boards):
        made = long_name(seat.made)
        lines.append(f"**{made[:1].upper()}{made[1:]}**")
    board = boards_small(scene)
    if board:
        lines += [f"Board {line}" for line in board.split("\n")]
    behind = "all-in" if seat.state is SeatState.ALL_IN else f"chips behind {seat.stack:,}"
    parts = [behind, f"pot {view.pot:,}"]
    if seat.state is SeatState.LIVE and view.level > seat.bet:
        parts.append(f"{min(view.level - seat.bet, seat.stack):,} to call")
    if note:
        lines.append(f"-# {note}")
    lines.append("-# Only you can see this. " + (" · ".join(parts))[:1].upper() + (" · ".join(parts))[1:])
    return Panel(WAITING, (Text("\n".join(lines)),))


def no_cards_panel(scene: Scene) -> Panel:
    """The answer to Peek of somebody who is not in the hand: the table in words, without anybody's cards."""
    view = scene.view
    lines = [f"You have no cards in hand #{scene.hand}."]
    board = boards_small(scene)
    if board:
        lines += [f"Board {line}" for line in board.split("\n")]
    lines.append(f"-# Pot {view.pot:,}")
    return Panel(FINISHED, (Text("\n".join(lines)),))


def fold_question(scene: Scene) -> Panel:
    """Asked once, privately, when a check is free (TL-36)."""
    return Panel(WAITING, (Text("**Checking is free here.** Fold anyway?"), controls.fold_question(scene)))


def raise_form(scene: Scene, legal: Legal, user: int) -> Form:
    """The form behind ``Raise…`` or ``Bet…``: a total to write, or a size to pick. What is written counts first."""
    word = "Bet" if legal.opening else "Raise"
    offered = sizes(legal)
    named = (
        ("Minimum", "min", legal.min_to),
        ("Half pot", "half", offered.half),
        ("Pot", "pot", offered.pot),
        ("Most", "max", offered.most),
        ("All-in", "all", offered.all_in),
    )
    options = tuple(Option(f"{label} · {to:,}", value) for label, value, to in named if to)
    everything = "pot or all" if offered.all_in else "pot or max"
    fields: list[Field] = [
        TextField(
            AMOUNT_FIELD,
            "Bet" if legal.opening else "Raise to",
            description=f"Between {legal.min_to:,} and {legal.max_to:,}. You may write 4000, 4k, ½, {everything}.",
            required=len(options) < 2,
            most=24,
        )
    ]
    if len(options) >= 2:
        fields.append(RadioGroup(SIZE_FIELD, "…or pick a size", options))
    return Form(word, ids.form(scene.table, scene.hand, scene.view.turn, Verb.SIZE, user), tuple(fields))


def discard_panel(scene: Scene, chosen: tuple[int, ...] = ()) -> Panel:
    """The private choice of cards to change, give up or pass; `chosen` are places in the pack, from the select."""
    seat = _own(scene)
    legal = scene.view.legal
    assert legal is not None, "a choice of cards without somebody to choose"
    lines = ["### Your cards", "# " + scene.emojis.row([seen.card for seen in seat.cards])]
    if seat.made is not None:
        made = long_name(seat.made)
        lines.append(f"{made[:1].upper()}{made[1:]}")
    mine = [seen for seen in seat.cards if seen.card is not None and seen.place >= 0][:OPTIONS_MAX]
    options = tuple(
        Option(
            words((seen.card,)),
            str(seen.place),
            emoji=scene.emojis.for_option(seen.card),
            default=seen.place in chosen,
        )
        for seen in mine
        if seen.card is not None
    )
    verb = {Decision.DRAW: "Discard", Decision.DROP: "Give up", Decision.PASS: "Pass"}.get(legal.decision, "Choose")
    most = min(legal.most, len(options))
    ask = f"{verb} up to {most}" if legal.least < most else f"{verb} {most}"
    turn = scene.view.turn
    blocks: list[Block] = [Text("\n".join(lines))]
    if options and most:
        select = press(scene.table, scene.hand, turn, Verb.CHOSEN)
        blocks.append(Select(select, ask, options, min(legal.least, most), most))
    count = len([seen for seen in mine if seen.place in chosen])
    buttons: list[Button] = []
    if count and legal.least <= count <= most:
        noun = "card" if count == 1 else "cards"
        does = "Draw" if legal.decision is Decision.DRAW else verb
        mask = sum(1 << at for at, seen in enumerate(seat.cards) if seen.place in chosen)
        done = press(scene.table, scene.hand, turn, Verb.DRAW, mask)
        buttons.append(Button(f"{does} {count} {noun}", done, GREEN))
    if legal.decision is Decision.DRAW:
        buttons.append(Button("Stand pat", press(scene.table, scene.hand, turn, Verb.PAT), GREY))
    if buttons:
        blocks.append(Buttons(tuple(buttons)))
    return Panel(WAITING, tuple(blocks))


def chosen_places(seat: SeatView, mask: int) -> tuple[int, ...]:
    """Read which cards a ``Draw 3 cards`` button stands for: its amount has a bit for each of the seat's cards."""
    return tuple(seen.place for at, seen in enumerate(seat.cards) if mask >> at & 1 and seen.place >= 0)


def declare_panel(scene: Scene) -> Panel:
    """The private choice of what to declare; publicly only ``declared`` until everybody has (ui §5 e)."""
    legal = scene.view.legal
    assert legal is not None, "a declaration without somebody to declare"
    seat = _own(scene)
    options = tuple(Option(word[:1].upper() + word[1:], word) for word in legal.words)
    lines = ["### Declare", *_cards_lines(scene, seat), "-# Nobody sees it before everybody has declared."]
    select = Select(press(scene.table, scene.hand, scene.view.turn, Verb.WORD), "How does your hand play?", options)
    return Panel(WAITING, (Text("\n".join(lines)), select))


def dm_refused_panel() -> Panel:
    """Told once when Discord refuses the direct message (50007)."""
    return Panel(
        FINISHED,
        (
            Text(
                "I could not send you a DM (your privacy settings block it).\n"
                "Use **Peek** on the table message — it shows your cards only to you."
            ),
        ),
    )


def dm_switched_panel(table: int, *, on: bool) -> Panel:
    """The answer to turning direct messages off or on."""
    if on:
        text = "Your hole cards will come by DM, and by **Peek** on the table message."
        button = Button("Stop sending DMs", press(table, 0, 0, Verb.DM_OFF), GREY)
    else:
        text = "No more DMs. **Peek** on the table message shows your cards only to you."
        button = Button("Send DMs again", press(table, 0, 0, Verb.DM_ON), BLURPLE)
    return Panel(FINISHED, (Text(text), Buttons((button,))))


def _own(scene: Scene) -> SeatView:
    seat = scene.own()
    assert seat is not None, "private cards need the player's own view"
    return seat


def _cards_lines(scene: Scene, seat: SeatView) -> list[str]:
    """The seat's cards big and in words; where some lie open, hidden and open ones apart."""
    hidden = [seen.card for seen in seat.cards if not seen.up]
    opened = [seen.card for seen in seat.cards if seen.up]
    if not seat.cards:
        return ["You hold no cards now."]
    if not opened or not hidden:
        row = hidden or opened
        return ["# " + scene.emojis.row(row), words([card for card in row if card is not None])]
    return [
        f"**Hidden** {scene.emojis.row(hidden)} **Open** {scene.emojis.row(opened)}",
        f"Hidden: {words([card for card in hidden if card is not None]).lower()}. "
        f"Open: {', '.join(cards.name(card) for card in opened if card is not None)}.",
    ]

"""What one player alone gets: hole cards by DM, Peek, the choice of cards, forms, small questions (ui §5 c, e, f)."""

from __future__ import annotations

from bot.engine import cards
from bot.engine.legal import Decision, Legal
from bot.engine.ranking import AT_MOST_TWO, EXACTLY_TWO, long_name
from bot.engine.view import HandView, SeatState, SeatView
from bot.render import controls, escape, ids, preselecting
from bot.render.betting import sizes
from bot.render.cards import Emojis, words
from bot.render.ids import Verb, press
from bot.render.legal_words import you_may
from bot.render.panel import (
    BLURPLE,
    FINISHED,
    GREY,
    LOBBY,
    RESULT,
    WAITING,
    Button,
    Buttons,
    Field,
    Form,
    Option,
    Panel,
    RadioGroup,
    Small,
    Text,
    TextField,
)
from bot.render.scene import Scene
from bot.render.table import boards_small
from bot.table.preselected import Early

AMOUNT_FIELD = "to"
SIZE_FIELD = "size"


def hole_cards_dm(scene: Scene, link: str) -> Panel:
    """A player's cards as a direct message. `link` leads to the table."""
    seat = own_seat(scene)
    dealer = scene.view.button
    parts = [escape.name(scene.mixture)] if scene.mixture else []
    parts += [f"Seat {seat.number}", f"stakes {scene.view.stakes}"]
    if dealer == seat.number:
        parts.append("you are the dealer")
    elif any(one.number == dealer for one in scene.view.seats):
        parts.append(f"dealer {scene.name(dealer)}")
    elif dealer:
        parts.append(f"dealer button at seat {dealer}")
    lines = [f"### {escape.name(scene.title)} · {scene.view.game} · Hand #{scene.hand}", *cards_lines(scene, seat)]
    if not scene.view.to_come[1] and not any(scene.view.boards):
        lines += made_line(scene, seat)
    note = advice(scene)
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


def peek_panel(scene: Scene, early: Early | None = None) -> Panel:
    """A player's cards, what they make, the board, what there is to call and what may be done: the answer to Peek.

    Every fact that a table's picture shows without text is here. `early`: what he may choose before his turn, and has chosen (TL-34).
    """
    seat = own_seat(scene)
    view = scene.view
    lines = [f"### Your cards · Hand #{scene.hand}", *cards_lines(scene, seat)]
    if seat.state is SeatState.FOLDED:
        lines.append("You have folded this hand.")
    else:
        lines += made_line(scene, seat)
    board = boards_small(scene)
    if board:
        lines += [f"Board {line}" for line in board.split("\n")]
    behind = "all-in" if seat.state is SeatState.ALL_IN else f"chips behind {seat.stack:,}"
    parts = [behind, f"pot {view.pot:,}"]
    if seat.state is SeatState.LIVE and view.level > seat.bet and _can_call(view):
        parts.append(f"{min(view.level - seat.bet, seat.stack):,} to call")
    may = you_may(view.legal) if not view.over else ""
    if may:
        lines.append(may)
    if early is not None:
        lines += preselecting.lines(scene, early)
    note = advice(scene)
    if note:
        lines.append(f"-# {note}")
    lines.append("-# Only you can see this. " + (" · ".join(parts))[:1].upper() + (" · ".join(parts))[1:])
    return Panel(WAITING, (Text("\n".join(lines)), *(preselecting.buttons(scene, early) if early is not None else ())))


def after_draw_panel(scene: Scene, said: str) -> Panel:
    """What was drawn, to who drew: the receipt, then the cards he holds now."""
    seat = own_seat(scene)
    return Panel(RESULT, (Text("\n".join([said, *cards_lines(scene, seat), *made_line(scene, seat)])),))


def _can_call(view: HandView) -> bool:
    """Whether the level can be called now: before a stake limit's opening, and while something else is asked, it cannot."""
    acting = view.acting
    return acting is not None and acting.decision is Decision.BET and not (acting.owe and not acting.call)


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
    offered = sizes(legal, scene.view.limit)
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


def wishes_panel(emojis: Emojis, *, two_colour: bool, by_dm: bool) -> Panel:
    """What a player has chosen for himself, with an ace of each suit as he sees it."""
    colours = "two colours, black and red" if two_colour else "four colours, one for each suit"
    ways = "by DM, and by **Peek**" if by_dm else "by **Peek** alone"
    example = emojis.row([cards.parse(word) for word in ("As", "Ah", "Ad", "Ac")])
    lines = (
        "### How your cards look",
        f"# {example}",
        f"Your cards have {colours}, wherever only you see them. They come {ways}.",
    )
    return Panel(FINISHED, (Text("\n".join(lines)), Small("Change it: `/cards colours:` and `/cards dms:`")))


def own_seat(scene: Scene) -> SeatView:
    """The viewer's own seat."""
    seat = scene.own()
    assert seat is not None, "private cards need the player's own view"
    return seat


def cards_lines(scene: Scene, seat: SeatView) -> list[str]:
    """The seat's cards big and in words; where some lie open, hidden and open ones apart; what is wild among them."""
    hidden = [seen.card for seen in seat.cards if not seen.up]
    opened = [seen.card for seen in seat.cards if seen.up]
    if not seat.cards:
        return ["You hold no cards now."]
    if not opened or not hidden:
        row = hidden or opened
        lines = ["# " + scene.emojis.row(row), words([card for card in row if card is not None])]
    else:
        lines = [
            f"**Hidden** {scene.emojis.row(hidden)} **Open** {scene.emojis.row(opened)}",
            f"Hidden: {words([card for card in hidden if card is not None]).lower()}. "
            f"Open: {', '.join(cards.name(card) for card in opened if card is not None)}.",
        ]
    if seat.wild:
        lines.append(f"Wild: {', '.join(cards.name(card) for card in seat.wild)}")
    return lines


def made_line(scene: Scene, seat: SeatView) -> list[str]:
    """What the seat's cards make so far, for both halves where the pot is shared; nothing while a board has still to come."""
    if seat.made is None or (scene.view.to_come[1] and not any(scene.view.boards)):
        return []
    if not seat.halves:
        made = long_name(seat.made)
        return [f"**{made[:1].upper()}{made[1:]}**"]
    return [f"**{share[:1].upper()}{share[1:]}: {long_name(made)}**" for share, made in seat.halves]


def advice(scene: Scene) -> str:
    """How many own cards play, where the game says so: ``Exactly two of these play.``"""
    rules = [(share.name, share.ranking.from_hole) for share in scene.view.shares]
    said = list(dict.fromkeys(_PLAY[rule] for _, rule in rules if rule in _PLAY))
    if len(said) == 1 and all(rule in _PLAY for _, rule in rules):
        return f"{said[0]} of these play."
    return " ".join(
        [f"{name[:1].upper()}{name[1:]}: {_PLAY[rule].lower()} play." for name, rule in rules if rule in _PLAY]
    )


_PLAY: dict[tuple[int, int] | None, str] = {EXACTLY_TWO: "Exactly two", AT_MOST_TWO: "At most two", (5, 5): "All five"}

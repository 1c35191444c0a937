"""What is asked at a table between two deals: cut, first deal, next game, bomb pot, an exchange of seats; and a claimed misdeal.

Only what the table's own options ask for stands here, and only what is to be done now: a plain hold'em table shows none of it.

Source: laws D-1 to D-7, D-13, I-2, TL-29, P-12, VC-20, VC-28, VC-29; ui §1, §5.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from bot.engine.cards import RANK_PLURALS
from bot.engine.mixes import Change
from bot.engine.options import Cut, FirstDealer
from bot.render import escape, ids, shifts
from bot.render.cards import Emojis
from bot.render.ids import Verb, press
from bot.render.legal_words import joined
from bot.render.limits import OPTION_TEXT_MAX, OPTIONS_MAX, cut
from bot.render.panel import BLURPLE, GREEN, GREY, Block, Button, Buttons, Form, Option, Select, Text, TextField
from bot.render.scene import NBSP, ago
from bot.table import events as was
from bot.table.state import Exchange
from bot.table.view import MixedView, TableView

DRAWN_TOLD = 3
"""Cards drawn for the first deal that are told one by one; of more the one that decided."""
POINTS_FIELD, PLACE_FIELD = "points", "place"


def between_blocks(table: int, view: TableView, exchange: Exchange | None, emojis: Emojis) -> list[Block]:
    """What may be done before the next deal; nothing where nothing is asked."""
    lines: list[str] = []
    buttons: list[Button] = []
    selects: list[Block] = []
    _replay(view, lines)
    _games(table, view, lines, selects)
    _first_deal(table, view, emojis, lines, buttons)
    _cut(table, view, lines, buttons)
    _bomb(table, view, lines, buttons)
    _exchange(table, view, exchange, lines, buttons)
    blocks: list[Block] = [Text("\n".join(lines))] if lines else []
    blocks += selects
    if buttons:
        blocks.append(Buttons(tuple(buttons)))
    return blocks


def claim_blocks(table: int, view: TableView, claims: tuple[int, ...], players: tuple[int, ...]) -> list[Block]:
    """Somebody says that the running deal was irregular: who has, and the button for the others."""
    if not claims:
        return []
    names = _names(view)
    who = ", ".join([names.get(player, f"<@{player}>") for player in claims])
    people = sum(player > 0 for player in players)
    text = (
        f"**{who}** {'says' if len(claims) == 1 else 'say'} that this deal was irregular ({len(claims)} of {people})."
    )
    text += "\n-# It does not count once everybody dealt in says so, before there is substantial action · Law TL-29"
    return [Text(text), Buttons((Button("Misdeal", press(table, view.hand, 0, Verb.MISDEAL), GREY),))]


def cut_form(table: int, hand: int, user: int, size: int) -> Form:
    """Ask where the pack is cut (D-7)."""
    field = TextField(
        POINTS_FIELD,
        "Cards from the top",
        description=f"5 to {size - 5}; two numbers make three packets, as 20 35",
        placeholder=str(size // 2),
        most=12,
    )
    return Form("Cut the pack", ids.form(table, hand, 0, Verb.CUT, user), (field,))


def lot_form(table: int, hand: int, user: int, size: int) -> Form:
    """Ask where somebody cuts for the first deal (D-2)."""
    field = TextField(PLACE_FIELD, "Place in the pack", description=f"1 to {size}, counted from the top", most=6)
    return Form("Cut for the first deal", ids.form(table, hand, 0, Verb.LOT, user), (field,))


def told(events: Iterable[object], names: Mapping[int, str], seats: Mapping[int, str], emojis: Emojis) -> str:
    """What was done before everybody's eyes: cards drawn for the first deal or for seats, the pack shuffled or cut.

    `names` are by user id, `seats` by seat number; both safe for markdown.
    """
    for event in events:
        match event:
            case was.ButtonDrawn(cards, seat):
                return f"First deal: {_drawn(cards, seat, seats, emojis)} · {_seat(seats, seat)} deals"
            case was.SeatsDrawn(cards):
                drawn = ", ".join([f"{names.get(user, f'<@{user}>')} {emojis.one(card)}" for user, card in cards])
                return f"Seats are drawn: {drawn}" if drawn else "Seats are drawn"
            case was.CutAgain(tied):
                return f"The lowest cards are equal: {' and '.join([_seat(seats, at) for at in tied])} cut again"
            case was.ReplayDropped():
                return "Too few of the last deal's players are left to play it again: the next deal is an ordinary one"
            case was.Adjusted(moved):
                return f"Everybody agreed to an adjustment: {shifts.told(moved, dict(names))} · Law H-3"
            case was.SeatsExchanged(seat, other):
                return f"{_seat(seats, seat)} and {_seat(seats, other)} have exchanged seats"
            case was.HandBegan(cut=points, cut_by=by) if by:
                return f"{_seat(seats, by)} cut the pack at {' and '.join(map(str, points))}"
            case _:
                continue
    return ""


def _drawn(cards: tuple[tuple[int, int], ...], winner: int, seats: Mapping[int, str], emojis: Emojis) -> str:
    """The cards drawn for the first deal, where they are few; else the one that decided, so that it stays one line on a phone."""
    if len(cards) <= DRAWN_TOLD:
        return ", ".join([f"{_seat(seats, at)} {emojis.one(card)}" for at, card in cards])
    deciding = next(card for at, card in reversed(cards) if at == winner)
    return f"{emojis.one(deciding)} of {len(cards)} cards drawn"


def _replay(view: TableView, lines: list[str]) -> None:
    """A deal that did not count is dealt again: to whom, and who waits because of it (TL-29)."""
    if not view.replay:
        return
    waiting = [f"**{escape.name(seat.name)}**" for seat in view.seats if seat.kept_out]
    said = "-# The deal is played again: same players, the button stays"
    if waiting:
        said += f" · {joined(waiting, 'and')} {'joins' if len(waiting) == 1 else 'join'} at the next hand after it"
    lines.append(said + " · Law TL-29")


def _games(table: int, view: TableView, lines: list[str], selects: list[Block]) -> None:
    mixed, rotation = view.mixed, view.settings.rotation
    if mixed is not None and rotation is not None:
        if mixed.due:
            chooser = _seat({seat.number: escape.name(seat.name) for seat in view.seats}, mixed.chooser)
            default = escape.text(mixed.games[rotation.default])
            lines.append(f"▶ **{chooser}** chooses the next game {ago(-(-mixed.due // 1000))}; else it is {default}")
            options = tuple(
                Option(cut(game, OPTION_TEXT_MAX), str(place)) for place, game in enumerate(mixed.games[:OPTIONS_MAX])
            )
            selects.append(Select(press(table, view.hand, 0, Verb.CHOOSE_GAME), "Choose the next game…", options))
        else:
            lines.append(_where(mixed, rotation.change, rotation.deals))
    opens = view.settings.card.openers
    if opens is not None and view.openers > opens:
        lines.append(f"-# The next deal is opened with {RANK_PLURALS[view.openers]} or better · Law VC-20")


def _where(mixed: MixedView, change: Change, deals: int) -> str:
    """Where a mixed table is in its games: ``H.O.R.S.E. · now **Razz** (2 of 3) · then Stud``."""
    said = f"-# {escape.text(mixed.name)} · now **{escape.text(mixed.games[mixed.place])}**"
    of = {Change.DEALS: deals, Change.LAP: mixed.lap}.get(change, 0)
    if of:
        said += f" ({mixed.deals} of {of} hands)"
    if change is not Change.CHOICE:
        said += f" · then {escape.text(mixed.games[(mixed.place + 1) % len(mixed.games)])}"
    return said


def _first_deal(table: int, view: TableView, emojis: Emojis, lines: list[str], buttons: list[Button]) -> None:
    """Drawing or cutting for the first deal, where the table does it in an old way (D-1, D-2)."""
    how = view.settings.options.first_dealer
    if view.button or view.pack.cutter or view.needs_players or how is FirstDealer.HIGH_CARD:
        return
    if how is FirstDealer.LOW_CUT:
        cut_so_far = ", ".join(
            [f"{_seat(_seats(view), seat)} {emojis.one(card)}" for seat, card in view.pack.lots]
        )  # fmt: skip
        lines.append("Cut for the first deal: the lowest card deals." + (f" {cut_so_far}" if cut_so_far else ""))
        buttons.append(Button("Cut for the deal…", press(table, view.hand, 0, Verb.LOT), BLURPLE))
    else:
        lines.append("The first jack makes its receiver dealer.")
    buttons.append(Button("Draw for deal", press(table, view.hand, 0, Verb.DRAW_DEAL), GREY))


def _cut(table: int, view: TableView, lines: list[str], buttons: list[Button]) -> None:
    """The cut, where it must be made (D-5)."""
    pack = view.pack
    if pack.points:
        lines.append(f"-# {_seat(_seats(view), pack.cut_by)} has cut the pack at {' and '.join(map(str, pack.points))}")
        return
    if view.settings.options.cut is not Cut.MUST or not pack.cutter or not view.next_hand_at:
        return
    lines.append(f"▶ **{_seat(_seats(view), pack.cutter)}** cuts the pack {ago(-(-view.next_hand_at // 1000))}")
    buttons.append(Button("Cut…", press(table, view.hand, 0, Verb.CUT), BLURPLE))
    often = f"Shuffle ({pack.shuffles})" if pack.shuffles else "Shuffle"
    buttons.append(Button(often, press(table, view.hand, 0, Verb.SHUFFLE), GREY))


def _bomb(table: int, view: TableView, lines: list[str], buttons: list[Button]) -> None:
    if view.settings.bomb is None:
        return
    if view.bomb and not view.needs_players:
        lines.append("**The next hand is a bomb pot**")
        return
    if view.needs_players:
        return
    people = sum(not seat.practice for seat in view.seats)
    if people:
        votes = f"Bomb pot {len(view.bomb_votes)}/{people}" if view.bomb_votes else "Bomb pot"
        buttons.append(Button(votes, press(table, view.hand, 0, Verb.BOMB), GREY))


def _exchange(table: int, view: TableView, exchange: Exchange | None, lines: list[str], buttons: list[Button]) -> None:
    """Two who want to exchange seats: the other has to ask the same, and then nobody may object (P-12)."""
    if exchange is None:
        return
    names = _names(view)
    one, other = (names.get(user, f"<@{user}>") for user in (exchange.player, exchange.other))
    if exchange.due:
        lines.append(
            f"**{one}** and **{other}** exchange seats {ago(-(-exchange.due // 1000))}, unless somebody objects"
        )
        if view.proposal is None:
            buttons.append(Button("Object", press(table, view.hand, 0, Verb.OBJECT), GREY))
        return
    lines.append(f"**{one}** asks **{other}** to exchange seats")
    seat = next((line.number for line in view.seats if line.player == exchange.player), 0)
    buttons.append(Button("Exchange seats", press(table, view.hand, 0, Verb.EXCHANGE, seat), GREEN))


def _seats(view: TableView) -> dict[int, str]:
    return {seat.number: escape.name(seat.name) for seat in view.seats}


def _names(view: TableView) -> dict[int, str]:
    return {seat.player: escape.name(seat.name) for seat in view.seats}


def _seat(seats: Mapping[int, str], number: int) -> str:
    return seats.get(number, f"seat{NBSP}{number}")

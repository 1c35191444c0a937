"""The end of a hand: the result with its pots (ui §5 d), the small record it shrinks to, and the hand told in words."""

from __future__ import annotations

from msgspec.structs import replace

from bot.engine.ranking import long_name
from bot.engine.view import PaymentView, SeatState, SeatView
from bot.render import escape
from bot.render.cards import SIGNS
from bot.render.ids import Verb, press
from bot.render.limits import ROW_BUTTONS_MAX, TEXT_MAX, lines_within, text_length
from bot.render.panel import FINISHED, GREEN, GREY, RESULT, Block, Button, Buttons, Gallery, Panel, Text
from bot.render.scene import NBSP, Scene, ago, in_seat_order, known_cards
from bot.render.table import boards_big, boards_small, pot_names, wild_line

WINNERS_NAMED = 4
_MORE = "-# … `/hand` tells the rest"
_ROOM = TEXT_MAX - 1_100  # what heading, board and the lines after the pots take at most


def result_panel(
    scene: Scene, *, next_at: int = 0, next_dealer: int = 0, waiting_for: str = "", picture: Gallery | None = None
) -> Panel:
    """Draw a finished hand: who won what with which cards.

    Where emojis would burst Discord's 4,000 characters (ten Omaha hands, many pots), cards are written as signs; what
    is too long even so ends with the way to read on.

    Args:
        next_at: when the next hand starts, in Unix seconds; 0 when none is due.
        next_dealer: table seat number of the next dealer; 0 when unknown.
        waiting_for: why no hand is due, in our own words: ``Waiting for a second player``.
        picture: the picture of the showdown, if one is sent.
    """
    panel = _result(scene, next_at, next_dealer, waiting_for, picture)
    if scene.emojis.marks and text_length(panel) > TEXT_MAX:
        plainer = replace(scene, emojis=SIGNS)
        panel = _result(plainer, next_at, next_dealer, waiting_for, picture)
    return panel


def shrunk_panel(scene: Scene) -> Panel:
    """What is left of a hand's message after the next deal: who won, the board, how it ended."""
    view = scene.view
    lines = [f"**Hand #{scene.hand}** · {_won_line(scene)}"]
    board = boards_small(scene)
    if board:
        lines.append(board)
    count = f"{view.turn:,} action" + ("" if view.turn == 1 else "s")
    ended = (
        "void" if view.voided else "showdown" if view.showdown else "passed out" if view.passed_out else "no showdown"
    )
    game = f"{scene.game()} · " if scene.mixture else ""
    lines.append(f"-# {escape.name(scene.title)} · {game}{count} · {ended}")
    return Panel(FINISHED, (Text("\n".join(lines)),))


def winners(scene: Scene) -> list[tuple[SeatView, int]]:
    """Who was paid, the most first, with the chips of all pots together."""
    paid = {seat.seat: 0 for seat in scene.view.seats}
    for payment in scene.view.payments:
        paid[payment.seat] += payment.chips
    found = [(seat, paid[seat.seat]) for seat in in_seat_order(scene.view) if paid[seat.seat]]
    return sorted(found, key=lambda one: -one[1])


def outcome_lines(scene: Scene) -> list[str]:
    """How a hand ended: its pots and winners at a showdown, else who won; with who else showed, mucked or had folded."""
    if scene.view.voided:
        return []
    won = [] if scene.view.showdown else [f"**{_headline(scene)}**"]
    return [*won, *_pots(scene), *_others(scene)]


def _result(scene: Scene, next_at: int, next_dealer: int, waiting_for: str, picture: Gallery | None) -> Panel:
    view = scene.view
    assert view.viewer is None, "a player's own view in a public message"
    ended = (
        "Cancelled"
        if view.voided
        else "Showdown"
        if view.showdown
        else "Passed out"
        if view.passed_out
        else "No showdown"
    )
    wild = f" · {wild_line(view)}" if view.showdown and wild_line(view) else ""
    game = f"{scene.game()} · " if scene.mixture else ""  # else the table plays it all evening
    blocks: list[Block] = [
        Text(f"### {_headline(scene)}\n-# {escape.name(scene.title)} · {game}Hand #{scene.hand} · {ended}{wild}"),
    ]
    if picture is not None:
        blocks.append(picture)
    elif any(view.boards):
        blocks.append(Text(boards_big(scene)))
    if not view.voided:
        lines = [*_pots(scene), *_others(scene)]
        if not scene.emojis.marks:
            lines = lines_within(lines, _ROOM, _MORE)
        told = "\n".join(lines)
        if told:
            blocks.append(Text(told))
    after = _after(scene, next_at, next_dealer, waiting_for)
    if after:
        blocks.append(Text(after))
    blocks += _buttons(scene)
    return Panel(FINISHED if view.voided else RESULT, tuple(blocks))


def _headline(scene: Scene) -> str:
    view = scene.view
    if view.voided:
        return f"Hand #{scene.hand} was cancelled"
    if view.passed_out:
        return f"{'Everybody is out' if any(seat.word for seat in view.seats) else 'Nobody opened'} · {_waits(view.carried)}"
    named = winners(scene)
    parts = [f"{scene.name(seat.number)} wins {chips:,}" for seat, chips in named[:WINNERS_NAMED]]
    if len(named) > WINNERS_NAMED:
        parts.append(f"{len(named) - WINNERS_NAMED} more")
    if not parts and view.returned is not None:  # nobody met the forced stake: it goes back to who put it in
        seat_back, chips = view.returned
        return f"{scene.name(view.seats[seat_back].number)} takes back {chips:,}"
    return " · ".join(parts) or f"Hand #{scene.hand} is over"


def _won_line(scene: Scene) -> str:
    if scene.view.voided:
        return "cancelled, all bets returned"
    if scene.view.passed_out:
        return f"passed out, {_waits(scene.view.carried)}"
    named = winners(scene)
    parts = [f"{scene.name(seat.number)} won {chips:,}" for seat, chips in named[:WINNERS_NAMED]]
    if len(named) > WINNERS_NAMED:
        parts.append(f"{len(named) - WINNERS_NAMED} more")
    return " · ".join(parts) or "nobody met the stake"


def _pots(scene: Scene) -> list[str]:
    """One block for each pot: its size and winners, the winning cards with their name, the odd chip."""
    view = scene.view
    if not view.payments or not view.showdown:
        return []
    count = max(payment.pot for payment in view.payments) + 1
    names = pot_names(count)
    lines: list[str] = []
    told: set[tuple[int, str]] = set()
    for pot in range(count):
        paid = [payment for payment in view.payments if payment.pot == pot]
        if not paid:
            continue
        chips = sum(payment.chips for payment in paid)
        boards = sorted({payment.board for payment in paid})
        if len(boards) == 1 and len(view.boards) < 2:
            lines.append(f"**{names[pot]} {chips:,}** → {_shares(scene, paid)}")
        else:
            lines.append(f"**{names[pot]} {chips:,}**")
            for board in boards:
                on_it = [payment for payment in paid if payment.board == board]
                lines.append(f"Board {board + 1} → {_shares(scene, on_it, told=True)}")
        for seat in dict.fromkeys(payment.seat for payment in paid):
            made = _made([payment for payment in paid if payment.seat == seat])
            if not made:  # who showed first has shown, though the others then mucked
                made = [_held(view.seats[seat])]
            key = (seat, " · ".join(made))
            line = _hand_line(scene, seat, key[1], named=len({payment.seat for payment in paid}) > 1)
            if line and key not in told:
                told.add(key)
                lines.append(line)
        odd = [scene.name(view.seats[payment.seat].number) for payment in paid if payment.odd]
        if odd:
            lines.append(f"-# odd {'chip' if len(odd) == 1 else 'chips'} to {', '.join(dict.fromkeys(odd))}")
    return lines


def _shares(scene: Scene, paid: list[PaymentView], *, told: bool = False) -> str:
    """``NightOwl``; ``Mia 4,725 · Zoë 4,725``; ``high NightOwl 4,725 · low Mia 4,725``. `told`: the chips even of one alone."""
    numbers = [scene.view.seats[payment.seat].number for payment in paid]
    if len(paid) == 1 and paid[0].share == "pot" and not told:
        return scene.name(numbers[0])
    parts: list[str] = []
    share = "pot"
    for payment, number in zip(paid, numbers, strict=True):
        lead = f"{payment.share} " if payment.share != share else ""
        share = payment.share
        parts.append(f"{lead}{scene.name(number)} {payment.chips:,}")
    return " · ".join(parts)


def _made(won: list[PaymentView]) -> list[str]:
    """What a seat won with, each hand once: ``two pair, aces and threes``, ``8-6-4-3-2``."""
    return list(dict.fromkeys(long_name(payment.made) for payment in won if payment.made is not None))


def _hand_line(scene: Scene, at: int, made: str, *, named: bool) -> str:
    """A winner's cards and what they make; nothing where the pot was not contested."""
    seat = scene.view.seats[at]
    known = known_cards(scene, seat)
    if not made or not known:
        return ""
    who = f"{scene.name(seat.number)} " if named else ""
    return f"{who}{known} {made}"


def _others(scene: Scene) -> list[str]:
    """Small print: who showed and lost, who mucked, who had folded, what came back uncalled."""
    view = scene.view
    paid = {payment.seat for payment in view.payments}
    lines: list[str] = []
    losers: list[str] = []
    folded: list[str] = []
    for seat in in_seat_order(view):
        name = scene.name(seat.number)
        if seat.state is SeatState.FOLDED:
            folded.append(f"{seat.number}{NBSP}{name}")
        known = known_cards(scene, seat)
        if seat.proof:
            lines.append(f"-# {name} shows openers {scene.emojis.row(seat.proof)}")
        if known and (seat.seat not in paid or not view.showdown):
            losers.append(f"{name} {known}{_ended_with(seat) if view.showdown else ''}")
        elif seat.state is not SeatState.FOLDED and seat.seat not in paid and view.showdown:
            losers.append(f"{name} mucks")
    if losers:
        lines.append("-# " + " · ".join(losers))
    if view.returned is not None:
        seat_back, chips = view.returned
        lines.append(f"-# {chips:,} back to {scene.name(view.seats[seat_back].number)}, uncalled")
    declared = [f"{scene.name(seat.number)} {seat.word}" for seat in in_seat_order(view) if seat.word]
    if declared:
        lines.append("-# Declared: " + " · ".join(declared))
    matched = [f"{scene.name(seat.number)} {seat.matched:,}" for seat in in_seat_order(view) if seat.matched]
    if matched:
        lines.append("-# Match the pot: " + " · ".join(matched))
    if view.rabbit:
        lines.append(f"-# Undealt: {scene.emojis.row(view.rabbit)}")
    if view.carried and not view.passed_out:
        lines.append(f"-# {_waits(view.carried)}")
    if folded:
        lines.append("-# Folded: " + ", ".join(folded))
    return lines


def _ended_with(seat: SeatView) -> str:
    """What a loser with cards in sight held; of who stayed to the end and named no hand, that he mucks the others."""
    held = _held(seat)
    if held:
        return f" {held}"
    return " · mucks" if seat.state is not SeatState.FOLDED else ""


def _held(seat: SeatView) -> str:
    """What a seat that showed holds, for each half where the pot is shared."""
    if seat.halves:
        return " · ".join(dict.fromkeys([long_name(made) for _, made in seat.halves]))
    return long_name(seat.made) if seat.made is not None else ""


def _waits(chips: int) -> str:
    return f"{chips:,} waits for the next deal" if chips else "no chips in the pot"


def _after(scene: Scene, next_at: int, next_dealer: int, waiting_for: str) -> str:
    lines = [f"-# {scene.news}"] if scene.news else []
    if scene.view.voided:
        reason = escape.text(scene.view.void_reason)
        lines.append("All bets are returned." + (f" {reason[:1].upper()}{reason[1:]}." if reason else ""))
    if next_at:
        dealer = f" · dealer moves to {next_dealer}{NBSP}{scene.name(next_dealer)}" if next_dealer else ""
        lines.append(f"-# Next hand {ago(next_at)}{dealer}")
    elif waiting_for:
        lines.append(f"-# {waiting_for}")
    return "\n".join(lines)


def _buttons(scene: Scene) -> list[Buttons]:
    """What comes after a hand: showing cards (Z-4), a straddle, pausing, leaving, chips for who has none, a seat for who comes."""
    view = scene.view
    hidden = any(
        seat.state is not SeatState.FOLDED and any(seen.card is None for seen in seat.cards) for seat in view.seats
    )
    offered = (
        (hidden and not view.voided, "Show my cards", Verb.SHOW, GREY),
        (scene.straddle, f"Straddle {scene.straddle:,}", Verb.STRADDLE, GREY),
        (scene.sitting_out, "I'm back", Verb.BACK, GREY),
        (True, "Sit out", Verb.SIT_OUT, GREY),
        (True, "Leave", Verb.LEAVE, GREY),
        (any(not seat.stack + seat.won for seat in view.seats), "Buy-in…", Verb.BUY_IN, GREY),
        (scene.seats_open, "Take a seat", Verb.SIT, GREEN),
    )
    buttons = [
        Button(label, press(scene.table, scene.hand, view.turn, verb), colour)
        for wanted, label, verb, colour in offered
        if wanted
    ]
    return [Buttons(tuple(buttons[at : at + ROW_BUTTONS_MAX])) for at in range(0, len(buttons), ROW_BUTTONS_MAX)]

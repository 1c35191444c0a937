"""The end of a hand: the result with its pots, and the small record that its message shrinks to."""

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from bot.engine.view.types import HandSeatState, HandView, PaymentView, SeatView
from bot.render.hand.replay_ids import hands_button, replay_button
from bot.render.hand.running_hand import boards_as_text, boards_in_panel, picture_blocks, wild_line
from bot.render.hand.scene import Scene, hands_compared, hands_won_with, in_seat_order, known_cards
from bot.render.message.custom_ids import button_id
from bot.render.message.limits import ROW_BUTTONS_MAX, TEXT_MAX, fit_lines, text_length
from bot.render.message.panel import FINISHED, GREEN, GREY, RESULT, Block, Button, Buttons, Panel, Text
from bot.text import buttons
from bot.text import hand as words
from bot.text.actions import FACT_SEPARATOR
from bot.text.buttons import Verb
from bot.text.cards import SIGNS
from bot.text.formatting import join_and, join_list, relative_time
from bot.text.game_words import STREET_HEADINGS, declaration, share_name
from bot.text.hand_names import hand_name
from bot.text.language import Message, t

WINNERS_NAMED = 4
_TEXT_BUDGET = TEXT_MAX - 1_100
"""What the pots can take: heading, board and the lines after the pots need the rest."""


def result_panel(
    scene: Scene,
    *,
    next_at: int = 0,
    next_dealer: int = 0,
    reason: str = "",
    ways_on: tuple[Button, ...] = (),
    sit_out: Message = buttons.SIT_OUT,
    leave: Message = buttons.LEAVE,
) -> Panel:
    """Draw a finished hand: who won what with which cards.

    Where emojis would exceed Discord's 4,000 characters (ten Omaha hands, many pots), cards are written as signs; what
    is too long even so ends with the way to read on.

    Args:
        next_at: when the next hand starts, in Unix seconds; 0 when none is due.
        next_dealer: seat number of the next dealer; 0 when unknown.
        reason: why no hand is due: ``Waiting for one more player``.
        ways_on: the buttons that get the table going again (`bot.render.table.way_on`).
        sit_out, leave: what those buttons are called here.
    """
    rows = _button_rows(scene, ways_on, sit_out, leave)
    panel = _draw_result(scene, next_at, next_dealer, reason, rows)
    if scene.emojis.marks and text_length(panel) > TEXT_MAX:
        panel = _draw_result(replace(scene, emojis=SIGNS), next_at, next_dealer, reason, rows)
    return panel


class HandLine(Struct, frozen=True):
    """What is left of a hand that is over, or of several in a row without a showdown. It is saved.

    Attributes:
        first, last: the numbers of the hands.
        text: who won with which hand against whom, and the board; of several hands, that there was no showdown.
        is_uncontested: everybody else had folded.
    """

    first: int
    last: int
    text: str
    is_uncontested: bool = False


def hand_line(scene: Scene) -> HandLine:
    """Return what is left of a hand that is over."""
    view = scene.view
    facts = [*_mixture_game(scene), _outcome(scene)]
    if view.showdown:
        facts += boards_as_text(scene)
    elif is_uncontested(view):
        facts.append(t(words.SHRUNK_NO_SHOWDOWN))
    text = t(words.SHRUNK_HAND, number=scene.hand_number, outcome=FACT_SEPARATOR.join(facts))
    return HandLine(scene.hand_number, scene.hand_number, text, is_uncontested(view))


def with_hand(lines: tuple[HandLine, ...], line: HandLine) -> tuple[HandLine, ...]:
    """Return the lines of a message's hands with one more, as far as they fit into it: the newest ones."""
    before = lines[-1] if lines else None
    if before is not None and before.is_uncontested and line.is_uncontested and before.last == line.first - 1:
        text = t(words.SHRUNK_UNCONTESTED_HANDS, first=before.first, last=line.last)
        lines, line = lines[:-1], HandLine(before.first, line.last, text, is_uncontested=True)
    lines = (*lines, line)
    while sum([len(one.text) + 1 for one in lines]) > TEXT_MAX:
        lines = lines[1:]
    return lines


def shrunk_panel(table: int, lines: Sequence[HandLine]) -> Panel:
    """Return what is left of a message when its table has another one: a line for each of its hands. `table` is the table's id."""
    first, last = lines[0].first, lines[-1].last
    button = replay_button(table, last) if first == last else hands_button(table, first, last)
    return Panel(FINISHED, (Text("\n".join([line.text for line in lines])), Buttons((button,))))


def hand_in_a_line(scene: Scene) -> str:
    """Return how a hand ended: who won how much, with which hand and against whom where there was a showdown."""
    outcome = _outcome(scene)
    return FACT_SEPARATOR.join((outcome, t(words.SHRUNK_NO_SHOWDOWN))) if is_uncontested(scene.view) else outcome


def is_uncontested(view: HandView) -> bool:
    """Return whether a hand ended because everybody else folded."""
    return view.over and not (view.voided or view.showdown or view.passed_out)


def winners(scene: Scene) -> list[tuple[SeatView, int]]:
    """Return who was paid, with the chips of all pots together, the most first."""
    paid = {seat.seat_index: 0 for seat in scene.view.seats}
    for payment in scene.view.payments:
        paid[payment.seat_index] += payment.chips
    found = [(seat, paid[seat.seat_index]) for seat in in_seat_order(scene.view) if paid[seat.seat_index]]
    return sorted(found, key=lambda winner: -winner[1])


def outcome_lines(scene: Scene) -> list[str]:
    """Return how a hand ended: its pots and winners at a showdown, else who won; with who else showed, mucked or had folded."""
    if scene.view.voided:
        return []
    won = [] if scene.view.showdown else [f"**{headline(scene)}**"]
    return [*won, *_pot_lines(scene), *_other_lines(scene)]


def _draw_result(scene: Scene, next_at: int, next_dealer: int, reason: str, rows: Sequence[Buttons]) -> Panel:
    view = scene.public_view()
    small_print = [
        scene.table_name(),
        *_mixture_game(scene),
        t(words.HAND, number=scene.hand_number),
        t(_ending(scene)),
        wild_line(view) if view.showdown else "",
    ]
    blocks: list[Block] = [
        Text(f"### {headline(scene)}\n-# " + FACT_SEPARATOR.join([part for part in small_print if part])),
        *picture_blocks(scene),
    ]
    if any(view.boards):
        blocks.append(Text(boards_in_panel(scene)))
    if not view.voided:
        lines = [*_pot_lines(scene, below_headline=True), *_other_lines(scene)]
        if not scene.emojis.marks:
            lines = fit_lines(lines, _TEXT_BUDGET, t(words.READ_ON))
        if lines:
            blocks.append(Text("\n".join(lines)))
    after = _after(scene, next_at, next_dealer, reason)
    if after:
        blocks.append(Text(after))
    blocks += rows
    return Panel(FINISHED if view.voided else RESULT, tuple(blocks))


def _mixture_game(scene: Scene) -> list[str]:
    """Return the game, where the table plays several: a table of one game says it in its lobby."""
    return [scene.game_name()] if scene.mixture_name else []


def _ending(scene: Scene) -> Message:
    view = scene.view
    if view.voided:
        return words.ENDED_CANCELLED
    if view.showdown:
        return STREET_HEADINGS["showdown"]
    return words.ENDED_PASSED_OUT if view.passed_out else words.ENDED_NO_SHOWDOWN


def headline(scene: Scene) -> str:
    """Return who won, in one line without hands."""
    view = scene.view
    if view.voided:
        return t(words.CANCELLED, number=scene.hand_number)
    if view.passed_out:
        wording = words.EVERYBODY_OUT if any(seat.declaration for seat in view.seats) else words.NOBODY_OPENED
        return t(wording, carried=_carried(view.carried_to_next_hand))
    named = _named_winners(scene, words.WINS)
    if not named and view.uncalled_bet_returned is not None:  # nobody met the forced bet: it goes back to its owner
        seat_index, chips = view.uncalled_bet_returned
        return t(words.TAKES_BACK, name=scene.name(view.seats[seat_index].seat_number), chips=chips)
    return named or t(words.OVER, number=scene.hand_number)


def _outcome(scene: Scene) -> str:
    """Return the headline of the shrunk message, in the past tense."""
    if scene.view.voided:
        return t(words.SHRUNK_CANCELLED)
    if scene.view.passed_out:
        return t(words.SHRUNK_PASSED_OUT, carried=_carried(scene.view.carried_to_next_hand))
    return _won_against(scene) or t(words.SHRUNK_NOBODY_CALLED)


def _won_against(scene: Scene) -> str:
    """Return who won with which hand against whom; empty where nobody won."""
    if not scene.view.showdown:
        return _named_winners(scene, words.WON)
    found = winners(scene)
    parts = [_won_with(scene, seat, chips) for seat, chips in found[:WINNERS_NAMED]]
    if len(found) > WINNERS_NAMED:
        parts.append(t(words.MORE_WINNERS, count=len(found) - WINNERS_NAMED))
    paid = {seat.seat_index for seat, _ in found}
    beaten = [
        scene.name(seat.seat_number)
        for seat in in_seat_order(scene.view)
        if seat.state is not HandSeatState.FOLDED and seat.seat_index not in paid
    ]
    if len(beaten) > WINNERS_NAMED:
        beaten = [*beaten[:WINNERS_NAMED], t(words.MORE_WINNERS, count=len(beaten) - WINNERS_NAMED)]
    outcome = FACT_SEPARATOR.join(parts)
    return t(words.SHRUNK_AGAINST, outcome=outcome, names=join_and(beaten)) if parts and beaten else outcome


def _won_with(scene: Scene, seat: SeatView, chips: int) -> str:
    """Return a winner in the past tense: ``NightOwl won 9,450 with kings full of nines``."""
    name, hands = scene.name(seat.seat_number), hands_won_with(scene.view, seat)
    if not hands:
        return t(words.WON, name=name, chips=chips)
    return t(words.SHRUNK_WON_WITH, name=name, chips=chips, hand=join_and(hands))


def _named_winners(scene: Scene, wording: Message) -> str:
    """Return the winners with their chips, the first four by name; empty where nobody won."""
    found = winners(scene)
    parts = [t(wording, name=scene.name(seat.seat_number), chips=chips) for seat, chips in found[:WINNERS_NAMED]]
    if len(found) > WINNERS_NAMED:
        parts.append(t(words.MORE_WINNERS, count=len(found) - WINNERS_NAMED))
    return FACT_SEPARATOR.join(parts)


def _pot_lines(scene: Scene, *, below_headline: bool = False) -> list[str]:
    """Return one block for each pot: its size and winners, the winning cards with their name, the odd chip.

    Args:
        below_headline: a line above tells who won how much; of one pot with one winner it tells the same.
    """
    view = scene.view
    if not view.payments or not view.showdown:
        return []
    count = max(payment.pot_index for payment in view.payments) + 1
    if len(view.boards) > 1:
        return _pot_lines_of_boards(scene, count)
    lines: list[str] = []
    written: set[tuple[int, str]] = set()
    for pot_index in range(count):
        paid = [payment for payment in view.payments if payment.pot_index == pot_index]
        if not paid:
            continue
        chips = sum([one.chips for one in paid])
        winners_text = FACT_SEPARATOR.join([_paid_text(scene, paid), *_shares_not_won(view, paid)])
        pot_line = t(words.POT_TO, pot=words.pot_name(pot_index, count, chips), winners=winners_text)
        repeated: list[str] = []
        hand_lines: list[str] = []
        paid_seats = dict.fromkeys(payment.seat_index for payment in paid)
        for seat_index in paid_seats:
            held = _hands_on_board(view, [payment for payment in paid if payment.seat_index == seat_index])
            if not held:  # a player who showed first has shown, though the others then mucked
                held = [hand_held(view, view.seats[seat_index])]
            hand = FACT_SEPARATOR.join(held)
            line = _hand_line(scene, seat_index, hand, named=len(paid_seats) > 1)
            if line and (seat_index, hand) in written:
                repeated.append(hand)
            elif line:
                written.add((seat_index, hand))
                hand_lines.append(line)
        if repeated and len(paid_seats) == 1:  # the cards stand above, under another pot
            pot_line = FACT_SEPARATOR.join([pot_line, *repeated])
        is_told = below_headline and count == 1 and hand_lines and winners_text == _only_winner(scene, paid)
        lines += [*([] if is_told else [pot_line]), *hand_lines, *_odd_chip_lines(scene, paid)]
    return lines


def _only_winner(scene: Scene, paid: list[PaymentView]) -> str:
    """Return the name of whoever won a pot alone; empty where several did."""
    seats = {payment.seat_index for payment in paid}
    return scene.name(scene.view.seats[seats.pop()].seat_number) if len(seats) == 1 else ""


def _odd_chip_lines(scene: Scene, paid: list[PaymentView]) -> list[str]:
    odd = [scene.name(scene.view.seats[payment.seat_index].seat_number) for payment in paid if payment.odd_chips]
    return [t(words.ODD_CHIP, count=len(odd), names=join_list(list(dict.fromkeys(odd))))] if odd else []


def _pot_lines_of_boards(scene: Scene, count: int) -> list[str]:
    """Return a line for each board of each pot, with its winners and what they won it with, and then the winners' cards."""
    view = scene.view
    lines: list[str] = []
    told: set[tuple[int, tuple[str, ...]]] = set()
    for pot_index in range(count):
        paid = [payment for payment in view.payments if payment.pot_index == pot_index]
        if not paid:
            continue
        lines.append(f"**{words.pot_name(pot_index, count, sum([one.chips for one in paid]))}**")
        for board in sorted({payment.board_index for payment in paid}):
            on_board = [payment for payment in paid if payment.board_index == board]
            hands = _hands_on_board(view, on_board)
            facts = [_paid_text(scene, on_board, with_chips=True), *_shares_not_won(view, on_board)]
            if (board, tuple(hands)) not in told:
                told.add((board, tuple(hands)))
                facts += hands
            lines.append(t(words.BOARD_TO, number=board + 1, winners=FACT_SEPARATOR.join(facts)))
        lines += _odd_chip_lines(scene, paid)
    shown = [
        f"{scene.name(seat.seat_number)} {known}"
        for seat, _ in winners(scene)
        if (known := known_cards(scene, seat)) and seat.state is not HandSeatState.FOLDED
    ]
    return [*lines, FACT_SEPARATOR.join(shown)] if shown else lines


def _paid_text(scene: Scene, paid: list[PaymentView], *, with_chips: bool = False) -> str:
    """Return who was paid: ``NightOwl``; ``Mia 4,725 · Zoë 4,725``; ``high NightOwl 4,725 · low Mia 4,725``.

    Args:
        with_chips: name the chips of a single winner too.
    """
    seat_numbers = [scene.view.seats[payment.seat_index].seat_number for payment in paid]
    if len(paid) == 1 and paid[0].share == "pot" and not with_chips:
        return scene.name(seat_numbers[0])
    parts: list[str] = []
    share = "pot"
    for payment, seat_number in zip(paid, seat_numbers, strict=True):
        name = scene.name(seat_number)
        if payment.share == share:
            parts.append(t(words.NAME_CHIPS, name=name, chips=payment.chips))
        else:
            parts.append(t(words.SHARE_TO, share=share_name(payment.share), name=name, chips=payment.chips))
        share = payment.share
    return FACT_SEPARATOR.join(parts)


def _shares_not_won(view: HandView, paid: list[PaymentView]) -> list[str]:
    """Return the shares of a contested pot that nobody qualified for: ``no low`` (TL-23)."""
    contested = any(payment.made_hand is not None for payment in paid)
    if not contested or sum([payment.chips for payment in paid]) < len(view.shares):  # too few chips for every share
        return []
    won = {payment.share for payment in paid}
    return [t(words.NO_SHARE, share=share_name(share.name)) for share in view.shares if share.name not in won]


def _hands_on_board(view: HandView, won: list[PaymentView]) -> list[str]:
    """Return what shares of one board were won with, each hand once: ``two pair, aces and threes``, ``8-6-4-3-2``."""
    compared = hands_compared(view, won[0].board_index) if won else []
    made = [payment.made_hand for payment in won if payment.made_hand is not None]
    return list(dict.fromkeys(hand_name(hand, compared) for hand in made))


def _hand_line(scene: Scene, seat_index: int, hand: str, *, named: bool) -> str:
    """Return a winner's cards and what they make; empty where the pot was not contested."""
    seat = scene.view.seats[seat_index]
    known = known_cards(scene, seat)
    if not hand or not known:
        return ""
    return f"{scene.name(seat.seat_number)} {known} {hand}" if named else f"{known} {hand}"


def _other_lines(scene: Scene) -> list[str]:
    """Small print: who showed and lost, who mucked, what came back uncalled, who had folded."""
    view = scene.view
    seats = in_seat_order(view)
    lines = [
        t(words.SHOWS_OPENERS, name=scene.name(seat.seat_number), cards=scene.emojis.write(seat.openers_shown))
        for seat in seats
        if seat.openers_shown
    ]
    losers = [loser for seat in seats if (loser := _loser_text(scene, seat))]
    if losers:
        lines.append("-# " + FACT_SEPARATOR.join(losers))
    if view.uncalled_bet_returned is not None:
        seat_index, chips = view.uncalled_bet_returned
        lines.append(t(words.UNCALLED, chips=chips, name=scene.name(view.seats[seat_index].seat_number)))
    declared = [
        t(words.NAME_DECLARED, name=scene.name(seat.seat_number), word=declaration(seat.declaration))
        for seat in seats
        if seat.declaration
    ]
    if declared:
        lines.append(t(words.DECLARED, players=FACT_SEPARATOR.join(declared)))
    matched = [
        t(words.NAME_CHIPS, name=scene.name(seat.seat_number), chips=seat.pot_matched)
        for seat in seats
        if seat.pot_matched
    ]
    if matched:
        lines.append(t(words.MATCHED, players=FACT_SEPARATOR.join(matched)))
    for number, undealt in enumerate(view.rabbit_cards, 1):
        wording = words.UNDEALT if len(view.rabbit_cards) == 1 else words.UNDEALT_ON_BOARD
        lines.append(t(wording, number=number, cards=scene.emojis.write(undealt)))
    if view.carried_to_next_hand and not view.passed_out:
        lines.append(f"-# {_carried(view.carried_to_next_hand)}")
    folded = [scene.numbered_name(seat.seat_number) for seat in seats if seat.state is HandSeatState.FOLDED]
    if folded:
        lines.append(t(words.FOLDED, players=join_list(folded)))
    return lines


def _loser_text(scene: Scene, seat: SeatView) -> str:
    """Return what a seat that won nothing showed, or that it mucks; empty where there is nothing to tell.

    After a showdown a player who stayed to the end and whose hand has no name mucks the cards that are not in sight.
    """
    view = scene.view
    paid = any(payment.seat_index == seat.seat_index for payment in view.payments)
    name, known = scene.name(seat.seat_number), known_cards(scene, seat)
    stayed = seat.state is not HandSeatState.FOLDED
    if seat.shown_alone:
        return t(words.SHOWS_CARDS, name=name, cards=scene.emojis.write(seat.shown_alone))
    if known and (not paid or not view.showdown):
        held = hand_held(view, seat) if view.showdown else ""
        if view.showdown and stayed and not held:
            return t(words.MUCKS_BESIDE, name=name, cards=known)
        return f"{name} {known} {held}".rstrip()
    return t(words.MUCKS, name=name) if stayed and not paid and view.showdown else ""


def hand_held(view: HandView, seat: SeatView) -> str:
    """Return what a seat that showed holds, for each half where the pot is shared, and on each board."""
    if seat.made_by_board:
        held = [
            FACT_SEPARATOR.join(
                dict.fromkeys(hand_name(made, hands_compared(view, board)) for _, made in made_on_board)
            )
            for board, made_on_board in enumerate(seat.made_by_board)
        ]
        if len(set(held)) == 1:
            return held[0]
        return join_list([t(words.ON_BOARD, number=number, hand=hand) for number, hand in enumerate(held, 1) if hand])
    compared = hands_compared(view)
    if seat.made_by_share:
        return FACT_SEPARATOR.join(dict.fromkeys([hand_name(made, compared) for _, made in seat.made_by_share]))
    return hand_name(seat.made_hand, compared) if seat.made_hand is not None else ""


def _carried(chips: int) -> str:
    return t(words.CARRIED, chips=chips) if chips else t(words.NOTHING_CARRIED)


def _after(scene: Scene, next_at: int, next_dealer: int, reason: str) -> str:
    """Return what comes after the hand: chips back, the next hand, or why there is none."""
    lines: list[str] = []
    if scene.view.voided:
        reason = words.void_reason(scene.view.void_reason)
        lines.append(t(words.BETS_RETURNED_BECAUSE, reason=reason) if reason else t(words.BETS_RETURNED))
    if next_at and next_dealer:
        seat = scene.numbered_name(next_dealer)
        lines.append(t(words.NEXT_HAND_AND_DEALER, time=relative_time(next_at), seat=seat))
    elif next_at:
        lines.append(t(words.NEXT_HAND, time=relative_time(next_at)))
    elif reason:
        lines.append(reason)
    return "\n".join(lines)


def _button_rows(scene: Scene, ways_on: tuple[Button, ...], sit_out: Message, leave: Message) -> list[Buttons]:
    """What can be done after a hand: what the table waits for, show cards (Z-4), pause, leave, the replay, and the other ways on."""
    view = scene.view
    hidden = any(
        seat.state is not HandSeatState.FOLDED and any(seen.card is None for seen in seat.cards) for seat in view.seats
    )
    offered = (
        (hidden and not view.voided, buttons.SHOW_MY_CARDS, Verb.SHOW),
        (True, sit_out, Verb.SIT_OUT),
        (True, leave, Verb.LEAVE),
    )
    first = [button for button in ways_on if button.style == GREEN]
    others = [button for button in ways_on if button.style != GREEN]
    own = [
        Button(t(label), button_id(scene.table_id, scene.hand_number, view.decision_number, verb), GREY)
        for wanted, label, verb in offered
        if wanted
    ]
    row = [*first, *own, replay_button(scene.table_id, scene.hand_number)]
    if len(row) + len(others) <= ROW_BUTTONS_MAX:
        row, others = row + others, []
    rows = [row[start : start + ROW_BUTTONS_MAX] for start in range(0, len(row), ROW_BUTTONS_MAX)]
    return [Buttons(tuple(buttons)) for buttons in (*rows, others) if buttons]

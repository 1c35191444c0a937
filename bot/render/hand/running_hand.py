"""The live message of a table while a hand is played, and the nudge that calls the player to act."""

from msgspec.structs import replace

from bot.engine.cards import JOKER
from bot.engine.errors import BrokenInvariant
from bot.engine.legal import Decision
from bot.engine.options.wild_cards import WildCards
from bot.engine.view.types import ActionVerb, HandSeatState, HandView, LastAction, SeatView
from bot.render.hand import action_buttons
from bot.render.hand.scene import SEAT_NUMBER, Scene, cards_on_table, in_seat_order
from bot.render.message.limits import TEXT_MAX
from bot.render.message.panel import FINISHED, TABLE_PICTURE, WAITING, Block, Panel, Picture, Text
from bot.render.pictures.alt_text import picture_alt_text
from bot.text import actions, buttons
from bot.text import hand as words
from bot.text.actions import FACT_SEPARATOR
from bot.text.cards import SIGNS, rank_plural
from bot.text.formatting import NBSP, join_list, relative_time
from bot.text.game_words import street_heading
from bot.text.language import number, t
from bot.text.wild_cards import wild_cards_in_words

LAST_ACTIONS = 3


def running_hand_panel(scene: Scene) -> Panel:
    """Draw a running hand for everybody.

    Where emojis would exceed Discord's 4,000 characters (many players with many open cards), cards are written as signs.

    `scene.view` must be the public view: what one player can see never stands in a public message.
    """
    view = scene.public_view()
    blocks: list[Block] = [Text(_heading(scene)), *picture_blocks(scene)]
    if scene.introduction:
        blocks.append(Text(scene.introduction))
    if any(view.boards):
        blocks.append(Text(boards_in_panel(scene)))
    facing = _facing(scene)
    seats = seat_lines(scene, facing)
    if seats:
        blocks.append(Text(seats))
    turn = _turn_lines(scene, facing)
    if turn:
        blocks.append(Text(turn))
    if scene.emojis.marks and sum([len(block.content) for block in blocks if type(block) is Text]) > TEXT_MAX:
        return running_hand_panel(replace(scene, emojis=SIGNS))
    return Panel(WAITING, (*blocks, *action_buttons.table_rows(scene)))


def nudge_text(scene: Scene, link: str = "") -> str:
    """Return the plain message that calls the player to act, or all who choose at once. The caller allows the mention of those only.

    Args:
        link: the address of the table's message.
    """
    awaited = awaited_seats(scene.view)
    if not awaited:
        raise BrokenInvariant("a nudge with nobody to act")
    facts = [_facing(scene)]
    if scene.deadline:
        facts.append(actions.nudge_end(relative_time(scene.deadline), on_time_bank=scene.on_time_bank))
    if link:
        facts.append(f"[{t(buttons.GO_TO_TABLE)}]({link})")
    players = join_list([scene.mention(seat.seat_number) for seat in awaited])
    return actions.nudge(players, scene.view.legal_to_act, [fact for fact in facts if fact])


def picture_blocks(scene: Scene) -> list[Block]:
    """Return the gallery with the table's picture; nothing where the message has none."""
    return [Picture(TABLE_PICTURE, picture_alt_text(scene))] if scene.picture else []


def boards_in_panel(scene: Scene) -> str:
    """Return the common cards, one line for each board: as headings, or at body size under a picture that shows them large."""
    return "\n".join([line if scene.picture else "# " + line for line in boards_as_text(scene)])


def boards_as_text(scene: Scene) -> list[str]:
    """Return the common cards at body size, one line for each board."""
    return [scene.emojis.write(board) for board in scene.view.boards if board]


def wild_line(view: HandView) -> str:
    """Return what is wild at this moment: ``Wild: queens, sevens``; empty where nothing is."""
    if not (view.wild_ranks or view.wild_cards or view.wild_common_cards or view.joker_kind):
        return ""
    common = (card for card in view.wild_common_cards if card < JOKER)
    wild = wild_cards_in_words(WildCards(view.wild_ranks, (*view.wild_cards, *common)))
    parts = [words.wild_cards_note(wild, jokers=view.joker_count if view.joker_kind == "wild" else 0)]
    if view.joker_kind == "bug":
        parts.append(words.bug_note(view.joker_count))
    return FACT_SEPARATOR.join([part for part in parts if part])


def _openers_line(view: HandView) -> str:
    """Return what it takes to open, until somebody has (VC-20)."""
    return t(words.OPENERS, ranks=rank_plural(view.openers_rank)) if view.openers_rank >= 0 else ""


def _street(view: HandView) -> str:
    """Return the street. With the hands open and nobody to act, the rest is being dealt; with all betting over, players can still have to
    draw or choose."""
    if view.showdown and view.to_act < 0:
        return t(words.ALL_IN_HEADING)
    street = street_heading(view)
    return t(words.ALL_IN_STREET, street=street) if _is_betting_over(view) else street


def _is_betting_over(view: HandView) -> bool:
    """Whether nobody can bet any more, because all but one at most are all-in, though something else is asked."""
    asked = view.legal_to_act
    if asked is None or asked.decision is Decision.BET or view.showdown:
        return False
    states = [seat.state for seat in view.seats]
    return HandSeatState.ALL_IN in states and states.count(HandSeatState.LIVE) <= 1


def _heading(scene: Scene) -> str:
    view = scene.view
    lines = [t(words.HEADING, street=_street(view), chips=view.pot), f"-# {scene.small_print()}"]
    return "\n".join([*lines, *small_facts(view)])


def small_facts(view: HandView) -> list[str]:
    """Return in small print what is wild, what it takes to open, and the pots where there are several."""
    lines = [f"-# {line}" for line in (wild_line(view), _openers_line(view)) if line]
    count = len(view.pots)
    if count > 1:
        parts = [words.pot_chips(index, count, pot.chips) for index, pot in enumerate(view.pots)]
        live_bets = view.pot - sum([pot.chips for pot in view.pots])
        if live_bets > 0:
            parts.append(t(words.BET_CHIPS, chips=live_bets))
        lines.append("-# " + FACT_SEPARATOR.join(parts))
    return lines


def seat_lines(scene: Scene, facing: str) -> str:
    """Return a line for each seat in the hand, and one for all that have folded. `facing` is what the seat to act faces."""
    view = scene.view
    button = view.button_seat_number
    seat_of_button = False
    lines: list[str] = []
    folded: list[str] = []
    for seat in in_seat_order(view):
        name = scene.name(seat.seat_number)
        if seat.seat_number == button:
            seat_of_button = True
            name = t(words.DEALER, name=name)
        if seat.state is HandSeatState.FOLDED:
            folded.append(f"{seat.seat_number}{NBSP}{name}")
        else:
            lines.append(_seat_line(scene, seat, name, facing))
    if folded:
        lines.append(t(words.FOLDED, players=join_list(folded)))
    if button and not seat_of_button:  # it can rest on an empty seat (TL-9)
        lines.append(t(words.DEALER_BUTTON, number=button))
    return "\n".join(lines)


def _seat_line(scene: Scene, seat: SeatView, name: str, facing: str) -> str:
    view = scene.view
    chips = t(words.ALL_IN) if seat.state is HandSeatState.ALL_IN else number(seat.stack)
    shown = cards_on_table(scene, seat)
    if shown:
        shown = "  " + shown
    if seat.seat_index == view.to_act and not seat.choice_awaited:
        note = _turn_note(view, facing)
        line = f"▶ `{seat.seat_number}`{NBSP}**{name}  {chips}**{shown}"
    else:
        note = _status_note(view, seat)
        line = f"{'▶ ' if seat.choice_awaited else ''}`{seat.seat_number}`{NBSP}{name}  **{chips}**{shown}"
    return f"{line}{FACT_SEPARATOR}{note}" if note else line


def _status_note(view: HandView, seat: SeatView) -> str:
    """Return what a seat that is not to act did: its last action of the street, what it drew, or that it waits."""
    if seat.choice_awaited:
        return t(actions.CHOOSING)
    drawn = actions.draws_note(seat)
    legal = view.legal_to_act
    if legal is not None and legal.decision is Decision.DRAW:
        if (
            drawn and len(seat.draw_counts) < view.draw_progress[0]
        ):  # it drew before, and waits for its turn in this draw
            return FACT_SEPARATOR.join((drawn, t(actions.WAITING)))
        return drawn or t(actions.WAITING)
    did = actions.action_note(_with_street_total(seat.last_action, seat)) if seat.last_action is not None else ""
    if not drawn and not seat.declaration and not seat.held_chips:
        return did
    notes = [did, drawn if drawn != did else "", actions.declaration_note(seat.declaration) if seat.declaration else ""]
    notes.append(actions.held_note(seat))
    return FACT_SEPARATOR.join([note for note in notes if note])


def _with_street_total(action: LastAction, seat: SeatView) -> LastAction:
    """Return a call with all that it makes on this street, as bets and raises are noted: a small blind that completes calls 100."""
    if action.verb is ActionVerb.CALL and seat.bet > action.chips:
        return replace(action, chips=seat.bet)
    return action


def _turn_note(view: HandView, facing: str) -> str:
    """Return what stands beside the seat to act: what it faces, in a few words."""
    legal = view.legal_to_act
    return t(actions.CHOOSING) if legal is not None and legal.decision in actions.PRIVATE_DECISIONS else facing


def _facing(scene: Scene) -> str:
    legal = scene.view.legal_to_act
    return actions.facing(legal, before_draw=scene.view.equalising) if legal is not None else ""


def _turn_lines(scene: Scene, facing: str) -> str:
    """Return the last actions of the street, whose turn it is, and until when."""
    view = scene.view
    lines: list[str] = []
    if view.street_actions:
        latest = [
            actions.action_told(action, scene.name(view.seats[action.seat_index].seat_number))
            for action in view.street_actions[-LAST_ACTIONS:]
        ]
        lines.append("-# " + FACT_SEPARATOR.join(latest))
    awaited = awaited_seats(view)
    if awaited:
        players = join_list([scene.mention(seat.seat_number) for seat in awaited])
        facts = [actions.turn_line(players, view.legal_to_act), facing]
        if scene.deadline:
            facts.append(actions.turn_end(relative_time(scene.deadline), on_time_bank=scene.on_time_bank))
        lines.append(FACT_SEPARATOR.join([fact for fact in facts if fact]))
        if scene.time_bank_seconds and not scene.on_time_bank:
            lines.append(t(actions.TIME_BANK, seconds=scene.time_bank_seconds))
    return "\n".join(lines)


def awaited_seats(view: HandView) -> list[SeatView]:
    """Return the seats that the dealer waits for, by their seat numbers: all that choose at once, or the one to act."""
    together = [seat for seat in view.seats if seat.choice_awaited]
    if together:
        return sorted(together, key=SEAT_NUMBER)
    return [view.seats[view.to_act]] if view.to_act >= 0 else []


def cancelled_at_restart_panel(hand_number: int) -> Panel:
    """Announce after a restart that the hand was cancelled and the bets are back. It needs no cards: they can be lost."""
    return Panel(FINISHED, (Text(t(words.RESTART_CANCELLED, number=hand_number)),))


def restarted_panel(scene: Scene) -> Panel:
    """Announce after a restart that the hand goes on, or that it was cancelled and the bets are back."""
    hand_number = scene.hand_number
    if scene.view.voided:
        return cancelled_at_restart_panel(hand_number)
    acting = scene.seat_to_act()
    if acting is None:
        return Panel(WAITING, (Text(t(words.RESTART_GOES_ON, number=hand_number)),))
    lines = [t(words.RESTART_TURN, number=hand_number, name=scene.name(acting.seat_number))]
    if scene.deadline:
        lines.append(t(words.RESTART_TURN_ENDS, time=relative_time(scene.deadline)))
    return Panel(WAITING, (Text("\n".join(lines)),))

"""The live message of a table while a hand is played, and the nudge that calls the player to act."""

from functools import lru_cache

from msgspec.structs import replace

from bot.engine.cards import JOKER
from bot.engine.errors import BrokenInvariant
from bot.engine.legal import Decision
from bot.engine.options.wild_cards import WildCards
from bot.engine.view.types import HandSeatState, HandView, LastAction, SeatView
from bot.render.hand import action_buttons
from bot.render.hand.scene import SEAT_NUMBER, Scene, cards_on_table, in_seat_order
from bot.render.hand.seat_notes import chips_of, last_action_note, odds_note, split_note, status_note
from bot.render.message.limits import TEXT_MAX
from bot.render.message.panel import FINISHED, TABLE_PICTURE, WAITING, Block, Panel, Picture, Text
from bot.render.pictures.alt_text import picture_alt_text
from bot.text import actions, buttons
from bot.text import hand as words
from bot.text.actions import FACT_SEPARATOR
from bot.text.cards import SIGNS, rank_plural
from bot.text.formatting import NBSP, join_list, relative_time
from bot.text.game_words import street_heading
from bot.text.language import Language, current, t
from bot.text.language import number as with_separators
from bot.text.wild_cards import wild_cards_in_words

_ALL_IN, _FOLDED = HandSeatState.ALL_IN, HandSeatState.FOLDED  # looked up once, not for each seat of every redraw


def running_hand_panel(scene: Scene) -> Panel:
    """Draw a running hand for everybody: for looking on, and short. All that a decision takes stands in the panel of whoever decides.

    It has a line for each seat still in, and the board where no picture shows it. Where emojis would exceed Discord's 4,000 characters
    (many players with many open cards), cards are written as signs.

    `scene.view` must be the public view: what one player can see never stands in a public message.
    """
    view = scene.public_view()
    lines = [_heading(scene)]
    blocks: list[Block] = []
    if scene.picture:
        blocks, lines = [Text(lines[0]), *picture_blocks(scene)], []
    if scene.introduction:
        lines.append(scene.introduction)
    if any(view.boards) and not scene.picture:
        lines += ["## " + line for line in boards_as_text(scene)]
    lines += _lines_of_seats_in(scene)
    if lines:
        blocks.append(Text("\n".join(lines)))
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
        parts = [words.pot_chips(at, count, pot.chips) for at, pot in enumerate(view.pots)]
        live_bets = view.pot - sum([pot.chips for pot in view.pots])
        if live_bets > 0:
            parts.append(t(words.BET_CHIPS, chips=live_bets))
        lines.append("-# " + FACT_SEPARATOR.join(parts))
    return lines


def turn_end_facts(scene: Scene) -> list[str]:
    """Return when the turn ends, and which time bank is behind it."""
    if not scene.deadline:
        return []
    facts = [actions.turn_end(relative_time(scene.deadline), on_time_bank=scene.on_time_bank)]
    if scene.time_bank_seconds and not scene.on_time_bank:
        facts.append(t(actions.TIME_BANK, seconds=scene.time_bank_seconds))
    return facts


def _lines_of_seats_in(scene: Scene) -> list[str]:
    """Return a line for each seat still in. Whoever is to act is mentioned there, with what they face and until when.

    Their own clock stands in their panel where they have one; a time bank that runs is for all to see (TL-31).
    """
    view = scene.view
    awaited = awaited_seats(view)
    clock = turn_end_facts(scene) if scene.on_time_bank or not scene.acts_in_panel else []
    price = [fact for fact in (_facing(scene), *clock) if fact]
    lines: list[str] = []
    button, is_button_in = view.button_seat_number, False
    tells_actions, language, names = _tells_actions(scene), current(), scene.names
    for seat in in_seat_order(view):
        if seat.state is _FOLDED:
            continue
        number = seat.seat_number
        is_button_in = is_button_in or number == button
        if seat in awaited:
            lines.append(_turn_line(scene, seat, price if seat is awaited[0] else []))
        elif tells_actions and not (seat.choice_awaited or seat.draw_counts or seat.declaration or seat.held_chips):
            lines.append(
                _action_line(
                    language,
                    number,
                    names.get(number) or scene.name(number),
                    number == button,
                    seat.state is _ALL_IN,
                    seat.stack,
                    cards_on_table(scene, seat),
                    seat.last_action,
                    seat.bet,
                )
            )
        else:
            lines.append(_waiting_line(scene, seat))
    if split := split_note(scene):
        lines.append(f"-# {split}")
    if button and not is_button_in:
        lines.append(t(words.DEALER_BUTTON, number=button))
    return lines


def _tells_actions(scene: Scene) -> bool:
    """Whether the last action of a seat is all that is told of it, unless it has drawn, chosen or declared something."""
    legal = scene.view.legal_to_act
    return scene.odds is None and (legal is None or legal.decision is not Decision.DRAW)


def _turn_line(scene: Scene, seat: SeatView, facts: list[str]) -> str:
    """``▶ 7 @river_rat **13,700** · 1,025 to call · ends in 24 seconds``."""
    legal = scene.view.legal_to_act
    player = _numbered(scene, seat, scene.mention(seat.seat_number))
    is_bet = legal is None or legal.decision is Decision.BET
    odds = odds_note(scene, seat)
    more = (*facts, odds) if odds else facts
    return FACT_SEPARATOR.join((f"▶ {player}" if is_bet else actions.turn_line(player, legal), *more))


def _waiting_line(scene: Scene, seat: SeatView) -> str:
    player = _numbered(scene, seat, scene.name(seat.seat_number))
    note = odds_note(scene, seat) or status_note(scene.view, seat)  # in a run-out, what they did last is of no interest
    return FACT_SEPARATOR.join((player, note)) if note else player


@lru_cache(maxsize=4096)
def _action_line(
    _language: Language,
    number: int,
    name: str,
    is_dealer: bool,
    is_all_in: bool,
    stack: int,
    shown: str,
    action: LastAction | None,
    bet: int,
) -> str:
    """``7 river_rat **13,700** · bet 1,025``. Of all lines of a table, an action changes two: the others are not written again."""
    chips = t(words.ALL_IN) if is_all_in else with_separators(stack)
    player = _numbered_text(number, t(words.DEALER, name=name) if is_dealer else name, chips, shown)
    note = last_action_note(action, bet)
    return FACT_SEPARATOR.join((player, note)) if note else player


def _numbered(scene: Scene, seat: SeatView, who: str) -> str:
    """``7 river_rat **13,700**``, with the cards that lie open."""
    if seat.seat_number == scene.view.button_seat_number:
        who = t(words.DEALER, name=who)
    return _numbered_text(seat.seat_number, who, chips_of(seat), cards_on_table(scene, seat))


def _numbered_text(number: int, who: str, chips: str, shown: str) -> str:
    return f"`{number}`{NBSP}{who} **{chips}**{' ' + shown if shown else ''}"


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
    chips = chips_of(seat)
    shown = cards_on_table(scene, seat)
    if shown:
        shown = "  " + shown
    if seat.seat_index == view.to_act and not seat.choice_awaited:
        note = _turn_note(view, facing)
        line = f"▶ `{seat.seat_number}`{NBSP}**{name}  {chips}**{shown}"
    else:
        note = status_note(view, seat)
        line = f"{'▶ ' if seat.choice_awaited else ''}`{seat.seat_number}`{NBSP}{name}  **{chips}**{shown}"
    return f"{line}{FACT_SEPARATOR}{note}" if note else line


def _turn_note(view: HandView, facing: str) -> str:
    """Return what stands beside the seat to act: what it faces, in a few words."""
    legal = view.legal_to_act
    return t(actions.CHOOSING) if legal is not None and legal.decision in actions.PRIVATE_DECISIONS else facing


def _facing(scene: Scene) -> str:
    legal = scene.view.legal_to_act
    return actions.facing(legal, before_draw=scene.view.equalising) if legal is not None else ""


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

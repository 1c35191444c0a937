"""A table as everybody may see it, as the values of a picture.

No game is known here by its name: what is drawn follows from what lies on the table.
"""

from collections.abc import Collection, Mapping

from msgspec.structs import replace

from bot.engine.cards import JOKER
from bot.engine.ranking.value import is_rarest
from bot.engine.view.types import ActionVerb, HandSeatState, HandView, PaymentView, SeatView
from bot.pictures.types import Canvas, CardMark, Look, PictureBoard, PictureCard, PictureSeat, SeatState, TablePicture
from bot.render.hand.result import hand_held
from bot.render.hand.scene import Scene, hands_compared
from bot.render.hand.seat_notes import split_note
from bot.render.pictures.moment import Stage, stage_of
from bot.text import hand as hand_words
from bot.text import pictures as words
from bot.text.actions import FACT_SEPARATOR, action_note
from bot.text.game_words import STREET_HEADINGS, declaration, share_name, street_heading
from bot.text.hand_names import hand_name
from bot.text.language import t

_LOOKED_AT = frozenset({Stage.RUN_OUT, Stage.SHOW, Stage.OVER})
SEATS_MAX = 10
"""The largest table that is drawn. Larger ones play in text."""
_HOLDEM_BOARD = 5


def table_picture(
    scene: Scene,
    look: Look,
    *,
    seat_count: int,
    away: Collection[int] = (),
    moment: str = "",
    avatars: Mapping[int, bytes] | None = None,
) -> TablePicture | None:
    """Return what a picture of the table shows now; None for a table that is too large to be drawn.

    A hand that is being played is drawn on a strip. Hands that are turned up, results and steps of a replay fill the whole canvas.

    Args:
        seat_count: the seats of the table, taken or not.
        away: the numbers of the seats whose players sit out. Who else is not in the hand waits for the next one.
        avatars: the players' own pictures that are there, by seat number (`bot.pictures.avatars`).
        moment: what goes on, as a heading. With it the picture shows a step of a replay, with the seat to act and what each seat did last.

    Raises:
        BrokenInvariant: the scene is a player's own, which shows their cards.
    """
    scene = replace(scene, view=_without_folded_hands(scene.public_view()))
    view = scene.view
    if seat_count > SEATS_MAX or max([seat.seat_number for seat in view.seats]) > seat_count:
        return None
    stage = stage_of(view)
    dealt_in = {int(seat.seat_number): seat for seat in view.seats}
    seats = []
    for number in sorted({*dealt_in, *scene.people}):
        if number in dealt_in:
            seats.append(_seat(scene, dealt_in[number], stage, exact=bool(moment)))
        elif number <= seat_count:
            word = words.AWAY if number in away else words.WAITING
            seats.append(PictureSeat(number, _name(scene, number), t(word), SeatState.AWAY))
    if avatars:
        seats = [replace(seat, avatar=avatars.get(seat.number, b"")) for seat in seats]
    pots = [pot.chips for pot in view.pots]
    total = view.pot if stage is Stage.OVER else sum(pots)
    return TablePicture(
        look,
        seat_count,
        tuple(seats),
        _boards(view, stage),
        t(words.POT) if total else "",
        words.short_number(total) if total else "",
        FACT_SEPARATOR.join([words.pot_line(at, len(pots), chips) for at, chips in enumerate(pots)])
        if len(pots) > 1
        else "",
        (moment or _heading(view, stage)).upper(),
        _small_print(scene, stage, is_step=bool(moment)),
        _banners(view) if len(view.boards) < 2 else (),
        Canvas.FULL if moment or stage in _LOOKED_AT else Canvas.STRIP,
        is_rare=stage is Stage.OVER and _is_rare(view),
    )


def _small_print(scene: Scene, stage: Stage, *, is_step: bool) -> str:
    if stage is Stage.RUN_OUT and (split := split_note(scene)):
        return FACT_SEPARATOR.join((split, t(words.HAND, number=scene.hand_number)))
    what = words.HAND if is_step or stage is Stage.OVER else words.CHIPS_AT_THE_DEAL
    return t(what, number=scene.hand_number)


def _is_rare(view: HandView) -> bool:
    """Return whether somebody has won with one of the rarest hands, on whichever board."""
    wild = bool(view.wild_cards or view.wild_common_cards or view.wild_ranks or view.joker_kind)
    wild = wild or any(seat.wild_cards for seat in view.seats)
    won_with = [payment.made_hand for payment in view.payments if payment.made_hand is not None]
    if not won_with:  # all others mucked, so nothing was compared
        won_with = [seat.made_hand for seat in view.seats if seat.won and seat.made_hand is not None]
    return view.showdown and any(is_rarest(hand, with_wild_cards=wild) for hand in won_with)


def _without_folded_hands(view: HandView) -> HandView:
    """Return the view without what folded seats held: who shows a folded hand after the showdown has not been compared (Z-4)."""
    if not view.over or not view.showdown:
        return view
    seats = [
        replace(seat, made_hand=None, made_by_share=(), made_by_board=())
        if seat.state is HandSeatState.FOLDED
        else seat
        for seat in view.seats
    ]
    return replace(view, seats=tuple(seats))


def _name(scene: Scene, number: int) -> str:
    """Return a player's name as Discord has it: the drawing makes it fit."""
    person = scene.people.get(number)
    return person.name if person is not None and person.name else t(hand_words.SEAT, number=number)


def _seat(scene: Scene, seat: SeatView, stage: Stage, *, exact: bool) -> PictureSeat:
    view = scene.view
    is_in = seat.state is not HandSeatState.FOLDED
    won = seat.won if stage is Stage.OVER and not view.voided else 0
    state = SeatState.IN
    if not is_in:
        state, chips = SeatState.FOLDED, t(words.FOLDED)
    elif not seat.stack and not won and stage is not Stage.OVER:
        state, chips = SeatState.ALL_IN, t(words.ALL_IN)
    else:
        chips = words.short_number(seat.stack)
    cards = _cards(view, seat, stage)
    backs = sum([card.card is None for card in cards])
    return PictureSeat(
        seat.seat_number,
        _name(scene, seat.seat_number),
        chips,
        state,
        is_dealer=seat.seat_number == view.button_seat_number,
        bet=words.short_number(seat.bet) if seat.bet > 0 and stage is not Stage.OVER else "",
        note=(_last_action(seat, stage) if exact else "") or _note(view, seat, stage),
        odds=_odds(scene, seat, stage),
        cards=cards,
        hidden_count=backs if backs < len(cards) else 0,
        won=t(words.WON, chips=words.short_number(won)) if won else "",
        banners=_won_with(view, seat) if won and not any(view.boards) else (),
        is_to_act=exact and seat.seat_index == view.to_act,
        hand=words.capitalised(hand_held(view, seat)) if _is_open(view, seat) else "",
    )


def _odds(scene: Scene, seat: SeatView, stage: Stage) -> str:
    """Return the chance of an open hand in a run-out."""
    odds = scene.odds if stage is Stage.RUN_OUT else None
    percent = odds.of(seat.seat_index) if odds is not None else None
    if odds is None or percent is None:
        return ""
    return hand_words.percent(percent, is_estimate=odds.is_estimate)


def _last_action(seat: SeatView, stage: Stage) -> str:
    """Return what a seat did last on the street, where its chips and its cards do not say it."""
    is_told = stage not in (Stage.OVER, Stage.RUN_OUT, Stage.SHOW)
    if not is_told or seat.last_action is None or seat.last_action.verb not in _NOTED:
        return ""
    return action_note(seat.last_action)


_NOTED = frozenset(
    {ActionVerb.CHECK, ActionVerb.STAND, ActionVerb.DECLINE_STRADDLE, ActionVerb.CHOOSE, ActionVerb.DRAW}
)


def _is_open(view: HandView, seat: SeatView) -> bool:
    """Whether a seat's hand was compared and lies open. On several boards it is too much to be said beside a seat."""
    return len(view.boards) < 2 and view.over and view.showdown and seat.state is not HandSeatState.FOLDED


def _note(view: HandView, seat: SeatView, stage: Stage) -> str:
    """Return what a seat did that stays true: how many cards it drew, what it declared."""
    if stage is Stage.OVER and seat.pot_matched:
        return t(words.MATCHED, chips=words.short_number(seat.pot_matched))
    if stage is Stage.OVER and any(one.odd_chips for one in view.payments if one.seat_index == seat.seat_index):
        return t(words.ODD_CHIP)
    if seat.declaration:
        return declaration(seat.declaration)
    has_folded = seat.state is HandSeatState.FOLDED  # who has drew in an earlier round
    if stage is Stage.BETTING and not has_folded and seat.draw_counts:
        return words.drew(seat.draw_counts[-1])
    return ""


def _cards(view: HandView, seat: SeatView, stage: Stage) -> tuple[PictureCard, ...]:
    """Return the cards before a seat; none once it has folded, or after a hand that ended without a showdown."""
    if seat.state is HandSeatState.FOLDED or (stage is Stage.OVER and (view.voided or not view.showdown)):
        return ()
    meanings = dict(seat.designations) if stage is Stage.OVER else {}
    playing = _playing_cards(view, seat_index=seat.seat_index) if stage is Stage.OVER else None
    return tuple(
        [
            PictureCard(
                card.card,
                is_wild=card.card in seat.wild_cards or _is_wild(view, card.card),
                stands_for=meanings.get(card.card),
                mark=_mark(card.card, playing),
            )
            if card.card is not None
            else PictureCard(None)
            for card in seat.cards
        ]
    )


def _playing_cards(view: HandView, *, seat_index: int | None = None, board: int | None = None) -> frozenset[int]:
    """Return the cards with which a seat won, or with which the main pot was won on a board: of a shared pot, those of all its winners."""
    main = min([payment.pot_index for payment in view.payments], default=0)
    return frozenset(
        card
        for payment in view.payments
        if payment.seat_index == seat_index or (payment.board_index == board and payment.pot_index == main)
        for card in payment.playing_cards
    )


def _mark(card: int, playing: frozenset[int] | None) -> CardMark:
    """Return whether a card plays. `playing` is None before the result."""
    if playing is None:
        return CardMark.NONE
    return CardMark.PLAYS if card in playing else CardMark.DIMMED


def _is_wild(view: HandView, card: int) -> bool:
    if card >= JOKER:
        return bool(view.joker_kind)
    return card in view.wild_cards or card in view.wild_common_cards or card >> 2 in view.wild_ranks


def _boards(view: HandView, stage: Stage) -> tuple[PictureBoard, ...]:
    several, to_come = len(view.boards) > 1, view.cards_to_come[1]
    if not any(view.boards) and not to_come and not several:
        return ()
    size = max([len(board) for board in view.boards]) + to_come
    if size > 1 or several:  # while a run-out is dealt, a part of it is no longer to come
        size = max(size, _HOLDEM_BOARD)
    compared = stage is Stage.OVER and view.showdown
    return tuple(
        PictureBoard(
            tuple(
                [
                    PictureCard(
                        card,
                        is_wild=_is_wild(view, card),
                        mark=_mark(card, _playing_cards(view, board=at) if compared else None),
                    )
                    for card in board
                ]
            ),
            size,
            _board_banner(view, at) if len(view.boards) > 1 else "",
        )
        for at, board in enumerate(view.boards)
    )


def _heading(view: HandView, stage: Stage) -> str:
    if stage is Stage.OVER:
        if view.voided:
            return t(hand_words.ENDED_CANCELLED)
        if view.showdown:
            return t(STREET_HEADINGS["showdown"])
        return t(hand_words.ENDED_PASSED_OUT if view.passed_out else hand_words.ENDED_NO_SHOWDOWN)
    if stage is Stage.RUN_OUT:
        return t(words.ALL_IN)
    if stage is Stage.SHOW:
        return t(STREET_HEADINGS["showdown"])
    if stage is Stage.CHOICE and view.legal_to_act is not None:
        return words.choice_heading(view.legal_to_act) or street_heading(view)
    return street_heading(view)


def _paid_by_share(view: HandView, board: int, seat_index: int | None = None) -> list[PaymentView]:
    """Return one payment for each share of the first pot that was won with a hand on a board, by whomever or by one seat."""
    first: dict[str, PaymentView] = {}
    for payment in sorted(view.payments, key=lambda one: one.pot_index):
        is_theirs = seat_index is None or payment.seat_index == seat_index
        if is_theirs and payment.board_index == board and payment.made_hand is not None:
            first.setdefault(payment.share, payment)
    return list(first.values())


def _in_words(view: HandView, paid: list[PaymentView], board: int) -> list[str]:
    compared = hands_compared(view, board)
    found = []
    for payment in paid:
        assert payment.made_hand is not None
        hand = hand_name(payment.made_hand, compared)
        if len(view.shares) > 1:
            hand = t(words.SHARE_HAND, share=share_name(payment.share), hand=hand)
        found.append(words.capitalised(hand))
    return found


def _hands_in_words(view: HandView, board: int) -> list[str]:
    """Return the hands that won on a board, one for each share of the pot. Where all others mucked, it is what the winner holds."""
    found = _in_words(view, _paid_by_share(view, board), board)
    if not found and board == 0:
        shown = [hand_held(view, seat) for seat in view.seats if seat.won and _is_open(view, seat)]
        return [words.capitalised(hand) for hand in shown if hand][:1]
    return found


def _won_with(view: HandView, seat: SeatView) -> tuple[str, ...]:
    """Return the hands that a seat won with in a game without a board, one for each share of the pot."""
    if not _is_open(view, seat):
        return ()
    found = _in_words(view, _paid_by_share(view, 0, seat.seat_index), 0)
    return tuple(found or [words.capitalised(hand) for hand in (hand_held(view, seat),) if hand])


def _banners(view: HandView) -> tuple[str, ...]:
    return tuple(_hands_in_words(view, 0)) if view.over and view.showdown else ()


def _board_banner(view: HandView, board: int) -> str:
    if view.over and view.showdown and (hands := _hands_in_words(view, board)):
        return FACT_SEPARATOR.join(hands)
    return t(words.BOARD, number=board + 1)

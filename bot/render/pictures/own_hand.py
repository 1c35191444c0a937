"""A player's own cards as the values of a large picture, and its description. They are for that player alone."""

from collections.abc import Iterator

from msgspec.structs import replace

from bot.engine.view.types import CardView, HandSeatState, HandView, SeatView
from bot.pictures.types import HandPicture, Look, PictureBoard, PictureCard
from bot.render.hand.private_panels import own_seat
from bot.render.hand.scene import Scene, hands_compared, sorted_cards
from bot.render.message.panel import PICTURE_TEXT_MAX
from bot.text import own_cards as words
from bot.text import pictures as picture_words
from bot.text.cards import cards_in_signs, cards_in_words
from bot.text.formatting import shorten
from bot.text.game_words import share_name
from bot.text.hand_names import hand_name
from bot.text.language import t

HAND_PICTURE = "hand.webp"
"""The file of a player's own cards. It tells nothing, and it is the same in every hand."""


HOLDEM_BOARD = 5


def own_hand_picture(scene: Scene, look: Look) -> HandPicture | None:
    """Return what the picture of the viewer's own cards shows now; None while they hold none."""
    seat = own_seat(scene)
    cards = [card for card in seat.cards if card.card is not None]
    if not cards:
        return None
    hidden, opened = _row(seat, cards, face_up=False), _row(seat, cards, face_up=True)
    both = bool(hidden and opened)
    wild = {*seat.wild_cards}
    return HandPicture(
        look,
        hidden or opened,
        opened if both else (),
        t(words.OPEN_CARDS) if both else "",
        tuple(
            PictureBoard(tuple([PictureCard(card, card in wild) for card in board]), _board_size(scene.view, board))
            for board in scene.view.boards
            if board
        ),
        tuple(picture_words.capitalised(hand) for hand in _hands(scene, seat)),
    )


def _board_size(view: HandView, board: tuple[int, ...]) -> int:
    """Return how many cards a board will have; one that is not complete when the hand ends keeps its empty slots."""
    size = len(board) + view.cards_to_come[1]
    return size if size == 1 else max(size, HOLDEM_BOARD)


def same_cards(first: HandPicture | None, second: HandPicture | None) -> bool:
    """Whether two pictures show the same cards, wild marks and boards: then the words alone need no new one."""
    if first is None or second is None:
        return first is second
    return replace(first, hands=()) == replace(second, hands=())


def own_hand_text(scene: Scene) -> str:
    """Describe the picture of the viewer's own cards for whoever cannot see it: in words where they fit, else in signs."""
    seat = own_seat(scene)
    written = ""
    for write in (cards_in_words, cards_in_signs):
        parts = []
        hidden, opened = (
            [
                card
                for card in sorted_cards([one.card for one in seat.cards if one.face_up is face_up])
                if card is not None
            ]
            for face_up in (False, True)
        )
        parts.append(t(words.PICTURE_CARDS, cards=write(hidden or opened)))
        if hidden and opened:
            parts.append(t(words.PICTURE_OPEN_CARDS, cards=write(opened)))
        parts += [t(picture_words.ALT_BOARD, cards=write(board)) for board in scene.view.boards if board]
        parts += [t(words.PICTURE_HAND, hand=picture_words.capitalised(hand)) for hand in _hands(scene, seat)]
        written = " ".join(parts)
        if len(written) <= PICTURE_TEXT_MAX:
            return written
    return shorten(written, PICTURE_TEXT_MAX)


def _row(seat: SeatView, cards: list[CardView], *, face_up: bool) -> tuple[PictureCard, ...]:
    meanings = dict(seat.designations)
    row = sorted_cards([one.card for one in cards if one.face_up is face_up])
    return tuple(
        PictureCard(card, card in seat.wild_cards or card in meanings, meanings.get(card))
        for card in row
        if card is not None
    )


def _hands(scene: Scene, seat: SeatView) -> Iterator[str]:
    """Yield what the cards make so far, for each share and board; nothing while a whole board has still to come, or after a fold."""
    view = scene.view
    no_board = view.cards_to_come[1] and not any(view.boards)
    if seat.made_hand is None or no_board or seat.state is HandSeatState.FOLDED:
        return
    boards = seat.made_by_board or (seat.made_by_share or (("", seat.made_hand),),)
    for number, made_on_board in enumerate(boards):
        for share, made in made_on_board:
            hand = hand_name(made, hands_compared(view, number))
            if len(made_on_board) > 1:
                hand = t(picture_words.SHARE_HAND, share=share_name(share), hand=hand)
            yield t(words.PICTURE_BOARD_HAND, number=number + 1, hand=hand) if len(boards) > 1 else hand

"""The picture of one's own cards: what is on it, what it says, and that nothing of it can end up in a log."""

from bot.engine.cards import parse_cards
from bot.pictures.types import HandPicture, Look, PictureBoard, PictureCard
from bot.render.hand.my_hand import PanelState, my_hand_panel
from bot.render.message.panel import PICTURE_TEXT_MAX, Picture
from bot.render.pictures.own_hand import HAND_PICTURE, own_hand_picture, own_hand_text, same_cards
from tests.render.sample_hands import scene
from tests.render.test_private_panels import own_view
from tests.support.panel_text import panel_as_text

LOOK = Look()


def picture(cards: str, board: str = "", hands: tuple[str, ...] = ()) -> HandPicture:
    boards = (PictureBoard(tuple(map(PictureCard, parse_cards(board)))),) if board else ()
    return HandPicture(LOOK, tuple(map(PictureCard, parse_cards(cards))), boards=boards, hands=hands)


def test_words_alone_need_no_new_picture() -> None:
    assert same_cards(picture("AsKh", "2c3d4h", ("Straight",)), picture("AsKh", "2c3d4h"))
    assert not same_cards(picture("AsKh", "2c3d4h"), picture("AsKh", "2c3d4h5s"))
    assert not same_cards(picture("AsKh"), picture("AsKd"))
    assert not same_cards(picture("AsKh"), None)


def test_nothing_of_a_hand_is_told_in_its_representation() -> None:
    told = repr(picture("AsKh", "2c3d4h", ("Straight, five high",)))
    assert told == "<hand of 2 cards>"


def test_picture_shows_the_viewers_cards_sorted() -> None:
    own = scene(own_view())
    shown = own_hand_picture(own, LOOK)
    assert shown is not None
    seat = own.own_seat()
    assert seat is not None
    held = [card.card for card in seat.cards]
    assert sorted([card.card or 0 for card in shown.cards]) == sorted([card or 0 for card in held])
    ranks = [(card.card or 0) >> 2 for card in shown.cards]
    assert ranks == sorted(ranks, reverse=True)


def test_description_names_the_cards_and_fits() -> None:
    text = own_hand_text(scene(own_view()))
    assert text.startswith("Your cards: ") and len(text) <= PICTURE_TEXT_MAX


def test_tiles_under_a_picture_have_the_size_of_text() -> None:
    own = scene(own_view())
    plain = panel_as_text(my_hand_panel(own))
    drawn = panel_as_text(my_hand_panel(own, state=PanelState(picture=Picture(HAND_PICTURE, own_hand_text(own)))))
    assert any(line.startswith("# ") for line in plain.splitlines())
    assert not any(line.startswith("# ") for line in drawn.splitlines())
    assert "Your cards: " in drawn

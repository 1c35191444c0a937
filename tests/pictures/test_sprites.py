"""Cards can be told apart at every size, and what is kept stays within its bounds."""

from itertools import combinations, product

import pytest
from PIL import Image, ImageChops, ImageStat

from bot.engine import cards
from bot.pictures.cards import BOARD, PAIR, ROW, SMALL_ROW, TWO_BOARDS, CardSize, draw_card, draw_slot
from bot.pictures.sketch import Sprite, rgba
from bot.pictures.sprites import SPRITES, SPRITES_BYTES_MAX, SPRITES_MAX, WORDS, PictureStore, Sprites, memory_kept
from bot.pictures.theme import theme
from bot.pictures.types import CardMark, Look, PictureCard
from bot.table.picture_colours import Deck

CLASSIC = theme("classic")
PHONE = 290 / 1100
"""How much smaller a picture is on the narrowest phone."""
SIZES = (BOARD, TWO_BOARDS, PAIR, ROW, SMALL_ROW)
KING, TWO = cards.parse_card("Kh"), cards.parse_card("2d")


def drawn(card: PictureCard, size: CardSize = BOARD, deck: Deck = Deck.FOUR_COLOURS) -> Image.Image:
    """Return a card on the cloth."""
    cloth = Image.new("RGB", (size.width + 30, size.height + 30), CLASSIC.felts.green.centre)
    draw_card(CLASSIC, deck, card, size).onto(cloth, 15, 15)
    return cloth


def visible(card: int, size: CardSize) -> Image.Image:
    """Return what an overlapped card shows, as small as on the narrowest phone."""
    whole = drawn(PictureCard(card), size).crop((15, 15, 15 + size.strip, 15 + size.height))
    return whole.resize((round(whole.width * PHONE), round(whole.height * PHONE)), Image.Resampling.LANCZOS)


def difference(one: Image.Image, other: Image.Image) -> float:
    """Return the mean difference of two pictures, in levels of 255."""
    parts = ImageStat.Stat(ImageChops.difference(one, other)).mean
    return sum(parts) / len(parts)


def has(image: Image.Image, colour: str) -> bool:
    return rgba(colour)[:3] in {found for _, found in image.getcolors(1 << 20) or []}


@pytest.mark.parametrize("size", SIZES)
def test_every_card_differs_on_the_narrowest_phone(size: CardSize) -> None:
    small = [visible(card, size) for card in (*cards.STANDARD_52, cards.JOKER)]
    closest = min(difference(one, other) for one, other in combinations(small, 2))
    assert closest > 2.5


def test_decks_differ_where_they_must() -> None:
    by_deck = {
        deck: [drawn(PictureCard(card), SMALL_ROW, deck).tobytes() for card in cards.STANDARD_52] for deck in Deck
    }
    four, two, filled = (by_deck[deck] for deck in Deck)
    recoloured = {cards.suit_of(card) for card in cards.STANDARD_52 if four[card] != two[card]}
    assert recoloured == {cards.CLUBS, cards.DIAMONDS}
    assert all(one != other for one, other in zip(four, filled, strict=True))
    assert {drawn(PictureCard(cards.JOKER), PAIR, deck).tobytes() for deck in Deck} == {
        drawn(PictureCard(cards.JOKER), PAIR).tobytes()
    }


@pytest.mark.parametrize("size", SIZES)
def test_wild_card_carries_a_violet_star(size: CardSize) -> None:
    plain, wild = drawn(PictureCard(TWO), size), drawn(PictureCard(TWO, is_wild=True), size)
    assert not has(plain, CLASSIC.wild.fill)
    assert has(wild, CLASSIC.wild.fill)
    corner = ImageChops.difference(plain, wild).getbbox()
    assert corner is not None


@pytest.mark.parametrize("size", SIZES)
def test_declared_card_is_told_by_every_label(size: CardSize) -> None:
    labels = [
        drawn(PictureCard(cards.JOKER, is_wild=True, stands_for=card), size).tobytes() for card in cards.STANDARD_52
    ]
    assert len(set(labels)) == 52
    assert drawn(PictureCard(cards.JOKER, is_wild=True), size).tobytes() not in labels


@pytest.mark.parametrize("size", SIZES)
def test_overlapped_wild_card_shows_its_star_and_label(size: CardSize) -> None:
    """What lies under the next card is not needed to read it."""

    def strip(card: PictureCard) -> bytes:
        return drawn(card, size).crop((15, 15, 15 + size.strip, 15 + size.height)).tobytes()

    plain, wild = PictureCard(TWO), PictureCard(TWO, is_wild=True)
    declared = [PictureCard(TWO, is_wild=True, stands_for=card) for card in cards.STANDARD_52 if card != TWO]
    assert len({strip(plain), strip(wild), *map(strip, declared)}) == 53


@pytest.mark.parametrize("size", SIZES)
def test_declared_wild_card_keeps_its_star(size: CardSize) -> None:
    """It stands above the label, within the strip that is never overlapped."""
    box = (15, 15, 15 + size.strip, 15 + round(0.64 * size.height))
    assert has(drawn(PictureCard(TWO, is_wild=True, stands_for=KING), size).crop(box), CLASSIC.wild.fill)
    assert not has(drawn(PictureCard(TWO, stands_for=KING), size).crop(box), CLASSIC.wild.fill)


@pytest.mark.parametrize("card", [PictureCard(KING), PictureCard(None), PictureCard(cards.JOKER)])
def test_card_that_plays_is_framed_and_another_dimmed(card: PictureCard) -> None:
    plain, plays, dimmed = (drawn(PictureCard(card.card, mark=mark)) for mark in CardMark)
    assert has(plays, CLASSIC.frame.line) and not has(plain, CLASSIC.frame.line)
    inside = (40, 40, 110, 150)
    assert difference(plays.crop(inside), plain.crop(inside)) < 0.5
    assert (
        ImageStat.Stat(dimmed.crop(inside).convert("L")).mean[0]
        < ImageStat.Stat(plain.crop(inside).convert("L")).mean[0] * 0.8
    )


def test_back_is_the_same_for_every_hidden_card() -> None:
    """A back has no number, and neither deck nor star can tell it from another."""
    backs = {Sprites(Look(deck=deck)).back(PAIR).image.tobytes() for deck in Deck}
    assert len(backs) == 1


def test_equal_cards_have_equal_pixels() -> None:
    for size, mark in product(SIZES, CardMark):
        one, other = (draw_card(CLASSIC, Deck.FOUR_COLOURS, PictureCard(KING, mark=mark), size) for _ in range(2))
        assert one.image.tobytes() == other.image.tobytes()


def test_nothing_of_a_card_is_cut_at_its_sprite_edge() -> None:
    """The outermost pixels are all but transparent: no shadow, frame or glow ends in a line."""
    for size, mark in product(SIZES, CardMark):
        alpha = draw_card(CLASSIC, Deck.FOUR_COLOURS, PictureCard(KING, mark=mark), size).image.getchannel("A")
        inner = Image.new("L", alpha.size, 255)
        inner.paste(0, (1, 1, alpha.width - 1, alpha.height - 1))
        assert ImageChops.multiply(alpha, inner).getextrema()[1] <= 12


def test_slot_of_a_card_shows_the_cloth() -> None:
    assert draw_slot(CLASSIC, BOARD).image.getextrema()[3][1] < 128


def test_store_forgets_what_was_unused_for_longest() -> None:
    store: PictureStore[Sprite] = PictureStore(count=2, size=1 << 20)
    made: list[str] = []

    def sprite(name: str) -> Sprite:
        def make() -> Sprite:
            made.append(name)
            return Sprite(Image.new("RGBA", (10, 10)))

        return store.get(name, make)

    for name in ("a", "b", "a", "c", "a", "b"):
        sprite(name)
    assert made == ["a", "b", "c", "b"]
    assert len(store) == 2 and store.memory == 2 * 10 * 10 * 4


def test_store_stays_within_its_bytes() -> None:
    store: PictureStore[Sprite] = PictureStore(count=100, size=5_000)
    for number in range(50):
        store.get(number, lambda: Sprite(Image.new("RGBA", (20, 20))))
        assert store.memory <= 5_000
    assert len(store) == 3


def test_kept_sprites_stay_within_their_megabytes() -> None:
    for card, height in product(cards.STANDARD_52, range(28, 34)):
        Sprites(Look()).card(PictureCard(card), CardSize(20, height))
    assert len(SPRITES) <= SPRITES_MAX and SPRITES.memory <= SPRITES_BYTES_MAX
    assert memory_kept() == SPRITES.memory + WORDS.memory <= 54_000_000


def test_themes_do_not_share_sprites() -> None:
    one, other = (Sprites(Look(theme=key)).card(PictureCard(KING), PAIR) for key in ("classic", "light"))
    assert one.image.tobytes() != other.image.tobytes()


@pytest.mark.parametrize(("anchor", "begins"), [("l", 150), ("m", 100), ("r", 50)])
def test_word_stands_where_it_is_anchored(anchor: str, begins: int) -> None:
    canvas = Image.new("RGB", (400, 100))
    sprites = Sprites(Look())
    assert anchor in ("l", "m", "r")
    width = sprites.write(canvas, 150, 50, "HHHH", 40, "#FFFFFF", anchor=anchor)
    left, top, right, bottom = canvas.getbbox() or (0, 0, 0, 0)
    expected = {"l": 150, "m": 150 - width // 2, "r": 150 - width}[anchor]
    assert abs(left - expected) <= 5 and abs(right - left - width) <= 8
    assert abs((top + bottom) / 2 - 50) <= 1.5


def test_word_is_cut_to_the_width_it_has() -> None:
    sprites = Sprites(Look())
    wide, cut = sprites.width("bob_the_builder", 30), sprites.width("bob_the_builder", 30, widest=160)
    assert cut <= 160 < wide

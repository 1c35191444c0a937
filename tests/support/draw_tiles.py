"""Draw the card tiles once: 128×128 squares for application emojis. Run it again only when their look changes.

    python -m tests.support.draw_tiles

The suits are our own outlines; the ranks are set in Inter (SIL Open Font License), whose glyphs can be drawn into pictures freely.
"""

from PIL import Image, ImageDraw, ImageFont

from bot.engine import cards
from bot.pictures.coverage import FOLDER, Weight
from bot.pictures.outlines import DIAMOND, STAR, SUITS, Outline, Point
from bot.render.card_tiles import CARDS, tile_name, tile_names

SIDE = 128
SCALE = 8  # drawn large, then made small: smooth edges without a drawing library
COLOURS_MAX = 48
FACE, EDGE = "#FAFBFD", "#8A909C"
FOUR_COLOURS = ("#008A67", "#0A46BF", "#C20E1E", "#16191F")  # clubs, diamonds, hearts, spades
TWO_COLOURS = ("#16191F", "#C20E1E", "#C20E1E", "#16191F")
WILD, BACK = "#762AA0", "#A32035"
LETTERS = FOLDER / Weight.EXTRABOLD


class Tile:
    """One picture while it is drawn. Coordinates are those of the finished 128×128 tile."""

    def __init__(self, face: str, edge: str) -> None:
        self.image = Image.new("RGBA", (SIDE * SCALE, SIDE * SCALE), face + "00")
        self.pencil = ImageDraw.Draw(self.image)
        self.box((2, 2, 126, 126), 22, edge)
        self.box((5, 5, 123, 123), 19, face)

    def box(self, corners: tuple[float, float, float, float], radius: float, fill: str, line: float = 0) -> None:
        scaled = [value * SCALE for value in corners]
        if line:
            self.pencil.rounded_rectangle(scaled, radius * SCALE, outline=fill, width=round(line * SCALE))
        else:
            self.pencil.rounded_rectangle(scaled, radius * SCALE, fill=fill)

    def shape(self, outlines: tuple[Outline, ...], centre: Point, size: float, fill: str, halo: float = 0) -> None:
        """Fill outlines around a centre. `halo` is a rim in the face's colour that separates them from what lies below."""
        for outline in outlines:
            points = [((centre[0] + x * size) * SCALE, (centre[1] + y * size) * SCALE) for x, y in outline]
            if halo:
                self.pencil.line([*points, points[0], points[1]], FACE, round(2 * halo * SCALE), joint="curve")
            else:
                self.pencil.polygon(points, fill)

    def word(self, text: str, font: ImageFont.FreeTypeFont, left_top: Point, fill: str, squeeze: float = 1.0) -> None:
        """Draw a word with its ink at the given top left corner, made narrower by `squeeze`."""
        left, top, right, bottom = font.getbbox(text)
        ink = Image.new("L", (round(right - left), round(bottom - top)))
        ImageDraw.Draw(ink).text((-left, -top), text, 255, font)
        ink = ink.resize((round(ink.width * squeeze), ink.height), Image.Resampling.LANCZOS)
        self.image.paste(
            Image.new("RGBA", ink.size, fill), (round(left_top[0] * SCALE), round(left_top[1] * SCALE)), ink
        )

    def save(self, name: str) -> int:
        """Reduce the picture to its final size and write it with a palette. Returns its size in bytes."""
        small = self.image.resize((SIDE, SIDE), Image.Resampling.LANCZOS)
        target = CARDS / f"{name}.png"
        small.quantize(COLOURS_MAX, Image.Quantize.FASTOCTREE).save(target, optimize=True)
        return target.stat().st_size


def draw_card(card: int, colours: tuple[str, ...]) -> Tile:
    """Draw a rank at the top left and a large suit at the bottom right over it: both can be read at 22 px."""
    tile = Tile(FACE, EDGE)
    rank, suit = cards.rank_of(card), cards.suit_of(card)
    text = cards.RANKS[rank].replace("T", "10")
    letters = ImageFont.truetype(LETTERS, round(98 * SCALE))
    left_top, squeeze = ((7.5, 13.0), 0.72) if text == "10" else ((12.0, 13.0), 1.0)
    tile.word(text, letters, left_top, colours[suit], squeeze)
    centre, size = ((91.0, 88.0), 29.0) if suit == cards.DIAMONDS else ((90.0, 89.5), 27.5)
    tile.shape(SUITS[suit], centre, size, colours[suit], halo=4.5)
    tile.shape(SUITS[suit], centre, size, colours[suit])
    return tile


def draw_joker() -> Tile:
    """Draw a violet star over the word."""
    tile = Tile(FACE, EDGE)
    tile.shape((STAR,), (64, 53), 43, WILD)
    letters = ImageFont.truetype(LETTERS, round(31 * SCALE))
    left, _, right, _ = letters.getbbox("JOKER")
    tile.word("JOKER", letters, (64 - (right - left) / SCALE / 2, 95), WILD)
    return tile


def draw_back() -> Tile:
    """Draw a red field with a frame and a diamond, without a figure that looks like a rank."""
    tile = Tile(FACE, "#C9CCD3")
    tile.box((11, 11, 117, 117), 13, BACK)
    tile.box((20, 20, 108, 108), 9, "#E3A9B1", line=2.5)
    tile.shape((DIAMOND,), (64, 64), 21, "#F0CBD0")
    return tile


def main() -> None:
    """Write every tile and print the size of the set."""
    CARDS.mkdir(parents=True, exist_ok=True)
    sizes = {"joker": draw_joker().save("joker"), "card_back": draw_back().save("card_back")}
    for card in cards.STANDARD_52:
        sizes[tile_name(card)] = draw_card(card, FOUR_COLOURS).save(tile_name(card))
        if (two := tile_name(card, two_colour=True)) != tile_name(card):
            sizes[two] = draw_card(card, TWO_COLOURS).save(two)
    assert set(sizes) == set(tile_names())
    print(f"{len(sizes)} tiles, {sum(sizes.values())} bytes, the largest {max(sizes.values())}")


if __name__ == "__main__":
    main()

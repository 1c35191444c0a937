"""Themes are whole, strict and readable."""

import pytest

from bot.pictures.sketch import rgba
from bot.pictures.theme import FOLDER, Theme, ThemeError, theme, themes
from bot.table.picture_colours import Deck, Felt

THEMES = list(themes().values())
LIGHT = (FOLDER / "light.toml").read_text(encoding="utf-8")

Light = tuple[float, float, float]


def over(colour: str, under: str) -> Light:
    """Return a colour, possibly translucent, as it looks on an opaque one."""
    *front, alpha = rgba(colour)
    back = rgba(under)[:3]
    red, green, blue = ((a * alpha + b * (255 - alpha)) / 255 for a, b in zip(front, back, strict=True))
    return red, green, blue


def luminance(colour: Light) -> float:
    """Return the relative luminance of WCAG 2.2."""
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in (value / 255 for value in colour)
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(front: Light, back: Light) -> float:
    high, low = sorted((luminance(front), luminance(back)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def solid(colour: str) -> Light:
    return over(colour, "#000000")


def texts(of: Theme) -> dict[str, tuple[Light, Light]]:
    """Return every text of a theme with what lies behind it, at the worst place of a gradient."""
    found: dict[str, tuple[Light, Light]] = {}
    for felt in Felt:
        cloth = of.felt(felt)
        for part in ("centre", "edge"):
            ground = getattr(cloth, part)
            for size in ("large", "small"):
                found[f"{size} text on {felt} {part}"] = solid(getattr(of.felt_texts, size)), solid(ground)
            for name in ("note", "banner"):
                label = getattr(of, name)
                found[f"{name} on {felt} {part}"] = solid(label.text), over(label.fill, ground)
    for state in ("normal", "folded", "all_in", "to_act", "won"):
        plate = getattr(of.plates, state)
        for ground in ("top", "bottom"):
            for line in ("name", "chips"):
                found[f"{line} on {state} {ground}"] = solid(getattr(plate, line)), solid(getattr(plate, ground))
    for ground in ("top", "bottom"):
        for word in ("heading", "label"):
            found[f"{word} on chart {ground}"] = solid(getattr(of.chart, word)), solid(getattr(of.chart, ground))
        for index, colour in enumerate(of.chart.people):
            found[f"name {index} on chart {ground}"] = solid(colour), solid(getattr(of.chart, ground))
    for name in ("badge", "dealer"):
        found[name] = solid(getattr(of, name).text), solid(getattr(of, name).fill)
    return found


def glyphs(of: Theme) -> dict[str, tuple[Light, Light]]:
    """Return the colour of every suit, the star and the back with what lies behind it."""
    found: dict[str, tuple[Light, Light]] = {}
    for deck in Deck:
        suits = of.suits.of(deck)
        for suit in range(4):
            for ground in (of.cards.top, of.cards.bottom):
                pair = (of.suits.filled.ink, suits.of(suit)) if deck is Deck.FILLED else (suits.of(suit), ground)
                found[f"suit {suit} of {deck} on {ground}"] = solid(pair[0]), solid(pair[1])
    found["joker"] = solid(of.wild.fill), solid(of.cards.joker_bottom)
    found["star"] = solid(of.wild.star), solid(of.wild.fill)
    for line in ("start", "line", "gain", "loss", "nobody"):
        found[f"{line} on chart"] = solid(getattr(of.chart, line)), solid(of.chart.top)
    for index, colour in enumerate(of.faces.colours):
        found[f"initials {index}"] = solid(of.faces.text), solid(colour)
        found[f"dimmed initials {index}"] = solid(of.faces.dimmed_text), over(of.cards.shade, colour)
    return found


@pytest.mark.parametrize("of", THEMES, ids=lambda of: of.name)
def test_every_text_has_a_contrast_of_four_and_a_half(of: Theme) -> None:
    assert {what: round(contrast(*pair), 2) for what, pair in texts(of).items() if contrast(*pair) < 4.5} == {}


@pytest.mark.parametrize("of", THEMES, ids=lambda of: of.name)
def test_every_large_sign_has_a_contrast_of_three(of: Theme) -> None:
    assert {what: round(contrast(*pair), 2) for what, pair in glyphs(of).items() if contrast(*pair) < 3} == {}


@pytest.mark.parametrize("of", THEMES, ids=lambda of: of.name)
def test_dimmed_suits_can_still_be_told(of: Theme) -> None:
    """A card that does not play is dimmed, which costs contrast; it stands in words in the message too."""
    suits = {what: pair for what, pair in glyphs(of).items() if what.startswith("suit")}
    for front, back in suits.values():
        dimmed = [over(of.cards.shade, "#" + bytes(round(part) for part in colour).hex()) for colour in (front, back)]
        assert contrast(dimmed[0], dimmed[1]) > 2.3


@pytest.mark.parametrize("of", THEMES, ids=lambda of: of.name)
def test_four_coloured_suits_differ_in_every_colour(of: Theme) -> None:
    suits = of.suits.of(Deck.FOUR_COLOURS)
    assert len({suits.of(suit) for suit in range(4)}) == 4


def test_two_themes_are_there_and_the_default_is_first() -> None:
    assert list(themes()) == ["classic", "light"]
    assert (
        luminance(solid(theme("light").felts.green.centre))
        > 0.5
        > luminance(solid(theme("classic").felts.green.centre))
    )


def test_unknown_theme_is_drawn_as_the_default() -> None:
    assert theme("gone") is theme("classic")


@pytest.mark.parametrize(
    ("planted", "instead", "named"),
    [
        ("rim_top", "rmi_top", "rmi_top"),
        ('rim_top = "#C79A6B"\n', "", "rim_top"),
        ("#C79A6B", "#C79A6", "rim_top"),
        ("#C79A6B", "brown", "rim_top"),
        ("[wild]", "[wlid]", "wlid"),
        ('name = "Light"', 'name = "Light', "line 3"),
    ],
)
def test_wrong_key_or_colour_is_named(planted: str, instead: str, named: str) -> None:
    with pytest.raises(ThemeError, match=named):
        Theme.read(LIGHT.replace(planted, instead, 1), "light.toml")

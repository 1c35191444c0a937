"""Themes: every colour of a picture, as data.

A theme is a TOML file of `themes/`. It is read strictly: a colour that is missing, misspelled or not a colour is an error that
names it, so that no theme is drawn half.
"""

import tomllib
from functools import cache
from pathlib import Path
from typing import Annotated, Self

import msgspec
from msgspec import Meta, Struct

from bot.table.picture_colours import Deck, Felt

FOLDER = Path(__file__).parent / "themes"
DEFAULT = "classic"

Colour = Annotated[str, Meta(pattern="^#([0-9A-F]{2}){3,4}$")]
"""#RRGGBB or #RRGGBBAA, as Pillow reads it."""


class ThemeError(ValueError):
    """A theme's file does not say what a theme must say. The message names the file and the key."""


class _Part(Struct, frozen=True, forbid_unknown_fields=True):
    """A table of a theme's file: all of its keys must be there, and no others."""


class Shades(_Part, frozen=True):
    """A colour that runs from top to bottom."""

    top: Colour
    bottom: Colour


class FeltColours(_Part, frozen=True):
    """The cloth, lighter in the middle, its line, and the rim around it."""

    centre: Colour
    edge: Colour
    line: Colour
    rim_top: Colour
    rim_bottom: Colour


class Felts(_Part, frozen=True):
    """One cloth for cash, one for tournaments."""

    green: FeltColours
    blue: FeltColours


class FeltTexts(_Part, frozen=True):
    """Words that stand on the cloth itself."""

    large: Colour
    small: Colour


class PlateColours(_Part, frozen=True):
    """A seat's plate and its two lines."""

    top: Colour
    bottom: Colour
    border: Colour
    name: Colour
    chips: Colour


class Plates(_Part, frozen=True):
    """A plate for each way a seat can stand; `folded` serves for away too."""

    normal: PlateColours
    folded: PlateColours
    all_in: PlateColours
    to_act: PlateColours
    won: PlateColours


class Label(_Part, frozen=True):
    """A small shape with a word or number: a badge, a note, the dealer button, a banner."""

    fill: Colour
    border: Colour
    text: Colour


class ChipColours(_Part, frozen=True):
    """The chips beside the pot and beside a bet, and the stripes on both."""

    pot: Colour
    bet: Colour
    stripe: Colour


class CardColours(_Part, frozen=True):
    """A card's face and what lies around it. `shade` covers a card that does not play; `slot` waits for a card that is to come."""

    top: Colour
    bottom: Colour
    border: Colour
    joker_bottom: Colour
    shade: Colour
    slot: Colour
    slot_border: Colour
    shadow: Colour


class BackColours(_Part, frozen=True):
    """A card's back."""

    top: Colour
    bottom: Colour
    margin: Colour
    line: Colour
    figure: Colour


class SuitColours(_Part, frozen=True):
    """The colours of the suits on a card's face."""

    clubs: Colour
    diamonds: Colour
    hearts: Colour
    spades: Colour

    def of(self, suit: int) -> str:
        """Return the colour of a suit."""
        return (self.clubs, self.diamonds, self.hearts, self.spades)[suit]


class FilledColours(SuitColours, frozen=True):
    """A deck whose faces are filled with the suit's colour and written on in `ink`."""

    ink: Colour
    border: Colour


class Suits(_Part, frozen=True):
    """The three decks."""

    four_colours: SuitColours
    two_colours: SuitColours
    filled: FilledColours

    def of(self, deck: Deck) -> SuitColours:
        """Return the suits of a deck."""
        match deck:
            case Deck.FOUR_COLOURS:
                return self.four_colours
            case Deck.TWO_COLOURS:
                return self.two_colours
            case Deck.FILLED:
                return self.filled


class WildColours(_Part, frozen=True):
    """The star of a wild card, and the joker."""

    fill: Colour
    star: Colour


class FrameColours(_Part, frozen=True):
    """The frame of a card that plays."""

    line: Colour
    glow: Colour


class FaceColours(_Part, frozen=True):
    """The discs with initials, by seat number, and the initials: on a bright disc, and on one with the cards' shade over it."""

    colours: Annotated[tuple[Colour, ...], Meta(min_length=1)]
    text: Colour
    dimmed_text: Colour

    def of(self, seat: int) -> str:
        """Return the disc's colour of a seat number, from 1."""
        return self.colours[(seat - 1) % len(self.colours)]


class Medals(_Part, frozen=True):
    """The medals of the first three."""

    gold: Label
    silver: Label
    bronze: Label

    def of(self, rank: int) -> Label:
        """Return the medal of a rank, from 1."""
        return (self.gold, self.silver, self.bronze)[min(rank, 3) - 1]


class ChartColours(_Part, frozen=True):
    """A chart: its ground, its words, the lines across, the dashed line of the start, the curve, what lies under it, bars, and the lines
    and names of several people."""

    top: Colour
    bottom: Colour
    heading: Colour
    label: Colour
    grid: Colour
    start: Colour
    line: Colour
    fill: Colour
    gain: Colour
    loss: Colour
    people: Annotated[tuple[Colour, ...], Meta(min_length=10, max_length=10)]
    nobody: Colour


class Theme(_Part, frozen=True):
    """All colours of a picture. `name` is what a person choosing it reads."""

    name: Annotated[str, Meta(min_length=1)]
    room: Shades
    felts: Felts
    felt_texts: FeltTexts
    plates: Plates
    badge: Label
    note: Label
    banner: Label
    dealer: Label
    chips: ChipColours
    cards: CardColours
    back: BackColours
    suits: Suits
    wild: WildColours
    frame: FrameColours
    faces: FaceColours
    medals: Medals
    chart: ChartColours

    def felt(self, felt: Felt) -> FeltColours:
        """Return the colours of a cloth."""
        match felt:
            case Felt.CASH:
                return self.felts.green
            case Felt.TOURNAMENT:
                return self.felts.blue

    @classmethod
    def read(cls, text: str, source: str) -> Self:
        """Read a theme from TOML.

        Raises:
            ThemeError: a key is missing, unknown or no colour; the message names `source` and the key.
        """
        try:
            return msgspec.convert(tomllib.loads(text), cls)
        except (msgspec.ValidationError, tomllib.TOMLDecodeError) as error:
            raise ThemeError(f"{source}: {error}") from error


@cache
def themes() -> dict[str, Theme]:
    """Return every theme of the package by its key, the default first."""
    keys = sorted((path.stem for path in FOLDER.glob("*.toml")), key=lambda key: (key != DEFAULT, key))
    return {key: Theme.read((FOLDER / f"{key}.toml").read_text(encoding="utf-8"), f"{key}.toml") for key in keys}


def theme(key: str) -> Theme:
    """Return a theme. An unknown key gives the default: a theme that a server once chose can be gone."""
    return themes().get(key, themes()[DEFAULT])

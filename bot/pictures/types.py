"""What a picture shows: plain values with every word already written, so that drawing needs no game, no law and no language.

They are made from what everybody may see, and travel to the drawing process as bytes. Two pictures with equal values have equal bytes.
"""

from enum import StrEnum
from typing import Annotated, get_type_hints

from msgspec import Struct

from bot.table.picture_colours import Deck, Felt


class Look(Struct, frozen=True, gc=False):
    """How a picture is drawn, whatever it shows.

    Attributes:
        theme: the key of a theme; an unknown one is drawn as the default.
    """

    theme: str = "classic"
    deck: Deck = Deck.FOUR_COLOURS
    felt: Felt = Felt.CASH


class Canvas(StrEnum):
    """How much of a table a picture shows."""

    FULL = "full"  # the whole table, for what is looked at: showdowns, results, replays
    STRIP = "strip"  # flat, with the plates in two rows, for a hand that is being played: the text beside it is in sight too


class SeatState(StrEnum):
    """How a seat stands."""

    IN = "in"
    ALL_IN = "all-in"
    FOLDED = "folded"
    AWAY = "away"
    EMPTY = "empty"


class CardMark(StrEnum):
    """Whether a card plays: after a showdown the cards of the winning hand are raised and framed, and the others dimmed."""

    NONE = "none"
    PLAYS = "plays"
    DIMMED = "dimmed"


class PictureCard(Struct, frozen=True, gc=False):
    """One card.

    Attributes:
        card: its number (`bot.engine.cards`); None for a back.
        is_wild: it carries the star.
        stands_for: the card that a wild one was declared to be; None where nothing was declared.
    """

    card: int | None
    is_wild: bool = False
    stands_for: int | None = None
    mark: CardMark = CardMark.NONE

    def __repr__(self) -> str:
        """Tell nothing of the card, because this can end up in a log (TL-37)."""
        return "<card>"


class PictureBoard(Struct, frozen=True, gc=False):
    """A row of common cards.

    Attributes:
        size: how many cards it will have in the end; those that are to come are drawn as empty outlines.
        banner: the hand that won on it, or a label such as "Board 1"; empty for none.
    """

    cards: tuple[PictureCard, ...]
    size: int = 5
    banner: str = ""


class Pill(Struct, frozen=True, gc=False):
    """The field of a seat that has this in its type is drawn by itself: its words on a pill between the plate and the middle of the table.

    Attributes:
        size: the largest size of its words in pixels.
        has_chip: a chip lies before them.
    """

    size: int
    is_bold: bool = False
    has_chip: bool = False


class PictureSeat(Struct, frozen=True, gc=False):
    """One seat of the table.

    Attributes:
        number: its number at the table.
        name: the player's display name, as Discord has it; empty for an empty seat.
        chips: the line under the name: a stack, "fold", "away", "ALL-IN".
        is_dealer: the dealer button lies here.
        bet: the chips that lie before the seat, such as "50" for a posted blind; empty for none.
        note: what the seat did that stays true during the street: "drew 2", "stood pat", "in", "high"; empty for nothing. Where there is
            room for one pill, it is the last.
        cards: the cards before the seat, backs where they are hidden, in the order in which they lie.
        hidden_count: how many of the cards are hidden, where that is worth a number beside open ones (stud); 0 for none.
        won: what it has won, "+9,450", in gold before it, or in place of `chips` where there is no room; empty for nothing.
        banners: the hands that it won with, where the table has no board: with `won` before the seat, or else in the middle.
        odds: the chance of an open hand while the rest of the board is dealt: "62 %".
        is_to_act: the plate is filled; only where a picture shows one moment, such as a step of a replay, as a street outlives the turn.
        avatar: the player's own picture (`bot.pictures.avatars`), in place of their initials; empty where it is not there.
        hand: what the seat holds in words, after a showdown; empty where nothing is known. Where it does not fit, the words before the
            first comma are drawn, and where these do not fit, none.
    """

    number: int
    name: str
    chips: str
    state: SeatState = SeatState.IN
    is_dealer: bool = False
    bet: Annotated[str, Pill(34, is_bold=True, has_chip=True)] = ""
    note: Annotated[str, Pill(28)] = ""
    odds: Annotated[str, Pill(34, is_bold=True)] = ""
    cards: tuple[PictureCard, ...] = ()
    hidden_count: int = 0
    won: str = ""
    banners: tuple[str, ...] = ()
    is_to_act: bool = False
    hand: str = ""
    avatar: bytes = b""


PILLS: dict[str, Pill] = {
    field: pill
    for field, kind in get_type_hints(PictureSeat, include_extras=True).items()
    for pill in getattr(kind, "__metadata__", ())
    if isinstance(pill, Pill)
}
"""How each field of a seat that is a pill is drawn, in the order of the fields."""


class TablePicture(Struct, frozen=True, tag="table"):
    """A table in the course of a hand, as everybody may see it.

    Attributes:
        seat_count: the seats of the table, 2 to 10, which decides where they are drawn.
        seats: all seats where somebody sits, by number, and nothing for the empty ones.
        boards: the common cards; none in games without.
        pot: "POT"; `pot_chips`: "9,450".
        pots: the line under the pot: "Main 9,450 · Side 4,100"; empty with one pot.
        heading: the street: "TURN", "DRAW 1 OF 3". Banners take its place.
        small_print: the line under it: "chips at the deal · Hand #1284"; left out beside banners or several boards, and where a strip
            has no room for it.
        banners: the hands that won, one for each half of a high-low pot: "Full house, kings full of nines", "Low 7-5-4-3-A".
        is_rare: a hand of the rarest classes has won: the table has a frame of gold and stars.
        canvas: how much of the table is drawn. A strip is for running hands, so it has no banners.
    """

    look: Look
    seat_count: int
    seats: tuple[PictureSeat, ...]
    boards: tuple[PictureBoard, ...] = ()
    pot: str = ""
    pot_chips: str = ""
    pots: str = ""
    heading: str = ""
    small_print: str = ""
    banners: tuple[str, ...] = ()
    canvas: Canvas = Canvas.FULL
    is_rare: bool = False


class HandPicture(Struct, frozen=True, tag="hand"):
    """A player's own cards, large, for them alone.

    Attributes:
        cards: those that only they see, as they want them sorted.
        open_cards: their cards that everybody sees; empty where none or all lie open.
        open_label: the word beside those: "open".
        boards: the common cards.
        hands: what the cards make in words, a line each; empty where nothing is known yet.
    """

    look: Look
    cards: tuple[PictureCard, ...]
    open_cards: tuple[PictureCard, ...] = ()
    open_label: str = ""
    boards: tuple[PictureBoard, ...] = ()
    hands: tuple[str, ...] = ()

    def __repr__(self) -> str:
        """Tell nothing of the hand, because this can end up in a log (TL-37)."""
        return f"<hand of {len(self.cards) + len(self.open_cards)} cards>"


class PodiumPlayer(Struct, frozen=True, gc=False):
    """One of the first players of a leaderboard.

    Attributes:
        rank: 1 to 3; equal totals share one.
        name: the player's display name, as Discord has it.
        chips: "+3,120" or "50,000".
    """

    rank: int
    name: str
    chips: str


class PodiumPicture(Struct, frozen=True, tag="podium"):
    """The head of a leaderboard: one to three players, the best first."""

    look: Look
    players: tuple[PodiumPlayer, ...]


class RankingRow(Struct, frozen=True, gc=False):
    """A class of hands with an example."""

    name: str
    cards: tuple[PictureCard, ...]


class RankingSection(Struct, frozen=True, gc=False):
    """The hands that win one share of the pot, the best first.

    Attributes:
        heading: which share: "High", "Low"; empty where there is one.
    """

    heading: str
    rows: tuple[RankingRow, ...]


class RankingPicture(Struct, frozen=True, tag="ranking"):
    """What beats what in a game.

    Attributes:
        heading: the game's name.
        small_print: what the order is: "the best hand first"; what the star means.
    """

    look: Look
    heading: str
    small_print: str
    sections: tuple[RankingSection, ...]


class ChartMark(Struct, frozen=True, gc=False):
    """A word beside a chart: where it stands, in the chart's own numbers, and what it says."""

    at: int
    label: str


class CurvePicture(Struct, frozen=True, tag="curve"):
    """How somebody's chips came and went: a line from left to right.

    Attributes:
        heading: "Chips over time".
        small_print: the numbers in short: "312 hands · now +11,100".
        points: how far along, and the chips there, from left to right; at least one. The last one is marked.
        levels: the lines across, from the lowest to the highest. They bound the chart, so no point lies beyond them.
        marks: what stands below, from left to right.
        start: the chips with which it began: a dashed line.
    """

    look: Look
    heading: str
    small_print: str
    points: tuple[tuple[int, int], ...]
    levels: tuple[ChartMark, ...]
    marks: tuple[ChartMark, ...] = ()
    start: int = 0


class ChartBar(Struct, frozen=True, gc=False):
    """One bar: its name, how long it is (below zero to the left), and the number beside it."""

    name: str
    value: int
    label: str


class BarsPicture(Struct, frozen=True, tag="bars"):
    """Several numbers beside each other, a bar each from top to bottom; at least one. `heading`, `small_print` as for a curve."""

    look: Look
    heading: str
    small_print: str
    bars: tuple[ChartBar, ...]


class ChartLine(Struct, frozen=True, gc=False):
    """One line of several: how the chips of one person came and went.

    Attributes:
        name: the player's display name, as Discord has it, at the end of the line; empty for a grey line without a name.
        points, rings: how far along, and the chips there; a ring marks that they bought in again.
        note: a few signs after the name, such as ``+600``; empty for none.
    """

    name: str
    points: tuple[tuple[int, int], ...]
    rings: tuple[tuple[int, int], ...] = ()
    note: str = ""


class LinesPicture(Struct, frozen=True, tag="lines"):
    """How the chips of several people came and went, a line each. `heading`, `small_print`, `levels` and `marks` as for a curve.

    Attributes:
        lines: in the order in which they ended, the best first; at least one with a point.
        even: where nobody is up or down: a dashed line.
    """

    look: Look
    heading: str
    small_print: str
    lines: tuple[ChartLine, ...]
    levels: tuple[ChartMark, ...]
    marks: tuple[ChartMark, ...] = ()
    even: int = 0


class AvatarPicture(Struct, frozen=True, tag="avatar"):
    """A person's own picture as Discord has it, to be made small. `content`: a file, made by whoever uploaded it."""

    content: bytes

    def __repr__(self) -> str:
        """Tell how large it is: this can end up in a log."""
        return f"<avatar of {len(self.content)} bytes>"


OwnPicture = TablePicture | HandPicture | PodiumPicture | RankingPicture | CurvePicture | BarsPicture | LinesPicture
"""Every kind of picture that is drawn from values."""
Picture = OwnPicture | AvatarPicture
"""Every kind of picture that the drawing process knows: a tagged union."""

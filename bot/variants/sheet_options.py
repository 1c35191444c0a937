"""What single sheets leave open: options named ``<sheet>.<word>``, each offered for the games of its sheet alone.

An option is an entry of the register like any other, and for each of its values a function from rule card to rule card. So the card
that is dealt says all there is to say, and the engine knows no option by its name.

Source: laws 0.5 "sheet options", VB-4, VB-10, VC-5, VC-11, VC-17, VC-20, VC-21, VC-23, VC-24, VC-26, VC-27.
"""

from collections.abc import Callable

from msgspec import Struct
from msgspec.structs import replace

from bot.engine.card import RuleCard, Share, WildBoard
from bot.engine.cards import KING
from bot.engine.options import Deck, Options
from bot.engine.ranking import Order, Ranking
from bot.engine.register import check_option, with_option
from bot.engine.register_entries import Choice, Entry
from bot.engine.steps import Any as Step
from bot.engine.steps import BetStep, Burn, DealDown, Draw
from bot.variants import home
from bot.variants.finding import UnknownGame, game
from bot.variants.steps import five_card_stud

Change = Callable[[RuleCard], RuleCard]
_GROUP = "This game"


class SheetOption(Struct, frozen=True):
    """An option of single games: its entry, the base keys of those games (or what their cards are like), and what each value does."""

    entry: Entry
    keys: tuple[str, ...]
    changes: tuple[tuple[str, Change], ...]
    fits: Callable[[RuleCard], bool] | None = None

    def belongs_to(self, card: RuleCard) -> bool:
        """Whether this game's sheet has the option."""
        if self.fits is not None:
            return self.fits(card)
        return card.key.partition("+")[0] in self.keys


def _as_it_is(card: RuleCard) -> RuleCard:
    return card


def _option(
    name: str,
    about: str,
    law: str,
    keys: str,
    choices: dict[str, tuple[str, Change]],
    fits: Callable[[RuleCard], bool] | None = None,
) -> SheetOption:
    entry = Entry(
        name=name,
        group=_GROUP,
        about=about,
        choices=tuple(Choice(value, meaning) for value, (meaning, _) in choices.items()),
        laws=(law,),
        marks=("sheet",),
    )
    return SheetOption(
        entry, tuple(keys.split()), tuple((value, change) for value, (_, change) in choices.items()), fits
    )


def _steps(card: RuleCard, new: Callable[[Step], Step]) -> RuleCard:
    return replace(card, steps=tuple(new(step) for step in card.steps))


def _order(order: Order) -> Change:
    return lambda card: replace(
        card, shares=tuple(replace(share, ranking=_ordered(share, order)) for share in card.shares)
    )  # fmt: skip


def _ordered(share: Share, order: Order) -> Ranking:
    return share.ranking if share.ranking.is_low else replace(share.ranking, order=order)


def _pair_doubles(card: RuleCard) -> RuleCard:
    def fourth(step: Step) -> Step:
        return (
            replace(step, pair_doubles=True) if isinstance(step, BetStep) and step.street == "fourth street" else step
        )

    return _steps(card, fourth)


def _draw_of(most: int) -> Change:
    def draw(card: RuleCard) -> RuleCard:
        return _steps(card, lambda step: replace(step, most=most) if isinstance(step, Draw) else step)

    return draw


def _hand_of(cards: int, like: RuleCard) -> Change:
    def deal(card: RuleCard) -> RuleCard:
        dealt = _steps(card, lambda step: replace(step, count=cards) if isinstance(step, DealDown) else step)
        return replace(dealt, shares=like.shares)

    return deal


_STRIPPED = (Deck.STRIPPED_36, Deck.STRIPPED_32)


def _stripped(card: RuleCard) -> bool:
    """Whether the pack has been stripped for a game that is otherwise dealt from a whole one; short-deck games rank by their own sheet."""
    return card.options.deck in _STRIPPED and _sheets_deck(card) not in _STRIPPED


def _sheets_deck(card: RuleCard) -> Deck | None:
    try:
        return game(card.key.partition("+")[0]).options.deck
    except UnknownGame:
        return None  # a card of somebody's own


_STUDS = "stud_low stud_high hilo_stud"

SHEET_OPTIONS: tuple[SheetOption, ...] = (
    _option("stud_low.burns", "whether a card is burned before each street", "VB-4", _STUDS, {
        "off": ("No card is burned, as in the source.", _as_it_is),
        "on": ("A card is burned before each street after the first.", lambda card: replace(card, steps=five_card_stud(Burn()))),
    }),
    _option("stripped.flush_first", "whether a flush beats a full house", "VB-10", "", {
        "off": ("A full house beats a flush.", _as_it_is),
        "on": ("A flush beats a full house.", _order(Order.SHORT_DECK)),
    }, _stripped),
    _option("stripped.low_ace", "whether the ace also stands below the lowest card", "VB-10", "", {
        "off": ("The lowest straight has no ace.", _as_it_is),
        "on": ("The ace and the four lowest cards are the lowest straight.", lambda card: replace(card, low_ace=True)),
    }, _stripped),
    _option("stud.pair_doubles", "whether an open pair on fourth street doubles the bet", "VC-5", "stud", {
        "off": ("An open pair on fourth street changes nothing.", _as_it_is),
        "on": ("While a pair is open on fourth street, bets have the big size.", _pair_doubles),
    }),
    _option("california_lowball.no_check_raise", "whether who has checked may raise", "VC-11", "california_lowball california_joker", {
        "off": ("Who has checked may raise.", _as_it_is),
        "on": ("Who has checked may only call or drop.", lambda card: replace(card, no_check_raise=True)),
    }),
    _option("short_deck.trips_first", "whether three of a kind beats a straight", "VC-17", "short_deck", {
        "off": ("A straight beats three of a kind.", _as_it_is),
        "on": ("Three of a kind beats a straight.", _order(Order.SHORT_DECK_TRIPS)),
    }),
    _option("jackpots.back_down", "what is asked for after aces were passed out", "VC-20", "jackpots", {
        "off": ("After queens, kings and aces the openers stay at aces.", _as_it_is),
        "on": ("After aces the openers go down again: kings, queens, jacks.", lambda card: replace(card, openers_back=True)),
    }),
    _option("spit.wild", "what the turned card makes wild", "VC-21", "spit", {
        "rank": ("The turned card's rank is wild.", _as_it_is),
        "card": ("The turned card alone is wild.", lambda card: replace(card, wild_board=WildBoard.CARD)),
        "none": ("Nothing is wild.", lambda card: replace(card, wild_board=WildBoard.NOTHING)),
    }),
    _option("spit.draw", "how many cards may be changed", "VC-21", "spit", {
        "3": ("Up to three cards may be changed.", _as_it_is),
        "2": ("Up to two cards may be changed.", _draw_of(2)),
        "4": ("All four cards may be changed.", _draw_of(4)),
    }),
    _option("follow_the_queen.kings_clear", "what a king dealt up does", "VC-23", "follow_the_queen", {
        "off": ("A king dealt up changes nothing.", _as_it_is),
        "on": ("A king dealt up leaves only queens wild.", lambda card: replace(card, clears=KING)),
    }),
    _option("follow_the_queen.redeal", "a deal in which no queen comes up", "VC-23", "follow_the_queen", {
        "off": ("Without a queen up the hands are shown as they are.", _as_it_is),
        "on": ("Without a queen up the deal does not count and is dealt again.", lambda card: replace(card, redeal=True)),
    }),
    _option("baseball.match_pot", "what a three dealt up costs", "VC-24", "baseball", {
        "off": ("A three dealt up costs the set price.", _as_it_is),
        "on": ("A three dealt up costs as much as the pot holds.", lambda card: replace(card, price_is_pot=True)),
    }),
    _option("baseball.extra_down", "how the extra card of a four comes", "VC-24", "baseball", {
        "off": ("The extra card of a four comes face up.", _as_it_is),
        "on": ("The extra card of a four comes face down.", lambda card: replace(card, extra_down=True)),
    }),
    _option("anaconda.three_passes", "how often cards are passed", "VC-26", "anaconda anaconda_hilo", {
        "off": ("Three cards are passed to the left, once.", _as_it_is),
        "on": ("Three cards are passed one seat left, then two cards two seats, then one card three seats.", home.with_three_passes),
    }),
    _option("anaconda.high_low", "whether high and low share the pot", "VC-26", "anaconda anaconda_three_passes", {
        "off": ("The best high hand takes the pot.", _as_it_is),
        "on": ("High and low share the pot, declared in secret before the show.", home.with_high_low),
    }),
    _option("guts.cards", "how many cards are dealt", "VC-27", "guts", {
        "3": ("Three cards each.", _as_it_is),
        "2": ("Two cards each; only pairs and high cards count.", _hand_of(2, home.GUTS_TWO)),
        "5": ("Five cards each.", _hand_of(5, home.GUTS_FIVE)),
    }),
    _option("guts.three_card_order", "how three cards rank", "VC-27", "guts", {
        "on": ("Straight flush, three of a kind, straight, flush, pair, high card.", _as_it_is),
        "off": ("Three of a kind, pair, high card; straights and flushes do not count.", _order(Order.SETS_ONLY)),
    }),
)  # fmt: skip


def sheet_options(card: RuleCard) -> tuple[SheetOption, ...]:
    """The options that this game's own sheet has."""
    return tuple(option for option in SHEET_OPTIONS if option.belongs_to(card))


def sheet_entries(card: RuleCard) -> tuple[Entry, ...]:
    """The same as entries of the register: what may be set, to what, and what each value means."""
    return tuple(option.entry for option in sheet_options(card))


def played_by(card: RuleCard, options: Options) -> RuleCard:
    """The card as it is played under the sheet options that are set. `card` is the game without any of them."""
    chosen = dict(options.sheet)
    for option in sheet_options(card):
        value = chosen.get(option.entry.name)
        for known, change in option.changes:
            if value == known:
                card = change(card)
    return card


def with_sheet_option(card: RuleCard, options: Options, name: str, value: str) -> tuple[RuleCard, Options]:
    """Set an option of a game's own sheet. `card` is the game without any of them; returns the card to play, and its options.

    Raises:
        UnknownHouseRule, UnknownHouseRuleValue: this game's sheet has no such option, or the option no such value.
    """
    entries = sheet_entries(card)
    check_option(name, value, entries)
    chosen = with_option(options, name, value, entries)
    return played_by(card, chosen), chosen

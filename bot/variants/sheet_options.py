"""The options of single games, named ``<game>.<word>`` and offered for these games alone.

Each is an option like those of the register, with a function from rule card to rule card for each of its values. So the rule card that
is dealt says everything, and the engine knows none of these options by its name.

Source: laws 0.5 "sheet options", VB-4, VB-10, VC-5, VC-11, VC-17, VC-20, VC-21, VC-23, VC-24, VC-26, VC-27.
"""

from collections.abc import Callable

from msgspec import Struct
from msgspec.structs import replace

from bot.engine import customs as c
from bot.engine.cards import KING
from bot.engine.dealing.decks import without_jokers
from bot.engine.options.register import RegisteredOption
from bot.engine.options.types import Group, Options
from bot.engine.options.values import DeckKind
from bot.engine.ranking import CategoryOrder, Ranking
from bot.engine.rule_card import RuleCard, Share, with_custom, without_custom
from bot.engine.steps import AnyStep as Step
from bot.engine.steps import BettingRound, Burn, DealDown, Draw
from bot.variants import home
from bot.variants.catalogue import UnknownGame, game
from bot.variants.step_sequences import five_card_stud

CardChange = Callable[[RuleCard], RuleCard]


class SheetOption(Struct, frozen=True):
    """An option of single games.

    Attributes:
        option: its name, law and values; the first value is the game's own.
        games: the keys of the games that have it.
        changes: what each value does to the rule card.
        fits: which rule cards have it, where `games` cannot say.
    """

    option: RegisteredOption
    games: tuple[str, ...]
    changes: dict[str, CardChange]
    fits: Callable[[RuleCard], bool] | None = None

    def belongs_to(self, card: RuleCard) -> bool:
        """Return whether this game has the option."""
        if self.fits is not None:
            return self.fits(card)
        return card.key.partition("+")[0] in self.games


def _unchanged(card: RuleCard) -> RuleCard:
    return card


def _sheet_option(
    name: str,
    law: str,
    games: tuple[str, ...],
    changes: dict[str, CardChange],
    fits: Callable[[RuleCard], bool] | None = None,
) -> SheetOption:
    option = RegisteredOption(name=name, group=Group.GAME, laws=(law,), values=tuple(changes))
    return SheetOption(option, games, changes, fits)


def _switch(
    name: str,
    law: str,
    games: tuple[str, ...],
    change: CardChange,
    fits: Callable[[RuleCard], bool] | None = None,
) -> SheetOption:
    """Return an option that is off in the game as it is, and changes its card when it is on."""
    return _sheet_option(name, law, games, {"off": _unchanged, "on": change}, fits)


def _with(custom: c.AnyCustom) -> CardChange:
    return lambda card: with_custom(card, custom)


def _changing(kind: type[c.AnyCustom], **changes: object) -> CardChange:
    """Change fields of the game's own custom of this kind."""

    def change(card: RuleCard) -> RuleCard:
        custom = card.custom(kind)
        assert custom is not None, "only a game with the custom has the option"
        return with_custom(card, replace(custom, **changes))

    return change


def _map_steps(card: RuleCard, new: Callable[[Step], Step]) -> RuleCard:
    return replace(card, steps=tuple(new(step) for step in card.steps))


def _with_category_order(order: CategoryOrder) -> CardChange:
    return lambda card: replace(
        card, shares=tuple(replace(share, ranking=_reordered_ranking(share, order)) for share in card.shares)
    )


def _reordered_ranking(share: Share, order: CategoryOrder) -> Ranking:
    return share.ranking if share.ranking.is_low else replace(share.ranking, order=order)


def _with_pair_doubles(card: RuleCard) -> RuleCard:
    def fourth(step: Step) -> Step:
        return (
            replace(step, pair_doubles_bet=True)
            if isinstance(step, BettingRound) and step.street == "fourth street"
            else step
        )

    return _map_steps(card, fourth)


def _with_draw_maximum(maximum: int) -> CardChange:
    def draw(card: RuleCard) -> RuleCard:
        return _map_steps(card, lambda step: replace(step, max_cards=maximum) if isinstance(step, Draw) else step)

    return draw


def _with_hand_size(cards: int, like: RuleCard) -> CardChange:
    def deal(card: RuleCard) -> RuleCard:
        dealt = _map_steps(card, lambda step: replace(step, count=cards) if isinstance(step, DealDown) else step)
        return replace(dealt, shares=like.shares)

    return deal


_STRIPPED_DECKS = (DeckKind.STRIPPED_36, DeckKind.STRIPPED_32)


def _is_stripped_by_choice(card: RuleCard) -> bool:
    """Return whether a game that is otherwise dealt from a whole deck has a stripped one; short-deck games have rules of their own."""
    return _has_stripped_deck(card.options.deck) and not _has_stripped_deck(_deck_of_base_game(card))


def _has_stripped_deck(deck: DeckKind | None) -> bool:
    return deck is not None and without_jokers(deck) in _STRIPPED_DECKS


def _deck_of_base_game(card: RuleCard) -> DeckKind | None:
    try:
        return game(card.key.partition("+")[0]).options.deck
    except UnknownGame:
        return None  # a card of somebody's own


_FIVE_CARD_STUDS = ("stud_low", "stud_high", "hilo_stud")

SHEET_OPTIONS: tuple[SheetOption, ...] = (
    _switch("stud_low.burns", "VB-4", _FIVE_CARD_STUDS, lambda card: replace(card, steps=five_card_stud(Burn()))),
    _switch(
        "stripped.flush_first", "VB-10", (), _with_category_order(CategoryOrder.SHORT_DECK), _is_stripped_by_choice
    ),
    _switch("stripped.low_ace", "VB-10", (), _with(c.AceAlsoLow()), _is_stripped_by_choice),
    _switch("stud.pair_doubles", "VC-5", ("stud",), _with_pair_doubles),
    _switch(
        "california_lowball.no_check_raise",
        "VC-11",
        ("california_lowball", "california_joker"),
        _with(c.ForbidsCheckRaise()),
    ),
    _switch("short_deck.trips_first", "VC-17", ("short_deck",), _with_category_order(CategoryOrder.SHORT_DECK_TRIPS)),
    _switch("jackpots.back_down", "VC-20", ("jackpots",), _changing(c.Openers, descends=True)),
    _sheet_option(
        "spit.wild",
        "VC-21",
        ("spit",),
        {
            "rank": _unchanged,
            "card": _with(c.WildBoardCard()),
            "none": lambda card: without_custom(card, c.WildBoardCard),
        },
    ),
    _sheet_option(
        "spit.draw", "VC-21", ("spit",), {"3": _unchanged, "2": _with_draw_maximum(2), "4": _with_draw_maximum(4)}
    ),
    _switch(
        "follow_the_queen.kings_clear", "VC-23", ("follow_the_queen",), _changing(c.FollowRank, clearing_rank=KING)
    ),
    _switch("follow_the_queen.redeal", "VC-23", ("follow_the_queen",), _changing(c.FollowRank, redeals_without=True)),
    _switch("baseball.match_pot", "VC-24", ("baseball",), _changing(c.PricedRank, costs_pot=True)),
    _switch("baseball.extra_down", "VC-24", ("baseball",), _changing(c.ExtraCardRank, face_down=True)),
    _switch("anaconda.three_passes", "VC-26", ("anaconda", "anaconda_hilo"), home.with_three_passes),
    _switch("anaconda.high_low", "VC-26", ("anaconda", "anaconda_three_passes"), home.with_high_low),
    _sheet_option(
        "guts.cards",
        "VC-27",
        ("guts",),
        {"3": _unchanged, "2": _with_hand_size(2, home.GUTS_TWO), "5": _with_hand_size(5, home.GUTS_FIVE)},
    ),
    _sheet_option(
        "guts.three_card_order",
        "VC-27",
        ("guts",),
        {"on": _unchanged, "off": _with_category_order(CategoryOrder.SETS_ONLY)},
    ),
)


def sheet_options(card: RuleCard) -> tuple[RegisteredOption, ...]:
    """Return the options that this game alone has, as those of the register."""
    return tuple(one.option for one in SHEET_OPTIONS if one.belongs_to(card))


def apply_sheet_options(card: RuleCard, options: Options) -> RuleCard:
    """Return the rule card as it is played under the game's own options that are set. `card` is the game without any of them."""
    chosen = dict(options.sheet)
    for one in SHEET_OPTIONS:
        if one.option.name in chosen and one.belongs_to(card):
            card = one.changes.get(chosen[one.option.name], _unchanged)(card)
    return card

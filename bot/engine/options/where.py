"""Where an option applies: the games, and the other options, under which its value decides something.

Each function takes a game as it is played and the options in force. Those at the top answer yes or no; those below list the values
that the game can be played with. The card's own options are the game's defaults.

Source: laws 0.5, 0.6 and those each function names.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from bot.engine.dealing import decks
from bot.engine.options.values import (
    Ante,
    DeckKind,
    FirstOpener,
    JokerMethod,
    LaterOpener,
    Limit,
    Predraw,
    StakesRule,
    StraddleCap,
    StraddleRule,
)
from bot.engine.ranking.spec import CategoryOrder
from bot.engine.steps import (
    BettingRound,
    DealBoard,
    DealUp,
    DealUpInTurn,
    DealUpOrDown,
    Draw,
    OfferStraddles,
    RollOut,
    Step,
)

if TYPE_CHECKING:
    from bot.engine.options.types import Options
    from bot.engine.rule_card import RuleCard

Where = Callable[["RuleCard", "Options"], bool]
"""Whether an option decides anything at a game under these options."""

ValuesThere = Callable[["RuleCard", "Options"], tuple[str, ...]]
"""The values of an option that a game can be played with under these options, the preferred one first."""


def everywhere(_card: RuleCard, _options: Options) -> bool:
    return True


def nowhere(_card: RuleCard, _options: Options) -> bool:
    """For options of the law book that decide nothing where a program takes the bets."""
    return False


def with_betting(card: RuleCard, _options: Options) -> bool:
    return _count_betting_rounds(card) > 0


def with_blinds(_card: RuleCard, options: Options) -> bool:
    return options.ante is Ante.BLINDS


def with_five_card_high(card: RuleCard, _options: Options) -> bool:
    return any(not share.ranking.is_low and share.ranking.size == 5 for share in card.shares)


def with_high_and_low(card: RuleCard, options: Options) -> bool:
    return with_five_card_high(card, options) and any(
        share.ranking.is_low and not share.ranking.is_badugi for share in card.shares
    )


def with_cats_and_dogs(card: RuleCard, options: Options) -> bool:
    return with_five_card_high(card, options) and not _has_step(card, DealBoard)


def with_designated_wild_cards(card: RuleCard, options: Options) -> bool:
    return _has_wild_cards(card, options) and options.plays_wild_cards


def with_live_straddle(_card: RuleCard, options: Options) -> bool:
    return options.straddle is StraddleRule.LIVE


def with_straddle_chain(_card: RuleCard, options: Options) -> bool:
    return options.straddle is StraddleRule.CHAIN


def with_forced_straddle(_card: RuleCard, options: Options) -> bool:
    return options.straddle is StraddleRule.FORCED_DOUBLE


def with_doubling_ladder(_card: RuleCard, options: Options) -> bool:
    return options.limit is Limit.DOUBLING_FLAT


def with_opening_over_ante(_card: RuleCard, options: Options) -> bool:
    return options.limit is Limit.STAKE_LIMIT and options.ante is Ante.LEFT_OF_DEALER


def with_blinds_at_pot_limit(_card: RuleCard, options: Options) -> bool:
    return options.ante is Ante.BLINDS and options.limit is Limit.POT_LIMIT


def with_up_cards_that_open(_card: RuleCard, options: Options) -> bool:
    return options.first_1 in _OPENED_BY_CARD or options.first_n in _OPENED_BY_UP_CARDS


def with_draw_after_first_betting(card: RuleCard, _options: Options) -> bool:
    first = next((at for at, step in enumerate(card.steps) if isinstance(step, BettingRound)), -1)
    return isinstance(card.steps[first + 1], Draw)


def with_single_round_before_draw(card: RuleCard, options: Options) -> bool:
    return with_draw_after_first_betting(card, options) and options.predraw is Predraw.ONE_ROUND


def with_large_draw(card: RuleCard, _options: Options) -> bool:
    return max((step.max_cards for step in card.steps if isinstance(step, Draw)), default=0) > 3


def with_board_to_come(card: RuleCard, _options: Options) -> bool:
    """Whether a hand, or all its betting, can end before the last common cards lie open."""
    return any(isinstance(step, DealBoard) for step in card.steps[_first_betting_step(card) :])


def with_board_to_run_twice(card: RuleCard, options: Options) -> bool:
    return card.boards == 1 and with_board_to_come(card, options) and options.stakes is StakesRule.TABLE


def deck_values(card: RuleCard, options: Options) -> tuple[str, ...]:
    """The decks that serve the game's smallest table, each also with jokers (K-3); with other ranks where the game does not fix them."""
    if card.options.deck is DeckKind.MEXICAN_41:
        return ()
    stripped = (DeckKind.STANDARD_52, DeckKind.STRIPPED_36, DeckKind.STRIPPED_32)
    plain = (decks.without_jokers(options.deck),) if card.ace_also_low else stripped
    found = [decks.with_jokers(deck, jokers) for jokers in range(3) for deck in plain]
    needed = decks.cards_dealt(card, card.seats_min)
    return tuple(deck.value for deck in found if len(decks.DECKS[deck]) >= needed)


def ace_straight_values(card: RuleCard, _options: Options) -> tuple[str, ...]:
    """Where the ace stands in a straight; where it can only be high, the deck decides that, not the table (VB-10)."""
    straights = (
        share
        for share in card.shares
        if not share.ranking.is_low and share.ranking.order is not CategoryOrder.SETS_ONLY
    )
    return ("both", "low_only") if any(straights) else ()


def wild_method_values(card: RuleCard, options: Options) -> tuple[str, ...]:
    if not _has_wild_cards(card, options):
        return ("none",)
    if not _has_other_wild_cards(card, options) and options.joker_method is not JokerMethod.AS_WILD:
        return ("none",)  # the joker has a method of its own, and no other card is wild
    return tuple(
        method for method in ("free", "no_duplicate", "bug") if {method, options.joker_method} not in _NO_ORDER
    )


def joker_method_values(card: RuleCard, options: Options) -> tuple[str, ...]:
    """What the joker can stand for beside other wild cards. Free wild cards and those that repeat no card have no order together."""
    if card.face_up_joker_is_bug or not decks.joker_count(options.deck):
        return ("as_wild",)
    if not _has_other_wild_cards(card, options):
        return ("as_wild",) if options.joker_method is JokerMethod.AS_WILD else ("as_wild", options.joker_method.value)
    return (
        "as_wild",
        *(
            method
            for method in ("free", "no_duplicate", "bug")
            if method != options.wild_method and {method, options.wild_method} not in _NO_ORDER
        ),
    )


def low_scale_values(card: RuleCard, _options: Options) -> tuple[str, ...]:
    """The scales of five-card lows, where the game plays a low on the scale that its own options name."""
    own = card.options.low_scale.scale
    named = any(share.ranking.scale is own and not share.ranking.is_badugi for share in card.shares)
    return ("ace_low", "ace_high", "a5", "27") if named else ()


def ante_values(card: RuleCard, _options: Options) -> tuple[str, ...]:
    """Who can be made to put chips in before the cards; nothing to choose where the sheet's own ante does more than that."""
    if card.button_blind or not _count_betting_rounds(card) or card.openers_rank is not None:
        # The double ante of the button counts in the others' antes (VC-17). Where nobody bets, the antes are all there is to win (VC-27).
        # Players who wait for a pair to open with would wait for nothing, and so would the pot that grows by it (VC-20).
        return ()
    if _up_cards_before_betting(card):
        return ("everyone", "none")  # a card opens the betting, so blinds are not needed
    antes = ("blinds", "everyone", "left_of_dealer")
    return antes if _flop_before_betting(card) else (*antes, "none")


def straddle_values(card: RuleCard, options: Options) -> tuple[str, ...]:
    if options.ante is Ante.BLINDS:
        return ("off", "live") if _count_betting_rounds(card) else ("off",)
    if options.ante is not Ante.LEFT_OF_DEALER:
        return ("off",)
    chain = _has_step(card, OfferStraddles) and options.limit is Limit.STAKE_LIMIT
    return ("off", "forced_double", "chain") if chain else ("off", "forced_double")


def open_min_values(card: RuleCard, options: Options) -> tuple[str, ...]:
    """What an opening over straddles doubles: what `STRADDLE_CAP` counts, or else the other reading (A-9)."""
    if not with_straddle_chain(card, options) or not with_opening_over_ante(card, options):
        return ("as_cap",)
    return ("as_cap", "running_total" if options.straddle_cap is StraddleCap.LEVEL else "level")


def min_raise_values(card: RuleCard, options: Options) -> tuple[str, ...]:
    """The minimum raises that go with the limit: L-6 to L-9."""
    if not _count_betting_rounds(card):
        return ()
    match options.limit:
        case Limit.LIMIT:
            return ("by_limit",)
        case Limit.DOUBLING_FLAT:
            return ("by_ladder",)
        case Limit.STAKE_LIMIT:
            return ("one_chip", "match_call", "last_raise")
        case _:
            return ("last_raise",)


def raise_cap_values(card: RuleCard, options: Options) -> tuple[str, ...]:
    """Three raises, or four in games of two betting rounds, is a choice only in such a game."""
    if options.limit in (Limit.NO_LIMIT, Limit.POT_LIMIT) or not _count_betting_rounds(card):
        return ()
    return ("3", "3_4", "4", "none") if _count_betting_rounds(card) == 2 else ("3", "4", "none")


def first_1_values(card: RuleCard, options: Options) -> tuple[str, ...]:
    if not _count_betting_rounds(card):
        return ()
    by_card = ("low_card", "high_card") if _up_cards_before_betting(card) else ()
    if card.button_blind:
        return ("left_of_last_forced",)  # that player sits left of the dealer too
    forced = options.ante in (Ante.BLINDS, Ante.LEFT_OF_DEALER)
    return ("left_of_last_forced", "left_of_dealer", *by_card) if forced else ("left_of_dealer", *by_card)


def first_n_values(card: RuleCard, options: Options) -> tuple[str, ...]:
    """Who can act first later. The opener can where a draw follows, and wherever the game's own sheet says so."""
    if _count_betting_rounds(card) < 2:
        return ()
    values = ["left_of_dealer"]
    if _has_step(card, Draw) or LaterOpener.OPENER in (card.options.first_n, options.first_n):
        values.append("opener")
    if options.ante is Ante.LEFT_OF_DEALER:
        values.append("after_ante")
    if _has_step(card, DealUp, DealUpInTurn, DealUpOrDown, RollOut):
        values += ["high_showing", "low_showing"]
    return tuple(values)


def odd_chip_values(card: RuleCard, _options: Options) -> tuple[str, ...]:
    found = ("left_of_dealer", "high_suit", "lot")
    return (*found, "last_aggressor") if _count_betting_rounds(card) else found


def passed_out_values(card: RuleCard, options: Options) -> tuple[str, ...]:
    if not _count_betting_rounds(card):
        return ()
    forced = options.ante in (Ante.BLINDS, Ante.LEFT_OF_DEALER) or options.first_1 in _OPENED_BY_CARD
    again = ("next_dealer_reante", "same_dealer_reante")
    if forced or card.button_blind:
        return ("blinds_play",)
    return again if card.openers_rank is not None else ("blinds_play", *again)


_OPENED_BY_CARD = (FirstOpener.LOW_CARD, FirstOpener.HIGH_CARD)
_OPENED_BY_UP_CARDS = (LaterOpener.HIGH_SHOWING, LaterOpener.LOW_SHOWING)


def _has_step(card: RuleCard, *kinds: type[Step]) -> bool:
    return any(isinstance(step, kinds) for step in card.steps)


def _count_betting_rounds(card: RuleCard) -> int:
    return sum(isinstance(step, BettingRound) for step in card.steps)


def _first_betting_step(card: RuleCard) -> int:
    return next((at for at, step in enumerate(card.steps) if isinstance(step, BettingRound)), len(card.steps))


def _up_cards_before_betting(card: RuleCard) -> bool:
    """Whether cards lie face up in front of the players in the first betting round."""
    before = card.steps[: _first_betting_step(card)]
    return any(isinstance(step, DealUp | DealUpInTurn | DealUpOrDown) for step in before)


def _flop_before_betting(card: RuleCard) -> bool:
    """Whether the flop comes before any betting, as in a bomb pot: its players must put in an ante (VC-29)."""
    before = card.steps[: _first_betting_step(card)]
    return sum(step.count for step in before if isinstance(step, DealBoard)) >= 3


def _has_wild_cards(card: RuleCard, options: Options) -> bool:
    return _has_other_wild_cards(card, options) or decks.joker_count(options.deck) > 0


def _has_other_wild_cards(card: RuleCard, options: Options) -> bool:
    """Whether cards other than a joker are wild, or can become so."""
    named = options.wild_ranks or options.wild_cards
    return bool(named) or card.wild_board_card != "nothing" or card.follow_rank is not None


_NO_ORDER = ({"free", "no_duplicate"},)
"""Methods that cannot be played in one game."""

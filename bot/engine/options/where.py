"""Where an option applies: the games, and the other options, under which its value decides something.

Each function takes a game as it is played and the options in force. Those at the top answer yes or no; those below list the values
that the game can be played with. The card's own options are the game's defaults.

Source: laws 0.5, 0.6 and those each function names.
"""

from collections.abc import Callable

from bot.engine.card_facts import CardFacts, OptionFacts
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

Where = Callable[[CardFacts, OptionFacts], bool]
"""Whether an option decides anything at a game under these options."""

ValuesThere = Callable[[CardFacts, OptionFacts], tuple[str, ...]]
"""The values of an option that a game can be played with under these options, the preferred one first."""


def everywhere(_card: CardFacts, _options: OptionFacts) -> bool:
    return True


def nowhere(_card: CardFacts, _options: OptionFacts) -> bool:
    """For options of the law book that decide nothing where a program takes the bets."""
    return False


def with_betting(card: CardFacts, _options: OptionFacts) -> bool:
    return _count_betting_rounds(card) > 0


def with_blinds(_card: CardFacts, options: OptionFacts) -> bool:
    return options.ante is Ante.BLINDS


def with_five_card_high(card: CardFacts, _options: OptionFacts) -> bool:
    return any(not share.ranking.is_low and share.ranking.size == 5 for share in card.shares)


def with_high_and_low(card: CardFacts, options: OptionFacts) -> bool:
    return with_five_card_high(card, options) and any(
        share.ranking.is_low and not share.ranking.is_badugi for share in card.shares
    )


def with_cats_and_dogs(card: CardFacts, options: OptionFacts) -> bool:
    return with_five_card_high(card, options) and not _has_step(card, DealBoard)


def with_designated_wild_cards(card: CardFacts, options: OptionFacts) -> bool:
    return _has_wild_cards(card, options) and options.plays_wild_cards


def with_live_straddle(_card: CardFacts, options: OptionFacts) -> bool:
    return options.straddle is StraddleRule.LIVE


def with_straddle_chain(_card: CardFacts, options: OptionFacts) -> bool:
    return options.straddle is StraddleRule.CHAIN


def with_forced_straddle(_card: CardFacts, options: OptionFacts) -> bool:
    return options.straddle is StraddleRule.FORCED_DOUBLE


def with_doubling_ladder(_card: CardFacts, options: OptionFacts) -> bool:
    return options.limit is Limit.DOUBLING_FLAT


def with_opening_over_ante(_card: CardFacts, options: OptionFacts) -> bool:
    return options.limit is Limit.STAKE_LIMIT and options.ante is Ante.LEFT_OF_DEALER


def with_blinds_at_pot_limit(_card: CardFacts, options: OptionFacts) -> bool:
    return options.ante is Ante.BLINDS and options.limit is Limit.POT_LIMIT


def with_up_cards_that_open(_card: CardFacts, options: OptionFacts) -> bool:
    return options.first_1 in _OPENED_BY_CARD or options.first_n in _OPENED_BY_UP_CARDS


def with_draw_after_first_betting(card: CardFacts, _options: OptionFacts) -> bool:
    first = next((at for at, step in enumerate(card.steps) if isinstance(step, BettingRound)), -1)
    return isinstance(card.steps[first + 1], Draw)


def with_single_round_before_draw(card: CardFacts, options: OptionFacts) -> bool:
    return with_draw_after_first_betting(card, options) and options.predraw is Predraw.ONE_ROUND


def with_large_draw(card: CardFacts, _options: OptionFacts) -> bool:
    return max((step.max_cards for step in card.steps if isinstance(step, Draw)), default=0) > 3


def with_board_to_come(card: CardFacts, _options: OptionFacts) -> bool:
    """Whether a hand, or all its betting, can end before the last common cards lie open."""
    return any(isinstance(step, DealBoard) for step in card.steps[_first_betting_step(card) :])


def with_board_to_run_twice(card: CardFacts, options: OptionFacts) -> bool:
    return card.boards == 1 and with_board_to_come(card, options) and options.stakes is StakesRule.TABLE


def deck_values(card: CardFacts, options: OptionFacts) -> tuple[str, ...]:
    """The decks that serve the game's smallest table, each also with jokers (K-3); with other ranks where the game does not fix them."""
    if card.options.deck is DeckKind.MEXICAN_41:
        return ()
    stripped = (DeckKind.STANDARD_52, DeckKind.STRIPPED_36, DeckKind.STRIPPED_32)
    keeps_ranks = any(custom.keeps_ranks for custom in card.customs)
    plain = (decks.without_jokers(options.deck),) if keeps_ranks else stripped
    found = [decks.with_jokers(deck, jokers) for jokers in range(3) for deck in plain]
    needed = decks.cards_dealt(card, card.seats_min)
    return tuple(deck.value for deck in found if len(decks.DECKS[deck]) >= needed)


def ace_straight_values(card: CardFacts, _options: OptionFacts) -> tuple[str, ...]:
    """Where the ace stands in a straight; where it can only be high, the deck decides that, not the table (VB-10)."""
    straights = (
        share
        for share in card.shares
        if not share.ranking.is_low and share.ranking.order is not CategoryOrder.SETS_ONLY
    )
    return ("both", "low_only") if any(straights) else ()


def wild_method_values(card: CardFacts, options: OptionFacts) -> tuple[str, ...]:
    if not _has_wild_cards(card, options):
        return ("none",)
    if not _has_other_wild_cards(card, options) and options.joker_method is not JokerMethod.AS_WILD:
        return ("none",)  # the joker has a method of its own, and no other card is wild
    return tuple(
        method for method in ("free", "no_duplicate", "bug") if {method, options.joker_method} not in _NO_ORDER
    )


def joker_method_values(card: CardFacts, options: OptionFacts) -> tuple[str, ...]:
    """What the joker can stand for beside other wild cards. Free wild cards and those that repeat no card have no order together."""
    if any(custom.rules_joker for custom in card.customs) or not decks.joker_count(options.deck):
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


def low_scale_values(card: CardFacts, _options: OptionFacts) -> tuple[str, ...]:
    """The scales of five-card lows, where the game plays a low on the scale that its own options name."""
    own = card.options.low_scale.scale
    named = any(share.ranking.scale is own and not share.ranking.is_badugi for share in card.shares)
    return ("ace_low", "ace_high", "a5", "27") if named else ()


def ante_values(card: CardFacts, _options: OptionFacts) -> tuple[str, ...]:
    """Who can be made to put chips in before the cards; nothing to choose where the sheet's own ante does more than that."""
    if not _count_betting_rounds(card) or any(custom.fixes_ante for custom in card.customs):
        # The double ante of the button counts in the others' antes (VC-17). Where nobody bets, the antes are all there is to win (VC-27).
        # Players who wait for a pair to open with would wait for nothing, and so would the pot that grows by it (VC-20).
        return ()
    if _up_cards_before_betting(card):
        return ("everyone", "none")  # a card opens the betting, so blinds are not needed
    antes = ("blinds", "everyone", "left_of_dealer")
    return antes if _flop_before_betting(card) else (*antes, "none")


def straddle_values(card: CardFacts, options: OptionFacts) -> tuple[str, ...]:
    if options.ante is Ante.BLINDS:
        return ("off", "live") if _count_betting_rounds(card) else ("off",)
    if options.ante is not Ante.LEFT_OF_DEALER:
        return ("off",)
    chain = _has_step(card, OfferStraddles) and options.limit is Limit.STAKE_LIMIT
    return ("off", "forced_double", "chain") if chain else ("off", "forced_double")


def open_min_values(card: CardFacts, options: OptionFacts) -> tuple[str, ...]:
    """What an opening over straddles doubles: what `STRADDLE_CAP` counts, or else the other reading (A-9)."""
    if not with_straddle_chain(card, options) or not with_opening_over_ante(card, options):
        return ("as_cap",)
    return ("as_cap", "running_total" if options.straddle_cap is StraddleCap.LEVEL else "level")


def min_raise_values(card: CardFacts, options: OptionFacts) -> tuple[str, ...]:
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


def raise_cap_values(card: CardFacts, options: OptionFacts) -> tuple[str, ...]:
    """Three raises, or four in games of two betting rounds, is a choice only in such a game."""
    if options.limit in (Limit.NO_LIMIT, Limit.POT_LIMIT) or not _count_betting_rounds(card):
        return ()
    return ("3", "3_4", "4", "none") if _count_betting_rounds(card) == 2 else ("3", "4", "none")


def first_1_values(card: CardFacts, options: OptionFacts) -> tuple[str, ...]:
    if not _count_betting_rounds(card):
        return ()
    by_card = ("low_card", "high_card") if _up_cards_before_betting(card) else ()
    if _posts_own_blind(card):
        return ("left_of_last_forced",)  # that player sits left of the dealer too
    forced = options.ante in (Ante.BLINDS, Ante.LEFT_OF_DEALER)
    return ("left_of_last_forced", "left_of_dealer", *by_card) if forced else ("left_of_dealer", *by_card)


def first_n_values(card: CardFacts, options: OptionFacts) -> tuple[str, ...]:
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


def odd_chip_values(card: CardFacts, _options: OptionFacts) -> tuple[str, ...]:
    found = ("left_of_dealer", "high_suit", "lot")
    return (*found, "last_aggressor") if _count_betting_rounds(card) else found


def passed_out_values(card: CardFacts, options: OptionFacts) -> tuple[str, ...]:
    if not _count_betting_rounds(card):
        return ()
    forced = options.ante in (Ante.BLINDS, Ante.LEFT_OF_DEALER) or options.first_1 in _OPENED_BY_CARD
    again = ("next_dealer_reante", "same_dealer_reante")
    if forced or _posts_own_blind(card):
        return ("blinds_play",)
    return again if any(custom.needs_openers for custom in card.customs) else ("blinds_play", *again)


_OPENED_BY_CARD = (FirstOpener.LOW_CARD, FirstOpener.HIGH_CARD)
_OPENED_BY_UP_CARDS = (LaterOpener.HIGH_SHOWING, LaterOpener.LOW_SHOWING)


def _has_step(card: CardFacts, *kinds: type[Step]) -> bool:
    return not set(kinds).isdisjoint(map(type, card.steps))  # asked hundreds of times for a page of settings


def _count_betting_rounds(card: CardFacts) -> int:
    return list(map(type, card.steps)).count(BettingRound)


def _first_betting_step(card: CardFacts) -> int:
    return next((at for at, step in enumerate(card.steps) if isinstance(step, BettingRound)), len(card.steps))


def _up_cards_before_betting(card: CardFacts) -> bool:
    """Whether cards lie face up in front of the players in the first betting round."""
    before = card.steps[: _first_betting_step(card)]
    return any(isinstance(step, DealUp | DealUpInTurn | DealUpOrDown) for step in before)


def _flop_before_betting(card: CardFacts) -> bool:
    """Whether the flop comes before any betting, as in a bomb pot: its players must put in an ante (VC-29)."""
    before = card.steps[: _first_betting_step(card)]
    return sum(step.count for step in before if isinstance(step, DealBoard)) >= 3


def _posts_own_blind(card: CardFacts) -> bool:
    return any(custom.posts_blind for custom in card.customs)


def _has_wild_cards(card: CardFacts, options: OptionFacts) -> bool:
    return _has_other_wild_cards(card, options) or decks.joker_count(options.deck) > 0


def _has_other_wild_cards(card: CardFacts, options: OptionFacts) -> bool:
    """Whether cards other than a joker are wild, or can become so."""
    named = options.wild_ranks or options.wild_cards
    return bool(named) or any(custom.makes_cards_wild for custom in card.customs)


_NO_ORDER = ({"free", "no_duplicate"},)
"""Methods that cannot be played in one game."""

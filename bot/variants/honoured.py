"""Which options decide anything for a game: only these are offered when a table is made to somebody's own taste.

Source: laws H-1, H-2, 0.5, 0.6.
"""

from collections.abc import Callable

from msgspec.structs import replace

from bot.engine.card import RuleCard, WildBoard
from bot.engine.options import Ante, Deck, FirstOpener, LaterOpener, Limit, Options, Straddle, WildMethod
from bot.engine.packs import seats_served
from bot.engine.ranking import Order
from bot.engine.register import with_option
from bot.engine.register_entries import REGISTER, Entry
from bot.engine.steps import (
    BetStep,
    DealBoard,
    DealEither,
    DealUp,
    DealUpInTurn,
    Draw,
    OfferStraddles,
    RollOut,
    Step,
)
from bot.variants.sheet_options import sheet_entries

_ALWAYS = frozenset({"max_seats", "first_dealer", "cut", "show", "stakes", "misdeal"})
_WITH_BETS = frozenset({"min_bet", "check", "out_of_turn", "limit"})
_BY_CARD = (FirstOpener.LOW_CARD, FirstOpener.HIGH_CARD)
_BY_SHOWING = (LaterOpener.HIGH_SHOWING, LaterOpener.LOW_SHOWING)


def honoured(card: RuleCard, options: Options | None = None) -> tuple[Entry, ...]:
    """The options that decide something at this game under these options (its own, if none are given), in the register's order.

    `card` is the game as it is played, with what its sheet's own options have changed. Each entry holds only the values that the game can
    be played with; the options of the game's own sheet come last.
    """
    own = options or card.options
    found = []
    for entry in REGISTER:
        if entry.field in _VALUES:
            values = _VALUES[entry.field](card, own)
            if len(values) > 1:
                choices = tuple(choice for choice in entry.choices if choice.value in values)
                found.append(replace(entry, choices=choices))
        elif entry.field in _ALWAYS or (entry.field in _WITH_BETS and _bets(card)):
            found.append(entry)
    return (*found, *sheet_entries(replace(card, options=own)))


def settled(card: RuleCard, options: Options) -> Options:
    """The options with those that no longer go with the others changed to what does: the game's own value, else the first that fits.

    So a forced straddle goes when blinds come, and a joker that is added is wild until somebody says otherwise.
    """
    for field, values_of in _VALUES.items():
        values = values_of(card, options)
        if values and str(getattr(options, field)) not in values:
            own = str(getattr(card.options, field))
            options = with_option(options, field, own if own in values else values[0])
    return options


def _has(card: RuleCard, *kinds: type[Step]) -> bool:
    return any(isinstance(step, kinds) for step in card.steps)


def _up_first(card: RuleCard) -> bool:
    """Whether cards lie face up before the players at the first interval."""
    first = next((at for at, step in enumerate(card.steps) if isinstance(step, BetStep)), len(card.steps))
    return any(isinstance(step, DealUp | DealUpInTurn | DealEither) for step in card.steps[:first])


def _flop_first(card: RuleCard) -> bool:
    """Whether the flop comes before the first interval, as in a bomb pot: there an ante is forced on those who play (VC-29)."""
    first = next((at for at, step in enumerate(card.steps) if isinstance(step, BetStep)), len(card.steps))
    return sum(step.count for step in card.steps[:first] if isinstance(step, DealBoard)) >= 3


def _bets(card: RuleCard) -> int:
    return sum(isinstance(step, BetStep) for step in card.steps)


def _high(card: RuleCard) -> bool:
    return any(not share.ranking.is_low and share.ranking.size == 5 for share in card.shares)


def _low(card: RuleCard) -> bool:
    return any(share.ranking.is_low and not share.ranking.is_badugi for share in card.shares)


def _wild(card: RuleCard, own: Options) -> bool:
    named = own.wild_ranks or own.wild_cards or card.wild_board is not WildBoard.NOTHING or card.follow is not None
    return bool(named) or own.deck in (Deck.WITH_JOKER_53, Deck.MEXICAN_41)


def _if(condition: object, *values: str) -> tuple[str, ...]:
    return values if condition else ()


def _decks(card: RuleCard, _own: Options) -> tuple[str, ...]:
    if card.options.deck is Deck.MEXICAN_41 or card.low_ace:
        return ()  # the pack is the sheet's own
    decks = [Deck.STANDARD_52, Deck.STRIPPED_36, Deck.STRIPPED_32]
    if _may_add_joker(card):
        decks.append(Deck.WITH_JOKER_53)
    return tuple(deck.value for deck in decks if seats_served(card, deck) >= card.seats_min)


def _wild_methods(card: RuleCard, own: Options) -> tuple[str, ...]:
    return ("free", "no_duplicate", "bug") if _wild(card, own) else ("none",)


def _may_add_joker(card: RuleCard) -> bool:
    return card.options.deck in (Deck.STANDARD_52, Deck.WITH_JOKER_53)


def _antes(card: RuleCard, _own: Options) -> tuple[str, ...]:
    if card.button_blind or not _bets(card) or card.openers is not None:
        # The sheet's own: the button's double ante is reckoned by the others' (VC-17); where nobody bets the antes are all there is to win
        # (VC-27); and who waits for a pair to open with would wait for nothing, as would the pool that grows by it (VC-20).
        return ()
    if _up_first(card):
        return ("everyone", "none")  # a card opens, and needs no blinds
    antes = ("blinds", "everyone", "left_of_dealer")
    return antes if _flop_first(card) else (*antes, "none")


def _straddles(card: RuleCard, own: Options) -> tuple[str, ...]:
    if own.ante is Ante.BLINDS:
        return ("off", "live") if _bets(card) else ("off",)
    if own.ante is not Ante.LEFT_OF_DEALER:
        return ("off",)
    chain = _has(card, OfferStraddles) and own.limit is Limit.STAKE_LIMIT
    return ("off", "forced_double", "chain") if chain else ("off", "forced_double")


def _first(card: RuleCard, own: Options) -> tuple[str, ...]:
    if not _bets(card):
        return ()
    by_card = ("low_card", "high_card") if _up_first(card) else ()
    if card.button_blind:
        return ("left_of_last_forced",)  # who sits there sits left of the dealer too
    forced = own.ante in (Ante.BLINDS, Ante.LEFT_OF_DEALER)
    return ("left_of_last_forced", "left_of_dealer", *by_card) if forced else ("left_of_dealer", *by_card)


def _later(card: RuleCard, own: Options) -> tuple[str, ...]:
    if _bets(card) < 2:
        return ()
    values = ["left_of_dealer"]
    if _has(card, Draw) or own.first_n is LaterOpener.OPENER:
        values.append("opener")
    if own.ante is Ante.LEFT_OF_DEALER:
        values.append("after_ante")
    if _has(card, DealUp, DealUpInTurn, DealEither, RollOut):
        values += ["high_showing", "low_showing"]
    return tuple(values)


def _passed_out(card: RuleCard, own: Options) -> tuple[str, ...]:
    if not _bets(card):
        return ()
    forced = own.ante in (Ante.BLINDS, Ante.LEFT_OF_DEALER) or own.first_1 in _BY_CARD or card.button_blind
    again = ("next_dealer_reante", "same_dealer_reante")
    return ("blinds_play",) if forced else again if card.openers is not None else ("blinds_play", *again)


def _one_round(card: RuleCard) -> bool:
    first = next((at for at, step in enumerate(card.steps) if isinstance(step, BetStep)), -1)
    return isinstance(card.steps[first + 1], Draw)


def _draw_most(card: RuleCard, _own: Options) -> tuple[str, ...]:
    most = max((step.most for step in card.steps if isinstance(step, Draw)), default=0)
    return _if(most > 3, "5", "3", "4_with_ace")


_MIN_RAISES = {
    Limit.LIMIT: ("by_limit",),
    Limit.DOUBLING_FLAT: ("by_ladder",),
    Limit.STAKE_LIMIT: ("one_chip", "match_call", "last_raise"),
}
"""The least raises that go with a limit; by the others it is the last raise (L-6 to L-9)."""


def _blinds(_card: RuleCard, own: Options) -> bool:
    return own.ante is Ante.BLINDS


_VALUES: dict[str, Callable[[RuleCard, Options], tuple[str, ...]]] = {
    "deck": _decks,
    "suit_rank": lambda card, own: _if(_high(card), "none", "hearts_first"),
    "ace_straight": lambda card, own: _if(_straights(card), "both", "low_only"),
    "wild_method": _wild_methods,
    "wild_call": lambda card, own: _if(_wild(card, own) and own.wild_method is not WildMethod.NONE, "auto_best", "declare"),
    "special": lambda card, own: _if(_high(card) and not _has(card, DealBoard), "off", "cats_dogs"),
    "low_scale": lambda card, own: _if(_low(card), "ace_low", "ace_high", "a5", "27"),
    "ace_hilo": lambda card, own: _if(_low(card) and _high(card), "both_ways", "declare_one"),
    "ante": _antes,
    "blinds_ante": lambda card, own: _if(_blinds(card, own), "everyone", "big_blind", "left_of_dealer"),
    "house_blinds": lambda card, own: _if(_blinds(card, own), "off", "on"),
    "straddle": _straddles,
    "straddle_seat": lambda card, own: _if(own.straddle is Straddle.LIVE, "under_the_gun", "button", "both"),
    "straddle_cap": lambda card, own: _if(own.straddle is Straddle.CHAIN, "level", "running_total"),
    "straddle_laps": lambda card, own: _if(own.straddle is Straddle.CHAIN, "once", "again"),
    "come_in": lambda card, own: _if(own.straddle is Straddle.FORCED_DOUBLE, "straddle", "four_antes"),
    "min_raise": lambda card, own: _MIN_RAISES.get(own.limit, ("last_raise",)) if _bets(card) else (),
    "raise_cap": lambda card, own: _if(_bets(card) and own.limit not in (Limit.NO_LIMIT, Limit.POT_LIMIT), "3", "4", "none"),
    "stake_ladder": lambda card, own: _if(own.limit is Limit.DOUBLING_FLAT, "sizes", "levels"),
    "open_max": lambda card, own: _if(
        own.limit is Limit.STAKE_LIMIT and own.ante is Ante.LEFT_OF_DEALER, "ante_plus_limit", "double_plus_limit"
    ),
    "predraw": lambda card, own: _if(_one_round(card), "until_equal", "one_round"),
    "draw_timing": lambda card, own: _if(
        _one_round(card) and own.predraw.value == "one_round", "after_interval", "with_equalising"
    ),
    "draw_max": _draw_most,
    "first_1": _first,
    "first_n": _later,
    "stud_tie": lambda card, own: _if(own.first_1 in _BY_CARD or own.first_n in _BY_SHOWING, "near_dealer_left", "suit"),
    "odd_chip": lambda card, _own: ("left_of_dealer", "high_suit", "lot", *_if(_bets(card), "last_aggressor")),
    "small_counts_as_big": lambda card, own: _if(_blinds(card, own) and own.limit is Limit.POT_LIMIT, "off", "on"),
    "passed_out": _passed_out,
    "run_twice": lambda card, own: _if(_board_to_come(card) and own.stakes.value == "table", "on", "off"),
    "rabbit": lambda card, own: _if(_board_to_come(card), "off", "on"),
    "button": lambda card, own: _if(_blinds(card, own), "dead", "moving"),
    "newcomer_posts": lambda card, own: _if(_blinds(card, own), "limit_only", "on", "off"),
}  # fmt: skip


def _board_to_come(card: RuleCard) -> bool:
    """Whether a deal may end, or all its betting, before the last common cards lie on its one board."""
    first = next((at for at, step in enumerate(card.steps) if isinstance(step, BetStep)), len(card.steps))
    return card.boards == 1 and any(isinstance(step, DealBoard) for step in card.steps[first:])


def _straights(card: RuleCard) -> bool:
    return any(not share.ranking.is_low and share.ranking.order is not Order.SETS_ONLY for share in card.shares)

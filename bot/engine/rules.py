"""A rule card, the options in force and the stakes, worked out once into what the dealer asks at every action.

Source: laws 0.4 (precedence), 0.5 (`MIN_BET`, `LIMIT`), L-6, L-7.
"""

from functools import lru_cache

from msgspec.structs import replace

from bot.engine.card import RuleCard, WildBoard
from bot.engine.options import (
    AceHiLo,
    Ante,
    ComeIn,
    DrawMax,
    FirstOpener,
    LaterOpener,
    Limit,
    Options,
    PassedOut,
    Predraw,
    Purse,
    RaiseCap,
    Showing,
    StakeLadder,
    Straddle,
    WildCall,
    WildMethod,
)
from bot.engine.packs import PACKS
from bot.engine.ranking import Evaluator, Ranking, Scale, evaluator
from bot.engine.scoring import in_force
from bot.engine.stakes import Stakes
from bot.engine.steps import BetStep, Burn, DealBoard, DealDown, DealUp, Draw, PostForced, Showdown, Size, Step

_CAPS = {RaiseCap.NONE: 0, RaiseCap.THREE: 3, RaiseCap.FOUR: 4}
_WITHOUT_CHOICE = (PostForced, DealDown, DealUp, Burn, DealBoard, BetStep, Showdown)
_DRAWS_AT_MOST = {DrawMax.THREE: 3, DrawMax.FOUR_WITH_ACE: 4}
_FIXED = (Limit.LIMIT, Limit.DOUBLING_FLAT)


class Rules:
    """What is in force for a deal. Never changed after it is made; shared by all hands of the same card, options and stakes.

    Attributes:
        pack: the cards of the deck, in no order.
        fixed: every bet and raise has one size (L-6, L-7).
        small, big: the two sizes of limit play, in chips; sizes: by step, which of them is played there (L-7).
        draws: by step, how many cards may be changed there (X-2); an_ace_draws_four: the fourth only by who holds an ace.
        min_bet: the smallest first bet of an interval (`MIN_BET`), in chips.
        forced_full: the full bet that stands before the first raise of the deal: the big blind, whatever the smallest first bet (TL-5).
        once: by step, whether each speaks but once there; evens: the draw after it, at which the stakes are made equal (B-17, X-3).
        bring_in: the forced first bet where a card on show opens, in chips (F-6, F-7, VC-5).
        showing: the judge of cards on show (S-5).
        pot_least: what may be bet at pot limit however small the pot: the big blind, the ante, where there is neither the amount that
            stands for them, and the forced bet of a card (0.5 `MIN_BET`). What the house wants beyond it gives way to the pot.
        raise_cap: raises after the first bet in an interval; 0 for no cap (L-10, TL-17).
        unit: rung 0 of the doubling ladder (L-6), in chips: the ante, or with blinds the small one; first_rung: the rung of an
            interval's first bet, or of the first raise over a forced double.
        max_part, later_part: what one raise may add in the first interval and later, under a stake limit (L-2).
        opens_double: the deal is opened at double the forced stake, which nobody can merely call (L-4).
        doubling: steps at which a pair on show makes the size the big one (VC-5).
        come_in: the price of coming in over a forced straddle, in chips; 0: the straddle itself (A-11). opening_rung: the rung of the
            first raise of the deal, which that price may have taken already.
        changing: which cards are wild depends on the cards of the deal; `judges` then takes the place of `evaluators`.
        openers: the lowest rank of a pair that may open, None where anybody may (VC-20); guarded: that, or another law of the game's
            own, may keep a seat from raising.
        declares_wild: holders say what wild cards stand for (W-7); declares_aces: and which way their aces play (LO-3);
        asks_at_show: one of the two, so seats are asked before hands are compared.
        choices_end: the last step, betting and the showdown apart, at which a player chooses: from there on a board can be run (TL-21).
        evaluators: one for each share of the pot.
    """

    __slots__ = (
        "_judges", "all_in", "an_ace_draws_four", "asks_at_show", "big", "bring_in", "card", "changing", "choices_end", "come_in",
        "declares_aces", "declares_wild", "doubling", "draws", "evaluators", "evens", "first_rung", "fixed", "forced_full", "guarded",
        "later_part", "limit", "max_part", "may_pass_out", "min_bet", "min_raise", "once", "openers", "opening_rung", "opens_double",
        "options", "pack", "pot_least", "raise_cap", "show_all", "showing", "sizes", "small", "stakes", "steps", "unit",
    )  # fmt: skip

    def __init__(self, card: RuleCard, options: Options, stakes: Stakes) -> None:
        self.card = card
        self.options = options
        self.stakes = stakes
        self.steps = card.steps
        self.pack = PACKS[options.deck]
        self.limit = options.limit
        self.fixed = options.limit in _FIXED
        self.min_raise = options.min_raise
        self.all_in = options.stakes is Purse.TABLE
        self.show_all = options.show is Showing.ALL
        self.small = stakes.small_bet or stakes.big_blind or stakes.ante
        self.big = stakes.big_bet or 2 * self.small
        self.unit = stakes.small_blind if options.ante is Ante.BLINDS else stakes.ante
        self.max_part = stakes.limit
        self.later_part = stakes.limit_after_draw or stakes.limit
        self.sizes = tuple(
            self.big if isinstance(step, BetStep) and step.size is Size.BIG else self.small for step in card.steps
        )
        self.doubling = frozenset(
            at for at, step in enumerate(card.steps) if isinstance(step, BetStep) and step.pair_doubles
        )
        self.min_bet = stakes.min_bet or {
            Limit.STAKE_LIMIT: 1, Limit.LIMIT: self.small, Limit.DOUBLING_FLAT: 2 * self.unit,
        }.get(options.limit, stakes.big_blind or stakes.ante or 1)  # fmt: skip
        self.bring_in = stakes.bring_in or self.min_bet
        self.pot_least = self.min_bet if options.ante is Ante.NONE else stakes.big_blind or stakes.ante or self.min_bet
        if not self.fixed and options.first_1 in (FirstOpener.LOW_CARD, FirstOpener.HIGH_CARD):
            # the forced bet is a first bet too: nobody opens for less (0.5 `MIN_BET`)
            self.min_bet = max(self.min_bet, self.bring_in)
            self.pot_least = max(self.pot_least, self.bring_in)
        self.forced_full = stakes.big_blind if options.ante is Ante.BLINDS and not self.fixed else self.min_bet
        self.raise_cap = 0 if options.limit in (Limit.NO_LIMIT, Limit.POT_LIMIT) else _CAPS[options.raise_cap]
        self.changing = card.joker_up_bug or card.wild_board is not WildBoard.NOTHING or card.follow is not None
        self._judges: dict[tuple[tuple[int, ...], tuple[int, ...], bool], tuple[Evaluator, ...]] = {}
        self.evaluators = self.judges()
        self.openers = card.openers
        self.guarded = card.openers is not None or card.no_check_raise
        self.declares_wild = options.wild_call is WildCall.DECLARE and options.wild_method is not WildMethod.NONE
        high_low = {ranking.is_low for ranking in (share.ranking for share in card.shares)} == {True, False}
        self.declares_aces = high_low and options.ace_hilo is AceHiLo.DECLARE_ONE
        self.asks_at_show = self.declares_wild or self.declares_aces
        self.showing = evaluator(_showing_ranking(card, options))
        one_round = options.predraw is Predraw.ONE_ROUND
        self.once = tuple(one_round and at == _before_first_draw(card) for at in range(len(card.steps)))
        self.evens = tuple(at > 0 and self.once[at - 1] for at in range(len(card.steps)))
        self.choices_end = max(
            (at for at, step in enumerate(card.steps) if not isinstance(step, _WITHOUT_CHOICE)), default=-1
        )
        self.may_pass_out = options.passed_out is not PassedOut.BLINDS_PLAY
        self.draws = tuple(_draw_most(step, options) for step in card.steps)
        self.an_ace_draws_four = options.draw_max is DrawMax.FOUR_WITH_ACE
        self.opens_double = options.limit is Limit.STAKE_LIMIT and options.ante is Ante.LEFT_OF_DEALER
        doubled = options.ante is Ante.BLINDS or options.straddle is Straddle.FORCED_DOUBLE
        self.first_rung = 2 if doubled else 1
        four_antes = options.straddle is Straddle.FORCED_DOUBLE and options.come_in is ComeIn.FOUR_ANTES
        self.come_in = 4 * stakes.ante if four_antes else 0
        self.opening_rung = self.first_rung + (four_antes and options.stake_ladder is StakeLadder.LEVELS)

    def judges(
        self, ranks: tuple[int, ...] = (), cards: tuple[int, ...] = (), *, joker_up: bool = False
    ) -> tuple[Evaluator, ...]:
        """The judges of the shares while `ranks` and `cards` are wild beside the card's own, for a holder whose joker lies up or down."""
        known = self._judges.get((ranks, cards, joker_up))
        if known is None:
            card = self.card
            known = tuple(
                evaluator(in_force(share.ranking, card, self.options, ranks=ranks, cards=cards, joker_up=joker_up))
                for share in card.shares
            )
            self._judges[ranks, cards, joker_up] = known
        return known

    def rung(self, number: int, level: int) -> int:
        """The size of the `number`-th rung of the doubling ladder over this level, in chips: rung 0 is the ante, 1 the straddle (L-6).

        Under `levels` the amounts of the ladder are street totals, so the size is what is missing to the rung's total.
        """
        doublings = self.stakes.doublings or 3
        size = self.unit << min(number, doublings)
        if self.options.stake_ladder is StakeLadder.SIZES:
            return size
        over = max(0, number - doublings)
        return max(1, size + over * (self.unit << doublings) - level)


def _draw_most(step: Step, options: Options) -> int:
    """How many cards a player may change at this step, by the sheet and `DRAW_MAX` (X-2); 0 where none are drawn."""
    if not isinstance(step, Draw):
        return 0
    return min(step.most, _DRAWS_AT_MOST.get(options.draw_max, step.most))


def _before_first_draw(card: RuleCard) -> int:
    """The step of the first interval, where a draw comes right after it; else -1."""
    first = next((at for at, step in enumerate(card.steps) if isinstance(step, BetStep)), -1)
    return first if isinstance(card.steps[first + 1], Draw) else -1


def _showing_ranking(card: RuleCard, options: Options) -> Ranking:
    """How cards on show compare: as high hands, or where the low hand speaks first on the game's low scale, without its qualifier."""
    rankings = [in_force(share.ranking, card, options, joker_up=card.joker_up_bug) for share in card.shares]
    if options.first_n is LaterOpener.LOW_SHOWING:
        low = next((ranking for ranking in rankings if ranking.is_low), Ranking(Scale.ACE_TO_FIVE))
        return replace(low, qualifier=None, from_hole=None)
    high = next((ranking for ranking in rankings if not ranking.is_low), Ranking())
    return replace(high, from_hole=None)


def rules_for(card: RuleCard, options: Options, stakes: Stakes) -> Rules:
    """Work a card, options and stakes out, once."""
    known = _LATELY.get(id(stakes))
    if known is not None and known[0] is stakes and known[1] is options and known[2] is card:
        return known[3]  # the very same values as at this table's last deal: nothing to compare
    rules = _worked_out(card, options, stakes)
    if len(_LATELY) >= _LATELY_MOST:
        _LATELY.clear()
    _LATELY[id(stakes)] = stakes, options, card, rules
    return rules


_LATELY: dict[int, tuple[Stakes, Options, RuleCard, Rules]] = {}
_LATELY_MOST = 4096


@lru_cache(maxsize=512)
def _worked_out(card: RuleCard, options: Options, stakes: Stakes) -> Rules:
    return Rules(card, options, stakes)

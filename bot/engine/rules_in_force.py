"""A rule card, the options in force and the stakes, worked out once into what the dealer asks after every action
(laws 0.4 precedence, 0.5 `MIN_BET`, `LIMIT`; L-6, L-7)."""

from functools import lru_cache

from msgspec.structs import replace

from bot.engine.dealing.decks import DECKS
from bot.engine.options.types import Options
from bot.engine.options.values import (
    AceHiLo,
    Ante,
    ComeIn,
    DrawMax,
    FirstOpener,
    LaterOpener,
    Limit,
    PassedOutRule,
    Predraw,
    RaiseCap,
    Showing,
    StakeLadder,
    StakesRule,
    StraddleRule,
    Switch,
)
from bot.engine.ranking import Evaluator, Ranking, Scale, evaluator
from bot.engine.ranking.spec import WildCall
from bot.engine.rule_card import RuleCard, WildBoardCard
from bot.engine.showdown.ranking_in_force import ranking_in_force
from bot.engine.stakes import Stakes, button_blind_chips, forced_straddle_chips, smallest_open_bet
from bot.engine.steps import (
    AnyStep,
    BetSize,
    BettingRound,
    Burn,
    DealBoard,
    DealDown,
    DealUp,
    DealUpInTurn,
    DealUpOrDown,
    Draw,
    GiveUpCards,
    PostForcedBets,
    Showdown,
    Step,
)

_MAX_RAISES = {RaiseCap.NONE: 0, RaiseCap.THREE: 3, RaiseCap.THREE_OR_FOUR: 3, RaiseCap.FOUR: 4}
_STEPS_WITHOUT_CHOICE = (PostForcedBets, DealDown, DealUp, Burn, DealBoard, BettingRound, Showdown)
_MAX_CARDS_BY_OPTION = {DrawMax.THREE: 3, DrawMax.FOUR_WITH_ACE: 4}
_FIXED_LIMITS = (Limit.LIMIT, Limit.DOUBLING_FLAT)


class RulesInForce:
    """What is in force for a hand. Never changed after it is made; shared by all hands of the same card, options and
    stakes. Amounts are chips.

    Attributes:
        deck_cards: the cards of the deck, in no order.
        has_fixed_sizes: every bet and raise has one size (L-6, L-7).
        allows_all_in: a stack too short for a bet can go all-in; at a strict table it cannot (VB-13).
        small_bet, big_bet: the two sizes of limit play; bet_sizes: by step, which of them is played there (L-7).
        pair_doubling_steps: steps at which a pair on show makes the big bet possible (VC-5).
        max_draws: by step, how many cards can be changed there (X-2); fourth_card_needs_ace: the fourth only by a
            holder of an ace.
        min_bet: the smallest first bet of a street (`MIN_BET`).
        full_blinds: what the blinds would be if nobody were short, the one that counts as the big blind last; empty
            without blinds (TL-19, VB-2, VC-17).
        forced_full_bet: the full bet that stands before the first raise of the hand: the big blind, whatever the
            smallest first bet (TL-5).
        single_action_steps: by step, whether each seat acts only once there; equalising_draws: the draw after it, at
            which the stakes are made equal (B-17, X-3).
        bring_in: the forced first bet where a card on show opens (F-6, F-7, VC-5).
        showing_evaluator: the evaluator of cards on show.
        shows_all_hands: every live hand is shown at the showdown (Z-1).
        pot_limit_min_bet: what can be bet at pot limit however small the pot: the big blind, the ante, where there is
            neither the amount that stands for them, and the forced bet of a card (0.5 `MIN_BET`). What the house asks
            beyond it gives way to the pot.
        raise_cap: raises after the first bet on a street; 0 for no cap (L-10, TL-17).
        ladder_unit: step 0 of the doubling ladder (L-6): the ante, or with blinds the small one; first_ladder_step:
            the step of a street's first bet, or of the first raise over a forced double.
        opening_ladder_step: the step of the first raise of the hand; the price of coming in can have taken it
            already.
        stake_limit_first_round, stake_limit_later: what one raise can add on the first street and later, under a
            stake limit (L-2).
        opens_double: the hand is opened at double the forced stake, which nobody can merely call (L-4).
        come_in_price: the price of coming in over a forced straddle; 0: the straddle itself (A-11).
        wild_cards_vary: which cards are wild depends on the cards of the hand; `evaluators_for` then takes the place
            of `evaluators`.
        openers_rank: the lowest rank of a pair that can open, None where anybody can (VC-20).
        restricts_raises: openers, or another law of the game's own, can keep a seat from raising.
        declares_wild: holders announce what wild cards stand for (W-7); declares_aces: and which way their aces play
            (LO-3).
        designates_at_showdown: one of the two, so seats are asked before hands are compared.
        last_choice_step: the last step, betting and the showdown apart, at which a player chooses: from there on a
            board can be run (TL-21).
        can_be_passed_out: the hand can end because nobody opens (N-1).
        plays_wild_cards: some cards can be wild.
        cards_to_come: by step, how many cards come after it to each seat and to each board, and how many each seat will
            have to give up; draws_left: how many draws come from it on.
        evaluators: one for each share of the pot.
    """

    __slots__ = (
        "_evaluators_by_wild",
        "allows_all_in",
        "bet_sizes",
        "big_bet",
        "bring_in",
        "can_be_passed_out",
        "cards_to_come",
        "come_in_price",
        "deck_cards",
        "declares_aces",
        "declares_wild",
        "designates_at_showdown",
        "draws_left",
        "equalising_draws",
        "evaluators",
        "first_ladder_step",
        "forced_full_bet",
        "fourth_card_needs_ace",
        "full_blinds",
        "has_fixed_sizes",
        "ladder_unit",
        "last_choice_step",
        "limit",
        "max_draws",
        "min_bet",
        "min_raise",
        "openers_rank",
        "opening_ladder_step",
        "opens_double",
        "options",
        "pair_doubling_steps",
        "plays_wild_cards",
        "pot_limit_min_bet",
        "raise_cap",
        "restricts_raises",
        "rule_card",
        "showing_evaluator",
        "shows_all_hands",
        "single_action_steps",
        "small_bet",
        "stake_limit_first_round",
        "stake_limit_later",
        "stakes",
        "steps",
        "wild_cards_vary",
    )

    def __init__(self, rule_card: RuleCard, options: Options, stakes: Stakes) -> None:
        self.rule_card = rule_card
        self.options = options
        self.stakes = stakes
        self.steps = rule_card.steps
        self.deck_cards = DECKS[options.deck]
        self.limit = options.limit
        self.has_fixed_sizes = options.limit in _FIXED_LIMITS
        self.min_raise = options.min_raise
        self.allows_all_in = options.stakes is StakesRule.TABLE
        self.shows_all_hands = options.show is Showing.ALL
        self.small_bet = stakes.small_bet or stakes.big_blind or stakes.ante
        self.big_bet = stakes.big_bet or 2 * self.small_bet
        self.ladder_unit = stakes.small_blind if options.ante is Ante.BLINDS else stakes.ante
        self.stake_limit_first_round = stakes.limit
        self.stake_limit_later = stakes.limit_after_draw or stakes.limit
        self.bet_sizes = tuple(
            self.big_bet if isinstance(step, BettingRound) and step.size is BetSize.BIG else self.small_bet
            for step in rule_card.steps
        )
        self.pair_doubling_steps = frozenset(
            at for at, step in enumerate(rule_card.steps) if isinstance(step, BettingRound) and step.pair_doubles_bet
        )
        self.min_bet = stakes.min_bet or {
            Limit.STAKE_LIMIT: 1,
            Limit.LIMIT: self.small_bet,
            Limit.DOUBLING_FLAT: 2 * self.ladder_unit,
        }.get(options.limit, smallest_open_bet(stakes, options))
        self.bring_in = stakes.bring_in or self.min_bet
        self.pot_limit_min_bet = self.min_bet if options.ante is Ante.NONE else smallest_open_bet(stakes, options)
        if not self.has_fixed_sizes and options.first_1 in (FirstOpener.LOW_CARD, FirstOpener.HIGH_CARD):
            # the forced bet is a first bet too: nobody opens for less (0.5 `MIN_BET`)
            self.min_bet = max(self.min_bet, self.bring_in)
            self.pot_limit_min_bet = max(self.pot_limit_min_bet, self.bring_in)
        self.full_blinds = _full_blinds(rule_card, options, stakes)
        self.forced_full_bet = self.min_bet
        if self.full_blinds and not self.has_fixed_sizes:
            self.forced_full_bet = self.full_blinds[-1]
        self.raise_cap = _raise_cap(rule_card, options)
        self.wild_cards_vary = (
            rule_card.face_up_joker_is_bug
            or rule_card.wild_board_card is not WildBoardCard.NOTHING
            or rule_card.follow_rank is not None
        )
        self._evaluators_by_wild: dict[tuple[tuple[int, ...], tuple[int, ...], bool], tuple[Evaluator, ...]] = {}
        self.evaluators = self.evaluators_for()
        self.openers_rank = rule_card.openers_rank
        self.restricts_raises = rule_card.openers_rank is not None or rule_card.forbids_check_raise
        self.plays_wild_cards = options.plays_wild_cards
        self.declares_wild = options.wild_call is WildCall.DECLARE and self.plays_wild_cards
        high_low = {ranking.is_low for ranking in (share.ranking for share in rule_card.shares)} == {True, False}
        self.declares_aces = high_low and options.ace_hilo is AceHiLo.DECLARE_ONE
        self.designates_at_showdown = self.declares_wild or self.declares_aces
        self.showing_evaluator = evaluator(_showing_ranking(rule_card, options))
        one_round = options.predraw is Predraw.ONE_ROUND
        self.single_action_steps = tuple(
            one_round and at == _round_before_first_draw(rule_card) for at in range(len(rule_card.steps))
        )
        self.equalising_draws = tuple(at > 0 and self.single_action_steps[at - 1] for at in range(len(rule_card.steps)))
        self.last_choice_step = max(
            (at for at, step in enumerate(rule_card.steps) if not isinstance(step, _STEPS_WITHOUT_CHOICE)), default=-1
        )
        self.can_be_passed_out = options.passed_out is not PassedOutRule.BLINDS_PLAY
        rest = [rule_card.steps[at:] for at in range(len(rule_card.steps))]
        self.cards_to_come = tuple(_cards_of(steps[1:]) for steps in rest)
        self.draws_left = tuple(sum(isinstance(step, Draw) for step in steps) for steps in rest)
        self.max_draws = tuple(_max_draw(step, options) for step in rule_card.steps)
        self.fourth_card_needs_ace = options.draw_max is DrawMax.FOUR_WITH_ACE
        self.opens_double = options.limit is Limit.STAKE_LIMIT and options.ante is Ante.LEFT_OF_DEALER
        doubled = options.ante is Ante.BLINDS or options.straddle is StraddleRule.FORCED_DOUBLE
        self.first_ladder_step = 2 if doubled else 1
        four_antes = options.straddle is StraddleRule.FORCED_DOUBLE and options.come_in is ComeIn.FOUR_ANTES
        self.come_in_price = 4 * stakes.ante if four_antes else 0
        self.opening_ladder_step = self.first_ladder_step + (four_antes and options.stake_ladder is StakeLadder.LEVELS)

    def evaluators_for(
        self, ranks: tuple[int, ...] = (), cards: tuple[int, ...] = (), *, joker_up: bool = False
    ) -> tuple[Evaluator, ...]:
        """The evaluators of the shares while `ranks` and `cards` are wild beside the card's own, for a holder whose
        joker lies face up or down."""
        known = self._evaluators_by_wild.get((ranks, cards, joker_up))
        if known is None:
            rule_card = self.rule_card
            known = tuple(
                evaluator(
                    ranking_in_force(
                        share.ranking, rule_card, self.options, wild_ranks=ranks, wild_cards=cards, joker_is_up=joker_up
                    )
                )
                for share in rule_card.shares
            )
            self._evaluators_by_wild[ranks, cards, joker_up] = known
        return known

    def ladder_size(self, number: int, level: int) -> int:
        """The size of step `number` of the doubling ladder over this bet, in chips: step 0 is the ante, 1 the
        straddle (L-6).

        Under `levels` the amounts of the ladder are street totals, so the size is what is missing to the step's
        total.
        """
        doublings = self.stakes.doublings or 3
        size = self.ladder_unit << min(number, doublings)
        if self.options.stake_ladder is StakeLadder.SIZES:
            return size
        over = max(0, number - doublings)
        return max(1, size + over * (self.ladder_unit << doublings) - level)


def _cards_of(steps: tuple[AnyStep, ...]) -> tuple[int, int, int]:
    """The cards that these steps deal to each seat and to each board, and those that each seat gives up."""
    own = common = given_up = 0
    for step in steps:
        match step:
            case DealDown(count) | DealUp(count):
                own += count
            case DealUpOrDown() | DealUpInTurn():
                own += 1
            case DealBoard(count):
                common += count
            case GiveUpCards(count):
                given_up += count
            case _:
                pass
    return own, common, given_up


def _max_draw(step: Step, options: Options) -> int:
    """How many cards a player can change at this step, by the game and `DRAW_MAX` (X-2); 0 where none are drawn."""
    if not isinstance(step, Draw):
        return 0
    return min(step.max_cards, _MAX_CARDS_BY_OPTION.get(options.draw_max, step.max_cards))


def _full_blinds(rule_card: RuleCard, options: Options, stakes: Stakes) -> tuple[int, ...]:
    """The blinds of a hand in full, the one that counts as the big blind last; empty in a game without any (A-12, VB-2, VC-17)."""
    if options.ante is Ante.BLINDS:
        small = stakes.big_blind if options.small_counts_as_big is Switch.ON else stakes.small_blind
        return small, stakes.big_blind
    if options.ante is Ante.LEFT_OF_DEALER and options.straddle is StraddleRule.FORCED_DOUBLE:
        return stakes.ante, forced_straddle_chips(stakes)
    if options.ante is Ante.EVERYONE and rule_card.button_blind:
        return (button_blind_chips(stakes),)
    return ()


def _raise_cap(rule_card: RuleCard, options: Options) -> int:
    """How many raises a betting round can have after its first bet; 0 for no cap (L-10, TL-17)."""
    if options.limit in (Limit.NO_LIMIT, Limit.POT_LIMIT):
        return 0
    rounds = sum(isinstance(step, BettingRound) for step in rule_card.steps)
    if options.raise_cap is RaiseCap.THREE_OR_FOUR and rounds == 2:
        return _MAX_RAISES[RaiseCap.FOUR]
    return _MAX_RAISES[options.raise_cap]


def _round_before_first_draw(rule_card: RuleCard) -> int:
    """The step of the first betting round, where a draw comes right after it; else -1."""
    first = next((at for at, step in enumerate(rule_card.steps) if isinstance(step, BettingRound)), -1)
    return first if isinstance(rule_card.steps[first + 1], Draw) else -1


def _showing_ranking(rule_card: RuleCard, options: Options) -> Ranking:
    """How cards on show compare: as high hands, or where the low hand acts first on the game's low scale, without its
    qualifier."""
    rankings = [
        ranking_in_force(share.ranking, rule_card, options, joker_is_up=rule_card.face_up_joker_is_bug)
        for share in rule_card.shares
    ]
    if options.first_n is LaterOpener.LOW_SHOWING:
        low = next((ranking for ranking in rankings if ranking.is_low), Ranking(Scale.ACE_TO_FIVE))
        return replace(low, qualifier=None, from_hole=None)
    high = next((ranking for ranking in rankings if not ranking.is_low), Ranking())
    return replace(high, from_hole=None)


def rules_in_force(rule_card: RuleCard, options: Options, stakes: Stakes) -> RulesInForce:
    """The rules of a card, options and stakes, worked out once."""
    known = _RECENT_RULES.get(id(stakes))
    if known is not None and known[0] is stakes and known[1] is options and known[2] is rule_card:
        return known[3]  # the very same values as in this table's last hand: nothing to compare
    rules = _cached_rules(rule_card, options, stakes)
    if len(_RECENT_RULES) >= _MAX_RECENT_RULES:
        _RECENT_RULES.clear()
    _RECENT_RULES[id(stakes)] = stakes, options, rule_card, rules
    return rules


_RECENT_RULES: dict[int, tuple[Stakes, Options, RuleCard, RulesInForce]] = {}
_MAX_RECENT_RULES = 4096


@lru_cache(maxsize=512)
def _cached_rules(rule_card: RuleCard, options: Options, stakes: Stakes) -> RulesInForce:
    return RulesInForce(rule_card, options, stakes)

"""A rule card, the options in force and the stakes, worked out once into what the dealer asks after every action
(laws 0.4 precedence, 0.5 `MIN_BET`, `LIMIT`; L-6, L-7)."""

from collections.abc import Callable
from functools import lru_cache

from msgspec.structs import replace

from bot.engine.betting.bet_amounts import FIXED_LIMITS, bet_amounts, ladder
from bot.engine.customs import ExtraCardRank, FaceUpJokerIsBug, Openers
from bot.engine.dealing.decks import DECKS, joker_count
from bot.engine.options.types import Options
from bot.engine.options.values import (
    AceHiLo,
    DrawMax,
    LaterOpener,
    Limit,
    Predraw,
    RaiseCap,
    StakesRule,
)
from bot.engine.ranking import Evaluator, Ranking, Scale, evaluator
from bot.engine.ranking.spec import WildCall
from bot.engine.rule_card import RuleCard
from bot.engine.showdown.ranking_in_force import ranking_in_force
from bot.engine.stakes import Stakes
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
)

_MAX_RAISES = {RaiseCap.NONE: 0, RaiseCap.THREE: 3, RaiseCap.THREE_OR_FOUR: 3, RaiseCap.FOUR: 4}
_STEPS_WITHOUT_CHOICE = (PostForcedBets, DealDown, DealUp, Burn, DealBoard, BettingRound, Showdown)


class RulesInForce:
    """What is in force for a hand. Never changed after it is made; shared by all hands of the same card, options and
    stakes.

    Attributes:
        deck_cards: the cards of the deck, in no order; joker_count: how many of them are jokers.
        amounts: what is bet, in chips; ladder: the doubling ladder (L-6).
        has_fixed_sizes: every bet and raise has one size (L-6, L-7).
        allows_all_in: a stack too short for a bet can go all-in; at a strict table it cannot (VB-13).
        raise_cap: raises after the first bet on a street; 0 for no cap (L-10, TL-17).
        bet_sizes: by step, which of the two sizes of limit play is bet there (L-7).
        pair_doubling_steps: steps at which a pair on show makes the big bet possible (VC-5).
        single_action_steps: by step, whether each seat acts only once there (B-17).
        max_draws: by step, how many cards can be changed there (X-2).
        last_choice_step: the last step, betting and the showdown apart, at which a player chooses: from there on a
            board can be run (TL-21).
        cards_to_come: by step, how many cards come after it to each seat and to each board, and how many each seat will
            have to give up; draws_left: how many draws come from it on.
        openers, extra_card: these customs of the game, or None.
        face_up_joker_is_bug: whether the game has this custom.
        restricts_raises: openers, or another custom, can keep a seat from raising.
        wild_card_customs: the customs that make cards wild.
        wild_cards_vary: which cards are wild depends on the cards of the hand; `evaluators_for` then takes the place
            of `evaluators`.
        plays_wild_cards: some cards can be wild.
        declares_wild: holders announce what wild cards stand for (W-7); declares_aces: and which way their aces play
            (LO-3).
        evaluators: one for each share of the pot; showing_evaluator: the evaluator of cards on show.
    """

    # Without slots a hand takes five percent longer; as a list they would take thirty lines.
    __slots__ = (
        "_evaluators_by_wild",
        "allows_all_in",
        "amounts",
        "bet_sizes",
        "cards_to_come",
        "deck_cards",
        "declares_aces",
        "declares_wild",
        "draws_left",
        "evaluators",
        "extra_card",
        "face_up_joker_is_bug",
        "has_fixed_sizes",
        "joker_count",
        "ladder",
        "last_choice_step",
        "limit",
        "max_draws",
        "openers",
        "options",
        "pair_doubling_steps",
        "plays_wild_cards",
        "raise_cap",
        "restricts_raises",
        "rule_card",
        "showing_evaluator",
        "single_action_steps",
        "stakes",
        "steps",
        "wild_card_customs",
        "wild_cards_vary",
    )  # fmt: skip

    def __init__(self, rule_card: RuleCard, options: Options, stakes: Stakes) -> None:
        steps, customs = rule_card.steps, rule_card.customs
        self.rule_card, self.options, self.stakes, self.steps = rule_card, options, stakes, steps
        self.deck_cards = DECKS[options.deck]
        self.joker_count = joker_count(options.deck)

        self.amounts = amounts = bet_amounts(rule_card, options, stakes)
        self.ladder = ladder(options, stakes)
        self.limit = options.limit
        self.has_fixed_sizes = options.limit in FIXED_LIMITS
        self.allows_all_in = options.stakes is StakesRule.TABLE
        self.raise_cap = _raise_cap(steps, options)

        big = [isinstance(step, BettingRound) and step.size is BetSize.BIG for step in steps]
        self.bet_sizes = tuple(amounts.big_bet if is_big else amounts.small_bet for is_big in big)
        has_two_sizes = options.limit is Limit.LIMIT  # the ladder of L-6 has one size at a time
        self.pair_doubling_steps = _steps_where(
            steps, lambda step: has_two_sizes and isinstance(step, BettingRound) and step.pair_doubles_bet
        )
        single = _round_before_first_draw(steps) if options.predraw is Predraw.ONE_ROUND else -1
        self.single_action_steps = tuple(at == single for at in range(len(steps)))
        self.last_choice_step = max(
            _steps_where(steps, lambda step: not isinstance(step, _STEPS_WITHOUT_CHOICE)), default=-1
        )
        self.cards_to_come = tuple(_cards_of(steps[at + 1 :]) for at in range(len(steps)))
        by_option = {DrawMax.THREE: 3, DrawMax.FOUR_WITH_ACE: 4}.get(options.draw_max, len(self.deck_cards))
        self.max_draws = tuple(min(step.max_cards, by_option) if isinstance(step, Draw) else 0 for step in steps)
        self.draws_left = tuple(sum(isinstance(step, Draw) for step in steps[at:]) for at in range(len(steps)))

        self.openers = rule_card.custom(Openers)
        self.extra_card = rule_card.custom(ExtraCardRank)
        self.face_up_joker_is_bug = rule_card.has_custom(FaceUpJokerIsBug)
        self.restricts_raises = any(custom.restricts_raises for custom in customs)
        self.wild_card_customs = tuple(custom for custom in customs if custom.makes_cards_wild)
        self.wild_cards_vary = any(custom.varies_ranking for custom in customs)

        self.plays_wild_cards = options.plays_wild_cards
        self.declares_wild = options.wild_call is WildCall.DECLARE and self.plays_wild_cards
        is_high_low = {share.ranking.is_low for share in rule_card.shares} == {True, False}
        self.declares_aces = is_high_low and options.ace_hilo is AceHiLo.DECLARE_ONE
        self._evaluators_by_wild: dict[tuple[tuple[int, ...], tuple[int, ...], bool], tuple[Evaluator, ...]] = {}
        self.evaluators = self.evaluators_for()
        self.showing_evaluator = evaluator(_showing_ranking(rule_card, options))

    @property
    def designates_at_showdown(self) -> bool:
        """Whether holders announce something of their wild cards or their aces, so that seats are asked before hands are compared."""
        return self.declares_wild or self.declares_aces

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


def _steps_where(steps: tuple[AnyStep, ...], holds: Callable[[AnyStep], bool]) -> frozenset[int]:
    return frozenset(at for at, step in enumerate(steps) if holds(step))


def _raise_cap(steps: tuple[AnyStep, ...], options: Options) -> int:
    """How many raises a betting round can have after its first bet; 0 for no cap (L-10, TL-17)."""
    if options.limit in (Limit.NO_LIMIT, Limit.POT_LIMIT):
        return 0
    rounds = sum(isinstance(step, BettingRound) for step in steps)
    if options.raise_cap is RaiseCap.THREE_OR_FOUR and rounds == 2:
        return _MAX_RAISES[RaiseCap.FOUR]
    return _MAX_RAISES[options.raise_cap]


def _round_before_first_draw(steps: tuple[AnyStep, ...]) -> int:
    """The step of the first betting round, where a draw comes right after it; else -1."""
    first = next((at for at, step in enumerate(steps) if isinstance(step, BettingRound)), -1)
    return first if isinstance(steps[first + 1], Draw) else -1


def _showing_ranking(rule_card: RuleCard, options: Options) -> Ranking:
    """How cards on show compare: as high hands, or where the low hand acts first on the game's low scale, without its
    qualifier."""
    rankings = [
        ranking_in_force(share.ranking, rule_card, options, joker_is_up=rule_card.has_custom(FaceUpJokerIsBug))
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

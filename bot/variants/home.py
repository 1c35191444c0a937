"""Board games with a twist, and the home games of passing and declaring.

Source: laws VC-17 to VC-19, VC-26, VC-27, VC-29.
"""

from msgspec.structs import replace

from bot.engine.customs import AceAlsoLow, ButtonBlind, LosersMatchPot
from bot.engine.options.presets import preset_options
from bot.engine.options.types import Options
from bot.engine.options.values import Ante, DeckKind, FirstOpener, LaterOpener, Limit, LowScale, MinRaise
from bot.engine.ranking import AT_MOST_TWO, EXACTLY_TWO, CategoryOrder, Ranking, Scale
from bot.engine.rule_card import RuleCard, Share
from bot.engine.steps import (
    BOTH,
    ArrangeCards,
    BetSize,
    BettingRound,
    Burn,
    DealBoard,
    DealDown,
    DeclareInSecret,
    Draw,
    GiveUpCards,
    PassCards,
    PostForcedBets,
    RollOut,
    Showdown,
)
from bot.variants.holdem import NO_LIMIT_HOLDEM
from bot.variants.step_sequences import FLOP, PRE_FLOP, RIVER, TURN, board_game

SHORT_DECK = replace(
    NO_LIMIT_HOLDEM, key="short_deck", name="No-Limit Short-Deck Hold'em", law_id="VC-17", seats_max=9,
    seats_max_on_request=0, customs=(ButtonBlind(), AceAlsoLow()),
    shares=(Share("pot", Ranking(order=CategoryOrder.SHORT_DECK)),),
    options=Options(deck=DeckKind.STRIPPED_36, ante=Ante.EVERYONE, first_1=FirstOpener.LEFT_OF_LAST_FORCED, max_seats=9),
    aliases=("six plus", "6+ hold'em"),
)  # fmt: skip
SHORT_DECK_TRIPS = replace(
    SHORT_DECK, key="short_deck_trips", name="No-Limit Short-Deck Hold'em, Trips over Straights",
    shares=(Share("pot", Ranking(order=CategoryOrder.SHORT_DECK_TRIPS)),), aliases=(),
)  # fmt: skip
PINEAPPLE = replace(
    NO_LIMIT_HOLDEM, key="pineapple", name="No-Limit Pineapple", law_id="VC-18", steps=board_game(3, before_flop=(GiveUpCards(1),)),
    aliases=(),
)  # fmt: skip
CRAZY_PINEAPPLE = replace(
    PINEAPPLE, key="crazy_pineapple", name="No-Limit Crazy Pineapple", steps=board_game(3, after_flop=(GiveUpCards(1),))
)
LAZY_PINEAPPLE = replace(
    PINEAPPLE, key="lazy_pineapple", name="No-Limit Lazy Pineapple", steps=board_game(3),
    shares=(Share("pot", Ranking(from_hole=AT_MOST_TWO)),), aliases=("tahoe",),
)  # fmt: skip
IRISH = replace(
    PINEAPPLE, key="irish", name="Pot-Limit Irish", law_id="VC-19", seats_max_on_request=0,
    steps=board_game(4, after_flop=(GiveUpCards(2),)), options=Options(limit=Limit.POT_LIMIT),
)  # fmt: skip

_HOME = replace(preset_options("HD"), first_n=LaterOpener.HIGH_SHOWING, max_seats=7)
_ROLL = (
    GiveUpCards(2), ArrangeCards(),
    RollOut(), BettingRound("first card up"),
    RollOut(), BettingRound("second card up"),
    RollOut(), BettingRound("third card up", BetSize.BIG),
    RollOut(), BettingRound("fourth card up", BetSize.BIG),
)  # fmt: skip
ANACONDA = RuleCard(
    key="anaconda", name="Anaconda", law_id="VC-26", family="home", seats_min=2, seats_max=7,
    steps=(
        PostForcedBets(), DealDown(7), BettingRound("first interval"), PassCards(3), BettingRound("after the pass"), *_ROLL, Showdown(),
    ),
    shares=(Share("pot", Ranking()),), options=replace(_HOME, first_n=LaterOpener.HIGH_SHOWING), aliases=("pass the trash",),
)  # fmt: skip


def with_three_passes(card: RuleCard) -> RuleCard:
    """Three cards one seat left, two cards two seats, one card three seats, with betting after each."""
    at = next(number for number, step in enumerate(card.steps) if isinstance(step, PassCards))
    passes = (
        PassCards(3), BettingRound("after the first pass"),
        PassCards(2, seats_to_left=2), BettingRound("after the second pass"),
        PassCards(1, seats_to_left=3), BettingRound("after the third pass"),
    )  # fmt: skip
    return replace(card, steps=card.steps[:at] + passes + card.steps[at + 2 :])


def with_high_low(card: RuleCard) -> RuleCard:
    """High and low share the pot; before the showdown all declare in secret what they play for."""
    steps = (*card.steps[:-1], DeclareInSecret(("high", "low", BOTH), default_word="high"), Showdown())
    return replace(card, steps=steps, shares=(Share("high", Ranking()), Share("low", Ranking(scale=Scale.LOW_ACE_LOW))))


ANACONDA_THREE_PASSES = replace(
    with_three_passes(ANACONDA), key="anaconda_three_passes", name="Anaconda, Three Passes", aliases=()
)
ANACONDA_HIGH_LOW = replace(
    with_high_low(ANACONDA), key="anaconda_hilo", name="Anaconda High-Low", aliases=("pass the trash high-low",)
)


def _guts(cards: int) -> tuple[PostForcedBets, DealDown, DeclareInSecret, Showdown]:
    return (PostForcedBets(), DealDown(cards), DeclareInSecret(("in", "out"), default_word="out"), Showdown())


GUTS = RuleCard(
    key="guts", name="Three-Card Guts", law_id="VC-27", family="home", seats_min=2, seats_max=10,
    steps=_guts(3), shares=(Share("pot", Ranking(order=CategoryOrder.THREE_CARD, size=3)),), customs=(LosersMatchPot(),),
    options=replace(preset_options("HD"), max_seats=10), aliases=("guts",),
)  # fmt: skip
GUTS_TWO = replace(
    GUTS, key="guts_two", name="Two-Card Guts", steps=_guts(2), shares=(Share("pot", Ranking(order=CategoryOrder.SETS_ONLY, size=2)),),
    aliases=(),
)  # fmt: skip
GUTS_FIVE = replace(
    GUTS, key="guts_five", name="Five-Card Guts", steps=_guts(5), shares=(Share("pot", Ranking()),), aliases=()
)

_BOMB = (
    PostForcedBets(), DealDown(4), Burn(), DealBoard(3), BettingRound(FLOP),
    Burn(), DealBoard(1), BettingRound(TURN, BetSize.BIG),
    Burn(), DealBoard(1), BettingRound(RIVER, BetSize.BIG),
    Showdown(),
)  # fmt: skip
_BOMB_OPTIONS = Options(limit=Limit.POT_LIMIT, ante=Ante.EVERYONE, first_1=FirstOpener.LEFT_OF_DEALER, max_seats=9)
BOMB_POT = replace(
    NO_LIMIT_HOLDEM, key="bomb_pot", name="Bomb Pot Omaha", law_id="VC-29", family="bomb pot", seats_max=9, seats_max_on_request=0,
    steps=_BOMB,
    shares=(Share("pot", Ranking(from_hole=EXACTLY_TWO)),), options=_BOMB_OPTIONS, aliases=("plo bomb pot",),
)  # fmt: skip
BOMB_POT_HOLDEM = replace(
    BOMB_POT, key="bomb_pot_holdem", name="Bomb Pot Hold'em", steps=(PostForcedBets(), DealDown(2), *_BOMB[2:]),
    shares=(Share("pot", Ranking()),), options=replace(_BOMB_OPTIONS, limit=Limit.NO_LIMIT), aliases=("hold'em bomb pot",),
)  # fmt: skip
DOUBLE_BOARD_BOMB = replace(
    BOMB_POT, key="double_board_bomb", name="Double-Board Bomb Pot Omaha", boards=2, seats_max=8,
    options=replace(_BOMB_OPTIONS, max_seats=8), aliases=("double board bomb pot",),
)  # fmt: skip
DOUBLE_BOARD_HOLDEM = replace(
    NO_LIMIT_HOLDEM, key="double_board_holdem", name="Double-Board Hold'em", law_id="VC-29", boards=2, seats_max_on_request=0, aliases=(),
)  # fmt: skip
DOUBLE_BOARD_OMAHA = replace(
    DOUBLE_BOARD_HOLDEM, key="double_board_omaha", name="Double-Board Pot-Limit Omaha", steps=board_game(4), seats_max=8,
    shares=(Share("pot", Ranking(from_hole=EXACTLY_TWO)),), options=Options(limit=Limit.POT_LIMIT, max_seats=8), family="omaha",
    aliases=("double board plo",),
)  # fmt: skip
DRAWMAHA = RuleCard(
    key="drawmaha", name="Drawmaha", law_id="VC-29", family="omaha", seats_min=2, seats_max=6,
    steps=(
        PostForcedBets(), DealDown(5), BettingRound(PRE_FLOP),
        Burn(), DealBoard(3), BettingRound(FLOP),
        Draw("the draw", 5),
        Burn(), DealBoard(1), BettingRound(TURN, BetSize.BIG),
        Burn(), DealBoard(1), BettingRound(RIVER, BetSize.BIG),
        Showdown(),
    ),
    shares=(Share("draw", Ranking(from_hole=(5, 5))), Share("omaha", Ranking(from_hole=EXACTLY_TWO))),
    options=Options(limit=Limit.POT_LIMIT, min_raise=MinRaise.LAST_RAISE, low_scale=LowScale.A5, max_seats=6),
    aliases=("drawmaha high", "dramaha"),
)  # fmt: skip

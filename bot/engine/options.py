"""The options of the law book: where the sources disagree, a table chooses, and this is what it has chosen.

Every field of `Options` is an OPTION of the register (laws 0.5) under its own name in small letters, every value one
of its words. What the words mean, and which law each rests on, is told in `bot.engine.register`; amounts (blinds,
antes, limits) are `bot.engine.stakes`'. The defaults are those of Texas hold'em (column TH of laws 0.6); the other
columns are in `bot.engine.presets`.

Source: laws 0.5, 0.6, H-1, H-2.
"""

from enum import StrEnum

import msgspec


class Deck(StrEnum):
    """`DECK`: the pack, by the number of its cards."""

    STANDARD_52 = "52"
    WITH_JOKER_53 = "53"
    STRIPPED_36 = "36"
    STRIPPED_32 = "32"
    MEXICAN_41 = "41"


class SuitRank(StrEnum):
    """`SUIT_RANK`: whether a suit may break a tie for the pot."""

    NONE = "none"
    HEARTS_FIRST = "hearts_first"


class AceStraight(StrEnum):
    """`ACE_STRAIGHT`: where the ace stands in a sequence."""

    BOTH = "both"
    LOW_ONLY = "low_only"


class WildMethod(StrEnum):
    """`WILD_METHOD`: what a wild card may stand for."""

    NONE = "none"
    NO_DUPLICATE = "no_duplicate"
    BUG = "bug"
    FREE = "free"


class WildCall(StrEnum):
    """`WILD_CALL`: who says what a wild card stands for."""

    AUTO_BEST = "auto_best"
    DECLARE = "declare"


class FirstDealer(StrEnum):
    """`FIRST_DEALER`: how the first dealer, or the first button, is found."""

    HIGH_CARD = "high_card"
    JACK = "jack"
    LOW_CUT = "low_cut"


class Cut(StrEnum):
    """`CUT`: whether the player at the dealer's right must cut."""

    MAY = "may"
    MUST = "must"


class Ante(StrEnum):
    """`ANTE`: who is forced to put chips in before the cards."""

    BLINDS = "blinds"
    EVERYONE = "everyone"
    LEFT_OF_DEALER = "left_of_dealer"
    NONE = "none"


class BlindsAnte(StrEnum):
    """`BLINDS_ANTE`: who pays the ante, if there is one, in a game with blinds."""

    EVERYONE = "everyone"
    BIG_BLIND = "big_blind"
    LEFT_OF_DEALER = "left_of_dealer"


class Straddle(StrEnum):
    """`STRADDLE`: raising the stake before the cards."""

    OFF = "off"
    LIVE = "live"
    CHAIN = "chain"
    FORCED_DOUBLE = "forced_double"


class StraddleSeat(StrEnum):
    """`STRADDLE_SEAT`: who is offered the live straddle. Where both may, the button is asked first."""

    UNDER_THE_GUN = "under_the_gun"
    BUTTON = "button"
    BOTH = "both"


class StraddleCap(StrEnum):
    """`STRADDLE_CAP`: what must stay within half the limit while straddling."""

    LEVEL = "level"
    RUNNING_TOTAL = "running_total"


class StraddleLaps(StrEnum):
    """`STRADDLE_LAPS`: whether the straddle chain may go past the dealer."""

    ONCE = "once"
    AGAIN = "again"


class OpenMax(StrEnum):
    """`OPEN_MAX`: the largest opening before the draw under a stake limit."""

    ANTE_PLUS_LIMIT = "ante_plus_limit"
    DOUBLE_PLUS_LIMIT = "double_plus_limit"


class Predraw(StrEnum):
    """`PREDRAW`: how long the betting before the draw goes on."""

    UNTIL_EQUAL = "until_equal"
    ONE_ROUND = "one_round"


class Limit(StrEnum):
    """`LIMIT`: what bounds a bet or raise. Its amounts are in `Stakes`."""

    NO_LIMIT = "no_limit"
    POT_LIMIT = "pot_limit"
    LIMIT = "limit"
    STAKE_LIMIT = "stake_limit"
    DOUBLING_FLAT = "doubling_flat"


class StakeLadder(StrEnum):
    """`STAKE_LADDER`: whether the doubling ladder counts raises or levels."""

    SIZES = "sizes"
    LEVELS = "levels"


class ComeIn(StrEnum):
    """`COME_IN`: the price of coming in over the forced straddle of basic draw."""

    STRADDLE = "straddle"
    FOUR_ANTES = "four_antes"


class MinRaise(StrEnum):
    """`MIN_RAISE`: the least that a raise adds."""

    LAST_RAISE = "last_raise"
    BY_LIMIT = "by_limit"
    BY_LADDER = "by_ladder"
    MATCH_CALL = "match_call"
    ONE_CHIP = "one_chip"


class RaiseCap(StrEnum):
    """`RAISE_CAP`: raises allowed in an interval beyond its first bet. No- and pot-limit play knows none (TL-17)."""

    THREE = "3"
    FOUR = "4"
    NONE = "none"


class Checking(StrEnum):
    """`CHECK`: whether a player may pass the bet while nobody has bet."""

    ALLOWED = "allowed"
    STAND_ONCE = "stand_once"
    FORBIDDEN = "forbidden"


class FirstOpener(StrEnum):
    """`FIRST_1`: who speaks first in the first interval."""

    LEFT_OF_LAST_FORCED = "left_of_last_forced"
    LEFT_OF_DEALER = "left_of_dealer"
    LOW_CARD = "low_card"
    HIGH_CARD = "high_card"


class LaterOpener(StrEnum):
    """`FIRST_N`: who speaks first in the later intervals."""

    LEFT_OF_DEALER = "left_of_dealer"
    OPENER = "opener"
    AFTER_ANTE = "after_ante"
    HIGH_SHOWING = "high_showing"
    LOW_SHOWING = "low_showing"


class StudTie(StrEnum):
    """`STUD_TIE`: who of several equal showing hands speaks."""

    NEAR_DEALER_LEFT = "near_dealer_left"
    SUIT = "suit"


class DrawMax(StrEnum):
    """`DRAW_MAX`: how many cards may be changed at a draw."""

    FIVE = "5"
    THREE = "3"
    FOUR_WITH_ACE = "4_with_ace"


class DrawTiming(StrEnum):
    """`DRAW_TIMING`: whether the draw follows the betting or is woven into its end."""

    AFTER_INTERVAL = "after_interval"
    WITH_EQUALISING = "with_equalising"


class Showing(StrEnum):
    """`SHOW`: whether all hands are shown, or in order, beaten hands unseen if their holders wish."""

    IN_ORDER = "in_order"
    ALL = "all"


class OddChip(StrEnum):
    """`ODD_CHIP`: who gets the chip that does not divide."""

    LEFT_OF_DEALER = "left_of_dealer"
    HIGH_SUIT = "high_suit"
    LAST_AGGRESSOR = "last_aggressor"
    LOT = "lot"


class LowScale(StrEnum):
    """`LOW_SCALE`: how low hands compare."""

    ACE_LOW = "ace_low"
    ACE_HIGH = "ace_high"
    A5 = "a5"
    DEUCE_TO_SEVEN = "27"
    BADUGI = "badugi"


class AceHiLo(StrEnum):
    """`ACE_HILO`: the ace in high-low poker."""

    BOTH_WAYS = "both_ways"
    DECLARE_ONE = "declare_one"


class OutOfTurn(StrEnum):
    """`OUT_OF_TURN`: what becomes of an action out of turn."""

    REFUSE = "refuse"
    HOLD = "hold"
    TDA53 = "tda53"


class Announce(StrEnum):
    """`ANNOUNCE`: whether a bet announced binds before its chips are in."""

    BINDING = "binding"
    VOID_WITHOUT_CHIPS = "void_without_chips"


class Misdeal(StrEnum):
    """`MISDEAL`: who deals after a misdeal."""

    REPLAY = "replay"
    NEXT_DEALER = "next_dealer"


class PassedOut(StrEnum):
    """`PASSED_OUT`: what follows when all pass the first interval."""

    BLINDS_PLAY = "blinds_play"
    NEXT_DEALER_REANTE = "next_dealer_reante"
    SAME_DEALER_REANTE = "same_dealer_reante"


class Special(StrEnum):
    """`SPECIAL`: hands outside the common ranking."""

    OFF = "off"
    CATS_DOGS = "cats_dogs"


class Purse(StrEnum):
    """`STAKES`: what a player may bet with."""

    TABLE = "table"
    OPEN_PURSE = "open_purse"


class Button(StrEnum):
    """`BUTTON`: whether the button may rest on an empty seat."""

    DEAD = "dead"
    MOVING = "moving"


class NewcomerPosts(StrEnum):
    """`NEWCOMER_POSTS`: whether who sits down new owes a big blind."""

    LIMIT_ONLY = "limit_only"
    ON = "on"
    OFF = "off"


class Switch(StrEnum):
    """A custom that a table has or has not."""

    OFF = "off"
    ON = "on"


class Options(msgspec.Struct, frozen=True, kw_only=True):
    """The law set in force at a table. Frozen when a deal begins (H-1); the hand's first event carries it.

    The fields after `run_twice` are choices that single clauses of the book leave to the house, outside the register's
    table. `wild_ranks` and `wild_cards` are the ranks and single cards that `wild_method` makes wild, beside a joker (W-1).
    `sheet` holds the options of single sheets, as (``"<sheet>.<word>"``, value), sorted; the others are off.

    Source: laws 0.5; defaults of Texas hold'em, 0.6.
    """

    max_seats: int = 10
    deck: Deck = Deck.STANDARD_52
    suit_rank: SuitRank = SuitRank.NONE
    ace_straight: AceStraight = AceStraight.BOTH
    wild_method: WildMethod = WildMethod.NONE
    wild_call: WildCall = WildCall.AUTO_BEST
    first_dealer: FirstDealer = FirstDealer.HIGH_CARD
    cut: Cut = Cut.MAY
    ante: Ante = Ante.BLINDS
    straddle: Straddle = Straddle.OFF
    straddle_cap: StraddleCap = StraddleCap.LEVEL
    straddle_laps: StraddleLaps = StraddleLaps.ONCE
    open_max: OpenMax = OpenMax.ANTE_PLUS_LIMIT
    predraw: Predraw = Predraw.UNTIL_EQUAL
    limit: Limit = Limit.NO_LIMIT
    stake_ladder: StakeLadder = StakeLadder.SIZES
    come_in: ComeIn = ComeIn.STRADDLE
    min_raise: MinRaise = MinRaise.LAST_RAISE
    raise_cap: RaiseCap = RaiseCap.THREE
    check: Checking = Checking.ALLOWED
    first_1: FirstOpener = FirstOpener.LEFT_OF_LAST_FORCED
    first_n: LaterOpener = LaterOpener.LEFT_OF_DEALER
    stud_tie: StudTie = StudTie.NEAR_DEALER_LEFT
    draw_max: DrawMax = DrawMax.FIVE
    draw_timing: DrawTiming = DrawTiming.AFTER_INTERVAL
    show: Showing = Showing.IN_ORDER
    odd_chip: OddChip = OddChip.LEFT_OF_DEALER
    low_scale: LowScale = LowScale.ACE_LOW
    ace_hilo: AceHiLo = AceHiLo.BOTH_WAYS
    out_of_turn: OutOfTurn = OutOfTurn.REFUSE
    announce: Announce = Announce.BINDING
    misdeal: Misdeal = Misdeal.REPLAY
    passed_out: PassedOut = PassedOut.BLINDS_PLAY
    special: Special = Special.OFF
    stakes: Purse = Purse.TABLE
    button: Button = Button.DEAD
    rabbit: Switch = Switch.OFF
    run_twice: Switch = Switch.ON

    house_blinds: Switch = Switch.OFF
    blinds_ante: BlindsAnte = BlindsAnte.EVERYONE
    straddle_seat: StraddleSeat = StraddleSeat.UNDER_THE_GUN
    small_counts_as_big: Switch = Switch.OFF
    newcomer_posts: NewcomerPosts = NewcomerPosts.LIMIT_ONLY
    chop_blinds: Switch = Switch.OFF
    wild_ranks: tuple[int, ...] = ()
    wild_cards: tuple[int, ...] = ()
    sheet: tuple[tuple[str, str], ...] = ()

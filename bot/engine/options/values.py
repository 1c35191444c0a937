"""The values of the options: what a table can choose where the sources of the law book disagree.

Each value is one of the law book's own words, and stored tables and hands hold it as it stands here. Five options choose how hands
are ranked; their values are declared with the rankings (`bot.engine.ranking.spec`).

Source: laws 0.5.
"""

from enum import StrEnum

from bot.engine.ranking.spec import Scale


class DeckKind(StrEnum):
    """`DECK`: the deck, by the number of its cards."""

    STANDARD_52 = "52"
    WITH_JOKER_53 = "53"
    WITH_TWO_JOKERS_54 = "54"
    STRIPPED_36 = "36"
    STRIPPED_WITH_JOKER_37 = "37"
    STRIPPED_WITH_TWO_JOKERS_38 = "38"
    STRIPPED_32 = "32"
    STRIPPED_WITH_JOKER_33 = "33"
    STRIPPED_WITH_TWO_JOKERS_34 = "34"
    MEXICAN_41 = "41"


class JokerMethod(StrEnum):
    """`JOKER_METHOD`: what a joker can stand for, where that is not what the other wild cards can."""

    AS_WILD = "as_wild"
    NO_DUPLICATE = "no_duplicate"
    BUG = "bug"
    FREE = "free"


class FirstDealer(StrEnum):
    """`FIRST_DEALER`: how the first dealer, or the first button, is found."""

    HIGH_CARD = "high_card"
    JACK = "jack"
    LOW_CUT = "low_cut"


class Cut(StrEnum):
    """`CUT`: whether the player to the dealer's right must cut or can choose to."""

    MAY = "may"
    MUST = "must"


class Ante(StrEnum):
    """`ANTE`: who must put chips in before the cards are dealt."""

    BLINDS = "blinds"
    EVERYONE = "everyone"
    LEFT_OF_DEALER = "left_of_dealer"
    NONE = "none"


class BlindsAnte(StrEnum):
    """`BLINDS_ANTE`: who pays the ante, if there is one, in a game with blinds."""

    EVERYONE = "everyone"
    BIG_BLIND = "big_blind"
    LEFT_OF_DEALER = "left_of_dealer"


class StraddleRule(StrEnum):
    """`STRADDLE`: whether and how the stakes can be raised before the cards are dealt."""

    OFF = "off"
    LIVE = "live"
    CHAIN = "chain"
    FORCED_DOUBLE = "forced_double"


class StraddleSeat(StrEnum):
    """`STRADDLE_SEAT`: who is offered the live straddle. Where both can take it, the button is asked first."""

    UNDER_THE_GUN = "under_the_gun"
    BUTTON = "button"
    BOTH = "both"


class StraddleCap(StrEnum):
    """`STRADDLE_CAP`: what must stay within half the limit while players straddle."""

    LEVEL = "level"
    RUNNING_TOTAL = "running_total"


class StraddleLaps(StrEnum):
    """`STRADDLE_LAPS`: whether the straddle chain can go past the dealer."""

    ONCE = "once"
    AGAIN = "again"


class OpenMin(StrEnum):
    """`OPEN_MIN`: what the opening before the draw has to double where players have straddled (A-9)."""

    AS_CAP = "as_cap"
    LEVEL = "level"
    RUNNING_TOTAL = "running_total"


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
    """`STAKE_LADDER`: whether the doubling ladder counts raises or street totals."""

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
    """`RAISE_CAP`: the raises allowed in a betting round after its first bet. No-limit and pot-limit play have no cap (TL-17)."""

    THREE = "3"
    THREE_OR_FOUR = "3_4"
    FOUR = "4"
    NONE = "none"


class Checking(StrEnum):
    """`CHECK`: whether a player can check while nobody has bet."""

    ALLOWED = "allowed"
    STAND_ONCE = "stand_once"
    FORBIDDEN = "forbidden"


class FirstOpener(StrEnum):
    """`FIRST_1`: who acts first in the first betting round."""

    LEFT_OF_LAST_FORCED = "left_of_last_forced"
    LEFT_OF_DEALER = "left_of_dealer"
    LOW_CARD = "low_card"
    HIGH_CARD = "high_card"


class LaterOpener(StrEnum):
    """`FIRST_N`: who acts first in the later betting rounds."""

    LEFT_OF_DEALER = "left_of_dealer"
    OPENER = "opener"
    AFTER_ANTE = "after_ante"
    HIGH_SHOWING = "high_showing"
    LOW_SHOWING = "low_showing"


class StudTie(StrEnum):
    """`STUD_TIE`: who acts first among players who show equal cards."""

    NEAR_DEALER_LEFT = "near_dealer_left"
    SUIT = "suit"


class DrawMax(StrEnum):
    """`DRAW_MAX`: how many cards can be changed at a draw."""

    FIVE = "5"
    THREE = "3"
    FOUR_WITH_ACE = "4_with_ace"


class DrawTiming(StrEnum):
    """`DRAW_TIMING`: whether the draw follows the betting or is woven into its end."""

    AFTER_INTERVAL = "after_interval"
    WITH_EQUALISING = "with_equalising"


class Showing(StrEnum):
    """`SHOW`: whether all hands are shown, or hands are shown in order and beaten ones can be mucked."""

    IN_ORDER = "in_order"
    ALL = "all"


class OddChip(StrEnum):
    """`ODD_CHIP`: who gets the chip that does not divide."""

    LEFT_OF_DEALER = "left_of_dealer"
    HIGH_SUIT = "high_suit"
    LAST_AGGRESSOR = "last_aggressor"
    LOT = "lot"


class LowScale(StrEnum):
    """`LOW_SCALE`: how low hands compare. A choice among the scales of `bot.engine.ranking`."""

    ACE_LOW = "ace_low"
    ACE_HIGH = "ace_high"
    A5 = "a5"
    DEUCE_TO_SEVEN = "27"
    BADUGI = "badugi"

    @property
    def scale(self) -> Scale:
        """The scale that this value chooses."""
        return _SCALES[self]


class AceHiLo(StrEnum):
    """`ACE_HILO`: how aces count in high-low games."""

    BOTH_WAYS = "both_ways"
    DECLARE_ONE = "declare_one"


class OutOfTurn(StrEnum):
    """`OUT_OF_TURN`: what becomes of an action out of turn."""

    REFUSE = "refuse"
    HOLD = "hold"
    TDA53 = "tda53"


class Announce(StrEnum):
    """`ANNOUNCE`: whether an announced bet binds before its chips are in."""

    BINDING = "binding"
    VOID_WITHOUT_CHIPS = "void_without_chips"


class Misdeal(StrEnum):
    """`MISDEAL`: who deals after a misdeal."""

    REPLAY = "replay"
    NEXT_DEALER = "next_dealer"


class PassedOutRule(StrEnum):
    """`PASSED_OUT`: what follows when everybody checks the first betting round."""

    BLINDS_PLAY = "blinds_play"
    NEXT_DEALER_REANTE = "next_dealer_reante"
    SAME_DEALER_REANTE = "same_dealer_reante"


class StakesRule(StrEnum):
    """`STAKES`: what a player can bet with."""

    TABLE = "table"
    OPEN_PURSE = "open_purse"


class ButtonRule(StrEnum):
    """`BUTTON`: whether the button can rest on an empty seat."""

    DEAD = "dead"
    MOVING = "moving"


class Misses(StrEnum):
    """`MISSES`: the turns missed in a row after which a player sits out."""

    ONE = "1"
    TWO = "2"
    THREE = "3"
    FOUR = "4"
    FIVE = "5"


class NewcomerPosts(StrEnum):
    """`NEWCOMER_POSTS`: whether a new player must post a big blind."""

    LIMIT_ONLY = "limit_only"
    ON = "on"
    OFF = "off"


class Switch(StrEnum):
    """A custom that a table has or has not."""

    OFF = "off"
    ON = "on"


_SCALES = {
    LowScale.ACE_LOW: Scale.LOW_ACE_LOW,
    LowScale.ACE_HIGH: Scale.LOW_ACE_HIGH,
    LowScale.A5: Scale.ACE_TO_FIVE,
    LowScale.DEUCE_TO_SEVEN: Scale.DEUCE_TO_SEVEN,
    LowScale.BADUGI: Scale.BADUGI,
}

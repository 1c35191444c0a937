"""The options of the law book: what a table chooses where the sources disagree.

Each option is declared once, as a field of `Options`: its name (in the book the same in capitals), its values, its default, the laws
it rests on, and where it applies. Its words are in `bot.text.options`, by the name of the option and the value. The defaults are those
of Texas hold'em (column TH of laws 0.6); `bot.engine.options.presets` has the other columns. Amounts (blinds, antes, limits) belong to
`bot.engine.stakes`.

Source: laws 0.5, 0.6, H-1, H-2; `BLINDS_ANTE`, `HOUSE_BLINDS`, `STRADDLE_SEAT`, `SMALL_COUNTS_AS_BIG`, `NEWCOMER_POSTS` and
`CHOP_BLINDS` name what A-12, TL-11, TL-13, TL-14, TL-19 and TL-37 leave to the house. `OPEN_MIN` takes A-9 apart from `STRADDLE_CAP`, which
decides both readings of source 002 in the book.
"""

from enum import StrEnum
from typing import Annotated

from msgspec import Struct

from bot.engine.options import values as v
from bot.engine.options import where as w
from bot.engine.ranking.spec import AceStraight, SpecialHands, SuitRank, WildCall, WildMethod


class Group(StrEnum):
    """The heading under which an option is listed."""

    SEATS_AND_DECK = "seats_and_deck"
    HANDS = "hands"
    FORCED_BETS = "forced_bets"
    BETTING = "betting"
    DRAW = "draw"
    SHOWDOWN = "showdown"
    TABLE = "table"
    GAME = "game"


class Declared(Struct, frozen=True):
    """What the field of an option declares beside its values and its default.

    Attributes:
        group: the heading it is listed under.
        laws: the clauses it rests on, separated by spaces.
        where: whether it decides anything at a game under given options.
        values: the values it can have there; None where that is all of them.
        is_text: it has no list of values: what it can be is written in words.
    """

    group: Group
    laws: str
    where: w.Where = w.everywhere
    values: w.ValuesThere | None = None
    is_text: bool = False


_SEATS_AND_DECK, _HANDS, _FORCED_BETS = Group.SEATS_AND_DECK, Group.HANDS, Group.FORCED_BETS
_BETTING, _DRAW, _SHOWDOWN, _TABLE = Group.BETTING, Group.DRAW, Group.SHOWDOWN, Group.TABLE


class Options(Struct, frozen=True, kw_only=True):
    """The options in force at a table. They are frozen when a hand begins (H-1); the hand's first event carries them.

    Attributes:
        wild_ranks: the ranks that `wild_method` makes wild, beside a joker (W-1). The option `WILD_CARDS` is both these and
            `wild_cards`.
        wild_cards: the single cards that `wild_method` makes wild.
        sheet: the options of single games, as (``"<game>.<word>"``, value), sorted; the others are off.

    Source: laws 0.5; defaults of Texas hold'em, 0.6.
    """

    max_seats: Annotated[int, Declared(_SEATS_AND_DECK, "P-1 P-2 P-3 P-6")] = 10
    deck: Annotated[v.DeckKind, Declared(_SEATS_AND_DECK, "K-1 K-3 K-4 VC-22", values=w.deck_values)] = (
        v.DeckKind.STANDARD_52
    )

    suit_rank: Annotated[SuitRank, Declared(_HANDS, "T-9 T-11", w.with_five_card_high)] = SuitRank.NONE
    ace_straight: Annotated[AceStraight, Declared(_HANDS, "R-7 R-8", values=w.ace_straight_values)] = AceStraight.BOTH
    wild_method: Annotated[WildMethod, Declared(_HANDS, "W-1 W-3 W-4 W-5", values=w.wild_method_values)] = (
        WildMethod.NONE
    )
    wild_ranks: tuple[int, ...] = ()
    wild_cards: Annotated[tuple[int, ...], Declared(_HANDS, "W-1 VC-25", is_text=True)] = ()
    joker_method: Annotated[v.JokerMethod, Declared(_HANDS, "K-3 W-2 W-3 W-4 W-5", values=w.joker_method_values)] = (
        v.JokerMethod.AS_WILD
    )
    wild_call: Annotated[WildCall, Declared(_HANDS, "W-7 W-8", w.with_designated_wild_cards)] = WildCall.AUTO_BEST
    special: Annotated[SpecialHands, Declared(_HANDS, "SP-1", w.with_cats_and_dogs)] = SpecialHands.OFF
    low_scale: Annotated[v.LowScale, Declared(_HANDS, "LO-1 LO-2 LO-5", values=w.low_scale_values)] = v.LowScale.ACE_LOW
    ace_hilo: Annotated[v.AceHiLo, Declared(_HANDS, "LO-3 LO-4", w.with_high_and_low)] = v.AceHiLo.BOTH_WAYS

    ante: Annotated[v.Ante, Declared(_FORCED_BETS, "A-1 A-2 A-12", values=w.ante_values)] = v.Ante.BLINDS
    blinds_ante: Annotated[v.BlindsAnte, Declared(_FORCED_BETS, "A-1 A-2 TL-14", w.with_blinds)] = v.BlindsAnte.EVERYONE
    house_blinds: Annotated[v.Switch, Declared(_FORCED_BETS, "A-12", w.with_blinds)] = v.Switch.OFF
    straddle: Annotated[v.StraddleRule, Declared(_FORCED_BETS, "A-4 A-10 TL-13", values=w.straddle_values)] = (
        v.StraddleRule.OFF
    )
    straddle_seat: Annotated[v.StraddleSeat, Declared(_FORCED_BETS, "TL-13", w.with_live_straddle)] = (
        v.StraddleSeat.UNDER_THE_GUN
    )
    straddle_cap: Annotated[v.StraddleCap, Declared(_FORCED_BETS, "A-7 A-9", w.with_straddle_chain)] = (
        v.StraddleCap.LEVEL
    )
    straddle_laps: Annotated[v.StraddleLaps, Declared(_FORCED_BETS, "A-6", w.with_straddle_chain)] = v.StraddleLaps.ONCE
    come_in: Annotated[v.ComeIn, Declared(_FORCED_BETS, "A-11", w.with_forced_straddle)] = v.ComeIn.STRADDLE

    limit: Annotated[v.Limit, Declared(_BETTING, "L-1 L-2 L-6 L-7 L-8 TL-19", w.with_betting)] = v.Limit.NO_LIMIT
    min_raise: Annotated[v.MinRaise, Declared(_BETTING, "B-8 L-6 L-7 L-8 L-9 TL-2", values=w.min_raise_values)] = (
        v.MinRaise.LAST_RAISE
    )
    raise_cap: Annotated[v.RaiseCap, Declared(_BETTING, "L-10 TL-17", values=w.raise_cap_values)] = v.RaiseCap.THREE
    stake_ladder: Annotated[v.StakeLadder, Declared(_BETTING, "L-6", w.with_doubling_ladder)] = v.StakeLadder.SIZES
    open_min: Annotated[v.OpenMin, Declared(_BETTING, "A-9 L-4", values=w.open_min_values)] = v.OpenMin.AS_CAP
    open_max: Annotated[v.OpenMax, Declared(_BETTING, "L-4", w.with_opening_over_ante)] = v.OpenMax.ANTE_PLUS_LIMIT
    predraw: Annotated[v.Predraw, Declared(_BETTING, "B-9 B-17", w.with_draw_after_first_betting)] = (
        v.Predraw.UNTIL_EQUAL
    )
    check: Annotated[v.Checking, Declared(_BETTING, "C-1 C-2 C-5", w.with_betting)] = v.Checking.ALLOWED
    first_1: Annotated[v.FirstOpener, Declared(_BETTING, "F-1 F-2 F-4 F-5 F-6 F-7", values=w.first_1_values)] = (
        v.FirstOpener.LEFT_OF_LAST_FORCED
    )
    first_n: Annotated[v.LaterOpener, Declared(_BETTING, "F-3 F-4 F-5 F-6 F-7", values=w.first_n_values)] = (
        v.LaterOpener.LEFT_OF_DEALER
    )
    stud_tie: Annotated[v.StudTie, Declared(_BETTING, "F-6 F-7", w.with_up_cards_that_open)] = (
        v.StudTie.NEAR_DEALER_LEFT
    )
    small_counts_as_big: Annotated[v.Switch, Declared(_BETTING, "TL-19", w.with_blinds_at_pot_limit)] = v.Switch.OFF
    out_of_turn: Annotated[v.OutOfTurn, Declared(_BETTING, "B-10 I-8 TL-34", w.with_betting)] = v.OutOfTurn.REFUSE
    announce: Annotated[v.Announce, Declared(_BETTING, "B-13 I-9 TL-35", w.nowhere)] = v.Announce.BINDING

    draw_max: Annotated[v.DrawMax, Declared(_DRAW, "X-2", w.with_large_draw)] = v.DrawMax.FIVE
    draw_timing: Annotated[v.DrawTiming, Declared(_DRAW, "X-3", w.with_single_round_before_draw)] = (
        v.DrawTiming.AFTER_INTERVAL
    )

    show: Annotated[v.Showing, Declared(_SHOWDOWN, "Z-1 TL-20 TL-22")] = v.Showing.IN_ORDER
    odd_chip: Annotated[v.OddChip, Declared(_SHOWDOWN, "Q-2 Q-3 Q-4 TL-23", values=w.odd_chip_values)] = (
        v.OddChip.LEFT_OF_DEALER
    )
    passed_out: Annotated[v.PassedOutRule, Declared(_SHOWDOWN, "N-1 N-3", values=w.passed_out_values)] = (
        v.PassedOutRule.BLINDS_PLAY
    )
    run_twice: Annotated[v.Switch, Declared(_SHOWDOWN, "TL-25", w.with_board_to_run_twice)] = v.Switch.OFF
    rabbit: Annotated[v.Switch, Declared(_SHOWDOWN, "TL-26", w.with_board_to_come)] = v.Switch.OFF

    stakes: Annotated[v.StakesRule, Declared(_TABLE, "TL-1 VB-13")] = v.StakesRule.TABLE
    button: Annotated[v.ButtonRule, Declared(_TABLE, "TL-9", w.with_blinds)] = v.ButtonRule.DEAD
    newcomer_posts: Annotated[v.NewcomerPosts, Declared(_TABLE, "TL-11", w.with_blinds)] = v.NewcomerPosts.LIMIT_ONLY
    misses: Annotated[v.Misses, Declared(_TABLE, "TL-32")] = v.Misses.TWO
    chop_blinds: Annotated[v.Switch, Declared(_TABLE, "TL-37", w.nowhere)] = v.Switch.OFF
    first_dealer: Annotated[v.FirstDealer, Declared(_TABLE, "D-1 D-2 D-13")] = v.FirstDealer.HIGH_CARD
    cut: Annotated[v.Cut, Declared(_TABLE, "D-5 D-6")] = v.Cut.MAY
    misdeal: Annotated[v.Misdeal, Declared(_TABLE, "I-3 TL-29")] = v.Misdeal.REPLAY

    sheet: tuple[tuple[str, str], ...] = ()

    @property
    def plays_wild_cards(self) -> bool:
        """Whether wild cards, or a joker alone, can stand for other cards."""
        return self.wild_method is not WildMethod.NONE or self.joker_method is not v.JokerMethod.AS_WILD

"""The register of options as the book lists it: every option, its values, and in one sentence what each means.

Names are the book's (``SUIT_RANK``), and so are values (``hearts_first``). Marks say which kinds of games honour an
option; they are those of `bot.laws`.

Source: laws 0.5; `BLINDS_ANTE`, `HOUSE_BLINDS`, `STRADDLE_SEAT`, `SMALL_COUNTS_AS_BIG`, `NEWCOMER_POSTS` and
`CHOP_BLINDS` name what A-12, TL-11, TL-13, TL-14, TL-19 and TL-37 leave to the house.
"""

import msgspec


class Choice(msgspec.Struct, frozen=True):
    """One value of an option and, in one sentence, what it means at the table."""

    value: str
    meaning: str


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """One option of the register.

    Attributes:
        name: as the book writes it, ``"SUIT_RANK"``; the field of `Options` or `Stakes` is the same in small letters.
        group: the heading that `plain` puts it under.
        about: what the option decides, as half a sentence.
        choices: the values it may have; empty for an amount, which is any whole number of chips its law allows.
        laws: the clauses it rests on.
        marks: kinds of games that honour it.
        matters_if: another field and those of its values under which this option decides anything; None: always.
    """

    name: str
    group: str
    about: str
    choices: tuple[Choice, ...] = ()
    laws: tuple[str, ...]
    marks: tuple[str, ...]
    matters_if: tuple[str, tuple[str, ...]] | None = None

    @property
    def field(self) -> str:
        """The field of `Options` (or, for an amount, of `Stakes`) that holds it."""
        return self.name.lower()

    def meaning(self, value: str) -> str:
        """Say in one sentence what a value means."""
        return next(choice.meaning for choice in self.choices if choice.value == value)


def _option(
    name: str,
    group: str,
    about: str,
    laws: str,
    marks: str,
    choices: dict[str, str] | None = None,
    matters_if: tuple[str, tuple[str, ...]] | None = None,
) -> Entry:
    return Entry(
        name=name,
        group=group,
        about=about,
        choices=tuple(Choice(value, meaning) for value, meaning in (choices or {}).items()),
        laws=tuple(laws.split()),
        marks=tuple(marks.split()),
        matters_if=matters_if,
    )


_SEATS, _RANK, _FORCED = "Seats and pack", "Hands", "Forced bets"
_BETS, _DRAW, _SHOW, _TABLE = "Betting", "The draw", "Showdown", "At the table"

REGISTER: tuple[Entry, ...] = (
    _option("MAX_SEATS", _SEATS, "how many may sit down, as far as the pack allows", "P-1 P-2 P-3 P-6", "every table"),
    _option(
        "DECK",
        _SEATS,
        "the pack",
        "K-1 K-3 K-4 VC-22",
        "stripped wild",
        {
            "52": "The pack has 52 cards.",
            "53": "The pack has 53 cards: a joker is added.",
            "36": "The pack is stripped to 36 cards, six to ace.",
            "32": "The pack is stripped to 32 cards, seven to ace.",
            "41": "The pack has 41 cards: no eights, nines or tens, and one joker.",
        },
    ),
    _option(
        "SUIT_RANK",
        _RANK,
        "whether suits break ties",
        "T-9 T-11",
        "every",
        {
            "none": "Suits never decide a pot.",
            "hearts_first": "Other things equal, hearts beat the other suits.",
        },
    ),
    _option(
        "ACE_STRAIGHT",
        _RANK,
        "where the ace stands in a sequence",
        "R-7 R-8",
        "every",
        {
            "both": "In a straight the ace is high over a king or low under a two.",
            "low_only": "In a straight the ace is low; the king is the highest.",
        },
    ),
    _option(
        "WILD_METHOD",
        _RANK,
        "what a wild card may stand for",
        "W-1 W-3 W-4 W-5",
        "wild",
        {
            "none": "No card is wild.",
            "no_duplicate": "A wild card stands for a card its holder does not hold.",
            "bug": "The wild card is an ace, or fills a straight, flush or special hand.",
            "free": "A wild card stands for any card, even one its holder has.",
        },
    ),
    _option(
        "WILD_CALL",
        _RANK,
        "who names a wild card",
        "W-7 W-8",
        "wild",
        {
            "auto_best": "The dealer reads every wild card as the best it may be.",
            "declare": "The holder names each wild card when showing; unnamed it counts at its face value.",
        },
        ("wild_method", ("no_duplicate", "bug", "free")),
    ),
    _option(
        "SPECIAL",
        _RANK,
        "hands outside the common ranking",
        "SP-1",
        "specials",
        {
            "off": "Only the common hands count.",
            "cats_dogs": "Big and little cats and dogs rank between a straight and a flush.",
        },
    ),
    _option(
        "LOW_SCALE",
        _RANK,
        "how low hands compare",
        "LO-1 LO-2 LO-5",
        "low hilo",
        {
            "ace_low": "Low: the ace is low, straights and flushes count; 6-4-3-2-A is best.",
            "ace_high": "Low: the ace is high, straights and flushes count; 7-5-4-3-2 is best.",
            "a5": "Low: ace to five, straights and flushes do not count; 5-4-3-2-A is best.",
            "27": "Low: deuce to seven, the ace is high, straights and flushes count; 7-5-4-3-2 is best.",
            "badugi": "Low: most cards without a repeated rank or suit, then the lowest.",
        },
    ),
    _option(
        "ACE_HILO",
        _RANK,
        "the ace in high-low",
        "LO-3 LO-4",
        "hilo",
        {
            "both_ways": "An ace is high for the high half and low for the low half.",
            "declare_one": "Who holds an ace says aces high or aces low, for both halves.",
        },
    ),
    _option(
        "ANTE",
        _FORCED,
        "who puts chips in before the cards",
        "A-1 A-2 A-12",
        "every",
        {
            "blinds": "Two blinds are posted left of the button.",
            "everyone": "Everybody antes.",
            "left_of_dealer": "The player left of the dealer antes for all.",
            "none": "Nobody antes.",
        },
    ),
    _option(
        "BLINDS_ANTE",
        _FORCED,
        "who pays an ante in a game with blinds",
        "A-1 A-2 TL-14",
        "holdem",
        {
            "everyone": "If there is an ante, everybody pays it.",
            "big_blind": "If there is an ante, the big blind pays it for all, after the blind.",
            "left_of_dealer": "If there is an ante, the player left of the button pays it for all.",
        },
        ("ante", ("blinds",)),
    ),
    _option(
        "HOUSE_BLINDS",
        _FORCED,
        "whether the big blind may be other than double",
        "A-12",
        "holdem",
        {
            "off": "The big blind is double the small.",
            "on": "House rule: the blinds may have another ratio than one to two.",
        },
        ("ante", ("blinds",)),
    ),
    _option(
        "STRADDLE",
        _FORCED,
        "raising the stake before the cards",
        "A-4 A-10 TL-13",
        "every",
        {
            "off": "There is no straddle.",
            "live": "One player may straddle twice the big blind before the deal and then speaks last.",
            "chain": "From the left of the ante, each in turn may straddle by one ante more, up to half the limit.",
            "forced_double": "The second player must straddle the ante.",
        },
    ),
    _option(
        "STRADDLE_SEAT",
        _FORCED,
        "who may straddle live",
        "TL-13",
        "holdem",
        {
            "under_the_gun": "A live straddle is offered left of the big blind.",
            "button": "A live straddle is offered to the button.",
            "both": "A live straddle is offered to the button, then left of the big blind.",
        },
        ("straddle", ("live",)),
    ),
    _option(
        "STRADDLE_CAP",
        _FORCED,
        "what straddling keeps within half the limit",
        "A-7 A-9",
        "old_english",
        {
            "level": "Each straddle stays within half the limit.",
            "running_total": "All straddle money together stays within half the limit.",
        },
        ("straddle", ("chain",)),
    ),
    _option(
        "STRADDLE_LAPS",
        _FORCED,
        "where the straddle chain ends",
        "A-6",
        "old_english",
        {
            "once": "The dealer is the last who may straddle.",
            "again": "Straddling may go round again.",
        },
        ("straddle", ("chain",)),
    ),
    _option(
        "COME_IN",
        _FORCED,
        "the price of coming in",
        "A-11",
        "basic_draw",
        {
            "straddle": "One comes in for the straddle.",
            "four_antes": "One comes in for four antes.",
        },
        ("straddle", ("forced_double",)),
    ),
    _option(
        "LIMIT",
        _BETS,
        "what bounds a bet or raise",
        "L-1 L-2 L-6 L-7 L-8 TL-19",
        "every",
        {
            "no_limit": "No limit: a bet or raise may be all a player has.",
            "pot_limit": "Pot limit: a bet or raise may be as large as the pot.",
            "limit": "Limit: every bet and raise has the size of its street.",
            "stake_limit": "Nobody may raise by more than the limit at one time.",
            "doubling_flat": "Raises double a few times and then stay the same.",
        },
    ),
    _option(
        "MIN_RAISE",
        _BETS,
        "the least that a raise adds",
        "B-8 L-6 L-7 L-8 L-9 TL-2",
        "every",
        {
            "last_raise": "A raise adds at least the last full bet or raise.",
            "by_limit": "A raise adds exactly the size of its street.",
            "by_ladder": "A raise adds exactly the next size of the ladder.",
            "match_call": "A raise adds at least what its maker had to call, unless only two are in.",
            "one_chip": "A raise adds one chip or more.",
        },
    ),
    _option("MIN_BET", _BETS, "the smallest first bet, where the house wants more than the law", "F-6 F-7", "every"),
    _option(
        "RAISE_CAP",
        _BETS,
        "raises allowed in an interval",
        "L-10 TL-17",
        "every",
        {
            "3": "In limit play an interval has a bet and at most three raises; two alone may go on.",
            "4": "In limit play an interval has a bet and at most four raises; two alone may go on.",
            "none": "Raises are not counted.",
        },
        ("limit", ("limit", "stake_limit", "doubling_flat")),
    ),
    _option(
        "STAKE_LADDER",
        _BETS,
        "what the doubling ladder counts",
        "L-6",
        "doubling basic_draw",
        {
            "sizes": "The ladder gives what each raise adds.",
            "levels": "The ladder gives the totals that raises reach.",
        },
        ("limit", ("doubling_flat",)),
    ),
    _option(
        "OPEN_MAX",
        _BETS,
        "the largest opening before the draw",
        "L-4",
        "old_english",
        {
            "ante_plus_limit": "One opens with at most the ante and the limit.",
            "double_plus_limit": "One opens with at most double the ante and the limit.",
        },
        ("limit", ("stake_limit",)),
    ),
    _option(
        "PREDRAW",
        _BETS,
        "how long the betting before the draw goes on",
        "B-9 B-17",
        "old_english draw",
        {
            "until_equal": "Betting goes on until all stakes are equal.",
            "one_round": "Before the draw each player speaks once.",
        },
    ),
    _option(
        "CHECK",
        _BETS,
        "whether one may check",
        "C-1 C-2 C-5",
        "every",
        {
            "allowed": "One may check while nobody has bet.",
            "stand_once": "One may stand once after the draw, then must bet or drop.",
            "forbidden": "Checking is barred: bet or drop.",
        },
    ),
    _option(
        "FIRST_1",
        _BETS,
        "who speaks first in the first interval",
        "F-1 F-2 F-4 F-5 F-6 F-7",
        "every",
        {
            "left_of_last_forced": "The player left of the last blind or straddle speaks first.",
            "left_of_dealer": "The player left of the dealer speaks first.",
            "low_card": "The lowest card showing must open.",
            "high_card": "The highest card showing must open.",
        },
    ),
    _option(
        "FIRST_N",
        _BETS,
        "who speaks first later",
        "F-3 F-4 F-5 F-6 F-7",
        "every",
        {
            "left_of_dealer": "Later the first player left of the dealer speaks first.",
            "opener": "Later the opener speaks first.",
            "after_ante": "Later the player left of the ante speaks first, the ante last.",
            "high_showing": "Later the highest hand showing speaks first.",
            "low_showing": "Later the lowest hand showing speaks first.",
        },
    ),
    _option(
        "STUD_TIE",
        _BETS,
        "who speaks when showing hands are equal",
        "F-6 F-7",
        "stud",
        {
            "near_dealer_left": "Of equal showing hands the one nearest the dealer's left speaks.",
            "suit": "Of equal showing hands the suit decides who speaks.",
        },
    ),
    _option(
        "SMALL_COUNTS_AS_BIG",
        _BETS,
        "how pot limit reckons the small blind",
        "TL-19",
        "holdem",
        {
            "off": "Pot limit reckons the small blind as it is.",
            "on": "House rule: pot limit reckons the small blind as a big blind.",
        },
        ("limit", ("pot_limit",)),
    ),
    _option(
        "OUT_OF_TURN",
        _BETS,
        "an action out of turn",
        "B-10 I-8 TL-34",
        "every",
        {
            "refuse": "An action out of turn changes nothing; check or drop, a call, a drop may be chosen before one's turn, in private.",
            "hold": "Chips put in out of turn are held until the turn comes, and bind.",
            "tda53": "An action out of turn binds if the action to that player does not change.",
        },
    ),
    _option(
        "ANNOUNCE",
        _BETS,
        "a bet announced",
        "B-13 I-9 TL-35",
        "every",
        {
            "binding": "A bet announced is a bet.",
            "void_without_chips": "A bet announced without its chips is void.",
        },
    ),
    _option(
        "DRAW_MAX",
        _DRAW,
        "how many cards may be changed",
        "X-2",
        "draw",
        {
            "5": "Up to five cards may be changed.",
            "3": "Up to three cards may be changed.",
            "4_with_ace": "Up to three cards may be changed, four by who keeps an ace.",
        },
    ),
    _option(
        "DRAW_TIMING",
        _DRAW,
        "when the draw takes place",
        "X-3",
        "draw",
        {
            "after_interval": "The draw follows the betting.",
            "with_equalising": "Each player evens the stake as he comes to draw.",
        },
    ),
    _option(
        "SHOW",
        _SHOW,
        "which hands are shown",
        "Z-1 TL-20 TL-22",
        "every",
        {
            "in_order": "Hands are shown in order; a beaten hand may be mucked.",
            "all": "All hands are shown.",
        },
    ),
    _option(
        "ODD_CHIP",
        _SHOW,
        "who gets the odd chip",
        "Q-2 Q-3 Q-4 TL-23",
        "every",
        {
            "left_of_dealer": "The odd chip goes to the first winner left of the button.",
            "high_suit": "The odd chip goes to the highest card by suit.",
            "last_aggressor": "The odd chip goes to who last bet or raised.",
            "lot": "The odd chip is drawn by lot.",
        },
    ),
    _option(
        "PASSED_OUT",
        _SHOW,
        "a deal that nobody opens",
        "N-1 N-3",
        "every",
        {
            "blinds_play": "Play goes on; where a bet is forced and all others drop, it takes the pot.",
            "next_dealer_reante": "If all pass and nobody is all-in, the next dealer deals, antes are paid again and the pot stays.",
            "same_dealer_reante": "If all pass and nobody is all-in, the same dealer deals again, antes are paid again and the pot stays.",
        },
    ),
    _option(
        "RUN_TWICE",
        _SHOW,
        "running the board more than once",
        "TL-25",
        "holdem",
        {
            "on": "All-in players may agree to run the board twice.",
            "off": "The board is run once.",
        },
    ),
    _option(
        "RABBIT",
        _SHOW,
        "the undealt cards",
        "TL-26",
        "every",
        {
            "off": "The undealt cards stay hidden.",
            "on": "The undealt board may be looked at after the pot is paid.",
        },
    ),
    _option(
        "STAKES",
        _TABLE,
        "what one may bet with",
        "TL-1 VB-13",
        "every table",
        {
            "table": "Table stakes: only chips on the table at the deal play.",
            "open_purse": "Open purse: there is no all-in; who cannot call must drop.",
        },
    ),
    _option(
        "BUTTON",
        _TABLE,
        "the button and empty seats",
        "TL-9",
        "holdem table",
        {
            "dead": "The button may rest on an empty seat, so nobody skips a blind.",
            "moving": "The button moves to the next player.",
        },
    ),
    _option(
        "NEWCOMER_POSTS",
        _TABLE,
        "what a newcomer owes",
        "TL-11",
        "holdem table",
        {
            "limit_only": "In limit games a newcomer waits for the big blind or posts one; in others he just plays.",
            "on": "A newcomer waits for the big blind or posts one.",
            "off": "A newcomer comes in without posting.",
        },
    ),
    _option(
        "CHOP_BLINDS",
        _TABLE,
        "two blinds left alone",
        "TL-37",
        "holdem table",
        {
            "off": "Blinds left alone play on.",
            "on": "Two blinds left alone may take their blinds back.",
        },
    ),
    _option(
        "FIRST_DEALER",
        _TABLE,
        "how the first dealer is found",
        "D-1 D-2 D-13",
        "every table",
        {
            "high_card": "The highest card takes the first button.",
            "jack": "The first jack dealt makes the first dealer.",
            "low_cut": "The lowest card cut makes the first dealer.",
        },
    ),
    _option(
        "CUT",
        _TABLE,
        "the cut",
        "D-5 D-6",
        "ceremony",
        {
            "may": "The player at the dealer's right may cut.",
            "must": "The player at the dealer's right cuts.",
        },
    ),
    _option(
        "MISDEAL",
        _TABLE,
        "what follows a misdeal",
        "I-3 TL-29",
        "every table",
        {
            "replay": "After a misdeal the same dealer deals again.",
            "next_dealer": "After a misdeal the next dealer deals and the ante is paid again.",
        },
    ),
)
"""Every option, grouped as `plain` tells them."""

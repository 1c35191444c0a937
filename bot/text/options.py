"""The words of the options: the name of each, a word or two for each value, and what the value means in one sentence.

The keys are code words: the option's name in small letters (``"suit_rank"``, ``"stud.pair_doubles"``) and its value. A test checks that
every option and every value has its words.

Source: laws 0.5, H-2.
"""

from __future__ import annotations

from msgspec import Struct

from bot.engine.options.types import Group
from bot.engine.options.wild_cards import parse_wild_cards
from bot.text.language import Message, message, plural, t
from bot.text.lists import join_list
from bot.text.wild_cards import wild_cards_in_words


class ValueWords(Struct, frozen=True):
    """The words of one value: a short name for lists, and one sentence that says what it means at the table."""

    name: Message
    meaning: Message


class OptionWords(Struct, frozen=True):
    """The words of one option and of its values: its name, and the question that each value answers. Numbers have no words of their own."""

    name: Message
    question: Message
    values: dict[str, ValueWords] = {}


def option_name(option: str) -> str:
    """The name of an option as people read it: ``Suit rank`` for ``SUIT_RANK``."""
    return t(OPTION_WORDS[option.lower()].name)


def option_question(option: str) -> str:
    """What an option asks: ``Who gets the chip that can't be divided?`` Each of its values answers it."""
    return t(OPTION_WORDS[option.lower()].question)


def option_value(option: str, value: str) -> str:
    """A word or two for a value of an option: ``hearts first``. Numbers are written as they are."""
    if option.lower() == "wild_cards":
        return join_list(wild_cards_in_words(parse_wild_cards(value))) or t(_NO_WILD_CARDS)
    words = OPTION_WORDS[option.lower()].values.get(value)
    return value if words is None else t(words.name)


def option_meaning(option: str, value: str) -> str:
    """Say in one sentence what a value of an option means at the table."""
    if option.lower() == "max_seats":
        return t(plural("At most {count} seat.", "At most {count} seats."), count=int(value))
    if option.lower() == "wild_cards":
        return t(message("Wild: {cards}."), cards=option_value(option, value))
    return t(OPTION_WORDS[option.lower()].values[value].meaning)


def option_choice(option: str, value: str) -> str:
    """A value in a list of choices: ``no ante: Nobody antes.`` A meaning that begins with the value stands alone."""
    name, meaning = option_value(option, value), option_meaning(option, value)
    if meaning.casefold().startswith(f"{name}:".casefold()):
        return meaning
    return t(message("{value}: {meaning}"), value=name, meaning=meaning)


def option_difference(option: str, value: str, default: str) -> str:
    """An option that a table has changed: ``Suit rank: hearts first (standard: all suits equal)``."""
    return t(
        message("{option}: {value} (standard: {default})"),
        option=option_name(option),
        value=option_value(option, value),
        default=option_value(option, default),
    )


def group_heading(group: Group) -> str:
    """The heading that options are listed under."""
    return t(GROUP_HEADINGS[group])


GROUP_HEADINGS = {
    Group.SEATS_AND_DECK: message("Seats and deck"),
    Group.HANDS: message("Hands"),
    Group.FORCED_BETS: message("Forced bets"),
    Group.BETTING: message("Betting"),
    Group.DRAW: message("The draw"),
    Group.SHOWDOWN: message("Showdown"),
    Group.TABLE: message("At the table"),
    Group.GAME: message("This game"),
}

_OFF, _ON = message("off"), message("on")
_NO_WILD_CARDS = message("no wild cards")

OPTION_WORDS: dict[str, OptionWords] = {
    "max_seats": OptionWords(message("Maximum seats"), message("How many players can sit down?")),
    "min_bet": OptionWords(message("Minimum bet"), message("How small can a first bet be?")),
    "notes": OptionWords(message("House notes"), message("Which rules of your own does this table play by?")),
    "deck": OptionWords(
        message("Deck"),
        message("Which cards are dealt?"),
        {
            "52": ValueWords(message("52 cards"), message("The deck has 52 cards.")),
            "53": ValueWords(message("53 with joker"), message("The deck has 53 cards: a joker is added.")),
            "54": ValueWords(message("54 with two jokers"), message("The deck has 54 cards: two jokers are added.")),
            "36": ValueWords(message("36 cards"), message("The deck has 36 cards, sixes to aces.")),
            "37": ValueWords(message("37 with joker"), message("The deck has 37 cards, sixes to aces and a joker.")),
            "38": ValueWords(
                message("38 with two jokers"), message("The deck has 38 cards, sixes to aces and two jokers.")
            ),
            "32": ValueWords(message("32 cards"), message("The deck has 32 cards, sevens to aces.")),
            "33": ValueWords(message("33 with joker"), message("The deck has 33 cards, sevens to aces and a joker.")),
            "34": ValueWords(
                message("34 with two jokers"), message("The deck has 34 cards, sevens to aces and two jokers.")
            ),
            "41": ValueWords(
                message("41 cards"), message("The deck has 41 cards: no eights, nines or tens, and one joker.")
            ),
        },
    ),
    "suit_rank": OptionWords(
        message("Suit rank"),
        message("What happens if two hands are the same but for their suits?"),
        {
            "none": ValueWords(message("all suits equal"), message("Suits never decide a pot.")),
            "hearts_first": ValueWords(
                message("hearts first"), message("Between equal hands, hearts beat the other suits.")
            ),
        },
    ),
    "ace_straight": OptionWords(
        message("Ace in straights"),
        message("Where does an ace stand in a straight?"),
        {
            "both": ValueWords(
                message("high or low"), message("In a straight the ace is high over a king or low under a two.")
            ),
            "low_only": ValueWords(
                message("low only"), message("In a straight the ace is low; the king is the highest.")
            ),
            "high_only": ValueWords(
                message("high only"), message("In a straight the ace is high over a king and nowhere else.")
            ),
        },
    ),
    "wild_method": OptionWords(
        message("Wild cards stand for"),
        message("Which card can a wild card be?"),
        {
            "none": ValueWords(message("no wild cards"), message("No card is wild.")),
            "no_duplicate": ValueWords(
                message("a card you don't hold"), message("A wild card stands for a card its holder does not hold.")
            ),
            "bug": ValueWords(
                message("the bug"), message("The wild card is an ace, or fills a straight, flush or special hand.")
            ),
            "free": ValueWords(
                message("any card"), message("A wild card stands for any card, even one its holder has.")
            ),
        },
    ),
    "wild_cards": OptionWords(message("Wild cards"), message("Which cards are wild?")),
    "joker_method": OptionWords(
        message("The joker stands for"),
        message("Which card can a joker be?"),
        {
            "as_wild": ValueWords(
                message("as other wild cards"), message("A joker is wild as the other wild cards are.")
            ),
            "no_duplicate": ValueWords(
                message("a card you don't hold"), message("A joker stands for a card its holder does not hold.")
            ),
            "bug": ValueWords(
                message("the bug"),
                message("A joker is the bug: an ace, or it fills a straight, flush or special hand."),
            ),
            "free": ValueWords(message("any card"), message("A joker stands for any card, even one its holder has.")),
        },
    ),
    "wild_call": OptionWords(
        message("Naming wild cards"),
        message("Who says what a wild card stands for?"),
        {
            "auto_best": ValueWords(
                message("best hand"), message("Every wild card counts as the best card it can be.")
            ),
            "declare": ValueWords(
                message("by the holder"),
                message("The holder names each wild card at the showdown; otherwise it counts as the card it is."),
            ),
        },
    ),
    "special": OptionWords(
        message("Special hands"),
        message("Do cats and dogs count?"),
        {
            "off": ValueWords(message("common hands"), message("Only the common hands count.")),
            "cats_dogs": ValueWords(
                message("cats and dogs"), message("Big and little cats and dogs rank between a straight and a flush.")
            ),
        },
    ),
    "low_scale": OptionWords(
        message("Low hands"),
        message("Which hand is the best low?"),
        {
            "ace_low": ValueWords(
                message("ace low"), message("Low: the ace is low, straights and flushes count; 6-4-3-2-A is best.")
            ),
            "ace_high": ValueWords(
                message("ace high"), message("Low: the ace is high, straights and flushes count; 7-5-4-3-2 is best.")
            ),
            "a5": ValueWords(
                message("ace to five"),
                message("Low: ace to five, straights and flushes do not count; 5-4-3-2-A is best."),
            ),
            "27": ValueWords(
                message("deuce to seven"),
                message("Low: deuce to seven, the ace is high, straights and flushes count; 7-5-4-3-2 is best."),
            ),
            "badugi": ValueWords(
                message("badugi"), message("Low: the most cards without a repeated rank or suit, then the lowest.")
            ),
        },
    ),
    "ace_hilo": OptionWords(
        message("Aces in high-low"),
        message("Is an ace high, low, or both where high and low share the pot?"),
        {
            "both_ways": ValueWords(
                message("both ways"), message("An ace is high for the high half and low for the low half.")
            ),
            "declare_one": ValueWords(
                message("declared"), message("A player with an ace declares it high or low, for both halves.")
            ),
        },
    ),
    "ante": OptionWords(
        message("Blinds or antes"),
        message("Who has to put chips in before the cards?"),
        {
            "blinds": ValueWords(message("blinds"), message("Two blinds are posted left of the button.")),
            "everyone": ValueWords(message("everyone antes"), message("Everyone antes.")),
            "left_of_dealer": ValueWords(
                message("one ante"), message("The player left of the dealer antes for everyone.")
            ),
            "none": ValueWords(message("no ante"), message("Nobody antes.")),
        },
    ),
    "blinds_ante": OptionWords(
        message("Who pays the ante"),
        message("Who pays if there is an ante beside the blinds?"),
        {
            "everyone": ValueWords(message("everyone"), message("If there is an ante, everyone pays it.")),
            "big_blind": ValueWords(
                message("big blind"),
                message("If there is an ante, the big blind pays it for everyone, after the blind."),
            ),
            "left_of_dealer": ValueWords(
                message("left of the button"),
                message("If there is an ante, the player left of the button pays it for everyone."),
            ),
        },
    ),
    "house_blinds": OptionWords(
        message("Uneven blinds"),
        message("Does the big blind have to be double the small blind?"),
        {
            "off": ValueWords(_OFF, message("The big blind is double the small blind.")),
            "on": ValueWords(_ON, message("House rule: the big blind doesn't have to be double the small blind.")),
        },
    ),
    "straddle": OptionWords(
        message("Straddle"),
        message("Can somebody raise the stakes before the cards are dealt?"),
        {
            "off": ValueWords(message("no straddle"), message("There is no straddle.")),
            "live": ValueWords(
                message("live"),
                message("One player can straddle for twice the big blind before the deal, and then acts last."),
            ),
            "chain": ValueWords(
                message("chain"),
                message("From the left of the ante, each in turn can straddle by one ante more, up to half the limit."),
            ),
            "forced_double": ValueWords(message("forced"), message("The second player must straddle the ante.")),
        },
    ),
    "straddle_seat": OptionWords(
        message("Who can straddle"),
        message("Who is asked whether they straddle?"),
        {
            "under_the_gun": ValueWords(
                message("under the gun"), message("The straddle is offered to the player left of the big blind.")
            ),
            "button": ValueWords(message("button"), message("The straddle is offered to the button.")),
            "both": ValueWords(
                message("both"),
                message("The straddle is offered to the button, then to the player left of the big blind."),
            ),
        },
    ),
    "straddle_cap": OptionWords(
        message("Straddle cap"),
        message("How high can straddles go?"),
        {
            "level": ValueWords(message("each straddle"), message("Each straddle stays within half the limit.")),
            "running_total": ValueWords(
                message("all together"), message("All straddle money together stays within half the limit.")
            ),
        },
    ),
    "straddle_laps": OptionWords(
        message("Straddle rounds"),
        message("What happens once everyone could straddle?"),
        {
            "once": ValueWords(message("once"), message("The dealer is the last who can straddle.")),
            "again": ValueWords(message("again"), message("Straddling can go on for another round.")),
        },
    ),
    "come_in": OptionWords(
        message("Price to come in"),
        message("What does it cost to stay in after a straddle?"),
        {
            "straddle": ValueWords(message("the straddle"), message("Coming in costs the straddle.")),
            "four_antes": ValueWords(message("four antes"), message("Coming in costs four antes.")),
        },
    ),
    "limit": OptionWords(
        message("Limit"),
        message("How much can you bet or raise?"),
        {
            "no_limit": ValueWords(message("no limit"), message("No limit: you can bet or raise everything you have.")),
            "pot_limit": ValueWords(
                message("pot limit"), message("Pot limit: a bet or raise can be as large as the pot.")
            ),
            "limit": ValueWords(message("limit"), message("Limit: every bet and raise has the size of its street.")),
            "stake_limit": ValueWords(message("stake limit"), message("No bet or raise adds more than the limit.")),
            "doubling_flat": ValueWords(
                message("doubling"), message("Raises double a few times and then stay the same.")
            ),
        },
    ),
    "min_raise": OptionWords(
        message("Minimum raise"),
        message("How small can a raise be?"),
        {
            "last_raise": ValueWords(
                message("last raise"), message("A raise adds at least the last full bet or raise.")
            ),
            "by_limit": ValueWords(message("street size"), message("A raise adds exactly the size of its street.")),
            "by_ladder": ValueWords(
                message("next step"), message("A raise adds exactly the next step of the doubling ladder.")
            ),
            "match_call": ValueWords(
                message("the call"),
                message("A raise adds at least what the player had to call, unless only two are in."),
            ),
            "one_chip": ValueWords(message("one chip"), message("A raise adds one chip or more.")),
        },
    ),
    "raise_cap": OptionWords(
        message("Raise cap"),
        message("How many raises are there on one street?"),
        {
            "3": ValueWords(
                message("three raises"),
                message("A bet and at most three raises; no cap where a round begins with two who can still bet."),
            ),
            "3_4": ValueWords(
                message("three or four raises"),
                message("At most three raises, four in games with two rounds; no cap where a round begins with two."),
            ),
            "4": ValueWords(
                message("four raises"),
                message("A bet and at most four raises; no cap where a round begins with two who can still bet."),
            ),
            "none": ValueWords(message("no cap"), message("There is no cap on raises.")),
        },
    ),
    "stake_ladder": OptionWords(
        message("Doubling ladder"),
        message("What does the doubling ladder count?"),
        {
            "sizes": ValueWords(message("raises"), message("The ladder says what each raise adds.")),
            "levels": ValueWords(message("totals"), message("The ladder says the totals that raises reach.")),
        },
    ),
    "open_min": OptionWords(
        message("Opening over straddles"),
        message("How large must an opening over straddles be?"),
        {
            "as_cap": ValueWords(
                message("as the straddle cap"),
                message("The opening bet is at least double what the straddle cap counts."),
            ),
            "level": ValueWords(
                message("twice the last"), message("The opening bet is at least double the last straddle.")
            ),
            "running_total": ValueWords(
                message("twice all"), message("The opening bet is at least double the ante and all straddles together.")
            ),
        },
    ),
    "open_max": OptionWords(
        message("Maximum opening"),
        message("How much can the first bet be?"),
        {
            "ante_plus_limit": ValueWords(
                message("ante and limit"), message("You can open for at most the ante and the limit.")
            ),
            "double_plus_limit": ValueWords(
                message("two antes and limit"), message("You can open for at most double the ante and the limit.")
            ),
        },
    ),
    "predraw": OptionWords(
        message("Betting before the draw"),
        message("When does the betting before the draw end?"),
        {
            "until_equal": ValueWords(
                message("until all have called"), message("Betting before the draw goes on until all bets are called.")
            ),
            "one_round": ValueWords(message("one action each"), message("Before the draw each player acts once.")),
        },
    ),
    "check": OptionWords(
        message("Checking"),
        message("What happens if you don't want to bet and nobody has?"),
        {
            "allowed": ValueWords(message("allowed"), message("You can check while nobody has bet.")),
            "stand_once": ValueWords(
                message("stand once"), message("You can stand once after the draw; then you must bet or fold.")
            ),
            "forbidden": ValueWords(message("forbidden"), message("You cannot check: bet or fold.")),
        },
    ),
    "first_1": OptionWords(
        message("First to act"),
        message("Who acts first on the first street?"),
        {
            "left_of_last_forced": ValueWords(
                message("left of the blinds"), message("The player left of the last blind or straddle acts first.")
            ),
            "left_of_dealer": ValueWords(
                message("left of the dealer"), message("The player left of the dealer acts first.")
            ),
            "low_card": ValueWords(message("lowest card"), message("The lowest card showing must open.")),
            "high_card": ValueWords(message("highest card"), message("The highest card showing must open.")),
        },
    ),
    "first_n": OptionWords(
        message("First to act later"),
        message("Who acts first on later streets?"),
        {
            "left_of_dealer": ValueWords(
                message("left of the dealer"), message("Later the first player left of the dealer acts first.")
            ),
            "opener": ValueWords(message("the opener"), message("Later the opener acts first.")),
            "after_ante": ValueWords(
                message("left of the ante"), message("Later the player left of the ante acts first, the ante last.")
            ),
            "high_showing": ValueWords(message("highest hand"), message("Later the highest hand showing acts first.")),
            "low_showing": ValueWords(message("lowest hand"), message("Later the lowest hand showing acts first.")),
        },
    ),
    "stud_tie": OptionWords(
        message("Equal cards showing"),
        message("Who acts first if the cards showing are equal?"),
        {
            "near_dealer_left": ValueWords(
                message("by seat"),
                message("When hands showing are equal, the one nearest the dealer's left acts first."),
            ),
            "suit": ValueWords(
                message("by suit"), message("When hands showing are equal, the suit decides who acts first.")
            ),
        },
    ),
    "small_counts_as_big": OptionWords(
        message("Small blind in pot limit"),
        message("Does the small blind count as a big blind for the size of the pot?"),
        {
            "off": ValueWords(_OFF, message("Pot limit counts the small blind as it is.")),
            "on": ValueWords(_ON, message("House rule: pot limit counts the small blind as a big blind.")),
        },
    ),
    "out_of_turn": OptionWords(
        message("Acting out of turn"),
        message("What happens if somebody acts before their turn?"),
        {
            "refuse": ValueWords(
                message("refused"),
                message(
                    "An action out of turn changes nothing; you can decide ahead in private to check/fold, call or fold."
                ),
            ),
            "hold": ValueWords(
                message("held"), message("Chips put in out of turn stay in and count at that player's turn.")
            ),
            "tda53": ValueWords(
                message("binding if unchanged"),
                message("An action out of turn counts if nothing changes before that player's turn."),
            ),
        },
    ),
    "announce": OptionWords(
        message("Announced bets"),
        message("Does an announced bet count?"),
        {
            "binding": ValueWords(message("binding"), message("An announced bet is a bet.")),
            "void_without_chips": ValueWords(
                message("not without chips"), message("An announced bet without its chips does not count.")
            ),
        },
    ),
    "draw_max": OptionWords(
        message("Cards to draw"),
        message("How many cards can you draw?"),
        {
            "5": ValueWords(message("up to five"), message("You can draw up to five cards.")),
            "3": ValueWords(message("up to three"), message("You can draw up to three cards.")),
            "4_with_ace": ValueWords(
                message("four with an ace"),
                message("You can draw up to three cards, or four if you keep an ace."),
            ),
        },
    ),
    "draw_timing": OptionWords(
        message("When cards are drawn"),
        message("When are cards drawn?"),
        {
            "after_interval": ValueWords(message("after betting"), message("The draw follows the betting.")),
            "with_equalising": ValueWords(
                message("with the call"), message("Each player calls what is missing when their turn to draw comes.")
            ),
        },
    ),
    "show": OptionWords(
        message("Showing hands"),
        message("Who has to show at the end?"),
        {
            "in_order": ValueWords(
                message("in order"), message("Hands are shown in order; a beaten hand can be mucked.")
            ),
            "all": ValueWords(message("all"), message("All hands are shown.")),
        },
    ),
    "odd_chip": OptionWords(
        message("Odd chip"),
        message("Who gets the chip that can't be divided?"),
        {
            "left_of_dealer": ValueWords(
                message("left of the button"), message("The odd chip goes to the first winner left of the button.")
            ),
            "high_suit": ValueWords(
                message("highest suit"),
                message("The odd chip goes to the player whose hand has the highest card by suit."),
            ),
            "last_aggressor": ValueWords(
                message("last bet"), message("The odd chip goes to the winner who last bet or raised.")
            ),
            "lot": ValueWords(message("at random"), message("The odd chip goes to one of the winners at random.")),
        },
    ),
    "passed_out": OptionWords(
        message("If nobody opens"),
        message("What happens if nobody bets?"),
        {
            "blinds_play": ValueWords(
                message("play goes on"),
                message("Play goes on; where a bet is forced and all others fold, it takes the pot."),
            ),
            "next_dealer_reante": ValueWords(
                message("next dealer"),
                message(
                    "If all check and nobody is all-in, the next dealer deals, everyone antes again and the pot stays."
                ),
            ),
            "same_dealer_reante": ValueWords(
                message("same dealer"),
                message(
                    "If all check and nobody is all-in, the same dealer deals again, everyone antes again and the pot stays."
                ),
            ),
        },
    ),
    "run_twice": OptionWords(
        message("Run it twice"),
        message("What happens if everyone left is all-in?"),
        {
            "on": ValueWords(_ON, message("Players who are all-in can agree to deal the rest of the board twice.")),
            "off": ValueWords(_OFF, message("The rest of the board is dealt once.")),
        },
    ),
    "rabbit": OptionWords(
        message("Rabbit hunting"),
        message("Can you see the cards that would have come?"),
        {
            "off": ValueWords(_OFF, message("The undealt cards stay hidden.")),
            "on": ValueWords(
                _ON, message("When everyone else folds, the common cards that would have come are shown.")
            ),
        },
    ),
    "stakes": OptionWords(
        message("Stakes"),
        message("What happens if you can't pay the whole bet?"),
        {
            "table": ValueWords(
                message("table stakes"), message("Table stakes: only chips that are on the table at the deal play.")
            ),
            "open_purse": ValueWords(
                message("open purse"), message("Open purse: there is no all-in; a player who cannot call must fold.")
            ),
        },
    ),
    "button": OptionWords(
        message("Dead or moving button"),
        message("What happens if the next dealer's seat is empty?"),
        {
            "dead": ValueWords(
                message("dead"), message("The button can rest on an empty seat, so nobody skips a blind.")
            ),
            "moving": ValueWords(message("moving"), message("The button moves to the next player.")),
        },
    ),
    "newcomer_posts": OptionWords(
        message("New players post"),
        message("What does a new player pay to join?"),
        {
            "limit_only": ValueWords(
                message("in limit games"),
                message(
                    "In limit games a new player waits for the big blind or posts one; in others they are dealt in."
                ),
            ),
            "on": ValueWords(_ON, message("A new player waits for the big blind or posts one.")),
            "off": ValueWords(_OFF, message("A new player comes in without posting.")),
        },
    ),
    "chop_blinds": OptionWords(
        message("Chopping blinds"),
        message("What happens if everyone folds to the blinds?"),
        {
            "off": ValueWords(_OFF, message("If everyone folds to the blinds, they play on.")),
            "on": ValueWords(_ON, message("If everyone folds to the blinds, they can take their chips back.")),
        },
    ),
    "first_dealer": OptionWords(
        message("First dealer"),
        message("Who deals the first hand?"),
        {
            "high_card": ValueWords(
                message("highest card"), message("The player who draws the highest card deals first.")
            ),
            "jack": ValueWords(message("first jack"), message("The player who is dealt the first jack deals first.")),
            "low_cut": ValueWords(message("lowest cut"), message("The player who cuts the lowest card deals first.")),
        },
    ),
    "cut": OptionWords(
        message("Cutting the deck"),
        message("Does somebody cut the deck?"),
        {
            "may": ValueWords(message("optional"), message("The player on the dealer's right can cut.")),
            "must": ValueWords(message("required"), message("The player on the dealer's right cuts.")),
        },
    ),
    "misdeal": OptionWords(
        message("Misdeal"),
        message("Who deals again after a misdeal?"),
        {
            "replay": ValueWords(message("same dealer"), message("After a misdeal the same dealer deals again.")),
            "next_dealer": ValueWords(
                message("next dealer"), message("After a misdeal the next dealer deals and everyone antes again.")
            ),
        },
    ),
    "misses": OptionWords(
        message("Missed turns"),
        message("How many turns in a row can a player miss before they sit out?"),
        {
            "1": ValueWords(message("one"), message("A player who misses a turn sits out from the next hand.")),
            "2": ValueWords(
                message("two"), message("A player who misses two turns in a row sits out from the next hand.")
            ),
            "3": ValueWords(
                message("three"), message("A player who misses three turns in a row sits out from the next hand.")
            ),
            "4": ValueWords(
                message("four"), message("A player who misses four turns in a row sits out from the next hand.")
            ),
            "5": ValueWords(
                message("five"), message("A player who misses five turns in a row sits out from the next hand.")
            ),
        },
    ),
    "stud_low.burns": OptionWords(
        message("Burn cards"),
        message("Is a card set aside before each street?"),
        {
            "off": ValueWords(_OFF, message("No card is burned.")),
            "on": ValueWords(_ON, message("A card is burned before each street after the first.")),
        },
    ),
    "stripped.flush_first": OptionWords(
        message("Flush over full house"),
        message("Which is higher, a flush or a full house?"),
        {
            "off": ValueWords(_OFF, message("A full house beats a flush.")),
            "on": ValueWords(_ON, message("A flush beats a full house.")),
        },
    ),
    "stripped.low_ace": OptionWords(
        message("Low ace"),
        message("Can the ace stand below the lowest card in a straight?"),
        {
            "off": ValueWords(_OFF, message("The lowest straight has no ace.")),
            "on": ValueWords(_ON, message("The ace and the four lowest cards are the lowest straight.")),
        },
    ),
    "stud.pair_doubles": OptionWords(
        message("Open pair"),
        message("What happens if somebody shows a pair on fourth street?"),
        {
            "off": ValueWords(_OFF, message("An open pair on fourth street changes nothing.")),
            "on": ValueWords(
                _ON, message("An open pair on fourth street lets its player, and those after, bet small or big.")
            ),
        },
    ),
    "california_lowball.no_check_raise": OptionWords(
        message("No check-raise"),
        message("Can you raise after checking?"),
        {
            "off": ValueWords(_OFF, message("A player who has checked can raise.")),
            "on": ValueWords(_ON, message("A player who has checked can only call or fold.")),
        },
    ),
    "short_deck.trips_first": OptionWords(
        message("Trips over straight"),
        message("Which is higher, three of a kind or a straight?"),
        {
            "off": ValueWords(_OFF, message("A straight beats three of a kind.")),
            "on": ValueWords(_ON, message("Three of a kind beats a straight.")),
        },
    ),
    "jackpots.back_down": OptionWords(
        message("If aces don't open"),
        message("What happens if nobody opens with aces?"),
        {
            "off": ValueWords(
                message("stay at aces"), message("After queens, kings and aces the openers stay at aces.")
            ),
            "on": ValueWords(
                message("go down again"), message("After aces the openers go down again: kings, queens, jacks.")
            ),
        },
    ),
    "spit.wild": OptionWords(
        message("Wild card"),
        message("What does the turned card make wild?"),
        {
            "rank": ValueWords(message("its rank"), message("The rank of the turned card is wild.")),
            "card": ValueWords(message("that card"), message("The turned card alone is wild.")),
            "none": ValueWords(message("nothing"), message("Nothing is wild.")),
        },
    ),
    "spit.draw": OptionWords(
        message("Cards to draw"),
        message("How many cards can you draw?"),
        {
            "3": ValueWords(message("up to three"), message("You can draw up to three cards.")),
            "2": ValueWords(message("up to two"), message("You can draw up to two cards.")),
            "4": ValueWords(message("up to four"), message("You can draw up to four cards.")),
        },
    ),
    "follow_the_queen.kings_clear": OptionWords(
        message("Kings clear"),
        message("What happens if a king is dealt up?"),
        {
            "off": ValueWords(_OFF, message("A king dealt up changes nothing.")),
            "on": ValueWords(_ON, message("A king dealt up leaves only queens wild.")),
        },
    ),
    "follow_the_queen.redeal": OptionWords(
        message("Redeal"),
        message("What happens if no queen comes up?"),
        {
            "off": ValueWords(_OFF, message("If no queen comes up, the hands are shown as they are.")),
            "on": ValueWords(_ON, message("If no queen comes up, the hand doesn't count and is dealt again.")),
        },
    ),
    "baseball.match_pot": OptionWords(
        message("Match the pot"),
        message("What does a three dealt up cost?"),
        {
            "off": ValueWords(_OFF, message("A three dealt up costs the set price.")),
            "on": ValueWords(_ON, message("A three dealt up costs as much as the pot holds.")),
        },
    ),
    "baseball.extra_down": OptionWords(
        message("Extra card face down"),
        message("How does the extra card of a four come?"),
        {
            "off": ValueWords(_OFF, message("The extra card of a four comes face up.")),
            "on": ValueWords(_ON, message("The extra card of a four comes face down.")),
        },
    ),
    "anaconda.three_passes": OptionWords(
        message("Three passes"),
        message("How often are cards passed?"),
        {
            "off": ValueWords(_OFF, message("Three cards are passed to the left, once.")),
            "on": ValueWords(
                _ON,
                message("Three cards are passed one seat left, then two cards two seats, then one card three seats."),
            ),
        },
    ),
    "anaconda.high_low": OptionWords(
        message("High-low"),
        message("Who shares the pot?"),
        {
            "off": ValueWords(_OFF, message("The best high hand takes the pot.")),
            "on": ValueWords(_ON, message("High and low share the pot, declared in secret before the showdown.")),
        },
    ),
    "guts.cards": OptionWords(
        message("Cards each"),
        message("How many cards does everyone get?"),
        {
            "3": ValueWords(message("three"), message("Three cards each.")),
            "2": ValueWords(message("two"), message("Two cards each; only pairs and high cards count.")),
            "5": ValueWords(message("five"), message("Five cards each.")),
        },
    ),
    "guts.three_card_order": OptionWords(
        message("Three-card order"),
        message("How do three cards rank?"),
        {
            "on": ValueWords(_ON, message("Straight flush, three of a kind, straight, flush, pair, high card.")),
            "off": ValueWords(_OFF, message("Three of a kind, pair, high card; straights and flushes do not count.")),
        },
    ),
}
"""The words of every option, by its name in small letters."""

"""The words of the options: the name of each, a word or two for each value, and what the value means in one sentence.

The code words are the option's name in small letters (``suit_rank``, ``stud.pair_doubles``) and, indented below it, its values. A test
checks that every option and every value has its words.

Source: laws 0.5, H-2.
"""

from __future__ import annotations

from msgspec import Struct

from bot.engine.options.types import Group
from bot.engine.options.wild_cards import parse_wild_cards
from bot.text.formatting import join_list
from bot.text.language import Message, message, plural, t
from bot.text.wild_cards import wild_cards_in_words
from bot.text.word_table import WordRow, word_table


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

_NO_WILD_CARDS = message("no wild cards")


def _words(row: WordRow) -> OptionWords:
    name, question = row.messages
    return OptionWords(name, question, {value.code: ValueWords(*value.messages) for value in row.rows})


_TABLE = word_table(
    """
    max_seats | Maximum seats | How many players can sit down?
    min_bet | Minimum bet | How small can a first bet be?
    notes | House notes | Which rules of your own does this table play by?
    deck | Deck | Which cards are dealt?
        52 | 52 cards | The deck has 52 cards.
        53 | 53 with joker | The deck has 53 cards: a joker is added.
        54 | 54 with two jokers | The deck has 54 cards: two jokers are added.
        36 | 36 cards | The deck has 36 cards, sixes to aces.
        37 | 37 with joker | The deck has 37 cards, sixes to aces and a joker.
        38 | 38 with two jokers | The deck has 38 cards, sixes to aces and two jokers.
        32 | 32 cards | The deck has 32 cards, sevens to aces.
        33 | 33 with joker | The deck has 33 cards, sevens to aces and a joker.
        34 | 34 with two jokers | The deck has 34 cards, sevens to aces and two jokers.
        41 | 41 cards | The deck has 41 cards: no eights, nines or tens, and one joker.
    suit_rank | Suit rank | What happens if two hands are the same but for their suits?
        none | all suits equal | Suits never decide a pot.
        hearts_first | hearts first | Between equal hands, hearts beat the other suits.
    ace_straight | Ace in straights | Where does an ace stand in a straight?
        both | high or low | In a straight the ace is high over a king or low under a deuce.
        low_only | low only | In a straight the ace is low; the king is the highest.
        high_only | high only | In a straight the ace is high over a king and nowhere else.
    wild_method | Wild cards stand for | Which card can a wild card be?
        none | no wild cards | No card is wild.
        no_duplicate | a card you don't hold | A wild card stands for a card its holder does not hold.
        bug | the bug | The wild card is an ace, or fills a straight, flush or special hand.
        free | any card | A wild card stands for any card, even one its holder has.
    wild_cards | Wild cards | Which cards are wild?
    joker_method | The joker stands for | Which card can a joker be?
        as_wild | as other wild cards | A joker is wild as the other wild cards are.
        no_duplicate | a card you don't hold | A joker stands for a card its holder does not hold.
        bug | the bug | A joker is the bug: an ace, or it fills a straight, flush or special hand.
        free | any card | A joker stands for any card, even one its holder has.
    wild_call | Naming wild cards | Who says what a wild card stands for?
        auto_best | best hand | Every wild card counts as the best card it can be.
        declare | by the holder | The holder names each wild card at the showdown; otherwise it counts as the card it is.
    special | Special hands | Do cats and dogs count?
        off | common hands | Only the common hands count.
        cats_dogs | cats and dogs | Big and little cats and dogs rank between a straight and a flush.
    low_scale | Low hands | Which hand is the best low?
        ace_low | ace low | Low: the ace is low, straights and flushes count; 6-4-3-2-A is best.
        ace_high | ace high | Low: the ace is high, straights and flushes count; 7-5-4-3-2 is best.
        a5 | ace to five | Low: ace to five, straights and flushes do not count; 5-4-3-2-A is best.
        27 | deuce to seven | Low: deuce to seven, the ace is high, straights and flushes count; 7-5-4-3-2 is best.
        badugi | badugi | Low: the most cards without a repeated rank or suit, then the lowest.
    ace_hilo | Aces in high-low | Is an ace high, low, or both where high and low share the pot?
        both_ways | both ways | An ace is high for the high half and low for the low half.
        declare_one | declared | A player with an ace declares it high or low, for both halves.
    ante | Blinds or antes | Who has to put chips in before the cards?
        blinds | blinds | Two blinds are posted left of the button.
        everyone | everyone antes | Everyone antes.
        left_of_dealer | one ante | The player left of the dealer antes for everyone.
        none | no ante | Nobody antes.
    blinds_ante | Who pays the ante | Who pays if there is an ante beside the blinds?
        everyone | everyone | If there is an ante, everyone pays it.
        big_blind | big blind | If there is an ante, the big blind pays it for everyone, after the blind.
        left_of_dealer | left of the button | If there is an ante, the player left of the button pays it for everyone.
    house_blinds | Uneven blinds | Does the big blind have to be double the small blind?
        off | off | The big blind is double the small blind.
        on | on | House rule: the big blind doesn't have to be double the small blind.
    straddle | Straddle | Can somebody raise the stakes before the cards are dealt?
        off | no straddle | There is no straddle.
        live | live | One player can straddle for twice the big blind before the deal, and then acts last.
        chain | chain | From the left of the ante, each in turn can straddle by one ante more, up to half the limit.
        forced_double | forced | The second player must straddle the ante.
    straddle_seat | Who can straddle | Who is asked whether they straddle?
        under_the_gun | under the gun | The straddle is offered to the player left of the big blind.
        button | button | The straddle is offered to the button.
        both | both | The straddle is offered to the button, then to the player left of the big blind.
    straddle_cap | Straddle cap | How high can straddles go?
        level | each straddle | Each straddle stays within half the limit.
        running_total | all together | All straddle money together stays within half the limit.
    straddle_laps | Straddle rounds | What happens once everyone could straddle?
        once | once | The dealer is the last who can straddle.
        again | again | Straddling can go on for another round.
    come_in | Price to come in | What does it cost to stay in after a straddle?
        straddle | the straddle | Coming in costs the straddle.
        four_antes | four antes | Coming in costs four antes.
    limit | Limit | How much can you bet or raise?
        no_limit | no limit | No limit: you can bet or raise everything you have.
        pot_limit | pot limit | Pot limit: a bet or raise can be as large as the pot.
        limit | limit | Limit: every bet and raise has the size of its street.
        stake_limit | stake limit | No bet or raise adds more than the limit.
        doubling_flat | doubling | Raises double a few times and then stay the same.
    min_raise | Minimum raise | How small can a raise be?
        last_raise | last raise | A raise adds at least the last full bet or raise.
        by_limit | street size | A raise adds exactly the size of its street.
        by_ladder | next step | A raise adds exactly the next step of the doubling ladder.
        match_call | the call | A raise adds at least what the player had to call, unless only two are in.
        one_chip | one chip | A raise adds one chip or more.
    raise_cap | Raise cap | How many raises are there on one street?
        3 | three raises | A bet and at most three raises; no cap where a round begins with two who can still bet.
        3_4 | three or four raises | At most three raises, four in games with two rounds; no cap where a round begins with two.
        4 | four raises | A bet and at most four raises; no cap where a round begins with two who can still bet.
        none | no cap | There is no cap on raises.
    stake_ladder | Doubling ladder | What does the doubling ladder count?
        sizes | raises | The ladder says what each raise adds.
        levels | totals | The ladder says the totals that raises reach.
    open_min | Opening over straddles | How large must an opening over straddles be?
        as_cap | as the straddle cap | The opening bet is at least double what the straddle cap counts.
        level | twice the last | The opening bet is at least double the last straddle.
        running_total | twice all | The opening bet is at least double the ante and all straddles together.
    open_max | Maximum opening | How much can the first bet be?
        ante_plus_limit | ante and limit | You can open for at most the ante and the limit.
        double_plus_limit | two antes and limit | You can open for at most double the ante and the limit.
    predraw | Betting before the draw | When does the betting before the draw end?
        until_equal | until all have called | Betting before the draw goes on until all bets are called.
        one_round | one action each | Before the draw each player acts once.
    check | Checking | What happens if you don't want to bet and nobody has?
        allowed | allowed | You can check while nobody has bet.
        stand_once | stand once | You can stand once after the draw; then you must bet or fold.
        forbidden | forbidden | You cannot check: bet or fold.
    first_1 | First to act | Who acts first on the first street?
        left_of_last_forced | left of the blinds | The player left of the last blind or straddle acts first.
        left_of_dealer | left of the dealer | The player left of the dealer acts first.
        low_card | lowest card | The lowest card showing must open.
        high_card | highest card | The highest card showing must open.
    first_n | First to act later | Who acts first on later streets?
        left_of_dealer | left of the dealer | Later the first player left of the dealer acts first.
        opener | the opener | Later the opener acts first.
        after_ante | left of the ante | Later the player left of the ante acts first, the ante last.
        high_showing | highest hand | Later the highest hand showing acts first.
        low_showing | lowest hand | Later the lowest hand showing acts first.
    stud_tie | Equal cards showing | Who acts first if the cards showing are equal?
        near_dealer_left | by seat | When hands showing are equal, the one nearest the dealer's left acts first.
        suit | by suit | When hands showing are equal, the suit decides who acts first.
    small_counts_as_big | Small blind in pot limit | Does the small blind count as a big blind for the size of the pot?
        off | off | Pot limit counts the small blind as it is.
        on | on | House rule: pot limit counts the small blind as a big blind.
    out_of_turn | Acting out of turn | What happens if somebody acts before their turn?
        refuse | refused | An action out of turn changes nothing; you can decide ahead in private to check/fold, call or fold.
        hold | held | Chips put in out of turn stay in and count at that player's turn.
        tda53 | binding if unchanged | An action out of turn counts if nothing changes before that player's turn.
    announce | Announced bets | Does an announced bet count?
        binding | binding | An announced bet is a bet.
        void_without_chips | not without chips | An announced bet without its chips does not count.
    draw_max | Cards to draw | How many cards can you draw?
        5 | up to five | You can draw up to five cards.
        3 | up to three | You can draw up to three cards.
        4_with_ace | four with an ace | You can draw up to three cards, or four if you keep an ace.
    draw_timing | When cards are drawn | When are cards drawn?
        after_interval | after betting | The draw follows the betting.
        with_equalising | with the call | Each player calls what is missing when their turn to draw comes.
    show | Showing hands | Who has to show at the end?
        in_order | in order | Hands are shown in order; a beaten hand can be mucked.
        all | all | All hands are shown.
    odd_chip | Odd chip | Who gets the chip that can't be divided?
        left_of_dealer | left of the button | The odd chip goes to the first winner left of the button.
        high_suit | highest suit | The odd chip goes to the player whose hand has the highest card by suit.
        last_aggressor | last bet | The odd chip goes to the winner who last bet or raised.
        lot | at random | The odd chip goes to one of the winners at random.
    passed_out | If nobody opens | What happens if nobody bets?
        blinds_play | play goes on | Play goes on; where a bet is forced and all others fold, it takes the pot.
        next_dealer_reante | next dealer | If all check and nobody is all-in, the next dealer deals, everyone antes again and the pot stays.
        same_dealer_reante | same dealer | If all check and nobody is all-in, the same dealer deals again, everyone antes again and the \
            pot stays.
    run_twice | Run it twice | What happens if everyone left is all-in?
        on | on | Players who are all-in can agree to deal the rest of the board twice.
        off | off | The rest of the board is dealt once.
    rabbit | Rabbit hunting | Can you see the cards that would have come?
        off | off | The undealt cards stay hidden.
        on | on | When everyone else folds, the common cards that would have come are shown.
    stakes | Stakes | What happens if you can't pay the whole bet?
        table | table stakes | Table stakes: only chips that are on the table at the deal play.
        open_purse | open purse | Open purse: there is no all-in; a player who cannot call must fold.
    button | Dead or moving button | What happens if the next dealer's seat is empty?
        dead | dead | The button can rest on an empty seat, so nobody skips a blind.
        moving | moving | The button moves to the next player.
    newcomer_posts | New players post | What does a new player pay to join?
        limit_only | in limit games | In limit games a new player waits for the big blind or posts one; in others they are dealt in.
        on | on | A new player waits for the big blind or posts one.
        off | off | A new player comes in without posting.
    chop_blinds | Chopping blinds | What happens if everyone folds to the blinds?
        off | off | If everyone folds to the blinds, they play on.
        on | on | If everyone folds to the blinds, they can take their chips back.
    first_dealer | First dealer | Who deals the first hand?
        high_card | highest card | The player who draws the highest card deals first.
        jack | first jack | The player who is dealt the first jack deals first.
        low_cut | lowest cut | The player who cuts the lowest card deals first.
    cut | Cutting the deck | Does somebody cut the deck?
        may | optional | The player on the dealer's right can cut.
        must | required | The player on the dealer's right cuts.
    misdeal | Misdeal | Who deals again after a misdeal?
        replay | same dealer | After a misdeal the same dealer deals again.
        next_dealer | next dealer | After a misdeal the next dealer deals and everyone antes again.
    misses | Missed turns | How many turns in a row can a player miss before they sit out?
        1 | one | A player who misses a turn sits out from the next hand.
        2 | two | A player who misses two turns in a row sits out from the next hand.
        3 | three | A player who misses three turns in a row sits out from the next hand.
        4 | four | A player who misses four turns in a row sits out from the next hand.
        5 | five | A player who misses five turns in a row sits out from the next hand.
    stud_low.burns | Burn cards | Is a card set aside before each street?
        off | off | No card is burned.
        on | on | A card is burned before each street after the first.
    stripped.flush_first | Flush over full house | Which is higher, a flush or a full house?
        off | off | A full house beats a flush.
        on | on | A flush beats a full house.
    stripped.low_ace | Low ace | Can the ace stand below the lowest card in a straight?
        off | off | The lowest straight has no ace.
        on | on | The ace and the four lowest cards are the lowest straight.
    stud.pair_doubles | Open pair | What happens if somebody shows a pair on fourth street?
        off | off | An open pair on fourth street changes nothing.
        on | on | An open pair on fourth street lets its player, and those after, bet small or big.
    california_lowball.no_check_raise | No check-raise | Can you raise after checking?
        off | off | A player who has checked can raise.
        on | on | A player who has checked can only call or fold.
    short_deck.trips_first | Trips over straight | Which is higher, three of a kind or a straight?
        off | off | A straight beats three of a kind.
        on | on | Three of a kind beats a straight.
    jackpots.back_down | If aces don't open | What happens if nobody opens with aces?
        off | stay at aces | After queens, kings and aces the openers stay at aces.
        on | go down again | After aces the openers go down again: kings, queens, jacks.
    spit.wild | Wild card | What does the turned card make wild?
        rank | its rank | The rank of the turned card is wild.
        card | that card | The turned card alone is wild.
        none | nothing | Nothing is wild.
    spit.draw | Cards to draw | How many cards can you draw?
        3 | up to three | You can draw up to three cards.
        2 | up to two | You can draw up to two cards.
        4 | up to four | You can draw up to four cards.
    follow_the_queen.kings_clear | Kings clear | What happens if a king is dealt up?
        off | off | A king dealt up changes nothing.
        on | on | A king dealt up leaves only queens wild.
    follow_the_queen.redeal | Redeal | What happens if no queen comes up?
        off | off | If no queen comes up, the hands are shown as they are.
        on | on | If no queen comes up, the hand doesn't count and is dealt again.
    baseball.match_pot | Match the pot | What does a three dealt up cost?
        off | off | A three dealt up costs the set price.
        on | on | A three dealt up costs as much as the pot holds.
    baseball.extra_down | Extra card face down | How does the extra card of a four come?
        off | off | The extra card of a four comes face up.
        on | on | The extra card of a four comes face down.
    anaconda.three_passes | Three passes | How often are cards passed?
        off | off | Three cards are passed to the left, once.
        on | on | Three cards are passed one seat left, then two cards two seats, then one card three seats.
    anaconda.high_low | High-low | Who shares the pot?
        off | off | The best high hand takes the pot.
        on | on | High and low share the pot, declared in secret before the showdown.
    guts.cards | Cards each | How many cards does everyone get?
        3 | three | Three cards each.
        2 | two | Two cards each; only pairs and high cards count.
        5 | five | Five cards each.
    guts.three_card_order | Three-card order | How do three cards rank?
        on | on | Straight flush, three of a kind, straight, flush, pair, high card.
        off | off | Three of a kind, pair, high card; straights and flushes do not count.
    """
)
OPTION_WORDS = {row.code: _words(row) for row in _TABLE}
"""The words of every option, by its name in small letters."""

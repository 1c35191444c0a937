"""Every game in three sentences: what you hold, what you do, and what wins.

They are shown when a table opens and when its game changes, and they are all that a newcomer needs to play a first hand. What a table has
changed is told beside them by `bot.text.describe_game`; so is the whole game, one press further.
"""

from __future__ import annotations

from bot.engine.mixes import RotationChange
from bot.engine.rule_card import RuleCard
from bot.table.settings import TableSettings
from bot.text.describe_game import describe_deal_and_pot
from bot.text.game_names import game_name, modifier_description
from bot.text.language import message, t
from bot.text.word_table import word_table
from bot.variants.catalogue import find_modifiers

_NAMED = message("**{game}:** {introduction}")
_CHANGED = message("{introduction} In this version: {changes}")
_COMPOSED = message("{heading}: {text}")

_TABLE = word_table(
    """
    holdem | You get two cards of your own, and five cards that everybody shares come up on the board: three, then one, then one. \
        You bet before the flop and after each part of the board, and a bet can be any size up to your whole stack. The best five \
        cards out of your two and the board win.
    pot_limit_holdem | You get two cards of your own, and five cards that everybody shares come up on the board: three, then one, \
        then one. You bet before the flop and after each part of the board, and a bet can be as big as the pot. The best five cards \
        out of your two and the board win.
    limit_holdem | You get two cards of your own, and five cards that everybody shares come up on the board: three, then one, then \
        one. You bet before the flop and after each part of the board; every bet has the same fixed size, doubled on the turn and \
        river. The best five cards out of your two and the board win.
    omaha | You get four cards of your own, and five shared cards come up on the board: three, then one, then one. Your hand is \
        always exactly two of your own cards with exactly three from the board, so four hearts on the board and one in your hand are \
        no flush. The best hand wins; a bet can be as big as the pot.
    limit_omaha | You get four cards of your own, and five shared cards come up on the board: three, then one, then one. Your hand \
        is always exactly two of your own cards with exactly three from the board, so four hearts on the board and one in your hand \
        are no flush. The best hand wins; every bet has a fixed size, doubled on the turn and river.
    omaha8, limit_omaha8, no_limit_omaha8 | You get four cards of your own, and five shared cards come up on the board. Half the pot \
        goes to the best high hand and half to the best low hand, each made of exactly two of your cards and three from the board. A \
        low needs five different cards from ace to eight; if nobody has one, the high hand takes it all.
    omaha5 | This is Omaha with five cards of your own, and five shared cards on the board. Your hand is always exactly two of your \
        own cards with exactly three from the board. With so many cards about, the winning hand is often a full house or better.
    omaha6 | This is Omaha with six cards of your own, and five shared cards on the board. Your hand is always exactly two of your \
        own cards with exactly three from the board. With so many cards about, expect full houses and big flushes to win.
    big_o | You get five cards of your own, and five shared cards come up on the board. Half the pot goes to the best high hand and \
        half to the best low hand, each made of exactly two of your cards and three from the board. A low needs five different cards \
        from ace to eight; if nobody has one, the high hand takes it all.
    courchevel | This is Omaha with five cards of your own, and the first card of the board comes up before you bet. Two more make \
        the flop, then come the turn and the river. Your hand is exactly two of your own cards with exactly three from the board, \
        and the best hand wins.
    courchevel8 | This is Omaha high-low with five cards of your own, and the first card of the board comes up before you bet. Half \
        the pot goes to the best high hand and half to the best low hand, each of exactly two of your cards and three from the \
        board. A low needs five different cards from ace to eight; if nobody has one, the high hand takes it all.
    old_english | One player pays the ante, and the next ones can each double it before they see their cards (a straddle). You get \
        five cards and play or fold; once all have paid the same, you change as many cards as you like, once, and bet. The best \
        five-card hand wins; no bet or raise goes over the table's limit.
    basic_draw | The player left of the dealer pays an ante, the next one a straddle, and you get five cards. You bet, change up to \
        three cards once, and bet again; raises double step by step up to the table's biggest size. The best five-card hand wins.
    hoyle_draw, morehead | Everybody pays an ante and gets five cards that only they can see. You bet, change up to three cards \
        once, and bet again; no bet or raise goes over the table's limit. The best five-card hand wins.
    hilo_draw | Everybody pays an ante and gets five cards; you bet, change up to three once, and bet again. Half the pot goes to \
        the highest hand and half to the lowest, and one player can win both. For the low, aces are low and straights and flushes \
        are bad, so the best is 6-4-3-2-A of mixed suits.
    five_card_draw, pot_limit_five_card_draw, no_limit_five_card_draw | You get five cards that only you can see, and you bet. Then \
        each player once throws away as many cards as they like and gets new ones, and you bet again. The best five-card hand wins.
    jackpots | Everybody pays an ante and gets five cards; only somebody with a pair of jacks or better can make the first bet. If \
        nobody can, the pot stays and the next hand needs a pair of queens, then kings, then aces. Once somebody has opened, you \
        change up to three cards, bet again, and the best hand wins.
    spit | Everybody pays an ante and gets four cards, and one card is turned up for all: it's everybody's fifth card. Every card of \
        its rank is wild, so it can stand for any card you like. You bet, change up to three of your own cards, bet again, and the \
        best hand wins.
    deuces_wild | This is five-card draw in which all four deuces are wild: each stands for any card you like. You bet, change as many \
        cards as you like once, and bet again. The best hand wins, and with wild cards five of a kind beats everything.
    lowball | The lowest hand wins: you get five cards, bet, change as many as you can once, and bet again. Aces are low, but \
        straights and flushes count against you, and so do pairs. The best hand is 6-4-3-2-A of mixed suits, and the highest card is \
        compared first.
    single_draw_27 | The lowest hand wins: you get five cards, bet any amount, change as many as you like once, and bet again. Aces \
        are high here, and straights, flushes and pairs all make your hand worse. The best hand is 7-5-4-3-2 with at least two \
        suits.
    triple_draw_27 | The lowest hand wins: you get five cards, and three times you can change as many as you like, with betting each \
        time. Aces are high here, and straights, flushes and pairs all make your hand worse. The best hand is 7-5-4-3-2 with at \
        least two suits, and 8-6-5-4-2 beats 9-5-4-3-2 because the highest card is compared first.
    triple_draw_a5 | The lowest hand wins: you get five cards, and three times you can change as many as you like, with betting each \
        time. Aces are low, and straights and flushes don't count against you, but pairs do. The best hand is 5-4-3-2-A, and the \
        highest card is compared first.
    california_lowball | The lowest hand wins: you get five cards, bet, change as many as you like once, and bet again. Aces are \
        low, and straights and flushes don't count against you, but pairs do. The best hand is 5-4-3-2-A, and the highest card is \
        compared first.
    california_joker | The lowest hand wins: you get five cards, bet, change as many as you like once, and bet again. Aces are low, \
        straights and flushes don't count against you, and the joker is the lowest card you don't have yet. The best hand is \
        5-4-3-2-A, and the highest card is compared first.
    badugi | You get four cards and want them all different: four ranks and four suits. Three times you can change as many as you \
        like, with betting before and after each time. Four cards that all differ (a badugi) beat any three, and among equals the \
        lowest wins, aces low: the best is 4-3-2-A in four suits.
    badacey | You get five cards, and three times you can change as many as you like, with betting each time. Half the pot goes to \
        the lowest five cards (aces low, straights and flushes don't matter, best 5-4-3-2-A). The other half goes to the best \
        badugi: the lowest four cards of four different ranks and four different suits.
    badeucey | You get five cards, and three times you can change as many as you like, with betting each time. Half the pot goes to \
        the lowest five cards (aces high, straights and flushes are bad, best 7-5-4-3-2). The other half goes to the best badugi: \
        the lowest four cards of four different ranks and four suits, and aces are high there too.
    stud_low | You get one hidden card and then four that everybody can see, with betting after each of them. Everybody pays an ante \
        and the lowest card showing must bet; later the player left of the dealer acts first. The best five-card hand wins.
    stud_high | You get one hidden card and then four that everybody can see, with betting after each of them. Everybody pays an \
        ante, and in every round the best hand showing acts first; in the first it must bet. The best five-card hand wins; no bet or \
        raise goes over the table's limit.
    modern_stud5 | You get one hidden card and then four that everybody can see, with betting after each of them. Everybody pays an \
        ante and the lowest card showing must open; later the best hand showing acts first. The best five-card hand wins.
    hilo_stud | You get one hidden card and then four that everybody can see, with betting after each of them. Half the pot goes to \
        the highest hand and half to the lowest, and one player can win both. For the low, aces are low and straights and flushes \
        are bad, so the best is 6-4-3-2-A of mixed suits.
    stud | You get seven cards, one after another: two hidden, four that everybody can see, and the last one hidden again. There are \
        no blinds: everybody pays an ante, the lowest card showing must open, and later the best hand showing acts first. The best \
        five of your seven cards win.
    stud8 | You get seven cards: two hidden, four that everybody can see, and the last one hidden again; the lowest card showing \
        must open. Half the pot goes to the best high hand and half to the best low, each made of any five of your seven cards. A \
        low needs five different cards from ace to eight; if nobody has one, the high hand takes it all.
    stud_hilo | You get seven cards: two hidden, four that everybody can see, and the last one hidden again; the lowest card showing \
        must open. Half the pot goes to the best high hand and half to the lowest hand, each made of any five of your seven cards. \
        Any low counts; the best is 5-4-3-2-A, and straights and flushes don't hurt it.
    razz | This is seven-card stud for the lowest hand: two cards hidden, four that everybody can see, and the last one hidden. The \
        highest card showing must open, and later the lowest hand showing acts first. Your best five of seven count; aces are low, \
        straights and flushes don't matter, pairs are bad, and 5-4-3-2-A is the best.
    london | This is seven-card stud for the lowest hand: two cards hidden, four that everybody can see, and the last one hidden. \
        Aces are low, but straights and flushes count against you, and so do pairs. Your best five of seven count: 6-4-3-2-A of \
        mixed suits is the best, and a bet can be as big as the pot.
    mexican_stud | You get one hidden card and one that everybody can see, and three more one at a time; the deck has no eights, \
        nines and tens, and one joker. Before each new card you can turn your hidden card up, and then the new one comes face down. \
        The best five cards win and a flush beats a full house; the joker is any card while hidden, but face up only an ace or part \
        of a straight or flush.
    follow_the_queen | This is seven-card stud (two cards hidden, four open, the last one hidden) and all queens are wild: each \
        stands for any card you like. When a queen is dealt face up, the next card dealt face up makes its rank wild too, until \
        another queen changes it. The best five of your seven cards win, so watch which rank is wild now.
    baseball | This is seven-card stud (two cards hidden, four open, the last one hidden) and all threes and nines are wild: each \
        stands for any card. A three dealt to you face up costs the table's price or you fold; a four dealt face up brings you one \
        more card, also face up. The best five cards win, and with so many wild cards it takes a very big hand.
    short_deck | This is hold'em with the deuces to fives taken out of the deck: two cards of your own, five on the board, the best \
        five win. Everybody pays an ante and the button posts a bet that the others must call; the ace is also low, so 9-8-7-6-A is \
        a straight. A flush beats a full house here, because it's harder to get.
    short_deck_trips | This is hold'em with the deuces to fives taken out of the deck: two cards of your own, five on the board, the \
        best five win. Everybody pays an ante and the button posts a bet that the others must call; the ace is also low, so \
        9-8-7-6-A is a straight. A flush beats a full house here, and three of a kind beats a straight.
    pineapple | This is hold'em with three cards of your own. After the first round of betting, before the flop, you give up one of \
        them. Then it goes on as usual: five shared cards, and the best five cards win.
    crazy_pineapple | This is hold'em with three cards of your own. You keep all three to see the flop and bet, and then you give up \
        one of them before the turn. The best five cards out of your two and the board win.
    lazy_pineapple | This is hold'em with three cards of your own, and you keep all three to the end. Five shared cards come up on \
        the board: three, then one, then one. Your hand is the best five cards, but with at most two of your own.
    irish | You start with four cards of your own, like in Omaha, and bet before and after the flop. Then you give up two of them, \
        before the turn. From there it's hold'em: the best five cards out of your two and the board win.
    anaconda | You get seven cards and pass three you don't want to the player on your left. Then you give up two more, put your \
        five in the order you like, and turn them up one at a time, with betting after each. The best five-card hand wins.
    anaconda_three_passes | You get seven cards, and you pass some on: three to your left neighbour, then two to the player after \
        them, then one to the next. Then you give up two, put your five in the order you like, and turn them up one at a time, with \
        betting after each. The best five-card hand wins.
    anaconda_hilo | You get seven cards and pass three to your left; then you give up two and turn your five up one at a time, with \
        betting after each. Before the last card everybody secretly says whether they play for high, for low, or for both. The best \
        high and the best low share the pot; say both, and you must win both halves.
    guts | You get three cards and secretly say whether you are in or out; everybody's answer is opened at once. The best hand of \
        those who are in takes the pot, and everybody who stayed in and lost pays the size of that pot into the next. A straight flush \
        is best, then three of a kind, a straight, a flush, a pair, and the highest card.
    guts_two | You get two cards and secretly say whether you are in or out; everybody's answer is opened at once. The best hand of \
        those who are in takes the pot, and everybody who stayed in and lost pays the size of that pot into the next. Any pair beats \
        any two odd cards; after that the highest card counts.
    guts_five | You get five cards and secretly say whether you are in or out; everybody's answer is opened at once. The best hand \
        of those who are in takes the pot, and everybody who stayed in and lost pays the size of that pot into the next. Hands rank as \
        in all five-card poker; there is no draw.
    bomb_pot | Everybody pays a big ante and the flop comes at once; nobody bets before it. You have four cards, and your hand is \
        exactly two of them with exactly three from the board. You bet on the flop, turn and river, and the best hand wins.
    bomb_pot_holdem | Everybody pays a big ante and the flop comes at once; nobody bets before it. You have two cards of your own, \
        as in hold'em. You bet on the flop, turn and river, and the best five cards win.
    double_board_bomb | Everybody pays a big ante and two flops come at once; nobody bets before them. You have four cards, and on \
        each board your hand is exactly two of them with exactly three from that board. The best hand on each board wins half the \
        pot.
    double_board_holdem | This is hold'em with two boards: you get two cards, and each flop, turn and river is dealt twice. You bet \
        once for both. The best hand on each board wins half the pot.
    double_board_omaha | This is Omaha with two boards: you get four cards, and each flop, turn and river is dealt twice. On each \
        board your hand is exactly two of your cards with exactly three from that board. The best hand on each board wins half the \
        pot.
    drawmaha | You get five cards of your own, and after the flop you can change as many as you like, once. Half the pot goes to the \
        best five cards in players' own hands, without the board. The other half goes to the best Omaha hand: exactly two of your \
        cards with exactly three from the board.
    """
)
INTRODUCTIONS = {key: row.messages[0] for row in _TABLE for key in row.code.split(", ")}
"""By the game's key in the catalogue."""


def introduction(card: RuleCard) -> str:
    """A game in three sentences, with what its modifiers change; the deal and the pot of a game that is not in the catalogue."""
    base, *keys = card.key.split("+")
    words = INTRODUCTIONS.get(base)
    if words is None:
        parts = describe_deal_and_pot(card, card.options)
        return " ".join([t(_COMPOSED, heading=heading, text=text) for heading, text in parts])
    modifiers = [modifier for key in keys for modifier in find_modifiers(key)]
    if not modifiers:
        return t(words)
    changes = " ".join([modifier_description(modifier) for modifier in modifiers])
    return t(_CHANGED, introduction=t(words), changes=changes)


def named_introduction(card: RuleCard) -> str:
    """A game by its name, then in three sentences."""
    return t(_NAMED, game=game_name(card.name), introduction=introduction(card))


def table_introduction(settings: TableSettings) -> str:
    """The game that a table deals next, with its name where the table has several; empty where the dealer has yet to choose it."""
    rotation = settings.rotation
    if rotation is None:
        return introduction(settings.rule_card)
    if rotation.change is RotationChange.DEALERS_CHOICE:
        return ""
    return named_introduction(settings.rule_card)

"""Games told in plain words: what is said of a game is what is dealt."""

import pytest

from bot.engine.card import RuleCard
from bot.engine.options import Deck, Limit
from bot.engine.steps import BetStep, Size
from bot.variants import CATALOGUE, game
from bot.variants.telling import told

every_game = pytest.mark.parametrize("card", CATALOGUE, ids=lambda card: card.key)


def text(word: str) -> str:
    return "\n".join(told(game(word)))


@every_game
@pytest.mark.law("H-2")
def test_a_game_says_what_is_forced_and_which_bets_are_big(card: RuleCard) -> None:
    said = "\n".join(told(card))
    assert "antes" in said or "Two blinds are posted" in said
    big = any(isinstance(step, BetStep) and step.size is Size.BIG for step in card.steps)
    assert ("big bets" in said) == (big and card.options.limit is Limit.LIMIT)
    assert ("low under a two" in said) <= (card.options.deck not in (Deck.STRIPPED_36, Deck.STRIPPED_32))
    assert "(up to 5" not in said or "Up to five cards may be changed." in said
    assert not any(sign in said for sign in ("  ", "..", ", .", "None", "; ;", ",,"))


@pytest.mark.parametrize(
    ("word", "says"),
    [
        ("old english draw", "straddles are offered, 5 cards down each, betting (the say); the draw (up to 5)"),
        ("old english draw", "One may stand once after the draw, then must bet or drop."),
        ("basic draw", "the draw (up to 3)"),
        ("hoyle draw", "The odd chip is drawn by lot."),
        ("stud_high", "A raise adds at least what its maker had to call, unless only two are in."),
        ("hilo_draw", "half for the best high hand; half for the lowest hand, aces low, straights and flushes counting against it"),
        ("holdem + 36", "In a straight the ace is high over a king and nowhere else."),
        ("holdem + 36", "Pack: 36 cards, sixes to aces."),
        ("five_card_draw + 32", "Pack: 32 cards, sevens to aces."),
        ("hoyle draw + bug", "The wild card is an ace, or fills a straight, flush or special hand."),
        ("hoyle draw + one eyes wild", "Wild: the jack of hearts, the jack of spades, the king of diamonds."),
        ("omaha", "the best high hand, of exactly two own cards and three common ones."),
        ("omaha8", "eight or better, of exactly two own cards"),
        ("omaha8", "an odd chip goes to the high half, and without a low that qualifies the high hand takes it all."),
        ("courchevel", "5 cards down each, a card to the board, betting (pre-flop); 2 cards to the board, betting (flop)"),
        ("stud", "Of equal door cards the suit decides who opens."),
        ("stud", "Who must open brings in the set sum or makes a full bet."),
        ("razz", "The highest card showing must open. Later the lowest hand showing speaks first."),
        ("california_joker", "A wild card is the lowest rank that its holder lacks."),
        ("lowball + joker", "A wild card is the lowest rank that its holder lacks and that makes no straight or flush."),
        ("badugi", "Up to four cards may be changed."),
        ("badacey", "half for the lowest hand, ace to five; half for the best badugi; an odd chip goes to the five-card low half."),
        ("short deck", "In a straight the ace is high over a king or low under a six."),
        ("short deck", "The button posts a second ante, which is a live bet."),
        ("pineapple", "betting (pre-flop); each drops a card, a burn, 3 cards to the board"),
        ("crazy pineapple", "betting (flop); each drops a card, a burn, a card to the board"),
        ("lazy pineapple", "the best high hand, with at most two own cards."),
        ("irish", "betting (flop); each drops 2 cards, a burn"),
        ("jackpots", "A pair of jacks or better opens, and is shown at the end"),
        ("spit", "The first common card makes its rank wild."),
        ("mexican stud", "there are no eights, nines and tens, and seven and jack adjoin"),
        ("mexican stud", "A joker face down stands for any card, face up it is the bug."),
        ("follow the queen", "a queen as the last card up leaves only queens wild."),
        ("baseball", "Wild: threes, nines."),
        ("baseball", "A three dealt up costs the set price, or the hand is dropped."),
        ("baseball", "2 cards down each, a card up to one after the other, betting (third street); a burn, a card up to one after"),
        ("baseball", "What a card dealt up brings or costs is settled before the next card is dealt."),
        ("anaconda", "each passes 3 cards one seat left, betting (after the pass); each drops 2 cards, each arranges his cards"),
        ("anaconda_hilo", "Who declares both wins both halves or nothing."),
        ("guts", "all declare in secret: in or out"),
        ("guts", "who stays in and loses puts as much as the pot held, up to the cap, into the next."),
        ("drawmaha", "half for the best high hand, of own cards alone; half for the best high hand, of exactly two own cards"),
        ("double-board hold'em", "each of 2 boards for its part of the pot."),
    ],
)  # fmt: skip
@pytest.mark.law("H-2")
def test_a_game_is_told_by_what_is_peculiar_to_it(word: str, says: str) -> None:
    assert says in text(word)

"""A game's description in plain words says what is dealt."""

import pytest

from bot.engine.options.values import DeckKind, Limit
from bot.engine.rule_card import RuleCard
from bot.engine.steps import BetSize, BettingRound
from bot.text.describe_game import describe_game
from bot.variants import CATALOGUE, game

every_game = pytest.mark.parametrize("card", CATALOGUE, ids=lambda card: card.key)


def text(word: str) -> str:
    return "\n".join(describe_game(game(word)))


@every_game
@pytest.mark.law("H-2")
def test_descriptions_name_forced_and_big_bets(card: RuleCard) -> None:
    said = "\n".join(describe_game(card))
    assert "antes" in said or "Two blinds are posted" in said
    big = any(isinstance(step, BettingRound) and step.size is BetSize.BIG for step in card.steps)
    assert ("big bets" in said) == (big and card.options.limit is Limit.LIMIT)
    assert ("low under a deuce" in said) <= (card.options.deck not in (DeckKind.STRIPPED_36, DeckKind.STRIPPED_32))
    assert "(up to 5" not in said or "You can draw up to 5 cards." in said
    assert not any(sign in said for sign in ("  ", "..", ", .", "None", "; ;", ",,"))


@pytest.mark.parametrize(
    ("word", "says"),
    [
        ("old english draw", "straddles are offered, 5 cards down each, bet (before the draw) · the draw (up to 5)"),
        ("old english draw", "You can stand once after the draw; then you must bet or fold."),
        ("basic draw", "the draw (up to 3)"),
        ("hoyle draw", "The odd chip goes to one of the winners at random."),
        ("stud_high", "A raise adds at least what the player had to call, unless only two are in."),
        ("hilo_draw", "half for the best high hand; half for the lowest hand, aces low, straights and flushes counting against it"),
        ("holdem + 36", "In a straight the ace is high over a king and nowhere else."),
        ("holdem + 36", "Deck: 36 cards, sixes to aces."),
        ("five_card_draw + 32", "Deck: 32 cards, sevens to aces."),
        ("hoyle draw + bug", "The wild card is an ace, or fills a straight, flush or special hand."),
        ("hoyle draw + one eyes wild", "Wild: one-eyed cards (jacks of hearts and spades, king of diamonds)."),
        ("omaha", "the best high hand, of exactly two hole cards and three from the board."),
        ("omaha8", "eight or better, of exactly two hole cards"),
        ("omaha8", "an odd chip goes to the high half, and without a low that qualifies the high hand takes it all."),
        ("courchevel", "5 cards down each, a card to the board, bet (pre-flop) · 2 cards to the board, bet (flop)"),
        ("stud", "When door cards are equal, the suit decides who opens."),
        ("stud", "The player who must open pays the bring-in or makes a full bet."),
        ("razz", "The highest card showing must open. Later the lowest hand showing acts first."),
        ("california_joker", "A wild card counts as the lowest rank its holder doesn't have."),
        ("lowball + joker", "A wild card counts as the lowest rank its holder doesn't have that makes no straight or flush."),
        ("badugi", "You can draw up to 4 cards."),
        ("badacey", "half for the lowest hand, ace to five; half for the best badugi; an odd chip goes to the five-card low half."),
        ("short deck", "In a straight the ace is high over a king or low under a six."),
        ("short deck", "The button also posts a live blind: one ante, or what the table has set."),
        ("pineapple", "bet (pre-flop) · each discards a card, burn, 3 cards to the board"),
        ("crazy pineapple", "bet (flop) · each discards a card, burn, a card to the board"),
        ("lazy pineapple", "the best high hand, with at most two hole cards."),
        ("irish", "bet (flop) · each discards 2 cards, burn"),
        ("jackpots", "A pair of jacks or better opens, and is shown at the end"),
        ("spit", "The first community card makes its rank wild."),
        ("mexican stud", "there are no eights, nines or tens, and the jack follows the seven"),
        ("mexican stud", "A joker face down stands for any card, face up it is the bug."),
        ("follow the queen", "a queen as the last card up leaves only queens wild."),
        ("baseball", "Wild: threes, nines."),
        ("baseball", "A three dealt up costs the set price: pay or fold."),
        (
            "baseball",
            "2 cards down each, a card up, one player after the other, bet (third street) · "
            "burn, a card up, one player after",
        ),
        ("baseball", "What a card dealt up brings or costs is settled before the next card is dealt."),
        ("anaconda", "each passes 3 cards one seat left, bet (after the pass) · each discards 2 cards, each arranges their cards"),
        ("anaconda_hilo", "A player who declares both ways wins both halves or nothing."),
        ("guts", "all declare in secret: in or out"),
        ("guts", "Players who stay in and lose pay as much as the pot held, up to the cap, into the next pot."),
        ("drawmaha", "half for the best high hand, of hole cards only; half for the best high hand, of exactly two hole cards"),
        ("double-board hold'em", "Each of the 2 boards wins its part of the pot."),
    ],
)  # fmt: skip
@pytest.mark.law("H-2")
def test_descriptions_name_what_is_peculiar_to_a_game(word: str, says: str) -> None:
    assert says in text(word)

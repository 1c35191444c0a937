"""A rule card in plain words: how many play, what the dealer does, how the pot is shared, and what law is in force.

Source: laws H-2 ("in writing"), Part B "street notation".
"""

from bot.engine import steps as s
from bot.engine.card import RuleCard, Share, WildBoard
from bot.engine.cards import RANK_NAMES, RANK_PLURALS, name
from bot.engine.options import Deck, Options
from bot.engine.packs import PACKS
from bot.engine.ranking import AT_MOST_TWO, EXACTLY_TWO, Order, Scale
from bot.engine.register import find
from bot.engine.register_entries import REGISTER, Entry
from bot.engine.scoring import in_force as ranking_in_force
from bot.variants.tailoring import taste_of

_SCALES = {
    Scale.HIGH: "the best high hand",
    Scale.HIGH_ACE_LOW: "the best high hand, aces low",
    Scale.LOW_ACE_HIGH: "the lowest hand, aces high, straights and flushes count",
    Scale.LOW_ACE_LOW: "the lowest hand, aces low, straights and flushes count",
    Scale.ACE_TO_FIVE: "the lowest hand, ace to five",
    Scale.DEUCE_TO_SEVEN: "the lowest hand, deuce to seven",
    Scale.BADUGI: "the best badugi",
    Scale.BADUGI_ACE_HIGH: "the best badugi, aces high",
}
_ORDERS = {
    Order.SHORT_DECK: "a flush beats a full house",
    Order.SHORT_DECK_TRIPS: "a flush beats a full house and three of a kind a straight",
    Order.THREE_CARD: "straight flush, three of a kind, straight, flush, pair, high card",
    Order.SETS_ONLY: "straights and flushes do not count",
}
_OWN = {
    EXACTLY_TWO: "with exactly two own cards",
    AT_MOST_TWO: "with at most two own cards",
    (5, 5): "with own cards alone",
}


def told(card: RuleCard) -> tuple[str, ...]:
    """The rule card, a line for each matter: ``Deal: …``."""
    return (
        f"{card.name} (law {card.sheet}, {card.family})",
        f"Also called: {', '.join(card.aliases)}." if card.aliases else "",
        f"Players: {card.seats_min} to {card.seats_max}{_more_seats(card)}. Pack: {_pack(card)}.",
        f"Deal: {'; '.join(_step(step, card) for step in card.steps)}.",
        f"Pot: {_pot(card)}.",
        *(f"Own rule: {line}" for line in own_rules(card)),
        *_laws(card),
    )


def _more_seats(card: RuleCard) -> str:
    return f" ({card.seats_most} if the host asks for it)" if card.seats_most > card.seats_max else ""


def _pack(card: RuleCard) -> str:
    deck = card.options.deck
    joker = ", one of them a joker" if deck in (Deck.WITH_JOKER_53, Deck.MEXICAN_41) else ""
    return f"{len(PACKS[deck])} cards{joker}"


def _cards(count: int) -> str:
    return "a card" if count == 1 else f"{count} cards"


def _step(step: s.Step, card: RuleCard) -> str:
    match step:
        case s.PostForced():
            return "forced bets"
        case s.OfferStraddles():
            return "straddles are offered"
        case s.DealDown(count):
            return f"{_cards(count)} down each"
        case s.DealUp(count):
            return f"{_cards(count)} up each"
        case s.Burn():
            return "a burn"
        case s.DealBoard(count):
            return f"{_cards(count)} to " + ("the board" if card.boards == 1 else f"each of {card.boards} boards")
        case s.BetStep(street, size):
            return f"betting {street}" + (" (big)" if size is s.Size.BIG else "")
        case s.Draw(street, most):
            return f"{street} (up to {most})"
        case s.Drop(count):
            return f"each drops {_cards(count)}"
        case s.PassCards(count, left):
            return f"each passes {_cards(count)} {'one seat' if left == 1 else f'{left} seats'} left"
        case s.Arrange():
            return "each arranges his cards"
        case s.RollOut():
            return "each turns a card up"
        case s.OfferExposure():
            return "each may turn his down card up"
        case s.DealEither():
            return "a card each, up for who has one down"
        case s.BuyCards():
            return "cards are bought and served"
        case s.DeclareStep(words):
            return f"all declare in secret: {', '.join(words)}"
        case s.Showdown():
            return "showdown"
        case _:
            raise AssertionError(step)


def _pot(card: RuleCard) -> str:
    return " and ".join(_share(share, card) for share in card.shares) + (
        f", half of the pot on each of {card.boards} boards" if card.boards > 1 else ""
    )


def _share(share: Share, card: RuleCard) -> str:
    ranking = ranking_in_force(share.ranking, card, card.options)
    words = [_SCALES[ranking.scale]]
    if ranking.from_hole is not None:
        words.append(_OWN[ranking.from_hole])
    if ranking.qualifier is not None:
        words.append(f"{RANK_NAMES[ranking.qualifier]} or better")
    if ranking.order in _ORDERS and not ranking.is_low:
        words.append(f"({_ORDERS[ranking.order]})")
    return " ".join(words)


def own_rules(card: RuleCard) -> tuple[str, ...]:
    """What no option says: which cards are wild by their rank or place, what a card dealt up brings, who may open."""
    wild = [RANK_PLURALS[rank] for rank in card.options.wild_ranks] + [
        f"the {name(one)}" for one in card.options.wild_cards
    ]
    rules = {
        f"wild: {', '.join(wild)}.": bool(wild),
        "the rank of the first common card is wild.": card.wild_board is WildBoard.RANK,
        "the first common card is wild.": card.wild_board is WildBoard.CARD,
        f"the card dealt up after a {_rank(card.follow)} makes its rank wild.": card.follow is not None,
        f"a {_rank(card.clears)} dealt up takes that away again.": card.clears is not None,
        f"without a {_rank(card.follow)} up the deal does not count.": card.redeal,
        f"a {_rank(card.priced)} dealt up is paid for, or the hand is dropped.": card.priced is not None,
        f"a {_rank(card.extra)} dealt up brings one more card.": card.extra is not None,
        f"a pair of {_rank(card.openers)}s or better opens; each deal nobody opens asks for a rank more.": card.openers is not None,
        "who stays in and loses matches the pot.": card.match_pot,
        "who has checked may not raise.": card.no_check_raise,
        "the button posts a double ante.": card.button_blind,
        "a joker face up is the bug.": card.joker_up_bug,
    }  # fmt: skip
    return tuple(rule[:1].upper() + rule[1:] for rule, holds in rules.items() if holds)


def _rank(rank: int | None) -> str:
    return "" if rank is None else RANK_NAMES[rank]


def _laws(card: RuleCard) -> tuple[str, ...]:
    return tuple(f"{group}: {' '.join(said)}" for group, said in in_force(card, card.options).items())


_NEVER_LEFT_OUT = ("ANTE", "MIN_RAISE")
"""Options that say what a bet is, so they are told even where the game leaves one value of them."""


def in_force(card: RuleCard, options: Options) -> dict[str, list[str]]:
    """What the options in force say, a sentence each, by group, in the register's order: of those that decide anything here (H-2)."""
    chosen = {entry.name: (entry, value) for _, entry, value in taste_of(card, options)}
    bets = any(isinstance(step, s.BetStep) for step in card.steps)
    for entry in REGISTER:
        if entry.name in _NEVER_LEFT_OUT and entry.name not in chosen and (bets or entry.name == "ANTE"):
            chosen[entry.name] = (entry, str(getattr(options, entry.field)))
    in_order = [entry.name for entry in REGISTER if entry.name in chosen]
    groups: dict[str, list[str]] = {}
    for key in (*in_order, *(own for own in chosen if own not in in_order)):
        entry, value = chosen[key]
        groups.setdefault(entry.group, []).append(_said(entry, value))
    return groups


def _said(entry: Entry, value: str) -> str:
    if entry.field == "max_seats":
        return f"At most {value} seats."
    return next((one.meaning for one in entry.choices if one.value == value), "") or find(entry.name).meaning(value)

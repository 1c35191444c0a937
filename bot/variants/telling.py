"""A rule card in plain words: how many play, what the dealer does, how the pot is shared, and what law is in force.

What the register says of an option is said of every game; where a game makes it say something else, `meaning` says that instead.

Source: laws H-2 ("in writing"), Part B "street notation".
"""

from msgspec.structs import replace

from bot.engine import steps as s
from bot.engine.card import RuleCard, Share, WildBoard
from bot.engine.cards import RANK_NAMES, RANK_PLURALS, TWO, name
from bot.engine.choosing_effect import BOTH
from bot.engine.options import Ante, Deck, DrawMax, FirstOpener, Limit, OddChip, Options, StudTie, WildMethod
from bot.engine.ranking import AT_MOST_TWO, EXACTLY_TWO, Order, Scale
from bot.engine.register import find
from bot.engine.register_entries import REGISTER, Entry
from bot.engine.scoring import in_force as ranking_in_force
from bot.engine.scoring import ranks_of
from bot.variants.tailoring import taste_of

_SCALES = {
    Scale.HIGH: "the best high hand",
    Scale.HIGH_ACE_LOW: "the best high hand, aces low",
    Scale.LOW_ACE_HIGH: "the lowest hand, aces high, straights and flushes counting against it",
    Scale.LOW_ACE_LOW: "the lowest hand, aces low, straights and flushes counting against it",
    Scale.ACE_TO_FIVE: "the lowest hand, ace to five",
    Scale.DEUCE_TO_SEVEN: "the lowest hand, deuce to seven",
    Scale.BADUGI: "the best badugi",
    Scale.BADUGI_ACE_HIGH: "the best badugi, aces high",
}
_ORDERS = {
    Order.SHORT_DECK: "a flush beating a full house",
    Order.SHORT_DECK_TRIPS: "a flush beating a full house and three of a kind a straight",
    Order.THREE_CARD: "in the order straight flush, three of a kind, straight, flush, pair, high card",
    Order.SETS_ONLY: "straights and flushes not counting",
}
_OWN = {
    EXACTLY_TWO: "of exactly two own cards and three common ones",
    AT_MOST_TWO: "with at most two own cards",
    (5, 5): "of own cards alone",
}
_PACKS = {
    Deck.STANDARD_52: "52 cards",
    Deck.WITH_JOKER_53: "53 cards, one of them a joker",
    Deck.STRIPPED_36: "36 cards, sixes to aces",
    Deck.STRIPPED_32: "32 cards, sevens to aces",
    Deck.MEXICAN_41: "41 cards, one of them a joker; there are no eights, nines and tens, and seven and jack adjoin",
}
_NUMBERS = ("no", "one", "two", "three", "four", "five")


def told(card: RuleCard) -> tuple[str, ...]:
    """The rule card, a line for each matter: ``Deal: …``."""
    return (
        f"{card.name} (law {card.sheet}, {card.family})",
        f"Also called: {', '.join(card.aliases)}." if card.aliases else "",
        f"Players: {card.seats_min} to {card.seats_max}{_more_seats(card)}. Pack: {_PACKS[card.options.deck]}.",
        *(f"{heading}: {line}" for heading, line in deal_told(card)),
        *(f"Own rule: {line}" for line in own_rules(card)),
        *_laws(card),
    )


def deal_told(card: RuleCard) -> tuple[tuple[str, str], ...]:
    """What the dealer does and how the pot is shared, under their headings."""
    return (("Deal", f"{_deal(card)}."), ("Pot", f"{_pot(card)}."))


def meaning(entry: Entry, value: str, card: RuleCard) -> str:
    """What a value of an option means at this game, whose card carries the options in force."""
    if entry.field == "max_seats":
        return f"At most {value} seats."
    plain = next((one.meaning for one in entry.choices if one.value == value), "") or find(entry.name).meaning(value)
    match entry.field:
        case "ace_straight" if value == "both" and (low := ranks_of(card.options.deck)[0]) != TWO:
            where = f" or low under a {RANK_NAMES[low]}" if card.low_ace else " and nowhere else"
            return f"In a straight the ace is high over a king{where}."
        case "wild_method" if value != WildMethod.NONE and (lows := _lows(card)):
            lowest = "A wild card is the lowest rank that its holder lacks" + (
                "" if lows == {Scale.ACE_TO_FIVE} else _FITTING
            )
            return (
                f"{lowest}."
                if len(lows) == len({share.ranking.scale for share in card.shares})
                else f"{plain} For low: {lowest.lower()}."
            )
        case "draw_max" if value == DrawMax.FIVE:
            return f"Up to {_NUMBERS[_draw_most(card)]} cards may be changed."
        case "stud_tie" if value == StudTie.NEAR_DEALER_LEFT and card.door_by_suit:
            return f"{plain} Of equal door cards the suit decides who opens."
        case "odd_chip" if value == OddChip.HIGH_SUIT:
            return "The odd chip goes to who plays the highest card by suit."
        case _:
            return plain


_FITTING = " and that makes no straight or flush"


def _lows(card: RuleCard) -> set[Scale]:
    """The scales of the five-card lows this game is played for."""
    rankings = [ranking_in_force(share.ranking, card, card.options) for share in card.shares]
    return {ranking.scale for ranking in rankings if ranking.is_low and not ranking.is_badugi}


def _more_seats(card: RuleCard) -> str:
    return f" ({card.seats_most} if the host asks for it)" if card.seats_most > card.seats_max else ""


def _cards(count: int) -> str:
    return "a card" if count == 1 else f"{count} cards"


def _deal(card: RuleCard) -> str:
    """The steps, a stroke after each betting interval."""
    words = ""
    for step in card.steps:
        if isinstance(step, s.PostForced) and card.options.ante is Ante.NONE:
            continue  # nobody puts anything in before the cards
        words += _step(step, card) + ("; " if isinstance(step, s.BetStep) else ", ")
    return words.rstrip("; ,")


def _draw_most(card: RuleCard) -> int:
    return max((step.most for step in card.steps if isinstance(step, s.Draw)), default=0)


def _to_change(most: int, card: RuleCard) -> str:
    custom = card.options.draw_max
    if most <= 3 or custom is DrawMax.FIVE:
        return f"up to {most}"
    return "up to 3" if custom is DrawMax.THREE else "up to 3, or 4 by who keeps an ace"


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
        case s.DealUpInTurn():
            return "a card up to one after the other"
        case s.Burn():
            return "a burn"
        case s.DealBoard(count):
            return f"{_cards(count)} to " + ("the board" if card.boards == 1 else f"each of {card.boards} boards")
        case s.BetStep(street, size):
            big = size is s.Size.BIG and card.options.limit is Limit.LIMIT
            return f"betting ({street}{', big bets' if big else ''})"
        case s.Draw(street, most):
            return f"{street} ({_to_change(most, card)})"
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
            return "cards are paid for and brought"
        case s.DeclareStep(words):
            return f"all declare in secret: {', '.join(words[:-1])} or {words[-1]}"
        case s.Showdown():
            return "showdown"
        case _:
            raise AssertionError(step)


def _pot(card: RuleCard) -> str:
    shares = [_share(share, card) for share in card.shares]
    if len(shares) == 1:
        words = shares[0]
    else:
        words = (
            "; ".join(f"half for {share}" for share in shares) + f"; an odd chip goes to the {card.shares[0].name} half"
        )
        if any(share.ranking.qualifier is not None for share in card.shares):
            words += ", and without a low that qualifies the high hand takes it all"
    return words + (f"; each of {card.boards} boards for its part of the pot" if card.boards > 1 else "")


def _share(share: Share, card: RuleCard) -> str:
    ranking = ranking_in_force(share.ranking, card, card.options)
    words = [_SCALES[ranking.scale]]
    if ranking.qualifier is not None:
        words.append(f"{RANK_NAMES[ranking.qualifier]} or better")
    if ranking.from_hole is not None:
        words.append(_OWN[ranking.from_hole])
    if ranking.order in _ORDERS and not ranking.is_low:
        words.append(_ORDERS[ranking.order])
    return ", ".join(words)


def own_rules(card: RuleCard) -> tuple[str, ...]:
    """What no option says: which cards are wild by their rank or place, what a card dealt up brings, who may open."""
    options, opener, follows = card.options, _rank(card.openers), _rank(card.follow)
    wild = [RANK_PLURALS[rank] for rank in options.wild_ranks] + [f"the {name(one)}" for one in options.wild_cards]
    by_card = options.first_1 in (FirstOpener.LOW_CARD, FirstOpener.HIGH_CARD)
    price = "as much as the pot holds" if card.price_is_pot else "the set price"
    rules = {
        "the button posts a second ante, which is a live bet": card.button_blind,
        "who must open brings in the set sum or makes a full bet": by_card and "bring_in" in card.amounts,
        f"wild: {', '.join(wild)}": bool(wild),
        "the first common card makes its rank wild": card.wild_board is WildBoard.RANK,
        "the first common card is wild": card.wild_board is WildBoard.CARD,
        f"the next card dealt up after a {follows} makes its rank wild, in place of the one before; a {follows} as the last card up "
        f"leaves only {follows}s wild": card.follow is not None,
        f"a {_rank(card.clears)} dealt up leaves only {follows}s wild": card.clears is not None,
        f"without a {follows} up the deal does not count": card.redeal,
        f"a {_rank(card.priced)} dealt up costs {price}, or the hand is dropped": card.priced is not None,
        f"a {_rank(card.extra)} dealt up brings one more card, face {'down' if card.extra_down else 'up'}": card.extra is not None,
        "what a card dealt up brings or costs is settled before the next card is dealt":
            any(isinstance(at, s.DealUpInTurn) for at in card.steps),
        f"a pair of {opener}s or better opens, and is shown at the end; each deal that nobody opens asks for a rank more, up to aces":
            card.openers is not None,
        "one alone takes the pot; with nobody in it waits for the next deal; who stays in and loses puts as much as the pot held, up to "
        "the cap, into the next": card.match_pot,
        "who declares both wins both halves or nothing": any(isinstance(at, s.DeclareStep) and BOTH in at.words for at in card.steps),
        "who has checked may not raise": card.no_check_raise,
        "a joker face down stands for any card, face up it is the bug": card.joker_up_bug,
    }  # fmt: skip
    return tuple(f"{rule[:1].upper()}{rule[1:]}." for rule, holds in rules.items() if holds)


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
    played = replace(card, options=options)
    groups: dict[str, list[str]] = {}
    for key in (*in_order, *(own for own in chosen if own not in in_order)):
        entry, value = chosen[key]
        groups.setdefault(entry.group, []).append(meaning(entry, value, played))
    return groups

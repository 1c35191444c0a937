"""A game in plain words: how many play, what the dealer does, how the pot is shared, and which options are in force.

What `bot.text.options` says of an option holds for every game; where a game makes it mean something else, this says so instead.

Source: laws H-2 ("in writing"), Part B "street notation".
"""

from __future__ import annotations

from collections.abc import Iterator

from bot.engine import steps as s
from bot.engine.cards import TWO
from bot.engine.customs import AceAlsoLow, DoorCardTiesBySuit
from bot.engine.options.register import REGISTER, RegisteredOption
from bot.engine.options.types import Group, Options
from bot.engine.options.values import Ante, DeckKind, DrawMax, FirstOpener, Limit, OddChip, StudTie
from bot.engine.options.wild_cards import WildCards
from bot.engine.ranking import AT_MOST_TWO, EXACTLY_TWO, CategoryOrder, Scale
from bot.engine.ranking.spec import WildMethod
from bot.engine.rule_card import RuleCard, Share
from bot.engine.showdown.ranking_in_force import deck_ranks, ranking_in_force
from bot.text.cards import rank_name
from bot.text.customs import RuleGroup, custom_rules
from bot.text.formatting import join_list, join_or
from bot.text.game_names import family_name, game_name
from bot.text.game_words import declaration, share_name, street_name
from bot.text.language import Message, message, plural, t
from bot.text.options import group_heading, option_meaning
from bot.text.wild_cards import wild_cards_in_words
from bot.variants.customise import offered_options

_SCALES = {
    Scale.HIGH: message("the best high hand"),
    Scale.HIGH_ACE_LOW: message("the best high hand, aces low"),
    Scale.LOW_ACE_HIGH: message("the lowest hand, aces high, straights and flushes counting against it"),
    Scale.LOW_ACE_LOW: message("the lowest hand, aces low, straights and flushes counting against it"),
    Scale.ACE_TO_FIVE: message("the lowest hand, ace to five"),
    Scale.DEUCE_TO_SEVEN: message("the lowest hand, deuce to seven"),
    Scale.BADUGI: message("the best badugi"),
    Scale.BADUGI_ACE_HIGH: message("the best badugi, aces high"),
}
_CATEGORY_ORDERS = {
    CategoryOrder.SHORT_DECK: message("a flush beating a full house"),
    CategoryOrder.SHORT_DECK_TRIPS: message("a flush beating a full house and three of a kind a straight"),
    CategoryOrder.THREE_CARD: message("in the order straight flush, three of a kind, straight, flush, pair, high card"),
    CategoryOrder.SETS_ONLY: message("straights and flushes not counting"),
}
_HOLE_CARD_RULES = {
    EXACTLY_TWO: message("of exactly two hole cards and three from the board"),
    AT_MOST_TWO: message("with at most two hole cards"),
    (5, 5): message("of hole cards only"),
}
_DECKS = {
    DeckKind.STANDARD_52: message("52 cards"),
    DeckKind.WITH_JOKER_53: message("53 cards, one of them a joker"),
    DeckKind.WITH_TWO_JOKERS_54: message("54 cards, two of them jokers"),
    DeckKind.STRIPPED_36: message("36 cards, sixes to aces"),
    DeckKind.STRIPPED_WITH_JOKER_37: message("37 cards, sixes to aces and a joker"),
    DeckKind.STRIPPED_WITH_TWO_JOKERS_38: message("38 cards, sixes to aces and two jokers"),
    DeckKind.STRIPPED_32: message("32 cards, sevens to aces"),
    DeckKind.STRIPPED_WITH_JOKER_33: message("33 cards, sevens to aces and a joker"),
    DeckKind.STRIPPED_WITH_TWO_JOKERS_34: message("34 cards, sevens to aces and two jokers"),
    DeckKind.MEXICAN_41: message(
        "41 cards, one of them a joker; there are no eights, nines or tens, and the jack follows the seven"
    ),
}


def describe_game(card: RuleCard) -> tuple[str, ...]:
    """Describe a game under its own options, a line for each matter: ``Deal: …``."""
    lines = [
        t(
            message("{game} (law {law}, {family})"),
            game=game_name(card.name),
            law=card.law_id,
            family=family_name(card.family),
        )
    ]
    if card.aliases:
        lines.append(t(message("Also called: {names}."), names=join_list(card.aliases)))
    lines.append(_players_and_deck(card))
    lines += [f"{heading}: {line}" for heading, line in describe_deal_and_pot(card, card.options)]
    lines += [t(message("Special rule: {rule}"), rule=rule) for rule in special_rules(card, card.options)]
    seats = option_meaning("max_seats", str(card.options.max_seats))  # the line of the players has said it
    for heading, meanings in describe_rules_in_force(card, card.options).items():
        if said := " ".join([meaning for meaning in meanings if meaning != seats]):
            lines.append(f"{heading}: {said}")
    return tuple(lines)


def describe_deal_and_pot(card: RuleCard, options: Options) -> tuple[tuple[str, str], ...]:
    """What the dealer does and how the pot is shared, under their headings."""
    return (
        (t(message("Deal")), _describe_steps(card, options)),
        (t(message("Pot")), _describe_pot(card, options)),
    )


def _players_and_deck(card: RuleCard) -> str:
    deck = t(_DECKS[card.options.deck])
    if card.seats_max_on_request > card.seats_max:
        return t(
            message("Players: {minimum} to {maximum} ({more} if the host asks for it). Deck: {deck}."),
            minimum=card.seats_min,
            maximum=card.seats_max,
            more=card.seats_max_on_request,
            deck=deck,
        )
    return t(
        message("Players: {minimum} to {maximum}. Deck: {deck}."),
        minimum=card.seats_min,
        maximum=card.seats_max,
        deck=deck,
    )


def describe_option_value(option: RegisteredOption, value: str, card: RuleCard, options: Options) -> str:
    """What a value of an option means at this game under the options in force."""
    match option.field:
        case "ace_straight" if value == "both" and deck_ranks(options.deck)[0] != TWO:
            return _ace_in_stripped_deck(card, options)
        case "wild_method" if value != WildMethod.NONE:
            return _wild_card_meaning(option_meaning(option.name, value), card, options)
        case "draw_max" if value == DrawMax.FIVE:
            return t(_CARDS_TO_DRAW, count=_max_cards_drawn(card))
        case "stud_tie" if value == StudTie.NEAR_DEALER_LEFT and card.has_custom(DoorCardTiesBySuit):
            return t(
                message(
                    "When hands showing are equal, the one nearest the dealer's left acts first. "
                    "When door cards are equal, the suit decides who opens."
                )
            )
        case "odd_chip" if value == OddChip.HIGH_SUIT:
            return t(message("The odd chip goes to the winner whose hand plays the highest card by suit."))
        case _:
            return option_meaning(option.name, value)


_CARDS_TO_DRAW = plural("You can draw up to {count} card.", "You can draw up to {count} cards.")


def _ace_in_stripped_deck(card: RuleCard, options: Options) -> str:
    if card.has_custom(AceAlsoLow):
        lowest = rank_name(deck_ranks(options.deck)[0])
        return t(message("In a straight the ace is high over a king or low under a {rank}."), rank=lowest)
    return t(message("In a straight the ace is high over a king and nowhere else."))


def _wild_card_meaning(high: str, card: RuleCard, options: Options) -> str:
    """What a wild card stands for, where the game is played for low and where it is played for both."""
    rankings = [ranking_in_force(share.ranking, card, options) for share in card.shares]
    lows = {ranking.scale for ranking in rankings if ranking.is_low and not ranking.is_badugi}
    if not lows:
        return high
    only_low = len(lows) == len({ranking.scale for ranking in rankings})
    if lows == {Scale.ACE_TO_FIVE}:
        if only_low:
            return t(message("A wild card counts as the lowest rank its holder doesn't have."))
        return t(message("{high} For low, it counts as the lowest rank its holder doesn't have."), high=high)
    if only_low:
        return t(
            message("A wild card counts as the lowest rank its holder doesn't have that makes no straight or flush.")
        )
    return t(
        message(
            "{high} For low, it counts as the lowest rank its holder doesn't have that makes no straight or flush."
        ),
        high=high,
    )


_NEXT_STEP = message("{before}, {step}")
STEP_END = " · "
"""Parts betting rounds in the description of a deal."""
_DEAL = message("{steps}.")


def _describe_steps(card: RuleCard, options: Options) -> str:
    """The steps in their order: what belongs to one betting round, a point, what belongs to the next."""
    rounds: list[str] = []
    after_betting = True
    for step in card.steps:
        if isinstance(step, s.PostForcedBets) and options.ante is Ante.NONE:
            continue  # nobody puts anything in before the cards
        words = _describe_step(step, card, options)
        if after_betting:
            rounds.append(words)
        else:
            rounds[-1] = t(_NEXT_STEP, before=rounds[-1], step=words)
        after_betting = isinstance(step, s.BettingRound)
    return t(_DEAL, steps=STEP_END.join(rounds))


def _max_cards_drawn(card: RuleCard) -> int:
    return max((step.max_cards for step in card.steps if isinstance(step, s.Draw)), default=0)


def _describe_draw(step: s.Draw, options: Options) -> str:
    street = street_name(step.street)
    if step.max_cards <= 3 or options.draw_max is DrawMax.FIVE:
        return t(message("{street} (up to {count})"), street=street, count=step.max_cards)
    if options.draw_max is DrawMax.THREE:
        return t(message("{street} (up to {count})"), street=street, count=3)
    return t(message("{street} (up to 3, or 4 if you keep an ace)"), street=street)


def _describe_betting(step: s.BettingRound, options: Options) -> str:
    if step.size is s.BetSize.BIG and options.limit is Limit.LIMIT:
        return t(message("bet ({street}, big bets)"), street=street_name(step.street))
    return t(message("bet ({street})"), street=street_name(step.street))


_DOWN = plural("a card down each", "{count} cards down each")
_UP = plural("a card up each", "{count} cards up each")
_TO_BOARD = plural("a card to the board", "{count} cards to the board")
_TO_EACH_BOARD = plural("a card to each of {boards} boards", "{count} cards to each of {boards} boards")
_GIVE_UP = plural("each discards a card", "each discards {count} cards")
_PASS_ONE_SEAT = plural("each passes a card one seat left", "each passes {count} cards one seat left")
_PASS = plural("each passes a card {seats} seats left", "each passes {count} cards {seats} seats left")


def _describe_step(step: s.Step, card: RuleCard, options: Options) -> str:
    match step:
        case s.PostForcedBets():
            return t(_FORCED_BETS[options.ante])
        case s.DealDown(count):
            return t(_DOWN, count=count)
        case s.DealUp(count):
            return t(_UP, count=count)
        case s.DealBoard(count):
            return t(_TO_BOARD, count=count) if card.boards == 1 else t(_TO_EACH_BOARD, count=count, boards=card.boards)
        case s.BettingRound():
            return _describe_betting(step, options)
        case s.Draw():
            return _describe_draw(step, options)
        case s.GiveUpCards(count):
            return t(_GIVE_UP, count=count)
        case s.PassCards(count, seats):
            return t(_PASS_ONE_SEAT, count=count) if seats == 1 else t(_PASS, count=count, seats=seats)
        case s.DeclareInSecret(words):
            return t(message("all declare in secret: {words}"), words=join_or([declaration(word) for word in words]))
        case _:
            return t(_PLAIN_STEPS[type(step)])


_FORCED_BETS: dict[Ante, Message] = {
    Ante.BLINDS: message("blinds"),
    Ante.EVERYONE: message("antes"),
    Ante.LEFT_OF_DEALER: message("an ante"),
}
_PLAIN_STEPS: dict[type[s.Step], Message] = {
    s.OfferStraddles: message("straddles are offered"),
    s.DealUpInTurn: message("a card up, one player after the other"),
    s.Burn: message("burn"),
    s.ArrangeCards: message("each arranges their cards"),
    s.RollOut: message("each turns a card up"),
    s.OfferTurnUp: message("each can turn their down card up"),
    s.DealUpOrDown: message("a card each, up for a player who has one down"),
    s.Showdown: message("showdown"),
}
"""The steps that say everything by their kind."""


def _describe_pot(card: RuleCard, options: Options) -> str:
    shares = [_describe_share(share, card, options) for share in card.shares]
    if len(shares) == 1:
        words = t(message("{share}."), share=shares[0])
    else:
        halves = [t(message("half for {share}"), share=share) for share in shares]
        qualifies = any(share.ranking.qualifier is not None for share in card.shares)
        words = t(
            _SPLIT_POT_WITH_QUALIFIER if qualifies else _SPLIT_POT,
            halves="; ".join(halves),
            share=share_name(card.shares[0].name),
        )
    if card.boards > 1:
        words = t(message("{pot} Each of the {boards} boards wins its part of the pot."), pot=words, boards=card.boards)
    return words


_SPLIT_POT = message("{halves}; an odd chip goes to the {share} half.")
_SPLIT_POT_WITH_QUALIFIER = message(
    "{halves}; an odd chip goes to the {share} half, and without a low that qualifies the high hand takes it all."
)


def _describe_share(share: Share, card: RuleCard, options: Options) -> str:
    ranking = ranking_in_force(share.ranking, card, options)
    words = [t(_SCALES[ranking.scale])]
    if ranking.qualifier is not None:
        words.append(t(message("{rank} or better"), rank=rank_name(ranking.qualifier)))
    if ranking.from_hole is not None:
        words.append(_describe_hole_cards(*ranking.from_hole))
    if ranking.order in _CATEGORY_ORDERS and not ranking.is_low:
        words.append(t(_CATEGORY_ORDERS[ranking.order]))
    return join_list(words)


def _describe_hole_cards(minimum: int, maximum: int) -> str:
    known = _HOLE_CARD_RULES.get((minimum, maximum))
    if known is not None:
        return t(known)
    return t(message("with {minimum} to {maximum} hole cards"), minimum=minimum, maximum=maximum)


def special_rules(card: RuleCard, options: Options) -> tuple[str, ...]:
    """What no option says: which cards are wild by their rank or place, what a card dealt up brings, who can open."""
    rules = [*_rules_of_steps_and_options(card, options)]
    rules += [rule for custom in card.customs for rule in custom_rules(custom)]
    return tuple(rule for _, rule in sorted(rules, key=lambda one: one[0]))


def _rules_of_steps_and_options(card: RuleCard, options: Options) -> Iterator[tuple[RuleGroup, str]]:
    if options.first_1 in (FirstOpener.LOW_CARD, FirstOpener.HIGH_CARD) and "bring_in" in card.required_amounts:
        yield RuleGroup.BETTING, t(message("The player who must open pays the bring-in or makes a full bet."))
    wild = wild_cards_in_words(WildCards(options.wild_ranks, options.wild_cards))
    if wild:
        yield RuleGroup.WILD_CARDS, t(message("Wild: {cards}."), cards=join_list(wild))
    if any(isinstance(step, s.DealUpInTurn) for step in card.steps):
        settled = message("What a card dealt up brings or costs is settled before the next card is dealt.")
        yield RuleGroup.SETTLING, t(settled)
    if any(isinstance(step, s.DeclareInSecret) and s.BOTH in step.words for step in card.steps):
        yield RuleGroup.DECLARING, t(message("A player who declares both ways wins both halves or nothing."))


_ALWAYS_DESCRIBED = ("ante", "min_raise")
"""Options that say what a bet is, so they are described even where the game leaves them one value."""


def describe_rules_in_force(card: RuleCard, options: Options) -> dict[str, list[str]]:
    """What the options in force mean, a sentence each, by heading: of those that decide anything at this game (H-2)."""
    chosen = {
        option.field: (option, value)
        for _, option, value in offered_options(card, options)
        if not option.is_text  # which cards are wild stands with the game's special rules
    }
    for option in REGISTER:
        needed = option.field == "ante" or any(isinstance(step, s.BettingRound) for step in card.steps)
        if option.field in _ALWAYS_DESCRIBED and option.field not in chosen and needed:
            chosen[option.field] = (option, str(getattr(options, option.field)))
    in_order = [option.field for option in REGISTER if option.field in chosen]
    groups: dict[Group, list[str]] = {}
    for field in (*in_order, *(own for own in chosen if own not in in_order)):
        option, value = chosen[field]
        groups.setdefault(option.group, []).append(describe_option_value(option, value, card, options))
    return {group_heading(group): meanings for group, meanings in groups.items()}

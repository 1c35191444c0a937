"""The modifiers that can be laid over any game: another deck, wild cards, a limit, a custom. Each makes one rule card of another.

Source: laws VB-9 to VB-13, VC-25, VC-29, K-3, K-4, W-1 to W-5, SP-1.
"""

from collections.abc import Callable

from msgspec import Struct
from msgspec.structs import replace

from bot.engine.cards import DIAMONDS, HEARTS, JACK, KING, RANK_PLURALS, SPADES, TWO
from bot.engine.dealing.decks import max_seats_served
from bot.engine.errors import LawError
from bot.engine.options.presets import PRESETS, apply_preset
from bot.engine.options.values import Ante, DeckKind, FirstOpener, Limit, MinRaise, StraddleRule
from bot.engine.ranking.spec import SpecialHands, WildMethod
from bot.engine.rule_card import RuleCard
from bot.engine.steps import BettingRound, DealBoard, DealDown


class CannotModify(LawError):
    """A modifier does not go with a game, which has the name `game`."""

    game: str


class HasItsOwnDeck(CannotModify, law="VB-10"):
    """The deck of the game cannot be exchanged for another one."""


class StrippedDeckTooSmall(CannotModify, law="P-6"):
    """The stripped deck cannot serve two players."""


class JokerNeedsFullDeck(CannotModify, law="K-3"):
    """A joker is added to the deck of 52 only."""


class HasNoWildCards(CannotModify, law="W-3"):
    """The game has no wild card that could be limited."""


class NoSpecialHands(CannotModify, law="VB-11"):
    """Cats and dogs rank only in high draw and stud."""


class HasNoFlop(CannotModify, law="VC-29"):
    """A bomb pot needs a flop."""


class HasNoBoard(CannotModify, law="VC-29"):
    """Only a game with a board can be dealt two."""


class Modifier(Struct, frozen=True):
    """Something laid over a game.

    Attributes:
        key: as the key of a changed game ends with it, ``joker_bug``.
        name: as the name of a changed game ends with it, ``Joker as Bug``.
        law: its clause or sheet.
        apply: makes the changed game of a game; refuses what does not go together.
        aliases: other words that people type for it.
    """

    key: str
    name: str
    law: str
    apply: Callable[[RuleCard], RuleCard]
    aliases: tuple[str, ...] = ()


def apply_modifier(card: RuleCard, modifier: Modifier) -> RuleCard:
    """Lay a modifier over a game. Key and name say so, unless it changes nothing.

    Raises:
        CannotModify: they do not go together.
    """
    changed = modifier.apply(card)
    if changed == card:
        return card
    return replace(
        changed, key=f"{card.key}+{modifier.key}", name=f"{card.name}, {modifier.name}", aliases=(),
    )  # fmt: skip


def _with_options(card: RuleCard, **changes: object) -> RuleCard:
    return replace(card, options=replace(card.options, **changes))


_STRIPPED_BOARD_SEATS = {2: 9, 4: 6}
"""How many players a stripped deck seats at board games, by the number of hole cards (VB-10, VC-17)."""


def _strip_deck(deck: DeckKind) -> Callable[[RuleCard], RuleCard]:
    def strip(card: RuleCard) -> RuleCard:
        if card.options.deck is not DeckKind.STANDARD_52:
            raise HasItsOwnDeck(game=card.name)
        seats = min(card.seats_max, max_seats_served(card, deck))
        hole_cards = sum(step.count for step in card.steps if isinstance(step, DealDown))
        if any(isinstance(step, DealBoard) for step in card.steps):
            seats = min(seats, _STRIPPED_BOARD_SEATS.get(hole_cards, seats))
        if seats < 2:
            raise StrippedDeckTooSmall(game=card.name)
        return _with_options(replace(card, seats_max=seats, seats_max_on_request=0), deck=deck, max_seats=seats)

    return strip


def _add_joker(method: WildMethod) -> Callable[[RuleCard], RuleCard]:
    def add(card: RuleCard) -> RuleCard:
        if card.options.deck not in (DeckKind.STANDARD_52, DeckKind.WITH_JOKER_53):
            raise JokerNeedsFullDeck(game=card.name)
        return _with_options(card, deck=DeckKind.WITH_JOKER_53, wild_method=method)

    return add


def make_wild(*, ranks: tuple[int, ...] = (), cards: tuple[int, ...] = ()) -> Callable[[RuleCard], RuleCard]:
    """Make ranks or single cards wild, by the method of the game's other wild cards; in a game without any, for every card (W-1, VC-25)."""

    def make(card: RuleCard) -> RuleCard:
        own = card.options
        return _with_options(
            card,
            wild_method=WildMethod.FREE if own.wild_method is WildMethod.NONE else own.wild_method,
            wild_ranks=tuple(sorted({*own.wild_ranks, *ranks})),
            wild_cards=tuple(sorted({*own.wild_cards, *cards})),
        )

    return make


def _forbid_duplicates(card: RuleCard) -> RuleCard:
    if card.options.wild_method is WildMethod.NONE:
        raise HasNoWildCards(game=card.name)
    return _with_options(card, wild_method=WildMethod.NO_DUPLICATE)


def _add_cats_dogs(card: RuleCard) -> RuleCard:
    board = any(isinstance(step, DealBoard) for step in card.steps)
    if board or all(share.ranking.is_low or share.ranking.size != 5 for share in card.shares):
        raise NoSpecialHands(game=card.name)
    return _with_options(card, special=SpecialHands.CATS_DOGS)


def _set_limit(limit: Limit, min_raise: MinRaise) -> Callable[[RuleCard], RuleCard]:
    return lambda card: _with_options(card, limit=limit, min_raise=min_raise)


def _make_strict(card: RuleCard) -> RuleCard:
    return replace(card, options=apply_preset(card.options, PRESETS["strict"]))


def _make_bomb_pot(card: RuleCard) -> RuleCard:
    """Everybody antes, and there is no betting before the flop (VC-29)."""
    first = next((at for at, step in enumerate(card.steps) if isinstance(step, BettingRound)), 0)
    if not any(isinstance(step, DealBoard) for step in card.steps[first:]):
        raise HasNoFlop(game=card.name)
    return _with_options(
        replace(card, steps=card.steps[:first] + card.steps[first + 1 :], family="bomb pot", button_blind=False),
        ante=Ante.EVERYONE, first_1=FirstOpener.LEFT_OF_DEALER, straddle=StraddleRule.OFF,
    )  # fmt: skip


def _double_board(card: RuleCard) -> RuleCard:
    """Two boards, each for half of every pot (VC-29)."""
    if not any(isinstance(step, DealBoard) for step in card.steps):
        raise HasNoBoard(game=card.name)
    doubled = replace(card, boards=2, seats_max_on_request=0)
    seats = min(card.seats_max, max_seats_served(doubled, card.options.deck))
    return _with_options(replace(doubled, seats_max=seats), max_seats=seats)


_ONE_EYED = (JACK * 4 + HEARTS, JACK * 4 + SPADES, KING * 4 + DIAMONDS)

MODIFIERS: tuple[Modifier, ...] = (
    Modifier(
        "36", "36-Card Deck", "VB-10", _strip_deck(DeckKind.STRIPPED_36), ("stripped", "36 cards", "36-card pack")
    ),
    Modifier("32", "32-Card Deck", "VB-10", _strip_deck(DeckKind.STRIPPED_32), ("32 cards", "32-card pack")),
    Modifier(
        "joker_bug",
        "Joker as Bug",
        "W-4",
        _add_joker(WildMethod.BUG),
        ("bug", "the bug", "the joker as bug", "joker as bug"),
    ),
    Modifier("joker_wild", "Joker Wild", "W-5", _add_joker(WildMethod.FREE), ("joker", "joker free", "the joker wild")),
    Modifier(
        "joker_once", "Joker for a Card Not Held", "W-3", _add_joker(WildMethod.NO_DUPLICATE), ("joker no duplicate",)
    ),
    *(
        Modifier(
            f"{ranks}_wild",
            f"{ranks.capitalize()} Wild",
            "VC-25" if rank == TWO else "W-1",
            make_wild(ranks=(rank,)),
            (f"{ranks}_are_wild",),
        )
        for rank, ranks in enumerate(RANK_PLURALS)
    ),
    Modifier("one_eyed_jacks_wild", "One-Eyed Jacks Wild", "W-1", make_wild(cards=_ONE_EYED[:2])),
    Modifier("one_eyes_wild", "One-Eyes Wild", "W-1", make_wild(cards=_ONE_EYED)),
    Modifier("no_duplicate", "No Duplicates", "W-3", _forbid_duplicates, ("no duplicates",)),
    Modifier("cats_dogs", "Cats and Dogs", "VB-11", _add_cats_dogs, ("dogs and cats",)),
    Modifier("doubling", "Doubling", "VB-12", _set_limit(Limit.DOUBLING_FLAT, MinRaise.BY_LADDER), ("doubling limit",)),
    Modifier("limit", "Limit", "L-7", _set_limit(Limit.LIMIT, MinRaise.BY_LIMIT), ("fixed limit",)),
    Modifier("pot_limit", "Pot-Limit", "TL-19", _set_limit(Limit.POT_LIMIT, MinRaise.LAST_RAISE)),
    Modifier("no_limit", "No-Limit", "L-8", _set_limit(Limit.NO_LIMIT, MinRaise.LAST_RAISE)),
    Modifier("stake_limit", "Stake Limit", "L-2", _set_limit(Limit.STAKE_LIMIT, MinRaise.ONE_CHIP)),
    Modifier("strict", "Strict", "VB-13", _make_strict),
    Modifier("bomb", "Bomb Pot", "VC-29", _make_bomb_pot, ("bomb pot",)),
    Modifier("double_board", "Double Board", "VC-29", _double_board),
)
"""Everything that can be laid over a game. `bot.text.game_names` says in a sentence what each does."""

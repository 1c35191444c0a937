"""What may be laid over any game: another pack, wild cards, a limit, a custom. Each is a function from rule card to rule card.

Source: laws VB-9 to VB-13, VC-25, VC-29, K-3, K-4, W-1 to W-5, SP-1.
"""

from collections.abc import Callable

from msgspec import Struct
from msgspec.structs import replace

from bot.engine.card import RuleCard
from bot.engine.cards import DIAMONDS, HEARTS, JACK, KING, RANK_NAMES, RANK_PLURALS, SPADES
from bot.engine.errors import LawError
from bot.engine.options import (
    Ante,
    Deck,
    FirstOpener,
    Limit,
    MinRaise,
    Special,
    Straddle,
    WildMethod,
)  # fmt: skip
from bot.engine.packs import seats_served
from bot.engine.presets import PRESETS, laid_over
from bot.engine.steps import BetStep, DealBoard, DealDown


class CannotModify(LawError):
    """This cannot be laid over that game. `game` is its name, `word` what was asked for, `because` half a sentence."""

    law = "H-2"

    def __init__(self, *, game: str, word: str, law: str, because: str) -> None:
        super().__init__(f"{word} does not go with {game}: {because}")
        self.law = law  # type: ignore[misc]
        self.game, self.word, self.because = game, word, because


class Modifier(Struct, frozen=True):
    """Something laid over a game.

    Attributes:
        word: as a game's key has it, ``joker_bug``.
        name: as a game's name ends with it, ``Joker as Bug``; spoken: other words for it.
        law: its clause or sheet.
        about: what it does, in one sentence.
        change: from a game to the changed game; refuses what does not go together.
    """

    word: str
    name: str
    law: str
    about: str
    change: Callable[[RuleCard], RuleCard]
    spoken: tuple[str, ...] = ()


def modified(card: RuleCard, modifier: Modifier) -> RuleCard:
    """Lay a modifier over a game; key and name say so, unless it changes nothing.

    Raises:
        CannotModify: they do not go together.
    """
    changed = modifier.change(card)
    if changed == card:
        return card
    return replace(
        changed, key=f"{card.key}+{modifier.word}", name=f"{card.name}, {modifier.name}", aliases=(),
    )  # fmt: skip


def _options(card: RuleCard, **changes: object) -> RuleCard:
    return replace(card, options=replace(card.options, **changes))


_BOARD_SEATS = {2: 9, 4: 6}
"""How many a stripped pack seats at board games, by own cards (VB-10, VC-17)."""


def _stripped(deck: Deck) -> Callable[[RuleCard], RuleCard]:
    def strip(card: RuleCard) -> RuleCard:
        if card.options.deck is not Deck.STANDARD_52:
            raise CannotModify(game=card.name, word=f"+{deck}", law="VB-10", because="it has a pack of its own")
        seats = min(card.seats_max, seats_served(card, deck))
        own = sum(step.count for step in card.steps if isinstance(step, DealDown))
        if any(isinstance(step, DealBoard) for step in card.steps):
            seats = min(seats, _BOARD_SEATS.get(own, seats))
        if seats < 2:
            raise CannotModify(game=card.name, word=f"+{deck}", law="P-6", because="the pack cannot serve two players")
        return _options(replace(card, seats_max=seats, seats_most=0), deck=deck, max_seats=seats)

    return strip


def _joker(method: WildMethod) -> Callable[[RuleCard], RuleCard]:
    def add(card: RuleCard) -> RuleCard:
        if card.options.deck not in (Deck.STANDARD_52, Deck.WITH_JOKER_53):
            raise CannotModify(
                game=card.name, word="the joker", law="K-3", because="a joker is added to the pack of 52 alone"
            )
        return _options(card, deck=Deck.WITH_JOKER_53, wild_method=method)

    return add


def wild(*, ranks: tuple[int, ...] = (), cards: tuple[int, ...] = ()) -> Callable[[RuleCard], RuleCard]:
    """Make ranks or single cards wild, as freely as the game's other wild cards; in a game without, for any card (W-1, VC-25)."""

    def make(card: RuleCard) -> RuleCard:
        known = card.options
        return _options(
            card,
            wild_method=WildMethod.FREE if known.wild_method is WildMethod.NONE else known.wild_method,
            wild_ranks=tuple(sorted({*known.wild_ranks, *ranks})),
            wild_cards=tuple(sorted({*known.wild_cards, *cards})),
        )

    return make


def _no_duplicate(card: RuleCard) -> RuleCard:
    if card.options.wild_method is WildMethod.NONE:
        raise CannotModify(game=card.name, word="no duplicates", law="W-3", because="it has no wild card")
    return _options(card, wild_method=WildMethod.NO_DUPLICATE)


def _cats_dogs(card: RuleCard) -> RuleCard:
    board = any(isinstance(step, DealBoard) for step in card.steps)
    if board or all(share.ranking.is_low or share.ranking.size != 5 for share in card.shares):
        raise CannotModify(game=card.name, word="cats and dogs", law="VB-11", because="they rank in high draw and stud")
    return _options(card, special=Special.CATS_DOGS)


def _limit(limit: Limit, min_raise: MinRaise) -> Callable[[RuleCard], RuleCard]:
    return lambda card: _options(card, limit=limit, min_raise=min_raise)


def _strict(card: RuleCard) -> RuleCard:
    return replace(card, options=laid_over(card.options, PRESETS["strict"]))


def _bomb(card: RuleCard) -> RuleCard:
    """Everybody antes and there is no interval before the flop (VC-29)."""
    first = next((at for at, step in enumerate(card.steps) if isinstance(step, BetStep)), 0)
    if not any(isinstance(step, DealBoard) for step in card.steps[first:]):
        raise CannotModify(game=card.name, word="a bomb pot", law="VC-29", because="it has no flop")
    return _options(
        replace(card, steps=card.steps[:first] + card.steps[first + 1 :], family="bomb pot", button_blind=False),
        ante=Ante.EVERYONE, first_1=FirstOpener.LEFT_OF_DEALER, straddle=Straddle.OFF,
    )  # fmt: skip


def _double_board(card: RuleCard) -> RuleCard:
    """Two boards, each for half of every pot (VC-29)."""
    if not any(isinstance(step, DealBoard) for step in card.steps):
        raise CannotModify(game=card.name, word="a double board", law="VC-29", because="it has no board")
    doubled = replace(card, boards=2, seats_most=0)
    seats = min(card.seats_max, seats_served(doubled, card.options.deck))
    return _options(replace(doubled, seats_max=seats), max_seats=seats)


_ONE_EYED = (JACK * 4 + HEARTS, JACK * 4 + SPADES, KING * 4 + DIAMONDS)

MODIFIERS: tuple[Modifier, ...] = (
    Modifier("36", "36-Card Pack", "VB-10", "Sixes to aces only.", _stripped(Deck.STRIPPED_36), ("stripped", "36 cards")),
    Modifier("32", "32-Card Pack", "VB-10", "Sevens to aces only.", _stripped(Deck.STRIPPED_32), ("32 cards",)),
    Modifier(
        "joker_bug", "Joker as Bug", "W-4", "A joker is added: an ace, or it fills a straight, flush or special hand.",
        _joker(WildMethod.BUG), ("bug", "the bug", "the joker as bug", "joker as bug"),
    ),
    Modifier(
        "joker_wild", "Joker Wild", "W-5", "A joker is added that stands for any card.",
        _joker(WildMethod.FREE), ("joker", "joker free", "the joker wild"),
    ),
    Modifier(
        "joker_once", "Joker for a Card Not Held", "W-3", "A joker is added that stands for any card its holder does not hold.",
        _joker(WildMethod.NO_DUPLICATE), ("joker no duplicate",),
    ),
    *(
        Modifier(
            f"{plural}_wild", f"{plural.capitalize()} Wild", "VC-25" if rank == 0 else "W-1", f"Every {RANK_NAMES[rank]} is wild.",
            wild(ranks=(rank,)), (f"{plural} are wild",),
        )
        for rank, plural in enumerate(RANK_PLURALS)
    ),
    Modifier(
        "one_eyed_jacks_wild", "One-Eyed Jacks Wild", "W-1", "The jacks of hearts and spades are wild.", wild(cards=_ONE_EYED[:2]),
    ),
    Modifier(
        "one_eyes_wild", "One-Eyes Wild", "W-1", "The jacks of hearts and spades and the king of diamonds are wild.", wild(cards=_ONE_EYED),
    ),
    Modifier(
        "no_duplicate", "No Duplicates", "W-3", "A wild card stands for a card its holder does not hold.", _no_duplicate,
        ("no duplicates",),
    ),
    Modifier("cats_dogs", "Cats and Dogs", "VB-11", "Cats and dogs rank between straight and flush.", _cats_dogs, ("dogs and cats",)),
    Modifier(
        "doubling", "Doubling", "VB-12", "Stakes double a few times and then stay.",
        _limit(Limit.DOUBLING_FLAT, MinRaise.BY_LADDER), ("doubling limit",),
    ),
    Modifier("limit", "Limit", "L-7", "Every bet has the size of its street.", _limit(Limit.LIMIT, MinRaise.BY_LIMIT), ("fixed limit",)),
    Modifier("pot_limit", "Pot-Limit", "TL-19", "A bet may be as large as the pot.", _limit(Limit.POT_LIMIT, MinRaise.LAST_RAISE)),
    Modifier("no_limit", "No-Limit", "L-8", "A bet may be all one has.", _limit(Limit.NO_LIMIT, MinRaise.LAST_RAISE)),
    Modifier(
        "stake_limit", "Stake Limit", "L-2", "No raise adds more than the limit.", _limit(Limit.STAKE_LIMIT, MinRaise.ONE_CHIP),
    ),
    Modifier("strict", "Strict", "VB-13", "The old laws unsoftened: no all-in, wild cards are named, early chips are held.", _strict),
    Modifier("bomb", "Bomb Pot", "VC-29", "Everybody antes and the flop comes at once.", _bomb, ("bomb pot",)),
    Modifier("double_board", "Double Board", "VC-29", "Two boards, each for half of every pot.", _double_board),
)  # fmt: skip

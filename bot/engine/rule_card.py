"""The rule card: a whole game of poker as data.

What a card leaves open, the table's options and stakes say; what they leave open, the law book's defaults say (laws
0.4, 0.5).
"""

from typing import TypeVar, get_args

from msgspec import Struct
from msgspec.structs import replace

from bot.engine import steps
from bot.engine.custom import Custom
from bot.engine.customs import AnyCustom
from bot.engine.options.types import Options
from bot.engine.ranking import Ranking

_Kind = TypeVar("_Kind", bound=Custom)


class Share(Struct, frozen=True):
    """One share of every pot and the ranking that wins it. The first share listed gets the odd chip when a pot is
    halved (TL-23)."""

    name: str
    ranking: Ranking


class RuleCard(Struct, frozen=True, tag_field="version", tag=2, omit_defaults=True, forbid_unknown_fields=True):
    """A game. It is stored with the version of its form; `bot.engine.old_cards` reads those of older versions.

    Attributes:
        key: what commands and files call it, in small letters: ``holdem``.
        name: what people call it: ``Texas hold'em``.
        law_id: id of its sheet in the law book: ``VB-6``.
        family: ``hold'em``, ``omaha``, ``draw``, ``stud``, ``lowball``, ``home`` …, for lists.
        seats_min, seats_max: how many can play; P-6 can allow fewer.
        steps: what the dealer does, in order.
        shares: how each pot is shared: one share, or high and low.
        options: the game's own defaults; the table's choice takes precedence.
        customs: the game's own rules, each kind once, in the order of `AnyCustom`.
        boards: common boards dealt side by side (e22).
        aliases: other names people can type.
        seats_max_on_request: the number a host can ask for beyond the usual one (0.4, P-2, P-3); 0: no more than
            `seats_max`.
        required_amounts: amounts the game needs beside those of its options, as fields of `Stakes` (H-4).
    """

    key: str
    name: str
    law_id: str
    family: str
    seats_min: int
    seats_max: int
    steps: tuple[steps.AnyStep, ...]
    shares: tuple[Share, ...]
    options: Options
    customs: tuple[AnyCustom, ...] = ()
    boards: int = 1
    aliases: tuple[str, ...] = ()
    seats_max_on_request: int = 0
    required_amounts: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Refuse a custom that is there twice.

        Raises:
            ValueError: two customs are of one kind.
        """
        if len({type(custom) for custom in self.customs}) < len(self.customs):
            raise ValueError("a custom is there twice")

    @property
    def has_single_board(self) -> bool:
        """Whether common cards go to one single board, which can be run twice (TL-25)."""
        return self.boards == 1 and any(isinstance(step, steps.DealBoard) for step in self.steps)

    @property
    def amounts(self) -> tuple[str, ...]:
        """The amounts that the game counts with beside those of its options, required or not."""
        return (*self.required_amounts, *(amount for custom in self.customs for amount in custom.amounts))

    def custom(self, kind: type[_Kind]) -> _Kind | None:
        """Return the game's custom of this kind, or None."""
        for custom in self.customs:  # a generator would cost more than the question
            if isinstance(custom, kind):
                return custom
        return None

    def has_custom(self, kind: type[Custom]) -> bool:
        return self.custom(kind) is not None


_KINDS = get_args(AnyCustom)


def with_custom(card: RuleCard, custom: AnyCustom) -> RuleCard:
    """Return the game with a custom, in place of its own one of this kind."""
    others = without_custom(card, type(custom)).customs
    return replace(card, customs=tuple(sorted((*others, custom), key=lambda one: _KINDS.index(type(one)))))


def without_custom(card: RuleCard, kind: type[Custom]) -> RuleCard:
    """Return the game without its custom of this kind."""
    return replace(card, customs=tuple(custom for custom in card.customs if not isinstance(custom, kind)))

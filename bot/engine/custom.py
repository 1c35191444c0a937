"""A custom: a rule of its own that a game has beside its steps, its shares and its options.

Each kind has a file in `bot.engine.customs`. Here is what the engine asks of all of them, with the answer of one that changes nothing; what
a single kind can answer is asked of `RuleCard.custom`.

Source: laws 0.4.
"""

from collections.abc import Iterable
from typing import Annotated, ClassVar, NamedTuple

from msgspec import Meta, Struct

from bot.engine.cards import ACE, TWO

Rank = Annotated[int, Meta(ge=TWO, le=ACE)]
"""A rank that a custom names; anything else is refused when a card is read."""


class WildRanks(NamedTuple):
    """The ranks that cards of the hand have made wild. `next_card_names_one`: the next card dealt face up makes its rank wild."""

    ranks: tuple[int, ...] = ()
    next_card_names_one: bool = False


class Custom(Struct, frozen=True, tag=True, omit_defaults=True):
    """A custom. It is stored with the rule card, under the name of its type.

    Attributes:
        makes_cards_wild: cards other than a joker can become wild in the hand.
        varies_ranking: what a card counts as depends on the cards of the hand.
        rules_joker: what the joker stands for is not the table's choice.
        keeps_ranks: a table cannot choose a deck of other ranks.
        fixes_ante: who pays the ante is not the table's choice.
        posts_blind: somebody posts a blind beside the antes, so betting begins on their left and nobody passes the hand out.
        needs_openers: a hand that nobody can open is dealt again.
        restricts_raises: it can keep a seat from betting or raising.
        amounts: fields of `Stakes` that it counts with but does not require.
    """

    makes_cards_wild: ClassVar[bool] = False
    varies_ranking: ClassVar[bool] = False
    rules_joker: ClassVar[bool] = False
    keeps_ranks: ClassVar[bool] = False
    fixes_ante: ClassVar[bool] = False
    posts_blind: ClassVar[bool] = False
    needs_openers: ClassVar[bool] = False
    restricts_raises: ClassVar[bool] = False
    amounts: ClassVar[tuple[str, ...]] = ()

    def requires(self, _amount: str) -> bool:
        """Whether an amount that the rule card asks for must be set; `_amount` is a field of `Stakes`."""
        return True

    def wild_after_up_card(self, _rank: int, before: WildRanks) -> WildRanks:
        """Return what is wild after a card of this rank is dealt face up."""
        return before

    def wild_board_ranks(self, _first_card: int) -> tuple[int, ...]:
        """Return the ranks that the first common card makes wild."""
        return ()

    def wild_board_cards(self, _board: tuple[int, ...]) -> tuple[int, ...]:
        """Return the single common cards that are wild."""
        return ()

    def voids_hand(self, _up_ranks: Iterable[int]) -> bool:
        """Whether a hand with cards of these ranks face up at the showdown does not count. More of them never make it so."""
        return False

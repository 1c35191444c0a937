"""The rank that names wild cards: Follow the Queen (laws VC-23)."""

from collections.abc import Iterable

from bot.engine.custom import Custom, Rank, WildRanks


class FollowRank(Custom, frozen=True):
    """After a card of `rank` is dealt face up, the next card face up makes its rank wild, in place of the one before. As the last one face
    up it leaves only itself wild.

    Attributes:
        clearing_rank: a rank that, dealt face up, takes that name away again.
        redeals_without: without a card of `rank` face up at the showdown the hand does not count.
    """

    rank: Rank
    clearing_rank: Rank | None = None
    redeals_without: bool = False

    makes_cards_wild = varies_ranking = True

    def wild_after_up_card(self, rank: int, before: WildRanks) -> WildRanks:
        if rank in (self.rank, self.clearing_rank):
            return WildRanks((), rank == self.rank)
        return WildRanks((rank,)) if before.next_card_names_one else before

    def voids_hand(self, up_ranks: Iterable[int]) -> bool:
        return self.redeals_without and self.rank not in up_ranks

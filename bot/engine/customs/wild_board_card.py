"""The common card that is wild: Spit in the Ocean (laws VC-21)."""

from bot.engine.custom import Custom


class WildBoardCard(Custom, frozen=True):
    """The first common card is wild; `with_its_rank`: and so is every card of its rank."""

    with_its_rank: bool = False

    makes_cards_wild = varies_ranking = True

    def wild_board_ranks(self, first_card: int) -> tuple[int, ...]:
        return (first_card >> 2,) if self.with_its_rank else ()

    def wild_board_cards(self, board: tuple[int, ...]) -> tuple[int, ...]:
        return () if self.with_its_rank else board[:1]

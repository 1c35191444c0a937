"""Cards that cost or bring something when they are dealt face up: baseball (laws VC-24)."""

from bot.engine.custom import Custom, Rank


class PricedRank(Custom, frozen=True):
    """A card of `rank` must be paid for, with the set price, or with as much as the pot holds if `costs_pot`."""

    rank: Rank
    costs_pot: bool = False

    def requires(self, amount: str) -> bool:
        return amount != "price" or not self.costs_pot


class ExtraCardRank(Custom, frozen=True):
    """A card of `rank` brings its player one more card, face up unless `face_down`."""

    rank: Rank
    face_down: bool = False

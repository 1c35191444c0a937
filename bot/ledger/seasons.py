"""What becomes of chips when a season ends: everybody keeps them, starts again with the same, or carries a part over.

Chips on tables are of the old season too. They stay there until the hand is over, and what of them comes back to a wallet afterwards is
treated as wallets were: nobody gains by having had chips on a table. What is brought to a table after the end is of the new season.
"""

from collections.abc import Container, Sequence

from bot.house.seasons import SeasonChips
from bot.ledger.accounts import Transfer, TransferReason, mint_account, transfers_for, wallet_account


def season_transfers(
    rule: SeasonChips, wallets: Sequence[tuple[int, int]], note: str, *, played: Container[int]
) -> tuple[Transfer, ...]:
    """Return what moves between the mint and wallets at the end of a season.

    Args:
        wallets: users and the chips of their wallets.
        played: who has played in the season.
    """
    found: list[Transfer] = []
    for user, chips in wallets:
        wallet, change = wallet_account(user), rule.wallet_after(chips, has_played=user in played) - chips
        ends = (mint_account(), wallet) if change > 0 else (wallet, mint_account())
        found += transfers_for(*ends, abs(change), TransferReason.SEASON, note)
    return tuple(found)


def taken_on_return(chips: int, brought: int, carried: int) -> int:
    """Return how many of the chips that come back from a table to a wallet are not carried over into the new season.

    Args:
        brought: chips that the player has brought there since the old season ended.
        carried: in percent.
    """
    old = max(0, chips - brought)
    return old - old * carried // 100

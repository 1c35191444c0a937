"""What a table plays for, in words: the short form of headings, and the name of each amount."""

from __future__ import annotations

from bot.engine.options.values import Ante, Limit
from bot.engine.stakes import Stakes, bet_sizes
from bot.text.language import Message, message, t

AMOUNT_NAMES: dict[str, Message] = {
    "ante": message("ante"),
    "straddle": message("forced straddle"),
    "small_blind": message("small blind"),
    "big_blind": message("big blind"),
    "small_bet": message("small bet"),
    "big_bet": message("big bet"),
    "bring_in": message("bring-in"),
    "limit": message("maximum raise"),
    "doublings": message("number of doublings"),
    "min_bet": message("minimum bet"),
    "price": message("price of a card"),
    "cap": message("maximum to match"),
    "limit_after_draw": message("maximum raise after the draw"),
    "min_buyin": message("minimum buy-in"),
    "max_buyin": message("maximum buy-in"),
    "turn_seconds": message("seconds per action"),
    "bank_seconds": message("time bank"),
    "button_blind": message("button blind"),
}
"""Every field of `Stakes` inside a sentence."""

_NAMED_AMOUNT = message("{name} {chips:,}")  # Translators: small blind 50
_BLINDS_OR_BETS = message("{small:,}/{big:,}")
_WITH_ANTE = message("{stakes} ante {ante:,}")  # Translators: 50/100 ante 5
_ANTE = message("ante {ante:,}")
_ANTE_AND_LIMIT = message("ante {ante:,}, raises up to {limit:,}")
_LIMIT_WITHOUT_ANTE = message("{small:,}/{big:,} no ante")
_STAKE_LIMIT_WITHOUT_ANTE = message("no ante, raises up to {limit:,}")
_BETS_WITHOUT_ANTE = message("no ante, bets from {chips:,}")


def amount_name(field: str) -> str:
    """The name of an amount of `Stakes` inside a sentence: ``big blind``."""
    return t(AMOUNT_NAMES[field])


def named_amount(field: str, chips: int) -> str:
    """An amount with its name: ``small blind 50``."""
    return t(_NAMED_AMOUNT, name=amount_name(field), chips=chips)


def blinds(stakes: Stakes) -> str:
    """Both blinds: ``50/100``."""
    return t(_BLINDS_OR_BETS, small=stakes.small_blind, big=stakes.big_blind)


def fixed_bets(stakes: Stakes) -> str:
    """The two bet sizes of limit play: ``100/200``."""
    small, big = bet_sizes(stakes)
    return t(_BLINDS_OR_BETS, small=small, big=big)


def short_stakes(stakes: Stakes, *, ante: str, limit: str) -> str:
    """The stakes in a few signs: ``50/100``, ``100/200 ante 25``, ``ante 25, raises up to 200``.

    Args:
        ante: who antes, a value of `Ante`.
        limit: how bets are limited, a value of `Limit`.
    """
    if ante == Ante.NONE:
        return _short_stakes_without_ante(stakes, limit)
    if limit != Limit.LIMIT and not stakes.big_blind:
        if limit == Limit.STAKE_LIMIT:
            return t(_ANTE_AND_LIMIT, ante=stakes.ante, limit=stakes.limit)
        return t(_ANTE, ante=stakes.ante)
    sizes = fixed_bets(stakes) if limit == Limit.LIMIT else blinds(stakes)
    return t(_WITH_ANTE, stakes=sizes, ante=stakes.ante) if stakes.ante else sizes


def _short_stakes_without_ante(stakes: Stakes, limit: str) -> str:
    match limit:
        case Limit.LIMIT:
            small, big = bet_sizes(stakes)
            return t(_LIMIT_WITHOUT_ANTE, small=small, big=big)
        case Limit.STAKE_LIMIT:
            return t(_STAKE_LIMIT_WITHOUT_ANTE, limit=stakes.limit)
        case Limit.DOUBLING_FLAT:
            return t(_BETS_WITHOUT_ANTE, chips=2 * stakes.ante)  # the first rung of the ladder (L-6)
        case _:
            return t(_BETS_WITHOUT_ANTE, chips=stakes.min_bet)

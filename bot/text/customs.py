"""The words of customs: what a game's own rule says, in a sentence or two."""

from __future__ import annotations

from collections.abc import Iterator
from enum import IntEnum
from typing import assert_never

from bot.engine import customs as c
from bot.text.cards import rank_name, rank_plural
from bot.text.language import message, t


class RuleGroup(IntEnum):
    """What a special rule is about, in the order in which special rules are told."""

    BETTING = 0
    WILD_CARDS = 1
    UP_CARDS = 2
    SETTLING = 3
    POT = 4
    DECLARING = 5


def custom_rules(custom: c.AnyCustom) -> Iterator[tuple[RuleGroup, str]]:
    """Yield the sentences of a custom and what they are about."""
    match custom:
        case c.ButtonBlind():
            rule = message("The button also posts a live blind: one ante, or what the table has set.")
            yield RuleGroup.BETTING, t(rule)
        case c.Openers():
            rule = message(
                "A pair of {ranks} or better opens, and is shown at the end. "
                "After a hand that nobody opens, the next one needs a pair one rank higher, up to aces."
            )
            yield RuleGroup.BETTING, t(rule, ranks=rank_plural(custom.rank))
        case c.ForbidsCheckRaise():
            yield RuleGroup.BETTING, t(message("A player who has checked cannot raise."))
        case c.WildBoardCard(with_its_rank=True):
            yield RuleGroup.WILD_CARDS, t(message("The first community card makes its rank wild."))
        case c.WildBoardCard():
            yield RuleGroup.WILD_CARDS, t(message("The first community card is wild."))
        case c.FaceUpJokerIsBug():
            yield RuleGroup.WILD_CARDS, t(message("A joker face down stands for any card, face up it is the bug."))
        case c.FollowRank():
            for said in _follow_rank(custom):
                yield RuleGroup.WILD_CARDS, said
        case c.PricedRank():
            rule = (
                message("A {rank} dealt up costs as much as the pot holds: pay or fold.")
                if custom.costs_pot
                else message("A {rank} dealt up costs the set price: pay or fold.")
            )
            yield RuleGroup.UP_CARDS, t(rule, rank=rank_name(custom.rank))
        case c.ExtraCardRank():
            rule = (
                message("A {rank} dealt up brings one more card, face down.")
                if custom.face_down
                else message("A {rank} dealt up brings one more card, face up.")
            )
            yield RuleGroup.UP_CARDS, t(rule, rank=rank_name(custom.rank))
        case c.LosersMatchPot():
            rule = message(
                "If only one player is in, they take the pot. If nobody is in, it waits for the next hand. "
                "Players who stay in and lose pay as much as the pot held, up to the cap, into the next pot."
            )
            yield RuleGroup.POT, t(rule)
        case c.AceAlsoLow() | c.DoorCardTiesBySuit():
            pass  # `bot.text.describe_game` says it with the option that it is an exception to
        case _:
            assert_never(custom)


def _follow_rank(custom: c.FollowRank) -> Iterator[str]:
    names = {"rank": rank_name(custom.rank), "ranks": rank_plural(custom.rank)}
    rule = message(
        "The next card dealt up after a {rank} makes its rank wild, in place of the one before; "
        "a {rank} as the last card up leaves only {ranks} wild."
    )
    yield t(rule, **names)
    if custom.clearing_rank is not None:
        clearing = rank_name(custom.clearing_rank)
        yield t(message("A {clearing} dealt up leaves only {ranks} wild."), clearing=clearing, **names)
    if custom.redeals_without:
        yield t(message("If no {rank} comes up, the hand doesn't count."), **names)

"""Whose turn it is and what they face: the line under a table, the note beside a seat, and the nudge."""

from __future__ import annotations

from msgspec import Struct

from bot.engine.legal import Decision, LegalActions
from bot.text.language import Message, Plural, message, plural, t

FACT_SEPARATOR = " · "
"""Stands between facts that do not make one sentence."""


class TurnWording(Struct, frozen=True):
    """How a decision is announced.

    Attributes:
        line: under the table.
        nudge: in the message that calls the players.
    """

    line: Message | Plural
    nudge: Message | Plural


_TO_ACT = TurnWording(message("▶ {players} **to act**"), message("{players}, your turn"))

TURNS: dict[Decision, TurnWording] = {
    Decision.NONE: _TO_ACT,
    Decision.BET: _TO_ACT,
    Decision.STRADDLE: TurnWording(message("▶ {players} **can straddle**"), message("{players}, you can straddle")),
    Decision.DRAW: TurnWording(message("▶ {players} **to draw**"), message("{players}, your turn to draw")),
    Decision.GIVE_UP: TurnWording(
        plural("▶ {players} **to discard {count} card**", "▶ {players} **to discard {count} cards**"),
        plural("{players}, your turn to discard {count} card", "{players}, your turn to discard {count} cards"),
    ),
    Decision.PASS_CARDS: TurnWording(
        plural("▶ {players} **to pass {count} card**", "▶ {players} **to pass {count} cards**"),
        plural("{players}, your turn to pass {count} card", "{players}, your turn to pass {count} cards"),
    ),
    Decision.ARRANGE: TurnWording(
        message("▶ {players} **to arrange the cards**"), message("{players}, your turn to arrange the cards")
    ),
    Decision.DECLARE: TurnWording(message("▶ {players} **to declare**"), message("{players}, your turn to declare")),
    Decision.OFFER: TurnWording(message("▶ {players} **to answer**"), message("{players}, your turn")),
    Decision.RUN_TWICE: TurnWording(
        message("▶ {players}: **deal the rest once or twice?**"), message("{players}: deal the rest once or twice?")
    ),
    Decision.SHOW: TurnWording(message("▶ {players} **to show**"), message("{players}, your turn to show")),
}
"""Every decision. Those that several players make at once name them all."""

PRIVATE_DECISIONS = frozenset(
    {Decision.DRAW, Decision.GIVE_UP, Decision.PASS_CARDS, Decision.ARRANGE, Decision.DECLARE, Decision.RUN_TWICE}
)
"""Decisions that are made in private."""

CHOOSING = message("choosing")
WAITING = message("waiting")

_CAN_CHECK = message("can check")
TO_CALL = message("{chips:,} to call")
_TO_CALL_ALL_IN = message("{chips:,} to call, all-in for less")
_TO_CALL_BEFORE_DRAW = message("{chips:,} to call before the draw")
_TO_OPEN = message("{chips:,} to open")
_BRING_IN_OR_BET = message("must open: {bring_in:,} or {to:,}")
_BRING_IN_OR_MORE = message("must open: {bring_in:,}, or {to:,} and more")
_BRING_IN = message("must open: {bring_in:,}")
_STRADDLE = message("straddle to {chips:,}")
_PRICE = message("pay {chips:,} for the card, or fold")
_TURN_UP = message("turn the down card up, or keep it down")
_DESIGNATE = message("choose what wild cards stand for")

_ENDS = message("ends {time}")
_TIME_BANK_ENDS = message("time bank ends {time}")
TIME_BANK = message("-# Time bank {seconds} s")


def turn_line(players: str, legal: LegalActions | None) -> str:
    """Say who is to act: ``▶ @river_rat **to act**``. `players` are mentions, joined."""
    decision, count = (legal.decision, legal.max_cards) if legal is not None else (Decision.NONE, 0)
    return t(TURNS[decision].line, players=players, count=count)


_YOUR_TURN = message("▶ **Your turn**")
OWN_TURNS: dict[Decision, Message | Plural] = {
    Decision.STRADDLE: message("▶ **You can straddle**"),
    Decision.DRAW: message("▶ **Your turn to draw**"),
    Decision.GIVE_UP: plural("▶ **Discard {count} card**", "▶ **Discard {count} cards**"),
    Decision.PASS_CARDS: plural("▶ **Pass {count} card**", "▶ **Pass {count} cards**"),
    Decision.ARRANGE: message("▶ **Arrange your cards**"),
    Decision.DECLARE: message("▶ **Declare**"),
    Decision.RUN_TWICE: message("▶ **Deal the rest once or twice?**"),
    Decision.SHOW: message("▶ **Your turn to show**"),
}
"""Decisions that the player alone is told about in words of their own."""


def own_turn(legal: LegalActions) -> str:
    """Tell the player to act that it is their turn: ``▶ **Your turn**``."""
    return t(OWN_TURNS.get(legal.decision, _YOUR_TURN), count=legal.max_cards)


def nudge(players: str, legal: LegalActions | None, facts: list[str]) -> str:
    """Call the players to act: ``@river_rat, your turn — 1,025 to call · in 12 seconds``."""
    decision, count = (legal.decision, legal.max_cards) if legal is not None else (Decision.NONE, 0)
    called = t(TURNS[decision].nudge, players=players, count=count)
    return f"{called} — {FACT_SEPARATOR.join(facts)}" if facts else called


def facing(legal: LegalActions, *, before_draw: bool = False) -> str:
    """Say what the seat to act faces: ``1,025 to call``; empty where there is nothing to add.

    Args:
        before_draw: every stake is made equal before the draw (X-3).
    """
    match legal.decision:
        case Decision.BET:
            return _facing_bet(legal, before_draw=before_draw)
        case Decision.STRADDLE:
            return t(_STRADDLE, chips=legal.offer_amount)
        case Decision.OFFER if legal.offer_amount:
            return t(_PRICE, chips=legal.offer_amount)
        case Decision.OFFER:
            return t(_TURN_UP)
        case Decision.SHOW if legal.offer_kind:
            return t(_DESIGNATE)
        case _:
            return ""


def _facing_bet(legal: LegalActions, *, before_draw: bool) -> str:
    if legal.bring_in:
        if legal.max_to and legal.min_to != legal.bring_in:
            wording = _BRING_IN_OR_BET if legal.min_to == legal.max_to else _BRING_IN_OR_MORE
            return t(wording, bring_in=legal.bring_in, to=legal.min_to)
        return t(_BRING_IN, bring_in=legal.bring_in)
    if not legal.call_chips:
        if legal.check:
            return t(_CAN_CHECK)
        return t(_TO_OPEN, chips=legal.min_to) if legal.max_to else ""
    if before_draw:
        return t(_TO_CALL_BEFORE_DRAW, chips=legal.call_chips)
    if legal.call_all_in and legal.call_chips < legal.to_call:
        return t(_TO_CALL_ALL_IN, chips=legal.call_chips)
    return t(TO_CALL, chips=legal.call_chips)


def turn_end(time: str, *, on_time_bank: bool) -> str:
    """Say when the turn ends: ``ends in 24 seconds``. `time` is a timestamp that the reader's client counts down."""
    return t(_TIME_BANK_ENDS if on_time_bank else _ENDS, time=time)


def nudge_end(time: str, *, on_time_bank: bool) -> str:
    """The same in a nudge, where the countdown alone is enough until the time bank runs."""
    return t(_TIME_BANK_ENDS, time=time) if on_time_bank else time

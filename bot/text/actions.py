"""What seats did, and what is asked of the one to act, in words. Actions are told in up to four forms, and each form has one table.

- *told*: after the player's name, in the log of a hand and the last actions of a street: ``Mia raises to 4,000 (puts in 2,975)``;
- *noted*: beside the player's name in the list of seats: ``raise to 4,000``;
- *confirmed*: to the player who acted: ``You raise to 4,000 (put in 2,975).``;
- *timed out*: to everyone, when the clock acted for a player: ``Time is up: Mia folds.``

A raise names both numbers: the total it makes and the chips put in (laws 0.2).
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from bot.engine import events as e
from bot.engine.legal import Decision, LegalActions
from bot.engine.view.types import ActionVerb, LastAction, SeatView
from bot.text.cards import card_name
from bot.text.formatting import join_list
from bot.text.game_words import declaration
from bot.text.language import Message, Plural, message, plural, remembered, t

TOLD: dict[ActionVerb, Message | Plural] = {
    ActionVerb.POST: message("{name} posts {post} {chips:,}"),
    ActionVerb.FOLD: message("{name} folds"),
    ActionVerb.CHECK: message("{name} checks"),
    ActionVerb.STAND: message("{name} stands"),
    ActionVerb.CALL: message("{name} calls {chips:,}"),
    ActionVerb.BRING_IN: message("{name} opens for {to:,} (bring-in)"),
    ActionVerb.BET: message("{name} bets {to:,}"),
    ActionVerb.RAISE: message("{name} raises to {to:,} (puts in {chips:,})"),
    ActionVerb.COMPLETE: message("{name} completes to {to:,} (puts in {chips:,})"),
    ActionVerb.DRAW: plural("{name} draws {count}", "{name} draws {count}"),
    ActionVerb.STRADDLE: message("{name} straddles to {to:,} (puts in {chips:,})"),
    ActionVerb.DECLINE_STRADDLE: message("{name} does not straddle"),
    ActionVerb.CHOOSE: message("{name} is ready"),
    ActionVerb.TURN_UP: message("{name} turns up the {card}"),
    ActionVerb.LEAVE_DOWN: message("{name} keeps the card down"),
    ActionVerb.PAY: message("{name} pays {chips:,} for the {card}"),
    ActionVerb.GET_EXTRA_CARD: message("{name} gets a card for the {card}"),
}
TOLD_ALL_IN: dict[ActionVerb, Message] = {
    ActionVerb.CALL: message("{name} calls {chips:,} all-in"),
    ActionVerb.BRING_IN: message("{name} opens for {to:,} all-in (bring-in)"),
    ActionVerb.BET: message("{name} is all-in, betting {to:,}"),
    ActionVerb.RAISE: message("{name} is all-in, raising to {to:,} (puts in {chips:,})"),
    ActionVerb.COMPLETE: message("{name} is all-in, completing to {to:,} (puts in {chips:,})"),
    ActionVerb.PAY: message("{name} pays {chips:,} all-in for the {card}"),
}
"""How an action is told that took the player's last chips."""
_TOLD_STOOD_PAT = message("{name} stands pat")
_TOLD_SPLITTING_OPENERS = plural("{name} draws {count}, splitting openers", "{name} draws {count}, splitting openers")

NOTED: dict[ActionVerb, Message | Plural] = {
    ActionVerb.POST: message("{post} {chips:,}"),
    ActionVerb.FOLD: message("fold"),
    ActionVerb.CHECK: message("check"),
    ActionVerb.STAND: message("stand"),
    ActionVerb.CALL: message("call {chips:,}"),
    ActionVerb.BRING_IN: message("bring-in {to:,}"),
    ActionVerb.BET: message("bet {to:,}"),
    ActionVerb.RAISE: message("raise to {to:,}"),
    ActionVerb.COMPLETE: message("complete to {to:,}"),
    ActionVerb.DRAW: plural("drew {count}", "drew {count}"),
    ActionVerb.STRADDLE: message("straddle {to:,}"),
    ActionVerb.DECLINE_STRADDLE: message("no straddle"),
    ActionVerb.CHOOSE: message("ready"),
    ActionVerb.TURN_UP: message("turned up the {card}"),
    ActionVerb.LEAVE_DOWN: message("kept it down"),
    ActionVerb.PAY: message("paid {chips:,}"),
    ActionVerb.GET_EXTRA_CARD: message("got another card"),
}
_NOTED_STOOD_PAT = message("stood pat")

POSTS: dict[str, Message] = {
    e.PostKind.ANTE: message("ante"),
    e.PostKind.SMALL_BLIND: message("small blind"),
    e.PostKind.BIG_BLIND: message("big blind"),
    e.PostKind.STRADDLE: message("straddle"),
    e.PostKind.LIVE: message("live post"),
    e.PostKind.DEAD: message("dead post"),
    e.PostKind.STAKE: message("ante"),
}
"""What a post is called at the table: the live ante of the old draw games is an ante like any other."""

CONFIRMED: dict[type[e.HandEventBase], Message | Plural] = {
    e.Folded: message("You fold."),
    e.Checked: message("You check."),
    e.Called: message("You call {chips:,}."),
    e.BetTo: message("You bet {to:,}."),
    e.RaisedTo: message("You raise to {to:,} (put in {chips:,})."),
    e.Straddled: message("You straddle to {to:,}."),
    e.StraddleDeclined: message("You don't straddle."),
    e.Drew: plural("You draw {count}.", "You draw {count}."),
    e.Shown: message("You showed your cards."),
    e.CardsShown: plural("You showed {count} card.", "You showed {count} cards."),
    e.Mucked: message("You mucked."),
    e.CardTurnedUp: message("Your card is turned up. The next one comes face down."),
    e.OfferDeclined: message("You keep your card down. The next one comes face up."),
    e.PricePaid: message("You pay {chips:,} for your card."),
    e.Designated: message("Wild cards set."),
    e.OutOfTurnChipsPutIn: message(
        "{chips:,} is held for your turn. You can't raise then; what's too much stays in the pot.\n-# Law I-8"
    ),
}
"""Every event that a player's own command can cause first, except the two that depend on more: the secret choice on what was asked, an
action noted out of turn on the action."""
_CONFIRMED_BRING_IN = message("You open for {to:,} (bring-in).")
_CONFIRMED_BRING_IN_ALL_IN = message("You open for {to:,} (bring-in). You're all-in.")
_CONFIRMED_COMPLETED = message("You complete to {to:,} (put in {chips:,}).")
_CONFIRMED_COMPLETED_ALL_IN = message("You complete to {to:,} (put in {chips:,}). You're all-in.")
CONFIRMED_OUT_OF_TURN: dict[type[e.HandEventBase], Message] = {
    e.Checked: message("Noted: you check when your turn comes, unless someone bets first."),
    e.Called: message("Noted: you call {chips:,} when your turn comes, unless someone raises first."),
    e.BetTo: message("Noted: you bet {to:,} when your turn comes, unless someone bets first."),
    e.RaisedTo: message("Noted: you raise to {to:,} when your turn comes, unless someone raises first."),
}
"""Every action that can be noted out of turn where it binds (TL-34)."""
CONFIRMED_ALL_IN: dict[type[e.HandEventBase], Message] = {
    e.Called: message("You call {chips:,}. You're all-in."),
    e.BetTo: message("You bet {to:,}. You're all-in."),
    e.RaisedTo: message("You raise to {to:,} (put in {chips:,}). You're all-in."),
}
_CONFIRMED_STOOD_PAT = message("You stand pat.")
_DONE = message("Done.")

_GAVE_UP = plural("You discard {count} card, face down.", "You discard {count} cards, face down.")
_PASSED = plural("You pass {count} card.", "You pass {count} cards.")
_MOVES_ON_LATER = message("Cards move on when everyone has chosen.")
_ARRANGED = message("Your order is set. Your cards are turned up one by one.")
DECLARED: dict[str, Message] = {
    "in": message("You're **in**."),
    "out": message("You're **out**."),
    "high": message("You go **high**."),
    "low": message("You go **low**."),
    "both": message("You go **both ways**."),
    "yes": message("You chose **twice**."),
    "no": message("You chose **once**."),
}
"""The confirmation of each word that can be declared in secret."""
_DECLARED_OTHER = message("You declare **{word}**.")
_REVEALED_LATER = message("It's revealed when everyone has chosen.")

_TIMED_OUT_SHOWS = message("Time is up: {name} shows.")
TIMED_OUT: dict[type[e.HandEventBase], Message] = {
    e.Folded: message("Time is up: {name} folds."),
    e.Checked: message("Time is up: {name} checks."),
    e.BetTo: message("Time is up: {name} opens for {to:,}."),
    e.StraddleDeclined: message("Time is up: {name} does not straddle."),
    e.Drew: message("Time is up: {name} stands pat."),
    e.OfferDeclined: message("Time is up: {name} keeps the card down."),
    e.SecretChoiceMade: message("Time is up: the dealer chose for {name}."),
    e.Shown: _TIMED_OUT_SHOWS,
    e.Designated: _TIMED_OUT_SHOWS,
    e.Mucked: message("Time is up: {name} mucks."),
}
"""Every event that the default action of a player whose time is up can cause first (TL-41)."""
WANTED_ONCE = message("{name} wanted it once.")
_TIMED_OUT_RUN_ONCE = message("{name} didn't answer, so it's dealt once.")

_DREW = message("drew {counts}")  # Translators: the cards drawn at each draw so far: drew 3, 1, pat
_PAT = message("pat")
_STOOD_PAT_SO_FAR = plural("stood pat", "stood pat {count} times")
_HELD = message("{chips:,} held")  # Translators: chips put in out of turn, which wait for the player's turn
_DECLARES = message("declares {word}")


@remembered(maximum=4096)
def action_told(action: LastAction, name: str) -> str:
    """Tell an action: ``Mia raises to 4,000 (puts in 2,975)``. `name` is safe for markdown."""
    wording: Message | Plural | None = TOLD_ALL_IN.get(action.verb) if action.all_in else None
    if action.verb is ActionVerb.DRAW:
        wording = _TOLD_STOOD_PAT if not action.card_count else _TOLD_SPLITTING_OPENERS if action.note else None
    return _with_values(wording or TOLD[action.verb], action, name)


@remembered(maximum=4096)
def action_note(action: LastAction) -> str:
    """Tell a seat's last action in a list, beside its name: ``bet 1,025``."""
    wording = _NOTED_STOOD_PAT if action.verb is ActionVerb.DRAW and not action.card_count else NOTED[action.verb]
    return _with_values(wording, action)


def _with_values(wording: Message | Plural, action: LastAction, name: str = "") -> str:
    return t(
        wording,
        name=name,
        to=action.to,
        chips=action.chips,
        count=action.card_count,
        card=card_name(action.card) if action.card is not None else "",
        post=t(POSTS[action.note]) if action.verb is ActionVerb.POST else "",
    )


def held_note(seat: SeatView) -> str:
    """Tell what a seat has put in out of turn: ``15 held``; empty for most (I-8)."""
    return t(_HELD, chips=seat.held_chips) if seat.held_chips else ""


def draws_note(seat: SeatView) -> str:
    """Tell what a seat drew so far: ``drew 3, 1, pat``; empty in a game without draws."""
    if not seat.draw_counts:
        return ""
    if not any(seat.draw_counts):
        return t(_STOOD_PAT_SO_FAR, count=len(seat.draw_counts))
    return t(_DREW, counts=join_list([str(count) if count else t(_PAT) for count in seat.draw_counts]))


def declaration_note(word: str) -> str:
    """Tell what a seat has declared, once everyone has: ``declares both ways``."""
    return t(_DECLARES, word=declaration(word))


def confirmation(events: Iterable[object], decision: Decision = Decision.NONE, verb: ActionVerb | None = None) -> str:
    """Confirm to a player that their command was carried out: ``You raise to 4,000 (put in 2,975).``

    Args:
        events: what happened because of the command. The first event that is an action is the player's own.
        decision: what the player had been asked.
        verb: what a bet is called at the table where a card opens: a bring-in or a completion (VC-5); None: as ever.
    """
    all_events = tuple(events)
    for event in all_events:
        if isinstance(event, e.SecretChoiceMade):
            all_chosen = any(isinstance(one, e.SecretChoicesApplied) for one in all_events)
            return _choice_confirmation(event, decision, all_chosen=all_chosen)
        if isinstance(event, e.OutOfTurnActionNoted):
            return t(CONFIRMED_OUT_OF_TURN[type(event.action)], **_event_values(event.action))
        if isinstance(event, e.HandEventBase) and type(event) in CONFIRMED:
            return t(_confirmation_wording(event, verb), **_event_values(event))
    return t(_DONE)


def _confirmation_wording(event: e.HandEventBase, verb: ActionVerb | None) -> Message | Plural:
    match event:
        case e.RaisedTo(all_in=all_in) if verb is ActionVerb.COMPLETE:
            return _CONFIRMED_COMPLETED_ALL_IN if all_in else _CONFIRMED_COMPLETED
        case e.BetTo(all_in=all_in) if verb is ActionVerb.BRING_IN:
            return _CONFIRMED_BRING_IN_ALL_IN if all_in else _CONFIRMED_BRING_IN
        case e.Drew(discards=()):
            return _CONFIRMED_STOOD_PAT
        case e.Called(all_in=True) | e.BetTo(all_in=True) | e.RaisedTo(all_in=True):
            return CONFIRMED_ALL_IN[type(event)]
        case _:
            return CONFIRMED[type(event)]


def _event_values(event: object) -> dict[str, object]:
    """The chips and counts of an event, by the names that the messages use."""
    return {
        "to": getattr(event, "to", 0),
        "chips": getattr(event, "chips", 0),
        "count": len(event.card_indices if isinstance(event, e.CardsShown) else getattr(event, "discards", ())),
    }


def _choice_confirmation(choice: e.SecretChoiceMade, decision: Decision, *, all_chosen: bool) -> str:
    """Confirm a secret choice. A declared word is revealed once everyone has chosen; cards given up never are."""
    count = len(choice.card_indices)
    match decision:
        case Decision.GIVE_UP:
            return t(_GAVE_UP, count=count)
        case Decision.ARRANGE:
            return t(_ARRANGED)
        case Decision.PASS_CARDS:
            done, later = t(_PASSED, count=count), _MOVES_ON_LATER
        case _:
            known = DECLARED.get(choice.word)
            done = t(known) if known is not None else t(_DECLARED_OTHER, word=declaration(choice.word))
            later = _REVEALED_LATER
    return done if all_chosen else f"{done} {t(later)}"


def timed_out(name: str, events: Iterable[object]) -> str:
    """Tell everyone what the clock did for a player: ``Time is up: river_rat folds.``

    Args:
        name: the player's name, safe for markdown.
        events: what happened because the player's time was up (TL-41).
    """
    for event in events:
        if isinstance(event, e.SecretChoiceMade) and event.word == "no":
            return t(_TIMED_OUT_RUN_ONCE, name=name)
        if isinstance(event, e.HandEventBase) and type(event) in TIMED_OUT:
            return t(TIMED_OUT[type(event)], name=name, **_event_values(event))
    return t(_TIMED_OUT_NOTHING, name=name)


_TIMED_OUT_NOTHING = message("Time is up: {name} does not act.")


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
TIME_BANK = message("time bank {seconds} s")


def turn_line(players: str, legal: LegalActions | None) -> str:
    """Say who is to act: ``▶ @river_rat **to act**``. `players` are mentions, joined."""
    decision, count = (legal.decision, legal.max_cards) if legal is not None else (Decision.NONE, 0)
    return t(TURNS[decision].line, players=players, count=count)


_YOUR_TURN = message("▶ **Your turn**")
OWN_TURNS: dict[Decision, Message | Plural] = {
    Decision.STRADDLE: message("▶ **You can straddle**"),
    Decision.DRAW: message("▶ **Draw up to {count}**"),
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

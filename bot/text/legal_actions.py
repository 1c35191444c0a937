"""What a seat can do now, as one sentence."""

from __future__ import annotations

from bot.engine.legal import Decision, LegalActions
from bot.text.formatting import join_or
from bot.text.game_words import declaration
from bot.text.language import message, number, plural, t

_RANGE = message("{minimum:,}–{maximum:,}")
_CHANGE = plural("draw {span} card", "draw {span} cards")
_GIVE_UP = plural("discard {span} card", "discard {span} cards")
_PASS = plural("pass {span} card", "pass {span} cards")


def legal_sentence(legal: LegalActions | None) -> str:
    """Say what is legal: ``You can fold, call 1,025, or raise to 2,050–13,700.``; empty when nothing is."""
    choices = [*_betting_choices(legal), *_other_choices(legal)] if legal is not None else []
    return t(message("You can {choices}."), choices=join_or(choices)) if choices else ""


def total_range(legal: LegalActions) -> str:
    """Write the totals that can be bet or raised to: ``2,050–13,700``, ``400``, ``100 or 200``."""
    if legal.two_sizes:
        return join_or([number(legal.min_to), number(legal.max_to)])
    return number_range(legal.min_to, legal.max_to)


def number_range(minimum: int, maximum: int) -> str:
    """Write bounds: ``2,050–13,700``, or one number where both are the same."""
    return t(_RANGE, minimum=minimum, maximum=maximum) if minimum < maximum else number(maximum)


def _betting_choices(legal: LegalActions) -> list[str]:
    choices: list[str] = []
    if legal.fold:
        choices.append(t(message("fold")))
    if legal.check:
        choices.append(t(message("check")))
    if legal.call_chips:
        call = message("call {chips:,} all-in") if legal.call_all_in else message("call {chips:,}")
        choices.append(t(call, chips=legal.call_chips))
    if legal.bring_in:
        choices.append(t(message("open for {chips:,}"), chips=legal.bring_in))
    if legal.max_to:
        bet = message("bet {amounts}") if legal.opening else message("raise to {amounts}")
        if legal.completes:
            bet = message("complete to {amounts}")
        choices.append(t(bet, amounts=total_range(legal)))
    return choices


def _other_choices(legal: LegalActions) -> list[str]:
    """The choices that the decisions other than betting leave open."""
    match legal.decision:
        case Decision.STRADDLE:
            return [t(message("straddle to {chips:,}"), chips=legal.offer_amount), t(message("decline"))]
        case Decision.DRAW:
            stand_pat = t(message("stand pat"))
            if not legal.max_cards:
                return [stand_pat]
            span = number_range(max(1, legal.min_cards), legal.max_cards)
            return [t(_CHANGE, span=span, count=legal.max_cards), stand_pat]
        case Decision.GIVE_UP:
            return [t(_GIVE_UP, span=number_range(legal.min_cards, legal.max_cards), count=legal.max_cards)]
        case Decision.PASS_CARDS:
            return [t(_PASS, span=number_range(legal.min_cards, legal.max_cards), count=legal.max_cards)]
        case Decision.ARRANGE:
            return [t(message("arrange your cards"))]
        case Decision.DECLARE:
            words = [declaration(word) for word in legal.declarable_words]
            return [t(message("declare {words}"), words=join_or(words))] if words else []
        case Decision.RUN_TWICE:
            return [t(message("deal the rest twice")), t(message("deal the rest once"))]
        case Decision.OFFER if legal.offer_amount:
            return [t(message("pay {chips:,}"), chips=legal.offer_amount), t(message("fold"))]
        case Decision.OFFER:
            return [t(message("turn your down card up")), t(message("keep it down"))]
        case Decision.SHOW:
            choices = [t(message("show"))] if legal.show else []
            return [*choices, t(message("muck"))] if legal.muck else choices
        case _:
            return []

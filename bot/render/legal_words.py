"""What a seat may do now, in words: as a sentence for people, as a list for the command line, logs and tests (laws 0.3 c)."""

from __future__ import annotations

from collections.abc import Sequence

from bot.engine.legal import Decision, Legal


def you_may(legal: Legal | None) -> str:
    """Say what is legal: ``You may fold, call 1,025, or raise to 2,050–13,700.``; empty when nothing is."""
    choices = _for_people(legal) if legal is not None else []
    return f"You may {joined(choices)}." if choices else ""


def you_may_list(legal: Legal | None) -> str:
    """List what is legal in the law book's own form: ``You may: drop, call 5, raise to 12..24.``; empty when nothing is."""
    choices = _for_logs(legal) if legal is not None else []
    return f"You may: {', '.join(choices)}." if choices else ""


def joined(choices: Sequence[str], word: str = "or") -> str:
    """Join alternatives: ``fold or check``; ``fold, call 5, or raise``."""
    if len(choices) <= 2:
        return f" {word} ".join(choices)
    return ", ".join(choices[:-1]) + f", {word} {choices[-1]}"


def _for_people(legal: Legal) -> list[str]:
    choices: list[str] = []
    if legal.fold:
        choices.append("fold")
    if legal.check:
        choices.append("check")
    if legal.call:
        choices.append(f"call {legal.call:,}" + (" all-in" if legal.call_all_in else ""))
    if legal.bring_in:
        choices.append(f"bring in {legal.bring_in:,}")
    if legal.max_to:
        verb = "bet" if legal.opening else "raise to"
        span = f"{legal.min_to:,}–{legal.max_to:,}" if legal.min_to < legal.max_to else f"{legal.max_to:,}"
        choices.append(f"{verb} {span}")
    choices += _other(legal)
    return choices


def _for_logs(legal: Legal) -> list[str]:
    choices: list[str] = []
    if legal.fold:
        choices.append("drop")
    if legal.check:
        choices.append("check")
    if legal.call:
        choices.append(f"call {legal.call}")
    if legal.bring_in:
        choices.append(f"bring in {legal.bring_in}")
    if legal.max_to:
        verb = "bet" if legal.opening else "raise to"
        span = f"{legal.min_to}..{legal.max_to}" if legal.min_to < legal.max_to else f"{legal.max_to}"
        choices.append(f"{verb} {span}")
    return choices + _other(legal)


def _other(legal: Legal) -> list[str]:
    """What the decisions that are not betting leave open."""
    match legal.decision:
        case Decision.STRADDLE:
            return [f"straddle to {legal.offer:,}", "decline"]
        case Decision.DRAW:
            return [_cards("change", max(1, legal.least), legal.most), "stand pat"] if legal.most else ["stand pat"]
        case Decision.DROP:
            return [_cards("give up", legal.least, legal.most)]
        case Decision.PASS:
            return [_cards("pass", legal.least, legal.most)]
        case Decision.ARRANGE:
            return ["arrange your cards"]
        case Decision.DECLARE:
            return [f"declare {joined(legal.words)}"] if legal.words else []
        case Decision.RUN_TWICE:
            return ["run it twice", "run it once"]
        case Decision.OFFER:
            return [f"pay {legal.offer:,}", "drop"] if legal.offer else ["turn your hidden card up", "keep it down"]
        case Decision.SHOW:
            return [word for word, may in (("show", legal.show), ("muck", legal.muck)) if may]
        case _:
            return []


def _cards(verb: str, least: int, most: int) -> str:
    span = f"{least}–{most}" if least < most else f"{most}"
    return f"{verb} {span} card" + ("" if most == 1 else "s")

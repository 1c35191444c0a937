"""Words for the refusals about laws, stakes, games, chips and files: everything that is not a hand or a seat."""

from __future__ import annotations

from bot.engine import cards
from bot.engine.errors import TableError, UnknownCard
from bot.engine.phh import PhhError
from bot.engine.ranking import errors as ranking
from bot.engine.recorded import NotAsRecorded
from bot.engine.register import (
    JokerNeedsMethod,
    TooFewSeats,
    TooManySeats,
    UnknownHouseRule,
    UnknownHouseRuleValue,
)
from bot.engine.stakes import (
    AmountOutOfBounds,
    AnteTooLarge,
    BigBlindNotDouble,
    NotWholeChips,
    StakesNotAgreed,
    StraddleTooSmall,
    UnknownAmount,
)
from bot.laws import UnknownLaw
from bot.ledger import errors as chips
from bot.render import escape
from bot.render.amounts import BadAmount
from bot.render.legal_words import joined, you_may
from bot.render.scene import ago
from bot.variants.finding import NotABettingGame, UnknownGame
from bot.variants.modifiers import CannotModify

UNCHANGED = "Nothing has changed."
KNOWN_SHOWN = 12


def explain_house(error: TableError) -> str | None:
    """Say what was wrong and what would be right; None for an error that is none of these."""
    return _laws(error) or _stakes(error) or _chips(error) or _other(error)


def plain_word(field: str) -> str:
    """A field's name as people say it: ``big blind`` for ``big_blind``, ``buy-in``."""
    return field.lower().replace("_", " ").replace("buyin", "buy-in")


def named(field: str) -> str:
    """A field's name inside markdown, should it ever come from outside."""
    return escape.text(plain_word(field), 60)


def _laws(error: TableError) -> str | None:
    match error:
        case UnknownHouseRule(name=name, known=known):
            return f"There is no house rule called “{escape.text(name, 60)}”. Known: {_some(known)}. {UNCHANGED}"
        case UnknownHouseRuleValue(name=name, value=value, known=known):
            choices = joined([_code(one) for one in known[:KNOWN_SHOWN]])
            wrong = f"{_code(name)} cannot be “{escape.text(value, 60)}”."
            return f"{wrong} It may be {choices}. {UNCHANGED}" if known else f"{wrong} {UNCHANGED}"
        case TooFewSeats(seats=seats):
            return f"A table for {seats:,} cannot play: it takes at least two. {UNCHANGED}"
        case TooManySeats(seats=seats):
            return (
                f"A table for {seats:,} is too large: at most fourteen, fewer where the pack allows fewer. {UNCHANGED}"
            )
        case JokerNeedsMethod():
            return f"A pack with a joker needs to say what the joker is. Choose `WILD_METHOD` first. {UNCHANGED}"
        case UnknownLaw(id=id_):
            return f"There is no law “{escape.text(id_, 40)}”. Laws are written like **B-8** or **TL-4**."
        case UnknownGame(word=word, known=known):
            return f"No game is called “{escape.text(word, 60)}”. Known: {_some(known)}."
        case NotABettingGame(word=word):
            return f"“{escape.text(word, 60)}” has no bets and no pot: it is counted in points, and not dealt here."
        case CannotModify(game=game, word=word, because=because):
            return f"“{escape.text(word, 60)}” does not go with {escape.text(game, 80)}: {escape.text(because, 120)}. {UNCHANGED}"
        case _:
            return None


def _stakes(error: TableError) -> str | None:
    match error:
        case StakesNotAgreed(missing=missing):
            return (
                f"The stakes are not complete: {joined([named(one) for one in missing], 'and')} is missing. {UNCHANGED}"
            )
        case NotWholeChips(name=name, value=value):
            return f"Chips are whole and at least one: “{escape.text(value, 40)}” is no {named(name)}. {UNCHANGED}"
        case AmountOutOfBounds(name=name, value=value, least=least, most=most):
            within = f"between {least:,} and {most:,}" if least < most else f"{least:,}"
            return f"The {named(name)} must be {within}, not {value:,}. {UNCHANGED}"
        case AnteTooLarge(ante=ante, limit=limit):
            return f"An ante of {ante:,} is too large for a limit of {limit:,}: at most {limit // 2:,}. {UNCHANGED}"
        case StraddleTooSmall(straddle=straddle, ante=ante):
            return f"The straddle must be more than the ante of {ante:,}; {straddle:,} is not. {UNCHANGED}"
        case BigBlindNotDouble(small_blind=small, big_blind=big):
            return f"The big blind is twice the small one: {2 * small:,}, not {big:,}. `HOUSE_BLINDS` lifts that. {UNCHANGED}"
        case UnknownAmount(name=name, known=known):
            known_words = tuple(plain_word(one) for one in known)
            return f"There is no amount called “{escape.text(name, 60)}”. Known: {_some(known_words)}. {UNCHANGED}"
        case _:
            return None


def _chips(error: TableError) -> str | None:
    match error:
        case chips.NotEnoughChips(has=has, needs=needs):
            return f"That takes {needs:,} chips and {has:,} are there. {UNCHANGED}"
        case chips.TooManyChips(total=total, most=most):
            return f"With {total:,} chips already, that would pass the most a player may hold, {most:,}. {UNCHANGED}"
        case chips.NoSuchAmount(chips=asked, most=most):
            return f"{asked:,} is not an amount: whole chips from 1 to {most:,}. {UNCHANGED}"
        case chips.TooEarly(until=until):
            return f"Not yet: this opens again {ago(-(-until // 1000))}. {UNCHANGED}"
        case chips.NotBroke(total=total):
            return f"Relief is for players without a chip. You have {total:,}, counting seats and bets. {UNCHANGED}"
        case chips.NothingToClaim(gift=gift):
            return f"This house gives no {escape.text(gift, 20)} chips. {UNCHANGED}"
        case chips.RuleOutOfBounds(name=name, value=value, least=least, most=most):
            return f"The {named(name)} must be between {least:,} and {most:,}, not {value:,}. {UNCHANGED}"
        case _:
            return None


def _other(error: TableError) -> str | None:
    match error:
        case BadAmount():
            return _bad_amount(error)
        case UnknownCard(word=word):
            return f"“{escape.text(word, 20)}” is no card. Write `As`, `Td`, `9c` or `Jk`."
        case ranking.NotWild(card=card):
            return f"The {cards.name(card)} is no wild card of yours. {UNCHANGED}"
        case ranking.NoSuchCard(as_card=card):
            return f"This pack has no {cards.name(card)} for a wild card to stand for. {UNCHANGED}"
        case ranking.AlreadyHeld(as_card=card):
            return f"You hold the {cards.name(card)} already, so your wild card cannot be it. {UNCHANGED}"
        case ranking.BugCannotBe(as_card=card):
            rule = "The bug is an ace, or fills a straight, a flush or a special hand"
            return f"{rule}; it cannot be the {cards.name(card)}. {UNCHANGED}"
        case NotAsRecorded(action=action, why=why):
            return f"The recorded hand does not play as written: action {action}, {escape.text(why)}."
        case PhhError(why=why, field=field, action=action):
            where = f" in {_code(field)}" if field else ""
            at = f", action {action}" if action is not None else ""
            return f"That file is no recorded hand{where}{at}: {escape.text(why)}."
        case _:
            return None


def _bad_amount(error: BadAmount) -> str:
    word = escape.text(error.word, 40)
    match error.kind:
        case "fraction":
            wrong = f"“{word}” is not whole chips."
        case "large":
            wrong = f"“{word}” is more than any table holds."
        case "zero":
            wrong = "An amount is at least 1 chip."
        case "nothing to multiply":
            wrong = f"There is nothing here that “{word}” could be a multiple of."
        case _:
            how = "a number like 4000, 4k, ½, pot or all" if error.legal is not None else "a number like 4000 or 4k"
            wrong = f"“{word}” is not an amount. Write {how}."
    unmoved = "Your chips have not moved." if error.legal is not None else UNCHANGED
    return " ".join(part for part in (wrong, you_may(error.legal), unmoved) if part)


def _some(known: tuple[str, ...]) -> str:
    shown = ", ".join([escape.text(one, 60) for one in known[:KNOWN_SHOWN]])
    return shown + (f" and {len(known) - KNOWN_SHOWN} more" if len(known) > KNOWN_SHOWN else "")


def _code(word: str) -> str:
    return "`" + word.replace("`", "'") + "`"

"""Sentences for the refusals about laws, options, stakes, games, amounts, chips and files."""

from __future__ import annotations

from bot.engine import stakes
from bot.engine.cards import card_symbol
from bot.engine.options import register as options
from bot.engine.options import wild_cards
from bot.history import phh, replay
from bot.history.read_file import FileFault, FileUnreadable
from bot.history.read_pokerstars import PokerStarsError, PokerStarsFault
from bot.house import vacations
from bot.house.quiet_hours import time_zone_names
from bot.house.rules import HouseRuleOutOfBounds
from bot.laws import UnknownLaw
from bot.ledger import refusals as ledger
from bot.text import amounts, escape, quiet_hours
from bot.text.formatting import join_and, join_or, relative_time_ms
from bot.text.game_names import game_name
from bot.text.house import RULE_WORDS
from bot.text.language import Message, message, t
from bot.text.legal_actions import number_range, total_range
from bot.text.options import OPTION_WORDS, option_name, option_value
from bot.text.refusals.explain import Either, NamesBySeat, explain, register_sentences
from bot.text.refusals.rule_cards import card_fault
from bot.text.stakes import AMOUNT_NAMES
from bot.variants import catalogue, modifiers
from bot.variants.closest import closest_game_names, closest_wild_cards, closest_words

VALUES_MAX = 5
"""The values of an option that a refusal names."""

_RULE_NAMES = {field: words.in_sentence for field, words in RULE_WORDS.items()}
SETTING_NAMES: dict[str, Message] = (
    _RULE_NAMES
    | AMOUNT_NAMES
    | {
        "max_seats": message("number of seats"),
        "seat_count": message("number of seats"),
        "number_of_games": message("number of games"),
        "deals": message("number of hands"),
        "minutes": message("number of minutes"),
        "default": message("number of the default game"),
        "choice_seconds": message("seconds to choose a game"),
        "bank_refill_seconds": message("seconds added to the time bank"),
        "bank_refill_hands": message("hands between two refills of the time bank"),
        "pause_seconds": message("seconds between hands"),
        "idle_minutes": message("minutes until an idle table closes"),
        "absent_minutes": message("minutes that a player can be away"),
        "absent_orbits": message("rounds that a player can be away"),
        "rebuy_minutes": message("minutes to buy in again"),
        "offer_seconds": message("seconds that a free seat is offered"),
        "starting_stack": message("starting stack"),
    }
)
"""What settings are called inside a sentence, by their field. Options of the law book keep their names."""

register_sentences(
    {
        vacations.NoVacation: message("You aren't on vacation."),
        quiet_hours.UnreadableQuietHours: message(
            "I can't read “{typed}”. Write it like `22:00-08:00 Berlin`, or `off`."
        ),
        # Laws and options
        UnknownLaw: message("There's no law “{law_id}”. Laws are written like **B-8** or **TL-4**."),
        options.TooFewSeats: message("A table needs at least 2 seats."),
        options.TooManySeats: message("A table has at most 14 seats."),
        options.JokerNeedsMethod: message("Choose what **wild cards stand for** first: the joker needs it."),
        options.MethodsHaveNoOrder: message("Either all wild cards can repeat a card or none can. Choose one for all."),
        options.WildCardsNotInDeck: message("This deck has no such card, so “{word}” can't be wild."),
        # Stakes
        stakes.AnteTooLarge: message("The ante can be at most half the limit, {maximum:,}."),
        stakes.StraddleTooSmall: message("The forced straddle has to be more than the ante of {ante:,}."),
        stakes.BigBlindNotDouble: message(
            "The big blind has to be {required:,}, twice the small blind. See **Uneven blinds**."
        ),
        # Games
        catalogue.NotABettingGame: message("“{word}” is played without bets, so it isn't dealt here."),
        modifiers.HasItsOwnDeck: message("{game} has a deck of its own, so you can't choose another."),
        modifiers.StrippedDeckTooSmall: message("That deck is too small to deal {game} to two players."),
        modifiers.HasItsOwnJoker: message("{game} has a joker of its own, so you can't add one."),
        modifiers.HasNoSuchCard: message("The deck of {game} has no such card, so it can't be wild."),
        modifiers.HasNoWildCards: message("{game} has no wild cards, so there are no duplicates to forbid."),
        modifiers.NoSpecialHands: message("Cats and dogs rank only in high draw and stud, not in {game}."),
        modifiers.HasNoFlop: message("{game} has no flop, so it can't be a bomb pot."),
        modifiers.HasNoBoard: message("{game} has no board, so it can't have two."),
        # Chips
        ledger.TooManyChips: message("A player can have at most {maximum:,} chips and would start from {total:,}."),
        ledger.InvalidChipAmount: message("Choose an amount from 1 to {maximum:,}; {chips:,} isn't possible."),
        ledger.StillHasChips: message("Free chips are for players who have none. You still have {total:,}."),
        # Amounts that people write
        amounts.NotWholeAmount: message("“{word}” isn't a whole number of chips."),
        amounts.AmountTooLarge: message("“{word}” is more than any table holds."),
        amounts.AmountBelowOne: message("An amount is at least 1 chip."),
        amounts.NothingToMultiply: message("“{word}” multiplies a bet, and there's none here."),
        ledger.NotEnoughChips: Either(
            "user",
            message("That takes {needs:,}, and the wallet has {has:,}: see `/me page:chips`."),
            message("That takes {needs:,} chips, and there are {has:,}."),
        ),
        ledger.ClaimTooEarly: message("Not yet: you can claim that {when}."),
        ledger.NewcomerMustWait: message("You're new here: you get chips {when}. Practice chips are free now."),
        ledger.ChipsHeld: message("You can bring {available:,}. More is free {when}: see `/me page:chips`."),
        ledger.StakesAboveWallet: Either(
            "fitting",
            message("You have {has:,}. Buy-ins at these stakes are {range}."),
            message("You have {has:,}, and buy-ins are {range}. Practice chips are free."),
        ),
        replay.RecordedSeatsOutOfBounds: message("{game} is for {range} players."),
        replay.RecordEndsEarly: message("The record ends while player {player_number} has to act."),
        replay.RecordDealsMoreCards: message("The record deals more cards than the game."),
    }
)

GIFT_NOT_GIVEN = {
    "daily": message("There are no daily chips on this server."),
    "relief": message("There are no free chips on this server."),
}

PHH_FAULTS = {
    phh.PhhFault.NOT_TOML: message("it isn't valid TOML"),
    phh.PhhFault.NOT_TOML_FROM_LINE: message("it isn't valid TOML, from line {detail} on"),
    phh.PhhFault.BREAKS_OFF: message("it isn't valid TOML: it breaks off too early"),
    phh.PhhFault.NESTS_TOO_DEEP: message("it nests deeper than any hand does"),
    phh.PhhFault.MISSING: message("it's missing"),
    phh.PhhFault.TOO_FEW_PLAYERS: message("there are fewer than two players"),
    phh.PhhFault.NOT_AN_ACTION: message("“{detail}” isn't an action"),
    phh.PhhFault.NOT_A_POST: message("“{detail}” isn't a post"),
    phh.PhhFault.NOT_A_CARD: message("“{detail}” isn't a card"),
    phh.PhhFault.NOT_A_PLAYER: message("“{detail}” isn't one of the players"),
    phh.PhhFault.NOT_A_LIST: message("it isn't a list"),
    phh.PhhFault.NOT_A_WORD: message("“{detail}” isn't a text"),
    phh.PhhFault.NOT_TRUE_OR_FALSE: message("“{detail}” is neither true nor false"),
    phh.PhhFault.NOT_A_WHOLE_NUMBER: message("“{detail}” isn't a whole number of chips"),
    phh.PhhFault.WRONG_LENGTH: message("it needs one entry for each of the {detail} players"),
    phh.PhhFault.OUT_OF_BOUNDS: message("“{detail}” is out of bounds"),
    phh.PhhFault.INVALID_VALUE: message("it has a value that doesn't belong there"),
    phh.PhhFault.UNKNOWN_VALUE: message("“{detail}” doesn't belong there"),
    phh.PhhFault.INVALID_RULES: message("no game can be dealt by it: {detail}"),
    phh.PhhFault.CANNOT_BE_DEALT: message("the hand can't be dealt to its end by it"),
    phh.PhhFault.UNKNOWN_GAME: message("the game “{detail}” isn't dealt here"),
}


def setting_name(field: str) -> str:
    """What a setting is called inside a sentence; safe for markdown."""
    known = SETTING_NAMES.get(field.lower())
    return t(known) if known is not None else _as_code(field)


@explain.register
def _(refusal: options.UnknownHouseRule, names: NamesBySeat) -> str:
    name = escape.text(refusal.name, 60)
    if similar := closest_words(refusal.name, refusal.known):
        meant = join_or([_option_or_code(known) for known in similar])
        return t(message("There's no house rule called “{name}”. Did you mean {similar}?"), name=name, similar=meant)
    return t(message("There's no house rule called “{name}”."), name=name)


@explain.register
def _(refusal: quiet_hours.UnknownTimeZone, names: NamesBySeat) -> str:
    zone = escape.text(refusal.typed, 60)
    if similar := closest_words(refusal.typed, time_zone_names()):
        meant = join_or(list(similar))
        return t(message("I don't know where “{zone}” is. Did you mean {similar}?"), zone=zone, similar=meant)
    return t(message("I don't know where “{zone}” is. Write **Berlin** or **+01:00**."), zone=zone)


@explain.register
def _(refusal: wild_cards.UnknownWildCards, names: NamesBySeat) -> str:
    word = escape.text(refusal.word, 60)
    if similar := closest_wild_cards(refusal.word):
        return t(
            message("“{word}” names no card. Did you mean **{similar}**?"), word=word, similar=join_or(list(similar))
        )
    return t(message("“{word}” names no card. Write **Qs, black deuces, hearts**, or **none**."), word=word)


@explain.register
def _(refusal: options.UnknownHouseRuleValue, names: NamesBySeat) -> str:
    return t(
        message("{name} can't be “{value}”. It can be {known}."),
        name=_option_or_code(refusal.name),
        value=escape.text(refusal.value, 40),
        known=join_or([_value_or_code(refusal.name, value) for value in refusal.known[:VALUES_MAX]]),
    )


@explain.register
def _(refusal: stakes.StakesNotAgreed, names: NamesBySeat) -> str:
    sentence = message("This game also needs an amount for the {missing}.")
    return t(sentence, missing=join_and([setting_name(field) for field in refusal.missing]))


@explain.register
def _(refusal: stakes.NotWholeChips, names: NamesBySeat) -> str:
    sentence = message("The {name} is a whole number from 1, not “{value}”.")
    return t(sentence, name=setting_name(refusal.name), value=escape.text(refusal.value, 40))


@explain.register
def _(refusal: stakes.AmountOutOfBounds, names: NamesBySeat) -> str:
    sentence = message("The {name} has to be {range} here.")
    return t(sentence, name=setting_name(refusal.name), range=number_range(refusal.minimum, refusal.maximum))


@explain.register
def _(refusal: catalogue.UnknownGame, names: NamesBySeat) -> str:
    found = closest_game_names(refusal.word, refusal.house_games)
    word, games = escape.text(refusal.word, 60), [escape.text(game_name(name), 60) for name, _ in found]
    if not games:
        return t(message("No game is called “{word}”. The list under `game` offers them all."), word=word)
    return t(message("No game is called “{word}”. Did you mean {games}?"), word=word, games=join_or(games))


@explain.register
def _(refusal: ledger.NothingToClaim, names: NamesBySeat) -> str:
    return t(GIFT_NOT_GIVEN[refusal.gift])


@explain.register
def _(refusal: HouseRuleOutOfBounds, names: NamesBySeat) -> str:
    sentence = message("The {name} can be {range}.")
    return t(sentence, name=setting_name(refusal.name), range=number_range(refusal.minimum, refusal.maximum))


@explain.register
def _(refusal: amounts.UnreadableAmount, names: NamesBySeat) -> str:
    word, legal = escape.text(refusal.word, 40), refusal.legal
    if not word.strip():
        return t(message("Write an amount or pick a size."))
    if legal is None:
        return t(message("“{word}” isn't an amount. Try a number like 4000 or 4k."), word=word)
    if not legal.max_to:
        return t(message("“{word}” isn't an amount, and you can't bet or raise now."), word=word)
    sentence = message("“{word}” isn't an amount. Try {example:,}, ½, pot or all ({range}).")
    return t(sentence, word=word, example=legal.min_to, range=total_range(legal))


@explain.register
def _(refusal: phh.PhhError, names: NamesBySeat) -> str:
    detail = card_fault(refusal.card_fault) if refusal.card_fault is not None else escape.text(refusal.detail, 200)
    values = {"detail": detail}
    fault = t(PHH_FAULTS[refusal.fault], **values)  # not every fault has a detail
    if not refusal.field:
        return t(message("That file isn't a recorded hand: {fault}."), fault=fault)
    if refusal.action_number is None:
        return t(
            message("That file isn't a recorded hand. In {field}: {fault}."),
            field=_as_code(refusal.field + refusal.within),
            fault=fault,
        )
    sentence = message("That file isn't a recorded hand. In {field}, action {number}: {fault}.")
    return t(sentence, field=_as_code(refusal.field), number=refusal.action_number, fault=fault)


_POKERSTARS_FAULTS = {
    PokerStarsFault.NOT_A_HEADER: message("“{detail}” isn't the header of a hand."),
    PokerStarsFault.UNKNOWN_GAME: message("I know no game in “{detail}”."),
    PokerStarsFault.NO_TABLE: message("“{detail}” doesn't name the table."),
    PokerStarsFault.NO_SEATS: message("The seats don't make a table of 2 to 14 players."),
    PokerStarsFault.NO_STAKES: message("There are no stakes in “{detail}”."),
    PokerStarsFault.TOO_MANY_LINES: message("This hand has too many lines."),
    PokerStarsFault.LINE_TOO_LONG: message("This line is too long."),
    PokerStarsFault.BREAKS_OFF: message("This hand breaks off: it has no summary."),
    PokerStarsFault.UNKNOWN_LINE: message("I can't read “{detail}”."),
    PokerStarsFault.UNKNOWN_PLAYER: message("“{detail}” has no seat in this hand."),
    PokerStarsFault.NOT_A_CARD: message("“{detail}” isn't a card."),
    PokerStarsFault.AMOUNT: message("“{detail}” isn't an amount of chips."),
    PokerStarsFault.OUT_OF_ORDER: message("That doesn't belong here."),
}
_FILE_FAULTS = {
    FileFault.EMPTY: message("That file is empty."),
    FileFault.TOO_LONG: message("That file is too long. Split it, and try the parts."),
    FileFault.NOT_TEXT: message("That file isn't text. I read PHH and PokerStars text."),
    FileFault.NO_HANDS: message("There's no hand in that file. I read PHH and PokerStars text."),
}


@explain.register
def _(refusal: PokerStarsError, names: NamesBySeat) -> str:
    values = {"detail": escape.text(refusal.detail, 40)}
    return t(_POKERSTARS_FAULTS[refusal.fault], **values)  # not every fault has a detail


@explain.register
def _(refusal: FileUnreadable, names: NamesBySeat) -> str:
    return t(_FILE_FAULTS[refusal.fault])


@explain.register
def _(refusal: replay.RecordRefused, names: NamesBySeat) -> str:
    return explain(refusal.refusal, names)


@explain.register
def _(refusal: replay.RecordedCardTwice, names: NamesBySeat) -> str:
    return t(message("The record deals {card} twice."), card=f"`{card_symbol(refusal.card)}`")


@explain.register
def _(refusal: replay.RecordedCardNotInDeck, names: NamesBySeat) -> str:
    return t(message("The record deals {card}, which isn't in the deck."), card=f"`{card_symbol(refusal.card)}`")


def _option_or_code(name: str) -> str:
    """The name of an option as people read it, or what was written."""
    return option_name(name) if name.lower() in OPTION_WORDS else _as_code(name)


def _value_or_code(name: str, value: str) -> str:
    return option_value(name, value) if name.lower() in OPTION_WORDS else _as_code(value)


def _as_code(word: str) -> str:
    return "`" + word.replace("`", "'") + "`"


@explain.register
def _(refusal: vacations.VacationRunning, names: NamesBySeat) -> str:
    return t(
        message("You're on vacation. It ends {until}; write `off` to come back now."),
        until=relative_time_ms(refusal.until),
    )


@explain.register
def _(refusal: vacations.VacationTooLong, names: NamesBySeat) -> str:
    if not refusal.maximum:
        return t(message("You have no days of vacation left now: 14 in any 90 days."))
    return t(message("Choose from 1 to {maximum} days of vacation: 14 in any 90 days."), maximum=refusal.maximum)

"""What is said of table chips: the starting stack, rebuys and who answers them, and the book of a game."""

from __future__ import annotations

from bot.table.settings import RebuyRule, TableSettings
from bot.table.state import RebuyOffer, Standing
from bot.table.view import RebuyQuestionView, SeatedPlayerView, TableView
from bot.text import escape
from bot.text.formatting import relative_time_ms
from bot.text.language import Message, message, plural, t
from bot.text.lobby import table_name
from bot.text.options import OptionWords, ValueWords
from bot.text.own_menu import OUT_OF_CHIPS

REBUY = message("Rebuy {chips:,}")
ASK_HOST = message("Ask the host")
YES = message("OK")
NO = message("No")
THE_BOOK = message("The book")

HOST_ASKED = message("The host is asked. No answer in 5 minutes is a yes.")
GRANTED = message("{player} gets the rebuy.")
GRANTED_SEAT = message("{player} can sit down again.")
REFUSED = message("You said no. {player} can ask again in 10 minutes.")
_YOU_MAY_SIT = message("You can sit down at {table} again: your rebuy is granted.")
_YOU_ARE_REFUSED = message("The host of {table} said no to your rebuy. You can ask again {when}.")

_ASKS = message("**{name}** asks for a rebuy at {table}.")
_ASKS_FOR_SEAT = message("**{name}** has no chips left at {table} and asks to sit down again.")
_HEADING = message("### The book of {table}")
_RULE = message("-# Everybody starts with {chips:,} · {rebuys}")
_LINE = plural(
    "{name} · {count} buy-in {bought:,} · now {chips:,} · **{net}**",
    "{name} · {count} buy-ins {bought:,} · now {chips:,} · **{net}**",
)
_NOBODY = message("Nobody has bought in yet.")
_PRACTISING = message("-# The book begins when a second person sits down. Nothing before that counts.")
_PENDING = message("**{name}** asks for a rebuy.")
_PLUS, _MINUS, _EVEN = message("+{chips:,}"), message("−{chips:,}"), message("±0")

_FREE, _HOST, _NEVER = message("rebuys are free"), message("the host answers rebuys"), message("no rebuys")
_TIMES = plural("{count} rebuy each", "{count} rebuys each")

_LOW = message("You're in seat {number} with **{chips:,}** chips.")
_ASKED = message("The host is asked for your rebuy.")
_SPENT = message("There are no more rebuys in this game. You can watch, or leave.")
_AFTER_HAND = message("If you have at most half of {chips:,} after this hand, you are filled up to it.")

REBUY_SETTING = OptionWords(
    message("Rebuys"),
    message("Who can buy table chips again?"),
    {
        RebuyRule.FREE: ValueWords(message("free"), message("Whoever is low buys again.")),
        RebuyRule.HOST: ValueWords(message("the host answers"), message("The host says yes or no.")),
        RebuyRule.ONCE: ValueWords(message("once"), message("Everybody can buy again once.")),
        RebuyRule.TWO: ValueWords(message("2 times"), message("Everybody can buy again 2 times.")),
        RebuyRule.THREE: ValueWords(message("3 times"), message("Everybody can buy again 3 times.")),
        RebuyRule.FOUR: ValueWords(message("4 times"), message("Everybody can buy again 4 times.")),
        RebuyRule.FIVE: ValueWords(message("5 times"), message("Everybody can buy again 5 times.")),
        RebuyRule.SIX: ValueWords(message("6 times"), message("Everybody can buy again 6 times.")),
        RebuyRule.SEVEN: ValueWords(message("7 times"), message("Everybody can buy again 7 times.")),
        RebuyRule.EIGHT: ValueWords(message("8 times"), message("Everybody can buy again 8 times.")),
        RebuyRule.NINE: ValueWords(message("9 times"), message("Everybody can buy again 9 times.")),
        RebuyRule.TEN: ValueWords(message("10 times"), message("Everybody can buy again 10 times.")),
        RebuyRule.NEVER: ValueWords(message("never"), message("Whoever is out of chips is out of the game.")),
    },
)
"""The setting `REBUY`: its name, the question that its values answer, and the words of each value (TC-3)."""


def signed(chips: int) -> str:
    """What somebody is up or down: ``+1,200``, ``−800``, ``±0``."""
    if not chips:
        return t(_EVEN)
    return t(_PLUS if chips > 0 else _MINUS, chips=abs(chips))


def rebuys(settings: TableSettings) -> str:
    """Who can buy again, in a few words: ``rebuys are free``."""
    rule = settings.rebuy
    if rule.maximum:
        return t(_TIMES, count=rule.maximum)
    words: dict[RebuyRule, Message] = {RebuyRule.FREE: _FREE, RebuyRule.HOST: _HOST}
    return t(words.get(rule, _NEVER))


def book_text(view: TableView) -> str:
    """Who bought in for what, and who is up or down, a line a player, the best first."""
    lines = [t(_HEADING, table=table_name(view))]
    if view.settings.has_table_chips:
        lines.append(t(_RULE, chips=view.settings.starting_stack, rebuys=rebuys(view.settings)))
    lines += [_line(one) for one in view.standings]
    if not view.standings:
        lines.append(t(_NOBODY))
    if view.settings.has_table_chips and any(seat.practice for seat in view.seats):
        lines.append(t(_PRACTISING))
    return "\n".join(lines)


def _line(one: Standing) -> str:
    name, net = escape.name(one.name), signed(one.net)
    return t(_LINE, name=name, count=one.buy_ins, bought=one.bought, chips=one.chips, net=net)


def pending_line(name: str) -> str:
    """Somebody asks for a rebuy, in the book."""
    return t(_PENDING, name=escape.name(name))


def question(view: TableView, asked: RebuyQuestionView) -> str:
    """Ask a host about a rebuy."""
    sentence = _ASKS if asked.is_seated else _ASKS_FOR_SEAT
    return t(sentence, name=escape.name(asked.name), table=table_name(view))


def out_of_chips_text(seat: SeatedPlayerView) -> str:
    """What a player reads who has no table chips left, or few."""
    lines = [t(_LOW, number=seat.number, chips=seat.stack) if seat.stack else t(OUT_OF_CHIPS)]
    match seat.rebuy:
        case RebuyOffer.ASKED:
            lines.append(t(_ASKED))
        case RebuyOffer.SPENT if not seat.stack:
            lines.append(t(_SPENT))
        case _:
            pass
    return " ".join(lines)


def rebuy_later(settings: TableSettings) -> str:
    """The answer to a rebuy that is asked for in a hand: it is judged when the hand is over (TC-3)."""
    return t(_AFTER_HAND, chips=settings.starting_stack)


def may_sit_text(view: TableView) -> str:
    """Tell somebody that they can sit down again."""
    return t(_YOU_MAY_SIT, table=table_name(view))


def refused_text(view: TableView, until: int) -> str:
    """Tell somebody that the host said no. `until` is in ms since the epoch."""
    return t(_YOU_ARE_REFUSED, table=table_name(view), when=relative_time_ms(until))

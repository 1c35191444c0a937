"""Draw the form of `/play`, and read what was chosen in it."""

from collections.abc import Mapping, Sequence
from enum import StrEnum

from msgspec import Struct

from bot.house.rules import HouseRules, min_buyin_at
from bot.render.message.custom_ids import page_id
from bot.render.message.limits import OPTIONS_MAX
from bot.render.message.panel import OPTION_TEXT_MAX, ChoiceField, Form, Option
from bot.table.settings import SLOW_CLOCK_SECONDS, ChipKind
from bot.text import open_form as words
from bot.text.formatting import shorten
from bot.text.game_names import game_names
from bot.text.language import t
from bot.variants import MIXES, game

GAMES = (
    "holdem",
    "omaha",
    "omaha8",
    "limit_holdem",
    "short_deck",
    "pineapple",
    "big_o",
    "stud",
    "stud8",
    "razz",
    "badugi",
    "triple_draw_27",
    "single_draw_27",
    "five_card_draw",
    "jackpots",
    "follow_the_queen",
    "baseball",
    "anaconda",
    "guts",
    "double_board_holdem",
)
"""The games that the form offers, the most played first; `/play` completes the name of any other."""
BIG_BLINDS = (2, 10, 20, 50, 100, 200, 500, 1_000)
SEATS = (0, 2, 4, 6, 8, 9, 10)
SECONDS = (15, 30, 60, 120, 300, 3_600, 86_400, 3 * 86_400, 7 * 86_400)
"""The clocks that are offered, in seconds: those of an hour and more are for tables that wait (WT-1)."""
PRACTICE_PLAYERS = (1, 2, 3, 4, 5)
PRACTICE_PLAYERS_INSTEAD = 3
"""Practice players at the table of a host who has too few chips for one of people."""
EVERYBODY, EVERYBODY_TABLE_CHIPS, FRIENDS = "all", "table", "friends"
"""Who can sit, in the form: anybody with server chips, anybody with table chips, and people who are invited, with table chips. A number
is so many practice players."""
SMALLER_STAKES_MAX = 2
HOUSE_GAMES_MAX = 2


class EntryKind(StrEnum):
    """What it costs to enter a sit-and-go. The words stand in forms."""

    FREE = "sng_free"
    CHIPS = "sng"


class Where(StrEnum):
    """Where a table opens. The words stand in ids of forms.

    `USUAL` is the server's forum if it has one, else here; `ROOM` its forum, else a thread.
    """

    USUAL = "usual"
    ROOM = "room"
    HERE = "here"
    THREAD = "thread"
    PRIVATE = "private"
    FORUM = "forum"


class OpenFormAnswer(Struct, frozen=True):
    """What was chosen. 0 leaves it to the house or the game. `unseated`: the host does not sit down. `chips`: of people; practice
    players have their own. `sit_and_go`: it is to be one, and what it costs."""

    game: str
    big_blind: int = 0
    seats: int = 0
    seconds: int = 0
    practice: int = 0
    unseated: bool = False
    where: Where = Where.USUAL
    chips: ChipKind = ChipKind.SERVER
    sit_and_go: EntryKind | None = None


def open_table_form(
    user: int,
    rules: HouseRules,
    house_games: Sequence[str] = (),
    chosen: str = "",
    *,
    wallet: int = 0,
    where: Where = Where.USUAL,
) -> Form:
    """Ask what to play. Sending the form as it is opens a table of hold'em at the usual stakes.

    Args:
        house_games: the names of the server's house games.
        chosen: the game that is selected at first, as people type it.
        wallet: the chips that the host has.
        where: the table opens.
    """
    return Form(
        t(words.TITLE),
        page_id("open", "table", user, where),
        (
            ChoiceField("game", t(words.GAME), game_options(house_games, chosen)),
            ChoiceField("stakes", t(words.STAKES), _stakes(rules), t(words.STAKES_HINT, chips=wallet)),
            ChoiceField("seats", t(words.SEATS), tuple(Option(words.seats(n), str(n), default=not n) for n in SEATS)),
            ChoiceField("clock", t(words.CLOCK), _clocks(rules)),
            ChoiceField("who", t(words.WHO), _who_can_sit(where), t(words.WHO_HINT)),
        ),
    )


def read_answer(fields: Mapping[str, str]) -> OpenFormAnswer:
    """Read the submitted form. What the form cannot have sent is left to the house."""

    def number(field: str) -> int:
        text = fields.get(field, "")
        return int(text) if text.isascii() and text.isdigit() and len(text) <= 9 else 0

    game_text = fields.get("game", "") or GAMES[0]
    chosen = (number("stakes"), number("seats"), number("clock"), number("who"))
    where = Where(fields["where"]) if fields.get("where") in set(Where) else Where.USUAL
    who = fields.get("who", "") or (FRIENDS if where is Where.PRIVATE else EVERYBODY)
    if who == FRIENDS:
        where = Where.PRIVATE
    chips = ChipKind.TABLE if who in (FRIENDS, EVERYBODY_TABLE_CHIPS) else ChipKind.SERVER
    event = EntryKind(who) if who in set(EntryKind) else None
    return OpenFormAnswer(game_text, *chosen, unseated="unseated" in fields, where=where, chips=chips, sit_and_go=event)


def elsewhere_changes() -> tuple[tuple[str, dict[str, str]], ...]:
    """Return what a host can do in a channel that has a table: the label, and what it changes in the answer."""
    return ((t(words.IN_A_THREAD), {"where": Where.THREAD}),)


def fitting_changes(fitting: Sequence[int]) -> tuple[tuple[str, dict[str, str]], ...]:
    """Return what a host can do who cannot pay for a seat at these stakes: the label, and what it changes in the answer.

    Args:
        fitting: big blinds of stakes that they can pay for.
    """
    smaller = [
        (t(words.SMALLER_STAKES, small=big // 2, big=big), {"stakes": str(big)}) for big in fitting[:SMALLER_STAKES_MAX]
    ]
    practice = (t(words.PRACTICE_INSTEAD), {"who": str(PRACTICE_PLAYERS_INSTEAD)})
    return (*smaller, practice, (t(words.OPEN_ANYWAY), {"unseated": "yes"}))


def game_options(house_games: Sequence[str], chosen: str) -> tuple[Option, ...]:
    """Return the games that a form offers. `chosen`: what is selected at first, as people type it."""
    names = {game(key).name: key for key in GAMES} | {mix.name: mix.key for mix in MIXES}
    own = house_games[:HOUSE_GAMES_MAX]
    options = [Option(shorten(name, OPTION_TEXT_MAX), name, t(words.HOUSE_GAME)) for name in own if name not in names]
    options += [Option(game_names(name), key) for name, key in names.items()]
    first = chosen or GAMES[0]
    if first not in {option.value for option in options}:
        options.insert(0, Option(shorten(first, OPTION_TEXT_MAX), first))
    return tuple(
        Option(option.label, option.value, option.description, default=option.value == first)
        for option in options[:OPTIONS_MAX]
    )


def _stakes(rules: HouseRules) -> tuple[Option, ...]:
    def buy_in(big: int) -> tuple[int, int]:
        return min_buyin_at(rules, big), rules.buyin_max * big

    usual = words.blinds(rules.small_blind, rules.big_blind, *buy_in(rules.big_blind))
    options = [Option(t(words.OWN_STAKES, blinds=usual), "0", default=True)]
    options += [
        Option(words.blinds(big // 2, big, *buy_in(big)), str(big)) for big in BIG_BLINDS if big != rules.big_blind
    ]
    return tuple(options)


def _clocks(rules: HouseRules) -> tuple[Option, ...]:
    def meaning(seconds: int) -> str:
        return t(words.CLOCK_WAITS) if seconds >= SLOW_CLOCK_SECONDS else ""

    own = rules.turn_seconds
    usual = Option(words.clock(own, usual=True), "0", meaning(own), default=True)
    return (usual, *[Option(words.clock(each), str(each), meaning(each)) for each in SECONDS if each != own])


def _who_can_sit(where: Where) -> tuple[Option, ...]:
    """Private tables are for friends and table chips at first, all others for everybody and server chips; a host can choose otherwise."""
    first = FRIENDS if where is Where.PRIVATE else EVERYBODY
    people = (
        (EVERYBODY, words.EVERYBODY_INVITED if where is Where.PRIVATE else words.EVERYBODY, words.SERVER_CHIPS_MEAN),
        (FRIENDS, words.FRIENDS, words.TABLE_CHIPS_MEAN),
        (EVERYBODY_TABLE_CHIPS, words.EVERYBODY_TABLE_CHIPS, words.TABLE_CHIPS_MEAN),
        (EntryKind.FREE, words.SIT_AND_GO_FREE, words.SIT_AND_GO_FREE_MEANS),
        (EntryKind.CHIPS, words.SIT_AND_GO, words.SIT_AND_GO_MEANS),
    )
    offered = [one for one in people if where is not Where.PRIVATE or one[0] != EVERYBODY_TABLE_CHIPS]
    return (
        *[Option(t(label), value, t(meaning), default=value == first) for value, label, meaning in offered],
        *[Option(t(words.PLAYERS, count=count), str(count), t(words.PRACTICE_MEANS)) for count in PRACTICE_PLAYERS],
    )

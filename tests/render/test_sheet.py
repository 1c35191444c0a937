"""The last message of a table: the sheet of a game that people have played, else a short text."""

from msgspec.structs import replace

from bot.render.hand.result import BigHand
from bot.render.table.sheet import ended_panel
from bot.runtime.store_types import FIRST_FORMER_PLAYER
from bot.table.ended_game import EndedGame, ended_game
from bot.table.events import CloseReason as Reason
from bot.table.events import ClosingRequested, TableClosed
from bot.table.settings import ChipKind, TableSettings
from bot.table.state import BookLine, Table, TableStatus
from tests.render.test_lobby import SETTINGS
from tests.support.message_limits import within_limits
from tests.support.panel_text import panel_as_text

MINUTE = 60_000
GAME = replace(SETTINGS, chips=ChipKind.TABLE, starting_stack=10_000)
FRIENDS = (
    BookLine(103, "Ada", 1, 10_000, 8_850, 84),
    BookLine(101, "Zoë", 1, 10_000, 24_200, 61),
    BookLine(105, "Mia", 2, 20_000, 6_950, 84),
)


def ended(
    *book: BookLine, hands: int = 84, settings: TableSettings = SETTINGS, reason: Reason = Reason.REQUESTED, by: int = 0
) -> EndedGame:
    table = Table(
        settings=settings,
        opened_by=101,
        opened_at=5 * MINUTE,
        active_at=100 * MINUTE,
        seated_at=1,
        status=TableStatus.CLOSED,
        hands_dealt=hands,
        book=book,
    )
    asked = (ClosingRequested(by, 197 * MINUTE),) if by else ()
    return ended_game(table, 3, (*asked, TableClosed(197 * MINUTE, reason=reason)))


def text(game: EndedGame, hand: BigHand | None = None) -> str:
    return panel_as_text(within_limits(ended_panel(77, game, hand)))


def test_a_game_ends_with_where_everybody_stands() -> None:
    assert text(ended(*FRIENDS, settings=GAME, by=103)) == (
        "### The game at table 3 is over · 3 h 12 min · 84 hands\n"
        "-# No-Limit Hold'em 50/100 · Ada ended the game.\n"
        "🏆\u00a0Zoë **+14,200** · 1 buy-in · 61 hands\n"
        "`2`\u00a0Ada **−1,150** · 1 buy-in · 84 hands\n"
        "`3`\u00a0Mia **−13,050** · 2 buy-ins · 84 hands\n"
        "———\n"
        "[All hands]"
    )
    assert sum(one.net for one in ended(*FRIENDS, settings=GAME).standings) == 0


def test_a_table_of_server_chips_ends_with_the_same() -> None:
    assert text(ended(*FRIENDS, by=103)).startswith(
        "### Table 3 is closed · 3 h 12 min · 84 hands\n"
        "-# No-Limit Hold'em 50/100 · Ada closed the table. All chips are back in wallets.\n🏆"
    )


def test_nobody_is_named_first_where_nobody_has_won() -> None:
    even = [BookLine(101, "Zoë", 1, 10_000, 10_000, 9), BookLine(103, "Ada", 1, 10_000, 10_000, 9)]
    assert "`1`\u00a0Zoë **±0** · 1 buy-in · 9 hands\n`2`\u00a0Ada **±0**" in text(ended(*even))


def test_two_who_won_the_same_are_both_first() -> None:
    won = [BookLine(user, name, 1, 100, 150, 9) for user, name in ((101, "Zoë"), (102, "Bo"))]
    assert text(ended(*won, BookLine(103, "Ada", 1, 100, 0, 9))).count("🏆") == 2


def test_a_table_without_a_hand_has_no_sheet() -> None:
    players = [replace(one, taken=10_000, bought=10_000, hands=0) for one in FRIENDS]
    assert text(ended(*players, hands=0, reason=Reason.IDLE)) == (
        "### Table 3 is closed\n"
        "Closed because nobody was playing. All chips are back in wallets.\n"
        "-# No-Limit Hold'em · no hands played"
    )
    assert "\nThe game is over.\n" in text(ended(hands=0, settings=GAME))


def test_one_person_among_practice_players_has_no_sheet() -> None:
    alone = ended(FRIENDS[0], BookLine(-1, "Practice", 1, 10_000, 11_150, 84), hands=1284)
    assert "[All hands]" not in text(alone) and "1,284 hands played" in text(alone)
    assert "[All hands]" not in text(ended(*FRIENDS, settings=replace(SETTINGS, practice=True)))


def test_short_text_names_who_closed_the_table() -> None:
    assert "\nAda closed the table. All chips are back in wallets.\n" in text(ended(FRIENDS[0], by=103))
    assert "\n<@999> closed the table." in text(ended(by=999))
    assert "\nAll chips are back in wallets.\n" in text(ended())


def test_whoever_was_dealt_no_hand_stands_in_no_sheet() -> None:
    assert "Cy" not in text(ended(*FRIENDS, BookLine(108, "Cy", 1, 10_000, 10_000, 0)))


def test_former_player_has_no_name_in_the_sheet() -> None:
    game = ended(*[replace(one, player=FIRST_FORMER_PLAYER) if one.name == "Zoë" else one for one in FRIENDS])
    assert "🏆\u00a0a former player **+14,200**" in text(game) and "Zoë" not in text(game)


def test_an_evening_of_a_hundred_people_fits() -> None:
    many = [BookLine(200 + number, "*" * 32, 12, 10**12, 10**12 + 50 - number, 9_999) for number in range(100)]
    assert "-# and 80 more" in text(ended(*many))


def test_hand_of_the_night_has_its_replay() -> None:
    hand = BigHand(61, 198_000, "Zoë won 19,800 with nines full of aces against Mia")
    told = "\n———\n-# Hand of the night · #61\nZoë won 19,800 with nines full of aces against Mia\n[Replay]\n———\n[All hands]"
    assert text(ended(*FRIENDS), hand).endswith(told)
    assert "Hand of the night" not in text(ended(*FRIENDS, hands=4), hand), "four hands are no night"

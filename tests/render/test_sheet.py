"""The last message of a table: the sheet of a game that people have played, else a short text."""

from msgspec.structs import replace

from bot.render.message.panel import Picture
from bot.render.table.sheet import SheetHand, ended_panel
from bot.runtime.store_types import FIRST_FORMER_PLAYER
from bot.table.ended_game import EndedGame, FinishTold, ended_game, resting_game
from bot.table.events import CloseReason as Reason
from bot.table.events import ClosingRequested, TableClosed
from bot.table.settings import ChipKind, TableSettings
from bot.table.state import BookLine, Table, TableStatus
from bot.text.sheet import SheetHandKind as Kind
from bot.text.sheet import line_above
from tests.render.sample_hands import EMOJIS, scene, showdown
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


def text(game: EndedGame) -> str:
    return panel_as_text(within_limits(ended_panel(77, game)))


def test_a_game_ends_with_where_everybody_stands() -> None:
    assert text(ended(*FRIENDS, settings=GAME, by=103)) == (
        "### The game at table 3 is over · 3 h 12 min · 84 hands\n"
        "-# No-Limit Hold'em 50/100 · Ada ended the game.\n"
        "🏆\u00a0Zoë **+14,200** · 1 buy-in · 61 hands\n"
        "`2`\u00a0Ada **−1,150** · 1 buy-in · 84 hands\n"
        "`3`\u00a0Mia **−13,050** · 2 buy-ins · 84 hands\n"
        "———\n"
        "[+Play again] [All hands]"
    )
    assert sum(one.net for one in ended(*FRIENDS, settings=GAME).standings) == 0


def test_a_table_of_server_chips_ends_with_the_same() -> None:
    assert text(ended(*FRIENDS, by=103)).startswith(
        "### Table 3 is closed · 3 h 12 min · 84 hands\n"
        "-# No-Limit Hold'em 50/100 · Ada closed the table. All chips are back in wallets.\n🏆"
    )


def test_nobody_is_named_first_where_nobody_has_won() -> None:
    even = [BookLine(101, "Zoë", 1, 10_000, 10_000, 9), BookLine(103, "Ada", 1, 10_000, 10_000, 9)]
    assert "`1`\u00a0Zoë **±0** · 1 buy-in · 9 hands\n`1`\u00a0Ada **±0**" in text(ended(*even))


def test_two_who_won_the_same_are_both_first() -> None:
    won = [BookLine(user, name, 1, 100, 150, 9) for user, name in ((101, "Zoë"), (102, "Bo"))]
    told = text(ended(*won, BookLine(103, "Ada", 1, 100, 50, 9), BookLine(104, "Cy", 1, 100, 50, 9)))
    assert told.count("🏆") == 2 and "`3`\u00a0Ada" in told and "`3`\u00a0Cy" in told


def test_sheet_of_an_evening_with_a_date_bears_its_name() -> None:
    night = ended(*FRIENDS, settings=replace(GAME, evening="Friday *game*"))
    assert text(night).startswith("### Friday \\*game\\* is over · 3 h 12 min · 84 hands\n")


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
    hands = [won(61, Kind.NIGHT), won(38, Kind.WORST, 7, 917), won(22, Kind.BEST)]
    hands = [replace(one, scene=replace(one.scene, emojis=EMOJIS)) for one in hands]
    within_limits(ended_panel(77, ended(*many), hands, Picture("evening.webp", "*" * 256)))


def won(number: int, kind: Kind, seat_number: int = 5, chance: int = 0) -> SheetHand:
    """Return the showdown of `sample_hands` as a hand of this number."""
    view = showdown()
    seat = next(seat.seat_index for seat in view.seats if seat.seat_number == seat_number)
    return SheetHand(kind, scene(view, hand_number=number), seat, chance)


def text_with(*hands: SheetHand, picture: Picture | None = None) -> str:
    return panel_as_text(within_limits(ended_panel(77, ended(*FRIENDS), hands, picture)))


def test_hands_stand_below_the_picture_with_their_replays() -> None:
    told = text_with(
        won(61, Kind.NIGHT), won(38, Kind.WORST, 7, 917), won(22, Kind.BEST), picture=Picture("evening.webp", "Chips")
    )
    night, worst, best = told.split("-# ")[2:5]
    assert "🏆" in told and told.index("🏆") < told.index("(picture: Chips)") < told.index("Hand of the night")
    assert night.startswith("Hand of the night · #61\nNightOwl won ") and night.rstrip().endswith("[Replay]")
    assert worst.startswith("Worst beat · #38\nriver\\_rat lost with **nines full of aces** · ")
    assert "92\u00a0% when the money went in\n" in worst
    assert best.startswith("Best hand · #22\nNightOwl had **") and "[Replay]" in best


def test_one_hand_is_told_once() -> None:
    told = text_with(won(61, Kind.NIGHT), won(61, Kind.WORST, 7, 917), won(61, Kind.BEST))
    assert told.count("[Replay]") == 1 and told.count("NightOwl won") == 1 and "NightOwl had" not in told
    assert "Hand of the night · Worst beat · Best hand · #61\n" in told and "river\\_rat lost with" in told


def test_no_loser_was_certain_to_win() -> None:
    assert "99\u00a0% when the money" in text_with(won(38, Kind.WORST, 7, 999))


def test_four_hands_are_no_night() -> None:
    few = ended_panel(77, ended(*FRIENDS, hands=4), [won(2, Kind.NIGHT)], Picture("evening.webp", "Chips"))
    assert "Hand of the night" not in panel_as_text(few) and "picture" not in panel_as_text(few)


def test_game_that_rests_says_that_it_goes_on() -> None:
    table = Table(settings=GAME, opened_by=101, opened_at=0, active_at=1, seated_at=1, hands_dealt=84, book=FRIENDS)
    told = text(resting_game(table, 3, 192 * MINUTE))
    assert told.startswith("### Table 3 takes a rest · 3 h 12 min · 84 hands\n")
    assert "No hand for six hours. The table stays open" in told and told.endswith("———\n[All hands]")


def test_channel_above_reads_who_won_most() -> None:
    game = ended(*FRIENDS, settings=GAME)
    assert line_above(game, "https://a/b") == (
        "-# The game at table 3 is over · **Zoë** +14,200 · [Open the sheet](https://a/b)"
    )
    even = ended(*[replace(one, taken=one.bought) for one in FRIENDS])
    assert line_above(even, "https://a/b") == "-# Table 3 is closed · [Open the sheet](https://a/b)"


def test_event_with_practice_players_tells_who_won() -> None:
    finishes = (FinishTold(1, 1, "Zoë"), FinishTold(2, -1, "Bruno"))
    shown = text(replace(ended(*FRIENDS), practice=True, is_event=True, finishes=finishes))
    assert "The sit-and-go at table" in shown and "🥇" in shown
    assert shown.index("Zoë") < shown.index("Bruno")
    assert "Play again" not in shown


def test_line_above_the_room_tells_who_won_an_event() -> None:
    game = replace(
        ended(*FRIENDS), is_event=True, finishes=(FinishTold(1, 103, "Ada", 4_500), FinishTold(2, 101, "Zoë"))
    )
    assert line_above(game, "L") == "-# The sit-and-go at table 3 is over · **Ada** 1st · 4,500 · [Open the sheet](L)"
    game = replace(game, finishes=(FinishTold(1, 103, "Ada"),))
    assert line_above(game, "L") == "-# The sit-and-go at table 3 is over · **Ada** 1st · [Open the sheet](L)"


def test_cancelled_event_says_what_becomes_of_buy_ins() -> None:
    """Before the first hand they come back; later what is left of the prizes is shared (SG-13)."""
    event = replace(GAME, is_event=True)
    begun = text(ended(*FRIENDS, settings=event, reason=Reason.EVENT_OVER))
    assert "The sit-and-go was cancelled. Where buy-ins were paid, the prizes are shared by stacks. Law SG-13" in begun
    assert "back" not in begun
    shares = (FinishTold(0, 103, "Ada", 410, bounties=20), FinishTold(0, 101, "Zo*e", 390))
    told = text(replace(ended(*FRIENDS, settings=event, reason=Reason.EVENT_OVER), shares=shares))
    assert "Law SG-13\nAda **430**, Zo\\*e **390**\n" in told
    unbegun = text(ended(hands=0, settings=event, reason=Reason.EVENT_OVER))
    assert "The sit-and-go was cancelled. Where buy-ins were paid, they are back in wallets." in unbegun

"""`/stats` as people read it: a player's numbers, two players against each other, a session at a table."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from bot.engine.cards import parse_cards
from bot.engine.ranking import evaluator
from bot.render.house.statistics_pages import (
    ALL_GAMES,
    PageChoices,
    PlayerShown,
    StatisticsPage,
    best_hand_name,
    game_token,
    meanings_panel,
    read_page,
    session_blocks,
    session_panel,
    statistics_panel,
    versus_panel,
)
from bot.render.message.custom_ids import PagePress, parse_custom_id
from bot.render.message.panel import Buttons, Picture, Select
from bot.statistics.types import (
    BestHand,
    ChipsPoint,
    Counts,
    HandKey,
    PeriodKind,
    PlayedFor,
    PlayerNumbers,
    SessionNumbers,
    Versus,
)
from bot.text import statistics as words
from bot.variants import game
from tests.support.message_limits import within_limits
from tests.support.panel_text import panel_as_text

ANN, BO = 101, 202
HOLDEM = ("holdem", "No-Limit Hold'em")
OMAHA, RAZZ, BADUGI = ("omaha", "Pot-Limit Omaha"), ("razz", "Limit Razz"), ("badugi", "Badugi")
READER = PlayerShown(ANN, "Ann", "https://cdn.example/ann.png", is_reader=True)
OTHER = PlayerShown(BO, "Bo", "https://cdn.example/bo.png")
OFTEN = Counts(
    hands=2911,
    net=11_100,
    voluntary=700,
    voluntary_chances=2900,
    raised_first=490,
    bets=300,
    raises=160,
    calls=200,
    past_first_round=800,
    showdowns=224,
    showdowns_won=119,
    pots_won=690,
    lucky_hands=12,
    luck=1_240_400,
    estimated_hands=3,
)


def best(cards: str = "Ks Kh Kd 9c 9s 2d 3h", key: str = "holdem", share: int = 0) -> BestHand:
    """Somebody's best hand, of these cards."""
    value = evaluator(game(key).shares[share].ranking).best(parse_cards(cards.replace(" ", "")))
    return BestHand(HandKey(7, 3, 12), 0, key, value, share)


NUMBERS = PlayerNumbers(
    ANN,
    OFTEN,
    best(),
    18_450,
    HandKey(7, 3, 34),
    7,
    by_game=(("holdem", Counts(hands=2000, net=10_000)), ("omaha", Counts(hands=911, net=1_100))),
)


def shown(numbers: PlayerNumbers = NUMBERS, player: PlayerShown = READER, **how: object) -> str:
    page = StatisticsPage(
        player.user, how.pop("period", PeriodKind.EVER), how.pop("played_for", PlayedFor.SERVER_CHIPS)
    )  # type: ignore[arg-type]
    choices = how.pop("choices", PageChoices(games=(HOLDEM, OMAHA)))
    return panel_as_text(within_limits(statistics_panel(page, numbers, player, choices, **how)))  # type: ignore[arg-type]


def test_own_statistics_read_aloud() -> None:
    assert shown(picture=Picture("plot.webp", "Net chips over 2,911 hands.")) == (
        "### Your statistics\n"
        "-# All games · All time\n"
        "**2,911** hands · net **+11,100** · **+381** per 100 hands\n"
        "(thumbnail: Ann)\n"
        "Plays **24 %** of hands · raises **17 %** · aggression **2.3**\n"
        "Goes to showdown **28 %** · wins there **53 %**\n"
        "Best hand **full house, kings full of nines** (hand #12, table 3)\n"
        "Biggest pot **18,450** (hand #34, table 3)\n"
        "Longest winning streak **7** hands\n"
        "All-in luck **+1,240** in 12 all-ins (estimate)\n"
        "(picture: Net chips over 2,911 hands.)\n"
        "[Period: All time ▾] *All time | This month | This week\n"
        "[Game: All games ▾] *All games | No-Limit Hold'em | Pot-Limit Omaha\n"
        "[By game] [Best hand #12] [Biggest pot #34]\n"
        "[What do these mean?] [Show here] [Keep them private]"
    )


def test_another_players_statistics_offer_to_compare() -> None:
    text = shown(player=OTHER)
    assert text.startswith("### Statistics of <@202>\n-# All games · All time\n")
    assert text.endswith("[You against Bo] [What do these mean?] [Show here]")
    assert "private" not in text


def test_shared_statistics_have_no_ways_to_change_them() -> None:
    text = shown(player=replace(READER, is_reader=False), shared=True)
    assert text.startswith("### Statistics of <@101>\n") and text.endswith("[You against Ann] [What do these mean?]")


def test_private_statistics_are_shared_without_buttons() -> None:
    private = replace(READER, is_private=True)
    assert "-# Nobody else can look these up." in shown(player=private) and "[Let others see them]" in shown(
        player=private
    )
    shared = shown(player=replace(private, is_reader=False), shared=True)
    assert "[" not in shared.replace("(thumbnail", "")


def test_shares_wait_for_twenty_hands() -> None:
    few = Counts(
        hands=8, net=-50, voluntary=8, voluntary_chances=8, calls=9, past_first_round=5, showdowns=3, showdowns_won=2
    )
    assert "**8** hands · net **−50**\n" in shown(PlayerNumbers(ANN, few))
    assert "-# Percentages come after 20 hands.\nWon **2** of **3** showdowns" in shown(PlayerNumbers(ANN, few))
    assert "%" not in shown(PlayerNumbers(ANN, few)) and "per 100" not in shown(PlayerNumbers(ANN, few))


def test_one_hand_is_told_in_the_singular() -> None:
    one = Counts(hands=1, net=0, showdowns=1, lucky_hands=1, luck=-499)
    text = shown(PlayerNumbers(ANN, one, longest_streak=1))
    assert "**1** hand · net **0**" in text and "Won **0** of **1** showdown\n" in text
    assert "All-in luck **0** in 1 all-in\n" in text and "streak" not in text


def test_game_of_one_betting_round_tells_no_share_of_showdowns() -> None:
    """In such a game nobody is past the first betting round, though all show down."""
    counts = Counts(hands=40, voluntary_chances=40, past_first_round=0, showdowns=30, showdowns_won=10)
    text = shown(PlayerNumbers(ANN, counts))
    assert "Won **10** of **30** showdowns" in text and "Goes to showdown" not in text


@pytest.mark.parametrize(
    ("player", "period", "sentence"),
    [
        (READER, PeriodKind.EVER, "No hands yet. Take a seat with `/sit`, or open a table with `/play`."),
        (OTHER, PeriodKind.EVER, "They haven't played a hand here yet."),
        (OTHER, PeriodKind.WEEK, "No hands here. Choose another period or game."),
    ],
)
def test_without_hands_there_is_a_way_on(player: PlayerShown, period: PeriodKind, sentence: str) -> None:
    text = shown(PlayerNumbers(player.user, Counts()), player, period=period)
    assert sentence in text and "%" not in text and "Show here" not in text


def test_no_more_games_are_offered_than_fit() -> None:
    games = [HOLDEM, OMAHA, RAZZ, BADUGI, *[(f"house{at}", "W" * 120) for at in range(40)]]
    page = StatisticsPage(2**63 - 1, PeriodKind.SEASON, PlayedFor.PRACTICE_CHIPS, game=game_token("omaha"))
    choices = PageChoices((PeriodKind.EVER, PeriodKind.SEASON), games)
    panel = within_limits(statistics_panel(page, NUMBERS, READER, choices))
    (select,) = [block for block in panel.blocks if isinstance(block, Select) and "Game" in block.placeholder]
    assert select.placeholder == "Game: Pot-Limit Omaha" and len(select.options) == 25
    assert "-# Pot-Limit Omaha · This season · practice chips" in panel_as_text(panel)


def test_without_a_picture_of_the_player_the_head_is_text() -> None:
    text = shown(player=replace(READER, avatar=""))
    assert "thumbnail" not in text and text.startswith("### Your statistics\n-# All games · All time\n**2,911** hands")


def test_absurd_numbers_fit() -> None:
    huge = Counts(*[10**12] * 15)
    numbers = PlayerNumbers(ANN, replace(huge, net=-(10**12)), best(), 10**12, HandKey(7, 10**9, 10**9), 10**9)
    assert "net **−1,000,000,000,000**" in shown(numbers)


def test_every_page_comes_back_from_its_id() -> None:
    for page in (
        StatisticsPage(ANN),
        StatisticsPage(2**63 - 1, PeriodKind.SEASON, PlayedFor.PRACTICE_CHIPS, by_game=True, game=game_token("omaha")),
        StatisticsPage(BO, PeriodKind.WEEK, guild=2**63 - 1),
    ):
        press = parse_custom_id(page.button_id())
        assert isinstance(press, PagePress) and read_page(press.words) == page


@pytest.mark.parametrize("written", [(), ("0.eco",), ("1.xco", "0"), ("-1.eco", "0"), ("1.eco.2",), ("",)])
def test_made_up_words_are_no_page(written: tuple[str, ...]) -> None:
    assert read_page(written) is None


def test_strange_game_of_an_id_means_every_game() -> None:
    assert PageChoices(games=(HOLDEM,)).game_key("zzzz") == ""
    assert PageChoices(games=(HOLDEM,)).game_key(game_token("holdem")) == "holdem"
    assert len({game_token(f"game {at}") for at in range(100)}) == 100 and game_token("holdem") != ALL_GAMES


@pytest.mark.parametrize(
    ("cards", "key", "share", "name"),
    [
        ("As Ks Qs Js Ts", "holdem", 0, "royal flush"),
        ("7c 5d 4h 3s 2c", "deuce_to_seven", 0, "7-5-4-3-2"),
        ("Ac 2d 3h 4s", "badugi", 0, "four-card badugi, 4-3-2-A"),
        ("Ac 2d 3h 4s 6s", "stud8", 1, "6-4-3-2-A"),
    ],
)
def test_best_hand_is_named_as_its_game_ranks_it(cards: str, key: str, share: int, name: str) -> None:
    assert best_hand_name(best(cards, key, share)) == name


def test_best_hand_of_a_lost_game_is_still_found() -> None:
    gone = replace(best(), game="somebodys_own")
    assert best_hand_name(gone) == ""
    assert best_hand_name(replace(best(), share=9)) == best_hand_name(replace(best(), value=1)) == ""
    assert "Best hand: see hand #12, table 3" in shown(replace(NUMBERS, best_hand=gone))


def test_meanings_explain_every_word_in_plain_sentences() -> None:
    text = panel_as_text(within_limits(meanings_panel(StatisticsPage(ANN))))
    for told in (
        "Net",
        "Per 100 hands",
        "Plays",
        "Raises",
        "Aggression",
        "Goes to showdown",
        "Wins there",
        "Best hand",
    ):
        assert f"**{told}**" in text
    assert "VPIP" in text and "WTSD" in text and text.endswith("[Back to the numbers]")
    assert not any(isinstance(block, Buttons) for block in meanings_panel().blocks)


def test_two_players_against_each_other() -> None:
    versus = Versus(ANN, BO, 312, 4_200, -1_100, 12, 7, 4)
    panel = versus_panel(StatisticsPage(ANN), versus, READER, OTHER, PageChoices())
    assert panel_as_text(within_limits(panel)) == (
        "### You against <@202>\n"
        "-# All games · All time\n"
        "**312** hands together\n"
        "(thumbnail: Bo)\n"
        "You **+4,200** · <@202> **−1,100**\n"
        "**12** showdowns: you won **7**, <@202> won **4**\n"
        "-# Chips are counted as won from the whole table. A shared pot is a win for neither.\n"
        "[Period: All time ▾] *All time | This month | This week\n"
        "[My statistics] [Statistics of Bo] [Show here]"
    )
    shared = versus_panel(
        StatisticsPage(ANN), versus, replace(READER, is_reader=False), OTHER, PageChoices(), shared=True
    )
    text = panel_as_text(within_limits(shared))
    assert text.startswith("### <@101> against <@202>\n") and "**12** showdowns: <@101> won **7**, <@202> won" in text
    strangers = versus_panel(StatisticsPage(ANN), Versus(ANN, BO), READER, OTHER, PageChoices())
    assert words.NO_HANDS_TOGETHER in panel_as_text(within_limits(strangers))


SESSION = SessionNumbers(
    ANN,
    7,
    since=0,
    until=80 * 60_000,
    counts=Counts(hands=42, net=1_240),
    curve=(ChipsPoint(0, 0, 0), ChipsPoint(42, 1_240, 0)),
    best_hand=best("As Kd Qc Jh 9s"),
    biggest_pot=4_200,
    biggest_pot_at=HandKey(7, 3, 31),
)


def test_session_sheet_read_aloud() -> None:
    blocks = session_blocks(SESSION, 3, ANN, picture=Picture("plot.webp", "Net chips over 42 hands."))
    panel = session_panel("You've left the table. Your chips are in your wallet.", blocks)
    assert panel_as_text(within_limits(panel)) == (
        "You've left the table. Your chips are in your wallet.\n"
        "### Your session at table 3\n"
        "**42** hands in **1 h 20 min** · net **+1,240**\n"
        "Best moment: a pot of **4,200** (hand #31, table 3)\n"
        "(picture: Net chips over 42 hands.)\n"
        "[…My statistics] [Hand #31]"
    )


def test_great_hand_is_the_best_moment() -> None:
    text = panel_as_text(within_limits(session_panel("", session_blocks(replace(SESSION, best_hand=best()), 3, ANN))))
    assert "Best moment: **full house, kings full of nines** (hand #12, table 3)" in text


def test_session_without_a_pot_has_no_best_moment() -> None:
    lost = SessionNumbers(ANN, 7, 0, 59_000, Counts(hands=1, net=-20))
    text = panel_as_text(within_limits(session_panel("", session_blocks(lost, 3, ANN, guild=2**63 - 1))))
    assert text == "### Your session at table 3\n**1** hand in **1 minute** · net **−20**\n[…My statistics]"


def test_session_without_hands_has_no_sheet() -> None:
    assert session_blocks(SessionNumbers(ANN, 7, 0, 0, Counts()), 3, ANN) == ()

"""Pages answer what a person asks for: chips, leaderboard, laws, house and help. They are private until somebody shares them."""

import pytest
from msgspec.structs import replace

from bot import laws as book
from bot.engine.mixes import RotationChange
from bot.engine.options.values import StraddleRule
from bot.engine.options.wild_cards import NO_WILD_CARDS
from bot.engine.rule_card import RuleCard
from bot.house.rules import LISTED, HouseRules
from bot.ledger.accounts import TransferReason
from bot.ledger.books import BookFault, BookProblem
from bot.ledger.gifts import GiftClaims
from bot.render.house import chips, house_pages, law_pages
from bot.render.house.leaderboards import (
    CHIPS,
    Board,
    BoardFrame,
    chips_board_panel,
    game_code,
    ranking_panel,
    read_board,
)
from bot.render.message.panel import Select
from bot.render.table.mixed_games import mixed_game_choices
from bot.runtime.mixed_table_settings import GameChangeRule, mixed_settings
from bot.runtime.store_types import (
    FIRST_FORMER_PLAYER,
    HistoryEntry,
    Leaderboard,
    LeaderboardLine,
    LedgerAudit,
    PlayerHoldings,
    WalletHistory,
)
from bot.runtime.table_settings import NewTableRequest, default_table_settings, with_card_and_options
from bot.statistics.types import PeriodKind, RankedPlayers, RankingLine, RankingOrder
from bot.text.describe_game import describe_option_value
from bot.text.options import option_meaning
from bot.variants import CATALOGUE, game
from bot.variants.customise import change_option, offered_options
from tests.render.test_lobby import FOUR, SETTINGS, table
from tests.support.message_limits import form_faults, within_limits
from tests.support.panel_text import laws_as_text, panel_as_text

PURSE = PlayerHoldings(
    user=5, wallet=8_200, stacks=10_000, bets=300, claims=GiftClaims(granted_at=1, last_daily_day=20_000, streak=4)
)
NAMES = {1: "Zoë", 2: "river_rat", 3: "@everyone"}


def test_the_balance() -> None:
    panel = within_limits(
        chips.balance_panel(PURSE, daily_at=0, daily_chips=1_400, relief_at=0, relief_chips=0, practice=9_650)
    )
    assert panel_as_text(panel) == (
        "### Your chips: 18,500\n"
        "In the wallet **8,200** · on tables **10,300**\n"
        "Practice chips **9,650** (kept apart)\n"
        "Daily chips **1,400** now · 4 days in a row\n"
        "[+Daily 1,400] [History] [Leaderboard] [Show here]"
    )


def test_a_claimed_day_and_relief() -> None:
    broke = replace(PURSE, wallet=0, stacks=0, bets=0)
    text = panel_as_text(
        within_limits(
            chips.balance_panel(broke, daily_at=1_800_000_000, daily_chips=1_400, relief_at=0, relief_chips=2_000)
        )
    )
    assert "Daily chips **1,400** <t:1800000000:R>" in text
    assert "Free chips **2,000** now" in text
    assert "[+Free chips 2,000]" in text
    assert "[+Daily" not in text
    later = panel_as_text(
        chips.balance_panel(broke, daily_at=0, daily_chips=0, relief_at=1_800_000_000, relief_chips=2_000)
    )
    assert "Free chips **2,000** <t:1800000000:R>" in later
    assert "[+" not in later


def test_shared_chips_have_no_buttons() -> None:
    shared = chips.balance_panel(PURSE, daily_at=0, daily_chips=5, relief_at=0, relief_chips=5, shared=True)
    assert panel_as_text(shared) == "### Chips of <@5>: 18,500\nIn the wallet **8,200** · on tables **10,300**"


def test_a_claim_is_answered() -> None:
    assert panel_as_text(
        within_limits(chips.gift_claimed_panel("daily", 1_400, 9_600, streak=5, next_at=1_800_000_000))
    ) == (
        "### Daily chips: +1,400\nYour wallet now holds **9,600**.\n-# 5 days in a row\n-# Your next daily chips: <t:1800000000:R>."
    )


def test_the_history() -> None:
    entries = (
        HistoryEntry(9, 1_800_000_000_000, -5_000, TransferReason.BUY_IN, "", 3, 0),
        HistoryEntry(8, 1_800_000_000_000, 500, TransferReason.STAFF_GRANT, "won the *raffle*", 0, 1),
        HistoryEntry(7, 1_800_000_000_000, -1, TransferReason.STAFF_TAKE, "", 0, 99),
    )
    assert panel_as_text(within_limits(chips.history_panel(WalletHistory(entries, 7), names=NAMES))) == (
        "### Your chips: history\n"
        "**−5,000** buy-in · table 3 · <t:1800000000:R>\n"
        "**+500** added by staff · by Zoë · won the \\*raffle\\* · <t:1800000000:R>\n"
        "**−1** removed by staff · by <@99> · <t:1800000000:R>\n"
        "[Older] [Balance]"
    )
    assert "No entries yet." in panel_as_text(within_limits(chips.history_panel(WalletHistory((), 0), first=False)))


def board(count: int = 31, own: int = 2) -> Leaderboard:
    lines = tuple(LeaderboardLine(rank, rank, 50_000 - rank, 40_000) for rank in range(1, 11))
    return Leaderboard(lines, count, LeaderboardLine(own, own, 50_000 - own, 40_000))


def test_the_leaderboard() -> None:
    """Each player has one line, the first three a medal, and the reader's own rank stands below. Only page buttons are ever disabled."""
    frame = BoardFrame(Board(CHIPS), 1, 2, games=(("holdem", "No-Limit Hold'em"),), season="Season 3 · Winter")
    text = panel_as_text(within_limits(chips_board_panel(board(), frame, 20, 300)))
    assert text.startswith(
        "### Leaderboard\n"
        "-# Chips, in the wallet and on tables · at least 20 hands (BO-2) · 31 players\n"
        "🥇\u00a0<@1> · 49,999 (9,999 of it on tables)\n"
        "🥈\u00a0<@2> (you) · 49,998 (9,998 of it on tables)\n"
        "🥉\u00a0<@3> · 49,997 (9,997 of it on tables)\n"
        "`4`\u00a0<@4> · 49,996 (9,996 of it on tables)\n"
    )
    assert "———\nYou: **2nd** of 31 · 49,998 chips\n" in text
    assert text.endswith("[‹ Prev (off)] [1 / 4 (off)] [Next ›] […My place] [Show here]\n[My statistics]")


def test_a_leaderboard_of_finished_hands() -> None:
    """Somebody who left, and somebody who had their data deleted, are still counted."""
    lines = (
        RankingLine(1, 1, 1204, 37_570), RankingLine(1, 2, 1204, 37_570), RankingLine(3, 3, 860, -16_430),
        RankingLine(4, FIRST_FORMER_PLAYER, 90, -900), RankingLine(5, 6, 30, -600),
    )  # fmt: skip
    frame = BoardFrame(
        Board(RankingOrder.NET_PER_100, PeriodKind.SEASON, game_code("holdem")), 1, 2,
        games=(("holdem", "No-Limit Hold'em"),), season="Season 3 · Winter", departed={3: "Zoë", 6: ""},
    )  # fmt: skip
    text = panel_as_text(within_limits(ranking_panel(RankedPlayers(lines, 5, lines[1], 1204), frame, 20)))
    assert text.startswith(
        "### Leaderboard · Season 3 · Winter\n"
        "-# Net chips per 100 hands · No-Limit Hold'em · at least 20 hands (BO-2) · 5 players\n"
        "🥇\u00a0<@1> · +3,120 per 100 · 1,204 hands\n"
        "🥇\u00a0<@2> (you) · +3,120 per 100 · 1,204 hands\n"
        "🥉\u00a0**Zoë** (left) · −1,910 per 100 · 860 hands\n"
        "`4`\u00a0a former player · −1,000 per 100 · 90 hands\n"
        "`5`\u00a0somebody who left · −2,000 per 100 · 30 hands\n"
    )
    assert "You: **1st** of 5 · +3,120 per 100 · 1,204 hands" in text


def test_who_is_short_of_hands_reads_how_many_it_takes() -> None:
    frame = BoardFrame(Board(RankingOrder.NET_PER_100), 1, 2)
    text = panel_as_text(within_limits(ranking_panel(RankedPlayers((), 0, None, 7), frame, 20)))
    assert "You: 7 hands. It takes 20 to be listed here." in text


def test_shared_leaderboard_has_no_own_rank() -> None:
    text = panel_as_text(within_limits(chips_board_panel(board(), BoardFrame(Board(CHIPS), 4, 2, shared=True), 20, 0)))
    assert "You" not in text.replace("(you)", "You")
    assert text.endswith("[‹ Prev] [4 / 4 (off)] [Next › (off)]\n[My statistics]")


def test_an_empty_leaderboard() -> None:
    for own_hands, own in ((0, "You have played no hands here."), (1, "You: 1 hand. It takes 20 to be listed here.")):
        nobody = Leaderboard((), 0, None)
        text = panel_as_text(within_limits(chips_board_panel(nobody, BoardFrame(Board(CHIPS), 1, 2), 20, own_hands)))
        assert "Nobody has played enough hands for this list." in text
        assert own in text


def test_practice_stands_below_and_apart() -> None:
    """Hands for practice chips bring nobody a place among the others."""
    practice = RankedPlayers((RankingLine(1, 2, 25, 7_200),), 1)
    text = panel_as_text(within_limits(ranking_panel(RankedPlayers((), 0), BoardFrame(Board(), 1, 2), 20, practice)))
    above, below = text.split("### Practice chips\n")
    assert "Nobody has played enough hands for this list." in above
    assert below.startswith("🥇\u00a0<@2> (you) · +7,200 · 25 hands\n")


def test_the_word_of_a_leaderboard_comes_back() -> None:
    for order in (CHIPS, *RankingOrder):
        for period in PeriodKind:
            one = Board(order, period, game_code("some_very_long_house_game+with+modifiers"))
            assert read_board(one.code) == one
    for word in ("", "prev", "x.y.z", "n.e", "n.e.", "n"):
        assert read_board(word) == Board()


@pytest.mark.law("H-2")
def test_laws_print_the_set_in_force() -> None:
    """The page says in plain words what the table plays, and where it departs from its game's own rules."""
    noted = replace(SETTINGS, notes=("No phones @everyone",))
    text = laws_as_text(noted)
    assert text.startswith("### Laws at this table\n**No-Limit Hold'em** 50/100 · law VB-6\n")
    assert "**Betting**\nNo limit: you can bet or raise everything you have." in text
    assert "**Differs from the standard rules:** Maximum seats: 9 (standard: 10)" in text
    assert "**House notes:**\n• No phones @\u200beveryone" in text
    plainly = replace(SETTINGS, options=SETTINGS.rule_card.options)
    assert "Standard rules." in laws_as_text(plainly)


def test_rules_are_three_sentences_and_what_the_table_changes() -> None:
    """The number of seats is no rule of the game, and the full rules are one press away."""
    options = replace(SETTINGS.options, straddle=StraddleRule.LIVE)
    text = panel_as_text(
        within_limits(law_pages.short_rules_panel(replace(SETTINGS, options=options, notes=("Be nice",))))
    )
    assert text.startswith("### Rules · No-Limit Hold'em\nYou get two cards of your own")
    assert "**Differs from the standard rules:** Straddle: " in text
    assert "Maximum seats" not in text
    assert "• Be nice" in text
    assert text.endswith("[…Full rules] [Show here]")
    assert len(text) < 900


def test_rules_of_a_modified_game_name_its_changes() -> None:
    bug = game("holdem + joker bug")
    text = panel_as_text(law_pages.short_rules_panel(replace(SETTINGS, rule_card=bug, options=bug.options)))
    assert "In this version: A joker is added: an ace, or it fills a straight" in text


@pytest.mark.law("H-2", "H-4")
def test_laws_print_every_amount_that_was_agreed_on() -> None:
    """An ante beside the blinds and a larger first bet are listed."""
    stakes = replace(SETTINGS.stakes, ante=5, min_bet=300)
    text = laws_as_text(replace(SETTINGS, stakes=stakes))
    assert "**Stakes:** ante 5, small blind 50, big blind 100, minimum bet 300, buy-in 2,000–20,000." in text
    assert "A raise adds at least the last full bet or raise." in text


@pytest.mark.law("H-2", "I-9", "E-2")
def test_options_that_decide_nothing_are_neither_told_nor_offered() -> None:
    """Hoyle draw has `ANNOUNCE`=void_without_chips from its source. It decides nothing at a table where a word moves its chips."""
    for card in (game("hoyle draw"), SETTINGS.rule_card):
        text = laws_as_text(replace(SETTINGS, rule_card=card, options=card.options))
        assert "without its chips does not count" not in text
        assert "announce" not in text.casefold() and "chop" not in text.casefold()
        assert {"announce", "chop_blinds"}.isdisjoint(field for field, _, _ in offered_options(card, card.options))


@pytest.mark.law("H-2", "W-1")
def test_laws_list_the_modifiers_of_a_game() -> None:
    """The page says which cards are wild and where the game departs from its own rules: a modifier is no part of them."""
    wild = game("holdem + deuces wild")
    text = laws_as_text(replace(SETTINGS, rule_card=wild, options=wild.options))
    assert "**Special rules**\nWild: deuces." in text
    assert "Wild cards stand for: any card (standard: no wild cards)" in text
    strict = game("holdem + strict")
    text = laws_as_text(replace(SETTINGS, rule_card=strict, options=strict.options))
    assert "Acting out of turn: held (standard: refused)" in text
    assert "Stakes: open purse (standard: table stakes)" in text
    assert "Open purse: there is no all-in; a player who cannot call must fold." in text


@pytest.mark.law("H-2")
@pytest.mark.parametrize("card", CATALOGUE, ids=lambda card: card.key)
def test_laws_of_every_game_explain_antes_and_choices(card: RuleCard) -> None:
    text = laws_as_text(default_table_settings(card, HouseRules()), table=False)
    assert option_meaning("ante", card.options.ante) in text
    for _, option, value in offered_options(card, card.options):
        if value != NO_WILD_CARDS or not option.is_text:
            assert describe_option_value(option, value, card, card.options) in text, option.name
    assert " …" not in text, "nothing is cut off"
    assert "Standard rules." in text


def test_every_law_of_the_book_can_be_printed() -> None:
    for law in book.laws():
        text = panel_as_text(within_limits(law_pages.law_panel(law)))
        assert text.startswith(f"### Law {law.id} · {law.title}\n")
        assert law.source in text


def test_one_law_with_its_source() -> None:
    assert panel_as_text(law_pages.law_panel(book.law("TL-4"))) == (
        "### Law TL-4 · A short all-in does not reopen\n"
        "A short all-in (or several together) does not reopen raising to a player who has acted unless, at his turn, he faces "
        "at least one full bet or raise more than when he last acted.\n"
        "**Accepted:** call or drop\n"
        '**Otherwise:** "the raise was not full; betting is not reopened to you"\n'
        "-# Part D, table law · players · source TDA 47-A; WSOP-L 171, 173; WSOP-T 96\n"
        "[Show here]"
    )


def test_searching_the_laws() -> None:
    text = panel_as_text(within_limits(law_pages.law_search_panel("odd chip", book.search_laws("odd chip"))))
    assert "**TL-23** Odd chip at the table" in text
    assert "No law matches “\\*zzzz\\*”" in panel_as_text(within_limits(law_pages.law_search_panel("*zzzz*", ())))
    assert "more; add a word" in panel_as_text(within_limits(law_pages.law_search_panel("", book.laws())))


def test_misspelled_law_offers_the_laws_that_were_meant() -> None:
    text = panel_as_text(within_limits(law_pages.law_search_panel("stradle", ())))
    assert text.startswith("No law matches “stradle”. Did you mean **")
    assert "straddle" in text.split("\n")[0].split("**")[1].casefold()
    assert "TL-13" in text


def test_the_house_rules() -> None:
    panel = within_limits(house_pages.house_rules_panel(HouseRules(staff_role=42)))
    text = panel_as_text(panel)
    assert "Daily chips **1,000**, +100 for each day in a row, up to 2,000" in text
    assert "Staff: Manage Server or <@&42>" in text
    assert "Pictures: classic (dark table)" in text
    for field in LISTED:
        assert form_faults(house_pages.house_rule_form(field, 10**9, 2**63 - 1)) == ()
    assert (
        panel_as_text(house_pages.house_rule_changed_panel("daily_max", 2_000, 3_000))
        == "Changed: Daily chips: maximum **3,000** (was 2,000)."
    )


def test_books_that_agree_and_books_that_do_not() -> None:
    audit = LedgerAudit(
        minted=50_000,
        wallets=30_000,
        stacks=18_000,
        pots=2_000,
        house=0,
        practice=0,
        table_chips=0,
        transfers=1_234,
        faults=(),
    )
    assert panel_as_text(within_limits(house_pages.audit_panel(audit))) == (
        "### ✅ The books agree\n"
        "Handed out **50,000** · held **50,000**\n"
        "Wallets 30,000 · stacks 18,000 · pots 2,000 · house 0\n"
        "-# 1,234 transfers. The sum over all accounts is zero."
    )
    wrong = within_limits(
        house_pages.audit_panel(
            replace(audit, faults=tuple(BookFault(BookProblem.ACCOUNT_OWES, None, at) for at in range(30)))
        )
    )
    assert "### ❌ The books don't agree (30 faults)" in panel_as_text(wrong)
    assert "✘ and 20 more" in panel_as_text(wrong)


def test_staff_answers() -> None:
    assert panel_as_text(within_limits(house_pages.chips_moved_panel(5, 500, 1_500, "raffle *", taken=False))) == (
        "<@5>: **+500** chips. Their wallet holds 1,500 now.\n-# raffle \\*"
    )
    assert panel_as_text(within_limits(house_pages.hand_voided_panel(1284, "cards seen"))) == (
        "Hand #1284 is cancelled. All bets are returned.\n-# Law I-1 · cards seen"
    )


def test_the_settings_of_a_table() -> None:
    shown = table(*FOUR)
    choices = house_pages.table_setting_choices(shown)
    options = house_pages.law_setting_choices(SETTINGS)
    panel = within_limits(house_pages.settings_panel(77, shown, choices, options, may_change=True))
    text = panel_as_text(panel)
    assert text.startswith(
        "### Table 3 · settings\nNo-Limit Hold'em\n"
        "Blinds: **50/100**\nBuy-in: **2,000–20,000**\nTime to act: **30 s**\n"
    )
    assert "\nRaise buttons: **" not in text and "Raise buttons" in text
    assert "\nPause between hands: **" not in text and "Pause between hands" in text
    assert "\nPictures: **per street**\n" in text
    assert "\nFelt: **" not in text and "Felt" in text and "Cards in the picture" in text
    assert text.endswith("[…House rules]")
    rules = panel_as_text(within_limits(house_pages.table_rules_panel(77, shown, options)))
    assert "### Table 3 · house rules" in rules and "[Change a house rule…" in rules
    assert "[Change…" not in panel_as_text(
        within_limits(house_pages.settings_panel(77, shown, choices, options, may_change=False))
    )
    for choice in (*choices, *options):
        if choice.options:
            within_limits(house_pages.setting_panel(77, choice))
            assert set(choice.value.split(",") if choice.several else [choice.value]) <= set(dict(choice.options))
        else:
            assert form_faults(house_pages.setting_form(77, 12, choice, 5, "A number")) == ()
    assert panel_as_text(house_pages.setting_changed_panel("Blinds", "100/200", proposed=True)).endswith(
        "It counts once everyone seated agrees."
    )


def test_a_list_of_settings_leaves_none_out() -> None:
    """A select of Discord has room for 25: as many as hold'em under a stake limit and with uneven blinds has as a dealer's choice."""
    change = GameChangeRule(RotationChange.DEALERS_CHOICE)
    for card in CATALOGUE:
        settings = mixed_settings("Mixture", [card, CATALOGUE[0]], HouseRules(), NewTableRequest(), change)
        for option, value in (("limit", "stake_limit"), ("house_blinds", "on")):
            if any(option == offered for offered, _, _ in offered_options(card, settings.options)):
                changed = change_option(settings.rule_card, settings.options, option, value)
                settings = with_card_and_options(settings, *changed)
        shown = replace(table(*FOUR), settings=settings)
        choices = (*mixed_game_choices(settings), *house_pages.table_setting_choices(shown))
        panel = house_pages.settings_panel(
            77, shown, choices, house_pages.law_setting_choices(settings), may_change=True
        )
        select = next(block for block in panel.blocks if isinstance(block, Select))
        listed = {option.value for option in select.options}
        assert {choice.field for choice in choices} <= listed, card.key
        assert listed >= {"pictures", "picture_deck", "felt"}

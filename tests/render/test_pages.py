"""Chips, leaderboard, laws, house and help: what a person asks for, private until shown on purpose."""

import pytest
from msgspec.structs import replace

from bot import laws as book
from bot.engine import events
from bot.engine.card import RuleCard
from bot.engine.legal import Decision
from bot.engine.register import find
from bot.ledger.accounts import Reason
from bot.ledger.books import Fault
from bot.ledger.house import BOUNDS, Claims, HouseRules
from bot.render import chips, house, laws, notices
from bot.render.limits import check, form_faults
from bot.render.plain import plain
from bot.runtime.house_table import house_settings
from bot.runtime.ports import Audit, Entry, History, Leaderboard, Purse, Standing
from bot.variants import CATALOGUE, game, telling
from bot.variants.tailoring import taste_of
from tests.render.hands import mid_hand, scene, showdown
from tests.render.test_lobby import FOUR, SETTINGS, table

PURSE = Purse(user=5, wallet=8_200, stacks=10_000, bets=300, claims=Claims(granted_at=1, day=20_000, streak=4))
NAMES = {1: "Zoë", 2: "river_rat", 3: "@everyone"}


def test_the_balance() -> None:
    panel = check(
        chips.balance_panel(PURSE, daily_at=0, daily_chips=1_400, relief_at=0, relief_chips=2_000, practice=9_650)
    )
    assert plain(panel) == (
        "### Your chips: 18,500\n"
        "In the wallet **8,200** · on tables **10,300**\n"
        "Practice chips **9,650** (kept apart)\n"
        "Daily chips **1,400** now · 4 days in a row\n"
        "[+Daily 1,400] [History] [Leaderboard] [Show here]"
    )


def test_a_claimed_day_and_relief() -> None:
    broke = replace(PURSE, wallet=0, stacks=0, bets=0)
    text = plain(
        check(chips.balance_panel(broke, daily_at=1_800_000_000, daily_chips=1_400, relief_at=0, relief_chips=2_000))
    )
    assert "Daily chips **1,400** <t:1800000000:R>" in text
    assert "Relief **2,000** now" in text
    assert "[+Relief 2,000]" in text
    assert "[+Daily" not in text
    later = plain(chips.balance_panel(broke, daily_at=0, daily_chips=0, relief_at=1_800_000_000, relief_chips=2_000))
    assert "Relief **2,000** <t:1800000000:R>" in later
    assert "[+" not in later


def test_shared_chips_have_no_buttons() -> None:
    shared = chips.balance_panel(PURSE, daily_at=0, daily_chips=5, relief_at=0, relief_chips=5, shared=True)
    assert plain(shared) == "### Chips of <@5>: 18,500\nIn the wallet **8,200** · on tables **10,300**"


def test_a_claim_is_answered() -> None:
    assert plain(check(chips.claimed_panel("daily", 1_400, 9_600, streak=5, next_at=1_800_000_000))) == (
        "### Daily chips: +1,400\nYour wallet holds **9,600**.\n-# 5 days in a row · again <t:1800000000:R>"
    )


def test_the_history() -> None:
    entries = (
        Entry(9, 1_800_000_000_000, -5_000, Reason.BUY_IN, "", 3, 0),
        Entry(8, 1_800_000_000_000, 500, Reason.STAFF_GRANT, "won the *raffle*", 0, 1),
        Entry(7, 1_800_000_000_000, -1, Reason.STAFF_TAKE, "", 0, 99),
    )
    assert plain(check(chips.history_panel(History(entries, 7), names=NAMES))) == (
        "### Your chips, entry by entry\n"
        "**−5,000** buy-in · table 3 · <t:1800000000:R>\n"
        "**+500** granted by staff · by Zoë · won the \\*raffle\\* · <t:1800000000:R>\n"
        "**−1** taken by staff · by <@99> · <t:1800000000:R>\n"
        "[Older] [Balance]"
    )
    assert "Nothing has moved yet." in plain(check(chips.history_panel(History((), 0), first=False)))


def board(count: int = 31, own: int = 2) -> Leaderboard:
    lines = tuple(Standing(rank, rank, 50_000 - rank, 40_000) for rank in range(1, 11))
    return Leaderboard(lines, count, Standing(own, own, 50_000 - own, 40_000))


def test_the_leaderboard() -> None:
    """Mock-up 06: medals, one line a player, one's own place below; page buttons are the only ones ever disabled."""
    text = plain(check(chips.leaderboard_panel(board(), 1, user=2, updated_at=1_800_000_000)))
    assert text.startswith(
        "### Leaderboard\n"
        "-# Chips in the wallet and on tables · 31 players\n"
        "🥇\u00a0<@1> · 49,999 · 9,999 on tables\n"
        "🥈\u00a0<@2> (you) · 49,998 · 9,998 on tables\n"
        "🥉\u00a0<@3> · 49,997 · 9,997 on tables\n"
        "`4`\u00a0<@4> · 49,996 · 9,996 on tables\n"
    )
    assert text.endswith(
        "———\n"
        "You: **2nd** of 31 · 49,998 chips\n"
        "-# Updated <t:1800000000:R>\n"
        "[‹ Prev (off)] [1 / 4 (off)] [Next ›] […My place] [Show here]"
    )


def test_a_shared_leaderboard_is_nobodys_own() -> None:
    text = plain(check(chips.leaderboard_panel(board(), 4, user=2, shared=True)))
    assert "You" not in text.replace("(you)", "You")
    assert text.endswith("[‹ Prev] [4 / 4 (off)] [Next › (off)]")


def test_an_empty_leaderboard() -> None:
    text = plain(check(chips.leaderboard_panel(Leaderboard((), 0, None), 1, user=2)))
    assert "Nobody has chips yet." in text
    assert "You have no chips here yet." in text


@pytest.mark.parametrize(
    ("number", "word"), [(1, "1st"), (2, "2nd"), (3, "3rd"), (11, "11th"), (22, "22nd"), (112, "112th")]
)
def test_places_in_words(number: int, word: str) -> None:
    assert chips.ordinal(number) == word


@pytest.mark.law("H-2")
def test_laws_print_the_set_in_force() -> None:
    """What the table plays, in plain words, and where it departs from the sheet of its game."""
    noted = replace(SETTINGS, notes=("No phones @everyone",))
    text = plain(check(laws.law_set_panel(noted)))
    assert text.startswith("### Laws at this table\n**No-Limit Hold'em** 50/100 · sheet VB-6\n")
    assert "**Betting:** No limit: a bet or raise may be all a player has." in text
    assert "**Differs from the sheet:** `MAX_SEATS` 9 (the sheet: 10)" in text
    assert "**House notes:** No phones @\u200beveryone" in text
    plainly = replace(SETTINGS, options=SETTINGS.card.options)
    assert "As its sheet says, without a change." in plain(laws.law_set_panel(plainly))


@pytest.mark.law("H-2", "H-4")
def test_laws_print_every_amount_that_was_agreed_on() -> None:
    """An ante beside the blinds, a larger first bet: what is played for is part of the set in force."""
    stakes = replace(SETTINGS.stakes, ante=5, min_bet=300)
    text = plain(laws.law_set_panel(replace(SETTINGS, stakes=stakes)))
    assert "**Stakes:** ante 5, small blind 50, big blind 100, min bet 300, buy-in 2,000–20,000." in text
    assert "A raise adds at least the last full bet or raise." in text


@pytest.mark.law("H-2", "I-9", "E-2")
def test_laws_say_which_options_decide_nothing_here() -> None:
    """Hoyle draw has `ANNOUNCE`=void_without_chips from its source; at a table where a word moves its chips nothing follows from it."""
    for card in (game("hoyle draw"), SETTINGS.card):
        text = plain(laws.law_set_panel(replace(SETTINGS, card=card, options=card.options)))
        assert "Not to choose here: `ANNOUNCE`" in text
        assert "`CHOP_BLINDS`, for pots are not divided by agreement (E-2)" in text
        assert "without its chips is void" not in text
        assert {"announce", "chop_blinds"}.isdisjoint(field for field, _, _ in taste_of(card, card.options))


@pytest.mark.law("H-2", "W-1")
def test_laws_tell_what_is_laid_over_a_game() -> None:
    """Which cards are wild, and where the game departs from its sheet: what is laid over it is no part of the sheet."""
    wild = game("holdem + deuces wild")
    text = plain(laws.law_set_panel(replace(SETTINGS, card=wild, options=wild.options)))
    assert "**Of its own:** Wild: deuces." in text
    assert "`WILD_METHOD` free (the sheet: none)" in text
    strict = game("holdem + strict")
    text = plain(laws.law_set_panel(replace(SETTINGS, card=strict, options=strict.options)))
    assert "`OUT_OF_TURN` hold (the sheet: refuse)" in text
    assert "`STAKES` open purse (the sheet: table)" in text
    assert "Open purse: there is no all-in; who cannot call must drop." in text


@pytest.mark.law("H-2")
@pytest.mark.parametrize("card", CATALOGUE, ids=lambda card: card.key)
def test_laws_of_every_game_say_who_antes_and_what_may_be_chosen(card: RuleCard) -> None:
    text = plain(check(laws.law_set_panel(house_settings(card, HouseRules()), table=False)))
    assert find("ANTE").meaning(card.options.ante.value) in text
    for _, entry, value in taste_of(card, card.options):
        assert telling.meaning(entry, value, card) in text, entry.name
    assert " …" not in text, "nothing is cut off"
    assert "As its sheet says, without a change." in text


def test_every_law_of_the_book_can_be_printed() -> None:
    for law in book.laws():
        text = plain(check(laws.law_panel(law)))
        assert text.startswith(f"### Law {law.id} · {law.title}\n")
        assert law.source in text


def test_one_law_with_its_source() -> None:
    assert plain(laws.law_panel(book.law("TL-4"))) == (
        "### Law TL-4 · A short all-in does not reopen\n"
        "A short all-in (or several together) does not reopen raising to a player who has acted unless, at his turn, he faces "
        "at least one full bet or raise more than when he last acted.\n"
        "**Accepted:** call or drop\n"
        '**Else:** "the raise was not full; betting is not reopened to you"\n'
        "-# Part D, table law · players · source TDA 47-A; WSOP-L 171, 173; WSOP-T 96\n"
        "[Show here]"
    )


def test_searching_the_laws() -> None:
    text = plain(check(laws.found_panel("odd chip", book.search("odd chip"))))
    assert "**TL-23** Odd chip at the table" in text
    assert "No law matches “\\*nothing\\*”" in plain(check(laws.found_panel("*nothing*", ())))
    assert "more; add a word" in plain(check(laws.found_panel("", book.laws())))


def test_the_house_rules() -> None:
    panel = check(house.rules_panel(HouseRules(staff_role=42)))
    text = plain(panel)
    assert "Daily chips **1,000**, +100 per day in a row up to 2,000" in text
    assert "Staff: Manage Server or <@&42>" in text
    for field, (least, most) in BOUNDS.items():
        assert form_faults(house.rule_form(field, least, least, most, 2**63 - 1)) == ()
    assert plain(house.rule_changed_panel("daily_most", 2_000, 3_000)) == "Daily most is now **3,000** (it was 2,000)."


def test_books_that_agree_and_books_that_do_not() -> None:
    audit = Audit(
        minted=50_000, wallets=30_000, stacks=18_000, pots=2_000, house=0, practice=0, transfers=1_234, faults=()
    )
    assert plain(check(house.audit_panel(audit))) == (
        "### ✅ The books agree\n"
        "Handed out **50,000** · held **50,000**\n"
        "Wallets 30,000 · stacks 18,000 · pots 2,000 · house 0\n"
        "-# 1,234 transfers. The sum over all accounts is zero."
    )
    wrong = check(house.audit_panel(replace(audit, faults=tuple(Fault(f"wallet {at}", None, at) for at in range(30)))))
    assert "### ❌ The books do not agree (30)" in plain(wrong)
    assert "✘ and 20 more" in plain(wrong)


def test_staff_answers() -> None:
    assert plain(check(house.moved_panel(5, 500, 1_500, "raffle *", taken=False))) == (
        "Granted to <@5>: **500**. The wallet holds 1,500 now.\n-# raffle \\*"
    )
    assert plain(check(house.voided_panel(1284, "cards seen"))) == (
        "Hand #1284 is cancelled and all bets are returned.\n-# Law I-1 · cards seen"
    )


def test_the_settings_of_a_table() -> None:
    shown = table(*FOUR)
    choices = house.table_choices(shown)
    options = house.law_choices(SETTINGS)
    panel = check(house.settings_panel(77, shown, choices, options, may_change=True))
    assert "Blinds: **50/100**\n" in plain(panel)
    assert "[Change…" not in plain(check(house.settings_panel(77, shown, choices, options, may_change=False)))
    for choice in (*choices, *options):
        if choice.values:
            check(house.setting_panel(77, choice))
            assert choice.current in dict(choice.values)
        else:
            assert form_faults(house.setting_form(77, 12, choice, 5, "A number")) == ()
    assert plain(house.setting_changed_panel("Blinds", "100/200", proposed=True)).endswith("-# Law H-1")


def test_help_fits_and_names_commands() -> None:
    text = plain(check(notices.help_panel(staff=True, table_channel=555)))
    for command in ("/sit", "/fold", "/raise", "/peek", "/chips", "/laws", "/table open", "/house"):
        assert command in text
    assert "/house" not in plain(check(notices.help_panel()))


def test_a_restart_says_what_became_of_the_hand() -> None:
    assert plain(check(notices.restarted_panel(scene(mid_hand())))) == (
        "The bot restarted. Hand #1284 goes on, it is **river\\_rat**'s turn.\n-# The turn ends <t:1800000024:R>"
    )
    void = replace(showdown(), voided=True)
    assert plain(check(notices.restarted_panel(scene(void)))) == (
        "The bot restarted. Hand #1284 was cancelled, all bets returned.\n-# Law I-1"
    )


@pytest.mark.parametrize(
    ("event", "words"),
    [
        (events.Folded(1), "You fold."),
        (events.Called(1, 640, True), "You call 640. You are all-in."),
        (events.RaisedTo(1, 4_000, 2_975), "You raise to 4,000 (put in 2,975)."),
        (events.Drew(1, (3, 4), 20), "You draw 2."),
        (events.Drew(1, (), 20), "You stand pat."),
        (events.HandEnded(), "Done."),
    ],
)
def test_a_slash_command_is_answered_with_what_it_did(event: events.Event, words: str) -> None:
    assert notices.receipt((events.ActionOn(2), event, events.Folded(2))[:2]) == words


@pytest.mark.law("TL-41")
@pytest.mark.parametrize(
    ("places", "word", "asked", "words"),
    [
        ((7,), "", Decision.DROP, "You give up 1 card. Nobody sees it."),
        ((7, 9), "", Decision.DROP, "You give up 2 cards. Nobody sees them."),
        ((7, 8, 9), "", Decision.PASS, "You pass 3 cards. They go on when everybody has chosen."),
        ((7, 8, 9), "", Decision.ARRANGE, "Your cards are in order; they are turned up one by one."),
        ((), "in", Decision.DECLARE, "You say in. Nobody sees it before everybody has chosen."),
        ((), "yes", Decision.RUN_TWICE, "You say yes. Nobody sees it before everybody has chosen."),
    ],
)
def test_of_a_secret_choice_is_said_what_becomes_of_it(
    places: tuple[int, ...], word: str, asked: Decision, words: str
) -> None:
    """What is declared comes out, cards given up never do; and who chooses last reveals it."""
    chosen = events.Chosen(1, places, word)
    assert notices.receipt((chosen,), asked) == words
    last = words.replace(" They go on when everybody has chosen.", "")
    last = last.replace(" Nobody sees it before everybody has chosen.", "")
    assert notices.receipt((chosen, events.ChoicesSettled()), asked) == last


def test_time_over() -> None:
    assert notices.time_over("river\\_rat", (events.Checked(2),)) == "Time is up: river\\_rat checks."
    assert notices.time_over("river\\_rat", (events.Folded(2),)) == "Time is up: river\\_rat folds."

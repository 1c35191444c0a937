"""Commands with pages (`/me`, `/table`, `/house`, `/season`), and what a command of old is answered with."""

from pathlib import Path

import pytest

from tests.e2e.bot_session import bot_session
from tests.support.menus import choose_for_oneself


async def test_own_page_changes_everything_by_buttons(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        (ann,) = await room.people("Ann")
        page = await ann.slash("me")
        assert "### Ann" in page and "**10,000** chips" in page
        assert "Large cards · **off**" in page and "Cards by DM · **on**" in page and "Quiet hours · **none**" in page
        for button, then in (
            ("Two colours", "Two colours, black and red"),
            ("Make them large", "Large cards · **on**"),
            ("DM every hand", "Cards by DM · **in every hand**"),
            ("No DMs", "Cards by DM · **off**"),
            ("Tell me", "New tables here · **on**"),
            ("Not mine", "Achievements under a result · **off**"),
        ):
            page = await ann.click(button, within="### Ann")
            assert then in page and "### Ann" in page, button
        await ann.click("Quiet hours…")
        assert "Quiet hours · **22:00–08:00, UTC+02:00**" in await ann.fill_form(hours="22-8 +2")
        page = await ann.select("p:me:seen", "me")
        assert "My statistics: only me" in page
        preferences, user = room.dealer.services.preferences, int(ann.me["id"])
        assert preferences.wants_two_colours(user) and preferences.wants_large_cards(user)
        assert not preferences.wants_dms(user) and preferences.keeps_statistics_private(user)
        assert len([one for one in ann.visible() if "### Ann" in ann.render(one)]) <= 2, "each change redraws the page"


async def test_second_press_of_a_switch_changes_nothing(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        (ann,) = await room.people("Ann")
        await ann.slash("me")
        message = ann.visible()[-1]
        for _ in range(2):
            await room.late_click(ann, message, "p:me:large:on")
            assert room.dealer.services.preferences.wants_large_cards(int(ann.me["id"]))


async def test_staff_find_every_page_in_the_menu(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        (ann,) = await room.people("Ann")
        you = room.discord.you
        assert "House rules" in await you.slash("house")
        assert "Who?" in await you.select("Choose what to do…", "grant")
        assert "How many chips" in await you.select("Choose a person…", ann)
        assert "@Ann: **+500** chips" in await you.fill_form(chips="500", reason="a prize")
        await you.slash("house")
        assert "Nobody is banned" in await you.select("Choose what to do…", "bans")
        assert "Choose what to do…" in await you.click("‹ All of /house")


async def test_menu_of_a_table_opens_its_pages(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        assert "no table" in (await ann.slash("table")).lower()
        await room.open_and_sit(ann, bo)
        menu = await ann.slash("table")
        assert "The table…" in menu and "Seats and the deal…" in menu
        assert "Buy-in" in await ann.select("The table…", "settings")
        await ann.slash("table")
        assert "Who gives, and who gets" in await ann.select("Seats and the deal…", "adjust")
        assert "Stacks can be corrected only among players" in await ann.fill_form(changes="Ann -100 Bo +100")


@pytest.mark.parametrize(
    ("old", "new", "then"),
    [
        ("chips daily", "/me page:daily", "Daily chips: +"),
        ("cards", "/me", "Cards by DM"),
        ("table settings", "/table page:settings", "Buy-in"),
        ("leaderboard", "/stats page:leaderboard", "Leaderboard"),
        ("sitout", "/seat what:sit out", "You're sitting out."),
        ("deal misdeal", "/table page:misdeal", "No hand"),
        ("report", "/hand", "No hand"),
        ("import", "/hand hands:import", "Import hands"),
    ],
)
async def test_old_command_is_answered_with_the_new_one(tmp_path: Path, old: str, new: str, then: str) -> None:
    """A client of Discord still offers it."""
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await room.open_and_sit(ann, bo)
        answer = await ann.types_of_old(old)
        assert f"That's `{new}` now" in answer
        told = await ann.click("Do it")
        assert then in told, told


async def test_name_that_never_was_a_command_gets_one_sentence(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        (ann,) = await room.people("Ann")
        assert "/help" in await ann.types_of_old("banana")


async def test_choices_of_a_player_are_kept(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        (ann,) = await room.people("Ann")
        page = await choose_for_oneself(ann, colours="two", dms=False, quiet="22-8")
        assert "Two colours, black and red" in page and "Quiet hours · **22:00–08:00" in page
        page = await choose_for_oneself(ann, colours="four", dms=True, quiet="off")
        assert "Four colours" in page and "Quiet hours · **none**" in page

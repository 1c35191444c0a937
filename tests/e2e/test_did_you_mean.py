"""A misspelled name is answered with buttons; pressing one does what was asked, with the name that was meant."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.variants.catalogue import UnknownGame
from cogs.support.did_you_mean import corrections
from tests.e2e.bot_session import bot_session


@pytest.mark.law("H-2")
async def test_pressing_what_was_meant_does_what_was_asked(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        assert "[Limit Badugi]" in await ann.slash("laws", game="baduggi")
        await bo.slash("help")
        meant = dict(ann.labelled_buttons(ann.visible()[-1]))["Limit Badugi"]
        expired = await room.late_click(bo, bo.visible()[-1], meant)
        assert expired.startswith("That was for an earlier action."), "it is Ann who was asked"
        assert "Limit Badugi" in await ann.click("Limit Badugi")
        assert "Did you mean" not in ann.screen(), "the answer stands in place of the question"

        refused = await ann.slash("play", sit=False, game="razz / omha", big_blind="20")
        assert "“omha”" in refused and "[Pot-Limit Omaha]" in refused
        await ann.click("Pot-Limit Omaha")
        assert [game.rule_card.key for game in room.now.settings.rotation.games] == ["razz", "omaha"]  # type: ignore[union-attr]
        assert room.now.settings.stakes.small_bet == 20, "the other options are kept"
        await room.wait_until_idle()
        assert "Did you mean" not in ann.screen(), "the question goes once the table is open"

        assert "[Table 1]" in await bo.slash("table", page="info", number=7)
        assert "Table 1" in await bo.click("Table 1")
        assert "[Limit Razz]" in await ann.fill_in("table", page="next", game="raz")
        await ann.slash("sit", chips="4000")
        await bo.slash("sit", chips="4000")
        assert "Did you mean Ann?" in await bo.fill_in("table", page="adjust", changes="Anne -100, Bo +100")
        assert "only among players who were in one hand" in await bo.click("Ann"), (
            "asked again with Ann, before any hand"
        )

        you = room.discord.you
        await you.fill_in("house", page="save", name="Friday Razz")
        assert "[Friday Razz]" in await you.fill_in("house", page="delete", name="Fryday Razz")
        assert "is deleted" in await you.click("Friday Razz")


@pytest.mark.law("H-2")
async def test_play_form_opens_with_the_game_that_was_meant(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        (ann,) = await room.people("Ann")
        question = await ann.slash("play", game="hrose")
        assert "[H.O.R.S.E.]" in question
        form = await ann.click("H.O.R.S.E.")
        assert "Open a table" in form
        await ann.submit()
        await ann.until("You're in seat")
        assert room.now.settings.rotation is not None
        await room.wait_until_idle()
        assert "Did you mean" not in ann.screen()


def test_a_game_of_the_house_is_meant_before_others() -> None:
    unknown = UnknownGame(word="fryday", house_games=("Friday Razz",))
    first = corrections(unknown, {"game": "fryday", "seats": 4})[0]
    assert (first.label, first.options) == ("Friday Razz", {"game": "Friday Razz", "seats": 4})


def test_a_name_unlike_any_other_offers_nothing() -> None:
    assert corrections(UnknownGame(word="bridge"), {"game": "bridge"}) == ()

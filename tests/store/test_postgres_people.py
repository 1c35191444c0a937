"""What people prefer holds in all servers, whichever dealer they told it."""

from __future__ import annotations

import asyncio
import importlib.util
import os
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.runtime.saved_values import PERSONAL, PersonalValues, SavedKind
from bot.runtime.store_errors import StoreFailed
from bot.surfaces.people import shared_news
from tests.store.desk import ANN, BO

if importlib.util.find_spec("psycopg") is None and os.environ.get("CI") != "true":
    pytest.skip("psycopg is not installed: pip install -e '.[postgres]'", allow_module_level=True)

from bot.store.postgres import personal_values
from tests.support.house_dealers import Dealer, two_dealers
from tests.support.postgres_store import asking

_NUMBERS = SavedKind[int, tuple[int, ...]]("testnumbers.", PERSONAL, tuple[int, ...])


@pytest.fixture
async def dealers(postgres: str, tmp_path: Path) -> AsyncIterator[list[Dealer]]:
    async with two_dealers(postgres, tmp_path) as made:
        yield made


async def test_preference_told_to_one_dealer_holds_with_the_other(dealers: list[Dealer]) -> None:
    one, other = dealers
    await one.preferences.set_dms(ANN, wanted=False)
    await other.preferences.set_deck(BO, two_colour=True)
    await other.news.look()
    assert not other.preferences.wants_dms(ANN)
    await other.preferences.set_dms(ANN, wanted=True)
    await one.news.look()
    assert one.preferences.wants_dms(ANN) and one.preferences.wants_two_colours(BO)


async def test_dealer_that_starts_later_knows_all(dealers: list[Dealer]) -> None:
    one, other = dealers
    await one.preferences.set_quiet_hours(ANN, "22-7")
    await other.start()
    assert other.preferences.quiet_hours(ANN) == "22-7"
    assert (await other.values.changes_since(0)).number > 0


async def test_own_newer_choice_is_not_undone_by_older_news(dealers: list[Dealer]) -> None:
    one, other = dealers
    await other.preferences.set_quiet_hours(ANN, "22-7")
    await one.preferences.set_quiet_hours(ANN, "1-5")
    await one.news.look()
    assert one.preferences.quiet_hours(ANN) == "1-5"
    await other.news.look()
    assert other.preferences.quiet_hours(ANN) == "1-5"


async def test_former_owner_undoes_no_newer_value(postgres: str, dealers: list[Dealer]) -> None:
    former, other = dealers
    await former.preferences.set_quiet_hours(ANN, "22-7")
    with asking(postgres, former.fence.schema) as db:
        db.execute("UPDATE owner SET epoch = epoch + 1")  # another process takes its slot over
    await other.preferences.set_quiet_hours(ANN, "")
    with pytest.raises(StoreFailed, match="taken the data over"):
        await former.preferences.set_quiet_hours(ANN, "1-5")
    await other.news.look()
    assert other.preferences.quiet_hours(ANN) == ""


async def test_value_is_kept_only_where_nobody_has_changed_it(dealers: list[Dealer]) -> None:
    one, other = (dealer.values for dealer in dealers)
    assert not await one.keep_if("nights", b"2", b"1")
    assert await one.value("nights") is None
    before = await other.newest_change()
    assert await one.keep_if("nights", b"1", None)
    assert not await other.keep_if("nights", b"2", None)
    assert (await other.changes_since(before)).values == {"nights": b"1"}
    assert await other.keep_if("nights", None, b"1")
    assert not await one.keep_if("nights", b"2", b"1"), "deleted, and everybody can still hear of it"
    assert await one.keep_if("nights", b"3", None)
    assert await other.values("nights") == {"nights": b"3"}


async def test_dealers_that_change_a_value_at_once_lose_nothing(dealers: list[Dealer]) -> None:
    async def note(dealer: Dealer, number: int) -> None:
        def change(before: tuple[int, ...] | None) -> tuple[int, ...]:
            return (*(before or ()), number)

        await PersonalValues(_NUMBERS, dealer.values).change(ANN, change)

    await asyncio.gather(*[note(dealers[number % 2], number) for number in range(12)])
    assert sorted(await PersonalValues(_NUMBERS, dealers[0].values).get(ANN) or ()) == list(range(12))


async def test_former_owner_changes_nothing(postgres: str, dealers: list[Dealer]) -> None:
    former, _ = dealers
    with asking(postgres, former.fence.schema) as db:
        db.execute("UPDATE owner SET epoch = epoch + 1")
    with pytest.raises(StoreFailed, match="taken the data over"):
        await former.values.keep_if("nights", b"1", None)


async def test_deletion_is_heard_of_and_leaves_nothing(
    postgres: str, dealers: list[Dealer], monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = dealers
    await one.preferences.set_statistics(ANN, private=True)
    await other.news.look()
    assert other.preferences.keeps_statistics_private(ANN)
    await one.values.keep(f"statistics.{ANN}", None)
    await other.news.look()
    assert not other.preferences.keeps_statistics_private(ANN)
    monkeypatch.setattr(personal_values, "FORGET_SECONDS", 0.0)
    await other.news.look()
    assert await other.values.values("statistics.") == {}
    assert (await one.values.changes_since(1)).values is None, "whoever looks so late reads all values anew"


async def test_dealer_that_was_away_long_reads_all_values_anew(
    dealers: list[Dealer], monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = dealers
    await one.preferences.set_dms(ANN, wanted=False)
    await other.news.look()
    monkeypatch.setattr(personal_values, "FORGET_SECONDS", 0.0)
    await one.preferences.set_dms(ANN, wanted=True)
    await one.news.look()  # nothing of the deletion is left after this
    await one.preferences.set_large_cards(BO, wanted=True)
    await other.news.look()
    assert other.preferences.wants_dms(ANN) and other.preferences.wants_large_cards(BO)


async def test_news_come_by_themselves(dealers: list[Dealer], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shared_news, "PAUSE_SECONDS", 0.01)
    one, other = dealers
    await other.news.open()
    await one.preferences.set_large_cards(BO, wanted=True)
    for _ in range(100):
        if other.preferences.wants_large_cards(BO):
            break
        await asyncio.sleep(0.01)
    assert other.preferences.wants_large_cards(BO)
    await other.news.close()

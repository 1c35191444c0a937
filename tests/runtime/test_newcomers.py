"""What the house gives to somebody who is new to Discord, or to the server: nothing yet, and practice chips at once."""

import json

import pytest
from msgspec.structs import replace

from bot.house.rules import LOCAL_HOUSE_RULES
from bot.ledger.accounts import Book
from bot.ledger.gifts import DAY_MS, DISCORD_EPOCH_MS
from bot.ledger.refusals import NewcomerMustWait
from bot.runtime.journal import JournalEvent
from bot.runtime.request import Request
from bot.store.codec import EventCodec
from bot.store.store import Store
from bot.table.commands import TakeSeat
from tests.runtime.evening import GUILD, Evening, settings
from tests.support.engines import data_at, opened

WEEK = 7 * DAY_MS


def born(at: int) -> int:
    """Return the id of somebody who joined Discord at this time."""
    return (at - DISCORD_EPOCH_MS) << 22 | 1


def request(evening: Evening, user: int, joined_at: int = 1) -> Request:
    return replace(evening.request("Ann", joined_at=joined_at), user=user, name="Newt")


async def wallet(evening: Evening, user: int) -> int:
    return (await evening.bank.holdings(GUILD, user)).wallet


async def test_no_path_gives_a_newcomer_the_opening_grant(evening: Evening) -> None:
    await evening.open()
    newt = born(evening.clock.now())
    due = evening.clock.now() + WEEK
    assert await wallet(evening, newt) == 0
    await evening.bank.leaderboard(GUILD, newt)
    for claim in (evening.bank.daily, evening.bank.relief):
        with pytest.raises(NewcomerMustWait) as refused:
            await claim(request(evening, newt))
        assert refused.value.until == due
    with pytest.raises(NewcomerMustWait) as refused:
        await evening.tables.ask(request(evening, newt), TakeSeat(newt, "Newt", 2_000))
    assert refused.value.until == due
    assert await evening.bank.opening_grant_at(GUILD, newt) == due
    await evening.bank.grant(evening.request("Ida", staff=True), newt, 2_500, "welcome")
    assert await wallet(evening, newt) == 2_500, "staff give what they like, and the house gives nothing beside it"
    await evening.tables.ask(request(evening, newt), TakeSeat(newt, "Newt", 2_000))
    await evening.audit()


async def test_newcomer_practises_at_once(evening: Evening) -> None:
    await evening.open(settings(practice=True))
    newt = born(evening.clock.now())
    await evening.tables.ask(request(evening, newt), TakeSeat(newt, "Newt", 2_000))
    assert (await evening.bank.holdings(GUILD, newt, Book.PRACTICE)).total == 10_000
    assert await wallet(evening, newt) == 0


async def test_account_gets_the_opening_grant_at_seven_days(evening: Evening) -> None:
    newt = born(evening.clock.now() - WEEK + 1000)
    assert await wallet(evening, newt) == 0
    await evening.wait(1)
    assert await evening.bank.opening_grant_at(GUILD, newt) == 0
    assert await wallet(evening, newt) == 10_000


async def test_daily_and_relief_ask_for_three_days_in_the_server(evening: Evening) -> None:
    joined = evening.clock.now()
    with pytest.raises(NewcomerMustWait) as refused:
        await evening.bank.daily(evening.request("Ann", joined_at=joined))
    assert refused.value.until == joined + 3 * DAY_MS
    assert (await evening.bank.holdings(GUILD, 101)).wallet == 10_000, (
        "the opening grant asks for the account's age only"
    )
    with pytest.raises(NewcomerMustWait):
        await evening.bank.relief(evening.request("Ann", joined_at=joined))
    evening.clock.move_to(joined + 3 * DAY_MS)
    assert (await evening.bank.daily(evening.request("Ann", joined_at=joined))).chips == 1_000


async def test_unknown_join_date_counts_since_the_house_knows_them(evening: Evening) -> None:
    """Discord names no date for a guest of the server."""
    with pytest.raises(NewcomerMustWait) as refused:
        await evening.bank.daily(evening.request("Ann", joined_at=0))
    assert refused.value.until == evening.clock.now() + 3 * DAY_MS
    evening.clock.move_to(refused.value.until)
    assert (await evening.bank.daily(evening.request("Ann", joined_at=0))).chips == 1_000


async def test_staff_set_the_floors(evening: Evening) -> None:
    newt = born(evening.clock.now())
    staff = evening.request("Ida", staff=True)
    await evening.bank.change_house_rules(staff, account_days=0, member_days=0)
    assert await wallet(evening, newt) == 10_000
    assert (await evening.bank.daily(request(evening, newt, joined_at=evening.clock.now()))).chips == 1_000


async def test_rules_saved_before_a_rule_existed_have_its_default(evening: Evening) -> None:
    await evening.bank.change_house_rules(evening.request("Ida", staff=True), daily=50)
    await evening.end()
    store = Store(data_at(evening.path), EventCodec(JournalEvent), default_rules=replace(LOCAL_HOUSE_RULES, relief=7))
    with opened(evening.path) as db:
        (saved,) = db.execute("SELECT rules FROM guild").fetchone()
        old = {name: value for name, value in json.loads(saved).items() if name not in {"account_days", "relief"}}
        db.execute("UPDATE guild SET rules = ?", (json.dumps(old).encode(),))
        db.commit()
    await store.open()
    rules = await store.house_rules(GUILD)
    assert (rules.account_days, rules.relief, rules.daily) == (0, 7, 50)
    await store.close()
    await evening.begin()


async def test_practice_chips_come_for_a_second_practice_table(evening: Evening) -> None:
    """Practice chips are free: who sits at one practice table with all of them gets new ones for another."""
    await evening.open(settings(practice=True))
    ann = evening.request("Ann").user
    await evening.tables.ask(evening.request("Ann"), TakeSeat(ann, "Ann", 10_000))
    second = evening.request("Ann", channel=77)
    await evening.tables.open(evening.request("Bo", channel=77), settings(practice=True))
    await evening.tables.ask(second, TakeSeat(ann, "Ann", 2_000))
    held = await evening.bank.holdings(GUILD, ann, Book.PRACTICE)
    assert (held.wallet, held.total) == (8_000, 20_000)
    await evening.audit()

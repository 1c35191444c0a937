"""Rebuys and bounties at real tables: chips from wallets and back, hands that wait for an answer, kills in between."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.engine import events as e
from bot.engine.events import PostKind
from bot.events.sit_and_go import commands as sc
from bot.events.sit_and_go import events as ev
from bot.events.sit_and_go import refusals
from bot.events.sit_and_go.finishes import finishes
from bot.events.sit_and_go.state import EndReason, SitAndGoStatus
from bot.events.sit_and_go.structures import Level, LevelLength, Structure
from bot.ledger.refusals import NotEnoughChips
from bot.runtime.event_record import event_record
from bot.runtime.journal import DealtIn
from bot.runtime.store_types import SavedHand
from bot.table import commands as tc
from bot.table.events import HandFinished
from tests.runtime.evening import settings
from tests.runtime.sit_and_go_evening import GUILD, USERS, SitAndGoEvening, name_of
from tests.runtime.test_sit_and_go import finishes_told, hands_of, ranks_recounted

FLAT = Structure(400, (Level(20), Level(40)), 500, LevelLength.HANDS)
"""All chips go in long before the second level."""


@pytest.fixture
async def evening(tmp_path: Path) -> AsyncIterator[SitAndGoEvening]:
    opened = await SitAndGoEvening(tmp_path).begin()
    yield opened
    await opened.audit()
    await opened.end()


async def until_somebody_is_asked(evening: SitAndGoEvening) -> str:
    """Everybody goes all-in, hand after hand, until somebody has no chips. Returns who."""
    while not evening.asked:
        await evening.deal()
        await evening.all_in()
    return evening.asked[0]


@pytest.mark.law("SG-9", "SG-11", "TDA 27")
async def test_rebuy_brings_a_full_stack_before_the_next_hand(evening: SitAndGoEvening) -> None:
    table = await evening.open_sit_and_go(2, buy_in=500, structure=FLAT, late_until=2, rebuys=True)
    await evening.enter("Ann", "Bo")
    name = await until_somebody_is_asked(evening)
    await evening.wait(29)
    assert not evening.playing() and evening.asked == [name]
    await evening.answer(name)
    assert evening.stacks()[name] == 400 and (await evening.store.table_chips(table)).escrow == 1_500
    assert (await evening.nets(name)) == {name: -1_000}
    await evening.deal()


@pytest.mark.law("SG-9")
async def test_silence_is_a_no_and_places_are_given_then(evening: SitAndGoEvening) -> None:
    await evening.open_sit_and_go(2, buy_in=500, structure=FLAT, late_until=2, rebuys=True)
    await evening.enter("Ann", "Bo")
    name = await until_somebody_is_asked(evening)
    question = evening.event.rebuy_question
    assert question is not None
    await evening.wait((question.until - evening.clock.now()) / 1_000)
    assert not evening.is_open()
    event = await evening.saved_event()
    assert (event.end_reason, event.entrants[0].rebuys) == (EndReason.WON, 0)
    assert await evening.nets(name) == {name: -500}


@pytest.mark.law("SG-9")
async def test_others_wait_for_the_answer_and_play_after_it(evening: SitAndGoEvening) -> None:
    await evening.open_sit_and_go(3, buy_in=500, structure=FLAT, late_until=2, rebuys=True)
    await evening.enter("Ann", "Bo", "Cy")
    await until_somebody_is_asked(evening)
    waiting = len(evening.asked)
    await evening.wait(20)
    assert not evening.playing()
    for _ in range(waiting):
        await evening.answer(evening.asked[0], rebuys=False)
    if evening.is_open():
        await evening.deal()
        assert len(evening.snapshot.dealt_users) == 3 - waiting


@pytest.mark.law("SG-9", "SG-15")
async def test_question_ends_in_a_break_that_begins_with_it(evening: SitAndGoEvening) -> None:
    structure = Structure(400, (Level(20), Level(40), Level(60)), 1, LevelLength.HANDS, break_every=1)
    await evening.open_sit_and_go(3, structure=structure, late_until=3, rebuys=True)
    await evening.enter("Ann", "Bo", "Cy")
    await until_somebody_is_asked(evening)
    assert evening.session.state.table.on_break
    back, silent = evening.asked
    await evening.answer(back)
    await evening.wait(60)
    assert evening.asked == [] and silent not in evening.stacks() and not evening.playing()
    await evening.wait(5 * 60)
    assert evening.playing() and back in evening.stacks()


@pytest.mark.law("SG-9")
async def test_kill_during_the_question_leaves_its_time(evening: SitAndGoEvening) -> None:
    await evening.open_sit_and_go(2, buy_in=500, structure=FLAT, late_until=2, rebuys=True)
    await evening.enter("Ann", "Bo")
    name = await until_somebody_is_asked(evening)
    await evening.wait(10)
    await evening.crash(away_ms=10 * 60_000)
    assert evening.asked == [name]
    await evening.wait(15)
    await evening.answer(name)
    await evening.crash()
    assert evening.stacks()[name] == 400
    await evening.deal()


async def test_rebuy_needs_the_chips_for_it(evening: SitAndGoEvening) -> None:
    await evening.open_sit_and_go(2, buy_in=6_000, bounty=1_000, structure=FLAT, late_until=2, rebuys=True)
    await evening.enter("Ann", "Bo")
    name = await until_somebody_is_asked(evening)
    with pytest.raises(NotEnoughChips):
        await evening.answer(name)
    assert evening.asked == [name]
    other = "Bo" if name == "Ann" else "Ann"
    with pytest.raises(refusals.NoRebuyOffered):
        await evening.answer(other)


@pytest.mark.law("SG-11")
async def test_rebuys_of_a_free_sit_and_go_cost_nothing(evening: SitAndGoEvening) -> None:
    await evening.open_sit_and_go(2, structure=FLAT, late_until=2, rebuys=True)
    await evening.enter("Ann", "Bo")
    name = await until_somebody_is_asked(evening)
    await evening.answer(name)
    assert sum(evening.stacks().values()) == 1_200
    assert await evening.nets("Ann", "Bo") == {"Ann": 0, "Bo": 0}


@pytest.mark.law("SG-13")
async def test_cancelled_during_the_question(evening: SitAndGoEvening) -> None:
    await evening.open_sit_and_go(3, buy_in=500, bounty=100, structure=FLAT, late_until=2, rebuys=True)
    await evening.enter("Ann", "Bo", "Cy")
    await until_somebody_is_asked(evening)
    out = set(evening.asked)
    await evening.ask("Ida", tc.CloseTable, staff=True)
    event = await evening.saved_event()
    assert event.status is SitAndGoStatus.CANCELLED
    assert {name_of(one.player) for one in event.entrants if not one.is_in} == out
    assert sum((await evening.nets("Ann", "Bo", "Cy")).values()) == 0


@pytest.mark.law("SG-5", "TL-14")
async def test_short_big_blind_pays_the_ante_first_where_chosen(evening: SitAndGoEvening) -> None:
    """Blinds of 200/400 with an ante of 400: who has 500 posts the ante, and 100 of the big blind."""
    structure = Structure(500, (Level(400, 400),), 500, LevelLength.HANDS)
    await evening.open_sit_and_go(2, structure=structure, ante_first=True)
    await evening.enter("Ann", "Bo")
    await evening.wait(10)  # the big blind is all-in, and the small blind has covered it
    first = [event for update in evening.updates for event in update.events if isinstance(event, e.Posted)]
    posted = [(event.kind, event.chips) for event in first[:3]]
    assert posted == [(PostKind.SMALL_BLIND, 200), (PostKind.DEAD, 400), (PostKind.BIG_BLIND, 100)]


@pytest.mark.law("SG-3", "VC-5")
async def test_absent_player_all_in_by_bring_in_has_dead_hand(evening: SitAndGoEvening) -> None:
    """Stud with an ante of 6 and a bring-in of 15: who is away and has 20 brings it in for 14, and is out of the hand."""
    structure = Structure(20, (Level(60),), 500, LevelLength.HANDS)
    await evening.open_sit_and_go(3, structure=structure, chosen=settings("stud"))
    await evening.enter("Ann", "Bo", "Cy")
    for name in ("Ann", "Bo", "Cy"):
        await evening.ask(name, tc.SitOut)
    await evening.wait(10)
    events = [event for update in evening.updates for event in update.events]
    bring_in = next(event for event in events if isinstance(event, e.BetTo))
    assert (bring_in.chips, bring_in.all_in) == (14, True)
    assert events[events.index(bring_in) + 1] == e.Folded(bring_in.seat)
    assert len(finishes(evening.event)) == 1 and sum(evening.stacks().values()) == 60


async def bounties_recounted(evening: SitAndGoEvening) -> dict[int, int]:
    """Count bounties again from what was saved of each hand alone: who had how much, and who was paid from which pot.

    Somebody's last chip is in a side pot for each smaller stack that stayed in. Dead chips are in the main pot.
    """
    saved = await evening.store.occasion_at(evening.table)
    assert saved is not None
    heads, won = dict[int, int](), dict[int, int]()
    paid_after: dict[int, list[tuple[int, int]]] = {}
    hand = 0
    for event in saved.events:
        match event:
            case ev.SitAndGoOpened(settings):
                bounty = settings.bounty
            case ev.PlayerEntered(player=player):
                heads[player], won[player] = bounty, 0
            case ev.HandCounted():
                hand += 1
            case ev.PlayerRebought(player, _, new):
                paid_after.setdefault(hand, []).append((player, new))
    for number, played in enumerate(reversed(await evening.store.hands(GUILD, evening.table, 1, hand)), 1):
        for user, winners in put_out_recounted(played).items():
            chips, heads[user] = heads[user], 0
            for place, winner in enumerate(winners):
                won[winner] += chips // len(winners) + (place < chips % len(winners))
        for user, new in paid_after.get(number, ()):
            heads[user] += new
    return {user: heads[user] + won[user] for user in heads if heads[user] + won[user]}


def put_out_recounted(played: SavedHand) -> dict[int, list[int]]:
    """Return who has no chips after a hand, and who won the pot with their last one, from the left of the button."""
    (started,) = [one for one in played.events if isinstance(one, e.HandStarted)]
    (dealt,) = [one for one in played.events if isinstance(one, DealtIn)]
    (finished,) = [one for one in played.events if isinstance(one, HandFinished)]
    payments = [one for event in played.events if isinstance(event, e.PotsPaid) for one in event.payments]
    users, after, live = [user for user, _ in dealt.players], dict(finished.stacks), set(range(len(started.stacks)))
    in_pots = list(started.stacks)
    for event in played.events:
        match event:
            case e.Posted(seat, PostKind.DEAD, chips) | e.PricePaid(seat=seat, chips=chips):
                in_pots[seat] -= chips
            case e.Folded(seat):
                live.discard(seat)
    found = {}
    for at, number in enumerate(started.seat_numbers):
        if payments and not after[number]:  # where nobody opened, all get back what they put in
            pot = len({in_pots[seat] for seat in live if in_pots[seat] < in_pots[at]})
            pot = min(pot, max(paid.pot_index for paid in payments))
            found[users[at]] = [users[seat] for seat in sorted({one.seat for one in payments if one.pot_index == pot})]
    return found


@pytest.mark.law("SG-10", "BO-1")
@pytest.mark.parametrize("seed", range(3))
async def test_bounties_go_to_who_wins_the_last_chip(tmp_path: Path, seed: int) -> None:
    """All chips go in at every hand. The recount at the end finds each chip in the flow."""
    evening = await SitAndGoEvening(tmp_path, seed=seed).begin()
    await evening.open_sit_and_go(5, buy_in=500, bounty=101, structure=FLAT)
    names = ("Ann", "Bo", "Cy", "Dee", "Eve")
    await evening.enter(*names)
    while evening.is_open():
        await evening.deal()
        await evening.all_in()
    event = await evening.saved_event()
    assert dict(event.bounties) == await bounties_recounted(evening)
    assert sum(chips for _, chips in event.bounties) == 505
    assert sum(chips for _, chips in event.prizes_paid) == 2_500
    assert sum((await evening.nets(*names)).values()) == 0
    await evening.audit()
    await evening.end()


@pytest.mark.law("SG-9", "SG-10", "SG-11", "BO-1")
@pytest.mark.parametrize("seed", range(2))
async def test_sit_and_go_with_rebuys_is_played_to_its_prizes(tmp_path: Path, seed: int) -> None:
    evening = await SitAndGoEvening(tmp_path, seed=seed).begin()
    structure = Structure(300, (Level(40), Level(60), Level(80, 80), Level(200, 200)), 6, LevelLength.HANDS)
    await evening.open_sit_and_go(4, buy_in=501, bounty=77, structure=structure, late_until=3, rebuys=True)
    names = ("Ann", "Bo", "Cy", "Dee")
    await evening.enter(*names)
    await evening.play_on(random.Random(seed))
    assert not evening.is_open()
    event = await evening.saved_event()
    assert event.end_reason is EndReason.WON
    assert finishes_told(event) == ranks_recounted(await hands_of(evening, event.hands))
    rebought = {name_of(one.player): 501 * (1 + one.rebuys) + one.bounties_paid for one in event.entrants}
    prizes, bounties = dict(event.prizes_paid), dict(event.bounties)
    assert bounties == await bounties_recounted(evening)
    record = event_record(await evening.store.occasion_at(evening.table))
    assert record is not None and record.bounty == 77
    assert {one.player: (one.rank, one.bounties, one.rebuys) for one in record.entrants} == {
        one.entrant.player: (one.rank, bounties.get(one.entrant.player, 0), one.entrant.rebuys)
        for one in finishes(event)
    }
    assert sum(prizes.values()) == event.pool and sum(bounties.values()) == event.bounty_chips
    got = {name: prizes.get(USERS[name], 0) + bounties.get(USERS[name], 0) for name in names}
    assert await evening.nets(*names) == {name: got[name] - rebought[name] for name in names}
    await evening.audit()
    await evening.end()


async def test_host_chooses_rebuys_and_a_bounty_before_anybody_enters(evening: SitAndGoEvening) -> None:
    await evening.open_sit_and_go(2, buy_in=500)
    wanted = evening.event.settings
    command = sc.ChooseStructure(
        USERS["Ann"], wanted.speed, LevelLength.HANDS, late_until=3, rebuys=True, bounty=250, ante_first=True
    )
    await evening.ask("Ann", command)
    assert evening.snapshot.settings.ante_first
    await evening.enter("Ann", "Bo")
    assert await evening.nets("Ann", "Bo") == {"Ann": -750, "Bo": -750}

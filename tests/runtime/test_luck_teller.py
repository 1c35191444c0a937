"""All-in luck is told once for each hand, whatever happens to the process that tells it."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import sys
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from bot.child_process import end_child, read_frame, send_frame, start_child
from bot.engine.cards import card_text
from bot.engine.usual_stakes import usual_stakes
from bot.runtime.hand_log import decoded_hand
from bot.runtime.luck_teller import LUCK_WORKER, LuckTeller
from bot.runtime.luck_worker import LuckAnswer, PlayedGame, decode_luck, encode_game, encode_hand
from bot.runtime.statistics_events import statistics_decoder
from bot.statistics.all_in_hand import AllInHand, all_in_hand, seed_of
from bot.statistics.luck import all_in_luck
from bot.statistics.odds import odds_of
from bot.statistics.types import Counts, Scope
from bot.store.statistics.statistics import Statistics
from bot.variants import game
from tests.runtime.evening import GUILD, USERS, Evening
from tests.support.engines import source_at

pytestmark = pytest.mark.real_time  # a process counts, and some of these processes hang

ANN, BO = USERS["Ann"], USERS["Bo"]
PATIENCE = 20.0


@pytest.fixture
async def evening(tmp_path: Path) -> AsyncIterator[Evening]:
    """An evening after one hand, in which Ann and Bo were all-in before the flop."""
    opened = await Evening(tmp_path).begin()
    await opened.open()
    await opened.seat(Ann=5_000, Bo=5_000)
    await opened.deal()
    await opened.next_player_acts("is all-in", "calls")
    yield opened
    await opened.end()


@asynccontextmanager
async def counted(evening: Evening) -> AsyncIterator[Statistics]:
    path = evening.path.with_name("statistics.sqlite3")
    statistics = Statistics(
        path,
        source_at(evening.path),
        statistics_decoder(),
        unshown=evening.sessions.unshown_hands,
        now=evening.clock.now,
    )
    await statistics.open()
    try:
        yield statistics
    finally:
        await statistics.close()


@asynccontextmanager
async def told(evening: Evening, statistics: Statistics, habit: str = "", **how: float) -> AsyncIterator[LuckTeller]:
    """Let luck be told by the real process, or by one with a strange habit."""
    strange = (sys.executable, "-m", "tests.runtime.strange_luck_worker", habit, str(evening.path.with_name("told")))
    teller = LuckTeller(
        statistics, evening.store, lambda: evening.tables.context, strange if habit else LUCK_WORKER,
        retry_seconds=0.01, **how,
    )  # fmt: skip
    teller.start()
    try:
        yield teller
    finally:
        await teller.close()


async def until(holds: Callable[[], bool]) -> None:
    """Wait for what a process does."""
    end = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < end, "it never came"
        await asyncio.sleep(0.01)


async def until_told(statistics: Statistics) -> None:
    end = time.monotonic() + PATIENCE
    while await statistics.hands_without_luck():
        assert time.monotonic() < end, "luck was never told"
        await asyncio.sleep(0.01)


def asked(evening: Evening) -> int:
    """How many hands a strange process was asked for."""
    return requests(evening).count("hand")


def requests(evening: Evening) -> list[str]:
    """What a strange process was asked: to prepare for a game, or for a hand."""
    log = evening.path.with_name("told")
    return log.read_text().splitlines() if log.exists() else []


async def counts(statistics: Statistics, user: int) -> Counts:
    return (await statistics.player(GUILD, user, Scope())).counts


async def test_luck_of_an_all_in_hand_is_told_and_kept(evening: Evening) -> None:
    saved = await evening.store.hand(evening.table, 1)
    assert saved is not None
    played = decoded_hand(evening.tables.context, saved, 0)
    hand = all_in_hand(played.events, played.deck, seed_of(evening.table, 1))
    assert hand is not None
    expected = all_in_luck(hand)
    assert expected is not None
    async with counted(evening) as statistics, told(evening, statistics) as teller:
        await until_told(statistics)
        ann, bo = await counts(statistics, ANN), await counts(statistics, BO)
        await until(lambda: teller.waiting_count == 0)
        measures = teller.measures
        assert (measures.told, measures.failed, measures.worker_starts, sum(measures.seconds.counts)) == (1, 0, 1, 1)
    assert (ann.lucky_hands, ann.estimated_hands) == (1, 1)
    assert sorted((ann.luck, bo.luck)) == sorted(expected.luck)
    assert ann.luck + bo.luck == 0
    assert ann.luck != 0
    async with counted(evening) as statistics, told(evening, statistics, "die"):
        assert await statistics.hands_without_luck() == ()
        assert await counts(statistics, ANN) == ann
        await asyncio.sleep(0)
        assert asked(evening) == 0, "what is told is never told again"


async def the_hand(evening: Evening) -> AllInHand:
    saved = await evening.store.hand(evening.table, 1)
    assert saved is not None
    played = decoded_hand(evening.tables.context, saved, 0)
    hand = all_in_hand(played.events, played.deck, seed_of(evening.table, 1))
    assert hand is not None
    return hand


async def test_luck_of_a_hand_is_told_on_request(evening: Evening) -> None:
    """Beside the hands that are due, and without writing anything down; whoever stops waiting disturbs nobody."""
    hand = await the_hand(evening)
    async with counted(evening) as statistics, told(evening, statistics) as teller:
        impatient = asyncio.ensure_future(teller.luck_of(hand))
        await asyncio.sleep(0.05)
        impatient.cancel()
        answers = await asyncio.gather(*[teller.luck_of(hand) for _ in range(3)])
        assert answers == [all_in_luck(hand)] * 3
        await until_told(statistics)
        assert (await counts(statistics, ANN)).lucky_hands == 1
    assert await teller.luck_of(hand) is None, "it is closed"


async def test_process_that_dies_when_asked_tells_no_luck(evening: Evening) -> None:
    hand = await the_hand(evening)
    async with counted(evening) as statistics, told(evening, statistics, "die") as teller:
        assert await teller.luck_of(hand) is None


async def test_process_that_is_killed_leaves_the_hand_due(evening: Evening) -> None:
    """The process hangs and is killed; so is the bot. At the next start the hand is told, once."""
    async with counted(evening) as statistics:
        async with told(evening, statistics, "hang") as teller:
            await until(lambda: asked(evening) == 1)
            assert teller.worker_pid is not None
            os.kill(teller.worker_pid, signal.SIGKILL)
            await until(lambda: asked(evening) == 2)
        assert await statistics.hands_without_luck() == ((evening.table, 1),)
        assert (await counts(statistics, ANN)).lucky_hands == 0
    async with counted(evening) as statistics, told(evening, statistics):
        await until_told(statistics)
        assert (await counts(statistics, ANN)).lucky_hands == 1


async def test_dealer_and_process_killed_anywhere_tell_a_hand_once(evening: Evening) -> None:
    """The process is killed in the middle of the hand; then the dealer, in the middle of it, before writing and after. All with SIGKILL."""
    folder = evening.path.parent
    expected = await luck_told_in_peace(evening)
    await evening.store.close()
    dealer = await mortal_teller(folder, "when asked")
    await until(lambda: len(requests(evening)) == 1)
    os.kill(stopped_process(evening), signal.SIGKILL)
    await until(lambda: len(requests(evening)) == 2)
    dealer.kill()
    assert await dealer.wait() == -signal.SIGKILL
    os.kill(stopped_process(evening), signal.SIGCONT)
    await until(lambda: not is_running(stopped_process(evening)))  # it outlives its dealer by no more than one hand
    said = b""
    for moment in ("before writing", "after writing", "never"):
        dealer = await mortal_teller(folder, moment)
        said += (await dealer.communicate())[0]
        assert dealer.returncode == (0 if moment == "never" else -signal.SIGKILL)
    assert said == b"told\n", "once"
    await evening.store.open()
    async with counted(evening) as statistics:
        assert await statistics.hands_without_luck() == ()
        ann, bo = await counts(statistics, ANN), await counts(statistics, BO)
        assert (ann.lucky_hands, bo.lucky_hands) == (1, 1)
        assert {ANN: ann.luck, BO: bo.luck} == expected


async def luck_told_in_peace(evening: Evening) -> dict[int, int]:
    """The luck of the hand, in thousandths of a chip, by user."""
    saved = await evening.store.hand(evening.table, 1)
    assert saved is not None
    played = decoded_hand(evening.tables.context, saved, 0)
    hand = all_in_hand(played.events, played.deck, seed_of(evening.table, 1))
    assert hand is not None
    answer = all_in_luck(hand)
    assert answer is not None
    users = evening.snapshot.dealt_users
    return {users[seat]: chips for seat, chips in zip(answer.seats, answer.luck, strict=True)}


async def mortal_teller(folder: Path, moment: str) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.runtime.mortal_luck_teller", str(folder), moment, stdout=asyncio.subprocess.PIPE
    )


def stopped_process(evening: Evening) -> int:
    """The process that has stopped in the middle of a hand last."""
    return int(requests(evening)[-1].removeprefix("middle "))


def is_running(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


@pytest.mark.parametrize("habit", ["die", "garbage", "wrong kind", "hang"])
async def test_bad_process_is_given_up_for_the_hand(evening: Evening, habit: str) -> None:
    """It fails at the hand twice; then the hand waits for the next start, and nothing goes round and round."""
    async with counted(evening) as statistics, told(evening, statistics, habit, hang_seconds=0.5) as teller:
        await until(lambda: asked(evening) == 2 and teller.worker_pid is None)
        await asyncio.sleep(0.1)
        assert asked(evening) == 2
        assert await statistics.hands_without_luck() == ((evening.table, 1),)
        assert (teller.waiting_count, teller.measures.told, teller.measures.failed) == (1, 0, 2)


async def test_error_in_a_hand_is_logged_without_a_card(evening: Evening, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        async with counted(evening) as statistics, told(evening, statistics, "raise"):
            await until(lambda: asked(evening) == 1 and "luck_failed" in caplog.text)
            assert await statistics.hands_without_luck() == ((evening.table, 1),)
    cause = next(record for record in caplog.records if record.message == "luck_failed")
    assert vars(cause)["cause"] == "KeyError at luck.py:7"


async def test_process_killed_between_hands_costs_no_hand(tmp_path: Path) -> None:
    """The process is killed while nothing is due; the next hand is told by another one."""
    evening = await Evening(tmp_path).begin()
    await evening.open()
    await evening.seat(Ann=5_000, Bo=5_000, Cy=20_000)
    async with counted(evening) as statistics, told(evening, statistics) as teller:
        for number in (1, 2):
            await evening.deal()
            while evening.playing():
                if number == 1 and evening.to_act == "Cy":
                    await evening.next_player_acts("folds")
                elif evening.hand.seats and max(seat.bet for seat in evening.hand.seats) > 100:
                    await evening.next_player_acts("calls")
                else:
                    await evening.next_player_acts("is all-in")
            statistics.note(evening.table)
            await until_told(statistics)
            assert teller.worker_pid is not None
            os.kill(teller.worker_pid, signal.SIGKILL)
        lucky = [(await counts(statistics, USERS[name])).lucky_hands for name in ("Ann", "Bo", "Cy")]
    assert sorted(lucky) == [1, 1, 2]
    await evening.end()


async def test_hand_without_luck_is_not_asked_for_again(evening: Evening) -> None:
    async with counted(evening) as statistics, told(evening, statistics, "no luck"):
        await until_told(statistics)
        assert (await counts(statistics, ANN)).lucky_hands == 0
    assert asked(evening) == 1


async def test_hand_whose_cards_are_lost_has_no_luck(evening: Evening) -> None:
    evening.tables.context.master_secret_since = evening.clock.now() + 1
    async with counted(evening) as statistics, told(evening, statistics, "die"):
        await until_told(statistics)
        assert (await counts(statistics, ANN)).lucky_hands == 0
    assert asked(evening) == 0


async def test_process_ends_when_nothing_is_due(evening: Evening) -> None:
    async with counted(evening) as statistics, told(evening, statistics, "no luck", idle_seconds=0.05) as teller:
        await until_told(statistics)
        await until(lambda: teller.worker_pid is None)
        teller.prepare(next(one.snapshot for one in evening.updates if one.snapshot.rules_of_hand is not None))
        await until(lambda: requests(evening)[-1] == "game")  # another one is started for the next all-in


async def test_what_the_process_gets_holds_no_hidden_card(evening: Evening) -> None:
    """Neither the deck's order nor the secret is in a request, and no hand tells its cards where it is written down."""
    saved = await evening.store.hand(evening.table, 1)
    assert saved is not None
    played = decoded_hand(evening.tables.context, saved, 0)
    hand = all_in_hand(played.events, played.deck, seed_of(evening.table, 1))
    assert hand is not None
    request = encode_hand(hand)
    assert evening.master not in request
    assert bytes(played.deck) not in request
    assert bytes(hand.unknown) in request, "in ascending order"
    assert list(hand.unknown) == sorted(hand.unknown)
    assert not any(card_text(card) in repr(hand) for card in range(52))
    answer = all_in_luck(hand)
    assert decode_luck(b"\xc0") is None
    assert answer is not None


async def test_process_prepares_while_the_streets_are_shown(tmp_path: Path) -> None:
    """The game is prepared for once the hands are open; the hand is told when its last card has been shown."""
    evening = await Evening(tmp_path, show_run_outs=True).begin()
    await evening.open()
    await evening.seat(Ann=5_000, Bo=5_000)
    async with counted(evening) as statistics, told(evening, statistics, "no luck") as teller:
        await evening.deal()
        await evening.next_player_acts("calls", "checks")
        for update in evening.updates:
            if update.opens_hands:
                teller.prepare(update.snapshot)
        await asyncio.sleep(0)
        assert teller.worker_pid is None, "nobody is all-in, and no process runs"
        evening.updates.clear()
        await evening.next_player_acts("is all-in", "calls")
        for update in evening.updates:
            if update.opens_hands:
                teller.prepare(update.snapshot)
        await until(lambda: "game" in requests(evening))  # twice, where a busy machine lets the process begin too late
        assert not asked(evening)
        while evening.session.run_out is not None:
            await evening.wait(2)
        statistics.note(evening.table)
        await until_told(statistics)
        assert asked(evening) == 1
    await evening.end()


async def test_real_process_answers_that_it_has_prepared() -> None:
    process = await start_child(LUCK_WORKER)
    assert await read_frame(process, PATIENCE) == bytes([LuckAnswer.READY])
    for card in (game("holdem"), game("stud8"), game("follow_the_queen"), game("omaha + deuces wild")):
        send_frame(process, encode_game(PlayedGame(card, card.options, usual_stakes(card))))
        assert await read_frame(process, PATIENCE) == bytes([LuckAnswer.READY]), card.key
    await end_child(process)


async def test_process_that_dies_preparing_is_given_up_for_the_hand(evening: Evening) -> None:
    async with counted(evening) as statistics, told(evening, statistics, "die at once") as teller:
        await until(lambda: len(requests(evening)) == 2 and teller.worker_pid is None)
        await asyncio.sleep(0.1)
        assert requests(evening) == ["game", "game"]
        assert await statistics.hands_without_luck() == ((evening.table, 1),)


# odds


def run_out_of(evening: Evening) -> list[AllInHand]:
    """What odds were asked from on each street of an evening's hand, had it been shown street by street."""
    found = [update.snapshot.hand_run_out() for update in evening.updates]
    return [hand for hand in found if hand is not None]


@pytest.fixture
async def shown_evening(tmp_path: Path) -> AsyncIterator[Evening]:
    """An evening with a hand in which Ann and Bo are all-in before the flop, shown to its end."""
    opened = await Evening(tmp_path, show_run_outs=True).begin()
    await opened.open()
    await opened.seat(Ann=5_000, Bo=5_000)
    await opened.deal()
    await opened.next_player_acts("is all-in", "calls")
    while opened.session.run_out is not None:
        await opened.wait(2)
    yield opened
    await opened.end()


@pytest.mark.law("TL-21")
async def test_odds_of_each_street_are_told(shown_evening: Evening) -> None:
    hands = run_out_of(shown_evening)
    assert [sum(map(len, hand.boards)) for hand in hands] == [0, 3, 4]
    async with counted(shown_evening) as statistics, told(shown_evening, statistics) as teller:
        odds = [await teller.odds(hand) for hand in hands]
        assert odds == [odds_of(hand) for hand in hands]
        assert [one.is_estimate for one in odds if one is not None] == [True, False, False]
        assert (teller.measures.odds_told, teller.measures.odds_failed) == (3, 0)


async def test_there_are_no_odds_until_the_teller_is_started(shown_evening: Evening) -> None:
    async with counted(shown_evening) as statistics:
        teller = LuckTeller(statistics, shown_evening.store, lambda: shown_evening.tables.context)
        assert await teller.odds(run_out_of(shown_evening)[0]) is None


async def test_odds_go_before_luck_that_is_due(shown_evening: Evening) -> None:
    """While one hand's luck is being told, odds come in: they are next, though that luck has still to be told once more."""
    hand = run_out_of(shown_evening)[2]
    async with (
        counted(shown_evening) as statistics,
        told(shown_evening, statistics, "hang", hang_seconds=0.5) as teller,
    ):
        await until(lambda: asked(shown_evening) == 1)
        assert await teller.odds(hand) is None, "the process hangs at everything"
        assert requests(shown_evening).count("odds") == 1
        order = [request for request in requests(shown_evening) if request != "game"]
        assert order[:2] == ["hand", "odds"]


async def test_whoever_stops_waiting_for_odds_disturbs_nobody(shown_evening: Evening) -> None:
    """The answer still comes, and is nobody's: the next one is told right."""
    first, *_, last = run_out_of(shown_evening)
    async with counted(shown_evening) as statistics, told(shown_evening, statistics) as teller:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.001):
                await teller.odds(first)
        assert await teller.odds(last) == odds_of(last)
        await until_told(statistics)
        assert teller.measures.worker_starts == 1


async def test_odds_that_nobody_waits_for_are_dropped(shown_evening: Evening) -> None:
    """Of many tables that are run out at once, those that were too late hold none of the others up."""
    first, later, last = run_out_of(shown_evening)
    async with counted(shown_evening) as statistics, told(shown_evening, statistics) as teller:
        waiting = [asyncio.ensure_future(teller.odds(hand)) for hand in (first, later, last)]
        await asyncio.sleep(0.001)
        waiting[1].cancel()
        assert await waiting[2] == odds_of(last)
        assert waiting[0].result() == odds_of(first)
        assert teller.measures.odds_told == 2


@pytest.mark.parametrize("habit", ["die", "garbage", "wrong kind", "hang", "raise"])
async def test_bad_process_tells_no_odds(shown_evening: Evening, habit: str, caplog: pytest.LogCaptureFixture) -> None:
    async with counted(shown_evening) as statistics, told(shown_evening, statistics, habit, hang_seconds=0.3) as teller:
        assert await teller.odds(run_out_of(shown_evening)[0]) is None
        assert teller.measures.odds_failed == 1
    causes = [vars(record)["cause"] for record in caplog.records if record.message == "odds_failed"]
    assert len(causes) == 1
    assert not any(card_text(card) in causes[0] for card in range(52))


async def test_odds_end_with_the_teller(shown_evening: Evening) -> None:
    async with counted(shown_evening) as statistics:
        async with told(shown_evening, statistics, "hang") as teller:
            waiting = asyncio.ensure_future(teller.odds(run_out_of(shown_evening)[0]))
            await until(lambda: "odds" in requests(shown_evening))
        await asyncio.wait({waiting}, timeout=PATIENCE)
        assert waiting.cancelled() or waiting.result() is None
        assert teller.worker_pid is None


async def test_process_learns_a_game_once_somebody_is_all_in(tmp_path: Path) -> None:
    """Before the others have called: then the first street's odds come in time."""
    evening = await Evening(tmp_path, show_run_outs=True).begin()
    await evening.open()
    await evening.seat(Ann=5_000, Bo=5_000)
    await evening.deal()
    evening.updates.clear()
    await evening.next_player_acts("calls")
    assert not any(update.brings_run_out_near for update in evening.updates)
    await evening.next_player_acts("is all-in")
    assert evening.updates[-1].brings_run_out_near and not evening.updates[-1].opens_hands
    await evening.next_player_acts("calls")
    assert evening.updates[-1].brings_run_out_near and evening.updates[-1].opens_hands
    while evening.session.run_out is not None:
        await evening.wait(2)
    assert not evening.updates[-1].brings_run_out_near
    await evening.end()

"""A dealer that is killed and restarts has the same street, turn, cards, clock and chips."""

import asyncio

import pytest

from bot.engine import commands as c
from bot.engine.events import HandVoided
from bot.ledger.accounts import wallet_account
from bot.ledger.books import BookFault, BookProblem
from bot.runtime import restore
from bot.runtime.errors import HandUnreadable
from bot.runtime.snapshot import TableUpdate
from bot.runtime.store_types import SavedTable
from bot.runtime.transaction import SessionState
from bot.table.commands import ChangeSettings, TakeSeat
from bot.text.staff_log import staff_log_line
from tests.runtime.evening import CHANNEL, GUILD, HOST, USERS, Evening, settings
from tests.runtime.manual_clock import SECOND
from tests.support.engines import opened


async def _on_the_flop(evening: Evening) -> None:
    await evening.open()
    await evening.seat(Ann=10_000, Bo=8_000, Cy=6_000)
    await evening.deal()
    await evening.next_player_acts("raises to 300", "calls", "calls")
    assert evening.hand.street == "flop"
    await evening.next_player_acts("checks")


@pytest.mark.law("TL-32")
async def test_restart_restores_street_turn_and_cards(evening: Evening) -> None:
    await _on_the_flop(evening)
    before, to_act, stacks = evening.hand, evening.to_act, evening.stacks()
    cards = {name: evening.cards(name) for name in ("Ann", "Bo", "Cy")}
    await evening.crash(away_ms=30 * SECOND)
    assert evening.hand == before
    assert evening.to_act == to_act
    assert evening.stacks() == stacks
    assert {name: evening.cards(name) for name in ("Ann", "Bo", "Cy")} == cards
    assert evening.updates[-1].restored
    await evening.audit()
    await evening.acts(f"{to_act} checks")
    while evening.snapshot.hand_running:
        await evening.next_player_acts("checks")
    await evening.audit()


async def test_restart_remembers_how_the_street_began(evening: Evening) -> None:
    await _on_the_flop(evening)
    await evening.next_player_acts("bets 400", "folds")
    before = list(evening.snapshot.views_of_street())
    assert [sum(seat.bet for seat in view.seats) for view in before] == [400, 400, 0, 0]
    await evening.crash()
    assert list(evening.snapshot.views_of_street()) == before
    assert (before[0].decision_number, before[-1].street_actions) == (evening.hand.decision_number, ())


async def test_clock_pauses_while_dealer_is_away(evening: Evening) -> None:
    await _on_the_flop(evening)
    await evening.wait(10)
    await evening.crash(away_ms=600 * SECOND)
    due = evening.snapshot.current_turn
    assert due is not None
    now = evening.clock.now()
    assert 79 * SECOND <= due.bank_ends_at - now <= 85 * SECOND, (
        "90 seconds less the ten that passed, to the last heartbeat"
    )
    assert due.turn_ends_at - now <= 25 * SECOND


async def test_acting_player_has_at_least_fifteen_seconds(evening: Evening) -> None:
    await _on_the_flop(evening)
    to_act = evening.to_act
    await evening.wait(88)
    await evening.crash()
    due = evening.snapshot.current_turn
    assert due is not None and due.bank_ends_at - evening.clock.now() == 15 * SECOND
    await evening.wait(15)
    assert evening.to_act == to_act
    await evening.wait(1)
    assert evening.to_act != to_act


async def test_repeated_restarts_add_no_time_beyond_fifteen_seconds(evening: Evening) -> None:
    await _on_the_flop(evening)
    await evening.wait(60)
    for _ in range(4):
        await evening.crash()
        await evening.wait(6)
    due = evening.snapshot.current_turn
    assert due is not None and due.bank_ends_at - evening.clock.now() <= 30 * SECOND


async def test_hand_that_was_due_is_dealt_after_restart(evening: Evening) -> None:
    await evening.open()
    await evening.seat(Ann=10_000, Bo=10_000)
    await evening.crash(away_ms=60 * SECOND)
    assert not evening.snapshot.hand_running
    await evening.wait(1)
    assert evening.snapshot.hand_running


async def test_an_old_button_works_after_a_restart(evening: Evening) -> None:
    await _on_the_flop(evening)
    drawn, to_act = evening.snapshot, evening.to_act
    await evening.crash()
    outcome = await evening.ask(to_act, c.Bet(200), button=drawn)
    assert outcome.snapshot.hand is not None and outcome.snapshot.hand.current_bet == 200


async def test_lost_master_secret_voids_open_hands_and_refunds(evening: Evening) -> None:
    await _on_the_flop(evening)
    evening.master = b"x" * 32
    await evening.crash()
    assert not evening.snapshot.hand_running
    assert any(isinstance(event, HandVoided) for event in evening.updates[-1].events)
    assert evening.snapshot.hand is None, "no card of a lost deck is shown"
    assert evening.stacks() == {"Ann": 10_000, "Bo": 8_000, "Cy": 6_000}
    await evening.audit()
    with pytest.raises(HandUnreadable):
        await evening.tables.read_hand_log(evening.request("Ann"), 1)
    await evening.deal()
    assert evening.snapshot.hand_number == 2
    await evening.crash()
    assert evening.snapshot.hand_running, "the new secret is known from now on"


async def test_tables_are_found_again_by_their_channel(evening: Evening) -> None:
    await evening.open()
    await evening.open(settings("pot_limit_holdem"), channel=CHANNEL + 1)
    await evening.crash()
    here, there = evening.tables.table_in_channel(GUILD, CHANNEL), evening.tables.table_in_channel(GUILD, CHANNEL + 1)
    assert here is not None and here.settings.rule_card.key == "holdem" and here.table.host == HOST
    assert there is not None and there.settings.rule_card.key == "pot_limit_holdem"
    assert [now.address.number for now in evening.tables.tables_in_guild(GUILD)] == [1, 2]


async def test_a_drained_dealer_begins_nothing_and_keeps_everything(evening: Evening) -> None:
    await _on_the_flop(evening)
    before = evening.hand
    await evening.end()
    await evening.begin()
    assert evening.hand == before


async def test_a_settings_change_outlives_a_restart(evening: Evening) -> None:
    await evening.open()
    await evening.ask("Ann", ChangeSettings, settings(blinds=(100, 200)))
    await evening.crash()
    assert evening.snapshot.settings.stakes.big_blind == 200
    assert evening.snapshot.table.host == USERS["Ann"]


async def test_a_restart_takes_up_one_table_at_a_time(evening: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a thousand running hands, the event loop looks after everything else between any two of them."""
    hosts = ("Ann", "Bo", "Cy", "Dee")
    opened = [
        await evening.tables.open(evening.request(host, channel=CHANNEL + number), settings())
        for number, host in enumerate(hosts)
    ]
    tables = [outcome.snapshot.id for outcome in opened]
    evening.table = tables[3]
    await evening.ask("Ann", TakeSeat, 10_000, 1, channel=CHANNEL + 3)
    await evening.ask("Bo", TakeSeat, 10_000, 2, channel=CHANNEL + 3)
    await evening.deal()
    turns, read_at, shown_at = 0, list[int](), list[int]()
    restore_state = restore.restore_state

    def counted(saved: SavedTable, secret: bytes | None) -> SessionState:
        read_at.append(turns)
        return restore_state(saved, secret)

    class Shown(list[TableUpdate]):
        def append(self, update: TableUpdate) -> None:
            assert update.restored
            shown_at.append(turns)
            super().append(update)

    async def count_turns() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    monkeypatch.setattr(restore, "restore_state", counted)
    evening.updates = Shown()
    counting = asyncio.create_task(count_turns())
    await evening.crash()
    counting.cancel()
    assert [update.snapshot.id for update in evening.updates] == tables
    assert evening.snapshot.hand_running
    assert len(set(read_at)) == len(set(shown_at)) == len(tables)


async def test_start_names_what_was_changed_by_hand(evening: Evening, caplog: pytest.LogCaptureFixture) -> None:
    """Somebody writes 1,000 chips into a wallet while the dealer is away. Each server's books are checked; the others agree."""
    await evening.bank.holdings(GUILD, USERS["Ann"])
    await evening.bank.holdings(GUILD + 1, USERS["Bo"])
    await evening.end()
    evening.tells_every_way = False
    with opened(evening.path) as db:
        db.execute('UPDATE balance SET chips = chips + 1000 WHERE guild = ? AND "user" = ?', (GUILD, USERS["Ann"]))
        db.commit()
    await evening.begin()
    told: list[tuple[int, tuple[BookFault, ...]]] = []
    await evening.bank.check_books(lambda guild, faults: told.append((guild, faults)))
    (guild, faults), wallet = *told, wallet_account(USERS["Ann"])
    assert guild == GUILD
    assert [(fault.problem, fault.account, fault.chips) for fault in faults] == [
        (BookProblem.PEOPLE_NOT_ZERO, None, 1000),
        (BookProblem.TRANSFERS_DIFFER, wallet, 1000),
        (BookProblem.LEADERBOARD_DIFFERS, wallet, -1000),
    ]
    logged = [record.__dict__ for record in caplog.records if record.message == "books_disagree"]
    assert [(line["guild"], line["problem"], line["chips"]) for line in logged][1] == (GUILD, "transfers_differ", 1000)
    assert (logged[1]["kind"], logged[1]["user"]) == ("wallet", USERS["Ann"])
    await evening.bank.check_books()
    (line,) = await evening.store.staff_log(GUILD, after=0, limit=10)
    assert "The books do not agree: the players' book does not sum to zero" in staff_log_line(line)
    assert await evening.store.staff_log(GUILD + 1, after=0, limit=10) == ()

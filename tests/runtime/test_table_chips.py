"""A game of table chips through the real tables and store: its book is at zero after every request, and no wallet is ever touched."""

from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path

import pytest
from msgspec.structs import replace

from bot.engine.events import VoidReason
from bot.house.rules import HouseRules
from bot.ledger.accounts import WALLET_BOOKS
from bot.players import PracticePlayers
from bot.runtime.commands import SeatPracticePlayers, VoidHand
from bot.runtime.operations import void_hand_and_close
from bot.runtime.privacy import Privacy
from bot.runtime.staff_log_types import StaffLogKind
from bot.runtime.store_errors import PersonSeated
from bot.runtime.store_types import FIRST_FORMER_PLAYER, PlayerHoldings
from bot.runtime.table_settings import NewTableRequest, default_table_settings
from bot.table import commands as tc
from bot.table.book import standings
from bot.table.refusals import StaffOnly, StartingStackOnly
from bot.table.settings import ChipKind, RebuyRule, TableSettings
from bot.table.state import StackChange, Standing
from bot.variants import game
from tests.runtime.evening import GUILD, NAMES, USERS, Evening
from tests.runtime.test_machine import Machine
from tests.runtime.test_machine import _settings as any_settings
from tests.support.engines import opened
from tests.support.saved_kinds import every_saved_kind

STACK = 10_000
RULES = (RebuyRule.FREE, RebuyRule.HOST, RebuyRule.TWO, RebuyRule.NEVER)


def home(rebuy: RebuyRule = RebuyRule.FREE, game_name: str = "holdem") -> TableSettings:
    """Return the settings of a game of table chips at 50/100."""
    usual = default_table_settings(game(game_name), HouseRules(), NewTableRequest(big_blind=100))
    return replace(usual, chips=ChipKind.TABLE, rebuy=rebuy, starting_stack=STACK, idle_minutes=0)


async def seated(evening: Evening, *names: str, rebuy: RebuyRule = RebuyRule.FREE, game_name: str = "holdem") -> None:
    await evening.open(home(rebuy, game_name))
    for seat, name in enumerate(names, 1):
        await evening.ask(name, tc.TakeSeat, STACK, seat)


def line(evening: Evening, name: str) -> Standing:
    return next(one for one in evening.snapshot.table.standings if one.player == USERS[name])


def require_apart(path: Path) -> None:
    """Check every transfer there has been: nothing passes between a book and a wallet, or between two books."""
    with opened(path) as db:
        for giver, taker, debit, credit in db.execute(
            "SELECT debit_kind, credit_kind, debit_table, credit_table FROM transfer"
        ):
            assert giver // 10 == taker // 10
            assert giver < 20 or debit == credit > 0


def sums_of_games(path: Path) -> dict[int, int]:
    """Return the sum of each game's book, by table."""
    with opened(path) as db:
        return dict(db.execute("SELECT table_id, sum(chips) FROM balance WHERE kind > 20 GROUP BY table_id"))


def left_of_games(path: Path) -> int:
    with opened(path) as db:
        return int(db.execute("SELECT count(*) FROM balance WHERE kind > 20").fetchone()[0])


async def all_in(evening: Evening) -> None:
    """Whoever acts goes all-in, and everybody else folds or calls, to the end of the hand."""
    await evening.deal()
    while evening.snapshot.hand_running:
        await evening.acts(f"{evening.to_act} is all-in")


async def folded(evening: Evening) -> None:
    await evening.deal()
    while evening.snapshot.hand_running:
        await evening.acts(f"{evening.to_act} folds")


@pytest.mark.law("TC-1", "TC-2", "TC-3")
async def test_home_game_from_the_first_chip_to_the_end(evening: Evening) -> None:
    await seated(evening, "Ann", "Bo", "Cy")
    await all_in(evening)
    broke = [seat.name for seat in evening.snapshot.table.seats if not seat.stack]
    assert broke
    for name in broke:
        await evening.ask(name, tc.TopUp, 0)
        assert line(evening, name).buy_ins == 2
    assert sum(one.net for one in evening.snapshot.table.standings) == 0
    await evening.audit()
    await evening.ask("Ann", tc.CloseTable)
    await evening.wait(1)
    assert left_of_games(evening.path) == 0
    for name in ("Ann", "Bo", "Cy"):
        assert (await evening.store.holdings(GUILD, USERS[name])).total == 0, "no wallet was opened"
    await evening.audit()


@pytest.mark.law("TC-1")
async def test_game_needs_no_chips_of_the_server(evening: Evening) -> None:
    await seated(evening, "Ann", "Bo")
    with opened(evening.path) as db:
        assert db.execute("SELECT count(*) FROM balance WHERE kind < 20").fetchone() == (0,)
        assert db.execute("SELECT count(*) FROM player_total").fetchone() == (0,)


@pytest.mark.law("TC-1")
def test_home_game_waits_through_a_long_break() -> None:
    rules = HouseRules()
    new = {kind: NewTableRequest(chips=kind) for kind in ChipKind}
    idle = {kind: default_table_settings(game("holdem"), rules, new[kind]).idle_minutes for kind in ChipKind}
    assert idle == {ChipKind.SERVER: rules.idle_close_minutes, ChipKind.TABLE: 12 * 60}
    never = replace(rules, idle_close_minutes=0)
    assert default_table_settings(game("holdem"), never, new[ChipKind.TABLE]).idle_minutes == 0


@pytest.mark.law("TC-1")
async def test_no_flow_of_chips_is_noted_for_young_accounts(evening: Evening) -> None:
    await seated(evening, "Ann", "Bo", "Cy")
    await all_in(evening)
    with opened(evening.path) as db:
        assert db.execute("SELECT count(*) FROM flow").fetchone() == (0,)


@pytest.mark.law("TC-1")
async def test_data_of_a_seated_player_is_not_deleted(evening: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(USERS, "Cy", 1_574_118_484_827_176_960)
    await seated(evening, "Ann", "Bo", "Cy")
    privacy = Privacy(evening.store, evening.tables, evening.clock, every_saved_kind())
    with pytest.raises(PersonSeated):
        await privacy.delete(evening.request("Cy"))
    await evening.audit()


@pytest.mark.law("TC-5")
async def test_taken_chips_come_back_after_a_restart(evening: Evening) -> None:
    await seated(evening, "Ann", "Bo", "Cy")
    await folded(evening)
    await evening.ask("Cy", tc.LeaveTable)
    taken = evening.snapshot.taken_away(USERS["Cy"])
    await evening.crash(7_200_000)
    with pytest.raises(StartingStackOnly):
        await evening.ask("Cy", tc.TakeSeat, taken + 1)
    await evening.ask("Cy", tc.TakeSeat, taken)
    assert line(evening, "Cy").buy_ins == 1
    await evening.audit()


@pytest.mark.law("TC-4")
async def test_question_to_the_host_survives_a_kill_and_goes_on(evening: Evening) -> None:
    await seated(evening, "Ann", "Bo", "Cy", rebuy=RebuyRule.HOST)
    await evening.deal()
    await evening.ask("Cy", tc.TopUp, 0)
    await evening.crash(2_000)
    assert [one.player for one in evening.snapshot.table.rebuy_questions] == [USERS["Cy"]]
    await evening.ask("Ann", tc.AnswerRebuy, USERS["Cy"], True)
    await evening.crash()
    assert evening.snapshot.table.rebuy_questions == ()
    assert next(seat for seat in evening.snapshot.table.seats if seat.name == "Cy").queued_top_up


@pytest.mark.law("TC-4")
async def test_host_who_vanishes_holds_nobody_up(evening: Evening) -> None:
    await seated(evening, "Ann", "Bo", "Cy", rebuy=RebuyRule.HOST)
    await all_in(evening)
    broke = [seat.name for seat in evening.snapshot.table.seats if not seat.stack]
    assert broke
    for name in broke:
        await evening.ask(name, tc.TopUp, 0)
    await evening.wait(310)
    assert evening.snapshot.table.rebuy_questions == ()
    assert [line(evening, name).buy_ins for name in broke] == [2] * len(broke)
    await evening.audit()


@pytest.mark.law("TC-6", "I-1")
async def test_cancelled_deal_stays_in_the_book(evening: Evening) -> None:
    await seated(evening, "Ann", "Bo", "Cy")
    await evening.deal()
    await evening.next_player_acts("raises to 900")
    await evening.ask("Ida", VoidHand("a spilt drink"), staff=True)
    assert {one.net for one in evening.snapshot.table.standings} == {0}
    await evening.audit()


@pytest.mark.law("TC-6")
async def test_carried_pot_goes_back_to_who_put_it_in(evening: Evening) -> None:
    await seated(evening, "Ann", "Bo", "Cy", game_name="jackpots")
    await evening.deal()
    while evening.snapshot.hand_running:
        await evening.acts(f"{evening.to_act} checks")
    assert evening.snapshot.table.carried_chips
    assert sum(one.net for one in evening.snapshot.table.standings) == 0
    await evening.ask("Bo", tc.LeaveTable)
    await evening.audit()
    await evening.ask("Ann", tc.CloseTable)
    await evening.wait(1)
    assert left_of_games(evening.path) == 0


def corrects(staff: bool = True, **changes: int) -> tc.CorrectChips:
    """What Ida corrects, by the names of the players."""
    shifts = tuple(StackChange(USERS[name], chips) for name, chips in changes.items())
    return tc.CorrectChips(USERS["Ida"], shifts, "Bo was paid twice", staff)


@pytest.mark.law("TC-6")
async def test_staff_correct_the_book_and_it_is_written_down(evening: Evening) -> None:
    await seated(evening, "Ann", "Bo", "Cy")
    await evening.ask("Ida", corrects(Ann=-500, Bo=500), staff=True)
    await evening.ask("Ida", corrects(Cy=-2_000), staff=True)
    await evening.ask("Cy", tc.LeaveTable)
    await evening.ask("Ida", corrects(Cy=300, Ann=-300), staff=True)
    assert {name: line(evening, name).net for name in ("Ann", "Bo", "Cy")} == {"Ann": -800, "Bo": 500, "Cy": 300}
    assert line(evening, "Cy").bought == STACK - 2_000
    await evening.audit()
    assert set(sums_of_games(evening.path).values()) == {0}
    told = [one.entry for one in await evening.store.staff_log(GUILD, after=0, limit=10)]
    assert [(entry.kind, entry.by, entry.reason) for entry in told] == [
        (StaffLogKind.CHIPS_CORRECTED, USERS["Ida"], "Bo was paid twice")
    ] * 3
    assert told[0].shifts == ((USERS["Ann"], -500), (USERS["Bo"], 500))
    require_apart(evening.path)


@pytest.mark.law("TC-6")
async def test_correction_that_waits_for_the_hand_survives_a_kill(evening: Evening) -> None:
    await seated(evening, "Ann", "Bo", "Cy")
    await evening.deal()
    await evening.ask("Ida", corrects(Ann=-500, Bo=500), staff=True)
    await evening.crash()
    assert line(evening, "Bo").net == 0
    while evening.snapshot.hand_running:
        await evening.acts(f"{evening.to_act} folds")
    told = [one.entry for one in await evening.store.staff_log(GUILD, after=0, limit=10)]
    assert [(entry.kind, entry.by) for entry in told] == [(StaffLogKind.CHIPS_CORRECTED, USERS["Ida"])]
    assert sum(one.net for one in evening.snapshot.table.standings) == 0
    await evening.audit()
    await evening.crash()
    await evening.audit()


@pytest.mark.law("TC-6")
async def test_only_staff_correct_the_book(evening: Evening) -> None:
    await seated(evening, "Ann", "Bo")
    with pytest.raises(StaffOnly):
        await evening.ask("Ann", corrects(staff=False, Ann=500))


@pytest.mark.law("TC-1")
async def test_table_that_cannot_be_read_ends_by_the_ledger(evening: Evening) -> None:
    await seated(evening, "Ann", "Bo", "Cy")
    await folded(evening)
    await evening.ask("Cy", tc.LeaveTable)
    await evening.deal()
    with opened(evening.path) as db:
        db.execute("UPDATE snapshot SET blob = ?", (b"\0",))
        db.commit()
    await evening.crash()
    assert evening.tables.all_tables() == ()
    assert left_of_games(evening.path) == 0
    await evening.audit()


@pytest.mark.law("TC-1")
async def test_closing_in_mid_hand_returns_bets_and_ends_the_game(evening: Evening) -> None:
    await seated(evening, "Ann", "Bo", "Cy")
    await evening.deal()
    await evening.next_player_acts("raises to 900")
    await evening.session.ask_as_dealer("close", void_hand_and_close(VoidReason.CHANNEL_GONE))
    assert left_of_games(evening.path) == 0
    await evening.audit()


@pytest.mark.law("TC-1", "TC-5")
async def test_deleted_person_leaves_the_book_at_zero(evening: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(USERS, "Cy", 1_574_118_484_827_176_960)
    await seated(evening, "Ann", "Bo", "Cy")
    await evening.deal()
    for _ in range(2):
        due = evening.snapshot.current_turn
        assert due is not None
        await evening.acts(f"{next(name for name, user in USERS.items() if user == due.user)} folds")
    await evening.ask("Cy", tc.LeaveTable)
    before = {one.player: one.net for one in evening.snapshot.table.standings}
    forgotten = await Privacy(evening.store, evening.tables, evening.clock, every_saved_kind()).delete(
        evening.request("Cy")
    )
    assert forgotten.chips == 0
    after = {one.player: (one.net, one.name) for one in evening.snapshot.table.standings}
    assert after[FIRST_FORMER_PLAYER] == (before[USERS["Cy"]], "")
    await evening.audit()
    await evening.crash()
    await evening.audit()
    await evening.ask("Ann", tc.CloseTable)
    await evening.wait(1)
    assert left_of_games(evening.path) == 0


@pytest.mark.law("TC-8")
async def test_host_alone_practises_until_somebody_comes(tmp_path: Path) -> None:
    evening = await Evening(tmp_path, policies=PracticePlayers()).begin()
    try:
        await seated(evening, "Ann")
        await evening.ask("Ann", SeatPracticePlayers(5))
        assert [seat.practice for seat in evening.snapshot.table.seats] == [False, True], "one until somebody comes"
        await evening.deal()
        await evening.audit()
        await evening.ask("Bo", tc.TakeSeat, STACK)
        await evening.wait(120)
        assert {seat.name for seat in evening.snapshot.table.seats} == {"Ann", "Bo"}
        assert [one.bought for one in evening.snapshot.table.standings] == [STACK, STACK]
        await evening.audit()
        await evening.ask("Ann", tc.CloseTable)
        await evening.wait(120)
        assert left_of_games(evening.path) == 0
    finally:
        await evening.end()


class AnyGame(Machine):
    """Random evenings for table chips, with kills: wallets stay as they were, and every book is at zero after every request."""

    async def _open(self) -> None:
        self._hands_before = self.hands
        rng = self.rng
        await self.evening.open(replace(any_settings(rng), chips=ChipKind.TABLE, rebuy=rng.choice(RULES)))
        self.wallets = await self._holdings()

    async def _holdings(self) -> list[PlayerHoldings]:
        return [
            await self.evening.store.holdings(GUILD, user, book) for book in WALLET_BOOKS for user in USERS.values()
        ]

    async def _request(self, ask: Callable[[], Awaitable[object]]) -> None:
        if self.evening.to_act.startswith("bot"):  # practice players think for themselves
            await self.evening.wait(5)
        else:
            with suppress(KeyError):  # a practice player asks for nothing
                await super()._request(ask)

    def _requests(self, name: str) -> list[Callable[[], Awaitable[object]]]:
        rng, evening = self.rng, self.evening
        chips = evening.snapshot.buy_in(USERS[name], evening.clock.now()).minimum
        other = USERS[rng.choice(NAMES[:8])]
        return [
            *super()._requests(name),
            lambda: evening.ask(name, tc.TakeSeat, chips),
            lambda: evening.ask(name, tc.TakeSeat, chips),
            lambda: evening.ask(name, tc.TakeSeat, chips),
            lambda: evening.ask(name, tc.TopUp, 0),
            lambda: evening.ask(name, tc.TopUp, 0),
            lambda: evening.ask(name, tc.AskForRebuy),
            lambda: evening.ask(name, tc.AnswerRebuy, other, rng.random() < 0.7),
            lambda: evening.ask("Ida", tc.RemovePlayer(USERS["Ida"], other, staff=True), staff=True),
            lambda: evening.ask("Ann", SeatPracticePlayers(1)),
            lambda: self._correct((other, chips // 3), (USERS[name], -(chips // 3))),
            lambda: self._correct((other, rng.choice((-1, 1)) * chips // 4)),
        ]

    async def _correct(self, *changes: tuple[int, int]) -> None:
        shifts = tuple(StackChange(user, by) for user, by in changes)
        await self.evening.ask("Ida", tc.CorrectChips(USERS["Ida"], shifts, "miscounted", staff=True), staff=True)

    async def check(self) -> None:
        await super().check()
        evening = self.evening
        assert set(sums_of_games(evening.path).values()) <= {0}
        assert await evening.store.ledger_sum() == 0
        if evening.tables.all_tables():
            table = evening.session.state.table
            if all(not seat.practice for seat in table.seats):
                assert sum(one.net for one in standings(table)) == 0
        else:
            assert left_of_games(evening.path) == 0
        assert await self._holdings() == self.wallets


@pytest.mark.law("TC-1", "TC-6")
@pytest.mark.parametrize("seed", range(2))
async def test_random_games_keep_their_books_at_zero(tmp_path: Path, seed: int) -> None:
    machine = AnyGame(tmp_path, seed)
    await machine.play(60)
    require_apart(machine.evening.path)
    assert machine.restarts > 0

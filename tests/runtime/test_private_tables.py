"""Private tables: who finds them and what was played there; and the host removing somebody, over kills."""

import random
from contextlib import suppress
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from bot.engine import commands as c
from bot.engine.errors import TableError
from bot.runtime.commands import PlayerCommand
from bot.runtime.errors import NoHandYet, NoSuchTable, TableGone
from bot.runtime.guests import TableGuests
from bot.runtime.privacy import Privacy
from bot.runtime.request import Request
from bot.table.commands import (
    CloseTable,
    ComeBack,
    InvitePlayers,
    JoinWaitingList,
    LeaveTable,
    RemovePlayer,
    SitOut,
    TakeSeat,
)
from bot.table.refusals import KeptOutOfTable, NotInvited
from tests.runtime.evening import CHANNEL, GUILD, USERS, Evening, settings
from tests.support.engines import dump
from tests.support.saved_kinds import every_saved_kind


async def private_evening(tmp_path: Path, *invited: str) -> Evening:
    evening = await Evening(tmp_path).begin()
    guests = TableGuests(private=True, invited=tuple(USERS[name] for name in invited))
    outcome = await evening.tables.open(evening.request("Ann"), settings(pause_seconds=1), guests)
    evening.table = outcome.snapshot.id
    return evening


async def play_a_hand(evening: Evening) -> None:
    await evening.deal()
    while evening.playing():
        await evening.next_player_acts("folds")


async def test_strangers_find_nothing_of_a_private_table(tmp_path: Path) -> None:
    evening = await private_evening(tmp_path, "Bo")
    try:
        await evening.seat(Ann=10_000, Bo=10_000)
        await play_a_hand(evening)
        cy, bo, staff = evening.request("Cy"), evening.request("Bo"), evening.request("Ida", staff=True)
        tables = evening.tables
        assert tables.tables_seen_by(cy) == () == tables.public_tables(GUILD)
        assert [one.id for one in tables.tables_seen_by(bo)] == [evening.table]
        assert [one.id for one in tables.tables_seen_by(staff)] == [evening.table]
        with pytest.raises(NoSuchTable) as missing:
            tables.table_numbered(cy, 1)
        assert missing.value.known == (), "its number is not named either"
        await refused(evening, cy, NotInvited)
        await evening.ask("Ann", InvitePlayers, (USERS["Cy"],))
        assert tables.table_numbered(cy, 1).id == evening.table
        assert (await tables.find_hand(cy, 1, 1)) == (evening.table, 1), "the hands before the invitation too"
    finally:
        await evening.end()


async def refused(evening: Evening, stranger: Request, error: type[TableError]) -> None:
    """Check that somebody gets nothing out of the table, by channel, id and number."""
    tables = evening.tables
    with pytest.raises(error):
        tables.table_for(stranger)
    for channel, refusal in ((CHANNEL, error), (1, TableGone)):  # elsewhere, somebody has made up the button
        with pytest.raises(refusal):
            press = Request(key="", guild=GUILD, channel=channel, user=stranger.user, table=evening.table)
            tables.require_may_press(press)
    with pytest.raises(error):
        await tables.read_hand_log(stranger, 1)
    with pytest.raises(error):
        await tables.read_hand_record(stranger, 1)
    with pytest.raises(error):
        await tables.read_replay(stranger, 1)
    for command in (TakeSeat(stranger.user, "x", 10_000), JoinWaitingList(stranger.user, "x")):
        with pytest.raises(error):
            await tables.ask(stranger, command)
    with pytest.raises(NoSuchTable):
        await tables.find_hand(stranger, 1, 1)
    with pytest.raises(NoSuchTable):
        await tables.read_public_hand(stranger, evening.table, 1)
    assert (await evening.store.holdings(GUILD, stranger.user)).total == 0, "no wallet is opened for nothing"


async def test_closed_private_table_keeps_its_hands_from_strangers(tmp_path: Path) -> None:
    evening = await private_evening(tmp_path, "Bo")
    try:
        await evening.seat(Ann=10_000, Bo=10_000)
        await play_a_hand(evening)
        await evening.ask("Ann", CloseTable)
        cy, bo, staff = evening.request("Cy"), evening.request("Bo"), evening.request("Ida", staff=True)
        assert await evening.tables.find_hand(bo, 1) == (evening.table, 1)
        assert (await evening.tables.read_public_hand(staff, evening.table, 1)).number == 1
        knows = [await evening.tables.can_know_of(who, evening.table, 1) for who in (bo, staff, cy)]
        assert knows == [True, True, False]
        assert not await evening.tables.can_know_of(replace(bo, guild=GUILD + 1), evening.table, 1)
        assert not await evening.tables.can_know_of(bo, evening.table + 1, 1), "there is no such table"
        named = replace(cy, table=evening.table)
        assert await evening.tables.read_replays(cy, [(evening.table, 1)]) == (None,)
        for find in (
            evening.tables.find_hand(cy, 1),
            evening.tables.read_public_hand(cy, evening.table, 1),
            evening.tables.read_hand_log(named, 1),
            evening.tables.read_hand_record(cy, 1),
            evening.tables.read_replay(named, 1),
        ):
            with pytest.raises(NoSuchTable):
                await find
    finally:
        await evening.end()


async def test_invitation_and_removal_outlive_a_kill(tmp_path: Path) -> None:
    """Killed right after the invitation, right after the removal in the middle of a hand, and at its end."""
    evening = await private_evening(tmp_path)
    try:
        await evening.ask("Ann", InvitePlayers, (USERS["Bo"], USERS["Cy"]))
        await evening.crash()
        await evening.seat(Ann=10_000, Bo=10_000, Cy=10_000)
        await evening.deal()
        await evening.ask("Ann", removal("Ann", USERS["Bo"]))
        await evening.crash()
        assert evening.tables.table_for(evening.request("Bo")).id == evening.table, "their hand goes on"
        while evening.playing():
            await evening.next_player_acts("folds")
        await evening.crash()
        bo = evening.request("Bo")
        with pytest.raises(KeptOutOfTable):
            await evening.tables.ask(bo, TakeSeat(bo.user, "Bo", 10_000))
        with pytest.raises(KeptOutOfTable):
            evening.tables.table_for(bo)
        assert "Bo" not in evening.stacks()
        paid = await evening.bank.holdings(GUILD, bo.user)
        assert paid.on_tables == 0 and paid.wallet >= 9_900
        await evening.deal()
        while evening.playing():
            await evening.next_player_acts("folds")
        assert await evening.tables.find_hand(bo, 1, 1) == (evening.table, 1), (
            "the hand they were in stays theirs to see"
        )
        with pytest.raises((NoSuchTable, NoHandYet)):
            await evening.tables.find_hand(bo, 1, 2)
        await evening.audit()
    finally:
        await evening.end()


@pytest.mark.law("TL-40")
async def test_host_folds_nobodys_hand(tmp_path: Path) -> None:
    """Whoever is removed at their turn plays on, wins the pot, and takes all of it along."""
    evening = await Evening(tmp_path).begin()
    try:
        await evening.open(settings(pause_seconds=1))
        await evening.seat(Ann=10_000, Bo=10_000, Cy=10_000)
        await evening.deal()
        removed = next(name for name in ("Bo", "Cy") if name != evening.to_act)
        while evening.to_act != removed:
            await evening.next_player_acts("calls")
        await evening.ask("Ann", removal("Ann", USERS[removed]))
        assert evening.to_act == removed
        await evening.acts(f"{removed} raises to 3000")
        while evening.playing():
            await evening.next_player_acts("folds")
        assert removed not in evening.stacks()
        assert (await evening.bank.holdings(GUILD, USERS[removed])).wallet > 10_000
        await evening.audit()
    finally:
        await evening.end()


async def test_staff_removal_is_written_down_and_the_hosts_is_not(tmp_path: Path) -> None:
    evening = await Evening(tmp_path).begin()
    try:
        await evening.open(settings(pause_seconds=1))
        await evening.seat(Ann=10_000, Bo=10_000, Cy=10_000)
        before = len(await evening.store.staff_log(GUILD, after=0, limit=50))
        await evening.ask("Ann", removal("Ann", USERS["Bo"]))
        assert len(await evening.store.staff_log(GUILD, after=0, limit=50)) == before
        await evening.tables.ask(evening.request("Ida", staff=True), removal("Ida", USERS["Cy"], staff=True))
        lines = await evening.store.staff_log(GUILD, after=0, limit=50)
        assert [line.entry.about for line in lines[before:]] == [USERS["Cy"]]
    finally:
        await evening.end()


@pytest.mark.parametrize("seed", range(4))
async def test_random_evening_with_guests(tmp_path: Path, seed: int) -> None:
    """People are invited and removed at random, sit, act and leave, and the dealer is killed now and then. No chip is lost, and whoever
    is removed or not invited neither sits there between hands nor knows of the table."""
    dice = random.Random(seed)
    evening = await private_evening(tmp_path, "Bo", "Cy")
    try:
        for name in ("Ann", "Bo", "Cy", "Dee", "Eve"):
            await evening.fund(name, 10_000)
        for _ in range(400):
            someone, other = dice.sample(("Ann", "Bo", "Cy", "Dee", "Eve"), 2)
            match dice.randrange(9):
                case 0:
                    await tried(evening, "Ann", InvitePlayers(USERS["Ann"], (USERS[other],)))
                case 1:
                    await tried(evening, "Ann", removal("Ann", USERS[other]))
                case 2 | 3 | 4:
                    await tried(evening, someone, TakeSeat(USERS[someone], someone, 2_000))
                case 5:
                    await tried(evening, someone, dice.choice((LeaveTable, ComeBack, SitOut))(USERS[someone]))
                case 6 if dice.random() < 0.3:
                    await evening.crash()
                case _ if evening.playing():
                    await tried(evening, evening.to_act, dice.choice((c.Call(), c.Check(), c.Fold(), c.AllIn())))
                case _:
                    await evening.wait(2)
            table = evening.session.state.table
            seated = {seat.player for seat in table.seats}
            if table.running_hand is None:
                assert seated.isdisjoint(table.kept_out)
            for name, user in USERS.items():
                knows = evening.table in {one.id for one in evening.tables.tables_seen_by(evening.request(name))}
                assert knows is (
                    user == USERS["Ann"] or user in table.invited or user in seated or table.dealt_in(user)
                )
        await evening.audit()
    finally:
        await evening.end()


def removal(name: str, user: int, *, staff: bool = False) -> RemovePlayer:
    """Return the command of a host, or of staff, who keep somebody out of the table."""
    return RemovePlayer(USERS[name], user, staff, keep_out=True)


async def tried(evening: Evening, name: str, command: PlayerCommand) -> None:
    """Ask for something that may be refused."""
    with suppress(TableError):
        await evening.ask(name, command)


async def test_guest_takes_along_and_deletes_that_they_were_invited(tmp_path: Path) -> None:
    evening = await private_evening(tmp_path)
    guest = 1 << 50
    try:
        await evening.ask("Ann", InvitePlayers, (guest,))
        await evening.store.keep(f"room.{evening.table}", msgspec.msgpack.encode({"members": [guest]}))
        await evening.ask("Ann", removal("Ann", guest))
        privacy = Privacy(evening.store, evening.tables, evening.clock, every_saved_kind())
        assert (await privacy.gather(GUILD, guest)).preferences == {"private_tables": "1"}
        await privacy.delete(Request(key="delete", guild=GUILD, channel=1, user=guest))
        while await evening.store.deletions():
            await evening.wait(1)
        assert not any(str(guest) in line for line in dump(evening.path))
        assert all(guest not in (*table.invited, *table.kept_out) for table in [evening.session.state.table])
    finally:
        await evening.end()

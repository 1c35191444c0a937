"""Private tables, and the host removing somebody."""

from bot.table import commands as c
from bot.table import events as e
from bot.table import refusals
from bot.table.queries import admits, host_of
from bot.table.state import AfterHand, SeatStatus
from bot.table.view import view_table
from tests.table.evening import Evening, player_id, settings

ANN, BO, CY, DI = (player_id(name) for name in ("Ann", "Bo", "Cy", "Di"))


def private(*invited: int) -> Evening:
    evening = Evening()
    evening.state, evening.journal = None, []
    evening.ask(c.OpenTable(ANN, settings(), private=True, invited=invited))
    return evening


def test_only_invited_people_sit_at_a_private_table() -> None:
    evening = private(BO)
    evening.sit_all(Ann=1, Bo=2)
    uninvited = c.TakeSeat(CY, "Cy", 10_000)
    assert evening.refuses(uninvited, refusals.NotInvited).value.host == ANN
    evening.refuses(c.NameSubstitute(BO, CY), refusals.NotInvited)
    evening.ask(c.InvitePlayers(ANN, (CY, CY, BO)))
    evening.sit("Cy", 3)
    evening.play_hand()
    evening.assert_replays()


def test_only_host_or_staff_invite() -> None:
    evening = private(BO)
    evening.sit_all(Ann=1, Bo=2)
    evening.refuses(c.InvitePlayers(BO, (CY,)), refusals.HostOnly)
    evening.ask(c.InvitePlayers(DI, (CY,), staff=True))
    assert admits(evening.table, CY)
    assert not admits(evening.table, DI), "staff are not invited by being staff"


def test_uninvited_cannot_wait_for_a_seat() -> None:
    evening = Evening()
    evening.state, evening.journal = None, []
    evening.ask(c.OpenTable(ANN, settings(), private=True))
    evening.refuses(c.JoinWaitingList(BO, "Bo"), refusals.NotInvited)


def test_table_takes_so_many_invitations() -> None:
    evening = private()
    evening.ask(c.InvitePlayers(ANN, tuple(range(1, 101))))
    evening.refuses(c.InvitePlayers(ANN, (101,)), refusals.TooManyInvited)
    assert evening.ask(c.InvitePlayers(ANN, (100, 1))) == ()


def test_open_table_needs_no_invitations() -> None:
    evening = Evening()
    evening.refuses(c.InvitePlayers(ANN, (BO,)), refusals.OpenToEverybody)


def test_host_removes_player_at_once_between_hands() -> None:
    evening = Evening()
    evening.sit_all(Ann=1, Bo=2)
    left = next(event for event in evening.ask(c.RemovePlayer(ANN, BO, keep_out=True)) if isinstance(event, e.SeatLeft))
    assert left == e.SeatLeft(2, BO, 10_000, evening.now, e.LeaveReason.KEPT_OUT)
    assert evening.refuses(c.TakeSeat(BO, "Bo", 10_000), refusals.KeptOutOfTable).value.host == ANN
    evening.refuses(c.JoinWaitingList(BO, "Bo"), refusals.KeptOutOfTable)
    evening.assert_replays()


def test_removed_player_finishes_the_hand_and_cannot_stay() -> None:
    evening = Evening()
    evening.sit_all(Ann=1, Bo=2, Cy=3)
    evening.begin_hand()
    evening.ask(c.RemovePlayer(ANN, BO, keep_out=True))
    assert evening.seat("Bo").after_hand is AfterHand.STAY, "no host folds their hand"
    assert view_table(evening.table).seats[1].after_hand is AfterHand.LEAVE, "but everybody sees that they leave"
    for staying in (c.ComeBack(BO), c.TopUp(BO, 500)):
        evening.refuses(staying, refusals.KeptOutOfTable)
    evening.end_hand({"Bo": 300})
    left = next(event for event in evening.journal if isinstance(event, e.SeatLeft))
    assert (left.player, left.reason) == (BO, e.LeaveReason.KEPT_OUT)
    assert not evening.is_seated("Bo")
    evening.assert_replays()


def test_removed_player_who_was_leaving_anyway_cannot_come_back() -> None:
    evening = Evening()
    evening.sit_all(Ann=1, Bo=2)
    evening.begin_hand()
    evening.leave("Bo")
    assert evening.ask(c.RemovePlayer(ANN, BO, keep_out=True)) == (e.PlayerKeptOut(BO, evening.now),)
    assert evening.ask(c.RemovePlayer(ANN, BO, keep_out=True)) == (), "asked twice, done once"
    evening.end_hand()
    evening.refuses(c.TakeSeat(BO, "Bo", 10_000), refusals.KeptOutOfTable)


def test_invitation_lets_removed_player_come_back() -> None:
    evening = Evening()
    evening.sit_all(Ann=1, Bo=2)
    evening.ask(c.RemovePlayer(ANN, BO, keep_out=True))
    evening.ask(c.InvitePlayers(ANN, (BO,)))
    evening.sit("Bo", 2)
    assert evening.seat("Bo").status is not SeatStatus.SITTING_OUT


def test_waiting_player_is_removed_from_the_list() -> None:
    evening = Evening()
    evening.sit_all(**{name: at for at, name in enumerate(("Ann", "Bo", "C", "D", "E", "F", "G", "H", "I", "J"), 1)})
    evening.ask(c.JoinWaitingList(DI, "Di"))
    evening.ask(c.RemovePlayer(ANN, DI, keep_out=True))
    assert not evening.table.waiting
    evening.refuses(c.JoinWaitingList(DI, "Di"), refusals.KeptOutOfTable)


def test_only_host_or_staff_remove_and_nobody_removes_the_host() -> None:
    evening = Evening()
    evening.sit_all(Ann=1, Bo=2, Cy=3)
    evening.refuses(c.RemovePlayer(BO, CY, keep_out=True), refusals.HostOnly)
    for by, host_or_self, staff in ((ANN, ANN, False), (BO, ANN, True), (BO, BO, True)):
        evening.refuses(c.RemovePlayer(by, host_or_self, staff, keep_out=True), refusals.CannotKeepOut)
    evening.refuses(c.RemovePlayer(ANN, DI, keep_out=True), refusals.NotAtTable)
    evening.ask(c.RemovePlayer(BO, CY, staff=True, keep_out=True))
    assert not evening.is_seated("Cy")


def test_next_host_keeps_order_too() -> None:
    evening = private(BO, CY)
    evening.sit_all(Ann=1, Bo=2, Cy=3)
    evening.leave("Ann")
    assert host_of(evening.table) == BO
    evening.ask(c.RemovePlayer(BO, CY, keep_out=True))
    evening.ask(c.InvitePlayers(BO, (DI,)))
    assert admits(evening.table, ANN), "who opened the table can come back"

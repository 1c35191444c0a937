"""A table between hands: who sits, what is open, how one comes in (ui §5 a)."""

import pytest
from msgspec.structs import replace

from bot.engine.stakes import Stakes
from bot.render import ids, lobby
from bot.render.ids import FormPress, Press, Verb
from bot.render.limits import check, form_faults
from bot.render.panel import Buttons, Select
from bot.render.plain import plain, plain_form
from bot.render.scene import Person
from bot.table.events import CloseReason
from bot.table.settings import TableSettings, playing
from bot.table.state import ChipShift, Entry, Mixed, Positions, Proposal, Seat, SeatState, Table, Waiting
from bot.table.view import TableView, view
from bot.variants import rotation
from bot.variants.holdem import LIMIT_HOLDEM, NO_LIMIT_HOLDEM
from bot.variants.mixes import HORSE

STAKES = Stakes(small_blind=50, big_blind=100, turn_seconds=30, bank_seconds=60)
SETTINGS = TableSettings(card=NO_LIMIT_HOLDEM, options=replace(NO_LIMIT_HOLDEM.options, max_seats=9), stakes=STAKES)


def seat(number: int, name: str, stack: int, **more: object) -> Seat:
    return replace(Seat(number=number, player=100 + number, name=name, stack=stack, seated_at=number), **more)


def table(*seats: Seat, **changes: object) -> TableView:
    base = Table(settings=SETTINGS, opener=101, opened_at=1, active_at=1, seated_at=1, seats=seats)
    return view(replace(base, **changes), 3)


FOUR = (
    seat(1, "Mia", 10_000),
    seat(2, "bob_the_builder", 15_000),
    seat(4, "Ayşe", 20_000, state=SeatState.OUT),
    seat(7, "river_rat", 12_500),
)


def test_an_open_table() -> None:
    """Mock-up 03."""
    panel = check(lobby.lobby_panel(77, table(*FOUR)))
    assert plain(panel) == (
        "### Table 3 · No-Limit Hold'em\n"
        "Blinds **50/100** · buy-in **2,000–20,000** · 30 s per action\n"
        "-# Host Mia · 4 of 9 seats taken\n"
        "———\n"
        "`1`\u00a0Mia  **10,000**\n"
        "`2`\u00a0bob\\_the\\_builder  **15,000**\n"
        "`4`\u00a0Ayşe  **20,000** · sitting out\n"
        "`7`\u00a0river\\_rat  **12,500**\n"
        "-# Open seats: 3, 5, 6, 8, 9\n"
        "[+Take a seat] [Buy-in…] [Rules]\n"
        "[I'm back] [Sit out] [Leave]\n"
        "[Choose a seat number… ▾] Seat 3 | Seat 5 | Seat 6 | Seat 8 | Seat 9"
    )


def test_every_id_carries_table_and_hand() -> None:
    panel = lobby.lobby_panel(77, table(*FOUR, hands=12))
    pressed = [ids.parse(one.custom_id) for row in panel.blocks if isinstance(row, Buttons) for one in row.buttons]
    pressed += [ids.parse(row.custom_id) for row in panel.blocks if isinstance(row, Select)]
    assert len(pressed) == 7
    assert all(isinstance(one, Press) and (one.table, one.hand) == (77, 12) for one in pressed)


def test_an_empty_table_waits_for_players() -> None:
    text = plain(check(lobby.lobby_panel(77, table())))
    assert "0 of 9 seats taken" in text
    assert "-# Waiting for 2 players" in text
    assert "Leave" not in text


def test_a_full_table_has_a_waiting_list() -> None:
    seats = tuple(seat(number, f"P{number}", 5_000) for number in range(1, 10))
    text = plain(check(lobby.lobby_panel(77, table(*seats, waiting=(Waiting(5, "Zoë *", 1), Waiting(6, "Kim", 2))))))
    assert "[+Waiting list]" in text
    assert "-# Waiting list: Zoë \\*, Kim" in text
    assert "Choose a seat" not in text


def test_what_is_due_and_owed_is_told() -> None:
    seats = (
        seat(1, "Mia", 0, queued=4_000),
        seat(2, "Bo", 900, owes_small=True, owes_big=True, state=SeatState.WAITING),
        seat(3, "Robo", 5_000, practice=True),
    )
    text = plain(lobby.lobby_panel(77, table(*seats, next_hand_at=1_800_000_000_500, carried=150)))
    assert "`1`\u00a0Mia  **0** · no chips · adds 4,000 next hand" in text
    assert "`2`\u00a0Bo  **900** · waiting for the big blind · owes 150" in text
    assert "`3`\u00a0Robo  **5,000** · practice player" in text
    assert "-# Next hand <t:1800000001:R>" in text
    assert "-# 150 in the pot from the last deal" in text


def test_a_proposal_names_who_has_not_agreed() -> None:
    shifts = (ChipShift(101, 500), ChipShift(102, -500))
    asked = Proposal(player=101, at=1, shifts=shifts, consents=(101,))
    text = plain(check(lobby.lobby_panel(77, table(*FOUR, proposal=asked))))
    assert "**Mia proposes an adjustment:** Mia +500, bob\\_the\\_builder −500" in text
    assert "Missing: bob\\_the\\_builder, Ayşe, river\\_rat" in text
    assert "[+Agree] [Object]" in text
    agreed = Proposal(player=101, at=1, shifts=shifts, consents=tuple(seat.player for seat in FOUR))
    text = plain(check(lobby.lobby_panel(77, table(*FOUR, proposal=agreed))))
    assert "-# Everybody seated has agreed: it is done after this hand." in text


def test_a_dead_button_is_shown_at_its_empty_seat() -> None:
    text = plain(lobby.lobby_panel(77, table(*FOUR, positions=Positions(button=3, small=4, big=7))))
    assert "-# Dealer button at seat\u00a03\n" in text
    there = plain(lobby.lobby_panel(77, table(*FOUR, positions=Positions(button=7, small=1, big=2))))
    assert "river\\_rat (dealer)" in there


def test_limit_stakes_are_told_as_bets() -> None:
    settings = TableSettings(card=LIMIT_HOLDEM, options=LIMIT_HOLDEM.options, stakes=STAKES)
    text = plain(check(lobby.lobby_panel(77, table(settings=settings))))
    assert "Blinds **50/100** · bets **100/200** · buy-in **2,000–20,000**" in text


def test_fourteen_seats_of_the_longest_names() -> None:
    options = replace(NO_LIMIT_HOLDEM.options, max_seats=14)
    seats = tuple(seat(number, "*_" * 16, 10**12, state=SeatState.WAITING, owes_big=True) for number in range(1, 14))
    waiting = tuple(Waiting(number, "*_" * 16, 1) for number in range(10))
    asked = Proposal(player=101, at=1, shifts=(ChipShift(101, 10**11), ChipShift(102, -(10**11))))
    check(
        lobby.lobby_panel(
            2**53,
            table(*seats, settings=replace(SETTINGS, options=options), waiting=waiting, proposal=asked, hands=10**6),
        )
    )


def test_the_buy_in_form() -> None:
    form = lobby.buy_in_form(77, table(*FOUR), 555, wallet=15_000, least=2_000, most=20_000, seat=3)
    assert form_faults(form) == ()
    assert plain_form(form) == (
        "== Take seat 3 ==\n"
        "Chips to sit down with:\n"
        "  2,000–20,000. You have 15,000.\n"
        "  [____]\n"
        "…or pick a number:\n"
        "  ( ) Least · 2,000\n"
        "  ( ) 40 big blinds · 4,000\n"
        "  ( ) 100 big blinds · 10,000\n"
        "  ( ) Most · 15,000"
    )
    assert ids.parse(form.custom_id) == FormPress(77, 0, 0, Verb.BUY_IN, 555, 3)


def test_who_has_too_little_still_gets_a_form_to_read() -> None:
    form = lobby.buy_in_form(77, table(*FOUR), 555, wallet=100, least=2_000, most=20_000)
    assert form_faults(form) == ()
    assert "You have 100." in plain_form(form)


def test_sitting_down_says_which_way_the_cards_come() -> None:
    shown = table(*FOUR)
    assert plain(check(lobby.seated_panel(77, shown, shown.seats[0], by_dm=True))) == (
        "You are in seat 1 with **10,000** chips.\n"
        "Your cards come by DM, and by **Peek** on the table message.\n"
        "[Stop sending DMs]"
    )
    assert "Send DMs too" in plain(check(lobby.seated_panel(77, shown, shown.seats[0], by_dm=False)))


@pytest.mark.law("VC-28", "TL-10")
def test_what_is_owed_waits_while_a_game_without_blinds_is_played() -> None:
    mixture = rotation(HORSE)
    waiting = seat(1, "Mia", 10_000, state=SeatState.WAITING, owes_big=True, owes_small=True)
    for place, said in ((0, "You play from your big blind on."), (2, "the 150 you owe wait for the next game with")):
        settings = playing(replace(SETTINGS, rotation=mixture), mixture.games[place])
        view = table(waiting, settings=settings, mixed=Mixed(place=place))
        assert said in lobby.comes_in(view, view.seats[0])


def test_who_owes_blinds_is_asked_how_to_come_in() -> None:
    panel = check(lobby.entry_question(77, table(*FOUR), 100, 50, (Entry.WAIT, Entry.POST, Entry.BUY_BUTTON)))
    assert plain(panel) == (
        "You owe **150** in blinds, 50 of it dead. How do you come in?\n"
        "-# Law TL-10\n"
        "[…Post 150] [+Wait for big blind] [Buy the button]"
    )


def test_the_list_of_tables() -> None:
    assert plain(check(lobby.tables_panel([(table(*FOUR), 555)]))) == (
        "### Tables\n`3`\u00a0**No-Limit Hold'em** 50/100 · 4 of 9 seats · <#555>"
    )
    assert "No table is open here." in plain(lobby.tables_panel([]))
    assert "-# and 30 more" in plain(check(lobby.tables_panel([(table(), 2**63)] * 50)))


def test_a_closed_table_says_so() -> None:
    assert plain(check(lobby.closed_panel(table(hands=1284), CloseReason.IDLE))) == (
        "### Table 3 is closed\nIt was idle. Everybody has been paid out.\n-# No-Limit Hold'em · 1,284 hands were dealt"
    )


def test_people_are_who_sits_where() -> None:
    assert lobby.people(table(FOUR[0], seat(3, "Robo", 5, practice=True))) == {
        1: Person("Mia", 101),
        3: Person("Robo", 0),
    }


def test_table_info_has_no_buttons() -> None:
    panel = check(lobby.info_panel(table(*FOUR), "Hand #12 is being played"))
    assert not any(isinstance(block, Buttons) for block in panel.blocks)
    assert plain(panel).endswith(
        "-# 30 s per action · time bank 1 min · next hand after 6 s · closes after 10 min idle\n-# Hand #12 is being played"
    )

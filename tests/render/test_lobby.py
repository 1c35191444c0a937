"""The lobby shows who is seated, which seats are free, and how players join."""

import pytest
from msgspec.structs import replace

from bot.engine.stakes import Stakes
from bot.render.message import custom_ids
from bot.render.message.custom_ids import FormSubmission, Press
from bot.render.message.panel import Buttons, Panel, Select
from bot.render.table import lobby
from bot.render.table.way_on import break_wanted_blocks
from bot.table.settings import TableSettings, settings_for_game
from bot.table.state import (
    EntryMethod,
    Positions,
    Proposal,
    RotationState,
    Seat,
    SeatStatus,
    StackChange,
    Table,
    TableBreak,
    WaitingPlayer,
)
from bot.table.view import TableView, view_table
from bot.text.buttons import Verb
from bot.text.introductions import introduction
from bot.text.lobby import entry_note
from bot.variants import mix_rotation
from bot.variants.holdem import LIMIT_HOLDEM, NO_LIMIT_HOLDEM
from bot.variants.mixes import HORSE
from tests.support.message_limits import form_faults, within_limits
from tests.support.panel_text import form_as_text, panel_as_text

STAKES = Stakes(small_blind=50, big_blind=100, turn_seconds=30, bank_seconds=60)
SETTINGS = TableSettings(
    rule_card=NO_LIMIT_HOLDEM, options=replace(NO_LIMIT_HOLDEM.options, max_seats=9), stakes=STAKES
)


def seat(number: int, name: str, stack: int, **more: object) -> Seat:
    return replace(Seat(number=number, player=100 + number, name=name, stack=stack, seated_at=number), **more)


def table(*seats: Seat, **changes: object) -> TableView:
    base = Table(settings=SETTINGS, opened_by=101, opened_at=1, active_at=1, seated_at=1, seats=seats)
    return view_table(replace(base, **changes), 3)


def lobby_text(*seats: Seat, **changes: object) -> str:
    return panel_as_text(within_limits(lobby.lobby_panel(77, table(*seats, **changes))))


FOUR = (
    seat(1, "Mia", 10_000),
    seat(2, "bob_the_builder", 15_000),
    seat(4, "Ayşe", 20_000, status=SeatStatus.SITTING_OUT),
    seat(7, "river_rat", 12_500),
)


def test_an_open_table() -> None:
    """The next hand comes by itself, so nothing is green: a newcomer can join, and nobody else has to press anything."""
    panel = within_limits(lobby.lobby_panel(77, table(*FOUR, next_hand_at=1_800_000_000_500)))
    assert panel_as_text(panel) == (
        "### Table 3 · No-Limit Hold'em\n"
        "Blinds **50/100** · buy-in **2,000–20,000** · 30 s per action\n"
        "-# Host Mia · 4 of 9 seats taken\n"
        f"{introduction(NO_LIMIT_HOLDEM)}\n"
        "———\n"
        "`1`\u00a0Mia  **10,000**\n"
        "`2`\u00a0bob\\_the\\_builder  **15,000**\n"
        "`4`\u00a0Ayşe  **20,000** · sitting out\n"
        "`7`\u00a0river\\_rat  **12,500**\n"
        "-# Free seats: 3, 5, 6, 8, 9\n"
        "Next hand <t:1800000001:R>\n"
        "[Buy-in…] [Rules]\n"
        "[Sit out] [Leave] [I'm back] [Join table]\n"
        "[Choose a seat number… ▾] Seat 3 | Seat 5 | Seat 6 | Seat 8 | Seat 9"
    )


def test_every_id_carries_table_and_hand() -> None:
    panel = lobby.lobby_panel(77, table(*FOUR, hands_dealt=12, next_hand_at=5))
    pressed = [
        custom_ids.parse_custom_id(one.custom_id)
        for row in panel.blocks
        if isinstance(row, Buttons)
        for one in row.buttons
    ]
    pressed += [custom_ids.parse_custom_id(row.custom_id) for row in panel.blocks if isinstance(row, Select)]
    assert len(pressed) == 7
    assert all(isinstance(one, Press) and (one.table, one.hand) == (77, 12) for one in pressed)


def test_an_empty_table_waits_for_players() -> None:
    text = panel_as_text(within_limits(lobby.lobby_panel(77, table())))
    assert "0 of 9 seats taken" in text
    assert "\nWaiting for 2 players\n[+Take a seat]" in text
    assert "Leave" not in text


def test_way_on_is_green_and_says_why() -> None:
    """One of two players is missing: the table says who and why, and offers what brings the hand on."""
    mia, away = seat(1, "Mia", 10_000), seat(2, "Bo", 9_000, status=SeatStatus.SITTING_OUT)
    assert "\nBo sits out\n[+I'm back] [Buy-in…] [Rules]\n" in lobby_text(mia, away)
    assert (
        lobby_text(mia, replace(away, out_by_timeout=True)).count("\nBo ran out of time and sits out\n[+I'm back]") == 1
    )
    broke = replace(away, stack=0)
    assert "\nBo is out of chips\n[+Buy in again] [Buy-in…] [Rules]\n[Sit out] [Leave] [Join table]" in lobby_text(
        mia, broke
    )
    assert "\nWaiting for one more player\n[+Take a seat] [Buy-in…] [Rules]\n[Sit out] [Leave]\n" in lobby_text(mia)
    assert "`2`\u00a0Bo  **0** · no chips\n" in lobby_text(mia, broke)
    two_away = lobby_text(mia, away, replace(away, number=3, player=103, name="Cy", stack=0))
    assert "\nBo sits out\n[+I'm back]" in two_away and "[Buy in again]" in two_away


def test_table_of_an_evening_with_a_date_bears_its_name() -> None:
    shown = table(*FOUR)
    night = replace(shown, settings=replace(shown.settings, evening="Friday *game*"))
    text = panel_as_text(within_limits(lobby.lobby_panel(77, night)))
    assert "\n-# Friday \\*game\\* · Host Mia · 4 of 9 seats taken\n" in text


def test_who_ran_out_of_time_stays_on_the_table() -> None:
    """Though the others play on: a player who sits out since then, and one who missed a turn and has not acted since."""
    late = seat(3, "Cy", 5_000, status=SeatStatus.SITTING_OUT, out_by_timeout=True, missed_turns=2)
    slow = seat(4, "Dee", 5_000, missed_turns=1)
    text = lobby_text(seat(1, "Mia", 5_000), seat(2, "Bo", 5_000), late, slow, next_hand_at=5)
    assert "-# Cy ran out of time and sits out\n-# Dee ran out of time\n" in text


def test_a_full_table_has_a_waiting_list() -> None:
    seats = tuple(seat(number, f"P{number}", 5_000) for number in range(1, 10))
    text = panel_as_text(
        within_limits(
            lobby.lobby_panel(
                77, table(*seats, next_hand_at=5, waiting=(WaitingPlayer(5, "Zoë *", 1), WaitingPlayer(6, "Kim", 2)))
            )
        )
    )
    assert "[Buy-in…] [Waiting list] [Tell me of a free seat] [Rules]" in text
    assert "-# Waiting list: Zoë \\*, Kim" in text
    assert "Choose a seat" not in text


def test_due_hand_and_owed_blinds_are_shown() -> None:
    seats = (
        seat(1, "Mia", 0, queued_top_up=4_000),
        seat(2, "Bo", 900, owes_small=True, owes_big=True, status=SeatStatus.WAITING_FOR_BIG_BLIND),
        seat(3, "Robo", 5_000, practice=True),
    )
    text = panel_as_text(lobby.lobby_panel(77, table(*seats, next_hand_at=1_800_000_000_500, carried_chips=150)))
    assert "`1`\u00a0Mia  **0** · no chips · adds 4,000 next hand" in text
    assert "`2`\u00a0Bo  **900** · waiting for the big blind · owes 150" in text
    assert "`3`\u00a0Robo  **5,000** · practice player" in text
    assert "\nNext hand <t:1800000001:R>" in text
    assert "-# 150 in the pot from the last hand" in text


def test_table_of_practice_players_offers_only_what_newcomers_can_do() -> None:
    """Nobody who could sit out, leave or be the host is there."""
    text = lobby_text(seat(3, "Robo", 5_000, practice=True))
    assert "Take a seat] [Buy-in…] [Rules]" in text
    assert not [word for word in ("Sit out", "Leave", "Host") if word in text]


def test_proposal_names_players_who_have_not_agreed() -> None:
    shifts = (StackChange(101, 500), StackChange(102, -500))
    asked = Proposal(player=101, at=1, stack_changes=shifts, consents=(101,))
    text = panel_as_text(within_limits(lobby.lobby_panel(77, table(*FOUR, proposal=asked))))
    assert "**Mia proposes to correct the stacks:** Mia +500, bob\\_the\\_builder −500" in text
    assert "Still to answer: bob\\_the\\_builder, Ayşe, river\\_rat" in text
    assert "[+Agree] [Object]" in text
    agreed = Proposal(player=101, at=1, stack_changes=shifts, consents=tuple(seat.player for seat in FOUR))
    text = panel_as_text(within_limits(lobby.lobby_panel(77, table(*FOUR, proposal=agreed))))
    assert "-# Everyone has agreed. It is done after this hand." in text


def test_a_dead_button_is_shown_at_its_empty_seat() -> None:
    text = panel_as_text(
        lobby.lobby_panel(77, table(*FOUR, positions=Positions(button_seat=3, small_blind_seat=4, big_blind_seat=7)))
    )
    assert "-# Dealer button at seat 3\n" in text
    there = panel_as_text(
        lobby.lobby_panel(77, table(*FOUR, positions=Positions(button_seat=7, small_blind_seat=1, big_blind_seat=2)))
    )
    assert "river\\_rat (dealer)" in there


def test_limit_stakes_are_shown_as_bets() -> None:
    settings = TableSettings(rule_card=LIMIT_HOLDEM, options=LIMIT_HOLDEM.options, stakes=STAKES)
    text = panel_as_text(within_limits(lobby.lobby_panel(77, table(settings=settings))))
    assert "Blinds **50/100** · bets **100/200** · buy-in **2,000–20,000**" in text


def test_fourteen_seats_of_the_longest_names() -> None:
    options = replace(NO_LIMIT_HOLDEM.options, max_seats=14)
    seats = tuple(
        seat(number, "*_" * 16, 10**12, status=SeatStatus.WAITING_FOR_BIG_BLIND, owes_big=True)
        for number in range(1, 14)
    )
    waiting = tuple(WaitingPlayer(number, "*_" * 16, 1) for number in range(10))
    asked = Proposal(player=101, at=1, stack_changes=(StackChange(101, 10**11), StackChange(102, -(10**11))))
    within_limits(
        lobby.lobby_panel(
            2**53,
            table(
                *seats, settings=replace(SETTINGS, options=options), waiting=waiting, proposal=asked, hands_dealt=10**6
            ),
        )
    )


def test_the_buy_in_form() -> None:
    form = lobby.buy_in_form(77, table(*FOUR), 555, wallet=15_000, minimum=2_000, maximum=20_000, seat=3)
    assert form_faults(form) == ()
    assert form_as_text(form) == (
        "== Take seat 3 ==\n"
        "Chips to sit down with:\n"
        "  2,000–20,000. You have 15,000.\n"
        "  [____]\n"
        "…or pick a number:\n"
        "  ( ) Minimum · 2,000\n"
        "  ( ) 40 big blinds · 4,000\n"
        "  ( ) 100 big blinds · 10,000\n"
        "  ( ) Maximum · 15,000"
    )
    assert custom_ids.parse_custom_id(form.custom_id) == FormSubmission(77, 0, 0, Verb.BUY_IN, 555, 3)


def test_buy_in_form_opens_even_with_too_few_chips() -> None:
    form = lobby.buy_in_form(77, table(*FOUR), 555, wallet=100, minimum=2_000, maximum=20_000)
    assert form_faults(form) == ()
    assert "You have 100." in form_as_text(form)


def test_sitting_down_explains_how_cards_arrive() -> None:
    shown = table(*FOUR)
    assert panel_as_text(within_limits(lobby.seated_panel(77, shown, shown.seats[0], by_dm=True))) == (
        "You're in seat 1 with **10,000** chips.\n"
        "Your cards come by DM. **My hand** at the table shows them too.\n"
        "[Stop sending DMs]"
    )
    assert "Send DMs too" in panel_as_text(within_limits(lobby.seated_panel(77, shown, shown.seats[0], by_dm=False)))


@pytest.mark.law("VC-28", "TL-10")
def test_owed_blinds_wait_during_a_game_without_blinds() -> None:
    mixture = mix_rotation(HORSE)
    waiting = seat(1, "Mia", 10_000, status=SeatStatus.WAITING_FOR_BIG_BLIND, owes_big=True, owes_small=True)
    for place, said in (
        (0, "You're in from your next big blind."),
        (2, "The 150 you owe can wait for a game with blinds."),
    ):
        settings = settings_for_game(replace(SETTINGS, rotation=mixture), mixture.games[place])
        view = table(waiting, settings=settings, rotation_state=RotationState(game_index=place))
        assert said in entry_note(view, view.seats[0])


def test_player_owing_blinds_is_asked_how_to_enter() -> None:
    panel = within_limits(
        lobby.entry_question_panel(
            77, table(*FOUR), 100, 50, (EntryMethod.WAIT, EntryMethod.POST, EntryMethod.BUY_BUTTON)
        )
    )
    assert panel_as_text(panel) == (
        "You missed blinds: **150** to pay, 50 of it straight to the pot. How do you come in?\n"
        "[…Post 150] [+Wait for the big blind] [Buy the button]"
    )


def test_the_list_of_tables() -> None:
    assert panel_as_text(within_limits(lobby.tables_panel([(table(*FOUR), 555)]))) == (
        "### Tables\n`3`\u00a0**No-Limit Hold'em** 50/100 · 4 of 9 seats · <#555>"
    )
    assert "No table is open here." in panel_as_text(lobby.tables_panel([]))
    assert "-# and 30 more" in panel_as_text(within_limits(lobby.tables_panel([(table(), 2**63)] * 50)))


def test_only_practice_players_wait_for_whoever_reads_it() -> None:
    ada = seat(1, "Ada", 10_000, practice=True)
    assert "\nSit down and the first hand is dealt\n[+Take a seat]" in lobby_text(ada)
    assert "\nSit down and the next hand is dealt\n[+Take a seat]" in lobby_text(ada, hands_dealt=3)
    assert "\nWaiting for one more player\n" in lobby_text(seat(1, "Mia", 10_000))


def test_game_is_taught_until_its_first_hand() -> None:
    assert introduction(NO_LIMIT_HOLDEM) in lobby_text(*FOUR)
    assert introduction(NO_LIMIT_HOLDEM) not in lobby_text(*FOUR, hands_dealt=1)


def test_table_info_has_no_buttons() -> None:
    panel = within_limits(lobby.info_panel(table(*FOUR), "Hand #12 is being played"))
    assert not any(isinstance(block, Buttons) for block in panel.blocks)
    assert panel_as_text(panel).endswith(
        "-# 30 s per action · time bank 1 min · next hand after 6 s · closes after 10 min idle\n-# Hand #12 is being played"
    )


def test_a_break_says_who_wants_it_and_when_it_ends() -> None:
    mia, bo = seat(1, "Mia", 10_000), seat(2, "Bo", 9_000)
    asked = table(mia, bo, next_hand_at=5, table_break=TableBreak(10, (101,)))
    assert panel_as_text(Panel(0, tuple(break_wanted_blocks(77, asked)))) == (
        "Mia asks for a break of 10 minutes (1 of 2)\n[Break]"
    )
    taken = TableBreak(10, (101, 102), 5, 1_800_000_000_000)
    assert "\nThe table takes a break. It ends <t:1800000000:R>\n[+End break]" in lobby_text(mia, bo, table_break=taken)
    assert break_wanted_blocks(77, table(mia, bo, table_break=taken)) == []

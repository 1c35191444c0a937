"""A hand is recorded as PHH that plays again and as text that reads well, and never with a card that its reader cannot know."""

import random
import re

import pytest
from msgspec.structs import replace

from bot.engine import events as e
from bot.engine.cards import card_text
from bot.engine.evolve import begin_hand, evolve
from bot.engine.rule_card import RuleCard
from bot.engine.stakes import Stakes
from bot.engine.usual_stakes import usual_stakes
from bot.engine.view.redact import ALL_KNOWING, PUBLIC, HistoryViewer
from bot.history import phh
from bot.history.game_of_record import differences, replay
from bot.history.lines import history_lines
from bot.history.phh import RecordedHand
from bot.history.phh_fields import GAME_KEY_BY_CODE, game_of_code, rule_card_of
from bot.history.record import record_hand, to_phh
from bot.history.replay import RecordedSeatsOutOfBounds
from bot.text.hand_history import hand_as_text
from bot.variants import CATALOGUE, game
from tests.engine.test_all_games_machine import Machine, UncheckedMachine
from tests.support.random_hands import PlainHand
from tests.support.told import Told, deal

CARD = re.compile(r"[2-9TJQKA][cdhs]|Jk")


def cards_in(told: str) -> list[str]:
    """Return cards between brackets, or in a line of a record."""
    return [card for part in re.findall(r"\[([^]]*)\]", told) for card in CARD.findall(part)]


def written(hand: Told, viewer: HistoryViewer = PUBLIC) -> RecordedHand:
    return record_hand(hand.events, hand.hand.deck, viewer)


def story() -> Told:
    """Play a hand in which Ann's aces are called and beaten, and Cy folds."""
    hand = deal(
        "no-limit hold'em 50/100", button="Cy", stacks={"Ann": 2000, "Bo": 3000, "Cy": 3000},
        cards={"Ann": "As Ad", "Bo": "Kh Qh", "Cy": "2c 7d"}, board="Jh Th 2s 3d 9h",
    )  # fmt: skip
    hand.play(
        "Cy folds", "Ann raises to 300", "Bo calls 200", "Ann bets 400", "Bo calls", "Ann checks", "Bo checks",
        "Ann checks", "Bo bets 500", "Ann calls",
    )  # fmt: skip
    return hand


def test_a_hand_becomes_a_record_of_the_standard() -> None:
    record = written(story(), ALL_KNOWING)
    assert (record.variant, record.blinds_or_straddles, record.min_bet) == ("NT", (50, 100, 0), 100)
    assert [phh.write_action(action) for action in record.actions] == [
        "d dh p1 AsAd", "d dh p2 KhQh", "d dh p3 2c7d", "p3 f", "p1 cbr 300", "p2 cc", "d db JhTh2s", "p1 cbr 400", "p2 cc",
        "d db 3d", "p1 cc", "p2 cc", "d db 9h", "p1 cc", "p2 cbr 500", "p1 cc", "p2 sm KhQh", "p1 sm",
    ]  # fmt: skip
    assert record.finishing_stacks == (800, 4_200, 3_000)
    assert (record.pots_by_street, record.final_pots) == ((600, 1_400, 1_400, 2_400), (2_400,))


@pytest.mark.law("TL-22", "TL-37")
def test_readers_see_only_open_cards_and_their_own() -> None:
    def dealt(viewer: HistoryViewer) -> list[str]:
        return [phh.write_action(action) for action in written(story(), viewer).actions[:3]]

    assert dealt(PUBLIC) == ["d dh p1 ????", "d dh p2 KhQh", "d dh p3 ????"]
    assert dealt(0) == ["d dh p1 AsAd", "d dh p2 KhQh", "d dh p3 ????"]
    assert dealt(2) == ["d dh p1 ????", "d dh p2 KhQh", "d dh p3 2c7d"]


@pytest.mark.law("TL-22", "TL-37")
def test_showing_does_not_reveal_which_cards_were_drawn() -> None:
    hand = deal(
        "five-card draw", button="Bo", stacks={"Ann": 2000, "Bo": 2000}, stakes=usual_stakes(game("five_card_draw")),
        cards={"Ann": "As Ad Kc 4d 2h", "Bo": "9c 9d 8s 3h 2d"},
    )  # fmt: skip
    hand.play("Bo calls", "Ann checks", "Ann draws 2", "Bo stands pat", "Ann bets 200", "Bo calls")
    lines = [phh.write_action(action) for action in written(hand).actions]
    assert lines[:2] == ["d dh p1 ??????????", "d dh p2 ??????????"]
    assert "p1 sd ????" in lines
    assert any(line.startswith("p1 sm AsAd") for line in lines)


@pytest.mark.law("TL-34", "VC-20")
def test_openers_bet_out_of_turn_and_never_seen_play_again() -> None:
    """Bo has aces and bets before Ann has acted. She opens with hers, so Bo's bet lapses; Bo wins, and shows nothing."""
    hand = deal(
        "jackpots", button="Cy", stacks=dict.fromkeys(("Ann", "Bo", "Cy"), 200), stakes=Stakes(ante=1, limit=10),
        options={"out_of_turn": "tda53"}, cards={"Ann": "As Ad 5d 3d 2h", "Bo": "Ac Ah 7c 9s 6s"},
    )  # fmt: skip
    hand.play("Bo bets 10", "Ann bets 3", "Bo raises to 6", "Cy folds", "Ann folds")
    assert hand.over
    for viewer in (ALL_KNOWING, PUBLIC, 0, 1, 2):
        record = written(hand, viewer)
        assert list(differences(record, replay(record))) == [], f"read by {viewer}"


@pytest.mark.law("Q-2", "TL-37")
def test_lots_drawn_from_cards_that_were_shuffled_back_play_again() -> None:
    """Seven play razz to the end, so the burned cards come back. Ann and Bo tie, and the last two of those draw for the odd chip."""
    names = ("Ann", "Bo", "Cy", "Dee", "Eve", "Fay", "Gus")
    for seed in range(12):
        hand = deal(
            "razz", button="Gus", stacks=dict.fromkeys(names, 200), stakes=Stakes(ante=1, bring_in=2, small_bet=4, big_bet=8),
            options={"odd_chip": "lot"}, cards={"Ann": "As 2s 3s 4s 5s", "Bo": "Ah 2h 3h 4h 5h"},
            deck_order=tuple(random.Random(seed).sample(range(52), 52)),
        )  # fmt: skip
        while not hand.over:
            options = hand.options
            verb = (
                "checks"
                if "check" in options
                else "calls"
                if any(one.startswith("call") for one in options)
                else "bets 2"
            )
            hand.play(f"{hand.to_act} {verb}")
        assert hand.events_of(e.Reshuffled) and hand.hand.payments[0].odd_chips + hand.hand.payments[1].odd_chips
        record = written(hand, ALL_KNOWING)
        assert list(differences(record, replay(record))) == [], seed


def test_a_card_shown_alone_is_recorded_and_replayed() -> None:
    """Bo wins unseen and shows the king, Cy the deuce of the folded hand and then the rest; nobody learns Bo's other card."""
    hand = deal(
        "no-limit hold'em 50/100", button="Cy", stacks={"Ann": 2000, "Bo": 3000, "Cy": 3000},
        cards={"Ann": "As Ad", "Bo": "Kh Qh", "Cy": "2c 7d"},
    )  # fmt: skip
    hand.play("Cy folds", "Ann folds", "Bo shows Kh alone", "Cy shows 2c alone", "Cy shows")
    record = written(hand)
    actions = [phh.write_action(action) for action in record.actions]
    assert actions == [
        "d dh p1 ????", "d dh p2 Kh??", "d dh p3 2c7d", "p3 f", "p1 f", "p2 sm Kh??", "p3 sm 2c??", "p3 sm 2c7d",
    ]  # fmt: skip
    for viewer in (PUBLIC, ALL_KNOWING, 0, 1):
        again = replay(phh.parse(to_phh(hand.events, hand.hand.deck, viewer)))
        shown = [event for event in again.events if isinstance(event, e.Shown | e.CardsShown)]
        assert [(type(event), event.seat, len(event.card_indices)) for event in shown] == [
            (e.CardsShown, 1, 1), (e.CardsShown, 2, 1), (e.Shown, 2, 2),
        ]  # fmt: skip
        assert [*differences(phh.parse(to_phh(hand.events, hand.hand.deck, viewer)), again)] == []
    told = hand_as_text(history_lines(hand.events, hand.hand.deck))
    assert "shows [Kh]\n" in told
    assert "Qh" not in told


def all_in_on_fourth_street() -> Told:
    """Play stud in which Ann is all-in on fourth street and Bo calls; Cy has folded before."""
    hand = deal(
        "stud", button="Cy", stacks={"Ann": 61, "Bo": 500, "Cy": 500},
        stakes=Stakes(ante=1, small_bet=20, big_bet=40, bring_in=5),
        cards={"Ann": "Ks Kh 2c 3c 4d 8h 9s", "Bo": "Qs Qh Jd Jh 6d 7h 7s", "Cy": "Jc Th Td"},
    )  # fmt: skip
    hand.play(
        "Ann brings in 5", "Bo raises to 20", "Cy folds", "Ann calls",
        "Bo bets 20", "Ann raises to 40", "Bo calls",
    )  # fmt: skip
    return hand


def test_all_in_stud_is_dealt_by_street_and_shown_whole() -> None:
    record = written(all_in_on_fourth_street())
    assert [phh.write_action(action) for action in record.actions] == [
        "d dh p1 KsKh2c", "d dh p2 QsQhJd", "d dh p3 ????Td", "p1 pb", "p2 cbr 20", "p3 f", "p1 cc",
        "d dh p1 3c", "d dh p2 Jh", "p2 cbr 20", "p1 cbr 40", "p2 cc",
        "d dh p1 4d", "d dh p2 6d", "d dh p1 8h", "d dh p2 7h", "d dh p1 9s", "d dh p2 7s",
        "p1 sm KsKh2c3c4d8h9s", "p2 sm QsQhJdJh6d7h7s",
    ]  # fmt: skip


@pytest.mark.parametrize("viewer", [PUBLIC, ALL_KNOWING, 0, 2])
def test_all_in_stud_of_earlier_versions_is_read(viewer: HistoryViewer) -> None:
    """They showed a hand with the cards it had when it was all-in, and dealt all streets that followed on one line."""
    hand = all_in_on_fourth_street()
    now = to_phh(hand.events, hand.hand.deck, viewer)
    streets = now[now.index("'d dh p1 4d'") : now.index("]\nfinishing_stacks")]
    earlier = "'p1 sm KsKh2c3c', 'p2 sm QsQhJdJh', 'd dh p1 4d8h9s', 'd dh p2 6d7h7s'"
    for text in (now, now.replace(streets, earlier)):
        record = phh.parse(text)
        again = replay(record)
        assert [*differences(record, again)] == []
        assert again.finishing_stacks == tuple(hand.hand.stacks)
        assert again.events[1:] == tuple(hand.events[1:])


def test_the_text_reads_like_a_hand_history() -> None:
    hand = story()
    assert hand_as_text(history_lines(hand.events, hand.hand.deck, 0), ["Ann", "Bo", "Cy"], 7).splitlines() == [
        "Hand #7: No-Limit Hold'em, 50/100",
        f"Seat {hand.hand.started.button_seat_number} has the button",
        *(f"Seat {number}: {name} ({chips:,})" for number, name, chips in zip(
            hand.hand.started.seat_numbers, ("Ann", "Bo", "Cy"), (2_000, 3_000, 3_000), strict=True)),
        "Ann posts small blind 50",
        "Bo posts big blind 100",
        "Dealt to Ann [As Ad]",
        "Dealt to Bo [Kh Qh]",
        "Dealt to Cy 2 cards",
        "*** Pre-flop ***",
        "Cy folds",
        "Ann raises to 300 (puts in 250)",
        "Bo calls 200",
        "Dealt to the board [Jh Th 2s]",
        "*** Flop ***",
        "Ann bets 400",
        "Bo calls 400",
        "Dealt to the board [3d]",
        "*** Turn ***",
        "Ann checks",
        "Bo checks",
        "Dealt to the board [9h]",
        "*** River ***",
        "Ann checks",
        "Bo bets 500",
        "Ann calls 500",
        "*** Showdown ***",
        "Bo shows [Kh Qh] (straight flush, king high)",
        "Ann mucks",
        "Bo wins 2,400 from the pot",
        "*** Summary ***",
        "Pot 2,400",
        "Board [Jh Th 2s 3d 9h]",
        f"Seat {hand.hand.started.seat_numbers[0]}: Ann mucked, has 800",
        f"Seat {hand.hand.started.seat_numbers[1]}: Bo showed [Kh Qh], won 2,400, has 4,200",
        f"Seat {hand.hand.started.seat_numbers[2]}: Cy folded, has 3,000",
    ]  # fmt: skip


@pytest.mark.law("TL-22", "TL-37")
@pytest.mark.parametrize("card", CATALOGUE, ids=lambda card: card.key)
def test_reader_finds_no_card_never_opened_to_them(card: RuleCard) -> None:
    """In every game, every card in a public record or text lay open at some time."""
    for seed in range(3):
        machine = UncheckedMachine(random.Random(seed), card)
        machine.play()
        opened = {card_text(machine.hand.deck[place]) for place in ever_open(machine)} | set(ever_said(machine))
        lot = record_hand(machine.events, machine.deck).metadata.get("_lot", "")
        told = cards_in(hand_as_text(history_lines(machine.events, machine.deck)))
        record = record_hand(machine.events, machine.deck)
        told += cards_in(f"[{' '.join(phh.write_action(action) for action in record.actions)}]")
        assert set(told) <= opened | set(cards_in(str(lot)))


def ever_open(machine: Machine) -> set[int]:
    """Return the card indices that were open to everybody at any time of a hand, by the hand's own state."""
    hand = begin_hand(machine.started, machine.deck)
    found: set[int] = set()
    for event in machine.events[1:]:
        hand = evolve(hand, event)
        for cards in (*hand.up_indices, *hand.board_indices, hand.proven_opener_indices):
            found.update(cards)
        for seat, cards in enumerate(hand.down_indices):
            if hand.shown_seats >> seat & 1:
                found.update(cards)
        if isinstance(event, e.Designated):  # to say what a card stands for is to name it
            found.update(place for place, _ in event.designations)
    return found


def ever_said(machine: Machine) -> list[str]:
    """Return the cards that wild cards were designated as."""
    said = [event.designations for event in machine.events if isinstance(event, e.Designated)]
    return [card_text(meant) for pairs in said for _, meant in pairs]


def test_only_games_outside_the_standard_carry_a_rule_card() -> None:
    standard = set(GAME_KEY_BY_CODE.values())
    for card in CATALOGUE:
        machine = UncheckedMachine(random.Random(0), card)
        machine.play()
        record = phh.parse(to_phh(machine.events, machine.deck, ALL_KNOWING))
        if record.variant in GAME_KEY_BY_CODE:
            assert GAME_KEY_BY_CODE[record.variant] == card.key
        else:
            assert rule_card_of(record) == machine.started.rule_card
        assert (
            machine.started.rule_card.key not in standard or record.metadata["_game"] == machine.started.rule_card.key
        )


def test_a_record_that_claims_too_much_is_refused() -> None:
    record = written(story(), ALL_KNOWING)
    with pytest.raises(phh.PhhError, match="_rule_card"):
        replay(phh.parse(phh.write(record) + "_rule_card = {key = 'x'}\n"))
    with pytest.raises(phh.PhhError, match="_posts"):
        replay(phh.parse(phh.write(record).replace("p2 big blind 100", "p9 big blind 100")))
    with pytest.raises(RecordedSeatsOutOfBounds):
        replay(phh.parse(phh.write(record).replace("'NT'", "'F2L3D'").replace("[2000, 3000, 3000]", "[" + "9, " * 12 + "9]")
                         .replace("antes = [0, 0, 0]", "antes = [" + "0, " * 12 + "0]")
                         .replace("[50, 100, 0]", "[50, 100" + ", 0" * 11 + "]")
                         .replace("finishing_stacks = [800, 4200, 3000]", "")))  # fmt: skip


@pytest.mark.law("VC-26", "TL-38")
def test_passed_cards_read_back_as_kept_and_given_up() -> None:
    """Ann gave Bo three cards and sees Bo roll out three others. So at least one of the two cards that Bo gave up unseen was hers."""
    hand = deal(
        "anaconda", button="Bo", stacks={"Ann": 200, "Bo": 200}, stakes=Stakes(ante=1, limit=10),
        cards={"Ann": "As Ad Ac 2c 2d 3h 7s", "Bo": "Ks Kd Kc 4c 4d 3s 8s"},
    )  # fmt: skip
    hand.play("Ann bets 1", "Bo calls", "Ann passes 2c 2d 3h", "Bo passes 4c 4d 3s", "Ann checks", "Bo checks")
    hand.play("Ann gives up 4c 4d", "Bo gives up 2c 2d", "Ann arranges As Ad Ac 7s 3s", "Bo arranges Ks Kd Kc 8s 3h")
    for _ in range(3):
        first = hand.to_act
        other = "Bo" if first == "Ann" else "Ann"
        hand.play(f"{first} checks", f"{other} checks")
    hand.play(*(["Ann bets 5", "Bo folds"] if hand.to_act == "Ann" else ["Bo checks", "Ann bets 5", "Bo folds"]))
    for reader in (ALL_KNOWING, PUBLIC, hand.names.index("Ann"), hand.names.index("Bo")):
        record = written(hand, reader)
        assert list(differences(record, replay(record))) == [], reader


def test_the_text_says_why_a_hand_was_cancelled() -> None:
    hand = story()
    voided = (*hand.events[:-1], e.HandVoided("VC-23", e.VoidReason.NO_WILD_RANK))
    lines = hand_as_text(history_lines(voided, hand.hand.deck)).splitlines()
    assert "The hand is cancelled, all bets returned: no card came up that makes a rank wild" in lines


@pytest.mark.law("TL-37", "W-7")
def test_mucked_wild_card_designations_are_recorded_for_the_holder_only() -> None:
    hand = deal(
        "no-limit hold'em + tens wild 5/10", button="Ann", stacks={"Ann": 500, "Bo": 500},
        cards={"Ann": "Td 6s", "Bo": "Ks Kd"}, board="7d 8h 3s 4c Qc", options={"wild_call": "declare"},
    )  # fmt: skip
    hand.play("Ann calls", "Bo checks", *("Bo checks", "Ann checks") * 3, "Ann shows, Td as As")
    assert hand.wins == {"Bo": 20}
    ann, bo = hand.names.index("Ann"), hand.names.index("Bo")
    for reader in (PUBLIC, bo, ALL_KNOWING, ann):
        record = written(hand, reader)
        lines = phh.write(record).partition("_game")[0]
        text_of_it = hand_as_text(history_lines(hand.events, hand.hand.deck, reader))
        knows = reader in (ALL_KNOWING, ann)
        assert ("Td" in lines, f"p{ann + 1} as TdAs" in lines) == (knows, knows)
        assert ("Td" in text_of_it, "Td is As" in text_of_it) == (knows, knows)
        assert list(differences(record, replay(record))) == []


OTHER_LIMITS = [
    letter + code[1:]
    for code in (*GAME_KEY_BY_CODE, "FA5L1D")
    for letter in "NPF"
    if letter + code[1:] not in GAME_KEY_BY_CODE
]
"""Codes of standard games at a limit that no game of the catalogue has by itself, pot-limit badugi for one."""


@pytest.mark.parametrize("code", sorted({*OTHER_LIMITS}))
def test_a_standard_game_at_another_limit_is_imported(code: str) -> None:
    """As another program writes it: the code names the limit, and nothing but the fields of the standard is there."""
    key, limit = game_of_code(code) or ("", None)
    card = game(f"{key}+{limit}")
    for seed in range(2):
        hand = PlainHand(random.Random(seed), card, odd=False, shallow=False)
        hand.play()
        record = record_hand(hand.events, hand.deck, ALL_KNOWING)
        foreign = phh.parse(phh.write(replace(record, variant=code, metadata={})))
        again = replay(foreign)
        assert again.hand.rules.limit is limit
        assert [*differences(foreign, again)] == []
        assert again.finishing_stacks == tuple(hand.hand.stacks)


@pytest.mark.parametrize("code", ["XX", "X2L3D", "B", "", "F", "FFB"])
def test_what_is_no_code_is_no_game(code: str) -> None:
    assert game_of_code(code) is None

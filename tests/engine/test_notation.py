"""Hands written down: as PHH that plays again, as text that reads well, and never with a card its reader may not know."""

import random
import re

import pytest

from bot.cli_replay import differences, replay
from bot.engine import events as e
from bot.engine import phh
from bot.engine.card import RuleCard
from bot.engine.cards import text
from bot.engine.evolve import begin, evolve
from bot.engine.history import to_text
from bot.engine.notation import ALL_KNOWING, PUBLIC, Viewer, recorded, to_phh
from bot.engine.phh import RecordedHand
from bot.engine.phh_table import CODES, card_of
from bot.engine.recorded import NotAsRecorded
from bot.engine.stakes import Stakes
from bot.variants import CATALOGUE, game
from bot.variants.usual import usual_stakes
from tests.engine.test_all_games_machine import Machine
from tests.support.told import Told, deal

CARD = re.compile(r"[2-9TJQKA][cdhs]|Jk")


def cards_in(told: str) -> list[str]:
    """Cards between brackets, or in a line of a record."""
    return [card for part in re.findall(r"\[([^]]*)\]", told) for card in CARD.findall(part)]


def written(hand: Told, viewer: Viewer = PUBLIC) -> RecordedHand:
    return recorded(hand.events, hand.hand.deck, viewer)


def story() -> Told:
    """Ann's aces are called down and beaten; Cy drops."""
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
def test_the_public_reads_only_what_was_opened_and_a_player_his_own_cards_too() -> None:
    def dealt(viewer: Viewer) -> list[str]:
        return [phh.write_action(action) for action in written(story(), viewer).actions[:3]]

    assert dealt(PUBLIC) == ["d dh p1 ????", "d dh p2 KhQh", "d dh p3 ????"]
    assert dealt(0) == ["d dh p1 AsAd", "d dh p2 KhQh", "d dh p3 ????"]
    assert dealt(2) == ["d dh p1 ????", "d dh p2 KhQh", "d dh p3 2c7d"]


@pytest.mark.law("TL-22", "TL-37")
def test_who_shows_after_a_draw_does_not_tell_which_cards_he_drew() -> None:
    hand = deal(
        "five-card draw", button="Bo", stacks={"Ann": 2000, "Bo": 2000}, stakes=usual_stakes(game("five_card_draw")),
        cards={"Ann": "As Ad Kc 4d 2h", "Bo": "9c 9d 8s 3h 2d"},
    )  # fmt: skip
    hand.play("Bo calls", "Ann checks", "Ann draws 2", "Bo stands pat", "Ann bets 200", "Bo calls")
    lines = [phh.write_action(action) for action in written(hand).actions]
    assert lines[:2] == ["d dh p1 ??????????", "d dh p2 ??????????"]
    assert "p1 sd ????" in lines
    assert any(line.startswith("p1 sm AsAd") for line in lines)


def test_the_text_reads_like_a_hand_history() -> None:
    hand = story()
    assert to_text(hand.events, hand.hand.deck, 0, ["Ann", "Bo", "Cy"], "Hand #7").splitlines() == [
        "Hand #7: No-Limit Hold'em, 50/100",
        f"Seat {hand.hand.started.button} has the button",
        *(f"Seat {number}: {name} ({chips:,} in chips)" for number, name, chips in zip(
            hand.hand.started.seats, ("Ann", "Bo", "Cy"), (2_000, 3_000, 3_000), strict=True)),
        "Ann: posts small blind 50",
        "Bo: posts big blind 100",
        "Dealt to Ann [As Ad]",
        "Dealt to Bo [Kh Qh]",
        "Dealt to Cy 2 cards",
        "*** PRE-FLOP ***",
        "Cy: folds",
        "Ann: raises 200 to 300",
        "Bo: calls 200",
        "Dealt to the table [Jh Th 2s]",
        "*** FLOP ***",
        "Ann: bets 400",
        "Bo: calls 400",
        "Dealt to the table [3d]",
        "*** TURN ***",
        "Ann: checks",
        "Bo: checks",
        "Dealt to the table [9h]",
        "*** RIVER ***",
        "Ann: checks",
        "Bo: bets 500",
        "Ann: calls 500",
        "*** SHOWDOWN ***",
        "Bo: shows [Kh Qh] (straight flush, king high)",
        "Ann: mucks",
        "Bo takes 2,400 from the pot",
        "*** SUMMARY ***",
        "Pot 2,400 | main pot 2,400",
        "Board [Jh Th 2s 3d 9h]",
        f"Seat {hand.hand.started.seats[0]}: Ann mucked, has 800",
        f"Seat {hand.hand.started.seats[1]}: Bo showed [Kh Qh], won 2,400, has 4,200",
        f"Seat {hand.hand.started.seats[2]}: Cy folded, has 3,000",
    ]  # fmt: skip


@pytest.mark.law("TL-22", "TL-37")
@pytest.mark.parametrize("card", CATALOGUE, ids=lambda card: card.key)
def test_a_reader_finds_no_card_that_was_never_opened_to_him(card: RuleCard) -> None:
    """Whatever game: every card in a record or a text for the public lay open at some time."""
    for seed in range(3):
        machine = Machine(random.Random(seed), card)
        machine.play()
        opened = {text(machine.hand.deck[place]) for place in ever_open(machine)} | set(ever_said(machine))
        lot = recorded(machine.events, machine.pack).metadata.get("_lot", "")
        told = cards_in(to_text(machine.events, machine.pack))
        record = recorded(machine.events, machine.pack)
        told += cards_in(f"[{' '.join(phh.write_action(action) for action in record.actions)}]")
        assert set(told) <= opened | set(cards_in(str(lot)))


def ever_open(machine: Machine) -> set[int]:
    """Places that lay open to all at any time of a hand, by the hand's own state."""
    hand = begin(machine.started, machine.pack)
    found: set[int] = set()
    for event in machine.events[1:]:
        hand = evolve(hand, event)
        for cards in (*hand.up, *hand.boards, hand.openers_shown):
            found.update(cards)
        for seat, cards in enumerate(hand.down):
            if hand.shown >> seat & 1:
                found.update(cards)
        if isinstance(event, e.Designated):  # to say what a card stands for is to name it
            found.update(place for place, _ in event.as_cards)
    return found


def ever_said(machine: Machine) -> list[str]:
    """Cards that wild cards were said to be."""
    said = [event.as_cards for event in machine.events if isinstance(event, e.Designated)]
    return [text(meant) for pairs in said for _, meant in pairs]


def test_a_game_of_the_standard_needs_no_rule_card_and_another_brings_its_own() -> None:
    standard = set(CODES.values())
    for card in CATALOGUE:
        machine = Machine(random.Random(0), card)
        machine.play()
        record = phh.parse(to_phh(machine.events, machine.pack, ALL_KNOWING))
        if record.variant in CODES:
            assert CODES[record.variant] == card.key
        else:
            assert card_of(record) == machine.started.card
        assert machine.started.card.key not in standard or record.metadata["_game"] == machine.started.card.key


def test_a_record_that_claims_too_much_is_refused() -> None:
    record = written(story(), ALL_KNOWING)
    with pytest.raises(phh.PhhError, match="_rule_card"):
        replay(phh.parse(phh.write(record) + "_rule_card = {key = 'x'}\n"))
    with pytest.raises(phh.PhhError, match="_posts"):
        replay(phh.parse(phh.write(record).replace("p2 big blind 100", "p9 big blind 100")))
    with pytest.raises(NotAsRecorded, match="seats"):
        replay(phh.parse(phh.write(record).replace("'NT'", "'F2L3D'").replace("[2000, 3000, 3000]", "[" + "9, " * 12 + "9]")
                         .replace("antes = [0, 0, 0]", "antes = [" + "0, " * 12 + "0]")
                         .replace("[50, 100, 0]", "[50, 100" + ", 0" * 11 + "]")
                         .replace("finishing_stacks = [800, 4200, 3000]", "")))  # fmt: skip


@pytest.mark.law("VC-26", "TL-38")
def test_who_passed_cards_reads_back_a_hand_that_kept_its_own_and_dropped_those() -> None:
    """Ann gave Bo three cards and sees him roll out three others: of the two he dropped unseen, one at least was hers."""
    hand = deal(
        "anaconda", button="Bo", stacks={"Ann": 200, "Bo": 200}, stakes=Stakes(ante=1, limit=10),
        cards={"Ann": "As Ad Ac 2c 2d 3h 7s", "Bo": "Ks Kd Kc 4c 4d 3s 8s"},
    )  # fmt: skip
    hand.play("Ann bets 1", "Bo calls", "Ann passes 2c 2d 3h", "Bo passes 4c 4d 3s", "Ann checks", "Bo checks")
    hand.play("Ann drops 4c 4d", "Bo drops 2c 2d", "Ann arranges As Ad Ac 7s 3s", "Bo arranges Ks Kd Kc 8s 3h")
    for _ in range(3):
        first = hand.to_act
        other = "Bo" if first == "Ann" else "Ann"
        hand.play(f"{first} checks", f"{other} checks")
    hand.play(*(["Ann bets 5", "Bo folds"] if hand.to_act == "Ann" else ["Bo checks", "Ann bets 5", "Bo folds"]))
    for reader in (ALL_KNOWING, PUBLIC, hand.names.index("Ann"), hand.names.index("Bo")):
        record = written(hand, reader)
        assert list(differences(record, replay(record))) == [], reader


@pytest.mark.law("TL-37", "W-7")
def test_what_is_said_of_wild_cards_that_are_mucked_is_written_down_for_their_holder_alone() -> None:
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
        text_of_it = to_text(hand.events, hand.hand.deck, reader)
        knows = reader in (ALL_KNOWING, ann)
        assert ("Td" in lines, f"p{ann + 1} as TdAs" in lines) == (knows, knows)
        assert ("Td" in text_of_it, "Td is As" in text_of_it) == (knows, knows)
        assert list(differences(record, replay(record))) == []

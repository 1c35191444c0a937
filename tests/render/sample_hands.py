"""Sample hands to draw in tests: a hand in play, a showdown, and the scene around them."""

from __future__ import annotations

from msgspec.structs import replace

from bot.engine import cards
from bot.engine.legal import Decision, LegalActions
from bot.engine.options.values import Ante
from bot.engine.ranking import Evaluator, HandName, Ranking
from bot.engine.stakes import Stakes
from bot.engine.view.types import (
    ActionVerb,
    CardView,
    HandSeatState,
    HandView,
    LastAction,
    PaymentView,
    PotView,
    SeatView,
)
from bot.render.hand.scene import Person, Scene
from bot.text.cards import EMOJI_NAMES, Emojis

EMOJIS = Emojis.of({name: 1_400_000_000_000_000_000 + at for at, name in enumerate(EMOJI_NAMES)})
LIVE, ALL_IN, FOLDED = HandSeatState.LIVE, HandSeatState.ALL_IN, HandSeatState.FOLDED
NAMES = {
    1: "Mia",
    2: "bob_the_builder",
    3: "Jürgen K",
    4: "Ayşe",
    5: "NightOwl",
    6: "Олег",
    7: "river_rat",
    8: "Chen Wei",
    9: "Zoë",
}
PEOPLE = {number: Person(name, 100 + number) for number, name in NAMES.items()}
HIGH = Evaluator(Ranking())


def cards_seen(line: str, *, up: bool = False) -> tuple[CardView, ...]:
    """Return the cards that a viewer can see; ``??`` is one they cannot."""
    return tuple(
        CardView(None if word == "??" else cards.parse_card(word), up, place) for place, word in enumerate(line.split())
    )


def best_hand(line: str) -> HandName:
    """Return the name of the best high hand among these cards."""
    return HIGH.name(HIGH.best(cards.parse_cards(line)))


def mid_hand() -> HandView:
    """Return a hand on the turn with one player all-in and one bet: river_rat faces 1,025 in a pot of 13,700."""
    names = list(NAMES)
    bet = LastAction(3, ActionVerb.BET, 1025, 1025)
    check = LastAction(1, ActionVerb.CHECK)
    stacks = {2: 15200, 4: 22340, 5: 0, 7: 13700}
    seats = tuple(
        SeatView(
            seat_index=at,
            seat_number=number,
            stack=stacks.get(number, 5000),
            bet=1025 if number == 4 else 0,
            put_in=1050 + (1025 if number == 4 else 0),
            state=ALL_IN if number == 5 else LIVE if number in stacks else FOLDED,
            cards=cards_seen("?? ??") if number in stacks else (),
            last_action={2: check, 4: bet}.get(number),
        )
        for at, number in enumerate(names)
    )
    legal = LegalActions(
        seat=6,
        decision=Decision.BET,
        fold=True,
        call_chips=1025,
        min_to=2050,
        max_to=13700,
        current_bet=1025,
        to_call=1025,
        pot=10475,
        stack=13700,
    )
    return HandView(
        viewer=None,
        game="No-Limit Hold'em",
        stakes=Stakes(small_blind=50, big_blind=100),
        ante_rule=Ante.BLINDS,
        street="turn",
        seats=seats,
        boards=(cards.parse_cards("Ah Kd 9c 9s"),),
        pot=10475,
        pots=(PotView(9450, (1, 3, 4, 6)),),
        current_bet=1025,
        to_act=6,
        decision_number=11,
        button_seat_number=3,
        street_actions=(check, bet),
        legal_to_act=legal,
    )


def showdown() -> HandView:
    """Return a showdown: NightOwl wins the main pot, river_rat the side pot; Ayşe shows and loses."""
    board = cards.parse_cards("Ah Kd 9c 9s 2d")
    board_text = "Ah Kd 9c 9s 2d"
    held = {4: "Kc Qh", 5: "Ks Kh", 7: "Ac 9h"}
    won = {5: 9450, 7: 4100}
    seats = tuple(
        SeatView(
            seat_index=at,
            seat_number=number,
            stack=20000,
            bet=0,
            put_in=0,
            state=(ALL_IN if number == 5 else LIVE) if number in held else FOLDED,
            cards=cards_seen(held[number], up=False) if number in held else (),
            made_hand=best_hand(held[number] + " " + board_text) if number in held else None,
            won=won.get(number, 0),
        )
        for at, number in enumerate(NAMES)
    )
    payments = (
        PaymentView(0, "pot", 4, 9450, seats[4].made_hand),
        PaymentView(1, "pot", 6, 4100, seats[6].made_hand),
    )
    return replace(
        mid_hand(),
        street="showdown",
        seats=seats,
        boards=(board,),
        pot=13550,
        pots=(),
        current_bet=0,
        to_act=-1,
        decision_number=14,
        street_actions=(),
        legal_to_act=None,
        over=True,
        showdown=True,
        payments=payments,
    )


def scene(view: HandView, **changes: object) -> Scene:
    """Return the scene of hand #1284 at table 3; its turn ends at 1,800,000,024."""
    base = Scene(
        table_id=77, table_number=3, hand_number=1284, view=view, people=PEOPLE, deadline=1_800_000_024, emojis=EMOJIS
    )
    return replace(base, **changes)

"""Measure microseconds per panel, JSON included: the cost of a click's words beside everything else it does.

The live table panel is drawn at every action, so it has a goal: under 60 µs at six and at nine seats. CPU time, median of rounds.

    python -m tests.benchmarks.bench_render [--rounds 15] [--calls 2000]
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections.abc import Callable

import pytest

from bot.engine import refusals
from bot.render.hand import private_panels
from bot.render.hand.my_hand import my_hand_panel
from bot.render.hand.result import hand_line, result_panel, shrunk_panel
from bot.render.hand.running_hand import nudge_text, running_hand_panel
from bot.render.message import custom_ids
from bot.render.message.notice import refusal_panel
from bot.render.message.panel import Panel, form_payload, payload
from bot.render.table.lobby import lobby_panel
from tests.render.sample_hands import mid_hand, scene, showdown
from tests.render.test_limits import crowd, full_table
from tests.render.test_lobby import FOUR, table
from tests.render.test_private_panels import own_view
from tests.text.test_refusals import FACING_A_BET

GOAL_US = 60.0


def microseconds(call: Callable[[], object], calls: int, rounds: int) -> float:
    """Return the median CPU time of one call."""
    call()
    found = []
    for _ in range(rounds):
        begun = time.process_time()
        for _ in range(calls):
            call()
        found.append((time.process_time() - begun) / calls * 1e6)
    return statistics.median(found)


def cases() -> dict[str, tuple[Callable[[], object], Panel | None]]:
    """Return what is measured: a call, and the panel whose bytes are printed."""
    running, ended, own = scene(mid_hand()), scene(showdown()), scene(own_view())
    large = scene(full_table(14), people=crowd(14))
    between = table(*FOUR)
    legal = running.view.legal_to_act
    assert legal is not None
    too_small = refusals.RaiseTooSmall(to=1500, minimum=2050, opening=False)
    too_small.legal = FACING_A_BET
    click = custom_ids.button_id(77, 1284, 11, custom_ids.Verb.CALL, 1025)
    return {
        "table, nine seats": (lambda: payload(running_hand_panel(running)), running_hand_panel(running)),
        "table, fourteen seats": (lambda: payload(running_hand_panel(large)), running_hand_panel(large)),
        "result with two pots": (lambda: payload(result_panel(ended)), result_panel(ended)),
        "result, shrunk": (
            lambda: payload(shrunk_panel(ended.table_id, (hand_line(ended),))),
            shrunk_panel(ended.table_id, (hand_line(ended),)),
        ),
        "hole cards by DM": (
            lambda: payload(private_panels.hole_cards_dm(own, "https://discord.com/channels/1/2/3")),
            private_panels.hole_cards_dm(own, "https://discord.com/channels/1/2/3"),
        ),
        "my hand": (lambda: payload(my_hand_panel(own)), my_hand_panel(own)),
        "open table": (lambda: payload(lobby_panel(77, between)), lobby_panel(77, between)),
        "raise form": (lambda: form_payload(private_panels.raise_form(running, legal, 5)), None),
        "refusal": (lambda: payload(refusal_panel(too_small)), refusal_panel(too_small)),
        "nudge": (lambda: nudge_text(running), None),
        "reading a click's id": (lambda: custom_ids.parse_custom_id(click), None),
    }


def main(calls: int = 2000, rounds: int = 15) -> dict[str, float]:
    """Measure and print all."""
    found: dict[str, float] = {}
    print(f"{'':26}{'µs':>8}{'bytes':>8}")
    for name, (call, panel) in cases().items():
        found[name] = microseconds(call, calls, rounds)
        size = len(json.dumps(payload(panel), ensure_ascii=False).encode()) if panel is not None else 0
        print(f"{name:26}{found[name]:>8.1f}{size or '':>8}")
    goal = found["table, nine seats"]
    print(f"table panel: {goal:.1f} µs of {GOAL_US:.0f} allowed ({goal / GOAL_US:.0%})")
    return found


@pytest.mark.bench
def test_how_long_panels_take() -> None:
    """The times are printed and not judged: a busy machine is slow."""
    main(calls=500, rounds=7)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=2000)
    parser.add_argument("--rounds", type=int, default=15)
    chosen = parser.parse_args()
    main(chosen.calls, chosen.rounds)

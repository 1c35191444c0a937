"""Decisions of random hands of all games, on a desktop's page: the table and beside it the panel, with nothing to scroll."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from playwright.async_api import expect

from bot import engine
from bot.engine import commands as c
from bot.engine.errors import LawError
from bot.engine.hand import Hand
from bot.engine.timeout import default_action
from bot.engine.view.build import view
from bot.render.hand.my_hand import my_hand_panel
from bot.render.hand.running_hand import running_hand_panel
from bot.render.hand.scene import Person, Scene
from bot.render.message.panel import payload
from bot.variants import CATALOGUE
from tests.local.fake_page_server import CHANNEL, EPHEMERAL, V2, Json, PageOpener, message
from tests.render.sample_hands import EMOJIS
from tests.render.test_every_game import awaited, dealt
from tests.support.browser import DESKTOP

pytestmark = pytest.mark.asyncio(loop_scope="module")

NAMES = ("Ann", "Bruno", "Chiyo", "Dario", "Ewa", "Fleur", "Gustavo", "Hanna", "Ivy", "Joe")
PEOPLE = {seat: Person(name, 10**17 + seat) for seat, name in enumerate(NAMES, 1)}
STRIP: Json = {
    "id": "2",
    "filename": "table.webp",
    "content_type": "image/webp",
    "width": 1100,
    "height": 480,
    "url": f"http://127.0.0.1:1/cdn/attachments/{CHANNEL}/2/table.webp",
}
OUT_OF_VIEW = """() => {
  const parts = "#table-area :is(.picture, .text, button), #panel-area :is(.text, button)";
  const outside = (part) => {
    const own = part.getBoundingClientRect();
    const area = part.closest("#table-area, #panel-area").getBoundingClientRect();
    return own.top < area.top || own.bottom > Math.min(area.bottom, innerHeight) || own.right > area.right + 1;
  };
  return [...document.querySelectorAll(parts)].filter(outside).map((part) => part.innerText || part.alt);
}"""


@dataclass(frozen=True)
class Shown:
    """A decision as its player sees it, and as everybody does."""

    own: Scene
    public: Scene


def decisions(dice: random.Random) -> Iterator[Shown]:
    """Yield decisions of random hands of all games, at tables of two to nine."""
    while True:
        card = dice.choice(CATALOGUE)
        hand = dealt(card, dice.randint(card.seats_min, min(9, card.seats_max)), dice)
        while not hand.over:
            seat = dice.choice(awaited(hand))
            ends = int(time.time()) + 24
            if dice.random() < 0.1:
                own, public = (
                    Scene(5, 1, 7, view(hand, viewer), PEOPLE, ends, emojis=EMOJIS, picture=True, open_seats=1)
                    for viewer in (seat, None)
                )
                yield Shown(own, public)
            hand = played_on(hand, seat)


def played_on(hand: Hand, seat: int) -> Hand:
    """Return the hand after a check or a call, or else what happens when time is up."""
    for command in (c.Check(), c.Call(), default_action(hand)):
        try:
            return engine.decide_and_evolve(hand, seat, command)[1]
        except LawError:
            continue
    return engine.decide_and_evolve(hand, hand.to_act, default_action(hand))[1]


@pytest.mark.parametrize("count", [20, pytest.param(200, marks=pytest.mark.full)])
async def test_whole_decision_is_beside_its_table(open_page: PageOpener, count: int) -> None:
    server = await open_page(size=DESKTOP)
    every, games = decisions(random.Random(f"beside {count}")), set()
    for at in range(count):
        decision = next(every)
        games.add(decision.own.view.game)
        table = message(2, flags=V2, attachments=[STRIP]) | {"components": payload(running_hand_panel(decision.public))}
        panel = message(3, flags=EPHEMERAL | V2) | {"components": payload(my_hand_panel(decision.own))}
        shown = [message(1, content=f"Good luck {at}."), table, panel]
        server.send(t="history", channel_id=CHANNEL, messages=shown)
        await expect(server.page.locator("#history")).to_contain_text(f"Good luck {at}.")
        await expect(server.page.locator("#table-area .picture")).to_have_count(1)
        hidden = await server.page.evaluate(OUT_OF_VIEW)
        assert hidden == [], f"{decision.own.view.game}, {len(decision.own.view.seats)} seats: {hidden}"
    assert len(games) > count // 5

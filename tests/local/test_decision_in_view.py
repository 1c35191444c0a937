"""Everything that a decision takes is in view on a phone, from the player's panel alone; and how high the messages of a hand are.

Measured in a real browser, on the local page. Nothing is drawn by hand: the decisions are those of random hands of all games.
"""

from __future__ import annotations

import io
import random
import time
from collections.abc import Iterator
from itertools import cycle
from typing import Any

import pytest
from msgspec.structs import replace
from PIL import Image
from playwright.async_api import expect

from bot import engine
from bot.engine.legal import Decision, LegalActions
from bot.engine.view.build import view
from bot.render.hand.my_hand import PanelState, my_hand_panel
from bot.render.hand.private_choices import PrivateChoice
from bot.render.hand.private_panels import own_seat
from bot.render.hand.running_hand import running_hand_panel
from bot.render.hand.scene import Person, Scene
from bot.render.message.panel import Buttons, Panel, Text, payload
from bot.text.cards import card_name
from bot.text.language import number
from bot.variants import CATALOGUE
from tests.local.fake_page_server import CHANNEL, EPHEMERAL, V2, FakeServer, Json, PageOpener, message
from tests.render.sample_hands import EMOJIS, FOLDED, LIVE, best_hand, cards_seen, mid_hand, scene
from tests.render.test_every_game import awaited, dealt
from tests.render.test_read_aloud import lawful

pytestmark = pytest.mark.asyncio(loop_scope="module")

PHONE = {"width": 390, "height": 844}
NAMES = ("Ann", "Bruno", "Chiyo", "Dario", "Ewa", "Fleur", "Gustavo", "Hanna", "Ivy", "Joe", "Kim", "Lou", "Mia", "Ned")
PEOPLE = {seat: Person(name, 10**17 + seat) for seat, name in enumerate(NAMES, 1)}
SEEN = """async () => {
  await Promise.all([...document.images].map((image) => image.decode().catch(() => null)));
  const log = document.querySelector("#log").getBoundingClientRect();
  const article = [...document.querySelectorAll("article")].at(-1), box = article.getBoundingClientRect();
  const text = (node) =>
    node.nodeType === 3 ? node.data : node.alt ?? [...node.childNodes].map(text).join(node.tagName === "BUTTON" ? "" : " ");
  const words = (node) => text(node).replace(/\\s+/g, " ").trim();
  return {
    above: log.top - box.top, below: box.bottom - log.bottom, height: box.height, text: words(article),
    wide: [...article.querySelectorAll("*")].filter((node) => node.getBoundingClientRect().right > log.right).length,
    buttons: [...article.querySelectorAll(".row button")].map(words),
  };
}"""
"""What a reader sees of the newest message: how far it stands out of view, its height, its words with the names of cards, its buttons."""


def decisions(dice: random.Random) -> Iterator[Scene]:
    """Yield what whoever is asked sees, at decisions of random hands of all games, one game after another."""
    for card in cycle(dice.sample(CATALOGUE, len(CATALOGUE))):
        hand = dealt(card, dice.randint(card.seats_min, min(9, card.seats_max)), dice)
        while not hand.over:
            seat = dice.choice(awaited(hand))
            seen = Scene(5, 1, 7, view(hand, seat), PEOPLE, int(time.time()) + 24, emojis=EMOJIS)
            if dice.random() < 0.1:
                yield seen
            hand = engine.decide_and_evolve(hand, seat, dice.choice(lawful(hand, seat, seen, dice)))[1]


def facts(seen: Scene) -> Iterator[str]:
    """Yield what a player has to know at a decision: cards by name, chips as they are written."""
    hand, own = seen.view, own_seat(seen)
    cards = [seat_card.card for seat in hand.seats for seat_card in seat.cards if seat.state is not FOLDED]
    yield from [
        card_name(card) for card in (*cards, *[card for board in hand.boards for card in board]) if card is not None
    ]
    yield f"Pot {number(hand.pot)}"
    if len(hand.pots) > 1:
        yield from [number(pot.chips) for pot in hand.pots]
    for seat in hand.seats:
        if seat is not own and seat.state is not FOLDED:
            yield f"{seen.name(seat.seat_number)} {number(seat.stack) if seat.state is LIVE else 'all-in'}"
            if seat.bet:
                yield number(seat.bet)
            if seat.draw_counts:
                yield "drew" if any(seat.draw_counts) else "stood pat"
    legal = hand.legal
    if legal is not None and legal.call_chips:
        yield f"{number(legal.call_chips)} to call"
    if own.state is LIVE:
        yield number(own.stack)
    yield "ends in "


class Screen:
    """A phone's page on which one message after another is shown."""

    def __init__(self, server: FakeServer) -> None:
        self._server = server
        self._shown = 0

    @classmethod
    async def open(cls, open_page: PageOpener) -> Screen:
        server = await open_page(size=PHONE)
        tile = io.BytesIO()
        Image.new("RGB", (48, 48)).save(tile, "PNG")
        strip = io.BytesIO()
        Image.new("RGB", (1100, 480)).save(strip, "WEBP")

        async def serve_tile(route: Any) -> None:
            await route.fulfill(body=tile.getvalue(), headers={"Content-Type": "image/png"})

        await server.page.route("**/cdn/emojis/*", serve_tile)
        server.pictures[STRIP] = strip.getvalue()
        return cls(server)

    async def show(self, panel: Panel, *, flags: int = 0, files: tuple[Json, ...] = ()) -> Json:
        """Show a message below an earlier one. Returns what its reader sees (`SEEN`)."""
        self._shown += 1
        shown = message(2, flags=flags | V2, attachments=list(files)) | {"components": payload(panel)}
        greeting = f"Good luck {self._shown}."
        self._server.send(t="history", channel_id=CHANNEL, messages=[message(1, content=greeting), shown])
        await expect(self._server.page.locator("article").first).to_contain_text(greeting)
        seen: Json = await self._server.page.evaluate(SEEN)
        return seen


STRIP = "/cdn/attachments/301/2/table.webp"
FILE: Json = {
    "id": "2",
    "filename": "table.webp",
    "content_type": "image/webp",
    "size": 9,
    "width": 1100,
    "height": 480,
}
FILE |= {"url": STRIP, "proxy_url": STRIP}


@pytest.mark.parametrize("count", [30, pytest.param(200, marks=pytest.mark.full)])
async def test_all_facts_of_a_decision_are_in_view(open_page: PageOpener, count: int) -> None:
    """On a phone, from the panel alone, while nobody writes below it."""
    screen, dice = await Screen.open(open_page), random.Random(f"view {count}")
    every, games = decisions(dice), set()
    for _ in range(count):
        decision = next(every)
        games.add(decision.view.game)
        seen = await screen.show(my_hand_panel(decision), flags=EPHEMERAL)
        where = f"{decision.view.game}: {seen['text']}"
        assert seen["above"] <= 0 and seen["below"] <= 0 and not seen["wide"], f"{seen['height']:.0f} px: {where}"
        assert [fact for fact in facts(decision) if fact not in seen["text"]] == [], where
        if decision.view.legal is not None and decision.view.legal.decision is Decision.BET:
            assert len(seen["buttons"]) == len(set(seen["buttons"])) > 0, f"an action twice, or none: {where}"
        table = running_hand_panel(public(decision)).blocks[-1]
        assert isinstance(table, Buttons) and [button.label for button in table.buttons] == ["My hand"]
    assert len(games) > count // 4


def public(decision: Scene) -> Scene:
    """Return the scene that everybody sees while whoever is to act has a panel."""
    seats = tuple(
        replace(seat, cards=tuple(card for card in seat.cards if card.face_up)) for seat in decision.view.seats
    )
    return replace(decision, view=replace(decision.view, viewer=None, seats=seats), acts_in_panel=True)


def holdem(opponents: int, *, own: bool = True) -> Scene:
    """Return a hand on the turn with this many others still in, as river_rat in seat 7 sees it, or as everybody does."""
    still_in = {*(2, 4, 5, 1, 3, 6, 8, 9)[:opponents], 7}
    hand = mid_hand()
    seats = [
        replace(seat, state=LIVE if seat.seat_number in still_in else FOLDED, stack=seat.stack or 5000)
        for seat in hand.seats
    ]
    if own:
        seats[6] = replace(seats[6], cards=cards_seen("Ac 9h"), made_hand=best_hand("Ac 9h Ah Kd 9c 9s"))
        hand = replace(hand, viewer=6, legal=hand.legal_to_act)
    return scene(replace(hand, seats=tuple(seats)), people=PEOPLE, deadline=int(time.time()) + 24)


@pytest.mark.parametrize(("opponents", "height"), [(3, 425), (5, 470), (8, 535)])
async def test_panel_is_no_higher_than_it_must_be(open_page: PageOpener, opponents: int, height: int) -> None:
    screen = await Screen.open(open_page)
    seen = await screen.show(my_hand_panel(holdem(opponents)), flags=EPHEMERAL)
    assert seen["height"] <= height


async def test_panel_is_small_while_drawing(open_page: PageOpener) -> None:
    drawing, legal, held = holdem(3), LegalActions(6, Decision.DRAW, max_cards=3), "Qs Qd 7h 4c 2s"
    seats = [replace(seat, last_action=None, bet=0) for seat in drawing.view.seats]
    seats[6] = replace(seats[6], cards=cards_seen(held), made_hand=best_hand(held), stack=8650)
    asked = {"legal": legal, "legal_to_act": legal, "draw_progress": (1, 1)}
    drawing = replace(drawing, view=replace(drawing.view, seats=tuple(seats), boards=((),), pot=1350, **asked))
    screen = await Screen.open(open_page)
    for code in (0, 3):
        state = PanelState(choice=PrivateChoice(code))
        seen = await screen.show(my_hand_panel(drawing, state=state), flags=EPHEMERAL)
        assert seen["height"] <= 370, seen["text"]


@pytest.mark.parametrize(("still_in", "with_strip", "text_only"), [(6, 450, 320), (9, 520, 390)])
async def test_table_message_is_short(open_page: PageOpener, still_in: int, with_strip: int, text_only: int) -> None:
    """While whoever is to act has a panel; the last hand stands in a line."""
    screen = await Screen.open(open_page)
    table = replace(holdem(still_in - 1, own=False), acts_in_panel=True, open_seats=2, has_book=True)
    for picture, height in ((True, with_strip), (False, text_only)):
        drawn = running_hand_panel(replace(table, picture=picture))
        *above, lines, buttons = drawn.blocks
        assert isinstance(lines, Text)
        last = Text(f"{lines.content}\n-# Last hand: Bruno won 3,550 with a flush, queen high")
        seen = await screen.show(Panel(drawn.accent, (*above, last, buttons)), files=(FILE,) if picture else ())
        assert seen["height"] <= height, seen["text"]


async def test_table_in_text_and_panel_fit_one_screen(open_page: PageOpener) -> None:
    """With up to four still in: what the page has for messages between its bars holds both."""
    screen = await Screen.open(open_page)
    panel = await screen.show(my_hand_panel(holdem(3)), flags=EPHEMERAL)
    table = await screen.show(running_hand_panel(replace(holdem(3, own=False), acts_in_panel=True, open_seats=2)))
    assert panel["height"] + table["height"] <= 732

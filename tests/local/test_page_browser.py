"""The local page in a real browser, before a stand-in that says exactly what the test wants."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from importlib.resources import files
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, Route, WebSocketRoute, expect

from tests.support.browser import DESKTOP, PHONE, SMALL_PHONE, chromium

pytestmark = pytest.mark.asyncio(loop_scope="module")

Json = dict[str, Any]
HOME = "http://localhost:9"  # nobody is there: every request is answered below
FOLDER = files("bot.local") / "page"
POLICY = "default-src 'self'; connect-src 'self' ws:"
TYPES = {"js": "text/javascript", "css": "text/css", "svg": "image/svg+xml", "woff2": "font/woff2", "html": "text/html"}
CHANNEL, DM = "301", "401"
EPHEMERAL, LOADING, V2 = 64, 128, 32768

DEALER: Json = {"id": "100", "username": "Dealer", "bot": True, "avatar": None}
ANN: Json = {"id": "201", "username": "ann", "global_name": "Ann", "avatar": None}
HOSTILE: Json = {"id": "202", "username": "<img src=x onerror=alert(1)>", "avatar": None}
COMMANDS: list[Json] = [
    {"name": "fold", "type": 1, "description": "Give up the hand"},
    {"name": "raise", "type": 1, "description": "Raise", "options": [
        {"type": 3, "name": "to", "description": "Total for this street", "required": True},
    ]},
    {"name": "table", "type": 1, "description": "Tables", "options": [
        {"type": 1, "name": "open", "description": "Open a table", "options": [
            {"type": 3, "name": "game", "description": "Which game", "required": True, "choices": [
                {"name": "Limit hold'em", "value": "FT"}, {"name": "No-limit hold'em", "value": "NT"},
            ]},
            {"type": 4, "name": "seats", "description": "How many", "min_value": 2, "max_value": 14},
        ]},
        {"type": 1, "name": "close", "description": "Close it"},
    ]},
    {"name": "laws", "type": 1, "description": "The law book", "options": [
        {"type": 3, "name": "id", "description": "One law", "autocomplete": True},
    ]},
]  # fmt: skip


def text(content: str) -> Json:
    return {"type": 10, "content": content}


def button(label: str, custom_id: str, style: int = 2) -> Json:
    return {"type": 2, "style": style, "label": label, "custom_id": custom_id}


def row(*parts: Json) -> Json:
    return {"type": 1, "components": list(parts)}


def message(number: int, *parts: Json, content: str = "", flags: int = 0, author: Json = DEALER, **more: Any) -> Json:
    container = [{"type": 17, "accent_color": 0xF2B233, "components": list(parts)}] if parts else []
    return {
        "id": str(1000 + number), "channel_id": CHANNEL, "author": author, "content": content, "components": container,
        "attachments": [], "mentions": [], "timestamp": "2026-01-05T20:14:00+00:00", "edited_timestamp": None,
        "flags": flags | (V2 if parts else 0), **more,
    }  # fmt: skip


class Cardroom:
    """The page of Ann, and the other end of its line."""

    def __init__(self, page: Page, *history: Json) -> None:
        self.page = page
        self.history = list(history)
        self.heard: list[Json] = []
        self.answer: Callable[[Json], Json | None] = lambda frame: {"t": "done"}
        self.dialogs: list[str] = []
        self.live: WebSocketRoute | None = None

    async def open(self) -> Cardroom:
        self.page.on("dialog", lambda dialog: self.dialogs.append(dialog.message))
        await self.page.route(f"{HOME}/**", self._serve)
        await self.page.route_web_socket("**/live", self._listen)
        await self.page.goto(f"{HOME}/p/anns-link")
        await self.page.wait_for_selector("body[data-ready]")
        return self

    async def _serve(self, route: Route) -> None:
        name = route.request.url.rsplit("/", 1)[1]
        item = FOLDER / ("page.html" if "/p/" in route.request.url else name)
        if not item.is_file():
            await route.fulfill(status=404)
            return
        kind = TYPES[item.name.rsplit(".", 1)[1]]
        headers = {"Content-Type": kind, "Content-Security-Policy": POLICY}
        await route.fulfill(body=item.read_bytes(), headers=headers)

    def _listen(self, live: WebSocketRoute) -> None:
        self.live = live
        live.on_message(self._hear)
        channels = [{"id": CHANNEL, "type": 0, "name": "poker"}]
        self.say(
            t="hello", me=ANN, guild={"id": "1", "name": "Cardroom"}, channels=channels, users=[ANN, HOSTILE], now=0,
            dms=[{"id": DM, "recipient": DEALER}], commands=COMMANDS, application=DEALER, bot_online=True, dms_open=True,
        )  # fmt: skip
        self.say(t="history", channel_id=CHANNEL, messages=self.history)

    def _hear(self, raw: str | bytes) -> None:
        frame = json.loads(raw)
        self.heard.append(frame)
        answer = self.answer(frame)
        if answer is not None:
            self.say(**answer, nonce=frame.get("nonce"))

    def say(self, **frame: Any) -> None:
        assert self.live is not None
        self.live.send(json.dumps(frame))

    async def next(self, op: str) -> Json:
        """The last frame of this kind that the page has sent, as soon as there is one; taken off the list."""
        for _ in range(200):
            for frame in self.heard:
                if frame["op"] == op:
                    self.heard.remove(frame)
                    return {key: value for key, value in frame.items() if key not in {"op", "nonce"}}
            await asyncio.sleep(0.02)
        raise AssertionError(f"no {op} came; {self.heard}")

    async def render(self, source: str) -> str:
        """Discord's markdown as the page draws it."""
        script = """async (source) => {
            const { markdown } = await import("/static/markdown.js");
            const book = { me: "201", user: (id) => (id === "201" ? "Ann" : "<Bo>"), channel: () => "poker", role: () => "role" };
            return markdown(source, book).innerHTML;
        }"""
        found = await self.page.evaluate(script, source)
        assert isinstance(found, str)
        return found


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def browser() -> AsyncIterator[Browser]:
    async with chromium() as running:
        yield running


class Opener:
    """Opens pages in one browser, each as a new visitor."""

    def __init__(self, running: Browser) -> None:
        self._browser = running

    async def __call__(self, *history: Json, size: dict[str, int] = PHONE, **state: Any) -> Cardroom:
        viewport: Any = size
        context = await self._browser.new_context(viewport=viewport, locale="en-GB", timezone_id="UTC", **state)
        context.set_default_timeout(10_000)
        return await Cardroom(await context.new_page(), *history).open()


@pytest_asyncio.fixture(loop_scope="module")
async def visit(browser: Browser) -> AsyncIterator[Opener]:
    yield Opener(browser)
    for context in browser.contexts:
        await context.close()


# What is shown -----------------------------------------------------------------------------------------------------------


async def test_hostile_names_and_texts_stay_text(visit: Opener) -> None:
    evil = "<script>alert(1)</script><img src=x onerror=alert(1)> [x](javascript:alert(1)) <@202>"
    room = await visit(
        message(1, text(evil), row(button(evil[:80], "x"))),
        message(2, content=evil, author=HOSTILE),
        message(3, {"type": 12, "items": [{"media": {"url": "javascript:alert(1)"}, "description": evil}]}),
    )
    log = room.page.locator("#log")
    assert await log.locator("script, img[src=x], a[href^=javascript]").count() == 0
    await expect(log.locator(".author").nth(1)).to_have_text(HOSTILE["username"])
    assert "<script>alert(1)</script>" in await log.inner_text()
    assert room.dialogs == []


MARKDOWN = [
    ("**a** *b* _c_ __d__ ~~e~~", "<strong>a</strong> <em>b</em> <em>c</em> <u>d</u> <s>e</s>"),
    ("***both***", "<strong><em>both</em></strong>"),
    ("bob_the_builder 2 * 3 * 4", "bob_the_builder 2 * 3 * 4"),
    (r"\*plain\* \_x\_", "*plain* _x_"),
    ("`a **b**` ``c`d``", "<code>a **b**</code> <code>c`d</code>"),
    ("**open", "**open"),
    ("a & <b>", "a &amp; &lt;b&gt;"),
]


async def test_markdown_is_discords(visit: Opener) -> None:
    room = await visit()
    for source, drawn in MARKDOWN:
        assert await room.render(source) == f'<div class="para">{drawn}</div>', source
    assert await room.render("# A\n## B\n### C\n-# d") == (
        '<h2 class="md-h1">A</h2><h3 class="md-h2">B</h3><h4 class="md-h3">C</h4><div class="subtext">d</div>'
    )
    assert await room.render("- a\n  - b\n- c") == "<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>"
    assert await room.render("3. x\n4. y") == '<ol start="3"><li>x</li><li>y</li></ol>'
    assert await room.render("> a\n> b") == '<blockquote><div class="para">a\nb</div></blockquote>'
    assert await room.render("```py\n*x*\n```") == '<pre tabindex="0"><code>*x*</code></pre>'
    assert "Ann</span>" in await room.render("<@201>")
    assert "@&lt;Bo&gt;</span>" in await room.render("<@!202>")
    assert 'href="https://example.org/a"' in await room.render("see https://example.org/a.")
    emoji = await room.render("x <:ace_of_hearts:5>")
    assert 'src="/cdn/emojis/5.png"' in emoji
    assert 'alt="ace of hearts"' in emoji


async def test_a_long_text_of_marks_is_drawn_at_once(visit: Opener) -> None:
    """4,000 characters are the most a message holds; none of them may hang the page."""
    room = await visit()
    for marks in ("*", "_*", "||", "`", "[", "<@", "**a", "~~*_"):
        source = (marks * 4000)[:4000]
        took = await room.page.evaluate(
            """async (source) => {
                const { markdown } = await import("/static/markdown.js");
                const from = performance.now();
                markdown(source, { me: "", user: () => "", channel: () => "", role: () => "" });
                return performance.now() - from;
            }""",
            source,
        )
        assert took < 500, marks


async def test_times_count_by_themselves(visit: Opener) -> None:
    room = await visit()
    words = await room.page.evaluate(
        """async () => {
            const { stampText } = await import("/static/markdown.js");
            const now = 1767644040;
            return [now + 24, now + 90, now + 60 * 46, now - 120, now].map((unix) => stampText(unix, "R", now * 1000))
                .concat(["t", "T", "d", "D", "f", "F"].map((style) => stampText(now, style, now * 1000)));
        }"""
    )
    assert words[:5] == ["in 24 seconds", "in 1 minute", "in 46 minutes", "2 minutes ago", "now"]
    assert words[5:8] == ["20:14", "20:14:00", "05/01/2026"]
    assert words[10].startswith("Monday")


async def test_who_sees_what_is_said_beside_the_message(visit: Opener) -> None:
    used = {"id": "1", "type": 2, "user": ANN, "name": "chips"}
    room = await visit(
        message(1, text("You have **900**."), flags=EPHEMERAL, interaction_metadata=used),
        message(2, flags=EPHEMERAL | LOADING),
        message(3, content="<@201> your turn", mentions=[ANN], edited_timestamp="2026-01-05T20:15:00+00:00"),
    )
    first, second, third = (room.page.locator("article").nth(at) for at in range(3))
    await expect(first.locator(".used")).to_have_text("AAnn used /chips")
    await expect(first.locator(".only-you")).to_contain_text("Only you can see this")
    await expect(second).to_have_attribute("data-state", "thinking")
    await expect(second).to_contain_text("Dealer is thinking…")
    await expect(third).to_have_attribute("data-mentions-me", "")
    await expect(third).to_contain_text("(edited)")
    await first.locator("[data-dismiss]").click()
    assert await room.next("dismiss") == {"channel_id": CHANNEL, "id": "1001"}
    await expect(room.page.locator("article")).to_have_count(2)


@pytest.mark.parametrize("size", [SMALL_PHONE, PHONE, DESKTOP], ids=["290", "400", "1280"])
@pytest.mark.parametrize("theme", ["dark", "light"])
async def test_nothing_is_wider_than_the_screen(visit: Opener, size: dict[str, int], theme: str) -> None:
    long = "W" * 80
    table = message(
        1, text(f"### {long}\n`2` {long} **15,200** · check\n-# {long}"),
        {"type": 9, "components": [text(long)], "accessory": button(long[:40], "a")},
        row(*(button(f"Raise to {at},000,000", f"r{at}") for at in range(5))),
        row({"type": 3, "custom_id": "s", "options": [{"label": long, "value": "1", "description": long}]}),
    )  # fmt: skip
    room = await visit(table, message(2, content=long * 3), size=size, color_scheme=theme)
    await room.page.locator("[data-select-id]").click()
    widest = await room.page.evaluate(
        """() => {
            const log = document.querySelector("#log");
            const edge = log.getBoundingClientRect().right + 1;
            return [document.documentElement.scrollWidth - innerWidth, log.scrollWidth - log.clientWidth,
                [...log.querySelectorAll("*")].filter((node) => node.getBoundingClientRect().right > edge).length];
        }"""
    )
    assert widest == [0, 0, 0]


# What is done ------------------------------------------------------------------------------------------------------------


async def test_a_newcomer_is_shown_the_one_button(visit: Opener) -> None:
    room = await visit(message(1, text("Table 1"), row(button("Take a seat", "sit", 3), button("Rules", "rules"))))
    seat = room.page.locator("[data-first]")
    await expect(seat).to_have_text("Take a seat")
    await expect(room.page.locator(".first-hint")).to_be_visible()
    await seat.click()
    assert await room.next("click") == {"message_id": "1001", "channel_id": CHANNEL, "custom_id": "sit"}
    await expect(room.page.locator("[data-first], .first-hint")).to_have_count(0)
    await room.page.reload()
    await room.page.wait_for_selector("body[data-ready]")
    await expect(room.page.locator("[data-first]")).to_have_count(0)


async def test_a_click_asks_for_what_was_under_the_finger(visit: Opener) -> None:
    """The table is redrawn between press and release: the click is for the action that was seen, and the house rules on it."""
    room = await visit(message(1, text("Flop"), row(button("Call 40", "t1:h1:7"))))
    call = room.page.locator("[data-label='Call 40']")
    await call.hover()
    await room.page.mouse.down()
    room.say(t="update", message=message(1, text("Turn"), row(button("Call 40", "t1:h1:8"))))
    await expect(call).to_have_attribute("data-custom-id", "t1:h1:8")
    await room.page.mouse.up()
    assert (await room.next("click"))["custom_id"] == "t1:h1:7"


async def test_a_redraw_keeps_the_focus(visit: Opener) -> None:
    room = await visit(message(1, text("Flop"), row(button("Fold", "f1"), button("Peek", "p1"))))
    await room.page.locator("[data-label=Peek]").focus()
    room.say(
        t="update",
        message=message(1, text("Turn"), row(button("Fold", "f2"), button("Call 5", "c2"), button("Peek", "p2"))),
    )
    await expect(room.page.locator("[data-label='Call 5']")).to_be_visible()
    await expect(room.page.locator("[data-label=Peek]")).to_be_focused()
    room.say(t="update", message=message(1, text("Showdown")))
    await expect(room.page.locator("article")).to_be_focused()


async def test_a_failed_interaction_says_so_until_the_next_try(visit: Opener) -> None:
    room = await visit(message(1, text("Flop"), row(button("Check", "c"))))
    room.answer = lambda frame: {"t": "failed", "text": "This interaction failed"}
    await room.page.locator("[data-label=Check]").click()
    await expect(room.page.locator(".failure")).to_have_text("This interaction failed")
    room.answer = lambda frame: {"t": "done"}
    await room.page.locator("[data-label=Check]").click()
    await expect(room.page.locator(".failure")).to_have_count(0)


FORM: Json = {"custom_id": "raise:1", "title": "Raise", "components": [
    {"type": 10, "content": "Your stack is **900**."},
    {"type": 18, "id": 2, "label": "Raise to", "description": "From 80", "component":
        {"type": 4, "id": 3, "custom_id": "to", "style": 1, "required": True, "min_length": 2}},
    {"type": 18, "id": 4, "label": "Size", "component":
        {"type": 21, "id": 5, "custom_id": "size", "required": False,
         "options": [{"label": "Pot", "value": "pot"}, {"label": "All-in", "value": "all"}]}},
    {"type": 18, "id": 6, "label": "Extras", "component":
        {"type": 22, "id": 7, "custom_id": "extras", "required": False, "max_values": 1,
         "options": [{"label": "Loud", "value": "l"}, {"label": "Slow", "value": "s"}]}},
    {"type": 18, "id": 8, "label": "Sure", "component": {"type": 23, "id": 9, "custom_id": "sure"}},
]}  # fmt: skip


async def test_a_form_is_filled_in_by_keyboard_and_sent_in_discords_shape(visit: Opener) -> None:
    room = await visit(message(1, text("Flop"), row(button("Raise…", "r"))))
    page = room.page
    room.answer = lambda frame: (
        {"t": "modal", "modal": FORM, "interaction_id": "77"} if frame["op"] == "click" else {"t": "done"}
    )
    await page.locator("[data-label='Raise…']").click()
    dialog = page.get_by_role("dialog", name="Raise")
    to = dialog.get_by_label("Raise to")
    await expect(to).to_be_focused()
    await page.keyboard.press("Enter")
    await expect(dialog.locator(".problem").first).to_have_text("This field is needed.")
    await page.keyboard.type("4")
    await page.keyboard.press("Enter")
    await expect(dialog.locator(".problem").first).to_have_text("Write at least 2 characters.")
    await page.keyboard.type("k")
    await dialog.get_by_label("All-in").check()
    await dialog.get_by_label("Loud").check()
    await dialog.get_by_label("Slow").check()
    await dialog.get_by_role("button", name="Submit").click()
    await expect(dialog.locator(".problem").nth(2)).to_have_text("Choose at most 1.")
    await dialog.get_by_label("Slow").uncheck()
    await dialog.get_by_label("Sure").check()
    await dialog.get_by_role("button", name="Submit").click()
    sent = await room.next("submit")
    assert (sent["interaction_id"], sent["custom_id"]) == ("77", "raise:1")
    assert [part.get("component") for part in sent["components"]] == [
        None,
        {"type": 4, "id": 3, "custom_id": "to", "value": "4k"},
        {"type": 21, "id": 5, "custom_id": "size", "value": "all"},
        {"type": 22, "id": 7, "custom_id": "extras", "values": ["l"]},
        {"type": 23, "id": 9, "custom_id": "sure", "value": True},
    ]
    await expect(dialog).to_have_count(0)
    await page.locator("[data-label='Raise…']").click()
    await expect(dialog).to_be_visible()
    await page.keyboard.press("Escape")
    await expect(dialog).to_have_count(0)
    await expect(page.locator("[data-label='Raise…']")).to_be_focused()


async def test_a_select_takes_between_the_least_and_the_most(visit: Opener) -> None:
    options = [{"label": label, "value": label[0]} for label in ("Ace", "King", "Queen")]
    discards = {
        "type": 3,
        "custom_id": "d",
        "placeholder": "Discards",
        "min_values": 1,
        "max_values": 2,
        "options": options,
    }
    room = await visit(message(1, text("Draw"), row(discards), row({**discards, "custom_id": "one", "max_values": 1})))
    page = room.page
    many, one = page.get_by_role("combobox").nth(0), page.get_by_role("combobox").nth(1)
    await many.focus()
    for key in (
        "ArrowDown",
        "Enter",
        "ArrowDown",
        "Space",
        "ArrowDown",
        "Enter",
        "Escape",
    ):  # the third is one too many
        await page.keyboard.press(key)
    sent = await room.next("select")
    assert (sent["custom_id"], sent["component_type"], sent["values"]) == ("d", 3, ["A", "K"])
    await expect(many).to_have_text("AceKing")
    await one.click()
    await page.get_by_role("option", name="Queen").click()
    assert (await room.next("select"))["values"] == ["Q"]
    await expect(page.get_by_role("listbox")).to_have_count(0)


async def test_commands_by_keyboard(visit: Opener) -> None:
    room = await visit()
    page, line = room.page, room.page.locator("#say")
    await line.focus()
    await page.keyboard.type("/op")
    await expect(page.locator("#picker [aria-selected=true]")).to_contain_text("/table open")
    await page.keyboard.press("Tab")
    await expect(page.locator("#command-name")).to_have_text("/table open")
    await page.keyboard.type("no-l")
    await page.keyboard.press("Enter")
    await page.keyboard.type("99")
    await page.keyboard.press("Enter")
    await expect(page.locator("#hint")).to_have_text("seats must be from 2 to 14.")
    await page.keyboard.press("Backspace")
    await page.keyboard.press("Enter")
    assert await room.next("slash") == {"channel_id": CHANNEL, "name": "table", "options": [
        {"type": 1, "name": "open", "options": [
            {"type": 3, "name": "game", "value": "NT"}, {"type": 4, "name": "seats", "value": 9},
        ]},
    ]}  # fmt: skip
    await page.keyboard.type("/raise 4k")
    await page.keyboard.press("Enter")
    assert (await room.next("slash"))["options"] == [{"type": 3, "name": "to", "value": "4k"}]
    await page.keyboard.type("/fold")
    await page.keyboard.press("Enter")
    assert await room.next("slash") == {"channel_id": CHANNEL, "name": "fold", "options": []}
    await page.keyboard.type("/raise ")
    await page.keyboard.press("Enter")
    await expect(page.locator("#hint")).to_contain_text("to is needed")
    await page.keyboard.press("Escape")
    await expect(page.locator("#command-name")).to_be_hidden()
    await page.keyboard.type("/nothing")
    await page.keyboard.press("Enter")
    await expect(page.locator("#hint")).to_contain_text("There is no command /nothing")
    assert room.heard == []


async def test_a_tap_on_the_line_keeps_the_command_begun(visit: Opener) -> None:
    room = await visit()
    page, line = room.page, room.page.locator("#say")
    await line.focus()
    await page.keyboard.type("/table open ")
    await line.click()
    await expect(page.locator("#command-name")).to_have_text("/table open")
    await page.keyboard.type("sea")
    await page.keyboard.press("Tab")
    await page.locator("[data-option=seats] .chip-name").click()
    await expect(page.locator("#command-name")).to_have_text("/table open")
    await expect(page.locator("[data-option-input=seats]")).to_be_visible()


async def test_suggestions_are_asked_for_once_the_typing_pauses(visit: Opener) -> None:
    room = await visit()
    page = room.page
    room.answer = lambda frame: (
        {"t": "choices", "choices": [{"name": "B-8 · Raising", "value": "B-8"}]}
        if frame["op"] == "autocomplete"
        else {"t": "failed", "text": "This interaction failed"}
    )
    await page.locator("#say").focus()
    await page.keyboard.type("/laws B-8")
    asked = await room.next("autocomplete")
    assert asked["options"] == [{"type": 3, "name": "id", "value": "B-8", "focused": True}]
    await page.get_by_role("option", name="B-8 · Raising").click()
    await page.keyboard.press("Enter")
    assert (await room.next("slash"))["options"] == [{"type": 3, "name": "id", "value": "B-8"}]
    await expect(page.locator("#hint")).to_have_text("/laws: This interaction failed")


async def test_plain_words_get_a_hint_and_go_nowhere(visit: Opener) -> None:
    room = await visit()
    await room.page.locator("#say").fill("hello everybody")
    await room.page.keyboard.press("Enter")
    await expect(room.page.locator("#hint")).to_contain_text("only slash commands and buttons")
    assert room.heard == []


async def test_a_broken_line_is_shown_and_comes_back(visit: Opener) -> None:
    room = await visit(message(1, text("Flop"), row(button("Check", "c"))))
    page = room.page
    room.history.append(message(2, text("Meanwhile")))
    first = room.live
    assert first is not None
    await first.close(code=1001)
    await expect(page.locator("#banner")).to_contain_text("Reconnecting")
    await expect(page.locator("body")).to_have_attribute("data-connection", "open")
    await expect(page.locator("#banner")).to_be_hidden()
    await expect(page.locator("article")).to_have_count(2)
    room.say(t="bot", online=False)
    await expect(page.locator("#banner")).to_contain_text("The dealer is away")


async def test_a_direct_message_is_announced_and_read(visit: Opener) -> None:
    room = await visit(message(1, text("Flop")))
    page = room.page
    cards = message(5, text("### Hand #7\n# <:ace_of_clubs:1><:nine_of_hearts:2>\nAce of clubs, nine of hearts"))
    room.say(t="create", message={**cards, "channel_id": DM})
    await expect(page.locator("#dm-open .badge")).to_have_text("1")
    await expect(page.locator("#announcer")).to_contain_text("ace of clubs nine of hearts")
    await page.locator("#dm-open").click()
    await expect(page.locator("#place")).to_have_text("Dealer")
    await expect(page.locator("#log article")).to_contain_text("Ace of clubs, nine of hearts")
    await expect(page.locator(".badge")).to_have_count(0)
    await page.locator("#dm-open").click()
    await expect(page.locator("#place")).to_have_text("#poker")


async def test_on_a_desktop_the_direct_messages_lie_beside_the_table(visit: Opener) -> None:
    room = await visit(message(1, text("Flop")), size=DESKTOP)
    room.say(t="create", message={**message(5, text("Your cards")), "channel_id": DM})
    await expect(room.page.locator("#dm-log article")).to_contain_text("Your cards")
    await expect(room.page.locator("#log article")).to_contain_text("Flop")


async def test_people_can_be_invited_and_settings_changed(visit: Opener) -> None:
    room = await visit()
    page = room.page
    room.answer = lambda frame: {"t": "invited", "url": "/p/bos-link", "user": {"id": "9", "username": "Bo"}}
    await page.locator("#side-open").click()
    await page.locator("#theme").select_option("light")
    await expect(page.locator("html")).to_have_attribute("data-theme", "light")
    await page.get_by_role("switch", name="Close my DMs").click()
    assert await room.next("dms") == {"open": False}
    await page.locator("#invite").click()
    await page.get_by_label("Your friend's name").fill("Bo")
    await page.keyboard.press("Enter")
    assert await room.next("invite") == {"name": "Bo"}
    await expect(page.locator("[data-invite-url]")).to_have_value(f"{HOME}/p/bos-link")

"""The local page in a real browser, with a fake server that sends exactly what the test wants."""

from __future__ import annotations

import asyncio
import io
import re
from typing import Any

import pytest
from PIL import Image
from playwright.async_api import Route, expect

from bot.house.rules import HouseRules
from bot.render.help_page import help_panel
from bot.render.house import law_pages
from bot.render.message.panel import payload
from bot.runtime.table_settings import default_table_settings
from bot.variants import CATALOGUE
from tests.local.fake_page_server import (
    ANN,
    BASE_URL,
    CHANNEL,
    DEALER,
    DM,
    EPHEMERAL,
    HOSTILE_USER,
    LOADING,
    V2,
    FakeServer,
    Json,
    PageOpener,
    button,
    message,
    row,
    text,
)
from tests.support.browser import DESKTOP, PHONE, SMALL_PHONE
from tests.support.panel_text import panel_as_text

pytestmark = pytest.mark.asyncio(loop_scope="module")

# What the page shows -----------------------------------------------------------------------------------------------------


async def test_hostile_names_and_texts_stay_text(open_page: PageOpener) -> None:
    markup = "<script>alert(1)</script><img src=x onerror=alert(1)> [x](javascript:alert(1)) <@202>"
    server = await open_page(
        message(1, text(markup), row(button(markup[:80], "x"))),
        message(2, content=markup, author=HOSTILE_USER),
        message(3, {"type": 12, "items": [{"media": {"url": "javascript:alert(1)"}, "description": markup}]}),
    )
    log = server.page.locator("#log")
    assert await log.locator("script, img[src=x], a[href^=javascript]").count() == 0
    await expect(log.locator(".author").nth(1)).to_have_text(HOSTILE_USER["username"])
    assert "<script>alert(1)</script>" in await log.inner_text()
    assert server.dialogs == []


MARKDOWN_EXAMPLES = [
    ("**a** *b* _c_ __d__ ~~e~~", "<strong>a</strong> <em>b</em> <em>c</em> <u>d</u> <s>e</s>"),
    ("***both***", "<strong><em>both</em></strong>"),
    ("bob_the_builder 2 * 3 * 4", "bob_the_builder 2 * 3 * 4"),
    (r"\*plain\* \_x\_", "*plain* _x_"),
    ("`a **b**` ``c`d``", "<code>a **b**</code> <code>c`d</code>"),
    ("**open", "**open"),
    ("a & <b>", "a &amp; &lt;b&gt;"),
]


async def test_markdown_renders_as_in_discord(open_page: PageOpener) -> None:
    server = await open_page()
    for source, html in MARKDOWN_EXAMPLES:
        assert await server.render(source) == f'<div class="paragraph">{html}</div>', source
    assert await server.render("# A\n## B\n### C\n-# d") == (
        '<h2 class="md-h1">A</h2><h3 class="md-h2">B</h3><h4 class="md-h3">C</h4><div class="subtext">d</div>'
    )
    assert await server.render("- a\n  - b\n- c") == "<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>"
    assert await server.render("3. x\n4. y") == '<ol start="3"><li>x</li><li>y</li></ol>'
    assert await server.render("> a\n> b") == '<blockquote><div class="paragraph">a\nb</div></blockquote>'
    assert await server.render("```py\n*x*\n```") == '<pre tabindex="0"><code>*x*</code></pre>'
    assert "Ann</span>" in await server.render("<@201>")
    assert "@&lt;Bo&gt;</span>" in await server.render("<@!202>")
    assert 'href="https://example.org/a"' in await server.render("see https://example.org/a.")
    emoji = await server.render("x <:ace_of_hearts:5>")
    assert 'src="/cdn/emojis/5.png"' in emoji
    assert 'alt="ace of hearts"' in emoji


async def test_long_text_of_markdown_marks_renders_quickly(open_page: PageOpener) -> None:
    """A message holds at most 4,000 characters. No such text may block the page."""
    server = await open_page()
    for marks in ("*", "_*", "||", "`", "[", "<@", "**a", "~~*_"):
        source = (marks * 4000)[:4000]
        milliseconds = await server.page.evaluate(
            """async (source) => {
                const { markdown } = await import("/static/markdown.js");
                const from = performance.now();
                markdown(source, { me: "", user: () => "", channel: () => "", role: () => "" });
                return performance.now() - from;
            }""",
            source,
        )
        assert milliseconds < 500, marks


async def test_timestamps_read_like_the_dealers_own_dates(open_page: PageOpener) -> None:
    server = await open_page()
    texts = await server.page.evaluate(
        """async () => {
            const { formatTimestamp } = await import("/static/markdown.js");
            const now = 1767644040;
            return [now + 24, now + 90, now + 60 * 46, now - 120, now].map((unix) => formatTimestamp(unix, "R", now * 1000))
                .concat(["t", "T", "d", "D", "f", "F"].map((style) => formatTimestamp(now, style, now * 1000)));
        }"""
    )
    assert texts[:5] == ["in 24 seconds", "in 1 minute", "in 46 minutes", "2 minutes ago", "now"]
    assert texts[5:8] == ["20:14", "20:14:00", "5 January 2026"]
    assert texts[8] == "5 January 2026"
    assert texts[10].startswith("Monday, 5 January 2026")


async def test_clock_alone_follows_the_readers_language(open_page: PageOpener) -> None:
    server = await open_page(message(1, text("Since <t:1767644040:d> at <t:1767644040:t>")), locale="en-US")
    await expect(server.page.locator("article .body")).to_have_text("Since 5 January 2026 at 8:14 pm")
    await expect(server.page.locator(".day-heading")).to_have_text("5 January 2026")


async def test_message_notes_show_command_visibility_and_edits(open_page: PageOpener) -> None:
    used = {"id": "1", "type": 2, "user": ANN, "name": "chips"}
    server = await open_page(
        message(1, text("You have **900**."), flags=EPHEMERAL, interaction_metadata=used),
        message(2, flags=EPHEMERAL | LOADING),
        message(
            3,
            content="<@201> your turn, <@&501>, <@&1> and <@&502>",
            mentions=[ANN],
            edited_timestamp="2026-01-05T20:15:00+00:00",
        ),
    )
    first, second, third = (server.page.locator("article").nth(index) for index in range(3))
    await expect(first.locator(".command-used")).to_have_text("AAnn used /chips")
    await expect(first.locator(".ephemeral-note")).to_contain_text("Only you can see this")
    await expect(second).to_have_attribute("data-state", "thinking")
    await expect(second).to_contain_text("Dealer is thinking…")
    await expect(third).to_have_attribute("data-mentions-me", "")
    await expect(third).to_contain_text("(edited)")
    await expect(third).to_contain_text("@Champion, @everyone and @role")
    await first.locator("[data-dismiss]").click()
    assert await server.next_frame("dismiss") == {"channel_id": CHANNEL, "id": "1001"}
    await expect(server.page.locator("article")).to_have_count(2)


@pytest.mark.parametrize("size", [SMALL_PHONE, PHONE, DESKTOP], ids=["290", "400", "1280"])
@pytest.mark.parametrize("theme", ["dark", "light"])
async def test_nothing_is_wider_than_screen(open_page: PageOpener, size: dict[str, int], theme: str) -> None:
    long = "W" * 80
    table = message(
        1, text(f"### {long}\n`2` {long} **15,200** · check\n-# {long}"),
        {"type": 9, "components": [text(long)], "accessory": button(long[:40], "a")},
        row(*(button(f"Raise to {index},000,000", f"r{index}") for index in range(5))),
        row({"type": 3, "custom_id": "s", "options": [{"label": long, "value": "1", "description": long}]}),
    )  # fmt: skip
    server = await open_page(table, message(2, content=long * 3), size=size, color_scheme=theme)
    await server.page.locator("[data-select-id]").click()
    widest = await server.page.evaluate(
        """() => {
            const log = document.querySelector("#log");
            const edge = log.getBoundingClientRect().right + 1;
            return [document.documentElement.scrollWidth - innerWidth, log.scrollWidth - log.clientWidth,
                [...log.querySelectorAll("*")].filter((node) => node.getBoundingClientRect().right > edge).length];
        }"""
    )
    assert widest == [0, 0, 0]


# Pictures ----------------------------------------------------------------------------------------------------------------

GREEN, RED = (30, 120, 82), (214, 52, 62)


def webp(colour: tuple[int, int, int]) -> bytes:
    """Return a picture of the size of a table's, of one colour."""
    file = io.BytesIO()
    Image.new("RGB", (1100, 820), colour).save(file, "WEBP")
    return file.getvalue()


def picture_path(number: int) -> str:
    return f"/cdn/attachments/{CHANNEL}/{number}/table.webp"


def table_with_picture(number: int, alt: str = "Flop. Pot 300.", *words: str) -> Json:
    """Return a table's message that shows the attachment of this number, as the stand-in sends it."""
    media = {
        "url": f"http://127.0.0.1:1{picture_path(number)}",
        "width": 1100,
        "height": 820,
        "content_type": "image/webp",
    }
    gallery = {"type": 12, "items": [{"media": media, "description": alt, "spoiler": False}]}
    lines = [text(each) for each in words or ("`2` Bo **15,200** · check",)]
    return message(1, text("### Flop · Pot 300"), gallery, *lines, row(button("Fold", "f"), button("Call 50", "c")))


@pytest.mark.parametrize("size", [SMALL_PHONE, PHONE, DESKTOP], ids=["290", "400", "1280"])
@pytest.mark.parametrize("theme", ["dark", "light"])
async def test_picture_takes_its_place_before_it_is_loaded(
    open_page: PageOpener, size: dict[str, int], theme: str
) -> None:
    alone = {
        "id": "8",
        "filename": "alone.webp",
        "content_type": "image/webp",
        "width": 1100,
        "height": 820,
        "description": "alone",
    }
    beside = message(0, content="by itself", attachments=[alone | {"url": f"http://127.0.0.1:1{picture_path(8)}"}])
    server = await open_page.server(beside, table_with_picture(7), size=size, color_scheme=theme)
    for number in (7, 8):
        server.pictures[picture_path(number)] = webp(GREEN)
        server.held[picture_path(number)] = asyncio.Event()
    await server.open()
    page = server.page
    measure = """() => [...document.querySelectorAll("#log .picture, #log .button")].map((node) => {
        const { x, y, width, height } = node.getBoundingClientRect();
        return [node.alt ?? node.dataset.label, ...[x, y, width, height].map(Math.round)];
    })"""
    before = await page.evaluate(measure)
    assert sorted(name for name, *_ in before) == ["Call 50", "Flop. Pot 300.", "Fold", "alone"]
    pictures = [shape for name, _, _, *shape in before if name in {"alone", "Flop. Pot 300."}]
    assert all(abs(width / height - 1100 / 820) < 0.01 for width, height in pictures)
    assert all(x >= 0 and x + width <= size["width"] for _, x, _, width, _ in before)
    for held in server.held.values():
        held.set()
    await page.evaluate("() => Promise.all([...document.querySelectorAll('#log .picture')].map((one) => one.decode()))")
    assert await page.evaluate(measure) == before


async def test_edit_with_the_same_picture_does_not_load_it_again(open_page: PageOpener) -> None:
    """Also where lines come before it and after it."""
    server = await open_page.server(table_with_picture(7))
    server.pictures[picture_path(7)] = webp(GREEN)
    await server.open()
    picture = server.page.locator("#log .picture")
    await picture.evaluate("async (one) => { await one.decode(); one.id = 'same'; }")
    for number in range(5):
        edited = table_with_picture(7, f"Flop. Pot 300. Step {number}.", *["line"] * number)
        parts = edited["components"][0]["components"]
        parts[1:1] = [text("small print")] * (number % 3)
        server.send(t="update", message=edited)
        await expect(picture).to_have_attribute("alt", f"Flop. Pot 300. Step {number}.")
        assert await picture.evaluate("(one) => one.complete && one.naturalWidth > 0 && one.isConnected"), number
        assert await server.page.locator("#log .picture").count() == 1
    assert server.asked_for == [picture_path(7)]


async def test_old_picture_stays_until_the_new_one_can_be_shown(open_page: PageOpener) -> None:
    server = await open_page.server(table_with_picture(7))
    server.pictures |= {picture_path(7): webp(GREEN), picture_path(8): webp(RED), picture_path(9): webp(RED)}
    server.held |= {picture_path(8): asyncio.Event(), picture_path(9): asyncio.Event()}
    await server.open()
    picture = server.page.locator("#log .picture")
    await picture.evaluate("(one) => one.decode()")
    server.send(t="update", message=table_with_picture(8, "Turn. Pot 300."))
    await expect(picture).to_have_attribute("alt", "Turn. Pot 300.")
    assert await shown_colour(server) == "green"
    server.send(t="update", message=table_with_picture(8, "Turn. Pot 400."))
    server.send(t="update", message=table_with_picture(9, "River. Pot 400."))
    await expect(picture).to_have_attribute("alt", "River. Pot 400.")
    server.held[picture_path(9)].set()
    await expect(picture).to_have_attribute("src", picture_path(9))
    assert await shown_colour(server) == "red"
    server.held[picture_path(8)].set()  # it comes too late
    server.send(t="update", message=table_with_picture(9, "River. Pot 500."))
    await expect(picture).to_have_attribute("alt", "River. Pot 500.")
    await expect(picture).to_have_attribute("src", picture_path(9))
    assert sorted(server.asked_for) == [picture_path(number) for number in (7, 8, 9)]


async def test_picture_that_cannot_be_loaded_leaves_its_words(open_page: PageOpener) -> None:
    server = await open_page.server(table_with_picture(7))
    server.pictures[picture_path(7)] = webp(GREEN)
    await server.open()
    picture = server.page.locator("#log .picture")
    await picture.evaluate("(one) => one.decode()")
    server.send(t="update", message=table_with_picture(8, "Turn. Pot 300."))
    await expect(picture).to_have_attribute("src", picture_path(8))
    await expect(picture).to_have_attribute("alt", "Turn. Pot 300.")


async def shown_colour(server: FakeServer) -> str:
    """Return the colour in the middle of the picture, as the screen shows it."""
    shot = Image.open(io.BytesIO(await server.page.locator("#log .picture").screenshot())).convert("RGB")
    pixel = shot.getpixel((shot.width // 2, shot.height // 2))
    assert isinstance(pixel, tuple)
    near = {
        name: sum(abs(a - b) for a, b in zip(pixel, colour, strict=True)) < 30
        for name, colour in (("green", GREEN), ("red", RED))
    }
    return next((name for name, is_near in near.items() if is_near), str(pixel))


@pytest.mark.parametrize("size", [SMALL_PHONE, PHONE, DESKTOP], ids=["290", "400", "1280"])
async def test_picture_is_opened_large_and_closed_by_escape(open_page: PageOpener, size: dict[str, int]) -> None:
    server = await open_page.server(table_with_picture(7), size=size)
    server.pictures[picture_path(7)] = webp(GREEN)
    await server.open()
    page, link = server.page, server.page.locator("#log .picture-link")
    in_message = await page.locator("#log .picture").bounding_box()
    await link.click()
    large = page.locator("dialog[open] img")
    await large.evaluate("(one) => one.decode()")
    assert await large.get_attribute("alt") == "Flop. Pot 300."
    box = await large.bounding_box()
    assert in_message is not None and box is not None
    assert box["width"] > 1.5 * in_message["width"] and box["height"] <= size["height"]
    assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    await page.keyboard.press("Escape")
    await expect(page.locator("dialog")).to_have_count(0)
    await expect(link).to_be_focused()
    await page.keyboard.press("Enter")
    server.send(t="update", message=table_with_picture(7, "Flop. Pot 350."))
    await page.get_by_role("button", name="Close").click()
    await expect(page.locator("dialog")).to_have_count(0)
    await expect(link).to_be_focused()
    assert server.asked_for == [picture_path(7)]


async def test_help_fits_a_phone(open_page: PageOpener) -> None:
    """At most 760 of the 860 pixels: the message box needs the rest."""
    panel = help_panel(staff=True, table_channel=int(CHANNEL), is_here=True, is_seated=True)
    server = await open_page(message(0, flags=64 | V2) | {"components": payload(panel)})
    box = await server.page.locator("article").bounding_box()
    assert box is not None and box["height"] <= 760


async def test_every_section_of_the_laws_fits_a_phone(open_page: PageOpener) -> None:
    """At most 700 pixels, of every game: the longest ones are measured."""
    games = [default_table_settings(card, HouseRules()) for card in CATALOGUE]
    panels = [
        law_pages.laws_in_force_panel(game, section=section)
        for game in games
        for section in range(len(law_pages.law_sections(game)))
    ]
    longest = sorted(panels, key=lambda panel: len(panel_as_text(panel).partition("▾")[0]), reverse=True)[:24]
    shown = [message(at, flags=64 | V2) | {"components": payload(panel)} for at, panel in enumerate(longest)]
    server = await open_page(*shown)
    articles = server.page.locator("article")
    await expect(articles).to_have_count(len(longest))
    boxes = [await article.bounding_box() for article in await articles.all()]
    assert [box["height"] for box in boxes if box is not None and box["height"] > 700] == []


# What people do -----------------------------------------------------------------------------------------------------------


async def test_newcomer_is_pointed_to_seat_button_once(open_page: PageOpener) -> None:
    server = await open_page(
        message(1, text("Table 1"), row(button("Take a seat", "sit", 3), button("Rules", "rules")))
    )
    seat = server.page.locator("[data-newcomer]")
    await expect(seat).to_have_text("Take a seat")
    await expect(server.page.locator(".newcomer-hint")).to_be_visible()
    await seat.click()
    assert await server.next_frame("click") == {"message_id": "1001", "channel_id": CHANNEL, "custom_id": "sit"}
    await expect(server.page.locator("[data-newcomer], .newcomer-hint")).to_have_count(0)
    await server.page.reload()
    await server.page.wait_for_selector("body[data-ready]")
    await expect(server.page.locator("[data-newcomer]")).to_have_count(0)


async def test_redraw_during_click_keeps_pressed_custom_id(open_page: PageOpener) -> None:
    """The message is redrawn between press and release. The click counts for the button that the person saw."""
    server = await open_page(message(1, text("Flop"), row(button("Call 40", "t1:h1:7"))))
    call = server.page.locator("[data-label='Call 40']")
    await call.hover()
    await server.page.mouse.down()
    server.send(t="update", message=message(1, text("Turn"), row(button("Call 40", "t1:h1:8"))))
    await expect(call).to_have_attribute("data-custom-id", "t1:h1:8")
    await server.page.mouse.up()
    assert (await server.next_frame("click"))["custom_id"] == "t1:h1:7"


async def test_redraw_keeps_focus(open_page: PageOpener) -> None:
    server = await open_page(message(1, text("Flop"), row(button("Fold", "f1"), button("Peek", "p1"))))
    await server.page.locator("[data-label=Peek]").focus()
    server.send(
        t="update",
        message=message(1, text("Turn"), row(button("Fold", "f2"), button("Call 5", "c2"), button("Peek", "p2"))),
    )
    await expect(server.page.locator("[data-label='Call 5']")).to_be_visible()
    await expect(server.page.locator("[data-label=Peek]")).to_be_focused()
    server.send(t="update", message=message(1, text("Showdown")))
    await expect(server.page.locator("article")).to_be_focused()


async def test_message_is_called_by_its_first_line(open_page: PageOpener) -> None:
    server = await open_page(message(1, text("### Flop · Pot 300\n-# Table 1"), row(button("Fold", "f"))))
    await expect(server.page.locator("article")).to_have_attribute(
        "aria-label", re.compile("^Dealer, .+: Flop · Pot 300$")
    )


async def test_one_key_leads_to_the_newest_buttons(open_page: PageOpener) -> None:
    """T focuses the green button of the newest message, Enter presses it; inside the message box it is a letter."""
    server = await open_page(
        message(1, text("Old"), row(button("Take a seat", "sit", 3))),
        message(2, text("Your turn"), row(button("Fold", "f"), button("Call 40", "c", 3))),
        message(3, text("No buttons")),
    )
    page = server.page
    await page.locator("body").press("t")
    await expect(page.locator("[data-label='Call 40']")).to_be_focused()
    await page.keyboard.press("Enter")
    assert (await server.next_frame("click"))["custom_id"] == "c"
    await page.locator("#message-input").press("t")
    await expect(page.locator("#message-input")).to_be_focused()
    await page.locator("[data-skip-to-buttons]").focus()
    await page.keyboard.press("Enter")
    await expect(page.locator("[data-label='Call 40']")).to_be_focused()


async def test_failure_is_shown_until_next_attempt(open_page: PageOpener) -> None:
    server = await open_page(message(1, text("Flop"), row(button("Check", "c"))))
    server.answer = lambda frame: {"t": "failed", "text": "This interaction failed"}
    await server.page.locator("[data-label=Check]").click()
    await expect(server.page.locator(".failure")).to_have_text("This interaction failed")
    server.answer = lambda frame: {"t": "done"}
    await server.page.locator("[data-label=Check]").click()
    await expect(server.page.locator(".failure")).to_have_count(0)


MODAL: Json = {"custom_id": "raise:1", "title": "Raise", "components": [
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


async def test_modal_is_filled_in_by_keyboard_and_submitted(open_page: PageOpener) -> None:
    server = await open_page(message(1, text("Flop"), row(button("Raise…", "r"))))
    page = server.page
    server.answer = lambda frame: (
        {"t": "modal", "modal": MODAL, "interaction_id": "77"} if frame["op"] == "click" else {"t": "done"}
    )
    await page.locator("[data-label='Raise…']").click()
    dialog = page.get_by_role("dialog", name="Raise")
    to = dialog.get_by_label("Raise to")
    await expect(to).to_be_focused()
    await page.keyboard.press("Enter")
    await expect(dialog.locator(".field-error").first).to_have_text("This field is required.")
    await page.keyboard.type("4")
    await page.keyboard.press("Enter")
    await expect(dialog.locator(".field-error").first).to_have_text("Enter at least 2 characters.")
    await page.keyboard.type("k")
    await dialog.get_by_label("All-in").check()
    await dialog.get_by_label("Loud").check()
    await dialog.get_by_label("Slow").check()
    await dialog.get_by_role("button", name="Submit").click()
    await expect(dialog.locator(".field-error").nth(2)).to_have_text("Choose at most 1.")
    await dialog.get_by_label("Slow").uncheck()
    await dialog.get_by_label("Sure").check()
    await dialog.get_by_role("button", name="Submit").click()
    sent = await server.next_frame("submit")
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


FILE_MODAL: Json = {"title": "Import hands", "custom_id": "import:1", "components": [
    {"type": 18, "id": 1, "label": "File with hands", "description": "PHH, PHHS or PokerStars text, up to 4 MB.", "component":
        {"type": 19, "id": 2, "custom_id": "file", "required": True, "min_values": 1, "max_values": 1}},
]}  # fmt: skip


async def test_form_takes_a_file_and_names_it_by_its_id(open_page: PageOpener) -> None:
    server = await open_page(message(1, text("Hands"), row(button("Import a hand", "i"))))
    page = server.page
    server.answer = lambda frame: (
        {"t": "modal", "modal": FILE_MODAL, "interaction_id": "78"} if frame["op"] == "click" else {"t": "done"}
    )
    answers = iter(({"error": "A file can have at most 10 MB."}, {"id": "555", "filename": "a.phh", "size": 1234}))

    async def take(route: Route) -> None:
        assert route.request.method == "POST" and "name=a.phh" in route.request.url
        await route.fulfill(json=next(answers))

    await page.route("**/files?*", take)
    await page.locator("[data-label='Import a hand']").click()
    dialog = page.get_by_role("dialog", name="Import hands")
    await dialog.get_by_role("button", name="Submit").click()
    await expect(dialog.locator(".field-error")).to_have_text("Choose a file.")
    field = dialog.get_by_label("File with hands")
    chosen: Any = {"name": "a.phh", "mimeType": "text/plain", "buffer": b"variant = 'NT'"}
    await field.set_input_files(chosen)
    await expect(dialog.get_by_role("status")).to_have_text("A file can have at most 10 MB.")
    await dialog.get_by_role("button", name="Submit").click()
    await expect(dialog.locator(".field-error")).to_have_text("A file can have at most 10 MB.")
    await field.set_input_files([])
    await field.set_input_files(chosen)
    await expect(dialog.get_by_role("status")).to_have_text("a.phh, 1,234 bytes")
    box = await dialog.bounding_box()
    size = page.viewport_size
    assert box is not None and size is not None and box["width"] <= size["width"]
    await dialog.get_by_role("button", name="Submit").click()
    sent = await server.next_frame("submit")
    assert sent["components"] == [
        {"type": 18, "id": 1, "component": {"type": 19, "id": 2, "custom_id": "file", "values": ["555"]}}
    ]
    await expect(dialog).to_have_count(0)


async def test_select_enforces_minimum_and_maximum(open_page: PageOpener) -> None:
    options = [{"label": label, "value": label[0]} for label in ("Ace", "King", "Queen")]
    discards = {
        "type": 3,
        "custom_id": "d",
        "placeholder": "Discards",
        "min_values": 1,
        "max_values": 2,
        "options": options,
    }
    server = await open_page(
        message(1, text("Draw"), row(discards), row({**discards, "custom_id": "one", "max_values": 1}))
    )
    page = server.page
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
    ):  # the third option is one too many
        await page.keyboard.press(key)
    sent = await server.next_frame("select")
    assert (sent["custom_id"], sent["component_type"], sent["values"]) == ("d", 3, ["A", "K"])
    await expect(many).to_have_text("AceKing")
    await one.click()
    await page.get_by_role("option", name="Queen").click()
    assert (await server.next_frame("select"))["values"] == ["Q"]
    await expect(page.get_by_role("listbox")).to_have_count(0)


async def test_commands_are_entered_by_keyboard(open_page: PageOpener) -> None:
    server = await open_page()
    page, message_input = server.page, server.page.locator("#message-input")
    await message_input.focus()
    await page.keyboard.type("/op")
    await expect(page.locator("#picker [aria-selected=true]")).to_contain_text("/table open")
    await page.keyboard.press("Tab")
    await expect(page.locator("#command-name")).to_have_text("/table open")
    await page.keyboard.type("no-l")
    await page.keyboard.press("Enter")
    await page.keyboard.type("99")
    await page.keyboard.press("Enter")
    await expect(page.locator("#hint")).to_have_text("seats must be from 2 to 14.")
    await page.keyboard.type("9")  # what was wrong is marked: the next key replaces it
    await page.keyboard.press("Enter")
    assert await server.next_frame("slash") == {"channel_id": CHANNEL, "name": "table", "options": [
        {"type": 1, "name": "open", "options": [
            {"type": 3, "name": "game", "value": "NT"}, {"type": 4, "name": "seats", "value": 9},
        ]},
    ]}  # fmt: skip
    await page.keyboard.type("/raise 4k")
    await page.keyboard.press("Enter")
    assert (await server.next_frame("slash"))["options"] == [{"type": 3, "name": "to", "value": "4k"}]
    await page.keyboard.type("/fold")
    await page.keyboard.press("Enter")
    assert await server.next_frame("slash") == {"channel_id": CHANNEL, "name": "fold", "options": []}
    await page.keyboard.type("/raise ")
    await page.keyboard.press("Enter")
    await expect(page.locator("#hint")).to_contain_text("to is required")
    await page.keyboard.press("Escape")
    await expect(page.locator("#command-name")).to_be_hidden()
    await page.keyboard.type("/nothing")
    await page.keyboard.press("Enter")
    assert await server.next_frame("slash") == {"channel_id": CHANNEL, "name": "nothing", "options": []}
    assert server.received == []


async def test_options_typed_by_name_become_fields(open_page: PageOpener) -> None:
    """As in Discord's own box, "game:" and "seats:" name the options that they stand before."""
    server = await open_page()
    page = server.page
    expected = {"channel_id": CHANNEL, "name": "table", "options": [
        {"type": 1, "name": "open", "options": [
            {"type": 3, "name": "game", "value": "NT"}, {"type": 4, "name": "seats", "value": 9},
        ]},
    ]}  # fmt: skip
    for typed in ("/table open game:No-limit hold'em seats:9", "/table open No-limit hold'em seats: 9"):
        await page.locator("#message-input").focus()
        await page.keyboard.insert_text(typed)
        await page.keyboard.press("Enter")
        assert await server.next_frame("slash") == expected
        await page.keyboard.type(typed)
        await page.keyboard.press("Enter")
        assert await server.next_frame("slash") == expected


async def test_failed_command_does_not_stick_to_the_next_one(open_page: PageOpener) -> None:
    server = await open_page()
    page = server.page
    hint = page.locator("#hint")
    await page.locator("#message-input").focus()
    await page.keyboard.type("/table close now")
    await page.keyboard.press("Enter")
    await expect(hint).to_have_text("/table close has no option “now”.")
    assert server.received == []
    await page.keyboard.type("/table open nothing")
    await page.keyboard.press("Enter")
    await expect(hint).to_have_text("game: choose one from the list.")
    await page.keyboard.type("/raise 4k")
    await expect(page.locator("#command-name")).to_have_text("/raise")
    await page.keyboard.press("Enter")
    assert (await server.next_frame("slash"))["options"] == [{"type": 3, "name": "to", "value": "4k"}]
    await page.keyboard.type("/table open no")
    await page.keyboard.press("Tab")
    await page.keyboard.type("many more")
    await page.keyboard.press("Enter")
    await expect(hint).to_contain_text("seats must be a whole number")
    await page.keyboard.type("6")
    await page.keyboard.press("Enter")
    assert (await server.next_frame("slash"))["options"][0]["options"][1] == {"type": 4, "name": "seats", "value": 6}


async def test_escape_empties_the_box_and_arrow_up_restores(open_page: PageOpener) -> None:
    server = await open_page()
    page, box = server.page, server.page.locator("#message-input")
    await box.focus()
    for typed in ("/tab", "/raise to:4k", "hello"):
        await page.keyboard.type(typed)
        await page.keyboard.press("Escape")
        await expect(box).to_have_value("")
        await expect(page.locator("#command-name")).to_be_hidden()
        await expect(page.locator("#picker")).to_be_hidden()
    server.answer = lambda frame: {"t": "failed", "text": "Not connected. Wait a moment."}
    await page.keyboard.type("/raise to:4k")
    await page.keyboard.press("Enter")
    await server.next_frame("slash")
    await expect(page.locator("#hint")).to_contain_text("Press ↑ to get /raise back.")
    await expect(box).to_have_value("")
    await page.keyboard.press("ArrowUp")
    await expect(page.locator("[data-option-input=to]")).to_have_value("4k")
    await page.keyboard.press("Enter")
    assert (await server.next_frame("slash"))["options"] == [{"type": 3, "name": "to", "value": "4k"}]


@pytest.mark.parametrize(
    ("suggested", "sent"),
    [(["Limit Badugi"], "limit-badugi"), (["Badugi", "Limit Badugi"], "badu"), (["Razz"], "badu"), ([], "badu")],
)
async def test_only_suggestion_is_taken_when_sending(open_page: PageOpener, suggested: list[str], sent: str) -> None:
    """Enter is pressed before the list is there. Where the list leaves a choice, the dealer gets what was typed."""
    server = await open_page()
    choices = [{"name": name, "value": name.lower().replace(" ", "-")} for name in suggested]
    server.answer = lambda frame: (
        {"t": "choices", "choices": choices} if frame["op"] == "autocomplete" else {"t": "done"}
    )
    await server.page.locator("#message-input").focus()
    await server.page.keyboard.insert_text("/laws id:badu")
    await server.page.keyboard.press("Enter")
    await server.page.keyboard.press("Enter")
    assert (await server.next_frame("slash"))["options"] == [{"type": 3, "name": "id", "value": sent}]
    assert not [frame for frame in server.received if frame["op"] == "slash"], "sent once"


async def test_command_that_is_gone_is_answered_by_the_dealer(open_page: PageOpener) -> None:
    """The page shows the nearest names; Enter asks the dealer, who knows what the command is called now."""
    server = await open_page()
    page = server.page
    await page.locator("#message-input").focus()
    await page.keyboard.type("/foldd")
    await expect(page.locator("#picker-heading")).to_contain_text("There is no command /foldd.")
    await expect(page.get_by_role("option", name="/fold")).to_be_visible()
    await page.keyboard.press("Enter")
    assert await server.next_frame("slash") == {"channel_id": CHANNEL, "name": "foldd", "options": []}
    await page.keyboard.type("/fold quickly")
    await page.keyboard.press("Enter")
    assert (await server.next_frame("slash"))["options"] == [{"type": 1, "name": "quickly", "options": []}]
    await page.keyboard.type("/table list")
    await page.keyboard.press("Enter")
    gone = {"channel_id": CHANNEL, "name": "table", "options": [{"type": 1, "name": "list", "options": []}]}
    assert await server.next_frame("slash") == gone
    server.answer = lambda frame: {"t": "failed", "text": "There is no /sitout here."}
    await page.keyboard.type("/sitout")
    await page.keyboard.press("Enter")
    await expect(page.locator("#hint")).to_have_text("There is no /sitout here. Press ↑ to get /sitout back.")
    await page.keyboard.type("/raisd")
    await page.keyboard.press("ArrowDown")
    await page.keyboard.press("Enter")
    await expect(page.locator("#command-name")).to_have_text("/raise")


async def test_click_on_input_keeps_started_command(open_page: PageOpener) -> None:
    server = await open_page()
    page, message_input = server.page, server.page.locator("#message-input")
    await message_input.focus()
    await page.keyboard.type("/table open ")
    await message_input.click()
    await expect(page.locator("#command-name")).to_have_text("/table open")
    await page.keyboard.type("sea")
    await page.keyboard.press("Tab")
    await page.locator("[data-option=seats] .chip-name").click()
    await expect(page.locator("#command-name")).to_have_text("/table open")
    await expect(page.locator("[data-option-input=seats]")).to_be_visible()


async def test_suggestions_are_requested_when_typing_pauses(open_page: PageOpener) -> None:
    server = await open_page()
    page = server.page
    server.answer = lambda frame: (
        {"t": "choices", "choices": [{"name": "B-8 · Raising", "value": "B-8"}]}
        if frame["op"] == "autocomplete"
        else {"t": "failed", "text": "This interaction failed"}
    )
    await page.locator("#message-input").focus()
    await page.clock.install(time=0)
    await page.clock.pause_at(1000)
    await page.keyboard.type("/laws B-8")
    assert server.received == []
    await page.clock.run_for(200)
    await page.clock.resume()
    asked = await server.next_frame("autocomplete")
    assert asked["options"] == [{"type": 3, "name": "id", "value": "B-8", "focused": True}]
    await page.get_by_role("option", name="B-8 · Raising").click()
    await page.keyboard.press("Enter")
    assert (await server.next_frame("slash"))["options"] == [{"type": 3, "name": "id", "value": "B-8"}]
    await expect(page.locator("#hint")).to_have_text("/laws: This interaction failed. Press ↑ to get /laws back.")


async def test_plain_text_is_sent_with_mentions(open_page: PageOpener) -> None:
    server = await open_page()
    server.answer = lambda frame: {"t": "done"}
    box = server.page.locator("#message-input")
    await box.fill("hello @Ann")
    await server.page.keyboard.press("Enter")
    said = await server.next_frame("say")
    assert said["text"] == f"hello <@{ANN['id']}>"
    await expect(box).to_have_value("")


async def test_refused_text_stays_in_the_box(open_page: PageOpener) -> None:
    server = await open_page()
    server.answer = lambda frame: {"t": "failed", "text": "You're writing too fast. Wait a moment."}
    box = server.page.locator("#message-input")
    await box.fill("hello")
    await server.page.keyboard.press("Enter")
    await expect(server.page.locator("#hint")).to_have_text("You're writing too fast. Wait a moment.")
    await expect(box).to_have_value("hello")


async def test_only_own_messages_can_be_deleted(open_page: PageOpener) -> None:
    own = message(2, text("mine")) | {"author": ANN}
    server = await open_page(message(1, text("Flop")), own)
    server.answer = lambda frame: {"t": "done"}
    await expect(server.page.locator("[data-delete]")).to_have_count(1)
    await server.page.locator("article", has_text="mine").hover()
    await server.page.locator("[data-delete]").click()
    assert (await server.next_frame("delete"))["message_id"] == own["id"]


async def test_lost_connection_is_shown_and_restored(open_page: PageOpener) -> None:
    server = await open_page(message(1, text("Flop"), row(button("Check", "c"))))
    page = server.page
    server.history.append(message(2, text("Meanwhile")))
    first = server.socket
    assert first is not None
    await first.close(code=1001)
    await expect(page.locator("#banner")).to_contain_text("Reconnecting")
    await expect(page.locator("body")).to_have_attribute("data-connection", "open")
    await expect(page.locator("#banner")).to_be_hidden()
    await expect(page.locator("article")).to_have_count(2)
    server.send(t="bot", online=False)
    await expect(page.locator("#banner")).to_contain_text("The dealer is offline")


async def test_direct_message_is_announced_and_can_be_read(open_page: PageOpener) -> None:
    server = await open_page(message(1, text("Flop")))
    page = server.page
    cards = message(5, text("### Hand #7\n# <:ace_of_clubs:1><:nine_of_hearts:2>\nAce of clubs, nine of hearts"))
    server.send(t="create", message={**cards, "channel_id": DM})
    await expect(page.locator("#dm-toggle .badge")).to_have_text("1")
    await expect(page.locator("#announcer")).to_contain_text("ace of clubs nine of hearts")
    await page.locator("#dm-toggle").click()
    await expect(page.locator("#channel-name")).to_have_text("Dealer")
    await expect(page.locator("#log article")).to_contain_text("Ace of clubs, nine of hearts")
    await expect(page.locator(".badge")).to_have_count(0)
    await page.locator("#dm-toggle").click()
    await expect(page.locator("#channel-name")).to_have_text("#poker")


async def test_new_and_removed_channels_are_shown_at_once(open_page: PageOpener) -> None:
    server = await open_page(message(1, text("Flop")), size=DESKTOP)
    link = server.page.get_by_role("button", name="high-stakes")
    server.send(t="channel", channel={"id": "302", "type": 0, "name": "high-stakes"})
    server.send(t="create", message={**message(5, text("Big game")), "channel_id": "302"})
    await link.click()
    await expect(server.page.locator("#channel-name")).to_have_text("#high-stakes")
    await expect(server.page.locator("#log article")).to_contain_text("Big game")
    server.send(t="channel_gone", id="302")
    await expect(server.page.locator("#channel-name")).to_have_text("#poker")
    await expect(server.page.locator("#log article")).to_contain_text("Flop")
    await expect(link).to_have_count(0)
    server.send(t="dm", dm={"id": "402", "recipient": HOSTILE_USER})
    await expect(server.page.locator("#dm-list")).to_contain_text(HOSTILE_USER["username"])


async def test_people_can_be_invited_and_settings_changed(open_page: PageOpener) -> None:
    server = await open_page()
    page = server.page
    server.answer = lambda frame: {"t": "invited", "url": "/p/bos-link", "user": {"id": "9", "username": "Bo"}}
    await page.locator("#sidebar-open").click()
    await page.get_by_text("Settings").click()
    await page.locator("#theme").select_option("light")
    await expect(page.locator("html")).to_have_attribute("data-theme", "light")
    await page.get_by_role("switch", name="Close my DMs").click()
    assert await server.next_frame("dms") == {"open": False}
    await page.locator("#invite").click()
    await page.get_by_label("Your friend's name").fill("Bo")
    await page.keyboard.press("Enter")
    assert await server.next_frame("invite") == {"name": "Bo"}
    await expect(page.locator("[data-invite-url]")).to_have_value(f"{BASE_URL}/p/bos-link")


async def test_owner_removes_people_after_confirming(open_page: PageOpener) -> None:
    server = await open_page()
    page = server.page
    await page.locator("#sidebar-open").click()
    await expect(page.locator("#remove-people")).to_be_hidden()
    server.send(
        t="hello", me=ANN, guild={"id": "1", "name": "Cardroom"}, channels=[{"id": CHANNEL, "type": 0, "name": "poker"}], now=0,
        users=[ANN, {"id": "202", "username": "Bo"}], dms=[], commands=[], application=DEALER, bot_online=True, is_owner=True,
    )  # fmt: skip
    await page.get_by_text("Settings").click()
    await page.locator("#remove-people").click()
    await page.get_by_role("button", name="Remove Bo").click()
    assert server.received == [], "asked first"
    await page.get_by_role("button", name="Really remove Bo?").click()
    assert await server.next_frame("remove") == {"user_id": "202"}
    await expect(page.locator(".people li")).to_have_count(0)


async def test_menus_offer_commands_by_mouse_keyboard_and_finger(open_page: PageOpener) -> None:
    server = await open_page(
        message(1, text("### Hand #7")),
        message(2, content="hello <@202>", author=ANN),
        message(3, content="psst", flags=EPHEMERAL),
    )
    page = server.page
    assert await page.locator(".menu-button").count() == 2  # none on what only Ann sees
    more = page.get_by_role("button", name="More for the message of Dealer")
    await more.focus()
    await page.keyboard.press("Enter")
    menu = page.get_by_role("menu", name="Message · Apps")
    await expect(menu.get_by_role("menuitem", name="Replay")).to_be_focused()
    box = await menu.bounding_box()
    assert box is not None and box["x"] >= 0 and box["x"] + box["width"] <= PHONE["width"]
    await page.keyboard.press("Escape")
    await expect(menu).to_have_count(0)
    await expect(more).to_be_focused()
    await page.keyboard.press("Enter")
    await page.keyboard.press("Enter")
    assert await server.next_frame("menu") == {"channel_id": CHANNEL, "name": "Replay", "type": 3, "target_id": "1001"}
    await page.locator(".mention").click(button="right")
    await expect(page.get_by_role("menu")).to_have_accessible_name(f"{HOSTILE_USER['username']} · Apps")
    await page.mouse.click(5, 300)
    await expect(page.get_by_role("menu")).to_have_count(0)
    server.answer = lambda frame: {"t": "failed", "text": "The application did not respond"}
    await page.locator("#sidebar-open").click()
    await page.locator("#people-list").get_by_role("button", name="Ann").click()
    await page.get_by_role("menuitem", name="Stats").click()
    assert await server.next_frame("menu") == {"channel_id": CHANNEL, "name": "Stats", "type": 2, "target_id": "201"}
    await expect(page.locator("#notices")).to_have_text("The application did not respond")
    await expect(page.locator("#sidebar")).not_to_be_visible()

"""Where the page shows what: on a wide screen the table, beside it what only the reader sees, and below it the log."""

from __future__ import annotations

import io
from typing import Any

import pytest
from PIL import Image
from playwright.async_api import Locator, Page, expect

from tests.local.fake_page_server import (
    ANN,
    CHANNEL,
    DM,
    EPHEMERAL,
    LOADING,
    FakeServer,
    Json,
    PageOpener,
    button,
    message,
    row,
    text,
)
from tests.support.browser import DESKTOP, PHONE

pytestmark = pytest.mark.asyncio(loop_scope="module")

NARROW_DESKTOP = {"width": 1000, "height": 700}
TALL_PHONE = {"width": 390, "height": 844}
NAMES = ("Ann", "Bo", "Cy", "Dee", "Eve", "Flo", "Gus", "Hal", "Ida", "Joe")


def table(number: int, *labels: str, seats: int = 3, height: int = 480, street: str = "Turn", **more: Any) -> Json:
    """Return a table's message with a picture, a line for each seat still in, and these buttons."""
    media = {
        "url": f"http://127.0.0.1:1/cdn/attachments/{CHANNEL}/{number}/table.webp",
        "width": 1100,
        "height": height,
    }
    return message(
        number,
        text(f"### {street} · Pot 1,350\n-# Table 1 · No-Limit Hold'em 50/100 · Hand #13"),
        {"type": 12, "items": [{"media": media | {"content_type": "image/webp"}, "description": "Turn."}]},
        text("\n".join(f"`{at}` {name} **8,300** · bet 450" for at, name in enumerate(NAMES[:seats], 1))),
        text("-# Last hand: Bo won 3,550 with a flush, queen high"),
        row(*(button(label, f"t:{label}") for label in labels or ("My hand", "Join table"))),
        **more,
    )


def panel(number: int, *labels: str, opponents: int = 2, cards: int = 2, **more: Any) -> Json:
    """Return a private panel: cards, opponents, and these buttons, at most three in a row."""
    wanted = labels or ("Fold", "Call 450", "Raise…", "½ pot 1,350", "Pot 2,250", "All-in 8,650")
    buttons = [button(label, f"p:{label}", 3 if label.startswith("Call") else 2) for label in wanted]
    return message(
        number,
        text("# " + "".join(f"<:nine_of_hearts:{at}>" for at in range(1, cards + 1))),
        text("nine of hearts, seven of clubs · **pair of nines, seven kicker**"),
        text("Board <:nine_of_spades:3><:five_of_hearts:4><:three_of_clubs:5><:two_of_diamonds:6>"),
        text(lines_of([f"{name} **8,300** · bet 450" for name in NAMES[1 : opponents + 1]])),
        text("Pot **1,350** · **450** to call · **8,650** behind · ends in 24 seconds"),
        *(row(*buttons[at : at + 3]) for at in range(0, len(buttons), 3)),
        flags=EPHEMERAL,
        **more,
    )


def lines_of(players: list[str]) -> str:
    """Put more than five players two in a line."""
    return (
        "\n".join(" · ".join(players[at : at + 2]) for at in range(0, len(players), 2))
        if len(players) > 5
        else "\n".join(players)
    )


def said(number: int, words: str) -> Json:
    return message(number, content=words, author=ANN)


def picture(height: int) -> bytes:
    file = io.BytesIO()
    Image.new("RGB", (1100, height)).save(file, "WEBP")
    return file.getvalue()


async def rectangle(part: Locator) -> tuple[float, float, float, float]:
    """Return left, top, right and bottom."""
    box = await part.bounding_box()
    assert box is not None
    return box["x"], box["y"], box["x"] + box["width"], box["y"] + box["height"]


async def assert_whole_in_view(page: Page, parts: Locator, size: dict[str, int]) -> None:
    """Each of these parts is inside the window and inside every box that scrolls around it."""
    assert await parts.count() > 0
    hidden = await parts.evaluate_all(
        """(parts, [width, height]) => parts.filter((part) => {
            const own = part.getBoundingClientRect();
            const around = [{ left: 0, top: 0, right: width, bottom: height }];
            for (let box = part.parentElement; box; box = box.parentElement) {
                if (getComputedStyle(box).overflowY !== "visible") around.push(box.getBoundingClientRect());
            }
            return around.some((box) => own.left < box.left - 1 || own.top < box.top - 1
                || own.right > box.right + 1 || own.bottom > box.bottom + 1);
        }).map((part) => part.outerHTML.slice(0, 80))""",
        [size["width"], size["height"]],
    )
    assert hidden == []


WHOLE_DECISION = "#table-area .picture, #table-area .text, #table-area button, #panel-area .text, #panel-area button"


# A wide screen ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [DESKTOP, NARROW_DESKTOP], ids=["1280", "1000"])
@pytest.mark.parametrize("theme", ["dark", "light"])
async def test_table_panel_and_log_stand_beside_each_other(
    open_page: PageOpener, size: dict[str, int], theme: str
) -> None:
    history = [said(number, f"line {number}") for number in range(1, 30)]
    server = await open_page(*history, table(50), panel(51), size=size, color_scheme=theme)
    page = server.page
    await assert_whole_in_view(page, page.locator(WHOLE_DECISION), size)
    main, private = await rectangle(page.locator("#table-area")), await rectangle(page.locator("#private-area"))
    log, box = await rectangle(page.locator("#history")), await rectangle(page.locator("#composer"))
    sidebar = await rectangle(page.locator("#sidebar"))
    assert sidebar[2] <= main[0] and main[2] <= private[0] and private[2] == size["width"]
    assert main[3] <= log[1] and log[3] <= box[1] and box[3] <= size["height"]
    assert log[2] <= private[0] and log[3] - log[1] >= 70
    await expect(page.locator("#history")).to_contain_text("line 29")
    await expect(page.locator("#history article", has_text="line 29")).to_be_in_viewport()
    assert await page.locator("#dm-pane").is_hidden()


@pytest.mark.parametrize(
    ("size", "seats", "opponents", "cards", "height"),
    [
        (DESKTOP, 6, 5, 2, 480),
        (DESKTOP, 9, 8, 4, 480),
        (DESKTOP, 9, 8, 2, 820),
        (DESKTOP, 3, 7, 8, 820),
        (DESKTOP, 2, 1, 5, 820),
        (NARROW_DESKTOP, 6, 5, 2, 480),
        (NARROW_DESKTOP, 3, 2, 8, 820),
    ],
)
async def test_nothing_for_a_decision_scrolls(
    open_page: PageOpener, size: dict[str, int], seats: int, opponents: int, cards: int, height: int
) -> None:
    """Also at a full table, with eight cards, and with the full picture, which is made smaller where it has to be."""
    server = await open_page(
        table(1, seats=seats, height=height), panel(2, opponents=opponents, cards=cards), said(3, "hello"), size=size
    )
    await assert_whole_in_view(server.page, server.page.locator(WHOLE_DECISION), size)
    picture = await rectangle(server.page.locator("#table-area .picture"))
    assert picture[3] - picture[1] >= 149


async def test_picture_of_the_result_fits_too(open_page: PageOpener) -> None:
    """It is higher than the strip before it, which stands there until the new one is loaded."""
    strip = f"/cdn/attachments/{CHANNEL}/1/table.webp"
    server = await open_page.server(table(1, seats=6), panel(2), said(3, "hello"), size=DESKTOP)
    server.pictures |= {strip: picture(480), strip.replace("/1/", "/9/"): picture(820)}
    await server.open()
    page = server.page
    await page.locator("#table-area .picture").evaluate("(one) => one.decode()")
    result = table(9, seats=6, height=820, street="Result") | {"id": "1001"}
    server.send(t="update", message=result)
    await expect(page.locator("#table-area .picture")).to_have_attribute("height", "820")
    await page.locator("#table-area .picture").evaluate("(one) => one.decode()")
    await page.evaluate("() => new Promise(requestAnimationFrame)")
    await assert_whole_in_view(page, page.locator(WHOLE_DECISION), DESKTOP)


async def test_table_that_is_posted_anew_takes_the_place(open_page: PageOpener) -> None:
    server = await open_page(table(1), size=DESKTOP)
    place, log = server.page.locator("#table-area"), server.page.locator("#history")
    server.send(t="create", message=said(2, "nice hand"))
    server.send(t="create", message=message(3, text("Bo ran out of time."), row(button("My hand", "x"))))
    await expect(log).to_contain_text("Bo ran out of time.")
    await expect(place).to_contain_text("Turn")
    server.send(t="create", message=table(4, street="Pre-flop"))
    await expect(place).to_contain_text("Pre-flop")
    await expect(log).to_contain_text("Turn")
    await expect(place.locator("article")).to_have_count(1)
    server.send(t="update", message=message(1, text("Hand #13 · Bo won 3,550"), row(button("Replay…", "r"))))
    await expect(log).to_contain_text("Bo won 3,550")
    await expect(place).to_contain_text("Pre-flop")
    server.send(t="delete", channel_id=CHANNEL, id="1004")
    await expect(place).not_to_contain_text("Pre-flop")


async def test_what_others_show_does_not_take_the_table_away(open_page: PageOpener) -> None:
    """Somebody shows a replay to all, with buttons of its own. It stands in the log, also when they turn its pages."""
    server = await open_page(table(1), size=DESKTOP)
    replay = message(
        2, text("Replay · Hand #4 · step 1"), row(*(button(each, each) for each in ("First", "Next", "Last")))
    )
    server.send(t="create", message=replay)
    await expect(server.page.locator("#history")).to_contain_text("step 1")
    server.send(t="update", message=message(2, text("Replay · Hand #4 · step 2"), row(button("Next", "n"))))
    await expect(server.page.locator("#history")).to_contain_text("step 2")
    await expect(server.page.locator("#table-area")).to_contain_text("Turn")


async def wait_for_answers_to_end(page: Page) -> None:
    """Let the time pass in which a change of a message is still the answer to a press or a command."""
    await page.clock.fast_forward(3_000)


async def open_with_clock(open_page: PageOpener, *history: Json) -> FakeServer:
    server = await open_page.server(*history, size=DESKTOP)
    await server.page.clock.install()
    return await server.open()


async def test_panel_that_follows_the_hand_stays_on_top(open_page: PageOpener) -> None:
    """Private answers that come later stand under it, and the older ones in the log. Their own changes lead them nowhere else."""
    server = await open_with_clock(open_page, table(1), message(2, text("You're in seat 4."), flags=EPHEMERAL))
    page = server.page
    server.send(t="create", message=panel(3, "Check"))
    await expect(page.locator("#panel-area")).to_contain_text("Check")
    await wait_for_answers_to_end(page)
    server.send(t="update", message=panel(3, "Fold", "Call 450"))
    await expect(page.locator("#panel-area")).to_contain_text("Call 450")
    await expect(page.locator("#history")).to_contain_text("You're in seat 4.")
    server.send(t="create", message=message(4, flags=EPHEMERAL | LOADING))
    statistics = message(4, text("Your statistics"), row(button("By game", "g")), flags=EPHEMERAL)
    server.send(t="update", message=statistics)
    await expect(page.locator("#answers")).to_contain_text("Your statistics")
    await page.locator("#answers [data-label='By game']").click()
    await server.next_frame("click")
    server.send(t="update", message=message(4, text("By game"), row(button("All games", "a")), flags=EPHEMERAL))
    await expect(page.locator("#answers")).to_contain_text("By game")
    await assert_whole_in_view(page, page.locator("#panel-area button"), DESKTOP)
    folded = message(3, text("You have folded this hand."), flags=EPHEMERAL)
    server.send(t="update", message=folded)
    await expect(page.locator("#panel-area")).to_contain_text("You have folded this hand.")
    await expect(page.locator("#answers")).to_contain_text("By game")
    await page.locator("#answers [data-dismiss]").click()
    await expect(page.locator("#answers")).to_be_hidden()


async def test_panel_of_a_hand_that_ended_stays_on_top(open_page: PageOpener) -> None:
    """It has no buttons any more, and has never changed but at once after a press. An older answer that has one does not replace it."""
    seated = message(2, text("You're in seat 4."), row(button("Stop sending DMs", "d")), flags=EPHEMERAL)
    server = await open_page(table(1), seated, panel(3), size=DESKTOP)
    await server.page.locator("#panel-area [data-label='Call 450']").click()
    await server.next_frame("click")
    server.send(t="update", message=message(3, text("**You win 1,800** with a pair of nines."), flags=EPHEMERAL))
    await expect(server.page.locator("#panel-area")).to_contain_text("You win 1,800")
    await expect(server.page.locator("#panel-area")).not_to_contain_text("Stop sending DMs")


async def test_answer_to_a_command_is_no_panel(open_page: PageOpener) -> None:
    """Not even before the panel has followed the hand for the first time."""
    asked = {"id": "1", "type": 2, "user": ANN, "name": "stats"}
    statistics = message(
        3, text("Your statistics"), row(button("By game", "g")), flags=EPHEMERAL, interaction_metadata=asked
    )
    server = await open_page(table(1), panel(2), statistics, size=DESKTOP)
    await expect(server.page.locator("#panel-area")).to_contain_text("pair of nines")
    await expect(server.page.locator("#answers")).to_contain_text("Your statistics")
    server.send(t="delete", channel_id=CHANNEL, id="1002")
    await expect(server.page.locator("#panel-area")).to_contain_text("Your statistics")


async def test_new_panel_takes_over_with_the_focus_of_the_old(open_page: PageOpener) -> None:
    server = await open_with_clock(open_page, table(1), panel(2))
    page = server.page
    await page.locator("#panel-area [data-label=Fold]").focus()
    await wait_for_answers_to_end(page)
    server.send(t="update", message=panel(2, "Fold", "Call 900"))
    await expect(page.locator("#panel-area [data-label='Call 900']")).to_be_visible()
    await expect(page.locator("#panel-area [data-label=Fold]")).to_be_focused()
    server.send(t="create", message=panel(5, "Fold", "Call 950"))
    server.send(t="update", message=message(2, text("Your hand is below."), flags=EPHEMERAL))
    await expect(page.locator("#panel-area")).to_contain_text("Call 950")
    await expect(page.locator("#panel-area [data-label=Fold]")).to_be_focused()
    server.send(t="delete", channel_id=CHANNEL, id="1002")
    await expect(page.locator("#private-area article")).to_have_count(1)


async def test_press_counts_though_the_panel_moves_under_it(open_page: PageOpener) -> None:
    """A new panel comes between press and release. The press counts once, for the button that was pressed."""
    server = await open_with_clock(open_page, table(1), panel(2))
    page = server.page
    server.send(t="update", message=panel(2, "Fold", "Call 900"))
    await page.locator("#panel-area [data-label='Call 900']").hover()
    await page.mouse.down()
    server.send(t="create", message=panel(5, "Fold", "All-in 8,650", "Call 950", opponents=5))
    await expect(page.locator("#panel-area")).to_contain_text("Call 950")
    await page.mouse.up()
    assert await server.next_frame("click") == {"message_id": "1002", "channel_id": CHANNEL, "custom_id": "p:Call 900"}
    await page.locator("#panel-area [data-label=Fold]").click()
    assert (await server.next_frame("click"))["message_id"] == "1005"
    assert not [frame for frame in server.received if frame["op"] == "click"]


async def test_widening_the_window_moves_messages_and_loses_nothing(open_page: PageOpener) -> None:
    server = await open_page(table(1), panel(2), said(3, "hello"), size={"width": 900, "height": 800})
    page = server.page
    await expect(page.locator("#history article")).to_have_count(3)
    await page.locator("#history [data-label='Call 450']").focus()
    call = await page.locator("#history [data-label='Call 450']").element_handle()
    assert call is not None
    wide: Any = DESKTOP
    await page.set_viewport_size(wide)
    await expect(page.locator("#panel-area [data-label='Call 450']")).to_be_focused()
    await expect(page.locator("#history article")).to_have_count(1)
    narrow: Any = PHONE
    await page.set_viewport_size(narrow)
    await expect(page.locator("#history article")).to_have_count(3)
    assert await call.evaluate("(one) => one.isConnected")
    order = await page.locator("#history article").evaluate_all("(all) => all.map((one) => one.dataset.messageId)")
    assert order == ["1001", "1002", "1003"]


async def test_channel_without_a_table_is_all_log(open_page: PageOpener) -> None:
    server = await open_page(said(1, "hello"), size=DESKTOP)
    log = await rectangle(server.page.locator("#history"))
    assert log[2] == DESKTOP["width"] and log[1] <= 60
    await expect(server.page.locator("#table-area")).to_be_hidden()
    await expect(server.page.locator("#private-area")).to_be_hidden()


async def test_direct_messages_open_beside_only_on_demand(open_page: PageOpener) -> None:
    server = await open_page(table(1), panel(2), size=DESKTOP)
    page = server.page
    server.send(t="create", message={**message(5, text("Your cards")), "channel_id": DM})
    await expect(page.locator("#dm-toggle .badge")).to_have_text("1")
    await expect(page.locator("#dm-pane")).to_be_hidden()
    await page.locator("#dm-toggle").click()
    await expect(page.locator("#dm-log article")).to_contain_text("Your cards")
    await expect(page.locator("#table-area")).to_contain_text("Turn")
    await expect(page.locator(".badge")).to_have_count(0)
    await page.locator("#dm-close").click()
    await expect(page.locator("#dm-pane")).to_be_hidden()
    await expect(page.locator("#dm-toggle")).to_be_focused()
    await assert_whole_in_view(page, page.locator("#panel-area button"), DESKTOP)


# A phone ------------------------------------------------------------------------------------------------------------------


async def test_phone_has_a_high_log_and_large_targets(open_page: PageOpener) -> None:
    server = await open_page(table(1), panel(2), size=TALL_PHONE, has_touch=True)
    page = server.page
    left, top, right, bottom = await rectangle(page.locator("#history"))
    assert bottom - top >= 732 and right - left == TALL_PHONE["width"]
    await assert_whole_in_view(page, page.locator("#log [data-custom-id]"), TALL_PHONE)
    for control in ("#sidebar-open", "#show-commands", ".send-button"):
        box = await rectangle(page.locator(control))
        assert min(box[2] - box[0], box[3] - box[1]) >= 44, control
    # A touch two pixels above a button is a touch of the button.
    call = await rectangle(page.locator("[data-label='Call 450']"))
    await page.touchscreen.tap((call[0] + call[2]) / 2, call[1] - 2)
    assert (await server.next_frame("click"))["custom_id"] == "p:Call 450"


# Keys ---------------------------------------------------------------------------------------------------------------------


async def test_sidebar_is_one_stop_with_arrow_keys(open_page: PageOpener) -> None:
    server = await open_page(table(1), panel(2), size=DESKTOP)
    page = server.page
    for number in range(310, 325):
        server.send(
            t="channel", channel={"id": str(number), "type": 11, "name": f"room {number}", "parent_id": CHANNEL}
        )
    await expect(page.locator("#channel-list .channel-link")).to_have_count(16)
    stops = 0
    await page.locator("body").focus()
    while not await page.evaluate("document.activeElement.closest('#log') !== null"):
        await page.keyboard.press("Tab")
        stops += 1
        assert stops < 12
    assert stops <= 8
    await page.locator("#channel-list [aria-current]").focus()
    await page.keyboard.press("ArrowDown")
    await expect(page.get_by_role("button", name="room 310")).to_be_focused()
    await page.keyboard.press("End")
    await page.keyboard.press("ArrowDown")
    await expect(page.get_by_role("button", name="poker")).to_be_focused()
    await page.keyboard.press("ArrowDown")
    await page.keyboard.press("Enter")
    await expect(page.locator("#channel-name")).to_have_text("#room 310")


async def test_digit_chooses_a_button_and_enter_presses_it(open_page: PageOpener) -> None:
    """A digit alone presses nothing: it can be the beginning of a sentence."""
    server = await open_page(table(1), panel(2), size=DESKTOP)
    page = server.page
    call = page.locator("#panel-area [data-label='Call 450']")
    await expect(call).to_have_attribute("data-digit", "2")
    await page.locator("body").press("2")
    await expect(call).to_be_focused()
    assert not [frame for frame in server.received if frame["op"] == "click"]
    await page.keyboard.press("Enter")
    assert (await server.next_frame("click"))["custom_id"] == "p:Call 450"
    await page.locator("body").press("t")
    await expect(call).to_be_focused()
    await page.locator("#message-input").press("3")
    await expect(page.locator("#message-input")).to_have_value("3")
    assert await page.locator("#table-area [data-digit]").count() == 0


async def test_closed_rooms_leave_the_list_at_once(open_page: PageOpener) -> None:
    """They can still be opened under "Older rooms", without a badge."""
    server = await open_page(table(1), size=DESKTOP)
    page = server.page
    room: Json = {
        "id": "310",
        "type": 11,
        "name": "Table 3",
        "parent_id": "309",
        "thread_metadata": {"archived": False},
    }
    server.send(t="channel", channel={"id": "309", "type": 15, "name": "all-tables"})
    await expect(page.locator("#channel-list")).not_to_contain_text("all-tables")
    server.send(t="channel", channel=room)
    server.send(t="create", message={**said(5, "hello"), "channel_id": "310", "author": {"id": "9", "username": "Bo"}})
    await expect(page.locator("#channel-list")).to_contain_text("all-tables")
    await expect(page.locator("#channel-list .badge")).to_have_text("1")
    server.send(t="channel", channel=room | {"thread_metadata": {"archived": True}})
    await expect(page.locator("#channel-list")).not_to_contain_text("Table 3")
    await expect(page.locator("#channel-list .badge")).to_have_count(0)
    await page.get_by_text("Older rooms").click()
    await page.locator("#older-list").get_by_role("button", name="Table 3").click()
    await expect(page.locator("#channel-name")).to_have_text("#Table 3")

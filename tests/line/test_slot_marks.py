"""What is pressed in a direct message says whose dealer has drawn it."""

from bot.line.payloads import UPDATE
from bot.line.slot_marks import CUSTOM_ID_MAX, SlotMark, slot_marked, without_mark
from bot.render.message.limits import CUSTOM_ID_MAX as LIMIT


def test_ids_of_buttons_are_marked_and_read_again() -> None:
    button = {"type": 2, "custom_id": "t:1:2:3:fold", "label": "Fold @ 3"}
    data = {"type": UPDATE, "data": {"components": [{"type": 17, "components": [button]}], "flags": 1}}
    marked = SlotMark(11).on(data)
    (row,) = marked["data"]["components"]
    assert row["components"] == [button | {"custom_id": "t:1:2:3:fold@11"}]
    assert button["custom_id"] == "t:1:2:3:fold", "what was drawn is as it was"
    assert (slot_marked("t:1:2:3:fold@11"), without_mark("t:1:2:3:fold@11")) == (11, "t:1:2:3:fold")


def test_form_is_marked_and_its_fields_are_not() -> None:
    form = {"custom_id": "f:1:2:3:bet:7", "components": [{"type": 18, "component": {"type": 4, "custom_id": "amount"}}]}
    assert SlotMark(2).on(form) == form | {"custom_id": "f:1:2:3:bet:7@2"}


def test_made_up_marks_name_no_slot() -> None:
    assert [slot_marked(text) for text in ("t:1", "t:1@", "t:1@x", "t:1@-1", "t:1@123", "t:1@٣")] == [None] * 6


def test_id_too_long_for_a_mark_stays_as_it_is() -> None:
    assert CUSTOM_ID_MAX == LIMIT
    long = "p:" + "a" * (LIMIT - 3)
    assert SlotMark(10).on({"custom_id": long}) == {"custom_id": long}

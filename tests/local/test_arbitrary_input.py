"""Arbitrary input is accepted or refused with Discord's errors. It never breaks the stand-in."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.local.clock import AdjustableClock
from bot.local.components import ComponentReader
from bot.local.errors import ApiError, FormErrors, InvalidAction
from bot.local.message_body import Upload
from bot.local.messages import Messages
from bot.local.modals import collect_answers, validate_modal
from bot.local.open_pages import OpenPages
from bot.local.slash_commands import convert_options, find_subcommand, validate_commands
from bot.local.storage import Storage
from bot.local.world import World

FIELD_NAMES = re.findall(
    r"\w+",
    """type id custom_id label style url emoji name disabled options value values description placeholder min_values
    max_values components accessory content items media file spoiler spacing divider accent_color component title
    required min_length max_length embeds attachments flags filename allowed_mentions parse users fields footer text
    author image thumbnail choices autocomplete default_member_permissions contexts dm_permission default""",
)

plain_values = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-2, 30),
    st.sampled_from(["", "x", "y", "users", "attachment://a.png", "https://x.org", "x" * 101]),
    st.just(0.5),
)
values = st.recursive(
    plain_values,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.dictionaries(st.sampled_from(FIELD_NAMES), inner, max_size=6),
        st.fixed_dictionaries(
            {"type": st.integers(1, 23)},
            optional={
                "components": st.lists(inner, max_size=3),
                "component": inner,
                "accessory": inner,
                "options": st.lists(inner, max_size=3),
                "items": st.lists(inner, max_size=3),
                "custom_id": st.sampled_from(["a", "b"]),
                "name": st.sampled_from(["a", "b"]),
                "label": st.just("label"),
                "style": st.integers(1, 6),
            },
        ),
    ),
    max_leaves=25,
)
objects = st.dictionaries(st.sampled_from(FIELD_NAMES), values, max_size=8)
few_examples = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@few_examples
@given(objects, st.booleans())
async def test_arbitrary_messages_are_accepted_or_refused(tmp_path: Path, body: dict[str, Any], old: bool) -> None:
    world = World(AdjustableClock(), Storage(tmp_path))
    messages = Messages(world, OpenPages(world), lambda *_: None)
    channel = {"id": "1", "type": 0}
    world.bot.user = {"id": "1"}
    uploads = [Upload(0, "a.png", "image/png", b"x")]
    try:
        messages.validate(body, uploads, channel, old=messages.blank(channel) if old else None)
    except ApiError as error:
        assert error.status in (400, 413)


@few_examples
@given(values, st.booleans())
def test_arbitrary_components_never_raise(body: Any, v2: bool) -> None:
    errors = FormErrors()
    ComponentReader(errors, v2=v2, find_media=lambda url: None, is_known_emoji=lambda i: False).read(
        body, ("components",)
    )


@few_examples
@given(values, values)
def test_arbitrary_modals_are_accepted_or_refused(body: Any, answers: Any) -> None:
    try:
        form = validate_modal(body, ("data",), lambda i: False)
    except ApiError as error:
        assert error.code == 50035
        return
    try:
        collect_answers(form, answers)
    except InvalidAction as error:
        assert str(error)


@few_examples
@given(st.lists(values, max_size=3) | values, st.lists(objects, max_size=3))
def test_arbitrary_commands_are_accepted_or_refused(body: Any, options: list[dict[str, Any]]) -> None:
    try:
        commands = validate_commands(body, application_id="1", guild_id=None, existing={}, clock=AdjustableClock())
    except ApiError as error:
        assert error.code == 50035
        return
    for command in commands.values():
        try:
            _, defined, given_options = find_subcommand(command, options)
            convert_options(defined, given_options, complete=True)
        except InvalidAction as error:
            assert str(error)

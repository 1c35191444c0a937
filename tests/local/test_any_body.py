"""Whatever is sent is taken or refused in Discord's words; nothing breaks the stand-in."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.local.clock import Clock
from bot.local.commands import NotPossible, check_options, leaf, read_commands
from bot.local.components import Reader
from bot.local.errors import ApiError, FormErrors
from bot.local.forms import fill_in, read_form
from bot.local.messages import Messages, Upload
from bot.local.storage import Storage
from bot.local.viewers import Viewers
from bot.local.world import World

WORDS = re.findall(
    r"\w+",
    """type id custom_id label style url emoji name disabled options value values description placeholder min_values
    max_values components accessory content items media file spoiler spacing divider accent_color component title
    required min_length max_length embeds attachments flags filename allowed_mentions parse users fields footer text
    author image thumbnail choices autocomplete default_member_permissions contexts dm_permission default""",
)

leaves = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-2, 30),
    st.sampled_from(["", "x", "y", "users", "attachment://a.png", "https://x.org", "x" * 101]),
    st.just(0.5),
)
bodies = st.recursive(
    leaves,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.dictionaries(st.sampled_from(WORDS), inner, max_size=6),
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
objects = st.dictionaries(st.sampled_from(WORDS), bodies, max_size=8)
quick = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@quick
@given(objects, st.booleans())
async def test_messages(tmp_path: Path, body: dict[str, Any], old: bool) -> None:
    world = World(Clock(), Storage(tmp_path))
    messages = Messages(world, Viewers(world), lambda *_: None)
    channel = {"id": "1", "type": 0}
    world.bot.user = {"id": "1"}
    uploads = [Upload(0, "a.png", "image/png", b"x")]
    try:
        messages.read(body, uploads, channel, old=messages.blank(channel) if old else None)
    except ApiError as error:
        assert error.status in (400, 413)


@quick
@given(bodies, st.booleans())
def test_components(body: Any, v2: bool) -> None:
    faults = FormErrors()
    Reader(faults, v2=v2, media=lambda url: None, emoji_known=lambda i: False).read(body, ("components",))


@quick
@given(bodies, bodies)
def test_forms(body: Any, answers: Any) -> None:
    try:
        form = read_form(body, ("data",), lambda i: False)
    except ApiError as error:
        assert error.code == 50035
        return
    try:
        fill_in(form, answers)
    except NotPossible as error:
        assert str(error)


@quick
@given(st.lists(bodies, max_size=3) | bodies, st.lists(objects, max_size=3))
def test_commands(body: Any, options: list[dict[str, Any]]) -> None:
    try:
        commands = read_commands(body, application_id="1", guild_id=None, old={}, clock=Clock())
    except ApiError as error:
        assert error.code == 50035
        return
    for command in commands.values():
        try:
            _, defined, given_options = leaf(command, options)
            check_options(defined, given_options, finished=True)
        except NotPossible as error:
            assert str(error)

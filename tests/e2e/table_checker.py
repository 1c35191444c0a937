"""At every moment the table tells everybody what is going on and what to press: the checker of the bad evening.

It reads the newest message of the table as a visitor sees it, and holds it against what the table waits for.
"""

from __future__ import annotations

from typing import Any

from bot.render.message.custom_ids import Press, parse_custom_id
from bot.table.state import SeatStatus
from bot.table.view import SeatedPlayerView
from bot.table.way_on import Awaited
from bot.text.buttons import Verb
from bot.text.way_on import reason_line
from tests.e2e.bot_session import BotSession
from tests.support.discord_double import _flat

GREEN = 3
WAYS_ON = {
    Awaited.RETURN: Verb.BACK,
    Awaited.CHIPS: Verb.REBUY,
    Awaited.PLAYERS: Verb.SIT,
    Awaited.DEAL: Verb.DEAL,
    Awaited.GAME_CHOICE: Verb.CHOOSE_GAME,
    Awaited.BREAK: Verb.END_BREAK,
}
"""The button that a table must offer for what it waits for. The next hand comes by itself."""
ACTIONS = {Verb.FOLD, Verb.CHECK, Verb.CALL, Verb.ACCEPT, Verb.DECLINE, Verb.OPEN_CHOICE, Verb.STAND_PAT, Verb.SHOW}


async def check_table(room: BotSession) -> str:
    """Check what the table shows, once everything has arrived. Returns its text."""
    await room.skip_run_out()
    await room.wait_until_idle()
    message = live_message(room)
    text = room.discord.you.render(message)
    pressable = pressable_verbs(message)
    view = room.now.table
    if room.now.hand_running:
        turn = room.now.current_turn
        assert (turn is not None and "▶ `" in text) or "choos" in text, f"nobody is called:\n{text}"
        shown = room.dealer.services.display.message_of(room.now.id)
        if shown is not None and shown.contents.acts_in_panel:
            assert not pressable.keys() & ACTIONS, f"an action is offered here and in a panel:\n{text}"
        else:
            assert pressable.keys() & ACTIONS, f"nothing to press for whoever is to act:\n{text}"
    else:
        assert view.way_on is not None, "an open table waits for something"
        assert reason_line(view) in text or view.way_on.awaited is Awaited.NEXT_HAND, f"silent:\n{text}"
        assert "Next hand" in text or view.way_on.awaited is not Awaited.NEXT_HAND, f"silent:\n{text}"
        verb = WAYS_ON.get(view.way_on.awaited)
        assert verb is None or verb in pressable, f"no way on ({verb}):\n{text}"
        assert verb in {None, Verb.CHOOSE_GAME} or pressable[verb] == GREEN, f"the way on is not green:\n{text}"
    for seat in view.seats:
        _check_way_back(seat, pressable, text)
    return text


def _check_way_back(seat: SeatedPlayerView, pressable: dict[Verb, int], text: str) -> None:
    """Whoever is seated and does not play finds a button that leads back."""
    away = seat.status is SeatStatus.SITTING_OUT or not seat.stack
    assert not away or pressable.keys() & {Verb.BACK, Verb.REBUY, Verb.SIT}, f"no way back for {seat.name}:\n{text}"


def live_message(room: BotSession) -> dict[str, Any]:
    """The newest public message with buttons of the table: what a visitor sees."""
    messages = reversed(room.discord.you.visible())
    return next(message for message in messages if not message["content"] and pressable_verbs(message))


def pressable_verbs(message: dict[str, Any]) -> dict[Verb, int]:
    """What can be pressed or chosen under a message, and the style of its button."""
    found: dict[Verb, int] = {}
    for component in _flat(message["components"]):
        press = parse_custom_id(component.get("custom_id", ""))
        if isinstance(press, Press) and not component.get("disabled"):
            found.setdefault(press.verb, component.get("style", 0))
    return found

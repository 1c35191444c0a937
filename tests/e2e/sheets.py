"""Playing any game as people do: by whatever buttons and private choices their own pages show them."""

from __future__ import annotations

import random
from typing import Any

from bot.render import ids
from bot.render.ids import Press, Verb
from tests.e2e.evening import Room
from tests.support.discord_double import EPHEMERAL, Player

Json = dict[str, Any]

WEIGHTS = {
    Verb.FOLD: 0.4, Verb.CHECK: 8, Verb.CALL: 8, Verb.BET: 2, Verb.RAISE: 1.5, Verb.ALL_IN: 0.3, Verb.DISCARDS: 6, Verb.PAT: 2,
    Verb.STRADDLE: 5, Verb.DECLINE: 2, Verb.ACCEPT: 4, Verb.SHOW: 5, Verb.MUCK: 1,
}  # fmt: skip
"""How often each button is pressed, against the others that are there."""
FINAL = {Verb.DRAW, Verb.ARRANGE, Verb.WORD, Verb.SHOW, Verb.SETTLED}
CLICKS_MOST = 300


async def play_hand(room: Room, players: list[Player], dice: random.Random) -> set[Verb]:
    """Play the running hand to its end; the verbs of all buttons that were pressed."""
    pressed: set[Verb] = set()
    for _ in range(CLICKS_MOST):
        if not room.now.running:
            return pressed
        asked = awaited(room, players)
        if not asked:  # practice players think
            room.clock.skip(4)
            await room.happened()
            continue
        player = dice.choice(asked)
        message = await live_message(room, player)
        offers = [(verb, id_) for verb, id_ in controls(message, room) if verb in WEIGHTS]
        assert offers, f"nothing to press for {player.name}:\n{player.render(message)}"
        verb, id_ = dice.choices(offers, [WEIGHTS[verb] for verb, _ in offers])[0]
        pressed.add(verb)
        turn, choosing = room.now.turn, len(awaited(room, players))
        answer = await player.press(message, id_)
        if verb is Verb.DISCARDS:
            pressed |= await choose(room, player, dice)
        elif verb is Verb.FOLD and "Fold anyway?" in answer:
            await player.click("Check")
        refused = "Nothing" in answer and "openers" not in answer
        moved = not room.now.running or room.now.turn != turn or len(awaited(room, players)) != choosing
        assert moved or "or better may open" in answer, (verb, answer)
        assert not refused or moved, answer
    raise AssertionError("the hand does not end")


def awaited(room: Room, players: list[Player]) -> list[Player]:
    """The players that the dealer waits for."""
    now = room.now
    view = now.hand
    if view is None or not now.running:
        return []
    seats = [seat for seat in view.seats if seat.awaited] or [view.seats[view.to_act]]
    users = {now.people[seat.number].user for seat in seats}
    return [player for player in players if int(player.me["id"]) in users]


async def live_message(room: Room, player: Player) -> Json:
    """The table's message, once the player sees it as the table stands."""
    start = f"t:{room.now.id}:{room.now.hand_number}:{room.now.turn}:"

    def found() -> Json | None:
        for message in reversed(player.visible()):
            if not message["flags"] & EPHEMERAL and any(id_.startswith(start + "peek") for id_ in _ids(message)):
                return message
        return None

    await player.wait_for(lambda: found() is not None, f"the table at turn {room.now.turn}", 10)
    message = found()
    assert message is not None
    return message


def controls(message: Json, room: Room) -> list[tuple[Verb, str]]:
    """The buttons of a message for the action that is asked now, by verb."""
    found = []
    for id_ in _ids(message):
        press = ids.parse(id_)
        if isinstance(press, Press) and press.turn == room.now.turn:
            found.append((press.verb, id_))
    return found


async def choose(room: Room, player: Player, dice: random.Random) -> set[Verb]:
    """Go through the private choice that has opened, to its end."""
    pressed: set[Verb] = set()
    for _ in range(30):
        message = next(m for m in reversed(player.visible()) if m["flags"] & EPHEMERAL)
        selects = [part for part in _flat(message["components"]) if part["type"] == 3]
        final = [(verb, id_) for verb, id_ in controls(message, room) if verb in FINAL]
        if final and (not selects or Verb.SHOW not in {verb for verb, _ in final} or dice.random() < 0.5):
            verb, id_ = dice.choice(final)
            pressed.add(verb)
            await player.press(message, id_)
            if verb is not Verb.SETTLED:
                return pressed
            continue
        if not selects:
            await player.click("Stand pat")
            return {Verb.PAT}
        select = selects[0]
        values = [option["value"] for option in select["options"]]
        count = dice.randint(max(1, select["min_values"]), select["max_values"])
        where = {"channel_id": message["channel_id"], "message_id": message["id"]}
        chosen = {"custom_id": select["custom_id"], "component_type": 3, "values": dice.sample(values, count)}
        await player._outcome(await player.ask("select", **where, **chosen))
        press = ids.parse(select["custom_id"])
        assert isinstance(press, Press)
        pressed.add(press.verb)
    raise AssertionError("the choice does not end")


def _ids(message: Json) -> list[str]:
    return [part["custom_id"] for part in _flat(message["components"]) if part["type"] == 2 and "custom_id" in part]


def _flat(components: list[Json]) -> list[Json]:
    found: list[Json] = []
    for part in components:
        found += [part, *_flat(part.get("components", []))]
    return found

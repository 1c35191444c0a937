"""Play any game as people do: by the buttons and private choices that their own pages show them."""

from __future__ import annotations

import random
from typing import Any

from bot.engine.customs import Openers
from bot.render.message import custom_ids
from bot.render.message.custom_ids import Press
from bot.text.buttons import Verb
from tests.e2e.bot_session import ASIDE, BotSession
from tests.support.discord_double import EPHEMERAL, Player

Json = dict[str, Any]

BUTTON_WEIGHTS = {
    Verb.FOLD: 0.4, Verb.CHECK: 8, Verb.CALL: 8, Verb.BET: 2, Verb.RAISE: 1.5, Verb.ALL_IN: 0.3, Verb.OPEN_CHOICE: 6, Verb.STAND_PAT: 2,
    Verb.STRADDLE: 5, Verb.DECLINE: 2, Verb.ACCEPT: 4, Verb.SHOW: 5, Verb.MUCK: 1,
}  # fmt: skip
"""The frequency of each button among those that are shown."""
FINAL_VERBS = {Verb.DISCARD, Verb.ARRANGE, Verb.DECLARE_WORD, Verb.SHOW, Verb.WILD_SUIT}
CHOICES = {Verb.MARK, Verb.NEXT_IN_ORDER, Verb.DISCARD, Verb.ARRANGE, Verb.DECLARE_WORD, Verb.WILD_SUIT}
"""What stands in a panel where cards, an order or a word are chosen."""
CLICKS_MAX = 300


async def play_hand(room: BotSession, players: list[Player], dice: random.Random) -> set[Verb]:
    """Play the running hand to its end. Returns the verbs of all buttons that were pressed."""
    pressed: set[Verb] = set()
    for _ in range(CLICKS_MAX):
        if not room.now.hand_running:
            return pressed
        asked = awaited(room, players)
        if not asked:  # practice players think
            room.clock.skip(4)
            await room.next_change()
            continue
        player = dice.choice(asked)
        await room.until_own_buttons(player)
        turn, choosing = room.now.decision_number, len(awaited(room, players))
        message, found = own_controls(room, player)
        offers = [(verb, id_) for verb, id_ in found if verb in BUTTON_WEIGHTS]
        if room.has_panel(player) and (not offers or CHOICES & {verb for verb, _ in found} or _selects(message)):
            pressed |= await choose(room, player, dice)
            verb, answer = Verb.OPEN_CHOICE, ""
        else:
            assert offers, f"nothing to press for {player.name}:\n{player.render(message)}"
            verb, id_ = dice.choices(offers, [BUTTON_WEIGHTS[verb] for verb, _ in offers])[0]
            pressed.add(verb)
            answer = await player.press(message, id_)
        if verb is Verb.OPEN_CHOICE and answer:
            pressed |= await choose(room, player, dice)
        elif verb is Verb.FOLD and (check := _check_instead(room, player)):
            await player.press(*check)
        moved = not room.now.hand_running or room.now.decision_number != turn or len(awaited(room, players)) != choosing
        assert moved or room.now.settings.rule_card.has_custom(Openers), (verb, answer)
    raise AssertionError("the hand does not end")


def awaited(room: BotSession, players: list[Player]) -> list[Player]:
    """Return the players that the dealer waits for."""
    now = room.now
    view = now.hand
    if view is None or not now.hand_running:
        return []
    seats = [seat for seat in view.seats if seat.choice_awaited] or [view.seats[view.to_act]]
    users = {now.players_by_seat[seat.seat_number].user for seat in seats}
    return [player for player in players if int(player.me["id"]) in users]


async def live_message(room: BotSession, player: Player) -> Json:
    """Return the table's message, once the player's page shows the newest state."""
    start = f"t:{room.now.id}:{room.now.hand_number}:{room.now.decision_number}:"

    def found() -> Json | None:
        for message in reversed(player.visible()):
            if not message["flags"] & EPHEMERAL and any(id_.startswith(start + "peek") for id_ in _ids(message)):
                return message
        return None

    await player.wait_for(lambda: found() is not None, f"the table at turn {room.now.decision_number}")
    message = found()
    assert message is not None
    return message


def controls(message: Json, room: BotSession) -> list[tuple[Verb, str]]:
    """Return the buttons of a message for the action that is asked now, by verb."""
    found = []
    for id_ in _ids(message):
        press = custom_ids.parse_custom_id(id_)
        if isinstance(press, Press) and (press.hand, press.turn) == (room.now.hand_number, room.now.decision_number):
            found.append((press.verb, id_))
    return found


def own_controls(room: BotSession, player: Player) -> tuple[Json, list[tuple[Verb, str]]]:
    """Return the message in which a player finds what they can do now, and its buttons by verb."""
    for message in reversed(player.visible()):
        found = [(verb, id_) for verb, id_ in controls(message, room) if verb not in ASIDE]
        if found and bool(message["flags"] & EPHEMERAL) is room.has_panel(player):
            return message, found
    raise AssertionError(f"nothing to press for {player.name}:\n{player.screen()}")


def _selects(message: Json) -> list[Json]:
    return [part for part in _flat(message["components"]) if part["type"] == 3]


def _check_instead(room: BotSession, player: Player) -> tuple[Json, str] | None:
    """Return the *Check* of a player who is asked whether they fold though checking is free; None if they are not asked."""
    for message in reversed(player.visible()):
        found = dict(controls(message, room)) if message["flags"] & EPHEMERAL else {}
        if Verb.FOLD_ANYWAY in found:
            return message, found[Verb.CHECK]
    return None


def private_controls(room: BotSession, player: Player) -> list[tuple[Verb, str]]:
    """Return the buttons of the player's newest private message, for the action that is asked now."""
    private = [message for message in player.visible() if message["flags"] & EPHEMERAL]
    return controls(private[-1], room) if private else []


async def choose(room: BotSession, player: Player, dice: random.Random) -> set[Verb]:
    """Make the private choice that has opened, to its end."""
    pressed: set[Verb] = set()
    marked = 0
    for _ in range(30):
        private = [one for one in reversed(player.visible()) if one["flags"] & EPHEMERAL]
        message = next((one for one in private if controls(one, room)), private[0])
        selects = _selects(message)
        offered = controls(message, room)
        final = [(verb, id_) for verb, id_ in offered if verb in FINAL_VERBS]
        if final and (not selects or Verb.SHOW not in {verb for verb, _ in final} or dice.random() < 0.5):
            verb, id_ = dice.choice(final)
            pressed.add(verb)
            await player.press(message, id_)
            if verb is not Verb.WILD_SUIT:
                return pressed
            continue
        steps = [(verb, id_) for verb, id_ in offered if verb is Verb.NEXT_IN_ORDER] or _more_marks(offered, marked)
        if not selects and (not steps or (not marked and dice.random() < 0.2)):
            pat = [id_ for verb, id_ in offered if verb is Verb.STAND_PAT]
            if pat:
                await player.press(message, pat[0])
                return {Verb.STAND_PAT}
        if steps:
            verb, id_ = dice.choice(steps)
            pressed.add(verb)
            press = custom_ids.parse_custom_id(id_)
            assert isinstance(press, Press)
            marked = press.amount
            await player.press(message, id_)
            continue
        select = selects[0]
        values = [option["value"] for option in select["options"]]
        count = dice.randint(max(1, select["min_values"]), select["max_values"])
        where = {"channel_id": message["channel_id"], "message_id": message["id"]}
        chosen = {"custom_id": select["custom_id"], "component_type": 3, "values": dice.sample(values, count)}
        await player._outcome(await player.ask("select", **where, **chosen))
        press = custom_ids.parse_custom_id(select["custom_id"])
        assert isinstance(press, Press)
        pressed.add(press.verb)
    raise AssertionError("the choice does not end")


def toggles(player: Player) -> list[tuple[Json, str]]:
    """The cards that a player's panel offers to mark, highest first: message and id of each button, as `Player.press` takes them."""
    panels = [
        message
        for message in player.visible()
        if message["flags"] & EPHEMERAL and "My hand #" in player.render(message)
    ]
    return [(panels[-1], id_) for id_ in _ids(panels[-1]) if ":mark" in id_] if panels else []


def _more_marks(offered: list[tuple[Verb, str]], marked: int) -> list[tuple[Verb, str]]:
    """The toggles that mark one card more."""
    found = []
    for verb, id_ in offered:
        press = custom_ids.parse_custom_id(id_)
        if verb is Verb.MARK and isinstance(press, Press) and press.amount.bit_count() > marked.bit_count():
            found.append((verb, id_))
    return found


def _ids(message: Json) -> list[str]:
    return [part["custom_id"] for part in _flat(message["components"]) if part["type"] == 2 and "custom_id" in part]


def _flat(components: list[Json]) -> list[Json]:
    found: list[Json] = []
    for part in components:
        found += [part, *_flat(part.get("components", []))]
    return found

"""From a table as it stands to what is drawn: the scene of its hand, and the panel that its public message shows.

Source: ui §5 a, b, d.
"""

from __future__ import annotations

from bot.engine.view import HandView
from bot.render import ceremonies, lobby, proposals, result
from bot.render.cards import SIGNS, Emojis
from bot.render.panel import Block, Buttons, Panel, Small
from bot.render.scene import Scene
from bot.render.table import table_panel
from bot.runtime.now import TableNow
from bot.runtime.outcome import HandLog


class Deck:
    """How cards are written at the moment: as signs until the application emojis are there."""

    def __init__(self) -> None:
        self.emojis: Emojis = SIGNS
        self.two_colour: Emojis = SIGNS

    def of(self, *, two_colour: bool) -> Emojis:
        """One of the two decks; where it is not there yet, what is."""
        return self.two_colour if two_colour and self.two_colour.marks else self.emojis


def scene_of(now: TableNow, view: HandView, emojis: Emojis, at: int) -> Scene:
    """The hand of a table as `view` shows it, at a time in ms since the epoch."""
    due = now.due
    deadline = bank = 0
    hurried = False
    if due is not None:
        hurried = due.turn_ends <= at < due.ends
        deadline = -(-(due.ends if hurried else due.turn_ends) // 1000)
        bank = (due.ends - due.turn_ends) // 1000
    return Scene(
        now.id,
        f"Table {now.place.number}",
        now.hand_number,
        view,
        now.people,
        deadline,
        bank,
        emojis,
        now.seats_open,
        hurried,
        mixture=now.mixture,
    )


def log_scene(log: HandLog, emojis: Emojis) -> Scene:
    """The scene of a hand told from the journal."""
    title = f"Table {log.place.number}"
    return Scene(log.place.id, title, log.number, log.view, log.people, emojis=emojis, mixture=log.mixture)


def hand_panel(now: TableNow, emojis: Emojis, at: int, note: str = "") -> Panel:
    """The hand of a table for everybody: as it is played, or its result. `note` stands above the buttons in small print."""
    view = now.hand
    assert view is not None, "no hand to draw"
    scene = scene_of(now, view, emojis, at)
    if now.running:
        panel = table_panel(scene)
    else:
        next_at = -(-now.next_hand_at // 1000)
        panel = result.result_panel(scene, next_at=next_at, waiting_for="" if next_at else _waiting_for(now))
    asked = _asked_blocks(now, emojis)
    if not note and not now.proposed and not asked:
        return panel
    blocks = _before_buttons(panel, [Small(note)] if note else [])
    return Panel(panel.accent, (*blocks, *_proposed(now), *lobby.proposal_blocks(now.id, now.table), *asked))


def _proposed(now: TableNow) -> list[Block]:
    """What a proposal would change."""
    lines = proposals.proposed_lines(now.table)
    return [Small("Proposed: " + "\n".join(lines))] if lines else []


def _asked_blocks(now: TableNow, emojis: Emojis) -> list[Block]:
    """What the table's ceremonies ask for now: before a deal, or of a deal that somebody calls irregular."""
    if now.running:
        return ceremonies.claim_blocks(now.id, now.table, now.claims, now.players) if now.claims else []
    return ceremonies.between_blocks(now.id, now.table, now.exchange, emojis)


def _before_buttons(panel: Panel, more: list[Block]) -> list[Block]:
    blocks = list(panel.blocks)
    first = next((at for at, block in enumerate(blocks) if isinstance(block, Buttons)), len(blocks))
    return [*blocks[:first], *more, *blocks[first:]]


def shrunk_panel(now: TableNow, emojis: Emojis) -> Panel:
    """What is left of a hand's message once the next one is dealt."""
    view = now.hand
    assert view is not None, "no hand to shrink"
    return result.shrunk_panel(scene_of(now, view, emojis, 0))


def lobby_panel(now: TableNow, emojis: Emojis, note: str = "") -> Panel:
    """A table between hands."""
    panel = lobby.lobby_panel(now.id, now.table)
    more: list[Block] = [Small(note)] if note else []
    return Panel(panel.accent, tuple(_before_buttons(panel, [*more, *_proposed(now), *_asked_blocks(now, emojis)])))


def _waiting_for(now: TableNow) -> str:
    needs = now.table.needs_players
    if needs:
        return "Waiting for one more player" if needs == 1 else f"Waiting for {needs} players"
    return "" if now.settings.auto_start else "The next hand begins when a player asks for it"

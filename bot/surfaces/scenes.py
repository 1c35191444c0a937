"""From a table's snapshot to what is drawn: the scene of its hand, and the panel of its public message."""

from __future__ import annotations

from bot.engine.view.types import HandView
from bot.house.rules import HouseRules
from bot.pictures.types import Look
from bot.render.hand import result
from bot.render.hand.running_hand import running_hand_panel
from bot.render.hand.scene import Scene
from bot.render.message.panel import Block, Buttons, Panel, SmallText, Text, as_small_text
from bot.render.pictures.table import SEATS_MAX as PICTURE_SEATS_MAX
from bot.render.table import ceremonies, duel, lobby, proposals, rebuys, sit_and_go
from bot.render.table.way_on import break_wanted_blocks, way_on_buttons
from bot.runtime.sit_and_go import lobby_closes_at
from bot.runtime.snapshot import HandLog, TableSnapshot
from bot.statistics.types import Odds
from bot.table.settings import Pictures
from bot.text.buttons import LEAVE, SIT_OUT
from bot.text.cards import SIGNS, Emojis
from bot.text.duels import GIVE_UP, with_score
from bot.text.rebuys import bounties_of_hand
from bot.text.sit_and_go import AWAY, status_lines, stopped_line
from bot.text.way_on import reason_line, timeout_lines


class EmojiDecks:
    """How cards are written: as signs until the application emojis are uploaded."""

    def __init__(self) -> None:
        self.four_colour: Emojis = SIGNS
        self.two_colour: Emojis = SIGNS

    def set(self, four_colour: Emojis, two_colour: Emojis) -> None:
        """Write cards with these emojis from now on; with signs as long as they are not all uploaded."""
        self.four_colour, self.two_colour = four_colour, two_colour

    def choose(self, *, two_colour: bool) -> Emojis:
        """Return one of the two decks; the four-colour one while the other is not uploaded."""
        return self.two_colour if two_colour and self.two_colour.marks else self.four_colour


def has_pictures(snapshot: TableSnapshot) -> bool:
    """Return whether a table shows pictures of its hands."""
    settings = snapshot.settings
    return settings.pictures is Pictures.PER_STREET and settings.seat_count <= PICTURE_SEATS_MAX


def look_of(snapshot: TableSnapshot, house: HouseRules) -> Look:
    """Return how the pictures of a table are drawn: as the table has agreed, in the theme of its server."""
    return Look(theme=house.theme, deck=snapshot.settings.picture_deck, felt=snapshot.settings.felt)


def scene_of(
    snapshot: TableSnapshot,
    view: HandView,
    emojis: Emojis,
    at: int,
    introduction: str = "",
    *,
    picture: bool = False,
    acts_in_panel: bool = False,
    odds: Odds | None = None,
) -> Scene:
    """Return the hand of a table as `view` shows it, at a time in ms since the epoch.

    Args:
        introduction: teaches the game of the hand.
        picture: the message has a picture of the table.
        acts_in_panel: whoever is to act has the buttons in their own panel.
        odds: of the street of a run-out.
    """
    turn, settings, open_seats = snapshot.current_turn, snapshot.settings, snapshot.open_seats
    deadline = bank = 0
    in_time_bank = False
    if turn is not None:
        in_time_bank = turn.turn_ends_at <= at < turn.bank_ends_at
        deadline = -(-(turn.bank_ends_at if in_time_bank else turn.turn_ends_at) // 1000)
        bank = (turn.bank_ends_at - turn.turn_ends_at) // 1000
    return Scene(
        snapshot.id,
        snapshot.address.number,
        snapshot.hand_number,
        view,
        snapshot.players_by_seat,
        deadline,
        bank,
        emojis,
        open_seats,
        in_time_bank,
        snapshot.is_anybody_sitting_out,
        snapshot.mixture,
        introduction,
        settings.raise_sizes,
        picture,
        acts_in_panel,
        settings.has_table_chips and not settings.is_event,
        not open_seats,
        odds,
    )


def hand_log_scene(log: HandLog, emojis: Emojis) -> Scene:
    """Return the scene of a hand that is read from the journal."""
    return Scene(
        log.address.id,
        log.address.number,
        log.number,
        log.view,
        log.players_by_seat,
        emojis=emojis,
        mixture_name=log.mixture,
    )


def hand_panel(
    snapshot: TableSnapshot,
    emojis: Emojis,
    at: int,
    note: str = "",
    introduction: str = "",
    last_hand: str = "",
    *,
    picture: bool = False,
    acts_in_panel: bool = False,
    odds: Odds | None = None,
) -> Panel:
    """Return the hand of a table for everybody: as it is played, or its result.

    Args:
        at: the time, in ms since the epoch.
        note: small print above the buttons.
        introduction: what teaches the game, under the heading of a running hand.
        last_hand: how the last hand ended, under a running one.
        picture: the message has a picture of the table.
        acts_in_panel: whoever is to act has the buttons in their own panel.
        odds: of the street of a run-out.
    """
    view = snapshot.hand
    assert view is not None, "no hand to draw"
    scene = scene_of(snapshot, view, emojis, at, introduction, picture=picture, acts_in_panel=acts_in_panel, odds=odds)
    event = snapshot.sit_and_go
    played, is_stop_told = event if event is not None and event.is_running else None, False
    if snapshot.hand_running:
        panel = running_hand_panel(scene)
    else:
        view_of_table = snapshot.table
        next_at, reason = -(-view_of_table.next_hand_at // 1000), reason_line(view_of_table)
        if played is not None and played.rebuy_question is not None:
            next_at, reason = 0, ""  # the question says what comes first
        elif played is not None and (stopped := stopped_line(played)):
            reason, is_stop_told = stopped, True
        panel = result.result_panel(
            scene,
            next_at=next_at,
            reason="" if next_at else reason,
            ways_on=way_on_buttons(snapshot.id, view_of_table),
            sit_out=SIT_OUT if played is None else AWAY,
            leave=LEAVE if played is None or played.settings.duel is None else GIVE_UP,
        )
    ceremony = _ceremony_blocks(snapshot, emojis)
    just_told = bool(note)
    if played is not None:
        bounties = bounties_of_hand(played) if not snapshot.hand_running else ""
        told = status_lines(
            played,
            snapshot.settings,
            snapshot.average_stack,
            hand_running=snapshot.hand_running,
            stop_told=is_stop_told,
        )
        status = "\n".join(filter(None, (bounties, with_score(told, played, beside=True))))
        note = f"{note}\n{status}" if note else status
    if snapshot.is_anybody_late:
        lines = timeout_lines(snapshot.table, just_told=just_told)
        note = "\n".join([line for line in (note, *lines) if line])
    if snapshot.hand_running and last_hand:
        note = f"{note}\n{last_hand}" if note else last_hand
    asked, proposal = list[Block](), list[Block]()
    if event is not None:
        asked += rebuys.question_blocks(snapshot.id, event, acts_in_panel=acts_in_panel)
        asked += sit_and_go.agreement_blocks(snapshot.id, event)
    if snapshot.has_proposal:
        proposal = [*_proposal_blocks(snapshot), *lobby.proposal_blocks(snapshot.id, snapshot.table)]
    if not (note or asked or proposal or ceremony):
        return panel
    small: list[Block] = [SmallText(note)] if note else []
    blocks = _with_note(panel, note) if snapshot.hand_running else _insert_before_buttons(panel, [*small, *asked])
    return Panel(panel.accent, (*blocks, *proposal, *ceremony))


def _with_note(panel: Panel, note: str) -> list[Block]:
    """Put small print under the lines of the seats, in one text with them: the message of a running hand is short."""
    blocks = list(panel.blocks)
    if note:
        for at in range(len(blocks) - 1, -1, -1):
            lines = blocks[at]
            if isinstance(lines, Text):
                blocks[at] = Text(f"{lines.content}\n{as_small_text(note)}")
                break
    return blocks


def _proposal_blocks(snapshot: TableSnapshot) -> list[Block]:
    """Return the changes of an open proposal."""
    text = proposals.proposal_text(snapshot.table)
    return [SmallText(text)] if text else []


def _ceremony_blocks(snapshot: TableSnapshot, emojis: Emojis) -> list[Block]:
    """The open ceremonies: a break that is asked for; before a deal, or about a deal that a player calls irregular."""
    wanted = break_wanted_blocks(snapshot.id, snapshot.table) if snapshot.is_break_wanted else []
    if not snapshot.hand_running:
        return [*wanted, *ceremonies.between_hands_blocks(snapshot.id, snapshot.table, snapshot.seat_exchange, emojis)]
    if not snapshot.misdeal_claims:
        return wanted
    claims = ceremonies.misdeal_claim_blocks(snapshot.id, snapshot.table, snapshot.misdeal_claims, snapshot.dealt_users)
    return [*wanted, *claims]


def _insert_before_buttons(panel: Panel, more: list[Block]) -> list[Block]:
    blocks = list(panel.blocks)
    first = next((index for index, block in enumerate(blocks) if isinstance(block, Buttons)), len(blocks))
    return [*blocks[:first], *more, *blocks[first:]]


def lobby_panel(
    snapshot: TableSnapshot, emojis: Emojis, note: str = "", last_hand: str = "", *, acts_in_panel: bool = False
) -> Panel:
    """Return a table between hands.

    Args:
        last_hand: how the last one ended.
        acts_in_panel: who is asked something has the answers in their own panel.
    """
    event = snapshot.sit_and_go
    if event is not None and not event.is_running and event.is_open:
        if event.settings.duel is not None:
            return duel.challenge_panel(snapshot.id, snapshot.table, event, lobby_closes_at(event))
        return sit_and_go.entry_panel(snapshot.id, snapshot.table, event)
    panel = (
        sit_and_go.running_panel(snapshot.id, snapshot.table, event, snapshot.average_stack)
        if event is not None and event.is_running
        else lobby.lobby_panel(snapshot.id, snapshot.table)
    )
    more: list[Block] = [SmallText(line) for line in (note, last_hand) if line]
    if event is not None:
        bounties = bounties_of_hand(event)
        more += [SmallText(bounties)] if bounties else []
        more += rebuys.question_blocks(snapshot.id, event, acts_in_panel=acts_in_panel)
        more += sit_and_go.agreement_blocks(snapshot.id, event)
    return Panel(
        panel.accent,
        tuple(_insert_before_buttons(panel, [*more, *_proposal_blocks(snapshot), *_ceremony_blocks(snapshot, emojis)])),
    )

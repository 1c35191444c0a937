"""What is done rarely in a hand, by command: draw, stand pat, show, muck, declare, straddle. Each of them is also a button in *My hand*."""

from collections.abc import Awaitable, Callable
from typing import TypeAlias

from discord import app_commands

from bot.engine import commands as c
from bot.engine.cards import card_text
from bot.engine.legal import Decision
from bot.engine.refusals import NotAskedNow
from bot.render.hand.scene import sorted_cards
from bot.render.message.panel import Panel
from bot.table.commands import CallTime, PledgeStraddle
from bot.table.preselection.types import PreselectedAction
from bot.text import confirmations as words
from bot.text.cards import card_name
from bot.text.language import t
from cogs.cog import ServicesCog
from cogs.presses import playing, preselection
from cogs.support import confirmations
from cogs.support.commands import Interaction, Invocation, completions, slash_command

Cards = app_commands.Range[str, 1, 60]
_CARD_DECISIONS = frozenset({Decision.DRAW, Decision.GIVE_UP, Decision.PASS_CARDS, Decision.ARRANGE})
Act: TypeAlias = Callable[[Invocation], Awaitable[Panel | None]]


class ActCog(ServicesCog):
    """`/draw`, `/act`."""

    @slash_command("draw", playing=True)
    async def draw(self, invocation: Invocation, cards: Cards | None = None) -> None:
        await _choose_cards(invocation, cards)

    @slash_command("act", playing=True)
    async def act(
        self,
        invocation: Invocation,
        what: str,
        cards: Cards | None = None,
        word: app_commands.Range[str, 1, 24] | None = None,
    ) -> Panel | None:
        match what:
            case "show":
                await _show(invocation, cards)
            case "declare" if word is not None:
                await invocation.play(c.Declare(word.strip().lower()))
            case _:
                return await ACTS[what](invocation)
        return None

    @act.autocomplete("word")
    @completions
    async def words(self, interaction: Interaction, typed: str) -> list[tuple[str, str]]:
        """The words that the player can declare now."""
        snapshot = self.services.tables.table_in_channel(interaction.guild_id or 0, interaction.channel_id or 0)
        own = snapshot.seen_by(interaction.user.id) if snapshot is not None else None
        known = own.legal.declarable_words if own is not None and own.legal is not None else ()
        return [(word, word) for word in known if typed.casefold() in word]

    @act.autocomplete("cards")
    @completions
    async def own_cards(self, interaction: Interaction, typed: str) -> list[tuple[str, str]]:
        """The player's cards that they can still show alone."""
        snapshot = self.services.tables.table_in_channel(interaction.guild_id or 0, interaction.channel_id or 0)
        own = snapshot.seen_by(interaction.user.id) if snapshot is not None else None
        if own is None or own.viewer is None or not own.over:
            return []
        cards = sorted_cards([seen.card for seen in own.seats[own.viewer].cards if not seen.face_up])
        names = [(card_name(card), card_text(card)) for card in cards if card is not None]
        return [name for name in names if typed.casefold() in " ".join(name).casefold()]


async def _show(invocation: Invocation, cards: str | None) -> None:
    """Show the cards that were typed; without any, all of them, or choose in private which."""
    snapshot, user = invocation.snapshot, invocation.info.user
    if cards is not None:
        await invocation.play(c.Show(card_indices=playing.own_card_indexes(snapshot, user, cards)))
        return
    own = snapshot.seen_by(user)
    legal = own.legal if own is not None else None
    if legal is not None and (legal.designable_indices or legal.declarable_words):
        await invocation.show_hand(snapshot)
    else:
        await invocation.play(c.Show())


def _playing(command: Callable[[], c.HandCommand]) -> Act:
    async def act(invocation: Invocation) -> None:
        await invocation.play(command())

    return act


async def _open_hand(invocation: Invocation) -> None:
    await invocation.show_hand(invocation.snapshot)


async def _time(invocation: Invocation) -> Panel:
    return confirmations.time_bank(await invocation.ask(CallTime(invocation.info.user)))


def _straddling(*, wanted: bool) -> Act:
    async def act(invocation: Invocation) -> Panel | None:
        user = invocation.info.user
        own = invocation.snapshot.seen_by(user)
        if own is not None and own.legal is not None and own.legal.decision is Decision.STRADDLE:
            await invocation.play(c.TakeStraddle() if wanted else c.Decline())
            return None
        await invocation.ask(PledgeStraddle(user, wanted))
        return confirmations.done(t(words.STRADDLES_NEXT_DEAL if wanted else words.NO_STRADDLE_NEXT_DEAL))

    return act


def _preselecting(action: PreselectedAction | None) -> Act:
    async def act(invocation: Invocation) -> None:
        await preselection.preselect(invocation, action)

    return act


ACTS: dict[str, Act] = {
    "stand pat": _playing(c.ChooseCards),
    "muck": _playing(c.Muck),
    "declare": _open_hand,
    "yes": _playing(c.Accept),
    "no": _playing(c.Decline),
    "time": _time,
    "straddle": _straddling(wanted=True),
    "no straddle": _straddling(wanted=False),
    "check or fold": _preselecting(PreselectedAction.CHECK_OR_FOLD),
    "take back": _preselecting(None),
}
"""What `/act` does, by the values of `what`, but for *show*."""


async def _choose_cards(invocation: Invocation, typed: str | None) -> None:
    """Replace or give up the cards that were typed; without any, open the private choice."""
    snapshot, user = invocation.snapshot, invocation.info.user
    legal = playing.legal_actions_of(snapshot, user)
    if legal.decision not in _CARD_DECISIONS:
        refusal = NotAskedNow(expected=legal.decision)
        refusal.legal = legal
        raise refusal
    if typed is None:
        await invocation.show_hand(snapshot)
        return
    await invocation.play(c.ChooseCards(playing.own_card_indexes(snapshot, user, typed)))

"""What every table shares: the store, the clock, the master secret, and where changes go.

Source: design §4.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

from bot.fair.secrets import new_nonce
from bot.runtime.clock import Clock
from bot.runtime.now import Place
from bot.runtime.outcome import Change
from bot.runtime.policies import Policies
from bot.runtime.ports import Store
from bot.runtime.thinking import Thinking
from bot.runtime.wallets import Wallets


@dataclass(slots=True)
class Context:
    """Shared by all sessions of a process.

    Attributes:
        master: the secret all decks come from; master_since: hands started up to this time (ms) came from another one, which is lost.
        publish: takes a change, at once.
        dice: lots and moods; no card of a hand comes from it.
        nonce: makes the nonce of a hand, never the same twice.
        gone: told that a table is closed.
        thinking: where practice players think.
        stopping: nothing new is begun.
    """

    store: Store
    master: bytes
    clock: Clock
    publish: Callable[[Change], None]
    wallets: Wallets
    policies: Policies | None
    dice: Random
    gone: Callable[[Place], None]
    nonce: Callable[[], bytes] = new_nonce
    thinking: Thinking = field(default_factory=Thinking)
    master_since: int = 0
    stopping: bool = False

"""The base of all refusals: typed facts about why a request cannot be granted.

A refusal leaves everything as it was. It holds facts and no sentence: `bot.text.refusals` has the words for people.

    TableError                a request that cannot be granted now
    ├── LawError              … because a law forbids it
    │   └── BettingRefused    … a check, call, bet or raise (`bot.engine.refusals`)
    └── …                     of the bank, of channels, of files
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, dataclass_transform

if TYPE_CHECKING:
    from bot.engine.legal import LegalActions


class BrokenInvariant(Exception):
    """The program has come to a state that no lawful play reaches, and refuses to go on: nothing of it is saved or shown.

    It is raised, not asserted, because ``python -O`` removes assertions. An ``assert`` in this program only tells a reader, and the type
    checker, that a value is there; without it the next line would fail anyway.
    """


@dataclass_transform(kw_only_default=True, eq_default=False)
class TableError(Exception):
    """A request that cannot be granted now, for a reason that a player can understand. Nothing has changed.

    A subclass declares its facts as annotated fields, with or without a default. They are given by keyword and never change what is said
    elsewhere:

        >>> class NoChairAtThisTable(LawError, law="P-7"):
        ...     seat_number: int
        ...     seat_count: int
        >>> str(NoChairAtThisTable(seat_number=9, seat_count=6))
        "NoChairAtThisTable(law='P-7', seat_number=9, seat_count=6)"

    Raises:
        TypeError: a fact is missing, or is not one of the class.
    """

    field_names: ClassVar[tuple[str, ...]] = ()
    """The declared fields, those of base classes first."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        cls.field_names = tuple(dict.fromkeys((*cls.field_names, *cls.__annotations__)))

    def __init__(self, **facts: object) -> None:
        super().__init__()
        self.__dict__.update(facts)
        unknown = [name for name in facts if name not in self.field_names]
        missing = [name for name in self.field_names if not hasattr(self, name)]
        if unknown or missing:
            raise TypeError(f"{type(self).__name__}: unknown facts {unknown}, missing facts {missing}")

    def facts(self) -> dict[str, object]:
        """The facts by field name."""
        return {name: getattr(self, name) for name in self.field_names}

    def __str__(self) -> str:
        """A stable form for logs and developers: ``RaiseTooSmall(law='TL-2', to=4, minimum=12, opening=False)``."""
        facts = ", ".join(f"{name}={value!r}" for name, value in self.facts().items() if name != "legal")
        return f"{type(self).__name__}({facts})"


class LawError(TableError):
    """A request that a law forbids.

    Attributes:
        law: id of the law in the law book, for example ``B-8``. The class declares it; where it depends on the case, ``raise`` gives it.
        legal: what the seat can do now, or None where no seat is to act. `decide` fills it in.
    """

    law: str = ""
    legal: LegalActions | None = None

    def __init_subclass__(cls, *, law: str = "") -> None:
        super().__init_subclass__()
        if law:
            cls.law = law


class UnknownCard(TableError):
    """A word that names no card of any deck."""

    word: str

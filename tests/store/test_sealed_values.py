"""Sealed values come back to whoever has the secret, and to nobody else."""

import pytest

from bot.store.sealed_values import SealedValues

SECRET, OTHER = b"s" * 32, b"o" * 32


class Shelf:
    """A store in memory."""

    def __init__(self) -> None:
        self.kept: dict[str, bytes] = {}

    async def value(self, key: str) -> bytes | None:
        return self.kept.get(key)

    async def values(self, prefix: str) -> dict[str, bytes]:
        return {key: value for key, value in self.kept.items() if key.startswith(prefix)}

    async def keep(self, key: str, value: bytes | None) -> None:
        if value is None:
            self.kept.pop(key, None)
        else:
            self.kept[key] = value


@pytest.mark.parametrize("value", [b"", b"token", b"x" * 31, b"x" * 32, b"y" * 1000])
async def test_value_comes_back_and_is_not_on_the_shelf(value: bytes) -> None:
    shelf = Shelf()
    sealed = SealedValues(shelf, SECRET)
    await sealed.keep("panel.1.2", value)
    await sealed.keep("other.1.2", b"another")
    assert await SealedValues(shelf, SECRET).values("panel.") == {"panel.1.2": value}
    assert await SealedValues(shelf, SECRET).value("panel.1.2") == value
    assert not value or value not in shelf.kept["panel.1.2"]
    await sealed.keep("panel.1.2", None)
    assert await sealed.values("panel.") == {}


async def test_same_value_is_sealed_in_another_way_each_time() -> None:
    shelf = Shelf()
    sealed = SealedValues(shelf, SECRET)
    await sealed.keep("a", b"token")
    first = shelf.kept["a"]
    await sealed.keep("a", b"token")
    assert first != shelf.kept["a"]


async def test_changed_or_moved_values_and_other_secrets_open_nothing() -> None:
    """What cannot be opened is thrown away, so that it does not stay on the disk."""
    shelf = Shelf()
    await SealedValues(shelf, SECRET).keep("a", b"token")
    good = shelf.kept["a"]
    wrong = [good[:at] + bytes([good[at] ^ 1]) + good[at + 1 :] for at in range(len(good))]
    for changed in (*wrong, b"", good[:47], good + b"x"):
        shelf.kept = {"a": changed}
        assert await SealedValues(shelf, SECRET).values("") == {} and not shelf.kept
    shelf.kept = {"b": good}
    assert await SealedValues(shelf, SECRET).values("") == {}
    shelf.kept = {"a": good}
    assert await SealedValues(shelf, OTHER).values("") == {}

"""The checker's process: whatever becomes of it, whoever gave the file gets an answer, and the bot goes on."""

import asyncio
import sys
from pathlib import Path

import pytest
from msgspec.structs import replace

from bot.operation import hand_check
from bot.runtime.errors import FileTooHard, ImportForgotten
from bot.runtime.replays import EVERYBODY
from bot.runtime.store_errors import StoreError
from bot.surfaces.imports import hand_imports
from bot.surfaces.imports.hand_imports import (
    FILE_SECONDS,
    FILES_REMEMBERED,
    KEPT_BYTES_MAX,
    KEPT_MS,
    REMEMBERED_MS,
    HandImports,
)
from bot.text.hand_files import Verdict
from tests.e2e.movable_clock import MovableClock
from tests.history.test_read_file import STORY

ANN, BO = 11, 12


class ValuesInMemory:
    """What is kept, as the store keeps it. Its disk can be full."""

    def __init__(self) -> None:
        self.kept: dict[str, bytes] = {}
        self.is_full = False

    async def value(self, key: str) -> bytes | None:
        return self.kept.get(key)

    async def values(self, prefix: str) -> dict[str, bytes]:
        return {key: value for key, value in self.kept.items() if key.startswith(prefix)}

    async def keep(self, key: str, value: bytes | None) -> None:
        if self.is_full:
            raise StoreError
        if value is None:
            self.kept.pop(key, None)
        else:
            self.kept[key] = value


def imports(
    program: str = "",
    *,
    limit: float = 20.0,
    clock: MovableClock | None = None,
    store: ValuesInMemory | None = None,
) -> HandImports:
    """Return imports whose checker is this program; the real one by default."""
    command = (sys.executable, "-c", program) if program else hand_imports.CHECKER
    return HandImports(store or ValuesInMemory(), clock or MovableClock(), command, limit_seconds=limit)


ONE_HAND = (
    "import sys, msgspec; from bot.text.checked_hands import CheckedFile, CheckedHand; "
    "told = CheckedFile('phh', (CheckedHand(1, 1, 'plays', fault=sys.stdin.read()),)); "
    "sys.stdout.buffer.write(msgspec.msgpack.encode(told))"
)
"""A checker that says of every file that it has one hand, and what stands in it."""


async def test_a_file_is_checked_in_a_process_and_remembered() -> None:
    clock = MovableClock()
    importing = imports(clock=clock)
    file = await importing.check(ANN, "a.txt", STORY.encode(), "en-US")
    (hand,) = file.checked.hands
    assert (hand.verdict, hand.fault) == (Verdict.PLAYS, "")
    assert [page.title for page in hand.pages()] == ["The deal", "Pre-flop", "Summary"]
    assert await importing.find(file.id, ANN) is file
    with pytest.raises(ImportForgotten):
        await importing.find(file.id, BO)
    clock.skip(KEPT_MS / 1000 + 1)
    with pytest.raises(ImportForgotten):
        await importing.find(file.id, ANN)


async def test_newest_file_is_kept_a_day_over_a_restart() -> None:
    clock, store = MovableClock(), ValuesInMemory()
    first = await imports(ONE_HAND, clock=clock, store=store).check(ANN, "first.txt", b"1", "en-US")
    clock.skip(1)
    file = await imports(ONE_HAND, clock=clock, store=store).check(ANN, "second.txt", b"2", "en-US")
    restarted = imports(clock=clock, store=store)
    assert await restarted.find(file.id, ANN) == file and await restarted.find(0, ANN) == file
    for id_, user in ((first.id, ANN), (file.id, BO), (0, BO)):
        with pytest.raises(ImportForgotten):
            await restarted.find(id_, user)
    await restarted.open()
    await restarted.wait_until_idle()
    clock.skip(KEPT_MS / 1000 + 1)
    while not restarted.tasks.pending:
        await asyncio.sleep(0)
    await restarted.tasks.finish(5)
    assert not store.kept, "nothing stays when the day is over, though nobody asks"


async def test_a_file_is_forgotten_with_its_owners_data() -> None:
    store = ValuesInMemory()
    importing = imports(ONE_HAND, store=store)
    file = await importing.check(ANN, "a.txt", b"1", "en-US")
    store.kept.clear()  # as the store deletes what is kept about a person
    await importing.forget(1, ANN)
    with pytest.raises(ImportForgotten):
        await importing.find(file.id, ANN)
    checking = asyncio.create_task(importing.check(ANN, "b.txt", b"2", "en-US"))
    await asyncio.sleep(0)
    await importing.forget(1, ANN)
    await checking
    assert not store.kept, "a file that was being checked meanwhile is not kept either"


async def test_what_cannot_be_kept_is_remembered_half_an_hour() -> None:
    clock, store = MovableClock(), ValuesInMemory()
    importing = imports(ONE_HAND, clock=clock, store=store)
    small = await importing.check(ANN, "a.txt", b"1", "en-US")
    assert small.kept
    long = await importing.check(ANN, "a.txt", b"1" * KEPT_BYTES_MAX, "en-US")
    assert not long.kept and not store.kept, "the older file does not stay in place of a newer one"
    store.is_full = True
    unsaved = await importing.check(BO, "a.txt", b"1", "en-US")
    assert not unsaved.kept and await importing.find(unsaved.id, BO) is unsaved
    clock.skip(REMEMBERED_MS / 1000 + 1)
    for file in (long, unsaved):
        with pytest.raises(ImportForgotten):
            await importing.find(file.id, file.user)


async def test_no_file_pushes_another_persons_file_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many people give one: what is full takes no more, and keeps what it has."""
    monkeypatch.setattr(hand_imports, "FILES_KEPT", 40)
    clock, store = MovableClock(), ValuesInMemory()
    importing = imports(ONE_HAND, clock=clock, store=store)
    file = await importing.check(ANN, "a.txt", b"1", "en-US")
    for user in range(100, 140):
        clock.skip(1)
        last = await importing._keep(replace(file, id=clock.now(), user=user, kept=False))
    assert len(store.kept) == 40 and not last.kept
    restarted = imports(clock=clock, store=store)
    assert await restarted.find(file.id, ANN) == file


async def test_persons_many_files_push_only_their_own_out() -> None:
    """Neither is kept: one has no hands. It is remembered all the same, until its own giver gives another."""
    importing = imports("import sys, msgspec; from bot.text.checked_hands import CheckedFile; "
                        "sys.stdout.buffer.write(msgspec.msgpack.encode(CheckedFile(error='x')))")  # fmt: skip
    first = await importing.check(BO, "b.txt", b"1", "en-US")
    hers = await importing.check(ANN, "a.txt", b"1", "en-US")
    for at in range(FILES_REMEMBERED):
        newest = replace(hers, id=hers.id + 1 + at)
        importing._remember(newest)
    assert await importing.find(first.id, BO) is first and await importing.find(newest.id, ANN) is newest
    with pytest.raises(ImportForgotten):
        await importing.find(hers.id, ANN)


async def test_hand_is_replayed_with_the_cards_its_file_names() -> None:
    importing = imports()
    file = await importing.check(ANN, "a.txt", STORY.encode(), "en-US")
    replay = await importing.replay(file, 1)
    assert replay is not None and await importing.replay(file, 1) is replay
    known = [[card.card for card in seat.cards] for seat in replay.at(2, EVERYBODY).public.seats]
    assert sum(None not in cards and len(cards) == 2 for cards in known) == STORY.count("Dealt to"), known
    with pytest.raises(ImportForgotten):
        await importing.replay(file, 2)


@pytest.mark.parametrize(
    "program",
    [
        "import os; os.kill(os.getpid(), 9)",
        "raise SystemExit(3)",
        "print('nonsense')",
        "import sys; sys.stdout.write('x' * 9_000_000)",
        "import time; time.sleep(60)",
        "import sys; sys.stdin.close(); import time; time.sleep(60)",
    ],
    ids=["killed", "fails", "writes nonsense", "writes too much", "hangs", "reads nothing"],
)
async def test_a_checker_that_dies_leaves_a_friendly_answer(program: str) -> None:
    importing = imports(program, limit=1.0)
    with pytest.raises(FileTooHard):
        await importing.check(ANN, "a.txt", b"x" * 2_000_000, "en-US")


async def test_hand_that_fails_by_our_fault_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    """Its reader is told so; whoever runs the dealer learns it too, and nothing of what the file says."""
    importing = imports(ONE_HAND.replace("'plays'", "'fault'"))
    file = await importing.check(ANN, "a.txt", b"secret", "en-US")
    assert file.checked.hands[0].verdict == Verdict.FAULT
    (record,) = [each for each in caplog.records if each.message == "hands_of_file_failed"]
    assert record.levelname == "ERROR" and vars(record)["hands"] == 1 and "secret" not in str(vars(record))


async def test_the_checker_gets_no_token_and_no_setting(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", "secret")
    monkeypatch.setenv("CARDROOM_DATA", "somewhere")
    seen = tmp_path / "seen"
    program = f"import os; open({str(seen)!r}, 'w').write(' '.join(os.environ))"
    with pytest.raises(FileTooHard):
        await imports(program).check(ANN, "a.txt", b"x", "en-US")
    assert "DISCORD_TOKEN" not in seen.read_text() and "CARDROOM_DATA" not in seen.read_text()


async def test_only_the_newest_files_are_remembered() -> None:
    """What is kept in the store, too, gives way first: it can be read again."""
    importing = imports(ONE_HAND)
    kept = await importing.check(ANN, "a.txt", b"x", "en-US")
    importing._remember(replace(kept, id=kept.id + 1, user=BO, kept=False))
    for at in range(FILES_REMEMBERED):
        importing._remember(replace(kept, id=kept.id + 2 + at, user=100 + at, kept=True))
    assert len(importing._files) == FILES_REMEMBERED and await importing.find(kept.id + 1, BO)
    assert await importing.find(kept.id, ANN) == kept


async def test_files_seconds_are_counted_for_its_giver() -> None:
    """What the checker says it took; of one that says nothing, how long it ran, and never more than a file can take."""
    hang, says = "import time; time.sleep(60)", ONE_HAND.replace("read()),)", "read()),), seconds=0.25")
    importing = imports(says)
    await importing.check(ANN, "a.txt", b"1", "en-US")
    assert 0 < importing.turns.used(ANN) <= 0.25
    importing = imports(hang, limit=0.2)
    with pytest.raises(FileTooHard):
        await importing.check(ANN, "a.txt", b"1", "en-US")
    assert 0.2 <= importing.turns.used(ANN) <= FILE_SECONDS and not importing.turns.used(BO)
    assert not importing.turns.working


def test_system_ends_checker_after_the_seconds_counted() -> None:
    assert FILE_SECONDS == hand_check.LIMIT_SECONDS > hand_check.WORK_SECONDS


async def test_what_another_version_kept_is_forgotten() -> None:
    """What cannot be read is deleted at the start; a hand whose events have other names now is told street by street."""
    store = ValuesInMemory()
    store.kept = {f"import.{ANN}": b"\x93what", "import.nobody": b""}
    importing = imports(store=store)
    with pytest.raises(ImportForgotten):
        await importing.find(0, ANN)
    await importing.open()
    await importing.wait_until_idle()
    assert not store.kept
    file = await importing.check(ANN, "a.txt", STORY.encode(), "en-US")
    older = replace(file.checked.hands[0], replay=b"older")
    assert await importing.replay(replace(file, checked=replace(file.checked, hands=(older,))), 1) is None
    await importing.close()

"""An event loop whose time jumps while nothing happens, and in which a part of the program can be killed.

A wait of five seconds takes as long as what happens in it. Time jumps to the next timer once no socket has anything to read; while the
program computes, no time passes. Whoever connects to a server of the same loop gets a pair of sockets in which what is sent is there at
once: over TCP a busy machine can deliver it after the jump. What the program hands to a thread takes its turn in the loop, after
everything that was ready then: the order is the same each time, and nobody waits for a thread to wake. So a busy machine changes nothing
in a story.

    async def story(loop: QuickLoop) -> None:
        life = Life()
        dealer = life.start(deal_until_killed())
        await asyncio.sleep(600)
        loop.kill(life)

    run_quickly(story)

A `Life` is a program within the process, such as a dealer beside the stand-in and the people. `QuickLoop.kill` ends it as SIGKILL would:
none of its code runs again, not even what stands in a ``finally``, and its connections end.
"""

from __future__ import annotations

import asyncio
import contextvars
import logging
import selectors
import socket
import sys
import threading
import time
import warnings
import weakref
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import Executor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

import aiosqlite
import discord

T = TypeVar("T")

QUIET_SECONDS = 0.001
"""So long nothing must come from TCP before time jumps, where a story has such a connection."""
LONGEST_STORY = 3_600.0
"""Seconds on the loop's clock. A story that waits for something that never happens ends here."""

_LEFT_BEHIND = ("Unclosed", "Future exception was never retrieved", "Task was destroyed")

_life: contextvars.ContextVar[Life | None] = contextvars.ContextVar("life", default=None)
_NOBODY = contextvars.Context()
"""What runs there belongs to no life."""


def wall_time() -> float:
    """Return the time in seconds since 1970: with the jumps of the loop that runs, if it is a quick one."""
    try:
        loop = asyncio.get_running_loop()
    except RuntimeError:
        return time.time()
    return loop.wall_time() if isinstance(loop, QuickLoop) else time.time()


def is_killed() -> bool:
    """Return whether the running code belongs to a life that has been killed: it runs on to its next ``await``."""
    life = _life.get()
    return life is not None and life.is_dead


class Life:
    """A program that can be killed, with every task, timer, connection and database that began in it.

    Attributes:
        on_step: is told before each step that any of its tasks takes, and can kill it there.
    """

    def __init__(self) -> None:
        self.is_dead = False
        self.on_step: Callable[[], None] | None = None
        self.tasks: set[asyncio.Task[Any]] = set()
        self.transports: list[asyncio.Transport] = []
        self.databases: list[aiosqlite.Connection] = []
        self.work: set[asyncio.Future[Any]] = set()
        self._context = contextvars.copy_context()
        self._context.run(_life.set, self)

    def start(self, coroutine: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Begin a task of this life. Whatever it begins belongs to this life too."""
        return asyncio.get_running_loop().create_task(coroutine, context=self._context)


@dataclass(frozen=True)
class _Served:
    """Who answers at an address of the loop, and in which context."""

    server: asyncio.Server
    protocol: Callable[[], asyncio.BaseProtocol]
    context: contextvars.Context


class QuickLoop(asyncio.SelectorEventLoop):
    """See the module.

    Attributes:
        has_tcp: whether anything was ever connected by TCP.
    """

    def __init__(self) -> None:
        self._now = 0.0
        self._began_at = time.time()
        self._graveyard: list[Life] = []
        self._has_dead = False
        self._served: dict[tuple[str, int], _Served] = {}
        self._near_ends: weakref.WeakKeyDictionary[socket.socket, tuple[socket.socket, Life | None]]
        self._near_ends = weakref.WeakKeyDictionary()
        self.has_tcp = False
        super().__init__(_QuickSelector(self))
        self.set_task_factory(_make_task)

    def time(self) -> float:
        return self._now

    def wall_time(self) -> float:
        """Return the time in seconds since 1970, with all jumps."""
        return self._began_at + self.time()

    def jump(self, seconds: float) -> None:
        self._now += seconds

    # what belongs to a life

    def call_soon(
        self, callback: Callable[..., Any], *args: Any, context: contextvars.Context | None = None
    ) -> asyncio.Handle:
        life = _life.get() if context is None else context.get(_life)
        if life is not None:
            if life.on_step is not None and not life.is_dead:
                life.on_step()
            if life.is_dead:
                dropped = asyncio.Handle(callback, args, self, context)
                dropped.cancel()
                return dropped
        if self._closed:  # type: ignore[attr-defined]
            raise RuntimeError("Event loop is closed")
        handle = asyncio.Handle(callback, args, self, context)  # as `super().call_soon`, in half the time
        self._ready.append(handle)  # type: ignore[attr-defined]
        return handle

    def call_at(
        self, when: float, callback: Callable[..., Any], *args: Any, context: contextvars.Context | None = None
    ) -> asyncio.TimerHandle:
        timer = super().call_at(when, callback, *args, context=context)
        life = _life.get() if context is None else context.get(_life)
        if life is not None and life.is_dead:
            timer.cancel()
        return timer

    async def create_server(self, protocol_factory: Any, *arguments: Any, **how: Any) -> asyncio.Server:
        server = await super().create_server(protocol_factory, *arguments, **how)
        for listening in server.sockets:
            if listening.family == socket.AF_INET:
                self._served[listening.getsockname()] = _Served(server, protocol_factory, contextvars.copy_context())
        return server

    async def sock_connect(self, sock: socket.socket, address: Any) -> None:
        served = self._served.get(address)
        if served is None or not served.server.is_serving():
            await super().sock_connect(sock, address)
            return
        if is_killed():
            await self.create_future()  # it never gets there
        near, far = socket.socketpair()
        near.setblocking(False)
        far.setblocking(False)
        self._near_ends[sock] = near, _life.get()
        extra = {"peername": ("127.0.0.1", far.fileno())}
        served.context.run(self._make_socket_transport, far, served.protocol(), extra=extra, server=served.server)

    async def _create_connection_transport(self, sock: socket.socket, *arguments: Any, **how: Any) -> Any:
        near, _ = self._near_ends.pop(sock, (None, None))
        if near is not None:
            sock.close()
        return await super()._create_connection_transport(near or sock, *arguments, **how)  # type: ignore[misc]

    def _make_socket_transport(self, sock: socket.socket, *arguments: Any, **how: Any) -> asyncio.Transport:
        self.has_tcp |= sock.family != socket.AF_UNIX
        transport: asyncio.Transport = super()._make_socket_transport(sock, *arguments, **how)  # type: ignore[misc]
        if (life := _life.get()) is not None:
            life.transports.append(transport)
        return transport

    def run_in_executor(self, executor: Executor | None, func: Callable[..., T], *args: Any) -> asyncio.Future[T]:
        future: asyncio.Future[T] = self.create_future()
        self.work_later(future, partial(func, *args))
        return future

    def work_later(self, future: asyncio.Future[Any], work: Callable[[], Any]) -> None:
        """Do what is meant for a thread after everything that is ready now, and tell the future, also when its life has ended."""
        life = _life.get()
        if life is not None:
            life.work.add(future)
            future.add_done_callback(life.work.discard, context=_NOBODY)
        self.call_soon(_work, future, work, context=_NOBODY.copy())

    async def subprocess_exec(self, *arguments: Any, **how: Any) -> Any:
        """Refuse: what waits for a process must not be told that a minute has passed while it started.

        Raises:
            RuntimeError: always.
        """
        raise RuntimeError("a process takes its own time: mark the evening with real_time")

    def kill(self, life: Life) -> None:
        """Let nothing of a life run again, and end its connections. What its threads have begun they end."""
        contextvars.Context().run(self._kill, life)

    def _kill(self, life: Life) -> None:
        life.is_dead = True
        life.on_step = None
        self._graveyard.append(life)
        self._has_dead = True
        for handle in (*self._scheduled, *self._ready):  # type: ignore[attr-defined]
            if handle._context is not None and handle._context.get(_life) is life:
                handle.cancel()
        for transport in life.transports:
            transport.abort()
        for near, owner in self._near_ends.values():
            if owner is life:
                near.close()
        for key in tuple(self._selector.get_map().values()):  # type: ignore[attr-defined]
            self._let_go(key, life)
        for thread in threading.enumerate():
            if isinstance(thread, discord.gateway.KeepAliveHandler):
                thread.stop()

    def _let_go(self, key: selectors.SelectorKey, life: Life) -> None:
        """Watch a socket no more for a killed life, such as one that is being connected: nobody would take what comes from it."""
        for handle, remove in zip(key.data, (self._remove_reader, self._remove_writer), strict=True):  # type: ignore[attr-defined]
            if handle is not None and handle._context.get(_life) is life:
                remove(key.fd)

    def _add_reader(self, fd: Any, callback: Callable[..., Any], *args: Any) -> asyncio.Handle:
        return self._watch(super()._add_reader, self._remove_reader, fd, callback, *args)  # type: ignore[misc, attr-defined]

    def _add_writer(self, fd: Any, callback: Callable[..., Any], *args: Any) -> asyncio.Handle:
        return self._watch(super()._add_writer, self._remove_writer, fd, callback, *args)  # type: ignore[misc, attr-defined]

    def _watch(
        self, add: Callable[..., asyncio.Handle], remove: Callable[[Any], bool], fd: Any, *callback: Any
    ) -> asyncio.Handle:
        """Watch a socket, but not for what is killed and runs on to its next ``await``."""
        handle = add(fd, *callback)
        if is_killed():
            remove(fd)
        return handle

    async def release_files(self, life: Life) -> None:
        """Close the databases of a killed life, as the system does for a process: what was not committed is rolled back."""
        if life.work:
            await asyncio.wait(set(life.work))
        for database in life.databases:
            if database._running and (closed := database.stop()) is not None:
                await closed

    def bury(self) -> None:
        """Forget the dead. What their unfinished tasks would still do when they are dropped is nobody's concern."""
        hook, sys.unraisablehook = sys.unraisablehook, lambda _: None
        logging.disable()
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                for life in self._graveyard:
                    for task in tuple(life.tasks):
                        task._log_destroy_pending = False  # type: ignore[attr-defined]
                        with suppress(BaseException):
                            task.get_coro().close()  # type: ignore[union-attr]
                    life.tasks.clear()
                    life.transports.clear()
                self._graveyard.clear()
        finally:
            logging.disable(logging.NOTSET)
            sys.unraisablehook = hook

    def call_exception_handler(self, context: dict[str, Any]) -> None:
        """Tell what went wrong, unless it is what the dead have left behind."""
        if not (self._has_dead and context["message"].startswith(_LEFT_BEHIND)):
            super().call_exception_handler(context)


class _QuickSelector(selectors.DefaultSelector):
    """Waits for sockets as they are, and for timers by a jump."""

    def __init__(self, loop: QuickLoop) -> None:
        super().__init__()
        self._quick_loop = loop

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if timeout is None or timeout <= 0:
            return super().select(timeout)
        found = super().select(0)
        if not found and self._quick_loop.has_tcp:
            time.sleep(QUIET_SECONDS)
            found = super().select(0)
        if not found:
            self._quick_loop.jump(timeout)
        return found


class _InTurn:
    """Stands for the thread of an aiosqlite connection and for the queue before it. What is killed hands over nothing more."""

    def start(self) -> None:
        """There is no thread."""

    def put_nowait(self, item: tuple[asyncio.Future[Any] | None, Callable[[], Any]]) -> None:
        future, work = item
        if is_killed():
            return
        if future is None or not isinstance(loop := future.get_loop(), QuickLoop):
            work()  # the loop is closed, and so is the connection now
        else:
            loop.work_later(future, work)


def _work(future: asyncio.Future[Any], work: Callable[[], Any]) -> None:
    try:
        result = work()
    except BaseException as error:
        if not future.done():
            future.set_exception(error)
    else:
        if not future.done():
            future.set_result(result)


@contextmanager
def watched_databases() -> Iterator[None]:
    """Let the databases that are opened now be worked on by their quick loop, and be known to their life."""
    make = aiosqlite.Connection.__init__

    def noted(self: aiosqlite.Connection, *arguments: Any, **how: Any) -> None:
        make(self, *arguments, **how)
        self._tx = self._thread = _InTurn()  # type: ignore[assignment]
        if (life := _life.get()) is not None:
            life.databases.append(self)

    aiosqlite.Connection.__init__ = noted  # type: ignore[method-assign]
    try:
        yield
    finally:
        aiosqlite.Connection.__init__ = make  # type: ignore[method-assign]


def _make_task(loop: asyncio.AbstractEventLoop, coroutine: Any, **how: Any) -> asyncio.Task[Any]:
    task: asyncio.Task[Any] = asyncio.Task(coroutine, loop=loop, **how)
    context = how.get("context")
    life = context.get(_life) if context is not None else _life.get()
    if life is not None:
        life.tasks.add(task)
        task.add_done_callback(life.tasks.discard, context=contextvars.Context())
    return task


def run_quickly(story: Callable[[QuickLoop], Coroutine[Any, Any, T]]) -> T:
    """Run a story to its end in a loop of its own."""
    loop = QuickLoop()
    asyncio.set_event_loop(loop)
    try:
        with watched_databases():
            result = loop.run_until_complete(asyncio.wait_for(story(loop), LONGEST_STORY))
            loop.run_until_complete(_end_rest(loop))
            return result
    finally:
        loop.bury()
        asyncio.set_event_loop(None)
        loop.close()


async def _end_rest(loop: QuickLoop) -> None:
    """End the tasks that go on after the story."""
    dead = {task for life in loop._graveyard for task in life.tasks}
    rest = asyncio.all_tasks() - dead - {asyncio.current_task()}
    for task in rest:
        task.cancel()
    await asyncio.gather(*rest, return_exceptions=True)
    await loop.shutdown_default_executor()

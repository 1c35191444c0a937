"""Follow the Dockerfile where there is no container engine: in a bare Debian tree, as its user, on a read-only root; then play there.

It reads the Dockerfile and carries out its instructions, so what is tested is what is written. Then, with nothing but the volume and
/tmp writable and without any capability, it starts the local cardroom, plays from the page's socket, looks at the picture of the table,
kills it in the middle of a street and plays on, stops it by SIGTERM, plays on the half-played hands of the released 0.1.0, and measures
what the image adds.

    apt install debootstrap zstd                                    once; it must run as root
    .venv/bin/python .ci/image.py [--base TREE] [--work FOLDER]     with the tests' dependencies; TREE saves the download of Debian
"""

from __future__ import annotations

import argparse
import asyncio
import ctypes
import fnmatch
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import aiohttp

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tests.support.discord_double import Player  # noqa: E402  (the path comes first)

DEBIAN, PACKAGES = "trixie", "python3,python3-venv,ca-certificates"
NO_CACHE = 'Dir::Cache::pkgcache ""; Dir::Cache::srcpkgcache ""; APT::Keep-Downloaded-Packages "false";\n'
"""How the images of Debian keep apt from leaving files behind."""
BASE_MB = 46
"""What python:3.13-slim takes compressed on amd64, by memory of what its registry lists. It is no measurement."""
MAX_MB = 120
STOP_SECONDS = 10.0
REFUSE_EXEC_GAIN, SET_MDWE = 1, 65
"""prctl(PR_SET_MDWE): what the unit's MemoryDenyWriteExecute= asks for."""


@dataclass
class Stage:
    """What the instructions of one FROM have led to."""

    tree: Path
    env: dict[str, str] = field(default_factory=dict)
    workdir: str = "/"
    user: str = "0:0"
    volumes: list[str] = field(default_factory=list)
    entrypoint: list[str] = field(default_factory=list)
    command: list[str] = field(default_factory=list)
    health: list[str] = field(default_factory=list)


def say(line: str) -> None:
    print(f"== {line}", flush=True)


def run(*command: str | Path, **how: Any) -> subprocess.CompletedProcess[str]:
    """Run a command; a failure ends the script."""
    done = subprocess.run([str(part) for part in command], text=True, check=False, **how)
    if done.returncode:
        sys.exit(f"failed with {done.returncode}: {shlex.join(str(part) for part in command)}")
    return done


# the Dockerfile


def instructions(text: str) -> list[tuple[str, str]]:
    """Return each instruction with what follows it; continued lines are joined."""
    lines = [line for line in text.splitlines() if not line.lstrip().startswith("#")]
    joined = re.sub(r"\\\n", " ", "\n".join(lines))
    return [(word, rest.strip()) for word, _, rest in (line.partition(" ") for line in joined.splitlines() if line)]


def base_tree(work: Path, given: Path | None) -> Path:
    """Return a tree that stands for python:3.x-slim: Debian with `python` and `pip` on the PATH."""
    base = work / "base"
    if given is None:
        say(f"Debian {DEBIAN} by debootstrap")
        run("debootstrap", "--variant=minbase", f"--include={PACKAGES}", DEBIAN, base, stdout=subprocess.DEVNULL)
    else:
        run("cp", "-a", given, base)
    shutil.rmtree(base / "var/cache/apt", ignore_errors=True)
    shutil.rmtree(base / "var/lib/apt/lists", ignore_errors=True)
    (base / "etc/apt/apt.conf.d/docker-clean").write_text(NO_CACHE)
    (base / "usr/local/bin/python").symlink_to("/usr/bin/python3")
    run("chroot", base, "python3", "-m", "venv", "/usr/local/lib/pip")
    (base / "usr/local/bin/pip").symlink_to("/usr/local/lib/pip/bin/pip")
    return base


def build(work: Path, base: Path) -> Stage:
    """Carry out the Dockerfile. Returns its last stage."""
    context = work / "context"
    copy_context(context)
    stages: dict[str, Stage] = {}
    stage = Stage(work)
    for word, rest in instructions((ROOT / "Dockerfile").read_text(encoding="utf-8")):
        say(f"{word} {rest[:100]}")
        match word:
            case "FROM":
                name = rest.partition(" AS ")[2] or "image"
                stage = stages[name] = Stage(
                    work / name, {"PATH": "/usr/local/bin:/usr/local/sbin:/usr/sbin:/usr/bin:/sbin:/bin"}
                )
                run("cp", "-a", base, stage.tree)
            case "RUN":
                run_in(stage, rest)
            case "COPY":
                parts = shlex.split(rest)
                source = (
                    stages[parts.pop(0).removeprefix("--from=")].tree if parts[0].startswith("--from=") else context
                )
                *froms, to = parts
                target = stage.tree / (Path(stage.workdir) / to).as_posix().lstrip("/")
                for one in froms:
                    copied = source / one.lstrip("/")
                    run(
                        "cp",
                        "-a",
                        "--no-target-directory",
                        copied,
                        target / copied.name if to.endswith("/") else target,
                    )
            case "ENV":
                name, _, value = rest.partition("=")
                stage.env[name] = value
            case "WORKDIR":
                stage.workdir = rest
                (stage.tree / rest.lstrip("/")).mkdir(parents=True, exist_ok=True)
            case "USER":
                stage.user = rest
            case "VOLUME":
                stage.volumes.append(rest)
            case "ENTRYPOINT":
                stage.entrypoint = json.loads(rest)
            case "CMD":
                stage.command = json.loads(rest)
            case "HEALTHCHECK":
                stage.health = json.loads(rest[rest.index("CMD") + 3 :])
            case "STOPSIGNAL":
                assert rest == "SIGTERM", rest
            case _:
                sys.exit(f"{word} is not known here: teach it to .ci/image.py")
    return stage


def copy_context(context: Path) -> None:
    """Copy what .dockerignore lets through: its lines in order, the last one that fits decides."""
    rules = (ROOT / ".dockerignore").read_text(encoding="utf-8").split()

    def ignored(path: Path) -> bool:
        kept = True
        for rule in rules:
            pattern = rule.removeprefix("!").removeprefix("**/")
            parts = path.parts if "**/" in rule else path.parts[:1]
            if any(fnmatch.fnmatch(part, pattern) for part in parts):
                kept = rule.startswith("!")
        return not kept

    for path in sorted(ROOT.rglob("*")):
        relative = path.relative_to(ROOT)
        if path.is_file() and not ignored(relative):
            (context / relative).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(path, context / relative)


def run_in(stage: Stage, command: str) -> None:
    """Carry out a RUN as root, with the network and the certificates of this machine."""
    certificates = Path("/etc/ssl/certs/ca-certificates.crt")
    shutil.copy2("/etc/resolv.conf", stage.tree / "etc/resolv.conf")
    if certificates.is_file():
        shutil.copy2(certificates, stage.tree / "etc/ssl/certs/ca-certificates.crt")
    env = stage.env | {"HOME": "/root", "PIP_CERT": str(certificates), "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    named = [f"{name}={value}" for name, value in env.items()]
    inside = f"cd {shlex.quote(stage.workdir)} && {command}"
    run("unshare", "--mount", "--pid", "--fork", f"--mount-proc={stage.tree}/proc", "chroot", stage.tree, "env", "-i", *named,
        "sh", "-c", inside)  # fmt: skip


# running it


class Container:
    """The image, running as compose.yaml starts it: its user, a read-only root, no capability, /data and /tmp to write to."""

    def __init__(self, stage: Stage, volume: Path) -> None:
        self.stage, self.volume = stage, volume
        self.process: asyncio.subprocess.Process | None = None
        self.output: list[str] = []

    def command(self, *inside: str, mounts: str = "") -> list[str]:
        """Return the command that runs something inside: it is process 1 there."""
        stage, tree = self.stage, self.stage.tree
        uid, gid = stage.user.split(":")
        named = " ".join(shlex.quote(f"{name}={value}") for name, value in (stage.env | {"HOME": "/data"}).items())
        script = f"""
            set -e
            mount --bind {tree} {tree}
            mount --bind {self.volume} {tree}/data
            mount -t tmpfs -o mode=1777,noexec,nosuid,nodev tmpfs {tree}/tmp
            mount -t proc -o subset=pid,hidepid=invisible proc {tree}/proc
            for each in null urandom random; do touch {tree}/dev/$each; mount --bind /dev/$each {tree}/dev/$each; done
            {mounts}
            mount -o remount,bind,ro {tree}
            exec chroot {tree} env -i -C {stage.workdir} {named} setpriv --reuid {uid} --regid {gid} --clear-groups \
                --no-new-privs --bounding-set=-all --inh-caps=-all {shlex.join(inside)}
        """
        return ["unshare", "--mount", "--pid", "--fork", "sh", "-c", script]

    async def start(self, *arguments: str) -> str:
        """Start it. Returns the link to a seat once the dealer is in."""
        command = self.command(*self.stage.entrypoint, *(arguments or self.stage.command))
        self.process = await asyncio.create_subprocess_exec(
            *command,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
            preexec_fn=deny_executable_memory,
        )
        await self.until("The dealer is in")
        return str(re.findall(r"http://\S+/p/\S+", "\n".join(self.output))[-1])

    async def until(self, said: str) -> None:
        """Read what it says up to a line with these words."""
        assert self.process is not None and self.process.stdout is not None
        async with asyncio.timeout(120):
            async for raw in self.process.stdout:
                self.output.append(raw.decode().rstrip())
                if said in self.output[-1]:
                    return
        sys.exit("\n".join(self.output))

    @property
    def first_process(self) -> int:
        """The id, out here, of process 1 in there."""
        assert self.process is not None
        return int(Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()[0])

    def healthy(self, *more: str) -> str:
        """Do what HEALTHCHECK says, inside. Returns the answer."""
        named = [f"{name}={value}" for name, value in self.stage.env.items()]
        inside = [
            "nsenter",
            "-t",
            str(self.first_process),
            "-m",
            "-p",
            "-r",
            "-w",
            "env",
            "-i",
            *named,
            *self.stage.health,
            *more,
        ]
        return run(*inside, capture_output=True).stdout.strip()

    def drawing_process(self) -> str:
        """Return the user, the niceness and the memory of the process that draws."""
        children = Path(f"/proc/{self.first_process}/task/{self.first_process}/children").read_text().split()
        for child in map(Path, (f"/proc/{number}" for number in children)):
            if b"bot.pictures.worker" in (child / "cmdline").read_bytes():
                status = (child / "status").read_text()
                user, memory = (re.findall(rf"^{name}:\s+(\d+)", status, re.M)[0] for name in ("Uid", "VmRSS"))
                niceness = (child / "stat").read_text().rpartition(")")[2].split()[16]
                return f"user {user}, niceness {niceness}, {int(memory) / 1e3:.0f} MB"
        sys.exit("nothing draws")

    async def end(self, number: int) -> tuple[int, float]:
        """Send process 1 a signal. Returns the exit code and the seconds it took."""
        assert self.process is not None and self.process.stdout is not None
        began_at = time.monotonic()
        os.kill(self.first_process, number)
        self.output += (await self.process.stdout.read()).decode().splitlines()
        code = await asyncio.wait_for(self.process.wait(), 30)
        return code, time.monotonic() - began_at

    def kill(self) -> None:
        """End it if it still runs."""
        if self.process is not None and self.process.returncode is None:
            os.kill(self.first_process, signal.SIGKILL)

    def once(self, *inside: str, mounts: str = "", show: bool = True) -> str:
        """Run something else inside, with the same volume. Returns what it says."""
        said = run(*self.command(*inside, mounts=mounts), capture_output=True).stdout
        if show:
            print(said, end="")
        return str(said)


def deny_executable_memory() -> None:
    """Ask the kernel for what the unit's MemoryDenyWriteExecute= asks for; a kernel before 6.3 does not know it."""
    ctypes.CDLL(None).prctl(SET_MDWE, REFUSE_EXEC_GAIN, 0, 0, 0)


async def play(container: Container) -> None:
    """Sit, play to the flop, kill, play on to the end of the hand, and stop."""
    async with aiohttp.ClientSession() as session:
        you = Player("You", session, await container.start("--no-browser", "--port", "0"))
        say(f"it plays as {container.stage.user}; health: {container.healthy()} {container.healthy('--ready')}")
        await you.open_page()
        bo = Player("Bo", session, (await you.ask("invite", name="Bo"))["url"])
        await bo.open_page()
        for player in (you, bo):
            player.go("lobby")
        await container.until("picture_worker_ready")  # a hand that begins before goes on in text
        await you.slash("play", sit=False)
        await you.slash("sit", seat=1)
        await bo.slash("sit", seat=2)
        await you.until("to call", timeout=60)
        await look_at_picture(you, session)
        say(f"the process that draws: {container.drawing_process()}")
        await press("Call", you, bo)
        await you.until("Check")
        cards = you.dms()
        code, _ = await container.end(signal.SIGKILL)
        say(f"killed with -9 in the middle of a street (exit code {code})")

        page = await container.start("--no-browser", "--port", "0")
        for player in (you, bo):
            await player.close_page()
        you, bo = (
            Player("You", session, page),
            Player("Bo", session, page.rsplit("/", 1)[0] + "/" + bo.page.rsplit("/", 1)[1]),
        )
        for player in (you, bo):
            await player.open_page()
            player.go("lobby")
        await you.until("Hand #1 goes on", timeout=60)
        assert you.dms() == cards or "Hand #1" in cards
        await press("Check", you, bo)
        await you.until("### Flop")
        for _ in range(6):  # two each on flop, turn and river
            await press("Check", you, bo)
        await you.until("Hand #2", timeout=60)
        say("the hand went on after the kill, to its end, and the next one was dealt")
        for player in (you, bo):
            await player.close_page()
        code, seconds = await container.end(signal.SIGTERM)
        assert code == 0 and seconds < STOP_SECONDS, (code, seconds, container.output[-12:])
        say(f"SIGTERM: ended with {code} after {seconds:.1f} s")


async def look_at_picture(player: Player, session: aiohttp.ClientSession) -> None:
    """Wait until the table shows the hand as a picture, and load it as the page does."""

    def pictures() -> list[dict[str, Any]]:
        shown = [message for message in player.visible() if "### Pre-flop" in player.render(message)]
        return [file for message in shown for file in message["attachments"] if file["filename"] == "table.webp"]

    await player.wait_for(lambda: bool(pictures()), "a picture of the hand", 60)
    picture = pictures()[-1]
    async with session.get(picture["url"]) as answer:
        body = await answer.read()
    assert body[:4] == b"RIFF" and body[8:12] == b"WEBP" and picture["width"] >= 400, picture
    say(f"the page shows the hand as a picture: {picture['width']} × {picture['height']}, {len(body) / 1e3:.0f} KB")


async def press(label: str, *players: Player) -> None:
    """Whoever is to act presses a button, once their own page shows it."""
    async with asyncio.timeout(60):
        while True:
            now = re.findall(r"▶\s`\d+`\s@(\w+)", players[0].screen())
            player = next((one for one in players if now and one.me["global_name"] == now[-1]), None)
            if player is not None and f"[{label}" in player.screen():
                break
            await asyncio.sleep(0.05)
    turn = turn_shown(players[0])
    await player.click(label)
    await players[0].wait_for(lambda: turn_shown(players[0]) != turn, "the next turn", 60)


def turn_shown(player: Player) -> tuple[int, ...]:
    """Return the newest decision that a player sees buttons for: table, hand and decision number."""
    ids = [id_ for message in player.visible() for _, id_ in player.labelled_buttons(message)]
    found = [tuple(map(int, turn.groups())) for id_ in ids if (turn := re.match(r"t:(\d+):(\d+):(\d+):", id_))]
    return max(found, default=())


UPGRADE = """
import asyncio, json, shutil, sys
from pathlib import Path
sys.path.append("/tmp/src")
from tests.store.left_behind import LeftBehind, played
kept, folder = Path("/tmp/src/tests/data/v0_1_0"), Path("/data/discord")
shutil.copytree(kept / "discord", folder)
folder.chmod(0o700)
async def main():
    expected = json.loads((kept / "expected.json").read_text(encoding="utf-8"))
    left = LeftBehind(folder, expected["hour"])
    tables = {str(now.id): now for now in await left.open()}
    halves = sum(now.hand_running for now in tables.values())
    for table, moves in expected["moves"].items():
        assert played(await left.plays_on(tables[table], moves)) == expected["ends"][table], table
    users = [int(user) for user in expected["server"]["people"]]
    assert await left.server(expected["guild"], expected["staff"], users) == expected["server after"]
    await left.close()
    print(f"{halves} half-played hands of 0.1.0 were played to the ends and chips that 0.1.0 expects")
asyncio.run(main())
"""


def upgrade(container: Container) -> None:
    """Open the data that the released version left behind in the middle of its hands, and play them on."""
    tree = container.stage.tree
    source = f"mkdir {tree}/tmp/src {tree}/tmp/src/tests && mount --bind {ROOT}/tests {tree}/tmp/src/tests"
    container.once("python", "-c", UPGRADE, mounts=source)


def layer_sizes(stage: Stage, base: Path) -> None:
    """Print what the image adds to its base, compressed as layers are, and what pictures take of it."""
    packages, picture_parts = stage.tree / "opt/cardroom/lib", ("PIL", "pillow.libs", "bot/pictures")
    added = added_files(stage.tree, base)
    fribidi = [path for path in added if path.name.startswith("libfribidi.so")]
    pictures = [path for part in picture_parts for path in packages.glob(f"python3*/site-packages/{part}")]
    raw, gzip, _ = packed_sizes(stage.tree, [*fribidi, *pictures])
    say(f"pictures take {raw:.1f} MB of it, {gzip:.1f} MB as gzip: Pillow, fonts, FriBiDi and what draws")
    raw, gzip, zstd = packed_sizes(stage.tree, added)
    say(f"the image adds {raw:.1f} MB: {gzip:.1f} MB as gzip, {zstd:.1f} MB as zstd")
    say(
        f"with a base of about {BASE_MB} MB (an estimate) that is about {BASE_MB + gzip:.0f} MB compressed, of {MAX_MB} at most"
    )
    assert BASE_MB + gzip < MAX_MB


def added_files(tree: Path, base: Path) -> list[Path]:
    """Return the files that the base does not have, or has otherwise; those that running it has made are left out."""

    def known(path: Path) -> tuple[int, int, int]:
        status = path.lstat()
        return status.st_mode, status.st_size, status.st_mtime_ns

    added = []
    for folder, folders, files in os.walk(tree):
        if folder == str(tree):
            folders[:] = [name for name in folders if name not in {"proc", "dev", "tmp", "data"}]
        for path in (Path(folder, name) for name in files):
            former = base / path.relative_to(tree)
            if path.name not in {"resolv.conf", "ca-certificates.crt"} and (
                not os.path.lexists(former) or known(path) != known(former)
            ):
                added.append(path)
    return added


def packed_sizes(tree: Path, paths: list[Path]) -> tuple[float, float, float]:
    """Return how many MB these paths take: as they are, as gzip and as zstd."""
    names = "\0".join(str(path.relative_to(tree)) for path in paths)
    tar = ["tar", "-C", str(tree), "-c", "--null", "--files-from=-"]
    content = subprocess.run(tar, input=names.encode(), capture_output=True, check=True).stdout
    packers = (["gzip", "-6"], ["zstd", "-3", "-q"])
    packed = [subprocess.run(packer, input=content, capture_output=True, check=True).stdout for packer in packers]
    raw, gzip, zstd = (len(each) / 1e6 for each in (content, *packed))
    return raw, gzip, zstd


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--base", type=Path, help="a tree that debootstrap has made")
    parser.add_argument(
        "--work", type=Path, help="where the trees are made; a temporary folder otherwise, which is deleted"
    )
    options = parser.parse_args()
    work = options.work or Path(tempfile.mkdtemp(prefix="cardroom-image-"))
    work.mkdir(parents=True, exist_ok=True)
    work.chmod(0o755)
    try:
        base = base_tree(work, options.base)
        stage = build(work, base)
        assert stage.volumes == ["/data"] and stage.user not in {"0:0", "root"}
        uid, gid = map(int, stage.user.split(":"))
        volumes = [work / "volume", work / "upgraded"]
        for volume in volumes:  # a new volume takes owner and mode from the folder in the image
            volume.mkdir(mode=0o700)
            os.chown(volume, uid, gid)
        container = Container(stage, volumes[0])
        try:
            asyncio.run(play(container))
        except BaseException:
            print("\n".join(container.output[-30:]))
            raise
        finally:
            container.kill()
        container.once(*stage.entrypoint, "backup")
        said = container.once(*stage.entrypoint, "doctor")
        assert "✔ Pictures of tables can be drawn" in said and "✔ Names in Thai, Hindi and Arabic" in said
        upgrade(Container(stage, volumes[1]))
        layer_sizes(stage, base)
        print("1 passed, 0 failed")
    finally:
        if options.work is None:
            shutil.rmtree(work, ignore_errors=True)


if __name__ == "__main__":
    main()

"""Run all measurements, or those named, one after another, each in a process of its own so that none affects the next.

.venv/bin/pip install -q -e '.[test,bench]' && .venv/bin/python -m tests.benchmarks [clicks dms dealing start …] [options]

Options are handed on to each: `clicks --kinds bare dealer --passes 3` measures a part of the clicks.

With `--tiny` each is run with the sizes below: a few seconds that say nothing of speed, and show that it still runs.
"""

import os
import platform
import shlex
import subprocess
import sys
import time
from pathlib import Path

PREFIX = "bench_"
NAMES = tuple(file.stem.removeprefix(PREFIX) for file in sorted(Path(__file__).parent.glob(f"{PREFIX}*.py")))
TINY = {
    "answers": "--rounds 1",
    "attack": "--rows 6 --seconds 0.2",
    "capacity": "--dms 2 --panels 2 --streets 2 --minutes 1 --hour 2",
    "clicks": "--passes 1 --clicks 20 --tables 2 --warm-up 5 --rate 10 --rate-seconds 0.5",
    "club": "--days 0.9 --members 60 --tables 2 --hours 0.05",
    "dealing": "--tables 2",
    "deletion": "--hands 60 --played 20",
    "dms": "--rounds 1 --tables 2",
    "engine": "--hands 3 --passes 1 --warm-hands 5 --cold-processes 1",
    "events": "--hands 1 --rounds 1",
    "farm": "--days 2 --accounts 2 --clubs 1 --club-days 3 --evenings 1 --no-verdict",
    "firehose": "--messages 500 --rounds 1",
    "flow": "--clubs 1",
    "games": "stud8 triple_draw --hands 1 --passes 1 --warm-hands 2 --cold-processes 1",
    "growth": "--hands 2",
    "hostile": "--requests 50",
    "identify": "--dealers 2 --shards 2 --at-once 2",
    "limits": "--processes 2 --seconds 2",
    "luck": "--hands 1 --games holdem --odds-hands 1",
    "move": "--transfers 2000 --hands 40 --players 20 --servers 4",
    "pictures": "--tiny",
    "queries": "--transfers 2000 --players 20 --tables 3 --passes 1 --sizes 100 400",
    "ranking": "--hands 20 --rounds 1 --cold-hands 3",
    "rebuild": "--passes 1 --seconds 1 --rate 10 --tables 2 --hands 50 --warm-up 5",
    "render": "--calls 2 --rounds 1",
    "runtime": "--seconds 0.2 --tables 1 3 --open 3 3",
    "seasons": "--wallets 30 --pairs 1",
    "soak": "--hands 100 --pictures-hands 10 --tables 2 --every 50",
    "start": "--starts 1",
    "starve": "--tables 2 --seconds 4",
    "statistics": "--hands 300 --players 20 --asks 3 --played 2 --copies 2 --sizes 200 800 --others 5",
    "store": "--seconds 0.2 --tables 1 3",
    "view": "--passes 1",
    "waiting": "--tables 3 --hours 0.1 --seconds 1",
}
"""The smallest sizes at which each measurement goes its whole way."""
TINY_SECONDS = 120
"""At most for one of these: it hangs then."""


def main(arguments: list[str]) -> int:
    """Run every `bench_*.py` beside this file whose name is chosen; all of them if none is. Returns the number of failures."""
    is_tiny = arguments[:1] == ["--tiny"]
    arguments = arguments[is_tiny:]
    first_option = next((at for at, argument in enumerate(arguments) if argument.startswith("-")), len(arguments))
    chosen, options = arguments[:first_option], arguments[first_option:]
    unknown = set(chosen) - set(NAMES)
    if unknown:
        print(f"There is no {', '.join(sorted(unknown))}. There are: {', '.join(NAMES)}.")
        return len(unknown)
    print(f"Python {platform.python_version()}, {os.cpu_count()} cores, {platform.system()} {platform.machine()}\n")
    failed = [name for name in chosen or NAMES if not is_run(name, options, is_tiny=is_tiny)]
    if failed:
        print(f"Failed: {', '.join(failed)}")
    elif is_tiny:
        print(f"All {len(chosen or NAMES)} measurements run.")
    return len(failed)


def is_run(name: str, options: list[str], *, is_tiny: bool) -> bool:
    """Run one measurement. Returns whether it came to its end; in tiny sizes, what it prints is shown only if it did not."""
    sizes = shlex.split(TINY[name]) if is_tiny else []
    command = [sys.executable, "-m", f"tests.benchmarks.{PREFIX}{name}", *sizes, *options]
    print(f"== {name}", flush=True)
    began = time.monotonic()
    try:
        ended = subprocess.run(
            command,
            check=False,
            timeout=TINY_SECONDS if is_tiny else None,
            stdout=subprocess.PIPE if is_tiny else None,
            stderr=subprocess.STDOUT if is_tiny else None,
        )
        is_well, said = ended.returncode == 0, ended.stdout
    except subprocess.TimeoutExpired as error:
        is_well, said = False, error.stdout
    if not is_well and said:
        print(said.decode(errors="replace"))
    print(f"({time.monotonic() - began:.0f} s)\n", flush=True)
    return is_well


if __name__ == "__main__":
    sys.exit(min(main(sys.argv[1:]), 1))

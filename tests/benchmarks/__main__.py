"""Run all measurements, or those named, one after another, each in a process of its own so that none affects the next.

.venv/bin/pip install -q -e '.[test,bench]' && .venv/bin/python -m tests.benchmarks [clicks dms dealing start …] [options]

Options are handed on to each: `clicks --kinds bare dealer --passes 3` measures a part of the clicks.
"""

import os
import platform
import subprocess
import sys
import time
from pathlib import Path

PREFIX = "bench_"


def main(arguments: list[str]) -> int:
    """Run every `bench_*.py` beside this file whose name is chosen; all of them if none is. Returns the number of failures."""
    first_option = next((at for at, argument in enumerate(arguments) if argument.startswith("-")), len(arguments))
    chosen, options = arguments[:first_option], arguments[first_option:]
    names = [file.stem.removeprefix(PREFIX) for file in sorted(Path(__file__).parent.glob(f"{PREFIX}*.py"))]
    unknown = set(chosen) - set(names)
    if unknown:
        print(f"There is no {', '.join(sorted(unknown))}. There are: {', '.join(names)}.")
        return len(unknown)
    print(f"Python {platform.python_version()}, {os.cpu_count()} cores, {platform.system()} {platform.machine()}\n")
    failed = 0
    for name in chosen or names:
        print(f"== {name}", flush=True)
        began = time.monotonic()
        failed += (
            subprocess.run([sys.executable, "-m", f"tests.benchmarks.{PREFIX}{name}", *options], check=False).returncode
            != 0
        )
        print(f"({time.monotonic() - began:.0f} s)\n", flush=True)
    return failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

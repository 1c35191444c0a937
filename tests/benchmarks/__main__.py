"""Run all measurements one after another, each in a process of its own so that none affects the next.

.venv/bin/pip install -q -e '.[test,bench]' && .venv/bin/python -m tests.benchmarks
"""

import os
import platform
import subprocess
import sys
from pathlib import Path


def main() -> int:
    """Run every `bench_*.py` beside this file. Returns the number of failures."""
    print(f"Python {platform.python_version()}, {os.cpu_count()} cores, {platform.system()} {platform.machine()}\n")
    failed = 0
    for file in sorted(Path(__file__).parent.glob("bench_*.py")):
        print(f"== {file.stem.removeprefix('bench_')}", flush=True)
        failed += subprocess.run([sys.executable, "-m", f"tests.benchmarks.{file.stem}"], check=False).returncode != 0
        print(flush=True)
    return failed


if __name__ == "__main__":
    sys.exit(main())

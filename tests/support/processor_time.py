"""How much processor time a process has used."""

import os
from pathlib import Path


def processor_seconds(pid: int) -> float:
    """Return the processor seconds of a living process since its start, without those of its children. Linux alone tells."""
    used = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(used[11]) + int(used[12])) / os.sysconf("SC_CLK_TCK")

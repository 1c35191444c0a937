"""Durability at length: each of these says what was done, what was acknowledged, and what was lost.

python -m tests.durability hands [--count 1000000] [--processes 2] [--seed 1] [--done FILE]
python -m tests.durability cuts [--count 10000] [--seed 1] [--cuts-each 250]
python -m tests.durability kills [--count 1000] [--seed 1]
python -m tests.durability troubles [--rounds 20] [--pages 200] [--seed 1]
python -m tests.durability takeovers [--rounds 300] [--tables 100] [--lease 1.5] [--seed 1] [--planted]
python -m tests.durability fleet [--rounds 20] [--slots 2] [--tables 8] [--seed 1]
python -m tests.durability upgrade [--slots 4] [--tables 100] [--versions 2] [--thinking 2]
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path


def main() -> int:
    """Run one of them. Returns the number of faults."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    chosen = parser.add_subparsers(dest="what", required=True)
    hands = chosen.add_parser("hands", help="random hands of the engine")
    hands.add_argument("--count", type=int, default=1_000_000)
    hands.add_argument("--processes", type=int, default=2)
    hands.add_argument("--seed", type=int, default=1)
    hands.add_argument("--done", type=Path, help="the file in which chunks that are done are remembered")
    cuts = chosen.add_parser("cuts", help="power cuts beneath the store")
    cuts.add_argument("--count", type=int, default=10_000)
    cuts.add_argument("--seed", type=int, default=1)
    cuts.add_argument("--cuts-each", type=int, default=250, help="so many in one recording")
    kills = chosen.add_parser("kills", help="processes killed while everything goes on")
    kills.add_argument("--count", type=int, default=1_000)
    kills.add_argument("--seed", type=int, default=1)
    troubles = chosen.add_parser("troubles", help="clock jumps, full disks, damaged pages, refused starts")
    troubles.add_argument("--rounds", type=int, default=20)
    troubles.add_argument("--pages", type=int, default=200)
    troubles.add_argument("--seed", type=int, default=1)
    takeovers = chosen.add_parser("takeovers", help="accidents of dealers that share a PostgreSQL schema")
    takeovers.add_argument("--rounds", type=int, default=300)
    takeovers.add_argument("--tables", type=int, default=100)
    takeovers.add_argument("--lease", type=float, default=1.5, help="seconds")
    takeovers.add_argument("--seed", type=int, default=1)
    takeovers.add_argument("--planted", action="store_true", help="without fences: faults must be found")
    fleet = chosen.add_parser("fleet", help="whole dealers and warm standbys: stopped and killed in play")
    fleet.add_argument("--rounds", type=int, default=20)
    fleet.add_argument("--slots", type=int, default=2)
    fleet.add_argument("--tables", type=int, default=8)
    fleet.add_argument("--seed", type=int, default=1)
    upgrade = chosen.add_parser("upgrade", help="one version follows another, slot by slot, in play")
    upgrade.add_argument("--slots", type=int, default=4)
    upgrade.add_argument("--tables", type=int, default=100)
    upgrade.add_argument("--versions", type=int, default=2, help="so many new ones follow each other")
    upgrade.add_argument("--thinking", type=float, default=2.0, help="seconds before a click")
    options = vars(parser.parse_args())
    match options.pop("what"):
        case "hands":
            from tests.durability import hands as of_hands

            return of_hands.main(**options)
        case "cuts":
            from tests.durability import power_cuts

            return power_cuts.main(**options)
        case "kills":
            from tests.durability import kills as of_kills

            return of_kills.main(**options)
        case "troubles":
            from tests.durability import troubles as of_troubles

            return of_troubles.main(**options)
        case "takeovers":
            from tests.durability import takeovers as of_dealers

            return of_dealers.main(**options)
        case "fleet":
            from tests.durability import fleets

            return fleets.main(**options)
        case "upgrade":
            from tests.durability import upgrades

            return upgrades.main(**options)
        case other:
            raise AssertionError(other)


if __name__ == "__main__":
    sys.exit(min(main(), 1))

"""Look at a server and a schema as the doctor does, beside a dealer that runs."""

from dataclasses import dataclass

import psycopg

from bot.runtime.store_errors import StoreUnusable
from bot.store.migrate import STEPS_HAD, migrations, steps_had
from bot.store.postgres.connecting import CLOCKS_DIFFER_SECONDS, OLDEST_VERSION, clocks_differ_by, connect, unreachable

_OWNER = "SELECT holder FROM owner WHERE until > clock_timestamp()"


@dataclass(frozen=True, slots=True)
class ServerCheck:
    """What was found.

    Attributes:
        version: the server's, as it writes it.
        is_old: it is older than the oldest one that can be used.
        seconds_apart: by how much this machine's clock is ahead; 0 if the clocks agree.
        has_standby: a synchronous standby is named, so that a failover loses nothing that was answered.
        has_data: there are tables in the schema.
        owner: which process owns it at this moment; "" for none.
        problem: why a dealer would refuse these tables; "" if it would not.
        format: the number of the last migration that the tables have had.
        is_newer: they have had migrations that this version does not know.
        is_older: they lack some of this version's.
    """

    version: str
    is_old: bool
    seconds_apart: float
    has_standby: bool
    has_data: bool
    owner: str = ""
    problem: str = ""
    format: int = 0
    is_newer: bool = False
    is_older: bool = False


def examine_server(address: str, schema: str) -> ServerCheck:
    """Look at a server and a schema.

    Raises:
        StoreFailed: it cannot be reached. The text says why.
    """
    try:
        with connect(address, schema, "cardroom doctor", reads_only=True) as db:
            number = db.info.server_version
            apart = clocks_differ_by(db)
            (standbys,) = db.execute("SELECT current_setting('synchronous_standby_names')").fetchone() or ("",)
            (has_data,) = db.execute("SELECT to_regclass('migration') IS NOT NULL").fetchone() or (False,)
            owner = db.execute(_OWNER).fetchone() if has_data else None
            problem, had = "", 0
            steps, rows = migrations(), db.execute(STEPS_HAD).fetchall() if has_data else []
            try:
                had = len(steps_had(rows, f"schema {schema} of the database", steps, beside_newer=True))
            except StoreUnusable as error:
                problem = str(error)
    except psycopg.Error as error:
        raise unreachable(error) from error
    return ServerCheck(
        version=f"{number // 10_000}.{number % 10_000}",
        is_old=number // 10_000 < OLDEST_VERSION,
        seconds_apart=apart if abs(apart) > CLOCKS_DIFFER_SECONDS else 0.0,
        has_standby=bool(standbys),
        has_data=has_data,
        owner=owner[0] if owner is not None else "",
        problem=problem,
        format=rows[-1][0] if rows else 0,
        is_newer=len(rows) > had,
        is_older=bool(rows) and had < len(steps),
    )

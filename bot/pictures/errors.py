"""Say what went wrong with a picture without saying what it shows."""

import traceback
from pathlib import Path


def describe_error(error: BaseException) -> str:
    """Return what an error is and where it was raised, without its message, which can name a card."""
    frames = traceback.extract_tb(error.__traceback__)
    where = f" at {Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""
    return f"{type(error).__name__}{where}"

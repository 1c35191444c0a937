"""What the environment says, read once at start: the token, where data is kept, how much is logged. `.env.example` lists it all.

Source: design §8; style §8.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from platformdirs import user_data_path
from pydantic import Field, SecretStr, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict


class SettingsError(Exception):
    """The environment says something that makes no sense. The words are plain enough to be printed."""


class Settings(BaseSettings):
    """Frozen settings, from the environment or a file `.env` in the working directory; what is empty counts as missing.

    Attributes:
        token: the bot's token; empty for the local cardroom.
        data: the directory that holds everything; Discord's and the local cardroom's lie apart in it.
        log: what is logged: this and all that is graver.
    """

    model_config = SettingsConfigDict(env_file=".env", env_ignore_empty=True, extra="ignore", frozen=True)

    token: SecretStr = Field(default=SecretStr(""), validation_alias="DISCORD_TOKEN")
    data: Path = Field(
        default_factory=lambda: user_data_path("cardroom", appauthor=False), validation_alias="CARDROOM_DATA"
    )
    log: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = Field(default="INFO", validation_alias="CARDROOM_LOG")


def read_settings() -> Settings:
    """Read the environment.

    Raises:
        SettingsError: a value makes no sense; the words say which.
    """
    try:
        return Settings()
    except ValidationError as error:
        wrong = "; ".join(f"{fault['loc'][0]}: {fault['msg']}" for fault in error.errors())
        raise SettingsError(f"The settings cannot be read. {wrong}") from error

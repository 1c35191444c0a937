"""The podium above a leaderboard: the names of the first three, and their picture."""

from __future__ import annotations

from collections.abc import Sequence

from bot.line.interaction import InteractionInfo
from bot.line.payloads import AttachedFile
from bot.pictures.types import Picture
from bot.render.message.panel import Picture as PictureBlock
from bot.render.pictures.podium import PODIUM_PICTURE, STEPS, PodiumLine, podium_picture, podium_text
from bot.surfaces.answer_pictures import CONTENT_TYPE, DRAWING_SECONDS, AnswerPicture, AnswerPictures
from bot.surfaces.people.profiles import DisplayNames


async def podium_answer(
    pictures: AnswerPictures,
    names: DisplayNames,
    info: InteractionInfo,
    lines: Sequence[PodiumLine],
    *,
    signed: bool = False,
) -> AnswerPicture | None:
    """Return the picture of the first three for an answer; None for an answer in text."""
    if not pictures.possible(info) or not lines:
        return None
    called = await names.of(info.guild, [line.user for line in lines[:STEPS]])
    look = await pictures.look(info.guild)

    def describe() -> tuple[Picture, str, str] | None:
        picture = podium_picture(lines, called, look, signed=signed)
        return (picture, PODIUM_PICTURE, podium_text(picture)) if picture is not None else None

    return await pictures.answer(info, describe)


async def podium_message(
    pictures: AnswerPictures, names: DisplayNames, guild: int, lines: Sequence[PodiumLine]
) -> tuple[PictureBlock, AttachedFile] | None:
    """Return the picture of the first three by net chips for a message that nobody waits for."""
    if not pictures.can_draw or not lines:
        return None
    called = await names.of(guild, [line.user for line in lines[:STEPS]])
    picture = podium_picture(lines, called, await pictures.look(guild), signed=True)
    content = await pictures.draw(picture, DRAWING_SECONDS) if picture is not None else None
    if picture is None or content is None:
        return None
    text = podium_text(picture)
    return PictureBlock(PODIUM_PICTURE, text), AttachedFile(PODIUM_PICTURE, content, CONTENT_TYPE, text)

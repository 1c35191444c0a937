"""Give a hand as a file: `/hand file:` and the button *Download*."""

from bot.line.interaction import InteractionInfo
from bot.line.payloads import AttachedFile
from bot.render.hand.hand_files import choose_file_panel
from bot.render.message.panel import payload
from bot.runtime.errors import NoHandYet
from bot.runtime.snapshot import HandRecord
from bot.surfaces.replies import Reply
from bot.text import confirmations as words
from bot.text.hand_files import FileForm
from bot.text.hand_history import hand_as_text
from bot.text.language import t
from cogs.support.services import Effort, PageClick, Services


async def offer_hand(reply: Reply, table: int, number: int) -> None:
    """Let somebody choose which file of a hand they want. `table` is the table's id."""
    await reply.private_message(payload(choose_file_panel(table, number)))


async def press(click: PageClick) -> None:
    """Answer a click on one of the files that `offer_hand` offered.

    Raises:
        NotInPokerStarsForm: the hand has no such file.
        NoSuchTable, NoHandYet, HandDeleted, HandUnreadable, StillDealing: it cannot be read.
        OneMoment: they, or their server, had many files a moment ago.
    """
    hand = click.press.hand()
    if click.press.verb not in list(FileForm) or hand is None:
        raise NoHandYet(hands=0)
    services, info = click.services, click.info
    spend(services, info)
    request = await services.request(info)
    record = await services.tables.read_past_hand(request, *hand)
    await send_hand(click.reply, record, FileForm(click.press.verb))


def spend(services: Services, info: InteractionInfo) -> None:
    """Count a file that somebody asks for.

    Raises:
        OneMoment: they, or their server, had many a moment ago.
        WorkTimeUsed: what they asked for took all the time that a person can have.
    """
    services.spend_time(Effort.FILE, info.user)
    services.spend(Effort.FILE_OF_SERVER, info.guild)


async def send_hand(reply: Reply, record: HandRecord, form: FileForm) -> None:
    """Send a hand as a file to whoever asked, for them alone.

    Raises:
        NotInPokerStarsForm: PokerStars' form has no lines for it.
    """
    content, ending = hand_content(record, form), "phh" if form is FileForm.PHH else "txt"
    file = AttachedFile(f"hand-{record.number}.{ending}", content.encode())
    await reply.private_file(t(words.HAND_FILE, number=record.number), file)


def hand_content(record: HandRecord, form: FileForm) -> str:
    """Return a hand as the text of a file.

    Raises:
        NotInPokerStarsForm: PokerStars' form has no lines for it.
    """
    match form:
        case FileForm.PHH:
            return record.phh
        case FileForm.POKERSTARS:
            if record.pokerstars_gap is not None:
                raise record.pokerstars_gap
            return record.pokerstars
        case FileForm.TEXT:
            return hand_as_text(record.lines, record.names, record.number)

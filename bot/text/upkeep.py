"""What `cardroom backup`, `cardroom restore` and `cardroom doctor` print about the data on this machine."""

from __future__ import annotations

from bot.text.language import Message, message, plural

# cardroom backup

STATISTICS_DESCRIPTION = message(
    "The statistics follow from the hands, and lie in a file of their own. This counts every hand again. It is never needed after an "
    "update, a restore or a loss of that file: the dealer notices these by itself."
)
STATISTICS_REBUILD = message(
    "count every hand again; a running dealer plays on, and the old numbers stay until it is done"
)
STATISTICS_REBUILT = plural("{count:,} hand has been counted.", "{count:,} hands have been counted.")
STATISTICS_REQUESTED = message(
    "The dealer is running. It counts every hand again now, and the old numbers stay until it is done."
)
STATISTICS_REQUESTED_OF_DEALER = message(
    "The dealer counts every hand again: at once if it runs with this folder, otherwise when it starts. Old numbers stay until it is done."
)
STATISTICS_CHECK = message("The statistics agree with the hands, in a sample")
STATISTICS_MISSING = message("there are none that this version reads; the next start counts the hands")
STATISTICS_WRONG = plural(
    "{count:,} number differs; `cardroom statistics rebuild` counts every hand again",
    "{count:,} numbers differ; `cardroom statistics rebuild` counts every hand again",
)

BACKUP_DESCRIPTION = message(
    "Copy everything to one file and check it, also while the dealer runs. The secret of the decks is not in it: whoever has both "
    "files knows the cards of running hands."
)
BACKUP_FILE = message("the file to write; by default one named by the time, in the folder backups beside the data")
BACKUP_KEY = message("copy the secret of the decks too, to this file")
VACUUM_OPTION = message("make the data file as small as it can be; stop the dealer first")
SHRUNK = message("The data file had {before} MB and has {after} MB.")
OLD_HANDS_STAY = message("Old hands stay for now: the statistics could not count them first ({error}).")

BACKUP_MADE = message("Copied to {file}, and checked.")
PEOPLE_ARE_ELSEWHERE = message(
    "The people of the local cardroom and their links are not in it. Stop the dealer and copy this folder too: {folder}"
)
VACUUM_OF_DATABASE = message(
    "chips and hands are in a database (CARDROOM_DATABASE), which cleans up by itself; `VACUUM FULL` gives space back to its disk"
)
CONTENTS = message(
    "Servers {servers:,} · open tables {tables:,} · transfers {transfers:,} · chips {chips:,} · format {format}"
)
LAST_CHANGE = message("Last change {date}")
KEY_COPIED = message("The secret of the decks is copied to {file}. Keep it apart from the copy.")
FILE_EXISTS = message("{file} exists already. Choose another name.")
NO_DATA = message("There is no data in {folder}. Is CARDROOM_DATA right?")
DATA_OF_DISCORD = message(
    "DISCORD_TOKEN is not set, but there is data of Discord in {folder}. Set it as the dealer has it; or set it to nothing "
    "(DISCORD_TOKEN=) if you mean the local cardroom in {local}."
)

# cardroom restore

RESTORE_DESCRIPTION = message(
    "Put a copy in the place of the data. Stop the dealer first. Nothing is deleted: what was there is moved aside. Hands that were "
    "running when the copy was made are cancelled at the next start, and their bets are returned."
)
RESTORE_FILE = message("the copy, as `cardroom backup` made it")
RESTORE_KEY = message("put back the secret of the decks too, from this file")
RESTORE_SLOT = message("the slot of the database that it is a copy of, where there are several")
WHICH_SLOT = message(
    "There are {count} slots: write --slot and which one it is a copy of, from 0. Nothing has changed."
)
OTHER_SLOT = message("{file} holds server {server}, which belongs to slot {slot}. Nothing has changed.")
OTHER_SLOTS = message(
    "{file} is a copy of one of {slots} slots, and here there are {count}: before anybody plays, `cardroom fleet --slots {slots}` "
    "makes as many. Nothing has changed."
)
HOUSE_PUT_BACK = message("What people chose for all servers is in place too.")
HOUSE_STAYS = message("What people chose for all servers is newer than the copy, and stays as it is.")
RESTORED = message("{file} is in place. Start the dealer when you like.")
MOVED_ASIDE = message("What was there before is now {file}.")
KEY_RESTORED = message("The secret of the decks is in place too.")
KEY_MISSING = message("There is no secret of the decks here; the next start makes a new one.")
KEY_UNUSABLE = message("{file} does not hold a secret of the decks.")

# cardroom move

MOVE_DESCRIPTION = message(
    "Bring chips, tables and hands from the data file into a PostgreSQL database, back, or into another database. Stop the dealers first. "
    "Everything is checked "
    "before and afterwards, and running hands go on with the same cards. Nothing is deleted: what was moved away stays, and a dealer that "
    "is started on it refuses and says where the data is. If the command is broken off, run it again."
)
MOVE_TO = message(
    "postgresql://user:password@host/database; “database” for that of CARDROOM_DATABASE; “file”, or nothing, for the data file of "
    "CARDROOM_DATA; or the path of another file"
)
MOVE_SLOTS = message(
    "into how many slots of the database the servers are dealt out; by default as many as it has. Without --to those of CARDROOM_DATABASE "
    "are dealt out to more: to twice as many, or a multiple"
)
SAME_SLOTS = message(
    "There are {count} slots, and they move to as many. Leave --slots {wanted} out; with more, `cardroom move --slots {wanted}` deals the "
    "servers out once they are there. Nothing has changed."
)
NOTHING_TO_MOVE = message("write --to and where to, or --slots and how many slots there are to be")
NO_DATABASE_TO_DEAL_OUT = message("CARDROOM_DATABASE is empty, and a file has no slots")
DEALT_OUT = message("The servers are dealt out to {count} slots now, and the books agree. Start the dealers.")
OLD_SLOTS_ASIDE = message(
    "What was there before is kept in schemas whose names end with _replaced_{now}; delete these once you need them no more."
)
MOVE_STAGES: dict[str, Message] = {
    "checking": message("Checking what is there …"),
    "copying": message("Copying …"),
    "comparing": message("Checking what has arrived …"),
}
ROWS_COPIED = message("{count:,} rows are copied.")
MOVED = message("Everything of {source} is in {target} now, and the books agree.")
MOVE_BROKEN_OFF = message("broken off; run the same command again, or deal on from where everything was")
MOVE_ENDED = message("An earlier move had brought everything over; it is ended now.")
DEAL_FROM_DATABASE = message(
    "Set CARDROOM_DATABASE to that address, if it is not yet, and start the dealer. The secret of the decks stays in its folder. Delete "
    "{source} once you no longer want to look back at it."
)
DEAL_FROM_FILE = message(
    "Leave CARDROOM_DATABASE empty, and start the dealer. Delete {source} once you no longer want to look back at it."
)
KEY_STAYS = message("The secret of the decks belongs beside that file: copy {key} there.")
NO_DATABASE_TO_MOVE = message(
    "chips and hands are in a file already, as far as CARDROOM_DATABASE says, which is empty. Set it to the database that they are in"
)

# cardroom export

EXPORT_DESCRIPTION = message(
    "Write tables, hands, transfers, balances and house rules to a file, one JSON object a line, also while the dealer runs. Hands are in "
    "PHH, with the cards that everybody saw. The last hand of an open table is left out. With --older-than only servers, "
    "tables and hands are written: an archive of what CARDROOM_KEEP_HANDS deletes."
)
EXPORT_FILE = message("the file to write; it must not exist yet")
EXPORT_SERVER = message("only this server; all by default")
EXPORT_PERSON = message("only what is kept about this person, with the cards that they could know")
EXPORT_OLDER_THAN = message("only hands that began more than so many days ago")
NO_DAYS = message("“{text}” is no number of days")
EXPORTED = message("{lines:,} lines are in {file}.")

# cardroom doctor

DOCTOR_DESCRIPTION = message(
    "Check the data, the books, the settings and the versions on this machine. With --discord, check in one channel what the dealer "
    "expects of Discord instead: that needs DISCORD_TOKEN, and deletes what it posts. Stop the dealer first then: both would answer "
    "the same click."
)
SETTINGS_CHECK = message("The settings can be used")
FOLDER_CHECK = message("Only the owner can look into {folder}")
SPACE_CHECK = message("There is room on the disk ({free})")
DATABASE_CHECK = message("The database can be used ({version})")
OLD_DATABASE = message("15 or newer is needed")
CLOCK_CHECK = message("The database's clock and this machine's agree")
CLOCKS_DIFFER = message("they are {seconds} s apart; set both by the network's time (NTP)")
STANDBY_CHECK = message("A failover of the database loses nothing that was answered")
NO_STANDBY = message(
    "no synchronous standby is named (`synchronous_standby_names`): if its machine dies, the last answered actions can be lost with it"
)
BOOKS_CHECK = message("This version can go on with the tables in the database, and the books agree")
FORMAT_CHECK = message("The tables are those of this version (format {known})")
OWNER_CHECK = message("A dealer owns the data: {holder}")
NO_OWNER_CHECK = message("A dealer owns the data")
NO_OWNER = message("none runs")
BOOKS_OF_SLOT_CHECK = message("Slot {slot}: this version can go on with its tables, and its books agree")
FORMAT_OF_SLOT_CHECK = message("Slot {slot}: its tables are those of this version (format {known})")
CHECK_OF_SLOT = message("{check} (slot {slot})")
OLDER_FORMAT = message(
    "they are of an older one (format {format}); the next dealer of this version that takes them changes them"
)
NEWER_FORMAT = message(
    "they are of a newer one (format {format}), and this version can go on with them; what only the newer one keeps is in no copy that "
    "this one makes"
)
OWNER_OF_SLOT_CHECK = message("Slot {slot} has a dealer: {holder}")
NO_OWNER_OF_SLOT_CHECK = message("Slot {slot} has a dealer")
UNSERVED_SLOT = message("nobody serves it, while others have one: `cardroom fleet`")
DATA_CHECK = message("The data file is sound, and its books agree")
WHOLE_CHECK = message("The data file has every change that was made")
NOT_WHOLE = plural(
    "it lacks {count:,} change: it was copied without its `-wal` file, or put there by hand; running hands will be cancelled",
    "it lacks {count:,} changes: it was copied without its `-wal` file, or put there by hand; running hands will be cancelled",
)
SECRET_CHECK = message("The secret of the decks belongs to the data")
BACKUP_CHECK = message("The last backup is not older than a day")
DRILL_CHECK = message("The last backup could be restored in a drill")
VERSIONS_CHECK = message(
    "Cardroom {cardroom}, Python {python}, SQLite {sqlite}, discord.py {discord}, aiosqlite {aiosqlite}"
)
PICTURES_CHECK = message("Pictures of tables can be drawn ({ms} ms for one)")
PICTURES_ON_CHECK = message("Tables are shown as pictures")
PICTURES_OFF = message("`CARDROOM_PICTURES=no` shows all of them in text")
NO_WEBP = message(
    "Pillow cannot write WebP here, so tables go on in text; `pip install --force-reinstall pillow` brings it"
)
NO_FONTS = message("fonts are missing, so tables go on in text: {files}. Install the dealer again")
NOT_DRAWN = message("a try failed with {error}, so tables go on in text")
SCRIPTS_CHECK = message("Names in Thai, Hindi and Arabic are set as they should be")
NO_RAQM = message("Pillow finds no FriBiDi (Debian: `apt install libfribidi0`), so their letters stand one by one")
OLD_SQLITE = message(
    "SQLite before {version} can damage a file that two programs write to at the same time. The dealer is the only one that does. While "
    "it runs, open the data file with the commands of `cardroom` alone: with no `sqlite3`, no viewer, no replication"
)
ENCRYPTED_CHECK = message("The disk under {folder} is encrypted")
NOT_ENCRYPTED = message(
    "Linux does not encrypt it (there is no dm-crypt below it), so whoever gets the disk can read the data. Whether the drive or "
    "the host encrypts by itself cannot be seen from here"
)
ENCRYPTION_UNKNOWN = message("that cannot be seen from here; `lsblk` on the machine itself shows it")
FOLDER_OPEN = message("others can read it; `chmod 700` closes it")
LITTLE_SPACE = message("less than {needed} is free")
NOTHING_PLAYED = message("nothing has been played yet")
SECRET_MISSING = message("the file is missing; running hands will be cancelled")
SECRET_FOREIGN = message("it is another one; running hands will be cancelled")
NO_BACKUP = message("there is none; `cardroom backup` makes one")
OLD_HANDS_CHECK = message("Hands older than {days:,} days are deleted")
OLD_HANDS = plural(
    "{count:,} is left; it goes while the dealer runs, unless it is running, a table's last, or reported",
    "{count:,} are left; they go while the dealer runs, but for running, last and reported ones",
)
OLD_BACKUP = message("it is of {date}")
NO_DRILL = message("there has been none yet")
"""A drill comes with the first backup of a day, while the dealer runs."""

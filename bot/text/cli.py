"""What the command line says: help pages, games, ranked hands, replays, and why the dealer cannot start."""

from __future__ import annotations

from bot.text.language import Message, message, plural

# cardroom --help

DESCRIPTION = message(
    "A poker dealer for Discord. Without DISCORD_TOKEN it opens a cardroom on this machine, in the browser."
)
EPILOG = message("""commands:
  cardroom                     run: in Discord with DISCORD_TOKEN, otherwise on this machine
  cardroom games [NAME]        list every game, or explain one
  cardroom rank "As Kd …"      name hands and compare them
  cardroom replay FILE.phh …   play recorded hands by the law book, one JSON line per file
  cardroom doctor              check data, books, settings and versions
  cardroom doctor --discord CHANNEL
                               check in a channel what the dealer expects of Discord
  cardroom backup [FILE]       copy everything to one file, also while the dealer runs
  cardroom restore FILE        put such a file in the place of the data
  cardroom move --to WHERE     bring everything from a file into PostgreSQL, or back
  cardroom statistics rebuild  count every hand again, also while the dealer runs

environment (or a file .env here):
  DISCORD_TOKEN    the bot's token; without one the cardroom is local
  CARDROOM_DATA    where chips and hands are kept; by default the user's data directory
  CARDROOM_DATABASE
                   postgresql://…: chips and hands are kept there, not in a file
  CARDROOM_LOG     DEBUG, INFO, WARNING or ERROR
  CARDROOM_BACKUPS how many hourly backups are kept; 24 by default, 0 for none""")
NO_BROWSER = message("do not open a browser; the link is printed anyway")
HOST = message("local cardroom: the address to listen on; 0.0.0.0 lets friends in")
PORT = message("local cardroom: the port to use, or the next free one; default 8765")
VERSION = message("show the version")
NO_PORT = message("{text!r} is not a port; write 0 to 65535")
ERROR = message("cardroom {command}: {error}")

# cardroom games

DID_YOU_MEAN = message("“{typed}” isn't known here. Did you mean {known}?")
GAMES_HELP = message("list every game, or explain one")
GAMES_DESCRIPTION = message(
    "List every game. With a name, explain one game: 'razz'; or one that is changed: 'omaha + joker bug'."
)
LAWS_OPTION = message("list the law of each game too")
GAME_ARGUMENT = message("a game's name, key or alias; changes follow after a plus")
NO_SUCH_GAME = message("No game is called “{name}”. `cardroom games` lists them all.")
NO_SUCH_GAME_LIKE = message("No game is called “{name}”. Did you mean {games}?")
COLUMN_KEY = message("Key")
COLUMN_GAME = message("Game")
COLUMN_LAW = message("Law")
COLUMN_SEATS = message("Players")
COLUMN_EFFECT = message("Effect")
SEATS = message("{minimum}–{maximum}")
MIXED_GAMES = message("Mixed games")
MODIFIERS = message("Changes to any game, after a plus")
ANY_CARDS_WILD = message("Any card or kind of cards is wild: Qs, black deuces, hearts, suicide king.")
MIX = message("{name} (law {law}, mixed)")
MIX_GAMES = message("Games: {games}.")
MIX_CHANGES: dict[str, Message] = {
    "deals": message("The game changes after some hands."),
    "lap": message("The game changes after each round of the button."),
    "time": message("The game changes after some time."),
    "dealer's choice": message("The dealer chooses the game before each hand."),
}
"""By the value of `RotationChange`: importing the engine would make `cardroom --help` slow."""

# cardroom rank

DOCTOR_HELP = message("check the data, the books and the versions here, or what the dealer expects of Discord")
HEALTH_HELP = message("ask the dealer that runs here whether it is well")
STATISTICS_HELP = message("count every hand again")
BACKUP_HELP = message("copy chips, tables and hands to one file")
EXPORT_HELP = message("write a server, or all that is kept about a person, to a file")
MOVE_HELP = message("bring chips, tables and hands into a PostgreSQL database, or back into a file")
RESTORE_HELP = message("put such a file in the place of the data")

# cardroom health

HEALTH_DESCRIPTION = message(
    "Ask the dealer that runs with these settings whether its event loop turns, and print the answer. Ends with 0 if so, with 1 if not."
)
READY_OPTION = message("ask whether it plays: logged in, data open, tables restored")
NO_METRICS = message(
    "CARDROOM_METRICS is not set, so nobody answers here. Set it to 127.0.0.1:9464 and start the dealer again."
)
NO_HEALTH = message("{url} does not answer: {error}. Look at the dealer's log, and start it if it does not run.")

RANK_HELP = message("name hands and compare them")
RANK_DESCRIPTION = message("Name poker hands and say which one wins.")
HAND_ARGUMENT = message('cards such as "As Kd 10h", AsKdTh or "A♠ Jk"')
BOARD_OPTION = message("community cards")
GAME_OPTION = message("how hands are ranked (default: high)")
DECK_OPTION = message("the number of cards in the deck (default: by the game and the joker)")
WILD_OPTION = message('wild ranks and cards: "2", "joker", "3 9", "Jh Js"')
METHOD_OPTION = message("what wild cards stand for (default: free; see laws W-3 and W-4 for no_duplicate and bug)")
VALUES_OPTION = message("also print each hand's value; the higher one is the better hand, on low scales too")
METHOD_NEEDS_WILD = message("--method needs --wild")
NOT_IN_DECK = message("the {card} is not in this deck of {count} cards")
NO_JOKER_IN_DECK = message("the {card} is not in this deck of {count} cards; a joker needs --deck 53 or --wild joker")
CARD_TWICE = message("the {card} is there twice")
NO_CARDS = message("a hand needs a card")
TOO_MANY_CARDS = message("at most eleven cards can be ranked together")
TOO_FEW_HOLE_CARDS = plural("this game plays {count} hole card", "this game plays {count} hole cards")
NOT_QUALIFIED = message("{cards}: does not qualify")
HAND = message("{cards}: {hand}")
HAND_WINS = message("{cards}: {hand}, wins")
HAND_TIES = message("{cards}: {hand}, ties")
PLAYS = message("    plays {cards}")
VALUE = message("    value {value}")

# cardroom replay

REPLAY_HELP = message("play recorded hands by the law book")
REPLAY_DESCRIPTION = message(
    "Play recorded hands by the law book and compare. Tells each hand on a terminal; prints one JSON line per file in a pipe."
)
JSON_OPTION = message("print one JSON line per file, on a terminal too")
REPLAY_AGREES = message("{file}: played by the law book, with the result that the file states.")
REPLAY_DIFFERS = message("The file states other {field}: {stated}. By the law book: {got}.")
REPLAY_FAULT = message("{file}: {why}")
REPLAY_FAULT_AT_ACTION = message("{file}, action {action}: {why}")
FILE_ARGUMENT = message("a hand in PHH, the poker hand history format")
REPLAYING = message("Replaying hands")
UNREADABLE_FILE = message("cannot be read: {error}")
NO_SUCH_FILE = message("there is no such file")
IS_A_FOLDER = message("it is a folder")
NO_ACCESS = message("you have no permission")
NOT_TEXT = message("it is no text")
FILE_TOO_LONG = message("more than {count:,} bytes; that is not a hand")

# settings

TOKEN_IS_ONE_WORD = message("a token is one word; copy it again from Bot → Reset Token")
DATABASE_NEEDED = message(
    "write an address such as postgresql://user:password@host/database, or leave it empty for a file"
)
DATABASE_NEEDS_EXTRA = message(
    "PostgreSQL needs one package more; install it with: pip install 'cardroom-dealer[postgres]'"
)
IS_A_FILE = message("{path} is a file, not a folder")
ADDRESS_NEEDED = message("write an address that begins with {schemes}")
FAULT = message("{setting}: {problem}.")
METRICS_ADDRESS_NEEDED = message("write an address of this machine and a port, such as 127.0.0.1:9464")
METRICS_OPEN_NEEDED = message(
    "CARDROOM_METRICS: other machines can reach {host}. Write 127.0.0.1, or set CARDROOM_METRICS_OPEN=yes if that is meant."
)
DEALERS_NEED_DATABASE = message(
    "CARDROOM_DEALERS and CARDROOM_STANDBYS need CARDROOM_DATABASE: a file of chips and hands belongs to one process."
)
NO_DEALER_AT_ALL = message(
    "CARDROOM_DEALERS is 0, and so is CARDROOM_STANDBYS: nobody would deal. Set one of them to 1 or more."
)
YES_OR_NO = message("write yes or no")
NUMBER_BETWEEN = message("write a whole number from {least:,} to {most:,}")
CHOOSE_ONE_OF = message("choose one of {values}")
UNKNOWN_SETTING = message("{setting} is not a setting; the settings are {known}.")
UNKNOWN_SETTING_LIKE = message("{setting} is not a setting; did you mean {known}?")
ENDPOINTS_MISSING = message(
    "{missing} missing: with {present} set, all three are needed. For Discord itself, leave all three empty."
)

# starting and stopping

DEALER_IS_IN = message("The dealer is in. Ctrl-C stops.")
DEALER_OF_SLOT_IS_IN = message("The dealer of slot {slot} is in.")
DEALERS_ARE_IN = message("The dealers are in. Ctrl-C stops.")
WAITING_FOR_SLOT = message("Every slot has a dealer. This process waits until one is free.")
SLOTS_HAVE_CHANGED = message("The number of slots has just been changed. Start again.")
ONE_PROCESS_ON_WINDOWS = message(
    "On Windows the command runs one process. Set CARDROOM_DEALERS=1 and leave CARDROOM_STANDBYS empty, and start it once for each dealer."
)
NEEDS_ITS_KEY = message(
    "The dealers who share this database deal from a master.key that is not in {folder}. Copy theirs to there, and start again. If it is "
    "lost for good: cardroom fleet --forget-key; running hands are then cancelled, and their bets are returned."
)
YOUR_SEAT = message("Your seat: {page}")
ROLLED_BACK = message(
    "The data is older than it was: {changes:,} changes are missing. Running hands are cancelled, and their bets are returned."
)
BOOKS_DISAGREE = message(
    "The books of server {server} do not agree: {problem}. Its staff see all of it with `/house page:books`. "
    "A backup can be put back with: cardroom restore."
)
KEY_DAMAGED = message(
    "The key of the decks is damaged: {error}. Put the file back from a backup. Without one, delete it: a new key is made, "
    "running hands are cancelled and their bets are returned."
)
UNKNOWN_TOKEN = message("Discord does not know this token. Copy it again from the developer portal (Bot, Reset Token).")
INTENTS_REFUSED = message(
    "Discord refuses the intents this bot asks for. Look at Privileged Gateway Intents in the developer portal (Bot)."
)
CONNECTION_CLOSED = message(
    "Discord closed the connection for good (code {code}). Chips and hands are saved; start again in a while."
)
DISCORD_ERROR = message("Discord answered with an error ({status}). Chips and hands are saved; start again in a while.")
NO_GATEWAY = message("Discord does not say where to connect. Start again in a while.")
UNREACHABLE = message("Discord cannot be reached: {error}. Check the network connection.")
UNREACHABLE_WITHOUT_ANSWER = message("Discord cannot be reached: no answer. Check the network connection.")
CANNOT_KEEP_DATA = message("Data cannot be kept in {folder}: {error}. Set CARDROOM_DATA to another folder.")
CANNOT_LISTEN = message(
    "CARDROOM_METRICS: {host} port {port} cannot be listened on: {error}. Choose another port, or leave it empty."
)
DATA_IN_FILE = message(
    "CARDROOM_DATABASE is set, but there are chips and hands in {file}, which would not be found. Bring them there with "
    "`cardroom move --to database`, leave CARDROOM_DATABASE empty to go on with them, or set CARDROOM_DATA to a new folder."
)
STAND_IN_LATE = message("The local cardroom did not start in time.")
STAND_IN_FAILED = message("The local cardroom could not be started.")
STAND_IN_ENDED = message("The local cardroom has ended.")

-- The statistics: all of it follows from the journal in the data file, and is counted again from there when this file is missing, damaged
-- or of another version. Times are ms since the epoch. The number of a hand is its end and a tie-break (see `hand_id`), so it orders hands.

CREATE TABLE about (
    key TEXT PRIMARY KEY,
    value INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE server (
    id INTEGER PRIMARY KEY,
    guild INTEGER NOT NULL UNIQUE,
    uncounted_at INTEGER NOT NULL DEFAULT 0, -- up to when `standing.counted` follows what the data file says does not count, in ms
    listed_from INTEGER NOT NULL DEFAULT 0,  -- from so many hands for server chips on the data file marks people; 0: it marks nobody
    epoch INTEGER NOT NULL DEFAULT 0,        -- drawn when that number is set
    crossings INTEGER NOT NULL DEFAULT 0     -- how often somebody has come to have that many, or no longer has
);

-- A person in one server, once for each kind of chips (`CountedChips`). Only this row holds their id.
CREATE TABLE person (
    id INTEGER PRIMARY KEY,
    server INTEGER NOT NULL,
    chips INTEGER NOT NULL,
    user INTEGER NOT NULL,
    crossed INTEGER NOT NULL DEFAULT 0,  -- the number of their last crossing; 0 for none
    UNIQUE (server, user, chips)
);

CREATE INDEX crossed_last ON person (server, crossed) WHERE crossed > 0;

CREATE TABLE game (
    id INTEGER PRIMARY KEY,
    server INTEGER NOT NULL,
    key TEXT NOT NULL,
    hands INTEGER NOT NULL DEFAULT 0,  -- how many of it count
    UNIQUE (server, key)
);

CREATE TABLE stakes (
    id INTEGER PRIMARY KEY,
    server INTEGER NOT NULL,
    words TEXT NOT NULL,
    UNIQUE (server, words)
);

-- Everything that is the same in many hands.
CREATE TABLE terms (
    id INTEGER PRIMARY KEY,
    game INTEGER NOT NULL,
    name TEXT NOT NULL,
    bet_limit TEXT NOT NULL,
    stakes INTEGER NOT NULL,
    UNIQUE (game, name, bet_limit, stakes)
);

-- How far the journal of each table has been counted: up to the event before `position`.
CREATE TABLE counted_table (
    id INTEGER PRIMARY KEY,  -- that of the data file
    server INTEGER NOT NULL,
    number INTEGER NOT NULL,
    chips INTEGER NOT NULL,
    opened_at INTEGER NOT NULL,
    position INTEGER NOT NULL,
    private INTEGER NOT NULL DEFAULT 0,  -- only people who were invited can know of its hands
    held INTEGER NOT NULL DEFAULT 0      -- 1: private and still open, so its hands are in no sum yet; 2: in none for good, as its host wanted
);

CREATE INDEX private_table ON counted_table (server) WHERE private = 1;
CREATE INDEX held_table ON counted_table (id) WHERE held = 1;

CREATE TABLE counted_hand (
    id INTEGER PRIMARY KEY,
    server INTEGER NOT NULL,
    table_id INTEGER NOT NULL,
    number INTEGER NOT NULL,
    game INTEGER NOT NULL,
    terms INTEGER NOT NULL,
    pot INTEGER NOT NULL,
    counts INTEGER NOT NULL,  -- 0: a misdeal from which antes stayed in the pot
    luck INTEGER NOT NULL     -- 0: there is none to tell; 1: to be told; 2: told, exact; 3: told, an estimate
);

CREATE UNIQUE INDEX hand_of_table ON counted_hand (table_id, number);
CREATE INDEX hand_of_server ON counted_hand (server);
CREATE INDEX hand_of_game ON counted_hand (game);
CREATE INDEX hand_without_luck ON counted_hand (luck) WHERE luck = 1;

-- What one person did in one hand. The fields of `bot.statistics.types.Counts` are columns, here and in `total`.
CREATE TABLE player_hand (
    person INTEGER NOT NULL,
    hand INTEGER NOT NULL,
    table_id INTEGER NOT NULL,
    game INTEGER NOT NULL,
    stakes INTEGER NOT NULL,
    seat INTEGER NOT NULL,  -- the seat index in the hand
    won INTEGER NOT NULL,
    value INTEGER NOT NULL,
    share INTEGER NOT NULL,
    rarity INTEGER NOT NULL,
    -- COUNTS
    PRIMARY KEY (person, hand)
) WITHOUT ROWID;

CREATE INDEX player_of_hand ON player_hand (hand);

-- The sums of `player_hand` by person, period, game and stakes. `kind` is 0 for ever, 3 a season, 4 a day, of which weeks (1) and months (2)
-- are made when somebody asks.
CREATE TABLE total (
    person INTEGER NOT NULL,
    kind INTEGER NOT NULL,
    which INTEGER NOT NULL,
    game INTEGER NOT NULL,
    stakes INTEGER NOT NULL,
    -- COUNTS
    PRIMARY KEY (person, kind, which, game, stakes)
) WITHOUT ROWID;

-- What leaderboards are made of: people of one server and kind of chips, by period, for each game and for all (0). Practice players have no line.
CREATE TABLE standing (
    server INTEGER NOT NULL,
    chips INTEGER NOT NULL,
    kind INTEGER NOT NULL,
    which INTEGER NOT NULL,
    game INTEGER NOT NULL,
    person INTEGER NOT NULL,
    hands INTEGER NOT NULL,
    net INTEGER NOT NULL,
    counted INTEGER NOT NULL,  -- what of it counts for a place (BO-1); in other periods and of single games all of it
    PRIMARY KEY (server, chips, kind, which, game, person)
) WITHOUT ROWID;

CREATE INDEX weeks_of_person ON standing (person, which) WHERE kind = 1;

-- Who crosses the number of hands from which the data file marks people. Whatever changes a hand comes here.
CREATE TRIGGER hands_begin AFTER INSERT ON standing WHEN NEW.kind = 0 AND NEW.game = 0 AND NEW.chips = 0 AND NEW.hands > 0
    AND (SELECT listed_from > 0 AND NEW.hands >= listed_from FROM server WHERE id = NEW.server)
BEGIN
    UPDATE server SET crossings = crossings + 1 WHERE id = NEW.server;
    UPDATE person SET crossed = (SELECT crossings FROM server WHERE id = NEW.server) WHERE id = NEW.person;
END;

CREATE TRIGGER hands_change AFTER UPDATE OF hands ON standing WHEN NEW.kind = 0 AND NEW.game = 0 AND NEW.chips = 0
    AND (SELECT (OLD.hands >= listed_from) <> (NEW.hands >= listed_from) FROM server WHERE id = NEW.server)
BEGIN
    UPDATE server SET crossings = crossings + 1 WHERE id = NEW.server;
    UPDATE person SET crossed = (SELECT crossings FROM server WHERE id = NEW.server) WHERE id = NEW.person;
END;

CREATE TRIGGER hands_end AFTER DELETE ON standing WHEN OLD.kind = 0 AND OLD.game = 0 AND OLD.chips = 0 AND OLD.hands > 0
    AND (SELECT listed_from > 0 AND OLD.hands >= listed_from FROM server WHERE id = OLD.server)
BEGIN
    UPDATE server SET crossings = crossings + 1 WHERE id = OLD.server;
    UPDATE person SET crossed = (SELECT crossings FROM server WHERE id = OLD.server) WHERE id = OLD.person;
END;

-- The rankings of many people that somebody has asked for, of those with enough hands, in their order; see `long_rankings.py`.
CREATE TABLE long_ranking (
    id INTEGER PRIMARY KEY,
    server INTEGER NOT NULL,      -- below 0 for one that is being dropped
    chips INTEGER NOT NULL,
    kind INTEGER NOT NULL,
    which INTEGER NOT NULL,
    game INTEGER NOT NULL,
    ordered_by INTEGER NOT NULL,  -- 0 by what counts of net chips, 1 by that per 100 hands, 2 by hands
    min_hands INTEGER NOT NULL,
    reached INTEGER NOT NULL,     -- people up to this number are in it
    UNIQUE (server, chips, kind, which, game, ordered_by)
);

CREATE TABLE ranked (
    ranking INTEGER NOT NULL,
    score NUMERIC NOT NULL,
    person INTEGER NOT NULL,
    PRIMARY KEY (ranking, score DESC, person)
) WITHOUT ROWID;

-- How many people are in each part of it: see `bot/store/board.py`.
CREATE TABLE ranked_block (
    ranking INTEGER NOT NULL,
    below NUMERIC NOT NULL,
    tie INTEGER NOT NULL,
    people INTEGER NOT NULL,
    PRIMARY KEY (ranking, below, tie)
) WITHOUT ROWID;

CREATE INDEX full_ranked_block ON ranked_block (ranking) WHERE people > 4096;

CREATE TRIGGER standing_begins AFTER INSERT ON standing
WHEN EXISTS (SELECT 1 FROM long_ranking WHERE server = NEW.server) BEGIN
    INSERT INTO ranked (ranking, score, person)
    SELECT id, CASE ordered_by WHEN 0 THEN NEW.counted WHEN 1 THEN 100.0 * NEW.counted / NEW.hands ELSE NEW.hands END, NEW.person FROM long_ranking
    WHERE server = NEW.server AND chips = NEW.chips AND kind = NEW.kind AND which = NEW.which AND game = NEW.game AND NEW.hands >= min_hands AND NEW.person <= reached;
END;

CREATE TRIGGER standing_changes AFTER UPDATE OF hands, counted ON standing
WHEN EXISTS (SELECT 1 FROM long_ranking WHERE server = NEW.server) BEGIN
    DELETE FROM ranked WHERE (ranking, score, person) IN (
        SELECT id, CASE ordered_by WHEN 0 THEN OLD.counted WHEN 1 THEN 100.0 * OLD.counted / OLD.hands ELSE OLD.hands END, OLD.person FROM long_ranking
        WHERE server = OLD.server AND chips = OLD.chips AND kind = OLD.kind AND which = OLD.which AND game = OLD.game AND OLD.hands >= min_hands
    );
    INSERT INTO ranked (ranking, score, person)
    SELECT id, CASE ordered_by WHEN 0 THEN NEW.counted WHEN 1 THEN 100.0 * NEW.counted / NEW.hands ELSE NEW.hands END, NEW.person FROM long_ranking
    WHERE server = NEW.server AND chips = NEW.chips AND kind = NEW.kind AND which = NEW.which AND game = NEW.game AND NEW.hands >= min_hands AND NEW.person <= reached;
END;

CREATE TRIGGER standing_ends AFTER DELETE ON standing
WHEN EXISTS (SELECT 1 FROM long_ranking WHERE server = OLD.server) BEGIN
    DELETE FROM ranked WHERE (ranking, score, person) IN (
        SELECT id, CASE ordered_by WHEN 0 THEN OLD.counted WHEN 1 THEN 100.0 * OLD.counted / OLD.hands ELSE OLD.hands END, OLD.person FROM long_ranking
        WHERE server = OLD.server AND chips = OLD.chips AND kind = OLD.kind AND which = OLD.which AND game = OLD.game AND OLD.hands >= min_hands
    );
END;

CREATE TRIGGER ranked_comes AFTER INSERT ON ranked BEGIN
    INSERT INTO ranked_block (ranking, below, tie, people) VALUES (NEW.ranking, -4000000000000000000, 0, 0)
    ON CONFLICT (ranking, below, tie) DO NOTHING;
    UPDATE ranked_block SET people = people + 1 WHERE ranking = NEW.ranking AND (below, tie) = (
        SELECT below, tie FROM ranked_block AS block WHERE ranking = NEW.ranking AND (below, tie) <= (-NEW.score, NEW.person)
        ORDER BY below DESC, tie DESC LIMIT 1
    );
END;

CREATE TRIGGER ranked_leaves AFTER DELETE ON ranked BEGIN
    UPDATE ranked_block SET people = people - 1 WHERE ranking = OLD.ranking AND (below, tie) = (
        SELECT below, tie FROM ranked_block AS block WHERE ranking = OLD.ranking AND (below, tie) <= (-OLD.score, OLD.person)
        ORDER BY below DESC, tie DESC LIMIT 1
    );
END;

-- What some hands of a person in a row show, in the order in which they ended; see `stretches.py`, which also says what the columns mean.
CREATE TABLE stretch (
    person INTEGER NOT NULL,
    level INTEGER NOT NULL,
    first INTEGER NOT NULL,  -- the hands with which it begins and ends, of whatever game
    last INTEGER NOT NULL,
    game INTEGER NOT NULL,   -- 0 for all
    public INTEGER NOT NULL, -- 1: without the hands of private tables, where it holds some
    tables TEXT NOT NULL,    -- the private tables whose hands it holds, where it is of all games and all tables
    hands INTEGER NOT NULL,
    net INTEGER NOT NULL,
    opening INTEGER NOT NULL,
    closing INTEGER NOT NULL,
    longest INTEGER NOT NULL,
    first_hand INTEGER NOT NULL,
    last_hand INTEGER NOT NULL,
    won INTEGER NOT NULL,
    won_by INTEGER NOT NULL,
    rarity INTEGER NOT NULL,
    rarest INTEGER NOT NULL,
    share INTEGER NOT NULL,
    value INTEGER NOT NULL,
    best INTEGER NOT NULL,
    PRIMARY KEY (person, level, first, game, public)
) WITHOUT ROWID;

-- The seasons that the rows of kind 3 were counted by: a copy of what the data file says.
CREATE TABLE counted_season (
    server INTEGER NOT NULL,
    number INTEGER NOT NULL,
    begins_at INTEGER NOT NULL,
    ends_at INTEGER NOT NULL,  -- not included
    PRIMARY KEY (server, number)
) WITHOUT ROWID;

-- People whose data is being deleted: until it is done, what is counted of them is counted under the pseudonym.
CREATE TABLE renamed (
    guild INTEGER NOT NULL,
    user INTEGER NOT NULL,
    pseudonym INTEGER NOT NULL,
    PRIMARY KEY (guild, user)
) WITHOUT ROWID;

-- What each person has on and off the tables, kept with the balances and in the order of the leaderboard. A bet changes no total.

CREATE TABLE player_total (
    guild INTEGER NOT NULL,
    book INTEGER NOT NULL,  -- 0 is people's, 10 the practice tables'
    user INTEGER NOT NULL CHECK (user > 0),  -- practice players have no place
    total INTEGER NOT NULL,
    PRIMARY KEY (guild, book, user)
) WITHOUT ROWID;

INSERT INTO player_total (guild, book, user, total)
SELECT guild, kind / 10 * 10, user, sum(chips + staked) FROM balance WHERE kind IN (3, 4, 13, 14) AND user > 0 GROUP BY 1, 2, 3;

CREATE INDEX leaderboard ON player_total (guild, book, total DESC, user);

-- Adjustments of stacks are few among many transfers, and an audit lists them.
CREATE INDEX adjustment ON transfer (guild, cause) WHERE reason = 'adjusted';

-- Where a player sits, however many tables there are. A bet does not touch it.
CREATE INDEX seats_of_player ON balance (guild, user, kind) WHERE table_id > 0;

-- A person who is being taken out of a server's data, in many short transactions. `id` is what stands for them. The row goes with the last one.
CREATE TABLE deletion (
    id INTEGER PRIMARY KEY REFERENCES former_player (id),
    guild INTEGER NOT NULL,
    user INTEGER NOT NULL,
    cause INTEGER NOT NULL,  -- it began with this one
    details BLOB NOT NULL,
    UNIQUE (guild, user)
);

-- Of a transfer, a cause and a line of the staff log only the id of such a person changes, and what names them beside it.
DROP TRIGGER transfer_stands;
CREATE TRIGGER transfer_stands BEFORE UPDATE ON transfer
    WHEN (NEW.debit_user, NEW.credit_user, NEW.owner) = (OLD.debit_user, OLD.credit_user, OLD.owner)
      OR (NEW.guild, NEW.cause, NEW.part, NEW.chips, NEW.reason, NEW.debit_kind, NEW.debit_table, NEW.credit_kind, NEW.credit_table, NEW.wallet)
      <> (OLD.guild, OLD.cause, OLD.part, OLD.chips, OLD.reason, OLD.debit_kind, OLD.debit_table, OLD.credit_kind, OLD.credit_table, OLD.wallet)
      OR NEW.debit_user <> OLD.debit_user AND NOT may_exchange('person', OLD.debit_user, NEW.debit_user)
      OR NEW.credit_user <> OLD.credit_user AND NOT may_exchange('person', OLD.credit_user, NEW.credit_user)
      OR NEW.owner <> OLD.owner AND NOT may_exchange('person', OLD.owner, NEW.owner)
      OR NEW.note <> OLD.note AND (NEW.note <> '' OR NEW.owner = OLD.owner)
    BEGIN SELECT RAISE(ABORT, 'a transfer is never changed'); END;

DROP TRIGGER cause_stands;
CREATE TRIGGER cause_stands BEFORE UPDATE ON cause
    WHEN (NEW.id, NEW.guild, NEW.at, NEW.what, NEW.table_id) <> (OLD.id, OLD.guild, OLD.at, OLD.what, OLD.table_id)
      OR NEW.who <> OLD.who AND NOT may_exchange('person', OLD.who, NEW.who)
      OR NEW.key IS NOT NULL AND (
          NEW.who = OLD.who OR NEW.key IS NOT OLD.key AND NEW.key IS NOT replace(OLD.key, ':' || OLD.who, ':' || NEW.who)
      )
    BEGIN SELECT RAISE(ABORT, 'who, when and what never change'); END;

DROP TRIGGER staff_log_stands;
CREATE TRIGGER staff_log_stands BEFORE UPDATE ON staff_log
    WHEN NOT may_exchange('staff log', OLD.id, 0)
      OR (NEW.id, NEW.guild, NEW.cause, NEW.at, NEW.kind, NEW.answers, NEW.table_id)
      <> (OLD.id, OLD.guild, OLD.cause, OLD.at, OLD.kind, OLD.answers, OLD.table_id)
    BEGIN SELECT RAISE(ABORT, 'a line of the staff log is never changed'); END;

-- Whether the values of persons that an only dealer had kept have come here.
ALTER TABLE personal_change ADD COLUMN adopted BOOLEAN NOT NULL DEFAULT false;

-- Positions of chunks and files in the order in which they are stored. Rows from before have 0.

CREATE SEQUENCE data_positions;

ALTER TABLE device_chunks ADD COLUMN position bigint DEFAULT 0 NOT NULL;
ALTER TABLE files ADD COLUMN position bigint DEFAULT 0 NOT NULL;

-- The transaction has its number before it takes a position: a transaction that sees a position also sees that its transaction is under way.
ALTER TABLE device_chunks ALTER COLUMN position
    SET DEFAULT CASE WHEN pg_current_xact_id() IS NOT NULL THEN nextval('data_positions') END;
ALTER TABLE files ALTER COLUMN position
    SET DEFAULT CASE WHEN pg_current_xact_id() IS NOT NULL THEN nextval('data_positions') END;

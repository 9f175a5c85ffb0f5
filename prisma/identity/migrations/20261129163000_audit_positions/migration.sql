-- Positions of audit events in the order in which all chains grow, for sinks of the operator. Rows from before have none.

CREATE SEQUENCE audit_positions;

ALTER TABLE audit_log ADD COLUMN position bigint;

-- The transaction has its number before it takes a position: a transaction that sees a position also sees that its transaction is under way.
ALTER TABLE audit_log ALTER COLUMN position
    SET DEFAULT CASE WHEN pg_current_xact_id() IS NOT NULL THEN nextval('audit_positions') END;

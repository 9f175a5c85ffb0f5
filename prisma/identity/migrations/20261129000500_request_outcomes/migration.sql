-- Outcomes of counted requests. Those of the version before count as successful.

ALTER TABLE request_usage
    ADD COLUMN invalid bigint DEFAULT 0 NOT NULL,
    ADD COLUMN denied bigint DEFAULT 0 NOT NULL,
    ADD COLUMN limited bigint DEFAULT 0 NOT NULL,
    ADD COLUMN failed bigint DEFAULT 0 NOT NULL;

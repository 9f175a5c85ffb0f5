-- Destinations of what devices send: compressed lines of JSON, buckets, other services.
-- The former version sends to every webhook that has no paused_at: kinds that it does not know always have one.
-- lint: allow constraint since 0.1.0: every row of the former version has the kind that the condition leaves out

ALTER TABLE webhooks ADD COLUMN kind text DEFAULT 'webhook' NOT NULL,
    ADD COLUMN kind_option text,
    ADD CONSTRAINT webhooks_kind_check CHECK (
        kind = 'webhook' OR paused_at IS NOT NULL AND events = '{device.data_stored}' AND (kind = 'ndjson' OR previous_box IS NULL)
    ) NOT VALID;
ALTER TABLE webhook_hours ADD COLUMN items bigint DEFAULT 0 NOT NULL,
    ADD COLUMN refused bigint DEFAULT 0 NOT NULL;

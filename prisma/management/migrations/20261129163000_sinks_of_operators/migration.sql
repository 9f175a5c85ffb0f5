-- Sinks of operators, with a second event.
-- lint: allow constraint since 0.1.0: every row of the former version meets the condition

ALTER TABLE webhooks DROP CONSTRAINT webhooks_kind_check,
    ADD CONSTRAINT webhooks_kind_check CHECK (
        kind = 'webhook' OR paused_at IS NOT NULL
            AND events IN ('{device.data_stored}', '{audit_log.recorded}', '{audit_log.recorded,audit_log.recorded_anywhere}')
            AND (kind = 'ndjson' OR previous_box IS NULL)
    ) NOT VALID;

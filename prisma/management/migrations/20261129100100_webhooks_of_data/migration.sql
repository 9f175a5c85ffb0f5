-- The webhooks that receive what devices send.
CREATE INDEX CONCURRENTLY "webhooks_id_idx" ON webhooks (id) WHERE ('device.data_stored' = ANY (events));

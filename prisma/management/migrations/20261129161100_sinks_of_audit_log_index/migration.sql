-- Finds the few webhooks that receive the audit log.
CREATE INDEX CONCURRENTLY "webhooks_audit_log_idx" ON webhooks (id) WHERE ('audit_log.recorded' = ANY (events));

CREATE INDEX CONCURRENTLY "audit_log_organization_id_action_at_id_idx" ON "audit_log"("organization_id", "action", "at", "id");

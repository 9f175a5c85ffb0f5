CREATE INDEX CONCURRENTLY "audit_log_organization_id_target_at_id_idx" ON "audit_log"("organization_id", "target", "at", "id");

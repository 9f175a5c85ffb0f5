CREATE INDEX CONCURRENTLY "audit_log_organization_id_request_id_at_id_idx" ON "audit_log"("organization_id", "request_id", "at", "id");

CREATE INDEX CONCURRENTLY "audit_log_organization_id_actor_user_id_at_id_idx" ON "audit_log"("organization_id", "actor_user_id", "at", "id");

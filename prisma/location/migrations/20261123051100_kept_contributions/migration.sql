-- Of contributions that are gone nothing is read again. Concurrently: who learns goes on meanwhile.
CREATE INDEX CONCURRENTLY "observations_kept_idx" ON "observations"("organization_id", "received_at", "id") WHERE (contribution IS NOT NULL);

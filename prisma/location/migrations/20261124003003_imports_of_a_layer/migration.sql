CREATE INDEX CONCURRENTLY "imports_organization_id_id_idx" ON "imports" ("organization_id", "id");

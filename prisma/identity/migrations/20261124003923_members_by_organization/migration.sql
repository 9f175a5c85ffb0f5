CREATE INDEX CONCURRENTLY "project_members_organization_id_idx" ON "project_members" ("organization_id");

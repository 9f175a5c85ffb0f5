-- The latest reference scans of a project are read without sorting the others. Concurrently: who learns goes on meanwhile.
CREATE INDEX CONCURRENTLY "reference_scans_project_id_organization_id_at_seconds_idx" ON "reference_scans"("project_id", "organization_id", "at_seconds");

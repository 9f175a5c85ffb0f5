-- Who is in a project is listed.
CREATE INDEX "project_members_project_id_idx" ON "project_members"("project_id");

CREATE INDEX CONCURRENTLY "project_members_connection_id_idx" ON project_members (connection_id);

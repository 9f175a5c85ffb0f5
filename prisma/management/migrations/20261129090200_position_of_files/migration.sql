-- The order in which data is read.
CREATE INDEX CONCURRENTLY "files_project_id_position_id_idx" ON files (project_id, position, id);

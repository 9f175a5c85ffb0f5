-- Becomes a part of the index of `device_chunks`.
CREATE INDEX CONCURRENTLY "chunks_project_id_position_id_idx" ON chunks (project_id, position, id);

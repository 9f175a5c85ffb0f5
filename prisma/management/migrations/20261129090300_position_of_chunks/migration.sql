-- The order in which data is read.
-- lint: allow index: the partition that may be large has it already, the others have a day each
CREATE INDEX device_chunks_project_id_position_id_idx ON device_chunks (project_id, position, id);

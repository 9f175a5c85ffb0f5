-- Takes the place of the primary key for the former version, which writes ON CONFLICT (id).
-- lint: allow constraint since 0.1.0: the id is the primary key
CREATE UNIQUE INDEX CONCURRENTLY "chunks_id_key" ON chunks (id);

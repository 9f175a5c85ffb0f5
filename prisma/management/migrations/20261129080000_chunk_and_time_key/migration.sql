-- Becomes the primary key when `chunks` is a partition.
-- lint: allow constraint since 0.1.0: the id alone is unique already
CREATE UNIQUE INDEX CONCURRENTLY "chunks_id_received_at_key" ON chunks (id, received_at);

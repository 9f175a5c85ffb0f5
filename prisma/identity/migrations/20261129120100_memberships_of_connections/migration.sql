CREATE INDEX CONCURRENTLY "memberships_connection_id_idx" ON memberships (connection_id);

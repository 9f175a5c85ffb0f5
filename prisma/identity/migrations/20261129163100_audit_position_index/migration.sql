CREATE INDEX CONCURRENTLY "audit_log_position_idx" ON audit_log (position);

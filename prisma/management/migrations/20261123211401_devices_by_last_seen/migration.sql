CREATE INDEX CONCURRENTLY "devices_project_id_last_seen_minute_serial_idx" ON "devices" ("project_id", "last_seen_minute", "serial");

CREATE INDEX CONCURRENTLY "devices_project_id_software_version_last_seen_minute_serial_idx" ON "devices" ("project_id", "software_version", "last_seen_minute", "serial");

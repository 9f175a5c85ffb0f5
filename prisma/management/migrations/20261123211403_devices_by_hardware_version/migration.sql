CREATE INDEX CONCURRENTLY "devices_project_id_hardware_version_last_seen_minute_serial_idx" ON "devices" ("project_id", "hardware_version", "last_seen_minute", "serial");

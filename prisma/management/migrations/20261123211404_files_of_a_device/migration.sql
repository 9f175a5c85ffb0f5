CREATE INDEX CONCURRENTLY "files_project_id_device_serial_id_idx" ON "files" ("project_id", "device_serial", "id");

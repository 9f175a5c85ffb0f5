ALTER TABLE device_scans ADD COLUMN recent bytea;

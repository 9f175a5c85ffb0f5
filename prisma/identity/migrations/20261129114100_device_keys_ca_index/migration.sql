CREATE INDEX CONCURRENTLY "device_keys_device_ca_id_idx" ON device_keys (device_ca_id);

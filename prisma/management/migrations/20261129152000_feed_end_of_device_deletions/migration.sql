-- Up to where the stream of device data has nothing of a deleted device: a NATS server that was killed can have it again.
-- NULL: the device was deleted by a former version.

ALTER TABLE device_deletions ADD COLUMN feed_end bigint;

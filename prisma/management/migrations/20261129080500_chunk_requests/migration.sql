-- Requests with an Idempotency-Key that were stored before a trigger noted them.
INSERT INTO chunk_requests (id, project_id, received_at)
SELECT id, project_id, received_at FROM chunks WHERE part = 0 AND get_byte(uuid_send(id), 6) & 240 = 128
ON CONFLICT (id) DO NOTHING;

-- `chunks` becomes the first partition: everything up to a week from now, so that the former version can store in it meanwhile.
-- lint: allow unknown: the bound depends on the day; the constraint is NOT VALID, so no row is read
DO $$
BEGIN
    EXECUTE format('ALTER TABLE chunks ADD CONSTRAINT chunks_bound CHECK (received_at < %L) NOT VALID',
        date_trunc('day', now(), 'UTC') + interval '192 hours');
END $$;

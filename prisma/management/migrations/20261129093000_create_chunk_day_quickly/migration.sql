-- Reads the bounds of partitions once, and not for each row of the default partition: 200,000 rows took more than ten minutes.
-- lint: allow unknown: it sets the search_path of a function

CREATE OR REPLACE FUNCTION create_chunk_day(at timestamp with time zone, days integer)
RETURNS TABLE (name text, moved bigint) LANGUAGE plpgsql SECURITY DEFINER SET lock_timeout = '1s' AS $$
DECLARE
    start timestamp with time zone;
    until timestamp with time zone;
BEGIN
    IF NOT pg_try_advisory_xact_lock(hashtextextended('chunk_days', 42)) THEN RETURN; END IF;
    WITH covered AS MATERIALIZED (SELECT c.first, c.until FROM chunk_days c),
    wanted AS MATERIALIZED (
        SELECT date_trunc('day', at, 'UTC') + n * interval '24 hours' AS day FROM generate_series(0, days) n
        UNION SELECT date_trunc('day', received_at, 'UTC') FROM device_chunks_default
    )
    SELECT min(wanted.day) INTO start FROM wanted
    WHERE NOT EXISTS (SELECT FROM covered WHERE wanted.day >= covered.first AND wanted.day < covered.until);
    IF start IS NULL THEN RETURN; END IF;
    until := start + interval '24 hours';
    name := 'device_chunks_' || to_char(start AT TIME ZONE 'UTC', 'YYYYMMDD');
    EXECUTE format('CREATE TABLE %I (LIKE device_chunks INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING STORAGE)', name);
    EXECUTE format('WITH moved AS (DELETE FROM device_chunks_default WHERE received_at >= $1 AND received_at < $2 RETURNING *)
        INSERT INTO %I SELECT * FROM moved', name) USING start, until;
    GET DIAGNOSTICS moved = ROW_COUNT;
    EXECUTE format('ALTER TABLE device_chunks ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', name, start, until);
    RETURN NEXT;
END $$;

DO $$
BEGIN
    EXECUTE format('ALTER FUNCTION create_chunk_day SET search_path = %I, pg_temp', current_schema());
END $$;

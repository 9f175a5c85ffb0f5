-- Chunks in partitions by the day on which they were received (UTC). The present table becomes the first one as it is.
-- lint: allow constraint since 0.1.0: chunks_id_key keeps the id unique for the former version
-- lint: allow unknown: the bound is that of the constraint, which was validated, so no row is read

CREATE TABLE device_chunks (
    id uuid NOT NULL,
    device_id uuid NOT NULL,
    project_id uuid NOT NULL,
    stream_started_at timestamp(3) with time zone NOT NULL,
    sequence bigint NOT NULL,
    part smallint NOT NULL,
    received_at timestamp(3) with time zone NOT NULL,
    size integer NOT NULL,
    data bytea NOT NULL,
    CONSTRAINT device_chunks_pkey PRIMARY KEY (id, received_at),
    CONSTRAINT device_chunks_device_id_fkey FOREIGN KEY (device_id) REFERENCES devices(id) ON UPDATE CASCADE ON DELETE RESTRICT
) PARTITION BY RANGE (received_at);
ALTER TABLE ONLY device_chunks ALTER COLUMN data SET STORAGE EXTERNAL;

CREATE INDEX device_chunks_device_id_stream_started_at_sequence_part_idx ON device_chunks USING btree (device_id, stream_started_at, sequence, part);

CREATE INDEX device_chunks_project_id_received_at_idx ON device_chunks USING btree (project_id, received_at);

CREATE TABLE device_chunks_default PARTITION OF device_chunks DEFAULT;

-- Requests with an Idempotency-Key, by the id of their message. It depends on their content alone (UUID version 8), so the same
-- request at another time has the same id; the ids of all other messages are of their moment.
CREATE TABLE chunk_requests (
    id uuid NOT NULL,
    project_id uuid NOT NULL,
    received_at timestamp(3) with time zone NOT NULL,
    CONSTRAINT chunk_requests_pkey PRIMARY KEY (id)
);

CREATE INDEX chunk_requests_project_id_received_at_idx ON chunk_requests USING btree (project_id, received_at);

CREATE FUNCTION skip_repeated_request() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    message uuid := overlay(NEW.id::text PLACING '000' FROM 34)::uuid;
BEGIN
    INSERT INTO chunk_requests (id, project_id, received_at)
    VALUES (message, NEW.project_id, NEW.received_at) ON CONFLICT (id) DO NOTHING;
    IF NOT FOUND AND NOT EXISTS (SELECT FROM chunk_requests WHERE id = message AND received_at = NEW.received_at) THEN
        RETURN NULL;
    END IF;
    RETURN NEW;
END $$;

CREATE TRIGGER device_chunks_repeated BEFORE INSERT ON device_chunks FOR EACH ROW
    WHEN (get_byte(uuid_send(NEW.id), 6) & 240 = 128) EXECUTE FUNCTION skip_repeated_request();

ALTER TABLE chunks DROP CONSTRAINT chunks_pkey;
ALTER TABLE chunks ADD CONSTRAINT chunks_pkey PRIMARY KEY USING INDEX chunks_id_received_at_key;

DO $$
DECLARE
    bound text := (
        SELECT substring(pg_get_constraintdef(oid) FROM '''(.+?)''') FROM pg_constraint
        WHERE conrelid = 'chunks'::regclass AND conname = 'chunks_bound');
BEGIN
    EXECUTE format('ALTER TABLE device_chunks ATTACH PARTITION chunks FOR VALUES FROM (MINVALUE) TO (%L)', bound);
END $$;
ALTER TABLE chunks DROP CONSTRAINT chunks_bound;

-- The partitions with their bounds, but for the default one.
CREATE VIEW chunk_days AS
    SELECT partition.relname AS name,
           coalesce(substring(bound FROM 'FROM \(''(.+?)''\)'), '-infinity')::timestamp with time zone AS first,
           substring(bound FROM 'TO \(''(.+?)''\)')::timestamp with time zone AS until
    FROM pg_inherits
    JOIN pg_class partition ON partition.oid = inhrelid
    CROSS JOIN pg_get_expr(partition.relpartbound, partition.oid) bound
    WHERE inhparent = 'device_chunks'::regclass AND bound <> 'DEFAULT';

-- Services do not own tables: the following functions run as the owner. They wait for a table for a second at most, because
-- everyone who comes after them waits as well.

-- Creates the first partition that is missing of the days from now on, or of what the default partition has, and moves rows there.
CREATE FUNCTION create_chunk_day(at timestamp with time zone, days integer)
RETURNS TABLE (name text, moved bigint) LANGUAGE plpgsql SECURITY DEFINER SET lock_timeout = '1s' AS $$
DECLARE
    start timestamp with time zone;
    until timestamp with time zone;
BEGIN
    IF NOT pg_try_advisory_xact_lock(hashtextextended('chunk_days', 42)) THEN RETURN; END IF;
    SELECT min(wanted.day) INTO start
    FROM (
        SELECT date_trunc('day', at, 'UTC') + n * interval '24 hours' AS day FROM generate_series(0, days) n
        UNION ALL SELECT date_trunc('day', received_at, 'UTC') FROM device_chunks_default
    ) wanted
    WHERE NOT EXISTS (SELECT FROM chunk_days c WHERE wanted.day >= c.first AND wanted.day < c.until);
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

-- Whether a partition has rows that must stay or be deleted one by one: of projects whose retention has not passed all of it, or
-- that have no row in project_usage that says how many bytes of that day are stored.
CREATE FUNCTION is_chunk_day_kept(name text, at timestamp with time zone) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
DECLARE
    day record;
    kept boolean;
BEGIN
    SELECT * INTO STRICT day FROM chunk_days c WHERE c.name = is_chunk_day_kept.name;
    EXECUTE format($query$
        SELECT EXISTS (
            SELECT FROM projects p LEFT JOIN data_policies d ON d.project_id = p.id
            CROSS JOIN LATERAL (SELECT FROM %I c WHERE c.project_id = p.id LIMIT 1) stored
            WHERE ($1 <= $3 - d.retention_days * interval '24 hours' AND EXISTS (
                SELECT FROM project_usage u WHERE u.project_id = p.id AND u.day = ($2 AT TIME ZONE 'UTC')::date
            )) IS NOT TRUE)
        $query$, name) INTO kept USING day.until, day.first, at;
    RETURN kept;
END $$;

-- Drops a partition of which nothing is kept, and counts its bytes as deleted. @returns whether it did
CREATE FUNCTION drop_chunk_day(name text, at timestamp with time zone)
RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER SET lock_timeout = '1s' AS $$
DECLARE
    day record;
BEGIN
    IF NOT pg_try_advisory_xact_lock(hashtextextended('chunk_days', 42)) THEN RETURN false; END IF;
    SELECT * INTO day FROM chunk_days c WHERE c.name = drop_chunk_day.name AND c.until <= at;
    IF NOT FOUND OR is_chunk_day_kept(name, at) THEN RETURN false; END IF;
    -- Again, now that nobody stores or deletes.
    LOCK TABLE ONLY device_chunks IN ACCESS EXCLUSIVE MODE;
    IF is_chunk_day_kept(name, at) THEN RETURN false; END IF;
    UPDATE project_usage SET deleted_bytes = bytes WHERE project_usage.day = (day.first AT TIME ZONE 'UTC')::date;
    EXECUTE format('DROP TABLE %I', name);
    RETURN true;
END $$;

-- The role of the service may create temporary tables, which must not take the place of these.
DO $$
BEGIN
    EXECUTE format('ALTER FUNCTION create_chunk_day SET search_path = %I, pg_temp', current_schema());
    EXECUTE format('ALTER FUNCTION drop_chunk_day SET search_path = %I, pg_temp', current_schema());
END $$;

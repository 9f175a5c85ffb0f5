-- Rewrites `devices` once (4 s for 1,000,000 rows): a generated column, room on each page for updates in place (HOT), and
-- serial numbers in the order of bytes, so that an index finds prefixes whatever the collation of the database is.
ALTER TABLE devices SET (fillfactor = 85);
ALTER TABLE devices
    ALTER COLUMN serial TYPE text COLLATE "C",
    ADD COLUMN nickname text,
    ADD COLUMN last_seen_minute integer NOT NULL
        GENERATED ALWAYS AS (coalesce(floor(extract(epoch FROM last_seen_at AT TIME ZONE 'UTC') / 60), 0)::integer) STORED;

CREATE TABLE declared_attributes (
    project_id uuid NOT NULL,
    number integer NOT NULL,
    name text NOT NULL,
    type text NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    deleted_at timestamp(3) with time zone,
    CONSTRAINT declared_attributes_pkey PRIMARY KEY (project_id, number),
    CONSTRAINT declared_attributes_type CHECK (type = ANY (ARRAY['string'::text, 'number'::text, 'boolean'::text, 'time'::text]))
);

CREATE TABLE device_attributes (
    device_id uuid NOT NULL,
    number integer NOT NULL,
    project_id uuid NOT NULL,
    serial text COLLATE "C" NOT NULL,
    value jsonb NOT NULL,
    CONSTRAINT device_attributes_pkey PRIMARY KEY (device_id, number)
);

CREATE TABLE device_moves (
    id uuid NOT NULL,
    organization_id uuid NOT NULL,
    project_id uuid NOT NULL,
    to_project_id uuid NOT NULL,
    device_id uuid NOT NULL,
    serial text NOT NULL,
    stream_started_at timestamp(3) with time zone NOT NULL,
    sequence bigint NOT NULL,
    moved_at timestamp(3) with time zone NOT NULL,
    finished_at timestamp(3) with time zone,
    CONSTRAINT device_moves_pkey PRIMARY KEY (id)
);

CREATE TABLE device_bulk_deletions (
    id uuid NOT NULL,
    organization_id uuid NOT NULL,
    project_id uuid NOT NULL,
    filter jsonb NOT NULL,
    actor jsonb NOT NULL,
    request_id text NOT NULL,
    total integer NOT NULL,
    deleted integer DEFAULT 0 NOT NULL,
    state text NOT NULL,
    leased_until timestamp(3) with time zone,
    created_at timestamp(3) with time zone NOT NULL,
    finished_at timestamp(3) with time zone,
    CONSTRAINT device_bulk_deletions_pkey PRIMARY KEY (id)
);

CREATE UNIQUE INDEX declared_attributes_project_id_name_key ON declared_attributes (project_id, name) WHERE deleted_at IS NULL;
CREATE INDEX declared_attributes_deleted_at_idx ON declared_attributes (deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX device_attributes_project_id_number_value_serial_idx ON device_attributes (project_id, number, value, serial);
CREATE INDEX device_moves_project_id_serial_idx ON device_moves (project_id, serial);
CREATE INDEX device_moves_to_project_id_idx ON device_moves (to_project_id);
CREATE INDEX device_moves_finished_at_idx ON device_moves (finished_at) WHERE finished_at IS NULL;
CREATE INDEX device_bulk_deletions_project_id_id_idx ON device_bulk_deletions (project_id, id);
CREATE INDEX device_bulk_deletions_finished_at_idx ON device_bulk_deletions (finished_at) WHERE finished_at IS NULL;

ALTER TABLE declared_attributes ADD CONSTRAINT declared_attributes_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects (id) ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE device_attributes ADD CONSTRAINT device_attributes_device_id_fkey FOREIGN KEY (device_id) REFERENCES devices (id) ON DELETE CASCADE ON UPDATE CASCADE;

-- Payloads of chunks in objects of the file storage.
-- lint: allow unknown: DROP NOT NULL changes the catalog alone, and a function is created with the time of the migration

ALTER TABLE device_chunks ADD COLUMN object_id uuid;
ALTER TABLE device_chunks ADD COLUMN object_offset integer;
ALTER TABLE device_chunks ALTER COLUMN data DROP NOT NULL;

CREATE TABLE chunk_objects (
    id uuid NOT NULL,
    project_id uuid NOT NULL,
    storage text NOT NULL,
    size integer NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    first_at timestamp(3) with time zone,
    last_at timestamp(3) with time zone,
    unwiped integer DEFAULT 0 NOT NULL,
    leased_until timestamp(3) with time zone,
    leaving boolean DEFAULT false NOT NULL,
    CONSTRAINT chunk_objects_pkey PRIMARY KEY (id),
    CONSTRAINT chunk_objects_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON UPDATE CASCADE ON DELETE RESTRICT
);

CREATE INDEX chunk_objects_project_id_last_at_idx ON chunk_objects USING btree (project_id, last_at);

-- What the sweep looks for.
CREATE INDEX chunk_objects_work_idx ON chunk_objects USING btree (created_at) WHERE last_at IS NULL OR unwiped > 0 OR leaving;

-- From when on payloads are stored in objects, which version N-1 cannot read: a week after this migration, and immediately in a new
-- database.
DO $$
BEGIN
    EXECUTE format(
        'CREATE FUNCTION chunk_objects_from() RETURNS timestamp with time zone LANGUAGE sql IMMUTABLE AS $f$ SELECT %L::timestamp with time zone $f$',
        CASE WHEN EXISTS (SELECT FROM organizations) THEN now() + interval '7 days' ELSE '-infinity' END);
END $$;

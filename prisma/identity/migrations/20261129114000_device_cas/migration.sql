CREATE TABLE device_cas (
    id uuid NOT NULL,
    organization_id uuid NOT NULL,
    project_id uuid NOT NULL,
    certificate bytea NOT NULL,
    subject_hash bytea NOT NULL,
    key_hash bytea NOT NULL,
    serial_from text NOT NULL,
    serial_pattern text NOT NULL,
    just_in_time boolean NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    expires_at timestamp(3) with time zone NOT NULL,
    CONSTRAINT device_cas_pkey PRIMARY KEY (id)
);

CREATE UNIQUE INDEX device_cas_key_hash_key ON device_cas (key_hash);

CREATE INDEX device_cas_subject_hash_idx ON device_cas (subject_hash);

CREATE INDEX device_cas_organization_id_project_id_idx ON device_cas (organization_id, project_id);

ALTER TABLE device_keys ADD COLUMN device_ca_id uuid;

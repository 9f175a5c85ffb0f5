ALTER TABLE project_keys
    ADD COLUMN device_identity text NOT NULL DEFAULT 'off',
    ADD COLUMN tokens_without_expiry boolean NOT NULL DEFAULT false;

CREATE TABLE device_keys (
    id uuid NOT NULL,
    organization_id uuid NOT NULL,
    project_id uuid NOT NULL,
    device_serial text NOT NULL,
    public_key bytea NOT NULL,
    thumbprint bytea NOT NULL,
    key_hash bytea NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    expires_at timestamp(3) with time zone,
    last_used_at timestamp(3) with time zone,
    CONSTRAINT device_keys_pkey PRIMARY KEY (id),
    CONSTRAINT device_keys_thumbprint_length CHECK (octet_length(thumbprint) = 32),
    CONSTRAINT device_keys_key_hash_length CHECK (octet_length(key_hash) = 32)
);

CREATE UNIQUE INDEX device_keys_thumbprint_key ON device_keys (thumbprint);

CREATE UNIQUE INDEX device_keys_key_hash_key ON device_keys (key_hash);

CREATE INDEX device_keys_organization_id_project_id_device_serial_idx
    ON device_keys (organization_id, project_id, device_serial);

CREATE INDEX device_keys_expires_at_idx ON device_keys (expires_at);

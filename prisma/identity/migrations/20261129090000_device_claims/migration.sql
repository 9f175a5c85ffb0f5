ALTER TABLE project_keys ADD COLUMN device_claims text NOT NULL DEFAULT 'off';

CREATE TABLE device_claims (
    id uuid NOT NULL,
    organization_id uuid NOT NULL,
    project_id uuid NOT NULL,
    device_serial text NOT NULL,
    public_key bytea NOT NULL,
    thumbprint bytea NOT NULL,
    key_hash bytea NOT NULL,
    client_address text,
    created_at timestamp(3) with time zone NOT NULL,
    expires_at timestamp(3) with time zone NOT NULL,
    rejected_at timestamp(3) with time zone,
    CONSTRAINT device_claims_pkey PRIMARY KEY (id)
);

CREATE UNIQUE INDEX device_claims_organization_id_project_id_device_serial_key
    ON device_claims (organization_id, project_id, device_serial);

CREATE INDEX device_claims_expires_at_idx ON device_claims (expires_at);

CREATE TABLE revoked_devices (
    organization_id uuid NOT NULL,
    project_id uuid NOT NULL,
    device_serial text NOT NULL,
    CONSTRAINT revoked_devices_pkey PRIMARY KEY (organization_id, project_id, device_serial)
);

CREATE TABLE onboarding_tokens (
    id uuid NOT NULL,
    organization_id uuid NOT NULL,
    project_id uuid NOT NULL,
    name text NOT NULL,
    secret_hash bytea NOT NULL,
    pepper_id text NOT NULL,
    uses integer NOT NULL DEFAULT 0,
    max_uses integer NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    expires_at timestamp(3) with time zone NOT NULL,
    CONSTRAINT onboarding_tokens_pkey PRIMARY KEY (id),
    CONSTRAINT onboarding_tokens_uses_range CHECK (uses >= 0 AND uses <= max_uses)
);

CREATE INDEX onboarding_tokens_organization_id_project_id_idx ON onboarding_tokens (organization_id, project_id);

CREATE INDEX onboarding_tokens_expires_at_idx ON onboarding_tokens (expires_at);

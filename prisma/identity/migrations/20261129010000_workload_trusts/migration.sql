ALTER TABLE organization_tokens ADD COLUMN workload jsonb;

CREATE TABLE workload_trusts (
    id uuid NOT NULL,
    organization_id uuid NOT NULL,
    name text NOT NULL,
    platform text NOT NULL,
    issuer text NOT NULL,
    jwks jsonb,
    audience text NOT NULL,
    claims jsonb NOT NULL,
    permissions text[] NOT NULL,
    project_ids uuid[] NOT NULL DEFAULT ARRAY[]::uuid[],
    allowed_addresses text[] NOT NULL DEFAULT ARRAY[]::text[],
    lifetime_s integer NOT NULL,
    single_use boolean NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    created_by uuid NOT NULL,
    CONSTRAINT workload_trusts_pkey PRIMARY KEY (id),
    CONSTRAINT workload_trusts_lifetime_range CHECK (lifetime_s >= 60 AND lifetime_s <= 3600),
    CONSTRAINT workload_trusts_permissions_given CHECK (cardinality(permissions) > 0)
);

CREATE INDEX workload_trusts_organization_id_issuer_idx ON workload_trusts (organization_id, issuer);

CREATE TABLE workload_assertions (
    trust_id uuid NOT NULL,
    jti_hash bytea NOT NULL,
    expires_at timestamp(3) with time zone NOT NULL,
    CONSTRAINT workload_assertions_pkey PRIMARY KEY (trust_id, jti_hash),
    CONSTRAINT workload_assertions_trust_id_fkey FOREIGN KEY (trust_id) REFERENCES workload_trusts (id)
        ON UPDATE CASCADE ON DELETE CASCADE,
    CONSTRAINT workload_assertions_jti_hash_length CHECK (octet_length(jti_hash) = 32)
);

CREATE INDEX workload_assertions_expires_at_idx ON workload_assertions (expires_at);

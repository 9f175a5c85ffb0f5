CREATE TABLE passkeys (
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    credential_id bytea NOT NULL,
    public_key bytea NOT NULL,
    name text NOT NULL,
    counter bigint NOT NULL,
    challenged_at timestamp(3) with time zone NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    last_used_at timestamp(3) with time zone,
    CONSTRAINT passkeys_pkey PRIMARY KEY (id),
    CONSTRAINT passkeys_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON UPDATE CASCADE ON DELETE CASCADE
);

CREATE UNIQUE INDEX passkeys_credential_id_key ON passkeys (credential_id);

CREATE INDEX passkeys_user_id_id_idx ON passkeys (user_id, id);

-- Recovery codes belong to users with passkeys too.
-- lint: allow constraint since 0.1.0: the former version writes codes of authenticators only, which belong to users
ALTER TABLE recovery_codes DROP CONSTRAINT recovery_codes_user_id_fkey;
ALTER TABLE recovery_codes
    ADD CONSTRAINT recovery_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
    ON UPDATE CASCADE ON DELETE CASCADE NOT VALID;

ALTER TABLE organization_rules ADD COLUMN second_factor_kind text NOT NULL DEFAULT 'any';

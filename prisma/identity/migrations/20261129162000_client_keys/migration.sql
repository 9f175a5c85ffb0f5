ALTER TABLE sso_connections
    ADD COLUMN key_box bytea,
    ADD COLUMN key_pepper_id text,
    ADD COLUMN public_jwk jsonb;

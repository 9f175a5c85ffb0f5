CREATE TABLE email_changes (
    user_id uuid NOT NULL,
    email text NOT NULL,
    new_hash bytea,
    old_hash bytea,
    new_confirmed boolean NOT NULL DEFAULT false,
    old_confirmed boolean NOT NULL DEFAULT false,
    expires_at timestamp(3) with time zone NOT NULL,
    CONSTRAINT email_changes_pkey PRIMARY KEY (user_id),
    CONSTRAINT email_changes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON UPDATE CASCADE ON DELETE CASCADE
);

CREATE UNIQUE INDEX email_changes_new_hash_key ON email_changes USING btree (new_hash);

CREATE UNIQUE INDEX email_changes_old_hash_key ON email_changes USING btree (old_hash);

CREATE INDEX email_changes_expires_at_idx ON email_changes USING btree (expires_at);

ALTER TABLE sso_connections ADD COLUMN follows_email boolean NOT NULL DEFAULT false;

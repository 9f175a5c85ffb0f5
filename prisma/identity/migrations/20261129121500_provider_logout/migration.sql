ALTER TABLE sso_connections ADD COLUMN email_trusted boolean NOT NULL DEFAULT false;

ALTER TABLE sessions ADD COLUMN provider_sid text;

-- What every column means: prisma/identity/schema.prisma. Services from before do not know of the tables, and have started no
-- session through a connection.

CREATE TABLE "sso_connections" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "issuer" TEXT NOT NULL,
    "client_id" TEXT NOT NULL,
    "secret_box" BYTEA,
    "pepper_id" TEXT,
    "scopes" TEXT[],
    "metadata" JSONB NOT NULL,
    "just_in_time" BOOLEAN NOT NULL DEFAULT false,
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "sso_connections_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "sso_connections_secret_has_pepper" CHECK (("secret_box" IS NULL) = ("pepper_id" IS NULL))
);
CREATE INDEX "sso_connections_organization_id_created_at_id_idx" ON "sso_connections"("organization_id", "created_at", "id");

CREATE TABLE "sso_identities" (
    "id" UUID NOT NULL,
    "connection_id" UUID NOT NULL,
    "issuer" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "user_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "sso_identities_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "sso_identities_connection_id_issuer_subject_key" ON "sso_identities"("connection_id", "issuer", "subject");
CREATE INDEX "sso_identities_user_id_created_at_id_idx" ON "sso_identities"("user_id", "created_at", "id");

CREATE TABLE "sign_on_attempts" (
    "state_hash" BYTEA NOT NULL,
    "connection_id" UUID NOT NULL,
    "browser_hash" BYTEA NOT NULL,
    "secret_box" BYTEA NOT NULL,
    "pepper_id" TEXT NOT NULL,
    "redirect_uri" TEXT NOT NULL,
    "return_to" TEXT NOT NULL,
    "session_id" UUID,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "sign_on_attempts_pkey" PRIMARY KEY ("state_hash"),
    CONSTRAINT "sign_on_attempts_state_hash_length" CHECK (octet_length("state_hash") = 32),
    CONSTRAINT "sign_on_attempts_browser_hash_length" CHECK (octet_length("browser_hash") = 32)
);
CREATE INDEX "sign_on_attempts_expires_at_idx" ON "sign_on_attempts"("expires_at");

CREATE TABLE "sso_domains" (
    "organization_id" UUID NOT NULL,
    "domain" TEXT NOT NULL,
    "token" TEXT NOT NULL,
    "verified_at" TIMESTAMPTZ(3),
    CONSTRAINT "sso_domains_pkey" PRIMARY KEY ("organization_id", "domain"),
    CONSTRAINT "sso_domains_domain_lower_case" CHECK ("domain" = lower("domain"))
);

CREATE INDEX "sessions_connection_id_idx" ON "sessions"("connection_id");
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_connection_id_fkey" FOREIGN KEY ("connection_id") REFERENCES "sso_connections"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "sso_identities" ADD CONSTRAINT "sso_identities_connection_id_fkey" FOREIGN KEY ("connection_id") REFERENCES "sso_connections"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "sso_identities" ADD CONSTRAINT "sso_identities_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "sign_on_attempts" ADD CONSTRAINT "sign_on_attempts_connection_id_fkey" FOREIGN KEY ("connection_id") REFERENCES "sso_connections"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "sign_on_attempts" ADD CONSTRAINT "sign_on_attempts_session_id_fkey" FOREIGN KEY ("session_id") REFERENCES "sessions"("id") ON DELETE CASCADE ON UPDATE CASCADE;

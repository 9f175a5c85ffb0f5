-- What every column means: prisma/identity/schema.prisma.

CREATE TABLE "users" (
    "id" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "password_hash" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "users_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "users_email_lower_cased" CHECK ("email" = lower("email"))
);
CREATE UNIQUE INDEX "users_email_key" ON "users"("email");

CREATE TABLE "user_keys" (
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "secret_hash" BYTEA NOT NULL,
    "pepper_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "user_keys_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "user_keys_secret_hash_length" CHECK (octet_length("secret_hash") = 32)
);
CREATE UNIQUE INDEX "user_keys_user_id_key" ON "user_keys"("user_id");

CREATE TABLE "organization_tokens" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "description" TEXT NOT NULL,
    "permissions" TEXT[],
    "secret_hash" BYTEA NOT NULL,
    "pepper_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "created_by" UUID NOT NULL,
    "expires_at" TIMESTAMPTZ(3),
    "deleted_at" TIMESTAMPTZ(3),
    "deleted_by" UUID,
    CONSTRAINT "organization_tokens_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "organization_tokens_permissions_given" CHECK ("permissions" IS NOT NULL),
    CONSTRAINT "organization_tokens_secret_hash_length" CHECK (octet_length("secret_hash") = 32),
    CONSTRAINT "organization_tokens_deletion_whole" CHECK (("deleted_at" IS NULL) = ("deleted_by" IS NULL))
);
CREATE INDEX "organization_tokens_organization_id_created_at_id_idx" ON "organization_tokens"("organization_id", "created_at", "id");

CREATE TABLE "project_keys" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "project_id" UUID NOT NULL,
    "key" CHAR(32) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "project_keys_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "project_keys_key_format" CHECK ("key" ~ '^[0-9a-f]{32}$')
);
CREATE UNIQUE INDEX "project_keys_project_id_key" ON "project_keys"("project_id");
CREATE UNIQUE INDEX "project_keys_key_key" ON "project_keys"("key");

CREATE TABLE "memberships" (
    "user_id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "role" TEXT NOT NULL,
    CONSTRAINT "memberships_pkey" PRIMARY KEY ("user_id", "organization_id"),
    CONSTRAINT "memberships_role_known" CHECK ("role" IN ('admin', 'member'))
);
CREATE INDEX "memberships_organization_id_idx" ON "memberships"("organization_id");

CREATE TABLE "project_members" (
    "user_id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "project_id" UUID NOT NULL,
    "role" TEXT NOT NULL,
    CONSTRAINT "project_members_pkey" PRIMARY KEY ("user_id", "organization_id", "project_id"),
    CONSTRAINT "project_members_role_known" CHECK ("role" IN ('manager', 'member', 'reader'))
);

CREATE TABLE "organization_rules" (
    "organization_id" UUID NOT NULL,
    "sso_required" BOOLEAN NOT NULL DEFAULT false,
    CONSTRAINT "organization_rules_pkey" PRIMARY KEY ("organization_id")
);

CREATE TABLE "audit_log" (
    "id" UUID NOT NULL,
    "organization_id" UUID,
    "actor_kind" TEXT NOT NULL,
    "actor_credential_id" UUID,
    "actor_user_id" UUID,
    "actor_service" TEXT,
    "action" TEXT NOT NULL,
    "target" TEXT NOT NULL,
    "address" TEXT,
    "request_id" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "audit_log_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "outbox" (
    "id" UUID NOT NULL,
    "subject" TEXT NOT NULL,
    "data" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "outbox_pkey" PRIMARY KEY ("id")
);

ALTER TABLE "user_keys" ADD CONSTRAINT "user_keys_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "project_members" ADD CONSTRAINT "project_members_user_id_organization_id_fkey" FOREIGN KEY ("user_id", "organization_id") REFERENCES "memberships"("user_id", "organization_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What every column means: prisma/identity/schema.prisma. Services from before do not know of the tables.

CREATE TABLE "invitations" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "role" TEXT NOT NULL,
    "projects" JSONB NOT NULL,
    "secret_hash" BYTEA,
    "sent_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "invited_by" UUID NOT NULL,
    "accepted_at" TIMESTAMPTZ(3),
    "accepted_by" UUID,
    "revoked_at" TIMESTAMPTZ(3),
    CONSTRAINT "invitations_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "invitations_email_lower_cased" CHECK ("email" = lower("email")),
    CONSTRAINT "invitations_role_known" CHECK ("role" IN ('admin', 'member')),
    CONSTRAINT "invitations_secret_hash_length" CHECK (octet_length("secret_hash") = 32),
    CONSTRAINT "invitations_acceptance_whole" CHECK (("accepted_at" IS NULL) = ("accepted_by" IS NULL)),
    CONSTRAINT "invitations_ended_once" CHECK ("accepted_at" IS NULL OR "revoked_at" IS NULL)
);

CREATE TABLE "password_resets" (
    "user_id" UUID NOT NULL,
    "secret_hash" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "password_resets_pkey" PRIMARY KEY ("user_id"),
    CONSTRAINT "password_resets_secret_hash_length" CHECK (octet_length("secret_hash") = 32)
);

CREATE TABLE "mails" (
    "id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "next_attempt_at" TIMESTAMPTZ(3) NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "address" TEXT,
    "request_id" TEXT NOT NULL,
    CONSTRAINT "mails_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "mails_kind_known" CHECK ("kind" IN ('invitation', 'password_reset', 'password_changed'))
);
CREATE UNIQUE INDEX "invitations_secret_hash_key" ON "invitations"("secret_hash");
-- One open invitation for each organization and address, however many admins invite at once.
CREATE UNIQUE INDEX "invitations_one_open" ON "invitations"("organization_id", "email") WHERE "accepted_at" IS NULL AND "revoked_at" IS NULL;
CREATE INDEX "invitations_organization_id_id_idx" ON "invitations"("organization_id", "id");
CREATE UNIQUE INDEX "password_resets_secret_hash_key" ON "password_resets"("secret_hash");
CREATE INDEX "mails_next_attempt_at_idx" ON "mails"("next_attempt_at");
CREATE UNIQUE INDEX "mails_kind_subject_key" ON "mails"("kind", "subject");

ALTER TABLE "password_resets" ADD CONSTRAINT "password_resets_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

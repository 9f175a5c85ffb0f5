-- What every column means: prisma/identity/schema.prisma. Services from before do not know of the tables, and read nothing
-- of the new column: an organization that wants a second factor sets it once all of identity is new.

CREATE TABLE "sessions" (
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "secret_hash" BYTEA NOT NULL,
    "pepper_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "last_seen_at" TIMESTAMPTZ(3) NOT NULL,
    "ends_at" TIMESTAMPTZ(3) NOT NULL,
    "address" TEXT,
    "user_agent" TEXT,
    "methods" TEXT[],
    "connection_id" UUID,
    CONSTRAINT "sessions_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "sessions_secret_hash_length" CHECK (octet_length("secret_hash") = 32),
    CONSTRAINT "sessions_methods_given" CHECK (cardinality("methods") > 0),
    CONSTRAINT "sessions_ends_later" CHECK ("ends_at" > "created_at")
);
CREATE INDEX "sessions_user_id_created_at_id_idx" ON "sessions"("user_id", "created_at", "id");

CREATE TABLE "totps" (
    "user_id" UUID NOT NULL,
    "secret_box" BYTEA NOT NULL,
    "pepper_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "confirmed_at" TIMESTAMPTZ(3),
    "last_step" INTEGER NOT NULL DEFAULT 0,
    "failures" INTEGER NOT NULL DEFAULT 0,
    "blocked_until" TIMESTAMPTZ(3),
    CONSTRAINT "totps_pkey" PRIMARY KEY ("user_id")
);

CREATE TABLE "recovery_codes" (
    "user_id" UUID NOT NULL,
    "code_hash" BYTEA NOT NULL,
    "pepper_id" TEXT NOT NULL,
    CONSTRAINT "recovery_codes_pkey" PRIMARY KEY ("user_id", "code_hash"),
    CONSTRAINT "recovery_codes_code_hash_length" CHECK (octet_length("code_hash") = 32)
);

ALTER TABLE "organization_rules" ADD COLUMN "second_factor_required" BOOLEAN NOT NULL DEFAULT false;

ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "totps" ADD CONSTRAINT "totps_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "recovery_codes" ADD CONSTRAINT "recovery_codes_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "totps"("user_id") ON DELETE CASCADE ON UPDATE CASCADE;

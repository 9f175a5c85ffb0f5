-- What every column means: prisma/identity/schema.prisma. Services from before do not know of the table.

CREATE TABLE "legacy_tokens" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "hash" BYTEA NOT NULL,
    "kind" TEXT NOT NULL,
    "description" TEXT NOT NULL,
    "imported_at" TIMESTAMPTZ(3) NOT NULL,
    "imported_by" UUID NOT NULL,
    "sunset_at" TIMESTAMPTZ(3) NOT NULL,
    "last_used_at" TIMESTAMPTZ(3),
    CONSTRAINT "legacy_tokens_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "legacy_tokens_hash_length" CHECK (octet_length("hash") = 32),
    CONSTRAINT "legacy_tokens_kind" CHECK ("kind" IN ('service', 'evaluation')),
    CONSTRAINT "legacy_tokens_description_length" CHECK (char_length("description") <= 256)
);

CREATE UNIQUE INDEX "legacy_tokens_hash_key" ON "legacy_tokens"("hash");

CREATE INDEX "legacy_tokens_organization_id_imported_at_id_idx" ON "legacy_tokens"("organization_id", "imported_at", "id");

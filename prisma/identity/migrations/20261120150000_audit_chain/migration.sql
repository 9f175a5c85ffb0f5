-- What every column means: prisma/identity/schema.prisma. Services from before go on working: what they write stands
-- before the chain, as the rows there are.

ALTER TABLE "audit_log"
    ADD COLUMN "service" TEXT NOT NULL DEFAULT 'identity',
    ADD COLUMN "chain" UUID,
    ADD COLUMN "sequence" BIGINT,
    ADD COLUMN "format" SMALLINT,
    ADD COLUMN "previous_hash" BYTEA,
    ADD COLUMN "hash" BYTEA,
    ADD CONSTRAINT "audit_log_chain" CHECK ("chain" = coalesce("organization_id", '00000000-0000-0000-0000-000000000000')),
    ADD CONSTRAINT "audit_log_chained" CHECK (num_nulls("chain", "sequence", "format", "hash") IN (0, 4)),
    ADD CONSTRAINT "audit_log_sequence" CHECK ("sequence" >= 1),
    ADD CONSTRAINT "audit_log_linked" CHECK (("previous_hash" IS NULL) = (coalesce("sequence", 1) = 1)),
    ADD CONSTRAINT "audit_log_hash_length" CHECK (length("hash") = 32 AND coalesce(length("previous_hash"), 32) = 32);
CREATE UNIQUE INDEX "audit_log_chain_sequence_key" ON "audit_log"("chain", "sequence");
CREATE INDEX "audit_log_organization_id_at_id_idx" ON "audit_log"("organization_id", "at", "id");

CREATE TABLE "audit_chains" (
    "id" UUID NOT NULL,
    "length" BIGINT NOT NULL,
    "head_hash" BYTEA,
    CONSTRAINT "audit_chains_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "audit_chains_head" CHECK (("head_hash" IS NULL) = ("length" = 0))
);

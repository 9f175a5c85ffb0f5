-- What the column means: prisma/identity/schema.prisma. Services from before write none of it.

ALTER TABLE "organization_tokens" ADD COLUMN "allowed_addresses" TEXT[] DEFAULT ARRAY[]::TEXT[],
    ADD CONSTRAINT "organization_tokens_allowed_addresses_given" CHECK ("allowed_addresses" IS NOT NULL),
    ADD CONSTRAINT "organization_tokens_allowed_addresses_count" CHECK (cardinality("allowed_addresses") <= 64);

-- What every column means: prisma/identity/schema.prisma. Services from before go on working: they write none of these.

ALTER TABLE "organization_tokens" ADD COLUMN "replaces" UUID,
                                  ADD COLUMN "replaced_by" UUID;
CREATE UNIQUE INDEX "organization_tokens_replaces_key" ON "organization_tokens"("replaces");

ALTER TABLE "organization_rules" ADD COLUMN "max_token_lifetime_days" INTEGER,
    ADD CONSTRAINT "organization_rules_max_token_lifetime_days_range" CHECK ("max_token_lifetime_days" BETWEEN 1 AND 3650);

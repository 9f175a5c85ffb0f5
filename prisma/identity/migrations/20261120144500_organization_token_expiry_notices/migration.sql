-- What the column means: prisma/identity/schema.prisma. Services from before write none of it, and their tokens are found all
-- the same: the column is set when a notice is due.

ALTER TABLE "organization_tokens" ADD COLUMN "expiry_notice_days" SMALLINT,
    ADD CONSTRAINT "organization_tokens_expiry_notice_days_known" CHECK ("expiry_notice_days" IN (1, 7));
CREATE INDEX "organization_tokens_expiry_notice_days_expires_at_idx" ON "organization_tokens"("expiry_notice_days", "expires_at") WHERE "deleted_at" IS NULL;

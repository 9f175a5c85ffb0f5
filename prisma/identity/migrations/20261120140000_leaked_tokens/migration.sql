-- What every column means: prisma/identity/schema.prisma. Services from before do not know of the columns.

ALTER TABLE "organization_tokens" ADD COLUMN "leaked_at" TIMESTAMPTZ(3);

ALTER TABLE "organization_rules" ADD COLUMN "keeps_leaked_tokens" BOOLEAN NOT NULL DEFAULT false;

-- A token that was revoked as leaked was deleted by nobody.
ALTER TABLE "organization_tokens" DROP CONSTRAINT "organization_tokens_deletion_whole";
ALTER TABLE "organization_tokens" ADD CONSTRAINT "organization_tokens_deletion_whole" CHECK ("deleted_by" IS NULL OR "deleted_at" IS NOT NULL);

-- What every column means: prisma/identity/schema.prisma. Services from before unlink by deleting, and go on doing so.

ALTER TABLE "sso_identities" DROP CONSTRAINT "sso_identities_user_id_fkey";
ALTER TABLE "sso_identities" ALTER COLUMN "user_id" DROP NOT NULL;
ALTER TABLE "sso_identities" ADD CONSTRAINT "sso_identities_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- Whether an organization has removed somebody is asked when they link an account for the first time.
CREATE INDEX "audit_log_removed_members_idx" ON "audit_log"("organization_id", "target") WHERE "action" = 'membership.removed';

ALTER TABLE "partner_teams" ADD COLUMN "request_id" UUID;

ALTER TABLE "invitations" ADD COLUMN "sendings" INTEGER NOT NULL DEFAULT 1;
CREATE INDEX "invitations_organization_id_email_idx" ON "invitations"("organization_id", "email");

-- Each kind of mail has a line of its own.
DROP INDEX "mails_next_attempt_at_idx";
CREATE INDEX "mails_kind_next_attempt_at_idx" ON "mails"("kind", "next_attempt_at");

-- What is swept is found without reading the rest.
CREATE INDEX "sessions_ends_at_idx" ON "sessions"("ends_at");
CREATE INDEX "totps_created_at_idx" ON "totps"("created_at") WHERE "confirmed_at" IS NULL;

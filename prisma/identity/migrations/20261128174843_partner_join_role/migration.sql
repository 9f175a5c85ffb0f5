-- AlterTable
ALTER TABLE "partner_teams" ADD COLUMN     "join_project_id" UUID;

-- AlterTable
ALTER TABLE "sso_connections" ADD COLUMN     "join_role" TEXT;

-- People of partners that are connected already see where devices are, too.
UPDATE "sso_connections" SET "join_role" = 'member' WHERE "team_id_claim" IS NOT NULL;

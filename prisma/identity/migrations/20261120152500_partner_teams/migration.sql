-- What every column means: prisma/identity/schema.prisma. A connection without an organization is a partner's.

ALTER TABLE "sso_connections" ALTER COLUMN "organization_id" DROP NOT NULL,
    ADD COLUMN "team_id_claim" TEXT,
    ADD COLUMN "team_name_claim" TEXT,
    ADD CONSTRAINT "sso_connections_partner_has_teams" CHECK (
        ("organization_id" IS NULL) = ("team_id_claim" IS NOT NULL)
        AND ("organization_id" IS NULL) = ("team_name_claim" IS NOT NULL)
    );

CREATE TABLE "partner_teams" (
    "id" UUID NOT NULL,
    "connection_id" UUID NOT NULL,
    "team_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "organization_id" UUID,
    "project_id" UUID,
    "requested_organization_id" UUID,
    "requested_by" UUID,
    "requested_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "partner_teams_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "partner_teams_project_in_organization" CHECK ("project_id" IS NULL OR "organization_id" IS NOT NULL),
    CONSTRAINT "partner_teams_request_whole" CHECK (
        ("requested_organization_id" IS NULL) = ("requested_by" IS NULL)
        AND ("requested_organization_id" IS NULL) = ("requested_at" IS NULL)
    )
);
CREATE UNIQUE INDEX "partner_teams_connection_id_team_id_key" ON "partner_teams"("connection_id", "team_id");
CREATE INDEX "partner_teams_requested_organization_id_idx" ON "partner_teams"("requested_organization_id");

ALTER TABLE "sessions" ADD COLUMN "partner_team_id" UUID;
ALTER TABLE "partner_teams" ADD CONSTRAINT "partner_teams_connection_id_fkey" FOREIGN KEY ("connection_id") REFERENCES "sso_connections"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "partner_teams" ADD CONSTRAINT "partner_teams_requested_by_fkey" FOREIGN KEY ("requested_by") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_partner_team_id_fkey" FOREIGN KEY ("partner_team_id") REFERENCES "partner_teams"("id") ON DELETE CASCADE ON UPDATE CASCADE;

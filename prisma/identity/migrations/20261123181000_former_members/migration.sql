-- Meaning of the columns: prisma/identity/schema.prisma. Existing rows come from the audit log.
CREATE TABLE "former_members" (
    "organization_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    CONSTRAINT "former_members_pkey" PRIMARY KEY ("organization_id", "user_id")
);
CREATE INDEX "former_members_user_id_idx" ON "former_members"("user_id");
ALTER TABLE "former_members" ADD CONSTRAINT "former_members_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

INSERT INTO "former_members" ("organization_id", "user_id")
    SELECT DISTINCT "audit_log"."organization_id", "users"."id" FROM "audit_log" JOIN "users" ON "target" = 'user:' || "users"."id"
    WHERE "service" = 'identity' AND "action" = 'membership.removed' AND "organization_id" IS NOT NULL;

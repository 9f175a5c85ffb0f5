-- What every column means: prisma/identity/schema.prisma. Rows of before are those that memberships and the audit log still tell of.

CREATE TABLE "organization_admins" (
    "organization_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    CONSTRAINT "organization_admins_pkey" PRIMARY KEY ("organization_id", "user_id")
);

-- Every way to become an admin, whichever service version writes it.
CREATE FUNCTION "note_admin"() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    INSERT INTO "organization_admins" ("organization_id", "user_id") VALUES (NEW."organization_id", NEW."user_id") ON CONFLICT DO NOTHING;
    RETURN NULL;
END
$$;
CREATE TRIGGER "memberships_note_admin" AFTER INSERT OR UPDATE OF "role" ON "memberships"
    FOR EACH ROW WHEN (NEW."role" = 'admin') EXECUTE FUNCTION "note_admin"();

INSERT INTO "organization_admins" ("organization_id", "user_id")
    SELECT "organization_id", "user_id" FROM "memberships" WHERE "role" = 'admin'
    UNION
    SELECT "organization_id", "actor_user_id" FROM "audit_log"
    WHERE "service" = 'identity' AND "action" = 'organization.founded' AND "organization_id" IS NOT NULL AND "actor_user_id" IS NOT NULL
    UNION
    SELECT "organization_id", substr("target", 6)::uuid FROM "audit_log"
    WHERE "service" = 'identity' AND "action" IN ('membership.granted', 'membership.promoted') AND "details" ->> 'role' = 'admin'
        AND "organization_id" IS NOT NULL AND "target" ~ '^user:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$';

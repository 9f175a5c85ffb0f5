-- What every column means: prisma/management/schema.prisma.

ALTER TABLE "organizations" ADD COLUMN "device_count" BIGINT NOT NULL DEFAULT 0;

-- Triggers count, so that every version of management does, and a limit costs one row and not a count of all devices.
CREATE FUNCTION "count_devices"() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM changed_rows) THEN RETURN NULL; END IF;
    -- In one order: of two transactions that change several organizations, one waits for the other.
    PERFORM FROM organizations
        WHERE id IN (SELECT p.organization_id FROM changed_rows c JOIN projects p ON p.id = c.project_id)
        ORDER BY id FOR NO KEY UPDATE;
    UPDATE organizations o
    SET device_count = o.device_count + CASE TG_OP WHEN 'INSERT' THEN n.count ELSE -n.count END
    FROM (SELECT p.organization_id AS id, count(*) AS count
          FROM changed_rows c JOIN projects p ON p.id = c.project_id GROUP BY 1) n
    WHERE o.id = n.id;
    RETURN NULL;
END
$$;

-- No device is written between the triggers and the first count.
LOCK TABLE "devices" IN SHARE ROW EXCLUSIVE MODE;
CREATE TRIGGER "devices_inserted" AFTER INSERT ON "devices" REFERENCING NEW TABLE AS changed_rows
    FOR EACH STATEMENT EXECUTE FUNCTION "count_devices"();
CREATE TRIGGER "devices_deleted" AFTER DELETE ON "devices" REFERENCING OLD TABLE AS changed_rows
    FOR EACH STATEMENT EXECUTE FUNCTION "count_devices"();
UPDATE "organizations" o SET "device_count" = n.count
FROM (SELECT p."organization_id" AS id, count(*) AS count
      FROM "devices" d JOIN "projects" p ON p."id" = d."project_id" GROUP BY 1) n
WHERE o."id" = n.id;

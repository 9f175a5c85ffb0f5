-- What every column means: prisma/management/schema.prisma.

ALTER TABLE "uploads" ADD COLUMN "refused_because" TEXT,
ADD COLUMN "looked_at_until" TIMESTAMPTZ(3);
ALTER TABLE "stored_objects" ADD COLUMN "gnu_build_id" TEXT;
ALTER TABLE "projects" ADD COLUMN "file_bytes" BIGINT NOT NULL DEFAULT 0,
ADD COLUMN "uncommitted_bytes" BIGINT NOT NULL DEFAULT 0,
ADD COLUMN "coming_bytes" BIGINT NOT NULL DEFAULT 0;

-- What one row counts for, in the order of the columns of "projects".
CREATE FUNCTION "stored_object_bytes"(kept TEXT, sha256 TEXT, leaving BOOLEAN, size BIGINT) RETURNS BIGINT[]
LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE
        WHEN kept IS NOT NULL THEN ARRAY[coalesce(size, 0), 0, 0]
        WHEN sha256 IS NOT NULL THEN ARRAY[0, coalesce(size, 0), 0]
        WHEN NOT leaving THEN ARRAY[0, 0, coalesce(size, 0)]
        ELSE ARRAY[0, 0, 0]::BIGINT[]
    END
$$;

-- Triggers count, so that every version of management does, and a quota costs one row and not a sum over all objects.
CREATE FUNCTION "count_stored_objects"() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
    changes JSONB;
BEGIN
    IF TG_OP = 'INSERT' THEN
        SELECT jsonb_agg(c) INTO changes FROM (
            SELECT project_id, stored_object_bytes(kept, sha256, leaving, size) AS added, ARRAY[0, 0, 0] AS gone FROM new_rows) c;
    ELSIF TG_OP = 'DELETE' THEN
        SELECT jsonb_agg(c) INTO changes FROM (
            SELECT project_id, ARRAY[0, 0, 0] AS added, stored_object_bytes(kept, sha256, leaving, size) AS gone FROM old_rows) c;
    ELSE
        SELECT jsonb_agg(c) INTO changes FROM (
            SELECT n.project_id, stored_object_bytes(n.kept, n.sha256, n.leaving, n.size) AS added,
                stored_object_bytes(o.kept, o.sha256, o.leaving, o.size) AS gone
            FROM new_rows n JOIN old_rows o USING (id)) c WHERE c.added <> c.gone;
    END IF;
    IF changes IS NULL THEN RETURN NULL; END IF;
    -- In one order: of two sweepers that change several projects, one waits for the other.
    PERFORM FROM projects WHERE id IN (SELECT (c->>'project_id')::uuid FROM jsonb_array_elements(changes) c)
        ORDER BY id FOR NO KEY UPDATE;
    UPDATE projects p SET file_bytes = p.file_bytes + d.files, uncommitted_bytes = p.uncommitted_bytes + d.uncommitted,
        coming_bytes = p.coming_bytes + d.coming
    FROM (SELECT (c->>'project_id')::uuid AS id,
            sum((c->'added'->>0)::bigint - (c->'gone'->>0)::bigint) AS files,
            sum((c->'added'->>1)::bigint - (c->'gone'->>1)::bigint) AS uncommitted,
            sum((c->'added'->>2)::bigint - (c->'gone'->>2)::bigint) AS coming
        FROM jsonb_array_elements(changes) c GROUP BY 1) d
    WHERE p.id = d.id;
    RETURN NULL;
END
$$;

-- Nothing is written between the triggers and the first count.
LOCK TABLE "stored_objects" IN SHARE ROW EXCLUSIVE MODE;
CREATE TRIGGER "stored_objects_inserted" AFTER INSERT ON "stored_objects" REFERENCING NEW TABLE AS new_rows
    FOR EACH STATEMENT EXECUTE FUNCTION "count_stored_objects"();
CREATE TRIGGER "stored_objects_updated" AFTER UPDATE ON "stored_objects" REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
    FOR EACH STATEMENT EXECUTE FUNCTION "count_stored_objects"();
CREATE TRIGGER "stored_objects_deleted" AFTER DELETE ON "stored_objects" REFERENCING OLD TABLE AS old_rows
    FOR EACH STATEMENT EXECUTE FUNCTION "count_stored_objects"();
UPDATE "projects" p SET "file_bytes" = d.bytes[1], "uncommitted_bytes" = d.bytes[2], "coming_bytes" = d.bytes[3]
FROM (
    SELECT project_id, ARRAY[sum(bytes[1]), sum(bytes[2]), sum(bytes[3])]::BIGINT[] AS bytes
    FROM (SELECT project_id, stored_object_bytes(kept, sha256, leaving, size) AS bytes FROM "stored_objects") o
    GROUP BY project_id
) d WHERE p.id = d.project_id;

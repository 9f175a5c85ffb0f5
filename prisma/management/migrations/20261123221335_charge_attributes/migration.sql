-- AlterTable
ALTER TABLE "files" ADD COLUMN     "charged_bytes" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "files" ADD CONSTRAINT "files_charged_bytes_given" CHECK ("charged_bytes" >= 0) NOT VALID;

-- CreateFunction
CREATE FUNCTION count_charged_bytes() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'management'
    AS $$
DECLARE
    changes JSONB;
BEGIN
    IF TG_OP = 'INSERT' THEN
        SELECT jsonb_agg(c) INTO changes FROM (
            SELECT project_id, sum(charged_bytes) AS bytes FROM new_rows WHERE charged_bytes > 0 GROUP BY 1) c;
    ELSIF TG_OP = 'DELETE' THEN
        SELECT jsonb_agg(c) INTO changes FROM (
            SELECT project_id, -sum(charged_bytes) AS bytes FROM old_rows WHERE charged_bytes > 0 GROUP BY 1) c;
    ELSE
        SELECT jsonb_agg(c) INTO changes FROM (
            SELECT project_id, sum(bytes) AS bytes FROM (
                SELECT project_id, charged_bytes AS bytes FROM new_rows
                UNION ALL SELECT project_id, -charged_bytes FROM old_rows) both_rows
            GROUP BY 1 HAVING sum(bytes) <> 0) c;
    END IF;
    IF changes IS NULL THEN RETURN NULL; END IF;
    -- In one order, as count_stored_objects does.
    PERFORM FROM projects WHERE id IN (SELECT (c->>'project_id')::uuid FROM jsonb_array_elements(changes) c)
        ORDER BY id FOR NO KEY UPDATE;
    UPDATE projects p SET file_bytes = p.file_bytes + (c->>'bytes')::bigint
    FROM jsonb_array_elements(changes) c WHERE p.id = (c->>'project_id')::uuid;
    RETURN NULL;
END
$$;

-- CreateTrigger
CREATE TRIGGER files_charged_deleted AFTER DELETE ON files REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION count_charged_bytes();
CREATE TRIGGER files_charged_inserted AFTER INSERT ON files REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_charged_bytes();
CREATE TRIGGER files_charged_updated AFTER UPDATE ON files REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_charged_bytes();

-- Finds chunks of a project by the index. If another project has most chunks of a partition, Postgres would read all of it in order to
-- find that this one has none: with 400,000 chunks 7,724 pages, for each partition at each sweep.
CREATE OR REPLACE FUNCTION is_chunk_day_kept(name text, at timestamp with time zone) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
DECLARE
    day record;
    kept boolean;
BEGIN
    SELECT * INTO STRICT day FROM chunk_days c WHERE c.name = is_chunk_day_kept.name;
    EXECUTE format($query$
        SELECT EXISTS (
            SELECT FROM projects p LEFT JOIN data_policies d ON d.project_id = p.id
            CROSS JOIN LATERAL (SELECT FROM %I c WHERE c.project_id = p.id ORDER BY c.received_at LIMIT 1) stored
            WHERE ($1 <= $3 - d.retention_days * interval '24 hours' AND EXISTS (
                SELECT FROM project_usage u WHERE u.project_id = p.id AND u.day = ($2 AT TIME ZONE 'UTC')::date
            )) IS NOT TRUE)
        $query$, name) INTO kept USING day.until, day.first, at;
    RETURN kept;
END $$;

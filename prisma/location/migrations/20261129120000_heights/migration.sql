-- Floors and altitudes: what observations say, and what positions were found to have. The version before reads and writes none.

ALTER TABLE observations ADD COLUMN height jsonb;

ALTER TABLE reference_scans ADD COLUMN height jsonb;

ALTER TABLE device_positions ADD COLUMN height jsonb;

ALTER TABLE latest_positions ADD COLUMN height jsonb;

CREATE OR REPLACE FUNCTION keep_latest_positions() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'location'
    AS $$
BEGIN
    INSERT INTO latest_positions AS known
        (organization_id, project_id, device_serial, at, id, lat, lon, uncertainty, confidence, fulfilled_with, fallback, height)
    SELECT DISTINCT ON (project_id, device_serial)
        organization_id, project_id, device_serial, at, id, lat, lon, uncertainty, confidence, fulfilled_with, fallback, height
    FROM arrived ORDER BY project_id, device_serial, at DESC, id DESC
    ON CONFLICT (project_id, device_serial) DO UPDATE SET
        organization_id = excluded.organization_id, at = excluded.at, id = excluded.id, lat = excluded.lat,
        lon = excluded.lon, uncertainty = excluded.uncertainty, confidence = excluded.confidence,
        fulfilled_with = excluded.fulfilled_with, fallback = excluded.fallback, height = excluded.height
    WHERE (known.at, known.id) < (excluded.at, excluded.id);
    RETURN NULL;
END
$$;

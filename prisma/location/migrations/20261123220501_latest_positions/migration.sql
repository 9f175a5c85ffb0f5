CREATE TABLE latest_positions (
    organization_id uuid NOT NULL,
    project_id uuid NOT NULL,
    device_serial text NOT NULL,
    at timestamp(3) with time zone NOT NULL,
    id uuid NOT NULL,
    lat double precision NOT NULL,
    lon double precision NOT NULL,
    uncertainty double precision NOT NULL,
    confidence double precision NOT NULL,
    fulfilled_with text NOT NULL,
    fallback boolean NOT NULL,
    CONSTRAINT latest_positions_pkey PRIMARY KEY (project_id, device_serial)
);
CREATE INDEX latest_positions_project_id_lat_lon_idx ON latest_positions (project_id, lat, lon);
CREATE INDEX latest_positions_project_id_at_idx ON latest_positions (project_id, at);

-- Writes the last of new positions. Rows are locked in the order of the primary key (locks.ts).
CREATE FUNCTION keep_latest_positions() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'location'
    AS $$
BEGIN
    INSERT INTO latest_positions AS known
        (organization_id, project_id, device_serial, at, id, lat, lon, uncertainty, confidence, fulfilled_with, fallback)
    SELECT DISTINCT ON (project_id, device_serial)
        organization_id, project_id, device_serial, at, id, lat, lon, uncertainty, confidence, fulfilled_with, fallback
    FROM arrived ORDER BY project_id, device_serial, at DESC, id DESC
    ON CONFLICT (project_id, device_serial) DO UPDATE SET
        organization_id = excluded.organization_id, at = excluded.at, id = excluded.id, lat = excluded.lat,
        lon = excluded.lon, uncertainty = excluded.uncertainty, confidence = excluded.confidence,
        fulfilled_with = excluded.fulfilled_with, fallback = excluded.fallback
    WHERE (known.at, known.id) < (excluded.at, excluded.id);
    RETURN NULL;
END
$$;

-- Deletes the last position of a device together with the position itself. A statement that deletes only some of a
-- device's positions deletes the oldest first.
CREATE FUNCTION delete_latest_positions() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'location'
    AS $$
BEGIN
    PERFORM FROM latest_positions AS known JOIN gone
        ON known.project_id = gone.project_id AND known.device_serial = gone.device_serial AND known.id = gone.id
    ORDER BY known.project_id, known.device_serial FOR UPDATE OF known;
    DELETE FROM latest_positions AS known USING gone
    WHERE known.project_id = gone.project_id AND known.device_serial = gone.device_serial AND known.id = gone.id;
    RETURN NULL;
END
$$;

CREATE TRIGGER latest_of_inserted AFTER INSERT ON device_positions
    REFERENCING NEW TABLE AS arrived FOR EACH STATEMENT EXECUTE FUNCTION keep_latest_positions();
CREATE TRIGGER latest_of_deleted AFTER DELETE ON device_positions
    REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION delete_latest_positions();
-- Positions are updated only if their device moves to another project. Triggers of one event fire in the order of their names.
CREATE TRIGGER latest_of_moved_from AFTER UPDATE ON device_positions
    REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION delete_latest_positions();
CREATE TRIGGER latest_of_moved_to AFTER UPDATE ON device_positions
    REFERENCING NEW TABLE AS arrived FOR EACH STATEMENT EXECUTE FUNCTION keep_latest_positions();

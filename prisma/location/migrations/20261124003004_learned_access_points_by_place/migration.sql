-- As access_points_place_idx. No row has a place yet, so it is empty; apart from the columns, whose lock look-ups would wait for
-- while the tables are read. Learning waits, and look-ups do not.
CREATE INDEX learned_access_points_place_idx ON learned_access_points
    (organization_id, ((bssid % 61 = 0)::int), (floor(lat * 64)::int), (floor(lon * 64)::int)) WHERE lat IS NOT NULL;

-- Whether it is in the sample of coverage, and where, in steps of 1/64 degree (coverage-sql.ts). Imports wait while it is built;
-- look-ups do not.
CREATE INDEX access_points_place_idx ON access_points
    (organization_id, ((bssid % 61 = 0)::int), (floor(lat * 64)::int), (floor(lon * 64)::int));

-- The last position of each device that has some: one short range of the primary key for each device. FOR KEY SHARE: who
-- deletes a position meanwhile waits, and then deletes it here too.
WITH RECURSIVE devices AS (
    (SELECT project_id, device_serial FROM device_positions ORDER BY project_id, device_serial LIMIT 1)
    UNION ALL
    SELECT further.project_id, further.device_serial FROM devices CROSS JOIN LATERAL (
        SELECT project_id, device_serial FROM device_positions AS position
        WHERE (position.project_id, position.device_serial) > (devices.project_id, devices.device_serial)
        ORDER BY project_id, device_serial LIMIT 1
    ) AS further
)
INSERT INTO latest_positions AS known
    (organization_id, project_id, device_serial, at, id, lat, lon, uncertainty, confidence, fulfilled_with, fallback)
SELECT last.* FROM devices CROSS JOIN LATERAL (
    SELECT organization_id, project_id, device_serial, at, id, lat, lon, uncertainty, confidence, fulfilled_with, fallback
    FROM device_positions AS position
    WHERE position.project_id = devices.project_id AND position.device_serial = devices.device_serial
    ORDER BY at DESC, id DESC LIMIT 1 FOR KEY SHARE
) AS last
ON CONFLICT (project_id, device_serial) DO NOTHING;

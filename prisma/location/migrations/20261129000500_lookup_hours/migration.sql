-- Look-ups by project and hour. The version before continues to count in lookup_usage; its days become the first hour of each day.

CREATE TABLE lookup_hours (
    organization_id uuid NOT NULL,
    project_id uuid NOT NULL,
    hour timestamp(3) with time zone NOT NULL,
    found bigint DEFAULT 0 NOT NULL,
    fallback bigint DEFAULT 0 NOT NULL,
    not_found bigint DEFAULT 0 NOT NULL,
    refused bigint DEFAULT 0 NOT NULL,
    radii integer[] NOT NULL,
    CONSTRAINT lookup_hours_pkey PRIMARY KEY (organization_id, project_id, hour)
);

CREATE INDEX lookup_hours_hour_idx ON lookup_hours USING btree (hour);

INSERT INTO lookup_hours (organization_id, project_id, hour, found, fallback, not_found, refused, radii)
SELECT organization_id, '00000000-0000-0000-0000-000000000000', day::timestamp AT TIME ZONE 'UTC',
       sum(count) FILTER (WHERE outcome = 'found'), sum(count) FILTER (WHERE outcome = 'fallback'),
       sum(count) FILTER (WHERE outcome = 'not_found'), sum(count) FILTER (WHERE outcome = 'refused'), '{}'
FROM (
    SELECT organization_id, day, outcome, count FROM lookup_usage
    UNION ALL
    SELECT organization_id, day, outcome, 0 FROM (SELECT DISTINCT organization_id, day FROM lookup_usage) days,
         unnest(ARRAY['found', 'fallback', 'not_found', 'refused']) outcome
) counted
GROUP BY 1, 3;

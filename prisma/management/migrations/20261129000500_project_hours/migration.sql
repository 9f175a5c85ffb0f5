-- Data of projects and attempts of webhooks by hour.

CREATE TABLE project_hours (
    project_id uuid NOT NULL,
    hour timestamp(3) with time zone NOT NULL,
    chunks bigint DEFAULT 0 NOT NULL,
    chunk_bytes bigint DEFAULT 0 NOT NULL,
    files bigint DEFAULT 0 NOT NULL,
    file_bytes bigint DEFAULT 0 NOT NULL,
    devices bigint DEFAULT 0 NOT NULL,
    devices_of_day bigint DEFAULT 0 NOT NULL,
    CONSTRAINT project_hours_pkey PRIMARY KEY (project_id, hour)
);

CREATE INDEX project_hours_hour_idx ON project_hours USING btree (hour);

CREATE TABLE webhook_hours (
    webhook_id uuid NOT NULL,
    hour timestamp(3) with time zone NOT NULL,
    delivered bigint DEFAULT 0 NOT NULL,
    failed bigint DEFAULT 0 NOT NULL,
    durations integer[] NOT NULL,
    CONSTRAINT webhook_hours_pkey PRIMARY KEY (webhook_id, hour)
);

CREATE INDEX webhook_hours_hour_idx ON webhook_hours USING btree (hour);

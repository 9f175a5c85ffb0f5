-- All tables of the management service. schema.prisma says what every column means.

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

CREATE FUNCTION count_devices() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'management'
    AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM changed_rows) THEN RETURN NULL; END IF;
    -- In one order: of two transactions that change several organizations, one waits for the other.
    PERFORM FROM organizations
        WHERE id IN (SELECT p.organization_id FROM changed_rows c JOIN projects p ON p.id = c.project_id)
        ORDER BY id FOR NO KEY UPDATE;
    UPDATE organizations o
    SET device_count = o.device_count + CASE TG_OP WHEN 'INSERT' THEN n.count ELSE -n.count END
    FROM (SELECT p.organization_id AS id, count(*) AS count
          FROM changed_rows c JOIN projects p ON p.id = c.project_id GROUP BY 1) n
    WHERE o.id = n.id;
    RETURN NULL;
END
$$;

CREATE FUNCTION count_stored_objects() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'management'
    AS $$
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

CREATE FUNCTION hand_over_audit() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'management'
    AS $$
BEGIN
    INSERT INTO audit_handover (id) VALUES (NEW.id);
    RETURN NULL;
END
$$;

CREATE FUNCTION stored_object_bytes(kept text, sha256 text, leaving boolean, size bigint) RETURNS bigint[]
    LANGUAGE sql IMMUTABLE
    AS $$
    SELECT CASE
        WHEN kept IS NOT NULL THEN ARRAY[coalesce(size, 0), 0, 0]
        WHEN sha256 IS NOT NULL THEN ARRAY[0, coalesce(size, 0), 0]
        WHEN NOT leaving THEN ARRAY[0, 0, coalesce(size, 0)]
        ELSE ARRAY[0, 0, 0]::BIGINT[]
    END
$$;

CREATE TABLE audit_handover (
    id uuid NOT NULL
);

CREATE TABLE audit_log (
    id uuid NOT NULL,
    organization_id uuid,
    actor_kind text NOT NULL,
    actor_credential_id uuid,
    actor_user_id uuid,
    actor_service text,
    action text NOT NULL,
    target text NOT NULL,
    address text,
    request_id text NOT NULL,
    at timestamp(3) with time zone NOT NULL,
    details jsonb DEFAULT '{}'::jsonb NOT NULL
);

CREATE TABLE chunks (
    id uuid NOT NULL,
    device_id uuid NOT NULL,
    project_id uuid NOT NULL,
    stream_started_at timestamp(3) with time zone NOT NULL,
    sequence bigint NOT NULL,
    part smallint NOT NULL,
    received_at timestamp(3) with time zone NOT NULL,
    size integer NOT NULL,
    data bytea NOT NULL
);
ALTER TABLE ONLY chunks ALTER COLUMN data SET STORAGE EXTERNAL;

CREATE TABLE data_policies (
    project_id uuid NOT NULL,
    bytes_per_day bigint,
    requests_per_minute integer,
    device_requests_per_minute integer,
    retention_days integer,
    known_devices_only boolean DEFAULT false NOT NULL,
    changed_at timestamp(3) with time zone NOT NULL,
    file_bytes jsonb DEFAULT '{}'::jsonb NOT NULL,
    files_bytes bigint,
    file_retention_days jsonb DEFAULT '{}'::jsonb NOT NULL,
    sampling jsonb DEFAULT '{}'::jsonb NOT NULL
);

CREATE TABLE declared_attributes (
    project_id uuid NOT NULL,
    number integer NOT NULL,
    name text NOT NULL,
    type text NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    deleted_at timestamp(3) with time zone,
    CONSTRAINT declared_attributes_type CHECK ((type = ANY (ARRAY['string'::text, 'number'::text, 'boolean'::text, 'time'::text])))
);

CREATE TABLE deletions (
    id uuid NOT NULL,
    organization_id uuid NOT NULL,
    project_id uuid,
    slug text,
    name text,
    state text NOT NULL,
    version bigint NOT NULL,
    confirmed bigint DEFAULT 0 NOT NULL,
    deleted_at timestamp(3) with time zone NOT NULL,
    stopped_at timestamp(3) with time zone,
    erase_after timestamp(3) with time zone NOT NULL,
    erasing_since timestamp(3) with time zone,
    erased_at timestamp(3) with time zone,
    parts jsonb DEFAULT '[]'::jsonb NOT NULL,
    failures integer DEFAULT 0 NOT NULL,
    next_attempt_at timestamp(3) with time zone,
    CONSTRAINT deletions_state_known CHECK ((state = ANY (ARRAY['deleted'::text, 'restored'::text, 'erasing'::text, 'erased'::text])))
);

CREATE SEQUENCE deletions_version_seq OWNED BY deletions.version;

CREATE TABLE device_attributes (
    device_id uuid NOT NULL,
    number integer NOT NULL,
    project_id uuid NOT NULL,
    serial text NOT NULL COLLATE pg_catalog."C",
    value jsonb NOT NULL
);

CREATE TABLE device_bulk_deletions (
    id uuid NOT NULL,
    organization_id uuid NOT NULL,
    project_id uuid NOT NULL,
    filter jsonb NOT NULL,
    actor jsonb NOT NULL,
    request_id text NOT NULL,
    total integer NOT NULL,
    deleted integer DEFAULT 0 NOT NULL,
    state text NOT NULL,
    leased_until timestamp(3) with time zone,
    created_at timestamp(3) with time zone NOT NULL,
    finished_at timestamp(3) with time zone
);

CREATE TABLE device_deletions (
    project_id uuid NOT NULL,
    serial text NOT NULL,
    stream_started_at timestamp(3) with time zone NOT NULL,
    sequence bigint NOT NULL,
    deleted_at timestamp(3) with time zone NOT NULL,
    other_streams jsonb DEFAULT '{}'::jsonb NOT NULL
);

CREATE TABLE devices (
    id uuid NOT NULL,
    project_id uuid NOT NULL,
    serial text NOT NULL COLLATE pg_catalog."C",
    hardware_version text,
    software_type text,
    software_version text,
    first_seen_at timestamp(3) with time zone,
    last_seen_at timestamp(3) with time zone,
    chunk_count bigint DEFAULT 0 NOT NULL,
    chunk_bytes bigint DEFAULT 0 NOT NULL,
    registered_at timestamp(3) with time zone,
    created_at timestamp(3) with time zone NOT NULL,
    sampling jsonb DEFAULT '{}'::jsonb NOT NULL,
    nickname text,
    last_seen_minute integer GENERATED ALWAYS AS ((COALESCE(floor((EXTRACT(epoch FROM (last_seen_at AT TIME ZONE 'UTC'::text)) / (60)::numeric)), (0)::numeric))::integer) STORED NOT NULL
)
WITH (fillfactor='85');

CREATE TABLE files (
    id uuid NOT NULL,
    organization_id uuid NOT NULL,
    project_id uuid NOT NULL,
    kind text NOT NULL,
    object_id uuid NOT NULL,
    name text,
    device_serial text,
    attributes jsonb NOT NULL,
    meaning text NOT NULL,
    gnu_build_id text,
    created_at timestamp(3) with time zone NOT NULL,
    created_by uuid,
    duration_secs double precision,
    hardware_version text,
    mime_types text[] DEFAULT ARRAY[]::text[],
    reason text,
    software_type text,
    software_version text,
    start_time text,
    charged_bytes integer DEFAULT 0 NOT NULL
);

CREATE TABLE idempotent_calls (
    key bytea NOT NULL,
    reply_box bytea NOT NULL,
    key_id text NOT NULL,
    created_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE organizations (
    id uuid NOT NULL,
    slug text NOT NULL,
    name text NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    created_by uuid NOT NULL,
    device_count bigint DEFAULT 0 NOT NULL,
    deleted_at timestamp(3) with time zone,
    CONSTRAINT organizations_slug_format CHECK ((slug ~ '^[a-z0-9]([a-z0-9-]{0,62}[a-z0-9])?$'::text))
);

CREATE TABLE outbox (
    id uuid NOT NULL,
    subject text NOT NULL,
    data jsonb NOT NULL,
    created_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE project_usage (
    project_id uuid NOT NULL,
    day date NOT NULL,
    bytes bigint NOT NULL,
    chunks bigint DEFAULT 0 NOT NULL,
    deleted_bytes bigint DEFAULT 0 NOT NULL
);

CREATE TABLE projects (
    id uuid NOT NULL,
    organization_id uuid NOT NULL,
    slug text NOT NULL,
    name text NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    created_by uuid NOT NULL,
    file_bytes bigint DEFAULT 0 NOT NULL,
    uncommitted_bytes bigint DEFAULT 0 NOT NULL,
    coming_bytes bigint DEFAULT 0 NOT NULL,
    deleted_at timestamp(3) with time zone,
    CONSTRAINT projects_slug_format CHECK ((slug ~ '^[a-z0-9]([a-z0-9-]{0,62}[a-z0-9])?$'::text))
);

CREATE TABLE reserved_slugs (
    scope_id uuid NOT NULL,
    slug text NOT NULL,
    owner_id uuid NOT NULL,
    expires_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE stored_objects (
    id uuid NOT NULL,
    project_id uuid NOT NULL,
    storage text NOT NULL,
    parts bigint[],
    gzip boolean DEFAULT false NOT NULL,
    size bigint,
    md5 text,
    sha256 text,
    sent_size bigint,
    sent_md5 text,
    kept text,
    leaving boolean DEFAULT false NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    gnu_build_id text
);

CREATE TABLE uploads (
    id uuid NOT NULL,
    organization_id uuid NOT NULL,
    project_id uuid NOT NULL,
    max_bytes bigint NOT NULL,
    size bigint,
    attempts integer DEFAULT 0 NOT NULL,
    object_id uuid,
    file_id uuid,
    created_at timestamp(3) with time zone NOT NULL,
    refused_because text,
    looked_at_until timestamp(3) with time zone
);

CREATE TABLE webhook_deliveries (
    id uuid NOT NULL,
    webhook_id uuid NOT NULL,
    project_id uuid NOT NULL,
    event_id uuid NOT NULL,
    event text NOT NULL,
    device_serial text,
    body text,
    state text NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    next_attempt_at timestamp(3) with time zone,
    last_attempt_at timestamp(3) with time zone,
    status integer,
    error text,
    duration_ms integer,
    created_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE webhooks (
    id uuid NOT NULL,
    organization_id uuid NOT NULL,
    project_id uuid NOT NULL,
    url text NOT NULL,
    description text,
    events text[],
    secret_box bytea NOT NULL,
    key_id text NOT NULL,
    previous_box bytea,
    previous_key_id text,
    previous_until timestamp(3) with time zone,
    failing_since timestamp(3) with time zone,
    paused_at timestamp(3) with time zone,
    paused_reason text,
    created_at timestamp(3) with time zone NOT NULL
);

ALTER TABLE ONLY deletions ALTER COLUMN version SET DEFAULT nextval('management.deletions_version_seq'::regclass);

ALTER TABLE ONLY audit_handover
    ADD CONSTRAINT audit_handover_pkey PRIMARY KEY (id);

ALTER TABLE ONLY audit_log
    ADD CONSTRAINT audit_log_pkey PRIMARY KEY (id);

ALTER TABLE ONLY chunks
    ADD CONSTRAINT chunks_pkey PRIMARY KEY (id);

ALTER TABLE ONLY data_policies
    ADD CONSTRAINT data_policies_pkey PRIMARY KEY (project_id);

ALTER TABLE ONLY declared_attributes
    ADD CONSTRAINT declared_attributes_pkey PRIMARY KEY (project_id, number);

ALTER TABLE ONLY deletions
    ADD CONSTRAINT deletions_pkey PRIMARY KEY (id);

ALTER TABLE ONLY device_attributes
    ADD CONSTRAINT device_attributes_pkey PRIMARY KEY (device_id, number);

ALTER TABLE ONLY device_bulk_deletions
    ADD CONSTRAINT device_bulk_deletions_pkey PRIMARY KEY (id);

ALTER TABLE ONLY device_deletions
    ADD CONSTRAINT device_deletions_pkey PRIMARY KEY (project_id, serial);

ALTER TABLE ONLY devices
    ADD CONSTRAINT devices_pkey PRIMARY KEY (id);

ALTER TABLE files
    ADD CONSTRAINT files_charged_bytes_given CHECK ((charged_bytes >= 0)) NOT VALID;

ALTER TABLE ONLY files
    ADD CONSTRAINT files_pkey PRIMARY KEY (id);

ALTER TABLE ONLY idempotent_calls
    ADD CONSTRAINT idempotent_calls_pkey PRIMARY KEY (key);

ALTER TABLE ONLY organizations
    ADD CONSTRAINT organizations_pkey PRIMARY KEY (id);

ALTER TABLE ONLY outbox
    ADD CONSTRAINT outbox_pkey PRIMARY KEY (id);

ALTER TABLE ONLY project_usage
    ADD CONSTRAINT project_usage_pkey PRIMARY KEY (project_id, day);

ALTER TABLE ONLY projects
    ADD CONSTRAINT projects_pkey PRIMARY KEY (id);

ALTER TABLE ONLY reserved_slugs
    ADD CONSTRAINT reserved_slugs_pkey PRIMARY KEY (scope_id, slug);

ALTER TABLE ONLY stored_objects
    ADD CONSTRAINT stored_objects_pkey PRIMARY KEY (id);

ALTER TABLE ONLY uploads
    ADD CONSTRAINT uploads_pkey PRIMARY KEY (id);

ALTER TABLE ONLY webhook_deliveries
    ADD CONSTRAINT webhook_deliveries_pkey PRIMARY KEY (id);

ALTER TABLE ONLY webhooks
    ADD CONSTRAINT webhooks_pkey PRIMARY KEY (id);

CREATE INDEX chunks_device_id_stream_started_at_sequence_part_idx ON chunks USING btree (device_id, stream_started_at, sequence, part);

CREATE INDEX chunks_project_id_received_at_idx ON chunks USING btree (project_id, received_at);

CREATE INDEX declared_attributes_deleted_at_idx ON declared_attributes USING btree (deleted_at) WHERE (deleted_at IS NOT NULL);

CREATE UNIQUE INDEX declared_attributes_project_id_name_key ON declared_attributes USING btree (project_id, name) WHERE (deleted_at IS NULL);

CREATE INDEX deletions_next_attempt_at_idx ON deletions USING btree (next_attempt_at);

CREATE INDEX deletions_organization_id_project_id_idx ON deletions USING btree (organization_id, project_id);

CREATE INDEX device_attributes_project_id_number_value_serial_idx ON device_attributes USING btree (project_id, number, value, serial);

CREATE INDEX device_bulk_deletions_finished_at_idx ON device_bulk_deletions USING btree (finished_at) WHERE (finished_at IS NULL);

CREATE INDEX device_bulk_deletions_project_id_id_idx ON device_bulk_deletions USING btree (project_id, id);

CREATE INDEX devices_project_id_hardware_version_last_seen_minute_serial_idx ON devices USING btree (project_id, hardware_version, last_seen_minute, serial);

CREATE INDEX devices_project_id_last_seen_minute_serial_idx ON devices USING btree (project_id, last_seen_minute, serial);

CREATE UNIQUE INDEX devices_project_id_serial_key ON devices USING btree (project_id, serial);

CREATE INDEX devices_project_id_software_version_last_seen_minute_serial_idx ON devices USING btree (project_id, software_version, last_seen_minute, serial);

CREATE INDEX files_object_id_idx ON files USING btree (object_id);

CREATE INDEX files_project_id_device_serial_id_idx ON files USING btree (project_id, device_serial, id);

CREATE INDEX files_project_id_gnu_build_id_idx ON files USING btree (project_id, gnu_build_id);

CREATE INDEX files_project_id_kind_created_at_idx ON files USING btree (project_id, kind, created_at);

CREATE INDEX files_project_id_kind_id_idx ON files USING btree (project_id, kind, id);

CREATE UNIQUE INDEX files_project_id_kind_object_id_meaning_key ON files USING btree (project_id, kind, object_id, meaning);

CREATE INDEX idempotent_calls_created_at_idx ON idempotent_calls USING btree (created_at);

CREATE INDEX organizations_created_by_idx ON organizations USING btree (created_by);

CREATE UNIQUE INDEX organizations_slug_key ON organizations USING btree (slug);

CREATE INDEX project_usage_day_idx ON project_usage USING btree (day);

CREATE UNIQUE INDEX projects_organization_id_slug_key ON projects USING btree (organization_id, slug);

CREATE INDEX reserved_slugs_expires_at_idx ON reserved_slugs USING btree (expires_at);

CREATE INDEX reserved_slugs_owner_id_idx ON reserved_slugs USING btree (owner_id);

CREATE INDEX stored_objects_kept_created_at_idx ON stored_objects USING btree (kept, created_at);

CREATE UNIQUE INDEX stored_objects_project_id_kept_key ON stored_objects USING btree (project_id, kept);

CREATE INDEX uploads_created_at_idx ON uploads USING btree (created_at);

CREATE INDEX webhook_deliveries_created_at_idx ON webhook_deliveries USING btree (created_at);

CREATE INDEX webhook_deliveries_next_attempt_at_idx ON webhook_deliveries USING btree (next_attempt_at) WHERE (next_attempt_at IS NOT NULL);

CREATE INDEX webhook_deliveries_project_id_device_serial_idx ON webhook_deliveries USING btree (project_id, device_serial);

CREATE UNIQUE INDEX webhook_deliveries_webhook_id_event_id_key ON webhook_deliveries USING btree (webhook_id, event_id);

CREATE INDEX webhook_deliveries_webhook_id_id_idx ON webhook_deliveries USING btree (webhook_id, id);

CREATE INDEX webhook_deliveries_webhook_id_next_attempt_at_idx ON webhook_deliveries USING btree (webhook_id, next_attempt_at) WHERE (next_attempt_at IS NOT NULL);

CREATE INDEX webhooks_project_id_idx ON webhooks USING btree (project_id);

CREATE TRIGGER audit_log_handover AFTER INSERT ON audit_log FOR EACH ROW EXECUTE FUNCTION hand_over_audit();

CREATE TRIGGER devices_deleted AFTER DELETE ON devices REFERENCING OLD TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION count_devices();

CREATE TRIGGER devices_inserted AFTER INSERT ON devices REFERENCING NEW TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION count_devices();

CREATE TRIGGER files_charged_deleted AFTER DELETE ON files REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION count_charged_bytes();

CREATE TRIGGER files_charged_inserted AFTER INSERT ON files REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_charged_bytes();

CREATE TRIGGER files_charged_updated AFTER UPDATE ON files REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_charged_bytes();

CREATE TRIGGER stored_objects_deleted AFTER DELETE ON stored_objects REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION count_stored_objects();

CREATE TRIGGER stored_objects_inserted AFTER INSERT ON stored_objects REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_stored_objects();

CREATE TRIGGER stored_objects_updated AFTER UPDATE ON stored_objects REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_stored_objects();

ALTER TABLE ONLY chunks
    ADD CONSTRAINT chunks_device_id_fkey FOREIGN KEY (device_id) REFERENCES devices(id) ON UPDATE CASCADE ON DELETE RESTRICT;

ALTER TABLE ONLY data_policies
    ADD CONSTRAINT data_policies_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON UPDATE CASCADE ON DELETE RESTRICT;

ALTER TABLE ONLY declared_attributes
    ADD CONSTRAINT declared_attributes_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON UPDATE CASCADE ON DELETE RESTRICT;

ALTER TABLE ONLY device_attributes
    ADD CONSTRAINT device_attributes_device_id_fkey FOREIGN KEY (device_id) REFERENCES devices(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY devices
    ADD CONSTRAINT devices_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON UPDATE CASCADE ON DELETE RESTRICT;

ALTER TABLE ONLY files
    ADD CONSTRAINT files_object_id_fkey FOREIGN KEY (object_id) REFERENCES stored_objects(id) ON UPDATE CASCADE ON DELETE RESTRICT;

ALTER TABLE ONLY project_usage
    ADD CONSTRAINT project_usage_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON UPDATE CASCADE ON DELETE RESTRICT;

ALTER TABLE ONLY projects
    ADD CONSTRAINT projects_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON UPDATE CASCADE ON DELETE RESTRICT;

ALTER TABLE ONLY webhook_deliveries
    ADD CONSTRAINT webhook_deliveries_webhook_id_fkey FOREIGN KEY (webhook_id) REFERENCES webhooks(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY webhooks
    ADD CONSTRAINT webhooks_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON UPDATE CASCADE ON DELETE RESTRICT;

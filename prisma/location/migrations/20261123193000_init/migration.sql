-- All tables of the location service. schema.prisma says what every column means.
-- BETWEEN also rejects NaN, which Postgres orders after every number.

CREATE FUNCTION hand_over_audit() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'location'
    AS $$
BEGIN
    INSERT INTO audit_handover (id) VALUES (NEW.id);
    RETURN NULL;
END
$$;

CREATE TABLE access_points (
    bssid bigint NOT NULL,
    organization_id uuid NOT NULL,
    lat double precision NOT NULL,
    lon double precision NOT NULL,
    spread double precision NOT NULL,
    weight double precision NOT NULL,
    observations integer NOT NULL,
    declared boolean NOT NULL,
    updated_at timestamp(3) with time zone NOT NULL,
    CONSTRAINT access_points_bssid_usable CHECK ((bssid > 0) AND (bssid < 281474976710656) AND ((bssid & 1099511627776) = 0)),
    CONSTRAINT access_points_observations_some CHECK (observations >= 1),
    CONSTRAINT access_points_position_on_earth CHECK ((lat BETWEEN -90 AND 90) AND (lon BETWEEN -180 AND 180)),
    CONSTRAINT access_points_spread_finite CHECK ((spread >= 0) AND (spread < 'Infinity') AND (weight >= 0) AND (weight < 'Infinity'))
)
PARTITION BY HASH (bssid);

CREATE TABLE access_points_0 (
    bssid bigint NOT NULL,
    organization_id uuid NOT NULL,
    lat double precision NOT NULL,
    lon double precision NOT NULL,
    spread double precision NOT NULL,
    weight double precision NOT NULL,
    observations integer NOT NULL,
    declared boolean NOT NULL,
    updated_at timestamp(3) with time zone NOT NULL,
    CONSTRAINT access_points_bssid_usable CHECK ((bssid > 0) AND (bssid < 281474976710656) AND ((bssid & 1099511627776) = 0)),
    CONSTRAINT access_points_observations_some CHECK (observations >= 1),
    CONSTRAINT access_points_position_on_earth CHECK ((lat BETWEEN -90 AND 90) AND (lon BETWEEN -180 AND 180)),
    CONSTRAINT access_points_spread_finite CHECK ((spread >= 0) AND (spread < 'Infinity') AND (weight >= 0) AND (weight < 'Infinity'))
);

CREATE TABLE access_points_1 (
    bssid bigint NOT NULL,
    organization_id uuid NOT NULL,
    lat double precision NOT NULL,
    lon double precision NOT NULL,
    spread double precision NOT NULL,
    weight double precision NOT NULL,
    observations integer NOT NULL,
    declared boolean NOT NULL,
    updated_at timestamp(3) with time zone NOT NULL,
    CONSTRAINT access_points_bssid_usable CHECK ((bssid > 0) AND (bssid < 281474976710656) AND ((bssid & 1099511627776) = 0)),
    CONSTRAINT access_points_observations_some CHECK (observations >= 1),
    CONSTRAINT access_points_position_on_earth CHECK ((lat BETWEEN -90 AND 90) AND (lon BETWEEN -180 AND 180)),
    CONSTRAINT access_points_spread_finite CHECK ((spread >= 0) AND (spread < 'Infinity') AND (weight >= 0) AND (weight < 'Infinity'))
);

CREATE TABLE access_points_2 (
    bssid bigint NOT NULL,
    organization_id uuid NOT NULL,
    lat double precision NOT NULL,
    lon double precision NOT NULL,
    spread double precision NOT NULL,
    weight double precision NOT NULL,
    observations integer NOT NULL,
    declared boolean NOT NULL,
    updated_at timestamp(3) with time zone NOT NULL,
    CONSTRAINT access_points_bssid_usable CHECK ((bssid > 0) AND (bssid < 281474976710656) AND ((bssid & 1099511627776) = 0)),
    CONSTRAINT access_points_observations_some CHECK (observations >= 1),
    CONSTRAINT access_points_position_on_earth CHECK ((lat BETWEEN -90 AND 90) AND (lon BETWEEN -180 AND 180)),
    CONSTRAINT access_points_spread_finite CHECK ((spread >= 0) AND (spread < 'Infinity') AND (weight >= 0) AND (weight < 'Infinity'))
);

CREATE TABLE access_points_3 (
    bssid bigint NOT NULL,
    organization_id uuid NOT NULL,
    lat double precision NOT NULL,
    lon double precision NOT NULL,
    spread double precision NOT NULL,
    weight double precision NOT NULL,
    observations integer NOT NULL,
    declared boolean NOT NULL,
    updated_at timestamp(3) with time zone NOT NULL,
    CONSTRAINT access_points_bssid_usable CHECK ((bssid > 0) AND (bssid < 281474976710656) AND ((bssid & 1099511627776) = 0)),
    CONSTRAINT access_points_observations_some CHECK (observations >= 1),
    CONSTRAINT access_points_position_on_earth CHECK ((lat BETWEEN -90 AND 90) AND (lon BETWEEN -180 AND 180)),
    CONSTRAINT access_points_spread_finite CHECK ((spread >= 0) AND (spread < 'Infinity') AND (weight >= 0) AND (weight < 'Infinity'))
);

CREATE TABLE access_points_4 (
    bssid bigint NOT NULL,
    organization_id uuid NOT NULL,
    lat double precision NOT NULL,
    lon double precision NOT NULL,
    spread double precision NOT NULL,
    weight double precision NOT NULL,
    observations integer NOT NULL,
    declared boolean NOT NULL,
    updated_at timestamp(3) with time zone NOT NULL,
    CONSTRAINT access_points_bssid_usable CHECK ((bssid > 0) AND (bssid < 281474976710656) AND ((bssid & 1099511627776) = 0)),
    CONSTRAINT access_points_observations_some CHECK (observations >= 1),
    CONSTRAINT access_points_position_on_earth CHECK ((lat BETWEEN -90 AND 90) AND (lon BETWEEN -180 AND 180)),
    CONSTRAINT access_points_spread_finite CHECK ((spread >= 0) AND (spread < 'Infinity') AND (weight >= 0) AND (weight < 'Infinity'))
);

CREATE TABLE access_points_5 (
    bssid bigint NOT NULL,
    organization_id uuid NOT NULL,
    lat double precision NOT NULL,
    lon double precision NOT NULL,
    spread double precision NOT NULL,
    weight double precision NOT NULL,
    observations integer NOT NULL,
    declared boolean NOT NULL,
    updated_at timestamp(3) with time zone NOT NULL,
    CONSTRAINT access_points_bssid_usable CHECK ((bssid > 0) AND (bssid < 281474976710656) AND ((bssid & 1099511627776) = 0)),
    CONSTRAINT access_points_observations_some CHECK (observations >= 1),
    CONSTRAINT access_points_position_on_earth CHECK ((lat BETWEEN -90 AND 90) AND (lon BETWEEN -180 AND 180)),
    CONSTRAINT access_points_spread_finite CHECK ((spread >= 0) AND (spread < 'Infinity') AND (weight >= 0) AND (weight < 'Infinity'))
);

CREATE TABLE access_points_6 (
    bssid bigint NOT NULL,
    organization_id uuid NOT NULL,
    lat double precision NOT NULL,
    lon double precision NOT NULL,
    spread double precision NOT NULL,
    weight double precision NOT NULL,
    observations integer NOT NULL,
    declared boolean NOT NULL,
    updated_at timestamp(3) with time zone NOT NULL,
    CONSTRAINT access_points_bssid_usable CHECK ((bssid > 0) AND (bssid < 281474976710656) AND ((bssid & 1099511627776) = 0)),
    CONSTRAINT access_points_observations_some CHECK (observations >= 1),
    CONSTRAINT access_points_position_on_earth CHECK ((lat BETWEEN -90 AND 90) AND (lon BETWEEN -180 AND 180)),
    CONSTRAINT access_points_spread_finite CHECK ((spread >= 0) AND (spread < 'Infinity') AND (weight >= 0) AND (weight < 'Infinity'))
);

CREATE TABLE access_points_7 (
    bssid bigint NOT NULL,
    organization_id uuid NOT NULL,
    lat double precision NOT NULL,
    lon double precision NOT NULL,
    spread double precision NOT NULL,
    weight double precision NOT NULL,
    observations integer NOT NULL,
    declared boolean NOT NULL,
    updated_at timestamp(3) with time zone NOT NULL,
    CONSTRAINT access_points_bssid_usable CHECK ((bssid > 0) AND (bssid < 281474976710656) AND ((bssid & 1099511627776) = 0)),
    CONSTRAINT access_points_observations_some CHECK (observations >= 1),
    CONSTRAINT access_points_position_on_earth CHECK ((lat BETWEEN -90 AND 90) AND (lon BETWEEN -180 AND 180)),
    CONSTRAINT access_points_spread_finite CHECK ((spread >= 0) AND (spread < 'Infinity') AND (weight >= 0) AND (weight < 'Infinity'))
);

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
    details jsonb DEFAULT '{}' NOT NULL
);

CREATE TABLE calibrations (
    organization_id uuid NOT NULL,
    p68 double precision[],
    p95 double precision[],
    outcomes integer NOT NULL,
    fitted_at timestamp(3) with time zone,
    scans integer DEFAULT 0 NOT NULL,
    held jsonb,
    claimed_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL
);

CREATE TABLE cells (
    radio smallint NOT NULL,
    mcc smallint NOT NULL,
    mnc smallint NOT NULL,
    area integer NOT NULL,
    cell bigint NOT NULL,
    organization_id uuid NOT NULL,
    lat double precision NOT NULL,
    lon double precision NOT NULL,
    range double precision NOT NULL,
    samples integer NOT NULL,
    updated_at timestamp(3) with time zone NOT NULL,
    CONSTRAINT cells_identity_in_range CHECK ((mcc BETWEEN 1 AND 999) AND (mnc BETWEEN 0 AND 999) AND (area BETWEEN 0 AND 16777215) AND (cell BETWEEN 0 AND 68719476735)),
    CONSTRAINT cells_position_on_earth CHECK ((lat BETWEEN -90 AND 90) AND (lon BETWEEN -180 AND 180)),
    CONSTRAINT cells_radio_known CHECK (radio BETWEEN 2 AND 5),
    CONSTRAINT cells_range_finite CHECK ((range >= 0) AND (range < 'Infinity')),
    CONSTRAINT cells_samples_some CHECK (samples >= 1)
);

CREATE TABLE device_positions (
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
    fallback boolean DEFAULT false NOT NULL,
    CONSTRAINT device_positions_confidence CHECK (confidence BETWEEN 50 AND 99),
    CONSTRAINT device_positions_fulfilled_with CHECK (fulfilled_with = ANY (ARRAY['WIFI'::text, 'MCELL'::text, 'SCELL'::text])),
    CONSTRAINT device_positions_on_earth CHECK ((lat BETWEEN -90 AND 90) AND (lon BETWEEN -180 AND 180)),
    CONSTRAINT device_positions_uncertainty_finite CHECK ((uncertainty >= 0) AND (uncertainty < 'Infinity'))
);

CREATE TABLE device_scans (
    id uuid NOT NULL,
    contribution bytea NOT NULL,
    received_at timestamp(3) with time zone NOT NULL,
    agreeing smallint DEFAULT 0 NOT NULL,
    elsewhere bytea
);
ALTER TABLE ONLY device_scans ALTER COLUMN contribution SET STORAGE EXTERNAL;

CREATE TABLE forgotten_access_points (
    organization_id uuid NOT NULL,
    bssid bigint NOT NULL,
    forgotten_at timestamp(3) with time zone NOT NULL,
    swept_at timestamp(3) with time zone,
    CONSTRAINT forgotten_access_points_bssid_usable CHECK ((bssid > 0) AND (bssid < 281474976710656) AND ((bssid & 1099511627776) = 0))
);

CREATE TABLE forgotten_areas (
    id uuid NOT NULL,
    organization_id uuid NOT NULL,
    lat double precision NOT NULL,
    lon double precision NOT NULL,
    radius double precision NOT NULL,
    forgotten_at timestamp(3) with time zone NOT NULL,
    swept_at timestamp(3) with time zone,
    CONSTRAINT forgotten_areas_on_earth CHECK ((lat BETWEEN -90 AND 90) AND (lon BETWEEN -180 AND 180) AND (radius > 0) AND (radius <= 100000))
);

CREATE TABLE forgotten_cells (
    organization_id uuid NOT NULL,
    radio smallint NOT NULL,
    mcc smallint NOT NULL,
    mnc smallint NOT NULL,
    area integer NOT NULL,
    cell bigint NOT NULL,
    forgotten_at timestamp(3) with time zone NOT NULL,
    swept_at timestamp(3) with time zone,
    CONSTRAINT forgotten_cells_identity_in_range CHECK ((mcc BETWEEN 1 AND 999) AND (mnc BETWEEN 0 AND 999) AND (area BETWEEN 0 AND 16777215) AND (cell BETWEEN 0 AND 68719476735)),
    CONSTRAINT forgotten_cells_radio_known CHECK (radio BETWEEN 2 AND 5)
);

CREATE TABLE import_batches (
    import_id uuid NOT NULL,
    batch integer NOT NULL,
    rows integer NOT NULL,
    payload bytea NOT NULL,
    stored_at timestamp(3) with time zone NOT NULL
);
ALTER TABLE ONLY import_batches ALTER COLUMN payload SET STORAGE EXTERNAL;

CREATE TABLE imports (
    id uuid NOT NULL,
    organization_id uuid NOT NULL,
    content text NOT NULL,
    digest character(64) NOT NULL,
    state text NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    batches integer DEFAULT 0 NOT NULL,
    rows bigint DEFAULT 0 NOT NULL,
    added bigint,
    updated bigint,
    failure text,
    commit_request_id text,
    ended_at timestamp(3) with time zone,
    CONSTRAINT imports_committed_whole CHECK ((state = 'committed'::text) = ((added IS NOT NULL) AND (updated IS NOT NULL))),
    CONSTRAINT imports_content_known CHECK (content = ANY (ARRAY['observations'::text, 'positions'::text, 'cells'::text])),
    CONSTRAINT imports_digest_format CHECK (digest ~ '^[0-9a-f]{64}$'::text),
    CONSTRAINT imports_failed_whole CHECK ((state = 'failed'::text) = (failure IS NOT NULL)),
    CONSTRAINT imports_state_known CHECK (state = ANY (ARRAY['open'::text, 'committing'::text, 'committed'::text, 'failed'::text]))
);

CREATE TABLE layers (
    organization_id uuid NOT NULL,
    access_points bigint NOT NULL,
    observations bigint NOT NULL,
    updated_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE learned_access_points (
    bssid bigint NOT NULL,
    organization_id uuid NOT NULL,
    statistics bytea NOT NULL,
    updated_at timestamp(3) with time zone NOT NULL,
    contributors bytea,
    CONSTRAINT learned_access_points_bssid_usable CHECK ((bssid > 0) AND (bssid < 281474976710656) AND ((bssid & 1099511627776) = 0))
)
PARTITION BY HASH (bssid);
ALTER TABLE ONLY learned_access_points ALTER COLUMN statistics SET STORAGE EXTERNAL;

CREATE TABLE learned_access_points_0 (
    bssid bigint NOT NULL,
    organization_id uuid NOT NULL,
    statistics bytea NOT NULL,
    updated_at timestamp(3) with time zone NOT NULL,
    contributors bytea,
    CONSTRAINT learned_access_points_bssid_usable CHECK ((bssid > 0) AND (bssid < 281474976710656) AND ((bssid & 1099511627776) = 0))
)
WITH (fillfactor='70');
ALTER TABLE ONLY learned_access_points_0 ALTER COLUMN statistics SET STORAGE EXTERNAL;

CREATE TABLE learned_access_points_1 (
    bssid bigint NOT NULL,
    organization_id uuid NOT NULL,
    statistics bytea NOT NULL,
    updated_at timestamp(3) with time zone NOT NULL,
    contributors bytea,
    CONSTRAINT learned_access_points_bssid_usable CHECK ((bssid > 0) AND (bssid < 281474976710656) AND ((bssid & 1099511627776) = 0))
)
WITH (fillfactor='70');
ALTER TABLE ONLY learned_access_points_1 ALTER COLUMN statistics SET STORAGE EXTERNAL;

CREATE TABLE learned_access_points_2 (
    bssid bigint NOT NULL,
    organization_id uuid NOT NULL,
    statistics bytea NOT NULL,
    updated_at timestamp(3) with time zone NOT NULL,
    contributors bytea,
    CONSTRAINT learned_access_points_bssid_usable CHECK ((bssid > 0) AND (bssid < 281474976710656) AND ((bssid & 1099511627776) = 0))
)
WITH (fillfactor='70');
ALTER TABLE ONLY learned_access_points_2 ALTER COLUMN statistics SET STORAGE EXTERNAL;

CREATE TABLE learned_access_points_3 (
    bssid bigint NOT NULL,
    organization_id uuid NOT NULL,
    statistics bytea NOT NULL,
    updated_at timestamp(3) with time zone NOT NULL,
    contributors bytea,
    CONSTRAINT learned_access_points_bssid_usable CHECK ((bssid > 0) AND (bssid < 281474976710656) AND ((bssid & 1099511627776) = 0))
)
WITH (fillfactor='70');
ALTER TABLE ONLY learned_access_points_3 ALTER COLUMN statistics SET STORAGE EXTERNAL;

CREATE TABLE learned_access_points_4 (
    bssid bigint NOT NULL,
    organization_id uuid NOT NULL,
    statistics bytea NOT NULL,
    updated_at timestamp(3) with time zone NOT NULL,
    contributors bytea,
    CONSTRAINT learned_access_points_bssid_usable CHECK ((bssid > 0) AND (bssid < 281474976710656) AND ((bssid & 1099511627776) = 0))
)
WITH (fillfactor='70');
ALTER TABLE ONLY learned_access_points_4 ALTER COLUMN statistics SET STORAGE EXTERNAL;

CREATE TABLE learned_access_points_5 (
    bssid bigint NOT NULL,
    organization_id uuid NOT NULL,
    statistics bytea NOT NULL,
    updated_at timestamp(3) with time zone NOT NULL,
    contributors bytea,
    CONSTRAINT learned_access_points_bssid_usable CHECK ((bssid > 0) AND (bssid < 281474976710656) AND ((bssid & 1099511627776) = 0))
)
WITH (fillfactor='70');
ALTER TABLE ONLY learned_access_points_5 ALTER COLUMN statistics SET STORAGE EXTERNAL;

CREATE TABLE learned_access_points_6 (
    bssid bigint NOT NULL,
    organization_id uuid NOT NULL,
    statistics bytea NOT NULL,
    updated_at timestamp(3) with time zone NOT NULL,
    contributors bytea,
    CONSTRAINT learned_access_points_bssid_usable CHECK ((bssid > 0) AND (bssid < 281474976710656) AND ((bssid & 1099511627776) = 0))
)
WITH (fillfactor='70');
ALTER TABLE ONLY learned_access_points_6 ALTER COLUMN statistics SET STORAGE EXTERNAL;

CREATE TABLE learned_access_points_7 (
    bssid bigint NOT NULL,
    organization_id uuid NOT NULL,
    statistics bytea NOT NULL,
    updated_at timestamp(3) with time zone NOT NULL,
    contributors bytea,
    CONSTRAINT learned_access_points_bssid_usable CHECK ((bssid > 0) AND (bssid < 281474976710656) AND ((bssid & 1099511627776) = 0))
)
WITH (fillfactor='70');
ALTER TABLE ONLY learned_access_points_7 ALTER COLUMN statistics SET STORAGE EXTERNAL;

CREATE TABLE learned_cells (
    organization_id uuid NOT NULL,
    radio smallint NOT NULL,
    mcc smallint NOT NULL,
    mnc smallint NOT NULL,
    area integer NOT NULL,
    cell bigint NOT NULL,
    statistics bytea NOT NULL,
    updated_at timestamp(3) with time zone NOT NULL,
    contributors bytea,
    CONSTRAINT learned_cells_identity_in_range CHECK ((mcc BETWEEN 1 AND 999) AND (mnc BETWEEN 0 AND 999) AND (area BETWEEN 0 AND 16777215) AND (cell BETWEEN 0 AND 68719476735)),
    CONSTRAINT learned_cells_radio_known CHECK (radio BETWEEN 2 AND 5)
)
WITH (fillfactor='70');
ALTER TABLE ONLY learned_cells ALTER COLUMN statistics SET STORAGE EXTERNAL;

CREATE TABLE location_fallbacks (
    organization_id uuid NOT NULL,
    url text NOT NULL,
    key_box bytea,
    key_id text,
    key_as text NOT NULL,
    accuracy_confidence double precision NOT NULL,
    requests_per_minute integer NOT NULL,
    timeout_ms integer NOT NULL,
    updated_at timestamp(3) with time zone NOT NULL,
    CONSTRAINT location_fallbacks_confidence CHECK (accuracy_confidence BETWEEN 50 AND 99),
    CONSTRAINT location_fallbacks_key CHECK ((key_box IS NULL) = (key_id IS NULL)),
    CONSTRAINT location_fallbacks_key_as CHECK (key_as = ANY (ARRAY['query'::text, 'bearer'::text])),
    CONSTRAINT location_fallbacks_rate CHECK (requests_per_minute BETWEEN 1 AND 60000),
    CONSTRAINT location_fallbacks_timeout CHECK (timeout_ms BETWEEN 100 AND 3000)
);

CREATE TABLE location_settings (
    organization_id uuid NOT NULL,
    share_observations boolean DEFAULT false NOT NULL,
    retention_days integer DEFAULT 365 NOT NULL,
    updated_at timestamp(3) with time zone NOT NULL,
    sharing_approved_at timestamp(3) with time zone,
    CONSTRAINT location_settings_retention CHECK (retention_days BETWEEN 0 AND 3650)
);

CREATE TABLE observations (
    id uuid NOT NULL,
    organization_id uuid NOT NULL,
    project_id uuid NOT NULL,
    received_at timestamp(3) with time zone NOT NULL,
    shared boolean NOT NULL,
    refusal text,
    contribution bytea
);
ALTER TABLE ONLY observations ALTER COLUMN contribution SET STORAGE EXTERNAL;

CREATE TABLE outbox (
    id uuid NOT NULL,
    subject text NOT NULL,
    data jsonb NOT NULL,
    created_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE position_policies (
    organization_id uuid NOT NULL,
    project_id uuid NOT NULL,
    store_positions boolean NOT NULL,
    retention_days integer NOT NULL,
    updated_at timestamp(3) with time zone NOT NULL,
    CONSTRAINT position_policies_retention CHECK (retention_days BETWEEN 1 AND 3650)
);

CREATE TABLE reference_scans (
    project_id uuid NOT NULL,
    cell bigint NOT NULL,
    id uuid NOT NULL,
    organization_id uuid NOT NULL,
    at_seconds double precision NOT NULL,
    lat double precision NOT NULL,
    lon double precision NOT NULL,
    accuracy double precision NOT NULL,
    readings bytea NOT NULL,
    received_at timestamp(3) with time zone NOT NULL
);
ALTER TABLE ONLY reference_scans ALTER COLUMN readings SET STORAGE EXTERNAL;

CREATE TABLE reference_sets (
    project_id uuid NOT NULL,
    organization_id uuid NOT NULL,
    version bigint NOT NULL
);

CREATE TABLE suspect_messages (
    id text NOT NULL,
    attempts integer NOT NULL,
    begun_at timestamp(3) with time zone NOT NULL
);

ALTER TABLE ONLY access_points ATTACH PARTITION access_points_0 FOR VALUES WITH (modulus 8, remainder 0);
ALTER TABLE ONLY access_points ATTACH PARTITION access_points_1 FOR VALUES WITH (modulus 8, remainder 1);
ALTER TABLE ONLY access_points ATTACH PARTITION access_points_2 FOR VALUES WITH (modulus 8, remainder 2);
ALTER TABLE ONLY access_points ATTACH PARTITION access_points_3 FOR VALUES WITH (modulus 8, remainder 3);
ALTER TABLE ONLY access_points ATTACH PARTITION access_points_4 FOR VALUES WITH (modulus 8, remainder 4);
ALTER TABLE ONLY access_points ATTACH PARTITION access_points_5 FOR VALUES WITH (modulus 8, remainder 5);
ALTER TABLE ONLY access_points ATTACH PARTITION access_points_6 FOR VALUES WITH (modulus 8, remainder 6);
ALTER TABLE ONLY access_points ATTACH PARTITION access_points_7 FOR VALUES WITH (modulus 8, remainder 7);
ALTER TABLE ONLY learned_access_points ATTACH PARTITION learned_access_points_0 FOR VALUES WITH (modulus 8, remainder 0);
ALTER TABLE ONLY learned_access_points ATTACH PARTITION learned_access_points_1 FOR VALUES WITH (modulus 8, remainder 1);
ALTER TABLE ONLY learned_access_points ATTACH PARTITION learned_access_points_2 FOR VALUES WITH (modulus 8, remainder 2);
ALTER TABLE ONLY learned_access_points ATTACH PARTITION learned_access_points_3 FOR VALUES WITH (modulus 8, remainder 3);
ALTER TABLE ONLY learned_access_points ATTACH PARTITION learned_access_points_4 FOR VALUES WITH (modulus 8, remainder 4);
ALTER TABLE ONLY learned_access_points ATTACH PARTITION learned_access_points_5 FOR VALUES WITH (modulus 8, remainder 5);
ALTER TABLE ONLY learned_access_points ATTACH PARTITION learned_access_points_6 FOR VALUES WITH (modulus 8, remainder 6);
ALTER TABLE ONLY learned_access_points ATTACH PARTITION learned_access_points_7 FOR VALUES WITH (modulus 8, remainder 7);
ALTER TABLE ONLY access_points ADD CONSTRAINT access_points_pkey PRIMARY KEY (bssid, organization_id);
ALTER TABLE access_points_0 ADD CONSTRAINT access_points_0_pkey PRIMARY KEY (bssid, organization_id);
ALTER TABLE access_points_1 ADD CONSTRAINT access_points_1_pkey PRIMARY KEY (bssid, organization_id);
ALTER TABLE access_points_2 ADD CONSTRAINT access_points_2_pkey PRIMARY KEY (bssid, organization_id);
ALTER TABLE access_points_3 ADD CONSTRAINT access_points_3_pkey PRIMARY KEY (bssid, organization_id);
ALTER TABLE access_points_4 ADD CONSTRAINT access_points_4_pkey PRIMARY KEY (bssid, organization_id);
ALTER TABLE access_points_5 ADD CONSTRAINT access_points_5_pkey PRIMARY KEY (bssid, organization_id);
ALTER TABLE access_points_6 ADD CONSTRAINT access_points_6_pkey PRIMARY KEY (bssid, organization_id);
ALTER TABLE access_points_7 ADD CONSTRAINT access_points_7_pkey PRIMARY KEY (bssid, organization_id);
ALTER TABLE audit_handover ADD CONSTRAINT audit_handover_pkey PRIMARY KEY (id);
ALTER TABLE audit_log ADD CONSTRAINT audit_log_pkey PRIMARY KEY (id);
ALTER TABLE calibrations ADD CONSTRAINT calibrations_pkey PRIMARY KEY (organization_id);
ALTER TABLE cells ADD CONSTRAINT cells_pkey PRIMARY KEY (radio, mcc, mnc, area, cell, organization_id);
ALTER TABLE device_positions ADD CONSTRAINT device_positions_pkey PRIMARY KEY (project_id, device_serial, at, id);
ALTER TABLE device_scans ADD CONSTRAINT device_scans_pkey PRIMARY KEY (id);
ALTER TABLE forgotten_access_points ADD CONSTRAINT forgotten_access_points_pkey PRIMARY KEY (organization_id, bssid);
ALTER TABLE forgotten_areas ADD CONSTRAINT forgotten_areas_pkey PRIMARY KEY (id);
ALTER TABLE forgotten_cells ADD CONSTRAINT forgotten_cells_pkey PRIMARY KEY (organization_id, radio, mcc, mnc, area, cell);
ALTER TABLE import_batches ADD CONSTRAINT import_batches_pkey PRIMARY KEY (import_id, batch);
ALTER TABLE imports ADD CONSTRAINT imports_pkey PRIMARY KEY (id);
ALTER TABLE layers ADD CONSTRAINT layers_pkey PRIMARY KEY (organization_id);
ALTER TABLE ONLY learned_access_points ADD CONSTRAINT learned_access_points_pkey PRIMARY KEY (bssid, organization_id);
ALTER TABLE learned_access_points_0 ADD CONSTRAINT learned_access_points_0_pkey PRIMARY KEY (bssid, organization_id);
ALTER TABLE learned_access_points_1 ADD CONSTRAINT learned_access_points_1_pkey PRIMARY KEY (bssid, organization_id);
ALTER TABLE learned_access_points_2 ADD CONSTRAINT learned_access_points_2_pkey PRIMARY KEY (bssid, organization_id);
ALTER TABLE learned_access_points_3 ADD CONSTRAINT learned_access_points_3_pkey PRIMARY KEY (bssid, organization_id);
ALTER TABLE learned_access_points_4 ADD CONSTRAINT learned_access_points_4_pkey PRIMARY KEY (bssid, organization_id);
ALTER TABLE learned_access_points_5 ADD CONSTRAINT learned_access_points_5_pkey PRIMARY KEY (bssid, organization_id);
ALTER TABLE learned_access_points_6 ADD CONSTRAINT learned_access_points_6_pkey PRIMARY KEY (bssid, organization_id);
ALTER TABLE learned_access_points_7 ADD CONSTRAINT learned_access_points_7_pkey PRIMARY KEY (bssid, organization_id);
ALTER TABLE learned_cells ADD CONSTRAINT learned_cells_pkey PRIMARY KEY (organization_id, radio, mcc, mnc, area, cell);
ALTER TABLE location_fallbacks ADD CONSTRAINT location_fallbacks_pkey PRIMARY KEY (organization_id);
ALTER TABLE location_settings ADD CONSTRAINT location_settings_pkey PRIMARY KEY (organization_id);
ALTER TABLE observations ADD CONSTRAINT observations_pkey PRIMARY KEY (id);
ALTER TABLE outbox ADD CONSTRAINT outbox_pkey PRIMARY KEY (id);
ALTER TABLE position_policies ADD CONSTRAINT position_policies_pkey PRIMARY KEY (project_id, organization_id);
ALTER TABLE reference_scans ADD CONSTRAINT reference_scans_pkey PRIMARY KEY (project_id, cell, id);
ALTER TABLE reference_sets ADD CONSTRAINT reference_sets_pkey PRIMARY KEY (project_id);
ALTER TABLE suspect_messages ADD CONSTRAINT suspect_messages_pkey PRIMARY KEY (id);
CREATE INDEX device_positions_project_id_at_idx ON device_positions (project_id, at);
CREATE INDEX device_scans_received_at_idx ON device_scans (received_at);
CREATE INDEX forgotten_access_points_swept_at_idx ON forgotten_access_points (swept_at);
CREATE INDEX forgotten_areas_organization_id_idx ON forgotten_areas (organization_id);
CREATE INDEX forgotten_cells_swept_at_idx ON forgotten_cells (swept_at);
CREATE UNIQUE INDEX imports_organization_id_digest_content_key ON imports (organization_id, digest, content);
CREATE INDEX imports_state_id_idx ON imports (state, id);
CREATE INDEX observations_kept_idx ON observations (organization_id, received_at, id) WHERE (contribution IS NOT NULL);
CREATE INDEX observations_organization_id_received_at_idx ON observations (organization_id, received_at);
CREATE INDEX reference_scans_organization_id_received_at_idx ON reference_scans (organization_id, received_at);
CREATE INDEX reference_scans_project_id_organization_id_at_seconds_idx ON reference_scans (project_id, organization_id, at_seconds);
ALTER INDEX access_points_pkey ATTACH PARTITION access_points_0_pkey;
ALTER INDEX access_points_pkey ATTACH PARTITION access_points_1_pkey;
ALTER INDEX access_points_pkey ATTACH PARTITION access_points_2_pkey;
ALTER INDEX access_points_pkey ATTACH PARTITION access_points_3_pkey;
ALTER INDEX access_points_pkey ATTACH PARTITION access_points_4_pkey;
ALTER INDEX access_points_pkey ATTACH PARTITION access_points_5_pkey;
ALTER INDEX access_points_pkey ATTACH PARTITION access_points_6_pkey;
ALTER INDEX access_points_pkey ATTACH PARTITION access_points_7_pkey;
ALTER INDEX learned_access_points_pkey ATTACH PARTITION learned_access_points_0_pkey;
ALTER INDEX learned_access_points_pkey ATTACH PARTITION learned_access_points_1_pkey;
ALTER INDEX learned_access_points_pkey ATTACH PARTITION learned_access_points_2_pkey;
ALTER INDEX learned_access_points_pkey ATTACH PARTITION learned_access_points_3_pkey;
ALTER INDEX learned_access_points_pkey ATTACH PARTITION learned_access_points_4_pkey;
ALTER INDEX learned_access_points_pkey ATTACH PARTITION learned_access_points_5_pkey;
ALTER INDEX learned_access_points_pkey ATTACH PARTITION learned_access_points_6_pkey;
ALTER INDEX learned_access_points_pkey ATTACH PARTITION learned_access_points_7_pkey;
CREATE TRIGGER audit_log_handover AFTER INSERT ON audit_log FOR EACH ROW EXECUTE FUNCTION hand_over_audit();
ALTER TABLE import_batches ADD CONSTRAINT import_batches_import_id_fkey FOREIGN KEY (import_id) REFERENCES imports(id) ON UPDATE CASCADE ON DELETE CASCADE;

-- All tables of the location service. schema.prisma says what every column means.

CREATE FUNCTION count_erasure() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  NEW.version = OLD.version + 1;
  RETURN NEW;
END $$;

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

CREATE FUNCTION hand_over_audit() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'location'
    AS $$
BEGIN
    INSERT INTO audit_handover (id) VALUES (NEW.id);
    RETURN NULL;
END
$$;

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

CREATE FUNCTION record_layer_change() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'location'
    AS $$
BEGIN
    INSERT INTO layer_changes (transaction, organization_id, bssids, changed_at)
    VALUES (pg_current_xact_id()::text::bigint, coalesce(NEW.organization_id, OLD.organization_id), '{}', clock_timestamp());
    RETURN NULL;
END
$$;

CREATE FUNCTION record_learned_access_points() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'location'
    AS $$
BEGIN
    INSERT INTO layer_changes (transaction, organization_id, bssids, changed_at)
    SELECT pg_current_xact_id()::text::bigint, organization_id, array_agg(bssid), clock_timestamp()
    FROM arrived GROUP BY organization_id;
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
    CONSTRAINT access_points_bssid_usable CHECK (((bssid > 0) AND (bssid < '281474976710656'::bigint) AND ((bssid & '1099511627776'::bigint) = 0))),
    CONSTRAINT access_points_observations_some CHECK ((observations >= 1)),
    CONSTRAINT access_points_position_on_earth CHECK ((((lat >= ('-90'::integer)::double precision) AND (lat <= (90)::double precision)) AND ((lon >= ('-180'::integer)::double precision) AND (lon <= (180)::double precision)))),
    CONSTRAINT access_points_spread_finite CHECK (((spread >= (0)::double precision) AND (spread < 'Infinity'::double precision) AND (weight >= (0)::double precision) AND (weight < 'Infinity'::double precision)))
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
    CONSTRAINT access_points_bssid_usable CHECK (((bssid > 0) AND (bssid < '281474976710656'::bigint) AND ((bssid & '1099511627776'::bigint) = 0))),
    CONSTRAINT access_points_observations_some CHECK ((observations >= 1)),
    CONSTRAINT access_points_position_on_earth CHECK ((((lat >= ('-90'::integer)::double precision) AND (lat <= (90)::double precision)) AND ((lon >= ('-180'::integer)::double precision) AND (lon <= (180)::double precision)))),
    CONSTRAINT access_points_spread_finite CHECK (((spread >= (0)::double precision) AND (spread < 'Infinity'::double precision) AND (weight >= (0)::double precision) AND (weight < 'Infinity'::double precision)))
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
    CONSTRAINT access_points_bssid_usable CHECK (((bssid > 0) AND (bssid < '281474976710656'::bigint) AND ((bssid & '1099511627776'::bigint) = 0))),
    CONSTRAINT access_points_observations_some CHECK ((observations >= 1)),
    CONSTRAINT access_points_position_on_earth CHECK ((((lat >= ('-90'::integer)::double precision) AND (lat <= (90)::double precision)) AND ((lon >= ('-180'::integer)::double precision) AND (lon <= (180)::double precision)))),
    CONSTRAINT access_points_spread_finite CHECK (((spread >= (0)::double precision) AND (spread < 'Infinity'::double precision) AND (weight >= (0)::double precision) AND (weight < 'Infinity'::double precision)))
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
    CONSTRAINT access_points_bssid_usable CHECK (((bssid > 0) AND (bssid < '281474976710656'::bigint) AND ((bssid & '1099511627776'::bigint) = 0))),
    CONSTRAINT access_points_observations_some CHECK ((observations >= 1)),
    CONSTRAINT access_points_position_on_earth CHECK ((((lat >= ('-90'::integer)::double precision) AND (lat <= (90)::double precision)) AND ((lon >= ('-180'::integer)::double precision) AND (lon <= (180)::double precision)))),
    CONSTRAINT access_points_spread_finite CHECK (((spread >= (0)::double precision) AND (spread < 'Infinity'::double precision) AND (weight >= (0)::double precision) AND (weight < 'Infinity'::double precision)))
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
    CONSTRAINT access_points_bssid_usable CHECK (((bssid > 0) AND (bssid < '281474976710656'::bigint) AND ((bssid & '1099511627776'::bigint) = 0))),
    CONSTRAINT access_points_observations_some CHECK ((observations >= 1)),
    CONSTRAINT access_points_position_on_earth CHECK ((((lat >= ('-90'::integer)::double precision) AND (lat <= (90)::double precision)) AND ((lon >= ('-180'::integer)::double precision) AND (lon <= (180)::double precision)))),
    CONSTRAINT access_points_spread_finite CHECK (((spread >= (0)::double precision) AND (spread < 'Infinity'::double precision) AND (weight >= (0)::double precision) AND (weight < 'Infinity'::double precision)))
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
    CONSTRAINT access_points_bssid_usable CHECK (((bssid > 0) AND (bssid < '281474976710656'::bigint) AND ((bssid & '1099511627776'::bigint) = 0))),
    CONSTRAINT access_points_observations_some CHECK ((observations >= 1)),
    CONSTRAINT access_points_position_on_earth CHECK ((((lat >= ('-90'::integer)::double precision) AND (lat <= (90)::double precision)) AND ((lon >= ('-180'::integer)::double precision) AND (lon <= (180)::double precision)))),
    CONSTRAINT access_points_spread_finite CHECK (((spread >= (0)::double precision) AND (spread < 'Infinity'::double precision) AND (weight >= (0)::double precision) AND (weight < 'Infinity'::double precision)))
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
    CONSTRAINT access_points_bssid_usable CHECK (((bssid > 0) AND (bssid < '281474976710656'::bigint) AND ((bssid & '1099511627776'::bigint) = 0))),
    CONSTRAINT access_points_observations_some CHECK ((observations >= 1)),
    CONSTRAINT access_points_position_on_earth CHECK ((((lat >= ('-90'::integer)::double precision) AND (lat <= (90)::double precision)) AND ((lon >= ('-180'::integer)::double precision) AND (lon <= (180)::double precision)))),
    CONSTRAINT access_points_spread_finite CHECK (((spread >= (0)::double precision) AND (spread < 'Infinity'::double precision) AND (weight >= (0)::double precision) AND (weight < 'Infinity'::double precision)))
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
    CONSTRAINT access_points_bssid_usable CHECK (((bssid > 0) AND (bssid < '281474976710656'::bigint) AND ((bssid & '1099511627776'::bigint) = 0))),
    CONSTRAINT access_points_observations_some CHECK ((observations >= 1)),
    CONSTRAINT access_points_position_on_earth CHECK ((((lat >= ('-90'::integer)::double precision) AND (lat <= (90)::double precision)) AND ((lon >= ('-180'::integer)::double precision) AND (lon <= (180)::double precision)))),
    CONSTRAINT access_points_spread_finite CHECK (((spread >= (0)::double precision) AND (spread < 'Infinity'::double precision) AND (weight >= (0)::double precision) AND (weight < 'Infinity'::double precision)))
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
    CONSTRAINT access_points_bssid_usable CHECK (((bssid > 0) AND (bssid < '281474976710656'::bigint) AND ((bssid & '1099511627776'::bigint) = 0))),
    CONSTRAINT access_points_observations_some CHECK ((observations >= 1)),
    CONSTRAINT access_points_position_on_earth CHECK ((((lat >= ('-90'::integer)::double precision) AND (lat <= (90)::double precision)) AND ((lon >= ('-180'::integer)::double precision) AND (lon <= (180)::double precision)))),
    CONSTRAINT access_points_spread_finite CHECK (((spread >= (0)::double precision) AND (spread < 'Infinity'::double precision) AND (weight >= (0)::double precision) AND (weight < 'Infinity'::double precision)))
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
    details jsonb DEFAULT '{}'::jsonb NOT NULL
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
    CONSTRAINT cells_identity_in_range CHECK ((((mcc >= 1) AND (mcc <= 999)) AND ((mnc >= 0) AND (mnc <= 999)) AND ((area >= 0) AND (area <= 16777215)) AND ((cell >= 0) AND (cell <= '68719476735'::bigint)))),
    CONSTRAINT cells_position_on_earth CHECK ((((lat >= ('-90'::integer)::double precision) AND (lat <= (90)::double precision)) AND ((lon >= ('-180'::integer)::double precision) AND (lon <= (180)::double precision)))),
    CONSTRAINT cells_radio_known CHECK (((radio >= 2) AND (radio <= 5))),
    CONSTRAINT cells_range_finite CHECK (((range >= (0)::double precision) AND (range < 'Infinity'::double precision))),
    CONSTRAINT cells_samples_some CHECK ((samples >= 1))
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
    CONSTRAINT device_positions_confidence CHECK (((confidence >= (50)::double precision) AND (confidence <= (99)::double precision))),
    CONSTRAINT device_positions_fulfilled_with CHECK ((fulfilled_with = ANY (ARRAY['WIFI'::text, 'MCELL'::text, 'SCELL'::text]))),
    CONSTRAINT device_positions_on_earth CHECK ((((lat >= ('-90'::integer)::double precision) AND (lat <= (90)::double precision)) AND ((lon >= ('-180'::integer)::double precision) AND (lon <= (180)::double precision)))),
    CONSTRAINT device_positions_uncertainty_finite CHECK (((uncertainty >= (0)::double precision) AND (uncertainty < 'Infinity'::double precision)))
);

CREATE TABLE device_scans (
    id uuid NOT NULL,
    contribution bytea NOT NULL,
    received_at timestamp(3) with time zone NOT NULL,
    agreeing smallint DEFAULT 0 NOT NULL,
    elsewhere bytea,
    recent bytea
);
ALTER TABLE ONLY device_scans ALTER COLUMN contribution SET STORAGE EXTERNAL;

CREATE TABLE erased_tenants (
    organization_id uuid NOT NULL,
    project_id uuid NOT NULL,
    erased_at timestamp(3) with time zone NOT NULL,
    scanned text[] DEFAULT ARRAY[]::text[],
    scanned_blocks integer,
    scanned_to bigint[]
);

CREATE TABLE forgotten_access_points (
    organization_id uuid NOT NULL,
    bssid bigint NOT NULL,
    forgotten_at timestamp(3) with time zone NOT NULL,
    swept_at timestamp(3) with time zone,
    version integer DEFAULT 0 NOT NULL,
    CONSTRAINT forgotten_access_points_bssid_usable CHECK (((bssid > 0) AND (bssid < '281474976710656'::bigint) AND ((bssid & '1099511627776'::bigint) = 0)))
);

CREATE TABLE forgotten_areas (
    id uuid NOT NULL,
    organization_id uuid NOT NULL,
    lat double precision NOT NULL,
    lon double precision NOT NULL,
    radius double precision NOT NULL,
    forgotten_at timestamp(3) with time zone NOT NULL,
    swept_at timestamp(3) with time zone,
    CONSTRAINT forgotten_areas_on_earth CHECK ((((lat >= ('-90'::integer)::double precision) AND (lat <= (90)::double precision)) AND ((lon >= ('-180'::integer)::double precision) AND (lon <= (180)::double precision)) AND (radius > (0)::double precision) AND (radius <= (100000)::double precision)))
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
    version integer DEFAULT 0 NOT NULL,
    CONSTRAINT forgotten_cells_identity_in_range CHECK ((((mcc >= 1) AND (mcc <= 999)) AND ((mnc >= 0) AND (mnc <= 999)) AND ((area >= 0) AND (area <= 16777215)) AND ((cell >= 0) AND (cell <= '68719476735'::bigint)))),
    CONSTRAINT forgotten_cells_radio_known CHECK (((radio >= 2) AND (radio <= 5)))
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
    CONSTRAINT imports_committed_whole CHECK (((state = 'committed'::text) = ((added IS NOT NULL) AND (updated IS NOT NULL)))),
    CONSTRAINT imports_content_known CHECK ((content = ANY (ARRAY['observations'::text, 'positions'::text, 'cells'::text]))),
    CONSTRAINT imports_digest_format CHECK ((digest ~ '^[0-9a-f]{64}$'::text)),
    CONSTRAINT imports_failed_whole CHECK (((state = 'failed'::text) = (failure IS NOT NULL))),
    CONSTRAINT imports_state_known CHECK ((state = ANY (ARRAY['open'::text, 'committing'::text, 'committed'::text, 'failed'::text])))
);

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
    fallback boolean NOT NULL
);

CREATE TABLE layer_changes (
    id bigint NOT NULL,
    transaction bigint NOT NULL,
    organization_id uuid NOT NULL,
    bssids bigint[],
    changed_at timestamp(3) with time zone NOT NULL
);

CREATE SEQUENCE layer_changes_id_seq OWNED BY layer_changes.id;

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
    lat double precision,
    lon double precision,
    spread double precision,
    moves boolean,
    CONSTRAINT learned_access_points_bssid_usable CHECK (((bssid > 0) AND (bssid < '281474976710656'::bigint) AND ((bssid & '1099511627776'::bigint) = 0)))
)
PARTITION BY HASH (bssid);
ALTER TABLE ONLY learned_access_points ALTER COLUMN statistics SET STORAGE EXTERNAL;

CREATE TABLE learned_access_points_0 (
    bssid bigint NOT NULL,
    organization_id uuid NOT NULL,
    statistics bytea NOT NULL,
    updated_at timestamp(3) with time zone NOT NULL,
    lat double precision,
    lon double precision,
    spread double precision,
    moves boolean,
    CONSTRAINT learned_access_points_bssid_usable CHECK (((bssid > 0) AND (bssid < '281474976710656'::bigint) AND ((bssid & '1099511627776'::bigint) = 0)))
)
WITH (fillfactor='70');
ALTER TABLE ONLY learned_access_points_0 ALTER COLUMN statistics SET STORAGE EXTERNAL;

CREATE TABLE learned_access_points_1 (
    bssid bigint NOT NULL,
    organization_id uuid NOT NULL,
    statistics bytea NOT NULL,
    updated_at timestamp(3) with time zone NOT NULL,
    lat double precision,
    lon double precision,
    spread double precision,
    moves boolean,
    CONSTRAINT learned_access_points_bssid_usable CHECK (((bssid > 0) AND (bssid < '281474976710656'::bigint) AND ((bssid & '1099511627776'::bigint) = 0)))
)
WITH (fillfactor='70');
ALTER TABLE ONLY learned_access_points_1 ALTER COLUMN statistics SET STORAGE EXTERNAL;

CREATE TABLE learned_access_points_2 (
    bssid bigint NOT NULL,
    organization_id uuid NOT NULL,
    statistics bytea NOT NULL,
    updated_at timestamp(3) with time zone NOT NULL,
    lat double precision,
    lon double precision,
    spread double precision,
    moves boolean,
    CONSTRAINT learned_access_points_bssid_usable CHECK (((bssid > 0) AND (bssid < '281474976710656'::bigint) AND ((bssid & '1099511627776'::bigint) = 0)))
)
WITH (fillfactor='70');
ALTER TABLE ONLY learned_access_points_2 ALTER COLUMN statistics SET STORAGE EXTERNAL;

CREATE TABLE learned_access_points_3 (
    bssid bigint NOT NULL,
    organization_id uuid NOT NULL,
    statistics bytea NOT NULL,
    updated_at timestamp(3) with time zone NOT NULL,
    lat double precision,
    lon double precision,
    spread double precision,
    moves boolean,
    CONSTRAINT learned_access_points_bssid_usable CHECK (((bssid > 0) AND (bssid < '281474976710656'::bigint) AND ((bssid & '1099511627776'::bigint) = 0)))
)
WITH (fillfactor='70');
ALTER TABLE ONLY learned_access_points_3 ALTER COLUMN statistics SET STORAGE EXTERNAL;

CREATE TABLE learned_access_points_4 (
    bssid bigint NOT NULL,
    organization_id uuid NOT NULL,
    statistics bytea NOT NULL,
    updated_at timestamp(3) with time zone NOT NULL,
    lat double precision,
    lon double precision,
    spread double precision,
    moves boolean,
    CONSTRAINT learned_access_points_bssid_usable CHECK (((bssid > 0) AND (bssid < '281474976710656'::bigint) AND ((bssid & '1099511627776'::bigint) = 0)))
)
WITH (fillfactor='70');
ALTER TABLE ONLY learned_access_points_4 ALTER COLUMN statistics SET STORAGE EXTERNAL;

CREATE TABLE learned_access_points_5 (
    bssid bigint NOT NULL,
    organization_id uuid NOT NULL,
    statistics bytea NOT NULL,
    updated_at timestamp(3) with time zone NOT NULL,
    lat double precision,
    lon double precision,
    spread double precision,
    moves boolean,
    CONSTRAINT learned_access_points_bssid_usable CHECK (((bssid > 0) AND (bssid < '281474976710656'::bigint) AND ((bssid & '1099511627776'::bigint) = 0)))
)
WITH (fillfactor='70');
ALTER TABLE ONLY learned_access_points_5 ALTER COLUMN statistics SET STORAGE EXTERNAL;

CREATE TABLE learned_access_points_6 (
    bssid bigint NOT NULL,
    organization_id uuid NOT NULL,
    statistics bytea NOT NULL,
    updated_at timestamp(3) with time zone NOT NULL,
    lat double precision,
    lon double precision,
    spread double precision,
    moves boolean,
    CONSTRAINT learned_access_points_bssid_usable CHECK (((bssid > 0) AND (bssid < '281474976710656'::bigint) AND ((bssid & '1099511627776'::bigint) = 0)))
)
WITH (fillfactor='70');
ALTER TABLE ONLY learned_access_points_6 ALTER COLUMN statistics SET STORAGE EXTERNAL;

CREATE TABLE learned_access_points_7 (
    bssid bigint NOT NULL,
    organization_id uuid NOT NULL,
    statistics bytea NOT NULL,
    updated_at timestamp(3) with time zone NOT NULL,
    lat double precision,
    lon double precision,
    spread double precision,
    moves boolean,
    CONSTRAINT learned_access_points_bssid_usable CHECK (((bssid > 0) AND (bssid < '281474976710656'::bigint) AND ((bssid & '1099511627776'::bigint) = 0)))
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
    CONSTRAINT learned_cells_identity_in_range CHECK ((((mcc >= 1) AND (mcc <= 999)) AND ((mnc >= 0) AND (mnc <= 999)) AND ((area >= 0) AND (area <= 16777215)) AND ((cell >= 0) AND (cell <= '68719476735'::bigint)))),
    CONSTRAINT learned_cells_radio_known CHECK (((radio >= 2) AND (radio <= 5)))
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
    CONSTRAINT location_fallbacks_confidence CHECK (((accuracy_confidence >= (50)::double precision) AND (accuracy_confidence <= (99)::double precision))),
    CONSTRAINT location_fallbacks_key CHECK (((key_box IS NULL) = (key_id IS NULL))),
    CONSTRAINT location_fallbacks_key_as CHECK ((key_as = ANY (ARRAY['query'::text, 'bearer'::text]))),
    CONSTRAINT location_fallbacks_rate CHECK (((requests_per_minute >= 1) AND (requests_per_minute <= 60000))),
    CONSTRAINT location_fallbacks_timeout CHECK (((timeout_ms >= 100) AND (timeout_ms <= 3000)))
);

CREATE TABLE location_settings (
    organization_id uuid NOT NULL,
    retention_days integer DEFAULT 365 NOT NULL,
    updated_at timestamp(3) with time zone NOT NULL,
    CONSTRAINT location_settings_retention CHECK (((retention_days >= 0) AND (retention_days <= 3650)))
);

CREATE TABLE lookup_usage (
    organization_id uuid NOT NULL,
    day date NOT NULL,
    outcome text NOT NULL,
    count bigint NOT NULL
);

CREATE TABLE network_evidence (
    id uuid NOT NULL,
    seen_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE observations (
    id uuid NOT NULL,
    organization_id uuid NOT NULL,
    project_id uuid NOT NULL,
    received_at timestamp(3) with time zone NOT NULL,
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
    CONSTRAINT position_policies_retention CHECK (((retention_days >= 1) AND (retention_days <= 3650)))
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

ALTER TABLE ONLY layer_changes ALTER COLUMN id SET DEFAULT nextval('location.layer_changes_id_seq'::regclass);

ALTER TABLE ONLY access_points
    ADD CONSTRAINT access_points_pkey PRIMARY KEY (bssid, organization_id);

ALTER TABLE ONLY access_points_0
    ADD CONSTRAINT access_points_0_pkey PRIMARY KEY (bssid, organization_id);

ALTER TABLE ONLY access_points_1
    ADD CONSTRAINT access_points_1_pkey PRIMARY KEY (bssid, organization_id);

ALTER TABLE ONLY access_points_2
    ADD CONSTRAINT access_points_2_pkey PRIMARY KEY (bssid, organization_id);

ALTER TABLE ONLY access_points_3
    ADD CONSTRAINT access_points_3_pkey PRIMARY KEY (bssid, organization_id);

ALTER TABLE ONLY access_points_4
    ADD CONSTRAINT access_points_4_pkey PRIMARY KEY (bssid, organization_id);

ALTER TABLE ONLY access_points_5
    ADD CONSTRAINT access_points_5_pkey PRIMARY KEY (bssid, organization_id);

ALTER TABLE ONLY access_points_6
    ADD CONSTRAINT access_points_6_pkey PRIMARY KEY (bssid, organization_id);

ALTER TABLE ONLY access_points_7
    ADD CONSTRAINT access_points_7_pkey PRIMARY KEY (bssid, organization_id);

ALTER TABLE ONLY audit_handover
    ADD CONSTRAINT audit_handover_pkey PRIMARY KEY (id);

ALTER TABLE ONLY audit_log
    ADD CONSTRAINT audit_log_pkey PRIMARY KEY (id);

ALTER TABLE ONLY cells
    ADD CONSTRAINT cells_pkey PRIMARY KEY (radio, mcc, mnc, area, cell, organization_id);

ALTER TABLE ONLY device_positions
    ADD CONSTRAINT device_positions_pkey PRIMARY KEY (project_id, device_serial, at, id);

ALTER TABLE ONLY device_scans
    ADD CONSTRAINT device_scans_pkey PRIMARY KEY (id);

ALTER TABLE ONLY erased_tenants
    ADD CONSTRAINT erased_tenants_pkey PRIMARY KEY (organization_id, project_id);

ALTER TABLE ONLY forgotten_access_points
    ADD CONSTRAINT forgotten_access_points_pkey PRIMARY KEY (organization_id, bssid);

ALTER TABLE ONLY forgotten_areas
    ADD CONSTRAINT forgotten_areas_pkey PRIMARY KEY (id);

ALTER TABLE ONLY forgotten_cells
    ADD CONSTRAINT forgotten_cells_pkey PRIMARY KEY (organization_id, radio, mcc, mnc, area, cell);

ALTER TABLE ONLY import_batches
    ADD CONSTRAINT import_batches_pkey PRIMARY KEY (import_id, batch);

ALTER TABLE ONLY imports
    ADD CONSTRAINT imports_pkey PRIMARY KEY (id);

ALTER TABLE ONLY latest_positions
    ADD CONSTRAINT latest_positions_pkey PRIMARY KEY (project_id, device_serial);

ALTER TABLE ONLY layer_changes
    ADD CONSTRAINT layer_changes_pkey PRIMARY KEY (id);

ALTER TABLE ONLY layers
    ADD CONSTRAINT layers_pkey PRIMARY KEY (organization_id);

ALTER TABLE ONLY learned_access_points
    ADD CONSTRAINT learned_access_points_pkey PRIMARY KEY (bssid, organization_id);

ALTER TABLE ONLY learned_access_points_0
    ADD CONSTRAINT learned_access_points_0_pkey PRIMARY KEY (bssid, organization_id);

ALTER TABLE ONLY learned_access_points_1
    ADD CONSTRAINT learned_access_points_1_pkey PRIMARY KEY (bssid, organization_id);

ALTER TABLE ONLY learned_access_points_2
    ADD CONSTRAINT learned_access_points_2_pkey PRIMARY KEY (bssid, organization_id);

ALTER TABLE ONLY learned_access_points_3
    ADD CONSTRAINT learned_access_points_3_pkey PRIMARY KEY (bssid, organization_id);

ALTER TABLE ONLY learned_access_points_4
    ADD CONSTRAINT learned_access_points_4_pkey PRIMARY KEY (bssid, organization_id);

ALTER TABLE ONLY learned_access_points_5
    ADD CONSTRAINT learned_access_points_5_pkey PRIMARY KEY (bssid, organization_id);

ALTER TABLE ONLY learned_access_points_6
    ADD CONSTRAINT learned_access_points_6_pkey PRIMARY KEY (bssid, organization_id);

ALTER TABLE ONLY learned_access_points_7
    ADD CONSTRAINT learned_access_points_7_pkey PRIMARY KEY (bssid, organization_id);

ALTER TABLE ONLY learned_cells
    ADD CONSTRAINT learned_cells_pkey PRIMARY KEY (organization_id, radio, mcc, mnc, area, cell);

ALTER TABLE ONLY location_fallbacks
    ADD CONSTRAINT location_fallbacks_pkey PRIMARY KEY (organization_id);

ALTER TABLE ONLY location_settings
    ADD CONSTRAINT location_settings_pkey PRIMARY KEY (organization_id);

ALTER TABLE ONLY lookup_usage
    ADD CONSTRAINT lookup_usage_pkey PRIMARY KEY (organization_id, day, outcome);

ALTER TABLE ONLY network_evidence
    ADD CONSTRAINT network_evidence_pkey PRIMARY KEY (id);

ALTER TABLE ONLY observations
    ADD CONSTRAINT observations_pkey PRIMARY KEY (id);

ALTER TABLE ONLY outbox
    ADD CONSTRAINT outbox_pkey PRIMARY KEY (id);

ALTER TABLE ONLY position_policies
    ADD CONSTRAINT position_policies_pkey PRIMARY KEY (project_id, organization_id);

ALTER TABLE ONLY reference_scans
    ADD CONSTRAINT reference_scans_pkey PRIMARY KEY (project_id, cell, id);

ALTER TABLE ONLY reference_sets
    ADD CONSTRAINT reference_sets_pkey PRIMARY KEY (project_id);

ALTER TABLE ONLY suspect_messages
    ADD CONSTRAINT suspect_messages_pkey PRIMARY KEY (id);

CREATE INDEX access_points_place_idx ON ONLY access_points USING btree (organization_id, ((((bssid % (61)::bigint) = 0))::integer), ((floor((lat * (64)::double precision)))::integer), ((floor((lon * (64)::double precision)))::integer));

CREATE INDEX access_points_0_organization_id_int4_floor_floor1_idx ON access_points_0 USING btree (organization_id, ((((bssid % (61)::bigint) = 0))::integer), ((floor((lat * (64)::double precision)))::integer), ((floor((lon * (64)::double precision)))::integer));

CREATE INDEX access_points_1_organization_id_int4_floor_floor1_idx ON access_points_1 USING btree (organization_id, ((((bssid % (61)::bigint) = 0))::integer), ((floor((lat * (64)::double precision)))::integer), ((floor((lon * (64)::double precision)))::integer));

CREATE INDEX access_points_2_organization_id_int4_floor_floor1_idx ON access_points_2 USING btree (organization_id, ((((bssid % (61)::bigint) = 0))::integer), ((floor((lat * (64)::double precision)))::integer), ((floor((lon * (64)::double precision)))::integer));

CREATE INDEX access_points_3_organization_id_int4_floor_floor1_idx ON access_points_3 USING btree (organization_id, ((((bssid % (61)::bigint) = 0))::integer), ((floor((lat * (64)::double precision)))::integer), ((floor((lon * (64)::double precision)))::integer));

CREATE INDEX access_points_4_organization_id_int4_floor_floor1_idx ON access_points_4 USING btree (organization_id, ((((bssid % (61)::bigint) = 0))::integer), ((floor((lat * (64)::double precision)))::integer), ((floor((lon * (64)::double precision)))::integer));

CREATE INDEX access_points_5_organization_id_int4_floor_floor1_idx ON access_points_5 USING btree (organization_id, ((((bssid % (61)::bigint) = 0))::integer), ((floor((lat * (64)::double precision)))::integer), ((floor((lon * (64)::double precision)))::integer));

CREATE INDEX access_points_6_organization_id_int4_floor_floor1_idx ON access_points_6 USING btree (organization_id, ((((bssid % (61)::bigint) = 0))::integer), ((floor((lat * (64)::double precision)))::integer), ((floor((lon * (64)::double precision)))::integer));

CREATE INDEX access_points_7_organization_id_int4_floor_floor1_idx ON access_points_7 USING btree (organization_id, ((((bssid % (61)::bigint) = 0))::integer), ((floor((lat * (64)::double precision)))::integer), ((floor((lon * (64)::double precision)))::integer));

CREATE INDEX device_positions_project_id_at_idx ON device_positions USING btree (project_id, at);

CREATE INDEX device_scans_received_at_idx ON device_scans USING btree (received_at);

CREATE INDEX forgotten_access_points_swept_at_idx ON forgotten_access_points USING btree (swept_at);

CREATE INDEX forgotten_areas_organization_id_idx ON forgotten_areas USING btree (organization_id);

CREATE INDEX forgotten_cells_swept_at_idx ON forgotten_cells USING btree (swept_at);

CREATE UNIQUE INDEX imports_organization_id_digest_content_key ON imports USING btree (organization_id, digest, content);

CREATE INDEX imports_organization_id_id_idx ON imports USING btree (organization_id, id);

CREATE INDEX imports_state_id_idx ON imports USING btree (state, id);

CREATE INDEX latest_positions_project_id_at_idx ON latest_positions USING btree (project_id, at);

CREATE INDEX latest_positions_project_id_lat_lon_idx ON latest_positions USING btree (project_id, lat, lon);

CREATE INDEX layer_changes_changed_at_idx ON layer_changes USING btree (changed_at);

CREATE INDEX layer_changes_transaction_idx ON layer_changes USING btree (transaction);

CREATE INDEX learned_access_points_place_idx ON ONLY learned_access_points USING btree (organization_id, ((((bssid % (61)::bigint) = 0))::integer), ((floor((lat * (64)::double precision)))::integer), ((floor((lon * (64)::double precision)))::integer)) WHERE (lat IS NOT NULL);

CREATE INDEX learned_access_points_0_organization_id_int4_floor_floor1_idx ON learned_access_points_0 USING btree (organization_id, ((((bssid % (61)::bigint) = 0))::integer), ((floor((lat * (64)::double precision)))::integer), ((floor((lon * (64)::double precision)))::integer)) WHERE (lat IS NOT NULL);

CREATE INDEX learned_access_points_1_organization_id_int4_floor_floor1_idx ON learned_access_points_1 USING btree (organization_id, ((((bssid % (61)::bigint) = 0))::integer), ((floor((lat * (64)::double precision)))::integer), ((floor((lon * (64)::double precision)))::integer)) WHERE (lat IS NOT NULL);

CREATE INDEX learned_access_points_2_organization_id_int4_floor_floor1_idx ON learned_access_points_2 USING btree (organization_id, ((((bssid % (61)::bigint) = 0))::integer), ((floor((lat * (64)::double precision)))::integer), ((floor((lon * (64)::double precision)))::integer)) WHERE (lat IS NOT NULL);

CREATE INDEX learned_access_points_3_organization_id_int4_floor_floor1_idx ON learned_access_points_3 USING btree (organization_id, ((((bssid % (61)::bigint) = 0))::integer), ((floor((lat * (64)::double precision)))::integer), ((floor((lon * (64)::double precision)))::integer)) WHERE (lat IS NOT NULL);

CREATE INDEX learned_access_points_4_organization_id_int4_floor_floor1_idx ON learned_access_points_4 USING btree (organization_id, ((((bssid % (61)::bigint) = 0))::integer), ((floor((lat * (64)::double precision)))::integer), ((floor((lon * (64)::double precision)))::integer)) WHERE (lat IS NOT NULL);

CREATE INDEX learned_access_points_5_organization_id_int4_floor_floor1_idx ON learned_access_points_5 USING btree (organization_id, ((((bssid % (61)::bigint) = 0))::integer), ((floor((lat * (64)::double precision)))::integer), ((floor((lon * (64)::double precision)))::integer)) WHERE (lat IS NOT NULL);

CREATE INDEX learned_access_points_6_organization_id_int4_floor_floor1_idx ON learned_access_points_6 USING btree (organization_id, ((((bssid % (61)::bigint) = 0))::integer), ((floor((lat * (64)::double precision)))::integer), ((floor((lon * (64)::double precision)))::integer)) WHERE (lat IS NOT NULL);

CREATE INDEX learned_access_points_7_organization_id_int4_floor_floor1_idx ON learned_access_points_7 USING btree (organization_id, ((((bssid % (61)::bigint) = 0))::integer), ((floor((lat * (64)::double precision)))::integer), ((floor((lon * (64)::double precision)))::integer)) WHERE (lat IS NOT NULL);

CREATE INDEX lookup_usage_day_idx ON lookup_usage USING btree (day);

CREATE INDEX network_evidence_seen_at_idx ON network_evidence USING btree (seen_at);

CREATE INDEX observations_kept_idx ON observations USING btree (organization_id, received_at, id) WHERE (contribution IS NOT NULL);

CREATE INDEX observations_organization_id_received_at_idx ON observations USING btree (organization_id, received_at);

CREATE INDEX reference_scans_organization_id_received_at_idx ON reference_scans USING btree (organization_id, received_at);

CREATE INDEX reference_scans_project_id_organization_id_at_seconds_idx ON reference_scans USING btree (project_id, organization_id, at_seconds);

ALTER INDEX access_points_place_idx ATTACH PARTITION access_points_0_organization_id_int4_floor_floor1_idx;

ALTER INDEX access_points_pkey ATTACH PARTITION access_points_0_pkey;

ALTER INDEX access_points_place_idx ATTACH PARTITION access_points_1_organization_id_int4_floor_floor1_idx;

ALTER INDEX access_points_pkey ATTACH PARTITION access_points_1_pkey;

ALTER INDEX access_points_place_idx ATTACH PARTITION access_points_2_organization_id_int4_floor_floor1_idx;

ALTER INDEX access_points_pkey ATTACH PARTITION access_points_2_pkey;

ALTER INDEX access_points_place_idx ATTACH PARTITION access_points_3_organization_id_int4_floor_floor1_idx;

ALTER INDEX access_points_pkey ATTACH PARTITION access_points_3_pkey;

ALTER INDEX access_points_place_idx ATTACH PARTITION access_points_4_organization_id_int4_floor_floor1_idx;

ALTER INDEX access_points_pkey ATTACH PARTITION access_points_4_pkey;

ALTER INDEX access_points_place_idx ATTACH PARTITION access_points_5_organization_id_int4_floor_floor1_idx;

ALTER INDEX access_points_pkey ATTACH PARTITION access_points_5_pkey;

ALTER INDEX access_points_place_idx ATTACH PARTITION access_points_6_organization_id_int4_floor_floor1_idx;

ALTER INDEX access_points_pkey ATTACH PARTITION access_points_6_pkey;

ALTER INDEX access_points_place_idx ATTACH PARTITION access_points_7_organization_id_int4_floor_floor1_idx;

ALTER INDEX access_points_pkey ATTACH PARTITION access_points_7_pkey;

ALTER INDEX learned_access_points_place_idx ATTACH PARTITION learned_access_points_0_organization_id_int4_floor_floor1_idx;

ALTER INDEX learned_access_points_pkey ATTACH PARTITION learned_access_points_0_pkey;

ALTER INDEX learned_access_points_place_idx ATTACH PARTITION learned_access_points_1_organization_id_int4_floor_floor1_idx;

ALTER INDEX learned_access_points_pkey ATTACH PARTITION learned_access_points_1_pkey;

ALTER INDEX learned_access_points_place_idx ATTACH PARTITION learned_access_points_2_organization_id_int4_floor_floor1_idx;

ALTER INDEX learned_access_points_pkey ATTACH PARTITION learned_access_points_2_pkey;

ALTER INDEX learned_access_points_place_idx ATTACH PARTITION learned_access_points_3_organization_id_int4_floor_floor1_idx;

ALTER INDEX learned_access_points_pkey ATTACH PARTITION learned_access_points_3_pkey;

ALTER INDEX learned_access_points_place_idx ATTACH PARTITION learned_access_points_4_organization_id_int4_floor_floor1_idx;

ALTER INDEX learned_access_points_pkey ATTACH PARTITION learned_access_points_4_pkey;

ALTER INDEX learned_access_points_place_idx ATTACH PARTITION learned_access_points_5_organization_id_int4_floor_floor1_idx;

ALTER INDEX learned_access_points_pkey ATTACH PARTITION learned_access_points_5_pkey;

ALTER INDEX learned_access_points_place_idx ATTACH PARTITION learned_access_points_6_organization_id_int4_floor_floor1_idx;

ALTER INDEX learned_access_points_pkey ATTACH PARTITION learned_access_points_6_pkey;

ALTER INDEX learned_access_points_place_idx ATTACH PARTITION learned_access_points_7_organization_id_int4_floor_floor1_idx;

ALTER INDEX learned_access_points_pkey ATTACH PARTITION learned_access_points_7_pkey;

CREATE TRIGGER audit_log_handover AFTER INSERT ON audit_log FOR EACH ROW EXECUTE FUNCTION hand_over_audit();

CREATE TRIGGER count_erasure BEFORE UPDATE OF swept_at ON forgotten_access_points FOR EACH ROW WHEN ((new.swept_at IS NULL)) EXECUTE FUNCTION count_erasure();

CREATE TRIGGER count_erasure BEFORE UPDATE OF swept_at ON forgotten_cells FOR EACH ROW WHEN ((new.swept_at IS NULL)) EXECUTE FUNCTION count_erasure();

CREATE TRIGGER latest_of_deleted AFTER DELETE ON device_positions REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION delete_latest_positions();

CREATE TRIGGER latest_of_inserted AFTER INSERT ON device_positions REFERENCING NEW TABLE AS arrived FOR EACH STATEMENT EXECUTE FUNCTION keep_latest_positions();

CREATE TRIGGER latest_of_moved_from AFTER UPDATE ON device_positions REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION delete_latest_positions();

CREATE TRIGGER latest_of_moved_to AFTER UPDATE ON device_positions REFERENCING NEW TABLE AS arrived FOR EACH STATEMENT EXECUTE FUNCTION keep_latest_positions();

CREATE TRIGGER record_change AFTER DELETE OR UPDATE ON layers FOR EACH ROW EXECUTE FUNCTION record_layer_change();

CREATE TRIGGER record_learned AFTER INSERT ON learned_access_points REFERENCING NEW TABLE AS arrived FOR EACH STATEMENT EXECUTE FUNCTION record_learned_access_points();

ALTER TABLE ONLY import_batches
    ADD CONSTRAINT import_batches_import_id_fkey FOREIGN KEY (import_id) REFERENCES imports(id) ON UPDATE CASCADE ON DELETE CASCADE;

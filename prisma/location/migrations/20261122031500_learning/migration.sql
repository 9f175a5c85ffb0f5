-- What every column means: prisma/location/schema.prisma.

-- The tables that are keyed by addresses are partitioned by a hash of them, so that they can be spread over disks or servers.
-- The rows move once: about 20 s for a million.
ALTER TABLE "access_points" RENAME TO "access_points_whole";
ALTER TABLE "access_points_whole" RENAME CONSTRAINT "access_points_pkey" TO "access_points_whole_pkey";
CREATE TABLE "access_points" (
    "bssid" BIGINT NOT NULL,
    "organization_id" UUID NOT NULL,
    "lat" DOUBLE PRECISION NOT NULL,
    "lon" DOUBLE PRECISION NOT NULL,
    "spread" DOUBLE PRECISION NOT NULL,
    "weight" DOUBLE PRECISION NOT NULL,
    "observations" INTEGER NOT NULL,
    "declared" BOOLEAN NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "access_points_pkey" PRIMARY KEY ("bssid", "organization_id"),
    -- Not zero, 48 bits, and the lowest bit of the first octet (group address) clear.
    CONSTRAINT "access_points_bssid_usable" CHECK ("bssid" > 0 AND "bssid" < 281474976710656 AND "bssid" & 1099511627776 = 0),
    -- Written so that NaN, which Postgres holds to be the largest number, is refused as well.
    CONSTRAINT "access_points_position_on_earth" CHECK ("lat" BETWEEN -90 AND 90 AND "lon" BETWEEN -180 AND 180),
    CONSTRAINT "access_points_spread_finite" CHECK ("spread" >= 0 AND "spread" < 'Infinity' AND "weight" >= 0 AND "weight" < 'Infinity'),
    CONSTRAINT "access_points_observations_some" CHECK ("observations" >= 1)
) PARTITION BY HASH ("bssid");
CREATE TABLE "access_points_0" PARTITION OF "access_points" FOR VALUES WITH (MODULUS 8, REMAINDER 0);
CREATE TABLE "access_points_1" PARTITION OF "access_points" FOR VALUES WITH (MODULUS 8, REMAINDER 1);
CREATE TABLE "access_points_2" PARTITION OF "access_points" FOR VALUES WITH (MODULUS 8, REMAINDER 2);
CREATE TABLE "access_points_3" PARTITION OF "access_points" FOR VALUES WITH (MODULUS 8, REMAINDER 3);
CREATE TABLE "access_points_4" PARTITION OF "access_points" FOR VALUES WITH (MODULUS 8, REMAINDER 4);
CREATE TABLE "access_points_5" PARTITION OF "access_points" FOR VALUES WITH (MODULUS 8, REMAINDER 5);
CREATE TABLE "access_points_6" PARTITION OF "access_points" FOR VALUES WITH (MODULUS 8, REMAINDER 6);
CREATE TABLE "access_points_7" PARTITION OF "access_points" FOR VALUES WITH (MODULUS 8, REMAINDER 7);
INSERT INTO "access_points" SELECT * FROM "access_points_whole";
DROP TABLE "access_points_whole";

CREATE TABLE "learned_access_points" (
    "bssid" BIGINT NOT NULL,
    "organization_id" UUID NOT NULL,
    "statistics" BYTEA NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "learned_access_points_pkey" PRIMARY KEY ("bssid", "organization_id"),
    CONSTRAINT "learned_access_points_bssid_usable" CHECK ("bssid" > 0 AND "bssid" < 281474976710656 AND "bssid" & 1099511627776 = 0)
) PARTITION BY HASH ("bssid");
-- They are dense already: compressing them would cost more than it saves.
ALTER TABLE "learned_access_points" ALTER COLUMN "statistics" SET STORAGE EXTERNAL;
-- Rows are changed again and again; with room in their page the index stays as it is.
CREATE TABLE "learned_access_points_0" PARTITION OF "learned_access_points" FOR VALUES WITH (MODULUS 8, REMAINDER 0) WITH (fillfactor = 70);
CREATE TABLE "learned_access_points_1" PARTITION OF "learned_access_points" FOR VALUES WITH (MODULUS 8, REMAINDER 1) WITH (fillfactor = 70);
CREATE TABLE "learned_access_points_2" PARTITION OF "learned_access_points" FOR VALUES WITH (MODULUS 8, REMAINDER 2) WITH (fillfactor = 70);
CREATE TABLE "learned_access_points_3" PARTITION OF "learned_access_points" FOR VALUES WITH (MODULUS 8, REMAINDER 3) WITH (fillfactor = 70);
CREATE TABLE "learned_access_points_4" PARTITION OF "learned_access_points" FOR VALUES WITH (MODULUS 8, REMAINDER 4) WITH (fillfactor = 70);
CREATE TABLE "learned_access_points_5" PARTITION OF "learned_access_points" FOR VALUES WITH (MODULUS 8, REMAINDER 5) WITH (fillfactor = 70);
CREATE TABLE "learned_access_points_6" PARTITION OF "learned_access_points" FOR VALUES WITH (MODULUS 8, REMAINDER 6) WITH (fillfactor = 70);
CREATE TABLE "learned_access_points_7" PARTITION OF "learned_access_points" FOR VALUES WITH (MODULUS 8, REMAINDER 7) WITH (fillfactor = 70);

CREATE TABLE "observations" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "project_id" UUID NOT NULL,
    "received_at" TIMESTAMPTZ(3) NOT NULL,
    "shared" BOOLEAN NOT NULL,
    "refusal" TEXT,
    "contribution" BYTEA,
    CONSTRAINT "observations_pkey" PRIMARY KEY ("id")
);
ALTER TABLE "observations" ALTER COLUMN "contribution" SET STORAGE EXTERNAL;
CREATE INDEX "observations_organization_id_received_at_idx" ON "observations"("organization_id", "received_at");

CREATE TABLE "reference_scans" (
    "project_id" UUID NOT NULL,
    "cell" BIGINT NOT NULL,
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "at_seconds" DOUBLE PRECISION NOT NULL,
    "lat" DOUBLE PRECISION NOT NULL,
    "lon" DOUBLE PRECISION NOT NULL,
    "accuracy" DOUBLE PRECISION NOT NULL,
    "readings" BYTEA NOT NULL,
    CONSTRAINT "reference_scans_pkey" PRIMARY KEY ("project_id", "cell", "id")
);
ALTER TABLE "reference_scans" ALTER COLUMN "readings" SET STORAGE EXTERNAL;

CREATE TABLE "reference_sets" (
    "project_id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "version" BIGINT NOT NULL,
    CONSTRAINT "reference_sets_pkey" PRIMARY KEY ("project_id")
);

CREATE TABLE "device_scans" (
    "id" UUID NOT NULL,
    "contribution" BYTEA NOT NULL,
    "received_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "device_scans_pkey" PRIMARY KEY ("id")
);
ALTER TABLE "device_scans" ALTER COLUMN "contribution" SET STORAGE EXTERNAL;
CREATE INDEX "device_scans_received_at_idx" ON "device_scans"("received_at");

CREATE TABLE "outcomes" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "features" DOUBLE PRECISION[],
    "error_meters" DOUBLE PRECISION NOT NULL,
    "received_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "outcomes_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "outcomes_error_finite" CHECK ("error_meters" >= 0 AND "error_meters" < 'Infinity')
);
CREATE INDEX "outcomes_organization_id_received_at_idx" ON "outcomes"("organization_id", "received_at");

CREATE TABLE "calibrations" (
    "organization_id" UUID NOT NULL,
    "p68" DOUBLE PRECISION[],
    "p95" DOUBLE PRECISION[],
    "outcomes" INTEGER NOT NULL,
    "fitted_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "calibrations_pkey" PRIMARY KEY ("organization_id")
);

CREATE TABLE "location_settings" (
    "organization_id" UUID NOT NULL,
    "share_observations" BOOLEAN NOT NULL DEFAULT false,
    "retention_days" INTEGER NOT NULL DEFAULT 365,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "location_settings_pkey" PRIMARY KEY ("organization_id"),
    CONSTRAINT "location_settings_retention" CHECK ("retention_days" BETWEEN 0 AND 3650)
);

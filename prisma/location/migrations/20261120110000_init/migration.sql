-- What every column means: prisma/location/schema.prisma.

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
);

CREATE TABLE "layers" (
    "organization_id" UUID NOT NULL,
    "access_points" BIGINT NOT NULL,
    "observations" BIGINT NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "layers_pkey" PRIMARY KEY ("organization_id")
);

CREATE TABLE "imports" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "content" TEXT NOT NULL,
    "digest" CHAR(64) NOT NULL,
    "state" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "batches" INTEGER NOT NULL DEFAULT 0,
    "rows" BIGINT NOT NULL DEFAULT 0,
    "added" BIGINT,
    "updated" BIGINT,
    "failure" TEXT,
    "commit_request_id" TEXT,
    "ended_at" TIMESTAMPTZ(3),
    CONSTRAINT "imports_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "imports_content_known" CHECK ("content" IN ('observations', 'positions')),
    CONSTRAINT "imports_digest_format" CHECK ("digest" ~ '^[0-9a-f]{64}$'),
    CONSTRAINT "imports_state_known" CHECK ("state" IN ('open', 'committing', 'committed', 'failed')),
    CONSTRAINT "imports_committed_whole" CHECK (("state" = 'committed') = ("added" IS NOT NULL AND "updated" IS NOT NULL)),
    CONSTRAINT "imports_failed_whole" CHECK (("state" = 'failed') = ("failure" IS NOT NULL))
);
CREATE UNIQUE INDEX "imports_organization_id_digest_content_key" ON "imports"("organization_id", "digest", "content");
CREATE INDEX "imports_state_id_idx" ON "imports"("state", "id");

CREATE TABLE "import_batches" (
    "import_id" UUID NOT NULL,
    "batch" INTEGER NOT NULL,
    "rows" INTEGER NOT NULL,
    "payload" BYTEA NOT NULL,
    "stored_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "import_batches_pkey" PRIMARY KEY ("import_id", "batch"),
    CONSTRAINT "import_batches_import_id_fkey" FOREIGN KEY ("import_id") REFERENCES "imports"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
-- Rows live for minutes: compressing them would cost more than it saves.
ALTER TABLE "import_batches" ALTER COLUMN "payload" SET STORAGE EXTERNAL;

CREATE TABLE "audit_log" (
    "id" UUID NOT NULL,
    "organization_id" UUID,
    "actor_kind" TEXT NOT NULL,
    "actor_credential_id" UUID,
    "actor_user_id" UUID,
    "actor_service" TEXT,
    "action" TEXT NOT NULL,
    "target" TEXT NOT NULL,
    "address" TEXT,
    "request_id" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "audit_log_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "outbox" (
    "id" UUID NOT NULL,
    "subject" TEXT NOT NULL,
    "data" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "outbox_pkey" PRIMARY KEY ("id")
);

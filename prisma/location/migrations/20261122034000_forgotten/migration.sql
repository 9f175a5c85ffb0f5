-- What every column means: prisma/location/schema.prisma.

CREATE TABLE "forgotten_access_points" (
    "organization_id" UUID NOT NULL,
    "bssid" BIGINT NOT NULL,
    "forgotten_at" TIMESTAMPTZ(3) NOT NULL,
    "swept_at" TIMESTAMPTZ(3),
    CONSTRAINT "forgotten_access_points_pkey" PRIMARY KEY ("organization_id", "bssid"),
    CONSTRAINT "forgotten_access_points_bssid_usable" CHECK ("bssid" > 0 AND "bssid" < 281474976710656 AND "bssid" & 1099511627776 = 0)
);
CREATE INDEX "forgotten_access_points_swept_at_idx" ON "forgotten_access_points"("swept_at");

CREATE TABLE "forgotten_areas" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "lat" DOUBLE PRECISION NOT NULL,
    "lon" DOUBLE PRECISION NOT NULL,
    "radius" DOUBLE PRECISION NOT NULL,
    "forgotten_at" TIMESTAMPTZ(3) NOT NULL,
    "swept_at" TIMESTAMPTZ(3),
    CONSTRAINT "forgotten_areas_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "forgotten_areas_on_earth" CHECK ("lat" BETWEEN -90 AND 90 AND "lon" BETWEEN -180 AND 180 AND "radius" > 0 AND "radius" <= 100000)
);
CREATE INDEX "forgotten_areas_organization_id_idx" ON "forgotten_areas"("organization_id");

-- Batches are stored in another form from now on. Who sends one begins it again.
DELETE FROM "imports" WHERE "state" IN ('open', 'committing');

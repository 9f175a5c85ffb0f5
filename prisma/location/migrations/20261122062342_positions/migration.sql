-- What every column means: prisma/location/schema.prisma.

CREATE TABLE "position_policies" (
    "organization_id" UUID NOT NULL,
    "project_id" UUID NOT NULL,
    "store_positions" BOOLEAN NOT NULL,
    "retention_days" INTEGER NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "position_policies_pkey" PRIMARY KEY ("project_id", "organization_id"),
    CONSTRAINT "position_policies_retention" CHECK ("retention_days" BETWEEN 1 AND 3650)
);

CREATE TABLE "device_positions" (
    "organization_id" UUID NOT NULL,
    "project_id" UUID NOT NULL,
    "device_serial" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "id" UUID NOT NULL,
    "lat" DOUBLE PRECISION NOT NULL,
    "lon" DOUBLE PRECISION NOT NULL,
    "uncertainty" DOUBLE PRECISION NOT NULL,
    "confidence" DOUBLE PRECISION NOT NULL,
    "fulfilled_with" TEXT NOT NULL,
    CONSTRAINT "device_positions_pkey" PRIMARY KEY ("project_id", "device_serial", "at", "id"),
    -- Written so that NaN, which Postgres holds to be the largest number, is refused as well.
    CONSTRAINT "device_positions_on_earth" CHECK ("lat" BETWEEN -90 AND 90 AND "lon" BETWEEN -180 AND 180),
    CONSTRAINT "device_positions_uncertainty_finite" CHECK ("uncertainty" >= 0 AND "uncertainty" < 'Infinity'),
    CONSTRAINT "device_positions_confidence" CHECK ("confidence" BETWEEN 50 AND 99),
    CONSTRAINT "device_positions_fulfilled_with" CHECK ("fulfilled_with" IN ('WIFI', 'MCELL', 'SCELL'))
);
CREATE INDEX "device_positions_project_id_at_idx" ON "device_positions"("project_id", "at");

-- What every column means: prisma/location/schema.prisma.

CREATE TABLE "location_fallbacks" (
    "organization_id" UUID NOT NULL,
    "url" TEXT NOT NULL,
    "key_box" BYTEA,
    "key_id" TEXT,
    "key_as" TEXT NOT NULL,
    "accuracy_confidence" DOUBLE PRECISION NOT NULL,
    "requests_per_minute" INTEGER NOT NULL,
    "timeout_ms" INTEGER NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "location_fallbacks_pkey" PRIMARY KEY ("organization_id"),
    CONSTRAINT "location_fallbacks_key" CHECK (("key_box" IS NULL) = ("key_id" IS NULL)),
    CONSTRAINT "location_fallbacks_key_as" CHECK ("key_as" IN ('query', 'bearer')),
    CONSTRAINT "location_fallbacks_confidence" CHECK ("accuracy_confidence" BETWEEN 50 AND 99),
    CONSTRAINT "location_fallbacks_rate" CHECK ("requests_per_minute" BETWEEN 1 AND 60000),
    CONSTRAINT "location_fallbacks_timeout" CHECK ("timeout_ms" BETWEEN 100 AND 3000)
);

ALTER TABLE "device_positions" ADD COLUMN "fallback" BOOLEAN NOT NULL DEFAULT false;

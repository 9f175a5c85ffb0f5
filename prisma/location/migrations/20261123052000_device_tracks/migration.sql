-- What every column means: prisma/location/schema.prisma.

ALTER TABLE "device_scans" ADD COLUMN "agreeing" SMALLINT NOT NULL DEFAULT 0,
ADD COLUMN "elsewhere" BYTEA;

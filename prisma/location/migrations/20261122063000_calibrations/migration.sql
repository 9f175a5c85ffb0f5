-- What every column means: prisma/location/schema.prisma.

-- How far off scans were is found anew each time; nothing was ever written here.
DROP TABLE "outcomes";

ALTER TABLE "calibrations" ADD COLUMN "scans" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "calibrations" ADD COLUMN "held" JSONB;
ALTER TABLE "calibrations" ADD COLUMN "claimed_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP;
ALTER TABLE "calibrations" ALTER COLUMN "fitted_at" DROP NOT NULL;

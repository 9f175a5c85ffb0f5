-- What every column means: prisma/location/schema.prisma. Services from before keep working: what they learn names no contributor.

ALTER TABLE "learned_access_points" ADD COLUMN "contributors" BYTEA;
ALTER TABLE "learned_cells" ADD COLUMN "contributors" BYTEA;
ALTER TABLE "location_settings" ADD COLUMN "sharing_approved_at" TIMESTAMPTZ(3);

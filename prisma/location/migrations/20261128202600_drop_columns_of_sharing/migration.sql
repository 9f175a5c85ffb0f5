-- lint: allow drop since 0.0.9: no version that reads them was released
ALTER TABLE "learned_access_points" DROP COLUMN "contributors";

ALTER TABLE "learned_cells" DROP COLUMN "contributors";

ALTER TABLE "observations" DROP COLUMN "shared";

ALTER TABLE "location_settings" DROP COLUMN "share_observations", DROP COLUMN "sharing_approved_at";

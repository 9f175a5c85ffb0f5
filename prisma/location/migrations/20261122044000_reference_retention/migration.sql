-- Reference scans go with the observations that they were taken from: those of which these are gone already, go now.
ALTER TABLE "reference_scans" ADD COLUMN "received_at" TIMESTAMPTZ(3);
UPDATE "reference_scans" AS "scan" SET "received_at" = "taken"."received_at"
FROM "observations" AS "taken" WHERE "taken"."id" = "scan"."id" AND "taken"."contribution" IS NOT NULL;
DELETE FROM "reference_scans" WHERE "received_at" IS NULL;
UPDATE "reference_sets" SET "version" = "version" + 1;
ALTER TABLE "reference_scans" ALTER COLUMN "received_at" SET NOT NULL;
CREATE INDEX "reference_scans_organization_id_received_at_idx" ON "reference_scans"("organization_id", "received_at");

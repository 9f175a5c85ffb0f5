-- AlterTable
ALTER TABLE "project_usage" ADD COLUMN     "chunks" BIGINT NOT NULL DEFAULT 0,
ADD COLUMN     "deleted_bytes" BIGINT NOT NULL DEFAULT 0;

-- CreateIndex
CREATE INDEX "project_usage_day_idx" ON "project_usage"("day");

-- DropIndex
DROP INDEX "files_project_id_kind_object_id_key";

-- AlterTable
ALTER TABLE "data_policies" ADD COLUMN     "sampling" JSONB NOT NULL DEFAULT '{}';

-- AlterTable
ALTER TABLE "devices" ADD COLUMN     "sampling" JSONB NOT NULL DEFAULT '{}';

-- AlterTable
ALTER TABLE "files" ADD COLUMN     "duration_secs" DOUBLE PRECISION,
ADD COLUMN     "hardware_version" TEXT,
ADD COLUMN     "mime_types" TEXT[] DEFAULT ARRAY[]::TEXT[],
ADD COLUMN     "reason" TEXT,
ADD COLUMN     "software_type" TEXT,
ADD COLUMN     "software_version" TEXT,
ADD COLUMN     "start_time" TEXT;

-- CreateIndex
CREATE UNIQUE INDEX "files_project_id_kind_object_id_meaning_key" ON "files"("project_id", "kind", "object_id", "meaning");

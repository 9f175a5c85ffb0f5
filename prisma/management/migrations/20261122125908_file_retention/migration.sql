-- AlterTable
ALTER TABLE "data_policies" ADD COLUMN     "file_retention_days" JSONB NOT NULL DEFAULT '{}';

-- CreateIndex
CREATE INDEX "files_project_id_kind_created_at_idx" ON "files"("project_id", "kind", "created_at");

-- AlterTable
ALTER TABLE "organizations" ADD COLUMN     "deleted_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "projects" ADD COLUMN     "deleted_at" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "deletions" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "project_id" UUID,
    "slug" TEXT,
    "name" TEXT,
    "state" TEXT NOT NULL,
    "version" BIGSERIAL NOT NULL,
    "confirmed" BIGINT NOT NULL DEFAULT 0,
    "deleted_at" TIMESTAMPTZ(3) NOT NULL,
    "stopped_at" TIMESTAMPTZ(3),
    "erase_after" TIMESTAMPTZ(3) NOT NULL,
    "erasing_since" TIMESTAMPTZ(3),
    "erased_at" TIMESTAMPTZ(3),
    "parts" JSONB NOT NULL DEFAULT '[]',
    "failures" INTEGER NOT NULL DEFAULT 0,
    "next_attempt_at" TIMESTAMPTZ(3),

    CONSTRAINT "deletions_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "deletions_next_attempt_at_idx" ON "deletions"("next_attempt_at");

-- CreateIndex
CREATE INDEX "deletions_organization_id_project_id_idx" ON "deletions"("organization_id", "project_id");

ALTER TABLE "deletions" ADD CONSTRAINT "deletions_state_known" CHECK (state IN ('deleted', 'restored', 'erasing', 'erased'));

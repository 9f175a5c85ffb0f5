-- Rows from before name the only stream that there was.
-- AlterTable
ALTER TABLE "device_deletions" ADD COLUMN     "other_streams" JSONB NOT NULL DEFAULT '{}';

-- AlterTable
ALTER TABLE "device_moves" ADD COLUMN     "other_streams" JSONB NOT NULL DEFAULT '{}';

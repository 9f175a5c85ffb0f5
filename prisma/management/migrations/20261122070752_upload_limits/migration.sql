-- AlterTable
ALTER TABLE "data_policies" ADD COLUMN     "file_bytes" JSONB NOT NULL DEFAULT '{}',
ADD COLUMN     "files_bytes" BIGINT;

-- AlterTable
ALTER TABLE "project_keys" ADD COLUMN     "may_contribute" BOOLEAN NOT NULL DEFAULT false;

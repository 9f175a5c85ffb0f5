-- AlterTable
ALTER TABLE "observations" ALTER COLUMN "shared" SET DEFAULT false;

-- AlterTable
ALTER TABLE "login_requests" ADD COLUMN     "allowed_from" TEXT;

-- AlterTable
ALTER TABLE "organization_rules" ADD COLUMN     "device_logins" TEXT NOT NULL DEFAULT 'on';

-- AlterTable
ALTER TABLE "sessions" ADD COLUMN     "confirmed_at" TIMESTAMPTZ(3),
ADD COLUMN     "same_network" BOOLEAN;

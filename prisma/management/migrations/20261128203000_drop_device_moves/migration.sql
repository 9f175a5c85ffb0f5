-- lint: allow drop since 0.1.0: nothing reads device_moves any more
-- DropTable
DROP TABLE "device_moves";

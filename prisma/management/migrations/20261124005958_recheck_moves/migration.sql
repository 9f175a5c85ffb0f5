ALTER TABLE "device_moves" ADD COLUMN "rechecked_at" TIMESTAMPTZ(3);
-- Of moves that are not rechecked alone. A move is for at most a minute, so the index is nearly empty.
CREATE INDEX "device_moves_rechecked_at_idx" ON "device_moves" ("rechecked_at") WHERE "rechecked_at" IS NULL;

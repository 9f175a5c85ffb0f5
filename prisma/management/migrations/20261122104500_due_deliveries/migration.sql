-- What is due is looked for twice a second: of deliveries that wait alone, and not of all that there were.
DROP INDEX "webhook_deliveries_webhook_id_next_attempt_at_idx";
CREATE INDEX "webhook_deliveries_webhook_id_next_attempt_at_idx" ON "webhook_deliveries"("webhook_id", "next_attempt_at") WHERE "next_attempt_at" IS NOT NULL;

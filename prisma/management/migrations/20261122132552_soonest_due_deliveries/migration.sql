-- What is the longest due, of all webhooks: of those that have a next attempt alone.
CREATE INDEX "webhook_deliveries_next_attempt_at_idx" ON "webhook_deliveries"("next_attempt_at") WHERE "next_attempt_at" IS NOT NULL;

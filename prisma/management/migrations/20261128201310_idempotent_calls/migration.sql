-- CreateTable
CREATE TABLE "idempotent_calls" (
    "key" BYTEA NOT NULL,
    "reply_box" BYTEA NOT NULL,
    "key_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "idempotent_calls_pkey" PRIMARY KEY ("key")
);

-- CreateIndex
CREATE INDEX "idempotent_calls_created_at_idx" ON "idempotent_calls"("created_at");

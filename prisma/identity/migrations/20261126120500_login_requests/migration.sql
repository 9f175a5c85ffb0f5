-- AlterTable
ALTER TABLE "sessions" ADD COLUMN     "host" TEXT;

-- CreateTable
CREATE TABLE "login_requests" (
    "id" UUID NOT NULL,
    "code_hash" BYTEA NOT NULL,
    "user_code" TEXT NOT NULL,
    "host" TEXT NOT NULL,
    "address" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "interval_s" SMALLINT NOT NULL,
    "polled_at" TIMESTAMPTZ(3),
    "session_id" UUID,
    "denied_at" TIMESTAMPTZ(3),

    CONSTRAINT "login_requests_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "login_requests_code_hash_length" CHECK (octet_length("code_hash") = 32)
);

-- CreateIndex
CREATE UNIQUE INDEX "login_requests_code_hash_key" ON "login_requests"("code_hash");

-- CreateIndex
CREATE UNIQUE INDEX "login_requests_user_code_key" ON "login_requests"("user_code");

-- CreateIndex
CREATE INDEX "login_requests_session_id_idx" ON "login_requests"("session_id");

-- CreateIndex
CREATE INDEX "login_requests_expires_at_idx" ON "login_requests"("expires_at");

-- AddForeignKey
ALTER TABLE "login_requests" ADD CONSTRAINT "login_requests_session_id_fkey" FOREIGN KEY ("session_id") REFERENCES "sessions"("id") ON DELETE CASCADE ON UPDATE CASCADE;

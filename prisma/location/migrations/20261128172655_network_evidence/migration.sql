-- CreateTable
CREATE TABLE "network_evidence" (
    "id" UUID NOT NULL,
    "seen_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "network_evidence_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "network_evidence_seen_at_idx" ON "network_evidence"("seen_at");

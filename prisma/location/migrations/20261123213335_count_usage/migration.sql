-- CreateTable
CREATE TABLE "lookup_usage" (
    "organization_id" UUID NOT NULL,
    "day" DATE NOT NULL,
    "outcome" TEXT NOT NULL,
    "count" BIGINT NOT NULL,

    CONSTRAINT "lookup_usage_pkey" PRIMARY KEY ("organization_id","day","outcome")
);

-- CreateIndex
CREATE INDEX "lookup_usage_day_idx" ON "lookup_usage"("day");

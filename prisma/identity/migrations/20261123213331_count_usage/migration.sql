-- CreateTable
CREATE TABLE "request_usage" (
    "organization_id" UUID NOT NULL,
    "day" DATE NOT NULL,
    "kind" TEXT NOT NULL,
    "credential_id" UUID NOT NULL,
    "requests" BIGINT NOT NULL,
    "last_used_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "request_usage_pkey" PRIMARY KEY ("organization_id","day","kind","credential_id")
);

-- CreateTable
CREATE TABLE "request_usage_reports" (
    "id" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "request_usage_reports_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "request_usage_day_idx" ON "request_usage"("day");

-- CreateIndex
CREATE INDEX "request_usage_reports_at_idx" ON "request_usage_reports"("at");

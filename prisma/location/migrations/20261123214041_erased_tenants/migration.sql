-- CreateTable
CREATE TABLE "erased_tenants" (
    "organization_id" UUID NOT NULL,
    "project_id" UUID NOT NULL,
    "erased_at" TIMESTAMPTZ(3) NOT NULL,
    "scanned" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "scanned_blocks" INTEGER,

    CONSTRAINT "erased_tenants_pkey" PRIMARY KEY ("organization_id","project_id")
);

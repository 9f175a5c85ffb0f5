-- CreateTable
CREATE TABLE "reserved_slugs" (
    "scope_id" UUID NOT NULL,
    "slug" TEXT NOT NULL,
    "owner_id" UUID NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "reserved_slugs_pkey" PRIMARY KEY ("scope_id","slug")
);

-- CreateIndex
CREATE INDEX "reserved_slugs_owner_id_idx" ON "reserved_slugs"("owner_id");

-- CreateIndex
CREATE INDEX "reserved_slugs_expires_at_idx" ON "reserved_slugs"("expires_at");

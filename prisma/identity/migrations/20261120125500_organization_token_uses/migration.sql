-- What every column means: prisma/identity/schema.prisma. Services from before do not know of the table.

CREATE TABLE "organization_token_uses" (
    "organization_token_id" UUID NOT NULL,
    "used_at" TIMESTAMPTZ(3) NOT NULL,
    "address" TEXT NOT NULL,
    "user_agent" TEXT,
    CONSTRAINT "organization_token_uses_pkey" PRIMARY KEY ("organization_token_id")
);

ALTER TABLE "organization_token_uses" ADD CONSTRAINT "organization_token_uses_organization_token_id_fkey" FOREIGN KEY ("organization_token_id") REFERENCES "organization_tokens"("id") ON DELETE CASCADE ON UPDATE CASCADE;

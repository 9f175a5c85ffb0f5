-- What every column means: prisma/identity/schema.prisma. Services from before go on working: they have nothing to tell.

ALTER TABLE "audit_log" ADD COLUMN "details" JSONB NOT NULL DEFAULT '{}';

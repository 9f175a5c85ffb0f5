-- What every column means: prisma/identity/schema.prisma. Services from before go on working: they write neither.

ALTER TABLE "project_keys" ADD COLUMN "may_locate" BOOLEAN NOT NULL DEFAULT false;

CREATE TABLE "replaced_project_keys" (
    "id" UUID NOT NULL,
    "project_id" UUID NOT NULL,
    "key" CHAR(32) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "replaced_project_keys_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "replaced_project_keys_key_format" CHECK ("key" ~ '^[0-9a-f]{32}$')
);
CREATE UNIQUE INDEX "replaced_project_keys_key_key" ON "replaced_project_keys"("key");
CREATE INDEX "replaced_project_keys_project_id_idx" ON "replaced_project_keys"("project_id");

ALTER TABLE "replaced_project_keys" ADD CONSTRAINT "replaced_project_keys_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "project_keys"("project_id") ON DELETE CASCADE ON UPDATE CASCADE;

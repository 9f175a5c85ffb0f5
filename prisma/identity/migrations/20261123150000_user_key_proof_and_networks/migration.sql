-- What every column means: prisma/identity/schema.prisma. API keys from before were not created with a proven second factor as far as
-- anyone can tell.
ALTER TABLE "user_keys" ADD COLUMN "expires_at" TIMESTAMPTZ(3),
    ADD COLUMN "second_factor" BOOLEAN NOT NULL DEFAULT false;

CREATE TABLE "sign_in_networks" (
    "user_id" UUID NOT NULL,
    "network" TEXT NOT NULL,
    "first_seen_at" TIMESTAMPTZ(3) NOT NULL,
    "last_seen_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "sign_in_networks_pkey" PRIMARY KEY ("user_id", "network")
);
ALTER TABLE "sign_in_networks" ADD CONSTRAINT "sign_in_networks_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "mails" DROP CONSTRAINT "mails_kind_known",
    ADD CONSTRAINT "mails_kind_known" CHECK ("kind" IN ('invitation', 'password_reset', 'password_changed', 'user_key_created', 'new_network'));

-- AlterTable
ALTER TABLE "legacy_tokens" ADD COLUMN     "project_id" UUID;

-- CreateTable
CREATE TABLE "project_key_uses" (
    "key_id" UUID NOT NULL,
    "project_id" UUID NOT NULL,
    "used_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "project_key_uses_pkey" PRIMARY KEY ("key_id")
);

-- CreateTable
CREATE TABLE "project_key_devices" (
    "key_id" UUID NOT NULL,
    "hour" TIMESTAMPTZ(3) NOT NULL,
    "registers" BYTEA NOT NULL,

    CONSTRAINT "project_key_devices_pkey" PRIMARY KEY ("key_id","hour")
);

-- CreateTable
CREATE TABLE "member_sign_ins" (
    "user_id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "member_sign_ins_pkey" PRIMARY KEY ("user_id","organization_id")
);

-- CreateIndex
CREATE INDEX "project_key_uses_project_id_idx" ON "project_key_uses"("project_id");

-- CreateIndex
CREATE INDEX "project_key_devices_hour_idx" ON "project_key_devices"("hour");

-- CreateIndex
CREATE INDEX "organization_tokens_organization_id_created_by_created_at_i_idx" ON "organization_tokens"("organization_id", "created_by", "created_at", "id");

-- AddForeignKey
ALTER TABLE "project_key_uses" ADD CONSTRAINT "project_key_uses_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "project_keys"("project_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "project_key_devices" ADD CONSTRAINT "project_key_devices_key_id_fkey" FOREIGN KEY ("key_id") REFERENCES "project_key_uses"("key_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "member_sign_ins" ADD CONSTRAINT "member_sign_ins_user_id_organization_id_fkey" FOREIGN KEY ("user_id", "organization_id") REFERENCES "memberships"("user_id", "organization_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddConstraint
ALTER TABLE "project_key_devices" ADD CONSTRAINT "project_key_devices_registers_length" CHECK (octet_length("registers") = 1024);

-- AlterConstraint
ALTER TABLE "mails" DROP CONSTRAINT "mails_kind_known";
ALTER TABLE "mails" ADD CONSTRAINT "mails_kind_known" CHECK (kind = ANY (ARRAY['invitation'::text, 'password_reset'::text, 'password_changed'::text, 'user_key_created'::text, 'new_network'::text, 'tokens_expiring'::text]));

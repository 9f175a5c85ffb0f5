-- CreateTable
CREATE TABLE "tenant_states" (
    "organization_id" UUID NOT NULL,
    "project_id" UUID NOT NULL,
    "state" TEXT NOT NULL,
    "version" BIGINT NOT NULL,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "tenant_states_pkey" PRIMARY KEY ("organization_id","project_id")
);

ALTER TABLE "tenant_states" ADD CONSTRAINT "tenant_states_state_known" CHECK (state IN ('active', 'stopped', 'erasing'));

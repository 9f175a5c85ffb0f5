-- What every column means: prisma/identity/schema.prisma.

ALTER TABLE "organization_tokens" ADD COLUMN "bound_project_ids" UUID[] DEFAULT ARRAY[]::UUID[],
    ADD COLUMN "bound_permissions" TEXT[] DEFAULT ARRAY[]::TEXT[],
    ADD CONSTRAINT "organization_tokens_bound_project_ids_given" CHECK ("bound_project_ids" IS NOT NULL),
    ADD CONSTRAINT "organization_tokens_bound_permissions_given" CHECK ("bound_permissions" IS NOT NULL),
    ADD CONSTRAINT "organization_tokens_bound_project_ids_count" CHECK (cardinality("bound_project_ids") <= 100),
    ADD CONSTRAINT "organization_tokens_binding_whole" CHECK (
        CASE WHEN cardinality("bound_project_ids") = 0 THEN cardinality("bound_permissions") = 0
             ELSE cardinality("permissions") = 0 END);

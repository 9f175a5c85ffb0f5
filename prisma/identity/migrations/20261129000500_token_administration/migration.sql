ALTER TABLE organization_tokens ADD COLUMN ancestors uuid[] NOT NULL DEFAULT ARRAY[]::uuid[];

ALTER TABLE organization_rules
    ADD COLUMN administration_forbidden boolean NOT NULL DEFAULT false,
    ADD COLUMN administration_max_days integer;

ALTER TABLE organization_rules
    ADD CONSTRAINT organization_rules_administration_max_days_range
        CHECK (administration_max_days >= 1 AND administration_max_days <= 365) NOT VALID;

ALTER TABLE invitations ADD COLUMN invited_by_credential uuid;

-- Kinds are added with versions. The code that writes mails knows them.
ALTER TABLE mails DROP CONSTRAINT mails_kind_known;

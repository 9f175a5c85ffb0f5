ALTER TABLE organization_tokens ADD COLUMN scim_connection_id uuid;

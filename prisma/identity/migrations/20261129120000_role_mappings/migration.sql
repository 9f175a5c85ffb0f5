ALTER TABLE sso_connections ADD COLUMN role_mapping jsonb;

ALTER TABLE memberships ADD COLUMN connection_id uuid;
ALTER TABLE project_members ADD COLUMN connection_id uuid;

ALTER TABLE memberships
    ADD CONSTRAINT memberships_connection_id_fkey FOREIGN KEY (connection_id)
    REFERENCES sso_connections (id) ON UPDATE CASCADE ON DELETE SET NULL NOT VALID;
ALTER TABLE project_members
    ADD CONSTRAINT project_members_connection_id_fkey FOREIGN KEY (connection_id)
    REFERENCES sso_connections (id) ON UPDATE CASCADE ON DELETE SET NULL NOT VALID;

CREATE TABLE scim_resources (
    id uuid NOT NULL,
    organization_id uuid NOT NULL,
    connection_id uuid NOT NULL,
    type text NOT NULL,
    name text NOT NULL,
    external_id text,
    email text,
    active boolean NOT NULL DEFAULT true,
    attributes jsonb NOT NULL,
    group_ids uuid[] NOT NULL DEFAULT ARRAY[]::uuid[],
    version integer NOT NULL DEFAULT 1,
    created_at timestamp(3) with time zone NOT NULL,
    updated_at timestamp(3) with time zone NOT NULL,
    CONSTRAINT scim_resources_pkey PRIMARY KEY (id),
    CONSTRAINT scim_resources_type_known CHECK (type IN ('User', 'Group')),
    CONSTRAINT scim_resources_connection_id_fkey FOREIGN KEY (connection_id)
        REFERENCES sso_connections (id) ON UPDATE CASCADE ON DELETE CASCADE
);

CREATE UNIQUE INDEX scim_resources_connection_id_type_name_key ON scim_resources (connection_id, type, name);

CREATE INDEX scim_resources_connection_id_external_id_idx ON scim_resources (connection_id, external_id);

CREATE INDEX scim_resources_connection_id_email_idx ON scim_resources (connection_id, email);

CREATE INDEX scim_resources_connection_id_type_id_idx ON scim_resources (connection_id, type, id);

CREATE INDEX scim_resources_group_ids_idx ON scim_resources USING gin (group_ids);

CREATE INDEX scim_resources_organization_id_idx ON scim_resources (organization_id);

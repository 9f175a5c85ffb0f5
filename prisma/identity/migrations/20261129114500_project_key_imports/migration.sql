-- Keys that admins want their projects to have.

CREATE TABLE project_key_imports (
    project_id uuid NOT NULL,
    organization_id uuid NOT NULL,
    key character(32) NOT NULL,
    network text,
    requested_at timestamp(3) with time zone NOT NULL,
    expires_at timestamp(3) with time zone NOT NULL,
    CONSTRAINT project_key_imports_pkey PRIMARY KEY (project_id),
    CONSTRAINT project_key_imports_project_id_fkey FOREIGN KEY (project_id) REFERENCES project_keys(project_id) ON UPDATE CASCADE ON DELETE CASCADE
);

CREATE UNIQUE INDEX project_key_imports_key_key ON project_key_imports (key);

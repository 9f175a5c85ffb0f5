-- All tables of the identity service. schema.prisma says what every column means.

CREATE FUNCTION note_admin() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'identity'
    AS $$
BEGIN
    INSERT INTO "organization_admins" ("organization_id", "user_id") VALUES (NEW."organization_id", NEW."user_id") ON CONFLICT DO NOTHING;
    RETURN NULL;
END
$$;

CREATE TABLE audit_chains (
    id uuid NOT NULL,
    length bigint NOT NULL,
    head_hash bytea,
    CONSTRAINT audit_chains_head CHECK ((head_hash IS NULL) = (length = 0))
);

CREATE TABLE audit_log (
    id uuid NOT NULL,
    organization_id uuid,
    actor_kind text NOT NULL,
    actor_credential_id uuid,
    actor_user_id uuid,
    actor_service text,
    action text NOT NULL,
    target text NOT NULL,
    address text,
    request_id text NOT NULL,
    at timestamp(3) with time zone NOT NULL,
    details jsonb DEFAULT '{}' NOT NULL,
    service text DEFAULT 'identity'::text NOT NULL,
    chain uuid,
    sequence bigint,
    format smallint,
    previous_hash bytea,
    hash bytea,
    CONSTRAINT audit_log_chain CHECK (chain = COALESCE(organization_id, '00000000-0000-0000-0000-000000000000'::uuid)),
    CONSTRAINT audit_log_chained CHECK (num_nulls(chain, sequence, format, hash) = ANY (ARRAY[0, 4])),
    CONSTRAINT audit_log_hash_length CHECK ((length(hash) = 32) AND (COALESCE(length(previous_hash), 32) = 32)),
    CONSTRAINT audit_log_linked CHECK ((previous_hash IS NULL) = (COALESCE(sequence, 1) = 1)),
    CONSTRAINT audit_log_sequence CHECK (sequence >= 1)
);

CREATE TABLE former_members (
    organization_id uuid NOT NULL,
    user_id uuid NOT NULL
);

CREATE TABLE invitations (
    id uuid NOT NULL,
    organization_id uuid NOT NULL,
    email text NOT NULL,
    role text NOT NULL,
    projects jsonb NOT NULL,
    secret_hash bytea,
    sent_at timestamp(3) with time zone NOT NULL,
    expires_at timestamp(3) with time zone NOT NULL,
    invited_by uuid NOT NULL,
    accepted_at timestamp(3) with time zone,
    accepted_by uuid,
    revoked_at timestamp(3) with time zone,
    sendings integer DEFAULT 1 NOT NULL,
    CONSTRAINT invitations_acceptance_whole CHECK ((accepted_at IS NULL) = (accepted_by IS NULL)),
    CONSTRAINT invitations_email_lower_cased CHECK (email = lower(email)),
    CONSTRAINT invitations_ended_once CHECK ((accepted_at IS NULL) OR (revoked_at IS NULL)),
    CONSTRAINT invitations_role_known CHECK (role = ANY (ARRAY['admin'::text, 'member'::text])),
    CONSTRAINT invitations_secret_hash_length CHECK (octet_length(secret_hash) = 32)
);

CREATE TABLE legacy_tokens (
    id uuid NOT NULL,
    organization_id uuid NOT NULL,
    hash bytea NOT NULL,
    kind text NOT NULL,
    description text NOT NULL,
    imported_at timestamp(3) with time zone NOT NULL,
    imported_by uuid NOT NULL,
    sunset_at timestamp(3) with time zone NOT NULL,
    last_used_at timestamp(3) with time zone,
    CONSTRAINT legacy_tokens_description_length CHECK (char_length(description) <= 256),
    CONSTRAINT legacy_tokens_hash_length CHECK (octet_length(hash) = 32),
    CONSTRAINT legacy_tokens_kind CHECK (kind = ANY (ARRAY['service'::text, 'evaluation'::text]))
);

CREATE TABLE mails (
    id uuid NOT NULL,
    kind text NOT NULL,
    subject text NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    next_attempt_at timestamp(3) with time zone NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    address text,
    request_id text NOT NULL,
    CONSTRAINT mails_kind_known CHECK (kind = ANY (ARRAY['invitation'::text, 'password_reset'::text, 'password_changed'::text, 'user_key_created'::text, 'new_network'::text]))
);

CREATE TABLE memberships (
    user_id uuid NOT NULL,
    organization_id uuid NOT NULL,
    role text NOT NULL,
    CONSTRAINT memberships_role_known CHECK (role = ANY (ARRAY['admin'::text, 'member'::text]))
);

CREATE TABLE organization_admins (
    organization_id uuid NOT NULL,
    user_id uuid NOT NULL
);

CREATE TABLE organization_rules (
    organization_id uuid NOT NULL,
    sso_required boolean DEFAULT false NOT NULL,
    max_token_lifetime_days integer,
    keeps_leaked_tokens boolean DEFAULT false NOT NULL,
    second_factor_required boolean DEFAULT false NOT NULL,
    CONSTRAINT organization_rules_max_token_lifetime_days_range CHECK (max_token_lifetime_days BETWEEN 1 AND 3650)
);

CREATE TABLE organization_token_uses (
    organization_token_id uuid NOT NULL,
    used_at timestamp(3) with time zone NOT NULL,
    address text NOT NULL,
    user_agent text
);

CREATE TABLE organization_tokens (
    id uuid NOT NULL,
    organization_id uuid NOT NULL,
    description text NOT NULL,
    permissions text[],
    secret_hash bytea NOT NULL,
    pepper_id text NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    created_by uuid NOT NULL,
    expires_at timestamp(3) with time zone,
    deleted_at timestamp(3) with time zone,
    deleted_by uuid,
    replaces uuid,
    replaced_by uuid,
    allowed_addresses text[] DEFAULT ARRAY[]::text[],
    leaked_at timestamp(3) with time zone,
    expiry_notice_days smallint,
    bound_project_ids uuid[] DEFAULT ARRAY[]::uuid[],
    bound_permissions text[] DEFAULT ARRAY[]::text[],
    CONSTRAINT organization_tokens_allowed_addresses_count CHECK (cardinality(allowed_addresses) <= 64),
    CONSTRAINT organization_tokens_allowed_addresses_given CHECK (allowed_addresses IS NOT NULL),
    CONSTRAINT organization_tokens_binding_whole CHECK (
CASE
    WHEN (cardinality(bound_project_ids) = 0) THEN (cardinality(bound_permissions) = 0)
    ELSE (cardinality(permissions) = 0)
END),
    CONSTRAINT organization_tokens_bound_permissions_given CHECK (bound_permissions IS NOT NULL),
    CONSTRAINT organization_tokens_bound_project_ids_count CHECK (cardinality(bound_project_ids) <= 100),
    CONSTRAINT organization_tokens_bound_project_ids_given CHECK (bound_project_ids IS NOT NULL),
    CONSTRAINT organization_tokens_deletion_whole CHECK ((deleted_by IS NULL) OR (deleted_at IS NOT NULL)),
    CONSTRAINT organization_tokens_expiry_notice_days_known CHECK (expiry_notice_days = ANY (ARRAY[1, 7])),
    CONSTRAINT organization_tokens_permissions_given CHECK (permissions IS NOT NULL),
    CONSTRAINT organization_tokens_secret_hash_length CHECK (octet_length(secret_hash) = 32)
);

CREATE TABLE outbox (
    id uuid NOT NULL,
    subject text NOT NULL,
    data jsonb NOT NULL,
    created_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE partner_teams (
    id uuid NOT NULL,
    connection_id uuid NOT NULL,
    team_id text NOT NULL,
    name text NOT NULL,
    organization_id uuid,
    project_id uuid,
    requested_organization_id uuid,
    requested_by uuid,
    requested_at timestamp(3) with time zone,
    created_at timestamp(3) with time zone NOT NULL,
    request_id uuid,
    CONSTRAINT partner_teams_project_in_organization CHECK ((project_id IS NULL) OR (organization_id IS NOT NULL)),
    CONSTRAINT partner_teams_request_whole CHECK (((requested_organization_id IS NULL) = (requested_by IS NULL)) AND ((requested_organization_id IS NULL) = (requested_at IS NULL)))
);

CREATE TABLE password_resets (
    user_id uuid NOT NULL,
    secret_hash bytea NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    expires_at timestamp(3) with time zone NOT NULL,
    CONSTRAINT password_resets_secret_hash_length CHECK (octet_length(secret_hash) = 32)
);

CREATE TABLE project_keys (
    id uuid NOT NULL,
    organization_id uuid NOT NULL,
    project_id uuid NOT NULL,
    key character(32) NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    may_locate boolean DEFAULT false NOT NULL,
    CONSTRAINT project_keys_key_format CHECK (key ~ '^[0-9a-f]{32}$'::text)
);

CREATE TABLE project_members (
    user_id uuid NOT NULL,
    organization_id uuid NOT NULL,
    project_id uuid NOT NULL,
    role text NOT NULL,
    CONSTRAINT project_members_role_known CHECK (role = ANY (ARRAY['manager'::text, 'member'::text, 'reader'::text]))
);

CREATE TABLE recovery_codes (
    user_id uuid NOT NULL,
    code_hash bytea NOT NULL,
    pepper_id text NOT NULL,
    CONSTRAINT recovery_codes_code_hash_length CHECK (octet_length(code_hash) = 32)
);

CREATE TABLE replaced_project_keys (
    id uuid NOT NULL,
    project_id uuid NOT NULL,
    key character(32) NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    expires_at timestamp(3) with time zone NOT NULL,
    CONSTRAINT replaced_project_keys_key_format CHECK (key ~ '^[0-9a-f]{32}$'::text)
);

CREATE TABLE sessions (
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    secret_hash bytea NOT NULL,
    pepper_id text NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    last_seen_at timestamp(3) with time zone NOT NULL,
    ends_at timestamp(3) with time zone NOT NULL,
    address text,
    user_agent text,
    methods text[],
    connection_id uuid,
    partner_team_id uuid,
    CONSTRAINT sessions_ends_later CHECK (ends_at > created_at),
    CONSTRAINT sessions_methods_given CHECK (cardinality(methods) > 0),
    CONSTRAINT sessions_secret_hash_length CHECK (octet_length(secret_hash) = 32)
);

CREATE TABLE sign_in_networks (
    user_id uuid NOT NULL,
    network text NOT NULL,
    first_seen_at timestamp(3) with time zone NOT NULL,
    last_seen_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE sign_on_attempts (
    state_hash bytea NOT NULL,
    connection_id uuid NOT NULL,
    browser_hash bytea NOT NULL,
    secret_box bytea NOT NULL,
    pepper_id text NOT NULL,
    redirect_uri text NOT NULL,
    return_to text NOT NULL,
    session_id uuid,
    expires_at timestamp(3) with time zone NOT NULL,
    CONSTRAINT sign_on_attempts_browser_hash_length CHECK (octet_length(browser_hash) = 32),
    CONSTRAINT sign_on_attempts_state_hash_length CHECK (octet_length(state_hash) = 32)
);

CREATE TABLE sso_connections (
    id uuid NOT NULL,
    organization_id uuid,
    name text NOT NULL,
    issuer text NOT NULL,
    client_id text NOT NULL,
    secret_box bytea,
    pepper_id text,
    scopes text[],
    metadata jsonb NOT NULL,
    just_in_time boolean DEFAULT false NOT NULL,
    enabled boolean DEFAULT true NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    team_id_claim text,
    team_name_claim text,
    CONSTRAINT sso_connections_partner_has_teams CHECK (((organization_id IS NULL) = (team_id_claim IS NOT NULL)) AND ((organization_id IS NULL) = (team_name_claim IS NOT NULL))),
    CONSTRAINT sso_connections_secret_has_pepper CHECK ((secret_box IS NULL) = (pepper_id IS NULL))
);

CREATE TABLE sso_domains (
    organization_id uuid NOT NULL,
    domain text NOT NULL,
    token text NOT NULL,
    verified_at timestamp(3) with time zone,
    CONSTRAINT sso_domains_domain_lower_case CHECK (domain = lower(domain))
);

CREATE TABLE sso_identities (
    id uuid NOT NULL,
    connection_id uuid NOT NULL,
    issuer text NOT NULL,
    subject text NOT NULL,
    user_id uuid,
    created_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE totps (
    user_id uuid NOT NULL,
    secret_box bytea NOT NULL,
    pepper_id text NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    confirmed_at timestamp(3) with time zone,
    last_step integer DEFAULT 0 NOT NULL,
    failures integer DEFAULT 0 NOT NULL,
    blocked_until timestamp(3) with time zone
);

CREATE TABLE user_keys (
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    secret_hash bytea NOT NULL,
    pepper_id text NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    expires_at timestamp(3) with time zone,
    second_factor boolean DEFAULT false NOT NULL,
    CONSTRAINT user_keys_secret_hash_length CHECK (octet_length(secret_hash) = 32)
);

CREATE TABLE users (
    id uuid NOT NULL,
    email text NOT NULL,
    password_hash text,
    created_at timestamp(3) with time zone NOT NULL,
    CONSTRAINT users_email_lower_cased CHECK (email = lower(email))
);

ALTER TABLE audit_chains ADD CONSTRAINT audit_chains_pkey PRIMARY KEY (id);
ALTER TABLE audit_log ADD CONSTRAINT audit_log_pkey PRIMARY KEY (id);
ALTER TABLE former_members ADD CONSTRAINT former_members_pkey PRIMARY KEY (organization_id, user_id);
ALTER TABLE invitations ADD CONSTRAINT invitations_pkey PRIMARY KEY (id);
ALTER TABLE legacy_tokens ADD CONSTRAINT legacy_tokens_pkey PRIMARY KEY (id);
ALTER TABLE mails ADD CONSTRAINT mails_pkey PRIMARY KEY (id);
ALTER TABLE memberships ADD CONSTRAINT memberships_pkey PRIMARY KEY (user_id, organization_id);
ALTER TABLE organization_admins ADD CONSTRAINT organization_admins_pkey PRIMARY KEY (organization_id, user_id);
ALTER TABLE organization_rules ADD CONSTRAINT organization_rules_pkey PRIMARY KEY (organization_id);
ALTER TABLE organization_token_uses ADD CONSTRAINT organization_token_uses_pkey PRIMARY KEY (organization_token_id);
ALTER TABLE organization_tokens ADD CONSTRAINT organization_tokens_pkey PRIMARY KEY (id);
ALTER TABLE outbox ADD CONSTRAINT outbox_pkey PRIMARY KEY (id);
ALTER TABLE partner_teams ADD CONSTRAINT partner_teams_pkey PRIMARY KEY (id);
ALTER TABLE password_resets ADD CONSTRAINT password_resets_pkey PRIMARY KEY (user_id);
ALTER TABLE project_keys ADD CONSTRAINT project_keys_pkey PRIMARY KEY (id);
ALTER TABLE project_members ADD CONSTRAINT project_members_pkey PRIMARY KEY (user_id, organization_id, project_id);
ALTER TABLE recovery_codes ADD CONSTRAINT recovery_codes_pkey PRIMARY KEY (user_id, code_hash);
ALTER TABLE replaced_project_keys ADD CONSTRAINT replaced_project_keys_pkey PRIMARY KEY (id);
ALTER TABLE sessions ADD CONSTRAINT sessions_pkey PRIMARY KEY (id);
ALTER TABLE sign_in_networks ADD CONSTRAINT sign_in_networks_pkey PRIMARY KEY (user_id, network);
ALTER TABLE sign_on_attempts ADD CONSTRAINT sign_on_attempts_pkey PRIMARY KEY (state_hash);
ALTER TABLE sso_connections ADD CONSTRAINT sso_connections_pkey PRIMARY KEY (id);
ALTER TABLE sso_domains ADD CONSTRAINT sso_domains_pkey PRIMARY KEY (organization_id, domain);
ALTER TABLE sso_identities ADD CONSTRAINT sso_identities_pkey PRIMARY KEY (id);
ALTER TABLE totps ADD CONSTRAINT totps_pkey PRIMARY KEY (user_id);
ALTER TABLE user_keys ADD CONSTRAINT user_keys_pkey PRIMARY KEY (id);
ALTER TABLE users ADD CONSTRAINT users_pkey PRIMARY KEY (id);
CREATE UNIQUE INDEX audit_log_chain_sequence_key ON audit_log (chain, sequence);
CREATE INDEX audit_log_organization_id_at_id_idx ON audit_log (organization_id, at, id);
CREATE INDEX former_members_user_id_idx ON former_members (user_id);
CREATE INDEX invitations_email_sent_at_idx ON invitations (email, sent_at);
CREATE UNIQUE INDEX invitations_one_open ON invitations (organization_id, email) WHERE ((accepted_at IS NULL) AND (revoked_at IS NULL));
CREATE INDEX invitations_organization_id_email_idx ON invitations (organization_id, email);
CREATE INDEX invitations_organization_id_id_idx ON invitations (organization_id, id);
CREATE UNIQUE INDEX invitations_secret_hash_key ON invitations (secret_hash);
CREATE UNIQUE INDEX legacy_tokens_hash_key ON legacy_tokens (hash);
CREATE INDEX legacy_tokens_organization_id_imported_at_id_idx ON legacy_tokens (organization_id, imported_at, id);
CREATE INDEX mails_kind_next_attempt_at_idx ON mails (kind, next_attempt_at);
CREATE UNIQUE INDEX mails_kind_subject_key ON mails (kind, subject);
CREATE INDEX memberships_organization_id_idx ON memberships (organization_id);
CREATE INDEX organization_tokens_expiry_notice_days_expires_at_idx ON organization_tokens (expiry_notice_days, expires_at) WHERE (deleted_at IS NULL);
CREATE INDEX organization_tokens_organization_id_created_at_id_idx ON organization_tokens (organization_id, created_at, id);
CREATE UNIQUE INDEX organization_tokens_replaces_key ON organization_tokens (replaces);
CREATE UNIQUE INDEX partner_teams_connection_id_team_id_key ON partner_teams (connection_id, team_id);
CREATE INDEX partner_teams_requested_by_idx ON partner_teams (requested_by);
CREATE INDEX partner_teams_requested_organization_id_idx ON partner_teams (requested_organization_id);
CREATE UNIQUE INDEX password_resets_secret_hash_key ON password_resets (secret_hash);
CREATE UNIQUE INDEX project_keys_key_key ON project_keys (key);
CREATE UNIQUE INDEX project_keys_project_id_key ON project_keys (project_id);
CREATE INDEX project_members_project_id_idx ON project_members (project_id);
CREATE UNIQUE INDEX replaced_project_keys_key_key ON replaced_project_keys (key);
CREATE INDEX replaced_project_keys_project_id_idx ON replaced_project_keys (project_id);
CREATE INDEX sessions_connection_id_idx ON sessions (connection_id);
CREATE INDEX sessions_ends_at_idx ON sessions (ends_at);
CREATE INDEX sessions_partner_team_id_idx ON sessions (partner_team_id);
CREATE INDEX sessions_user_id_created_at_id_idx ON sessions (user_id, created_at, id);
CREATE INDEX sign_on_attempts_connection_id_idx ON sign_on_attempts (connection_id);
CREATE INDEX sign_on_attempts_expires_at_idx ON sign_on_attempts (expires_at);
CREATE INDEX sign_on_attempts_session_id_idx ON sign_on_attempts (session_id);
CREATE INDEX sso_connections_organization_id_created_at_id_idx ON sso_connections (organization_id, created_at, id);
CREATE UNIQUE INDEX sso_identities_connection_id_issuer_subject_key ON sso_identities (connection_id, issuer, subject);
CREATE INDEX sso_identities_user_id_created_at_id_idx ON sso_identities (user_id, created_at, id);
CREATE INDEX totps_created_at_idx ON totps (created_at) WHERE (confirmed_at IS NULL);
CREATE UNIQUE INDEX user_keys_user_id_key ON user_keys (user_id);
CREATE UNIQUE INDEX users_email_key ON users (email);
CREATE TRIGGER memberships_note_admin AFTER INSERT OR UPDATE OF role ON memberships FOR EACH ROW WHEN ((new.role = 'admin'::text)) EXECUTE FUNCTION note_admin();
ALTER TABLE former_members ADD CONSTRAINT former_members_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE memberships ADD CONSTRAINT memberships_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE organization_token_uses ADD CONSTRAINT organization_token_uses_organization_token_id_fkey FOREIGN KEY (organization_token_id) REFERENCES organization_tokens(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE partner_teams ADD CONSTRAINT partner_teams_connection_id_fkey FOREIGN KEY (connection_id) REFERENCES sso_connections(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE partner_teams ADD CONSTRAINT partner_teams_requested_by_fkey FOREIGN KEY (requested_by) REFERENCES users(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE password_resets ADD CONSTRAINT password_resets_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE project_members ADD CONSTRAINT project_members_user_id_organization_id_fkey FOREIGN KEY (user_id, organization_id) REFERENCES memberships(user_id, organization_id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE recovery_codes ADD CONSTRAINT recovery_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES totps(user_id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE replaced_project_keys ADD CONSTRAINT replaced_project_keys_project_id_fkey FOREIGN KEY (project_id) REFERENCES project_keys(project_id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE sessions ADD CONSTRAINT sessions_connection_id_fkey FOREIGN KEY (connection_id) REFERENCES sso_connections(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE sessions ADD CONSTRAINT sessions_partner_team_id_fkey FOREIGN KEY (partner_team_id) REFERENCES partner_teams(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE sessions ADD CONSTRAINT sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE sign_in_networks ADD CONSTRAINT sign_in_networks_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE sign_on_attempts ADD CONSTRAINT sign_on_attempts_connection_id_fkey FOREIGN KEY (connection_id) REFERENCES sso_connections(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE sign_on_attempts ADD CONSTRAINT sign_on_attempts_session_id_fkey FOREIGN KEY (session_id) REFERENCES sessions(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE sso_identities ADD CONSTRAINT sso_identities_connection_id_fkey FOREIGN KEY (connection_id) REFERENCES sso_connections(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE sso_identities ADD CONSTRAINT sso_identities_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON UPDATE CASCADE ON DELETE SET NULL;
ALTER TABLE totps ADD CONSTRAINT totps_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE user_keys ADD CONSTRAINT user_keys_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON UPDATE CASCADE ON DELETE CASCADE;

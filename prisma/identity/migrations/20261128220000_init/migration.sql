-- All tables of the identity service. schema.prisma says what every column means.

CREATE TABLE audit_chains (
    id uuid NOT NULL,
    length bigint NOT NULL,
    head_hash bytea,
    CONSTRAINT audit_chains_head CHECK (((head_hash IS NULL) = (length = 0)))
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
    details jsonb DEFAULT '{}'::jsonb NOT NULL,
    service text DEFAULT 'identity'::text NOT NULL,
    chain uuid,
    sequence bigint,
    format smallint,
    previous_hash bytea,
    hash bytea,
    CONSTRAINT audit_log_chain CHECK ((chain = COALESCE(organization_id, '00000000-0000-0000-0000-000000000000'::uuid))),
    CONSTRAINT audit_log_chained CHECK ((num_nulls(chain, sequence, format, hash) = ANY (ARRAY[0, 4]))),
    CONSTRAINT audit_log_hash_length CHECK (((length(hash) = 32) AND (COALESCE(length(previous_hash), 32) = 32))),
    CONSTRAINT audit_log_linked CHECK (((previous_hash IS NULL) = (COALESCE(sequence, (1)::bigint) = 1))),
    CONSTRAINT audit_log_sequence CHECK ((sequence >= 1))
);

CREATE TABLE former_members (
    organization_id uuid NOT NULL,
    user_id uuid NOT NULL
);

CREATE TABLE idempotent_calls (
    key bytea NOT NULL,
    reply_box bytea NOT NULL,
    key_id text NOT NULL,
    created_at timestamp(3) with time zone NOT NULL
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
    CONSTRAINT invitations_acceptance_whole CHECK (((accepted_at IS NULL) = (accepted_by IS NULL))),
    CONSTRAINT invitations_email_lower_cased CHECK ((email = lower(email))),
    CONSTRAINT invitations_ended_once CHECK (((accepted_at IS NULL) OR (revoked_at IS NULL))),
    CONSTRAINT invitations_role_known CHECK ((role = ANY (ARRAY['admin'::text, 'member'::text]))),
    CONSTRAINT invitations_secret_hash_length CHECK ((octet_length(secret_hash) = 32))
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
    project_id uuid,
    CONSTRAINT legacy_tokens_description_length CHECK ((char_length(description) <= 256)),
    CONSTRAINT legacy_tokens_hash_length CHECK ((octet_length(hash) = 32)),
    CONSTRAINT legacy_tokens_kind CHECK ((kind = ANY (ARRAY['service'::text, 'evaluation'::text])))
);

CREATE TABLE login_requests (
    id uuid NOT NULL,
    code_hash bytea NOT NULL,
    user_code text NOT NULL,
    host text NOT NULL,
    address text,
    created_at timestamp(3) with time zone NOT NULL,
    expires_at timestamp(3) with time zone NOT NULL,
    interval_s smallint NOT NULL,
    polled_at timestamp(3) with time zone,
    session_id uuid,
    denied_at timestamp(3) with time zone,
    allowed_from text,
    CONSTRAINT login_requests_code_hash_length CHECK ((octet_length(code_hash) = 32))
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
    CONSTRAINT mails_kind_known CHECK ((kind = ANY (ARRAY['invitation'::text, 'password_reset'::text, 'password_changed'::text, 'user_key_created'::text, 'new_network'::text, 'tokens_expiring'::text])))
);

CREATE TABLE member_sign_ins (
    user_id uuid NOT NULL,
    organization_id uuid NOT NULL,
    at timestamp(3) with time zone NOT NULL
);

CREATE TABLE memberships (
    user_id uuid NOT NULL,
    organization_id uuid NOT NULL,
    role text NOT NULL,
    CONSTRAINT memberships_role_known CHECK ((role = ANY (ARRAY['admin'::text, 'member'::text])))
);

CREATE TABLE organization_rules (
    organization_id uuid NOT NULL,
    sso_required boolean DEFAULT false NOT NULL,
    max_token_lifetime_days integer,
    keeps_leaked_tokens boolean DEFAULT false NOT NULL,
    second_factor_required boolean DEFAULT false NOT NULL,
    device_logins text DEFAULT 'on'::text NOT NULL,
    CONSTRAINT organization_rules_max_token_lifetime_days_range CHECK (((max_token_lifetime_days >= 1) AND (max_token_lifetime_days <= 3650)))
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
    CONSTRAINT organization_tokens_allowed_addresses_count CHECK ((cardinality(allowed_addresses) <= 64)),
    CONSTRAINT organization_tokens_allowed_addresses_given CHECK ((allowed_addresses IS NOT NULL)),
    CONSTRAINT organization_tokens_binding_whole CHECK (
CASE
    WHEN (cardinality(bound_project_ids) = 0) THEN (cardinality(bound_permissions) = 0)
    ELSE (cardinality(permissions) = 0)
END),
    CONSTRAINT organization_tokens_bound_permissions_given CHECK ((bound_permissions IS NOT NULL)),
    CONSTRAINT organization_tokens_bound_project_ids_count CHECK ((cardinality(bound_project_ids) <= 100)),
    CONSTRAINT organization_tokens_bound_project_ids_given CHECK ((bound_project_ids IS NOT NULL)),
    CONSTRAINT organization_tokens_deletion_whole CHECK (((deleted_by IS NULL) OR (deleted_at IS NOT NULL))),
    CONSTRAINT organization_tokens_expiry_notice_days_known CHECK ((expiry_notice_days = ANY (ARRAY[1, 7]))),
    CONSTRAINT organization_tokens_permissions_given CHECK ((permissions IS NOT NULL)),
    CONSTRAINT organization_tokens_secret_hash_length CHECK ((octet_length(secret_hash) = 32))
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
    join_project_id uuid,
    CONSTRAINT partner_teams_project_in_organization CHECK (((project_id IS NULL) OR (organization_id IS NOT NULL))),
    CONSTRAINT partner_teams_request_whole CHECK ((((requested_organization_id IS NULL) = (requested_by IS NULL)) AND ((requested_organization_id IS NULL) = (requested_at IS NULL))))
);

CREATE TABLE password_resets (
    user_id uuid NOT NULL,
    secret_hash bytea NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    expires_at timestamp(3) with time zone NOT NULL,
    CONSTRAINT password_resets_secret_hash_length CHECK ((octet_length(secret_hash) = 32))
);

CREATE TABLE project_key_devices (
    key_id uuid NOT NULL,
    hour timestamp(3) with time zone NOT NULL,
    registers bytea NOT NULL,
    CONSTRAINT project_key_devices_registers_length CHECK ((octet_length(registers) = 1024))
);

CREATE TABLE project_key_uses (
    key_id uuid NOT NULL,
    project_id uuid NOT NULL,
    used_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE project_keys (
    id uuid NOT NULL,
    organization_id uuid NOT NULL,
    project_id uuid NOT NULL,
    key character(32) NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    may_locate boolean DEFAULT false NOT NULL,
    may_contribute boolean DEFAULT false NOT NULL,
    CONSTRAINT project_keys_key_format CHECK ((key ~ '^[0-9a-f]{32}$'::text))
);

CREATE TABLE project_members (
    user_id uuid NOT NULL,
    organization_id uuid NOT NULL,
    project_id uuid NOT NULL,
    role text NOT NULL,
    CONSTRAINT project_members_role_known CHECK ((role = ANY (ARRAY['manager'::text, 'member'::text, 'reader'::text])))
);

CREATE TABLE recovery_codes (
    user_id uuid NOT NULL,
    code_hash bytea NOT NULL,
    pepper_id text NOT NULL,
    CONSTRAINT recovery_codes_code_hash_length CHECK ((octet_length(code_hash) = 32))
);

CREATE TABLE replaced_project_keys (
    id uuid NOT NULL,
    project_id uuid NOT NULL,
    key character(32) NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    expires_at timestamp(3) with time zone NOT NULL,
    CONSTRAINT replaced_project_keys_key_format CHECK ((key ~ '^[0-9a-f]{32}$'::text))
);

CREATE TABLE request_usage (
    organization_id uuid NOT NULL,
    day date NOT NULL,
    kind text NOT NULL,
    credential_id uuid NOT NULL,
    requests bigint NOT NULL,
    last_used_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE request_usage_reports (
    id uuid NOT NULL,
    at timestamp(3) with time zone NOT NULL
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
    host text,
    confirmed_at timestamp(3) with time zone,
    same_network boolean,
    CONSTRAINT sessions_ends_later CHECK ((ends_at > created_at)),
    CONSTRAINT sessions_methods_given CHECK ((cardinality(methods) > 0)),
    CONSTRAINT sessions_secret_hash_length CHECK ((octet_length(secret_hash) = 32))
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
    CONSTRAINT sign_on_attempts_browser_hash_length CHECK ((octet_length(browser_hash) = 32)),
    CONSTRAINT sign_on_attempts_state_hash_length CHECK ((octet_length(state_hash) = 32))
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
    join_role text,
    CONSTRAINT sso_connections_partner_has_teams CHECK ((((organization_id IS NULL) = (team_id_claim IS NOT NULL)) AND ((organization_id IS NULL) = (team_name_claim IS NOT NULL)))),
    CONSTRAINT sso_connections_secret_has_pepper CHECK (((secret_box IS NULL) = (pepper_id IS NULL)))
);

CREATE TABLE sso_domains (
    organization_id uuid NOT NULL,
    domain text NOT NULL,
    token text NOT NULL,
    verified_at timestamp(3) with time zone,
    CONSTRAINT sso_domains_domain_lower_case CHECK ((domain = lower(domain)))
);

CREATE TABLE sso_identities (
    id uuid NOT NULL,
    connection_id uuid NOT NULL,
    issuer text NOT NULL,
    subject text NOT NULL,
    user_id uuid,
    created_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE tenant_states (
    organization_id uuid NOT NULL,
    project_id uuid NOT NULL,
    state text NOT NULL,
    version bigint NOT NULL,
    deleted_at timestamp(3) with time zone,
    CONSTRAINT tenant_states_state_known CHECK ((state = ANY (ARRAY['active'::text, 'stopped'::text, 'erasing'::text])))
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
    CONSTRAINT user_keys_secret_hash_length CHECK ((octet_length(secret_hash) = 32))
);

CREATE TABLE users (
    id uuid NOT NULL,
    email text NOT NULL,
    password_hash text,
    created_at timestamp(3) with time zone NOT NULL,
    CONSTRAINT users_email_lower_cased CHECK ((email = lower(email)))
);

ALTER TABLE ONLY audit_chains
    ADD CONSTRAINT audit_chains_pkey PRIMARY KEY (id);

ALTER TABLE ONLY audit_log
    ADD CONSTRAINT audit_log_pkey PRIMARY KEY (id);

ALTER TABLE ONLY former_members
    ADD CONSTRAINT former_members_pkey PRIMARY KEY (organization_id, user_id);

ALTER TABLE ONLY idempotent_calls
    ADD CONSTRAINT idempotent_calls_pkey PRIMARY KEY (key);

ALTER TABLE ONLY invitations
    ADD CONSTRAINT invitations_pkey PRIMARY KEY (id);

ALTER TABLE ONLY legacy_tokens
    ADD CONSTRAINT legacy_tokens_pkey PRIMARY KEY (id);

ALTER TABLE ONLY login_requests
    ADD CONSTRAINT login_requests_pkey PRIMARY KEY (id);

ALTER TABLE ONLY mails
    ADD CONSTRAINT mails_pkey PRIMARY KEY (id);

ALTER TABLE ONLY member_sign_ins
    ADD CONSTRAINT member_sign_ins_pkey PRIMARY KEY (user_id, organization_id);

ALTER TABLE ONLY memberships
    ADD CONSTRAINT memberships_pkey PRIMARY KEY (user_id, organization_id);

ALTER TABLE ONLY organization_rules
    ADD CONSTRAINT organization_rules_pkey PRIMARY KEY (organization_id);

ALTER TABLE ONLY organization_token_uses
    ADD CONSTRAINT organization_token_uses_pkey PRIMARY KEY (organization_token_id);

ALTER TABLE ONLY organization_tokens
    ADD CONSTRAINT organization_tokens_pkey PRIMARY KEY (id);

ALTER TABLE ONLY outbox
    ADD CONSTRAINT outbox_pkey PRIMARY KEY (id);

ALTER TABLE ONLY partner_teams
    ADD CONSTRAINT partner_teams_pkey PRIMARY KEY (id);

ALTER TABLE ONLY password_resets
    ADD CONSTRAINT password_resets_pkey PRIMARY KEY (user_id);

ALTER TABLE ONLY project_key_devices
    ADD CONSTRAINT project_key_devices_pkey PRIMARY KEY (key_id, hour);

ALTER TABLE ONLY project_key_uses
    ADD CONSTRAINT project_key_uses_pkey PRIMARY KEY (key_id);

ALTER TABLE ONLY project_keys
    ADD CONSTRAINT project_keys_pkey PRIMARY KEY (id);

ALTER TABLE ONLY project_members
    ADD CONSTRAINT project_members_pkey PRIMARY KEY (user_id, organization_id, project_id);

ALTER TABLE ONLY recovery_codes
    ADD CONSTRAINT recovery_codes_pkey PRIMARY KEY (user_id, code_hash);

ALTER TABLE ONLY replaced_project_keys
    ADD CONSTRAINT replaced_project_keys_pkey PRIMARY KEY (id);

ALTER TABLE ONLY request_usage
    ADD CONSTRAINT request_usage_pkey PRIMARY KEY (organization_id, day, kind, credential_id);

ALTER TABLE ONLY request_usage_reports
    ADD CONSTRAINT request_usage_reports_pkey PRIMARY KEY (id);

ALTER TABLE ONLY sessions
    ADD CONSTRAINT sessions_pkey PRIMARY KEY (id);

ALTER TABLE ONLY sign_in_networks
    ADD CONSTRAINT sign_in_networks_pkey PRIMARY KEY (user_id, network);

ALTER TABLE ONLY sign_on_attempts
    ADD CONSTRAINT sign_on_attempts_pkey PRIMARY KEY (state_hash);

ALTER TABLE ONLY sso_connections
    ADD CONSTRAINT sso_connections_pkey PRIMARY KEY (id);

ALTER TABLE ONLY sso_domains
    ADD CONSTRAINT sso_domains_pkey PRIMARY KEY (organization_id, domain);

ALTER TABLE ONLY sso_identities
    ADD CONSTRAINT sso_identities_pkey PRIMARY KEY (id);

ALTER TABLE ONLY tenant_states
    ADD CONSTRAINT tenant_states_pkey PRIMARY KEY (organization_id, project_id);

ALTER TABLE ONLY totps
    ADD CONSTRAINT totps_pkey PRIMARY KEY (user_id);

ALTER TABLE ONLY user_keys
    ADD CONSTRAINT user_keys_pkey PRIMARY KEY (id);

ALTER TABLE ONLY users
    ADD CONSTRAINT users_pkey PRIMARY KEY (id);

CREATE UNIQUE INDEX audit_log_chain_sequence_key ON audit_log USING btree (chain, sequence);

CREATE INDEX audit_log_organization_id_at_id_idx ON audit_log USING btree (organization_id, at, id);

CREATE INDEX audit_log_organization_id_action_at_id_idx ON audit_log USING btree (organization_id, action, at, id);

CREATE INDEX audit_log_organization_id_actor_credential_id_at_id_idx ON audit_log USING btree (organization_id, actor_credential_id, at, id);

CREATE INDEX audit_log_organization_id_actor_user_id_at_id_idx ON audit_log USING btree (organization_id, actor_user_id, at, id);

CREATE INDEX audit_log_organization_id_request_id_at_id_idx ON audit_log USING btree (organization_id, request_id, at, id);

CREATE INDEX audit_log_organization_id_target_at_id_idx ON audit_log USING btree (organization_id, target, at, id);

CREATE INDEX former_members_user_id_idx ON former_members USING btree (user_id);

CREATE INDEX idempotent_calls_created_at_idx ON idempotent_calls USING btree (created_at);

CREATE INDEX invitations_email_sent_at_idx ON invitations USING btree (email, sent_at);

CREATE UNIQUE INDEX invitations_one_open ON invitations USING btree (organization_id, email) WHERE ((accepted_at IS NULL) AND (revoked_at IS NULL));

CREATE INDEX invitations_organization_id_email_idx ON invitations USING btree (organization_id, email);

CREATE INDEX invitations_organization_id_id_idx ON invitations USING btree (organization_id, id);

CREATE UNIQUE INDEX invitations_secret_hash_key ON invitations USING btree (secret_hash);

CREATE UNIQUE INDEX legacy_tokens_hash_key ON legacy_tokens USING btree (hash);

CREATE INDEX legacy_tokens_organization_id_imported_at_id_idx ON legacy_tokens USING btree (organization_id, imported_at, id);

CREATE UNIQUE INDEX login_requests_code_hash_key ON login_requests USING btree (code_hash);

CREATE INDEX login_requests_expires_at_idx ON login_requests USING btree (expires_at);

CREATE INDEX login_requests_session_id_idx ON login_requests USING btree (session_id);

CREATE UNIQUE INDEX login_requests_user_code_key ON login_requests USING btree (user_code);

CREATE INDEX mails_kind_next_attempt_at_idx ON mails USING btree (kind, next_attempt_at);

CREATE UNIQUE INDEX mails_kind_subject_key ON mails USING btree (kind, subject);

CREATE INDEX memberships_organization_id_idx ON memberships USING btree (organization_id);

CREATE INDEX organization_tokens_expiry_notice_days_expires_at_idx ON organization_tokens USING btree (expiry_notice_days, expires_at) WHERE (deleted_at IS NULL);

CREATE INDEX organization_tokens_organization_id_created_at_id_idx ON organization_tokens USING btree (organization_id, created_at, id);

CREATE INDEX organization_tokens_organization_id_created_by_created_at_i_idx ON organization_tokens USING btree (organization_id, created_by, created_at, id);

CREATE UNIQUE INDEX organization_tokens_replaces_key ON organization_tokens USING btree (replaces);

CREATE UNIQUE INDEX partner_teams_connection_id_team_id_key ON partner_teams USING btree (connection_id, team_id);

CREATE INDEX partner_teams_requested_by_idx ON partner_teams USING btree (requested_by);

CREATE INDEX partner_teams_requested_organization_id_idx ON partner_teams USING btree (requested_organization_id);

CREATE UNIQUE INDEX password_resets_secret_hash_key ON password_resets USING btree (secret_hash);

CREATE INDEX project_key_devices_hour_idx ON project_key_devices USING btree (hour);

CREATE INDEX project_key_uses_project_id_idx ON project_key_uses USING btree (project_id);

CREATE UNIQUE INDEX project_keys_key_key ON project_keys USING btree (key);

CREATE UNIQUE INDEX project_keys_project_id_key ON project_keys USING btree (project_id);

CREATE INDEX project_members_organization_id_idx ON project_members USING btree (organization_id);

CREATE INDEX project_members_project_id_idx ON project_members USING btree (project_id);

CREATE UNIQUE INDEX replaced_project_keys_key_key ON replaced_project_keys USING btree (key);

CREATE INDEX replaced_project_keys_project_id_idx ON replaced_project_keys USING btree (project_id);

CREATE INDEX request_usage_day_idx ON request_usage USING btree (day);

CREATE INDEX request_usage_reports_at_idx ON request_usage_reports USING btree (at);

CREATE INDEX sessions_connection_id_idx ON sessions USING btree (connection_id);

CREATE INDEX sessions_ends_at_idx ON sessions USING btree (ends_at);

CREATE INDEX sessions_partner_team_id_idx ON sessions USING btree (partner_team_id);

CREATE INDEX sessions_user_id_created_at_id_idx ON sessions USING btree (user_id, created_at, id);

CREATE INDEX sign_on_attempts_connection_id_idx ON sign_on_attempts USING btree (connection_id);

CREATE INDEX sign_on_attempts_expires_at_idx ON sign_on_attempts USING btree (expires_at);

CREATE INDEX sign_on_attempts_session_id_idx ON sign_on_attempts USING btree (session_id);

CREATE INDEX sso_connections_organization_id_created_at_id_idx ON sso_connections USING btree (organization_id, created_at, id);

CREATE INDEX sso_domains_domain_idx ON sso_domains USING btree (domain);

CREATE UNIQUE INDEX sso_identities_connection_id_issuer_subject_key ON sso_identities USING btree (connection_id, issuer, subject);

CREATE INDEX sso_identities_user_id_created_at_id_idx ON sso_identities USING btree (user_id, created_at, id);

CREATE INDEX totps_created_at_idx ON totps USING btree (created_at) WHERE (confirmed_at IS NULL);

CREATE UNIQUE INDEX user_keys_user_id_key ON user_keys USING btree (user_id);

CREATE UNIQUE INDEX users_email_key ON users USING btree (email);

ALTER TABLE ONLY former_members
    ADD CONSTRAINT former_members_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY login_requests
    ADD CONSTRAINT login_requests_session_id_fkey FOREIGN KEY (session_id) REFERENCES sessions(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY member_sign_ins
    ADD CONSTRAINT member_sign_ins_user_id_organization_id_fkey FOREIGN KEY (user_id, organization_id) REFERENCES memberships(user_id, organization_id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY memberships
    ADD CONSTRAINT memberships_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY organization_token_uses
    ADD CONSTRAINT organization_token_uses_organization_token_id_fkey FOREIGN KEY (organization_token_id) REFERENCES organization_tokens(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY partner_teams
    ADD CONSTRAINT partner_teams_connection_id_fkey FOREIGN KEY (connection_id) REFERENCES sso_connections(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY partner_teams
    ADD CONSTRAINT partner_teams_requested_by_fkey FOREIGN KEY (requested_by) REFERENCES users(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY password_resets
    ADD CONSTRAINT password_resets_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY project_key_devices
    ADD CONSTRAINT project_key_devices_key_id_fkey FOREIGN KEY (key_id) REFERENCES project_key_uses(key_id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY project_key_uses
    ADD CONSTRAINT project_key_uses_project_id_fkey FOREIGN KEY (project_id) REFERENCES project_keys(project_id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY project_members
    ADD CONSTRAINT project_members_user_id_organization_id_fkey FOREIGN KEY (user_id, organization_id) REFERENCES memberships(user_id, organization_id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY recovery_codes
    ADD CONSTRAINT recovery_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES totps(user_id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY replaced_project_keys
    ADD CONSTRAINT replaced_project_keys_project_id_fkey FOREIGN KEY (project_id) REFERENCES project_keys(project_id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY sessions
    ADD CONSTRAINT sessions_connection_id_fkey FOREIGN KEY (connection_id) REFERENCES sso_connections(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY sessions
    ADD CONSTRAINT sessions_partner_team_id_fkey FOREIGN KEY (partner_team_id) REFERENCES partner_teams(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY sessions
    ADD CONSTRAINT sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY sign_in_networks
    ADD CONSTRAINT sign_in_networks_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY sign_on_attempts
    ADD CONSTRAINT sign_on_attempts_connection_id_fkey FOREIGN KEY (connection_id) REFERENCES sso_connections(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY sign_on_attempts
    ADD CONSTRAINT sign_on_attempts_session_id_fkey FOREIGN KEY (session_id) REFERENCES sessions(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY sso_identities
    ADD CONSTRAINT sso_identities_connection_id_fkey FOREIGN KEY (connection_id) REFERENCES sso_connections(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY sso_identities
    ADD CONSTRAINT sso_identities_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON UPDATE CASCADE ON DELETE SET NULL;

ALTER TABLE ONLY totps
    ADD CONSTRAINT totps_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY user_keys
    ADD CONSTRAINT user_keys_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON UPDATE CASCADE ON DELETE CASCADE;

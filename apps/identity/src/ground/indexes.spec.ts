import { forSuite } from '@bearing/testing/for-suite'
import { describe, expect, it } from '@jest/globals'
import { Plans } from '../testing/plans.js'

/**
 * Queries of every request, sign-in or sweep on tables that grow with the number of users, as the code sends them.
 * Prisma's statements are shortened to the parts that decide: the table, the condition and the order.
 */
const QUESTIONS: readonly (readonly [what: string, statement: string, index: string])[] = [
  ['a session by its id', 'SELECT * FROM sessions WHERE id = $1', 'sessions_pkey'],
  [
    'the sessions of a user, newest first',
    'SELECT id FROM sessions WHERE user_id = $1 ORDER BY created_at DESC, id DESC OFFSET 49',
    'sessions_user_id_created_at_id_idx',
  ],
  [
    'the expired sessions of a user',
    'DELETE FROM sessions WHERE user_id = $1 AND (ends_at <= $2 OR last_seen_at <= $3)',
    'sessions_user_id_created_at_id_idx',
  ],
  [
    'the sessions of a connection',
    'DELETE FROM sessions WHERE connection_id = $1',
    'sessions_connection_id_idx',
  ],
  [
    'the sessions of a team, when it goes',
    'UPDATE sessions SET partner_team_id = NULL WHERE partner_team_id = $1',
    'sessions_partner_team_id_idx',
  ],
  [
    'an invitation by the secret of its link',
    'SELECT * FROM invitations WHERE secret_hash = $1',
    'invitations_secret_hash_key',
  ],
  [
    'the invitations of an organization, newest first',
    'SELECT * FROM invitations WHERE organization_id = $1 ORDER BY id DESC LIMIT 100',
    'invitations_organization_id_id_idx',
  ],
  [
    'the open invitation of an address',
    'UPDATE invitations SET revoked_at = $3 WHERE organization_id = $1 AND email = $2 AND accepted_at IS NULL AND revoked_at IS NULL',
    'invitations_one_open',
  ],
  [
    'what an address was sent lately, by all organizations',
    'SELECT sum(sendings), max(sent_at) FROM invitations WHERE email = $1 AND sent_at > $2',
    'invitations_email_sent_at_idx',
  ],
  [
    'a link for a new password by its secret',
    'SELECT * FROM password_resets WHERE secret_hash = $1 AND expires_at > $2',
    'password_resets_secret_hash_key',
  ],
  ['the link of a user', 'DELETE FROM password_resets WHERE user_id = $1', 'password_resets_pkey'],
  [
    'the mails of a kind that are due',
    'SELECT id FROM mails WHERE kind = $1 AND next_attempt_at <= $2 ORDER BY next_attempt_at LIMIT 10 FOR UPDATE SKIP LOCKED',
    'mails_kind_next_attempt_at_idx',
  ],
  [
    'the mail of a kind about somebody',
    'DELETE FROM mails WHERE kind = $1 AND subject = $2',
    'mails_kind_subject_key',
  ],
  [
    'who a person at a provider is',
    'SELECT * FROM sso_identities WHERE connection_id = $1 AND issuer = $2 AND subject = $3',
    'sso_identities_connection_id_issuer_subject_key',
  ],
  [
    'the persons that a user is linked with',
    'SELECT * FROM sso_identities WHERE user_id = $1 ORDER BY created_at DESC, id DESC LIMIT 100',
    'sso_identities_user_id_created_at_id_idx',
  ],
  [
    'the connections of an organization',
    'SELECT * FROM sso_connections WHERE organization_id = $1 ORDER BY created_at DESC, id DESC LIMIT 100',
    'sso_connections_organization_id_created_at_id_idx',
  ],
  [
    'whether a domain of an organization is verified',
    'SELECT * FROM sso_domains WHERE organization_id = $1 AND domain = $2',
    'sso_domains_pkey',
  ],
  [
    'the organizations of an email domain',
    'SELECT organization_id FROM sso_domains WHERE domain = $1 AND verified_at IS NOT NULL LIMIT 10',
    'sso_domains_domain_idx',
  ],
  [
    'a login by its device code',
    'SELECT * FROM login_requests WHERE code_hash = $1',
    'login_requests_code_hash_key',
  ],
  [
    'a login by its user code',
    'SELECT * FROM login_requests WHERE user_code = $1',
    'login_requests_user_code_key',
  ],
  [
    'what waits with a session that ends',
    'DELETE FROM login_requests WHERE session_id = $1',
    'login_requests_session_id_idx',
  ],
  [
    'the logins that have expired',
    'SELECT id FROM login_requests WHERE expires_at <= $1 ORDER BY expires_at LIMIT 1000',
    'login_requests_expires_at_idx',
  ],
  ['a sign-on that was begun', 'DELETE FROM sign_on_attempts WHERE state_hash = $1', 'sign_on_attempts_pkey'],
  [
    'sign-ons that took too long',
    'DELETE FROM sign_on_attempts WHERE expires_at <= $1',
    'sign_on_attempts_expires_at_idx',
  ],
  [
    'sign-ons of a session, when it ends',
    'DELETE FROM sign_on_attempts WHERE session_id = $1',
    'sign_on_attempts_session_id_idx',
  ],
  [
    'the team of a partner',
    'SELECT * FROM partner_teams WHERE connection_id = $1 AND team_id = $2',
    'partner_teams_connection_id_team_id_key',
  ],
  [
    'the audit log of an organization, newest first',
    'SELECT * FROM audit_log WHERE organization_id = $1 ORDER BY at DESC, id DESC LIMIT 100',
    'audit_log_organization_id_at_id_idx',
  ],
  [
    'the audit log of an organization behind a row',
    'SELECT * FROM audit_log WHERE organization_id = $1 AND at <= $2 AND NOT (at = $2 AND id >= $3) ORDER BY at DESC, id DESC LIMIT 100',
    'audit_log_organization_id_at_id_idx',
  ],
  ...(['action', 'target', 'actor_user_id', 'actor_credential_id', 'request_id'] as const).map(
    (column) =>
      [
        `the audit log of an organization by ${column}`,
        `SELECT * FROM audit_log WHERE organization_id = $1 AND ${column} = $2 ORDER BY at DESC, id DESC LIMIT 100`,
        `audit_log_organization_id_${column}_at_id_idx`,
      ] as const,
  ),
  [
    'the next rows of a chain',
    'SELECT * FROM audit_log WHERE chain = $1 AND sequence > $2 ORDER BY sequence LIMIT 1000',
    'audit_log_chain_sequence_key',
  ],
]

describe('tables that grow', () => {
  const plans = forSuite(() => Plans.open())

  it.each(QUESTIONS)('%s: found by an index, in its order', async (_, statement, index) => {
    const plan = await plans.of(statement)
    expect(plan).toContain(index)
    expect(plan).not.toMatch(/Seq Scan|Sort/)
  })
})

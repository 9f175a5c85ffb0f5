import { Prisma, type Passkey } from '../generated/prisma/client.js'
import type { Transaction } from './database.js'

/*
 * Every lock of identity, in the order in which transactions take them. A transaction may skip locks, but never goes back,
 * so no two transactions wait for each other. Several rows of one lock are locked in the order of their ids.
 *
 *  0 call             advisory "idempotent-call:<hash>", `IdempotentCalls`: a call is made once, then its reply is repeated
 *  1 account          users
 *  2 admins           memberships with the role admin
 *  3 members          other memberships
 *  4 second factor    totps, then passkeys
 *  5 invitation       invitations
 *  6 mailbox          advisory "invitation:<email address>": invitations of several organizations
 *  7 token            workload_trusts, then organization_tokens, then advisory "device-keys:<project>:<serial number>",
 *                       then onboarding_tokens, then device_cas
 *  8 connection       sso_connections
 *  9 team             partner_teams
 * 10 pending links    advisory "partner-links:<organization>": requests are counted one after the other
 * 11 rules            organization_rules
 * 12 sessions         sessions
 * 13 login            login_requests: after 12, since the end of a session deletes those that it allowed
 * 14 identities       sso_identities. Only a sign-in locks its own identity before 12: it holds 1 and 8 as well
 * 15 audit chain      audit_chains: at the end, since every transaction of an organization needs it
 *
 * Statements that write several rows without a lock of this list (legacy_tokens, organization_token_uses) sort them first.
 * Background jobs use SKIP LOCKED and never wait.
 */

/** A user's row. */
export interface LockedUser {
  readonly id: string
  readonly email: string
  readonly passwordHash: string | null
}

/**
 * 1. Locks an account. Changes of its password, keys, memberships and its deletion run one after the other.
 *
 * @returns undefined if the account does not exist
 */
export function lockUser(transaction: Transaction, userId: string): Promise<LockedUser | undefined> {
  return lockUserWhere(transaction, Prisma.sql`id = ${userId}::uuid`)
}

/** 1. Like {@link lockUser}, by lower-case email address. */
export function lockUserByEmail(transaction: Transaction, email: string): Promise<LockedUser | undefined> {
  return lockUserWhere(transaction, Prisma.sql`email = ${email}`)
}

async function lockUserWhere(
  transaction: Transaction,
  condition: Prisma.Sql,
): Promise<LockedUser | undefined> {
  const rows = await transaction.$queryRaw<LockedUser[]>`
    SELECT id, email, password_hash AS "passwordHash" FROM users WHERE ${condition} FOR UPDATE`
  return rows[0]
}

/** 1. Locks all accounts: other transactions cannot create one until this one ends. */
export async function lockAllUsers(transaction: Transaction): Promise<void> {
  await transaction.$executeRaw`LOCK TABLE users IN SHARE ROW EXCLUSIVE MODE`
}

/** A user in an organization. */
export interface Member {
  readonly organizationId: string
  readonly userId: string
}

/** 2. Locks the admins of organizations: of two admins who remove each other, the second finds that it is no admin anymore. */
export function lockAdminsOf(
  transaction: Transaction,
  organizationIds: readonly string[],
): Promise<readonly Member[]> {
  return transaction.$queryRaw<Member[]>`
    SELECT organization_id AS "organizationId", user_id AS "userId" FROM memberships
    WHERE organization_id = ANY(${[...organizationIds]}::uuid[]) AND role = 'admin'
    ORDER BY organization_id, user_id
    FOR NO KEY UPDATE`
}

/** 2. Locks the admins of an organization. @returns their user ids */
export async function lockAdmins(
  transaction: Transaction,
  organizationId: string,
): Promise<ReadonlySet<string>> {
  const admins = await lockAdminsOf(transaction, [organizationId])
  return new Set(admins.map(({ userId }) => userId))
}

/** 3. Locks the memberships of users in an organization. @returns the user ids of those who are members */
export async function lockMembers(
  transaction: Transaction,
  organizationId: string,
  userIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await transaction.$queryRaw<{ readonly userId: string }[]>`
    SELECT user_id AS "userId" FROM memberships
    WHERE organization_id = ${organizationId}::uuid AND user_id = ANY(${[...userIds]}::uuid[])
    ORDER BY user_id
    FOR NO KEY UPDATE`
  return new Set(rows.map(({ userId }) => userId))
}

/** A user's authenticator. */
export interface LockedTotp {
  readonly userId: string
  readonly secretBox: Uint8Array
  readonly pepperId: string
  readonly confirmedAt: Date | null
  readonly lastStep: number
  readonly failures: number
  readonly blockedUntil: Date | null
}

/** 4. Locks the authenticator of a user: a code is accepted once, and each wrong code is counted. */
export async function lockTotp(transaction: Transaction, userId: string): Promise<LockedTotp | undefined> {
  const rows = await transaction.$queryRaw<LockedTotp[]>`
    SELECT user_id AS "userId", secret_box AS "secretBox", pepper_id AS "pepperId",
           confirmed_at AS "confirmedAt", last_step AS "lastStep", failures, blocked_until AS "blockedUntil"
    FROM totps WHERE user_id = ${userId}::uuid
    FOR UPDATE`
  return rows[0]
}

/** A passkey, as it is verified. */
export type LockedPasskey = Readonly<Pick<Passkey, 'id' | 'publicKey' | 'counter' | 'challengedAt'>>

/** 4. Locks a passkey of a user: it signs each challenge once. */
export async function lockPasskey(
  transaction: Transaction,
  userId: string,
  credentialId: Uint8Array,
): Promise<LockedPasskey | undefined> {
  const rows = await transaction.$queryRaw<LockedPasskey[]>`
    SELECT id, public_key AS "publicKey", counter, challenged_at AS "challengedAt"
    FROM passkeys WHERE credential_id = ${credentialId} AND user_id = ${userId}::uuid
    FOR UPDATE`
  return rows[0]
}

/** 5. Locks an invitation. */
export async function lockInvitation(transaction: Transaction, id: string): Promise<void> {
  await transaction.$queryRaw`SELECT 1 FROM invitations WHERE id = ${id}::uuid FOR UPDATE`
}

/** 6. Locks the invitations for an email address, of all organizations. */
export function lockMailbox(transaction: Transaction, email: string): Promise<void> {
  return lockText(transaction, `invitation:${email}`)
}

/** 7. Locks a trust for a change: an exchange ends before, or waits and then finds the change. @returns whether there is such a trust */
export async function lockTrust(
  transaction: Transaction,
  id: string,
  organizationId: string,
): Promise<boolean> {
  const rows = await transaction.$queryRaw<unknown[]>`
    SELECT 1 FROM workload_trusts WHERE id = ${id}::uuid AND organization_id = ${organizationId}::uuid FOR UPDATE`
  return rows.length > 0
}

/** 7. Keeps trusts from being changed or deleted. @returns those that exist, each with a hash of its columns */
export function holdTrusts(
  transaction: Transaction,
  ids: readonly string[],
): Promise<readonly { readonly id: string; readonly version: string }[]> {
  return transaction.$queryRaw<{ readonly id: string; readonly version: string }[]>`
    SELECT id, md5(t::text) AS version FROM workload_trusts t WHERE id = ANY(${[...ids]}::uuid[]) ORDER BY id FOR SHARE`
}

/** 7. Locks an organization token. */
export async function lockToken(transaction: Transaction, id: string): Promise<void> {
  await transaction.$queryRaw`SELECT 1 FROM organization_tokens WHERE id = ${id}::uuid FOR UPDATE`
}

/** An organization token that is not deleted until the transaction ends. */
export interface HeldToken {
  readonly createdBy: string
  /** Ids of the credentials that it comes from, the first one first. */
  readonly ancestors: readonly string[]
}

/** 7. Keeps an organization token from being deleted. @returns undefined if it was deleted */
export async function holdToken(transaction: Transaction, id: string): Promise<HeldToken | undefined> {
  const rows = await transaction.$queryRaw<HeldToken[]>`
    SELECT created_by AS "createdBy", ancestors FROM organization_tokens
    WHERE id = ${id}::uuid AND deleted_at IS NULL FOR SHARE`
  return rows[0]
}

/**
 * 8. Locks a connection for a change. A sign-in through it ends before, or waits and then finds the change.
 *
 * @param organizationId null for a connection of a partner
 * @returns false if there is no such connection
 */
export async function lockConnection(
  transaction: Transaction,
  id: string,
  organizationId: string | null,
): Promise<boolean> {
  const rows = await transaction.$queryRaw<unknown[]>`
    SELECT 1 FROM sso_connections
    WHERE id = ${id}::uuid AND organization_id IS NOT DISTINCT FROM ${organizationId}::uuid
    FOR UPDATE`
  return rows.length > 0
}

/** A connection that does not change until the transaction ends. */
export interface HeldConnection {
  readonly id: string
  /** Null for a connection of a partner. */
  readonly organizationId: string | null
  readonly teamIdClaim: string | null
  readonly teamNameClaim: string | null
  readonly issuer: string
  readonly justInTime: boolean
  readonly emailTrusted: boolean
  readonly followsEmail: boolean
  /** RoleMapping, as stored. */
  readonly roleMapping: unknown
}

/** 7. Locks the keys of a device: they are counted one after the other. */
export async function lockDeviceKeys(
  transaction: Transaction,
  projectId: string,
  serial: string,
): Promise<void> {
  await lockText(transaction, `device-keys:${projectId}:${serial}`)
}

/** 7. Keeps a CA from being deleted while it registers a key. @returns false if it does not exist */
export async function holdDeviceCa(transaction: Transaction, id: string): Promise<boolean> {
  const rows = await transaction.$queryRaw<unknown[]>`
    SELECT 1 FROM device_cas WHERE id = ${id}::uuid FOR KEY SHARE`
  return rows.length > 0
}

/** 8. Keeps an enabled connection from changing during a sign-in. */
export async function holdConnection(
  transaction: Transaction,
  id: string,
): Promise<HeldConnection | undefined> {
  const rows = await transaction.$queryRaw<HeldConnection[]>`
    SELECT id, organization_id AS "organizationId", issuer, just_in_time AS "justInTime", role_mapping AS "roleMapping",
           email_trusted AS "emailTrusted", follows_email AS "followsEmail",
           team_id_claim AS "teamIdClaim", team_name_claim AS "teamNameClaim"
    FROM sso_connections WHERE id = ${id}::uuid AND enabled
    FOR SHARE`
  return rows[0]
}

/** The partner team of a session. */
export interface LockedTeam {
  readonly id: string
  readonly name: string
  readonly organizationId: string | null
  readonly projectId: string | null
  readonly requestedOrganizationId: string | null
  readonly requestedBy: string | null
}

/** 9. Locks the partner team of a session. */
export async function lockTeam(
  transaction: Transaction,
  sessionId: string | undefined,
): Promise<LockedTeam | undefined> {
  const rows = await transaction.$queryRaw<LockedTeam[]>`
    SELECT t.id, t.name, t.organization_id AS "organizationId", t.project_id AS "projectId",
           t.requested_organization_id AS "requestedOrganizationId", t.requested_by AS "requestedBy"
    FROM sessions s JOIN partner_teams t ON t.id = s.partner_team_id
    WHERE s.id = ${sessionId ?? null}::uuid
    FOR UPDATE OF t`
  return rows[0]
}

/** 10. Locks the number of pending partner links of an organization. */
export function lockPendingLinks(transaction: Transaction, organizationId: string): Promise<void> {
  return lockText(transaction, `partner-links:${organizationId}`)
}

/** 11. Locks the rules of an organization, and creates their row if there is none. */
export async function lockRules(transaction: Transaction, organizationId: string): Promise<void> {
  await transaction.organizationRule.createMany({ data: { organizationId }, skipDuplicates: true })
  await transaction.$queryRaw`
    SELECT 1 FROM organization_rules WHERE organization_id = ${organizationId}::uuid FOR NO KEY UPDATE`
}

export interface DeletedSession {
  readonly id: string
  readonly userId: string
  readonly lastSeenAt: Date
  readonly endsAt: Date
}

/** 12. Locks and deletes sessions. @param which condition on the columns of `sessions` */
export function deleteSessions(transaction: Transaction, which: Prisma.Sql): Promise<DeletedSession[]> {
  return transaction.$queryRaw<DeletedSession[]>`
    DELETE FROM sessions WHERE id IN (SELECT id FROM sessions WHERE ${which} ORDER BY id FOR UPDATE)
    RETURNING id, user_id AS "userId", last_seen_at AS "lastSeenAt", ends_at AS "endsAt"`
}

/** 13. Locks and deletes a login that was allowed. @returns false if it is gone */
export async function deleteLoginRequest(transaction: Transaction, id: string): Promise<boolean> {
  const { count } = await transaction.loginRequest.deleteMany({ where: { id } })
  return count > 0
}

/** 14. Locks the identities of a user or of a connection before they are deleted. */
export async function lockIdentities(
  transaction: Transaction,
  of: { readonly userId: string } | { readonly connectionId: string },
): Promise<void> {
  const which =
    'userId' in of
      ? Prisma.sql`user_id = ${of.userId}::uuid`
      : Prisma.sql`connection_id = ${of.connectionId}::uuid`
  await transaction.$queryRaw`SELECT 1 FROM sso_identities WHERE ${which} ORDER BY id FOR UPDATE`
}

/** A person who signed in at a provider before. */
export interface LockedIdentity {
  readonly id: string
  /** Null if the link or the account was deleted. */
  readonly userId: string | null
}

/** 14. Locks the identity of a person who signs in: a concurrent unlink waits, and then ends the new session too. */
export async function lockIdentity(
  transaction: Transaction,
  key: { readonly connectionId: string; readonly issuer: string; readonly subject: string },
): Promise<LockedIdentity | undefined> {
  const rows = await transaction.$queryRaw<LockedIdentity[]>`
    SELECT id, user_id AS "userId" FROM sso_identities
    WHERE connection_id = ${key.connectionId}::uuid AND issuer = ${key.issuer} AND subject = ${key.subject}
    FOR UPDATE`
  return rows[0]
}

/** The end of an audit chain. */
export interface ChainHead {
  readonly id: string
  readonly length: bigint
  readonly hash: Uint8Array | null
}

/** 15. Locks the ends of audit chains, and creates those that do not exist. */
export function lockChains(transaction: Transaction, chains: Iterable<string>): Promise<ChainHead[]> {
  return transaction.$queryRaw<ChainHead[]>`
    INSERT INTO audit_chains AS known (id, length)
    SELECT id, 0 FROM unnest(${[...chains]}::uuid[]) AS wanted (id) ORDER BY id
    ON CONFLICT (id) DO UPDATE SET length = known.length
    RETURNING id, length, head_hash AS hash`
}

async function lockText(transaction: Transaction, text: string): Promise<void> {
  await transaction.$queryRaw`SELECT 1 FROM pg_advisory_xact_lock(hashtextextended(${text}, 0))`
}

import type { Actor } from '@bearing/service/audit/audit-row'
import { recordAudit } from '../../ground/audit/record-audit.js'
import type { Transaction } from '../../ground/database.js'
import { recordCredentialChange } from '../../ground/events/credential-changes.js'
import { deleteSessions } from '../../ground/locks.js'
import { Prisma } from '../../generated/prisma/client.js'
import { callingSession } from './calling-session.js'

/** Maximum number of tags in one event: it must fit into a message. */
const MAX_TAGS = 1_000

/** Up to this number, each session gets its own audit event; more sessions share one, so that thousands can end in time. */
const MAX_EVENTS = 20

interface Ending {
  readonly by: Actor
  /** The organization whose audit log records it. */
  readonly organizationId?: string | null
  /** The target of an audit event for many sessions. */
  readonly target: readonly [kind: string, id: string]
}

/**
 * Ends one session of a user.
 *
 * @param connectionId if given, only if the session was started through this connection
 * @returns how many sessions ended: 0 or 1
 */
export function endSessionOfUser(
  transaction: Transaction,
  by: Actor,
  userId: string,
  id: string,
  connectionId?: string,
): Promise<number> {
  const through = connectionId === undefined ? Prisma.empty : throughConnection(connectionId)
  return end(transaction, Prisma.sql`user_id = ${userId}::uuid AND id = ${id}::uuid ${through}`, {
    ...{ by, target: ['session', id] },
  })
}

/**
 * Ends all sessions of a user except one.
 *
 * @param connectionId if given, only sessions that were started through this connection
 * @returns how many sessions ended
 */
export function endSessionsOfUser(
  transaction: Transaction,
  by: Actor,
  userId: string,
  options: {
    readonly except?: string | undefined
    readonly connectionId?: string | undefined
    readonly organizationId?: string | null
  } = {},
): Promise<number> {
  const { except = null, connectionId, organizationId = null } = options
  const through = connectionId === undefined ? Prisma.empty : throughConnection(connectionId)
  const which = Prisma.sql`user_id = ${userId}::uuid AND id IS DISTINCT FROM ${except}::uuid ${through}`
  return end(transaction, which, { by, organizationId, target: ['user', userId] })
}

/** Ends the sessions with which a user reaches an organization by single sign-on. */
export function endSessionsInOrganization(
  transaction: Transaction,
  by: Actor,
  userId: string,
  organizationId: string,
): Promise<number> {
  const which = Prisma.sql`user_id = ${userId}::uuid
    AND (connection_id IN (SELECT id FROM sso_connections WHERE organization_id = ${organizationId}::uuid)
         OR partner_team_id IN (SELECT id FROM partner_teams WHERE organization_id = ${organizationId}::uuid))`
  return end(transaction, which, { by, organizationId, target: ['user', userId] })
}

/**
 * Ends the sessions of all users that were started through a connection.
 *
 * @param organizationId of the connection; null for a connection of a partner
 */
export function endSessionsOfConnection(
  transaction: Transaction,
  by: Actor,
  connectionId: string,
  organizationId: string | null,
): Promise<number> {
  const target = ['sso_connection', connectionId] as const
  return end(transaction, Prisma.sql`connection_id = ${connectionId}::uuid`, { by, organizationId, target })
}

/** A user, or one of their sessions, that has signed out at the provider of a connection. */
export interface ProviderLogout {
  readonly connectionId: string
  /** Null for a connection of a partner. */
  readonly organizationId: string | null
  readonly subject: string | undefined
  /** The id of the session at the provider. Undefined: all sessions of the user. */
  readonly sid: string | undefined
  /** Sessions that were started later stay: a logout that is sent again ends nothing new. */
  readonly before: Date
}

/** Ends the sessions that a logout at the provider names. */
export function endSessionsAtProvider(
  transaction: Transaction,
  by: Actor,
  { connectionId, organizationId, subject, sid, before }: ProviderLogout,
): Promise<number> {
  const which = Prisma.sql`connection_id = ${connectionId}::uuid AND created_at <= ${before}::timestamptz
    AND (${sid ?? null}::text IS NULL OR provider_sid = ${sid ?? null})
    AND (${subject ?? null}::text IS NULL OR user_id IN (
      SELECT user_id FROM sso_identities
      WHERE connection_id = ${connectionId}::uuid AND subject = ${subject ?? null}))`
  return end(transaction, which, { by, organizationId, target: ['sso_connection', connectionId] })
}

/**
 * Ends everything that a password opened. Call it whenever a password or the email address changes, with the user locked: pending reset
 * links, changes of the address and unconfirmed authenticators are deleted, and all sessions except the calling one end. The API key stays: a
 * reset deletes it.
 */
export async function endSignIns(
  transaction: Transaction,
  by: Actor,
  { id: userId, email }: { readonly id: string; readonly email: string },
): Promise<void> {
  await transaction.mail.deleteMany({ where: { kind: 'password_reset', subject: email } })
  await transaction.passwordReset.deleteMany({ where: { userId } })
  await transaction.emailChange.deleteMany({ where: { userId } })
  await transaction.totp.deleteMany({ where: { userId, confirmedAt: null } })
  await endSessionsOfUser(transaction, by, userId, { except: callingSession(by) })
  recordCredentialChange(transaction, `user:${userId}`)
}

function throughConnection(connectionId: string): Prisma.Sql {
  return Prisma.sql`AND connection_id = ${connectionId}::uuid`
}

async function end(transaction: Transaction, which: Prisma.Sql, ending: Ending): Promise<number> {
  const { by, organizationId = null, target } = ending
  const ended = await deleteSessions(transaction, which)
  const record = (target: Ending['target'], details = {}) => {
    recordAudit(transaction, by, { action: 'session.ended', target, organizationId, details })
  }
  if (ended.length > MAX_EVENTS) record(target, { sessions: ended.length })
  else for (const { id } of ended) record(['session', id])
  for (let at = 0; at < ended.length; at += MAX_TAGS) {
    const tags = ended.slice(at, at + MAX_TAGS).map(({ id }) => `credential:${id}` as const)
    recordCredentialChange(transaction, ...tags)
  }
  return ended.length
}

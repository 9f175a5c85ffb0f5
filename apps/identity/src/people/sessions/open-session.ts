import { formatToken, parseToken } from '@bearing/access/token-format'
import { MAX_SESSION_AGENT_LENGTH } from '@bearing/contracts/identity/people/session'
import type { SessionMethod } from '@bearing/contracts/principal'
import { currentCall } from '@bearing/nats/call-context'
import { storable } from '@bearing/service/audit/audit-row'
import { Clock } from '@bearing/service/ground/clock'
import { Randomness } from '@bearing/service/ground/randomness'
import { Injectable } from '@nestjs/common'
import { recordAudit } from '../../ground/audit/record-audit.js'
import { CheckSecret } from '../../ground/check-secret.js'
import type { Transaction } from '../../ground/database.js'
import { recordCredentialChange } from '../../ground/events/credential-changes.js'
import { deleteSessions } from '../../ground/locks.js'
import { Peppers } from '../../ground/rules/peppers.js'
import { sessionEnd } from '../../ground/rules/session-end.js'
import { Prisma } from '../../generated/prisma/client.js'
import { RecordSignInNetwork } from '../passwords/record-sign-in-network.js'
import { bySession } from './calling-session.js'
import { SHOWN, toSession } from './session-row.js'
import { SessionSettings } from './session-settings.js'

/** A session to open. The caller has authenticated the user. */
export interface NewSession {
  readonly userId: string
  readonly methods: readonly [SessionMethod, ...SessionMethod[]]
  /** The single sign-on connection of the sign-in, if any. */
  readonly connectionId?: string | undefined
  /** The id of the session at the provider, if it has sent one. */
  readonly providerSid?: string | undefined
  /** The partner team that the user signed in with, if any. */
  readonly partnerTeamId?: string | undefined
  /** `User-Agent` of the browser or command line. */
  readonly userAgent?: string | undefined
  /** The machine whose command line it is for. Left out: it is a browser's. */
  readonly host?: string
  /** True if that machine asked from the network of the browser that allowed it. */
  readonly sameNetwork?: boolean
  /** The latest end (default: the configured lifetime from now). */
  readonly endsAt?: Date
  /** Token of the browser's previous session, if any. That session ends, even if it belongs to another user. */
  readonly replaces?: string | undefined
}

/** Maximum number of sessions of a user. The oldest one ends first. */
const MAX_SESSIONS = 50

/** Maximum number of organizations whose audit logs record one sign-in. */
const MAX_LOGS = 100

/** Opens sessions. Every sign-in gets a new id, so an attacker cannot plant a session before the sign-in. */
@Injectable()
export class OpenSession {
  constructor(
    private readonly secret: CheckSecret,
    private readonly peppers: Peppers,
    private readonly networks: RecordSignInNetwork,
    private readonly settings: SessionSettings,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
  ) {}

  /**
   * Opens a session, and records the client network of the sign-in. The transaction has locked the user.
   *
   * @param id of the session, a new one by default
   * @returns the session and its token
   */
  async open(transaction: Transaction, session: NewSession, id = this.randomness.newId()) {
    const { userId, host, endsAt } = session
    await this.endOthers(transaction, session)
    const token = { kind: 'session', id, secret: this.randomness.bytes(32) } as const
    const now = this.clock.now()
    const { clientAddress } = currentCall() ?? {}
    const row = await transaction.session.create({
      data: {
        ...{ id, userId, ...this.peppers.hash(token), createdAt: now, lastSeenAt: now },
        endsAt: endsAt ?? new Date(now.getTime() + this.settings.lifetimeMs),
        address: clientAddress === undefined ? null : storable(clientAddress),
        userAgent: agentOf(session.userAgent),
        host: host ?? null,
        sameNetwork: session.sameNetwork ?? null,
        methods: [...session.methods],
        connectionId: session.connectionId ?? null,
        providerSid: session.providerSid ?? null,
        partnerTeamId: session.partnerTeamId ?? null,
      },
      select: SHOWN,
    })
    await recordStart(transaction, id, session, now)
    await this.networks.recordIn(transaction, userId, bySession(userId, id))
    return { session: toSession(row, this.settings.idleMs, id), token: formatToken(token) }
  }

  /** Ends the browser's previous session, expired sessions and surplus sessions of the user, in one statement. */
  private async endOthers(transaction: Transaction, session: NewSession): Promise<void> {
    const { userId } = session
    const replacedId = (await this.replacedId(transaction, session)) ?? null
    const now = this.clock.now()
    const { idleMs } = this.settings
    const idleSince = new Date(now.getTime() - idleMs)
    const isExpired = Prisma.sql`(ends_at <= ${now}::timestamptz OR last_seen_at <= ${idleSince}::timestamptz)`
    const deleted = await deleteSessions(
      transaction,
      Prisma.sql`id = ${replacedId}::uuid OR user_id = ${userId}::uuid AND (${isExpired} OR id IN (
        SELECT id FROM sessions
        WHERE user_id = ${userId}::uuid AND NOT ${isExpired} AND id IS DISTINCT FROM ${replacedId}::uuid
        ORDER BY created_at DESC, id DESC OFFSET ${MAX_SESSIONS - 1}))`,
    )
    const ended = deleted.filter((row) => sessionEnd(row, idleMs) > now)
    if (ended.length === 0) return
    for (const { id, userId } of ended)
      recordAudit(transaction, bySession(userId, id), { action: 'session.ended', target: ['session', id] })
    recordCredentialChange(transaction, ...ended.map(({ id }) => `credential:${id}` as const))
  }

  /** Requires the secret: an id alone must not end a session. A wrong token never prevents a sign-in. */
  private async replacedId(
    transaction: Transaction,
    { replaces = '' }: NewSession,
  ): Promise<string | undefined> {
    const token = parseToken(replaces)
    if (token?.kind !== 'session') return undefined
    const row = await transaction.session.findUnique({ where: { id: token.id } })
    return row && this.secret.matches(token, row, 'wrong') ? row.id : undefined
  }
}

/** Records the sign-in, for the member lists and in the audit log of every organization that the session reaches. */
async function recordStart(
  transaction: Transaction,
  id: string,
  session: NewSession,
  now: Date,
): Promise<void> {
  const organizationIds = await organizationsOf(transaction, session)
  const agent = agentOf(session.userAgent)
  await transaction.$executeRaw`
    INSERT INTO member_sign_ins (user_id, organization_id, at)
    SELECT user_id, organization_id, ${now}::timestamptz FROM memberships
    WHERE user_id = ${session.userId}::uuid AND organization_id = ANY (${organizationIds}::uuid[])
    ORDER BY organization_id
    ON CONFLICT (user_id, organization_id) DO UPDATE SET at = excluded.at`
  for (const organizationId of organizationIds.length > 0 ? organizationIds : [null])
    recordAudit(transaction, bySession(session.userId, id), {
      action: 'session.started',
      target: ['session', id],
      organizationId,
      details: {
        methods: [...session.methods],
        ...(session.host !== undefined && { host: session.host }),
        ...(agent !== null && { user_agent: agent }),
      },
    })
}

/** Returns the organizations that a session reaches: that of its connection or team, or those of the user. */
async function organizationsOf(
  transaction: Transaction,
  { userId, connectionId, partnerTeamId }: NewSession,
): Promise<readonly string[]> {
  const select = { organizationId: true }
  if (connectionId !== undefined) {
    const reached = partnerTeamId
      ? await transaction.partnerTeam.findUnique({ where: { id: partnerTeamId }, select })
      : await transaction.ssoConnection.findUnique({ where: { id: connectionId }, select })
    return reached?.organizationId ? [reached.organizationId] : []
  }
  const orderBy = { organizationId: 'asc' } as const
  const rows = await transaction.membership.findMany({ where: { userId }, orderBy, take: MAX_LOGS, select })
  return rows.map(({ organizationId }) => organizationId)
}

function agentOf(text: string | undefined): string | null {
  return text?.replaceAll(/\p{Cc}/gu, '').slice(0, MAX_SESSION_AGENT_LENGTH) ?? null
}

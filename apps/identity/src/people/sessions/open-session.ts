import { formatToken, parseToken } from '@bearing/access/token-format'
import { MAX_SESSION_AGENT_LENGTH } from '@bearing/contracts/identity/session'
import type { SessionMethod } from '@bearing/contracts/principal'
import { currentCall } from '@bearing/nats/call-context'
import { storable, type Actor } from '@bearing/service/audit-row'
import { Clock } from '@bearing/service/clock'
import { Randomness } from '@bearing/service/randomness'
import { Injectable } from '@nestjs/common'
import { AuditLog } from '../../ground/audit/audit-log.js'
import { CheckSecret } from '../../ground/check-secret.js'
import type { Transaction } from '../../ground/database.js'
import { CredentialChanges, type CredentialChange } from '../../ground/events/credential-changes.js'
import { Prisma } from '../../generated/prisma/client.js'
import { Peppers } from '../../ground/rules/peppers.js'
import { sessionEnd } from '../../ground/rules/session-end.js'
import { deleteSessions } from './delete-sessions.js'
import { SessionSettings } from './session-settings.js'
import { SHOWN, toSession } from './session-row.js'

/** A session that is to be opened. Whoever opens it has proven who the user is. */
export interface NewSession {
  readonly userId: string
  /** How the user has signed in; at least one. */
  readonly methods: readonly [SessionMethod, ...SessionMethod[]]
  /** The single sign-on connection that it was through, if any. */
  readonly connectionId?: string | undefined
  /** The team of a partner that the user came with, if any (PartnerTeam). */
  readonly partnerTeamId?: string | undefined
  /** `User-Agent` of the browser. */
  readonly userAgent?: string | undefined
  /** Token of the session that the browser had until now, if any. It ends, whoever's it was. */
  readonly replaces?: string | undefined
}

/** The most sessions of a user: more browsers than anybody uses in a week. */
const MAX_SESSIONS = 50

/** Organizations whose logs tell of one sign-in at most. */
const MAX_LOGS = 100

/** Opens a session: every sign-in gets a new one with a new id, so none that was planted before is ever signed in. */
@Injectable()
export class OpenSession {
  constructor(
    private readonly audit: AuditLog,
    private readonly changes: CredentialChanges,
    private readonly secret: CheckSecret,
    private readonly peppers: Peppers,
    private readonly settings: SessionSettings,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
  ) {}

  /**
   * @returns the session, the token for the cookie, and what is to be published after the commit
   */
  async open(transaction: Transaction, session: NewSession) {
    const { userId } = session
    const change = await this.endOthers(transaction, session)
    const token = {
      kind: 'session',
      id: this.randomness.newId(),
      secret: this.randomness.bytes(32),
    } as const
    const now = this.clock.now()
    const { clientAddress } = currentCall() ?? {}
    const row = await transaction.session.create({
      data: {
        id: token.id,
        userId,
        ...this.peppers.hash(token),
        createdAt: now,
        lastSeenAt: now,
        endsAt: new Date(now.getTime() + this.settings.lifetimeMs),
        address: clientAddress === undefined ? null : storable(clientAddress),
        userAgent: agentOf(session.userAgent),
        methods: [...session.methods],
        connectionId: session.connectionId ?? null,
        partnerTeamId: session.partnerTeamId ?? null,
      },
      select: SHOWN,
    })
    await this.recordStart(transaction, token.id, session)
    return { session: toSession(row, this.settings.idleMs, token.id), token: formatToken(token), change }
  }

  /**
   * Ends what goes when a session is opened: the one that the browser had, what has run out, and the oldest of a user who
   * opens more than anybody has browsers. All of them at once, in the order that everybody keeps.
   */
  private async endOthers(
    transaction: Transaction,
    session: NewSession,
  ): Promise<CredentialChange | undefined> {
    const { userId } = session
    const replacedId = (await this.replacedId(transaction, session)) ?? null
    const now = this.clock.now()
    const { idleMs } = this.settings
    const idleSince = new Date(now.getTime() - idleMs)
    const hasRunOut = Prisma.sql`(ends_at <= ${now}::timestamptz OR last_seen_at <= ${idleSince}::timestamptz)`
    const gone = await deleteSessions(
      transaction,
      Prisma.sql`id = ${replacedId}::uuid OR user_id = ${userId}::uuid AND (${hasRunOut} OR id IN (
        SELECT id FROM sessions
        WHERE user_id = ${userId}::uuid AND NOT ${hasRunOut} AND id IS DISTINCT FROM ${replacedId}::uuid
        ORDER BY created_at DESC, id DESC OFFSET ${MAX_SESSIONS - 1}))`,
    )
    // What has run out was of no use to anybody any more.
    const ended = gone.filter((row) => sessionEnd(row, idleMs) > now)
    if (ended.length === 0) return undefined
    for (const row of ended) await this.recordEnd(transaction, row.id, row.userId)
    return this.changes.record(transaction, ...ended.map(({ id }) => `credential:${id}` as const))
  }

  /** Only with the secret: an id alone must not end somebody's session. Nobody is kept from signing in by what they had. */
  private async replacedId(
    transaction: Transaction,
    { replaces = '' }: NewSession,
  ): Promise<string | undefined> {
    const token = parseToken(replaces)
    if (token?.kind !== 'session') return undefined
    const row = await transaction.session.findUnique({ where: { id: token.id } })
    return row && this.secret.matches(token, row, 'wrong') ? row.id : undefined
  }

  /** In the log of every organization that it opens, so that its admins see who signs in, and how. */
  private async recordStart(transaction: Transaction, id: string, session: NewSession): Promise<void> {
    const organizationIds = await organizationsOf(transaction, session)
    for (const organizationId of organizationIds.length > 0 ? organizationIds : [null])
      await this.audit.record(transaction, bySession(session.userId, id), {
        action: 'session.started',
        target: ['session', id],
        organizationId,
        details: { methods: [...session.methods] },
      })
  }

  private recordEnd(transaction: Transaction, id: string, userId: string): Promise<void> {
    return this.audit.record(transaction, bySession(userId, id), {
      action: 'session.ended',
      target: ['session', id],
    })
  }
}

/** The session itself: whoever came with it, or with what it was opened for. */
function bySession(userId: string, id: string): Actor {
  return { kind: 'user', user_id: userId, email: '', credential_id: id, proof: 'session', grants: [] }
}

/** The organizations that a session opens: that of its connection or team alone, or those that its user is a member of. */
async function organizationsOf(
  transaction: Transaction,
  { userId, connectionId, partnerTeamId }: NewSession,
): Promise<readonly string[]> {
  if (connectionId !== undefined) {
    const select = { organizationId: true }
    const reached = partnerTeamId
      ? await transaction.partnerTeam.findUnique({ where: { id: partnerTeamId }, select })
      : await transaction.ssoConnection.findUnique({ where: { id: connectionId }, select })
    return reached?.organizationId ? [reached.organizationId] : []
  }
  const memberships = await transaction.membership.findMany({
    where: { userId },
    orderBy: { organizationId: 'asc' },
    take: MAX_LOGS,
    select: { organizationId: true },
  })
  return memberships.map(({ organizationId }) => organizationId)
}

function agentOf(text: string | undefined): string | null {
  return text?.replaceAll(/\p{Cc}/gu, '').slice(0, MAX_SESSION_AGENT_LENGTH) ?? null
}

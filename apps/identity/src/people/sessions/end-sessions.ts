import type { Actor } from '@bearing/service/audit-row'
import { Injectable } from '@nestjs/common'
import { AuditLog } from '../../ground/audit/audit-log.js'
import type { Transaction } from '../../ground/database.js'
import { CredentialChanges, type CredentialChange } from '../../ground/events/credential-changes.js'
import { Prisma } from '../../generated/prisma/client.js'
import { deleteSessions, type DeletedSession } from './delete-sessions.js'

/** What has ended, and what is to be published of it after the commit. */
export interface EndedSessions {
  readonly count: number
  readonly change: CredentialChange | undefined
}

/** Tags of one event at most: it has to fit into a message. */
const MAX_TAGS = 1_000

/** Sessions that have a row each in the audit log; more at once have one together. */
const MAX_ROWS = 20

/** Ends sessions of a user. */
@Injectable()
export class EndSessions {
  constructor(
    private readonly audit: AuditLog,
    private readonly changes: CredentialChanges,
  ) {}

  /**
   * Ends one. The count is 0 where the user has no such session.
   *
   * @param within only where it was started through this connection; through any or none unless given
   */
  async one(
    transaction: Transaction,
    by: Actor,
    userId: string,
    id: string,
    within?: string,
  ): Promise<EndedSessions> {
    const ended = await deleteSessions(
      transaction,
      Prisma.sql`user_id = ${userId}::uuid AND id = ${id}::uuid
        AND (${within ?? null}::uuid IS NULL OR connection_id = ${within ?? null}::uuid)`,
    )
    return this.record(transaction, by, `credential:${id}`, ended)
  }

  /**
   * Ends all of them.
   *
   * @param except one that stays
   */
  async all(
    transaction: Transaction,
    by: Actor,
    userId: string,
    except: string | undefined,
  ): Promise<EndedSessions> {
    const ended = await deleteSessions(
      transaction,
      Prisma.sql`user_id = ${userId}::uuid AND id IS DISTINCT FROM ${except ?? null}::uuid`,
    )
    return this.record(transaction, by, `user:${userId}`, ended)
  }

  /** Ends those with which a user reaches an organization by single sign-on. */
  async reaching(
    transaction: Transaction,
    by: Actor,
    userId: string,
    organizationId: string,
  ): Promise<EndedSessions> {
    const ended = await deleteSessions(
      transaction,
      Prisma.sql`user_id = ${userId}::uuid
        AND (connection_id IN (SELECT id FROM sso_connections WHERE organization_id = ${organizationId}::uuid)
             OR partner_team_id IN (SELECT id FROM partner_teams WHERE organization_id = ${organizationId}::uuid))`,
    )
    return this.record(transaction, by, `user:${userId}`, ended, organizationId)
  }

  /**
   * Ends those that were started through a connection, of everybody.
   *
   * @param organizationId in whose log it is told; null: the connection is a partner's
   */
  async through(
    transaction: Transaction,
    by: Actor,
    connectionId: string,
    organizationId: string | null,
  ): Promise<CredentialChange[]> {
    const ended = await deleteSessions(transaction, Prisma.sql`connection_id = ${connectionId}::uuid`)
    await this.audited(transaction, by, ended, organizationId, ['sso_connection', connectionId])
    const changes: CredentialChange[] = []
    for (let at = 0; at < ended.length; at += MAX_TAGS) {
      const tags = ended.slice(at, at + MAX_TAGS).map(({ id }) => `credential:${id}` as const)
      changes.push(await this.changes.record(transaction, ...tags))
    }
    return changes
  }

  /**
   * Ends those of a user that were started through a connection.
   *
   * @param except one that stays
   */
  async ofUserThrough(
    transaction: Transaction,
    by: Actor,
    userId: string,
    connectionId: string,
    organizationId: string | null,
    except?: string,
  ): Promise<EndedSessions> {
    const ended = await deleteSessions(
      transaction,
      Prisma.sql`user_id = ${userId}::uuid AND connection_id = ${connectionId}::uuid
        AND id IS DISTINCT FROM ${except ?? null}::uuid`,
    )
    return this.record(transaction, by, `user:${userId}`, ended, organizationId)
  }

  private async record(
    transaction: Transaction,
    by: Actor,
    tag: `credential:${string}` | `user:${string}`,
    ended: readonly DeletedSession[],
    organizationId: string | null = null,
  ): Promise<EndedSessions> {
    const count = ended.length
    if (count === 0) return { count, change: undefined }
    const whose = tag.startsWith('user:') ? tag.slice('user:'.length) : undefined
    await this.audited(
      transaction,
      by,
      ended,
      organizationId,
      whose === undefined ? undefined : ['user', whose],
    )
    return { count, change: await this.changes.record(transaction, tag) }
  }

  private async audited(
    transaction: Transaction,
    by: Actor,
    ended: readonly DeletedSession[],
    organizationId: string | null,
    together?: readonly [kind: string, id: string],
  ): Promise<void> {
    // A row for each would let who has opened thousands make it take so long that none of them ends.
    if (together && ended.length > MAX_ROWS) {
      const details = { sessions: ended.length }
      await this.audit.record(transaction, by, {
        action: 'session.ended',
        target: together,
        organizationId,
        details,
      })
      return
    }
    for (const { id } of ended)
      await this.audit.record(transaction, by, {
        action: 'session.ended',
        target: ['session', id],
        organizationId,
      })
  }
}

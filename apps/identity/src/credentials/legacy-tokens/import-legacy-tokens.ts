import { refuseMistakes, type Mistake } from '@bearing/contracts/errors'
import { importLegacyTokens } from '@bearing/contracts/identity/tokens/legacy-token'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { MAX_LEGACY_TOKENS, refuseBeyond } from '@bearing/contracts/counts/quota'
import { Handle } from '@bearing/nats/handle'
import { Clock } from '@bearing/service/ground/clock'
import { Randomness } from '@bearing/service/ground/randomness'
import { Controller } from '@nestjs/common'
import { recordAudit } from '../../ground/audit/record-audit.js'
import { Database, type Transaction } from '../../ground/database.js'
import { recordCredentialChange, type Tag } from '../../ground/events/credential-changes.js'
import { requireAdmin } from '../../organizations/members/require-admin.js'
import { refuseForeignProject } from '../../organizations/project-members/project-scope.js'
import { callingUser } from '../../people/users/calling-user.js'

type Import = Input<typeof importLegacyTokens>

interface Row {
  readonly id: string
  readonly hash: string
  readonly isNew: boolean
}

const QUOTA = {
  ...{ resource: 'legacy_tokens', limit: MAX_LEGACY_TOKENS, raised_by: 'nobody' as const },
  has: 'The organization has too many legacy location tokens',
  remedy: 'Delete those that are retired',
}

@Controller()
export class ImportLegacyTokens {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
  ) {}

  @Handle(importLegacyTokens)
  async execute(input: Import, by: Principal): Promise<Output<typeof importLegacyTokens>> {
    refuseMistakes(mistakesOf(input, this.clock.now()))
    const rows = await this.database.transaction(async (transaction) => {
      const { userId } = callingUser(by)
      await requireAdmin(transaction, input.organization_id, userId, 'legacy-token:import')
      const projectIds = [...new Set(input.tokens.flatMap((token) => token.project_id ?? []))]
      for (const project_id of projectIds)
        await refuseForeignProject(transaction, { organization_id: input.organization_id, project_id })
      const rows = await this.write(transaction, input, userId)
      const { organization_id: organizationId } = input
      // The imported tokens count already.
      refuseBeyond(QUOTA, (await transaction.legacyToken.count({ where: { organizationId } })) - 1)
      const known = new Set(rows.map(({ hash }) => hash))
      refuseMistakes(
        input.tokens.flatMap(({ sha256 }, index) =>
          known.has(sha256)
            ? []
            : [{ pointer: `/tokens/${String(index)}/sha256`, detail: 'belongs to another organization' }],
        ),
      )
      recordAudit(transaction, by, {
        action: 'legacy_tokens.imported',
        target: ['organization', input.organization_id],
        organizationId: input.organization_id,
        details: {
          tokens: rows.length,
          sunset_at: input.sunset_at,
          ...(projectIds.length > 0 && { project_ids: projectIds.slice(0, 100) }),
        },
      })
      const updated = rows.filter(({ isNew }) => !isNew).map(({ id }): Tag => `credential:${id}`)
      if (updated.length > 0) recordCredentialChange(transaction, ...updated)
      return rows
    })
    const imported = rows.filter(({ isNew }) => isNew).length
    return { imported, updated: rows.length - imported }
  }

  /**
   * Writes in the order of hashes, against deadlocks. Without a project a token keeps the one that it is bound to: an import must not
   * let it reach more.
   *
   * @returns the rows that belong to the organization
   */
  private write(transaction: Transaction, input: Import, userId: string): Promise<Row[]> {
    const { tokens } = input
    return transaction.$queryRaw<Row[]>`
      INSERT INTO legacy_tokens (id, organization_id, hash, kind, description, imported_at, imported_by, sunset_at,
                                 project_id)
      SELECT given.id, ${input.organization_id}::uuid, decode(given.hash, 'hex'), given.kind, given.description,
             ${this.clock.now()}::timestamptz, ${userId}::uuid, ${input.sunset_at}::timestamptz,
             given.project_id
      FROM unnest(
        ${tokens.map(() => this.randomness.newId())}::uuid[],
        ${tokens.map(({ sha256 }) => sha256)}::text[],
        ${tokens.map(({ kind }) => kind)}::text[],
        ${tokens.map(({ description }) => description)}::text[],
        ${tokens.map(({ project_id = null }) => project_id)}::uuid[]
      ) AS given (id, hash, kind, description, project_id)
      ORDER BY given.hash
      ON CONFLICT (hash) DO UPDATE
      SET kind = excluded.kind, description = coalesce(nullif(excluded.description, ''), legacy_tokens.description),
          sunset_at = excluded.sunset_at,
          project_id = coalesce(excluded.project_id, legacy_tokens.project_id)
      WHERE legacy_tokens.organization_id = excluded.organization_id
      RETURNING id, encode(hash, 'hex') AS hash, xmax = 0 AS "isNew"`
  }
}

function mistakesOf({ sunset_at, tokens }: Import, now: Date): Mistake[] {
  const seen = new Set<string>()
  const twice = tokens.flatMap(({ sha256 }, index) => {
    if (!seen.has(sha256)) {
      seen.add(sha256)
      return []
    }
    return [{ pointer: `/tokens/${String(index)}/sha256`, detail: 'is in the list already' }]
  })
  return new Date(sunset_at) > now
    ? twice
    : [{ pointer: '/sunset_at', detail: 'must be in the future' }, ...twice]
}

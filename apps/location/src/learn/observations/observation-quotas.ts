import { OperationError } from '@bearing/contracts/errors'
import type { QuotaUse } from '@bearing/contracts/errors/error-details'
import type { Limit, RateLimits } from '@bearing/service/store/rate-limits'

const DAY_S = 24 * 3_600

interface Contributor {
  readonly organization_id: string
  readonly project_id: string
}

interface Quota {
  readonly limit: Limit
  readonly scope: QuotaUse['scope']
  readonly keyOf: (contributor: Contributor) => string
}

/** Limits the bytes of observations that a project and an organization may contribute in a day, from their first one on. */
export class ObservationQuotas {
  private readonly quotas: readonly Quota[]

  /** @param perDay bytes; 0 for any number */
  constructor(limits: RateLimits, perDay: { readonly project: number; readonly organization: number }) {
    const limit = (name: string, points: number) =>
      limits.limit({ name, points, windowS: DAY_S, whenStoreIsDown: 'open' })
    const project = {
      limit: limit('project-observations', perDay.project),
      scope: 'project' as const,
      keyOf: ({ project_id }: Contributor) => project_id,
    }
    const organization = {
      limit: limit('organization-observations', perDay.organization),
      scope: 'organization' as const,
      keyOf: ({ organization_id }: Contributor) => organization_id,
    }
    this.quotas = [project, organization].filter(({ limit: { points } }) => points > 0)
  }

  /** Returns what {@link take} counted, if it was not stored. */
  async notStored(contributor: Contributor, bytes: number): Promise<void> {
    await giveBack(this.quotas, contributor, bytes)
  }

  /**
   * Counts bytes that are contributed.
   *
   * @throws OperationError `rate_limited`
   */
  async take(contributor: Contributor, bytes: number): Promise<void> {
    for (const [index, { limit, scope, keyOf }] of this.quotas.entries()) {
      const { used, endsInMs } = await limit.add(keyOf(contributor), bytes)
      if (used <= limit.points) continue
      // Refused observations do not count.
      await giveBack(this.quotas.slice(0, index + 1), contributor, bytes)
      limit.refused()
      throw new OperationError(
        'rate_limited',
        `The ${scope} may contribute ${String(limit.points)} bytes of observations in a day. Send them again later.`,
        {
          retry_after: Math.min(3_600, Math.max(1, Math.ceil(endsInMs / 1_000))),
          quota: {
            resource: 'observations',
            limit: limit.points,
            used: used - bytes,
            scope,
            raised_by: 'nobody',
          },
        },
      )
    }
  }
}

async function giveBack(quotas: readonly Quota[], contributor: Contributor, bytes: number): Promise<void> {
  for (const { limit, keyOf } of quotas) await limit.add(keyOf(contributor), -bytes)
}

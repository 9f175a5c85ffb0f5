import type { Output } from '@bearing/contracts/operation'
import { reportPeppers } from '@bearing/contracts/identity/credentials/pepper'
import { Handle } from '@bearing/nats/handle'
import { Clock } from '@bearing/service/ground/clock'
import { Controller } from '@nestjs/common'
import { Database } from '../../ground/database.js'
import { Peppers } from '../../ground/rules/peppers.js'

interface Count {
  readonly id: string
  readonly tokens: number
  readonly keys: number
  readonly sessions: number
  readonly factors: number
  readonly connections: number
  readonly onboarding: number
}

@Controller()
export class ReportPeppers {
  constructor(
    private readonly database: Database,
    private readonly peppers: Peppers,
    private readonly clock: Clock,
  ) {}

  @Handle(reportPeppers)
  async execute(): Promise<Output<typeof reportPeppers>> {
    const counts = new Map((await this.count()).map((count) => [count.id, count]))
    const { ids } = this.peppers
    return {
      current: ids[0] ?? '',
      peppers: [...new Set([...ids, ...counts.keys()])].map((id) => ({
        id,
        configured: ids.includes(id),
        organization_tokens: counts.get(id)?.tokens ?? 0,
        user_keys: counts.get(id)?.keys ?? 0,
        sessions: counts.get(id)?.sessions ?? 0,
        second_factors: counts.get(id)?.factors ?? 0,
        sso_connections: counts.get(id)?.connections ?? 0,
        onboarding_tokens: counts.get(id)?.onboarding ?? 0,
      })),
    }
  }

  /** Skips credentials that are refused anyway. Reads whole tables, so only operators may call it. */
  private count(): Promise<Count[]> {
    return this.database.$queryRaw<Count[]>`
      SELECT pepper_id AS id, sum(tokens)::int AS tokens, sum(keys)::int AS keys,
             sum(sessions)::int AS sessions, sum(factors)::int AS factors, sum(connections)::int AS connections,
             sum(onboarding)::int AS onboarding
      FROM (
        SELECT pepper_id, count(*) AS tokens, 0 AS keys, 0 AS sessions, 0 AS factors,
               0 AS connections, 0 AS onboarding
        FROM organization_tokens
        WHERE deleted_at IS NULL AND (expires_at IS NULL OR expires_at > ${this.clock.now()}::timestamptz)
        GROUP BY pepper_id
        UNION ALL
        SELECT pepper_id, 0, count(*), 0, 0, 0, 0 FROM user_keys GROUP BY pepper_id
        UNION ALL
        SELECT pepper_id, 0, 0, count(*), 0, 0, 0 FROM sessions
        WHERE ends_at > ${this.clock.now()}::timestamptz
        GROUP BY pepper_id
        UNION ALL
        SELECT pepper_id, 0, 0, 0, count(DISTINCT user_id), 0, 0
        FROM (
          SELECT user_id, pepper_id FROM totps UNION ALL SELECT user_id, pepper_id FROM recovery_codes
        ) AS second_factors
        GROUP BY pepper_id
        UNION ALL
        SELECT pepper_id, 0, 0, 0, 0, count(DISTINCT id), 0
        FROM (
          SELECT id, pepper_id FROM sso_connections UNION ALL SELECT id, key_pepper_id FROM sso_connections
        ) AS clients
        WHERE pepper_id IS NOT NULL
        GROUP BY pepper_id
        UNION ALL
        SELECT pepper_id, 0, 0, 0, 0, 0, count(*) FROM onboarding_tokens
        WHERE expires_at > ${this.clock.now()}::timestamptz
        GROUP BY pepper_id
      ) AS counted
      GROUP BY pepper_id
      ORDER BY pepper_id`
  }
}

import {
  MAX_CREDENTIAL_USAGES,
  OTHER_CREDENTIALS,
  listRequestUsage,
  type CountedKind,
} from '@bearing/contracts/identity/credentials/request-usage'
import type { Input, Output } from '@bearing/contracts/operation'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { Database } from '../../ground/database.js'

interface CredentialRow {
  readonly kind: CountedKind
  readonly credential_id: string
  readonly name: string | null
  readonly project_id: string | null
  readonly requests: number
  readonly last_used_at: Date
  readonly days: { day: string; requests: number }[]
}

@Controller()
export class ListRequestUsage {
  constructor(private readonly database: Database) {}

  /** Both queries read the days of one organization by the primary key. */
  @Handle(listRequestUsage)
  async execute({
    organization_id,
    from,
  }: Input<typeof listRequestUsage>): Promise<Output<typeof listRequestUsage>> {
    const [days, credentials] = await Promise.all([
      this.database.$queryRaw<Output<typeof listRequestUsage>['days']>`
        SELECT day::text, kind, sum(requests)::float8 AS requests, sum(invalid)::float8 AS invalid,
               sum(denied)::float8 AS denied, sum(limited)::float8 AS limited, sum(failed)::float8 AS failed
        FROM request_usage
        WHERE organization_id = ${organization_id}::uuid AND day >= ${from}::date
        GROUP BY 1, 2 ORDER BY 1, 2`,
      this.credentials(organization_id, from),
    ])
    return {
      days,
      credentials: credentials.map(({ credential_id: id, last_used_at, ...credential }) => ({
        ...credential,
        id: id === OTHER_CREDENTIALS ? null : id,
        last_used_at: last_used_at.toISOString(),
      })),
    }
  }

  private credentials(organizationId: string, from: string): Promise<CredentialRow[]> {
    return this.database.$queryRaw<CredentialRow[]>`
      SELECT used.kind, used.credential_id, used.requests, used.last_used_at, used.days,
             coalesce(key.project_id, replaced.project_id) AS project_id,
             coalesce(token.description, legacy.description, account.email) AS name
      FROM (
        SELECT kind, credential_id, sum(requests)::float8 AS requests, max(last_used_at) AS last_used_at,
               json_agg(json_build_object('day', day, 'requests', requests) ORDER BY day) AS days
        FROM request_usage
        WHERE organization_id = ${organizationId}::uuid AND day >= ${from}::date
        GROUP BY 1, 2 ORDER BY 3 DESC, 1, 2 LIMIT ${MAX_CREDENTIAL_USAGES}
      ) used
      LEFT JOIN organization_tokens token ON token.id = used.credential_id
      LEFT JOIN legacy_tokens legacy ON legacy.id = used.credential_id
      LEFT JOIN project_keys key ON key.id = used.credential_id
      LEFT JOIN replaced_project_keys replaced ON replaced.id = used.credential_id
      LEFT JOIN users account ON account.id = used.credential_id
      ORDER BY used.requests DESC, used.kind, used.credential_id`
  }
}

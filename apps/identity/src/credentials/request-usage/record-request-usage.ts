import { recordRequestUsage } from '@bearing/contracts/identity/credentials/request-usage'
import type { Input, Output } from '@bearing/contracts/operation'
import { WHOLE_ORGANIZATION } from '@bearing/contracts/tenant-scope'
import { Handle } from '@bearing/nats/handle'
import { Clock } from '@bearing/service/ground/clock'
import { Controller } from '@nestjs/common'
import { Database } from '../../ground/database.js'

@Controller()
export class RecordRequestUsage {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** Writes rows in the order of the key, against deadlocks between gateways. Discards those of erased organizations. */
  @Handle(recordRequestUsage)
  async execute({
    report_id,
    counts,
  }: Input<typeof recordRequestUsage>): Promise<Output<typeof recordRequestUsage>> {
    await this.database.transaction(async (transaction) => {
      const isNew = await transaction.$executeRaw`
        INSERT INTO request_usage_reports (id, at) VALUES (${report_id}::uuid, ${this.clock.now()}::timestamptz)
        ON CONFLICT DO NOTHING`
      if (isNew === 0) return
      await transaction.$executeRaw`
        INSERT INTO request_usage (
          organization_id, day, kind, credential_id, requests, invalid, denied, limited, failed, last_used_at
        )
        SELECT counted.organization_id, day, kind, credential_id, sum(requests), sum(invalid), sum(denied), sum(limited),
               sum(failed), max(last_used_at)
        FROM json_to_recordset(${JSON.stringify(counts)}::json) AS counted (
          organization_id uuid, day date, kind text, credential_id uuid, requests bigint, invalid bigint, denied bigint,
          limited bigint, failed bigint, last_used_at timestamptz
        )
        WHERE NOT EXISTS (
          SELECT FROM tenant_states tenant
          WHERE tenant.organization_id = counted.organization_id
            AND tenant.project_id = ${WHOLE_ORGANIZATION}::uuid AND tenant.state = 'erasing')
        GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
        ON CONFLICT (organization_id, day, kind, credential_id) DO UPDATE
        SET requests = request_usage.requests + excluded.requests,
            invalid = request_usage.invalid + excluded.invalid, denied = request_usage.denied + excluded.denied,
            limited = request_usage.limited + excluded.limited, failed = request_usage.failed + excluded.failed,
            last_used_at = greatest(request_usage.last_used_at, excluded.last_used_at)`
    })
    return {}
  }
}

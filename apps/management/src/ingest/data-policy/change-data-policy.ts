import { changeDataPolicy, dataPolicyChanged } from '@bearing/contracts/management/data/data-policy'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Clock } from '@bearing/service/ground/clock'
import { recordEvent } from '@bearing/service/store/transactions'
import { Controller } from '@nestjs/common'
import { Database } from '../../ground/database.js'
import { recordAudit } from '../../ground/record-audit.js'
import { requireProject } from '../../tenancy/projects/require-project.js'
import { toDataPolicy } from './data-policy-row.js'

@Controller()
export class ChangeDataPolicy {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  @Handle(changeDataPolicy)
  async execute(
    input: Input<typeof changeDataPolicy>,
    by: Principal,
  ): Promise<Output<typeof changeDataPolicy>> {
    const { organization_id, project_id: projectId, ...policy } = input
    const columns = {
      bytesPerDay: policy.bytes_per_day === null ? null : BigInt(policy.bytes_per_day),
      requestsPerMinute: policy.requests_per_minute,
      deviceRequestsPerMinute: policy.device_requests_per_minute,
      retentionDays: policy.retention_days,
      knownDevicesOnly: policy.known_devices_only,
      fileBytes: policy.file_bytes,
      filesBytes: policy.files_bytes === null ? null : BigInt(policy.files_bytes),
      fileRetentionDays: policy.file_retention_days,
      sampling: policy.sampling,
      changedAt: this.clock.now(),
    }
    const row = await this.database.transaction(async (transaction) => {
      await requireProject(transaction, input)
      const changed = await transaction.dataPolicy.upsert({
        where: { projectId },
        create: { projectId, ...columns },
        update: columns,
      })
      recordAudit(transaction, by, {
        action: 'data_policy.changed',
        target: ['project', projectId],
        organizationId: organization_id,
        details: {
          ...policy,
          file_bytes: byKind(policy.file_bytes),
          file_retention_days: byKind(policy.file_retention_days),
          sampling: byKind(policy.sampling),
        },
      })
      recordEvent(transaction, dataPolicyChanged, { project_id: projectId })
      return changed
    })
    return toDataPolicy(row)
  }
}

/** Formats a map for the details of an audit event, which are flat. */
function byKind(values: Readonly<Record<string, number | string>>): string[] {
  return Object.entries(values).map(([kind, value]) => `${kind}=${String(value)}`)
}

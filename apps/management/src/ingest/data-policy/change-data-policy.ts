import { changeDataPolicy, dataPolicyChanged } from '@bearing/contracts/management/data-policy'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Clock } from '@bearing/service/clock'
import { OutboxRelay, type OutboxEvent } from '@bearing/service/outbox-relay'
import { Randomness } from '@bearing/service/randomness'
import { Controller } from '@nestjs/common'
import { AuditLog } from '../../ground/audit/audit-log.js'
import { Database } from '../../ground/database.js'
import { requireProject } from '../../tenancy/projects/require-project.js'
import { writeEvent } from '../../ground/write-event.js'
import { toDataPolicy } from './data-policy-row.js'

@Controller()
export class ChangeDataPolicy {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
    private readonly relay: OutboxRelay,
  ) {}

  @Handle(changeDataPolicy)
  async execute(
    input: Input<typeof changeDataPolicy>,
    by: Principal,
  ): Promise<Output<typeof changeDataPolicy>> {
    const { organization_id, project_id: projectId, ...policy } = input
    const now = this.clock.now()
    const event: OutboxEvent = this.event(projectId)
    const columns = {
      bytesPerDay: policy.bytes_per_day === null ? null : BigInt(policy.bytes_per_day),
      requestsPerMinute: policy.requests_per_minute,
      deviceRequestsPerMinute: policy.device_requests_per_minute,
      retentionDays: policy.retention_days,
      knownDevicesOnly: policy.known_devices_only,
      fileBytes: policy.file_bytes,
      filesBytes: policy.files_bytes === null ? null : BigInt(policy.files_bytes),
      fileRetentionDays: policy.file_retention_days,
      changedAt: now,
    }
    const row = await this.database.transaction(async (transaction) => {
      await requireProject(transaction, input)
      const changed = await transaction.dataPolicy.upsert({
        where: { projectId },
        create: { projectId, ...columns },
        update: columns,
      })
      await this.audit.record(transaction, by, {
        action: 'data_policy.changed',
        target: ['project', projectId],
        organizationId: organization_id,
        details: {
          ...policy,
          file_bytes: byKind(policy.file_bytes),
          file_retention_days: byKind(policy.file_retention_days),
        },
      })
      await writeEvent(transaction, event, now)
      return changed
    })
    await this.relay.published([event])
    return toDataPolicy(row)
  }

  private event(projectId: string): OutboxEvent {
    const id = this.randomness.newId()
    return { id, subject: dataPolicyChanged.subject, data: { id, project_id: projectId } }
  }
}

/** As details of the audit log, which are flat. */
function byKind(numbers: Readonly<Record<string, number>>): string[] {
  return Object.entries(numbers).map(([kind, number]) => `${kind}=${String(number)}`)
}

import { registerDevice } from '@bearing/contracts/management/device'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Clock } from '@bearing/service/clock'
import { OutboxRelay } from '@bearing/service/outbox-relay'
import { Randomness } from '@bearing/service/randomness'
import { Controller } from '@nestjs/common'
import { AuditLog } from '../../ground/audit/audit-log.js'
import { Database, type Transaction } from '../../ground/database.js'
import { OrganizationLimits, lockOrganizations } from '../../tenancy/organizations/organization-limits.js'
import { requireProject } from '../../tenancy/projects/require-project.js'
import { SHOWN, toDevice } from './device-row.js'
import { writeEvent } from '../../ground/write-event.js'
import { knownChanged } from './known-changed.js'

@Controller()
export class RegisterDevice {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
    private readonly relay: OutboxRelay,
    private readonly limits: OrganizationLimits,
  ) {}

  @Handle(registerDevice)
  async execute(input: Input<typeof registerDevice>, by: Principal): Promise<Output<typeof registerDevice>> {
    const now = this.clock.now()
    const { project_id: projectId, device_serial: serial } = input
    const facts = {
      ...(input.hardware_version !== undefined && { hardwareVersion: input.hardware_version }),
      ...(input.software_type !== undefined && { softwareType: input.software_type }),
      ...(input.software_version !== undefined && { softwareVersion: input.software_version }),
    }
    const event = knownChanged(this.randomness.newId(), projectId, serial)
    const row = await this.database.transaction(async (transaction) => {
      await requireProject(transaction, input)
      await this.refuseTooMany(transaction, input)
      const registered = await transaction.device.upsert({
        where: { projectId_serial: { projectId, serial } },
        create: {
          id: this.randomness.newId(),
          projectId,
          serial,
          ...facts,
          registeredAt: now,
          createdAt: now,
        },
        update: facts,
        select: SHOWN,
      })
      // It was known without: it had sent something.
      const { count } = await transaction.device.updateMany({
        where: { id: registered.id, registeredAt: null },
        data: { registeredAt: now },
      })
      await this.audit.record(transaction, by, {
        action: 'device.registered',
        target: ['device', registered.id],
        organizationId: input.organization_id,
        details: { project_id: projectId, device_serial: serial },
      })
      await writeEvent(transaction, event, now)
      return count > 0 ? { ...registered, registeredAt: now } : registered
    })
    await this.relay.published([event])
    return toDevice(row)
  }

  /** @throws OperationError `quota_exceeded` if the device would be one too many */
  private async refuseTooMany(
    transaction: Transaction,
    { organization_id, project_id: projectId, device_serial: serial }: Input<typeof registerDevice>,
  ): Promise<void> {
    const counts = await lockOrganizations(transaction, [organization_id])
    const where = { projectId_serial: { projectId, serial } }
    if (await transaction.device.findUnique({ where, select: { id: true } })) return
    this.limits.refuseAnotherDevice(counts.get(organization_id) ?? 0)
  }
}

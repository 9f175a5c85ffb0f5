import { deviceKnownChanged, registerDevice } from '@bearing/contracts/management/devices/device'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Clock } from '@bearing/service/ground/clock'
import { Randomness } from '@bearing/service/ground/randomness'
import { recordEvent } from '@bearing/service/store/transactions'
import { Controller } from '@nestjs/common'
import { Database, type Transaction } from '../../ground/database.js'
import { lockOrganizations } from '../../ground/locks.js'
import { recordAudit } from '../../ground/record-audit.js'
import { OrganizationLimits } from '../../tenancy/organizations/organization-limits.js'
import { requireProject } from '../../tenancy/projects/require-project.js'
import { SHOWN, toDevice } from './device-row.js'

@Controller()
export class RegisterDevice {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
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
    const row = await this.database.transaction(async (transaction) => {
      await requireProject(transaction, input)
      await this.checkLimit(transaction, input)
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
      // A device that has sent data before exists without a registration.
      const { count } = await transaction.device.updateMany({
        where: { id: registered.id, registeredAt: null },
        data: { registeredAt: now },
      })
      recordAudit(transaction, by, {
        action: 'device.registered',
        target: ['device', registered.id],
        organizationId: input.organization_id,
        details: { project_id: projectId, device_serial: serial },
      })
      recordEvent(transaction, deviceKnownChanged, { project_id: projectId, device_serial: serial })
      return count > 0 ? { ...registered, registeredAt: now } : registered
    })
    return toDevice(row)
  }

  /** @throws OperationError `quota_exceeded` if the organization has too many devices */
  private async checkLimit(
    transaction: Transaction,
    { organization_id, project_id: projectId, device_serial: serial }: Input<typeof registerDevice>,
  ): Promise<void> {
    const counts = await lockOrganizations(transaction, [organization_id])
    const where = { projectId_serial: { projectId, serial } }
    if (await transaction.device.findUnique({ where, select: { id: true } })) return
    this.limits.checkDevices(counts.get(organization_id) ?? 0)
  }
}

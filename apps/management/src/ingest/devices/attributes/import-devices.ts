import { deviceKnownChanged } from '@bearing/contracts/management/devices/device'
import { importDevices } from '@bearing/contracts/management/devices/device-attribute'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Clock } from '@bearing/service/ground/clock'
import { Randomness } from '@bearing/service/ground/randomness'
import { recordEvent } from '@bearing/service/store/transactions'
import { Controller } from '@nestjs/common'
import { Database, type Transaction } from '../../../ground/database.js'
import { lockOrganizations } from '../../../ground/locks.js'
import { recordAudit } from '../../../ground/record-audit.js'
import { OrganizationLimits } from '../../../tenancy/organizations/organization-limits.js'
import { requireProject } from '../../../tenancy/projects/require-project.js'
import { planChange, reasonOf, type PlannedChange } from './plan-change.js'
import { lockDeclared, lockDevices, writeChanges, type ChangeableDevice } from './write-changes.js'

type Row = Input<typeof importDevices>['devices'][number]
type Outcome = Output<typeof importDevices>['data'][number]

/** A row whose device is to be stored. */
interface Planned {
  readonly id: string
  readonly serial: string
  readonly isNew: boolean
  readonly change: PlannedChange
}

@Controller()
export class ImportDevices {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
    private readonly limits: OrganizationLimits,
  ) {}

  /** One transaction: after a crash, the request can be repeated. A dry run takes the same way and stores nothing. */
  @Handle(importDevices)
  async execute(input: Input<typeof importDevices>, by: Principal): Promise<Output<typeof importDevices>> {
    const { organization_id: organizationId, project_id: projectId, devices: rows } = input
    const data = await this.database.transaction(async (transaction) => {
      await requireProject(transaction, input)
      const count = (await lockOrganizations(transaction, [organizationId])).get(organizationId) ?? 0
      const declared = await lockDeclared(transaction, projectId)
      const serials = [...new Set(rows.map((row) => row.device_serial))]
      const known = await lockDevices(transaction, projectId, serials)
      const planned: Planned[] = []
      const seen = new Set<string>()
      const outcomes = rows.map((row) => {
        try {
          const free = this.limits.devices - count - planned.filter(({ isNew }) => isNew).length
          if (seen.has(row.device_serial)) return failed(row, 'device_serial is in this request twice')
          seen.add(row.device_serial)
          const device = known.get(row.device_serial)
          if (!device && free <= 0)
            return failed(
              row,
              `the organization has too many devices: at most ${String(this.limits.devices)}`,
            )
          const plan = this.plan(row, device, planChange(device ?? NEW, row, declared))
          if (plan.isNew || plan.change.changes.length > 0) planned.push(plan)
          return outcomeOf(plan)
        } catch (error) {
          return failed(row, reasonOf(error))
        }
      })
      if (!input.dry_run && planned.length > 0) {
        await this.create(transaction, projectId, planned)
        await writeChanges(transaction, projectId, planned)
        const number = (outcome: Outcome['outcome']) =>
          outcomes.filter((one) => one.outcome === outcome).length
        recordAudit(transaction, by, {
          action: 'devices.imported',
          target: ['project', projectId],
          organizationId,
          details: { created: number('created'), changed: number('changed'), failed: number('failed') },
        })
      }
      return outcomes
    })
    return { data }
  }

  private plan(row: Row, device: ChangeableDevice | undefined, change: PlannedChange): Planned {
    const id = device?.id ?? this.randomness.newId()
    return { id, serial: row.device_serial, isNew: !device, change }
  }

  private async create(
    transaction: Transaction,
    projectId: string,
    planned: readonly Planned[],
  ): Promise<void> {
    const now = this.clock.now()
    // In the order in which the consumer of chunks creates devices.
    const created = planned.filter(({ isNew }) => isNew).sort((a, b) => (a.serial < b.serial ? -1 : 1))
    if (created.length === 0) return
    await transaction.device.createMany({
      data: created.map(({ id, serial }) => ({ id, projectId, serial, registeredAt: now, createdAt: now })),
    })
    for (const { serial } of created)
      recordEvent(transaction, deviceKnownChanged, { project_id: projectId, device_serial: serial })
  }
}

const NEW = { nickname: null, attributes: {} } as const

function outcomeOf({ serial, isNew, change }: Planned): Outcome {
  const changes = [...change.changes]
  const outcome = isNew ? 'created' : changes.length > 0 ? 'changed' : 'unchanged'
  return { device_serial: serial, outcome, changes }
}

function failed({ device_serial }: Row, error: string): Outcome {
  return { device_serial, outcome: 'failed', changes: [], error }
}

import { deleteDevices } from '@bearing/contracts/management/devices/device-deletion'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { currentCall } from '@bearing/nats/call-context'
import { Handle } from '@bearing/nats/handle'
import { Clock } from '@bearing/service/ground/clock'
import { Randomness } from '@bearing/service/ground/randomness'
import { afterCommit } from '@bearing/service/store/transactions'
import { Controller } from '@nestjs/common'
import { Database } from '../../ground/database.js'
import { recordAudit } from '../../ground/record-audit.js'
import { deviceCondition, withFixedTime } from '../../ingest/devices/lists/device-condition.js'
import { deviceIndex } from '../../ingest/devices/lists/device-index.js'
import { countDevices } from '../../ingest/devices/lists/device-page.js'
import { requireProject } from '../../tenancy/projects/require-project.js'
import { toDeletion } from './deletion-row.js'
import { RunDeviceDeletions } from './run-device-deletions.js'
import { changed, filterOf, readToken } from './selection.js'

@Controller()
export class DeleteDevices {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
    private readonly job: RunDeviceDeletions,
  ) {}

  @Handle(deleteDevices)
  async execute(input: Input<typeof deleteDevices>, by: Principal): Promise<Output<typeof deleteDevices>> {
    const { organization_id: organizationId, project_id: projectId } = input
    const filter = filterOf(input)
    const index = deviceIndex(filter, undefined)
    await requireProject(this.database, input)
    const now = this.clock.now()
    const { count, atMs } = readToken(projectId, filter, input.token, now.getTime())
    const fixed = withFixedTime(filter, new Date(atMs))
    const condition = await deviceCondition(this.database, projectId, fixed, index)
    const total = await countDevices(this.database, condition, index)
    if (total > count)
      throw changed(`${String(total)} devices match now, and the preview counted ${String(count)}.`)
    const row = await this.database.transaction(async (transaction) => {
      const created = await transaction.deviceBulkDeletion.create({
        data: {
          ...{ id: this.randomness.newId(), organizationId, projectId, filter: { ...fixed }, total },
          ...{ state: 'running', createdAt: now, requestId: currentCall()?.requestId ?? '' },
          actor: {
            kind: by.kind,
            ...('credential_id' in by && { credential_id: by.credential_id }),
            ...(by.kind === 'user' && { user_id: by.user_id }),
          },
        },
      })
      recordAudit(transaction, by, {
        action: 'devices.deletion_begun',
        target: ['project', projectId],
        organizationId,
        details: { deletion_id: created.id, devices: total, filter: JSON.stringify(fixed) },
      })
      afterCommit(transaction, () => this.job.kick())
      return created
    })
    return toDeletion(row)
  }
}

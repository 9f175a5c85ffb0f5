import {
  PREVIEWED_DEVICES,
  previewDeviceDeletion,
} from '@bearing/contracts/management/devices/device-deletion'
import type { Input, Output } from '@bearing/contracts/operation'
import { Handle } from '@bearing/nats/handle'
import { Clock } from '@bearing/service/ground/clock'
import { Controller } from '@nestjs/common'
import { Database } from '../../ground/database.js'
import { toDevice } from '../../ingest/devices/device-row.js'
import { deviceCondition, withFixedTime } from '../../ingest/devices/lists/device-condition.js'
import { deviceIndex } from '../../ingest/devices/lists/device-index.js'
import { countDevices, readPage } from '../../ingest/devices/lists/device-page.js'
import { requireProject } from '../../tenancy/projects/require-project.js'
import { filterOf, writeToken } from './selection.js'

@Controller()
export class PreviewDeviceDeletion {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  @Handle(previewDeviceDeletion)
  async execute(input: Input<typeof previewDeviceDeletion>): Promise<Output<typeof previewDeviceDeletion>> {
    const { project_id: projectId } = input
    const filter = filterOf(input)
    const index = deviceIndex(filter, undefined)
    await requireProject(this.database, input)
    const now = this.clock.now()
    const condition = await deviceCondition(this.database, projectId, withFixedTime(filter, now), index)
    const count = await countDevices(this.database, condition, index)
    const rows = await readPage(this.database, condition, index, { take: PREVIEWED_DEVICES })
    const token = writeToken(projectId, filter, { count, atMs: now.getTime() })
    return { count, devices: rows.map((row) => toDevice(row)), token }
  }
}

import { listDevices } from '@bearing/contracts/management/device'
import type { Input, Output } from '@bearing/contracts/operation'
import { page } from '@bearing/contracts/primitives'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { Database } from '../../ground/database.js'
import { requireProject } from '../../tenancy/projects/require-project.js'
import { SHOWN, toDevice } from './device-row.js'

@Controller()
export class ListDevices {
  constructor(private readonly database: Database) {}

  @Handle(listDevices)
  async execute(input: Input<typeof listDevices>): Promise<Output<typeof listDevices>> {
    await requireProject(this.database, input)
    const where = { projectId: input.project_id }
    const [count, rows] = await Promise.all([
      this.database.device.count({ where }),
      this.database.device.findMany({
        where,
        select: SHOWN,
        orderBy: { serial: 'asc' },
        skip: (input.page - 1) * input.per_page,
        take: input.per_page,
      }),
    ])
    return page(rows.map(toDevice), count, input)
  }
}

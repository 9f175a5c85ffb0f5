import { listAttributes } from '@bearing/contracts/management/devices/device-attribute'
import type { Input, Output } from '@bearing/contracts/operation'
import { page } from '@bearing/contracts/primitives'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { Database } from '../../../ground/database.js'
import { requireProject } from '../../../tenancy/projects/require-project.js'
import { toAttribute } from './declare-attribute.js'

@Controller()
export class ListAttributes {
  constructor(private readonly database: Database) {}

  @Handle(listAttributes)
  async execute(input: Input<typeof listAttributes>): Promise<Output<typeof listAttributes>> {
    await requireProject(this.database, input)
    const rows = await this.database.declaredAttribute.findMany({
      where: { projectId: input.project_id, deletedAt: null },
      orderBy: { name: 'asc' },
    })
    const first = (input.page - 1) * input.per_page
    return page(rows.slice(first, first + input.per_page).map(toAttribute), rows.length, input)
  }
}

import { listDeletedProjects } from '@bearing/contracts/management/tenancy/deletion'
import type { Input, Output } from '@bearing/contracts/operation'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { Database } from '../../ground/database.js'
import { pageOfDeletions } from './page-of-deletions.js'

@Controller()
export class ListDeletedProjects {
  constructor(private readonly database: Database) {}

  @Handle(listDeletedProjects)
  execute(input: Input<typeof listDeletedProjects>): Promise<Output<typeof listDeletedProjects>> {
    const where = {
      organizationId: input.organization_id,
      projectId: { not: null },
      state: { in: ['deleted', 'erasing'] },
    }
    return pageOfDeletions(this.database, where, input)
  }
}

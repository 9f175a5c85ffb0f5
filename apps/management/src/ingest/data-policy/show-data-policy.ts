import { showDataPolicy } from '@bearing/contracts/management/data/data-policy'
import type { Input, Output } from '@bearing/contracts/operation'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { Database } from '../../ground/database.js'
import { requireProject } from '../../tenancy/projects/require-project.js'
import { toDataPolicy } from './data-policy-row.js'

@Controller()
export class ShowDataPolicy {
  constructor(private readonly database: Database) {}

  @Handle(showDataPolicy)
  async execute(input: Input<typeof showDataPolicy>): Promise<Output<typeof showDataPolicy>> {
    await requireProject(this.database, input)
    return toDataPolicy(await this.database.dataPolicy.findUnique({ where: { projectId: input.project_id } }))
  }
}

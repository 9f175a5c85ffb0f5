import { OperationError } from '@bearing/contracts/errors'
import { showProject } from '@bearing/contracts/management/project'
import type { Input, Output } from '@bearing/contracts/operation'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { Database } from '../../ground/database.js'
import { SHOWN, toProject } from './project-row.js'

@Controller()
export class ShowProject {
  constructor(private readonly database: Database) {}

  @Handle(showProject)
  async execute(input: Input<typeof showProject>): Promise<Output<typeof showProject>> {
    // The permission was checked for the organization of the input: the project has to be one of it.
    const row = await this.database.project.findUnique({
      where: { id: input.project_id, organizationId: input.organization_id },
      select: SHOWN,
    })
    if (!row)
      throw new OperationError(
        'project_not_found',
        'There is no such project, or the credential does not reach it.',
      )
    return toProject(row)
  }
}

import { showProjectKey } from '@bearing/contracts/identity/credentials/project-key'
import type { Input, Output } from '@bearing/contracts/operation'
import { Handle } from '@bearing/nats/handle'
import { Clock } from '@bearing/service/ground/clock'
import { Controller } from '@nestjs/common'
import { Database } from '../../ground/database.js'
import { shown, toProjectKey } from '../../organizations/project-keys/project-key-row.js'
import { projectNotFound } from '../../organizations/project-members/project-scope.js'

@Controller()
export class ShowProjectKey {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  @Handle(showProjectKey)
  async execute(input: Input<typeof showProjectKey>): Promise<Output<typeof showProjectKey>> {
    const now = this.clock.now()
    const row = await this.database.projectKey.findUnique({
      where: { projectId: input.project_id, organizationId: input.organization_id },
      select: shown(now),
    })
    if (!row) throw projectNotFound()
    return toProjectKey(row, now)
  }
}

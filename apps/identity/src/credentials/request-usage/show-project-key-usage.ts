import { showProjectKeyUsage } from '@bearing/contracts/identity/credentials/project-key'
import type { Input, Output } from '@bearing/contracts/operation'
import { Handle } from '@bearing/nats/handle'
import { Clock } from '@bearing/service/ground/clock'
import { Controller } from '@nestjs/common'
import { Database } from '../../ground/database.js'
import { projectNotFound } from '../../organizations/project-members/project-scope.js'
import { shown } from '../../organizations/project-keys/project-key-row.js'
import { requestsOf } from './requests-of.js'

@Controller()
export class ShowProjectKeyUsage {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  @Handle(showProjectKeyUsage)
  async execute(input: Input<typeof showProjectKeyUsage>): Promise<Output<typeof showProjectKeyUsage>> {
    const now = this.clock.now()
    const { organization_id: organizationId, project_id: projectId } = input
    const row = await this.database.projectKey.findUnique({
      where: { projectId, organizationId },
      select: { id: true, replaced: shown(now).replaced },
    })
    if (!row) throw projectNotFound()
    const ids = [row.id, ...row.replaced.map(({ id }) => id)]
    return requestsOf(this.database, { organizationId, kind: 'project_key', ids }, input.days, now)
  }
}

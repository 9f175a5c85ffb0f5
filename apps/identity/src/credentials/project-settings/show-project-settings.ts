import { showProjectSettings } from '@bearing/contracts/identity/credentials/project-settings'
import type { Input, Output } from '@bearing/contracts/operation'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { Database } from '../../ground/database.js'
import { projectNotFound } from '../../organizations/project-members/project-scope.js'
import { PROJECT_SETTINGS, viewProjectSettings } from './settings-view.js'

@Controller()
export class ShowProjectSettings {
  constructor(private readonly database: Database) {}

  @Handle(showProjectSettings)
  async execute(input: Input<typeof showProjectSettings>): Promise<Output<typeof showProjectSettings>> {
    const row = await this.database.projectKey.findUnique({
      where: { projectId: input.project_id, organizationId: input.organization_id },
      select: PROJECT_SETTINGS,
    })
    if (!row) throw projectNotFound()
    return viewProjectSettings(row)
  }
}

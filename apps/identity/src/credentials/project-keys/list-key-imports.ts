import { listKeyImports } from '@bearing/contracts/identity/credentials/project-key'
import type { Output } from '@bearing/contracts/operation'
import { Handle } from '@bearing/nats/handle'
import { Clock } from '@bearing/service/ground/clock'
import { Controller } from '@nestjs/common'
import { Database } from '../../ground/database.js'
import { toKeyImport } from '../../organizations/project-keys/key-import-row.js'

/** More than that are shown when the first ones are decided. */
const MOST = 1_000

@Controller()
export class ListKeyImports {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  @Handle(listKeyImports)
  async execute(): Promise<Output<typeof listKeyImports>> {
    const rows = await this.database.projectKeyImport.findMany({
      where: { expiresAt: { gt: this.clock.now() } },
      orderBy: { requestedAt: 'asc' },
      take: MOST,
    })
    return {
      imports: rows.map((row) => ({
        organization_id: row.organizationId,
        project_id: row.projectId,
        ...toKeyImport(row),
      })),
    }
  }
}

import { listImports } from '@bearing/contracts/location/access-points/access-point-import'
import type { Input, Output } from '@bearing/contracts/operation'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { Database } from '../ground/database.js'
import { viewImport } from './import-view.js'

/** Lists the imports of an organization. Their ids are in the order of time. */
@Controller()
export class ListImports {
  constructor(private readonly database: Database) {}

  @Handle(listImports)
  async execute(input: Input<typeof listImports>): Promise<Output<typeof listImports>> {
    const { organization_id: organizationId, per_page, cursor } = input
    const rows = await this.database.import.findMany({
      where: { organizationId, ...(cursor !== undefined && { id: { lt: cursor } }) },
      orderBy: { id: 'desc' },
      // One more says whether there is another page.
      take: per_page + 1,
    })
    const shown = rows.slice(0, per_page)
    const data = await Promise.all(shown.map((row) => viewImport(this.database, row)))
    return { data, next: rows.length > per_page ? (shown.at(-1)?.id ?? null) : null }
  }
}

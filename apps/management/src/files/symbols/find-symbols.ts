import { OperationError } from '@bearing/contracts/errors'
import { findSymbols } from '@bearing/contracts/management/data/file'
import type { Input, Output } from '@bearing/contracts/operation'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { Database } from '../../ground/database.js'
import { SHOWN, toFile } from '../file-row.js'

@Controller()
export class FindSymbols {
  constructor(private readonly database: Database) {}

  @Handle(findSymbols)
  async execute(input: Input<typeof findSymbols>): Promise<Output<typeof findSymbols>> {
    const row = await this.database.storedFile.findFirst({
      where: {
        organizationId: input.organization_id,
        projectId: input.project_id,
        gnuBuildId: input.gnu_build_id,
      },
      orderBy: { id: 'desc' },
      select: SHOWN,
    })
    if (!row)
      throw new OperationError('symbols_not_found', 'The project has no symbols with this GNU build id.')
    return toFile(row)
  }
}

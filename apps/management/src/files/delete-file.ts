import { deleteFile } from '@bearing/contracts/management/data/file'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { Database } from '../ground/database.js'
import { lockCommits } from '../ground/locks.js'
import { recordAudit } from '../ground/record-audit.js'
import { toFile } from './file-row.js'
import { findFile } from './find-file.js'
import { removeFiles } from './remove-files.js'

@Controller()
export class DeleteFile {
  constructor(private readonly database: Database) {}

  @Handle(deleteFile)
  async execute(input: Input<typeof deleteFile>, by: Principal): Promise<Output<typeof deleteFile>> {
    await this.database.transaction(async (transaction) => {
      await lockCommits(transaction, input.project_id)
      const { id, kind, size } = toFile(await findFile(transaction, input))
      await removeFiles(transaction, [id])
      recordAudit(transaction, by, {
        action: 'file.deleted',
        target: ['file', id],
        organizationId: input.organization_id,
        details: { project_id: input.project_id, kind, size },
      })
    })
    return {}
  }
}

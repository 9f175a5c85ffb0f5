import { listFiles } from '@bearing/contracts/management/file'
import type { Input, Output } from '@bearing/contracts/operation'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { Database } from '../ground/database.js'
import { pageOfFiles } from './page-of-files.js'

@Controller()
export class ListFiles {
  constructor(private readonly database: Database) {}

  @Handle(listFiles)
  async execute(input: Input<typeof listFiles>): Promise<Output<typeof listFiles>> {
    const { project_id: projectId, kind, sha256 } = input
    return pageOfFiles(this.database, input, {
      ...(kind && { kind }),
      ...(sha256 !== undefined && { object: { projectId, kept: sha256 } }),
    })
  }
}

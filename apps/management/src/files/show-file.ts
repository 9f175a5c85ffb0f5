import { showFile } from '@bearing/contracts/management/data/file'
import type { Input, Output } from '@bearing/contracts/operation'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { Database } from '../ground/database.js'
import { toFile } from './file-row.js'
import { findFile } from './find-file.js'

@Controller()
export class ShowFile {
  constructor(private readonly database: Database) {}

  @Handle(showFile)
  async execute(input: Input<typeof showFile>): Promise<Output<typeof showFile>> {
    const row = await findFile(this.database, input)
    return { ...toFile(row), attributes: row.attributes as Record<string, unknown> } // written by commits alone
  }
}

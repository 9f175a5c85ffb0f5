import { listCoredumps } from '@bearing/contracts/management/data/file'
import type { Input, Output } from '@bearing/contracts/operation'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { Database } from '../ground/database.js'
import { pageOfFiles } from './page-of-files.js'

@Controller()
export class ListCoredumps {
  constructor(private readonly database: Database) {}

  @Handle(listCoredumps)
  async execute(input: Input<typeof listCoredumps>): Promise<Output<typeof listCoredumps>> {
    return pageOfFiles(this.database, input, {
      kind: { in: ['coredump', 'elf_coredump'] },
      ...(input.device_serial !== undefined && { deviceSerial: input.device_serial }),
    })
  }
}

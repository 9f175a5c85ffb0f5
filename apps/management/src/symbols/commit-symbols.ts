import { OperationError } from '@bearing/contracts/errors'
import { commitSymbols } from '@bearing/contracts/management/upload'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { readGnuBuildId } from '@bearing/elf/gnu-build-id'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { Storages } from '../storage/storage.js'
import { Commits } from '../uploads/commits.js'
import type { ReceivedObject } from '../uploads/received-object.js'

@Controller()
export class CommitSymbols {
  constructor(
    private readonly commits: Commits,
    private readonly storages: Storages,
  ) {}

  @Handle(commitSymbols)
  async execute(input: Input<typeof commitSymbols>, by: Principal): Promise<Output<typeof commitSymbols>> {
    return this.commits.commit('symbols', input, by, (object) => this.buildIdOf(object))
  }

  private async buildIdOf(object: ReceivedObject): Promise<string> {
    const storage = this.storages.named(object.storage)
    const id = await readGnuBuildId((offset, length) => storage.read(object, offset, length), object.size)
    if (id === undefined)
      throw new OperationError(
        'symbols_invalid',
        'The file is no ELF file with a GNU build id. Link it with --build-id, and do not strip its notes.',
      )
    return id
  }
}

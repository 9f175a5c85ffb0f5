import { OperationError } from '@bearing/contracts/errors'
import { commitSymbols } from '@bearing/contracts/management/upload'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { readGnuBuildId } from '@bearing/elf/gnu-build-id'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { Database } from '../../ground/database.js'
import { Storages } from '../storage/storage.js'
import { Commits } from '../uploads/commit-file.js'
import type { ReceivedObject } from '../uploads/received-objects.js'

@Controller()
export class CommitSymbols {
  constructor(
    private readonly commits: Commits,
    private readonly storages: Storages,
    private readonly database: Database,
  ) {}

  @Handle(commitSymbols)
  async execute(input: Input<typeof commitSymbols>, by: Principal): Promise<Output<typeof commitSymbols>> {
    return this.commits.commit('symbols', input, by, (object) => this.buildIdOf(object))
  }

  /** Written down with the object: to commit it again, whatever the outcome was, reads none of its bytes. */
  private async buildIdOf(object: ReceivedObject): Promise<string> {
    const id = object.gnuBuildId ?? (await this.read(object))
    if (id === '')
      throw new OperationError(
        'symbols_invalid',
        'The file is no ELF file with a GNU build id. Link it with --build-id, and do not strip its notes.',
      )
    return id
  }

  private async read(object: ReceivedObject): Promise<string> {
    // Only an earlier version has taken such an object over without looking.
    if (object.gzip)
      throw new OperationError('upload_incomplete', 'Prepare the upload again, and put the file once more.')
    const storage = this.storages.named(object.storage)
    const readAt = (offset: number, length: number) => storage.read(object, offset, length)
    const gnuBuildId = (await readGnuBuildId(readAt, object.size)) ?? ''
    await this.database.storedObject.updateMany({ where: { id: object.id }, data: { gnuBuildId } })
    return gnuBuildId
  }
}

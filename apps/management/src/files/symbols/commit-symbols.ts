import { OperationError } from '@bearing/contracts/errors'
import { commitSymbols } from '@bearing/contracts/management/data/upload'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { readGnuBuildId } from '@bearing/files/elf/gnu-build-id'
import { readSdkBuildId } from '@bearing/files/elf/sdk-build-id'
import { KIND_BYTES, symbolsKind } from '@bearing/files/elf/symbols-kind'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { Database } from '../../ground/database.js'
import { attributeColumns } from '../rules/attribute-columns.js'
import { Storages } from '../../storage/storage.js'
import { CommitFile } from '../uploads/commit-file.js'
import type { ReceivedObject } from '../uploads/received-objects.js'

@Controller()
export class CommitSymbols {
  constructor(
    private readonly commit: CommitFile,
    private readonly storages: Storages,
    private readonly database: Database,
  ) {}

  @Handle(commitSymbols)
  async execute(input: Input<typeof commitSymbols>, by: Principal): Promise<Output<typeof commitSymbols>> {
    const { softwareVersion } = attributeColumns(input)
    return this.commit.execute('symbols', input, by, (object) => this.buildIdOf(object, softwareVersion))
  }

  /** The id is stored with the object: a repeated commit reads no bytes. */
  private async buildIdOf(object: ReceivedObject, softwareVersion: string | null): Promise<string | null> {
    const id = object.gnuBuildId ?? (await this.read(object))
    if (id !== '') return id
    if (softwareVersion !== null && (await this.isSymbols(object))) return null
    throw new OperationError(
      'symbols_invalid',
      softwareVersion === null
        ? 'The file has no build id. Link it with --build-id and keep its notes when you strip it, or commit it with its software version.'
        : 'The file is neither an ELF file nor a ProGuard mapping.',
    )
  }

  /** Recognizes ELF files and ProGuard mappings by their first bytes. */
  private async isSymbols(object: ReceivedObject): Promise<boolean> {
    if (object.gzip) return true
    const start = await this.storages.named(object.storage).read(object, 0, KIND_BYTES)
    return symbolsKind(start) !== undefined
  }

  private async read(object: ReceivedObject): Promise<string> {
    // Only objects of earlier versions are compressed and have no recorded id.
    if (object.gzip)
      throw new OperationError('upload_incomplete', 'Prepare the upload again, and put the file again.')
    const storage = this.storages.named(object.storage)
    const readAt = (offset: number, length: number) => storage.read(object, offset, length)
    const gnuBuildId =
      (await readGnuBuildId(readAt, object.size)) ?? (await readSdkBuildId(readAt, object.size)) ?? ''
    await this.database.storedObject.updateMany({ where: { id: object.id }, data: { gnuBuildId } })
    return gnuBuildId
  }
}

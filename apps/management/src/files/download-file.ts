import { Buffer } from 'node:buffer'
import { downloadFile } from '@bearing/contracts/management/data/file'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { Database } from '../ground/database.js'
import { recordAudit } from '../ground/record-audit.js'
import { Storages } from '../storage/storage.js'
import { toFile } from './file-row.js'
import { findFile } from './find-file.js'

/** Bytes of one reply. In base64 they fit into a NATS message of 1 MiB, the smallest limit supported. */
const PIECE_BYTES = 512 * 1024

@Controller()
export class DownloadFile {
  constructor(
    private readonly database: Database,
    private readonly storages: Storages,
  ) {}

  /** The first piece is recorded in the audit log: raw files may contain memory of a device. */
  @Handle(downloadFile)
  async execute(input: Input<typeof downloadFile>, by: Principal): Promise<Output<typeof downloadFile>> {
    const row = await findFile(this.database, input)
    const { kind, size } = toFile(row)
    const { object } = row
    const storage = this.storages.named(object.storage)
    const stored = { id: object.id, parts: object.parts, gzip: object.gzip, size }
    const { offset } = input
    const url = await storage.getUrl(stored, `${kind}-${row.id}`)
    // Ends with a part, so that the next piece starts with one.
    const length = PIECE_BYTES - (offset % PIECE_BYTES)
    const data = url === undefined ? await storage.read(stored, offset, length) : new Uint8Array()
    if (offset === 0)
      await this.database.transaction((transaction) =>
        Promise.resolve(
          recordAudit(transaction, by, {
            action: 'file.downloaded',
            target: ['file', row.id],
            organizationId: input.organization_id,
            details: { project_id: input.project_id, kind, size },
          }),
        ),
      )
    return { address: url ?? null, kind, size, data: Buffer.from(data).toString('base64') }
  }
}

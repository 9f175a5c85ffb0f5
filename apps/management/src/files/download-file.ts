import { Buffer } from 'node:buffer'
import { downloadFile } from '@bearing/contracts/management/file'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { AuditLog } from '../ground/audit/audit-log.js'
import { Database } from '../ground/database.js'
import { Storages } from './storage/storage.js'
import { toFile } from './file-row.js'
import { findFile } from './find-file.js'

/** What is read at once, in bytes: some parts. In base64 it fits into a message of 1 MiB, the least that a NATS takes. */
const PIECE_BYTES = 512 * 1024

@Controller()
export class DownloadFile {
  constructor(
    private readonly database: Database,
    private readonly storages: Storages,
    private readonly audit: AuditLog,
  ) {}

  /** Raw files may hold what was in the memory of a device: who has begun to download one is written down. */
  @Handle(downloadFile)
  async execute(input: Input<typeof downloadFile>, by: Principal): Promise<Output<typeof downloadFile>> {
    const row = await findFile(this.database, input)
    const { kind, size } = toFile(row)
    const { object } = row
    const storage = this.storages.named(object.storage)
    const stored = { id: object.id, parts: object.parts, gzip: object.gzip, size }
    const { offset } = input
    const address = await storage.getAddress(stored, `${kind}-${row.id}`)
    // Up to the end of parts: what follows begins with one.
    const length = PIECE_BYTES - (offset % PIECE_BYTES)
    const data = address === undefined ? await storage.read(stored, offset, length) : new Uint8Array()
    if (offset === 0)
      await this.database.transaction((transaction) =>
        this.audit.record(transaction, by, {
          action: 'file.downloaded',
          target: ['file', row.id],
          organizationId: input.organization_id,
          details: { project_id: input.project_id, kind, size },
        }),
      )
    return { address: address ?? null, kind, size, data: Buffer.from(data).toString('base64') }
  }
}

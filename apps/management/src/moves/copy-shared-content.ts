import { Randomness } from '@bearing/service/randomness'
import { Clock } from '@bearing/service/clock'
import { PART_BYTES } from '@bearing/contracts/management/upload'
import { Injectable } from '@nestjs/common'
import { Storages } from '../files/storage/storage.js'
import { Database } from '../ground/database.js'
import type { Move } from './finish-moves.js'

interface Shared {
  readonly id: string
}

/**
 * Copies content that a device shares with other files of its project, so that each project has its own. A copy that no move uses
 * is deleted by the sweep of uploads.
 */
@Injectable()
export class CopySharedContent {
  constructor(
    private readonly database: Database,
    private readonly storages: Storages,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
  ) {}

  /** Copies what the other project does not have. @throws OperationError if the storage is unavailable */
  async execute({ projectId, toProjectId, serial }: Move): Promise<void> {
    const shared = await this.database.$queryRaw<Shared[]>`
      SELECT o.id FROM stored_objects o
      WHERE o.id IN (SELECT object_id FROM files WHERE project_id = ${projectId}::uuid AND device_serial = ${serial})
        AND EXISTS (SELECT FROM files f WHERE f.object_id = o.id AND f.device_serial IS DISTINCT FROM ${serial})
        AND NOT EXISTS (
          SELECT FROM stored_objects t WHERE t.project_id = ${toProjectId}::uuid
            AND (t.kept = o.sha256 OR (t.kept IS NULL AND t.sha256 = o.sha256 AND NOT t.leaving)))`
    for (const { id } of shared) await this.copy(id, toProjectId)
  }

  /** The row first: nothing is stored that nobody knows of. */
  private async copy(id: string, toProjectId: string): Promise<void> {
    const row = await this.database.storedObject.findUnique({ where: { id } })
    if (typeof row?.sha256 !== 'string' || row.size === null || row.md5 === null) return
    const { storage: name, gzip, size, md5, sha256, sentSize, sentMd5, gnuBuildId } = row
    const into = this.randomness.newId()
    const base = { id: into, projectId: toProjectId, storage: name, gzip, size, createdAt: this.clock.now() }
    await this.database.storedObject.create({ data: base })
    const storage = this.storages.named(name)
    const parts: bigint[] = []
    if (name === 's3') await storage.adopt(id, into, undefined)
    else {
      const stored = { id, parts: row.parts, gzip, size: Number(size) }
      for (let offset = 0; offset < Number(size); offset += PART_BYTES) {
        const part = await storage.read(stored, offset, PART_BYTES)
        parts.push(BigInt(await storage.append(into, part, Number(parts.at(-1) ?? 0))))
      }
      const received = {
        size: Number(size),
        md5,
        sha256,
        sentSize: Number(sentSize ?? size),
        sentMd5: sentMd5 ?? md5,
      }
      await storage.complete(into, parts.length, received)
    }
    await this.database.storedObject.update({
      where: { id: into },
      data: { parts, md5, sha256, sentSize, sentMd5, gnuBuildId },
    })
  }
}

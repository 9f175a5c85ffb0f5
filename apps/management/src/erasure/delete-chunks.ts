import type { Database, Transaction } from '../ground/database.js'
import type { DeviceScope } from '../ingest/devices/device-row.js'

/** Chunks that one statement deletes. */
const BATCH = 2_000

/** How much was deleted. */
export interface DeletedChunks {
  readonly chunks: number
  readonly bytes: number
}

/** Deletes the chunks of a device in batches. */
export async function deleteChunks(
  database: Database | Transaction,
  { project_id: projectId, device_serial: serial }: DeviceScope,
): Promise<DeletedChunks> {
  const deleted = { chunks: 0, bytes: 0 }
  for (;;) {
    const [row] = await database.$queryRaw<{ chunks: bigint; bytes: bigint }[]>`
      WITH deleted AS (
        DELETE FROM chunks WHERE id IN (
          SELECT id FROM chunks
          WHERE device_id = (SELECT id FROM devices WHERE project_id = ${projectId}::uuid AND serial = ${serial})
          LIMIT ${BATCH}::integer
        )
        RETURNING size
      ), counted AS (
        INSERT INTO project_usage (project_id, day, bytes, deleted_bytes)
        SELECT ${projectId}::uuid, now() AT TIME ZONE 'UTC', 0, sum(size) FROM deleted HAVING count(*) > 0
        ON CONFLICT (project_id, day) DO UPDATE
        SET deleted_bytes = project_usage.deleted_bytes + excluded.deleted_bytes
      )
      SELECT count(*) AS chunks, coalesce(sum(size), 0)::bigint AS bytes FROM deleted`
    deleted.chunks += Number(row?.chunks ?? 0)
    deleted.bytes += Number(row?.bytes ?? 0)
    if (Number(row?.chunks ?? 0) < BATCH) return deleted
  }
}

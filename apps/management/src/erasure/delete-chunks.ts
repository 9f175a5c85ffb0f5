import type { Database, Transaction } from '../ground/database.js'
import type { DeviceScope } from '../ingest/devices/device-row.js'

/** Chunks that one statement deletes. */
const BATCH = 2_000

export interface DeletedChunks {
  readonly chunks: number
  readonly bytes: number
}

/** Deletes the chunks of a device in batches. The sweep of payloads overwrites those in objects. */
export async function deleteChunks(
  database: Database | Transaction,
  { project_id: projectId, device_serial: serial }: DeviceScope,
): Promise<DeletedChunks> {
  const deleted = { chunks: 0, bytes: 0 }
  const device = await database.device.findUnique({
    where: { projectId_serial: { projectId, serial } },
    select: { id: true, firstSeenAt: true, lastSeenAt: true },
  })
  if (!device) return deleted
  const { id, firstSeenAt, lastSeenAt } = device
  for (;;) {
    // The times leave out partitions that cannot have chunks of it.
    const [row] = await database.$queryRaw<{ chunks: bigint; bytes: bigint }[]>`
      WITH batch AS MATERIALIZED (
        SELECT id, received_at FROM device_chunks
        WHERE device_id = ${id}::uuid AND received_at BETWEEN ${firstSeenAt}::timestamptz AND ${lastSeenAt}::timestamptz
        LIMIT ${BATCH}::integer
      ), deleted AS (
        DELETE FROM device_chunks gone USING batch
        WHERE gone.id = batch.id AND gone.received_at = batch.received_at AND gone.device_id = ${id}::uuid
          AND gone.received_at BETWEEN ${firstSeenAt}::timestamptz AND ${lastSeenAt}::timestamptz
        RETURNING gone.id, gone.part, gone.received_at, gone.size, gone.object_id
      ), requests AS (
        DELETE FROM chunk_requests WHERE id IN (SELECT id FROM deleted WHERE part = 0)
      ), objects AS MATERIALIZED (
        SELECT id FROM chunk_objects WHERE id IN (SELECT object_id FROM deleted) ORDER BY id FOR UPDATE
      ), unwiped AS (
        UPDATE chunk_objects SET unwiped = unwiped + 1 WHERE id IN (SELECT id FROM objects)
      ), counted AS (
        INSERT INTO project_usage (project_id, day, bytes, deleted_bytes)
        SELECT ${projectId}::uuid, (received_at AT TIME ZONE 'UTC')::date, 0, sum(size)
        FROM deleted GROUP BY 2 ORDER BY 2
        ON CONFLICT (project_id, day) DO UPDATE
        SET deleted_bytes = project_usage.deleted_bytes + excluded.deleted_bytes
      )
      SELECT count(*) AS chunks, coalesce(sum(size), 0)::bigint AS bytes FROM deleted`
    deleted.chunks += Number(row?.chunks ?? 0)
    deleted.bytes += Number(row?.bytes ?? 0)
    if (Number(row?.chunks ?? 0) < BATCH) return deleted
  }
}

import type { Transaction } from '../../ground/database.js'
import type { RecordEvents } from '../../webhooks/enqueue-deliveries.js'

interface Row {
  readonly id: string
  readonly project_id: string
  readonly serial: string
  readonly hardware_version: string | null
  readonly software_type: string | null
  readonly software_version: string | null
  readonly first_seen_at: Date
}

/**
 * Notes for webhooks that devices have sent for the first time, once what they say of themselves is noted.
 *
 * @param ids of the devices; the event has the id of its device, which has a first time once
 */
export async function noteFirstSeen(
  transaction: Transaction,
  events: RecordEvents,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return
  const rows = await transaction.$queryRaw<Row[]>`
    SELECT id, project_id, serial, hardware_version, software_type, software_version, first_seen_at
    FROM devices d
    WHERE id = ANY (${ids}::uuid[]) AND first_seen_at IS NOT NULL
      AND EXISTS (SELECT FROM webhooks w WHERE w.project_id = d.project_id)`
  await events.record(
    transaction,
    rows.map((row) => ({
      id: row.id,
      type: 'device.first_seen' as const,
      projectId: row.project_id,
      deviceSerial: row.serial,
      at: row.first_seen_at,
      data: {
        device_serial: row.serial,
        device: {
          id: row.id,
          hardware_version: row.hardware_version,
          software_type: row.software_type,
          software_version: row.software_version,
        },
      },
    })),
  )
}

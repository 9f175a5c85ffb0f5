import type { Transaction } from '../../ground/database.js'
import type { EnqueueDeliveries } from '../../webhooks/enqueue-deliveries.js'

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
 * Enqueues `device.first_seen` for webhooks, after the facts of the devices are stored.
 *
 * @param ids of the devices; a device has this event once, so the event has the device's id
 */
export async function enqueueFirstSeen(
  transaction: Transaction,
  deliveries: EnqueueDeliveries,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return
  const rows = await transaction.$queryRaw<Row[]>`
    SELECT id, project_id, serial, hardware_version, software_type, software_version, first_seen_at
    FROM devices d
    WHERE id = ANY (${ids}::uuid[]) AND first_seen_at IS NOT NULL
      AND EXISTS (SELECT FROM webhooks w WHERE w.project_id = d.project_id)`
  const events = rows.map((row) => ({
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
  }))
  await deliveries.execute(transaction, events)
}

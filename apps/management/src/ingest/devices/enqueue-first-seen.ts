import { recordDeviceData } from '../../feed/device-data-feed.js'
import type { Transaction } from '../../ground/database.js'
import type { EnqueueDeliveries } from '../../webhooks/enqueue-deliveries.js'

interface Row {
  readonly id: string
  readonly organization_id: string
  readonly project_id: string
  readonly serial: string
  readonly hardware_version: string | null
  readonly software_type: string | null
  readonly software_version: string | null
  readonly first_seen_at: Date
}

/**
 * Enqueues `device.first_seen` for webhooks and the stream of device data, after the facts of the devices are stored.
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
    SELECT d.id, organization_id, project_id, serial, hardware_version, software_type, software_version, first_seen_at
    FROM devices d JOIN projects p ON p.id = project_id
    WHERE d.id = ANY (${ids}::uuid[]) AND first_seen_at IS NOT NULL`
  for (const row of rows)
    recordDeviceData(transaction, {
      kind: 'first-seen',
      organization_id: row.organization_id,
      project_id: row.project_id,
      device_serial: row.serial,
      at: row.first_seen_at.toISOString(),
      device: aboutDevice(row),
    })
  const events = rows.map((row) => ({
    id: row.id,
    type: 'device.first_seen' as const,
    projectId: row.project_id,
    deviceSerial: row.serial,
    at: row.first_seen_at,
    data: {
      device_serial: row.serial,
      device: aboutDevice(row),
    },
  }))
  await deliveries.execute(transaction, events)
}

function aboutDevice({ id, hardware_version, software_type, software_version }: Row) {
  return { id, hardware_version, software_type, software_version }
}

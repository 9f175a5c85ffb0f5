import type { Transaction } from '../ground/database.js'

/** Deletes the deliveries of a device's events. */
export async function deleteDeliveries(
  transaction: Transaction,
  projectId: string,
  deviceSerial: string,
): Promise<void> {
  await transaction.$executeRaw`
    DELETE FROM webhook_deliveries WHERE id IN (
      SELECT id FROM webhook_deliveries WHERE project_id = ${projectId}::uuid AND device_serial = ${deviceSerial}
      ORDER BY id FOR UPDATE
    )`
}

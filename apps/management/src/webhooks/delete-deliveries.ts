import type { Transaction } from '../ground/database.js'

/** Deletes what webhooks were told of a device, or were to be told. */
export async function deleteDeliveries(
  transaction: Transaction,
  projectId: string,
  deviceSerial: string,
): Promise<void> {
  // In the order in which whoever deletes a webhook takes them too.
  await transaction.$executeRaw`
    DELETE FROM webhook_deliveries WHERE id IN (
      SELECT id FROM webhook_deliveries WHERE project_id = ${projectId}::uuid AND device_serial = ${deviceSerial}
      ORDER BY id FOR UPDATE
    )`
}

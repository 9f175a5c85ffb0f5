import type { AttributeValue } from '@bearing/contracts/management/devices/device-attribute'
import type { Database, Transaction } from '../../../ground/database.js'

/** Values by the names of their attributes. */
export type Attributes = Record<string, AttributeValue>

/** Reads the attributes of devices of a project, by device. Values of deleted attributes are left out. */
export async function readAttributes(
  database: Database | Transaction,
  projectId: string,
  devices: readonly { readonly id: string }[],
): Promise<ReadonlyMap<string, Attributes>> {
  const found = new Map<string, Attributes>(devices.map(({ id }) => [id, {}]))
  if (devices.length === 0) return found
  const rows = await database.$queryRaw<{ device_id: string; name: string; value: AttributeValue }[]>`
    SELECT a.device_id, declared.name, a.value
    FROM device_attributes a
    JOIN declared_attributes declared
      ON declared.project_id = a.project_id AND declared.number = a.number AND declared.deleted_at IS NULL
    WHERE a.device_id = ANY (${devices.map(({ id }) => id)}::uuid[]) AND a.project_id = ${projectId}::uuid
    ORDER BY declared.name`
  for (const { device_id, name, value } of rows) {
    const attributes = found.get(device_id)
    if (attributes) attributes[name] = value
  }
  return found
}

import type { Transaction } from '../../../ground/database.js'
import type { AttributeType } from '@bearing/contracts/management/devices/device-attribute'
import { readAttributes } from './read-attributes.js'
import type { Declared, DeviceState, PlannedChange } from './plan-change.js'

/**
 * Returns the declared attributes of a project by name, locked: none is deleted before the transaction has stored its values.
 */
export async function lockDeclared(
  transaction: Transaction,
  projectId: string,
): Promise<ReadonlyMap<string, Declared>> {
  const rows = await transaction.$queryRaw<{ name: string; number: number; type: AttributeType }[]>`
    SELECT name, number, type FROM declared_attributes
    WHERE project_id = ${projectId}::uuid AND deleted_at IS NULL ORDER BY number FOR SHARE`
  return new Map(rows.map(({ name, number, type }) => [name, { number, type }]))
}

/** A device that can be changed. */
export interface ChangeableDevice extends DeviceState {
  readonly id: string
  readonly serial: string
}

/** Locks devices of a project, and returns them with their attributes, by serial number. */
export async function lockDevices(
  transaction: Transaction,
  projectId: string,
  serials: readonly string[],
): Promise<ReadonlyMap<string, ChangeableDevice>> {
  const rows = await transaction.$queryRaw<{ id: string; serial: string; nickname: string | null }[]>`
    SELECT id, serial, nickname FROM devices
    WHERE project_id = ${projectId}::uuid AND serial = ANY (${[...serials]}::text[])
    ORDER BY id FOR NO KEY UPDATE`
  const attributes = await readAttributes(transaction, projectId, rows)
  return new Map(rows.map((row) => [row.serial, { ...row, attributes: attributes.get(row.id) ?? {} }]))
}

/** Stores changes of locked devices. */
export async function writeChanges(
  transaction: Transaction,
  projectId: string,
  changed: readonly { readonly id: string; readonly serial: string; readonly change: PlannedChange }[],
): Promise<void> {
  const renamed = changed.flatMap(({ id, change: { nickname } }) =>
    nickname === undefined ? [] : [{ id, nickname }],
  )
  const removed = changed.flatMap(({ id, change }) => change.removed.map((number) => ({ id, number })))
  const set = changed.flatMap(({ id, serial, change }) =>
    [...change.set].map(([number, value]) => ({ id, serial, number, value })),
  )
  if (renamed.length > 0)
    await transaction.$executeRaw`
      UPDATE devices d SET nickname = renamed.nickname
      FROM json_to_recordset(${JSON.stringify(renamed)}::json) AS renamed (id uuid, nickname text)
      WHERE d.id = renamed.id`
  if (removed.length > 0)
    await transaction.$executeRaw`
      DELETE FROM device_attributes a
      USING json_to_recordset(${JSON.stringify(removed)}::json) AS removed (id uuid, number integer)
      WHERE a.device_id = removed.id AND a.number = removed.number`
  if (set.length > 0)
    await transaction.$executeRaw`
      INSERT INTO device_attributes (device_id, number, project_id, serial, value)
      SELECT id, number, ${projectId}::uuid, serial, value
      FROM jsonb_to_recordset(${JSON.stringify(set)}::jsonb) AS given (id uuid, number integer, serial text, value jsonb)
      ON CONFLICT (device_id, number) DO UPDATE SET value = EXCLUDED.value`
}

import { OperationError } from '@bearing/contracts/errors'
import type { Transaction } from '../ground/database.js'
import { lockDeclared, lockDevices } from '../ingest/devices/attributes/write-changes.js'
import type { Move } from './finish-moves.js'

/**
 * Moves the attributes of a device to those with the same names and types in the other project, and locks the device.
 *
 * @throws OperationError `attribute_conflict` if the other project has not declared them all
 */
export async function moveAttributes(
  transaction: Transaction,
  { projectId, toProjectId, serial }: Move,
  deviceId: string,
): Promise<void> {
  const [first, second] = [projectId, toProjectId].sort()
  const declared = new Map([
    [first, await lockDeclared(transaction, first ?? '')],
    [second, await lockDeclared(transaction, second ?? '')],
  ])
  const device = (await lockDevices(transaction, projectId, [serial])).get(serial)
  const entries = Object.entries(device?.attributes ?? {})
  const [from, to] = [declared.get(projectId), declared.get(toProjectId)]
  const missing = entries.filter(([name]) => {
    const attribute = to?.get(name)
    return attribute === undefined || attribute.type !== from?.get(name)?.type
  })
  if (missing.length > 0)
    throw new OperationError(
      'attribute_conflict',
      `The other project has not declared these attributes of the device with the same types: ${missing.map(([name]) => name).join(', ')}. Declare them there, or remove them from the device.`,
    )
  await transaction.deviceAttribute.deleteMany({ where: { deviceId } })
  if (entries.length === 0) return
  await transaction.deviceAttribute.createMany({
    data: entries.map(([name, value]) => ({
      deviceId,
      number: to?.get(name)?.number ?? 0,
      projectId: toProjectId,
      serial,
      value,
    })),
  })
}

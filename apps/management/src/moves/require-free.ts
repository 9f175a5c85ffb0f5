import { OperationError } from '@bearing/contracts/errors'
import type { Transaction } from '../ground/database.js'
import type { Move } from './finish-moves.js'

/** @throws OperationError `device_exists` if the other project has something with the serial number of the device */
export async function requireFree(
  transaction: Transaction,
  { toProjectId: projectId, serial }: Move,
): Promise<void> {
  const device = await transaction.device.findUnique({
    where: { projectId_serial: { projectId, serial } },
    select: { id: true },
  })
  const ofSerial = { where: { projectId, deviceSerial: serial }, select: { id: true } } as const
  if (!device && !(await transaction.storedFile.findFirst(ofSerial))) return
  throw new OperationError(
    'device_exists',
    'The other project has a device or files with this serial number. Delete the device there first.',
  )
}

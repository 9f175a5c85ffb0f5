import { OperationError } from '@bearing/contracts/errors'
import type { Transaction } from '../../ground/database.js'

/**
 * Verifies that a device may send files: its project accepts all devices, or knows this one. Under {@link lockCommits}, a
 * device that is deleted meanwhile is unknown.
 *
 * @param serial null if the request names no device
 * @throws OperationError `device_not_known`
 */
export async function requireKnownDevice(
  database: Pick<Transaction, 'dataPolicy' | 'device'>,
  projectId: string,
  serial: string | null,
): Promise<void> {
  const policy = await database.dataPolicy.findUnique({
    where: { projectId },
    select: { knownDevicesOnly: true },
  })
  if (!policy?.knownDevicesOnly) return
  const device =
    serial === null
      ? null
      : await database.device.findUnique({
          where: { projectId_serial: { projectId, serial } },
          select: { id: true },
        })
  if (device) return
  throw new OperationError(
    'device_not_known',
    serial === null
      ? 'The project accepts only known devices. Name the device in "device": { "device_serial" }.'
      : 'The project accepts only known devices. Register this device first.',
  )
}

import { OperationError } from '@bearing/contracts/errors'
import type { Transaction } from '../../ground/database.js'

/**
 * Makes sure that a device may send files: its project lets all of them, or knows this one. A device that is deleted meanwhile is
 * not known, under the lock of commits (see lockCommits).
 *
 * @param serial null where nobody said which device it is
 * @throws OperationError `device_not_known`
 */
export async function requireKnown(
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
      ? 'The project lets only devices send that it knows. Say with "device": { "device_serial" } which one this is from.'
      : 'The project lets only devices send that it knows. Register this one first.',
  )
}

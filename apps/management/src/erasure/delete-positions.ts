import { OperationError } from '@bearing/contracts/errors'
import { deleteDevicePositions } from '@bearing/contracts/location/device-position'
import { currentCall } from '@bearing/nats/call-context'
import type { NatsClient } from '@bearing/nats/client'
import type { DevicePlace } from '../ingest/devices/device-row.js'

/** How many positions of a device were deleted, and how many are left. */
export interface DeletedPositions {
  readonly deleted: number
  readonly left: number
}

/**
 * Has location delete where a device was, in the name of the caller.
 *
 * @throws OperationError `service_unavailable`, `deadline_exceeded` where that is not known
 */
export async function deletePositions(location: NatsClient, place: DevicePlace): Promise<DeletedPositions> {
  const { organization_id, project_id, device_serial } = place
  const request = { organization_id, project_id, device_serial }
  try {
    const options = { claims: currentCall()?.claims }
    const { deleted, left } = await location.call(deleteDevicePositions, request, options)
    return { deleted: deleted.positions, left: left.positions }
  } catch (error) {
    throw ofOldClaims(error) ?? error
  }
}

/** Claims last a minute, and a deletion may take as long. The credential is as good as it was. */
function ofOldClaims(error: unknown): OperationError | undefined {
  if (!(error instanceof OperationError) || error.status !== 401) return undefined
  return new OperationError(
    'service_unavailable',
    'The deletion took too long to be completed. Delete the device again.',
    { retry_after: 1 },
    { cause: error },
  )
}

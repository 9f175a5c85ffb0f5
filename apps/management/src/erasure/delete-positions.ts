import { OperationError } from '@bearing/contracts/errors'
import { deleteDevicePositions } from '@bearing/contracts/location/positions/device-position'
import { currentCall } from '@bearing/nats/call-context'
import type { NatsClient } from '@bearing/nats/client'
import type { DeviceScope } from '../ingest/devices/device-row.js'

/** Numbers of deleted and of remaining positions of a device. */
export interface DeletedPositions {
  readonly deleted: number
  readonly left: number
}

/**
 * Deletes the positions of a device in the location service, in the name of the caller.
 *
 * @throws OperationError `service_unavailable` or `deadline_exceeded` if the outcome is unknown
 */
export async function deletePositions(client: NatsClient, scope: DeviceScope): Promise<DeletedPositions> {
  const { organization_id, project_id, device_serial } = scope
  const request = { organization_id, project_id, device_serial }
  try {
    const options = { claims: currentCall()?.claims }
    const { deleted, left } = await client.call(deleteDevicePositions, request, options)
    return { deleted: deleted.positions, left: left.positions }
  } catch (error) {
    throw expiredClaims(error) ?? error
  }
}

/** Claims expire after a minute, and a deletion may take longer. The caller's credential is still valid. */
function expiredClaims(error: unknown): OperationError | undefined {
  if (!(error instanceof OperationError) || error.status !== 401) return undefined
  return new OperationError(
    'service_unavailable',
    'The deletion took too long to be completed. Delete the device again.',
    { retry_after: 1 },
    { cause: error },
  )
}

import type { Connection } from '../connection.js'
import { connectionLost, unavailable } from './transport-error.js'

/**
 * Waits until something new may be sent: for a connection that returns in a moment.
 *
 * @param subject of what is to be sent, for the error
 * @returns how long that took, in milliseconds
 * @throws OperationError `service_unavailable` if the connection does not return
 */
export async function untilOpen(connection: Connection, subject: string): Promise<number> {
  if (connection.isOpen) return 0
  const startedMs = performance.now()
  if (!(await connection.opens())) throw unavailable(connectionLost(subject))
  return performance.now() - startedMs
}

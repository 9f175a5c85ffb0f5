import type { Transaction } from '../../ground/database.js'
import { noConnection } from './connection-row.js'

/**
 * Holds a connection for a change. Whoever signs in through it at that moment is through before, or waits and then sees
 * what has changed.
 *
 * @throws OperationError `sso_connection_not_found`
 */
export async function lockConnection(
  transaction: Transaction,
  connectionId: string,
  organizationId: string,
): Promise<void> {
  const rows = await transaction.$queryRaw<unknown[]>`
    SELECT 1 FROM sso_connections
    WHERE id = ${connectionId}::uuid AND organization_id = ${organizationId}::uuid
    FOR UPDATE`
  if (rows.length === 0) throw noConnection()
}

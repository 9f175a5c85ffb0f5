import { ORGANIZATION_TOKEN, type Principal } from '@bearing/contracts/principal'
import type { Transaction } from '../../ground/database.js'
import { noConnection } from '../connections/connection-row.js'

/** Refuses a token that is bound to another connection. @throws OperationError `sso_connection_not_found` */
export async function refuseOtherConnection(
  database: Pick<Transaction, 'organizationToken'>,
  by: Principal,
  connectionId: string,
): Promise<void> {
  if (by.kind !== ORGANIZATION_TOKEN) return
  const row = await database.organizationToken.findUnique({
    where: { id: by.credential_id },
    select: { scimConnectionId: true },
  })
  if (row?.scimConnectionId !== null && row?.scimConnectionId !== connectionId) throw noConnection()
}
